/* corners.c - where force and rates of a law pass from one smooth piece to another. */
#include "law.h"

#include "expr/ops.h"

#include <stdlib.h>

typedef struct corners {
    law *l;
    expr_id *roots;
    int count;
} corners;

static int varies(law *l, expr_id id) {
    int found = 0;
    for (int i = 0; i < LAW_STATES + l->n_states; i++) found |= expr_depends(l->g, id, i);
    return found;
}

/* v itself, whose sign solvers freeze unless the law has no memory. */
static int is_frozen(const law *l, expr_id id) {
    const expr_node *n = expr_at(l->g, id);
    return !law_own_direction(l) && n->op == EXPR_VAR && n->index == LAW_V;
}

static int is_turned(const law *l, expr_id a, expr_id b) {
    const expr_node *n = expr_at(l->g, b);
    return n->op == EXPR_NEG && n->at[0] == a && is_frozen(l, a);
}

/* What does not fit is left out: such a law is held to its tolerance by the error alone. */
static void add(corners *c, expr_id id) {
    if (id < 0 || c->count == LAW_CORNERS || is_frozen(c->l, id) || !varies(c->l, id)) return;
    for (int i = 0; i < c->count; i++)
        if (c->roots[i] == id) return;
    c->roots[c->count++] = id;
}

/* The smaller or the larger one of two; not where both are v, as in max(v, -v). */
static void add_choice(corners *c, expr_id a, expr_id b) {
    if (is_turned(c->l, a, b) || is_turned(c->l, b, a)) return;
    add(c, expr_build(c->l->g, EXPR_SUB, a, b, EXPR_NONE));
}

static void add_node(corners *c, const expr_node *n) {
    switch (n->op) {
    case EXPR_ABS:
    case EXPR_SIGN:
    case EXPR_IF:
        add(c, n->at[0]);
        break;
    case EXPR_MIN:
    case EXPR_MAX:
        add_choice(c, n->at[0], n->at[1]);
        break;
    case EXPR_CLAMP:
        add_choice(c, n->at[0], n->at[1]);
        add_choice(c, n->at[2], n->at[0]);
        break;
    default:
        break;
    }
}

int law_corners(law *l, expr_id *roots) {
    corners c = {.l = l, .roots = roots};
    expr_id value[1 + BRI_MAX_STATES];
    int last = 0;
    if (!law_values(l, value)) return -1;
    for (int i = 0; i <= l->n_states; i++) last = value[i] > last ? value[i] : last;
    unsigned char *seen = calloc((size_t)last + 1, 1);
    if (!seen) return -1;
    for (int i = 0; i <= l->n_states; i++) seen[value[i]] = 1;
    for (int i = last; i >= 0; i--) {
        const expr_node n = *expr_at(l->g, i); /* the array may move */
        if (!seen[i] || n.constant) continue;
        add_node(&c, &n);
        /* what is asked inside of a condition matters by its outcome alone */
        for (int k = n.op == EXPR_IF; k < expr_ops[n.op].arity; k++) seen[n.at[k]] = 1;
    }
    free(seen);
    return expr_failure(l->g) ? -1 : c.count;
}
