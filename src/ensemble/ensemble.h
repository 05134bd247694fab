/* ensemble.h - sweeps from within: axes and samples (axes.c, spread.c, design.c), measures
 * (measure.c, reduce.c), one simulation per thread (worker.c, point.c, run.c), results and files
 * (sheet.c, journal.c, kept.c). */
#ifndef BRI_ENSEMBLE_H
#define BRI_ENSEMBLE_H

#include "bristle_sweep.h"

#include "../fail.h"
#include "sim/slide.h"

/* ---- distributions: spread.c ---------------------------------------------------------------- */

typedef enum spread_kind {
    SPREAD_NORMAL,
    SPREAD_LOGNORMAL,
    SPREAD_UNIFORM,
    SPREAD_TRIANGULAR
} spread_kind;

typedef struct spread {
    spread_kind kind;
    double a, b, c; /* normal: mean, deviation; lognormal: those of log x; uniform: ends;
                       triangular: ends and, c, the likeliest */
} spread;

/* "normal(0.3, 0.02)", "uniform(10 mm, 2 cm)", "normal(10 %)": about the nominal value. */
bri_status spread_read(spread *s, const char *text, const char *unit, double nominal,
                       bri_error *err);

/* The value below which the share u of all lies, 0 < u < 1. */
double spread_value(const spread *s, double u);
double normal_quantile(double u);
double normal_share(double x); /* share of the standard normal distribution below x */

/* ---- axes: axes.c --------------------------------------------------------------------------- */

typedef enum axis_kind {
    AXIS_GRID,
    AXIS_FILE,
    AXIS_RANDOM,
    AXIS_EACH, /* every member of an array has its own value: no column */
    AXIS_SAME  /* has the value of another one: no column */
} axis_kind;

/* One number of the scenario that is varied. */
typedef struct axis {
    axis_kind kind;
    char name[BRI_ADDRESS]; /* its address, or a key of the file */
    char unit[BRI_UNIT];    /* "1": none */
    char suffix[BRI_UNIT];  /* of a key that is no address: the unit that the file is given */
    int is_key;             /* nonzero: no address */
    int whole;              /* nonzero: whole numbers only */
    int logarithmic;
    double nominal; /* in the scenario; NaN: not known */
    double *values; /* [count], of a grid or a file */
    long count;
    spread spread; /* of AXIS_RANDOM and AXIS_EACH */
    int of;        /* of AXIS_SAME: the number of the other one, which stands before */
} axis;

/* Whether its values are a column of the results. */
static inline int axis_shown(const axis *a) { return a->kind != AXIS_EACH && a->kind != AXIS_SAME; }

/* The text before "=" as a name, of several, parted by commas, the first; `more` is the second, or
 * where `rest`, the values, begins if there is none. */
bri_status axis_name(const char *given, const char *option, char name[BRI_ADDRESS],
                     const char **more, const char **rest, bri_error *err);

/* The next of several names, up to `rest`; 0: there is none. */
int axis_more(const char **more, const char *rest, char name[BRI_ADDRESS]);

/* The unit in which values are written; those of a key are of the SI from then on, where it is a
 * unit that expressions know. */
void axis_take_unit(axis *a, const char *unit);

/* The values "a:b:n", "log:a:b:n", "a,b,c" of an axis whose name and unit are known. */
bri_status axis_grid(axis *a, const char *text, bri_error *err);

/* A value of an axis that a test may set: the lower (0) or upper (1) end of what is usual. */
double axis_trial(const axis *axes, int which, int upper);

/* ---- points: design.c ----------------------------------------------------------------------- */

enum { MOST_AXES = 64 };

/* Where a point is: which of everything. */
typedef struct place_in {
    int law, solver;
    long row;             /* of the file of points */
    long grid[MOST_AXES]; /* per axis of a grid */
    long sample;          /* of the distributions */
} place_in;

