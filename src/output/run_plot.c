/* run_plot.c - the picture of a run, as an engineer would draw it: on the left motion and friction
 * over time, on the right friction against sliding velocity and the energies. */
#include "run_panes.h"

#include "../fail.h"

#include <math.h>
#include <stdlib.h>

bri_status bri_run_plot_create(const bri_run_head *head, long rows, bri_run_plot **out,
                               bri_error *err) {
    bri_run_plot *p = *out = calloc(1, sizeof *p);
    if (!p) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    p->head = *head;
    p->row = calloc((size_t)bri_recorder_columns(head->recorder), sizeof *p->row);
    if (!p->row) {
        free(p);
        *out = NULL;
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    }
    p->rows = rows;
    p->from = -INFINITY;
    p->until = INFINITY;
    p->residual = -1;
    choose_panes(p);
    return BRI_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

void bri_run_plot_row(bri_run_plot *p, const double *row) {
    if (row[0] < p->from || row[0] > p->until) return;
    for (int i = 0; i < p->n_panes; i++) {
        pane *of = &p->panes[i];
        for (int k = 0; k < of->count; k++) {
            curve *c = &of->curves[k];
            thin_add(&c->points, row[c->x], row[c->y]);
        }
    }
    if (p->residual >= 0) p->worst = fmax(p->worst, fabs(row[p->residual]));
}

void bri_run_plot_step(bri_run_plot *p, bri_sim *sim) {
    double t = bri_sim_time(sim);
    if (t < p->from || t > p->until) return;
    bri_recorder_read(p->head.recorder, sim, p->row);
    bri_run_plot_row(p, p->row);
}

void bri_run_plot_free(bri_run_plot *p) {
    if (!p) return;
    free_panes(p);
    free(p->row);
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
        series[k] = (bri_series){
            .label = c->label,
            .x = c->points.x,
            .y = c->points.y,
            .count = (int)c->points.count,
            .markers = c->points.sieved || (from->plane && is_cloud(&c->points)) ? 2 : 0};
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

/* Whether a pane stands on the right: what is not over time, and the energies. */
static int on_right(const pane *p) { return p->plane || p->energy; }

/* Places in two columns, or in one if the other is empty. A diagram over time takes one row, those
 * in the plane share what the energies leave. */
static void place(const bri_run_plot *p, bri_panel *panels, int *columns, int *rows) {
    int left = 0, planes = 0, energies = 0, row[2] = {0};
    for (int i = 0; i < p->n_panes; i++) {
        planes += p->panes[i].plane;
        energies += p->panes[i].energy;
        left += !on_right(&p->panes[i]);
    }
    int both = left > 0 && planes + energies > 0;
    *rows = left > 2 || !both ? left : 2 + energies;
    if (*rows < 2 * planes + energies) *rows = 2 * planes + energies;
    if (*rows < 2) *rows = 2;
    int low = !energies ? 0 : !planes ? *rows : *rows > 3 ? 2 : 1;
    for (int i = 0, drawn = 0; i < p->n_panes; i++) {
        const pane *from = &p->panes[i];
        int right = on_right(from), free_rows = *rows - low;
        panels[i].column = both && right;
        panels[i].rows = from->energy ? low
                         : from->plane
                             ? free_rows * (drawn + 1) / planes - free_rows * drawn / planes
                         : left == 1 ? *rows
                                     : 1;
        drawn += from->plane;
        panels[i].row = row[right];
        row[right] += panels[i].rows;
    }
    *columns = 1 + both;
}

bri_status bri_run_plot_write(bri_run_plot *p, const char *file, bri_error *err) {
    bri_series series[MOST_PANES][MOST_CURVES];
    bri_panel panels[MOST_PANES];
    int n = p->n_panes, whole = 1, columns, rows, last = -1;
    for (int i = 0; i < n; i++) {
        pane *from = &p->panes[i];
        if (from->energy && p->residual >= 0)
            text_format(from->title, sizeof from->title, "Energy (balanced to %.1g J)", p->worst);
        if (!on_right(from)) last = i; /* the lowest of the left column */
        if (from->energy) from->x_name = "time";
    }
    if (last >= 0) p->panes[last].x_name = "time";
    for (int i = 0; i < n; i++) whole &= finish_pane(&p->panes[i], series[i], &panels[i]);
    if (!whole) return bri_fail(err, BRI_NO_MEMORY, "not enough memory to draw the run");
    place(p, panels, &columns, &rows);
    bri_plot plot = {.title = p->head.title ? p->head.title : p->head.source,
                     .panels = panels,
                     .n_panels = n,
                     .columns = columns,
                     .rows = rows};
    return bri_plot_write(&plot, file, err);
}
