/* test_directed.c - friction that depends on the direction, on top of any law: closed forms of a
 * pull to and fro, exact thresholds on both sides, derivatives, energies, and the same run by
 * methods that share nothing. */
#include "bristle_fmu.h"
#include "bristle_law.h"
#include "bristle_sim.h"
#include "rig.h"
#include "samples.h"

static law directed(bri_directed *w, const char *inner, double backward) {
    assert_int_equal(bri_directed_init(w, bri_model_find(inner)), BRI_OK);
    law l = {.m = &w->model, .n = w->model.load};
    bri_model_defaults(l.m, l.p);
    set(&l, "backward", backward);
    assert_int_equal(bri_model_check(l.m, l.p, NULL), BRI_OK);
    return l;
}

/* ---- the law ------------------------------------------------------------------------------- */

/* After long sliding, and for the laws that jump nowhere: next to rest, whatever the states are. */
static void friction_is_as_many_times_as_large_backward(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i);
        bri_directed w;
        law l = directed(&w, m->name, 0.7);
        law without = {.m = m, .n = l.n};
        memcpy(without.p, l.p, sizeof l.p);
        double z[BRI_MAX_STATES], dz[BRI_MAX_STATES], F[2], same[2];
        for (int side = 0; side < 2; side++) {
            double v = side ? -0.2 : 0.2;
            bri_model_rest(l.m, l.p, z);
            for (int k = 0; k < 40; k++) F[side] = advance(&l, v, 0.01, z);
            bri_model_rest(m, l.p, z);
            for (int k = 0; k < 40; k++) same[side] = advance(&without, v, 0.01, z);
        }
        near(F[0], same[0], 0.0, m->name);
        near(F[1], 0.7 * same[1], 1e-15, m->name);
        bri_model_rest(l.m, l.p, z);
        for (int k = 0; k < 40; k++) advance(&l, 0.2, 0.01, z);
        double at[2], plain[2], unused[BRI_MAX_STATES];
        for (int side = 0; side < 2; side++) {
            bri_input u = {.v = side ? -1e-12 : 1e-12, .n = l.n};
            at[side] = bri_model_eval(l.m, l.p, &u, z, dz);
            plain[side] = bri_model_eval(m, l.p, &u, z, unused);
        }
        if (fabs(plain[1] - plain[0]) < 1e-6 * fabs(F[0]))
            hold(m, fabs(at[1] - at[0]) < 1e-6 * fabs(F[0]), "jumps at v = 0 from %g to %g", at[0],
                 at[1]);
    }
}

/* Dahl's law from rest has F = +-F_c (1 - exp(-sigma0 |x|/F_c)) times the share of its side, so
 * that the same deflection makes it slide. */
static void a_bristle_lets_go_at_the_same_deflection(void **state) {
    bri_directed w;
    law l = directed(&w, "dahl", 0.4);
    double Fc = l.p[bri_model_param(l.m, "mu_c")] * l.n, s0 = l.p[bri_model_param(l.m, "sigma0")];
    set(&l, "i", 1.0);
    for (int side = -1; side <= 1; side += 2) {
        double z[1] = {0.0}, dz[1], x = 2e-4, v = 1e-3 * side;
        for (int k = 0; k < 1000; k++) advance(&l, v, x / fabs(v) / 1000.0, z);
        near(force(&l, v, z, dz), side * Fc * (1.0 - exp(-s0 * x / Fc)) * (side < 0 ? 0.4 : 1.0),
             1e-9, "Dahl's closed form");
    }
}

