/* units.h - many quantities, one unit database. */
#ifndef BRI_UNITS_H
#define BRI_UNITS_H

#include "bristle_tools.h"

/* Zero at the start; the database is read when the first unit has to be converted. */
typedef struct units {
    void *system; /* of UDUNITS */
} units;

/* As bri_quantity. */
bri_status units_quantity(units *u, const char *text, const char *unit, double *value,
                          bri_error *err);
void units_close(units *u);

/* The unit that takes the place of this one where bodies turn: rad for m, N m for N. The result is
 * unit itself or text. */
const char *units_of_rotation(const char *unit, char *text, size_t size);

#endif
