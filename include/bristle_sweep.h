/* bristle_sweep.h - one scenario at many points: grids, lists, samples of distributions, several
 * laws and solvers; what is measured at each point is one row of a table. Conventions as in
 * bristle.h. */
#ifndef BRISTLE_SWEEP_H
#define BRISTLE_SWEEP_H

#include "bristle_scenario.h"
#include "bristle_study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is varied and measured ------------------------------------------------------------ */

/* How the points of distributions are chosen. */
typedef enum bri_sampling {
    BRI_SAMPLE_RANDOM,  /* independent of each other */
    BRI_SAMPLE_HALTON,  /* evenly spread: scrambled Halton sequence, low discrepancy */
    BRI_SAMPLE_SOBOL,   /* design of Saltelli for Sobol indices: samples (axes + 2) points */
    BRI_SAMPLE_MORRIS,  /* trajectories of Morris for screening: samples (axes + 1) points */
    BRI_SAMPLING_COUNT, /* number of them */
} bri_sampling;

BRI_API const char *bri_sampling_name(bri_sampling s); /* "halton" */

/* A function in place of a scenario: y of the point x, numbers in the order of the axes and of the
 * measures. Nonzero: it failed, for the reason that it writes to text[size]. Called from several
 * threads at once. */
typedef int (*bri_sweep_function)(void *context, const double *x, double *y, char *text,
                                  size_t size);

/* A sweep. Zero is a good value everywhere but for the scenario (or the function) and the
 * measures. Texts need not outlive bri_sweep_create, but laws, solvers, `known`, and the context
 * must outlive the sweep. */
typedef struct bri_sweep_def {
    const char *scenario;          /* file or name; NULL: a function */
    const bri_override *overrides; /* changes to it, as --set gives them */
    int n_overrides;               /* how many */
    const bri_laws *known;         /* laws known by name, see bri_scenario_options; or NULL */

    const char *const *vary; /* "belt.velocity=0.01:1:50", "k=log:1:1e4:50", "block.mass=1,2,5 kg":
                                all combinations, the last one fastest; "belt.velocity,block.v=1,2":
                                both have the same value, the column is that of the first */
    int n_vary;              /* how many */
    const char *const *random;    /* "pad.mu_c=normal(0.3, 0.02)", lognormal(mean, deviation),
                                     uniform(least, most), triangular(least, likeliest, most) */
    int n_random;                 /* how many */
    const char *const *each;      /* the same for an array: each member has a value of its own */
    int n_each;                   /* how many */
    const char *const *correlate; /* "pad.mu_c,pad.mu_s=0.8": correlation of their normal scores */
    int n_correlate;              /* how many */
    const char *points;           /* CSV file of points, one column per address; or NULL */
    long samples;                 /* of the distributions at each point of the grid; 0: 100 */
    double seed;                  /* a whole number: another one, other samples */
    bri_sampling sampling;        /* how samples are chosen */

    const bri_model *const *laws; /* put on every contact, one after the other; none: as given */
    int n_laws;                   /* how many */
    const bri_solver *const *solvers; /* none: that of the scenario */
    int n_solvers;                    /* how many */

    const char *const *measures; /* "period", "top=max(abs(pad.v))": see bri_sweep_help */
    int n_measures;              /* how many */
    double from;                 /* time from which on is measured [s]; 0: the start */
    double slip_speed;           /* where a law is smooth: speed from which a contact slides [m/s];
                                    0: a tenth of the largest speed that the scenario mentions */
    int part, parts;             /* only the points i with i mod parts = part - 1; parts 0: all */
    int threads;                 /* 0: one per processor */
    const char *keep; /* folder for the rows of every run, point-N.csv, made if missing; or NULL.
                         One that holds runs of other settings is refused */

    const char *limit; /* of a picture: an expression of axes and other numbers of the scenario that
                          is 0 on a line known from elsewhere; or NULL */

    bri_sweep_function function; /* in place of the scenario; its measures are names only */
    void *context;               /* passed to it */
} bri_sweep_def;

/* What can be measured, a line each; i from 0, NULL: there are no more. */
BRI_API const char *bri_sweep_help(int i);

/* ---- the sweep ------------------------------------------------------------------------------ */

