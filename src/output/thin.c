/* thin.c - a curve of many points as one of few: the extremes of every group stay. */
#include "thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void thin_init(thin *c, long points, long stay, int plane) {
    *c = (thin){.plane = plane,
                .group = points > 2 * stay ? (points + stay - 1) / stay : 1,
                .most = (size_t)(stay > 1 ? stay : 1) * (plane ? 16 : 8)};
}

static void push(thin *c, double x, double y) {
    if (c->count == c->room) {
        size_t room = c->room ? 2 * c->room : 256;
        double *more_x = realloc(c->x, room * sizeof *more_x);
        if (more_x) c->x = more_x;
        double *more_y = realloc(c->y, room * sizeof *more_y);
        if (more_y) c->y = more_y;
        if (!more_x || !more_y) {
            c->failed = 1;
            return;
        }
        c->room = room;
    }
    c->x[c->count] = x;
    c->y[c->count++] = y;
}

static int by_time(const void *a, const void *b) {
    long x = ((const thin_point *)a)->at, y = ((const thin_point *)b)->at;
    return (x > y) - (x < y);
}

/* What stays of the present group, in the order of time. */
static void close_group(thin *c) {
    size_t count = c->plane ? 4 : 2;
    if (c->seen == 0) return;
    qsort(c->kept, count, sizeof *c->kept, by_time);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || c->kept[i].at != c->kept[i - 1].at) push(c, c->kept[i].x, c->kept[i].y);
    c->seen = 0;
}

/* Every number is lower than what is not a number. */
static int lower(double a, double b) { return a < b || (b != b && a == a); }

/* More points came than were announced: spans of x, each twice as long as before. */
static void widen(thin *c) {
    size_t most = c->most;
    double width =
        c->width > 0.0 ? 2.0 * c->width : 4.0 * (c->x[c->count - 1] - c->x[0]) / (double)c->most;
    thin wide = {.group = 2, .width = width, .most = 2 * c->count};
    if (!(width > 0.0)) return; /* all at one time, or none is a number */
    for (size_t i = 0; i < c->count; i++) thin_add(&wide, c->x[i], c->y[i]);
    close_group(&wide);
    c->failed |= wide.failed;
    if (c->failed) {
        thin_free(&wide);
        return;
    }
    thin_free(c);
    *c = wide;
    c->most = most;
}

/* The same for a curve in the plane: the first point of every cell of a grid, as fine as leaves
 * half of the points that may stay. */
static void sieve(thin *c) {
    enum { FINEST = 512 };
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    char *taken = malloc((size_t)FINEST * FINEST);
    c->failed |= !taken;
    for (size_t i = 0; i < c->count; i++) {
        low[0] = fmin(low[0], c->x[i]), high[0] = fmax(high[0], c->x[i]);
        low[1] = fmin(low[1], c->y[i]), high[1] = fmax(high[1], c->y[i]);
    }
    for (int n = FINEST; taken && n >= 1 && c->count > c->most / 2; n /= 2) {
        size_t left = 0;
        memset(taken, 0, (size_t)n * (size_t)n);
        for (size_t i = 0; i < c->count; i++) {
            double u = (c->x[i] - low[0]) / (high[0] - low[0]),
                   v = (c->y[i] - low[1]) / (high[1] - low[1]);
            int row = v > 0.0 ? (int)(v * (n - 1)) : 0, column = u > 0.0 ? (int)(u * (n - 1)) : 0;
            char *cell = &taken[row * n + column];
            if (*cell) continue;
            *cell = 1;
            c->x[left] = c->x[i];
            c->y[left++] = c->y[i];
        }
        c->count = left;
        c->sieved = 1;
    }
    free(taken);
}

void thin_add(thin *c, double x, double y) {
    if (c->width > 0.0 && c->seen > 0 && x >= c->until) close_group(c);
    if (c->seen == 0 && c->count > c->most && !c->failed) {
        if (c->plane)
            sieve(c);
        else
            widen(c);
    }
    if (c->group == 1) {
        push(c, x, y);
        return;
    }
    thin_point p = {x, y, c->seen};
    if (c->seen == 0) {
        for (int i = 0; i < 4; i++) c->kept[i] = p;
        if (c->width > 0.0) c->until = c->width * (floor(x / c->width) + 1.0);
    }
    if (lower(y, c->kept[0].y)) c->kept[0] = p;
    if (lower(-y, -c->kept[1].y)) c->kept[1] = p;
    if (lower(x, c->kept[2].x)) c->kept[2] = p;
    if (lower(-x, -c->kept[3].x)) c->kept[3] = p;
    c->last = p;
    if (++c->seen == c->group && !(c->width > 0.0)) close_group(c);
}

void thin_end(thin *c) {
    if (c->group == 1 || c->seen == 0) return;
    close_group(c);
    if (c->count > 0 && c->x[c->count - 1] != c->last.x) push(c, c->last.x, c->last.y);
}

void thin_free(thin *c) {
    free(c->x);
    free(c->y);
}
