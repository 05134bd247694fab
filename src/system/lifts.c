/* lifts.c - when a load signal opens or closes a contact.
 *
 * A bristle under a load that comes back from nothing relaxes at the rate sigma0 |v|/g, which falls
 * from a very large one like one over time: its rates jump there. Steps end at such times, as they
 * do at the kinks of a signal. */
#include "network.h"
#include "signal.h"
#include <math.h>

/* How far the load is from the level at which the contact opens, or closes if it is open, and how
 * fast that changes. Positive or zero until it does. */
static double distance(const touch *c, int closed, double t, double *slope) {
    double s[4];
    signal_rates(c->n_of_t, t, s);
    *slope = closed ? s[2] : -s[2];
    return closed ? s[1] - c->n_least : c->n_least - s[1];
}

static int is_closed(const touch *c, double t) {
    return bri_signal_value(c->n_of_t, t) > c->n_least;
}

/* With |second derivative| <= B the distance g is positive as long as g + slope h - B h^2/2 is: no
 * change is stepped over, and near one the steps are Newton's. */
static double safe_step(double g, double slope, double B) {
    double root = slope * slope + 2.0 * B * fmax(g, 0.0);
    if (slope >= 0.0) return B > 0.0 ? (slope + sqrt(root)) / B : INFINITY;
    return 2.0 * fmax(g, 0.0) / (sqrt(root) - slope); /* without cancellation */
}

/* A load of 1e12 Hz takes as many steps for each second. After these the time is given up to which
 * there is no change; a step of the run ends there, and it is looked on from there. */
enum { MOST_STEPS = 1000000 };

double touch_next_lift(const touch *c, double from, double to, double *pace) {
    double bound[4], slope, t = from;
    *pace = 0.0;
    if (!c->n_of_t || !isfinite(c->n_least) || !(from < to)) return INFINITY;
    int closed = is_closed(c, from);
    signal_most(c->n_of_t, from, to, bound);
    for (int steps = 0;; steps++) {
        if (steps == MOST_STEPS) return t;
        double g = distance(c, closed, t, &slope), before = t;
        t = fmax(t + safe_step(g, slope, bound[2]), t + 1e-15 * fmax(fabs(t), to - from));
        if (!(t < to)) return INFINITY;
        if (is_closed(c, t) == closed) continue;
        for (;;) { /* the first time after the change */
            double middle = 0.5 * (before + t);
            if (!(middle > before && middle < t)) break;
            *(is_closed(c, middle) == closed ? &before : &t) = middle;
        }
        distance(c, closed, t, &slope);
        if (!closed && slope < 0.0) *pace = c->n_least / -slope;
        return t;
    }
}
