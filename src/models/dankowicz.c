/* Dankowicz's model: Dahl with exponent 1, parameterised by the micro-slip displacement.
 *
 *     dz/dt = v - |v| z/delta
 *     F     = mu_c N z/delta + kv v
 *
 * Andersson (13). delta = Fc/sigma0 in Dahl's notation; here the stiffness grows with the load.
 */
#include "models.h"

enum { MU_C, DELTA, KV, N_PARAMS };

/* clang-format off */
static const bri_param dankowicz_params[N_PARAMS] = {
    [MU_C]  = ROW_MU_C(0.1),
    [DELTA] = {"delta", "m", 1e-5, 1e-12, 1e3, "micro-slip displacement", NULL, 0, BRI_ROLE_DEFLECTION},
    [KV]    = ROW_KV(0.0),
};
/* clang-format on */

static const bri_state dankowicz_states[] = {{"z", "m", 1e-5, "micro-slip variable", 0}};

static double dankowicz_eval(const bri_model *self, const double *p, const bri_input *u,
                             const double *z, double *dz) {
    dz[0] = u->v - speed(u) * (z[0] / p[DELTA]);
    return p[MU_C] * u->n * (z[0] / p[DELTA]) + p[KV] * u->v;
}

static void dankowicz_jac(const bri_model *self, const double *p, const bri_input *u,
                          const double *z, double *J) {
    double r = z[0] / p[DELTA], c = p[MU_C] / p[DELTA];
    const double rows[2][4] = {
        {0.0, p[KV], p[MU_C] * r, c * u->n},
        {0.0, 1.0 - direction(u) * r, 0.0, -speed(u) / p[DELTA]},
    };
    PUT_JACOBIAN(J, rows);
}

static double dankowicz_step(const bri_model *self, const double *p, const bri_input *u, double h,
                             double *z) {
    z[0] = approach(z[0], direction(u) * p[DELTA], h * fabs(u->v) / p[DELTA]);
    return p[MU_C] * u->n * (z[0] / p[DELTA]) + p[KV] * u->v;
}

static double dankowicz_lift(const bri_model *self, const double *p) { return 1e-6; }

static double dankowicz_stored(const bri_model *self, const double *p, const bri_input *u,
                               const double *z, double *grad) {
    return spring_energy(p[MU_C] * u->n / p[DELTA], z[0], grad);
}

const bri_model bri_dankowicz = {
    .name = "dankowicz",
    .title = "Dankowicz's micro-slip model",
    .equations = "dz/dt = v - |v| z/delta\n"
                 "F = mu_c N z/delta + kv v",
    .limits = "As dahl: no static peak, undamped ringing while it sticks.",
    .cite = "Dankowicz 1999; Andersson et al. 2007, eq. (13)",
    .defaults = "Andersson et al. 2007, table 1",
    .load = 9.81,
    .params = dankowicz_params,
    .n_params = N_PARAMS,
    .states = dankowicz_states,
    .n_states = 1,
    .step_order = 2,
    .eval = dankowicz_eval,
    .jac = dankowicz_jac,
    .step = dankowicz_step,
    .lift = dankowicz_lift,
    .stored = dankowicz_stored,
};
