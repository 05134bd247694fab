/* test_hostile.c - definitions that no careful program would make: numbers that are none, infinite,
 * tiny and huge, kinds that do not exist, bodies that are not there. Whatever is given, creation
 * refuses it with a reason or makes a simulation; and what a simulation calls a success is finite.
 *   test_hostile [COUNT [SEED]] */
#include "bristle_sim.h"
#include "system/network.h"
#include "test.h"

#include <stdlib.h>

static int count = SAMPLE(4000, 1500);
static uint64_t seed = 1;

/* Knuth's generator of 64 bits, its upper half. */
static uint32_t any(void) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 32);
}

static int below(int n) { return (int)(any() % (uint32_t)n); }

static double odd_number(void) {
    static const double odd[] = {0.0,   -0.0,    -1.0,      1e-300, 4.9e-324, 1e300,
                                 1e150, -1e150,  1e30,      -1e30,  NAN,      INFINITY,
                                 1e-30, -1e-300, -INFINITY, 1e15,   1e-15,    -1e300};
    return odd[below(sizeof odd / sizeof *odd)];
}

/* Mostly near `usual`. */
static double number(double usual) {
    if (below(150) == 0) return odd_number();
    return usual * exp(4.0 * (1e-9 * (double)(any() % 1000000000u) - 0.5));
}

enum { MOST = 4, POINTS = 5 };

typedef struct rig {
    bri_body bodies[MOST];
    bri_coupling couplings[MOST];
    bri_contact contacts[MOST];
    bri_drive drives[MOST];
    bri_signal signals[3 * MOST], parts[2];
    double t[POINTS], y[POINTS], z[BRI_MAX_STATES];
    int n_signals;
} rig;

static void make_signal(rig *r, bri_signal *s, int depth) {
    *s = (bri_signal){.kind = bri_signal_at(below(bri_signal_count()))};
    for (int i = 0; i < s->kind->n_params; i++)
        s->p[i] = below(2) ? s->kind->params[i].def : number(1.0);
    if (s->kind->holds == BRI_POINTS) {
        for (int i = 0; i < POINTS; i++) {
            r->t[i] = below(30) ? i : number(1.0);
            r->y[i] = number(1.0);
        }
        s->t = r->t, s->y = r->y, s->count = below(20) ? POINTS : 0;
    } else if (s->kind->holds != BRI_ONLY_PARAMS) {
        for (int i = 0; i < 2 && depth == 0; i++) make_signal(r, &r->parts[i], 1);
        if (depth == 0) s->parts = r->parts, s->count = 2;
    }
    if (below(200) == 0) s->kind = NULL;
}

static const bri_signal *new_signal(rig *r) {
    bri_signal *s = &r->signals[r->n_signals++];
    make_signal(r, s, 0);
    return s;
}

static int some_body(int n) { return below(60) ? below(n + 1) - 1 : below(20) - 10; }

static void make_contact(rig *r, bri_contact *c, int n_bodies) {
    *c = (bri_contact){.model = bri_model_at(below(bri_model_count())),
                       .a = below(n_bodies),
                       .b = some_body(n_bodies),
                       .load = (bri_load_kind)(below(50) ? below(3) : below(100)),
                       .n = number(10.0)};
    bri_model_defaults(c->model, c->p);
    for (int i = 0; i < c->model->n_params; i++)
        if (below(4) == 0) c->p[i] = number(c->p[i]);
    if (c->load == BRI_LOAD_SIGNAL && below(30)) c->n_of_t = new_signal(r);
    if (below(10) == 0) {
        for (int i = 0; i < BRI_MAX_STATES; i++) r->z[i] = number(1e-5);
        c->z = r->z;
    }
}

