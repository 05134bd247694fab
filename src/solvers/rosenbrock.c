/* rosenbrock.c - Rodas4 and Rodas5P with exact Jacobian, adaptive step and dense output. */
#include "fail.h"
#include "kernels/kernels.h"
#include "large.h"
#include "solver.h"
#include "stages.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct rosenbrock {
    stepper base;
    ode problem;
    solver_options options;
    const rodas *method;
    double h;        /* step to try next */
    double h_done;   /* the last step made */
    double past;     /* its error to the power 1/order, for the controller; 0: none */
    int fresh;       /* nonzero: f0 and the linearisation belong to the present state */
    int dense_ready; /* nonzero: D belongs to the last step */
    double per_n;    /* one over the number of unknowns */
    double *y_prev, *f0, *ft, *Y, *U, *D, *weight;
    const bri_sweeps *sweeps; /* loops over many unknowns; NULL: there are few */
} rosenbrock;

enum { MANY = 48 }; /* unknowns from which on the loops are called instead of written out */

/* ---- one attempt ---------------------------------------------------------------------------- */

/* The ends of the first stage and of the others, for stages.h. */
ALWAYS_INLINE void solve_only(void *self, double t, const double *y, double *b) {
    const ode *o = &((rosenbrock *)self)->problem;
    o->solve(o->self, b);
}

ALWAYS_INLINE void rate_and_solve(void *self, double t, const double *y, double *b) {
    rosenbrock *r = self;
    const ode *o = &r->problem;
    double *f = r->D; /* free until the dense output is asked for */
    o->rhs(o->self, t, y, f);
    for (int k = 0; k < o->n; k++) b[k] += f[k];
    o->solve(o->self, b);
}

/* The same for many unknowns. */
static void long_stages(rosenbrock *r, const rodas *m, int n, double h) {
    const ode *o = &r->problem;
    for (int i = 0; i < m->stages; i++) {
        double *U = r->U + (long)i * n, d = o->autonomous ? 0.0 : m->d[i];
        const double *f = r->f0;
        if (i > 0) {
            r->sweeps->combine(i, n, m->a[i], m->C[i], r->y_prev, r->U, r->Y, U);
            f = r->D;
            o->rhs(o->self, r->base.t_prev + m->c[i] * h, r->Y, r->D);
        }
        if (i > 0)
            r->sweeps->close_stage(n, 1.0 / h, U, f, h * d, d != 0.0 ? r->ft : NULL);
        else if (d != 0.0)
            r->sweeps->add_scaled(n, f, h * d, r->ft, U);
        else
            memcpy(U, f, sizeof *U * (size_t)n);
        o->solve(o->self, U);
    }
    r->sweeps->add_scaled(n, r->Y, 1.0, r->U + (long)(m->stages - 1) * n, r->base.y);
    r->base.evals += m->stages - 1;
}

/* All stages from y_prev by the functions of the problem; three unknowns are one body and one
 * bristle. */
ALWAYS_INLINE void plain_stages(rosenbrock *r, const rodas *m, double h, const double *ft) {
    if (r->problem.n == 3)
        rodas_stages(m, 3, r->base.t_prev, h, r->y_prev, r->f0, ft, r, solve_only, rate_and_solve,
                     r->Y, r->U);
    else
        rodas_stages(m, r->problem.n, r->base.t_prev, h, r->y_prev, r->f0, ft, r, solve_only,
                     rate_and_solve, r->Y, r->U);
}

/* The result is in base.y, the error in the last U. */
static void stages(rosenbrock *r, double h) {
    const ode *o = &r->problem;
    const double *ft = o->autonomous ? NULL : r->ft;
    if (o->stages)
        o->stages(o->self, r->method, r->base.t_prev, h, r->y_prev, r->f0, ft, r->Y, r->U);
    else if (r->method == &rodas4)
        plain_stages(r, &rodas4, h, ft);
    else
        plain_stages(r, &rodas5p, h, ft);
    const double *last = r->U + (long)(r->method->stages - 1) * o->n;
    for (int k = 0; k < o->n; k++) r->base.y[k] = r->Y[k] + last[k];
    r->base.evals += r->method->stages - 1;
}

