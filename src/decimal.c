/* decimal.c - see decimal.h. */
#define _POSIX_C_SOURCE 200809L
#include "decimal.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t decimal_length(const char *s) {
    size_t i = s[0] == '+' || s[0] == '-';
    size_t digits = 0;
    for (; isdigit((unsigned char)s[i]); i++) digits++;
    if (s[i] == '.')
        for (i++; isdigit((unsigned char)s[i]); i++) digits++;
    if (!digits) return 0;
    if (s[i] == 'e' || s[i] == 'E') {
        size_t k = i + 1;
        if (s[k] == '+' || s[k] == '-') k++;
        if (isdigit((unsigned char)s[k])) {
            while (isdigit((unsigned char)s[k])) k++;
            i = k;
        }
    }
    return i;
}

/* strtod with a decimal point, whatever the locale of the host program. */
double decimal_value(const char *s, size_t length) {
    char digits[64];
    if (length >= sizeof digits) return NAN;
    memcpy(digits, s, length);
    digits[length] = '\0';
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return NAN;
    locale_t host = uselocale(plain);
    double value = strtod(digits, NULL);
    uselocale(host);
    freelocale(plain);
    return value;
}
