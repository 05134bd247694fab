/* rk4.c - the classical method with a fixed step. Stops must be multiples of the step. */
#include "problem.h"
#include <math.h>
#include <string.h>

int peer_rk4(const problem *p, double step, double *out, effort *e) {
    int n = p->n;
    double y[PROBLEM_STATES], k[4][PROBLEM_STATES], Y[PROBLEM_STATES];
    long all = lround(p->t_end / step), each = all / p->checks;
    p->start(y);
    for (long i = 0; i < all; i++) {
        double t = (double)i * step;
        p->rhs(t, y, k[0]);
        for (int j = 0; j < n; j++) Y[j] = y[j] + 0.5 * step * k[0][j];
        p->rhs(t + 0.5 * step, Y, k[1]);
        for (int j = 0; j < n; j++) Y[j] = y[j] + 0.5 * step * k[1][j];
        p->rhs(t + 0.5 * step, Y, k[2]);
        for (int j = 0; j < n; j++) Y[j] = y[j] + step * k[2][j];
        p->rhs(t + step, Y, k[3]);
        for (int j = 0; j < n; j++)
            y[j] += step / 6.0 * (k[0][j] + 2.0 * (k[1][j] + k[2][j]) + k[3][j]);
        if ((i + 1) % each == 0) p->out(t + step, y, out + ((i + 1) / each - 1) * p->n_out);
    }
    *e = (effort){all, 4 * all};
    return isfinite(y[0] + y[1] + y[2]);
}
