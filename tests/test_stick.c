/* test_stick.c - exact stick against closed forms and published numbers: event times, positions,
 * energies, both readings of Karnopp's law. */
#include "stick_rig.h"
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* ---- Rabinowicz's rig ------------------------------------------------------------------------ */

/* Block of 20 kg on a slab at 0.5 m/s, held by 10 N/m; starts carried along at x = 0. */
static bri_contact *rabinowicz_rig(stand *s, const char *law, double rtol) {
    stand_clear(s, 50.0, rtol);
    s->signals[s->n_signals++] = bri_signal_constant(0.5);
    add_body(s, 20.0, 0.0, 0.5);
    add_moved(s, &s->signals[0]);
    add_spring(s, BRI_GROUND, 0, 10.0);
    return add_contact(s, 0, 1, law, 98.1, 117.72);
}

/* Closed form of stick-slip on a belt: sticks at V until the spring force is Fs, then oscillates
 * about x = Fc/k until the velocity is V again. */
typedef struct belt {
    double V, w, rest, breaks, sticks; /* positions: centre of slip, break-away, re-stick */
    double first, slip, period;        /* first break-away, duration of a slip, of a cycle */
} belt;

static belt belt_of(double m, double k, double V, double Fc, double Fs) {
    belt b = {.V = V, .w = sqrt(k / m), .rest = Fc / k, .breaks = Fs / k};
    b.sticks = 2.0 * b.rest - b.breaks;
    b.first = b.breaks / V;
    b.slip = 2.0 * (PI - atan2((b.breaks - b.rest) * b.w, V)) / b.w;
    b.period = b.slip + (b.breaks - b.sticks) / V;
    return b;
}

static double belt_x(const belt *b, double t) {
    if (t <= b->first) return b->V * t;
    double s = fmod(t - b->first, b->period);
    if (s > b->slip) return b->sticks + b->V * (s - b->slip);
    return b->rest + (b->breaks - b->rest) * cos(b->w * s) + b->V / b->w * sin(b->w * s);
}

static void rabinowicz_has_the_event_times_of_its_closed_form(void **state) {
    belt b = belt_of(20.0, 10.0, 0.5, 98.1, 117.72);
    /* the published numbers are those of the closed form */
    near(b.first, 23.544, 1e-12, "first break-away");
    near(b.first + b.slip, 28.96527, 2e-7, "first re-stick");
    near(b.first + b.period, 36.81327, 2e-7, "second break-away");
    near(b.first + b.period + b.slip, 42.23453, 2e-7, "second re-stick");
    static const char *const solvers[] = {"event_driven", "rosenbrock", "rodas5p"};
    for (int i = 0; i < 3; i++) {
        stand s;
        rabinowicz_rig(&s, "coulomb", 1e-12);
        s.def.solver = bri_solver_find(solvers[i]);
        bri_sim *sim = stand_start(&s);
        double heat = 0.0;
        for (int k = 1; k <= 500; k++) {
            double t = 0.1 * k;
            run_to(sim, t);
            near(bri_sim_body(sim, 0).x, belt_x(&b, t), 1e-10, "x");
            if (k == 290) heat = bri_sim_energies(sim).dissipated;
        }
        assert_int_equal(event_count(sim), 4);
        for (int k = 0; k < 4; k++) {
            double t = b.first + (k / 2) * b.period + (k % 2) * b.slip;
            expect_event(sim, k, t, 0, k % 2 ? -1 : 0, k % 2 ? 0 : -1, 1e-9);
            near(event_at(sim, k).F, k % 2 ? -98.1 : -117.72, 1e-9, "force at an event");
        }
        /* one slip: the levels times the way on the slab */
        near(heat, 98.1 * (0.5 * b.slip - (b.sticks - b.breaks)), 1e-9, "heat of a slip");
        near(heat, 650.86, 1e-5, "published heat of a slip");
        near(bri_sim_energies(sim).residual, 0.0, 1e-8, "residual");
        bri_sim_free(sim);
    }
}

