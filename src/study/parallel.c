/* parallel.c - independent jobs on the processors of this machine. */
#define _POSIX_C_SOURCE 200809L
#include "study.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct crew {
    int count, next, done;
    void (*job)(void *context, int i);
    void *context;
    const bri_watch *watch;
    pthread_mutex_t lock; /* of next and done, and of progress */
} crew;

/* The next job that nobody has, -1 if there is none. */
static int take(crew *c) {
    pthread_mutex_lock(&c->lock);
    int i = c->next < c->count && !told_to_stop(c->watch) ? c->next++ : -1;
    pthread_mutex_unlock(&c->lock);
    return i;
}

static void finished(crew *c) {
    const bri_watch *w = c->watch;
    pthread_mutex_lock(&c->lock);
    c->done++;
    if (w && w->progress) w->progress(w->context, (double)c->done / c->count);
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *to) {
    crew *c = to;
    for (int i; (i = take(c)) >= 0;) {
        c->job(c->context, i);
        finished(c);
    }
    return NULL;
}

void bri_parallel(int count, int threads, void (*job)(void *context, int i), void *context,
                  const bri_watch *watch) {
    crew c = {.count = count, .job = job, .context = context, .watch = watch};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (threads <= 0) threads = processors > 0 && processors < 1024 ? (int)processors : 1;
    if (threads > count) threads = count;
    pthread_t *helpers = threads > 1 ? calloc((size_t)threads - 1, sizeof *helpers) : NULL;
    int started = 0;
    pthread_mutex_init(&c.lock, NULL);
    while (helpers && started < threads - 1 &&
           pthread_create(&helpers[started], NULL, work, &c) == 0)
        started++;
    work(&c); /* also all of it, should no thread start */
    for (int i = 0; i < started; i++) pthread_join(helpers[i], NULL);
    pthread_mutex_destroy(&c.lock);
    free(helpers);
}