static void derivatives_are_those_of_the_force(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i);
        bri_directed w;
        law l = directed(&w, m->name, 0.6);
        int k = bri_model_states(l.m, l.p), width = 3 + k;
        for (int sample = 0; sample < 60; sample++) {
            double z[BRI_MAX_STATES], J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)];
            double inside[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)], dz[BRI_MAX_STATES];
            bri_input u = {.v = 0.1 * (2.0 * spread(sample, 1) - 1.0), .n = l.n};
            sample_states(m, l.p, sample, 0.9, z);
            bri_model_jac(l.m, l.p, &u, z, J);
            bri_model_jac(m, l.p, &u, z, inside);
            double F = bri_model_eval(l.m, l.p, &u, z, dz), h = 1e-7 * fabs(u.v);
            bri_input up = u, down = u;
            up.v += h;
            down.v -= h;
            double slope =
                (bri_model_eval(l.m, l.p, &up, z, dz) - bri_model_eval(l.m, l.p, &down, z, dz)) /
                (2.0 * h);
            double plain =
                (bri_model_eval(m, l.p, &up, z, dz) - bri_model_eval(m, l.p, &down, z, dz)) /
                (2.0 * h);
            /* where the law's own derivative is a difference of itself, or jumps, it is skipped */
            if (fabs(plain - inside[1]) < 1e-5 * fabs(plain) + 1e-9 * fabs(F / u.v))
                hold(m, fabs(slope - J[1]) <= 1e-4 * fabs(slope) + 1e-8 * fabs(F / u.v),
                     "dF/dv = %g, differences say %g at v = %g", J[1], slope, u.v);
            for (int c = 0; c < width; c++)
                near(J[c], inside[c] * (F < 0.0 ? 0.6 : 1.0), 1e-15, m->name);
            for (int c = width; c < (1 + k) * width; c++) near(J[c], inside[c], 0.0, m->name);
        }
    }
}

/* Energies: the gradient is that of the energy, which passes through the change of side without a
 * jump; and heat is never won where the law itself wins none. */
static void stored_energy_has_its_gradient_and_no_jump(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i);
        bri_directed w;
        law l = directed(&w, m->name, 0.3);
        int k = bri_model_states(l.m, l.p);
        if (k == 0 || !m->stored) continue;
        for (int sample = 0; sample < 40; sample++) {
            double z[BRI_MAX_STATES], to[BRI_MAX_STATES], grad[BRI_MAX_STATES];
            double mid[BRI_MAX_STATES], unused[BRI_MAX_STATES], change = 0.0, size = 0.0;
            bri_input u = {.v = 0.01, .n = l.n};
            sample_states(m, l.p, sample, 1.0, z);
            sample_states(m, l.p, sample + 100, 1.0, to);
            enum { PARTS = 2000 };
            for (int j = 0; j < PARTS; j++) { /* the integral of the gradient along a line */
                for (int s = 0; s < k; s++) mid[s] = z[s] + (to[s] - z[s]) * (j + 0.5) / PARTS;
                l.m->stored(l.m, l.p, &u, mid, grad);
                for (int s = 0; s < k; s++) change += grad[s] * (to[s] - z[s]) / PARTS;
            }
            double from = l.m->stored(l.m, l.p, &u, z, unused);
            double end = l.m->stored(l.m, l.p, &u, to, unused);
            size = fabs(from) + fabs(end);
            hold(m, fabs(end - from - change) <= 1e-6 * size, "%g of %g J missing",
                 end - from - change, size);
            u.n = 0.0; /* in the air some laws have no stiffness left */
            double open = l.m->stored(l.m, l.p, &u, z, grad);
            for (int s = 0; s < k; s++) open += 0.0 * grad[s];
            hold(m, isfinite(open), "%g J without load", open);
        }
    }
}

/* ---- rigs ---------------------------------------------------------------------------------- */

/* 1 kg pulled through 20 N/m at 0.1 m/s, from t = 10 s on back. */
typedef struct pull {
    bri_directed law;
    bri_body bodies[2];
    bri_signal hand;
    double t[4], y[4];
    bri_coupling spring;
    bri_contact pad;
    bri_sim_def def;
} pull;

static void put(pull *r, const char *name, double value) {
    int at = bri_model_param(r->pad.model, name);
    if (at >= 0) r->pad.p[at] = value;
}

