/* host.h - what FMI 2 and FMI 3 share: an instance, the order of calls, values, states and steps.
 *
 * A call that the order forbids, a number that no variable has, a value out of range: the instance
 * says why through the host's log, returns FMI_ERROR and stays as it was. A value that is not a
 * number is FMI_DISCARD: a solver may try a shorter step. */
#ifndef BRI_FMU_HOST_H
#define BRI_FMU_HOST_H

#include "unit.h"

/* The codes of both versions. */
enum { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL };

/* Where an instance is in its life. */
enum {
    AT_START = 1,    /* instantiated */
    AT_INIT = 2,     /* initialization mode */
    AT_EVENT = 4,    /* event mode */
    AT_TIME = 8,     /* continuous-time mode */
    AT_STEP = 16,    /* between communication steps */
    AT_END = 32,     /* terminated */
    AT_SET_UP = 64,  /* configuration mode */
    AT_BETWEEN = 128 /* within a communication step, while the host is told of it */
};
enum { AT_RUN = AT_INIT | AT_EVENT | AT_TIME | AT_STEP | AT_END, AT_ANY = AT_RUN | AT_START };

typedef struct host {
    unit *model;
    char *name;
    int exchange; /* nonzero: Model Exchange, else Co-Simulation */
    int events;   /* nonzero: Co-Simulation with event mode */
    int early;    /* nonzero: and steps that end at events */
    int returns;  /* nonzero: the host takes steps that end early */
    int at;
    double time, stop, tolerance; /* stop: infinite if it is not known */
    int debug;
    void *environment;
    void (*log)(void);    /* of the version's own type */
    void (*update)(void); /* the same; NULL: nothing is told within steps */
    char words[300];
} host;

/* Of the version: hand a sentence to the host's log. */
static void host_log(host *h, int status, const char *category, const char *words);

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static int
host_refuse(host *h, int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_vformat(h->words, sizeof h->words, format, args);
    va_end(args);
    host_log(h, status, status == FMI_DISCARD ? "logStatusDiscard" : "logStatusError", h->words);
    return status;
}

static const char *host_place(int at) {
    return at == AT_START     ? "before initialization"
           : at == AT_INIT    ? "in initialization mode"
           : at == AT_EVENT   ? "in event mode"
           : at == AT_TIME    ? "in continuous-time mode"
           : at == AT_STEP    ? "in step mode"
           : at == AT_END     ? "after termination"
           : at == AT_BETWEEN ? "in intermediate update mode"
                              : "in configuration mode";
}

/* FMI_OK if the call has its place now. */
static int host_may(host *h, int modes, const char *call) {
    if (!h) return FMI_ERROR;
    if (h->at & modes) return FMI_OK;
    return host_refuse(h, FMI_ERROR, "%s: not allowed %s", call, host_place(h->at));
}

static int host_missing(host *h, const char *call) {
    return host_refuse(h, FMI_ERROR, "%s: an argument is missing", call);
}

/* ---- life ---------------------------------------------------------------------------------- */

