/* rosenbrock.c - Rodas4 and Rodas5P with exact Jacobian, adaptive step and dense output. */
#include "rosenbrock.h"
#include "fail.h"
#include "kernels/kernels.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Unknowns of one body and one contact; those from which on the loops are called instead of written
 * out; those of systems in which contacts turn unnoticed within steps; and those from which on the
 * longest vectors are worth it. */
enum { FEW = 4, MANY = 12, CHAINS = 48, LONG = 64 };

/* At tolerances looser than this the errors of single steps add up to more than ten tolerances in
 * one rig of forty (tests/referee); steps are then held to a share. Between that share of it and
 * itself all are the same: a smaller tolerance never allows longer steps. */
static const double LOOSE = 1e-5, LOOSE_SHARE = 0.3;

static double share_of(double rtol) {
    return fmax(LOOSE_SHARE, fmin(1.0, LOOSE_SHARE * LOOSE / rtol));
}

/* The tolerance from which on the order 5 pays, by measurement. With one body and one contact late
 * where friction falls with the speed, since such a run consists of transitions, else at once
 * (bench_run); at once where sticking and sliding of one contact are told apart exactly: sliding is
 * smooth (bench_ensemble), and so are the swings of bodies without contacts; where contacts turn
 * unnoticed within steps, or a step of several bodies is one function, early (bench_chain, random
 * chains and stacks of 2 to 10 bodies). */
static double pays_from(const solver_options *options, const ode *problem, size_t n) {
    if (n <= 3) return options->exact_cuts || options->smooth || problem->swings ? 1.0 : 1e-6;
    if (problem->swings && !options->exact_cuts) return 1.0;
    return n >= CHAINS ? 1e-2 : problem->attempt ? 3e-3 : 1e-4;
}

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
        double *U = r->at.U + (long)i * n, d = o->autonomous ? 0.0 : m->d[i];
        const double *f = r->at.f;
        if (i > 0) {
            r->sweeps->combine(i, n, m->a[i], m->C[i], r->at.y, r->at.U, (size_t)n, r->at.Y, U);
            f = r->D;
            o->rhs(o->self, r->base.t_prev + m->c[i] * h, r->at.Y, r->D);
        }
        if (i > 0)
            r->sweeps->close_stage(n, 1.0 / h, U, f, h * d, d != 0.0 ? r->at.ft : NULL);
        else if (d != 0.0)
            r->sweeps->add_scaled(n, f, h * d, r->at.ft, U);
        else
            memcpy(U, f, sizeof *U * (size_t)n);
        o->solve(o->self, U);
    }
    r->sweeps->add_scaled(n, r->at.Y, 1.0, r->at.U + (long)(m->stages - 1) * n, r->base.y);
}

/* All stages by the functions of the problem. */
ALWAYS_INLINE void plain_stages(rosenbrock *r, const rodas *m, int n, const double *ft) {
    const rodas_step *at = &r->at;
    rodas_stages(m, n, at->t, at->h, at->y, at->f, ft, r, solve_only, rate_and_solve, at->Y, at->U);
}

static void stages(rosenbrock *r) {
    const ode *o = &r->problem;
    const double *ft = o->autonomous ? NULL : r->at.ft;
    if (r->at.method == &rodas4 && o->n == 3)
        plain_stages(r, &rodas4, 3, ft); /* one body, one bristle */
    else if (r->at.method == &rodas4)
        plain_stages(r, &rodas4, o->n, ft);
    else if (o->n == 3)
        plain_stages(r, &rodas5p, 3, ft);
    else
        plain_stages(r, &rodas5p, o->n, ft);
    const double *last = r->at.U + (long)(r->at.method->stages - 1) * o->n;
    for (int k = 0; k < o->n; k++) r->at.end[k] = r->at.Y[k] + last[k];
}

/* One over the tolerance of each unknown: rtol times its size, or atol times its nominal size. */
static void weigh(rosenbrock *r, const double *y) {
    const ode *o = &r->problem;
    o->sizes(o->self, y, r->at.weight);
    if (r->sweeps) {
        r->sweeps->weigh(o->n, r->at.rtol, r->at.atol, o->nominal, r->at.weight);
        return;
    }
    for (int k = 0; k < o->n; k++)
        r->at.weight[k] = rodas_weight(&r->at, r->at.weight[k], o->nominal[k]);
}

