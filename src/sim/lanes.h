/* lanes.h - several simulations that differ in numbers only are moved on together, each in a lane
 * of the vectors of kernels/lanes.h: one body with a contact of up to two states, or up to three
 * bodies and as many contacts with one state each, driven along straight lines if at all. As long
 * as contacts that have a direction slide in it the steps are those of the lane; whatever else
 * happens (a contact that has no direction yet, the run ends) is made by the simulation itself,
 * alone. */
#ifndef BRI_SIM_LANES_H
#define BRI_SIM_LANES_H

#include "bristle_sim.h"
#include "kernels/lanes.h"
#include "slide.h"

typedef struct sim_lanes sim_lanes; /* of one thread */

/* NULL: there is no memory. */
sim_lanes *sim_lanes_new(void);
void sim_lanes_free(sim_lanes *l);

/* Nonzero if a simulation can be moved on in a lane, alone or beside those that are there. */
int sim_lanes_fit(const bri_sim *sim);
int sim_lanes_match(const sim_lanes *l, const bri_sim *sim);

/* Called when the simulation has made a step beyond the time that was asked for: it can be advanced
 * up to `to`, which is within that step, and read. Returns the time that is asked for next,
 * -INFINITY: every step, INFINITY: none. */
typedef double sim_lane_look(void *self, double to);

/* What is to be done with a simulation: advanced to `until`. slides: of all its contacts, with one
 * speed, or NULL; they are followed up to there. look: called with `self` from the time `due` on.
 */
typedef struct sim_lane_task {
    double until;
    sim_slide *slides;
    sim_lane_look *look;
    void *self;
    double due;
} sim_lane_task;

/* Put a simulation that fits and matches into a lane that is free, 0 ... BRI_LANES - 1. */
void sim_lanes_put(sim_lanes *l, int lane, bri_sim *sim, const sim_lane_task *task);

/* Move on until one is there or has failed: its lane, which is free then, with status and error as
 * of bri_sim_advance; -1 after a while without. */
int sim_lanes_next(sim_lanes *l, bri_status *status, bri_error *err);

#endif
