/* three_dof.c - three stacked bodies, the top one on a spring, LuGre between them and below,
 * scenarios/three_dof.yaml. States: positions from top to bottom, velocities, bristles. */
#include "bristles.h"
#include "problem.h"
#include <math.h>
#include <string.h>

enum { BODIES = 3, N = 3 * BODIES };
struct three_dof_numbers three_dof_numbers = {
    {2.0, 2.0, 2.0}, 30.0, {9.81, 3.92, 11.77}, {14.71, 5.88, 17.66}};

/* The bristles below a body. */
static bristles under(int i) {
    static const double sigma0[] = {98100.0, 39200.0, 117700.0}, sigma1[] = {49.0, 20.0, 59.0};
    const struct three_dof_numbers *n = &three_dof_numbers;
    return (bristles){n->Fc[i], n->Fs[i], 0.1, 1.0, sigma0[i], sigma1[i]};
}

/* Sliding velocity of a body on what is below it. */
static double sliding(const double *y, int i) {
    return y[BODIES + i] - (i + 1 < BODIES ? y[BODIES + i + 1] : 0.0);
}

static void rhs(double t, const double *y, double *dy) {
    double *a = dy + BODIES;
    memcpy(dy, y + BODIES, BODIES * sizeof *dy);
    const double *mass = three_dof_numbers.mass;
    a[0] = -three_dof_numbers.stiffness * y[0] / mass[0];
    a[1] = a[2] = 0.0;
    for (int i = 0; i < BODIES; i++) {
        bristles b = under(i);
        double F = bristles_force(&b, sliding(y, i), y[2 * BODIES + i], &dy[2 * BODIES + i], NULL);
        a[i] -= F / mass[i];
        if (i + 1 < BODIES) a[i + 1] += F / mass[i + 1];
    }
}

#define AT(row, column) J[(column)*N + (row)]

static void jac(double t, const double *y, double *J) {
    memset(J, 0, N * N * sizeof *J);
    for (int i = 0; i < BODIES; i++) AT(i, BODIES + i) = 1.0;
    const double *mass = three_dof_numbers.mass;
    AT(BODIES, 0) = -three_dof_numbers.stiffness / mass[0];
    for (int i = 0; i < BODIES; i++) {
        int v = BODIES + i, z = 2 * BODIES + i, below = i + 1 < BODIES;
        double dz, by[4];
        bristles b = under(i);
        bristles_force(&b, sliding(y, i), y[z], &dz, by);
        AT(v, v) -= by[0] / mass[i];
        AT(v, z) -= by[1] / mass[i];
        AT(z, v) += by[2];
        AT(z, z) += by[3];
        if (!below) continue;
        AT(v, v + 1) += by[0] / mass[i];
        AT(v + 1, v) += by[0] / mass[i + 1];
        AT(v + 1, v + 1) -= by[0] / mass[i + 1];
        AT(v + 1, z) += by[1] / mass[i + 1];
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