static void make(rig *r, bri_sim_def *def) {
    bri_system *s = &def->system;
    *r = (rig){0};
    *def = bri_sim_defaults();
    *s = (bri_system){.bodies = r->bodies,
                      .couplings = r->couplings,
                      .contacts = r->contacts,
                      .drives = r->drives,
                      .n_bodies = 1 + below(MOST),
                      .n_couplings = below(MOST),
                      .n_contacts = below(MOST + 1),
                      .n_drives = below(2),
                      .gravity = number(9.81)};
    for (int i = 0; i < s->n_bodies; i++) {
        bri_body *b = &r->bodies[i];
        *b = (bri_body){
            .kind = (bri_body_kind)(below(100) ? (below(12) ? BRI_MASS : below(3)) : below(100)),
            .mass = number(1.0),
            .x = number(0.1),
            .v = number(0.1),
            .z = number(1.0)};
        if (b->kind != BRI_POINT && i > 0 && below(8) == 0) b->position = new_signal(r);
        if (b->kind != BRI_POINT && i > 0 && below(8) == 0) b->velocity = new_signal(r);
    }
    for (int i = 0; i < s->n_couplings; i++) {
        bri_coupling *c = &r->couplings[i];
        *c = bri_coupling_defaults(bri_coupling_at(below(bri_coupling_count())), below(s->n_bodies),
                                   some_body(s->n_bodies));
        for (int k = 0; k < c->kind->n_params; k++)
            if (below(2)) c->p[k] = number(c->p[k] > 0.0 ? c->p[k] : 1.0);
    }
    for (int i = 0; i < s->n_contacts; i++) make_contact(r, &r->contacts[i], s->n_bodies);
    for (int i = 0; i < s->n_drives; i++) {
        r->drives[i].body = below(30) ? 0 : some_body(s->n_bodies);
        make_signal(r, &r->drives[i].force, 0);
    }
    def->solver = below(2) ? bri_solver_at(below(bri_solver_count())) : NULL;
    def->t_start = below(20) ? 0.0 : number(1.0);
    def->t_end = number(0.1);
    def->rtol = below(3) ? 1e-6 : number(1e-5);
    def->step = number(1e-3);
    def->max_step = below(10) ? 0.0 : number(1.0);
    def->max_steps = 300;
    def->energies = below(4) != 0;
}

static void finite(double x, int i, const char *what) {
    if (!isfinite(x)) fail_msg("definition %d: %s is %g, and all is said to be well", i, what, x);
}

static void look(bri_sim *sim, const bri_sim_def *def, int i) {
    for (int k = 0; k < def->system.n_bodies; k++) {
        bri_body_now b = bri_sim_body(sim, k);
        finite(b.x + b.v + b.z + b.vz, i, "a body");
    }
    for (int k = 0; k < def->system.n_contacts; k++) {
        bri_contact_now c = bri_sim_contact(sim, k);
        finite(c.F, i, "a friction force");
        finite(c.N, i, "a load");
        finite(c.x + c.v, i, "a contact");
        for (int j = 0; j < c.n_states; j++) finite(c.z[j], i, "a state");
    }
    for (int k = 0; k < def->system.n_couplings; k++)
        finite(bri_sim_coupling_force(sim, k), i, "a tension");
    bri_energies e = bri_sim_energies(sim);
    finite(e.kinetic, i, "kinetic energy");
    finite(e.potential, i, "potential energy");
    if (def->energies) finite(e.dissipated + e.work + e.residual, i, "the account of energy");
}

/* Other values for some numbers of a running simulation: taken as they are, or refused with a
 * reason and nothing changed. */
static void tamper(bri_sim *sim, int i) {
    long all = bri_sim_ref_count(sim);
    for (int k = 0; k < 3 && all > 0; k++) {
        bri_ref ref = {0};
        bri_error err = {0};
        for (int n = 1 + below((int)all); n > 0; n--) bri_sim_ref_next(sim, &ref);
        double before = bri_sim_get(sim, ref), to = below(4) ? number(before) : odd_number();
        bri_status status = bri_sim_set(sim, ref, to, &err);
        double after = bri_sim_get(sim, ref), want = status ? before : to;
        if (status == BRI_OK && !isfinite(to)) fail_msg("definition %d takes %g", i, to);
        if (status != BRI_OK && !err.text[0]) fail_msg("definition %d refuses %g silently", i, to);
        if (!(after == want) && !(isnan(after) && isnan(want)))
            fail_msg("definition %d: %s is %g after it was set to %g, status %d", i,
                     bri_sim_number(sim, ref).name, after, to, status);
    }
}

