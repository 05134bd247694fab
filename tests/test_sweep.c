/* test_sweep.c - sweeps against closed forms: decays, periods, stopping distances, moments of
 * distributions; the same bytes for any number of threads and parts; what is refused. */
#define _XOPEN_SOURCE 700
#include "bristle_sweep.h"

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

static const double pi = 3.14159265358979323846;

static char folder[] = "/tmp/bristle-sweep-XXXXXX";

/* A file in the folder of this test. */
static const char *file_of(const char *name, const char *text) {
    static char path[8][200];
    static int next;
    char *to = path[next++ % 8];
    snprintf(to, 200, "%s/%s", folder, name);
    if (text) {
        FILE *out = fopen(to, "w");
        assert_non_null(out);
        fputs(text, out);
        fclose(out);
    }
    return to;
}

static char *text_of(const char *file) {
    FILE *in = fopen(file, "r");
    static char text[1 << 20];
    if (!in) return NULL;
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

#define near(a, b, most) near_at(a, b, most, __LINE__)
static void near_at(double a, double b, double most, int at) {
    if (!(fabs(a - b) <= most)) fail_msg("line %d: %.17g, not %.17g +- %g", at, a, b, most);
}

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static bri_sweep *make(const bri_sweep_def *def) {
    static bri_messages messages;
    bri_sweep *s = NULL;
    if (bri_sweep_create(def, &s, &messages) != BRI_OK)
        print_error("%s\n", messages.message[0].text);
    assert_non_null(s);
    return s;
}

static bri_sweep *made_and_run(const bri_sweep_def *def) {
    bri_sweep *s = make(def);
    bri_error err;
    assert_int_equal(bri_sweep_run(s, NULL, NULL, NULL, &err), BRI_OK);
    assert_int_equal(bri_sweep_done(s), bri_sweep_mine(s));
    return s;
}

static int column(const bri_sweep *s, const char *name) {
    for (int i = 0; i < bri_sweep_columns(s); i++)
        if (strcmp(bri_sweep_column_at(s, i).name, name) == 0) return i;
    fail_msg("there is no column %s", name);
    return -1;
}

static double value(bri_sweep *s, long point, const char *name) {
    bri_sweep_point p;
    assert_int_equal(bri_sweep_result(s, point, &p), 1);
    if (p.status != BRI_OK) print_error("%s\n", p.reason);
    assert_int_equal(p.status, BRI_OK);
    return p.row[column(s, name)];
}

/* The sentence with which a definition is refused. */
static const char *refusal(const bri_sweep_def *def) {
    static bri_messages messages;
    bri_sweep *s = NULL;
    assert_int_not_equal(bri_sweep_create(def, &s, &messages), BRI_OK);
    assert_null(s);
    assert_true(messages.count >= 1);
    return messages.message[0].text;
}

/* ---- closed forms -----------------------------------------------------------------------------
 */

static const char decay[] = "bodies: {block: {mass: 2 kg, v: 3 m/s}}\n"
                            "couplings: {oil: {damper: [ground, block], damping: 4 N s/m}}\n"
                            "run: {until: 1 s, output: 1 ms, rtol: 1e-10}\n";

/* v = v0 exp(-c t/m), x = v0 m/c (1 - exp(-c t/m)), heat = m/2 (v0^2 - v^2). */
static void a_viscous_decay_is_exponential(void **state) {
    const char *vary[] = {"block.mass=1:3:5", "oil.damping=log:0.5:50:4"};
    const char *measures[] = {"end=last(block.v),way=last(block.x),dissipated",
                              "mean(block.v)",
                              "half=when(block.v < 1.5 m/s)",
                              "area=integral(block.v)",
                              "share=fraction(block.v > 1.5 m/s)",
                              "q=quantile(block.v, 0.25)",
                              "square=rms(block.v)",
                              "early=at(block.v, 0.25 s)",
                              "ratio=last(block.v)/first(block.v)*(block.mass/block.mass)"};
    (void)state;
    bri_sweep_def def = {.scenario = file_of("decay.yaml", decay),
                         .vary = vary,
                         .n_vary = 2,
                         .measures = measures,
                         .n_measures = COUNT(measures)};
    bri_sweep *s = made_and_run(&def);
    assert_int_equal(bri_sweep_points(s), 20);
    assert_non_null(strstr(bri_sweep_settings(s), "block.mass=1:3:5"));
    for (long i = 0; i < 20; i++) {
        double m = 1.0 + 0.5 * (double)(i / 4), c = 0.5 * pow(100.0, (double)(i % 4) / 3.0);
        double end = 3.0 * exp(-c / m), mean = 3.0 * m / c * (1.0 - exp(-c / m));
        near(value(s, i, "block.mass"), m, 1e-15);
        near(value(s, i, "oil.damping"), c, 1e-12);
        near(value(s, i, "end"), end, 1e-8);
        near(value(s, i, "way"), mean, 1e-8);
        near(value(s, i, "dissipated"), 0.5 * m * (9.0 - end * end), 1e-7);
        /* trapezoids of 1 ms: h^2/12 (c/m)^2 of the integral */
        double off = 3.0 * 1e-6 / 12.0 * (c / m) * (c / m) + 1e-8;
        near(value(s, i, "mean(block.v)"), mean, off);
        near(value(s, i, "area"), mean, off);
        near(value(s, i, "square"), sqrt(4.5 * m / c * (1.0 - exp(-2.0 * c / m))), 4.0 * off);
        near(value(s, i, "early"), 3.0 * exp(-0.25 * c / m), 1e-8);
        near(value(s, i, "q"), 3.0 * exp(-0.75 * c / m), 1e-8);
        near(value(s, i, "ratio"), end / 3.0, 1e-8);
        double half = log(2.0) * m / c;
        if (half < 1.0) {
            near(value(s, i, "half"), half, 1.001e-3);
            near(value(s, i, "share"), half, 1.001e-3);
        } else {
            assert_true(isnan(value(s, i, "half")));
            near(value(s, i, "share"), 1.0, 1e-12);
        }
    }
    assert_string_equal(bri_sweep_column_at(s, column(s, "area")).unit, "m");
    assert_string_equal(bri_sweep_column_at(s, column(s, "half")).unit, "s");
    assert_string_equal(bri_sweep_column_at(s, column(s, "ratio")).unit, "1");
    bri_sweep_free(s);
}

/* T = 2 pi sqrt(m/k), for masses of a file with units. */
static void an_oscillator_has_its_period(void **state) {
    const char *vary[] = {"pull.stiffness=1,4,25 N/m"};
    const char *measures[] = {"period", "swing(block.x)", "peaks(block.x, 2)"};
    (void)state;
    file_of("masses.csv", "block.mass [g],block.v\n500,1\n2000,2\n");
    bri_sweep_def def = {.scenario = file_of("swing.yaml",
                                             "bodies: {block: {mass: 1 kg, v: 1 m/s}}\n"
                                             "couplings: {pull: {spring: [ground, block], "
                                             "stiffness: 1 N/m}}\n"
                                             "run: {until: 40 s, output: 5 ms, rtol: 1e-9}\n"),
                         .points = file_of("masses.csv", NULL),
                         .vary = vary,
                         .n_vary = 1,
                         .measures = measures,
                         .n_measures = COUNT(measures)};
    bri_sweep *s = made_and_run(&def);
    assert_int_equal(bri_sweep_points(s), 6);
    for (long i = 0; i < 6; i++) {
        double m = i < 3 ? 0.5 : 2.0, v = i < 3 ? 1.0 : 2.0,
               k = i % 3 == 0   ? 1.0
                   : i % 3 == 1 ? 4.0
                                : 25.0;
        double top = v * sqrt(m / k);
        near(value(s, i, "period"), 2.0 * pi * sqrt(m / k), 1e-5);
        near(value(s, i, "swing(block.x)"), 2.0 * top, 1e-3 * top);
        near(value(s, i, "peaks_1"), top, 1e-6);
        near(value(s, i, "peaks_2"), top, 1e-6);
    }
    bri_sweep_free(s);
}

static const char stop[] =
    "bodies: {block: {mass: 2 kg, v: 3 m/s}}\n"
    "contacts: {pad: {between: [block, ground], load: 19.62 N, model: coulomb, mu_c: 0.4}}\n"
    "run: {until: 4 s, output: 10 ms, rtol: 1e-9}\n";

/* v^2/(2 mu g); mu_s is not given and follows mu_c, so the file is read again for every point. */
static void a_block_stops_where_it_should(void **state) {
    const char *vary[] = {"pad.mu_c=0.2:0.6:9", "block.v=1,2,4 m/s"};
    const char *measures[] = {"way=last(block.x)", "regime", "sliding(pad)", "events", "starts"};
    (void)state;
    bri_sweep_def def = {.scenario = file_of("stop.yaml", stop),
                         .vary = vary,
                         .n_vary = 2,
                         .measures = measures,
                         .n_measures = COUNT(measures)};
    bri_sweep *s = made_and_run(&def);
    for (long i = 0; i < bri_sweep_points(s); i++) {
        double mu = value(s, i, "pad.mu_c"), v = value(s, i, "block.v");
        near(value(s, i, "way"), v * v / (2.0 * mu * 9.81), 1e-7);
        near(value(s, i, "sliding(pad)"), v / (mu * 9.81) / 4.0, 1e-7);
        near(value(s, i, "regime"), 0.0, 0.0);
        near(value(s, i, "starts"), 0.0, 0.0);
    }
    assert_string_equal(bri_sweep_column_at(s, column(s, "regime")).words[0], "sticks");
    bri_sweep_free(s);
}

/* E[1/mu] of a uniform mu is log(b/a)/(b - a). */
static void scatter_of_friction_scatters_the_way(void **state) {
    const char *random[] = {"pad.mu_c=uniform(0.3, 0.6)"};
    const char *measures[] = {"way=last(block.x)"};
    (void)state;
    bri_sweep_def def = {.scenario = file_of("stop.yaml", stop),
                         .random = random,
                         .n_random = 1,
                         .samples = 400,
                         .seed = 3,
                         .sampling = BRI_SAMPLE_HALTON,
                         .measures = measures,
                         .n_measures = 1};
    bri_sweep *s = made_and_run(&def);
    double mean = 0.0;
    for (long i = 0; i < 400; i++) mean += value(s, i, "way") / 400.0;
    double right = 9.0 / (2.0 * 9.81) * log(2.0) / 0.3;
    near(mean, right, 0.002 * right); /* a Halton sequence of 400 in one dimension */
    bri_sweep_free(s);
}

/* v = v0 exp(-c t/m) at times evenly from `from` to the end; twice the start is 50 % of itself away
 * from the scenario as it stands at all times, half of it 100 %. */
static void a_course_and_its_difference(void **state) {
    const char *vary[] = {"block.v=1.5,3,6 m/s"};
    const char *measures[] = {"v=course(block.v, 5)",
                              "xi(block.v), Gamma(block.v), sum=xi(block.v) + 1"};
    (void)state;
    bri_sweep_def def = {.scenario = file_of("decay.yaml", decay),
                         .vary = vary,
                         .n_vary = 1,
                         .from = 0.2,
                         .measures = measures,
                         .n_measures = COUNT(measures)};
    bri_sweep *s = made_and_run(&def);
    const double off[3] = {100.0, 0.0, 50.0};
    for (long i = 0; i < 3; i++) {
        for (int k = 0; k < 5; k++) {
            char name[20];
            snprintf(name, sizeof name, "v_%d", k + 1);
            near(value(s, i, name), value(s, i, "block.v") * exp(-2.0 * (0.2 + 0.2 * k)), 1e-8);
        }
        near(value(s, i, "xi(block.v)"), off[i], 1e-5);
        near(value(s, i, "Gamma(block.v)"), off[i], 1e-5);
        near(value(s, i, "sum"), off[i] + 1.0, 1e-5);
    }
    assert_string_equal(bri_sweep_column_at(s, column(s, "xi(block.v)")).unit, "%");
    assert_string_equal(bri_sweep_column_at(s, column(s, "v_1")).unit, "m/s");
    bri_sweep_free(s);
}

/* Where only the ends are asked for rows between them are not made; the numbers are the same. */
static void ends_are_those_of_all_rows(void **state) {
    const char *vary[] = {"block.mass=1,2,5", "oil.damping=2,8"};
    const char *all[] = {"last(block.v), first(block.x), sum=last(block.x) + first(block.x)",
                         "max(block.v)"};
    static const double froms[] = {0.0, 0.3, 0.30071};
    (void)state;
    for (int k = 0; k < 3; k++) {
        bri_sweep_def def = {.scenario = file_of("decay.yaml", decay),
                             .vary = vary,
                             .n_vary = 2,
                             .from = froms[k],
                             .measures = all,
                             .n_measures = 2};
        bri_sweep *whole = made_and_run(&def);
        def.n_measures = 1;
        bri_sweep *ends = made_and_run(&def);
        for (long i = 0; i < 6; i++) {
            double rate = value(ends, i, "oil.damping") / value(ends, i, "block.mass");
            double t = k < 2 ? froms[k] : 0.301; /* the next row */
            near(value(ends, i, "first(block.x)"), 3.0 / rate * (1.0 - exp(-rate * t)), 1e-8);
            for (int m = 2; m < 5; m++) {
                const char *name = bri_sweep_column_at(ends, m).name;
                near(value(ends, i, name), value(whole, i, name), 0.0);
            }
        }
        bri_sweep_free(whole);
        bri_sweep_free(ends);
    }
}

/* A position that passes zero is compared by the range of the reference: x = a sin(w t) with other
 * amplitudes a is |a/a0 - 1|/2 of it away at most, and 2/pi of that in the mean. */
static void what_passes_zero_is_compared_by_its_range(void **state) {
    const char *vary[] = {"block.v=1,1.2,3 m/s"};
    const char *measures[] = {"xi", "Gamma"};
    (void)state;
    bri_sweep_def def = {.scenario = file_of("ring.yaml",
                                             "bodies: {block: {mass: 1 kg, v: 1 m/s}}\n"
                                             "couplings: {pull: {spring: [ground, block], "
                                             "stiffness: 1 N/m}}\n"
                                             "run: {until: 62.83185307179586 s, output: 10 ms, "
                                             "rtol: 1e-9}\n"),
                         .vary = vary,
                         .n_vary = 1,
                         .measures = measures,
                         .n_measures = 2};
    bri_sweep *s = made_and_run(&def);
    for (long i = 0; i < 3; i++) {
        double off = 50.0 * (value(s, i, "block.v") - 1.0);
        near(value(s, i, "xi"), off, 2e-5 * off + 1e-9);
        near(value(s, i, "Gamma"), 2.0 / pi * off, 1e-3 * off + 1e-9);
    }
    bri_sweep_free(s);
}

/* A block that is drawn breaks away at mu_s N, between two rows. */
static void it_breaks_away_at_its_static_level(void **state) {
    const char *vary[] = {"pad.mu_s=0.2,0.3,0.45"};
    const char *measures[] = {"break_away", "seen=max(abs(pad.F))"};
    (void)state;
    bri_sweep_def def = {.scenario =
                             file_of("draw.yaml",
                                     "bodies: {block: {mass: 2 kg}, hand: {velocity: 0.1 m/s}}\n"
                                     "couplings: {pull: {spring: [hand, block], stiffness: 50 "
                                     "N/m}}\n"
                                     "contacts: {pad: {between: [block, ground], load: 10 N, "
                                     "model: stribeck, mu_c: 0.1, mu_s: 0.2, v_s: 1 mm/s}}\n"
                                     "run: {until: 2 s, output: 30 ms, rtol: 1e-8}\n"),
                         .vary = vary,
                         .n_vary = 1,
                         .measures = measures,
                         .n_measures = 2};
    bri_sweep *s = made_and_run(&def);
    int between = 0;
    for (long i = 0; i < 3; i++) {
        double level = 10.0 * value(s, i, "pad.mu_s");
        near(value(s, i, "break_away"), level, 1e-9);
        between += value(s, i, "seen") < level - 1e-6;
    }
    assert_true(between > 0);
    assert_string_equal(bri_sweep_column_at(s, column(s, "break_away")).unit, "N");
    bri_sweep_free(s);
}

/* Every member of an array draws a value of its own: the end of its decay tells which. */
static void members_draw_values_of_their_own(void **state) {
    enum { SAMPLES = 300, MEMBERS = 3 };
    const char *each[] = {"block.mass=uniform(1, 2)"};
    const char *measures[] = {"v1=last(block1.v), v2=last(block2.v), v3=last(block3.v)"};
    double sum = 0.0, squares = 0.0, product = 0.0;
    (void)state;
    bri_sweep_def def = {.scenario = file_of("row.yaml",
                                             "bodies: {block: {repeat: 3, mass: 2 kg, v: 3 m/s}}\n"
                                             "couplings: {oil: {damper: [ground, block], "
                                             "damping: 1 N s/m}}\n"
                                             "run: {until: 1 s, output: 1 s, rtol: 1e-8}\n"),
                         .each = each,
                         .n_each = 1,
                         .samples = SAMPLES,
                         .seed = 5,
                         .measures = measures,
                         .n_measures = 1};
    bri_sweep *s = made_and_run(&def);
    assert_int_equal(bri_sweep_points(s), SAMPLES);
    for (long i = 0; i < SAMPLES; i++) {
        double m[MEMBERS];
        for (int k = 0; k < MEMBERS; k++) {
            char name[20];
            snprintf(name, sizeof name, "v%d", k + 1);
            m[k] = -1.0 / log(value(s, i, name) / 3.0);
            assert_true(m[k] > 1.0 - 1e-6 && m[k] < 2.0 + 1e-6);
            sum += m[k];
            squares += (m[k] - 1.5) * (m[k] - 1.5);
        }
        product += (m[0] - 1.5) * (m[1] - 1.5);
    }
    /* four standard errors */
    near(sum / (SAMPLES * MEMBERS), 1.5, 4.0 * sqrt(1.0 / 12.0 / (SAMPLES * MEMBERS)));
    near(squares / (SAMPLES * MEMBERS), 1.0 / 12.0, 4.0 * sqrt(1.0 / 180.0 / (SAMPLES * MEMBERS)));
    near(product / SAMPLES, 0.0, 4.0 / 12.0 / sqrt(SAMPLES));
    bri_sweep_free(s);
}

/* ---- pictures ---------------------------------------------------------------------------------
 */

/* A circle: all points at their radius, and as long as its circumference. */
static void a_contour_is_where_it_should_be(void **state) {
    enum { N = 101 };
    static double x[N], z[N * N], px[6 * N * N], py[6 * N * N];
    double length = 0.0;
    (void)state;
    for (int i = 0; i < N; i++) x[i] = -2.0 + 0.04 * i;
    for (int i = 0; i < N * N; i++) z[i] = x[i % N] * x[i % N] + x[i / N] * x[i / N];
    int count = contour(x, N, x, N, z, 2.0, px, py);
    for (int i = 0; i < count; i++) {
        assert_int_equal(isnan(px[i]), i == count - 1); /* one line, and a gap behind it */
        if (i < count - 1) near(hypot(px[i], py[i]), sqrt(2.0), 1e-3);
        if (i < count - 2) length += hypot(px[i + 1] - px[i], py[i + 1] - py[i]);
    }
    near(px[0], px[count - 2], 0.0); /* closed */
    near(py[0], py[count - 2], 0.0);
    near(length, 2.0 * pi * sqrt(2.0), 1e-2);
}

/* Of x y = +-1/2, which has four arms, four lines, each in one piece. */
static void contours_are_as_many_lines_as_there_are(void **state) {
    enum { N = 60 };
    static double x[N], z[N * N], px[6 * N * N], py[6 * N * N];
    (void)state;
    for (int i = 0; i < N; i++) x[i] = -2.0 + 4.0 * i / (N - 1);
    for (int i = 0; i < N * N; i++) z[i] = fabs(x[i % N] * x[i / N]);
    int count = contour(x, N, x, N, z, 0.5, px, py), gaps = 0;
    for (int i = 0; i < count; i++) {
        gaps += isnan(px[i]);
        if (!isnan(px[i])) near(fabs(px[i] * py[i]), 0.5, 2e-3);
    }
    assert_int_equal(gaps, 4);
}

/* Where steady sliding of LuGre is unstable (Routh and Hurwitz, by hand), nothing slides steadily;
 * where friction grows with the speed, and the belt is fast, everything does. */
static void nothing_slides_where_it_is_unstable(void **state) {
    const char *vary[] = {"belt.velocity=0.03,0.06,0.09,0.5", "spring.stiffness=20,80,300"};
    const char *measures[] = {"regime"};
    const bri_override rig[] = {{"pad.v_s", "50 mm/s"},
                                {"pad.nu", "0.05 s/m"},
                                {"run.until", "25 s"},
                                {"run.rtol", "1e-5"}};
    int unstable = 0;
    (void)state;
    bri_sweep_def def = {.scenario = "belt",
                         .overrides = rig,
                         .n_overrides = 4,
                         .vary = vary,
                         .n_vary = 2,
                         .measures = measures,
                         .n_measures = 1,
                         .from = 12.0};
    bri_sweep *s = made_and_run(&def);
    for (long i = 0; i < 12; i++) {
        double v = value(s, i, "belt.velocity"), k = value(s, i, "spring.stiffness"), N = 9.81,
               m = 1.0;
        double e = exp(-v * v / 0.0025), g = N * (0.1 + 0.05 * e),
               dg = -2.0 * N * 0.05 * v / 0.0025 * e;
        double a = 1e5 * v / g, q = sqrt(1e5) * v * dg / g + 0.05 * N;
        double c2 = m * a + q, c1 = a * (0.05 * N + dg) + k, c0 = a * k;
        int stable = c2 > 0.0 && c1 > 0.0 && c2 * c1 > m * c0;
        unstable += !stable;
        if (!stable) assert_true(value(s, i, "regime") < 2.0);
        if (v > 0.4) near(value(s, i, "regime"), 2.0, 0.0);
    }
    assert_int_equal(unstable, 9);
    bri_sweep_free(s);
}

/* ---- distributions ------------------------------------------------------------------------------
 */

static int itself(void *context, const double *x, double *y, char *text, size_t size) {
    (void)context;
    (void)text;
    (void)size;
    y[0] = x[0] + x[1];
    return 0;
}

static void distributions_have_their_moments(void **state) {
    static const struct {
        const char *text;
        double mean, deviation;
    } cases[] = {{"a=normal(3, 0.5)", 3.0, 0.5},
                 {"a=lognormal(2, 1)", 2.0, 1.0},
                 {"a=uniform(-1, 5)", 2.0, 1.73205080756887729},
                 {"a=triangular(0, 1, 5)", 2.0, 1.08012344973464345}};
    const char *measures[] = {"sum"};
    (void)state;
    near(cases[3].deviation, sqrt((1.0 + 25.0 - 5.0) / 18.0), 1e-12);
    for (int way = BRI_SAMPLE_RANDOM; way <= BRI_SAMPLE_HALTON; way++)
        for (int k = 0; k < COUNT(cases); k++) {
            const char *random[] = {cases[k].text, "b=uniform(0, 1)"};
            bri_sweep_def def = {.function = itself,
                                 .random = random,
                                 .n_random = 2,
                                 .samples = 20000,
                                 .seed = 5,
                                 .sampling = (bri_sampling)way,
                                 .measures = measures,
                                 .n_measures = 1};
            bri_sweep *s = made_and_run(&def);
            double sum = 0.0, squares = 0.0, mixed = 0.0;
            for (long i = 0; i < 20000; i++) {
                double a = value(s, i, "a") - cases[k].mean, b = value(s, i, "b") - 0.5;
                sum += a / 20000.0;
                squares += a * a / 20000.0;
                mixed += a * b / 20000.0;
                near(value(s, i, "sum"), a + b + cases[k].mean + 0.5, 1e-12);
            }
            /* random: 4 standard errors; Halton: a tenth of them or the tail of the largest */
            double se = cases[k].deviation / sqrt(20000.0), most = way ? 0.4 * se : 4.0 * se;
            near(sum, 0.0, most);
            near(sqrt(squares), cases[k].deviation, (k == 1 ? 4.0 : 1.5) * most);
            near(mixed, 0.0, 2.0 * most); /* axes are independent */
            bri_sweep_free(s);
        }
}

static void normals_are_correlated(void **state) {
    const char *random[] = {"a=normal(1, 2)", "b=normal(-3, 0.1)", "c=uniform(0, 1)"};
    const char *correlate[] = {"a,b=0.8", "b,c=-0.3"};
    const char *measures[] = {"sum"};
    (void)state;
    bri_sweep_def def = {.function = itself,
                         .random = random,
                         .n_random = 3,
                         .correlate = correlate,
                         .n_correlate = 2,
                         .samples = 20000,
                         .sampling = BRI_SAMPLE_HALTON,
                         .measures = measures,
                         .n_measures = 1};
    bri_sweep *s = made_and_run(&def);
    double aa = 0, bb = 0, ab = 0, ac = 0, bc = 0, cc = 0, n = 20000;
    for (long i = 0; i < 20000; i++) {
        double a = (value(s, i, "a") - 1) / 2, b = (value(s, i, "b") + 3) / 0.1,
               c = value(s, i, "c") - 0.5;
        aa += a * a / n, bb += b * b / n, cc += c * c / n;
        ab += a * b / n, ac += a * c / n, bc += b * c / n;
    }
    near(aa, 1.0, 0.01);
    near(bb, 1.0, 0.01);
    near(cc, 1.0 / 12.0, 0.001);
    near(ab, 0.8, 0.01);
    near(ac, 0.0, 0.01);
    /* normal score with r = -0.3 against uniform: r sqrt(3/pi) */
    near(bc / sqrt(bb * cc), -0.3 * sqrt(3.0 / pi), 0.01);
    bri_sweep_free(s);
}

/* ---- sensitivity ------------------------------------------------------------------------------
 */

/* Ishigami and Homma 1990, a = 7, b = 0.1. */
static int ishigami(void *context, const double *x, double *y, char *text, size_t size) {
    (void)context;
    (void)text;
    (void)size;
    y[0] = sin(x[0]) + 7.0 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4.0) * sin(x[0]);
    return 0;
}

