/* bristle_study.h - studies: runs kept in memory, what is measured on them, tables of results:
 * what the studies themselves (compare, reproduce, conform) rest on. */
#ifndef BRISTLE_STUDY_H
#define BRISTLE_STUDY_H

#include "bristle_scenario.h"
#include "bristle_sim.h"
#include "bristle_tools.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- watching a study ---------------------------------------------------------------------- */

/* How a study tells of its progress and asks whether to go on. stop is called from any thread,
 * progress from one at a time. Both may be NULL. */
typedef struct bri_watch {
    void *context;                                 /* passed to both */
    int (*stop)(void *context);                    /* nonzero: end as soon as possible */
    void (*progress)(void *context, double share); /* 0 to 1 */
} bri_watch;

/* Do job(context, i) for i = 0 ... count - 1, several at a time; threads = 0: one per processor.
 * Jobs that have not begun when watch says stop are left out. watch may be NULL. */
BRI_API void bri_parallel(int count, int threads, void (*job)(void *context, int i), void *context,
                          const bri_watch *watch);

/* ---- traces: a run kept in memory ---------------------------------------------------------- */

/* The rows of a run, its events, and how it ended. */
typedef struct bri_trace {
    bri_recorder *recorder; /* names and units of the columns */
    int n_columns;          /* the time is one of them */
    long n_rows;            /* complete ones */
    long room;              /* rows that were asked for */
    double *data;           /* column after column, room numbers each */
    bri_event *events;      /* [n_events], in the order of time */
    long n_events;          /* kept */
    long events_missed;     /* more of them, for which there was no room */
    bri_stats stats;        /* counters */
    bri_energies energies;  /* account at the end */
    double seconds;         /* processor time of the integration [s] */
    bri_error err; /* err.status != BRI_OK: why it ended early; the rows until then are there */
} bri_trace;

/* Run a definition and keep its rows, `output` seconds apart. The status is also in t->err. Free
 * with bri_trace_free in any case. */
BRI_API bri_status bri_trace_run(bri_trace *t, const bri_sim_def *def, double output,
                                 const bri_watch *watch);
BRI_API void bri_trace_free(bri_trace *t); /* free all it owns */

/* A column by its name, "block.x", or by number; NULL if there is none. Column 0 is the time. */
BRI_API const double *bri_trace_find(const bri_trace *t, const char *name);
BRI_API const double *bri_trace_column(const bri_trace *t, int column);

/* Processor time that the definition takes from start to end without rows [s]: the least of
 * several runs if it is short. NaN if it fails. */
BRI_API double bri_time_run(const bri_sim_def *def);

/* ---- what is measured on traces ------------------------------------------------------------ */

/* x against a reference, both at the same instants (Pennestri et al. 2016, section 4). */
typedef struct bri_difference {
    double xi;    /* 100 max |(x - ref)/x| [%] */
    double Gamma; /* 100 mean |(x - ref)/x| [%]; samples with x = ref = 0 do not count */
    double rmse;  /* sqrt(mean (x - ref)^2) */
    double most;  /* max |x - ref| */
    double end;   /* x - ref at the last sample */
    double mean;  /* mean |x - ref| */
} bri_difference;

/* Compare count samples. */
BRI_API bri_difference bri_measure_difference(const double *x, const double *ref, long count);

/* An oscillation that repeats, such as stick-slip, seen in y(t) from time `from` on. An extreme
 * counts if y turns by more than a tenth of its range; mean values over the whole cycles. */
typedef struct bri_cycles {
    int count;        /* whole cycles, from peak to peak; the rest is NaN if there is none */
    double period;    /* [s] */
    double high, low; /* mean of the peaks and of the valleys */
    double drift;     /* change of y from one peak to the next */
} bri_cycles;

/* The cycles in count samples. */
BRI_API bri_cycles bri_measure_cycles(const double *t, const double *y, long count, double from);

/* y at time `at` by linear interpolation; NaN outside. */
BRI_API double bri_value_at(const double *t, const double *y, long count, double at);

/* Mean of y over time from a to b, trapezoidal. */
BRI_API double bri_mean_over(const double *t, const double *y, long count, double a, double b);

