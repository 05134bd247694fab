/* test_stochastic.c - what is true of the two laws with chance in them: the random force on top of
 * another law, and Haessig and Friedland's bristles. */
#include "rig.h"

/* ---- the random force ---------------------------------------------------------------------- */

/* A noisy law: the wrapper has to stay where it is. */
static law noisy(bri_stochastic *w, const char *inner) {
    assert_int_equal(bri_stochastic_init(w, bri_model_find(inner)), BRI_OK);
    law l = {.m = &w->model, .n = w->model.load};
    bri_model_defaults(l.m, l.p);
    assert_int_equal(bri_model_check(l.m, l.p, NULL), BRI_OK);
    return l;
}

/* The noise on smooth Coulomb friction that slides at v, sampled every h. */
static void sample(const law *l, double v, double h, double *out, int count) {
    double z[BRI_MAX_STATES];
    bri_model_rest(l->m, l->p, z);
    for (int i = 0; i < count; i++) out[i] = advance(l, v, h, z) - copysign(98.1, v);
}

/* Share of the energy of a signal between two frequencies: periodogram under a Hann window. */
static double share(const double *x, int count, double h, double low, double high) {
    double inside = 0.0, total = 0.0;
    for (int k = 1; k < count / 2; k++) {
        double turn = 2.0 * PI * k / count, f = k / (count * h), re = 0.0, im = 0.0;
        double c = cos(turn), s = sin(turn), a = 1.0, b = 0.0; /* a + i b = e^(i turn j) */
        for (int j = 0; j < count; j++) {
            double w = x[j] * (1.0 - cos(2.0 * PI * j / count)), next = a * c - b * s;
            re += w * a;
            im += w * b;
            b = a * s + b * c;
            a = next;
        }
        total += re * re + im * im;
        if (f >= low && f <= high) inside += re * re + im * im;
    }
    return inside / total;
}

/* Andersson (21): P(A, f) has the standard deviation A and the mean zero. */
static void noise_has_the_standard_deviation_it_is_given(void **state) {
    static const double A[] = {0.5, 2.0};
    bri_stochastic w;
    law l = noisy(&w, "coulomb_tanh");
    for (int i = 0; i < 2; i++) {
        set(&l, "A", A[i]);
        double z[2] = {0.0}, sum = 0.0, squares = 0.0;
        const int count = 100000; /* 2 % of a period of 50 Hz and more: 5,000 s */
        for (int k = 0; k < count; k++) {
            double P = advance(&l, 2.0, 0.05017, z) - 98.1;
            sum += P;
            squares += P * P;
        }
        near(sum / count, 0.0, 0.01 * A[i], "the mean is the smooth force");
        near(sqrt(squares / count), A[i], 0.01, "over time");

        sum = squares = 0.0; /* and over the seeds, at the start; 1.4 % is one standard error */
        for (int seed = 0; seed < 5000; seed++) {
            double dz[2], at[1] = {0.0};
            set(&l, "noise_seed", seed);
            double P = force(&l, 2.0, at, dz) - 98.1;
            sum += P;
            squares += P * P;
        }
        near(sum / 5000.0, 0.0, 0.06 * A[i], "mean over seeds");
        near(sqrt(squares / 5000.0), A[i], 0.05, "over seeds");
        set(&l, "noise_seed", 1.0);
    }
}

static void noise_stays_in_its_band_about_f(void **state) {
    enum { COUNT = 2000 };
    static const struct { double f, band; } sets[] = {{50.0, 0.5}, {50.0, 0.1}, {120.0, 0.3}};
    double x[COUNT], h = 1e-3;
    bri_stochastic w;
    law l = noisy(&w, "coulomb_tanh");
    for (int i = 0; i < 3; i++) {
        double f = sets[i].f, b = sets[i].band, edge = 2.0 / (COUNT * h);
        set(&l, "f", f);
        set(&l, "band", b);
        sample(&l, 2.0, h, x, COUNT);
        assert_true(share(x, COUNT, h, f * (1.0 - b) - edge, f * (1.0 + b) + edge) > 0.99);
        /* it fills the band: each half of it has a good part */
        double lower = share(x, COUNT, h, f * (1.0 - b) - edge, f);
        assert_true(lower > 0.2 && lower < 0.8);
    }
}

