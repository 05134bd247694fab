/* cost.c - Tables 3, 6 and 7 of Pennestri et al. 2016: what the laws cost with three solvers at
 * three tolerances. MATLAB's times become counts of evaluations with the solvers of the same kind;
 * the order of the laws is what is compared. */
#include "pennestri.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const cost_laws[COST_LAWS] = {"coulomb_tanh",   "velocity_based", "dahl",
                                          "lugre",          "stick_slip",     "karnopp",
                                          "elasto_plastic", "gonthier"};

static const struct {
    const char *scenario, *table, *title;
    double psi[COST_LAWS][COST_COLUMNS]; /* published; NaN: none */
} rigs[COST_RIGS] = {
    /* clang-format off */
    {"rabinowicz", "table3", "Table 3: cost of the Rabinowicz rig", {
        {  7,  4,  4,  7,  6,  6,  7,  3,  3},
        {100, 86, 88, 77, 81, 77,  4,  5,  5},
        { 26, 26, 26, 29, 30, 30,  3, 19, 20},
        { 25, 24, 25, 28, 28, 28,  4,  6,  7},
        { 26, 27, 27, 26, 28, 28,  2,  4,  4},
        {  2,  2,  2,  2,  2,  2,  2,  3,  3},
        { 31, 28, 29, 31, 31, 31,  4,  6,  6},
        { 10, 11, 11, 10, 11, 11, 10, 11, 11}}},
    {"three_dof", "table6", "Table 6: cost of the 3-DOF rig", {
        {  3,  1,  1,  2,  2,  1,  3,  1,  1},
        { 99, 97,100, 77, 78, 75,  5,  4,  4},
        {  5,  5,  5,  6,  6,  6,  7,  8,  8},
        {  4,  4,  4,  4,  4,  4,  3,  4,  4},
        {  6,  6,  6,  6,  6,  6,  3,  4,  4},
        {NAN,NAN,NAN,NAN,NAN,NAN,NAN,NAN,NAN},
        {  5,  5,  5,  5,  5,  5,  3,  4,  4},
        {  3,  4,  4,  3,  4,  4,  3,  4,  4}}},
    {"presliding", "table7", "Table 7: cost of the pre-sliding rig", {
        { 10,  7,  7,  7,  5,  5,  9,  5,  5},
        { 94,100, 95, 77, 75, 76,  6,  4,  4},
        {  4,  4,  4,  4,  5,  5,  6,  6,  6},
        {  4,  4,  4,  5,  5,  5,  7,  7,  8},
        { 13, 15, 14, 11, 11, 11,  4,  4,  4},
        {  1,  1,  1,  1,  1,  1,NAN,NAN,NAN},
        {  4,  4,  4,  3,  3,  3,  5,  5,  5},
        {  6, 10, 11,  6, 10, 10,  6, 10, 10}}},
    /* clang-format on */
};

/* ode45, ode113, ode15s; a law that sticks exactly has its own solver. */
static const char *const solvers[COST_SOLVERS] = {"erk_dopri5", "cvode_adams", "cvode_bdf"};
static const char *const tolerances[] = {"1e-4", "1e-6", "1e-8"};

int cost_law(const char *name) {
    for (int i = 0; i < COST_LAWS; i++)
        if (strcmp(cost_laws[i], name) == 0) return i;
    return -1;
}

static pennestri_notes *notes_of(const lab *l) { return l->notes; }

void cost_do(lab *l, int i) {
    int rig = i / (COST_LAWS * COST_COLUMNS), law = i / COST_COLUMNS % COST_LAWS,
        column = i % COST_COLUMNS;
    char set[100];
    const bri_model *m = bri_model_find(cost_laws[law]);
    snprintf(set, sizeof set, "run.solver=%s; run.rtol=%s",
             m->set_valued ? "event_driven" : solvers[column / 3], tolerances[column % 3]);
    const lab_run run = {rigs[rig].scenario, cost_laws[law], set};
    const bri_watch quiet = {.context = l->watch ? l->watch->context : NULL,
                             .stop = l->watch ? l->watch->stop : NULL};
    bri_scenario *s;
    bri_error err;
    bri_trace t = {0};
    if (lab_load(l, &run, &s, &err) != BRI_OK) return;
    bri_sim_def def = *bri_scenario_def(s);
    def.energies = 0;
    if (bri_trace_run(&t, &def, def.t_end - def.t_start, &quiet) == BRI_OK)
        notes_of(l)->costs[rig][law][column] = (cost){t.stats.evals, t.seconds};
    bri_trace_free(&t);
    bri_scenario_free(s);
}

