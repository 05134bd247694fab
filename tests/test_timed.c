/* test_timed.c - expressions as signals of time: value, exact derivatives, kinks; prescribed
 * motions by them against the same motions said by the built-in signals. */
#include "bristle_scenario.h"
#include "random_expr.h"
#include "scenario/scope.h"
#include "system/signal.h"
#include "test.h"
#include <stdlib.h>

/* ---- signals made of random expressions ---------------------------------------------------- */

typedef struct workshop {
    bri_scenario s;
    bri_messages messages;
    reader r;
    expr_graph *g;
    const bri_signal *made;
    bri_signal wave, ramp;
} workshop;

/* x is a wave, v its rate, mu_s the time, sigma0 a ramp. */
static workshop *open_workshop(const char *text) {
    workshop *w = calloc(1, sizeof *w);
    node *n = calloc(1, sizeof *n);
    expr_error err;
    *n = (node){.kind = NODE_SCALAR, .text = text};
    w->r = (reader){.file = "test", .s = &w->s, .memory = &w->s.memory, .messages = &w->messages};
    w->s.def.t_end = 4.0;
    w->wave = bri_signal_defaults(bri_signal_find("sine"));
    w->wave.p[0] = 1.5;
    w->wave.p[1] = 0.3;
    w->ramp = bri_signal_defaults(bri_signal_find("ramp"));
    w->ramp.p[0] = 0.7;
    const bri_arg as[RANDOM_VARIABLES] = {{BRI_ARG_SIGNAL, 0, &w->wave},
                                          {BRI_ARG_SIGNAL_RATE, 0, &w->wave},
                                          {BRI_ARG_TIME, 0, NULL},
                                          {BRI_ARG_SIGNAL, 0, &w->ramp}};
    w->g = expr_new(NULL);
    for (int i = 0; i < RANDOM_VARIABLES; i++) expr_variable(w->g, random_names[i], (expr_dim){0});
    expr_id root = expr_read(w->g, text, strlen(text), &err);
    if (root < 0 || !expr_simplify(w->g, &root, 1, &root)) fail_msg("%s", err.text);
    expression *e = expression_compile(&w->r, n, w->g, root, as);
    w->made = e ? timed_signal(&w->r, n, w->g, root, e) : NULL;
    timed_finish(&w->r);
    free(n);
    return w;
}

static void close_workshop(workshop *w) {
    expressions_free(w->s.expressions);
    arena_free(&w->s.memory);
    expr_free(w->g);
    free(w);
}

/* The expression itself at a time, by the engine. */
static double as_written(workshop *w, const char *text, double t) {
    double wave[4], ramp[4], out;
    expr_error err;
    signal_rates(&w->wave, t, wave);
    signal_rates(&w->ramp, t, ramp);
    const double in[64] = {wave[1], wave[2], t, ramp[1]};
    expr_graph *g = expr_new(NULL);
    for (int i = 0; i < RANDOM_VARIABLES; i++) expr_variable(g, random_names[i], (expr_dim){0});
    expr_id root = expr_read(g, text, strlen(text), &err);
    expr_program *p = expr_program_new(g, &root, 1, &(expr_compile){0});
    expr_frame *f = expr_frame_new(p);
    expr_run_one(f, in, &out);
    expr_frame_free(f);
    expr_program_free(p);
    expr_free(g);
    return out;
}

static double rate_at(const bri_signal *s, double t, int order) {
    double out[4];
    signal_rates(s, t, out);
    return out[1 + order];
}

/* Eighth-order difference of the derivative below. */
static double difference(const bri_signal *s, double t, int order, double h) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    double sum = 0.0;
    for (int k = 1; k <= 4; k++)
        sum +=
            weight[k - 1] * (rate_at(s, t + k * h, order - 1) - rate_at(s, t - k * h, order - 1));
    return sum / h;
}

