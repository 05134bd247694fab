/* curve.h - steady sliding, for the other studies. */
#ifndef BRI_CURVE_H
#define BRI_CURVE_H

#include "bristle_tools.h"

/* Bring z to steady sliding at v. Returns the force, for a law that never settles its mean over a
 * path; *top is then the largest force on that path, else the force again. */
double bri_steady_state(const bri_setup *s, double v, double *z, double *top);

#endif
