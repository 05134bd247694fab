/* test_stepping.c - the solver time_stepping: first order against event_driven, complementarity at
 * every step, stick that is exact, energy that never grows, and what happens at its limits. */
#include "allocations.h"
#include "sims.h"
#include <stdlib.h>

/* ---- rigs ---------------------------------------------------------------------------------- */

enum { MOST = 64 };

/* Room for nets of up to MOST bodies. */
typedef struct net {
    bri_sim_def def;
    bri_body bodies[MOST];
    bri_coupling couplings[2 * MOST];
    bri_contact contacts[MOST];
    bri_drive drives[2];
    bri_signal signals[2];
} net;

static void clear(net *r, double t_end) {
    memset(r, 0, sizeof *r);
    r->def = bri_sim_defaults();
    r->def.t_end = t_end;
    r->def.system.bodies = r->bodies;
    r->def.system.couplings = r->couplings;
    r->def.system.contacts = r->contacts;
    r->def.system.drives = r->drives;
}

static int body(net *r, double mass, double x, double v) {
    int i = r->def.system.n_bodies++;
    r->bodies[i] = (bri_body){.mass = mass, .x = x, .v = v};
    return i;
}

static bri_coupling *couple(net *r, const char *kind, int a, int b, double value) {
    bri_coupling *c = &r->couplings[r->def.system.n_couplings++];
    *c = bri_coupling_defaults(bri_coupling_find(kind), a, b);
    c->p[0] = value;
    return c;
}

static bri_contact *touch(net *r, const char *law, int a, int b, double load, double mu_c,
                          double mu_s) {
    bri_contact *c = &r->contacts[r->def.system.n_contacts++];
    *c = (bri_contact){.model = bri_model_find(law), .a = a, .b = b, .n = load};
    bri_model_defaults(c->model, c->p);
    c->p[bri_model_param(c->model, "mu_c")] = mu_c;
    c->p[bri_model_param(c->model, "mu_s")] = mu_s;
    return c;
}

static void drive(net *r, int at, bri_signal force) {
    r->drives[r->def.system.n_drives++] = (bri_drive){.body = at, .force = force};
}

/* Three stacked bodies, the top one pulled by a spring. */
static void three_dof(net *r) {
    clear(r, 10.0);
    for (int i = 0; i < 3; i++) body(r, 2.0, i == 0 ? 1.0 : 0.0, 0.0);
    couple(r, "spring", BRI_GROUND, 0, 30.0);
    touch(r, "coulomb", 0, 1, 19.62, 0.5, 0.75);
    touch(r, "coulomb", 1, 2, 39.24, 0.1, 0.15);
    touch(r, "coulomb", 2, BRI_GROUND, 58.86, 0.2, 0.3);
}

static void slab(net *r) {
    clear(r, 50.0);
    body(r, 20.0, 0.0, 0.5);
    r->signals[0] = bri_signal_constant(0.5);
    r->bodies[1] = (bri_body){.velocity = &r->signals[0]};
    r->def.system.n_bodies = 2;
    couple(r, "spring", BRI_GROUND, 0, 10.0);
    touch(r, "coulomb", 0, 1, 196.2, 0.5, 0.6);
}

/* The spring is stretched by 0.1 m; static and sliding level are the same. */
static void wall_step(net *r) {
    clear(r, 5.0);
    body(r, 1.0, -0.1, 0.0);
    couple(r, "spring", BRI_GROUND, 0, 100.0);
    touch(r, "coulomb", 0, BRI_GROUND, 9.81, 0.1, 0.1);
}

/* Seeded stacks and nets: bodies in a row, springs and dampers at random, contacts with the ground,
 * a belt or each other. */
