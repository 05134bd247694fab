/* test_static_laws.c - what is true of each law without states: values from closed forms and from
 * the papers. */
#include "rig.h"

static double static_force(const law *l, double v) { return force(l, v, NULL, NULL); }

static double in_mode(const law *l, bri_mode mode, double v, double fa) {
    bri_input u = {.v = v, .n = l->n, .fa = fa, .mode = mode};
    return bri_model_eval(l->m, l->p, &u, NULL, NULL);
}

static double slope_at(const law *l, double v) {
    double J[3];
    bri_model_jac(l->m, l->p, &(bri_input){.v = v, .n = l->n}, NULL, J);
    return J[1];
}

/* Where sign * F is smallest between two speeds, by golden sections. */
static double extremum(const law *l, double low, double high, double sign) {
    const double ratio = 0.61803398874989484820;
    while (high - low > 1e-9 * high) {
        double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (sign * static_force(l, a) < sign * static_force(l, b))
            high = b;
        else
            low = a;
    }
    return 0.5 * (low + high);
}

/* The Stribeck family of Andersson section 2.4: Fc 1, Fs 1.5, v_s 0.01, kv 0.4, exponent 2. */
static law andersson(const char *name) {
    law l = law_of(name);
    l.n = 1.0;
    set(&l, "Fc", 1.0);
    set(&l, "Fs", 1.5);
    set(&l, "v_s", 0.01);
    set(&l, "gamma", 2.0);
    set(&l, "kv", 0.4);
    return l;
}

/* ---- set-valued laws ----------------------------------------------------------------------- */

/* Pennestri (1), section 3.1: Fd = 98.1 N, Fs = 117.72 N. */
static void coulomb_slides_at_its_level_and_balances_the_load_at_rest(void **state) {
    law l = law_of("coulomb");
    near(static_force(&l, 0.3), 98.1, 1e-15, "forward");
    near(static_force(&l, -1e-12), -98.1, 1e-15, "backward, however slowly");
    near(in_mode(&l, BRI_AUTO, 0.0, 50.0), 50.0, 0.0, "at rest under 50 N");
    near(in_mode(&l, BRI_AUTO, 0.0, -200.0), -117.72, 1e-15, "at rest under too much");
    assert_true(static_force(&l, 0.0) == 0.0);
}

/* Modes of the laws with exact stick: what a solver relies on. */
static void set_valued_laws_stick_break_away_and_slide_by_mode(void **state) {
    static const char *const names[] = {"coulomb", "benson", "stribeck", "karnopp"};
    for (int i = 0; i < 4; i++) {
        law l = law_of(names[i]);
        double g, band = i == 3 ? 0.05 : 0.0;
        bri_input u = {.n = l.n, .fa = 117.0, .mode = BRI_STUCK};
        near(in_mode(&l, BRI_STUCK, 0.02, 117.0), 117.0, 0.0, "stuck: what balances");
        near(in_mode(&l, BRI_STUCK, 0.0, 118.0), 117.72, 1e-15, "stuck: no more than Fs");
        assert_true(in_mode(&l, BRI_SLIDE_POS, -1e-9, 0.0) > 98.0);
        assert_true(in_mode(&l, BRI_SLIDE_NEG, 1e-9, 0.0) < -98.0);

        l.m->roots(l.m, l.p, &u, NULL, &g);
        near(g, 0.72, 1e-13, "root while stuck: Fs - |fa|");
        assert_int_equal(bri_model_motion(l.m, l.p, &u, NULL), 0);
        u = (bri_input){.v = -0.25, .n = l.n, .mode = BRI_SLIDE_NEG};
        l.m->roots(l.m, l.p, &u, NULL, &g);
        near(g, 0.25 - band, 1e-15, "root while sliding: speed above the band");
        assert_int_equal(bri_model_motion(l.m, l.p, &u, NULL), -1);

        u = (bri_input){.n = l.n, .fa = 100.0, .mode = BRI_SLIDE_POS};
        assert_int_equal(l.m->jump(l.m, l.p, &u, NULL), BRI_STUCK);
        u = (bri_input){.n = l.n, .fa = 118.0, .mode = BRI_STUCK};
        assert_int_equal(l.m->jump(l.m, l.p, &u, NULL), BRI_SLIDE_POS);
        u.fa = -118.0;
        assert_int_equal(l.m->jump(l.m, l.p, &u, NULL), BRI_SLIDE_NEG);
    }
}

