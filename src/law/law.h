/* law.h - a friction law as a page of text: file to tables and graph. docs/law-files.md describes
 * the files. */
#ifndef BRI_LAW_H
#define BRI_LAW_H

#include "bristle.h"
#include "expr/expr.h"
#include "row.h"

#include "../arena.h"
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
    expr_id bounds[BRI_MAX_STATES]; /* a state is held within -bound and bound */
    expr_id holds;                  /* of a set-valued law: the largest force that it holds */
    expr_id stored;                 /* energy [J] */
    expr_id lift;                   /* time constant of the states in the air [s] */
    expr_id sticks;                 /* a condition, for reports */
    expr_id slip;                   /* sliding velocity, for reports; else v */
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

/* (1 + states) roots: F and the rates. 0 after a failure of the graph. */
int law_values(law *l, expr_id *roots);

/* (1 + states) x (3 + states): their derivatives in x, v, N and the states, row by row. */
int law_jacobian(law *l, expr_id *roots);

/* (1 + states) x parameters. */
int law_parameter_slopes(law *l, expr_id *roots);

/* The law in C: functions, tables and a bri_model named bri_law_NAME. The text is to be freed; NULL
 * with the reason in err. */
char *law_to_c(law *l, const char *source, bri_error *err);

#endif
