/* test_tangent.c - derivatives of whole runs: closed forms, and extrapolated differences of runs on
 * everything that ships. */
#include "bristle_scenario.h"
#include "sims.h"
#include "test.h"

#include <stdlib.h>

static bri_messages messages;

static bri_sim *start_by(setup *s, const char *const *by, int n) {
    s->def.by = by;
    s->def.n_by = n;
    return start(s);
}

/* ---- closed forms ------------------------------------------------------------------------------
 */

/* x = x0 cos(w t), w^2 = k/m, without damping. */
static void an_oscillator(void **state) {
    static const char *const by[] = {"spring1.stiffness", "mass.mass", "mass.x", "mass.v",
                                     "oil.kv"};
    setup s;
    oscillator(&s);
    s.contacts[0].p[bri_model_param(s.contacts[0].model, "kv")] = 0.0;
    s.def.rtol = 1e-10;
    bri_sim *sim = start_by(&s, by, 5);
    for (int i = 1; i <= 9; i++) {
        double t = 0.21 * i, w = 10.0, k = 100.0, x_w = -t * sin(w * t);
        double v_w = -sin(w * t) - w * t * cos(w * t), F = 0.0;
        go(sim, t);
        double dx[5], dv[5];
        for (int p = 0; p < 5; p++) {
            bri_body_now d = bri_sim_body_by(sim, 0, p);
            double dy[2];
            assert_int_equal(bri_sim_by(sim, p, dy, NULL), BRI_OK);
            near(d.x, dy[0], 1e-8, "as a body and as a state");
            dx[p] = d.x, dv[p] = d.v;
        }
        near(dx[0], x_w * 0.5 * w / k, 1e-7, "dx/dk");
        near(dv[0], v_w * 0.5 * w / k, 1e-7, "dv/dk");
        near(dx[1], -x_w * 0.5 * w, 1e-7, "dx/dm");
        near(dx[2], cos(w * t), 1e-7, "dx/dx0");
        near(dx[3], sin(w * t) / w, 1e-7, "dx/dv0");
        /* x = e^(-c t/2) (cos + c/(2w) sin), to first order in c */
        near(dx[4], -0.5 * t * cos(w * t) + sin(w * t) / (2.0 * w), 1e-7, "dx/dc");
        F = bri_sim_coupling_force_by(sim, 0, 2);
        near(fabs(F), fabs(k * cos(w * t)), 1e-7, "dT/dx0");
    }
    bri_sim_free(sim);
}

/* A block slides to a stop and stays: v0^2/(2 mu g); then the derivatives are those of the place.
 */
static void a_stop(void **state) {
    static const char *const by[] = {"block.v", "pad.mu_c", "block.mass", "gravity"};
    setup s;
    memset(&s, 0, sizeof s);
    s.def = bri_sim_defaults();
    s.def.t_end = 2.0;
    s.def.rtol = 1e-9;
    s.bodies[0] = (bri_body){.name = "block", .mass = 3.0, .v = 2.0};
    s.contacts[0] = (bri_contact){.name = "pad",
                                  .model = bri_model_find("coulomb"),
                                  .b = BRI_GROUND,
                                  .load = BRI_LOAD_REACTION};
    bri_model_defaults(s.contacts[0].model, s.contacts[0].p);
    s.contacts[0].p[bri_model_param(s.contacts[0].model, "mu_c")] = 0.3;
    s.contacts[0].p[bri_model_param(s.contacts[0].model, "mu_s")] = 0.4;
    point_to(&s, 1, 0, 1, 0);
    bri_sim *sim = start_by(&s, by, 4);
    double v0 = 2.0, mu = 0.3, g = 9.81, a = mu * g;
    go(sim, 0.5);
    near(bri_sim_body_by(sim, 0, 0).x, 0.5, 1e-9, "dx/dv0, sliding");
    near(bri_sim_body_by(sim, 0, 1).x, -0.5 * g * 0.25, 1e-8, "dx/dmu, sliding");
    near(bri_sim_contact_by(sim, 0, 1).F, 3.0 * g, 1e-8, "dF/dmu, sliding");
    near(bri_sim_contact_by(sim, 0, 2).N, g, 1e-8, "dN/dm");
    go(sim, 1.5);
    assert_int_equal(bri_sim_contact(sim, 0).motion, 0);
    near(bri_sim_body_by(sim, 0, 0).x, v0 / a, 1e-8, "dx/dv0, at rest");
    near(bri_sim_body_by(sim, 0, 0).v, 0.0, 1e-12, "dv/dv0, at rest");
    near(bri_sim_body_by(sim, 0, 1).x, -v0 * v0 / (2.0 * mu * a), 1e-8, "dx/dmu, at rest");
    near(bri_sim_body_by(sim, 0, 2).x, 0.0, 1e-9, "dx/dm, at rest");
    near(bri_sim_body_by(sim, 0, 3).x, -v0 * v0 / (2.0 * a * g), 1e-8, "dx/dg, at rest");
    near(bri_sim_contact_by(sim, 0, 1).F, 0.0, 1e-9, "dF/dmu, at rest");
    bri_sim_free(sim);
}

