/* test_trust.c - rigs on which a default run was wrong or given up once, and whether a run notices
 * that its steps are not what they should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bristle_scenario.h"
#include "bristle_sim.h"
#include "solvers/solver.h"
#include <math.h>
#include <string.h>

static bri_scenario *parse(const char *text) {
    bri_scenario *s;
    bri_messages messages = {0};
    if (bri_scenario_parse(text, strlen(text), "rig.yaml", NULL, &s, &messages) != BRI_OK)
        fail_msg("%s", messages.message[0].text);
    return s;
}

/* Body 0 at the end; the verdict, or why there is no end. */
static bri_status end_of(bri_scenario *s, const bri_solver *solver, double rtol, double max_step,
                         bri_body_now *end, bri_error *err) {
    bri_sim_def def = *bri_scenario_def(s);
    bri_sim *sim;
    bri_findings seen;
    def.solver = solver;
    def.rtol = rtol;
    def.max_step = max_step;
    if (solver->fixed_step) def.step = max_step;
    if (bri_sim_create(&def, &sim, err) != BRI_OK) fail_msg("%s", err->text);
    bri_status status = bri_sim_advance(sim, def.t_end, err);
    if (end) *end = bri_sim_body(sim, 0);
    if (status == BRI_OK) status = bri_sim_verdict(sim, &seen, err);
    bri_sim_free(sim);
    return status;
}

/* Drawn over a support that vibrates with 89 Hz, a block turns on it 214 times. Two codes of other
 * hands have it at 0.3625 m in the end. */
static void turns_on_a_vibrating_support(void **state) {
    bri_scenario *s = parse("bodies:\n"
                            "  block: {mass: 14}\n"
                            "  drive: {velocity: 0.35}\n"
                            "  support: {velocity: {sine: {amplitude: 1.28, frequency: 89}}}\n"
                            "couplings: [{name: pull, spring: [block, drive], stiffness: 109}]\n"
                            "contacts:\n"
                            "  pad: {between: [block, support], model: lugre, Fc: 26, Fs: 26,\n"
                            "    v_s: 0.05, sigma0: 2.1e5, sigma1: 780}\n"
                            "run: {until: 1.2, output: 0.001}\n");
    for (int k = 4; k <= 8; k += 2) {
        bri_body_now end;
        bri_error err;
        if (end_of(s, bri_solver_find("rosenbrock"), pow(10.0, -k), 0.0, &end, &err) != BRI_OK)
            fail_msg("%s", err.text);
        if (!(fabs(end.x - 0.3625) < 5e-5)) fail_msg("rtol 1e-%d: %.6f m", k, end.x);
    }
    bri_scenario_free(s);
}

/* Exact stick with a Stribeck peak as narrow as 1 mm/s, passed 40 times at up to 1 m/s: steps of
 * any length give what steps of a tenth of a millisecond give. */
static void a_narrow_peak_is_seen(void **state) {
    bri_scenario *s = parse("bodies: {block: {mass: 1}}\n"
                            "couplings: [{spring: [ground, block], stiffness: 20}]\n"
                            "contacts: {pad: {between: [block, ground], model: stribeck, Fc: 5,\n"
                            "  Fs: 10, v_s: 0.001, gamma: 2}}\n"
                            "drives: {push: {on: block, force: {sine: {amplitude: 20,\n"
                            "  frequency: 2}}}}\n"
                            "run: {until: 10, output: 0.02}\n");
    const bri_solver *solver = bri_solver_find("rosenbrock");
    bri_body_now fine, end;
    bri_error err;
    assert_int_equal(end_of(s, solver, 1e-10, 1e-4, &fine, &err), BRI_OK);
    for (int k = 4; k <= 8; k += 2) {
        if (end_of(s, solver, pow(10.0, -k), 0.0, &end, &err) != BRI_OK) fail_msg("%s", err.text);
        if (!(fabs(end.x - fine.x) < 20.0 * pow(10.0, -k)))
            fail_msg("rtol 1e-%d: %.9f m, not %.9f", k, end.x, fine.x);
    }
    bri_scenario_free(s);
}

