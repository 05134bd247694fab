/* One smooth expression for the whole curve, after the tyre formula.
 *
 *     F = mu_s N sin(C atan(B v) - E (B v - atan(B v))) + kv v
 *
 * Pennestri (5), Wang & Rui. With E = kv = 0 the peak mu_s N lies at tan(pi/(2 C))/B and the level
 * at high speed is mu_s sin(C pi/2). With E != 0 the argument grows without bound: the curve
 * oscillates beyond |B v| of about pi/|E|, so E only shapes the neighbourhood of the peak.
 */
#include "models.h"

enum { MU_S, B, C, E, KV, N_PARAMS };

/* clang-format off */
static const bri_param sine_arctan_params[N_PARAMS] = {
    [MU_S] = {"mu_s", "1", 0.6, 1e-6, 1e6, "static friction coefficient: height of the peak", "Fs", 0, BRI_ROLE_STATIC_LEVEL},
    [B]    = {"B", "s/m", 220.0, 1e-3, 1e9, "stiffness: sets the velocity of the peak", NULL, 0, BRI_ROLE_SMOOTHING},
    [C]    = {"C", "1", 1.3727, 1e-3, 2.0, "shape: mu_c/mu_s = sin(C pi/2)", NULL, 0, BRI_ROLE_LEVEL_RATIO},
    [E]    = {"E", "1", 0.0, -10.0, 10.0, "curvature near the peak", NULL, 0, BRI_ROLE_SHAPE},
    [KV]   = ROW_KV(0.0),
};
/* clang-format on */

static double sine_arctan_eval(const bri_model *self, const double *p, const bri_input *u,
                               const double *z, double *dz) {
    double b = p[B] * u->v, t = atan(b);
    return p[MU_S] * u->n * sin(p[C] * t - p[E] * (b - t)) + p[KV] * u->v;
}

static void sine_arctan_jac(const bri_model *self, const double *p, const bri_input *u,
                            const double *z, double *J) {
    double b = p[B] * u->v, t = atan(b), dt = 1.0 / (1.0 + b * b);
    double angle = p[C] * t - p[E] * (b - t);
    J[0] = 0.0;
    J[1] = p[MU_S] * u->n * cos(angle) * p[B] * (p[C] * dt - p[E] * (1.0 - dt)) + p[KV];
    J[2] = p[MU_S] * sin(angle);
}

static int sine_arctan_motion(const bri_model *self, const double *p, const bri_input *u,
                              const double *z) {
    return fabs(p[B] * u->v) < 1.0 ? 0 : (int)sign(u->v);
}

const bri_model bri_sine_arctan = {
    .name = "sine_arctan",
    .title = "Sine of an arctangent, one smooth expression",
    .equations = "F = mu_s N sin(C atan(B v) - E (B v - atan(B v))) + kv v",
    .limits = "Creeps under any load. With E != 0 valid only near the peak: it oscillates at high "
              "speed.",
    .cite = "Wang & Rui; Pennestri et al. 2016, eq. (5)",
    .defaults =
        "B and C fitted to Pennestri et al. 2016, section 3.1: peak mu_s = 0.6 at 0.01 m/s, "
        "mu_c = 0.5",
    .load = 196.2,
    .params = sine_arctan_params,
    .n_params = N_PARAMS,
    .eval = sine_arctan_eval,
    .jac = sine_arctan_jac,
    .motion = sine_arctan_motion,
};
