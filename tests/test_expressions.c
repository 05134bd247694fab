/* test_expressions.c - expressions in scenarios: as functions, against the engine that evaluates
 * them as written and against differences; in rigs, against closed solutions. */
#include "bristle_scenario.h"
#include "random_expr.h"
#include "scenario/scope.h"
#include "test.h"
#include <stdlib.h>

/* ---- functions made of random expressions -------------------------------------------------- */

typedef struct workshop {
    bri_scenario s;
    bri_messages messages;
    reader r;
    expr_graph *g;
    expr_id root;
    const bri_function *f;
} workshop;

static workshop *open_workshop(const char *text) {
    workshop *w = calloc(1, sizeof *w);
    const node n = {.kind = NODE_SCALAR, .text = text};
    bri_arg as[RANDOM_VARIABLES];
    expr_error err;
    w->r = (reader){.file = "test", .s = &w->s, .memory = &w->s.memory, .messages = &w->messages};
    w->g = expr_new(NULL);
    for (int i = 0; i < RANDOM_VARIABLES; i++) {
        as[i] = (bri_arg){.kind = BRI_ARG_X, .index = i};
        expr_variable(w->g, random_names[i], (expr_dim){0});
    }
    w->root = expr_read(w->g, text, strlen(text), &err);
    if (w->root < 0 || !expr_simplify(w->g, &w->root, 1, &w->root)) fail_msg("%s", err.text);
    const expression *e = expression_compile(&w->r, &n, w->g, w->root, as);
    w->f = e ? expression_function(&w->r, e, 0) : NULL;
    return w;
}

static void close_workshop(workshop *w) {
    expressions_free(w->s.expressions);
    arena_free(&w->s.memory);
    expr_free(w->g);
    free(w);
}

/* Eighth order differences of the function with its sides held, which is smooth. */
static double difference(const bri_function *f, double *arg, const double *side, int i, double h) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    double at = arg[i], sum = 0.0;
    for (int k = 1; k <= 4; k++) {
        arg[i] = at + k * h;
        sum += weight[k - 1] * f->eval(f->data, arg, side, NULL);
        arg[i] = at - k * h;
        sum -= weight[k - 1] * f->eval(f->data, arg, side, NULL);
    }
    arg[i] = at;
    return sum / h;
}

/* 1,500 expressions at 4 places each: as written without sides, the same with the sides that the
 * switches show, and slopes by two differences that agree with each other. */
static void functions_are_what_is_written(void **state) {
    static pen p;
    int sides = 0, compared = 0, switches = 0;
    dice d = {11};
    for (int k = 0; k < 1500; k++) {
        workshop *w = open_workshop(random_expression(&p, k));
        const bri_function *f = w->f;
        if (!f) fail_msg("%s", p.text);
        expr_program *plain = expr_program_new(w->g, &w->root, 1, &(expr_compile){0});
        expr_frame *frame = expr_frame_new(plain);
        switches += f->n_switches;
        for (int trial = 0; trial < 4; trial++) {
            double in[64] = {0}, arg[BRI_FUNCTION_ARGS], value, slope[BRI_FUNCTION_ARGS];
            double g[BRI_FUNCTION_SWITCHES], side[BRI_FUNCTION_SWITCHES] = {0};
            for (int i = 0; i < RANDOM_VARIABLES; i++) in[i] = 4.0 * roll(&d) - (i < 2 ? 2.0 : 0.0);
            if (trial == 3) in[0] = in[1] = 0.0; /* corners */
            for (int i = 0; i < f->n_args; i++) arg[i] = in[f->args[i].index];
            expr_run_one(frame, in, &value);
            double got = f->eval(f->data, arg, side, NULL);
            if (!(got == value || (isnan(got) && isnan(value))))
                fail_msg("%s: %.17g, as written %.17g", p.text, got, value);
            if (f->n_switches) f->switches(f->data, arg, g);
            for (int i = 0; i < f->n_switches; i++) {
                side[i] = g[i] > 0.0 ? 1.0 : g[i] < 0.0 ? -1.0 : 0.0;
                sides += g[i] != 0.0;
            }
            got = f->eval(f->data, arg, side, slope);
            if (!isfinite(value) || fabs(value) > 1e6) continue;
            if (!(fabs(got - value) <= 1e-12 * (1.0 + fabs(value))))
                fail_msg("%s: %.17g on its side, %.17g as written", p.text, got, value);
            for (int i = 0; i < f->n_args && trial < 3; i++) {
                double one = difference(f, arg, side, i, 1e-3),
                       two = difference(f, arg, side, i, 5e-4),
                       size = 1.0 + fabs(value) + fabs(two);
                if (!(fabs(one - two) <= 1e-9 * size)) continue; /* too rough to compare */
                compared++;
                if (!(fabs(slope[i] - two) <= 1e-8 * size))
                    fail_msg("%s: slope %d is %.12g, by differences %.12g", p.text, i, slope[i],
                             two);
            }
        }
        expr_frame_free(frame);
        expr_program_free(plain);
        close_workshop(w);
    }
    assert_true(sides > 3000 && compared > 5000 && switches > 1500);
}

