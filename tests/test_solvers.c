/* test_solvers.c - orders of convergence, stiffness, terms that depend on time, kinks, agreement of
 * independent solvers, events, counters. */
#include "bristle_scenario.h"
#include "sims.h"
#include <stdlib.h>

static const char *const all_solvers[] = {"rosenbrock",  "rodas4",     "rodas5p",  "cvode_bdf",
                                          "cvode_adams", "erk_dopri5", "erk_bs23", "rk4"};
enum { SOLVERS = 8 };

/* The named solver, or NULL if this build was made without it. */
static const bri_solver *built(const char *name) {
    const bri_solver *s = bri_solver_find(name);
    if (!s && !bri_solver_missing(name)) fail_msg("there is no solver %s", name);
    return s;
}

/* ---- orders --------------------------------------------------------------------------------- */

typedef void (*change)(setup *s);

/* State at the end with steps of one size: tolerances so loose that only max_step counts. */
static void fixed_steps(const char *solver, change prepare, double h, double *x, double *v) {
    setup s;
    oscillator(&s);
    if (prepare) prepare(&s);
    s.def.solver = solver_of(solver);
    s.def.rtol = 0.1;
    s.def.atol = 1.0;
    s.def.max_step = s.def.step = h;
    s.def.energies = 0;
    bri_sim *sim = start(&s);
    go(sim, s.def.t_end);
    *x = bri_sim_body(sim, 0).x;
    *v = bri_sim_body(sim, 0).v;
    bri_sim_free(sim);
}

/* Observed order between two step sizes, against a solution with far smaller steps. */
static double observed(const char *solver, change prepare, double h) {
    double x[3], v[3], fine = h / 16.0;
    fixed_steps(solver, prepare, h, &x[0], &v[0]);
    fixed_steps(solver, prepare, 0.5 * h, &x[1], &v[1]);
    fixed_steps("rodas5p", prepare, fine, &x[2], &v[2]);
    double coarse = hypot(x[0] - x[2], 0.1 * (v[0] - v[2]));
    double half = hypot(x[1] - x[2], 0.1 * (v[1] - v[2]));
    return log2(coarse / half);
}

static void orders(void **state) {
    static const struct {
        const char *solver;
        double order;
    } cases[] = {{"rodas4", 4}, {"rodas5p", 5}, {"rk4", 4}, {"erk_dopri5", 5}, {"erk_bs23", 3}};
    for (int i = 0; i < 5; i++) {
        if (!built(cases[i].solver)) continue;
        double x, v, p = observed(cases[i].solver, NULL, 0.02);
        if (!(p > cases[i].order - 0.35 && p < cases[i].order + 1.35)) /* linear: may be more */
            fail_msg("%s: order %.2f, expected %g", cases[i].solver, p, cases[i].order);
        fixed_steps(cases[i].solver, NULL, 1e-3, &x, &v);
        near(x, oscillator_x(2.0), 1e-6, cases[i].solver);
    }
}

/* A moving support, a chirp, noise, all with the period of the oscillator. */
static void moved(setup *s) {
    s->signals[0] = bri_signal_defaults(bri_signal_find("sine"));
    s->signals[0].p[0] = 0.3, s->signals[0].p[1] = 2.0;
    s->bodies[1] = (bri_body){.name = "support", .position = &s->signals[0]};
    s->couplings[0].a = 1;
    point_to(s, 2, 1, 1, 0);
}

static void swept(setup *s) {
    s->drives[0] = (bri_drive){.body = 0, .force = bri_signal_defaults(bri_signal_find("chirp"))};
    s->drives[0].force.p[0] = 30.0, s->drives[0].force.p[1] = 0.5, s->drives[0].force.p[2] = 4.0;
    s->drives[0].force.p[4] = 3.0;
    point_to(s, 1, 1, 1, 1);
}

