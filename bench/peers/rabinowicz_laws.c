/* rabinowicz_laws.c - the Rabinowicz rig with four other bristles, written out from the papers.
 * States: x, sliding velocity v, deflection z and, where there is one, a second state s. */
#include "problem.h"
#include <math.h>
#include <string.h>

enum { MOST_N = 4 };
static const double Pi = 3.14159265358979323846;

/* Force and rates of z and s; by, if it is not NULL: derivatives of F, dz/dt and ds/dt in v, z and
 * s. */
typedef double law(double v, const double *z, double *dz, double by[3][3]);

static double side(double v) { return v < 0.0 ? -1.0 : 1.0; }

/* Pennestri et al. 2016, eqs. (7) and (8), exponent 1. */
static double dahl_force(double v, const double *z, double *dz, double by[3][3]) {
    const struct rabinowicz_numbers *n = &rabinowicz_numbers;
    double pull = n->sigma0 / n->Fc;
    dz[0] = v - fabs(v) * pull * z[0];
    if (by) {
        by[0][0] = 0.0;
        by[0][1] = n->sigma0;
        by[1][0] = 1.0 - side(v) * pull * z[0];
        by[1][1] = -fabs(v) * pull;
    }
    return n->sigma0 * z[0];
}

/* Eqs. (13) to (15), with |z| in the sine, as Dupont et al. 2002 have it. */
static double elasto_plastic_force(double v, const double *z, double *dz, double by[3][3]) {
    const struct rabinowicz_numbers *n = &rabinowicz_numbers;
    const double z_ba = 1e-4;
    double a = fabs(v), deep = fabs(z[0]), e = n->rise * exp(-a * n->per_vs);
    double z_max = (n->Fc + e) / n->sigma0, width = z_max - z_ba, alpha = 0.0, by_z = 0.0, by_m = 0;
    if (v * z[0] > 0.0 && deep >= z_max) {
        alpha = 1.0;
    } else if (v * z[0] > 0.0 && deep > z_ba) {
        double turn = Pi * (deep - 0.5 * (z_max + z_ba)) / width;
        alpha = 0.5 * (1.0 + sin(turn));
        by_z = 0.5 * cos(turn) * Pi / width; /* by |z|, and by z_max */
        by_m = by_z * (z_ba - deep) / width;
    }
    double wear = a * z[0] / z_max;
    dz[0] = v - alpha * wear;
    if (by) {
        double m_v = -side(v) * e * n->per_vs / n->sigma0;
        by[1][0] = 1.0 - by_m * m_v * wear - alpha * (side(v) * z[0] / z_max - wear * m_v / z_max);
        by[1][1] = -a / z_max * (alpha + by_z * deep);
        by[0][0] = n->sigma1 * by[1][0];
        by[0][1] = n->sigma0 + n->sigma1 * by[1][1];
    }
    return n->sigma0 * z[0] + n->sigma1 * dz[0];
}

/* Eqs. (20) to (30) with a direction of slope 3/2 at rest; s is the dwell-time variable. */
static double gonthier_force(double v, const double *z, double *dz, double by[3][3]) {
    const struct rabinowicz_numbers *n = &rabinowicz_numbers;
    const double v_t = 5e-4, dwell = 0.1;
    double u = v * n->per_vs, s = exp(-u * u), r = v / v_t;
    double dir = side(v), dir_v = 0.0;
    if (fabs(r) < 1.0) {
        dir = 0.5 * r * (3.0 - r * r);
        dir_v = 1.5 * (1.0 - r * r) / v_t;
    }
    double slide = (n->Fc * dir - n->sigma0 * z[0]) / n->sigma1;
    double tau = s >= z[1] ? dwell : n->sigma1 / n->sigma0;
    dz[0] = s * v + (1.0 - s) * slide;
    dz[1] = (s - z[1]) / tau;
    double F = n->sigma0 * z[0] + n->sigma1 * dz[0], most = n->Fc + n->rise * z[1];
    int held = fabs(F) > most;
    if (by) {
        double s_v = -2.0 * u * n->per_vs * s;
        by[1][0] = s + s_v * (v - slide) + (1.0 - s) * n->Fc * dir_v / n->sigma1;
        by[1][1] = -(1.0 - s) * n->sigma0 / n->sigma1;
        by[1][2] = by[2][1] = 0.0;
        by[2][0] = s_v / tau;
        by[2][2] = -1.0 / tau;
        by[0][0] = held ? 0.0 : n->sigma1 * by[1][0];
        by[0][1] = held ? 0.0 : n->sigma0 + n->sigma1 * by[1][1];
        by[0][2] = held ? side(F) * n->rise : 0.0;
    }
    return held ? side(F) * most : F;
}

