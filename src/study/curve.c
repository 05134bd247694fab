/* curve.c - steady-state friction force at a constant velocity. */
#include "curve.h"

#include <math.h>
#include <string.h>

enum { GROWING_STEPS = 14, MORE_STEPS = 1500, RUN_IN = 50, PATH = 550 };

/* A law that never settles (random bristles, random force): mean over a slid path, in strides that
 * no period of the law shares: each moves the fastest state by 1.7 of its nominal size. */
static double mean_over_path(const bri_setup *s, const bri_input *u, double *z, double *top) {
    const bri_model *m = s->model;
    int k = bri_model_states(m, s->p);
    double dz[BRI_MAX_STATES], rate = 0.0, sum = 0.0, most = -INFINITY;
    bri_model_eval(m, s->p, u, z, dz);
    for (int i = 0; i < k; i++) rate = fmax(rate, fabs(dz[i]) / m->states[i].nominal);
    double h = rate > 0.0 ? 1.7 / rate : 1.0;
    for (int i = 0; i < RUN_IN + PATH; i++) {
        double F = bri_model_step(m, s->p, u, h, z);
        if (i < RUN_IN) continue;
        sum += F;
        most = fmax(most, u->v < 0.0 ? -F : F);
    }
    *top = u->v < 0.0 ? -most : most;
    return sum / PATH;
}

/* One step of z; returns its largest change, in the nominal size of a state or its own, whichever
 * is larger. lively[j] tells which states still move. */
static double advance(const bri_setup *s, const bri_input *u, double h, double *z, int *lively,
                      double *F) {
    const bri_model *m = s->model;
    double before[BRI_MAX_STATES], most = 0.0;
    int k = bri_model_states(m, s->p);
    memcpy(before, z, sizeof *z * (size_t)k);
    *F = bri_model_step(m, s->p, u, h, z);
    for (int j = 0; j < k; j++) {
        double moved = fabs(z[j] - before[j]), nominal = m->states[j].nominal;
        lively[j] = moved > 1e-6 * nominal;
        most = fmax(most, moved / fmax(nominal, fabs(z[j])));
    }
    return most;
}

/* Steps that grow from a microsecond to years: they are stable for every length, and each is long
 * against all that happened before it. Settled once two steps in a row change nothing. A law whose
 * step moves it only a little, however long, goes on unless the force goes up and down at random.
 */
double bri_steady_state(const bri_setup *s, double v, double *z, double *top) {
    const bri_model *m = s->model;
    int k = bri_model_states(m, s->p), quiet = 0, lively[BRI_MAX_STATES] = {0}, unsettled = 0;
    double dz[BRI_MAX_STATES], rest[BRI_MAX_STATES], F = 0.0, last = 0.0, h = 1e-6;
    bri_input u = {.v = v, .n = s->load};
    bri_model_rest(m, s->p, z);
    if (k == 0 || v == 0.0) return *top = bri_model_eval(m, s->p, &u, z, dz);

    for (int i = 0; i < GROWING_STEPS && quiet < 2; i++, h *= 16.0) {
        last = F;
        quiet = advance(s, &u, h, z, lively, &F) < 1e-15 ? quiet + 1 : 0;
    }
    double tendency = F - last, size = m->states[0].nominal;
    int turns = 0;
    for (int j = 1; j < k; j++) size = fmin(size, m->states[j].nominal);
    h = fmin(h, 100.0 * size / fabs(v)); /* longer ones lose the digits of the rates */
    for (int i = 0; i < MORE_STEPS && quiet < 2 && turns < 8; i++) {
        last = F;
        quiet = advance(s, &u, h, z, lively, &F) < 1e-12 ? quiet + 1 : 0;
        if ((F - last) * tendency < 0.0) turns++;
        tendency = F - last;
    }
    /* what does not settle starts from rest, so that its random numbers are the same at every v */
    bri_model_rest(m, s->p, rest);
    for (int j = 0; j < k; j++)
        if (lively[j]) {
            z[j] = rest[j];
            unsettled = 1;
        }
    return unsettled ? mean_over_path(s, &u, z, top) : (*top = bri_model_eval(m, s->p, &u, z, dz));
}

double bri_steady_force(const bri_setup *s, double v) {
    double z[BRI_MAX_STATES], top;
    return bri_steady_state(s, v, z, &top);
}