static double evals(const lab *l, int rig, int law, int column) {
    long count = notes_of(l)->costs[rig][law][column].evals;
    return count > 0 ? (double)count : NAN;
}

/* ---- the order ----------------------------------------------------------------------------- */

double cost_order(const lab *l, const lab_quantity *q) {
    int rig = (int)q->a, first = 3 * (int)q->b;
    double pairs = 0.0, kept = 0.0;
    for (int k = first; k < first + 3; k++)
        for (int dear = 0; dear < COST_LAWS; dear++)
            for (int cheap = 0; cheap < COST_LAWS; cheap++) {
                double more = evals(l, rig, dear, k), less = evals(l, rig, cheap, k);
                if (!(rigs[rig].psi[dear][k] >= 2.0 * rigs[rig].psi[cheap][k])) continue;
                if (isnan(more) || isnan(less)) continue; /* one of them has failed */
                pairs += 1.0;
                kept += more > less;
            }
    return kept / pairs;
}

double cost_over_others(const lab *l, const lab_quantity *q) {
    int rig = (int)q->a, column = 3 * (int)q->b + 1, mine = cost_law(q->column);
    double most = 0.0;
    for (int law = 0; law < COST_LAWS; law++)
        if (law != mine) most = fmax(most, evals(l, rig, law, column));
    return evals(l, rig, mine, column) / most;
}

double cost_explicit(const lab *l, const lab_quantity *q) {
    int rig = (int)q->a, law = cost_law(q->column);
    return evals(l, rig, law, 1) / evals(l, rig, law, 7);
}

double cost_growth(const lab *l, const lab_quantity *q) {
    int rig = (int)q->a, law = cost_law(q->column), column = 3 * (int)q->b;
    return evals(l, rig, law, column + 1) / evals(l, rig, law, column);
}

double cost_spread(const lab *l, const lab_quantity *q) {
    int rig = (int)q->a, law = cost_law(q->column);
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < COST_SOLVERS; k++) {
        double count = evals(l, rig, law, 3 * k + 1);
        if (isnan(count)) return NAN;
        least = fmin(least, count);
        most = fmax(most, count);
    }
    return most / least;
}

/* ---- the tables ---------------------------------------------------------------------------- */

void cost_report(const lab *l, bri_report *r) {
    static const bri_column columns[] = {
        {"law", NULL, NULL, 0, NULL},
        {"solver", NULL, NULL, 0, "the one of the same kind as MATLAB's"},
        {"rtol", NULL, NULL, 0, "relative tolerance"},
        {"psi", "published", "%", 3, "time over that of the slowest, in MATLAB"},
        {"evals", "evaluations", NULL, 7, "of the right-hand side"},
        {"share", "ours", "%", 3, "evaluations over those of the dearest"},
        {"ms", "time", "ms", 3, "processor time of the run"},
    };
    for (int rig = 0; rig < COST_RIGS; rig++) {
        bri_table *t = bri_table_create(rigs[rig].title, columns, 7);
        double most = 0.0;
        for (int law = 0; law < COST_LAWS; law++)
            for (int k = 0; k < COST_COLUMNS; k++) most = fmax(most, evals(l, rig, law, k));
        for (int law = 0; t && law < COST_LAWS; law++)
            for (int k = 0; k < COST_COLUMNS; k++) {
                int exact = bri_model_find(cost_laws[law])->set_valued;
                bri_table_text(t, cost_laws[law], BRI_TONE_PLAIN);
                bri_table_text(t, exact ? "event_driven" : solvers[k / 3], BRI_TONE_PLAIN);
                bri_table_text(t, tolerances[k % 3], BRI_TONE_PLAIN);
                bri_table_number(t, rigs[rig].psi[law][k], BRI_TONE_PLAIN);
                bri_table_number(t, evals(l, rig, law, k), BRI_TONE_PLAIN);
                bri_table_number(t, 100.0 * evals(l, rig, law, k) / most, BRI_TONE_PLAIN);
                bri_table_number(t, 1e3 * notes_of(l)->costs[rig][law][k].seconds, BRI_TONE_PLAIN);
            }
        if (t) bri_report_table(r, rigs[rig].table, t);
        bri_table_free(t);
    }
}
