/* measure.c - what most quantities are: values, extremes, means and cycles of a column. */
#include "lab.h"

#include <math.h>

const bri_trace *lab_trace(const lab *l, int run) { return &l->results[run].trace; }

const bri_sim_def *lab_def(const lab *l, int run) {
    const bri_scenario *s = l->results[run].scenario;
    return s ? bri_scenario_def(s) : NULL;
}

const double *lab_time(const lab *l, int run) { return bri_trace_column(lab_trace(l, run), 0); }

const double *lab_column(const lab *l, int run, const char *name) {
    return name ? bri_trace_find(lab_trace(l, run), name) : NULL;
}

double lab_param(const lab *l, int run, const char *name) {
    const bri_sim_def *def = lab_def(l, run);
    if (!def || def->system.n_contacts == 0) return NAN;
    const bri_contact *c = &def->system.contacts[0];
    int at = bri_model_param(c->model, name);
    return at < 0 ? NAN : c->p[at];
}

/* The samples of a column within a ... b. count = 0: there are none, or the run has failed. */
typedef struct window {
    const double *t, *y;
    long count;
} window;

static window window_of(const lab *l, const lab_quantity *q) {
    const bri_trace *trace = lab_trace(l, q->run);
    window w = {lab_time(l, q->run), lab_column(l, q->run, q->column), 0};
    if (trace->err.status != BRI_OK || !w.t || !w.y) return w;
    const double slack = 1e-9;
    long first = 0, end = trace->n_rows;
    while (first < end && w.t[first] < q->a - slack) first++;
    while (q->b > q->a && end > first && w.t[end - 1] > q->b + slack) end--;
    return (window){w.t + first, w.y + first, end - first};
}

/* The whole column. */
static window column_of(const lab *l, const lab_quantity *q) {
    lab_quantity all = *q;
    all.a = -INFINITY;
    all.b = INFINITY;
    return window_of(l, &all);
}

double lab_at(const lab *l, const lab_quantity *q) {
    window w = column_of(l, q);
    return w.count ? bri_value_at(w.t, w.y, w.count, q->a) : NAN;
}

double lab_moved(const lab *l, const lab_quantity *q) {
    window w = column_of(l, q);
    return w.count ? lab_at(l, q) - w.y[0] : NAN;
}

double lab_most(const lab *l, const lab_quantity *q) {
    window w = window_of(l, q);
    double most = w.count ? -INFINITY : NAN;
    for (long i = 0; i < w.count; i++) most = fmax(most, w.y[i]);
    return most;
}

double lab_least(const lab *l, const lab_quantity *q) {
    window w = window_of(l, q);
    double least = w.count ? INFINITY : NAN;
    for (long i = 0; i < w.count; i++) least = fmin(least, w.y[i]);
    return least;
}

double lab_range(const lab *l, const lab_quantity *q) { return lab_most(l, q) - lab_least(l, q); }

double lab_mean(const lab *l, const lab_quantity *q) {
    window w = column_of(l, q);
    return w.count ? bri_mean_over(w.t, w.y, w.count, q->a, q->b) : NAN;
}

static bri_cycles cycles_of(const lab *l, const lab_quantity *q) {
    window w = window_of(l, q);
    return bri_measure_cycles(w.t, w.y, w.count, q->a);
}

double lab_high(const lab *l, const lab_quantity *q) { return cycles_of(l, q).high; }
double lab_low(const lab *l, const lab_quantity *q) { return cycles_of(l, q).low; }
double lab_period(const lab *l, const lab_quantity *q) { return cycles_of(l, q).period; }

double lab_event(const lab *l, const lab_quantity *q) {
    const bri_trace *t = lab_trace(l, q->run);
    return t->err.status == BRI_OK && q->a < (double)t->n_events ? t->events[(long)q->a].t : NAN;
}

/* Where |y| passes b, between two samples by a straight line. */
static double passes(const lab *l, const lab_quantity *q, int upward) {
    window w = column_of(l, q);
    for (long i = 1; i < w.count; i++) {
        double y0 = fabs(w.y[i - 1]), y1 = fabs(w.y[i]);
        if (w.t[i] <= q->a || (upward ? y1 <= q->b : y1 > q->b)) continue;
        if (upward ? y0 > q->b : y0 <= q->b) return w.t[i - 1];
        return w.t[i - 1] + (w.t[i] - w.t[i - 1]) * (q->b - y0) / (y1 - y0);
    }
    return NAN;
}

double lab_exceeds(const lab *l, const lab_quantity *q) { return passes(l, q, 1); }
double lab_falls_below(const lab *l, const lab_quantity *q) { return passes(l, q, 0); }
