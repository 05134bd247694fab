/* test_fmu_rig.c - rigs as FMUs, by an importer of our own: the description against itself and the
 * columns of the run, Co-Simulation against the library's own run, Model Exchange integrated by
 * CVODE with event location, derivatives against differences, parameters while it runs, and states
 * that another instance, also of a binary loaded elsewhere, goes on from to the same bits. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_fmu.h"
#include "bristle_scenario.h"
#include "depth.h"
#include "fmu_calls.h"

#include <ctype.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <pthread.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { MOST = 64 };

/* A block that is pushed by steps and lies on a table that moves in jerks: exact stick, loads from
 * the weight, kinks of signals, a function of the motion with a corner, a parameter that varies, a
 * motion and forces that are expressions of time. */
static const char jerks[] =
    "title: 'Jerks */ #error \"\?\?/ \\'\n" /* a title is no part of the program */
    "parameters: {k: 30 N/m}\n"
    "signals:\n"
    "  ref: {table: {t: [0, 0.3 s, 0.6 s], y: [0 m, 2 cm, 1 cm]}}\n"
    "  beat: \"0.3 N*max(sin(11*t/(1 s)), 0.2)\"\n"
    "bodies:\n"
    "  block: {mass: 1 kg}\n"
    "  table: {mass: 4 kg}\n"
    "  shaker: {velocity: \"1 cm/s*sin(13*t/(1 s)) + max(ref', 0 m/s)/20\"}\n"
    "couplings:\n"
    "  - {spring: [table, shaker], stiffness: 60 N/m}\n"
    "  - {spring_damper: [table, ground], stiffness: 400 N/m, damping: 4 N s/m}\n"
    "contacts:\n"
    "  pad: {between: [block, table], model: coulomb, mu_s: 0.11,\n"
    "        mu_c: 0.1 + 0.01*sin(9*t/(1 s)), load: reaction}\n"
    "drives:\n"
    "  kick: {on: table, force: {step: {value: 9 N, at: 0.4 s, before: -2 N}}}\n"
    "  tap: {on: table, force: {pulses: {value: 1 N, width: 0.07 s, period: 0.14 s, count: 4}}}\n"
    "  pull: {on: block, force: \"k*max(ref - x, 0 m)\"}\n"
    "  hum: {on: block, force: {sum: [{sine: {amplitude: 0.1 N, frequency: 3 Hz}}, beat/2]}}\n"
    "run: {until: 1 s, output: 10 ms}\n";

typedef struct rig {
    bri_scenario *s;
    bri_sim_def def;
    fmu f, twin; /* the same binary, loaded twice: at other addresses, as in another process */
    char name[60];
    bri_rows rows;
    int flows; /* nonzero: in Model Exchange force and load are those of smooth_force and _load */
} rig;

static void make(rig *r, const char *name, const char *text, int version, const char *inputs) {
    static bri_messages messages;
    char file[80];
    bri_error err;
    bri_fmu_options how = {
        .version = version, .wanted = 1u << BRI_LINUX64, .name = name, .inputs = inputs};
    memset(r, 0, sizeof *r);
    snprintf(r->name, sizeof r->name, "%s", name);
    bri_status status = text ? bri_scenario_parse(text, strlen(text), name, NULL, &r->s, &messages)
                             : bri_scenario_load(name, NULL, &r->s, &messages);
    if (status) fail_msg("%s: %s", name, messages.message[0].text);
    r->def = *bri_scenario_def(r->s);
    r->def.solver = NULL;
    r->rows = bri_rows_of(&r->def, bri_scenario_output(r->s));
    snprintf(file, sizeof file, "/tmp/bristle-test-rig-%ld.fmu", (long)getpid());
    if (bri_fmu_write_rig(r->s, &how, file, &err)) fail_msg("%s: %s", name, err.text);
    fmu_open(&r->f, file, name, version);
    fmu_open(&r->twin, file, name, version);
    unlink(file);
}

static void drop(rig *r) {
    fmu_close(&r->f);
    fmu_close(&r->twin);
    bri_scenario_free(r->s);
}

/* ---- the description ------------------------------------------------------------------------- */

/* Letters, digits, dots and indices in brackets; der() of such a name. */
static int is_structured(const char *name) {
    size_t n = strlen(name);
    char inner[200];
    if (strncmp(name, "der(", 4) == 0 && name[n - 1] == ')') {
        snprintf(inner, sizeof inner, "%.*s", (int)n - 5, name + 4);
        return is_structured(inner);
    }
    int begins = 1;
    for (; *name; name++) {
        if (begins && !isalpha((unsigned char)*name) && *name != '_') return 0;
        begins = *name == '.';
        if (*name == '[') {
            size_t digits = strspn(++name, "0123456789");
            if (!digits || name[digits] != ']') return 0;
            name += digits;
        } else if (!isalnum((unsigned char)*name) && *name != '_' && *name != '.') {
            return 0;
        }
    }
    return !begins;
}

