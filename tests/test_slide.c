/* test_slide.c - how often contacts start and stop and for how long they slide: polynomials drawn
 * at random against a walk over many places, prescribed motions in closed form, sweeps against runs
 * with a tight tolerance that are looked at on a fine grid; and what a regime is called. */
#define _XOPEN_SOURCE 700 /* setenv */
#include "bristle_scenario.h"
#include "bristle_sweep.h"
#include "test.h"

#include "sim/slide.h"

#include <stdlib.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

static uint64_t seed = 20261118;

static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

/* ---- another way to the same ------------------------------------------------------------------
 */

/* Places of a motion one after the other, straight lines between them: it slides from a speed on,
 * until half of it. */
typedef struct walk {
    double speed, slid, before, grazed; /* grazed: least distance of an extreme from a limit */
    int slides, begun;
    long starts, stops;
    double rose; /* the change before */
} walk;

/* The share of a line at which it starts or stops; 2: it does not. */
static double change_on(const walk *w, double from, double to) {
    double half = 0.5 * w->speed, level;
    if (w->slides) {
        if (fabs(from) < half) return 0.0;
        if (from > 0.0 ? to >= half : to <= -half) return 2.0;
        level = from > 0.0 ? half : -half;
    } else {
        if (fabs(from) >= w->speed) return 0.0;
        if (fabs(to) < w->speed) return 2.0;
        level = to > 0.0 ? w->speed : -w->speed;
    }
    return (level - from) / (to - from);
}

static void walk_on(walk *w, double v, double h) {
    if (!w->begun) {
        w->slides = fabs(v) >= w->speed;
        w->grazed = INFINITY;
    } else {
        double from = w->before, share;
        if (w->rose * (v - from) <= 0.0)
            w->grazed = fmin(w->grazed,
                             fmin(fabs(fabs(from) - w->speed), fabs(fabs(from) - 0.5 * w->speed)));
        w->rose = v - from;
        while ((share = change_on(w, from, v)) <= 1.0) {
            if (w->slides) w->slid += share * h;
            *(w->slides ? &w->stops : &w->starts) += 1;
            w->slides = !w->slides;
            from += share * (v - from);
            h -= share * h;
            if (!(h > 0.0)) break;
            if (fabs(from) == (w->slides ? w->speed : 0.5 * w->speed)) continue;
        }
        if (w->slides) w->slid += h;
    }
    w->begun = 1;
    w->before = v;
}

/* ---- polynomials ------------------------------------------------------------------------------
 */

static double value_of(const double c[5], double u) {
    return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])));
}

/* Of the share from u to w of its step. */
static void part_of(const double c[5], double u, double w, double to[5]) {
    double rest[5], scale = 1.0;
    memcpy(rest, c, sizeof rest);
    for (int k = 0; k < 5; k++) /* Taylor: divided by u - place again and again */
        for (int j = 3; j >= k; j--) rest[j] += u * rest[j + 1];
    for (int k = 0; k < 5; k++, scale *= w - u) to[k] = rest[k] * scale;
}

