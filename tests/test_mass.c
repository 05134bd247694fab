/* test_mass.c - a mass with its contact in a loop of one's own: closed forms, exact stick, the
 * library's own runs, every law with every mass and step, arrays. */
#include "bristle_sim.h"
#include "samples.h"

#include <stdlib.h>

static const bri_model *law(const char *name, double *p, double *z) {
    const bri_model *m = bri_model_find(name);
    assert_non_null(m);
    bri_model_defaults(m, p);
    bri_model_rest(m, p, z);
    return m;
}

/* Backward Euler with F = kv v: v1 = (v0 + f h/m)/(1 + kv h/m). */
static void test_viscous(void **state) {
    (void)state;
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    const bri_model *m = law("viscous", p, z);
    for (int k = 0; k < 200; k++) {
        double mass = pow(10.0, 12.0 * halton(k, 2) - 8.0), h = pow(10.0, 8.0 * halton(k, 3) - 7.0);
        double v = 4.0 * halton(k, 5) - 2.0, f = 10.0 * halton(k, 7) - 5.0, x = 1.0;
        double want = (v + f * h / mass) / (1.0 + p[0] * h / mass), before = v;
        bri_push on = {.mass = mass, .force = f, .n = 1.0};
        double F = bri_mass_step(m, p, &on, h, &x, &v, z);
        near(v, want, 2e-5, "velocity"); /* the root is found to 1e-5 of the forces */
        near(x, 1.0 + h * v, 1e-15, "position");
        near(F, f - mass * (v - before) / h, 1e-9 + 1e-15 * mass / h, "momentum");
    }
}

/* A block on dry ground stops after v0^2/(2 mu g) and then does not move by a bit; it holds up to
 * its static level and goes beyond. */
static void test_stick(void **state) {
    (void)state;
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    static const char *const names[] = {"coulomb", "stribeck", "benson", "karnopp"};
    for (int k = 0; k < 4; k++) {
        const bri_model *m = law(names[k], p, z);
        double x = 0.0, v = 1.0, n = 20.0, mass = 2.0, F = 0.0;
        bri_push on = {.mass = mass, .n = n};
        for (int i = 0; i < 5000; i++) bri_mass_step(m, p, &on, 1e-3, &x, &v, z);
        hold(m, v == 0.0, "does not stop: %g", v);
        if (k == 0) near(x, 0.5 / (0.5 * n / mass), 6e-3, "distance"); /* h v0/2 of it */
        double there = x;
        on.force = 0.59 * n;
        for (int i = 0; i < 10000; i++) F = bri_mass_step(m, p, &on, 1e-3, &x, &v, z);
        hold(m, x == there && v == 0.0 && F == on.force, "creeps: %g, %g", x - there, v);
        on.force = -0.61 * n;
        F = bri_mass_step(m, p, &on, 1e-3, &x, &v, z);
        hold(m, v < 0.0 && F < 0.0 && F > -0.61 * n, "does not break away: %g, %g", v, F);
        on.n = 0.0; /* lifted off: no friction */
        double before = v;
        F = bri_mass_step(m, p, &on, 1e-3, &x, &v, z);
        hold(m, fabs(F) < 1e-9, "friction in the air: %g", F);
        near(v - before, on.force / mass * 1e-3, 1e-9, "free");
    }
}