static const char *ishigami_inputs[] = {"a=uniform(-3.14159265358979312, 3.14159265358979312)",
                                        "b=uniform(-3.14159265358979312, 3.14159265358979312)",
                                        "c=uniform(-3.14159265358979312, 3.14159265358979312)"};

/* Shares of the variance in closed form. */
static void ishigami_shares(double first[3], double total[3]) {
    double p4 = pow(pi, 4.0), p8 = p4 * p4;
    double alone = 0.5 * pow(1.0 + 0.1 * p4 / 5.0, 2.0), second = 49.0 / 8.0;
    double both = 0.01 * p8 * (1.0 / 18.0 - 1.0 / 50.0), all = alone + second + both;
    first[0] = alone / all, first[1] = second / all, first[2] = 0.0;
    total[0] = (alone + both) / all, total[1] = second / all, total[2] = both / all;
}

static void sobol_indices_are_those_of_ishigami(void **state) {
    const char *measures[] = {"y"};
    double first[3], total[3];
    bri_index found[3];
    bri_error err;
    int inside = 0;
    (void)state;
    ishigami_shares(first, total);
    near(first[0], 0.3139, 1e-4); /* as printed by Saltelli et al. 2010 */
    near(total[0], 0.5576, 1e-4);
    bri_sweep_def def = {.function = ishigami,
                         .random = ishigami_inputs,
                         .n_random = 3,
                         .samples = 4000,
                         .sampling = BRI_SAMPLE_SOBOL,
                         .measures = measures,
                         .n_measures = 1};
    bri_sweep *s = made_and_run(&def);
    assert_int_equal(bri_sweep_points(s), 20000);
    assert_int_equal(bri_sweep_inputs(s), 3);
    assert_int_equal(bri_sweep_indices(s, "y", 0, found, &err), BRI_OK);
    for (int i = 0; i < 3; i++) {
        near(found[i].first, first[i], 0.03);
        near(found[i].total, total[i], 0.03);
        assert_true(found[i].first_off > 0.001 && found[i].first_off < 0.06);
    }
    assert_int_equal(bri_sweep_indices(s, "z", 0, found, &err), BRI_NOT_FOUND);
    bri_sweep_free(s);
    def.samples = 200; /* intervals hold the truth; those of evenly spread samples are wide */
    for (int seed = 1; seed <= 10; seed++) {
        def.seed = seed;
        s = made_and_run(&def);
        assert_int_equal(bri_sweep_indices(s, "y", 0, found, &err), BRI_OK);
        for (int i = 0; i < 3; i++) inside += fabs(found[i].first - first[i]) <= found[i].first_off;
        for (int i = 0; i < 3; i++) inside += fabs(found[i].total - total[i]) <= found[i].total_off;
        bri_sweep_free(s);
    }
    assert_true(inside >= 51); /* of 60; 57 expected */
}