static void make(pull *r, const char *name, const char *solver, double rtol, double backward) {
    *r = (pull){
        .def = bri_sim_defaults(), .t = {0.0, 10.0, 10.001, 40.0}, .y = {0.1, 0.1, -0.1, -0.1}};
    assert_int_equal(bri_directed_init(&r->law, bri_model_find(name)), BRI_OK);
    r->hand = bri_signal_defaults(bri_signal_find("table"));
    r->hand.t = r->t, r->hand.y = r->y, r->hand.count = 4;
    r->bodies[0] = (bri_body){.name = "block", .mass = 1.0};
    r->bodies[1] = (bri_body){.name = "hand", .velocity = &r->hand};
    r->spring = bri_coupling_defaults(bri_coupling_find("spring"), 1, 0);
    r->spring.p[0] = 20.0;
    r->pad = (bri_contact){.name = "pad", .model = &r->law.model, .b = BRI_GROUND, .n = 10.0};
    bri_model_defaults(r->pad.model, r->pad.p);
    put(r, "mu_c", 0.3), put(r, "mu_s", 0.5), put(r, "v_s", 0.05), put(r, "backward", backward);
    put(r, "sigma0", 1e5), put(r, "sigma1", 600.0), put(r, "sigma2", 0.0), put(r, "delta", 5e-5);
    r->def.system = (bri_system){.bodies = r->bodies,
                                 .n_bodies = 2,
                                 .couplings = &r->spring,
                                 .n_couplings = 1,
                                 .contacts = &r->pad,
                                 .n_contacts = 1};
    r->def.solver = bri_solver_find(solver);
    r->def.t_end = 20.0;
    r->def.rtol = rtol;
}

static bri_sim *begin(const pull *r) {
    bri_sim *sim;
    bri_error err;
    if (bri_sim_create(&r->def, &sim, &err) != BRI_OK) fail_msg("%s", err.text);
    return sim;
}

static void go(bri_sim *sim, double t) {
    bri_error err;
    if (bri_sim_advance(sim, t, &err) != BRI_OK) fail_msg("%s", err.text);
}

/* Coulomb's law slips with u = (F_c + D cos wt)/k + (V/w) sin wt of the spring, D = F_s - F_c, so
 * for (2/w)(pi - atan(D w/(k V))), and sticks again with 2 F_c - F_s for 2 D/(k V). */
static void coulomb_slips_to_and_fro_as_the_closed_form_says(void **state) {
    pull r;
    make(&r, "coulomb", "event_driven", 1e-9, 0.6);
    bri_sim *sim = begin(&r);
    go(sim, 20.0);
    int count;
    const bri_event *e = bri_sim_events(sim, &count, NULL);
    double k = 20.0, V = 0.1, w = sqrt(k), t = 5.0 / (k * V);
    assert_true(count > 12);
    for (int i = 0; i < 6; i++) { /* three slips forward */
        near(e[i].t, t, 1e-8, "an event forward");
        t += i % 2 ? 2.0 * 2.0 / (k * V) : 2.0 / w * (PI - atan(2.0 * w / (k * V)));
    }
    /* stuck with 2 F_c - F_s = 1 N, until the hand has come back so far that it pulls with -3 N */
    double x = V * e[5].t - 1.0 / k;
    t = 10.001 + (1.0 - (x - 3.0 / k)) / V;
    for (int i = 6; i < 12; i++) {
        near(e[i].t, t, 1e-8, "an event backward");
        t += i % 2 ? 2.0 * 1.2 / (k * V) : 2.0 / w * (PI - atan(1.2 * w / (k * V)));
    }
    bri_findings seen;
    assert_int_equal(bri_sim_verdict(sim, &seen, NULL), BRI_OK);
    bri_sim_free(sim);
}

