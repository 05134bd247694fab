/* sleef.c - the loop again, on vectors of the native width with SLEEF's functions. The count is a
 * multiple of the width. */
#include "peers.h"
#include <immintrin.h>
#include <sleef.h>

#if defined(__AVX512F__)
enum { WIDTH = 8 };
typedef __m512d vec;
#define SLEEF_EXP Sleef_expd8_u10avx512f
#define SLEEF_POW Sleef_powd8_u10avx512f
#define LOAD      _mm512_loadu_pd
#define STORE     _mm512_storeu_pd
#define ABS       _mm512_abs_pd
#else
enum { WIDTH = 4 };
typedef __m256d vec;
#define SLEEF_EXP Sleef_expd4_u10avx2
#define SLEEF_POW Sleef_powd4_u10avx2
#define LOAD      _mm256_loadu_pd
#define STORE     _mm256_storeu_pd
#define ABS(x)    _mm256_andnot_pd(_mm256_set1_pd(-0.0), x)
#endif

static inline void contacts(const peer_params *p, vec e, vec v, vec z, double *F, double *dz) {
    vec g = p->n * (p->mu_c + (p->mu_s - p->mu_c) * e);
    vec rate = v - ABS(v) * (p->sigma0 * z / g);
    STORE(dz, rate);
    STORE(F, p->sigma0 * z + p->sigma1 * rate + p->sigma2 * v);
}

void sleef_2(const peer_params *params, size_t count, const double *v, const double *z, double *F,
             double *dz) {
    const peer_params p = *params;
    for (size_t i = 0; i < count; i += WIDTH) {
        vec r = LOAD(v + i) / p.v_s;
        contacts(&p, SLEEF_EXP(-r * r), LOAD(v + i), LOAD(z + i), F + i, dz + i);
    }
}

void sleef_any(const peer_params *params, size_t count, const double *v, const double *z, double *F,
               double *dz) {
    const peer_params p = *params;
    for (size_t i = 0; i < count; i += WIDTH) {
        vec r = ABS(LOAD(v + i)) / p.v_s, gamma = p.gamma - (vec){0};
        contacts(&p, SLEEF_EXP(-SLEEF_POW(r, gamma)), LOAD(v + i), LOAD(z + i), F + i, dz + i);
    }
}
