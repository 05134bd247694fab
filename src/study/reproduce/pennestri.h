/* pennestri.h - what the files on Pennestri et al. 2016 share. */
#ifndef BRI_PENNESTRI_H
#define BRI_PENNESTRI_H

#include "lab.h"

/* Its runs: R on the Rabinowicz rig, T on the stack of three bodies, P on the pre-sliding rig. */
enum {
    R_EXACT,
    R_TANH,
    R_CLIPPED,
    R_VELOCITY,
    R_VELOCITY_CUBIC,
    R_VELOCITY_MIXED,
    R_DAHL,
    R_LUGRE,
    R_STICK_SLIP,
    R_KARNOPP_BAND,
    R_KARNOPP,
    R_ELASTO_1,
    R_ELASTO_2,
    R_GONTHIER,
    R_EXPONENTIAL,
    R_SINE,
    R_STICK_SLIP_PRINTED,
    R_STICK_SLIP_RELAXED,
    R_STICK_SLIP_WHOLE,
    R_ELASTO_PRINTED,
    R_GONTHIER_PRINTED,
    T_EXACT,
    T_TANH,
    T_VELOCITY,
    T_DAHL,
    T_LUGRE,
    T_STICK_SLIP,
    T_KARNOPP,
    T_ELASTO,
    T_GONTHIER,
    T_STICK_SLIP_RELAXED,
    T_STICK_SLIP_WHOLE,
    P_TANH,
    P_VELOCITY,
    P_DAHL,
    P_LUGRE,
    P_STICK_SLIP,
    P_KARNOPP,
    P_ELASTO,
    P_GONTHIER,
    P_STICK_SLIP_RELAXED,
    P_STICK_SLIP_WHOLE,
    PENNESTRI_RUNS
};

/* The laws in the order of the tables. */
enum { COST_LAWS = 8, COST_RIGS = 3, COST_SOLVERS = 3, COST_COLUMNS = 9 };
extern const char *const cost_laws[COST_LAWS];
int cost_law(const char *name); /* -1: none */

/* Nonzero: the law sticks exactly, and has a solver of its own. Its runs, one per tolerance, are
 * kept in the first three columns. */
int cost_sticks(int law);

/* A cell of Tables 3, 6, 7. */
typedef struct cost {
    long evals;     /* of the right-hand side; 0: the run failed */
    double seconds; /* processor time, least of several runs */
} cost;

typedef struct pennestri_notes {
    cost costs[COST_RIGS][COST_LAWS][COST_COLUMNS];
    bri_difference differences[COST_LAWS][COST_COLUMNS]; /* Tables 4 and 5, late reference */
    int compared[COST_LAWS][COST_COLUMNS];               /* nonzero: the run was completed */
} pennestri_notes;

/* ode45, ode113, ode15s as ours of the same kind, and the tolerances. */
extern const char *const cost_solvers[COST_SOLVERS];
extern const char *const cost_tolerances[3];

/* Cell i of the cost tables, and of Tables 4 and 5. */
enum { COST_CELLS = COST_RIGS * COST_LAWS * COST_COLUMNS, TABLE_CELLS = COST_LAWS * COST_COLUMNS };
void cost_do(lab *l, int i);
void table_do(lab *l, int i);

/* xi and Gamma of the stick-slip law in Tables 4 and 5, mean over the eight columns in which the
 * paper's run did not get lost. */
double stick_slip_mean_xi(const lab *l, const lab_quantity *q);
double stick_slip_mean_Gamma(const lab *l, const lab_quantity *q);

/* xi and Gamma of run q->run, against the reference that notices its switches on a grid of a
 * seconds. */
double pennestri_xi(const lab *l, const lab_quantity *q);
double pennestri_Gamma(const lab *l, const lab_quantity *q);

/* Position of the block against the closed solution of the rig `exact` with Coulomb friction, whose
 * switches are noticed at the next multiple of `grid` seconds only; 0: at once. */
enum { LATE_MS = 10 };
bri_difference pennestri_difference(const bri_sim_def *exact, const bri_trace *trace, double grid);

/* The sections, and the figures. */
extern const lab_section pennestri_rabinowicz, pennestri_tables, pennestri_costs,
    pennestri_features, pennestri_stack, pennestri_presliding;
void pennestri_draw_laws(const lab *l, bri_report *r);
void pennestri_draw_runs(const lab *l, bri_report *r);
void cost_report(const lab *l, bri_report *r);

#endif
