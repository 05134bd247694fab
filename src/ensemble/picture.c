/* picture.c - results as a picture: a map over two grids, lines over one, histograms of samples. */
#include "ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 12, MOST_LINES = 8, FINE = 201, BINS = 30, LEVELS = 7 };

/* Memory of a picture, given back at once. */
typedef struct studio {
    bri_sweep *s;
    double *rooms[400];
    int n_rooms;
    bri_series series[MOST_PANELS][MOST_LINES * 3 + 100];
    bri_panel panels[MOST_PANELS];
    char text[MOST_PANELS][MOST_LINES * 3][80];
    int failed;
} studio;

static double *room(studio *t, long count) {
    double *r = t->n_rooms < 400 ? calloc((size_t)count + 1, sizeof *r) : NULL;
    if (r)
        t->rooms[t->n_rooms++] = r;
    else
        t->failed = 1;
    return r;
}

static const char *unit_of(const sheet_column *c) {
    return strcmp(c->unit, "1") == 0 ? "" : c->unit;
}

/* The column of axis i in the sheet; those that have none do not count. */
static int column_of(const design *d, int i) {
    int column = 0;
    for (int k = 0; k < i; k++) column += d->axes[k].kind != AXIS_EACH;
    return column;
}

static int first_measure(const sheet *s) {
    int i = 0;
    while (i < s->n_columns && s->columns[i].kind != BRI_SWEEP_MEASURE) i++;
    return i;
}

/* ---- a map --------------------------------------------------------------------------------------
 */

/* Mean over samples, rows, laws: whatever else the point of the grid has; of words the last. */
static void fill_cells(studio *t, const int at[2], int measure, double *z) {
    const design *d = &t->s->design;
    const sheet *found = &t->s->sheet;
    int nx = (int)d->axes[at[0]].count, ny = (int)d->axes[at[1]].count;
    double *count = room(t, (long)nx * ny);
    if (!count) return;
    for (long i = 0; i < d->points; i++) {
        place_in p = design_place(d, i);
        double value = sheet_row(found, i)[measure];
        long cell = p.grid[at[1]] * nx + p.grid[at[0]];
        if (found->state[i] == ROW_NONE || !isfinite(value)) continue;
        z[cell] = found->columns[measure].words ? value : z[cell] + value;
        count[cell] += 1.0;
    }
    for (long k = 0; k < (long)nx * ny; k++)
        z[k] = count[k] == 0.0 ? NAN : found->columns[measure].words ? z[k] : z[k] / count[k];
}

/* Levels at round steps, thin lines. */
static int add_contours(studio *t, const axis *x, const axis *y, const double *z) {
    double low = INFINITY, high = -INFINITY;
    int n = 0, nx = (int)x->count, ny = (int)y->count;
    for (long k = 0; k < (long)nx * ny; k++)
        if (isfinite(z[k])) low = fmin(low, z[k]), high = fmax(high, z[k]);
    if (!(high > low)) return 0;
    double rough = (high - low) / LEVELS, unit = pow(10.0, floor(log10(rough))),
           share = rough / unit;
    double step = unit * (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0);
    for (double level = step * ceil(low / step); level < high && n < 2 * LEVELS; level += step) {
        double *px = room(t, 6L * nx * ny), *py = room(t, 6L * nx * ny);
        if (!px || !py) return n;
        int count = contour(x->values, nx, y->values, ny, z, level, px, py);
        t->series[0][n++] = (bri_series){.x = px, .y = py, .count = count, .back = 1};
    }
    return n;
}

/* The line that is known from elsewhere, on a grid of its own. */
static int add_limit(studio *t, const int at[2], int n) {
    const bri_sweep *s = t->s;
    const axis *a[2] = {&s->design.axes[at[0]], &s->design.axes[at[1]]};
    double *fine[2] = {room(t, FINE), room(t, FINE)}, *z = room(t, FINE * FINE);
    double *px = room(t, 6L * FINE * FINE), *py = room(t, 6L * FINE * FINE), x[MOST_AXES] = {0};
    if (!s->limit || t->failed) return n;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < FINE; i++) {
            double u = i / (FINE - 1.0), from = a[k]->values[0], to = a[k]->values[a[k]->count - 1];
            fine[k][i] = a[k]->logarithmic ? from * pow(to / from, u) : from + (to - from) * u;
        }
    for (int i = 0; i < s->design.n_axes; i++) x[i] = s->design.axes[i].nominal;
    for (int j = 0; j < FINE; j++)
        for (int i = 0; i < FINE; i++) {
            x[at[0]] = fine[0][i];
            x[at[1]] = fine[1][j];
            z[j * FINE + i] = limit_value(s->limit, x);
        }
    int count = contour(fine[0], FINE, fine[1], FINE, z, 0.0, px, py);
    t->series[0][n] = (bri_series){.label = "limit", .x = px, .y = py, .count = count};
    return n + 1;
}

