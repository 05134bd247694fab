/* test_reproduce.c - the published experiments, done again: nothing differs otherwise than is
 * known, a wrong rig is noticed, and verdicts are what they say. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_study.h"
#include "json_check.h"
#include "study/reproduce/lab.h"
#include "study/reproduce/pennestri.h"
#include "test.h"

#include <stdlib.h>

static const lab_paper *const all_papers[] = {&lab_pennestri, &lab_rill, &lab_andersson,
                                              &lab_olsson, &lab_leus};

/* ---- verdicts ------------------------------------------------------------------------------ */

static void digits_say_how_far_a_value_may_be_off(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value, half;
    } rows[] = {{"0.0513", 0.0513, 5e-5},
                {"9.01517e-4", 9.01517e-4, 5e-10},
                {"20", 20.0, 0.5},
                {"14.0", 14.0, 0.05},
                {"-0.06678", -0.06678, 5e-6},
                {"1e-4", 1e-4, 5e-5},
                {"6.", 6.0, 0.5},
                {"4.9 to 5", 4.9, 0.05}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double half;
        near(lab_number(rows[i].text, &half), rows[i].value, 0.0, rows[i].text);
        near(half, rows[i].half, 1e-12, rows[i].text);
    }
}

static double nothing(const lab *l, const lab_quantity *q) {
    (void)l;
    (void)q;
    return 0.0;
}

static void verdicts_follow_the_tolerance(void **state) {
    (void)state;
    const lab_quantity printed = {.published = "0.75", .measure = nothing};
    assert_int_equal(lab_judge(&printed, 0.7501, NAN).verdict, BRI_MATCHES);
    assert_int_equal(lab_judge(&printed, 0.755, NAN).verdict, BRI_MATCHES); /* the edge */
    assert_int_equal(lab_judge(&printed, 0.7551, NAN).verdict, BRI_DIFFERS);
    assert_int_equal(lab_judge(&printed, 0.7449, NAN).verdict, BRI_DIFFERS);
    assert_int_equal(lab_judge(&printed, NAN, NAN).verdict, BRI_DIFFERS);
    near(lab_tolerance(&printed), 0.005, 1e-12, "tolerance of the digits");
    lab_quantity given = printed;
    given.tolerance = 0.2;
    assert_int_equal(lab_judge(&given, 0.9, NAN).verdict, BRI_MATCHES);
    assert_int_equal(lab_judge(&given, 0.96, NAN).verdict, BRI_DIFFERS);
    near(lab_tolerance(&given), 0.2, 0.0, "tolerance that is given");
}

static void bounds_are_one_sided(void **state) {
    (void)state;
    lab_quantity q = {.published = "1", .relation = ABOVE, .measure = nothing};
    assert_int_equal(lab_judge(&q, 1e9, NAN).verdict, BRI_MATCHES);
    assert_int_equal(lab_judge(&q, 1.0, NAN).verdict, BRI_DIFFERS);
    q.relation = BELOW;
    assert_int_equal(lab_judge(&q, -1e9, NAN).verdict, BRI_MATCHES);
    assert_int_equal(lab_judge(&q, 1.0, NAN).verdict, BRI_DIFFERS);
    assert_int_equal(lab_judge(&q, NAN, NAN).verdict, BRI_DIFFERS);
    assert_true(isnan(lab_tolerance(&q)));
}

/* A value is explained only where something else gives the published one. */
static void only_a_second_reading_explains(void **state) {
    (void)state;
    const lab_quantity other = {.measure = nothing};
    lab_quantity q = {.published = "4.0", .expected = "3.71", .reason = "late", .measure = nothing};
    assert_int_equal(lab_judge(&q, 3.96, NAN).verdict, BRI_MATCHES);
    assert_int_equal(lab_judge(&q, 3.705, NAN).verdict, BRI_DIFFERS);
    assert_true(lab_judge(&q, 3.705, NAN).known);
    q.second = &other;
    assert_int_equal(lab_judge(&q, 3.705, 3.96).verdict, BRI_EXPLAINED);
    assert_int_equal(lab_judge(&q, 3.705, 3.94).verdict,
                     BRI_DIFFERS); /* it does not give the print */
    assert_int_equal(lab_judge(&q, 3.705, NAN).verdict, BRI_DIFFERS);
    assert_int_equal(lab_judge(&q, 3.8, 3.96).verdict,
                     BRI_DIFFERS); /* nor is it where it should be */
    assert_false(lab_judge(&q, 3.8, 3.96).known);
    assert_int_equal(lab_judge(&q, NAN, 3.96).verdict, BRI_DIFFERS);
    q.reason = NULL;
    assert_int_equal(lab_judge(&q, 3.705, 3.96).verdict, BRI_DIFFERS);
    assert_false(lab_judge(&q, 3.705, 3.96).known);
}

