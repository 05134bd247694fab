/* kinds.h - the tables of kinds, for definitions that are constant data: see src/fmu. */
#ifndef BRI_KINDS_H
#define BRI_KINDS_H

#include "bristle_sim.h"

extern const bri_signal_kind bri_signal_kinds[];     /* what bri_signal_at() goes through */
extern const bri_coupling_kind bri_coupling_kinds[]; /* and bri_coupling_at() */

#endif
