/* models.h - the list of laws and the mathematics that several of them share. */
#ifndef BRI_MODELS_H
#define BRI_MODELS_H

#include "bristle.h"
#include <math.h>
#include <string.h>

/* Law files and steps by their names. */
#ifndef BRI_LAW
#define BRI_LAW(name) bri_law_##name
#endif

/* All laws in their order: those of laws/, whose C is generated, and those of this folder. */
extern const bri_model *const bri_law_table[];
extern const int bri_law_table_count;

extern const bri_model bri_karnopp, bri_bristle_implicit, bri_haessig_friedland;

/* Files that fast paths of the solvers know: sim/lugre_attempt.c, levels in
 * system/stepping_build.c. */
extern const bri_model BRI_LAW(coulomb), BRI_LAW(stribeck), BRI_LAW(benson), BRI_LAW(lugre);

/* ---- rows that many parameter tables have ------------------------------------------------ */

/* clang-format off */
#define ROW_MU_C(def)   {"mu_c",   "1",     (def), 1e-6, 1e6,  "sliding friction coefficient", "Fc", 0, BRI_ROLE_LEVEL}
#define ROW_MU_S(def)   {"mu_s",   "1",     (def), 1e-6, 1e6,  "static friction coefficient, mu_s >= mu_c", "Fs", 0, BRI_ROLE_STATIC_LEVEL}
#define ROW_V_S(def)    {"v_s",    "m/s",   (def), 1e-9, 1e3,  "Stribeck velocity", NULL, 0, BRI_ROLE_STRIBECK_SPEED}
#define ROW_GAMMA(def)  {"gamma",  "1",     (def), 0.1,  20.0, "exponent of the Stribeck curve", NULL, 0, BRI_ROLE_STRIBECK_EXPONENT}
#define ROW_SIGMA0(def) {"sigma0", "N/m",   (def), 1e-3, 1e12, "bristle stiffness", NULL, 0, BRI_ROLE_STIFFNESS}
#define ROW_SIGMA1(def) {"sigma1", "N s/m", (def), 0.0,  1e9,  "bristle damping", NULL, 0, BRI_ROLE_DAMPING}
#define ROW_SIGMA1_POSITIVE(def) \
                        {"sigma1", "N s/m", (def), 1e-9, 1e9,  "bristle damping, > 0", NULL, 0, BRI_ROLE_DAMPING}
#define ROW_SIGMA2(def) {"sigma2", "N s/m", (def), 0.0,  1e9,  "viscous coefficient", NULL, 0, BRI_ROLE_VISCOUS}
#define ROW_KV(def)     {"kv",     "N s/m", (def), 0.0,  1e9,  "viscous coefficient", NULL, 0, BRI_ROLE_VISCOUS}
#define ROW_NU(def)     {"nu",     "s/m",   (def), 0.0,  1e6,  "viscous coefficient per unit load", NULL, 0, BRI_ROLE_VISCOUS_PER_LOAD}
/* clang-format on */

#define MU_S_BELOW_MU_C "mu_s must be >= mu_c"

/* Contacts whose law has a direction (directed.c): nonzero, and *inner is the same batch with the
 * law inside; then from its forces those of the law with a direction. */
int bri_batch_inside(const bri_batch *b, bri_batch *inner);
void bri_batch_direct(const bri_batch *b, double *F);

/* The step of a law that brings none, linearly implicit Euler: model.c. */
double bri_implicit_step(const bri_model *m, const double *p, const bri_input *u, double h,
                         double *z);

/* Columns first, first + 1, ... of bri_model_params_jac() by differences: model.c. */
void bri_params_by_differences(const bri_model *m, const double *p, const bri_input *u,
                               const double *z, int first, double *D);

/* ---- signs and clips --------------------------------------------------------------------- */

static inline double sign(double v) { return (double)((v > 0.0) - (v < 0.0)); }

static inline double clamp(double x, double limit) {
    return x > limit ? limit : x < -limit ? -limit : x;
}

/* Direction of motion, -1, 0 or +1: that of v, or the one frozen by the solver. */
static inline double direction(const bri_input *u) {
    return u->mode == BRI_SLIDE_POS || u->mode == BRI_SLIDE_NEG ? (double)u->mode : sign(u->v);
}

/* |v|; with a frozen direction it goes on smoothly below zero. */
static inline double speed(const bri_input *u) {
    return u->mode == BRI_SLIDE_POS ? u->v : u->mode == BRI_SLIDE_NEG ? -u->v : fabs(u->v);
}

/* Nonzero if the contact is open. A load below 1e-30 N is none, so that no quotient by it leaves
 * the range of a double. A load that is no number is not none: it shows in the force. */
static inline int lifted_off(const bri_input *u) { return u->n < 1e-30; }

/* ---- the Stribeck curve ------------------------------------------------------------------ */

/* r^gamma for r = a/v_s >= 0, and its slope in r. Below zero (frozen direction) the curve goes on
 * as smoothly as gamma allows. For gamma < 1 the slope is infinite at 0: below r = 1e-12 it is let
 * fall to 0. */
