/* kernels.c - the laws on vectors of contacts. Compiled once per instruction set, with
 * BRI_KERNEL_LEVEL as the suffix of the table at the end.
 *
 * Each law is written in the order of operations of its file in src/models, so that the two differ
 * only by what exp, tanh and sin differ. Those files hold the equations and what they mean; the
 * enums here repeat the order of their parameter tables (test_batch compares every one). */
#include "loops.h"

/* ---- what several laws share -------------------------------------------------------------- */

/* exp(-(a/v_s)^gamma), a >= 0 */
INLINE vec decay(vec v_s, vec gamma, vec a, kind k) {
    vec r = quotient(a, v_s, k.shared);
    if (k.exponent == BRI_EXPONENT_2) return exp_minus(r * r);
    if (k.exponent == BRI_EXPONENT_1) return exp_minus(r);
    vec e = exp_minus_power(r, gamma);
    if (k.shared) return e;
    /* contacts of a mixed array get what they would get alone */
    e = where(equal(gamma, splat(1.0)), exp_minus(r), e);
    return where(equal(gamma, splat(2.0)), exp_minus(r * r), e);
}

/* The laws with a Stribeck curve have these four first. */
enum { MU_C, MU_S, V_S, GAMMA };

INLINE vec level(const vec *p, vec e) { return p[MU_C] + (p[MU_S] - p[MU_C]) * e; }

INLINE vec stribeck_level(const vec *p, vec a, kind k) {
    return level(p, decay(p[V_S], p[GAMMA], a, k));
}

INLINE vec approach(vec z, vec target, vec rate_h) { return z - (target - z) * expm1_of(-rate_h); }

INLINE vec relaxation(vec sigma0, vec sigma1) { return most(1e-6, sigma1 / sigma0); }

/* ---- laws without states ------------------------------------------------------------------ */

INLINE vec coulomb_sat(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    enum { K = 1, SAT_KV };
    return p[MU_C] * n * clamp(p[K] * v, splat(1.0)) + p[SAT_KV] * v;
}

INLINE vec coulomb_tanh(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    enum { V_D = 1, CLIPPED, SMOOTHING, TANH_KV };
    vec r = quotient(v, p[V_D], k.shared);
    mask plain = equal(p[CLIPPED], splat(0.0));
    vec t = tanh_of(where(plain, r, clamp(r, splat(1.0))));
    return p[MU_C] * n * where(plain, t, quotient(t, splat(0.76159415595576488812), 1)) +
           p[TANH_KV] * v;
}

INLINE vec stribeck_sat(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    enum { K = GAMMA + 1, KV };
    vec g = stribeck_level(p, magnitude(v), k);
    return g * n * clamp(p[K] * v, splat(1.0)) + p[KV] * v;
}

INLINE vec stribeck_tanh(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    enum { K = GAMMA + 1, KV };
    vec g = stribeck_level(p, magnitude(v), k);
    return g * n * tanh_of(p[K] * v) + p[KV] * v;
}

enum { NU = GAMMA + 1, V_R, REGULARIZED_PARAMS };

INLINE vec regularized_mu(const vec *p, vec s, kind k) {
    vec over = magnitude(s) - p[V_R], r = quotient(s, p[V_R], k.shared);
    vec inside = p[MU_S] * r * (2.0 - magnitude(r));
    vec outside = stribeck_level(p, most(0.0, over), k) + p[NU] * over;
    return where(less(over, splat(0.0)), inside, with_sign(outside, s));
}

INLINE vec regularized(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    return n * regularized_mu(p, v, k);
}

/* ---- bristles ----------------------------------------------------------------------------- */

enum { DAHL_SIGMA0 = 1, DAHL_KV = 3, DAHL_PARAMS };

INLINE vec dahl_lift(const vec *p) { return splat(1e-6); }

