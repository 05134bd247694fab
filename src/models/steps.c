/* steps.c - the steps that law files name, for one contact. The equations are those of the files;
 * test_step holds each step to the rates of its law. */
#include "steps.h"
#include "models.h"
#include "step_words.h"

#include "step_bodies.h"

/* ---- their table ----------------------------------------------------------------------------- */

#define LAW_STEP_ROW(name, params, n_states, order)                                                \
    {#name, params, n_states, order, BRI_STEP(name)},
const law_step bri_law_steps[] = {LAW_STEPS(LAW_STEP_ROW)};
const int bri_law_step_count = (int)(sizeof bri_law_steps / sizeof *bri_law_steps);