/* ---- tables of results --------------------------------------------------------------------- */

/* How a cell is to be seen; colours where the form has them. */
typedef enum bri_tone {
    BRI_TONE_PLAIN, /* no colour */
    BRI_TONE_GOOD,  /* green */
    BRI_TONE_FAIR,  /* yellow */
    BRI_TONE_BAD,   /* red */
    BRI_TONE_OPEN,  /* blue: neither, it cannot be told */
} bri_tone;

/* A column of a table. Strings of a column must outlive the table. */
typedef struct bri_column {
    const char *key;  /* for machines, "xi" */
    const char *name; /* for people; NULL: the key */
    const char *unit; /* NULL or "": none */
    int digits;       /* significant digits of its numbers; 0: it holds text */
    const char *text; /* what it says, in one line; NULL: it speaks for itself */
} bri_column;

typedef struct bri_table bri_table; /* rows of numbers and text */

/* An empty table. NULL if there is no memory. The title may be NULL. */
BRI_API bri_table *bri_table_create(const char *title, const bri_column *columns, int n_columns);
BRI_API void bri_table_free(bri_table *t); /* free all it owns; NULL is allowed */

/* The next cell, row after row. A number that is not finite is shown as "-" and is null for
 * machines. A failure to take memory shows when the table is written. */
BRI_API void bri_table_number(bri_table *t, double value, bri_tone tone);
BRI_API void bri_table_text(bri_table *t, const char *text, bri_tone tone);

/* The next cell: one number for machines that reads differently for people, "about 20". */
BRI_API void bri_table_both(bri_table *t, double value, const char *text, bri_tone tone);

BRI_API int bri_table_rows(const bri_table *t); /* number of complete rows */

/* The forms of a table: aligned text, the same in colours, Markdown, an HTML element, a JSON array
 * of objects, CSV. */
typedef enum bri_form {
    BRI_FORM_TEXT,     /* aligned text */
    BRI_FORM_COLOUR,   /* aligned text with colours of the terminal */
    BRI_FORM_MARKDOWN, /* Markdown */
    BRI_FORM_HTML,     /* an HTML element */
    BRI_FORM_JSON,     /* a JSON array of objects */
    BRI_FORM_CSV,      /* CSV */
} bri_form;

/* Write the table in that form. */
BRI_API bri_status bri_table_write(const bri_table *t, bri_form form, FILE *out, bri_error *err);

/* ---- reports ------------------------------------------------------------------------------- */

/* One self-contained page, DIR/report.html: text, tables, pictures. Beside it the numbers behind
 * each table and picture as DIR/NAME.csv, and each picture as DIR/NAME.svg. The first failure is
 * remembered until the end; the page then holds what could be made. */
typedef struct bri_report bri_report;

/* Begin a report. Makes the directory if it is not there. */
BRI_API bri_status bri_report_create(const char *dir, const char *title, bri_report **r,
                                     bri_error *err);

BRI_API void bri_report_heading(bri_report *r, const char *text); /* a heading */
BRI_API void bri_report_text(bri_report *r, const char *text);    /* a paragraph */

/* A table, and NAME.csv. */
BRI_API void bri_report_table(bri_report *r, const char *name, const bri_table *t);

/* A picture, and NAME.csv and NAME.svg. */
BRI_API void bri_report_picture(bri_report *r, const char *name, const char *caption,
                                const bri_plot *plot);

/* Text as it stands, such as a scenario, under a line that opens and closes it. */
BRI_API void bri_report_listing(bri_report *r, const char *label, const char *text);

/* Write the page, with versions and the command that made it (NULL: not said), and free. With
 * r = NULL nothing happens. */
BRI_API bri_status bri_report_close(bri_report *r, const char *command, bri_error *err);

/* ---- measured data as a reference ---------------------------------------------------------- */

/* Samples that were measured, in SI units. */
typedef struct bri_measured {
    double *t, *y; /* times [s] and values [count] */
    long count;    /* samples */
} bri_measured;

