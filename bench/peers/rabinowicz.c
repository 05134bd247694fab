/* rabinowicz.c - m x'' = -k x - F on a slab at 0.5 m/s. States: x, sliding velocity v, deflection
 * z, so that the small velocities of sticking keep their digits. */
#include "problem.h"
#include <math.h>
#include <string.h>

static const double mass = 20.0, stiffness = 10.0, slab = 0.5;
static const double Fc = 98.1, rise = 19.62, sigma0 = 98100.0, sigma1 = 780.0, per_vs = 20.0;

/* F and dz/dt with |v| = sign v; by: dF/dv, dF/dz, d(dz)/dv, d(dz)/dz, if not NULL. */
double rabinowicz_friction(double sign, double v, double z, double *dz, double by[4]) {
    double a = sign * v, e = rise * exp(-a * per_vs), g = Fc + e, c = sigma0 / g, r = c * z;
    *dz = v - a * r;
    if (by) {
        by[2] = 1.0 - sign * r * (1.0 + a * e * per_vs / g);
        by[3] = -a * c;
        by[0] = sigma1 * by[2];
        by[1] = sigma0 + sigma1 * by[3];
    }
    return sigma0 * z + sigma1 * *dz;
}

static double side(double v) { return v < 0.0 ? -1.0 : 1.0; }

static void start(double *y) { y[0] = y[1] = y[2] = 0.0; }

static void rhs(double t, const double *y, double *dy) {
    double F = rabinowicz_friction(side(y[1]), y[1], y[2], &dy[2], NULL);
    dy[0] = y[1] + slab;
    dy[1] = -(stiffness * y[0] + F) * (1.0 / mass);
}

static void jac(double t, const double *y, double *J) {
    double dz, by[4];
    rabinowicz_friction(side(y[1]), y[1], y[2], &dz, by);
    const double columns[9] = {0.0, -stiffness / mass, 0.0,  1.0, -by[0] / mass, by[2],
                               0.0, -by[1] / mass,     by[3]};
    memcpy(J, columns, sizeof columns);
}

static void out(double t, const double *y, double *o) {
    o[0] = y[0];
    o[1] = y[1] + slab;
    o[2] = y[2];
}

const problem rabinowicz = {
    .n = 3,
    .t_end = 50.0,
    .checks = 20,
    .n_out = 3,
    .scale = {10.0, 1.0, 1.2e-3},
    .atol = {1.0, 0.1, 1e-4},
    .start = start,
    .rhs = rhs,
    .jac = jac,
    .out = out,
};
