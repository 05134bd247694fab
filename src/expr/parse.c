/* parse.c - expressions: operators, numbers with units, names. Recursive descent, at most
 * limits.depth deep. */
#include "parse.h"

#include "../text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NONE EXPR_NONE

expr_id parse_fail(parser *p, const token *at, const char *format, ...) {
    va_list args;
    if (p->failed) return NONE;
    p->failed = 1;
    if (!p->err) return NONE;
    p->err->line = at ? at->line : 0;
    p->err->column = at ? at->column : 0;
    va_start(args, format);
    text_vformat(p->err->text, sizeof p->err->text, format, args);
    va_end(args);
    return NONE;
}

/* Within brackets a line may end anywhere. */
void parse_next(parser *p) {
    do lexer_next(&p->lex, &p->now);
    while (p->now.kind == TOKEN_LINE && p->brackets > 0);
    if (p->now.kind == TOKEN_WRONG) parse_fail(p, &p->now, "%s", p->now.text);
}

int parse_begin(parser *p, expr_graph *g, const char *text, size_t length, expr_error *err) {
    *p = (parser){.g = g, .lex = {.text = text, .length = length, .line = 1}, .err = err};
    if (err) *err = (expr_error){0};
    if (length > (size_t)g->limits.length)
        parse_fail(p, NULL, "the text has more than %d bytes", g->limits.length);
    else if (g->failure)
        parse_fail(p, NULL, "%s", g->failure);
    else
        parse_next(p);
    return !p->failed;
}

expr_id parse_make(parser *p, const token *at, expr_op op, expr_id a, expr_id b, expr_id c) {
    if (p->failed) return NONE;
    expr_id id = expr_make(p->g, op, a, b, c);
    if (id < 0) return parse_fail(p, at, "%s", p->g->failure ? p->g->failure : "not readable");
    if (p->g->mismatch[0]) return parse_fail(p, at, "%s", p->g->mismatch);
    return id;
}

expr_id parse_condition_free(parser *p, const token *at, expr_id id) {
    if (id >= 0 && expr_is_condition(p->g, id))
        return parse_fail(p, at, "a condition is not a number: use if(condition, a, b)");
    return id;
}

static expr_id want_condition(parser *p, const token *at, expr_id id) {
    if (id >= 0 && !expr_is_condition(p->g, id))
        return parse_fail(p, at, "a condition is wanted, such as a > b");
    return id;
}

/* Lines go on after an operator. */
static void next_operand(parser *p) {
    parse_next(p);
    while (p->now.kind == TOKEN_LINE && p->lex.text[p->now.start] == '\n' && !p->failed)
        parse_next(p);
}

/* ---- leaves -------------------------------------------------------------------------------- */

/* A number; the unit that follows belongs to it. */
static expr_id parse_number(parser *p) {
    token at = p->now;
    size_t start, length = lexer_unit(&p->lex, &start);
    double value = at.value, factor = 1.0;
    expr_dim dim = dim_one;
    if (length > 0) {
        char unit[100];
        if (length >= sizeof unit) return parse_fail(p, &at, "a unit is too long");
        memcpy(unit, p->lex.text + start, length);
        unit[length] = '\0';
        if (!p->g->read_unit(p->g->read_to, unit, &factor, &dim)) {
            at.column += (int)(start - at.start);
            return parse_fail(p, &at,
                              "there is no unit '%s'; a product is written with *, and a division "
                              "behind a unit with blanks around /",
                              unit);
        }
        p->lex.at = start + length;
        value = factor < 1.0 ? value / (1.0 / factor) : value * factor;
    }
    if (!isfinite(value)) return parse_fail(p, &at, "a number is too large");
    parse_next(p);
    if (p->now.kind == TOKEN_NUMBER)
        return parse_fail(p, &p->now, "an operator is missing before '%s'", p->now.text);
    expr_id id = expr_number(p->g, value, dim);
    return id < 0 ? parse_fail(p, &at, "%s", p->g->failure) : id;
}

