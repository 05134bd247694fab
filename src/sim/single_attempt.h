/* single_attempt.h - what single_attempt.c and lugre_attempt.c share. States are counted as seen
 * from the body, so that they grow where the body slides forward whichever end of the contact it
 * is; their signs change at the entrance and at the exit. */
#ifndef BRI_SINGLE_ATTEMPT_H
#define BRI_SINGLE_ATTEMPT_H

#include "solvers/stages.h"
#include "system/single.h"

/* One over the tolerances at the start of the step. */
ALWAYS_INLINE void single_weights(const network *net, int n, rodas_step *s) {
    s->weight[0] = rodas_weight(s, fabs(s->y[0]), net->nominal[0]);
    s->weight[1] = rodas_weight(s, speed_size(net, s->y[1]), net->nominal[1]);
    for (int k = 2; k < n; k++) s->weight[k] = rodas_weight(s, fabs(s->y[k]), net->nominal[k]);
}

/* Hand over the result, from the place of the last stage and all n unknowns of all stages, and give
 * its error. */
ALWAYS_INLINE double single_result(const rodas *m, int n, double side, const double *place,
                                   const double *u, rodas_step *s) {
    const double *last = u + n * (m->stages - 1);
    double x = last[0] * s->weight[0], v = last[1] * s->weight[1], sum = x * x + v * v;
    s->end[0] = place[0] + last[0];
    s->end[1] = place[1] + last[1];
    for (int k = 2; k < n; k++) {
        double z = last[k] * s->weight[k];
        sum += z * z;
        s->end[k] = side * (place[k] + last[k]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < m->stages; i++)
        for (int k = 0; k < n; k++) s->U[n * i + k] = (k < 2 ? 1.0 : side) * u[n * i + k];
    return sum * (1.0 / n);
}

#endif
