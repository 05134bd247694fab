/* equations.c - equations, definitions of functions, calls, and what a word might have meant. */
#include "parse.h"

#include "../nearest.h"
#include "bristle_tools.h"

#include <stdio.h>
#include <string.h>

#define NONE EXPR_NONE

/* ---- nearest names ------------------------------------------------------------------------- */

static int is_function(expr_op op) {
    return expr_ops[op].bind == BIND_CALL && expr_ops[op].arity > 0;
}

static expr_op function_named(const char *name) {
    for (expr_op op = 0; op < EXPR_OPS; op++)
        if (is_function(op) && strcmp(expr_ops[op].name, name) == 0) return op;
    return EXPR_OPS;
}

const char *parse_nearest(const parser *p, const char *name, int function) {
    const char *names[512];
    int count = 0;
    for (int i = 0; i < p->g->n_symbols && count < 400; i++) {
        const symbol *s = &p->g->symbols[i];
        if ((s->kind == SYMBOL_FUNCTION) == function) names[count++] = s->name;
    }
    for (int i = 0; i < p->n_arguments && !function; i++) names[count++] = p->arguments[i];
    for (expr_op op = 0; function && op < EXPR_OPS; op++)
        if (is_function(op) && op != EXPR_GPOW) names[count++] = expr_ops[op].name;
    const char *near = bri_nearest(name, names, count);
    /* one letter for another is no slip of the pen */
    return near && (strlen(name) > 1 || strlen(near) > 1) ? near : NULL;
}

/* ---- calls --------------------------------------------------------------------------------- */

enum { MOST_ARGUMENTS = 8 };

/* The arguments up to the closing bracket, which is read as well. */
static int parse_arguments(parser *p, expr_id *at, token *where) {
    int n = 0;
    p->brackets++;
    parse_next(p);
    while (!p->failed && !lexer_is_word(&p->now, ")")) {
        if (n == MOST_ARGUMENTS) {
            parse_fail(p, &p->now, "more than %d arguments", MOST_ARGUMENTS);
            break;
        }
        where[n] = p->now;
        at[n++] = parse_expression(p);
        if (lexer_is_word(&p->now, ","))
            parse_next(p);
        else if (!p->failed && !lexer_is_word(&p->now, ")"))
            parse_fail(p, &p->now, "',' or ')' is missing before %s",
                       p->now.kind == TOKEN_END ? "the end" : p->now.text);
    }
    p->brackets--;
    if (!p->failed) parse_next(p);
    return n;
}

static expr_id wrong_count(parser *p, const token *name, const char *wanted, int have) {
    return parse_fail(p, name, "%s() takes %s, and has %d", name->text, wanted, have);
}

static expr_id builtin_call(parser *p, const token *name, expr_op op, expr_id *at,
                            const token *where, int n) {
    static const char *const wanted[] = {"", "one argument", "two arguments", "three arguments"};
    if (op == EXPR_CLAMP && n == 2) { /* between -limit and limit */
        at[2] = at[1];
        at[1] = parse_make(p, name, EXPR_NEG, at[2], NONE, NONE);
        n = 3;
    }
    if (op == EXPR_GPOW && n == 2) at[n++] = expr_number(p->g, 0.0, dim_one);
    for (int i = op == EXPR_IF; i < n; i++) parse_condition_free(p, &where[i], at[i]);
    if (p->failed) return NONE;
    if ((op == EXPR_MIN || op == EXPR_MAX) && n > 2) { /* min(min(a, b), c) */
        expr_id id = at[0];
        for (int i = 1; i < n; i++) id = parse_make(p, name, op, id, at[i], NONE);
        return id;
    }
    if (n != expr_ops[op].arity) return wrong_count(p, name, wanted[expr_ops[op].arity], n);
    if (op == EXPR_IF && !expr_is_condition(p->g, at[0]))
        return parse_fail(p, &where[0], "if() begins with a condition, such as a > b");
    if (op == EXPR_GPOW) {
        const expr_node *order = &p->g->nodes[at[2]];
        if (order->op != EXPR_CONST || !(order->value <= 9.0) ||
            order->value != floor(order->value))
            return parse_fail(p, name, "the order of gpow() is a whole number from 0 to 9");
    }
    return parse_make(p, name, op, at[0], at[1], n > 2 ? at[2] : NONE);
}

