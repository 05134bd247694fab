/* text.h - numbers in texts with a decimal point, whatever the locale of the host program.
 *
 * A host with setlocale(LC_ALL, "de_DE.UTF-8") writes 1,5 and reads 1.5 as 1. Everything in the
 * library that formats a number does it here or by output/number.h, and everything that reads one
 * by decimal.h. */
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

#endif
