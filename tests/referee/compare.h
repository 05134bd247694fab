/* compare.h - the library under test on a drawn rig, and how far it is from the referee. */
#ifndef REFEREE_COMPARE_H
#define REFEREE_COMPARE_H

#include "bristle_scenario.h"
#include "solve.h"

/* The referee's word on a rig: at two tolerances, and slightly changed. */
typedef struct ref_verdict {
    ref_status status;
    double agreement;            /* of the two tolerances, share of the range */
    double condition;            /* growth of a change by 1e-9, of parameters and on the way */
    double range[2][REF_BODIES]; /* of x and v, with a floor */
    ref_result result;
} ref_verdict;

/* What keeps a rig from being counted. */
typedef enum ref_count {
    REF_COUNTED,
    REF_CHAOTIC,  /* condition above 1000: 0.1 % for a change by 1e-6 */
    REF_OPEN,     /* the laws leave the motion open */
    REF_UNSURE,   /* two tolerances differ by more than 1e-6 */
    REF_TOO_DEAR, /* too stiff for explicit steps */
    REF_COUNTS
} ref_count;

/* A result of the library: rows of x and v, and how it ended. */
typedef struct ref_run {
    bri_status status;
    int refused; /* the solver does not take this law */
    bri_error err;
    long steps;
    int doubted; /* the run does not trust itself */
    bri_findings seen;
    ref_result result;
} ref_run;

/* Ranges of the result's columns, at least a hundredth of the longest way and a quarter of the
 * largest speed of any body: one that hardly moves is judged by what moves beside it. */
void ref_find_ranges(const ref_rig *r, ref_verdict *v);

void ref_judge(const ref_rig *r, ref_verdict *v);
ref_count ref_counts(const ref_verdict *v);

/* Run a scenario text with a solver and a tolerance; max_step 0: no limit. */
void ref_run_library(const ref_rig *r, const char *text, const char *solver, double rtol,
                     double max_step, ref_run *out);

/* Nonzero: up to three bodies move freely, with as many contacts of one law that has one state, and
 * nothing drives them or depends on time. */
int ref_is_plain(const ref_rig *r);

/* The same scenario as points of a sweep that differ in their ends, so that several are computed at
 * once in the lanes of vectors: some rows of the result, the others are the verdict's own. refused:
 * the sweep does not take it there. */
void ref_run_lanes(const ref_rig *r, const ref_verdict *v, const char *text, double rtol,
                   ref_run *out);

/* Largest difference over rows and columns, as a share of the range; column_error may be NULL, else
 * [2][REF_BODIES]. */
double ref_error(const ref_rig *r, const ref_verdict *v, const ref_result *result,
                 double (*column_error)[REF_BODIES]);

#endif
