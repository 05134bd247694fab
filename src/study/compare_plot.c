/* compare_plot.c - the pictures of a comparison: what all laws do over time, with the reference
 * behind them, and their error against their cost. */
#include "compare.h"

#include "fail.h"
#include "output/thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIME_PANELS = 5, MOST_SOLVERS = 16, MOST_PANELS = TIME_PANELS + MOST_SOLVERS };

struct compare_pictures {
    const bri_compare *c;
    bri_panel panels[MOST_PANELS], costs[MOST_SOLVERS];
    char titles[MOST_PANELS][120];
    bri_series *series; /* of all panels */
    thin *curves;
    int n_series, n_curves, laws;
    double *points; /* of the panels of cost */
    bri_plot time, cost, all;
    int failed;
};

/* ---- over time ----------------------------------------------------------------------------- */

/* The panels over time: left the column and its difference to the reference, right the rest. */
typedef enum what { COLUMN, DIFFERENCE, FRICTION, VELOCITY, HEAT } what;

static const double *values_of(const bri_compare_row *r, what k) {
    return k == FRICTION ? r->F : k == VELOCITY ? r->v : k == HEAT ? r->heat : r->y;
}

/* Fewer points per curve where there are many curves. */
static long groups_for(int curves) {
    long groups = 6000 / (curves > 0 ? curves : 1);
    return groups > 800 ? 800 : groups < 200 ? 200 : groups;
}

static thin *new_curve(compare_pictures *p, long n, long groups) {
    thin *c = &p->curves[p->n_curves++];
    thin_init(c, n, groups, 0);
    return c;
}

/* The last curve as a series. Labels stand in the first panel only. */
static void add_series(compare_pictures *p, bri_panel *panel, const char *label, int back,
                       int markers) {
    thin *c = &p->curves[p->n_curves - 1];
    thin_end(c);
    p->failed |= c->failed;
    p->series[p->n_series++] = (bri_series){.label = panel == p->panels ? label : NULL,
                                            .x = c->x,
                                            .y = c->y,
                                            .count = (int)c->count,
                                            .back = back,
                                            .markers = markers};
    panel->n_series++;
}

static void add_curve(compare_pictures *p, const bri_compare_row *r, what k, long groups) {
    const bri_compare *c = p->c;
    const double *y = values_of(r, k);
    thin *to = new_curve(p, c->n_times, groups);
    for (long i = 0; i < c->n_times; i++)
        thin_add(to, c->t[i], k == DIFFERENCE ? y[i] - c->exact.y[i] : y[i]);
}

/* Measured samples less the computed column, both at the measured instants. */
static void add_residuals(compare_pictures *p, const bri_compare_row *r, long groups) {
    const bri_compare *c = p->c;
    thin *to = new_curve(p, c->measured.count, groups);
    for (long i = 0; i < c->measured.count; i++) {
        double t = c->measured.t[i] + r->shift, y = bri_value_at(c->t, r->y, c->n_times, t);
        if (isfinite(y)) thin_add(to, t, y - c->measured.y[i]);
    }
}

/* The shift of the nearest row: measured samples can be drawn once only. */
static double drawn_shift(const bri_compare *c) {
    double least = INFINITY, shift = 0.0;
    for (int i = 0; i < c->n_rows; i++)
        if (c->rows[i].err.status == BRI_OK && c->rows[i].off.rmse < least) {
            least = c->rows[i].off.rmse;
            shift = c->rows[i].shift;
        }
    return shift;
}

static void add_reference(compare_pictures *p, bri_panel *panel, what k, long groups) {
    const bri_compare *c = p->c;
    if (k == COLUMN && c->measured.count > 0) {
        double shift = drawn_shift(c);
        thin *to = new_curve(p, c->measured.count, groups);
        for (long i = 0; i < c->measured.count; i++)
            thin_add(to, c->measured.t[i] + shift, c->measured.y[i]);
        add_series(p, panel, "measured", 1, 2);
    } else if (k != DIFFERENCE && c->exact.y) {
        add_curve(p, &c->exact, k, groups);
        add_series(p, panel, "reference", 1, 0);
    }
}

