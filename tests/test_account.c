/* test_account.c - the account of energy where forces have corners within a step, and where
 * positions jump; and on every path. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "sims.h"

#include <stdlib.h>

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

/* ---- prescribed positions that jump --------------------------------------------------------- */

/* A wall that jumps to 0.1 m at 1 s, and a block on a spring of 100 N/m. */
static void jumping_wall(setup *s, const char *law) {
    empty(s);
    s->signals[0] = bri_signal_defaults(bri_signal_find("step"));
    s->signals[0].p[0] = 0.1;
    s->signals[0].p[1] = 1.0;
    s->bodies[0] = (bri_body){.name = "wall", .position = &s->signals[0]};
    s->bodies[1] = (bri_body){.name = "block", .mass = 1.0};
    s->couplings[0] = bri_coupling_defaults(bri_coupling_find("spring"), 0, 1);
    s->couplings[0].p[0] = 100.0;
    s->contacts[0] = (bri_contact){
        .name = "pad", .model = bri_model_find(law), .a = 1, .b = BRI_GROUND, .n = 1.0};
    bri_model_defaults(s->contacts[0].model, s->contacts[0].p);
    point_to(s, 2, 1, 1, 0);
}

/* The block stands where the spring carries nothing: k u^2/2 = 0.5 J of work. */
static void work_of_a_jump(void **state) {
    static const struct {
        const char *solver, *law;
    } runs[] = {{"rosenbrock", "viscous"},   {"rosenbrock", "lugre"},
                {"rodas4", "viscous"},       {"cvode_bdf", "viscous"},
                {"event_driven", "coulomb"}, {"time_stepping", "coulomb"},
                {"time_stepping", "viscous"}};
    for (int i = 0; i < 7; i++) {
        setup s;
        jumping_wall(&s, runs[i].law);
        if (!bri_solver_find(runs[i].solver)) continue;
        s.def.step = strcmp(runs[i].solver, "time_stepping") == 0 ? 1e-3 : 0.0;
        bri_sim *sim = begin(&s, runs[i].solver, 3.0);
        go(sim, 0.9995); /* within a step of time_stepping */
        near(bri_sim_energies(sim).work, 0.0, 1e-15, "work before the jump");
        go(sim, 1.0);
        near(bri_sim_energies(sim).work, 0.5, 1e-12, "work of the jump");
        near(bri_sim_energies(sim).residual, 0.0, 1e-12, "residual at the jump");
        go(sim, 1.0001);
        near(bri_sim_energies(sim).work, 0.5, 1e-12, "work after the jump");
        bri_sim_free(sim);
        if (s.def.step == 0.0) closes(begin(&s, runs[i].solver, 3.0), 3.0, runs[i].solver);
    }
}

/* A velocity that jumps moves nothing at that instant. */
static void jump_of_a_velocity(void **state) {
    setup s;
    jumping_wall(&s, "viscous");
    s.bodies[0].position = NULL;
    s.bodies[0].velocity = &s.signals[0];
    bri_sim *sim = begin(&s, "rosenbrock", 3.0);
    go(sim, 1.0);
    near(bri_sim_energies(sim).work, 0.0, 1e-15, "work");
    bri_sim_free(sim);
    closes(begin(&s, "rosenbrock", 3.0), 3.0, "velocity");
}

/* ---- one block with LuGre ------------------------------------------------------------------- */

/* Rigs with either end of the contact at the block, either direction of the slab, all kinds of
 * Stribeck curves, with and without a damper: the account closes on every path, and heat and work
 * are those of the general one. */
static void one_block_on_every_path(void **state) {
    static const char *const paths[] = {"general", "single", "lugre"};
    static const double gammas[] = {1.0, 2.0, 1.4};
    for (int k = 1; k <= 18; k++) {
        bri_energies first = {0};
        for (int i = 0; i < 3; i++) {
            setup s;
            rabinowicz(&s, "lugre", "rosenbrock", 1e-8);
            bri_contact *c = &s.contacts[0];
            c->a = k % 2 ? 0 : 1;
            c->b = 1 - c->a;
            c->p[bri_model_param(c->model, "gamma")] = gammas[k % 3];
            c->p[bri_model_param(c->model, "v_s")] = 0.02 + 0.2 * spread(k, 0);
            c->p[bri_model_param(c->model, "nu")] = k % 4 ? 0.1 * spread(k, 1) : 0.0;
            s.bodies[0].mass = 5.0 + 20.0 * spread(k, 2);
            s.couplings[0] =
                bri_coupling_defaults(bri_coupling_find("spring_damper"), BRI_GROUND, 0);
            s.couplings[0].p[0] = 10.0 + 200.0 * spread(k, 3);
            s.couplings[0].p[2] = k % 5 ? 0.0 : 3.0; /* damping */
            double v = (k % 4 < 2 ? 1.0 : -1.0) * (0.05 + 0.5 * spread(k, 4));
            s.signals[0] = bri_signal_constant(v);
            s.bodies[0].v = v;
            s.def.t_end = 20.0;
            setenv("BRISTLE_PATH", paths[i], 1);
            bri_sim *sim = start(&s);
            unsetenv("BRISTLE_PATH");
            go(sim, 20.0);
            bri_energies e = bri_sim_energies(sim);
            double turned = fabs(e.work) + e.dissipated;
            if (i == 0) first = e;
            near(e.residual, 0.0, 1e-6 * turned, paths[i]);
            near(e.dissipated, first.dissipated, 1e-5 * turned, paths[i]);
            near(e.work, first.work, 1e-5 * turned, paths[i]);
            bri_sim_free(sim);
        }
    }
}

