/* run_panes.h - the diagrams of a run under construction: run_panes.c chooses those that tell most,
 * run_view.c those that were asked for, run_plot.c fills and draws them. */
#ifndef BRI_RUN_PANES_H
#define BRI_RUN_PANES_H

#include "bristle_scenario.h"
#include "columns.h"
#include "thin.h"

enum { MOST_CURVES = 8, MOST_PANES = 18, GROUPS = 800, PLANE_GROUPS = 1500 };

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
    int energy;        /* nonzero: the energies, at the bottom right */
    int count, wanted; /* curves drawn, and how many there could be */
    curve curves[MOST_CURVES];
} pane;

struct bri_run_plot {
    bri_run_head head;
    long rows;
    double *row;        /* room for what a step is read into */
    double from, until; /* span of time that is drawn [s] */
    pane panes[MOST_PANES];
    int n_panes;
    int residual; /* column of the energy residual, -1: not told */
    double worst; /* its largest magnitude */
};

/* What a column is called, by what follows its last point; a rotor has words of its own. */
typedef struct quantity_words {
    const char *title, *name;
} quantity_words;
typedef enum quantity {
    DISPLACEMENT,
    POSITION,
    HEIGHT,
    VELOCITY,
    SLIDING,
    FRICTION,
    LOAD,
    COUPLING,
    LAW,
    ENERGY,
    N_QUANTITIES
} quantity;
const quantity_words *words_of(quantity what, int rotary);

/* Whether a column has a unit of rotation. */
int is_rotary(const bri_run_plot *p, int column);

/* The next diagram, still empty; NULL if there is no room. */
pane *new_pane(bri_run_plot *p, const char *title, const char *y_name, int plane);

/* A curve over the column x. Those beyond the most a reader can tell apart are only counted. */
void add_curve(const bri_run_plot *p, pane *to, int x, int y, const char *label);

/* Say in the title what is not shown, and drop the diagram if it shows nothing. */
void end_pane(bri_run_plot *p, pane *to, const char *what);

void free_panes(bri_run_plot *p);

/* The diagrams that tell most. */
void choose_panes(bri_run_plot *p);

#endif