/* A ramp of force from time `from` breaks a block away at t* = from + mu_s N/r; the level then
 * falls to mu_c N: x = r u^3/6m + (mu_s - mu_c) N u^2/2m, u = t - t*. */
static void a_break_away(void **state) {
    static const char *const by[] = {"pad.mu_s", "pad.mu_c", "push.rate", "push.from", "pad.load"};
    setup s;
    memset(&s, 0, sizeof s);
    s.def = bri_sim_defaults();
    s.def.t_end = 3.0;
    s.def.rtol = 1e-9;
    s.bodies[0] = (bri_body){.name = "block", .mass = 2.0};
    s.contacts[0] = (bri_contact){
        .name = "pad", .model = bri_model_find("coulomb"), .b = BRI_GROUND, .n = 20.0};
    bri_model_defaults(s.contacts[0].model, s.contacts[0].p);
    s.contacts[0].p[bri_model_param(s.contacts[0].model, "mu_c")] = 0.3;
    s.contacts[0].p[bri_model_param(s.contacts[0].model, "mu_s")] = 0.45;
    s.drives[0] =
        (bri_drive){.name = "push", .force = bri_signal_defaults(bri_signal_find("ramp"))};
    s.drives[0].force.p[0] = 6.0;
    s.drives[0].force.p[1] = 0.25;
    point_to(&s, 1, 0, 1, 1);
    bri_sim *sim = start_by(&s, by, 5);
    double mus = 0.45, muc = 0.3, N = 20.0, r = 6.0, m = 2.0, from = 0.25;
    go(sim, 1.0);
    near(bri_sim_body_by(sim, 0, 0).x, 0.0, 1e-12, "dx/dmu_s, at rest");
    near(bri_sim_contact_by(sim, 0, 2).F, 0.75, 1e-9, "dF/dr, at rest");
    near(bri_sim_contact_by(sim, 0, 3).F, -6.0, 1e-9, "dF/dfrom, at rest");
    go(sim, 2.7);
    double u = 2.7 - from - mus * N / r;
    double v = r * u * u / (2.0 * m) + (mus - muc) * N * u / m;
    near(bri_sim_body(sim, 0).x, r * u * u * u / (6.0 * m) + (mus - muc) * N * u * u / (2.0 * m),
         1e-7, "x");
    near(bri_sim_body_by(sim, 0, 0).x, N * u * u / (2.0 * m) - v * N / r, 1e-7, "dx/dmu_s");
    near(bri_sim_body_by(sim, 0, 1).x, -N * u * u / (2.0 * m), 1e-7, "dx/dmu_c");
    near(bri_sim_body_by(sim, 0, 2).x, u * u * u / (6.0 * m) + v * mus * N / (r * r), 1e-7,
         "dx/dr");
    near(bri_sim_body_by(sim, 0, 3).x, -v, 1e-7, "dx/dfrom");
    near(bri_sim_body_by(sim, 0, 4).x, (mus - muc) * u * u / (2.0 * m) - v * mus / r, 1e-7,
         "dx/dN");
    bri_sim_free(sim);
}

