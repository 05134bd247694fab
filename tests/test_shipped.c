/* test_shipped.c - the scenarios that ship with bristle: they are complete, they run, and they give
 * the numbers of the papers. */
#include "bristle_scenario.h"
#include "test.h"

#include <stdlib.h>

static bri_messages messages;

/* A run of a shipped scenario. */
typedef struct rig {
    bri_scenario *s;
    bri_sim *sim;
} rig;

static rig start(const char *name, const char *law, const bri_override *changes, int n_changes) {
    rig r;
    bri_error err;
    const bri_scenario_options options = {changes, n_changes, law ? bri_model_find(law) : NULL};
    if (bri_scenario_load(name, &options, &r.s, &messages))
        fail_msg("%s", messages.message[0].text);
    if (bri_sim_create(bri_scenario_def(r.s), &r.sim, &err)) fail_msg("%s: %s", name, err.text);
    return r;
}

static void advance(const rig *r, double t) {
    bri_error err;
    if (bri_sim_advance(r->sim, t, &err)) fail_msg("%s: %s", bri_scenario_title(r->s), err.text);
}

static void stop(rig *r) {
    bri_sim_free(r->sim);
    bri_scenario_free(r->s);
}

static int body(const rig *r, const char *name) {
    const bri_system *y = &bri_scenario_def(r->s)->system;
    for (int i = 0; i < y->n_bodies; i++)
        if (strcmp(y->bodies[i].name, name) == 0) return i;
    fail_msg("no body %s", name);
    return 0;
}

/* Displacement of a body since the start. */
static double moved(const rig *r, const char *name) {
    int i = body(r, name);
    return bri_sim_body(r->sim, i).x - bri_scenario_def(r->s)->system.bodies[i].x;
}

/* ---- all of them --------------------------------------------------------------------------- */

static void all_are_there(void **state) {
    static const char *const wanted[] = {
        "belt",
        "brake",
        "chain",
        "chain_weakening",
        "dankowicz_constant",
        "dankowicz_step",
        "dankowicz_swept",
        "duffing",
        "festoon",
        "leus_still",
        "leus_vibrating",
        "olsson_hysteresis",
        "olsson_presliding",
        "olsson_reversal",
        "olsson_stick_slip",
        "pendulum_control",
        "presliding",
        "pulse",
        "rabinowicz",
        "rack_and_pinion",
        "robot_joint",
        "sheet",
        "three_dof",
        "velocity_steps",
        "wall_step",
        "wall_step_small",
    };
    int n = sizeof wanted / sizeof *wanted;
    assert_int_equal(bri_scenario_count(), n);
    for (int i = 0; i < n; i++) {
        assert_string_equal(bri_scenario_name(i), wanted[i]);
        assert_non_null(strstr(bri_scenario_text(wanted[i]), "\ntitle: "));
        assert_int_equal(bri_scenario_text(wanted[i])[0], '#');
    }
    assert_null(bri_scenario_name(n));
    assert_null(bri_scenario_name(-1));
    assert_null(bri_scenario_text("nothing"));
}

/* Every scenario with its own law and with those that it compares, as far as solvers go today. */
static void all_run_a_little(void **state) {
    for (int i = 0; i < bri_scenario_count(); i++) {
        rig r = start(bri_scenario_name(i), NULL, NULL, 0);
        const bri_sim_def *def = bri_scenario_def(r.s);
        advance(&r, def->t_start + 0.01 * (def->t_end - def->t_start));
        assert_true(bri_scenario_output(r.s) > 0.0);
        assert_true(strlen(bri_scenario_describe(r.s)) > 100);
        stop(&r);
    }
}

static void all_take_every_smooth_law(void **state) {
    for (int i = 0; i < bri_scenario_count(); i++)
        for (int k = 0; k < bri_model_count(); k++) {
            if (bri_model_at(k)->set_valued) continue;
            const bri_scenario_options options = {NULL, 0, bri_model_at(k)};
            bri_scenario *s;
            bri_status status = bri_scenario_load(bri_scenario_name(i), &options, &s, &messages);
            /* a default of the law may not go with what is given, or no level that is given be its
             */
            const char *why = status ? messages.message[0].text : "";
            if (status && !strstr(why, "must be") && !strstr(why, "is missing"))
                fail_msg("%s", messages.message[0].text);
            bri_scenario_free(s);
        }
}

/* ---- numbers of experiments.md ------------------------------------------------------------- */

static void rabinowicz_breaks_away(void **state) {
    rig r = start("rabinowicz", NULL, NULL, 0);
    double t = 0.0;
    while (t < 30.0 && bri_sim_contact(r.sim, 0).v > -0.02) advance(&r, t += 0.01);
    near(t, 23.5, 0.01, "break-away of LuGre [s]");
    stop(&r);
}

static void pulses_make_some_laws_drift(void **state) {
    static const struct {
        const char *law, *force;
        double t, x, tolerance;
    } rows[] = {
        {"lugre", "2 N", 0.2, 0.021287e-3, 5e-5},
        {"lugre", "4.5 N", 0.4, 19.306e-3, 5e-5},
        {"regularized", "2 N", 0.2, 0.018745e-3, 5e-5},
        {"bristle_implicit", "2 N", 0.2, 0.0, 1e-11},
        {"bristle_second_order", "2 N", 0.2, -6.26e-8, 0.02},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bri_override force = {"push.force.pulses.value", rows[i].force};
        rig r = start("pulse", rows[i].law, &force, 1);
        advance(&r, rows[i].t);
        near(moved(&r, "block"), rows[i].x, rows[i].tolerance, rows[i].law);
        stop(&r);
    }
}

