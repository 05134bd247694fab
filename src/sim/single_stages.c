/* single_stages.c - where the Rosenbrock method and a system with one degree of freedom and one
 * bristle meet: all stages of a step in one piece. What one stage hands to the next stays in
 * registers; a pass through memory takes as long as three additions, and each stage waits for the
 * one before it. */
#include "solvers/stages.h"
#include "system/single.h"
#include <math.h>

/* A law under the form F = force + damping dz, dz = free - wear/g. */
typedef struct friction {
    double force, damping, free, wear, g;
} friction;

typedef friction law(const network *net, double x, double v, double z);

ALWAYS_INLINE friction any_law(const network *net, double x, double v, double z) {
    const touch *c = &net->touches[0];
    const bri_input u = {.x = x, .v = v, .n = c->N, .mode = c->mode};
    friction f = {.g = 1.0};
    f.force = bri_model_eval(c->model, c->p, &u, &z, &f.free);
    return f;
}

ALWAYS_INLINE friction lugre_law(const network *net, double x, double v, double z) {
    lugre_parts p = lugre_fixed_eval(&net->single.lugre, net->touches[0].mode, v, z);
    return (friction){p.force, p.damping, v, p.wear, p.g};
}

/* As eliminate(), with g, which comes last, kept apart:
 * u_v = by_x b_x + by_v (b_v + force/m) + by_z b_z + by_dz dz, by_dz = by_z - by_v damping/m. */
ALWAYS_INLINE void finish(network *net, law *eval, double t, const double *y, double *b) {
    const touch *c = &net->touches[0];
    const single *s = &net->single;
    int first = c->a == 0; /* the body is the first end of the contact, or the second */
    double per_mass = net->per_mass[0], force = applied(net, t, y[0], y[1]);
    double dx = y[0] - net->pos[s->far], dv = y[1] - net->vel[s->far];
    friction f = eval(net, first ? dx : -dx, first ? dv : -dv, y[2]);
    double by_dz = s->by_z - s->by_v * ((first ? f.damping : -f.damping) * per_mass);
    double x = b[0] + y[1], v = b[1] + (force - (first ? f.force : -f.force)) * per_mass;
    v = (s->by_x * x + s->by_v * v + s->by_z * b[2] + by_dz * f.free) - by_dz * f.wear / f.g;
    x = (x + v) * s->per_w;
    b[0] = x;
    b[1] = v;
    b[2] = s->per_S * (b[2] + (f.free - f.wear / f.g)) + s->gain_x * x + s->gain_v * v;
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