static void polynomials(void **state) {
    enum { PLACES = 4000 };
    const long count = SAMPLE(3000, 200);
    long crossings = 0, often = 0;
    (void)state;
    for (long n = 0; n < count; n++) {
        double c[5] = {uniform(-2.0, 2.0)}, size = exp(uniform(-3.0, 4.0)), part[5];
        for (int k = 1; k < 5; k++) c[k] = size * uniform(-1.0, 1.0);
        if (n % 3 == 1) c[4] = 0.0;
        if (n % 5 == 2) /* at rest at its start, as after a turn */
            c[0] = 0.0;
        walk w = {.speed = exp(uniform(-2.0, 1.0))};
        double h = 0.25, u = uniform(0.0, 1.0);
        for (int k = 0; k <= PLACES; k++) walk_on(&w, value_of(c, (double)k / PLACES), h / PLACES);
        if (w.grazed < 1e-6 * size) continue; /* anybody's guess */
        sim_slide s = {.speed = w.speed, .slides = fabs(c[0]) >= w.speed}, halves = s;
        sim_slide_over(&s, c, h);
        if (s.starts != w.starts || s.stops != w.stops || s.slides != w.slides)
            fail_msg("%ld: %ld starts, %ld stops; by places %ld, %ld", n, s.starts, s.stops,
                     w.starts, w.stops);
        near(s.slid, w.slid, 2e-4 * h / fmax(w.slid, 1e-300), "time of sliding");
        part_of(c, 0.0, u, part);
        sim_slide_over(&halves, part, u * h);
        part_of(c, u, 1.0, part);
        sim_slide_over(&halves, part, (1.0 - u) * h);
        assert_true(halves.starts == s.starts && halves.stops == s.stops);
        near(halves.slid - s.slid, 0.0, 1e-8 * h, "in two parts");
        crossings += s.starts + s.stops;
        often += s.starts + s.stops > 2;
    }
    print_message("%ld starts and stops, %ld steps with three or more\n", crossings, often);
    assert_true(crossings > count / 2 && often > count / 50);
}

/* v = top - d (u - at)^2 from below the speed: it starts on the way up, stops on the way down, and
 * starts again the other way round. Those that just reach the speed are among them. */
static void parabolas(void **state) {
    long again = 0;
    (void)state;
    for (int n = 0; n < 2000; n++) {
        double speed = exp(uniform(-5.0, 2.0)), at = uniform(0.1, 0.9);
        double top = speed * (1.0 + exp(n % 2 ? uniform(-2.0, 2.0) : uniform(-18.0, -3.0)));
        double begin = speed * uniform(-0.99, 0.99), d = (top - begin) / (at * at);
        double first = at - sqrt((top - speed) / d), stop = at + sqrt((top - 0.5 * speed) / d);
        double second = at + sqrt((top + speed) / d), h = uniform(0.1, 10.0);
        const double c[5] = {begin, 2.0 * d * at, -d};
        sim_slide s = {.speed = speed};
        sim_slide_over(&s, c, h);
        assert_int_equal(s.starts, 1 + (second < 1.0));
        assert_int_equal(s.stops, stop < 1.0);
        assert_int_equal(s.slides, stop > 1.0 || second < 1.0);
        again += second < 1.0;
        /* near the top the place of a root is known to the root of the rounding */
        near(s.slid, h * (fmin(stop, 1.0) - first + fmax(0.0, 1.0 - second)), 1e-7, "a parabola");
    }
    assert_true(again > 100);
}

/* ---- runs alone -------------------------------------------------------------------------------
 */

static bri_scenario *parsed(const char *text) {
    static bri_messages messages;
    bri_scenario *s = NULL;
    if (bri_scenario_parse(text, strlen(text), "rig", NULL, &s, &messages) != BRI_OK)
        fail_msg("%s", messages.message[0].text);
    return s;
}

/* Step by step with stops in between, as many as `stops`: how up to four contacts of a rig slide.
 */
static void run_alone(const char *text, double speed, int stops, sim_slide slides[4]) {
    bri_scenario *rig = parsed(text);
    bri_sim *sim = NULL;
    bri_error err = {0};
    bri_sliding room[4];
    assert_int_equal(bri_sim_create(bri_scenario_def(rig), &sim, &err), BRI_OK);
    double end = bri_scenario_def(rig)->t_end;
    for (int k = 0; k < 4; k++) slides[k] = (sim_slide){.speed = speed};
    sim_slides_begin(sim, slides, room);
    for (int k = 1; k <= stops; k++) {
        double stop = k < stops ? end * k / stops : end;
        while (bri_sim_time(sim) < stop) {
            double before = bri_sim_time(sim);
            if (bri_sim_step(sim, stop, &err) != BRI_OK) fail_msg("%s", err.text);
            sim_slides_follow(sim, before, bri_sim_time(sim), slides, room);
        }
    }
    bri_sim_free(sim);
    bri_scenario_free(rig);
}