/* Which functions have slopes that never change, and what they are. */
static void affine_ones(void **state) {
    static const struct {
        const char *text;
        int affine;
    } rows[] = {{"3*(%s - 2*%s) + 1", 1}, {"%s/4 - %s", 1},       {"%s*%s", 0},
                {"sin(%s) + %s", 0},      {"abs(%s) + %s", 0},    {"%s + max(%s, 1)", 0},
                {"%s^2/(1 + %s^2)", 0},   {"2*%s + 0*exp(%s)", 1}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[100];
        double arg[BRI_FUNCTION_ARGS] = {0.3, -0.7}, slope[2][BRI_FUNCTION_ARGS];
        const double side[BRI_FUNCTION_SWITCHES] = {0};
        snprintf(text, sizeof text, rows[k].text, random_names[0], random_names[1]);
        workshop *w = open_workshop(text);
        if (w->f->affine != rows[k].affine) fail_msg("%s: affine %d", text, w->f->affine);
        w->f->eval(w->f->data, arg, side, slope[0]);
        arg[0] = -5.0, arg[1] = 11.0;
        w->f->eval(w->f->data, arg, side, slope[1]);
        for (int i = 0; rows[k].affine && i < w->f->n_args; i++)
            assert_true(slope[0][i] == slope[1][i]);
        close_workshop(w);
    }
}

/* What turns inside is told: 2 pi 50 rad/s, and of a ripple along the way 2 pi v/lambda. */
static void paces(void **state) {
    workshop *w = open_workshop("sin(314*x) + cos(20*v)");
    const double arg[2] = {0.3, 0.2}, rate[2] = {1.0, 3.0}, slow[2] = {0.0, 3.0};
    assert_int_equal(w->f->n_args, 2);
    near(w->f->pace(w->f->data, arg, rate), 314.0, 1e-12, "pace");
    near(w->f->pace(w->f->data, arg, slow), 60.0, 1e-12, "pace of the other");
    close_workshop(w);
    w = open_workshop("x^2*v");
    assert_null(w->f->pace);
    close_workshop(w);
}

/* ---- rigs ---------------------------------------------------------------------------------- */

static bri_messages messages;

typedef struct run {
    bri_scenario *s;
    bri_sim *sim;
} run;

static run begin(const char *solver, const char *rtol, const char *text) {
    const bri_override changes[] = {{"run.rtol", rtol}, {"run.solver", solver}};
    const bri_scenario_options options = {.overrides = changes, .n_overrides = 2};
    run r;
    bri_error err;
    if (bri_scenario_parse(text, strlen(text), "rig.yaml", &options, &r.s, &messages) != BRI_OK)
        fail_msg("%s", messages.message[0].text);
    if (bri_sim_create(bri_scenario_def(r.s), &r.sim, &err) != BRI_OK) fail_msg("%s", err.text);
    return r;
}

static void go(run *r, double t) {
    bri_error err;
    if (bri_sim_advance(r->sim, t, &err) != BRI_OK) fail_msg("%s", err.text);
}

static void end(run *r) {
    bri_findings seen;
    bri_error err;
    if (bri_sim_verdict(r->sim, &seen, &err) != BRI_OK) fail_msg("%s", err.text);
    bri_sim_free(r->sim);
    bri_scenario_free(r->s);
}

static void close_to(double got, double wanted, double tolerance, const char *what) {
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%s: %.12g, expected %.12g", what, got, wanted);
}