static inline double stribeck_power(double gamma, double r, double *slope) {
    double power, dpower;
    if (gamma == 2.0) {
        power = r * r;
        dpower = 2.0 * r;
    } else if (gamma == 1.0) {
        power = r > -1.0 ? r : -1.0;
        dpower = r > -1.0 ? 1.0 : 0.0;
    } else if (r > 0.0) {
        power = pow(r, gamma);
        dpower = gamma * power / fmax(r, 1e-12);
    } else {
        power = dpower = 0.0;
    }
    if (slope) *slope = dpower;
    return power;
}

/* exp(-(a/v_s)^gamma) and its slope in a. */
static inline double decay(double v_s, double gamma, double a, double *slope) {
    double dpower, power = stribeck_power(gamma, a / v_s, &dpower);
    double e = power < 746.0 ? exp(-power) : 0.0; /* the same, without the report of underflow */
    if (slope) *slope = e > 0.0 ? -e * dpower / v_s : 0.0;
    return e;
}

/* mu_c + (mu_s - mu_c) exp(-(a/v_s)^gamma), a = |v|: the Stribeck level per unit load. */
static inline double stribeck_level(double mu_c, double mu_s, double v_s, double gamma, double a,
                                    double *slope) {
    double e = decay(v_s, gamma, a, slope);
    if (slope) *slope *= mu_s - mu_c;
    return mu_c + (mu_s - mu_c) * e;
}

/* ---- bristles ---------------------------------------------------------------------------- */

/* Relaxation time of a bristle in the air, sigma1/sigma0 (Rill (6)); a bristle without damping
 * snaps back, within a microsecond so that its rate stays finite. */
static inline double relaxation(double sigma0, double sigma1) {
    return fmax(sigma1 / sigma0, 1e-6);
}

/* With dz/dt = r + b (z - z0), z(h) = z0 + r h gain(b h), and its mean over h is z0 + r h
 * mean_gain(b h). A rate that grows without limit (b > 0) is cut off far beyond anything that means
 * something.
 */
static inline double law_gain(double x) {
    x = x > 300.0 ? 300.0 : x;
    return fabs(x) > 1e-300 ? expm1(x) / x : 1.0;
}

/* The same where the target z0 - r/b is known, with fewer operations. */
static inline double law_approach(double z, double target, double x) {
    x = x > 300.0 ? 300.0 : x;
    return z - (target - z) * expm1(x);
}

/* The same for x <= 0. */
static inline double law_settle(double z, double target, double x) {
    return z - (target - z) * expm1(x);
}

static inline double law_mean_gain(double x) { /* (gain - 1)/x */
    x = x > 300.0 ? 300.0 : x;
    if (fabs(x) > 0.02) return (expm1(x) / x - 1.0) / x;
    double tail = 1.0 / 120.0 + x * (1.0 / 720.0 + x * (1.0 / 5040.0 + x / 40320.0));
    return 1.0 / 2.0 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * tail));
}

/* The exponential of both, and the slope of the gain. */
static inline double law_expm1(double x) { return expm1(x > 300.0 ? 300.0 : x); }

static inline double law_gain_slope(double x) {
    return x > 300.0 ? 0.0 : law_gain(x) - law_mean_gain(x);
}

/* z(h) of dz/dt = (target - z) rate, written so that a small rate * h loses no digits. */
static inline double approach(double z, double target, double rate_h) {
    return z - (target - z) * expm1(-rate_h);
}

/* Energy of a spring k stretched by z, and its slope: what most laws store. */
static inline double spring_energy(double k, double z, double *slope) {
    *slope = k * z;
    return 0.5 * k * z * z;
}

/* Write a Jacobian that is a small constant-size array. */
#define PUT_JACOBIAN(J, rows) memcpy((J), (rows), sizeof(rows))

/* ---- set-valued laws ------------------------------------------------------------------------ */

/* Direction of sliding of a set-valued law, 0 if it sticks. */
static inline double slides(const bri_input *u) {
    return u->mode == BRI_STUCK ? 0.0 : direction(u);
}

/* F and its derivatives in v and n, from the level while sliding, mu(|v|) with its slope, the
 * static coefficient and the viscous coefficient. */
static inline double set_valued_force(const bri_input *u, double mu, double slope, double mu_s,
                                      double kv, double dF[2]) {
    double d = slides(u);
    if (d != 0.0) {
        dF[0] = u->n * slope + kv;
        dF[1] = d * mu;
        return d * mu * u->n + kv * u->v;
    }
    double F = clamp(u->fa, mu_s * u->n);
    dF[0] = 0.0;
    dF[1] = F == u->fa ? 0.0 : sign(u->fa) * mu_s;
    return F;
}

/* Sliding ends when v returns to zero (or to the edge of a band around it); sticking ends when the
 * force that would hold the contact exceeds the static level. */
static inline double set_valued_root(const bri_input *u, double mu_s, double band) {
    double d = slides(u);
    return d != 0.0 ? d * u->v - band : mu_s * u->n - fabs(u->fa);
}

static inline bri_mode set_valued_jump(const bri_input *u, double mu_s) {
    if (fabs(u->fa) < mu_s * u->n) return BRI_STUCK;
    return u->fa > 0.0 ? BRI_SLIDE_POS : u->fa < 0.0 ? BRI_SLIDE_NEG : BRI_STUCK;
}

#endif
