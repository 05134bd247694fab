/* test_traces.c - runs kept in memory, what is measured on them, and jobs side by side. */
#include "bristle_study.h"
#include "sims.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* ---- traces -------------------------------------------------------------------------------- */

static void a_trace_holds_the_run(void **state) {
    (void)state;
    setup s;
    bri_trace t;
    oscillator(&s);
    s.def.rtol = 1e-9;
    assert_int_equal(bri_trace_run(&t, &s.def, 0.01, NULL), BRI_OK);
    const double *time = bri_trace_column(&t, 0), *x = bri_trace_find(&t, "mass.x");
    assert_int_equal(t.n_rows, 201);
    assert_non_null(x);
    assert_null(bri_trace_find(&t, "mass.y"));
    assert_null(bri_trace_column(&t, t.n_columns));
    for (long i = 0; i < t.n_rows; i++) near(x[i] - oscillator_x(time[i]), 0.0, 1e-7, "x");
    near(time[200], 2.0, 0.0, "end");
    assert_true(t.seconds > 0.0 && t.stats.steps > 0);
    bri_trace_free(&t);
    double seconds = bri_time_run(&s.def);
    assert_true(seconds > 0.0 && seconds < 1.0);
}

/* Break-away at 23.544 s and 36.81327 s, re-stick at 28.96527 s and 42.23453 s (closed form). */
static void a_trace_holds_the_events(void **state) {
    (void)state;
    static const double when[] = {23.544, 28.96527, 36.81327, 42.23453};
    setup s;
    bri_trace t;
    rabinowicz(&s, "coulomb", "event_driven", 1e-8);
    assert_int_equal(bri_trace_run(&t, &s.def, 0.01, NULL), BRI_OK);
    assert_int_equal(t.n_events, 4);
    for (int i = 0; i < 4; i++) near(t.events[i].t, when[i], 2e-7, "event");
    bri_trace_free(&t);
}

static void what_was_computed_stays(void **state) {
    (void)state;
    setup s;
    bri_trace t;
    rabinowicz(&s, "lugre", "rosenbrock", 1e-8);
    s.def.max_steps = 50;
    assert_int_not_equal(bri_trace_run(&t, &s.def, 0.01, NULL), BRI_OK);
    assert_int_not_equal(t.err.status, BRI_OK);
    assert_true(t.err.text[0] && t.n_rows > 10 && t.n_rows < 5001);
    bri_trace_free(&t);
    assert_true(isnan(bri_time_run(&s.def)));
}

static int at_once(void *context) { return ++*(int *)context > 3; }

static void a_trace_can_be_stopped(void **state) {
    (void)state;
    int asked = 0;
    setup s;
    bri_trace t;
    oscillator(&s);
    const bri_watch w = {.context = &asked, .stop = at_once};
    assert_int_not_equal(bri_trace_run(&t, &s.def, 0.01, &w), BRI_OK);
    assert_int_equal(t.n_rows, 3);
    bri_trace_free(&t);
}

/* ---- measures ------------------------------------------------------------------------------ */

static void differences_by_hand(void **state) {
    (void)state;
    const double x[] = {0.0, 1.0, 2.0, 4.0}, ref[] = {0.0, 1.1, 2.0, 3.0};
    bri_difference d = bri_measure_difference(x, ref, 4);
    near(d.xi, 25.0, 1e-12, "xi");
    near(d.Gamma, 100.0 * (0.1 + 0.0 + 0.25) / 3.0, 1e-12, "Gamma");
    near(d.rmse, sqrt((0.01 + 1.0) / 4.0), 1e-12, "rmse");
    near(d.most, 1.0, 1e-12, "most");
    near(d.end, 1.0, 1e-12, "end");
}

/* y = 3 + 0.5 sin(2 pi t / 0.7) + 0.1 t with ripple of 1 % that must not count: peaks 0.07 apart
 * in height. */
