/* The stick-slip law of RecurDyn.
 *
 *     S(u)      = (3 u - u^3)/2 clipped to [-1, 1], the odd cubic step
 *     F         = (1 - |S(v/v_t)|) mu_s N S(Delta/Delta_max) + mu_c N S(v/v_t) + kv v
 *     dDelta/dt = v, held at +-Delta_max
 *
 * Pennestri (16)-(19) and table 1, Cha et al. 2011. The print shows only the square of the cubic
 * step, which would make beta(0) = -1/2; the rate of Delta is not printed and is our closure. Where
 * the static force exceeds mu_c N the net damping is negative: break-away is set off by noise, and
 * trajectories of different solvers agree to about a centimetre only.
 */
#include "models.h"

enum { MU_C, MU_S, V_T, DELTA_MAX, KV, N_PARAMS };

/* clang-format off */
static const bri_param stick_slip_params[N_PARAMS] = {
    [MU_C]      = ROW_MU_C(0.5),
    [MU_S]      = ROW_MU_S(0.6),
    [V_T]       = {"v_t", "m/s", 0.05, 1e-9, 1e3, "threshold velocity of sliding", NULL, 0, BRI_ROLE_SLIDING_SPEED},
    [DELTA_MAX] = {"delta_max", "m", 1e-4, 1e-12, 1e3, "largest deformation in stiction", NULL, 0, BRI_ROLE_DEFLECTION},
    [KV]        = ROW_KV(0.0),
};
/* clang-format on */

static const bri_state stick_slip_states[] = {{"Delta", "m", 1e-4, "deformation in stiction", 0}};

static const char *stick_slip_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double odd_step(double u, double *slope) {
    *slope = fabs(u) < 1.0 ? 1.5 * (1.0 - u * u) : 0.0;
    return fabs(u) < 1.0 ? u * (1.5 - 0.5 * u * u) : sign(u);
}

/* Nonzero while the deformation is held at its limit. */
static int stick_slip_held(const double *p, const bri_input *u, double deformation) {
    double d = direction(u);
    return d != 0.0 && d * deformation >= p[DELTA_MAX];
}

static double stick_slip_eval(const bri_model *self, const double *p, const bri_input *u,
                              const double *z, double *dz) {
    double slope, sv = odd_step(u->v / p[V_T], &slope), sd = odd_step(z[0] / p[DELTA_MAX], &slope);
    dz[0] = stick_slip_held(p, u, z[0]) ? 0.0 : u->v;
    return u->n * ((1.0 - direction(u) * sv) * p[MU_S] * sd + p[MU_C] * sv) + p[KV] * u->v;
}

static void stick_slip_jac(const bri_model *self, const double *p, const bri_input *u,
                           const double *z, double *J) {
    double dv, dd, sv = odd_step(u->v / p[V_T], &dv), sd = odd_step(z[0] / p[DELTA_MAX], &dd);
    double d = direction(u), stick = (1.0 - d * sv) * p[MU_S];
    dv /= p[V_T];
    dd /= p[DELTA_MAX];
    const double rows[2][4] = {
        {0.0, u->n * (p[MU_C] * dv - d * dv * p[MU_S] * sd) + p[KV], stick * sd + p[MU_C] * sv,
         u->n * stick * dd},
        {0.0, stick_slip_held(p, u, z[0]) ? 0.0 : 1.0, 0.0, 0.0},
    };
    PUT_JACOBIAN(J, rows);
}

static double stick_slip_step(const bri_model *self, const double *p, const bri_input *u, double h,
                              double *z) {
    double dz;
    z[0] = clamp(z[0] + h * u->v, p[DELTA_MAX]);
    return stick_slip_eval(self, p, u, z, &dz);
}

static double stick_slip_lift(const bri_model *self, const double *p) { return 1e-6; }

static int stick_slip_motion(const bri_model *self, const double *p, const bri_input *u,
                             const double *z) {
    return fabs(u->v) < p[V_T] ? 0 : (int)sign(u->v);
}

static void stick_slip_roots(const bri_model *self, const double *p, const bri_input *u,
                             const double *z, double *g) {
    g[0] = p[DELTA_MAX] - fabs(z[0]);
}

/* Located to rounding only: put the deformation on its limit, where it is held. */
static bri_mode stick_slip_jump(const bri_model *self, const double *p, const bri_input *u,
                                double *z) {
    if (fabs(z[0]) > (1.0 - 1e-6) * p[DELTA_MAX]) z[0] = sign(z[0]) * p[DELTA_MAX];
    return u->mode;
}

const bri_model bri_stick_slip = {
    .name = "stick_slip",
    .title = "Stick-slip law of RecurDyn",
    .equations = "S(u) = (3 u - u^3)/2 clipped to [-1, 1]\n"
                 "dDelta/dt = v, held at +-Delta_max\n"
                 "F = (1 - |S(v/v_t)|) mu_s N S(Delta/Delta_max) + mu_c N S(v/v_t) + kv v",
    .limits = "Negative net damping near break-away: results are sensitive to noise and to the "
              "solver. No elastic energy is defined.",
    .cite = "Cha et al. 2011; Pennestri et al. 2016, eqs. (16)-(19) and table 1, blends corrected",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = stick_slip_params,
    .n_params = N_PARAMS,
    .states = stick_slip_states,
    .n_states = 1,
    .step_order = 2,
    .n_roots = 1,
    .check = stick_slip_check,
    .eval = stick_slip_eval,
    .jac = stick_slip_jac,
    .step = stick_slip_step,
    .lift = stick_slip_lift,
    .motion = stick_slip_motion,
    .roots = stick_slip_roots,
    .jump = stick_slip_jump,
};
