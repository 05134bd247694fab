/* test_host.c - a simulation within the loop of a host: forces set between advances, held or with a
 * slope, events as they come, an end that is put off. */
#include "bristle_sim.h"
#include "test.h"

static bri_body body;
static bri_drive drive;
static bri_contact pad;
static bri_sim_def def;

/* One mass on the ground, pushed. */
static bri_sim *make(const char *law, bri_signal force, double end) {
    bri_sim *sim;
    bri_error err;
    body = (bri_body){.name = "mass", .mass = 1.0};
    drive = (bri_drive){.name = "push", .body = 0, .force = force};
    pad = (bri_contact){.name = "pad", .model = bri_model_find(law), .b = BRI_GROUND, .n = 10.0};
    bri_model_defaults(pad.model, pad.p);
    def = bri_sim_defaults();
    def.system = (bri_system){.bodies = &body,
                              .n_bodies = 1,
                              .contacts = &pad,
                              .n_contacts = 1,
                              .drives = &drive,
                              .n_drives = 1};
    def.t_end = end;
    def.rtol = 1e-9;
    if (bri_sim_create(&def, &sim, &err)) fail_msg("%s", err.text);
    return sim;
}

static bri_ref find(const bri_sim *sim, const char *address) {
    bri_ref ref;
    bri_error err;
    if (bri_sim_find(sim, address, &ref, &err)) fail_msg("%s", err.text);
    return ref;
}

static void good(bri_status status, const bri_error *err) {
    if (status) fail_msg("%s", err->text);
}

/* Held forces on a block with dry friction: within every sample a parabola, until it stops. */
static void test_held(void **state) {
    (void)state;
    bri_sim *sim = make("coulomb", bri_signal_constant(0.0), 1.0);
    bri_ref force = find(sim, "push.force");
    bri_error err;
    double x = 0.0, v = 0.0;
    for (int k = 0; k < 100; k++) {
        double u = 8.0 + 3.0 * sin(k), a = u - 5.0; /* never stops: slides with 5 N */
        good(bri_sim_set(sim, force, u, &err), &err);
        good(bri_sim_advance(sim, 0.01 * (k + 1), &err), &err);
        x += 0.01 * v + 0.5e-4 * a;
        v += 0.01 * a;
        near(bri_sim_body(sim, 0).v, v, 1e-7, "velocity");
        near(bri_sim_body(sim, 0).x, x, 1e-6, "position");
    }
    bri_sim_free(sim);
}

/* A ramp is a force with a slope: value, rate and time set together. */
static void test_slope(void **state) {
    (void)state;
    bri_sim *sim = make("coulomb", bri_signal_defaults(bri_signal_find("ramp")), 1.0);
    bri_ref refs[3] = {find(sim, "push.force.ramp.before"), find(sim, "push.force.ramp.rate"),
                       find(sim, "push.force.ramp.from")};
    bri_error err;
    double x = 0.0, v = 0.0, h = 0.02;
    for (int k = 0; k < 40; k++) {
        double t = h * k, u = 9.0 + 2.0 * sin(6.0 * t),
               rate = (9.0 + 2.0 * sin(6.0 * (t + h)) - u) / h;
        good(bri_sim_set_all(sim, refs, (double[]){u, rate, t}, 3, &err), &err);
        good(bri_sim_advance(sim, t + h, &err), &err);
        double a = u - 5.0;
        x += h * v + h * h * (a / 2.0 + rate * h / 6.0);
        v += h * (a + rate * h / 2.0);
        near(bri_sim_body(sim, 0).v, v, 1e-7, "velocity");
        near(bri_sim_body(sim, 0).x, x, 1e-6, "position");
    }
    bri_sliding now;
    bri_sim_sliding(sim, &now);
    near(now.v, v, 1e-7, "the contact slides with the body");
    near(now.x, x, 1e-6, "as far");
    assert_int_equal(now.before, 1);
    assert_int_equal(now.after, 1);
    bri_sim_free(sim);
}

