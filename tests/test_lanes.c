/* test_lanes.c - points of a sweep that are computed several in one vector: their laws against
 * those of one contact, with frozen directions; their results against the same points computed one
 * by one, for rigs drawn at random; the same bytes whoever the neighbours are. */
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

/* ---- laws with frozen directions --------------------------------------------------------------
 */

enum { COUNT = BRI_LANES };

/* Contacts of a law drawn at random, around its defaults; `exponent` as all of them have it. */
static void draw(const bri_kernel_row *row, double exponent, bri_lane_pack *k) {
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
        for (int j = 0; j < m->n_params; j++) k->p[j][i] = own[j];
        bri_model_rest(m, own, rest);
        k->way[i] = uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
        k->y[1][i] = k->course[0][0][i] = uniform(-0.1, 0.1);
        k->load[i] = m->load * uniform(0.5, 2.0);
        k->y[2][i] = k->course[1][0][i] = rest[0] + m->states[0].nominal * uniform(-1.0, 1.0);
    }
}

static void close_to(const char *law, const char *what, double a, double b, double size) {
    if (!(fabs(a - b) <= 1e-11 * (fabs(b) + size)))
        fail_msg("%s: %s is %.17g, of one contact %.17g", law, what, a, b);
}

/* A method without further stages ends where it begins, and a velocity that does not change has the
 * same power at all points. */
static void compare_law(const bri_kernel_table *t, int r, int which) {
    static const int few[BRI_DERIVATIVES] = {1, 3, 5, 7};
    static const rodas stays = {.stages = 1};
    static bri_lane_pack k;
    const bri_lane_law *law = t->lanes[r].law[which];
    const bri_model *m = t->rows[r].model;
    double own[BRI_MAX_PARAMS], rate[BRI_MAX_STATES], grad[BRI_MAX_STATES], J[8];
    k = (bri_lane_pack){.method = &stays};
    draw(&t->rows[r], which, &k);
    law->stages(&k);
    law->powers(&k);
    for (int i = 0; i < COUNT; i++) {
        double v = k.y[1][i], z = k.y[2][i], N = k.load[i], within = 2.0 * lobatto_weight[1];
        bri_input u = {.v = v, .n = N, .mode = k.way[i] > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG};
        for (int j = 0; j < m->n_params; j++) own[j] = k.p[j][i];
        double F = bri_model_eval(m, own, &u, &z, rate);
        close_to(m->name, "F", k.F_end[i], F, N);
        close_to(m->name, "dz", k.dz_end[i], rate[0], fabs(v));
        close_to(m->name, "the mean of F", k.push[i], within * F, N);
        close_to(m->name, "the mean of F v", k.power[i], within * F * v, N * fabs(v));
        close_to(m->name, "what is lost", k.wrong[i],
                 k.way[i] * v < 0.0 ? within * fabs(F * v) : 0.0, N * fabs(v));
        bri_model_jac(m, own, &u, &z, J);
        for (int d = 0; d < BRI_DERIVATIVES; d++)
            close_to(m->name, "a derivative", k.slope_end[d][i], J[few[d]],
                     d == BRI_F_BY_V ? fabs(J[3] * J[5]) + 1.0 : 1.0);
        if (m->pieces) assert_true(k.pieces_end[i] == m->pieces(m, own, &u, &z));
        u.v = 0.0;
        close_to(m->name, "what is stored", k.stored_end[i],
                 m->stored ? m->stored(m, own, &u, &z, grad) : 0.0, 0.0);
    }
}

static void laws_with_frozen_directions(void **state) {
    int laws = 0;
    for (bri_level level = BRI_LEVEL_BASE; level < BRI_LEVEL_COUNT; level++) {
        if (!bri_level_usable(level)) continue;
        const bri_kernel_table *t = bri_kernels(level);
        for (int r = 0; r < t->n_rows; r++)
            for (int which = 0; which < BRI_ANY_CHOICE; which++)
                for (int again = 0; t->lanes[r].law[which] && again < 20; again++, laws++)
                    compare_law(t, r, which);
    }
    assert_true(laws >= 100);
}

