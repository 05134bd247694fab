/* lugre.h - LuGre under a load that does not change while it slides in one direction: the equations
 * of lugre.c with the constants taken together, for solvers that evaluate it one time after the
 * other. */
#ifndef BRI_LUGRE_H
#define BRI_LUGRE_H

#include "decay.h"
#include "models.h"

typedef struct lugre_fixed {
    double level, rise; /* g(v) = level + rise exp(-(|v|/v_s)^gamma) */
    double per_v_s, gamma;
    double fall; /* |v|/v_s in the units of decay.h is |v| times this */
    double sigma0, sigma1, viscous;
} lugre_fixed;

/* Nonzero if there is such a form: sigma1 must not fade. */
static inline int lugre_fix(const double *p, double n, lugre_fixed *l) {
    enum { MU_C, MU_S, V_S, GAMMA, SIGMA0, SIGMA1, SIGMA2, NU, FADE }; /* as in lugre.c */
    *l = (lugre_fixed){.level = n * p[MU_C],
                       .rise = n * (p[MU_S] - p[MU_C]),
                       .per_v_s = 1.0 / p[V_S],
                       .gamma = p[GAMMA],
                       .fall = DECAY_UNITS / p[V_S],
                       .sigma0 = p[SIGMA0],
                       .sigma1 = p[SIGMA1],
                       .viscous = p[SIGMA2] + p[NU] * n};
    return p[FADE] == 0.0 && n > 1e-30;
}

/* (a/v_s)^gamma in the units of decay.h, a = |v|, and its slope in a, without units. `linear` says
 * that gamma is 1. */
static inline double lugre_fall(const lugre_fixed *l, int linear, double a, double *slope) {
    if (linear) { /* as stribeck_power(), with one factor instead of two */
        double t = a * l->fall;
        *slope = t > -DECAY_UNITS ? l->per_v_s : 0.0;
        return t > -DECAY_UNITS ? t : -DECAY_UNITS;
    }
    double by_r, power = stribeck_power(l->gamma, a * l->per_v_s, &by_r);
    *slope = by_r * l->per_v_s;
    return power * DECAY_UNITS;
}

/* F and dz/dt = v - sigma0 |v| z/g, with the derivatives of both. */
typedef struct lugre_slopes {
    double F, dz, F_v, F_z, dz_v, dz_z;
} lugre_slopes;

static inline lugre_slopes lugre_linearise(const lugre_fixed *l, int linear, decay_place near,
                                           double direction, double v, double z) {
    double a = direction * v, slope, t = lugre_fall(l, linear, a, &slope);
    double tail = decay_from(near, l->rise, t), per_g = 1.0 / (l->level + tail);
    double by_z = l->sigma0 * a, by_v = l->sigma0 * (direction * z), fall = a * tail * slope;
    lugre_slopes s = {.dz = v - by_z * z * per_g,
                      .dz_v = 1.0 - by_v * per_g * (1.0 + fall * per_g),
                      .dz_z = -by_z * per_g};
    s.F = l->sigma0 * z + l->viscous * v + l->sigma1 * s.dz;
    s.F_v = l->sigma1 * s.dz_v + l->viscous;
    s.F_z = l->sigma0 + l->sigma1 * s.dz_z;
    return s;
}

#endif
