/* Smooth Coulomb friction.
 *
 *     F = mu_c N tanh(v/v_d) + kv v
 *     smoothing = 1:  F = mu_c N (1 - exp(-|v|/v_d)) sgn(v) + kv v
 *     smoothing = 2:  F = mu_c N sin(pi/2 clip(v/v_d, -1, 1)) + kv v
 *     clipped = 1:    each with clip(v/v_d, -1, 1), over its value at v_d:
 * tanh(clip(v/v_d))/tanh(1)
 *
 * Pennestri (4), Andersson (9) with k_tanh = 1/v_d. The clipped form reaches mu_c N at v_d exactly;
 * it is the reading of Pennestri's code that fits the printed tables. Pennestri section 2.1 names
 * the exponential (Threlfall 1978) and trigonometric smoothings without giving them; these are the
 * simplest ones. The linear one is coulomb_sat.
 */
#include "models.h"

enum { MU_C, V_D, CLIPPED, SMOOTHING, KV, N_PARAMS };

/* clang-format off */
static const bri_param coulomb_tanh_params[N_PARAMS] = {
    [MU_C]    = ROW_MU_C(0.5),
    [V_D]     = {"v_d", "m/s", 0.05, 1e-9, 1e3, "smoothing velocity", NULL, 0, BRI_ROLE_SMOOTHING},
    [CLIPPED] = {"clipped", "1", 0.0, 0.0, 1.0, "1: clipped and scaled to 1 at v_d", NULL, 1, BRI_ROLE_CHOICE},
    [SMOOTHING] = {"smoothing", "1", 0.0, 0.0, 2.0, "0: tanh, 1: exponential, 2: sine", NULL, 1, BRI_ROLE_CHOICE},
    [KV]      = ROW_KV(0.0),
};
/* clang-format on */

static const double half_pi = 1.57079632679489661923;

/* The curve at r = v/v_d, and its slope in r. */
static double coulomb_tanh_curve(const double *p, double r, double *slope) {
    if (p[SMOOTHING] == 1.0) {
        *slope = exp(-fabs(r));
        return -sign(r) * expm1(-fabs(r));
    }
    if (p[SMOOTHING] == 2.0) {
        *slope = fabs(r) < 1.0 ? half_pi * cos(half_pi * r) : 0.0;
        return sin(half_pi * clamp(r, 1.0));
    }
    double t = tanh(r);
    *slope = 1.0 - t * t;
    return t;
}

/* Force over mu_c N at r = v/v_d, and its slope in r. */
static double coulomb_tanh_shape(const double *p, double r, double *slope) {
    double ignored, shape = coulomb_tanh_curve(p, p[CLIPPED] != 0.0 ? clamp(r, 1.0) : r, slope);
    if (p[CLIPPED] == 0.0) return shape;
    double full = coulomb_tanh_curve(p, 1.0, &ignored);
    *slope = fabs(r) < 1.0 ? *slope / full : 0.0;
    return shape / full;
}

static double coulomb_tanh_eval(const bri_model *self, const double *p, const bri_input *u,
                                const double *z, double *dz) {
    double slope;
    return p[MU_C] * u->n * coulomb_tanh_shape(p, u->v / p[V_D], &slope) + p[KV] * u->v;
}

static void coulomb_tanh_jac(const bri_model *self, const double *p, const bri_input *u,
                             const double *z, double *J) {
    double slope, shape = coulomb_tanh_shape(p, u->v / p[V_D], &slope);
    J[0] = 0.0;
    J[1] = p[MU_C] * u->n * slope / p[V_D] + p[KV];
    J[2] = p[MU_C] * shape;
}

static int coulomb_tanh_motion(const bri_model *self, const double *p, const bri_input *u,
                               const double *z) {
    return fabs(u->v) < p[V_D] ? 0 : (int)sign(u->v);
}

const bri_model bri_coulomb_tanh = {
    .name = "coulomb_tanh",
    .title = "Smooth Coulomb friction (tanh)",
    .equations = "F = mu_c N tanh(v/v_d) + kv v\n"
                 "smoothing = 1: F = mu_c N (1 - exp(-|v|/v_d)) sgn(v) + kv v\n"
                 "smoothing = 2: F = mu_c N sin(pi/2 clip(v/v_d, -1, 1)) + kv v\n"
                 "clipped = 1: mu_c N tanh(clip(v/v_d, -1, 1))/tanh(1), the others likewise",
    .limits = "Creeps under any load; no stiction. Stiff for small v_d.",
    .cite = "Pennestri et al. 2016, eq. (4); Andersson et al. 2007, eq. (9)",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = coulomb_tanh_params,
    .n_params = N_PARAMS,
    .eval = coulomb_tanh_eval,
    .jac = coulomb_tanh_jac,
    .motion = coulomb_tanh_motion,
};
