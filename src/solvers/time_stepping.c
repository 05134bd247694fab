/* time_stepping.c - the theta scheme of Moreau and Jean with a fixed step, see system/stepping.h.
 * Steps lie on a grid of multiples of the step size and end at kinks; in between the state is
 * interpolated linearly. */
#include "fail.h"
#include "solver.h"
#include <math.h>
#include <string.h>

typedef struct leaper {
    stepper base;
    ode problem;
    double step;
} leaper;

/* s->y is not kept up to date: interpolate() reads the state of the problem. */
static bri_status leaper_step(stepper *base, double t_stop, bri_error *err) {
    leaper *l = (leaper *)base;
    double whole = floor(base->t / l->step * (1.0 + 1e-14) + 1e-9), next = (whole + 1.0) * l->step;
    /* a whole step is exactly that, whatever rounding does to the difference of the times */
    double h = fabs(base->t - whole * l->step) < 1e-9 * l->step ? l->step : next - base->t;
    if (next > t_stop + 1e-9 * l->step) h = t_stop - base->t;
    if (next > t_stop - 1e-9 * l->step) next = t_stop;
    bri_status status = l->problem.leap(l->problem.self, base->t, h, &base->evals, err);
    if (status != BRI_OK) return status;
    base->t_prev = base->t;
    base->t = next;
    base->steps++;
    return BRI_OK;
}

static void leaper_interpolate(stepper *base, double t, double *y) {
    leaper *l = (leaper *)base;
    double h = base->t - base->t_prev;
    l->problem.within(l->problem.self, h > 0.0 ? (t - base->t_prev) / h : 1.0, y);
}

/* Nothing is located and nothing taken back, so there is nothing to do. */
static bri_status leaper_cut(stepper *base, double t, bri_error *err) { return BRI_OK; }
static void leaper_undo(stepper *base) {}
static bri_status leaper_restart(stepper *base, bri_error *err) { return BRI_OK; }

static bri_status leaper_create(const bri_solver *self, const ode *problem,
                                const solver_options *options, double t, const double *y,
                                stepper **s, bri_error *err) {
    *s = NULL;
    if (!(options->step > 0.0))
        return bri_fail(err, BRI_BAD_VALUE, "the solver %s needs a step size: give step",
                        self->name);
    leaper *l = ARENA_NEW(options->memory, leaper, 1);
    double *state = ARENA_NEW(options->memory, double, problem->n);
    if (!l || !state) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the solver");
    l->problem = *problem;
    l->step = options->step;
    l->base.y = state;
    memcpy(l->base.y, y, sizeof *y * (size_t)problem->n);
    l->base.t = l->base.t_prev = t;
    l->base.worst = -1;
    problem->begin(problem->self, y, 1e-4 * options->rtol);
    *s = &l->base;
    return BRI_OK;
}

const bri_solver bri_time_stepping = {
    .name = "time_stepping",
    .text = "Moreau-Jean with a fixed step: very many contacts that stick; order 1",
    .fixed_step = 1,
    .sticks = 1,
    .leaps = 1,
    .create = leaper_create,
    .step = leaper_step,
    .interpolate = leaper_interpolate,
    .cut = leaper_cut,
    .undo = leaper_undo,
    .restart = leaper_restart,
};