static void swept_support(setup *s) { /* its position has no closed form */
    s->signals[0] = bri_signal_defaults(bri_signal_find("chirp"));
    s->signals[0].p[1] = 0.5, s->signals[0].p[2] = 4.0, s->signals[0].p[4] = 3.0;
    s->bodies[1] = (bri_body){.name = "support", .velocity = &s->signals[0]};
    s->couplings[0].a = 1;
    point_to(s, 2, 1, 1, 0);
}

static void shaken(setup *s) {
    s->drives[0] = (bri_drive){.body = 0, .force = bri_signal_defaults(bri_signal_find("noise"))};
    s->drives[0].force.p[0] = 30.0, s->drives[0].force.p[1] = 2.0;
    point_to(s, 1, 1, 1, 1);
}

static void orders_with_time(void **state) {
    static const struct {
        const char *solver;
        double order;
    } cases[] = {{"rodas4", 4}, {"rodas5p", 5}, {"rk4", 4}, {"erk_dopri5", 5}};
    static const change changes[] = {moved, swept, swept_support, shaken};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4 && built(cases[i].solver); k++) {
            double p = observed(cases[i].solver, changes[k], 0.02);
            if (!(p > cases[i].order - 0.4))
                fail_msg("%s, time dependence %d: order %.2f, expected %g", cases[i].solver, k, p,
                         cases[i].order);
        }
}

/* Errors follow the tolerance. */
static void tolerances(void **state) {
    for (int i = 0; i < SOLVERS - 1; i++) {
        double last = 1.0;
        for (int k = 4; k <= 10 && built(all_solvers[i]); k += 2) {
            setup s;
            oscillator(&s);
            s.def.solver = solver_of(all_solvers[i]);
            s.def.rtol = pow(10.0, -k);
            bri_sim *sim = start(&s);
            double error = 0.0;
            for (int j = 1; j <= 40; j++) { /* between the steps as well */
                go(sim, 0.05 * j);
                error = fmax(error, fabs(bri_sim_body(sim, 0).x - oscillator_x(0.05 * j)));
            }
            if (!(error < 300.0 * s.def.rtol) || !(error < 0.2 * last))
                fail_msg("%s: error %g with rtol %g, %g before", all_solvers[i], error, s.def.rtol,
                         last);
            last = error;
            bri_sim_free(sim);
        }
    }
}

/* A smaller tolerance takes no fewer steps, but for one in twenty by chance. */
static void smaller_tolerances(void **state) {
    static const char *const methods[] = {"rodas4", "rodas5p"};
    for (int i = 0; i < 2; i++) {
        long before = 0;
        for (double rtol = 1e-4; rtol > 1e-10; rtol *= 0.7) {
            setup s;
            oscillator(&s);
            s.def.solver = solver_of(methods[i]);
            s.def.rtol = rtol;
            bri_sim *sim = start(&s);
            go(sim, s.def.t_end);
            long steps = bri_sim_stats(sim).steps;
            if ((double)steps < 0.95 * (double)before)
                fail_msg("%s: %ld steps with rtol %g, %ld before", methods[i], steps, rtol, before);
            before = steps;
            bri_sim_free(sim);
        }
    }
}

/* ---- stiffness ------------------------------------------------------------------------------ */

/* A light damper of 1e9 1/s: steps stay long, and the velocity dies at once instead of ringing. */
static void stiff_systems(void **state) {
    static const char *const stiff[] = {"rodas4", "rodas5p", "cvode_bdf"};
    for (int i = 0; i < 3; i++) {
        if (!built(stiff[i])) continue;
        setup s;
        oscillator(&s);
        s.bodies[0].v = 1.0;
        s.contacts[0].p[bri_model_param(s.contacts[0].model, "kv")] = 1e9;
        s.def.solver = solver_of(stiff[i]);
        s.def.t_end = 1e4;
        bri_sim *sim = start(&s);
        go(sim, 1e-3);
        near(bri_sim_body(sim, 0).v, -1e-7, 1e-3, "velocity on the slow manifold");
        go(sim, 1e4);
        near(bri_sim_body(sim, 0).x, exp(-1e-3), 1e-5, "position on the slow manifold");
        if (bri_sim_stats(sim).steps > 400)
            fail_msg("%s: %ld steps", stiff[i], bri_sim_stats(sim).steps);
        bri_sim_free(sim);
    }
}

