/* pack_invert.h - the matrix of the velocities of few coordinates, condensed as in
 * system/condense.c, and its inverse: a product with it has no chain of operations that wait for
 * each other, and a step needs six or eight of them. */
#ifndef BRI_PACK_INVERT_H
#define BRI_PACK_INVERT_H

#include "kernels/invert.h"
#include "pack_parts.h"

/* The inverse of a tridiagonal matrix, symmetric, with its diagonal and what is next to it: of a
 * column of the inverse what is above row i follows from the column after it, what is below from
 * the one before, each by the elimination from that end. */
INLINE int invert_tridiagonal(int n, int room, const double *diagonal, const double *next,
                              const double *unit, double *inverse) {
    double down[PACKS_FEW + 1] = {0}, up[PACKS_FEW + 1] = {0}, pivot[PACKS_FEW], middle[PACKS_FEW];
    double above = 0.0, below = 0.0;
    for (int i = 0; i < n; i++) {
        int j = n - 1 - i;
        pivot[i] = diagonal[i] + above;
        if (!(pivot[i] > 0.0)) return 0;
        down[i] = -next[i] / pivot[i];
        above = next[i] * down[i];
        middle[j] = below;
        if (j == 0) break;
        up[j] = -next[j - 1] / (diagonal[j] + below);
        below = next[j - 1] * up[j];
    }
    vec column[FEW];
    EACH(i, room) column[i / WIDTH] = splat(0.0);
    for (int k = n - 1; k >= 0; k--) {
        middle[k] = 1.0 / (pivot[k] + middle[k]);
        EACH(i, room) {
            column[i / WIDTH] = down[k] * column[i / WIDTH] + middle[k] * load(unit + k * room + i);
            store(inverse + k * room + i, column[i / WIDTH]);
        }
    }
    EACH(i, room) column[i / WIDTH] = splat(0.0);
    for (int k = 1; k < n; k++) EACH(i, room) {
            column[i / WIDTH] += middle[k - 1] * load(unit + (k - 1) * room + i);
            column[i / WIDTH] *= up[k];
            store(inverse + k * room + i, load(inverse + k * room + i) + column[i / WIDTH]);
        }
    return 1;
}

/* The matrix of the velocities, inverted; contacts are condensed. */
INLINE int invert_few(const packed *p, const pack *k, int n, int room, int row, double w,
                      double per_w) {
    double *A = p->inverse;
    for (int j = 0; j < n; j++) {
        const double *by_k = p->by_k + j * room, *by_c = p->by_c + j * room;
        vec own = splat(w * p->mass[j] + (row ? k->total[j] : 0.0));
        EACH(i, room)
        store(A + j * room + i,
              load(by_k + i) * per_w + load(by_c + i) + own * load(p->unit + j * room + i));
    }
    for (int i = 0; !row && i < k->count; i++) {
        int a = p->at[0][i].a, b = p->at[0][i].b;
        if (a < n) A[a * room + a] += k->total[i];
        if (b < n) A[b * room + b] += k->total[i];
        if (a >= n || b >= n) continue;
        A[a * room + b] -= k->total[i];
        A[b * room + a] -= k->total[i];
    }
    return invert_matrix(n, room, room, p->band, A);
}

INLINE int invert_narrow(const packed *p, const pack *k, int n, int room, int row, double w,
                         double per_w) {
    double diagonal[PACKS_FEW], next[PACKS_FEW];
    EACH(i, room) {
        vec own = w * load(p->mass + i) + load(p->narrow + i) * per_w + load(p->narrow + room + i);
        if (row) own += load(k->total + i);
        store(diagonal + i, own);
        store(next + i, load(p->narrow + 2 * room + i) * per_w + load(p->narrow + 3 * room + i));
    }
    for (int i = 0; !row && i < k->count; i++) {
        int a = p->at[0][i].a, b = p->at[0][i].b;
        if (a < n) diagonal[a] += k->total[i];
        if (b < n) diagonal[b] += k->total[i];
        if (a < n && b < n) next[a < b ? a : b] -= k->total[i];
    }
    return invert_tridiagonal(n, room, diagonal, next, p->unit, p->inverse);
}

/* Prepare all stages, as network_factor(); 0 if something grows faster than e^(w t). */
INLINE int factor_few(network *net, const packed *p, const pack *k, int room, int row, double w) {
    const double *J = k->J;
    double per_w = 1.0 / w;
    flags ends = splat(0.0) == splat(0.0);
    net->w = w;
    net->per_w = per_w;
    EACH(i, room) {
        vec s = w - load(J + BRI_Z_BY_Z * room + i), F_z = load(J + BRI_F_BY_Z * room + i);
        ends &= (s > 0.0) | (load(p->real + i) == 0.0);
        s = 1.0 / s;
        vec gain = load(J + BRI_Z_BY_V * room + i) * s;
        store(k->S + i, s);
        store(k->row + i, F_z * s);
        store(k->gain + i, gain);
        store(k->total + i, load(J + BRI_F_BY_V * room + i) + F_z * gain);
    }
    if (!all(ends)) return 0;
    return p->band <= 1 ? invert_narrow(p, k, net->n_free, room, row, w, per_w)
                        : invert_few(p, k, net->n_free, room, row, w, per_w);
}

#endif
