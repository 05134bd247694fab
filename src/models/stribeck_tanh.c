/* Smooth Stribeck curve.
 *
 *     F = g(v) N tanh(k v) + kv v,   g(v) = mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma)
 *
 * Andersson (12), the law that paper recommends where the final position does not matter.
 */
#include "models.h"

enum { MU_C, MU_S, V_S, GAMMA, K, KV, N_PARAMS };

/* clang-format off */
static const bri_param stribeck_tanh_params[N_PARAMS] = {
    [MU_C]  = ROW_MU_C(0.1),
    [MU_S]  = ROW_MU_S(0.15),
    [V_S]   = ROW_V_S(0.01),
    [GAMMA] = ROW_GAMMA(2.0),
    [K]     = {"k", "s/m", 1000.0, 1e-3, 1e9, "slope through zero (k_tanh)", NULL, 0, BRI_ROLE_SMOOTHING},
    [KV]    = ROW_KV(0.4),
};
/* clang-format on */

static const char *stribeck_tanh_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double stribeck_tanh_eval(const bri_model *self, const double *p, const bri_input *u,
                                 const double *z, double *dz) {
    double g = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], fabs(u->v), NULL);
    return g * u->n * tanh(p[K] * u->v) + p[KV] * u->v;
}

static void stribeck_tanh_jac(const bri_model *self, const double *p, const bri_input *u,
                              const double *z, double *J) {
    double slope, g = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], fabs(u->v), &slope);
    double t = tanh(p[K] * u->v);
    J[0] = 0.0;
    J[1] = u->n * (slope * sign(u->v) * t + g * (1.0 - t * t) * p[K]) + p[KV];
    J[2] = g * t;
}

static int stribeck_tanh_motion(const bri_model *self, const double *p, const bri_input *u,
                                const double *z) {
    return fabs(p[K] * u->v) < 1.0 ? 0 : (int)sign(u->v);
}

const bri_model bri_stribeck_tanh = {
    .name = "stribeck_tanh",
    .title = "Smooth Stribeck curve (tanh)",
    .equations = "g(v) = mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma)\n"
                 "F = g(v) N tanh(k v) + kv v",
    .limits = "Creeps under any load; the peak stays below mu_s N unless k v_s >> 1.",
    .cite = "Andersson et al. 2007, eq. (12)",
    .defaults = "Andersson et al. 2007, table 1 (mu, k); mu_s/mu_c and kv as in Canudas de Wit et "
                "al. 1995, v_s and gamma chosen",
    .load = 9.81,
    .params = stribeck_tanh_params,
    .n_params = N_PARAMS,
    .check = stribeck_tanh_check,
    .eval = stribeck_tanh_eval,
    .jac = stribeck_tanh_jac,
    .motion = stribeck_tanh_motion,
};