static const char *rig(char *room, size_t size, const char *x, const char *v, const char *force,
                       const char *until) {
    snprintf(room, size,
             "bodies: {m: {mass: 1 kg, x: %s, v: %s}}\ndrives: {push: {on: m, force: \"%s\"}}\n"
             "run: {until: %s}\n",
             x, v, force, until);
    return room;
}

static const char *const solvers[] = {"rosenbrock", "rodas4", "cvode_bdf", "erk_dopri5"};

/* A push of 1 ms in 3 s is not stepped over; a force that jumps with the position is met where it
 * does; a spring that works one way only. */
static void jumps_and_corners(void **state) {
    char room[500];
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        if (!bri_solver_find(solvers[k])) continue;
        run r = begin(
            solvers[k], "1e-9",
            rig(room, sizeof room, "0", "0", "if(t > 1 s and t < 1.001 s, 1e3 N, 0 N)", "3 s"));
        go(&r, 3.0);
        close_to(bri_sim_body(r.sim, 0).v, 1.0, 1e-7, "velocity after a push");
        close_to(bri_sim_body(r.sim, 0).x, 1.9995, 1e-6, "way after a push");
        end(&r);

        /* -2 N sign(x) from 1 m: four parabolas of 1 s each */
        r = begin(solvers[k], "1e-9", rig(room, sizeof room, "1 m", "0", "-2 N*sign(x)", "12 s"));
        for (int i = 0; i <= 24; i++) {
            double t = 0.5 * i, u = fmod(t, 4.0), phase = fmod(u, 2.0) - (u < 2.0 ? 0.0 : 0.0);
            double x = phase < 1.0 ? 1.0 - phase * phase : -1.0 + (2.0 - phase) * (2.0 - phase);
            if (u >= 2.0) x = -x;
            go(&r, t);
            close_to(bri_sim_body(r.sim, 0).x, x, 1e-7, "between two parabolas");
        }
        end(&r);

        /* bounces: flight 2 v/g, contact by k over the time that x'' = -g - k x takes */
        r = begin(solvers[k], "1e-9",
                  rig(room, sizeof room, "1 m", "0", "-9.81 N - 1e4 N/m*min(x, 0 m)", "3 s"));
        double g = 9.81, w = 100.0, v = sqrt(2.0 * g), fall = v / g;
        double touch = 2.0 / w * (3.14159265358979323846 - atan(w * v / g));
        for (int i = 1; i <= 30; i++) {
            double t = 0.1 * i, u = fmod(t - fall, touch + 2.0 * fall), x;
            if (t < fall)
                x = 1.0 - 0.5 * g * t * t;
            else if (u > touch)
                x = v * (u - touch) - 0.5 * g * (u - touch) * (u - touch);
            else
                x = -g / (w * w) * (1.0 - cos(w * u)) - v / w * sin(w * u);
            go(&r, t);
            close_to(bri_sim_body(r.sim, 0).x, x, 2e-6, "ball");
        }
        end(&r);
    }
}

/* A law that jumps and drives to its jump from both sides has no solution that a solver finds. */
static void relays_that_chatter_are_refused(void **state) {
    char room[500];
    run r = begin("rosenbrock", "1e-6",
                  rig(room, sizeof room, "0", "1 m/s", "1 N - 5 N*sign(v)", "3 s"));
    bri_error err;
    assert_int_equal(bri_sim_advance(r.sim, 3.0, &err), BRI_NO_PROGRESS);
    assert_non_null(strstr(err.text, "push: an expression that jumps"));
    close_to(bri_sim_time(r.sim), 0.25, 1e-4, "where it comes to rest");
    bri_sim_free(r.sim);
    bri_scenario_free(r.s);
}