static void check_rows(const rig *r) {
    const fmu *f = &r->f;
    for (int i = 0; i < f->count; i++) {
        const fmu_row *v = &f->row[i];
        if (!is_structured(v->name)) fail_msg("%s: '%s' is no structured name", r->name, v->name);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(v->name, f->row[k].name);
            assert_int_not_equal(v->number, f->row[k].number);
        }
        if (v->unit[0]) {
            char unit[80];
            snprintf(unit, sizeof unit, "<Unit name=\"%s\"", v->unit);
            if (!strstr(f->xml, unit)) fail_msg("%s: unit %s is not defined", v->name, v->unit);
        }
        if (v->derivative[0]) {
            char name[200];
            unsigned to = (unsigned)strtoul(v->derivative, NULL, 10);
            const fmu_row *state = f->version == 3 ? row_numbered(f, to) : &f->row[to - 1];
            snprintf(name, sizeof name, "der(%s)", state->name);
            assert_string_equal(v->name, name);
        }
        int exact = strcmp(v->initial, "exact") == 0 || strcmp(v->causality, "input") == 0;
        if (exact != (v->start[0] != '\0')) fail_msg("%s: initial and start", v->name);
        if (strcmp(v->causality, "parameter") == 0) {
            double start = strtod(v->start, NULL);
            assert_true(start >= strtod(v->min, NULL) && start <= strtod(v->max, NULL));
        }
    }
}

/* Every column of the run but integrals is an output, in its unit. */
static void check_columns(const rig *r) {
    bri_recorder *all;
    bri_error err;
    int index[MOST_ROWS], outputs = structure_of(&r->f, "Outputs", "Output", index), count = 0;
    assert_int_equal(bri_recorder_create(&r->def, &all, &err), BRI_OK);
    for (int i = 1; i < bri_recorder_columns(all); i++) {
        const char *name = bri_recorder_name(all, i), *unit = bri_recorder_unit(all, i);
        if (strncmp(name, "energy.d", 8) == 0 || strncmp(name, "energy.w", 8) == 0 ||
            strncmp(name, "energy.r", 8) == 0)
            continue;
        const fmu_row *v = row_of(&r->f, name);
        assert_string_equal(v->causality, "output");
        assert_string_equal(v->unit, strcmp(unit, "1") ? unit : "");
        int listed = 0;
        for (int k = 0; k < outputs; k++) listed |= &r->f.row[index[k]] == v;
        assert_true(listed);
        count++;
    }
    assert_int_equal(count, outputs);
    int n = structure_of(&r->f, "InitialUnknowns", "InitialUnknown", index);
    for (int i = 0; i < n; i++) assert_string_equal(r->f.row[index[i]].initial, "calculated");
    bri_recorder_free(all);
}

/* ---- Co-Simulation --------------------------------------------------------------------------- */

static void *begin_in(const rig *r, const fmu *f, int exchange) {
    void *c = instance(f, exchange, f->token);
    assert_non_null(c);
    if (enter_from(f, c, r->def.rtol, r->def.t_start, r->def.t_end)) fail_msg("%s", last_words);
    if (leave(f, c)) fail_msg("%s", last_words);
    return c;
}

static void *begin(const rig *r, int exchange) { return begin_in(r, &r->f, exchange); }

/* Sizes of the columns over the run, and the rows of the library. */
typedef struct answer {
    bri_recorder *columns;
    double *row;
    long count;
    double size[2000];
} answer;

static void run_library(const rig *r, answer *a) {
    bri_sim *sim;
    bri_error err;
    assert_int_equal(bri_recorder_create(&r->def, &a->columns, &err), BRI_OK);
    int n = bri_recorder_columns(a->columns);
    assert_true(n <= 2000);
    memset(a->size, 0, sizeof a->size);
    a->count = r->rows.count;
    a->row = calloc((size_t)(n * a->count), sizeof *a->row);
    assert_int_equal(bri_sim_create(&r->def, &sim, &err), BRI_OK);
    for (long i = 0; i < a->count; i++) {
        double *row = a->row + i * n;
        if (bri_sim_advance(sim, bri_row_time(&r->rows, i), &err)) fail_msg("%s", err.text);
        bri_recorder_read(a->columns, sim, row);
        for (int k = 0; k < n; k++) a->size[k] = fmax(a->size[k], fabs(row[k]));
    }
    bri_sim_free(sim);
}

static void free_answer(answer *a) {
    bri_recorder_free(a->columns);
    free(a->row);
}

/* The largest difference of columns that are continuous, as a share of their size. */
static double differs(const rig *r, void *c, const answer *a, long i, const char **where) {
    int n = bri_recorder_columns(a->columns);
    double worst = 0.0;
    for (int k = 1; k < n; k++) {
        const char *name = bri_recorder_name(a->columns, k), *dot = strrchr(name, '.');
        if (strcmp(dot, ".mode") == 0 || strncmp(name, "energy.", 7) == 0) continue;
        double off = fabs(get(&r->f, c, name) - a->row[i * n + k]) / (a->size[k] + 1e-12);
        if (off > worst) worst = off, *where = name;
    }
    return worst;
}

static void steps(const rig *r, const answer *a, double tolerance) {
    void *c = begin(r, 0);
    const char *where = "";
    double worst = differs(r, c, a, 0, &where);
    for (long i = 1; i < a->count; i++) {
        double from = bri_row_time(&r->rows, i - 1), to = bri_row_time(&r->rows, i);
        if (do_step(&r->f, c, from, to - from)) fail_msg("%s", last_words);
        worst = fmax(worst, differs(r, c, a, i, &where));
    }
    if (!(worst <= tolerance))
        fail_msg("%s: Co-Simulation is off by %g, at %s", r->name, worst, where);
    release(&r->f, c);
}

