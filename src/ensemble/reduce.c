/* reduce.c - the measures of one run: columns to numbers, numbers to measures. */
#include "formula.h"

#include "../study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a run says beside its rows -------------------------------------------------------- */

static double events_of(const run_facts *f) { return (double)f->events; }
static double steps_of(const run_facts *f) { return (double)f->stats.steps; }
static double rejected_of(const run_facts *f) { return (double)f->stats.rejected; }
static double evals_of(const run_facts *f) { return (double)f->stats.evals; }
static double dissipated_of(const run_facts *f) { return f->energies.dissipated; }
static double work_of(const run_facts *f) { return f->energies.work; }
static double residual_of(const run_facts *f) { return f->energies.residual; }
static double end_of(const run_facts *f) { return f->end; }
static double slips_of(const run_facts *f) { return (double)f->slips; }
static double size_of(const run_facts *f) { return f->slip_size; }
static double peak_of(const run_facts *f) { return f->slip_peak; }
static double time_of(const run_facts *f) { return f->slip_time; }

// clang-format off
const fact facts[] = {
    {"events", "1", "events               at contacts: stick, slip, turn", 0, events_of},
    {"slips", "1", "slips                complete slips, from rest to rest", NEEDS_SLIPS, slips_of},
    {"slip_size", "m", "slip_size            their mean size", NEEDS_SLIPS, size_of},
    {"slip_peak", "m/s", "slip_peak            their mean largest speed", NEEDS_SLIPS, peak_of},
    {"slip_time", "s", "slip_time            their mean duration", NEEDS_SLIPS, time_of},
    {"dissipated", "J", "dissipated           energy turned into heat, over the whole run", NEEDS_ENERGIES, dissipated_of},
    {"work", "J", "work                 of drives and prescribed motions, over the whole run", NEEDS_ENERGIES, work_of},
    {"residual", "J", "residual             of the energy balance", NEEDS_ENERGIES, residual_of},
    {"steps", "1", "steps                of the integrator", 0, steps_of},
    {"rejected", "1", "rejected             steps tried again", 0, rejected_of},
    {"evaluations", "1", "evaluations          of the right-hand side", 0, evals_of},
    {"t_end", "s", "t_end                end of the run", 0, end_of},
};
// clang-format on
const int n_facts = sizeof facts / sizeof *facts;

/* ---- evaluation of expressions -------------------------------------------------------------- */

struct gauge {
    const meter *m;
    expr_frame **of, **second, **value; /* per reduction, and per measure */
    double *reduced;                    /* [n_reductions] */
    double *in;                         /* inputs of one expression */
    const double **columns;             /* the same, as arrays */
    double *y;                          /* rows of one expression */
    double *own;                        /* the same, while the reference is in y */
    long room;
};

static int most_sources(const meter *m) {
    int most = 1;
    for (int i = 0; i < m->n_reductions; i++) {
        if (m->reductions[i].of.n_sources > most) most = m->reductions[i].of.n_sources;
        if (m->reductions[i].second.n_sources > most) most = m->reductions[i].second.n_sources;
    }
    for (int i = 0; i < m->n_measures; i++)
        if (m->measures[i].value.n_sources > most) most = m->measures[i].value.n_sources;
    return most;
}

gauge *gauge_new(const meter *m) {
    gauge *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    size_t n = (size_t)m->n_reductions + 1, most = (size_t)most_sources(m);
    *g = (gauge){.m = m,
                 .of = calloc(n, sizeof *g->of),
                 .second = calloc(n, sizeof *g->second),
                 .value = calloc((size_t)m->n_measures + 1, sizeof *g->value),
                 .reduced = calloc(n, sizeof *g->reduced),
                 .in = calloc(most, sizeof *g->in),
                 .columns = calloc(most, sizeof *g->columns)};
    int good = g->of && g->second && g->value && g->reduced && g->in && g->columns;
    for (int i = 0; good && i < m->n_reductions; i++) {
        const reduction *r = &m->reductions[i];
        if (r->of.program) good = (g->of[i] = expr_frame_new(r->of.program)) != NULL;
        if (good && r->second.program)
            good = (g->second[i] = expr_frame_new(r->second.program)) != NULL;
    }
    for (int i = 0; good && i < m->n_measures; i++)
        good = (g->value[i] = expr_frame_new(m->measures[i].value.program)) != NULL;
    if (good) return g;
    gauge_free(g);
    return NULL;
}

void gauge_free(gauge *g) {
    if (!g) return;
    for (int i = 0; g->of && g->second && i < g->m->n_reductions; i++) {
        expr_frame_free(g->of[i]);
        expr_frame_free(g->second[i]);
    }
    for (int i = 0; g->value && i < g->m->n_measures; i++) expr_frame_free(g->value[i]);
    free(g->of);
    free(g->second);
    free(g->value);
    free(g->reduced);
    free(g->in);
    free(g->columns);
    free(g->y);
    free(g->own);
    free(g);
}

