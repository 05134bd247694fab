/* law_vectors.h - what the generated code of laws on vectors of contacts is written with. Names of
 * a law may be any, so that everything the code calls begins with law_. */
#ifndef BRI_LAW_VECTORS_H
#define BRI_LAW_VECTORS_H

#include "expr/expr_math.h"
#include "loops.h"

#pragma GCC diagnostic ignored "-Wshadow" /* a name of the law may be one of ours */

INLINE vec law_number(double x) { return splat(x); }
INLINE vec law_square(vec x) { return x * x; }
INLINE vec law_abs(vec x) { return magnitude(x); }
INLINE vec law_sign(vec x) { return sign(x); }
/* Of the sliding velocity: with a direction that is frozen, as for a contact alone. */
INLINE vec law_speed_of(vec v, kind k) { return k.frozen ? k.way * v : magnitude(v); }
INLINE vec law_direction_of(vec v, kind k) { return k.frozen ? k.way : sign(v); }
INLINE vec law_min(vec a, vec b) { return smaller(a, b); }
INLINE vec law_max(vec a, vec b) { return larger(a, b); }
INLINE vec law_clamp(vec x, vec low, vec high) { return larger(low, smaller(high, x)); }
INLINE vec law_within(vec x, vec limit) { return clamp(x, limit); }

INLINE mask law_lt(vec a, vec b) { return less(a, b); }
INLINE mask law_gt(vec a, vec b) { return less(b, a); }
INLINE mask law_le(vec a, vec b) { return at_most(a, b); }
INLINE mask law_ge(vec a, vec b) { return at_most(b, a); }
INLINE mask law_eq(vec a, vec b) { return equal(a, b); }
INLINE mask law_ne(vec a, vec b) { return none_of(equal(a, b)); }
INLINE mask law_and(mask a, mask b) { return both(a, b); }
INLINE mask law_or(mask a, mask b) { return either(a, b); }
INLINE mask law_not(mask a) { return none_of(a); }
INLINE int law_any(mask m) { return any(m); }
INLINE vec law_if(mask m, vec yes, vec no) { return where(m, yes, no); }
INLINE vec law_bit(mask m, int i) { return where(m, splat((double)(1u << i)), splat(0.0)); }

INLINE vec law_exp(vec x) { return exp_of(x); }
INLINE vec law_exp_minus(vec x) { return exp_minus(x); }
INLINE vec law_expm1(vec x) { return expm1_of(least(709.0, x)); }
INLINE vec law_log(vec x) { return log_of(x); }
INLINE vec law_log1p(vec x) { return log1p_of(x); }
INLINE vec law_sqrt(vec x) { return root(x); }
INLINE vec law_sin(vec x) { return sin_any(x); }
INLINE vec law_cos(vec x) { return cos_any(x); }
INLINE vec law_sin_quarter(vec x) { return sin_of(x); }        /* |x| <= pi/2 */
INLINE vec law_sin_turns(vec x) { return turned_sin(x, 0.0); } /* |x| <= 1e5 */
INLINE vec law_cos_turns(vec x) { return turned_sin(x, 1.0); }
INLINE vec law_tan(vec x) { return sin_any(x) / cos_any(x); }
INLINE vec law_atan(vec x) { return atan_of(x); }
INLINE vec law_tanh(vec x) { return tanh_of(x); }

/* Divisors that all contacts share leave the loop; a number is always shared. */
__attribute__((unused)) static const kind law_constant = {.shared = 1};
__attribute__((unused)) static const kind law_exponent_1 = {.exponent = BRI_EXPONENT_1,
                                                            .shared = 1};
__attribute__((unused)) static const kind law_exponent_2 = {.exponent = BRI_EXPONENT_2,
                                                            .shared = 1};

INLINE vec law_over(vec a, vec b, kind k) { return quotient(a, b, k.shared); }

/* By what depends on parameters and load. */
INLINE vec law_over_load(vec a, vec b, kind k) { return quotient(a, b, k.shared && !k.own_loads); }

