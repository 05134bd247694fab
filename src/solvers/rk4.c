/* rk4.c - the classical Runge-Kutta method of order 4 with a fixed step (MATLAB's ode4), for
 * comparison. Steps lie on a grid of multiples of the step size, shortened at kinks and events;
 * cubic Hermite interpolation in between. */
#include "fail.h"
#include "solver.h"
#include <math.h>
#include <string.h>

typedef struct rk4 {
    stepper base;
    ode problem;
    double step;
    double *y_prev, *f_prev, *f, *k[3], *Y;
    int ready; /* nonzero: f belongs to the present state */
} rk4;

static int finite_vector(const double *y, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += y[i] * 0.0;
    return sum == 0.0;
}

static void rk4_go(rk4 *r, double h) {
    const ode *o = &r->problem;
    int n = o->n;
    double t = r->base.t_prev, *y = r->base.y;
    const double *slope[4] = {r->f_prev, r->k[0], r->k[1], r->k[2]};
    static const double part[3] = {0.5, 0.5, 1.0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < n; k++) r->Y[k] = r->y_prev[k] + part[i] * h * slope[i][k];
        o->rhs(o->self, t + part[i] * h, r->Y, r->k[i]);
    }
    for (int k = 0; k < n; k++)
        y[k] = r->y_prev[k] +
               h / 6.0 * (slope[0][k] + 2.0 * (slope[1][k] + slope[2][k]) + slope[3][k]);
    r->base.t = t + h;
    o->rhs(o->self, r->base.t, y, r->f); /* for the interpolation, and the next step */
    r->base.evals += 4;
    r->ready = 1;
}

static bri_status rk4_step(stepper *base, double t_stop, bri_error *err) {
    rk4 *r = (rk4 *)base;
    size_t bytes = sizeof(double) * (size_t)r->problem.n;
    if (!r->ready) {
        r->problem.rhs(r->problem.self, base->t, base->y, r->f);
        base->evals++;
    }
    memcpy(r->y_prev, base->y, bytes);
    memcpy(r->f_prev, r->f, bytes);
    base->t_prev = base->t;
    double next = (floor(base->t / r->step * (1.0 + 1e-14) + 1e-9) + 1.0) * r->step;
    if (next > t_stop - 1e-9 * r->step) next = t_stop;
    rk4_go(r, next - base->t);
    base->t = next;
    if (!finite_vector(base->y, r->problem.n)) {
        memcpy(base->y, r->y_prev, bytes);
        base->t = base->t_prev;
        return bri_fail(
            err, BRI_NO_PROGRESS,
            "the solution is no longer finite at t = %.9g s: the fixed step %g s is too "
            "large",
            base->t_prev, r->step);
    }
    base->steps++;
    return BRI_OK;
}

static void rk4_interpolate(stepper *base, double t, double *y) {
    rk4 *r = (rk4 *)base;
    int n = r->problem.n;
    double h = base->t - base->t_prev, u = h > 0.0 ? (t - base->t_prev) / h : 1.0, v = 1.0 - u;
    if (u >= 1.0) {
        memcpy(y, base->y, sizeof *y * (size_t)n);
        return;
    }
    for (int k = 0; k < n; k++)
        y[k] = v * v * ((1.0 + 2.0 * u) * r->y_prev[k] + u * h * r->f_prev[k]) +
               u * u * ((1.0 + 2.0 * v) * base->y[k] - v * h * r->f[k]);
}

static bri_status rk4_cut(stepper *base, double t, bri_error *err) {
    rk4 *r = (rk4 *)base;
    rk4_go(r, t - base->t_prev);
    base->t = t;
    return BRI_OK;
}

static void rk4_undo(stepper *base) {
    rk4 *r = (rk4 *)base;
    memcpy(base->y, r->y_prev, sizeof(double) * (size_t)r->problem.n);
    base->t = base->t_prev;
    base->steps--;
    base->rejected++;
    r->ready = 0;
}

static bri_status rk4_restart(stepper *base, bri_error *err) {
    ((rk4 *)base)->ready = 0;
    return BRI_OK;
}

static bri_status rk4_create(const bri_solver *self, const ode *problem,
                             const solver_options *options, double t, const double *y, stepper **s,
                             bri_error *err) {
    size_t n = (size_t)problem->n;
    *s = NULL;
    if (!(options->step > 0.0))
        return bri_fail(err, BRI_BAD_VALUE, "the solver rk4 needs a step size: give step");
    rk4 *r = ARENA_NEW(options->memory, rk4, 1);
    double *room = ARENA_NEW(options->memory, double, 8 * n);
    if (!r || !room) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the solver");
    double **parts[] = {&r->base.y, &r->y_prev, &r->f_prev, &r->f,
                        &r->k[0],   &r->k[1],   &r->k[2],   &r->Y};
    for (int i = 0; i < 8; i++, room += n) *parts[i] = room;
    r->problem = *problem;
    r->step = options->step;
    r->base.t = r->base.t_prev = t;
    r->base.worst = -1;
    memcpy(r->base.y, y, n * sizeof *y);
    *s = &r->base;
    return BRI_OK;
}

const bri_solver bri_rk4 = {
    .name = "rk4",
    .text = "Runge-Kutta 4 with a fixed step (MATLAB ode4)",
    .fixed_step = 1,
    .create = rk4_create,
    .step = rk4_step,
    .interpolate = rk4_interpolate,
    .cut = rk4_cut,
    .undo = rk4_undo,
    .restart = rk4_restart,
};
