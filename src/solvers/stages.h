/* stages.h - the stages of one step of a Rosenbrock method, written once: whoever includes this
 * gives the function that finishes a stage, and it becomes part of the loop. */
#ifndef BRI_STAGES_H
#define BRI_STAGES_H

#include "rodas.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* One attempt at a step: what the solver asks for and what it gets. An attempt gives the mean
 * square of the errors relative to the tolerances, above 1 it is refused; INFINITY: there is no
 * result. */
typedef struct rodas_step {
    const rodas *method;
    double t, h; /* from t to t + h */
    double rtol, atol;
    int fresh;          /* nonzero: f, ft, weight and the linearisation belong to y */
    double *y, *f, *ft; /* at t: state, its rate, df/dt at fixed y */
    double *weight;     /* one over the tolerance of each unknown */
    double *Y, *U;      /* state of the last stage, all stages; the last is the error */
    double *end;        /* the result */
} rodas_step;

/* One over the tolerance of an unknown: rtol times its size, or atol times its nominal size. */
ALWAYS_INLINE double rodas_weight(const rodas_step *s, double size, double nominal) {
    double by_size = s->rtol * size, least = s->atol * nominal;
    return 1.0 / (by_size > least ? by_size : least);
}

/* (w I - J) u = b + f(t, y) in place of b, with w = 1/(h gamma). */
typedef void stage_end(void *self, double t, const double *y, double *b);

/* Y = y + sum_j a_j U_j and b = sum_j C_j U_j/h for j < stage. The number of stages, and of
 * unknowns if there are few, is a constant at each call, so the loops unroll. */
ALWAYS_INLINE void combine(int stage, int n, const double *a, const double *C, double per_h,
                           const double *restrict y, const double *restrict U, double *restrict Y,
                           double *restrict b) {
    for (int k = 0; k < n; k++) {
        double sum = y[k], rest = 0.0;
#pragma GCC unroll 8
        for (int j = 0; j < stage; j++) {
            sum += a[j] * U[j * n + k];
            rest += C[j] * U[j * n + k];
        }
        Y[k] = sum;
        b[k] = rest * per_h;
    }
}

/* All U from y, f(t, y) and df/dt (NULL: none), with Y those of the last stage: the result is
 * Y + U_s, its error U_s. `first` ends the first stage, where f is known. */
ALWAYS_INLINE void rodas_stages(const rodas *m, int n, double t, double h, const double *y,
                                const double *f, const double *ft, void *self, stage_end *first,
                                stage_end *end, double *Y, double *U) {
    double per_h = 1.0 / h;
#pragma GCC unroll 8
    for (int i = 0; i < m->stages; i++) {
        double *b = U + (long)i * n;
        if (i == 0)
            for (int k = 0; k < n; k++) b[k] = f[k];
        else
            combine(i, n, m->a[i], m->C[i], per_h, y, U, Y, b);
        if (ft && m->d[i] != 0.0)
            for (int k = 0; k < n; k++) b[k] += h * m->d[i] * ft[k];
        if (i == 0)
            first(self, t, y, b);
        else
            end(self, t + m->c[i] * h, Y, b);
    }
}

#endif
