/* tables.c - the findings as tables: one per group of phenomena, and one list of all. */
#include "results.h"

#include "decimal.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *law_name(const bri_conformance *c, int law) {
    return c->names && c->names[law] ? c->names[law] : c->laws[law].model->name;
}

/* "slides", "about 10" where fewer digits are certain; NULL: the number as it is. */
static const char *in_words(const bri_finding *f, double value, char *room, size_t size) {
    if (f->word) return f->word;
    if (f->digits >= 3 || isnan(value)) return NULL;
    int digits = f->digits < 2 ? 1 : 2;
    text_format(room, size, "%.*e", digits - 1, value); /* rounded, then without an exponent */
    text_format(room, size, "%s%g", digits < 2 ? "about " : "", decimal_value(room, strlen(room)));
    return room;
}

/* First phenomenon of a group; its end in *end. -1 if there is no such group. */
static int group_range(const char *group, int machine, int *end) {
    int first = 0, count = bri_phenomenon_count();
    while (first < count && strcmp(bri_phenomenon_at(first)->group, group) != 0) first++;
    *end = first;
    while (*end < count && strcmp(bri_phenomenon_at(*end)->group, group) == 0 &&
           (machine || !bri_phenomenon_at(*end)->machine))
        ++*end;
    return *end > first ? first : -1;
}

bri_table *bri_conformance_table(bri_conformance *c, const char *group, int machine) {
    int end, first = group_range(group, machine, &end);
    if (first < 0) return NULL;
    bri_column *columns = c->columns + 2 * first;
    columns[0] = (bri_column){.key = "law"};
    for (int i = first; i < end; i++) {
        const bri_phenomenon *p = bri_phenomenon_at(i);
        const char *unit = p->shown ? p->shown : strcmp(p->unit, "1") == 0 ? "" : p->unit;
        columns[1 + i - first] = (bri_column){p->key, p->name, unit, 3, p->text};
    }
    bri_table *t = bri_table_create(NULL, columns, 1 + end - first);
    for (int law = 0; t && law < c->n; law++) {
        bri_table_text(t, law_name(c, law), BRI_TONE_PLAIN);
        for (int i = first; i < end; i++) {
            char room[40];
            bri_finding f = bri_conformance_finding(c, law, i);
            double scale = bri_phenomenon_at(i)->scale,
                   value = f.value * (scale > 0.0 ? scale : 1.0);
            bri_table_both(t, value, in_words(&f, value, room, sizeof room), f.tone);
        }
    }
    return t;
}

bri_table *bri_conformance_list(bri_conformance *c) {
    static const bri_column columns[] = {
        {.key = "law"},
        {.key = "phenomenon"},
        {.key = "value", .digits = 3},
        {.key = "unit"},
        {.key = "digits", .digits = 1, .text = "significant digits that are certain"},
        {.key = "word", .text = "what is said in place of the number"},
        {.key = "verdict"},
        {.key = "machine", .digits = 1, .text = "1: depends on the machine"},
        {.key = "experiment"},
    };
    static const char *const verdicts[] = {"", "good", "fair", "bad"};
    bri_table *t = bri_table_create(NULL, columns, sizeof columns / sizeof *columns);
    for (int law = 0; t && law < c->n; law++)
        for (int i = 0; i < bri_phenomenon_count(); i++) {
            const bri_phenomenon *p = bri_phenomenon_at(i);
            bri_finding f = bri_conformance_finding(c, law, i);
            bri_table_text(t, law_name(c, law), BRI_TONE_PLAIN);
            bri_table_text(t, p->key, BRI_TONE_PLAIN);
            bri_table_number(t, f.value, f.tone);
            bri_table_text(t, p->unit, BRI_TONE_PLAIN);
            bri_table_number(t, f.digits, BRI_TONE_PLAIN);
            bri_table_text(t, f.word, BRI_TONE_PLAIN);
            bri_table_text(t, verdicts[f.tone], f.tone);
            bri_table_number(t, p->machine, BRI_TONE_PLAIN);
            bri_table_text(t, p->text, BRI_TONE_PLAIN);
        }
    return t;
}