/* Read two columns of a CSV file. The map says which and in which units,
 * "block.x=pos[mm],t=time[ms]": ours=theirs[unit]; what it does not say is a column of the same
 * name in SI units, and a NULL map says nothing. `ours` is the column that is compared and `unit`
 * its unit. On failure the text of err begins with file and line. Free with bri_measured_free in
 * any case. */
BRI_API bri_status bri_measured_read(bri_measured *m, const char *file, const char *map,
                                     const char *ours, const char *unit, bri_error *err);
BRI_API void bri_measured_free(bri_measured *m); /* free the samples */

/* The column that a map speaks of beside the time, copied to ours; BRI_NOT_FOUND if there is none,
 * BRI_BAD_VALUE if it is no map. */
BRI_API bri_status bri_measured_ours(const char *map, char *ours, size_t size, bri_error *err);

/* y(t) against the samples, `shift` seconds added to their times: y is interpolated linearly to the
 * instants that lie within it, *used of them. NaN if there is none. */
BRI_API bri_difference bri_measured_difference(const bri_measured *m, const double *t,
                                               const double *y, long count, double shift,
                                               long *used);

/* The shift with the least RMSE, of all that let at least half of the samples that can meet y(t) at
 * once do so. */
BRI_API double bri_measured_shift(const bri_measured *m, const double *t, const double *y,
                                  long count);

/* Room for the columns of points. */
enum {
    BRI_POINT_COLUMNS = 4, /* columns */
};

/* Measured points in any order, in SI units: such as steady forces over velocities. */
typedef struct bri_points {
    double *value[BRI_POINT_COLUMNS]; /* columns [count] */
    long count;                       /* points */
} bri_points;

/* Read n columns of a CSV file. The map says which column of the file is which of `ours`,
 * "v=speed[mm/s], F=force"; what it does not say is a column of the same name. A unit stands in the
 * map or in the header, "F [kN]", else the column is in the unit of `units`. On failure the text of
 * err begins with file and line, and nothing is kept. */
BRI_API bri_status bri_points_read(bri_points *p, const char *file, const char *map,
                                   const char *const *ours, const char *const *units, int n,
                                   bri_error *err);
BRI_API void bri_points_free(bri_points *p); /* free the columns */

/* ---- comparing laws ------------------------------------------------------------------------ */

/* What is compared: laws x solvers x tolerances of one scenario. Zero is a good value everywhere
 * but for the scenario. */
typedef struct bri_compare_def {
    const char *scenario;             /* file or name */
    const bri_override *overrides;    /* changes to it, as --set gives them */
    int n_overrides;                  /* how many */
    const bri_laws *known;            /* laws known by name, see bri_scenario_options; or NULL */
    const bri_model *const *laws;     /* none: those of its `compare`, else some usual ones */
    int n_laws;                       /* how many */
    const bri_solver *const *solvers; /* none: its own */
    int n_solvers;                    /* how many */
    const double *rtol;               /* none: its own */
    int n_rtol;                       /* how many */
    const char *column;               /* "block.x"; NULL: position of the first free body */
    const bri_model *reference;       /* NULL: its own, else coulomb; solved exactly */
    const char *measured;             /* a CSV file as the reference instead, or NULL */
    const char *map;                  /* of its columns, see bri_measured_read */
    double shift;                     /* added to its times [s] */
    int find_shift;                   /* nonzero: for each row the shift with the least RMSE */
    double limit;                     /* processor time that a run may take [s]; 0: any */
    int threads;                      /* 0: one per processor */
} bri_compare_def;

