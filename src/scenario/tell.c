/* tell.c - where the parameters of contacts come from, and what is lost: in words and as JSON. */
#define _POSIX_C_SOURCE 200809L
#include "tell.h"

#include "memtext.h"
#include "output/escape.h"
#include "reader.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

const told *scenario_told(const bri_scenario *s, int i) {
    for (int k = 0; k < s->n_groups; k++)
        if (s->groups[k].section == CONTACTS && s->groups[k].told && i-- == 0)
            return s->groups[k].told;
    return NULL;
}

const char *told_name(const told *t) { return t->name; }

static const told *told_of(const bri_scenario *s, int contact) {
    for (int i = 0; i < s->n_groups; i++) {
        const group *g = &s->groups[i];
        if (g->section == CONTACTS && contact >= g->first && contact < g->first + g->count)
            return g->told;
    }
    return NULL;
}

const bri_setup *bri_scenario_setup(const bri_scenario *s, int contact) {
    const told *t = told_of(s, contact);
    return t ? &t->setup : NULL;
}

const bri_model *bri_scenario_replaced(const bri_scenario *s, int contact) {
    const told *t = told_of(s, contact);
    return t ? t->instead_of : NULL;
}

const bri_lost *bri_scenario_lost(const bri_scenario *s, int contact, int *count) {
    const told *t = told_of(s, contact);
    *count = t ? t->n_lost : 0;
    return t ? t->lost : NULL;
}

/* ---- words --------------------------------------------------------------------------------- */

/* By its name as a force if it is one, in units of rotation if the contact turns. */
static const char *name_of(const told *t, int i) {
    const bri_param *row = &t->setup.model->params[i];
    return row->force && t->setup.forces ? row->force : row->name;
}

static const char *unit_of(const told *t, int i, char *text, size_t size) {
    const bri_param *row = &t->setup.model->params[i];
    const char *unit = row->force && t->setup.forces ? "N" : row->unit;
    return t->turns ? units_of_rotation(unit, text, size) : unit;
}

static void put_value(FILE *out, int count, const char *name, double value, const char *unit) {
    fprintf(out, "%s%s %.10g", count ? ", " : "", name, value);
    if (strcmp(unit, "1") != 0) fprintf(out, " %s", unit);
}

static void put_parameter(FILE *out, const told *t, int i, int count) {
    const bri_setup *s = &t->setup;
    char text[64];
    put_value(out, count, name_of(t, i), s->p[i], unit_of(t, i, text, sizeof text));
    const char *from = s->from[i], *rule = s->rule[i];
    int renamed = from && strcmp(from, s->model->params[i].name) != 0;
    if (renamed && rule)
        fprintf(out, " (from %s: %s)", from, rule);
    else if (renamed)
        fprintf(out, " (from %s)", from);
    else if (rule && s->origin[i] != BRI_DEFAULT)
        fprintf(out, " (%s)", rule);
}

int tell_origin(FILE *out, const told *t, bri_origin origin) {
    int count = 0;
    for (int i = 0; i < t->setup.model->n_params; i++)
        if (t->setup.origin[i] == origin && !bri_setup_invented(&t->setup, i))
            put_parameter(out, t, i, count++);
    return count;
}

int tell_derived(FILE *out, const told *t) { return tell_origin(out, t, BRI_DERIVED); }

int tell_invented(FILE *out, const told *t) {
    int count = 0;
    for (int i = 0; i < t->setup.model->n_params; i++)
        if (bri_setup_invented(&t->setup, i)) put_parameter(out, t, i, count++);
    return count;
}

int tell_lost(FILE *out, const told *t) {
    char text[64];
    for (int i = 0; i < t->n_lost; i++) {
        const bri_lost *l = &t->lost[i];
        const char *unit = t->turns ? units_of_rotation(l->unit, text, sizeof text) : l->unit;
        put_value(out, i, l->name, l->value, unit);
        fprintf(out, " (%s%s%s)", bri_role_name(l->role), l->why ? ": " : "", l->why ? l->why : "");
    }
    return t->n_lost;
}

/* ---- notes --------------------------------------------------------------------------------- */

typedef int lister(FILE *out, const told *t);

/* "pad: dahl for lugre, without v_s ...": one line for each kind of news, and what the authors of
 * the law advise against. 0 if there is no memory. */
