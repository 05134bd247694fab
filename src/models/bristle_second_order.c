/* Second-order bristle of Rill, Schaeffer and Schuderer.
 *
 *     m_b dw/dt = F_R - (sigma0 z + sigma1 w),   dz/dt = w,   m_b = sigma1^2/(4 sigma0)
 *     F = F_R   = regularised curve at s = (v - w) + dv
 *     dv        = sgn(F0) v_r (1 - sqrt(max(0, 1 - |F0|/(mu_s N)))),   F0 = sigma0 z + sigma1 v
 *
 * Rill (21)-(25). The shift dv lets the curve pass the force F0 at v = w, so that stick is held
 * without creep. The mass makes the bristle aperiodic in the air. Accepts N = 0.
 */
#include "models.h"

enum { SIGMA0 = REG_COUNT, SIGMA1, N_PARAMS };

/* clang-format off */
static const bri_param bristle_second_order_params[N_PARAMS] = {
    [REG_MU_C]  = ROW_MU_C(0.3),
    [REG_MU_S]  = ROW_MU_S(0.6),
    [REG_V_S]   = ROW_V_S(0.01),
    [REG_GAMMA] = ROW_GAMMA(1.0),
    [REG_NU]    = ROW_NU(0.0),
    [REG_V_R]   = {"v_r", "m/s", 0.001, 1e-12, 1e3, "half width of the parabola through zero", NULL, 0, BRI_ROLE_SMOOTHING},
    [SIGMA0]    = ROW_SIGMA0(3.9e4),
    [SIGMA1]    = ROW_SIGMA1_POSITIVE(395.0),
};
/* clang-format on */

static const bri_state bristle_second_order_states[] = {
    {"z", "m", 1e-4, "bristle deflection", 0},
    {"w", "m/s", 1e-2, "bristle velocity", 0},
};

