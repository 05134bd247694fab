/* test_scenario.c - what scenario files mean: units, every kind of element, tables from files, and
 * the same system from C. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_fmu.h"
#include "bristle_identify.h"
#include "bristle_law.h"
#include "texts.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- values -------------------------------------------------------------------------------- */

static void units_are_converted(void **state) {
    bri_scenario *s =
        read_text("bodies:\n"
                  "  block: {mass: 500 g, x: 3 mm, v: 3.6 km/hour}\n"
                  "  slab: {velocity: {ramp: {rate: 5 mm/s2, from: 100 ms}}, x: 1 cm}\n"
                  "couplings: [{spring_damper: [ground, block], stiffness: 2 N/mm, "
                  "damping: 3 kg/s, length: 4 cm}]\n"
                  "contacts: {pad: {between: [block, slab], load: 2 kN, model: lugre,"
                  " sigma0: 71.3 N/um, v_s: 10 mm/s}}\n"
                  "gravity: 981 cm/s2\n"
                  "run: {until: 2 min, output: 10 ms}\n");
    const bri_system *y = system_of(s);
    near(y->bodies[0].mass, 0.5, 1e-15, "mass");
    near(y->bodies[0].x, 3e-3, 1e-15, "x");
    near(y->bodies[0].v, 1.0, 1e-15, "v");
    near(y->bodies[1].x, 0.01, 1e-15, "x of the slab");
    near(bri_signal_value(y->bodies[1].velocity, 1.1), 5e-3, 1e-14, "ramp");
    near(y->couplings[0].p[0], 2000.0, 1e-15, "stiffness");
    near(y->couplings[0].p[1], 0.04, 1e-15, "length");
    near(y->couplings[0].p[2], 3.0, 1e-15, "damping");
    near(y->contacts[0].n, 2000.0, 1e-15, "load");
    near(y->contacts[0].p[bri_model_param(y->contacts[0].model, "sigma0")], 71.3e6, 1e-15,
         "sigma0");
    near(y->contacts[0].p[bri_model_param(y->contacts[0].model, "v_s")], 0.01, 1e-15, "v_s");
    near(y->gravity, 9.81, 1e-15, "gravity");
    near(bri_scenario_def(s)->t_end, 120.0, 1e-15, "until");
    near(bri_scenario_output(s), 0.01, 1e-15, "output");
    bri_scenario_free(s);
}

static void rotors_have_units_of_rotation(void **state) {
    bri_scenario *s =
        read_text("bodies: {wheel: {inertia: 20 kg cm2, x: 90 degree, v: 60 rpm}}\n"
                  "couplings: [{spring: [ground, wheel], stiffness: 2 kN mm/rad}]\n"
                  "contacts: {brake: {between: [wheel, ground], model: lugre, Fc: 1 N m,"
                  " Fs: 1.5 N m, sigma0: 3 N m/rad, v_s: 1 degree/s,"
                  " start: {z: 0.5 degree}}}\n"
                  "drives: [{on: wheel, torque: 3 N m}]\n"
                  "run: {until: 1 s}\n");
    const bri_system *y = system_of(s);
    const double pi = 3.14159265358979323846;
    assert_int_equal(y->bodies[0].kind, BRI_ROTOR);
    near(y->bodies[0].mass, 2e-3, 1e-14, "inertia");
    near(y->bodies[0].x, pi / 2.0, 1e-14, "angle");
    near(y->bodies[0].v, 2.0 * pi, 1e-14, "angular velocity");
    near(y->couplings[0].p[0], 2.0, 1e-14, "stiffness");
    near(y->contacts[0].p[bri_model_param(y->contacts[0].model, "sigma0")], 3.0, 1e-14, "sigma0");
    near(y->contacts[0].p[bri_model_param(y->contacts[0].model, "v_s")], pi / 180.0, 1e-14, "v_s");
    near(y->contacts[0].z[0], pi / 360.0, 1e-14, "z");
    assert_true(y->contacts[0].n == 1.0);
    bri_scenario_free(s);
}

