/* bristle_tools.h - what stands around the laws: parameters from text with units, curves, loops,
 * measured traits and pictures. Conventions as in bristle.h. */
#ifndef BRISTLE_TOOLS_H
#define BRISTLE_TOOLS_H

#include "bristle.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is wrong with a file ------------------------------------------------------------- */

/* Room in bri_messages. */
enum {
    BRI_MAX_MESSAGES = 20, /* messages */
};

/* Up to twenty things that are wrong with a file, in the order of its lines. */
typedef struct bri_messages {
    int count;                           /* kept here */
    int dropped;                         /* found beyond those */
    bri_error message[BRI_MAX_MESSAGES]; /* "FILE:LINE: key: ..." */
} bri_messages;

/* ---- text to numbers --------------------------------------------------------------------- */

/* Read "0.01", "10 mm/s" or "71.3 N/um" and convert it to the given unit. A bare number is taken in
 * that unit. BRI_BAD_VALUE if there is no finite number, BRI_BAD_UNIT if the unit does not fit. */
BRI_API bri_status bri_quantity(const char *text, const char *unit, double *value, bri_error *err);

/* The candidate that name is the beginning of, if it is one only (or the other way round), else the
 * one closest in spelling; NULL if none is near. */
BRI_API const char *bri_nearest(const char *name, const char *const *candidates, int count);

/* Where the value of a parameter comes from. */
typedef enum bri_origin {
    BRI_DEFAULT = 0, /* the table of the law: it was published for another rig */
    BRI_GIVEN,       /* given by its name */
    BRI_CARRIED,     /* given to the law that this one stands in for, with the same role */
    BRI_DERIVED,     /* follows by a rule from what is given */
    BRI_ORIGIN_COUNT /* number of them */
} bri_origin;

BRI_API const char *bri_origin_name(bri_origin origin); /* "given" */

/* Parameters of one contact under construction: defaults, changed by name, checked at the end. */
typedef struct bri_setup {
    const bri_model *model;              /* the law */
    double p[BRI_MAX_PARAMS];            /* its parameters */
    double load;                         /* normal load [N] to pass to the law */
    int forces;                          /* nonzero: levels are in newtons and load is 1 */
    unsigned char given[BRI_MAX_PARAMS]; /* 1: as a coefficient, 2: as a force */
    bri_origin origin[BRI_MAX_PARAMS];   /* where each comes from */
    const char *from[BRI_MAX_PARAMS];    /* carried: the name in the other law; NULL otherwise */
    const char *rule[BRI_MAX_PARAMS];    /* derived or converted: how; NULL otherwise */
} bri_setup;

/* Begin with the defaults of a law. */
BRI_API void bri_setup_init(bri_setup *s, const bri_model *m);

/* Set one parameter ("mu_c", or "Fc" in newtons) from text with an optional unit. */
BRI_API bri_status bri_setup_set(bri_setup *s, const char *name, const char *text, bri_error *err);

/* The same from a number in the unit of the table, in newtons for a level in newtons. */
BRI_API bri_status bri_setup_put(bri_setup *s, const char *name, double value, bri_error *err);

/* Where a contact is: what rules for its parameters need to know. */
typedef struct bri_place {
    double load; /* normal load, or an estimate [N]; 1 with levels in newtons; <= 0: unknown */
    int varies;  /* nonzero: the load does */
    double mass; /* that moves on the contact [kg, kg m2]; <= 0: unknown */
    int turns;   /* nonzero: about an axis */
} bri_place;

/* A parameter that was given to one law and that another, in its place, has no use for. */
typedef struct bri_lost {
    const char *name, *unit; /* of the parameter, "v_s", "m/s"; "1": no unit */
    double value;            /* in that unit */
    bri_role role;           /* what it means */
    const char *why;         /* NULL: the other law has nothing of that role */
} bri_lost;

/* Find the parameters that are not given. Where the law stands in for another, `other` (complete
 * itself; NULL: none), values go by role: viscous coefficients per load are multiplied by the load,
 * lengths that set the stiffness keep the stiffness at rest, a law with one level has no stiction.
 * What is then still missing is derived where a rule is known: stiffness from static level and a
 * deflection, damping from mass and stiffness, smoothing from the Stribeck speed; the rest keeps
 * its default. lost (room for BRI_MAX_PARAMS) receives what cannot be used, *n_lost its number;
 * both may be NULL without `other`. BRI_BAD_VALUE if a value is needed that only the user can know.
 */
