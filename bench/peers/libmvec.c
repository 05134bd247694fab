/* libmvec.c - the loop again, vectorised by gcc with glibc's libmvec. glibc declares its vector
 * functions under -ffast-math only, so they are declared here. */
#include "peers.h"

__attribute__((simd("notinbranch"), const)) double exp(double x);
__attribute__((simd("notinbranch"), const)) double pow(double x, double y);

void libmvec_2(const peer_params *params, size_t count, const double *restrict v,
               const double *restrict z, double *restrict F, double *restrict dz) {
    const peer_params p = *params;
    for (size_t i = 0; i < count; i++) {
        double r = v[i] / p.v_s, e = exp(-r * r);
        double g = p.n * (p.mu_c + (p.mu_s - p.mu_c) * e);
        double rate = v[i] - __builtin_fabs(v[i]) * (p.sigma0 * z[i] / g);
        dz[i] = rate;
        F[i] = p.sigma0 * z[i] + p.sigma1 * rate + p.sigma2 * v[i];
    }
}

void libmvec_any(const peer_params *params, size_t count, const double *restrict v,
                 const double *restrict z, double *restrict F, double *restrict dz) {
    const peer_params p = *params;
    for (size_t i = 0; i < count; i++) {
        double e = exp(-pow(__builtin_fabs(v[i]) / p.v_s, p.gamma));
        double g = p.n * (p.mu_c + (p.mu_s - p.mu_c) * e);
        double rate = v[i] - __builtin_fabs(v[i]) * (p.sigma0 * z[i] / g);
        dz[i] = rate;
        F[i] = p.sigma0 * z[i] + p.sigma1 * rate + p.sigma2 * v[i];
    }
}