/* ---- kinks ---------------------------------------------------------------------------------- */

/* Rectangular pulses on a free mass: piecewise parabolas, which every method integrates exactly. */
static void pulses(void **state) {
    for (int i = 0; i < SOLVERS; i++) {
        if (!built(all_solvers[i])) continue;
        setup s;
        oscillator(&s);
        s.bodies[0].x = 0.0;
        s.drives[0] =
            (bri_drive){.body = 0, .force = bri_signal_defaults(bri_signal_find("pulses"))};
        const double p[5] = {2.0, 0.1, 0.25, 0.5, 3.0}; /* value, from, width, period, count */
        memcpy(s.drives[0].force.p, p, sizeof p);
        point_to(&s, 1, 0, 0, 1);
        s.def.solver = solver_of(all_solvers[i]);
        s.def.rtol = 1e-10;
        s.def.step = 0.03; /* no multiple fits the pulses */
        bri_sim *sim = start(&s);
        go(sim, 0.35);
        near(bri_sim_body(sim, 0).v, 0.5, 1e-8, all_solvers[i]);
        near(bri_sim_body(sim, 0).x, 0.0625, 1e-8, all_solvers[i]);
        go(sim, 2.0);
        near(bri_sim_body(sim, 0).v, 1.5, 1e-8, all_solvers[i]);
        near(bri_sim_body(sim, 0).x, 1.9125, 1e-8, all_solvers[i]);
        bri_sim_free(sim);
    }
}

/* ---- independent solvers agree -------------------------------------------------------------- */

static void compare(const char *law, double limit) {
    setup a, b;
    if (!built("cvode_bdf")) return;
    rabinowicz(&a, law, "rosenbrock", 1e-9);
    rabinowicz(&b, law, "cvode_bdf", 1e-9);
    bri_sim *one = start(&a), *two = start(&b);
    double most = 0.0;
    for (int k = 1; k <= 20; k++) {
        go(one, 2.5 * k);
        go(two, 2.5 * k);
        bri_body_now p = bri_sim_body(one, 0), q = bri_sim_body(two, 0);
        bri_contact_now c = bri_sim_contact(one, 0), d = bri_sim_contact(two, 0);
        most = fmax(most, fmax(fabs(p.x - q.x) / 10.0, fabs(p.v - q.v)));
        most = fmax(most, fabs(c.F - d.F) / 100.0);
    }
    bri_energies e = bri_sim_energies(one);
    if (getenv("SHOW"))
        print_message("%s: differ by %.1e, energy residual %.1e of %g, %ld and %ld steps\n", law,
                      most, e.residual, e.work, bri_sim_stats(one).steps, bri_sim_stats(two).steps);
    if (!(most < limit)) fail_msg("%s: the solvers differ by %g, limit %g", law, most, limit);
    bri_sim_free(one);
    bri_sim_free(two);
}

static void agreement(void **state) {
    compare("lugre", 1e-5);
    compare("dahl", 1e-5);
    compare("elasto_plastic", 1e-5);
    compare("gonthier", 1e-5);
    compare("bristle_second_order", 1e-5);
    compare("lugre_consistent", 1e-5);
}

/* The account of energy closes, and better with smaller tolerances. */
static void energy(void **state) {
    static const char *const laws[] = {
        "lugre", "dahl", "bristle_second_order", "lugre_consistent", "viscous", "stribeck_tanh"};
    for (int i = 0; i < 6; i++) {
        setup s;
        rabinowicz(&s, laws[i], "rosenbrock", 1e-8);
        bri_sim *sim = start(&s);
        go(sim, 33.3); /* within a step */
        bri_energies e = bri_sim_energies(sim);
        near(e.residual / (fabs(e.work) + e.dissipated + e.potential), 0.0, 1e-6, laws[i]);
        go(sim, 50.0);
        e = bri_sim_energies(sim);
        near(e.residual / (fabs(e.work) + e.dissipated + e.potential), 0.0, 1e-6, laws[i]);
        assert_true(e.dissipated > 0.0);
        bri_sim_free(sim);
    }
}