/* Powers that need no logarithm are what they are for a contact alone: see expr_pow(). */
INLINE vec law_pow(vec a, vec b) {
    mask zero = equal(b, splat(0.0)), one = equal(b, splat(1.0)), minus = equal(b, splat(-1.0));
    vec r = a;
    if (any(none_of(either(either(zero, one), minus)))) r = where(one, a, pow_of(a, b));
    r = where(zero, splat(1.0), r);
    return where(minus, 1.0 / a, r);
}

/* ---- the guarded power of the Stribeck curve: see expr_gpow() ------------------------------ */

/* With an exponent of 1, below zero: where the direction is frozen, and only there. */
INLINE vec law_first_power(vec r, kind k) { return k.frozen ? larger(r, splat(-1.0)) : r; }

/* What is computed for any exponent, with the exponents 1 and 2 put in their places: contacts of a
 * mixed array get what they would get alone. */
INLINE vec law_mixed(vec any, vec one, vec two, vec g, kind k) {
    if (k.shared) return any;
    any = where(equal(g, splat(1.0)), one, any);
    return where(equal(g, splat(2.0)), two, any);
}

INLINE vec law_gpow(vec r, vec g, kind k) {
    if (k.exponent == BRI_EXPONENT_1) return law_first_power(r, k);
    if (k.exponent == BRI_EXPONENT_2) return r * r;
    vec any = power_between(r, g, -700.0, 230.0); /* to 1e100 */
    any = where(less(splat(0.0), r), any, splat(0.0));
    return law_mixed(any, law_first_power(r, k), r * r, g, k);
}

/* Slope number n, from the power itself. */
INLINE vec law_gpow_slope(vec power, vec r, vec g, int n, kind k) {
    vec one = splat(n == 1 ? 1.0 : 0.0);
    if (k.frozen) one = where(less(splat(-1.0), r), one, splat(0.0));
    vec two = n == 1 ? 2.0 * r : splat(n == 2 ? 2.0 : 0.0);
    if (k.exponent == BRI_EXPONENT_1) return one;
    if (k.exponent == BRI_EXPONENT_2) return two;
    for (int i = 0; i < n; i++) power = power * (g - (double)i) / larger(r, splat(1e-12));
    if (k.frozen) power = where(less(splat(0.0), r), power, splat(0.0));
    return law_mixed(power, one, two, g, k);
}

/* exp(-gpow(r, g)) */
INLINE vec law_stribeck(vec r, vec g, kind k) {
    if (k.exponent == BRI_EXPONENT_1) return exp_minus(law_first_power(r, k));
    if (k.exponent == BRI_EXPONENT_2) return exp_minus(r * r);
    vec any = exp_minus_power(r, g);
    if (k.frozen) any = where(less(splat(0.0), r), any, splat(1.0));
    return k.shared ? any
                    : law_mixed(any, exp_minus(law_first_power(r, k)), exp_minus(r * r), g, k);
}

/* ---- steps: see models.h -------------------------------------------------------------------- */

INLINE vec law_gain(vec x) {
    x = least(300.0, x);
    return where(less(splat(1e-300), magnitude(x)), expm1_of(x) / x, splat(1.0));
}

INLINE vec law_approach(vec z, vec target, vec x) {
    return z - (target - z) * expm1_of(least(300.0, x));
}

INLINE vec law_settle(vec z, vec target, vec x) { return z - (target - z) * expm1_of(x); }

INLINE vec law_mean_gain(vec x) {
    x = least(300.0, x);
    vec tail = 1.0 / 120.0 + x * (1.0 / 720.0 + x * (1.0 / 5040.0 + x * (1.0 / 40320.0)));
    vec small = 1.0 / 2.0 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * tail));
    vec large = (expm1_of(x) / x - 1.0) / x;
    return where(less(splat(0.02), magnitude(x)), large, small);
}

#endif
