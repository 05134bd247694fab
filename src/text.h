/* text.h - numbers from and to text with a decimal point, whatever the locale of the host program.
 *
 * A host with setlocale(LC_ALL, "de_DE.UTF-8") writes 1,5 and reads 1.5 as 1. Everything in the
 * library that formats or reads a number does it here (or by output/number.h, which knows no
 * locale). */
#ifndef BRI_TEXT_H
#define BRI_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#if defined(__GNUC__)
#define TEXT_FORMAT(a, b) __attribute__((format(printf, a, b)))
#else
#define TEXT_FORMAT(a, b)
#endif

/* As snprintf and vsnprintf with the conversions d i u x c s p g e f and the sizes l ll z. */
int text_format(char *room, size_t size, const char *format, ...) TEXT_FORMAT(3, 4);
int text_vformat(char *room, size_t size, const char *format, va_list args) TEXT_FORMAT(3, 0);

/* Length of the decimal number at the start of s, 0 if there is none. Stricter than strtod, which
 * also takes "inf", "nan" and "0x1p3", and cuts "1e" out of "1eV". */
size_t text_number_length(const char *s);

/* The number made of the first `length` letters of s, which text_number_length gave; the nearest
 * double. Infinite if it is too large, NaN if it has more than 1000 letters. */
double text_number(const char *s, size_t length);

#endif
