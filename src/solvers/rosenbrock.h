/* rosenbrock.h - the memory of a Rosenbrock method, for those that make its steps in their own way
 * (sim/lanes_seat.c). */
#ifndef BRI_ROSENBROCK_H
#define BRI_ROSENBROCK_H

#include "kernels/kernels.h"
#include "solver.h"
#include "stages.h"

typedef struct rosenbrock {
    stepper base;
    ode problem;
    solver_options options;
    rodas_step at;   /* the present attempt */
    double h;        /* step to try next */
    double h_done;   /* the last step made */
    double past;     /* its error to the power 1/order, for the controller; 0: none */
    int dense_ready; /* nonzero: D belongs to the last step */
    double per_n;    /* one over the number of unknowns */
    double *D;
    const bri_sweeps *loops;  /* over the unknowns */
    const bri_sweeps *sweeps; /* the same for stages with many unknowns; NULL: there are few */
} rosenbrock;

#endif
