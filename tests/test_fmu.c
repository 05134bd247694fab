/* test_fmu.c - laws as FMUs, by an importer of our own: the archive, the description against
 * itself, and every function of FMI 2 and FMI 3, against the laws of the library integrated with
 * small steps. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_fmu.h"
#include "bristle_law.h"
#include "fmu_calls.h"

/* ---- what a law does by itself --------------------------------------------------------------- */

/* One cycle: v and N over time. */
static double speed_at(double t) { return 0.08 * sin(20.0 * t) + 0.02; }
static double load_at(double t) { return 150.0 + 40.0 * cos(7.0 * t); }

static double force_of(const bri_model *m, const double *p, double t, const double *z, double *dz) {
    bri_input u = {.v = speed_at(t), .n = load_at(t)};
    return bri_model_eval(m, p, &u, z, dz);
}

/* Classical Runge-Kutta with the law of the library. */
static void reference(const bri_model *m, const double *p, double end, int steps, double *z) {
    double h = end / steps, k[4][BRI_MAX_STATES], y[BRI_MAX_STATES];
    int n = m->n_states;
    for (int s = 0; s < steps; s++) {
        double t = h * s;
        force_of(m, p, t, z, k[0]);
        for (int i = 0; i < n; i++) y[i] = z[i] + 0.5 * h * k[0][i];
        force_of(m, p, t + 0.5 * h, y, k[1]);
        for (int i = 0; i < n; i++) y[i] = z[i] + 0.5 * h * k[1][i];
        force_of(m, p, t + 0.5 * h, y, k[2]);
        for (int i = 0; i < n; i++) y[i] = z[i] + h * k[2][i];
        force_of(m, p, t + h, y, k[3]);
        for (int i = 0; i < n; i++)
            z[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    }
}

/* ---- the file -------------------------------------------------------------------------------- */

static char fmu_name[80];
static bri_setup setup;

static void make(fmu *f, const bri_model *m, int version) {
    bri_error err;
    bri_fmu_options how = {.version = version, .wanted = 1u << BRI_LINUX64};
    snprintf(fmu_name, sizeof fmu_name, "/tmp/bristle-test-%ld.fmu", (long)getpid());
    bri_setup_init(&setup, m);
    assert_int_equal(bri_setup_finish(&setup, 0.0, &err), BRI_OK);
    if (bri_fmu_write(&setup, &how, fmu_name, &err)) fail_msg("%s", err.text);
    assert_int_equal(how.made, 1u << BRI_LINUX64);
    fmu_open(f, fmu_name, m->name, version);
    unlink(fmu_name);
}

/* ---- the description against itself and the law ---------------------------------------------- */

static void variables_agree(const fmu *f, const bri_model *m) {
    int states = 0, params = 0;
    for (int i = 0; i < f->count; i++) {
        const fmu_row *r = &f->row[i];
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(r->name, f->row[k].name);
            assert_int_not_equal(r->number, f->row[k].number);
        }
        if (r->unit[0]) {
            char unit[80];
            snprintf(unit, sizeof unit, "<Unit name=\"%s\"", r->unit);
            if (!strstr(f->xml, unit)) fail_msg("%s: unit %s is not defined", r->name, r->unit);
        }
        if (r->derivative[0]) { /* named after the state it belongs to */
            char name[200];
            unsigned to = (unsigned)strtoul(r->derivative, NULL, 10);
            const fmu_row *state = f->version == 3 ? row_numbered(f, to) : &f->row[to - 1];
            snprintf(name, sizeof name, "der(%s)", state->name);
            assert_string_equal(r->name, name);
            assert_string_equal(state->initial, "exact");
            assert_string_equal(state->name, m->states[states].name);
            if (strcmp(m->states[states].unit, "1") != 0)
                assert_string_equal(state->unit, m->states[states].unit);
            states++;
        }
        if (strcmp(r->causality, "parameter") == 0) {
            const bri_param *row = &m->params[params++];
            assert_string_equal(r->name, row->name);
            assert_string_equal(r->variability, "tunable");
            near(strtod(r->start, NULL), row->def, 0.0, r->name);
            near(strtod(r->min, NULL), row->min, 0.0, r->name);
            near(strtod(r->max, NULL), row->max, 0.0, r->name);
            assert_string_equal(r->unit, strcmp(row->unit, "1") ? row->unit : "");
        }
        if (strcmp(r->causality, "input") == 0) assert_true(r->start[0]);
    }
    assert_int_equal(states, m->n_states);
    assert_int_equal(params, m->n_params);
    near(strtod(row_of(f, "N")->start, NULL), m->load, 0.0, "load");
}