/* A copy goes on to the same bits, and so does the simulation itself from what was saved. */
static void same_again(bri_sim *sim, const bri_sim_def *def, int i) {
    bri_sim *twin;
    bri_error err = {0}, other = {0};
    if (bri_sim_copy(sim, &twin, &err) != BRI_OK) {
        if (!err.text[0] || twin) fail_msg("definition %d: no copy, and no reason", i);
        return;
    }
    size_t size = bri_sim_size(sim);
    void *saved = malloc(size ? size : 1);
    if (size) bri_sim_save(sim, saved);
    double t = def->t_start + 0.6 * (def->t_end - def->t_start);
    bri_status status = bri_sim_advance(sim, t, &err), its = bri_sim_advance(twin, t, &other);
    bri_body_now a = bri_sim_body(sim, 0), b = bri_sim_body(twin, 0);
    if (status != its || memcmp(&a, &b, sizeof a) != 0)
        fail_msg("definition %d: a copy ends with %d at %.17g, not with %d at %.17g", i, its, b.x,
                 status, a.x);
    if (size && bri_sim_restore(sim, saved, &err) != BRI_OK)
        fail_msg("definition %d is not restored: %s", i, err.text);
    if (size && bri_sim_advance(sim, t, &err) != status)
        fail_msg("definition %d ends otherwise once restored", i);
    b = bri_sim_body(sim, 0);
    if (memcmp(&a, &b, sizeof a) != 0) fail_msg("definition %d: restored it ends elsewhere", i);
    free(saved);
    bri_sim_free(twin);
}

static void success_is_finite(void **state) {
    int made = 0, done = 0;
    for (int i = 0; i < count; i++) {
        rig r;
        bri_sim_def def;
        bri_sim *sim;
        bri_error err = {0};
        uint64_t from = seed;
        make(&r, &def);
        if (bri_sim_create(&def, &sim, &err) != BRI_OK) {
            if (!err.text[0] || sim) fail_msg("definition %d is refused without a reason", i);
            continue;
        }
        made++;
        bri_status status = BRI_OK;
        for (int k = 1; k <= 4 && status == BRI_OK; k++) {
            double t = def.t_start + 0.25 * k * (def.t_end - def.t_start);
            status = bri_sim_advance(sim, k == 4 ? def.t_end : t, &err);
            if (status == BRI_OK) look(sim, &def, i);
            if (status == BRI_OK && k == 2 && below(2)) tamper(sim, i);
            if (status == BRI_OK && k == 2 && below(3) == 0) same_again(sim, &def, i);
        }
        if (status != BRI_OK && !err.text[0])
            fail_msg("definition %d (%llx) fails without a reason", i, (unsigned long long)from);
        done += status == BRI_OK;
        bri_sim_free(sim);
    }
    print_message("%d definitions: %d accepted, %d ran to their end\n", count, made, done);
    assert_true(made > count / 10 && done > count / 40); /* or nothing is tested */
}

/* Force and rates in one number. */
static double told(const bri_model *m, const double *p, bri_input u, const double *z) {
    double dz[BRI_MAX_STATES], sum = bri_model_eval(m, p, &u, z, dz);
    for (int j = 0; j < bri_model_states(m, p); j++) sum += dz[j];
    return sum;
}

/* A load that is no number is no lift-off: it shows in the force or in the rates, also in arrays.
 */
static void a_load_that_is_none_shows(void **state) {
    enum { N = 19, ODD = 5 };
    const bri_model *m;
    int laws = 0;
    for (int i = 0; (m = bri_model_at(i)); i++) {
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES * N] = {0}, dz[BRI_MAX_STATES * N];
        double v[N], n[N], F[N];
        bri_model_defaults(m, p);
        bri_input u = {.v = 0.5, .n = NAN};
        int states = bri_model_states(m, p);
        for (int j = 0; j < states; j++)
            for (int k = 0; k < N; k++) z[j * N + k] = 0.5 * m->states[j].nominal;
        double alone = told(m, p, u, z);
        bri_input one = {.v = 0.5, .n = 1.0}, two = {.v = 0.5, .n = 2.0};
        if (told(m, p, one, z) == told(m, p, two, z)) continue; /* the load does not matter here */
        laws++;
        if (!isnan(alone)) fail_msg("%s: force and rates hide a load that is no number", m->name);
        for (int k = 0; k < N; k++) v[k] = 0.5, n[k] = k == ODD ? (double)NAN : k % 3;
        bri_batch b = {.model = m, .p = p, .count = N, .v = v, .n = n, .own_loads = 1};
        bri_batch_eval(&b, z, F, dz);
        for (int k = 0; k < N; k++) {
            for (int j = 0; j < states; j++) F[k] += dz[j * N + k];
            if (isnan(F[k]) != (k == ODD)) fail_msg("%s: element %d is %g", m->name, k, F[k]);
        }
    }
    assert_true(laws >= 20);
}