/* exponent 1 only */
INLINE vec dahl_eval(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    vec q = p[DAHL_SIGMA0] * z[0] * sign(v) / (p[MU_C] * n);
    dz[0] = v * (1.0 - q);
    return p[DAHL_SIGMA0] * z[0] + p[DAHL_KV] * v;
}

INLINE vec dahl_step(const vec *p, vec v, vec n, double h, vec *z, kind k) {
    vec limit = p[MU_C] * n / p[DAHL_SIGMA0];
    z[0] = approach(z[0], sign(v) * limit, h * magnitude(v) / limit);
    return p[DAHL_SIGMA0] * z[0] + p[DAHL_KV] * v;
}

enum { DANKOWICZ_DELTA = 1, DANKOWICZ_KV, DANKOWICZ_PARAMS };

INLINE vec dankowicz_lift(const vec *p) { return splat(1e-6); }

INLINE vec dankowicz_eval(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    vec r = quotient(z[0], p[DANKOWICZ_DELTA], k.shared);
    dz[0] = v - magnitude(v) * r;
    return p[MU_C] * n * r + p[DANKOWICZ_KV] * v;
}

INLINE vec dankowicz_step(const vec *p, vec v, vec n, double h, vec *z, kind k) {
    vec delta = p[DANKOWICZ_DELTA];
    z[0] = approach(z[0], sign(v) * delta, quotient(h * magnitude(v), delta, k.shared));
    return p[MU_C] * n * quotient(z[0], delta, k.shared) + p[DANKOWICZ_KV] * v;
}

enum { DELTA = GAMMA + 1, KV, STRIBECK_DANKOWICZ_PARAMS };

INLINE vec stribeck_dankowicz_force(const vec *p, vec v, vec n, vec z, kind k) {
    vec g = stribeck_level(p, magnitude(v), k);
    return g * n * quotient(z, p[DELTA], k.shared) + p[KV] * v;
}

INLINE vec stribeck_dankowicz_eval(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    dz[0] = v - magnitude(v) * quotient(z[0], p[DELTA], k.shared);
    return stribeck_dankowicz_force(p, v, n, z[0], k);
}

INLINE vec stribeck_dankowicz_step(const vec *p, vec v, vec n, double h, vec *z, kind k) {
    z[0] = approach(z[0], sign(v) * p[DELTA], quotient(h * magnitude(v), p[DELTA], k.shared));
    return stribeck_dankowicz_force(p, v, n, z[0], k);
}

/* lugre and elasto_plastic go on with these three. */
enum { SIGMA0 = GAMMA + 1, SIGMA1, SIGMA2, LUGRE_NU, LUGRE_FADE, LUGRE_PARAMS };

INLINE vec lugre_lift(const vec *p) { return relaxation(p[SIGMA0], p[SIGMA1]); }

INLINE vec lugre_ratio(const vec *p, vec n, vec e) { return p[SIGMA0] / (n * level(p, e)); }

INLINE vec lugre_force(const vec *p, vec v, vec n, vec e, vec ratio, vec z, vec *dz) {
    *dz = v - ratio * (magnitude(v) * z);
    vec damping = p[SIGMA1];
    mask steady = equal(p[LUGRE_FADE], splat(0.0));
    if (!all(steady)) damping = where(steady, damping, damping * e);
    return p[SIGMA0] * z + (p[SIGMA2] + p[LUGRE_NU] * n) * v + damping * *dz;
}

INLINE vec lugre_eval(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    vec e = decay(p[V_S], p[GAMMA], magnitude(v), k);
    return lugre_force(p, v, n, e, lugre_ratio(p, n, e), z[0], dz);
}

INLINE vec lugre_step(const vec *p, vec v, vec n, double h, vec *z, kind k) {
    vec e = decay(p[V_S], p[GAMMA], magnitude(v), k), ratio = lugre_ratio(p, n, e), dz;
    z[0] = approach(z[0], sign(v) / ratio, h * magnitude(v) * ratio);
    return lugre_force(p, v, n, e, ratio, z[0], &dz);
}

