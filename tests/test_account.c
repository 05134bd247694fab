/* test_account.c - the account of energy where forces have corners within a step. */
#include "sims.h"

static bri_sim *begin(setup *s, const char *solver, double t_end) {
    s->def.solver = solver_of(solver);
    s->def.rtol = 1e-8;
    s->def.t_end = t_end;
    return start(s);
}

/* At times within steps and at their ends; the size is that of all that has changed places. */
static void closes(bri_sim *sim, double t_end, const char *what) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i <= 50; i++) {
        go(sim, t_end * i / 50.0);
        bri_energies e = bri_sim_energies(sim);
        least = fmin(least, fmin(e.potential, e.kinetic));
        most = fmax(most, fmax(e.potential, e.kinetic));
        double turned = fabs(e.work) + e.dissipated + most - least;
        if (!(fabs(e.residual) <= 1e-6 * turned))
            fail_msg("%s, t = %g s: residual %g J of %g J", what, bri_sim_time(sim), e.residual,
                     turned);
    }
    bri_sim_free(sim);
}

static void empty(setup *s) {
    memset(s, 0, sizeof *s);
    s->def = bri_sim_defaults();
}

static bri_coupling rope(int a, int b, double stiffness, double damping) {
    bri_coupling c = bri_coupling_defaults(bri_coupling_find("rope"), a, b);
    c.p[0] = stiffness;
    c.p[1] = 1.0;
    c.p[2] = damping;
    return c;
}

/* ---- ropes that go slack or reach their limit of damping ------------------------------------ */

static const char *const smooth_solvers[] = {"rosenbrock", "rodas4", "cvode_bdf"};

static void rope_on_ground(void **state) {
    for (int i = 0; i < 3; i++) {
        setup s;
        empty(&s);
        s.bodies[0] = (bri_body){.name = "a", .mass = 1.0, .x = 1.2};
        s.couplings[0] = rope(BRI_GROUND, 0, 100.0, 4.0);
        point_to(&s, 1, 1, 0, 0);
        if (!bri_solver_find(smooth_solvers[i])) continue;
        closes(begin(&s, smooth_solvers[i], 0.5), 0.5, smooth_solvers[i]);
        closes(begin(&s, smooth_solvers[i], 5.0), 5.0, smooth_solvers[i]);
    }
}

/* Falls until the rope is taut, and swings. */
static void pendulum_on_a_rope(void **state) {
    for (int i = 0; i < 3; i++) {
        setup s;
        empty(&s);
        s.bodies[0] = (bri_body){.name = "a", .kind = BRI_POINT, .mass = 1.0, .x = 0.9, .z = 0.3};
        s.couplings[0] = rope(BRI_GROUND, 0, 1000.0, 20.0);
        point_to(&s, 1, 1, 0, 0);
        if (!bri_solver_find(smooth_solvers[i])) continue;
        closes(begin(&s, smooth_solvers[i], 3.0), 3.0, smooth_solvers[i]);
    }
}

static void rope_between_bodies(void **state) {
    for (int i = 0; i < 3; i++) {
        setup s;
        empty(&s);
        s.bodies[0] = (bri_body){.name = "a", .mass = 1.0};
        s.bodies[1] = (bri_body){.name = "b", .mass = 2.0, .x = 1.3};
        s.couplings[0] = rope(0, 1, 200.0, 6.0);
        s.couplings[1] = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 0);
        s.couplings[1].p[0] = 50.0;
        point_to(&s, 2, 2, 0, 0);
        if (!bri_solver_find(smooth_solvers[i])) continue;
        closes(begin(&s, smooth_solvers[i], 3.0), 3.0, smooth_solvers[i]);
    }
}

/* The work done at the far end has corners too, with and without damping. */
static void rope_that_is_pulled(void **state) {
    for (int damped = 0; damped < 2; damped++) {
        setup s;
        empty(&s);
        s.signals[0] = bri_signal_defaults(bri_signal_find("sine"));
        s.signals[0].p[0] = 0.3;
        s.bodies[0] = (bri_body){.name = "hand", .position = &s.signals[0]};
        s.bodies[1] = (bri_body){.name = "b", .mass = 2.0, .x = 1.1};
        s.couplings[0] = rope(0, 1, 200.0, 6.0 * damped);
        s.couplings[1] = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 1);
        s.couplings[1].p[0] = 50.0;
        s.couplings[1].p[1] = 1.0;
        point_to(&s, 2, 2, 0, 0);
        closes(begin(&s, "rosenbrock", 3.0), 3.0, damped ? "damped" : "undamped");
    }
}

/* Sticks and slides while the rope is slack and taut. */
static void rope_and_stick(void **state) {
    setup s;
    empty(&s);
    s.bodies[0] = (bri_body){.name = "a", .mass = 1.0, .x = 1.3};
    s.couplings[0] = rope(BRI_GROUND, 0, 100.0, 4.0);
    s.contacts[0] =
        (bri_contact){.name = "pad", .model = bri_model_find("coulomb"), .b = BRI_GROUND, .n = 1.0};
    bri_model_defaults(s.contacts[0].model, s.contacts[0].p);
    point_to(&s, 1, 1, 1, 0);
    closes(begin(&s, "event_driven", 2.0), 2.0, "event_driven");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rope_on_ground),      cmocka_unit_test(pendulum_on_a_rope),
        cmocka_unit_test(rope_between_bodies), cmocka_unit_test(rope_that_is_pulled),
        cmocka_unit_test(rope_and_stick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
