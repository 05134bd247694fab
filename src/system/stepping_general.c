/* stepping_general.c - time steps of systems with dampers, ropes, points in the plane, reaction
 * loads or smooth laws: everything is linearised anew at the start of each step. Smooth and bristle
 * laws enter with the force that bri_model_step gives for the velocity at the start, and its slope
 * in that velocity; their states then advance with the mean velocity of the step. */
#include "stepping.h"
#include <math.h>
#include <string.h>

static double until(const network *net, double t) { return t < net->latest ? t : net->latest; }

static const mover *mover_at(const stepping *s, size_t place) {
    for (int i = 0; i < s->n_movers; i++)
        if (s->movers[i].place == place) return &s->movers[i];
    return NULL;
}

/* A coefficient of A; columns of known motions go to the right-hand side. */
static void add_entry(stepping *s, size_t row, size_t column, double value) {
    if (row == column)
        s->d[row] += value;
    else
        s->off[stepping_slot(s, row, column)] -= value;
}

/* -(stiffness dx + damping dv) in row r, h and theta as in stepping.h. */
static void add_coupling(stepping *s, int r, int c, double stiffness, double damping) {
    size_t row = s->place[r], column = s->place[c];
    double h = s->h, theta = s->theta;
    if (s->mass[row] <= 0.0 || (stiffness == 0.0 && damping == 0.0)) return;
    if (s->mass[column] > 0.0) {
        add_entry(s, row, column, h * theta * (h * theta * stiffness + damping));
        s->b[row] -= h * theta * h * stiffness * s->v_prev[column];
    } else {
        const mover *m = mover_at(s, column);
        if (m) s->b[row] -= h * theta * (stiffness * (m->q1 - m->q0) + damping * (m->v1 - m->v0));
    }
}

static void add_links(stepping *s) {
    network *net = s->net;
    for (int i = 0; i < net->n_links; i++) {
        link *l = &net->links[i];
        if (!l->linear) network_linearise_link(net, l);
        for (int e = 0; e < l->width * l->width; e++)
            add_coupling(s, l->at[e / l->width], l->at[e % l->width], -l->by_pos[e], -l->by_vel[e]);
    }
}

/* Replace the force of a smooth law by that at the end of the step, and let it react to v1. */
static void add_smooth(stepping *s, const touch *c) {
    network *net = s->net;
    const double *z = s->z_prev + c->first;
    bri_input u = touch_input(net, c);
    double small = 1e-4 * c->v_size, F[2];
    for (int k = 0; k < 2; k++) {
        if (c->count > 0) memcpy(s->trial, z, sizeof *z * (size_t)c->count);
        F[k] = bri_model_step(c->model, c->p, &u, s->h, s->trial);
        u.v += small;
    }
    double slope = fmax((F[1] - F[0]) / small, 0.0);
    net->force[c->a] += c->F - F[0];
    net->force[c->b] -= c->F - F[0];
    /* taken as a damper that acts with the whole step: hence the division */
    slope /= s->theta;
    add_coupling(s, c->a, c->a, 0.0, slope);
    add_coupling(s, c->a, c->b, 0.0, -slope);
    add_coupling(s, c->b, c->b, 0.0, slope);
    add_coupling(s, c->b, c->a, 0.0, -slope);
}

void stepping_assemble(stepping *s, double t, double h, double theta) {
    network *net = s->net;
    int n = net->n_free;
    s->h = h;
    s->theta = theta;
    for (int i = 0; i < n; i++) {
        s->y[i] = s->q_prev[s->place[i]];
        s->y[n + i] = s->v_prev[s->place[i]];
    }
    memcpy(s->y + 2 * n, s->z_prev, sizeof *s->y * (size_t)net->n_z);
    memset(s->off, 0, sizeof *s->off * s->n_off);
    memset(s->b, 0, sizeof *s->b * s->n_places);
    memcpy(s->d, s->mass, sizeof *s->d * s->n_places);
    network_forces(net, t, s->y); /* forces but those of set-valued contacts, and loads */
    add_links(s);
    for (int i = 0; i < net->n_touches; i++)
        if (!net->touches[i].model->set_valued) add_smooth(s, &net->touches[i]);
    for (int i = 0; i < n; i++) s->b[s->place[i]] += h * net->force[i];
    for (int i = 0; i < net->n_pushes; i++) {
        double f0 = bri_signal_value(&net->pushes[i].force, until(net, t));
        double f1 = bri_signal_value(&net->pushes[i].force, until(net, t + h));
        s->b[s->place[net->pushes[i].at]] += h * theta * (f1 - f0);
    }
    /* from A (v1 - v0) to A v1 */
    for (int k = 0; k < s->n_colours; k++) {
        const colour *c = &s->colours[k];
        for (size_t i = c->first; i < c->first + c->count; i++) {
            s->per_d[i] = s->mass[i] > 0.0 ? 1.0 / s->d[i] : 0.0;
            s->b[i] += s->d[i] * s->v_prev[i] - stepping_neighbours(s, c, i, s->v_prev);
        }
    }
}

void stepping_advance_states(stepping *s, double t, double h, double theta) {
    network *net = s->net;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (c->count == 0) continue;
        size_t a = s->place[c->a], b = s->place[c->b];
        double *z = s->z + c->first;
        bri_input u = {.x = 0.5 * (s->q[a] + s->q_prev[a] - s->q[b] - s->q_prev[b]),
                       .v = 0.5 * (s->v[a] + s->v_prev[a] - s->v[b] - s->v_prev[b]),
                       .n = c->N};
        memcpy(z, s->z_prev + c->first, sizeof *z * (size_t)c->count);
        bri_model_step(c->model, c->p, &u, h, z);
    }
}
