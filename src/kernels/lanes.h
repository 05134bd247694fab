/* lanes.h - several runs of one kind at once, one in each lane of vectors: one body, one contact
 * with one state that slides in one direction, nothing that depends on time. Every lane has its own
 * rig, time and step; what it computes does not depend on its neighbours.
 *
 * Coordinates are such that the body is the first end of the contact: m v' = force - k x - c v - F,
 * F and z' by the law at the sliding velocity v - far. */
#ifndef BRI_KERNEL_LANES_H
#define BRI_KERNEL_LANES_H

#include "kernels.h"
#include "solvers/rodas.h"

enum { BRI_LANES = 16, BRI_LANE_ZONES = 6 };

typedef double bri_lane[BRI_LANES] __attribute__((aligned(64)));

/* What became of an attempt at a step. */
enum { BRI_LANE_REFUSED, BRI_LANE_MADE, BRI_LANE_TURNED, BRI_LANE_CLOSER, BRI_LANE_BY_HAND };

/* (I/e - J) u = b, see invert() of single.h: u_v = by_x b_x + by_z b_z + by_v b_v and so on. */
typedef struct bri_lane_inverse {
    bri_lane e, by_x, by_v, by_z, per_S, gain, per_h;
} bri_lane_inverse;

struct bri_lane_pack;

/* What a law does in the steps of lanes. stages: those after the first, the end of the step and
 * the law there. end: the law at the end of one vector of lanes. powers: of friction over the step,
 * at Lobatto's inner points. */
typedef struct bri_lane_law {
    void (*stages)(struct bri_lane_pack *k);
    void (*end)(struct bri_lane_pack *k, int first);
    void (*powers)(struct bri_lane_pack *k);
    bri_kernel *pack, *slopes; /* of contacts of one run, see system/packs.c */
} bri_lane_law;

typedef struct bri_lane_pack {
    const rodas *method;
    const bri_lane_law *law;
    int n_zones;
    int cornered;      /* nonzero: steps that lead over a corner of the law are left to others */
    double rtol, atol; /* as the solver takes them */

    /* the rig */
    bri_lane mass, per_mass, stiffness, damping, force, far, load, way;
    bri_lane v_size, expected[3], origin[3]; /* see network.h */
    bri_lane zone[BRI_LANE_ZONES];           /* speeds within which the law changes */
    bri_lane felt;                           /* less than this is no turn [m/s] */
    bri_lane held;                           /* power of weights that are moved */
    bri_lane longest, stop;                  /* step; time at which something else happens */
    bri_lane until, most;                    /* time to be at; steps that may be tried */
    bri_lane p[BRI_KERNEL_PARAMS];

    /* where it is: time, state, sizes reached, step to try, the last one made and its error, see
     * rosenbrock.h; 1 where the step is tried for the first time */
    bri_lane t, y[3], nominal[3], h, h_done, past, first;
    bri_lane F, dz, slope[BRI_DERIVATIVES];                        /* of the law, at y */
    bri_lane heat, work, astray, heated, regained, turned, stored; /* see sim.h */
    bri_lane heat_before, work_before;
    bri_lane pieces;      /* of the law, a bit each */
    bri_lane tried, done; /* steps */
    bri_lane trembles;    /* 1 where it turns too often for a lane */

    /* sliding, see sim_slide of sim/lanes.h; speed infinite where nobody asks */
    bri_lane speed, slides, slid, starts, stops;

    /* the last attempt */
    bri_lane begin[3], end[3], U[RODAS_STAGES][3], taken, error, outcome, t_before;
    bri_lane cut;   /* share of it that is to be made in its place; 0: none */
    bri_lane whole; /* of a step that ends where the contact turns: what it would have been */
    bri_lane F_end, dz_end, slope_end[BRI_DERIVATIVES], stored_end, pieces_end;
    bri_lane course[2][5];       /* of v and z over the step, coefficients of powers */
    bri_lane power, push, wrong; /* means of F v, F, and |F v| against the direction */
    bri_lane_inverse inverse;
} bri_lane_pack;

/* bri_kernel_table: lanes_attempt is an attempt of all lanes from y, with its outcome, and the bits
 * of those that are to be looked at closer. Whoever calls decides about them: refused with a cut,
 * made, turned or by hand. Then lanes_accept, with the
 * energies of those that are made, and the bits of those that have turned, are left to others, have
 * arrived or may not try on. A lane that is left to others has not moved. */

/* Lobatto's points over a step: its ends, at which the law is known, and two more. */
static const double lobatto[2] = {0.27639320225002103, 0.72360679774997897};
static const double lobatto_weight[2] = {1.0 / 12.0, 5.0 / 12.0}; /* at the ends, within */

#endif
