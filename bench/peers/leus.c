/* leus.c - drive at 1 mm/s, spring, mass on a support that vibrates from 10 s on; LuGre whose
 * damping fades with speed. States: stretch of the spring, sliding velocity, deflection. */
#include "problem.h"
#include <math.h>
#include <string.h>

static const double mass = 0.665, drive = 1e-3, kd = 11700.0, amplitude = 1.1e-3;
static const double omega = 2.0 * 3.14159265358979323846 * 1500.0;
static const double kt = 71.318e6, ht = 13770.0, Fc = 8.3, Fs = 11.1, per_vs = 1.0 / 3.5e-4;

static double support(double t) { return t < 10.0 ? 0.0 : amplitude * cos(omega * (t - 10.0)); }

static void start(double *y) {
    y[0] = y[2] = 0.0;
    y[1] = 0.0;
}

static void rhs(double t, const double *y, double *dy) {
    double v = y[1] - support(t), u = v * per_vs, e = exp(-u * u), g = Fc + (Fs - Fc) * e;
    dy[2] = v - fabs(v) * (kt * y[2] / g);
    double F = kt * y[2] + ht * e * dy[2];
    dy[0] = drive - y[1];
    dy[1] = (kd * y[0] - F) * (1.0 / mass);
}

/* Spring force and velocity; phases under vibration are not compared beyond a second or two. */
static void out(double t, const double *y, double *o) {
    o[0] = kd * y[0];
    o[1] = y[1];
    o[2] = y[2];
}

const problem leus = {
    .n = 3,
    .t_end = 20.0,
    .checks = 200,
    .n_out = 3,
    .scale = {10.0, 1e-3, 1.5e-7},
    .atol = {1e-3, 1e-3, 1e-7},
    .stop = {10.0},
    .n_stops = 1,
    .start = start,
    .rhs = rhs,
    .out = out,
};
