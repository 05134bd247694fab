/* test_recorder.c - the columns of a run, their units and their values. */
#include "bristle_scenario.h"
#include "sims.h"

static bri_recorder *recorder_of(const bri_sim_def *def) {
    bri_recorder *r;
    bri_error err;
    if (bri_recorder_create(def, &r, &err) != BRI_OK) fail_msg("%s", err.text);
    return r;
}

/* Names and units, "t [s]", against a list that ends with NULL. */
static void has_columns(const bri_recorder *r, const char *const *want) {
    int n = 0;
    for (; want[n]; n++) {
        char got[100];
        if (n >= bri_recorder_columns(r)) fail_msg("there is no column %s", want[n]);
        snprintf(got, sizeof got, "%s [%s]", bri_recorder_name(r, n), bri_recorder_unit(r, n));
        assert_string_equal(got, want[n]);
        assert_int_equal(bri_recorder_find(r, bri_recorder_name(r, n)), n);
    }
    assert_int_equal(bri_recorder_columns(r), n);
    assert_int_equal(bri_recorder_find(r, "nothing.x"), -1);
}

static void columns_of_the_rabinowicz_rig(void **state) {
    (void)state;
    setup s;
    rabinowicz(&s, "lugre", "rosenbrock", 1e-6);
    bri_recorder *r = recorder_of(&s.def);
    static const char *const want[] = {"t [s]",
                                       "block.x [m]",
                                       "block.v [m/s]",
                                       "slab.x [m]",
                                       "slab.v [m/s]",
                                       "pad.v [m/s]",
                                       "pad.F [N]",
                                       "pad.N [N]",
                                       "pad.mode [1]",
                                       "pad.z [m]",
                                       "spring1.F [N]",
                                       "energy.kinetic [J]",
                                       "energy.potential [J]",
                                       "energy.stored [J]",
                                       "energy.dissipated [J]",
                                       "energy.work [J]",
                                       "energy.residual [J]",
                                       NULL};
    has_columns(r, want);
    bri_recorder_free(r);
}

/* Without the integrals there is neither heat nor work nor residual. */
static void columns_without_energies(void **state) {
    (void)state;
    setup s;
    oscillator(&s);
    s.def.energies = 0;
    bri_recorder *r = recorder_of(&s.def);
    static const char *const want[] = {"t [s]",
                                       "mass.x [m]",
                                       "mass.v [m/s]",
                                       "oil.v [m/s]",
                                       "oil.F [N]",
                                       "oil.N [N]",
                                       "oil.mode [1]",
                                       "spring1.F [N]",
                                       "energy.kinetic [J]",
                                       "energy.potential [J]",
                                       "energy.stored [J]",
                                       NULL};
    has_columns(r, want);
    bri_recorder_free(r);
}