/* Expressions at four times each, where no kink is near. */
static void signals_are_what_is_written(void **state) {
    static pen p;
    dice d = {23};
    int made = 0, compared = 0, kinks = 0;
    enum { EXPRESSIONS = SAMPLE(400, 120) };
    for (int k = 0; k < EXPRESSIONS; k++) {
        const char *text = random_expression(&p, k);
        workshop *w = open_workshop(text);
        for (int trial = 0; trial < 4 && w->made; trial++) {
            double t = 0.2 + 3.6 * roll(&d), h = 1e-3;
            double value = as_written(w, text, t), next = w->made->kind->kink(w->made, t - 5 * h);
            kinks += next < 4.0;
            if (!isfinite(value) || fabs(value) > 1e5 || next < t + 5 * h) continue;
            made++;
            near(rate_at(w->made, t, 0), value, 1e-13 * (1.0 + fabs(value)), text);
            for (int order = 1; order < 3; order++) {
                double one = difference(w->made, t, order, h),
                       two = difference(w->made, t, order, 0.5 * h),
                       size = 1.0 + fabs(value) + fabs(two);
                if (!(fabs(one - two) <= 1e-8 * size)) continue; /* too rough to compare */
                compared++;
                if (!(fabs(rate_at(w->made, t, order) - two) <= 1e-6 * size))
                    fail_msg("%s at %g: derivative %d is %.12g, by differences %.12g", text, t,
                             order, rate_at(w->made, t, order), two);
            }
        }
        close_workshop(w);
    }
    assert_true(made > EXPRESSIONS * 5 / 4 && compared > EXPRESSIONS * 5 / 2 &&
                kinks > EXPRESSIONS / 2);
}

