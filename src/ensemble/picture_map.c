/* picture_map.c - a measure over two grids: cells, contours, and a line that is known. */
#include "picture.h"

#include <math.h>
#include <string.h>

enum { FINE = 201, LEVELS = 7 };

/* Mean over samples, rows, laws: whatever else the point of the grid has; of words the last. */
static void fill_cells(studio *t, const int at[2], int measure, double *z) {
    const design *d = &t->s->design;
    const sheet *found = &t->s->sheet;
    int nx = (int)d->axes[at[0]].count, ny = (int)d->axes[at[1]].count;
    double *count = picture_room(t, (long)nx * ny);
    if (!count) return;
    for (long i = 0; i < d->points; i++) {
        place_in p = design_place(d, i);
        double value = sheet_row(found, i)[measure];
        long cell = p.grid[at[1]] * nx + p.grid[at[0]];
        if (found->state[i] == ROW_NONE || !isfinite(value)) continue;
        z[cell] = found->columns[measure].words ? value : z[cell] + value;
        count[cell] += 1.0;
    }
    for (long k = 0; k < (long)nx * ny; k++)
        z[k] = count[k] == 0.0 ? NAN : found->columns[measure].words ? z[k] : z[k] / count[k];
}

/* Levels at round steps, thin lines. */
static int add_contours(studio *t, const axis *x, const axis *y, const double *z) {
    double low = INFINITY, high = -INFINITY;
    int n = 0, nx = (int)x->count, ny = (int)y->count;
    for (long k = 0; k < (long)nx * ny; k++)
        if (isfinite(z[k])) low = fmin(low, z[k]), high = fmax(high, z[k]);
    if (!(high > low)) return 0;
    double rough = (high - low) / LEVELS, unit = pow(10.0, floor(log10(rough))),
           share = rough / unit;
    double step = unit * (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0);
    for (double level = step * ceil(low / step); level < high && n < 2 * LEVELS; level += step) {
        double *px = picture_room(t, 6L * nx * ny), *py = picture_room(t, 6L * nx * ny);
        if (!px || !py) return n;
        int count = contour(x->values, nx, y->values, ny, z, level, px, py);
        t->series[0][n++] = (bri_series){.x = px, .y = py, .count = count, .back = 1};
    }
    return n;
}

/* The line that is known from elsewhere, on a grid of its own. */
static int add_limit(studio *t, const int at[2], int n) {
    const bri_sweep *s = t->s;
    const axis *a[2] = {&s->design.axes[at[0]], &s->design.axes[at[1]]};
    double *fine[2] = {picture_room(t, FINE), picture_room(t, FINE)},
           *z = picture_room(t, FINE * FINE);
    double *px = picture_room(t, 6L * FINE * FINE), *py = picture_room(t, 6L * FINE * FINE),
           x[MOST_AXES] = {0};
    if (!s->limit || t->failed) return n;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < FINE; i++) {
            double u = i / (FINE - 1.0), from = a[k]->values[0], to = a[k]->values[a[k]->count - 1];
            fine[k][i] = a[k]->logarithmic ? from * pow(to / from, u) : from + (to - from) * u;
        }
    for (int i = 0; i < s->design.n_axes; i++) x[i] = s->design.axes[i].nominal;
    for (int j = 0; j < FINE; j++)
        for (int i = 0; i < FINE; i++) {
            x[at[0]] = fine[0][i];
            x[at[1]] = fine[1][j];
            z[j * FINE + i] = limit_value(s->limit, x);
        }
    int count = contour(fine[0], FINE, fine[1], FINE, z, 0.0, px, py);
    t->series[0][n] = (bri_series){.label = "limit", .x = px, .y = py, .count = count};
    return n + 1;
}

void picture_map(studio *t, const int at[2], int measure) {
    const bri_sweep *s = t->s;
    const axis *x = &s->design.axes[at[0]], *y = &s->design.axes[at[1]];
    const sheet_column *c = &s->sheet.columns[measure];
    double *z = picture_room(t, x->count * y->count);
    if (!z) return;
    fill_cells(t, at, measure, z);
    t->map = (bri_map){.x = x->values,
                       .y = y->values,
                       .z = z,
                       .nx = (int)x->count,
                       .ny = (int)y->count,
                       .name = c->name,
                       .unit = picture_unit(c),
                       .words = (const char *const *)c->words,
                       .n_words = c->n_words};
    int n = c->words ? 0 : add_contours(t, x, y, z);
    n = add_limit(t, at, n);
    t->panels[0] =
        (bri_panel){.title = c->name,
                    .x_name = x->name,
                    .x_unit = picture_unit(&s->sheet.columns[picture_column(&s->design, at[0])]),
                    .y_name = y->name,
                    .y_unit = picture_unit(&s->sheet.columns[picture_column(&s->design, at[1])]),
                    .log_x = x->logarithmic,
                    .log_y = y->logarithmic,
                    .series = t->series[0],
                    .n_series = n,
                    .map = &t->map};
    t->n_panels = 1;
}
