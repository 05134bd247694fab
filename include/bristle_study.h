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
    void *context;
    int (*stop)(void *context);                    /* nonzero: end as soon as possible */
    void (*progress)(void *context, double share); /* 0 to 1 */
} bri_watch;

/* Do job(context, i) for i = 0 ... count - 1, several at a time; threads = 0: one per processor.
 * Jobs that have not begun when watch says stop are left out. watch may be NULL. */
BRI_API void bri_parallel(int count, int threads, void (*job)(void *context, int i), void *context,
                          const bri_watch *watch);

/* ---- traces: a run kept in memory ---------------------------------------------------------- */

typedef struct bri_trace {
    bri_recorder *recorder; /* names and units of the columns */
    int n_columns;
    long n_rows;  /* complete ones */
    long room;    /* rows that were asked for */
    double *data; /* column after column, room numbers each */
    bri_event *events;
    long n_events, events_missed;
    bri_stats stats;
    bri_energies energies;
    double seconds; /* processor time of the integration [s] */
    bri_error err;  /* err.status != BRI_OK: why it ended early; the rows until then are there */
} bri_trace;

/* Run a definition and keep its rows, `output` seconds apart. The status is also in t->err. Free
 * with bri_trace_free in any case. */
BRI_API bri_status bri_trace_run(bri_trace *t, const bri_sim_def *def, double output,
                                 const bri_watch *watch);
BRI_API void bri_trace_free(bri_trace *t);

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
} bri_difference;

BRI_API bri_difference bri_measure_difference(const double *x, const double *ref, long count);

/* An oscillation that repeats, such as stick-slip, seen in y(t) from time `from` on. An extreme
 * counts if y turns by more than a tenth of its range; mean values over the whole cycles. */
typedef struct bri_cycles {
    int count;        /* whole cycles, from peak to peak; the rest is NaN if there is none */
    double period;    /* [s] */
    double high, low; /* mean of the peaks and of the valleys */
    double drift;     /* change of y from one peak to the next */
} bri_cycles;

BRI_API bri_cycles bri_measure_cycles(const double *t, const double *y, long count, double from);

/* y at time `at` by linear interpolation; NaN outside. */
BRI_API double bri_value_at(const double *t, const double *y, long count, double at);

/* Mean of y over time from a to b, trapezoidal. */
BRI_API double bri_mean_over(const double *t, const double *y, long count, double a, double b);

/* ---- tables of results --------------------------------------------------------------------- */

typedef enum bri_tone { BRI_TONE_PLAIN, BRI_TONE_GOOD, BRI_TONE_FAIR, BRI_TONE_BAD } bri_tone;

/* Strings of a column must outlive the table. */
typedef struct bri_column {
    const char *key;  /* for machines, "xi" */
    const char *name; /* for people; NULL: the key */
    const char *unit; /* NULL or "": none */
    int digits;       /* significant digits of its numbers; 0: it holds text */
    const char *text; /* what it says, in one line; NULL: it speaks for itself */
} bri_column;

typedef struct bri_table bri_table;

/* NULL if there is no memory. The title may be NULL. */
BRI_API bri_table *bri_table_create(const char *title, const bri_column *columns, int n_columns);
BRI_API void bri_table_free(bri_table *t); /* NULL is allowed */

/* The next cell, row after row. A number that is not finite is shown as "-" and is null for
 * machines. A failure to take memory shows when the table is written. */
BRI_API void bri_table_number(bri_table *t, double value, bri_tone tone);
BRI_API void bri_table_text(bri_table *t, const char *text, bri_tone tone);
/* One number for machines that reads differently for people, "about 20". */
BRI_API void bri_table_both(bri_table *t, double value, const char *text, bri_tone tone);

BRI_API int bri_table_rows(const bri_table *t); /* complete ones */

/* The forms of a table: aligned text, the same in colours, Markdown, an HTML element, a JSON array
 * of objects, CSV. */
typedef enum bri_form {
    BRI_FORM_TEXT,
    BRI_FORM_COLOUR,
    BRI_FORM_MARKDOWN,
    BRI_FORM_HTML,
    BRI_FORM_JSON,
    BRI_FORM_CSV,
} bri_form;

