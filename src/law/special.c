/* special.c - the exponent of a law, |v|^p or |y|^i, is 1 more often than not; what is written for
 * that case needs no power. */
#include "law.h"

#include "expr/ops.h"

#include <stdlib.h>

/* Nonzero: the parameter is in the exponent of a power that the roots need. */
static int in_exponent(law *l, const expr_id *roots, int count, int variable) {
    int last = -1, found = 0;
    for (int i = 0; i < count; i++)
        if (roots[i] > last) last = roots[i];
    unsigned char *seen = calloc((size_t)last + 2, 1);
    if (!seen) {
        expr_lacks_memory(l->g);
        return 0;
    }
    for (int i = 0; i < count; i++) seen[roots[i]] = 1;
    for (int i = last; i >= 0 && !found; i--) {
        const expr_node n = *expr_at(l->g, i);
        for (int k = 0; seen[i] && k < expr_ops[n.op].arity; k++) seen[n.at[k]] = 1;
        if (seen[i] && n.op == EXPR_POW) found = expr_depends(l->g, n.at[1], variable);
    }
    free(seen);
    return found;
}

int law_power_parameter(law *l) {
    expr_id roots[1 + BRI_MAX_STATES];
    if (!law_values(l, roots)) return -1;
    for (int i = 0; i < l->n_params; i++)
        if (l->params[i].min <= 1.0 && l->params[i].max >= 1.0 && !l->params[i].whole &&
            in_exponent(l, roots, 1 + l->n_states, law_param_variable(l, i)))
            return i;
    return -1;
}

int law_with_one(law *l, int param, const expr_id *roots, int count, expr_id *out) {
    int variables = expr_variables(l->g), at = law_param_variable(l, param);
    expr_id *by = malloc(sizeof *by * ((size_t)variables + 1));
    if (!by) return 0;
    for (int i = 0; i < variables; i++) by[i] = EXPR_NONE;
    by[at] = expr_number(l->g, 1.0, expr_at(l->g, expr_variable_at(l->g, at))->dim);
    int good = expr_substitute(l->g, by, roots, count, out) && expr_simplify(l->g, out, count, out);
    free(by);
    return good;
}