void parse_hint(parser *p, const char *name, int function, char *text, size_t size) {
    const char *near = parse_nearest(p, name, function);
    text[0] = '\0';
    if (near) snprintf(text, size, "; did you mean '%s'?", near);
}

static expr_id parse_name(parser *p) {
    token name = p->now;
    const char *mark = name.rate ? "'" : "";
    char hint[NAME_MOST + 30];
    parse_next(p);
    if (lexer_is_word(&p->now, "(")) {
        if (name.rate) return parse_fail(p, &name, "a function has no rate");
        return parse_call(p, &name);
    }
    for (int i = 0; i < p->n_arguments && !name.rate; i++)
        if (strcmp(p->arguments[i], name.text) == 0)
            return expr_variable_at(p->g, p->first_argument + i);
    if (strcmp(name.text, "pi") == 0 && !name.rate)
        return parse_make(p, &name, EXPR_PI, NONE, NONE, NONE);
    const symbol *s = graph_symbol(p->g, name.text, 0, name.rate);
    if (s && s->id >= 0) return s->id;
    if (graph_symbol(p->g, name.text, 1, 0))
        return parse_fail(p, &name, "%s is a function: write %s(...)", name.text, name.text);
    parse_hint(p, name.text, 0, hint, sizeof hint);
    return parse_fail(p, &name, "'%s%s' is not known here%s%s", name.text, mark, hint,
                      name.rate ? "; a rate is known below its equation" : "");
}

static expr_id parse_primary(parser *p) {
    if (p->failed) return NONE;
    if (p->now.kind == TOKEN_NUMBER) return parse_number(p);
    if (p->now.kind == TOKEN_NAME && !lexer_is_word(&p->now, "and") &&
        !lexer_is_word(&p->now, "or"))
        return parse_name(p);
    if (!lexer_is_word(&p->now, "("))
        return parse_fail(p, &p->now, "%s%s%s stands where a number or name is wanted",
                          p->now.kind == TOKEN_SIGN || p->now.kind == TOKEN_NAME ? "'" : "",
                          p->now.text,
                          p->now.kind == TOKEN_SIGN || p->now.kind == TOKEN_NAME ? "'" : "");
    token open = p->now;
    p->brackets++;
    parse_next(p);
    expr_id id = parse_expression(p);
    if (!p->failed && !lexer_is_word(&p->now, ")"))
        return parse_fail(p, &p->now, "')' is missing: '(' stands in line %d, column %d", open.line,
                          open.column);
    p->brackets--;
    parse_next(p);
    return id;
}

/* ---- operators ----------------------------------------------------------------------------- */

static expr_id parse_unary(parser *p);

static expr_id parse_power(parser *p) {
    token first = p->now;
    expr_id base = parse_primary(p);
    token at = p->now;
    if (p->failed || !lexer_is_word(&at, "^")) return base;
    parse_condition_free(p, &first, base);
    next_operand(p);
    token second = p->now;
    expr_id exponent = parse_condition_free(p, &second, parse_unary(p));
    return parse_make(p, &at, EXPR_POW, base, exponent, NONE);
}

/* Signs bind weaker than ^: -x^2 is -(x^2). */
static expr_id parse_unary(parser *p) {
    token at = p->now;
    expr_id id;
    if (++p->depth > p->g->limits.depth)
        return parse_fail(p, &at, "more than %d levels deep", p->g->limits.depth);
    if (lexer_is_word(&at, "-") || lexer_is_word(&at, "+")) {
        next_operand(p);
        token operand = p->now;
        id = parse_condition_free(p, &operand, parse_unary(p));
        if (at.text[0] == '-') id = parse_make(p, &at, EXPR_NEG, id, NONE, NONE);
    } else {
        id = parse_power(p);
    }
    p->depth--;
    return id;
}

