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

static void put_index(bri_table *t, double point, const char *measure, const bri_index *x,
                      int is_sobol) {
    bri_table_number(t, point, BRI_TONE_PLAIN);
    bri_table_text(t, measure, BRI_TONE_PLAIN);
    bri_table_text(t, x->input, BRI_TONE_PLAIN);
    bri_table_number(t, x->first, BRI_TONE_PLAIN);
    bri_table_number(t, x->first_off, BRI_TONE_PLAIN);
    bri_table_number(t, x->total, BRI_TONE_PLAIN);
    bri_table_number(t, x->total_off, BRI_TONE_PLAIN);
    if (!is_sobol) bri_table_number(t, x->deviation, BRI_TONE_PLAIN);
}

bri_table *bri_sweep_index_table(bri_sweep *s, bri_error *err) {
    int is_sobol = s->design.sampling == BRI_SAMPLE_SOBOL, inputs = bri_sweep_inputs(s);
    bri_index *index = calloc((size_t)inputs + 1, sizeof *index);
    bri_table *t =
        index ? bri_table_create(NULL, is_sobol ? sobol : morris, is_sobol ? 7 : 8) : NULL;
    if (!t) bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (long at = 0; t && at < s->design.points / s->design.samples; at++)
        for (int m = picture_first(&s->sheet); m < s->sheet.n_columns; m++) {
            const sheet_column *c = &s->sheet.columns[m];
            if (c->words || bri_sweep_indices(s, c->name, at, index, err) != BRI_OK) continue;
            for (int i = 0; i < inputs; i++)
                put_index(t, (double)(at * s->design.samples), c->name, &index[i], is_sobol);
        }
    free(index);
    return t;
}

/* ---- the page ------------------------------------------------------------------------------- */

/* Of every measure: the points that have it, its least and largest value, quantiles, mean. */
static bri_table *spread_of_measures(const sheet *found) {
    static const bri_column columns[] = {
        {"measure", NULL, NULL, 0, NULL}, {"unit", NULL, NULL, 0, NULL},
        {"points", NULL, NULL, 9, NULL},  {"least", NULL, NULL, 4, NULL},
        {"q05", "5 %", NULL, 4, NULL},    {"median", NULL, NULL, 4, NULL},
        {"q95", "95 %", NULL, 4, NULL},   {"most", NULL, NULL, 4, NULL},
        {"mean", NULL, NULL, 4, NULL},    {"deviation", NULL, NULL, 4, NULL}};
    bri_table *t = bri_table_create(NULL, columns, 10);
    double *y = calloc((size_t)found->points + 1, sizeof *y);
    for (int m = picture_first(found); t && y && m < found->n_columns; m++) {
        const sheet_column *c = &found->columns[m];
        double sum = 0.0, squares = 0.0;
        long n = 0;
        if (c->words || isfinite(c->instant)) continue;
        for (long i = 0; i < found->points; i++) {
            double value = sheet_row(found, i)[m];
            if (found->state[i] != ROW_NONE && isfinite(value)) y[n++] = value;
        }
        for (long i = 0; i < n; i++) sum += y[i] / (double)n;
        for (long i = 0; i < n; i++) squares += (y[i] - sum) * (y[i] - sum);
        static const double shares[] = {0.0, 0.05, 0.5, 0.95, 1.0};
        bri_table_text(t, c->name, BRI_TONE_PLAIN);
        bri_table_text(t, picture_unit(c), BRI_TONE_PLAIN);
        bri_table_number(t, (double)n, BRI_TONE_PLAIN);
        for (int k = 0; k < 5; k++)
            bri_table_number(t, n > 0 ? gauge_quantile(y, n, shares[k]) : NAN, BRI_TONE_PLAIN);
        bri_table_number(t, n > 0 ? sum : NAN, BRI_TONE_PLAIN);
        bri_table_number(t, n > 1 ? sqrt(squares / (double)(n - 1)) : NAN, BRI_TONE_PLAIN);
    }
    free(y);
    return t;
}

/* How many points each word has. */
static bri_table *counts_of_words(const sheet *found) {
    static const bri_column columns[] = {{"measure", NULL, NULL, 0, NULL},
                                         {"word", NULL, NULL, 0, NULL},
                                         {"points", NULL, NULL, 9, NULL}};
    bri_table *t = bri_table_create(NULL, columns, 3);
    for (int m = picture_first(found); t && m < found->n_columns; m++) {
        const sheet_column *c = &found->columns[m];
        for (int k = 0; k < c->n_words; k++) {
            long n = 0;
            for (long i = 0; i < found->points; i++)
                n += found->state[i] != ROW_NONE && sheet_row(found, i)[m] == (double)k;
            bri_table_text(t, c->name, BRI_TONE_PLAIN);
            bri_table_text(t, c->words[k], BRI_TONE_PLAIN);
            bri_table_number(t, (double)n, BRI_TONE_PLAIN);
        }
    }
    return t;
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
        if (status == BRI_OK) bri_report_picture(r, name, t->title, &t->plot);
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
    put_table(r, "Measures", "measures", spread_of_measures(&s->sheet));
    put_table(r, "Words", "words", counts_of_words(&s->sheet));
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
