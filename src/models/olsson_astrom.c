/* The slip-variable model of Olsson and Astrom.
 *
 *     tau_del ds/dt = -s + f(v),   f(v) = 1 - exp(-(v/v_s)^2)
 *     dxi/dt        = (1 - s) v - s xi/tau_r
 *     F             = (1 - s) clamp(sigma0 xi + sigma1 v, +-mu_s N) + s (mu_c N sgn(v) + kv v)
 *
 * Olsson & Astrom (1)-(5); sigma0, sigma1, xi and kv are k_s, d_s, x and F_v0 there. Static curve:
 * s = f(v), xi = tau_r v (1 - f)/f. The jump of sgn(v), of weight s, is blended over +-v_e so that
 * a body pressed against v = 0 finds its balance there (a sliding mode of the original).
 */
#include "models.h"

enum { MU_C, MU_S, V_S, SIGMA0, SIGMA1, KV, TAU_DEL, TAU_R, V_E, N_PARAMS };

/* clang-format off */
static const bri_param olsson_astrom_params[N_PARAMS] = {
    [MU_C]    = ROW_MU_C(1.0),
    [MU_S]    = {"mu_s", "1", 1.5, 1e-6, 1e6, "static friction coefficient", "Fs", 0, BRI_ROLE_STATIC_LEVEL},
    [V_S]     = ROW_V_S(0.04),
    [SIGMA0]  = ROW_SIGMA0(1e4),
    [SIGMA1]  = ROW_SIGMA1(1100.0),
    [KV]      = ROW_KV(0.6),
    [TAU_DEL] = {"tau_del", "s", 0.01, 1e-9, 1e6, "time constant of the slip variable", NULL, 0, BRI_ROLE_LAG_TIME},
    [TAU_R]   = {"tau_r", "s", 0.001, 1e-9, 1e6, "time constant of the bristle while slipping", NULL, 0, BRI_ROLE_RELAXATION_TIME},
    [V_E]     = {"v_e", "m/s", 1e-7, 1e-15, 1e3, "velocity over which sgn(v) is blended", NULL, 0, BRI_ROLE_SIGN_BLEND},
};
/* clang-format on */

static const bri_state olsson_astrom_states[] = {
    {"s", "1", 1.0, "slip variable, 0 stick to 1 slip", 1},
    {"xi", "m", 1e-4, "displacement in stiction", 0},
};

static const char *olsson_astrom_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double olsson_astrom_eval(const bri_model *self, const double *p, const bri_input *u,
                                 const double *z, double *dz) {
    double s = z[0], xi = z[1], v = u->v;
    double f = 1.0 - decay(p[V_S], 2.0, v, NULL);
    dz[0] = (f - s) / p[TAU_DEL];
    dz[1] = (1.0 - s) * v - s * xi / p[TAU_R];
    return (1.0 - s) * clamp(p[SIGMA0] * xi + p[SIGMA1] * v, p[MU_S] * u->n) +
           s * (p[MU_C] * u->n * clamp(v / p[V_E], 1.0) + p[KV] * v);
}

static void olsson_astrom_jac(const bri_model *self, const double *p, const bri_input *u,
                              const double *z, double *J) {
    double s = z[0], xi = z[1], v = u->v, d = clamp(v / p[V_E], 1.0), de;
    decay(p[V_S], 2.0, v, &de);
    double spring = p[SIGMA0] * xi + p[SIGMA1] * v, level = p[MU_S] * u->n;
    int free = fabs(spring) < level;
    double ramp = fabs(v) < p[V_E] ? p[MU_C] * u->n / p[V_E] : 0.0;
    double stick = clamp(spring, level), slip = p[MU_C] * u->n * d + p[KV] * v;
    const double rows[3][5] = {
        {0.0, (free ? (1.0 - s) * p[SIGMA1] : 0.0) + s * (ramp + p[KV]),
         (free ? 0.0 : (1.0 - s) * sign(spring) * p[MU_S]) + s * p[MU_C] * d, slip - stick,
         free ? (1.0 - s) * p[SIGMA0] : 0.0},
        {0.0, -de / p[TAU_DEL], 0.0, -1.0 / p[TAU_DEL], 0.0},
        {0.0, 1.0 - s, 0.0, -v - xi / p[TAU_R], -s / p[TAU_R]},
    };
    PUT_JACOBIAN(J, rows);
}

/* s is exact while v is held; xi is exact for the mean of s over the step. */
static double olsson_astrom_step(const bri_model *self, const double *p, const bri_input *u,
                                 double h, double *z) {
    double f = 1.0 - decay(p[V_S], 2.0, u->v, NULL), dz[2], before = z[0];
    double gain = -expm1(-h / p[TAU_DEL]) * p[TAU_DEL] / h; /* mean of exp(-t/tau_del) */
    z[0] = approach(before, f, h / p[TAU_DEL]);
    double s = fmax(0.0, f + (before - f) * gain), rate_h = s * h / p[TAU_R];
    double share = rate_h > 0.0 ? -expm1(-rate_h) / rate_h : 1.0;
    z[1] = z[1] * exp(-rate_h) + h * (1.0 - s) * u->v * share;
    return olsson_astrom_eval(self, p, u, z, dz);
}

static double olsson_astrom_lift(const bri_model *self, const double *p) {
    return relaxation(p[SIGMA0], p[SIGMA1]);
}

static double olsson_astrom_stored(const bri_model *self, const double *p, const bri_input *u,
                                   const double *z, double *grad) {
    grad[0] = 0.0;
    return spring_energy(p[SIGMA0], z[1], &grad[1]);
}

static int olsson_astrom_motion(const bri_model *self, const double *p, const bri_input *u,
                                const double *z) {
    return z[0] > 0.5 ? (int)sign(u->v) : 0;
}

const bri_model bri_olsson_astrom = {
    .name = "olsson_astrom",
    .title = "Slip-variable model of Olsson and Astrom",
    .equations = "tau_del ds/dt = -s + f(v),  f(v) = 1 - exp(-(v/v_s)^2)\n"
                 "dxi/dt = (1 - s) v - s xi/tau_r\n"
                 "F = (1 - s) clamp(sigma0 xi + sigma1 v, +-mu_s N) + s (mu_c N sgn(v) + kv v)\n"
                 "sgn(v) is blended linearly over +-v_e",
    .limits = "Steep at v = 0 while the slip variable s is large: the force changes by 2 s mu_c N "
              "within +-v_e.",
    .cite = "Olsson & Astrom 1993, eqs. (1)-(5)",
    .defaults = "Olsson & Astrom 1993, section 4 (levels printed in newtons: load 1 N)",
    .load = 1.0,
    .params = olsson_astrom_params,
    .n_params = N_PARAMS,
    .states = olsson_astrom_states,
    .n_states = 2,
    .step_order = 2,
    .check = olsson_astrom_check,
    .eval = olsson_astrom_eval,
    .jac = olsson_astrom_jac,
    .step = olsson_astrom_step,
    .lift = olsson_astrom_lift,
    .stored = olsson_astrom_stored,
    .motion = olsson_astrom_motion,
};
