/* test_identify_unknowns.c - what may be unknown beside the numbers of a law: play, parameters of
 * expressions; and numbers that the rig has wrong by decades. Recordings are made here. */
#define _POSIX_C_SOURCE 200809L
#include "recorded.h"

/* ---- play ----------------------------------------------------------------------------------- */

/* A spring with a gap: none within half the play to either side. */
static double beyond(double x, double half) {
    return x > half ? x - half : x < -half ? x + half : 0.0;
}

static const char held_axis[] =
    "parameters: {k: %s, play: %s}\n"
    "bodies: {axis: {mass: 2 kg}}\n"
    "contacts: {pad: {between: [axis, ground], model: coulomb, Fc: 1 N, kv: 1 N s/m}}\n"
    "couplings: {stop: {spring: [ground, axis], tension: \"k*(L - clamp(L, play/2))\"}}\n"
    "drives: {motor: {on: axis, force: 0 N}}\n"
    "run: {until: 1 s}\n";

static void write_axis(double stiffness) {
    FILE *out = fopen(csv, "w");
    fputs("t,x,F\n", out);
    for (int i = 0; i < 2000; i++) {
        double t = i / 500.0, w = 2.0 * pi, A = 3e-3 * (0.4 + 0.2 * t), dA = 3e-3 * 0.2;
        double x = A * sin(w * t), v = A * w * cos(w * t) + dA * sin(w * t);
        double a = -A * w * w * sin(w * t) + 2.0 * dA * w * cos(w * t);
        double F =
            2.0 * a + 4.0 * (double)((v > 0) - (v < 0)) + 10.0 * v + stiffness * beyond(x, 0.5e-3);
        fprintf(out, "%.9g,%.15g,%.15g\n", t, x, F + 0.05 * normal(3.0, i));
    }
    fclose(out);
}

/* The force of a spring behind a gap, over measured motion: stiffness and play are parameters of an
 * expression. Also from a rig that has the stiffness wrong by two decades and a play wider than the
 * motion, so that nothing depends on either of them where the search begins. */
static void finds_play(void **state) {
    (void)state;
    static const char *const begin[2][2] = {{"2000 N/m", "0.2 mm"}, {"100 N/m", "20 mm"}};
    write_axis(8000.0);
    for (int i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text, held_axis, begin[i][0], begin[i][1]);
        put(rig, text);
        bri_identify_def def = {.map = "t=t,axis.x=x,motor.force=F",
                                .unknown = "pad.Fc,pad.kv,k,play",
                                .folds = 1,
                                .starts = i ? 6 : 1,
                                .seed = 1.0};
        bri_identified *r = identify(def);
        near(estimate(r, "play")->value, 1e-3, 0.01, "play");
        near(estimate(r, "k")->value, 8000.0, 0.01, "stiffness behind the play");
        near(estimate(r, "pad.Fc")->value, 4.0, 0.02, "friction");
        assert_string_equal(estimate(r, "play")->unit, "m");
        assert_true(estimate(r, "play")->low < 1e-3 && 1e-3 < estimate(r, "play")->high);
        bri_error err;
        def.scenario = rig;
        char *fitted = bri_identified_scenario(r, 0, &def, &err);
        assert_non_null(strstr(fitted, "play: 0.00"));
        put(rig, fitted); /* it can be read again */
        def.unknown = "pad.Fc", def.starts = 1;
        bri_identified *again = identify(def);
        near(again->fits[0].rms, r->fits[0].rms, 1e-3, "error of the rig that was written");
        free(fitted);
        bri_identified_free(again);
        bri_identified_free(r);
    }
}

/* A load behind a coupling with play, driven by a motor whose motion is measured: of the load only
 * the motion is. By Runge-Kutta. */