/* One over the tolerance of each unknown: rtol times its size, or atol times its nominal size. */
static void weigh(rosenbrock *r, const double *y) {
    const ode *o = &r->problem;
    o->sizes(o->self, y, r->weight);
    if (r->sweeps) {
        r->sweeps->weigh(o->n, r->options.rtol, r->options.atol, o->nominal, r->weight);
        return;
    }
    for (int k = 0; k < o->n; k++) {
        double by_size = r->options.rtol * r->weight[k], least = r->options.atol * o->nominal[k];
        r->weight[k] = 1.0 / (by_size > least ? by_size : least);
    }
}

/* Mean square of the errors relative to the tolerances; above 1 the step is refused. */
static double error_of(const rosenbrock *r) {
    int n = r->problem.n;
    const double *e = r->U + (long)(r->method->stages - 1) * n;
    double sum = 0.0;
    if (r->sweeps) return r->sweeps->norm(n, e, r->weight) * r->per_n;
    for (int k = 0; k < n; k++) {
        double x = e[k] * r->weight[k];
        sum += x * x;
    }
    return sum * r->per_n;
}

/* The unknown with the largest error, or the first that is not finite. */
static int worst_of(const rosenbrock *r) {
    int n = r->problem.n, worst = 0;
    const double *e = r->U + (long)(r->method->stages - 1) * n;
    double most = 0.0;
    for (int k = 0; k < n; k++) {
        double x = fabs(e[k]) * r->weight[k];
        if (!isfinite(x)) return k;
        if (x > most) most = x, worst = k;
    }
    return worst;
}

/* Try a step of size h from y_prev: its error, INFINITY if the equations could not be solved. */
static double attempt(rosenbrock *r, double h) {
    const ode *o = &r->problem;
    r->dense_ready = 0;
    if (!r->fresh) {
        o->linearise(o->self, r->base.t_prev, r->y_prev, r->f0, o->autonomous ? NULL : r->ft);
        r->base.jacobians++;
        r->base.evals++;
        r->fresh = 1;
        weigh(r, r->y_prev);
    }
    r->base.factorisations++;
    if (!o->factor(o->self, 1.0 / (h * r->method->gamma))) return INFINITY;
    if (r->sweeps)
        long_stages(r, r->method, o->n, h);
    else
        stages(r, h);
    double err = error_of(r);
    return isfinite(err) ? err : INFINITY;
}

/* ---- step size control ---------------------------------------------------------------------- */

/* x^(-1/n) for n = 8 and 10, to about two hundredths: the logarithm is read off the bits of the
 * number, and one step of Newton's method follows. */
static inline double inverse_root(double x, unsigned n) {
    const uint64_t one = (uint64_t)1023 << 52; /* the bits of 1 */
    uint64_t bits;
    double y;
    memcpy(&bits, &x, sizeof bits);
    bits = one + one / n - bits / n;
    memcpy(&y, &bits, sizeof y);
    double square = y * y, fourth = square * square;
    double power = x * fourth * (n == 8 ? fourth : fourth * square);
    return y * (1.0 + (1.0 - power) * (1.0 / n));
}

/* Elementary controller with the prediction of Gustafsson: limits 1/6 ... 5 as in code RODAS. The
 * error is a mean square, hence twice the order. */
static double next_factor(rosenbrock *r, double err, int accepted) {
    double least = err > 1e-20 ? err : 1e-20, inverse, floor; /* floor: 0.01^(1/order) */
    if (r->method->order == 4)
        inverse = inverse_root(least, 8), floor = 0.3162;
    else
        inverse = inverse_root(least, 10), floor = 0.3981;
    double factor = 0.9 * inverse;
    if (accepted) {
        double h = r->base.t - r->base.t_prev, past = 1.0 / inverse;
        if (r->past > 0.0 && r->h_done > 0.0) {
            double predicted = 0.9 * h / r->h_done * r->past * inverse * inverse;
            if (predicted < factor) factor = predicted;
        }
        r->past = past > floor ? past : floor;
    }
    return factor < 0.2 ? 0.2 : factor > 6.0 ? 6.0 : factor;
}