static int plane(void *context, const double *x, double *y, char *text, size_t size) {
    (void)context;
    (void)text;
    (void)size;
    y[0] = 2.0 * x[0] - 3.0 * x[1];
    y[1] = x[0] * x[2];
    return 0;
}

/* The effects of a plane are its slopes times the widths; those of a product scatter. */
static void morris_finds_slopes(void **state) {
    const char *random[] = {"a=uniform(0, 1)", "b=uniform(0, 2)", "c=uniform(0, 4)"};
    const char *measures[] = {"plane", "product"};
    bri_index found[3];
    bri_error err;
    (void)state;
    bri_sweep_def def = {.function = plane,
                         .random = random,
                         .n_random = 3,
                         .samples = 40,
                         .sampling = BRI_SAMPLE_MORRIS,
                         .measures = measures,
                         .n_measures = 2};
    bri_sweep *s = made_and_run(&def);
    assert_int_equal(bri_sweep_points(s), 160);
    assert_int_equal(bri_sweep_indices(s, "plane", 0, found, &err), BRI_OK);
    static const double slope[] = {2.0, -6.0, 0.0};
    for (int i = 0; i < 3; i++) {
        near(found[i].first, fabs(slope[i]), 1e-12);
        near(found[i].total, slope[i], 1e-12);
        near(found[i].deviation, 0.0, 1e-12);
    }
    assert_int_equal(bri_sweep_indices(s, "product", 0, found, &err), BRI_OK);
    near(found[0].first, 2.0, 0.4); /* mean of c; levels 0.5 ... 3.5 */
    assert_true(found[0].deviation > 0.5);
    near(found[1].first, 0.0, 1e-12);
    bri_sweep_free(s);
}