/* A loose tolerance moves the events little, and never the count. */
static void tolerance_changes_little(void **state) {
    belt b = belt_of(20.0, 10.0, 0.5, 98.1, 117.72);
    static const double rtol[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-8};
    for (int i = 0; i < 5; i++) {
        stand s;
        rabinowicz_rig(&s, "coulomb", rtol[i]);
        bri_sim *sim = stand_start(&s);
        run_to(sim, 50.0);
        assert_int_equal(event_count(sim), 4);
        near(event_at(sim, 3).t, b.first + b.period + b.slip, 10.0 * rtol[i], "last event");
        bri_sim_free(sim);
    }
}

/* m 1, k 2, V 0.1, levels 1 and 1.5 N. */
static void belt_has_its_closed_period(void **state) {
    static const char *const laws[] = {"coulomb", "karnopp"};
    belt b = belt_of(1.0, 2.0, 0.1, 1.0, 1.5);
    near(b.period, 7.611259, 1e-7, "period of the closed form");
    for (int i = 0; i < 2; i++) {
        stand s;
        stand_clear(&s, 40.0, 1e-12);
        s.signals[s.n_signals++] = bri_signal_constant(0.1);
        add_body(&s, 1.0, 0.0, 0.1);
        add_moved(&s, &s.signals[0]);
        add_spring(&s, BRI_GROUND, 0, 2.0);
        law_value(add_contact(&s, 0, 1, laws[i], 1.0, 1.5), "v_d", 0.0);
        bri_sim *sim = stand_start(&s);
        run_to(sim, 40.0);
        for (int k = 2; k < event_count(sim); k++)
            near(event_at(sim, k).t - event_at(sim, k - 2).t, b.period, 1e-9, "period");
        assert_true(event_count(sim) >= 8);
        bri_sim_free(sim);
    }
}

/* ---- the wall that jumps --------------------------------------------------------------------- */

static void wall_step_turns_and_stops_where_it_must(void **state) {
    static const double turns[] = {0.18038, 0.03924, 0.14114, 0.07848, 0.1019};
    stand s;
    stand_clear(&s, 5.0, 1e-12);
    bri_signal *wall = &s.signals[s.n_signals++];
    *wall = bri_signal_constant(0.1);
    add_body(&s, 1.0, 0.0, 0.0);
    s.bodies[s.def.system.n_bodies++] = (bri_body){.name = "wall", .position = wall};
    add_spring(&s, 1, 0, 100.0);
    add_contact(&s, 0, BRI_GROUND, "coulomb", 0.981, 0.981);
    bri_sim *sim = stand_start(&s);
    for (int k = 0; k < 5; k++) {
        double t = (k + 1) * PI / 10.0;
        run_to(sim, t);
        near(bri_sim_body(sim, 0).x, turns[k], 1e-9, "turning point");
    }
    run_to(sim, 5.0);
    assert_int_equal(event_count(sim), 5);
    for (int k = 0; k < 5; k++)
        expect_event(sim, k, (k + 1) * PI / 10.0, 0, k % 2 ? -1 : 1,
                     k == 4  ? 0
                     : k % 2 ? 1
                             : -1,
                     1e-9);
    near(bri_sim_body(sim, 0).x, 0.1019, 1e-9, "stop");
    assert_true(bri_sim_body(sim, 0).v == 0.0);
    near(bri_sim_energies(sim).residual, 0.0, 1e-12, "residual");
    bri_sim_free(sim);
}

/* ---- three stacked bodies -------------------------------------------------------------------- */

static void three_bodies(stand *s, const char *law, double rtol) {
    static const double Fc[] = {9.81, 3.92, 11.77}, Fs[] = {14.71, 5.88, 17.66};
    static const double sigma0[] = {98100, 39200, 117700}, sigma1[] = {49, 20, 59};
    stand_clear(s, 10.0, rtol);
    for (int i = 0; i < 3; i++) add_body(s, 2.0, i == 0 ? 1.0 : 0.0, 0.0);
    add_spring(s, BRI_GROUND, 0, 30.0);
    for (int i = 0; i < 3; i++) {
        bri_contact *c = add_contact(s, i, i < 2 ? i + 1 : BRI_GROUND, law, Fc[i], Fs[i]);
        law_value(c, "sigma0", sigma0[i]);
        law_value(c, "sigma1", sigma1[i]);
        law_value(c, "v_s", 0.1);
        law_value(c, "v_d", 0.01);
        law_value(c, "v_a", 0.1);
    }
}