/* First step after Hairer, Norsett & Wanner, section II.4: the change is one hundredth of the size.
 */
static double first_step(rosenbrock *r) {
    const ode *o = &r->problem;
    int n = o->n;
    double size = 0.0, rate = 0.0;
    o->rhs(o->self, r->base.t, r->base.y, r->f0);
    r->base.evals++;
    weigh(r, r->base.y);
    for (int k = 0; k < n; k++) {
        size += r->base.y[k] * r->weight[k] * (r->base.y[k] * r->weight[k]);
        rate += r->f0[k] * r->weight[k] * (r->f0[k] * r->weight[k]);
    }
    double h = size > 1e-10 && rate > 1e-10 ? 0.01 * sqrt(size / rate) : 1e-6;
    return fmin(fmax(h, 1e-12), 1e-3 * r->options.span);
}

static bri_status rosenbrock_step(stepper *base, double t_stop, bri_error *err) {
    rosenbrock *r = (rosenbrock *)base;
    size_t bytes = sizeof(double) * (size_t)r->problem.n;
    memcpy(r->y_prev, base->y, bytes);
    base->t_prev = base->t;
    if (r->options.max_step > 0.0) r->h = fmin(r->h, r->options.max_step);
    for (int first = 1;; first = 0) {
        double left = t_stop - base->t_prev, h = r->h;
        int last = h >= left * (1.0 - 1e-9);
        if (last)
            h = left;
        else if (h > 0.5 * left)
            h = 0.5 * left; /* two steps of equal size */
        if (!(base->t_prev + h > base->t_prev)) {
            memcpy(base->y, r->y_prev, bytes);
            base->t = base->t_prev;
            base->worst = worst_of(r);
            return bri_fail(err, BRI_NO_PROGRESS, "the step size fell below rounding at t = %.9g s",
                            base->t_prev);
        }
        double e = attempt(r, h);
        if (e <= 1.0) {
            base->t = last ? t_stop : base->t_prev + h;
            double factor = next_factor(r, e, 1);
            r->h_done = h;
            if (!first) factor = fmin(factor, 1.0);
            if (!last || factor * h > r->h) r->h = factor * h;
            base->steps++;
            r->fresh = 0;
            return BRI_OK;
        }
        base->rejected++;
        r->h = h * (isinf(e) ? 0.1 : next_factor(r, e, 0));
    }
}

/* ---- dense output, cutting, life cycle ------------------------------------------------------ */

static void rosenbrock_interpolate(stepper *base, double t, double *y) {
    rosenbrock *r = (rosenbrock *)base;
    int n = r->problem.n, rows = r->method->dense;
    double theta = (t - base->t_prev) / (base->t - base->t_prev);
    if (!(theta > 0.0 && theta < 1.0)) {
        memcpy(y, theta >= 1.0 ? base->y : r->y_prev, sizeof *y * (size_t)n);
        return;
    }
    if (!r->dense_ready) {
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < n; k++) {
                double sum = 0.0;
                for (int j = 0; j < r->method->stages; j++)
                    sum += r->method->H[i][j] * r->U[(long)j * n + k];
                r->D[(long)i * n + k] = sum;
            }
        r->dense_ready = 1;
    }
    for (int k = 0; k < n; k++) {
        double inside = r->D[(long)(rows - 1) * n + k];
        for (int i = rows - 2; i >= 0; i--) inside = r->D[(long)i * n + k] + theta * inside;
        /* written so that an unknown that does not change stays the same to the last bit */
        y[k] = r->y_prev[k] + theta * (base->y[k] - r->y_prev[k] + (1.0 - theta) * inside);
    }
}