/* The numbers that an expression needs and that do not change with time. */
static void fill(gauge *g, const formula *f, const run_facts *run, const double *x) {
    for (int i = 0; i < f->n_sources; i++) {
        const source *s = &f->sources[i];
        g->in[i] = !s->needed                  ? 0.0
                   : s->kind == FROM_FACT      ? facts[s->index].of(run)
                   : s->kind == FROM_AXIS      ? x[s->index]
                   : s->kind == FROM_REDUCTION ? g->reduced[s->index]
                                               : 0.0;
    }
}

static double number_of(gauge *g, expr_frame *frame, const formula *f, const run_facts *run,
                        const double *x) {
    double out = NAN, *to = &out;
    if (f->alone >= 0) return g->reduced[f->alone];
    fill(g, f, run, x);
    expr_prepare(frame, g->in);
    expr_run(frame, g->columns, &to, 1);
    return out;
}

/* The rows of an expression, in y. */
static const double *rows_of(gauge *g, expr_frame *frame, const formula *f,
                             const double *const *column, long rows, const run_facts *run,
                             const double *x) {
    if (f->column >= 0) return memcpy(g->y, column[f->column], sizeof *g->y * (size_t)rows);
    fill(g, f, run, x);
    for (int i = 0; i < f->n_sources; i++) {
        const source *s = &f->sources[i];
        g->columns[i] = s->needed && s->kind == FROM_COLUMN ? column[s->index] : NULL;
    }
    expr_prepare(frame, g->in);
    expr_run(frame, g->columns, &g->y, (size_t)rows);
    return g->y;
}

/* ---- reductions ----------------------------------------------------------------------------- */

/* Integral over time, trapezoidal, of y or of its square about a centre. */
static double integral(const double *t, const double *y, long n, int squared, double centre) {
    double sum = 0.0;
    for (long i = 1; i < n; i++) {
        double a = y[i - 1] - centre, b = y[i] - centre;
        sum += 0.5 * (t[i] - t[i - 1]) * (squared ? a * a + b * b : a + b);
    }
    return sum;
}

static double mean(const double *t, const double *y, long n, int squared, double centre) {
    double span = t[n - 1] - t[0], d = y[0] - centre;
    return span > 0.0 ? integral(t, y, n, squared, centre) / span : squared ? d * d : d;
}