static char *host_copy(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static void host_restart(host *h) {
    unit_reset(h->model);
    h->at = AT_START;
    h->time = 0.0;
    h->stop = INFINITY;
    h->tolerance = UNIT_TOLERANCE;
}

static void host_free(host *h) {
    if (!h) return;
    unit_free(h->model);
    free(h->name);
    free(h);
}

/* NULL, with a word in the log, if the name is empty or the token another model's. */
static host *host_new(const char *name, const char *token, int exchange, int debug,
                      void *environment, void (*log)(void)) {
    host *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->environment = environment;
    h->log = log;
    h->exchange = exchange;
    h->debug = debug;
    h->name = host_copy(name ? name : "");
    h->model = unit_new();
    const char *wrong = NULL;
    if (!h->name || !h->model)
        wrong = "there is no memory";
    else if (!*h->name)
        wrong = "an instance needs a name";
    else if (!token || strcmp(token, UNIT_TOKEN) != 0)
        wrong = "the token (guid) is not that of this binary: " UNIT_TOKEN;
    if (wrong) {
        host_refuse(h, FMI_ERROR, "%s", wrong);
        host_free(h);
        return NULL;
    }
    host_restart(h);
    return h;
}

static int host_experiment(host *h, const char *call, int tolerance_given, double tolerance,
                           double start, int stop_given, double stop) {
    if (!isfinite(start)) return host_refuse(h, FMI_ERROR, "%s: the start is no time", call);
    if (stop_given && !(stop >= start))
        return host_refuse(h, FMI_ERROR, "%s: it ends at %g s, before its start at %g s", call,
                           stop, start);
    if (tolerance_given && !(tolerance > 0.0 && tolerance < 1.0))
        return host_refuse(h, FMI_ERROR, "%s: a tolerance of %g is not between 0 and 1", call,
                           tolerance);
    stop = stop_given ? stop : INFINITY;
    tolerance = tolerance_given ? fmax(tolerance, 1e-12) : UNIT_TOLERANCE;
    const char *wrong = unit_begin(h->model, start, stop, tolerance);
    if (wrong) return host_refuse(h, FMI_ERROR, "%s: %s", call, wrong);
    h->time = start;
    h->stop = stop;
    h->tolerance = tolerance;
    return FMI_OK;
}

static int host_initialized(host *h, const char *call) {
    int status = host_may(h, AT_INIT, call);
    const char *wrong = status ? NULL : unit_check(h->model);
    if (wrong) return host_refuse(h, FMI_ERROR, "%s: %s", call, wrong);
    if (!status) h->at = h->exchange || h->events ? AT_EVENT : AT_STEP;
    return status;
}

/* From one mode to another. */
static int host_move(host *h, int from, int to, const char *call) {
    int status = host_may(h, from, call);
    if (!status) h->at = to;
    return status;
}

/* ---- values -------------------------------------------------------------------------------- */

static int host_get(host *h, const unsigned *number, size_t count, double *value,
                    const char *call) {
    int status = host_may(h, AT_ANY | AT_BETWEEN, call);
    if (status || count == 0) return status;
    if (!number || !value) return host_missing(h, call);
    for (size_t i = 0; i < count; i++) {
        if (unit_kind_of(number[i]) == UNIT_NOTHING)
            return host_refuse(h, FMI_ERROR, "%s: there is no variable with value reference %u",
                               call, number[i]);
        const char *wrong = unit_get(h->model, number[i], &value[i]);
        if (wrong) return host_refuse(h, FMI_ERROR, "%s: %s", call, wrong);
    }
    return FMI_OK;
}

/* Where a variable may be set. */
static int host_settable(unit_kind kind) {
    switch (kind) {
    case UNIT_INPUT:
        return AT_START | AT_INIT | AT_EVENT | AT_TIME | AT_STEP;
    case UNIT_PARAMETER:
    case UNIT_HELD:
        return AT_START | AT_INIT | AT_EVENT | AT_STEP;
    case UNIT_STATE:
        return AT_START | AT_INIT;
    default:
        return 0;
    }
}

static int host_set_one(host *h, unsigned number, double value, const char *call) {
    char name[100];
    unit_kind kind = unit_kind_of(number);
    if (kind == UNIT_NOTHING)
        return host_refuse(h, FMI_ERROR, "%s: there is no variable with value reference %u", call,
                           number);
    unit_name(h->model, number, name, sizeof name);
    if (!(host_settable(kind) & h->at))
        return host_refuse(h, FMI_ERROR, "%s: %s cannot be set %s", call, name, host_place(h->at));
    if (!isfinite(value))
        return host_refuse(h, kind == UNIT_INPUT || kind == UNIT_HELD ? FMI_DISCARD : FMI_ERROR,
                           "%s: %s = %g is not a number", call, name, value);
    const char *wrong = unit_set(h->model, number, value, h->at == AT_TIME);
    return wrong ? host_refuse(h, FMI_ERROR, "%s: %s", call, wrong) : FMI_OK;
}

static int host_set(host *h, const unsigned *number, size_t count, const double *value,
                    const char *call) {
    int status = host_may(h, AT_ANY & ~AT_END, call);
    if (status || count == 0) return status;
    if (!number || !value) return host_missing(h, call);
    for (size_t i = 0; i < count && !status; i++)
        status = host_set_one(h, number[i], value[i], call);
    return status;
}

/* Of a type that no variable has. */
static int host_none(host *h, size_t count, const char *call) {
    int status = host_may(h, AT_ANY | AT_SET_UP, call);
    if (status || count == 0) return status;
    return host_refuse(h, FMI_ERROR, "%s: no variable has this type", call);
}

/* ---- Model Exchange ------------------------------------------------------------------------ */

/* FMI_OK if an array of that length can be filled. */
static int host_array(host *h, int modes, const void *array, size_t size, int wanted,
                      const char *call) {
    int status = host_may(h, modes, call);
    if (status) return status;
    if (size != (size_t)wanted)
        return host_refuse(h, FMI_ERROR, "%s: %lu values are asked for, there are %d", call,
                           (unsigned long)size, wanted);
    return size > 0 && !array ? host_missing(h, call) : FMI_OK;
}

static int host_time(host *h, double time, const char *call) {
    int status = host_may(h, AT_EVENT | AT_TIME, call);
    if (status) return status;
    if (!isfinite(time)) return host_refuse(h, FMI_ERROR, "%s: %g is no time", call, time);
    h->time = time;
    unit_time(h->model, time);
    return FMI_OK;
}

static int host_states(host *h, const double *z, size_t size, const char *call) {
    int status = host_array(h, AT_EVENT | AT_TIME, z, size, unit_states(), call);
    const char *wrong = status || size == 0 ? NULL : unit_state_set(h->model, z);
    return wrong ? host_refuse(h, FMI_DISCARD, "%s: %s", call, wrong) : status;
}

static int host_read(host *h, int modes, double *to, size_t size, int wanted,
                     const char *(*read)(unit *, double *), const char *call) {
    int status = host_array(h, modes, to, size, wanted, call);
    const char *wrong = status || size == 0 ? NULL : read(h->model, to);
    return wrong ? host_refuse(h, FMI_ERROR, "%s: %s", call, wrong) : status;
}

static int host_event(host *h, int *changed, double *next, const char *call) {
    int status = host_may(h, AT_EVENT, call);
    const char *wrong = status ? NULL : unit_event(h->model, changed, next);
    if (wrong) return host_refuse(h, FMI_ERROR, "%s: %s", call, wrong);
    if (!status && *changed && h->debug)
        host_log(h, FMI_OK, "logEvents", "an event has changed states or rates");
    return status;
}

/* ---- Co-Simulation ------------------------------------------------------------------------- */

/* Whether a step can be made from there. */
static int host_step_fits(host *h, double from, double step, const char *call) {
    int status = host_may(h, AT_STEP, call);
    if (status) return status;
    if (!(step >= 0.0) || !isfinite(step))
        return host_refuse(h, FMI_ERROR, "%s: a step of %g s", call, step);
    double slack = 1e-9 * (fabs(h->time) + fabs(step));
    if (!(fabs(from - h->time) <= slack))
        return host_refuse(h, FMI_ERROR, "%s: a step from %g s, but it is at %g s", call, from,
                           h->time);
    if (h->time + step > h->stop + slack)
        return host_refuse(h, FMI_ERROR, "%s: a step to %g s, but it ends at %g s", call,
                           h->time + step, h->stop);
    return FMI_OK;
}

/* *event: there was one, where it has stopped; NULL: it does not stop at events. */
static int host_advance(host *h, double to, int *event, const char *call) {
    if (!(to > h->time)) return FMI_OK;
    const char *wrong = event ? unit_advance_to_event(h->model, to, h->tolerance, event, &to)
                              : unit_advance(h->model, to, h->tolerance);
    if (wrong) return host_refuse(h, FMI_ERROR, "%s: %s", call, wrong);
    h->time = to;
    return FMI_OK;
}

/* ---- derivatives --------------------------------------------------------------------------- */

/* out[i] += d unknown[i] / d known[k] * seed[k], or with `back` out[k] from seed[i]. */
static int host_derive(host *h, const unsigned *unknown, size_t n, const unsigned *known, size_t m,
                       const double *seed, double *out, int back, const char *call) {
    int status = host_may(h, AT_RUN, call);
    if (status) return status;
    if ((n > 0 && !unknown) || (m > 0 && !known) || (n > 0 && m > 0 && (!seed || !out)))
        return host_missing(h, call);
    for (size_t i = 0; i < (back ? m : n); i++) out[i] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++) {
            double slope = 0.0;
            char name[100];
            unsigned bad = unit_kind_of(unknown[i]) == UNIT_NOTHING ? unknown[i] : known[k];
            const char *wrong = unit_kind_of(bad) == UNIT_NOTHING
                                    ? "there is no such variable"
                                    : unit_partial(h->model, unknown[i], known[k], &slope);
            if (wrong) {
                unit_name(h->model, bad, name, sizeof name);
                return host_refuse(h, FMI_ERROR, "%s: %s, %u: %s", call, name, bad, wrong);
            }
            out[back ? k : i] += slope * seed[back ? i : k];
        }
    return FMI_OK;
}