/* A table that is moved to and fro, v = A sin(w t), over whole half periods. */
static void a_table_that_swings(void **state) {
    static const char *const solvers[] = {"rosenbrock", "rodas4", "rk4", "time_stepping"};
    (void)state;
    for (int n = 0; n < SAMPLE(160, 40); n++) {
        char text[1000];
        int turns = n / 8 % 2;
        double speed = uniform(0.05, 0.95), w = exp(uniform(0.0, 4.0));
        int halves = 1 + (int)uniform(0.0, 12.0);
        /* the block beside it rests, so that steps are as long as the signal allows, or it slides
         * to and fro, and they are ended where it turns */
        snprintf(text, sizeof text,
                 "bodies: {block: {mass: 1 kg, x: %d m}, anvil: {mass: 1e12 kg},\n"
                 "  table: {velocity: {sine: {amplitude: 1 m/s, "
                 "frequency: %.17g rad/s}}}}\n"
                 "couplings: {spring: {spring: [ground, block], stiffness: 100 N/m}}\n"
                 "contacts:\n"
                 "  dry: {between: [block, ground], load: 1 N, model: dahl, mu_c: 2, sigma0: 200 "
                 "N/m}\n"
                 "  pad: {between: [table, anvil], load: 1 N, model: viscous}\n"
                 "run: {until: %.17g s, rtol: %s, solver: %s%s}\n",
                 turns, w, halves * pi / w, n % 8 < 4 ? "1e-3" : "1e-7", solvers[n % 4],
                 n % 4 < 2 ? "" : ", step: 1 ms");
        double way = pi - asin(speed) - asin(0.5 * speed);
        sim_slide slides[4], s;
        run_alone(text, speed, 1 + n % 3, slides);
        s = slides[1];
        if (s.starts != halves || s.stops != halves)
            fail_msg("%s: %ld starts, %ld stops of %d", solvers[n % 4], s.starts, s.stops, halves);
        near(s.slid * w / halves, way, 1e-5, solvers[n % 4]); /* a quartic of a sine */
    }
}

/* A block on oil, released: v = -x0 w0^2/w exp(-d t) sin(w t), with whatever solver; beside it one
 * that slides to rest on a law that sticks exactly, and one that is moved from 1 s on. */
static void a_block_on_oil(void **state) {
    static const struct {
        const char *name, *more;
        double within;
    } solvers[] = {{"rosenbrock", "", 1e-5},
                   {"event_driven", "", 1e-5},
                   {"rodas5p", "", 1e-5},
                   {"rk4", ", step: 2 ms", 1e-5},
                   {"time_stepping", ", step: 0.2 ms", 2e-2},
                   {"cvode_bdf", "", 1e-4}};
    (void)state;
    for (int n = 0; n < SAMPLE(60, 10); n++) {
        char text[1500];
        int which = n % 6, exact = which == 1 || (n / 6 % 2 && which != 3 && which != 5);
        if (!bri_solver_find(solvers[which].name)) continue;
        double k = exp(uniform(1.0, 5.0)), d = uniform(0.02, 0.2) * sqrt(k), until = 3.0;
        double w = sqrt(k - d * d), speed = sqrt(k) * uniform(0.02, 0.6);
        snprintf(text, sizeof text,
                 "bodies: {block: {mass: 1 kg, x: 1 m}, stone: {mass: 2 kg, v: 4 m/s},\n"
                 "  table: {velocity: {step: {value: %.17g m/s, at: 1 s}}}}\n"
                 "couplings: {spring: {spring: [ground, block], stiffness: %.17g N/m}}\n"
                 "contacts:\n"
                 "  oil: {between: [block, ground], load: 1 N, model: viscous, kv: %.17g}\n"
                 "  dry: {between: [stone, ground], load: 8 N, model: %s}\n"
                 "  pad: {between: [table, ground], load: 1 N, model: viscous}\n"
                 "  air: {between: [stone, ground], load: 1 N, model: viscous, kv: 0}\n"
                 "run: {until: 3 s, rtol: 1e-7, solver: %s%s}\n",
                 2.0 * speed, k, 2.0 * d,
                 exact ? "coulomb, mu_c: 0.5, mu_s: 0.5" : "viscous, kv: 8", solvers[which].name,
                 solvers[which].more);
        walk by_places = {.speed = speed};
        for (int i = 0; i <= 30000; i++) {
            double t = until * i / 30000;
            walk_on(&by_places, -k / w * exp(-d * t) * sin(w * t), until / 30000);
        }
        double far = 0.05 * solvers[which].within * sqrt(k); /* where nobody knows */
        if (by_places.grazed < far) continue;
        sim_slide slides[4], slow_ones[4];
        run_alone(text, speed, 1 + n % 4, slides);
        sim_slide oil = slides[0], dry = slides[1], pad = slides[2];
        if (oil.starts != by_places.starts || oil.stops != by_places.stops)
            fail_msg("%s: %ld starts, %ld stops; closed form %ld, %ld", solvers[which].name,
                     oil.starts, oil.stops, by_places.starts, by_places.stops);
        near(oil.slid - by_places.slid, 0.0, solvers[which].within, solvers[which].name);
        if (exact) near(dry.slid, 2.0, which == 4 ? 1e-3 : 1e-9, "to rest");
        assert_true(!exact || (dry.starts == 0 && dry.stops == 1 && !dry.slides));
        double slow = 0.02 * speed; /* reached in the step that ends with rest */
        if (exact) run_alone(text, slow, 1 + n % 4, slow_ones);
        if (exact)
            near(slow_ones[3].slid, 2.0 - 0.25 * slow, which == 4 ? 1e-3 : 1e-8, "almost to rest");
        assert_true(pad.starts == 1 && pad.stops == 0 && pad.slides);
        near(pad.slid, 2.0, which == 4 ? 1e-3 : 1e-9, "from a jump on");
    }
}

