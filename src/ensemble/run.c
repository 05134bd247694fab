/* run.c - the points of a sweep, several at a time. */
#define _POSIX_C_SOURCE 200809L
#include "ensemble.h"

#include "../study/study.h"
#include "sim/lanes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct crew {
    bri_sweep *s;
    const bri_watch *watch;
    bri_sweep_finished finished;
    void *context;
    const long *points; /* those to run; NULL: all of the part */
    long count, next;   /* of points; the next one, or the next place in them */
    int abreast;        /* runs that a thread may make at the same time */
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
    while (!c->stop && c->next < c->count && point < 0) {
        long i = c->points ? c->points[c->next] : c->next;
        c->next++;
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

bri_status bri_sweep_take(bri_sweep *s, const bri_sweep_point *p, bri_error *err) {
    bri_error why = {0};
    int state = p->status == BRI_OK         ? ROW_GOOD
                : p->status == BRI_DOUBTFUL ? ROW_DOUBTFUL
                                            : ROW_FAILED;
    if (p->index < 0 || p->index >= s->design.points)
        return bri_fail(err, BRI_BAD_VALUE, "there is no point %ld", p->index);
    memcpy(sheet_row(&s->sheet, p->index), p->row, (size_t)s->sheet.n_columns * sizeof *p->row);
    if (!sheet_put(&s->sheet, p->index, state, p->reason))
        bri_fail(&why, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    else if (s->journal && journal_put(s->journal, &s->sheet, p->index, &why) != BRI_OK)
        sheet_forget(&s->sheet, p->index); /* a point counts if it is kept */
    return why.status == BRI_OK ? BRI_OK : bri_fail(err, why.status, "%s", why.text);
}

/* A result: kept, written, told. */
static void finish(crew *c, long point, const double *row, bri_status status, const bri_error *why,
                   int in_lane) {
    bri_sweep *s = c->s;
    bri_error err = {0};
    const bri_sweep_point told = {point, row, status, status == BRI_OK ? "" : why->text};
    pthread_mutex_lock(&c->lock);
    if (bri_sweep_take(s, &told, &err) != BRI_OK) give_up(c, &err);
    s->lanes += in_lane;
    if (c->finished && c->finished(c->context, &told)) {
        bri_fail(&err, BRI_NO_PROGRESS, "stopped");
        give_up(c, &err);
    }
    if (c->watch && c->watch->progress)
        c->watch->progress(c->watch->context, (double)s->sheet.done / (double)bri_sweep_mine(s));
    pthread_mutex_unlock(&c->lock);
}

/* ---- one thread ------------------------------------------------------------------------------ */

/* Its own simulations: one, or as many as go abreast in lanes. */
typedef struct gang {
    crew *c;
    sim_lanes *lanes;
    worker *worker[BRI_LANES];
    double *row[BRI_LANES];
    long point[BRI_LANES];
    char busy[BRI_LANES];
    int in_lanes, waiting; /* how many; the one whose kind is not that of the others, or -1 */
} gang;

static void give_up_here(crew *c, const bri_error *err) {
    pthread_mutex_lock(&c->lock);
    give_up(c, err);
    pthread_mutex_unlock(&c->lock);
}

/* The run of a worker is over. 0: no further one is to be begun. */
static int end_run(gang *g, int i, bri_status status, bri_error *err) {
    crew *c = g->c;
    int in_lane = worker_lane(g->worker[i]) != NULL;
    g->busy[i] = 0;
    status = worker_end(g->worker[i], status, err);
    if (status == BRI_NO_PROGRESS && told_to_stop(c->watch)) return 0;
    if (status == BRI_NO_MEMORY || status == BRI_BAD_FILE) { /* not of the point, but of here */
        give_up_here(c, err);
        return 0;
    }
    finish(c, g->point[i], g->row[i], status, err, in_lane);
    return 1;
}

/* Into a lane; if it is over already, that is all. */
static int enter(gang *g, int i) {
    bri_error err = {0};
    bri_status status;
    g->waiting = -1;
    if (!worker_enter(g->worker[i], g->lanes, i, &status, &err)) return end_run(g, i, status, &err);
    g->in_lanes++;
    return 1;
}

/* A worker that has nothing to do takes the next point. 0: there is none, or no more is to be done.
 */
static int begin_run(gang *g, int i) {
    crew *c = g->c;
    bri_error err = {0};
    if (!g->worker[i]) g->worker[i] = worker_new(c->s, i > 0 ? g->worker[0] : NULL);
    if (!g->row[i]) g->row[i] = calloc((size_t)c->s->sheet.n_columns + 1, sizeof **g->row);
    if (!g->worker[i] || !g->row[i]) {
        bri_fail(&err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
        give_up_here(c, &err);
        return 0;
    }
    if ((g->point[i] = take(c)) < 0) return 0;
    g->busy[i] = 1;
    bri_status status = worker_begin(g->worker[i], g->point[i], g->row[i], &err);
    bri_sim *sim = status == BRI_OK && g->lanes ? worker_lane(g->worker[i]) : NULL;
    if (sim && sim_lanes_match(g->lanes, sim)) return enter(g, i);
    if (sim) {
        g->waiting = i; /* until the lanes are empty */
        return 1;
    }
    if (status == BRI_OK) status = worker_go(g->worker[i], c->watch, &err);
    return end_run(g, i, status, &err);
}

/* Points until there are none. */
static void work(void *to, int thread) {
    crew *c = to;
    gang g = {.c = c, .lanes = c->s->def.function ? NULL : sim_lanes_new(), .waiting = -1};
    int more = 1, good = 1;
    (void)thread;
    while (good) {
        int i = 0;
        while (i < c->abreast && g.busy[i]) i++;
        if (more && g.waiting < 0 && i < c->abreast) {
            more = begin_run(&g, i);
        } else if (g.in_lanes > 0) {
            bri_error err = {0};
            bri_status status = BRI_OK;
            int lane = sim_lanes_next(g.lanes, &status, &err);
            if (told_to_stop(c->watch)) break;
            if (lane < 0 || worker_arrived(g.worker[lane], g.lanes, lane, &status, &err)) continue;
            g.in_lanes--;
            good = end_run(&g, lane, status, &err);
        } else if (g.waiting >= 0) {
            good = enter(&g, g.waiting);
        } else {
            break;
        }
    }
    for (int i = 0; i < BRI_LANES; i++) {
        free(g.row[i]);
        worker_free(g.worker[i]);
    }
    sim_lanes_free(g.lanes);
}

long bri_sweep_lanes(const bri_sweep *s) { return s->lanes; }

long bri_sweep_pending(const bri_sweep *s, long from, long *points, long most) {
    long count = 0;
    for (long i = from < 0 ? 0 : from; i < s->design.points && count < most; i++)
        if (mine(s, i) && s->sheet.state[i] == ROW_NONE) points[count++] = i;
    return count;
}

bri_status bri_sweep_run_points(bri_sweep *s, const long *points, long count,
                                const bri_watch *watch, bri_sweep_finished finished, void *context,
                                bri_error *err) {
    crew c = {.s = s,
              .watch = watch,
              .finished = finished,
              .context = context,
              .points = points,
              .count = points ? count : s->design.points};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long left = points ? count : bri_sweep_mine(s) - s->sheet.done;
    long threads = s->def.threads > 0                    ? s->def.threads
                   : processors > 0 && processors < 1024 ? processors
                                                         : 1;
    if (threads > left) threads = left;
    if (threads < 1) return BRI_OK;
    long share = (left + threads - 1) / threads;
    c.abreast = (int)(share < BRI_LANES ? share : BRI_LANES);
    if (s->meter && meter_compares(s->meter)) {
        bri_status status = worker_reference(s, watch, err);
        if (status != BRI_OK) return status;
    }
    pthread_mutex_init(&c.lock, NULL);
    bri_parallel((int)threads, (int)threads, work, &c, NULL);
    pthread_mutex_destroy(&c.lock);
    if (told_to_stop(watch) && c.next < c.count && !c.stop)
        bri_fail(&c.err, BRI_NO_PROGRESS, "interrupted");
    if (c.err.status == BRI_OK) return BRI_OK;
    return bri_fail(err, c.err.status, "%s", c.err.text);
}

bri_status bri_sweep_run(bri_sweep *s, const bri_watch *watch, bri_sweep_finished finished,
                         void *context, bri_error *err) {
    return bri_sweep_run_points(s, NULL, 0, watch, finished, context, err);
}