/* What the engine of the library gets for a pulled mass: the error is of first order. */
static void test_against_runs(void **state) {
    (void)state;
    static const char *const names[] = {"lugre", "dahl", "elasto_plastic", "coulomb"};
    for (int k = 0; k < 4; k++) {
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], off[2], mass = 2.0, n = 20.0, end = 1.0;
        const bri_model *m = law(names[k], p, z);
        bri_signal_kind const *sine = bri_signal_find("sine");
        bri_drive drive = {.body = 0, .force = bri_signal_defaults(sine)};
        for (int i = 0; i < sine->n_params; i++) {
            if (strcmp(sine->params[i].name, "amplitude") == 0) drive.force.p[i] = 18.0;
            if (strcmp(sine->params[i].name, "frequency") == 0) drive.force.p[i] = 1.5;
        }
        bri_body body = {.kind = BRI_MASS, .mass = mass};
        bri_contact contact = {.model = m, .a = 0, .b = BRI_GROUND, .n = n};
        memcpy(contact.p, p, sizeof p);
        bri_sim_def def = bri_sim_defaults();
        def.system.bodies = &body, def.system.n_bodies = 1;
        def.system.contacts = &contact, def.system.n_contacts = 1;
        def.system.drives = &drive, def.system.n_drives = 1;
        def.t_end = end;
        def.rtol = 1e-9;
        bri_sim *sim;
        bri_error err;
        if (bri_sim_create(&def, &sim, &err)) fail_msg("%s", err.text);
        if (bri_sim_advance(sim, end, &err)) fail_msg("%s", err.text);
        double want = bri_sim_body(sim, 0).x;
        bri_sim_free(sim);
        for (int fine = 0; fine < 2; fine++) {
            int steps = fine ? 8000 : 2000;
            double h = end / steps, x = 0.0, v = 0.0;
            bri_model_rest(m, p, z);
            for (int i = 0; i < steps; i++) {
                bri_push on = {
                    .mass = mass, .n = n, .force = bri_signal_value(&drive.force, (i + 0.5) * h)};
                bri_mass_step(m, p, &on, h, &x, &v, z);
            }
            off[fine] = fabs(x - want);
        }
        hold(m, off[1] < 2e-3 * fabs(want) && off[1] < 0.5 * off[0],
             "off by %g of %g, with steps four times as long %g", off[1], want, off[0]);
    }
}

/* Every law, masses over fifteen decades, steps over six: finite, with a friction that never pulls
 * the energy up once nothing else acts, and in the end at rest. */
static void test_every_mass_and_step(void **state) {
    (void)state;
    for (int k = 0; k < bri_model_count(); k++) {
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
        const bri_model *m = bri_model_at(k);
        for (int s = 0; s < 120; s++) {
            double mass = pow(10.0, 15.0 * halton(s, 2) - 9.0);
            double h = pow(10.0, 6.0 * halton(s, 3) - 6.0), x = 0.0, v = 0.0, n = m->load;
            bri_model_defaults(m, p);
            bri_model_rest(m, p, z);
            bri_push on = {.mass = mass, .n = n};
            for (int i = 0; i < 100; i++) {
                on.force = 2.0 * n * sin(0.7 * i + s) * (i % 30) / 30.0;
                double F = bri_mass_step(m, p, &on, h, &x, &v, z);
                hold(m, isfinite(F) && isfinite(v) && isfinite(x), "mass %g, step %g: F %g, v %g",
                     mass, h, F, v);
            }
            double start = 0.5 * mass * v * v, stored = 0.0;
            bri_input u = {.x = x, .v = v, .n = n};
            if (!bri_model_energy(m, p, &u, z, &stored, NULL)) continue;
            start += stored;
            on.force = 0.0;
            for (int i = 0; i < 100; i++) bri_mass_step(m, p, &on, h, &x, &v, z);
            hold(m, 0.5 * mass * v * v <= 1.001 * start, "mass %g, step %g: %g J from %g J", mass,
                 h, 0.5 * mass * v * v, start);
        }
    }
}

/* How often the law is stepped: what bri_mass_step costs beside its own few operations. A step with
 * its slope costs up to half as much again. */
static long steps_of_the_law;
static double counted_step(const bri_model *self, const double *p, const bri_input *u, double h,
                           double *z) {
    steps_of_the_law++;
    return bri_model_find(self->name)->step(self, p, u, h, z);
}

static double counted_slope(const bri_model *self, const double *p, const bri_input *u, double h,
                            double *z, double *by_v) {
    steps_of_the_law++;
    return bri_model_find(self->name)->step_slope(self, p, u, h, z, by_v);
}

/* A mass that is pulled to and fro beyond break-away takes up to 2.19 steps of the law, one whose
 * force jumps every 20 steps up to 2.37; with a law that does not tell its slope 3.32 and 3.93. */