/* Rill et al. 2023, eqs. (4) with exponent 1 and (21) to (25); s is the bristle's velocity. */
static double second_order_force(double v, const double *z, double *dz, double by[3][3]) {
    const struct rabinowicz_numbers *n = &rabinowicz_numbers;
    const double v_r = 1e-3, mass = 0.25 * n->sigma1 * n->sigma1 / n->sigma0;
    double F0 = n->sigma0 * z[0] + n->sigma1 * v, Fs = n->Fc + n->rise, left = 1.0 - fabs(F0) / Fs;
    double root = left > 0.0 ? sqrt(left) : 0.0, q = v - z[1] + side(F0) * v_r * (1.0 - root);
    double r = fabs(q) / v_r, F, slope;
    if (r < 1.0) {
        F = side(q) * Fs * r * (2.0 - r);
        slope = 2.0 * Fs * (1.0 - r) / v_r;
    } else {
        double e = n->rise * exp(-(fabs(q) - v_r) * n->per_vs);
        F = side(q) * (n->Fc + e);
        slope = -e * n->per_vs;
    }
    dz[0] = z[1];
    dz[1] = (F - n->sigma0 * z[0] - n->sigma1 * z[1]) / mass;
    if (by) {
        double shift = root > 1e-8 ? 0.5 * v_r / (root * Fs) : 0.0; /* of q by F0 */
        by[0][0] = slope * (1.0 + shift * n->sigma1);
        by[0][1] = slope * shift * n->sigma0;
        by[0][2] = -slope;
        by[1][0] = by[1][1] = 0.0;
        by[1][2] = 1.0;
        by[2][0] = by[0][0] / mass;
        by[2][1] = (by[0][1] - n->sigma0) / mass;
        by[2][2] = (by[0][2] - n->sigma1) / mass;
    }
    return F;
}

/* ---- the rig with each of them -------------------------------------------------------------- */

static inline void rates(law *force, const double *y, double *dy) {
    const struct rabinowicz_numbers *n = &rabinowicz_numbers;
    double F = force(y[1], y + 2, dy + 2, NULL);
    dy[0] = y[1] + n->slab;
    dy[1] = -(n->stiffness * y[0] + F) / n->mass;
}

static inline void slopes(law *force, int n, const double *y, double *J) {
    double dz[2], by[3][3], mass = rabinowicz_numbers.mass;
    force(y[1], y + 2, dz, by);
    memset(J, 0, sizeof *J * (size_t)(n * n));
    J[1] = -rabinowicz_numbers.stiffness / mass;
    J[n] = 1.0;
    for (int k = 1; k < n; k++) {
        J[k * n + 1] = -by[0][k - 1] / mass;
        for (int i = 2; i < n; i++) J[k * n + i] = by[i - 1][k - 1];
    }
}

static inline void show(int n, const double *y, double *o) {
    memcpy(o, y, sizeof *o * (size_t)n);
    o[1] += rabinowicz_numbers.slab;
}

/* The block moves at 0.5 m/s; the second state is that after a long rest. */
static inline void begin(int n, double rest, double *y) {
    y[0] = y[2] = 0.0;
    y[1] = 0.5 - rabinowicz_numbers.slab;
    if (n == MOST_N) y[3] = rest;
}

#define RIG(name, count, rest, s_size)                                                             \
    static void name##_start(double *y) { begin(count, rest, y); }                                 \
    static void name##_rhs(double t, const double *y, double *dy) { rates(name##_force, y, dy); }  \
    static void name##_jac(double t, const double *y, double *J) {                                 \
        slopes(name##_force, count, y, J);                                                         \
    }                                                                                              \
    static void name##_out(double t, const double *y, double *o) { show(count, y, o); }            \
    const problem rabinowicz_##name = {                                                            \
        .n = count,                                                                                \
        .t_end = 50.0,                                                                             \
        .checks = 20,                                                                              \
        .n_out = count,                                                                            \
        .scale = {10.0, 1.0, 1.2e-3, s_size},                                                      \
        .atol = {1.0, 0.1, 1e-4, 0.1 * (s_size)},                                                  \
        .start = name##_start,                                                                     \
        .rhs = name##_rhs,                                                                         \
        .jac = name##_jac,                                                                         \
        .out = name##_out,                                                                         \
    };

RIG(dahl, 3, 0.0, 1.0)
RIG(elasto_plastic, 3, 0.0, 1.0)
RIG(gonthier, 4, 1.0, 1.0)
RIG(second_order, 4, 0.0, 1.0)