/* With load N(x) = 10 - 5 x and mu = 0.1: x'' = -1 + x/2 until the contact opens at 2 m. */
static void loads_open(void **state) {
    static const char *const laws[] = {"coulomb", "coulomb_tanh"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "bodies: {m: {mass: 1 kg, v: 3 m/s}}\n"
                 "contacts: {pad: {between: [m, ground], model: %s, mu_c: 0.1, %sload: 10 N - 5 "
                 "N/m*x}}\n"
                 "run: {until: 3 s}\n",
                 laws[k], k ? "v_d: 1e-7 m/s, " : "");
        run r = begin("rosenbrock", "1e-9", text);
        double w = sqrt(0.5), open = 0.0, step = 1.0;
        for (int i = 0; i < 60;
             i++, step *= 0.5) { /* where x = 2 - 2 cosh w t + 3/w sinh w t = 2 */
            double t = open + step;
            if (2.0 - 2.0 * cosh(w * t) + 3.0 / w * sinh(w * t) < 2.0) open = t;
        }
        double v = -2.0 * w * sinh(w * open) + 3.0 * cosh(w * open);
        assert_true(open > 0.5 && open < 1.5);
        go(&r, 0.9 * open);
        double t = 0.9 * open;
        close_to(bri_sim_body(r.sim, 0).x, 2.0 - 2.0 * cosh(w * t) + 3.0 / w * sinh(w * t), 1e-7,
                 "before it opens");
        go(&r, 3.0);
        close_to(bri_sim_body(r.sim, 0).v, v, 1e-7, "velocity in the air");
        close_to(bri_sim_body(r.sim, 0).x, 2.0 + v * (3.0 - open), 1e-6, "way in the air");
        assert_true(bri_sim_contact(r.sim, 0).N == 0.0);
        end(&r);
    }
}

/* mu = 0.1 (1 + x/m) under 9.81 N: 1 + x swings until it rests; and mu that rises with time: v = 3
 * - 0.981 (t + t^2/4). */
static void parameters_vary(void **state) {
    run r = begin("rosenbrock", "1e-9",
                  "parameters: {mu: 0.1, l: 1 m}\nbodies: {m: {mass: 1 kg, v: 1 m/s}}\n"
                  "contacts: {pad: {between: [m, ground], model: coulomb, mu_c: mu*(1 + x/l), "
                  "load: 9.81 N}}\nrun: {until: 3 s}\n");
    double w = sqrt(0.981), stop = atan(1.0 / w) / w;
    go(&r, 0.5);
    close_to(1.0 + bri_sim_body(r.sim, 0).x, cos(0.5 * w) + sin(0.5 * w) / w, 1e-8, "way");
    go(&r, 3.0);
    close_to(1.0 + bri_sim_body(r.sim, 0).x, sqrt(1.0 + 1.0 / (w * w)), 1e-8, "rest");
    assert_int_equal(bri_sim_contact(r.sim, 0).motion, 0);
    int count;
    const bri_event *e = bri_sim_events(r.sim, &count, NULL);
    close_to(e[count - 1].t, stop, 1e-8, "time of rest");
    end(&r);
    r = begin("rosenbrock", "1e-9",
              "signals: {heat: {ramp: {rate: 0.5}}}\nbodies: {m: {mass: 1 kg, v: 3 m/s}}\n"
              "contacts: {pad: {between: [m, ground], model: coulomb, mu_c: 0.1*(1 + heat), "
              "load: 9.81 N}}\nrun: {until: 1 s}\n");
    go(&r, 1.0);
    close_to(bri_sim_body(r.sim, 0).v, 3.0 - 0.981 * 1.25, 1e-9, "velocity");
    end(&r);
}

/* Bristles with parameters that vary: two solvers that share no code. */
static void bristles_with_ripple(void **state) {
    static const char text[] =
        "bodies: {m: {mass: 1 kg}, belt: {velocity: 0.05 m/s}}\n"
        "couplings: [{spring: [ground, m], tension: \"50 N/m*L + 2e3 N/m^3*L^3 + 0.5 N s/m*L'\"}]\n"
        "contacts: {pad: {between: [m, belt], model: lugre, mu_c: 0.2*(1 + 0.3*sin(2*pi*x/(10 "
        "mm))), "
        "mu_s: 0.3, v_s: 0.01 m/s, sigma0: 1e4 N/m, sigma1: 60 N s/m, load: 9.81 N - 20 N/m*m.x}}\n"
        "run: {until: 4 s}\n";
    if (!bri_solver_find("cvode_bdf")) skip();
    run a = begin("rosenbrock", "1e-9", text), b = begin("cvode_bdf", "1e-10", text);
    for (int i = 1; i <= 8; i++) {
        go(&a, 0.5 * i);
        go(&b, 0.5 * i);
        close_to(bri_sim_body(a.sim, 0).x, bri_sim_body(b.sim, 0).x, 1e-7, "block");
        close_to(bri_sim_contact(a.sim, 0).F, bri_sim_contact(b.sim, 0).F, 2e-5, "friction");
    }
    end(&a);
    end(&b);
}