static void random_net(net *r, int seed) {
    static const char *const laws[] = {"coulomb", "stribeck", "benson", "karnopp"};
    int n = 2 + (int)(18.0 * spread(seed, 0));
    clear(r, 2.0);
    for (int i = 0; i < n; i++)
        body(r, 0.5 + spread(seed, i + 1), 0.3 * spread(seed, i + 5), spread(seed, i + 9) - 0.5);
    for (int i = 0; i + 1 < n; i++)
        if (spread(seed, i + 11) < 0.7)
            couple(r, seed % 3 ? "spring" : "spring_damper", i, i + 1, 200.0 * spread(seed, i));
    couple(r, "spring", BRI_GROUND, 0, 50.0);
    for (int i = 0; i < n; i++) {
        int partner = i > 0 && spread(seed, i + 3) < 0.4 ? i - 1 : BRI_GROUND;
        double mu = 0.1 + 0.3 * spread(seed, i + 17);
        touch(r, laws[(seed + i) % 4], i, partner, 5.0 + 10.0 * spread(seed, i + 2), mu, 1.4 * mu);
        if (spread(seed, i + 23) < 0.3) touch(r, "coulomb", i, BRI_GROUND, 3.0, mu, mu);
    }
}

static bri_sim *begin(net *r, const char *solver, double step) {
    bri_sim *sim;
    bri_error err;
    r->def.solver = solver_of(solver);
    r->def.step = step;
    if (bri_sim_create(&r->def, &sim, &err) != BRI_OK) fail_msg("%s", err.text);
    return sim;
}

/* ---- accuracy ------------------------------------------------------------------------------ */

/* Largest difference of positions over 40 times from another solver at a tight tolerance. */
static double error_from(net *r, const char *solver, double step) {
    double worst = 0.0;
    r->def.rtol = 1e-9;
    bri_sim *exact = begin(r, solver, 0.0), *sim = begin(r, "time_stepping", step);
    for (int k = 1; k <= 40; k++) {
        double t = r->def.t_end * k / 40.0;
        go(exact, t);
        go(sim, t);
        for (int i = 0; i < r->def.system.n_bodies; i++)
            worst = fmax(worst, fabs(bri_sim_body(sim, i).x - bri_sim_body(exact, i).x));
    }
    bri_sim_free(exact);
    bri_sim_free(sim);
    return worst;
}

static double error_at(net *r, double step) { return error_from(r, "event_driven", step); }

static void first_order(void **state) {
    static void (*const rigs[])(net *) = {slab, wall_step, three_dof};
    static const double most[] = {4e-3, 3e-4, 3e-3}; /* at 1 ms */
    for (int i = 0; i < 3; i++) {
        static net r;
        rigs[i](&r);
        double coarse = error_at(&r, 1e-2), middle = error_at(&r, 1e-3), fine = error_at(&r, 1e-4);
        double order = 0.5 * log10(coarse / fine);
        if (!(order > 0.85)) fail_msg("rig %d: order %g (%g, %g)", i, order, coarse, fine);
        if (!(middle < most[i])) fail_msg("rig %d: %g m at 1 ms", i, middle);
    }
}

/* What keeps its level while it slides is of second order, apart from stick and slip. */
static void weakening(void **state) {
    static net r;
    slab(&r);
    r.contacts[0].model = bri_model_find("stribeck");
    bri_model_defaults(r.contacts[0].model, r.contacts[0].p);
    double coarse = error_at(&r, 1e-2), fine = error_at(&r, 1e-3);
    assert_true(fine < 2e-4 && fine < 0.1 * coarse);
}

static void stacked_bodies(void **state) {
    static net r;
    three_dof(&r);
    bri_sim *sim = begin(&r, "time_stepping", 1e-4);
    go(sim, 10.0);
    near(bri_sim_body(sim, 0).x, -0.0659591, 1e-3, "top");
    near(bri_sim_body(sim, 1).x, -0.4615564, 1e-3, "middle");
    assert_true(bri_sim_body(sim, 2).x == 0.0);
    for (int i = 0; i < 3; i++) {
        assert_true(bri_sim_contact(sim, i).motion == 0 && bri_sim_contact(sim, i).v == 0.0);
        near(bri_sim_contact(sim, i).F, -30.0 * bri_sim_body(sim, 0).x, 1e-9, "stick force");
    }
    bri_sim_free(sim);
}

