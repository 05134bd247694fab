/* run_plot.c - the picture of a run, as an engineer would draw it: on the left motion and friction
 * over time, on the right friction against sliding velocity and the energies. */
#include "bristle_scenario.h"

#include "../fail.h"
#include "thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CURVES = 8, MOST_PANES = 8, GROUPS = 800, PLANE_GROUPS = 1500 };

/* One line: the columns it is drawn from. */
typedef struct curve {
    char label[64];
    int x, y;
    thin points;
} curve;

/* One diagram under construction. */
typedef struct pane {
    char title[120];
    const char *x_name, *y_name, *x_unit, *y_unit;
    int plane;         /* nonzero: x is not time */
    int count, wanted; /* curves drawn, and how many there could be */
    curve curves[MOST_CURVES];
} pane;

struct bri_run_plot {
    bri_run_head head;
    long rows;
    int n_left, n_right;
    pane left[MOST_PANES], right[2];
    int residual; /* column of the energy residual, -1: none */
    double worst; /* its largest magnitude */
};

/* ---- what to draw ---------------------------------------------------------------------------- */

/* The name of a column without what follows its last point. */
static void owner_of(const bri_run_plot *p, int column, char *name, size_t size) {
    const char *full = bri_recorder_name(p->head.recorder, column), *dot = strrchr(full, '.');
    snprintf(name, size, "%.*s", dot ? (int)(dot - full) : (int)strlen(full), full);
}

static pane *start_pane(pane *to, const char *title, const char *y_name) {
    *to = (pane){.y_name = y_name};
    snprintf(to->title, sizeof to->title, "%s", title);
    return to;
}

/* A curve over the column x. Those beyond the most a reader can tell apart, and those of another
 * unit than the first, are only counted. */
static void add_curve(const bri_run_plot *p, pane *to, int x, int y, const char *label) {
    const char *unit = bri_recorder_unit(p->head.recorder, y);
    to->wanted++;
    if (!to->y_unit) to->y_unit = unit;
    if (!to->x_unit) to->x_unit = bri_recorder_unit(p->head.recorder, x);
    if (to->count == MOST_CURVES || strcmp(unit, to->y_unit) != 0) return;
    curve *c = &to->curves[to->count++];
    snprintf(c->label, sizeof c->label, "%.60s", label);
    c->x = x;
    c->y = y;
    thin_init(&c->points, p->rows, to->plane ? PLANE_GROUPS : GROUPS, to->plane);
}

/* Say in the title what is not shown. */
static void count_in_title(pane *to, const char *what) {
    size_t n = strlen(to->title);
    if (to->count < to->wanted)
        snprintf(to->title + n, sizeof to->title - n, ", first %d of %d %s", to->count, to->wanted,
                 what);
}

static int is_free(const bri_body *b) { return !b->position && !b->velocity; }

/* Displacement, height and, without contacts, velocity of the free bodies, or of all if none is. */
static void add_bodies(bri_run_plot *p) {
    const bri_system *s = &p->head.def->system;
    int any_free = 0, away = 0, contacts = s->n_contacts > 0, column = 1;
    for (int i = 0; i < s->n_bodies; i++) any_free |= is_free(&s->bodies[i]);
    for (int i = 0; i < s->n_bodies; i++)
        away |= (is_free(&s->bodies[i]) || !any_free) && s->bodies[i].x != 0.0;
    pane *move = start_pane(&p->left[0], away ? "Position" : "Displacement",
                            away ? "position" : "displacement");
    pane *height = start_pane(&p->left[1], "Height", "height");
    pane *speed = start_pane(&p->left[2], "Velocity", "velocity");
    for (int i = 0; i < s->n_bodies; i++) {
        int planar = s->bodies[i].kind == BRI_POINT;
        char name[64];
        owner_of(p, column, name, sizeof name);
        if (is_free(&s->bodies[i]) || !any_free) {
            add_curve(p, move, 0, column, name);
            if (planar) add_curve(p, height, 0, column + 1, name);
            if (!contacts) add_curve(p, speed, 0, column + (planar ? 2 : 1), name);
        }
        column += planar ? 4 : 2;
    }
    count_in_title(move, "bodies");
    count_in_title(height, "bodies");
    count_in_title(speed, "bodies");
    p->n_left = 0;
    for (int i = 0; i < 3; i++)
        if (p->left[i].count > 0) {
            if (i != p->n_left) p->left[p->n_left] = p->left[i];
            p->n_left++;
        }
}

/* Sliding velocity, friction and, unless it is constant, load of the contacts over time, and
 * friction against velocity. */
static void add_contacts(bri_run_plot *p) {
    const bri_system *s = &p->head.def->system;
    int column = 1, varies = 0, laws = 0;
    if (s->n_contacts == 0) return;
    for (int i = 0; i < s->n_bodies; i++) column += s->bodies[i].kind == BRI_POINT ? 4 : 2;
    for (int i = 0; i < s->n_contacts; i++) {
        varies |= s->contacts[i].load != BRI_LOAD_CONSTANT;
        laws |= s->contacts[i].model != s->contacts[0].model;
    }
    pane *speed = start_pane(&p->left[p->n_left++], "Sliding velocity", "velocity");
    pane *force = start_pane(&p->left[p->n_left++], "Friction force", "friction force");
    pane *load = varies ? start_pane(&p->left[p->n_left++], "Normal load", "load") : NULL;
    pane *law = start_pane(&p->right[p->n_right++], "Friction against velocity", "friction force");
    if (!laws)
        snprintf(law->title, sizeof law->title, "Friction against velocity, %.40s",
                 s->contacts[0].model->name);
    law->x_name = "sliding velocity";
    law->plane = 1;
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        char name[64], label[128];
        owner_of(p, column, name, sizeof name);
        snprintf(label, sizeof label, "%.36s (%.24s)", name, c->model->name);
        add_curve(p, speed, 0, column, name);
        add_curve(p, force, 0, column + 1, name);
        if (load) add_curve(p, load, 0, column + 2, name);
        add_curve(p, law, column, column + 1, laws ? label : name);
        column += 4 + bri_model_states(c->model, c->p);
    }
    count_in_title(speed, "contacts");
    count_in_title(force, "contacts");
    if (load) count_in_title(load, "contacts");
    count_in_title(law, "contacts");
}