static void no_false_give_up(void **state) {
    static const char *const rigs[] = {
        "bodies:\n"
        "  b0: {mass: 2.4426541756871893, x: 0.007298226098374806}\n"
        "  b1: {mass: 3.5888404618396095}\n"
        "couplings: [{spring: [ground, b0], stiffness: 2310.0994300840243}]\n"
        "contacts:\n"
        "  c0: {between: [b0, b1], model: elasto_plastic, Fc: 2.714797208586989,\n"
        "    Fs: 3.9782247367175807, v_s: 0.022216682379553463, gamma: 2,\n"
        "    sigma0: 95258.6479411729, sigma1: 24.896495413198416, sigma2: 0,\n"
        "    z_ba: 2.1787572808361344e-05}\n"
        "  c1: {between: [b1, ground], model: elasto_plastic, Fc: 35.007382996533856,\n"
        "    Fs: 62.85153288095873, v_s: 0.022216682379553463, gamma: 2,\n"
        "    sigma0: 3956846.256269815, sigma1: 2379.8657716048206, sigma2: 0,\n"
        "    z_ba: 6.127625236017319e-06}\n"
        "run: {until: 1.2158577673679851, output: 0.01}\n",
        "bodies:\n"
        "  b0: {mass: 2.094097580581198, v: 0.02606037930037872}\n"
        "  p0: {velocity: 0.02606037930037872}\n"
        "couplings: [{spring_damper: [ground, b0], stiffness: 19.4054732654437,\n"
        "  damping: 0.6374712120182273}]\n"
        "contacts:\n"
        "  c0: {between: [b0, p0], model: stribeck, Fc: 11.50262309126684,\n"
        "    Fs: 15.422283160640811, v_s: 0.0011414295945701746, gamma: 1}\n"
        "run: {until: 51.178066447236844, output: 0.1}\n",
    };
    for (int i = 0; i < 2; i++) {
        bri_scenario *s = parse(rigs[i]);
        bri_body_now exact, end;
        bri_error err;
        const bri_solver *solver = bri_solver_find("rosenbrock");
        if (end_of(s, solver, 1e-9, 0.0, &exact, &err) != BRI_OK) fail_msg("%s", err.text);
        for (int k = 4; k <= 7; k++) {
            if (end_of(s, solver, pow(10.0, -k), 0.0, &end, &err) != BRI_OK)
                fail_msg("rig %d, rtol 1e-%d: %s", i, k, err.text);
            if (!(fabs(end.x - exact.x) < 1e-3 * (1e-2 + fabs(exact.x))))
                fail_msg("rig %d, rtol 1e-%d: %.6f m, not %.6f", i, k, end.x, exact.x);
        }
        bri_scenario_free(s);
    }
}

/* ---- crippled steps ------------------------------------------------------------------------- */

/* Every step leaves the block 0.1 % faster than it should. */
static bri_status too_fast(stepper *s, double t_stop, bri_error *err) {
    bri_status status = bri_rosenbrock.step(s, t_stop, err);
    s->y[1] *= 1.001;
    return status;
}

/* Every step forgets a tenth of the deflection of the bristles. */
static bri_status forgetful(stepper *s, double t_stop, bri_error *err) {
    bri_status status = bri_rosenbrock.step(s, t_stop, err);
    s->y[2] *= 0.9;
    return status;
}

/* The velocity comes back from every step with its sign changed: friction drives. */
static bri_status backwards(stepper *s, double t_stop, bri_error *err) {
    bri_status status = bri_rosenbrock.step(s, t_stop, err);
    s->y[2] = -s->y[2];
    return status;
}

static void a_run_notices_bad_steps(void **state) {
    bri_status (*const steps[])(stepper *, double, bri_error *) = {too_fast, forgetful, backwards};
    bri_scenario *s;
    bri_messages messages = {0};
    bri_error err;
    assert_int_equal(bri_scenario_load("rabinowicz", NULL, &s, &messages), BRI_OK);
    for (int k = 4; k <= 8; k += 2) {
        assert_int_equal(end_of(s, &bri_rosenbrock, pow(10.0, -k), 0.0, NULL, &err), BRI_OK);
        for (int i = 0; i < 3; i++) {
            bri_solver bad = bri_rosenbrock;
            bad.step = steps[i];
            if (end_of(s, &bad, pow(10.0, -k), 0.0, NULL, &err) != BRI_DOUBTFUL)
                fail_msg("step %d, rtol 1e-%d is trusted", i, k);
            assert_non_null(strstr(err.text, "not to be trusted"));
        }
    }
    /* a fixed step that is too long, and one that is not */
    assert_int_equal(end_of(s, &bri_rk4, 1e-6, 1e-2, NULL, &err), BRI_DOUBTFUL);
    assert_int_equal(end_of(s, &bri_rk4, 1e-6, 1e-5, NULL, &err), BRI_OK);
    bri_scenario_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_on_a_vibrating_support),
        cmocka_unit_test(a_narrow_peak_is_seen),
        cmocka_unit_test(no_false_give_up),
        cmocka_unit_test(a_run_notices_bad_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
