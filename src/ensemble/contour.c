/* contour.c - marching squares. */
#include "ensemble.h"

#include <math.h>

typedef struct corner {
    double x, y, z;
} corner;

/* Where the side from a to b crosses the level; 0: it does not. */
static int crosses(const corner *a, const corner *b, double level, double *x, double *y) {
    if ((a->z < level) == (b->z < level)) return 0;
    double u = (level - a->z) / (b->z - a->z);
    *x = a->x + u * (b->x - a->x);
    *y = a->y + u * (b->y - a->y);
    return 1;
}

int contour(const double *x, int nx, const double *y, int ny, const double *z, double level,
            double *to_x, double *to_y) {
    int count = 0;
    for (int j = 0; j + 1 < ny; j++)
        for (int i = 0; i + 1 < nx; i++) {
            const corner c[4] = {{x[i], y[j], z[j * nx + i]},
                                 {x[i + 1], y[j], z[j * nx + i + 1]},
                                 {x[i + 1], y[j + 1], z[(j + 1) * nx + i + 1]},
                                 {x[i], y[j + 1], z[(j + 1) * nx + i]}};
            double px[4], py[4];
            int n = 0;
            if (!isfinite(c[0].z + c[1].z + c[2].z + c[3].z)) continue;
            for (int k = 0; k < 4; k++) n += crosses(&c[k], &c[(k + 1) % 4], level, &px[n], &py[n]);
            for (int k = 0; k + 1 < n; k += 2) { /* of a saddle two pieces */
                to_x[count] = px[k], to_y[count++] = py[k];
                to_x[count] = px[k + 1], to_y[count++] = py[k + 1];
                to_x[count] = to_y[count] = NAN;
                count++;
            }
        }
    return count;
}