/* ---- Model Exchange, by CVODE ---------------------------------------------------------------- */

typedef struct exchange {
    const rig *r;
    void *c;
    int states, indicators;
} exchange;

static double smooth_force(double t) { return 8.0 + 6.0 * sin(7.0 * t); }
static double smooth_load(double t) { return 10.0 + 2.0 * sin(5.0 * t); }

static void apply(const exchange *e, double t) {
    if (!e->r->flows) return;
    assert_int_equal(set(&e->r->f, e->c, "push.force", smooth_force(t)), OK);
    assert_int_equal(set(&e->r->f, e->c, "pad.load", smooth_load(t)), OK);
}

static void place(const exchange *e, double t, const double *y) {
    typedef int time_call(void *, double);
    typedef int states_call(void *, const double *, size_t);
    const fmu *f = &e->r->f;
    assert_int_equal(CALL(f, V(f, "fmi2SetTime", "fmi3SetTime"), time_call *, e->c, t), OK);
    assert_int_equal(CALL(f, V(f, "fmi2SetContinuousStates", "fmi3SetContinuousStates"),
                          states_call *, e->c, y, (size_t)e->states),
                     OK);
    apply(e, t);
}

static int rates(double t, N_Vector y, N_Vector dy, void *to) {
    const exchange *e = to;
    place(e, t, N_VGetArrayPointer(y));
    return array(&e->r->f, "fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives", e->c,
                 N_VGetArrayPointer(dy), (size_t)e->states);
}

static int indicators(double t, N_Vector y, double *g, void *to) {
    const exchange *e = to;
    place(e, t, N_VGetArrayPointer(y));
    return array(&e->r->f, "fmi2GetEventIndicators", "fmi3GetEventIndicators", e->c, g,
                 (size_t)e->indicators);
}

/* Event mode at (t, y), and out again; nonzero: the integrator is to begin anew. */
static int meet(const exchange *e, double t, double *y) {
    const fmu *f = &e->r->f;
    int changed = 0;
    place(e, t, y);
    assert_int_equal(simple(f, "fmi2EnterEventMode", "fmi3EnterEventMode", e->c), OK);
    if (new_states(f, e->c, &changed)) fail_msg("%s", last_words);
    if (changed)
        assert_int_equal(array(f, "fmi2GetContinuousStates", "fmi3GetContinuousStates", e->c, y,
                               (size_t)e->states),
                         OK);
    assert_int_equal(simple(f, "fmi2EnterContinuousTimeMode", "fmi3EnterContinuousTimeMode", e->c),
                     OK);
    return changed;
}

static void integrate(const rig *r, const answer *a, double rtol, double tolerance) {
    exchange e = {.r = r, .c = begin(r, 1)};
    const fmu *f = &r->f;
    int index[MOST_ROWS], changed, events = 0;
    const char *where = "";
    double worst = 0.0, t = r->def.t_start;
    SUNContext context;
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &context);
#else
    SUNContext_Create(NULL, &context);
#endif
    e.states = structure_of(f, "Derivatives", "ContinuousStateDerivative", index);
    for (int i = 0; i < f->count; i++)
        e.indicators += strstr(f->row[i].name, "event_") || !strncmp(f->row[i].name, "switch_", 7);
    apply(&e, t);
    if (new_states(f, e.c, &changed)) fail_msg("%s", last_words);
    assert_int_equal(simple(f, "fmi2EnterContinuousTimeMode", "fmi3EnterContinuousTimeMode", e.c),
                     OK);
    N_Vector y = N_VNew_Serial(e.states, context), sizes = N_VNew_Serial(e.states, context);
    double *now = N_VGetArrayPointer(y), *size = N_VGetArrayPointer(sizes);
    array(f, "fmi2GetContinuousStates", "fmi3GetContinuousStates", e.c, now, (size_t)e.states);
    array(f, "fmi2GetNominalsOfContinuousStates", "fmi3GetNominalsOfContinuousStates", e.c, size,
          (size_t)e.states);
    for (int i = 0; i < e.states; i++) size[i] *= rtol;
    void *memory = CVodeCreate(CV_BDF, context);
    SUNMatrix J = SUNDenseMatrix(e.states, e.states, context);
    SUNLinearSolver by = SUNLinSol_Dense(y, J, context);
    CVodeInit(memory, rates, t, y);
    CVodeSVtolerances(memory, rtol, sizes);
    CVodeSetLinearSolver(memory, by, J);
    CVodeSetUserData(memory, &e);
    CVodeSetMaxNumSteps(memory, 1000000);
    CVodeRootInit(memory, e.indicators, indicators);
    CVodeSetNoInactiveRootWarn(memory);
    for (long i = 1; i < a->count; i++) {
        double to = bri_row_time(&r->rows, i), before = INFINITY;
        while (t < to) {
            int same = fabs(next_event - to) <= 1e-9 * fabs(to); /* as other importers have it */
            double stop = same ? to : fmin(next_event, to);
            CVodeSetStopTime(memory, stop);
            int status = CVode(memory, stop, y, &t, CV_NORMAL);
            if (status < 0) fail_msg("%s: CVODE gives up with %d at %g s", r->name, status, t);
            if (status == CV_ROOT_RETURN || t >= next_event || (same && t >= to)) {
                assert_true(++events < 100000);
                place(&e, t, now);
                if (t >= to) before = differs(r, e.c, a, i, &where);
                if (meet(&e, t, now)) CVodeReInit(memory, t, y); /* so does fmusim */
            }
        }
        place(&e, t, now);
        worst = fmax(worst, fmin(before, differs(r, e.c, a, i, &where))); /* a side of a jump */
    }
    if (!(worst <= tolerance))
        fail_msg("%s: Model Exchange is off by %g, at %s, after %d events", r->name, worst, where,
                 events);
    CVodeFree(&memory);
    SUNLinSolFree(by);
    SUNMatDestroy(J);
    N_VDestroy(y);
    N_VDestroy(sizes);
    SUNContext_Free(&context);
    release(f, e.c);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

