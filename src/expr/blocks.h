/* blocks.h - the vector machine: every instruction works on a block of elements. Compiled for every
 * instruction set, by run.c and by src/kernels/blocks.c; nothing is fused, so that sums and
 * products have the same bits. */
#ifndef BRI_EXPR_BLOCKS_H
#define BRI_EXPR_BLOCKS_H

#include "machine.h"

static double *room_of(const expr_frame *f, int at) { return f->room + (size_t)at * BLOCK; }

/* Plain loops over whole blocks, which compilers turn into vectors. (Loops of eight within
 * loops are compiled wrong by gcc 12.2 -O3 for AVX: of a ? b : c it takes the other one.) */
#define EACH(expression)                                                                           \
    for (int i = 0; i < BLOCK; i++) to[i] = (expression);                                          \
    break
#define EACH_IN(expression)                                                                        \
    {                                                                                              \
        for (int i = 0; i < BLOCK; i++) to[i] = (expression);                                      \
        return;                                                                                    \
    }
/* One at a time, for functions of the C library: only those that are wanted. */
#define ONES(expression)                                                                           \
    for (int i = 0; i < count; i++) to[i] = (expression);                                          \
    break

static int same(const double *x, int count) {
    int other = 0;
    for (int i = 1; i < count; i++) other |= x[i] != x[0];
    return !other;
}

/* Functions by vectors, where there are any: src/kernels/blocks.c. */
#ifndef BLOCK_BY_VECTORS
#define BLOCK_BY_VECTORS(op, to, a, b, c) 0
#endif

static void block(expr_op op, double *restrict to, const double *restrict a,
                  const double *restrict b, const double *restrict c, int count) {
    switch (op) {
    case EXPR_NEG:
        EACH(-a[i]);
    case EXPR_ADD:
        EACH(a[i] + b[i]);
    case EXPR_SUB:
        EACH(a[i] - b[i]);
    case EXPR_MUL:
        EACH(a[i] * b[i]);
    case EXPR_DIV:
        EACH(a[i] / b[i]);
    case EXPR_ABS:
        EACH(fabs(a[i]));
    case EXPR_SIGN:
        EACH((a[i] > 0.0 ? 1.0 : 0.0) - (a[i] < 0.0 ? 1.0 : 0.0));
    case EXPR_MIN:
        EACH(a[i] < b[i] ? a[i] : b[i]);
    case EXPR_MAX:
        EACH(a[i] > b[i] ? a[i] : b[i]);
    case EXPR_CLAMP:
        EACH(a[i] > c[i] ? c[i] : a[i] < b[i] ? b[i] : a[i]);
    case EXPR_SQRT:
        ONES(sqrt(a[i]));
    case EXPR_EXP:
        ONES(exp(a[i]));
    case EXPR_TANH:
        ONES(tanh(a[i]));
    case EXPR_POW: /* of one exponent for all that needs no power: see expr_pow() */
        if (same(b, count) && b[0] == 0.0) EACH_IN(1.0);
        if (same(b, count) && b[0] == 1.0) EACH_IN(a[i]);
        ONES(expr_pow(a[i], b[i]));
    case EXPR_GPOW: /* of one exponent for all, mostly 1 or 2 */
        if (same(b, count) && b[0] == 1.0 && c[0] == 0.0) EACH_IN(a[i] > -1.0 ? a[i] : -1.0);
        if (same(b, count) && b[0] == 2.0 && c[0] == 0.0) EACH_IN(a[i] * a[i]);
        ONES(expr_gpow(a[i], b[i], (int)c[i]));
    case EXPR_LT:
        EACH(a[i] < b[i] ? 1.0 : 0.0);
    case EXPR_LE:
        EACH(a[i] <= b[i] ? 1.0 : 0.0);
    case EXPR_GT:
        EACH(a[i] > b[i] ? 1.0 : 0.0);
    case EXPR_GE:
        EACH(a[i] >= b[i] ? 1.0 : 0.0);
    case EXPR_EQ:
        EACH(a[i] == b[i] ? 1.0 : 0.0);
    case EXPR_NE:
        EACH(a[i] != b[i] ? 1.0 : 0.0);
    case EXPR_AND: /* conditions are 0 or 1 */
        EACH(a[i] * b[i]);
    case EXPR_OR:
        EACH(a[i] > b[i] ? a[i] : b[i]);
    case EXPR_NOT:
        EACH(1.0 - a[i]);
    case EXPR_IF:
        if (b == c) EACH_IN(b[i]); /* it was decided: see expr_trim() */
        EACH(a[i] != 0.0 ? b[i] : c[i]);
    default:
        ONES(expr_apply(op, a[i], b[i], c[i]));
    }
}

static void run_blocks(const expr_frame *f, int count) {
    for (const instruction *i = f->each, *end = i + f->n_each; i < end; i++) {
        double *to = room_of(f, i->to);
        const double *a = f->at[i->at[0]], *b = f->at[i->at[1]], *c = f->at[i->at[2]];
        if (f->by_libm || !BLOCK_BY_VECTORS(i->op, to, a, b, c)) block(i->op, to, a, b, c, count);
    }
}

#endif