/* ---- sweeps -----------------------------------------------------------------------------------
 */

static const char *const numbers[] = {
    "block.mass=uniform(10, 30)", "spring.stiffness=uniform(5, 60)",
    "slab.velocity=uniform(0.02, 0.8)", "pad.load=uniform(100, 300)"};

enum { RIGS = 24, FROM = 2345 }; /* FROM: measured, in ms */

static bri_sweep *run(bri_sweep_def def, const char *path) {
    static bri_messages messages;
    bri_sweep *s = NULL;
    bri_error err = {0};
    if (path) setenv("BRISTLE_PATH", path, 1);
    if (bri_sweep_create(&def, &s, &messages) != BRI_OK) fail_msg("%s", messages.message[0].text);
    if (bri_sweep_run(s, NULL, NULL, NULL, &err) != BRI_OK) fail_msg("%s", err.text);
    unsetenv("BRISTLE_PATH");
    assert_int_equal(bri_sweep_failed(s), 0);
    return s;
}

/* The rig of a point, with a tight tolerance, on a grid of 1 ms. */
static walk on_a_grid(const char *law, const double *x, double speed) {
    static const char *const keys[] = {"block.mass", "spring.stiffness", "slab.velocity",
                                       "pad.load"};
    static bri_messages messages;
    char values[4][40];
    bri_override set[6] = {{"run.rtol", "1e-10"}, {"run.until", "20 s"}};
    bri_scenario *rig = NULL;
    bri_sim *sim = NULL;
    bri_error err = {0};
    walk w = {.speed = speed};
    for (int i = 0; i < 4; i++) {
        snprintf(values[i], sizeof values[i], "%.17g", x[i]);
        set[2 + i] = (bri_override){keys[i], values[i]};
    }
    bri_scenario_options options = {
        .overrides = set, .n_overrides = 6, .model = bri_model_find(law)};
    if (bri_scenario_load("rabinowicz", &options, &rig, &messages) != BRI_OK)
        fail_msg("%s", messages.message[0].text);
    assert_int_equal(bri_sim_create(bri_scenario_def(rig), &sim, &err), BRI_OK);
    for (int i = 0; i <= 20000; i++) {
        assert_int_equal(bri_sim_advance(sim, 1e-3 * i, &err), BRI_OK);
        if (i >= FROM) walk_on(&w, bri_sim_body(sim, 0).v - x[2], 1e-3);
    }
    bri_sim_free(sim);
    bri_scenario_free(rig);
    return w;
}

