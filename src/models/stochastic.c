/* A random force on top of any law.
 *
 *     F = F_smooth + P tanh(F_smooth/A)       (literal = 1: F = F_smooth + P)
 *     P = A sqrt(2/K) sum_k cos(r_k theta + phi_k),   K = 64
 *     dtheta/dt = 2 pi f, or 2 pi |v|/lambda where lambda > 0
 *
 * Andersson (21). r_k is stratified in [1 - band, 1 + band], phi_k is random: P is smooth, has the
 * standard deviation A and a band of frequencies about f. Taken literally the sum shakes a body at
 * rest; the factor tanh(F_smooth/A), the sign of the smooth force blended over +-A, keeps
 * |F| = |F_smooth| + P in sliding and no noise without friction. A set-valued law that sticks has
 * no noise.
 */
#include "../random.h"
#include "models.h"
#include <stdio.h>

enum { A, F, LAMBDA, BAND, LITERAL, NOISE_SEED, N_OWN };
enum { WAVES = 64, THETA = 0 };

/* clang-format off */
static const bri_param stochastic_params[N_OWN] = {
    [A]          = {"A", "N", 1.0, 0.0, 1e9, "standard deviation of the random force", NULL, 0, BRI_ROLE_NOISE_FORCE},
    [F]          = {"f", "Hz", 50.0, 0.0, 1e9, "middle frequency, if lambda = 0", NULL, 0, BRI_ROLE_NOISE_FREQUENCY},
    [LAMBDA]     = {"lambda", "m", 0.0, 0.0, 1e3, "wavelength on the surface; 0: the noise follows time", NULL, 0, BRI_ROLE_NOISE_LENGTH},
    [BAND]       = {"band", "1", 0.5, 0.0, 1.0, "half width of the band, as a share of f", NULL, 0, BRI_ROLE_SHAPE},
    [LITERAL]    = {"literal", "1", 0.0, 0.0, 1.0, "1: add the noise also at rest", NULL, 1, BRI_ROLE_CHOICE},
    [NOISE_SEED] = {"noise_seed", "1", 1.0, 0.0, 1e15, "seed of the noise", NULL, 1, BRI_ROLE_SEED},
};
/* clang-format on */

static const bri_state stochastic_phase = {"theta", "rad", 1.0, "phase of the noise", 1};

static const double two_pi = 6.28318530717958647693;

static const bri_model *inner_of(const bri_model *self) {
    return ((const bri_stochastic *)(const void *)self)->inner;
}

static const double *own(const bri_model *self, const double *p) {
    return p + inner_of(self)->n_params;
}

static int stochastic_count(const bri_model *self, const double *p) {
    return 1 + bri_model_states(inner_of(self), p);
}

static const char *stochastic_check(const bri_model *self, const double *p) {
    const bri_model *inner = inner_of(self);
    return inner->check ? inner->check(inner, p) : NULL;
}

static void stochastic_rest(const bri_model *self, const double *p, double *z) {
    bri_model_rest(inner_of(self), p, z + 1);
}

/* P(theta) and its slope. */
static double noise(const double *q, double theta, double *slope) {
    double sum = 0.0, dsum = 0.0, seed = q[NOISE_SEED];
    for (int k = 0; k < WAVES; k++) {
        double r = 1.0 + q[BAND] * (2.0 * (k + bri_random(seed, 2 * k)) / WAVES - 1.0);
        double angle = r * theta + two_pi * bri_random(seed, 2 * k + 1);
        sum += cos(angle);
        dsum -= r * sin(angle);
    }
    double scale = q[A] * sqrt(2.0 / WAVES);
    *slope = scale * dsum;
    return scale * sum;
}

static double phase_rate(const double *q, const bri_input *u) {
    return two_pi * (q[LAMBDA] > 0.0 ? speed(u) / q[LAMBDA] : q[F]);
}

/* The random part for the smooth force, its derivative in that force and in theta. */
static double random_part(const bri_model *self, const double *p, const bri_input *u,
                          const double *z, double smooth, double *by_force, double *by_theta) {
    const double *q = own(self, p);
    *by_force = *by_theta = 0.0;
    if (q[A] == 0.0 || lifted_off(u)) return 0.0;
    if (inner_of(self)->set_valued && bri_model_motion(inner_of(self), p, u, z + 1) == 0)
        return 0.0;
    double slope, P = noise(q, z[THETA], &slope);
    if (q[LITERAL] != 0.0) {
        *by_theta = slope;
        return P;
    }
    double gate = tanh(smooth / q[A]);
    *by_force = P * (1.0 - gate * gate) / q[A];
    *by_theta = slope * gate;
    return P * gate;
}

static double stochastic_eval(const bri_model *self, const double *p, const bri_input *u,
                              const double *z, double *dz) {
    double by_force, by_theta, smooth = bri_model_eval(inner_of(self), p, u, z + 1, dz + 1);
    dz[THETA] = phase_rate(own(self, p), u);
    return smooth + random_part(self, p, u, z, smooth, &by_force, &by_theta);
}

static void stochastic_jac(const bri_model *self, const double *p, const bri_input *u,
                           const double *z, double *J) {
    const bri_model *inner = inner_of(self);
    int k = bri_model_states(inner, p), width = 4 + k;
    double inside[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)], dz[BRI_MAX_STATES];
    double by_force, by_theta, lambda = own(self, p)[LAMBDA];
    bri_model_jac(inner, p, u, z + 1, inside);
    double smooth = bri_model_eval(inner, p, u, z + 1, dz);
    random_part(self, p, u, z, smooth, &by_force, &by_theta);

    memset(J, 0, sizeof *J * (size_t)((2 + k) * width));
    for (int row = 0; row <= k; row++) { /* row 0 is F, row 1 of J is theta */
        double scale = row == 0 ? 1.0 + by_force : 1.0;
        for (int column = 0; column < 3 + k; column++)
            J[(row == 0 ? 0 : row + 1) * width + (column < 3 ? column : column + 1)] =
                scale * inside[row * (3 + k) + column];
    }
    J[3] = by_theta;
    J[width + 1] = lambda > 0.0 ? two_pi * direction(u) / lambda : 0.0;
}

