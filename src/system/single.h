/* single.h - one degree of freedom, one contact: what single.c and single_attempt.c share. */
#ifndef BRI_SINGLE_H
#define BRI_SINGLE_H

#include "network.h"
#include <math.h>

static inline double side_of(const touch *c) { return c->a == 0 ? 1.0 : -1.0; }

/* The forces that do not come from the contact where couplings end at bodies that move, and the
 * load, which may be a signal. */
double single_applied(network *net, double t, double x, double v);

/* df/dt at fixed y: what signals change per second, with the far ends of couplings and contact. */
void single_time_derivative(const network *net, double t, double *ft);

/* Sum of all forces but friction. */
static inline double applied(network *net, double t, double x, double v) {
    const single *s = &net->single;
    if (s->alone) return s->force - s->stiffness * x - s->damping * v;
    return single_applied(net, t, x, v);
}

static inline double speed_size(const network *net, double v) {
    double moving = fabs(v), sliding = fabs(v - net->vel[net->single.far]);
    double least = net->touches[0].v_size;
    if (moving < net->nominal[1]) moving = net->nominal[1];
    if (sliding < least) sliding = least;
    return moving < sliding ? moving : sliding;
}

/* Derivatives of F and of the rate D of the state, if there is one, in x, v and z. */
typedef struct slopes {
    double F_x, F_v, F_z, D_x, D_v, D_z;
} slopes;

static inline slopes slopes_of(const touch *c) {
    const double *F = c->jac, *D = F + 3 + c->count;
    if (c->count == 0) return (slopes){.F_x = F[0], .F_v = F[1]};
    return (slopes){F[0], F[1], F[3], D[0], D[1], D[3]};
}

/* (I/e - J)^-1 with e = h gamma, for the state as seen from the body. The equations are multiplied
 * by e, so that no division waits for the step size: with S = 1 - e D_z the pivot is
 * S (m + e (F_v + c) + e^2 (F_x + k)) + e^2 F_z (D_v + e D_x).
 *
 * S and the pivot are positive unless something grows faster than 1/e, as a contact does that
 * breaks away. An implicit step over more than the time of growth would damp it: the body would
 * stick for ever, and the error would not show. 0 in that case, and the step has to be shorter. */
static inline int invert(const network *net, slopes d, double e, struct inverse *to) {
    const single *s = &net->single;
    double m = net->mass[0], S = 1.0 - e * d.D_z, by_x = d.F_x + s->stiffness;
    double pivot =
        S * (m + e * (d.F_v + s->damping) + e * e * by_x) + e * e * d.F_z * (d.D_v + e * d.D_x);
    if (!(S > 0.0 && pivot > 0.0)) return 0;
    double share = e / pivot, per_S = e / S;
    *to = (struct inverse){.per_w = e,
                           .per_S = per_S,
                           .by_v = m * S * share,
                           .by_x = -e * share * (S * by_x + e * d.F_z * d.D_x),
                           .by_z = -e * d.F_z * share,
                           .gain_x = d.D_x * per_S,
                           .gain_v = d.D_v * per_S};
    return 1;
}

/* u from b: u_v = by_v b_v + by_x b_x + by_z b_z, and from it u_x and u_z. */
static inline void eliminate(const struct inverse *i, double *b) {
    double v = i->by_x * b[0] + i->by_z * b[2] + i->by_v * b[1];
    double x = (b[0] + v) * i->per_w;
    b[0] = x;
    b[1] = v;
    b[2] = i->per_S * b[2] + i->gain_x * x + i->gain_v * v;
}

#endif
