/* test_writers.c - result files: what was written can be read back, and a failure is told. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_scenario.h"
#include "json_check.h"
#include "sims.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef TEST_MATIO
#include <matio.h>
#endif

enum { COLUMNS = 17, ROWS = 300 };

/* The Rabinowicz rig and some rows, of odd values among them. */
typedef struct rig {
    setup s;
    bri_recorder *r;
    bri_run_head head;
    double rows[ROWS][COLUMNS];
} rig;

static int start_rig(void **state) {
    static rig g;
    static const double odd[] = {NAN, INFINITY, -INFINITY, -0.0, 5e-324, 1e300, 0.1, 1.0 / 3.0};
    bri_error err;
    rabinowicz(&g.s, "lugre", "rosenbrock", 1e-6);
    g.s.contacts[0].name = "pad, \"left\"";
    g.s.bodies[1].name = "block_x"; /* block_x.x and block.x are different columns */
    if (bri_recorder_create(&g.s.def, &g.r, &err) != BRI_OK) return -1;
    g.head = (bri_run_head){"A \"rig\"\n\xc3\xa9 \xff", "rig.yaml", &g.s.def, g.r, 0.01};
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++)
            g.rows[i][k] = k == 0            ? i / 100.0
                           : i == 7 && k < 9 ? odd[k - 1]
                                             : sin(i + 100.0 * k) / k;
    *state = &g;
    return 0;
}

static int end_rig(void **state) {
    bri_recorder_free(((rig *)*state)->r);
    return 0;
}

static const bri_run_end fine = {.stats = {.steps = 7, .t = 3.0}};

static bri_status write_rows(rig *g, const char *file, int rows, bri_error *err) {
    bri_writer *w;
    bri_status status = bri_writer_open(&g->head, file, &w, err);
    if (status != BRI_OK) return status;
    for (int i = 0; i < rows && status == BRI_OK; i++) status = bri_writer_row(w, g->rows[i], err);
    bri_status closed = bri_writer_close(w, status ? NULL : &fine, status ? NULL : err);
    return status ? status : closed;
}

static void write_well(rig *g, const char *file) {
    bri_error err;
    if (write_rows(g, file, ROWS, &err) != BRI_OK) fail_msg("%s", err.text);
}

static char *text_of(const char *file) {
    static char text[1 << 20];
    FILE *in = fopen(file, "rb");
    if (!in) fail_msg("%s is not there", file);
    size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[n] = '\0';
    return text;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void csv_reads_back(void **state) {
    rig *g = *state;
    write_well(g, "test_writers.csv");
    char *at = text_of("test_writers.csv");
    static const char head[] =
        "t,block.x,block.v,block_x.x,block_x.v,\"pad, \"\"left\"\".v\",\"pad, \"\"left\"\".F\",";
    assert_memory_equal(at, head, sizeof head - 1);
    at = strchr(at, '\n') + 1;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++) {
            char *end;
            double x = strtod(at, &end);
            int same = memcmp(&x, &g->rows[i][k], sizeof x) == 0;
            if (!same && !(isnan(x) && isnan(g->rows[i][k])))
                fail_msg("row %d, column %d: %.20s", i, k, at);
            assert_int_equal(*end, k + 1 < COLUMNS ? ',' : '\n');
            at = end + 1;
        }
    assert_int_equal(*at, '\0');
    remove("test_writers.csv");
}

/* After a flush everything that came before it is there, whole, while the file is still open. */
static void csv_streams(void **state) {
    rig *g = *state;
    bri_writer *w;
    bri_error err;
    assert_int_equal(bri_writer_open(&g->head, "test_stream.csv", &w, &err), BRI_OK);
    for (int i = 0; i < 100; i++) assert_int_equal(bri_writer_row(w, g->rows[i], &err), BRI_OK);
    assert_int_equal(bri_writer_flush(w, &err), BRI_OK);
    int lines = 0;
    char *text = text_of("test_stream.csv");
    for (char *at = text; *at; at++) lines += *at == '\n';
    assert_int_equal(lines, 101);
    assert_int_equal(text[strlen(text) - 1], '\n');
    bri_writer_close(w, NULL, NULL);
    remove("test_stream.csv");
}

/* A disk that is full, played by a limit on the size of files, leaves whole rows. */
static void csv_on_a_full_disk_ends_with_a_row(void **state) {
    rig *g = *state;
    struct rlimit before, tight;
    bri_error err;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    tight = before;
    tight.rlim_cur = 70000; /* within the second block */
    setrlimit(RLIMIT_FSIZE, &tight);
    bri_status status = write_rows(g, "test_full.csv", ROWS, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, BRI_BAD_FILE);
    assert_string_equal(err.text, "test_full.csv cannot be written: File too large");
    char *text = text_of("test_full.csv");
    assert_true(strlen(text) > 10000);
    assert_int_equal(text[strlen(text) - 1], '\n');
    remove("test_full.csv");
}

