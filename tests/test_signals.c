/* test_signals.c - signals against their own differences, with and without the integral, and the
 * position of a body whose velocity is a signal that only a contact sees. */
#include "bristle_sim.h"
#include "system/signal.h"
#include "test.h"

static const double points[] = {0.0, 0.4, 1.1}, values[] = {1.0, -2.0, 3.0};

/* A signal of every kind; those made of parts have a sine and a table. */
static bri_signal sample(int kind, bri_signal parts[2]) {
    bri_signal s = bri_signal_defaults(bri_signal_at(kind));
    for (int i = 0; i < s.kind->n_params; i++) /* all begin early and end late */
        if (s.p[i] > -1e20 && s.p[i] < 1e20 && s.kind->params[i].whole == 0)
            s.p[i] += 0.1 + 0.01 * i;
    if (s.kind->holds == BRI_POINTS) s.t = points, s.y = values, s.count = 3;
    if (s.kind->holds == BRI_PARTS || s.kind->holds == BRI_FACTORS) {
        parts[0] = sample((int)(bri_signal_find("sine") - bri_signal_at(0)), NULL);
        parts[1] = sample((int)(bri_signal_find("table") - bri_signal_at(0)), NULL);
        s.parts = parts;
        s.count = 2;
    }
    return s;
}

static void signals_are_their_own_derivatives(void **state) {
    const double h = 1e-5;
    for (int kind = 0; kind < bri_signal_count(); kind++) {
        bri_signal parts[2], s = sample(kind, parts);
        for (int i = 0; i < 40; i++) {
            double t = 1.5 * spread(i, kind), low[4], now[4], high[4], rates[4];
            if (s.kind->kink(&s, t - 2.0 * h) < t + 2.0 * h) continue;
            s.kind->eval(&s, t - h, low);
            s.kind->eval(&s, t, now);
            s.kind->eval(&s, t + h, high);
            for (int j = s.kind->closed ? 0 : 1; j < 3; j++)
                if (!(fabs((high[j] - low[j]) / (2.0 * h) - now[j + 1]) <=
                      1e-5 * (1.0 + fabs(now[3]) + fabs(now[j + 1]))))
                    fail_msg("%s: derivative %d at %g", s.kind->name, j, t);
            if (!s.kind->rates) continue;
            s.kind->rates(&s, t, rates);
            for (int j = 1; j < 4; j++) near(rates[j], now[j], 0.0, "without the integral");
        }
    }
}

/* Pieces that are carried on: the signal itself, also where it has just changed its course, and to
 * the last bit the same wherever it was looked up before. */
static void lines_are_carried_on(void **state) {
    int straight = 0, sum = (int)(bri_signal_find("sum") - bri_signal_at(0));
    for (int kind = 0; kind <= bri_signal_count(); kind++) {
        int mixed = kind < bri_signal_count(); /* else a sum of straight ones */
        bri_signal parts[2], s = sample(mixed ? kind : sum, parts);
        if (!mixed) parts[0] = sample((int)(bri_signal_find("trapezoid") - bri_signal_at(0)), NULL);
        for (int trial = 0; trial < 3; trial++) {
            double last = 0.7 * (trial + 1);
            signal_line once = signal_line_of(&s, 0.0, last);
            straight += once.straight;
            for (int i = 0; i < 60; i++) {
                double t = last * spread(i, kind), want[4], got[4], alone[4];
                if (i % 5 == 0) t = fmin(s.kind->kink(&s, t), last);
                if (i % 5 == 1) t = nextafter(fmin(s.kind->kink(&s, t), last), 0.0);
                signal_line fresh = signal_line_of(&s, 0.0, last);
                s.kind->eval(&s, t, want);
                signal_line_at(&once, t, 1, got);
                signal_line_at(&fresh, t, 1, alone);
                for (int j = s.kind->closed ? 0 : 1; j < 4; j++) {
                    if (!(fabs(got[j] - want[j]) <= 1e-13 * (1.0 + fabs(want[j]))))
                        fail_msg("%s: derivative %d at %.17g is %.17g, not %.17g", s.kind->name, j,
                                 t, got[j], want[j]);
                    assert_true(got[j] == alone[j]);
                }
            }
        }
    }
    assert_int_equal(straight, 3 * 7); /* six kinds, and the sum of two of them */
}

/* Bounds hold: what is seen at many places of a window without a kink is never more. And they tell
 * something: the second derivative of a sine over some periods is nearly met. */
