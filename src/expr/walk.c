/* walk.c - passes over a graph. Children stand before their parents, so that one loop in the order
 * of the numbers is enough, however deep the expressions are. */
#include "graph.h"

#include <string.h>

unsigned char *graph_reached(expr_graph *g, const expr_id *roots, int count, int *end) {
    int last = -1;
    for (int i = 0; i < count; i++) {
        if (roots[i] < 0 || roots[i] >= g->count) return NULL;
        if (roots[i] > last) last = roots[i];
    }
    *end = last + 1;
    if (!graph_work(g, *end)) return NULL;
    unsigned char *reached = calloc((size_t)*end + 1, 1);
    if (!reached) {
        graph_fail(g, "not enough memory");
        return NULL;
    }
    for (int i = 0; i < count; i++) reached[roots[i]] = 1;
    for (int i = last; i >= 0; i--)
        for (int k = 0; reached[i] && k < 3; k++)
            if (g->nodes[i].at[k] >= 0) reached[g->nodes[i].at[k]] = 1;
    return reached;
}

int graph_map(expr_graph *g, graph_maker *make, const expr_id *by, const expr_id *roots, int count,
              expr_id *out) {
    int end, good = 1;
    unsigned char *reached = graph_reached(g, roots, count, &end);
    expr_id *to = reached ? malloc(sizeof *to * ((size_t)end + 1)) : NULL;
    if (reached && !to) graph_fail(g, "not enough memory");
    for (int i = 0; to && good && i < end; i++) {
        const expr_node n = g->nodes[i]; /* the array may move */
        expr_id at[3];
        if (!reached[i]) continue;
        if (make == expr_build && n.plain >= 0) { /* found before */
            to[i] = n.plain;
            continue;
        }
        for (int k = 0; k < 3; k++) at[k] = n.at[k] >= 0 ? to[n.at[k]] : EXPR_NONE;
        if (expr_ops[n.op].arity > 0)
            to[i] = make(g, n.op, at[0], at[1], at[2]);
        else if (n.op == EXPR_VAR && by && by[n.index] >= 0)
            to[i] = by[n.index];
        else
            to[i] = i;
        good = to[i] >= 0;
        if (make == expr_build) g->nodes[i].plain = to[i];
    }
    for (int i = 0; i < count; i++) out[i] = to && good ? to[roots[i]] : EXPR_NONE;
    free(reached);
    free(to);
    return to && good;
}

int expr_simplify(expr_graph *g, const expr_id *roots, int count, expr_id *out) {
    int known = 0;
    while (known < count && roots[known] >= 0 && roots[known] < g->count &&
           g->nodes[roots[known]].plain >= 0)
        known++;
    if (known < count) return graph_map(g, expr_build, NULL, roots, count, out);
    for (int i = 0; i < count; i++) out[i] = g->nodes[roots[i]].plain;
    return 1;
}

int expr_substitute(expr_graph *g, const expr_id *by, const expr_id *roots, int count,
                    expr_id *out) {
    return graph_map(g, expr_make, by, roots, count, out);
}

int expr_depends(expr_graph *g, expr_id root, int variable) {
    int end, found = 0;
    unsigned char *reached = graph_reached(g, &root, 1, &end);
    for (int i = 0; reached && i < end; i++)
        found |= reached[i] && g->nodes[i].op == EXPR_VAR && g->nodes[i].index == variable;
    free(reached);
    return found;
}