/* dtheta/dt = 2 pi |v|/lambda: the noise belongs to the path, its frequency follows the speed. */
static void noise_frequency_follows_the_speed_where_a_wavelength_is_given(void **state) {
    enum { COUNT = 2000 };
    double x[COUNT], y[COUNT];
    bri_stochastic w;
    law l = noisy(&w, "coulomb_tanh");
    set(&l, "lambda", 0.02);
    set(&l, "band", 0.2);
    sample(&l, 1.0, 1e-3, x, COUNT); /* 50 Hz */
    assert_true(share(x, COUNT, 1e-3, 39.0, 61.0) > 0.99);
    sample(&l, 4.0, 1e-3, x, COUNT); /* 200 Hz */
    assert_true(share(x, COUNT, 1e-3, 159.0, 241.0) > 0.99);
    sample(&l, 2.0, 2e-3, y, COUNT);
    for (int i = 0; i < COUNT; i++) near(x[i] - y[i], 0.0, 1e-9, "same path, same noise");
    sample(&l, -4.0, 1e-3, y, COUNT); /* backward: |F| = |F_smooth| + P */
    for (int i = 0; i < COUNT; i++) near(x[i] + y[i], 0.0, 1e-9, "the same backward");

    double z[1] = {1.0}, dz[1];
    force(&l, -3.0, z, dz);
    near(dz[0], 2.0 * PI * 3.0 / 0.02, 1e-15, "rate of the phase");
    set(&l, "lambda", 0.0);
    force(&l, -3.0, z, dz);
    near(dz[0], 2.0 * PI * 50.0, 1e-15, "rate of the phase in time");
}

/* A contact without friction force has no noise, unless the sum is taken literally; a set-valued
 * law that sticks holds the load exactly in either case. */
static void noise_leaves_a_contact_at_rest_alone(void **state) {
    bri_stochastic w, v;
    law l = noisy(&w, "lugre"), c = noisy(&v, "coulomb");
    int shaken = 0;
    for (int k = 0; k < 200; k++) {
        double z[2] = {0.37 * k, 0.0}, dz[2];
        bri_input held = {.n = c.n, .fa = 40.0}, stuck = {.v = 1e-9, .n = c.n, .fa = -40.0};
        stuck.mode = BRI_STUCK;
        for (int literal = 0; literal < 2; literal++) {
            set(&l, "literal", literal);
            set(&c, "literal", literal);
            double F = force(&l, 0.0, z, dz);
            if (literal)
                shaken += fabs(F) > 0.2;
            else
                assert_true(F == 0.0);
            assert_true(bri_model_eval(c.m, c.p, &held, z, dz) == 40.0);
            assert_true(bri_model_eval(c.m, c.p, &stuck, z, dz) == -40.0);
        }
    }
    assert_true(shaken > 150); /* A is 1.962 N */
    double z[2] = {5.0, 1e-3}, dz[2];
    l.n = 0.0;
    assert_true(force(&l, 1.0, z, dz) == 0.0); /* nor in the air */
}

/* The literal sum adds P whatever the smooth force; the default adds it with the sign of that
 * force. */
static void literal_noise_is_added_and_default_noise_follows_the_sign(void **state) {
    bri_stochastic w;
    law l = noisy(&w, "coulomb_tanh");
    for (int k = 0; k < 100; k++) {
        double z[1] = {0.91 * k}, dz[1];
        set(&l, "literal", 1.0);
        double P = force(&l, 0.0, z, dz);
        near(force(&l, -3.0, z, dz), -98.1 + P, 1e-13, "literal");
        set(&l, "literal", 0.0);
        near(force(&l, 3.0, z, dz), 98.1 + P, 1e-13, "forward");
        near(force(&l, -3.0, z, dz), -98.1 - P, 1e-13, "backward");
    }
}