/* Dampers, a hub with more neighbours than there are runs, a bristle law beside set-valued ones, a
 * support that vibrates, a load that varies. */
static void other_systems(void **state) {
    static net r;
    bri_signal sine = bri_signal_defaults(bri_signal_find("sine"));
    sine.p[0] = 3.0;
    clear(&r, 2.0);
    body(&r, 3.0, 0.1, 0.0);
    for (int i = 1; i <= 12; i++) {
        body(&r, 1.0, 0.01 * i, 0.0);
        couple(&r, "spring_damper", 0, i, 20.0 + i)->p[2] = 0.3;
        touch(&r, i == 3 ? "lugre" : "stribeck", i, BRI_GROUND, 4.0, 0.2, 0.25);
    }
    drive(&r, 0, sine);
    double coarse = error_at(&r, 1e-3), fine = error_at(&r, 1e-4);
    if (!(fine < 1e-4 && fine < 0.3 * coarse)) fail_msg("hub: %g, %g", coarse, fine);
    for (int i = 0; i < 12; i++) r.couplings[i] = bri_coupling_defaults(r.couplings[0].kind, 0, 1);
    for (int i = 1; i <= 12; i++) {
        r.couplings[i - 1] = bri_coupling_defaults(bri_coupling_find("spring"), 0, i);
        r.couplings[i - 1].p[0] = 20.0 + i;
        touch(&r, "coulomb", i, BRI_GROUND, 4.0, 0.2, 0.25);
    }
    memmove(r.contacts, r.contacts + 12, 12 * sizeof *r.contacts);
    r.def.system.n_contacts = 12;
    fine = error_at(&r, 1e-4);
    if (!(fine < 1e-3)) fail_msg("hub of springs: %g", fine);
    slab(&r);
    r.def.t_end = 10.0;
    r.signals[0] = bri_signal_defaults(bri_signal_find("sine"));
    r.signals[0].p[0] = 0.5;
    r.signals[1] = sine;
    r.signals[1].p[0] = 50.0;
    r.signals[1].p[2] = 0.3;
    r.signals[1].p[3] = 100.0;
    r.contacts[0].load = BRI_LOAD_SIGNAL;
    r.contacts[0].n_of_t = &r.signals[1];
    coarse = error_at(&r, 1e-2);
    fine = error_at(&r, 1e-3);
    if (!(fine < 3e-3 && fine < 0.3 * coarse)) fail_msg("support: %g, %g", coarse, fine);
}

/* A sheet of blocks that a plate drags along: two colours, neighbours at constant distances. */
static void sheet(void **state) {
    enum { SIDE = 6 };
    static net r;
    clear(&r, 2.0);
    for (int i = 0; i < SIDE * SIDE; i++) body(&r, 1.0, 0.02 * spread(i, 3), 0.0);
    r.signals[0] = bri_signal_constant(0.1);
    r.bodies[SIDE * SIDE] = (bri_body){.velocity = &r.signals[0]};
    r.def.system.n_bodies++;
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE > 0) couple(&r, "spring", i, i - 1, 100.0);
        if (i >= SIDE) couple(&r, "spring", i - SIDE, i, 100.0);
        if (i % 2) couple(&r, "spring", i, SIDE * SIDE, 30.0);
        touch(&r, "stribeck", i, BRI_GROUND, 1.0, 0.5, 1.0);
    }
    double coarse = error_at(&r, 1e-2), fine = error_at(&r, 1e-3);
    if (!(fine < 1e-4 && fine < 0.2 * coarse)) fail_msg("%g, %g", coarse, fine);
}

/* n blocks in a row on the ground or on the plate that draws them. What is odd beside the row: a
 * force on one block, a damper from it to the ground. */
enum { ON_PLATE = 1, PUSHED = 2, DAMPED = 4 };