typedef struct design {
    axis *axes;
    int n_axes, n_random;  /* n_random: of AXIS_RANDOM */
    int n_laws, n_solvers; /* at least 1 each */
    long file_rows;        /* 1 if there is no file */
    long samples;          /* points per point of the grid, those of a design for indices */
    long base;             /* samples that were asked for */
    long points;
    double seed;
    bri_sampling sampling;
    double *factor; /* Cholesky factor of the correlations, [n_random^2], or NULL */
    short *digits;  /* permutations for the Halton sequence */
    long *digits_at;
    int halton_axes;
} design;

/* Nonzero: some number has a distribution, so that samples and seed matter. */
int design_by_chance(const design *d);
bri_status design_finish(design *d, const char *const *correlate, int n_correlate, bri_error *err);
void design_free(design *d);
place_in design_place(const design *d, long point);

/* Values of all axes at a point. */
void design_values(const design *d, const place_in *at, double *x);

/* The axes that have the value of another one, after that has been given another. */
void design_follow(const design *d, double *x);

/* The value of a member of an array that is varied member by member. */
double design_member(const design *d, int which, long sample, long member);

/* The shares u of sample k before correlations and distributions, u[n_random]. */
void design_shares(const design *d, long k, double *u);

/* ---- measures: measure.c, reduce.c ---------------------------------------------------------- */

typedef struct meter meter; /* what is measured, read once; any number of threads may use it */

typedef struct meter_names {
    const bri_sim_def *def;       /* of the scenario */
    const bri_recorder *recorder; /* all its columns */
    const axis *axes;             /* known to expressions, too */
    int n_axes;
    double from, end; /* span of time that is measured [s] */
} meter_names;

bri_status meter_create(meter **m, const meter_names *names, const char *const *measures, int count,
                        bri_error *err);
void meter_free(meter *m);
int meter_count(const meter *m);
const char *meter_name(const meter *m, int i);
const char *meter_unit(const meter *m, int i);
const char *const *meter_words(const meter *m, int i); /* NULL: numbers */
double meter_instant(const meter *m, int i); /* of a number at a time of a course; NaN: none */
const char *meter_of(const meter *m, int i); /* of one of peaks() or course(): of what; else "" */

/* Which rows of a run are needed: none, the first and the last that are measured, all. */
enum { NO_ROWS, END_ROWS, ALL_ROWS };
int meter_wants_rows(const meter *m);
enum { LOOK_AT_SLIDING = 1, LOOK_AT_SLIPS = 2, LOOK_AT_EVENTS = 4 };
int meter_wants_slips(const meter *m);           /* what of these */
int meter_wants_energies(const meter *m);        /* nonzero: at the end of the run */
int meter_n_columns(const meter *m);             /* columns of a run that are needed */
const char *meter_column(const meter *m, int i); /* by name */
int meter_n_contacts(const meter *m);            /* contacts that are measured */
int meter_contact(const meter *m, int i,
                  const bri_system *s); /* where one is there; -1: it is not */
const char *meter_contact_name(const meter *m, int i);

/* What a run has to say beside its rows. */
typedef struct run_facts {
    bri_stats stats;
    bri_energies energies;
    double from, end;                       /* span of time that is measured [s] */
    long events;                            /* in it */
    long slips;                             /* complete ones */
    double slip_size, slip_peak, slip_time; /* means of them; NaN: none */
    const int *contact;                     /* [meter_n_contacts]: which one each of the meter is */
    const sim_slide *slides;                /* per contact, over that span */
    const double *event_force;              /* per contact: largest force at an event */
} run_facts;

/* What measures that compare with the scenario as it stands are held against: the rows of its run,
 * copied, and the values of the axes there. */
int meter_compares(const meter *m);
bri_status meter_hold(meter *m, const double *const *column, long rows, const double *x, int n_axes,
                      bri_error *err);

typedef struct gauge gauge; /* the room that one thread needs to measure */
gauge *gauge_new(const meter *m);
void gauge_free(gauge *g);

