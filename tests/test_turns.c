/* test_turns.c - steps that see what happens within them: the Stribeck peak where a contact comes
 * to rest, two turns close together, break-away in a long step. Random rigs at several tolerances
 * are compared with tight ones, and what a closed form says is checked as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bristle_sim.h"
#include "depth.h"
#include <math.h>
#include <string.h>

/* A block on a belt, held by a spring. */
typedef struct rig {
    bri_body bodies[2];
    bri_signal belt;
    bri_coupling spring;
    bri_contact pad;
    bri_sim_def def;
} rig;

static void set(bri_contact *c, const char *name, double value) {
    int at = bri_model_param(c->model, name);
    assert_true(at >= 0);
    c->p[at] = value;
}

static void make(rig *r, double mass, double x, double v, bri_signal belt, double stiffness,
                 double load, double t_end) {
    *r = (rig){.belt = belt, .def = bri_sim_defaults()};
    r->bodies[0] = (bri_body){.mass = mass, .x = x, .v = v};
    r->bodies[1] = (bri_body){.velocity = &r->belt};
    r->spring = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 0);
    r->spring.p[0] = stiffness;
    r->pad = (bri_contact){.model = bri_model_find("lugre"), .a = 0, .b = 1, .n = load};
    bri_model_defaults(r->pad.model, r->pad.p);
    set(&r->pad, "sigma2", 0.0);
    r->def.system = (bri_system){.bodies = r->bodies,
                                 .n_bodies = 2,
                                 .couplings = &r->spring,
                                 .n_couplings = 1,
                                 .contacts = &r->pad,
                                 .n_contacts = 1};
    r->def.t_end = t_end;
    r->def.energies = 0;
}

static bri_signal sine(double amplitude, double frequency) {
    bri_signal s = bri_signal_defaults(bri_signal_find("sine"));
    for (int i = 0; i < s.kind->n_params; i++) {
        if (strcmp(s.kind->params[i].name, "amplitude") == 0) s.p[i] = amplitude;
        if (strcmp(s.kind->params[i].name, "frequency") == 0) s.p[i] = frequency;
    }
    return s;
}

enum { ROWS = 500 };
typedef struct course {
    double v[ROWS], F[ROWS], first; /* first: time of the first event */
    double work, residual;          /* in the account of energy */
    long steps;
} course;

static void run(rig *r, const char *solver, double rtol, course *to) {
    bri_sim *sim;
    bri_error err;
    r->def.solver = bri_solver_find(solver);
    r->def.rtol = rtol;
    if (bri_sim_create(&r->def, &sim, &err) != BRI_OK) fail_msg("%s", err.text);
    for (int k = 0; k < ROWS; k++) {
        if (bri_sim_advance(sim, r->def.t_end * (k + 1) / ROWS, &err) != BRI_OK)
            fail_msg("%s", err.text);
        to->v[k] = bri_sim_body(sim, 0).v;
        to->F[k] = bri_sim_contact(sim, 0).F;
    }
    int count;
    long dropped;
    const bri_event *e = bri_sim_events(sim, &count, &dropped);
    to->first = count > 0 ? e[0].t : INFINITY;
    to->steps = bri_sim_stats(sim).steps;
    to->work = bri_sim_energies(sim).work;
    to->residual = bri_sim_energies(sim).residual;
    bri_sim_free(sim);
}

