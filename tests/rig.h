/* rig.h - one law with its parameters, and one contact in motion: a mass pulled by a force or a
 * prescribed velocity, integrated by an adaptive Runge-Kutta method that uses nothing of the law
 * but its force and its rates. */
#ifndef BRI_TEST_RIG_H
#define BRI_TEST_RIG_H

#include "test.h"
#include <stdlib.h>

#define PI 3.14159265358979323846

/* ---- a law with parameters and load -------------------------------------------------------- */

typedef struct law {
    const bri_model *m;
    double p[BRI_MAX_PARAMS];
    double n;
} law;

static inline law law_of(const char *name) {
    law l = {.m = bri_model_find(name)};
    if (!l.m) abort();
    bri_model_defaults(l.m, l.p);
    l.n = l.m->load;
    return l;
}

/* Change a parameter by its name; levels may have their name in newtons (with n = 1). */
static inline void set(law *l, const char *name, double value) {
    int i = bri_model_param(l->m, name);
    if (i < 0) abort();
    l->p[i] = value;
}

static inline double force(const law *l, double v, const double *z, double *dz) {
    return bri_model_eval(l->m, l->p, &(bri_input){.v = v, .n = l->n}, z, dz);
}

static inline double advance(const law *l, double v, double h, double *z) {
    return bri_model_step(l->m, l->p, &(bri_input){.v = v, .n = l->n}, h, z);
}

/* ---- a contact in motion ------------------------------------------------------------------- */

/* Either m dv/dt = pull - F with states x, v, z; or v = motion(t), and then y[1] is the work done
 * on the contact instead of the velocity. */
typedef struct rig {
    const law *l;
    double mass;
    double (*pull)(const struct rig *r, double t, double x); /* applied force [N] */
    double (*motion)(const struct rig *r, double t);         /* prescribed velocity [m/s] */
    double c[4];                                             /* constants of the two above */
    double t, y[2 + BRI_MAX_STATES];
    double h, h_max; /* next step; the largest, 0 for any */
    double friction; /* force at the end of the last step */
} rig;

static inline double pull_constant(const rig *r, double t, double x) { return r->c[0]; }
static inline double pull_ramp(const rig *r, double t, double x) { return r->c[0] * t; }
static inline double pull_sine(const rig *r, double t, double x) {
    return r->c[0] * sin(r->c[1] * t);
}
static inline double pull_spring(const rig *r, double t, double x) { /* its end moves at c[1] */
    return r->c[0] * (r->c[1] * t - x);
}
static inline double move_at(const rig *r, double t) { return r->c[0]; }
static inline double move_sine(const rig *r, double t) {
    return r->c[2] + r->c[0] * sin(r->c[1] * t + r->c[3]);
}

/* A rig at rest at t = 0. */
static inline rig rig_of(const law *l) {
    rig r = {.l = l, .mass = 1.0};
    bri_model_rest(l->m, l->p, r.y + 2);
    return r;
}

static inline double rig_rates(const rig *r, double t, const double *y, double *dy) {
    double v = r->motion ? r->motion(r, t) : y[1];
    double F = bri_model_eval(r->l->m, r->l->p, &(bri_input){.x = y[0], .v = v, .n = r->l->n},
                              y + 2, dy + 2);
    dy[0] = v;
    dy[1] = r->motion ? F * v : (r->pull(r, t, y[0]) - F) / r->mass;
    return F;
}

/* One step of Dormand and Prince's 5(4) pair, no further than `end`, with the error of every
 * component below tol times its size. Returns 0 once the end has been reached. */
static inline int rig_step(rig *r, double end, double tol) {
    static const double a[7][6] = {
        {0},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    };
    static const double c[7] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    static const double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    enum { MOST = 2 + BRI_MAX_STATES };
    int k = 2 + bri_model_states(r->l->m, r->l->p);
    double d[7][MOST], y[MOST];
    if (r->t >= end) return 0;
    if (r->h <= 0.0) r->h = 1e-6;
    for (;;) {
        if (r->h_max > 0.0) r->h = fmin(r->h, r->h_max);
        int last = r->t + 1.01 * r->h >= end;
        double h = last ? end - r->t : r->h, worst = 0.0;
        for (int s = 0; s < 7; s++) {
            for (int i = 0; i < k; i++) {
                y[i] = r->y[i];
                for (int j = 0; j < s; j++) y[i] += h * a[s][j] * d[j][i];
            }
            r->friction = rig_rates(r, r->t + c[s] * h, y, d[s]);
        }
        for (int i = 0; i < k; i++) {
            double error = 0.0;
            double size = i == 0 ? 1e-5 : i == 1 ? 1e-4 : r->l->m->states[i - 2].nominal;
            for (int s = 0; s < 7; s++) error += h * e[s] * d[s][i];
            worst = fmax(worst, fabs(error) / (tol * fmax(size, fabs(y[i]))));
        }
        double next = h * fmin(5.0, fmax(0.2, 0.9 * pow(fmax(worst, 1e-12), -0.2)));
        if (worst <= 1.0 || h < 1e-9) { /* a jump of the rates is stepped over */
            r->t = last ? end : r->t + h;
            memcpy(r->y, y, sizeof *y * (size_t)k);
            r->h = fmax(next, 1e-9);
            return 1;
        }
        r->h = next;
    }
}

/* Run to a time at which the integrator is to start afresh, as every switch of a load wants it. */
static inline void rig_run(rig *r, double end, double tol) {
    r->h = 0.0;
    while (rig_step(r, end, tol)) {
    }
}

#endif