/* All measures of a run: rows of the columns that are needed, the time first, column[k][row]. */
bri_status gauge_read(gauge *g, const double *const *column, long rows, const run_facts *facts,
                      const double *x, double *y, bri_error *err);

/* The value below which this share of all lies: linear between them, as numpy.quantile does. Sorts
 * them. */
double gauge_quantile(double *y, long n, double share);

extern const char *const regime_words[3];

/* ---- results: sheet.c ----------------------------------------------------------------------- */

typedef struct sheet_column {
    char *name;
    char unit[BRI_UNIT];
    bri_sweep_kind kind;
    char **words;
    int n_words;
    int random, logarithmic;
    double instant; /* of a measure: its time [s], if it is one of a course; else NaN */
} sheet_column;

enum { ROW_NONE, ROW_GOOD, ROW_DOUBTFUL, ROW_FAILED };
extern const char *const row_states[]; /* in files */

/* Results as a table, of a sweep that is run or of files that are read. */
typedef struct sheet {
    sheet_column *columns;
    int n_columns;
    long points;          /* of the whole sweep */
    double *value;        /* [points * n_columns] */
    unsigned char *state; /* [points] */
    char **reason;        /* [points], NULL: none */
    long done, failed, doubtful;
    char *settings; /* without the part */
} sheet;

int sheet_create(sheet *s, int n_columns, long points);
void sheet_free(sheet *s);
int sheet_name(sheet *s, int column, const char *name, const char *unit);

/* The result of a point. 0: no memory. */
int sheet_put(sheet *s, long point, int state, const char *reason);
void sheet_forget(sheet *s, long point); /* as if it had none */
static inline double *sheet_row(const sheet *s, long point) {
    return s->value + (size_t)point * (size_t)s->n_columns;
}

/* The head of the CSV file, and the line of a point, both with their line end, in text that is made
 * longer as needed. 0: no memory. */
typedef struct line {
    char *text;
    size_t used, room;
    int starved; /* nonzero: there was not enough memory once */
} line;
int sheet_head(const sheet *s, line *to);
int sheet_line(const sheet *s, long point, line *to);
int line_put(line *to, const char *text, size_t size);
int line_text(line *to, const char *text);

/* Read a line back. BRI_BAD_FILE: it is none of this sheet, or not whole. */
bri_status sheet_read(sheet *s, const char *text, size_t length);

bri_status sheet_write(const sheet *s, const char *file, bri_error *err);
/* FILE.sweep, which nobody has given: what stands under its name and is a link is left alone. */
bri_status sheet_settings(const char *name, const char *settings, bri_error *err);

/* The same as sheet_write(), and FILE.sweep with the settings. */
bri_status sheet_publish(const sheet *s, const char *file, bri_error *err);
bri_status sheet_write_sqlite(const sheet *s, const char *file, bri_error *err); /* sqlite.c */
bri_status sheet_read_sqlite(sheet *s, const char *file, bri_error *err);
int sqlite_here(void); /* nonzero: this build has it */
int ends_in(const char *name, const char *end);

/* ---- files: journal.c ----------------------------------------------------------------------- */

typedef struct journal journal;

/* Begin or go on with FILE.sweep. */
bri_status journal_open(journal **j, sheet *s, const char *part, const char *file,
                        bri_sweep_start how, bri_error *err);
bri_status journal_put(journal *j, const sheet *s, long point, bri_error *err);

/* The result is written: only the settings stay. */
bri_status journal_close(journal *j, int complete, bri_error *err);

/* ---- runs that are kept: kept.c -------------------------------------------------------------- */

enum { KEPT_NAME = 600 };

/* DIR/point-N.csv: the rows of a run. */
void kept_name(char name[KEPT_NAME], const char *dir, long point);

/* The folder, made if missing, with DIR/runs.sweep, the settings. BRI_BAD_VALUE: it holds runs of
 * other settings. */