static double extreme(const double *y, long n, int largest) {
    double most = y[0];
    for (long i = 1; i < n; i++) {
        if (isnan(y[i])) return NAN;
        if (largest ? y[i] > most : y[i] < most) most = y[i];
    }
    return most;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double gauge_quantile(double *y, long n, double share) {
    if (!(share >= 0.0 && share <= 1.0)) return NAN;
    qsort(y, (size_t)n, sizeof *y, by_size);
    double at = share * (double)(n - 1);
    long below = (long)at;
    return below + 1 < n ? y[below] + (at - (double)below) * (y[below + 1] - y[below]) : y[n - 1];
}

/* The k-th peak from the end: a row above both neighbours (a level top counts once), as the vertex
 * of the parabola through the three. */
static double peak(const double *y, long n, double k) {
    if (!(k >= 1.0 && k <= (double)n)) return NAN;
    long wanted = (long)k;
    for (long i = n - 2; i > 0; i--) {
        if (!(y[i] > y[i - 1] && y[i] >= y[i + 1]) || --wanted > 0) continue;
        double curve = y[i - 1] - 2.0 * y[i] + y[i + 1], slope = 0.5 * (y[i + 1] - y[i - 1]);
        return curve < 0.0 ? y[i] - 0.5 * slope * slope / curve : y[i];
    }
    return NAN;
}

static double first_time(const double *t, const double *y, long n) {
    for (long i = 0; i < n; i++)
        if (y[i] != 0.0) return t[i];
    return NAN;
}

static double beginnings(const double *y, long n) {
    long count = 0;
    for (long i = 0; i < n; i++) count += y[i] != 0.0 && (i == 0 || y[i - 1] == 0.0);
    return (double)count;
}

/* Share of the time. */
static double sliding(const run_facts *f, int contact) {
    return fmin(1.0, f->slides[contact].slid / (f->end - f->from));
}

/* Who has slid without rest for the last quarter, and never that long before, slides; else who
 * comes to rest and starts again sticks and slips. Who has broken away later than that may come to
 * rest again: so far it sticks, as those do who break away a little later. */
static double regime(const run_facts *f, int contact) {
    const sim_slide *s = &f->slides[contact];
    double last = s->slides ? s->slid - s->since : 0.0;
    if (last > s->longest && last >= 0.25 * (f->end - f->from)) return 2.0;
    return s->starts > 0 && s->stops > 0 ? 1.0 : 0.0;
}

/* How far the rows of an expression, in y, are from those of the reference: xi or Gamma. */
static double difference(gauge *g, int i, const double *t, long rows, const run_facts *run) {
    const meter *m = g->m;
    const reduction *r = &m->reductions[i];
    long known = m->reference_rows;
    double *own = g->y;
    if (!m->reference || known < 1) return NAN;
    g->y = g->own; /* what was computed stays where it is */
    g->own = own;
    const double *const *column = (const double *const *)m->reference;
    const double *ref = rows_of(g, g->of[i], &r->of, column, known, run, m->reference_x);
    double *at_rows = g->own + g->room;
    for (long k = 0; k < rows; k++)
        at_rows[k] =
            k < known && column[0][k] == t[k] ? ref[k] : bri_value_at(column[0], ref, known, t[k]);
    bri_difference d = difference_of_motion(own, at_rows, rows);
    return r->kind == REDUCE_XI ? d.xi : d.Gamma;
}

static double reduce(gauge *g, int i, const double *const *column, long rows, const run_facts *run,
                     const double *x, bri_error *err) {
    const reduction *r = &g->m->reductions[i];
    const double *t = column[0], *y;
    double second = 0.0;
    bri_cycles c;
    int contact = r->contact < 0 ? -1 : run->contact[r->contact];
    if (r->kind == REDUCE_REGIME) return regime(run, contact);
    if (r->kind == REDUCE_SLIDING) return sliding(run, contact);
    if (r->kind == REDUCE_STARTS) return (double)run->slides[contact].starts;
    if (r->second.program) second = number_of(g, g->second[i], &r->second, run, x);
    if (rows < 1) return NAN;
    y = rows_of(g, g->of[i], &r->of, column, rows, run, x);
    switch (r->kind) {
    case REDUCE_BREAK_AWAY:
        return fmax(extreme(y, rows, 1), run->event_force[contact]);
    case REDUCE_XI:
    case REDUCE_GAMMA:
        return difference(g, i, t, rows, run);
    case REDUCE_MAX:
    case REDUCE_MIN:
        return extreme(y, rows, r->kind == REDUCE_MAX);
    case REDUCE_MEAN:
    case REDUCE_FRACTION:
        return mean(t, y, rows, 0, 0.0);
    case REDUCE_RMS:
        return sqrt(mean(t, y, rows, 1, 0.0));
    case REDUCE_STD:
        return sqrt(mean(t, y, rows, 1, mean(t, y, rows, 0, 0.0)));
    case REDUCE_RANGE:
        return extreme(y, rows, 1) - extreme(y, rows, 0);
    case REDUCE_FIRST:
        return y[0];
    case REDUCE_LAST:
        return y[rows - 1];
    case REDUCE_INTEGRAL:
        return integral(t, y, rows, 0, 0.0);
    case REDUCE_WHEN:
        return first_time(t, y, rows);
    case REDUCE_COUNT:
        return beginnings(y, rows);
    case REDUCE_AT:
        return bri_value_at(t, y, rows, second);
    case REDUCE_QUANTILE:
        return gauge_quantile(g->y, rows, second);
    case REDUCE_PEAK:
        return peak(y, rows, second);
    default:
        c = cycles_of_motion(t, y, rows, err);
        return r->kind == REDUCE_PERIOD  ? c.period
               : r->kind == REDUCE_SWING ? c.high - c.low
                                         : c.drift;
    }
}

bri_status gauge_read(gauge *g, const double *const *column, long rows, const run_facts *run,
                      const double *x, double *y, bri_error *err) {
    bri_error why = {0};
    long most = rows > g->m->reference_rows ? rows : g->m->reference_rows;
    if (most > g->room) {
        size_t size = 2 * (size_t)most * sizeof *g->y; /* an expression, and a reference for it */
        double *more = realloc(g->y, size), *other = more ? realloc(g->own, size) : NULL;
        if (more) g->y = more;
        if (other) g->own = other;
        if (!other) return bri_fail(err, BRI_NO_MEMORY, "no memory for %ld rows", most);
        g->room = most;
    }
    for (int i = 0; i < g->m->n_reductions; i++)
        g->reduced[i] = reduce(g, i, column, rows, run, x, &why);
    for (int i = 0; i < g->m->n_measures; i++)
        y[i] = number_of(g, g->value[i], &g->m->measures[i].value, run, x);
    if (why.status == BRI_OK) return BRI_OK;
    return bri_fail(err, why.status, "%s", why.text);
}