/* ---- the same bytes
 * ------------------------------------------------------------------------------- */

static char *result(const bri_sweep_def *def, const char *file) {
    bri_sweep *s = made_and_run(def);
    bri_error err;
    assert_int_equal(bri_sweep_write(s, file, &err), BRI_OK);
    bri_sweep_free(s);
    return text_of(file);
}

static void threads_do_not_change_a_byte(void **state) {
    const bri_model *laws[] = {bri_model_find("lugre"), bri_model_find("coulomb"),
                               bri_model_find("dahl")};
    const char *vary[] = {"belt.velocity=0.05:0.2:4"}, *random[] = {"block.mass=normal(5 %)"};
    const char *measures[] = {"regime,slips,slip_size,period,steps,max(abs(pad.F))"};
    (void)state;
    bri_sweep_def def = {.scenario = "belt",
                         .vary = vary,
                         .n_vary = 1,
                         .random = random,
                         .n_random = 1,
                         .samples = 2,
                         .laws = laws,
                         .n_laws = 3,
                         .overrides = &(bri_override){"run.until", "3 s"},
                         .n_overrides = 1,
                         .measures = measures,
                         .n_measures = 1,
                         .threads = 1};
    char *one = strdup(result(&def, file_of("one.csv", NULL)));
    assert_non_null(one);
    for (int threads = 2; threads <= 4; threads += 2) {
        def.threads = threads;
        assert_string_equal(result(&def, file_of("more.csv", NULL)), one);
    }
    free(one);
}