/* A law that is far from everything would press the others flat: it is left out of the differences
 * if another one is near. */
static int too_far(const bri_compare *c, const bri_compare_row *r) {
    const double far = 0.2, near = 0.05; /* of the range */
    for (int i = 0; i < c->n_rows && r->off.rmse > far * c->range; i++)
        if (c->rows[i].err.status == BRI_OK && c->rows[i].off.rmse < near * c->range) return 1;
    return 0;
}

/* Says so in the title of the panel. */
static void name_left_out(compare_pictures *p, char *title, size_t size) {
    int count = 0;
    for (int i = 0; i < p->c->n_rows; i++) {
        size_t n = strlen(title);
        if (!compare_stands_for_law(p->c, i) || !too_far(p->c, &p->c->rows[i])) continue;
        snprintf(title + n, size - n, "%s%s", count++ ? ", " : ", without ", p->c->rows[i].law);
    }
}

static void fill_time_panel(compare_pictures *p, bri_panel *panel, what k, long groups) {
    const bri_compare *c = p->c;
    panel->series = &p->series[p->n_series];
    for (int i = 0; i < c->n_rows; i++) {
        if (!compare_stands_for_law(c, i)) continue;
        if (k == DIFFERENCE && too_far(c, &c->rows[i]))
            new_curve(p, 0, groups);
        else if (k == DIFFERENCE && c->measured.count > 0)
            add_residuals(p, &c->rows[i], groups);
        else
            add_curve(p, &c->rows[i], k, groups);
        add_series(p, panel, c->rows[i].law, 0, 0);
    }
    add_reference(p, panel, k, groups);
}

static void draw_time(compare_pictures *p) {
    const bri_compare *c = p->c;
    const int reference = c->exact.y || c->measured.count > 0, turns = c->rotary;
    const struct {
        const char *title, *of, *name, *unit;
        int column, row, rows;
    } places[TIME_PANELS] = {
        [COLUMN] = {"", c->column, c->column, c->unit, 0, 0, reference ? 3 : 6},
        [DIFFERENCE] = {"Difference to the reference", "", c->column, c->unit, 0, 3, 3},
        [FRICTION] = {turns ? "Friction torque, " : "Friction force, ", c->contact,
                      turns ? "friction torque" : "friction force", turns ? "N m" : "N", 1, 0, 2},
        [VELOCITY] = {turns ? "Relative angular velocity, " : "Sliding velocity, ", c->contact,
                      turns ? "angular velocity" : "velocity", turns ? "rad/s" : "m/s", 1, 2, 2},
        [HEAT] = {"Energy dissipated", "", "energy", "J", 1, 4, 2},
    };
    int n = 0;
    for (int k = 0; k < TIME_PANELS; k++) {
        if (k == DIFFERENCE && !reference) continue;
        bri_panel *panel = &p->panels[n];
        snprintf(p->titles[n], sizeof *p->titles, "%s%s", places[k].title, places[k].of);
        if (k == DIFFERENCE) name_left_out(p, p->titles[n], sizeof *p->titles);
        *panel = (bri_panel){.title = p->titles[n],
                             .x_name = k == DIFFERENCE || k == HEAT ? "time" : NULL,
                             .x_unit = "s",
                             .y_name = places[k].name,
                             .y_unit = places[k].unit,
                             .column = places[k].column,
                             .row = places[k].row,
                             .rows = places[k].rows};
        fill_time_panel(p, panel, (what)k, groups_for(p->laws));
        n++;
    }
    p->time =
        (bri_plot){.title = c->title, .panels = p->panels, .n_panels = n, .columns = 2, .rows = 6};
}

/* ---- error against cost: a panel per solver ------------------------------------------------ */

