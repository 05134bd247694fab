/* test_solver_limits.c - what solvers do when they cannot go on, that they allocate nothing while
 * advancing, and that two runs give the same bytes. */
#include "allocations.h"
#include "sims.h"
#include <stdlib.h>

static const char *const all_solvers[] = {"rosenbrock", "rodas4",      "rodas5p",
                                          "cvode_bdf",  "cvode_adams", "erk_dopri5",
                                          "erk_bs23",   "rk4",         "time_stepping"};
enum { SOLVERS = 9 };

/* ---- giving up ------------------------------------------------------------------------------ */

/* Advance until it fails; the state must be that of the time reached, and finite. */
static void until_failure(bri_sim *sim, double t_end, bri_error *err) {
    double before = bri_sim_time(sim);
    assert_int_equal(bri_sim_advance(sim, t_end, err), BRI_NO_PROGRESS);
    assert_int_equal(err->status, BRI_NO_PROGRESS);
    double t = bri_sim_time(sim);
    assert_true(t >= before && t < t_end);
    near(bri_sim_stats(sim).t, t, 1e-15, "time reached");
    bri_body_now b = bri_sim_body(sim, 0);
    assert_true(isfinite(b.x) && isfinite(b.v));
    if (!strstr(err->text, "at t = ")) fail_msg("no time in '%s'", err->text);
}

static void step_limit(void **state) {
    for (int i = 0; i < SOLVERS; i++) {
        if (!bri_solver_find(all_solvers[i])) continue;
        setup s;
        bri_error err;
        rabinowicz(&s, "lugre", all_solvers[i], 1e-6);
        s.def.max_steps = 50;
        s.def.step = 1e-3;
        bri_sim *sim = start(&s);
        until_failure(sim, 50.0, &err);
        assert_non_null(strstr(err.text, "step limit"));
        bri_stats n = bri_sim_stats(sim);
        assert_true(n.steps > 0 && n.steps + n.rejected >= 50 && n.steps + n.rejected < 200);
        assert_true(bri_sim_time(sim) > 0.0);
        /* sticking until then: on the slab */
        near(bri_sim_body(sim, 0).x, 0.5 * bri_sim_time(sim), 1e-2, "position at the limit");
        bri_sim_free(sim);
    }
}

/* A fixed step beyond the limit of stability. */
static void too_large_a_step(void **state) {
    setup s;
    bri_error err;
    rabinowicz(&s, "lugre", "rk4", 1e-6);
    s.bodies[0].v = -50.0; /* slides at once and for long, at 50000 1/s */
    s.def.step = 0.01;
    bri_sim *sim = start(&s);
    until_failure(sim, 50.0, &err);
    assert_non_null(strstr(err.text, "fixed step"));
    bri_sim_free(sim);
    s.def.step = 0.0;
    assert_int_equal(bri_sim_create(&s.def, &sim, &err), BRI_BAD_VALUE);
    assert_null(sim);
    assert_non_null(strstr(err.text, "step"));
}

/* A law that is not a number from some deflection on. */
static double broken_eval(const bri_model *self, const double *p, const bri_input *u,
                          const double *z, double *dz) {
    dz[0] = u->v;
    return u->x > 0.2 ? NAN : 10.0 * z[0];
}

static void broken_law(void **state) {
    static const bri_state states[] = {{"z", "m", 1e-3, "deflection", 0}};
    static const bri_model broken = {.name = "broken",
                                     .title = "",
                                     .equations = "",
                                     .load = 1.0,
                                     .states = states,
                                     .n_states = 1,
                                     .eval = broken_eval};
    for (int i = 0; i < SOLVERS; i++) {
        if (!bri_solver_find(all_solvers[i])) continue;
        setup s;
        bri_error err;
        rabinowicz(&s, "lugre", all_solvers[i], 1e-6);
        s.bodies[1].velocity = NULL;
        s.bodies[1].mass = 1e9;
        s.contacts[0].model = &broken;
        s.def.step = 1e-2;
        bri_sim *sim = start(&s);
        until_failure(sim, 50.0, &err);
        /* the way until there has been made: x relative to the slab up to 0.2 m */
        near(bri_sim_body(sim, 0).x, 0.2, 0.1, all_solvers[i]);
        if (getenv("SHOW")) print_message("%s: %s\n", all_solvers[i], err.text);
        bri_sim_free(sim);
    }
}

/* A law of velocity alone, which looks whether there is a place for states, if for none of them. */
static double placed_eval(const bri_model *self, const double *p, const bri_input *u,
                          const double *z, double *dz) {
    if (!z || !dz) fail_msg("no place for states");
    return 2.0 * u->v;
}

