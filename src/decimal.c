/* decimal.c - see decimal.h. C17 only: a locale can be neither asked for nor set in a way that
 * other threads do not see, but the point it writes can be seen in what it writes. */
#include "decimal.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_digit(char c) { return c >= '0' && c <= '9'; }

size_t decimal_length(const char *s) {
    size_t i = s[0] == '+' || s[0] == '-', digits = 0;
    for (; is_digit(s[i]); i++) digits++;
    if (s[i] == '.')
        for (i++; is_digit(s[i]); i++) digits++;
    if (!digits) return 0;
    if (s[i] == 'e' || s[i] == 'E') {
        size_t k = i + 1;
        if (s[k] == '+' || s[k] == '-') k++;
        if (is_digit(s[k])) {
            while (is_digit(s[k])) k++;
            i = k;
        }
    }
    return i;
}

/* strtod, with the decimal separator that the locale of this thread has. */
static double read_by_locale(const char *s, size_t length) {
    char room[1024], half[16];
    if (length > 1000) return NAN;
    snprintf(half, sizeof half, "%.1f", 0.5); /* "0.5", "0,5" */
    size_t separator = strlen(half) - 2, n = 0;
    for (size_t i = 0; i < length; i++) {
        if (s[i] == '.') {
            memcpy(room + n, half + 1, separator);
            n += separator;
        } else {
            room[n++] = s[i];
        }
    }
    room[n] = '\0';
    return strtod(room, NULL);
}

/* Up to 15 digits and a power of ten up to 10^22 are exact as doubles, and one operation rounds
 * once: W. D. Clinger, "How to read floating point numbers accurately", 1990. */
double decimal_value(const char *s, size_t length) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t digits = 0;
    size_t i = s[0] == '+' || s[0] == '-';
    int count = 0, power = 0, after = 0;
    for (; i < length && (is_digit(s[i]) || s[i] == '.'); i++) {
        if (s[i] == '.') {
            after = 1;
            continue;
        }
        if (count > 0 || s[i] != '0') count++;
        if (count > 15) return read_by_locale(s, length);
        digits = 10 * digits + (uint64_t)(s[i] - '0');
        power -= after;
    }
    if (i < length) { /* e, a sign, digits */
        int negative = s[i + 1] == '-', e = 0;
        for (i += 1 + (size_t)(negative || s[i + 1] == '+'); i < length; i++) {
            if (e > 1000) return read_by_locale(s, length);
            e = 10 * e + (s[i] - '0');
        }
        power += negative ? -e : e;
    }
    if (FLT_EVAL_METHOD != 0 || power < -22 || power > 22) return read_by_locale(s, length);
    double value = (double)digits;
    value = power < 0 ? value / tens[-power] : value * tens[power];
    return s[0] == '-' ? -value : value;
}
