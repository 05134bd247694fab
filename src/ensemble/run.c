/* run.c - the points of a sweep, several at a time. */
#define _POSIX_C_SOURCE 200809L
#include "ensemble.h"

#include "../study/study.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct crew {
    bri_sweep *s;
    const bri_watch *watch;
    bri_sweep_finished finished;
    void *context;
    long next;
    int stop;
    bri_error err;
    pthread_mutex_t lock;
} crew;

static int mine(const bri_sweep *s, long point) {
    return s->parts < 2 || point % s->parts == s->part - 1;
}

/* The next point without a result, -1: there is none. */
static long take(crew *c) {
    long point = -1;
    pthread_mutex_lock(&c->lock);
    if (!c->stop && told_to_stop(c->watch)) {
        c->stop = 1;
        bri_fail(&c->err, BRI_NO_PROGRESS, "interrupted");
    }
    while (!c->stop && c->next < c->s->design.points && point < 0) {
        long i = c->next++;
        if (mine(c->s, i) && c->s->sheet.state[i] == ROW_NONE) point = i;
    }
    pthread_mutex_unlock(&c->lock);
    return point;
}

static void give_up(crew *c, const bri_error *err) {
    if (c->stop) return;
    c->stop = 1;
    c->err = *err;
}

/* A result: kept, written, told. */
static void finish(crew *c, long point, const double *row, bri_status status,
                   const bri_error *why) {
    bri_sweep *s = c->s;
    bri_error err = {0};
    int state = status == BRI_OK ? ROW_GOOD : status == BRI_DOUBTFUL ? ROW_DOUBTFUL : ROW_FAILED;
    const char *reason = status == BRI_OK ? "" : why->text;
    pthread_mutex_lock(&c->lock);
    memcpy(sheet_row(&s->sheet, point), row, (size_t)s->sheet.n_columns * sizeof *row);
    if (!sheet_put(&s->sheet, point, state, reason))
        bri_fail(&err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    else if (s->journal)
        journal_put(s->journal, &s->sheet, point, &err);
    if (err.status != BRI_OK) give_up(c, &err);
    const bri_sweep_point told = {point, row, status, reason};
    if (c->finished && c->finished(c->context, &told)) {
        bri_fail(&err, BRI_NO_PROGRESS, "stopped");
        give_up(c, &err);
    }
    if (c->watch && c->watch->progress)
        c->watch->progress(c->watch->context, (double)s->sheet.done / (double)bri_sweep_mine(s));
    pthread_mutex_unlock(&c->lock);
}

/* One thread: its own simulation, points until there are none. */
static void work(void *to, int i) {
    crew *c = to;
    (void)i;
    worker *w = worker_new(c->s);
    double *row = calloc((size_t)c->s->sheet.n_columns + 1, sizeof *row);
    for (long point; w && row && (point = take(c)) >= 0;) {
        bri_error err = {0};
        bri_status status = worker_point(w, point, row, c->watch, &err);
        if (status == BRI_NO_PROGRESS && told_to_stop(c->watch)) break;
        if (status == BRI_NO_MEMORY || status == BRI_BAD_FILE) { /* not of the point, but of here */
            pthread_mutex_lock(&c->lock);
            give_up(c, &err);
            pthread_mutex_unlock(&c->lock);
            break;
        }
        finish(c, point, row, status, &err);
    }
    if (!w || !row) {
        bri_error err;
        bri_fail(&err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
        pthread_mutex_lock(&c->lock);
        give_up(c, &err);
        pthread_mutex_unlock(&c->lock);
    }
    free(row);
    worker_free(w);
}

bri_status bri_sweep_run(bri_sweep *s, const bri_watch *watch, bri_sweep_finished finished,
                         void *context, bri_error *err) {
    crew c = {.s = s, .watch = watch, .finished = finished, .context = context};
    long processors = sysconf(_SC_NPROCESSORS_ONLN), left = bri_sweep_mine(s) - s->sheet.done;
    long threads = s->def.threads > 0                    ? s->def.threads
                   : processors > 0 && processors < 1024 ? processors
                                                         : 1;
    if (threads > left) threads = left;
    if (threads < 1) return BRI_OK;
    if (s->meter && meter_compares(s->meter)) {
        bri_status status = worker_reference(s, watch, err);
        if (status != BRI_OK) return status;
    }
    pthread_mutex_init(&c.lock, NULL);
    bri_parallel((int)threads, (int)threads, work, &c, NULL);
    pthread_mutex_destroy(&c.lock);
    if (told_to_stop(watch) && s->sheet.done < bri_sweep_mine(s) && !c.stop)
        bri_fail(&c.err, BRI_NO_PROGRESS, "interrupted");
    if (c.err.status == BRI_OK) return BRI_OK;
    return bri_fail(err, c.err.status, "%s", c.err.text);
}
