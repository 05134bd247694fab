/* picture_map.c - a measure over two grids: cells, contours, and a line that is known. */
#include "picture.h"
#include "text.h"

#include <math.h>
#include <string.h>

enum { FINE = 201, LEVELS = 7 };

long picture_maps(const design *d, const int at[2]) {
    return d->points / d->samples / d->axes[at[0]].count / d->axes[at[1]].count;
}

/* Which of the maps a point belongs to. */
static long map_of(const design *d, const int at[2], const place_in *p) {
    long which = ((long)p->law * d->n_solvers + p->solver) * d->file_rows + p->row;
    for (int i = 0; i < d->n_axes; i++)
        if (d->axes[i].kind == AXIS_GRID && i != at[0] && i != at[1])
            which = which * d->axes[i].count + p->grid[i];
    return which;
}

static void name_more(char *text, size_t size, const char *more) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", more);
}

void picture_place(const studio *t, const int at[2], const place_in *p, char *text, size_t size) {
    const bri_sweep *s = t->s;
    const design *d = &s->design;
    char more[BRI_ADDRESS + 60];
    *text = '\0';
    if (d->n_laws > 1) name_more(text, size, s->def.laws[p->law]->name);
    if (d->n_solvers > 1) name_more(text, size, bri_solver_name(s->def.solvers[p->solver]));
    for (int i = 0; i < d->n_axes; i++) {
        const axis *a = &d->axes[i];
        int more_than_one = a->kind == AXIS_FILE
                                ? d->file_rows > 1
                                : a->kind == AXIS_GRID && a->count > 1 && i != at[0] && i != at[1];
        if (!more_than_one) continue;
        const char *unit = picture_unit(&s->sheet.columns[picture_column(d, i)]);
        text_format(more, sizeof more, "%s = %.5g%s%s", a->name,
                    a->values[a->kind == AXIS_FILE ? p->row : p->grid[i]], *unit ? " " : "", unit);
        name_more(text, size, more);
    }
}

/* Over samples the mean; of words the one that is found most often. */
static void fill_cells(studio *t, const int at[2], int measure, long which, double *z) {
    const design *d = &t->s->design;
    const sheet *found = &t->s->sheet;
    int nx = (int)d->axes[at[0]].count, ny = (int)d->axes[at[1]].count,
        words = found->columns[measure].n_words > 0 ? found->columns[measure].n_words : 1;
    double *count = picture_room(t, (long)nx * ny * words);
    if (!count) return;
    for (long i = 0; i < d->points; i++) {
        place_in p = design_place(d, i);
        double value = sheet_row(found, i)[measure];
        long cell = (long)t->place[1][p.grid[at[1]]] * nx + (long)t->place[0][p.grid[at[0]]];
        if (map_of(d, at, &p) != which || found->state[i] == ROW_NONE || !isfinite(value)) continue;
        z[cell] += value;
        count[cell * words + (words > 1 ? (int)value : 0)] += 1.0;
    }
    for (long k = 0; k < (long)nx * ny; k++) {
        int most = 0;
        for (int w = 1; w < words; w++)
            if (count[k * words + w] > count[k * words + most]) most = w;
        double n = count[k * words + most];
        z[k] = n == 0.0 ? NAN : words > 1 ? most : z[k] / n;
    }
}

/* Levels at round steps between the least and the largest value of all maps, thin lines with their
 * values. */
static int add_contours(studio *t, int panel, const axis *x, const axis *y, const double *z,
                        const double range[2]) {
    double low = range[0], high = range[1];
    int n = 0, nx = (int)x->count, ny = (int)y->count;
    if (!(high > low)) return 0;
    double rough = (high - low) / LEVELS, unit = pow(10.0, floor(log10(rough))),
           share = rough / unit;
    double step = unit * (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0);
    double *px = picture_room(t, 6L * nx * ny), *py = picture_room(t, 6L * nx * ny);
    for (double level = step * ceil(low / step); level < high && n < 2 * LEVELS; level += step) {
        if (t->failed) return n;
        int count = contour(x->values, nx, y->values, ny, z, level, px, py);
        double *own_x = picture_room(t, count), *own_y = picture_room(t, count);
        char text[40];
        if (!own_x || !own_y) return n;
        memcpy(own_x, px, (size_t)count * sizeof *px);
        memcpy(own_y, py, (size_t)count * sizeof *py);
        text_format(text, sizeof text, "%.6g", fabs(level) < 1e-9 * step ? 0.0 : level);
        t->series[panel][n++] = (bri_series){.label = picture_text(t, text, sizeof text),
                                             .x = own_x,
                                             .y = own_y,
                                             .count = count,
                                             .back = 1};
    }
    return n;
}