/* What is held gives way where a force that grows with time, and jumps, exceeds the level. */
static void stick_sees_expressions(void **state) {
    run r = begin(
        "rosenbrock", "1e-9",
        "bodies: {m: {mass: 1 kg}}\n"
        "contacts: {pad: {between: [m, ground], model: stribeck, Fc: 2 N, Fs: 3 N, v_s: 1e3 m/s}}\n"
        "drives: {push: {on: m, force: \"if(t < 2 s, 0.7 N/s*t, if(t < 4 s, 2.5 N, 4 N))\"}}\n"
        "run: {until: 5 s}\n");
    go(&r, 3.99);
    assert_int_equal(bri_sim_contact(r.sim, 0).motion, 0);
    close_to(bri_sim_contact(r.sim, 0).F, 2.5, 1e-9, "what holds");
    go(&r, 5.0);
    int count;
    const bri_event *e = bri_sim_events(r.sim, &count, NULL);
    assert_int_equal(count, 1);
    close_to(e[0].t, 4.0, 1e-9, "break-away");
    close_to(bri_sim_body(r.sim, 0).v, 1.0, 2e-3, "velocity");
    end(&r);
}

/* Trains of gears: angles by the ratios, inertia by their squares, the torque of each. */
static void trains_of_gears(void **state) {
    run r = begin("rosenbrock", "1e-9",
                  "parameters: {r: 50 mm}\n"
                  "bodies: {a: {inertia: 1 kg m2, v: 2 rad/s}, b: {inertia: 3 kg m2}, c: {inertia: "
                  "5 kg m2},\n"
                  "         sledge: {mass: 40 kg, x: 1 m}}\n"
                  "couplings: {bc: {gear: [b, c], ratio: -4}, ab: {gear: [a, b], ratio: 2},\n"
                  "            cs: {rack: [c, sledge], radius: r}}\n"
                  "drives: {twist: {on: a, torque: 6 N m}, brake: {on: sledge, force: -10 N}}\n"
                  "run: {until: 2 s}\n");
    double by_c = -1.0 / 8.0, by_s = by_c * 0.05;
    double J = 1.0 + 3.0 / 4.0 + 5.0 * by_c * by_c + 40.0 * by_s * by_s;
    double a = (6.0 - 10.0 * by_s) / J, x = 2.0 * 2.0 + 0.5 * a * 4.0, v = 2.0 + 2.0 * a;
    go(&r, 2.0);
    close_to(bri_sim_body(r.sim, 0).x, x, 1e-8, "first");
    close_to(bri_sim_body(r.sim, 1).v, 0.5 * v, 1e-8, "second");
    close_to(bri_sim_body(r.sim, 2).v, by_c * v, 1e-8, "third");
    close_to(bri_sim_body(r.sim, 3).x, 1.0 + by_s * x, 1e-8, "sledge");
    close_to(bri_sim_coupling_force(r.sim, 2), 40.0 * by_s * a + 10.0, 1e-7, "force on the sledge");
    double on_c = 5.0 * by_c * a + 0.05 * (40.0 * by_s * a + 10.0);
    close_to(bri_sim_coupling_force(r.sim, 0), on_c, 1e-7, "torque on the third");
    close_to(bri_sim_coupling_force(r.sim, 1), 1.5 * a - on_c / 4.0, 1e-7, "torque on the second");
    bri_energies e = bri_sim_energies(r.sim);
    close_to(e.kinetic, 0.5 * J * v * v, 1e-7, "energy");
    end(&r);
    /* the end of the train is driven: the first turns with it */
    r = begin(
        "rosenbrock", "1e-9",
        "bodies: {a: {inertia: 1 kg m2}, b: {kind: rotor, velocity: {ramp: {rate: 3 rad/s2}}}}\n"
        "couplings: {g: {gear: [a, b], ratio: 5}}\nrun: {until: 2 s}\n");
    go(&r, 2.0);
    close_to(bri_sim_body(r.sim, 0).x, 5.0 * 6.0, 1e-9, "first, driven");
    close_to(bri_sim_coupling_force(r.sim, 0), -5.0 * 15.0, 1e-9, "torque on what drives");
    end(&r);
}

