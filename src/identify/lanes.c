/* lanes.c - a law with states along the motion of a run, with several sets of parameters side by
 * side. */
#include "identify.h"

#include "kernels/kernels.h"
#include "study/curve.h"

#include <math.h>

/* States at the start: those of sliding on as at the first instant, or of a long rest. */
static void start_states(const id_run *r, const id_lanes *l, double load, double rest, double *z) {
    bri_setup s = {.model = l->model, .load = r->load ? r->load[0] : load};
    double own[BRI_MAX_STATES], top;
    for (int k = 0; k < l->count; k++) {
        for (int j = 0; j < l->model->n_params; j++) s.p[j] = l->p[j * l->count + k];
        int n = bri_model_states(l->model, s.p);
        if (fabs(r->slide[0]) > rest && s.load > 0.0)
            bri_steady_state(&s, r->slide[0], own, &top);
        else
            bri_model_rest(l->model, s.p, own);
        for (int j = 0; j < n; j++) z[j * l->count + k] = own[j];
    }
}

/* The sliding velocity between the samples i - 1 and i: a parabola through the mean of both
 * curvatures. */
static double between(const id_run *r, long i, double at) {
    const double *v = r->slide;
    double bend = 0.0;
    if (i >= 2 && i + 1 < r->count) bend = 0.5 * (v[i + 1] - v[i] - v[i - 1] + v[i - 2]);
    return v[i - 1] + at * (v[i] - v[i - 1]) - 0.5 * at * (1.0 - at) * bend;
}

int id_lanes_run(const id_run *r, const id_lanes *l, double load, int steps, double rest,
                 double *F) {
    int L = l->count, n = l->model->n_states;
    double *room = calloc((size_t)(L * (2 * n + 3)), sizeof *room);
    if (!room) return -1;
    double *z = room, *dz = z + L * n, *v = dz + L * n, *now = v + L, *N = now + L;
    bri_batch b = {.model = l->model,
                   .count = (size_t)L,
                   .p = l->p,
                   .v = v,
                   .n = N,
                   .own_params = 1,
                   .own_loads = 1};
    bri_batch_kernels by;
    int whole = bri_batch_find(&b, &by) && (size_t)L % by.width == 0;
    for (int k = 0; k < L; k++) N[k] = load;
    start_states(r, l, load, rest, z);
    for (long i = 0; i < r->count; i++) {
        for (int s = 0; i > 0 && s < steps; s++) {
            double at = (s + 0.5) / steps, mid = between(r, i, at);
            for (int k = 0; r->load && k < L; k++)
                N[k] = r->load[i - 1] + at * (r->load[i] - r->load[i - 1]);
            for (int k = 0; k < L; k++) v[k] = mid;
            if (whole)
                bri_batch_step_by(&by, &b, r->h / steps, z, now);
            else
                bri_batch_step(&b, r->h / steps, z, now);
        }
        for (int k = 0; r->load && k < L; k++) N[k] = r->load[i];
        for (int k = 0; k < L; k++) v[k] = r->slide[i];
        if (whole)
            bri_batch_eval_by(&by, &b, z, now, dz);
        else
            bri_batch_eval(&b, z, now, dz);
        for (int k = 0; k < L; k++) F[k * r->count + i] = now[k];
    }
    free(room);
    return 0;
}
