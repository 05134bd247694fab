/* test_report.c - the page of a study: complete, self-contained, safe against what it is given. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_study.h"
#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];

static int make_dir(void **state) {
    (void)state;
    strcpy(dir, "/tmp/bristle-report-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state) {
    (void)state;
    static const char *const names[] = {"r/report.html", "r/loops.svg",  "r/loops.csv",
                                        "r/results.csv", "r/report.txt", "r",
                                        "file"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        remove(path);
    }
    return rmdir(dir);
}

static char *contents(const char *name) {
    static char text[1 << 20];
    char path[128];
    snprintf(path, sizeof path, "%s/r/%s", dir, name);
    FILE *in = fopen(path, "r");
    if (!in) return NULL;
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

static const bri_column columns[] = {{"law", NULL, NULL, 0, NULL},
                                     {"xi", NULL, "%", 3, "a \"quoted\" <text>"}};

static bri_report *filled(const char *folder, bri_error *err) {
    static const double x[] = {0.0, 1.0, 2.0}, y[] = {0.0, NAN, 4.5};
    static const bri_series line = {.label = "a, \"b\"", .x = x, .y = y, .count = 3};
    static const bri_panel panel = {.title = "loop",
                                    .x_name = "x",
                                    .x_unit = "m",
                                    .y_name = "F",
                                    .y_unit = "N",
                                    .series = &line,
                                    .n_series = 1};
    static const bri_plot plot = {.panels = &panel, .n_panels = 1};
    bri_report *r;
    if (bri_report_create(folder, "Title <&>", &r, err) != BRI_OK) return NULL;
    bri_table *t = bri_table_create(NULL, columns, 2);
    bri_table_text(t, "<script>alert(1)</script>", BRI_TONE_PLAIN);
    bri_table_number(t, 3.5, BRI_TONE_GOOD);
    bri_report_heading(r, "Results");
    bri_report_text(r, "1 < 2 & 3");
    bri_report_table(r, "results", t);
    bri_report_picture(r, "loops", "Loops of <laws>", &plot);
    bri_report_listing(r, "Scenario", "bodies:\n  a: {mass: 1 kg}\n");
    bri_table_free(t);
    return r;
}

static int digit_of(char c) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digit, c);
    return c && at ? (int)(at - digit) : -1;
}

/* The picture within the page is the file beside it. */
static void same_picture(const char *page) {
    const char *from = strstr(page, "data:image/svg+xml;base64,");
    assert_non_null(from);
    from += strlen("data:image/svg+xml;base64,");
    static char decoded[1 << 20];
    size_t n = 0;
    for (; digit_of(from[0]) >= 0; from += 4) {
        int a = digit_of(from[0]), b = digit_of(from[1]), c = digit_of(from[2]),
            d = digit_of(from[3]);
        decoded[n++] = (char)(a << 2 | b >> 4);
        if (c >= 0) decoded[n++] = (char)(b << 4 | c >> 2);
        if (d >= 0) decoded[n++] = (char)(c << 6 | d);
    }
    decoded[n] = '\0';
    const char *file = contents("loops.svg");
    assert_non_null(file);
    assert_string_equal(decoded, file);
}

static void a_report_is_complete(void **state) {
    (void)state;
    char folder[80];
    bri_error err;
    snprintf(folder, sizeof folder, "%s/r", dir);
    bri_report *r = filled(folder, &err);
    assert_non_null(r);
    bri_status status = bri_report_close(r, "bristle compare a&b", &err);
    if (status != BRI_OK && status != BRI_MISSING) fail_msg("%s", err.text);
    const char *page = strdup(contents("report.html"));
    assert_non_null(strstr(page, "<title>Title &lt;&amp;&gt;</title>"));
    assert_non_null(strstr(page, "<h2>Results</h2>"));
    assert_non_null(strstr(page, "<p>1 &lt; 2 &amp; 3</p>"));
    assert_non_null(strstr(page, "<td class=\"number good\" data-label=\"xi\">3.5</td>"));
    assert_non_null(strstr(page, "bristle compare a&amp;b"));
    assert_non_null(strstr(page, bri_version()));
    assert_non_null(strstr(page, "  a: {mass: 1 kg}\n"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "http")); /* nothing is fetched */
    if (status == BRI_OK) same_picture(page);
    free((void *)page);
    assert_string_equal(contents("results.csv"), "law,xi\n<script>alert(1)</script>,3.5\n");
    assert_string_equal(contents("loops.csv"), "panel,x_axis,y_axis,series,x,y\n"
                                               "loop,x [m],F [N],\"a, \"\"b\"\"\",0,0\n"
                                               "loop,x [m],F [N],\"a, \"\"b\"\"\",2,4.5\n");
}

/* The same report twice gives the same bytes, also over an older one. */
static void a_report_repeats(void **state) {
    (void)state;
    char folder[80], *pages[2];
    bri_error err;
    snprintf(folder, sizeof folder, "%s/r", dir);
    for (int i = 0; i < 2; i++) {
        bri_report *r = filled(folder, &err);
        bri_report_close(r, "same", &err);
        pages[i] = strdup(contents("report.html"));
    }
    assert_string_equal(pages[0], pages[1]);
    free(pages[0]);
    free(pages[1]);
}

static void a_bad_directory_is_told(void **state) {
    (void)state;
    char file[80], beyond[96];
    bri_error err = {0};
    bri_report *r;
    snprintf(file, sizeof file, "%s/file", dir);
    FILE *out = fopen(file, "w");
    fclose(out);
    assert_int_equal(bri_report_create(file, "x", &r, &err), BRI_BAD_FILE);
    assert_null(r);
    assert_non_null(strstr(err.text, file));
    snprintf(beyond, sizeof beyond, "%s/no/such", dir);
    assert_int_equal(bri_report_create(beyond, "x", &r, &err), BRI_BAD_FILE);
    assert_int_equal(bri_report_close(NULL, NULL, &err), BRI_OK);
}

/* What cannot be written is told at the end, and the page stands without it. */
static void one_failure_does_not_lose_the_rest(void **state) {
    (void)state;
    char folder[80], path[100];
    bri_error err = {0};
    snprintf(folder, sizeof folder, "%s/r", dir);
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/results.csv", folder);
    remove(path);
    assert_int_equal(mkdir(path, 0777), 0); /* in the way of the table's numbers */
    bri_report *r = filled(folder, &err);
    assert_int_not_equal(bri_report_close(r, NULL, &err), BRI_OK);
    assert_true(err.text[0]);
    assert_non_null(strstr(contents("report.html"), "bodies:"));
    rmdir(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_report_is_complete, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(a_report_repeats, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(a_bad_directory_is_told, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(one_failure_does_not_lose_the_rest, make_dir, remove_dir),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