/* One law with one solver at one tolerance. Numbers that do not exist are NaN. */
typedef struct bri_compare_row {
    char law[64];             /* its name */
    const bri_solver *solver; /* the time integrator */
    double rtol;              /* NaN: the solver has a fixed step */
    bri_error err;            /* status != BRI_OK: why there are no numbers */
    char parameters[600];     /* of the law in the contact, "mu_c 0.5, v_s 0.05 m/s" */
    char lost[600];           /* given in the scenario, but of no use to the law; "": nothing */
    char derived[600];        /* not given, found by a rule, which is shown */
    char invented[600];       /* taken from a set that was published for another rig */

    bri_difference off; /* what is off from the reference */
    double shift;       /* that was taken for measured data [s] */
    double own;         /* RMSE to the same law at a tight tolerance, if several are compared */
    double unsettled; /* > 0: share of its range by which it changes however tight the tolerance: no
                       * limit; 0: it approaches one; NaN: not found out */
    double drift;     /* change of the column per cycle of the excitation, else of the motion */
    double creep;     /* its rate at the end, where the reference stands still */
    double dissipated; /* [J] */
    double break_away; /* largest friction force of the contact [N] */
    double period;     /* of what repeats, peak to peak [s] */
    double swing;      /* from its valleys to its peaks */
    bri_stats stats;   /* counters of the run */
    double seconds;    /* processor time */
    double Psi; /* the same relative to the dearest row [%] (Pennestri et al. 2016, eq. 31) */
    bri_traits traits; /* of the law with its parameters here */

    double *y, *v, *F, *heat; /* column, sliding velocity, friction, dissipation at the instants */
} bri_compare_row;

/* Room for a line of text. */
enum {
    BRI_COMPARE_TEXT = 200, /* bytes, the zero at the end among them */
};

/* The outcome of a comparison. */
typedef struct bri_compare {
    char scenario[BRI_COMPARE_TEXT]; /* file or name */
    char title[BRI_COMPARE_TEXT];    /* of the scenario */
    char column[64], unit[32];       /* what is compared */
    char rate[40];                   /* its unit per second */
    char contact[64]; /* the contact whose velocity and friction are told; "": none */
    int rotary;       /* nonzero: it is one of a rotor, and they are in rad/s and N m */
    char reference[BRI_COMPARE_TEXT]; /* in words */
    char note[BRI_COMPARE_TEXT];      /* what was chosen because nothing was said; "": nothing */
    double *t;                        /* the instants */
    long n_times;                     /* how many */
    bri_compare_row exact;            /* the law taken for the truth, if it is one */
    bri_measured measured;            /* or the samples */
    int relative;          /* nonzero: the reference keeps its sign, xi and Gamma are relative to
                              x; else they are relative to the range below */
    int rests;             /* nonzero: it stands still at the end */
    double range;          /* of the reference, or of all rows if it never moves */
    double cycle;          /* period of the excitation [s]; NaN: none */
    bri_compare_row *rows; /* law after law */
    int n_rows;            /* how many */
    char **advice;         /* sentences that rest on the rows */
    int n_advice;          /* how many */
} bri_compare;

/* Run all of it. A run that fails says so in its row. On other failures *c is NULL and messages say
 * why. Once watch says stop, the rows that are not complete say "interrupted". */
BRI_API bri_status bri_compare_run(const bri_compare_def *def, const bri_watch *watch,
                                   bri_compare **c, bri_messages *messages);
BRI_API void bri_compare_free(bri_compare *c); /* free all it owns; NULL is allowed */

/* The rows as a table: every one with all that was measured, or for people, without the rows that
 * failed and the columns that say the same or nothing everywhere. NULL if there is no memory. */
BRI_API bri_table *bri_compare_table(const bri_compare *c, int all);

/* What should be known of the parameters of a row, "dahl: no use for v_s 0.05 m/s ...; derived
 * ...": 0, and nothing, if there is nothing to tell or an earlier row of the law has told it. */
BRI_API int bri_compare_parameters(const bri_compare *c, int row, char *text, size_t size);

/* Everything but the curves as one JSON object: what is compared, rows, advice. */
BRI_API bri_status bri_compare_json(const bri_compare *c, FILE *out, bri_error *err);

/* How many rows have numbers. */
BRI_API int bri_compare_good(const bri_compare *c);

/* A picture: the column, sliding velocity, friction and dissipation over time, and with several
 * tolerances error against cost. */
BRI_API bri_status bri_compare_plot(const bri_compare *c, const char *file, bri_error *err);

/* A page with settings, table, advice, pictures and the scenario. */
BRI_API bri_status bri_compare_report(const bri_compare *c, const bri_compare_def *def,
                                      const char *dir, const char *command, bri_error *err);
/* ---- conformance: which law keeps which promise -------------------------------------------- */

