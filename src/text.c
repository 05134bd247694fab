/* text.c - see text.h. C17 only: a locale can be neither asked for nor set in a way that other
 * threads do not see, but the point it writes can be seen in what it writes. */
#include "text.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing --------------------------------------------------------------------------------- */

/* Where the text goes; length counts also what finds no room. */
typedef struct page {
    char *room;
    size_t size, length;
} page;

static void put(page *p, const char *text, size_t n) {
    if (p->length + 1 < p->size) {
        size_t left = p->size - 1 - p->length;
        memcpy(p->room + p->length, text, n < left ? n : left);
    }
    p->length += n;
}

/* Put a point in the place of whatever stands between the digits. */
static void put_number(page *p, const char *text) {
    for (; *text; text++) {
        if (strchr("0123456789+-.eEinfaINFA ", *text)) {
            put(p, text, 1);
        } else {
            put(p, ".", 1);
            while (text[1] && !strchr("0123456789eE", text[1])) text++; /* one letter of UTF-8 */
        }
    }
}

/* One conversion: "%-*.3g" with its stars already read. */
typedef struct conversion {
    char text[32];
    int stars[2], n_stars;
    char size[3]; /* "", "l", "ll" or "z" */
    char kind;
} conversion;

static const char *read_conversion(const char *format, conversion *c, size_t *n) {
    *c = (conversion){0};
    *n = 0;
    while (*format && strchr("%-+ #0123456789.*", *format) && *n < sizeof c->text - 4) {
        if (*format == '*' && c->n_stars < 2) c->n_stars++;
        c->text[(*n)++] = *format++;
        if (*n == 2 && c->text[1] == '%') break;
    }
    for (size_t k = 0; *format && strchr("lz", *format) && k < 2; k++)
        c->size[k] = c->text[(*n)++] = *format++;
    c->kind = *n == 2 && c->text[1] == '%' ? '%' : *format;
    if (c->kind != '%' && *format) c->text[(*n)++] = *format++;
    return format;
}

/* Write with the argument that the conversion takes, after its stars. */
#define WRITE(value)                                                                               \
    (c->n_stars == 2   ? snprintf(to, size, c->text, c->stars[0], c->stars[1], value)              \
     : c->n_stars == 1 ? snprintf(to, size, c->text, c->stars[0], value)                           \
                       : snprintf(to, size, c->text, value))

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif

/* A conversion of a number that is not a fraction, or of a pointer. */
static void put_plain(page *p, const conversion *c, char *to, size_t size, va_list *args) {
    int whole = strchr("dic", c->kind) != NULL;
    if (c->kind == 'p')
        WRITE(va_arg(*args, void *));
    else if (c->size[0] == 'z')
        WRITE(va_arg(*args, size_t));
    else if (c->size[0] == 'l' && c->size[1] == 'l' && whole)
        WRITE(va_arg(*args, long long));
    else if (c->size[0] == 'l' && c->size[1] == 'l')
        WRITE(va_arg(*args, unsigned long long));
    else if (c->size[0] == 'l' && whole)
        WRITE(va_arg(*args, long));
    else if (c->size[0] == 'l')
        WRITE(va_arg(*args, unsigned long));
    else if (whole)
        WRITE(va_arg(*args, int));
    else
        WRITE(va_arg(*args, unsigned));
    put(p, to, strlen(to));
}

/* Text of any length: precision and width are done here. */
static void put_string(page *p, const conversion *c, const char *text) {
    const char *dot = strchr(c->text, '.');
    int width_star = strchr(c->text, '*') && (!dot || strchr(c->text, '*') < dot);
    size_t flags = 1 + strspn(c->text + 1, "-");
    long width = width_star ? c->stars[0] : strtol(c->text + flags, NULL, 10), most = -1;
    if (dot) most = dot[1] == '*' ? c->stars[c->n_stars - 1] : strtol(dot + 1, NULL, 10);
    int left = c->text[1] == '-' || width < 0;
    size_t n = 0, room = (size_t)labs(width);
    if (!text) text = "(null)";
    while ((most < 0 || n < (size_t)most) && text[n]) n++;
    for (size_t i = n; !left && i < room; i++) put(p, " ", 1);
    put(p, text, n);
    for (size_t i = n; left && i < room; i++) put(p, " ", 1);
}

static void put_conversion(page *p, conversion *c, va_list *args) {
    char room[400], *to = room;
    const size_t size = sizeof room;
    for (int i = 0; i < c->n_stars; i++) c->stars[i] = va_arg(*args, int);
    room[0] = '\0';
    if (c->kind == '%') {
        put(p, "%", 1);
    } else if (c->kind == 's') {
        put_string(p, c, va_arg(*args, const char *));
    } else if (strchr("gefGEF", c->kind)) {
        WRITE(va_arg(*args, double));
        put_number(p, room);
    } else {
        put_plain(p, c, to, size, args);
    }
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

int text_vformat(char *room, size_t size, const char *format, va_list given) {
    page p = {.room = room, .size = size};
    va_list args;
    va_copy(args, given);
    while (*format) {
        size_t n = strcspn(format, "%");
        put(&p, format, n);
        format += n;
        if (!*format) break;
        conversion c;
        format = read_conversion(format, &c, &n);
        put_conversion(&p, &c, &args);
    }
    va_end(args);
    if (size > 0) room[p.length < size ? p.length : size - 1] = '\0';
    return (int)p.length;
}

int text_format(char *room, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = text_vformat(room, size, format, args);
    va_end(args);
    return n;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int is_digit(char c) { return c >= '0' && c <= '9'; }

size_t text_number_length(const char *s) {
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
double text_number(const char *s, size_t length) {
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
