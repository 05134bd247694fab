/* fmi2.c - the functions of FMI 2.0, declared here as the standard says. */
#include "host.h"

#ifndef FMI2_FUNCTION_PREFIX
#define FMI2_FUNCTION_PREFIX
#endif
#define FMI_PASTE_AGAIN(a, b) a##b
#define FMI_PASTE(a, b)       FMI_PASTE_AGAIN(a, b)
#define FMI2(name)            FMI_PASTE(FMI2_FUNCTION_PREFIX, fmi2##name)

typedef void fmi2_logger(void *environment, const char *instance, int status, const char *category,
                         const char *message, ...);

typedef struct fmi2_callbacks {
    fmi2_logger *logger;
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *);
    void (*step_finished)(void *environment, int status);
    void *environment;
} fmi2_callbacks;

typedef struct fmi2_event_info {
    int new_discrete_states_needed, terminate, nominals_changed, states_changed, next_defined;
    double next;
} fmi2_event_info;

static void host_log(host *h, int status, const char *category, const char *words) {
    fmi2_logger *logger = (fmi2_logger *)h->log;
    if (logger) logger(h->environment, h->name ? h->name : "", status, category, "%s", words);
}

/* ---- common -------------------------------------------------------------------------------- */

FMI_EXPORT const char *FMI2(GetTypesPlatform)(void) { return "default"; }
FMI_EXPORT const char *FMI2(GetVersion)(void) { return "2.0"; }

FMI_EXPORT int FMI2(SetDebugLogging)(void *c, int on, size_t count, const char *const *categories) {
    return host_debug(c, on, count, categories, "fmi2SetDebugLogging");
}

FMI_EXPORT void *FMI2(Instantiate)(const char *name, int type, const char *guid,
                                   const char *resources, const fmi2_callbacks *functions,
                                   int visible, int debug) {
    (void)resources, (void)visible;
    if (!functions) return NULL;
    return host_new(name, guid, type == 0, debug, functions->environment,
                    (void (*)(void))functions->logger);
}

FMI_EXPORT void FMI2(FreeInstance)(void *c) { host_free(c); }

FMI_EXPORT int FMI2(SetupExperiment)(void *c, int tolerance_given, double tolerance, double start,
                                     int stop_given, double stop) {
    const char *call = "fmi2SetupExperiment";
    int status = host_may(c, AT_START, call);
    return status ? status
                  : host_experiment(c, call, tolerance_given, tolerance, start, stop_given, stop);
}

FMI_EXPORT int FMI2(EnterInitializationMode)(void *c) {
    return host_move(c, AT_START, AT_INIT, "fmi2EnterInitializationMode");
}

FMI_EXPORT int FMI2(ExitInitializationMode)(void *c) {
    return host_initialized(c, "fmi2ExitInitializationMode");
}

FMI_EXPORT int FMI2(Terminate)(void *c) {
    return host_move(c, AT_EVENT | AT_TIME | AT_STEP, AT_END, "fmi2Terminate");
}

FMI_EXPORT int FMI2(Reset)(void *c) {
    int status = host_may(c, AT_ANY, "fmi2Reset");
    if (!status) host_restart(c);
    return status;
}

/* ---- values -------------------------------------------------------------------------------- */

FMI_EXPORT int FMI2(GetReal)(void *c, const unsigned *vr, size_t n, double *value) {
    return host_get(c, vr, n, value, "fmi2GetReal");
}

FMI_EXPORT int FMI2(SetReal)(void *c, const unsigned *vr, size_t n, const double *value) {
    return host_set(c, vr, n, value, "fmi2SetReal");
}

