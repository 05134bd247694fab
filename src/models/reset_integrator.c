/* Haessig and Friedland's reset integrator.
 *
 *     s0    = mu_c N/sigma0,   a = mu_s/mu_c - 1
 *     ds/dt = 0 where |s| has reached s0 in the direction of motion, else v
 *     F     = (1 + a) sigma0 s + sigma1 ds/dt + kv v   while it sticks
 *     F     = mu_c N sgn(v) + kv v                     once it slides
 *
 * Leus (12)-(17); sigma0, sigma1 are k_t and beta there. Leus gives s0 and a; here they follow from
 * the levels, so that the law scales with the load: Fc = k_t s0, Fs = (1 + a) k_t s0.
 */
#include "models.h"

enum { MU_C, MU_S, SIGMA0, SIGMA1, KV, N_PARAMS };

static const bri_param reset_integrator_params[N_PARAMS] = {
    [MU_C] = ROW_MU_C(0.21838),    [MU_S] = ROW_MU_S(0.29263), [SIGMA0] = ROW_SIGMA0(71.318e6),
    [SIGMA1] = ROW_SIGMA1(4869.0), [KV] = ROW_KV(0.0),
};

static const bri_state reset_integrator_states[] = {{"s", "m", 1e-7, "contact deformation", 0}};

static const char *reset_integrator_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static int reset_integrator_slides(const double *p, const bri_input *u, double s) {
    double d = direction(u);
    return d != 0.0 && !(d * s < p[MU_C] * u->n / p[SIGMA0]); /* NaN shows */
}

static double reset_integrator_eval(const bri_model *self, const double *p, const bri_input *u,
                                    const double *z, double *dz) {
    if (reset_integrator_slides(p, u, z[0])) {
        dz[0] = 0.0;
        return p[MU_C] * u->n * direction(u) + p[KV] * u->v;
    }
    dz[0] = u->v;
    return p[MU_S] / p[MU_C] * p[SIGMA0] * z[0] + (p[SIGMA1] + p[KV]) * u->v;
}

static void reset_integrator_jac(const bri_model *self, const double *p, const bri_input *u,
                                 const double *z, double *J) {
    const double sliding[2][4] = {{0.0, p[KV], p[MU_C] * direction(u), 0.0}, {0.0, 0.0, 0.0, 0.0}};
    const double sticking[2][4] = {{0.0, p[SIGMA1] + p[KV], 0.0, p[MU_S] / p[MU_C] * p[SIGMA0]},
                                   {0.0, 1.0, 0.0, 0.0}};
    memcpy(J, reset_integrator_slides(p, u, z[0]) ? sliding : sticking, sizeof sliding);
}

static double reset_integrator_step(const bri_model *self, const double *p, const bri_input *u,
                                    double h, double *z) {
    double dz;
    z[0] = clamp(z[0] + h * u->v, p[MU_C] * u->n / p[SIGMA0]);
    return reset_integrator_eval(self, p, u, z, &dz);
}

static double reset_integrator_lift(const bri_model *self, const double *p) {
    return relaxation(p[SIGMA0], p[SIGMA1]);
}

static double reset_integrator_stored(const bri_model *self, const double *p, const bri_input *u,
                                      const double *z, double *grad) {
    return spring_energy(p[MU_S] / p[MU_C] * p[SIGMA0], z[0], grad);
}

static void reset_integrator_roots(const bri_model *self, const double *p, const bri_input *u,
                                   const double *z, double *g) {
    g[0] = p[MU_C] * u->n / p[SIGMA0] - fabs(z[0]);
}

/* Located to rounding only: put the deformation on its limit, so that the law sees it slide. */
static bri_mode reset_integrator_jump(const bri_model *self, const double *p, const bri_input *u,
                                      double *z) {
    double s0 = p[MU_C] * u->n / p[SIGMA0];
    if (fabs(z[0]) > (1.0 - 1e-6) * s0) z[0] = sign(z[0]) * s0;
    return u->mode;
}

const bri_model bri_reset_integrator = {
    .name = "reset_integrator",
    .title = "Reset integrator (Haessig and Friedland)",
    .equations = "ds/dt = 0 where |s| has reached mu_c N/sigma0 in the direction of v, else v\n"
                 "F = (mu_s/mu_c) sigma0 s + sigma1 ds/dt + kv v   while it sticks\n"
                 "F = mu_c N sgn(v) + kv v                         once it slides",
    .limits = "The force drops at once from static to sliding level: an event for the solver. No "
              "Stribeck curve.",
    .cite = "Haessig & Friedland 1991; Leus et al., eqs. (12)-(17)",
    .defaults =
        "Leus et al., parameters of section Results: k_t s0 = 7.845 N and a = 0.34 at 35.92 N",
    .load = 35.924,
    .params = reset_integrator_params,
    .n_params = N_PARAMS,
    .states = reset_integrator_states,
    .n_states = 1,
    .step_order = 2,
    .n_roots = 1,
    .check = reset_integrator_check,
    .eval = reset_integrator_eval,
    .jac = reset_integrator_jac,
    .step = reset_integrator_step,
    .lift = reset_integrator_lift,
    .stored = reset_integrator_stored,
    .roots = reset_integrator_roots,
    .jump = reset_integrator_jump,
};