/* One level of operators that are read from left to right. */
typedef struct infix {
    const char *sign;
    expr_op op;
} infix;

static const infix products[] = {{"*", EXPR_MUL}, {"/", EXPR_DIV}, {NULL, EXPR_OPS}};
static const infix sums[] = {{"+", EXPR_ADD}, {"-", EXPR_SUB}, {NULL, EXPR_OPS}};
static const infix comparisons[] = {{"<", EXPR_LT},  {"<=", EXPR_LE}, {">", EXPR_GT},
                                    {">=", EXPR_GE}, {"==", EXPR_EQ}, {"!=", EXPR_NE},
                                    {NULL, EXPR_OPS}};

static expr_op infix_op(const token *t, const infix *table) {
    for (; table->sign; table++)
        if (lexer_is_word(t, table->sign)) return table->op;
    return EXPR_OPS;
}

static expr_id parse_row(parser *p, const infix *table, expr_id (*part)(parser *)) {
    token first = p->now;
    expr_id id = part(p);
    for (expr_op op; !p->failed && (op = infix_op(&p->now, table)) != EXPR_OPS;) {
        token at = p->now;
        parse_condition_free(p, &first, id);
        next_operand(p);
        token second = p->now;
        expr_id right = parse_condition_free(p, &second, part(p));
        id = parse_make(p, &at, op, id, right, NONE);
    }
    return id;
}

static expr_id parse_product(parser *p) { return parse_row(p, products, parse_unary); }
static expr_id parse_sum(parser *p) { return parse_row(p, sums, parse_product); }

static expr_id parse_comparison(parser *p) {
    token first = p->now;
    expr_id id = parse_sum(p);
    token at = p->now;
    expr_op op = infix_op(&at, comparisons);
    if (p->failed || op == EXPR_OPS) return id;
    parse_condition_free(p, &first, id);
    next_operand(p);
    token second = p->now;
    id = parse_make(p, &at, op, id, parse_condition_free(p, &second, parse_sum(p)), NONE);
    if (!p->failed && infix_op(&p->now, comparisons) != EXPR_OPS)
        return parse_fail(p, &p->now, "comparisons are joined by 'and': a < b and b < c");
    return id;
}

static expr_id parse_not(parser *p) {
    token at = p->now;
    if (!lexer_is_word(&at, "not")) return parse_comparison(p);
    if (++p->depth > p->g->limits.depth)
        return parse_fail(p, &at, "more than %d levels deep", p->g->limits.depth);
    next_operand(p);
    token operand = p->now;
    expr_id id = want_condition(p, &operand, parse_not(p));
    p->depth--;
    return parse_make(p, &at, EXPR_NOT, id, NONE, NONE);
}

static expr_id parse_logic(parser *p, const char *word, expr_op op, expr_id (*part)(parser *)) {
    token first = p->now;
    expr_id id = part(p);
    while (!p->failed && lexer_is_word(&p->now, word)) {
        token at = p->now;
        want_condition(p, &first, id);
        next_operand(p);
        token second = p->now;
        expr_id right = want_condition(p, &second, part(p));
        id = parse_make(p, &at, op, id, right, NONE);
    }
    return id;
}

static expr_id parse_and(parser *p) { return parse_logic(p, "and", EXPR_AND, parse_not); }

expr_id parse_expression(parser *p) { return parse_logic(p, "or", EXPR_OR, parse_and); }

expr_id expr_read(expr_graph *g, const char *text, size_t length, expr_error *err) {
    parser p;
    if (!parse_begin(&p, g, text, length, err)) return NONE;
    while (p.now.kind == TOKEN_LINE && !p.failed) parse_next(&p);
    expr_id id = parse_expression(&p);
    while (p.now.kind == TOKEN_LINE && !p.failed) parse_next(&p);
    if (!p.failed && p.now.kind != TOKEN_END)
        parse_fail(&p, &p.now, "'%s' is not expected here", p.now.text);
    return p.failed ? NONE : id;
}
