/* test_agreement.c - two independent integrators, our Rosenbrock method and CVODE's BDF, agree on
 * every scenario that ships. The numbers of digits are those that docs/verification.md states, less
 * half a digit; a difference is measured against the range of its column over the run. */
#include "bristle_scenario.h"
#include "test.h"
#include <stdlib.h>

enum { SAMPLES = 400 };

/* The scenarios of Leus are cut, whose fast vibration takes CVODE minutes, and so are those of many
 * blocks. Where the law sticks exactly, which CVODE cannot, another one takes its place. */
static const struct {
    const char *name;
    double until, digits;
    const char *model;
} agreed[] = {
    {"belt", 0, 4.7},
    {"brake", 0, 9.6, "stribeck_tanh"},
    {"chain", 4, 5.4},
    {"chain_weakening", 2, 4.1},
    {"dankowicz_constant", 0, 6.8},
    {"dankowicz_step", 0, 6.8},
    {"dankowicz_swept", 0, 5.6},
    {"duffing", 0, 5.9},
    {"festoon", 0, 5.5},
    {"leus_still", 1.2, 5.6},
    {"leus_vibrating", 10.01, 4.1},
    {"olsson_hysteresis", 0, 7.7},
    {"olsson_presliding", 0, 5.9},
    {"olsson_reversal", 0, 7.6},
    {"olsson_stick_slip", 0, 4.6},
    {"pendulum_control", 0, 8.7, "stribeck_tanh"},
    {"presliding", 0, 7.4},
    {"pulse", 0, 7.2},
    {"rabinowicz", 0, 4.8},
    {"rack_and_pinion", 0, 7.3},
    {"robot_joint", 0, 7.7},
    {"sheet", 0.5, 5.5},
    {"three_dof", 0, 6.2},
    {"velocity_steps", 0, 8.3},
    {"wall_step", 0, 6.5},
    {"wall_step_small", 0, 7.3},
};

/* All columns of a run at evenly spaced times; the caller frees them. */
static double *run(const char *name, const char *model, const char *solver, double rtol,
                   double until, bri_recorder **columns) {
    const bri_scenario_options options = {.model = model ? bri_model_find(model) : NULL};
    bri_messages messages;
    bri_scenario *scenario;
    bri_error err;
    bri_sim *sim;
    assert_int_equal(bri_scenario_load(name, &options, &scenario, &messages), BRI_OK);
    bri_sim_def def = *bri_scenario_def(scenario);
    def.solver = bri_solver_find(solver);
    def.rtol = rtol;
    def.energies = 0;
    if (until > 0.0) def.t_end = until;
    assert_int_equal(bri_recorder_create(&def, columns, &err), BRI_OK);
    assert_int_equal(bri_sim_create(&def, &sim, &err), BRI_OK);
    int width = bri_recorder_columns(*columns);
    double *rows = calloc((size_t)(SAMPLES * width), sizeof *rows);
    assert_non_null(rows);
    for (int k = 0; k < SAMPLES; k++) {
        double t = def.t_start + (def.t_end - def.t_start) * k / (SAMPLES - 1);
        if (bri_sim_advance(sim, k == SAMPLES - 1 ? def.t_end : t, &err) != BRI_OK)
            fail_msg("%s with %s: %s", name, solver, err.text);
        bri_recorder_read(*columns, sim, rows + k * width);
    }
    bri_sim_free(sim);
    bri_scenario_free(scenario);
    return rows;
}

/* Largest difference of a column over its range; columns that do not vary count nothing. */
static double difference(const double *a, const double *b, int width, int column) {
    double low = a[column], high = low, most = 0.0;
    for (int k = 0; k < SAMPLES; k++) {
        double x = a[k * width + column];
        low = fmin(low, x);
        high = fmax(high, x);
        most = fmax(most, fabs(x - b[k * width + column]));
    }
    return high > low ? most / (high - low) : 0.0;
}

static void two_solvers_agree_on_every_shipped_scenario(void **state) {
    (void)state;
    if (!bri_solver_find("cvode_bdf")) skip();
    for (size_t i = 0; i < sizeof agreed / sizeof *agreed; i += (size_t)USUALLY(1, 2, 5)) {
        bri_recorder *columns, *same;
        const char *name = agreed[i].name, *model = agreed[i].model;
        double *ours = run(name, model, "rosenbrock", 1e-9, agreed[i].until, &columns);
        double *theirs = run(name, model, "cvode_bdf", 1e-9, agreed[i].until, &same);
        int width = bri_recorder_columns(columns);
        double worst = 0.0;
        const char *where = "";
        for (int c = 1; c < width; c++) {
            const char *column = bri_recorder_name(columns, c);
            if (strstr(column, ".mode") || strncmp(column, "energy", 6) == 0) continue;
            double d = difference(ours, theirs, width, c);
            if (d > worst) worst = d, where = column;
        }
        double digits = worst > 0.0 ? -log10(worst) : 16.0;
        print_message("%-20s %4.1f digits (%s)\n", name, digits, where);
        if (digits < agreed[i].digits - 0.5)
            fail_msg("%s: %.1f digits in %s, %.1f expected", name, digits, where, agreed[i].digits);
        bri_recorder_free(columns);
        bri_recorder_free(same);
        free(ours);
        free(theirs);
    }
}

/* Solvers for systems that are not stiff let the velocity of a bristle that sticks tremble about
 * zero, hundreds of turns in a microsecond: that is no reason to end a run, and no error that
 * grows. The largest differences to a tight run are 2e-4 of the range at 1e-5. */
static void trembling_contacts_go_on(void **state) {
    static const char *const solvers[] = {"cvode_adams", "erk_bs23"};
    if (!bri_solver_find("cvode_adams")) skip();
    bri_recorder *columns, *same;
    double *tight = run("three_dof", NULL, "rosenbrock", 1e-9, 0.0, &columns);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            double rtol = k == 0 ? 1e-5 : 1e-6;
            double *loose = run("three_dof", NULL, solvers[i], rtol, 0.0, &same);
            int width = bri_recorder_columns(columns);
            for (int c = 1; c < width; c++)
                if (strcmp(bri_recorder_name(columns, c), "top.x") == 0 ||
                    strcmp(bri_recorder_name(columns, c), "middle.x") == 0)
                    assert_true(difference(tight, loose, width, c) < 100.0 * rtol);
            bri_recorder_free(same);
            free(loose);
        }
    bri_recorder_free(columns);
    free(tight);
}

static void every_shipped_scenario_is_in_the_list(void **state) {
    (void)state;
    for (int i = 0; i < bri_scenario_count(); i++) {
        int found = 0;
        for (size_t k = 0; k < sizeof agreed / sizeof *agreed; k++)
            found |= strcmp(agreed[k].name, bri_scenario_name(i)) == 0;
        if (!found) fail_msg("%s is not compared", bri_scenario_name(i));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_scenario_is_in_the_list),
        cmocka_unit_test(two_solvers_agree_on_every_shipped_scenario),
        cmocka_unit_test(trembling_contacts_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
