/* tables.c - what was identified as tables and as JSON. */
#include "identify.h"

#include "fail.h"
#include "output/escape.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- estimates ------------------------------------------------------------------------------ */

static const bri_column estimate_columns[] = {
    {"unknown", NULL, NULL, 0, "what was unknown"},
    {"value", NULL, NULL, 6, "best value"},
    {"unit", NULL, NULL, 0, NULL},
    {"low", "95 % from", NULL, 5,
     "lower end of the interval of 95 %, with the colour of the noise"},
    {"high", "to", NULL, 5, "upper end"},
    {"known", NULL, NULL, 0,
     "determined, wide, one-sided, flat, on bound, or coupled: only in combination with another"},
    {"with", NULL, NULL, 0, "the unknown that it correlates with most"},
    {"correlation", "corr.", NULL, 3, "that correlation"},
    {"start", "rig", NULL, 5, "value in the rig"},
    {"boot_low", "bootstrap", NULL, 5, "lower end of the interval by the block bootstrap"},
    {"boot_high", "to", NULL, 5, "upper end"},
};

static bri_tone tone_of(bri_known k) {
    return k == BRI_DETERMINED ? BRI_TONE_GOOD : k == BRI_WIDE ? BRI_TONE_FAIR : BRI_TONE_BAD;
}

bri_table *bri_identified_estimates(const bri_identified *r, int fit) {
    if (fit < 0 || fit >= r->n_fits) return NULL;
    const bri_fit *f = &r->fits[fit];
    int all = (int)(sizeof estimate_columns / sizeof *estimate_columns);
    int boot = f->n_estimates > 0 && isfinite(f->estimate[0].boot_low);
    bri_table *t = bri_table_create(NULL, estimate_columns, boot ? all : all - 2);
    for (int k = 0; t && k < f->n_estimates; k++) {
        const bri_estimate *e = &f->estimate[k];
        int far = fabs(e->correlation) > 0.5;
        bri_table_text(t, e->name, BRI_TONE_PLAIN);
        bri_table_number(t, e->value, BRI_TONE_PLAIN);
        bri_table_text(t, strcmp(e->unit, "1") == 0 ? "" : e->unit, BRI_TONE_PLAIN);
        bri_table_number(t, e->low, BRI_TONE_PLAIN);
        bri_table_number(t, e->high, BRI_TONE_PLAIN);
        bri_table_text(t, bri_known_name(e->known), tone_of(e->known));
        bri_table_text(t, far ? e->with : "", BRI_TONE_PLAIN);
        bri_table_number(t, far ? e->correlation : NAN, BRI_TONE_PLAIN);
        bri_table_number(t, e->start, BRI_TONE_PLAIN);
        if (boot) bri_table_number(t, e->boot_low, BRI_TONE_PLAIN);
        if (boot) bri_table_number(t, e->boot_high, BRI_TONE_PLAIN);
    }
    return t;
}

/* ---- ranking -------------------------------------------------------------------------------- */

static const bri_column ranking_columns[] = {
    {"row", NULL, NULL, 3, NULL},
    {"law", NULL, NULL, 0, NULL},
    {"group", NULL, NULL, 2, "laws of a group cannot be told apart on what was held out"},
    {"held_out", "held out", "%", 4, "relative error on blocks that were not used for the fit"},
    {"validated", NULL, "%", 4, "relative error on the files of --validate"},
    {"relative", "fitted", "%", 4, "relative error on what was fitted"},
    {"rms", NULL, NULL, 4, "of the residuals"},
    {"unknowns", NULL, NULL, 3, "how many"},
    {"undetermined", NULL, NULL, 3, "of them not determined"},
    {"aic", "AIC", NULL, 6, "Akaike's criterion, with the number of independent samples"},
    {"bic", "BIC", NULL, 6, "Schwarz' criterion"},
    {"behind", NULL, NULL, 3, "standard errors by which it is worse than the best"},
    {"seconds", "time", "s", 3, "processor time"},
};

bri_table *bri_identified_ranking(const bri_identified *r) {
    bri_table *t = bri_table_create(NULL, ranking_columns,
                                    (int)(sizeof ranking_columns / sizeof *ranking_columns));
    for (int i = 0; t && i < r->n_fits; i++) {
        const bri_fit *f = &r->fits[i];
        int good = f->err.status == BRI_OK, open = 0;
        for (int k = 0; k < f->n_estimates; k++) open += f->estimate[k].known != BRI_DETERMINED;
        bri_table_number(t, i + 1, BRI_TONE_PLAIN);
        bri_table_text(t, f->law, BRI_TONE_PLAIN);
        bri_table_number(t, good ? (double)f->group : NAN,
                         f->group == 1 ? BRI_TONE_GOOD : BRI_TONE_PLAIN);
        bri_table_number(t, 100.0 * f->held_out, BRI_TONE_PLAIN);
        bri_table_number(t, 100.0 * f->validated, BRI_TONE_PLAIN);
        bri_table_number(t, 100.0 * f->relative, BRI_TONE_PLAIN);
        bri_table_number(t, f->rms, BRI_TONE_PLAIN);
        bri_table_number(t, good ? (double)f->n_estimates : NAN, BRI_TONE_PLAIN);
        bri_table_number(t, good ? (double)open : NAN, open ? BRI_TONE_FAIR : BRI_TONE_PLAIN);
        bri_table_number(t, f->aic, BRI_TONE_PLAIN);
        bri_table_number(t, f->bic, BRI_TONE_PLAIN);
        bri_table_number(t, good ? f->behind : NAN, BRI_TONE_PLAIN);
        bri_table_number(t, f->seconds, BRI_TONE_PLAIN);
    }
    return t;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void put_number(FILE *out, const char *key, double x, const char *end) {
    fprintf(out, "\"%s\": ", key);
    json_number(out, x);
    fputs(end, out);
}

static void put_pair(FILE *out, const char *key, const char *text, const char *end) {
    fprintf(out, "\"%s\": ", key);
    json_text(out, text ? text : "");
    fputs(end, out);
}

/* Lines of a text as an array. */
static void put_lines(FILE *out, const char *key, const char *text, const char *end) {
    fprintf(out, "\"%s\": [", key);
    for (int first = 1; text && *text; first = 0) {
        char line[700];
        size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(n < 690 ? n : 690), text);
        if (!first) fputs(", ", out);
        json_text(out, line);
        text += n + (text[n] == '\n');
    }
    fprintf(out, "]%s", end);
}

