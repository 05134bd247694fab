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

typedef struct tangent {
    int count, n;
    variation *by;
    network *base; /* the system as it is, linearised along the run */
    modes *modes;  /* of the contacts, as all networks have them */
    modes *seen;   /* room for others */
    clock_range *clock,
        *clock_prev;               /* of base and variants, from now on and during the last step */
    double when;                   /* time of the last event */
    double passed;                 /* time of the last kink */
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

/* All networks with these modes and clocks. */
void tangent_set(const tangent *T, const modes *modes, const clock_range *clock);

/* All derivatives from a to b within the last step of the solver. */
void tangent_carry_part(bri_sim *sim, double a, double b);

/* Over the last step of the solver, before anything happens at its end. */
void tangent_carry(bri_sim *sim);

/* Through what happens there; event < 0: a kink. */
void tangent_before(bri_sim *sim, int event);
void tangent_after(bri_sim *sim, int event);

/* Variants of the simulation in a number; start, if not NULL, receives the derivatives of the start
 * values. */
bri_status stencil_build(bri_sim *sim, bri_ref ref, stencil *d, double *start, bri_error *err);

/* The sum over the variants of what `read` finds in them, and in base, per change of the number. */
double stencil_sum(const stencil *d, network *base, double (*read)(const network *net, int i),
                   int i);

/* df/dp at (t, y), added to out; here and room: as many numbers. */
void stencil_rates(const stencil *d, network *base, double t, const double *y, double *here,
                   double *out, double *room);

/* Modes of contacts into a network of the same system. */
void network_take_modes(network *net, const modes *from);

#endif
