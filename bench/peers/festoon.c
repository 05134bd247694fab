/* festoon.c - three festoons between an end clamp, two trolleys with friction and a towing trolley.
 * States: x of the trolleys; x, z of the three loads; their velocities; bristles z, w of both. */
#include "problem.h"
#include <math.h>
#include <string.h>

enum { DOF = 8, N = 2 * DOF + 4 };
static const double rope_k = 1e4, rope_c = 15.0, rope_l = 1.0, g = 9.81;
static const double trolley = 0.5, load = 1.75, spacing = 0.51763809020504148;
static const double mu_s = 0.08, mu_c = 0.05, s0 = 4e4, s1 = 180.0, v_a = 7e-3, v_r = 0.14e-3;

/* ---- the towing trolley ----------------------------------------------------------------- */

static const double tow[3][5] = {/* velocity, from, until, rise, fall */
                                 {0.5 / 2.3, 3.0, 6.2, 0.9, 0.9},
                                 {-0.5 / 3.0, 7.7, 12.0, 1.3, 1.3},
                                 {0.8, 14.0, 19.0, 1.0, 0.2}};

static double half_square(double x) { return x > 0.0 ? 0.5 * x * x : 0.0; }
static double positive(double x) { return x > 0.0 ? x : 0.0; }

static void towing(double t, double *x, double *v) {
    *x = 3.0 * spacing;
    *v = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *p = tow[i];
        double a = t - p[1], b = a - p[3], c = t - p[2] + p[4], d = t - p[2];
        *x += p[0] *
              ((half_square(a) - half_square(b)) / p[3] - (half_square(c) - half_square(d)) / p[4]);
        *v += p[0] * ((positive(a) - positive(b)) / p[3] - (positive(c) - positive(d)) / p[4]);
    }
}

/* ---- elements --------------------------------------------------------------------------- */

/* Force with which a rope pulls its first end, f; its derivatives in the difference of the ends, K,
 * and in that of the velocities, D. */
static void rope(double dx, double dz, double wx, double wz, double f[2], double K[4],
                 double D[4]) {
    double L = sqrt(dx * dx + dz * dz), ex = dx / L, ez = dz / L, rate = ex * wx + ez * wz;
    double elastic = rope_k * (L - rope_l), damping = rope_c * rate, T, by_L = rope_k,
           by_rate = rope_c;
    f[0] = f[1] = 0.0;
    if (K) memset(K, 0, 4 * sizeof *K), memset(D, 0, 4 * sizeof *D);
    if (elastic <= 0.0 || damping <= -elastic) return;
    if (damping >= elastic)
        T = 2.0 * elastic, by_L = 2.0 * rope_k, by_rate = 0.0;
    else
        T = elastic + damping;
    f[0] = T * ex;
    f[1] = T * ez;
    if (!K) return;
    const double e[2] = {ex, ez}, w[2] = {wx, wz};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            K[2 * i + j] = by_L * e[i] * e[j] + by_rate * e[i] * (w[j] - rate * e[j]) / L +
                           T * ((i == j) - e[i] * e[j]) / L;
            D[2 * i + j] = by_rate * e[i] * e[j];
        }
}

/* Second-order bristle: force, dw/dt, and by: dF/dv, dF/dn, dF/dz, dF/dw. */
static double bristle(double v, double n, double z, double w, double *dw, double by[4]) {
    double mb = 0.25 * s1 * s1 / s0, F = 0.0;
    if (by) by[0] = by[1] = by[2] = by[3] = 0.0;
    if (n > 0.0) {
        double F0 = s0 * z + s1 * v, level = mu_s * n, share = 1.0 - fabs(F0) / level;
        double root = share > 0.0 ? sqrt(share) : 0.0, sgn = F0 < 0.0 ? -1.0 : 1.0;
        double s = v - w + (F0 == 0.0 ? 0.0 : sgn * v_r * (1.0 - root)), a = fabs(s), mu, slope;
        if (a < v_r) {
            mu = mu_s * (s / v_r) * (2.0 - a / v_r);
            slope = 2.0 * mu_s * (1.0 - a / v_r) / v_r;
        } else {
            double u = (a - v_r) / v_a, e = (mu_s - mu_c) * exp(-u * u);
            mu = (s < 0.0 ? -1.0 : 1.0) * (mu_c + e);
            slope = -e * 2.0 * u / v_a;
        }
        F = n * mu;
        if (by) {
            double shift = root > 1e-8 ? 0.5 * v_r / (root * level) : 0.0;
            slope *= n;
            by[0] = slope * (1.0 + shift * s1);
            by[1] = mu - slope * shift * F0 / n;
            by[2] = slope * shift * s0;
            by[3] = -slope;
        }
    }
    *dw = (F - s0 * z - s1 * w) / mb;
    return F;
}

/* ---- the system ------------------------------------------------------------------------- */

/* Coordinates of the upper end of a rope: trolley 0 is the clamp, 3 the towing trolley. */
static void upper(int i, double t, const double *y, double *x, double *v) {
    *x = *v = 0.0;
    if (i == 3)
        towing(t, x, v);
    else if (i > 0)
        *x = y[i - 1], *v = y[DOF + i - 1];
}

