/* lanes_parts.h - what the files of lanes.h share. */
#ifndef BRI_SIM_LANES_PARTS_H
#define BRI_SIM_LANES_PARTS_H

#include "lanes.h"

/* What the simulations of all lanes have in common. */
typedef struct lane_family {
    int bodies; /* and contacts */
    int states; /* of each contact */
    int ends[BRI_LANE_BODIES][2];
    const bri_model *model;
    const rodas *method;
    const bri_lane_law *law;
    int directed, cornered, timed;
    double rtol, atol;
} lane_family;

typedef struct lane_seat {
    bri_sim *sim; /* NULL: the lane is free */
    sim_lane_task task;
    double side; /* -1: its body is the second end of the contact, all is mirrored */
    int again;   /* times that the step has been made shorter ... */
    double done; /* ... after so many of them */
} lane_seat;

struct sim_lanes {
    bri_lane_pack pack;
    lane_family of;
    lane_seat seats[BRI_LANES];
    int count;                     /* of seats that are taken */
    unsigned inside, out, arrived; /* bits: ahead of the simulation; not so; with its end */
};

/* 0: the simulation does not fit into lanes. */
int lane_family_of(const bri_sim *sim, lane_family *to);

static inline int lane_unknowns(const lane_family *of) { return (2 + of->states) * of->bodies; }

/* What lane i has of an unknown of its simulation: positions and velocities may be mirrored. */
static inline double lane_side(const sim_lanes *l, int i, int unknown) {
    return unknown < 2 * l->of.bodies ? l->seats[i].side : 1.0;
}

/* The rig of the simulation at seat i. Its drives from where it stands up to the next kink; 0: they
 * are not straight there. */
void lane_get_rig(sim_lanes *l, int i);
int lane_get_drives(sim_lanes *l, int i);

/* Go on in the lane from where the simulation stands; 0: it wants to do the next step itself. */
int lane_enter(sim_lanes *l, int i);

/* The simulation stands where the lane does; `made`: the last attempt was a step, and its stages
 * are those of the simulation's last. */
void lane_leave(sim_lanes *l, int i, int made);

/* The step has been made: on in the other direction, as sim_happen() and a solver that begins again
 * would. */
void lane_turn(sim_lanes *l, int i);

/* The simulation has the stages of the attempt; the share of it at which it should have ended, as
 * the simulation sees it, INFINITY: none. */
void lane_leave_attempt(sim_lanes *l, int i);
double lane_better_end(sim_lanes *l, int i);

/* A step that may have passed over something: it is as good as it seems, or is made again up to
 * there, or the simulation sees to it. */
void lane_look_closer(sim_lanes *l, int i);

/* Somebody looks at the step just made, that of the lane, in which the simulation then stands, or
 * that of the simulation itself. */
void lane_look(sim_lanes *l, int i);
void lane_look_alone(lane_seat *at, double from, double to);

/* Who slides is followed in the lane from here on, NULL: nobody asks; starts and stops are counted
 * by the simulation. Over a part of its last step; over the last one of the lane, in which contact
 * n may start or stop. */
void lane_enter_slides(bri_lane_pack *k, int i, const sim_slide *s);
void lane_follow_alone(const lane_seat *at, double from, double to);
void lane_follow(sim_lanes *l, int i, int n);

#endif
