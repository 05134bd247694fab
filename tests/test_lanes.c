/* test_lanes.c - points of a sweep that are computed several in one vector: their laws against
 * those of one contact, with directions that are frozen or not; their results against the same
 * points computed one by one, for rigs drawn at random; the same bytes whoever the neighbours are.
 */
#define _XOPEN_SOURCE 700 /* setenv */
#include "bristle_sweep.h"
#include "depth.h"

#include "ensemble/ensemble.h"
#include "kernels/lanes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t seed = 20261117;

static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

/* ---- laws ------------------------------------------------------------------------------------ */

enum { COUNT = BRI_LANES };

/* Contacts c of a law drawn at random, around its defaults; `exponent` as all of them have it. */
static void draw(const bri_kernel_row *row, double exponent, bri_lane_pack *k, int c) {
    const bri_model *m = row->model;
    for (int i = 0; i < COUNT; i++) {
        double own[BRI_MAX_PARAMS], rest[BRI_MAX_STATES];
        do {
            for (int j = 0; j < m->n_params; j++) {
                const bri_param *q = &m->params[j];
                own[j] = q->whole ? q->def : fmin(fmax(q->def * uniform(0.7, 1.3), q->min), q->max);
                if (j == row->exponent) own[j] = exponent > 0.0 ? exponent : uniform(1.1, 1.9);
            }
        } while (bri_model_check(m, own, NULL) != BRI_OK);
        for (int j = 0; j < m->n_params; j++) k->p[c][j][i] = own[j];
        bri_model_rest(m, own, rest);
        k->way[c][i] = uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
        k->load[c][i] = m->load * uniform(0.5, 2.0);
        k->far[c][i] = uniform(-0.1, 0.1);
        k->y[k->bodies + c][i] = uniform(-0.1, 0.1);
        for (int s = 0; s < k->states; s++) {
            int z = c * k->states + s;
            k->y[2 * k->bodies + z][i] = k->state[z][0][i] =
                rest[s] + m->states[s].nominal * uniform(-1.0, 1.0);
        }
    }
}

static void close_to(const char *law, const char *what, double a, double b, double size) {
    if (!(fabs(a - b) <= 1e-11 * (fabs(b) + size)))
        fail_msg("%s: %s is %.17g, of one contact %.17g", law, what, a, b);
}

/* Each contact between its own body and the next one, the last on something that moves. */
static void stack(bri_lane_pack *k) {
    for (int c = 0; c < k->bodies; c++) {
        k->sides[c][c] = 1.0;
        if (c + 1 < k->bodies) k->sides[c][c + 1] = -1.0;
        for (int i = 0; i < COUNT; i++) {
            if (c + 1 < k->bodies) k->far[c][i] = 0.0;
            double below = c + 1 < k->bodies ? k->y[k->bodies + c + 1][i] : k->far[c][i];
            k->v[c][i] = k->sliding[c][0][i] = k->y[k->bodies + c][i] - below;
        }
    }
}

/* What contact c of lane i gives, against its law alone; its share of what is added up. */
static void compare_contact(const bri_lane_pack *k, const bri_model *m, int c, int i,
                            double sums[4]) {
    double own[BRI_MAX_PARAMS], rate[BRI_MAX_STATES], grad[BRI_MAX_STATES], z[BRI_MAX_STATES];
    double J[(1 + BRI_LANE_STATES) * (3 + BRI_LANE_STATES)], v = k->v[c][i], N = k->load[c][i];
    int states = k->states;
    bri_mode way = k->way[c][i] > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
    bri_input u = {.v = v, .n = N, .mode = k->directed ? way : BRI_AUTO};
    for (int j = 0; j < m->n_params; j++) own[j] = k->p[c][j][i];
    for (int s = 0; s < states; s++) z[s] = k->y[2 * k->bodies + c * states + s][i];
    double F = bri_model_eval(m, own, &u, z, rate);
    close_to(m->name, "F", k->F_end[c][i], F, N);
    close_to(m->name, "the mean of F", k->mean[c][i], F, N);
    for (int s = 0; s < states; s++) {
        double size = strcmp(m->states[s].unit, "m") == 0 ? fabs(v) : m->load;
        close_to(m->name, "dz", k->dz_end[c * states + s][i], rate[s], size);
    }
    bri_model_jac(m, own, &u, z, J);
    for (int row = 0; row <= states; row++)
        for (int by = 0; by <= states; by++) {
            double exact = J[row * (3 + states) + (by == 0 ? 1 : 2 + by)];
            double size = row + by == 0 && states > 0 ? fabs(J[3] * J[4 + states]) + 1.0 : 1.0;
            close_to(m->name, "a derivative", k->slope_end[c][bri_lane_slope(states, row, by)][i],
                     exact, size);
        }
    if (m->pieces) assert_true(k->pieces_end[c][i] == m->pieces(m, own, &u, z));
    u.v = 0.0;
    sums[0] += F * k->far[c][i];
    sums[1] += F * v;
    sums[2] += k->directed && k->way[c][i] * v < 0.0 ? fabs(F * v) : 0.0;
    sums[3] += m->stored ? m->stored(m, own, &u, z, grad) : 0.0;
}

