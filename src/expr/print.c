/* print.c - expressions as text, in the language itself and in code. */
#include "print.h"
#include "../output/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void print_text(printer *p, const char *words) {
    if (!words) { /* a style that has no word for the operation */
        p->full = 1;
        return;
    }
    size_t n = strlen(words);
    if (p->full || p->used + n >= p->size) {
        p->full = 1;
        return;
    }
    memcpy(p->text + p->used, words, n + 1);
    p->used += n;
    p->after_unit = 0;
}

/* Compilers of structured text take numbers as large as a REAL has them: 1e100 as a product, 1e-100
 * as a quotient. 0: it is none of these. */
static int print_far(printer *p, double value) {
    int times = 0;
    double size = fabs(value);
    if (!(size > 1e37 || (size < 1e-37 && size > 0.0)) || !isfinite(value)) return 0;
    for (; fabs(value) > 1e37; times++) value /= 1e30;
    for (; fabs(value) < 1e-37; times--) value *= 1e30;
    print_text(p, "(");
    print_value(p, value);
    for (int i = 0; i < abs(times); i++) print_text(p, times > 0 ? "*1.0e+30" : "/1.0e+30");
    print_text(p, ")");
    return 1;
}

void print_value(printer *p, double value) {
    if (p->style == EXPR_ST && print_far(p, value)) return;
    char text[NUMBER_ROOM + 3], *end = number_put(text, value);
    *end = '\0';
    /* a number of C without point is an integer */
    if ((p->style == EXPR_C || p->style == EXPR_VECTOR) && !strpbrk(text, ".e"))
        memcpy(end, ".0", 3);
    if (p->style == EXPR_ST && !strchr(text, '.')) { /* a point is asked for: 1.0e-3 */
        size_t digits = strcspn(text, "e");
        memmove(text + digits + 2, text + digits, strlen(text) - digits + 1);
        memcpy(text + digits, ".0", 2);
    }
    print_text(p, text);
}

const char *print_name_of(const printer *p, expr_id id) {
    if (!p->names || id == p->root || expr_ops[p->g->nodes[id].op].arity == 0) return NULL;
    for (int i = 0; i < p->names->count; i++)
        if (p->names->at[i].id == id) return p->names->at[i].name;
    return NULL;
}

/* ---- the language and code --------------------------------------------------------------------
 */

/* A constant has its unit with it; 0 needs none. */
static int has_unit(const printer *p, const expr_node *n) {
    return p->style == EXPR_ASCII && !n->dim.any && !expr_dim_equal(n->dim, dim_one);
}

static void print_number(printer *p, const expr_node *n) {
    char unit[EXPR_DIM_ROOM];
    print_value(p, n->value);
    if (!has_unit(p, n)) return;
    expr_dim_text(n->dim, unit, sizeof unit);
    print_text(p, " ");
    print_text(p, unit);
    p->after_unit = 1;
}

static void print_call(printer *p, const expr_node *n, const char *name, int arity) {
    print_text(p, name);
    print_text(p, "(");
    for (int i = 0; i < arity && !p->full; i++) {
        if (i > 0) print_text(p, ", ");
        print_infix(p, n->at[i], 0);
    }
    print_text(p, ")");
}

/* Operands of the same strength stand in brackets on the right, since rows are read from the left;
 * operands of a comparison always, and powers are read from the right. */
static void print_row(printer *p, const expr_node *n, const char *sign) {
    int bind = expr_ops[n->op].bind, loose = bind != BIND_MUL && bind != BIND_POW;
    int left = bind == BIND_COMPARE || bind == BIND_POW ? bind + 1 : bind;
    int right = bind == BIND_POW ? BIND_NEG : bind + 1;
    if (p->style == EXPR_C && bind == BIND_OR) left = right = BIND_NOT; /* compilers warn */
    print_infix(p, n->at[0], left);
    loose |= p->after_unit && n->op == EXPR_DIV;
    if (loose) print_text(p, " ");
    print_text(p, sign);
    if (loose) print_text(p, " ");
    print_infix(p, n->at[1], right);
}

static void print_choice(printer *p, const expr_node *n) {
    int python = p->style == EXPR_PYTHON; /* a if c else b */
    print_infix(p, n->at[python ? 1 : 0], python ? 1 : BIND_OR);
    print_text(p, python ? " if " : " ? ");
    print_infix(p, n->at[python ? 0 : 1], 1);
    print_text(p, python ? " else " : " : ");
    print_infix(p, n->at[2], 1);
}

static int is_code(const printer *p) {
    return p->style == EXPR_C || p->style == EXPR_VECTOR || p->style == EXPR_PYTHON ||
           p->style == EXPR_MATLAB || p->style == EXPR_ST;
}

