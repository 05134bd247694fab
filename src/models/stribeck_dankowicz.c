/* Andersson's combined model: Dankowicz micro-slip, Stribeck curve and viscous part.
 *
 *     dz/dt = v - |v| z/delta
 *     F     = g(v) N z/delta + kv v,   g(v) = mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma)
 *
 * Andersson (20) (gamma is i there), the law that paper recommends where the final position
 * matters.
 */
#include "models.h"

enum { MU_C, MU_S, V_S, GAMMA, DELTA, KV, N_PARAMS };

/* clang-format off */
static const bri_param stribeck_dankowicz_params[N_PARAMS] = {
    [MU_C]  = ROW_MU_C(0.1),
    [MU_S]  = ROW_MU_S(0.15),
    [V_S]   = ROW_V_S(0.01),
    [GAMMA] = ROW_GAMMA(2.0),
    [DELTA] = {"delta", "m", 1e-5, 1e-12, 1e3, "micro-slip displacement", NULL, 0, BRI_ROLE_DEFLECTION},
    [KV]    = ROW_KV(0.4),
};
/* clang-format on */

static const bri_state stribeck_dankowicz_states[] = {{"z", "m", 1e-5, "micro-slip variable", 0}};

static const char *stribeck_dankowicz_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double stribeck_dankowicz_force(const double *p, const bri_input *u, double z) {
    double g = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], speed(u), NULL);
    return g * u->n * (z / p[DELTA]) + p[KV] * u->v;
}

static double stribeck_dankowicz_eval(const bri_model *self, const double *p, const bri_input *u,
                                      const double *z, double *dz) {
    dz[0] = u->v - speed(u) * (z[0] / p[DELTA]);
    return stribeck_dankowicz_force(p, u, z[0]);
}

static void stribeck_dankowicz_jac(const bri_model *self, const double *p, const bri_input *u,
                                   const double *z, double *J) {
    double slope, g = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], speed(u), &slope);
    double r = z[0] / p[DELTA], d = direction(u);
    const double rows[2][4] = {
        {0.0, u->n * slope * d * r + p[KV], g * r, g * u->n / p[DELTA]},
        {0.0, 1.0 - d * r, 0.0, -speed(u) / p[DELTA]},
    };
    PUT_JACOBIAN(J, rows);
}

static double stribeck_dankowicz_step(const bri_model *self, const double *p, const bri_input *u,
                                      double h, double *z) {
    z[0] = approach(z[0], direction(u) * p[DELTA], h * fabs(u->v) / p[DELTA]);
    return stribeck_dankowicz_force(p, u, z[0]);
}

static double stribeck_dankowicz_lift(const bri_model *self, const double *p) { return 1e-6; }

const bri_model bri_stribeck_dankowicz = {
    .name = "stribeck_dankowicz",
    .title = "Stribeck curve on Dankowicz's micro-slip",
    .equations = "g(v) = mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma)\n"
                 "dz/dt = v - |v| z/delta\n"
                 "F = g(v) N z/delta + kv v",
    .limits = "The pre-sliding stiffness falls with speed, so no elastic energy is defined; drifts "
              "under an oscillating load; undamped while it sticks, except by kv.",
    .cite = "Andersson et al. 2007, eq. (20)",
    .defaults = "Andersson et al. 2007, table 1 (mu, delta); mu_s/mu_c and kv as in Canudas de Wit "
                "et al. 1995, v_s and gamma chosen",
    .load = 9.81,
    .params = stribeck_dankowicz_params,
    .n_params = N_PARAMS,
    .states = stribeck_dankowicz_states,
    .n_states = 1,
    .step_order = 2,
    .check = stribeck_dankowicz_check,
    .eval = stribeck_dankowicz_eval,
    .jac = stribeck_dankowicz_jac,
    .step = stribeck_dankowicz_step,
    .lift = stribeck_dankowicz_lift,
};
