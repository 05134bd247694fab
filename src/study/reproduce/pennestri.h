/* pennestri.h - what the files on Pennestri et al. 2016 share. */
#ifndef BRI_PENNESTRI_H
#define BRI_PENNESTRI_H

#include "lab.h"

/* The laws in the order of the tables. */
enum { COST_LAWS = 8, COST_RIGS = 3, COST_SOLVERS = 3, COST_COLUMNS = 9 };
extern const char *const cost_laws[COST_LAWS];
int cost_law(const char *name); /* -1: none */

/* A cell of Tables 3, 6, 7. */
typedef struct cost {
    long evals;     /* of the right-hand side; 0: the run failed */
    double seconds; /* processor time */
} cost;

typedef struct pennestri_notes {
    cost costs[COST_RIGS][COST_LAWS][COST_COLUMNS];
} pennestri_notes;

/* Cell i of all tables. */
enum { COST_CELLS = COST_RIGS * COST_LAWS * COST_COLUMNS };
void cost_do(lab *l, int i);

/* Of the pairs of laws whose published times are apart by a factor of two or more, the share that
 * our evaluations have in the same order; rig a, solver b, all tolerances. */
double cost_order(const lab *l, const lab_quantity *q);
/* Evaluations of the law q->column over those of the dearest other one, rig a, solver b, 1e-6. */
double cost_over_others(const lab *l, const lab_quantity *q);
/* Evaluations of ode45's kin over those of ode15s's, law q->column, rig a, 1e-6. */
double cost_explicit(const lab *l, const lab_quantity *q);
/* Evaluations at 1e-6 over those at 1e-4, law q->column, rig a, solver b. */
double cost_growth(const lab *l, const lab_quantity *q);
/* Largest over smallest number of evaluations of law q->column over the solvers, rig a, 1e-6. */
double cost_spread(const lab *l, const lab_quantity *q);
void cost_report(const lab *l, bri_report *r);

/* Table 8, law q->column with the parameters of run q->run. */
double feature_params(const lab *l, const lab_quantity *q);
double feature_stiction(const lab *l, const lab_quantity *q);
double feature_static(const lab *l, const lab_quantity *q);
double feature_presliding(const lab *l, const lab_quantity *q);

#endif
