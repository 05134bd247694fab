/* signal.h - signals without their integrals. */
#ifndef BRI_SIGNAL_H
#define BRI_SIGNAL_H

#include "bristle_sim.h"

/* out[1] value, out[2] and out[3] first and second derivative; out[0] is not meant to be read. */
static inline void signal_rates(const bri_signal *s, double t, double out[4]) {
    (s->kind->rates ? s->kind->rates : s->kind->eval)(s, t, out);
}

#endif
