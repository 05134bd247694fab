/* decimal.h - decimal numbers in a text, the same in every locale. */
#ifndef BRI_DECIMAL_H
#define BRI_DECIMAL_H

#include <stddef.h>

/* Length of the decimal number at the start of s, 0 if there is none. Stricter than strtod, which
 * also takes "inf", "nan" and "0x1p3", and cuts "1e" out of "1eV". */
size_t decimal_length(const char *s);

/* The number of that length, the nearest double; NaN if it has more than 1000 characters, infinite
 * if it is too large. */
double decimal_value(const char *s, size_t length);

#endif