static double derive(const fmu *f, void *c, const char *of, const char *by) {
    typedef int derive2(void *, const unsigned *, size_t, const unsigned *, size_t, const double *,
                        double *);
    typedef int derive3(void *, const unsigned *, size_t, const unsigned *, size_t, const double *,
                        size_t, double *, size_t);
    unsigned unknown = row_of(f, of)->number, known = row_of(f, by)->number;
    double seed = 1.0, out = NAN;
    int status = f->version == 3 ? CALL(f, "fmi3GetDirectionalDerivative", derive3 *, c, &unknown,
                                        1, &known, 1, &seed, 1, &out, 1)
                                 : CALL(f, "fmi2GetDirectionalDerivative", derive2 *, c, &unknown,
                                        1, &known, 1, &seed, &out);
    if (status) fail_msg("%s by %s: %s", of, by, last_words);
    return out;
}

/* d(of)/d(state k) by differences of what the unit says at both sides. */
static double difference(exchange *e, const char *of, double t, double *y, int k, double h) {
    double ends[2], was = y[k];
    for (int side = 0; side < 2; side++) {
        y[k] = was + (side ? -h : h);
        place(e, t, y);
        ends[side] = get(&e->r->f, e->c, of);
    }
    y[k] = was;
    place(e, t, y);
    return (ends[0] - ends[1]) / (2.0 * h);
}

static void test_belt(void **state) {
    (void)state;
    rig r;
    answer a;
    make(&r, "belt", NULL, 2, NULL);
    check_rows(&r);
    check_columns(&r);
    run_library(&r, &a);
    steps(&r, &a, 1e-6);
    integrate(&r, &a, 1e-9, 1e-4);
    /* derivatives, while it slides */
    exchange e = {.r = &r, .c = begin(&r, 1), .states = 3};
    double y[3] = {0.02, 0.07, 3e-6}, step[3] = {1e-6, 1e-6, 1e-9};
    static const char *const states[] = {"block.x", "block.v", "pad.z"};
    static const char *const of[] = {"der(block.v)", "der(pad.z)", "pad.F", "spring.F", "block.v"};
    meet(&e, 0.5, y);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < sizeof of / sizeof *of; i++)
            near(derive(&r.f, e.c, of[i], states[k]), difference(&e, of[i], 0.5, y, k, step[k]),
                 1e-5, of[i]);
    near(derive(&r.f, e.c, "der(block.v)", "spring.stiffness"), -0.02, 1e-6, "by stiffness");
    near(derive(&r.f, e.c, "spring.F", "spring.stiffness"), 0.02, 1e-9, "tension by stiffness");
    near(derive(&r.f, e.c, "pad.F", "pad.sigma0") * 1e6,
         -derive(&r.f, e.c, "der(block.v)", "pad.sigma0") * 1e6, 1e-4, "friction by stiffness");
    near(derive(&r.f, e.c, "energy.kinetic", "block.mass"), 0.5 * 0.07 * 0.07, 1e-9, "energy");
    near(derive(&r.f, e.c, "block.x", "block.mass"), 0.0, 0.0, "a state");
    release(&r.f, e.c);
    free_answer(&a);
    drop(&r);
}

/* ---- parameters and states ------------------------------------------------------------------- */

/* What the unit shows after some steps. */
static void go_on(const rig *r, const fmu *f, void *c, long from, long to, double *end) {
    int shown[MOST_ROWS], n = structure_of(f, "Outputs", "Output", shown);
    for (long i = from; i < to; i++) {
        double t = bri_row_time(&r->rows, i), next = bri_row_time(&r->rows, i + 1);
        if (do_step(f, c, t, next - t)) fail_msg("%s", last_words);
    }
    for (int k = 0; k < n; k++)
        assert_int_equal(get_number(f, c, f->row[shown[k]].number, &end[k]), OK);
}

typedef int state_call(void *, void **);
typedef int set_state_call(void *, void *);
typedef int size_call(void *, void *, size_t *);
typedef int bytes_call(void *, void *, void *, size_t);
typedef int back_call(void *, const void *, size_t, void **);

