/* single_attempt.h - what single_attempt.c and lugre_attempt.c share. The state z is counted as
 * seen from the body, so that it grows where the body slides forward whichever end of the contact
 * it is; its sign changes at the entrance and at the exit. */
#ifndef BRI_SINGLE_ATTEMPT_H
#define BRI_SINGLE_ATTEMPT_H

#include "solvers/stages.h"
#include "system/single.h"

/* One over the tolerances at the start of the step. */
ALWAYS_INLINE void single_weights(const network *net, int n, rodas_step *s) {
    s->weight[0] = rodas_weight(s, fabs(s->y[0]), net->nominal[0]);
    s->weight[1] = rodas_weight(s, speed_size(net, s->y[1]), net->nominal[1]);
    if (n == 3) s->weight[2] = rodas_weight(s, fabs(s->y[2]), net->nominal[2]);
}

/* Hand over the result, from the place of the last stage and all n unknowns of all stages, and give
 * its error. */
ALWAYS_INLINE double single_result(const rodas *m, int n, double side, const double *place,
                                   const double *u, rodas_step *s) {
    const double *last = u + n * (m->stages - 1);
    double x = last[0] * s->weight[0], v = last[1] * s->weight[1], z = 0.0;
    s->end[0] = place[0] + last[0];
    s->end[1] = place[1] + last[1];
    if (n == 3) {
        z = last[2] * s->weight[2];
        s->end[2] = side * (place[2] + last[2]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < m->stages; i++) {
        s->U[n * i] = u[n * i];
        s->U[n * i + 1] = u[n * i + 1];
        if (n == 3) s->U[n * i + 2] = side * u[n * i + 2];
    }
    return (x * x + v * v + z * z) * (1.0 / n);
}

#endif