/* What the paper leaves out is neither explained nor wrong. */
static void what_is_left_out_is_undetermined(void **state) {
    (void)state;
    const lab_quantity cannot = {.published = "1.495", .reason = "not printed", .undetermined = 1};
    assert_int_equal(lab_judge(&cannot, NAN, NAN).verdict, BRI_UNDETERMINED);
    lab_quantity q = {
        .published = "17.9", .reason = "a figure", .undetermined = 1, .measure = nothing};
    assert_int_equal(lab_judge(&q, 16.4, NAN).verdict, BRI_UNDETERMINED);
    assert_int_equal(lab_judge(&q, 17.91, NAN).verdict, BRI_MATCHES);
    assert_int_equal(lab_judge(&q, NAN, NAN).verdict, BRI_DIFFERS); /* the run has failed */
    q.expected = "16.4";
    assert_int_equal(lab_judge(&q, 16.6, NAN).verdict, BRI_DIFFERS);
    const lab_quantity forgotten = {.published = "1.495"};
    assert_int_equal(lab_judge(&forgotten, NAN, NAN).verdict, BRI_DIFFERS);
}

/* A claim on processor times is met or missed beyond a fifth of its bound; a busy machine decides
 * nothing, and is no surprise. */
static void times_near_a_bound_decide_nothing(void **state) {
    (void)state;
    lab_quantity q = {.published = "2", .relation = BELOW, .measure = nothing, .timed = 1};
    assert_int_equal(lab_judge(&q, 1.66, NAN).verdict, BRI_MATCHES);
    assert_int_equal(lab_judge(&q, 1.67, NAN).verdict, BRI_UNDETERMINED);
    assert_int_equal(lab_judge(&q, 2.39, NAN).verdict, BRI_UNDETERMINED);
    assert_int_equal(lab_judge(&q, 2.41, NAN).verdict, BRI_DIFFERS);
    assert_true(lab_judge(&q, 2.41, NAN).known);
    assert_int_equal(lab_judge(&q, NAN, NAN).verdict, BRI_DIFFERS); /* a run has failed */
    q.relation = ABOVE;
    assert_int_equal(lab_judge(&q, 2.41, NAN).verdict, BRI_MATCHES);
    assert_int_equal(lab_judge(&q, 1.66, NAN).verdict, BRI_DIFFERS);
}

/* Every row has what it needs: a bound or tolerance of our own says where it comes from. */
static void every_tolerance_has_grounds(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < lab_quantity_count(all_papers[k]); i++) {
            const lab_quantity *q = lab_quantity_at(all_papers[k], i);
            if ((q->tolerance > 0.0 || q->relation != EQUAL) && !(q->grounds && *q->grounds))
                fail_msg("%s: %s: no grounds for its tolerance", q->experiment, q->name);
            if (q->expected && !q->reason) fail_msg("%s: %s: no reason", q->experiment, q->name);
            if (!q->measure && !q->reason) fail_msg("%s: %s: no reason", q->experiment, q->name);
            if (q->second && (!q->second->measure || !q->reason))
                fail_msg("%s: %s: nothing that explains it", q->experiment, q->name);
            assert_true(q->run >= 0 && q->run < all_papers[k]->n_runs);
            assert_non_null(q->published);
            assert_non_null(q->unit);
        }
}

/* ---- the papers ---------------------------------------------------------------------------- */

static unsigned bit_of(const char *key) {
    for (int i = 0; i < bri_paper_count(); i++)
        if (strcmp(bri_paper_key(i), key) == 0) return 1u << i;
    fail_msg("no paper %s", key);
    return 0;
}

static bri_reproduction *reproduce(unsigned papers, const bri_override *o, int count) {
    bri_reproduction *r;
    bri_error err;
    if (bri_reproduce(papers, o, count, NULL, &r, &err) != BRI_OK) fail_msg("%s", err.text);
    return r;
}

/* ---- docs/reproduction.md ------------------------------------------------------------------ */

static char *page(void) {
    FILE *in = fopen(TEST_PAGE, "r");
    assert_non_null(in);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, in) > 10000);
    fclose(in);
    return text;
}

/* The row of a finding: the words and the published value to the letter, the computed one about.
 * Where rounding decides or a clock, the words only. */
