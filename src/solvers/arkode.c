/* arkode.c - the explicit Runge-Kutta methods of SUNDIALS ARKODE: Dormand-Prince 4(5), which
 * MATLAB's ode45 uses, and Bogacki-Shampine 2(3), that of ode23. */
#include "fail.h"
#include "sundials.h"
#include <math.h>
#include <string.h>

#include <arkode/arkode_erkstep.h>

static int erk_reinit(adapter *a) {
    return ERKStepReInit(a->memory, adapter_rhs, a->base.t, a->state);
}

static int erk_begin(adapter *a, double h) { return ERKStepSetInitStep(a->memory, h); }

static int erk_set_stop(adapter *a, double t) { return ERKStepSetStopTime(a->memory, t); }

/* ARKODE gives up at once where the right-hand side is not finite: try again with shorter steps. */
static int erk_evolve(adapter *a, double t_stop, double *t) {
    int code = ERKStepEvolve(a->memory, t_stop, a->state, t, ARK_ONE_STEP);
    double h = 0.0, start = a->base.t;
    if (code > ARK_RHSFUNC_FAIL || code < ARK_UNREC_RHSFUNC_ERR) return code;
    ERKStepGetCurrentStep(a->memory, &h);
    h = fmin(fabs(h), t_stop - start);
    while (code <= ARK_RHSFUNC_FAIL && code >= ARK_UNREC_RHSFUNC_ERR) {
        h *= 0.25;
        if (!(start + h > start)) return code;
        memcpy(a->base.y, a->y_prev, sizeof(double) * (size_t)a->problem.n);
        a->base.rejected++;
        a->failures = 0;
        code = erk_reinit(a);
        if (code == 0) code = ERKStepSetInitStep(a->memory, h);
        if (code == 0) code = erk_set_stop(a, t_stop);
        if (code == 0) code = ERKStepEvolve(a->memory, t_stop, a->state, t, ARK_ONE_STEP);
    }
    ERKStepSetInitStep(a->memory, 0.0);
    return code;
}

static int erk_dense(adapter *a, double t) { return ERKStepGetDky(a->memory, t, 0, a->room); }

static int erk_longest(adapter *a, double h) { return ERKStepSetMaxStep(a->memory, h); }

static void erk_count(adapter *a, long *failures, long *setups) {
    ERKStepGetNumErrTestFails(a->memory, failures);
}

static int erk_errors(adapter *a) {
    int code = ERKStepGetEstLocalErrors(a->memory, a->room);
    return code != 0 ? code : ERKStepGetErrWeights(a->memory, a->room2);
}

static void erk_free(adapter *a) {
    if (a->memory) ERKStepFree(&a->memory);
}

static const engine erk = {erk_reinit,  erk_begin, erk_set_stop, erk_evolve, erk_dense,
                           erk_longest, erk_count, erk_errors,   erk_free,   0.3};

static int erk_settings(adapter *a, int dormand) {
    void *m = a->memory;
    int code = ERKStepWFtolerances(m, adapter_weights);
    if (code == 0) code = ERKStepSetUserData(m, a);
    if (code == 0)
        code = ERKStepSetTableNum(m, dormand ? ARKODE_DORMAND_PRINCE_7_4_5
                                             : ARKODE_BOGACKI_SHAMPINE_4_2_3);
    /* Cubic: of higher degree it would swing where stability limits the step. */
    if (code == 0) code = ERKStepSetInterpolantDegree(m, 3);
    if (code == 0) code = ERKStepSetMaxErrTestFails(m, 40);
    if (code == 0) code = ERKStepSetMaxHnilWarns(m, -1);
    return code;
}

static bri_status erk_create(const bri_solver *self, const ode *problem,
                             const solver_options *options, double t, const double *y, stepper **s,
                             bri_error *err) {
    adapter *a;
    *s = NULL;
    bri_status status = adapter_create(&erk, problem, options, t, y, &a, err);
    if (status != BRI_OK) return status;
    a->memory = ERKStepCreate(adapter_rhs, t, a->state, a->context);
    if (a->memory) ADAPTER_QUIET(ERKStepSetErrHandlerFn, a->memory);
    if (!a->memory || erk_settings(a, self == &bri_erk_dopri5) != 0) {
        adapter_free(&a->base);
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory to set up ARKODE for the solver %s",
                        self->name);
    }
    *s = &a->base;
    return BRI_OK;
}

const bri_solver bri_erk_dopri5 = {
    .name = "erk_dopri5",
    .text = "Dormand-Prince 4(5), ARKODE (MATLAB ode45)",
    .create = erk_create,
    ADAPTER_CALLS,
};

const bri_solver bri_erk_bs23 = {
    .name = "erk_bs23",
    .text = "Bogacki-Shampine 2(3), ARKODE (MATLAB ode23)",
    .create = erk_create,
    ADAPTER_CALLS,
};
