/* step_bodies.h - steps that a law file names, where something better is known than what follows
 * from its rates: written once, for a contact (steps.c) and for vectors of contacts
 * (kernels/law_steps.h), which bring the types `real` and `truth`, the words that begin with law_,
 * and how a step gets at its contact:
 *
 *     STEP(name)   the head of a function of that name with the arguments p, h, z
 *     STEP_V, STEP_N, STEP_SPEED, STEP_DIRECTION   velocity, load, |v| and sgn(v) as laws have them
 *     STEP_FORCE   force at the states z
 *     STEP_DECAY(v_s, gamma, a, slope)   exp(-(a/v_s)^gamma), a >= 0, and its slope in a
 *
 * law_any() tells whether a truth is that of any contact; what is not needed is left out then. */

#include "step_root.h"

/* ---- dahl ------------------------------------------------------------------------------------ */

/* With v held, y = 1 - q obeys dy/dt = -a |y|^i sgn(y), a = sigma0 |v|/Fc: y is multiplied by
 * (1 + (i - 1) a h |y|^(i-1))^(-1/(i-1)), written so that i close to 1 loses no digits; for i < 1
 * it reaches zero in finite time. */
STEP(dahl) {
    enum { MU_C, SIGMA0, EXPONENT, KV };
    const real zero = law_number(0.0), one = law_number(1.0), d = STEP_DIRECTION;
    const real excess = p[EXPONENT] - 1.0;
    const real limit = p[MU_C] * STEP_N / p[SIGMA0], ah = h * law_abs(STEP_V) / limit;
    const truth linear = law_eq(excess, zero), other = law_not(linear);
    real end = z[0];
    if (law_any(linear)) end = law_approach(z[0], d * limit, -ah); /* d = 0: v is, and so is ah */
    if (law_any(other)) {
        real y = 1.0 - d * z[0] / limit;
        real power = law_pow(law_if(law_ne(y, zero), law_abs(y), one), excess);
        real change = law_if(law_ne(y, zero), excess * ah * power, zero);
        truth lasts = law_gt(change, -one);
        real left = y * law_exp(-law_log1p(law_if(lasts, change, zero)) / excess);
        left = law_if(lasts, left, zero);
        end = law_if(linear, end, law_if(law_ne(d, zero), d * limit * (1.0 - left), z[0]));
    }
    z[0] = end;
    return p[SIGMA0] * z[0] + p[KV] * STEP_V;
}

/* ---- elasto_plastic -------------------------------------------------------------------------- */

/* y = y0 + k (1 - alpha(y) y/z_max), whose left side minus the right rises where it matters: alpha
 * for a deflection y = |z| in the direction of motion; `sense` is the sign of z in the sine, +1
 * unless the law is taken as printed. */
typedef struct plastic {
    real y0, k, sense, elastic, z_max;
    real per_width, per_z_max; /* pi/(z_max - elastic), 1/z_max */
} plastic;

STEP_INLINE real plastic_balance(const void *of, real y, real *slope, real *rounding) {
    const plastic *q = of;
    const real one = law_number(1.0), zero = law_number(0.0);
    const truth above = law_ge(y, q->z_max);
    const truth within = law_not(law_or(above, law_lt(y, q->elastic)));
    real alpha = law_if(above, one, zero), by = zero;
    if (law_any(within)) {
        real angle = (q->sense * y - 0.5 * (q->z_max + q->elastic)) * q->per_width;
        real sine = law_sin_quarter(angle), cosine = law_sqrt(law_max(1.0 - sine * sine, zero));
        if (law_any(law_lt(q->sense, zero))) { /* beyond a quarter turn */
            sine = law_sin(angle);
            cosine = law_cos(angle);
        }
        alpha = law_if(within, 0.5 * (1.0 + sine), alpha);
        by = law_if(within, q->sense * (0.5 * cosine * q->per_width), by);
    }
    *slope = 1.0 + q->k * (alpha + by * y) * q->per_z_max;
    *rounding = 4e-16 * q->z_max;
    return y - q->y0 - q->k * (1.0 - alpha * y * q->per_z_max);
}

/* With v held the deflection y in the direction of motion first grows elastically (exact), then
 * passes the blend (two-stage diagonally implicit Runge-Kutta, L-stable, order 2, kept inside
 * [y, z_max]); above z_max it relaxes exponentially (exact). */