static void stacked_bodies_stop_where_the_paper_says(void **state) {
    static const char *const laws[] = {"coulomb", "karnopp"};
    for (int i = 0; i < 2; i++) {
        stand s;
        three_bodies(&s, laws[i], 1e-12);
        if (i == 1)
            for (int k = 0; k < 3; k++) law_value(&s.contacts[k], "v_d", 0.0);
        bri_sim *sim = stand_start(&s);
        run_to(sim, 10.0);
        assert_int_equal(event_count(sim), 4);
        expect_event(sim, 0, 0.6134, 0, -1, 0, 5e-5);
        expect_event(sim, 3, 3.3306, 1, -1, 0, 5e-5);
        near(bri_sim_body(sim, 0).x, -0.06678, 1e-5 / 0.06678, "top");
        near(bri_sim_body(sim, 1).x, -0.46275, 1e-5 / 0.46275, "middle");
        assert_true(bri_sim_body(sim, 2).x == 0.0); /* the bottom never moves */
        for (int k = 0; k < 3; k++) assert_true(bri_sim_body(sim, k).v == 0.0);
        near(bri_sim_energies(sim).residual, 0.0, 1e-10, "residual");
        bri_sim_free(sim);
    }
}

/* Karnopp's band is a regularisation: the result goes to the exact one with it. */
static void karnopp_on_stacked_bodies_converges(void **state) {
    double before = INFINITY;
    for (int i = 0; i < 4; i++) {
        double band = pow(10.0, -2 - i);
        stand s;
        three_bodies(&s, "karnopp", 1e-10);
        for (int k = 0; k < 3; k++) law_value(&s.contacts[k], "v_d", band);
        bri_sim *sim = stand_start(&s);
        run_to(sim, 10.0);
        double off = fabs(bri_sim_body(sim, 1).x + 0.462751105);
        if (!(off <= 3.0 * band) || !(off < before)) fail_msg("band %g: off by %g m", band, off);
        before = off;
        near(bri_sim_energies(sim).residual, 0.0, 1e-8, "residual");
        bri_sim_free(sim);
    }
}

/* Bristle laws on the same rig come near, and keep creeping or ringing by little. */
static void bristle_laws_beside_it(void **state) {
    static const char *const laws[] = {"lugre", "bristle_second_order"};
    for (int i = 0; i < 2; i++) {
        stand s;
        three_bodies(&s, laws[i], 1e-8);
        bri_sim *sim = stand_start(&s);
        run_to(sim, 10.0);
        near(bri_sim_body(sim, 0).x - bri_sim_body(sim, 1).x, 0.396, 0.1, "top on middle");
        near(bri_sim_body(sim, 2).x, 0.0, 1e-3, "bottom");
        bri_sim_free(sim);
    }
}

/* ---- Pennestri's table: readings of Karnopp's law -------------------------------------------- */

static void errors_of(stand *s, double *worst, double *mean) {
    belt b = belt_of(20.0, 10.0, 0.5, 98.1, 117.72);
    bri_sim *sim = stand_start(s);
    *worst = *mean = 0.0;
    for (int k = 1; k <= 5000; k++) {
        double t = k == 5000 ? 50.0 : 0.01 * k;
        run_to(sim, t);
        double x = bri_sim_body(sim, 0).x, off = 100.0 * fabs((x - belt_x(&b, t)) / x);
        *worst = fmax(*worst, off);
        *mean += off / 5000.0;
    }
    bri_sim_free(sim);
}

