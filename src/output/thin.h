/* thin.h - a curve of many points as one of few that looks the same. */
#ifndef BRI_THIN_H
#define BRI_THIN_H

#include <stddef.h>

typedef struct thin_point {
    double x, y;
    long at; /* number of the point in its group */
} thin_point;

/* Of every group of points the lowest and the highest stay, so that no peak is lost; of a curve in
 * the plane also the leftmost and the rightmost. If more points come than were announced, as where
 * steps are short for a part of the time, groups become spans of x of equal length, and of a curve
 * in the plane the first point of every cell of a grid stays. */
typedef struct thin {
    double *x, *y; /* the points that stay */
    size_t count, room;
    size_t most;        /* points that may stay before groups grow */
    long group;         /* points in a group; 1: all stay */
    double width;       /* of a group in x; 0: it has a number of points */
    int sieved;         /* nonzero: of a curve in the plane cells stay, no line joins them */
    int plane;          /* nonzero: x is not time */
    double until;       /* x at which the present span ends */
    long seen;          /* points of the present group */
    thin_point kept[4]; /* its lowest, highest, leftmost, rightmost */
    thin_point last;
    int failed; /* nonzero: there was no memory */
} thin;

/* For about `points` points, of which about `stay` groups may stay; if far more come, a few times
 * as many. */
void thin_init(thin *c, long points, long stay, int plane);
void thin_add(thin *c, double x, double y);

/* The rest, once all points are in; calling it again does nothing. */
void thin_end(thin *c);
void thin_free(thin *c);

#endif