static void failures_are_told(void **state) {
    rig *g = *state;
    bri_error err;
    static const char *const nowhere[] = {"no/such/folder/a.csv", "no/such/folder/a.json",
                                          "no/such/folder/a.mat"};
    for (int i = 0; i < 3; i++) {
        bri_writer *w;
        assert_int_equal(bri_writer_open(&g->head, nowhere[i], &w, &err), BRI_BAD_FILE);
        assert_non_null(strstr(err.text, "cannot be written: No such file or directory"));
        assert_null(w);
    }
    assert_int_equal(bri_writer_check("a.txt", &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "'a.txt': the name of a result file ends in .csv, .json or .mat");
    assert_int_equal(bri_writer_check(".csv", &err), BRI_BAD_VALUE);
    assert_int_equal(bri_writer_check("A.CSV", &err), BRI_OK);
    assert_int_equal(bri_writer_check(NULL, &err), BRI_OK);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(write_rows(g, "/dev/full", ROWS, &err), BRI_BAD_FILE);
        assert_string_equal(err.text, "/dev/full cannot be written: No space left on device");
        assert_int_equal(write_rows(g, "/dev/full", 1, &err), BRI_BAD_FILE); /* at the end */
    }
    assert_int_equal(bri_writer_close(NULL, NULL, NULL), BRI_OK);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void json_is_valid(void **state) {
    rig *g = *state;
    write_well(g, "test_writers.json");
    const char *text = text_of("test_writers.json"), *bad = json_check(text);
    if (bad) fail_msg("not JSON from here: %.60s", bad);
    assert_non_null(strstr(text, "\"title\": \"A \\\"rig\\\"\\u000a\xc3\xa9 \\ufffd\""));
    assert_non_null(strstr(text, "{\"name\": \"block.x\", \"unit\": \"m\", \"data\": ["));
    assert_non_null(strstr(text, "{\"name\": \"pad, \\\"left\\\".F\", \"unit\": \"N\""));
    assert_non_null(strstr(text, "\"complete\": true"));
    assert_non_null(strstr(text, "\"steps\": 7"));
    assert_non_null(strstr(text, "\"solver\": \"rosenbrock\""));
    assert_non_null(strstr(text, "\"model\": \"lugre\""));
    const char *t = strstr(text, "\"data\": [");
    assert_memory_equal(t, "\"data\": [0,0.01,0.02,0.03,0.04,", 31);
    assert_non_null(strstr(text, ",null,")); /* NaN and the infinities */
    remove("test_writers.json");
}

/* Until it is complete, what stood there before stays. */
static void whole_files_appear_complete(void **state) {
    rig *g = *state;
    static const char *const files[] = {"test_whole.json", "test_whole.mat"};
    for (int i = 0; i < 2; i++) {
        bri_writer *w;
        bri_error err;
        FILE *old = fopen(files[i], "w");
        fputs("old", old);
        fclose(old);
        assert_int_equal(bri_writer_open(&g->head, files[i], &w, &err), BRI_OK);
        assert_int_equal(bri_writer_row(w, g->rows[0], &err), BRI_OK);
        assert_int_equal(bri_writer_flush(w, &err), BRI_OK);
        assert_string_equal(text_of(files[i]), "old");
        assert_int_equal(bri_writer_close(w, NULL, &err), BRI_OK);
        assert_string_equal(text_of(files[i]), "old");
        write_well(g, files[i]);
        assert_string_not_equal(text_of(files[i]), "old");
        remove(files[i]);
    }
}

static void failed_runs_say_so(void **state) {
    rig *g = *state;
    bri_writer *w;
    bri_error err;
    const bri_run_end bad = {.status = BRI_NO_PROGRESS, .text = "pad: no progress at t = 1 s"};
    assert_int_equal(bri_writer_open(&g->head, "test_bad.json", &w, &err), BRI_OK);
    assert_int_equal(bri_writer_close(w, &bad, &err), BRI_OK); /* not a single row */
    const char *text = text_of("test_bad.json");
    assert_null(json_check(text));
    assert_non_null(
        strstr(text, "\"complete\": false,\n  \"error\": \"pad: no progress at t = 1 s\""));
    remove("test_bad.json");
}

/* The checker itself knows good from bad. */
static void the_checker_checks(void **state) {
    (void)state;
    static const char *const good[] = {"{}",
                                       " [1, -2.5e+7, \"a\\u00e9\\n\", null, true, {\"a\": []}] "};
    static const char *const wrong[] = {"",          "{,}",       "[1,]",  "[01]", "[nan]",
                                        "{\"a\" 1}", "[\"\n\"]",  "[1] 2", "[1",   "{\"a\": 1,}",
                                        "[.5]",      "[\"\\x\"]", "[1.]"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_null(json_check(good[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!json_check(wrong[i])) fail_msg("accepted: %s", wrong[i]);
}

/* ---- MAT ------------------------------------------------------------------------------------ */

#ifdef TEST_MATIO
static void is_text(matvar_t *in, const char *field, const char *want) {
    matvar_t *f = Mat_VarGetStructFieldByName(in, field, 0);
    assert_non_null(f);
    assert_int_equal(f->class_type, MAT_C_CHAR);
    assert_int_equal(f->dims[1], strlen(want));
    for (size_t i = 0; want[i]; i++) assert_int_equal(((const uint16_t *)f->data)[i], want[i]);
}

static void mat_reads_back(void **state) {
    rig *g = *state;
    static const char *const names[COLUMNS] = {"t",
                                               "block_x",
                                               "block_v",
                                               "block_x_x",
                                               "block_x_v",
                                               "pad___left__v",
                                               "pad___left__F",
                                               "pad___left__N",
                                               "pad___left__mode",
                                               "pad___left__z",
                                               "spring1_F",
                                               "energy_kinetic",
                                               "energy_potential",
                                               "energy_stored",
                                               "energy_dissipated",
                                               "energy_work",
                                               "energy_residual"};
    write_well(g, "test_writers.mat");
    mat_t *mat = Mat_Open("test_writers.mat", MAT_ACC_RDONLY);
    assert_non_null(mat);
    for (int k = 0; k < COLUMNS; k++) {
        matvar_t *v = Mat_VarRead(mat, names[k]);
        if (!v) fail_msg("there is no %s", names[k]);
        assert_int_equal(v->class_type, MAT_C_DOUBLE);
        assert_int_equal(v->rank, 2);
        assert_int_equal(v->dims[0], ROWS);
        assert_int_equal(v->dims[1], 1);
        for (int i = 0; i < ROWS; i++)
            assert_memory_equal((const double *)v->data + i, &g->rows[i][k], sizeof(double));
        Mat_VarFree(v);
    }
    matvar_t *units = Mat_VarRead(mat, "units"), *run = Mat_VarRead(mat, "run");
    assert_non_null(units);
    assert_non_null(run);
    is_text(units, "block_v", "m/s");
    is_text(units, "energy_residual", "J");
    is_text(run, "solver", "rosenbrock");
    is_text(run, "scenario", "rig.yaml");
    matvar_t *steps = Mat_VarGetStructFieldByName(run, "steps", 0);
    assert_true(*(const double *)steps->data == 7.0);
    Mat_VarFree(units);
    Mat_VarFree(run);
    Mat_Close(mat);
    remove("test_writers.mat");
}

/* Columns whose names differ only in what a variable may not hold. */
static void mat_tells_names_apart(void **state) {
    rig g = *(rig *)*state;
    static const char *const want[] = {"a_b_x", "a_b_x_2", "a_b_v", "a_b_v_2", "x1_F"};
    bri_error err;
    g.s.def.system.bodies = g.s.bodies;
    g.s.def.system.contacts = g.s.contacts;
    g.s.def.system.couplings = g.s.couplings;
    g.s.bodies[0].name = "a-b";
    g.s.bodies[1].name = "a b";
    g.s.couplings[0].name = "1";
    g.head.def = &g.s.def;
    assert_int_equal(bri_recorder_create(&g.s.def, &g.r, &err), BRI_OK);
    g.head.recorder = g.r;
    write_well(&g, "test_names.mat");
    mat_t *mat = Mat_Open("test_names.mat", MAT_ACC_RDONLY);
    assert_non_null(mat);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        matvar_t *v = Mat_VarReadInfo(mat, want[i]);
        if (!v) fail_msg("there is no %s", want[i]);
        Mat_VarFree(v);
    }
    Mat_Close(mat);
    bri_recorder_free(g.r);
    remove("test_names.mat");
}
#else
static void mat_reads_back(void **state) {
    (void)state;
    print_message("skipped: libmatio-dev was not there when this was built\n");
    skip();
}
#define mat_tells_names_apart mat_reads_back
#endif

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_reads_back),
        cmocka_unit_test(csv_streams),
        cmocka_unit_test(csv_on_a_full_disk_ends_with_a_row),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(json_is_valid),
        cmocka_unit_test(whole_files_appear_complete),
        cmocka_unit_test(failed_runs_say_so),
        cmocka_unit_test(the_checker_checks),
        cmocka_unit_test(mat_reads_back),
        cmocka_unit_test(mat_tells_names_apart),
    };
    return cmocka_run_group_tests(tests, start_rig, end_rig);
}