/* A force that steps at a time: dx/d(at) = -F (t - at)/m; and a belt that a block sticks to. */
static void kinks_and_prescribed_motions(void **state) {
    static const char *const by[] = {"push.at", "push.value", "slab.velocity", "slab.x"};
    setup s;
    rabinowicz(&s, "coulomb", "rosenbrock", 1e-9);
    s.drives[0] =
        (bri_drive){.name = "push", .force = bri_signal_defaults(bri_signal_find("step"))};
    s.drives[0].force.p[0] = 150.0;
    s.drives[0].force.p[1] = 1.2;
    point_to(&s, 2, 1, 1, 1);
    s.couplings[0].p[0] = 1e-9; /* hardly any spring */
    bri_sim *sim = start_by(&s, by, 4);
    go(sim, 1.0);
    near(bri_sim_body_by(sim, 0, 2).v, 1.0, 1e-9, "a block that sticks moves with the belt");
    near(bri_sim_body_by(sim, 1, 2).x, 1.0, 1e-9, "the belt");
    near(bri_sim_body_by(sim, 1, 3).x, 1.0, 1e-9, "the belt's place");
    go(sim, 2.0);
    double a = (150.0 - 98.1) / 20.0, t = 0.8;
    near(bri_sim_body(sim, 0).v, 0.5 + a * t, 1e-7, "v");
    near(bri_sim_body_by(sim, 0, 0).v, -a, 1e-7, "dv/d(at)");
    near(bri_sim_body_by(sim, 0, 0).x, -a * t, 1e-7, "dx/d(at)");
    near(bri_sim_body_by(sim, 0, 1).x, t * t / 40.0, 1e-7, "dx/dF");
    bri_sim_free(sim);
}

/* A point hangs on a damped spring from a cart that moves: by the cart's speed and place, in both
 * directions of the plane, against differences. */
static void swing(setup *s, double speed, double place) {
    memset(s, 0, sizeof *s);
    s->def = bri_sim_defaults();
    s->def.t_end = 2.0;
    s->def.rtol = 1e-11;
    s->signals[0] = bri_signal_constant(speed);
    s->bodies[0] = (bri_body){.name = "ball", .kind = BRI_POINT, .mass = 1.0, .x = 0.2, .z = -1.1};
    s->bodies[1] = (bri_body){.name = "cart", .velocity = &s->signals[0], .x = place};
    s->couplings[0] = bri_coupling_defaults(bri_coupling_find("spring_damper"), 1, 0);
    const double p[] = {50.0, 1.0, 0.5};
    for (int i = 0; i < s->couplings[0].kind->n_params; i++) {
        const char *name = s->couplings[0].kind->params[i].name;
        s->couplings[0].p[i] = p[strcmp(name, "stiffness") == 0 ? 0
                                 : strcmp(name, "length") == 0  ? 1
                                                                : 2];
    }
    point_to(s, 2, 1, 0, 0);
}

static void a_cart_that_pulls_a_point(void **state) {
    static const char *const by[] = {"cart.velocity", "cart.x"};
    const double h = 1e-4;
    setup s;
    swing(&s, 0.3, 0.1);
    bri_sim *sim = start_by(&s, by, 2);
    go(sim, 2.0);
    for (int k = 0; k < 2; k++) {
        bri_body_now end[2], d = bri_sim_body_by(sim, 0, k);
        double pull[2], pull_by = bri_sim_coupling_force_by(sim, 0, k);
        for (int side = 0; side < 2; side++) {
            double more = side ? h : -h;
            setup t;
            swing(&t, 0.3 + (k == 0 ? more : 0.0), 0.1 + (k == 1 ? more : 0.0));
            bri_sim *other = start(&t);
            go(other, 2.0);
            end[side] = bri_sim_body(other, 0);
            pull[side] = bri_sim_coupling_force(other, 0);
            bri_sim_free(other);
        }
        const double got[5] = {d.x, d.z, d.v, d.vz, pull_by};
        const double want[5] = {end[1].x - end[0].x, end[1].z - end[0].z, end[1].v - end[0].v,
                                end[1].vz - end[0].vz, pull[1] - pull[0]};
        for (int j = 0; j < 5; j++)
            if (!(fabs(got[j] - want[j] / (2.0 * h)) < 1e-6 * (1.0 + fabs(got[j]))))
                fail_msg("%s, %d: %.9g, by differences %.9g", by[k], j, got[j],
                         want[j] / (2.0 * h));
    }
    bri_sim_free(sim);
}