/* A block (1 kg, 2 N/m) on a belt at 0.1 m/s sticks for 2 (Fs - Fc)/(k V) and slips for
 * (pi + 2 atan(k V/(w (Fs - Fc))))/w, w = sqrt(k/m): 7.611259 s. */
static void coulomb_on_a_belt_has_the_period_of_the_closed_form(void **state) {
    law l = law_of("coulomb");
    l.n = 1.0;
    set(&l, "Fc", 1.0);
    set(&l, "Fs", 1.5);
    const double k = 2.0, belt = 0.1, h = 1e-4;
    double w = sqrt(k), x = 0.5, t = 0.0, breaks[3] = {0};
    double stick = 2.0 * 0.5 / (k * belt), slip = (PI + 2.0 * atan(k * belt / (w * 0.5))) / w;
    double v = belt; /* of the block; it starts stuck to the belt */
    bri_input u = {.n = 1.0, .mode = BRI_STUCK};
    for (int count = 0; count < 3;) {
        double g, before;
        u.v = u.mode == BRI_STUCK ? 0.0 : v - belt;
        u.fa = -k * x;
        l.m->roots(l.m, l.p, &u, NULL, &before);
        if (u.mode == BRI_STUCK) {
            x += h * belt;
        } else { /* friction is constant: exact */
            double F = bri_model_eval(l.m, l.p, &u, NULL, NULL), rest = -F / k, y = x - rest;
            x = rest + y * cos(w * h) + v / w * sin(w * h);
            v = v * cos(w * h) - w * y * sin(w * h);
        }
        t += h;
        u.v = u.mode == BRI_STUCK ? 0.0 : v - belt;
        u.fa = -k * x;
        l.m->roots(l.m, l.p, &u, NULL, &g);
        if (g > 0.0) continue;
        bri_mode next = l.m->jump(l.m, l.p, &u, NULL);
        if (u.mode == BRI_STUCK) breaks[count++] = t - h * g / (g - before);
        u.mode = next;
        v = next == BRI_STUCK ? belt : v;
    }
    /* the end of each slip is located to half a step of 1e-4 s */
    near(stick + slip, 7.611259, 1e-7, "closed form");
    near(breaks[2] - breaks[1], stick + slip, 2e-5, "period");
}

/* Pennestri (3): at |v| = 1/c the excess over Fd has fallen to 1/e; the sign applies to all of it.
 */
static void benson_decays_to_the_sliding_level(void **state) {
    law l = law_of("benson");
    near(static_force(&l, 1.0 / 20.0), 98.1 + 19.62 * exp(-1.0), 1e-15, "at 1/c");
    near(static_force(&l, -1.0 / 20.0), -98.1 - 19.62 * exp(-1.0), 1e-15, "at -1/c");
    near(static_force(&l, 0.1), 98.1 + 19.62 * exp(-2.0), 1e-15, "at 2/c");
    near(static_force(&l, -10.0), -98.1, 1e-15, "fast");
    near(static_force(&l, 1e-15), 117.72, 1e-13, "just moving");
}

/* Andersson (10) with the values of experiments.md section 3. */
static void stribeck_has_the_values_of_anderssons_curve(void **state) {
    law l = andersson("stribeck");
    near(static_force(&l, 0.001), 1.495425, 4e-7, "F(0.001)");
    near(static_force(&l, 0.01), 1.187940, 4e-7, "F(0.01)");
    near(static_force(&l, -0.1), -1.04, 1e-15, "F(-0.1)");
    double v = extremum(&l, 0.01, 0.1, 1.0);
    near(v, 0.025404, 2e-5, "speed of the minimum");
    near(static_force(&l, v), 1.010949, 4e-7, "minimum");
    near(in_mode(&l, BRI_AUTO, 0.0, 9.0), 1.5, 1e-15, "break-away");
}

/* exp(-(|v|/v_s)^gamma) is 1/e at v_s and exp(-2^gamma) at 2 v_s, whatever the exponent. */
static void every_stribeck_exponent_meets_at_the_stribeck_velocity(void **state) {
    static const double gammas[] = {0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 20.0};
    for (int i = 0; i < 7; i++) {
        law l = andersson("stribeck");
        set(&l, "kv", 0.0);
        set(&l, "gamma", gammas[i]);
        near(static_force(&l, -0.01), -1.0 - 0.5 * exp(-1.0), 1e-15, "at v_s");
        near(static_force(&l, 0.02), 1.0 + 0.5 * exp(-pow(2.0, gammas[i])), 1e-14, "at 2 v_s");
    }
}