/* One phenomenon and the standard experiment that measures it, a row of one table. */
typedef struct bri_phenomenon {
    const char *key;   /* "creep_30" */
    const char *name;  /* "creep at 30 %" */
    const char *unit;  /* "m/s"; "1" if there is none */
    const char *group; /* "holding": phenomena of a group follow each other and make one table */
    const char *text;  /* how it is measured */
    double floor;      /* smaller values are shown as 0: the experiment cannot tell them from it */
    double want;       /* what a law should show; NaN: there is no good or bad */
    double good, fair; /* distance from there that is still good, still fair */
    int above;         /* nonzero: more than wanted is good as well */
    int machine;       /* nonzero: depends on the machine, belongs in no published table */
    const char *shown; /* unit in tables for people, "mm/s"; NULL: the one above */
    double scale;      /* what a number is multiplied by there; 0: 1 */
} bri_phenomenon;

BRI_API int bri_phenomenon_count(void);                             /* number of phenomena */
BRI_API const bri_phenomenon *bri_phenomenon_at(int i);             /* phenomenon i, from 0 */
BRI_API const bri_phenomenon *bri_phenomenon_find(const char *key); /* NULL: there is none */

/* The parameters that all laws share in these experiments, for people. */
BRI_API const char *bri_conform_standard(void);

/* A law with the standard parameters it knows, and then those of the settings, "fade=1,sigma1=0";
 * NULL: none. Any bri_model will do. */
BRI_API bri_status bri_conform_setup(bri_setup *s, const bri_model *m, const char *settings,
                                     bri_error *err);

/* Readings of laws that the table has besides the laws as they are, "lugre,fade=1". NULL at the
 * end. */
BRI_API const char *bri_conform_reading(int i);

/* What an experiment found. Every one is done twice, the second time with a tenth of the tolerance;
 * digits is how many significant ones (3 at most) both have in common. */
typedef struct bri_finding {
    double value;     /* of the second time; NaN: there is no number */
    const char *word; /* what is said in place of a number, "rigid"; NULL: nothing; "no
                         memory": nothing was found out about the law */
    int digits;       /* that can be trusted, 0 to 3 */
    bri_tone tone;    /* good, fair, bad, or plain if there is no better or worse */
} bri_finding;

typedef struct bri_conformance bri_conformance; /* the findings of all laws */

/* Measure n laws, several at a time. names[i] is shown for laws[i], NULL: those of the models; laws
 * and names must outlive the result. rtol is the relative tolerance of the simulations, 0: 1e-8. A
 * failed experiment is a finding too; what watch interrupts is told by BRI_NO_PROGRESS. */
BRI_API bri_status bri_conform(const bri_setup *laws, const char *const *names, int n, double rtol,
                               const bri_watch *watch, bri_conformance **c, bri_error *err);
BRI_API void bri_conformance_free(bri_conformance *c); /* free all it owns; NULL is allowed */

/* What was found for a law and a phenomenon, both by their place from 0. */
BRI_API bri_finding bri_conformance_finding(const bri_conformance *c, int law, int phenomenon);

/* One experiment on one law. */
BRI_API bri_finding bri_conform_one(const bri_setup *law, const bri_phenomenon *what, double rtol);

/* The table of a group, laws as rows; machine = 0: without what depends on the machine. NULL if
 * there is no memory or nothing to show. Free before the result. */
BRI_API bri_table *bri_conformance_table(bri_conformance *c, const char *group, int machine);

/* All findings as one list: law, phenomenon, value, word, unit, verdict, experiment. */
BRI_API bri_table *bri_conformance_list(bri_conformance *c);

/* ---- trials: whether a law is sound --------------------------------------------------------- */

/* One thing that every law has to do, tried at some thousand samples. */
typedef struct bri_trial {
    const char *name; /* "derivatives" */
    const char *text; /* what is tried */
    int passed;       /* 1: yes, 0: no, -1: the law has nothing of the kind, -2: not tried, for want
                         of memory */
    char found[240];  /* if not, the first place where it fails */
} bri_trial;