/* Gears need not have whole ratios. */
static void ratios_of_gears(void **state) {
    bri_scenario *s = read_text("bodies: {a: {inertia: 1 kg m2}, b: {inertia: 1 kg m2}}\n"
                                "couplings: [{gear: [a, b], ratio: -2.5}]\nrun: {until: 1 s}\n");
    near(system_of(s)->couplings[0].p[0], -2.5, 1e-15, "ratio");
    bri_scenario_free(s);
}

/* Members of an array lie at equal distances, each moved by chance up to `scatter`. */
static void members_are_scattered(void **state) {
    bri_scenario *s = read_text("bodies: {b: {mass: 1 kg, x: 2 m, repeat: 60, spacing: 1 m, "
                                "scatter: 10 cm}}\nrun: {until: 1 s}\n");
    const bri_system *y = system_of(s);
    double low = 0.0, high = 0.0, sum = 0.0;
    assert_int_equal(y->n_bodies, 60);
    for (int i = 0; i < 60; i++) {
        double moved = y->bodies[i].x - (2.0 + i);
        low = fmin(low, moved), high = fmax(high, moved), sum += moved;
    }
    assert_true(low >= -0.1 && low < -0.08 && high <= 0.1 && high > 0.08);
    assert_true(fabs(sum / 60.0) < 0.03);
    bri_scenario_free(s);
}

/* Bytes that are no text: longer than needed, half a pair of UTF-16, beyond the last sign; and
 * their neighbours that are. */