/* ---- the run itself */

/* Derivatives do not disturb the run, and are saved, copied and reset with it. */
static void the_run_stays_the_same(void **state) {
    static const char *const laws[] = {"lugre", "stribeck"};
    static const char *const by[] = {"pad.mu_c", "slab.velocity"};
    for (int i = 0; i < 2; i++) {
        setup s;
        double y[2][4], d[4][4];
        rabinowicz(&s, laws[i], "rosenbrock", 1e-7);
        bri_sim *plain = start(&s), *sim = start_by(&s, by, 2), *copy;
        int n = bri_sim_states(sim);
        for (int k = 1; k <= 5; k++) {
            go(plain, 4.1 * k);
            go(sim, 4.1 * k);
            bri_sim_state_get(plain, y[0]);
            bri_sim_state_get(sim, y[1]);
            assert_memory_equal(y[0], y[1], sizeof *y[0] * (size_t)n);
            bri_sim_by(sim, 1, d[0], NULL); /* in the middle of a step */
        }
        void *saved = malloc(bri_sim_size(sim));
        bri_sim_save(sim, saved);
        assert_int_equal(bri_sim_copy(sim, &copy, NULL), BRI_OK);
        for (int k = 0; k < 4; k++) {
            bri_sim *one = k == 2 ? copy : sim;
            if (k == 1) assert_int_equal(bri_sim_restore(sim, saved, NULL), BRI_OK);
            if (k == 3) assert_int_equal(bri_sim_reset(sim, NULL), BRI_OK);
            go(one, 24.0);
            assert_int_equal(bri_sim_by(one, 0, d[k], NULL), BRI_OK);
            if (k < 3) assert_memory_equal(d[0], d[k], sizeof *d[0] * (size_t)n);
            for (int j = 0; j < n; j++) near(d[k][j], d[0][j], 1e-6, laws[i]);
        }
        bri_error err;
        bri_ref ref;
        assert_int_equal(bri_sim_find(sim, by[0], &ref, NULL), BRI_OK);
        assert_int_equal(bri_sim_set(sim, ref, 0.4, &err), BRI_BAD_VALUE);
        assert_int_equal(bri_sim_by(sim, 2, d[0], &err), BRI_NOT_FOUND);
        assert_int_equal(bri_sim_state_set(sim, y[0], &err), BRI_BAD_VALUE);
        assert_int_equal(bri_sim_place(sim, 1.0, y[0], &err), BRI_BAD_VALUE);
        free(saved);
        bri_sim_free(copy);
        bri_sim_free(plain);
        bri_sim_free(sim);
    }
}

static void rates_by_numbers(void **state) {
    setup s;
    bri_ref ref;
    double y[2] = {0.3, -1.7}, dy[2];
    oscillator(&s);
    s.bodies[0].mass = 2.0;
    bri_sim *sim = start(&s);
    assert_int_equal(bri_sim_find(sim, "spring1.stiffness", &ref, NULL), BRI_OK);
    assert_int_equal(bri_sim_rhs_by(sim, 0.1, y, ref, dy, NULL), BRI_OK);
    near(dy[0], 0.0, 1e-15, "dv/dk");
    near(dy[1], -0.3 / 2.0, 1e-9, "da/dk");
    assert_int_equal(bri_sim_find(sim, "mass.mass", &ref, NULL), BRI_OK);
    assert_int_equal(bri_sim_rhs_by(sim, 0.1, y, ref, dy, NULL), BRI_OK);
    near(dy[1], (100.0 * 0.3 - 2.0 * 1.7) / 4.0, 1e-9, "da/dm");
    bri_sim_free(sim);
    const char *const wrong[] = {"mass.mas"}, *const one[] = {"mass.mass"};
    bri_error err;
    s.def.by = wrong;
    s.def.n_by = 1;
    assert_int_equal(bri_sim_create(&s.def, &sim, &err), BRI_NOT_FOUND);
    assert_non_null(strstr(err.text, "mass.mass"));
    s.def.by = one;
    s.def.solver = solver_of("time_stepping");
    s.def.step = 1e-3;
    assert_int_equal(bri_sim_create(&s.def, &sim, &err), BRI_BAD_VALUE);
}

