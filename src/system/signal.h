/* signal.h - signals as the system sees them. */
#ifndef BRI_SIGNAL_H
#define BRI_SIGNAL_H

#include "arena.h"
#include "bristle_sim.h"

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

static inline int signal_is_constant(const bri_signal *s) {
    return s->kind == bri_signal_find("constant");
}

#endif