/* Only prescribed bodies: nothing is left to integrate but heat, 2 v^2 t, and the empty vectors of
 * every solver are at some place, so that parts of them are, too. */
static void nothing_to_integrate(void **state) {
    static const bri_model placed = {
        .name = "placed", .title = "", .equations = "", .load = 1.0, .eval = placed_eval};
    for (int i = 0; i < SOLVERS; i++) {
        if (!bri_solver_find(all_solvers[i])) continue;
        setup s;
        rabinowicz(&s, "viscous", all_solvers[i], 1e-6);
        s.bodies[0] = (bri_body){.name = "block", .velocity = &s.signals[1]};
        s.signals[1] = bri_signal_constant(2.0);
        s.contacts[0].model = &placed;
        s.def.step = 0.1;
        bri_sim *sim = start(&s);
        go(sim, 3.0);
        near(bri_sim_energies(sim).dissipated, 2.0 * 1.5 * 1.5 * 3.0, 1e-9, all_solvers[i]);
        bri_sim_free(sim);
    }
}

static void bad_definitions(void **state) {
    setup s;
    bri_error err;
    bri_sim *sim;
    rabinowicz(&s, "lugre", "rosenbrock", 1.0);
    assert_int_equal(bri_sim_create(&s.def, &sim, &err), BRI_BAD_VALUE);
    s.def.rtol = 1e-6, s.def.t_end = 0.0;
    assert_int_equal(bri_sim_create(&s.def, &sim, &err), BRI_BAD_VALUE);
    s.def.t_end = 1.0, s.def.max_step = -1.0;
    assert_int_equal(bri_sim_create(&s.def, &sim, NULL), BRI_BAD_VALUE);
    s.def.max_step = 0.0;
    sim = start(&s);
    assert_int_equal(bri_sim_advance(sim, 2.0, &err), BRI_BAD_VALUE);
    go(sim, 0.5);
    assert_int_equal(bri_sim_advance(sim, 0.4, &err), BRI_BAD_VALUE);
    near(bri_sim_time(sim), 0.5, 0.0, "time after a refused call");
    bri_sim_free(sim);
    bri_sim_free(NULL);
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Ours, that is: calls inside the SUNDIALS libraries are not seen. */
static void no_allocation(void **state) {
    for (int i = 0; i < SOLVERS; i++) {
        if (!bri_solver_find(all_solvers[i])) continue;
        setup s;
        rabinowicz(&s, "lugre", all_solvers[i], 1e-5);
        s.def.step = 1e-3;
        long before = allocations;
        bri_sim *sim = start(&s);
        assert_true(allocations > before);
        before = allocations;
        for (int k = 1; k <= 25; k++) {
            go(sim, k);
            bri_sim_body(sim, 0);
            bri_sim_contact(sim, 0);
            bri_sim_coupling_force(sim, 0);
            bri_sim_energies(sim);
        }
        assert_int_equal(allocations, before);
        bri_sim_free(sim);
    }
}

/* ---- repeatability -------------------------------------------------------------------------- */

static void record(const char *solver, int samples, double (*to)[8]) {
    setup s;
    rabinowicz(&s, "lugre", solver, 1e-6);
    s.def.step = 1e-3;
    bri_sim *sim = start(&s);
    for (int k = 0; k < samples; k++) {
        go(sim, 50.0 * (k + 1) / samples);
        bri_body_now b = bri_sim_body(sim, 0);
        bri_contact_now c = bri_sim_contact(sim, 0);
        bri_energies e = bri_sim_energies(sim);
        double now[8] = {b.x, b.v, c.F, c.z[0], e.work, e.dissipated, e.stored, e.residual};
        memcpy(to[k], now, sizeof now);
    }
    bri_sim_free(sim);
}

static void same_bytes(void **state) {
    static double first[50][8], second[50][8], few[10][8];
    for (int i = 0; i < SOLVERS; i++) {
        if (!bri_solver_find(all_solvers[i])) continue;
        record(all_solvers[i], 50, first);
        record(all_solvers[i], 50, second);
        assert_memory_equal(first, second, sizeof first);
        record(all_solvers[i], 10, few); /* outputs do not disturb the steps */
        for (int k = 0; k < 10; k++) assert_memory_equal(few[k], first[5 * k + 4], sizeof few[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_limit),           cmocka_unit_test(too_large_a_step),
        cmocka_unit_test(broken_law),           cmocka_unit_test(bad_definitions),
        cmocka_unit_test(nothing_to_integrate), cmocka_unit_test(no_allocation),
        cmocka_unit_test(same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
