/* bristle_identify.h - friction parameters from measurements: which law fits, with which
 * parameters, how certain they are. docs/identification.md explains the methods. */
#ifndef BRISTLE_IDENTIFY_H
#define BRISTLE_IDENTIFY_H

#include "bristle_scenario.h"
#include "bristle_study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is asked ----------------------------------------------------------------------- */

/* How measurements and rig are brought together. */
typedef enum bri_way {
    BRI_WAY_AUTO,  /* by what is mapped: without a time curve, without a force motion, else force */
    BRI_WAY_CURVE, /* points of steady sliding, v and F */
    BRI_WAY_FORCE, /* the force that the rig needs for the measured motion */
    BRI_WAY_MOTION, /* the motion of the rig under measured forces, or with its controller */
    BRI_WAY_COUNT   /* number of them */
} bri_way;

BRI_API const char *bri_way_name(bri_way way); /* "force"; NULL: there is none */

/* What is identified from what. Zero is a good value for all but scenario, files and map. */
typedef struct bri_identify_def {
    const char *scenario;          /* file or name of the rig */
    const bri_override *overrides; /* changes to it, as --set gives them */
    int n_overrides;               /* how many */
    const bri_laws *known;         /* laws known by name, see bri_scenario_options; or NULL */
    const char *const *files;      /* recordings: CSV files */
    int n_files;                   /* how many */
    const char *const *validate;   /* recordings that are only predicted */
    int n_validate;                /* how many */
    const char *map;               /* "axis.x=qm[m],drive.force=35.15*vir[V],t=t[s]" */
    const char *unknown;           /* "pad.mu_c,axis.mass,offset"; NULL: "all" */
    const char *each;              /* unknowns with a value for every file, "offset"; or NULL */
    const char *controller;        /* of a closed loop: "motor.force = ..."; or NULL */
    const bri_model *const *laws;  /* laws to be ranked; none: that of the rig */
    int n_laws;                    /* how many */
    bri_way way;                   /* how they are brought together */
    double from, until;            /* times of the recordings that count [s]; both 0: all */
    double filter;                 /* of the residuals [Hz]; 0: by rate and noise, < 0: none */
    double huber;  /* robust loss beyond this many standard deviations; 0: least squares */
    int starts;    /* of the search; 0: 6 */
    double seed;   /* of the starts that are random */
    int folds;     /* blocks that are held out in turn; 0: 4; 1: none */
    int halves;    /* nonzero: instead, the second half is held out */
    int bootstrap; /* fits to redrawn residuals, for intervals of their own; 0: none */
    int profiles;  /* points of a profile of the error for each unknown; 0: none */
    int force;     /* nonzero: go on where the data are refused */
    int threads;   /* laws side by side; 0: one per processor */
} bri_identify_def;

/* ---- what is found ----------------------------------------------------------------------- */

/* What is known of an unknown. */
typedef enum bri_known {
    BRI_DETERMINED, /* the interval is narrow against the value */
    BRI_WIDE,       /* the value is known within a factor of about 2 */
    BRI_ONE_SIDED,  /* only a bound on one side */
    BRI_FLAT,       /* the data do not depend on it */
    BRI_ON_BOUND,   /* the best value is the end of its range */
    BRI_COUPLED,    /* only in combination with another one */
    BRI_KNOWN_COUNT /* number of them */
} bri_known;

BRI_API const char *bri_known_name(bri_known k); /* "determined"; NULL: there is none */

/* Room for an estimate's texts and for one end of a search. */
enum {
    BRI_ESTIMATES = 24, /* most unknowns */
    BRI_STARTS = 64,    /* most starts */
};

/* One unknown and what was found. */
typedef struct bri_estimate {
    char name[64], unit[32];      /* "pad.mu_c", "1" */
    double value;                 /* best value */
    double start;                 /* of the rig */
    double error;                 /* standard error; of the logarithm where `log` */
    int log;                      /* nonzero: the interval is that of the logarithm */
    double low, high;             /* interval of 95 % */
    double white_low, white_high; /* what it would be if the noise were white */
    double boot_low, boot_high;   /* interval of 95 % by the block bootstrap; NaN: not asked for */
    double min, max;              /* its range */
    bri_known known;              /* how well */
    char with[64];                /* coupled: with which other one */
    double correlation;           /* with that one, or the largest */
} bri_estimate;

