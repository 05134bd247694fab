/* law.h - a friction law as a page of text: file to tables and graph. docs/law-files.md describes
 * the files. */
#ifndef BRI_LAW_H
#define BRI_LAW_H

#include "bristle.h"
#include "expr/expr.h"

#include <stdio.h>

#include "../arena.h"
#include "../models/steps.h"
#include "../scenario/node.h"

/* Variables of the graph: the inputs, then the states, then the parameters. */
enum { LAW_X, LAW_V, LAW_N, LAW_STATES };

enum { LAW_RULES = 8 };

typedef struct law_rule {
    expr_id condition;
    const char *words; /* "mu_s must be >= mu_c" */
} law_rule;

/* Expressions that are not given are EXPR_NONE. */
typedef struct law {
    arena memory;
    expr_graph *g;
    const char *name, *title, *limits, *cite, *defaults;
    const char *equations; /* as written */
    double load;
    bri_param params[BRI_MAX_PARAMS];
    int n_params;
    bri_state states[BRI_MAX_STATES];
    double rest[BRI_MAX_STATES];
    int n_states;
    law_rule rules[LAW_RULES];
    int n_rules;
    expr_id force;
    expr_id rates[BRI_MAX_STATES];
    expr_id bounds[BRI_MAX_STATES]; /* a state is held within -bound and bound; 1e300 where not */
    expr_id bound_when[BRI_MAX_STATES]; /* a condition on the parameters: else there is no bound */
    int bound_early[BRI_MAX_STATES];    /* the rate has an infinite slope there: see read_bound() */
    expr_id holds;                      /* of a set-valued law: the largest force that it holds */
    expr_id stored;                     /* energy [J] */
    expr_id lift;                       /* time constant of the states in the air [s] */
    expr_id sticks;                     /* a condition, for reports */
    expr_id slip;                       /* sliding velocity, for reports; else v */
    expr_id advice;                     /* a condition: the parameters are against advice */
    const char *advice_words;
    int step_exact;       /* no branch of a rate changes within a step */
    const law_step *step; /* a step written in C; NULL: the one that follows from the rates */
} law;

/* Told of everything that is wrong with a file. */
typedef void law_report(void *to, int line, const char *words);

/* NULL after a report. */
law *law_read(const char *text, size_t length, law_report *report, void *to);

/* The same with the status of every mistake; of a page that is part of another file: its tree,
 * which must outlive the law, and the text of that file. root NULL: the text is the page. */
law *law_read_tree(const node *root, const char *text, size_t length, node_report *report,
                   void *to);
void law_free(law *l);

int law_param_variable(const law *l, int i);

/* Nonzero: the direction of motion is that of v itself, also where a solver freezes it. So it is in
 * laws without memory that do not stick: they go through zero without a jump of a rate. */
int law_own_direction(const law *l);

/* How the states go on while v and N are held. Affine: each rate is affine in its own state and
 * needs no other one. Cascade: it may need those before it. */
typedef enum law_motion { LAW_GENERAL, LAW_AFFINE, LAW_CASCADE, LAW_FAILED } law_motion;

/* With the rates and then the slope of each in its own state, (2 x states) roots, unless general.
 */
law_motion law_affine(law *l, expr_id *roots);

/* Where the rate of a state that is affine leads it, and how fast: what is missing falls by the
 * factor exp(-decay |v| h) or exp(-decay h). No aim: that is not to be had without dividing by what
 * may be zero. */
typedef enum law_aim { LAW_NO_AIM, LAW_BY_PATH, LAW_BY_TIME } law_aim;
law_aim law_target(law *l, int state, expr_id rate, expr_id slope, expr_id *target, expr_id *decay);

/* (1 + states) roots: F and the rates. 0 after a failure of the graph. */
int law_values(law *l, expr_id *roots);

/* (1 + states) x (3 + states): their derivatives in x, v, N and the states, row by row. */
int law_jacobian(law *l, expr_id *roots);

/* Nonzero: F is affine in v while its direction is frozen, without a corner, and needs neither x
 * nor a state; -1 after a failure. */
int law_is_affine(law *l);

/* (1 + states) x parameters. */
int law_parameter_slopes(law *l, expr_id *roots);

/* The parameter in the exponent of a power of F or a rate that may be 1; -1: none is. And roots
 * with 1 put in for it; out may be roots. */
int law_power_parameter(law *l);
int law_with_one(law *l, int param, const expr_id *roots, int count, expr_id *out);

/* The corners of F and of the rates: conditions, or values that are zero there. Corners at v = 0
 * that a solver freezes are left out, and what depends on parameters alone. Their number, at most
 * LAW_CORNERS; -1 after a failure of the graph. */
enum { LAW_CORNERS = 32 };
int law_corners(law *l, expr_id *roots);

/* The law in C: functions, tables and a bri_model named bri_law_NAME. The text is to be freed; NULL
 * with the reason in err. */
char *law_to_c(law *l, const char *source, bri_error *err);

/* The C of a law with all that it needs of the library, in one source: alone.c. The C library's
 * headers and BRI_API come before it. */
void law_put_alone(FILE *out, const char *law_in_c);
void law_put_lines(FILE *out, const char *text); /* without its #include lines */

/* The law on vectors: force, rates and steps; derivatives; or what several runs at once need of it;
 * and its row of the table of kernels, both to be freed; NULL: it has none. 0 with the reason in
 * err. */
typedef enum law_vectors { LAW_VALUES, LAW_SLOPES, LAW_LANES, LAW_VECTORS } law_vectors;
int law_to_vectors(law *l, law_vectors what, char **code, char **row, bri_error *err);

#endif