/* A refusal names bounds that the number is not within: "inf must be >= 0" would hold. */
static void a_refused_load_is_out_of_its_bounds(void **state) {
    static const double loads[] = {-1.0, 1e31, NAN, INFINITY, -INFINITY};
    bri_body body = {.name = "block", .mass = 1.0};
    bri_contact pad = {.name = "pad", .model = bri_model_find("lugre"), .b = BRI_GROUND};
    bri_sim_def def = bri_sim_defaults();
    bri_model_defaults(pad.model, pad.p);
    def.system = (bri_system){.bodies = &body, .n_bodies = 1, .contacts = &pad, .n_contacts = 1};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        bri_sim *sim;
        bri_error err;
        pad.n = loads[i];
        assert_int_equal(bri_sim_create(&def, &sim, &err), BRI_BAD_VALUE);
        assert_non_null(strstr(err.text, "pad: load = "));
        assert_non_null(strstr(err.text, "from 0 to 1e+30"));
    }
}

/* 10 N that change by `slope` in a second, with a sine of 0.1 N on it. */
static bri_signal swinging_load(bri_signal parts[2], double slope, double frequency) {
    static double t[2] = {0.0, 1.0}, y[2];
    y[0] = 10.0, y[1] = 10.0 + slope;
    parts[0] = (bri_signal){.kind = bri_signal_find("table"), .t = t, .y = y, .count = 2};
    parts[1] = bri_signal_defaults(bri_signal_find("sine"));
    for (int i = 0; i < parts[1].kind->n_params; i++) {
        const char *name = parts[1].kind->params[i].name;
        if (strcmp(name, "amplitude") == 0) parts[1].p[i] = 0.1;
        if (strcmp(name, "frequency") == 0) parts[1].p[i] = frequency;
    }
    return (bri_signal){.kind = bri_signal_find("sum"), .parts = parts, .count = 2};
}

/* Whether a load opens its contact is looked for swing by swing: of 1e12 Hz for days before the
 * first step, which no limit of steps would end. */
static void a_load_that_swings_fast_does_not_hold_up_the_start(void **state) {
    bri_signal parts[2], load = swinging_load(parts, 0.0, 1e12);
    bri_body body = {.name = "block", .mass = 1.0, .v = 1.0};
    bri_contact pad = {.name = "pad", .model = bri_model_find("lugre"), .b = BRI_GROUND};
    bri_sim_def def = bri_sim_defaults();
    bri_sim *sim;
    bri_error err = {0};
    bri_model_defaults(pad.model, pad.p);
    pad.load = BRI_LOAD_SIGNAL;
    pad.n_of_t = &load;
    def.system = (bri_system){.bodies = &body, .n_bodies = 1, .contacts = &pad, .n_contacts = 1};
    def.t_end = 1.0;
    def.max_steps = 3;
    assert_int_equal(bri_sim_create(&def, &sim, &err), BRI_OK);
    assert_int_not_equal(bri_sim_advance(sim, 1.0, &err), BRI_OK);
    assert_non_null(strstr(err.text, "step"));
    bri_sim_free(sim);
}

/* Looking on from where it was left finds the first trough that the contact opens in: where the
 * falling mean is 0.1 N, at 0.99 s, and not a swing later. */
static void a_lift_behind_millions_of_swings_is_found(void **state) {
    bri_signal parts[2], load = swinging_load(parts, -10.0, 2e6);
    touch pad = {.n_of_t = &load, .n_least = 0.0};
    double pace, t = 0.0, before = -1.0;
    int calls = 0;
    while (isfinite(t) && bri_signal_value(&load, t) > 0.0) {
        assert_true(t > before);
        before = t;
        t = touch_next_lift(&pad, t, 1.0, &pace);
        calls++;
    }
    assert_true(calls > 1);
    if (!(fabs(t - 0.99) < 1.0 / 2e6)) fail_msg("opens at %.9g s", t);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success_is_finite),
        cmocka_unit_test(a_load_that_swings_fast_does_not_hold_up_the_start),
        cmocka_unit_test(a_lift_behind_millions_of_swings_is_found),
        cmocka_unit_test(a_load_that_is_none_shows),
        cmocka_unit_test(a_refused_load_is_out_of_its_bounds)};
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) seed = strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
