/* formula.h - a bri_function within a network: its arguments as coordinates, its derivatives in
 * those that are free, its switches. */
#ifndef BRI_FORMULA_H
#define BRI_FORMULA_H

#include "arena.h"
#include "bristle_sim.h"
#include "signal.h"

struct network;

/* A signal that functions depend on, at the time to which the network was moved last: value and
 * derivatives from rate[1] on. */
typedef struct clocked {
    struct clocked *next; /* of the network */
    signal_line line;
    double rate[4];
} clocked;

/* Where an argument is found, *at - *less, and its place among them. */
typedef struct formula_read {
    const double *at, *less;
    int to;
    double slope; /* of an affine function */
} formula_read;

/* An argument: by[0] at[0] - by[1] at[1] of positions (order 0) or velocities (order 1), or a
 * signal, the time, or a parameter. */
typedef struct formula_arg {
    bri_arg_kind kind;
    int order;
    int coordinate[2]; /* as placed; -1: none */
    int place[2];      /* among the free coordinates that the formula depends on; -1: not free */
    double by[2];      /* derivative of the argument in them */
    const bri_signal *signal;
    const clocked *clock; /* of the signal */
} formula_arg;

typedef struct formula {
    bri_function f;
    const char *name; /* of its element */
    formula_arg *args;
    formula_read *reads; /* those that are not parameters */
    int n_reads;
    double *in, *slope; /* [n_args] as last evaluated */
    double L, rate;     /* of a tension: length and its rate */
    double start;       /* of an affine function: its value where all that is read is zero */
    double *side;       /* [n_switches] frozen sign of each switch; 0: as it is */
    double value;
    int *at, n_at;           /* free coordinates that it depends on */
    double *by_pos, *by_vel; /* [n_at] derivatives, as last linearised */
    double by_L, by_rate;    /* of a tension: derivatives in length and rate */
    double by_t;             /* change per second at fixed unknowns */
    double *by;              /* [n_at] by_vel + by_pos/w, as last factored */
} formula;

/* What a contact depends on besides its motion: a parameter, or its load. */
typedef struct vary {
    formula *f;
    int which;       /* the parameter; -1: the load */
    double *jac;     /* d(F, dz)/d(which), [1 + states] */
    double *gain;    /* (w I - J_zz)^-1 of it, [states] */
    double F_gain;   /* of F, with the states eliminated */
    double known;    /* its change with the known part of the displacements */
    long *slot;      /* of (a, at) and (b, at), in pairs */
    double *slot_by; /* see link */
} vary;

/* Take memory for a function and find its coordinates; failure shows in the arena. */
void formula_create(struct network *net, formula *to, const bri_system *s, const bri_function *f,
                    const char *name);

/* The value at the coordinates and the time as placed; for a tension at the length and rate given.
 */
double formula_value(const struct network *net, formula *f);

/* The same, with its derivatives. */
double formula_slopes(const struct network *net, formula *f);

/* Its arguments alone, for those that ask for what follows. */
void formula_gather(formula *f);

/* The switches g[n_switches] at the arguments last evaluated, and how fast something inside turns
 * [rad/s]. */
void formula_switches(const formula *f, double *g);
double formula_pace(const struct network *net, const formula *f);

/* What is wrong with a definition's function; NULL: nothing. tension: it belongs to a coupling. */
const char *formula_check(const bri_system *s, const bri_function *f, int tension);

/* Change of a formula with displacements or velocities of the free coordinates. */
static inline double formula_change(const formula *f, const double *by, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < f->n_at; i++) sum += by[i] * x[f->at[i]];
    return sum;
}

#endif
