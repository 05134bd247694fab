/* units.c - units through the equations: what each operation asks of its operands, and gives. */
#include "graph.h"

#include <stdio.h>

static expr_dim dim_at(const expr_graph *g, expr_id id) { return g->nodes[id].dim; }

static const char *unit_of(expr_dim d, char *room) {
    expr_dim_text(d, room, EXPR_DIM_ROOM);
    return room[0] == '1' && !room[1] ? "a pure number" : room;
}

static expr_dim refuse(expr_graph *g, const char *what, expr_dim a, expr_dim b) {
    char first[EXPR_DIM_ROOM], second[EXPR_DIM_ROOM];
    snprintf(g->mismatch, sizeof g->mismatch, "%s: one is %s, the other %s", what,
             unit_of(a, first), unit_of(b, second));
    return dim_any;
}

static expr_dim refuse_plain(expr_graph *g, const char *what, expr_dim have) {
    char room[EXPR_DIM_ROOM];
    snprintf(g->mismatch, sizeof g->mismatch, "%s must be a pure number, and is %s", what,
             unit_of(have, room));
    return dim_any;
}

/* The unit that all of some children share. */
static expr_dim shared(expr_graph *g, expr_op op, const expr_id *at, int from, int to) {
    expr_dim dim = dim_any;
    for (int i = from; i < to; i++) {
        expr_dim next = dim_at(g, at[i]);
        if (!expr_dim_fits(dim, next)) {
            char what[60];
            const char *verb = op == EXPR_ADD   ? "units do not add up"
                               : op == EXPR_SUB ? "units do not allow a difference"
                                                : NULL;
            if (verb)
                snprintf(what, sizeof what, "%s", verb);
            else
                snprintf(what, sizeof what, "units of '%s' differ", expr_ops[op].name);
            return refuse(g, what, dim, next);
        }
        if (dim.any) dim = next;
    }
    return dim;
}

static void want_plain(expr_graph *g, expr_op op, const expr_id *at, int count) {
    for (int i = 0; i < count; i++)
        if (!dim_is_one(dim_at(g, at[i]))) {
            char what[60];
            snprintf(what, sizeof what, "what stands in %s()", expr_ops[op].name);
            refuse_plain(g, what, dim_at(g, at[i]));
        }
}

static expr_dim power_dimension(expr_graph *g, const expr_id *at, double exponent, int known) {
    expr_dim base = dim_at(g, at[0]), result;
    if (!dim_is_one(dim_at(g, at[1]))) return refuse_plain(g, "an exponent", dim_at(g, at[1]));
    if (expr_dim_equal(base, dim_one)) return dim_one;
    if (!known) return base.any ? dim_any : refuse_plain(g, "the base of a variable power", base);
    if (!dim_power(base, exponent, &result))
        return refuse_plain(g, "the base of such a power", base);
    return result;
}

expr_dim graph_dimension(expr_graph *g, expr_op op, const expr_id *at, double exponent,
                         int exponent_known) {
    const expr_op_row *row = &expr_ops[op];
    expr_dim result;
    g->mismatch[0] = '\0';
    switch ((expr_unit_rule)row->rule) {
    case UNIT_SAME:
        return shared(g, op, at, 0, row->arity);
    case UNIT_KEEP:
        return dim_at(g, at[0]);
    case UNIT_PLAIN:
        want_plain(g, op, at, row->arity);
        return dim_one;
    case UNIT_COMPARE:
        shared(g, op, at, 0, row->arity);
        return dim_one;
    case UNIT_IF:
        return shared(g, op, at, 1, 3);
    case UNIT_MUL:
        return dim_times(dim_at(g, at[0]), dim_at(g, at[1]));
    case UNIT_DIV:
        return expr_dim_over(dim_at(g, at[0]), dim_at(g, at[1]));
    case UNIT_POW:
        return power_dimension(g, at, exponent, exponent_known);
    case UNIT_SQRT:
        if (dim_power(dim_at(g, at[0]), 0.5, &result)) return result;
        return refuse_plain(g, "what stands in this sqrt()", dim_at(g, at[0]));
    case UNIT_STRIBECK:
        shared(g, op, at, 0, 2);
        if (!dim_is_one(dim_at(g, at[2])))
            refuse_plain(g, "the exponent of stribeck()", dim_at(g, at[2]));
        return dim_one;
    default: /* leaves, signs and conditions */
        return dim_one;
    }
}
