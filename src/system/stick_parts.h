/* stick_parts.h - what the files of stick.h share. */
#ifndef BRI_STICK_PARTS_H
#define BRI_STICK_PARTS_H

#include "stick.h"

/* Nonzero if no force moves a coordinate: it dictates the motion of its group. */
static inline int dictates(const network *net, int i) {
    return i >= net->n_free || net->mass[i] <= 0.0;
}

/* The coordinates that a contact ties together. Karnopp's law as printed leaves out the
 * acceleration of a support: the body is tied to something that does not accelerate, the ground. */
static inline int end_of(const network *net, const touch *c, int end, int other) {
    return c->reading && !c->edge && dictates(net, end) && !dictates(net, other) ? net->n_all - 1
                                                                                 : end;
}

static inline int end_a(const network *net, const touch *c) { return end_of(net, c, c->a, c->b); }
static inline int end_b(const network *net, const touch *c) { return end_of(net, c, c->b, c->a); }

static inline int node_of(const network *net, int at) {
    return at < net->n_free ? net->node[at] : -1;
}

/* phi_a - phi_b over a contact. */
static inline double drop_over(const network *net, const touch *c) {
    int a = node_of(net, end_a(net, c)), b = node_of(net, end_b(net, c));
    return (a >= 0 ? net->potential[a] : 0.0) - (b >= 0 ? net->potential[b] : 0.0);
}

static inline double inverse_mass(const network *net, int at) {
    return dictates(net, at) ? 0.0 : 1.0 / net->mass[at];
}

static inline double speed_of(const network *net, const touch *c) {
    return net->vel[c->a] - net->vel[c->b];
}

/* A contact begins to slide. */
static inline void slide(touch *c, int way) {
    c->mode = way > 0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
    c->limit = c->edge = c->left = 0;
}

/* As stick_decide(), with the accelerations of prescribed coordinates given if acc is not NULL. */
void stick_decide_with(network *net, double t, double *y, const char *at_limit, const double *acc,
                       stick_loss *loss);

#endif
