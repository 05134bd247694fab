/* bristles.h - LuGre for rigs with several numbers of it, written out from the paper (Canudas de
 * Wit et al. 1995): dz/dt = v - sigma0 |v| z/g, F = sigma0 z + sigma1 dz/dt, g = Fc + (Fs - Fc)
 * exp(-|v/v_s|^gamma). */
#ifndef BENCH_BRISTLES_H
#define BENCH_BRISTLES_H

#include <math.h>

typedef struct bristles {
    double Fc, Fs, v_s, gamma, sigma0, sigma1; /* gamma: 1 or 2 */
} bristles;

/* by, if it is not NULL: dF/dv, dF/dz, d(dz)/dv, d(dz)/dz. */
static inline double bristles_force(const bristles *b, double v, double z, double *dz,
                                    double by[4]) {
    double a = fabs(v), u = a / b->v_s, power = b->gamma == 2.0 ? u * u : u;
    double e = (b->Fs - b->Fc) * exp(-power), g = b->Fc + e, rate = b->sigma0 * a / g;
    *dz = v - rate * z;
    if (by) {
        double slope = -e * (b->gamma == 2.0 ? 2.0 * u : 1.0) / b->v_s; /* of g by |v| */
        by[2] = 1.0 - (v < 0.0 ? -1.0 : 1.0) * b->sigma0 * z / g * (1.0 - a * slope / g);
        by[3] = -rate;
        by[0] = b->sigma1 * by[2];
        by[1] = b->sigma0 + b->sigma1 * by[3];
    }
    return b->sigma0 * z + b->sigma1 * *dz;
}

#endif