/* Mean square of the errors relative to the tolerances; above 1 the step is refused. */
static double error_of(const rosenbrock *r) {
    int n = r->problem.n;
    const double *e = r->at.U + (long)(r->at.method->stages - 1) * n;
    double sum = 0.0;
    if (r->sweeps) return r->sweeps->norm(n, e, r->at.weight) * r->per_n;
    for (int k = 0; k < n; k++) {
        double x = e[k] * r->at.weight[k];
        sum += x * x;
    }
    return sum * r->per_n;
}

/* The unknown with the largest error, or the first that is not finite. */
static int worst_of(const rosenbrock *r) {
    int n = r->problem.n, worst = 0;
    const double *e = r->at.U + (long)(r->at.method->stages - 1) * n;
    double most = 0.0;
    for (int k = 0; k < n; k++) {
        double x = fabs(e[k]) * r->at.weight[k];
        if (!isfinite(x)) return k;
        if (x > most) most = x, worst = k;
    }
    return worst;
}

/* Linearise if need be, factor, all stages. */
static double attempt_in_parts(rosenbrock *r) {
    const ode *o = &r->problem;
    rodas_step *at = &r->at;
    if (!at->fresh) {
        o->linearise(o->self, at->t, at->y, at->f, o->autonomous ? NULL : at->ft);
        weigh(r, at->y);
    }
    if (!o->factor(o->self, 1.0 / (at->h * at->method->gamma))) return INFINITY;
    if (r->sweeps)
        long_stages(r, at->method, o->n, at->h);
    else
        stages(r);
    return error_of(r);
}

