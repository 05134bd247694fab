/* probe.h - the scales of a law found by trying it out, and a rig to load it with a force. */
#ifndef BRI_PROBE_H
#define BRI_PROBE_H

#include "bristle_tools.h"

enum { CURVE_POINTS = 36 }; /* five per decade from 1 um/s to 10 m/s */

/* What a law is like with the parameters of its setup. All lengths, times and speeds of the
 * experiments in traits.c come from here. */
typedef struct probe {
    const bri_setup *setup;
    int states;
    double v[CURVE_POINTS], F[CURVE_POINTS]; /* steady curve */
    double slide;                            /* level of fast sliding [N] */
    double top;       /* largest force met there; above slide if the law is random [N] */
    double peak;      /* largest steady force up to there [N] */
    double fall;      /* largest fall of the curve with speed, relative */
    double v_fall;    /* speed in the middle of that fall; if there is none, a speed of the law's
                         own size [m/s] */
    double v_smooth;  /* speed at half the level of a curve that starts from zero, else 0 [m/s] */
    double length;    /* displacement that loads the contact to the level of sliding, were it linear
                         from half of it; 0 for a rigid or a purely viscous contact [m] */
    double held;      /* force kept when the motion stops at half the level, relative */
    double recovered; /* share of that displacement which comes back on unloading */
    double mass;      /* body for the rig: the level of sliding accelerates it by 1 g [kg] */
    double time;      /* all transients of the rig are fast against it [s] */
} probe;

probe bri_probe(const bri_setup *s);

/* Slowest rate time of the states at v with the states z; 0 if none of them moves by itself [s]. */
double bri_slowest(const probe *p, double v, const double *z);

/* A mass on the contact, moved by a force. */
typedef struct rig {
    const probe *law;
    double x, v, F; /* F: friction at the end of the last step */
    double z[BRI_MAX_STATES];
} rig;

rig bri_rig_at_rest(const probe *p);

/* One implicit step of length h under the force f. */
void bri_rig_step(rig *r, double f, double h);

#endif
