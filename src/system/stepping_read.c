/* stepping_read.c - where time stepping begins, and what it has found. */
#include "stepping.h"
#include <math.h>

void stepping_begin(stepping *s, const double *y, double tolerance) {
    network *net = s->net;
    for (int i = 0; i < net->n_free; i++) {
        s->q[s->place[i]] = s->q_prev[s->place[i]] = y[i];
        s->v[s->place[i]] = s->v_prev[s->place[i]] = y[net->n_free + i];
    }
    for (int i = 0; i < net->n_z; i++) s->z[i] = s->z_prev[i] = y[2 * net->n_free + i];
    for (int i = 0; i < s->n_movers; i++) {
        mover *m = &s->movers[i];
        s->v[m->place] = s->v_prev[m->place] = net->vel[m->motion->at];
        m->v0 = m->v1 = NAN; /* not yet handed to the partners */
    }
    s->tolerance = tolerance;
    s->ahead = s->h = NAN;
}

void stepping_state(const stepping *s, double u, double *y) {
    const network *net = s->net;
    int n = net->n_free;
    for (int i = 0; i < n; i++) {
        size_t at = s->place[i];
        y[i] = u >= 1.0 ? s->q[at] : (1.0 - u) * s->q_prev[at] + u * s->q[at];
        y[n + i] = u >= 1.0 ? s->v[at] : (1.0 - u) * s->v_prev[at] + u * s->v[at];
    }
    for (int i = 0; i < net->n_z; i++)
        y[2 * n + i] = u >= 1.0 ? s->z[i] : (1.0 - u) * s->z_prev[i] + u * s->z[i];
}

int stepping_holds(const stepping *s, int i) {
    return s->loose_of[i] >= 0 || s->at[i] != s->ground;
}

static double impulse_of(const stepping *s, int i) {
    size_t at = s->at[i];
    return s->loose_of[i] >= 0 ? s->loose[s->loose_of[i]].p : s->side[at] * s->slip[at] * s->d[at];
}

void stepping_forces(const stepping *s) {
    for (int i = 0; i < s->net->n_touches; i++)
        if (stepping_holds(s, i))
            s->net->touches[i].F = s->h_last > 0.0 ? impulse_of(s, i) / s->h_last : 0.0;
}

static int sense(double v) { return v > 0.0 ? 1 : v < 0.0 ? -1 : 0; }

int stepping_motion(const stepping *s, int i) {
    const touch *c = &s->net->touches[i];
    return sense(s->v[s->place[c->a]] - s->v[s->place[c->b]]);
}

int stepping_moved(const stepping *s, int a, int b) {
    size_t p = s->place[a], q = s->place[b];
    double before = s->v_prev[p] - s->v_prev[q], after = s->v[p] - s->v[q];
    return sense(before + after != 0.0 ? before + after : after);
}

void stepping_energy(stepping *s, double *heat, double *work) {
    network *net = s->net;
    stepping_state(s, 0.5, s->y);
    network_forces(net, s->t + 0.5 * s->h_last, s->y);
    stepping_forces(s);
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!stepping_holds(s, i)) continue;
        net->force[c->a] -= c->F;
        net->force[c->b] += c->F;
    }
    network_powers(net, s->t + 0.5 * s->h_last, s->y, net->spare, heat, work);
    *heat *= s->h_last;
    *work *= s->h_last;
}
