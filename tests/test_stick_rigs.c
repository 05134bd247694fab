/* test_stick_rigs.c - exact stick where it is demanding: moving supports, loads that come and go,
 * redundant contacts, mixed laws, prescribed plates, bad input. */
#include "stick_rig.h"

static const double PI = 3.14159265358979323846;

/* ---- stuck means stuck ----------------------------------------------------------------------- */

static void a_stuck_body_does_not_move_at_all(void **state) {
    static const char *const laws[] = {"coulomb", "stribeck", "benson", "karnopp"};
    for (int i = 0; i < 4; i++) {
        stand s;
        stand_clear(&s, 1e6, 1e-6);
        add_body(&s, 2.0, 0.3, 0.0);
        add_contact(&s, 0, BRI_GROUND, laws[i], 8.0, 10.0);
        add_force(&s, 0, bri_signal_constant(9.99));
        bri_sim *sim = stand_start(&s);
        for (int k = 1; k <= 10; k++) {
            run_to(sim, 1e5 * k);
            assert_true(bri_sim_body(sim, 0).x == 0.3 && bri_sim_body(sim, 0).v == 0.0);
            near(bri_sim_contact(sim, 0).F, 9.99, 1e-12, "force");
        }
        assert_int_equal(event_count(sim), 0);
        bri_sim_free(sim);
    }
}

/* On a support that vibrates: the inertia force and the spring stay just below the limit. */
static void a_body_stuck_to_a_vibrating_support_does_not_slip(void **state) {
    stand s;
    stand_clear(&s, 50.0, 1e-8);
    bri_signal *shake = stand_signal(&s, "sine");
    tune(shake, "amplitude", 0.01);
    tune(shake, "frequency", 20.0);
    add_body(&s, 1.0, 0.0, 0.0);
    add_moved(&s, shake);
    double most = 0.01 * 2.0 * PI * 20.0;
    add_contact(&s, 0, 1, "coulomb", 0.8 * most, most / 0.999);
    bri_sim *sim = stand_start(&s);
    for (int k = 1; k <= 1000; k++) {
        run_to(sim, 0.05 * k * (k < 1000 ? 0.99731 : 1.0));
        bri_contact_now c = bri_sim_contact(sim, 0);
        assert_true(c.v == 0.0 && c.x == 0.0 && c.motion == 0);
    }
    assert_int_equal(event_count(sim), 0);
    near(bri_sim_energies(sim).residual, 0.0, 1e-8, "residual");
    bri_sim_free(sim);
}

/* A slow sine force on a stuck body: the state does not change, and still every break-away is seen.
 */
