/* test_phases.c - one body on one contact that sticks exactly, computed phase by phase: random rigs
 * against the general way, and closed solutions. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "bristle_law.h"
#include "depth.h"
#include "stick_rig.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

enum { LOOKS = 12 };

static unsigned long long seed;

static double draw(double from, double to) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(seed >> 11) * 0x1p-53;
}

static double decades(double from, double to) { return from * pow(to / from, draw(0.0, 1.0)); }

/* A block with a spring, a damper and a push, on the ground or on a belt of either direction, the
 * far end of the spring at rest or moving; either side of the contact first. About ten swings. */
static void random_rig(stand *s, double rtol) {
    static const char *const laws[] = {"coulomb", "stribeck", "benson"};
    double mass = decades(0.1, 100.0), w = decades(0.3, 30.0), k = mass * w * w;
    double load = mass * decades(1.0, 20.0),
           v = decades(0.01, 2.0) * (draw(0.0, 1.0) < 0.5 ? -1 : 1);
    double mu_c = draw(0.05, 0.6), mu_s = mu_c * (draw(0.0, 1.0) < 0.3 ? 1.0 : draw(1.0, 2.0));
    int place = (int)draw(0.0, 3.0), first = draw(0.0, 1.0) < 0.5;
    stand_clear(s, draw(1.0, 10.0) * 2.0 * PI / w, rtol);
    int body = add_body(s, mass, draw(-1.0, 1.0) * mu_s * load / k, draw(-1.0, 1.0) * v);
    bri_signal *speed = stand_signal(s, "constant");
    tune(speed, "value", v);
    int moved = place > 0 ? add_moved(s, speed) : BRI_GROUND;
    bri_coupling *spring = add_spring(s, place == 2 ? moved : BRI_GROUND, body, k);
    for (int i = 0; i < spring->kind->n_params; i++)
        if (strcmp(spring->kind->params[i].name, "damping") == 0 && draw(0.0, 1.0) < 0.5)
            spring->p[i] = draw(0.0, 0.3) * mass * w;
    int under = place == 1 ? moved : BRI_GROUND;
    bri_contact *c = add_contact(s, first ? body : under, first ? under : body,
                                 laws[(int)draw(0.0, 3.0)], mu_c, mu_s);
    c->n = load;
    law_value(c, "v_s", decades(0.01, 10.0) * fabs(v));
    if (draw(0.0, 1.0) < 0.5) law_value(c, "kv", draw(0.0, 0.3) * mass * w);
    if (draw(0.0, 1.0) < 0.4)
        add_force(s, body, bri_signal_constant(draw(-1.0, 1.0) * mu_s * load));
}

typedef struct seen {
    double x[LOOKS], v[LOOKS], F[LOOKS], heat[LOOKS], work[LOOKS];
    int events, phased;
    long steps;
} seen;

static void run(const stand *s, const char *path, seen *to) {
    setenv("BRISTLE_PATH", path, 1);
    bri_sim *sim = stand_start(s);
    to->phased = strcmp(bri_sim_path(sim), "phases") == 0;
    for (int i = 0; i < LOOKS; i++) {
        run_to(sim, i + 1 < LOOKS ? s->def.t_end * (i + 1) / LOOKS : s->def.t_end);
        bri_energies e = bri_sim_energies(sim);
        to->x[i] = bri_sim_body(sim, 0).x;
        to->v[i] = bri_sim_body(sim, 0).v;
        to->F[i] = bri_sim_contact(sim, 0).F;
        to->heat[i] = e.dissipated;
        to->work[i] = e.work;
    }
    to->events = event_count(sim);
    to->steps = bri_sim_stats(sim).steps;
    bri_sim_free(sim);
    unsetenv("BRISTLE_PATH");
}

static double off(const double *a, const double *b) {
    double size = 1e-6, most = 0.0;
    for (int i = 0; i < LOOKS; i++)
        size = fmax(size, fabs(b[i])), most = fmax(most, fabs(a[i] - b[i]));
    return most / size;
}

/* Two integrators that share the law and the decision at events. Where the static level is the
 * sliding one the block may come to the speed of the belt and leave it at once, cycle by cycle:
 * rounding decides whether that is a stop. */
static void random_rigs_are_those_of_the_general_way(void **state) {
    const int rigs = SAMPLE(400, 60);
    int events = 0;
    double worst = 0.0;
    for (int i = 0; i < rigs; i++) {
        stand s;
        seen by_phases, general;
        seed = 9001 + 77u * (unsigned)i;
        random_rig(&s, 1e-10);
        run(&s, "auto", &by_phases);
        run(&s, "general", &general);
        if (!by_phases.phased || general.phased) fail_msg("rig %d takes another path", i);
        double x = off(by_phases.x, general.x), v = off(by_phases.v, general.v);
        double heat = off(by_phases.heat, general.heat), work = off(by_phases.work, general.work);
        const bri_contact *c = &s.contacts[0];
        int touches =
            c->p[bri_model_param(c->model, "mu_s")] == c->p[bri_model_param(c->model, "mu_c")];
        events += general.events;
        worst = fmax(worst, fmax(fmax(x, v), fmax(heat, work)));
        if ((by_phases.events != general.events && !touches) || !(worst < 1e-7))
            fail_msg("rig %d: x %.1e, v %.1e, heat %.1e, work %.1e off, %d events, not %d", i, x, v,
                     heat, work, by_phases.events, general.events);
    }
    print_message("%d rigs, %d events, the worst off by %.1e\n", rigs, events, worst);
    assert_true(events > 2 * rigs);
}