/* Rope r joins trolley (r + 1)/2 with load r/2. */
static void one_rope(int r, double t, const double *y, double f[2], double K[4], double D[4]) {
    int m = 2 + 2 * (r / 2);
    double x, v;
    upper((r + 1) / 2, t, y, &x, &v);
    rope(y[m] - x, y[m + 1], y[DOF + m] - v, y[DOF + m + 1], f, K, D);
}

static void rhs(double t, const double *y, double *dy) {
    double normal[2] = {trolley * g, trolley * g};
    memcpy(dy, y + DOF, DOF * sizeof *dy);
    double *a = dy + DOF;
    for (int i = 0; i < DOF; i++) a[i] = i >= 2 && i % 2 ? -g : 0.0;
    for (int r = 0; r < 6; r++) {
        int top = (r + 1) / 2, m = 2 + 2 * (r / 2);
        double f[2];
        one_rope(r, t, y, f, NULL, NULL);
        a[m] -= f[0] / load;
        a[m + 1] -= f[1] / load;
        if (top == 0 || top == 3) continue;
        a[top - 1] += f[0] / trolley;
        normal[top - 1] -= f[1];
    }
    for (int i = 0; i < 2; i++) {
        double *b = dy + 2 * DOF + 2 * i;
        const double *s = y + 2 * DOF + 2 * i;
        double F = bristle(y[DOF + i], normal[i], s[0], s[1], &b[1], NULL);
        b[0] = s[1];
        a[i] -= F / trolley;
    }
}

#define AT(row, column) J[(column)*N + (row)]

static void jac(double t, const double *y, double *J) {
    double normal[2] = {trolley * g, trolley * g}, dn[2][2 * DOF] = {{0}};
    memset(J, 0, N * N * sizeof *J);
    for (int i = 0; i < DOF; i++) AT(i, DOF + i) = 1.0;
    for (int r = 0; r < 6; r++) {
        int top = (r + 1) / 2, m = 2 + 2 * (r / 2), moves = top == 1 || top == 2;
        double f[2], K[4], D[4];
        one_rope(r, t, y, f, K, D);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                AT(DOF + m + i, m + j) -= K[2 * i + j] / load;
                AT(DOF + m + i, DOF + m + j) -= D[2 * i + j] / load;
            }
        if (!moves) continue;
        int x = top - 1;
        for (int i = 0; i < 2; i++) { /* the load feels the trolley, and the trolley the load */
            AT(DOF + m + i, x) += K[2 * i] / load;
            AT(DOF + m + i, DOF + x) += D[2 * i] / load;
            AT(DOF + x, m + i) += K[i] / trolley;
            AT(DOF + x, DOF + m + i) += D[i] / trolley;
            dn[x][m + i] -= K[2 + i];
            dn[x][DOF + m + i] -= D[2 + i];
        }
        AT(DOF + x, x) -= K[0] / trolley;
        AT(DOF + x, DOF + x) -= D[0] / trolley;
        dn[x][x] += K[2];
        dn[x][DOF + x] += D[2];
        normal[x] -= f[1];
    }
    double mb = 0.25 * s1 * s1 / s0;
    for (int i = 0; i < 2; i++) {
        int z = 2 * DOF + 2 * i, v = DOF + i;
        double dw, by[4];
        bristle(y[v], normal[i], y[z], y[z + 1], &dw, by);
        for (int k = 0; k < 2 * DOF; k++) {
            double F = by[1] * dn[i][k] + (k == v ? by[0] : 0.0);
            AT(v, k) -= F / trolley;
            AT(z + 1, k) += F / mb;
        }
        AT(v, z) -= by[2] / trolley;
        AT(v, z + 1) -= by[3] / trolley;
        AT(z, z + 1) = 1.0;
        AT(z + 1, z) = (by[2] - s0) / mb;
        AT(z + 1, z + 1) = (by[3] - s1) / mb;
    }
}

static void start(double *y) {
    double half = 0.5 * spacing, d = 0.9659258; /* depth at which both ropes carry the load */
    memset(y, 0, N * sizeof *y);
    for (int i = 0; i < 60; i++) {
        double L = sqrt(half * half + d * d), F = 2.0 * rope_k * (L - rope_l) * d / L - load * g;
        double slope = 2.0 * rope_k * (1.0 - rope_l / L + rope_l * d * d / (L * L * L));
        d -= F / slope;
    }
    for (int i = 0; i < 2; i++) y[i] = (i + 1) * spacing;
    for (int i = 0; i < 3; i++) {
        y[2 + 2 * i] = (i + 0.5) * spacing;
        y[3 + 2 * i] = -d;
    }
}

static void out(double t, const double *y, double *o) {
    for (int i = 0; i < 2 * DOF; i++) o[i] = y[i];
}

const problem festoon = {
    .n = N,
    .t_end = 24.0,
    .checks = 48,
    .n_out = 2 * DOF,
    .scale = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    .atol = {1,   1,   1,   1,   1,   1,   1,    1,    0.1,  0.1,
             0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 1e-4, 1e-2, 1e-4, 1e-2},
    .stop = {3.0, 3.9, 5.3, 6.2, 7.7, 9.0, 10.7, 12.0, 14.0, 15.0, 18.8, 19.0},
    .n_stops = 12,
    .start = start,
    .rhs = rhs,
    .jac = jac,
    .out = out,
};
