/* build.c - nodes in their simplest form.
 *
 * Only such rules stand here as change no finite value: sums and products are not regrouped, so
 * that the roundings are those of the expression as it was written. A factor of zero makes zero,
 * which is what derivatives need. */
#include "graph.h"

#include <string.h>

#define NONE EXPR_NONE

static expr_id one(expr_graph *g, expr_op op, expr_id a) {
    return expr_build(g, op, a, NONE, NONE);
}
static expr_id two(expr_graph *g, expr_op op, expr_id a, expr_id b) {
    return expr_build(g, op, a, b, NONE);
}
static expr_id number(expr_graph *g, double x) { return expr_number(g, x, dim_one); }

static int is_value(const expr_graph *g, expr_id id, double x) {
    return g->nodes[id].constant && g->nodes[id].value == x;
}
static int is(const expr_graph *g, expr_id id, expr_op op) { return g->nodes[id].op == op; }
static expr_id child(const expr_graph *g, expr_id id, int k) { return g->nodes[id].at[k]; }

/* A pure 1, which leaves even the unit of a factor alone. */
static int is_one(const expr_graph *g, expr_id id) {
    return is_value(g, id, 1.0) && dim_is_one(g->nodes[id].dim);
}

/* ---- rules --------------------------------------------------------------------------------- */

static expr_id sum(expr_graph *g, expr_id a, expr_id b) {
    if (is_value(g, a, 0.0)) return b;
    if (is_value(g, b, 0.0)) return a;
    if (is(g, b, EXPR_NEG)) return two(g, EXPR_SUB, a, child(g, b, 0));
    if (is(g, a, EXPR_NEG)) return two(g, EXPR_SUB, b, child(g, a, 0));
    return expr_make(g, EXPR_ADD, a, b, NONE);
}

static expr_id difference(expr_graph *g, expr_id a, expr_id b) {
    if (is_value(g, b, 0.0)) return a;
    if (is_value(g, a, 0.0)) return one(g, EXPR_NEG, b);
    if (a == b) return number(g, 0.0);
    if (is(g, b, EXPR_NEG)) return two(g, EXPR_ADD, a, child(g, b, 0));
    return expr_make(g, EXPR_SUB, a, b, NONE);
}

static expr_id negative(expr_graph *g, expr_id a) {
    if (is(g, a, EXPR_NEG)) return child(g, a, 0);
    if (is(g, a, EXPR_SUB)) return two(g, EXPR_SUB, child(g, a, 1), child(g, a, 0));
    return expr_make(g, EXPR_NEG, a, NONE, NONE);
}

/* Products and quotients: signs stand outside. */
static expr_id product(expr_graph *g, expr_op op, expr_id a, expr_id b) {
    int b_is_zero = is_value(g, b, 0.0); /* 0/0 stays what it is */
    if (op == EXPR_MUL ? is_value(g, a, 0.0) || b_is_zero : is_value(g, a, 0.0) && !b_is_zero)
        return number(g, 0.0);
    if (is_one(g, b)) return a;
    if (op == EXPR_MUL && is_one(g, a)) return b;
    int minus = is(g, a, EXPR_NEG) != is(g, b, EXPR_NEG);
    if (is(g, a, EXPR_NEG)) a = child(g, a, 0);
    if (is(g, b, EXPR_NEG)) b = child(g, b, 0);
    if (is_one(g, b) || (op == EXPR_MUL && is_one(g, a))) {
        expr_id kept = is_one(g, b) ? a : b;
        return minus ? one(g, EXPR_NEG, kept) : kept;
    }
    expr_id made = expr_make(g, op, a, b, NONE);
    return minus ? expr_make(g, EXPR_NEG, made, NONE, NONE) : made;
}

/* x^n by repeated squares, n > 0. */
static expr_id whole_power(expr_graph *g, expr_id x, int n) {
    if (n == 1) return x;
    expr_id half = whole_power(g, x, n / 2), square = two(g, EXPR_MUL, half, half);
    return n % 2 ? two(g, EXPR_MUL, square, x) : square;
}

static expr_id power(expr_graph *g, expr_id a, expr_id b) {
    const expr_node *n = &g->nodes[b];
    double e = n->value;
    if (!n->constant) return expr_make(g, EXPR_POW, a, b, NONE);
    if (e == 0.0) return number(g, 1.0);
    if (e == 0.5) return one(g, EXPR_SQRT, a);
    if (e != floor(e) || fabs(e) > 16.0) return expr_make(g, EXPR_POW, a, b, NONE);
    expr_id whole = whole_power(g, a, (int)fabs(e));
    return e > 0.0 ? whole : two(g, EXPR_DIV, number(g, 1.0), whole);
}

