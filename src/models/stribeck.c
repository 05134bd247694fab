/* Stribeck friction with viscous part, set-valued at rest.
 *
 *     g(v)      = mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma)
 *     sliding   F = g(v) N sgn(v) + kv v
 *     sticking  F balances the applied force, |F| <= mu_s N
 *
 * Andersson (10); Pennestri (12), the quasi-static LuGre model.
 */
#include "models.h"

enum { MU_C, MU_S, V_S, GAMMA, KV, N_PARAMS };

static const bri_param stribeck_params[N_PARAMS] = {
    [MU_C] = ROW_MU_C(0.5),   [MU_S] = ROW_MU_S(0.6), [V_S] = ROW_V_S(0.05),
    [GAMMA] = ROW_GAMMA(1.0), [KV] = ROW_KV(0.0),
};

static const char *stribeck_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double stribeck_force(const double *p, const bri_input *u, double dF[2]) {
    double slope, mu = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], speed(u), &slope);
    return set_valued_force(u, mu, slope, p[MU_S], p[KV], dF);
}

static double stribeck_eval(const bri_model *self, const double *p, const bri_input *u,
                            const double *z, double *dz) {
    double dF[2];
    return stribeck_force(p, u, dF);
}

static void stribeck_jac(const bri_model *self, const double *p, const bri_input *u,
                         const double *z, double *J) {
    J[0] = 0.0;
    stribeck_force(p, u, J + 1);
}

static void stribeck_roots(const bri_model *self, const double *p, const bri_input *u,
                           const double *z, double *g) {
    g[0] = set_valued_root(u, p[MU_S], 0.0);
}

static bri_mode stribeck_jump(const bri_model *self, const double *p, const bri_input *u,
                              double *z) {
    return set_valued_jump(u, p[MU_S]);
}

const bri_model bri_stribeck = {
    .name = "stribeck",
    .title = "Stribeck curve with exact stick",
    .equations = "g(v) = mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma)\n"
                 "F = g(v) N sgn(v) + kv v                 for v != 0\n"
                 "F = applied force, |F| <= mu_s N         for v = 0",
    .limits = "Set-valued at v = 0: needs a solver that handles stick. No pre-sliding, no memory.",
    .cite = "Andersson et al. 2007, eq. (10); Pennestri et al. 2016, eq. (12)",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = stribeck_params,
    .n_params = N_PARAMS,
    .n_roots = 1,
    .set_valued = 1,
    .check = stribeck_check,
    .eval = stribeck_eval,
    .jac = stribeck_jac,
    .roots = stribeck_roots,
    .jump = stribeck_jump,
};
