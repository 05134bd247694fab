/* slide.h - for how long a contact slides and how often it starts and stops, followed along the
 * course of its velocity: it slides from a speed on, until half of it. */
#ifndef BRI_SIM_SLIDE_H
#define BRI_SIM_SLIDE_H

#include "bristle_sim.h"

struct sim_slide;

/* A contact that starts or stops, and when [s]. */
typedef struct sim_change {
    struct sim_slide *of;
    double t;
    int slides;
} sim_change;

/* A list of them, in the order in which they are found; those beyond its room are not told. */
typedef struct sim_changes {
    sim_change *list;
    long count, room;
} sim_changes;

typedef struct sim_slide {
    double speed;
    int slides;            /* at the end of what has been followed */
    double slid;           /* [s] */
    double since, longest; /* slid until the last start; in the longest slide that has ended [s] */
    long starts, stops;
    double t;             /* the time up to which it has been followed, if it is told [s] */
    sim_changes *changes; /* where it tells of them; NULL: nowhere */
} sim_slide;

/* Go on over a step of h [s] with the velocity c[0] + c[1] u + ... + c[4] u^4, u from 0 to 1: every
 * crossing of the two speeds is found, wherever it is. What a velocity has jumped by since the step
 * before counts at its start. */
void sim_slide_over(sim_slide *s, const double c[5], double h);

/* All contacts of a simulation: from its present time on; over a part of its last step. Laws that
 * stick exactly say themselves who slides, in which case `to` is the present time. room: of all
 * contacts; NULL: none sticks exactly. */
void sim_slides_begin(bri_sim *sim, sim_slide *slides, bri_sliding *room);
void sim_slides_follow(bri_sim *sim, double from, double to, sim_slide *slides, bri_sliding *room);

#endif