/* A mass that is held at rest by friction alone, between ground and a spring of 100 N/m: F = -T,
 * and N = 2 g m. Where it slides F = mu_c N, whatever the spring does. */
static void what_is_shown(void **state) {
    static const double stretched[2] = {0.03, 0.0}, sliding[2] = {0.03, 0.4};
    setup s;
    bri_error err;
    bri_ref k, mass, mu;
    oscillator(&s);
    s.contacts[0].model = bri_model_find("coulomb");
    s.contacts[0].load = BRI_LOAD_REACTION;
    bri_model_defaults(s.contacts[0].model, s.contacts[0].p);
    s.contacts[0].p[bri_model_param(s.contacts[0].model, "mu_s")] = 0.9;
    s.bodies[0].x = stretched[0];
    s.bodies[0].mass = 2.0;
    bri_sim *sim = start(&s);
    bri_body_now body[2];
    bri_contact_by pad[2];
    double T[2][8], dy[4] = {1.0, 0.0, 0.0, 1.0};
    bri_shown to[2] = {{&body[0], &pad[0], T[0]}, {&body[1], &pad[1], T[1]}};
    for (int slides = 0; slides < 2; slides++) {
        const double *y = slides ? sliding : stretched;
        double way = slides ? 0.0 : 1.0;
        assert_int_equal(bri_sim_place(sim, 0.0, y, &err), BRI_OK);
        assert_int_equal(bri_sim_contact(sim, 0).motion, slides);
        assert_int_equal(bri_sim_shown_along(sim, 0.0, y, dy, 2, to, &err), BRI_OK);
        near(fabs(T[0][0]), 100.0, 1e-12, "tension by position");
        near(pad[0].F, -way * 100.0, 1e-12, "friction by position");
        near(pad[1].F, 0.0, 1e-12, "by velocity");
        near(pad[1].v, 1.0, 0.0, "sliding by velocity");
        near(body[0].x, 1.0, 0.0, "position by itself");
        assert_int_equal(bri_sim_find(sim, "spring1.stiffness", &k, &err), BRI_OK);
        assert_int_equal(bri_sim_shown_by(sim, 0.0, y, k, to, &err), BRI_OK);
        near(pad[0].F, -way * 0.03, 1e-9, "friction by stiffness");
        near(fabs(T[0][0]), 0.03, 1e-9, "tension by stiffness");
        assert_int_equal(bri_sim_find(sim, "mass.mass", &mass, &err), BRI_OK);
        assert_int_equal(bri_sim_shown_by(sim, 0.0, y, mass, to, &err), BRI_OK);
        near(pad[0].N, s.def.system.gravity, 1e-9, "load by mass");
        assert_int_equal(bri_sim_find(sim, "oil.mu_c", &mu, &err), BRI_OK);
        assert_int_equal(bri_sim_shown_by(sim, 0.0, y, mu, to, &err), BRI_OK);
        near(pad[0].F, slides * 2.0 * s.def.system.gravity, 1e-9, "friction by its coefficient");
    }
    mu.element = 7;
    assert_int_equal(bri_sim_shown_by(sim, 0.0, sliding, mu, to, &err), BRI_NOT_FOUND);
    bri_sim_free(sim);
}

/* ---- all that ships ---------------------------------------------------------------------------
 */

/* States; differences; numbers of each scenario that are tried; steps of a run. */
enum {
    NUMBERS = SAMPLE(7, 2),
    MOST = 160,
    LEVELS = 4,
    STEPS = SAMPLE(400, 150),
    MOST_STEPS = 2500
};

typedef struct tally {
    int numbers, derivatives, refused;
    double worst;
    char where[200];
} tally;