/* A method without further stages ends where it begins, and a velocity that does not change has the
 * same power at all points. */
static void compare_law(const bri_kernel_table *t, int r, int which, int bodies, int directed) {
    static const rodas stays = {.stages = 1};
    static bri_lane_pack k;
    const bri_lane_law *law = t->lanes[r].law[which];
    const bri_model *m = t->rows[r].model;
    const double within = 2.0; /* points */
    k = (bri_lane_pack){.method = &stays,
                        .used = BRI_LANES,
                        .bodies = bodies,
                        .states = m->n_states,
                        .directed = directed};
    for (int c = 0; c < bodies; c++) draw(&t->rows[r], which, &k, c);
    for (int c = 0; !directed && c < bodies; c++) memset(k.way[c], 0, sizeof k.way[c]);
    stack(&k);
    law->stages[bodies - 1](&k);
    law->powers(&k);
    for (int i = 0; i < COUNT; i += (int)t->width) law->mean(&k, i);
    for (int i = 0; i < COUNT; i++) {
        double sums[4] = {0.0}, N = 0.0;
        for (int c = 0; c < bodies; c++) compare_contact(&k, m, c, i, sums), N += k.load[c][i];
        close_to(m->name, "the sum of F far", k.push[i], within * sums[0], N * 0.1);
        close_to(m->name, "the sum of F v", k.power[i], within * sums[1], N * 0.1);
        close_to(m->name, "what is lost", k.wrong[i], within * sums[2], N * 0.1);
        close_to(m->name, "what is stored", k.stored_end[i], sums[3], 0.0);
    }
}