/* ---- the state as a whole ------------------------------------------------------------------ */

/* Plain memory, the same for host and file: what it is of, then the values. */
typedef struct host_state {
    char token[40];
    double size, at, time, stop, tolerance;
} host_state;

static int host_save(host *h, void **state, const char *call) {
    int status = host_may(h, AT_ANY, call);
    if (status) return status;
    if (!state) return host_missing(h, call);
    size_t size = sizeof(host_state) + unit_size(h->model);
    host_state *s = realloc(*state, size);
    if (!s) return host_refuse(h, FMI_ERROR, "%s: there is no memory", call);
    *state = s;
    memset(s, 0, sizeof *s);
    memcpy(s->token, UNIT_TOKEN, sizeof UNIT_TOKEN);
    s->size = (double)size;
    s->at = h->at;
    s->time = h->time;
    s->stop = h->stop;
    s->tolerance = h->tolerance;
    unit_save(h->model, s + 1);
    return FMI_OK;
}

static size_t host_state_size(const void *state) {
    return (size_t)((const host_state *)state)->size;
}

static int host_is_state(const void *state) {
    return strncmp(((const host_state *)state)->token, UNIT_TOKEN, sizeof UNIT_TOKEN) == 0;
}

static int host_load(host *h, const void *state, const char *call) {
    int status = host_may(h, AT_ANY, call);
    if (status) return status;
    if (!state) return host_missing(h, call);
    if (!host_is_state(state)) return host_refuse(h, FMI_ERROR, "%s: no state of this FMU", call);
    const host_state *s = state;
    const char *wrong = unit_restore(h->model, s + 1, host_state_size(s) - sizeof *s);
    if (wrong) return host_refuse(h, FMI_ERROR, "%s: %s", call, wrong);
    h->at = (int)s->at;
    h->time = s->time;
    h->stop = s->stop;
    h->tolerance = s->tolerance;
    return FMI_OK;
}