static void wrapped_law_keeps_its_own_states_and_parameters(void **state) {
    bri_stochastic w;
    law l = noisy(&w, "gonthier"), plain = law_of("gonthier");
    double z[3], y[2];
    assert_string_equal(l.m->name, "stochastic:gonthier");
    assert_int_equal(bri_model_states(l.m, l.p), 3);
    set(&l, "A", 0.0);
    bri_model_rest(l.m, l.p, z);
    bri_model_rest(plain.m, plain.p, y);
    for (int k = 0; k < 100; k++) {
        double v = halton(k, 2) - 0.5, h = 0.01 * halton(k, 3);
        assert_true(advance(&l, v, h, z) == advance(&plain, v, h, y));
        assert_true(z[1] == y[0] && z[2] == y[1]);
    }
    set(&l, "mu_s", 0.1);
    bri_error err;
    assert_int_equal(bri_model_check(l.m, l.p, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "stochastic:gonthier: mu_s must be >= mu_c");
}

/* ---- Haessig and Friedland ----------------------------------------------------------------- */

/* The mean force over a long path is mu_c N for any number and spread of bonds. */
static void random_bristles_slide_with_the_mean_of_the_sliding_level(void **state) {
    static const struct { double n, width; } sets[] = {{20, 0.5}, {30, 0.999}, {7, 0.25}, {1, 0.8}};
    for (int i = 0; i < 4; i++) {
        law l = law_of("haessig_friedland");
        set(&l, "n", sets[i].n);
        set(&l, "width", sets[i].width);
        double z[BRI_MAX_STATES], sum = 0.0, delta = l.p[bri_model_param(l.m, "delta")];
        const int count = (int)(600000.0 / sets[i].n);
        bri_model_rest(l.m, l.p, z);
        advance(&l, 1.0, 100.0 * delta, z);
        for (int k = 0; k < count; k++) sum += advance(&l, -1.0, 0.0713 * delta, z);
        /* about 43,000 bonds: one standard error is below 0.4 % */
        near(sum / count, -98.1, 0.012, "mean");
    }
}

/* The same by rates, roots and jumps: from snap to snap the force is linear in the path. */
static void random_bristles_slide_with_the_same_mean_by_events(void **state) {
    law l = law_of("haessig_friedland");
    double z[BRI_MAX_STATES], dz[BRI_MAX_STATES], work = 0.0, path = 0.0, g;
    bri_input u = {.v = 0.5, .n = l.n};
    bri_model_rest(l.m, l.p, z);
    int k = bri_model_states(l.m, l.p);
    for (int snap = 0; snap < 40000; snap++) {
        double F = bri_model_eval(l.m, l.p, &u, z, dz), h = 1e9;
        for (int i = 1; i < k; i++) h = fmin(h, (2.18e-3 - z[i]) / dz[i]);
        for (int i = 0; i < k; i++) z[i] += h * dz[i];
        l.m->roots(l.m, l.p, &u, z, &g);
        near(g, 0.0, 1e-15, "the root is at the snap");
        if (snap > 200) {
            work += 0.5 * h * u.v * (F + bri_model_eval(l.m, l.p, &u, z, dz));
            path += h * u.v;
        }
        double count = z[0];
        assert_int_equal(l.m->jump(l.m, l.p, &u, z), BRI_AUTO);
        assert_true(z[0] >= count + 1.0);
        l.m->roots(l.m, l.p, &u, z, &g);
        assert_true(g > 0.0);
    }
    near(work / path, 98.1, 0.012, "mean");
}

/* Without spread every bond starts at the middle: a saw tooth from 0 to 2 Fc, exactly. */
static void random_bristles_without_spread_are_a_saw_tooth(void **state) {
    law l = law_of("haessig_friedland");
    double z[BRI_MAX_STATES];
    set(&l, "width", 0.0);
    bri_model_rest(l.m, l.p, z);
    near(advance(&l, 1.0, 0.75 * 2.18e-3, z), 1.5 * 98.1, 1e-13, "stretched by 3/4 delta");
    near(advance(&l, 1.0, 0.5 * 2.18e-3, z), 0.5 * 98.1, 1e-12, "snapped, then 1/4 delta");
    near(z[0], 20.0, 0.0, "all bonds have snapped once");
    near(advance(&l, 1.0, 1000.5 * 2.18e-3, z), 1.5 * 98.1, 1e-10, "a thousand times, then 3/4");
}

/* Below delta the bonds are springs; the defaults give Pennestri's stiffness. */
static void random_bristles_stick_as_a_spring(void **state) {
    law l = law_of("haessig_friedland");
    double z[BRI_MAX_STATES];
    bri_model_rest(l.m, l.p, z);
    near(advance(&l, 0.0, 1.0, z), 0.0, 1e-12, "no force at rest");
    for (int i = 1; i <= 20; i++) { /* bonds in places of their own, within the spread */
        assert_true(fabs(z[i]) <= 0.5 * 2.18e-3);
        for (int j = 1; j < i; j++) assert_true(z[i] != z[j]);
    }
    near(advance(&l, -1e-3, 1e-3, z) / -1e-6, 98100.0, 2e-3, "stiffness");
    near(advance(&l, 1e-3, 1e-3, z), 0.0, 1e-10, "back again: no loss");
    near(z[0], 0.0, 0.0, "nothing has snapped");
}

/* Same seed, same bytes; another seed, another run; n bristles and no more are touched. */
static void random_bristles_repeat_to_the_byte_for_a_seed(void **state) {
    enum { COUNT = 500 };
    static double run[3][COUNT];
    for (int r = 0; r < 3; r++) {
        law l = law_of("haessig_friedland");
        double z[BRI_MAX_STATES], dz[BRI_MAX_STATES];
        set(&l, "n", 9.0);
        set(&l, "seed", r == 2 ? 2.0 : 1.0);
        assert_int_equal(bri_model_states(l.m, l.p), 10);
        for (int i = 0; i < BRI_MAX_STATES; i++) z[i] = dz[i] = 4711.0;
        bri_model_rest(l.m, l.p, z);
        for (int k = 0; k < COUNT; k++) {
            run[r][k] = advance(&l, halton(k, 2) - 0.3, 3e-3, z);
            force(&l, 0.1, z, dz);
        }
        for (int i = 10; i < BRI_MAX_STATES; i++) assert_true(z[i] == 4711.0 && dz[i] == 4711.0);
    }
    assert_memory_equal(run[0], run[1], sizeof run[0]);
    int differ = 0;
    for (int k = 0; k < COUNT; k++) differ += run[0][k] != run[2][k];
    assert_true(differ > COUNT / 2); /* not before the first snap */

    law one = law_of("haessig_friedland"), two = one; /* also from the same start */
    double y[BRI_MAX_STATES], z[BRI_MAX_STATES];
    set(&two, "seed", 2.0);
    bri_model_rest(one.m, one.p, y);
    memcpy(z, y, sizeof z);
    assert_true(advance(&one, 1.0, 0.1, y) != advance(&two, 1.0, 0.1, z));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_has_the_standard_deviation_it_is_given),
        cmocka_unit_test(noise_stays_in_its_band_about_f),
        cmocka_unit_test(noise_frequency_follows_the_speed_where_a_wavelength_is_given),
        cmocka_unit_test(noise_leaves_a_contact_at_rest_alone),
        cmocka_unit_test(literal_noise_is_added_and_default_noise_follows_the_sign),
        cmocka_unit_test(wrapped_law_keeps_its_own_states_and_parameters),
        cmocka_unit_test(random_bristles_slide_with_the_mean_of_the_sliding_level),
        cmocka_unit_test(random_bristles_slide_with_the_same_mean_by_events),
        cmocka_unit_test(random_bristles_without_spread_are_a_saw_tooth),
        cmocka_unit_test(random_bristles_stick_as_a_spring),
        cmocka_unit_test(random_bristles_repeat_to_the_byte_for_a_seed),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