static void bounds_hold(void **state) {
    const double h = 1e-5;
    int bounded = 0;
    for (int kind = 0; kind < bri_signal_count(); kind++) {
        bri_signal parts[2], s = sample(kind, parts);
        for (int i = 0; i < 40; i++) {
            double from = 1.5 * spread(i, kind), to = from + 0.3 * spread(i, kind + 1);
            double most[4], now[4], next[4];
            to = fmin(to, s.kind->kink(&s, from) - h);
            if (!s.kind->most || !(to > from + 10.0 * h)) continue;
            s.kind->most(&s, from, to, most);
            for (int k = 0; k <= 200; k++) {
                double t = from + (to - h - from) * k / 200.0;
                s.kind->eval(&s, t, now);
                s.kind->eval(&s, t + h, next);
                const double seen[4] = {now[1], now[2], now[3], (next[3] - now[3]) / h};
                for (int j = 0; j < 4; j++)
                    if (!(fabs(seen[j]) <= most[j] * (1.0 + 1e-9) + (j == 3 ? 1e-6 : 1e-12)))
                        fail_msg("%s: derivative %d at %g is %g, at most %g", s.kind->name, j, t,
                                 seen[j], most[j]);
            }
            bounded++;
        }
    }
    assert_true(bounded > 100);
    bri_signal sine = bri_signal_defaults(bri_signal_find("sine"));
    double most[4], peak = 0.0, now[4];
    sine.kind->most(&sine, 1.0, 5.0, most);
    for (int k = 0; k <= 10000; k++) {
        sine.kind->eval(&sine, 1.0 + 4.0 * k / 10000.0, now);
        peak = fmax(peak, fabs(now[3]));
    }
    near(most[2], peak, 1e-3 * peak, "second derivative of a sine");
}

/* A system keeps noise as a polynomial from window to window: it shows the same signal, as a load,
 * and as a velocity with its integral, forwards and at times that jump about. */
static void noise_is_kept(void **state) {
    bri_signal noise = bri_signal_defaults(bri_signal_find("noise"));
    noise.p[0] = 3.0, noise.p[1] = 40.0, noise.p[2] = 0.9, noise.p[3] = 7.0;
    bri_signal parts[2] = {bri_signal_constant(50.0), noise};
    bri_signal load = {.kind = bri_signal_find("sum"), .parts = parts, .count = 2};
    bri_body bodies[2] = {{.mass = 2.0}, {.velocity = &noise, .x = 0.3}};
    bri_contact pad = {.model = bri_model_find("coulomb_tanh"), .b = 1, .n_of_t = &load};
    bri_model_defaults(pad.model, pad.p);
    pad.load = BRI_LOAD_SIGNAL;
    bri_sim_def def = bri_sim_defaults();
    def.system = (bri_system){.bodies = bodies, .contacts = &pad, .n_bodies = 2, .n_contacts = 1};
    bri_sim *sim;
    assert_int_equal(bri_sim_create(&def, &sim, NULL), BRI_OK);
    for (int k = 1; k <= 200; k++) {
        double t = def.t_end * (k - spread(k, 3)) / 200.0, out[4];
        assert_int_equal(bri_sim_advance(sim, t, NULL), BRI_OK);
        noise.kind->eval(&noise, t, out);
        bri_body_now slab = bri_sim_body(sim, 1);
        near(slab.x, 0.3 + out[0], 1e-13, "position"); /* 64 waves of 0.5 m/s, 1e-16 each */
        near(slab.v, out[1], 1e-11, "velocity");       /* and rounding of 500 rad */
        near(bri_sim_contact(sim, 0).N, 50.0 + out[1], 1e-11, "load");
    }
    bri_sim_free(sim);
}

