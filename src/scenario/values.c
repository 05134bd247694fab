/* values.c - numbers with units and keys, checked against the rows of tables. */
#include "scope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- kinds of nodes ------------------------------------------------------------------------ */

static int want(reader *r, const node *n, node_kind kind, const char *word, const char *what) {
    if (n->kind == kind && (kind != NODE_SCALAR || n->text[0])) return 1;
    char shown[80];
    node_show(n, shown, sizeof shown);
    report(r, n, BRI_BAD_VALUE, "%s is expected here, %s, not %s", word, what, shown);
    return 0;
}

int want_map(reader *r, const node *n, const char *what) {
    return want(r, n, NODE_MAP, "a map", what);
}

int want_list(reader *r, const node *n, const char *what) {
    return want(r, n, NODE_LIST, "a list", what);
}

int want_text(reader *r, const node *n, const char *what) {
    return want(r, n, NODE_SCALAR, "one value", what);
}

/* ---- numbers ------------------------------------------------------------------------------- */

int read_number(reader *r, const node *n, const bri_param *row, const char *unit, double *value) {
    bri_error err;
    double given;
    int plain = strcmp(unit, "1") == 0;
    if (n->kind != NODE_SCALAR) {
        char what[60];
        snprintf(what, sizeof what, plain ? "a number" : "a number in %s", unit);
        return want_text(r, n, what);
    }
    const parameter *named = find_parameter(r->s, n->text);
    bri_status status = bri_quantity(named ? named->text : n->text, unit, &given, &err);
    if (status != BRI_OK && status != BRI_NO_MEMORY && is_expression(r, n->text)) {
        reading from;
        if (!read_given(r, n, unit, (place){.site = SITE_NUMBER}, &from)) return 0;
        given = from.value;
    } else if (status) {
        report(r, n, status, "%s", err.text);
        return 0;
    } else if (named) {
        fix_parameter(r, named, n);
    }
    /* a limit close to zero is told to those who come close to it */
    int above_zero = row->min > 0.0 && row->min < 1e-20 && given <= 0.0;
    const char *shown = plain ? "" : unit, *gap = plain ? "" : " ";
    if (!(given >= row->min && given <= row->max)) {
        if (row->max >= 1e30 && row->min > -1e30 && given < row->min)
            report(r, n, BRI_BAD_VALUE, "%g%s%s must be %s %g", given, gap, shown,
                   above_zero ? ">" : ">=", above_zero ? 0.0 : row->min);
        else
            report(r, n, BRI_BAD_VALUE, "%g%s%s is outside %g ... %g%s%s", given, gap, shown,
                   row->min, row->max, gap, shown);
        return 0;
    }
    if (row->whole && given != floor(given)) {
        report(r, n, BRI_BAD_VALUE, "%g must be a whole number", given);
        return 0;
    }
    *value = given;
    return 1;
}

int read_optional(reader *r, const node *map, const bri_param *row, const char *unit,
                  double *value) {
    const node *n = node_get(map, row->name);
    return n ? read_number(r, n, row, unit, value) : 1;
}

/* ---- keys ---------------------------------------------------------------------------------- */

void choice_add(choice *c, const char *name) {
    if (c->count < (int)(sizeof c->name / sizeof *c->name)) c->name[c->count++] = name;
}

void choice_rows(choice *c, const bri_param *rows, int count) {
    for (int i = 0; i < count; i++) choice_add(c, rows[i].name);
    for (int i = 0; i < count; i++)
        if (rows[i].force) choice_add(c, rows[i].force);
}

void choice_hint(const choice *c, const char *name, char *text, size_t size) {
    const char *near = bri_nearest(name, c->name, c->count);
    if (near && (strlen(name) > 1 || strlen(near) > 1)) { /* one letter for another is no slip */
        snprintf(text, size, "; did you mean '%s'?", near);
        return;
    }
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < c->count; i++) {
        const char *gap = i == 0 ? "; it can be " : i == c->count - 1 ? " or " : ", ";
        if (used + strlen(gap) + strlen(c->name[i]) + 6 > size) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", gap, c->name[i]);
    }
}

int flooded(const reader *r) { return r->reported > 1000; }

void hint(const reader *r, const choice *c, const char *name, char *text, size_t size) {
    text[0] = '\0';
    if (!flooded(r)) choice_hint(c, name, text, size);
}

static int is_among(const choice *c, const char *name) {
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->name[i], name) == 0) return 1;
    return 0;
}

void check_keys(reader *r, const node *map, const choice *c) {
    for (const node *n = map->first; n; n = n->next) {
        char near[260];
        if (is_among(c, n->key)) continue;
        hint(r, c, n->key, near, sizeof near);
        report(r, n, BRI_NOT_FOUND, "there is no such key%s", near);
    }
}