static const char *bristle_second_order_check(const bri_model *self, const double *p) {
    return p[REG_MU_S] < p[REG_MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double bristle_mass(const double *p) { return 0.25 * p[SIGMA1] * p[SIGMA1] / p[SIGMA0]; }

/* The shift of the curve, and its slope in F0. */
static inline double curve_shift(const double *p, double n, double F0, double *slope) {
    double level = p[REG_MU_S] * n, rest = 1.0 - fabs(F0) / level;
    double root = rest > 0.0 ? sqrt(rest) : 0.0;
    *slope = root > 1e-8 ? 0.5 * p[REG_V_R] / (root * level) : 0.0;
    return sign(F0) * p[REG_V_R] * (1.0 - root);
}

static inline double bristle_second_order_force(const double *p, const bri_input *u, double z,
                                                double w) {
    if (lifted_off(u)) return 0.0;
    double slope, dv = curve_shift(p, u->n, p[SIGMA0] * z + p[SIGMA1] * u->v, &slope);
    return u->n * regularized_mu(p, u->v - w + dv, &slope);
}

static double bristle_second_order_eval(const bri_model *self, const double *p, const bri_input *u,
                                        const double *z, double *dz) {
    double F = bristle_second_order_force(p, u, z[0], z[1]);
    dz[0] = z[1];
    dz[1] = (F - (p[SIGMA0] * z[0] + p[SIGMA1] * z[1])) / bristle_mass(p);
    return F;
}

static void bristle_second_order_jac(const bri_model *self, const double *p, const bri_input *u,
                                     const double *z, double *J) {
    double s0 = p[SIGMA0], s1 = p[SIGMA1], mass = bristle_mass(p), F_v = 0, F_n = 0, F_z = 0,
           F_w = 0;
    if (!lifted_off(u)) {
        double F0 = s0 * z[0] + s1 * u->v, by_F0, slope, dv = curve_shift(p, u->n, F0, &by_F0);
        F_n = regularized_mu(p, u->v - z[1] + dv, &slope);
        slope *= u->n;
        F_v = slope * (1.0 + by_F0 * s1);
        F_n -= slope * by_F0 * F0 / u->n; /* F0/(mu_s N) falls as N grows */
        F_z = slope * by_F0 * s0;
        F_w = -slope;
    }
    const double rows[3][5] = {
        {0.0, F_v, F_n, F_z, F_w},
        {0.0, 0.0, 0.0, 0.0, 1.0},
        {0.0, F_v / mass, F_n / mass, (F_z - s0) / mass, (F_w - s1) / mass},
    };
    PUT_JACOBIAN(J, rows);
}

/* Backward Euler in w with the shift of the start of the step: a scalar equation
 * m_b (w - w0) = h (F_R(v - w + dv) - sigma0 (z0 + h w) - sigma1 w) whose left minus right side
 * passes from negative to positive between the two bounds of F_R; Newton inside that bracket. */
static double bristle_second_order_step(const bri_model *self, const double *p, const bri_input *u,
                                        double h, double *z) {
    double s0 = p[SIGMA0], s1 = p[SIGMA1], mass = bristle_mass(p), slope, F = 0.0;
    double stiff = mass + h * (s1 + h * s0), known = mass * z[1] - h * s0 * z[0];
    double w = known / stiff; /* without friction */
    if (!lifted_off(u)) {
        double dv = curve_shift(p, u->n, s0 * z[0] + s1 * u->v, &slope);
        double far = h * u->n * (p[REG_MU_S] + p[REG_NU] * (fabs(u->v) + fabs(w) + p[REG_V_R]));
        double low = w - far / stiff, high = w + far / stiff;
        for (int i = 0; i < 200; i++) {
            F = u->n * regularized_mu(p, u->v - w + dv, &slope);
            double residual = stiff * w - known - h * F;
            if (residual == 0.0) break;
            if (residual > 0.0)
                high = w;
            else
                low = w;
            double next = w - residual / (stiff + h * u->n * slope);
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            if (next == w || high - low <= 4e-16 * fmax(fabs(low), fabs(high))) break;
            w = next;
        }
    }
    z[0] += h * w;
    z[1] = w;
    return F;
}

static double bristle_second_order_stored(const bri_model *self, const double *p,
                                          const bri_input *u, const double *z, double *grad) {
    grad[0] = p[SIGMA0] * z[0];
    grad[1] = bristle_mass(p) * z[1];
    return 0.5 * (grad[0] * z[0] + grad[1] * z[1]);
}

static int bristle_second_order_motion(const bri_model *self, const double *p, const bri_input *u,
                                       const double *z) {
    double s = u->v - z[1];
    return fabs(s) < p[REG_V_R] ? 0 : (int)sign(s);
}

const bri_model bri_bristle_second_order = {
    .name = "bristle_second_order",
    .title = "Second-order bristle, holds stick (Rill)",
    .equations =
        "m_b dw/dt = F - (sigma0 z + sigma1 w),  dz/dt = w,  m_b = sigma1^2/(4 sigma0)\n"
        "F = regularised curve (see regularized) at v - w + dv\n"
        "dv = sgn(F0) v_r (1 - sqrt(max(0, 1 - |F0|/(mu_s N)))),  F0 = sigma0 z + sigma1 v",
    .limits = "Stiff: the regularised curve is steep within v_r. The bristle mass adds to that of "
              "the body while it sticks.",
    .cite = "Rill et al. 2023, eqs. (21)-(25)",
    .defaults = "Rill et al. 2023, demonstration model 1",
    .load = 9.81,
    .params = bristle_second_order_params,
    .n_params = N_PARAMS,
    .states = bristle_second_order_states,
    .n_states = 2,
    .step_order = 1,
    .check = bristle_second_order_check,
    .eval = bristle_second_order_eval,
    .jac = bristle_second_order_jac,
    .step = bristle_second_order_step,
    .stored = bristle_second_order_stored,
    .motion = bristle_second_order_motion,
};
