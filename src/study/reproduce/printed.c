/* printed.c - where the numbers that a paper prints lie in the picture of a run. */
#include "lab.h"

#include <math.h>
#include <string.h>

/* The instant from a to b at which y is largest (sign 1) or smallest (sign -1). */
static double extreme_at(const lab *l, const lab_quantity *q, double sign) {
    const double *t = lab_time(l, q->run), *y = lab_column(l, q->run, q->column);
    double most = -INFINITY, at = NAN;
    for (long i = 0; i < lab_trace(l, q->run)->n_rows; i++)
        if (t[i] >= q->a && (t[i] <= q->b || q->b <= q->a) && sign * y[i] > most) {
            most = sign * y[i];
            at = t[i];
        }
    return at;
}

/* A printed value of a column, or a printed instant at which it passes a value. */
static int point_of(const lab *l, const lab_quantity *q, double *x, double *y) {
    const double *column = lab_column(l, q->run, q->column), *t = lab_time(l, q->run);
    long count = lab_trace(l, q->run)->n_rows;
    double half, value = lab_number(q->published, &half) / lab_scale(q->unit);
    *x = q->a;
    *y = value;
    if (q->measure == lab_moved) {
        *y = column[0] + value;
    } else if (q->measure == lab_mean) {
        *x = 0.5 * (q->a + q->b);
    } else if (q->measure == lab_most || q->measure == lab_least) {
        *x = extreme_at(l, q, q->measure == lab_most ? 1.0 : -1.0);
    } else if (q->measure == lab_exceeds || q->measure == lab_falls_below) {
        *x = value;
        *y = copysign(q->b, bri_value_at(t, column, count, value));
    } else {
        return q->measure == lab_at;
    }
    return isfinite(*x) && isfinite(*y);
}

int lab_printed(const lab *l, int run, const char *column, int i, double *x, double *y) {
    const lab_quantity *q = lab_quantity_at(l->paper, i);
    if (q->run != run || !q->column || strcmp(q->column, column) != 0) return 0;
    if (q->source != PRINTED || q->relation != EQUAL) return 0;
    if (!lab_column(l, run, column) || lab_trace(l, run)->n_rows < 1) return 0;
    return point_of(l, q, x, y);
}