typedef struct bri_sweep bri_sweep; /* a sweep and the results it has */

/* Read all of it and check it; nothing is run. On failure *s is NULL and messages say why. */
BRI_API bri_status bri_sweep_create(const bri_sweep_def *def, bri_sweep **s,
                                    bri_messages *messages);
BRI_API void bri_sweep_free(bri_sweep *s); /* free all it owns; NULL is allowed */

BRI_API long bri_sweep_points(const bri_sweep *s); /* points of the whole sweep */
BRI_API long bri_sweep_lanes(const bri_sweep *s);  /* those computed several in one vector */
BRI_API long bri_sweep_mine(const bri_sweep *s);   /* of its part */
BRI_API long bri_sweep_done(const bri_sweep *s);   /* those with a result */
BRI_API long bri_sweep_failed(const bri_sweep *s); /* those of them that failed */

/* What a column holds. */
typedef enum bri_sweep_kind {
    BRI_SWEEP_AXIS,    /* what is varied */
    BRI_SWEEP_CHOICE,  /* the law or the solver, by its number */
    BRI_SWEEP_MEASURE, /* what is measured */
} bri_sweep_kind;

/* A column: axes first, then laws and solvers if there are several, then measures. */
typedef struct bri_sweep_column {
    const char *name;         /* "belt.velocity", "model", "period" */
    const char *unit;         /* "m/s"; "1": none */
    bri_sweep_kind kind;      /* what it holds */
    const char *const *words; /* of values 0, 1, ...; NULL: it holds numbers */
    int n_words;              /* how many */
    int random;               /* nonzero: an axis with a distribution */
    int logarithmic;          /* nonzero: an axis with a logarithmic grid */
} bri_sweep_column;

BRI_API int bri_sweep_columns(const bri_sweep *s);                       /* number of columns */
BRI_API bri_sweep_column bri_sweep_column_at(const bri_sweep *s, int i); /* column i, from 0 */

/* A point with its result. */
typedef struct bri_sweep_point {
    long index;         /* its number, from 0 */
    const double *row;  /* all columns; measures of a point that failed are NaN */
    bri_status status;  /* BRI_OK, BRI_DOUBTFUL (see bri_sim_verdict), or why it failed */
    const char *reason; /* in words; "" if there is nothing to tell */
} bri_sweep_point;

/* Point i, from 0. 0: there is no result, only the columns of axes and choices are filled. The
 * strings and numbers are valid until the next call. */
BRI_API int bri_sweep_result(bri_sweep *s, long i, bri_sweep_point *point);

/* Called for every point that is finished, from one thread at a time, in the order in which they
 * are. Nonzero: stop. */
typedef int (*bri_sweep_finished)(void *context, const bri_sweep_point *point);

/* Run all points of the part that have no result, several at a time. The results do not depend on
 * the number of threads. If watch says stop, BRI_NO_PROGRESS; what was found until then is kept.
 * `finished` may be NULL. */
BRI_API bri_status bri_sweep_run(bri_sweep *s, const bri_watch *watch, bri_sweep_finished finished,
                                 void *context, bri_error *err);

/* For points that are computed elsewhere, on other machines for example, from the same definition:
 * list up to `most` points of the part that have no result, from number `from` on, and return how
 * many; run these points only, [count]; and take a result, as `finished` has told it. Not to be
 * called while the sweep runs. */
BRI_API long bri_sweep_pending(const bri_sweep *s, long from, long *points, long most);
BRI_API bri_status bri_sweep_run_points(bri_sweep *s, const long *points, long count,
                                        const bri_watch *watch, bri_sweep_finished finished,
                                        void *context, bri_error *err);
BRI_API bri_status bri_sweep_take(bri_sweep *s, const bri_sweep_point *point, bri_error *err);

/* ---- sensitivity ---------------------------------------------------------------------------- */

/* How much one input matters for a measure, from the designs of BRI_SAMPLE_SOBOL and
 * BRI_SAMPLE_MORRIS. */