static void only_utf8_is_text(void **state) {
    static const struct {
        const char *bytes;
        int good;
    } cases[] = {{"\xE0\x9F\xBF", 0},
                 {"\xE0\xA0\x80", 1},
                 {"\xED\xA0\x80", 0},
                 {"\xED\x9F\xBF", 1},
                 {"\xF0\x8F\xBF\xBF", 0},
                 {"\xF0\x90\x80\x80", 1},
                 {"\xF4\x90\x80\x80", 0},
                 {"\xF4\x8F\xBF\xBF", 1},
                 {"\xC1\xBF", 0},
                 {"\xC2\xA1", 1},
                 {"\xC3", 0},
                 {"\xF5\x80\x80\x80", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        bri_scenario *s = NULL;
        int n = snprintf(text, sizeof text, "# %s\nbodies: {b: {mass: 1 kg}}\nrun: {until: 1 s}\n",
                         cases[i].bytes);
        int good = bri_scenario_parse(text, (size_t)n, "t.yaml", NULL, &s, &messages) == BRI_OK;
        if (good != cases[i].good) fail_msg("case %d is %s", (int)i, good ? "taken" : "refused");
        if (!good && !strstr(messages.message[0].text, "UTF-8"))
            fail_msg("case %d: %s", (int)i, messages.message[0].text);
        bri_scenario_free(s);
    }
}

static void write_at(const char *folder, const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* A file that a scenario names lies beside the scenario, not beside who reads it. */
static void files_lie_beside_their_scenario(void **state) {
    char folder[] = "beside-XXXXXX", path[200];
    bri_scenario *s;
    assert_non_null(mkdtemp(folder));
    write_at(folder, "t.csv", "t,F\n0,1\n1,3\n");
    write_at(folder, "rig.yaml",
             "bodies: {b: {mass: 1 kg}}\n"
             "drives: {f: {on: b, force: {table: {file: t.csv, time: t, column: F}}}}\n"
             "run: {until: 1 s}\n");
    snprintf(path, sizeof path, "%s/rig.yaml", folder);
    if (bri_scenario_load(path, NULL, &s, &messages) != BRI_OK)
        fail_msg("%s", messages.message[0].text);
    near(bri_signal_value(&system_of(s)->drives[0].force, 0.5), 2.0, 1e-15, "force");
    bri_scenario_free(s);
    unlink(path);
    snprintf(path, sizeof path, "%s/t.csv", folder);
    unlink(path);
    rmdir(folder);
}

/* ---- tables: everything that is in one can be written -------------------------------------- */

/* "name: value unit", with the unit of a signal in newtons. */
static void put(char *text, const bri_param *row, const char *name, double value) {
    char unit[40];
    snprintf(unit, sizeof unit, "%s%s", row->unit[0] == '=' ? "N" : "",
             row->unit[0] == '=' ? row->unit + 1 : row->unit);
    sprintf(text + strlen(text), "%s: %.17g %s, ", name, value, strcmp(unit, "1") ? unit : "");
}

static void every_coupling_can_be_written(void **state) {
    for (int k = 0; k < bri_coupling_count(); k++) {
        const bri_coupling_kind *kind = bri_coupling_at(k);
        char keys[2000] = "";
        for (int i = 0; i < kind->n_params; i++)
            put(keys, &kind->params[i], kind->params[i].name, 2.0 + i);
        bri_scenario *s =
            read_text("bodies: {a: {%s: 1}, b: {%s: 1}}\n"
                      "couplings: {link: {%s: [a, b], %s}}\nrun: {until: 1}\n",
                      kind->ratio ? "inertia" : "mass",
                      kind->ratio && !kind->rack ? "inertia" : "mass", kind->name, keys);
        const bri_coupling *c = &system_of(s)->couplings[0];
        assert_ptr_equal(c->kind, kind);
        assert_string_equal(c->name, "link");
        assert_int_equal(c->a, 0);
        assert_int_equal(c->b, 1);
        for (int i = 0; i < kind->n_params; i++) near(c->p[i], 2.0 + i, 0.0, kind->params[i].name);
        bri_scenario_free(s);
    }
}

static void every_signal_can_be_written(void **state) {
    for (int k = 0; k < bri_signal_count(); k++) {
        const bri_signal_kind *kind = bri_signal_at(k);
        char keys[2000] = "";
        for (int i = 0; i < kind->n_params; i++)
            put(keys, &kind->params[i], kind->params[i].name, kind->params[i].def);
        const char *body = kind->holds == BRI_POINTS    ? "{t: [0, 500 ms, 2], y: [1, 2 kN, 3]}"
                           : kind->holds == BRI_PARTS   ? "[2 N, {step: 3 N}]"
                           : kind->holds == BRI_FACTORS ? "[2 N, {step: 3}]"
                                                        : NULL;
        bri_scenario *s =
            read_text("bodies: {a: {mass: 1}}\n"
                      "drives: [{on: a, force: {%s: %s%s%s}}]\nrun: {until: 1}\n",
                      kind->name, body ? body : "{", body ? "" : keys, body ? "" : "}");
        const bri_signal *f = &system_of(s)->drives[0].force;
        assert_ptr_equal(f->kind, kind);
        for (int i = 0; i < kind->n_params; i++)
            near(f->p[i], kind->params[i].def, 1e-15, kind->params[i].name);
        if (kind->holds == BRI_POINTS) near(bri_signal_value(f, 0.25), 1000.5, 1e-15, "table");
        if (kind->holds == BRI_PARTS) near(bri_signal_value(f, 1.0), 5.0, 0.0, "sum");
        if (kind->holds == BRI_FACTORS) near(bri_signal_value(f, 1.0), 6.0, 0.0, "product");
        bri_scenario_free(s);
    }
}

static void every_law_can_be_written(void **state) {
    int count;
    const bri_param *own = bri_scenario_keys("contacts", &count);
    for (int k = 0; k < bri_model_count(); k++) {
        const bri_model *m = bri_model_at(k);
        for (int force = 0; force < 2; force++) {
            char keys[4000] = "", start[2000] = "";
            int levels = 0;
            for (int i = 0; i < m->n_params; i++) {
                const bri_param *row = &m->params[i];
                levels += row->force != NULL;
                if (force && row->force)
                    sprintf(keys + strlen(keys), "%s: %.17g N, ", row->force, row->def);
                else
                    put(keys, row, row->name, row->def);
                for (int j = 0; j < count; j++) assert_string_not_equal(row->name, own[j].name);
            }
            double p[BRI_MAX_PARAMS];
            bri_model_defaults(m, p);
            int states = bri_model_states(m, p);
            for (int i = 0; i < states; i++)
                sprintf(start + strlen(start), "%s: %d %s, ", m->states[i].name, i + 1,
                        strcmp(m->states[i].unit, "1") ? m->states[i].unit : "");
            bri_scenario *s = read_text("bodies: {a: {mass: 1}}\n"
                                        "contacts: {c: {between: [a, ground], model: %s, %s %s"
                                        " start: {%s}}}\nrun: {until: 1}\n",
                                        m->name, force && levels ? "" : "load: 3 N,", keys, start);
            const bri_contact *c = &system_of(s)->contacts[0];
            assert_ptr_equal(c->model, m);
            for (int i = 0; i < m->n_params; i++) near(c->p[i], p[i], 1e-15, m->params[i].name);
            for (int i = 0; i < states; i++) near(c->z[i], i + 1.0, 0.0, m->states[i].name);
            assert_true(c->n == (force && levels ? 1.0 : 3.0));
            bri_scenario_free(s);
        }
    }
}

static void loads_are_numbers_signals_or_reactions(void **state) {
    bri_scenario *s = read_text(
        "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "contacts:\n"
        "  one: {between: [a, b], load: reaction, model: dahl}\n"
        "  two: {between: [b, ground], load: {sine: {mean: 5 N, amplitude: 1 N}}, model: dahl}\n"
        "  three: {between: [b, ground], load: 0 N, model: dahl, stochastic: {A: 0.2 N, f: 3 Hz}}\n"
        "  four: {between: [b, ground], model: viscous}\n"
        "run: {until: 1 s}\n");
    const bri_contact *c = system_of(s)->contacts;
    assert_int_equal(c[0].load, BRI_LOAD_REACTION);
    assert_int_equal(c[1].load, BRI_LOAD_SIGNAL);
    near(bri_signal_value(c[1].n_of_t, 0.25), 6.0, 1e-15, "load signal");
    assert_int_equal(c[2].load, BRI_LOAD_CONSTANT);
    assert_true(c[2].n == 0.0);
    assert_string_equal(c[2].model->name, "stochastic:dahl");
    near(c[2].p[bri_model_param(c[2].model, "A")], 0.2, 0.0, "A");
    near(c[2].p[bri_model_param(c[2].model, "f")], 3.0, 0.0, "f");
    assert_true(c[3].n == 1.0);
    bri_scenario_free(s);
}

static void bodies_need_not_be_joined(void **state) {
    bri_scenario *s =
        read_text("bodies: {lonely: {mass: 1 kg}, ball: {kind: point, mass: 1, z: 2, vz: 1}}\n"
                  "run: {until: 1 s}\n");
    bri_sim *sim;
    bri_error err;
    if (bri_sim_create(bri_scenario_def(s), &sim, &err)) fail_msg("%s", err.text);
    assert_int_equal(bri_sim_advance(sim, 1.0, &err), BRI_OK);
    near(bri_sim_body(sim, 1).z, 2.0 + 1.0 - 0.5 * 9.81, 1e-6, "free fall");
    bri_sim_free(sim);
    bri_scenario_free(s);
}

/* ---- tables from files --------------------------------------------------------------------- */

/* Names that nobody gave are all different, whatever is an array and whatever else is named. */
static void automatic_names_do_not_collide(void **state) {
    static const char *const springs[] = {"spring: [block, block.next]", "spring: [ground, block1]",
                                          "spring: [block, plate]", "spring: [block.last, plate]",
                                          "name: spring3, spring: [plate, ground]"};
    for (int order = 0; order < 120; order++) { /* the springs in every order */
        char text[1500] = "bodies:\n  block: {repeat: 4, mass: 1 kg}\n"
                          "  plate: {mass: 1 kg}\n  damper: {repeat: 2, mass: 1 kg}\n"
                          "couplings:\n"
                          "  - {damper: [damper, ground], damping: 1 N s/m}\n"
                          "  - {damper: [plate, ground], damping: 1 N s/m}\n";
        int left[5] = {0, 1, 2, 3, 4}, digits = order;
        for (int n = 5; n > 0; n--) {
            int k = digits % n;
            digits /= n;
            sprintf(text + strlen(text), "  - {%s, stiffness: 1 N/m}\n", springs[left[k]]);
            left[k] = left[n - 1];
        }
        strcat(text, "run: {until: 1 s}\n");
        bri_scenario *s = read_text(text);
        bri_recorder *columns;
        assert_int_equal(bri_recorder_create(bri_scenario_def(s), &columns, NULL), BRI_OK);
        int count = bri_recorder_columns(columns);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < i; k++)
                assert_string_not_equal(bri_recorder_name(columns, i),
                                        bri_recorder_name(columns, k));
        bri_recorder_free(columns);
        bri_scenario_free(s);
    }
}

static void a_csv_file_is_a_table(void **state) {
    char name[] = "/tmp/bristle-csv-XXXXXX", text[600];
    int fd = mkstemp(name);
    FILE *out = fdopen(fd, "w");
    fputs("\xEF\xBB\xBF\"time, in ms\",note,\"the "
          "\"\"force\"\"\"\r\n0,\"a\nb\",1\r\n\r\n500,,\"2e0\"\r\n2000, ,3",
          out);
    fclose(out);
    snprintf(text, sizeof text,
             "bodies: {a: {mass: 1}}\n"
             "drives: [{on: a, force: {table: {file: %s, time: 'time, in ms', time_unit: ms,"
             " column: 'the \"force\"', unit: kN}}}]\nrun: {until: 1}\n",
             name);
    bri_scenario *s = read_with(text, NULL);
    const bri_signal *f = &system_of(s)->drives[0].force;
    assert_int_equal(f->count, 3);
    near(bri_signal_value(f, 0.25), 1500.0, 1e-14, "between points");
    near(bri_signal_value(f, 9.0), 3000.0, 1e-14, "after the last");
    double out4[4];
    f->kind->eval(f, 2.0, out4);
    near(out4[0], 750.0 + 3750.0, 1e-14, "integral");
    bri_scenario_free(s);
    unlink(name);
}

/* ---- the same system from C ---------------------------------------------------------------- */

static void a_byte_order_mark_is_skipped(void **state) {
    bri_scenario *s = read_text("\xEF\xBB\xBF"
                                "bodies:\n  b: {mass: 2}\nrun: {until: 1}\n");
    near(system_of(s)->bodies[0].mass, 2.0, 0.0, "mass");
    bri_scenario_free(s);
    const char bad[] = "\xEF\xBB\xBF"
                       "bodies:\n  b: {mass: 2, oops}\nrun: {until: 1}\n",
               mark[] = "\xEF\xBB\xBF";
    assert_true(bri_scenario_parse(bad, strlen(bad), "test.yaml", NULL, &s, &messages) != BRI_OK);
    assert_int_equal(messages.message[0].line, 2);
    assert_true(bri_scenario_parse(mark, strlen(mark), "test.yaml", NULL, &s, &messages) != BRI_OK);
    assert_string_equal(messages.message[0].text, "test.yaml: the file is empty");
}

static void a_file_and_c_give_the_same_trajectory(void **state) {
    bri_scenario *s = read_with(rig, NULL);
    bri_signal half = bri_signal_constant(0.5);
    const bri_body bodies[] = {{.name = "block", .mass = 2.0, .v = 0.5},
                               {.name = "slab", .velocity = &half}};
    bri_coupling spring = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 0);
    spring.p[0] = 10.0;
    bri_contact pad = {.name = "pad", .model = bri_model_find("lugre"), .a = 0, .b = 1, .n = 20.0};
    bri_model_defaults(pad.model, pad.p);
    pad.p[bri_model_param(pad.model, "mu_s")] = 0.7;
    bri_drive push = {
        .name = "push", .body = 0, .force = bri_signal_defaults(bri_signal_find("sine"))};
    push.force.p[1] = 2.0;
    bri_sim_def def = bri_sim_defaults();
    def.system = (bri_system){bodies, &spring, &pad, &push, 2, 1, 1, 1, 9.81};
    def.t_end = 3.0;

    bri_sim *a, *b;
    assert_int_equal(bri_sim_create(bri_scenario_def(s), &a, NULL), BRI_OK);
    assert_int_equal(bri_sim_create(&def, &b, NULL), BRI_OK);
    for (int k = 0; k <= 300; k++) {
        assert_int_equal(bri_sim_advance(a, 0.01 * k, NULL), BRI_OK);
        assert_int_equal(bri_sim_advance(b, 0.01 * k, NULL), BRI_OK);
        bri_body_now p = bri_sim_body(a, 0), q = bri_sim_body(b, 0);
        assert_memory_equal(&p, &q, sizeof p);
        assert_true(bri_sim_contact(a, 0).F == bri_sim_contact(b, 0).F);
    }
    bri_sim_free(a);
    bri_sim_free(b);
    bri_scenario_free(s);
}