/* What is derived: states, then friction and loads of contacts, tensions of couplings. */
enum { STATES, FRICTIONS, LOADS, TENSIONS, GROUPS };
typedef struct group {
    int first[GROUPS + 1];
    const bri_system *s;
} group;

static group groups_of(const bri_sim *sim, const bri_system *s) {
    group g = {.s = s};
    g.first[FRICTIONS] = bri_sim_states(sim);
    g.first[LOADS] = g.first[FRICTIONS] + s->n_contacts;
    g.first[TENSIONS] = g.first[LOADS] + s->n_contacts;
    g.first[GROUPS] = g.first[TENSIONS] + s->n_couplings;
    return g;
}

/* Of run k of the derivatives; k < 0: the values themselves. */
static void read_groups(bri_sim *sim, const group *g, int k, double *out) {
    for (int i = 0; i < g->s->n_contacts; i++) {
        bri_contact_by by = {0};
        bri_contact_now now = {0};
        if (k < 0)
            now = bri_sim_contact(sim, i);
        else
            by = bri_sim_contact_by(sim, i, k);
        out[g->first[FRICTIONS] + i] = k < 0 ? now.F : by.F;
        out[g->first[LOADS] + i] = k < 0 ? now.N : by.N;
    }
    for (int i = 0; i < g->s->n_couplings; i++)
        out[g->first[TENSIONS] + i] =
            k < 0 ? bri_sim_coupling_force(sim, i) : bri_sim_coupling_force_by(sim, i, k);
}

/* All of them at a time; BRI_NO_PROGRESS if that is too far. */
static bri_status run_with(bri_sim *sim, const group *g, bri_ref ref, double value, double t,
                           double *out) {
    bri_status status = bri_sim_set(sim, ref, value, NULL);
    if (status == BRI_OK) status = bri_sim_reset(sim, NULL);
    if (status == BRI_OK) status = bri_sim_advance(sim, t, NULL);
    if (status == BRI_OK) bri_sim_state_get(sim, out);
    if (status == BRI_OK) read_groups(sim, g, -1, out);
    return status;
}

/* Differences with steps h, h/2, ... extrapolated to none: the error goes with the powers of h, or
 * of h^2. *doubt: how far the last two are from each other. */
static double to_none(const double *differences, int power, double *doubt) {
    double d[LEVELS], before = 0.0, by = (double)(1 << power);
    memcpy(d, differences, sizeof d);
    for (int j = 1; j < LEVELS; j++, by *= (double)(1 << power)) {
        before = d[LEVELS - 1];
        for (int i = LEVELS - 1; i >= j; i--) d[i] = (by * d[i] - d[i - 1]) / (by - 1.0);
    }
    *doubt = fabs(d[LEVELS - 1] - before);
    return d[LEVELS - 1];
}

/* Central differences; what begins at rest may depend on a number by its square and sign, and is
 * extrapolated with all powers: both are given. doubt also tells how far the derivatives to both
 * sides are from each other. */
static bri_status extrapolate(bri_sim *sim, const group *g, bri_ref ref, double value, double h,
                              double t, double d[2][MOST], double doubt[2][MOST]) {
    int n = g->first[GROUPS];
    double up[MOST], here[MOST], down[MOST], table[MOST][LEVELS], bend[MOST][LEVELS];
    bri_status status = run_with(sim, g, ref, value, t, here);
    for (int i = 0; status == BRI_OK && i < LEVELS; i++, h *= 0.5) {
        status = run_with(sim, g, ref, value + h, t, up);
        if (status == BRI_OK) status = run_with(sim, g, ref, value - h, t, down);
        for (int k = 0; status == BRI_OK && k < n; k++) {
            table[k][i] = (up[k] - down[k]) / (2.0 * h);
            bend[k][i] = (up[k] - 2.0 * here[k] + down[k]) / h; /* goes with h */
        }
    }
    for (int k = 0; status == BRI_OK && k < n; k++)
        for (int i = 0; i < 2; i++) {
            d[i][k] = to_none(table[k], 1 + i, &doubt[i][k]);
            doubt[i][k] += 0.5 * fabs(2.0 * bend[k][LEVELS - 1] - bend[k][LEVELS - 2]);
        }
    bri_sim_set(sim, ref, value, NULL);
    return status;
}