static int set_state(const fmu *f, void *c, void *state) {
    return CALL(f, V(f, "fmi2SetFMUstate", "fmi3SetFMUState"), set_state_call *, c, state);
}

static int drop_state(const fmu *f, void *c, void **state) {
    return CALL(f, V(f, "fmi2FreeFMUstate", "fmi3FreeFMUState"), state_call *, c, state);
}

static void *read_state(const fmu *f, void *c, const char *bytes, size_t size) {
    void *state = NULL;
    if (CALL(f, V(f, "fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState"), back_call *, c, bytes,
             size, &state))
        fail_msg("%s", last_words);
    return state;
}

/* A state is saved in the middle, gone on from, and gone back to by the same instance, also after a
 * reset, by another one, and by one of the binary that was loaded elsewhere. */
static void round_trip(const rig *r) {
    const fmu *f = &r->f;
    static double first[MOST_ROWS], again[MOST_ROWS];
    long half = r->rows.count / 2, end = half + r->rows.count / 4;
    void *c = begin(r, 0), *kept = NULL;
    size_t size = 0;
    go_on(r, f, c, 0, half, first);
    assert_int_equal(CALL(f, V(f, "fmi2GetFMUstate", "fmi3GetFMUState"), state_call *, c, &kept),
                     OK);
    go_on(r, f, c, half, end, first);
    for (int i = 0; i < 2; i++) {
        if (set_state(f, c, kept)) fail_msg("%s", last_words);
        go_on(r, f, c, half, end, again);
        assert_memory_equal(first, again, sizeof first);
        assert_int_equal(simple(f, "fmi2Reset", "fmi3Reset", c), OK);
    }
    CALL(f, V(f, "fmi2SerializedFMUstateSize", "fmi3SerializedFMUStateSize"), size_call *, c, kept,
         &size);
    char *bytes = malloc(size);
    assert_int_equal(CALL(f, V(f, "fmi2SerializeFMUstate", "fmi3SerializeFMUState"), bytes_call *,
                          c, kept, bytes, size),
                     OK);
    drop_state(f, c, &kept);
    release(f, c);
    for (int i = 0; i < 2; i++) {
        const fmu *to = i == 0 ? f : &r->twin;
        void *other = begin_in(r, to, 0), *state = read_state(to, other, bytes, size);
        if (set_state(to, other, state)) fail_msg("%s", last_words);
        go_on(r, to, other, half, end, again);
        assert_memory_equal(first, again, sizeof first);
        drop_state(to, other, &state);
        bytes[size / 2] ^= 1; /* a wrong bit is found */
        state = read_state(to, other, bytes, size);
        assert_int_equal(set_state(to, other, state), ERROR);
        bytes[size / 2] ^= 1;
        drop_state(to, other, &state);
        release(to, other);
    }
    free(bytes);
}

/* A mass on LuGre friction with a controller in a computer: the force is an input that is held over
 * a millisecond. Position after 2,000 samples by SciPy's LSODA, rtol 1e-9, restarted at every
 * sample. */
#define AXIS(law, load, force)                                                                     \
    "bodies: {mass: {mass: 1 kg}}\n"                                                               \
    "contacts:\n"                                                                                  \
    "  pad: {between: [mass, ground], mu_c: 0.5, mu_s: 0.6, " law ", load: " load "}\n"            \
    "drives: {push: {on: mass, force: " force "}}\n"                                               \
    "run: {until: 2 s, output: 1 ms, rtol: 1e-8}\n"
#define LUGRE       "model: lugre, v_s: 0.05 m/s, gamma: 1, sigma0: 1e5 N/m, sigma1: 300 N s/m"
#define SMOOTH(law) AXIS(law, "\"10 N + 2 N*sin(5*t/(1 s))\"", "\"8 N + 6 N*sin(7*t/(1 s))\"")
static const char axis[] = AXIS(LUGRE, "10 N", "0 N");
static const char driven[] = SMOOTH(LUGRE);

static void control(const rig *r) {
    double sum = 0.0;
    void *c = begin(r, 0);
    for (int i = 0; i < 2000; i++) {
        double e = 0.1 - get(&r->f, c, "mass.x");
        sum += e * 1e-3;
        double u = fmin(200.0 * e + 100.0 * sum - 10.0 * get(&r->f, c, "mass.v"), 20.0);
        assert_int_equal(set(&r->f, c, "push.force", u), OK);
        if (do_step(&r->f, c, 1e-3 * i, 1e-3)) fail_msg("%s", last_words);
    }
    near(get(&r->f, c, "mass.x"), 0.103746119, 1e-7, "by a controller");
    release(&r->f, c);
}