/* ---- events ---------------------------------------------------------------------------------- */

typedef struct seen {
    int count, stop_at, forget;
    double t[20], set_to;
    bri_ref force;
} seen;

static int look(void *to, bri_sim *sim, const bri_event *e) {
    seen *s = to;
    bri_error err;
    assert_true(s->count < 20);
    near(bri_sim_time(sim), e->t, 1e-12, "the simulation is where the event is");
    s->t[s->count++] = e->t;
    if (s->forget) bri_sim_forget_events(sim);
    if (s->set_to != 0.0) good(bri_sim_set(sim, s->force, s->set_to, &err), &err);
    return s->count == s->stop_at;
}

static bri_signal swing(void) {
    bri_signal force = bri_signal_defaults(bri_signal_find("sine"));
    for (int i = 0; i < force.kind->n_params; i++) {
        if (strcmp(force.kind->params[i].name, "amplitude") == 0) force.p[i] = 12.0;
        if (strcmp(force.kind->params[i].name, "frequency") == 0) force.p[i] = 1.0;
    }
    return force;
}

/* 12 sin(2 pi t) breaks 6 N away at t = 1/12 s. All events of the list are told, in order, whether
 * it is emptied meanwhile or not; stopping does not change the run. */
static void test_watch(void **state) {
    (void)state;
    bri_error err;
    int count;
    bri_sim *plain = make("coulomb", swing(), 3.0);
    good(bri_sim_advance(plain, 3.0, &err), &err);
    const bri_event *events = bri_sim_events(plain, &count, NULL);
    assert_true(count >= 6 && count < 20);
    bri_sim *sim = make("coulomb", swing(), 3.0);
    good(bri_sim_watch(sim, 3.0, NULL, NULL, &err), &err);
    near(bri_sim_time(sim), 1.0 / 12.0, 1e-9, "the first event");
    bri_sim_free(sim);
    for (int forget = 0; forget < 2; forget++) {
        seen s = {.forget = forget};
        sim = make("coulomb", swing(), 3.0);
        for (int part = 1; part <= 3; part++) good(bri_sim_watch(sim, part, look, &s, &err), &err);
        assert_int_equal(s.count, count);
        for (int i = 0; i < count; i++) near(s.t[i], events[i].t, 1e-9, "an event");
        near(bri_sim_time(sim), 3.0, 0.0, "end");
        near(bri_sim_body(sim, 0).x, bri_sim_body(plain, 0).x, 1e-7, "where it ends");
        bri_sim_free(sim);
    }
    seen s = {.stop_at = 2};
    sim = make("coulomb", swing(), 3.0);
    good(bri_sim_watch(sim, 3.0, look, &s, &err), &err);
    near(bri_sim_time(sim), events[1].t, 1e-9, "stopped at the second");
    bri_sim_free(sim);
    bri_sim_free(plain);
}

