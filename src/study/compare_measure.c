/* compare_measure.c - what is measured on the runs of a comparison. */
#include "compare.h"
#include "study.h"

#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the excitation ------------------------------------------------------------------------ */

/* A parameter of a signal by its name; `none` if its kind has no such one. */
static double parameter(const bri_signal *s, const char *name, double none) {
    for (int i = 0; i < s->kind->n_params; i++)
        if (strcmp(s->kind->params[i].name, name) == 0) return s->p[i];
    return none;
}

/* Of signals that still repeat at the end of the run. Noise has a frequency too, but repeats
 * nothing. */
static double longest_period(const bri_signal *s, double t_end, double longest) {
    double frequency = parameter(s, "frequency", 0.0), from = parameter(s, "from", 0.0);
    double period = parameter(s, "period", frequency > 0.0 ? 1.0 / frequency : 0.0);
    double until =
        fmin(parameter(s, "until", INFINITY), from + period * parameter(s, "count", INFINITY));
    int repeats = strcmp(s->kind->name, "noise") != 0 && period > 0.0 && until > 0.999 * t_end;
    if (repeats) longest = fmax(longest, period);
    int parts = s->kind->holds == BRI_PARTS || s->kind->holds == BRI_FACTORS;
    for (int i = 0; parts && i < s->count; i++)
        longest = longest_period(&s->parts[i], t_end, longest);
    return longest;
}

double compare_cycle(const bri_sim_def *def) {
    const bri_system *y = &def->system;
    double longest = 0.0, end = def->t_end;
    for (int i = 0; i < y->n_drives; i++)
        longest = longest_period(&y->drives[i].force, end, longest);
    for (int i = 0; i < y->n_bodies; i++) {
        const bri_body *b = &y->bodies[i];
        if (b->position) longest = longest_period(b->position, end, longest);
        if (b->velocity) longest = longest_period(b->velocity, end, longest);
    }
    return longest > 0.0 ? longest : NAN;
}

/* ---- one run ------------------------------------------------------------------------------- */

/* Four columns, one behind the other. */
static int keep_columns(bri_compare_row *row, const bri_trace *t, const double *from[4]) {
    size_t n = (size_t)t->n_rows;
    double *room = calloc(4 * n + 1, sizeof *room);
    if (!room) return 0;
    double **to[4] = {&row->y, &row->v, &row->F, &row->heat};
    for (int k = 0; k < 4; k++) {
        *to[k] = room + (size_t)k * n;
        if (from[k]) memcpy(*to[k], from[k], n * sizeof *room);
    }
    return 1;
}

bri_cycles cycles_of_motion(const double *t, const double *y, long n, bri_error *err) {
    bri_cycles c = bri_measure_cycles(t, y, n, t[0]);
    if (c.count > 0) return c;
    double *level = calloc((size_t)n, sizeof *level);
    if (!level) {
        bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
        return c;
    }
    for (long i = 0; i < n; i++)
        level[i] = y[i] - y[0] - (y[n - 1] - y[0]) * (t[i] - t[0]) / (t[n - 1] - t[0]);
    c = bri_measure_cycles(t, level, n, t[0]);
    c.drift = c.count > 0 ? (y[n - 1] - y[0]) * c.period / (t[n - 1] - t[0]) : NAN;
    free(level);
    return c;
}

/* Change of y over the last cycle of the excitation, if the instants resolve it. */
static double last_cycle(const double *t, const double *y, long n, double cycle) {
    const double per_cycle = 4.0;
    double span = t[n - 1] - t[0], between = span / (double)(n - 1);
    if (!(cycle >= per_cycle * between && 2.0 * cycle <= span)) return NAN;
    return y[n - 1] - bri_value_at(t, y, n, t[n - 1] - cycle);
}