/* Force and load that change smoothly, told once per step: where the mass is at the end. */
static double follow(const rig *r, double h, int with_slopes) {
    void *c = begin(r, 0);
    for (int i = 0; i < (int)lround(1.0 / h); i++) {
        double t[2] = {h * i, h * (i + 1)}, force[2], load[2];
        for (int k = 0; k < 2; k++) {
            force[k] = smooth_force(t[k]);
            load[k] = smooth_load(t[k]);
        }
        assert_int_equal(set(&r->f, c, "push.force", force[0]), OK);
        assert_int_equal(set(&r->f, c, "pad.load", load[0]), OK);
        if (with_slopes) {
            assert_int_equal(slope(&r->f, c, "push.force", (force[1] - force[0]) / h), OK);
            assert_int_equal(slope(&r->f, c, "pad.load", (load[1] - load[0]) / h), OK);
        }
        if (do_step(&r->f, c, t[0], t[1] - t[0])) fail_msg("%s", last_words);
        double end = with_slopes ? force[1] : force[0];
        near(get(&r->f, c, "push.force"), end, 1e-12, "the input at the end of the step");
        near(get(&r->f, c, "pad.N"), with_slopes ? load[1] : load[0], 1e-12, "the load there");
    }
    double x = get(&r->f, c, "mass.x");
    release(&r->f, c);
    return x;
}

/* Inputs with slopes keep the order of the host's steps: what the library finds with the signals
 * themselves is approached with the square of the step. */
static void slopes(const rig *r) {
    static bri_messages messages;
    bri_scenario *s;
    bri_error err;
    bri_sim *sim;
    assert_int_equal(bri_scenario_parse(driven, strlen(driven), "", NULL, &s, &messages), BRI_OK);
    assert_int_equal(bri_sim_create(bri_scenario_def(s), &sim, &err), BRI_OK);
    if (bri_sim_advance(sim, 1.0, &err)) fail_msg("%s", err.text);
    double x = bri_sim_body(sim, 0).x, held = fabs(follow(r, 0.0025, 0) - x),
           coarse = fabs(follow(r, 0.0025, 1) - x), fine = fabs(follow(r, 0.00125, 1) - x);
    if (!(coarse < held / 10.0 && fine < coarse / 3.0))
        fail_msg("held %g, with slopes %g, at half the step %g", held, coarse, fine);
    bri_sim_free(sim);
    bri_scenario_free(s);
}

/* Force and load are inputs that the host has at every time, also within its steps: what the
 * library finds with the signals themselves. */
static void flow(rig *r, const char *with_signals) {
    static bri_messages messages;
    bri_scenario *s;
    rig same = *r;
    answer a;
    assert_int_equal(
        bri_scenario_parse(with_signals, strlen(with_signals), "", NULL, &s, &messages), BRI_OK);
    same.def = *bri_scenario_def(s);
    run_library(&same, &a);
    r->flows = 1;
    integrate(r, &a, 1e-9, 3e-4); /* where the friction falls most steeply */
    r->flows = 0;
    free_answer(&a);
    bri_scenario_free(s);
}

/* A contact that sticks exactly lets go where a force that flows reaches its level. */
static void test_flow(void **state) {
    (void)state;
    rig r;
    make(&r, "axis", AXIS("model: coulomb", "10 N", "0 N"), 3, "push.force,pad.load");
    flow(&r, SMOOTH("model: coulomb"));
    drop(&r);
}

