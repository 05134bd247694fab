/* trace.c - a run kept in memory, and the processor time it takes. */
#define _POSIX_C_SOURCE 200809L
#include "study.h"

#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EVENT_ROOM = 4096 };

double processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- keeping ------------------------------------------------------------------------------- */

static bri_status make_room(bri_trace *t, const bri_sim_def *def, long rows) {
    bri_status status = bri_recorder_create(def, &t->recorder, &t->err);
    if (status != BRI_OK) return status;
    t->n_columns = bri_recorder_columns(t->recorder);
    t->room = rows;
    t->data = calloc((size_t)t->n_columns * (size_t)rows, sizeof *t->data);
    if (t->data) return BRI_OK;
    return bri_fail(&t->err, BRI_NO_MEMORY, "no memory for %ld rows of %d columns", rows,
                    t->n_columns);
}

static void keep_row(bri_trace *t, bri_sim *sim, double *row) {
    bri_recorder_read(t->recorder, sim, row);
    for (int k = 0; k < t->n_columns; k++) t->data[(long)k * t->room + t->n_rows] = row[k];
    t->n_rows++;
}

static bri_status keep_events(bri_trace *t, bri_sim *sim) {
    int count;
    long dropped;
    const bri_event *e = bri_sim_events(sim, &count, &dropped);
    t->events_missed += dropped;
    if (count > 0) {
        size_t all = (size_t)t->n_events + (size_t)count;
        bri_event *more = realloc(t->events, all * sizeof *more);
        if (!more) return bri_fail(&t->err, BRI_NO_MEMORY, "no memory for %zu events", all);
        memcpy(more + t->n_events, e, (size_t)count * sizeof *e);
        t->events = more;
        t->n_events += count;
    }
    bri_sim_forget_events(sim);
    return BRI_OK;
}

static bri_status run_rows(bri_trace *t, bri_sim *sim, const bri_rows *rows, double *row,
                           const bri_watch *watch) {
    bri_status status = BRI_OK;
    for (long i = 0; i < rows->count && status == BRI_OK; i++) {
        if (told_to_stop(watch)) return bri_fail(&t->err, BRI_NO_PROGRESS, "interrupted");
        status = bri_sim_advance(sim, bri_row_time(rows, i), &t->err);
        bri_status kept = keep_events(t, sim);
        if (status == BRI_OK) status = kept;
        if (status == BRI_OK) keep_row(t, sim, row);
        if (watch && watch->progress)
            watch->progress(watch->context, (double)(i + 1) / (double)rows->count);
    }
    return status;
}

bri_status bri_trace_run(bri_trace *t, const bri_sim_def *def, double output,
                         const bri_watch *watch) {
    bri_rows rows = bri_rows_of(def, output);
    bri_sim_def with_events = *def;
    bri_sim *sim = NULL;
    *t = (bri_trace){0};
    if (with_events.event_room == 0) with_events.event_room = EVENT_ROOM;
    bri_status status = bri_sim_create(&with_events, &sim, &t->err);
    if (status == BRI_OK) status = make_room(t, def, rows.count);
    double *row = status ? NULL : calloc((size_t)t->n_columns, sizeof *row);
    if (status == BRI_OK && !row)
        status = bri_fail(&t->err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    if (status == BRI_OK) {
        double before = processor_time();
        status = run_rows(t, sim, &rows, row, watch);
        t->seconds = processor_time() - before;
        t->stats = bri_sim_stats(sim);
        t->energies = bri_sim_energies(sim);
    }
    t->err.status = status;
    free(row);
    bri_sim_free(sim);
    return status;
}

void bri_trace_free(bri_trace *t) {
    bri_recorder_free(t->recorder);
    free(t->data);
    free(t->events);
    *t = (bri_trace){0};
}

const double *bri_trace_column(const bri_trace *t, int column) {
    return t->data && column >= 0 && column < t->n_columns ? t->data + (long)column * t->room
                                                           : NULL;
}

const double *bri_trace_find(const bri_trace *t, const char *name) {
    return t->recorder ? bri_trace_column(t, bri_recorder_find(t->recorder, name)) : NULL;
}

/* ---- timing -------------------------------------------------------------------------------- */

double bri_time_run(const bri_sim_def *def) {
    const double enough = 0.02; /* [s] in all; the least of the runs is the least disturbed one */
    double least = INFINITY, spent = 0.0;
    while (spent < enough) {
        bri_sim *sim;
        if (bri_sim_create(def, &sim, NULL) != BRI_OK) return NAN;
        double before = processor_time();
        bri_status status = bri_sim_advance(sim, def->t_end, NULL);
        double took = processor_time() - before;
        bri_sim_free(sim);
        if (status != BRI_OK) return NAN;
        /* Clocks of virtual machines stand still at times. */
        if (took > 0.0) least = fmin(least, took);
        spent += fmax(took, 1e-6);
    }
    return least;
}
