/* fmi3.c - the functions of FMI 3.0, declared here as the standard says. */
#include "host.h"

#include <stdbool.h>
#include <stdint.h>

#ifndef FMI3_FUNCTION_PREFIX
#define FMI3_FUNCTION_PREFIX
#endif
#define FMI_PASTE_AGAIN(a, b) a##b
#define FMI_PASTE(a, b)       FMI_PASTE_AGAIN(a, b)
#define FMI3(name)            FMI_PASTE(FMI3_FUNCTION_PREFIX, fmi3##name)

typedef void fmi3_logger(void *environment, int status, const char *category, const char *message);
typedef void fmi3_update(void *environment, double time, bool set_wanted, bool get_allowed,
                         bool step_finished, bool can_return, bool *return_wanted,
                         double *return_time);
typedef const char *fmi3_string;
typedef const uint8_t *fmi3_binary;

static void host_log(host *h, int status, const char *category, const char *words) {
    fmi3_logger *logger = (fmi3_logger *)h->log;
    if (logger) logger(h->environment, status, category, words);
}

/* ---- common -------------------------------------------------------------------------------- */

FMI_EXPORT const char *FMI3(GetVersion)(void) { return "3.0"; }

FMI_EXPORT int FMI3(SetDebugLogging)(void *c, bool on, size_t count,
                                     const char *const *categories) {
    return host_debug(c, on, count, categories, "fmi3SetDebugLogging");
}

FMI_EXPORT void *FMI3(InstantiateModelExchange)(const char *name, const char *token,
                                                const char *resources, bool visible, bool debug,
                                                void *environment, fmi3_logger *log) {
    (void)resources, (void)visible;
    return host_new(name, token, 1, debug, environment, (void (*)(void))log);
}

FMI_EXPORT void *FMI3(InstantiateCoSimulation)(const char *name, const char *token,
                                               const char *resources, bool visible, bool debug,
                                               bool event_mode, bool early_return,
                                               const unsigned *intermediate, size_t n_intermediate,
                                               void *environment, fmi3_logger *log,
                                               fmi3_update *update) {
    (void)resources, (void)visible;
    host *h = host_new(name, token, 0, debug, environment, (void (*)(void))log);
    if (!h) return NULL;
    for (size_t i = 0; i < n_intermediate; i++)
        if (!intermediate || unit_kind_of(intermediate[i]) == UNIT_NOTHING) {
            host_refuse(h, FMI_ERROR,
                        "fmi3InstantiateCoSimulation: there is no intermediate variable %u",
                        intermediate ? intermediate[i] : 0);
            host_free(h);
            return NULL;
        }
    h->events = event_mode;
    h->early = event_mode && early_return;
    h->returns = early_return;
    h->update = (void (*)(void))update;
    return h;
}

FMI_EXPORT void *FMI3(InstantiateScheduledExecution)(const char *name, const char *token,
                                                     const char *resources, bool visible,
                                                     bool debug, void *environment,
                                                     fmi3_logger *log, void (*clock_update)(void),
                                                     void (*lock)(void), void (*unlock)(void)) {
    (void)name, (void)token, (void)resources, (void)visible, (void)debug, (void)clock_update,
        (void)lock, (void)unlock;
    if (log)
        log(environment, FMI_ERROR, "logStatusError",
            "fmi3InstantiateScheduledExecution: there are no clocks here");
    return NULL;
}

FMI_EXPORT void FMI3(FreeInstance)(void *c) { host_free(c); }

FMI_EXPORT int FMI3(EnterInitializationMode)(void *c, bool tolerance_given, double tolerance,
                                             double start, bool stop_given, double stop) {
    const char *call = "fmi3EnterInitializationMode";
    int status = host_may(c, AT_START, call);
    if (!status)
        status = host_experiment(c, call, tolerance_given, tolerance, start, stop_given, stop);
    return status ? status : host_move(c, AT_START, AT_INIT, call);
}

FMI_EXPORT int FMI3(ExitInitializationMode)(void *c) {
    return host_initialized(c, "fmi3ExitInitializationMode");
}

