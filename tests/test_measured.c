/* test_measured.c - measured samples as a reference: files, units, instants, shifts. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_study.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static char file[64];

static int make_file(void **state) {
    (void)state;
    strcpy(file, "/tmp/bristle-measured-XXXXXX");
    int fd = mkstemp(file);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state) {
    (void)state;
    return unlink(file);
}

static void put(const char *text) {
    FILE *out = fopen(file, "w");
    fputs(text, out);
    fclose(out);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void columns_and_units(void **state) {
    (void)state;
    bri_measured m;
    bri_error err;
    put("time;force;pos\n0;1;10\n500;2;-20.5\n");
    assert_int_equal(
        bri_measured_read(&m, file, "block.x=pos[mm], t=time[ms]", "block.x", "m", &err), BRI_OK);
    assert_int_equal(m.count, 2);
    near(m.t[1], 0.5, 1e-15, "t");
    near(m.y[0], 0.01, 1e-15, "y");
    near(m.y[1], -0.0205, 1e-15, "y");
    bri_measured_free(&m);
    put("t,block.x\n0,1\n1,2\n2,4\n"); /* as bristle run writes them */
    assert_int_equal(bri_measured_read(&m, file, NULL, "block.x", "m", &err), BRI_OK);
    assert_int_equal(m.count, 3);
    near(m.y[2], 4.0, 0.0, "y");
    bri_measured_free(&m);
}

static void refuses(const char *text, const char *map, bri_status status, const char *words,
                    int line) {
    bri_measured m;
    bri_error err = {0};
    char wanted[400];
    put(text);
    assert_int_equal(bri_measured_read(&m, file, map, "block.x", "m", &err), status);
    snprintf(wanted, sizeof wanted, "%s", words);
    if (line) snprintf(wanted, sizeof wanted, "%s:%d: %s", file, line, words);
    assert_string_equal(err.text, wanted);
    assert_int_equal(err.line, line);
    bri_measured_free(&m);
}

static void mistakes_are_named(void **state) {
    (void)state;
    static const char good[] = "t,x\n0,1\n1,2\n";
    refuses("t,x\n0,1\n1,oops\n", "block.x=x", BRI_BAD_VALUE, "'oops' is not a number", 3);
    refuses("t,x\n0,1\n1\n", "block.x=x", BRI_BAD_VALUE, "1 fields, the header has 2", 3);
    refuses("t,x\n0,1\n2,1\n1,1\n", "block.x=x", BRI_BAD_VALUE,
            "the time 1 does not lie after 2: times must increase", 4);
    refuses("time,x\n0,1\n1,2\n", "block.x=x", BRI_NOT_FOUND,
            "there is no column 't'; it can be time or x", 1);
    char empty[300];
    snprintf(empty, sizeof empty, "%s: the file is empty", file);
    refuses("", "block.x=x", BRI_BAD_FILE, empty, 0);
    refuses(" \nt,x\n0,1\n1,2\n", "block.x=x", BRI_BAD_FILE,
            "there is no header: the first line names the columns", 1);
    refuses("t,t,x\n0,0,1\n1,1,2\n", "block.x=x", BRI_BAD_VALUE, "there are two columns 't'", 1);
    refuses("t,,y,\n0,,1,\n1,,2,\n", "block.x=x", BRI_NOT_FOUND,
            "there is no column 'x'; it can be t or y", 1);
    refuses(good, "block.x=y", BRI_NOT_FOUND, "there is no column 'y'; it can be t or x", 1);
    refuses(good, "block.x=x[kg]", BRI_BAD_UNIT,
            "block.x=x[kg]: 1 kg is not a length: the unit is m", 0);
    refuses(good, "block.v=x", BRI_BAD_VALUE, "block.x is compared, but the map speaks of block.v",
            0);
    refuses(good, "block.x=x,block.x=t", BRI_BAD_VALUE,
            "one column is compared: 'block.x' is a second one", 0);
    refuses(good, "t=t,t=x", BRI_BAD_VALUE, "t is mapped twice", 0);
    static const char *const no_maps[] = {"x", "=x", "block.x=", "block.x=x[mm", "block.x=[mm]"};
    for (size_t i = 0; i < sizeof no_maps / sizeof *no_maps; i++) {
        char words[300];
        snprintf(words, sizeof words,
                 "'%s' maps no column: OURS=THEIRS or OURS=THEIRS[UNIT], such as "
                 "block.x=position[mm] or t=time[ms]",
                 no_maps[i]);
        refuses(good, no_maps[i], BRI_BAD_VALUE, words, 0);
    }
    bri_measured m;
    bri_error err;
    assert_int_equal(bri_measured_read(&m, "/nowhere/a.csv", NULL, "x", "m", &err), BRI_BAD_FILE);
    assert_string_equal(err.text, "/nowhere/a.csv: cannot be opened: No such file or directory");
}

