/* single_attempt.c - where the Rosenbrock method and a system with one degree of freedom and one
 * bristle meet: a whole step in one piece, for any law. */
#include "single_attempt.h"
#include <math.h>

typedef struct common {
    network *net;
    struct inverse inverse;
    double side; /* of the body: -1 where it is the second end of the contact */
    int n;       /* 3, or 2 without a state */
} common;

ALWAYS_INLINE void solve(void *self, double t, const double *y, double *b) {
    const common *at = self;
    if (at->n == 3) {
        eliminate(&at->inverse, b);
        return;
    }
    double u[3] = {b[0], b[1], 0.0};
    eliminate(&at->inverse, u);
    b[0] = u[0];
    b[1] = u[1];
}

ALWAYS_INLINE void rate_and_solve(void *self, double t, const double *y, double *b) {
    common *at = self;
    network *net = at->net;
    const touch *c = &net->touches[0];
    double side = at->side, force = applied(net, t, y[0], y[1]), dz = 0.0;
    double z = at->n == 3 ? side * y[2] : 0.0;
    int far = net->single.far;
    const bri_input u = {.x = side * (y[0] - net->pos[far]),
                         .v = side * (y[1] - net->vel[far]),
                         .n = c->N,
                         .mode = c->mode};
    double F = bri_model_eval(c->model, c->p, &u, &z, &dz);
    b[0] += y[1];
    b[1] += (force - side * F) * net->per_mass[0];
    if (at->n == 3) b[2] += side * dz;
    solve(self, t, y, b);
}

ALWAYS_INLINE double attempt(network *net, const rodas *m, int n, rodas_step *s) {
    double side = side_of(&net->touches[0]), ft[3], place[3], u[3 * RODAS_STAGES];
    if (!s->fresh) {
        single_linearise(net, s->t, s->y, s->f, net->autonomous ? NULL : s->ft);
        single_weights(net, n, s);
    }
    common at = {.net = net, .side = side, .n = n};
    const double y[3] = {s->y[0], s->y[1], n == 3 ? side * s->y[2] : 0.0};
    const double f[3] = {s->f[0], s->f[1], n == 3 ? side * s->f[2] : 0.0};
    if (!invert(net, slopes_of(&net->touches[0]), s->h * m->gamma, &at.inverse)) return INFINITY;
    for (int k = 0; k < n; k++) ft[k] = net->autonomous ? 0.0 : k == 2 ? side * s->ft[k] : s->ft[k];
    rodas_stages(m, n, s->t, s->h, y, f, net->autonomous ? NULL : ft, &at, solve, rate_and_solve,
                 place, u);
    return single_result(m, n, side, place, u, s);
}

int single_is_quick(void *self) {
    const network *net = self;
    bri_mode mode = net->touches[0].mode;
    return net->single.quick && (mode == BRI_SLIDE_POS || mode == BRI_SLIDE_NEG);
}

double single_attempt(void *self, rodas_step *s) {
    network *net = self;
    if (single_is_quick(net)) return net->single.quick(net, s);
    if (net->n == 3)
        return s->method->order == 4 ? attempt(net, &rodas4, 3, s) : attempt(net, &rodas5p, 3, s);
    return s->method->order == 4 ? attempt(net, &rodas4, 2, s) : attempt(net, &rodas5p, 2, s);
}
