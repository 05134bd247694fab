/* joint.c - robot joint: motor with bearing friction, elastic shaft, gear of 100 and arm, PD
 * control of the motor, scenarios/robot_joint.yaml. States: angles of motor and shaft, their
 * velocities, bristle. */
#include "bristles.h"
#include "problem.h"
#include <math.h>
#include <string.h>

enum { N = 5 };
static const double motor = 1e-4, ratio = 100.0, behind = 2e-5 + 0.8 / (100.0 * 100.0);
static const double k = 1.0, c = 5e-4, kp = 0.5, kd = 0.01, weight = 9.81;
static const bristles bearing = {0.02, 0.03, 0.1, 2.0, 30.0, 0.1};

/* What the motor should do: 100 rad between 0.1 and 1.1 s. */
static double wanted(double t, double *rate) {
    double u = t - 0.1;
    *rate = u < 0.0 || u >= 1.0 ? 0.0 : 100.0;
    return u < 0.0 ? 0.0 : u < 1.0 ? 100.0 * u : 100.0;
}

static void rhs(double t, const double *y, double *dy) {
    double rate, ref = wanted(t, &rate), dz;
    double shaft = k * (y[1] - y[0]) + c * (y[3] - y[2]);
    double F = bristles_force(&bearing, y[2], y[4], &dz, NULL);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (kp * (ref - y[0]) + kd * (rate - y[2]) + shaft - F) / motor;
    dy[3] = (-shaft - weight * sin(y[1] / ratio) / ratio) / behind;
    dy[4] = dz;
}

#define AT(row, column) J[(column)*N + (row)]

static void jac(double t, const double *y, double *J) {
    double dz, by[4];
    memset(J, 0, N * N * sizeof *J);
    bristles_force(&bearing, y[2], y[4], &dz, by);
    AT(0, 2) = AT(1, 3) = 1.0;
    AT(2, 0) = -(kp + k) / motor;
    AT(2, 1) = k / motor;
    AT(2, 2) = -(kd + c + by[0]) / motor;
    AT(2, 3) = c / motor;
    AT(2, 4) = -by[1] / motor;
    AT(3, 0) = k / behind;
    AT(3, 1) = -(k + weight * cos(y[1] / ratio) / (ratio * ratio)) / behind;
    AT(3, 2) = c / behind;
    AT(3, 3) = -c / behind;
    AT(4, 2) = by[2];
    AT(4, 4) = by[3];
}

static void start(double *y) { memset(y, 0, N * sizeof *y); }

static void out(double t, const double *y, double *o) { memcpy(o, y, N * sizeof *o); }

const problem joint = {
    .n = N,
    .t_end = 5.0,
    .checks = 20,
    .n_out = N,
    .scale = {100.0, 100.0, 100.0, 100.0, 1e-3},
    .atol = {1.0, 1.0, 0.1, 0.1, 1e-4},
    .stop = {0.1, 1.1},
    .n_stops = 2,
    .start = start,
    .rhs = rhs,
    .jac = jac,
    .out = out,
};