/* Try a step of size h from t_prev: its error, INFINITY if there is no result. */
ALWAYS_INLINE double attempt(rosenbrock *r, double h) {
    const ode *o = &r->problem;
    rodas_step *at = &r->at;
    r->dense_ready = 0;
    at->h = h;
    int whole = o->attempt && (!o->attempts || o->attempts(o->self));
    double err = whole ? o->attempt(o->self, at) : attempt_in_parts(r);
    r->base.factorisations++;
    r->base.jacobians += !at->fresh;
    r->base.evals += at->method->stages - at->fresh;
    at->fresh = 1;
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

/* Elementary controller with the prediction of Gustafsson. The error is a mean square, hence twice
 * the order. kernels/lanes.c does the same on vectors. */
static double next_factor(rosenbrock *r, double err, int accepted) {
    double least = err > CONTROL_SMALLEST ? err : CONTROL_SMALLEST, inverse, floor;
    if (r->at.method->order == 4)
        inverse = inverse_root(least, 8), floor = CONTROL_PAST_4;
    else
        inverse = inverse_root(least, 10), floor = CONTROL_PAST_5;
    double factor = CONTROL_SAFETY * inverse;
    if (accepted) {
        double h = r->base.t - r->base.t_prev, past = 1.0 / inverse;
        if (r->past > 0.0 && r->h_done > 0.0) {
            double predicted = CONTROL_SAFETY * h / r->h_done * r->past * inverse * inverse;
            if (predicted < factor) factor = predicted;
        }
        r->past = past > floor ? past : floor;
    }
    int begins = r->base.steps < CONTROL_START && !r->options.exact_cuts;
    double most = begins ? CONTROL_MOST_AT_START : CONTROL_MOST;
    return factor < CONTROL_LEAST ? CONTROL_LEAST : factor > most ? most : factor;
}

/* First step after Hairer, Norsett & Wanner, section II.4: the change is one hundredth of the size.
 */
static double first_step(rosenbrock *r) {
    const ode *o = &r->problem;
    int n = o->n;
    double size = 0.0, rate = 0.0;
    o->rhs(o->self, r->base.t, r->base.y, r->at.f);
    r->base.evals++;
    weigh(r, r->base.y);
    for (int k = 0; k < n; k++) {
        size += r->base.y[k] * r->at.weight[k] * (r->base.y[k] * r->at.weight[k]);
        rate += r->at.f[k] * r->at.weight[k] * (r->at.f[k] * r->at.weight[k]);
    }
    double h = size > 1e-10 && rate > 1e-10 ? 0.01 * sqrt(size / rate) : 1e-6;
    return fmin(fmax(h, 1e-12), 1e-3 * r->options.span);
}

/* Linearise at the end of the step, for this question and for the next step: does something grow
 * there faster than a step of this length can follow? Then the step has damped what it should have
 * followed, such as a contact that breaks away. */
static int ends_well(rosenbrock *r, double t, double h) {
    const ode *o = &r->problem;
    rodas_step *at = &r->at;
    at->fresh = 0;
    if (o->guarded && o->guarded(o->self)) return 1;
    o->linearise(o->self, t, r->base.y, at->f, o->autonomous ? NULL : at->ft);
    r->base.jacobians++;
    r->base.evals++;
    if (!o->sound(o->self, r->base.y, 1.0 / (h * at->method->gamma))) return 0;
    weigh(r, r->base.y);
    at->fresh = 1;
    return 1;
}

static bri_status rosenbrock_step(stepper *base, double t_stop, bri_error *err) {
    rosenbrock *r = (rosenbrock *)base;
    size_t bytes = sizeof(double) * (size_t)r->problem.n;
    if (r->problem.n == 3)
        memcpy(r->at.y, base->y, 3 * sizeof *base->y); /* without a call */
    else
        memcpy(r->at.y, base->y, bytes);
    r->at.t = base->t_prev = base->t;
    if (r->options.max_step > 0.0 && r->h > r->options.max_step) r->h = r->options.max_step;
    if (r->h > base->longest) r->h = base->longest;
    for (int first = 1;; first = 0) {
        double left = t_stop - base->t_prev, h = r->h;
        int last = h >= left * (1.0 - 1e-9);
        if (last)
            h = left;
        else if (h > 0.5 * left)
            h = 0.5 * left; /* two steps of equal size */
        if (!(base->t_prev + h > base->t_prev)) {
            memcpy(base->y, r->at.y, bytes);
            base->t = base->t_prev;
            base->worst = worst_of(r);
            return bri_fail(err, BRI_NO_PROGRESS, "the step size fell below rounding at t = %.9g s",
                            base->t_prev);
        }
        double e = attempt(r, h);
        if (e <= 1.0 && ends_well(r, last ? t_stop : base->t_prev + h, h)) {
            base->t = last ? t_stop : base->t_prev + h;
            double factor = next_factor(r, e, 1);
            r->h_done = h;
            if (!first && factor > 1.0) factor = 1.0;
            if (!last || factor * h > r->h) r->h = factor * h;
            base->next = r->h;
            base->steps++;
            return BRI_OK;
        }
        base->rejected++;
        r->h = h * (isinf(e) ? CONTROL_BROKEN : e <= 1.0 ? CONTROL_BAD_END : next_factor(r, e, 0));
    }
}

/* ---- dense output, cutting, life cycle ------------------------------------------------------ */

/* The coefficients of the dense output, and behind them the change over the whole step. */
ALWAYS_INLINE void combine_dense(rosenbrock *r, const rodas *m, int n) {
    for (int i = 0; i < m->dense; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int j = 0; j < m->stages; j++) sum += m->H[i][j] * r->at.U[(long)j * n + k];
            r->D[(long)i * n + k] = sum;
        }
    for (int k = 0; k < n; k++) r->D[(long)m->dense * n + k] = r->base.y[k] - r->at.y[k];
}

static void prepare_dense(rosenbrock *r) {
    int n = r->problem.n;
    const rodas *m = r->at.method;
    if (n == 3 && m == &rodas4)
        combine_dense(r, &rodas4, 3);
    else if (n == 3)
        combine_dense(r, &rodas5p, 3);
    else if (n <= FEW && m == &rodas4)
        combine_dense(r, &rodas4, n);
    else if (n <= FEW)
        combine_dense(r, &rodas5p, n);
    else {
        double *change = r->D + (long)m->dense * n;
        r->loops->dense(m->dense, n, m->H[0], r->at.U, (size_t)n, r->D);
        for (int k = 0; k < n; k++) change[k] = r->base.y[k] - r->at.y[k];
    }
    r->dense_ready = 1;
}

