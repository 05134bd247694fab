/* steps.c - steps that a law file names, where something better is known than what follows from its
 * rates. The equations are those of the files; test_step holds each step to the rates of its law.
 */
#include "steps.h"
#include "models.h"

/* ---- dahl ------------------------------------------------------------------------------------ */

/* With v held, y = 1 - q obeys dy/dt = -a |y|^i sgn(y), a = sigma0 |v|/Fc: y is multiplied by
 * (1 + (i - 1) a h |y|^(i-1))^(-1/(i-1)), written so that i close to 1 loses no digits; for i < 1
 * it reaches zero in finite time. */
double BRI_STEP(dahl)(const bri_model *self, const double *p, const bri_input *u, double h,
                      double *z) {
    enum { MU_C, SIGMA0, EXPONENT, KV };
    double d = direction(u), i = p[EXPONENT], limit = p[MU_C] * u->n / p[SIGMA0];
    double ah = h * fabs(u->v) / limit;
    if (d != 0.0 && i == 1.0) {
        z[0] = approach(z[0], d * limit, ah);
    } else if (d != 0.0) {
        double y = 1.0 - d * z[0] / limit;
        double change = y != 0.0 ? (i - 1.0) * ah * pow(fabs(y), i - 1.0) : 0.0;
        y = change > -1.0 ? y * exp(-log1p(change) / (i - 1.0)) : 0.0;
        z[0] = d * limit * (1.0 - y);
    }
    return p[SIGMA0] * z[0] + p[KV] * u->v;
}

/* ---- elasto_plastic -------------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;

/* alpha for a deflection y = |z| in the direction of motion, and its slope; `sense` is the sign of
 * z in the sine, +1 unless the law is taken as printed. */
static double plastic_share(double y, double sense, double elastic, double z_max, double *slope) {
    *slope = 0.0;
    if (y >= z_max) return 1.0;
    if (y < elastic) return 0.0;
    double width = z_max - elastic, angle = pi * (sense * y - 0.5 * (z_max + elastic)) / width;
    *slope = sense * (0.5 * cos(angle) * pi / width);
    return 0.5 * (1.0 + sin(angle));
}

/* y = y0 + k (1 - alpha(y) y/z_max), whose left side minus the right rises where it matters. */
typedef struct plastic {
    double y0, k, sense, elastic, z_max;
} plastic;

static double plastic_balance(const void *of, double y, double *slope, double *rounding) {
    const plastic *q = of;
    double sy, alpha = plastic_share(y, q->sense, q->elastic, q->z_max, &sy);
    *slope = 1.0 + q->k * (alpha + sy * y) / q->z_max;
    *rounding = 4e-16 * q->z_max;
    return y - q->y0 - q->k * (1.0 - alpha * y / q->z_max);
}

static double plastic_stage(double y0, double k, double sense, double elastic, double z_max) {
    plastic q = {y0, k, sense, elastic, z_max};
    return guarded_root(plastic_balance, &q, y0, y0, z_max);
}

/* With v held the deflection y in the direction of motion first grows elastically (exact), then
 * passes the blend (two-stage diagonally implicit Runge-Kutta, L-stable, order 2, kept inside
 * [y, z_max]); above z_max it relaxes exponentially (exact). */
double BRI_STEP(elasto_plastic)(const bri_model *self, const double *p, const bri_input *u,
                                double h, double *z) {
    enum { MU_C, MU_S, V_S, GAMMA, SIGMA0, SIGMA1, SIGMA2, Z_BA, AS_PRINTED };
    double level = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], speed(u), NULL);
    double z_max = u->n * level / p[SIGMA0], elastic = fmin(p[Z_BA], 0.99 * z_max), dz;
    double d = direction(u), path = h * fabs(u->v), y = d * z[0];
    double sense = p[AS_PRINTED] != 0.0 && d < 0.0 ? -1.0 : 1.0;
    if (d != 0.0) {
        if (y < elastic) {
            double part = fmin(path, elastic - y);
            y += part;
            path -= part;
        }
        if (y >= z_max) {
            y = approach(y, z_max, path / z_max);
        } else if (path > 0.0) {
            const double c = 1.0 - 0.70710678118654752440; /* 1 - 1/sqrt(2) */
            double first = plastic_stage(y, c * path, sense, elastic, z_max);
            double rate = (first - y) / c; /* path times the rate of the first stage */
            double start = fmin(y + (1.0 - c) * rate, z_max);
            y = plastic_stage(start, c * path, sense, elastic, z_max);
        }
        z[0] = d * y;
    }
    return self->eval(self, p, u, z, &dz);
}

/* ---- bristle_second_order ---------------------------------------------------------------------
 */

/* Backward Euler in w with the shift dv of the start of the step: a scalar equation
 * m_b (w - w0) = h (F_R(v - w + dv) - sigma0 (z0 + h w) - sigma1 w) whose left minus right side
 * passes from negative to positive between the two bounds of F_R. */
typedef struct second_order {
    const double *p;
    double stiff, known, h, n, v; /* v with its shift */
} second_order;

static double second_order_balance(const void *of, double w, double *slope, double *rounding) {
    const second_order *q = of;
    double by, F = q->n * regularized_mu(q->p, q->v - w, &by);
    *slope = q->stiff + q->h * q->n * by;
    *rounding = 2e-16 * (fabs(q->stiff * w) + fabs(q->known) + fabs(q->h * F));
    return q->stiff * w - q->known - q->h * F;
}

double BRI_STEP(bristle_second_order)(const bri_model *self, const double *p, const bri_input *u,
                                      double h, double *z) {
    enum { SIGMA0 = REG_COUNT, SIGMA1 };
    double s0 = p[SIGMA0], s1 = p[SIGMA1], mass = 0.25 * s1 * s1 / s0, slope, F = 0.0;
    double stiff = mass + h * (s1 + h * s0), known = mass * z[1] - h * s0 * z[0];
    double w = known / stiff; /* without friction */
    if (!lifted_off(u)) {
        double F0 = s0 * z[0] + s1 * u->v, rest = 1.0 - fabs(F0) / (p[REG_MU_S] * u->n);
        double dv = sign(F0) * p[REG_V_R] * (1.0 - (rest > 0.0 ? sqrt(rest) : 0.0));
        double far = h * u->n * (p[REG_MU_S] + p[REG_NU] * (fabs(u->v) + fabs(w) + p[REG_V_R]));
        second_order q = {p, stiff, known, h, u->n, u->v + dv};
        w = guarded_root(second_order_balance, &q, w, w - far / stiff, w + far / stiff);
        F = u->n * regularized_mu(p, q.v - w, &slope);
    }
    z[0] += h * w;
    z[1] = w;
    return F;
}

/* ---- their table ----------------------------------------------------------------------------- */

#define LAW_STEP_ROW(name, params, n_states, order)                                                \
    {#name, params, n_states, order, BRI_STEP(name)},
const law_step bri_law_steps[] = {LAW_STEPS(LAW_STEP_ROW)};
const int bri_law_step_count = (int)(sizeof bri_law_steps / sizeof *bri_law_steps);