/* A force that grows slowly to either side: exact break-away at F_s and at -backward F_s. */
static void thresholds_are_exact_on_both_sides(void **state) {
    static const char *const laws[] = {"coulomb", "stribeck", "karnopp", "benson"};
    for (int i = 0; i < 8; i++) {
        pull r;
        make(&r, laws[i / 2], "event_driven", 1e-8, 0.37);
        int side = i % 2 ? -1 : 1;
        r.y[0] = r.y[1] = 0.01 * side; /* the hand pulls with 0.2 N/s */
        r.def.t_end = 30.0;
        r.t[1] = 50.0, r.t[2] = 51.0, r.t[3] = 52.0;
        bri_sim *sim = begin(&r);
        go(sim, 30.0);
        int count;
        const bri_event *e = bri_sim_events(sim, &count, NULL);
        assert_true(count > 0);
        double level = side > 0 ? 5.0 : 0.37 * 5.0;
        near(e[0].t, level / 0.2, 1e-10, laws[i / 2]);
        near(e[0].F, side * level, 1e-9, laws[i / 2]);
        assert_int_equal(e[0].to, side);
        bri_sim_free(sim);
    }
}

/* Whether the block lies on the ground or the ground on the block: v changes its sign. */
static void a_contact_turned_over_has_the_inverse_ratio(void **state) {
    static const char *const solvers[] = {"event_driven", "time_stepping", "event_driven"};
    static const char *const laws[] = {"coulomb", "coulomb", "stribeck"};
    for (int i = 0; i < 3; i++) {
        pull r, q;
        make(&r, laws[i], solvers[i], 1e-9, 0.6);
        make(&q, laws[i], solvers[i], 1e-9, 1.0 / 0.6);
        r.def.step = q.def.step = 1e-3;
        put(&q, "mu_c", 0.6 * 0.3), put(&q, "mu_s", 0.6 * 0.5);
        q.pad.a = BRI_GROUND, q.pad.b = 0;
        bri_sim *one = begin(&r), *two = begin(&q);
        for (int k = 1; k <= 20; k++) {
            go(one, k);
            go(two, k);
            near(bri_sim_body(two, 0).x, bri_sim_body(one, 0).x, 1e-7, solvers[i]);
            near(bri_sim_contact(two, 0).F, -bri_sim_contact(one, 0).F, 1e-6, solvers[i]);
        }
        bri_sim_free(one);
        bri_sim_free(two);
    }
}

/* Time stepping sees each of the twelve events up to a step late, at up to 0.45 m/s. */
static void time_stepping_has_both_levels(void **state) {
    pull r, q;
    make(&r, "coulomb", "event_driven", 1e-9, 0.6);
    make(&q, "coulomb", "time_stepping", 1e-9, 0.6);
    q.def.step = 1e-4;
    bri_sim *one = begin(&r), *two = begin(&q);
    for (int k = 1; k <= 40; k++) {
        go(one, 0.5 * k);
        go(two, 0.5 * k);
        near(bri_sim_body(two, 0).x - bri_sim_body(one, 0).x, 0.0, 12 * 1e-4 * 0.45, "position");
    }
    bri_sim_free(one);
    bri_sim_free(two);
}

