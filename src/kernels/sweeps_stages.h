/* sweeps_stages.h - for sweeps.c: stages of a Rosenbrock method, what lies within its steps, and
 * their error. */
#ifndef BRI_SWEEPS_STAGES_H
#define BRI_SWEEPS_STAGES_H

#include "kernels.h"
#include "vec.h"
#include <math.h>

INLINE void combine_n(int stages, int n, const double *a, const double *C, const double *restrict y,
                      const double *restrict U, size_t stride, double *restrict Y,
                      double *restrict b) {
    for (int k = 0; k < n; k++) {
        double sum = y[k], rest = 0.0;
        _Pragma("GCC unroll 8") for (int j = 0; j < stages; j++) {
            double u = U[(size_t)j * stride + (size_t)k];
            sum += a[j] * u;
            rest += C[j] * u;
        }
        Y[k] = sum;
        b[k] = rest;
    }
}

static void combine(int stages, int n, const double *a, const double *C, const double *y,
                    const double *U, size_t stride, double *Y, double *b) {
    double ca[8], cC[8]; /* copies: the compiler knows that nothing else writes them */
    for (int j = 0; j < stages; j++) ca[j] = a[j], cC[j] = C[j];
    switch (stages) {
    case 1:
        combine_n(1, n, ca, cC, y, U, stride, Y, b);
        break;
    case 2:
        combine_n(2, n, ca, cC, y, U, stride, Y, b);
        break;
    case 3:
        combine_n(3, n, ca, cC, y, U, stride, Y, b);
        break;
    case 4:
        combine_n(4, n, ca, cC, y, U, stride, Y, b);
        break;
    case 5:
        combine_n(5, n, ca, cC, y, U, stride, Y, b);
        break;
    case 6:
        combine_n(6, n, ca, cC, y, U, stride, Y, b);
        break;
    default:
        combine_n(7, n, ca, cC, y, U, stride, Y, b);
        break;
    }
}

INLINE void dense_n(int stages, int rows, int n, const double *H, const double *restrict U,
                    size_t stride, double *restrict D) {
    int k = 0;
    for (; n >= WIDTH && k < n; k += WIDTH) {
        if (k > n - WIDTH) k = n - WIDTH; /* the last vector goes back as far as it must */
        vec sum[3] = {splat(0.0), splat(0.0), splat(0.0)};
        _Pragma("GCC unroll 8") for (int j = 0; j < stages; j++) {
            vec u = load(U + (size_t)j * stride + k);
            _Pragma("GCC unroll 3") for (int r = 0; r < rows; r++) sum[r] += H[r * 8 + j] * u;
        }
        _Pragma("GCC unroll 3") for (int r = 0; r < rows; r++) store(D + r * n + k, sum[r]);
    }
    for (; k < n; k++) {
        double sum[3] = {0.0, 0.0, 0.0};
        _Pragma("GCC unroll 8") for (int j = 0; j < stages; j++)
            _Pragma("GCC unroll 3") for (int r = 0; r < rows; r++) sum[r] +=
            H[r * 8 + j] * U[(size_t)j * stride + (size_t)k];
        for (int r = 0; r < rows; r++) D[r * n + k] = sum[r];
    }
}

static void dense(int rows, int n, const double *H, const double *U, size_t stride, double *D) {
    if (rows == 3) /* Rodas5P */
        dense_n(8, 3, n, H, U, stride, D);
    else
        dense_n(6, 2, n, H, U, stride, D);
}

static void between(int rows, int n, double u, const double *restrict y, const double *restrict D,
                    double *restrict to) {
    const double *change = D + rows * n;
    if (rows == 3)
        for (int k = 0; k < n; k++)
            to[k] = y[k] + u * (change[k] + (1.0 - u) * (D[k] + u * (D[n + k] + u * D[2 * n + k])));
    else
        for (int k = 0; k < n; k++)
            to[k] = y[k] + u * (change[k] + (1.0 - u) * (D[k] + u * D[n + k]));
}

static void close_stage(int n, double per_h, double *restrict U, const double *restrict f, double h,
                        const double *restrict ft) {
    if (ft)
        for (int k = 0; k < n; k++) U[k] = U[k] * per_h + f[k] + h * ft[k];
    else
        for (int k = 0; k < n; k++) U[k] = U[k] * per_h + f[k];
}

static double norm(int n, const double *restrict e, const double *restrict w) {
    double sum[8] = {0}, all = 0.0;
    int k = 0;
    for (; k + 8 <= n; k += 8)
        for (int j = 0; j < 8; j++) sum[j] += e[k + j] * w[k + j] * (e[k + j] * w[k + j]);
    for (; k < n; k++) all += e[k] * w[k] * (e[k] * w[k]);
    for (int j = 0; j < 8; j++) all += sum[j];
    return all;
}

static void sizes(int n, int n_free, const double *restrict y, const double *restrict nominal,
                  double *restrict size) {
    for (int k = 0; k < n; k++) size[k] = fabs(y[k]);
    for (int k = n_free; k < 2 * n_free; k++) size[k] = size[k] > nominal[k] ? size[k] : nominal[k];
}

static void slip_sizes(int n, const double *restrict v, double v_b, const double *restrict floor,
                       double *restrict size) {
    for (int k = 0; k < n; k++) {
        double slip = fabs(v[k] - v_b);
        slip = slip > floor[k] ? slip : floor[k];
        size[k] = slip < size[k] ? slip : size[k];
    }
}

static void weigh(int n, double rtol, double atol, const double *restrict nominal,
                  double *restrict weight) {
    for (int k = 0; k < n; k++) {
        double size = rtol * weight[k], least_size = atol * nominal[k];
        weight[k] = 1.0 / (size > least_size ? size : least_size);
    }
}

#endif
