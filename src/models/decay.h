/* decay.h - the falling exponential of the Stribeck curve without call or special case, for
 * solvers: the next evaluation of a simulation waits for this number. */
#ifndef BRI_DECAY_H
#define BRI_DECAY_H

#include <stdint.h>
#include <string.h>

extern const double decay_table[128]; /* 2^(-i/128) */

#define DECAY_UNITS 0x1.71547652b82fep+7 /* 128/ln 2: exp(-x) = 2^(-t/128), t = x DECAY_UNITS */

/* p of 2^(-f/128) = 1 + f p(f), |f| <= 1/2, to 1e-16. */
static inline double decay_poly(double f) {
    return (-0x1.62e42fefa3685p-8 + 0x1.ebfbdff82c58fp-17 * f) +
           f * f * (-0x1.c6b09b1799fcbp-26 + 0x1.3b2ab6fba4e77p-35 * f);
}

/* base + top 2^(-t/128), for t >= -DECAY_UNITS. With t = k + f, k an integer and |f| <= 1/2, the
 * table gives 2^(-k/128). The exponential is right to 2e-16 (1 + |t|/DECAY_UNITS) of itself, and
 * does not fall below 2^-1022. */
static inline double decay_to(double base, double top, double t) {
    const double shift = 0x1.8p52, most = 128.0 * 1022.0; /* adding shift rounds to an integer */
    if (t > most) t = most;
    double up = t + shift, f = t - (up - shift), scale;
    uint64_t k, bits;
    memcpy(&k, &up, sizeof k);
    memcpy(&bits, &decay_table[k & 127], sizeof bits);
    bits -= k >> 7 << 52;
    memcpy(&scale, &bits, sizeof scale);
    top *= scale;
    return (base + top) + top * f * decay_poly(f);
}

/* A place on the curve: value = top 2^(-t/128). */
typedef struct decay_place {
    double t, value;
} decay_place;

/* top 2^(-t/128); from a place nearby if that is one, which is sooner done. */
static inline double decay_from(decay_place near, double top, double t) {
    double f = t - near.t;
    if (f >= -0.5 && f <= 0.5) return near.value + near.value * f * decay_poly(f);
    return decay_to(0.0, top, t);
}

#endif