FMI_EXPORT int FMI3(EnterEventMode)(void *c) {
    const char *call = "fmi3EnterEventMode";
    int status = host_may(c, AT_EVENT | AT_TIME | AT_STEP, call);
    if (!status && !((host *)c)->exchange && !((host *)c)->events)
        return host_refuse(c, FMI_ERROR, "%s: the instance was made without event mode", call);
    return status ? status : host_move(c, AT_EVENT | AT_TIME | AT_STEP, AT_EVENT, call);
}

FMI_EXPORT int FMI3(Terminate)(void *c) {
    return host_move(c, AT_EVENT | AT_TIME | AT_STEP, AT_END, "fmi3Terminate");
}

FMI_EXPORT int FMI3(Reset)(void *c) {
    int status = host_may(c, AT_ANY | AT_SET_UP, "fmi3Reset");
    if (!status) host_restart(c);
    return status;
}

/* ---- values -------------------------------------------------------------------------------- */

static int same_count(host *h, size_t n, size_t values, const char *call) {
    if (!h) return FMI_ERROR;
    if (n == values) return FMI_OK;
    return host_refuse(h, FMI_ERROR, "%s: %lu value references, but %lu values", call,
                       (unsigned long)n, (unsigned long)values);
}

FMI_EXPORT int FMI3(GetFloat64)(void *c, const unsigned *vr, size_t n, double *value,
                                size_t values) {
    int status = same_count(c, n, values, "fmi3GetFloat64");
    return status ? status : host_get(c, vr, n, value, "fmi3GetFloat64");
}

FMI_EXPORT int FMI3(SetFloat64)(void *c, const unsigned *vr, size_t n, const double *value,
                                size_t values) {
    int status = same_count(c, n, values, "fmi3SetFloat64");
    return status ? status : host_set(c, vr, n, value, "fmi3SetFloat64");
}