/* Constants cost nothing: they are numbers, signals and springs once they are read. */
static void constants_are_numbers(void **state) {
    static const char text[] =
        "parameters: {k: 3 N/m, f: 2 Hz, n: 120 rpm, w: 2*pi*f, m0: k/w^2, half: k/2}\n"
        "signals: {ref: {sine: {amplitude: 2 N, frequency: n}}}\n"
        "bodies: {m: {mass: m0 + 1 kg}}\ncouplings: [{spring: [ground, m], stiffness: 2*k}]\n"
        "contacts: {pad: {between: [m, ground], model: lugre, mu_c: 0.1*half/k, mu_s: 0.2, load: 2 "
        "s*k*1 m/s}}\n"
        "drives: {push: {on: m, force: ref}, pull: {on: m, force: -k*(1 m)}}\nrun: {until: 1 s}\n";
    run r = begin("rosenbrock", "1e-6", text);
    const bri_system *y = &bri_scenario_def(r.s)->system;
    near(y->bodies[0].mass, 1.0 + 3.0 / pow(4.0 * 3.14159265358979323846, 2.0), 1e-15, "mass");
    near(y->couplings[0].p[0], 6.0, 0.0, "stiffness");
    near(y->contacts[0].p[0], 0.05, 1e-15, "mu_c");
    near(y->contacts[0].n, 6.0, 0.0, "load");
    assert_true(y->contacts[0].load == BRI_LOAD_CONSTANT && y->contacts[0].n_varying == 0);
    assert_true(!y->drives[0].by && y->drives[0].force.kind == bri_signal_find("sine"));
    near(y->drives[0].force.p[1], 2.0, 1e-15, "120 rpm are 2 Hz");
    assert_true(!y->drives[1].by);
    near(y->drives[1].force.p[0], -3.0, 0.0, "force");
    bri_sim_free(r.sim);
    bri_scenario_free(r.s);
    /* --set by the name of a parameter */
    const bri_override change = {"k", "5 N/m"};
    const bri_scenario_options options = {.overrides = &change, .n_overrides = 1};
    bri_scenario *s;
    assert_int_equal(bri_scenario_parse(text, strlen(text), "rig.yaml", &options, &s, &messages),
                     BRI_OK);
    near(bri_scenario_def(s)->system.couplings[0].p[0], 10.0, 0.0, "stiffness, changed");
    bri_scenario_free(s);
}

/* Members of arrays have each their own x and v, and may name others. */
static void arrays(void **state) {
    run r = begin("rosenbrock", "1e-9",
                  "bodies: {m: {repeat: 3, mass: 1 kg, spacing: 1 m}}\n"
                  "drives: {pull: {on: m, force: -1 N/m*x + 0.5 N/m*m1.x}}\nrun: {until: 2 s}\n");
    go(&r, 2.0);
    for (int i = 0; i < 3; i++) /* the first at 0 stays; the others swing alone */
        close_to(bri_sim_body(r.sim, i).x, i * cos(2.0), 1e-7, "member");
    end(&r);
}

/* Back to what was saved, and in a copy, a run with switches and gears goes on bit for bit; so it
 * does after a reset. */
static void saved_and_copied(void **state) {
    static const char *const names[] = {"robot_joint", "pendulum_control", "brake",
                                        "rack_and_pinion"};
    for (int k = 0; k < 4; k++) {
        run r = {0};
        bri_error err;
        bri_sim *copy;
        double y[4][64];
        assert_int_equal(bri_scenario_load(names[k], NULL, &r.s, &messages), BRI_OK);
        assert_int_equal(bri_sim_create(bri_scenario_def(r.s), &r.sim, &err), BRI_OK);
        go(&r, 0.55);
        void *saved = malloc(bri_sim_size(r.sim));
        bri_sim_save(r.sim, saved);
        assert_int_equal(bri_sim_copy(r.sim, &copy, &err), BRI_OK);
        for (int i = 0; i < 4; i++) {
            if (i == 1) assert_int_equal(bri_sim_restore(r.sim, saved, &err), BRI_OK);
            if (i == 2) bri_sim_free(r.sim), r.sim = copy;
            if (i == 3) {
                assert_int_equal(bri_sim_reset(r.sim, &err), BRI_OK);
                go(&r, 0.55);
            }
            go(&r, 1.7);
            bri_sim_state_get(r.sim, y[i]);
            assert_memory_equal(y[i], y[0], sizeof **y * (size_t)bri_sim_states(r.sim));
        }
        free(saved);
        end(&r);
    }
}

