/* noise.c - the signal `noise` for a system that looks it up many times at nearly the same time.
 *
 * Its 64 waves cost microseconds. About the middle t0 of a window they are one polynomial in
 * x = w_max (t - t0): with |x| <= 1/2 its 16 terms are exact to rounding, since the next one is
 * 0.5^16/16! = 7e-19 of the sum of all amplitudes. Windows lie on a fixed grid, so that a value
 * does not depend on what has been looked up before. */
#include "network.h"
#include "signal.h"
#include <math.h>
#include <string.h>

enum { TERMS = 16 };

typedef struct window {
    double number, integral; /* of the window, NAN: none yet; from 0 to its middle */
    double c[TERMS];         /* coefficients of the value */
    double scale, w_max;
    double w[SIGNAL_NOISE_WAVES], phase[SIGNAL_NOISE_WAVES];
} window;

/* The coefficients of scale cos(a + (w/w_max) x) are cos, -sin, -cos, sin of a times
 * scale (w/w_max)^k/k!. */
static void open_window(window *o, double number) {
    double t = number / o->w_max;
    o->number = number;
    o->integral = 0.0;
    for (int j = 0; j < TERMS; j++) o->c[j] = 0.0;
    for (int i = 0; i < SIGNAL_NOISE_WAVES; i++) {
        double w = o->w[i], angle = w * t + o->phase[i], factor = o->scale, share = w / o->w_max;
        double turn[4] = {cos(angle), -sin(angle), 0.0, 0.0};
        turn[2] = -turn[0];
        turn[3] = -turn[1];
        o->integral +=
            w > 0.0 ? o->scale * (-turn[1] - sin(o->phase[i])) / w : factor * turn[0] * t;
        for (int j = 0; j < TERMS; j++) {
            o->c[j] += factor * turn[j % 4];
            factor *= share / (j + 1);
        }
    }
}

/* Horner's scheme for the polynomial, its integral and two derivatives. */
static void window_eval(const bri_signal *s, double t, double out[4]) {
    window *o = (window *)s->sum; /* made by signal_keep() for one system alone */
    double number = nearbyint(t * o->w_max);
    if (number != o->number) open_window(o, number);
    double x = (t - number / o->w_max) * o->w_max, area = 0.0, value = 0.0, slope = 0.0, bend = 0.0;
    for (int j = TERMS - 1; j >= 0; j--) {
        area = area * x + o->c[j] / (j + 1);
        bend = bend * x + 2.0 * slope;
        slope = slope * x + value;
        value = value * x + o->c[j];
    }
    out[0] = o->integral + area * x / o->w_max;
    out[1] = value;
    out[2] = slope * o->w_max;
    out[3] = bend * o->w_max * o->w_max;
}

static window *make_window(arena *memory, const double *p) {
    window *o = ARENA_NEW(memory, window, 1);
    if (!o) return NULL;
    o->number = NAN;
    for (int i = 0; i < SIGNAL_NOISE_WAVES; i++) {
        o->scale = signal_noise_wave(p, i, &o->w[i], &o->phase[i]);
        o->w_max = fmax(o->w_max, o->w[i]);
    }
    return o;
}

const bri_signal *signal_keep(arena *memory, const bri_signal *s) {
    if (!s) return NULL;
    bri_signal *copy = ARENA_NEW(memory, bri_signal, 1);
    if (!copy) return NULL;
    *copy = *s;
    int is_noise = strcmp(s->kind->name, "noise") == 0 && s->kind == bri_signal_find("noise");
    if (is_noise) {
        bri_signal_kind *kind = ARENA_NEW(memory, bri_signal_kind, 1);
        window *o = make_window(memory, s->p);
        if (!kind || !o || !(o->w_max > 0.0)) return copy;
        *kind = *s->kind;
        kind->eval = window_eval;
        copy->kind = kind;
        copy->sum = &o->number;
        return copy;
    }
    if (!s->parts) return copy;
    bri_signal *parts = ARENA_NEW(memory, bri_signal, s->count);
    if (!parts) return NULL;
    for (int i = 0; i < s->count; i++) {
        const bri_signal *part = signal_keep(memory, &s->parts[i]);
        if (!part) return NULL;
        parts[i] = *part;
    }
    copy->parts = parts;
    return copy;
}
