/* Dahl's model.
 *
 *     dz/dt = v |1 - q|^i sgn(1 - q),   q = sigma0 z sgn(v)/(mu_c N)
 *     F     = sigma0 z + kv v
 *
 * Pennestri (7)(8), Andersson (16)-(18), Leus (7)(8). Without kv the force depends on the path
 * only: from rest F = Fc (1 - exp(-x/d)), d = Fc/sigma0 (i = 1); a symmetric loop of amplitude A
 * reaches Fc tanh(A/d) and loses 4 Fc d (A/d - tanh(A/d)). |z| <= Fc/sigma0 is invariant.
 *
 * With i < 1 saturation is reached in finite time, after x = d/(1 - i), and kept: i = 0 is the
 * elastic Coulomb law of Andersson (15), dz/dt = v and then 0. There |1 - q|^i has an infinite
 * slope, or jumps. So saturation is an event, and within 1e-9 of it, which a load that varies may
 * lead into, the power goes on as the straight line (1 - q) 1e-9^(i - 1): F differs by less than
 * 1e-9 mu_c N from the law as written.
 */
#include "models.h"

enum { MU_C, SIGMA0, EXPONENT, KV, N_PARAMS };

/* clang-format off */
static const bri_param dahl_params[N_PARAMS] = {
    [MU_C]     = ROW_MU_C(0.5),
    [SIGMA0]   = ROW_SIGMA0(98100.0),
    [EXPONENT] = {"i", "1", 1.0, 0.0, 10.0, "shape: 1 for ductile, below 1 for brittle surfaces", NULL, 0, BRI_ROLE_BRISTLE_EXPONENT},
    [KV]       = ROW_KV(0.0),
};
/* clang-format on */

static const bri_state dahl_states[] = {{"z", "m", 1e-3, "bristle deflection", 0}};

static const double near_limit = 1e-9; /* |1 - q| within which the law with i < 1 is a line */
static const double at_limit = 1e-14;  /* and what rounding leaves of it */

/* |y|^i sgn(y), and its slope in y. */
static double dahl_shape(double y, double i, double *slope) {
    double a = fabs(y);
    if (i < 1.0 && a < near_limit) {
        double line = a > at_limit ? pow(near_limit, i - 1.0) : 0.0;
        if (slope) *slope = line;
        return line * y;
    }
    if (slope) *slope = i == 1.0 ? 1.0 : i == 0.0 ? 0.0 : i * pow(a, i - 1.0);
    return i == 1.0 ? y : sign(y) * pow(a, i);
}

static double dahl_eval(const bri_model *self, const double *p, const bri_input *u, const double *z,
                        double *dz) {
    double q = p[SIGMA0] * z[0] * direction(u) / (p[MU_C] * u->n);
    dz[0] = u->v * dahl_shape(1.0 - q, p[EXPONENT], NULL);
    return p[SIGMA0] * z[0] + p[KV] * u->v;
}

static void dahl_jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                     double *J) {
    double c = p[SIGMA0] * direction(u) / (p[MU_C] * u->n), q = c * z[0], slope;
    double shape = dahl_shape(1.0 - q, p[EXPONENT], &slope);
    const double rows[2][4] = {
        {0.0, p[KV], 0.0, p[SIGMA0]},
        {0.0, shape, u->v * slope * q / u->n, -u->v * slope * c},
    };
    PUT_JACOBIAN(J, rows);
}

/* With v held, y = 1 - q obeys dy/dt = -a |y|^i sgn(y), a = sigma0 |v|/Fc: y is multiplied by
 * (1 + (i - 1) a h |y|^(i-1))^(-1/(i-1)), written so that i close to 1 loses no digits; for i < 1
 * it reaches zero in finite time. */
static double dahl_step(const bri_model *self, const double *p, const bri_input *u, double h,
                        double *z) {
    double d = direction(u), i = p[EXPONENT], limit = p[MU_C] * u->n / p[SIGMA0];
    double ah = h * fabs(u->v) / limit;
    if (d == 0.0) return p[SIGMA0] * z[0] + p[KV] * u->v;
    if (i == 1.0) {
        z[0] = approach(z[0], d * limit, ah);
    } else {
        double y = 1.0 - d * z[0] / limit;
        double change = y != 0.0 ? (i - 1.0) * ah * pow(fabs(y), i - 1.0) : 0.0;
        y = change > -1.0 ? y * exp(-log1p(change) / (i - 1.0)) : 0.0;
        z[0] = d * limit * (1.0 - y);
    }
    return p[SIGMA0] * z[0] + p[KV] * u->v;
}

static double dahl_lift(const bri_model *self, const double *p) {
    return relaxation(p[SIGMA0], 0.0);
}

static double dahl_stored(const bri_model *self, const double *p, const bri_input *u,
                          const double *z, double *grad) {
    return spring_energy(p[SIGMA0], z[0], grad);
}

static double dahl_distance(const double *p, const bri_input *u, const double *z) {
    return 1.0 - p[SIGMA0] * z[0] * direction(u) / (p[MU_C] * u->n);
}

static void dahl_roots(const bri_model *self, const double *p, const bri_input *u, const double *z,
                       double *g) {
    g[0] = p[EXPONENT] < 1.0 && !lifted_off(u) ? dahl_distance(p, u, z) : 1.0;
}

/* What is so close is put on the limit. */
static bri_mode dahl_jump(const bri_model *self, const double *p, const bri_input *u, double *z) {
    if (p[EXPONENT] < 1.0 && !lifted_off(u) && fabs(dahl_distance(p, u, z)) < 0.03)
        z[0] = direction(u) * p[MU_C] * u->n / p[SIGMA0];
    return u->mode;
}

static int dahl_eventful(const bri_model *self, const double *p) {
    return p[EXPONENT] < 1.0 ? 2 : 0;
}

const bri_model bri_dahl = {
    .name = "dahl",
    .title = "Dahl's model",
    .equations = "dz/dt = v |1 - q|^i sgn(1 - q),  q = sigma0 z sgn(v)/(mu_c N)\n"
                 "F = sigma0 z + kv v",
    .limits =
        "No static peak and no Stribeck curve, hence no stick-slip. Drifts under an "
        "oscillating load; undamped while it sticks. With i < 1 saturation is an event for the "
        "solver.",
    .cite = "Dahl 1976; Pennestri et al. 2016, eqs. (7), (8); Andersson et al. 2007, eqs. "
            "(16)-(18); Leus et al., eqs. (7), (8)",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = dahl_params,
    .n_params = N_PARAMS,
    .states = dahl_states,
    .n_states = 1,
    .step_order = 2,
    .n_roots = 1,
    .eval = dahl_eval,
    .jac = dahl_jac,
    .step = dahl_step,
    .lift = dahl_lift,
    .stored = dahl_stored,
    .roots = dahl_roots,
    .jump = dahl_jump,
    .eventful = dahl_eventful,
};