static expr_id magnitude(expr_graph *g, expr_id a) {
    if (is(g, a, EXPR_NEG)) return one(g, EXPR_ABS, child(g, a, 0));
    if (is(g, a, EXPR_ABS) || is(g, a, EXPR_EXP) || is(g, a, EXPR_SQRT)) return a;
    return expr_make(g, EXPR_ABS, a, NONE, NONE);
}

static expr_id sign_of(expr_graph *g, expr_id a) {
    if (is(g, a, EXPR_NEG)) return one(g, EXPR_NEG, one(g, EXPR_SIGN, child(g, a, 0)));
    return expr_make(g, EXPR_SIGN, a, NONE, NONE);
}

/* u u (3 - 2 u), u within 0 and 1 */
static expr_id written_step(expr_graph *g, expr_id x) {
    expr_id u = expr_build(g, EXPR_CLAMP, x, number(g, 0.0), number(g, 1.0));
    expr_id slope = two(g, EXPR_SUB, number(g, 3.0), two(g, EXPR_MUL, number(g, 2.0), u));
    return two(g, EXPR_MUL, two(g, EXPR_MUL, u, u), slope);
}

static expr_id written_stribeck(expr_graph *g, expr_id v, expr_id v_s, expr_id gamma) {
    expr_id r = two(g, EXPR_DIV, one(g, EXPR_ABS, v), v_s);
    expr_id rise = expr_build(g, EXPR_GPOW, r, gamma, number(g, 0.0));
    return one(g, EXPR_EXP, one(g, EXPR_NEG, rise));
}

static expr_id choice(expr_graph *g, expr_id c, expr_id a, expr_id b) {
    if (g->nodes[c].constant) return g->nodes[c].value != 0.0 ? a : b;
    if (a == b) return a;
    if (is(g, c, EXPR_NOT)) return expr_build(g, EXPR_IF, child(g, c, 0), b, a);
    return expr_make(g, EXPR_IF, c, a, b);
}

static expr_id logic(expr_graph *g, expr_op op, expr_id a, expr_id b) {
    expr_id other = g->nodes[a].constant ? b : a, fixed = g->nodes[a].constant ? a : b;
    if (a == b) return a;
    if (!g->nodes[fixed].constant) return expr_make(g, op, a, b, NONE);
    int yes = g->nodes[fixed].value != 0.0;
    return (op == EXPR_AND) == yes ? other : fixed;
}

static expr_id dispatch(expr_graph *g, expr_op op, expr_id a, expr_id b, expr_id c) {
    switch (op) {
    case EXPR_ADD:
        return sum(g, a, b);
    case EXPR_SUB:
        return difference(g, a, b);
    case EXPR_NEG:
        return negative(g, a);
    case EXPR_MUL:
    case EXPR_DIV:
        return product(g, op, a, b);
    case EXPR_POW:
        return power(g, a, b);
    case EXPR_ABS:
        return magnitude(g, a);
    case EXPR_SIGN:
        return sign_of(g, a);
    case EXPR_STEP:
        return written_step(g, a);
    case EXPR_STRIBECK:
        return written_stribeck(g, a, b, c);
    case EXPR_IF:
        return choice(g, a, b, c);
    case EXPR_AND:
    case EXPR_OR:
        return logic(g, op, a, b);
    case EXPR_MIN:
    case EXPR_MAX:
        return a == b ? a : expr_make(g, op, a, b, c);
    default:
        return expr_make(g, op, a, b, c);
    }
}

expr_id expr_build(expr_graph *g, expr_op op, expr_id a, expr_id b, expr_id c) {
    const expr_id at[3] = {a, b, c};
    for (int i = 0; i < expr_ops[op].arity; i++)
        if (at[i] < 0 || at[i] >= g->count) return NONE;
    expr_id id = dispatch(g, op, a, b, c);
    if (id < 0) return id;
    const expr_node *n = &g->nodes[id];
    /* A sum of constants becomes one; a condition stays, since it has no number of its own. */
    if (n->constant && !expr_gives_condition(n->op) && isfinite(n->value))
        return expr_number(g, n->value, n->dim);
    return id;
}
