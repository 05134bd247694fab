/* compare_settle.c - whether the result of a law approaches a limit when the tolerance falls.
 *
 * A law whose slips are set off by noise, such as one with negative damping while it sticks, has
 * none: every tolerance gives another answer. That is measured, not known of the law: the run is
 * made again with a hundredth of the tolerance and, if it changed, with a hundredth of that. */
#include "compare.h"

#include <math.h>

static double range_of(const double *y, long n) {
    double low = INFINITY, high = -INFINITY;
    for (long i = 0; i < n; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    return high - low;
}

/* Root mean square of the difference of two runs, over the range of the first; NaN: none. */
static double change(const bri_trace *a, const bri_trace *b, const char *column) {
    const double *x = bri_trace_find(a, column), *y = bri_trace_find(b, column);
    double sum = 0.0;
    if (!x || !y || a->n_rows != b->n_rows || b->err.status != BRI_OK) return NAN;
    for (long i = 0; i < a->n_rows; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    double range = range_of(x, a->n_rows);
    return range > 0.0 ? sqrt(sum / (double)a->n_rows) / range : 0.0;
}

double compare_unsettled(const bri_trace *t, const bri_sim_def *def, double output,
                         const char *column, const bri_watch *watch, bri_error *err) {
    const double tighter = 0.01, visible = 1e-3, falls = 0.3, least = 1e-13;
    bri_sim_def next = *def;
    bri_trace second, third;
    if (def->rtol * tighter * tighter < least) return NAN;
    next.rtol = def->rtol * tighter;
    next.atol = 0.0;
    next.max_steps = 100 * t->stats.steps + 10000;
    bri_trace_run(&second, &next, output, watch);
    if (second.err.status == BRI_NO_MEMORY) *err = second.err;
    double first = change(t, &second, column), then = 0.0;
    if (first > visible) {
        next.rtol *= tighter;
        bri_trace_run(&third, &next, output, watch);
        if (third.err.status == BRI_NO_MEMORY) *err = third.err;
        then = change(&second, &third, column);
        bri_trace_free(&third);
    }
    bri_trace_free(&second);
    if (!isfinite(first) || !isfinite(then)) return NAN;
    return then > fmax(visible, falls * first) ? then : 0.0;
}