/* A point set by address in a simulation that has run before, against one that is read from the
 * file: the same bits, if neither is computed in lanes. */
static void a_point_is_that_of_a_run_of_its_own(void **state) {
    const char *vary[] = {"pad.sigma0=5e4:1e5:3", "block.mass=0.5,1,2"},
               *measures[] = {"last(block.x),max(pad.F)"};
    (void)state;
    bri_sweep_def def = {.scenario = "belt",
                         .vary = vary,
                         .n_vary = 2,
                         .overrides = &(bri_override){"run.until", "3 s"},
                         .n_overrides = 1,
                         .measures = measures,
                         .n_measures = 1};
    setenv("BRISTLE_PATH", "lugre", 1);
    bri_sweep *s = made_and_run(&def);
    unsetenv("BRISTLE_PATH");
    for (long i = 0; i < 9; i++) {
        char sigma0[40], mass[40];
        snprintf(sigma0, sizeof sigma0, "%.17g", value(s, i, "pad.sigma0"));
        snprintf(mass, sizeof mass, "%.17g", value(s, i, "block.mass"));
        const bri_override changes[] = {
            {"run.until", "3 s"}, {"pad.sigma0", sigma0}, {"block.mass", mass}};
        bri_scenario *scenario = NULL;
        assert_int_equal(bri_scenario_load("belt", &(bri_scenario_options){changes, 3, NULL, NULL},
                                           &scenario, NULL),
                         BRI_OK);
        bri_trace t;
        assert_int_equal(
            bri_trace_run(&t, bri_scenario_def(scenario), bri_scenario_output(scenario), NULL),
            BRI_OK);
        const double *x = bri_trace_find(&t, "block.x"), *F = bri_trace_find(&t, "pad.F");
        double most = F[0];
        for (long k = 0; k < t.n_rows; k++) most = fmax(most, F[k]);
        assert_true(value(s, i, "last(block.x)") == x[t.n_rows - 1]);
        assert_true(value(s, i, "max(pad.F)") == most);
        bri_trace_free(&t);
        bri_scenario_free(scenario);
    }
    bri_sweep_free(s);
}