static void it_is_described_in_words(void **state) {
    bri_scenario *s = read_with(rig, NULL);
    assert_string_equal(bri_scenario_describe(s),
                        "A rig\n"
                        "bodies\n"
                        "  block        mass 2 kg, starts at x = 0 m, v = 0.5 m/s\n"
                        "  slab         prescribed velocity: 0.5 m/s\n"
                        "couplings\n"
                        "  spring       spring from ground to block: stiffness 10 N/m, length 0 m\n"
                        "contacts\n"
                        "  pad          block on slab: lugre, load 20 N\n"
                        "               given: mu_c 0.5, mu_s 0.7, sigma0 98100 N/m, sigma1 780 N "
                        "s/m\n"
                        "               default: gamma 1, sigma2 0 N s/m, nu 0 s/m, fade 0\n"
                        "               default, as published for another rig: v_s 0.05 m/s\n"
                        "drives\n"
                        "  push         force on block: sine (amplitude 1 N, frequency 2 Hz, phase "
                        "0 rad, mean 0 N, "
                        "from 0 s)\n"
                        "gravity\n"
                        "  9.81 m/s2\n"
                        "run\n"
                        "  0 ... 3 s, a sample every 0.003 s, rosenbrock, rtol 1e-06\n"
                        "compare\n"
                        "  dahl, lugre\n");
    assert_string_equal(bri_scenario_title(s), "A rig");
    bri_scenario_free(s);
    bri_scenario_free(NULL);
}

