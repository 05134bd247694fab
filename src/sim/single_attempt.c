/* single_attempt.c - where the Rosenbrock method and a system with one degree of freedom and one
 * bristle meet: a whole step in one piece, for any law. */
#include "single_attempt.h"
#include <math.h>

typedef struct common {
    network *net;
    struct inverse inverse;
    double side; /* of the body: -1 where it is the second end of the contact */
    int count;   /* of states */
} common;

ALWAYS_INLINE void solve(void *self, double t, const double *y, double *b) {
    const common *at = self;
    eliminate(&at->inverse, at->count, b);
}

ALWAYS_INLINE void rate_and_solve(void *self, double t, const double *y, double *b) {
    common *at = self;
    network *net = at->net;
    const touch *c = &net->touches[0];
    double side = at->side, force = applied(net, t, y[0], y[1]);
    double z[SINGLE_STATES] = {0.0}, dz[SINGLE_STATES] = {0.0};
    int far = net->single.far;
    const bri_input u = {.x = side * (y[0] - net->pos[far]),
                         .v = side * (y[1] - net->vel[far]),
                         .n = c->N,
                         .mode = c->mode};
    for (int k = 0; k < at->count; k++) z[k] = side * y[2 + k];
    double F = u.n > BRI_NO_LOAD ? c->model->eval(c->model, c->p, &u, z, dz)
                                 : bri_model_eval(c->model, c->p, &u, z, dz);
    for (int k = 0; k < at->count; k++) dz[k] *= side;
    eliminate_rates(&at->inverse, net->per_mass[0], at->count, y[1], force, side * F, dz, b);
}

enum { MOST = 2 + SINGLE_STATES };

ALWAYS_INLINE double attempt(network *net, const rodas *m, int count, rodas_step *s) {
    const int n = 2 + count;
    double side = side_of(&net->touches[0]), y[MOST], f[MOST], ft[MOST], place[MOST];
    double u[MOST * RODAS_STAGES];
    if (!s->fresh) {
        single_linearise(net, s->t, s->y, s->f, net->autonomous ? NULL : s->ft);
        single_weights(net, n, s);
    }
    common at = {.net = net, .side = side, .count = count};
    if (!invert(net, count, slopes_of(&net->touches[0], count), s->h * m->gamma, &at.inverse))
        return INFINITY;
    for (int k = 0; k < n; k++) {
        double way = k < 2 ? 1.0 : side;
        y[k] = way * s->y[k];
        f[k] = way * s->f[k];
        ft[k] = net->autonomous ? 0.0 : way * s->ft[k];
    }
    rodas_stages(m, n, s->t, s->h, y, f, net->autonomous ? NULL : ft, &at, solve, rate_and_solve,
                 place, u);
    return single_result(m, n, side, place, u, s);
}

ALWAYS_INLINE double attempt_by(network *net, int count, rodas_step *s) {
    return s->method->order == 4 ? attempt(net, &rodas4, count, s)
                                 : attempt(net, &rodas5p, count, s);
}

int single_is_quick(void *self) {
    const network *net = self;
    bri_mode mode = net->touches[0].mode;
    return net->single.quick && (mode == BRI_SLIDE_POS || mode == BRI_SLIDE_NEG);
}

double single_attempt(void *self, rodas_step *s) {
    network *net = self;
    if (single_is_quick(net)) return net->single.quick(net, s);
    switch (net->touches[0].count) {
    case 2:
        return attempt_by(net, 2, s);
    case 1:
        return attempt_by(net, 1, s);
    default:
        return attempt_by(net, 0, s);
    }
}