static void readings_of_karnopp_fit_the_table(void **state) {
    static const struct {
        double band;
        int reading;
        double worst, mean;
    } rows[] = {{0.05, 1, 23.98, 4.86}, {0.01, 2, 2.31, 0.37}, {0.01, 0, 0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        stand s;
        double worst, mean;
        bri_contact *pad = rabinowicz_rig(&s, "karnopp", 1e-10);
        law_value(pad, "v_d", rows[i].band);
        law_value(pad, "as_printed", rows[i].reading);
        errors_of(&s, &worst, &mean);
        if (!(fabs(worst - rows[i].worst) <= 0.01) || !(fabs(mean - rows[i].mean) <= 0.006))
            fail_msg("band %g, reading %d: %g / %g", rows[i].band, rows[i].reading, worst, mean);
    }
}

/* ---- Leus's rig ------------------------------------------------------------------------------ */

typedef struct pull {
    double peak, valley, period, mean, swing;
} pull;

static pull pull_of(double amplitude, int reading) {
    stand s;
    stand_clear(&s, 20.0, 1e-6);
    s.def.energies = 0;
    s.def.event_room = 100000;
    bri_signal *drive = &s.signals[s.n_signals++];
    *drive = bri_signal_constant(1e-3);
    bri_signal *shake = stand_signal(&s, "sine");
    tune(shake, "amplitude", amplitude);
    tune(shake, "frequency", 1500.0);
    tune(shake, "phase", 0.5 * PI);
    tune(shake, "from", 10.0);
    add_body(&s, 0.665, 0.0, 0.0);
    add_moved(&s, drive);
    if (amplitude > 0.0) add_moved(&s, shake);
    add_spring(&s, 0, 1, 11700.0);
    bri_contact *pad = add_contact(&s, 0, amplitude > 0.0 ? 2 : BRI_GROUND, "karnopp", 8.3, 11.1);
    law_value(pad, "v_d", 1e-5);
    law_value(pad, "as_printed", reading);
    bri_sim *sim = stand_start(&s);
    pull p = {.valley = INFINITY};
    double high = -INFINITY, low = INFINITY;
    for (int k = 2000; k <= 20000; k++) {
        run_to(sim, 0.001 * k);
        double F = bri_sim_coupling_force(sim, 0);
        if (k <= 10000) p.peak = fmax(p.peak, F), p.valley = fmin(p.valley, F);
        if (k < 17000) continue;
        high = fmax(high, F);
        low = fmin(low, F);
        p.mean += F / 3001.0;
    }
    p.swing = high - low;
    int releases = 0;
    double first = 0.0;
    for (int k = 0; k < event_count(sim) && event_at(sim, k).t < 10.0; k++)
        if (event_at(sim, k).from == 0) {
            if (++releases == 2) first = event_at(sim, k).t;
            if (releases > 2) p.period = (event_at(sim, k).t - first) / (releases - 2);
        }
    bri_sim_free(sim);
    return p;
}

static void leus_rig_in_both_readings(void **state) {
    if (SAMPLE(0, 1)) skip();
    /* closed form of the rigid rig: the belt seen from the drive */
    belt b = belt_of(0.665, 11700.0, 1e-3, 8.3, 11.1);
    near(b.period, 0.50279, 1e-5, "closed period");
    pull true_stick = pull_of(0.0, 0), printed = pull_of(0.0, 1);
    near(true_stick.peak, 11.101, 1e-4, "peak");
    near(true_stick.valley, 5.499, 1e-4, "valley");
    near(true_stick.period, b.period, 2e-5, "period");
    near(printed.peak, 11.104, 1e-3, "peak as printed");
    near(printed.valley, 5.496, 1e-3, "valley as printed");
    near(printed.period, 0.508, 2e-3, "period as printed");
    if (USUALLY(0, 1, 1)) return; /* the vibrating ones: `reproduce leus` judges them, too */
    near(pull_of(2e-4, 0).swing, 3.10, 0.1 / 3.10, "swing at 0.2 mm/s");
    near(pull_of(4e-3, 0).mean, 1.575, 0.01, "mean at 4 mm/s");
    near(pull_of(4e-3, 1).mean, 1.573, 0.01, "mean at 4 mm/s as printed");
    if (!(pull_of(2e-4, 1).swing < 0.3)) fail_msg("as printed stick-slip is gone at 0.2 mm/s");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rabinowicz_has_the_event_times_of_its_closed_form),
        cmocka_unit_test(tolerance_changes_little),
        cmocka_unit_test(belt_has_its_closed_period),
        cmocka_unit_test(wall_step_turns_and_stops_where_it_must),
        cmocka_unit_test(stacked_bodies_stop_where_the_paper_says),
        cmocka_unit_test(karnopp_on_stacked_bodies_converges),
        cmocka_unit_test(bristle_laws_beside_it),
        cmocka_unit_test(readings_of_karnopp_fit_the_table),
        cmocka_unit_test(leus_rig_in_both_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
