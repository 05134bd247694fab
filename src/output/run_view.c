/* run_view.c - the picture of a run with the columns and the span of time that were asked for. */
#include "run_panes.h"

#include "../fail.h"
#include "recorder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What follows the last point of a name. */
static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* What a column is called, by its last part; NULL if only its unit tells. */
static const quantity_words *words_for(const bri_run_plot *p, int column) {
    static const struct {
        const char *part;
        quantity what;
    } parts[] = {{"x", POSITION}, {"z", HEIGHT}, {"v", VELOCITY}, {"vx", VELOCITY}, {"N", LOAD}};
    const char *name = bri_recorder_name(p->head.recorder, column), *part = last_part(name);
    const bri_system *system = &p->head.def->system;
    int contacts = body_column(system, system->n_bodies);
    if (strncmp(name, "energy.", 7) == 0) return words_of(ENERGY, 0);
    if (strcmp(part, "F") == 0) {
        int coupling = column >= contact_column(system, system->n_contacts);
        return words_of(coupling ? COUPLING : FRICTION, is_rotary(p, column));
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(part, parts[i].part) == 0 && (parts[i].what != HEIGHT || column < contacts))
            return words_of(parts[i].what == VELOCITY && column >= contacts ? SLIDING
                                                                            : parts[i].what,
                            is_rotary(p, column));
    return NULL;
}

/* The diagram in which a column belongs: with those of the same unit and meaning. */
static pane *pane_for(bri_run_plot *p, int x, int y) {
    const bri_recorder *r = p->head.recorder;
    const quantity_words *w = words_for(p, y), *of_x = x ? words_for(p, x) : NULL;
    const char *name = w ? w->name : last_part(bri_recorder_name(r, y));
    const char *across = !x ? NULL : of_x ? of_x->name : last_part(bri_recorder_name(r, x));
    for (int i = 0; i < p->n_panes; i++) {
        const pane *o = &p->panes[i];
        if (o->plane == (x != 0) && strcmp(o->y_name, name) == 0 &&
            strcmp(o->y_unit, bri_recorder_unit(r, y)) == 0 &&
            strcmp(o->x_unit, bri_recorder_unit(r, x)) == 0 &&
            (!x || strcmp(o->x_name, across) == 0))
            return &p->panes[i];
    }
    pane *to = new_pane(p, x ? "" : w ? w->title : name, name, x != 0);
    if (to && x) to->x_name = across;
    return to;
}

static bri_status too_many(bri_error *err) {
    return bri_fail(err, BRI_BAD_VALUE, "more than %d diagrams", MOST_PANES);
}

/* "pad.v:pad.F": one column over another. */
static bri_status add_pair(bri_run_plot *p, const char *text, size_t length, size_t colon,
                           bri_error *err) {
    const bri_recorder *r = p->head.recorder;
    char label[140];
    int x = recorder_first(r, text, colon),
        y = recorder_first(r, text + colon + 1, length - colon - 1);
    if (x < 0) return recorder_no_match(r, text, colon, err);
    if (y < 0) return recorder_no_match(r, text + colon + 1, length - colon - 1, err);
    snprintf(label, sizeof label, "%.60s over %.60s", bri_recorder_name(r, y),
             bri_recorder_name(r, x));
    pane *to = pane_for(p, x, y);
    if (!to) return too_many(err);
    add_curve(p, to, x, y, label);
    return BRI_OK;
}

/* "block*.x": the columns that match, over time. */
static bri_status add_matching(bri_run_plot *p, const char *text, size_t length, bri_error *err) {
    const bri_recorder *r = p->head.recorder;
    int found = 0;
    for (int i = 1; i < bri_recorder_columns(r); i++) {
        if (!recorder_matches(text, length, bri_recorder_name(r, i))) continue;
        pane *to = pane_for(p, 0, i);
        if (!to) return too_many(err);
        add_curve(p, to, 0, i, bri_recorder_name(r, i));
        found++;
    }
    return found ? BRI_OK : recorder_no_match(r, text, length, err);
}

static bri_status choose_columns(bri_run_plot *p, const char *columns, bri_error *err) {
    bri_status status = BRI_OK;
    free_panes(p);
    p->residual = -1;
    for (const char *at = columns;; at++) {
        at += strspn(at, " ");
        size_t length = strcspn(at, ","), used = length;
        const char *colon = memchr(at, ':', length);
        while (length > 0 && at[length - 1] == ' ') length--;
        status = colon ? add_pair(p, at, length, (size_t)(colon - at), err)
                       : add_matching(p, at, length, err);
        at += used;
        if (status != BRI_OK || !*at) break;
    }
    for (int i = 0; i < p->n_panes; i++) end_pane(p, &p->panes[i], "columns");
    return status;
}

bri_status bri_run_plot_view(bri_run_plot *p, const char *columns, double from, double until,
                             bri_error *err) {
    bri_rows rows = bri_rows_of(p->head.def, p->head.output);
    if (!isnan(from) || !isnan(until)) {
        if (isnan(from)) from = rows.start;
        if (isnan(until)) until = rows.end;
        if (!(from < until) || from >= rows.end || until <= rows.start)
            return bri_fail(err, BRI_BAD_VALUE, "%g to %g s is no part of the run, %g to %g s",
                            from, until, rows.start, rows.end);
        p->from = from;
        p->until = until;
        p->rows = (long)((double)p->rows * (fmin(until, rows.end) - fmax(from, rows.start)) /
                         (rows.end - rows.start)) +
                  2;
        free_panes(p);
        choose_panes(p);
    }
    return columns ? choose_columns(p, columns, err) : BRI_OK;
}
