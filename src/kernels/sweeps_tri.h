/* sweeps_tri.h - for sweeps.c: tridiagonal matrices. The recurrences are written for fused
 * operations. */
#ifndef BRI_SWEEPS_TRI_H
#define BRI_SWEEPS_TRI_H

#include "vec.h"
#include <math.h>

/* a - b c */
INLINE double less_product(double a, double b, double c) {
#if WIDTH > 2
    return __builtin_fma(-b, c, a);
#else
    return a - b * c;
#endif
}

/* The least part of a diagonal entry that a pivot may be. */
static const double LEAST = 1e-8;

/* From both ends to the middle m: two chains of operations that do not wait for each other. What
 * is left: the reciprocals of the pivots; above and below the factors of both sweeps. */
static int tri_factor(int n, double *d, double *below, double *above) {
    int m = n / 2;
    int bad = !(d[0] > 0.0 && d[n - 1] > 0.0);
    double i_top = 1.0 / d[0], i_end = 1.0 / d[n - 1];
    d[0] = i_top;
    d[n - 1] = i_end;
    for (int i = 1, j = n - 2; i < m || j > m; i++, j--) {
        if (i < m) {
            double up = above[i - 1], factor = below[i] * i_top;
            double pivot = less_product(d[i], factor, up);
            bad |= !(pivot > LEAST * fabs(d[i]));
            below[i] = factor;
            above[i - 1] = up * i_top;
            i_top = 1.0 / pivot;
            d[i] = i_top;
        }
        if (j > m) {
            double down = below[j + 1], factor = above[j] * i_end;
            double pivot = less_product(d[j], factor, down);
            bad |= !(pivot > LEAST * fabs(d[j]));
            above[j] = factor;
            below[j + 1] = down * i_end;
            i_end = 1.0 / pivot;
            d[j] = i_end;
        }
    }
    double up = above[m - 1], pivot = d[m], first = below[m] * i_top;
    pivot = less_product(pivot, first, up);
    above[m - 1] = up * i_top;
    below[m] = first;
    if (m + 1 < n) {
        double down = below[m + 1], second = above[m] * i_end;
        pivot = less_product(pivot, second, down);
        below[m + 1] = down * i_end;
        above[m] = second;
    }
    bad |= !(pivot > LEAST * fabs(d[m]));
    d[m] = 1.0 / pivot;
    return !bad;
}

static void tri_solve(int n, const double *restrict d, const double *restrict below,
                      const double *restrict above, double *restrict b) {
    int m = n / 2, i = 1, j = n - 2;
    double top = b[0], end = b[n - 1];
    for (; i < m && j > m; i++, j--) {
        top = b[i] = less_product(b[i], below[i], top);
        end = b[j] = less_product(b[j], above[j], end);
    }
    for (; i < m; i++) top = b[i] = less_product(b[i], below[i], top);
    for (; j > m; j--) end = b[j] = less_product(b[j], above[j], end);
    double x = less_product(b[m], below[m], top);
    if (m + 1 < n) x = less_product(x, above[m], end);
    top = end = b[m] = x * d[m];
    for (i = m - 1, j = m + 1; i >= 0 && j < n; i--, j++) {
        top = b[i] = less_product(b[i] * d[i], above[i], top);
        end = b[j] = less_product(b[j] * d[j], below[j], end);
    }
    for (; i >= 0; i--) top = b[i] = less_product(b[i] * d[i], above[i], top);
    for (; j < n; j++) end = b[j] = less_product(b[j] * d[j], below[j], end);
}

#endif
