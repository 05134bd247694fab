/* picture.h - pictures of a sweep from within: what picture.c and picture_map.c share, and report.c
 * uses. */
#ifndef BRI_PICTURE_H
#define BRI_PICTURE_H

#include "ensemble.h"

enum { MOST_PANELS = 12, MOST_MAPS = 9, MOST_LINES = 8, STUDIO_ROOMS = 400 };

/* Memory of a picture, given back at once. */
typedef struct studio {
    bri_sweep *s;
    int grids, at[2]; /* axes that are grids, and the first two of them */
    int rows;         /* the first axis from a file; -1: none */
    double *rooms[STUDIO_ROOMS];
    int n_rooms;
    bri_series series[MOST_PANELS][MOST_LINES * 3 + 100];
    bri_panel panels[MOST_PANELS];
    int n_panels;
    bri_map maps[MOST_MAPS];
    char names[MOST_MAPS][2][120]; /* titles of maps, and of what they show */
    bri_plot plot;                 /* of all that */
    char text[MOST_PANELS][MOST_LINES * 3][80], title[200];
    int failed; /* nonzero: there was no memory */
} studio;

studio *picture_new(bri_sweep *s); /* NULL: no memory */
void picture_free(studio *t);

/* Make t->plot: what suits the axes; a map is of this measure, other pictures are of all. */
bri_status picture_draw(studio *t, int measure, bri_error *err);

/* Parts of it. */
double *picture_room(studio *t, long count);
const char *picture_unit(const sheet_column *c); /* "": none */
int picture_column(const design *d, int axis);   /* of the sheet */
int picture_first(const sheet *s);               /* the first measure */

/* A map of a measure for every law, solver, row of a file and value of a third grid: how many, and
 * all of them. */
long picture_maps(const design *d, const int at[2]);
void picture_map(studio *t, const int at[2], int measure);

#endif