bri_status kept_open(const char *dir, const char *settings, bri_error *err);

/* ---- pictures: contour.c, limit.c, picture.c ---------------------------------------------------
 */

/* Where z over a grid is equal to a level: lines with a gap (NaN) behind each, into x and y, which
 * have room for 6 points per cell. Returns how many. */
int contour(const double *x, int nx, const double *y, int ny, const double *z, double level,
            double *to_x, double *to_y);

typedef struct limit limit; /* the expression of a line that is known from elsewhere */

/* Over the axes, and all other numbers of the simulation as they are now. */
bri_status limit_create(limit **l, const char *text, const axis *axes, int n_axes,
                        const bri_sim *sim, bri_error *err);
void limit_free(limit *l);
double limit_value(const limit *l, const double *axes); /* at a point */

/* ---- the sweep: sweep.c, worker.c, run.c ---------------------------------------------------- */

/* One law with one solver: how each axis is set. */
typedef struct variant {
    const bri_model *law;
    const bri_solver *solver;
    unsigned char *by_key; /* per axis, nonzero: by reading the scenario again */
    char *wrong;           /* why the two do not go together; NULL: they do */
} variant;

struct bri_sweep {
    bri_sweep_def def; /* strings are copies, or NULL */
    char **own;        /* the copies */
    int n_own, own_room;
    bri_laws *laws; /* those that are known, with the pages that the scenario asks for */
    design design;
    variant *variants; /* [n_laws * n_solvers] */
    meter *meter;
    sheet sheet;
    int part, parts;
    journal *journal;
    limit *limit; /* or NULL */
    double *row;  /* of bri_sweep_result */
    long lanes;   /* points that were computed in lanes */
};

/* The settings into the sheet: settings.c */
bri_status make_settings(bri_sweep *s, const bri_sweep_def *def, const bri_scenario *scenario,
                         bri_error *err);

/* BRI_BAD_VALUE, with the first line in which the settings of `what`, there[length], are others
 * than these, and what to do about it. */
bri_status settings_refuse(const char *what, const char *there, size_t length, const char *here,
                           const char *advice, bri_error *err);

typedef struct worker worker; /* a thread's own scenario and simulation */

/* Decide how every axis is set for every law and solver. */
bri_status variants_create(bri_sweep *s, bri_messages *messages);
void variants_free(bri_sweep *s);

/* Load the scenario as a variant has it, with the axes that are keys at x (NULL: as they are). */
bri_status load_variant(const bri_sweep *s, const variant *v, const double *x, int only,
                        bri_scenario **scenario, bri_messages *messages);

/* The run of the scenario as it stands, for measures that compare with it. */
bri_status worker_reference(bri_sweep *s, const bri_watch *watch, bri_error *err);

/* kin: another worker of the same thread, whose scenario may serve; it lives as long. Or NULL. */
worker *worker_new(const bri_sweep *s, const worker *kin);
void worker_free(worker *w);

/* A point: its row gets the axes and choices, and the simulation stands at the start. Then the run,
 * BRI_NO_PROGRESS with the text "interrupted" if watch says stop; and with whatever has become of
 * it, the measures. The row has to stay until then. */
bri_status worker_begin(worker *w, long point, double *row, bri_error *err);
bri_status worker_go(worker *w, const bri_watch *watch, bri_error *err);
bri_status worker_end(worker *w, bri_status status, bri_error *err);

/* The run in a lane, in place of worker_go(): the simulation, if it suits one, else NULL; into the
 * lane; and where it has arrived, with the status of that, on. 0: it is over, or has failed. */
struct sim_lanes;
bri_sim *worker_lane(worker *w);
int worker_enter(worker *w, struct sim_lanes *lanes, int lane, bri_status *status, bri_error *err);
int worker_arrived(worker *w, struct sim_lanes *lanes, int lane, bri_status *status,
                   bri_error *err);

#endif
