/* Coulomb friction with a static level: three modes, exact stick.
 *
 *     sliding   F = mu_c N sgn(v) + kv v
 *     sticking  F = whatever balances the applied force, |F| <= mu_s N
 *
 * Pennestri (1), Andersson (2), Olsson & Astrom section 2. The force at v = 0 is not a function of
 * v: a solver holds the contact (BRI_STUCK) and passes the balancing force as fa.
 */
#include "models.h"

enum { MU_C, MU_S, KV, N_PARAMS };

static const bri_param coulomb_params[N_PARAMS] = {
    [MU_C] = ROW_MU_C(0.5),
    [MU_S] = ROW_MU_S(0.6),
    [KV] = ROW_KV(0.0),
};

static const char *coulomb_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double coulomb_eval(const bri_model *self, const double *p, const bri_input *u,
                           const double *z, double *dz) {
    double dF[2];
    return set_valued_force(u, p[MU_C], 0.0, p[MU_S], p[KV], dF);
}

static void coulomb_jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                        double *J) {
    J[0] = 0.0;
    set_valued_force(u, p[MU_C], 0.0, p[MU_S], p[KV], J + 1);
}

static void coulomb_roots(const bri_model *self, const double *p, const bri_input *u,
                          const double *z, double *g) {
    g[0] = set_valued_root(u, p[MU_S], 0.0);
}

static bri_mode coulomb_jump(const bri_model *self, const double *p, const bri_input *u,
                             double *z) {
    return set_valued_jump(u, p[MU_S]);
}

const bri_model bri_coulomb = {
    .name = "coulomb",
    .title = "Coulomb friction with exact stick",
    .equations = "F = mu_c N sgn(v) + kv v                for v != 0\n"
                 "F = applied force, |F| <= mu_s N         for v = 0",
    .limits = "Set-valued at v = 0: needs a solver that handles stick. No pre-sliding, no Stribeck "
              "curve, no memory.",
    .cite = "Pennestri et al. 2016, eq. (1); Andersson et al. 2007, eq. (2)",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = coulomb_params,
    .n_params = N_PARAMS,
    .n_roots = 1,
    .set_valued = 1,
    .check = coulomb_check,
    .eval = coulomb_eval,
    .jac = coulomb_jac,
    .roots = coulomb_roots,
    .jump = coulomb_jump,
};