static void cycles_of_a_drifting_sine(void **state) {
    (void)state;
    enum { N = 10001 };
    static double t[N], y[N];
    for (int i = 0; i < N; i++) {
        t[i] = i * 1e-3;
        y[i] = 3.0 + 0.5 * sin(2.0 * pi * t[i] / 0.7) + 0.01 * sin(2.0 * pi * t[i] / 0.01) +
               0.1 * t[i];
    }
    bri_cycles c = bri_measure_cycles(t, y, N, 2.0);
    assert_int_equal(c.count, 10); /* peaks at 2.275 ... 9.275 s */
    near(c.period, 0.7, 1e-3, "period");
    near(c.drift, 0.07, 1e-2, "drift");
    near(c.high - c.low, 1.0 + 0.035 + 0.02, 1e-2, "swing"); /* a valley is half a period earlier */
}

static void no_cycles_are_not_invented(void **state) {
    (void)state;
    const double t[] = {0, 1, 2, 3}, flat[] = {1, 1, 1, 1}, ramp[] = {0, 1, 2, 3},
                 one[] = {0, 1, 0, 0};
    assert_int_equal(bri_measure_cycles(t, flat, 4, 0.0).count, 0);
    assert_int_equal(bri_measure_cycles(t, ramp, 4, 0.0).count, 0);
    assert_int_equal(bri_measure_cycles(t, one, 4, 0.0).count, 0);
    assert_int_equal(bri_measure_cycles(t, one, 4, 9.0).count, 0);
    assert_true(isnan(bri_measure_cycles(t, one, 4, 9.0).period));
}

static void values_and_means(void **state) {
    (void)state;
    const double t[] = {0, 1, 3}, y[] = {0, 2, 6}; /* y = 2 t */
    near(bri_value_at(t, y, 3, 2.0), 4.0, 1e-15, "between");
    near(bri_value_at(t, y, 3, 3.0), 6.0, 1e-15, "end");
    assert_true(isnan(bri_value_at(t, y, 3, 3.1)));
    assert_true(isnan(bri_value_at(t, y, 0, 0.0)));
    near(bri_mean_over(t, y, 3, 0.5, 2.5), 3.0, 1e-15, "mean");
    near(bri_mean_over(t, y, 3, 1.2, 1.4), 2.6, 1e-15, "mean within one interval");
    assert_true(isnan(bri_mean_over(t, y, 3, 2.0, 4.0)));
}

/* ---- jobs ---------------------------------------------------------------------------------- */

enum { JOBS = 1000 };

typedef struct tally {
    int done[JOBS];
    double share;
    int calls, stop_after;
} tally;

static void count_one(void *context, int i) { ((tally *)context)->done[i]++; }

static void count_share(void *context, double share) {
    tally *c = context;
    assert_true(share > c->share);
    c->share = share;
    c->calls++;
}

static int stop_after(void *context) {
    const tally *c = context;
    return c->stop_after && c->calls >= c->stop_after;
}

static void every_job_is_done_once(void **state) {
    (void)state;
    for (int threads = 0; threads < 9; threads++) {
        tally c = {0};
        const bri_watch w = {.context = &c, .progress = count_share};
        bri_parallel(JOBS, threads, count_one, &c, &w);
        for (int i = 0; i < JOBS; i++) assert_int_equal(c.done[i], 1);
        near(c.share, 1.0, 0.0, "share");
    }
    bri_parallel(0, 0, count_one, NULL, NULL);
}

static void jobs_can_be_stopped(void **state) {
    (void)state;
    tally c = {.stop_after = 10};
    const bri_watch w = {.context = &c, .progress = count_share, .stop = stop_after};
    bri_parallel(JOBS, 4, count_one, &c, &w);
    int done = 0;
    for (int i = 0; i < JOBS; i++) done += c.done[i];
    assert_true(done >= 10 && done <= 14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_holds_the_run),      cmocka_unit_test(a_trace_holds_the_events),
        cmocka_unit_test(what_was_computed_stays),    cmocka_unit_test(a_trace_can_be_stopped),
        cmocka_unit_test(differences_by_hand),        cmocka_unit_test(cycles_of_a_drifting_sine),
        cmocka_unit_test(no_cycles_are_not_invented), cmocka_unit_test(values_and_means),
        cmocka_unit_test(every_job_is_done_once),     cmocka_unit_test(jobs_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