static void test_few_trials(void **state) {
    (void)state;
    static const char *const names[] = {"lugre", "dahl", "elasto_plastic", "bliman_sorine"};
    for (int k = 0; k < 8; k++) {
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
        const bri_model *m = law(names[k % 4], p, z);
        bri_model counted = *m;
        int tells = k < 4;
        counted.step = counted_step;
        counted.step_slope = tells ? counted_slope : NULL;
        for (int s = 0; s < 12; s++) {
            double mass = pow(10.0, s / 2 - 3), h = s % 2 ? 1e-2 : 1e-3, mean[2];
            for (int jumps = 0; jumps < 2; jumps++) {
                double x = 0.0, v = 0.0, n = m->load;
                bri_model_rest(m, p, z);
                steps_of_the_law = 0;
                for (int i = 0; i < 1000; i++) {
                    double swing = jumps ? 3.0 * halton(i / 20, 2) - 1.5 : 1.3 * sin(4.4 * i * h);
                    bri_push on = {.mass = mass, .n = n, .force = 0.6 * n * swing};
                    bri_mass_step(&counted, p, &on, h, &x, &v, z);
                }
                mean[jumps] = (double)steps_of_the_law / 1000.0;
            }
            hold(m, mean[0] < (tells ? 2.22 : 3.35) && mean[1] < (tells ? 2.4 : 3.96),
                 "mass %g, step %g: %g and %g steps of the law", mass, h, mean[0], mean[1]);
        }
    }
}

/* The sampled controller of docs/howto/embed.md, with the force of a millisecond held over steps of
 * 10 us: SciPy's LSODA, restarted at every sample, ends at 0.103746119 m. */
static void test_controller(void **state) {
    (void)state;
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], x = 0.0, v = 0.0, sum = 0.0;
    const bri_model *m = law("lugre", p, z);
    p[bri_model_param(m, "sigma0")] = 1e5;
    p[bri_model_param(m, "sigma1")] = 300.0;
    for (int k = 0; k < 2000; k++) {
        double e = 0.1 - x;
        sum += e * 1e-3;
        bri_push on = {
            .mass = 1.0, .n = 10.0, .force = fmin(200.0 * e + 100.0 * sum - 10.0 * v, 20.0)};
        for (int i = 0; i < 100; i++) bri_mass_step(m, p, &on, 1e-5, &x, &v, z);
    }
    near(x, 0.103746119, 2e-4, "position after 2 s");
}

static void test_arrays(void **state) {
    (void)state;
    enum { COUNT = 7 };
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], own[BRI_MAX_PARAMS * COUNT], n[COUNT];
    const bri_model *m = law("lugre", p, z);
    double mass[COUNT], force[COUNT], x[COUNT] = {0}, v[COUNT] = {0}, zs[COUNT] = {0}, F[COUNT];
    for (int i = 0; i < COUNT; i++) {
        mass[i] = 0.1 + i, force[i] = 30.0 * i, n[i] = 50.0 + 10.0 * i;
        for (int j = 0; j < m->n_params; j++) own[j * COUNT + i] = p[j] * (j == 4 ? 1.0 + i : 1.0);
    }
    bri_batch b = {.model = m, .count = COUNT, .p = own, .n = n, .own_params = 1, .own_loads = 1};
    for (int s = 0; s < 50; s++) bri_mass_steps(&b, mass, force, 1e-3, x, v, zs, F);
    for (int i = 0; i < COUNT; i++) {
        double one_x = 0.0, one_v = 0.0, one_z[BRI_MAX_STATES] = {0}, one_F = 0.0;
        p[4] = own[4 * COUNT + i];
        bri_push on = {.mass = mass[i], .force = force[i], .n = n[i]};
        for (int s = 0; s < 50; s++) one_F = bri_mass_step(m, p, &on, 1e-3, &one_x, &one_v, one_z);
        assert_true(one_x == x[i] && one_v == v[i] && one_z[0] == zs[i] && one_F == F[i]);
    }
}

/* Long arrays go by the vector code of their law: every step is that of one mass, to what is left
 * of the equation. An open contact, and a mass that is none, which stays as it was. */
