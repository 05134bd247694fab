/* slopes.c - what is derived from the equations of a law: the roots that machines and printers are
 * given. */
#include "law.h"

#include "expr/ops.h"

#include <stdlib.h>

int law_param_variable(const law *l, int i) { return LAW_STATES + l->n_states + i; }

int law_own_direction(const law *l) { return l->n_states == 0 && l->holds < 0; }

int law_values(law *l, expr_id *roots) {
    roots[0] = l->force;
    for (int i = 0; i < l->n_states; i++) roots[1 + i] = l->rates[i];
    return expr_simplify(l->g, roots, 1 + l->n_states, roots);
}

/* Derivatives in the variables first, first + 1, ...: the columns of a matrix of that width. */
static int columns(law *l, int first, int width, expr_id *roots) {
    expr_id values[1 + BRI_MAX_STATES], slopes[1 + BRI_MAX_STATES];
    int rows = 1 + l->n_states;
    if (!law_values(l, values)) return 0;
    for (int c = 0; c < width; c++) {
        if (!expr_derive(l->g, values, rows, first + c, slopes)) return 0;
        for (int i = 0; i < rows; i++) roots[i * width + c] = slopes[i];
    }
    return 1;
}

int law_jacobian(law *l, expr_id *roots) { return columns(l, LAW_X, 3 + l->n_states, roots); }

int law_is_affine(law *l) {
    expr_id corners[LAW_CORNERS], values[1 + BRI_MAX_STATES], slope;
    if (l->n_states > 0 || law_own_direction(l)) return 0;
    int n_corners = law_corners(l, corners);
    if (n_corners < 0 || !law_values(l, values) || !expr_derive(l->g, values, 1, LAW_V, &slope))
        return -1;
    return n_corners == 0 && !expr_depends(l->g, slope, LAW_V) &&
           !expr_depends(l->g, values[0], LAW_X);
}

int law_parameter_slopes(law *l, expr_id *roots) {
    if (!columns(l, law_param_variable(l, 0), l->n_params, roots)) return 0;
    for (int i = 0; i < (1 + l->n_states) * l->n_params; i++) /* a whole number has no slope */
        if (l->params[i % l->n_params].whole)
            roots[i] = expr_number(l->g, 0.0, expr_at(l->g, roots[i])->dim);
    return !expr_failure(l->g);
}

/* ---- how the states go on ------------------------------------------------------------------ */

/* 1: the value needs the variable; -1: there is no memory. Conditions are not looked into if they
 * are trusted to stay as they are. jumps: it needs it in a way that its slope does not show. */
static int needs(const law *l, expr_id root, int variable, int trusted, int *jumps) {
    unsigned char *seen = calloc((size_t)root + 1, 1);
    int found = 0;
    *jumps = 0;
    if (!seen) return -1;
    seen[root] = 1;
    for (int i = root; i >= 0; i--) {
        const expr_node *n = expr_at(l->g, i);
        if (!seen[i]) continue;
        found |= n->op == EXPR_VAR && n->index == variable;
        if (n->op == EXPR_SIGN || expr_gives_condition(n->op))
            *jumps |= expr_depends(l->g, i, variable);
        for (int k = 0; k < expr_ops[n->op].arity; k++)
            if (!(trusted && k == 0 && n->op == EXPR_IF)) seen[n->at[k]] = 1;
    }
    free(seen);
    return found;
}

law_motion law_affine(law *l, expr_id *roots) {
    int k = l->n_states, cascade = 0, jumps;
    if (k == 0) return LAW_GENERAL;
    if (!expr_simplify(l->g, l->rates, k, roots)) return LAW_FAILED;
    for (int i = 0; i < k; i++) {
        if (!expr_derive(l->g, &roots[i], 1, LAW_STATES + i, &roots[k + i])) return LAW_FAILED;
        int bent = needs(l, roots[k + i], LAW_STATES + i, l->step_exact, &jumps);
        if (bent) return bent > 0 ? LAW_GENERAL : LAW_FAILED;
        if (needs(l, roots[i], LAW_STATES + i, l->step_exact, &jumps) < 0) return LAW_FAILED;
        if (jumps && !l->step_exact) return LAW_GENERAL;
        for (int j = 0; j < k; j++) {
            int other = j == i ? 0 : needs(l, roots[i], LAW_STATES + j, 0, &jumps);
            if (other < 0) return LAW_FAILED;
            if (other && j > i) return LAW_GENERAL;
            cascade |= other;
        }
    }
    return expr_failure(l->g) ? LAW_FAILED : cascade ? LAW_CASCADE : LAW_AFFINE;
}
