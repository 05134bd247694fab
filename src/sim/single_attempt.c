/* single_attempt.c - where the Rosenbrock method and a system with one degree of freedom and one
 * bristle meet: a whole step in one piece, for any law. */
#include "single_attempt.h"
#include <math.h>

typedef struct common {
    network *net;
    struct inverse inverse;
    double side; /* of the body: -1 where it is the second end of the contact */
} common;

ALWAYS_INLINE void solve(void *self, double t, const double *y, double *b) {
    eliminate(&((common *)self)->inverse, b);
}

ALWAYS_INLINE void rate_and_solve(void *self, double t, const double *y, double *b) {
    common *at = self;
    network *net = at->net;
    const touch *c = &net->touches[0];
    double side = at->side, force = applied(net, t, y[0], y[1]), z = side * y[2], dz;
    int far = net->single.far;
    const bri_input u = {.x = side * (y[0] - net->pos[far]),
                         .v = side * (y[1] - net->vel[far]),
                         .n = c->N,
                         .mode = c->mode};
    double F = bri_model_eval(c->model, c->p, &u, &z, &dz);
    b[0] += y[1];
    b[1] += (force - side * F) * net->per_mass[0];
    b[2] += side * dz;
    eliminate(&at->inverse, b);
}

ALWAYS_INLINE double attempt(network *net, const rodas *m, rodas_step *s) {
    double side = side_of(&net->touches[0]), ft[3], place[3], u[3 * RODAS_STAGES];
    if (!s->fresh) {
        single_linearise(net, s->t, s->y, s->f, net->autonomous ? NULL : s->ft);
        single_weights(net, s);
    }
    common at = {.net = net, .side = side};
    const double y[3] = {s->y[0], s->y[1], side * s->y[2]};
    const double f[3] = {s->f[0], s->f[1], side * s->f[2]};
    if (!invert(net, slopes_of(&net->touches[0]), s->h * m->gamma, &at.inverse)) return INFINITY;
    for (int k = 0; k < 3; k++) ft[k] = net->autonomous ? 0.0 : k == 2 ? side * s->ft[k] : s->ft[k];
    rodas_stages(m, 3, s->t, s->h, y, f, net->autonomous ? NULL : ft, &at, solve, rate_and_solve,
                 place, u);
    return single_result(m, side, place, u, s);
}

int single_is_quick(void *self) {
    const network *net = self;
    bri_mode mode = net->touches[0].mode;
    return net->single.quick && (mode == BRI_SLIDE_POS || mode == BRI_SLIDE_NEG);
}

double single_attempt(void *self, rodas_step *s) {
    network *net = self;
    if (single_is_quick(net)) return net->single.quick(net, s);
    return s->method->order == 4 ? attempt(net, &rodas4, s) : attempt(net, &rodas5p, s);
}
