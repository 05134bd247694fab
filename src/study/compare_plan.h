/* compare_plan.h - a comparison while it is made. */
#ifndef BRI_COMPARE_PLAN_H
#define BRI_COMPARE_PLAN_H

#include "compare.h"

#include <pthread.h>

/* A law on the scenario. */
typedef struct variant {
    const bri_model *law;
    bri_scenario *s;
    bri_error err; /* why there is none */
    bri_traits traits;
} variant;

/* One run. */
typedef struct run {
    const variant *law;
    bri_compare_row *row;
    int exact; /* nonzero: as a reference, its time does not count */
} run;

typedef struct study {
    const bri_compare_def *def;
    const bri_watch *watch;
    bri_messages *messages;
    bri_status status;
    bri_compare *c;
    bri_scenario *base; /* with its own laws */
    int foreign;        /* nonzero: a change is for a law that the file does not name */
    const bri_model **laws;
    int n_laws;
    const bri_model *reference;
    variant *variants;
    int n_variants;
    run *runs;
    int n_runs;
    bri_compare_row *own; /* each law at a tight tolerance, or NULL */
    double tight;
    int contact;   /* whose friction is told; -1: none */
    double *share; /* of each run that is done */
    pthread_mutex_t lock;
} study;

/* Read the scenario and decide what is to be run. After a failure s->status tells, and the messages
 * of s say why. */
void compare_plan(study *s);

/* There was no memory. */
void compare_no_memory(study *s);

#endif