static double apart(const double *a, const double *b) {
    double most = 0.0, size = 0.0;
    for (int k = 0; k < ROWS; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return most / size;
}

/* The contact comes to rest from fifty times its Stribeck velocity; a step over the narrow peak of
 * the curve has an error of 8 % in z and an error estimate of nothing. */
static void the_peak_is_not_stepped_over(void **state) {
    static course exact, got;
    rig r;
    make(&r, 1.0, 9.0, 0.5, sine(0.5, 0.0666667), 1.0, 10.0, 10.0);
    set(&r.pad, "mu_c", 0.3), set(&r.pad, "mu_s", 0.45), set(&r.pad, "v_s", 0.01);
    set(&r.pad, "gamma", 2.0), set(&r.pad, "sigma0", 3e5), set(&r.pad, "sigma1", 547.723);
    run(&r, "rodas5p", 1e-12, &exact);
    for (int k = 6; k <= 10; k++) {
        run(&r, "rosenbrock", pow(10.0, -k), &got);
        assert_true(apart(got.v, exact.v) < 30.0 * pow(10.0, -k));
        assert_true(apart(got.F, exact.F) < 3e3 * pow(10.0, -k));
    }
}

/* The block swings and is for a moment as fast as the belt, by 0.1 mm/s: its contact turns twice in
 * what would be one step. Before that it is a linear oscillator under a constant force:
 * x = f + (x0 - f) cos t + v0 sin t, which meets the belt's velocity first where v(t) = 0.1, but
 * for the bristle, which has to bend first. */
static void two_turns_are_seen(void **state) {
    static course exact, got;
    rig r;
    make(&r, 1.0, 0.1, -0.1001, bri_signal_constant(0.1), 1.0, 1.0, 50.0);
    set(&r.pad, "mu_c", 0.1), set(&r.pad, "mu_s", 0.1), set(&r.pad, "v_s", 0.1);
    set(&r.pad, "gamma", 1.0), set(&r.pad, "sigma0", 1e5), set(&r.pad, "sigma1", 0.0);
    run(&r, "rodas5p", 1e-12, &exact);
    double low = 2.5, high = 3.1416; /* f = 0.1 N/(1 N/m), v(t) = -0.1001 cos t */
    for (int i = 0; i < 60; i++) {
        double t = 0.5 * (low + high);
        *(-0.1001 * cos(t) < 0.1 ? &low : &high) = t;
    }
    if (!(fabs(exact.first - low) < 3e-4)) fail_msg("%.6f, expected %.6f", exact.first, low);
    for (int k = 5; k <= 9; k++) {
        run(&r, "rosenbrock", pow(10.0, -k), &got);
        assert_true(fabs(got.first - exact.first) < 3e-3);
        assert_true(apart(got.F, exact.F) < 3e-3);
    }
}

/* Bristles so stiff that the block sticks in one long step, and no bristle holds more than
 * mu_s N: it breaks away when the spring pulls so much, at t = mu_s N/(k v). An implicit step over
 * that time would go on sticking. */
static void break_away_is_not_stepped_over(void **state) {
    const double limit = 0.15 * 9.81, when = limit / (2.0 * 0.1);
    static course got;
    for (int law = 0; law < 2; law++)
        for (int k = 1; k <= 8; k++) {
            rig r;
            make(&r, 1.0, 0.0, 0.1, bri_signal_constant(0.1), 2.0, 9.81, 10.0);
            set(&r.pad, "mu_c", 0.1), set(&r.pad, "mu_s", 0.15), set(&r.pad, "v_s", 1e-3);
            set(&r.pad, "gamma", law ? 2.0 : 1.0);
            set(&r.pad, "sigma0", 1e9), set(&r.pad, "sigma1", 0.0);
            run(&r, "rosenbrock", pow(10.0, -k), &got);
            double most = 0.0, began = INFINITY;
            for (int i = 0; i < ROWS; i++) {
                double t = r.def.t_end * (i + 1) / ROWS;
                if (t < when) most = fmax(most, fabs(got.F[i]));
                if (fabs(got.v[i] - 0.1) > 0.01) began = fmin(began, t);
            }
            if (!(most < 1.001 * limit && fabs(began - when) < 0.1))
                fail_msg("rtol 1e-%d: %.4f N of %.4f, slips from %.3f s on, not %.3f", k, most,
                         limit, began, when);
        }
}

/* The load is a sine: half of the time the contact is open, and when it closes the rate of the
 * bristle, sigma0 |v|/(mu N), begins at infinity. While it is open the block is a free oscillator,
 * which keeps its energy. */
static void a_load_comes_from_nothing(void **state) {
    static const char *const laws[] = {"lugre", "dahl", "elasto_plastic"};
    static course tight, got;
    for (int i = 0; i < 3; i++) {
        rig r;
        bri_signal load = sine(10.0, 1.0);
        make(&r, 1.0, 0.0, 1.0, bri_signal_constant(0.3), 20.0, 0.0, 5.0);
        r.pad.model = bri_model_find(laws[i]);
        bri_model_defaults(r.pad.model, r.pad.p);
        set(&r.pad, "mu_c", 0.1), set(&r.pad, "sigma0", 1e5);
        r.pad.load = BRI_LOAD_SIGNAL;
        r.pad.n_of_t = &load;
        run(&r, "rosenbrock", 1e-10, &tight);
        for (int k = 6; k <= 8; k += 2) {
            run(&r, "rosenbrock", pow(10.0, -k), &got);
            if (!(apart(got.v, tight.v) < 100.0 * pow(10.0, -k)))
                fail_msg("%s: %g", laws[i], apart(got.v, tight.v));
        }
        double most = 0.0; /* v^2 + (20 N/m x^2)/m from 0.5 to 1 s, by v and its slope */
        for (int k = 52; k < 98; k++) {
            double a = 100.0 * (tight.v[k + 1] - tight.v[k - 1]) / 2.0, b = tight.v[k];
            double c = 100.0 * (tight.v[k + 2] - tight.v[k]) / 2.0, d = tight.v[k + 1];
            most = fmax(most, fabs(a * a / 20.0 + b * b - c * c / 20.0 - d * d) / (b * b + a * a));
        }
        assert_true(most < 1e-4);
    }
}

/* A load that lifts off at random: 200 times here. At each closing the bristle, which has not yet
 * sprung back, is torn down at a rate that falls from 1e9/s like one over time. Rosenbrock and BDF
 * agree on what follows, and the account of energy closes. */
static void a_noisy_load_lifts_off(void **state) {
    static course tight, got;
    rig r;
    bri_signal parts[2] = {bri_signal_constant(9.81),
                           bri_signal_defaults(bri_signal_find("noise"))};
    bri_signal load = {.kind = bri_signal_find("sum"), .parts = parts, .count = 2};
    parts[1].p[0] = 5.0, parts[1].p[1] = 50.0; /* deviation, frequency */
    make(&r, 1.0, 0.0, 0.1, bri_signal_constant(0.1), 2.0, 0.0, 2.5);
    set(&r.pad, "mu_c", 0.1), set(&r.pad, "mu_s", 0.15), set(&r.pad, "v_s", 1e-3);
    set(&r.pad, "gamma", 2.0), set(&r.pad, "sigma0", 1e5), set(&r.pad, "sigma1", sqrt(1e5));
    r.pad.load = BRI_LOAD_SIGNAL;
    r.pad.n_of_t = &load;
    run(&r, "rosenbrock", 1e-10, &tight);
    for (int k = 4; k <= 8; k += 2) {
        run(&r, "rosenbrock", pow(10.0, -k), &got);
        if (!(apart(got.v, tight.v) < 100.0 * pow(10.0, -k)))
            fail_msg("rtol 1e-%d: %g", k, apart(got.v, tight.v));
    }
    if (bri_solver_find("cvode_bdf")) {
        run(&r, "cvode_bdf", 1e-8, &got);
        assert_true(apart(got.v, tight.v) < 1e-5);
    }
    r.def.energies = 1;
    run(&r, "rosenbrock", 1e-6, &got);
    assert_true(fabs(got.residual) < 1e-6 * got.work);
}

/* Dahl's law with i < 1 reaches saturation in finite time and keeps it. Pulled forth and back at
 * constant speed, y = 1 - F sgn(v)/Fc follows dy/dx = -y^i/d, so that y^(1-i) falls by (1-i) x/d
 * from 1 at the start, from 2 after the turn, to 0 (Andersson (17); i = 0 is his elastic Coulomb
 * law). Solvers for stiff systems and others, in some hundred steps. */
static void dahl_passes_saturation(void **state) {
    static const char *const solvers[] = {"rosenbrock", "rodas4", "cvode_bdf", "cvode_adams",
                                          "erk_dopri5"};
    const double exponents[] = {0.0, 0.2, 0.5, 0.9}, level = 2.0, d = 1e-4, speed = 1e-3;
    const double turn = 1.5; /* s, fifteen times d */
    for (int k = 0; k < 4 * 5 * 3; k++) {
        double i = exponents[k % 4], rtol = pow(10.0, -4 - 2 * (k / 20));
        const char *solver = solvers[k / 4 % 5];
        bri_signal pull = bri_signal_defaults(bri_signal_find("step"));
        pull.p[0] = -speed, pull.p[1] = turn, pull.p[2] = speed; /* value, at, before */
        bri_body sled = {.velocity = &pull};
        bri_contact pad = {.model = bri_model_find("dahl"), .b = BRI_GROUND, .n = 4.0};
        bri_model_defaults(pad.model, pad.p);
        set(&pad, "mu_c", 0.5), set(&pad, "sigma0", level / d), set(&pad, "i", i);
        bri_sim_def def = bri_sim_defaults();
        def.system =
            (bri_system){.bodies = &sled, .contacts = &pad, .n_bodies = 1, .n_contacts = 1};
        def.solver = bri_solver_find(solver);
        def.rtol = rtol, def.t_end = 2.0 * turn;
        bri_sim *sim;
        bri_error err;
        if (!def.solver) continue;
        if (bri_sim_create(&def, &sim, &err) != BRI_OK) fail_msg("%s", err.text);
        for (int j = 1; j <= 300; j++) {
            double t = 2.0 * turn * j / 300.0, since = t > turn ? t - turn : t;
            double w = pow(t > turn ? 2.0 : 1.0, 1.0 - i) - (1.0 - i) * speed * since / d;
            double F = level * (1.0 - (w > 0.0 ? pow(w, 1.0 / (1.0 - i)) : 0.0));
            if (bri_sim_advance(sim, t, &err) != BRI_OK) fail_msg("%s: %s", solver, err.text);
            double got = bri_sim_contact(sim, 0).F;
            if (!(fabs(got - (t > turn ? -F : F)) < 100.0 * rtol * level))
                fail_msg("%s, i = %g, rtol %g: %.9f N at %g s, not %.9f", solver, i, rtol, got, t,
                         t > turn ? -F : F);
        }
        if (bri_sim_stats(sim).steps > 2000)
            fail_msg("%s, i = %g: %ld steps", solver, i, bri_sim_stats(sim).steps);
        bri_sim_free(sim);
    }
}

static unsigned seed;
static double uniform(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24);
}
static double spread(double low, double high) { return low * pow(high / low, uniform()); }

