/* test.h - what every test program shares: cmocka, nearness with a sentence, Halton
 * samples, a loop over the laws. */
#ifndef BRI_TEST_H
#define BRI_TEST_H

#include "bristle.h"
#include "depth.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Fail with a sentence unless |got - want| <= tolerance max(1e-300, |want|); want = 0 makes the
 * tolerance absolute. */
static inline void near(double got, double want, double tolerance, const char *what) {
    double size = want == 0.0 ? 1.0 : fabs(want);
    if (!(fabs(got - want) <= tolerance * size))
        fail_msg("%s: %.17g, expected %.17g within %g", what, got, want, tolerance * size);
}

/* Element k of the Halton sequence in a prime base, in (0, 1). */
static inline double halton(int k, int base) {
    double value = 0.0, digit = 1.0;
    for (int i = k + 1; i > 0; i /= base) {
        digit /= base;
        value += digit * (i % base);
    }
    return value;
}

/* Number k of a sequence that fills (0, 1) evenly, one for each j < 40: for samples with more
 * dimensions than Halton's bases serve well. */
static inline double spread(int k, int j) {
    static const int prime[40] = {2,   3,   5,   7,   11,  13,  17,  19,  23,  29,
                                  31,  37,  41,  43,  47,  53,  59,  61,  67,  71,
                                  73,  79,  83,  89,  97,  101, 103, 107, 109, 113,
                                  127, 131, 137, 139, 149, 151, 157, 163, 167, 173};
    double turn = (k + 1) * sqrt(prime[j % 40]);
    return turn - floor(turn);
}

/* Fail with a sentence that begins with the name of the law. */
#define hold(m, condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            char why_[600];                                                                        \
            snprintf(why_, sizeof why_, __VA_ARGS__);                                              \
            fail_msg("%s: %s", (m)->name, why_);                                                   \
        }                                                                                          \
    } while (0)

/* The laws of the table, then each of them inside the stochastic wrapper; NULL after the last. */
static inline const bri_model *law_at(int i) {
    static bri_stochastic wrapped[64];
    int n = bri_model_count();
    if (i < n) return bri_model_at(i);
    if (i >= 2 * n || i - n >= 64) return NULL;
    bri_stochastic *w = &wrapped[i - n];
    if (!w->inner && bri_stochastic_init(w, bri_model_at(i - n)) != BRI_OK)
        fail_msg("no room for noise on %s", bri_model_at(i - n)->name);
    return &w->model;
}

#endif
