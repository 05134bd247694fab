/* sundials.c - one internal step at a time, dense output, cutting and undoing steps, and status
 * codes as sentences, for the integrators of SUNDIALS. The history of a step stays readable until
 * the next one is made: an integrator that has to start afresh does so only then. */
#include "sundials.h"
#include "fail.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int adapter_rhs(sunrealtype t, N_Vector y, N_Vector dy, void *adapter_) {
    adapter *a = adapter_;
    double *f = N_VGetArrayPointer(dy), sum = 0.0;
    if (a->problem.n == 0) f[0] = 0.0;
    a->problem.rhs(a->problem.self, t, N_VGetArrayPointer(y), f);
    a->base.evals++;
    for (int k = 0; k < a->problem.n; k++) sum += f[k] * 0.0;
    return sum != 0.0; /* inf and nan make it nan */
}

int adapter_weights(N_Vector y, N_Vector weights, void *adapter_) {
    const adapter *a = adapter_;
    const ode *p = &a->problem;
    double *w = N_VGetArrayPointer(weights);
    if (p->n == 0) w[0] = 1.0;
    p->sizes(p->self, N_VGetArrayPointer(y), w);
    for (int k = 0; k < p->n; k++) w[k] = 1.0 / fmax(a->rtol * w[k], a->atol * p->nominal[k]);
    return 0;
}

enum { NO_STEP = -1000 }; /* time does not move on, which is no error to SUNDIALS */

/* CVODE and ARKODE share the codes that can occur here. */
static bri_status translate(int code, double t, bri_error *err) {
    switch (code) {
    case -3:
        return bri_fail(err, BRI_NO_PROGRESS, "no step size passes the error test at t = %.9g s",
                        t);
    case -4:
        return bri_fail(err, BRI_NO_PROGRESS, "the corrector does not converge at t = %.9g s", t);
    case -6:
    case -7:
        return bri_fail(err, BRI_NO_PROGRESS, "the linear equations are singular at t = %.9g s", t);
    case -8:
    case -9:
    case -10:
    case -11:
        return bri_fail(err, BRI_NO_PROGRESS, "the rates are not finite at t = %.9g s", t);
    case -2:
    case -27:
        return bri_fail(err, BRI_NO_PROGRESS,
                        "the tolerances are beyond double precision at t = %.9g s", t);
    case NO_STEP:
        return bri_fail(err, BRI_NO_PROGRESS, "the step size fell below rounding at t = %.9g s", t);
    case -20:
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the solver");
    default:
        return bri_fail(err, BRI_NO_PROGRESS, "SUNDIALS gave up with code %d at t = %.9g s", code,
                        t);
    }
}

/* The unknown with the largest local error, or the first that is not finite. */
static int worst_of(adapter *a) {
    int worst = -1;
    double most = 0.0;
    if (a->engine->errors(a) != 0) return -1;
    const double *e = N_VGetArrayPointer(a->room), *w = N_VGetArrayPointer(a->room2);
    for (int k = 0; k < a->problem.n; k++) {
        double x = fabs(e[k] * w[k]);
        if (!isfinite(x)) return k;
        if (x > most) most = x, worst = k;
    }
    return worst;
}

static void take_counters(adapter *a) {
    long failures = 0, setups = 0;
    a->engine->count(a, &failures, &setups);
    a->base.rejected += failures - a->failures;
    a->base.factorisations += setups - a->setups;
    a->failures = failures;
    a->setups = setups;
}

/* A way too short for the integrator: along the tangent. */
static void creep(adapter *a, double t) {
    double h = t - a->base.t_prev;
    a->problem.rhs(a->problem.self, a->base.t_prev, a->y_prev, a->dy);
    a->base.evals++;
    for (int k = 0; k < a->problem.n; k++) a->base.y[k] = a->y_prev[k] + h * a->dy[k];
    a->base.t = t;
    a->again = 1;
}

/* The longest step that options and signals allow. */
static int limit_step(adapter *a) {
    double most = a->base.longest;
    if (a->max_step > 0.0 && a->max_step < most) most = a->max_step;
    if (isinf(most)) most = 0.0;
    if (most == a->told) return 0;
    a->told = most;
    return a->engine->set_longest(a, most);
}

