/* sweep.h - the loops of time stepping over the nodes of one colour, see system/stepping.h. Nodes
 * of one colour do not touch, so each loop runs over unit-stride arrays in vectors. */
#ifndef BRI_SWEEP_H
#define BRI_SWEEP_H

#include <stddef.h>

enum { BRI_SWEEP_RUNS = 8, BRI_SWEEP_OUTER = 4, BRI_SWEEP_PAD = 8 };

/* Nodes first ... first + count - 1; count is a multiple of BRI_SWEEP_PAD. All arrays are indexed
 * by the place of the node, except value. Neighbours lie at constant distances: neighbour k of node
 * i is i + shift[k], its coefficient value[k * count + i - first], zero where there is none. */
typedef struct bri_sweep {
    size_t first, count;
    int n_runs;
    const ptrdiff_t *shift;
    const double *value;
    double scale; /* of the coefficients */
    double h, theta, exponent;
    double lead; /* levels are those of v_prev + lead (v_prev - v) */
    double *v, *b, *slip, *q, *x;
    double *above, *below; /* slip lies between -below and above */
    const double *v_prev, *q_prev;
    const double *d, *per_d;                /* diagonal of the matrix and its inverse */
    const double *partner, *partner_prev;   /* velocity of the partner at both ends of the step */
    const double *mass, *stiffness, *force; /* diagonal parts, constant forces */
    const double *low, *drop, *sharp;       /* level = low + drop exp(-(sharp |v|)^exponent) */
    int n_outer;                            /* coordinates whose motion is known ... */
    const double *outer[BRI_SWEEP_OUTER];   /* ... the stiffness that ties each node to them ... */
    double outer_by[BRI_SWEEP_OUTER];       /* ... and what it is multiplied by in b */
} bri_sweep;

typedef struct bri_sweep_table {
    /* Solve each node for its velocity, its neighbours held; the largest change of a velocity. */
    double (*relax)(const bri_sweep *s);
    /* The right-hand side b, and the first guess of the velocities. */
    void (*load)(const bri_sweep *s);
    /* above and below: what friction can change in each velocity at most, static unless it goes on
     * against the present sliding. */
    void (*level)(const bri_sweep *s);
    /* Positions at the end of the step, x, and the heat of the friction. */
    double (*finish)(const bri_sweep *s);
} bri_sweep_table;

extern const bri_sweep_table bri_sweep_base, bri_sweep_v3, bri_sweep_v4;

/* Those for this machine, chosen as by BRI_LEVEL_AUTO. */
const bri_sweep_table *bri_sweep_kernels(void);

#endif