/* A parameter by its name: set in a run, with what follows from it; by it the run has derivatives;
 * one that was made into a number tells which. m x'' = -2 k x swings with w = sqrt(2 k/m). */
static void parameters_change_in_a_run(void **state) {
    static const char text[] =
        "parameters: {M: 1 kg, k: 2 N/m, both: 2*k, n: 2, idle: 3 N}\n"
        "bodies: {m: {mass: M, x: 1 m}}\n"
        "drives: {pull: {on: m, force: -both*x*(1 - 1e-99*(x/(1 m))^n)}}\nrun: {until: 9 s}\n";
    run r = begin("rosenbrock", "1e-10", text);
    bri_error err;
    bri_ref k, other;
    assert_int_equal(bri_sim_find(r.sim, "k", &k, &err), BRI_OK);
    bri_number is = bri_sim_number(r.sim, k);
    assert_string_equal(is.name, "k");
    assert_string_equal(is.unit, "N/m");
    assert_true(is.value == 2.0 && bri_sim_get(r.sim, k) == 2.0);
    go(&r, 1.0);
    close_to(bri_sim_body(r.sim, 0).x, cos(2.0), 1e-8, "before");
    assert_int_equal(bri_sim_set(r.sim, k, 8.0, &err), BRI_OK); /* w = 4 from here on */
    go(&r, 2.5);
    close_to(bri_sim_body(r.sim, 0).x, cos(2.0) * cos(6.0) - 0.5 * sin(2.0) * sin(6.0), 1e-7,
             "after");
    assert_int_equal(bri_sim_reset(r.sim, &err), BRI_OK);
    go(&r, 1.0);
    close_to(bri_sim_body(r.sim, 0).x, cos(4.0), 1e-8, "from the start");
    assert_int_equal(bri_sim_find(r.sim, "idle", &other, &err), BRI_OK);
    static const char *const fixed[][2] = {
        {"M", "bodies.m.mass"}, {"both", "following from others"}, {"n", "drives.pull.force"}};
    for (int i = 0; i < 3; i++) {
        if (bri_sim_find(r.sim, fixed[i][0], &other, &err) != BRI_BAD_VALUE)
            fail_msg("%s can be set", fixed[i][0]);
        if (!strstr(err.text, fixed[i][1])) fail_msg("%s", err.text);
    }
    int seen = 0;
    for (bri_ref ref = {0}; bri_sim_ref_next(r.sim, &ref);) {
        const char *name = bri_sim_number(r.sim, ref).name;
        seen += strcmp(name, "k") == 0 || strcmp(name, "idle") == 0;
        assert_true(strcmp(name, "both") != 0 && strcmp(name, "M") != 0);
    }
    assert_int_equal(seen, 2);
    end(&r);

    bri_scenario *s;
    assert_int_equal(bri_scenario_parse(text, strlen(text), "rig.yaml", NULL, &s, &messages), 0);
    bri_sim_def def = *bri_scenario_def(s);
    const char *by[] = {"k"};
    def.by = by;
    def.n_by = 1;
    def.rtol = 1e-9;
    r = (run){s, NULL};
    if (bri_sim_create(&def, &r.sim, &err) != BRI_OK) fail_msg("%s", err.text);
    go(&r, 3.0); /* dx/dk = -sin(w t) t dw/dk, dw/dk = 1/w */
    close_to(bri_sim_body_by(r.sim, 0, 0).x, -sin(6.0) * 3.0 / 2.0, 1e-6, "derivative");
    end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_what_is_written),
        cmocka_unit_test(affine_ones),
        cmocka_unit_test(paces),
        cmocka_unit_test(jumps_and_corners),
        cmocka_unit_test(relays_that_chatter_are_refused),
        cmocka_unit_test(loads_open),
        cmocka_unit_test(parameters_vary),
        cmocka_unit_test(bristles_with_ripple),
        cmocka_unit_test(stick_sees_expressions),
        cmocka_unit_test(trains_of_gears),
        cmocka_unit_test(constants_are_numbers),
        cmocka_unit_test(arrays),
        cmocka_unit_test(saved_and_copied),
        cmocka_unit_test(parameters_change_in_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