/* A force that is set within the callback acts from the event on: 20 N against 5 N. */
static void test_set_at_event(void **state) {
    (void)state;
    bri_signal ramp = bri_signal_defaults(bri_signal_find("ramp"));
    bri_signal parts[2] = {bri_signal_constant(0.0), ramp};
    bri_sim *sim = make(
        "coulomb", (bri_signal){.kind = bri_signal_find("sum"), .parts = parts, .count = 2}, 8.0);
    bri_error err;
    seen s = {.set_to = 14.0, .force = find(sim, "push.force.sum.1"), .stop_at = 1};
    good(bri_sim_watch(sim, 8.0, look, &s, &err), &err);
    near(bri_sim_time(sim), 6.0, 1e-9, "1 N/s reaches 6 N"); /* then t + 14 N against 5 N */
    good(bri_sim_advance(sim, 7.0, &err), &err);
    near(bri_sim_body(sim, 0).v, 15.5, 1e-7, "velocity a second later");
    bri_sim_free(sim);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Put off again and again, a run goes where one goes that was planned so; also through an opening
 * of the contact that lies behind the first end, and after a number was set. */
static void test_extend(void **state) {
    (void)state;
    bri_error err;
    bri_signal load = swing();
    for (int i = 0; i < load.kind->n_params; i++) {
        if (strcmp(load.kind->params[i].name, "frequency") == 0) load.p[i] = 0.2;
        if (strcmp(load.kind->params[i].name, "mean") == 0) load.p[i] = 3.0;
    }
    for (int set = 0; set < 2; set++) {
        double x[2];
        for (int put_off = 0; put_off < 2; put_off++) {
            bri_sim *sim = make("lugre", bri_signal_constant(12.0), put_off ? 1.0 : 5.0);
            bri_sim_free(sim);
            pad.load = BRI_LOAD_SIGNAL; /* none from 2.7 s to 4.8 s */
            pad.n_of_t = &load;
            good(bri_sim_create(&def, &sim, &err), &err);
            for (int k = 1; k <= 5; k++) {
                if (put_off) good(bri_sim_extend(sim, k, &err), &err);
                if (set)
                    good(bri_sim_set(sim, find(sim, "push.force"), 12.0 + 0.1 * k, &err), &err);
                good(bri_sim_advance(sim, k, &err), &err);
                if (k == 4) assert_true(bri_sim_contact(sim, 0).N <= 0.0); /* open */
            }
            x[put_off] = bri_sim_body(sim, 0).x;
            bri_sim_free(sim);
        }
        assert_true(x[0] > 0.1);
        near(x[1], x[0], 1e-6, "position");
    }
    bri_sim *sim = make("lugre", bri_signal_constant(4.0), 2.0);
    assert_int_equal(bri_sim_extend(sim, 1.0, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "t_end = 1 s does not lie after 2 s, the present end");
    assert_int_equal(bri_sim_extend(sim, INFINITY, &err), BRI_BAD_VALUE);
    assert_int_equal(bri_sim_extend(sim, NAN, &err), BRI_BAD_VALUE);
    assert_int_equal(bri_sim_advance(sim, 2.5, &err), BRI_BAD_VALUE);
    good(bri_sim_extend(sim, 2.5, &err), &err);
    good(bri_sim_advance(sim, 2.5, &err), &err);
    assert_int_equal(bri_sim_watch(sim, 2.6, NULL, NULL, &err), BRI_BAD_VALUE);
    good(bri_sim_reset(sim, &err), &err);
    assert_int_equal(bri_sim_advance(sim, 2.5, &err), BRI_BAD_VALUE); /* as it was planned */
    good(bri_sim_reset(sim, &err), &err);
    good(bri_sim_extend(sim, 2.5, &err), &err); /* before anything else, also before a number */
    good(bri_sim_set(sim, find(sim, "push.force"), 3.0, &err), &err);
    good(bri_sim_advance(sim, 2.5, &err), &err);
    bri_sim_free(sim);
}

/* ---- a host that integrates itself ------------------------------------------------------------
 */

enum { MOST = 8 };

/* A step of Runge and Kutta from t, y by h, all within the modes that hold. */
static void runge_kutta(bri_sim *sim, double t, const double *y, double h, double *to) {
    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1, 2, 2, 1};
    int n = bri_sim_states(sim);
    double k[4][MOST] = {{0}}, at[MOST], latest = nextafter(bri_sim_next_kink(sim), 0.0);
    bri_error err;
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < n; i++) at[i] = y[i] + (j ? part[j] * h * k[j - 1][i] : 0.0);
        good(bri_sim_rhs(sim, fmin(t + part[j] * h, latest), at, k[j], &err), &err);
    }
    for (int i = 0; i < n; i++) {
        to[i] = y[i];
        for (int j = 0; j < 4; j++) to[i] += h / 6.0 * weight[j] * k[j][i];
    }
}

static int passed(bri_sim *sim, double t, const double *y, const double *before) {
    double g[MOST];
    bri_error err;
    int any = 0;
    good(bri_sim_indicate(sim, t, y, g, &err), &err);
    for (int k = 0; k < bri_sim_indicators(sim); k++) any |= before[k] > 0.0 && g[k] <= 0.0;
    return any;
}