/* Pennestri (6), Leus (11). */
static void karnopp_holds_within_its_band(void **state) {
    law l = law_of("karnopp"); /* v_d = 0.05 m/s */
    near(in_mode(&l, BRI_AUTO, 0.05, 60.0), 60.0, 0.0, "on the edge: stuck");
    near(in_mode(&l, BRI_AUTO, -0.03, 60.0), 60.0, 0.0, "whatever the sign of v");
    near(in_mode(&l, BRI_AUTO, 0.03, -500.0), -117.72, 1e-15, "up to Fs");
    near(in_mode(&l, BRI_AUTO, 0.0501, 60.0), 98.1, 1e-15, "beyond: Fc");
    near(in_mode(&l, BRI_AUTO, -0.0501, 60.0), -98.1, 1e-15, "beyond, backward");
}

/* ---- smooth laws --------------------------------------------------------------------------- */

/* Andersson (5); Olsson section 2 for the square root. */
static void viscous_force_is_a_power_of_the_speed(void **state) {
    law l = law_of("viscous");
    set(&l, "kv", 3.0);
    near(static_force(&l, -0.25), -0.75, 0.0, "p = 1");
    set(&l, "p", 0.5);
    near(static_force(&l, -0.25), -1.5, 1e-15, "p = 1/2");
    set(&l, "p", 2.0);
    near(static_force(&l, -0.25), -0.1875, 1e-15, "p = 2");
}

/* Andersson (6)-(8); a body under a 5 mm spring of 100 N/m creeps as an overdamped oscillator with
 * damping Fc k_sat = 981 N s/m: 0.484 mm after a second (experiments.md section 3). */
static void coulomb_sat_ramps_to_its_level_and_creeps(void **state) {
    law l = law_of("coulomb_sat");
    near(static_force(&l, 0.5e-3), 0.4905, 1e-15, "half way up the ramp");
    near(static_force(&l, 1e-3), 0.981, 1e-15, "end of the ramp");
    near(static_force(&l, -5.0), -0.981, 1e-15, "sliding");

    rig r = rig_of(&l);
    r.pull = pull_spring;
    r.c[0] = 100.0;
    r.y[0] = -5e-3;
    rig_run(&r, 1.0, 1e-10);
    double fast = -490.5 - sqrt(490.5 * 490.5 - 100.0), slow = 100.0 / fast;
    double left = (slow * exp(fast) - fast * exp(slow)) / (slow - fast);
    near(5e-3 + r.y[0], 5e-3 * (1.0 - left), 1e-7, "creep after a second");
    near(5e-3 + r.y[0], 0.484e-3, 1e-3, "as computed in experiments.md");
}

/* Pennestri (4), Andersson (9), and the clipped reading. */
static void coulomb_tanh_follows_the_hyperbolic_tangent(void **state) {
    law l = law_of("coulomb_tanh"); /* v_d = 0.05 m/s */
    near(static_force(&l, 0.05), 98.1 * 0.76159415595576488, 1e-15, "tanh(1)");
    near(static_force(&l, -0.025), -98.1 * 0.46211715726000976, 1e-15, "tanh(1/2)");
    near(slope_at(&l, 0.0), 98.1 / 0.05, 1e-15, "slope at rest");
    set(&l, "clipped", 1.0);
    near(static_force(&l, 0.05), 98.1, 1e-15, "clipped: Fc at v_d");
    near(static_force(&l, -0.3), -98.1, 1e-15, "clipped: Fc beyond");
    near(static_force(&l, 0.025), 98.1 * 0.46211715726000976 / 0.76159415595576488, 1e-15,
         "clipped: half way");
}