static bri_status draw_map(studio *t, const int at[2], const char *title, const char *file,
                           bri_error *err) {
    const bri_sweep *s = t->s;
    const axis *x = &s->design.axes[at[0]], *y = &s->design.axes[at[1]];
    int measure = first_measure(&s->sheet);
    const sheet_column *c = &s->sheet.columns[measure];
    double *z = room(t, x->count * y->count);
    if (!z) return BRI_NO_MEMORY;
    fill_cells(t, at, measure, z);
    const bri_map map = {.x = x->values,
                         .y = y->values,
                         .z = z,
                         .nx = (int)x->count,
                         .ny = (int)y->count,
                         .name = c->name,
                         .unit = unit_of(c),
                         .words = (const char *const *)c->words,
                         .n_words = c->n_words};
    int n = c->words ? 0 : add_contours(t, x, y, z);
    n = add_limit(t, at, n);
    if (t->failed) return BRI_NO_MEMORY;
    t->panels[0] = (bri_panel){.title = c->name,
                               .x_name = x->name,
                               .x_unit = unit_of(&s->sheet.columns[column_of(&s->design, at[0])]),
                               .y_name = y->name,
                               .y_unit = unit_of(&s->sheet.columns[column_of(&s->design, at[1])]),
                               .log_x = x->logarithmic,
                               .log_y = y->logarithmic,
                               .series = t->series[0],
                               .n_series = n,
                               .map = &map};
    return bri_plot_write(&(bri_plot){.title = title, .panels = t->panels, .n_panels = 1}, file,
                          err);
}

/* ---- lines over one grid
 * ---------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile u of the samples at place k of the grid (or of the file) for one law and solver. */
static double quantile_at(const bri_sweep *s, int at, long k, int law, int solver, int measure,
                          double u, double *samples) {
    const design *d = &s->design;
    long n = 0;
    long each = d->points / (d->n_laws * d->n_solvers),
         first = (law * d->n_solvers + solver) * each;
    for (long i = first; i < first + each; i++) {
        if (s->sheet.state[i] == ROW_NONE || !isfinite(sheet_row(&s->sheet, i)[measure])) continue;
        place_in p = design_place(d, i);
        if ((d->axes[at].kind == AXIS_FILE ? p.row : p.grid[at]) == k)
            samples[n++] = sheet_row(&s->sheet, i)[measure];
    }
    if (n == 0) return NAN;
    qsort(samples, (size_t)n, sizeof *samples, by_size);
    double place = u * (double)(n - 1);
    long below = (long)place;
    return below + 1 < n
               ? samples[below] + (place - (double)below) * (samples[below + 1] - samples[below])
               : samples[n - 1];
}

/* "peaks_3" of the bifurcation "peaks": length of its name, 0: not one of those. */
static size_t numbered(const char *name) {
    const char *bar = strrchr(name, '_');
    return bar && bar > name && bar[1] && strspn(bar + 1, "0123456789") == strlen(bar + 1)
               ? (size_t)(bar - name)
               : 0;
}

static int same_family(const char *a, const char *b) {
    size_t n = numbered(a);
    return n > 0 && numbered(b) == n && strncmp(a, b, n) == 0;
}

/* Panels one below the other. */
static bri_status write_panels(const studio *t, int panels, const char *title, const char *file,
                               bri_error *err) {
    if (t->failed) return BRI_NO_MEMORY;
    return bri_plot_write(&(bri_plot){.title = title,
                                      .panels = t->panels,
                                      .n_panels = panels,
                                      .columns = 1,
                                      .rows = 2 * panels},
                          file, err);
}

/* All lines of one measure: laws and solvers, and about each, if there are samples, two quantiles.
 */
