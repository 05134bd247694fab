/* report.c - the page of a sweep: pictures, spread of the measures, indices, failures, settings. */
#include "picture.h"

#include "../study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES = 20 }; /* that are listed */

/* ---- indices -------------------------------------------------------------------------------- */

static const bri_column sobol[] = {
    {"point", NULL, NULL, 8, NULL},     {"measure", NULL, NULL, 0, NULL},
    {"input", NULL, NULL, 0, NULL},     {"first", "alone", NULL, 3, NULL},
    {"first_off", "+-", NULL, 2, NULL}, {"total", "in all", NULL, 3, NULL},
    {"total_off", "+-", NULL, 2, NULL}};
static const bri_column morris[] = {
    {"point", NULL, NULL, 8, NULL},    {"measure", NULL, NULL, 0, NULL},
    {"input", NULL, NULL, 0, NULL},    {"size", "size of effects", NULL, 3, NULL},
    {"size_off", "+-", NULL, 2, NULL}, {"mean", "mean", NULL, 3, NULL},
    {"mean_off", "+-", NULL, 2, NULL}, {"deviation", NULL, NULL, 3, NULL}};

/* What is varied beside the inputs: grids, columns of a file, laws and solvers. */
static int is_place(const sheet_column *c) { return c->kind != BRI_SWEEP_MEASURE && !c->random; }

/* Where in the grids the indices are those of. */
static void put_place(bri_table *t, const sheet *s, long point) {
    bri_table_number(t, (double)point, BRI_TONE_PLAIN);
    for (int i = 0; i < s->n_columns; i++) {
        const sheet_column *c = &s->columns[i];
        double value = sheet_row(s, point)[i];
        if (!is_place(c)) continue;
        if (c->words)
            bri_table_text(t, c->words[(int)value], BRI_TONE_PLAIN);
        else
            bri_table_number(t, value, BRI_TONE_PLAIN);
    }
}

static void put_index(bri_table *t, const char *measure, const bri_index *x, int is_sobol) {
    bri_table_text(t, measure, BRI_TONE_PLAIN);
    bri_table_text(t, x->input, BRI_TONE_PLAIN);
    bri_table_number(t, x->first, BRI_TONE_PLAIN);
    bri_table_number(t, x->first_off, BRI_TONE_PLAIN);
    bri_table_number(t, x->total, BRI_TONE_PLAIN);
    bri_table_number(t, x->total_off, BRI_TONE_PLAIN);
    if (!is_sobol) bri_table_number(t, x->deviation, BRI_TONE_PLAIN);
}

/* An empty table with a column for each number that says where. NULL: no memory. */
static bri_table *make_index_table(const sheet *s, int is_sobol) {
    const bri_column *rest = is_sobol ? sobol : morris;
    int count = is_sobol ? 7 : 8, n = 0;
    bri_column *columns = calloc((size_t)(count + s->n_columns), sizeof *columns);
    if (!columns) return NULL;
    columns[n++] = rest[0];
    for (int i = 0; i < s->n_columns; i++) {
        const sheet_column *c = &s->columns[i];
        if (is_place(c)) columns[n++] = (bri_column){.key = c->name, .digits = c->words ? 0 : 6};
        if (is_place(c) && strcmp(c->unit, "1") != 0) columns[n - 1].unit = c->unit;
    }
    for (int i = 1; i < count; i++) columns[n++] = rest[i];
    bri_table *t = bri_table_create(NULL, columns, n);
    free(columns);
    return t;
}

bri_table *bri_sweep_index_table(bri_sweep *s, bri_error *err) {
    int is_sobol = s->design.sampling == BRI_SAMPLE_SOBOL, inputs = bri_sweep_inputs(s);
    bri_index *index = calloc((size_t)inputs + 1, sizeof *index);
    bri_table *t = index ? make_index_table(&s->sheet, is_sobol) : NULL;
    if (!t) bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (long at = 0; t && at < s->design.points / s->design.samples; at++)
        for (int m = picture_first(&s->sheet); m < s->sheet.n_columns; m++) {
            const sheet_column *c = &s->sheet.columns[m];
            if (c->words)
                bri_fail(err, BRI_BAD_VALUE, "%.100s: words have no indices, only numbers",
                         c->name);
            if (c->words || bri_sweep_indices(s, c->name, at, index, err) != BRI_OK) continue;
            for (int i = 0; i < inputs; i++) {
                put_place(t, &s->sheet, at * s->design.samples);
                put_index(t, c->name, &index[i], is_sobol);
            }
        }
    free(index);
    return t;
}

