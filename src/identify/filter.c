/* filter.c - low pass without delay, and slopes.
 *
 * Butterworth of order 4 as two second-order sections (bilinear transform), run forward and then
 * backward: the gain at the frequency is 1/2, the phase 0. The ends are continued by point
 * reflection, as is usual (Gustafsson 1996 discusses others). */
#include "identify.h"

#include <math.h>
#include <string.h>

typedef struct section {
    double b0, b1, b2, a1, a2;
} section;

/* Section with pole angle quality Q at a share of the sampling rate. */
static section low_pass_section(double share, double Q) {
    double K = tan(3.14159265358979323846 * share), norm = 1.0 / (1.0 + K / Q + K * K);
    section s = {.b0 = K * K * norm, .a1 = 2.0 * (K * K - 1.0) * norm};
    s.b1 = 2.0 * s.b0;
    s.b2 = s.b0;
    s.a2 = (1.0 - K / Q + K * K) * norm;
    return s;
}

/* In place, from the steady state of the first value. */
static void run_section(const section *s, double *y, long count) {
    double x1 = y[0], x2 = y[0], y1 = y[0], y2 = y[0];
    for (long i = 0; i < count; i++) {
        double x = y[i], out = s->b0 * x + s->b1 * x1 + s->b2 * x2 - s->a1 * y1 - s->a2 * y2;
        x2 = x1, x1 = x;
        y2 = y1, y1 = out;
        y[i] = out;
    }
}

static void turn_round(double *y, long count) {
    for (long i = 0, j = count - 1; i < j; i++, j--) {
        double x = y[i];
        y[i] = y[j];
        y[j] = x;
    }
}

static long padding(long count, double share) {
    long pad = (long)(3.0 / share);
    return pad < count ? pad : count - 1;
}

long id_low_pass_room(long count, double share) { return count + 2 * padding(count, share); }

void id_low_pass(double *y, long count, double share, double *room) {
    if (count < 3 || !(share < 0.45)) return;
    long pad = padding(count, share), all = count + 2 * pad;
    for (long i = 0; i < pad; i++) {
        room[i] = 2.0 * y[0] - y[pad - i];
        room[pad + count + i] = 2.0 * y[count - 1] - y[count - 2 - i];
    }
    memcpy(room + pad, y, (size_t)count * sizeof *y);
    section s[2] = {low_pass_section(share, 0.54119610014619698),
                    low_pass_section(share, 1.3065629648763766)};
    for (int way = 0; way < 2; way++) {
        run_section(&s[0], room, all);
        run_section(&s[1], room, all);
        turn_round(room, all);
    }
    memcpy(y, room + pad, (size_t)count * sizeof *y);
}

void id_slope(const double *y, long count, double h, double *dy) {
    for (long i = 1; i + 1 < count; i++) dy[i] = (y[i + 1] - y[i - 1]) / (2.0 * h);
    if (count > 1) dy[0] = (y[1] - y[0]) / h;
    if (count > 1) dy[count - 1] = (y[count - 1] - y[count - 2]) / h;
}