/* Pennestri section 2.1 names exponential and trigonometric smoothings. */
static void coulomb_tanh_has_other_smoothings(void **state) {
    law l = law_of("coulomb_tanh"); /* v_d = 0.05 m/s */
    set(&l, "smoothing", 1.0);
    near(static_force(&l, 0.05), 98.1 * 0.63212055882855768, 1e-15, "exponential at v_d");
    near(static_force(&l, -0.05), -98.1 * 0.63212055882855768, 1e-15, "exponential, backward");
    near(slope_at(&l, 0.0), 98.1 / 0.05, 1e-15, "exponential: slope at rest");
    set(&l, "smoothing", 2.0);
    near(static_force(&l, 0.05 / 3.0), 98.1 * 0.5, 1e-14, "sine at v_d/3");
    near(static_force(&l, -0.3), -98.1, 1e-15, "sine: Fc beyond v_d");
    near(slope_at(&l, 0.0), 98.1 * 1.57079632679489662 / 0.05, 1e-15, "sine: slope at rest");
    assert_true(slope_at(&l, 0.06) == 0.0);
    set(&l, "clipped", 1.0);
    near(static_force(&l, 0.05 / 3.0), 98.1 * 0.5, 1e-14, "the sine is clipped already");
    set(&l, "smoothing", 1.0);
    near(static_force(&l, 0.025), 98.1 * 0.62245933120185459, 1e-14, "1/(1 + exp(-1/2))");
    near(static_force(&l, -0.2), -98.1, 1e-14, "exponential, clipped: Fc beyond v_d");
}

/* Andersson (11). */
static void stribeck_sat_is_the_stribeck_curve_beyond_its_ramp(void **state) {
    law l = andersson("stribeck_sat"), exact = andersson("stribeck"); /* k = 1000 s/m */
    for (int i = 0; i < 50; i++) {
        double v = 1e-3 + 0.2 * halton(i, 2);
        near(static_force(&l, -v), static_force(&exact, -v), 1e-15, "beyond 1/k");
    }
    near(static_force(&l, 0.5e-3), 0.5 * (1.0 + 0.5 * exp(-0.0025)) + 0.2e-3, 1e-15, "half ramp");
    assert_true(static_force(&l, 0.0) == 0.0);
}

/* Andersson (12); the peak is that of experiments.md section 3. */
static void stribeck_tanh_peaks_below_the_static_level(void **state) {
    law l = andersson("stribeck_tanh"); /* k = 1000 s/m */
    double v = extremum(&l, 1e-4, 0.01, -1.0);
    near(static_force(&l, v), 1.45278, 4e-6, "peak");
    near(static_force(&l, -0.1), -1.04, 1e-15, "far from rest");
    near(slope_at(&l, 0.0), 1500.4, 1e-13, "slope at rest: Fs k + kv");
}

/* Pennestri section 2.2, Fig. 4: Fs at v_s = 0.01, Fd from v_d = 0.05 m/s on. */
static void velocity_based_law_joins_its_pieces_smoothly(void **state) {
    static const struct {
        double rise, blend; /* share of Fs at v_s/2; share of the drop after a quarter of it */
    } shape[3] = {{0.70710678118654752, 0.14644660940672624},
                  {0.6875, 0.15625},
                  {0.6875, 0.14644660940672624}};
    for (int step = 0; step < 3; step++) {
        law l = law_of("velocity_based");
        set(&l, "step", step);
        near(static_force(&l, 0.005), 117.72 * shape[step].rise, 1e-15, "half way to the peak");
        near(static_force(&l, -0.01), -117.72, 1e-15, "peak");
        near(static_force(&l, 0.02), 117.72 - 19.62 * shape[step].blend, 1e-14, "quarter");
        near(static_force(&l, 0.03), 107.91, 1e-14, "half way down");
        near(static_force(&l, -0.05), -98.1, 1e-15, "end of the blend");
        near(static_force(&l, 7.0), 98.1, 1e-15, "sliding");
        near(static_force(&l, 0.01 * (1.0 + 1e-12)), 117.72, 1e-12, "continuous at v_s");
        near(static_force(&l, 0.05 * (1.0 - 1e-12)), 98.1, 1e-12, "continuous at v_d");
        near(slope_at(&l, 0.01), 0.0, 1e-10, "no corner at v_s");
        near(slope_at(&l, 0.05), 0.0, 1e-10, "no corner at v_d");
        near(extremum(&l, 0.001, 0.05, -1.0), 0.01, 1e-6, "the peak is at v_s");
    }
}

