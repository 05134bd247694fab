/* advance.h - a run in portions, for those who look after many of them. */
#ifndef BRI_ADVANCE_H
#define BRI_ADVANCE_H

#include "bristle_sim.h"

/* As bri_sim_advance(), to t or as far as so many steps of the solver lead. */
bri_status sim_advance_some(bri_sim *sim, double t, long steps, bri_error *err);

#endif
