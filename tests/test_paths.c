/* test_paths.c - one rig, one answer, on whatever path it is computed: all that ships, and bristles
 * of one block, on every path that BRISTLE_PATH can ask for. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "bristle_scenario.h"
#include "sims.h"
#include "test.h"

#include <stdlib.h>

enum { MOST = 200, STEPS = 300, PATHS = 9 };

static bri_messages messages;
static int taken[PATHS];

static void note(const char *path) {
    for (int i = 1; bri_path_name(i); i++) taken[i] += strcmp(path, bri_path_name(i)) == 0;
}

/* The states at a time on a path; steps > 0: where so many of them lead, which is kept in *t. */
static void run(const bri_sim_def *def, const char *path, long steps, double *t, double *y) {
    bri_sim *sim;
    bri_error err;
    setenv("BRISTLE_PATH", path, 1);
    if (bri_sim_create(def, &sim, &err) != BRI_OK) fail_msg("%s: %s", path, err.text);
    note(bri_sim_path(sim));
    while (steps > 0 && bri_sim_stats(sim).steps < steps && bri_sim_time(sim) < *t)
        assert_int_equal(bri_sim_step(sim, *t, &err), BRI_OK);
    if (steps > 0) *t = bri_sim_time(sim);
    if (bri_sim_advance(sim, *t, &err) != BRI_OK) fail_msg("%s: %s", path, err.text);
    bri_sim_state_get(sim, y);
    bri_sim_free(sim);
    unsetenv("BRISTLE_PATH");
}

/* Positions, velocities and states are compared with the largest of their kind that was reached. */
static void compare_paths(const char *name, bri_sim_def def) {
    double y[MOST], other[MOST], t = def.t_start + 0.5 * (def.t_end - def.t_start);
    bri_sim *sim;
    def.rtol = 1e-8;
    def.energies = 0;
    def.event_room = -1;
    assert_int_equal(bri_sim_create(&def, &sim, NULL), BRI_OK);
    int n = bri_sim_states(sim);
    bri_sim_free(sim);
    if (n > MOST) return;
    run(&def, "general", STEPS, &t, y);
    for (int i = 0; bri_path_name(i); i++) {
        run(&def, bri_path_name(i), 0, &t, other);
        double size = 0.0, off = 0.0;
        for (int k = 0; k < n; k++) size = fmax(size, fabs(y[k]));
        for (int k = 0; k < n; k++) off = fmax(off, fabs(y[k] - other[k]));
        if (!(off <= 1e-5 * size))
            fail_msg("%s at t = %g s: %s is off by %.1e of %.1e", name, t, bri_path_name(i), off,
                     size);
    }
}

static void all_that_ships(void **state) {
    for (int i = 0; i < bri_scenario_count(); i++) {
        bri_scenario *s;
        assert_int_equal(bri_scenario_load(bri_scenario_name(i), NULL, &s, &messages), BRI_OK);
        bri_sim_def def = *bri_scenario_def(s);
        if (def.solver && strcmp(bri_solver_name(def.solver), "time_stepping") == 0)
            def.solver = NULL;
        if (def.system.n_bodies <= 50) compare_paths(bri_scenario_name(i), def);
        bri_scenario_free(s);
    }
}

static void one_block(void **state) {
    static const char *const laws[] = {
        "lugre",    "dahl",     "elasto_plastic",       "stribeck_tanh", "coulomb",
        "stribeck", "gonthier", "bristle_second_order", "olsson_astrom"};
    for (int i = 0; i < 9; i++) {
        setup s;
        rabinowicz(&s, laws[i], "rosenbrock", 1e-8);
        compare_paths(laws[i], s.def);
    }
}

/* Blocks in a long row, on a conveyor that swings and below a plate that does so too, with
 * couplings and loads that are not alike. */
enum { BLOCKS = 1100, ROW_STATES = 3 * BLOCKS };

typedef struct row {
    bri_body bodies[BLOCKS + 2];
    bri_coupling couplings[2 * BLOCKS];
    bri_contact contacts[BLOCKS];
    bri_signal plate, conveyor;
    bri_sim_def def;
} row;

