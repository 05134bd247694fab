/* test_lanes_rows.c - measures that read rows, single slips and forces at events, of points that
 * are computed several in one vector: the steps of a lane are looked at on the way, also within
 * those that end where a contact turns. Held to the same points alone, with a tight tolerance. */
#define _XOPEN_SOURCE 700 /* setenv, mkdtemp */
#include "bristle_sweep.h"
#include "depth.h"

#include "ensemble/ensemble.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST = 4, POINTS = 24 };

typedef struct rows {
    const char *scenario, *law, *rtol, *until;
    const char *varied;
    const char *measures[MOST];
    double from;
} rows;

static bri_sweep *run(const rows *r, const char *rtol, const char *path, const char *keep) {
    static bri_messages messages;
    const bri_model *law = bri_model_find(r->law);
    const bri_override keys[] = {{"run.rtol", rtol}, {"run.until", r->until}};
    bri_sweep_def def = {.scenario = r->scenario,
                         .overrides = keys,
                         .n_overrides = 2,
                         .laws = &law,
                         .n_laws = 1,
                         .random = &r->varied,
                         .n_random = 1,
                         .samples = POINTS,
                         .seed = 5,
                         .measures = r->measures,
                         .from = r->from,
                         .keep = keep,
                         .threads = 1};
    bri_sweep *s;
    bri_error err;
    while (def.n_measures < MOST && r->measures[def.n_measures]) def.n_measures++;
    setenv("BRISTLE_PATH", path, 1);
    if (bri_sweep_create(&def, &s, &messages) != BRI_OK) fail_msg("%s", messages.message[0].text);
    if (bri_sweep_run(s, NULL, NULL, NULL, &err) != BRI_OK) fail_msg("%s", err.text);
    unsetenv("BRISTLE_PATH");
    assert_int_equal(bri_sweep_failed(s), 0);
    assert_int_equal(bri_sweep_lanes(s), strcmp(path, "lanes") == 0 ? POINTS : 0);
    return s;
}

/* The largest difference over all columns behind the first one, by the largest number in them. */
static double apart(bri_sweep *s, bri_sweep *exact) {
    double worst = 0.0, size = 0.0;
    for (long i = 0; i < POINTS; i++)
        for (int k = 1; k < s->sheet.n_columns; k++) {
            double a = sheet_row(&s->sheet, i)[k], b = sheet_row(&exact->sheet, i)[k];
            if (isnan(a) != isnan(b)) fail_msg("point %ld: %g, where %g is right", i, a, b);
            worst = fmax(worst, fabs(a - b));
            size = fmax(size, fabs(b));
        }
    return worst / size;
}

static void hold(const rows *r) {
    bri_sweep *exact = run(r, "1e-10", "general", NULL), *lanes = run(r, r->rtol, "lanes", NULL);
    bri_sweep *alone = run(r, r->rtol, "general", NULL);
    double a = apart(lanes, exact), b = apart(alone, exact);
    print_message("%s, %s, %s: %.1e, alone %.1e\n", r->scenario, r->law, r->measures[0], a, b);
    if (!(a <= 3.0 * b + 30.0 * strtod(r->rtol, NULL)))
        fail_msg("%s, %s: %s is off by %g, alone by %g", r->scenario, r->law, r->measures[0], a, b);
    bri_sweep_free(exact);
    bri_sweep_free(lanes);
    bri_sweep_free(alone);
}

#define BLOCK "slab.velocity=uniform(0.3, 0.6)"
#define STACK "spring.stiffness=uniform(25, 35)"

/* One size in each: what is compared has one measure. */
static void rows_are_those_of_points_alone(void **state) {
    static const rows all[] = {
        {"rabinowicz", "lugre", "1e-4", "12 s", BLOCK, {"course(block.v, 200)"}, 0.0},
        {"rabinowicz", "lugre", "1e-6", "12 s", BLOCK, {"course(pad.z, 150)"}, 2.0},
        {"rabinowicz", "dahl", "1e-6", "12 s", BLOCK, {"course(block.v, 200)"}, 0.0},
        {"rabinowicz", "lugre", "1e-6", "12 s", BLOCK, {"course(energy.dissipated, 200)"}, 0.0},
        {"rabinowicz", "elasto_plastic", "1e-6", "12 s", BLOCK, {"course(energy.work, 200)"}, 0.0},
        {"rabinowicz", "lugre", "1e-7", "40 s", BLOCK, {"period"}, 0.0},
        {"rabinowicz", "lugre", "1e-6", "12 s", BLOCK, {"max(pad.F)", "break_away"}, 0.0},
        {"three_dof", "lugre", "1e-5", "4 s", STACK, {"course(middle.v, 200)"}, 0.0},
        {"three_dof", "lugre", "1e-6", "4 s", STACK, {"course(lower.F, 200)"}, 0.5},
        {"three_dof", "dahl", "1e-6", "2 s", STACK, {"course(inner.v, 200)"}, 0.0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i += SAMPLE(1, 3)) hold(&all[i]);
}

static void slips_are_those_of_points_alone(void **state) {
    static const rows all[] = {
        {"rabinowicz", "lugre", "1e-6", "40 s", BLOCK, {"slips"}, 0.0},
        {"rabinowicz", "lugre", "1e-6", "40 s", BLOCK, {"slip_size", "slip_time"}, 5.0},
        {"rabinowicz", "dahl", "1e-6", "40 s", BLOCK, {"slip_peak", "starts"}, 0.0},
        {"three_dof", "lugre", "1e-6", "4 s", STACK, {"slip_size"}, 0.0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i += SAMPLE(1, 2)) hold(&all[i]);
}

static long lines_of(const char *folder, int point) {
    char name[80];
    long lines = 0;
    snprintf(name, sizeof name, "%s/point-%d.csv", folder, point);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    for (int c; (c = fgetc(file)) != EOF;) lines += c == '\n';
    fclose(file);
    assert_int_equal(remove(name), 0);
    return lines;
}

/* Runs that are kept have all their rows, and their measures are what they are without. */
static void kept_runs_have_all_rows(void **state) {
    static const rows r = {
        "rabinowicz", "lugre", "1e-6", "5 s", BLOCK, {"max(abs(pad.F))", "slips"}, 1.0};
    char folder[] = "kept-XXXXXX", settings[40];
    assert_non_null(mkdtemp(folder));
    bri_sweep *kept = run(&r, r.rtol, "lanes", folder), *plain = run(&r, r.rtol, "lanes", NULL);
    assert_true(apart(kept, plain) == 0.0);
    for (int i = 0; i < POINTS; i++) assert_int_equal(lines_of(folder, i), 502); /* 10 ms, a head */
    snprintf(settings, sizeof settings, "%s/runs.sweep", folder);
    remove(settings);
    assert_int_equal(rmdir(folder), 0);
    bri_sweep_free(kept);
    bri_sweep_free(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_those_of_points_alone),
                                       cmocka_unit_test(slips_are_those_of_points_alone),
                                       cmocka_unit_test(kept_runs_have_all_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
