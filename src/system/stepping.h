/* stepping.h - steps of finite length in which contacts stick, slip and turn without events: the
 * theta scheme of Moreau and Jean.
 *
 * Velocities at the end of a step follow from
 *     A v1 = b - H p,   A = M + h theta C + (h theta)^2 K,   |p_c| <= h level_c,
 * with couplings linearised at the start of the step, the impulse p_c against the sliding velocity
 * at the end of the step and anything within its limits if that velocity is zero. Against sliding
 * that goes on the level is that of the velocity expected in the middle of the step; a contact that
 * sticks at its start, or would have to turn, holds up to its static level.
 *
 * Gauss-Seidel in colours. Bodies that couplings join have different colours. A body with one
 * contact whose partner's motion is known is solved for its velocity together with that friction in
 * closed form; all other contacts ("loose") are solved one by one for their impulses, in colours
 * that share no body. Positions follow as q1 = q0 + h (theta v1 + (1 - theta) v0). */
#ifndef BRI_STEPPING_H
#define BRI_STEPPING_H

#include "kernels/sweep.h"
#include "network.h"

/* The bodies of one colour, at the places first ... first + count - 1. */
typedef struct colour {
    size_t first, count;
    int n_runs; /* -1: neighbours are listed row by row */
    ptrdiff_t shift[BRI_SWEEP_RUNS];
    size_t values; /* where its coefficients begin */
} colour;

/* A contact between two bodies that move, or one of several on the same body. */
typedef struct loose {
    size_t a, b; /* places */
    int contact, stuck;
    double p, above, below; /* impulse, between -below and above [N s] */
} loose;

/* A coordinate whose motion is known. */
typedef struct mover {
    const motion *motion;
    size_t place;
    double q0, q1, v0, v1;
} mover;

typedef struct stepping {
    network *net;
    const bri_sweep_table *loops;
    int linear;       /* nonzero: one-axis springs and set-valued laws only */
    int plain_levels; /* nonzero: the vector loop knows all levels */
    size_t n_places, ground;
    size_t *place;  /* [n_all] of each coordinate; ground: does not move */
    int *nodal;     /* [n_places] the contact solved with the body, -1: none */
    size_t *facing; /* [n_places] place of that contact's partner */
    double *side;   /* [n_places] +1: the body is the contact's a, -1: its b */
    colour *colours;
    int n_colours;
    size_t *row, *row_end, *column; /* of colours without runs: neighbours of a place */
    double *off;                    /* coefficients: stiffness if linear, else minus entries of A */
    size_t n_off;
    loose *loose;
    int n_loose, *loose_first, n_loose_colours; /* contacts by colour */
    int *loose_of;                              /* [contacts] -1: nodal or not set-valued */
    size_t *at;                                 /* [contacts] the body of a nodal contact */
    mover *movers;
    int n_movers;
    double *outer[BRI_SWEEP_OUTER];
    int outer_mover[BRI_SWEEP_OUTER], n_outer;
    /* by place, see kernels/sweep.h */
    double *v, *v_prev, *q, *q_prev, *x, *b, *slip, *above, *below, *d, *per_d, *partner,
        *partner_prev;
    double *mass, *stiffness, *force, *low, *drop, *sharp;
    double exponent;
    double *y, *z, *z_prev, *trial;  /* room in the order of the network */
    int *leader;                     /* [n_places] groups of bodies that stick together */
    double *sum_mass, *sum_momentum; /* [n_places] */
    double h, theta;                 /* what A was made for */
    double lead;                     /* see kernels/sweep.h */
    double ahead;                    /* of x */
    double contraction;              /* bound on the error left over by a sweep */
    double tolerance;                /* of velocities [m/s] */
    double t, h_last;                /* the last step */
    long sweeps;
} stepping;

/* Take the memory for time stepping from the network's. NULL if there is not enough. */
stepping *stepping_create(network *net);

/* Start from the state y, which the network has been placed at. */
void stepping_begin(stepping *s, const double *y, double tolerance);

/* One step. BRI_NO_PROGRESS if the velocities do not settle or are not finite; the state stays. */
bri_status stepping_step(stepping *s, double t, double h, bri_error *err);

/* Matrix and right-hand side of a step whose couplings or laws are not all linear, and the states
 * of smooth contacts at its end. */
void stepping_assemble(stepping *s, double t, double h, double theta);
void stepping_advance_states(stepping *s, double t, double h, double theta);

/* State at the share u of the last step, in the order of the network. */
void stepping_state(const stepping *s, double u, double *y);

/* Nonzero if the impulse of contact i is found by the steps: not if its law is smooth, or if the
 * motion of both its bodies is known. */
int stepping_holds(const stepping *s, int contact);

/* Mean forces of the last step into the contacts, and how contact i moves at its end, -1, 0, +1. */
void stepping_forces(const stepping *s);
int stepping_motion(const stepping *s, int contact);

/* How the coordinate a has moved relative to b in the last step, -1, 0, +1. */
int stepping_moved(const stepping *s, int a, int b);

/* Heat and work of the last step [J]. */
void stepping_energy(stepping *s, double *heat, double *work);

/* Sum over the neighbours of a place, and where one coefficient is kept. */
double stepping_neighbours(const stepping *s, const colour *c, size_t at, const double *of);
size_t stepping_slot(const stepping *s, size_t row, size_t column);

#endif
