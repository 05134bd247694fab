/* test_study.c - steady curves and loops against closed forms and printed values. */
#include "bristle_tools.h"
#include "test.h"

static const double pi = 3.14159265358979323846;

static bri_setup setup_of(const char *name, ...) {
    bri_setup s;
    bri_error err;
    bri_setup_init(&s, bri_model_find(name));
    va_list rest;
    va_start(rest, name);
    for (const char *key; (key = va_arg(rest, const char *)) != NULL;)
        if (bri_setup_set(&s, key, va_arg(rest, const char *), &err)) fail_msg("%s", err.text);
    va_end(rest);
    if (bri_setup_finish(&s, 0.0, &err)) fail_msg("%s", err.text);
    return s;
}

/* ---- steady curves -------------------------------------------------------------------------- */

/* F = Fc + (Fs - Fc) exp(-(|v|/v_s)^gamma) + kv |v|, Andersson (10), of the laws that keep it. */
static void steady_sliding_follows_the_stribeck_curve(void **state) {
    const bri_setup laws[] = {
        setup_of("stribeck", "Fc", "1", "Fs", "1.5", "v_s", "0.01", "gamma", "2", "kv", "0.4",
                 NULL),
        setup_of("lugre", "Fc", "1", "Fs", "1.5", "v_s", "0.01", "gamma", "2", "sigma2", "0.4",
                 NULL),
        setup_of("elasto_plastic", "Fc", "1", "Fs", "1.5", "v_s", "0.01", "gamma", "2", "sigma2",
                 "0.4", NULL),
        setup_of("stribeck_dankowicz", "Fc", "1", "Fs", "1.5", "v_s", "0.01", "gamma", "2", "kv",
                 "0.4", NULL),
    };
    for (int i = 0; i < 4; i++) {
        const char *name = laws[i].model->name;
        /* the curve of Andersson's section 2.4, computed independently */
        near(bri_steady_force(&laws[i], 0.001), 1.495425, 4e-7, name);
        near(bri_steady_force(&laws[i], 0.01), 1.187940, 4e-7, name);
        near(bri_steady_force(&laws[i], 0.1), 1.04, 1e-12, name);
        near(bri_steady_force(&laws[i], -0.01), -1.187940, 4e-7, name);
    }
}

/* Static curve of Olsson & Astrom 1993 with their parameters. */
static void olsson_and_astrom_have_their_static_curve(void **state) {
    bri_setup s = setup_of("olsson_astrom", NULL);
    near(bri_steady_force(&s, 0.01), 1.470070, 4e-7, "F(0.01)");
    near(bri_steady_force(&s, 0.04), 1.199111, 4e-7, "F(0.04)");
    near(bri_steady_force(&s, 0.1), 1.060849, 4e-7, "F(0.1)");
}

/* Rill (3), (4): in steady sliding the bristle stands still and mu(v) N is left, for the massless
 * and the second-order bristle alike. */
static void bristles_of_rill_slide_on_the_characteristic(void **state) {
    static const char *const names[] = {"bristle_implicit", "bristle_second_order"};
    for (int i = 0; i < 2; i++) {
        bri_setup s = setup_of(names[i], NULL);
        for (double v = 1e-4; v < 1.0; v *= 3.0)
            near(bri_steady_force(&s, v), 9.81 * (0.3 + 0.3 * exp(-v / 0.01)), 1e-9, names[i]);
    }
}

/* The stiffness is chosen so that the mean over long sliding is mu_c N; 20 bristles, 550 samples.
 */
static void random_bristles_slide_at_the_level_in_the_mean(void **state) {
    bri_setup s = setup_of("haessig_friedland", NULL);
    near(bri_steady_force(&s, 0.1), 98.1, 0.02, "mean of random bristles");
    near(bri_steady_force(&s, 0.001), bri_steady_force(&s, 0.1), 1e-9, "at any speed");
}

static void a_random_force_has_no_mean(void **state) {
    bri_stochastic w;
    assert_int_equal(bri_stochastic_init(&w, bri_model_find("lugre")), BRI_OK);
    bri_setup s;
    bri_setup_init(&s, &w.model);
    assert_int_equal(bri_setup_set(&s, "A", "10", NULL), BRI_OK);
    assert_int_equal(bri_setup_finish(&s, 0.0, NULL), BRI_OK);
    bri_setup smooth = setup_of("lugre", NULL);
    /* 10 N of noise leave less than 0.4 N in the mean */
    near(bri_steady_force(&s, 0.05) - bri_steady_force(&smooth, 0.05), 0.0, 0.4, "mean noise");
}