/* The tolerances of each law; a law has the same place, and so the same colour, as over time. */
static void fill_cost_panel(compare_pictures *p, bri_panel *panel, const bri_solver *solver,
                            double **room) {
    const bri_compare *c = p->c;
    panel->series = &p->series[p->n_series];
    for (int i = 0; i < c->n_rows; i++) {
        if (!compare_stands_for_law(c, i)) continue;
        double *x = *room, *y = x + c->n_rows;
        int n = 0;
        for (int k = 0; k < c->n_rows; k++) {
            const bri_compare_row *r = &c->rows[k];
            if (r->err.status || r->solver != solver || strcmp(r->law, c->rows[i].law) != 0)
                continue;
            x[n] = r->seconds;
            y[n++] = r->own;
        }
        *room += 2 * c->n_rows;
        p->series[p->n_series++] = (bri_series){.x = x, .y = y, .count = n, .markers = 3};
        panel->n_series++;
    }
}

static int seen_before(const bri_compare *c, int row) {
    for (int i = 0; i < row; i++)
        if (c->rows[i].solver == c->rows[row].solver) return 1;
    return 0;
}

static int draw_cost(compare_pictures *p) {
    const bri_compare *c = p->c;
    double *room = p->points;
    int n = 0;
    for (int i = 0; i < c->n_rows && n < MOST_SOLVERS; i++) {
        if (seen_before(c, i)) continue;
        int at = p->time.n_panels + n;
        bri_panel *panel = &p->panels[at];
        const bri_solver *solver = c->rows[i].solver;
        snprintf(p->titles[at], sizeof *p->titles, "Numerical error against cost, %s",
                 bri_solver_name(solver));
        *panel = (bri_panel){.title = p->titles[at],
                             .x_name = "processor time",
                             .x_unit = "s",
                             .y_name = "RMSE",
                             .y_unit = c->unit,
                             .column = n % 2,
                             .row = p->time.rows + 2 * (n / 2),
                             .rows = 2,
                             .log_x = 1,
                             .log_y = 1};
        fill_cost_panel(p, panel, solver, &room);
        p->costs[n] = *panel;
        p->costs[n].row -= p->time.rows;
        for (int k = 0, law = 0; n == 0 && k < c->n_rows; k++)
            if (compare_stands_for_law(c, k))
                p->series[panel->series - p->series + law++].label = c->rows[k].law;
        n++;
    }
    p->cost =
        (bri_plot){.panels = p->costs, .n_panels = n, .columns = 2, .rows = 2 * ((n + 1) / 2)};
    return n;
}

/* ---- all of it ----------------------------------------------------------------------------- */

compare_pictures *compare_pictures_make(const bri_compare *c) {
    compare_pictures *p = calloc(1, sizeof *p);
    size_t n = 1;
    int several = 0;
    if (!p) return NULL;
    p->c = c;
    for (int i = 0; i < c->n_rows; i++) {
        p->laws += compare_stands_for_law(c, i);
        several |= isfinite(c->rows[i].own);
    }
    n += (size_t)p->laws;
    p->series = calloc(MOST_PANELS * n, sizeof *p->series);
    p->curves = calloc(TIME_PANELS * n, sizeof *p->curves);
    p->points = calloc(MOST_SOLVERS * 2 * n * ((size_t)c->n_rows + 1), sizeof *p->points);
    if (p->series && p->curves && p->points) {
        draw_time(p);
        p->all = p->time;
    } else {
        p->failed = 1;
    }
    if (!p->failed && several) {
        p->all.n_panels += draw_cost(p);
        p->all.rows += p->cost.rows;
    }
    if (!p->failed) return p;
    compare_pictures_free(p);
    return NULL;
}

const bri_plot *compare_picture_of_time(const compare_pictures *p) { return &p->time; }
const bri_plot *compare_picture_of_cost(const compare_pictures *p) { return &p->cost; }
const bri_plot *compare_picture_of_all(const compare_pictures *p) { return &p->all; }

void compare_pictures_free(compare_pictures *p) {
    if (!p) return;
    for (int i = 0; p->curves && i < p->n_curves; i++) thin_free(&p->curves[i]);
    free(p->curves);
    free(p->series);
    free(p->points);
    free(p);
}

bri_status bri_compare_plot(const bri_compare *c, const char *file, bri_error *err) {
    compare_pictures *p = compare_pictures_make(c);
    if (!p) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    bri_status status = bri_plot_write(compare_picture_of_all(p), file, err);
    compare_pictures_free(p);
    return status;
}
