/* lab.h - the experiments of a paper as data: runs of shipped scenarios, the quantities that are
 * measured on them, what the paper says of each, and the figures that are drawn again. */
#ifndef BRI_LAB_H
#define BRI_LAB_H

#include "bristle_study.h"
#include "output/thin.h"

/* A run of a shipped scenario. */
typedef struct lab_run {
    const char *scenario;
    const char *model; /* on every contact; NULL: the law of the file */
    const char *set;   /* changes as --set gives them, "pad.gamma=2; run.rtol=1e-7"; NULL: none */
} lab_run;

/* What was made of a run. */
typedef struct lab_result {
    bri_scenario *scenario; /* owns what def points to; NULL: it could not be loaded */
    bri_trace trace;
    int done; /* nonzero: it was tried; trace.err says how it went */
} lab_result;

typedef struct lab_paper lab_paper;

/* A paper being reproduced. */
typedef struct lab {
    const lab_paper *paper;
    lab_result *results; /* one per run */
    void *notes;         /* of the paper, from its prepare() */
    const bri_override *overrides;
    int n_overrides;
    const bri_watch *watch;
} lab;

/* Where the number in the column "published" comes from. */
typedef enum lab_source {
    PRINTED,     /* the paper prints it */
    CLAIM,       /* the paper says it in words; the criterion is ours */
    CLOSED_FORM, /* follows from the rig with pencil and paper */
    INDEPENDENT, /* other codes computed it; the paper prints no number */
} lab_source;

typedef enum lab_relation { EQUAL, ABOVE, BELOW } lab_relation;

/* One quantity: what is said of it and how it is measured. */
typedef struct lab_quantity lab_quantity;
struct lab_quantity {
    const char *experiment, *name, *unit; /* unit "": none; "mm", "mm/s": SI values times 1000 */
    lab_source source;
    lab_relation relation;
    /* The number with the digits it has. Unless a tolerance is given, half a unit of the last one
     * is allowed: "0.0513" stands for 0.05125 ... 0.05135. A bound, unless the relation is EQUAL.
     */
    const char *published;
    double tolerance;    /* 0: that of the digits */
    const char *grounds; /* where a given tolerance, or a bound, comes from */

    int run; /* that it is measured on; also the first of several */
    double (*measure)(const lab *l, const lab_quantity *q); /* NULL: it cannot be computed */
    const char *column;
    double a, b; /* what measure() makes of them */

    /* Why the value is not the published one. It is explained only if `second`, another reading of
     * the paper or a computation by other means, gives the published value (of it run, measure,
     * column, a, b and, if it has one of its own, the tolerance count). It is undetermined if the
     * paper leaves out what the value depends on. Else it differs: as known, if it is where an
     * independent computation has it, `expected` with its digits, or as a surprise. */
    const char *reason, *expected;
    double expected_tolerance; /* 0: that of the digits */
    const lab_quantity *second;
    int undetermined;
    /* Nonzero: of processor times. It is counted apart, as it depends on the machine, and never a
     * surprise; near its bound a busy machine would decide, and it is undetermined. */
    int timed;
    int scatters;      /* nonzero: set off by rounding, so that no two builds have the same value */
    const char *needs; /* a solver without which it cannot be computed; NULL: none */
};

/* What is judged. */
typedef struct lab_verdict {
    bri_verdict verdict;
    int known; /* nonzero: it differs where independent computations do */
} lab_verdict;

/* The quantities of a section of a paper. */
typedef struct lab_section {
    const lab_quantity *list;
    int count;
} lab_section;
#define LAB_SECTION(array)                                                                         \
    { array, sizeof(array) / sizeof *(array) }

struct lab_paper {
    const char *key;   /* "rill" */
    const char *title; /* authors, year, title */
    const lab_run *runs;
    int n_runs;
    int no_energies; /* nonzero: its runs are long, and nobody asks for their energies */
    const lab_section *const *sections;
    int n_sections;

    /* More work than runs, i = 0 ... n_more - 1, in parallel; optional. */
    int n_more;
    void (*more)(lab *l, int i);
    int (*prepare)(lab *l); /* takes notes before all work: 0 if there is no memory; optional */
    void (*forget)(lab *l); /* frees them; optional */
    void (*draw)(const lab *l, bri_report *r); /* its figures */
};

extern const lab_paper lab_pennestri, lab_rill, lab_andersson, lab_olsson, lab_leus;

/* ---- verdicts: judge.c --------------------------------------------------------------------- */

/* The number at the start of a text, and half a unit of its last digit: "0.0513" -> 0.00005,
 * "9.01517e-4" -> 5e-10. */
