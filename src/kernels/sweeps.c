/* sweeps.c - what a solver does with long arrays, compiled once per instruction set like the laws.
 * Loops are left to the compiler, with fused operations; recurrences are written for them. */
#include "kernels.h"
#include "sweeps_couplings.h"
#include "sweeps_small.h"
#include "sweeps_stages.h"
#include "sweeps_tri.h"

/* ---- contacts ------------------------------------------------------------------------------ */

static void difference(int n, const double *a, int step_a, const double *b, int step_b, double *v) {
    double *restrict to = v;
    if (step_a && step_b)
        for (int i = 0; i < n; i++) to[i] = a[i] - b[i];
    else if (step_a)
        for (int i = 0; i < n; i++) to[i] = a[i] - *b;
    else
        for (int i = 0; i < n; i++) to[i] = *a - b[i];
}

static void push(int n, const double *F, double *a, int step_a, double *b, int step_b) {
    if (a) add_to(n, F, -1.0, a, step_a);
    if (b) add_to(n, F, 1.0, b, step_b);
}

static void condense(int n, double w, const double *J, double *restrict S, double *restrict row,
                     double *restrict gain, double *restrict force) {
    const double *restrict by_v = J + (size_t)BRI_F_BY_V * (size_t)n;
    const double *restrict by_z = J + (size_t)BRI_F_BY_Z * (size_t)n;
    const double *restrict z_v = J + (size_t)BRI_Z_BY_V * (size_t)n;
    const double *restrict z_z = J + (size_t)BRI_Z_BY_Z * (size_t)n;
    for (int i = 0; i < n; i++) {
        double s = 1.0 / (w - z_z[i]), g = z_v[i] * s;
        S[i] = s;
        row[i] = by_z[i] * s;
        gain[i] = g;
        force[i] = by_v[i] + by_z[i] * g;
    }
}

static void state_down(int n, const double *restrict row, const double *restrict S,
                       double *restrict z, double *restrict known) {
    for (int i = 0; i < n; i++) {
        known[i] = row[i] * z[i];
        z[i] *= S[i];
    }
}

static void state_push(int n, const double *restrict row, const double *restrict S,
                       double *restrict z, double *restrict f) {
    for (int i = 0; i < n; i++) {
        f[i] -= row[i] * z[i];
        z[i] *= S[i];
    }
}

static void state_up(int n, const double *restrict gain, const double *restrict d,
                     double *restrict z) {
    for (int i = 0; i < n; i++) z[i] += gain[i] * d[i];
}

/* ---- plain arrays -------------------------------------------------------------------------- */

static void add_times(int n, double s, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] += s * x[i];
}

static void times(int n, const double *restrict x, const double *restrict s, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] = x[i] * s[i];
}

static void solve_start(int n, const double *restrict q, double s, const double *restrict m,
                        const double *restrict v, double *restrict x, double *restrict f) {
    for (int i = 0; i < n; i++) {
        x[i] = q[i] * s;
        f[i] = m[i] * v[i];
    }
}

static void solve_end(int n, const double *restrict x, double s, const double *restrict f,
                      double *restrict q, double *restrict v) {
    for (int i = 0; i < n; i++) {
        q[i] = x[i] + s * f[i];
        v[i] = f[i];
    }
}

static void add_scaled(int n, const double *restrict a, double s, const double *restrict b,
                       double *restrict to) {
    for (int i = 0; i < n; i++) to[i] = a[i] + s * b[i];
}

static void blend(long n, double w, const double *restrict M, const double *restrict C,
                  double per_w, const double *restrict K, double *restrict value) {
    for (long i = 0; i < n; i++) value[i] = w * M[i] + C[i] + per_w * K[i];
}

/* ---- all of them --------------------------------------------------------------------------- */

#define JOIN(a, b)    a##b
#define SWEEPS(level) JOIN(bri_sweeps_, level)

extern const bri_sweeps SWEEPS(BRI_KERNEL_LEVEL);
const bri_sweeps SWEEPS(BRI_KERNEL_LEVEL) = {.invert = invert,
                                             .multiply = multiply,
                                             .flat_solve = flat_solve,
                                             .combine = combine,
                                             .dense = dense,
                                             .between = between,
                                             .close_stage = close_stage,
                                             .pull = pull,
                                             .difference = difference,
                                             .push = push,
                                             .add_times = add_times,
                                             .times = times,
                                             .solve_start = solve_start,
                                             .solve_end = solve_end,
                                             .add_scaled = add_scaled,
                                             .blend = blend,
                                             .condense = condense,
                                             .state_down = state_down,
                                             .state_push = state_push,
                                             .state_up = state_up,
                                             .norm = norm,
                                             .sizes = sizes,
                                             .slip_sizes = slip_sizes,
                                             .weigh = weigh,
                                             .tri_factor = tri_factor,
                                             .tri_solve = tri_solve};
