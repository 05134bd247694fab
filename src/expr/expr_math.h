/* expr_math.h - the functions of the language that the C library lacks. Generated C includes this
 * file and nothing else of src/expr. A law that is exported takes along what it uses: one function,
 * after those it calls, between empty lines. */
#ifndef BRI_EXPR_MATH_H
#define BRI_EXPR_MATH_H

#include <math.h>

#define EXPR_PI_VALUE 3.14159265358979323846

static inline double expr_sign(double x) { return (double)((x > 0.0) - (x < 0.0)); }

static inline double expr_min(double a, double b) { return a < b ? a : b; }

static inline double expr_max(double a, double b) { return a > b ? a : b; }

static inline double expr_clamp(double x, double low, double high) {
    return x > high ? high : x < low ? low : x;
}

static inline double expr_step(double x) {
    double u = expr_clamp(x, 0.0, 1.0);
    return u * u * (3.0 - 2.0 * u);
}

/* Powers that are often asked for need no logarithm. */
static inline double expr_pow(double a, double b) {
    if (b == 0.0) return 1.0;
    if (b == 1.0) return a;
    if (b == -1.0) return 1.0 / a;
    return pow(a, b);
}

/* Derivative number n in r of the guarded power, which for r >= 0 is r^g: what stands in the
 * exponent of a Stribeck curve. Below zero (frozen direction) it goes on as smoothly as g allows:
 * g = 2 as r^2, g = 1 as r down to -1, others as 0. Where a slope is infinite at 0, it is let fall
 * to 0 below r = 1e-12. Powers end at 1e100, where exp(-r^g) has long been zero, so that no
 * product with one becomes infinite. */
static inline double expr_gpow(double r, double g, int n) {
    if (g == 2.0) return n == 0 ? r * r : n == 1 ? 2.0 * r : n == 2 ? 2.0 : 0.0;
    if (g == 1.0) return n == 0 ? (r > -1.0 ? r : -1.0) : n == 1 ? (r > -1.0 ? 1.0 : 0.0) : 0.0;
    if (r <= 0.0) return n > 0 && g == (double)n ? tgamma(g + 1.0) : 0.0;
    double power = expr_min(1e100, pow(r, g));
    for (int k = 0; k < n; k++) power = power * (g - k) / expr_max(r, 1e-12);
    return power;
}

/* The same for n > 0, from the power that is known: derivative number 0. */
static inline double expr_gpow_slope(double power, double r, double g, int n) {
    if (g == 2.0 || g == 1.0 || r <= 0.0) return expr_gpow(r, g, n);
    for (int k = 0; k < n; k++) power = power * (g - k) / expr_max(r, 1e-12);
    return power;
}

#endif