double lab_number(const char *text, double *half);

/* What is allowed between the computed and the published value. NaN for a bound. */
double lab_tolerance(const lab_quantity *q);

/* `second` is what the second reading gives, NaN if there is none. */
lab_verdict lab_judge(const lab_quantity *q, double computed, double second);

/* The colour of a verdict. */
bri_tone lab_tone(bri_verdict v);

/* ---- runs: lab.c --------------------------------------------------------------------------- */

/* Load a scenario with the changes of a run and those the user asked for. */
bri_status lab_load(const lab *l, const lab_run *run, bri_scenario **s, bri_error *err);

/* Do run i. */
void lab_do(lab *l, int i);

/* Quantity i of a paper, from 0, and how many there are. */
const lab_quantity *lab_quantity_at(const lab_paper *p, int i);
int lab_quantity_count(const lab_paper *p);

/* Values per SI unit in the unit of a quantity: 1000 for "mm". */
double lab_scale(const char *unit);

/* ---- measures: measure.c ------------------------------------------------------------------- */

const bri_trace *lab_trace(const lab *l, int run);
const bri_sim_def *lab_def(const lab *l, int run);
const double *lab_time(const lab *l, int run);
const double *lab_column(const lab *l, int run, const char *name); /* NULL if there is none */
double lab_param(const lab *l, int run, const char *name);         /* of the first contact */

/* Of q->column: at time a; since the start until a; largest, smallest, range and mean in a ... b;
 * of its cycles in a ... b the mean of the peaks and valleys, their distance, their period. */
double lab_at(const lab *l, const lab_quantity *q);
double lab_moved(const lab *l, const lab_quantity *q);
double lab_most(const lab *l, const lab_quantity *q);
double lab_least(const lab *l, const lab_quantity *q);
double lab_range(const lab *l, const lab_quantity *q);
double lab_mean(const lab *l, const lab_quantity *q);
double lab_high(const lab *l, const lab_quantity *q);
double lab_low(const lab *l, const lab_quantity *q);
double lab_period(const lab *l, const lab_quantity *q);
/* Time of event number a. */
double lab_event(const lab *l, const lab_quantity *q);
/* First time from a on at which q->column exceeds b in size, or no longer does. */
double lab_exceeds(const lab *l, const lab_quantity *q);
double lab_falls_below(const lab *l, const lab_quantity *q);

/* ---- figures: figure.c --------------------------------------------------------------------- */

enum { LAB_PANELS = 20, LAB_SERIES = 10 };

/* A picture being put together. Points are copied, and thinned where there are too many. */
typedef struct lab_figure {
    bri_plot plot;
    bri_panel panels[LAB_PANELS];
    bri_series series[LAB_PANELS][LAB_SERIES];
    thin lines[LAB_PANELS][LAB_SERIES];
    thin printed[LAB_PANELS]; /* numbers of the paper in each panel */
} lab_figure;

typedef enum lab_style { LINE, DASHED, POINTS } lab_style;

void lab_figure_begin(lab_figure *f, const char *title, int columns, int rows);
void lab_panel(lab_figure *f, int column, int row, const char *title, const char *x_name,
               const char *x_unit, const char *y_name, const char *y_unit);
/* The last panel shares the legend of another one, or the name of the x axis of one below it. */
void lab_share_legend(lab_figure *f);
void lab_share_x(lab_figure *f);
/* What the axes of the last panel must reach: y from low to high. */
void lab_reach(lab_figure *f, double x, double low, double high);
/* A line in the last panel; nothing is drawn of columns that are not there. */
void lab_line(lab_figure *f, const char *label, const double *x, const double *y, long count,
              lab_style style);
/* y over time (x = NULL), or over another column, of a run, between two times. What the paper
 * prints of y is drawn in. */
void lab_curve(lab_figure *f, const lab *l, int run, const char *label, const char *x,
               const char *y, double from, double until);
/* y less `zero` over time. */
void lab_shifted(lab_figure *f, const lab *l, int run, const char *label, const char *y,
                 double from, double until, double zero);
/* The sum of two columns over time. */
void lab_sum(lab_figure *f, const lab *l, int run, const char *label, const char *a, const char *b);
void lab_figure_end(lab_figure *f, bri_report *r, const char *name, const char *caption);

/* Where quantity i, if the paper prints it and it is told of this column of this run, lies over
 * time: printed.c. 0 if it is none of these. */
int lab_printed(const lab *l, int run, const char *column, int i, double *x, double *y);

#endif