static double restick(const char *law) {
    rig r = start("belt", law, NULL, 0);
    double t = 8.0;
    for (advance(&r, t); t < 15.0 && fabs(bri_sim_contact(r.sim, 0).v) > 1e-3;)
        advance(&r, t += 0.001);
    stop(&r);
    return t;
}

static void the_belt_catches_the_block(void **state) {
    near(restick("lugre"), 9.958, 2e-4, "re-stick, LuGre [s]");
    near(restick("bristle_second_order"), 10.037, 2e-4, "re-stick, second order [s]");
}

static void the_festoon_creeps_or_not(void **state) {
    rig r = start("festoon", "regularized", NULL, 0);
    advance(&r, 14.0);
    near(moved(&r, "T1"), 0.4e-3, 0.125, "T1, static law, as printed [m]");
    near(moved(&r, "T2"), 17.9e-3, 0.003, "T2, static law, as printed [m]");
    stop(&r);
    r = start("festoon", "bristle_second_order", NULL, 0);
    advance(&r, 14.0);
    near(moved(&r, "T1"), 0.009e-3, 0.06, "T1, second order [m]");
    near(moved(&r, "T2"), 17.9e-3, 0.003, "T2, second order, as printed [m]");
    stop(&r);
    r = start("festoon", "lugre", NULL, 0);
    double t = 9.0;
    for (advance(&r, t); t < 14.0 && moved(&r, "T1") < 1e-3;) advance(&r, t += 0.01);
    near(t, 10.3, 0.011, "break-away of T1, LuGre, about as printed [s]");
    advance(&r, 14.0);
    near(bri_sim_body(r.sim, body(&r, "T1")).x, 0.5384, 1e-4, "T1, LuGre, as printed [m]");
    stop(&r);
}

/* Largest and smallest spring force between two times. */
static void spring_range(const rig *r, double from, double until, double h, double out[2]) {
    out[0] = -INFINITY;
    out[1] = INFINITY;
    for (int k = 0; from + k * h <= until; k++) {
        advance(r, from + k * h);
        double F = bri_sim_coupling_force(r->sim, 0);
        out[0] = fmax(out[0], F);
        out[1] = fmin(out[1], F);
    }
}

static void olsson_sticks_and_slips(void **state) {
    double F[2];
    rig r = start("olsson_stick_slip", NULL, NULL, 0);
    spring_range(&r, 20.0, 50.0, 0.001, F);
    near(F[0], 1.59116, 1e-5, "largest spring force [N]");
    near(F[1], 0.79143, 1e-5, "smallest spring force [N]");
    stop(&r);
}

static void olsson_lags(void **state) {
    static const double area[2] = {9.01517e-4, 4.33298e-3};
    for (int k = 0; k < 2; k++) {
        const bri_override w = {"block.velocity.sine.frequency", k ? "20 rad/s" : "4 rad/s"};
        rig r = start("olsson_hysteresis", NULL, &w, 1);
        double T = 6.28318530717958648 / (k ? 20.0 : 4.0), sum = 0.0, F = 0.0, v = 0.0;
        for (int i = 0; i <= 2000; i++) {
            advance(&r, 2.0 * T + T * i / 2000.0);
            bri_contact_now c = bri_sim_contact(r.sim, 0);
            if (i) sum += 0.5 * (c.F + F) * (c.v - v);
            F = c.F;
            v = c.v;
        }
        near(sum, area[k], 2e-5, "area of the loop");
        stop(&r);
    }
}

static void leus_oscillates_on_a_still_support(void **state) {
    double F[2];
    rig r = start("leus_still", NULL, NULL, 0);
    spring_range(&r, 2.0, 10.0, 0.0005, F);
    near(F[0], 11.076, 2e-4, "peak, LuGre [N]");
    near(F[1], 5.525, 2e-4, "valley, LuGre [N]");
    stop(&r);
    r = start("leus_still", "reset_integrator", NULL, 0);
    spring_range(&r, 2.0, 10.0, 0.0005, F);
    near(F[0], 10.514, 2e-4, "peak, reset integrator [N]");
    near(F[1], 5.176, 2e-4, "valley, reset integrator [N]");
    stop(&r);
}

static void a_small_step_of_the_wall_makes_sat_creep(void **state) {
    rig r = start("wall_step_small", "coulomb_sat", NULL, 0);
    advance(&r, 1.0);
    near(moved(&r, "block"), 0.484e-3, 1e-3, "x(1 s) of sat [m]");
    stop(&r);
    r = start("wall_step_small", NULL, NULL, 0);
    advance(&r, 2.0);
    assert_true(moved(&r, "block") < 1e-5);
    stop(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_there),
        cmocka_unit_test(all_run_a_little),
        cmocka_unit_test(all_take_every_smooth_law),
        cmocka_unit_test(rabinowicz_breaks_away),
        cmocka_unit_test(pulses_make_some_laws_drift),
        cmocka_unit_test(the_belt_catches_the_block),
        cmocka_unit_test(the_festoon_creeps_or_not),
        cmocka_unit_test(olsson_sticks_and_slips),
        cmocka_unit_test(olsson_lags),
        cmocka_unit_test(leus_oscillates_on_a_still_support),
        cmocka_unit_test(a_small_step_of_the_wall_makes_sat_creep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