/* Random rigs with gamma 1, 2 and 3 and damped bristles, on which a tight tolerance has converged:
 * at 1e-6 the force is right to 1 %. */
static void random_rigs_converge(void **state) {
    static course exact, other, got;
    int compared = 0;
    const int rigs = USUALLY(120, getenv("BRISTLE_PATH") ? 40 : 120, 24);
    for (int i = 1; i <= rigs; i++) {
        rig r;
        seed = (unsigned)i * 7919u + 17u;
        uniform();
        double mass = spread(0.1, 10.0), stiffness = spread(0.1, 1e3), load = spread(1.0, 100.0);
        double mu_c = 0.1 + 0.4 * uniform(), mu_s = mu_c * (1.0 + 0.5 * uniform());
        double v_s = spread(1e-3, 0.3), sigma0 = spread(1e3, 1e6), belt = spread(0.01, 1.0);
        double damping = 0.2 + 0.8 * uniform(), frequency = spread(0.02, 2.0);
        double x = 2.0 * mu_c * load / stiffness * (uniform() - 0.5);
        make(&r, mass, x, 2.0 * belt * (uniform() - 0.5),
             i % 2 ? sine(belt, frequency) : bri_signal_constant(belt), stiffness, load, 5.0);
        set(&r.pad, "mu_c", mu_c), set(&r.pad, "mu_s", mu_s), set(&r.pad, "v_s", v_s);
        set(&r.pad, "gamma", 1.0 + i % 3), set(&r.pad, "sigma0", sigma0);
        set(&r.pad, "sigma1", 2.0 * damping * sqrt(sigma0 * mass));
        run(&r, "rodas5p", 1e-12, &exact);
        run(&r, "rodas4", 1e-10, &other);
        if (apart(other.F, exact.F) > 1e-5) continue; /* the motion itself is too sensitive */
        compared++;
        run(&r, "rosenbrock", 1e-6, &got);
        if (!(apart(got.F, exact.F) < 0.01))
            fail_msg("rig %d: force off by %.2g", i, apart(got.F, exact.F));
    }
    assert_true(compared >= rigs * 5 / 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_peak_is_not_stepped_over),
        cmocka_unit_test(two_turns_are_seen),
        cmocka_unit_test(break_away_is_not_stepped_over),
        cmocka_unit_test(a_load_comes_from_nothing),
        cmocka_unit_test(a_noisy_load_lifts_off),
        cmocka_unit_test(dahl_passes_saturation),
        cmocka_unit_test(random_rigs_converge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
