/* derive.c - derivatives, node by node in the order of the graph: each is made once, and shares
 * what it can with the expression itself. */
#include "graph.h"

#define NONE EXPR_NONE

static expr_id neg(expr_graph *g, expr_id a) { return expr_build(g, EXPR_NEG, a, NONE, NONE); }
static expr_id fn(expr_graph *g, expr_op op, expr_id a) { return expr_build(g, op, a, NONE, NONE); }
static expr_id bin(expr_graph *g, expr_op op, expr_id a, expr_id b) {
    return expr_build(g, op, a, b, NONE);
}
static expr_id mul(expr_graph *g, expr_id a, expr_id b) { return bin(g, EXPR_MUL, a, b); }
static expr_id add(expr_graph *g, expr_id a, expr_id b) { return bin(g, EXPR_ADD, a, b); }
static expr_id sub(expr_graph *g, expr_id a, expr_id b) { return bin(g, EXPR_SUB, a, b); }
static expr_id over(expr_graph *g, expr_id a, expr_id b) { return bin(g, EXPR_DIV, a, b); }
static expr_id number(expr_graph *g, double x) { return expr_number(g, x, dim_one); }
static expr_id pick(expr_graph *g, expr_id c, expr_id a, expr_id b) {
    return expr_build(g, EXPR_IF, c, a, b);
}

/* The least a base is let come to where its slope would be infinite: 1e-12 in its unit. */
static expr_id least_like(expr_graph *g, expr_id a) {
    return a < 0 ? NONE : expr_number(g, 1e-12, g->nodes[a].dim);
}

static int is_zero(const expr_graph *g, expr_id id) {
    return id >= 0 && g->nodes[id].constant && g->nodes[id].value == 0.0;
}

/* (a^b)' = b a^(b-1) a' + a^b ln(a) b', with a at least 1e-12 where b < 1 */
static expr_id power_slope(expr_graph *g, expr_id self, expr_id a, expr_id b, expr_id da,
                           expr_id db) {
    expr_id one = number(g, 1.0), base = bin(g, EXPR_MAX, a, least_like(g, a));
    base = pick(g, bin(g, EXPR_LT, b, one), base, a);
    expr_id slope = mul(g, b, bin(g, EXPR_POW, base, sub(g, b, one)));
    expr_id by_base = mul(g, slope, da);
    if (is_zero(g, db)) return by_base;
    expr_id grow = mul(g, self, fn(g, EXPR_LOG, a));
    grow = pick(g, bin(g, EXPR_GT, a, number(g, 0.0)), grow, number(g, 0.0));
    return add(g, by_base, mul(g, grow, db));
}

/* Derivative in g of g (g-1) ... (g-n+1). */
static expr_id factor_slope(expr_graph *g, expr_id exponent, int n) {
    expr_id sum = number(g, 0.0);
    for (int left_out = 0; left_out < n; left_out++) {
        expr_id term = number(g, 1.0);
        for (int k = 0; k < n; k++)
            if (k != left_out) term = mul(g, term, sub(g, exponent, number(g, k)));
        sum = add(g, sum, term);
    }
    return sum;
}

/* The guarded power p_n(r, e): p_n' = p_(n+1) r' + (p_n ln r + f_n'(e) r^(e-n)) e' */
static expr_id guarded_slope(expr_graph *g, expr_id self, const expr_id *at, expr_id dr,
                             expr_id de) {
    expr_id r = at[0], e = at[1], zero = number(g, 0.0), one = number(g, 1.0);
    int n = (int)g->nodes[at[2]].value;
    if (n > 8) return graph_fail(g, "the derivative of a Stribeck curve is of too high an order");
    expr_id slope = expr_build(g, EXPR_GPOW, r, e, number(g, n + 1));
    expr_id by_r = is_zero(g, dr) ? zero : mul(g, slope, dr);
    if (is_zero(g, de)) return by_r;
    expr_id positive = bin(g, EXPR_GT, r, zero);
    expr_id grow = mul(g, self, fn(g, EXPR_LOG, pick(g, positive, r, one)));
    if (n > 0) {
        expr_id least = bin(g, EXPR_MAX, r, number(g, 1e-12));
        expr_id lower = expr_build(g, EXPR_GPOW, r, e, zero);
        for (int k = 0; k < n; k++) lower = over(g, lower, least);
        grow = add(g, grow, mul(g, factor_slope(g, e, n), lower));
    }
    return add(g, by_r, mul(g, grow, de));
}

static expr_id clamp_slope(expr_graph *g, const expr_id *at, const expr_id *d) {
    expr_id inside = pick(g, bin(g, EXPR_LT, at[0], at[1]), d[1], d[0]);
    return pick(g, bin(g, EXPR_GT, at[0], at[2]), d[2], inside);
}