static void a_map_names_our_column(void **state) {
    (void)state;
    char ours[64];
    bri_error err;
    assert_int_equal(bri_measured_ours("t=a[s],pull.F=b[N]", ours, sizeof ours, &err), BRI_OK);
    assert_string_equal(ours, "pull.F");
    assert_int_equal(bri_measured_ours("t=a[s]", ours, sizeof ours, &err), BRI_NOT_FOUND);
    assert_int_equal(bri_measured_ours("t", ours, sizeof ours, &err), BRI_BAD_VALUE);
}

/* ---- meeting in time ----------------------------------------------------------------------- */

/* A wave of straight lines of four lengths, so that no two places look the same; linear
 * interpolation between its corners is exact. */
static const double corner[] = {0.0, 3.0, 4.0, 6.5, 10.0}, height[] = {0.0, 6.0, 1.0, 3.5, 0.0};
enum { CORNERS = 5, PER_LINE = 40, SAMPLES = 4 * PER_LINE };

/* Samples of it in pairs on one line, off by +a and -a: to first order their errors cancel in the
 * slope of the mean square, so that the right shift is the best one and the RMSE there is a. */
static bri_measured sampled(double shift, double a) {
    bri_measured m = {calloc(SAMPLES, sizeof(double)), calloc(SAMPLES, sizeof(double)), SAMPLES};
    for (int k = 0, n = 0; k + 1 < CORNERS; k++)
        for (int i = 0; i < PER_LINE; i++, n++) {
            double t = corner[k] + (corner[k + 1] - corner[k]) * (i + 1) / (PER_LINE + 1);
            m.t[n] = t - shift;
            m.y[n] = bri_value_at(corner, height, CORNERS, t) + (i % 2 ? a : -a);
        }
    return m;
}

static void differences_at_measured_instants(void **state) {
    (void)state;
    bri_measured m = sampled(0.0, 0.25);
    long used;
    bri_difference d = bri_measured_difference(&m, corner, height, CORNERS, 0.0, &used);
    assert_int_equal(used, SAMPLES);
    near(d.rmse, 0.25, 1e-12, "RMSE");
    near(d.most, 0.25, 1e-12, "most");
    near(d.end, -0.25, 1e-12, "end"); /* ours less theirs */
    d = bri_measured_difference(&m, corner, height, CORNERS, 5.0, &used);
    int meet = 0;
    for (int i = 0; i < SAMPLES; i++) meet += m.t[i] + 5.0 <= 10.0;
    assert_int_equal(used, meet);
    d = bri_measured_difference(&m, corner, height, CORNERS, 11.0, &used);
    assert_int_equal(used, 0);
    assert_true(isnan(d.rmse));
    bri_measured_free(&m);
}

static void the_shift_is_found(void **state) {
    (void)state;
    static const double shifts[] = {0.0, 0.37, -1.9, 250.0};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        for (double a = 0.0; a < 0.3; a += 0.1) {
            bri_measured m = sampled(shifts[i], a);
            double shift = bri_measured_shift(&m, corner, height, CORNERS);
            near(shift - shifts[i], 0.0, a == 0.0 ? 1e-7 : 2e-3, "shift");
            bri_difference d = bri_measured_difference(&m, corner, height, CORNERS, shift, NULL);
            near(d.rmse - a, 0.0, a == 0.0 ? 1e-6 : 1e-3, "RMSE");
            bri_measured_free(&m);
        }
}

/* A flat stretch must not win by meeting few samples: at least half of them have to meet. */
static void a_shift_keeps_half_of_the_samples(void **state) {
    (void)state;
    const double t[] = {0, 1, 2, 8}, y[] = {0, 1, 0, 0};
    double mt[] = {0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 7}, my[] = {0, .4, .9, .6, 0, 0, 0, 0, 0, 0};
    const bri_measured m = {mt, my, 10};
    long used;
    double shift = bri_measured_shift(&m, t, y, 4);
    bri_measured_difference(&m, t, y, 4, shift, &used);
    assert_true(used >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_and_units),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(a_map_names_our_column),
        cmocka_unit_test(differences_at_measured_instants),
        cmocka_unit_test(the_shift_is_found),
        cmocka_unit_test(a_shift_keeps_half_of_the_samples),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
