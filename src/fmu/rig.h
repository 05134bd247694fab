/* rig.h - what the description and the source of a rig's unit must agree upon. */
#ifndef BRI_FMU_RIG_H
#define BRI_FMU_RIG_H

#include "bristle_scenario.h"
#include "inside/rig_unit.h"

/* The definition that the unit has: solver rosenbrock, no account of energies. */
bri_sim_def rig_def(const bri_scenario *s);

/* The columns of a run that are not states, to be freed; names belong to the recorder. NULL: there
 * is no memory. */
rig_column *rig_columns_of(const bri_sim *sim, const bri_sim_def *def, const bri_recorder *r,
                           int *count);

/* Nonzero if a number is a parameter of the unit: start values are those of the states. */
int rig_is_parameter(const bri_number *n);

#endif