/* d/da of e = exp(-(a/v_s)^gamma), gamma 1 or 2. */
INLINE vec decay_slope(const vec *p, vec a, vec e, kind k) {
    vec v_s = p[V_S], r = quotient(a, v_s, k.shared);
    if (k.exponent == BRI_EXPONENT_1) return quotient(-e, v_s, k.shared);
    return quotient(-2.0 * r * e, v_s, k.shared);
}

/* d(F, dz/dt)/d(v, z); the mean of both sides at v = 0, as lugre_jac of models/lugre.c. */
INLINE void lugre_jac(const vec *p, vec v, vec n, vec z, vec *J, kind k) {
    vec a = magnitude(v), d = sign(v), e = decay(p[V_S], p[GAMMA], a, k);
    vec de = decay_slope(p, a, e, k), mu = level(p, e), dmu = (p[MU_S] - p[MU_C]) * de;
    vec c = p[SIGMA0] / (n * mu), r = c * z, damping = p[SIGMA1], fading = splat(0.0);
    vec z_v = 1.0 - d * r * (1.0 - a * dmu / mu), z_z = -a * c;
    mask steady = equal(p[LUGRE_FADE], splat(0.0));
    if (!all(steady)) {
        fading = where(steady, fading, p[SIGMA1] * de * d * (v - a * r));
        damping = where(steady, damping, damping * e);
    }
    J[BRI_F_BY_V] = damping * z_v + fading + p[SIGMA2] + p[LUGRE_NU] * n;
    J[BRI_F_BY_Z] = p[SIGMA0] + damping * z_z;
    J[BRI_Z_BY_V] = z_v;
    J[BRI_Z_BY_Z] = z_z;
}

enum { Z_BA = SIGMA2 + 1, ELASTO_PLASTIC_PARAMS };

INLINE vec elasto_plastic_eval(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    vec z_max = quotient(n * stribeck_level(p, magnitude(v), k), p[SIGMA0], k.shared);
    vec y = magnitude(z[0]), limit = 0.99 * z_max,
        z_ba = where(less(p[Z_BA], limit), p[Z_BA], limit);
    vec angle = 3.14159265358979323846 * (y - 0.5 * (z_max + z_ba)) / (z_max - z_ba);
    vec alpha = 0.5 * (1.0 + sin_of(angle));
    alpha = where(less(y, z_ba), splat(0.0), alpha);
    alpha = where(less(y, z_max), alpha, splat(1.0));
    alpha = where(less(splat(0.0), sign(v) * z[0]), alpha, splat(0.0));
    dz[0] = v - alpha * (magnitude(v) * (z[0] / z_max));
    return p[SIGMA0] * z[0] + p[SIGMA1] * dz[0] + p[SIGMA2] * v;
}

enum { GO_SIGMA0 = V_S + 1, GO_SIGMA1, GO_SIGMA2, GO_V_T, GO_TAU_DW, GONTHIER_PARAMS };

INLINE vec gonthier_lift(const vec *p) { return relaxation(p[GO_SIGMA0], p[GO_SIGMA1]); }

INLINE vec gonthier_dir(vec v, vec v_t, kind k) {
    vec r = quotient(v, v_t, k.shared);
    return where(less(magnitude(r), splat(1.0)), r * (1.5 - 0.5 * r * r), sign(v));
}

INLINE vec gonthier_s(const vec *p, vec v, kind k) {
    vec r = quotient(v, p[V_S], k.shared);
    return exp_minus(r * r);
}

INLINE vec gonthier_tau(const vec *p, vec s, vec s_dw) {
    return where(less(s, s_dw), p[GO_SIGMA1] / p[GO_SIGMA0], p[GO_TAU_DW]);
}

