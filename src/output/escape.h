/* escape.h - text within HTML, CSV and JSON. */
#ifndef BRI_ESCAPE_H
#define BRI_ESCAPE_H

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

/* A field of RFC 4180: in quotes if it holds a comma, a quote or a line end. */
static inline void csv_text(FILE *out, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

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

#endif