static void laws_of_one_contact(void **state) {
    int laws = 0;
    for (bri_level level = BRI_LEVEL_BASE; level < BRI_LEVEL_COUNT; level++) {
        if (!bri_level_usable(level)) continue;
        const bri_kernel_table *t = bri_kernels(level);
        for (int r = 0; r < t->n_rows; r++)
            for (int which = 0; which < BRI_ANY_CHOICE; which++)
                for (int again = 0; t->lanes[r].law[which] && again < 20; again++, laws++) {
                    int several = t->rows[r].model->n_states == 1;
                    compare_law(t, r, which, several ? 1 + again % BRI_LANE_BODIES : 1, again % 5);
                }
    }
    assert_true(laws >= 400);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static const char *const random_numbers[] = {
    "block.mass=uniform(10, 30)", "spring.stiffness=uniform(5, 60)",
    "slab.velocity=uniform(0.02, 0.8)", "pad.load=uniform(100, 300)"};

static const char *const measures[] = {
    "x=last(block.x)", "v=last(block.v)", "dissipated", "regime",
    "starts",          "sliding",         "events",     "tries=steps+rejected"};

enum { X, V, HEAT, REGIME, STARTS, SLIDING, EVENTS, TRIES, MEASURES };

static bri_sweep_def rigs_of(const bri_model *const *law, const bri_override *keys, int n_keys) {
    return (bri_sweep_def){.scenario = "rabinowicz",
                           .overrides = keys,
                           .n_overrides = n_keys,
                           .laws = law,
                           .n_laws = 1,
                           .random = random_numbers,
                           .n_random = 4,
                           .samples = 40,
                           .seed = 7,
                           .measures = measures,
                           .n_measures = MEASURES,
                           .threads = 1};
}

static bri_sweep *run(const bri_sweep_def *def, const char *path) {
    static bri_messages messages;
    bri_sweep *s = NULL;
    bri_error err = {0};
    if (path) setenv("BRISTLE_PATH", path, 1);
    if (bri_sweep_create(def, &s, &messages) != BRI_OK) fail_msg("%s", messages.message[0].text);
    if (bri_sweep_run(s, NULL, NULL, NULL, &err) != BRI_OK) fail_msg("%s", err.text);
    unsetenv("BRISTLE_PATH");
    return s;
}

static double *row_of(bri_sweep *s, long point) { return sheet_row(&s->sheet, point); }

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Errors of the end of all runs: position in units of 10 m and speed in m/s. */
static void errors_of(bri_sweep *s, bri_sweep *exact, double *error) {
    long n = bri_sweep_points(s);
    int from = s->sheet.n_columns - MEASURES;
    for (long i = 0; i < n; i++) {
        const double *a = row_of(s, i) + from, *b = row_of(exact, i) + from;
        error[i] = fmax(0.1 * fabs(a[X] - b[X]), fabs(a[V] - b[V]));
    }
    qsort(error, (size_t)n, sizeof *error, ascending);
}

/* Rigs of which numbers are drawn at random, and where they are measured. */
typedef struct population {
    const char *law, *rtol;
    const char *rig; /* its text; NULL: rabinowicz */
    const char *x, *v;
    const char *numbers[4];
} population;

/* The text of a rig in a file, since sweeps take files. */
static void write_rig(const char *text, char name[40]) {
    char file[] = "lanes-XXXXXX";
    int to = mkstemp(file);
    size_t n = strlen(text);
    assert_true(to >= 0 && write(to, text, n) == (ssize_t)n);
    close(to);
    snprintf(name, 40, "./%s", file);
}

/* Lanes, alone, and alone with a tight tolerance. */
static void run_three(const population *p, bri_sweep *s[3]) {
    const bri_model *model = bri_model_find(p->law);
    char name[40];
    const char *measured[MEASURES];
    memcpy(measured, measures, sizeof measured);
    if (p->rig) write_rig(p->rig, name);
    for (int i = 0; i < 3; i++) {
        bri_override keys[] = {{"run.rtol", i < 2 ? p->rtol : "1e-10"},
                               {"run.until", p->rig ? "2 s" : "20 s"}};
        bri_sweep_def def = rigs_of(&model, keys, 2);
        if (p->rig) {
            measured[X] = p->x;
            measured[V] = p->v;
            def.scenario = name;
            def.random = p->numbers;
            def.measures = measured;
        }
        s[i] = run(&def, i == 0 ? NULL : "general");
    }
    if (p->rig) unlink(name);
}

static void same_population(const population *p, long least) {
    bri_sweep *s[3], *lanes, *alone;
    double a[64], b[64];
    run_three(p, s);
    lanes = s[0];
    alone = s[1];
    long n = bri_sweep_points(lanes);
    if (bri_sweep_lanes(lanes) < least)
        fail_msg("%s: %ld of %ld points in lanes", p->law, bri_sweep_lanes(lanes), n);
    assert_int_equal(bri_sweep_lanes(alone), 0);
    assert_int_equal(bri_sweep_failed(lanes), 0);
    errors_of(lanes, s[2], a);
    errors_of(alone, s[2], b);
    double allowed = 3.0 * b[n * 9 / 10] + 1e-3 * strtod(p->rtol, NULL);
    print_message("%s, rtol %s: nine of ten within %.1e, worst %.1e; one by one %.1e, %.1e\n",
                  p->law, p->rtol, a[n * 9 / 10], a[n - 1], b[n * 9 / 10], b[n - 1]);
    if (!(a[n * 9 / 10] <= allowed) || !(a[n - 1] <= 4.0 * b[n - 1] + 0.01 * strtod(p->rtol, NULL)))
        fail_msg("%s, rtol %s: errors of lanes are larger", p->law, p->rtol);
    double apart[2] = {0.0, 0.0}, tries = 0.0, tries_alone = 0.0;
    int from = lanes->sheet.n_columns - MEASURES, differ = 0;
    for (long i = 0; i < n; i++) {
        const double *q = row_of(lanes, i) + from, *r = row_of(alone, i) + from;
        bri_sweep_point point;
        bri_sweep_result(lanes, i, &point); /* not doubted, by its energies or else */
        if (point.status != BRI_OK) fail_msg("%s: point %ld: %s", p->law, i, point.reason);
        const double *exact = row_of(s[2], i) + from;
        differ += q[REGIME] != r[REGIME] || q[STARTS] != exact[STARTS] || r[STARTS] != q[STARTS];
        apart[0] = fmax(apart[0], fabs(q[SLIDING] - exact[SLIDING]));
        apart[1] = fmax(apart[1], fabs(r[SLIDING] - exact[SLIDING]));
        tries += q[TRIES];
        tries_alone += r[TRIES];
        if (!(fabs(q[HEAT] - r[HEAT]) <= (p->rig ? 1e-3 : 1e-2) * fabs(r[HEAT])))
            fail_msg("%s: point %ld: %g J, alone %g J", p->law, i, q[HEAT], r[HEAT]);
    }
    print_message("    %d counts differ, shares of sliding by %.1e; one by one %.1e; %.3f of the "
                  "attempts\n",
                  differ, apart[0], apart[1], tries / tries_alone);
    assert_true(differ <= 1 && apart[0] <= 4.0 * apart[1] + 0.1 * strtod(p->rtol, NULL));
    /* wrong slopes do no other harm */
    if (!(tries <= 1.08 * tries_alone)) fail_msg("%s: too many attempts in lanes", p->law);
    for (int i = 0; i < 3; i++) bri_sweep_free(s[i]);
}

static void rigs_drawn_at_random(void **state) {
    const bri_kernel_table *t = bri_kernels(BRI_LEVEL_AUTO);
    for (int r = 0; r < t->n_rows; r++)
        print_message("%s%s\n", t->rows[r].model->name, t->lanes[r].law[0] ? ": lanes" : "");
    static const population populations[] = {{"lugre", "1e-4"},
                                             {"lugre", "1e-7"},
                                             {"dahl", "1e-6"},
                                             {"elasto_plastic", "1e-5"},
                                             {"lugre_consistent", "1e-5"},
                                             {"dankowicz", "1e-6"},
                                             {"stribeck_dankowicz", "1e-8"},
                                             {"dahl", "1e-5"},
                                             {"dankowicz", "1e-5"},
                                             {"bristle_second_order", "1e-5"},
                                             {"gonthier", "1e-4"},
                                             {"gonthier", "1e-7"},
                                             {"bliman_sorine", "1e-5"},
                                             {"olsson_astrom", "1e-6"},
                                             {"regularized", "1e-5"},
                                             {"stribeck_tanh", "1e-6"},
                                             {"stribeck_sat", "1e-4"},
                                             {"velocity_based", "1e-6"},
                                             {"sine_arctan", "1e-5"},
                                             {"viscous", "1e-6"}};
    for (size_t i = 0; i < sizeof populations / sizeof *populations; i += SAMPLE(1, 4))
        same_population(&populations[i], USUALLY(40, 20, 20));
}

#define PAD(model)                                                                                 \
    "model: " model ", load: 200 N, mu_c: 0.4, mu_s: 0.5, v_s: 0.05 m/s, gamma: 1, sigma0: 1e5 "   \
    "N/m, sigma1: 500 N s/m"

/* Two blocks on a belt, the second one as the other end of its contact, with dampers; three in a
 * stack, and in a row on two belts. */
static const char two_on_a_belt[] =
    "bodies: {block: {mass: 5 kg}, second: {mass: 3 kg}, belt: {velocity: 0.3 m/s}}\n"
    "couplings:\n"
    "  - {name: first, spring_damper: [ground, block], stiffness: 800 N/m, damping: 5 N s/m}\n"
    "  - {name: between, spring_damper: [block, second], stiffness: 1500 N/m, damping: 3 N s/m}\n"
    "contacts:\n"
    "  pad: {between: [block, belt], " PAD("lugre") "}\n"
                                                    "  pad2: {between: [belt, second], " PAD(
                                                        "lugre") "}\n"
                                                                 "run: {until: 5 s}\n";

static const char three_in_a_stack[] =
    "bodies: {block: {mass: 2 kg, x: 1 m}, second: {mass: 2 kg}, third: {mass: 2 kg}}\n"
    "couplings: [{name: spring, spring: [ground, block], stiffness: 600 N/m}]\n"
    "contacts:\n"
    "  pad: {between: [block, second], " PAD(
        "lugre") "}\n"
                 "  pad2: {between: [second, third], " PAD(
                     "lugre") "}\n"
                              "  pad3: {between: [third, ground], " PAD(
                                  "lugre") "}\n"
                                           "run: {until: 5 s}\n";

static const char three_in_a_row[] =
    "bodies: {block: {mass: 2 kg}, second: {mass: 3 kg}, third: {mass: 1 kg},\n"
    "  belt: {velocity: 0.2 m/s}, other: {velocity: -0.3 m/s}}\n"
    "couplings:\n"
    "  - {name: first, spring: [ground, block], stiffness: 900 N/m}\n"
    "  - {name: between, spring_damper: [block, second], stiffness: 700 N/m, damping: 4 N s/m}\n"
    "  - {name: last, spring: [third, second], stiffness: 500 N/m}\n"
    "contacts:\n"
    "  pad: {between: [block, belt], " PAD(
        "lugre") "}\n"
                 "  pad2: {between: [second, belt], " PAD(
                     "lugre") "}\n"
                              "  pad3: {between: [other, third], " PAD(
                                  "lugre") "}\n"
                                           "run: {until: 5 s}\n";

/* The speed passes the peak of the curve and comes back, also within a step. */
static const char held_on_a_belt[] =
    "bodies: {block: {mass: 1 kg}, belt: {velocity: 0.1 m/s}}\n"
    "couplings: [{name: spring, spring: [ground, block], stiffness: 40 N/m}]\n"
    "contacts: {pad: {between: [block, belt], load: 10 N, model: velocity_based, mu_s: 0.9}}\n"
    "run: {until: 2 s}\n";

#define TWO .x = "x=last(block.x + second.x)", .v = "v=last(block.v - second.v)"
#define THREE                                                                                      \
    .x = "x=last(block.x + second.x - third.x)", .v = "v=last(block.v - second.v + third.v)"

static const population several[] = {
    {"lugre", "1e-5", two_on_a_belt, TWO,
     .numbers = {"block.mass=uniform(3, 7)", "between.stiffness=uniform(500, 2000)",
                 "belt.velocity=uniform(0.1, 0.5)", "pad2.load=uniform(100, 300)"}},
    {"dahl", "1e-5", two_on_a_belt, TWO,
     .numbers = {"block.mass=uniform(3, 7)", "between.stiffness=uniform(500, 2000)",
                 "belt.velocity=uniform(0.1, 0.5)", "pad2.load=uniform(100, 300)"}},
    {"lugre", "1e-4", three_in_a_stack, THREE,
     .numbers = {"block.mass=uniform(1, 3)", "spring.stiffness=uniform(300, 900)",
                 "pad.load=uniform(50, 200)", "pad3.load=uniform(50, 200)"}},
    {"elasto_plastic", "1e-5", three_in_a_stack, THREE,
     .numbers = {"block.mass=uniform(1, 3)", "spring.stiffness=uniform(300, 900)",
                 "pad.load=uniform(50, 200)", "pad3.load=uniform(50, 200)"}},
    {"lugre", "1e-7", three_in_a_row, THREE,
     .numbers = {"second.mass=uniform(1, 3)", "between.stiffness=uniform(300, 900)",
                 "other.velocity=uniform(-0.4, 0.4)", "pad3.load=uniform(50, 200)"}}};

#define ONE .x = "x=last(block.x)", .v = "v=last(block.v)"

static void curves_are_seen(void **state) {
    static const population belt = {
        "velocity_based", "1e-3", held_on_a_belt, ONE,
        .numbers = {"block.mass=uniform(0.5, 3)", "spring.stiffness=uniform(5, 100)",
                    "belt.velocity=uniform(0.02, 0.3)", "pad.load=uniform(8, 12)"}};
    same_population(&belt, 40);
}

static void several_bodies(void **state) {
    for (size_t i = 0; i < sizeof several / sizeof *several; i += SAMPLE(1, 2))
        same_population(&several[i], USUALLY(40, 40, 40));
}

/* What drives along straight lines: an end of a coupling that is moved, supports that speed up,
 * forces that rise or come in pulses; contacts with the body as their first or second end. */
static const char pulled[] =
    "bodies: {block: {mass: 5 kg}, pull: {velocity: 0.1 m/s}}\n"
    "couplings: [{name: spring, spring_damper: [block, pull], stiffness: 800 N/m, damping: 4 N s/m,"
    " length: 5 cm}]\n"
    "contacts: {pad: {between: [ground, block], " PAD("lugre") "}}\n"
                                                               "run: {until: 5 s}\n";

static const char driven[] =
    "bodies:\n"
    "  block: {mass: 5 kg}\n"
    "  belt: {velocity: {trapezoid: {value: 0.4 m/s, from: 0.2 s, until: 1.5 s, rise: 0.3 s, fall: "
    "0.2 s}}}\n"
    "couplings: [{name: spring, spring: [ground, block], stiffness: 900 N/m}]\n"
    "contacts: {pad: {between: [block, belt], " PAD(
        "lugre") "}}\n"
                 "drives: {push: {on: block, force: {pulses: {value: 60 N, width: 0.1 s, period: "
                 "0.4 "
                 "s, count: 4}}}}\n"
                 "run: {until: 5 s}\n";

static const char two_driven[] =
    "bodies: {block: {mass: 5 kg}, second: {mass: 3 kg}, pull: {velocity: 0.2 m/s},\n"
    "  belt: {velocity: {ramp: {rate: 0.2 m/s^2, from: 0.3 s, until: 1.2 s}}}}\n"
    "couplings:\n"
    "  - {name: first, spring_damper: [pull, block], stiffness: 800 N/m, damping: 5 N s/m}\n"
    "  - {name: between, spring_damper: [block, second], stiffness: 1500 N/m, damping: 3 N s/m, "
    "length: 2 cm}\n"
    "contacts:\n"
    "  pad: {between: [block, ground], " PAD(
        "lugre") "}\n"
                 "  pad2: {between: [belt, second], " PAD(
                     "lugre") "}\n"
                              "drives: {push: {on: second, force: {ramp: {rate: 90 N/s, from: 0.5 "
                              "s, until: 1 s}}}}\n"
                              "run: {until: 5 s}\n";

static const population driven_rigs[] = {
    {"lugre", "1e-5", pulled, ONE,
     .numbers = {"block.mass=uniform(2, 8)", "spring.stiffness=uniform(400, 2000)",
                 "pull.velocity=uniform(-0.3, 0.3)", "pad.load=uniform(50, 200)"}},
    {"elasto_plastic", "1e-6", pulled, ONE,
     .numbers = {"block.mass=uniform(2, 8)", "spring.stiffness=uniform(400, 2000)",
                 "pull.velocity=uniform(-0.3, 0.3)", "spring.damping=uniform(0, 9)"}},
    {"lugre", "1e-6", driven, ONE,
     .numbers = {"block.mass=uniform(2, 8)", "spring.stiffness=uniform(400, 2000)",
                 "belt.velocity.trapezoid.value=uniform(-0.5, 0.5)",
                 "push.force.pulses.value=uniform(-200, 200)"}},
    {"dahl", "1e-5", driven, ONE,
     .numbers = {"block.mass=uniform(2, 8)", "spring.stiffness=uniform(400, 2000)",
                 "belt.velocity.trapezoid.value=uniform(-0.5, 0.5)",
                 "push.force.pulses.value=uniform(-200, 200)"}},
    {"lugre", "1e-5", two_driven, TWO,
     .numbers = {"block.mass=uniform(3, 7)", "between.stiffness=uniform(500, 2000)",
                 "belt.velocity.ramp.rate=uniform(-0.4, 0.4)",
                 "push.force.ramp.rate=uniform(-200, 200)"}}};

static void driven_bodies(void **state) {
    for (size_t i = 0; i < sizeof driven_rigs / sizeof *driven_rigs; i += SAMPLE(1, 2))
        same_population(&driven_rigs[i], USUALLY(40, 40, 40));
}

/* The fewest steps with which all points of a sweep arrive, within a tenth. */
static long steps_wanted(bri_sweep_def def, const char *path) {
    char steps[24];
    bri_override keys[] = {{"run.rtol", "1e-8"}, {"run.until", "2 s"}, {"run.max_steps", steps}};
    def.overrides = keys;
    def.n_overrides = 3;
    for (long most = 100; most < 100000; most += most / 10) {
        snprintf(steps, sizeof steps, "%ld", most);
        bri_sweep *s = run(&def, path);
        long failed = bri_sweep_failed(s);
        bri_sweep_free(s);
        if (failed == 0) return most;
    }
    return 0;
}

/* A slope by time that is wrong does no harm but that steps must be smaller. */
static void driven_steps(void **state) {
    const bri_model *law = bri_model_find("lugre");
    for (int i = 2; i < 5; i += 2) {
        char name[40];
        bri_sweep_def def = rigs_of(&law, NULL, 0);
        write_rig(driven_rigs[i].rig, name);
        def.scenario = name;
        def.random = driven_rigs[i].numbers;
        def.n_measures = 1;
        def.samples = 16;
        long lanes = steps_wanted(def, NULL), alone = steps_wanted(def, "general");
        unlink(name);
        print_message("%ld steps in lanes, %ld alone\n", lanes, alone);
        assert_true(alone > 0 && lanes > 0 && lanes <= alone + alone / 5);
    }
}

/* What a damper turns into heat. */
static void dampers(void **state) {
    static const char rig[] = "bodies: {block: {mass: 20 kg}, slab: {velocity: 0.5 m/s}}\n"
                              "couplings: [{name: spring, spring_damper: [ground, block], "
                              "stiffness: 10 N/m, damping: 8 N s/m}]\n"
                              "contacts: {pad: {between: [block, slab], model: lugre, load: 196.2 "
                              "N, mu_c: 0.5, mu_s: 0.6,\n"
                              "  v_s: 0.05 m/s, gamma: 1, sigma0: 98100 N/m, sigma1: 780 N s/m}}\n"
                              "run: {until: 40 s, rtol: 1e-6}\n";
    char name[40];
    write_rig(rig, name);
    const bri_model *law = bri_model_find("lugre");
    bri_sweep_def def = rigs_of(&law, NULL, 0);
    def.scenario = name;
    def.n_random = 3;
    bri_sweep *lanes = run(&def, NULL), *alone = run(&def, "general");
    int from = lanes->sheet.n_columns - MEASURES;
    assert_int_equal(bri_sweep_lanes(lanes), bri_sweep_points(lanes));
    for (long i = 0; i < bri_sweep_points(lanes); i++) {
        const double *p = row_of(lanes, i) + from, *q = row_of(alone, i) + from;
        if (!(fabs(p[HEAT] - q[HEAT]) <= 1e-4 * fabs(q[HEAT])))
            fail_msg("point %ld: %g J, alone %g J", i, p[HEAT], q[HEAT]);
    }
    bri_sweep_free(lanes);
    bri_sweep_free(alone);
    unlink(name);
}

/* Who counts as sliding: slips reach 1.94 m/s, 1.05 times the limit; they end at half of it. */
static void limits_of_sliding(void **state) {
    static const char *const masses[] = {"block.mass=19.5:20.5:20"};
    const bri_model *law = bri_model_find("lugre");
    bri_override keys[] = {{"run.rtol", "1e-9"}};
    bri_sweep_def def = rigs_of(&law, keys, 1);
    def.n_random = 0;
    def.vary = masses;
    def.n_vary = 1;
    def.slip_speed = 1.85;
    bri_sweep *lanes = run(&def, NULL), *alone = run(&def, "lugre");
    int from = lanes->sheet.n_columns - MEASURES;
    assert_int_equal(bri_sweep_lanes(lanes), bri_sweep_points(lanes));
    for (long i = 0; i < bri_sweep_points(lanes); i++) {
        const double *p = row_of(lanes, i) + from, *q = row_of(alone, i) + from;
        if (p[STARTS] != 2.0 || q[STARTS] != 2.0 || !(fabs(p[SLIDING] - q[SLIDING]) < 1e-7))
            fail_msg("point %ld: %g starts, sliding %g; alone %g, %g", i, p[STARTS], p[SLIDING],
                     q[STARTS], q[SLIDING]);
    }
    bri_sweep_free(lanes);
    bri_sweep_free(alone);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static void same_rows(bri_sweep *a, bri_sweep *b, const char *what) {
    for (long i = 0; i < bri_sweep_points(a); i++)
        if (memcmp(row_of(a, i), row_of(b, i), sizeof(double) * (size_t)a->sheet.n_columns) != 0)
            fail_msg("%s: point %ld is another one", what, i);
}

static void same_bytes(bri_sweep_def def) {
    bri_sweep *s = run(&def, NULL), *other;
    assert_int_equal(bri_sweep_lanes(s), bri_sweep_points(s));
    for (int threads = 2; threads <= 4; threads += 2) {
        def.threads = threads;
        other = run(&def, NULL);
        same_rows(s, other, "threads");
        bri_sweep_free(other);
    }
    static bri_messages messages;
    static const long groups[] = {1, 5, 17}; /* alone; beyond the first vector; in most of them */
    bri_error err;
    long n = bri_sweep_points(s), all[256];
    assert_in_range(n, 1, 256);
    for (long i = 0; i < n; i++) all[i] = n - 1 - i;
    def.threads = 1;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(bri_sweep_create(&def, &other, &messages), BRI_OK);
        for (long i = 0; i < n; i += groups[k]) {
            long count = n - i < groups[k] ? n - i : groups[k];
            assert_int_equal(bri_sweep_run_points(other, all + i, count, NULL, NULL, NULL, &err),
                             BRI_OK);
        }
        same_rows(s, other, "few");
        bri_sweep_free(other);
    }
    bri_sweep_free(s);
}

static void whoever_the_neighbours_are(void **state) {
    const bri_model *law = bri_model_find("lugre");
    bri_override keys[] = {{"run.rtol", "1e-5"}, {"run.until", SAMPLE("30 s", "15 s")}};
    bri_sweep_def def = rigs_of(&law, keys, 2);
    same_bytes(def);
    static const char *const on_the_way[] = {"max(abs(block.v))", "slip_time", "break_away(pad)",
                                             "course(block.x, 7)"};
    def.measures = on_the_way;
    def.n_measures = 4;
    same_bytes(def);
    const population *some[] = {&several[0], &several[2], &driven_rigs[2], &driven_rigs[4]};
    for (int i = 0; i < 4; i++) {
        char name[40];
        write_rig(some[i]->rig, name);
        def.scenario = name;
        def.random = some[i]->numbers;
        keys[1].value = SAMPLE("3 s", "1 s");
        same_bytes(def);
        unlink(name);
    }
}

static void kinds_one_after_the_other(void **state) {
    const bri_model *laws[] = {bri_model_find("lugre"), bri_model_find("dahl")};
    static const char *const gammas[] = {"pad.mu_c=0.45,0.5"};
    bri_override keys[] = {{"run.rtol", "1e-4"}, {"run.until", "5 s"}};
    bri_sweep_def def = rigs_of(laws, keys, 2);
    def.n_laws = 2;
    def.vary = gammas;
    def.n_vary = 1;
    bri_sweep *s = run(&def, NULL);
    assert_int_equal(bri_sweep_lanes(s), bri_sweep_points(s));
    assert_int_equal(bri_sweep_failed(s), 0);
    bri_sweep_free(s);
}

static void steps_have_a_limit(void **state) {
    const bri_model *law = bri_model_find("lugre");
    bri_override keys[] = {{"run.rtol", "1e-5"}, {"run.max_steps", "100"}};
    bri_sweep_def def = rigs_of(&law, keys, 2);
    bri_sweep *lanes = run(&def, NULL), *alone = run(&def, "general");
    assert_int_equal(bri_sweep_failed(lanes), bri_sweep_failed(alone));
    assert_true(bri_sweep_failed(lanes) > 20);
    bri_sweep_free(lanes);
    bri_sweep_free(alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_of_one_contact),
        cmocka_unit_test(dampers),
        cmocka_unit_test(limits_of_sliding),
        cmocka_unit_test(rigs_drawn_at_random),
        cmocka_unit_test(curves_are_seen),
        cmocka_unit_test(several_bodies),
        cmocka_unit_test(driven_bodies),
        cmocka_unit_test(driven_steps),
        cmocka_unit_test(whoever_the_neighbours_are),
        cmocka_unit_test(kinds_one_after_the_other),
        cmocka_unit_test(steps_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
