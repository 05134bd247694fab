/* Regularised friction characteristic of Rill.
 *
 *     |v| < v_r    F = mu_s N (v/v_r) (2 - |v|/v_r)
 *     otherwise    F = mu(|v| - v_r) N sgn(v),
 *                  mu(a) = mu_c + (mu_s - mu_c) exp(-(a/v_s)^gamma) + nu a
 *
 * Rill (3), (4), (21); v_s and gamma are v_A and alpha there.
 */
#include "models.h"

/* clang-format off */
static const bri_param regularized_params[REG_COUNT] = {
    [REG_MU_C]  = ROW_MU_C(0.3),
    [REG_MU_S]  = ROW_MU_S(0.6),
    [REG_V_S]   = ROW_V_S(0.01),
    [REG_GAMMA] = ROW_GAMMA(1.0),
    [REG_NU]    = ROW_NU(0.0),
    [REG_V_R]   = {"v_r", "m/s", 0.001, 1e-12, 1e3, "half width of the parabola through zero", NULL, 0, BRI_ROLE_SMOOTHING},
};
/* clang-format on */

static const char *regularized_check(const bri_model *self, const double *p) {
    return p[REG_MU_S] < p[REG_MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double regularized_eval(const bri_model *self, const double *p, const bri_input *u,
                               const double *z, double *dz) {
    double slope;
    return u->n * regularized_mu(p, u->v, &slope);
}

static void regularized_jac(const bri_model *self, const double *p, const bri_input *u,
                            const double *z, double *J) {
    J[0] = 0.0;
    J[2] = regularized_mu(p, u->v, &J[1]);
    J[1] *= u->n;
}

static int regularized_motion(const bri_model *self, const double *p, const bri_input *u,
                              const double *z) {
    return fabs(u->v) < p[REG_V_R] ? 0 : (int)sign(u->v);
}

const bri_model bri_regularized = {
    .name = "regularized",
    .title = "Regularised curve with parabola (Rill)",
    .equations = "F = mu_s N (v/v_r)(2 - |v|/v_r)       for |v| < v_r\n"
                 "F = mu(|v| - v_r) N sgn(v)            otherwise\n"
                 "mu(a) = mu_c + (mu_s - mu_c) exp(-(a/v_s)^gamma) + nu a",
    .limits = "Creeps under load: v = v_r (1 - sqrt(1 - F/(mu_s N))).",
    .cite = "Rill et al. 2023, eqs. (3), (4), (21)",
    .defaults = "Rill et al. 2023, demonstration model 1",
    .load = 9.81,
    .params = regularized_params,
    .n_params = REG_COUNT,
    .check = regularized_check,
    .eval = regularized_eval,
    .jac = regularized_jac,
    .motion = regularized_motion,
};
