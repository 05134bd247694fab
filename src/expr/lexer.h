/* lexer.h - the words of an equation. */
#ifndef BRI_EXPR_LEXER_H
#define BRI_EXPR_LEXER_H

#include "graph.h"

typedef enum token_kind {
    TOKEN_END,
    TOKEN_LINE, /* the end of a line, or ';' */
    TOKEN_NUMBER,
    TOKEN_NAME, /* also and, or, not */
    TOKEN_SIGN, /* an operator, bracket or comma */
    TOKEN_WRONG
} token_kind;

typedef struct token {
    token_kind kind;
    int line, column;
    size_t start, length;
    double value;             /* of a number */
    int rate;                 /* of a name: a ' follows */
    char text[NAME_MOST + 1]; /* of a name or sign; of anything else, what to call it */
} token;

typedef struct lexer {
    const char *text;
    size_t length, at;
    int line;
    size_t line_start;
} lexer;

/* The next word; behind TOKEN_END comes TOKEN_END. For TOKEN_WRONG text says why. */
void lexer_next(lexer *l, token *t);

/* The unit that begins right after a number, "N s/m" in "3 N s/m * v": names with exponents, joined
 * by single blanks or by '/' without blanks. Returns its length, 0 if there is none; *start is
 * where it begins. */
size_t lexer_unit(const lexer *l, size_t *start);

int lexer_is_word(const token *t, const char *word); /* a name or sign with that text */

#endif
