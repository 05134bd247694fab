/* three_dof.c - three stacked bodies, the top one on a spring, LuGre between them and below,
 * scenarios/three_dof.yaml. States: positions from top to bottom, velocities, bristles. */
#include "bristles.h"
#include "problem.h"
#include <math.h>
#include <string.h>

enum { BODIES = 3, N = 3 * BODIES };
static const double mass = 2.0, stiffness = 30.0;
static const bristles under[BODIES] = {{9.81, 14.71, 0.1, 1.0, 98100.0, 49.0},
                                       {3.92, 5.88, 0.1, 1.0, 39200.0, 20.0},
                                       {11.77, 17.66, 0.1, 1.0, 117700.0, 59.0}};

/* Sliding velocity of a body on what is below it. */
static double sliding(const double *y, int i) {
    return y[BODIES + i] - (i + 1 < BODIES ? y[BODIES + i + 1] : 0.0);
}

static void rhs(double t, const double *y, double *dy) {
    double *a = dy + BODIES;
    memcpy(dy, y + BODIES, BODIES * sizeof *dy);
    a[0] = -stiffness * y[0] / mass;
    a[1] = a[2] = 0.0;
    for (int i = 0; i < BODIES; i++) {
        double F =
            bristles_force(&under[i], sliding(y, i), y[2 * BODIES + i], &dy[2 * BODIES + i], NULL);
        a[i] -= F / mass;
        if (i + 1 < BODIES) a[i + 1] += F / mass;
    }
}

#define AT(row, column) J[(column)*N + (row)]

static void jac(double t, const double *y, double *J) {
    memset(J, 0, N * N * sizeof *J);
    for (int i = 0; i < BODIES; i++) AT(i, BODIES + i) = 1.0;
    AT(BODIES, 0) = -stiffness / mass;
    for (int i = 0; i < BODIES; i++) {
        int v = BODIES + i, z = 2 * BODIES + i, below = i + 1 < BODIES;
        double dz, by[4];
        bristles_force(&under[i], sliding(y, i), y[z], &dz, by);
        AT(v, v) -= by[0] / mass;
        AT(v, z) -= by[1] / mass;
        AT(z, v) += by[2];
        AT(z, z) += by[3];
        if (!below) continue;
        AT(v, v + 1) += by[0] / mass;
        AT(v + 1, v) += by[0] / mass;
        AT(v + 1, v + 1) -= by[0] / mass;
        AT(v + 1, z) += by[1] / mass;
        AT(z, v + 1) -= by[2];
    }
}

static void start(double *y) {
    memset(y, 0, N * sizeof *y);
    y[0] = 1.0;
}

static void out(double t, const double *y, double *o) { memcpy(o, y, N * sizeof *o); }

const problem three_dof = {
    .n = N,
    .t_end = 10.0,
    .checks = 20,
    .n_out = N,
    .scale = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.5e-4, 1.5e-4, 1.5e-4},
    .atol = {1.0, 1.0, 1.0, 0.1, 0.1, 0.1, 1e-4, 1e-4, 1e-4},
    .start = start,
    .rhs = rhs,
    .jac = jac,
    .out = out,
};
