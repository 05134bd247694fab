/* parse.h - what the files of the parser share. */
#ifndef BRI_EXPR_PARSE_H
#define BRI_EXPR_PARSE_H

#include "lexer.h"

typedef struct parser {
    expr_graph *g;
    lexer lex;
    token now; /* the word to be read next */
    int brackets, depth;
    expr_error *err;
    int failed;
    const char *const *arguments; /* of the function being defined */
    int n_arguments, first_argument;
} parser;

/* Begin to read; 0 after an error. */
int parse_begin(parser *p, expr_graph *g, const char *text, size_t length, expr_error *err);
void parse_next(parser *p);

/* Report once; EXPR_NONE. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
expr_id
parse_fail(parser *p, const token *at, const char *format, ...);

/* A node, with an error at that word if its units or the limits forbid it. */
expr_id parse_make(parser *p, const token *at, expr_op op, expr_id a, expr_id b, expr_id c);

expr_id parse_expression(parser *p);                                  /* a sum, or a condition */
expr_id parse_condition_free(parser *p, const token *at, expr_id id); /* refuses a condition */

/* "; did you mean 'x'?" for a value or function that is not known, or "". */
void parse_hint(parser *p, const char *name, int function, char *text, size_t size);

/* The known name that is nearest, or NULL: equations.c. */
const char *parse_nearest(const parser *p, const char *name, int function);

/* equations.c: name ( ... ), the name read and the bracket next. */
expr_id parse_call(parser *p, const token *name);

#endif
