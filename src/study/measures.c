/* measures.c - what is measured on columns of a run. */
#include "bristle_study.h"

#include <math.h>

bri_difference bri_measure_difference(const double *x, const double *ref, long count) {
    bri_difference d = {0};
    double sum = 0.0, squares = 0.0, absolute = 0.0;
    long counted = 0;
    for (long i = 0; i < count; i++) {
        double e = x[i] - ref[i];
        squares += e * e;
        absolute += fabs(e);
        d.most = fmax(d.most, fabs(e));
        if (e == 0.0 && x[i] == 0.0) continue; /* 0/0 says nothing */
        double relative = fabs(e / x[i]);
        d.xi = fmax(d.xi, relative);
        sum += relative;
        counted++;
    }
    d.xi *= 100.0;
    d.Gamma = counted ? 100.0 * sum / (double)counted : 0.0;
    d.rmse = count ? sqrt(squares / (double)count) : NAN;
    d.mean = count ? absolute / (double)count : NAN;
    d.end = count ? x[count - 1] - ref[count - 1] : NAN;
    return d;
}

/* First sample at or after time `at`. */
static long sample_at(const double *t, long count, double at) {
    long low = 0, high = count;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (t[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double bri_value_at(const double *t, const double *y, long count, double at) {
    if (count == 0 || !(at >= t[0] && at <= t[count - 1])) return NAN;
    long i = sample_at(t, count, at);
    if (t[i] == at || i == 0) return y[i];
    return y[i - 1] + (y[i] - y[i - 1]) * (at - t[i - 1]) / (t[i] - t[i - 1]);
}

double bri_mean_over(const double *t, const double *y, long count, double a, double b) {
    double before = a, left = bri_value_at(t, y, count, a), right = bri_value_at(t, y, count, b);
    double area = 0.0;
    if (!(b > a) || isnan(left) || isnan(right)) return NAN;
    for (long i = sample_at(t, count, a); i < count && t[i] < b; i++) {
        area += 0.5 * (left + y[i]) * (t[i] - before);
        before = t[i];
        left = y[i];
    }
    return (area + 0.5 * (left + right) * (b - before)) / (b - a);
}

/* The vertex of the parabola through three samples about an extreme, so that the instant of a peak
 * is finer than the samples; the sample itself where it is a corner or at an end. */
static double vertex(const double *t, const double *y, long i, long first, long count) {
    if (i <= first || i + 1 >= count) return t[i];
    double h1 = t[i] - t[i - 1], h2 = t[i + 1] - t[i];
    double s1 = (y[i] - y[i - 1]) / h1, s2 = (y[i + 1] - y[i]) / h2;
    double curvature = 2.0 * (s2 - s1) / (h1 + h2);
    if (curvature == 0.0) return t[i];
    double slope = (s1 * h2 + s2 * h1) / (h1 + h2);
    return t[i] + fmin(fmax(-slope / curvature, -0.5 * h1), 0.5 * h2);
}

/* A peak counts once y has fallen from it by a tenth of the range, a valley once it has risen by as
 * much, so that ripple does not count and the two alternate. */
bri_cycles bri_measure_cycles(const double *t, const double *y, long count, double from) {
    bri_cycles c = {0, NAN, NAN, NAN, NAN};
    long first = sample_at(t, count, from), high = first, low = first, peak = -1;
    for (long i = first; i < count; i++) {
        if (y[i] > y[high]) high = i;
        if (y[i] < y[low]) low = i;
    }
    if (first >= count || !(y[high] > y[low])) return c;
    double turn = 0.1 * (y[high] - y[low]), t_first = NAN, y_first = NAN;
    double highs = 0.0, lows = 0.0, valley = NAN;
    int peaks = 0, direction = 0; /* of y: +1 rises, -1 falls, 0 unknown */
    high = low = first;
    for (long i = first; i < count; i++) {
        if (y[i] > y[high]) high = i;
        if (y[i] < y[low]) low = i;
        if (direction <= 0 && y[i] - y[low] > turn) {
            valley = y[low];
            direction = 1;
            high = i;
        } else if (direction >= 0 && y[high] - y[i] > turn) {
            if (direction > 0) {
                peak = high;
                if (peaks++ == 0) {
                    t_first = vertex(t, y, peak, first, count);
                    y_first = y[peak];
                } else { /* one more whole cycle: the valley and the peak that ends it */
                    highs += y[peak];
                    lows += valley;
                }
            }
            direction = -1;
            low = i;
        }
    }
    if (peaks < 2) return c;
    c.count = peaks - 1;
    c.period = (vertex(t, y, peak, first, count) - t_first) / c.count;
    c.high = highs / c.count;
    c.low = lows / c.count;
    c.drift = (y[peak] - y_first) / c.count;
    return c;
}