static void add_energies(bri_run_plot *p) {
    /* What often lies on something else comes later. */
    static const char *const names[] = {"energy.work", "energy.dissipated", "energy.potential",
                                        "energy.kinetic", "energy.stored"};
    pane *energy = start_pane(&p->right[p->n_right++], "Energy", "energy");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int column = bri_recorder_find(p->head.recorder, names[i]);
        if (column < 0) continue;
        add_curve(p, energy, 0, column, strchr(names[i], '.') + 1);
    }
    p->residual = bri_recorder_find(p->head.recorder, "energy.residual");
}

bri_status bri_run_plot_create(const bri_run_head *head, long rows, bri_run_plot **out,
                               bri_error *err) {
    bri_run_plot *p = *out = calloc(1, sizeof *p);
    if (!p) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    p->head = *head;
    p->rows = rows;
    add_bodies(p);
    add_contacts(p);
    add_energies(p);
    return BRI_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* All panes one after the other; NULL after the last. */
static pane *pane_at(bri_run_plot *p, int i) {
    if (i < p->n_left) return &p->left[i];
    return i < p->n_left + p->n_right ? &p->right[i - p->n_left] : NULL;
}

void bri_run_plot_row(bri_run_plot *p, const double *row) {
    for (int i = 0; pane_at(p, i); i++) {
        pane *of = pane_at(p, i);
        for (int k = 0; k < of->count; k++) {
            curve *c = &of->curves[k];
            thin_add(&c->points, row[c->x], row[c->y]);
        }
    }
    if (p->residual >= 0) p->worst = fmax(p->worst, fabs(row[p->residual]));
}

void bri_run_plot_free(bri_run_plot *p) {
    if (!p) return;
    for (int i = 0; pane_at(p, i); i++)
        for (int k = 0; k < pane_at(p, i)->count; k++) thin_free(&pane_at(p, i)->curves[k].points);
    free(p);
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Whether the samples of a curve in the plane lie too far apart for a line, as they do when the
 * motion is faster than the rows: a third is further from the last than a twentieth of the picture.
 */
static int is_cloud(const thin *c) {
    double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
    size_t far = 0;
    for (size_t i = 0; i < c->count; i++) {
        low_x = fmin(low_x, c->x[i]);
        high_x = fmax(high_x, c->x[i]);
        low_y = fmin(low_y, c->y[i]);
        high_y = fmax(high_y, c->y[i]);
    }
    for (size_t i = 1; i < c->count; i++)
        far += fabs(c->x[i] - c->x[i - 1]) > 0.05 * (high_x - low_x) ||
               fabs(c->y[i] - c->y[i - 1]) > 0.05 * (high_y - low_y);
    return c->count > 100 && 3 * far > c->count;
}

/* The panel for a pane; 0 if there was not enough memory for its points. */
static int finish_pane(pane *from, bri_series *series, bri_panel *panel) {
    int whole = 1;
    for (int k = 0; k < from->count; k++) {
        curve *c = &from->curves[k];
        thin_end(&c->points);
        whole &= !c->points.failed;
        series[k] = (bri_series){.label = c->label,
                                 .x = c->points.x,
                                 .y = c->points.y,
                                 .count = (int)c->points.count,
                                 .markers = from->plane && is_cloud(&c->points) ? 2 : 0};
    }
    *panel = (bri_panel){.title = from->title,
                         .x_name = from->x_name,
                         .x_unit = from->x_unit,
                         .y_name = from->y_name,
                         .y_unit = from->y_unit,
                         .series = series,
                         .n_series = from->count};
    return whole;
}

bri_status bri_run_plot_write(bri_run_plot *p, const char *file, bri_error *err) {
    bri_series series[MOST_PANES + 2][MOST_CURVES];
    bri_panel panels[MOST_PANES + 2];
    int n = p->n_left + p->n_right, rows = p->n_left > 2 ? p->n_left : 3, whole = 1;
    int low = p->n_right < 2 ? rows : rows > 3 ? 2 : 1; /* rows for the energies */
    pane *energy = &p->right[p->n_right - 1];
    if (p->residual >= 0)
        snprintf(energy->title, sizeof energy->title, "Energy (balanced to %.1g J)", p->worst);
    for (int i = 0; i < n; i++) {
        pane *from = pane_at(p, i);
        int right = i >= p->n_left, last = i == n - 1;
        if (i == p->n_left - 1 || last) from->x_name = "time";
        whole &= finish_pane(from, series[i], &panels[i]);
        panels[i].column = right;
        panels[i].row = !right ? i : last ? rows - low : 0;
        panels[i].rows = !right ? 1 : last ? low : rows - low;
    }
    if (!whole) return bri_fail(err, BRI_NO_MEMORY, "not enough memory to draw the run");
    bri_plot plot = {.title = p->head.title ? p->head.title : p->head.source,
                     .panels = panels,
                     .n_panels = n,
                     .columns = 2,
                     .rows = rows};
    return bri_plot_write(&plot, file, err);
}
