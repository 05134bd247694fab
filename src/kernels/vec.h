/* vec.h - vectors of doubles. The width follows from the instruction set the file is compiled for.
 * A wider type than the machine has is lowered badly, so it is exactly the native one: 8, 4 or 2
 * doubles. */
#ifndef BRI_VEC_H
#define BRI_VEC_H

#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>
#define WIDTH 8
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define WIDTH 4
#else
#define WIDTH 2
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#endif

typedef double vec __attribute__((vector_size(8 * WIDTH)));
typedef long long flags __attribute__((vector_size(8 * WIDTH))); /* -1: true */
typedef double unaligned_vec __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

INLINE vec load(const double *p) { return *(const unaligned_vec *)p; }
INLINE void store(double *p, vec x) { *(unaligned_vec *)p = x; }
INLINE vec splat(double x) { return x - (vec){0}; }

#endif
