/* stick.c - the Rabinowicz rig with Coulomb friction that sticks exactly, as one would write it for
 * CVODE: two modes, the ends of both found as roots, started afresh there. */
#include "problem.h"

#include <math.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

/* way: 0 while it sticks, else the direction of sliding. */
typedef struct rig {
    const stick_numbers *n;
    int way;
} rig;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
    const rig *r = data;
    const double *s = N_VGetArrayPointer(y);
    double *d = N_VGetArrayPointer(dy);
    (void)t;
    d[0] = r->way ? s[1] : r->n->slab;
    d[1] = r->way ? (-r->n->stiffness * s[0] - r->way * r->n->Fc) / r->n->mass : 0.0;
    return 0;
}

static int jac(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *data, N_Vector a,
               N_Vector b, N_Vector c) {
    const rig *r = data;
    double *to = SUNDenseMatrix_Data(J);
    (void)t, (void)y, (void)fy, (void)a, (void)b, (void)c;
    to[0] = to[3] = 0.0;
    to[1] = r->way ? -r->n->stiffness / r->n->mass : 0.0;
    to[2] = r->way ? 1.0 : 0.0;
    return 0;
}

/* It comes to rest on the slab, or the spring lets go. */
static int root(sunrealtype t, N_Vector y, sunrealtype *g, void *data) {
    const rig *r = data;
    const double *s = N_VGetArrayPointer(y);
    (void)t;
    g[0] = r->way ? s[1] - r->n->slab : r->n->Fs - fabs(r->n->stiffness * s[0]);
    return 0;
}

int peer_cvode_stick(const stick_numbers *n, double t_end, double rtol, double *x, double *v) {
    rig r = {n, n->start > n->slab ? 1 : n->start < n->slab ? -1 : 0};
    SUNContext context;
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &context);
#else
    SUNContext_Create(NULL, &context);
#endif
    N_Vector y = N_VNew_Serial(2, context);
    double *s = N_VGetArrayPointer(y), now = 0.0;
    s[0] = 0.0;
    s[1] = n->start;
    void *mem = CVodeCreate(CV_BDF, context);
    CVodeInit(mem, rhs, 0.0, y);
    CVodeSStolerances(mem, rtol, rtol);
    CVodeSetUserData(mem, &r);
    CVodeRootInit(mem, 1, root);
    CVodeSetMaxNumSteps(mem, 10000000);
    SUNMatrix A = SUNDenseMatrix(2, 2, context);
    SUNLinearSolver S = SUNLinSol_Dense(y, A, context);
    CVodeSetLinearSolver(mem, S, A);
    CVodeSetJacFn(mem, jac);
    int status = 0;
    while (now < t_end && (status = CVode(mem, t_end, y, &now, CV_NORMAL)) == CV_ROOT_RETURN) {
        double pull = -n->stiffness * s[0];
        s[1] = n->slab;
        r.way = r.way && fabs(pull) <= n->Fs ? 0 : pull > 0.0 ? 1 : -1;
        CVodeReInit(mem, now, y);
    }
    *x = s[0];
    *v = s[1];
    CVodeFree(&mem);
    SUNLinSolFree(S);
    SUNMatDestroy(A);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return status >= 0;
}