BRI_API bri_status bri_table_write(const bri_table *t, bri_form form, FILE *out, bri_error *err);

/* ---- reports ------------------------------------------------------------------------------- */

/* One self-contained page, DIR/report.html: text, tables, pictures. Beside it the numbers behind
 * each table and picture as DIR/NAME.csv, and each picture as DIR/NAME.svg. The first failure is
 * remembered until the end; the page then holds what could be made. */
typedef struct bri_report bri_report;

/* Makes the directory if it is not there. */
BRI_API bri_status bri_report_create(const char *dir, const char *title, bri_report **r,
                                     bri_error *err);
BRI_API void bri_report_heading(bri_report *r, const char *text);
BRI_API void bri_report_text(bri_report *r, const char *text); /* one paragraph */
/* Text as it stands, such as a scenario, under a line that opens and closes it. */
BRI_API void bri_report_listing(bri_report *r, const char *label, const char *text);
BRI_API void bri_report_table(bri_report *r, const char *name, const bri_table *t);
BRI_API void bri_report_picture(bri_report *r, const char *name, const char *caption,
                                const bri_plot *plot);

/* Write the page, with versions and the command that made it (NULL: not said), and free. With
 * r = NULL nothing happens. */
BRI_API bri_status bri_report_close(bri_report *r, const char *command, bri_error *err);

/* ---- published experiments, done again ------------------------------------------------------ */

typedef enum bri_verdict {
    BRI_MATCHES,   /* within the tolerance of the published value */
    BRI_EXPLAINED, /* not, but where an independent computation has it, and the reason is known */
    BRI_DIFFERS,   /* neither */
    BRI_VERDICT_COUNT
} bri_verdict;

BRI_API const char *bri_verdict_name(bri_verdict v); /* "matches" */

/* One quantity of a paper. The strings belong to the reproduction. */
typedef struct bri_finding {
    const char *paper;      /* "rill" */
    const char *experiment; /* "pulse load" */
    const char *quantity, *unit;
    const char *source; /* of the published value: "printed", "claim", "closed form", "independent"
                         */
    const char *shown;  /* it as the source has it, "0.0513"; "> 1" for a bound */
    double published, computed;
    double tolerance;    /* of their difference; NaN for a bound */
    const char *grounds; /* where tolerance or bound come from; "digits": half a unit of the last */
    bri_verdict verdict;
    const char *reason; /* why it does not match; "" if it does */
} bri_finding;

typedef struct bri_reproduction bri_reproduction;

/* The papers, in the order of their bits in `papers` below. */
BRI_API int bri_paper_count(void);
BRI_API const char *bri_paper_key(int i); /* "pennestri"; NULL if there is none */
BRI_API const char *bri_paper_title(int i);

/* Do the experiments of the papers again, bit i for paper i, from the scenarios that ship, changed
 * by overrides (what does not fit a scenario makes its quantities differ). If watch says stop,
 * BRI_NO_PROGRESS; what was found until then is kept. Free *r in any case. */
BRI_API bri_status bri_reproduce(unsigned papers, const bri_override *overrides, int n_overrides,
                                 const bri_watch *watch, bri_reproduction **r, bri_error *err);
BRI_API void bri_reproduction_free(bri_reproduction *r); /* NULL is allowed */

BRI_API int bri_reproduction_findings(const bri_reproduction *r);
BRI_API const bri_finding *bri_reproduction_finding(const bri_reproduction *r, int i);
BRI_API int bri_reproduction_count(const bri_reproduction *r, bri_verdict v);

/* The findings of paper i, or of all if i < 0. With machines != 0 all columns, keys `paper,
 * experiment, quantity, unit, published, computed, difference, tolerance, source, verdict, reason`;
 * else what people read. NULL if there is no memory. */
BRI_API bri_table *bri_reproduction_table(const bri_reproduction *r, int paper, int machines);

/* Tables and figures, one section per paper. */
BRI_API void bri_reproduction_report(const bri_reproduction *r, bri_report *report);

#ifdef __cplusplus
}
#endif
#endif
