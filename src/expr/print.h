/* print.h - what the printers share: a text of limited room, names in place of nodes. */
#ifndef BRI_EXPR_PRINT_H
#define BRI_EXPR_PRINT_H

#include "graph.h"

typedef struct printer {
    const expr_graph *g;
    const expr_names *names;
    expr_style style;
    expr_id root; /* is written out even if it has a name */
    char *text;
    size_t size, used;
    int full;
    int after_unit; /* nonzero: the text ends with a unit, which '/' would go on */
} printer;

void print_text(printer *p, const char *words);
void print_value(printer *p, double value); /* shortest decimal, reads back exactly */

/* The name that stands for a node, NULL if it is written out. */
const char *print_name_of(const printer *p, expr_id id);

/* An operation as the style calls it, and a name that may stand in it: words.c. */
const char *print_word(expr_style style, expr_op op);
int print_reserved(expr_style style, const char *name);

void print_infix(printer *p, expr_id id, int bind);   /* ASCII and code: print.c */
void print_typeset(printer *p, expr_id id, int bind); /* LaTeX and MathML: typeset.c */
void print_symbol(printer *p, const char *name);      /* typeset.c */

#endif