/* Methods that share neither steps nor linear algebra. */
static void solvers_agree(void **state) {
    static const char *const laws[] = {"lugre",
                                       "dahl",
                                       "dankowicz",
                                       "bristle_implicit",
                                       "bristle_second_order",
                                       "gonthier",
                                       "elasto_plastic",
                                       "lugre_consistent",
                                       "reset_integrator",
                                       "coulomb_tanh",
                                       "velocity_based",
                                       "olsson_astrom"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        pull r, q;
        if (!bri_solver_find("cvode_bdf")) skip();
        int jumps =
            strcmp(laws[i], "reset_integrator") == 0; /* where a multistep method restarts */
        make(&r, laws[i], "rosenbrock", 1e-9, 0.6);
        make(&q, laws[i], jumps ? "erk_dopri5" : "cvode_bdf", 1e-9, 0.6);
        put(&r, "v_d", 0.1), put(&q, "v_d", 0.1);
        bri_sim *one = begin(&r), *two = begin(&q);
        double worst = 0.0;
        for (int k = 1; k <= SAMPLE(40, 24); k++) { /* the hand turns at 10 s */
            go(one, 0.5 * k);
            go(two, 0.5 * k);
            worst = fmax(worst, fabs(bri_sim_body(one, 0).x - bri_sim_body(two, 0).x));
        }
        hold(r.pad.model, worst <= 2e-7, "positions differ by %g m", worst);
        bri_findings seen;
        bri_error err;
        if (bri_sim_verdict(one, &seen, &err) != BRI_OK) fail_msg("%s: %s", laws[i], err.text);
        hold(r.pad.model, fabs(seen.residual) < 1e-6, "energies miss by %g", seen.residual);
        bri_sim_free(one);
        bri_sim_free(two);
    }
}

/* LuGre with a ratio of its own, and the hand of the rig above, for the integrator of rig.h, which
 * knows nothing of events, frozen directions and linear algebra. */
static double own_lugre(const bri_model *self, const double *p, const bri_input *u, const double *z,
                        double *dz) {
    double F = bri_model_eval(bri_model_find("lugre"), p, u, z, dz);
    return F > 0.0 ? F : 0.6 * F;
}

static double pull_of_hand(const rig *r, double t, double x) {
    double s = t - 10.0, at = s < 0.0    ? 0.1 * t
                              : s < 1e-3 ? 1.0 + 0.1 * s - 100.0 * s * s
                                         : 1.0 - 0.1 * (s - 1e-3);
    return 20.0 * (at - x);
}

static void an_explicit_method_agrees(void **state) {
    pull r;
    make(&r, "lugre", "rosenbrock", 1e-9, 0.6);
    bri_model own = *bri_model_find("lugre");
    own.eval = own_lugre;
    law l = {.m = &own, .n = 10.0};
    memcpy(l.p, r.pad.p, sizeof l.p);
    rig by_hand = rig_of(&l);
    by_hand.pull = pull_of_hand;
    bri_sim *sim = begin(&r);
    static const double stops[] = {4.0, 10.0, 10.001, 14.0, 16.0};
    for (int k = 0; k < 5; k++) {
        go(sim, stops[k]);
        rig_run(&by_hand, stops[k], 1e-9);
        near(bri_sim_body(sim, 0).x - by_hand.y[0], 0.0, 2e-7, "position");
    }
    bri_sim_free(sim);
}

/* A ratio of 1 is the law itself, to the last bit. */
static void a_ratio_of_one_changes_nothing(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i);
        bri_directed w;
        law l = directed(&w, m->name, 1.0);
        for (int sample = 0; sample < 40; sample++) {
            double z[BRI_MAX_STATES], a[BRI_MAX_STATES] = {0}, b[BRI_MAX_STATES] = {0};
            bri_input u = {.v = 0.1 * (2.0 * spread(sample, 1) - 1.0), .n = l.n, .fa = 3.0};
            sample_states(m, l.p, sample, 1.0, z);
            assert_true(bri_model_eval(l.m, l.p, &u, z, a) == bri_model_eval(m, l.p, &u, z, b));
            assert_memory_equal(a, b, sizeof a);
        }
    }
}

/* Neither as a file of another language nor as an FMU is the direction lost without a word. */
static void test_not_exported(void **state) {
    (void)state;
    bri_directed w;
    bri_setup s;
    bri_error err;
    assert_int_equal(bri_directed_init(&w, bri_model_find("lugre")), BRI_OK);
    bri_setup_init(&s, &w.model);
    assert_int_equal(bri_law_export(&s, BRI_TO_C, stdout, &err), BRI_NOT_FOUND);
    assert_string_equal(err.text,
                        "lugre is not the law of its page alone, a direction or code was added to "
                        "it, so that it cannot be written in c");
    assert_int_equal(bri_fmu_write(&s, NULL, "directed.fmu", &err), BRI_NOT_FOUND);
    assert_non_null(strstr(err.text, "cannot be made an FMU"));
    assert_null(fopen("directed.fmu", "r"));
}

