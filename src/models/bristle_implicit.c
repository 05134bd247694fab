/* Massless bristle with the exact force balance.
 *
 *     F_R(v - dz/dt) = sigma0 z + sigma1 dz/dt
 *     F_R(s) = mu(|s|) N sgn(s) for s != 0, any value within +-mu_s N for s = 0
 *     mu(a)  = mu_c + (mu_s - mu_c) exp(-(a/v_s)^gamma) + nu a
 *
 * Rill (5) with (3), (4). Let F0 = sigma0 z + sigma1 v. |F0| <= mu_s N is stick: dz/dt = v, F = F0.
 * Beyond, the bristle slides with a = |v - dz/dt| where mu(a) N + sigma1 a = |F0|. The balance has
 * one solution if sigma1 exceeds the steepest Stribeck slope times N, up to three otherwise; stick
 * is preferred, then the smallest sliding speed.
 */
#include "models.h"
#include "step_words.h"

#include "step_root.h"

enum { MU_C, MU_S, V_S, GAMMA, NU, SIGMA0, SIGMA1, N_PARAMS };

static const bri_param bristle_implicit_params[N_PARAMS] = {
    [MU_C] = ROW_MU_C(0.3),
    [MU_S] = ROW_MU_S(0.6),
    [V_S] = ROW_V_S(0.01),
    [GAMMA] = ROW_GAMMA(1.0),
    [NU] = ROW_NU(0.0),
    [SIGMA0] = ROW_SIGMA0(3.9e4),
    [SIGMA1] = ROW_SIGMA1_POSITIVE(395.0),
};

static const bri_state bristle_implicit_states[] = {{"z", "m", 1e-4, "bristle deflection", 0}};

static const char *bristle_implicit_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

/* mu(a) N + damping a and its slope in a. */
static double balance(const double *p, double n, double damping, double a, double *slope) {
    double mu = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], a, slope) + p[NU] * a;
    *slope = n * (*slope + p[NU]) + damping;
    return n * mu + damping * a;
}

/* balance(a) = force. */
typedef struct sliding {
    const double *p;
    double n, damping, force;
} sliding;

static double sliding_balance(const void *of, double a, double *slope, double *rounding) {
    const sliding *q = of;
    *rounding = 2e-16 * q->force;
    return balance(q->p, q->n, q->damping, a, slope) - q->force;
}

/* The edge of the falling part of the balance, where its slope changes sign between a and b. */
static double slope_root(const double *p, double n, double damping, double a, double b) {
    double at_a, slope;
    balance(p, n, damping, a, &at_a);
    for (int i = 0; i < 100 && fabs(b - a) > 1e-12 * fmax(a, b); i++) {
        double middle = 0.5 * (a + b);
        balance(p, n, damping, middle, &slope);
        if ((slope > 0.0) == (at_a > 0.0))
            a = middle;
        else
            b = middle;
    }
    return 0.5 * (a + b);
}

/* Smallest sliding speed a > 0 with mu(a) N + damping a = force, force > mu_s N. The left side
 * rises first, falls between two edges if the damping is small, then rises for good; for gamma <= 1
 * it is convex, so that one root exists. */
static double sliding_speed(const double *p, double n, double damping, double force) {
    double high = (force - p[MU_C] * n) / (damping + p[NU] * n), low = 0.0, slope;
    double start = high; /* where the Stribeck part is gone, this is the root */
    if (p[GAMMA] > 1.0) {
        double g = p[GAMMA], steepest = p[V_S] * pow((g - 1.0) / g, 1.0 / g);
        balance(p, n, damping, steepest, &slope);
        if (slope < 0.0) {
            double top = slope_root(p, n, damping, 0.0, steepest), ignored;
            if (balance(p, n, damping, top, &ignored) >= force)
                start = 0.5 * top, high = top;
            else
                low = steepest;
        }
    }
    sliding q = {p, n, damping, force};
    return step_root(sliding_balance, &q, start, low, high, 1);
}

/* F and dz/dt from the balance with the bristle force spring + damping dz/dt. Sliding, F is read
 * from the curve: the sum on the other side would lose digits. */