/* The state at a share of the step, written so that an unknown that does not change stays the same
 * to the last bit. */
ALWAYS_INLINE void dense_at(const rosenbrock *r, int n, int rows, double theta, double *y) {
    for (int k = 0; k < n; k++) {
        double inside = r->D[(long)(rows - 1) * n + k];
        for (int i = rows - 2; i >= 0; i--) inside = r->D[(long)i * n + k] + theta * inside;
        y[k] = r->at.y[k] + theta * (r->D[(long)rows * n + k] + (1.0 - theta) * inside);
    }
}

static void rosenbrock_interpolate(stepper *base, double t, double *y) {
    rosenbrock *r = (rosenbrock *)base;
    int n = r->problem.n, rows = r->at.method->dense;
    if (!(t > base->t_prev && t < base->t)) {
        memcpy(y, t >= base->t ? base->y : r->at.y, sizeof *y * (size_t)n);
        return;
    }
    if (!r->dense_ready) prepare_dense(r);
    double theta = (t - base->t_prev) / r->at.h; /* a share of the step before it was cut */
    if (n == 3 && rows == 2)
        dense_at(r, 3, 2, theta, y);
    else if (n == 3)
        dense_at(r, 3, 3, theta, y);
    else if (n <= FEW)
        dense_at(r, n, rows, theta, y);
    else
        r->loops->between(rows, n, theta, r->at.y, r->D, y);
}

/* The dense output of one unknown as a polynomial. */
ALWAYS_INLINE void course_by(const rosenbrock *r, const rodas *m, int n, int unknown,
                             double c[SOLVER_COURSE]) {
    const double *U = r->at.U + unknown;
    double D[3] = {0.0}, change = r->base.y[unknown] - r->at.y[unknown];
    for (int j = 0; j < m->stages; j++)
        for (int i = 0; i < m->dense; i++) D[i] += m->H[i][j] * U[(long)j * n];
    c[0] = r->at.y[unknown];
    c[1] = change + D[0];
    c[2] = D[1] - D[0];
    c[3] = D[2] - D[1];
    c[4] = -D[2];
}

static void rosenbrock_course(const stepper *base, int unknown, double c[SOLVER_COURSE]) {
    const rosenbrock *r = (const rosenbrock *)base;
    if (r->at.method == &rodas4)
        course_by(r, &rodas4, r->problem.n, unknown, c);
    else
        course_by(r, &rodas5p, r->problem.n, unknown, c);
}

static void rosenbrock_courses(stepper *base, int first, int count, double *c) {
    const rosenbrock *r = (const rosenbrock *)base;
    const rodas *m = r->at.method;
    if (count == 1) {
        rosenbrock_course(base, first, c);
        return;
    }
    const double *from = r->at.y + first, *to = base->y + first;
    double *D = c + (SOLVER_COURSE - 3) * (long)count;
    r->loops->dense(m->dense, count, m->H[0], r->at.U + first, (size_t)r->problem.n, D);
    for (int k = 0; k < count; k++) {
        double d0 = D[k], d1 = D[count + k], d2 = m->dense == 3 ? D[2 * count + k] : 0.0;
        c[k] = from[k];
        c[count + k] = to[k] - from[k] + d0;
        c[2 * count + k] = d1 - d0;
        c[3 * count + k] = d2 - d1;
        c[4 * count + k] = -d2;
    }
}

static void rosenbrock_undo(stepper *base) {
    rosenbrock *r = (rosenbrock *)base;
    memcpy(base->y, r->at.y, sizeof(double) * (size_t)r->problem.n);
    base->t = base->t_prev;
    base->steps--;
    base->rejected++;
    r->at.fresh = 0;
}

/* The dense output is as good as the step where it is smooth: measured on 24 variants of the
 * Rabinowicz rig the error stays the same. Contacts that stick exactly want more digits. */