static void row(net *r, const char *law, int n, int how) {
    bri_signal sine = bri_signal_defaults(bri_signal_find("sine"));
    sine.p[0] = 2.0;
    clear(r, 1.0);
    for (int i = 0; i < n; i++) body(r, 1.0, 1e-3 * spread(i, 3), 0.0);
    r->signals[0] = bri_signal_constant(0.5);
    r->bodies[n] = (bri_body){.velocity = &r->signals[0]};
    r->def.system.n_bodies++;
    for (int i = 0; i + 1 < n; i++) couple(r, "spring", i, i + 1, 1000.0);
    for (int i = 0; i < n; i++) couple(r, "spring", i, n, 40.0);
    for (int i = 0; i < n; i++) {
        bri_contact *c = touch(r, law, i, how & ON_PLATE ? n : BRI_GROUND, 9.81, 0.3, 0.35);
        int sigma0 = bri_model_param(c->model, "sigma0"), k = bri_model_param(c->model, "k");
        if (sigma0 >= 0) c->p[sigma0] = 1e4;
        if (k >= 0) c->p[k] = 1000.0;
    }
    if (how & PUSHED) drive(r, n / 2, sine);
    if (how & DAMPED) couple(r, "damper", n / 2, BRI_GROUND, 3.0);
}

/* Long rows of equal contacts are computed array by array: that must not show. */
static void rows(void **state) {
    static const char *const laws[] = {"lugre", "stribeck_tanh"};
    static const int counts[] = {15, 16, 40}, ways[] = {0, ON_PLATE, PUSHED, PUSHED | DAMPED};
    static net r;
    for (int k = 0; k < 2 * 3 * 4; k += USUALLY(1, 5, 13)) {
        const char *law = laws[k % 2];
        int n = counts[k / 2 % 3], how = ways[k / 6];
        row(&r, law, n, how);
        double coarse = error_from(&r, "rosenbrock", 1e-3),
               fine = error_from(&r, "rosenbrock", 1e-4);
        bri_sim *sim = begin(&r, "time_stepping", 1e-4);
        go(sim, 1.0);
        bri_energies e = bri_sim_energies(sim);
        bri_sim_free(sim);
        if (!(fine < (how & ON_PLATE ? 2e-3 : 2e-4) && fine < 0.2 * coarse))
            fail_msg("%d x %s, rig %d: %g, %g", n, law, how, coarse, fine);
        if (!(e.work > 0.2 * n && fabs(e.residual) < 0.01 * e.work))
            fail_msg("%d x %s, rig %d: work %g, residual %g", n, law, how, e.work, e.residual);
    }
}

/* ---- complementarity and energy ------------------------------------------------------------ */

static double level(const bri_contact *c, const char *name) {
    return c->n * c->p[bri_model_param(c->model, name)];
}

static void check_contacts(const net *r, bri_sim *sim) {
    for (int i = 0; i < r->def.system.n_contacts; i++) {
        const bri_contact *c = &r->contacts[i];
        bri_contact_now now = bri_sim_contact(sim, i);
        double low = level(c, "mu_c") * (1.0 - 1e-9), high = level(c, "mu_s") * (1.0 + 1e-9);
        int fine = fabs(now.F) <= high;
        if (now.v != 0.0) fine &= now.F * now.v > 0.0 && fabs(now.F) >= low;
        if (now.motion != (now.v > 0.0) - (now.v < 0.0)) fine = 0;
        if (!fine)
            fail_msg("contact %d at %g s: F %g of %g ... %g, v %g", i, bri_sim_time(sim), now.F,
                     low, high, now.v);
    }
}

/* At the end of every step; and no energy comes from nowhere. */
static void complementarity(void **state) {
    for (int seed = 0; seed < SAMPLE(40, 12); seed++) {
        static net r;
        random_net(&r, seed);
        bri_sim *sim = begin(&r, "time_stepping", 2e-3);
        double before = INFINITY;
        for (int k = 1; k <= 1000; k++) {
            go(sim, 2e-3 * k);
            check_contacts(&r, sim);
            bri_energies e = bri_sim_energies(sim);
            double now = e.kinetic + e.potential;
            if (!(now <= before + 1e-9)) fail_msg("seed %d: %g J from nowhere", seed, now - before);
            before = now;
        }
        bri_sim_free(sim);
    }
}

