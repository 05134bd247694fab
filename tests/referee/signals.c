/* signals.c - functions of time, their derivatives and their integrals in closed form. */
#include "rig.h"

#include <math.h>

static void sine(const double *p, double t, double piece, double out[4]) {
    if (piece < p[3]) return;
    double w = 2.0 * REF_PI * p[1], u = w * (t - p[3]) + p[2];
    out[0] += p[0] / w * (cos(p[2]) - cos(u));
    out[1] += p[0] * sin(u);
    out[2] += p[0] * w * cos(u);
    out[3] -= p[0] * w * w * sin(u);
}

static void ramp(const double *p, double t, double piece, double out[4]) {
    if (piece < p[1]) return;
    double top = p[0] * (p[2] - p[1]);
    if (piece > p[2]) {
        out[0] += 0.5 * top * (p[2] - p[1]) + top * (t - p[2]);
        out[1] += top;
        return;
    }
    out[0] += 0.5 * p[0] * (t - p[1]) * (t - p[1]);
    out[1] += p[0] * (t - p[1]);
    out[2] += p[0];
}

static void trapezoid(const double *p, double t, double piece, double out[4]) {
    double up = p[1] + p[3], down = p[2] - p[4];
    if (piece < p[1]) return;
    if (piece < up) {
        out[0] += 0.5 * p[0] * (t - p[1]) * (t - p[1]) / p[3];
        out[1] += p[0] * (t - p[1]) / p[3];
        out[2] += p[0] / p[3];
    } else if (piece < down) {
        out[0] += p[0] * (0.5 * p[3] + t - up);
        out[1] += p[0];
    } else if (piece < p[2]) {
        double left = p[2] - t;
        out[0] += p[0] * (0.5 * p[3] + down - up + 0.5 * p[4]) - 0.5 * p[0] * left * left / p[4];
        out[1] += p[0] * left / p[4];
        out[2] -= p[0] / p[4];
    } else {
        out[0] += p[0] * (0.5 * p[3] + down - up + 0.5 * p[4]);
    }
}

static void pulses(const double *p, double t, double piece, double out[4]) {
    if (piece < p[1]) return;
    double whole = floor((piece - p[1]) / p[3]), in = piece - p[1] - whole * p[3];
    int on = in < p[2];
    out[0] += p[0] * (whole * p[2] + (on ? t - p[1] - whole * p[3] : p[2]));
    out[1] += on ? p[0] : 0.0;
}

void ref_signal_eval(const ref_signal *s, double t, double piece, double out[4]) {
    out[0] = s->mean * t;
    out[1] = s->mean;
    out[2] = out[3] = 0.0;
    if (s->wave == REF_SINE) sine(s->p, t, piece, out);
    if (s->wave == REF_RAMP) ramp(s->p, t, piece, out);
    if (s->wave == REF_TRAPEZOID) trapezoid(s->p, t, piece, out);
    if (s->wave == REF_PULSES) pulses(s->p, t, piece, out);
}

int ref_signal_kinks(const ref_signal *s, double from, double until, double *list, int n,
                     int room) {
    double at[4];
    int count = 0;
    const double *p = s->p;
    if (s->wave == REF_SINE) at[count++] = p[3];
    if (s->wave == REF_RAMP) at[count++] = p[1], at[count++] = p[2];
    if (s->wave == REF_TRAPEZOID) {
        at[count++] = p[1], at[count++] = p[1] + p[3];
        at[count++] = p[2] - p[4], at[count++] = p[2];
    }
    for (int i = 0; i < count; i++)
        if (at[i] > from && at[i] < until && n < room) list[n++] = at[i];
    if (s->wave == REF_PULSES)
        for (int i = 0; p[1] + i * p[3] < until; i++)
            for (int end = 0; end < 2; end++) {
                double t = p[1] + i * p[3] + (end ? p[2] : 0.0);
                if (t > from && t < until && n < room) list[n++] = t;
            }
    return n;
}

double ref_signal_period(const ref_signal *s) {
    return s->wave == REF_SINE ? 1.0 / s->p[1] : INFINITY;
}

double ref_signal_peak(const ref_signal *s) {
    double wave = s->wave == REF_FLAT ? 0.0 : fabs(s->p[0]);
    if (s->wave == REF_RAMP) wave *= s->p[2] - s->p[1];
    return fabs(s->mean) + wave;
}
