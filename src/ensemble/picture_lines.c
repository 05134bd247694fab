/* picture_lines.c - measures over one grid, and numbers at many times: lines, bands of quantiles,
 * bifurcations. */
#include "picture.h"

#include <math.h>
#include <string.h>

enum { MOST_COURSES = 8 }; /* lines that are told apart */

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

/* The last of the measures that belong together with measure m, itself if it is alone. */
static int last_of(const sheet *found, int m) {
    int last = m;
    while (last + 1 < found->n_columns &&
           same_family(found->columns[m].name, found->columns[last + 1].name))
        last++;
    return last;
}

/* What a list of measures is of, "peaks of block.x", "block.x" of a course; for a function, which
 * has names only, its name. */
static char *name_of_list(studio *t, int m, const char *name) {
    const meter *from = t->s->meter;
    const char *of = from ? meter_of(from, m - picture_first(&t->s->sheet)) : "";
    int course = isfinite(t->s->sheet.columns[m].instant);
    char text[STUDIO_TEXT];
    snprintf(text, sizeof text, "%s%s", *of && !course ? "peaks of " : "", *of ? of : name);
    return picture_text(t, text, sizeof text);
}

/* ---- over a grid ---------------------------------------------------------------------------- */

/* The values of a measure that one law and solver have, sorted by their place k along a grid: those
 * of place k from start[k] to start[k + 1]. */
typedef struct heap {
    double *start; /* whole numbers */
    double *value;
} heap;

static long first_at(const heap *h, long k) { return (long)h->start[k]; }
static long count_at(const heap *h, long k) { return (long)(h->start[k + 1] - h->start[k]); }

/* Where a point is along the first grid. */
static long along(const studio *t, long point) {
    return (long)t->place[0][design_place(&t->s->design, point).grid[t->at[0]]];
}

static int gather(studio *t, int v, int measure, heap *h) {
    const design *d = &t->s->design;
    long each = d->points / picture_variants(t), n = t->scale[0].count;
    h->start = picture_room(t, n + 2);
    h->value = picture_room(t, each);
    if (!h->start || !h->value) return 0;
    for (long i = v * each; i < (v + 1) * each; i++)
        if (picture_has(t, i, measure)) h->start[along(t, i) + 2]++;
    for (long k = 0; k < n; k++) h->start[k + 2] += h->start[k + 1];
    for (long i = v * each; i < (v + 1) * each; i++)
        if (picture_has(t, i, measure)) {
            double *next = &h->start[along(t, i) + 1];
            h->value[(long)(*next)++] = sheet_row(&t->s->sheet, i)[measure];
        }
    return 1;
}

/* The quantile of the values at every place, NaN where there is none. */
static double *quantiles(studio *t, heap *h, long n, double share) {
    double *y = picture_room(t, n);
    for (long k = 0; y && k < n; k++) {
        long count = count_at(h, k);
        y[k] = count > 0 ? gauge_quantile(h->value + first_at(h, k), count, share) : NAN;
    }
    return y;
}

/* The share of one word [%]. */
static double *shares(studio *t, const heap *h, long n, int word) {
    double *y = picture_room(t, n);
    for (long k = 0; y && k < n; k++) {
        long count = count_at(h, k), some = 0;
        for (long i = 0; i < count; i++) some += h->value[first_at(h, k) + i] == (double)word;
        y[k] = count > 0 ? 100.0 * (double)some / (double)count : NAN;
    }
    return y;
}

/* One law and solver: a line, or the median with a band, or how often each word is found. */
static void add_line(studio *t, bri_panel *p, int v, int measure, int many) {
    const axis *a = &t->scale[0];
    const sheet_column *c = &t->s->sheet.columns[measure];
    char text[STUDIO_TEXT];
    heap h;
    if (!gather(t, v, measure, &h)) return;
    bri_series s = {.x = a->values, .count = (int)a->count, .markers = a->count < 30 ? 3 : 0};
    if (many && c->words) {
        for (int w = 0; w < c->n_words; w++) {
            picture_variant(t, v, c->words[w], text);
            s.label = picture_text(t, text, STUDIO_TEXT);
            s.y = shares(t, &h, a->count, w);
            if (s.y) picture_add(t, p, s);
        }
        return;
    }
    if (many) {
        bri_series band = {.x = a->values, .count = (int)a->count};
        picture_variant(t, v, "5 to 95 %", text);
        band.label = picture_text(t, text, STUDIO_TEXT);
        band.low = quantiles(t, &h, a->count, 0.05);
        band.y = quantiles(t, &h, a->count, 0.95);
        if (band.low && band.y) picture_add(t, p, band);
    }
    picture_variant(t, v, many ? "median" : "", text);
    s.label = *text ? picture_text(t, text, STUDIO_TEXT) : NULL;
    s.y = quantiles(t, &h, a->count, 0.5);
    if (c->words) s.markers = 1;
    if (s.y) picture_add(t, p, s);
}