/* The last places of both methods are those before plus an increment. */
static void places_that_follow(void **state) {
    const rodas *const methods[] = {&rodas4, &rodas5p};
    for (int i = 0; i < 2; i++) {
        const rodas *m = methods[i];
        for (int stage = 1; stage < m->stages; stage++) {
            int same = m->a[stage][stage - 1] == 1.0;
            for (int j = 0; j < stage - 1; j++) same &= m->a[stage][j] == m->a[stage - 1][j];
            assert_int_equal(same, stage >= m->follow);
        }
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static const char *const random_numbers[] = {
    "block.mass=uniform(10, 30)", "spring.stiffness=uniform(5, 60)",
    "slab.velocity=uniform(0.02, 0.8)", "pad.load=uniform(100, 300)"};

static const char *const measures[] = {"x=last(block.x)", "v=last(block.v)", "dissipated", "regime",
                                       "starts",          "sliding",         "events"};

enum { X, V, HEAT, REGIME, STARTS, SLIDING, EVENTS, MEASURES };

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

static void same_population(const char *law, const char *rtol, long least) {
    const bri_model *model = bri_model_find(law);
    bri_override keys[] = {{"run.rtol", rtol}, {"run.until", "20 s"}};
    bri_override tight[] = {{"run.rtol", "1e-10"}, {"run.until", "20 s"}};
    bri_sweep_def def = rigs_of(&model, keys, 2), exact_def = rigs_of(&model, tight, 2);
    bri_sweep *lanes = run(&def, NULL), *alone = run(&def, "general"),
              *exact = run(&exact_def, "general");
    double a[64], b[64];
    long n = bri_sweep_points(lanes);
    if (bri_sweep_lanes(lanes) < least)
        fail_msg("%s: %ld of %ld points in lanes", law, bri_sweep_lanes(lanes), n);
    assert_int_equal(bri_sweep_lanes(alone), 0);
    assert_int_equal(bri_sweep_failed(lanes), 0);
    errors_of(lanes, exact, a);
    errors_of(alone, exact, b);
    double allowed = 3.0 * b[n * 9 / 10] + 10.0 * strtod(rtol, NULL);
    print_message("%s, rtol %s: nine of ten within %.1e, worst %.1e; one by one %.1e, %.1e\n", law,
                  rtol, a[n * 9 / 10], a[n - 1], b[n * 9 / 10], b[n - 1]);
    if (!(a[n * 9 / 10] <= allowed) || !(a[n - 1] <= fmax(1e-3, 3.0 * b[n - 1])))
        fail_msg("%s, rtol %s: errors of lanes are larger", law, rtol);
    int from = lanes->sheet.n_columns - MEASURES, differ = 0;
    for (long i = 0; i < n; i++) {
        const double *p = row_of(lanes, i) + from, *q = row_of(alone, i) + from;
        differ += p[REGIME] != q[REGIME] || p[STARTS] != q[STARTS];
        assert_true(fabs(p[HEAT] - q[HEAT]) <= 1e-2 * fabs(q[HEAT]));
    }
    assert_true(differ <= n / 20);
    bri_sweep_free(lanes);
    bri_sweep_free(alone);
    bri_sweep_free(exact);
}

static void rigs_drawn_at_random(void **state) {
    const bri_kernel_table *t = bri_kernels(BRI_LEVEL_AUTO);
    for (int r = 0; r < t->n_rows; r++)
        print_message("%s%s\n", t->rows[r].model->name, t->lanes[r].law[0] ? ": lanes" : "");
    static const struct population {
        const char *law, *rtol;
    } populations[] = {{"lugre", "1e-4"},
                       {"lugre", "1e-7"},
                       {"dahl", "1e-5"},
                       {"elasto_plastic", "1e-5"},
                       {"lugre_consistent", "1e-5"},
                       {"dankowicz", "1e-5"},
                       {"stribeck_dankowicz", "1e-8"}};
    for (size_t i = 0; i < sizeof populations / sizeof *populations; i += SAMPLE(1, 4))
        same_population(populations[i].law, populations[i].rtol, USUALLY(40, 20, 20));
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
    char file[] = "lanes-XXXXXX", name[40];
    int to = mkstemp(file);
    assert_true(to >= 0 && write(to, rig, sizeof rig - 1) == (ssize_t)sizeof rig - 1);
    close(to);
    snprintf(name, sizeof name, "./%s", file);
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
    unlink(file);
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
        if (p[STARTS] != 2.0 || q[STARTS] != 2.0 || !(fabs(p[SLIDING] - q[SLIDING]) < 0.01))
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

static void whoever_the_neighbours_are(void **state) {
    const bri_model *law = bri_model_find("lugre");
    bri_override keys[] = {{"run.rtol", "1e-5"}, {"run.until", SAMPLE("30 s", "15 s")}};
    bri_sweep_def def = rigs_of(&law, keys, 2);
    bri_sweep *s = run(&def, NULL), *other;
    for (int threads = 2; threads <= 4; threads += 2) {
        def.threads = threads;
        other = run(&def, NULL);
        same_rows(s, other, "threads");
        bri_sweep_free(other);
    }
    static bri_messages messages;
    bri_error err;
    assert_int_equal(bri_sweep_create(&def, &other, &messages), BRI_OK);
    for (long i = bri_sweep_points(s) - 1; i >= 0; i--) /* alone in a vector */
        assert_int_equal(bri_sweep_run_points(other, &i, 1, NULL, NULL, NULL, &err), BRI_OK);
    same_rows(s, other, "alone");
    bri_sweep_free(other);
    bri_sweep_free(s);
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
        cmocka_unit_test(laws_with_frozen_directions),
        cmocka_unit_test(places_that_follow),
        cmocka_unit_test(dampers),
        cmocka_unit_test(limits_of_sliding),
        cmocka_unit_test(rigs_drawn_at_random),
        cmocka_unit_test(whoever_the_neighbours_are),
        cmocka_unit_test(kinds_one_after_the_other),
        cmocka_unit_test(steps_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