static void a_force_that_swings_is_not_stepped_over(void **state) {
    stand s;
    stand_clear(&s, 1000.0, 1e-6);
    s.def.event_room = 10000;
    bri_signal *force = stand_signal(&s, "sine");
    tune(force, "amplitude", 1.05);
    tune(force, "frequency", 1.0);
    add_body(&s, 1.0, 0.0, 0.0);
    add_contact(&s, 0, BRI_GROUND, "coulomb", 1.0, 1.0);
    add_force(&s, 0, *force);
    bri_sim *sim = stand_start(&s);
    run_to(sim, 1000.0);
    assert_int_equal(event_count(sim), 4000); /* slips and sticks twice in each period */
    near(event_at(sim, 0).t, asin(1.0 / 1.05) / (2.0 * PI), 1e-9, "first break-away");
    bri_sim_free(sim);
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* The load falls at a constant rate until the contact slips. */
static void a_falling_load_lets_go_in_time(void **state) {
    stand s;
    stand_clear(&s, 3.0, 1e-10);
    static const double times[] = {0.0, 1.0, 3.0}, values[] = {10.0, 5.0, 5.0};
    bri_signal *load = stand_signal(&s, "table");
    load->t = times, load->y = values, load->count = 3;
    add_body(&s, 1.0, 0.0, 0.0);
    bri_contact *c = add_contact(&s, 0, BRI_GROUND, "coulomb", 0.4, 0.5);
    c->load = BRI_LOAD_SIGNAL;
    c->n_of_t = load;
    add_force(&s, 0, bri_signal_constant(3.0));
    bri_sim *sim = stand_start(&s);
    run_to(sim, 3.0);
    expect_event(sim, 0, 0.8, 0, 0, 1, 1e-9); /* 0.5 (10 - 5 t) = 3 */
    bri_sim_free(sim);
}

/* The load oscillates through zero: the contact opens and closes; energy is accounted for. */
static void lift_off_and_contact_again(void **state) {
    static const double starts[] = {0.0, 0.3};
    for (int i = 0; i < 2; i++) {
        stand s;
        stand_clear(&s, 10.0, 1e-9);
        s.def.event_room = 10000;
        bri_signal *load = stand_signal(&s, "sine");
        tune(load, "amplitude", 10.0);
        tune(load, "frequency", 1.0);
        tune(load, "mean", 2.0);
        add_body(&s, 1.0, 0.0, starts[i]);
        add_spring(&s, BRI_GROUND, 0, 50.0);
        bri_contact *c = add_contact(&s, 0, BRI_GROUND, "coulomb", 0.4, 0.5);
        c->load = BRI_LOAD_SIGNAL;
        c->n_of_t = load;
        add_force(&s, 0, bri_signal_constant(1.0));
        bri_sim *sim = stand_start(&s);
        for (int k = 1; k <= 1000; k++) {
            run_to(sim, 0.01 * k);
            bri_contact_now now = bri_sim_contact(sim, 0);
            if (now.N <= 0.0) assert_true(now.F == 0.0);
            if (now.motion == 0) assert_true(now.v == 0.0 && fabs(now.F) <= 0.5 * now.N + 1e-9);
            if (now.motion != 0 && now.v != 0.0) {
                near(now.F, 0.4 * now.N * now.motion, 1e-9, "sliding force");
                assert_true(now.motion * now.v >= -1e-11);
            }
        }
        near(bri_sim_energies(sim).residual, 0.0, 1e-7, "residual");
        bri_sim_free(sim);
    }
}

/* A load that is zero for a while, then rises on a body at rest: it sticks from the first moment.
 */
static void a_load_that_rises_from_zero_holds(void **state) {
    stand s;
    stand_clear(&s, 10.0, 1e-8);
    bri_signal *load = stand_signal(&s, "ramp");
    tune(load, "rate", 10.0);
    tune(load, "from", 1.0);
    tune(load, "until", 2.0);
    bri_signal *force = stand_signal(&s, "ramp");
    tune(force, "rate", 4.9);
    tune(force, "from", 3.0);
    tune(force, "until", 4.0);
    add_body(&s, 1.0, 0.5, 0.0);
    bri_contact *c = add_contact(&s, 0, BRI_GROUND, "coulomb", 0.4, 0.5);
    c->load = BRI_LOAD_SIGNAL;
    c->n_of_t = load;
    add_force(&s, 0, *force);
    bri_sim *sim = stand_start(&s);
    run_to(sim, 10.0);
    assert_true(bri_sim_body(sim, 0).x == 0.5 && bri_sim_contact(sim, 0).motion == 0);
    bri_sim_free(sim);
}

static void no_load_anywhere_is_free_motion(void **state) {
    stand s;
    stand_clear(&s, 3.0, 1e-10);
    add_body(&s, 1.0, 0.0, 0.0);
    add_body(&s, 1.0, 0.0, 0.0);
    add_contact(&s, 0, 1, "coulomb", 0.4, 0.5)->n = 0.0;
    add_contact(&s, 1, BRI_GROUND, "coulomb", 0.4, 0.5)->n = 0.0;
    bri_signal *force = stand_signal(&s, "sine");
    tune(force, "amplitude", 1.0);
    tune(force, "frequency", 0.5);
    add_force(&s, 0, *force);
    bri_sim *sim = stand_start(&s);
    run_to(sim, 3.0);
    double w = PI;
    near(bri_sim_body(sim, 0).x, (3.0 - sin(3.0 * w) / w) / w, 1e-8, "free body");
    assert_true(bri_sim_body(sim, 1).x == 0.0);
    bri_sim_free(sim);
}

/* The weight of the upper body presses the lower contact. */
static void reaction_loads_hold_a_stack(void **state) {
    stand s;
    stand_clear(&s, 10.0, 1e-10);
    add_body(&s, 2.0, 0.0, 0.0);
    add_body(&s, 3.0, 0.0, 0.0);
    for (int i = 0; i < 2; i++)
        add_contact(&s, i, i == 0 ? 1 : BRI_GROUND, "coulomb", 0.4, 0.5)->load = BRI_LOAD_REACTION;
    bri_signal *force = stand_signal(&s, "ramp");
    tune(force, "rate", 5.0);
    add_force(&s, 1, *force);
    bri_sim *sim = stand_start(&s);
    run_to(sim, 10.0);
    /* 5 t reaches 0.5 * 5 * 9.81, then both accelerate together until a = mu_s g */
    expect_event(sim, 0, 0.5 * 5.0 * 9.81 / 5.0, 1, 0, 1, 1e-9);
    expect_event(sim, 1, (5.0 * 0.5 * 9.81 + 0.4 * 5.0 * 9.81) / 5.0, 0, 0, -1, 1e-9);
    bri_sim_free(sim);
}

/* ---- redundant contacts ---------------------------------------------------------------------- */

static void two_contacts_between_the_same_bodies(void **state) {
    stand s;
    stand_clear(&s, 12.0, 1e-10);
    add_body(&s, 1.0, 0.0, 0.0);
    add_contact(&s, 0, BRI_GROUND, "coulomb", 1.0, 1.0);
    add_contact(&s, 0, BRI_GROUND, "coulomb", 8.0, 10.0);
    bri_signal *force = stand_signal(&s, "ramp");
    tune(force, "rate", 1.0);
    add_force(&s, 0, *force);
    bri_sim *sim = stand_start(&s);
    run_to(sim, 1.5); /* smallest norm: both bear the same */
    near(bri_sim_contact(sim, 0).F, 0.75, 1e-12, "shared force");
    near(bri_sim_contact(sim, 1).F, 0.75, 1e-12, "shared force");
    run_to(sim, 4.0); /* the weak one is at its limit, the other bears the rest */
    near(bri_sim_contact(sim, 0).F, 1.0, 1e-12, "limited force");
    near(bri_sim_contact(sim, 1).F, 3.0, 1e-12, "the rest");
    run_to(sim, 10.9);
    assert_int_equal(event_count(sim), 0);
    assert_true(bri_sim_body(sim, 0).x == 0.0);
    run_to(sim, 12.0);
    assert_int_equal(event_count(sim), 2);
    expect_event(sim, 0, 11.0, 0, 0, 1, 1e-9);
    expect_event(sim, 1, 11.0, 1, 0, 1, 1e-9);
    bri_sim_free(sim);
}

/* Pushed with 0.5 N. The load of the second contact swings and lifts off: it bears half of the
 * force if it can, else all it can, which is nothing while it is off. */
static void one_of_two_contacts_lifts_off(void **state) {
    stand s;
    stand_clear(&s, 10.0, 1e-8);
    add_body(&s, 1.0, 0.0, 0.0);
    add_contact(&s, 0, BRI_GROUND, "coulomb", 1.0, 1.0);
    bri_contact *c = add_contact(&s, 0, BRI_GROUND, "coulomb", 1.0, 1.0);
    bri_signal *load = stand_signal(&s, "sine");
    tune(load, "mean", 0.2);
    tune(load, "amplitude", 0.7);
    tune(load, "frequency", 0.37);
    c->load = BRI_LOAD_SIGNAL;
    c->n_of_t = load;
    add_force(&s, 0, bri_signal_constant(0.5));
    s.def.max_steps = 2000; /* no instant holds it up */
    bri_sim *sim = stand_start(&s);
    for (int k = 0; k <= 500; k++) {
        run_to(sim, 0.02 * k);
        double N = fmax(bri_signal_value(load, 0.02 * k), 0.0), F = fmin(0.25, N);
        near(bri_sim_contact(sim, 1).F, F, 1e-9, "force of the second");
        near(bri_sim_contact(sim, 0).F, 0.5 - F, 1e-9, "force of the first");
        assert_true(bri_sim_body(sim, 0).x == 0.0);
    }
    bri_sim_free(sim);
}

static void a_hundred_contacts_on_one_body(void **state) {
    stand s;
    stand_clear(&s, 20.0, 1e-10);
    add_body(&s, 1.0, 0.0, 0.0);
    double sum = 0.0;
    for (int k = 0; k < 100; k++) {
        double Fs = 0.05 + 0.1 * halton(k, 2);
        add_contact(&s, 0, BRI_GROUND, "coulomb", 0.8 * Fs, Fs);
        sum += Fs;
    }
    bri_signal *force = stand_signal(&s, "ramp");
    tune(force, "rate", 1.0);
    add_force(&s, 0, *force);
    bri_sim *sim = stand_start(&s);
    run_to(sim, 20.0);
    assert_int_equal(event_count(sim), 100);
    for (int k = 0; k < 100; k++) near(event_at(sim, k).t, sum, 1e-9, "all break away together");
    double u = 20.0 - sum; /* m a = (Fs - Fc) + t */
    near(bri_sim_body(sim, 0).v, 0.2 * sum * u + 0.5 * u * u, 1e-9, "velocity");
    bri_sim_free(sim);
}

/* ---- prescribed motions ---------------------------------------------------------------------- */

/* Two stacked bodies between the ground and a plate that starts to move: the weakest contact gives
 * way, and the rest stays where it is. */
static void bodies_between_ground_and_plate(void **state) {
    for (int weakest = 0; weakest < 3; weakest++)
        for (int smooth = 0; smooth < 2; smooth++) {
            stand s;
            stand_clear(&s, 3.0, 1e-9);
            bri_signal *plate = stand_signal(&s, smooth ? "sine" : "ramp");
            if (smooth) {
                tune(plate, "amplitude", 0.1);
                tune(plate, "frequency", 0.25);
                tune(plate, "from", 1.0);
            } else {
                tune(plate, "rate", 0.1);
                tune(plate, "from", 1.0);
                tune(plate, "until", 2.0);
            }
            add_body(&s, 1.0, 0.0, 0.0);
            add_body(&s, 2.0, 0.0, 0.0);
            add_moved(&s, plate);
            for (int k = 0; k < 3; k++) {
                double Fs = k == weakest ? 4.0 : 10.0;
                add_contact(&s, k == 2 ? 2 : k,
                            k == 0   ? BRI_GROUND
                            : k == 1 ? 0
                                     : 1,
                            "coulomb", 0.9 * Fs, Fs);
            }
            bri_sim *sim = stand_start(&s);
            run_to(sim, 2.9);
            double x = bri_sim_body(sim, 2).x;
            assert_true(x > 0.0);
            for (int k = 0; k < 2; k++)
                near(bri_sim_body(sim, k).x, k < weakest ? 0.0 : x, 1e-9, "carried or not");
            for (int k = 0; k < 3; k++)
                assert_int_equal(bri_sim_contact(sim, k).motion, k == weakest ? 1 : 0);
            near(bri_sim_energies(sim).residual, 0.0, 1e-8, "residual");
            bri_sim_free(sim);
        }
}

/* A chirp has no closed integral: its body is a driven coordinate. */
static void a_body_on_a_driven_coordinate(void **state) {
    stand s;
    stand_clear(&s, 5.0, 1e-9);
    s.def.event_room = 5000;
    bri_signal *chirp = stand_signal(&s, "chirp");
    tune(chirp, "amplitude", 0.1);
    tune(chirp, "f0", 0.5);
    tune(chirp, "f1", 5.0);
    tune(chirp, "until", 5.0);
    add_body(&s, 1.0, 0.0, bri_signal_value(chirp, 0.0));
    add_moved(&s, chirp);
    add_contact(&s, 0, 1, "coulomb", 0.9, 1.0);
    bri_sim *sim = stand_start(&s);
    int stuck = 0, slid = 0;
    for (int k = 1; k <= 500; k++) {
        run_to(sim, 0.01 * k);
        bri_contact_now c = bri_sim_contact(sim, 0);
        stuck += c.motion == 0;
        slid += c.motion != 0;
        if (c.motion == 0)
            assert_true(c.v == 0.0 && fabs(c.F) <= 1.0 + 1e-9);
        else
            near(c.F, 0.9 * c.motion, 1e-12, "sliding force");
        near(bri_sim_body(sim, 1).v, bri_signal_value(chirp, 0.01 * k), 1e-6, "driven velocity");
    }
    assert_true(stuck > 50 && slid > 50);
    near(bri_sim_energies(sim).residual, 0.0, 1e-6, "residual");
    bri_sim_free(sim);
}

/* Nothing is left to integrate but heat: Fc times the way, 2 A/(pi f) m in each second, whatever
 * the times at which it is asked for. */
static void only_prescribed_bodies(void **state) {
    stand s;
    stand_clear(&s, 2.0, 1e-6);
    bri_signal *sine = stand_signal(&s, "sine");
    tune(sine, "amplitude", 0.1);
    tune(sine, "frequency", 1.0);
    add_moved(&s, sine);
    add_contact(&s, 0, BRI_GROUND, "coulomb", 0.9, 1.0);
    bri_sim *sim = stand_start(&s);
    double last = 0.0;
    for (int k = 1; k <= 8; k++) {
        run_to(sim, 0.25 * k);
        bri_energies e = bri_sim_energies(sim);
        near(e.dissipated, 0.9 * 0.1 * 2.0 / acos(-1.0) * 0.25 * k, 1e-5, "heat");
        near(e.dissipated, e.work, 1e-12, "work");
        assert_true(e.dissipated >= last);
        last = e.dissipated;
        if (k % 4 == 1) near(bri_sim_contact(sim, 0).F, 0.9, 1e-12, "force");
        if (k % 4 == 3) near(bri_sim_contact(sim, 0).F, -0.9, 1e-12, "force");
    }
    bri_sim_free(sim);
}

/* ---- mixed laws and rotors ------------------------------------------------------------------- */

/* A bristle contact below, an exact one above. */
static void exact_and_bristle_contacts_together(void **state) {
    stand s;
    stand_clear(&s, 8.0, 1e-9);
    add_body(&s, 1.0, 0.0, 0.0);
    add_body(&s, 2.0, 0.0, 0.0);
    add_contact(&s, 0, 1, "coulomb", 4.0, 5.0);
    bri_contact *below = add_contact(&s, 1, BRI_GROUND, "lugre", 6.0, 7.0);
    law_value(below, "sigma0", 1e4);
    law_value(below, "sigma1", 100.0);
    bri_signal *force = stand_signal(&s, "ramp");
    tune(force, "rate", 2.0);
    add_force(&s, 0, *force);
    bri_sim *sim = stand_start(&s);
    for (int k = 1; k <= 800; k++) {
        run_to(sim, 0.01 * k);
        bri_contact_now c = bri_sim_contact(sim, 0);
        if (c.motion == 0)
            assert_true(c.v == 0.0 && fabs(c.F) <= 5.0 + 1e-9);
        else
            near(c.F, 4.0 * c.motion, 1e-12, "sliding force");
    }
    int last = 0;
    for (int k = 0; k < event_count(sim); k++) last |= event_at(sim, k).contact == 0;
    assert_true(last && bri_sim_contact(sim, 0).motion == 1);
    near(bri_sim_energies(sim).residual, 0.0, 1e-6, "residual");
    bri_sim_free(sim);
}

/* A brake: two discs, one stuck to the other until the torque exceeds the level. */
static void rotors_stick(void **state) {
    stand s;
    stand_clear(&s, 4.0, 1e-10);
    add_body(&s, 0.5, 0.0, 10.0);
    add_body(&s, 1.0, 0.0, 0.0);
    s.bodies[0].kind = s.bodies[1].kind = BRI_ROTOR;
    add_contact(&s, 0, 1, "coulomb", 2.0, 3.0);
    bri_sim *sim = stand_start(&s);
    run_to(sim, 4.0);
    expect_event(sim, 0, 10.0 / (2.0 / 0.5 + 2.0 / 1.0), 0, 1, 0, 1e-9);
    near(bri_sim_body(sim, 0).v, 0.5 * 10.0 / 1.5, 1e-10, "common speed");
    assert_true(bri_sim_body(sim, 0).v == bri_sim_body(sim, 1).v);
    near(bri_sim_energies(sim).dissipated, 0.5 * 0.5 * 100.0 - 0.5 * 1.5 * 100.0 / 9.0, 1e-9,
         "heat");
    bri_sim_free(sim);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void events_have_limited_room(void **state) {
    for (int room = -1; room <= 3; room++) {
        stand s;
        stand_clear(&s, 5.0, 1e-8);
        s.def.event_room = room;
        add_body(&s, 1.0, 1.0, 0.0);
        add_spring(&s, BRI_GROUND, 0, 100.0);
        add_contact(&s, 0, BRI_GROUND, "coulomb", 5.0, 5.0);
        bri_sim *sim = stand_start(&s);
        run_to(sim, 5.0);
        int count, kept = room < 0 ? 0 : room == 0 ? 10 : room;
        long dropped;
        bri_sim_events(sim, &count, &dropped);
        assert_int_equal(count, kept);
        assert_int_equal(count + dropped, 10);
        assert_int_equal(bri_sim_stats(sim).events, 10);
        bri_sim_forget_events(sim);
        bri_sim_events(sim, &count, &dropped);
        assert_int_equal(count, 0);
        assert_int_equal(dropped, 0);
        bri_sim_free(sim);
    }
}

/* Two bodies at different speeds at a contact slide: every start is consistent. */
static void any_start_velocity_is_consistent(void **state) {
    stand s;
    stand_clear(&s, 2.0, 1e-10);
    add_body(&s, 1.0, 0.0, 1.0);
    add_body(&s, 1.0, 0.0, -1.0);
    add_contact(&s, 0, 1, "coulomb", 2.0, 3.0);
    add_contact(&s, 1, BRI_GROUND, "coulomb", 0.5, 0.6);
    bri_sim *sim = stand_start(&s);
    assert_int_equal(bri_sim_contact(sim, 0).motion, 1);
    assert_int_equal(bri_sim_contact(sim, 1).motion, -1);
    run_to(sim, 2.0);
    assert_true(bri_sim_body(sim, 0).v == bri_sim_body(sim, 1).v);
    bri_sim_free(sim);
}

/* Friction that fades with speed, driven so that stick and slip follow each other ever faster: an
 * end is reached, or the contact is named. */
static void a_contact_that_never_rests_is_named(void **state) {
    stand s;
    stand_clear(&s, 1000.0, 1e-6);
    s.def.event_room = -1;
    bri_signal *shake = stand_signal(&s, "sine");
    tune(shake, "amplitude", 1.0);
    tune(shake, "frequency", 1e7);
    add_body(&s, 1.0, 0.0, 0.0);
    add_contact(&s, 0, BRI_GROUND, "coulomb", 0.0001, 0.0001)->name = "restless";
    add_force(&s, 0, *shake);
    bri_sim *sim = stand_start(&s);
    bri_error err = {0};
    assert_int_equal(bri_sim_advance(sim, 1000.0, &err), BRI_NO_PROGRESS);
    assert_non_null(strstr(err.text, "restless"));
    bri_sim_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stuck_body_does_not_move_at_all),
        cmocka_unit_test(a_body_stuck_to_a_vibrating_support_does_not_slip),
        cmocka_unit_test(a_force_that_swings_is_not_stepped_over),
        cmocka_unit_test(a_falling_load_lets_go_in_time),
        cmocka_unit_test(lift_off_and_contact_again),
        cmocka_unit_test(a_load_that_rises_from_zero_holds),
        cmocka_unit_test(no_load_anywhere_is_free_motion),
        cmocka_unit_test(reaction_loads_hold_a_stack),
        cmocka_unit_test(two_contacts_between_the_same_bodies),
        cmocka_unit_test(one_of_two_contacts_lifts_off),
        cmocka_unit_test(a_hundred_contacts_on_one_body),
        cmocka_unit_test(bodies_between_ground_and_plate),
        cmocka_unit_test(a_body_on_a_driven_coordinate),
        cmocka_unit_test(only_prescribed_bodies),
        cmocka_unit_test(exact_and_bristle_contacts_together),
        cmocka_unit_test(rotors_stick),
        cmocka_unit_test(events_have_limited_room),
        cmocka_unit_test(any_start_velocity_is_consistent),
        cmocka_unit_test(a_contact_that_never_rests_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
