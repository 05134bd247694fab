/* picture.h - pictures of a sweep from within: what the files picture*.c share, and report.c uses.
 */
#ifndef BRI_PICTURE_H
#define BRI_PICTURE_H

#include "ensemble.h"

enum {
    MOST_PANELS = 12,
    MOST_MAPS = 9,
    STUDIO_SERIES = 100,
    STUDIO_ROOMS = 2000,
    STUDIO_TEXTS = 1200,
    STUDIO_TEXT = 100
};

/* Memory of a picture, given back at once. */
typedef struct studio {
    bri_sweep *s;
    int grids, at[2]; /* axes that are grids, and the first two of them, */
    axis scale[2];    /* with their values in order, */
    double *place[2]; /* and where each value of the axis has gone */
    double *rooms[STUDIO_ROOMS];
    int n_rooms;
    bri_series series[MOST_PANELS][STUDIO_SERIES];
    bri_panel panels[MOST_PANELS];
    int n_panels;
    bri_map maps[MOST_MAPS];
    char names[MOST_MAPS][2][120]; /* titles of maps, and of what they show */
    bri_plot plot;                 /* of all that */
    char text[STUDIO_TEXTS][STUDIO_TEXT], title[200];
    int n_texts;
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

/* What the points of several laws, solvers, rows and values of grids but `at` differ in, of one
 * that is there: "dahl, block.mass = 2 kg". */
void picture_place(const studio *t, const int at[2], const place_in *p, char *text, size_t size);

/* Whether a point has a number of that measure. */
int picture_has(const studio *t, long point, int measure);

/* Laws times solvers; and the name of one, "dahl, cvode_bdf", with what is said of it. */
int picture_variants(const studio *t);
void picture_variant(const studio *t, int v, const char *more, char text[STUDIO_TEXT]);

/* A copy of a text that lives as long as the picture; a panel more, and one line more in it. */
char *picture_text(studio *t, const char *text, size_t length);
bri_panel *picture_panel(studio *t, const char *title);
void picture_add(studio *t, bri_panel *p, bri_series series);

void picture_lines(studio *t);   /* all measures over the first grid */
void picture_bands(studio *t);   /* of numbers at many times */
void picture_samples(studio *t); /* histograms, and measures over all axes */

/* A map of a measure for every law, solver, row of a file and value of a third grid: how many, and
 * all of them. */
long picture_maps(const design *d, const int at[2]);
void picture_map(studio *t, const int at[2], int measure);

#endif
