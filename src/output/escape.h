/* escape.h - text within HTML, CSV and JSON. */
#ifndef BRI_ESCAPE_H
#define BRI_ESCAPE_H

#include "output/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Write text so that it means itself, also between double quotes. */
static inline void html_text(FILE *out, const char *text) {
    for (; *text; text++) {
        const char *safe = *text == '<'   ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '&' ? "&amp;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if (safe)
            fputs(safe, out);
        else
            fputc(*text, out);
    }
}

/* A field of RFC 4180, handed to put() in pieces: in quotes if it holds a comma, a quote or a line
 * end. */
static inline void csv_field(void (*put)(void *to, const char *text, size_t size), void *to,
                             const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        put(to, text, strlen(text));
        return;
    }
    put(to, "\"", 1);
    for (; *text; text++) {
        if (*text == '"') put(to, "\"", 1);
        put(to, text, 1);
    }
    put(to, "\"", 1);
}

static inline void put_to_file(void *to, const char *text, size_t size) {
    fwrite(text, 1, size, to);
}

static inline void csv_text(FILE *out, const char *text) { csv_field(put_to_file, out, text); }

/* A string of RFC 8259, with its quotes. */
static inline void json_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* A number with all its digits; null where it is none. */
static inline void json_number(FILE *out, double x) {
    char room[NUMBER_ROOM];
    if (isfinite(x))
        fwrite(room, 1, (size_t)(number_put(room, x) - room), out);
    else
        fputs("null", out);
}

#endif
