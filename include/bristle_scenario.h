/* bristle_scenario.h - systems described in YAML files, and what a run of one writes. */
#ifndef BRISTLE_SCENARIO_H
#define BRISTLE_SCENARIO_H

#include "bristle_law.h"
#include "bristle_sim.h"
#include "bristle_tools.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reading ------------------------------------------------------------------------------- */

/* A change to a scenario before it is understood, "pad.sigma0=2e5", as --set gives it. */
typedef struct bri_override {
    const char *key;   /* path of keys: "pad.sigma0", "block.mass", "run.until" */
    const char *value; /* as it would stand in the file, "2e5 N/m" */
} bri_override;

/* Changes to a scenario while it is read. */
typedef struct bri_scenario_options {
    const bri_override *overrides; /* changed keys */
    int n_overrides;               /* how many */
    const bri_model
        *model; /* put this law on every contact, with what the file gives, by role; or NULL */
    const bri_laws *laws; /* known by name beside those of the library and of the file; or NULL */
} bri_scenario_options;

typedef struct bri_scenario bri_scenario; /* owns everything that its definition points to */

/* Read a scenario from a file or, if there is no such file, from those that ship with bristle.
 * options may be NULL. On failure *s is NULL and messages say why. */
BRI_API bri_status bri_scenario_load(const char *file_or_name, const bri_scenario_options *options,
                                     bri_scenario **s, bri_messages *messages);

/* The same from text in memory; name stands for the file in messages and is where relative file
 * names in it start from. */
BRI_API bri_status bri_scenario_parse(const char *text, size_t length, const char *name,
                                      const bri_scenario_options *options, bri_scenario **s,
                                      bri_messages *messages);

BRI_API void bri_scenario_free(bri_scenario *s); /* free all it owns; NULL is allowed */

/* What it describes, ready for bri_sim_create while the scenario lives. */
BRI_API const bri_sim_def *bri_scenario_def(const bri_scenario *s);
BRI_API const char *bri_scenario_title(const bri_scenario *s); /* or the name of the file */
BRI_API double bri_scenario_output(const bri_scenario *s);     /* time between samples [s] */

/* The files it was read from: itself and its tables, i from 0; NULL: there are no more. */
BRI_API const char *bri_scenario_file(const bri_scenario *s, int i);

/* The system in words, as `bristle check` prints it; the text belongs to the scenario. Empty if
 * there is no memory. */
BRI_API const char *bri_scenario_describe(bri_scenario *s);

/* Where the parameters of a contact come from: given, carried over from the law that the file names
 * when another stands in for it, derived, or defaults. NULL: there is no such contact. */
BRI_API const bri_setup *bri_scenario_setup(const bri_scenario *s, int contact);

/* The law of the file that another one stands in for (bri_scenario_options.model); NULL: none. */
BRI_API const bri_model *bri_scenario_replaced(const bri_scenario *s, int contact);

/* What the file gives and the law of the contact has no use for. */
BRI_API const bri_lost *bri_scenario_lost(const bri_scenario *s, int contact, int *count);

/* What should be known of the parameters before a result is believed: a line for each contact and
 * kind of news, lost, derived, taken from another rig; "" if there is none. The text belongs to the
 * scenario. */
BRI_API const char *bri_scenario_notes(bri_scenario *s);

/* The contacts as JSON, every parameter with value, unit, role and origin, and what is lost. */
BRI_API void bri_scenario_json(const bri_scenario *s, FILE *out);

/* Scenarios that ship with bristle, in alphabetical order. */
BRI_API int bri_scenario_count(void);                    /* how many there are */
BRI_API const char *bri_scenario_name(int i);            /* name of scenario i, from 0 */
BRI_API const char *bri_scenario_text(const char *name); /* as in the file; NULL: there is none */

/* The keys of a part of the file: "" (the file itself), "bodies", "couplings", "contacts",
 * "drives", "run", "compare" and "table" (the signal). A row without a unit ("") is not a number.
 * Parameters of couplings, laws and signals come on top, from their own tables. NULL if there is no
 * such part. */
BRI_API const bri_param *bri_scenario_keys(const char *part, int *count);

/* The laws that it knows by name, those of its `laws` among them; they live as long as it does. */
BRI_API bri_laws *bri_scenario_laws(const bri_scenario *s);

/* The laws that its `compare` names, and the one they are compared with. */
BRI_API int bri_scenario_rivals(const bri_scenario *s);                    /* number of laws */
BRI_API const bri_model *bri_scenario_rival(const bri_scenario *s, int i); /* law i, from 0 */
BRI_API const bri_model *bri_scenario_reference(const bri_scenario *s);    /* the law; NULL: none */

/* ---- recording ----------------------------------------------------------------------------- */

/* The columns of a run: t, <body>.x, <body>.v, <contact>.F, ..., energy.residual. */
typedef struct bri_recorder bri_recorder;

/* The columns that a definition has; the names belong to the recorder. A body, contact or coupling
 * without a name gets its kind and a number, "spring2". */
BRI_API bri_status bri_recorder_create(const bri_sim_def *def, bri_recorder **r, bri_error *err);
BRI_API void bri_recorder_free(bri_recorder *r); /* free all it owns; NULL is allowed */