/* Sliding without stops: the account of energy is exact. */
static void energy_account(void **state) {
    static net r;
    slab(&r);
    bri_sim *sim = begin(&r, "time_stepping", 1e-2);
    go(sim, 50.0);
    bri_energies e = bri_sim_energies(sim);
    assert_true(e.dissipated > 1000.0);
    assert_true(fabs(e.residual) < 1e-6);
    bri_sim_free(sim);
}

static void no_creep(void **state) {
    static net r;
    for (int stack = 0; stack < 2; stack++) {
        clear(&r, 1e6);
        body(&r, 1.0, 0.0, 0.0);
        touch(&r, "coulomb", 0, BRI_GROUND, 10.0, 0.2, 0.3);
        if (stack) {
            body(&r, 1.0, 0.0, 0.0);
            touch(&r, "stribeck", 1, 0, 10.0, 0.2, 0.3);
        }
        drive(&r, stack, bri_signal_constant(0.999 * 3.0));
        bri_sim *sim = begin(&r, "time_stepping", 10.0);
        go(sim, 1e6);
        for (int i = 0; i <= stack; i++) {
            assert_true(bri_sim_body(sim, i).x == 0.0 && bri_sim_body(sim, i).v == 0.0);
            near(bri_sim_contact(sim, i).F, 0.999 * 3.0, 1e-12, "force that holds");
        }
        bri_sim_free(sim);
        r.drives[0].force = bri_signal_constant(1.001 * 3.0);
        r.def.t_end = 1.0;
        sim = begin(&r, "time_stepping", 1e-3);
        go(sim, 1.0);
        assert_true(bri_sim_body(sim, stack).x > 0.1);
        bri_sim_free(sim);
    }
}

/* Nothing moves but a belt: no impulse to be found, friction all the same. */
static void belt_alone(void **state) {
    static net r;
    slab(&r);
    r.bodies[0].velocity = &r.signals[1];
    r.signals[1] = bri_signal_constant(0.2);
    r.def.system.n_couplings = 0;
    bri_sim *sim = begin(&r, "time_stepping", 1e-2);
    go(sim, 10.0);
    near(bri_sim_contact(sim, 0).F, -98.1, 1e-12, "force");
    near(bri_sim_energies(sim).dissipated, 98.1 * 0.3 * 10.0, 1e-9, "heat");
    assert_int_equal(bri_sim_contact(sim, 0).motion, -1);
    bri_sim_free(sim);
}

/* ---- order, limits, repeatability ---------------------------------------------------------- */

static void order_independence(void **state) {
    for (int seed = 0; seed < SAMPLE(10, 4); seed++) {
        static net r, other;
        double x[2][MOST] = {{0}};
        random_net(&r, seed);
        random_net(&other, seed);
        int n = r.def.system.n_contacts, m = r.def.system.n_couplings;
        for (int i = 0; i < n; i++) other.contacts[i] = r.contacts[n - 1 - i];
        for (int i = 0; i < m; i++) other.couplings[i] = r.couplings[m - 1 - i];
        for (int way = 0; way < 2; way++) {
            bri_sim *sim = begin(way ? &other : &r, "time_stepping", 1e-3);
            go(sim, 2.0);
            for (int i = 0; i < r.def.system.n_bodies; i++) x[way][i] = bri_sim_body(sim, i).x;
            bri_sim_free(sim);
        }
        for (int i = 0; i < r.def.system.n_bodies; i++) near(x[1][i], x[0][i], 1e-6, "position");
    }
}