/* What the tolerance asks for is kept, and fewer steps are made than in the general way. */
static void the_tolerance_is_kept(void **state) {
    const int rigs = SAMPLE(200, 40);
    long steps = 0, more = 0;
    int aside = 0;
    for (int i = 0; i < rigs; i++) {
        stand s;
        seen loose, tight, general;
        for (int k = 0; k < 3; k++) {
            seed = 424243 + 91u * (unsigned)i;
            random_rig(&s, k == 1 ? 1e-10 : 1e-5);
            run(&s, k == 2 ? "general" : "auto", k == 0 ? &loose : k == 1 ? &tight : &general);
        }
        steps += loose.steps;
        more += general.steps;
        aside += !(fmax(off(loose.x, tight.x), off(loose.heat, tight.heat)) < 1e-3);
    }
    print_message("%ld steps, %ld in the general way; %d off by 0.1 %%\n", steps, more, aside);
    assert_true(steps < more);
    assert_true(aside * 100 <= rigs);
}

/* Numbers of any size: what runs is finite, and as in the general way where that runs as well. */
static void any_size_of_numbers_is_borne(void **state) {
    const int rigs = USUALLY(600, 150, 60);
    int ran = 0, compared = 0;
    for (int i = 0; i < rigs; i++) {
        double x[2] = {0.0}, v[2] = {0.0};
        int good[2] = {0};
        for (int way = 0; way < 2; way++) {
            stand s;
            bri_sim *sim;
            seed = 5150 + 1009u * (unsigned)i;
            random_rig(&s, 1e-8);
            s.bodies[0].mass *= decades(1e-9, 1e9);
            s.couplings[0].p[0] *= decades(1e-9, 1e9);
            s.contacts[0].n *= decades(1e-9, 1e9);
            s.def.t_end *= decades(1e-3, 1e3);
            s.def.max_steps = 20000;
            setenv("BRISTLE_PATH", way ? "general" : "auto", 1);
            if (bri_sim_create(&s.def, &sim, NULL) != BRI_OK) continue;
            bri_status status = bri_sim_advance(sim, s.def.t_end, NULL);
            x[way] = bri_sim_body(sim, 0).x;
            v[way] = bri_sim_body(sim, 0).v;
            good[way] = status == BRI_OK;
            if (good[way] && !(isfinite(x[way]) && isfinite(v[way]) &&
                               isfinite(bri_sim_energies(sim).dissipated)))
                fail_msg("rig %d, %s: x %g, v %g", i, bri_sim_path(sim), x[way], v[way]);
            bri_sim_free(sim);
        }
        ran += good[0];
        if (!good[0] && good[1]) fail_msg("rig %d runs in the general way only", i);
        if (!good[0] || !good[1]) continue;
        compared++;
        if (!(fabs(x[0] - x[1]) <= 1e-3 * fmax(fabs(x[1]), 1e-9)) && x[1] != 0.0)
            fail_msg("rig %d: %.12g, in the general way %.12g", i, x[0], x[1]);
    }
    unsetenv("BRISTLE_PATH");
    print_message("%d of %d ran, %d compared\n", ran, rigs, compared);
    assert_true(ran > rigs / 2);
}

/* A block of 2 kg and 50 N/m on a belt, levels Fs > Fc, whatever the tolerance: it sticks until the
 * spring pulls with Fs at x = Fs/k, swings about Fc/k by R = hypot((Fs - Fc)/k, v/w) until it has
 * the speed of the belt again, at 2 Fc/k - Fs/k, and sticks until it is back. */
static void coulomb_is_exact_at_any_tolerance(void **state) {
    const double m = 2.0, k = 50.0, v = 0.3, Fc = 4.0, Fs = 5.5, w = sqrt(k / m);
    double slip = 2.0 * (PI - atan2((Fs - Fc) / k, v / w)) / w, stick = 2.0 * (Fs - Fc) / (k * v);
    double period = slip + stick, first = Fs / (k * v);
    stand s;
    stand_clear(&s, first + 20.4 * period, 1e-2);
    int body = add_body(&s, m, 0.0, v), belt = add_moved(&s, stand_signal(&s, "constant"));
    tune(&s.signals[0], "value", v);
    add_spring(&s, BRI_GROUND, body, k);
    add_contact(&s, body, belt, "coulomb", Fc, Fs);
    bri_sim *sim = stand_start(&s);
    assert_string_equal(bri_sim_path(sim), "phases");
    for (int i = 0; i < 20; i++) { /* in the middle of each slip */
        double t = 0.37 * slip, a = (Fs - Fc) / k;
        run_to(sim, first + i * period + t);
        near(bri_sim_body(sim, 0).x, Fc / k + a * cos(w * t) + v / w * sin(w * t), 1e-11, "x");
        near(bri_sim_body(sim, 0).v, v * cos(w * t) - a * w * sin(w * t), 1e-11, "v");
    }
    run_to(sim, s.def.t_end);
    assert_int_equal(event_count(sim), 41);
    for (int i = 0; i < 20; i++) {
        expect_event(sim, 2 * i, first + i * period, 0, 0, -1, 1e-11);
        expect_event(sim, 2 * i + 1, first + i * period + slip, 0, -1, 0, 1e-11);
    }
    near(bri_sim_energies(sim).residual, 0.0, 1e-11, "residual");
    assert_true(bri_sim_stats(sim).steps <= 43); /* a step for each phase */
    bri_sim_free(sim);
}

