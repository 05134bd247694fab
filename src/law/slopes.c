/* slopes.c - what is derived from the equations of a law: the roots that machines and printers are
 * given. */
#include "law.h"

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

int law_parameter_slopes(law *l, expr_id *roots) {
    return columns(l, law_param_variable(l, 0), l->n_params, roots);
}
