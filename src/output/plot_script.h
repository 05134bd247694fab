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

/* The points of all series as the data blocks $d0, $d1, ..., of an area with its lower edge */
void plot_data(FILE *out, const bri_panel *panel, double fx, double fy);

/* A panel with cells: plot_map.c. The colours go from scale[0] to scale[1]; NULL: from the least to
 * the largest number of this one. */
void plot_map(FILE *out, const bri_panel *panel, const double scale[2]);
void plot_map_scale(const bri_plot *plot, double scale[2]); /* what all its maps have */

/* Values on the lines of contours, where they have room: plot_contour.c. */
void plot_contour_labels(FILE *out, const bri_panel *panel, double fx, double fy);

/* The number of the style that a series is drawn in, from 1: an area has that of the next line. And
 * its colour, "0072B2". */
int plot_style(const bri_panel *panel, int series);
const char *plot_colour(int style);

/* Whether a series has a point to draw. */
int plot_has_points(const bri_series *s);

/* The width of a line: each is narrower than those drawn before it, so that of lines that lie on
 * each other each is seen. */
double plot_width(const bri_panel *panel, int series);

/* Symbols on the lines of a panel, if it has so many that they may hide each other: whether it has,
 * the data blocks $m0, $m1, ..., and what draws them, for the end of a plot command. */
int plot_marked(const bri_panel *panel);
void plot_marks(FILE *out, const bri_panel *panel, double fx, double fy);
void plot_put_marks(FILE *out, const bri_panel *panel);

/* Panels in a grid, each with its own legend: size of the picture, and the commands for its panels
 * within it. */
void plot_grid_size(const bri_plot *plot, int *width, int *height);
void plot_grid(FILE *out, const bri_plot *plot);

#endif