static void is_on_the_page(const char *text, const bri_reproduced *f, int words) {
    char head[400], verdict[40];
    snprintf(head, sizeof head, "\n| %s | %s | %s | %s | ", f->experiment, f->quantity, f->unit,
             f->shown);
    const char *row = strstr(text, head);
    if (!row) fail_msg("docs/reproduction.md is not current, no row '%s'", head + 1);
    if (words) return;
    double computed = strtod(row + strlen(head), NULL);
    double allowed = fmax(0.05 * fabs(f->computed), isnan(f->tolerance) ? 1e-6 : f->tolerance);
    if (isfinite(f->computed) && fabs(computed - f->computed) > allowed)
        fail_msg("docs/reproduction.md is not current, %s: %g", head + 1, f->computed);
    snprintf(verdict, sizeof verdict, " | %s | ", bri_verdict_name(f->verdict));
    const char *at = strstr(row, verdict), *end = strchr(row + 1, '\n');
    if (!at || at > end) fail_msg("docs/reproduction.md is not current, verdict of %s", head + 1);
}

/* Rows between the title of a paper and the next title. */
static int rows_of(const char *text, const char *title) {
    const char *at = strstr(text, title);
    int rows = -2; /* the head of the table */
    assert_non_null(at);
    for (at = strstr(at, "\n|"); at && *at; at = strchr(at + 1, '\n')) {
        if (at[1] != '|') break;
        rows++;
    }
    return rows;
}

/* What laws cost on the second and third rig of Pennestri, and two of the three vibrations of
 * Leus, take most of the time of their papers: these parts stay empty here, unless all is asked
 * for. The linker has their runs come by. */
static const char *const empty_parts[] = {"Table 6", "Table 7", "vibration 4 mm/s",
                                          "vibration 0.2 mm/s"};

void __real_cost_do(lab *l, int i);
void __wrap_cost_do(lab *l, int i);
void __wrap_cost_do(lab *l, int i) {
    if (i < COST_LAWS * COST_COLUMNS || USUALLY(1, 0, 0)) __real_cost_do(l, i);
}

void __real_lab_do(lab *l, int i);
void __wrap_lab_do(lab *l, int i);
void __wrap_lab_do(lab *l, int i) {
    const char *set = l->paper->runs[i].set;
    int empty = set && (strstr(set, "amplitude=4 mm/s") || strstr(set, "amplitude=0.2 mm/s"));
    if (!empty || USUALLY(1, 0, 0)) __real_lab_do(l, i);
}

static int stays_empty(const bri_reproduced *f) {
    for (size_t i = 0; USUALLY(0, 1, 1) && i < sizeof empty_parts / sizeof *empty_parts; i++)
        if (strncmp(f->experiment, empty_parts[i], strlen(empty_parts[i])) == 0) return 1;
    return 0;
}

/* What differs does so as is known, and says why; the page has every row. */
static void no_surprises_in(const char *key, int rows) {
    bri_reproduction *r = reproduce(bit_of(key), NULL, 0);
    char *text = page();
    int surprises = 0, paper = 0, empty = 0;
    while (strcmp(bri_paper_key(paper), key) != 0) paper++;
    assert_int_equal(rows_of(text, bri_paper_title(paper)), bri_reproduction_rows(r));
    for (int i = 0; i < bri_reproduction_rows(r); i++) {
        const bri_reproduced *f = bri_reproduction_row(r, i);
        assert_string_equal(f->paper, key);
        const lab_quantity *q = lab_quantity_at(all_papers[paper], i);
        assert_string_equal(q->name, f->quantity);
        if (stays_empty(f)) {
            empty++;
            continue;
        }
        is_on_the_page(text, f, q->timed || q->scatters);
        if (f->timed) assert_false(f->computed < 0.0);
        if (f->verdict != BRI_MATCHES) assert_true(strlen(f->reason) > 10);
        if (f->verdict != BRI_DIFFERS || f->known) continue;
        print_error("%s: %s: %s, not %.9g: %s\n", f->experiment, f->quantity, f->shown, f->computed,
                    f->reason);
        surprises++;
    }
    assert_int_equal(surprises, 0);
    if (empty == 0) assert_int_equal(bri_reproduction_surprises(r), 0);
    assert_true(bri_reproduction_rows(r) >= rows && empty < 60);
    assert_true(bri_reproduction_count(r, BRI_MATCHES) > (bri_reproduction_rows(r) - empty) / 2);
    free(text);
    bri_reproduction_free(r);
}

static void long_rill(void **state) {
    (void)state;
    no_surprises_in("rill", 50);
}

static void andersson(void **state) {
    (void)state;
    if (SAMPLE(0, 1)) skip();
    no_surprises_in("andersson", 36);
}

static void olsson(void **state) {
    (void)state;
    no_surprises_in("olsson", 16);
}

static void long_pennestri(void **state) {
    (void)state;
    no_surprises_in("pennestri", 140);
}