/* Lanes of a thread share what one of them has read, as long as it serves: a key that the file is
 * read with changes from point to point, and so does the law. Against a sweep for each point, one
 * simulation at a time. */
static void what_is_read_is_read_for_the_point(void **state) {
    const char *vary[] = {"run.until=2,3,2.2,3.5", "block.mass=0.5,1,2,1.5,2.5"},
               *measures[] = {"last(block.x),steps"};
    const bri_model *laws[] = {bri_model_find("lugre"), bri_model_find("dahl")};
    (void)state;
    bri_sweep_def def = {.scenario = "belt",
                         .vary = vary,
                         .n_vary = 2,
                         .laws = laws,
                         .n_laws = 2,
                         .measures = measures,
                         .n_measures = 1,
                         .threads = 1};
    bri_sweep *s = made_and_run(&def);
    assert_int_equal(bri_sweep_points(s), 40);
    assert_true(bri_sweep_lanes(s) > 20);
    for (long i = 0; i < 40; i++) {
        char until[60], mass[60];
        snprintf(until, sizeof until, "run.until=%.17g", value(s, i, "run.until"));
        snprintf(mass, sizeof mass, "block.mass=%.17g", value(s, i, "block.mass"));
        const char *here[] = {until, mass};
        bri_sweep_def own = def;
        own.vary = here;
        own.laws = &laws[i / 20];
        own.n_laws = 1;
        bri_sweep *alone = made_and_run(&own);
        if (value(s, i, "last(block.x)") != value(alone, 0, "last(block.x)") ||
            value(s, i, "steps") != value(alone, 0, "steps"))
            fail_msg("point %ld is another one alone", i);
        bri_sweep_free(alone);
    }
    bri_sweep_free(s);
}

/* ---- files
 * ---------------------------------------------------------------------------------------- */

static int stop_after(void *context, const bri_sweep_point *point) {
    (void)point;
    return --*(int *)context == 0;
}

static void an_interrupted_sweep_goes_on(void **state) {
    const char *vary[] = {"block.mass=1:3:7", "oil.damping=1:9:3"}, *measures[] = {"last(block.v)"};
    const char *file = file_of("again.csv", NULL), *kept = file_of("again.csv.sweep", NULL);
    bri_sweep_def def = {.scenario = file_of("decay.yaml", decay),
                         .vary = vary,
                         .n_vary = 2,
                         .measures = measures,
                         .n_measures = 1};
    bri_error err;
    (void)state;
    char *whole = strdup(result(&def, file_of("whole.csv", NULL)));
    for (int left = 5; left < 21; left += 7) {
        int count = left;
        bri_sweep *s = make(&def);
        assert_int_equal(bri_sweep_keep(s, file, BRI_SWEEP_NEW, &err), BRI_OK);
        assert_int_equal(bri_sweep_run(s, NULL, stop_after, &count, &err), BRI_NO_PROGRESS);
        bri_sweep_free(s);
        assert_null(text_of(file));    /* not before it is complete */
        FILE *torn = fopen(kept, "a"); /* as if killed within a line */
        fputs("3,1.2,", torn);
        fclose(torn);
        s = make(&def);
        assert_int_equal(bri_sweep_keep(s, file, BRI_SWEEP_NEW, &err), BRI_BAD_VALUE);
        assert_non_null(strstr(err.text, "exists already"));
        assert_int_equal(bri_sweep_keep(s, file, BRI_SWEEP_RESUME, &err), BRI_OK);
        assert_true(bri_sweep_done(s) >= left);
        assert_int_equal(bri_sweep_run(s, NULL, NULL, NULL, &err), BRI_OK);
        assert_int_equal(bri_sweep_write(s, file, &err), BRI_OK);
        bri_sweep_free(s);
        assert_string_equal(text_of(file), whole);
        s = make(&def); /* all is there */
        assert_int_equal(bri_sweep_keep(s, file, BRI_SWEEP_RESUME, &err), BRI_OK);
        assert_int_equal(bri_sweep_done(s), 21);
        bri_sweep_free(s);
        def.from = 0.1; /* other settings: nothing is touched */
        s = make(&def);
        assert_int_equal(bri_sweep_keep(s, file, BRI_SWEEP_RESUME, &err), BRI_BAD_VALUE);
        assert_non_null(strstr(err.text, "other settings: 'column"));
        bri_sweep_free(s);
        def.from = 0.0;
        assert_string_equal(text_of(file), whole);
        remove(file);
        remove(kept);
    }
    free(whole);
}