static void laws_with_exact_stick_carry_nothing_at_rest(void **state) {
    static const char *const names[] = {"coulomb", "benson", "stribeck", "karnopp", "lugre"};
    for (int i = 0; i < 5; i++) {
        bri_setup s = setup_of(names[i], NULL);
        assert_true(bri_steady_force(&s, 0.0) == 0.0);
    }
}

/* ---- loops ---------------------------------------------------------------------------------- */

enum { SAMPLES = 200 };
static bri_sample samples[SAMPLES + 1];

static bri_loop swing(const bri_setup *s, double amplitude, double frequency) {
    bri_motion m = {.speed = 2.0 * pi * frequency * amplitude,
                    .frequency = frequency,
                    .samples = SAMPLES,
                    .settle = 30};
    return bri_run_loop(s, &m, samples);
}

/* Dahl with exponent 1, d = Fc/sigma0: the loop of amplitude A reaches Fc tanh(A/d) and costs
 * 4 Fc d (A/d - tanh(A/d)). */
static void dahl_loops_have_their_closed_form(void **state) {
    bri_setup s = setup_of("dahl", "Fc", "2", "sigma0", "2000", NULL);
    for (double A = 2e-4; A < 0.02; A *= 2.5) {
        double d = 2.0 / 2000.0, r = A / d;
        bri_loop loop = swing(&s, A, 3.0);
        near(loop.F_max, 2.0 * tanh(r), 1e-6, "largest force");
        near(loop.F_min, -2.0 * tanh(r), 1e-6, "smallest force");
        near(loop.energy, 8.0 * d * (r - tanh(r)), 2e-5, "loss per cycle");
    }
}

/* The Dankowicz form of the same law: d = delta. */
static void dankowicz_loops_are_those_of_dahl(void **state) {
    bri_setup s = setup_of("dankowicz", "Fc", "2", "delta", "1e-3", NULL);
    bri_loop loop = swing(&s, 1.5e-3, 0.2);
    near(loop.F_max, 2.0 * tanh(1.5), 1e-6, "largest force");
    near(loop.energy, 8e-3 * (1.5 - tanh(1.5)), 2e-5, "loss per cycle");
}

/* Coulomb loses 4 Fc A per cycle; kv v loses pi kv w A^2. Neither lags. */
static void static_laws_lose_what_they_must_and_do_not_lag(void **state) {
    bri_setup s = setup_of("coulomb", NULL);
    bri_loop loop = swing(&s, 0.01, 1.0);
    near(loop.energy, 4.0 * 98.1 * 0.01, 1e-5, "Coulomb");
    near(loop.lag, 0.0, 1e-12, "Coulomb lag");
    s = setup_of("viscous", "kv", "3", NULL);
    loop = swing(&s, 0.01, 2.0);
    near(loop.energy, pi * 3.0 * (4.0 * pi) * 1e-4, 1e-9, "viscous");
    near(loop.lag, 0.0, 1e-12, "viscous lag");
}

/* Olsson & Astrom 1993 section 4: v = 0.06 + 0.04 sin(w t); the hysteresis grows with w, friction
 * is larger while the speed rises. Areas computed independently. */
static void olsson_and_astrom_show_frictional_lag(void **state) {
    bri_setup s = setup_of("olsson_astrom", NULL);
    bri_motion m = {.mean = 0.06,
                    .speed = 0.04,
                    .frequency = 4.0 / (2.0 * pi),
                    .samples = SAMPLES,
                    .settle = 3};
    near(bri_run_loop(&s, &m, samples).lag, 9.01517e-4, 1e-5, "w = 4");
    m.frequency = 20.0 / (2.0 * pi);
    near(bri_run_loop(&s, &m, samples).lag, 4.33298e-3, 1e-5, "w = 20");
}

/* v = 0.1 sin(25 t): 0.01769 J per cycle. */
static void olsson_and_astrom_lose_energy_in_reversals(void **state) {
    bri_setup s = setup_of("olsson_astrom", NULL);
    bri_motion m = {.speed = 0.1, .frequency = 25.0 / (2.0 * pi), .samples = SAMPLES, .settle = 3};
    near(bri_run_loop(&s, &m, samples).energy, 0.01769, 3e-4, "energy per cycle");
}

