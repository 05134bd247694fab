/* test_locale.c - a host program with a decimal comma sees the same bytes as one without.
 *   test_locale LOCALE      (LOCPATH says where it is) */
#define _POSIX_C_SOURCE 200809L
#include "bristle_law.h"
#include "bristle_study.h"
#include "test.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

static const char *comma;

/* A double to the last bit, without a point. */
static void put_bits(FILE *out, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    fprintf(out, "%llx ", (unsigned long long)bits);
}

static void put_quantities(FILE *out) {
    static const char *const texts[][2] = {
        {"10.5 mm/s", "m/s"}, {"1.5e-3 kN", "N"}, {"2.5 rpm", "Hz"}, {"0.25", "1"},
        {"71.3 N/um", "N/m"}, {"1,5 mm", "m"},    {"1.5 kg", "m/s"}, {"0.12345678901234567", "1"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 0.0;
        bri_error err = {0};
        bri_status status = bri_quantity(texts[i][0], texts[i][1], &value, &err);
        put_bits(out, value);
        fprintf(out, "%s: %d %s\n", texts[i][0], status, err.text);
    }
}

static void put_law(FILE *out) {
    bri_setup s;
    bri_error err = {0};
    bri_setup_init(&s, bri_model_find("lugre"));
    fprintf(out, "%d ", bri_setup_set(&s, "v_s", "1.5 mm/s", &err));
    fprintf(out, "%d ", bri_setup_set(&s, "mu_c", "-0.25", &err));
    fprintf(out, "%s\n", err.text);
    fprintf(out, "%d ", bri_setup_finish(&s, 12.5, &err));
    for (int i = 0; i < s.model->n_params; i++) put_bits(out, s.p[i]);
    for (int to = 0; to < BRI_LANGUAGE_COUNT; to++) bri_law_export(&s, (bri_language)to, out, &err);
}

/* The whole of a file that was written, which goes. */
static void put_file(FILE *out, const char *file) {
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    for (int c = getc(in); c != EOF; c = getc(in))
        if (c) putc(c, out);
    fclose(in);
    unlink(file);
}

static void put_runs(FILE *out) {
    static const char *const files[] = {"locale-run.csv", "locale-run.json"};
    static const bri_override until = {"run.until", "0.05 s"};
    const bri_scenario_options options = {.overrides = &until, .n_overrides = 1};
    static bri_messages messages;
    bri_scenario *s;
    bri_error err;
    double row[100];
    assert_int_equal(bri_scenario_load("rabinowicz", &options, &s, &messages), BRI_OK);
    bri_scenario_json(s, out);
    const bri_sim_def *def = bri_scenario_def(s);
    for (int i = 0; i < 2; i++) {
        bri_sim *sim;
        bri_recorder *r;
        bri_writer *w;
        assert_int_equal(bri_sim_create(def, &sim, &err), BRI_OK);
        assert_int_equal(bri_recorder_create(def, &r, &err), BRI_OK);
        const bri_run_head head = {"t", "s", def, r, 0.01};
        assert_int_equal(bri_writer_open(&head, files[i], &w, &err), BRI_OK);
        for (int k = 0; k < 5; k++) {
            assert_int_equal(bri_sim_advance(sim, 0.01 * k, &err), BRI_OK);
            bri_recorder_read(r, sim, row);
            assert_int_equal(bri_writer_row(w, row, &err), BRI_OK);
        }
        const bri_run_end end = {.stats = bri_sim_stats(sim), .energies = bri_sim_energies(sim)};
        assert_int_equal(bri_writer_close(w, &end, &err), BRI_OK);
        put_file(out, files[i]);
        bri_recorder_free(r);
        bri_sim_free(sim);
    }
    bri_scenario_free(s);
}

static void put_scenario(FILE *out, const char *name, const bri_scenario_options *options) {
    static bri_messages messages;
    bri_scenario *s;
    if (bri_scenario_load(name, options, &s, &messages) == BRI_OK)
        fputs(bri_scenario_describe(s), out);
    for (int i = 0; i < messages.count; i++) fprintf(out, "%s\n", messages.message[i].text);
    bri_scenario_free(s);
}

static void put_scenarios(FILE *out) {
    static const bri_override wrong[] = {{"block.mass", "-1.5 kg"}, {"run.until", "0.5 um"}};
    const bri_scenario_options options = {.overrides = wrong, .n_overrides = 2};
    for (int i = 0; i < bri_scenario_count(); i++) put_scenario(out, bri_scenario_name(i), NULL);
    put_scenario(out, "rabinowicz", &options);
}

/* A table of points in a CSV file, one with a text that is no number in any locale. */
static void put_points(FILE *out) {
    static const char *const points[] = {"t,F\n0,1.5\n0.25,2.5e-1\n", "t,F\n0,1.5\n0.25,1x\n",
                                         "t;F\n0;1,5\n1;2\n"};
    char file[] = "/tmp/bristle-locale-XXXXXX", text[300];
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        static bri_messages messages;
        bri_scenario *s;
        FILE *to = fopen(file, "w");
        fputs(points[i], to);
        fclose(to);
        int n = snprintf(text, sizeof text,
                         "bodies: {a: {mass: 1.5 kg}}\n"
                         "drives: {f: {on: a, force: {table: {file: %s, column: F}}}}\n"
                         "run: {until: 0.2 s}\n",
                         file);
        if (bri_scenario_parse(text, (size_t)n, "x.yaml", NULL, &s, &messages) == BRI_OK) {
            fputs(bri_scenario_describe(s), out);
            put_bits(out, bri_scenario_def(s)->system.drives[0].force.y[1]);
        }
        for (int k = 0; k < messages.count; k++) {
            const char *at = strstr(messages.message[k].text, "XXXXXX");
            fprintf(out, "%d %s\n", messages.message[k].status, at ? at : "");
        }
        bri_scenario_free(s);
    }
    unlink(file);
}

