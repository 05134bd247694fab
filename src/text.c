/* text.c - see text.h. C17 only: a locale can be neither asked for nor set in a way that other
 * threads do not see, but the point it writes can be seen in what it writes. */
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        double value = va_arg(*args, double);
        if (isnan(value)) value = NAN; /* what is no number has no sign */
        WRITE(value);
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