#define FMI2_NO_TYPE(Type, type)                                                                   \
    FMI_EXPORT int FMI2(Get##Type)(void *c, const unsigned *vr, size_t n, type *value) {           \
        (void)vr, (void)value;                                                                     \
        return host_none(c, n, "fmi2Get" #Type);                                                   \
    }                                                                                              \
    FMI_EXPORT int FMI2(Set##Type)(void *c, const unsigned *vr, size_t n, const type *value) {     \
        (void)vr, (void)value;                                                                     \
        return host_none(c, n, "fmi2Set" #Type);                                                   \
    }
typedef const char *fmi2_string;
FMI2_NO_TYPE(Integer, int)
FMI2_NO_TYPE(Boolean, int)
FMI2_NO_TYPE(String, fmi2_string)

/* ---- states and derivatives ---------------------------------------------------------------- */

FMI_EXPORT int FMI2(GetFMUstate)(void *c, void **state) {
    return host_save(c, state, "fmi2GetFMUstate");
}

FMI_EXPORT int FMI2(SetFMUstate)(void *c, void *state) {
    return host_load(c, state, "fmi2SetFMUstate");
}

FMI_EXPORT int FMI2(FreeFMUstate)(void *c, void **state) {
    return host_drop(c, state, "fmi2FreeFMUstate");
}

FMI_EXPORT int FMI2(SerializedFMUstateSize)(void *c, void *state, size_t *size) {
    return host_sized(c, state, size, "fmi2SerializedFMUstateSize");
}

FMI_EXPORT int FMI2(SerializeFMUstate)(void *c, void *state, char *bytes, size_t size) {
    return host_serialize(c, state, bytes, size, "fmi2SerializeFMUstate");
}

FMI_EXPORT int FMI2(DeSerializeFMUstate)(void *c, const char *bytes, size_t size, void **state) {
    return host_deserialize(c, bytes, size, state, "fmi2DeSerializeFMUstate");
}

FMI_EXPORT int FMI2(GetDirectionalDerivative)(void *c, const unsigned *unknown, size_t n,
                                              const unsigned *known, size_t m, const double *seed,
                                              double *out) {
    return host_derive(c, unknown, n, known, m, seed, out, 0, "fmi2GetDirectionalDerivative");
}

/* ---- Model Exchange ------------------------------------------------------------------------ */

FMI_EXPORT int FMI2(EnterEventMode)(void *c) {
    return host_move(c, AT_EVENT | AT_TIME, AT_EVENT, "fmi2EnterEventMode");
}

FMI_EXPORT int FMI2(NewDiscreteStates)(void *c, fmi2_event_info *info) {
    const char *call = "fmi2NewDiscreteStates";
    int status = host_may(c, AT_EVENT, call), changed = 0;
    if (status) return status;
    if (!info) return host_missing(c, call);
    memset(info, 0, sizeof *info);
    status = host_event(c, &changed, &info->next, call);
    info->states_changed = changed;
    info->next_defined = !status && isfinite(info->next);
    if (!info->next_defined) info->next = 0.0;
    return status;
}

FMI_EXPORT int FMI2(EnterContinuousTimeMode)(void *c) {
    const char *call = "fmi2EnterContinuousTimeMode";
    int status = host_may(c, AT_EVENT, call);
    if (!status && !((host *)c)->exchange)
        return host_refuse(c, FMI_ERROR, "%s: the instance is one for Co-Simulation", call);
    return status ? status : host_move(c, AT_EVENT, AT_TIME, call);
}

FMI_EXPORT int FMI2(CompletedIntegratorStep)(void *c, int final, int *enter_event, int *terminate) {
    (void) final;
    int status = host_may(c, AT_TIME, "fmi2CompletedIntegratorStep");
    if (!status && (!enter_event || !terminate))
        return host_missing(c, "fmi2CompletedIntegratorStep");
    if (!status) *enter_event = *terminate = 0;
    return status;
}

FMI_EXPORT int FMI2(SetTime)(void *c, double time) { return host_time(c, time, "fmi2SetTime"); }

FMI_EXPORT int FMI2(SetContinuousStates)(void *c, const double *z, size_t n) {
    return host_states(c, z, n, "fmi2SetContinuousStates");
}

FMI_EXPORT int FMI2(GetDerivatives)(void *c, double *dz, size_t n) {
    return host_read(c, AT_RUN, dz, n, unit_states(), unit_rates, "fmi2GetDerivatives");
}

FMI_EXPORT int FMI2(GetEventIndicators)(void *c, double *g, size_t n) {
    return host_read(c, AT_RUN, g, n, unit_indicators(), unit_indicate, "fmi2GetEventIndicators");
}

FMI_EXPORT int FMI2(GetContinuousStates)(void *c, double *z, size_t n) {
    int status = host_array(c, AT_RUN, z, n, unit_states(), "fmi2GetContinuousStates");
    if (!status) unit_state_get(((host *)c)->model, z);
    return status;
}

FMI_EXPORT int FMI2(GetNominalsOfContinuousStates)(void *c, double *size, size_t n) {
    int status = host_array(c, AT_ANY, size, n, unit_states(), "fmi2GetNominalsOfContinuousStates");
    if (!status) unit_nominals(size);
    return status;
}

/* ---- Co-Simulation ------------------------------------------------------------------------- */

FMI_EXPORT int FMI2(SetRealInputDerivatives)(void *c, const unsigned *vr, size_t n,
                                             const int *order, const double *value) {
    const char *call = "fmi2SetRealInputDerivatives";
    int status = host_may(c, AT_START | AT_INIT | AT_STEP, call);
    if (status || n == 0) return status;
    if (!vr || !order || !value) return host_missing(c, call);
    for (size_t i = 0; i < n; i++) {
        const char *wrong = NULL;
        unit_kind kind = unit_kind_of(vr[i]);
        if (kind != UNIT_INPUT && kind != UNIT_HELD)
            wrong = "it is no input";
        else if (order[i] != 1)
            wrong = "only the first derivative is used";
        else if (!isfinite(value[i]))
            wrong = "it is not a number";
        else
            wrong = unit_slope(((host *)c)->model, vr[i], value[i]);
        if (wrong)
            return host_refuse(c, FMI_ERROR, "%s: value reference %u: %s", call, vr[i], wrong);
    }
    return FMI_OK;
}

FMI_EXPORT int FMI2(GetRealOutputDerivatives)(void *c, const unsigned *vr, size_t n,
                                              const int *order, double *value) {
    (void)vr, (void)order, (void)value;
    int status = host_may(c, AT_ANY, "fmi2GetRealOutputDerivatives");
    if (status || n == 0) return status;
    return host_refuse(c, FMI_ERROR, "fmi2GetRealOutputDerivatives: outputs have none here");
}

FMI_EXPORT int FMI2(DoStep)(void *c, double from, double step, int final) {
    (void) final;
    int status = host_step_fits(c, from, step, "fmi2DoStep");
    return status ? status : host_advance(c, from + step, NULL, "fmi2DoStep");
}

/* Steps are done when fmi2DoStep returns. */
FMI_EXPORT int FMI2(CancelStep)(void *c) {
    if (!c) return FMI_ERROR;
    return host_refuse(c, FMI_ERROR, "fmi2CancelStep: no step is under way");
}

#define FMI2_STATUS(Name, type)                                                                    \
    FMI_EXPORT int FMI2(Get##Name)(void *c, int kind, type *value) {                               \
        (void)kind, (void)value;                                                                   \
        return c ? FMI_DISCARD : FMI_ERROR;                                                        \
    }
FMI2_STATUS(Status, int)
FMI2_STATUS(IntegerStatus, int)
FMI2_STATUS(StringStatus, fmi2_string)

/* The time reached, and that it goes on. */
FMI_EXPORT int FMI2(GetRealStatus)(void *c, int kind, double *value) {
    enum { LAST_SUCCESSFUL_TIME = 2 };
    if (!c) return FMI_ERROR;
    if (kind != LAST_SUCCESSFUL_TIME || !value) return FMI_DISCARD;
    *value = ((host *)c)->time;
    return FMI_OK;
}

FMI_EXPORT int FMI2(GetBooleanStatus)(void *c, int kind, int *value) {
    enum { TERMINATED = 3 };
    if (!c) return FMI_ERROR;
    if (kind != TERMINATED || !value) return FMI_DISCARD;
    *value = 0;
    return FMI_OK;
}