/* Kinks where closed forms have them; mu_s is the time. */
static void kinks_are_found(void **state) {
#define PI 3.14159265358979323846
    static const struct {
        const char *text;
        int count;
        double first, gap;
    } cases[] = {
        {"abs(sin(7*mu_s))", 8, PI / 7, PI / 7},
        {"if(mu_s < 2, 0, 1)", 1, 2.0, 0.0},
        {"if(mu_s <= 2, 0, 1)", 1, 2.0, 0.0},
        {"min(mu_s^2, 3)", 1, 1.7320508075688772, 0.0},
        {"max(mu_s - 1, 0)*mu_s", 1, 1.0, 0.0},
        {"min((mu_s - 1.2345678)^2 - 1e-8, 0)", 2, 1.2344678, 2e-4}, /* between two samples */
        {"sign(sin(1000*mu_s))", 1273, PI * 1e-3, PI * 1e-3},
        {"abs(x)", 2, 1.0 / 0.6, 1.0 / 0.6}, /* of the wave itself */
        {"mu_s^3", 0, 0.0, 0.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        workshop *w = open_workshop(cases[k].text);
        double t = 0.0;
        assert_non_null(w->made);
        for (int i = 0; i < cases[k].count; i++) {
            t = w->made->kind->kink(w->made, t);
            near(t, cases[k].first + i * cases[k].gap, 1e-7, cases[k].text);
        }
        t = w->made->kind->kink(w->made, t);
        if (t < 4.0) fail_msg("%s: one more at %.12g", cases[k].text, t);
        close_workshop(w);
    }
    /* just before a jump the value of the side before, at it that of the side after */
    for (int k = 1; k < 3; k++) {
        workshop *w = open_workshop(cases[k].text);
        double t = w->made->kind->kink(w->made, 0.0);
        assert_true(rate_at(w->made, nextafter(t, 0.0), 0) == 0.0);
        assert_true(rate_at(w->made, t, 0) == 1.0);
        close_workshop(w);
    }
}

/* Bounds hold between two times, as far as samples can tell. */
static void bounds_hold(void **state) {
    workshop *w = open_workshop("sin(5*mu_s)*exp(-mu_s) + x*v");
    for (int i = 0; i < 20; i++) {
        double from = 0.2 * i, to = from + 0.15, most[4], now[4];
        signal_most(w->made, from, to, most);
        for (int k = 0; k <= 100; k++) {
            signal_rates(w->made, from + (to - from) * k / 100.0, now);
            for (int j = 0; j < 3; j++) assert_true(fabs(now[1 + j]) <= most[j]);
        }
        assert_true(most[3] > 0.0);
    }
    close_workshop(w);
}

/* ---- prescribed motions -------------------------------------------------------------------- */

static bri_messages messages;

static void close_to(double got, double wanted, double tolerance, const char *what) {
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%s: %.12g, expected %.12g", what, got, wanted);
}

static bri_sim *create(const char *solver, const char *motion, bri_scenario **s) {
    char text[1200];
    bri_error err;
    bri_sim *sim;
    const bri_override changes[] = {{"run.solver", solver}, {"run.step", "1e-4 s"}};
    const bri_scenario_options options = {.overrides = changes, .n_overrides = 2};
    snprintf(text, sizeof text,
             "parameters: {V: 0.1 m/s}\n"
             "signals:\n"
             "  wave: {sine: {amplitude: 0.3, frequency: 1.5 Hz}}\n"
             "bodies:\n"
             "  block: {mass: 1 kg}\n"
             "  belt: {%s}\n"
             "couplings:\n"
             "  - {spring: [ground, block], stiffness: 20 N/m}\n"
             "contacts:\n"
             "  pad: {between: [block, belt], load: 5 N, model: lugre, mu_c: 0.1, mu_s: 0.15, v_s: "
             "1 mm/s,"
             " sigma0: 1e5 N/m, sigma1: 316 N s/m}\n"
             "run: {until: 2 s, rtol: 1e-8}\n",
             motion);
    if (bri_scenario_parse(text, strlen(text), "rig.yaml", &options, s, &messages) != BRI_OK)
        fail_msg("%s", messages.message[0].text);
    if (bri_sim_create(bri_scenario_def(*s), &sim, &err) != BRI_OK) fail_msg("%s", err.text);
    return sim;
}

/* The same motion twice, as an expression and as a built-in signal, past the end that the file
 * gives too. */
static void motions_are_the_same(void **state) {
    static const char *const pairs[][2] = {
        {"velocity: V*(1 + wave)",
         "velocity: {sum: [0.1 m/s, {sine: {amplitude: 0.03 m/s, frequency: 1.5 Hz}}]}"},
        {"velocity: \"V*min(t/(0.7 s), 1)\"",
         "velocity: {ramp: {rate: 0.142857142857142857 m/s2, until: 0.7 s}}"},
        {"velocity: \"if(t < 0.5 s, V, -V)\"",
         "velocity: {step: {value: -0.1 m/s, before: 0.1 m/s, at: 0.5 s}}"},
        {"velocity: V*sign(sin(4*pi*t/(1 s)))",
         "velocity: {sum: [-0.1 m/s, {pulses: {value: 0.2 m/s, width: 0.25 s, period: 0.5 s}}]}"},
        {"position: 20 mm*sin(2*pi*0.8 Hz*t)",
         "position: {sine: {amplitude: 20 mm, frequency: 0.8 Hz}}"},
        {"position: 20 mm*wave/0.3", "position: {sine: {amplitude: 20 mm, frequency: 1.5 Hz}}"},
        {"velocity: {sum: [V, V*wave]}",
         "velocity: {sum: [0.1 m/s, {sine: {amplitude: 0.03 m/s, frequency: 1.5 Hz}}]}"},
    };
    static const char *const solvers[] = {"rosenbrock", "cvode_bdf", "time_stepping"};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
            bri_scenario *s[2];
            bri_sim *sim[2];
            bri_error err;
            if (!bri_solver_find(solvers[i])) continue;
            if ((k + i) % SAMPLE(1, 3)) continue; /* each pair with one of them */
            for (int j = 0; j < 2; j++) {
                sim[j] = create(solvers[i], pairs[k][j], &s[j]);
                if (bri_sim_extend(sim[j], 3.0, &err) != BRI_OK) fail_msg("%s", err.text);
            }
            for (double t = 0.26; t <= 3.0; t += 0.25) {
                for (int j = 0; j < 2; j++)
                    if (bri_sim_advance(sim[j], t, &err) != BRI_OK) fail_msg("%s", err.text);
                for (int b = 0; b < 2; b++) {
                    bri_body_now one = bri_sim_body(sim[0], b), two = bri_sim_body(sim[1], b);
                    close_to(one.x, two.x, 1e-7, pairs[k][0]);
                    close_to(one.v, two.v, b ? 1e-8 : 1e-5, pairs[k][0]);
                }
            }
            for (int j = 0; j < 2; j++) bri_sim_free(sim[j]), bri_scenario_free(s[j]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_are_what_is_written),
        cmocka_unit_test(kinks_are_found),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(motions_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