BRI_API bri_status bri_setup_complete(bri_setup *s, const bri_setup *other, const bri_place *at,
                                      bri_lost *lost, int *n_lost, bri_error *err);

/* Nonzero if parameter i is a default that decides how the contact behaves but was published for
 * another rig: a level, or a value with a unit that has an effect. */
BRI_API int bri_setup_invented(const bri_setup *s, int i);

/* Settle coefficients against newtons and check the whole. load <= 0: that of the defaults. If one
 * of the two levels is given, the other is equal to it: there is no stiction. */
BRI_API bri_status bri_setup_finish(bri_setup *s, double load, bri_error *err);

/* ---- curves and loops -------------------------------------------------------------------- */

/* Steady-state force at constant velocity v: the states are brought to rest at that velocity
 * (for laws that never settle, the mean over the sliding path). */
BRI_API double bri_steady_force(const bri_setup *s, double v);

/* A prescribed sinusoidal motion: velocity mean + speed cos(2 pi frequency t). With mean = 0 the
 * displacement amplitude is speed / (2 pi frequency). */
typedef struct bri_motion {
    double mean;      /* mean velocity [m/s] */
    double speed;     /* amplitude of the velocity [m/s] */
    double frequency; /* [Hz] */
    int samples;      /* per cycle, at least 16 */
    int settle;       /* cycles before the one recorded */
} bri_motion;

/* A point of a loop. */
typedef struct bri_sample {
    double t; /* time [s] */
    double x; /* displacement [m] */
    double v; /* velocity [m/s] */
    double F; /* friction force [N] */
} bri_sample;

/* What a recorded cycle says. */
typedef struct bri_loop {
    double energy;       /* loss per cycle, the area in F dx [J] */
    double lag;          /* area in F dv [N m/s], positive if F is larger while v rises */
    double F_min, F_max; /* range of the force [N] */
} bri_loop;

/* Run the motion and record samples + 1 points of its last cycle, the last one closing the loop. */
BRI_API bri_loop bri_run_loop(const bri_setup *s, const bri_motion *m, bri_sample *samples);

/* ---- traits ------------------------------------------------------------------------------ */

/* What a law can do, each found by an experiment with the given parameters. */
typedef enum bri_trait {
    BRI_STICTION,       /* breaking away takes more force than sliding */
    BRI_STRIBECK,       /* steady friction falls with speed somewhere */
    BRI_PRESLIDING,     /* below break-away the contact gives like a spring */
    BRI_LAG,            /* friction lags behind a varying speed */
    BRI_DWELL,          /* break-away grows with the time of rest */
    BRI_DRIFT_FREE,     /* a load below break-away, constant or varying, does not creep */
    BRI_RATE_DEPENDENT, /* break-away depends on the rate of loading */
    BRI_SET_VALUED,     /* exact stick: the force at v = 0 is whatever balances */
    BRI_TRAIT_COUNT     /* number of them */
} bri_trait;

/* The number behind a trait, and the verdict. */
typedef struct bri_traits {
    int has[BRI_TRAIT_COUNT];      /* nonzero: the law has it */
    double value[BRI_TRAIT_COUNT]; /* see bri_trait_text for its meaning */
} bri_traits;

/* Make all the experiments; takes a few milliseconds. */
BRI_API bri_traits bri_measure_traits(const bri_setup *s);
BRI_API const char *bri_trait_name(bri_trait t);    /* "pre-sliding" */
BRI_API const char *bri_trait_meaning(bri_trait t); /* what it says of a law */
BRI_API const char *bri_trait_text(bri_trait t);    /* how value is measured and what is enough */

/* ---- pictures ---------------------------------------------------------------------------- */

/* One line. A NaN leaves a gap. */
typedef struct bri_series {
    const char *label;   /* for the legend; NULL: not listed */
    const double *x, *y; /* coordinates [count], in the units of the panel */
    int count;           /* points */
    int markers; /* 1: points instead of a line, as for measured values; 2: dots, as for a cloud;
                    3, in a grid: points joined by a line; 4, in a grid: black dots on top, as for
                    single numbers that are known from elsewhere */
    int dashed;  /* in a grid, nonzero: dashed although it is the first */
    int back;    /* nonzero: broad and grey behind the others, as what they are compared with; over
                    a map: a contour, thin, and its label stands on it */
    const double *low; /* in a grid: lower edge of an area up to y, [count], in the colour of the
                          next line; or NULL */
} bri_series;