void compare_measure(bri_compare_row *row, const bri_compare *c, const bri_trace *t, int contact,
                     int column) {
    const double *y = bri_trace_find(t, c->column), *time = bri_trace_column(t, 0);
    const double *v = bri_trace_column(t, column), *F = bri_trace_column(t, column + 1);
    const double *from[4] = {y, v, F, bri_trace_find(t, "energy.dissipated")};
    if (!y) {
        bri_fail(&row->err, BRI_NOT_FOUND, "%s has no column %s", row->law, c->column);
        return;
    }
    if (t->n_rows != c->n_times || !keep_columns(row, t, from)) {
        bri_fail(&row->err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
        return;
    }
    bri_cycles cycles = cycles_of_motion(time, y, t->n_rows, &row->err);
    row->period = cycles.period;
    row->swing = cycles.high - cycles.low;
    row->drift = last_cycle(time, y, t->n_rows, c->cycle);
    if (isnan(row->drift) && isnan(c->cycle)) row->drift = cycles.drift;
    row->dissipated = t->energies.dissipated;
    row->break_away = 0.0;
    for (long i = 0; i < t->n_rows; i++) row->break_away = fmax(row->break_away, fabs(F[i]));
    for (long i = 0; i < t->n_events; i++) /* a peak may lie between two instants */
        if (t->events[i].contact == contact)
            row->break_away = fmax(row->break_away, fabs(t->events[i].F));
}

/* ---- against the reference ----------------------------------------------------------------- */

/* Rate at which y moves at the end: over the last cycle of the excitation, else over the last tenth
 * of the time. */
static double creep_of(const bri_compare *c, const double *y) {
    long n = c->n_times;
    double span = c->t[n - 1] - c->t[0], moved = last_cycle(c->t, y, n, c->cycle);
    if (!isnan(moved)) return moved / c->cycle;
    return (y[n - 1] - bri_value_at(c->t, y, n, c->t[n - 1] - 0.1 * span)) / (0.1 * span);
}

static double range_of(const double *y, long n) {
    double low = INFINITY, high = -INFINITY;
    for (long i = 0; i < n; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    return n > 0 ? high - low : 0.0;
}

/* Whether y keeps its sign and is zero at most at the start: where a reference is zero, every
 * relative difference is 100 %. */
static int one_sign(const double *y, long n) {
    for (long i = 2; i < n; i++)
        if (!(y[i] * y[1] > 0.0)) return 0;
    return n > 1;
}

bri_difference difference_of_motion(const double *x, const double *ref, long n) {
    bri_difference d = bri_measure_difference(x, ref, n);
    double range = range_of(ref, n);
    if (one_sign(ref, n)) return d;
    if (range == 0.0) range = range_of(x, n);
    d.xi = range > 0.0 ? 100.0 * d.most / range : 0.0;
    d.Gamma = range > 0.0 ? 100.0 * d.mean / range : 0.0;
    return d;
}

void compare_reference(bri_compare *c) {
    const double at_rest = 1e-9; /* of the range, in the whole time */
    int law = c->exact.err.status == BRI_OK && c->exact.y;
    const double *y = law ? c->exact.y : c->measured.y;
    long n = law ? c->n_times : c->measured.count;
    double span = c->t[c->n_times - 1] - c->t[0];
    c->range = y ? range_of(y, n) : 0.0;
    c->relative = y && one_sign(y, n);
    int still = c->range == 0.0;
    for (int i = 0; still && i < c->n_rows; i++)
        if (c->rows[i].err.status == BRI_OK)
            c->range = fmax(c->range, range_of(c->rows[i].y, c->n_times));
    int place = strcmp(c->unit, "m") == 0 || strcmp(c->unit, "rad") == 0;
    c->rests = law && place && fabs(creep_of(c, y)) * span <= at_rest * c->range;
}

void compare_difference(bri_compare_row *row, const bri_compare *c, const bri_compare_def *def,
                        const bri_compare_row *own) {
    const bri_difference none = {NAN, NAN, NAN, NAN, NAN, NAN};
    row->off = none;
    row->creep = row->own = row->shift = NAN;
    if (row->err.status != BRI_OK) {
        row->drift = row->dissipated = row->break_away = row->period = row->swing = NAN;
        return;
    }
    if (c->measured.count > 0) {
        long used;
        row->shift = def->find_shift ? bri_measured_shift(&c->measured, c->t, row->y, c->n_times)
                                     : def->shift;
        row->off =
            bri_measured_difference(&c->measured, c->t, row->y, c->n_times, row->shift, &used);
    } else if (c->exact.err.status == BRI_OK) {
        row->off = bri_measure_difference(row->y, c->exact.y, c->n_times);
    }
    if (!c->relative && c->range > 0.0) { /* near a zero everything is far off, relative to it */
        row->off.xi = 100.0 * row->off.most / c->range;
        row->off.Gamma = 100.0 * row->off.mean / c->range;
    }
    if (c->rests) row->creep = creep_of(c, row->y);
    if (own && own->err.status == BRI_OK)
        row->own = bri_measure_difference(row->y, own->y, c->n_times).rmse;
}