/* Those of the law inside are exact where it has equations, its own are differences. */
static void stochastic_params_jac(const bri_model *self, const double *p, const bri_input *u,
                                  const double *z, double *D) {
    const bri_model *inner = inner_of(self);
    int k = bri_model_states(inner, p), n = inner->n_params, width = self->n_params;
    double inside[(1 + BRI_MAX_STATES) * BRI_MAX_PARAMS], dz[BRI_MAX_STATES], by_force, by_theta;
    double smooth = bri_model_eval(inner, p, u, z + 1, dz);
    random_part(self, p, u, z, smooth, &by_force, &by_theta);
    bri_model_params_jac(inner, p, u, z + 1, inside);
    bri_params_by_differences(self, p, u, z, n, D);
    for (int j = 0; j < n; j++) {
        D[j] = (1.0 + by_force) * inside[j];
        D[width + j] = 0.0; /* row 1 is theta */
        for (int row = 1; row <= k; row++) D[(row + 1) * width + j] = inside[row * n + j];
    }
}

static double stochastic_step(const bri_model *self, const double *p, const bri_input *u, double h,
                              double *z) {
    double by_force, by_theta, smooth = bri_model_step(inner_of(self), p, u, h, z + 1);
    z[THETA] += h * phase_rate(own(self, p), u);
    return smooth + random_part(self, p, u, z, smooth, &by_force, &by_theta);
}

static double stochastic_stored(const bri_model *self, const double *p, const bri_input *u,
                                const double *z, double *grad) {
    const bri_model *inner = inner_of(self);
    grad[THETA] = 0.0;
    return inner->stored ? inner->stored(inner, p, u, z + 1, grad + 1) : 0.0;
}

static int stochastic_motion(const bri_model *self, const double *p, const bri_input *u,
                             const double *z) {
    return bri_model_motion(inner_of(self), p, u, z + 1);
}

static void stochastic_roots(const bri_model *self, const double *p, const bri_input *u,
                             const double *z, double *g) {
    inner_of(self)->roots(inner_of(self), p, u, z + 1, g);
}

static bri_mode stochastic_jump(const bri_model *self, const double *p, const bri_input *u,
                                double *z) {
    return inner_of(self)->jump(inner_of(self), p, u, z + 1);
}

static unsigned stochastic_pieces(const bri_model *self, const double *p, const bri_input *u,
                                  const double *z) {
    return inner_of(self)->pieces(inner_of(self), p, u, z + 1);
}

static int stochastic_eventful(const bri_model *self, const double *p) {
    return inner_of(self)->eventful(inner_of(self), p);
}

static const char *stochastic_advice(const bri_model *self, const double *p) {
    return bri_model_advice(inner_of(self), p);
}

bri_status bri_stochastic_init(bri_stochastic *w, const bri_model *inner) {
    int n = inner->n_params;
    if (n + N_OWN > BRI_MAX_PARAMS || inner->n_states + 1 > BRI_MAX_STATES) return BRI_BAD_VALUE;
    memset(w, 0, sizeof *w);
    w->inner = inner;
    snprintf(w->name, sizeof w->name, "stochastic:%s", inner->name);
    memcpy(w->params, inner->params, sizeof *inner->params * (size_t)n);
    memcpy(w->params + n, stochastic_params, sizeof stochastic_params);
    w->params[n + A].def = 0.01 * inner->load;
    w->states[THETA] = stochastic_phase;
    if (inner->n_states > 0)
        memcpy(w->states + 1, inner->states, sizeof *inner->states * (size_t)inner->n_states);
    w->model = (bri_model){
        .name = w->name,
        .title = "A random force on top of another law",
        .equations = "F = F_smooth + P tanh(F_smooth/A)       (literal = 1: F = F_smooth + P)\n"
                     "P = A sqrt(2/64) sum_k cos(r_k theta + phi_k),  k = 1 ... 64\n"
                     "dtheta/dt = 2 pi f, or 2 pi |v|/lambda where lambda > 0",
        .limits = "As the law inside; step sizes must resolve the noise, f (1 + band).",
        .cite = "Andersson et al. 2007, eq. (21), on top of the law inside",
        .defaults = "those of the law inside; A is 1 % of its load",
        .load = inner->load,
        .params = w->params,
        .n_params = n + N_OWN,
        .states = w->states,
        .n_states = inner->n_states + 1,
        .step_order = inner->n_states > 0 ? inner->step_order : 2,
        .n_roots = inner->n_roots,
        .set_valued = inner->set_valued,
        .count = stochastic_count,
        .check = stochastic_check,
        .rest = stochastic_rest,
        .eval = stochastic_eval,
        .jac = stochastic_jac,
        .params_jac = stochastic_params_jac,
        .step = stochastic_step,
        .stored = inner->n_states == 0 || inner->stored ? stochastic_stored : NULL,
        .motion = stochastic_motion,
        .roots = inner->roots ? stochastic_roots : NULL,
        .jump = inner->jump ? stochastic_jump : NULL,
        .eventful = inner->eventful ? stochastic_eventful : NULL,
        .advice = stochastic_advice,
        .pieces = inner->pieces ? stochastic_pieces : NULL,
    };
    return BRI_OK;
}