static void put_data(FILE *out, const bri_data_verdict *v) {
    const struct {
        const char *key;
        double x;
    } rows[] = {{"rows", (double)v->rows},
                {"holes", (double)v->holes},
                {"gaps", (double)v->gaps},
                {"files", v->files},
                {"stretches", v->stretches},
                {"seconds", v->seconds},
                {"rate", v->rate},
                {"jitter", v->jitter},
                {"thinned", (double)v->thinned},
                {"filter", v->filter},
                {"slow", v->slow},
                {"fast", v->fast},
                {"travel", v->travel},
                {"reversals", (double)v->reversals},
                {"resting", v->resting},
                {"step_x", v->step_x},
                {"step_F", v->step_F},
                {"noise", v->noise},
                {"noise_colour", v->noise_colour},
                {"delay", v->delay},
                {"explained", v->explained}};
    fputs("  \"data\": {\n    ", out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        put_number(out, rows[i].key, rows[i].x, ", ");
    fprintf(out, "\n    \"refused\": %s, ", v->refused ? "true" : "false");
    put_lines(out, "text", v->text, "\n  },\n");
}

static void put_estimate(FILE *out, const bri_estimate *e, int last) {
    fputs("        {", out);
    put_pair(out, "name", e->name, ", ");
    put_number(out, "value", e->value, ", ");
    put_pair(out, "unit", e->unit, ", ");
    put_number(out, "error", e->error, ", ");
    fprintf(out, "\"log\": %s, ", e->log ? "true" : "false");
    put_number(out, "low", e->low, ", ");
    put_number(out, "high", e->high, ", ");
    put_number(out, "white_low", e->white_low, ", ");
    put_number(out, "white_high", e->white_high, ", ");
    put_number(out, "boot_low", e->boot_low, ", ");
    put_number(out, "boot_high", e->boot_high, ", ");
    put_pair(out, "known", bri_known_name(e->known), ", ");
    put_pair(out, "with", e->with, ", ");
    put_number(out, "correlation", e->correlation, ", ");
    put_number(out, "start", e->start, last ? "}\n" : "},\n");
}

static void put_fit(FILE *out, const bri_fit *f, int last) {
    fputs("    {", out);
    put_pair(out, "law", f->law, ", ");
    put_pair(out, "error", f->err.status ? f->err.text : "", ", ");
    fprintf(out,
            "\"group\": %d, \"samples\": %ld, \"starts\": %d, \"agreed\": %d, \"iterations\": "
            "%d,\n      ",
            f->group, f->samples, f->n_ends, f->agreed, f->iterations);
    put_number(out, "rms", f->rms, ", ");
    put_number(out, "raw", f->raw, ", ");
    put_number(out, "relative", f->relative, ", ");
    put_number(out, "held_out", f->held_out, ", ");
    put_number(out, "validated", f->validated, ", ");
    put_number(out, "aic", f->aic, ", ");
    put_number(out, "bic", f->bic, ", ");
    put_number(out, "effective", f->effective, ", ");
    put_number(out, "colour", f->colour, ", ");
    put_number(out, "behind", f->behind, ", ");
    put_number(out, "seconds", f->seconds, ",\n      ");
    put_lines(out, "sense", f->sense, ",\n      \"estimates\": [\n");
    for (int k = 0; k < f->n_estimates; k++)
        put_estimate(out, &f->estimate[k], k + 1 == f->n_estimates);
    fprintf(out, "      ]}%s\n", last ? "" : ",");
}

bri_status bri_identified_json(const bri_identified *r, FILE *out, bri_error *err) {
    fputs("{\n  ", out);
    put_pair(out, "scenario", r->scenario, ", ");
    put_pair(out, "way", bri_way_name(r->way), ",\n");
    put_data(out, &r->data);
    fputs("  \"fits\": [\n", out);
    for (int i = 0; i < r->n_fits; i++) put_fit(out, &r->fits[i], i + 1 == r->n_fits);
    fputs("  ],\n  ", out);
    put_lines(out, "advice", r->advice, "\n}\n");
    return ferror(out) ? bri_fail(err, BRI_BAD_FILE, "the JSON cannot be written") : BRI_OK;
}