/* ---- events and counters -------------------------------------------------------------------- */

/* Laws with jumps of their own: events happen, and two solvers tell the same story. */
static void jumps(void **state) {
    static const char *const laws[] = {"reset_integrator", "haessig_friedland"};
    for (int i = 0; i < SAMPLE(2, 1); i++) {
        double x[2] = {0};
        for (int k = 0; k < 2; k++) {
            setup s;
            const char *solver = k == 0 ? "rosenbrock" : "rodas4";
            rabinowicz(&s, laws[i], solver, k == 0 ? 1e-7 : 1e-8);
            s.def.t_end = 30.0;
            bri_sim *sim = start(&s);
            go(sim, 30.0);
            x[k] = bri_sim_body(sim, 0).x;
            if (bri_sim_stats(sim).events < 1) fail_msg("%s: no event with %s", laws[i], solver);
            assert_true(isfinite(bri_sim_contact(sim, 0).F));
            bri_sim_free(sim);
        }
        near(x[0], x[1], 0.02, laws[i]);
    }
}

static void counters(void **state) {
    for (int i = 0; i < SOLVERS; i++) {
        if (!built(all_solvers[i])) continue;
        setup s;
        rabinowicz(&s, "lugre", all_solvers[i], 1e-6);
        s.def.t_end = 25.0;
        s.def.step = 2e-4;
        bri_sim *sim = start(&s);
        go(sim, 24.9);
        bri_stats n = bri_sim_stats(sim);
        assert_true(n.steps > 10 && n.evals >= n.steps && n.rejected >= 0);
        assert_true(n.t >= 24.9 && n.t <= 25.0);
        int jacobian = i < 4;
        assert_int_equal(n.jacobians > 0, jacobian);
        assert_int_equal(n.factorisations > 0, jacobian);
        if (i < 3 && !(n.steps < 400 && n.jacobians <= n.steps + n.rejected))
            fail_msg("%s: %ld steps, %ld Jacobians", all_solvers[i], n.steps, n.jacobians);
        bri_sim_free(sim);
    }
}

/* Names that are known although their solver was not built. */
static void names(void **state) {
    assert_null(bri_solver_missing("rosenbrock"));
    assert_null(bri_solver_missing("no_such_solver"));
    assert_null(bri_solver_find("no_such_solver"));
    const char *package = bri_solver_missing("cvode_bdf");
    if (bri_solver_find("cvode_bdf"))
        assert_null(package);
    else
        assert_string_equal(package, "libsundials-dev");
    for (int i = 0; i < bri_solver_count(); i++) {
        const bri_solver *s = bri_solver_at(i);
        assert_ptr_equal(bri_solver_find(bri_solver_name(s)), s);
        assert_true(strlen(bri_solver_text(s)) > 10);
    }
}

/* The oil slides fastest between two steps: |x'| of the closed solution, looked for in small steps.
 */
