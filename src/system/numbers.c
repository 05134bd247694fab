/* numbers.c - see numbers.h. */
#include "numbers.h"

#include <math.h>

enum { MASS = 1 << BRI_MASS, ROTOR = 1 << BRI_ROTOR, POINT = 1 << BRI_POINT };

const body_number body_numbers[BODY_NUMBERS] = {
    {ROW_MASS, offsetof(bri_body, mass), MASS | POINT},
    {ROW_INERTIA, offsetof(bri_body, mass), ROTOR},
    {ROW_X, offsetof(bri_body, x), MASS | ROTOR | POINT},
    {ROW_V, offsetof(bri_body, v), MASS | ROTOR | POINT},
    {ROW_Z, offsetof(bri_body, z), MASS | POINT},
    {ROW_VZ, offsetof(bri_body, vz), POINT},
};

const bri_param load_row = ROW_LOAD, gravity_row = ROW_GRAVITY;
