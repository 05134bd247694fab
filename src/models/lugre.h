/* lugre.h - LuGre under a load that does not change: the equations of lugre.c with the constants
 * taken together, for solvers that evaluate it one time after the other. */
#ifndef BRI_LUGRE_H
#define BRI_LUGRE_H

#include "models.h"

typedef struct lugre_fixed {
    double level, rise; /* g(v) = level + rise exp(-(|v|/v_s)^gamma) */
    double per_v_s, gamma;
    double sigma0, sigma1, viscous;
    int fades; /* nonzero: sigma1 fades with the Stribeck curve */
} lugre_fixed;

static inline lugre_fixed lugre_fix(const double *p, double n) {
    enum { MU_C, MU_S, V_S, GAMMA, SIGMA0, SIGMA1, SIGMA2, NU, FADE }; /* as in lugre.c */
    return (lugre_fixed){.level = n * p[MU_C],
                         .rise = n * (p[MU_S] - p[MU_C]),
                         .per_v_s = 1.0 / p[V_S],
                         .gamma = p[GAMMA],
                         .sigma0 = p[SIGMA0],
                         .sigma1 = p[SIGMA1],
                         .viscous = p[SIGMA2] + p[NU] * n,
                         .fades = p[FADE] != 0.0};
}

/* F = force + damping dz/dt, dz/dt = v - wear/g: in parts, because most of what a solver makes of
 * them can be made before the exponential in g is known. */
typedef struct lugre_parts {
    double force, damping, wear, g;
} lugre_parts;

static inline lugre_parts lugre_fixed_eval(const lugre_fixed *l, bri_mode mode, double v,
                                           double z) {
    double a = speed(&(bri_input){.v = v, .mode = mode});
    double e = exp(-stribeck_power(l->gamma, a * l->per_v_s, NULL));
    return (lugre_parts){.force = l->sigma0 * z + l->viscous * v,
                         .damping = l->fades ? l->sigma1 * e : l->sigma1,
                         .wear = l->sigma0 * (a * z),
                         .g = l->level + l->rise * e};
}

/* dz/dt and F, with the derivatives d(F, dz)/d(v, z). */
static inline double lugre_fixed_linearise(const lugre_fixed *l, bri_mode mode, double v, double z,
                                           double *dz, double J[4]) {
    const bri_input u = {.v = v, .mode = mode};
    double a = speed(&u), power_r, e = exp(-stribeck_power(l->gamma, a * l->per_v_s, &power_r));
    double g = l->level + l->rise * e, de = e > 0.0 ? -e * power_r * l->per_v_s : 0.0;
    double per_g = 1.0 / g, rate = l->sigma0 * per_g, r = rate * z;
    double damping = l->fades ? l->sigma1 * e : l->sigma1;
    *dz = v - a * r;
    J[2] = 1.0 - direction(&u) * r * (1.0 - a * (l->rise * de) * per_g);
    J[3] = -a * rate;
    J[0] = damping * J[2] + l->viscous;
    if (l->fades) J[0] += l->sigma1 * de * direction(&u) * *dz;
    J[1] = l->sigma0 + damping * J[3];
    return l->sigma0 * z + l->viscous * v + damping * *dz;
}

#endif