/* One number, or one word of a list, over two axes: coloured cells. */
typedef struct bri_map {
    const double *x, *y;      /* middles of the cells, [nx] and [ny], in the units of the panel */
    const double *z;          /* [ny * nx], row after row; NaN: the cell is left out */
    int nx, ny;               /* how many */
    const char *name, *unit;  /* of z, for its scale; unit NULL or "": none is shown */
    const char *const *words; /* of z = 0, 1, ...; NULL: numbers */
    int n_words;              /* how many */
} bri_map;

/* One diagram. A length, angle, velocity, time, force, torque, power or energy is shown in the
 * prefix that suits it. Lines differ in colour, dashes and width, and if there are many also in a
 * symbol: so those that lie on each other are all seen. */
typedef struct bri_panel {
    const char *title;           /* NULL: none */
    const char *x_name, *x_unit; /* "velocity", "m/s"; unit NULL or "": none is shown */
    const char *y_name, *y_unit; /* the same for the other axis */
    const bri_series *series;    /* its lines */
    int n_series;                /* how many */
    int column, row, rows; /* place in a grid, from 0 at the top left; height in rows, 0: one */
    int log_x, log_y;      /* in a grid: nonzero: logarithmic axis, what is not > 0 is left out */
    const bri_map *map; /* cells behind the lines, then so have all panels of the plot; or NULL */
    int no_legend, no_x_name;   /* in a grid, nonzero: another panel says it; data keep the names */
    const char *const *x_words; /* in a grid: words in place of the numbers 0, 1, ..., up to a NULL;
                                   or NULL */
    const char *const *y_words; /* the same for the other axis */
} bri_panel;

/* Diagrams side by side. Series of the same position in all panels share colour and label: the
 * legend is that of the first panel. With columns > 0: diagrams in a grid, each with its own
 * legend, those of one column aligned. Maps stand in rows of two or three, numbers in one scale of
 * colours. */
typedef struct bri_plot {
    const char *title;       /* NULL: none */
    const bri_panel *panels; /* its diagrams */
    int n_panels;            /* how many */
    int columns, rows;       /* of the grid; 0: side by side */
} bri_plot;

/* Write a field of CSV (RFC 4180): in quotes if it holds a comma, a quote or a line end. */
BRI_API void bri_csv_text(FILE *out, const char *text);

/* Draw into a file that ends in .svg, .png or .pdf, with gnuplot. The file appears complete or not
 * at all. BRI_MISSING if gnuplot is not there, BRI_BAD_FILE if it or the file system fails, or if
 * gnuplot takes more than 100 s (BRISTLE_PLOT_SECONDS in the environment). */
BRI_API bri_status bri_plot_write(const bri_plot *plot, const char *file, bri_error *err);

/* ---- text files ---------------------------------------------------------------------------- */

typedef struct bri_file bri_file; /* a text file being written */

/* Begin a text file, or standard output if the name is NULL. A file of that name stays as it is
 * until the new one is complete, which then has its permissions, and is reached by the same links.
 * With whole != 0 the file appears complete or not at all; else it can be watched as it grows, and
 * keeps what was written if it cannot be completed. Devices and pipes are written as they are. */
BRI_API bri_status bri_file_open(const char *name, int whole, bri_file **f, bri_error *err);

/* Whether a file could be opened for writing; leaves no trace. */
BRI_API bri_status bri_file_try(const char *name, bri_error *err);

/* Write some lines, which are never torn apart; and hand everything to the system. */
BRI_API bri_status bri_file_put(bri_file *f, const char *text, bri_error *err);
BRI_API bri_status bri_file_flush(bri_file *f, bri_error *err);

/* Finish and free, also on failure. With keep = 0 the file leaves no trace. f may be NULL. */
BRI_API bri_status bri_file_close(bri_file *f, int keep, bri_error *err);

#ifdef __cplusplus
}
#endif
#endif