INLINE vec gonthier_eval(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    vec s = gonthier_s(p, v, k), s0 = p[GO_SIGMA0], s1 = p[GO_SIGMA1];
    vec slide = quotient(p[MU_C] * n * gonthier_dir(v, p[GO_V_T], k) - s0 * z[0], s1, k.shared);
    dz[0] = s * v + (1.0 - s) * slide;
    dz[1] = (s - z[1]) / gonthier_tau(p, s, z[1]);
    vec limit = n * level(p, z[1]);
    return clamp(s0 * z[0] + s1 * dz[0], limit) + p[GO_SIGMA2] * v;
}

INLINE vec gonthier_step(const vec *p, vec v, vec n, double h, vec *z, kind k) {
    vec s = gonthier_s(p, v, k), slip = 1.0 - s, s0 = p[GO_SIGMA0], s1 = p[GO_SIGMA1], dz[2];
    vec dir = gonthier_dir(v, p[GO_V_T], k), rate_h = quotient(slip * s0, s1, k.shared) * h;
    vec push = s * v + quotient(slip * p[MU_C] * n * dir, s1, k.shared);
    vec gain = -expm1_of(-rate_h) / rate_h;
    gain = where(less(splat(0.0), rate_h), gain, splat(1.0));
    z[0] = z[0] * exp_minus(rate_h) + h * push * gain;
    z[1] = approach(z[1], s, h / gonthier_tau(p, s, z[1]));
    return gonthier_eval(p, v, n, z, dz, k);
}

enum { RILL_SIGMA0 = REGULARIZED_PARAMS, RILL_SIGMA1, BRISTLE_SECOND_ORDER_PARAMS };

INLINE vec bristle_second_order_eval(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k) {
    vec s0 = p[RILL_SIGMA0], s1 = p[RILL_SIGMA1], F0 = s0 * z[0] + s1 * v;
    vec held = root(most(0.0, 1.0 - magnitude(F0) / (p[MU_S] * n)));
    vec dv = sign(F0) * p[V_R] * (1.0 - held);
    vec F = n * regularized_mu(p, v - z[1] + dv, k);
    F = where(less(n, splat(BRI_NO_LOAD)), splat(0.0), F);
    dz[0] = z[1];
    dz[1] = quotient(F - (s0 * z[0] + s1 * z[1]), 0.25 * s1 * s1 / s0, k.shared);
    return F;
}

/* ---- kernels and their table -------------------------------------------------------------- */

/* clang-format off */
KERNEL(coulomb_sat_eval,      eval_loop, coulomb_sat,    NULL,           3,                0, 0)
KERNEL(coulomb_tanh_eval,     eval_loop, coulomb_tanh,   NULL,           5,                0, 0)
KERNEL(dahl_eval_1,           eval_loop, dahl_eval,      dahl_lift,      DAHL_PARAMS,      1, 0)
KERNEL(dahl_step_1,           step_loop, dahl_step,      dahl_lift,      DAHL_PARAMS,      1, 0)
KERNEL(dankowicz_eval_all,    eval_loop, dankowicz_eval, dankowicz_lift, DANKOWICZ_PARAMS, 1, 0)
KERNEL(dankowicz_step_all,    step_loop, dankowicz_step, dankowicz_lift, DANKOWICZ_PARAMS, 1, 0)
KERNEL(gonthier_eval_all,     eval_loop, gonthier_eval,  gonthier_lift,  GONTHIER_PARAMS,  2, 0)
KERNEL(gonthier_step_all,     step_loop, gonthier_step,  gonthier_lift,  GONTHIER_PARAMS,  2, 0)
STRIBECK_KERNELS(stribeck_sat_eval,  eval_loop, stribeck_sat,  NULL, 6, 0)
STRIBECK_KERNELS(stribeck_tanh_eval, eval_loop, stribeck_tanh, NULL, 6, 0)
STRIBECK_KERNELS(regularized_eval,   eval_loop, regularized,   NULL, REGULARIZED_PARAMS, 0)
STRIBECK_KERNELS(stribeck_dankowicz_eval, eval_loop, stribeck_dankowicz_eval, dankowicz_lift, STRIBECK_DANKOWICZ_PARAMS, 1)
STRIBECK_KERNELS(stribeck_dankowicz_step, step_loop, stribeck_dankowicz_step, dankowicz_lift, STRIBECK_DANKOWICZ_PARAMS, 1)
STRIBECK_KERNELS(lugre_eval,          eval_loop, lugre_eval,          lugre_lift, LUGRE_PARAMS,          1)
STRIBECK_KERNELS(lugre_step,          step_loop, lugre_step,          lugre_lift, LUGRE_PARAMS,          1)
KERNEL(lugre_jac_1, jac_loop, lugre_jac, lugre_lift, LUGRE_PARAMS, 1, BRI_EXPONENT_1)
KERNEL(lugre_jac_2, jac_loop, lugre_jac, lugre_lift, LUGRE_PARAMS, 1, BRI_EXPONENT_2)
STRIBECK_KERNELS(elasto_plastic_eval, eval_loop, elasto_plastic_eval, lugre_lift, ELASTO_PLASTIC_PARAMS, 1)
STRIBECK_KERNELS(bristle_second_order_eval, eval_loop, bristle_second_order_eval, NULL, BRISTLE_SECOND_ORDER_PARAMS, 2)