/* Keep t and the columns that match one of the patterns, "block*.x,energy.*"; * stands for any
 * letters, ? for one. BRI_NOT_FOUND, and nothing changed, if one of them matches no column. */
BRI_API bri_status bri_recorder_select(bri_recorder *r, const char *patterns, bri_error *err);

BRI_API int bri_recorder_columns(const bri_recorder *r);                  /* number of columns */
BRI_API const char *bri_recorder_name(const bri_recorder *r, int column); /* "block.x" */
BRI_API const char *bri_recorder_unit(const bri_recorder *r, int column); /* "m" */
BRI_API int bri_recorder_find(const bri_recorder *r, const char *name);   /* column; -1: none */

/* The instants of the rows of a run: every `output` seconds, and the end. */
typedef struct bri_rows {
    double start, end;  /* first and last instant [s] */
    double step, scale; /* row i is at start + i step / scale */
    long count;         /* rows */
} bri_rows;

/* The rows of a definition, `output` seconds apart. */
BRI_API bri_rows bri_rows_of(const bri_sim_def *def, double output);
BRI_API double bri_row_time(const bri_rows *r, long row); /* time of a row [s] */

/* Write the present values of all columns to row. */
BRI_API void bri_recorder_read(const bri_recorder *r, bri_sim *sim, double *row);

/* ---- result files -------------------------------------------------------------------------- */

/* What a result file or a picture says about its run. All of it must outlive the writer. */
typedef struct bri_run_head {
    const char *title;            /* of the scenario; NULL: none */
    const char *source;           /* file or name of the scenario; NULL: none */
    const bri_sim_def *def;       /* what was run */
    const bri_recorder *recorder; /* its columns */
    double output;                /* time between rows [s] */
} bri_run_head;

/* How a run ended. */
typedef struct bri_run_end {
    bri_stats stats;       /* counters */
    bri_energies energies; /* account at the end */
    bri_status status;     /* BRI_OK if it reached its end */
    const char *text;      /* why it failed; NULL or "": it did not */
    bri_findings findings; /* what it noticed of itself, see bri_sim_verdict */
    const char *doubt;     /* why it is not to be trusted; NULL or "": nothing speaks against it */
    const char *path;      /* how it was computed, see bri_sim_path; NULL: not said */
} bri_run_end;

typedef struct bri_writer bri_writer; /* a result file being written */

/* Whether a result can be written under that name: BRI_BAD_VALUE unless the name is NULL (CSV to
 * standard output), ends in .csv, .json or .mat, or is a device or a pipe (CSV). */
BRI_API bri_status bri_writer_check(const char *file, bri_error *err);

/* Begin a result file. CSV is written as the rows come, under its own name or, if there is such a
 * file already, beside it until it is closed; JSON and MAT files appear complete, when closed, or
 * not at all. Every failure of the file system is BRI_BAD_FILE. Ignore SIGPIPE and SIGXFSZ to be
 * told of a closed pipe and of a limit of the file size. */
BRI_API bri_status bri_writer_open(const bri_run_head *head, const char *file, bri_writer **w,
                                   bri_error *err);

/* Write one row, with the columns of the head's recorder. */
BRI_API bri_status bri_writer_row(bri_writer *w, const double *row, bri_error *err);

/* Hand what is complete to the system. */
BRI_API bri_status bri_writer_flush(bri_writer *w, bri_error *err);

/* Finish and free, also on failure. With end = NULL only free: a file that is not complete does not
 * appear, but rows of CSV that the system has got stay. w may be NULL. */
BRI_API bri_status bri_writer_close(bri_writer *w, const bri_run_end *end, bri_error *err);

/* The picture of a run: motion, friction and energy over time, friction against velocity;
 * velocities of bodies and forces of couplings where these do not say the same. */
typedef struct bri_run_plot bri_run_plot;

/* Begin a picture. rows: how many will come, at least roughly. Only what is needed to draw is kept.
 */
BRI_API bri_status bri_run_plot_create(const bri_run_head *head, long rows, bri_run_plot **p,
                                       bri_error *err);

/* Before the first row: draw other columns, "block.x,*.F,pad.v:pad.F" (patterns as for
 * bri_recorder_select, over time; X:Y draws Y over X), and only the span of time from ... until
 * [s]. columns = NULL and NaN leave that as it is. BRI_NOT_FOUND if a column is not there. */
BRI_API bri_status bri_run_plot_view(bri_run_plot *p, const char *columns, double from,
                                     double until, bri_error *err);
BRI_API void bri_run_plot_row(bri_run_plot *p, const double *row); /* the next row */

/* Between two rows, after a bri_sim_step: for the picture to miss nothing it sees every step. */
BRI_API void bri_run_plot_step(bri_run_plot *p, bri_sim *sim);
BRI_API void bri_run_plot_free(bri_run_plot *p); /* free all it owns; NULL is allowed */

/* Draw it into a file, as bri_plot_write does. */
BRI_API bri_status bri_run_plot_write(bri_run_plot *p, const char *file, bri_error *err);

#ifdef __cplusplus
}
#endif
#endif