static void structure_agrees(const fmu *f, const bri_model *m) {
    int index[MOST_ROWS];
    assert_int_equal(structure_of(f, "Outputs", "Output", index), 1);
    assert_string_equal(f->row[index[0]].name, "F");
    int n = structure_of(f, "Derivatives", "ContinuousStateDerivative", index);
    assert_int_equal(n, m->n_states);
    for (int i = 0; i < n; i++) assert_true(f->row[index[i]].derivative[0] != '\0');
    n = structure_of(f, "InitialUnknowns", "InitialUnknown", index);
    assert_int_equal(n, 1 + m->n_states);
    for (int i = 0; i < n; i++) assert_string_equal(f->row[index[i]].initial, "calculated");
    if (f->version == 3) {
        assert_int_equal(structure_of(f, "", "EventIndicator", index), 1 + m->n_roots);
        return;
    }
    char text[20];
    attribute_of(strstr(f->xml, "<fmiModelDescription"), "numberOfEventIndicators", text,
                 sizeof text);
    assert_int_equal(strtol(text, NULL, 10), 1 + m->n_roots);
}

/* ---- what it computes ------------------------------------------------------------------------ */

static void start(const fmu *f, void *c) {
    assert_int_equal(enter(f, c, 1e-8), OK);
    assert_int_equal(set(f, c, "v", speed_at(0.0)), OK);
    assert_int_equal(set(f, c, "N", load_at(0.0)), OK);
    assert_int_equal(leave(f, c), OK);
}

/* Model Exchange, integrated by the midpoint rule of two stages: what the host integrates is the
 * law itself. */
static void exchanges(const fmu *f, const bri_model *m, double end) {
    void *c = instance(f, 1, f->token);
    double z[BRI_MAX_STATES], dz[BRI_MAX_STATES], mid[BRI_MAX_STATES], own[BRI_MAX_STATES];
    size_t n = (size_t)m->n_states;
    int changed, steps = 20000;
    typedef int time_call(void *, double);
    assert_non_null(c);
    start(f, c);
    assert_int_equal(new_states(f, c, &changed), OK);
    assert_int_equal(simple(f, "fmi2EnterContinuousTimeMode", "fmi3EnterContinuousTimeMode", c),
                     OK);
    assert_int_equal(array(f, "fmi2GetContinuousStates", "fmi3GetContinuousStates", c, z, n), OK);
    bri_model_rest(m, setup.p, own);
    for (size_t i = 0; i < n; i++) assert_true(z[i] == own[i]);
    for (int s = 0; s < steps; s++)
        for (int stage = 0; stage < 2; stage++) {
            double t = end * (s + 0.5 * stage) / steps, h = end / steps;
            assert_int_equal(CALL(f, V(f, "fmi2SetTime", "fmi3SetTime"), time_call *, c, t), OK);
            assert_int_equal(set(f, c, "v", speed_at(t)), OK);
            assert_int_equal(set(f, c, "N", load_at(t)), OK);
            assert_int_equal(array(f, "fmi2SetContinuousStates", "fmi3SetContinuousStates", c,
                                   stage ? mid : z, n),
                             OK);
            assert_int_equal(
                array(f, "fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives", c, dz, n), OK);
            for (size_t i = 0; i < n; i++)
                if (stage)
                    z[i] += h * dz[i];
                else
                    mid[i] = z[i] + 0.5 * h * dz[i];
        }
    reference(m, setup.p, end, 20000, own);
    for (size_t i = 0; i < n; i++)
        near(z[i], own[i], 1e-6 + 1e-6 * m->states[i].nominal / fmax(1e-300, fabs(own[i])),
             m->states[i].name);
    release(f, c);
}

/* Co-Simulation with slopes of the inputs: second order in the communication step, first without.
 */
static double simulated(const fmu *f, const bri_model *m, double end, int steps, int slopes,
                        double *z) {
    void *c = instance(f, 0, f->token);
    double h = end / steps, F;
    assert_non_null(c);
    start(f, c);
    for (int s = 0; s < steps; s++) {
        double t = h * s;
        assert_int_equal(set(f, c, "v", speed_at(t)), OK);
        assert_int_equal(set(f, c, "N", load_at(t)), OK);
        if (slopes) {
            slope(f, c, "v", (speed_at(t + h) - speed_at(t)) / h);
            slope(f, c, "N", (load_at(t + h) - load_at(t)) / h);
        }
        if (do_step(f, c, t, h)) fail_msg("%s", last_words);
    }
    if (slopes) near(get(f, c, "v"), speed_at(end), 1e-9, "v at the end of its slope");
    F = get(f, c, "F");
    for (int i = 0; i < m->n_states; i++) z[i] = get(f, c, m->states[i].name);
    assert_int_equal(simple(f, "fmi2Terminate", "fmi3Terminate", c), OK);
    release(f, c);
    return F;
}