/* ---- blocks that are driven in every way ---------------------------------------------------- */

enum { MOST_BLOCKS = 12 };

typedef struct driven {
    bri_sim_def def;
    bri_body bodies[MOST_BLOCKS + 2];
    bri_coupling couplings[2 * MOST_BLOCKS];
    bri_contact contacts[MOST_BLOCKS];
    bri_drive drives[2];
    bri_signal plate, belt, load;
} driven;

static bri_signal swing(double amplitude, double frequency) {
    bri_signal s = bri_signal_defaults(bri_signal_find("sine"));
    s.p[0] = amplitude;
    s.p[1] = frequency;
    return s;
}

/* Rig k: blocks side by side on a belt that swings or on the one before, springs with and without
 * damping to their neighbours and to a plate that moves, a force on the first. */
static void drive_blocks(driven *d, int k, int n) {
    static const char *const laws[] = {"lugre", "dahl", "elasto_plastic", "bliman_sorine",
                                       "bristle_second_order"};
    const bri_model *law = bri_model_find(laws[n == 1 ? k % 5 : k % 3]);
    const bri_coupling_kind *spring = bri_coupling_find(k / 2 % 2 ? "spring_damper" : "spring");
    int plate = n, belt = n + 1, couplings = 0;
    *d = (driven){.def = bri_sim_defaults()};
    d->plate = k % 3 ? bri_signal_constant(0.05 + 0.2 * spread(k, 0)) : swing(0.1, 3.0);
    d->belt = k % 4 ? swing(0.05 + 0.2 * spread(k, 1), 1.0 + 4.0 * spread(k, 2))
                    : bri_signal_constant(-0.1);
    d->load = swing(3.0, 2.0);
    d->load.p[3] = 12.0; /* offset */
    for (int i = 0; i < n; i++) {
        d->bodies[i] = (bri_body){.mass = 0.5 + spread(k, 3 + i), .x = 0.01 * i, .v = 0.02};
        bri_contact *c = &d->contacts[i];
        int on = k % 5 == 0 && i > 0 ? i - 1 : belt;
        *c = (bri_contact){.model = law, .a = k % 7 ? i : on, .b = k % 7 ? on : i, .n = 5.0 + i};
        bri_model_defaults(law, c->p);
        if (n == 1 && k % 3 == 0) c->load = BRI_LOAD_SIGNAL, c->n_of_t = &d->load;
        for (int far = 0; far < 2; far++) {
            if (far && i + 1 >= n) continue;
            bri_coupling *l = &d->couplings[couplings++];
            *l = bri_coupling_defaults(spring, far ? i + 1 : plate, i);
            l->p[0] = far ? 500.0 : 50.0 + 100.0 * spread(k, 20 + i);
            if (k / 2 % 2) l->p[2] = 1.0 + spread(k, 40 + i);
        }
    }
    d->bodies[plate] = (bri_body){.velocity = &d->plate};
    d->bodies[belt] = (bri_body){.velocity = &d->belt};
    d->drives[0] = (bri_drive){.body = 0, .force = swing(4.0, 1.5)};
    d->def.system = (bri_system){.bodies = d->bodies,
                                 .couplings = d->couplings,
                                 .contacts = d->contacts,
                                 .drives = d->drives,
                                 .n_bodies = n + 2,
                                 .n_couplings = couplings,
                                 .n_contacts = n,
                                 .n_drives = k / 4 % 2};
    d->def.solver = solver_of("rosenbrock");
    d->def.rtol = 1e-9;
    d->def.t_end = 1.0;
}

/* Heat and work at times within steps are those of the general path, and the account closes. */
static void driven_blocks(void **state) {
    static const char *const paths[] = {"general", "single", "packs"};
    static driven d;
    int taken[3] = {0};
    for (int k = 1; k <= 40; k++) {
        int n = k % 2 ? 1 : 2 + k / 4;
        bri_energies first[6] = {{0}};
        drive_blocks(&d, k, n);
        for (int i = 0; i < 3; i++) {
            bri_sim *sim;
            setenv("BRISTLE_PATH", paths[i], 1);
            if (bri_sim_create(&d.def, &sim, NULL) != BRI_OK) fail_msg("rig %d", k);
            unsetenv("BRISTLE_PATH");
            int own = strcmp(bri_sim_path(sim), paths[i]) == 0;
            taken[i] += own;
            for (int j = 1; own && j < 6; j++) {
                go(sim, 0.2 * j);
                bri_energies e = bri_sim_energies(sim);
                double turned = fabs(e.work) + e.dissipated + e.kinetic;
                if (i == 0) first[j] = e;
                near(e.residual, 0.0, 1e-5 * turned, paths[i]);
                near(e.dissipated, first[j].dissipated, 1e-5 * turned, paths[i]);
                near(e.work, first[j].work, 1e-5 * turned, paths[i]);
            }
            bri_sim_free(sim);
        }
    }
    assert_int_equal(taken[0], 40);
    assert_true(taken[1] >= 20 && taken[2] >= 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rope_on_ground),      cmocka_unit_test(pendulum_on_a_rope),
        cmocka_unit_test(rope_between_bodies), cmocka_unit_test(rope_that_is_pulled),
        cmocka_unit_test(rope_and_stick),      cmocka_unit_test(work_of_a_jump),
        cmocka_unit_test(jump_of_a_velocity),  cmocka_unit_test(one_block_on_every_path),
        cmocka_unit_test(driven_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
