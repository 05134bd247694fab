/* thin.c - a curve of many points as one of few: the extremes of every group stay. */
#include "thin.h"

#include <stdlib.h>

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

/* More points came than were announced: of what stays every other one goes, and from now on a group
 * has twice as many. */
static void coarsen(thin *c) {
    long pair = c->plane ? 8 : 4; /* what stays of two groups */
    thin half = {.plane = c->plane, .group = pair, .most = c->most};
    for (size_t i = 0; i < c->count; i++) thin_add(&half, c->x[i], c->y[i]);
    close_group(&half);
    if (half.failed) {
        thin_free(&half);
        c->failed = 1;
        return;
    }
    thin_free(c);
    c->x = half.x;
    c->y = half.y;
    c->count = half.count;
    c->room = half.room;
    c->group = c->group == 1 ? pair : 2 * c->group;
}

void thin_add(thin *c, double x, double y) {
    if (c->seen == 0 && c->count > c->most && !c->failed) coarsen(c);
    if (c->group == 1) {
        push(c, x, y);
        return;
    }
    thin_point p = {x, y, c->seen};
    if (c->seen == 0)
        for (int i = 0; i < 4; i++) c->kept[i] = p;
    if (lower(y, c->kept[0].y)) c->kept[0] = p;
    if (lower(-y, -c->kept[1].y)) c->kept[1] = p;
    if (lower(x, c->kept[2].x)) c->kept[2] = p;
    if (lower(-x, -c->kept[3].x)) c->kept[3] = p;
    c->last = p;
    if (++c->seen == c->group) close_group(c);
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