/* Laws with long steps, in lanes and one by one, against the grid. */
static void as_the_motion_is(void **state) {
    static const char *const laws[] = {"dahl", "lugre", "dankowicz"};
    static const char *const rtols[] = {"1e-4", "1e-5", "1e-6"};
    /* the first row comes after FROM, the last one where the run ends */
    static const char *const measures[] = {"starts", "sliding", "last(block.x)"};
    static const double within[] = {2e-3, 2e-4, 1e-4}; /* of the share; that of the grid is 1e-5 */
    (void)state;
    for (int l = 0; l < SAMPLE(3, 1); l++) {
        const bri_model *model = bri_model_find(laws[l]);
        walk exact[RIGS];
        for (int k = 0; k < 6; k++) {
            double worst = 0.0;
            int grazed = 0;
            bri_override keys[] = {
                {"run.rtol", rtols[k / 2]}, {"run.until", "20 s"}, {"run.output", "0.2 s"}};
            bri_sweep *s = run((bri_sweep_def){.scenario = "rabinowicz",
                                               .overrides = keys,
                                               .n_overrides = 3,
                                               .laws = &model,
                                               .n_laws = 1,
                                               .random = numbers,
                                               .n_random = 4,
                                               .samples = RIGS,
                                               .seed = 11,
                                               .measures = measures,
                                               .n_measures = 3,
                                               .from = 1e-3 * FROM,
                                               .slip_speed = 0.06,
                                               .threads = 1},
                               k % 2 ? "general" : NULL);
            assert_int_equal(bri_sweep_lanes(s), k % 2 ? 0 : RIGS);
            for (long i = 0; i < RIGS; i++) {
                bri_sweep_point p;
                assert_int_equal(bri_sweep_result(s, i, &p), 1);
                if (k == 0) exact[i] = on_a_grid(laws[l], p.row, 0.06);
                double share = exact[i].slid / (20.0 - 1e-3 * FROM);
                worst = fmax(worst, fabs(p.row[5] - share));
                if (p.row[4] == (double)exact[i].starts) continue;
                /* one that just reaches the speed is anybody's guess */
                if (exact[i].grazed > 10.0 * within[k / 2] * 0.06 || grazed++ > 1)
                    fail_msg("%s, rtol %s, point %ld: %g starts, not %ld (nearest %g)", laws[l],
                             rtols[k / 2], i, p.row[4], exact[i].starts, exact[i].grazed);
            }
            print_message("%s, rtol %s, %s: share within %.1e\n", laws[l], rtols[k / 2],
                          k % 2 ? "alone" : "lanes", worst);
            assert_true(worst <= within[k / 2]);
            bri_sweep_free(s);
        }
    }
}

/* A block on a belt is pulled until it breaks away after t = Fs/(k v): shortly after that it sticks
 * so far, and where it comes to rest it sticks and slips; where friction grows with the speed it
 * slides, once it has done so for a quarter of the time. */