static void simulates(const fmu *f, const bri_model *m, double end) {
    double own[BRI_MAX_STATES], z[BRI_MAX_STATES], dz[BRI_MAX_STATES];
    bri_model_rest(m, setup.p, own);
    reference(m, setup.p, end, 20000, own);
    double F = force_of(m, setup.p, end, own, dz);
    double coarse = fabs(simulated(f, m, end, 150, 1, z) - F);
    double fine = fabs(simulated(f, m, end, 600, 1, z) - F);
    double held = fabs(simulated(f, m, end, 600, 0, z) - F);
    if (!(fine < 2e-5 * fabs(F) && fine < coarse / 8.0 + 1e-6 * fabs(F)))
        fail_msg("%s: off by %g, with steps four times as long %g", m->name, fine, coarse);
    if (!(held > 20.0 * fine)) fail_msg("%s: slopes gain nothing: %g, %g", m->name, fine, held);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

typedef int derive2(void *, const unsigned *, size_t, const unsigned *, size_t, const double *,
                    double *);
typedef int derive3(void *, const unsigned *, size_t, const unsigned *, size_t, const double *,
                    size_t, double *, size_t);

static double derived(const fmu *f, void *c, unsigned of, unsigned by, int back) {
    double out = NAN, seed = 2.0;
    int status =
        f->version == 2
            ? CALL(f, "fmi2GetDirectionalDerivative", derive2 *, c, &of, 1, &by, 1, &seed, &out)
            : CALL(f, back ? "fmi3GetAdjointDerivative" : "fmi3GetDirectionalDerivative", derive3 *,
                   c, &of, 1, &by, 1, &seed, 1, &out, 1);
    if (status) fail_msg("%s", last_words);
    return out / seed;
}

/* Against differences of what the unit itself says, for all knowns, in a slide and in the air. */
static void derives(const fmu *f, const bri_model *m, double load) {
    void *c = instance(f, 0, f->token);
    assert_int_equal(enter(f, c, 1e-6), OK);
    assert_int_equal(set(f, c, "v", 0.013), OK);
    assert_int_equal(set(f, c, "N", load), OK);
    for (int i = 0; i < m->n_states; i++)
        assert_int_equal(set(f, c, m->states[i].name, 0.3 * m->states[i].nominal * (1 + i)), OK);
    for (int r = 0; r < f->count; r++) {
        int unknown = strcmp(f->row[r].causality, "output") == 0 || f->row[r].derivative[0];
        for (int k = 0; unknown && k < f->count; k++) {
            const fmu_row *known = &f->row[k];
            double at, ends[2], h;
            if (strcmp(known->causality, "input") && strcmp(known->causality, "parameter") &&
                strcmp(known->initial, "exact"))
                continue;
            if (strcmp(known->name, "fade") == 0 || strstr(known->name, "_slope")) continue;
            assert_int_equal(get_number(f, c, known->number, &at), OK);
            h = 1e-6 * fmax(fabs(at), 1e-3);
            if (at == 0.0 && known->min[0] && strtod(known->min, NULL) == 0.0) at = 1.0;
            if (load == 0.0 && strcmp(known->name, "N") == 0) continue; /* an edge */
            for (int side = 0; side < 2; side++) {
                assert_int_equal(set_number(f, c, known->number, side ? at + h : at - h), OK);
                assert_int_equal(get_number(f, c, f->row[r].number, &ends[side]), OK);
            }
            assert_int_equal(set_number(f, c, known->number, at), OK);
            double want = (ends[1] - ends[0]) / (2.0 * h);
            double size = (fabs(ends[0]) + 1e-12) / fmax(fabs(at), 1e-3);
            for (int back = 0; back < (f->version == 3 ? 2 : 1); back++)
                if (!(fabs(derived(f, c, f->row[r].number, known->number, back) - want) <
                      1e-5 * fabs(want) + 1e-7 * size))
                    fail_msg("%s: d %s / d %s: %.12g, by difference %.12g", m->name, f->row[r].name,
                             known->name, derived(f, c, f->row[r].number, known->number, back),
                             want);
        }
    }
    release(f, c);
}

/* ---- states as a whole ----------------------------------------------------------------------- */

typedef int state_call(void *, void **);
typedef int put_state_call(void *, void *);
typedef int size_call(void *, void *, size_t *);
typedef int bytes_call(void *, void *, unsigned char *, size_t);
typedef int from_bytes_call(void *, const unsigned char *, size_t, void **);

/* Bit for bit: on through a saved state, through bytes, in another instance, and after a reset. */
static void restores(const fmu *f, const bri_model *m) {
    void *c = instance(f, 0, f->token), *other = instance(f, 0, f->token), *state = NULL,
         *copy = NULL;
    double first[2], again;
    size_t size = 0;
    (void)m;
    start(f, c);
    for (int s = 0; s < 10; s++) assert_int_equal(do_step(f, c, 0.01 * s, 0.01), OK);
    assert_int_equal(CALL(f, V(f, "fmi2GetFMUstate", "fmi3GetFMUState"), state_call *, c, &state),
                     OK);
    assert_int_equal(set(f, c, "mu_s", 0.7), OK); /* a parameter between steps */
    assert_int_equal(set(f, c, "v", -0.05), OK);
    for (int s = 10; s < 20; s++) assert_int_equal(do_step(f, c, 0.01 * s, 0.01), OK);
    first[0] = get(f, c, "F");
    first[1] = get(f, c, "z");
    assert_int_equal(CALL(f, V(f, "fmi2SerializedFMUstateSize", "fmi3SerializedFMUStateSize"),
                          size_call *, c, state, &size),
                     OK);
    unsigned char *bytes = malloc(size);
    assert_int_equal(CALL(f, V(f, "fmi2SerializeFMUstate", "fmi3SerializeFMUState"), bytes_call *,
                          c, state, bytes, size),
                     OK);
    assert_int_equal(CALL(f, V(f, "fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState"),
                          from_bytes_call *, other, bytes, size, &copy),
                     OK);
    for (int k = 0; k < 2; k++) {
        void *on = k ? other : c;
        assert_int_equal(CALL(f, V(f, "fmi2SetFMUstate", "fmi3SetFMUState"), put_state_call *, on,
                              k ? copy : state),
                         OK);
        near(get(f, on, "mu_s"), 0.6, 0.0, "the parameter as it was");
        assert_int_equal(set(f, on, "mu_s", 0.7), OK);
        assert_int_equal(set(f, on, "v", -0.05), OK);
        for (int s = 10; s < 20; s++) assert_int_equal(do_step(f, on, 0.01 * s, 0.01), OK);
        again = get(f, on, "F");
        assert_memory_equal(&again, &first[0], sizeof again);
        again = get(f, on, "z");
        assert_memory_equal(&again, &first[1], sizeof again);
    }
    bytes[0] ^= 1; /* of another unit */
    void *bad = NULL;
    assert_int_equal(CALL(f, V(f, "fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState"),
                          from_bytes_call *, c, bytes, size, &bad),
                     ERROR);
    assert_int_equal(CALL(f, V(f, "fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState"),
                          from_bytes_call *, c, bytes, size - 1, &bad),
                     ERROR);
    assert_null(bad);
    free(bytes);
    for (int k = 0; k < 2; k++) {
        void **which = k ? &copy : &state;
        assert_int_equal(
            CALL(f, V(f, "fmi2FreeFMUstate", "fmi3FreeFMUState"), state_call *, c, which), OK);
        assert_null(*which);
    }
    /* A host that gives the state itself, not its address (fmusim). */
    void *wrong = NULL;
    assert_int_equal(CALL(f, V(f, "fmi2GetFMUstate", "fmi3GetFMUState"), state_call *, c, &wrong),
                     OK);
    assert_int_equal(CALL(f, V(f, "fmi2FreeFMUstate", "fmi3FreeFMUState"), state_call *, c, wrong),
                     OK);
    assert_int_equal(simple(f, "fmi2Reset", "fmi3Reset", c), OK);
    near(get(f, c, "z"), 0.0, 0.0, "as new");
    near(get(f, c, "mu_s"), 0.6, 0.0, "as new");
    release(f, c);
    release(f, other);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(int status, int want, const char *words) {
    assert_int_equal(status, want);
    if (!strstr(last_words, words)) fail_msg("said '%s', not '%s'", last_words, words);
}

static void refuses(const fmu *f) {
    double x[8];
    assert_null(instance(f, 1, "{another}"));
    assert_non_null(strstr(last_words, "token"));
    void *c = instance(f, 0, f->token), *me = instance(f, 1, f->token);
    refused(do_step(f, c, 0.0, 0.1), ERROR, "not allowed before initialization");
    refused(leave(f, c), ERROR, "not allowed before initialization");
    refused(enter(f, c, -1.0), ERROR, "a tolerance of -1 is not between 0 and 1");
    assert_int_equal(enter(f, c, 1e-6), OK);
    refused(set_number(f, c, 9999, 1.0), ERROR, "no variable with value reference 9999");
    refused(get_number(f, c, 9999, x), ERROR, "no variable with value reference 9999");
    refused(set(f, c, "mu_c", -1.0), ERROR, "mu_c = -1 is outside 1e-06 ... 1e+06");
    refused(set(f, c, "fade", 0.5), ERROR, "fade = 0.5 must be a whole number");
    refused(set(f, c, "mu_c", NAN), ERROR, "is not a number");
    refused(set(f, c, "v", INFINITY), DISCARD, "is not a number");
    refused(set(f, c, "F", 1.0), ERROR, "F cannot be set");
    assert_int_equal(set(f, c, "mu_c", 0.9), OK);
    refused(leave(f, c), ERROR, "mu_s must be >= mu_c");
    assert_int_equal(set(f, c, "mu_c", 0.5), OK);
    assert_int_equal(leave(f, c), OK);
    refused(set(f, c, "z", 1.0), ERROR, "z cannot be set in step mode");
    refused(do_step(f, c, 1.0, 0.1), ERROR, "a step from 1 s, but it is at 0 s");
    refused(do_step(f, c, 0.0, -0.1), ERROR, "a step of -0.1 s");
    refused(do_step(f, c, 0.0, NAN), ERROR, "a step of");
    refused(do_step(f, c, 0.0, 11.0), ERROR, "a step to 11 s, but it ends at 10 s");
    refused(simple(f, "fmi2EnterContinuousTimeMode", "fmi3EnterContinuousTimeMode", c), ERROR,
            "not allowed in step mode");
    assert_int_equal(do_step(f, c, 0.0, 0.1), OK);
    start(f, me);
    assert_int_equal(simple(f, "fmi2EnterContinuousTimeMode", "fmi3EnterContinuousTimeMode", me),
                     OK);
    refused(set(f, me, "mu_c", 0.4), ERROR, "mu_c cannot be set in continuous-time mode");
    refused(array(f, "fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives", me, x, 2), ERROR,
            "2 values are asked for, there are 1");
    x[0] = NAN;
    refused(array(f, "fmi2SetContinuousStates", "fmi3SetContinuousStates", me, x, 1), DISCARD,
            "a state is not a number");
    refused(array(f, "fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives", me, NULL, 1), ERROR,
            "an argument is missing");
    assert_int_equal(simple(f, "fmi2Terminate", "fmi3Terminate", NULL), ERROR);
    release(f, c);
    release(f, me);
    release(f, NULL);
}

/* ---- every function -------------------------------------------------------------------------- */

static void has_functions(const fmu *f) {
    static const char *const two[] = {"GetTypesPlatform",
                                      "GetVersion",
                                      "SetDebugLogging",
                                      "Instantiate",
                                      "FreeInstance",
                                      "SetupExperiment",
                                      "EnterInitializationMode",
                                      "ExitInitializationMode",
                                      "Terminate",
                                      "Reset",
                                      "GetReal",
                                      "GetInteger",
                                      "GetBoolean",
                                      "GetString",
                                      "SetReal",
                                      "SetInteger",
                                      "SetBoolean",
                                      "SetString",
                                      "GetFMUstate",
                                      "SetFMUstate",
                                      "FreeFMUstate",
                                      "SerializedFMUstateSize",
                                      "SerializeFMUstate",
                                      "DeSerializeFMUstate",
                                      "GetDirectionalDerivative",
                                      "EnterEventMode",
                                      "NewDiscreteStates",
                                      "EnterContinuousTimeMode",
                                      "CompletedIntegratorStep",
                                      "SetTime",
                                      "SetContinuousStates",
                                      "GetDerivatives",
                                      "GetEventIndicators",
                                      "GetContinuousStates",
                                      "GetNominalsOfContinuousStates",
                                      "SetRealInputDerivatives",
                                      "GetRealOutputDerivatives",
                                      "DoStep",
                                      "CancelStep",
                                      "GetStatus",
                                      "GetRealStatus",
                                      "GetIntegerStatus",
                                      "GetBooleanStatus",
                                      "GetStringStatus"};
    static const char *const three[] = {"GetVersion",
                                        "SetDebugLogging",
                                        "InstantiateModelExchange",
                                        "InstantiateCoSimulation",
                                        "InstantiateScheduledExecution",
                                        "FreeInstance",
                                        "EnterInitializationMode",
                                        "ExitInitializationMode",
                                        "EnterEventMode",
                                        "Terminate",
                                        "Reset",
                                        "GetFloat32",
                                        "GetFloat64",
                                        "GetInt8",
                                        "GetUInt8",
                                        "GetInt16",
                                        "GetUInt16",
                                        "GetInt32",
                                        "GetUInt32",
                                        "GetInt64",
                                        "GetUInt64",
                                        "GetBoolean",
                                        "GetString",
                                        "GetBinary",
                                        "GetClock",
                                        "SetFloat32",
                                        "SetFloat64",
                                        "SetInt8",
                                        "SetUInt8",
                                        "SetInt16",
                                        "SetUInt16",
                                        "SetInt32",
                                        "SetUInt32",
                                        "SetInt64",
                                        "SetUInt64",
                                        "SetBoolean",
                                        "SetString",
                                        "SetBinary",
                                        "SetClock",
                                        "GetNumberOfVariableDependencies",
                                        "GetVariableDependencies",
                                        "GetFMUState",
                                        "SetFMUState",
                                        "FreeFMUState",
                                        "SerializedFMUStateSize",
                                        "SerializeFMUState",
                                        "DeserializeFMUState",
                                        "GetDirectionalDerivative",
                                        "GetAdjointDerivative",
                                        "EnterConfigurationMode",
                                        "ExitConfigurationMode",
                                        "GetIntervalDecimal",
                                        "GetIntervalFraction",
                                        "GetShiftDecimal",
                                        "GetShiftFraction",
                                        "SetIntervalDecimal",
                                        "SetIntervalFraction",
                                        "SetShiftDecimal",
                                        "SetShiftFraction",
                                        "EvaluateDiscreteStates",
                                        "UpdateDiscreteStates",
                                        "EnterContinuousTimeMode",
                                        "CompletedIntegratorStep",
                                        "SetTime",
                                        "SetContinuousStates",
                                        "GetContinuousStateDerivatives",
                                        "GetEventIndicators",
                                        "GetContinuousStates",
                                        "GetNominalsOfContinuousStates",
                                        "GetNumberOfEventIndicators",
                                        "GetNumberOfContinuousStates",
                                        "EnterStepMode",
                                        "GetOutputDerivatives",
                                        "DoStep",
                                        "ActivateModelPartition"};
    const char *const *names = V(f, two, three);
    size_t count = V(f, sizeof two / sizeof *two, sizeof three / sizeof *three);
    assert_int_equal(count, V(f, 44, 75));
    for (size_t i = 0; i < count; i++) {
        char name[80];
        snprintf(name, sizeof name, "fmi%d%s", f->version, names[i]);
        call_of(f, name);
    }
}

/* Functions for what a law does not have: with nothing asked for they agree, else they refuse. */
static void has_no_others(const fmu *f) {
    static const char *const types2[] = {"Integer", "Boolean", "String"};
    static const char *const types3[] = {"Float32", "Int8",  "UInt8",  "Int16",   "UInt16", "Int32",
                                         "UInt32",  "Int64", "UInt64", "Boolean", "String"};
    typedef int any2(void *, const unsigned *, size_t, void *);
    typedef int any3(void *, const unsigned *, size_t, void *, size_t);
    void *c = instance(f, 0, f->token);
    int types = V(f, 3, 11);
    unsigned number = 101;
    char room[64] = "";
    for (int i = 0; i < 2 * types; i++) {
        char name[80];
        snprintf(name, sizeof name, "fmi%d%s%s", f->version, i % 2 ? "Get" : "Set",
                 V(f, types2[i / 2 % 3], types3[i / 2]));
        for (size_t n = 0; n < 2; n++) {
            int status = f->version == 3 ? CALL(f, name, any3 *, c, &number, n, room, n)
                                         : CALL(f, name, any2 *, c, &number, n, room);
            if (n == 0)
                assert_int_equal(status, OK);
            else
                refused(status, ERROR, "no variable has this type");
        }
    }
    release(f, c);
}

static void tells(const fmu *f) {
    typedef const char *text_call(void);
    typedef int debug2(void *, int, size_t, const char *const *);
    typedef int debug3(void *, bool, size_t, const char *const *);
    typedef int count_call(void *, size_t *);
    typedef int status_call(void *, int, double *);
    static const char *const good[] = {"logEvents"}, *const bad[] = {"logNoise"};
    void *c = instance(f, 0, f->token);
    double x = 0.0;
    size_t n = 99;
    assert_string_equal(((text_call *)call_of(f, V(f, "fmi2GetVersion", "fmi3GetVersion")))(),
                        V(f, "2.0", "3.0"));
    if (f->version == 3) {
        assert_int_equal(CALL(f, "fmi3SetDebugLogging", debug3 *, c, true, 1, good), OK);
        refused(CALL(f, "fmi3SetDebugLogging", debug3 *, c, true, 1, bad), ERROR, "'logNoise'");
        assert_int_equal(CALL(f, "fmi3GetNumberOfContinuousStates", count_call *, c, &n), OK);
        assert_int_equal(n, 1);
        assert_int_equal(CALL(f, "fmi3GetNumberOfEventIndicators", count_call *, c, &n), OK);
        assert_int_equal(n, 1);
        assert_int_equal(simple(f, "", "fmi3EnterConfigurationMode", c), OK);
        assert_int_equal(simple(f, "", "fmi3ExitConfigurationMode", c), OK);
    } else {
        assert_string_equal(((text_call *)call_of(f, "fmi2GetTypesPlatform"))(), "default");
        assert_int_equal(CALL(f, "fmi2SetDebugLogging", debug2 *, c, 1, 1, good), OK);
        refused(CALL(f, "fmi2SetDebugLogging", debug2 *, c, 1, 1, bad), ERROR, "'logNoise'");
        start(f, c);
        assert_int_equal(do_step(f, c, 0.0, 0.25), OK);
        assert_int_equal(CALL(f, "fmi2GetRealStatus", status_call *, c, 2, &x), OK);
        near(x, 0.25, 1e-15, "last successful time");
        refused(simple(f, "fmi2CancelStep", "", c), ERROR, "no step is under way");
    }
    double size;
    assert_int_equal(array(f, "fmi2GetNominalsOfContinuousStates",
                           "fmi3GetNominalsOfContinuousStates", c, &size, 1),
                     OK);
    near(size, 1e-3, 0.0, "nominal");
    release(f, c);
}

/* FMI 3: dependencies, and Co-Simulation with event mode. */
static void third_version(const fmu *f) {
    typedef int count_call(void *, unsigned, size_t *);
    typedef int list_call(void *, unsigned, size_t *, unsigned *, size_t *, int *, size_t);
    typedef void *make_cs(const char *, const char *, const char *, bool, bool, bool, bool,
                          const unsigned *, size_t, void *,
                          void (*)(void *, int, const char *, const char *), void *);
    if (f->version != 3) return;
    size_t n, a[8], b[8];
    unsigned on[8], F = row_of(f, "F")->number;
    int kinds[8], changed;
    void *c = CALL(f, "fmi3InstantiateCoSimulation", make_cs *, "one", f->token, "", false, false,
                   true, true, NULL, 0, last_words, log3_words, NULL);
    assert_int_equal(CALL(f, "fmi3GetNumberOfVariableDependencies", count_call *, c, F, &n), OK);
    assert_int_equal(n, 3);
    assert_int_equal(CALL(f, "fmi3GetVariableDependencies", list_call *, c, F, a, on, b, kinds, n),
                     OK);
    assert_string_equal(row_numbered(f, on[0])->name, "v");
    assert_string_equal(row_numbered(f, on[1])->name, "N");
    assert_string_equal(row_numbered(f, on[2])->name, "z");
    start(f, c); /* in event mode now */
    refused(do_step(f, c, 0.0, 0.1), ERROR, "not allowed in event mode");
    assert_int_equal(simple(f, "", "fmi3EvaluateDiscreteStates", c), OK);
    assert_int_equal(new_states(f, c, &changed), OK);
    assert_int_equal(simple(f, "", "fmi3EnterStepMode", c), OK);
    assert_int_equal(do_step(f, c, 0.0, 0.1), OK);
    assert_int_equal(simple(f, "", "fmi3EnterEventMode", c), OK);
    release(f, c);
}

/* ---- the tests ------------------------------------------------------------------------------- */

static void whole_law(int version) {
    fmu f;
    const bri_model *m = bri_model_find("lugre");
    make(&f, m, version);
    variables_agree(&f, m);
    structure_agrees(&f, m);
    has_functions(&f);
    has_no_others(&f);
    tells(&f);
    exchanges(&f, m, 0.3);
    simulates(&f, m, 0.3);
    derives(&f, m, 120.0);
    derives(&f, m, 0.0);
    restores(&f, m);
    refuses(&f);
    third_version(&f);
    fmu_close(&f);
}

static void test_lugre_fmi2(void **state) {
    (void)state;
    whole_law(2);
}

static void test_lugre_fmi3(void **state) {
    (void)state;
    whole_law(3);
}

/* A law that sticks: the force that holds comes back up to the level, and its events have names. */
static void test_set_valued(void **state) {
    (void)state;
    fmu f;
    double g[2];
    const bri_model *m = bri_model_find("coulomb");
    make(&f, m, 2);
    variables_agree(&f, m);
    structure_agrees(&f, m);
    void *c = instance(&f, 1, f.token);
    assert_int_equal(enter(&f, c, 1e-6), OK);
    assert_int_equal(set(&f, c, "N", 100.0), OK);
    assert_int_equal(set(&f, c, "fa", 30.0), OK);
    near(get(&f, c, "F"), 30.0, 0.0, "held");
    near(derived(&f, c, row_of(&f, "F")->number, row_of(&f, "fa")->number, 0), 1.0, 0.0, "held");
    assert_int_equal(array(&f, "fmi2GetEventIndicators", "", c, g, 2), OK);
    near(g[1], 30.0, 1e-15, "60 N hold, 30 N are there");
    assert_int_equal(set(&f, c, "fa", 70.0), OK);
    near(get(&f, c, "F"), 60.0, 1e-15, "no more than the static level");
    assert_int_equal(array(&f, "fmi2GetEventIndicators", "", c, g, 2), OK);
    near(g[1], -10.0, 1e-15, "broken away");
    assert_int_equal(set(&f, c, "v", -0.1), OK);
    near(get(&f, c, "F"), -50.0, 1e-15, "slides backward");
    near(get(&f, c, "break_away"), -10.0, 1e-15, "a variable of its own");
    release(&f, c);
    fmu_close(&f);
}

/* A state with a limit: an event of the solver puts it there. */
static void test_limit(void **state) {
    (void)state;
    fmu f;
    int changed = 0;
    const bri_model *m = bri_model_find("stick_slip");
    bri_law *page;
    const char *text = bri_law_page("stick_slip");
    assert_int_equal(bri_law_parse(text, strlen(text), "stick_slip", &page, NULL), BRI_OK);
    make(&f, m, 3);
    variables_agree(&f, bri_law_model(page));
    structure_agrees(&f, bri_law_model(page));
    assert_string_equal(row_of(&f, "Delta")->reinit, "true");
    void *c = instance(&f, 1, f.token);
    assert_int_equal(enter(&f, c, 1e-6), OK);
    assert_int_equal(set(&f, c, "v", 0.001), OK);
    assert_int_equal(set(&f, c, "Delta", 1.0001e-4), OK);
    assert_true(get(&f, c, "limit_1") < 0.0);
    assert_int_equal(leave(&f, c), OK);
    assert_int_equal(new_states(&f, c, &changed), OK);
    assert_int_equal(changed, 1);
    near(get(&f, c, "Delta"), 1e-4, 1e-15, "on its limit");
    assert_int_equal(new_states(&f, c, &changed), OK);
    assert_int_equal(changed, 0);
    release(&f, c);
    bri_law_free(page);
    fmu_close(&f);
}

/* A law of one's own that depends on x, and names that cannot be. */
static void test_own_law(void **state) {
    (void)state;
    static const char page[] =
        "law: rough\ntitle: a rough track\nlimits: none\ncite: here\n"
        "defaults: {from: here, load: 10 N}\nparameters:\n"
        "  mu: {default: 0.3, range: [0, 10], role: sliding level, text: level}\n"
        "  w: {default: 2e-3 m, range: [1e-6, 1], role: shape, text: waves}\n"
        "equations: |\n  F = mu*N*(1 + 0.1*sin(x/w))*tanh(v/(1 mm/s))\n";
    fmu f;
    bri_law *l;
    bri_messages wrong;
    bri_error err;
    bri_fmu_options how = {.version = 3, .sources_only = 1};
    if (bri_law_parse(page, strlen(page), "rough", &l, &wrong))
        fail_msg("%s", wrong.message[0].text);
    make(&f, bri_law_model(l), 3);
    variables_agree(&f, bri_law_model(l));
    void *c = instance(&f, 0, f.token);
    start(&f, c);
    assert_int_equal(set(&f, c, "x", 0.003), OK);
    assert_int_equal(set(&f, c, "v", 1.0), OK);
    assert_int_equal(set(&f, c, "N", 20.0), OK);
    near(get(&f, c, "F"), 6.0 * (1.0 + 0.1 * sin(1.5)), 1e-14, "F");
    assert_int_equal(slope(&f, c, "x", 1.0), OK);
    assert_int_equal(do_step(&f, c, 0.0, 0.001), OK);
    near(get(&f, c, "F"), 6.0 * (1.0 + 0.1 * sin(2.0)), 1e-12, "F, 1 mm further");
    release(&f, c);
    fmu_close(&f);
    setup.model = bri_model_find("karnopp");
    assert_int_equal(bri_fmu_write(&setup, &how, fmu_name, &err), BRI_NOT_FOUND);
    setup.model = bri_law_model(l);
    how.version = 4;
    assert_int_equal(bri_fmu_write(&setup, &how, fmu_name, &err), BRI_BAD_VALUE);
    how.version = 2;
    assert_int_equal(bri_fmu_write(&setup, &how, "/nowhere/x.fmu", &err), BRI_BAD_FILE);
    assert_int_equal(access(fmu_name, F_OK), -1);
    bri_law_free(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lugre_fmi2), cmocka_unit_test(test_lugre_fmi3),
        cmocka_unit_test(test_set_valued), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_own_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