static void the_largest_speed_lies_within_a_step(void **state) {
    static const char *const solvers[] = {"rosenbrock", "rodas4", "cvode_bdf", "rk4"};
    double most = 0.0, h = 1e-5;
    int missed = 0; /* by those who look at the ends alone */
    for (double t = h; t < 1.0; t += h)
        most = fmax(most, fabs(oscillator_x(t + h) - oscillator_x(t - h)) / (2.0 * h));
    for (int i = 0; i < 4; i++) {
        setup s;
        bri_error err;
        double seen = 0.0, at_ends = 0.0, speed;
        if (!bri_solver_find(solvers[i])) continue;
        oscillator(&s);
        s.def.rtol = 1e-5;
        s.def.solver = solver_of(solvers[i]);
        if (bri_solver_fixed_step(s.def.solver)) s.def.step = 0.02;
        bri_sim *sim = start(&s);
        while (bri_sim_time(sim) < 1.0) {
            assert_int_equal(bri_sim_step(sim, 1.0, &err), BRI_OK);
            bri_sim_fastest(sim, &speed);
            seen = fmax(seen, speed);
            at_ends = fmax(at_ends, fabs(bri_sim_body(sim, 0).v));
            assert_true(speed >= fabs(bri_sim_body(sim, 0).v));
        }
        near(seen, most, 1e-4, solvers[i]);
        missed += at_ends < most * (1.0 - 1e-3);
        bri_sim_free(sim);
    }
    assert_true(missed > 0);
}

/* Fixed steps end at multiples of their length, also after a stop in between. */
static void fixed_steps_keep_their_grid(void **state) {
    setup s;
    bri_error err;
    oscillator(&s);
    s.def.solver = solver_of("rk4");
    s.def.step = 0.03;
    bri_sim *sim = start(&s);
    for (int i = 1; i <= 7; i++) {
        assert_int_equal(bri_sim_step(sim, 2.0, &err), BRI_OK);
        near(bri_sim_time(sim), 0.03 * i, 1e-13, "end of a step");
    }
    go(sim, 0.25);
    near(bri_sim_time(sim), 0.25, 1e-15, "a stop in between");
    go(sim, 1.0);
    assert_int_equal(bri_sim_stats(sim).steps, 34);
    bri_sim_free(sim);
}

/* What a run takes does not grow unseen: attempts at steps, a quarter more than today at most. */
static void attempts_do_not_grow(void **state) {
    static const struct {
        const char *scenario;
        double rtol;
        long attempts;
    } runs[] = {{"rabinowicz", 1e-6, 518},
                {"three_dof", 1e-6, 2859},
                {"robot_joint", 1e-6, 1915},
                {"festoon", 1e-4, 2242},
                {"chain", 1e-4, 1033},
                {"belt", 1e-6, 394},
                {"brake", 1e-6, 21},
                {"olsson_stick_slip", 1e-6, 1800},
                {"pendulum_control", 1e-6, 80},
                {"dankowicz_step", 1e-6, 746}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        bri_messages why;
        bri_scenario *s;
        bri_sim *sim;
        if (bri_scenario_load(runs[i].scenario, NULL, &s, &why) != BRI_OK)
            fail_msg("%s", why.message[0].text);
        bri_sim_def def = *bri_scenario_def(s);
        def.rtol = runs[i].rtol;
        assert_int_equal(bri_sim_create(&def, &sim, NULL), BRI_OK);
        assert_int_equal(bri_sim_advance(sim, def.t_end, NULL), BRI_OK);
        bri_stats done = bri_sim_stats(sim);
        long attempts = done.steps + done.rejected;
        print_message("%s, %g: %ld attempts\n", runs[i].scenario, runs[i].rtol, attempts);
        if (4 * attempts > 5 * runs[i].attempts)
            fail_msg("%s at %g: %ld attempts, %ld were enough", runs[i].scenario, runs[i].rtol,
                     attempts, runs[i].attempts);
        bri_sim_free(sim);
        bri_scenario_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders),
        cmocka_unit_test(orders_with_time),
        cmocka_unit_test(tolerances),
        cmocka_unit_test(smaller_tolerances),
        cmocka_unit_test(stiff_systems),
        cmocka_unit_test(pulses),
        cmocka_unit_test(agreement),
        cmocka_unit_test(energy),
        cmocka_unit_test(jumps),
        cmocka_unit_test(counters),
        cmocka_unit_test(names),
        cmocka_unit_test(the_largest_speed_lies_within_a_step),
        cmocka_unit_test(fixed_steps_keep_their_grid),
        cmocka_unit_test(attempts_do_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
