/* test_trust.c - rigs on which a default run was wrong or given up once, and whether a run notices
 * that its steps are not what they should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bristle_scenario.h"
#include "bristle_sim.h"
#include "depth.h"
#include "sim/sim.h"
#include <math.h>
#include <stdio.h>
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

/* Drawn over a support that vibrates with 89 Hz, a block turns on it 214 times. */
static const char vibrating[] =
    "bodies:\n"
    "  block: {mass: 14}\n"
    "  drive: {velocity: 0.35}\n"
    "  support: {velocity: {sine: {amplitude: 1.28, frequency: 89}}}\n"
    "couplings: [{name: pull, spring: [block, drive], stiffness: 109}]\n"
    "contacts:\n"
    "  pad: {between: [block, support], model: lugre, Fc: 26, Fs: 26,\n"
    "    v_s: 0.05, sigma0: 2.1e5, sigma1: 780}\n"
    "run: {until: 1.2, output: 0.001}\n";

/* Two codes of other hands have it at 0.3625 m in the end. */
static void turns_on_a_vibrating_support(void **state) {
    bri_scenario *s = parse(vibrating);
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
    assert_int_equal(end_of(s, solver, 1e-10, SAMPLE(1e-4, 3e-4), &fine, &err), BRI_OK);
    for (int k = 4; k <= 8; k += 2) {
        if (end_of(s, solver, pow(10.0, -k), 0.0, &end, &err) != BRI_OK) fail_msg("%s", err.text);
        if (!(fabs(end.x - fine.x) < 20.0 * pow(10.0, -k)))
            fail_msg("rtol 1e-%d: %.9f m, not %.9f", k, end.x, fine.x);
    }
    bri_scenario_free(s);
}

/* Where a step passes along a smooth curve, or dips into it and out again, the error estimate saw
 * nothing of it by chance: found by the referee, off by 1.1e-3, 4.2e-3 and 1.3e-3 at rtol 1e-6. */
