/* run.c - the vector machine: every instruction works on a block of elements. */
#include "machine.h"

#include <string.h>

expr_frame *expr_frame_new(const expr_program *p) {
    expr_frame *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->program = p;
    f->room = calloc((size_t)p->n_registers + 1, BLOCK * sizeof *f->room);
    f->gathered = calloc((size_t)p->n_inputs, BLOCK * sizeof *f->gathered);
    f->at = calloc((size_t)p->n_registers + 1, sizeof *f->at);
    if (!f->room || !f->gathered || !f->at) {
        expr_frame_free(f);
        return NULL;
    }
    for (int i = 0; i < p->n_registers; i++) f->at[i] = f->room + (size_t)i * BLOCK;
    expr_prepare(f, NULL);
    return f;
}

void expr_frame_free(expr_frame *f) {
    if (!f) return;
    free(f->room);
    free(f->gathered);
    free((void *)f->at);
    free(f);
}

static double *room_of(const expr_frame *f, int at) { return f->room + (size_t)at * BLOCK; }

static void spread(const expr_frame *f, int to, double value) {
    double *room = room_of(f, to);
    for (int i = 0; i < BLOCK; i++) room[i] = value;
}

static double apply_first(const expr_frame *f, const instruction *i) {
    return expr_apply(i->op, f->at[i->at[0]][0], f->at[i->at[1]][0], f->at[i->at[2]][0]);
}

void expr_prepare(expr_frame *f, const double *in) {
    const expr_program *p = f->program;
    for (int i = 0; i < p->n_constants; i++) spread(f, p->constants[i].to, p->constants[i].value);
    for (int i = 0; in && i < p->n_inputs; i++)
        if (p->uniform_inputs[i] >= 0) spread(f, p->uniform_inputs[i], in[i]);
    for (int i = 0; in && i < p->n_once; i++) spread(f, p->once[i].to, apply_first(f, &p->once[i]));
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* Eight at a time, which compilers turn into vectors; n is a multiple of eight. */
#define EIGHTS(expression)                                                                         \
    for (int j = 0; j < n; j += 8)                                                                 \
        for (int i = j; i < j + 8; i++) to[i] = (expression);                                      \
    break
#define EIGHTS_IN(expression)                                                                      \
    {                                                                                              \
        for (int j = 0; j < n; j += 8)                                                             \
            for (int i = j; i < j + 8; i++) to[i] = (expression);                                  \
        return;                                                                                    \
    }
/* One at a time, for functions of the C library: only those that are wanted. */
#define ONES(expression)                                                                           \
    for (int i = 0; i < count; i++) to[i] = (expression);                                          \
    break

static int same(const double *x, int count) {
    for (int i = 1; i < count; i++)
        if (x[i] != x[0]) return 0;
    return 1;
}

static void block(expr_op op, double *restrict to, const double *restrict a,
                  const double *restrict b, const double *restrict c, int n, int count) {
    switch (op) {
    case EXPR_NEG:
        EIGHTS(-a[i]);
    case EXPR_ADD:
        EIGHTS(a[i] + b[i]);
    case EXPR_SUB:
        EIGHTS(a[i] - b[i]);
    case EXPR_MUL:
        EIGHTS(a[i] * b[i]);
    case EXPR_DIV:
        EIGHTS(a[i] / b[i]);
    case EXPR_ABS:
        EIGHTS(fabs(a[i]));
    case EXPR_SIGN:
        EIGHTS((a[i] > 0.0 ? 1.0 : 0.0) - (a[i] < 0.0 ? 1.0 : 0.0));
    case EXPR_MIN:
        EIGHTS(a[i] < b[i] ? a[i] : b[i]);
    case EXPR_MAX:
        EIGHTS(a[i] > b[i] ? a[i] : b[i]);
    case EXPR_CLAMP:
        EIGHTS(a[i] > c[i] ? c[i] : a[i] < b[i] ? b[i] : a[i]);
    case EXPR_SQRT:
        ONES(sqrt(a[i]));
    case EXPR_EXP:
        ONES(exp(a[i]));
    case EXPR_TANH:
        ONES(tanh(a[i]));
    case EXPR_POW:
        ONES(expr_pow(a[i], b[i]));
    case EXPR_GPOW: /* of one exponent for all, mostly 1 or 2 */
        if (count > 0 && same(b, count) && b[0] == 1.0 && c[0] == 0.0)
            EIGHTS_IN(a[i] > -1.0 ? a[i] : -1.0);
        if (count > 0 && same(b, count) && b[0] == 2.0 && c[0] == 0.0) EIGHTS_IN(a[i] * a[i]);
        ONES(expr_gpow(a[i], b[i], (int)c[i]));
    case EXPR_LT:
        EIGHTS(a[i] < b[i] ? 1.0 : 0.0);
    case EXPR_LE:
        EIGHTS(a[i] <= b[i] ? 1.0 : 0.0);
    case EXPR_GT:
        EIGHTS(a[i] > b[i] ? 1.0 : 0.0);
    case EXPR_GE:
        EIGHTS(a[i] >= b[i] ? 1.0 : 0.0);
    case EXPR_EQ:
        EIGHTS(a[i] == b[i] ? 1.0 : 0.0);
    case EXPR_NE:
        EIGHTS(a[i] != b[i] ? 1.0 : 0.0);
    case EXPR_AND: /* conditions are 0 or 1 */
        EIGHTS(a[i] * b[i]);
    case EXPR_OR:
        EIGHTS(a[i] > b[i] ? a[i] : b[i]);
    case EXPR_NOT:
        EIGHTS(1.0 - a[i]);
    case EXPR_IF:
        EIGHTS(a[i] != 0.0 ? b[i] : c[i]);
    default:
        ONES(expr_apply(op, a[i], b[i], c[i]));
    }
}

/* Inputs are read where they are; a part of a block is copied, so that whole vectors can be read.
 */
static void take_inputs(expr_frame *f, const double *const *in, size_t start, int count) {
    const expr_program *p = f->program;
    for (int i = 0; i < p->n_inputs; i++) {
        if (!p->needed[i]) continue;
        const double *from = in[i] + start;
        if (count < BLOCK) {
            double *copy = f->gathered + (size_t)i * BLOCK;
            for (int k = 0; k < BLOCK; k++) copy[k] = from[k < count ? k : count - 1];
            from = copy;
        }
        f->at[p->n_uniform + i] = from;
    }
}

void expr_run(expr_frame *f, const double *const *in, double *const *out, size_t count) {
    const expr_program *p = f->program;
    for (size_t start = 0; start < count; start += BLOCK) {
        int n = count - start < BLOCK ? (int)(count - start) : BLOCK;
        take_inputs(f, in, start, n);
        for (const instruction *i = p->each, *end = i + p->n_each; i < end; i++)
            block(i->op, room_of(f, i->to), f->at[i->at[0]], f->at[i->at[1]], f->at[i->at[2]],
                  (n + 7) / 8 * 8, n);
        for (int i = 0; i < p->n_roots; i++)
            memcpy(out[i] + start, f->at[p->roots[i]], sizeof(double) * (size_t)n);
    }
}

void expr_run_one(expr_frame *f, const double *in, double *out) {
    const expr_program *p = f->program;
    for (int i = 0; i < p->n_inputs; i++)
        if (p->needed[i]) f->at[p->n_uniform + i] = in + i;
    for (const instruction *i = p->each, *end = i + p->n_each; i < end; i++)
        room_of(f, i->to)[0] = apply_first(f, i);
    for (int i = 0; i < p->n_roots; i++) out[i] = f->at[p->roots[i]][0];
}