/* The slab vibrates; a spring that sees it makes no difference to where it is shown. */
static void unseen_positions(void **state) {
    bri_signal sine = bri_signal_defaults(bri_signal_find("sine"));
    sine.p[0] = 0.2, sine.p[1] = 3.0, sine.p[2] = 0.4, sine.p[4] = 0.25, sine.p[5] = 1.3;
    for (int seen = 0; seen < 2; seen++) {
        bri_body bodies[2] = {{.name = "block", .mass = 2.0},
                              {.name = "slab", .velocity = &sine, .x = 0.7}};
        bri_coupling springs[2];
        for (int i = 0; i < 2; i++) {
            springs[i] = bri_coupling_defaults(bri_coupling_find("spring"), i - 1, 1 - i);
            springs[i].p[0] = 50.0;
        }
        springs[0].a = BRI_GROUND, springs[0].b = 0;
        springs[1].a = 0, springs[1].b = 1;
        bri_contact pad = {.name = "pad", .model = bri_model_find("lugre"), .b = 1, .n = 20.0};
        bri_model_defaults(pad.model, pad.p);
        bri_sim_def def = bri_sim_defaults();
        def.t_end = 2.0;
        def.system = (bri_system){.bodies = bodies,
                                  .couplings = springs,
                                  .contacts = &pad,
                                  .n_bodies = 2,
                                  .n_couplings = 1 + seen,
                                  .n_contacts = 1};
        bri_sim *sim;
        assert_int_equal(bri_sim_create(&def, &sim, NULL), BRI_OK);
        for (int k = 1; k <= 20; k++) {
            double t = 0.1 * k, out[4];
            assert_int_equal(bri_sim_advance(sim, t, NULL), BRI_OK);
            sine.kind->eval(&sine, t, out);
            bri_body_now slab = bri_sim_body(sim, 1);
            near(slab.x, 0.7 + out[0], 1e-14, "position");
            near(slab.v, out[1], 1e-14, "velocity");
            near(bri_sim_contact(sim, 0).v, bri_sim_body(sim, 0).v - out[1], 1e-12, "sliding");
        }
        bri_energies e = bri_sim_energies(sim);
        near(e.residual, 0.0, 1e-5, "energy balance");
        bri_sim_free(sim);
    }
}

/* Whatever holds the signal: the drive, a part of its sum, a prescribed motion, a load. */
static void ramps_that_do_not_fit_are_refused(void **state) {
    (void)state;
    const bri_signal_kind *trapezoid = bri_signal_find("trapezoid");
    bri_signal bad = bri_signal_defaults(trapezoid);
    bad.p[3] = 0.8; /* rise */
    bad.p[4] = 0.3; /* fall, of 1 s in all */
    const bri_signal parts[] = {bri_signal_constant(1.0), bad};
    bri_signal sum = bri_signal_defaults(bri_signal_find("sum"));
    sum.parts = parts;
    sum.count = 2;
    for (int where = 0; where < 4; where++) {
        bri_body bodies[] = {{.name = "block", .mass = 1.0}, {.name = "slab"}};
        bri_signal still = bri_signal_constant(0.0);
        bodies[1].velocity = where == 2 ? &bad : &still;
        bri_contact pad = {.name = "pad", .model = bri_model_find("lugre"), .b = 1, .n = 1.0};
        bri_model_defaults(pad.model, pad.p);
        if (where == 3) {
            pad.load = BRI_LOAD_SIGNAL;
            pad.n_of_t = &bad;
        }
        bri_drive push = {.name = "push", .force = where == 0 ? bad : where == 1 ? sum : still};
        bri_sim_def def = bri_sim_defaults();
        def.system = (bri_system){.bodies = bodies,
                                  .contacts = &pad,
                                  .drives = &push,
                                  .n_bodies = 2,
                                  .n_contacts = 1,
                                  .n_drives = 1};
        static const char *const names[] = {"push", "push", "slab", "pad"};
        char want[200];
        bri_error err;
        bri_sim *sim;
        snprintf(want, sizeof want,
                 "%s: trapezoid: rise and fall together are longer than from to until",
                 names[where]);
        assert_int_equal(bri_sim_create(&def, &sim, &err), BRI_BAD_VALUE);
        assert_string_equal(err.text, want);
    }
}

/* The integral of a wave however slow is that of its present value; A/w would be infinite. */
static void slow_waves(void **state) {
    static const double frequencies[] = {0.0, 4.9e-324, 1e-300, 1e-30, 1e-12};
    bri_signal s = {.kind = bri_signal_find("sine")};
    assert_non_null(s.kind);
    for (size_t i = 0; i < sizeof frequencies / sizeof *frequencies; i++) {
        double out[4], t = 2.5;
        const double p[] = {3.0, frequencies[i], 0.7, 0.2, 0.0, 1e30};
        memcpy(s.p, p, sizeof p);
        s.kind->eval(&s, t, out);
        near(out[0], t * (0.2 + 3.0 * sin(0.7)), 1e-10, "integral");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ramps_that_do_not_fit_are_refused),
        cmocka_unit_test(signals_are_their_own_derivatives),
        cmocka_unit_test(lines_are_carried_on),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(slow_waves),
        cmocka_unit_test(noise_is_kept),
        cmocka_unit_test(unseen_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
