/* unit_names.h - units of what the tables describe in the place where it stands. */
#ifndef BRI_UNIT_NAMES_H
#define BRI_UNIT_NAMES_H

#include "bristle.h"
#include <stddef.h>

/* The unit that stands in the same place for a joint that turns, "N m/rad" for "N/m": itself, or in
 * text. */
const char *units_of_rotation(const char *unit, char *text, size_t size);

/* Units of a signal's parameters: "=" in its table stands for the unit of the signal, "=/s" for
 * that per second. */
const char *unit_in_signal(const bri_param *row, const char *unit, char *text, size_t size);

#endif