/* Where the cells of an axis begin (0) or end (1). */
static double edge_of(const axis *a, int end) {
    double at = a->values[end ? a->count - 1 : 0], next = a->values[end ? a->count - 2 : 1];
    return a->logarithmic ? at * sqrt(at / next) : at + 0.5 * (at - next);
}

/* The line that is known from elsewhere, on a grid of its own up to the frame. */
static int add_limit(studio *t, int panel, const int at[2], const place_in *p, int n) {
    const bri_sweep *s = t->s;
    const axis *a[2] = {&t->scale[0], &t->scale[1]};
    double *fine[2] = {picture_room(t, FINE), picture_room(t, FINE)},
           *z = picture_room(t, FINE * FINE);
    double *px = picture_room(t, 6L * FINE * FINE), *py = picture_room(t, 6L * FINE * FINE),
           x[MOST_AXES] = {0};
    if (!s->limit || t->failed) return n;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < FINE; i++) {
            double u = i / (FINE - 1.0), from = edge_of(a[k], 0), to = edge_of(a[k], 1);
            fine[k][i] = a[k]->logarithmic ? from * pow(to / from, u) : from + (to - from) * u;
        }
    for (int i = 0; i < s->design.n_axes; i++) {
        const axis *each = &s->design.axes[i];
        x[i] = each->kind == AXIS_GRID   ? each->values[p->grid[i]]
               : each->kind == AXIS_FILE ? each->values[p->row]
                                         : each->nominal;
    }
    for (int j = 0; j < FINE; j++)
        for (int i = 0; i < FINE; i++) {
            x[at[0]] = fine[0][i];
            x[at[1]] = fine[1][j];
            design_follow(&s->design, x);
            z[j * FINE + i] = limit_value(s->limit, x);
        }
    int count = contour(fine[0], FINE, fine[1], FINE, z, 0.0, px, py);
    t->series[panel][n] = (bri_series){.label = "limit", .x = px, .y = py, .count = count};
    return n + 1;
}

/* The map that point `first` is the first one of. */
static void add_map(studio *t, int panel, const int at[2], int measure, double *z, long first,
                    const double range[2]) {
    const bri_sweep *s = t->s;
    const design *d = &s->design;
    const axis *x = &t->scale[0], *y = &t->scale[1];
    const sheet_column *c = &s->sheet.columns[measure];
    char *title = t->names[panel][0], *name = t->names[panel][1];
    place_in p = design_place(d, first);
    picture_place(t, at, &p, title, sizeof t->names[0][0]);
    snprintf(name, sizeof t->names[0][1], "%s%.90s",
             d->samples == 1 ? ""
             : c->words      ? "most frequent "
                             : "mean of ",
             c->name);
    t->maps[panel] = (bri_map){.x = x->values,
                               .y = y->values,
                               .z = z,
                               .nx = (int)x->count,
                               .ny = (int)y->count,
                               .name = name,
                               .unit = picture_unit(c),
                               .words = (const char *const *)c->words,
                               .n_words = c->n_words};
    int n = c->words ? 0 : add_contours(t, panel, x, y, z, range);
    n = add_limit(t, panel, at, &p, n);
    t->panels[panel] =
        (bri_panel){.title = *title ? title : name,
                    .x_name = x->name,
                    .x_unit = picture_unit(&s->sheet.columns[picture_column(d, at[0])]),
                    .y_name = y->name,
                    .y_unit = picture_unit(&s->sheet.columns[picture_column(d, at[1])]),
                    .log_x = x->logarithmic,
                    .log_y = y->logarithmic,
                    .series = t->series[panel],
                    .n_series = n,
                    .map = &t->maps[panel]};
}

void picture_map(studio *t, const int at[2], int measure) {
    const design *d = &t->s->design;
    long maps = picture_maps(d, at), cells = d->axes[at[0]].count * d->axes[at[1]].count,
         first[MOST_MAPS];
    double *z[MOST_MAPS], range[2] = {INFINITY, -INFINITY};
    for (long i = d->points - 1; i >= 0; i--) {
        place_in p = design_place(d, i);
        first[map_of(d, at, &p)] = i;
    }
    for (long m = 0; m < maps; m++) {
        z[m] = picture_room(t, cells);
        if (z[m]) fill_cells(t, at, measure, m, z[m]);
        if (t->failed) return;
        for (long k = 0; k < cells; k++)
            if (isfinite(z[m][k])) {
                range[0] = fmin(range[0], z[m][k]);
                range[1] = fmax(range[1], z[m][k]);
            }
    }
    for (long m = 0; m < maps; m++) add_map(t, (int)m, at, measure, z[m], first[m], range);
    t->n_panels = (int)maps;
}