/* A slip is one step: how fast the contact slides in it, against many looks at the same run; and
 * heat and work at any time within it, against their balance. */
static void long_steps_are_seen_all_through(void **state) {
    enum { PLACES = 400 };
    int slips = 0;
    for (int i = 0; i < SAMPLE(120, 40); i++) {
        stand s;
        seed = 31337 + 53u * (unsigned)i;
        random_rig(&s, 1e-6);
        if (!s.contacts[0].model->affine) continue;
        bri_sim *sim = stand_start(&s), *slowly = stand_start(&s);
        double t = 0.0, speed, turned = 0.0;
        long evals = bri_sim_stats(slowly).evals;
        for (int k = 0; k < 200 && t < s.def.t_end; k++) {
            double from = t, most = fabs(bri_sim_contact(slowly, 0).v);
            assert_int_equal(bri_sim_step(sim, s.def.t_end, NULL), BRI_OK);
            t = bri_sim_time(sim);
            bri_sim_fastest(sim, &speed);
            for (int p = 1; p <= PLACES; p++) {
                run_to(slowly, p < PLACES ? from + (t - from) * p / PLACES : t);
                most = fmax(most, fabs(bri_sim_contact(slowly, 0).v));
                bri_energies e = bri_sim_energies(slowly);
                turned = fmax(turned, e.kinetic + fabs(e.potential) + e.dissipated + fabs(e.work));
                /* rounding, unless a step was made by the solver in between, to its tolerance */
                double share = bri_sim_stats(slowly).evals > evals ? 1e-6 : 1e-12;
                if (!(fabs(e.residual) <= share * turned))
                    fail_msg("rig %d at %g s: the energies miss by %g", i, bri_sim_time(slowly),
                             e.residual);
            }
            slips += most > 0.0;
            if (!(speed >= most * (1.0 - 1e-12) && speed <= most * 1.02 + 1e-12))
                fail_msg("rig %d until %g s: %g m/s, not %g", i, t, speed, most);
        }
        bri_findings found;
        assert_int_equal(bri_sim_verdict(sim, &found, NULL), BRI_OK);
        bri_sim_free(slowly);
        bri_sim_free(sim);
    }
    assert_true(slips > 40);
}

/* Which laws are affine in v is found from their equations. */
static void affine_laws_are_found(void **state) {
    static const struct {
        const char *force;
        int affine;
    } own[] = {{"mu*N*sign(v) + c*v", 1},
               {"mu*N*sign(v) + c*v*abs(v)/(1 m/s)", 0},
               {"mu*N*sign(v) + c*min(v, 1 m/s)", 0},
               {"if(abs(v) < 1 m/s, mu*N*sign(v), 2*mu*N*sign(v))", 0},
               {"mu*N*sign(v)*(1 + x/(1 m))", 0}};
    assert_true(bri_model_find("coulomb")->affine);
    assert_false(bri_model_find("stribeck")->affine || bri_model_find("benson")->affine);
    assert_false(bri_model_find("lugre")->affine || bri_model_find("viscous")->affine);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char text[600];
        bri_law *law;
        bri_messages why;
        int n = snprintf(text, sizeof text,
                         "law: own_%d\ntitle: own\ncite: here\nlimits: none\ndefaults: {from: "
                         "here, load: 1 N}\nparameters:\n"
                         "  mu: {default: 0.3, range: [0, 1], role: sliding level, text: level}\n"
                         "  c: {default: 1 N s/m, range: [0, 10], role: viscous, text: slope}\n"
                         "equations: |\n  F = %s\nholds: mu*N\n",
                         (int)i, own[i].force);
        if (bri_law_parse(text, (size_t)n, "own", &law, &why) != BRI_OK)
            fail_msg("%s: %s", own[i].force, why.message[0].text);
        if (bri_law_model(law)->affine != own[i].affine) fail_msg("%s", own[i].force);
        bri_law_free(law);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_rigs_are_those_of_the_general_way),
        cmocka_unit_test(the_tolerance_is_kept),
        cmocka_unit_test(any_size_of_numbers_is_borne),
        cmocka_unit_test(coulomb_is_exact_at_any_tolerance),
        cmocka_unit_test(long_steps_are_seen_all_through),
        cmocka_unit_test(affine_laws_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