#define FMI3_NO_TYPE(Type, type)                                                                   \
    FMI_EXPORT int FMI3(Get##Type)(void *c, const unsigned *vr, size_t n, type *value,             \
                                   size_t values) {                                                \
        (void)vr, (void)value, (void)values;                                                       \
        return host_none(c, n, "fmi3Get" #Type);                                                   \
    }                                                                                              \
    FMI_EXPORT int FMI3(Set##Type)(void *c, const unsigned *vr, size_t n, const type *value,       \
                                   size_t values) {                                                \
        (void)vr, (void)value, (void)values;                                                       \
        return host_none(c, n, "fmi3Set" #Type);                                                   \
    }
FMI3_NO_TYPE(Float32, float)
FMI3_NO_TYPE(Int8, int8_t)
FMI3_NO_TYPE(UInt8, uint8_t)
FMI3_NO_TYPE(Int16, int16_t)
FMI3_NO_TYPE(UInt16, uint16_t)
FMI3_NO_TYPE(Int32, int32_t)
FMI3_NO_TYPE(UInt32, uint32_t)
FMI3_NO_TYPE(Int64, int64_t)
FMI3_NO_TYPE(UInt64, uint64_t)
FMI3_NO_TYPE(Boolean, bool)
FMI3_NO_TYPE(String, fmi3_string)

FMI_EXPORT int FMI3(GetBinary)(void *c, const unsigned *vr, size_t n, size_t *sizes,
                               fmi3_binary *value, size_t values) {
    (void)vr, (void)sizes, (void)value, (void)values;
    return host_none(c, n, "fmi3GetBinary");
}

FMI_EXPORT int FMI3(SetBinary)(void *c, const unsigned *vr, size_t n, const size_t *sizes,
                               const fmi3_binary *value, size_t values) {
    (void)vr, (void)sizes, (void)value, (void)values;
    return host_none(c, n, "fmi3SetBinary");
}

/* ---- clocks: there are none ---------------------------------------------------------------- */

#define FMI3_NO_CLOCK(Name, ...)                                                                   \
    FMI_EXPORT int FMI3(Name)(void *c, const unsigned *vr, size_t n, __VA_ARGS__)
FMI3_NO_CLOCK(GetClock, bool *value) {
    (void)vr, (void)value;
    return host_none(c, n, "fmi3GetClock");
}
FMI3_NO_CLOCK(SetClock, const bool *value) {
    (void)vr, (void)value;
    return host_none(c, n, "fmi3SetClock");
}
FMI3_NO_CLOCK(GetIntervalDecimal, double *value, int *kind) {
    (void)vr, (void)value, (void)kind;
    return host_none(c, n, "fmi3GetIntervalDecimal");
}
FMI3_NO_CLOCK(GetIntervalFraction, uint64_t *value, uint64_t *per, int *kind) {
    (void)vr, (void)value, (void)per, (void)kind;
    return host_none(c, n, "fmi3GetIntervalFraction");
}
FMI3_NO_CLOCK(GetShiftDecimal, double *value) {
    (void)vr, (void)value;
    return host_none(c, n, "fmi3GetShiftDecimal");
}
FMI3_NO_CLOCK(GetShiftFraction, uint64_t *value, uint64_t *per) {
    (void)vr, (void)value, (void)per;
    return host_none(c, n, "fmi3GetShiftFraction");
}
FMI3_NO_CLOCK(SetIntervalDecimal, const double *value) {
    (void)vr, (void)value;
    return host_none(c, n, "fmi3SetIntervalDecimal");
}
FMI3_NO_CLOCK(SetIntervalFraction, const uint64_t *value, const uint64_t *per) {
    (void)vr, (void)value, (void)per;
    return host_none(c, n, "fmi3SetIntervalFraction");
}
FMI3_NO_CLOCK(SetShiftDecimal, const double *value) {
    (void)vr, (void)value;
    return host_none(c, n, "fmi3SetShiftDecimal");
}
FMI3_NO_CLOCK(SetShiftFraction, const uint64_t *value, const uint64_t *per) {
    (void)vr, (void)value, (void)per;
    return host_none(c, n, "fmi3SetShiftFraction");
}

FMI_EXPORT int FMI3(ActivateModelPartition)(void *c, unsigned clock, double time) {
    (void)clock, (void)time;
    return host_none(c, 1, "fmi3ActivateModelPartition");
}

/* ---- what depends on what ------------------------------------------------------------------ */

FMI_EXPORT int FMI3(GetNumberOfVariableDependencies)(void *c, unsigned vr, size_t *count) {
    const char *call = "fmi3GetNumberOfVariableDependencies";
    unsigned on[UNIT_MOST_KNOWNS];
    int status = host_may(c, AT_ANY, call);
    if (status) return status;
    if (!count) return host_missing(c, call);
    if (unit_kind_of(vr) == UNIT_NOTHING)
        return host_refuse(c, FMI_ERROR, "%s: there is no variable with value reference %u", call,
                           vr);
    *count = (size_t)unit_depends(vr, on);
    return FMI_OK;
}

FMI_EXPORT int FMI3(GetVariableDependencies)(void *c, unsigned vr, size_t *elements, unsigned *on,
                                             size_t *elements_on, int *kinds, size_t count) {
    const char *call = "fmi3GetVariableDependencies";
    enum { DEPENDENT = 5 };
    unsigned found[UNIT_MOST_KNOWNS];
    size_t n;
    int status = FMI3(GetNumberOfVariableDependencies)(c, vr, &n);
    if (status) return status;
    if (count != n)
        return host_refuse(c, FMI_ERROR, "%s: %lu are asked for, there are %lu", call,
                           (unsigned long)count, (unsigned long)n);
    if (n > 0 && (!elements || !on || !elements_on || !kinds)) return host_missing(c, call);
    unit_depends(vr, found);
    for (size_t i = 0; i < n; i++) {
        elements[i] = elements_on[i] = 0;
        on[i] = found[i];
        kinds[i] = DEPENDENT;
    }
    return FMI_OK;
}

/* ---- states and derivatives ---------------------------------------------------------------- */

FMI_EXPORT int FMI3(GetFMUState)(void *c, void **state) {
    return host_save(c, state, "fmi3GetFMUState");
}

FMI_EXPORT int FMI3(SetFMUState)(void *c, void *state) {
    return host_load(c, state, "fmi3SetFMUState");
}

FMI_EXPORT int FMI3(FreeFMUState)(void *c, void **state) {
    return host_drop(c, state, "fmi3FreeFMUState");
}

FMI_EXPORT int FMI3(SerializedFMUStateSize)(void *c, void *state, size_t *size) {
    return host_sized(c, state, size, "fmi3SerializedFMUStateSize");
}

FMI_EXPORT int FMI3(SerializeFMUState)(void *c, void *state, uint8_t *bytes, size_t size) {
    return host_serialize(c, state, bytes, size, "fmi3SerializeFMUState");
}

FMI_EXPORT int FMI3(DeserializeFMUState)(void *c, const uint8_t *bytes, size_t size, void **state) {
    return host_deserialize(c, bytes, size, state, "fmi3DeserializeFMUState");
}

FMI_EXPORT int FMI3(GetDirectionalDerivative)(void *c, const unsigned *unknown, size_t n,
                                              const unsigned *known, size_t m, const double *seed,
                                              size_t n_seed, double *out, size_t n_out) {
    const char *call = "fmi3GetDirectionalDerivative";
    int status = same_count(c, m, n_seed, call);
    if (!status) status = same_count(c, n, n_out, call);
    return status ? status : host_derive(c, unknown, n, known, m, seed, out, 0, call);
}

FMI_EXPORT int FMI3(GetAdjointDerivative)(void *c, const unsigned *unknown, size_t n,
                                          const unsigned *known, size_t m, const double *seed,
                                          size_t n_seed, double *out, size_t n_out) {
    const char *call = "fmi3GetAdjointDerivative";
    int status = same_count(c, n, n_seed, call);
    if (!status) status = same_count(c, m, n_out, call);
    return status ? status : host_derive(c, unknown, n, known, m, seed, out, 1, call);
}

/* ---- modes --------------------------------------------------------------------------------- */

FMI_EXPORT int FMI3(EnterConfigurationMode)(void *c) {
    return host_move(c, AT_START, AT_SET_UP, "fmi3EnterConfigurationMode");
}

FMI_EXPORT int FMI3(ExitConfigurationMode)(void *c) {
    return host_move(c, AT_SET_UP, AT_START, "fmi3ExitConfigurationMode");
}

FMI_EXPORT int FMI3(EvaluateDiscreteStates)(void *c) {
    return host_may(c, AT_INIT | AT_EVENT, "fmi3EvaluateDiscreteStates");
}

FMI_EXPORT int FMI3(UpdateDiscreteStates)(void *c, bool *more, bool *terminate,
                                          bool *nominals_changed, bool *states_changed,
                                          bool *next_defined, double *next) {
    const char *call = "fmi3UpdateDiscreteStates";
    int changed = 0, status = host_may(c, AT_EVENT, call);
    if (status) return status;
    if (!more || !terminate || !nominals_changed || !states_changed || !next_defined || !next)
        return host_missing(c, call);
    *more = *terminate = *nominals_changed = *next_defined = false;
    *next = 0.0;
    status = host_event(c, &changed, next, call);
    *states_changed = changed != 0;
    *next_defined = !status && isfinite(*next);
    if (!*next_defined) *next = 0.0;
    return status;
}

/* ---- Model Exchange ------------------------------------------------------------------------ */

FMI_EXPORT int FMI3(EnterContinuousTimeMode)(void *c) {
    const char *call = "fmi3EnterContinuousTimeMode";
    int status = host_may(c, AT_EVENT, call);
    if (!status && !((host *)c)->exchange)
        return host_refuse(c, FMI_ERROR, "%s: the instance is one for Co-Simulation", call);
    return status ? status : host_move(c, AT_EVENT, AT_TIME, call);
}

FMI_EXPORT int FMI3(CompletedIntegratorStep)(void *c, bool final, bool *enter_event,
                                             bool *terminate) {
    (void) final;
    int status = host_may(c, AT_TIME, "fmi3CompletedIntegratorStep");
    if (!status && (!enter_event || !terminate))
        return host_missing(c, "fmi3CompletedIntegratorStep");
    if (!status) *enter_event = *terminate = false;
    return status;
}

FMI_EXPORT int FMI3(SetTime)(void *c, double time) { return host_time(c, time, "fmi3SetTime"); }

FMI_EXPORT int FMI3(SetContinuousStates)(void *c, const double *z, size_t n) {
    return host_states(c, z, n, "fmi3SetContinuousStates");
}

FMI_EXPORT int FMI3(GetContinuousStateDerivatives)(void *c, double *dz, size_t n) {
    return host_read(c, AT_RUN, dz, n, unit_states(), unit_rates,
                     "fmi3GetContinuousStateDerivatives");
}

FMI_EXPORT int FMI3(GetEventIndicators)(void *c, double *g, size_t n) {
    return host_read(c, AT_RUN, g, n, unit_indicators(), unit_indicate, "fmi3GetEventIndicators");
}

FMI_EXPORT int FMI3(GetContinuousStates)(void *c, double *z, size_t n) {
    int status = host_array(c, AT_RUN, z, n, unit_states(), "fmi3GetContinuousStates");
    if (!status) unit_state_get(((host *)c)->model, z);
    return status;
}

FMI_EXPORT int FMI3(GetNominalsOfContinuousStates)(void *c, double *size, size_t n) {
    int status = host_array(c, AT_ANY, size, n, unit_states(), "fmi3GetNominalsOfContinuousStates");
    if (!status) unit_nominals(size);
    return status;
}

static int put_count(host *h, size_t *to, int count, const char *call) {
    int status = host_may(h, AT_ANY | AT_SET_UP, call);
    if (status) return status;
    if (!to) return host_missing(h, call);
    *to = (size_t)count;
    return FMI_OK;
}

FMI_EXPORT int FMI3(GetNumberOfEventIndicators)(void *c, size_t *count) {
    return put_count(c, count, unit_indicators(), "fmi3GetNumberOfEventIndicators");
}

FMI_EXPORT int FMI3(GetNumberOfContinuousStates)(void *c, size_t *count) {
    return put_count(c, count, unit_states(), "fmi3GetNumberOfContinuousStates");
}

/* ---- Co-Simulation ------------------------------------------------------------------------- */

FMI_EXPORT int FMI3(EnterStepMode)(void *c) {
    const char *call = "fmi3EnterStepMode";
    int status = host_may(c, AT_EVENT, call);
    if (!status && ((host *)c)->exchange)
        return host_refuse(c, FMI_ERROR, "%s: the instance is one for Model Exchange", call);
    return status ? status : host_move(c, AT_EVENT, AT_STEP, call);
}

FMI_EXPORT int FMI3(GetOutputDerivatives)(void *c, const unsigned *vr, size_t n,
                                          const int32_t *order, double *value, size_t values) {
    (void)vr, (void)order, (void)value, (void)values;
    int status = host_may(c, AT_ANY | AT_BETWEEN, "fmi3GetOutputDerivatives");
    if (status || n == 0) return status;
    return host_refuse(c, FMI_ERROR, "fmi3GetOutputDerivatives: outputs have none here");
}

/* Tell the host where the step is. It may look at variables, and have the step end earlier: *to. */
static void tell_between(host *h, double *to) {
    bool wanted = false;
    double earlier = h->time;
    h->at = AT_BETWEEN;
    ((fmi3_update *)h->update)(h->environment, h->time, false, true, true, h->returns != 0, &wanted,
                               &earlier);
    h->at = AT_STEP;
    if (wanted && h->returns && earlier < *to) *to = fmax(earlier, h->time);
}

FMI_EXPORT int FMI3(DoStep)(void *c, double from, double step, bool final, bool *event_needed,
                            bool *terminate, bool *early, double *reached) {
    (void) final;
    const char *call = "fmi3DoStep";
    host *h = c;
    int status = host_step_fits(h, from, step, call), event = 0;
    if (status) return status;
    if (!event_needed || !terminate || !early || !reached) return host_missing(h, call);
    double to = from + step;
    do {
        status = host_advance(h, to, h->early || h->update ? &event : NULL, call);
        if (!status && h->update) tell_between(h, &to);
    } while (!status && h->time < to && !(event && h->early));
    *event_needed = event && h->early;
    *terminate = false;
    *early = !status && h->time < from + step;
    *reached = h->time;
    return status;
}