static void finds_play_by_motion(void **state) {
    (void)state;
    enum { ROWS = 300, FINE = 50 };
    double x = 0.0, v = 0.0, rate = 200.0, h = 1.0 / (rate * FINE), w = 2.0 * pi * 1.5;
    FILE *out = fopen(csv, "w");
    fputs("t,motor,load\n", out);
    for (int i = 0; i < ROWS; i++) {
        fprintf(out, "%.9g,%.15g,%.15g\n", i / rate, 5e-3 * sin(w * i / rate),
                x + 2e-6 * normal(4.0, i));
        for (int s = 0; s < FINE; s++) {
            double dx[4], dv[4];
            for (int k = 0; k < 4; k++) {
                double part = k == 0 ? 0.0 : k < 3 ? 0.5 * h : h;
                double X = x + (k ? part * dx[k - 1] : 0.0), V = v + (k ? part * dv[k - 1] : 0.0);
                double q = 5e-3 * sin(w * (i / rate + s * h + part));
                dx[k] = V;
                dv[k] = (3000.0 * beyond(q - X, 0.3e-3) - 15.0 * V) / 1.5;
            }
            x += h / 6.0 * (dx[0] + 2.0 * dx[1] + 2.0 * dx[2] + dx[3]);
            v += h / 6.0 * (dv[0] + 2.0 * dv[1] + 2.0 * dv[2] + dv[3]);
        }
    }
    fclose(out);
    put(rig, "parameters: {k: 2000 N/m, play: 0.3 mm}\n"
             "bodies: {motor: {position: 0 m}, load: {mass: 1.5 kg}}\n"
             "contacts: {pad: {between: [load, ground], model: viscous, kv: 10 N s/m}}\n"
             "couplings: {shaft: {spring: [load, motor], tension: \"k*(L - clamp(L, play/2))\"}}\n"
             "run: {until: 2 s, rtol: 1e-6}\n");
    bri_identified *r = identify((bri_identify_def){.map = "t=t,motor.x=motor,load.x=load",
                                                    .unknown = "pad.kv,k,play,start_v",
                                                    .folds = 1,
                                                    .starts = 1,
                                                    .seed = 1.0});
    assert_int_equal(r->way, BRI_WAY_MOTION);
    near(estimate(r, "play")->value, 0.6e-3, 0.02, "play");
    near(estimate(r, "k")->value, 3000.0, 0.02, "stiffness");
    near(estimate(r, "pad.kv")->value, 15.0, 0.02, "friction");
    bri_identified_free(r);
}

/* What over measured motion cannot be known is told, not left out. */
static void refuses_what_depends_on_more(void **state) {
    (void)state;
    static const struct {
        const char *rig, *unknown, *words;
    } bad[] = {
        {"parameters: {m: 2 kg}\n"
         "bodies: {axis: {mass: m}}\n"
         "contacts: {pad: {between: [axis, ground], model: coulomb, Fc: 1 N}}\n"
         "drives: {motor: {on: axis, force: 0 N}}\nrun: {until: 1 s}\n",
         "m", "cannot be unknown"},
        {"parameters: {play: 2 mm}\n"
         "bodies: {axis: {mass: 2 kg}}\n"
         "contacts: {pad: {between: [axis, ground], model: coulomb, Fc: 1 N}}\n"
         "couplings: {stop: {spring: [ground, axis], tension: \"9 N/m*(L - clamp(L, play))\"}}\n"
         "drives: {motor: {on: axis, force: 0 N}}\nrun: {until: 1 s}\n",
         "plya", "did you mean 'play'"},
        {"bodies: {axis: {mass: 2 kg}}\n"
         "contacts: {pad: {between: [axis, ground], model: coulomb, mu_c: 0.1, load: 10 N + 2 N "
         "s/m*v}}\n"
         "drives: {motor: {on: axis, force: 0 N}}\nrun: {until: 1 s}\n",
         "pad.mu_c", "the load of pad depends on the motion"},
        {"bodies: {axis: {mass: 2 kg}}\n"
         "contacts: {pad: {between: [axis, ground], model: coulomb, mu_c: 0.1 + 1 s/m*abs(v), "
         "load: 10 N}}\n"
         "drives: {motor: {on: axis, force: 0 N}}\nrun: {until: 1 s}\n",
         "axis.mass", "a parameter of pad depends on the motion"},
        {"bodies: {axis: {mass: 2 kg}, other: {mass: 1 kg}}\n"
         "contacts: {pad: {between: [axis, ground], model: coulomb, Fc: 1 N}}\n"
         "drives: {motor: {on: axis, force: 0 N}, pull: {on: axis, force: 2 N/m*other.x}}\n"
         "run: {until: 1 s}\n",
         "pad.Fc", "the force of pull depends on what is not measured"},
    };
    write_axis(8000.0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bri_messages m = {0};
        bri_identified *r = NULL;
        bri_identify_def def = {.map = "t=t,axis.x=x,motor.force=F", .unknown = bad[i].unknown};
        put(rig, bad[i].rig);
        assert_int_not_equal(run_identify(def, &r, &m), BRI_OK);
        if (!strstr(m.message[0].text, bad[i].words))
            fail_msg("'%s' lacks '%s'", m.message[0].text, bad[i].words);
    }
}

