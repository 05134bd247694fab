/* fmu_calls.h - the functions of FMI 2 and FMI 3 as an importer calls them. */
#ifndef BRI_TEST_FMU_CALLS_H
#define BRI_TEST_FMU_CALLS_H

#include "fmu_reader.h"

#include <stdbool.h>

enum { OK, WARNING, DISCARD, ERROR };

/* ---- one interface for both versions --------------------------------------------------------- */

static char last_words[400]; /* what the unit said last */

static void log2_words(void *environment, const char *instance, int status, const char *category,
                       const char *form, ...) {
    va_list args;
    va_start(args, form);
    vsnprintf(last_words, sizeof last_words, form, args);
    va_end(args);
    assert_string_equal(instance, "one");
    assert_ptr_equal(environment, last_words);
    assert_true(status >= DISCARD || strcmp(category, "logEvents") == 0);
}

static void log3_words(void *environment, int status, const char *category, const char *words) {
    snprintf(last_words, sizeof last_words, "%s", words);
    assert_ptr_equal(environment, last_words);
    assert_true(status >= DISCARD || strcmp(category, "logEvents") == 0);
}

typedef struct callbacks2 {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks2;

static const callbacks2 functions2 = {log2_words, calloc, free, NULL, last_words};

#define CALL(f, name, type, ...) ((type)call_of((f), (name)))(__VA_ARGS__)
#define V(f, two, three)         ((f)->version == 3 ? (three) : (two))

typedef int plain_call(void *);

static int simple(const fmu *f, const char *two, const char *three, void *c) {
    return CALL(f, V(f, two, three), plain_call *, c);
}

/* FMI 3: steps end at events; steps may end early, and the host is told what happens in them. */
static int early_return, may_return;
static void (*told_between)(void *, double, bool, bool, bool, bool, bool *, double *);

static void *instance(const fmu *f, int exchange, const char *token) {
    typedef void *make2(const char *, int, const char *, const char *, const callbacks2 *, int,
                        int);
    typedef void *make_me(const char *, const char *, const char *, bool, bool, void *,
                          void (*)(void *, int, const char *, const char *));
    typedef void *make_cs(const char *, const char *, const char *, bool, bool, bool, bool,
                          const unsigned *, size_t, void *,
                          void (*)(void *, int, const char *, const char *),
                          void (*)(void *, double, bool, bool, bool, bool, bool *, double *));
    if (f->version == 2)
        return CALL(f, "fmi2Instantiate", make2 *, "one", exchange ? 0 : 1, token, "", &functions2,
                    0, 1);
    if (exchange)
        return CALL(f, "fmi3InstantiateModelExchange", make_me *, "one", token, "", false, true,
                    last_words, log3_words);
    return CALL(f, "fmi3InstantiateCoSimulation", make_cs *, "one", token, "", false, true,
                early_return, early_return || may_return, NULL, 0, last_words, log3_words,
                told_between);
}

static void release(const fmu *f, void *c) {
    typedef void free_call(void *);
    CALL(f, V(f, "fmi2FreeInstance", "fmi3FreeInstance"), free_call *, c);
}

static int enter_from(const fmu *f, void *c, double tolerance, double start, double stop) {
    typedef int setup2(void *, int, double, double, int, double);
    typedef int enter3(void *, bool, double, double, bool, double);
    if (f->version == 3)
        return CALL(f, "fmi3EnterInitializationMode", enter3 *, c, true, tolerance, start, true,
                    stop);
    int status = CALL(f, "fmi2SetupExperiment", setup2 *, c, 1, tolerance, start, 1, stop);
    return status ? status : simple(f, "fmi2EnterInitializationMode", "", c);
}

static inline int enter(const fmu *f, void *c, double tolerance) {
    return enter_from(f, c, tolerance, 0.0, 10.0);
}

static int leave(const fmu *f, void *c) {
    return simple(f, "fmi2ExitInitializationMode", "fmi3ExitInitializationMode", c);
}

static int get_number(const fmu *f, void *c, unsigned number, double *x) {
    typedef int get2(void *, const unsigned *, size_t, double *);
    typedef int get3(void *, const unsigned *, size_t, double *, size_t);
    return f->version == 3 ? CALL(f, "fmi3GetFloat64", get3 *, c, &number, 1, x, 1)
                           : CALL(f, "fmi2GetReal", get2 *, c, &number, 1, x);
}

static double get(const fmu *f, void *c, const char *name) {
    double x = NAN;
    assert_int_equal(get_number(f, c, row_of(f, name)->number, &x), OK);
    return x;
}

static int set_number(const fmu *f, void *c, unsigned number, double x) {
    typedef int set2(void *, const unsigned *, size_t, const double *);
    typedef int set3(void *, const unsigned *, size_t, const double *, size_t);
    return f->version == 3 ? CALL(f, "fmi3SetFloat64", set3 *, c, &number, 1, &x, 1)
                           : CALL(f, "fmi2SetReal", set2 *, c, &number, 1, &x);
}

static int set(const fmu *f, void *c, const char *name, double x) {
    return set_number(f, c, row_of(f, name)->number, x);
}

static inline int slope(const fmu *f, void *c, const char *name, double x) {
    typedef int slope2(void *, const unsigned *, size_t, const int *, const double *);
    char full[100];
    snprintf(full, sizeof full, "%s_slope", name);
    if (f->version == 3) return set(f, c, full, x);
    unsigned number = row_of(f, name)->number;
    return CALL(f, "fmi2SetRealInputDerivatives", slope2 *, c, &number, 1, &(int){1}, &x);
}

static double reached; /* by the last step of FMI 3 */
static bool event_needed;

static int do_step(const fmu *f, void *c, double from, double step) {
    typedef int step2(void *, double, double, int);
    typedef int step3(void *, double, double, bool, bool *, bool *, bool *, double *);
    bool end, early;
    if (f->version == 2) return CALL(f, "fmi2DoStep", step2 *, c, from, step, 1);
    int status =
        CALL(f, "fmi3DoStep", step3 *, c, from, step, true, &event_needed, &end, &early, &reached);
    if (status) return status;
    assert_int_equal(early, reached < from + step);
    if (!may_return)
        assert_true(early ? event_needed && early_return : fabs(reached - from - step) <= 1e-12);
    return status;
}

static double next_event; /* as told last; infinite if it is not known */

static int new_states(const fmu *f, void *c, int *changed) {
    typedef int new2(void *, int *);
    typedef int new3(void *, bool *, bool *, bool *, bool *, bool *, double *);
    struct {
        int more, end, nominals, states, defined;
        double next;
    } info;
    bool more, end, nominals, states, defined;
    double next;
    int status = f->version == 3 ? CALL(f, "fmi3UpdateDiscreteStates", new3 *, c, &more, &end,
                                        &nominals, &states, &defined, &next)
                                 : CALL(f, "fmi2NewDiscreteStates", new2 *, c, &info.more);
    if (!status) *changed = V(f, info.states, (int)states);
    if (!status) next_event = V(f, info.defined, defined) ? V(f, info.next, next) : INFINITY;
    if (!status) assert_false(V(f, info.more || info.end, more || end));
    return status;
}

typedef int array_call(void *, double *, size_t);
static int array(const fmu *f, const char *two, const char *three, void *c, double *x, size_t n) {
    return CALL(f, V(f, two, three), array_call *, c, x, n);
}

#endif