static bri_status rosenbrock_cut(stepper *base, double t, bri_error *err) {
    rosenbrock *r = (rosenbrock *)base;
    base->cut_error = 0.0;
    if (!r->options.exact_cuts) {
        rosenbrock_interpolate(base, t, r->at.Y);
        memcpy(base->y, r->at.Y, sizeof(double) * (size_t)r->problem.n);
    } else {
        r->at.fresh = 0; /* the network has been evaluated elsewhere since */
        base->cut_error = attempt(r, t - base->t_prev);
        if (isinf(base->cut_error))
            return bri_fail(err, BRI_NO_PROGRESS,
                            "a shortened step could not be made at t = %.9g s", t);
        base->rejected++;
    }
    base->t = t;
    r->at.fresh = 0;
    r->past = 0.0;
    return BRI_OK;
}

static bri_status rosenbrock_restart(stepper *base, bri_error *err) {
    rosenbrock *r = (rosenbrock *)base;
    r->at.fresh = 0;
    r->past = 0.0;
    if (base->pace > 0.0) r->h = fmin(r->h, base->pace);
    base->pace = 0.0;
    return BRI_OK;
}

static bri_status rosenbrock_create(const bri_solver *self, const ode *problem,
                                    const solver_options *options, double t, const double *y,
                                    stepper **s, bri_error *err) {
    size_t n = (size_t)problem->n;
    size_t each = n + LARGE_LINE / sizeof(double); /* whole vectors lead beyond the end of a row */
    size_t doubles = 6 * each + n * (RODAS_STAGES + 4);
    rosenbrock *r = ARENA_NEW(options->memory, rosenbrock, 1);
    double *room =
        large_line(ARENA_NEW(options->memory, char, doubles * sizeof *room + LARGE_LINE));
    *s = NULL;
    if (!r || !room) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the solver");
    memset(room, 0, doubles * sizeof *room); /* the system gives memory when it is touched */
    double **parts[] = {&r->at.end, &r->at.y, &r->at.f, &r->at.ft, &r->at.Y, &r->at.weight};
    for (int i = 0; i < 6; i++, room += each) *parts[i] = room;
    r->at.U = room;
    r->D = room + RODAS_STAGES * n;
    r->loops = (n < LONG ? bri_kernels_short() : bri_kernels(BRI_LEVEL_AUTO))->sweeps;
    r->sweeps = n >= MANY ? r->loops : NULL;
    r->problem = *problem;
    r->per_n = n > 0 ? 1.0 / (double)n : 0.0;
    r->options = *options;
    double share = share_of(options->rtol), from = pays_from(options, problem, n);
    r->at.rtol = share * options->rtol;
    r->at.atol = share * options->atol;
    r->base.y = r->at.end;
    r->at.method = self == &bri_rodas4                             ? &rodas4
                   : self == &bri_rodas5p || options->rtol <= from ? &rodas5p
                                                                   : &rodas4;
    memcpy(r->base.y, y, n * sizeof *y);
    memcpy(r->at.y, y, n * sizeof *y);
    r->base.t = r->base.t_prev = t;
    r->base.worst = -1;
    r->base.longest = INFINITY;
    r->h = first_step(r);
    *s = &r->base;
    return BRI_OK;
}

#define ROSENBROCK(names, texts)                                                                   \
    {                                                                                              \
        .name = names, .text = texts, .sticks = 1, .create = rosenbrock_create,                    \
        .step = rosenbrock_step, .interpolate = rosenbrock_interpolate, .cut = rosenbrock_cut,     \
        .course = rosenbrock_course, .courses = rosenbrock_courses, .undo = rosenbrock_undo,       \
        .restart = rosenbrock_restart                                                              \
    }

const bri_solver bri_rosenbrock =
    ROSENBROCK("rosenbrock", "for stiff systems: Rodas5P, or Rodas4 at loose tolerances");
const bri_solver bri_event_driven =
    ROSENBROCK("event_driven", "rosenbrock with exact stick: the solver of set-valued laws");
const bri_solver bri_rodas4 = ROSENBROCK("rodas4", "Rodas4, Rosenbrock method of order 4");
const bri_solver bri_rodas5p = ROSENBROCK("rodas5p", "Rodas5P, Rosenbrock method of order 5");
