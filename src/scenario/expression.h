/* expression.h - expressions where a number or a signal stands, made into functions of the motion.
 * The language is described in docs/language.md. */
#ifndef BRI_EXPRESSION_H
#define BRI_EXPRESSION_H

#include "expression_run.h"
#include "reader.h"

enum { OWN = -2 };

/* Programs for the root, an expression in the variables of the graph, of which those that it needs
 * become arguments as[variable]. NULL after a report of what is wrong. */
expression *expression_compile(reader *r, const node *n, expr_graph *g, expr_id root,
                               const bri_arg *as);
void expressions_free(expression *list);

/* The function of an expression. `own` is the index of the body or contact that it belongs to. NULL
 * without memory. */
const bri_function *expression_function(reader *r, const expression *e, int own);

/* ---- signals made of expressions: timed.c ------------------------------------------------------
 */

/* A function of time and other signals as a signal; NULL after a report. e is what
 * expression_compile made of the same root. */
const bri_signal *timed_signal(reader *r, const node *n, expr_graph *g, expr_id root,
                               expression *e);

/* Its text; NULL: the signal is none of these. */
const char *timed_text(const bri_signal *s);

/* Nonzero: it holds the rate of a signal, so that its second derivative is none of a signal. */
int timed_is_rough(const bri_signal *s);

/* Find where they change over, once the times of the run are known. */
void timed_finish(reader *r);

#endif
