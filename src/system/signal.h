/* signal.h - signals as the system sees them. */
#ifndef BRI_SIGNAL_H
#define BRI_SIGNAL_H

#include "arena.h"
#include "bristle_sim.h"
#include <math.h>

/* out[1] value, out[2] and out[3] first and second derivative; out[0] is not meant to be read. */
static inline void signal_rates(const bri_signal *s, double t, double out[4]) {
    (s->kind->rates ? s->kind->rates : s->kind->eval)(s, t, out);
}

/* Bounds between two times, see bri_signal_kind; what is not known is taken as 0. */
static inline void signal_most(const bri_signal *s, double from, double to, double out[4]) {
    out[0] = out[1] = out[2] = out[3] = 0.0;
    if (s->kind->most) s->kind->most(s, from, to, out);
}

/* Wave k of the signal `noise` with the parameters p, amplitude cos(w t + phase): w [rad/s], phase
 * [rad]; returns the amplitude, which all share. */
enum { SIGNAL_NOISE_WAVES = 64 };
double signal_noise_wave(const double *p, int k, double *w, double *phase);

/* A copy of a signal within the arena, for one system that looks it up often, see noise.c. NULL if
 * there is no memory for it, or no signal. */
const bri_signal *signal_keep(arena *memory, const bri_signal *s);

/* Nonzero if a signal is a straight line from kink to kink. */
int signal_is_straight(const bri_signal *s);

/* A signal that is looked up at one time after the other. Where it is straight it is carried on
 * from an end of the piece: what it is depends on the time alone, not on where it was looked up
 * before.
 */
typedef struct signal_line {
    const bri_signal *signal;
    int straight;
    double first, last;        /* times between which it is looked up */
    double tail;               /* the last kink of them; INFINITY: there are many; NAN: not known */
    double from, until, at[4]; /* the piece from <= t < until; what it is at `base` */
    double base;
} signal_line;

/* The signal is new, or has been changed. */
static inline void signal_line_forget(signal_line *l) {
    l->until = -INFINITY;
    l->base = l->tail = NAN;
}

static inline signal_line signal_line_of(const bri_signal *s, double first, double last) {
    signal_line l = {.signal = s, .straight = signal_is_straight(s), .first = first, .last = last};
    signal_line_forget(&l);
    return l;
}

/* Look for the piece of a straight signal at t; 0: there is none that is looked up to its end. */
int signal_line_find(signal_line *l, double t);

/* Integral, if it is `whole`, value and derivatives. */
static inline void signal_line_at(signal_line *l, double t, int whole, double out[4]) {
    const bri_signal *s = l->signal;
    if (!l->straight || (!(t >= l->from && t < l->until) && !signal_line_find(l, t))) {
        (whole || !s->kind->rates ? s->kind->eval : s->kind->rates)(s, t, out);
        return;
    }
    double since = t - l->base;
    out[0] = l->at[0] + since * (l->at[1] + 0.5 * since * l->at[2]);
    out[1] = l->at[1] + since * l->at[2];
    out[2] = l->at[2];
    out[3] = l->at[3];
}

static inline int signal_is_constant(const bri_signal *s) {
    return s->kind == bri_signal_find("constant");
}

#endif