/* Numbers changed in the middle, also two that must fit together, against the library; inputs. */
static void test_parameters(void **state) {
    (void)state;
    rig r;
    bri_error err;
    bri_sim *sim;
    bri_ref ref[3];
    double x[3] = {0.4, 0.3, 7.0}, y[8];
    make(&r, "axis", axis, 3, "push.force,pad.load");
    check_rows(&r);
    slopes(&r);
    assert_string_equal(row_of(&r.f, "push.force")->causality, "input");
    assert_string_equal(row_of(&r.f, "push.force")->variability, "continuous");
    assert_string_equal(row_of(&r.f, "push.force_slope")->variability, "discrete");
    control(&r);
    void *c = begin(&r, 0);
    assert_int_equal(bri_sim_create(&r.def, &sim, &err), BRI_OK);
    static const char *const names[] = {"pad.mu_s", "pad.mu_c", "push.force"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(bri_sim_find(sim, names[i], &ref[i], &err), BRI_OK);
    for (int i = 0; i < 100; i++) {
        if (i == 50) {
            assert_int_equal(bri_sim_set_all(sim, ref, x, 3, &err), BRI_OK);
            assert_int_equal(set(&r.f, c, "pad.mu_s", 0.4), OK); /* below mu_c for a moment */
            assert_int_equal(set(&r.f, c, "pad.mu_c", 0.3), OK);
            assert_int_equal(set(&r.f, c, "push.force", 7.0), OK);
        }
        assert_int_equal(bri_sim_advance(sim, 0.01 * (i + 1), &err), BRI_OK);
        if (do_step(&r.f, c, 0.01 * i, 0.01 * (i + 1) - 0.01 * i)) fail_msg("%s", last_words);
    }
    bri_sim_state_get(sim, y);
    assert_true(y[0] > 0.1);
    near(get(&r.f, c, "mass.x"), y[0], 1e-6, "x");
    near(get(&r.f, c, "pad.F"), bri_sim_contact(sim, 0).F, 1e-5, "F");
    near(get(&r.f, c, "pad.mu_c"), 0.3, 0.0, "mu_c");
    assert_int_equal(set(&r.f, c, "pad.mu_c", -1.0), ERROR);
    assert_string_equal(last_words, "fmi3SetFloat64: pad.mu_c = -1 is outside 1e-06 ... 1e+06");
    assert_int_equal(set(&r.f, c, "pad.mu_c", 0.5), OK);
    assert_int_equal(do_step(&r.f, c, 1.0, 0.01), ERROR);
    assert_string_equal(last_words, "fmi3DoStep: pad: lugre: mu_s must be >= mu_c");
    assert_int_equal(set(&r.f, c, "pad.mu_c", 0.3), OK);
    near(derive(&r.f, c, "der(mass.v)", "push.force"), 1.0, 1e-9, "by an input, 1/mass");
    near(derive(&r.f, c, "pad.N", "pad.load"), 1.0, 1e-9, "an output by an input");
    near(derive(&r.f, c, "pad.F", "push.force"), 0.0, 1e-9, "friction knows the speed alone");
    near(derive(&r.f, c, "pad.N", "pad.load_slope"), 0.0, 0.0, "it acts on what is to come");
    release(&r.f, c);
    bri_sim_free(sim);
    drop(&r);
}

typedef struct worker {
    const rig *r;
    double x;
} worker;

static void *work(void *to) {
    worker *w = to;
    w->x = follow(w->r, 0.01, 1);
    return NULL;
}

/* Instances in threads of their own go to the same bits as one alone. */
static void in_threads(const rig *r) {
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    worker all[THREADS];
    double alone = follow(r, 0.01, 1);
    for (int i = 0; i < THREADS; i++) {
        all[i].r = r;
        assert_int_equal(pthread_create(&thread[i], NULL, work, &all[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        near(all[i].x, alone, 0.0, "in a thread");
    }
}

/* FMI 2 tells slopes by a call of its own, for the next step alone. */
static void test_slopes(void **state) {
    (void)state;
    rig r;
    make(&r, "axis", axis, 2, "push.force,pad.load,pad.mu_c");
    assert_non_null(strstr(r.f.xml, "canInterpolateInputs=\"true\""));
    check_rows(&r);
    slopes(&r);
    flow(&r, driven);
    in_threads(&r);
    void *c = begin(&r, 0);
    assert_int_equal(slope(&r.f, c, "pad.mu_c", 1.0), ERROR);
    assert_non_null(strstr(last_words, "it is no input that has a slope"));
    assert_int_equal(slope(&r.f, c, "mass.x", 1.0), ERROR);
    assert_int_equal(slope(&r.f, c, "push.force", NAN), ERROR);
    assert_int_equal(set(&r.f, c, "push.force", INFINITY), DISCARD);
    assert_string_equal(last_words, "fmi2SetReal: push.force = inf is not a number");
    release(&r.f, c);
    drop(&r);
}

/* FMI 3: steps end where something happens at a contact, at the times that the library finds. */
static void stops_at_events(const rig *r, const answer *a) {
    bri_sim *sim;
    bri_error err;
    int count, changed, met = 0;
    double t = r->def.t_start, late = 0.0;
    const char *where = "";
    assert_int_equal(bri_sim_create(&r->def, &sim, &err), BRI_OK);
    assert_int_equal(bri_sim_advance(sim, r->def.t_end, &err), BRI_OK);
    const bri_event *events = bri_sim_events(sim, &count, NULL);
    assert_true(count > 2);
    early_return = 1;
    void *c = begin(r, 0);
    early_return = 0;
    assert_int_equal(simple(&r->f, "", "fmi3EnterStepMode", c), OK);
    for (long i = 10; i < a->count; i += 10) { /* long steps, so that there are events within */
        double to = bri_row_time(&r->rows, i);
        for (; t < to; t = reached) {
            early_return = 1;
            if (do_step(&r->f, c, t, to - t)) fail_msg("%s", last_words);
            early_return = 0;
            if (!event_needed) continue;
            while (met < count && events[met].t < reached - 1e-5) met++;
            assert_true(met < count);
            late = fmax(late, fabs(events[met].t - reached));
            met++;
            assert_int_equal(simple(&r->f, "", "fmi3EnterEventMode", c), OK);
            assert_int_equal(new_states(&r->f, c, &changed), OK);
            assert_int_equal(simple(&r->f, "", "fmi3EnterStepMode", c), OK);
        }
        if (differs(r, c, a, i, &where) > 1e-4) fail_msg("%s at %g s", where, t);
    }
    assert_int_equal(met, count);
    if (late > 1e-5) fail_msg("an event is told %g s off", late);
    release(&r->f, c);
    bri_sim_free(sim);
}

/* What is told within the steps of FMI 3: the instance, the times, and at which one it is asked to
 * return, if at any. */
static struct {
    const rig *r;
    void *c;
    double at[4000], asked;
    int count;
} between;

static void hear_between(void *environment, double time, bool set_wanted, bool get_allowed,
                         bool finished, bool can_return, bool *return_wanted, double *return_time) {
    typedef int step3(void *, double, double, bool, bool *, bool *, bool *, double *);
    bool b;
    double t;
    const fmu *f = &between.r->f;
    assert_ptr_equal(environment, last_words);
    assert_true(!set_wanted && get_allowed && finished && can_return);
    assert_true(get(f, between.c, "time") == time && between.count < 4000);
    between.at[between.count++] = time;
    assert_int_equal(set(f, between.c, "block.v", 0.1), ERROR);
    assert_string_equal(last_words, "fmi3SetFloat64: not allowed in intermediate update mode");
    assert_int_equal(CALL(f, "fmi3DoStep", step3 *, between.c, time, 1.0, true, &b, &b, &b, &t),
                     ERROR);
    if (!(between.asked > time)) return;
    *return_wanted = true;
    *return_time = between.asked;
}

/* Every event at a contact is told at its time, and then the end of the step, which the host may
 * have earlier. */
static void tells_between(const rig *r, const answer *a) {
    bri_sim *sim;
    bri_error err;
    int count, met = 0, told = 0;
    const char *where = "";
    assert_int_equal(bri_sim_create(&r->def, &sim, &err), BRI_OK);
    assert_int_equal(bri_sim_advance(sim, r->def.t_end, &err), BRI_OK);
    const bri_event *events = bri_sim_events(sim, &count, NULL);
    may_return = 1;
    told_between = hear_between;
    memset(&between, 0, sizeof between);
    between.r = r;
    void *c = between.c = begin(r, 0);
    told_between = NULL;
    for (long i = 10; i < a->count; i += 10) {
        double from = bri_row_time(&r->rows, i - 10), to = bri_row_time(&r->rows, i);
        between.count = 0;
        if (do_step(&r->f, c, from, to - from)) fail_msg("%s", last_words);
        assert_true(between.count > 0 && reached == between.at[between.count - 1]);
        for (int k = 0; k + 1 < between.count; k++, met++, told++) {
            while (met < count && events[met].t < between.at[k] - 1e-5)
                met++; /* at ends of steps */
            if (met >= count || fabs(events[met].t - between.at[k]) > 1e-5)
                fail_msg("%g s is told, but nothing happens there", between.at[k]);
        }
        if (differs(r, c, a, i, &where) > 1e-4) fail_msg("%s at %g s", where, to);
    }
    if (told < count - 1) fail_msg("%d of %d events are told", told, count);
    release(&r->f, c);
    told_between = hear_between;
    c = between.c = begin(r, 0);
    told_between = NULL;
    double first = events[0].t, asked = first + 1e-3; /* heard of at the first event */
    between.asked = asked;
    assert_int_equal(do_step(&r->f, c, r->def.t_start, r->def.t_end - r->def.t_start), OK);
    if (!(reached == asked)) fail_msg("it returns at %.17g s, not at %.17g s", reached, asked);
    may_return = 0;
    release(&r->f, c);
    bri_sim_free(sim);
}

/* Two instances side by side do not know of each other; start values of the host. */
static void test_jerks(void **state) {
    (void)state;
    rig r;
    answer a;
    make(&r, "jerks", jerks, 3, "k");
    check_rows(&r);
    check_columns(&r);
    run_library(&r, &a);
    steps(&r, &a, 1e-6);
    integrate(&r, &a, 1e-9, 1e-4);
    round_trip(&r);
    stops_at_events(&r, &a);
    tells_between(&r, &a);
    void *one = begin(&r, 0), *two = instance(&r.f, 0, r.f.token);
    assert_int_equal(enter_from(&r.f, two, 1e-8, 0.0, 1.0), OK);
    assert_int_equal(set(&r.f, two, "block.v", 0.5), OK);
    near(get(&r.f, two, "block.v"), 0.5, 0.0, "start value");
    near(get(&r.f, two, "pad.F"), 9.81 * 0.1, 1e-12, "it slides at once");
    assert_int_equal(leave(&r.f, two), OK);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(do_step(&r.f, one, 0.01 * i, 0.01), OK);
        assert_int_equal(do_step(&r.f, two, 0.01 * i, 0.01), OK);
    }
    int n = bri_recorder_columns(a.columns);
    near(get(&r.f, one, "block.x"), a.row[10 * n + bri_recorder_find(a.columns, "block.x")], 1e-7,
         "the first");
    assert_true(get(&r.f, two, "block.x") > 0.03);
    release(&r.f, one);
    release(&r.f, two);
    free_answer(&a);
    drop(&r);
}

/* Names of scenarios in BRISTLE_FMU_RIGS, or one with expressions, a gear and a table. */
static void test_scenarios(void **state) {
    (void)state;
    const char *given = getenv("BRISTLE_FMU_RIGS");
    char list[2000], *save;
    snprintf(list, sizeof list, "%s", given ? given : "robot_joint");
    for (char *name = strtok_r(list, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
        rig r;
        answer a;
        make(&r, name, NULL, given ? 3 : 2, NULL);
        check_rows(&r);
        check_columns(&r);
        run_library(&r, &a);
        steps(&r, &a, 1e-5);
        integrate(&r, &a, 1e-8, 1e-3);
        round_trip(&r);
        free_answer(&a);
        drop(&r);
    }
}

/* Where memory is watched, those that go furthest. */
int main(void) {
    const struct CMUnitTest sample[] = {
        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_jerks),
    };
    const struct CMUnitTest rest[] = {
        cmocka_unit_test(test_belt),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_scenarios),
    };
    int failed = cmocka_run_group_tests(sample, NULL, NULL);
    return failed || !SAMPLE(1, 0) ? failed : cmocka_run_group_tests(rest, NULL, NULL);
}