static void what_a_regime_is(void **state) {
    static const char rig[] =
        "bodies: {block: {mass: 1 kg, v: 0.1 m/s}, belt: {velocity: 0.1 m/s}}\n"
        "couplings: {spring: {spring: [ground, block], stiffness: 10 N/m}}\n"
        "contacts: {pad: {between: [block, belt], load: 10 N, mu_c: 0.1, mu_s: 0.2, v_s: 1 mm/s,\n"
        "  sigma0: 1e5 N/m, sigma1: 300 N s/m, nu: %s s/m, model: lugre}}\n"
        "run: {until: 4 s, rtol: 1e-6}\n";
    static const char *const vary[] = {"run.until=1.6,2.02,2.3,3.3,3.5,4.3,6"};
    static const char *const measures[] = {"regime", "sliding", "starts"};
    static const int words[2][7] = {{0, 0, 0, 1, 1, 1, 1}, {0, 0, 0, 2, 2, 2, 2}};
    const bri_model *laws[] = {bri_model_find("lugre"), bri_model_find("stribeck")};
    (void)state;
    for (int n = 0; n < 8; n++) {
        int steady = n % 2, law = n / 2 % 2;
        char text[800], name[] = "/tmp/bristle-slide-XXXXXX";
        int file = mkstemp(name);
        snprintf(text, sizeof text, rig, steady ? "5" : "0");
        assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
        close(file);
        bri_sweep *s = run((bri_sweep_def){.scenario = name,
                                           .laws = &laws[law],
                                           .n_laws = 1,
                                           .vary = vary,
                                           .n_vary = 1,
                                           .measures = measures,
                                           .n_measures = 3,
                                           .slip_speed = 2e-3,
                                           .threads = 1},
                           n < 4 ? NULL : "general");
        for (long i = 0; i < 7; i++) {
            bri_sweep_point p;
            assert_int_equal(bri_sweep_result(s, i, &p), 1);
            if (p.row[1] != words[steady][i])
                fail_msg("%s, %s, until %g s: regime %g, slides %g of the time, %g starts",
                         laws[law]->name, steady ? "steady" : "falling", p.row[0], p.row[1],
                         p.row[2], p.row[3]);
            if (p.row[0] > 2.0) assert_true(p.row[3] >= 1.0);
        }
        bri_sweep_free(s);
        unlink(name);
    }
}

/* A table slides for 1 s, rests for 1 s and slides for good: it sticks and slips until the last
 * slide is the longest and a quarter of all. One that rests for good sticks. */
static void caught_once(void **state) {
    static const char rig[] =
        "bodies: {anvil: {mass: 1e12 kg},\n"
        "  table: {velocity: {sum: [1 m/s, {step: {value: -1 m/s, at: 1 s}},\n"
        "    {step: {value: 1 m/s, at: 2 s}}]}},\n"
        "  stopped: {velocity: {sum: [1 m/s, {step: {value: -1 m/s, at: 1.5 s}}]}}}\n"
        "contacts: {pad: {between: [table, anvil], load: 1 N, model: viscous},\n"
        "  brake: {between: [stopped, anvil], load: 1 N, model: viscous}}\n"
        "run: {until: 4 s, solver: %s}\n";
    static const char *const vary[] = {"run.until=0.8,1.2,2.2,2.6,2.9,3.1,8"};
    static const char *const measures[] = {"regime(pad),regime(brake)"};
    static const int words[7] = {2, 0, 1, 1, 1, 2, 2};
    static const char *const solvers[] = {"rosenbrock", "event_driven", "rk4, step: 10 ms"};
    (void)state;
    for (int n = 0; n < 3; n++) {
        char text[800], name[] = "/tmp/bristle-slide-XXXXXX";
        int file = mkstemp(name);
        snprintf(text, sizeof text, rig, solvers[n]);
        assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
        close(file);
        bri_sweep *s = run((bri_sweep_def){.scenario = name,
                                           .vary = vary,
                                           .n_vary = 1,
                                           .measures = measures,
                                           .n_measures = 1,
                                           .slip_speed = 0.5,
                                           .threads = 1},
                           NULL);
        for (long i = 0; i < 7; i++) {
            bri_sweep_point p;
            assert_int_equal(bri_sweep_result(s, i, &p), 1);
            if (p.row[1] != words[i] || p.row[2] != (p.row[0] < 1.5 ? 2.0 : 0.0))
                fail_msg("%s, until %g s: regimes %g and %g", solvers[n], p.row[0], p.row[1],
                         p.row[2]);
        }
        bri_sweep_free(s);
        unlink(name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials),         cmocka_unit_test(parabolas),
        cmocka_unit_test(a_table_that_swings), cmocka_unit_test(a_block_on_oil),
        cmocka_unit_test(as_the_motion_is),    cmocka_unit_test(what_a_regime_is),
        cmocka_unit_test(caught_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
