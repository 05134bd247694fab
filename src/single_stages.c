/* single_stages.c - where the Rosenbrock method and a system with one degree of freedom and one
 * bristle meet: all stages of a step in one piece. What one stage hands to the next stays in
 * registers; a pass through memory takes as long as three additions, and each stage waits for the
 * one before it. */
#include "solvers/stages.h"
#include "system/single.h"
#include <math.h>

/* The rate dz of the state of a law, and its force F + damping dz. */
typedef double law(const network *net, double x, double v, double z, double *F, double *damping);

ALWAYS_INLINE double any_law(const network *net, double x, double v, double z, double *F,
                             double *damping) {
    const touch *c = &net->touches[0];
    const bri_input u = {.x = x, .v = v, .n = c->N, .mode = c->mode};
    double dz;
    *F = bri_model_eval(c->model, c->p, &u, &z, &dz);
    *damping = 0.0;
    return dz;
}

ALWAYS_INLINE double lugre_law(const network *net, double x, double v, double z, double *F,
                               double *damping) {
    return lugre_fixed_eval(&net->single.lugre, net->touches[0].mode, v, z, F, damping);
}

/* As eliminate(), with the rate of the state, which comes last, kept apart:
 * u_v = by_x b_x + by_v (b_v + force/m) + by_z b_z + (by_z - by_v damping/m) dz. */
ALWAYS_INLINE void finish(network *net, law *friction, double t, const double *y, double *b) {
    const touch *c = &net->touches[0];
    const single *s = &net->single;
    double side = side_of(c), per_mass = net->per_mass[0], force = applied(net, t, y[0], y[1]);
    double F, damping,
        dz = friction(net, side * (y[0] - net->pos[s->far]), side * (y[1] - net->vel[s->far]), y[2],
                      &F, &damping);
    double x = b[0] + y[1], v = b[1] + (force - side * F) * per_mass;
    v = (s->by_x * x + s->by_v * v + s->by_z * b[2]) +
        (s->by_z - s->by_v * (side * damping * per_mass)) * dz;
    x = (x + v) * s->per_w;
    b[0] = x;
    b[1] = v;
    b[2] = s->per_S * (b[2] + dz) + s->gain_x * x + s->gain_v * v;
}

ALWAYS_INLINE void first_end(void *self, double t, const double *y, double *b) {
    eliminate(&((network *)self)->single, 1, b);
}

ALWAYS_INLINE void any_end(void *self, double t, const double *y, double *b) {
    finish(self, any_law, t, y, b);
}

ALWAYS_INLINE void lugre_end(void *self, double t, const double *y, double *b) {
    finish(self, lugre_law, t, y, b);
}

/* The results are kept in arrays of constant size until all are known. */
ALWAYS_INLINE void all_stages(network *net, const rodas *m, stage_end *end, double t, double h,
                              const double *y, const double *f, const double *ft, double *Y,
                              double *U) {
    double place[3], u[3 * RODAS_STAGES];
    const double from[3] = {y[0], y[1], y[2]};
    rodas_stages(m, 3, t, h, from, f, ft, net, first_end, end, place, u);
    for (int k = 0; k < 3; k++) Y[k] = place[k];
    for (int k = 0; k < 3 * m->stages; k++) U[k] = u[k];
}

void single_stages(network *net, const struct rodas *m, double t, double h, const double *y,
                   const double *f, const double *ft, double *Y, double *U) {
    if (m->order == 4 && net->single.fixed)
        all_stages(net, &rodas4, lugre_end, t, h, y, f, ft, Y, U);
    else if (m->order == 4)
        all_stages(net, &rodas4, any_end, t, h, y, f, ft, Y, U);
    else if (net->single.fixed)
        all_stages(net, &rodas5p, lugre_end, t, h, y, f, ft, Y, U);
    else
        all_stages(net, &rodas5p, any_end, t, h, y, f, ft, Y, U);
}
