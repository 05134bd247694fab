/* identify.h - the parts of `identify`: recordings, what may be unknown, residuals, least squares,
 * noise, judgement. */
#ifndef BRI_IDENTIFY_H
#define BRI_IDENTIFY_H

#include "bristle_identify.h"

#include "arena.h"

/* ---- memory: identify.c ----------------------------------------------------------------------
 *
 * A measure that cannot be had is left out of a report, and a start that comes to nothing is
 * another one's gain: so a lack of memory would pass for a finding. Every call for memory here that
 * fails is noted, by the thread that made it, and whoever began the work looks at the note. */
extern _Thread_local int id_starved;

static inline void *id_noted(void *room) {
    if (!room) id_starved = 1;
    return room;
}

#define malloc(size)        id_noted(malloc(size))
#define calloc(count, size) id_noted(calloc(count, size))
#define realloc(old, size)  id_noted(realloc(old, size))

/* Add a line to a text that grows. */
void id_say(char **text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* ---- the map of columns: map.c -------------------------------------------------------------- */

enum { ID_TARGETS = 12, ID_TERMS = 4, ID_COLUMNS = ID_TARGETS * ID_TERMS };

/* What a column of ours is. */
typedef enum id_what {
    ID_TIME,
    ID_BODY_X,
    ID_BODY_V,
    ID_DRIVE,
    ID_CONTACT_F,
    ID_CONTACT_V,
    ID_CONTACT_N,
} id_what;

/* factor column [unit]: what is added up to one of our columns. */
typedef struct id_term {
    double factor;  /* as written */
    double convert; /* from the unit of the column to that of ours */
    int scaled;     /* nonzero: a factor is written */
    char name[64];  /* of the column in the file */
    char unit[64];  /* as written; "": not */
} id_term;

/* One of our columns, made of columns of the file: sum of terms + offset. */
typedef struct id_target {
    char name[64], unit[32];
    id_what what;
    int index; /* of the body, drive or contact */
    id_term term[ID_TERMS];
    int n_terms;
    double offset;
} id_target;

typedef struct id_map {
    id_target target[ID_TARGETS];
    int count;
} id_map;

/* Understand a map for a system. The time is the first target, if there is one. */
bri_status id_map_read(id_map *m, const char *text, const bri_system *s, bri_error *err);
int id_map_find(const id_map *m, id_what what, int index); /* target; -1: none */

/* ---- recordings: data.c --------------------------------------------------------------------- */

/* A stretch of one file without gaps, at even instants from + i h. Without a time: the points as
 * they stand, h = 0. */
typedef struct id_stretch {
    int file;
    long count;
    double from, h;
    double *value[ID_TARGETS]; /* by target; that of the time is NULL */
} id_stretch;

typedef struct id_data {
    arena memory;
    id_map map;
    id_stretch *stretch;
    int count, room;
    long rows, holes, gaps, thinned; /* rows read, rows without a number, ... */
    double jitter;                   /* largest deviation of a time step, as a share */
    double step[ID_TARGETS];         /* of which all values of the first file are multiples; 0 */
} id_data;

/* Read files by a map. Free in any case. */
bri_status id_data_read(id_data *d, const char *const *files, int n_files, const double *span,
                        bri_error *err);
void id_data_free(id_data *d);

/* Means over so many neighbours, for a first look. Free in any case. 0: no memory. */
int id_data_thin(const id_data *d, long by, id_data *thin);

/* ---- filters: filter.c ---------------------------------------------------------------------- */

/* Low pass without delay: Butterworth of order 4 at a frequency, as a share of the sampling rate,
 * forward and backward, in place; room for count + 2 pad numbers. */
void id_low_pass(double *y, long count, double share, double *room);
long id_low_pass_room(long count, double share);

/* Central differences. */
void id_slope(const double *y, long count, double h, double *dy);

/* ---- least squares: lm.c -------------------------------------------------------------------- */

enum { ID_UNKNOWNS = 24 };

/* Residuals r[rows] and, if J is not NULL, their derivatives J[k * rows + i] in the unknowns u.
 * Nonzero: u is not allowed. */
typedef int (*id_residuals)(void *context, const double *u, double *r, double *J);

typedef struct id_problem {
    void *context;
    id_residuals residuals;
    long rows;
    int count;
    const double *low, *high; /* bounds of u */
    double huber;             /* robust loss beyond this many standard deviations; 0: squares */
    int most;                 /* iterations */
    double enough;            /* relative gain per iteration that is not worth another one */
    const bri_watch *watch;   /* or NULL */
} id_problem;

typedef struct id_solution {
    double u[ID_UNKNOWNS];
    double cost; /* sum of squares, or of the robust loss, / 2 */
    int iterations;
    int converged;
} id_solution;

/* From u on; r[rows], J[count * rows] hold those of the solution in the end. 0, or -1 if not even
 * the start is allowed or there is no memory. */
int id_least_squares(const id_problem *p, id_solution *s, double *r, double *J);

/* Solve the symmetric positive definite A x = b, n x n, both overwritten; 0 if it is singular. */
int id_cholesky(double *A, int n);
void id_cholesky_solve(const double *L, int n, double *b);

/* Eigenvalues (rising) and vectors (columns of V) of a symmetric matrix, which is overwritten. */
void id_eigen(double *A, int n, double *value, double *V);

/* ---- noise: colour.c ------------------------------------------------------------------------ */

enum { ID_ORDERS = 24 };

/* An autoregressive model of noise, r_t = sum a_k r_(t-k) + e_t. */
typedef struct id_colour {
    int order;
    double a[ID_ORDERS];
    double sigma; /* standard deviation of e */
    double gain;  /* variance of the mean over that of white noise of the same variance */
} id_colour;

/* Fit one, its order by BIC; cuts[i] != 0: sample i begins anew. */
id_colour id_colour_of(const double *r, const unsigned char *cuts, long count);

/* Covariance of a least squares estimate with residuals r and derivatives J: noise of that colour,
 * (J'J)^-1 J' Omega J (J'J)^-1. 0 if J'J is singular. */
int id_covariance(const double *J, long rows, int count, const unsigned char *cuts,
                  const id_colour *noise, double *C);

double id_t_beyond(double p, double freedom); /* that Student's t exceeds with probability p */
double id_t_quantile(double freedom);         /* that 97.5 % of it lie below */

/* ---- what is unknown: rig.c, unknowns.c
 * ----------------------------------------------------------------- */

/* A system whose numbers can be changed. */
typedef struct id_rig {
    bri_scenario *scenario; /* owner of names, signals and laws */
    bri_sim_def def;        /* points to the arrays below */
    bri_body *bodies;
    bri_coupling *couplings;
    bri_contact *contacts;
    bri_drive *drives;
    bri_parameter *parameters;
} id_rig;

bri_status id_rig_copy(id_rig *r, bri_scenario *s, bri_error *err); /* takes over the scenario */
void id_rig_free(id_rig *r);

/* What an unknown is. */
typedef enum id_kind {
    ID_LAW,     /* parameter of the law of a contact */
    ID_LOAD,    /* load of a contact */
    ID_NUMBER,  /* another number of the rig */
    ID_OFFSET,  /* added to the balance of forces */
    ID_GAIN,    /* what measured forces are multiplied by */
    ID_DELAY,   /* by which measured forces are late */
    ID_GRAVITY, /* G in G sin(x - angle) of a rotor */
    ID_ANGLE,   /* the angle in it */
    ID_START_X, /* by which the start is off the measured position */
    ID_START_V, /* the same of the velocity */
} id_kind;

typedef struct id_unknown {
    char name[64], unit[32];
    id_kind kind;
    double *at;         /* where its value stands */
    int contact, param; /* ID_LAW */
    bri_role role;      /* ID_LAW */
    int file;           /* of this file alone; -1: of all */
    double low, high;   /* of the value */
    double start;
    int log;   /* nonzero: its logarithm is sought */
    int above; /* unknown that it may not fall below, mu_s of mu_c: what is more is sought; -1 */
    int twin;  /* parameter of the law that has the same value, mu_s if nobody gave it; -1 */
} id_unknown;

/* Numbers beside those of the rig. */
typedef struct id_extras {
    double offset, gain, delay, gravity, angle, start_x, start_v;
} id_extras;

typedef struct id_unknowns {
    id_unknown one[ID_UNKNOWNS];
    int count;
    id_extras *extras; /* [n_files] */
} id_unknowns;

/* The unknowns that a list names, "pad.mu_c,axis.mass,offset" or "all"; per file those of `each`
 * (NULL: none). `natural` != 0: in place of parameters of contacts all those of their laws. */
bri_status id_unknowns_read(id_unknowns *u, const char *list, const char *each, int natural,
                            id_rig *rig, int n_files, id_extras *extras, bri_error *err);

/* From what is sought to values, and back: sought.c. */
void id_decode(const id_unknowns *u, const double *sought, double *value);
void id_encode(const id_unknowns *u, const double *value, double *sought);
void id_bounds(const id_unknowns *u, double *low, double *high);  /* of what is sought */
void id_put(const id_unknowns *u, const double *value, int file); /* where they stand */

/* ---- functions of the rig over measured motion: along.c -------------------------------------- */

/* Nonzero: all that a function depends on is known where the motion of a body is. */
int id_function_known(const bri_function *g, int body);

/* Its value at a position and velocity of that body, or a length and its rate. */
double id_function_at(const id_rig *r, const bri_function *g, double t, double x, double v);

/* Its value where a simulation stands; not that of a tension. */
double id_function_now(bri_sim *sim, const bri_system *s, const bri_function *g, double t);

/* ---- force over measured motion: force.c ---------------------------------------------------- */

/* One stretch, one equation: what is measured and the motion it belongs to. */
typedef struct id_run {
    int stretch, file, contact,
        body; /* contact >= 0: its force is measured; else the balance of body */
    long count;
    double h;
    double *y, *x, *v, *a;  /* measured force, motion of the body (or contact) */
    double *load;           /* of the contact; NULL: constant */
    double *slide;          /* sliding velocity of the contact */
    int speed;              /* nonzero: y is a velocity (motion.c) */
    int command;            /* nonzero: y is the force of the controller (motion.c) */
    int of;                 /* the contact that slides; -1: none */
    double sign;            /* of its force in the balance */
    long first, step, rows; /* samples that count: first + i step */
    double share;           /* of the sampling rate: filter of residuals; 0: none */
    double *whole; /* of a simulated motion: residuals of all samples, and room to filter */
} id_run;

typedef struct id_force {
    arena memory;
    const id_data *data;
    id_rig *rig;
    id_unknowns *unknowns;
    id_run *run;
    int n_runs;
    long rows;
    unsigned char *cuts; /* [rows] */
    unsigned char *use;  /* [rows]: 0: held out; NULL: all count */
    double *time;        /* [rows] */
    double rest;         /* speed below which a law that sticks exactly may stick [m/s] */
    int steps;           /* of the law between two samples */
    double size;         /* rms of what is measured, filtered */
    int motion;          /* nonzero: runs are motions to be simulated (motion.c) */
    int steady;          /* nonzero: runs are points without a time (steady.c) */
    const struct id_controller *loop; /* of the closed loop; NULL: none */
} id_force;

/* The same law with `count` sets of parameters, p[j * count + l]: lanes.c. */
typedef struct id_lanes {
    const bri_model *model;
    int count;
    double *p;
} id_lanes;

/* Forces along the motion of a run, F[l * r->count + i], so many steps from sample to sample; below
 * the speed `rest` states begin as after a long rest. Nonzero: no memory. */
int id_lanes_run(const id_run *r, const id_lanes *l, double load, int steps, double rest,
                 double *F);

/* Motions, filters and rows. filter [Hz] of the residuals, <= 0: none. */
bri_status id_force_prepare(id_force *f, const id_data *d, id_rig *rig, double filter,
                            double *chosen, bri_error *err);
void id_force_free(id_force *f);

/* The filter where none is asked for [Hz]: a twentieth of the sampling rate, less where the noise
 * of positions asks for it. */
double id_filter_for(const id_data *d, const id_rig *r);

/* As id_residuals, with an id_force as the context. */
int id_force_residuals(void *context, const double *u, double *r, double *J);

/* Nonzero: with these values of the unknowns a law does not allow its parameters, in some file. */
int id_forbidden(const id_force *f, const double *value);

/* The measured force of each row, through the filter of the residuals. 0: no memory. */
int id_force_measured(const id_force *f, double *y);

/* ---- points of steady sliding: steady.c ----------------------------------------------------- */

/* Fill f with points instead of runs. */
bri_status id_steady_prepare(id_force *f, const id_data *d, id_rig *rig, bri_error *err);
int id_steady_residuals(void *context, const double *u, double *r, double *J);

/* ---- the controller of a closed loop: controller.c ------------------------------------------ */

typedef struct id_controller id_controller;

/* Understand "motor.force = ..."; free in any case, NULL is allowed. */
bri_status id_controller_read(id_controller **c, const char *text, const bri_system *s,
                              bri_error *err);
void id_controller_free(id_controller *c);

int id_controller_drive(const id_controller *c);   /* the drive that it commands */
size_t id_controller_room(const id_controller *c); /* numbers that a computation needs */

/* The force for positions and velocities of all bodies at a time. */
double id_controller_force(const id_controller *c, const double *x, const double *v, double t,
                           double *room);

/* ---- motion under measured inputs: motion.c ------------------------------------------------- */

/* Nonzero: the map names a motion that a rig answers with and no force. */
int id_motion_possible(const id_data *d, const id_rig *r);
bri_status id_motion_prepare(id_force *f, const id_data *d, id_rig *rig, const id_controller *loop,
                             double filter, bri_error *err);
int id_motion_residuals(void *context, const double *u, double *r, double *J);

/* Whether a target is what the rig answers, not what is done to it. */
int id_answers(const id_rig *r, const id_target *t, const id_controller *loop);

/* Run a stretch again and write the residuals of its rows: replay.c. Nonzero: it fails. */
int id_replay(const id_force *f, int stretch, double *res);

/* ---- start values: start.c ------------------------------------------------------------------ */

/* What a straight regression says: y = mass a + viscous v + level z + offset, |z| <= 1. */
typedef struct id_rough {
    double mass, viscous, level, offset; /* level [N] */
    double slow, middle, fast;           /* speeds that 5, 50 and 95 % of what moves stay below */
    double travel, load;
    double deflection; /* at which an elastic element begins to slide */
    double peak, v_s;  /* static level [N] and the speed over which it falls */
    int still;         /* nonzero: nothing moves */
    int none;          /* nonzero: no force is compared, and the rig is all that is known */
} id_rough;

id_rough id_rough_of(const id_force *f);

/* The same with a level that falls with speed, where that explains more. */
id_rough id_rough_falling(const id_force *f, const id_rough *plain);

/* Start number `which`: 0 the rig, 1 and 2 the regression, then random ones around it. */
void id_start(const id_unknowns *u, const id_rough *g, int which, double seed, double *value);

/* ---- profiles: profile.c ----------------------------------------------------------------------
 */

/* Intervals for unknowns that are wide, one-sided or flat, on the coarse samples. colour[k]: what
 * the colour of the noise does to the variance of unknown k. */
void id_profile_intervals(id_force *coarse, const id_problem *p, const id_solution *s,
                          const double *colour, bri_fit *fit);

/* Profiles to be drawn, over three standard errors either way, so many points each: the rise of the
 * error, in variances. */
void id_profile_curves(const id_problem *p, const id_solution *s, const double *colour, int points,
                       const id_unknowns *u, bri_fit *fit);

/* ---- physical sense: sense.c ------------------------------------------------------------------
 */

/* Sentences on what an engineer would not believe. together[k] != 0: that unknown is known only
 * with others. */
void id_sense(const id_force *f, const id_solution *s, const int *together, bri_fit *fit);

/* ---- one law: fit.c ------------------------------------------------------------------------- */

/* Search on `coarse`, then fit, judge and hold out; fills in all of fit but its place among the
 * others. */
void id_fit(const bri_identify_def *def, id_force *f, id_force *coarse, id_residuals residuals,
            const bri_watch *watch, bri_fit *fit, double *held_out);

/* The profiles of its unknowns, def->profiles points each, once more from where it ended. */
void id_profiles(const bri_identify_def *def, id_force *f, id_force *coarse, id_residuals residuals,
                 bri_fit *fit);

/* Intervals and words for the unknowns at a solution, by profiles on `coarse` where they are not
 * determined; profiles of all, so many points each, are kept. */
void id_judge(const id_force *f, id_force *coarse, const id_problem *p, const id_solution *s,
              const double *r, const double *J, int points, bri_fit *fit);

/* ---- drift: drift.c ------------------------------------------------------------------------ */

/* Say which unknowns drift over the recording, from the residuals and derivatives at the solution.
 */
void id_drift(const id_force *f, const id_problem *p, const double *r, const double *J,
              bri_fit *fit);

/* ---- what to measure next: next.c; intervals by redrawn residuals: bootstrap.c --------------- */

/* Say which motion or load would shrink the intervals of the least certain unknowns most. */
void id_next(const id_force *f, const id_problem *p, const id_solution *s, const double *J,
             bri_fit *fit);

/* Fill in boot_low and boot_high. */
void id_bootstrap(const bri_identify_def *def, id_force *f, const id_problem *fine,
                  const id_solution *best, bri_fit *fit);

/* ---- among laws: rank.c --------------------------------------------------------------------- */

/* Sort, group and advise; held_out[i] are the residuals of fit i on what was held out. */
void id_rank(bri_identified *out, double **held_out);

/* ---- the data: verdict.c -------------------------------------------------------------------- */

/* The largest speed of sliding, or of the body where nothing slides. */
double id_fastest(const id_force *f);

bri_status id_verdict(const bri_identify_def *def, const id_data *d, const id_force *f,
                      double filter, bri_data_verdict *v, bri_error *err);

#endif
