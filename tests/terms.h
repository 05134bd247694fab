/* terms.h - how far results of an equation may differ by rounding: the size of the terms that they
 * are made of, carried through the graph of a law (first order), since large terms may cancel. */
#ifndef BRI_TEST_TERMS_H
#define BRI_TEST_TERMS_H

#include "expr/ops.h"
#include "law/law.h"
#include "test.h"

#include "bristle_law.h"

#include <stdlib.h>

typedef struct terms {
    law *l;
    expr_id *roots; /* F and rates, Jacobian, derivatives in the parameters */
    int count;
    double *value, *size; /* per node */
} terms;

static inline void terms_tell(void *to, int line, const char *words) {
    fail_msg("%s:%d: %s", (const char *)to, line, words);
}

static inline void terms_open(terms *x, const char *name) {
    const char *text = bri_law_page(name);
    char file[100];
    snprintf(file, sizeof file, "%s.yaml", name);
    x->l = law_read(text, strlen(text), terms_tell, file);
    assert_non_null(x->l);
    int rows = 1 + x->l->n_states, width = 3 + x->l->n_states;
    x->count = rows * (1 + width + x->l->n_params);
    x->roots = calloc((size_t)x->count, sizeof *x->roots);
    assert_non_null(x->roots);
    assert_true(law_values(x->l, x->roots));
    assert_true(law_jacobian(x->l, x->roots + rows));
    assert_true(law_parameter_slopes(x->l, x->roots + rows * (1 + width)));
    x->value = calloc((size_t)expr_count(x->l->g), sizeof *x->value);
    x->size = calloc((size_t)expr_count(x->l->g), sizeof *x->size);
    assert_non_null(x->value);
    assert_non_null(x->size);
}

static inline void terms_close(terms *x) {
    law_free(x->l);
    free(x->roots);
    free(x->value);
    free(x->size);
}

/* By how many times the last digit of a node can be wrong. */
static inline double terms_of(const terms *x, const expr_node *n, double f) {
    double a = n->at[0] >= 0 ? fabs(x->value[n->at[0]]) : 0.0, A = 0.0, B = 0.0, b = 0.0;
    if (n->at[0] >= 0) A = x->size[n->at[0]];
    if (n->at[1] >= 0) {
        b = fabs(x->value[n->at[1]]);
        B = x->size[n->at[1]];
    }
    switch (n->op) {
    case EXPR_ADD:
    case EXPR_SUB:
        return A + B;
    case EXPR_MUL:
        return fmax(A * b, a * B);
    case EXPR_DIV:
        return b > 0.0 ? fmax(A, fabs(f) * B) / b : INFINITY;
    case EXPR_NEG:
    case EXPR_ABS:
        return A;
    case EXPR_IF:
        return x->size[x->value[n->at[0]] != 0.0 ? n->at[1] : n->at[2]];
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_CLAMP:
        return fmax(fmax(A, B), fabs(f));
    case EXPR_EXP:
    case EXPR_EXPM1:
        return fabs(f) + fabs(exp(x->value[n->at[0]])) * A;
    case EXPR_LOG:
        return fabs(f) + (a > 0.0 ? A / a : 0.0);
    case EXPR_SQRT:
    case EXPR_POW:
    case EXPR_GPOW:
        return a > 0.0 ? fabs(f) * (1.0 + (1.0 + b) * A / a) +
                             (n->op == EXPR_SQRT ? 0.0 : fabs(f * log(a)) * B)
                       : fabs(f);
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_ATAN:
    case EXPR_TANH:
        return fabs(f) + A;
    default:
        return fabs(f);
    }
}

/* The sizes of all roots at one contact that a batch sees: x = 0, mode BRI_AUTO. */
static inline void terms_find(terms *x, const double *p, double v, double n, const double *z) {
    const expr_graph *g = x->l->g;
    for (int i = 0; i < expr_count(g); i++) {
        const expr_node *e = expr_at(g, i);
        double at[3] = {0.0, 0.0, 0.0}, f;
        for (int k = 0; k < expr_ops[e->op].arity; k++) at[k] = x->value[e->at[k]];
        int state = e->index - LAW_STATES, param = state - x->l->n_states;
        if (e->op != EXPR_VAR)
            f = e->constant ? e->value : expr_apply(e->op, at[0], at[1], at[2]);
        else
            f = e->index == LAW_X   ? 0.0
                : e->index == LAW_V ? v
                : e->index == LAW_N ? n
                : param < 0         ? z[state]
                                    : p[param];
        x->value[i] = f;
        x->size[i] = terms_of(x, e, f);
    }
}

#endif