/* ---- names --------------------------------------------------------------------------------- */

/* Kinds have names up to their last one, and none beyond. */
static void kinds_have_names(void **state) {
    static const char *const endings[BRI_LANGUAGE_COUNT] = {"c", "py", "m", "st"};
    char *text = NULL;
    size_t size;
    (void)state;
    for (int i = 0; i < BRI_KNOWN_COUNT; i++) assert_non_null(bri_known_name((bri_known)i));
    assert_null(bri_known_name(BRI_KNOWN_COUNT));
    assert_string_equal(bri_known_name(BRI_FLAT), "flat");
    assert_string_equal(bri_origin_name(BRI_CARRIED), "carried");
    assert_string_equal(bri_platform_name(BRI_WIN64), "win64");
    assert_null(bri_platform_name(BRI_PLATFORM_COUNT));
    for (int i = 0; i < BRI_LANGUAGE_COUNT; i++)
        assert_string_equal(bri_language_ending((bri_language)i), endings[i]);
    assert_null(bri_language_ending(BRI_LANGUAGE_COUNT));
    FILE *out = open_memstream(&text, &size);
    bri_csv_text(out, "a,b");
    bri_csv_text(out, " \"c\"");
    bri_csv_text(out, " d");
    fclose(out);
    assert_string_equal(text, "\"a,b\"\" \"\"c\"\"\" d");
    free(text);
}

