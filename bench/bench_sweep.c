/* bench_sweep.c - what the points of a sweep cost, and how threads share them.
 *
 *   bench_sweep TIMES.csv    the stick-slip map of 'bristle sweep --example stick-slip-map' at 25
 * times 25 points: processor time of each into the file, for bench/schedule.py; then weak scaling,
 * the same work for one thread and twice of it for two */
#define _POSIX_C_SOURCE 200809L
#include "bristle_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double clock_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct watch {
    FILE *out;
    double last, sum, most;
} watch;

/* Of one thread: what it has computed since the last point. */
static int note(void *to, const bri_sweep_point *p) {
    watch *w = to;
    double now = clock_of(CLOCK_PROCESS_CPUTIME_ID), took = now - w->last;
    fprintf(w->out, "%ld,%.9f\n", p->index, took);
    w->last = now;
    w->sum += took;
    if (took > w->most) w->most = took;
    return 0;
}

static bri_sweep *map(int threads, long copies) {
    static const bri_override rig[] = {{"pad.v_s", "50 mm/s"},
                                       {"pad.nu", "0.05 s/m"},
                                       {"run.until", "60 s"},
                                       {"run.rtol", "1e-5"}};
    static const char *const vary[] = {"belt.velocity=log:0.005:0.5:25",
                                       "spring.stiffness=log:1:1000:25"};
    static const char *const random[] = {"block.mass=normal(0.01 %)"};
    static const char *const measures[] = {"regime"};
    bri_sweep_def def = {.scenario = "belt",
                         .overrides = rig,
                         .n_overrides = 4,
                         .vary = vary,
                         .n_vary = 2,
                         .random = random,
                         .n_random = 1,
                         .samples = copies,
                         .measures = measures,
                         .n_measures = 1,
                         .from = 20.0,
                         .slip_speed = 1e-3,
                         .threads = threads};
    bri_sweep *s = NULL;
    bri_messages messages;
    if (bri_sweep_create(&def, &s, &messages) == BRI_OK) return s;
    fprintf(stderr, "bench_sweep: %s\n", messages.message[0].text);
    exit(1);
}

/* Seconds by the clock on the wall, the least of three. */
static double wall(int threads, long copies) {
    double least = 1e9;
    for (int round = 0; round < 3; round++) {
        bri_sweep *s = map(threads, copies);
        bri_error err;
        double from = clock_of(CLOCK_MONOTONIC);
        if (bri_sweep_run(s, NULL, NULL, NULL, &err) != BRI_OK) exit(1);
        double took = clock_of(CLOCK_MONOTONIC) - from;
        if (took < least) least = took;
        bri_sweep_free(s);
    }
    return least;
}

int main(int argc, char **argv) {
    bri_error err;
    if (argc != 2) {
        fprintf(stderr, "usage: bench_sweep TIMES.csv\n");
        return 2;
    }
    watch w = {.out = fopen(argv[1], "w")};
    if (!w.out) {
        fprintf(stderr, "bench_sweep: %s cannot be written\n", argv[1]);
        return 1;
    }
    bri_sweep *s = map(1, 1);
    fputs("point,seconds\n", w.out);
    w.last = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    if (bri_sweep_run(s, NULL, note, &w, &err) != BRI_OK) return 1;
    long points = bri_sweep_points(s);
    bri_sweep_free(s);
    fclose(w.out);
    printf("points %ld, mean %.3g ms, most %.3g ms of processor time\n", points,
           1e3 * w.sum / (double)points, 1e3 * w.most);
    double one = wall(1, 1), two = wall(2, 2);
    printf("weak scaling: 1 thread %.3g s, 2 threads with twice the points %.3g s: %.1f %%\n", one,
           two, 100.0 * one / two);
    return 0;
}
