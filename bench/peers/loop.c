/* loop.c - what a careful programmer writes first. */
#include "peers.h"
#include <math.h>

static inline void contact(const peer_params *p, double e, double v, double z, double *F,
                           double *dz) {
    double g = p->n * (p->mu_c + (p->mu_s - p->mu_c) * e);
    double rate = v - fabs(v) * (p->sigma0 * z / g);
    *dz = rate;
    *F = p->sigma0 * z + p->sigma1 * rate + p->sigma2 * v;
}

void loop_2(const peer_params *params, size_t count, const double *v, const double *z, double *F,
            double *dz) {
    const peer_params p = *params;
    for (size_t i = 0; i < count; i++) {
        double r = v[i] / p.v_s;
        contact(&p, exp(-r * r), v[i], z[i], &F[i], &dz[i]);
    }
}

void loop_any(const peer_params *params, size_t count, const double *v, const double *z, double *F,
              double *dz) {
    const peer_params p = *params;
    for (size_t i = 0; i < count; i++)
        contact(&p, exp(-pow(fabs(v[i]) / p.v_s, p.gamma)), v[i], z[i], &F[i], &dz[i]);
}
