/* sweeps_small.h - for sweeps.c: small linear systems. */
#ifndef BRI_SWEEPS_SMALL_H
#define BRI_SWEEPS_SMALL_H

#include "invert.h"
#include "kernels.h"
#include "vecmath.h"
#include <string.h>

/* Columns have the same length in all sizes; what is below the last row stays zero. The number of
 * vectors that matter is a constant at each call. */
enum { ROWS = BRI_FLAT_ROWS };
#define VECTORS(k) ((k)*WIDTH < ROWS ? (k) : ROWS / WIDTH) /* no more than there can be */

INLINE int invert_by(int n, int vectors, double *value) {
    return invert_matrix(n, vectors * WIDTH, ROWS, n, value);
}

static int invert(int n, double *value) {
    if (n <= WIDTH) return invert_by(n, 1, value);
    return n <= 2 * WIDTH ? invert_by(n, VECTORS(2), value) : invert_by(n, ROWS / WIDTH, value);
}

/* sum + the columns, each times a number; many of them in two chains of operations. */
INLINE void add_columns(int count, int vectors, const double *column, int stride, const double *by,
                        vec *sum) {
    const int few = count < 4;
    vec odd[4] = {splat(0.0), splat(0.0), splat(0.0), splat(0.0)};
    _Pragma("GCC unroll 16") for (int j = 0; j < count; j++, column += stride) {
        vec times = splat(by[j]), *to = few || j % 2 == 0 ? sum : odd;
        _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) to[i] =
            muladd(load(column + i * WIDTH), times, to[i]);
    }
    if (few) return;
    _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) sum[i] += odd[i];
}

INLINE void multiply_by(int n, int vectors, const double *value, double *b) {
    vec sum[4] = {splat(0.0), splat(0.0), splat(0.0), splat(0.0)};
    double room[ROWS];
    add_columns(n, vectors, value, ROWS, b, sum);
    _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) store(room + i * WIDTH, sum[i]);
    for (int i = 0; i < n; i++) b[i] = room[i];
}

static void multiply(int n, const double *value, double *b) {
    if (n <= WIDTH)
        multiply_by(n, 1, value, b);
    else if (n <= 2 * WIDTH)
        multiply_by(n, VECTORS(2), value, b);
    else
        multiply_by(n, ROWS / WIDTH, value, b);
}

/* The number of velocities is a constant at each call: short loops whose ends are not known cost
 * more than what is in them. */
INLINE void flat_solve_by(const bri_flat *f, int n, double *b) {
    enum { MOST = 16 + 8 };
    const int vectors = (n + WIDTH - 1) / WIDTH, m = f->m;
    vec sum[4] = {splat(0.0), splat(0.0), splat(0.0), splat(0.0)};
    vec x[4] = {splat(0.0), splat(0.0), splat(0.0), splat(0.0)};
    double side[ROWS], v[ROWS], states[MOST], *z = b + 2 * n, per_w = f->per_w;
    add_columns(2 * n, vectors, f->side, ROWS, b, sum);
    add_columns(m, vectors, f->side + 2 * n * ROWS, ROWS, z, sum);
    _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) store(side + i * WIDTH, sum[i]);
    add_columns(n, vectors, f->inverse, ROWS, side, x);
    _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) store(v + i * WIDTH, x[i]);
    for (int r = 0; r < f->under; r += WIDTH) {
        vec state[1] = {splat(0.0)};
        add_columns(n, 1, f->direct + r, f->under, b, state);
        add_columns(m, 1, f->direct + n * f->under + r, f->under, z, state);
        add_columns(n, 1, f->by_v + r, f->under, v, state);
        store(states + r, state[0]);
    }
    _Pragma("GCC unroll 8") for (int i = 0; i < n; i++) {
        b[i] = (b[i] + v[i]) * per_w;
        b[n + i] = v[i];
    }
    if (m == 1)
        z[0] = states[0];
    else
        memcpy(z, states, sizeof *z * (size_t)m);
}

static void flat_solve(const bri_flat *f, double *b) {
    switch (f->n) {
    case 1:
        flat_solve_by(f, 1, b);
        break;
    case 2:
        flat_solve_by(f, 2, b);
        break;
    case 3:
        flat_solve_by(f, 3, b);
        break;
    case 4:
        flat_solve_by(f, 4, b);
        break;
    case 5:
        flat_solve_by(f, 5, b);
        break;
    case 6:
        flat_solve_by(f, 6, b);
        break;
    case 7:
        flat_solve_by(f, 7, b);
        break;
    default:
        flat_solve_by(f, 8, b);
    }
}

#endif