static void a_scenario_knows_its_reference(void **state) {
    bri_scenario *s;
    (void)state;
    assert_int_equal(bri_scenario_load("brake", NULL, &s, &messages), BRI_OK);
    assert_string_equal(bri_scenario_reference(s)->name, "coulomb");
    bri_scenario_free(s);
    assert_int_equal(bri_scenario_load("chain", NULL, &s, &messages), BRI_OK);
    assert_null(bri_scenario_reference(s));
    bri_scenario_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(a_scenario_knows_its_reference),
        cmocka_unit_test(members_are_scattered),
        cmocka_unit_test(ratios_of_gears),
        cmocka_unit_test(only_utf8_is_text),
        cmocka_unit_test(files_lie_beside_their_scenario),
        cmocka_unit_test(units_are_converted),
        cmocka_unit_test(rotors_have_units_of_rotation),
        cmocka_unit_test(every_coupling_can_be_written),
        cmocka_unit_test(automatic_names_do_not_collide),
        cmocka_unit_test(every_signal_can_be_written),
        cmocka_unit_test(every_law_can_be_written),
        cmocka_unit_test(loads_are_numbers_signals_or_reactions),
        cmocka_unit_test(bodies_need_not_be_joined),
        cmocka_unit_test(a_csv_file_is_a_table),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(a_file_and_c_give_the_same_trajectory),
        cmocka_unit_test(it_is_described_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