/* ---- the page ------------------------------------------------------------------------------- */

/* A table whose first column names the law and solver, if there are several. */
static bri_table *table_of_variants(const studio *t, const bri_column *columns, int count) {
    return bri_table_create(NULL, columns + (picture_variants(t) == 1),
                            count - (picture_variants(t) == 1));
}

static void put_variant(const studio *t, int v, bri_table *to) {
    char text[STUDIO_TEXT];
    picture_variant(t, v, "", text);
    if (picture_variants(t) > 1) bri_table_text(to, text, BRI_TONE_PLAIN);
}

/* A row of a measure of one law and solver: the points that have it, its least and largest value,
 * quantiles, mean. */
static void put_spread(const studio *t, int v, int m, double *y, bri_table *to) {
    static const double shares[] = {0.0, 0.05, 0.5, 0.95, 1.0};
    const sheet *found = &t->s->sheet;
    const sheet_column *c = &found->columns[m];
    long each = found->points / picture_variants(t), n = 0;
    double sum = 0.0, squares = 0.0;
    for (long i = v * each; i < (v + 1) * each; i++)
        if (picture_has(t, i, m)) y[n++] = sheet_row(found, i)[m];
    for (long i = 0; i < n; i++) sum += y[i] / (double)n;
    for (long i = 0; i < n; i++) squares += (y[i] - sum) * (y[i] - sum);
    put_variant(t, v, to);
    bri_table_text(to, c->name, BRI_TONE_PLAIN);
    bri_table_text(to, picture_unit(c), BRI_TONE_PLAIN);
    bri_table_number(to, (double)n, BRI_TONE_PLAIN);
    for (int k = 0; k < 5; k++)
        bri_table_number(to, n > 0 ? gauge_quantile(y, n, shares[k]) : NAN, BRI_TONE_PLAIN);
    bri_table_number(to, n > 0 ? sum : NAN, BRI_TONE_PLAIN);
    bri_table_number(to, n > 1 ? sqrt(squares / (double)(n - 1)) : NAN, BRI_TONE_PLAIN);
}

static bri_table *spread_of_measures(const studio *t) {
    static const bri_column columns[] = {
        {"variant", NULL, NULL, 0, NULL},  {"measure", NULL, NULL, 0, NULL},
        {"unit", NULL, NULL, 0, NULL},     {"points", NULL, NULL, 9, NULL},
        {"least", NULL, NULL, 4, NULL},    {"q05", "5 %", NULL, 4, NULL},
        {"median", NULL, NULL, 4, NULL},   {"q95", "95 %", NULL, 4, NULL},
        {"most", NULL, NULL, 4, NULL},     {"mean", NULL, NULL, 4, NULL},
        {"deviation", NULL, NULL, 4, NULL}};
    const sheet *found = &t->s->sheet;
    bri_table *to = table_of_variants(t, columns, 11);
    double *y = calloc((size_t)found->points + 1, sizeof *y);
    for (int m = picture_first(found); to && y && m < found->n_columns; m++)
        for (int v = 0; v < picture_variants(t); v++)
            if (!found->columns[m].words && !isfinite(found->columns[m].instant))
                put_spread(t, v, m, y, to);
    free(y);
    return to;
}

/* How many points each word has. */
static bri_table *counts_of_words(const studio *t) {
    static const bri_column columns[] = {{"variant", NULL, NULL, 0, NULL},
                                         {"measure", NULL, NULL, 0, NULL},
                                         {"word", NULL, NULL, 0, NULL},
                                         {"points", NULL, NULL, 9, NULL}};
    const sheet *found = &t->s->sheet;
    long each = found->points / picture_variants(t);
    bri_table *to = table_of_variants(t, columns, 4);
    for (int m = picture_first(found); to && m < found->n_columns; m++)
        for (int row = 0; row < picture_variants(t) * found->columns[m].n_words; row++) {
            const sheet_column *c = &found->columns[m];
            int v = row / c->n_words, k = row % c->n_words;
            long n = 0;
            for (long i = v * each; i < (v + 1) * each; i++)
                n += picture_has(t, i, m) && sheet_row(found, i)[m] == (double)k;
            put_variant(t, v, to);
            bri_table_text(to, c->name, BRI_TONE_PLAIN);
            bri_table_text(to, c->words[k], BRI_TONE_PLAIN);
            bri_table_number(to, (double)n, BRI_TONE_PLAIN);
        }
    return to;
}

