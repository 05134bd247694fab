/* units.h - the units of text. */
#ifndef BRI_UNITS_H
#define BRI_UNITS_H

#include "bristle_tools.h"

/* The unit that takes the place of this one where bodies turn: rad for m, N m for N. The result is
 * unit itself or text. */
const char *units_of_rotation(const char *unit, char *text, size_t size);

#endif
