/* random.h - numbers that look random and depend on nothing but their arguments. */
#ifndef BRI_RANDOM_H
#define BRI_RANDOM_H

#include <stdint.h>

/* A number in [0, 1) from a seed and an index: the finaliser of splitmix64 (Steele, Lea & Flood
 * 2014) on a Weyl sequence of each. */
static inline double bri_random(double seed, double index) {
    uint64_t x = (uint64_t)(int64_t)seed * 0xD1B54A32D192ED03u +
                 (uint64_t)(int64_t)index * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u;
    for (int round = 0; round < 2; round++) {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        x ^= x >> 31;
    }
    return (double)(x >> 11) * 0x1p-53;
}

#endif
