/* target.c - where a state goes while v and N are held: with dz/dt = r and the slope b of r in z it
 * comes to z - r/b, which is the rate at z = 0 over -b. Bristles have |v| in b and v in the rate:
 * what both have is taken away, so that nothing is divided by a velocity. They decay with the path
 * |v| h, others with the time h. */
#include "law.h"

#include "expr/ops.h"

#include <stdlib.h>

enum { MOST_FACTORS = 24 };

/* A product of nodes over another one. */
typedef struct fraction {
    expr_id over[MOST_FACTORS], under[MOST_FACTORS];
    int n_over, n_under, minus, full;
} fraction;

static void add_factor(fraction *f, expr_id id, int inverse) {
    int *n = inverse ? &f->n_under : &f->n_over;
    if (*n == MOST_FACTORS)
        f->full = 1;
    else
        (inverse ? f->under : f->over)[(*n)++] = id;
}

/* Take a product apart; a divisor that is a product stays whole. */
static void take_apart(const law *l, expr_id id, int inverse, fraction *f) {
    const expr_node *n = expr_at(l->g, id);
    if (f->full || (n->constant && n->value == 1.0)) return;
    if (n->op == EXPR_NEG) {
        f->minus = !f->minus;
        take_apart(l, n->at[0], inverse, f);
    } else if (n->op == EXPR_DIV || (n->op == EXPR_MUL && !inverse)) {
        take_apart(l, n->at[0], inverse, f);
        take_apart(l, n->at[1], n->op == EXPR_DIV ? !inverse : inverse, f);
    } else {
        add_factor(f, id, inverse);
    }
}

/* Take one factor away. 0: it is not there. */
static int drop(expr_id *list, int *n, expr_id id) {
    for (int i = 0; i < *n; i++)
        if (list[i] == id) {
            list[i] = list[--*n];
            return 1;
        }
    return 0;
}

/* x/x is 1; v/|v| and |v|/v are sign(v), and so is 1/sign(v). Where v = 0 the state stays. */
static void cancel(law *l, fraction *f) {
    expr_id v = expr_variable_at(l->g, LAW_V);
    expr_id speed = expr_build(l->g, EXPR_ABS, v, EXPR_NONE, EXPR_NONE);
    expr_id direction = expr_build(l->g, EXPR_SIGN, v, EXPR_NONE, EXPR_NONE);
    for (int i = f->n_over - 1; i >= 0; i--) {
        expr_id id = f->over[i], other = id == v ? speed : id == speed ? v : EXPR_NONE;
        int same = drop(f->under, &f->n_under, id);
        if (!same && (other < 0 || !drop(f->under, &f->n_under, other))) continue;
        drop(f->over, &f->n_over, id);
        if (!same) add_factor(f, direction, 0);
    }
    while (drop(f->under, &f->n_under, direction)) add_factor(f, direction, 0);
}

/* Nonzero: the node is a parameter that is never zero. */
static int is_positive(const law *l, expr_id id) {
    const expr_node *n = expr_at(l->g, id);
    int param = n->index - law_param_variable(l, 0);
    return n->op == EXPR_VAR && param >= 0 && param < l->n_params && l->params[param].min > 0.0;
}

static expr_id multiply(law *l, const expr_id *list, int n) {
    expr_id product = expr_number(l->g, 1.0, (expr_dim){.any = 1});
    for (int i = 0; i < n; i++) product = expr_build(l->g, EXPR_MUL, product, list[i], EXPR_NONE);
    return product;
}

/* The direction comes last, which changes no digit: what is left may be the same for all contacts.
 */
static expr_id quotient(law *l, const fraction *f) {
    expr_id v = expr_variable_at(l->g, LAW_V);
    expr_id direction = expr_build(l->g, EXPR_SIGN, v, EXPR_NONE, EXPR_NONE);
    fraction rest = *f;
    int directed = drop(rest.over, &rest.n_over, direction);
    expr_id all = multiply(l, rest.over, rest.n_over);
    if (f->n_under > 0)
        all = expr_build(l->g, EXPR_DIV, all, multiply(l, f->under, f->n_under), EXPR_NONE);
    return directed ? expr_build(l->g, EXPR_MUL, direction, all, EXPR_NONE) : all;
}

/* Take |v|, or v sign(v), out of a product. */
static int drop_speed(law *l, fraction *f) {
    expr_id v = expr_variable_at(l->g, LAW_V);
    expr_id direction = expr_build(l->g, EXPR_SIGN, v, EXPR_NONE, EXPR_NONE);
    if (drop(f->over, &f->n_over, expr_build(l->g, EXPR_ABS, v, EXPR_NONE, EXPR_NONE))) return 1;
    return drop(f->over, &f->n_over, v) && drop(f->over, &f->n_over, direction);
}

law_aim law_target(law *l, int state, expr_id rate, expr_id slope, expr_id *target,
                   expr_id *decay) {
    int variables = expr_variables(l->g);
    expr_id start = rate, *by = malloc(sizeof *by * ((size_t)variables + 1));
    fraction f = {0}, b = {.minus = 1};
    if (!by) {
        expr_lacks_memory(l->g);
        return LAW_NO_AIM;
    }
    for (int i = 0; i < variables; i++) by[i] = EXPR_NONE;
    by[LAW_STATES + state] = expr_number(l->g, 0.0, (expr_dim){.any = 1});
    int good =
        expr_substitute(l->g, by, &start, 1, &start) && expr_simplify(l->g, &start, 1, &start);
    free(by);
    if (!good) return LAW_NO_AIM;
    take_apart(l, start, 0, &f);
    take_apart(l, slope, 0, &b);
    for (int i = 0; i < b.n_under; i++) add_factor(&f, b.under[i], 0);
    for (int i = 0; i < b.n_over; i++) add_factor(&f, b.over[i], 1);
    cancel(l, &f);
    if (f.full || b.full || f.minus || b.minus) return LAW_NO_AIM;
    for (int i = 0; i < f.n_under; i++)
        if (!is_positive(l, f.under[i])) return LAW_NO_AIM;
    fraction per_path = b;
    int by_path = drop_speed(l, &per_path);
    *decay = quotient(l, by_path ? &per_path : &b);
    *target = quotient(l, &f);
    return *decay < 0 || *target < 0 ? LAW_NO_AIM : by_path ? LAW_BY_PATH : LAW_BY_TIME;
}
