/* unit_names.c - see unit_names.h. */
#include "unit_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *units_of_rotation(const char *unit, char *text, size_t size) {
    size_t used = 0;
    if (!strpbrk(unit, "mN")) return unit;
    for (size_t i = 0; unit[i];) {
        size_t n = 0;
        while (isalnum((unsigned char)unit[i + n])) n++;
        const char *word = n == 1 && unit[i] == 'm'   ? "rad"
                           : n == 1 && unit[i] == 'N' ? "N m"
                                                      : NULL;
        if (n == 0) n = 1;
        int put = word ? snprintf(text + used, size - used, "%s", word)
                       : snprintf(text + used, size - used, "%.*s", (int)n, unit + i);
        if (put < 0 || (size_t)put >= size - used) return unit;
        used += (size_t)put;
        i += n;
    }
    return text;
}

const char *unit_in_signal(const bri_param *row, const char *unit, char *text, size_t size) {
    if (row->unit[0] != '=') return row->unit;
    int compound = strpbrk(unit, " /") != NULL && row->unit[1];
    if (strcmp(unit, "1") == 0 && row->unit[1])
        snprintf(text, size, "1%s", row->unit + 1);
    else
        snprintf(text, size, compound ? "(%s)%s" : "%s%s", unit, row->unit + 1);
    return text;
}