/* Long runs: a test of its own, "test_reproduce leus". */
static void long_leus(void **state) {
    (void)state;
    no_surprises_in("leus", 55);
}

/* Twice the stiffness of the bristle: what depends on it differs, the static curve does not. */
static void a_wrong_rig_is_noticed(void **state) {
    (void)state;
    const bri_override stiffer = {"pad.sigma0", "2e4 N/m"};
    bri_reproduction *r = reproduce(bit_of("olsson"), &stiffer, 1);
    assert_true(bri_reproduction_surprises(r) >= 2);
    for (int i = 0; i < bri_reproduction_rows(r); i++) {
        const bri_reproduced *f = bri_reproduction_row(r, i);
        if (strstr(f->experiment, "static curve")) assert_int_equal(f->verdict, BRI_MATCHES);
        if (strstr(f->quantity, "half range")) {
            assert_int_equal(f->verdict, BRI_DIFFERS);
            assert_true(strlen(f->reason) > 10);
        }
    }
    bri_reproduction_free(r);
}

/* What does not fit a scenario makes its rows differ and says why. */
static void a_rig_that_cannot_be_run_differs(void **state) {
    (void)state;
    const bri_override nonsense = {"pad.sigma9", "1"};
    bri_reproduction *r = reproduce(bit_of("olsson"), &nonsense, 1);
    int figures = 0; /* the rows of the six figures are measured on runs, the others on laws */
    for (int i = 0; i < bri_reproduction_rows(r); i++) {
        const bri_reproduced *f = bri_reproduction_row(r, i);
        if (strncmp(f->experiment, "Fig.", 4) != 0) continue;
        assert_int_equal(f->verdict, BRI_DIFFERS);
        assert_false(f->known);
        figures++;
    }
    assert_int_equal(figures, 17);
    assert_non_null(strstr(bri_reproduction_row(r, 0)->reason, "sigma9"));
    assert_true(isnan(bri_reproduction_row(r, 0)->computed));
    bri_reproduction_free(r);
}

static int at_once(void *context) {
    (void)context;
    return 1;
}

static void it_can_be_stopped(void **state) {
    (void)state;
    const bri_watch w = {.stop = at_once};
    bri_reproduction *r;
    bri_error err;
    assert_int_equal(bri_reproduce(bit_of("rill"), NULL, 0, &w, &r, &err), BRI_NO_PROGRESS);
    assert_int_equal(bri_reproduction_rows(r), 0);
    bri_reproduction_free(r);
}

/* ---- tables -------------------------------------------------------------------------------- */

static char *written(const bri_table *t, bri_form form) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(bri_table_write(t, form, out, NULL), BRI_OK);
    fclose(out);
    return text;
}

static void machines_can_read_it(void **state) {
    (void)state;
    static const char *const keys[] = {"paper",     "experiment", "quantity",  "unit",
                                       "published", "computed",   "tolerance", "verdict"};
    bri_reproduction *r = reproduce(bit_of("olsson"), NULL, 0);
    bri_table *t = bri_reproduction_table(r, -1, 1);
    char *json = written(t, BRI_FORM_JSON), key[40];
    const char *bad = json_check(json);
    if (bad) fail_msg("not JSON at: %.60s", bad);
    for (int k = 0; k < 8; k++) {
        int count = 0;
        snprintf(key, sizeof key, "\"%s\":", keys[k]);
        for (const char *s = json; (s = strstr(s, key)); s++) count++;
        assert_int_equal(count, bri_reproduction_rows(r));
    }
    free(json);
    bri_table_free(t);
    t = bri_reproduction_table(r, 3, 0);
    assert_int_equal(bri_table_rows(t), bri_reproduction_rows(r));
    bri_table_free(t);
    t = bri_reproduction_table(r, 0, 0);
    assert_int_equal(bri_table_rows(t), 0);
    bri_table_free(t);
    bri_reproduction_free(r);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_say_how_far_a_value_may_be_off),
        cmocka_unit_test(verdicts_follow_the_tolerance),
        cmocka_unit_test(bounds_are_one_sided),
        cmocka_unit_test(only_a_second_reading_explains),
        cmocka_unit_test(what_is_left_out_is_undetermined),
        cmocka_unit_test(times_near_a_bound_decide_nothing),
        cmocka_unit_test(every_tolerance_has_grounds),
        cmocka_unit_test(olsson),
        cmocka_unit_test(long_rill),
        cmocka_unit_test(andersson),
        cmocka_unit_test(long_pennestri),
        cmocka_unit_test(long_leus),
        cmocka_unit_test(a_wrong_rig_is_noticed),
        cmocka_unit_test(a_rig_that_cannot_be_run_differs),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(machines_can_read_it),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    else
        cmocka_set_skip_filter("long_*");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
