/* small.c - the inverse of a matrix of at most SMALL rows, by Gauss and Jordan.
 *
 * A step of a Rosenbrock method solves with the same matrix six to eight times: the inverse costs
 * little more than the factors, and a product with it has no chain of operations that wait for each
 * other. Columns have the same length in all sizes, so that the loops over rows unroll; what is
 * below the last row stays zero. */
#include "matrix.h"

int small_invert(int n, double *value) {
    for (int k = 0; k < n; k++) {
        double *column = value + k * SMALL, share[SMALL];
        if (!(column[k] > 0.0)) return 0;
        double per_pivot = 1.0 / column[k];
        for (int i = 0; i < SMALL; i++) share[i] = column[i] * per_pivot;
        share[k] = 0.0;
        for (int i = 0; i < SMALL; i++) column[i] = -share[i];
        column[k] = 1.0; /* becomes the reciprocal below */
        for (int j = 0; j < n; j++) {
            double *other = value + j * SMALL, x = other[k];
            if (j != k)
                for (int i = 0; i < SMALL; i++) other[i] -= share[i] * x;
            other[k] = x * per_pivot;
        }
    }
    return 1;
}

void small_multiply(int n, const double *value, double *b) {
    double sum[SMALL] = {0};
    for (int j = 0; j < n; j++)
        for (int i = 0; i < SMALL; i++) sum[i] += value[j * SMALL + i] * b[j];
    for (int i = 0; i < n; i++) b[i] = sum[i];
}