static int host_drop(host *h, void **state, const char *call) {
    int status = host_may(h, AT_ANY, call);
    if (status || !state) return status;
    /* There are hosts (fmusim) that give the state in place of its address: no address reads like
     * the token. */
    if (memcmp(state, UNIT_TOKEN, sizeof *state) == 0) {
        free(state);
        return FMI_OK;
    }
    free(*state);
    *state = NULL;
    return FMI_OK;
}

static int host_sized(host *h, const void *state, size_t *size, const char *call) {
    int status = host_may(h, AT_ANY, call);
    if (status) return status;
    if (!state || !size) return host_missing(h, call);
    *size = host_state_size(state);
    return FMI_OK;
}

/* State to bytes, or bytes to a new state. */
static int host_serialize(host *h, const void *state, void *bytes, size_t size, const char *call) {
    int status = host_may(h, AT_ANY, call);
    if (status) return status;
    if (!state || !bytes) return host_missing(h, call);
    if (size != host_state_size(state))
        return host_refuse(h, FMI_ERROR, "%s: room for %lu bytes, it takes %lu", call,
                           (unsigned long)size, (unsigned long)host_state_size(state));
    memcpy(bytes, state, size);
    return FMI_OK;
}

static int host_deserialize(host *h, const void *bytes, size_t size, void **state,
                            const char *call) {
    int status = host_may(h, AT_ANY, call);
    if (status) return status;
    if (!state || !bytes) return host_missing(h, call);
    if (size <= sizeof(host_state))
        return host_refuse(h, FMI_ERROR, "%s: %lu bytes are no state", call, (unsigned long)size);
    void *copy = malloc(size);
    if (!copy) return host_refuse(h, FMI_ERROR, "%s: there is no memory", call);
    memcpy(copy, bytes, size);
    if (!host_is_state(copy) || host_state_size(copy) != size) {
        free(copy);
        return host_refuse(h, FMI_ERROR, "%s: no state of this FMU", call);
    }
    *state = copy;
    return FMI_OK;
}

/* Categories of the log. */
static int host_debug(host *h, int on, size_t count, const char *const *categories,
                      const char *call) {
    static const char *const known[] = {"logStatusError", "logStatusDiscard", "logEvents",
                                        "logAll"};
    int status = host_may(h, AT_ANY | AT_SET_UP | AT_BETWEEN, call);
    if (status) return status;
    if (count > 0 && !categories) return host_missing(h, call);
    for (size_t i = 0; i < count; i++) {
        int found = 0;
        for (int k = 0; k < 4; k++) found |= categories[i] && strcmp(categories[i], known[k]) == 0;
        if (!found)
            return host_refuse(h, FMI_ERROR, "%s: there is no category '%.80s'", call,
                               categories[i] ? categories[i] : "");
    }
    h->debug = on;
    return FMI_OK;
}

#endif