/* The maker of a call: units of the body are checked with those of the arguments. */
static expr_id checked_make(expr_graph *g, expr_op op, expr_id a, expr_id b, expr_id c) {
    expr_id id = expr_make(g, op, a, b, c);
    return g->mismatch[0] ? NONE : id;
}

/* The body with the arguments in their places. */
static expr_id own_call(parser *p, const token *name, const symbol *f, const expr_id *at,
                        const token *where, int n) {
    expr_graph *g = p->g;
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%d argument%s", f->arguments, f->arguments == 1 ? "" : "s");
    for (int i = 0; i < n; i++) parse_condition_free(p, &where[i], at[i]);
    if (n != f->arguments) return wrong_count(p, name, wanted, n);
    expr_id *by = malloc(sizeof *by * ((size_t)g->n_variables + 1)), body = f->id, id = NONE;
    int line = f->line;
    if (by && !p->failed) {
        for (int i = 0; i < g->n_variables; i++) by[i] = NONE;
        for (int i = 0; i < n; i++) by[f->first_argument + i] = at[i];
        g->mismatch[0] = '\0';
        graph_map(g, checked_make, by, &body, 1, &id);
    }
    free(by);
    if (id >= 0 || p->failed) return id;
    if (g->mismatch[0])
        return parse_fail(p, name, "%s(), defined in line %d: %s", name->text, line, g->mismatch);
    return parse_fail(p, name, "%s", g->failure ? g->failure : "not enough memory");
}

expr_id parse_call(parser *p, const token *name) {
    expr_id at[MOST_ARGUMENTS + 1];
    token where[MOST_ARGUMENTS + 1];
    expr_op op = function_named(name->text);
    const symbol *own = graph_symbol(p->g, name->text, 1, 0);
    char hint[NAME_MOST + 30];
    if (op == EXPR_OPS && !own) {
        if (graph_symbol(p->g, name->text, 0, 0))
            return parse_fail(p, name, "'%s' is not a function; a product is written %s*(...)",
                              name->text, name->text);
        parse_hint(p, name->text, 1, hint, sizeof hint);
        return parse_fail(p, name, "there is no function '%s'%s", name->text, hint);
    }
    int n = parse_arguments(p, at, where);
    if (p->failed) return NONE;
    return own ? own_call(p, name, own, at, where, n) : builtin_call(p, name, op, at, where, n);
}

/* ---- equations ----------------------------------------------------------------------------- */

enum { MOST_EQUATIONS = 1000 };

/* Nonzero if the name may be given a meaning. */
static int may_define(parser *p, const token *name, int function) {
    const symbol *s = graph_symbol(p->g, name->text, function, name->rate);
    const char *mark = name->rate ? "'" : "";
    if (name->rate) {
        const symbol *of = graph_symbol(p->g, name->text, 0, 0);
        if (!of || of->kind != SYMBOL_VARIABLE || !p->g->has_rate[p->g->nodes[of->id].index])
            parse_fail(p, name, "'%s' is not a state, so there is no equation for its rate",
                       name->text);
    }
    if (function && function_named(name->text) != EXPR_OPS)
        parse_fail(p, name, "'%s' is a function of the language", name->text);
    else if (!function && (strcmp(name->text, "pi") == 0 || lexer_is_word(name, "and") ||
                           lexer_is_word(name, "or") || lexer_is_word(name, "not")))
        parse_fail(p, name, "'%s' is a word of the language", name->text);
    else if (p->g->n_symbols >= MOST_EQUATIONS + p->g->n_variables)
        parse_fail(p, name, "more than %d equations", MOST_EQUATIONS);
    else if (strchr(name->text, '.'))
        parse_fail(p, name, "a new name has no point in it: '%s'", name->text);
    else if (s && s->line > 0)
        parse_fail(p, name, "'%s%s' has an equation already, in line %d", name->text, mark,
                   s->line);
    else if (s)
        parse_fail(p, name, "'%s' is given from outside and cannot have an equation", name->text);
    return !p->failed;
}

