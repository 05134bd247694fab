/* vecmath.h - vectors of doubles of the native width and the functions the friction laws need on
 * them: exp, expm1, log, pow, tanh, sin, atan.
 *
 * Those that end with _minus, _power and sin_of take what the laws mostly need (exp of what is not
 * positive, sin within a quarter turn) without special cases; the others take every number. Results
 * are within 0.6 units in the last place for exp and pow, 1 for expm1, log, sin and atan, 2 for
 * tanh. NaN in gives NaN out. */
#ifndef BRI_VECMATH_H
#define BRI_VECMATH_H

#include "vec.h"

typedef unsigned long long bits __attribute__((vector_size(8 * WIDTH)));

/* ---- what vector types do not offer by themselves ----------------------------------------- */

/* muladd(a, b, c) is a b + c, fused where the machine can. least and most return x if it is NaN;
 * smaller is a < b ? a : b, larger a > b ? a : b. which: a bit for each element. */
#if WIDTH == 8
typedef __mmask8 mask;
INLINE vec muladd(vec a, vec b, vec c) { return _mm512_fmadd_pd(a, b, c); }
INLINE vec least(double limit, vec x) { return _mm512_min_pd(splat(limit), x); }
INLINE vec most(double limit, vec x) { return _mm512_max_pd(splat(limit), x); }
INLINE vec root(vec x) { return _mm512_sqrt_pd(x); }
INLINE vec smaller(vec a, vec b) { return _mm512_min_pd(a, b); }
INLINE vec larger(vec a, vec b) { return _mm512_max_pd(a, b); }
INLINE mask less(vec a, vec b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
INLINE mask at_most(vec a, vec b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
INLINE mask both(mask a, mask b) { return (mask)(a & b); }
INLINE mask either(mask a, mask b) { return (mask)(a | b); }
INLINE mask none_of(mask a) { return (mask)~a; }
INLINE mask equal(vec a, vec b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
INLINE vec where(mask m, vec yes, vec no) { return _mm512_mask_blend_pd(m, no, yes); }
INLINE vec zero_where(mask m, vec x) { return _mm512_maskz_mov_pd((mask)~m, x); }
INLINE vec only_where(mask m, vec x) { return _mm512_maskz_mov_pd(m, x); }
INLINE int all(mask m) { return m == 0xff; }
INLINE int any(mask m) { return m != 0; }
INLINE unsigned which(mask m) { return m; }
#elif WIDTH == 4
typedef __m256d mask;
INLINE vec muladd(vec a, vec b, vec c) { return _mm256_fmadd_pd(a, b, c); }
INLINE vec least(double limit, vec x) { return _mm256_min_pd(splat(limit), x); }
INLINE vec most(double limit, vec x) { return _mm256_max_pd(splat(limit), x); }
INLINE vec root(vec x) { return _mm256_sqrt_pd(x); }
INLINE vec smaller(vec a, vec b) { return _mm256_min_pd(a, b); }
INLINE vec larger(vec a, vec b) { return _mm256_max_pd(a, b); }
INLINE mask less(vec a, vec b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
INLINE mask at_most(vec a, vec b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
INLINE mask both(mask a, mask b) { return _mm256_and_pd(a, b); }
INLINE mask either(mask a, mask b) { return _mm256_or_pd(a, b); }
INLINE mask none_of(mask a) { return (mask) ~(bits)a; }
INLINE mask equal(vec a, vec b) { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
INLINE vec where(mask m, vec yes, vec no) { return _mm256_blendv_pd(no, yes, m); }
INLINE vec zero_where(mask m, vec x) { return _mm256_andnot_pd(m, x); }
INLINE vec only_where(mask m, vec x) { return _mm256_and_pd(m, x); }
INLINE int all(mask m) { return _mm256_movemask_pd(m) == 0xf; }
INLINE int any(mask m) { return _mm256_movemask_pd(m) != 0; }
INLINE unsigned which(mask m) { return (unsigned)_mm256_movemask_pd(m); }
#else
typedef bits mask;
INLINE vec muladd(vec a, vec b, vec c) { return a * b + c; }
INLINE mask less(vec a, vec b) { return (mask)(a < b); }
INLINE mask at_most(vec a, vec b) { return (mask)(a <= b); }
INLINE mask both(mask a, mask b) { return a & b; }
INLINE mask either(mask a, mask b) { return a | b; }
INLINE mask none_of(mask a) { return ~a; }
INLINE mask equal(vec a, vec b) { return (mask)(a == b); }
INLINE vec where(mask m, vec yes, vec no) { return (vec)((m & (bits)yes) | (~m & (bits)no)); }
INLINE vec zero_where(mask m, vec x) { return (vec)(~m & (bits)x); }
INLINE vec only_where(mask m, vec x) { return (vec)(m & (bits)x); }
INLINE int all(mask m) { return (m[0] & m[1]) != 0; }
INLINE int any(mask m) { return (m[0] | m[1]) != 0; }
INLINE unsigned which(mask m) { return (m[0] != 0) | (unsigned)(m[1] != 0) << 1; }
#if defined(__SSE2__)
INLINE vec least(double limit, vec x) { return _mm_min_pd(splat(limit), x); }
INLINE vec most(double limit, vec x) { return _mm_max_pd(splat(limit), x); }
INLINE vec root(vec x) { return _mm_sqrt_pd(x); }
INLINE vec smaller(vec a, vec b) { return _mm_min_pd(a, b); }
INLINE vec larger(vec a, vec b) { return _mm_max_pd(a, b); }
#else
INLINE vec smaller(vec a, vec b) { return where(less(a, b), a, b); }
INLINE vec larger(vec a, vec b) { return where(less(b, a), a, b); }
INLINE vec least(double limit, vec x) { return where(less(splat(limit), x), splat(limit), x); }
INLINE vec most(double limit, vec x) { return where(less(x, splat(limit)), splat(limit), x); }
INLINE vec root(vec x) { return (vec){__builtin_sqrt(x[0]), __builtin_sqrt(x[1])}; }
#endif
#endif

#if WIDTH > 2
/* What is lost when a b is rounded to ab. */
INLINE vec product_rest(vec a, vec b, vec ab) { return muladd(a, b, -ab); }
#else
/* Dekker's splitting: the halves of a factor multiply exactly. */
INLINE vec upper_half(vec a) {
    vec c = 134217729.0 * a; /* 2^27 + 1 */
    return c - (c - a);
}
INLINE vec product_rest(vec a, vec b, vec ab) {
    vec ah = upper_half(a), bh = upper_half(b), al = a - ah, bl = b - bh;
    return ((ah * bh - ab) + ah * bl + al * bh) + al * bl;
}
#endif

/* a/b. Where b is the same for all contacts its reciprocal is computed once, outside of the loop;
 * the remainder then makes the quotient the correctly rounded one (Markstein). */
INLINE vec quotient(vec a, vec b, int shared) {
#if WIDTH > 2
    if (shared) {
        vec reciprocal = 1.0 / b, q = a * reciprocal;
        return muladd(muladd(-q, b, a), reciprocal, q);
    }
#endif
    (void)shared;
    return a / b;
}

/* a/b and the root of x >= 0 to four digits, for what need not be known better: a division keeps
 * the machine longer than ten products. */
#if WIDTH == 8
INLINE vec rough_quotient(vec a, vec b) { return a * _mm512_rcp14_pd(b); }
INLINE vec rough_root(vec x) { return x * _mm512_rsqrt14_pd(larger(x, splat(1e-300))); }
#else
INLINE vec rough_quotient(vec a, vec b) { return a / b; }
INLINE vec rough_root(vec x) { return root(x); }
#endif

/* ---- signs and clips ---------------------------------------------------------------------- */

INLINE vec magnitude(vec x) { return (vec)((bits)x & ~(bits)splat(-0.0)); }

/* |x| with the sign of s. */
INLINE vec with_sign(vec x, vec s) {
    bits sign = (bits)splat(-0.0);
    return (vec)(((bits)x & ~sign) | ((bits)s & sign));
}

/* -1, 0 or +1. */
INLINE vec sign(vec x) { return zero_where(equal(x, splat(0.0)), with_sign(splat(1.0), x)); }

INLINE vec clamp(vec x, vec limit) {
    return where(less(limit, magnitude(x)), with_sign(limit, x), x);
}

/* ---- exponentials ------------------------------------------------------------------------- */

/* Polynomials are interpolated at Chebyshev nodes. They are cut into short pieces that the machine
 * computes side by side: long chains of operations limit the speed. */
static const double round_magic = 6755399441055744.0; /* 1.5 2^52: adding it rounds to integers */

/* exp(y + y_low) = scale (1 + part): y = n ln 2 + f, scale = 2^n, part = exp(f) - 1 within 1.3e-17.
 * What rounding takes from f is added to part in the end. */
typedef struct exponential {
    vec scale, part;
} exponential;

INLINE exponential exponential_of(vec y, vec y_low) {
    static const double c[] = {0.50000000000000011,    0.16666666666666669,
                               0.041666666666624164,   0.008333333333330065,
                               0.0013888888917197209,  0.00019841269863040922,
                               2.4801521321606647e-05, 2.7557268479724004e-06,
                               2.7620076242527254e-07, 2.5100376111361421e-08};
    vec rounded = muladd(y, splat(1.4426950408889634), splat(round_magic)),
        n = rounded - round_magic;
#if WIDTH > 2
    vec f = muladd(n, splat(-0.69314718055994529), y), x = f;
    vec low = muladd(n, splat(-2.3190468138462996e-17), y_low);
    low = muladd(low, f, low);
#else /* n times the high part of ln 2 has to be exact by itself */
    vec f = y - n * 0.69314718055920821, low = y_low - n * 7.3710025651677989e-13, x = f + low;
#endif
    vec x2 = x * x, x4 = x2 * x2, sum[5];
    for (int i = 0; i < 5; i++) sum[i] = muladd(splat(c[2 * i + 1]), x, splat(c[2 * i]));
    vec tail = muladd(sum[4], x4, muladd(sum[3], x2, sum[2]));
    vec rest = muladd(x2, muladd(tail, x4, muladd(sum[1], x2, sum[0])), low);
    /* the smallest normal scale stands for zero */
    return (exponential){(vec)(((bits)rounded + 1023) << 52) - 0x1p-1022, f + rest};
}

#if WIDTH == 8
/* clang-format off */
static const double sixteenths[16] = { /* 2^(j/16) */
    1, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916,
    1.189207115002721, 1.241857812073484, 1.2968395546510096, 1.3542555469368927,
    1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543,
    1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474};
static const double sixteenths_error[16] = { /* relative */
    0, 8.1893176381955148e-17, -2.7939114859515733e-17, 7.8265732586360762e-17,
    3.3484623336251524e-17, 3.7508542013031272e-17, 1.9572585293112036e-17, 5.68648095791174e-17,
    -6.835808657661922e-17, -2.3591094770850053e-17, 5.1548301170786783e-17, 1.5341410053603723e-17,
    4.8751605262270617e-17, 1.6854872906289731e-17, 1.7901269076045131e-17, -5.5450656186394267e-17};
/* clang-format on */

/* Entry number n mod 16 of a table that fills two registers. */
INLINE vec look_up(vec n, const double *table) {
    return _mm512_permutex2var_pd(load(table), (__m512i)n, load(table + 8));
}

/* exp(y + y_low) with the sixteenths of n looked up in registers: f is smaller and the polynomial
 * shorter. */
INLINE vec exp_two(vec y, vec y_low) {
    static const double c[] = {0.50000000000000011,   0.16666666666666669,  0.041666666663594906,
                               0.0083333333329920264, 0.001388906345677259, 0.00019841463805378212};
    const double magic = round_magic / 16.0; /* rounds to sixteenths */
    vec rounded = muladd(y, splat(1.4426950408889634), splat(magic));
    vec n = rounded - magic, f = muladd(n, splat(-0.69314718055994529), y), f2 = f * f;
    vec low = muladd(n, splat(-2.3190468138462996e-17), y_low + look_up(rounded, sixteenths_error));
    vec head = muladd(muladd(splat(c[1]), f, splat(c[0])), f2, low);
    vec tail = muladd(muladd(splat(c[5]), f, splat(c[4])), f2, muladd(splat(c[3]), f, splat(c[2])));
    vec rest = muladd(f2 * f2, tail, head);
    vec scale = _mm512_scalef_pd(look_up(rounded, sixteenths), n); /* takes the floor of n */
    return muladd(scale, f + rest, scale);
}
#else
INLINE vec exp_two(vec y, vec y_low) {
    exponential e = exponential_of(y, y_low);
    return muladd(e.scale, e.part, e.scale);
}
#endif

/* exp(-x), x >= 0; the limit is the first x with the result zero. */
INLINE vec exp_minus(vec x) { return exp_two(-least(WIDTH == 8 ? 746.0 : 708.3, x), splat(-0.0)); }

/* exp(y) - 1, y <= 709. */
INLINE vec expm1_of(vec y) {
    exponential e = exponential_of(most(-700.0, y), splat(-0.0));
    return muladd(e.scale, e.part, e.scale - 1.0);
}

/* exp(y) for every y: beyond 709 it is infinite. */
INLINE vec exp_of(vec y) {
    const double limit = WIDTH == 8 ? 746.0 : 708.3;
    vec e = exp_two(most(-limit, least(709.0, y)), splat(-0.0));
    return where(less(splat(709.0), y), splat(__builtin_inf()), e);
}

/* A number in two parts, the larger first. */
typedef struct two_parts {
    vec high, low;
} two_parts;

/* x = 2^k m for normal x > 0, m within sqrt(2) of 1, and with s = (m - 1)/(m + 1)
 * ln m = 2 s + s^3 Q(s^2): the sum Q(s^2). */
typedef struct scaled {
    vec k, m;
} scaled;

INLINE scaled scaled_of(vec x) {
    const bits half = (bits)splat(0.70710678118654752), bias = (bits)splat(1.0);
    bits raw = (bits)x, exponent = (raw - half + bias) >> 52;
    vec k = (vec)(exponent | (bits)splat(4503599627370496.0)) - (4503599627370496.0 + 1023.0);
    return (scaled){k, (vec)(raw - (exponent << 52) + bias)};
}

INLINE vec log_sum(vec s2) {
    static const double q[] = {0.66666666666666696, 0.39999999999899444, 0.2857142862600327,
                               0.22222211130259878, 0.18182889455674947, 0.15331710618210773,
                               0.14616585424888623};
    vec sum = splat(q[6]);
    for (int i = 5; i >= 0; i--) sum = muladd(sum, s2, splat(q[i]));
    return sum;
}

static const double log_high = 0.69314718055920821, log_low = 7.3710025651677989e-13; /* ln 2 */

/* ln x for normal x > 0, to more digits than a double has. */
INLINE two_parts logarithm_of(vec x) {
    scaled of = scaled_of(x);
    vec k = of.k, m = of.m;
    vec up = m - 1.0, down = m + 1.0, inverse = 1.0 / down, s = up * inverse, sd = s * down;
    vec s_low = ((up - sd) - product_rest(s, down, sd) - s * (m - (down - 1.0))) * inverse;
    vec s2 = s * s, sum = log_sum(s2);
    /* each sum with what its rounding loses; the largest term comes first */
    vec a = k * log_high, b = a + 2.0 * s, c = s * s2 * sum, ln = b + c;
    return (two_parts){ln, ((b - ln) + c) + ((a - b) + 2.0 * s) +
                               muladd(k, splat(log_low), 2.0 * s_low)};
}

/* The same rounded: 2 s is f - s f, f = m - 1 without an error, so that the quotient adds little of
 * its own. */
INLINE vec rounded_log(vec x) {
    scaled of = scaled_of(x);
    vec f = of.m - 1.0, s = f / (of.m + 1.0), s2 = s * s;
    vec rest = s * (f - s2 * log_sum(s2));
    return of.k * log_high + (f - (rest - of.k * log_low));
}

/* exp(g ln), cut where g ln leaves low ... high. */
INLINE vec power_of_log(two_parts ln, vec g, double low, double high) {
    vec t = g * ln.high, t_low = product_rest(g, ln.high, t) + g * ln.low, y = t + t_low;
    return exp_two(most(low, least(high, y)), (t - y) + t_low);
}

/* x^g for x > 0. */
INLINE vec power_between(vec x, vec g, double low, double high) {
    return power_of_log(logarithm_of(most(1e-300, x)), g, low, high);
}

/* exp(-x^g) for x >= 0, 0.1 <= g <= 20; an error of g ln x grows x^g times. The limits only cut
 * where the result is 1 or 0 anyway. */
INLINE vec exp_minus_power(vec x, vec g) { return exp_minus(power_between(x, g, -80.0, 7.0)); }

/* A function of libm for the few elements that the others do not take. */
#define BY_ELEMENT(result, odd, element)                                                           \
    if (__builtin_expect(any(odd), 0)) {                                                           \
        vec by_libm = (result);                                                                    \
        for (int i = 0; i < WIDTH; i++) by_libm[i] = (element);                                    \
        (result) = where(odd, by_libm, result);                                                    \
    }

/* Nonzero elements are not within [1e-300, 1e300], or are no numbers. */
INLINE mask beyond(vec x) {
    return none_of(both(at_most(splat(1e-300), x), at_most(x, splat(1e300))));
}

INLINE vec log_of(vec x) {
    vec r = rounded_log(x);
    BY_ELEMENT(r, beyond(x), __builtin_log(x[i]))
    return r;
}

/* ln(1 + x): what the sum loses is put back. */
INLINE vec log1p_of(vec x) {
    vec u = 1.0 + x;
    two_parts ln = logarithm_of(u);
    vec r = ln.high + (ln.low + (x - (u - 1.0)) / u);
    BY_ELEMENT(r, beyond(u), __builtin_log1p(x[i]))
    return r;
}

/* a^b; outside of what doubles hold, and for a <= 0, by libm. */
INLINE vec pow_of(vec a, vec b) {
    two_parts ln = logarithm_of(most(1e-300, a));
    vec r = power_of_log(ln, b, -708.0, 709.0);
    mask odd = either(beyond(a), none_of(at_most(magnitude(b * ln.high), splat(705.0))));
    BY_ELEMENT(r, odd, __builtin_pow(a[i], b[i]))
    return r;
}

/* ---- tanh and sin ------------------------------------------------------------------------- */

/* With t = expm1(+-2|x|), the sign that keeps the digits on either side of |x| = 1. */
INLINE vec tanh_of(vec x) {
    vec a = least(20.0, magnitude(x));
    mask small = less(a, splat(1.0));
    vec t = expm1_of(where(small, -2.0 * a, 2.0 * a));
    vec r = where(small, -t, splat(2.0)) / (t + 2.0);
    return with_sign(where(small, r, 1.0 - r), x);
}

/* |x| <= pi/2; error of the polynomial 4e-17. */
INLINE vec sin_of(vec x) {
    static const double c[] = {-0.16666666666666666,    0.0083333333333333159,
                               -0.00019841269841254974, 2.7557319219162993e-06,
                               -2.5052107616965613e-08, 1.6058977310482129e-10,
                               -7.6439702335202908e-13, 2.7314439779805667e-15};
    vec x2 = x * x, sum = splat(c[7]);
    for (int i = 6; i >= 0; i--) sum = muladd(sum, x2, splat(c[i]));
    return muladd(x * x2, sum, x);
}

/* sin(x + quarter pi/2), quarter 0 or 1: x less a multiple of pi, held in parts. */
INLINE vec turned_sin(vec x, double quarter) {
    const double half = 0.5 * quarter, per_pi = 0.31830988618379067;
    vec turns = quarter == 0.0 ? muladd(x, splat(per_pi), splat(round_magic))
                               : (x * per_pi + half) + round_magic;
    vec n = (turns - round_magic) - half;
#if WIDTH > 2 /* products are exact in sums */
    vec r = muladd(-n, splat(1.2246467991473532e-16), muladd(-n, splat(3.141592653589793116), x));
#else
    const double a = 3.1415926534682512, b = 1.2154201012607932e-10, c = 4.044532497591901e-21;
    vec r = muladd(-n, splat(c), muladd(-n, splat(b), muladd(-n, splat(a), x)));
#endif
    return (vec)((bits)sin_of(r) ^ ((bits)turns << 63)); /* every other half turn is negative */
}

INLINE vec sin_any(vec x) {
    vec r = turned_sin(x, 0.0);
    BY_ELEMENT(r, none_of(at_most(magnitude(x), splat(1e5))), __builtin_sin(x[i]))
    return r;
}

INLINE vec cos_any(vec x) {
    vec r = turned_sin(x, 1.0);
    BY_ELEMENT(r, none_of(at_most(magnitude(x), splat(1e5))), __builtin_cos(x[i]))
    return r;
}

/* atan x = atan t, pi/4 + atan t or pi/2 - ..., |t| <= tan(pi/8); error of the polynomial 7e-18. */
INLINE vec atan_of(vec x) {
    static const double c[] = {-0.3333333333333333,  0.1999999999999552,   -0.14285714284666534,
                               0.11111111015255669,  -0.09090904578095735, 0.07692183190171728,
                               -0.06664511438164644, 0.05858148832731273,  -0.05085449318930035,
                               0.039231646190551486, -0.019176872294336067};
    vec a = magnitude(x);
    mask steep = less(splat(1.0), a);
    vec y = where(steep, 1.0 / a, a);
    mask large = less(splat(0.41421356237309503), y);
    vec t = where(large, (y - 1.0) / (y + 1.0), y), t2 = t * t, sum = splat(c[10]);
    for (int i = 9; i >= 0; i--) sum = muladd(sum, t2, splat(c[i]));
    vec r = muladd(t * t2, sum, t);
    r = where(large, 0.78539816339744828 + (r + 3.061616997868383e-17), r);
    r = where(steep, 1.5707963267948966 - (r - 6.123233995736766e-17), r);
    return with_sign(r, x);
}

#endif
