/* tiles.c - systems that consist of runs alone, piece by piece: all that a stage of a Rosenbrock
 * method does with some hundred coordinates is done while they are in the cache, so that memory
 * does not limit the speed of long chains. The results are those of runs.c up to rounding.
 *
 * Of (w I - J) u = b + f(Y), with b = sum_j C_j U_j/h, the velocities come first, as in
 * sim/pack_attempt.c: couplings are linear, so that one look at Y_q + (b_q + Y_v)/w gives their
 * forces and what is known of the displacements; of a contact it is F + row (b_z + z'). Between two
 * looks stands the solution of the matrix of all velocities; what follows from it is found when the
 * tile is looked at again. A coupling looks one coordinate ahead, so displacements and velocities
 * are found up to there. */
#include "network.h"
#include "solvers/stages.h"
#include <math.h>
#include <string.h>

enum { TILE = 128 }; /* coordinates */

int tiles_usable(const network *net) {
    if (net->n_touch_runs == 0 || net->n_order + net->n_odd_links + net->n_bars > 0) return 0;
    if (net->n_pushes + net->n_driven > 0) return 0;
    for (int i = 0; i < net->n_free; i++)
        if (net->weight[i] != 0.0) return 0;
    for (int i = 0; i < net->n_link_runs; i++) {
        const bri_link_run *r = &net->link_runs[i];
        if ((!r->step_a && r->free_a) || (!r->step_b && r->free_b)) return 0;
        if (r->free_a && r->free_b && r->b != r->a + 1) return 0; /* it looks further ahead */
    }
    for (int i = 0; i < net->n_touch_runs; i++)
        if (!net->touch_runs[i].alone || net->touch_runs[i].batch.own_params) return 0;
    return 1;
}

/* A stage in work. U: its room, then its result; before: that of the stage before. */
typedef struct stage {
    network *net;
    const rodas_step *s;
    int i;
    double *U, *before;
    double by;   /* of ft */
    int reached; /* displacements and velocities are found up to there */
} stage;

/* The part of a run of contacts that a tile holds: the first, and how many. */
static int part_of(const touch_run *r, int lo, int hi, int *count) {
    int from = lo > r->a ? lo - r->a : 0, to = hi - r->a < r->count ? hi - r->a : r->count;
    *count = to > from ? to - from : 0;
    return from;
}

static const double *value_at(const network *net, const double *free, const double *all, int at) {
    return (at < net->n_free ? free : all) + at;
}

/* The couplings of the coordinates lo ... hi - 1, at displacements and velocities; V NULL: what is
 * known of a change of displacements alone. */
static void pull_tile(const network *net, const double *X, const double *X_held, const double *V,
                      double *f, int lo, int hi) {
    memset(f + lo, 0, sizeof *f * (size_t)(hi - lo)); /* what moves along x has no weight */
    for (int k = 0; k < net->n_link_runs; k++) {
        const bri_link_run *r = &net->link_runs[k];
        const double *va = V ? value_at(net, V, net->vel, r->a) : NULL;
        const double *vb = V ? value_at(net, V, net->vel, r->b) : NULL;
        net->sweeps->pull_part(r, value_at(net, X, X_held, r->a), value_at(net, X, X_held, r->b),
                               va, vb, f + lo, lo, hi);
    }
}

/* What follows from the velocities of a stage, for the coordinates lo ... hi - 1 and the contacts
 * on them. */
static void finish(network *net, double *U, int lo, int hi) {
    const bri_sweeps *s = net->sweeps;
    int n = net->n_free;
    const double *f = net->room_f;
    s->spread(hi - lo, net->per_w, f + lo, U + lo, U + n + lo);
    for (int i = 0; i < net->n_touch_runs; i++) {
        const touch_run *r = &net->touch_runs[i];
        int count, k = part_of(r, lo, hi, &count);
        if (r->states && count > 0)
            s->state_up(count, r->gain + k, f + r->a + k, U + 2 * n + r->z + k);
    }
}

/* The first stage: the rates at the start are known. */
static void first_tile(stage *g, int lo, int hi) {
    network *net = g->net;
    const bri_sweeps *s = net->sweeps;
    int n = net->n_free;
    double *U = g->U, *f = net->room_f;
    pull_tile(net, U, net->room_x, NULL, f, lo, hi);
    s->load_side(hi - lo, net->mass + lo, U + n + lo, net->per_w, f + lo);
    for (int i = 0; i < net->n_touch_runs; i++) {
        const touch_run *r = &net->touch_runs[i];
        int count, k = part_of(r, lo, hi, &count);
        if (r->states && count > 0)
            s->state_push(count, r->row + k, r->S + k, U + 2 * n + r->z + k, f + r->a + k);
    }
}

