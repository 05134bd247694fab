/* expression.c - an expression as a function of the motion: value, derivatives, switches.
 *
 * Corners and jumps are taken out of the graph. Every abs, sign, min, max, clamp and comparison has
 * a switch g, whose sign chooses a side; in the graph that is evaluated the choice is an input s:
 *     abs(u)    = s u             g = u          if s != 0, else abs(u)
 *     min(a, b) = a if s < 0      g = a - b      if s != 0, else min(a, b)
 * so that the function is smooth for given sides, also past the place where one changes. tanh and
 * atan have a switch that chooses nothing: a step ends where they are steep. */
#include "expression.h"

#include "expr/ops.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- switches out of the graph ------------------------------------------------------------- */

typedef struct build {
    expr_graph *g;
    expression *e;
    expr_id at[BRI_FUNCTION_SWITCHES]; /* the switches */
    expr_id inside[EXPRESSION_PACES];  /* arguments of sine, cosine and tangent */
    int n_inside;
} build;

static expr_id number(build *b, double x) { return expr_number(b->g, x, (expr_dim){0}); }

static expr_id two(build *b, expr_op op, expr_id x, expr_id y) {
    return expr_build(b->g, op, x, y, EXPR_NONE);
}

/* A new variable; EXPR_NONE if there is no room. */
static expr_id variable(build *b, const char *what, int i, int *index) {
    char name[40];
    snprintf(name, sizeof name, "_%s%d", what, i);
    expr_id id = expr_variable(b->g, name, (expr_dim){0});
    if (id >= 0) *index = expr_at(b->g, id)->index;
    return id;
}

/* The side of a new switch g; EXPR_NONE if g is constant, or there are too many. */
static expr_id side_of(build *b, expr_id g) {
    expression *e = b->e;
    if (g < 0 || expr_at(b->g, g)->constant || e->n_switches == BRI_FUNCTION_SWITCHES)
        return EXPR_NONE;
    for (int i = 0; i < e->n_switches; i++)
        if (b->at[i] == g) return expr_variable_at(b->g, e->side[i]);
    expr_id id = variable(b, "side", e->n_switches, &e->side[e->n_switches]);
    if (id >= 0) b->at[e->n_switches++] = g;
    return id;
}

/* x < y by the side of x - y; for > the other way round. */
static expr_id compare(build *b, expr_op op, expr_id x, expr_id y) {
    expr_id as_is = two(b, op, x, y), side = side_of(b, two(b, EXPR_SUB, x, y)),
            zero = number(b, 0);
    expr_op strict = op == EXPR_LT || op == EXPR_LE ? EXPR_LT : EXPR_GT;
    if (side < 0) return as_is;
    return two(b, EXPR_OR, two(b, strict, side, zero),
               two(b, EXPR_AND, two(b, EXPR_EQ, side, zero), as_is));
}

static expr_id choose(build *b, expr_op op, expr_id x, expr_id y) {
    return expr_build(b->g, EXPR_IF, compare(b, op == EXPR_MIN ? EXPR_LT : EXPR_GT, x, y), x, y);
}

/* A node whose children are free of corners. */
static expr_id without_corner(build *b, expr_op op, const expr_id *c) {
    expr_id side, zero = number(b, 0);
    switch (op) {
    case EXPR_ABS:
        if ((side = side_of(b, c[0])) < 0) break;
        return expr_build(b->g, EXPR_IF, two(b, EXPR_NE, side, zero), two(b, EXPR_MUL, side, c[0]),
                          expr_build(b->g, op, c[0], EXPR_NONE, EXPR_NONE));
    case EXPR_SIGN:
        if ((side = side_of(b, c[0])) < 0) break;
        return expr_build(b->g, EXPR_IF, two(b, EXPR_NE, side, zero), side,
                          expr_build(b->g, op, c[0], EXPR_NONE, EXPR_NONE));
    case EXPR_MIN:
    case EXPR_MAX:
        return choose(b, op, c[0], c[1]);
    case EXPR_CLAMP:
        return choose(b, EXPR_MAX, choose(b, EXPR_MIN, c[0], c[2]), c[1]);
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
        return compare(b, op, c[0], c[1]);
    case EXPR_TANH:
    case EXPR_ATAN:
        side_of(b, c[0]);
        break;
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN:
        if (b->n_inside < EXPRESSION_PACES && !expr_at(b->g, c[0])->constant)
            b->inside[b->n_inside++] = c[0];
        break;
    default:
        break;
    }
    return expr_build(b->g, op, c[0], c[1], c[2]);
}

/* The root without corners; EXPR_NONE after a failure. */
static expr_id smooth(build *b, expr_id root) {
    expr_id *to = calloc((size_t)root + 1, sizeof *to);
    unsigned char *seen = calloc((size_t)root + 1, 1);
    expr_id result = EXPR_NONE;
    if (to && seen) {
        seen[root] = 1;
        for (int i = root; i >= 0; i--) /* children come before their parents */
            for (int k = 0; seen[i] && k < expr_ops[expr_at(b->g, i)->op].arity; k++)
                seen[expr_at(b->g, i)->at[k]] = 1;
        for (int i = 0; i <= root; i++) {
            expr_node n = *expr_at(b->g, i);
            expr_id c[3] = {EXPR_NONE, EXPR_NONE, EXPR_NONE};
            int failed = 0;
            to[i] = i;
            if (!seen[i] || n.constant || expr_ops[n.op].arity == 0) continue;
            for (int k = 0; k < expr_ops[n.op].arity; k++) failed |= (c[k] = to[n.at[k]]) < 0;
            to[i] = failed ? EXPR_NONE : without_corner(b, n.op, c);
        }
        result = to[root];
    }
    free(to);
    free(seen);
    return result;
}