/* Points have four columns, rotors their own units; what has no name gets a number that is free. */
static void kinds_and_names(void **state) {
    (void)state;
    setup s;
    memset(&s, 0, sizeof s);
    s.def = bri_sim_defaults();
    s.bodies[0] = (bri_body){.name = "disc", .kind = BRI_ROTOR, .mass = 1.0};
    s.bodies[1] = (bri_body){.kind = BRI_POINT, .mass = 1.0, .z = -1.0};
    s.bodies[2] = (bri_body){.mass = 1.0, .x = 1.0};
    s.couplings[0] = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 0);
    s.couplings[1] = bri_coupling_defaults(bri_coupling_find("spring"), 1, 2);
    s.couplings[0].p[0] = s.couplings[1].p[0] = 1.0;
    s.contacts[0] =
        (bri_contact){.name = "spring1", .model = bri_model_find("lugre"), .b = BRI_GROUND};
    s.contacts[1] = (bri_contact){.model = bri_model_find("viscous"), .a = 2, .b = BRI_GROUND};
    for (int i = 0; i < 2; i++) bri_model_defaults(s.contacts[i].model, s.contacts[i].p);
    point_to(&s, 3, 2, 2, 0);
    bri_recorder *r = recorder_of(&s.def);
    static const char *const want[] = {"t [s]",
                                       "disc.x [rad]",
                                       "disc.v [rad/s]",
                                       "point1.x [m]",
                                       "point1.z [m]",
                                       "point1.vx [m/s]",
                                       "point1.vz [m/s]",
                                       "mass1.x [m]",
                                       "mass1.v [m/s]",
                                       "spring1.v [rad/s]",
                                       "spring1.F [N m]",
                                       "spring1.N [N m]",
                                       "spring1.mode [1]",
                                       "spring1.z [rad]",
                                       "contact1.v [m/s]",
                                       "contact1.F [N]",
                                       "contact1.N [N]",
                                       "contact1.mode [1]",
                                       "spring2.F [N m]",
                                       "spring3.F [N]",
                                       "energy.kinetic [J]",
                                       "energy.potential [J]",
                                       "energy.stored [J]",
                                       "energy.dissipated [J]",
                                       "energy.work [J]",
                                       "energy.residual [J]",
                                       NULL};
    has_columns(r, want);
    bri_sim *sim = start(&s);
    double row[26];
    go(sim, 0.1);
    bri_recorder_read(r, sim, row);
    bri_body_now point = bri_sim_body(sim, 1);
    assert_true(row[3] == point.x && row[4] == point.z && row[5] == point.v && row[6] == point.vz);
    assert_true(row[18] == bri_sim_coupling_force(sim, 0));
    assert_true(row[19] == bri_sim_coupling_force(sim, 1));
    bri_sim_free(sim);
    bri_recorder_free(r);
}

static void values_are_those_of_the_simulation(void **state) {
    (void)state;
    setup s;
    rabinowicz(&s, "lugre", "rosenbrock", 1e-8);
    bri_recorder *r = recorder_of(&s.def);
    bri_sim *sim = start(&s);
    double row[17];
    for (int i = 0; i <= 10; i++) {
        go(sim, 5.0 * i);
        bri_recorder_read(r, sim, row);
        bri_body_now block = bri_sim_body(sim, 0), slab = bri_sim_body(sim, 1);
        bri_contact_now pad = bri_sim_contact(sim, 0);
        const double want[11] = {5.0 * i,
                                 block.x,
                                 block.v,
                                 slab.x,
                                 slab.v,
                                 pad.v,
                                 pad.F,
                                 pad.N,
                                 pad.motion,
                                 pad.z[0],
                                 bri_sim_coupling_force(sim, 0)};
        for (int k = 0; k < 11; k++) assert_true(row[k] == want[k]);
        bri_energies e = bri_sim_energies(sim);
        const double energies[6] = {e.kinetic,    e.potential, e.stored,
                                    e.dissipated, e.work,      e.residual};
        for (int k = 0; k < 6; k++) assert_true(row[11 + k] == energies[k]);
        near(row[10], 10.0 * row[1], 1e-12, "spring force");
        near(row[11], 0.5 * 20.0 * row[2] * row[2], 1e-12, "kinetic energy");
        near(row[12], 0.5 * 10.0 * row[1] * row[1], 1e-12, "potential energy");
        assert_true(row[8] == -1.0 || row[8] == 0.0 || row[8] == 1.0);
    }
    assert_true(row[1] < 12.0 && row[1] > 7.0);
    bri_sim_free(sim);
    bri_recorder_free(r);
}

