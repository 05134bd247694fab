/* html.h - text within HTML. */
#ifndef BRI_HTML_H
#define BRI_HTML_H

#include <stdio.h>

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

#endif