static void parts_are_all_of_it(void **state) {
    const char *vary[] = {"block.mass=1:3:10"}, *measures[] = {"last(block.v)"};
    int seen[10] = {0};
    (void)state;
    bri_sweep_def def = {.scenario = file_of("decay.yaml", decay),
                         .vary = vary,
                         .n_vary = 1,
                         .measures = measures,
                         .n_measures = 1,
                         .parts = 4};
    for (def.part = 1; def.part <= 4; def.part++) {
        bri_sweep *s = made_and_run(&def);
        bri_sweep_point p;
        assert_int_equal(bri_sweep_mine(s), def.part <= 2 ? 3 : 2);
        for (long i = 0; i < 10; i++) seen[i] += bri_sweep_result(s, i, &p);
        bri_sweep_free(s);
    }
    for (int i = 0; i < 10; i++) assert_int_equal(seen[i], 1);
}

static int pass_on(void *to, const bri_sweep_point *point) {
    bri_error err;
    assert_int_equal(bri_sweep_take(to, point, &err), BRI_OK);
    return 0;
}

/* Points that another sweep of the same definition has computed, a few at a time and one of them a
 * failure, are those of one run. */
static void points_may_be_computed_elsewhere(void **state) {
    const char *vary[] = {"block.mass=-1,1,2,3,4,5,6"}, *measures[] = {"last(block.v)"};
    char file[2][100];
    (void)state;
    bri_sweep_def def = {.scenario = file_of("decay.yaml", decay),
                         .vary = vary,
                         .n_vary = 1,
                         .measures = measures,
                         .n_measures = 1};
    bri_error err;
    bri_sweep *whole = made_and_run(&def), *first = make(&def), *other = make(&def);
    long points[3], from = 0, count;
    while ((count = bri_sweep_pending(first, from, points, 3)) > 0) {
        from = points[count - 1] + 1;
        assert_int_equal(bri_sweep_run_points(other, points, count, NULL, pass_on, first, &err),
                         BRI_OK);
        assert_int_equal(bri_sweep_done(first), from);
    }
    assert_int_equal(bri_sweep_done(first), 7);
    assert_int_equal(bri_sweep_failed(first), 1);
    for (int k = 0; k < 2; k++) {
        snprintf(file[k], sizeof file[k], "%s", file_of(k ? "first.csv" : "whole.csv", NULL));
        assert_int_equal(bri_sweep_write(k ? first : whole, file[k], &err), BRI_OK);
    }
    char *text = strdup(text_of(file[0]));
    assert_string_equal(text, text_of(file[1]));
    free(text);
    const double row[2] = {0.0};
    const bri_sweep_point nowhere = {7, row, BRI_OK, ""};
    assert_int_equal(bri_sweep_take(first, &nowhere, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "there is no point 7");
    bri_sweep_free(whole);
    bri_sweep_free(first);
    bri_sweep_free(other);
}

/* Parts put together, also from what an interrupted one has left, are the bytes of one run. */
static void parts_are_merged_to_the_same_bytes(void **state) {
    const char *vary[] = {"block.mass=1:3:10"}, *measures[] = {"last(block.v)"};
    const char *files[3], *to = file_of("merged.csv", NULL);
    static const char *const names[] = {"p1.csv", "p2.csv", "p3.csv"};
    bri_error err;
    long points;
    (void)state;
    bri_sweep_def def = {.scenario = file_of("decay.yaml", decay),
                         .vary = vary,
                         .n_vary = 1,
                         .measures = measures,
                         .n_measures = 1};
    char *whole = strdup(result(&def, file_of("whole2.csv", NULL)));
    def.parts = 3;
    def.threads = 1;
    for (def.part = 1; def.part <= 3; def.part++) {
        bri_sweep *s = make(&def);
        int count = 1;
        files[def.part - 1] = file_of(names[def.part - 1], NULL);
        assert_int_equal(bri_sweep_keep(s, files[def.part - 1], BRI_SWEEP_NEW, &err), BRI_OK);
        if (def.part == 2) {
            bri_sweep_run(s, NULL, stop_after, &count, &err);
        } else {
            assert_int_equal(bri_sweep_run(s, NULL, NULL, NULL, &err), BRI_OK);
            assert_int_equal(bri_sweep_write(s, files[def.part - 1], &err), BRI_OK);
        }
        bri_sweep_free(s);
    }
    assert_int_equal(bri_sweep_merge(files, 0, to, 0, &points, &err), BRI_BAD_VALUE);
    assert_int_equal(bri_sweep_merge(files, 3, to, 0, &points, &err), BRI_BAD_VALUE);
    def.part = 2;
    bri_sweep *s = make(&def);
    assert_int_equal(bri_sweep_keep(s, files[1], BRI_SWEEP_RESUME, &err), BRI_OK);
    assert_int_equal(bri_sweep_run(s, NULL, NULL, NULL, &err), BRI_OK);
    bri_sweep_free(s); /* complete, but not written: FILE.sweep has it */
    files[1] = file_of("p2.csv.sweep", NULL);
    assert_int_equal(bri_sweep_merge(files, 2, to, 0, &points, &err), BRI_BAD_VALUE);
    assert_non_null(strstr(err.text, "points are missing"));
    assert_null(text_of(to));
    assert_int_equal(bri_sweep_merge(files, 3, to, 0, &points, &err), BRI_OK);
    assert_int_equal(points, 10);
    assert_string_equal(text_of(to), whole);
    free(whole);
}

/* ---- what goes wrong
 * --------------------------------------------------------------------------------- */

static void a_point_that_fails_is_a_row(void **state) {
    const char *vary[] = {"pad.mu_c=0.1,0.9,0.2"}, *measures[] = {"last(block.x)"};
    (void)state;
    const bri_override both[] = {{"run.until", "0.1 s"}};
    bri_sweep_def def = {.scenario = "belt",
                         .overrides = both,
                         .n_overrides = 1,
                         .vary = vary,
                         .n_vary = 1,
                         .measures = measures,
                         .n_measures = 1};
    bri_sweep *s = made_and_run(&def); /* mu_s = 0.15 is below 0.9 and 0.2 */
    bri_sweep_point p;
    assert_int_equal(bri_sweep_failed(s), 2);
    assert_int_equal(bri_sweep_result(s, 1, &p), 1);
    assert_int_not_equal(p.status, BRI_OK);
    assert_non_null(strstr(p.reason, "mu_s"));
    assert_true(isnan(p.row[1]));
    assert_true(isfinite(value(s, 0, "last(block.x)")));
    bri_sweep_free(s);
}

static void nonsense_is_refused(void **state) {
    static const struct {
        const char *vary, *random, *measure, *says;
    } cases[] = {
        {"belt.velocty=1:2:3", NULL, "period", "did you mean 'belt.velocity'?"},
        {"blt.velocity=1:2:3", NULL, "period", "did you mean 'belt'?"},
        {"belt.velocity=1:2", NULL, "period", "LEAST:MOST:COUNT"},
        {"belt.velocity", NULL, "period", "ADDRESS=VALUES"},
        {"belt.velocity=1:2:1", NULL, "period", "at least 2"},
        {"belt.velocity=log:0:2:5", NULL, "period", "above 0"},
        {"belt.velocity=1:1:5", NULL, "period", "both ends"},
        {"belt.velocity=1:2:1000000000000", NULL, "period", "too many"},
        {"belt.velocity=1:2:3 kg", NULL, "period", "not a velocity"},
        {"belt.velocity=a,b", NULL, "period", "belt.velocity: "},
        {NULL, "pad.mu_c=normal(0.3, -1)", "period", "deviation must be > 0"},
        {NULL, "pad.mu_c=normal(0.3, 0)", "period", "deviation must be > 0"},
        {NULL, "pad.mu_c=lognormal(-1, 1)", "period", "mean must be > 0"},
        {NULL, "pad.mu_c=uniform(2, 1)", "period", "less than"},
        {NULL, "pad.mu_c=triangular(1, 5, 2)", "period", "in order"},
        {NULL, "pad.mu_c=triangular(1, 5)", "period", "should read triangular("},
        {NULL, "pad.mu_c=uniformm(1, 2)", "period", "did you mean 'uniform'?"},
        {NULL, "pad.mu_c=0.3", "period", "no distribution"},
        {NULL, "pad.mu_c=normal(0.3, 1 kg)", "period", "kg"},
        {"belt.velocity=1,2", NULL, "block.x", "changes with time"},
        {"belt.velocity=1,2", NULL, "max(block.x) + max(block.v)", "units"},
        {"belt.velocity=1,2", NULL, "perod", "did you mean"},
        {"belt.velocity=1,2", NULL, "meen(block.x)", "did you mean 'mean'?"},
        {"belt.velocity=1,2", NULL, "regime(pod)", "did you mean 'pad'?"},
        {"belt.velocity=1,2", NULL, "max(block.x), max(block.x)", "two measures"},
        {"belt.velocity=1,2", NULL, "block.x > 0", "condition"},
        {"belt.velocity=1,2", NULL, "fraction(block.x)", "condition"},
        {"belt.velocity=1,2", NULL, "max(block.x", "missing"},
        {"belt.velocity=1,2", NULL, "", "missing"},
        {"belt.velocity=1,2", "belt.velocity=normal(1, 1)", "period", "varied twice"},
    };
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        bri_sweep_def def = {.scenario = "belt",
                             .vary = &cases[i].vary,
                             .n_vary = cases[i].vary != NULL,
                             .random = &cases[i].random,
                             .n_random = cases[i].random != NULL,
                             .measures = &cases[i].measure,
                             .n_measures = 1};
        const char *why = refusal(&def);
        if (!strstr(why, cases[i].says))
            fail_msg("case %d: '%s' does not say '%s'", i, why, cases[i].says);
    }
    const char *two[] = {"belt.velocity=1:2:1000000", "block.mass=1:2:1000000"},
               *measures[] = {"period"};
    bri_sweep_def large = {
        .scenario = "belt", .vary = two, .n_vary = 2, .measures = measures, .n_measures = 1};
    assert_non_null(strstr(refusal(&large), "1e+12 points"));
}

