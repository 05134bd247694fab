/* sundials.c - CVODE (BDF, user Jacobian, dense) and ARKODE (Dormand-Prince) straight, as their
 * manuals show: integrate from checkpoint to checkpoint, start afresh at kinks of the drive. */
#include "problem.h"
#include <string.h>

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct peer {
    const problem *p;
    N_Vector y, atol;
    SUNContext context;
    effort done; /* until the last kink */
} peer;

static int call_rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
    ((const peer *)data)->p->rhs(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

static int call_jac(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *data, N_Vector a,
                    N_Vector b, N_Vector c) {
    ((const peer *)data)->p->jac(t, N_VGetArrayPointer(y), SUNDenseMatrix_Data(J));
    return 0;
}

static void open_peer(peer *q, const problem *p, double rtol) {
    *q = (peer){.p = p};
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &q->context);
#else
    SUNContext_Create(NULL, &q->context);
#endif
    q->y = N_VNew_Serial(p->n, q->context);
    q->atol = N_VNew_Serial(p->n, q->context);
    p->start(N_VGetArrayPointer(q->y));
    for (int i = 0; i < p->n; i++) N_VGetArrayPointer(q->atol)[i] = rtol * p->atol[i];
}

static void close_peer(peer *q) {
    N_VDestroy(q->y);
    N_VDestroy(q->atol);
    SUNContext_Free(&q->context);
}

/* What differs between the two. */
typedef struct calls {
    int (*go)(void *mem, double t, N_Vector y);
    int (*stop)(void *mem, double t); /* not to step beyond t */
    void (*count)(void *mem, effort *done);
    int (*again)(void *mem, double t, N_Vector y);
} calls;

/* From checkpoint to checkpoint and kink to kink. */
static int travel(peer *q, void *mem, const calls *c, double *out) {
    const problem *p = q->p;
    int stop = 0;
    for (int k = 1; k <= p->checks;) {
        double t = p->t_end * k / p->checks,
               kink = stop < p->n_stops ? p->stop[stop] : 2.0 * p->t_end;
        if (c->stop(mem, kink) < 0 || c->go(mem, t < kink ? t : kink, q->y) < 0) return 0;
        if (t <= kink) p->out(t, N_VGetArrayPointer(q->y), out + (k++ - 1) * p->n_out);
        if (kink > t) continue;
        c->count(mem, &q->done);
        if (c->again(mem, kink, q->y) < 0) return 0;
        stop++;
    }
    c->count(mem, &q->done);
    return 1;
}

static int cvode_go(void *mem, double t, N_Vector y) {
    sunrealtype reached;
    return CVode(mem, t, y, &reached, CV_NORMAL);
}

static int cvode_stop(void *mem, double t) { return CVodeSetStopTime(mem, t); }

static void cvode_count(void *mem, effort *done) {
    long steps = 0, evals = 0;
    CVodeGetNumSteps(mem, &steps);
    CVodeGetNumRhsEvals(mem, &evals);
    done->steps += steps;
    done->evals += evals;
}

static int cvode_again(void *mem, double t, N_Vector y) { return CVodeReInit(mem, t, y); }

static const calls cvode = {cvode_go, cvode_stop, cvode_count, cvode_again};

int peer_cvode_bdf(const problem *p, double rtol, double *out, effort *e) {
    peer q;
    open_peer(&q, p, rtol);
    void *mem = CVodeCreate(CV_BDF, q.context);
    CVodeInit(mem, call_rhs, 0.0, q.y);
    CVodeSVtolerances(mem, rtol, q.atol);
    CVodeSetUserData(mem, &q);
    CVodeSetMaxNumSteps(mem, 10000000);
    SUNMatrix A = SUNDenseMatrix(p->n, p->n, q.context);
    SUNLinearSolver S = SUNLinSol_Dense(q.y, A, q.context);
    CVodeSetLinearSolver(mem, S, A);
    CVodeSetJacFn(mem, call_jac);
    int ok = travel(&q, mem, &cvode, out);
    *e = q.done;
    CVodeFree(&mem);
    SUNLinSolFree(S);
    SUNMatDestroy(A);
    close_peer(&q);
    return ok;
}

static int erk_go(void *mem, double t, N_Vector y) {
    sunrealtype reached;
    return ERKStepEvolve(mem, t, y, &reached, ARK_NORMAL);
}

static int erk_stop(void *mem, double t) { return ERKStepSetStopTime(mem, t); }

static void erk_count(void *mem, effort *done) {
    long steps = 0, evals = 0;
    ERKStepGetNumSteps(mem, &steps);
    ERKStepGetNumRhsEvals(mem, &evals);
    done->steps += steps;
    done->evals += evals;
}

static int erk_again(void *mem, double t, N_Vector y) { return ERKStepReInit(mem, call_rhs, t, y); }

static const calls erk = {erk_go, erk_stop, erk_count, erk_again};

int peer_arkode_dopri5(const problem *p, double rtol, double *out, effort *e) {
    peer q;
    open_peer(&q, p, rtol);
    void *mem = ERKStepCreate(call_rhs, 0.0, q.y, q.context);
    ERKStepSVtolerances(mem, rtol, q.atol);
    ERKStepSetUserData(mem, &q);
    ERKStepSetMaxNumSteps(mem, 10000000);
    ERKStepSetTableNum(mem, ARKODE_DORMAND_PRINCE_7_4_5);
    int ok = travel(&q, mem, &erk, out);
    *e = q.done;
    ERKStepFree(&mem);
    close_peer(&q);
    return ok;
}