/* Functions of one argument: their slope at a. */
static expr_id function_slope(expr_graph *g, expr_op op, expr_id self, expr_id a) {
    expr_id one = number(g, 1.0);
    switch (op) {
    case EXPR_ABS:
        return fn(g, EXPR_SIGN, a);
    case EXPR_EXP:
        return self;
    case EXPR_EXPM1:
        return fn(g, EXPR_EXP, a);
    case EXPR_LOG:
        return over(g, one, a);
    case EXPR_LOG1P:
        return over(g, one, add(g, one, a));
    case EXPR_SQRT:
        return over(g, number(g, 0.5), bin(g, EXPR_MAX, self, least_like(g, self)));
    case EXPR_SIN:
        return fn(g, EXPR_COS, a);
    case EXPR_COS:
        return neg(g, fn(g, EXPR_SIN, a));
    case EXPR_TAN:
        return add(g, one, mul(g, self, self));
    case EXPR_ATAN:
        return over(g, one, add(g, one, mul(g, a, a)));
    case EXPR_TANH:
        return sub(g, one, mul(g, self, self));
    default: /* sign: a step, flat on both sides */
        return number(g, 0.0);
    }
}

/* d holds the derivatives of the children. */
static expr_id slope_of(expr_graph *g, expr_id self, const expr_id *d) {
    const expr_node n = g->nodes[self]; /* the array may move */
    const expr_id *at = n.at;
    switch (n.op) {
    case EXPR_NEG:
        return neg(g, d[0]);
    case EXPR_ADD:
        return add(g, d[0], d[1]);
    case EXPR_SUB:
        return sub(g, d[0], d[1]);
    case EXPR_MUL:
        return add(g, mul(g, d[0], at[1]), mul(g, at[0], d[1]));
    case EXPR_DIV: /* (a' - (a/b) b')/b; its slopes in all variables share 1/b */
        if (is_zero(g, d[1])) return over(g, d[0], at[1]);
        return mul(g, sub(g, d[0], mul(g, self, d[1])), over(g, number(g, 1.0), at[1]));
    case EXPR_POW:
        return power_slope(g, self, at[0], at[1], d[0], d[1]);
    case EXPR_GPOW:
        return guarded_slope(g, self, at, d[0], d[1]);
    case EXPR_MIN:
        return pick(g, bin(g, EXPR_LT, at[0], at[1]), d[0], d[1]);
    case EXPR_MAX:
        return pick(g, bin(g, EXPR_GT, at[0], at[1]), d[0], d[1]);
    case EXPR_CLAMP:
        return clamp_slope(g, at, d);
    case EXPR_IF:
        return pick(g, at[0], d[1], d[2]);
    default:
        return mul(g, function_slope(g, n.op, self, at[0]), d[0]);
    }
}

/* Derivatives d[0 ... end) of the nodes that are reached. */
static int derive_all(expr_graph *g, const unsigned char *reached, int end, int variable,
                      expr_id *d) {
    expr_id zero = NONE; /* made where it is first needed */
    for (int i = 0; i < end; i++) {
        expr_id below[3] = {NONE, NONE, NONE};
        int flat = 1;
        if (!reached[i]) continue;
        const expr_node *n = &g->nodes[i];
        for (int k = 0; k < expr_ops[n->op].arity; k++) {
            below[k] = d[n->at[k]];
            flat &= is_zero(g, below[k]);
        }
        if (n->op == EXPR_VAR && n->index == variable)
            d[i] = number(g, 1.0);
        else if (n->op == EXPR_VAR || flat || expr_gives_condition(n->op))
            d[i] = zero = zero >= 0 ? zero : number(g, 0.0);
        else
            d[i] = slope_of(g, i, below);
        if (d[i] < 0) return 0;
    }
    return 1;
}

int expr_derive(expr_graph *g, const expr_id *roots, int count, int variable, expr_id *out) {
    int end, good = 0;
    expr_id *simple = malloc(sizeof *simple * ((size_t)count + 1)), *d = NULL;
    unsigned char *reached = NULL;
    if (simple && expr_simplify(g, roots, count, simple))
        reached = graph_reached(g, simple, count, &end);
    if (reached) d = malloc(sizeof *d * ((size_t)end + 1));
    if (d) good = derive_all(g, reached, end, variable, d);
    for (int i = 0; i < count; i++) out[i] = good ? d[simple[i]] : NONE;
    if (!good) graph_fail(g, "not enough memory");
    free(simple);
    free(reached);
    free(d);
    return good;
}