typedef struct bri_index {
    const char *input; /* the axis */
    double first;      /* Sobol: share of the variance by this input alone; Morris: mean size of the
                          elementary effects, for the whole range of shares */
    double total; /* Sobol: with all in which it takes part; Morris: their mean, with its sign */
    double first_off, total_off; /* half widths of their intervals of 95 %, by the bootstrap */
    double deviation; /* Morris: of the effects: it is not linear, or not alone; else NaN */
    long samples;     /* with all their points */
} bri_index;

BRI_API int bri_sweep_inputs(const bri_sweep *s); /* number of axes with distributions */

/* The indices of all inputs, out[bri_sweep_inputs], for a measure by its name, at the point of the
 * grids with number `at`, from 0. Samples of which a point failed are left out. */
BRI_API bri_status bri_sweep_indices(bri_sweep *s, const char *measure, long at, bri_index *out,
                                     bri_error *err);

/* The same of all measures and points of the grids as a table, with a column for each number, law
 * and solver beside the inputs; NULL: no memory. Measures that have none are left out, and err says
 * why. */
BRI_API bri_table *bri_sweep_index_table(bri_sweep *s, bri_error *err);

/* ---- pictures ------------------------------------------------------------------------------- */

/* Draw what was found, as bri_plot_write does: a map of the first measure over the first two grids,
 * with the line of `limit`, one for every law, solver and value of a third grid; every measure over
 * one grid, a line per law or solver, peaks_1, peaks_2, ... of peaks() as the dots of a
 * bifurcation; histograms of samples, and the first measure over each random axis. Samples at the
 * points of a grid are drawn as median and the band from 5 to 95 %, course() as bands over time. */
BRI_API bri_status bri_sweep_plot(bri_sweep *s, const char *file, bri_error *err);

/* Whether there is a picture for what is varied, before anything is run; BRI_BAD_VALUE: more than
 * nine maps, a single point, or laws and solvers alone. */
BRI_API bri_status bri_sweep_drawable(bri_sweep *s, bri_error *err);

/* One self-contained page, DIR/report.html: pictures, how far the measures scatter, sensitivity
 * indices, points that failed, settings and scenario; beside it the numbers of each table and
 * picture, and all rows as points.csv. `command` is what made it, for the page, or NULL. */
BRI_API bri_status bri_sweep_report(bri_sweep *s, const char *dir, const char *command,
                                    bri_error *err);

/* ---- files ---------------------------------------------------------------------------------- */

/* What to do about results that are there already. */
typedef enum bri_sweep_start {
    BRI_SWEEP_NEW,     /* refuse */
    BRI_SWEEP_RESUME,  /* take those of the same settings, refuse others */
    BRI_SWEEP_REPLACE, /* forget them */
} bri_sweep_start;

/* Keep results in FILE.sweep as they come, handed to the system at least once a second: what a
 * killed process had finished before is not lost. Call it before bri_sweep_run. FILE is the name of
 * the result, .csv or .sqlite. BRI_BAD_VALUE, and nothing is touched, if there are results already
 * that are not to be taken, or a database cannot hold the columns. Of results that are taken,
 * points whose rows def.keep has not are to be run again. */
BRI_API bri_status bri_sweep_keep(bri_sweep *s, const char *file, bri_sweep_start how,
                                  bri_error *err);

/* Write the results in the order of the points: FILE.csv, FILE.sqlite, or CSV to standard output
 * if file is NULL. The file appears complete or not at all; FILE.sweep keeps the settings. */
BRI_API bri_status bri_sweep_write(bri_sweep *s, const char *file, bri_error *err);

/* The settings, as they stand in FILE.sweep: a line "key: value" each. It belongs to the sweep. */
BRI_API const char *bri_sweep_settings(const bri_sweep *s);

/* Whether results can be written under that name: it ends in .csv or .sqlite (which this build
 * need not have: BRI_MISSING). */
BRI_API bri_status bri_sweep_check_name(const char *file, bri_error *err);

/* Put the parts of a sweep together, results of bri_sweep_write or FILE.sweep of unfinished ones,
 * as one run would have written them. BRI_BAD_VALUE if they do not belong together or contradict
 * each other, if points are missing and `unfinished` is 0, or if `to` is there with other settings.
 */
BRI_API bri_status bri_sweep_merge(const char *const *files, int count, const char *to,
                                   int unfinished, long *points, bri_error *err);

#ifdef __cplusplus
}
#endif
#endif
