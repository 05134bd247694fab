/* worker.h - what worker.c, which sets the points of a thread, and point.c, which runs them, share.
 */
#ifndef BRI_WORKER_H
#define BRI_WORKER_H

#include "ensemble.h"

#include "../study/study.h"
#include "sim/lanes.h"

typedef struct tally {
    int looks;        /* LOOK_AT_... */
    bri_slips *slips; /* or NULL */
    long count;
    double size, peak, time;
} tally;

/* A run on its way. The rows since `from` are kept. */
typedef struct run {
    long point;
    int lead; /* nonzero: it first has to come to where measuring begins */
    int wanted;
    long i, first, count, rows; /* the next stop, the first that is measured, all; rows kept */
    long events;                /* before that */
    bri_rows times;
    tally slips;
    int in_lane;
    long goal;         /* of a lane: the stop it leads to ... */
    bri_status status; /* ... and what has gone wrong before */
    bri_error err;
    run_facts facts;
    bri_writer *kept;
    bri_run_head head;
} run;

/* A scenario as it was read, for all workers of a thread that can do with it. */
typedef struct reading {
    bri_scenario *scenario;
    int users;
} reading;

struct worker {
    const bri_sweep *s;
    const worker *kin; /* another one of the same thread, or NULL */
    int variant;       /* that is loaded; -1: none */
    reading *read;
    const bri_scenario *scenario; /* of the reading */
    bri_sim *sim;
    bri_sim_def def;
    bri_recorder *recorder; /* of the columns that are measured */
    bri_recorder *all;      /* of every column, if runs are kept */
    gauge *gauge;
    double *x, *loaded; /* values of the axes; of those that were loaded */
    bri_ref *ref;       /* per axis that is set by its address: where that is here */
    double *data, *row; /* rows of the run, column after column */
    const double **column;
    long room;
    int *place;          /* of each needed column in a row of the recorder */
    int *contact;        /* which one each of the meter is */
    sim_slide *slides;   /* per contact */
    double *event_force; /* per contact: largest at an event */
    bri_sliding *sliding;
    double slip_speed;
    int as_it_stands; /* nonzero: the axes are not set */
    run run;          /* of the present point */
    double *result;   /* its row */
};

/* Read the scenario of a variant, with the keys among the axes as they are in x; and forget it. */
bri_status worker_load(worker *w, int which, bri_error *err);
void worker_unload(worker *w);

/* Set a point, at the start. */
bri_status worker_set(worker *w, int which, const place_in *at, bri_error *err);

static inline bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

#endif