static void sweep_limit(void **state) {
    static net r;
    bri_error err;
    clear(&r, 100.0);
    for (int i = 0; i < MOST; i++) {
        body(&r, 1.0, 0.01 * i, 0.0);
        if (i > 0) couple(&r, "spring", i - 1, i, 1e9);
    }
    touch(&r, "coulomb", 0, BRI_GROUND, 1.0, 0.1, 0.1);
    bri_sim *sim = begin(&r, "time_stepping", 10.0);
    assert_int_equal(bri_sim_advance(sim, 100.0, &err), BRI_NO_PROGRESS);
    assert_non_null(strstr(err.text, "sweeps at t = 0 s"));
    assert_true(bri_sim_time(sim) == 0.0 && bri_sim_body(sim, 3).x == 0.03);
    bri_sim_free(sim);
    r.def.step = 0.0;
    assert_int_equal(bri_sim_create(&r.def, &sim, &err), BRI_BAD_VALUE);
}

/* Two runs give the same bytes, however often they are read; and nothing is allocated. */
static void same_bytes(void **state) {
    static double seen[3][MOST][3];
    static net r;
    memset(seen, 0, sizeof seen);
    for (int run = 0; run < 3; run++) {
        random_net(&r, 7);
        bri_sim *sim = begin(&r, "time_stepping", 1e-3);
        long before = allocations;
        for (int k = 1; k <= (run == 2 ? 1 : 77); k++) {
            go(sim, run == 2 ? 2.0 : 2.0 * k / 77.0);
            bri_sim_energies(sim);
            for (int i = 0; i < r.def.system.n_contacts; i++) bri_sim_contact(sim, i);
        }
        for (int i = 0; i < r.def.system.n_bodies; i++) {
            bri_body_now b = bri_sim_body(sim, i);
            seen[run][i][0] = b.x, seen[run][i][1] = b.v;
            seen[run][i][2] = bri_sim_contact(sim, i).F;
        }
        assert_int_equal(allocations, before);
        bri_sim_free(sim);
    }
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    assert_memory_equal(seen[0], seen[2], sizeof seen[0]);
}

/* The shipped scenario: the pile stands nearly still at 2.185 s, where impulses cancel to rounding.
 */
static void nearly_still(void **state) {
    static const double Fc[3] = {9.81, 3.92, 11.77}, Fs[3] = {14.71, 5.88, 17.66};
    static net r;
    three_dof(&r);
    r.def.rtol = 1e-8;
    for (int i = 0; i < 3; i++) {
        r.contacts[i].n = 1.0;
        r.contacts[i].p[bri_model_param(r.contacts[i].model, "mu_c")] = Fc[i];
        r.contacts[i].p[bri_model_param(r.contacts[i].model, "mu_s")] = Fs[i];
    }
    bri_sim *sim = begin(&r, "time_stepping", 1e-3);
    go(sim, 10.0);
    assert_true(fabs(bri_sim_body(sim, 0).x + 0.06678) < 3e-3);
    assert_true(fabs(bri_sim_body(sim, 1).x + 0.46275) < 3e-3);
    bri_sim_free(sim);
}

/* A block that goes with its slab does so from the start. */
static void mode_at_the_start(void **state) {
    static net r;
    slab(&r);
    bri_sim *sim = begin(&r, "time_stepping", 1e-3);
    assert_int_equal(bri_sim_contact(sim, 0).motion, 0);
    bri_sim_free(sim);
    r.bodies[0].v = 0.4;
    sim = begin(&r, "time_stepping", 1e-3);
    assert_int_equal(bri_sim_contact(sim, 0).motion, -1);
    bri_sim_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_order),
        cmocka_unit_test(weakening),
        cmocka_unit_test(stacked_bodies),
        cmocka_unit_test(other_systems),
        cmocka_unit_test(complementarity),
        cmocka_unit_test(energy_account),
        cmocka_unit_test(no_creep),
        cmocka_unit_test(order_independence),
        cmocka_unit_test(sweep_limit),
        cmocka_unit_test(sheet),
        cmocka_unit_test(mode_at_the_start),
        cmocka_unit_test(nearly_still),
        cmocka_unit_test(belt_alone),
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