/* A force of a drive by an expression of the motion counts. */
static void counts_forces_by_expressions(void **state) {
    (void)state;
    write_axis(8000.0);
    put(rig, "parameters: {k: 2000 N/m, play: 0.2 mm}\n"
             "bodies: {axis: {mass: 2 kg}}\n"
             "contacts: {pad: {between: [axis, ground], model: coulomb, Fc: 1 N, kv: 1 N s/m}}\n"
             "drives: {motor: {on: axis, force: 0 N}, "
             "stop: {on: axis, force: \"-k*(x - clamp(x, play/2))\"}}\n"
             "run: {until: 1 s}\n");
    bri_identified *r = identify((bri_identify_def){.map = "t=t,axis.x=x,motor.force=F",
                                                    .unknown = "pad.Fc,pad.kv,k,play",
                                                    .folds = 1,
                                                    .starts = 1,
                                                    .seed = 1.0});
    near(estimate(r, "play")->value, 1e-3, 0.01, "play");
    near(estimate(r, "k")->value, 8000.0, 0.01, "stiffness");
    bri_identified_free(r);
}

/* A stiffness of which the data know no sign is not determined, though an offset would be. */
static void knows_no_sign(void **state) {
    (void)state;
    write_axis(0.0);
    put(rig, "parameters: {k: 5 N/m}\n"
             "bodies: {axis: {mass: 2 kg}}\n"
             "contacts: {pad: {between: [axis, ground], model: coulomb, Fc: 1 N, kv: 1 N s/m}}\n"
             "couplings: {stop: {spring: [ground, axis], tension: k*L}}\n"
             "drives: {motor: {on: axis, force: 0 N}}\n"
             "run: {until: 1 s}\n");
    bri_identified *r = identify((bri_identify_def){.map = "t=t,axis.x=x,motor.force=F",
                                                    .unknown = "pad.Fc,pad.kv,k,offset",
                                                    .folds = 1,
                                                    .starts = 1,
                                                    .seed = 1.0});
    assert_true(estimate(r, "k")->low < 0.0 && estimate(r, "k")->high > 0.0);
    assert_int_not_equal(estimate(r, "k")->known, BRI_DETERMINED);
    assert_int_equal(estimate(r, "offset")->known, BRI_DETERMINED);
    bri_identified_free(r);
}

/* ---- numbers that are off by decades -------------------------------------------------------- */

static double slide(double t) {
    return (1.0 - exp(-10.0 * t)) *
           (2.5e-3 * sin(2.0 * pi * 0.5 * t) + 1.5e-3 * sin(2.0 * pi * 1.3 * t + 1.0));
}

/* LuGre along a motion with strokes up to 3 mm, by short exact steps; the true sigma0 in three
 * decades. The rig has it wrong by up to four: the end is the same from everywhere. */
static void finds_numbers_off_by_decades(void **state) {
    (void)state;
    for (int truth = SAMPLE(0, 1); truth < SAMPLE(3, 2); truth++) {
        double s0 = 3e3 * pow(10.0, truth), z = 0.0, rate = 500.0, h = 1.0 / (rate * 40.0);
        FILE *out = fopen(csv, "w");
        fputs("t,v,F\n", out);
        for (int i = 0; i < 1000; i++) {
            double v = slide(i / rate);
            for (int s = 0; i > 0 && s < 40; s++) { /* exact for a v that is held */
                double w = slide((i - 1) / rate + (s + 0.5) * h);
                double a = s0 * fabs(w) / (1.0 + 0.5 * exp(-fabs(w) / 1e-3));
                z = a > 0.0 ? w / a + (z - w / a) * exp(-a * h) : z;
            }
            fprintf(out, "%.9g,%.15g,%.15g\n", i / rate, v,
                    s0 * z + 10.0 * v + 0.02 * normal(5.0 + truth, i));
        }
        fclose(out);
        for (int off = -3; off <= 3; off += 6) {
            char text[400];
            snprintf(
                text, sizeof text,
                "bodies: {block: {mass: 1 kg}}\n"
                "contacts: {pad: {between: [block, ground], model: lugre, Fc: 1.2 N, Fs: 1.4 N,"
                " v_s: 2 mm/s, sigma0: %g N/m, sigma1: 0 N s/m, sigma2: 5 N s/m}}\n"
                "run: {until: 1 s}\n",
                3e4 * pow(10.0, off));
            put(rig, text);
            bri_identified *r = identify(
                (bri_identify_def){.map = "t=t,pad.v=v,pad.F=F",
                                   .unknown = "pad.Fc,pad.Fs,pad.v_s,pad.sigma0,pad.sigma2",
                                   .filter = -1.0,
                                   .folds = 1,
                                   .starts = 4,
                                   .seed = 1.0});
            near(estimate(r, "pad.sigma0")->value, s0, 0.03, "sigma0");
            near(r->fits[0].rms, 0.02, 0.06, "what is left is the noise");
            bri_identified_free(r);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_play),
        cmocka_unit_test(finds_play_by_motion),
        cmocka_unit_test(refuses_what_depends_on_more),
        cmocka_unit_test(counts_forces_by_expressions),
        cmocka_unit_test(knows_no_sign),
        cmocka_unit_test(finds_numbers_off_by_decades),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
