/* picture.c - results as a picture: what suits the axes. Maps over two grids: picture_map.c, lines
 * over one and bands over time: picture_lines.c, samples and points of a file: picture_samples.c.
 */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    for (int k = 0; k < i; k++) column += axis_shown(&d->axes[k]);
    return column;
}

int picture_first(const sheet *s) {
    int i = 0;
    while (i < s->n_columns && s->columns[i].kind != BRI_SWEEP_MEASURE) i++;
    return i;
}

void picture_variant(const studio *t, int v, const char *more, char text[STUDIO_TEXT]) {
    const bri_sweep *s = t->s;
    const design *d = &s->design;
    snprintf(text, STUDIO_TEXT, "%s%s%s%s%s",
             d->n_laws > 1 ? s->def.laws[v / d->n_solvers]->name : "",
             d->n_laws > 1 && d->n_solvers > 1 ? ", " : "",
             d->n_solvers > 1 ? bri_solver_name(s->def.solvers[v % d->n_solvers]) : "",
             *more && picture_variants(t) > 1 ? ", " : "", more);
}

int picture_variants(const studio *t) { return t->s->design.n_laws * t->s->design.n_solvers; }

int picture_has(const studio *t, long point, int measure) {
    return t->s->sheet.state[point] != ROW_NONE &&
           isfinite(sheet_row(&t->s->sheet, point)[measure]);
}

char *picture_text(studio *t, const char *text, size_t length) {
    if (t->n_texts == STUDIO_TEXTS) return t->text[0];
    char *to = t->text[t->n_texts++];
    snprintf(to, STUDIO_TEXT, "%.*s", (int)(length < STUDIO_TEXT ? length : STUDIO_TEXT - 1), text);
    return to;
}

bri_panel *picture_panel(studio *t, const char *title) {
    bri_panel *p = &t->panels[t->n_panels];
    *p = (bri_panel){.title = title, .series = t->series[t->n_panels], .rows = 2};
    t->n_panels++;
    return p;
}

void picture_add(studio *t, bri_panel *p, bri_series series) {
    bri_series *to = t->series[p - t->panels];
    if (p->n_series < STUDIO_SERIES) to[p->n_series++] = series;
}

/* ---- what suits the axes ------------------------------------------------------------------------
 */

/* The values of a list may stand in any order, and those of a range may fall. */
static void sort_grid(studio *t, int k) {
    const axis *a = &t->s->design.axes[t->at[k]];
    long n = a->count, rises = 1, falls = 1;
    double *values = picture_room(t, n), *place = picture_room(t, n);
    if (!values || !place) return;
    for (long i = 1; i < n; i++) {
        rises = rises && a->values[i] >= a->values[i - 1];
        falls = falls && a->values[i] < a->values[i - 1];
    }
    for (long i = 0; i < n; i++) {
        long before = rises ? i : falls ? n - 1 - i : 0;
        for (long j = 0; j < n && !rises && !falls; j++)
            before += a->values[j] < a->values[i] || (a->values[j] == a->values[i] && j < i);
        place[i] = (double)before;
        values[before] = a->values[i];
    }
    t->scale[k] = *a;
    t->scale[k].values = values;
    t->place[k] = place;
}

studio *picture_new(bri_sweep *s) {
    const design *d = &s->design;
    studio *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->s = s;
    int n = snprintf(t->title, sizeof t->title, "%.150s, %ld",
                     s->def.scenario ? s->def.scenario : "sweep", s->sheet.done);
    if (s->sheet.done < s->sheet.points) /* a part */
        n += snprintf(t->title + n, sizeof t->title - (size_t)n, " of %ld", s->sheet.points);
    n += snprintf(t->title + n, sizeof t->title - (size_t)n, " points");
    if (s->sheet.failed > 0) /* what is white in a map, and missing elsewhere */
        snprintf(t->title + n, sizeof t->title - (size_t)n, ", %ld failed", s->sheet.failed);
    for (int i = 0; i < d->n_axes; i++) {
        if (d->axes[i].kind != AXIS_GRID || d->axes[i].count < 2) continue;
        if (t->grids < 2) t->at[t->grids] = i;
        t->grids++;
    }
    for (int k = 0; k < 2 && k < t->grids; k++) sort_grid(t, k);
    return t;
}

void picture_free(studio *t) {
    for (int i = 0; t && i < t->n_rooms; i++) free(t->rooms[i]);
    free(t);
}

static int has_course(const sheet *s) {
    for (int i = 0; i < s->n_columns; i++)
        if (isfinite(s->columns[i].instant)) return 1;
    return 0;
}

/* Whether there is a picture for what is varied. */
static bri_status picture_fits(const studio *t, bri_error *err) {
    const design *d = &t->s->design;
    long maps = t->grids < 2 ? 1 : picture_maps(d, t->at);
    if (d->points < 2) return bri_fail(err, BRI_BAD_VALUE, "one point is no picture");
    if (t->grids == 0 && d->samples == 1 && d->file_rows == 1 && !has_course(&t->s->sheet))
        return bri_fail(err, BRI_BAD_VALUE,
                        "laws and solvers alone are no picture: vary a number as well");
    if (maps > MOST_MAPS)
        return bri_fail(
            err, BRI_BAD_VALUE,
            "a picture has at most %d maps, not %ld, one for each law, solver and value "
            "beyond the first two grids",
            MOST_MAPS, maps);
    return BRI_OK;
}

/* Below each other; three and more in two columns. */
static void place_panels(studio *t) {
    int columns = t->n_panels > 2 ? 2 : 1;
    for (int i = 0; i < t->n_panels; i++) {
        t->panels[i].column = i % columns;
        t->panels[i].row = 2 * (i / columns);
    }
    t->plot.columns = columns;
    t->plot.rows = 2 * ((t->n_panels + columns - 1) / columns);
}

bri_status picture_draw(studio *t, int measure, bri_error *err) {
    const bri_sweep *s = t->s;
    const sheet_column *c = &s->sheet.columns[measure];
    t->n_panels = 0;
    if (t->failed) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    if (s->sheet.done == 0) return bri_fail(err, BRI_BAD_VALUE, "there is no result to draw");
    bri_status status = picture_fits(t, err);
    if (status != BRI_OK) return status;
    if (t->grids >= 2 && !isfinite(c->instant))
        picture_map(t, t->at, measure);
    else if (t->grids == 1)
        picture_lines(t);
    else if (t->grids == 0)
        picture_samples(t);
    if (t->grids < 2 || isfinite(c->instant)) picture_bands(t);
    if (t->failed) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    if (t->n_panels == 0) return bri_fail(err, BRI_BAD_VALUE, "one point is no picture");
    t->plot = (bri_plot){.title = t->title, .panels = t->panels, .n_panels = t->n_panels};
    if (!t->panels[0].map) place_panels(t);
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