static double balanced_force(const double *p, const bri_input *u, double spring, double damping,
                             double *rate) {
    double F0 = spring + damping * u->v, slope;
    *rate = u->v;
    if (fabs(F0) <= p[MU_S] * u->n) return F0;
    double a = sliding_speed(p, u->n, damping, fabs(F0));
    *rate = u->v - sign(F0) * a;
    return sign(F0) * balance(p, u->n, 0.0, a, &slope);
}

static double bristle_implicit_eval(const bri_model *self, const double *p, const bri_input *u,
                                    const double *z, double *dz) {
    return balanced_force(p, u, p[SIGMA0] * z[0], p[SIGMA1], dz);
}

/* Sliding: da/d|F0| = 1/(mu'(a) N + sigma1), da/dN = -mu(a)/(mu'(a) N + sigma1). */
static void bristle_implicit_jac(const bri_model *self, const double *p, const bri_input *u,
                                 const double *z, double *J) {
    double s0 = p[SIGMA0], s1 = p[SIGMA1], F0 = s0 * z[0] + s1 * u->v;
    double dz_v = 1.0, dz_n = 0.0, dz_z = 0.0;
    if (fabs(F0) > p[MU_S] * u->n) {
        double slope, a = sliding_speed(p, u->n, s1, fabs(F0)),
                      mu = balance(p, 1.0, 0.0, a, &slope);
        slope = u->n * slope + s1;
        if (fabs(slope) < 1e-9 * s1) slope = 1e-9 * s1;
        dz_v = 1.0 - s1 / slope;
        dz_n = sign(F0) * mu / slope;
        dz_z = -s0 / slope;
    }
    const double rows[2][4] = {
        {0.0, s1 * dz_v, s1 * dz_n, s0 + s1 * dz_z},
        {0.0, dz_v, dz_n, dz_z},
    };
    PUT_JACOBIAN(J, rows);
}

/* Backward Euler: z + h dz/dt in the balance adds h sigma0 to the damping, nothing else changes.
 * Sliding, z follows from F, since h dz/dt would magnify the rounding of v - a by h. */
static double bristle_implicit_step(const bri_model *self, const double *p, const bri_input *u,
                                    double h, double *z) {
    double rate, F = balanced_force(p, u, p[SIGMA0] * z[0], p[SIGMA1] + h * p[SIGMA0], &rate);
    z[0] = rate == u->v ? z[0] + h * rate : (F - p[SIGMA1] * rate) / p[SIGMA0];
    return F;
}

static double bristle_implicit_lift(const bri_model *self, const double *p) {
    return relaxation(p[SIGMA0], p[SIGMA1]);
}

static double bristle_implicit_stored(const bri_model *self, const double *p, const bri_input *u,
                                      const double *z, double *grad) {
    return spring_energy(p[SIGMA0], z[0], grad);
}

static int bristle_implicit_motion(const bri_model *self, const double *p, const bri_input *u,
                                   const double *z) {
    double F0 = p[SIGMA0] * z[0] + p[SIGMA1] * u->v;
    return fabs(F0) <= p[MU_S] * u->n ? 0 : (int)sign(F0);
}

const bri_model bri_bristle_implicit = {
    .name = "bristle_implicit",
    .title = "Massless bristle, exact force balance (Rill)",
    .equations = "F_R(v - dz/dt) = sigma0 z + sigma1 dz/dt = F\n"
                 "F_R(s) = mu(|s|) N sgn(s), any value within +-mu_s N for s = 0\n"
                 "mu(a) = mu_c + (mu_s - mu_c) exp(-(a/v_s)^gamma) + nu a",
    .limits =
        "Where sigma1 is below the steepest Stribeck slope times N the balance has up to three "
        "solutions: stick is preferred, then the slowest, and the force jumps between "
        "branches.",
    .cite = "Rill et al. 2023, eqs. (3)-(5), section 2.1",
    .defaults = "Rill et al. 2023, demonstration model 1",
    .load = 9.81,
    .params = bristle_implicit_params,
    .n_params = N_PARAMS,
    .states = bristle_implicit_states,
    .n_states = 1,
    .step_order = 1,
    .check = bristle_implicit_check,
    .eval = bristle_implicit_eval,
    .jac = bristle_implicit_jac,
    .step = bristle_implicit_step,
    .lift = bristle_implicit_lift,
    .stored = bristle_implicit_stored,
    .motion = bristle_implicit_motion,
};