/* The command advances in pieces whose length depends on the clock: that must not show. */
static void pieces_do_not_change_the_rows(void **state) {
    (void)state;
    static const char *const solvers[] = {"rosenbrock", "rk4", "cvode_bdf", "erk_dopri5"};
    for (int k = 0; k < 4; k++) {
        if (!bri_solver_find(solvers[k])) continue;
        setup s;
        rabinowicz(&s, "lugre", solvers[k], 1e-6);
        s.def.t_end = 2.0;
        s.def.step = 1e-3;
        s.bodies[0].v = -0.5; /* slides at first */
        bri_recorder *r = recorder_of(&s.def);
        bri_sim *whole = start(&s), *parts = start(&s);
        double a[17], b[17];
        for (int i = 1; i <= 20; i++) {
            double t = i / 10.0, from = (i - 1) / 10.0;
            go(whole, t);
            for (int j = 1; j < 1 + i % 5; j++) go(parts, from + 0.02 * j);
            go(parts, t);
            bri_recorder_read(r, whole, a);
            bri_recorder_read(r, parts, b);
            for (int c = 0; c < 17; c++)
                if (memcmp(&a[c], &b[c], sizeof *a) != 0)
                    fail_msg("%s: %s at %g s: %.17g in one piece, %.17g in parts", solvers[k],
                             bri_recorder_name(r, c), t, a[c], b[c]);
        }
        bri_sim_free(whole);
        bri_sim_free(parts);
        bri_recorder_free(r);
    }
}

static void refuses_what_is_incomplete(void **state) {
    (void)state;
    setup s;
    bri_error err;
    bri_recorder *r;
    oscillator(&s);
    s.contacts[0].model = NULL;
    assert_int_equal(bri_recorder_create(&s.def, &r, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "a contact has no law");
    oscillator(&s);
    s.couplings[0].kind = NULL;
    assert_int_equal(bri_recorder_create(&s.def, &r, &err), BRI_BAD_VALUE);
    assert_null(r);
    bri_recorder_free(NULL);
}

/* Each column alone, read from a run of its own, has what it has among all. */
static void one_column_is_as_among_all(void **state) {
    static const char *const rigs[] = {"rabinowicz", "three_dof", "rack_and_pinion", "brake"};
    static bri_messages messages;
    enum { ROWS = 40, MOST = 80 };
    (void)state;
    for (int k = 0; k < 4; k++) {
        bri_scenario *scenario;
        bri_error err;
        bri_status status = bri_scenario_load(rigs[k], NULL, &scenario, &messages);
        if (status == BRI_MISSING) skip(); /* a build without YAML */
        assert_int_equal(status, BRI_OK);
        const bri_sim_def *def = bri_scenario_def(scenario);
        bri_recorder *all = recorder_of(def);
        int n = bri_recorder_columns(all);
        assert_true(n <= MOST);
        static double want[ROWS][MOST];
        for (int c = -1; c < n; c++) { /* all of them first */
            bri_sim *sim;
            double row[MOST];
            bri_recorder *one = recorder_of(def);
            if (c >= 0)
                assert_int_equal(bri_recorder_select(one, bri_recorder_name(all, c), &err), BRI_OK);
            assert_int_equal(bri_sim_create(def, &sim, &err), BRI_OK);
            for (int i = 0; i < ROWS; i++) {
                go(sim, def->t_start + 0.02 * (i + 1) * (def->t_end - def->t_start) / ROWS);
                bri_recorder_read(one, sim, c < 0 ? want[i] : row);
                if (c >= 0 && row[c > 0] != want[i][c])
                    fail_msg("%s, %s: %.17g, not %.17g", rigs[k], bri_recorder_name(all, c),
                             row[c > 0], want[i][c]);
            }
            bri_sim_free(sim);
            bri_recorder_free(one);
        }
        bri_recorder_free(all);
        bri_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_the_rabinowicz_rig),
        cmocka_unit_test(columns_without_energies),
        cmocka_unit_test(kinds_and_names),
        cmocka_unit_test(values_are_those_of_the_simulation),
        cmocka_unit_test(pieces_do_not_change_the_rows),
        cmocka_unit_test(one_column_is_as_among_all),
        cmocka_unit_test(refuses_what_is_incomplete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
