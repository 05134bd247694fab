/* expression_run.h - what an expression of a scenario is computed by. */
#ifndef BRI_EXPRESSION_RUN_H
#define BRI_EXPRESSION_RUN_H

#include "bristle_sim.h"
#include "expr/expr.h"

/* Numbers that a program may need at once, and arguments of sine, cosine and tangent: the most. */
enum { EXPRESSION_ROOM = 8000, EXPRESSION_PACES = 32 };

/* What one expression is computed by; what a bri_function of it has as its data. */
typedef struct expression {
    struct expression *next;                        /* of all of a scenario */
    const char *text;                               /* as written */
    expr_program *value, *slopes, *switches, *pace; /* NULL where there is nothing */
    expr_program *rates, *bends;                    /* of a signal, see timed.c */
    int n_args, n_switches, n_paces;
    int affine;                      /* nonzero: the slopes depend on parameters alone */
    int arg[BRI_FUNCTION_ARGS];      /* variable of each argument */
    int side[BRI_FUNCTION_SWITCHES]; /* and of each switch */
    int rate[BRI_FUNCTION_ARGS];     /* and of the rate of each argument */
    bri_arg args[BRI_FUNCTION_ARGS]; /* index OWN stands for the element itself */
} expression;

/* Its value at those arguments. */
double expression_value(const expression *e, const double *arg, const double *side);

/* What a bri_function of it consists of. */
double expression_eval(const void *data, const double *arg, const double *side, double *slope);
void expression_switches(const void *data, const double *arg, double *g);
double expression_pace(const void *data, const double *arg, const double *rate);

/* The function of an expression with those arguments; and the expression of such a function, NULL
 * if it is another one. */
bri_function expression_with(const expression *e, const bri_arg *args);
const expression *expression_of(const bri_function *f);

#endif
