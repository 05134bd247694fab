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
enum { BRI_LANE_REFUSED, BRI_LANE_MADE, BRI_LANE_TURNED, BRI_LANE_BY_HAND };

typedef struct bri_lane_pack {
    const rodas *method;
    bri_kernel *eval, *slopes; /* of the law */
    int exponent, n_zones;
    double rtol, atol; /* as the solver takes them */

    /* the rig */
    bri_lane mass, per_mass, stiffness, damping, force, far, load, way;
    bri_lane v_size, expected[3], origin[3]; /* see network.h */
    bri_lane zone[BRI_LANE_ZONES];           /* speeds within which the law changes */
    bri_lane felt;                           /* less than this is no turn [m/s] */
    bri_lane held;                           /* power of weights that are moved */
    bri_lane longest, stop;                  /* step; time at which something else happens */
    bri_lane p[BRI_KERNEL_PARAMS];

    /* where it is: time, state, sizes reached, step to try, the last one made and its error, see
     * rosenbrock.h; 1 where the step is tried for the first time */
    bri_lane t, y[3], nominal[3], h, h_done, past, first;
    bri_lane F, dz, slope[BRI_DERIVATIVES];                        /* of the law, at y */
    bri_lane heat, work, astray, heated, regained, turned, stored; /* see sim.h */
    bri_lane heat_before, work_before;

    /* the last attempt */
    bri_lane begin[3], end[3], U[RODAS_STAGES][3], taken, error, outcome, t_before;
    bri_lane whole; /* of a step that ends where the contact turns: what it would have been */
    bri_lane F_end, dz_end, slope_end[BRI_DERIVATIVES], stored_end;
    bri_lane course[2][5]; /* of v and z over the step, coefficients of powers */
} bri_lane_pack;

/* bri_kernel_table: lanes_attempt is an attempt of all lanes from y, with its outcome, which
 * whoever calls may change to BRI_LANE_BY_HAND. He gives stored_end, and ends the steps within
 * which a contact turns: end, taken, course, and the law there. Then lanes_accept, with the
 * energies of those that are made. A lane that is left to others has not moved. */

#endif
