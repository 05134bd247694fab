/* picture.c - results as a picture: lines over one grid, histograms of samples, bands over time. A
 * map over two grids: picture_map.c. */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 30 };

double *picture_room(studio *t, long count) {
    double *r = t->n_rooms < STUDIO_ROOMS ? calloc((size_t)count + 1, sizeof *r) : NULL;
    if (r)
        t->rooms[t->n_rooms++] = r;
    else
        t->failed = 1;
    return r;
}

const char *picture_unit(const sheet_column *c) { return strcmp(c->unit, "1") == 0 ? "" : c->unit; }

int picture_column(const design *d, int i) {
    int column = 0;
    for (int k = 0; k < i; k++) column += d->axes[k].kind != AXIS_EACH;
    return column;
}

int picture_first(const sheet *s) {
    int i = 0;
    while (i < s->n_columns && s->columns[i].kind != BRI_SWEEP_MEASURE) i++;
    return i;
}

/* ---- lines over one grid
 * ---------------------------------------------------------------------------- */

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
    return n == 0 ? NAN : gauge_quantile(samples, n, u);
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

/* All lines of one measure: laws and solvers, and about each, if there are samples, two quantiles.
 */
static int add_lines(studio *t, int panel, int at, int measure, int dots) {
    const bri_sweep *s = t->s;
    const design *d = &s->design;
    const axis *a = &d->axes[at];
    double *samples = picture_room(t, d->points);
    int lines = 0, many = d->samples > 1;
    for (int v = 0; v < d->n_laws * d->n_solvers && lines < MOST_LINES * 3 - 3; v++)
        for (int q = 0; q < (many ? 3 : 1); q++) {
            static const double shares[] = {0.5, 0.05, 0.95};
            static const char *const words[] = {"median", "5 %", "95 %"};
            double *y = picture_room(t, a->count);
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

/* A panel below those that are there. */
static bri_panel *add_panel(studio *t, const char *title, int n_series) {
    bri_panel *p = &t->panels[t->n_panels];
    *p = (bri_panel){.title = title,
                     .series = t->series[t->n_panels],
                     .n_series = n_series,
                     .row = t->n_panels * 2,
                     .rows = 2};
    t->n_panels++;
    return p;
}

/* A number at many times: at each the quantiles of all points, for every law and solver. */
static void add_band(studio *t, int first, int last) {
    static const double shares[] = {0.5, 0.05, 0.25, 0.75, 0.95};
    static const char *const words[] = {"median", "5 %", "25 %", "75 %", "95 %"};
    const bri_sweep *s = t->s;
    const design *d = &s->design;
    const sheet_column *c = &s->sheet.columns[first];
    int lines = 0, variants = d->n_laws * d->n_solvers, count = last - first + 1;
    long each = d->points / variants;
    double *x = picture_room(t, count), *samples = picture_room(t, each);
    if (t->n_panels == MOST_PANELS || t->failed) return;
    for (int k = 0; k < count; k++) x[k] = s->sheet.columns[first + k].instant;
    for (int v = 0; v < variants && lines + 5 <= MOST_LINES * 3 - 2; v++)
        for (int q = 0; q < (each > 1 ? 5 : 1); q++) {
            double *y = picture_room(t, count);
            for (int k = 0; y && k < count; k++) {
                long n = 0;
                for (long i = v * each; i < (v + 1) * each; i++) {
                    double value = sheet_row(&s->sheet, i)[first + k];
                    if (s->sheet.state[i] != ROW_NONE && isfinite(value)) samples[n++] = value;
                }
                y[k] = n == 0 ? NAN : gauge_quantile(samples, n, shares[q]);
            }
            if (!y) return;
            char *text = t->text[t->n_panels][lines];
            snprintf(text, 80, "%s%s%s", d->n_laws > 1 ? s->def.laws[v / d->n_solvers]->name : "",
                     d->n_laws > 1 ? ", " : "", words[q]);
            t->series[t->n_panels][lines++] =
                (bri_series){.label = text, .x = x, .y = y, .count = count, .dashed = q > 0};
        }
    char *label = t->text[t->n_panels][MOST_LINES * 3 - 1];
    snprintf(label, 80, "%.*s", (int)numbered(c->name) < 79 ? (int)numbered(c->name) : 79, c->name);
    bri_panel *p = add_panel(t, label, lines);
    p->x_name = "time", p->x_unit = "s", p->y_name = label, p->y_unit = picture_unit(c);
}

/* All of those that have been measured. */
static void add_bands(studio *t) {
    const sheet *found = &t->s->sheet;
    for (int m = picture_first(found); m < found->n_columns; m++) {
        int last = m;
        if (!isfinite(found->columns[m].instant)) continue;
        while (last + 1 < found->n_columns &&
               same_family(found->columns[m].name, found->columns[last + 1].name))
            last++;
        add_band(t, m, last);
        m = last;
    }
}

static void draw_lines(studio *t, int at) {
    const bri_sweep *s = t->s;
    const axis *a = &s->design.axes[at];
    const sheet *found = &s->sheet;
    for (int m = picture_first(found); m < found->n_columns && t->n_panels < MOST_PANELS; m++) {
        const char *name = found->columns[m].name;
        size_t family = numbered(name);
        if (isfinite(found->columns[m].instant)) continue;
        if (family > 0 && m > 0 && same_family(found->columns[m - 1].name, name)) continue;
        int n = 0, last = m;
        while (family > 0 && last + 1 < found->n_columns &&
               same_family(name, found->columns[last + 1].name))
            last++;
        if (last > m) { /* a bifurcation: all peaks as dots of one colour */
            long all = (long)(last - m + 1) * a->count;
            double *x = picture_room(t, all), *y = picture_room(t, all),
                   *samples = picture_room(t, s->design.points);
            if (t->failed) return;
            for (int k = m; k <= last; k++)
                for (long i = 0; i < a->count; i++) {
                    x[(long)(k - m) * a->count + i] = a->values[i];
                    y[(long)(k - m) * a->count + i] = quantile_at(s, at, i, 0, 0, k, 0.5, samples);
                }
            t->series[t->n_panels][n++] =
                (bri_series){.x = x, .y = y, .count = (int)all, .markers = 2};
        } else {
            n = add_lines(t, t->n_panels, at, m, 0);
        }
        char *label = t->text[t->n_panels][MOST_LINES * 3 - 1];
        snprintf(label, 80, "%.*s",
                 (int)(last > m ? family : strlen(name)) < 79
                     ? (int)(last > m ? family : strlen(name))
                     : 79,
                 name);
        bri_panel *p = add_panel(t, label, n);
        p->x_name = a->name;
        p->x_unit = picture_unit(&found->columns[picture_column(&s->design, at)]);
        p->y_name = found->columns[m].words ? "0 sticks, 1 stick-slip, 2 slides" : label;
        p->y_unit = picture_unit(&found->columns[m]);
        p->log_x = a->logarithmic;
    }
}

/* ---- samples --------------------------------------------------------------------------------- */

/* The outline of a histogram: share of the points per bin. */
static int add_histogram(studio *t, int panel, int measure) {
    const sheet *found = &t->s->sheet;
    double low = INFINITY, high = -INFINITY, *x = picture_room(t, 4 * BINS + 4),
           *y = picture_room(t, 4 * BINS + 4), count[BINS] = {0};
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
    double *x = picture_room(t, found->points / every + 1),
           *y = picture_room(t, found->points / every + 1);
    if (!x || !y) return 0;
    for (long i = 0; i < found->points; i += every)
        if (found->state[i] != ROW_NONE)
            x[n] = sheet_row(found, i)[column], y[n++] = sheet_row(found, i)[measure];
    t->series[panel][0] = (bri_series){.x = x, .y = y, .count = (int)n, .markers = 2};
    return 1;
}

static void draw_samples(studio *t) {
    const sheet *found = &t->s->sheet;
    int measure = picture_first(found);
    for (int m = measure; m < found->n_columns && t->n_panels < 4; m++) {
        const sheet_column *c = &found->columns[m];
        if (isfinite(c->instant)) continue;
        bri_panel *p = add_panel(t, c->name, add_histogram(t, t->n_panels, m));
        p->x_name = c->name, p->x_unit = picture_unit(c);
        p->y_name = "share of points", p->y_unit = "%";
    }
    if (t->n_panels == 0) return; /* bands alone */
    for (int i = 0; i < measure && t->n_panels < MOST_PANELS - 2; i++) {
        const sheet_column *c = &found->columns[i], *m = &found->columns[measure];
        if (c->kind != BRI_SWEEP_AXIS || isfinite(m->instant)) continue;
        bri_panel *p = add_panel(t, m->name, add_scatter(t, t->n_panels, i, measure));
        p->x_name = c->name, p->x_unit = picture_unit(c);
        p->y_name = m->name, p->y_unit = picture_unit(m);
    }
}

/* ---- what suits the axes ------------------------------------------------------------------------
 */

studio *picture_new(bri_sweep *s) {
    const design *d = &s->design;
    studio *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->s = s;
    t->rows = -1;
    snprintf(t->title, sizeof t->title, "%.150s, %ld points",
             s->def.scenario ? s->def.scenario : "sweep", s->sheet.done);
    for (int i = 0; i < d->n_axes; i++) {
        if (d->axes[i].kind == AXIS_FILE && t->rows < 0) t->rows = i;
        if (d->axes[i].kind != AXIS_GRID || d->axes[i].count < 2) continue;
        if (t->grids < 2) t->at[t->grids] = i;
        t->grids++;
    }
    return t;
}

void picture_free(studio *t) {
    for (int i = 0; t && i < t->n_rooms; i++) free(t->rooms[i]);
    free(t);
}

/* Whether there is a picture for what is varied. */
static bri_status picture_fits(const studio *t, bri_error *err) {
    const design *d = &t->s->design;
    long maps = t->grids < 2 ? 1 : picture_maps(d, t->at);
    if (d->points < 2) return bri_fail(err, BRI_BAD_VALUE, "one point is no picture");
    if (maps > MOST_MAPS)
        return bri_fail(
            err, BRI_BAD_VALUE,
            "a picture has at most %d maps, not %ld, one for each law, solver and value "
            "beyond the first two grids",
            MOST_MAPS, maps);
    return BRI_OK;
}

bri_status picture_draw(studio *t, int measure, bri_error *err) {
    const bri_sweep *s = t->s;
    const sheet_column *c = &s->sheet.columns[measure];
    t->n_panels = 0;
    if (s->sheet.done == 0) return bri_fail(err, BRI_BAD_VALUE, "there is no result to draw");
    bri_status status = picture_fits(t, err);
    if (status != BRI_OK) return status;
    if (t->grids >= 2 && !isfinite(c->instant))
        picture_map(t, t->at, measure);
    else if (t->grids == 1)
        draw_lines(t, t->at[0]);
    else if (t->grids == 0 && s->design.samples > 1)
        draw_samples(t);
    else if (t->grids == 0 && t->rows >= 0)
        draw_lines(t, t->rows);
    if (t->grids < 2 || isfinite(c->instant)) add_bands(t);
    if (t->failed) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    if (t->n_panels == 0) return bri_fail(err, BRI_BAD_VALUE, "one point is no picture");
    t->plot = (bri_plot){.title = t->title, .panels = t->panels, .n_panels = t->n_panels};
    if (!t->panels[0].map) t->plot.columns = 1, t->plot.rows = 2 * t->n_panels;
    return BRI_OK;
}

bri_status bri_sweep_drawable(bri_sweep *s, bri_error *err) {
    studio *t = picture_new(s);
    if (!t) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    bri_status status = picture_fits(t, err);
    picture_free(t);
    return status;
}

bri_status bri_sweep_plot(bri_sweep *s, const char *file, bri_error *err) {
    studio *t = picture_new(s);
    if (!t) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    bri_status status = picture_draw(t, picture_first(&s->sheet), err);
    if (status == BRI_OK) status = bri_plot_write(&t->plot, file, err);
    picture_free(t);
    return status;
}