static int put_notes(FILE *out, const group *g) {
    const struct {
        const char *words;
        lister *list;
    } kinds[] = {
        {"has no use for", tell_lost},
        {"derived", tell_derived},
        {"by default, as published for another rig,", tell_invented},
    };
    const told *t = g->told;
    for (size_t k = 0; t && k < sizeof kinds / sizeof *kinds; k++) {
        memtext m;
        FILE *to = memtext_open(&m);
        int count = to ? kinds[k].list(to, t) : 0;
        char *list = memtext_close(&m);
        if (!list) return 0;
        if (count > 0)
            fprintf(out, "%s: %s%s%s %s %s\n", g->name, t->setup.model->name,
                    t->instead_of ? " in place of " : "", t->instead_of ? t->instead_of->name : "",
                    kinds[k].words, list);
        free(list);
    }
    const char *advice = t ? bri_model_advice(t->setup.model, t->setup.p) : NULL;
    if (advice) fprintf(out, "%s: %s: %s\n", g->name, t->setup.model->name, advice);
    return 1;
}

const char *bri_scenario_notes(bri_scenario *s) {
    static const char untold[] = "not enough memory to tell what was derived, lost or by default\n";
    if (s->notes) return s->notes;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return untold;
    locale_t host = uselocale(plain);
    memtext m;
    FILE *out = memtext_open(&m);
    int all = 1;
    for (int i = 0; out && i < s->n_groups; i++)
        if (s->groups[i].section == CONTACTS) all &= put_notes(out, &s->groups[i]);
    s->notes = memtext_close(&m);
    uselocale(host);
    freelocale(plain);
    return s->notes && all ? s->notes : untold;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void put_pair(FILE *out, const char *before, const char *key, const char *text) {
    fprintf(out, "%s\"%s\": ", before, key);
    if (text)
        json_text(out, text);
    else
        fputs("null", out);
}

static void put_json_parameter(FILE *out, const told *t, int i) {
    const bri_setup *s = &t->setup;
    char text[64];
    put_pair(out, i ? ",\n      {" : "\n      {", "name", name_of(t, i));
    fputs(", \"value\": ", out);
    json_number(out, s->p[i]);
    put_pair(out, ", ", "unit", unit_of(t, i, text, sizeof text));
    put_pair(out, ", ", "role", bri_role_name(s->model->params[i].role));
    put_pair(out, ", ", "origin", bri_origin_name(s->origin[i]));
    put_pair(out, ", ", "from", s->from[i]);
    put_pair(out, ", ", "rule", s->origin[i] == BRI_DEFAULT ? NULL : s->rule[i]);
    fprintf(out, ", \"invented\": %s}", bri_setup_invented(s, i) ? "true" : "false");
}

static void put_json_contact(FILE *out, const group *g, int first) {
    const told *t = g->told;
    char text[64];
    put_pair(out, first ? "\n    {" : ",\n    {", "name", g->name);
    put_pair(out, ", ", "model", t->setup.model->name);
    put_pair(out, ", ", "instead_of", t->instead_of ? t->instead_of->name : NULL);
    fputs(", \"parameters\": [", out);
    for (int i = 0; i < t->setup.model->n_params; i++) put_json_parameter(out, t, i);
    fputs("],\n     \"lost\": [", out);
    for (int i = 0; i < t->n_lost; i++) {
        const bri_lost *l = &t->lost[i];
        put_pair(out, i ? ",\n      {" : "\n      {", "name", l->name);
        fputs(", \"value\": ", out);
        json_number(out, l->value);
        put_pair(out, ", ", "unit",
                 t->turns ? units_of_rotation(l->unit, text, sizeof text) : l->unit);
        put_pair(out, ", ", "role", bri_role_name(l->role));
        put_pair(out, ", ", "why", l->why);
        fputs("}", out);
    }
    fputs("]}", out);
}

void bri_scenario_json(const bri_scenario *s, FILE *out) {
    int first = 1;
    put_pair(out, "{\n  ", "title", s->title);
    put_pair(out, ",\n  ", "version", bri_version());
    fputs(",\n  \"contacts\": [", out);
    for (int i = 0; i < s->n_groups; i++) {
        if (s->groups[i].section != CONTACTS || !s->groups[i].told) continue;
        put_json_contact(out, &s->groups[i], first);
        first = 0;
    }
    fputs("]\n}\n", out);
}
