/* hold.c - what a law does under a load below its break-away: creep and drift. */
#include "conform.h"

#include <math.h>

static const char slides[] = "slides";

/* x at time t, or NaN after a failure. */
static double position_at(stand *s, double t) {
    return stand_go(s, t) ? NAN : bri_sim_body(s->sim, 0).x;
}

/* Load to a share of the level it promises to hold, wait 5 s, mean speed of the next 5 s. */
result creep(const bench *b, double share) {
    const double from = RISE + 5.0, to = RISE + 10.0;
    stand s;
    stand_pushed(&s, b, to);
    s.def.rtol *= 1e-2; /* a law without damping keeps ringing from any error, and creeps by it */
    s.def.atol *= 1e-2;
    signal_rise(&s, share * b->hold);
    if (stand_start(&s)) return said(NAN, word_failed);
    double x0 = position_at(&s, from), x1 = position_at(&s, to);
    double v = bri_sim_body(s.sim, 0).v;
    stand_end(&s);
    if (isnan(x0) || isnan(x1)) return said(NAN, word_failed);
    return said((x1 - x0) / (to - from), fabs(v) > 10.0 * STANDARD_VS ? slides : NULL);
}

/* Load swings between 0.15 and 0.45 of the level at 1 Hz: advance per cycle over cycles 11 to 15.
 */
result drift(const bench *b, double unused) {
    const double high = 0.45 * b->hold, amplitude = 0.15 * b->hold;
    const int first = 10, last = 15;
    (void)unused;
    stand s;
    stand_pushed(&s, b, RISE + last);
    signal_swing(&s, high, amplitude, 1.0);
    if (stand_start(&s)) return said(NAN, word_failed);
    double x0 = position_at(&s, RISE + first), x1 = position_at(&s, RISE + last);
    double v = bri_sim_body(s.sim, 0).v;
    stand_end(&s);
    if (isnan(x0) || isnan(x1)) return said(NAN, word_failed);
    return said((x1 - x0) / (last - first), fabs(v) > 10.0 * STANDARD_VS ? slides : NULL);
}
