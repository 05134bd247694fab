/* sweeps_couplings.h - for sweeps.c: rows of couplings. */
#ifndef BRI_SWEEPS_COUPLINGS_H
#define BRI_SWEEPS_COUPLINGS_H

#include "kernels.h"
#include "vec.h"
#include <stddef.h>

enum { PIECE = 256 }; /* couplings at once */

INLINE void add_to(int n, const double *restrict T, double sign, double *restrict f, int step) {
    if (step) {
        for (int i = 0; i < n; i++) f[i] += sign * T[i];
        return;
    }
    double sum[8] = {0};
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int j = 0; j < 8; j++) sum[j] += T[i + j];
    for (; i < n; i++) sum[0] += T[i];
    for (int j = 0; j < 8; j++) *f += sign * sum[j];
}

/* What is known of a run when its loop is compiled. */
typedef struct layout {
    int step_a, step_b; /* of the coordinates */
    int step_k;         /* of rest, k and c; 0: uniform */
    int loaded, damped; /* rest and c count */
} layout;

INLINE void tension(int n, const bri_link_run *r, int i0, const double *restrict xa,
                    const double *restrict xb, const double *restrict va, const double *restrict vb,
                    layout l, double *restrict T) {
    const double *restrict rest = r->rest + i0 * l.step_k, *restrict k = r->k + i0 * l.step_k;
    const double *restrict c = r->c + i0 * l.step_k;
    for (int i = 0; i < n; i++) {
        double t = k[i * l.step_k] * (xb[i * l.step_b] - xa[i * l.step_a]);
        if (l.loaded) t += rest[i * l.step_k];
        if (l.damped) t += c[i * l.step_k] * (vb[i * l.step_b] - va[i * l.step_a]);
        T[i] = t;
    }
}

/* Each coordinate joined with the next: both tensions of the coordinates lo ... hi - 1 of a chain
 * of n couplings at once; f begins at lo. */
INLINE void pull_chain(const bri_link_run *r, const double *restrict x, const double *restrict v,
                       layout l, double *restrict f, int lo, int hi) {
    const double *restrict rest = r->rest, *restrict k = r->k, *restrict c = r->c;
    int n = r->count, e = n - 1, last = hi < n ? hi : n, s = l.step_k;
    double T;
    if (lo == 0) {
        tension(1, r, 0, x, x + 1, v, l.damped ? v + 1 : v, l, &T);
        f[0] += T;
    }
    for (int i = lo > 1 ? lo : 1; i < last; i++) {
        double up = k[i * s] * (x[i + 1] - x[i]), down = k[(i - 1) * s] * (x[i] - x[i - 1]);
        if (l.loaded && s) up += rest[i], down += rest[i - 1]; /* else they cancel */
        if (l.damped)
            up += c[i * s] * (v[i + 1] - v[i]), down += c[(i - 1) * s] * (v[i] - v[i - 1]);
        f[i - lo] += up - down;
    }
    if (hi <= n) return;
    tension(1, r, e, x + e, x + n, l.damped ? v + e : v, l.damped ? v + n : v, l, &T);
    f[n - lo] -= T;
}

/* Call with a layout that is constant. */
#define FOR_LAYOUT(call, a, b, r, v)                                                               \
    do {                                                                                           \
        int loaded_ = (v) != NULL, damped_ = loaded_ && (r)->damped;                               \
        if ((r)->uniform) {                                                                        \
            if (damped_)                                                                           \
                call(((layout){a, b, 0, 1, 1}));                                                   \
            else if (loaded_)                                                                      \
                call(((layout){a, b, 0, 1, 0}));                                                   \
            else                                                                                   \
                call(((layout){a, b, 0, 0, 0}));                                                   \
        } else if (damped_) {                                                                      \
            call(((layout){a, b, 1, 1, 1}));                                                       \
        } else if (loaded_) {                                                                      \
            call(((layout){a, b, 1, 1, 0}));                                                       \
        } else {                                                                                   \
            call(((layout){a, b, 1, 0, 0}));                                                       \
        }                                                                                          \
    } while (0)

static void chain_part(const bri_link_run *r, const double *x, const double *v, double *f, int lo,
                       int hi) {
#define CALL(l) pull_chain(r, x, v, l, f, lo, hi)
    FOR_LAYOUT(CALL, 1, 1, r, v);
#undef CALL
}

/* Tensions of n couplings from i on. */
static void tensions(const bri_link_run *r, int i, int n, const double *xa, const double *xb,
                     const double *va, const double *vb, double *T) {
    const double *a = xa + i * r->step_a, *b = xb + i * r->step_b;
    const double *wa = va ? va + i * r->step_a : NULL, *wb = vb ? vb + i * r->step_b : NULL;
#define CALL(l) tension(n, r, i, a, b, wa, wb, l, T)
    if (r->step_a && r->step_b)
        FOR_LAYOUT(CALL, 1, 1, r, va);
    else if (r->step_b)
        FOR_LAYOUT(CALL, 0, 1, r, va);
    else
        FOR_LAYOUT(CALL, 1, 0, r, va);
#undef CALL
}

static int is_chain(const bri_link_run *r) { return r->step_a && r->step_b && r->b == r->a + 1; }

static void pull(const bri_link_run *r, const double *xa, const double *xb, const double *va,
                 const double *vb, double *fa, double *fb) {
    double T[PIECE];
    if (is_chain(r)) {
        chain_part(r, xa, va, fa, 0, r->count + 1);
        return;
    }
    for (int i = 0; i < r->count; i += PIECE) {
        int n = r->count - i < PIECE ? r->count - i : PIECE;
        tensions(r, i, n, xa, xb, va, vb, T);
        if (r->free_a) add_to(n, T, 1.0, fa + i * r->step_a, r->step_a);
        if (r->free_b) add_to(n, T, -1.0, fb + i * r->step_b, r->step_b);
    }
}

#endif