static void smooth_curves_are_seen(void **state) {
    static const char *const rigs[] = {
        "bodies:\n"
        "  b0: {mass: 0.26988838071749499}\n"
        "  b1: {velocity: 0.074640163123993991}\n"
        "  b2: {position: {sine: {amplitude: 0.0075189179483898094,\n"
        "    frequency: 7.8520211637588329}}}\n"
        "couplings: [{spring: [b0, b1], stiffness: 7.2543565770249687}]\n"
        "contacts:\n"
        "  c0: {between: [b0, b2], model: stribeck_tanh, load: {sum: [1,\n"
        "    {sine: {amplitude: 0.90271411795484902, frequency: 0.25801352227836466,\n"
        "    phase: 3.4927500309858295}}]}, mu_c: 0.32233843009410434,\n"
        "    mu_s: 0.38318074860203422, v_s: 0.030470277434209578, gamma: 1.5,\n"
        "    k: 139.20167926200432, kv: 0}\n"
        "run: {until: 1.88, output: 0.02}\n",
        "bodies:\n"
        "  b0: {kind: rotor, inertia: 0.00027254747024955473}\n"
        "  b1: {kind: rotor, velocity: 0.27728383491199493}\n"
        "  b2: {kind: rotor, position: {sine: {amplitude: 9.7460198344888804e-05,\n"
        "    frequency: 172.58965536150055}}}\n"
        "couplings: [{spring: [b0, b1], stiffness: 0.8685987114946021}]\n"
        "contacts:\n"
        "  c0: {between: [b0, b2], model: regularized, load: 0.011969800448438978,\n"
        "    mu_c: 0.12222823354781007, mu_s: 0.23114957934065902,\n"
        "    v_s: 0.00010795027556251529, gamma: 2, nu: 0.00076582269705246044,\n"
        "    v_r: 0.011088266717730801}\n"
        "run: {until: 0.2206, output: 0.002}\n",
        "bodies:\n"
        "  b0: {kind: rotor, inertia: 0.0034264643640039378}\n"
        "  b1: {kind: rotor, velocity: 0.16263682666234944}\n"
        "  b2: {kind: rotor, velocity: {sine: {amplitude: 0.20382790087164929,\n"
        "    frequency: 23.999416615949738, phase: 1}}}\n"
        "couplings: [{spring: [b0, b1], stiffness: 0.14311468930872762}]\n"
        "contacts:\n"
        "  c0: {between: [b0, b2], model: olsson_astrom, load: 0.003989312924486412,\n"
        "    mu_c: 0.42883621853676773, mu_s: 0.53412118052362301,\n"
        "    v_s: 0.00066975602712738506, sigma0: 1.7322327140428055,\n"
        "    sigma1: 0.023352464883098594, kv: 0, tau_del: 0.023762037571860892,\n"
        "    tau_r: 0.0050119254955974645, v_e: 0.028034181712808939}\n"
        "run: {until: 0.64, output: 0.02}\n",
    };
    const bri_solver *solver = bri_solver_find("rosenbrock");
    for (int i = 0; i < 3; i++) {
        bri_scenario *s = parse(rigs[i]);
        bri_body_now fine, end;
        bri_error err;
        assert_int_equal(end_of(s, solver, 1e-9, bri_scenario_def(s)->t_end / 1e4, &fine, &err),
                         BRI_OK);
        if (end_of(s, solver, 1e-6, 0.0, &end, &err) != BRI_OK) fail_msg("%s", err.text);
        if (!(fabs(end.v - fine.v) < 1e-4 * fabs(fine.v)))
            fail_msg("rig %d: %.9f m/s, not %.9f", i, end.v, fine.v);
        bri_scenario_free(s);
    }
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

/* The reset integrator meets its limit where time can hardly be told apart: with rtol 1e-9 steps of
 * one unit in the last place hovered before it without end. */
static void a_limit_is_met(void **state) {
    bri_scenario *s = parse("bodies:\n"
                            "  drive: {velocity: 0.001}\n"
                            "  block: {mass: 0.665}\n"
                            "  support: {velocity: {sine: {amplitude: 0.0011, frequency: 1500,\n"
                            "    phase: 1.5707963267948966, from: 10}}}\n"
                            "couplings: [{spring: [block, drive], stiffness: 11700}]\n"
                            "contacts:\n"
                            "  pad: {between: [block, support], model: reset_integrator,\n"
                            "    Fc: 7.84498, Fs: 10.5122732, sigma0: 71.318e6, sigma1: 4869}\n"
                            "run: {until: 20, output: 0.01}\n");
    double x[2];
    for (int i = 0; i < 2; i++) {
        bri_sim_def def = *bri_scenario_def(s);
        bri_sim *sim;
        bri_error err;
        def.rtol = i == 0 ? 1e-8 : 1e-9;
        def.max_steps = 100000;
        assert_int_equal(bri_sim_create(&def, &sim, &err), BRI_OK);
        if (bri_sim_advance(sim, 10.25, &err) != BRI_OK) fail_msg("%s", err.text);
        x[i] = bri_sim_body(sim, 1).x;
        bri_sim_free(sim);
    }
    assert_true(fabs(x[1] - x[0]) < 1e-10);
    bri_scenario_free(s);
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
    if (SAMPLE(1, 0)) assert_int_equal(end_of(s, &bri_rk4, 1e-6, 1e-5, NULL, &err), BRI_OK);
    bri_scenario_free(s);
}

/* Two masses and a spring, no heat and no work: what the steps lose is a share of the energy that
 * goes to and fro. Found by random scenarios: 31 % were lost and trusted. */
static void a_run_without_heat_notices_bad_steps(void **state) {
    bri_scenario *s = parse("bodies: {a: {kind: point, mass: 0.42, z: -0.4},\n"
                            "  b: {kind: point, mass: 3.55, x: 0.228}}\n"
                            "couplings: [{spring: [a, b], stiffness: 4726, length: 0.105}]\n"
                            "run: {until: 0.2}\n");
    bri_error err;
    assert_int_equal(end_of(s, &bri_time_stepping, 1e-6, 1e-3, NULL, &err), BRI_DOUBTFUL);
    assert_non_null(strstr(err.text, "take a smaller step"));
    assert_int_equal(end_of(s, &bri_time_stepping, 1e-6, 1e-5, NULL, &err), BRI_OK);
    bri_scenario_free(s);
}

/* A course that is another one each time the step is made again: halves come to an end, and a run
 * that is right is not doubted. */
static void a_step_that_is_made_again_is_not_doubted(void **state) {
    bri_scenario *s = parse(
        "bodies:\n"
        "  drive: {velocity: 1 mm/s}\n"
        "  block: {mass: 0.665}\n"
        "  support: {velocity: {sine: {amplitude: 1.1 mm/s, frequency: 1500, phase: 90 degree, "
        "from: 1}}}\n"
        "couplings: [{name: pull, spring: [block, drive], stiffness: 11700}]\n"
        "contacts:\n"
        "  pad: {between: [block, support], model: reset_integrator, Fc: 7.84498, Fs: 10.5122732,\n"
        "    sigma0: 71.318e6, sigma1: 4869}\n"
        "run: {until: 3, output: 0.001}\n");
    for (int k = 3; k <= SAMPLE(5, 3); k++) {
        bri_error err;
        if (end_of(s, &bri_rosenbrock, pow(10.0, -k), 0.0, NULL, &err) != BRI_OK)
            fail_msg("1e-%d: %s", k, err.text);
    }
    bri_scenario_free(s);
}

/* Nobody looks at what a step passes over, and no signal bounds it, as it was once: contacts turn
 * unseen, with energies that add up to 1e-5 and better. */
static void a_run_notices_turns_it_has_not_seen(void **state) {
    bri_scenario *s = parse(vibrating);
    for (int k = 4; k <= 8; k++)
        for (int blind = 0; blind < 2; blind++) {
            bri_sim_def def = *bri_scenario_def(s);
            bri_sim *sim;
            bri_error err;
            bri_findings seen;
            def.rtol = pow(10.0, -k);
            assert_int_equal(bri_sim_create(&def, &sim, &err), BRI_OK);
            if (blind) sim->looks = 0, sim->ahead = INFINITY;
            assert_int_equal(bri_sim_advance(sim, def.t_end, &err), BRI_OK);
            bri_status verdict = bri_sim_verdict(sim, &seen, &err);
            if (verdict != (blind ? BRI_DOUBTFUL : BRI_OK))
                fail_msg("rtol 1e-%d: %d, astray %g", k, verdict, seen.astray);
            assert_true(seen.residual < 1e-4);
            assert_true(blind ? seen.astray > 1e-2 : seen.astray < 1e-5);
            if (blind) assert_non_null(strstr(err.text, "turned unseen"));
            bri_sim_free(sim);
        }
    bri_scenario_free(s);
}

/* A law that creates energy by its equations, or by bristles that let go while the load falls, is
 * no fault of the steps. */
static void a_law_may_drive(void **state) {
    static const char *const rigs[] = {
        "bodies: {b0: {mass: 8.07}}\n"
        "couplings: [{spring: [ground, b0], stiffness: 1924}]\n"
        "contacts: {c0: {between: [b0, ground], model: olsson_astrom, Fc: 1.1445, Fs: 1.6892,\n"
        "  v_s: 0.0146, sigma0: 4.405e6, sigma1: 196.6, kv: 2.433, tau_del: 8.187e-3,\n"
        "  tau_r: 1.844e-3, v_e: 5.65e-5}}\n"
        "drives: {push: {on: b0, force: {pulses: {value: 3.366, from: 0.0187, width: 0.01115,\n"
        "  period: 0.05164}}}}\n"
        "run: {until: 0.375, output: 0.002}\n",
        "bodies: {block: {mass: 1, v: 0.1}, belt: {velocity: 0.1}}\n"
        "couplings: [{spring: [ground, block], stiffness: 2}]\n"
        "contacts: {pad: {between: [block, belt], load: {sum: [9.81, {noise: {deviation: 20,\n"
        "  frequency: 500, seed: 1}}]}, model: lugre, mu_c: 0.1, mu_s: 0.15, v_s: 0.001, gamma: "
        "2,\n"
        "  sigma0: 1e5, sigma1: 316}}\n"
        "run: {until: 2, output: 0.01}\n",
    };
    for (int i = 0; i < 2; i++) {
        bri_scenario *s = parse(rigs[i]);
        bri_body_now end;
        bri_error err = {0};
        if (end_of(s, bri_solver_find("rosenbrock"), 1e-6, 0.0, &end, &err) != BRI_OK)
            fail_msg("rig %d: %s", i, err.text);
        bri_scenario_free(s);
    }
}

/* Laws with corners that a step passes over: the clamp of Gonthier's force, and a power of the
 * speed that is not smooth at rest. The ends were off by 5.5 and 13 tolerances; what steps of a ten
 * thousandth of the run give is the measure. */
static void corners_are_seen(void **state) {
    static const struct {
        const char *text;
        double range, most; /* of the way, and tolerances allowed */
    } rigs[] = {
        {"bodies:\n"
         "  block: {mass: 1.0084882831346416}\n"
         "  support: {position: {sine: {amplitude: 0.00099685269787886744,\n"
         "    frequency: 2.9502648171443129}}}\n"
         "couplings: [{damper: [ground, block], damping: 3.6104136163621683}]\n"
         "contacts: {pad: {between: [block, support], model: gonthier,\n"
         "  load: {sum: [2.181843769167279, {sine: {amplitude: 1.7683516078942898,\n"
         "    frequency: 1.1866901888965269, phase: 1.8597231719912506}}]},\n"
         "  mu_c: 0.055482371970482273, mu_s: 0.096576981803893472, v_s: 0.03127260683973624,\n"
         "  sigma0: 18157.103105972197, sigma1: 15.962786678721764, sigma2: 0.46053960996611715,\n"
         "  v_t: 7.1048972505852149e-05, tau_dw: 0.13541294322461911}}\n"
         "run: {until: 1.0168578707127138, output: 0.01}\n",
         0.0039, 2.0},
        {"bodies: {block: {mass: 1, v: 16}}\n"
         "couplings: [{spring: [ground, block], stiffness: 2200}]\n"
         "contacts: {pad: {between: [block, ground], model: viscous, kv: 5, p: 1.2}}\n"
         "run: {until: 1, output: 0.01}\n",
         0.6, 5.0},
    };
    const bri_solver *solver = bri_solver_find("rosenbrock");
    for (int i = 0; i < 2; i++) {
        bri_scenario *s = parse(rigs[i].text);
        double span = bri_scenario_def(s)->t_end;
        bri_body_now fine, end;
        bri_error err;
        assert_int_equal(end_of(s, solver, 1e-10, 1e-4 * span, &fine, &err), BRI_OK);
        assert_int_equal(end_of(s, solver, 1e-6, 0.0, &end, &err), BRI_OK);
        double off = fabs(end.x - fine.x) / (1e-6 * rigs[i].range);
        if (!(off < rigs[i].most)) fail_msg("rig %d: off by %.1f tolerances", i, off);
        bri_scenario_free(s);
    }
}

/* Bristles whose stiffness goes with a load that varies, and bristles of which no energy is known:
 * the account closes, and there is nothing to doubt. */
static void a_load_moves_energy(void **state) {
    static const char *const contacts[] = {
        "model: dankowicz, load: {sum: [50, {sine: {amplitude: 40, frequency: 7}}]},\n"
        "  mu_c: 0.4, delta: 1e-3",
        "model: stribeck_dankowicz, load: 50, mu_c: 0.2, mu_s: 0.5, v_s: 0.01, delta: 0.01",
    };
    for (int i = 0; i < 2; i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "bodies: {block: {mass: 2, v: 0.05}}\n"
                 "couplings: [{spring: [ground, block], stiffness: 900}]\n"
                 "contacts: {pad: {between: [block, ground], %s}}\n"
                 "run: {until: 3, output: 0.01}\n",
                 contacts[i]);
        bri_scenario *s = parse(text);
        bri_sim *sim;
        bri_findings seen;
        bri_error err;
        assert_int_equal(bri_sim_create(bri_scenario_def(s), &sim, &err), BRI_OK);
        assert_int_equal(bri_sim_advance(sim, 3.0, &err), BRI_OK);
        if (bri_sim_verdict(sim, &seen, &err) != BRI_OK) fail_msg("%s", err.text);
        if (!(seen.residual < 1e-5)) fail_msg("residual %g", seen.residual);
        bri_sim_free(sim);
        bri_scenario_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_on_a_vibrating_support),
        cmocka_unit_test(a_narrow_peak_is_seen),
        cmocka_unit_test(smooth_curves_are_seen),
        cmocka_unit_test(no_false_give_up),
        cmocka_unit_test(a_limit_is_met),
        cmocka_unit_test(a_run_notices_bad_steps),
        cmocka_unit_test(a_run_without_heat_notices_bad_steps),
        cmocka_unit_test(a_step_that_is_made_again_is_not_doubted),
        cmocka_unit_test(a_run_notices_turns_it_has_not_seen),
        cmocka_unit_test(a_law_may_drive),
        cmocka_unit_test(corners_are_seen),
        cmocka_unit_test(a_load_moves_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
