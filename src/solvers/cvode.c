/* cvode.c - the multistep methods of SUNDIALS CVODE. cvode_bdf stands for MATLAB's ode15s: backward
 * differentiation, Newton's method with the exact Jacobian. cvode_adams stands for ode113, a solver
 * for systems that are not stiff: Adams-Moulton formulas, corrected by functional iteration. */
#include "fail.h"
#include "sundials.h"
#include <stdlib.h>

#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#ifdef BRI_HAVE_SUNDIALS_KLU
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#endif

enum { LARGEST_DENSE = 100 }; /* above it the matrix is sparse, if KLU is there */

/* What CVODE needs besides: matrix, solvers, and where the entries of the Jacobian go. The problem
 * names them in the same order every time, so that entry k always belongs at slot[k]. */
typedef struct tools {
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver functional;
    double *value;
    long *slot;
    long entries, next, values;
} tools;

/* ---- the Jacobian --------------------------------------------------------------------------- */

/* Entries are first counted, then listed, and afterwards only their values are asked for. */
typedef struct listing {
    long count;
    long *row, *column; /* NULL: only count */
} listing;

static void list_entry(void *to, int row, int column, double value) {
    listing *l = to;
    if (l->row) {
        l->row[l->count] = row;
        l->column[l->count] = column;
    }
    l->count++;
}

static void put_entry(void *to, int row, int column, double value) {
    tools *o = to;
    o->value[o->slot[o->next++]] += value;
}

static int cvode_jacobian(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *adapter_,
                          N_Vector a1, N_Vector a2, N_Vector a3) {
    adapter *a = adapter_;
    tools *o = a->own;
    const ode *p = &a->problem;
    p->linearise(p->self, t, N_VGetArrayPointer(y), a->dy, NULL);
    a->base.jacobians++;
    a->base.evals++;
    o->next = 0;
#ifdef BRI_HAVE_SUNDIALS_KLU
    if (SUNMatGetID(J) == SUNMATRIX_SPARSE) {
        o->value = SUNSparseMatrix_Data(J);
        /* Zeroing a sparse matrix would also forget its pattern. */
        for (long k = 0; k < o->values; k++) o->value[k] = 0.0;
    } else
#endif
    {
        SUNMatZero(J);
        o->value = SUNDenseMatrix_Data(J);
    }
    p->jacobian(p->self, put_entry, o);
    double sum = 0.0;
    for (long k = 0; k < o->values; k++) sum += o->value[k] * 0.0;
    return sum != 0.0;
}

#ifdef BRI_HAVE_SUNDIALS_KLU

/* Column pointers, rows and slots of a sparse matrix from the list of entries, plus the diagonal.
 */
static int sparse_pattern(const adapter *a, tools *o, const listing *l) {
    sunindextype n = a->problem.n, *start = SUNSparseMatrix_IndexPointers(o->matrix);
    sunindextype *row = SUNSparseMatrix_IndexValues(o->matrix);
    long all = l->count + n, *next = calloc((size_t)(n + 1), sizeof *next);
    long *order = calloc((size_t)all, sizeof *order), *mark = calloc((size_t)n, sizeof *mark);
    int ok = next && order && mark;
    /* Entry k < count is listed, count + i stands for (i, i). Sort by column, then merge by row. */
    for (long k = 0; ok && k < all; k++) next[(k < l->count ? l->column[k] : k - l->count) + 1]++;
    for (long j = 0; ok && j < n; j++) next[j + 1] += next[j];
    for (long k = 0; ok && k < all; k++)
        order[next[k < l->count ? l->column[k] : k - l->count]++] = k;
    long used = 0, i = 0;
    for (long j = 0; ok && j < n; j++) {
        start[j] = used;
        for (; i < next[j]; i++) { /* next[j] is now the end of column j */
            long k = order[i], r = k < l->count ? l->row[k] : j;
            if (mark[r] <= start[j]) { /* mark: slot + 1 of the row within this column */
                row[used] = r;
                mark[r] = ++used;
            }
            if (k < l->count) o->slot[k] = mark[r] - 1;
        }
    }
    if (ok) start[n] = o->values = used;
    free(next);
    free(order);
    free(mark);
    return ok;
}

#endif

/* The matrix and the solver that suits its size. */
static int make_matrix(adapter *a, tools *o) {
    const ode *p = &a->problem;
    sunindextype n = adapter_size(p);
    listing l = {0};
    p->jacobian(p->self, list_entry, &l);
    o->entries = l.count;
    size_t room = (size_t)l.count + 1;
    l.row = calloc(2 * room, sizeof *l.row);
    o->slot = calloc(room, sizeof *o->slot);
    if (!l.row || !o->slot) {
        free(l.row);
        return 0;
    }
    l.column = l.row + room;
    l.count = 0;
    p->jacobian(p->self, list_entry, &l);
#ifdef BRI_HAVE_SUNDIALS_KLU
    if (n > LARGEST_DENSE) {
        o->matrix = SUNSparseMatrix(n, n, o->entries + n, CSC_MAT, a->context);
        if (o->matrix && sparse_pattern(a, o, &l))
            o->linear = SUNLinSol_KLU(a->state, o->matrix, a->context);
    } else
#endif
    {
        o->matrix = SUNDenseMatrix(n, n, a->context);
        o->values = n * n;
        for (long k = 0; k < o->entries; k++) o->slot[k] = l.column[k] * n + l.row[k];
        if (o->matrix) o->linear = SUNLinSol_Dense(a->state, o->matrix, a->context);
    }
    free(l.row);
    return o->linear != NULL;
}

