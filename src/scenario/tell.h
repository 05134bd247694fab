/* tell.h - where the parameters of a contact come from, in words. */
#ifndef BRI_TELL_H
#define BRI_TELL_H

#include "bristle_scenario.h"

#include <stdio.h>

typedef struct told told;

/* What is told of the contacts, one element or array after the other; NULL behind the last. */
const told *scenario_told(const bri_scenario *s, int i);

/* The name of the contact, "pad". */
const char *told_name(const told *t);

/* Lists, "sigma1 626 N s/m (2 sqrt(m sigma0), ...), tau_dw 0.1 s": values of one origin; defaults
 * that belong to another rig; what was given but is of no use. They return the number of entries.
 */
int tell_origin(FILE *out, const told *t, bri_origin origin);
int tell_invented(FILE *out, const told *t);
int tell_derived(FILE *out, const told *t);
int tell_lost(FILE *out, const told *t);

#endif