/* The abs or sign of a velocity that a solver freezes, by its name. */
static const char *frozen_name(const printer *p, const expr_node *n) {
    if (!p->names || p->names->frozen == 0 || (n->op != EXPR_ABS && n->op != EXPR_SIGN))
        return NULL;
    const expr_node *of = &p->g->nodes[n->at[0]];
    if (of->op != EXPR_VAR || of->index != p->names->frozen - 1) return NULL;
    return n->op == EXPR_ABS ? p->names->abs_name : p->names->sign_name;
}

/* A quotient whose divisor may be the same for all elements. */
static int is_quotient(const printer *p, const expr_node *n) {
    int half;
    if (p->style != EXPR_VECTOR || n->op != EXPR_DIV || !p->names || !p->names->single) return 0;
    const expr_node *by = &p->g->nodes[n->at[1]];
    if (by->constant && fabs(frexp(by->value, &half)) == 0.5) return 0; /* exact as a product */
    return p->names->single[n->at[1]];
}

static int is_power(const printer *p, expr_id id, double exponent) {
    const expr_node *n = &p->g->nodes[id];
    return n->op == EXPR_GPOW && p->g->nodes[n->at[2]].value == 0.0 &&
           p->g->nodes[n->at[1]].constant && p->g->nodes[n->at[1]].value == exponent;
}

/* How strongly a node binds as it is written in this style. */
static int binding(const printer *p, const expr_node *n) {
    if (!is_code(p)) return expr_ops[n->op].bind;
    if (p->style == EXPR_VECTOR)
        return n->op == EXPR_NEG ||
                       (expr_ops[n->op].bind >= BIND_ADD && n->op != EXPR_POW && !is_quotient(p, n))
                   ? expr_ops[n->op].bind
                   : BIND_CALL;
    if (n->op == EXPR_IF) return p->style == EXPR_MATLAB || p->style == EXPR_ST ? BIND_CALL : 0;
    if (n->op == EXPR_NOT) return BIND_NEG;
    return n->op == EXPR_POW ? BIND_CALL : expr_ops[n->op].bind;
}

static void print_arguments(printer *p, const expr_id *at, int count, const char *last) {
    for (int i = 0; i < count; i++) {
        print_infix(p, at[i], 0);
        if (i + 1 < count) print_text(p, ", ");
    }
    print_text(p, last);
}

/* The slope of a guarded power is made of the power. */
static int print_slope_of_power(printer *p, const expr_node *n) {
    char order[40];
    const expr_id *lower = p->names ? p->names->lower : NULL;
    expr_id self = (expr_id)(n - p->g->nodes);
    if (!lower || n->op != EXPR_GPOW || lower[self] < 0) return 0;
    const expr_id at[] = {lower[self], n->at[0], n->at[1]};
    int vector = p->style == EXPR_VECTOR;
    const expr_node *g = &p->g->nodes[n->at[1]];
    const char *kind = g->constant && g->value == 1.0   ? ", law_exponent_1"
                       : g->constant && g->value == 2.0 ? ", law_exponent_2"
                                                        : ", law_k";
    snprintf(order, sizeof order, ", %d%s)", (int)p->g->nodes[n->at[2]].value, vector ? kind : "");
    print_text(p, vector ? "law_gpow_slope(" : "expr_gpow_slope(");
    print_arguments(p, at, 3, order);
    return 1;
}

/* Sines of angles that are known to be small. */
static int print_small_angle(printer *p, const expr_node *n) {
    int turns = p->names && p->names->turns && n->at[0] >= 0 ? p->names->turns[n->at[0]] : 0;
    if (n->op == EXPR_SIN && turns > 0)
        print_text(p, turns == 1 ? "law_sin_quarter(" : "law_sin_turns(");
    else if (n->op == EXPR_COS && turns > 0)
        print_text(p, "law_cos_turns(");
    else
        return 0;
    print_arguments(p, n->at, 1, ")");
    return 1;
}

/* What is written otherwise on vectors: exp(-x) of what is not negative, the whole Stribeck curve
 * at once, powers with an exponent that is known, divisors that may be shared. */
static int print_vector(printer *p, const expr_node *n) {
    const expr_node *nodes = p->g->nodes;
    if (print_small_angle(p, n)) return 1;
    if (is_quotient(p, n)) {
        print_text(p, p->names->single[n->at[1]] > 1 ? "law_over_load(" : "law_over(");
        print_arguments(p, n->at, 2, nodes[n->at[1]].constant ? ", law_constant)" : ", law_k)");
        return 1;
    }
    if (n->op == EXPR_GPOW) {
        print_text(p, "law_gpow(");
        print_arguments(p, n->at, 2, ", law_k)");
        return 1;
    }
    if (n->op != EXPR_EXP || nodes[n->at[0]].op != EXPR_NEG || print_name_of(p, n->at[0])) return 0;
    expr_id of = nodes[n->at[0]].at[0];
    const expr_node *m = &nodes[of];
    int named = print_name_of(p, of) != NULL, power = m->op == EXPR_GPOW;
    if (power && !named && !is_power(p, of, 1.0) && !is_power(p, of, 2.0)) {
        print_text(p, "law_stribeck(");
        print_arguments(p, m->at, 2, ", law_k)");
    } else if (power || m->op == EXPR_ABS || (m->op == EXPR_MUL && m->at[0] == m->at[1])) {
        print_text(p, "law_exp_minus(");
        print_arguments(p, &of, 1, ")");
    } else {
        return 0;
    }
    return 1;
}