static void put_table(FILE *out, bri_table *t) {
    bri_error err;
    assert_non_null(t);
    for (bri_form f = BRI_FORM_TEXT; f <= BRI_FORM_CSV; f++)
        assert_int_equal(bri_table_write(t, f, out, &err), BRI_OK);
    bri_table_free(t);
}

static void put_studies(FILE *out) {
    static const double rtol[] = {1e-4, 2.5e-5};
    const bri_model *law = bri_model_find("lugre");
    const bri_compare_def def = {
        .scenario = "rabinowicz", .laws = &law, .n_laws = 1, .rtol = rtol, .n_rtol = 2};
    static bri_messages messages;
    bri_error err;
    bri_compare *c;
    assert_int_equal(bri_compare_run(&def, NULL, &c, &messages), BRI_OK);
    for (int i = 0; i < c->n_rows; i++) {
        fprintf(out, "%s %s\n", c->rows[i].parameters, c->rows[i].err.text);
        c->rows[i].seconds = c->rows[i].Psi = 1.5;
    }
    put_table(out, bri_compare_table(c, 1));
    int advice = c->n_advice;
    c->n_advice = 0; /* it tells processor times */
    assert_int_equal(bri_compare_json(c, out, &err), BRI_OK);
    c->n_advice = advice;
    bri_status drawn = bri_compare_plot(c, "locale.svg", &err);
    assert_true(drawn == BRI_OK || drawn == BRI_MISSING); /* without gnuplot */
    if (drawn == BRI_OK) put_file(out, "locale.svg");
    bri_compare_free(c);

    bri_setup s;
    bri_conformance *found;
    assert_int_equal(bri_conform_setup(&s, bri_model_find("viscous"), "", &err), BRI_OK);
    assert_int_equal(bri_conform(&s, NULL, 1, 0.0, NULL, &found, &err), BRI_OK);
    put_table(out, bri_conformance_table(found, "holding", 0));
    bri_conformance_free(found);

    if (SAMPLE(0, 1)) return; /* the other build does that */
    bri_reproduction *r;
    assert_int_equal(bri_reproduce(1u << 2 | 1u << 3, NULL, 0, NULL, &r, &err), BRI_OK);
    fprintf(out, "%d %d\n", bri_reproduction_count(r, BRI_MATCHES),
            bri_reproduction_count(r, BRI_DIFFERS));
    put_table(out, bri_reproduction_table(r, -1, 1));
    bri_reproduction_free(r);
}

static char *everything(void) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    put_quantities(out);
    put_law(out);
    put_scenarios(out);
    put_points(out);
    put_runs(out);
    put_studies(out);
    fclose(out);
    return text;
}

static void a_comma_changes_nothing(void **state) {
    char half[8];
    char *plain = everything();
    if (!setlocale(LC_ALL, comma)) fail_msg("there is no locale %s", comma);
    snprintf(half, sizeof half, "%.1f", 0.5);
    assert_string_equal(half, "0,5"); /* or nothing is tested */
    char *other = everything();
    setlocale(LC_ALL, "C");
    if (strcmp(plain, other) != 0) {
        size_t at = 0;
        while (plain[at] == other[at]) at++;
        while (at > 0 && plain[at - 1] != '\n') at--;
        fail_msg("with a comma:\n%.200s\nwithout:\n%.200s", other + at, plain + at);
    }
    free(plain);
    free(other);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_comma_changes_nothing)};
    comma = argc > 1 ? argv[1] : "de_DE.UTF-8";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