/* To the end in small steps, cut where a function passes zero or a signal has a kink. */
static int integrate(bri_sim *sim, double end, double step, double *y) {
    double t = bri_sim_time(sim), g[MOST], next[MOST];
    bri_error err;
    int events = 0;
    assert_true(bri_sim_indicators(sim) <= MOST && bri_sim_states(sim) <= MOST);
    bri_sim_state_get(sim, y);
    while (t < end) {
        double stop = fmin(bri_sim_next_kink(sim), end), h = fmin(step, stop - t), low = 0.0;
        good(bri_sim_indicate(sim, t, y, g, &err), &err);
        runge_kutta(sim, t, y, h, next);
        int event = passed(sim, t + h, next, g);
        for (int i = 0; event && i < 60; i++) {
            double middle = 0.5 * (low + h);
            runge_kutta(sim, t, y, middle, next);
            *(passed(sim, t + middle, next, g) ? &h : &low) = middle;
        }
        runge_kutta(sim, t, y, h, next);
        memcpy(y, next, sizeof next);
        t = h == stop - t ? stop : t + h;
        if (event || t >= stop) good(bri_sim_meet(sim, t, y, &err), &err);
        events += event;
        assert_true(events < 1000);
    }
    return events;
}

/* The same with the engine's own steps: a spring block on a belt whose spring is pulled at both
 * ends, and a force that jumps; exact stick, a bristle, and an element that jumps. */
static void test_outside(void **state) {
    (void)state;
    static const char *const laws[] = {"coulomb", "stribeck", "lugre", "reset_integrator", "dahl"};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        bri_sim *sim, *own;
        bri_error err;
        char name[BRI_ADDRESS];
        double y[MOST], z[MOST];
        bri_signal kick = bri_signal_defaults(bri_signal_find("step")), back = kick, belt_v;
        kick.p[0] = 9.0, kick.p[1] = 0.7;
        back = bri_signal_constant(0.2);
        belt_v = back;
        bri_body bodies[2] = {{.name = "block", .mass = 1.0},
                              {.name = "belt", .velocity = &belt_v}};
        bri_coupling spring = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 0);
        spring.p[0] = 40.0;
        bri_drive push = {.name = "push", .body = 0, .force = kick};
        bri_contact on = {.name = "pad", .model = bri_model_find(laws[l]), .b = 1, .n = 10.0};
        if (!on.model) fail_msg("there is no law %s", laws[l]);
        bri_model_defaults(on.model, on.p);
        if (strcmp(laws[l], "lugre") == 0) on.p[bri_model_param(on.model, "sigma0")] = 1e4;
        if (strcmp(laws[l], "dahl") == 0) on.p[bri_model_param(on.model, "sigma0")] = 1e4;
        bri_sim_def system = bri_sim_defaults();
        system.system = (bri_system){.bodies = bodies,
                                     .couplings = &spring,
                                     .contacts = &on,
                                     .drives = &push,
                                     .n_bodies = 2,
                                     .n_couplings = 1,
                                     .n_contacts = 1,
                                     .n_drives = 1};
        system.t_end = 2.0;
        system.rtol = 1e-10;
        good(bri_sim_create(&system, &sim, &err), &err);
        good(bri_sim_create(&system, &own, &err), &err);
        int events = integrate(sim, 2.0, l < 2 ? 1e-3 : 1e-4, y);
        good(bri_sim_advance(own, 2.0, &err), &err);
        bri_sim_state_get(own, z);
        for (int i = 0; i < bri_sim_states(own); i++)
            near(y[i], z[i], l == 3 ? 1e-4 : 1e-5, laws[l]); /* that law jumps early */
        if (l < 3) assert_true(events >= 2);
        bri_sim_indicator_name(sim, 0, name);
        assert_string_equal(name, l < 2 ? "pad.event_load" : "pad.event_reversal");
        y[0] = NAN;
        assert_int_equal(bri_sim_meet(sim, 2.0, y, &err), BRI_BAD_VALUE);
        assert_int_equal(bri_sim_place(sim, 2.0, y, &err), BRI_BAD_VALUE);
        assert_int_equal(bri_sim_place(sim, NAN, z, &err), BRI_BAD_VALUE);
        good(bri_sim_place(sim, 1.0, z, &err), &err); /* as a host that goes back */
        assert_true(bri_sim_time(sim) == 1.0);
        bri_sim_free(sim);
        bri_sim_free(own);
    }
}