/* Points that failed or contradict themselves, with their reasons. */
static bri_table *failures_of(const sheet *found) {
    static const bri_column columns[] = {{"point", NULL, NULL, 9, NULL},
                                         {"status", NULL, NULL, 0, NULL},
                                         {"reason", NULL, NULL, 0, NULL}};
    bri_table *t = bri_table_create(NULL, columns, 3);
    for (long i = 0; t && i < found->points && bri_table_rows(t) < FAILURES; i++) {
        if (found->state[i] < ROW_DOUBTFUL) continue;
        bri_table_number(t, (double)i, BRI_TONE_PLAIN);
        bri_table_text(t, found->state[i] == ROW_FAILED ? "failed" : "doubtful", BRI_TONE_BAD);
        bri_table_text(t, found->reason[i] ? found->reason[i] : "", BRI_TONE_PLAIN);
    }
    return t;
}

static void put_table(bri_report *r, const char *heading, const char *name, bri_table *t) {
    if (t && bri_table_rows(t) > 0) {
        bri_report_heading(r, heading);
        bri_report_table(r, name, t);
    }
    bri_table_free(t);
}

/* Two grids: a map for every measure; else one picture of all. */
static bri_status put_pictures(bri_report *r, bri_sweep *s, bri_error *err) {
    int maps = 0;
    bri_status status = BRI_OK;
    for (int m = picture_first(&s->sheet); m < s->sheet.n_columns && status == BRI_OK; m++) {
        char name[40] = "picture";
        studio *t = picture_new(s);
        if (!t) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
        int one = t->grids < 2 || isfinite(s->sheet.columns[m].instant);
        status = picture_draw(t, m, err);
        if (status == BRI_OK && maps == 0) bri_report_heading(r, "Pictures");
        if (status == BRI_OK && !one) snprintf(name, sizeof name, "map%d", maps + 1);
        char caption[200];
        snprintf(caption, sizeof caption, "%s%s%.150s", one ? "" : s->sheet.columns[m].name,
                 one ? "" : ": ", t->title);
        if (status == BRI_OK) bri_report_picture(r, name, caption, &t->plot);
        picture_free(t);
        if (one || ++maps == MOST_PANELS) break;
    }
    return status == BRI_BAD_VALUE ? BRI_OK : status; /* what has no picture has numbers */
}

static void put_counts(bri_report *r, const sheet *found) {
    char text[200];
    snprintf(text, sizeof text,
             "%ld of %ld points are computed, %ld of them failed, %ld contradict themselves. All "
             "rows are in points.csv.",
             found->done, found->points, found->failed, found->doubtful);
    bri_report_text(r, text);
}

bri_status bri_sweep_report(bri_sweep *s, const char *dir, const char *command, bri_error *err) {
    char title[200], file[600];
    bri_report *r = NULL;
    bri_error why = {0};
    snprintf(title, sizeof title, "Sweep: %.150s",
             s->def.scenario ? s->def.scenario : "a function");
    bri_status status = bri_report_create(dir, title, &r, err);
    if (status != BRI_OK) return status;
    put_counts(r, &s->sheet);
    status = put_pictures(r, s, err);
    studio *t = picture_new(s);
    if (t) put_table(r, "Measures", "measures", spread_of_measures(t));
    if (t) put_table(r, "Words", "words", counts_of_words(t));
    picture_free(t);
    if (s->design.sampling == BRI_SAMPLE_SOBOL || s->design.sampling == BRI_SAMPLE_MORRIS)
        put_table(r, "Which input matters", "indices", bri_sweep_index_table(s, &why));
    put_table(r, "Points to look at", "failures", failures_of(&s->sheet));
    bri_report_heading(r, "Settings");
    bri_report_listing(r, "settings", s->sheet.settings);
    if (s->def.scenario) report_scenario(r, s->def.scenario);
    snprintf(file, sizeof file, "%.580s/points.csv", dir);
    if (status == BRI_OK) status = sheet_write(&s->sheet, file, err);
    bri_status closed = bri_report_close(r, command, &why);
    return status != BRI_OK   ? status
           : closed != BRI_OK ? bri_fail(err, closed, "%s", why.text)
                              : BRI_OK;
}