/* ---- programs ------------------------------------------------------------------------------ */

/* Rates of what is inside of sine and so on: the sum of slopes times rates of the arguments. 0
 * after a failure. */
static int make_pace(build *b) {
    expression *e = b->e;
    expr_id sum[EXPRESSION_PACES], slope[EXPRESSION_PACES];
    if (b->n_inside == 0) return 1;
    for (int k = 0; k < b->n_inside; k++) sum[k] = number(b, 0.0);
    for (int i = 0; i < e->n_args; i++) {
        expr_id rate = variable(b, "rate", i, &e->rate[i]);
        if (rate >= 0 && e->args[i].kind == BRI_ARG_PARAMETER) continue;
        if (rate < 0 || !expr_derive(b->g, b->inside, b->n_inside, e->arg[i], slope)) return 0;
        for (int k = 0; k < b->n_inside; k++) /* units play no part here */
            sum[k] = expr_make(b->g, EXPR_ADD, expr_make(b->g, EXPR_MUL, slope[k], rate, EXPR_NONE),
                               sum[k], EXPR_NONE);
    }
    e->n_paces = b->n_inside;
    e->pace = expr_program_new(b->g, sum, e->n_paces, &(expr_compile){0});
    return e->pace != NULL;
}

/* Nonzero if no slope depends on an argument other than parameters. */
static int is_affine(const build *b, const expr_id *slope) {
    const expression *e = b->e;
    for (int i = 0; i < e->n_args; i++)
        for (int k = 0; k < e->n_args; k++)
            if (e->args[k].kind != BRI_ARG_PARAMETER && expr_depends(b->g, slope[i], e->arg[k]))
                return 0;
    return e->n_switches == 0;
}

static int fits(const expr_program *p) { return !p || expr_program_room(p) <= EXPRESSION_ROOM; }

/* What is wrong; NULL: nothing is. */
static const char *make_programs(build *b, expr_id root) {
    expression *e = b->e;
    expr_id roots[1 + BRI_FUNCTION_ARGS];
    const expr_compile how = {0};
    roots[0] = smooth(b, root);
    if (roots[0] < 0) return "";
    for (int i = 0; i < e->n_args; i++)
        if (e->args[i].kind == BRI_ARG_PARAMETER)
            roots[1 + i] = number(b, 0.0);
        else if (!expr_derive(b->g, roots, 1, e->arg[i], &roots[1 + i]))
            return "";
    e->affine = is_affine(b, roots + 1);
    e->value = expr_program_new(b->g, roots, 1, &how);
    e->slopes = expr_program_new(b->g, roots, 1 + e->n_args, &how);
    if (e->n_switches > 0) e->switches = expr_program_new(b->g, b->at, e->n_switches, &how);
    if (!e->value || !e->slopes || (e->n_switches > 0 && !e->switches) || !make_pace(b)) return "";
    /* variables that came with the pace are inputs of all: their number is that of the last */
    if (!fits(e->value) || !fits(e->slopes) || !fits(e->switches) || !fits(e->pace))
        return "the expression is too long: its derivatives need too many numbers at once";
    return NULL;
}

expression *expression_compile(reader *r, const node *n, expr_graph *g, expr_id root,
                               const bri_arg *as) {
    expression *e = calloc(1, sizeof *e);
    int variables = expr_variables(g);
    const char *wrong = NULL;
    if (!e) {
        report_memory(r);
        return NULL;
    }
    e->next = r->s->expressions;
    r->s->expressions = e;
    e->text = n->text;
    for (int i = 0; i < variables && !wrong; i++) {
        if (!expr_depends(g, root, i)) continue;
        if (e->n_args == BRI_FUNCTION_ARGS) {
            wrong = "the expression depends on too much: at most 64 names";
            break;
        }
        e->args[e->n_args] = as[i];
        e->arg[e->n_args++] = i;
    }
    build b = {.g = g, .e = e};
    if (!wrong) wrong = make_programs(&b, root);
    if (!wrong) return e;
    if (!wrong[0]) wrong = expr_failure(g);
    if (wrong)
        report(r, n, BRI_BAD_VALUE, "%s", wrong);
    else
        report_memory(r);
    return NULL;
}

void expressions_free(expression *list) {
    for (expression *e = list, *next; e; e = next) {
        next = e->next;
        expr_program_free(e->value);
        expr_program_free(e->slopes);
        expr_program_free(e->switches);
        expr_program_free(e->pace);
        expr_program_free(e->rates);
        expr_program_free(e->bends);
        free(e);
    }
}

const bri_function *expression_function(reader *r, const expression *e, int own) {
    bri_function *f = ARENA_NEW(r->memory, bri_function, 1);
    bri_arg *args = ARENA_NEW(r->memory, bri_arg, e->n_args + 1);
    if (!f || !args) {
        report_memory(r);
        return NULL;
    }
    memcpy(args, e->args, sizeof *args * (size_t)e->n_args);
    for (int i = 0; i < e->n_args; i++)
        if (args[i].index == OWN) args[i].index = own;
    *f = expression_with(e, args);
    return f;
}