/* A force that the host has at every time, F = a t on a mass that sticks: it lets go where F is the
 * static level Fs, and v = a (t^2 - t_0^2)/2 - Fc (t - t_0) from there on; Heun's method is exact.
 */
static void test_apply(void **state) {
    (void)state;
    const double a = 5.0, h = 1e-3, Fc = 3.0, Fs = 4.0, end = 1.5;
    bri_sim *sim;
    bri_error err;
    bri_ref force, other;
    bri_body block = {.name = "block", .mass = 1.0};
    bri_drive push = {.name = "push", .force = bri_signal_constant(0.0)};
    bri_contact on = {
        .name = "pad", .model = bri_model_find("coulomb"), .b = BRI_GROUND, .n = 10.0};
    bri_model_defaults(on.model, on.p);
    on.p[bri_model_param(on.model, "mu_c")] = Fc / 10.0;
    on.p[bri_model_param(on.model, "mu_s")] = Fs / 10.0;
    bri_sim_def system = bri_sim_defaults();
    system.system = (bri_system){.bodies = &block, .contacts = &on, .drives = &push, .n_bodies = 1};
    system.system.n_contacts = system.system.n_drives = 1;
    good(bri_sim_create(&system, &sim, &err), &err);
    good(bri_sim_find(sim, "push.force", &force, &err), &err);
    good(bri_sim_find(sim, "block.mass", &other, &err), &err);
    assert_int_equal(bri_sim_apply(sim, other, 2.0, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "block.mass is no force or load that can change between events");
    assert_int_equal(bri_sim_apply(sim, force, NAN, &err), BRI_BAD_VALUE);
    good(bri_sim_find(sim, "pad.load", &other, &err), &err);
    assert_int_equal(bri_sim_apply(sim, other, 5.0, &err), BRI_BAD_VALUE); /* no signal */
    double y[2] = {0.0, 0.0}, k[2][2], g[MOST], let_go = 0.0;
    for (int i = 0; i < 1500; i++) {
        good(bri_sim_apply(sim, force, a * h * i, &err), &err);
        good(bri_sim_rhs(sim, h * i, y, k[0], &err), &err);
        good(bri_sim_apply(sim, force, a * h * (i + 1), &err), &err);
        good(bri_sim_rhs(sim, h * (i + 1), y, k[1], &err), &err);
        y[1] += 0.5 * h * (k[0][1] + k[1][1]);
        good(bri_sim_indicate(sim, h * (i + 1), y, g, &err), &err);
        int due = 0;
        for (int j = 0; j < bri_sim_indicators(sim); j++) due |= g[j] <= 0.0;
        if (let_go == 0.0) assert_true(due == (a * h * (i + 1) > Fs * (1.0 + 1e-9)));
        if (due && let_go == 0.0) let_go = h * (i + 1);
        if (due) good(bri_sim_meet(sim, h * (i + 1), y, &err), &err);
    }
    assert_true(fabs(let_go - Fs / a) <= 1.001 * h);
    near(y[1], 0.5 * a * (end * end - let_go * let_go) - Fc * (end - let_go), 1e-12, "velocity");
    bri_sim_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held),   cmocka_unit_test(test_slope),
        cmocka_unit_test(test_watch),  cmocka_unit_test(test_set_at_event),
        cmocka_unit_test(test_extend), cmocka_unit_test(test_outside),
        cmocka_unit_test(test_apply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
