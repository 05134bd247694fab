/* invert.h - the inverse of a small matrix, on whole columns: a step of a Rosenbrock method solves
 * with the same matrix six to eight times. The inverse costs little more than the factors, and a
 * product with it has no chain of operations that wait for each other. */
#ifndef BRI_KERNEL_INVERT_H
#define BRI_KERNEL_INVERT_H

#include "vec.h"

enum { INVERT_MOST = 24 }; /* rows */

/* From row i on, of column k of the unit matrix. */
INLINE vec unit_part(int k, int i) {
    static const double row[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
    vec one = splat(1.0);
    return (vec)((flags)one & (load(row) == splat((double)(k - i))));
}

/* In place, by Gauss and Jordan without exchanges of rows; 0 unless all pivots are positive.
 * Columns are `stride` apart and have `room` rows, whole vectors and a constant at each call;
 * entries end at a band. No element is written alone: a vector that is read right after that would
 * wait for it. */
INLINE int invert_matrix(int n, int room, int stride, int band, double *A) {
    const int vectors = room / WIDTH;
    for (int k = 0; k < n; k++) {
        double *column = A + k * stride, pivot = column[k];
        if (!(pivot > 0.0)) return 0;
        double per_pivot = 1.0 / pivot;
        vec share[INVERT_MOST / WIDTH],
            own[INVERT_MOST / WIDTH]; /* in row k: 1, and what it becomes */
        _Pragma("GCC unroll 6") for (int i = 0; i < vectors; i++) {
            vec one = unit_part(k, i * WIDTH), at = load(column + i * WIDTH);
            vec s = share[i] = (at - pivot * one) * per_pivot + one, o = own[i] = one * per_pivot;
            store(column + i * WIDTH, (one - s) + o);
        }
        int last = k + band < n - 1 ? k + band : n - 1;
        for (int j = 0; j <= last; j++) {
            double *other = A + j * stride;
            vec x = splat(other[k]);
            if (j == k) continue;
            _Pragma("GCC unroll 6") for (int i = 0; i < vectors; i++)
                store(other + i * WIDTH, (load(other + i * WIDTH) - share[i] * x) + own[i] * x);
        }
    }
    return 1;
}

#endif