/* The same with small steps and larger ones: those two that agree best. */
static bri_status best_differences(bri_sim *sim, const group *g, bri_ref ref, double value,
                                   double t, double *d, double *doubt) {
    double scale = value != 0.0 ? fabs(value) : 0.1;
    double small[2][MOST], large[2][MOST], of_small[2][MOST], of_large[2][MOST];
    bri_status status = extrapolate(sim, g, ref, value, 4e-4 * scale, t, small, of_small);
    if (status == BRI_OK)
        status = extrapolate(sim, g, ref, value, 3e-3 * scale, t, large, of_large);
    for (int k = 0; status == BRI_OK && k < g->first[GROUPS]; k++) {
        doubt[k] = INFINITY;
        for (int pair = 0; pair < 4; pair++) {
            double a = small[pair % 2][k], b = large[pair / 2][k];
            double of_a = of_small[pair % 2][k], of_b = of_large[pair / 2][k];
            double apart = fabs(a - b) + fmin(of_a, of_b);
            if (apart < doubt[k]) d[k] = of_a < of_b ? a : b, doubt[k] = apart;
        }
    }
    return status;
}

static void judge(const char *scenario, const char *number, int first, int end, const double *dy,
                  const double *d, const double *doubt, tally *sum) {
    double size = 0.0;
    for (int k = first; k < end; k++) size = fmax(size, fabs(d[k]));
    for (int k = first; k < end; k++) {
        double own = fmax(fabs(d[k]), 1e-3 * size);
        if (!(size > 0.0) || doubt[k] > 2e-7 * own) continue; /* not smooth enough to say */
        sum->derivatives++;
        double off = fabs(dy[k] - d[k]) / own;
        if (off > sum->worst) {
            sum->worst = off;
            snprintf(sum->where, sizeof sum->where, "%s, value %d by %s", scenario, k, number);
        }
        if (!(off <= 1e-6))
            print_message("%s: value %d by %s: %.10g, differences %.10g +- %.1g\n", scenario, k,
                          number, dy[k], d[k], doubt[k]);
    }
}

/* Up to time t, or as near to the start as other values of the number can be computed. */
static void one_number(const char *scenario, bri_sim_def def, bri_sim *plain, bri_ref ref, double t,
                       tally *sum) {
    bri_number is = bri_sim_number(plain, ref);
    const char *by[1] = {is.name};
    double d[MOST], doubt[MOST], dy[MOST];
    bri_error err = {0};
    bri_sim *sim;
    group g = groups_of(plain, &def.system);
    if (is.whole || g.first[GROUPS] > MOST) return;
    sum->numbers++;
    def.by = by;
    def.n_by = 1;
    bri_status status = bri_sim_create(&def, &sim, &err);
    if (status != BRI_OK) { /* such as the velocity of a body that follows another through a gear */
        assert_int_equal(status, BRI_BAD_VALUE);
        sum->refused++;
        return;
    }
    for (int i = 0; i < 12; i++) {
        status = best_differences(plain, &g, ref, is.value, t, d, doubt);
        if (status != BRI_NO_PROGRESS) break;
        t = def.t_start + 0.4 * (t - def.t_start);
    }
    if (status == BRI_OK) {
        if (bri_sim_advance(sim, t, &err) != BRI_OK || bri_sim_by(sim, 0, dy, &err) != BRI_OK)
            fail_msg("%s: %s: %s", scenario, is.name, err.text);
        read_groups(sim, &g, 0, dy);
        for (int k = 0; k < GROUPS; k++)
            judge(scenario, is.name, g.first[k], g.first[k + 1], dy, d, doubt, sum);
    } else {
        sum->refused++;
    }
    bri_sim_free(sim);
}

static bri_sim_def load_exactly(const char *name, bri_scenario **s) {
    assert_int_equal(bri_scenario_load(name, NULL, s, &messages), BRI_OK);
    bri_sim_def def = *bri_scenario_def(*s);
    def.rtol = 1e-12; /* slopes of a law turn over within 1e-7 m/s */
    def.energies = 0;
    def.event_room = -1;
    def.max_steps = 0;
    return def;
}

