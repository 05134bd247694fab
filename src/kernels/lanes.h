/* lanes.h - several runs of one kind at once, one in each lane of vectors: one body and one contact
 * with up to two states, or a few bodies and contacts with one state each; contacts that slide in
 * one direction, or whose law has none; and what depends on time along straight lines alone. Every
 * lane has its own rig, time and step; what it computes does not depend on its neighbours.
 *
 * M v' = force - K x - C v - sides' F, F and z' of each contact by the law at its sliding velocity
 * sides v - far. With one body and one contact coordinates are such that the body is the first end
 * of the contact: its side is 1. */
#ifndef BRI_KERNEL_LANES_H
#define BRI_KERNEL_LANES_H

#include "kernels.h"
#include "solvers/rodas.h"

enum { BRI_LANES = 24, BRI_LANE_ZONES = 6 };

/* Bodies and contacts of a rig, as many of these as of those; states of a contact, and of all (two
 * are for one body alone); derivatives of a law by v and its states, F and then rates; unknowns:
 * positions, velocities, states, contact by contact. */
enum {
    BRI_LANE_BODIES = 3,
    BRI_LANE_STATES = 2,
    BRI_LANE_ALL_STATES = 3,
    BRI_LANE_SLOPES = (1 + BRI_LANE_STATES) * (1 + BRI_LANE_STATES),
    BRI_LANE_UNKNOWNS = 2 * BRI_LANE_BODIES + BRI_LANE_ALL_STATES
};

typedef double bri_lane[BRI_LANES] __attribute__((aligned(64)));

/* What became of an attempt at a step. */
enum { BRI_LANE_REFUSED, BRI_LANE_MADE, BRI_LANE_TURNED, BRI_LANE_CLOSER, BRI_LANE_BY_HAND };

/* (I/e - J) u = b, see condense.c: u_v = by_x b_x + by_z b_z + by_v b_v + by_F F and so on, F being
 * the forces of contacts that are not part of b_v yet. */
typedef struct bri_lane_inverse {
    bri_lane e, per_h;
    bri_lane by_x[BRI_LANE_BODIES][BRI_LANE_BODIES], by_v[BRI_LANE_BODIES][BRI_LANE_BODIES];
    bri_lane by_z[BRI_LANE_BODIES][BRI_LANE_ALL_STATES], by_F[BRI_LANE_BODIES][BRI_LANE_BODIES];
    bri_lane per_S[BRI_LANE_ALL_STATES][BRI_LANE_STATES], gain[BRI_LANE_ALL_STATES];
} bri_lane_inverse;

struct bri_lane_pack;

/* What a law does in the steps of lanes. stages: those after the first, for rigs of one body, two
 * and more, up to the end of the step and the law there. end: the law at the end of one vector of
 * lanes. powers: of friction over the step, at Lobatto's inner points. mean: of one vector the
 * mean force over the step, at Gauss's four points. NULL where a law has not one state: what takes
 * several. */
typedef struct bri_lane_law {
    void (*stages[BRI_LANE_BODIES])(struct bri_lane_pack *k);
    void (*end)(struct bri_lane_pack *k, int first);
    void (*powers)(struct bri_lane_pack *k);
    void (*mean)(struct bri_lane_pack *k, int first);
    bri_kernel *pack, *slopes; /* of contacts of one run, see system/packs.c */
} bri_lane_law;

