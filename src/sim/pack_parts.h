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

/* Element i + 1 of a row, or i - 1, in place of element i; b is the vector after a, or before it.
 * Read from memory it would wait until what was just written is there. */
#if defined(__clang__)
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (flags){__VA_ARGS__})
#endif
#if WIDTH == 8
INLINE vec one_after(vec a, vec b) { return SHUFFLE(a, b, 1, 2, 3, 4, 5, 6, 7, 8); }
INLINE vec one_before(vec a, vec b) { return SHUFFLE(b, a, 7, 8, 9, 10, 11, 12, 13, 14); }
#elif WIDTH == 4
INLINE vec one_after(vec a, vec b) { return SHUFFLE(a, b, 1, 2, 3, 4); }
INLINE vec one_before(vec a, vec b) { return SHUFFLE(b, a, 3, 4, 5, 6); }
#else
INLINE vec one_after(vec a, vec b) { return SHUFFLE(a, b, 1, 2); }
INLINE vec one_before(vec a, vec b) { return SHUFFLE(b, a, 1, 2); }
#endif

/* Couplings, with the stiffness or damping `by`, at the displacements or velocities X. They are
 * zero where a shift leads beyond the row. */
INLINE void pull_terms(const packed *p, int room, const double *by, const double *X, vec *sum) {
    const int last = room / WIDTH - 1;
    vec own[FEW];
    EACH(i, room) own[i / WIDTH] = load(X + i);
    for (int k = 0; k < p->n_shifts; k++, by += room) {
        const int shift = p->shift[k];
        EACH(i, room) {
            const int at = i / WIDTH;
            vec from = shift == 1    ? one_after(own[at], own[at < last ? at + 1 : at])
                       : shift == -1 ? one_before(own[at], own[at > 0 ? at - 1 : at])
                                     : load(X + shift + i);
            sum[at] += load(by + i) * (from - own[at]);
        }
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

/* The product of columns with the first n of x, added to `sum`, in two chains of operations;
 * columns beyond are zero, x is finite. */
INLINE void add_product(int room, int n, const double *columns, const double *x, vec *sum) {
    vec odd[FEW];
    EACH(i, room) odd[i / WIDTH] = splat(0.0);
    for (int j = 0; j < n; j += 2, columns += 2 * room) {
        vec by = splat(x[j]), next = splat(x[j + 1]);
        EACH(i, room) {
            sum[i / WIDTH] += load(columns + i) * by;
            odd[i / WIDTH] += load(columns + room + i) * next;
        }
    }
    EACH(i, room) sum[i / WIDTH] += odd[i / WIDTH];
}

#endif
