/* ranges.c - what the nodes of a law lie between, from the ranges of its parameters and from what
 * it requires of them. Functions of what is known to be small or not positive are cheaper. */
#include "emit.h"

#include "expr/ops.h"

#include <math.h>
#include <stdlib.h>

static const range everything = {-INFINITY, INFINITY};

static range of_variable(const law *l, int index) {
    int param = index - law_param_variable(l, 0);
    /* an open contact does not ask a law whose states relax in the air, or that has none */
    if (index == LAW_N && (l->lift >= 0 || l->n_states == 0)) return (range){0.0, INFINITY};
    if (param < 0 || param >= l->n_params) return everything;
    return (range){l->params[param].min, l->params[param].max};
}

/* Ends that are infinite stand for what is as large as one likes: 0 times that is 0. */
static double times(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

static range product(range a, range b) {
    const double ends[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low),
                           times(a.high, b.high)};
    range r = {ends[0], ends[0]};
    for (int i = 1; i < 4; i++) r = (range){fmin(r.low, ends[i]), fmax(r.high, ends[i])};
    return r;
}

static range inverse(range a) {
    if (a.low < 0.0 && a.high > 0.0) return everything;
    if (a.low >= 0.0) return (range){1.0 / a.high, a.low > 0.0 ? 1.0 / a.low : INFINITY};
    return (range){a.high < 0.0 ? 1.0 / a.high : -INFINITY, 1.0 / a.low};
}

/* Nonzero: the condition says that a >= b. */
static int says(const law *l, expr_id condition, expr_id a, expr_id b) {
    const expr_node *n = expr_at(l->g, condition);
    if (n->op == EXPR_AND) return says(l, n->at[0], a, b) || says(l, n->at[1], a, b);
    if (n->op == EXPR_GE || n->op == EXPR_GT) return n->at[0] == a && n->at[1] == b;
    return (n->op == EXPR_LE || n->op == EXPR_LT) && n->at[0] == b && n->at[1] == a;
}

static range difference(const law *l, const expr_node *n, range a, range b) {
    range r = {a.low - b.high, a.high - b.low};
    for (int i = 0; i < l->n_rules; i++)
        if (says(l, l->rules[i].condition, n->at[0], n->at[1])) r.low = fmax(r.low, 0.0);
    return r;
}

static range of_node(const law *l, const expr_node *n, range a, range b, range c) {
    const double most = fmax(-a.low, a.high), quarter = EXPR_PI_VALUE / 2.0;
    switch (n->op) {
    case EXPR_VAR:
        return of_variable(l, n->index);
    case EXPR_NEG:
        return (range){-a.high, -a.low};
    case EXPR_ADD:
        return (range){a.low + b.low, a.high + b.high};
    case EXPR_SUB:
        return difference(l, n, a, b);
    case EXPR_MUL:
        return n->at[0] == n->at[1] ? (range){0.0, most * most} : product(a, b);
    case EXPR_DIV:
        return product(a, inverse(b));
    case EXPR_ABS:
        return (range){fmax(fmax(a.low, -a.high), 0.0), most};
    case EXPR_MIN:
        return (range){fmin(a.low, b.low), fmin(a.high, b.high)};
    case EXPR_MAX:
        return (range){fmax(a.low, b.low), fmax(a.high, b.high)};
    case EXPR_CLAMP:
        return (range){fmin(fmax(a.low, b.low), c.low), fmax(fmin(a.high, c.high), b.high)};
    case EXPR_EXP:
        return (range){0.0, INFINITY};
    case EXPR_SIGN:
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TANH:
        return (range){-1.0, 1.0};
    case EXPR_ATAN:
        return (range){-quarter, quarter};
    case EXPR_IF:
        return (range){fmin(b.low, c.low), fmax(b.high, c.high)};
    default:
        return everything;
    }
}

/* Children stand before their parents. */
range *ranges_find(const law *l, int end) {
    range *r = malloc(sizeof *r * ((size_t)end + 1));
    for (int i = 0; r && i < end; i++) {
        const expr_node *n = expr_at(l->g, i);
        range at[3] = {everything, everything, everything};
        for (int k = 0; k < expr_ops[n->op].arity; k++) at[k] = r[n->at[k]];
        r[i] = n->constant ? (range){n->value, n->value} : of_node(l, n, at[0], at[1], at[2]);
        if (!(r[i].low <= r[i].high)) r[i] = everything; /* what no parameters allow */
    }
    return r;
}
