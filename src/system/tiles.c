/* tiles.c - systems that consist of runs alone, piece by piece: all that is to be done for some
 * hundred coordinates is done while they are in the cache, so that memory does not limit the speed
 * of long chains. The results are those of runs.c up to rounding. */
#include "network.h"
#include <string.h>

enum { TILE = 1024 }; /* coordinates */

int tiles_usable(const network *net) {
    if (net->n_touch_runs == 0 || net->n_order + net->n_odd_links + net->n_bars > 0) return 0;
    if (net->n_pushes + net->n_driven > 0) return 0;
    for (int i = 0; i < net->n_free; i++)
        if (net->weight[i] != 0.0) return 0;
    for (int i = 0; i < net->n_link_runs; i++) {
        const bri_link_run *r = &net->link_runs[i];
        if ((!r->step_a && r->free_a) || (!r->step_b && r->free_b)) return 0;
    }
    for (int i = 0; i < net->n_touch_runs; i++)
        if (!net->touch_runs[i].alone || net->touch_runs[i].batch.own_params) return 0;
    return 1;
}

/* The part of a run of contacts that a tile holds: the first, and how many. */
static int part_of(const touch_run *r, int lo, int hi, int *count) {
    int from = lo > r->a ? lo - r->a : 0, to = hi - r->a < r->count ? hi - r->a : r->count;
    *count = to > from ? to - from : 0;
    return from;
}

static const double *value_at(const network *net, const double *free, const double *all, int at) {
    return (at < net->n_free ? free : all) + at;
}

static void tile_contacts(network *net, const double *v, const double *z, double *dz, double *force,
                          int lo, int hi) {
    double F[TILE];
    for (int i = 0; i < net->n_touch_runs; i++) {
        touch_run *r = &net->touch_runs[i];
        int n, k = part_of(r, lo, hi, &n);
        if (n == 0) continue;
        bri_batch b = r->batch;
        double vb = net->vel[r->b];
        b.count = (size_t)n;
        b.v = v + r->a + k;
        if (vb != 0.0) {
            net->sweeps->difference(n, v + r->a + k, 1, &vb, 0, r->v + k);
            b.v = r->v + k;
        }
        if (b.own_loads) b.n += k;
        bri_batch_eval(&b, z + r->z + k * r->states, F, dz + r->z + k * r->states);
        net->sweeps->push(n, F, force + (r->a + k - lo), 1, NULL, 0);
    }
}

void tiles_rhs(network *net, const double *y, double *dy) {
    const bri_sweeps *s = net->sweeps;
    int n = net->n_free;
    const double *x = y, *v = y + n;
    double force[TILE];
    for (int i = 0; i < net->n_touch_runs; i++) { /* where the Jacobian finds the velocities */
        touch_run *r = &net->touch_runs[i];
        r->batch.v = net->vel[r->b] == 0.0 ? v + r->a : r->v;
    }
    for (int lo = 0; lo < n; lo += TILE) {
        int hi = n - lo < TILE ? n : lo + TILE;
        size_t bytes = sizeof *y * (size_t)(hi - lo);
        memset(force, 0, bytes); /* what moves along x has no weight */
        for (int i = 0; i < net->n_link_runs; i++) {
            const bri_link_run *r = &net->link_runs[i];
            s->pull_part(r, value_at(net, x, net->pos, r->a), value_at(net, x, net->pos, r->b),
                         value_at(net, v, net->vel, r->a), value_at(net, v, net->vel, r->b), force,
                         lo, hi);
        }
        tile_contacts(net, v, v + n, dy + 2 * n, force, lo, hi);
        memcpy(dy + lo, v + lo, bytes);
        s->times(hi - lo, force, net->per_mass + lo, dy + n + lo);
    }
}

/* The right side of the condensed system, in f, and the states; then the solution spread out. */
void tiles_solve(network *net, double *b) {
    const bri_sweeps *s = net->sweeps;
    int n = net->n_free;
    double *q = b, *v = b + n, *z = v + n, *f = net->room_f;
    for (int lo = 0; lo < n; lo += TILE) {
        int hi = n - lo < TILE ? n : lo + TILE;
        memset(f + lo, 0, sizeof *f * (size_t)(hi - lo));
        for (int i = 0; i < net->n_link_runs; i++) {
            const bri_link_run *r = &net->link_runs[i];
            s->pull_part(r, value_at(net, q, net->room_x, r->a),
                         value_at(net, q, net->room_x, r->b), NULL, NULL, f + lo, lo, hi);
        }
        s->load_side(hi - lo, net->mass + lo, v + lo, net->per_w, f + lo);
        for (int i = 0; i < net->n_touch_runs; i++) {
            const touch_run *r = &net->touch_runs[i];
            int count, k = part_of(r, lo, hi, &count);
            if (r->states && count > 0)
                s->state_push(count, r->row + k, r->S + k, z + r->z + k, f + r->a + k);
        }
    }
    matrix_solve(&net->matrix, f);
    for (int lo = 0; lo < n; lo += TILE) {
        int hi = n - lo < TILE ? n : lo + TILE;
        s->spread(hi - lo, net->per_w, f + lo, q + lo, v + lo);
        for (int i = 0; i < net->n_touch_runs; i++) {
            const touch_run *r = &net->touch_runs[i];
            int count, k = part_of(r, lo, hi, &count);
            if (r->states && count > 0) s->state_up(count, r->gain + k, f + r->a + k, z + r->z + k);
        }
    }
}