static const bri_kernel_row rows[] = {
    {&bri_coulomb_sat,    -1, 0, {coulomb_sat_eval},   {0}, {0}},
    {&bri_coulomb_tanh,   -1, 3, {coulomb_tanh_eval},  {0}, {0}},
    {&bri_dankowicz,      -1, 0, {dankowicz_eval_all}, {dankowicz_step_all}, {0}},
    {&bri_gonthier,       -1, 8, {gonthier_eval_all},  {gonthier_step_all}, {0}},
    {&bri_dahl,            2, 0, {[BRI_EXPONENT_1] = dahl_eval_1}, {[BRI_EXPONENT_1] = dahl_step_1}, {0}},
    {&bri_stribeck_sat,    GAMMA, 0, STRIBECK_ROW(stribeck_sat_eval),   {0}, {0}},
    {&bri_stribeck_tanh,   GAMMA, 0, STRIBECK_ROW(stribeck_tanh_eval),  {0}, {0}},
    {&bri_regularized,     GAMMA, 0, STRIBECK_ROW(regularized_eval),    {0}, {0}},
    {&bri_elasto_plastic,  GAMMA, 8, STRIBECK_ROW(elasto_plastic_eval), {0}, {0}},
    {&bri_lugre,           GAMMA, 0, STRIBECK_ROW(lugre_eval), STRIBECK_ROW(lugre_step),
     {[BRI_EXPONENT_1] = lugre_jac_1, [BRI_EXPONENT_2] = lugre_jac_2}},
    {&bri_stribeck_dankowicz,   GAMMA, 0, STRIBECK_ROW(stribeck_dankowicz_eval), STRIBECK_ROW(stribeck_dankowicz_step), {0}},
    {&bri_bristle_second_order, GAMMA, 0, STRIBECK_ROW(bristle_second_order_eval), {0}, {0}},
};
/* clang-format on */

#define JOIN(a, b)   a##b
#define TABLE(level) JOIN(bri_kernels_, level)

#define SWEEPS(level)  JOIN(bri_sweeps_, level)
#define ATTEMPT(level) JOIN(bri_lugre_attempt_, level)

extern bri_attempt ATTEMPT(BRI_KERNEL_LEVEL);
extern const bri_kernel_table TABLE(BRI_KERNEL_LEVEL);
extern const bri_sweeps SWEEPS(BRI_KERNEL_LEVEL);
const bri_kernel_table TABLE(BRI_KERNEL_LEVEL) = {
    WIDTH, sizeof rows / sizeof *rows, rows, &SWEEPS(BRI_KERNEL_LEVEL), ATTEMPT(BRI_KERNEL_LEVEL)};