static void test_long_arrays(void **state) {
    (void)state;
    enum { COUNT = 300, OPEN = 7, NONE = 133 };
    static const char *const names[] = {"lugre",         "dahl",         "elasto_plastic",
                                        "bliman_sorine", "coulomb_tanh", "gonthier"};
    static double own[BRI_MAX_PARAMS * COUNT], n[COUNT], mass[COUNT], force[COUNT], x[COUNT];
    static double v[COUNT], zs[4 * COUNT], F[COUNT];
    for (int k = 0; k < 6; k++) {
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], h = 1e-3;
        const bri_model *m = law(names[k], p, z);
        int states = bri_model_states(m, p);
        for (int i = 0; i < COUNT; i++) {
            mass[i] = i == NONE ? -1.0 : pow(10.0, 2.0 * halton(i, 2));
            n[i] = i == OPEN ? 0.0 : m->load * (0.5 + halton(i, 3));
            x[i] = v[i] = 0.0;
            for (int j = 0; j < states; j++) zs[j * COUNT + i] = z[j];
            for (int j = 0; j < m->n_params; j++) own[j * COUNT + i] = p[j];
        }
        bri_batch b = {.model = m,
                       .count = COUNT,
                       .p = k % 2 ? own : p,
                       .n = n,
                       .own_loads = 1,
                       .own_params = k % 2};
        for (int s = 0; s < 60; s++) {
            static double ones[4][COUNT], z_of[4 * COUNT];
            for (int i = 0; i < COUNT; i++) {
                force[i] = 0.8 * m->load * sin(0.1 * s + i);
                double z1[BRI_MAX_STATES], *at = z1;
                for (int j = 0; j < states; j++) z1[j] = zs[j * COUNT + i];
                bri_push on = {.mass = mass[i], .force = force[i], .n = n[i]};
                ones[0][i] = x[i], ones[1][i] = v[i];
                ones[2][i] = bri_mass_step(m, p, &on, h, &ones[0][i], &ones[1][i], at);
                for (int j = 0; j < states; j++) z_of[j * COUNT + i] = z1[j];
            }
            bri_mass_steps(&b, mass, force, h, x, v, zs, F);
            for (int i = 0; i < COUNT; i++) {
                if (i == NONE) {
                    hold(m, isnan(F[i]) && v[i] == 0.0 && x[i] == 0.0, "a mass of -1 kg moves");
                    continue;
                }
                double off = 2e-3 * (fabs(force[i]) + fabs(F[i])); /* enough and near of mass.c */
                hold(m, fabs(F[i] - ones[2][i]) <= off, "mass %d, step %d: %g N for %g N", i, s,
                     F[i], ones[2][i]);
                off *= h / mass[i];
                hold(m, fabs(v[i] - ones[1][i]) <= off, "mass %d, step %d: %g m/s for %g m/s", i, s,
                     v[i], ones[1][i]);
                assert_true(fabs(x[i] - ones[0][i]) <= h * off);
                for (int j = 0; j < states; j++)
                    hold(m,
                         fabs(zs[j * COUNT + i] - z_of[j * COUNT + i]) <=
                             h * off + 1e-4 * m->states[j].nominal,
                         "mass %d, step %d: state %g for %g", i, s, zs[j * COUNT + i],
                         z_of[j * COUNT + i]);
            }
        }
    }
}

static void test_bad_input(void **state) {
    (void)state;
    static const struct {
        double mass, force, h, v;
    } bad[] = {{0.0, 1.0, 1e-3, 0.0},     {-1.0, 1.0, 1e-3, 0.0},     {NAN, 1.0, 1e-3, 0.0},
               {1.0, NAN, 1e-3, 0.0},     {1.0, INFINITY, 1e-3, 0.0}, {1.0, 1.0, 0.0, 0.0},
               {1.0, 1.0, -1e-3, 0.0},    {1.0, 1.0, 1e-3, NAN},      {-1.0, 1.0, -1e-3, 0.0},
               {1.0, 1.0, 1e-3, INFINITY}};
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    const bri_model *m = law("lugre", p, z);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double x = 0.5, v = bad[i].v;
        z[0] = 1e-4;
        bri_push on = {.mass = bad[i].mass, .force = bad[i].force, .n = 10.0};
        assert_true(isnan(bri_mass_step(m, p, &on, bad[i].h, &x, &v, z)));
        assert_true(x == 0.5 && z[0] == 1e-4 && memcmp(&v, &bad[i].v, sizeof v) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_viscous),      cmocka_unit_test(test_stick),
        cmocka_unit_test(test_against_runs), cmocka_unit_test(test_every_mass_and_step),
        cmocka_unit_test(test_controller),   cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_long_arrays),  cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_few_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
