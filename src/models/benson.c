/* Benson's exponential friction, set-valued at rest.
 *
 *     sliding   F = (mu_c + (mu_s - mu_c) exp(-c |v|)) N sgn(v) + kv v
 *     sticking  F balances the applied force, |F| <= mu_s N
 *
 * Pennestri (3) with the bracket corrected: the print applies sgn(v) to the second term only.
 */
#include "models.h"

enum { MU_C, MU_S, C, KV, N_PARAMS };

/* clang-format off */
static const bri_param benson_params[N_PARAMS] = {
    [MU_C] = ROW_MU_C(0.5),
    [MU_S] = ROW_MU_S(0.6),
    [C]    = {"c", "s/m", 20.0, 1e-3, 1e9, "exponential decay constant, 1/v_s", NULL, 0, BRI_ROLE_STRIBECK_SPEED},
    [KV]   = ROW_KV(0.0),
};
/* clang-format on */

static const char *benson_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double benson_force(const double *p, const bri_input *u, double dF[2]) {
    double slope, mu = stribeck_level(p[MU_C], p[MU_S], 1.0 / p[C], 1.0, speed(u), &slope);
    return set_valued_force(u, mu, slope, p[MU_S], p[KV], dF);
}

static double benson_eval(const bri_model *self, const double *p, const bri_input *u,
                          const double *z, double *dz) {
    double dF[2];
    return benson_force(p, u, dF);
}

static void benson_jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                       double *J) {
    J[0] = 0.0;
    benson_force(p, u, J + 1);
}

static void benson_roots(const bri_model *self, const double *p, const bri_input *u,
                         const double *z, double *g) {
    g[0] = set_valued_root(u, p[MU_S], 0.0);
}

static bri_mode benson_jump(const bri_model *self, const double *p, const bri_input *u, double *z) {
    return set_valued_jump(u, p[MU_S]);
}

const bri_model bri_benson = {
    .name = "benson",
    .title = "Benson's exponential friction, exact stick",
    .equations = "F = (mu_c + (mu_s - mu_c) exp(-c |v|)) N sgn(v) + kv v   for v != 0\n"
                 "F = applied force, |F| <= mu_s N                         for v = 0",
    .limits = "Set-valued at v = 0: needs a solver that handles stick. No pre-sliding, no memory.",
    .cite = "Benson and Hallquist 1990; Pennestri et al. 2016, eq. (3) with the bracket corrected",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig), c = 1/v_Stribeck",
    .load = 196.2,
    .params = benson_params,
    .n_params = N_PARAMS,
    .n_roots = 1,
    .set_valued = 1,
    .check = benson_check,
    .eval = benson_eval,
    .jac = benson_jac,
    .roots = benson_roots,
    .jump = benson_jump,
};
