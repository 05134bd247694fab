/* solve.h - integration of a rig: explicit steps of order 8, every change of a sign located by
 * making the step again. */
#ifndef REFEREE_SOLVE_H
#define REFEREE_SOLVE_H

#include "rig.h"
#include "system.h"

typedef struct ref_result {
    ref_status status;
    long evals, steps, events;
    int open; /* the laws leave the motion open */
    double t; /* time reached */
    double x[REF_ROWS + 1][REF_BODIES], v[REF_ROWS + 1][REF_BODIES];
} ref_result;

/* One step of size h from y with its rates; error is relative to tol, 1 is just allowed. */
void ref_step(ref_system *s, double t, const double *y, const double *rate, double h, double *next,
              double tol, double *error);

/* Simulate a rig with at most that many evaluations of the right-hand side; at every row velocities
 * are changed by about the share `noise` of themselves. */
void ref_solve(const ref_rig *r, double tol, double noise, long max_evals, ref_result *out);

#endif