/* Arrays of contacts are computed by the law inside, on vectors where it has them: the forces,
 * rates and steps are those of the single calls at every level, with one ratio or one for each. */
static void arrays_are_the_single_calls(void **state) {
    (void)state;
    enum { N = 21 };
    static const char *const laws[] = {"coulomb", "stribeck_tanh",  "dahl",
                                       "lugre",   "elasto_plastic", "gonthier"};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        for (int level = BRI_LEVEL_LIBM; level < BRI_LEVEL_COUNT; level++)
            for (int own = 0; own < 2; own++) {
                if (!bri_level_usable((bri_level)level)) continue;
                bri_directed w;
                double p[BRI_MAX_PARAMS], all[BRI_MAX_PARAMS * N], v[N],
                    z[BRI_MAX_STATES * N] = {0};
                double F[N], dz[BRI_MAX_STATES * N], load = 20.0;
                assert_int_equal(bri_directed_init(&w, bri_model_find(laws[l])), BRI_OK);
                bri_model_defaults(&w.model, p);
                int last = w.model.n_params - 1, states = w.model.n_states;
                p[last] = 1.7;
                for (int i = 0; i < N; i++) {
                    v[i] = (i % 2 ? -0.02 : 0.03) * (i / 2);
                    for (int j = 0; j <= last; j++) all[j * N + i] = p[j];
                    if (own) all[last * N + i] = 0.5 + 0.1 * i;
                    for (int j = 0; j < states; j++) z[j * N + i] = 1e-5 * ((i + j) % 5 - 2);
                }
                bri_batch b = {.model = &w.model,
                               .count = N,
                               .p = own ? all : p,
                               .v = v,
                               .n = &load,
                               .own_params = own,
                               .level = (bri_level)level};
                for (int step = 0; step < 2; step++) {
                    double before[BRI_MAX_STATES * N];
                    memcpy(before, z, sizeof z);
                    if (step)
                        bri_batch_step(&b, 1e-3, z, F);
                    else
                        bri_batch_eval(&b, z, F, dz);
                    for (int i = 0; i < N; i++) {
                        double one[BRI_MAX_STATES], rate[BRI_MAX_STATES];
                        bri_input u = {.v = v[i], .n = load};
                        for (int j = 0; j < states; j++) one[j] = before[j * N + i];
                        p[last] = own ? 0.5 + 0.1 * i : 1.7;
                        double want = step ? bri_model_step(&w.model, p, &u, 1e-3, one)
                                           : bri_model_eval(&w.model, p, &u, one, rate);
                        assert_true(fabs(F[i] - want) <= 1e-12 * (1.0 + fabs(want)));
                        for (int j = 0; step && j < states; j++)
                            assert_true(fabs(z[j * N + i] - one[j]) <=
                                        1e-12 * (1.0 + fabs(one[j])));
                    }
                    p[last] = 1.7;
                }
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_exported),
        cmocka_unit_test(friction_is_as_many_times_as_large_backward),
        cmocka_unit_test(a_bristle_lets_go_at_the_same_deflection),
        cmocka_unit_test(derivatives_are_those_of_the_force),
        cmocka_unit_test(stored_energy_has_its_gradient_and_no_jump),
        cmocka_unit_test(coulomb_slips_to_and_fro_as_the_closed_form_says),
        cmocka_unit_test(thresholds_are_exact_on_both_sides),
        cmocka_unit_test(a_contact_turned_over_has_the_inverse_ratio),
        cmocka_unit_test(time_stepping_has_both_levels),
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(an_explicit_method_agrees),
        cmocka_unit_test(a_ratio_of_one_changes_nothing),
        cmocka_unit_test(arrays_are_the_single_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
