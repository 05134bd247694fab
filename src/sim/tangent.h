/* tangent.h - derivatives of a run by some of its numbers, carried along with its steps.
 *
 * With S = dy/dp, S' = J S + df/dp between events, J and df/dp along the solution as the solver has
 * found it. Where the rates jump from f- to f+ at a time t* that depends on p, or the state does by
 * y+ = h(y-),
 *
 *     S+ = h_y (S- + f- t*') + h_p - f+ t*',   t*' = -(g_y S- + g_p) / (g_t + g_y f-)
 *
 * with the event function g: the derivative of where the run is at a fixed time, as long as events
 * keep their order (Hiskens & Pai, IEEE Trans. Circuits Syst. I 47:204-220, 2000, section III). */
#ifndef BRI_TANGENT_H
#define BRI_TANGENT_H

#include "sim.h"

enum { VARIANTS = 4 }; /* networks in which a number has another value */

/* A difference of order four over five values: central or, at the end of a range, to one side. */
typedef struct stencil {
    double step;             /* from one value to the next */
    double offset[VARIANTS]; /* of the variants, in steps */
    double weight[VARIANTS]; /* of the variants */
    double weight_here;      /* of the value itself */
    network *net;            /* [VARIANTS] */
    bri_ref ref;             /* the number */
    int param;               /* of the law of its contacts; -1: it is none */
    int whole;               /* nonzero: levers or functions depend on it, rates are subtracted */
    double *pos, *vel, *acc, *force; /* [n_all] room for derivatives */
    double *load, *friction;         /* [contacts] */
    double *tension;                 /* [couplings] */
    double *rates;                   /* [n] */
    const double *along; /* [n] a direction of the states, in place of a number; or NULL */
} stencil;

/* A number by which derivatives are taken. */
typedef struct variation {
    bri_ref ref;
    double value;
    stencil d;
    double *S, *S_prev, *S_now; /* at the ends of the last step, and at the present time */
    double *w;                  /* a new S until it is accepted */
    double *K;                  /* stages */
    double late; /* by how much later the last event or kink is, per change of the number */
} variation;

/* Between which times signals are looked up, and when the next kink is. */
typedef struct clock_range {
    double earliest, latest, kink;
} clock_range;

/* How contacts move, on which sides functions are, and the clocks of base and variants. */
typedef struct setting {
    modes *modes;       /* [contacts] */
    double *sides;      /* [tangent.n_sides] of functions, then of loads */
    clock_range *clock; /* [networks] */
} setting;

typedef struct tangent {
    int count, n;
    variation *by;
    network *base;       /* the system as it is, linearised along the run */
    setting at, at_prev; /* from now on, and during the last step */
    int n_sides;
    double when;                   /* time of the last event */
    double passed;                 /* time of the last kink */
    double now;                    /* time for which S_now has been found; NAN: none */
    double lost;                   /* time from which on they are not known; INFINITY: never */
    double h;                      /* step that was good last */
    double *y, *f, *before, *room; /* room for states and rates */
    double *g;                     /* room for event functions */
    double *other;                 /* room for rates of variants */
} tangent;

/* Take the memory, build the networks, begin; BRI_BAD_VALUE if there is no derivative by a number.
 * Nothing happens if none is asked for. */
bri_status tangent_create(bri_sim *sim, bri_error *err);

/* Build the networks again from the numbers as they are now. */
bri_status tangent_rebuild(bri_sim *sim, bri_error *err);

/* Base and variants, one after the other. */
network *tangent_net(const tangent *T, int i);
static inline int tangent_nets(const tangent *T) { return 1 + T->count * VARIANTS; }

/* All networks as they are in one of the two. */
void tangent_set(const tangent *T, const setting *to);

/* All derivatives from a to b within the last step of the solver. */
void tangent_carry_part(bri_sim *sim, double a, double b);

/* Over the last step of the solver, before anything happens at its end. */
void tangent_carry(bri_sim *sim);

/* All networks with modes and sides as the run has them now, or with these clocks. */
void tangent_take_modes(const bri_sim *sim);
void tangent_set_clocks(const tangent *T, const clock_range *clock);

/* Modes change, and with them the rates, at (t, y): from those in T->before. */
void tangent_change_over(bri_sim *sim, double t, const double *y);

/* Through what happens there; event < 0: a kink. */
void tangent_before(bri_sim *sim, int event);
void tangent_after(bri_sim *sim, int event);

/* A central difference along S: y + tangent_offset[k] * tangent_reach() * S, the sum of what is
 * found there with tangent_weight[k], over tangent_reach(); 0: there is no change. */
double tangent_reach(const tangent *T, const double *y, const double *S);
extern const double tangent_offset[VARIANTS], tangent_weight[VARIANTS];

/* Variants of the simulation in a number; start, if not NULL, receives the derivatives of the start
 * values. */
bri_status stencil_build(bri_sim *sim, bri_ref ref, stencil *d, double *start, bri_error *err);

/* One without a number, in that memory; then, or in place of a number, along a direction dy of the
 * states. */
bri_status stencil_of_states(const network *base, arena *memory, stencil *d, bri_error *err);
void stencil_along(stencil *d, const double *dy);

/* The sum over the variants of what `read` finds in them, and in base, per change of the number. */
double stencil_sum(const stencil *d, network *base, double (*read)(const network *net, int i),
                   int i);

/* df/dp at (t, y), where base has been linearised and the rates are f, added to out. Exact in the
 * parameters of laws and linear in what depends on the number: rates are never subtracted. */
void stencil_rates(const stencil *d, network *base, double t, const double *y, const double *f,
                   double *out);

/* As stencil_rates, for d->pos, vel, load, friction and tension of all that is shown there. */
void stencil_show(const stencil *d, network *base, double t, const double *y, const double *f);

/* Modes of contacts and sides of functions into a network of the same system; how many sides there
 * are, and those of a network. */
void network_take_modes(network *net, const modes *from, const double *sides);
int network_count_sides(const network *net);
void network_get_sides(const network *net, double *sides);

#endif