/* Contacts k ... k + count - 1 of a run: force, and what is known of their states. */
static void push_tile(const stage *g, const touch_run *r, int k, int count) {
    network *net = g->net;
    const bri_sweeps *s = net->sweeps;
    const rodas *m = g->s->method;
    int n = net->n_free, states = 2 * n + r->z + k;
    double F[TILE], dz[TILE], v[TILE], far = net->vel[r->b];
    double *Y = g->s->Y, *f = net->room_f + r->a + k, *b = g->U + states;
    bri_batch law = r->batch;
    law.count = (size_t)count;
    law.v = Y + n + r->a + k;
    if (far != 0.0) {
        s->difference(count, law.v, 1, &far, 0, v);
        law.v = v;
    }
    if (law.own_loads) law.n += k;
    if (r->states)
        s->combine(g->i, count, m->a[g->i], m->C[g->i], g->s->y + states, g->s->U + states,
                   (size_t)net->n, Y + states, b);
    bri_batch_eval(&law, Y + states, F, dz);
    if (r->states)
        s->close_state(count, 1.0 / g->s->h, g->by, g->by != 0.0 ? g->s->ft + states : NULL, F, dz,
                       r->row + k, r->S + k, b, f);
    else
        s->push(count, F, f, 1, NULL, 0);
}

static void later_tile(stage *g, int lo, int hi) {
    network *net = g->net;
    const bri_sweeps *s = net->sweeps;
    const rodas_step *at = g->s;
    const rodas *m = at->method;
    int n = net->n_free, from = g->reached, to = hi < n ? hi + 1 : n, more = to - from;
    double *f = net->room_f, *U = g->U, per_h = 1.0 / at->h;
    finish(net, g->before, from, to);
    for (int k = from; k <= n + from; k += n) /* displacements, velocities */
        s->combine(g->i, more, m->a[g->i], m->C[g->i], at->y + k, at->U + k, (size_t)net->n,
                   at->Y + k, U + k);
    s->close_stage(more, per_h, U + from, at->Y + n + from, 0.0, NULL);
    s->add_scaled(more, at->Y + from, net->per_w, U + from, net->room_x + from);
    g->reached = to;
    pull_tile(net, net->room_x, net->pos, at->Y + n, f, lo, hi);
    s->close_force(hi - lo, per_h, U + n + lo, g->by, g->by != 0.0 ? at->ft + n + lo : NULL,
                   net->mass + lo, f + lo);
    for (int i = 0; i < net->n_touch_runs; i++) {
        const touch_run *r = &net->touch_runs[i];
        int count, k = part_of(r, lo, hi, &count);
        if (count > 0) push_tile(g, r, k, count);
    }
}

/* The result of the step, and the sum of the squares of its errors by their weights. */
static double end_step(const stage *g) {
    network *net = g->net;
    const bri_sweeps *s = net->sweeps;
    const rodas_step *at = g->s;
    int n = net->n_free;
    double sum = 0.0;
    for (int lo = 0; lo < n; lo += TILE) {
        int hi = n - lo < TILE ? n : lo + TILE;
        finish(net, g->U, lo, hi);
        for (int k = lo; k <= n + lo; k += n) {
            s->add_scaled(hi - lo, at->Y + k, 1.0, g->U + k, at->end + k);
            sum += s->norm(hi - lo, g->U + k, at->weight + k);
        }
    }
    s->add_scaled(net->n_z, at->Y + 2 * n, 1.0, g->U + 2 * n, at->end + 2 * n);
    return sum + s->norm(net->n_z, g->U + 2 * n, at->weight + 2 * n);
}

double tiles_attempt(network *net, rodas_step *s) {
    const rodas *m = s->method;
    const double *ft = net->autonomous ? NULL : s->ft;
    int n = net->n_free;
    stage g = {.net = net, .s = s};
    if (!network_factor(net, 1.0 / (s->h * m->gamma))) return INFINITY;
    for (g.i = 0; g.i < m->stages; g.i++, g.before = g.U) {
        g.U = s->U + (long)g.i * net->n;
        g.by = ft ? s->h * m->d[g.i] : 0.0;
        g.reached = 0;
        if (g.i == 0 && ft)
            net->sweeps->add_scaled(net->n, s->f, g.by, ft, g.U);
        else if (g.i == 0)
            memcpy(g.U, s->f, sizeof *s->f * (size_t)net->n);
        else
            network_move(net, s->t + m->c[g.i] * s->h);
        for (int lo = 0; lo < n; lo += TILE)
            (g.i == 0 ? first_tile : later_tile)(&g, lo, n - lo < TILE ? n : lo + TILE);
        matrix_solve(&net->matrix, net->room_f);
    }
    g.i = m->stages - 1;
    return end_step(&g) / net->n;
}
