/* rabinowicz.c - m x'' = -k x - F on a slab at 0.5 m/s. States: x, sliding velocity v, deflection
 * z, so that the small velocities of sticking keep their digits. */
#include "problem.h"
#include <math.h>
#include <string.h>

struct rabinowicz_numbers rabinowicz_numbers = {20.0, 10.0, 0.5, 98.1, 19.62, 98100.0, 780.0, 20.0};

/* F and dz/dt with |v| = sign v; by: dF/dv, dF/dz, d(dz)/dv, d(dz)/dz, if not NULL. */
double rabinowicz_friction(double sign, double v, double z, double *dz, double by[4]) {
    const struct rabinowicz_numbers *n = &rabinowicz_numbers;
    double sigma0 = n->sigma0, sigma1 = n->sigma1, per_vs = n->per_vs;
    double a = sign * v, e = n->rise * exp(-a * per_vs), g = n->Fc + e, c = sigma0 / g, r = c * z;
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

/* The block moves at 0.5 m/s. */
static void start(double *y) {
    y[0] = y[2] = 0.0;
    y[1] = 0.5 - rabinowicz_numbers.slab;
}

static void rhs(double t, const double *y, double *dy) {
    const struct rabinowicz_numbers *n = &rabinowicz_numbers;
    double F = rabinowicz_friction(side(y[1]), y[1], y[2], &dy[2], NULL);
    dy[0] = y[1] + n->slab;
    dy[1] = -(n->stiffness * y[0] + F) / n->mass;
}

static void jac(double t, const double *y, double *J) {
    double dz, by[4], mass = rabinowicz_numbers.mass, stiffness = rabinowicz_numbers.stiffness;
    rabinowicz_friction(side(y[1]), y[1], y[2], &dz, by);
    const double columns[9] = {0.0, -stiffness / mass, 0.0,  1.0, -by[0] / mass, by[2],
                               0.0, -by[1] / mass,     by[3]};
    memcpy(J, columns, sizeof columns);
}

static void out(double t, const double *y, double *o) {
    o[0] = y[0];
    o[1] = y[1] + rabinowicz_numbers.slab;
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
