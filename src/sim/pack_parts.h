/* pack_parts.h - what the stages of a step (pack_attempt.c) and its ends (pack_ends.c) have in
 * common, for networks of linear couplings and packs of contacts. Rows are filled up to whole
 * vectors: to `room`, a constant at each call where they are few. */
#ifndef BRI_PACK_PARTS_H
#define BRI_PACK_PARTS_H

#include "kernels/kernels.h"
#include "kernels/vec.h"
#include "system/network.h"
#include "system/signal.h"

#define EACH(i, n) _Pragma("GCC unroll 6") for (int i = 0; i < (n); i += WIDTH)

enum { FEW = PACKS_FEW / WIDTH }; /* vectors of a row */

/* The room of k vectors, as a constant; no more than there can be. */
#define ROOM(k) ((k) <= FEW ? (k)*WIDTH : WIDTH)

typedef long long flags __attribute__((vector_size(8 * WIDTH))); /* -1: true */

INLINE int all(flags x) {
    long long every = -1;
    for (int i = 0; i < WIDTH; i++) every &= x[i];
    return every != 0;
}

INLINE vec most(vec a, vec b) {
    flags first = a > b;
    return (vec)(((flags)a & first) | ((flags)b & ~first));
}

INLINE void copy(int n, const double *from, double *to) {
    int i = 0;
    for (; i + WIDTH <= n; i += WIDTH) store(to + i, load(from + i));
    for (; i < n; i++) to[i] = from[i];
}

/* Directions during the step; nonzero if some contact has none, and goes by its velocity. */
INLINE int set_ways(const pack *p) {
    int open = 0;
    for (int i = 0; i < p->count; i++) {
        bri_mode mode = p->at[i].touch->mode;
        p->way[i] = (double)mode;
        open |= mode == BRI_AUTO;
    }
    return open;
}

INLINE void drive(network *net, double t, double *f) {
    for (int i = 0; i < net->n_pushes; i++) {
        const push *force = &net->pushes[i];
        if (force->at < net->n_free)
            f[force->at] += bri_signal_value(&force->force, network_clock(net, t));
    }
}

/* What is not free, as it was moved last. */
INLINE void place_held(const network *net, const packed *p) {
    for (int i = net->n_free; i < net->n_all; i++) {
        if (p->place[i] < 0) continue;
        p->X[p->place[i]] = net->pos[i];
        p->V[p->place[i]] = net->vel[i];
    }
}

/* Couplings, with the stiffness or damping `by`, at the displacements or velocities X. */
INLINE void pull_terms(const packed *p, int room, const double *by, const double *X, vec *sum) {
    vec own[FEW];
    EACH(i, room) own[i / WIDTH] = load(X + i);
    for (int k = 0; k < p->n_shifts; k++, by += room) {
        const double *from = X + p->shift[k];
        EACH(i, room) sum[i / WIDTH] += load(by + i) * (load(from + i) - own[i / WIDTH]);
    }
    for (int k = 0; k < p->n_columns; k++, by += room) {
        vec from = splat(X[p->column[k]]);
        EACH(i, room) sum[i / WIDTH] += load(by + i) * (from - own[i / WIDTH]);
    }
}

/* Sliding velocities at the velocities V. */
INLINE void slide(const packed *p, int room, int row, const double *V, double *v) {
    if (row) {
        vec vb = splat(V[p->row]);
        EACH(i, room) store(v + i, load(V + i) - vb);
        return;
    }
    vec sum[FEW];
    EACH(i, room) sum[i / WIDTH] = splat(0.0);
    for (int k = 0; k < p->n_ends; k++) {
        vec end = splat(V[p->end[k]]);
        EACH(i, room) sum[i / WIDTH] += load(p->ends + k * room + i) * end;
    }
    EACH(i, room) store(v + i, sum[i / WIDTH]);
}

/* The product of columns with the first n of x, added to `sum`; columns beyond are zero, x is
 * finite. */
INLINE void add_product(int room, int n, const double *columns, const double *x, vec *sum) {
    for (int j = 0; j < n; j += WIDTH, columns += WIDTH * room)
        _Pragma("GCC unroll 8") for (int k = 0; k < WIDTH; k++) {
            vec by = splat(x[j + k]);
            EACH(i, room) sum[i / WIDTH] += load(columns + k * room + i) * by;
        }
}

#endif
