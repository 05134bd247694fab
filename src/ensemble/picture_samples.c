/* picture_samples.c - points without a grid: histograms of the measures, and the measures over what
 * was drawn or read from a file. */
#include "picture.h"

#include <math.h>
#include <string.h>

enum { MOST_HISTOGRAMS = 6, MOST_BINS = 60, MOST_DOTS = 5000 }; /* what an eye can tell apart */

/* Bars of equal width from `low` on; bars of several laws and solvers stand side by side if each is
 * a value of its own. */
typedef struct bins {
    double low, width;
    int count, single; /* single: one for each word or whole number */
} bins;

/* Of whole numbers that are few one bar each, else about 2 n^(1/3) (the rule of Rice). */
static int choose_bins(const studio *t, int measure, bins *b) {
    const sheet *found = &t->s->sheet;
    double low = INFINITY, high = -INFINITY;
    long n = 0;
    int whole = 1;
    for (long i = 0; i < found->points; i++) {
        double v = sheet_row(found, i)[measure];
        if (!picture_has(t, i, measure)) continue;
        low = fmin(low, v), high = fmax(high, v);
        whole = whole && v == floor(v);
        n++;
    }
    if (found->columns[measure].words) low = 0.0, high = found->columns[measure].n_words - 1.0;
    if (n == 0 || !(high > low || whole)) return 0;
    b->single = whole && high - low < MOST_BINS / 2;
    int wanted = (int)ceil(2.0 * cbrt((double)n / picture_variants(t)));
    b->count = b->single            ? (int)(high - low) + 1
               : wanted < 8         ? 8
               : wanted < MOST_BINS ? wanted
                                    : MOST_BINS;
    b->width = b->single ? 1.0 : (high - low) / b->count;
    b->low = b->single ? low - 0.5 : low;
    return 1;
}

/* The bars of one law and solver: an area and its outline. */
static void add_bars(studio *t, bri_panel *p, int v, int measure, const bins *b) {
    const sheet *found = &t->s->sheet;
    long each = found->points / picture_variants(t), all = 0;
    double count[MOST_BINS] = {0}, *x = picture_room(t, 5 * MOST_BINS),
           *y = picture_room(t, 5 * MOST_BINS), *low = picture_room(t, 5 * MOST_BINS);
    char text[STUDIO_TEXT];
    int n = 0, side = b->single ? picture_variants(t) : 1;
    if (!x || !y || !low) return;
    for (long i = v * each; i < (v + 1) * each; i++) {
        if (!picture_has(t, i, measure)) continue;
        int bin = (int)((sheet_row(found, i)[measure] - b->low) / b->width);
        count[bin < b->count ? bin : b->count - 1]++;
        all++;
    }
    double wide = b->width * (b->single ? 0.8 : 1.0) / side,
           gap = b->single ? 0.1 * b->width + wide * v : 0.0;
    for (int k = 0; k < b->count && all > 0; k++) {
        double left = b->low + b->width * k + gap, height = 100.0 * count[k] / (double)all;
        x[n] = left, y[n++] = 0.0;
        x[n] = left, y[n++] = height;
        x[n] = left + wide, y[n++] = height;
        x[n] = left + wide, y[n++] = 0.0;
        x[n] = y[n] = NAN;
        n += b->single;
    }
    picture_variant(t, v, "", text);
    picture_add(t, p, (bri_series){.x = x, .y = y, .low = low, .count = n});
    picture_add(t, p,
                (bri_series){.label = *text ? picture_text(t, text, STUDIO_TEXT) : NULL,
                             .x = x,
                             .y = y,
                             .count = n});
}

static void add_histogram(studio *t, int measure) {
    const sheet_column *c = &t->s->sheet.columns[measure];
    bins b;
    if (!choose_bins(t, measure, &b)) return;
    bri_panel *p = picture_panel(t, c->name);
    for (int v = 0; v < picture_variants(t); v++) add_bars(t, p, v, measure, &b);
    p->x_name = c->words ? NULL : c->name, p->x_unit = picture_unit(c);
    p->x_words = (const char *const *)c->words;
    p->y_name = "share of points", p->y_unit = "%";
}

static void add_scatter(studio *t, int column, int measure) {
    const sheet *found = &t->s->sheet;
    const sheet_column *c = &found->columns[column], *m = &found->columns[measure];
    long each = found->points / picture_variants(t), every = each / MOST_DOTS + 1;
    char text[STUDIO_TEXT];
    snprintf(text, sizeof text, "%.40s over %.40s", m->name, c->name);
    bri_panel *p = picture_panel(t, picture_text(t, text, sizeof text));
    for (int v = 0; v < picture_variants(t); v++) {
        double *x = picture_room(t, each / every + 1), *y = picture_room(t, each / every + 1);
        long n = 0;
        if (!x || !y) return;
        for (long i = v * each; i < (v + 1) * each; i += every)
            if (picture_has(t, i, measure))
                x[n] = sheet_row(found, i)[column], y[n++] = sheet_row(found, i)[measure];
        picture_variant(t, v, "", text);
        picture_add(t, p,
                    (bri_series){.label = *text ? picture_text(t, text, STUDIO_TEXT) : NULL,
                                 .x = x,
                                 .y = y,
                                 .count = (int)n,
                                 .markers = each > 200 ? 2 : 1});
    }
    p->x_name = c->name, p->x_unit = picture_unit(c);
    p->y_name = m->words ? NULL : m->name, p->y_unit = picture_unit(m);
    p->y_words = (const char *const *)m->words;
}

void picture_samples(studio *t) {
    const sheet *found = &t->s->sheet;
    int measure = picture_first(found), random = t->s->design.samples > 1;
    for (int m = measure; random && m < found->n_columns && t->n_panels < MOST_HISTOGRAMS; m++)
        if (!isfinite(found->columns[m].instant)) add_histogram(t, m);
    for (int m = measure; m < found->n_columns; m++) {
        if (isfinite(found->columns[m].instant)) continue;
        for (int i = 0; i < measure && t->n_panels < MOST_PANELS - 2; i++)
            if (found->columns[i].kind == BRI_SWEEP_AXIS) add_scatter(t, i, m);
        if (random) break; /* of samples the first measure, of a file all of them */
    }
}