static int parse_value(parser *p, const token *name) {
    token at = p->now;
    expr_graph *g = p->g;
    expr_id id = parse_condition_free(p, &at, parse_expression(p));
    if (p->failed) return 0;
    symbol *s = graph_add_symbol(g, name->text, SYMBOL_VALUE, name->rate);
    if (!s || !graph_grow(g, (void **)&g->definitions, g->n_definitions, &g->definitions_room,
                          sizeof *g->definitions)) {
        parse_fail(p, name, "not enough memory");
        return 0;
    }
    s->id = id;
    s->line = name->line;
    g->definitions[g->n_definitions++] =
        (expr_definition){s->name, id, name->rate, name->line, name->column};
    return 1;
}

/* f(a, b) = ...; the name is read and '(' is next. */
static int parse_function(parser *p, const token *name) {
    char text[MOST_ARGUMENTS][NAME_MOST + 1];
    const char *names[MOST_ARGUMENTS];
    int n = 0, first = p->g->n_variables;
    do {
        parse_next(p);
        if (p->now.kind != TOKEN_NAME || p->now.rate || strchr(p->now.text, '.') ||
            strcmp(p->now.text, "pi") == 0 || n == MOST_ARGUMENTS)
            return parse_fail(p, &p->now, "at most %d names of arguments are wanted here",
                              MOST_ARGUMENTS) > 0;
        for (int i = 0; i < n; i++)
            if (strcmp(text[i], p->now.text) == 0)
                return parse_fail(p, &p->now, "'%s' is an argument already", p->now.text) > 0;
        memcpy(text[n], p->now.text, sizeof text[n]);
        names[n] = text[n];
        n++;
        if (graph_argument(p->g) < 0) return parse_fail(p, name, "%s", p->g->failure) > 0;
        parse_next(p);
    } while (!p->failed && lexer_is_word(&p->now, ","));
    if (!p->failed && !lexer_is_word(&p->now, ")")) parse_fail(p, &p->now, "')' is missing");
    parse_next(p);
    if (!p->failed && !lexer_is_word(&p->now, "=")) parse_fail(p, &p->now, "'=' is missing");
    parse_next(p);
    p->arguments = names;
    p->n_arguments = n;
    p->first_argument = first;
    token at = p->now;
    expr_id id = parse_condition_free(p, &at, parse_expression(p));
    p->n_arguments = 0;
    symbol *s = p->failed ? NULL : graph_add_symbol(p->g, name->text, SYMBOL_FUNCTION, 0);
    if (!s) return parse_fail(p, name, "not enough memory") > 0;
    *s = (symbol){.name = s->name,
                  .kind = SYMBOL_FUNCTION,
                  .id = id,
                  .line = name->line,
                  .arguments = n,
                  .first_argument = first};
    return 1;
}

static int parse_equation(parser *p) {
    token name = p->now;
    if (name.kind != TOKEN_NAME)
        return parse_fail(p, &name, "an equation begins with a name, not with '%s'", name.text) > 0;
    parse_next(p);
    int function = lexer_is_word(&p->now, "(");
    if (p->failed || !may_define(p, &name, function)) return 0;
    if (function) return parse_function(p, &name);
    if (!lexer_is_word(&p->now, "="))
        return parse_fail(p, &p->now, "'=' is missing behind '%s%s'", name.text,
                          name.rate ? "'" : "") > 0;
    parse_next(p);
    return parse_value(p, &name);
}

int expr_equations(expr_graph *g, const char *text, size_t length, expr_error *err) {
    parser p;
    if (!parse_begin(&p, g, text, length, err)) return 0;
    while (!p.failed && p.now.kind != TOKEN_END) {
        if (p.now.kind == TOKEN_LINE) {
            parse_next(&p);
            continue;
        }
        if (parse_equation(&p) && p.now.kind != TOKEN_LINE && p.now.kind != TOKEN_END)
            parse_fail(&p, &p.now, "'%s' is not expected here", p.now.text);
    }
    return !p.failed;
}
