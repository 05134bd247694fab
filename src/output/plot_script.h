/* plot_script.h - the commands with which gnuplot draws a picture. */
#ifndef BRI_PLOT_SCRIPT_H
#define BRI_PLOT_SCRIPT_H

#include "bristle_tools.h"

#include <stdio.h>

enum { PLOT_TITLE = 40, PLOT_LABEL = 160 }; /* height of the title [px]; room for a label */

/* All commands for a picture of the given terminal ("svg", "png", "pdf"). */
void plot_script(FILE *out, const bri_plot *plot, const char *kind);

/* A string for gnuplot. */
void plot_text(FILE *out, const char *text);

/* The label of an axis, "velocity [mm/s]"; returns the factor for the numbers. */
double plot_axis(const bri_panel *panel, int vertical, char *label, size_t size);

/* The points of all series as the data blocks $d0, $d1, ... */
void plot_data(FILE *out, const bri_panel *panel, double fx, double fy);

/* Whether a series has a point to draw. */
int plot_has_points(const bri_series *s);

/* Panels in a grid, each with its own legend: size of the picture, and the commands for its panels
 * within it. */
void plot_grid_size(const bri_plot *plot, int *width, int *height);
void plot_grid(FILE *out, const bri_plot *plot);

#endif