STEP(elasto_plastic) {
    enum { MU_C, MU_S, V_S, GAMMA, SIGMA0, SIGMA1, SIGMA2, Z_BA, AS_PRINTED };
    const real zero = law_number(0.0), one = law_number(1.0), d = STEP_DIRECTION;
    const real level =
        p[MU_C] + (p[MU_S] - p[MU_C]) * STEP_DECAY(p[V_S], p[GAMMA], STEP_SPEED, NULL);
    const real z_max = STEP_N * level / p[SIGMA0], elastic = law_min(p[Z_BA], 0.99 * z_max);
    const truth moves = law_ne(d, zero);
    real y = d * z[0], path = h * law_abs(STEP_V);
    real part = law_if(law_lt(y, elastic), law_min(path, elastic - y), zero);
    y = y + part;
    path = path - part;
    const truth above = law_ge(y, z_max);
    const truth blends = law_and(law_and(moves, law_not(above)), law_gt(path, zero));
    real end = y;
    if (law_any(above)) end = law_if(above, law_approach(y, z_max, -path / z_max), end);
    if (law_any(blends)) {
        const double c = 1.0 - 0.70710678118654752440; /* 1 - 1/sqrt(2) */
        truth turned = law_and(law_ne(p[AS_PRINTED], zero), law_lt(d, zero));
        const double pi = 3.14159265358979323846;
        plastic q = {y,          c * path, law_if(turned, -one, one),
                     elastic,    z_max,    pi / (z_max - elastic),
                     1.0 / z_max};
        real first = step_root(plastic_balance, &q, y, y, z_max, blends);
        real rate = (first - y) / c; /* path times the rate of the first stage */
        q.y0 = law_min(y + (1.0 - c) * rate, z_max);
        end = law_if(blends, step_root(plastic_balance, &q, q.y0, q.y0, z_max, blends), end);
    }
    z[0] = law_if(moves, d * end, z[0]);
    return STEP_FORCE;
}

/* ---- bristle_second_order ---------------------------------------------------------------------
 */

/* Backward Euler in w with the shift dv of the start of the step: a scalar equation
 * m_b (w - w0) = h (F_R(v - w + dv) - sigma0 (z0 + h w) - sigma1 w) whose left minus right side
 * passes from negative to positive between the two bounds of F_R, the regularised curve. */
typedef struct second_order {
    STEP_CONTACT
    const real *p;
    real stiff, known, n, v, per_v_r; /* v with its shift; 1/v_r */
    double h;
} second_order;

enum { SO_MU_C, SO_MU_S, SO_V_S, SO_GAMMA, SO_NU, SO_V_R, SO_SIGMA0, SO_SIGMA1 };

/* F_R per unit of load at the slip s, and its slope. */
STEP_INLINE real second_order_mu(const second_order *q, real s, real *slope) {
    const real *p = q->p;
    real zero = law_number(0.0), over = law_abs(s) - p[SO_V_R], r = s * q->per_v_r, by;
    truth steep = law_lt(over, zero);
    real mu = p[SO_MU_S] * r * (2.0 - law_abs(r));
    *slope = p[SO_MU_S] * 2.0 * (1.0 - law_abs(r)) * q->per_v_r;
    if (law_any(law_not(steep))) {
        real fall = p[SO_MU_S] - p[SO_MU_C];
        real level =
            p[SO_MU_C] + fall * STEP_DECAY_OF(q, p[SO_V_S], p[SO_GAMMA], law_max(over, zero), &by);
        *slope = law_if(steep, *slope, by * fall + p[SO_NU]);
        mu = law_if(steep, mu, law_sign(s) * (level + p[SO_NU] * over));
    }
    return mu;
}

STEP_INLINE real second_order_balance(const void *of, real w, real *slope, real *rounding) {
    const second_order *q = of;
    real by, F = q->n * second_order_mu(q, q->v - w, &by);
    *slope = q->stiff + q->h * q->n * by;
    *rounding = 2e-16 * (law_abs(q->stiff * w) + law_abs(q->known) + law_abs(q->h * F));
    return q->stiff * w - q->known - q->h * F;
}

STEP(bristle_second_order) {
    const real s0 = p[SO_SIGMA0], s1 = p[SO_SIGMA1], mass = 0.25 * s1 * s1 / s0;
    const real stiff = mass + h * (s1 + h * s0), known = mass * z[1] - h * s0 * z[0];
    const truth loaded = law_not(law_lt(STEP_N, law_number(1e-30)));
    real w = known / stiff, F = law_number(0.0); /* without friction */
    if (law_any(loaded)) {
        real F0 = s0 * z[0] + s1 * STEP_V, by;
        real rest = law_max(1.0 - law_abs(F0) / (p[SO_MU_S] * STEP_N), law_number(0.0));
        real dv = law_sign(F0) * p[SO_V_R] * (1.0 - law_sqrt(rest));
        real most = p[SO_MU_S] + p[SO_NU] * (law_abs(STEP_V) + law_abs(w) + p[SO_V_R]);
        real far = h * STEP_N * most / stiff;
        second_order q = {STEP_HERE p, stiff, known, STEP_N, STEP_V + dv, 1.0 / p[SO_V_R], h};
        w = step_root(second_order_balance, &q, w, w - far, w + far, loaded);
        F = law_if(loaded, STEP_N * second_order_mu(&q, q.v - w, &by), F);
    }
    z[0] = z[0] + h * w;
    z[1] = w;
    return F;
}

#undef real
#undef truth
