/* compare_report.c - the page of a comparison. */
#define _POSIX_C_SOURCE 200809L
#include "compare.h"
#include "study.h"

#include "fail.h"
#include "scenario/csv.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 600, MAX_SCENARIO = 1 << 24 };

void report_scenario(bri_report *r, const char *scenario) {
    size_t length = 0;
    bri_error err;
    char *own = read_file(scenario, MAX_SCENARIO, &length, &err);
    char *text = own ? realloc(own, length + 1) : NULL;
    if (text) {
        text[length] = '\0';
        bri_report_listing(r, scenario, text);
    } else {
        const char *shipped = bri_scenario_text(scenario);
        if (shipped) bri_report_listing(r, scenario, shipped);
    }
    free(text ? text : own);
}

static void put_settings(bri_report *r, const bri_compare *c, const bri_compare_def *def) {
    char line[TEXT];
    text_format(
        line, sizeof line,
        "Compared: %s [%s] over %ld instants from %g to %g s. Reference: %s. Friction and sliding "
        "velocity are those of %s.",
        c->column, c->unit, c->n_times, c->t[0], c->t[c->n_times - 1], c->reference, c->contact);
    bri_report_text(r, line);
    if (c->exact.err.status != BRI_OK) {
        snprintf(line, sizeof line, "The reference could not be computed: %.400s",
                 c->exact.err.text);
        bri_report_text(r, line);
    }
    if (c->note[0]) bri_report_text(r, c->note);
    for (int i = 0; i < def->n_overrides; i++) {
        snprintf(line, sizeof line, "Changed: %.200s = %.200s", def->overrides[i].key,
                 def->overrides[i].value);
        bri_report_text(r, line);
    }
}

/* What each law does not use or was not given, as the table counts it. */
static void put_parameters(bri_report *r, const bri_compare *c) {
    int any = 0;
    for (int i = 0; i < c->n_rows; i++) {
        char line[2200];
        if (!bri_compare_parameters(c, i, line, sizeof line)) continue;
        if (!any++) bri_report_heading(r, "Parameters that were lost, derived or not given");
        bri_report_text(r, line);
    }
}

static void put_pictures(bri_report *r, const bri_compare *c) {
    compare_pictures *p = compare_pictures_make(c);
    if (!p) return;
    bri_report_heading(r, "Over time");
    bri_report_picture(r, "time", "One curve per law; the reference is broad and grey behind them.",
                       compare_picture_of_time(p));
    if (compare_picture_of_cost(p)->n_panels > 0) {
        bri_report_heading(r, "Error against cost");
        bri_report_picture(r, "cost",
                           "Difference of each law to its own solution at a tight tolerance: the "
                           "error of the integration. A point for each tolerance.",
                           compare_picture_of_cost(p));
    }
    compare_pictures_free(p);
}

bri_status bri_compare_report(const bri_compare *c, const bri_compare_def *def, const char *dir,
                              const char *command, bri_error *err) {
    bri_report *r;
    char title[BRI_COMPARE_TEXT + 20];
    snprintf(title, sizeof title, "Comparison: %s", c->title);
    bri_table *t = bri_compare_table(c, 0), *all = bri_compare_table(c, 1);
    bri_status status = BRI_OK;
    if (!t || !all)
        status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    else
        status = bri_report_create(dir, title, &r, err);
    if (status == BRI_OK) {
        put_settings(r, c, def);
        bri_report_heading(r, "Advice");
        for (int i = 0; i < c->n_advice; i++) bri_report_text(r, c->advice[i]);
        bri_report_heading(r, "Results");
        bri_report_table(r, "compare", t);
        put_parameters(r, c);
        put_pictures(r, c);
        bri_report_heading(r, "All numbers, and the parameters of each law");
        bri_report_table(r, "all", all);
        bri_report_heading(r, "Scenario");
        report_scenario(r, def->scenario);
        status = bri_report_close(r, command, err);
    }
    bri_table_free(t);
    bri_table_free(all);
    return status;
}