BRI_API int bri_trial_count(void);     /* number of trials */
BRI_API bri_trial bri_trial_at(int i); /* trial i, from 0, not yet done: its name and text */

/* Do trial i, from 0, with any bri_model: parameters, velocities, loads and states are taken from
 * all over their ranges, always the same ones. */
BRI_API bri_trial bri_try_law(const bri_model *m, int i);

/* ---- published experiments, done again ------------------------------------------------------ */

/* What is said of a published value. */
typedef enum bri_verdict {
    BRI_MATCHES,   /* within the tolerance of the published value */
    BRI_EXPLAINED, /* not, but another reading of the paper, or a computation by other means, gives
                      the published value */
    BRI_UNDETERMINED, /* not, and the paper leaves out what the value depends on */
    BRI_DIFFERS,      /* none of these */
    BRI_VERDICT_COUNT /* number of them */
} bri_verdict;

BRI_API const char *bri_verdict_name(bri_verdict v); /* "matches" */

/* One quantity of a paper. The strings belong to the reproduction. */
typedef struct bri_reproduced {
    const char *paper;           /* "rill" */
    const char *experiment;      /* "pulse load" */
    const char *quantity, *unit; /* what is compared, and its unit */
    const char *source; /* of the published value: "printed", "claim", "closed form", "independent"
                         */
    const char *shown;  /* it as the source has it, "0.0513"; "> 1" for a bound */
    double published, computed; /* the two values */
    double tolerance;           /* of their difference; NaN for a bound */
    const char *grounds; /* where tolerance or bound come from; "digits": half a unit of the last */
    bri_verdict verdict; /* whether they agree */
    int known;           /* nonzero: it differs, and independent computations do so by as much */
    const char *reason;  /* why it does not match; "" if it does */
    int timed;           /* nonzero: of processor times, so it depends on the machine */
} bri_reproduced;

typedef struct bri_reproduction bri_reproduction; /* what was found, paper after paper */

/* The papers, in the order of their bits in `papers` below. */
BRI_API int bri_paper_count(void);
BRI_API const char *bri_paper_key(int i);   /* "pennestri"; NULL if there is none */
BRI_API const char *bri_paper_title(int i); /* its title, for people; NULL if there is none */

/* Do the experiments of the papers again, bit i for paper i, from the scenarios that ship, changed
 * by overrides (what does not fit a scenario makes its quantities differ). If watch says stop,
 * BRI_NO_PROGRESS; what was found until then is kept. Free *r in any case. */
BRI_API bri_status bri_reproduce(unsigned papers, const bri_override *overrides, int n_overrides,
                                 const bri_watch *watch, bri_reproduction **r, bri_error *err);
BRI_API void bri_reproduction_free(bri_reproduction *r); /* free all it owns; NULL is allowed */

BRI_API int bri_reproduction_rows(const bri_reproduction *r); /* number of quantities */

/* Quantity i, from 0, and how many have a verdict: those that no machine changes, and those of
 * processor times. */
BRI_API const bri_reproduced *bri_reproduction_row(const bri_reproduction *r, int i);
BRI_API int bri_reproduction_count(const bri_reproduction *r, bri_verdict v);
BRI_API int bri_reproduction_timed(const bri_reproduction *r, bri_verdict v);

/* How many differ otherwise than is known: 0 unless something is wrong. */
BRI_API int bri_reproduction_surprises(const bri_reproduction *r);

/* The rows of paper i, or of all if i < 0. With machines != 0 all columns, keys `paper,
 * experiment, quantity, unit, published, computed, difference, tolerance, source, verdict, reason`;
 * else what people read. NULL if there is no memory. */
BRI_API bri_table *bri_reproduction_table(const bri_reproduction *r, int paper, int machines);

/* How many quantities have which verdict: a row per paper that was done, and their sum. NULL if
 * there is no memory. */
BRI_API bri_table *bri_reproduction_counts(const bri_reproduction *r);

/* All quantities, each beside the figure it belongs to, one section per paper, and what chooses
 * papers and verdicts in a browser. */
BRI_API void bri_reproduction_report(const bri_reproduction *r, bri_report *report);

#ifdef __cplusplus
}
#endif
#endif