static void the_samples_are_the_motion_and_close_the_loop(void **state) {
    bri_setup s = setup_of("lugre", NULL);
    bri_motion m = {.mean = 0.02, .speed = 0.01, .frequency = 2.0, .samples = SAMPLES, .settle = 2};
    bri_run_loop(&s, &m, samples);
    for (int i = 0; i <= SAMPLES; i++) {
        double t = (2.0 + (double)i / SAMPLES) / 2.0;
        near(samples[i].t, t, 1e-14, "t");
        near(samples[i].v, 0.02 + 0.01 * cos(4.0 * pi * t), 1e-12, "v");
        near(samples[i].x, 0.02 * t + 0.01 / (4.0 * pi) * sin(4.0 * pi * t), 1e-12, "x");
    }
    near(samples[SAMPLES].F, samples[0].F, 1e-6, "the loop is closed");
}

/* Every law, every loop: finite and, away from rest, dissipative. */
static void every_law_has_a_loop_that_costs_energy(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        bri_setup s = setup_of(bri_model_at(i)->name, NULL);
        bri_loop loop = swing(&s, 0.02, 1.0);
        hold(s.model, isfinite(loop.energy) && isfinite(loop.lag), "not finite");
        hold(s.model, loop.energy > 0.0, "%g J per cycle", loop.energy);
        hold(s.model, loop.F_min < 0.0 && loop.F_max > 0.0, "force of one sign only");
    }
}

/* ---- pictures ------------------------------------------------------------------------------- */

static long size_of(const char *file) {
    FILE *in = fopen(file, "rb");
    if (!in) return -1;
    fseek(in, 0, SEEK_END);
    long size = ftell(in);
    fclose(in);
    return size;
}

/* Labels are text, whatever gnuplot or a shell would make of them; NaN is a gap, no data no crash.
 */
static void any_label_and_any_number_can_be_drawn(void **state) {
    static const char strange[] = "it's `touch oops` $(touch oops) \"q\" @x \n %s {/Bold y} _z^2";
    static const char file[] = "test_study.svg";
    double x[] = {0.0, 1.0, 2.0, 3.0}, y[] = {1.0, NAN, INFINITY, 1e-9};
    bri_series series[] = {{.label = strange, .x = x, .y = y, .count = 4},
                           {.label = "points", .x = x, .y = x, .count = 4, .markers = 1},
                           {.label = NULL, .x = x, .y = y, .count = 0}};
    bri_panel panels[] = {{.title = strange,
                           .x_name = strange,
                           .x_unit = "m",
                           .y_name = strange,
                           .y_unit = "N",
                           .series = series,
                           .n_series = 3},
                          {.x_name = "nothing"}};
    bri_plot plot = {.title = strange, .panels = panels, .n_panels = 2};
    bri_error err = {0};
    remove(file);
    bri_status status = bri_plot_write(&plot, file, &err);
    if (status == BRI_MISSING) {
        assert_string_equal(err.text, "gnuplot is needed to draw (Debian package gnuplot-nox)");
        skip();
    }
    if (status) fail_msg("%s", err.text);
    assert_true(size_of(file) > 3000);
    assert_int_equal(size_of("oops"), -1);
    remove(file);
}

static void a_picture_of_another_kind_is_refused(void **state) {
    bri_plot plot = {.n_panels = 0};
    bri_error err = {0};
    assert_int_equal(bri_plot_write(&plot, "a.jpeg", &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "'a.jpeg': the name of a picture ends in .svg, .png or .pdf");
    assert_int_equal(size_of("a.jpeg"), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_sliding_follows_the_stribeck_curve),
        cmocka_unit_test(olsson_and_astrom_have_their_static_curve),
        cmocka_unit_test(bristles_of_rill_slide_on_the_characteristic),
        cmocka_unit_test(random_bristles_slide_at_the_level_in_the_mean),
        cmocka_unit_test(a_random_force_has_no_mean),
        cmocka_unit_test(laws_with_exact_stick_carry_nothing_at_rest),
        cmocka_unit_test(dahl_loops_have_their_closed_form),
        cmocka_unit_test(dankowicz_loops_are_those_of_dahl),
        cmocka_unit_test(static_laws_lose_what_they_must_and_do_not_lag),
        cmocka_unit_test(olsson_and_astrom_show_frictional_lag),
        cmocka_unit_test(olsson_and_astrom_lose_energy_in_reversals),
        cmocka_unit_test(the_samples_are_the_motion_and_close_the_loop),
        cmocka_unit_test(every_law_has_a_loop_that_costs_energy),
        cmocka_unit_test(any_label_and_any_number_can_be_drawn),
        cmocka_unit_test(a_picture_of_another_kind_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