static void make_row(row *r, const char *law, int damped) {
    const bri_coupling_kind *kind = bri_coupling_find(damped ? "spring_damper" : "spring");
    *r = (row){.def = bri_sim_defaults()};
    r->plate = r->conveyor = bri_signal_defaults(bri_signal_find("sine"));
    r->plate.p[0] = 0.2; /* amplitude [m/s], frequency [Hz] */
    r->plate.p[1] = 9.0;
    r->conveyor.p[0] = 0.1;
    r->conveyor.p[1] = 14.0;
    for (int i = 0; i < BLOCKS; i++) {
        double odd = 0.1 * (double)(i * 37 % 11);
        r->bodies[i] = (bri_body){.mass = 1.0 + odd, .x = 1e-3 * odd, .v = 0.1 - 0.02 * odd};
        r->couplings[i] = bri_coupling_defaults(kind, BLOCKS, i);
        r->couplings[BLOCKS + i] = bri_coupling_defaults(kind, i, i + 1);
        for (int k = 0; k <= damped; k++) {
            r->couplings[i].p[k] = k ? 0.3 + odd : 40.0 + odd;
            r->couplings[BLOCKS + i].p[k] = k ? 2.0 + odd : 1000.0 + 50.0 * odd;
        }
        bri_contact *c = &r->contacts[i];
        *c = (bri_contact){.model = bri_model_find(law), .a = i, .b = BLOCKS + 1, .n = 10.0 + odd};
        bri_model_defaults(c->model, c->p);
    }
    r->bodies[BLOCKS] = (bri_body){.velocity = &r->plate};
    r->bodies[BLOCKS + 1] = (bri_body){.velocity = &r->conveyor};
    r->def.system = (bri_system){.bodies = r->bodies,
                                 .couplings = r->couplings,
                                 .contacts = r->contacts,
                                 .n_bodies = BLOCKS + 2,
                                 .n_couplings = 2 * BLOCKS - 1,
                                 .n_contacts = BLOCKS};
    r->def.t_end = 0.02;
    r->def.rtol = 1e-7;
    r->def.energies = 0;
    r->def.event_room = -1;
}

/* The states at the end, and how many steps that took. */
static long run_row(const row *r, const char *path, double *y) {
    bri_sim *sim;
    bri_error err;
    setenv("BRISTLE_PATH", path, 1);
    if (bri_sim_create(&r->def, &sim, &err) != BRI_OK) fail_msg("%s: %s", path, err.text);
    if (strcmp(path, "general") != 0) assert_string_equal(bri_sim_path(sim), path);
    if (bri_sim_advance(sim, r->def.t_end, &err) != BRI_OK) fail_msg("%s: %s", path, err.text);
    bri_sim_state_get(sim, y);
    long steps = bri_sim_stats(sim).steps;
    bri_sim_free(sim);
    unsetenv("BRISTLE_PATH");
    return steps;
}

static void long_row(void **state) {
    static const char *const laws[] = {"lugre", "dahl", "coulomb_tanh"};
    static double y[2][ROW_STATES];
    if (bri_level_best() == BRI_LEVEL_LIBM) return; /* rows need kernels */
    for (int k = 0; k < 6; k++) {
        row *r = malloc(sizeof *r);
        assert_non_null(r);
        make_row(r, laws[k / 2], k % 2);
        int n = (k / 2 < 2 ? 3 : 2) * BLOCKS;
        long steps = run_row(r, "rows", y[0]), alone = run_row(r, "general", y[1]);
        /* the first steps are so short that their errors are roundings: no two ways are alike */
        if (labs(steps - alone) > 4 + steps / 20)
            fail_msg("%s: %ld steps in general, %ld in rows", laws[k / 2], alone, steps);
        for (int i = 0; i < n; i++) {
            double size = i < BLOCKS ? 2e-3 : i < 2 * BLOCKS ? 0.1 : 1e-4;
            near(y[1][i] / size + 1.0, y[0][i] / size + 1.0, 1e-5, laws[k / 2]);
        }
        free(r);
    }
}

static void every_path_was_taken(void **state) {
    for (int i = 1; bri_path_name(i); i++) {
        print_message("%s: %d runs\n", bri_path_name(i), taken[i]);
        int by_hand = strcmp(bri_path_name(i), "lugre") == 0; /* needs vector instructions */
        if (strcmp(bri_path_name(i), "lanes") == 0) continue; /* of many runs: test_lanes.c */
        if (taken[i] == 0 && !(by_hand && bri_level_best() == BRI_LEVEL_LIBM))
            fail_msg("the path %s was never taken", bri_path_name(i));
        assert_non_null(bri_path_text(i));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_ships),
        cmocka_unit_test(one_block),
        cmocka_unit_test(long_row),
        cmocka_unit_test(every_path_was_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