typedef struct bri_lane_pack {
    const rodas *method;
    const bri_lane_law *law;
    int bodies; /* and contacts */
    int states; /* of each contact; one where there are several */
    int n_zones;
    int used;          /* lanes, up to the last that somebody is in */
    int directed;      /* nonzero: contacts have a direction that is frozen */
    int cornered;      /* nonzero: the law has corners */
    int curved;        /* nonzero: its force is a curve over its speed */
    int slows;         /* nonzero: so it is where the speed halves */
    int damped, asked; /* nonzero: couplings damp; somebody wants to know who slides */
    int timed;         /* nonzero: forces or far ends change with time */
    double rtol, atol; /* as the solver takes them */
    double sides[BRI_LANE_BODIES][BRI_LANE_BODIES]; /* of each contact: 1, -1, 0 of the bodies */

    /* the rig */
    bri_lane mass[BRI_LANE_BODIES], per_mass[BRI_LANE_BODIES], force[BRI_LANE_BODIES];
    bri_lane stiffness[BRI_LANE_BODIES][BRI_LANE_BODIES];
    bri_lane damping[BRI_LANE_BODIES][BRI_LANE_BODIES];
    bri_lane far[BRI_LANE_BODIES], load[BRI_LANE_BODIES], way[BRI_LANE_BODIES];
    bri_lane v_size[BRI_LANE_BODIES];
    bri_lane expected[BRI_LANE_UNKNOWNS], origin[BRI_LANE_UNKNOWNS]; /* see network.h */
    bri_lane knee[BRI_LANE_BODIES], fall[BRI_LANE_BODIES];           /* see network.h */
    bri_lane near[BRI_LANE_BODIES], along[BRI_LANE_BODIES]; /* not directed: see along_curve() */
    bri_lane corner,
        corner_width; /* time from which a short step leads over one, half its length */
    bri_lane zone[BRI_LANE_BODIES][BRI_LANE_ZONES];     /* speeds within which the law changes */
    bri_lane per_zone[BRI_LANE_BODIES][BRI_LANE_ZONES]; /* their inverse */
    bri_lane felt[BRI_LANE_BODIES];                     /* less than this is no turn [m/s] */
    bri_lane held;                                      /* power of weights that are moved */
    bri_lane longest, stop; /* step; time at which something else happens */
    bri_lane until, most;   /* time to be at; steps that may be tried */
    bri_lane due;           /* time from which on steps are looked at */
    bri_lane p[BRI_LANE_BODIES][BRI_KERNEL_PARAMS];

    /* what changes with time, s after `since` until `stop`: forces and velocities of far ends by
     * s, and the powers of what drives, work = at + by s - x . bodies + (v + v_by s) . velocities,
     * and of dampers with an end that is moved, heat = at - v . velocities */
    bri_lane since, force_by[BRI_LANE_BODIES], far_by[BRI_LANE_BODIES];
    bri_lane work_at, work_by, work_x[BRI_LANE_BODIES], work_v[BRI_LANE_BODIES];
    bri_lane work_v_by[BRI_LANE_BODIES], heat_at, heat_v[BRI_LANE_BODIES];

    /* where it is: time, state, sliding velocities, sizes reached, step to try, the last one made
     * and its error, see rosenbrock.h; 1 where the step is tried for the first time */
    bri_lane t, y[BRI_LANE_UNKNOWNS], v[BRI_LANE_BODIES], nominal[BRI_LANE_UNKNOWNS];
    bri_lane h, h_done, past, first;
    bri_lane wish;                 /* step wanted before one was ended early; 0: none */
    bri_lane bow[BRI_LANE_BODIES]; /* of several: rates of their sliding accelerations */
    bri_lane F[BRI_LANE_BODIES], dz[BRI_LANE_ALL_STATES];          /* of the law, at y */
    bri_lane slope[BRI_LANE_BODIES][BRI_LANE_SLOPES];              /* and its derivatives */
    bri_lane heat, work, astray, heated, regained, turned, stored; /* see sim.h */
    bri_lane heat_before, work_before;
    bri_lane pieces[BRI_LANE_BODIES]; /* of the law, a bit each */
    bri_lane tried, done;             /* steps */
    bri_lane early;                   /* so many of them are the first of the run */
    bri_lane trembles;                /* 1 where it turns too often for a lane */

    /* sliding, see sim_slide of sim/slide.h; speed infinite where nobody asks */
    bri_lane speed, slides[BRI_LANE_BODIES], slid[BRI_LANE_BODIES];

    /* the last attempt */
    bri_lane begin[BRI_LANE_UNKNOWNS], end[BRI_LANE_UNKNOWNS], v_end[BRI_LANE_BODIES];
    bri_lane U[RODAS_STAGES][BRI_LANE_UNKNOWNS], taken, error, outcome, t_before;
    bri_lane cut;   /* share of it that is to be made in its place; 0: none */
    bri_lane whole; /* of a step that ends where a contact turns: what it would have been ... */
    bri_lane turns; /* ... and which one does */
    bri_lane F_end[BRI_LANE_BODIES], dz_end[BRI_LANE_ALL_STATES];
    bri_lane slope_end[BRI_LANE_BODIES][BRI_LANE_SLOPES], stored_end, pieces_end[BRI_LANE_BODIES];
    bri_lane mean[BRI_LANE_BODIES]; /* forces of contacts, if asked for */
    /* over the step, coefficients of powers: sliding velocities, states; with several bodies their
     * velocities */
    bri_lane sliding[BRI_LANE_BODIES][5], state[BRI_LANE_ALL_STATES][5], moving[BRI_LANE_BODIES][5];
    bri_lane power, push, wrong; /* sums at inner points of F v, F far, |F v| the wrong way */
    bri_lane_inverse inverse;
    bri_lane drift_v[BRI_LANE_BODIES],
        drift_z[BRI_LANE_ALL_STATES];  /* timed: rates by time alone */
    unsigned changes[BRI_LANE_BODIES]; /* if asked: bits of those who may have started or stopped */
} bri_lane_pack;

/* bri_kernel_table: lanes_attempt is an attempt of all lanes from y, with its outcome, and the bits
 * of those that are to be looked at closer. Whoever calls decides about them: refused with a cut,
 * made, turned or by hand. Then lanes_accept, with the
 * energies of those that are made, and the bits of those that have turned, are left to others, have
 * arrived, are due to be looked at or may not try on. A lane that is left to others has not moved.
 * Who slides is followed by it, but for steps with a bit in `changes`, which whoever calls follows.
 */

/* Derivatives of F (row 0) and of the rate of state r - 1 (row r), by v (0) and the states. */
static inline int bri_lane_slope(int states, int row, int by) { return row * (1 + states) + by; }

/* Lobatto's points over a step: its ends, at which the law is known, and two more. */
static const double lobatto[2] = {0.27639320225002103, 0.72360679774997897};
static const double lobatto_weight[2] = {1.0 / 12.0, 5.0 / 12.0}; /* at the ends, within */

#endif