static void rosenbrock_undo(stepper *base) {
    rosenbrock *r = (rosenbrock *)base;
    memcpy(base->y, r->y_prev, sizeof(double) * (size_t)r->problem.n);
    base->t = base->t_prev;
    base->steps--;
    base->rejected++;
    r->fresh = 0;
}

static bri_status rosenbrock_cut(stepper *base, double t, bri_error *err) {
    rosenbrock *r = (rosenbrock *)base;
    double h = t - base->t_prev;
    r->fresh = 0; /* the network has been evaluated elsewhere since */
    double e = attempt(r, h);
    if (isinf(e))
        return bri_fail(err, BRI_NO_PROGRESS, "a shortened step could not be made at t = %.9g s",
                        t);
    base->t = t;
    base->rejected++;
    r->fresh = 0;
    r->past = 0.0;
    return BRI_OK;
}

static bri_status rosenbrock_restart(stepper *base, bri_error *err) {
    rosenbrock *r = (rosenbrock *)base;
    r->fresh = 0;
    r->past = 0.0;
    return BRI_OK;
}

static void rosenbrock_free(stepper *base) { free(base); }

static bri_status rosenbrock_create(const bri_solver *self, const ode *problem,
                                    const solver_options *options, double t, const double *y,
                                    stepper **s, bri_error *err) {
    size_t n = (size_t)problem->n;
    size_t doubles = n * (1 + 1 + 1 + 1 + 1 + 1 + RODAS_STAGES + 3);
    rosenbrock *r = large_calloc(1, sizeof *r + doubles * sizeof(double));
    *s = NULL;
    if (!r) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the solver");
    double *room = (double *)(r + 1);
    memset(room, 0, doubles * sizeof *room); /* the system gives memory when it is touched */
    double **parts[] = {&r->base.y, &r->y_prev, &r->f0, &r->ft, &r->Y, &r->weight};
    for (int i = 0; i < 6; i++, room += n) *parts[i] = room;
    r->U = room;
    r->D = room + RODAS_STAGES * n;
    r->sweeps = n >= MANY ? bri_kernels(BRI_LEVEL_AUTO)->sweeps : NULL;
    r->problem = *problem;
    r->per_n = n > 0 ? 1.0 / (double)n : 0.0;
    r->options = *options;
    /* The order that pays, by measurement: where contacts turn unnoticed within steps the higher
     * one does so early (bench_chain), with one body and one contact late, since such a run
     * consists of transitions (bench_run). */
    double loose = r->sweeps ? 3e-4 : n > 3 ? 1e-5 : 3e-7;
    r->method = self == &bri_rodas4                              ? &rodas4
                : self == &bri_rodas5p || options->rtol <= loose ? &rodas5p
                                                                 : &rodas4;
    memcpy(r->base.y, y, n * sizeof *y);
    memcpy(r->y_prev, y, n * sizeof *y);
    r->base.t = r->base.t_prev = t;
    r->base.worst = -1;
    r->h = first_step(r);
    *s = &r->base;
    return BRI_OK;
}

#define ROSENBROCK(names, texts)                                                                   \
    {                                                                                              \
        .name = names, .text = texts, .sticks = 1, .create = rosenbrock_create,                    \
        .step = rosenbrock_step, .interpolate = rosenbrock_interpolate, .cut = rosenbrock_cut,     \
        .undo = rosenbrock_undo, .restart = rosenbrock_restart, .free = rosenbrock_free            \
    }

const bri_solver bri_rosenbrock =
    ROSENBROCK("rosenbrock", "for stiff systems: Rodas5P, or Rodas4 at loose tolerances");
const bri_solver bri_event_driven =
    ROSENBROCK("event_driven", "rosenbrock with exact stick: the solver of set-valued laws");
const bri_solver bri_rodas4 = ROSENBROCK("rodas4", "Rodas4, Rosenbrock method of order 4");
const bri_solver bri_rodas5p = ROSENBROCK("rodas5p", "Rodas5P, Rosenbrock method of order 5");