/* Some numbers of a scenario, or with `all` each of them. */
static void one_scenario(int i, int all, tally *total) {
    const char *name = bri_scenario_name(i);
    bri_scenario *s;
    bri_sim *plain;
    bri_sim_def def = load_exactly(name, &s);
    if (def.solver && strcmp(bri_solver_name(def.solver), "time_stepping") == 0) def.solver = NULL;
    if (def.system.n_bodies > 20) {
        bri_scenario_free(s);
        return;
    }
    tally sum = {0};
    assert_int_equal(bri_sim_create(&def, &plain, NULL), BRI_OK);
    double t = def.t_start + 0.3 * (def.t_end - def.t_start);
    while (bri_sim_time(plain) < t && bri_sim_stats(plain).steps < (all ? 10 * STEPS : STEPS))
        assert_int_equal(bri_sim_step(plain, t, NULL), BRI_OK);
    t = bri_sim_time(plain);
    bri_sim_free(plain);
    def.max_steps = all ? 10 * MOST_STEPS : MOST_STEPS;
    assert_int_equal(bri_sim_create(&def, &plain, NULL), BRI_OK);
    def.max_steps = 0;
    long seen = 0, apart = all ? 1 : bri_sim_ref_count(plain) / NUMBERS + 1;
    for (bri_ref ref = {0}; bri_sim_ref_next(plain, &ref); seen++)
        if (seen % apart == i % apart) one_number(name, def, plain, ref, t, &sum);
    print_message("%s: %d numbers (%d refused), %d derivatives, worst %.1e\n", name, sum.numbers,
                  sum.refused, sum.derivatives, sum.worst);
    total->numbers += sum.numbers;
    total->derivatives += sum.derivatives;
    if (sum.worst > total->worst) {
        total->worst = sum.worst;
        memcpy(total->where, sum.where, sizeof total->where);
    }
    bri_sim_free(plain);
    bri_scenario_free(s);
}

/* Nothing depends on the height of a step before it; after it velocities of um/s do in full, and of
 * what they are soon after it the time itself is rounded to a share. */
static void the_height_of_a_late_step(void **state) {
    bri_scenario *s;
    bri_sim *plain;
    bri_ref height;
    tally sum = {0};
    bri_sim_def def = load_exactly("velocity_steps", &s);
    assert_int_equal(bri_sim_create(&def, &plain, NULL), BRI_OK);
    assert_int_equal(bri_sim_find(plain, "driver.velocity.sum.2.step.value", &height, NULL),
                     BRI_OK);
    one_number("velocity_steps", def, plain, height, 25.0, &sum);
    assert_int_equal(sum.derivatives, 5); /* three states, friction, tension */
    if (sum.worst > 1e-6) fail_msg("off by %.1e: %s", sum.worst, sum.where);
    bri_sim_free(plain);
    bri_scenario_free(s);
}

static void everything_that_ships(void **state) {
    const char *only = getenv("BRISTLE_DERIVATIVES"); /* of a scenario: all its numbers */
    tally total = {0};
    for (int i = 0; i < bri_scenario_count(); i++)
        if (!only || strcmp(only, "all") == 0 || strcmp(only, bri_scenario_name(i)) == 0)
            one_scenario(i, only != NULL, &total);
    print_message("%d numbers, %d derivatives, worst %.1e: %s\n", total.numbers, total.derivatives,
                  total.worst, total.where);
    if (!only) assert_true(total.derivatives > 20); /* or nothing is tested */
    if (total.worst > 1e-6) fail_msg("off by %.1e: %s", total.worst, total.where);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator),
        cmocka_unit_test(a_stop),
        cmocka_unit_test(a_break_away),
        cmocka_unit_test(a_cart_that_pulls_a_point),
        cmocka_unit_test(kinks_and_prescribed_motions),
        cmocka_unit_test(the_run_stays_the_same),
        cmocka_unit_test(rates_by_numbers),
        cmocka_unit_test(what_is_shown),
        cmocka_unit_test(the_height_of_a_late_step),
        cmocka_unit_test(everything_that_ships),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
