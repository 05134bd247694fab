/* chain.c - the chain for CVODE as one would write it: BDF, user Jacobian, unknowns ordered block
 * by block so that the band is narrow, linear solver dense, band or KLU. */
#include "chain.h"
#include <math.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#ifdef BENCH_KLU
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#endif

static double spring(const chain *c, double t, const double *y, int i) {
    double f = c->kp * (c->V * t - y[3 * i]);
    if (i > 0) f += c->kc * (y[3 * i - 3] - y[3 * i]);
    if (i + 1 < c->n) f += c->kc * (y[3 * i + 3] - y[3 * i]);
    return f;
}

static int rhs(sunrealtype t, N_Vector ny, N_Vector nf, void *data) {
    const chain *c = data;
    const double *y = N_VGetArrayPointer(ny);
    double *f = N_VGetArrayPointer(nf), per_m = 1.0 / c->m, per_vs = 1.0 / c->v_s;
    for (int i = 0; i < c->n; i++) {
        double v = y[3 * i + 1], z = y[3 * i + 2], r = v * per_vs;
        double g = c->load * (c->mu_c + (c->mu_s - c->mu_c) * exp(-r * r));
        double dz = v - c->sigma0 * fabs(v) * z / g;
        f[3 * i] = v;
        f[3 * i + 1] = (spring(c, t, y, i) - c->sigma0 * z - c->sigma1 * dz) * per_m;
        f[3 * i + 2] = dz;
    }
    return 0;
}

/* d(dz)/dv and d(dz)/dz of block i. */
static void derivatives(const chain *c, const double *y, int i, double *by_v, double *by_z) {
    double v = y[3 * i + 1], z = y[3 * i + 2], a = fabs(v), r = v / c->v_s, e = exp(-r * r);
    double g = c->load * (c->mu_c + (c->mu_s - c->mu_c) * e);
    double dg =
        -2.0 * c->load * (c->mu_c < c->mu_s ? c->mu_s - c->mu_c : 0.0) * e * a / (c->v_s * c->v_s);
    double sign = (v > 0.0) - (v < 0.0);
    *by_v = 1.0 - sign * c->sigma0 * z / g * (1.0 - a * dg / g);
    *by_z = -c->sigma0 * a / g;
}

/* The entries of one of the three columns of block i and their rows, with the diagonal. */
static int entries(const chain *c, const double *y, int i, double *own, int col, int *row) {
    double by_v, by_z, pull = c->kp;
    int k = 0;
    derivatives(c, y, i, &by_v, &by_z);
    if (i > 0) pull += c->kc;
    if (i + 1 < c->n) pull += c->kc;
    if (col == 0) {
        if (i > 0) row[k] = 3 * i - 2, own[k++] = c->kc / c->m;
        row[k] = 3 * i, own[k++] = 0.0;
        row[k] = 3 * i + 1, own[k++] = -pull / c->m;
        if (i + 1 < c->n) row[k] = 3 * i + 4, own[k++] = c->kc / c->m;
    } else if (col == 1) {
        row[k] = 3 * i, own[k++] = 1.0;
        row[k] = 3 * i + 1, own[k++] = -c->sigma1 * by_v / c->m;
        row[k] = 3 * i + 2, own[k++] = by_v;
    } else {
        row[k] = 3 * i + 1, own[k++] = -(c->sigma0 + c->sigma1 * by_z) / c->m;
        row[k] = 3 * i + 2, own[k++] = by_z;
    }
    return k;
}

static int jac_band(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *data, N_Vector a,
                    N_Vector b, N_Vector d) {
    const chain *c = data;
    double own[4];
    int row[4];
    for (int j = 0; j < 3 * c->n; j++) {
        int n = entries(c, N_VGetArrayPointer(y), j / 3, own, j % 3, row);
        for (int k = 0; k < n; k++) SM_ELEMENT_B(J, row[k], j) = own[k];
    }
    return 0;
}