/* A bifurcation: all peaks of all points as dots, a colour for every law and solver. */
static void add_dots(studio *t, bri_panel *p, int first, int last) {
    const design *d = &t->s->design;
    long each = d->points / picture_variants(t), most = each * (last - first + 1);
    char text[STUDIO_TEXT];
    for (int v = 0; v < picture_variants(t); v++) {
        double *x = picture_room(t, most), *y = picture_room(t, most);
        long n = 0;
        if (!x || !y) return;
        for (long i = v * each; i < (v + 1) * each; i++)
            for (int k = first; k <= last; k++) {
                if (!picture_has(t, i, k)) continue;
                x[n] = t->scale[0].values[along(t, i)];
                y[n++] = sheet_row(&t->s->sheet, i)[k];
            }
        picture_variant(t, v, "", text);
        picture_add(t, p,
                    (bri_series){.label = *text ? picture_text(t, text, STUDIO_TEXT) : NULL,
                                 .x = x,
                                 .y = y,
                                 .count = (int)n,
                                 .markers = 2});
    }
}

void picture_lines(studio *t) {
    const design *d = &t->s->design;
    const axis *a = &t->scale[0];
    const sheet *found = &t->s->sheet;
    int many = d->points / picture_variants(t) > a->count;
    for (int m = picture_first(found), last; m < found->n_columns && t->n_panels < MOST_PANELS;
         m = last + 1) {
        const sheet_column *c = &found->columns[m];
        last = last_of(found, m);
        if (isfinite(c->instant)) continue;
        char *label = picture_text(t, c->name, last > m ? numbered(c->name) : STUDIO_TEXT);
        bri_panel *p = picture_panel(t, label);
        if (last > m)
            add_dots(t, p, m, last);
        else
            for (int v = 0; v < picture_variants(t); v++) add_line(t, p, v, m, many);
        p->x_name = a->name;
        p->x_unit = picture_unit(&found->columns[picture_column(d, t->at[0])]);
        p->y_name = last > m ? name_of_list(t, m, label) : label;
        p->y_unit = picture_unit(c);
        p->log_x = a->logarithmic;
        if (c->words && many)
            p->y_name = "share of points", p->y_unit = "%";
        else if (c->words)
            p->y_name = NULL, p->y_words = (const char *const *)c->words;
    }
}

/* ---- over time ------------------------------------------------------------------------------ */

/* One law and solver: the median of all points at every time, and two bands about it. */
static void add_course(studio *t, bri_panel *p, int v, int first, int count, const double *x) {
    static const struct {
        double low, high;
        const char *text;
    } parts[] = {{0.05, 0.95, "5 to 95 %"}, {0.25, 0.75, "25 to 75 %"}, {0.5, 0.5, "median"}};
    long each = t->s->design.points / picture_variants(t);
    double *samples = picture_room(t, each);
    for (int q = each > 1 ? 0 : 2; q < 3; q++) {
        char text[STUDIO_TEXT];
        double *low = picture_room(t, count), *y = picture_room(t, count);
        if (!samples || !low || !y) return;
        for (int k = 0; k < count; k++) {
            long n = 0;
            for (long i = v * each; i < (v + 1) * each; i++)
                if (picture_has(t, i, first + k))
                    samples[n++] = sheet_row(&t->s->sheet, i)[first + k];
            low[k] = n == 0 ? NAN : gauge_quantile(samples, n, parts[q].low);
            y[k] = n == 0 ? NAN : gauge_quantile(samples, n, parts[q].high);
        }
        picture_variant(t, v, each > 1 ? parts[q].text : "", text);
        picture_add(t, p,
                    (bri_series){.label = *text ? picture_text(t, text, STUDIO_TEXT) : NULL,
                                 .x = x,
                                 .y = y,
                                 .low = q < 2 ? low : NULL,
                                 .count = count});
    }
}

/* Of a few points without samples a line each. */
static void add_each(studio *t, bri_panel *p, int first, int count, const double *x) {
    static const int all[2] = {-1, -1};
    const sheet *found = &t->s->sheet;
    for (long i = 0; i < found->points; i++) {
        char text[STUDIO_TEXT];
        double *y = picture_room(t, count);
        place_in at = design_place(&t->s->design, i);
        if (!y) return;
        for (int k = 0; k < count; k++)
            y[k] = picture_has(t, i, first + k) ? sheet_row(found, i)[first + k] : NAN;
        picture_place(t, all, &at, text, sizeof text);
        picture_add(t, p,
                    (bri_series){.label = *text ? picture_text(t, text, STUDIO_TEXT) : NULL,
                                 .x = x,
                                 .y = y,
                                 .count = count});
    }
}

void picture_bands(studio *t) {
    const sheet *found = &t->s->sheet;
    for (int m = picture_first(found), last; m < found->n_columns && t->n_panels < MOST_PANELS;
         m = last + 1) {
        const sheet_column *c = &found->columns[m];
        last = last_of(found, m);
        if (!isfinite(c->instant)) continue;
        int count = last - m + 1;
        double *x = picture_room(t, count);
        char *label = picture_text(t, c->name, numbered(c->name));
        if (!x) return;
        for (int k = 0; k < count; k++) x[k] = found->columns[m + k].instant;
        bri_panel *p = picture_panel(t, label);
        if (found->points <= MOST_COURSES && t->s->design.samples == 1)
            add_each(t, p, m, count, x);
        else
            for (int v = 0; v < picture_variants(t); v++) add_course(t, p, v, m, count, x);
        p->x_name = "time", p->x_unit = "s";
        p->y_name = name_of_list(t, m, label), p->y_unit = picture_unit(c);
    }
}
