/* Stribeck curve with a linear ramp through zero.
 *
 *     F = g(v) N sat(k v) + kv v,   g(v) = mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma)
 *
 * Andersson (11) with the bracket corrected: the print lacks the one that closes g.
 */
#include "models.h"

enum { MU_C, MU_S, V_S, GAMMA, K, KV, N_PARAMS };

/* clang-format off */
static const bri_param stribeck_sat_params[N_PARAMS] = {
    [MU_C]  = ROW_MU_C(0.1),
    [MU_S]  = ROW_MU_S(0.15),
    [V_S]   = ROW_V_S(0.01),
    [GAMMA] = ROW_GAMMA(2.0),
    [K]     = {"k", "s/m", 1000.0, 1e-3, 1e9, "slope of the ramp (k_sat)", NULL, 0, BRI_ROLE_SMOOTHING},
    [KV]    = ROW_KV(0.4),
};
/* clang-format on */

static const char *stribeck_sat_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double stribeck_sat_eval(const bri_model *self, const double *p, const bri_input *u,
                                const double *z, double *dz) {
    double g = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], fabs(u->v), NULL);
    return g * u->n * clamp(p[K] * u->v, 1.0) + p[KV] * u->v;
}

static void stribeck_sat_jac(const bri_model *self, const double *p, const bri_input *u,
                             const double *z, double *J) {
    double slope, g = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], fabs(u->v), &slope);
    double kv = p[K] * u->v, ramp = fabs(kv) < 1.0 ? p[K] : 0.0;
    J[0] = 0.0;
    J[1] = u->n * (slope * sign(u->v) * clamp(kv, 1.0) + g * ramp) + p[KV];
    J[2] = g * clamp(kv, 1.0);
}

static int stribeck_sat_motion(const bri_model *self, const double *p, const bri_input *u,
                               const double *z) {
    return fabs(p[K] * u->v) < 1.0 ? 0 : (int)sign(u->v);
}

const bri_model bri_stribeck_sat = {
    .name = "stribeck_sat",
    .title = "Stribeck curve with a linear ramp",
    .equations = "g(v) = mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma)\n"
                 "F = g(v) N sat(k v) + kv v",
    .limits = "Creeps under any load. Stiff for large k.",
    .cite = "Andersson et al. 2007, eq. (11) with the bracket corrected",
    .defaults = "Andersson et al. 2007, table 1 (mu, k); mu_s/mu_c and kv as in Canudas de Wit et "
                "al. 1995, v_s and gamma chosen",
    .load = 9.81,
    .params = stribeck_sat_params,
    .n_params = N_PARAMS,
    .check = stribeck_sat_check,
    .eval = stribeck_sat_eval,
    .jac = stribeck_sat_jac,
    .motion = stribeck_sat_motion,
};