/* ---- the engine ----------------------------------------------------------------------------- */

static int cvode_reinit(adapter *a) { return CVodeReInit(a->memory, a->base.t, a->state); }

static int cvode_begin(adapter *a, double h) { return CVodeSetInitStep(a->memory, h); }

static int cvode_set_stop(adapter *a, double t) { return CVodeSetStopTime(a->memory, t); }

static int cvode_evolve(adapter *a, double t_stop, double *t) {
    return CVode(a->memory, t_stop, a->state, t, CV_ONE_STEP);
}

static int cvode_dense(adapter *a, double t) { return CVodeGetDky(a->memory, t, 0, a->room); }

static int cvode_longest(adapter *a, double h) { return CVodeSetMaxStep(a->memory, h); }

static void cvode_count(adapter *a, long *failures, long *setups) {
    long corrector = 0;
    CVodeGetNumErrTestFails(a->memory, failures);
    CVodeGetNumNonlinSolvConvFails(a->memory, &corrector);
    CVodeGetNumLinSolvSetups(a->memory, setups);
    *failures += corrector;
}

static int cvode_errors(adapter *a) {
    int code = CVodeGetEstLocalErrors(a->memory, a->room);
    return code != 0 ? code : CVodeGetErrWeights(a->memory, a->room2);
}

static void cvode_free(adapter *a) {
    tools *o = a->own;
    if (a->memory) CVodeFree(&a->memory);
    if (!o) return;
    if (o->functional) SUNNonlinSolFree(o->functional);
    if (o->linear) SUNLinSolFree(o->linear);
    if (o->matrix) SUNMatDestroy(o->matrix);
    free(o->slot);
    free(o);
}

/* Its errors have the sign of the last ones over many steps and add up: half of the rigs of
 * tests/referee would be off by ten tolerances. */
static const double MULTISTEP_SHARE = 0.1;

static const engine multistep = {cvode_reinit, cvode_begin,    cvode_set_stop, cvode_evolve,
                                 cvode_dense,  cvode_longest,  cvode_count,    cvode_errors,
                                 cvode_free,   MULTISTEP_SHARE};

static int cvode_settings(adapter *a, double t, int stiff) {
    tools *o = a->own;
    void *m = a->memory;
    ADAPTER_QUIET(CVodeSetErrHandlerFn, m);
    int code = CVodeInit(m, adapter_rhs, t, a->state);
    if (code == 0) code = CVodeWFtolerances(m, adapter_weights);
    if (code == 0) code = CVodeSetUserData(m, a);
    if (code == 0) code = CVodeSetMaxErrTestFails(m, 40);
    if (code == 0) code = CVodeSetMaxConvFails(m, 40);
    if (code == 0) code = CVodeSetMaxHnilWarns(m, -1);
    if (code != 0) return code;
    if (stiff) {
        if (!make_matrix(a, o)) return CV_MEM_FAIL;
        code = CVodeSetLinearSolver(m, o->linear, o->matrix);
        /* With a Jacobian of some steps ago, when the load was smaller and the bristle stiffer, the
         * first correction is too small and passes for convergence: up to 17 % off at 1e-6. */
        if (code == 0) code = CVodeSetLSetupFrequency(m, 1);
        if (code == 0) code = CVodeSetJacEvalFrequency(m, 1);
        return code != 0 ? code : CVodeSetJacFn(m, cvode_jacobian);
    }
    o->functional = SUNNonlinSol_FixedPoint(a->state, 0, a->context);
    return o->functional ? CVodeSetNonlinearSolver(m, o->functional) : CV_MEM_FAIL;
}

static bri_status cvode_create(const bri_solver *self, const ode *problem,
                               const solver_options *options, double t, const double *y,
                               stepper **s, bri_error *err) {
    adapter *a;
    int stiff = self == &bri_cvode_bdf;
    *s = NULL;
    bri_status status = adapter_create(&multistep, problem, options, t, y, &a, err);
    if (status != BRI_OK) return status;
    a->own = calloc(1, sizeof(tools));
    if (a->own) a->memory = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, a->context);
    if (!a->memory || cvode_settings(a, t, stiff) != 0) {
        adapter_free(&a->base);
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory to set up CVODE for the solver %s",
                        self->name);
    }
    *s = &a->base;
    return BRI_OK;
}

const bri_solver bri_cvode_bdf = {
    .name = "cvode_bdf",
    .text = "backward differentiation, CVODE (MATLAB ode15s); for stiff systems",
    .create = cvode_create,
    ADAPTER_CALLS,
};

const bri_solver bri_cvode_adams = {
    .name = "cvode_adams",
    .text = "Adams-Moulton, CVODE (MATLAB ode113); not for stiff systems",
    .create = cvode_create,
    ADAPTER_CALLS,
};
