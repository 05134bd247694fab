/* Velocity-based friction: a smooth peak at v_s, the sliding level from v_d on.
 *
 *     |v| <= v_s         F = mu_s N sin(pi v/(2 v_s))
 *     v_s < |v| < v_d    F = N (mu_s + (mu_c - mu_s) (1 - cos(pi u))/2) sgn(v),
 *                        u = (|v| - v_s)/(v_d - v_s)
 *     |v| >= v_d         F = mu_c N sgn(v)
 *     step = 1: (3 r - r^3)/2 with r = v/v_s instead of the sine, u^2 (3 - 2 u) instead of the
 *     cosine blend, as MSC Adams does. step = 2: the cubic up to v_s, the cosine from there to v_d.
 *
 * Everywhere kv v on top. Pennestri section 2.2 and Fig. 4.
 */
#include "models.h"

enum { MU_C, MU_S, V_S, V_D, STEP, KV, N_PARAMS };

/* clang-format off */
static const bri_param velocity_based_params[N_PARAMS] = {
    [MU_C] = ROW_MU_C(0.5),
    [MU_S] = ROW_MU_S(0.6),
    [V_S]  = {"v_s", "m/s", 0.01, 1e-9, 1e3, "velocity of the static peak, < v_d", NULL, 0, BRI_ROLE_SMOOTHING},
    [V_D]  = {"v_d", "m/s", 0.05, 1e-9, 1e3, "velocity from which the sliding level holds", NULL, 0, BRI_ROLE_SLIDING_SPEED},
    [STEP] = {"step", "1", 0.0, 0.0, 2.0, "1: cubics instead of sine and cosine, 2: instead of the sine", NULL, 1, BRI_ROLE_CHOICE},
    [KV]   = ROW_KV(0.0),
};
/* clang-format on */

static const double pi = 3.14159265358979323846;

static const char *velocity_based_check(const bri_model *self, const double *p) {
    if (p[MU_S] < p[MU_C]) return MU_S_BELOW_MU_C;
    return p[V_D] <= p[V_S] ? "v_d must be > v_s" : NULL;
}

/* Coefficient at |v| and its slope. */
static double velocity_based_mu(const double *p, double a, double *slope) {
    double drop = p[MU_C] - p[MU_S], width = p[V_D] - p[V_S];
    int rise = p[STEP] != 0.0, fall = p[STEP] == 1.0; /* cubic */
    if (a <= p[V_S]) {
        double r = a / p[V_S];
        *slope = p[MU_S] / p[V_S] * (rise ? 1.5 * (1.0 - r * r) : 0.5 * pi * cos(0.5 * pi * r));
        return p[MU_S] * (rise ? r * (1.5 - 0.5 * r * r) : sin(0.5 * pi * r));
    }
    *slope = 0.0;
    if (a >= p[V_D]) return p[MU_C];
    double u = (a - p[V_S]) / width;
    *slope = drop / width * (fall ? 6.0 * u * (1.0 - u) : 0.5 * pi * sin(pi * u));
    return p[MU_S] + drop * (fall ? u * u * (3.0 - 2.0 * u) : 0.5 * (1.0 - cos(pi * u)));
}

static double velocity_based_eval(const bri_model *self, const double *p, const bri_input *u,
                                  const double *z, double *dz) {
    double slope;
    return sign(u->v) * u->n * velocity_based_mu(p, fabs(u->v), &slope) + p[KV] * u->v;
}

static void velocity_based_jac(const bri_model *self, const double *p, const bri_input *u,
                               const double *z, double *J) {
    double slope, mu = velocity_based_mu(p, fabs(u->v), &slope);
    J[0] = 0.0;
    J[1] = u->n * slope + p[KV];
    J[2] = sign(u->v) * mu;
}

static int velocity_based_motion(const bri_model *self, const double *p, const bri_input *u,
                                 const double *z) {
    return fabs(u->v) < p[V_S] ? 0 : (int)sign(u->v);
}

const bri_model bri_velocity_based = {
    .name = "velocity_based",
    .title = "Velocity-based friction with a static peak",
    .equations = "F = mu_s N sin(pi v/(2 v_s))                               for |v| <= v_s\n"
                 "F = N (mu_s + (mu_c - mu_s) (1 - cos(pi u))/2) sgn(v)      up to v_d,\n"
                 "    u = (|v| - v_s)/(v_d - v_s)\n"
                 "F = mu_c N sgn(v)                                          for |v| >= v_d\n"
                 "everywhere + kv v; step = 1: cubic steps in place of sine and cosine,\n"
                 "step = 2: in place of the sine",
    .limits = "Creeps under load, slowly: stiction is imitated by a steep slope. Dear for explicit "
              "solvers.",
    .cite = "Pennestri et al. 2016, section 2.2 and Fig. 4 (MSC Adams)",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = velocity_based_params,
    .n_params = N_PARAMS,
    .check = velocity_based_check,
    .eval = velocity_based_eval,
    .jac = velocity_based_jac,
    .motion = velocity_based_motion,
};