static int fails(void *context, const double *x, double *y, char *text, size_t size) {
    (void)context;
    y[0] = 1.0;
    if (x[0] > 0.5) snprintf(text, size, "too large, by \"%g\"", x[0] - 0.5);
    return x[0] > 0.5;
}

static void a_function_may_fail(void **state) {
    const char *vary[] = {"u=0:1:3"}, *measures[] = {"y"};
    const char *file = file_of("function.csv", NULL);
    (void)state;
    bri_sweep_def def = {
        .function = fails, .vary = vary, .n_vary = 1, .measures = measures, .n_measures = 1};
    assert_string_equal(result(&def, file), "point,u,y,status,reason\n0,0,1,ok,\n1,0.5,1,ok,\n"
                                            "2,1,,failed,\"too large, by \"\"0.5\"\"\"\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_viscous_decay_is_exponential),
        cmocka_unit_test(an_oscillator_has_its_period),
        cmocka_unit_test(a_block_stops_where_it_should),
        cmocka_unit_test(scatter_of_friction_scatters_the_way),
        cmocka_unit_test(a_course_and_its_difference),
        cmocka_unit_test(ends_are_those_of_all_rows),
        cmocka_unit_test(what_passes_zero_is_compared_by_its_range),
        cmocka_unit_test(it_breaks_away_at_its_static_level),
        cmocka_unit_test(members_draw_values_of_their_own),
        cmocka_unit_test(a_contour_is_where_it_should_be),
        cmocka_unit_test(nothing_slides_where_it_is_unstable),
        cmocka_unit_test(distributions_have_their_moments),
        cmocka_unit_test(normals_are_correlated),
        cmocka_unit_test(contours_are_as_many_lines_as_there_are),
        cmocka_unit_test(sobol_indices_are_those_of_ishigami),
        cmocka_unit_test(morris_finds_slopes),
        cmocka_unit_test(threads_do_not_change_a_byte),
        cmocka_unit_test(a_point_is_that_of_a_run_of_its_own),
        cmocka_unit_test(what_is_read_is_read_for_the_point),
        cmocka_unit_test(an_interrupted_sweep_goes_on),
        cmocka_unit_test(parts_are_all_of_it),
        cmocka_unit_test(points_may_be_computed_elsewhere),
        cmocka_unit_test(parts_are_merged_to_the_same_bytes),
        cmocka_unit_test(a_point_that_fails_is_a_row),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(a_function_may_fail),
    };
    if (!mkdtemp(folder)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? failed : 1;
}
