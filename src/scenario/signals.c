/* signals.c - functions of time: "2 N", {sine: {amplitude: 2 N, frequency: 3 Hz}}, {step: 5 N},
 * {table: {...}}, {sum: [...]}, {product: [...]}, "2 N * sin(3 rad/s * t)". */
#include "scope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tables -------------------------------------------------------------------------------- */

/* The factor from the unit that `key` names to the wanted one. */
static double factor(reader *r, const node *map, const char *key, const char *unit) {
    const node *n = node_get(map, key);
    char text[140];
    bri_error err;
    double value = 1.0;
    if (!n || !want_text(r, n, "a unit")) return 1.0;
    snprintf(text, sizeof text, "1 %.120s", n->text);
    bri_status status = bri_quantity(text, unit, &value, &err);
    if (status) report(r, n, status, "%s", err.text);
    return value;
}

/* A list of numbers, bare ones times scale. */
static double *read_numbers(reader *r, const node *list, const char *unit, double scale) {
    const bri_param any = {.min = -1e300, .max = 1e300};
    double *values = ARENA_NEW(r->memory, double, list->count + 1);
    int i = 0;
    if (!values) report_memory(r);
    for (const node *n = list->first; values && n; n = n->next, i++) {
        if (!read_number(r, n, &any, unit, &values[i])) return NULL;
        char last = n->text[strlen(n->text) - 1];
        if ((last >= '0' && last <= '9') || last == '.') values[i] *= scale;
    }
    return values;
}

static int inline_points(reader *r, const node *map, const char *unit, bri_signal *out) {
    const node *t = node_get(map, "t"), *y = node_get(map, "y");
    if (!t || !y) {
        report(r, map, BRI_BAD_VALUE, "%s is missing: a table has t and y, or a file",
               t ? "y" : "t");
        return 0;
    }
    if (!want_list(r, t, "of times") || !want_list(r, y, "of values")) return 0;
    if (t->count != y->count || t->count < 2) {
        report(r, map, BRI_BAD_VALUE,
               t->count == y->count ? "at least two points make a table"
                                    : "t has %d values and y has %d",
               t->count, y->count);
        return 0;
    }
    out->t = read_numbers(r, t, "s", factor(r, map, "time_unit", "s"));
    out->y = read_numbers(r, y, unit, factor(r, map, "unit", unit));
    out->count = t->count;
    if (!out->t || !out->y) return 0;
    const node *at = t->first->next;
    for (int i = 1; i < out->count; i++, at = at->next)
        if (!(out->t[i] > out->t[i - 1])) {
            report(r, at, BRI_BAD_VALUE, "%g s does not lie after %g s: times must increase",
                   out->t[i], out->t[i - 1]);
            return 0;
        }
    return 1;
}

/* The name of a file as it stands in the scenario, seen from where the scenario is. */
void place_file(const reader *r, const char *name, char *path, size_t size) {
    const char *slash = strrchr(r->file, '/');
    if (name[0] == '/' || !slash)
        snprintf(path, size, "%s", name);
    else
        snprintf(path, size, "%.*s/%s", (int)(slash - r->file), r->file, name);
}

static int points_from_file(reader *r, const node *map, const char *unit, bri_signal *out) {
    const node *file = node_get(map, "file"), *time = node_get(map, "time");
    const node *column = node_get(map, "column");
    char path[4096];
    bri_error err = {0};
    double *values[2], scale[2];
    if (!want_text(r, file, "the name of a CSV file")) return 0;
    if (node_get(map, "t") || node_get(map, "y")) {
        report(r, map, BRI_BAD_VALUE, "give t and y, or a file, not both");
        return 0;
    }
    if (!column) {
        report(r, map, BRI_BAD_VALUE, "column is missing: which one of the file?");
        return 0;
    }
    if (!want_text(r, column, "the name of a column")) return 0;
    if (time && !want_text(r, time, "the name of a column")) return 0;
    const char *const columns[2] = {time ? time->text : "t", column->text};
    place_file(r, file->text, path, sizeof path);
    note_file(r->s, path);
    bri_status status = csv_read(path, columns, r->memory, values, &out->count, &err);
    if (status && err.line > 0)
        report(r, file, status, "%.100s:%d: %s", file->text, err.line, err.text);
    else if (status)
        report(r, file, status, "%.100s: %s", file->text, err.text);
    if (status) return 0;
    scale[0] = factor(r, map, "time_unit", "s");
    scale[1] = factor(r, map, "unit", unit);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < out->count; i++) values[k][i] *= scale[k];
    out->t = values[0];
    out->y = values[1];
    return 1;
}

