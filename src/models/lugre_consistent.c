/* LuGre made consistent with the bristle's force balance.
 *
 *     mu(a) = mu_c + (mu_s - mu_c) exp(-(a/v_s)^gamma) + nu a,   a = |v|
 *     dz/dt = (v mu N - a sigma0 z)/(mu N + a sigma1)
 *     F     = sigma0 z + sigma1 dz/dt
 *
 * Rill (18)-(20): one step of an iteration on the balance F_R(v - dz/dt) = F (Rill (5)), started at
 * dz/dt = 0. Steady sliding gives F = mu(|v|) N sgn(v).
 */
#include "models.h"

enum { MU_C, MU_S, V_S, GAMMA, NU, SIGMA0, SIGMA1, N_PARAMS };

static const bri_param lugre_consistent_params[N_PARAMS] = {
    [MU_C] = ROW_MU_C(0.3),       [MU_S] = ROW_MU_S(0.6), [V_S] = ROW_V_S(0.01),
    [GAMMA] = ROW_GAMMA(1.0),     [NU] = ROW_NU(0.0),     [SIGMA0] = ROW_SIGMA0(3.9e4),
    [SIGMA1] = ROW_SIGMA1(395.0),
};

static const bri_state lugre_consistent_states[] = {{"z", "m", 1e-4, "bristle deflection", 0}};

static const char *lugre_consistent_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

/* mu and its slope in v. Past a reversal with frozen direction the terms that grow with the speed
 * keep |v|: mu N + |v| sigma1 must not pass zero. */
static double lugre_consistent_mu(const double *p, const bri_input *u, double *slope) {
    double mu = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], speed(u), slope);
    *slope = direction(u) * *slope + sign(u->v) * p[NU];
    return mu + p[NU] * fabs(u->v);
}

static double lugre_consistent_eval(const bri_model *self, const double *p, const bri_input *u,
                                    const double *z, double *dz) {
    double slope, level = u->n * lugre_consistent_mu(p, u, &slope);
    dz[0] = (u->v * level - speed(u) * p[SIGMA0] * z[0]) / (level + fabs(u->v) * p[SIGMA1]);
    return p[SIGMA0] * z[0] + p[SIGMA1] * dz[0];
}

static void lugre_consistent_jac(const bri_model *self, const double *p, const bri_input *u,
                                 const double *z, double *J) {
    double slope, a = speed(u), d = direction(u), mu = lugre_consistent_mu(p, u, &slope);
    double s0 = p[SIGMA0], s1 = p[SIGMA1], level = u->n * mu, below = level + fabs(u->v) * s1;
    double dz = (u->v * level - a * s0 * z[0]) / below;
    double dz_v =
        (level + (u->v - dz) * u->n * slope - d * s0 * z[0] - dz * sign(u->v) * s1) / below;
    double dz_n = (u->v - dz) * mu / below, dz_z = -a * s0 / below;
    const double rows[2][4] = {
        {0.0, s1 * dz_v, s1 * dz_n, s0 + s1 * dz_z},
        {0.0, dz_v, dz_n, dz_z},
    };
    PUT_JACOBIAN(J, rows);
}

static double lugre_consistent_step(const bri_model *self, const double *p, const bri_input *u,
                                    double h, double *z) {
    double slope, dz, a = fabs(u->v), level = u->n * lugre_consistent_mu(p, u, &slope);
    double rate = a * p[SIGMA0] / (level + a * p[SIGMA1]);
    z[0] = approach(z[0], direction(u) * level / p[SIGMA0], h * rate);
    return lugre_consistent_eval(self, p, u, z, &dz);
}

static double lugre_consistent_lift(const bri_model *self, const double *p) {
    return relaxation(p[SIGMA0], p[SIGMA1]);
}

static double lugre_consistent_stored(const bri_model *self, const double *p, const bri_input *u,
                                      const double *z, double *grad) {
    return spring_energy(p[SIGMA0], z[0], grad);
}

const bri_model bri_lugre_consistent = {
    .name = "lugre_consistent",
    .title = "LuGre with consistent force balance (Rill)",
    .equations = "mu(a) = mu_c + (mu_s - mu_c) exp(-(a/v_s)^gamma) + nu a,  a = |v|\n"
                 "dz/dt = (v mu N - a sigma0 z)/(mu N + a sigma1)\n"
                 "F = sigma0 z + sigma1 dz/dt",
    .limits = "Handles lift-off, but keeps the drift and the low break-away of lugre.",
    .cite = "Rill et al. 2023, eqs. (18)-(20)",
    .defaults = "Rill et al. 2023, demonstration model 1",
    .load = 9.81,
    .params = lugre_consistent_params,
    .n_params = N_PARAMS,
    .states = lugre_consistent_states,
    .n_states = 1,
    .step_order = 2,
    .check = lugre_consistent_check,
    .eval = lugre_consistent_eval,
    .jac = lugre_consistent_jac,
    .step = lugre_consistent_step,
    .lift = lugre_consistent_lift,
    .stored = lugre_consistent_stored,
};