static int add_lines(studio *t, int panel, int at, int measure, int dots) {
    const bri_sweep *s = t->s;
    const design *d = &s->design;
    const axis *a = &d->axes[at];
    double *samples = room(t, d->points);
    int lines = 0, many = d->samples > 1;
    for (int v = 0; v < d->n_laws * d->n_solvers && lines < MOST_LINES * 3 - 3; v++)
        for (int q = 0; q < (many ? 3 : 1); q++) {
            static const double shares[] = {0.5, 0.05, 0.95};
            static const char *const words[] = {"median", "5 %", "95 %"};
            double *y = room(t, a->count);
            if (!y || !samples) return lines;
            for (long k = 0; k < a->count; k++)
                y[k] = quantile_at(s, at, k, v / d->n_solvers, v % d->n_solvers, measure, shares[q],
                                   samples);
            char *text = t->text[panel][lines];
            snprintf(text, 80, "%s%s%s%s%s",
                     d->n_laws > 1 ? s->def.laws[v / d->n_solvers]->name : "",
                     d->n_laws > 1 && d->n_solvers > 1 ? ", " : "",
                     d->n_solvers > 1 ? bri_solver_name(s->def.solvers[v % d->n_solvers]) : "",
                     many && d->n_laws * d->n_solvers > 1 ? ", " : "", many ? words[q] : "");
            t->series[panel][lines] =
                (bri_series){.label = *text && !dots ? text : NULL,
                             .x = a->values,
                             .y = y,
                             .count = (int)a->count,
                             .markers = dots                                    ? 2
                                        : a->kind == AXIS_FILE || a->count < 30 ? 3
                                                                                : 0};
            lines++;
        }
    return lines;
}

