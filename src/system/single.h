/* single.h - one degree of freedom, one contact: what single.c and single_stages.c share. */
#ifndef BRI_SINGLE_H
#define BRI_SINGLE_H

#include "network.h"

static inline double side_of(const touch *c) { return c->a == 0 ? 1.0 : -1.0; }

/* The forces that do not come from the contact where couplings end at bodies that move, and the
 * load, which may be a signal. */
double single_applied(network *net, double t, double x, double v);

/* Sum of all forces but friction. */
static inline double applied(network *net, double t, double x, double v) {
    const single *s = &net->single;
    if (s->alone) return s->force - s->stiffness * x - s->damping * v;
    return single_applied(net, t, x, v);
}

/* u from b: u_v = by_v b_v + by_x b_x + by_z b_z, and from it u_x and u_z. */
static inline void eliminate(const single *s, int states, double *b) {
    double z = states ? b[2] : 0.0, v = s->by_x * b[0] + s->by_z * z + s->by_v * b[1];
    double x = (b[0] + v) * s->per_w;
    b[0] = x;
    b[1] = v;
    if (states) b[2] = s->per_S * z + s->gain_x * x + s->gain_v * v;
}

#endif