bri_status adapter_step(stepper *base, double t_stop, bri_error *err) {
    adapter *a = (adapter *)base;
    size_t bytes = sizeof(double) * (size_t)a->problem.n;
    int code = 0;
    memcpy(a->y_prev, base->y, bytes);
    base->t_prev = base->t;
    if (t_stop - base->t <= 1e-14 * fmax(fabs(base->t), fabs(t_stop))) {
        creep(a, t_stop);
    } else {
        double t = base->t;
        if (a->again) {
            code = a->engine->reinit(a);
            if (code >= 0) code = a->engine->begin(a, base->pace);
            base->pace = 0.0;
            a->failures = a->setups = 0;
        }
        a->again = 0;
        if (code >= 0) code = limit_step(a);
        if (code >= 0) code = a->engine->set_stop(a, t_stop);
        if (code >= 0) code = a->engine->evolve(a, t_stop, &t);
        take_counters(a);
        if (code >= 0 && t < t_stop && t - base->t_prev <= 4e-16 * fabs(t)) code = NO_STEP;
        if (code < 0) {
            base->worst = worst_of(a);
            memcpy(base->y, a->y_prev, bytes);
            a->again = 1;
            return translate(code, base->t, err);
        }
        base->t = t;
    }
    memcpy(a->y_next, base->y, bytes);
    base->steps++;
    return BRI_OK;
}

void adapter_interpolate(stepper *base, double t, double *y) {
    adapter *a = (adapter *)base;
    size_t bytes = sizeof(double) * (size_t)a->problem.n;
    double h = base->t - base->t_prev;
    if (t >= base->t)
        memcpy(y, base->y, bytes);
    else if (t <= base->t_prev)
        memcpy(y, a->y_prev, bytes);
    else if (a->engine->dense(a, t) == 0)
        memcpy(y, N_VGetArrayPointer(a->room), bytes);
    else /* the way was too short for a step */
        for (int k = 0; k < a->problem.n; k++)
            y[k] = a->y_prev[k] + (t - base->t_prev) / h * (a->y_next[k] - a->y_prev[k]);
}

bri_status adapter_cut(stepper *base, double t, bri_error *err) {
    adapter *a = (adapter *)base;
    adapter_interpolate(base, t, a->y_next);
    memcpy(base->y, a->y_next, sizeof(double) * (size_t)a->problem.n);
    base->t = t;
    base->rejected++;
    a->again = 1;
    return BRI_OK;
}

void adapter_undo(stepper *base) {
    adapter *a = (adapter *)base;
    memcpy(base->y, a->y_prev, sizeof(double) * (size_t)a->problem.n);
    base->t = base->t_prev;
    base->steps--;
    base->rejected++;
    a->again = 1;
}

bri_status adapter_restart(stepper *base, bri_error *err) {
    ((adapter *)base)->again = 1;
    return BRI_OK;
}

void adapter_free(stepper *base) {
    adapter *a = (adapter *)base;
    a->engine->free(a);
    N_Vector vectors[] = {a->state, a->room, a->room2};
    for (int i = 0; i < 3; i++)
        if (vectors[i]) N_VDestroy(vectors[i]);
    if (a->context) SUNContext_Free(&a->context);
    free(a);
}

/* SUNDIALS does not look everywhere whether it got the memory it asked for: it is not called where
 * there is less than its vectors and a dense matrix take. */
static int has_room(size_t n) {
    size_t dense = n < 100 ? n : 100;
    void *volatile room = malloc((1 << 16) + (60 * n + 3 * dense * dense) * sizeof(double));
    free(room);
    return room != NULL;
}

bri_status adapter_create(const engine *e, const ode *problem, const solver_options *options,
                          double t, const double *y, adapter **out, bri_error *err) {
    size_t n = (size_t)adapter_size(problem);
    adapter *a = calloc(1, sizeof *a + 4 * n * sizeof(double));
    *out = NULL;
    if (!a) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the solver");
    double *room = (double *)(a + 1);
    a->base.y = room;
    a->y_prev = room + n;
    a->y_next = room + 2 * n;
    a->dy = room + 3 * n;
    a->engine = e;
    a->problem = *problem;
    a->base.t = a->base.t_prev = t;
    a->base.worst = -1;
    a->base.longest = INFINITY;
    a->max_step = options->max_step;
    a->rtol = e->share * options->rtol;
    a->atol = e->share * options->atol;
    for (int i = 0; i < problem->n; i++) a->base.y[i] = a->y_prev[i] = y[i];
    if (has_room(n) && adapter_context(&a->context)) {
        a->state = N_VMake_Serial((sunindextype)n, a->base.y, a->context);
        a->room = N_VNew_Serial((sunindextype)n, a->context);
        a->room2 = N_VNew_Serial((sunindextype)n, a->context);
    }
    if (!a->state || !a->room || !a->room2) {
        adapter_free(&a->base);
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the solver");
    }
    *out = a;
    return BRI_OK;
}
