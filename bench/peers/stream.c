/* stream.c - two arrays in, two out. */
#include "peers.h"

void stream(const peer_params *params, size_t count, const double *restrict v,
            const double *restrict z, double *restrict F, double *restrict dz) {
    double a = params->sigma1, b = params->sigma2;
    for (size_t i = 0; i < count; i++) {
        F[i] = a * v[i] + z[i];
        dz[i] = v[i] - b * z[i];
    }
}