static void print_operation(printer *p, const expr_node *n) {
    const expr_op_row *row = &expr_ops[n->op];
    int code = is_code(p);
    const char *word = print_word(p->style, n->op);
    if (print_slope_of_power(p, n) || (p->style == EXPR_VECTOR && print_vector(p, n))) return;
    if (n->op == EXPR_IF && (p->style == EXPR_C || p->style == EXPR_PYTHON)) {
        print_choice(p, n);
    } else if (n->op == EXPR_IF && p->style == EXPR_ST) { /* the value of no comes first */
        const expr_id at[] = {n->at[0], n->at[2], n->at[1]};
        print_text(p, word);
        print_text(p, "(");
        print_arguments(p, at, 3, ")");
    } else if (n->op == EXPR_GPOW) {
        char order[8];
        print_text(p, word);
        print_text(p, "(");
        print_infix(p, n->at[0], 0);
        print_text(p, ", ");
        print_infix(p, n->at[1], 0);
        snprintf(order, sizeof order, ", %d)", (int)p->g->nodes[n->at[2]].value);
        print_text(p, order);
    } else if (row->bind == BIND_CALL || (code && n->op == EXPR_POW) ||
               (p->style == EXPR_VECTOR && row->bind < BIND_ADD)) {
        print_call(p, n, word, row->arity);
    } else if (row->arity == 1) {
        print_text(p, word);
        if (n->op == EXPR_NOT && (!code || p->style == EXPR_PYTHON)) print_text(p, " ");
        print_infix(p, n->at[0], code && n->op == EXPR_NEG ? BIND_POW : binding(p, n));
    } else {
        print_row(p, n, word);
    }
}

/* Words of the target get a _ behind them. */
static void print_plain_name(printer *p, const char *name) {
    print_text(p, name);
    if (print_reserved(p->style, name)) print_text(p, p->style == EXPR_ST ? "_1" : "_");
}

void print_infix(printer *p, expr_id id, int bind) {
    const expr_node *n = &p->g->nodes[id];
    const char *name = print_name_of(p, id);
    if (p->full) return;
    if (!name) name = frozen_name(p, n);
    if (!name && n->op == EXPR_VAR) {
        print_plain_name(p, p->g->names[n->index] ? p->g->names[n->index] : "?");
        return;
    }
    if (!name && n->op == EXPR_PI) name = print_word(p->style, EXPR_PI);
    if (name) {
        print_text(p, name);
        return;
    }
    if (p->style == EXPR_VECTOR && n->constant && bind == 0) {
        print_text(p, "law_number(");
        print_value(p, n->value);
        print_text(p, ")");
        return;
    }
    if (p->style == EXPR_VECTOR && (is_power(p, id, 1.0) || is_power(p, id, 2.0))) {
        int square = is_power(p, id, 2.0);
        if (square) print_text(p, "law_square(");
        print_infix(p, n->at[0], square ? 0 : bind);
        if (square) print_text(p, ")");
        return;
    }
    /* 3 m^2 would be an area */
    int brackets = n->op == EXPR_CONST ? bind > BIND_POW && has_unit(p, n) : binding(p, n) < bind;
    if (brackets) print_text(p, "(");
    if (n->op == EXPR_CONST)
        print_number(p, n);
    else
        print_operation(p, n);
    if (brackets) print_text(p, ")");
}

/* ---- all styles ---------------------------------------------------------------------------- */

static int finish(const printer *p) { return p->full ? -1 : (int)p->used; }

int expr_print(const expr_graph *g, expr_id root, expr_style style, const expr_names *names,
               char *text, size_t size) {
    printer p = {.g = g, .names = names, .style = style, .root = root, .text = text, .size = size};
    if (size == 0) return -1;
    text[0] = '\0';
    if (root < 0 || root >= g->count) return -1;
    if (style == EXPR_LATEX || style == EXPR_MATHML)
        print_typeset(&p, root, 0);
    else
        print_infix(&p, root, 0);
    return finish(&p);
}

int expr_print_name(const char *name, expr_style style, char *text, size_t size) {
    printer p = {.style = style, .text = text, .size = size};
    if (size == 0) return -1;
    text[0] = '\0';
    if (style == EXPR_LATEX || style == EXPR_MATHML)
        print_symbol(&p, name);
    else
        print_plain_name(&p, name);
    return finish(&p);
}