static int jac_dense(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *data, N_Vector a,
                     N_Vector b, N_Vector d) {
    const chain *c = data;
    double own[4];
    int row[4];
    for (int j = 0; j < 3 * c->n; j++) {
        int n = entries(c, N_VGetArrayPointer(y), j / 3, own, j % 3, row);
        for (int k = 0; k < n; k++) SM_ELEMENT_D(J, row[k], j) = own[k];
    }
    return 0;
}

#ifdef BENCH_KLU
static int jac_sparse(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *data, N_Vector a,
                      N_Vector b, N_Vector d) {
    const chain *c = data;
    sunindextype *start = SUNSparseMatrix_IndexPointers(J), *rows = SUNSparseMatrix_IndexValues(J);
    double *value = SUNSparseMatrix_Data(J), own[4];
    int row[4], used = 0;
    for (int j = 0; j < 3 * c->n; j++) {
        int n = entries(c, N_VGetArrayPointer(y), j / 3, own, j % 3, row);
        start[j] = used;
        for (int k = 0; k < n; k++) rows[used] = row[k], value[used++] = own[k];
    }
    start[3 * c->n] = used;
    return 0;
}
#endif

int chain_cvode(const chain *c, int linear, double rtol, double *out, long *steps) {
    SUNContext context;
    sunindextype n = 3 * (sunindextype)c->n;
    sunrealtype reached;
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &context);
#else
    SUNContext_Create(NULL, &context);
#endif
    N_Vector y = N_VNew_Serial(n, context), atol = N_VNew_Serial(n, context);
    double *y0 = N_VGetArrayPointer(y), *tol = N_VGetArrayPointer(atol);
    for (int i = 0; i < c->n; i++) {
        y0[3 * i] = c->start[i];
        y0[3 * i + 1] = 0.0;
        y0[3 * i + 2] = 0.0;
        tol[3 * i] = rtol * c->V;
        tol[3 * i + 1] = rtol * c->v_s;
        tol[3 * i + 2] = rtol * c->mu_c * c->load / c->sigma0;
    }
    void *mem = CVodeCreate(CV_BDF, context);
    CVodeInit(mem, rhs, 0.0, y);
    CVodeSVtolerances(mem, rtol, atol);
    CVodeSetUserData(mem, (void *)(size_t)c);
    CVodeSetMaxNumSteps(mem, 10000000);
    SUNMatrix A = NULL;
    SUNLinearSolver S = NULL;
    if (linear == CHAIN_BAND) {
        A = SUNBandMatrix(n, 2, 4, context);
        S = SUNLinSol_Band(y, A, context);
        CVodeSetLinearSolver(mem, S, A);
        CVodeSetJacFn(mem, jac_band);
    }
    if (linear == CHAIN_DENSE) {
        A = SUNDenseMatrix(n, n, context);
        S = SUNLinSol_Dense(y, A, context);
        CVodeSetLinearSolver(mem, S, A);
        CVodeSetJacFn(mem, jac_dense);
    }
#ifdef BENCH_KLU
    if (linear == CHAIN_KLU) {
        A = SUNSparseMatrix(n, n, 4 * n, CSC_MAT, context);
        S = SUNLinSol_KLU(y, A, context);
        CVodeSetLinearSolver(mem, S, A);
        CVodeSetJacFn(mem, jac_sparse);
    }
#endif
    int ok = S && CVode(mem, c->t_end, y, &reached, CV_NORMAL) >= 0;
    *steps = 0;
    CVodeGetNumSteps(mem, steps);
    for (sunindextype i = 0; i < n; i++) out[i] = y0[i];
    CVodeFree(&mem);
    if (S) SUNLinSolFree(S);
    if (A) SUNMatDestroy(A);
    N_VDestroy(y);
    N_VDestroy(atol);
    SUNContext_Free(&context);
    return ok;
}