/* A law and what was found. Numbers that do not exist are NaN. */
typedef struct bri_fit {
    char law[64];                                      /* its name */
    const char *rig_law;                               /* that of the rig */
    bri_error err;                                     /* status != BRI_OK: why there is nothing */
    bri_estimate estimate[BRI_ESTIMATES];              /* the unknowns */
    int n_estimates;                                   /* how many */
    double correlation[BRI_ESTIMATES * BRI_ESTIMATES]; /* of the estimates, row by row */
    long samples;                                      /* that count */
    double rms;                                        /* of the residuals */
    double raw;       /* of the residuals without their filter, over all samples */
    double relative;  /* that of the residuals over the rms of what is measured */
    double held_out;  /* relative error on blocks that were not used for the fit */
    double validated; /* the same on the files to validate */
    double aic, bic;  /* with the number of samples that are independent */
    double effective; /* that number */
    double colour;    /* correlation of neighbouring residuals */
    int order;        /* of the autoregressive model of the noise */
    int group;        /* 1: not to be told apart from the best on what was held out; 2, ... */
    double behind;    /* by how many standard errors it is worse than the best */
    double ends[BRI_STARTS]; /* relative errors that the starts ended at, rising */
    int n_ends;              /* how many */
    int agreed;              /* of them that ended within 0.1 % of the best */
    int iterations;          /* of the best */
    double *profile;   /* [n_estimates][n_profile][2]: value, rise of the error in variances */
    int n_profile;     /* points of each; 0: not asked for, or motions are simulated */
    double seconds;    /* processor time */
    double *t;         /* time of each sample [s] */
    double *y;         /* measured values */
    double *r;         /* residuals */
    double *v;         /* sliding velocities */
    double *x;         /* positions */
    int *file;         /* the file of each sample */
    char band[64];     /* a stick band that was narrowed, "pad.v_d"; "": none */
    double band_width; /* to what [m/s] */
    char *sense;       /* sentences on what is odd in the values; "": nothing */
} bri_fit;

/* What the data are like. */
typedef struct bri_data_verdict {
    long rows, holes, gaps; /* read, without a number, missing stretches */
    int files, stretches;   /* files, and stretches without gaps */
    double seconds, rate;   /* length [s], sampling rate [Hz] */
    double jitter;          /* largest deviation of a time step, as a share */
    long thinned;           /* neighbours that were averaged; 0: none */
    double filter;          /* of the residuals [Hz]; 0: none */
    double slow, fast;      /* speeds that hold the middle 90 % of what moves [m/s] */
    double travel;          /* range of the position */
    long reversals;         /* changes of direction */
    double resting;         /* share of the time at rest */
    double step_x, step_F;  /* steps of position and force, if they are quantised; 0: not seen */
    double noise;           /* of the force beyond the filter, rms */
    double noise_colour;    /* correlation of neighbouring samples of it */
    double delay;           /* of the force behind the motion [s]; NaN: not seen */
    double explained;       /* relative error that any smooth friction and inertia leave */
    int refused;            /* nonzero: nothing can be learned */
    char *text;             /* sentences, one a line; refusals begin with "Refused: " */
} bri_data_verdict;

/* All that was found. */
typedef struct bri_identified {
    char scenario[200];    /* file or name */
    bri_way way;           /* that was taken */
    bri_data_verdict data; /* what the data are like */
    bri_fit *fits;         /* a law each, the best first */
    int n_fits;            /* how many */
    int advised;           /* the fit that the advice takes; -1: none */
    char *advice;          /* sentences, one a line */
    char unit[16];         /* of the force: "N" or "N m" */
    char x_unit[8];        /* of positions: "m" or "rad" */
    char y_unit[16];       /* of what is compared, and of its residuals */
} bri_identified;

/* ---- identification ---------------------------------------------------------------------- */

/* Do it. On failure *out is NULL and messages say why; data that were refused are a result with
 * data.refused and no fits. */
BRI_API bri_status bri_identify_run(const bri_identify_def *def, const bri_watch *watch,
                                    bri_identified **out, bri_messages *messages);
BRI_API void bri_identified_free(bri_identified *r); /* free all it owns; NULL is allowed */

/* The estimates of fit i, and the ranking of the laws. NULL if there is no memory. */
BRI_API bri_table *bri_identified_estimates(const bri_identified *r, int fit);
BRI_API bri_table *bri_identified_ranking(const bri_identified *r);

/* Everything but samples as one JSON object. */
BRI_API bri_status bri_identified_json(const bri_identified *r, FILE *out, bri_error *err);

/* The rig with the values of a fit in place of its own: a scenario that can be run. The text is to
 * be freed; NULL with a reason in err. */
BRI_API char *bri_identified_scenario(const bri_identified *r, int fit, const bri_identify_def *def,
                                      bri_error *err);

/* A page with verdict, estimates, ranking and pictures. */
BRI_API bri_status bri_identified_report(const bri_identified *r, const bri_identify_def *def,
                                         const char *dir, const char *command, bri_error *err);

/* ---- recordings that are made ------------------------------------------------------------ */

/* A recording as sensors would make it of a rig, for planning a test. */
typedef struct bri_synthetic_def {
    const char *scenario;          /* file or name of the rig */
    const bri_override *overrides; /* changes to it */
    int n_overrides;               /* how many */
    const bri_laws *known;         /* laws known by name; or NULL */
    const char *map;               /* columns to be written, as bri_identify_def.map reads them */
    double rate;                   /* samples per second [Hz] */
    const char *noise; /* standard deviations, "axis.x=1 um,motor.force=0.2 N"; or NULL */
    const char *step;  /* steps of the sensors, in the same form; or NULL */
    const char *late;  /* by which they are late, "motor.force=2 ms"; or NULL */
    double colour;     /* correlation of the noise from row to row, 0: white */
    double seed;       /* of the noise: the same seed, the same bits */
} bri_synthetic_def;

/* Run the rig and write its recording as CSV. */
BRI_API bri_status bri_identify_synthetic(const bri_synthetic_def *def, FILE *out,
                                          bri_messages *messages);

#ifdef __cplusplus
}
#endif
#endif