static bri_status draw_lines(studio *t, int at, const char *title, const char *file,
                             bri_error *err) {
    const bri_sweep *s = t->s;
    const axis *a = &s->design.axes[at];
    const sheet *found = &s->sheet;
    int panels = 0;
    for (int m = first_measure(found); m < found->n_columns && panels < MOST_PANELS; m++) {
        const char *name = found->columns[m].name;
        size_t family = numbered(name);
        if (family > 0 && m > 0 && same_family(found->columns[m - 1].name, name)) continue;
        int n = 0, last = m;
        while (family > 0 && last + 1 < found->n_columns &&
               same_family(name, found->columns[last + 1].name))
            last++;
        if (last > m) { /* a bifurcation: all peaks as dots of one colour */
            long all = (long)(last - m + 1) * a->count;
            double *x = room(t, all), *y = room(t, all), *samples = room(t, s->design.points);
            if (t->failed) return BRI_NO_MEMORY;
            for (int k = m; k <= last; k++)
                for (long i = 0; i < a->count; i++) {
                    x[(long)(k - m) * a->count + i] = a->values[i];
                    y[(long)(k - m) * a->count + i] = quantile_at(s, at, i, 0, 0, k, 0.5, samples);
                }
            t->series[panels][n++] = (bri_series){.x = x, .y = y, .count = (int)all, .markers = 2};
        } else {
            n = add_lines(t, panels, at, m, 0);
        }
        char *label = t->text[panels][MOST_LINES * 3 - 1];
        snprintf(label, 80, "%.*s",
                 (int)(last > m ? family : strlen(name)) < 79
                     ? (int)(last > m ? family : strlen(name))
                     : 79,
                 name);
        t->panels[panels] = (bri_panel){
            .title = label,
            .x_name = a->name,
            .x_unit = unit_of(&found->columns[column_of(&s->design, at)]),
            .y_name = found->columns[m].words ? "0 sticks, 1 stick-slip, 2 slides" : label,
            .y_unit = unit_of(&found->columns[m]),
            .log_x = a->logarithmic,
            .series = t->series[panels],
            .n_series = n,
            .row = panels * 2,
            .rows = 2};
        panels++;
    }
    return write_panels(t, panels, title, file, err);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* The outline of a histogram: share of the points per bin. */
static int add_histogram(studio *t, int panel, int measure) {
    const sheet *found = &t->s->sheet;
    double low = INFINITY, high = -INFINITY, *x = room(t, 4 * BINS + 4), *y = room(t, 4 * BINS + 4),
           count[BINS] = {0};
    long all = 0;
    if (!x || !y) return 0;
    for (long i = 0; i < found->points; i++) {
        double v = sheet_row(found, i)[measure];
        if (found->state[i] != ROW_NONE && isfinite(v)) low = fmin(low, v), high = fmax(high, v);
    }
    if (!(high > low)) return 0;
    for (long i = 0; i < found->points; i++) {
        double v = sheet_row(found, i)[measure];
        if (found->state[i] == ROW_NONE || !isfinite(v)) continue;
        int bin = (int)(BINS * (v - low) / (high - low));
        count[bin < BINS ? bin : BINS - 1]++;
        all++;
    }
    int n = 0;
    for (int b = 0; b < BINS; b++) {
        double left = low + (high - low) * b / BINS, right = low + (high - low) * (b + 1) / BINS;
        double height = 100.0 * count[b] / (double)all;
        x[n] = left, y[n++] = 0.0;
        x[n] = left, y[n++] = height;
        x[n] = right, y[n++] = height;
        x[n] = right, y[n++] = 0.0;
    }
    t->series[panel][0] = (bri_series){.x = x, .y = y, .count = n};
    return 1;
}

static int add_scatter(studio *t, int panel, int column, int measure) {
    const sheet *found = &t->s->sheet;
    const long most = 5000; /* dots that an eye can tell apart */
    long every = found->points / most + 1, n = 0;
    double *x = room(t, found->points / every + 1), *y = room(t, found->points / every + 1);
    if (!x || !y) return 0;
    for (long i = 0; i < found->points; i += every)
        if (found->state[i] != ROW_NONE)
            x[n] = sheet_row(found, i)[column], y[n++] = sheet_row(found, i)[measure];
    t->series[panel][0] = (bri_series){.x = x, .y = y, .count = (int)n, .markers = 2};
    return 1;
}

static bri_status draw_samples(studio *t, const char *title, const char *file, bri_error *err) {
    const sheet *found = &t->s->sheet;
    int measure = first_measure(found), panels = 0;
    for (int m = measure; m < found->n_columns && panels < 4; m++) {
        const sheet_column *c = &found->columns[m];
        int n = add_histogram(t, panels, m);
        t->panels[panels] = (bri_panel){.title = c->name,
                                        .x_name = c->name,
                                        .x_unit = unit_of(c),
                                        .y_name = "share of points",
                                        .y_unit = "%",
                                        .series = t->series[panels],
                                        .n_series = n,
                                        .row = panels * 2,
                                        .rows = 2};
        panels++;
    }
    for (int i = 0; i < measure && panels < MOST_PANELS; i++) {
        const sheet_column *c = &found->columns[i], *m = &found->columns[measure];
        if (c->kind != BRI_SWEEP_AXIS) continue;
        int n = add_scatter(t, panels, i, measure);
        t->panels[panels] = (bri_panel){.title = m->name,
                                        .x_name = c->name,
                                        .x_unit = unit_of(c),
                                        .y_name = m->name,
                                        .y_unit = unit_of(m),
                                        .series = t->series[panels],
                                        .n_series = n,
                                        .row = panels * 2,
                                        .rows = 2};
        panels++;
    }
    return write_panels(t, panels, title, file, err);
}

bri_status bri_sweep_plot(bri_sweep *s, const char *file, bri_error *err) {
    const design *d = &s->design;
    studio *t = calloc(1, sizeof *t);
    int grids = 0, at[2] = {0, 0}, rows = -1;
    char title[200];
    if (!t) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    t->s = s;
    snprintf(title, sizeof title, "%.150s, %ld points", s->def.scenario ? s->def.scenario : "sweep",
             s->sheet.done);
    for (int i = 0; i < d->n_axes; i++) {
        if (d->axes[i].kind == AXIS_FILE && rows < 0) rows = i;
        if (d->axes[i].kind != AXIS_GRID || d->axes[i].count < 2) continue;
        if (grids < 2) at[grids] = i;
        grids++;
    }
    bri_status status =
        s->sheet.done == 0 ? bri_fail(err, BRI_BAD_VALUE, "there is no result to draw")
        : grids > 2 ? bri_fail(err, BRI_BAD_VALUE, "a picture has two grids at most, not %d", grids)
        : grids == 2     ? draw_map(t, at, title, file, err)
        : grids == 1     ? draw_lines(t, at[0], title, file, err)
        : d->samples > 1 ? draw_samples(t, title, file, err)
        : rows >= 0      ? draw_lines(t, rows, title, file, err)
                         : bri_fail(err, BRI_BAD_VALUE, "one point is no picture");
    if (t->failed) status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int i = 0; i < t->n_rooms; i++) free(t->rooms[i]);
    free(t);
    return status;
}
