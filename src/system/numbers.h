/* numbers.h - the numbers of a body, a contact and the system that no table of a law, coupling or
 * signal describes: names, units, ranges. */
#ifndef BRI_NUMBERS_H
#define BRI_NUMBERS_H

#include "bristle_sim.h"
#include <stddef.h>

/* Rows of a table: name, unit, default (NAN: there is none), range, meaning. */
#define ROW_NO_LIMIT -1e30, 1e30
#define ROW_MASS                                                                                   \
    {                                                                                              \
        "mass", "kg", NAN, 1e-30, 1e30, "mass; of a body that nothing moves but forces, > 0",      \
            NULL, 0                                                                                \
    }
#define ROW_INERTIA                                                                                \
    { "inertia", "kg m2", NAN, 1e-30, 1e30, "moment of inertia; makes the body a rotor", NULL, 0 }
#define ROW_X                                                                                      \
    { "x", "m", 0.0, ROW_NO_LIMIT, "position at the start", NULL, 0 }
#define ROW_V                                                                                      \
    { "v", "m/s", 0.0, ROW_NO_LIMIT, "velocity at the start", NULL, 0 }
#define ROW_Z                                                                                      \
    { "z", "m", 0.0, ROW_NO_LIMIT, "height: of a point at the start, of a rail for good", NULL, 0 }
#define ROW_VZ                                                                                     \
    { "vz", "m/s", 0.0, ROW_NO_LIMIT, "vertical velocity of a point at the start", NULL, 0 }
#define ROW_LOAD                                                                                   \
    {                                                                                              \
        "load", "N", NAN, 0.0, 1e30,                                                               \
            "normal load: a number, a signal, an expression, or `reaction`", NULL, 0               \
    }
#define ROW_GRAVITY                                                                                \
    { "gravity", "m/s2", 9.81, -1e6, 1e6, "acceleration along -z", NULL, 0 }

/* Where a number of a body is kept, and the kinds of bodies that have it: bits 1 << kind. */
typedef struct body_number {
    bri_param row;
    size_t offset;
    int kinds;
} body_number;

enum { BODY_NUMBERS = 6 };
extern const body_number body_numbers[BODY_NUMBERS];

static inline double *body_number_of(bri_body *b, int i) {
    return (double *)(void *)((char *)b + body_numbers[i].offset);
}

extern const bri_param load_row, gravity_row;

#endif
