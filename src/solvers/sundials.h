/* sundials.h - what the adapters to CVODE and ARKODE share. Only files that include this one know
 * SUNDIALS; differences between its versions 6 and 7 end here. */
#ifndef BRI_SUNDIALS_H
#define BRI_SUNDIALS_H

#include "solver.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

typedef struct adapter adapter;

/* An integrator of SUNDIALS behind one set of calls; all return its own status codes. */
typedef struct engine {
    int (*reinit)(adapter *a);
    int (*begin)(adapter *a, double h); /* after reinit: first step, 0: as the integrator thinks */
    int (*set_stop)(adapter *a, double t);
    int (*evolve)(adapter *a, double t_stop, double *t); /* one internal step, into a->state */
    int (*dense)(adapter *a, double t);                  /* into a->room */
    int (*set_longest)(adapter *a, double h);            /* 0: no limit */
    void (*count)(adapter *a, long *failures, long *setups);
    int (*errors)(adapter *a); /* local errors into a->room, their weights into a->room2 */
    void (*free)(adapter *a);
    double share; /* of the tolerances, to which the error of one step is held */
} engine;

struct adapter {
    stepper base;
    ode problem;
    const engine *engine;
    SUNContext context;
    void *memory;                 /* of the integrator */
    N_Vector state, room, room2;  /* state has base.y as its data */
    double *y_prev, *y_next, *dy; /* before the last step; as it led to; room for a rate */
    double rtol, atol;
    double max_step, told; /* of the options, 0: none; what the integrator has been told */
    int again;             /* nonzero: start afresh before the next step */
    long failures, setups; /* counters of the integrator at the last step */
    void *own;             /* what one engine keeps besides */
};

/* SUNDIALS never prints. */
#if SUNDIALS_VERSION_MAJOR >= 7
static inline void adapter_ignore(int line, const char *function, const char *file,
                                  const char *message, SUNErrCode code, void *data,
                                  SUNContext context) {}
static inline int adapter_context(SUNContext *context) {
    if (SUNContext_Create(SUN_COMM_NULL, context) != 0) return 0;
    SUNContext_ClearErrHandlers(*context);
    return SUNContext_PushErrHandler(*context, adapter_ignore, NULL) == 0;
}
#define ADAPTER_QUIET(set, memory) ((void)0)
#else
static inline void adapter_ignore(int code, const char *module, const char *function, char *message,
                                  void *data) {}
static inline int adapter_context(SUNContext *context) {
    return SUNContext_Create(NULL, context) == 0;
}
#define ADAPTER_QUIET(set, memory) ((void)set((memory), adapter_ignore, NULL))
#endif

/* The unknowns that SUNDIALS gets to see: where nothing is free to move it takes one that rests. */
static inline sunindextype adapter_size(const ode *problem) {
    return problem->n > 0 ? problem->n : 1;
}

/* The right-hand side as SUNDIALS wants it: 1 asks for a smaller step, when f is not finite. */
int adapter_rhs(sunrealtype t, N_Vector y, N_Vector dy, void *adapter_);

/* One over the tolerance of each unknown, by the same rule as for the other solvers. */
int adapter_weights(N_Vector y, N_Vector weights, void *adapter_);

/* Memory, vectors and start values of an adapter; the engine's own part is added by the caller. */
bri_status adapter_create(const engine *e, const ode *problem, const solver_options *options,
                          double t, const double *y, adapter **out, bri_error *err);

/* The calls of a bri_solver, common to all engines. */
bri_status adapter_step(stepper *base, double t_stop, bri_error *err);
void adapter_interpolate(stepper *base, double t, double *y);
bri_status adapter_cut(stepper *base, double t, bri_error *err);
void adapter_undo(stepper *base);
bri_status adapter_restart(stepper *base, bri_error *err);
void adapter_free(stepper *base);

#define ADAPTER_CALLS                                                                              \
    .step = adapter_step, .interpolate = adapter_interpolate, .cut = adapter_cut,                  \
    .undo = adapter_undo, .restart = adapter_restart, .free = adapter_free, .foreign = 1

#endif