static int read_points(reader *r, const node *map, const char *unit, bri_signal *out) {
    choice c = {0};
    int count;
    const bri_param *rows = bri_scenario_keys("table", &count);
    if (!want_map(r, map, "{t: [...], y: [...]} or {file: ..., column: ...}")) return 0;
    choice_rows(&c, rows, count);
    check_keys(r, map, &c);
    int good = node_get(map, "file") ? points_from_file(r, map, unit, out)
                                     : inline_points(r, map, unit, out);
    if (!good) return 0;
    double *sum = ARENA_NEW(r->memory, double, out->count);
    for (int i = 1; sum && i < out->count; i++)
        sum[i] = sum[i - 1] + 0.5 * (out->y[i - 1] + out->y[i]) * (out->t[i] - out->t[i - 1]);
    out->sum = sum;
    return 1;
}

/* ---- kinds --------------------------------------------------------------------------------- */

/* The parts of a sum have its unit; of a product the first has, the others are factors. */
static int read_parts(reader *r, const node *list, const char *unit, bri_signal *out) {
    if (!want_list(r, list, "of signals")) return 0;
    if (list->count == 0) {
        report(r, list, BRI_BAD_VALUE, "at least one signal is needed");
        return 0;
    }
    bri_signal *parts = ARENA_NEW(r->memory, bri_signal, list->count);
    int factors = out->kind->holds == BRI_FACTORS, good = 1, i = 0;
    if (!parts) {
        report_memory(r);
        return 0;
    }
    for (const node *n = list->first; n; n = n->next, i++)
        if (!read_signal(r, n, factors && i > 0 ? "1" : unit, &parts[i])) good = 0;
    out->parts = parts;
    out->count = list->count;
    return good;
}

static int read_params(reader *r, const node *n, const char *unit, bri_signal *out) {
    const bri_signal_kind *kind = out->kind;
    char text[80];
    int good = 1;
    if (n->kind == NODE_SCALAR && n->text[0]) /* a lone value is the first parameter */
        return read_number(r, n, &kind->params[0],
                           unit_in_signal(&kind->params[0], unit, text, sizeof text), &out->p[0]);
    if (!want_map(r, n, "{parameter: value, ...}")) return 0;
    choice c = {0};
    choice_rows(&c, kind->params, kind->n_params);
    check_keys(r, n, &c);
    for (int i = 0; i < kind->n_params; i++) {
        const bri_param *row = &kind->params[i];
        if (!read_optional(r, n, row, unit_in_signal(row, unit, text, sizeof text), &out->p[i]))
            good = 0;
    }
    return good;
}

/* A number, the name of a signal, or an expression of time and signals. */
static int read_scalar(reader *r, const node *n, const char *unit, bri_signal *out) {
    const bri_param any = {.min = -1e30, .max = 1e30};
    reading from;
    bri_error err;
    double unused;
    int number = !n->text[0] || (bri_quantity(n->text, unit, &unused, &err) == BRI_OK &&
                                 !find_signal(r->s, n->text));
    if (number || !is_expression(r, n->text)) return read_number(r, n, &any, unit, &out->p[0]);
    if (!read_given(r, n, unit, (place){.site = SITE_TIME}, &from)) return 0;
    if (from.signal)
        *out = *from.signal;
    else
        out->p[0] = from.value;
    return 1;
}

int read_varying(reader *r, const node *n, const char *unit, place at, bri_signal *signal,
                 const expression **e) {
    bri_error err;
    double unused;
    *e = NULL;
    *signal = bri_signal_constant(0.0);
    if (n->kind != NODE_SCALAR || !n->text[0] ||
        bri_quantity(n->text, unit, &unused, &err) == BRI_OK || !is_expression(r, n->text))
        return read_signal(r, n, unit, signal);
    reading from;
    if (!read_given(r, n, unit, at, &from)) return 0;
    *e = from.e;
    if (from.signal)
        *signal = *from.signal;
    else if (!from.e)
        signal->p[0] = from.value;
    return 1;
}

int read_signal(reader *r, const node *n, const char *unit, bri_signal *out) {
    char near[200];
    *out = bri_signal_constant(0.0);
    if (n->kind == NODE_SCALAR) return read_scalar(r, n, unit, out);
    if (n->kind != NODE_MAP || n->count != 1) {
        report(r, n, BRI_BAD_VALUE, "a signal is a number or one map, {sine: {...}}");
        return 0;
    }
    const bri_signal_kind *kind = bri_signal_find(n->first->key);
    if (!kind) {
        choice c = {0};
        for (int i = 0; i < bri_signal_count(); i++) choice_add(&c, bri_signal_at(i)->name);
        hint(r, &c, n->first->key, near, sizeof near);
        report(r, n->first, BRI_NOT_FOUND, "there is no such signal%s", near);
        return 0;
    }
    bri_signal s = bri_signal_defaults(kind);
    int good = kind->holds == BRI_POINTS        ? read_points(r, n->first, unit, &s)
               : kind->holds == BRI_ONLY_PARAMS ? read_params(r, n->first, unit, &s)
                                                : read_parts(r, n->first, unit, &s);
    const char *wrong = good && kind->check ? kind->check(s.p) : NULL;
    if (wrong) report(r, n->first, BRI_BAD_VALUE, "%s", wrong);
    if (good && !wrong) *out = s;
    return good && !wrong;
}