/* Pennestri (5) with E = 0: the peak Fs at tan(pi/(2 C))/B, at high speed Fs sin(C pi/2). */
static void sine_arctan_peaks_at_fs_and_tends_to_its_asymptote(void **state) {
    law l = law_of("sine_arctan");
    double C = 1.3727, B = 220.0, peak = tan(PI / (2.0 * C)) / B;
    near(static_force(&l, peak), 117.72, 1e-15, "height of the peak");
    near(extremum(&l, 1e-4, 0.05, -1.0), peak, 1e-6, "place of the peak");
    near(static_force(&l, -1e9), -117.72 * sin(C * PI / 2.0), 1e-9, "asymptote");
    near(slope_at(&l, 0.0), 117.72 * B * C, 1e-15, "slope at rest");
    /* the defaults: peak at 0.01 m/s, asymptote 98.1 N */
    near(peak, 0.01, 1e-3, "default peak");
    near(117.72 * sin(C * PI / 2.0), 98.1, 1e-3, "default asymptote");
    set(&l, "E", -0.5); /* B v = 1, atan = pi/4 */
    near(static_force(&l, 1.0 / B), 117.72 * sin(C * PI / 4.0 + 0.5 * (1.0 - PI / 4.0)), 1e-14,
         "with curvature");
}

/* Rill (3), (4), (21), set 1: Fs = 5.886 N, v_r = 1 mm/s. */
static void regularized_curve_is_a_parabola_then_the_shifted_characteristic(void **state) {
    law l = law_of("regularized");
    near(static_force(&l, 0.5e-3), 5.886 * 0.75, 1e-15, "half way up the parabola");
    near(static_force(&l, -1e-3), -5.886, 1e-15, "top of the parabola");
    near(static_force(&l, 11e-3), 9.81 * (0.3 + 0.3 * exp(-1.0)), 1e-14, "v_s beyond the top");
    near(slope_at(&l, 0.0), 2.0 * 5.886 / 1e-3, 1e-15, "slope at rest");
    near(slope_at(&l, 0.99999999999e-3), 0.0, 1e-6, "the parabola ends level");
    set(&l, "nu", 2.0);
    near(static_force(&l, -1.001), -9.81 * (0.3 + 2.0), 1e-14, "viscous part from v_r on");
}

/* Rill section 4.3: at 2 N it creeps with 0.1875 mm/s (computed 0.187467) and drifts 0.01875 mm
 * (0.018745) per load cycle of 0.1 s. */
static void regularized_curve_creeps_as_rill_reports(void **state) {
    law l = law_of("regularized");
    double creep = 1e-3 * (1.0 - sqrt(1.0 - 2.0 / 5.886));
    near(creep, 0.187467e-3, 3e-6, "creep speed of experiments.md");
    near(static_force(&l, creep), 2.0, 1e-14, "force at that speed");
    rig r = rig_of(&l);
    r.pull = pull_constant;
    r.c[0] = 2.0;
    rig_run(&r, 0.1, 1e-10);
    near(r.y[1], creep, 1e-8, "speed at the end of the pulse");
    r.c[0] = 0.0;
    rig_run(&r, 0.2, 1e-10);
    near(r.y[0], 0.018745e-3, 3e-5, "drift of a cycle");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb_slides_at_its_level_and_balances_the_load_at_rest),
        cmocka_unit_test(set_valued_laws_stick_break_away_and_slide_by_mode),
        cmocka_unit_test(coulomb_on_a_belt_has_the_period_of_the_closed_form),
        cmocka_unit_test(benson_decays_to_the_sliding_level),
        cmocka_unit_test(stribeck_has_the_values_of_anderssons_curve),
        cmocka_unit_test(every_stribeck_exponent_meets_at_the_stribeck_velocity),
        cmocka_unit_test(karnopp_holds_within_its_band),
        cmocka_unit_test(viscous_force_is_a_power_of_the_speed),
        cmocka_unit_test(coulomb_sat_ramps_to_its_level_and_creeps),
        cmocka_unit_test(coulomb_tanh_follows_the_hyperbolic_tangent),
        cmocka_unit_test(coulomb_tanh_has_other_smoothings),
        cmocka_unit_test(stribeck_sat_is_the_stribeck_curve_beyond_its_ramp),
        cmocka_unit_test(stribeck_tanh_peaks_below_the_static_level),
        cmocka_unit_test(velocity_based_law_joins_its_pieces_smoothly),
        cmocka_unit_test(sine_arctan_peaks_at_fs_and_tends_to_its_asymptote),
        cmocka_unit_test(regularized_curve_is_a_parabola_then_the_shifted_characteristic),
        cmocka_unit_test(regularized_curve_creeps_as_rill_reports),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
