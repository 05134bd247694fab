/* compare.h - the parts of a comparison: runs, what is measured on them, what follows. */
#ifndef BRI_COMPARE_H
#define BRI_COMPARE_H

#include "bristle_study.h"

/* Fill in what one run says on its own, with the friction of a contact whose columns begin at
 * `column`. */
void compare_measure(bri_compare_row *row, const bri_compare *c, const bri_trace *t, int contact,
                     int column);

/* Fill in what the reference, and the same law at a tight tolerance (or NULL), say of a row. */
void compare_difference(bri_compare_row *row, const bri_compare *c, const bri_compare_def *def,
                        const bri_compare_row *own);

/* By how much, of its range, the column of a run still changes when the tolerance falls, from a
 * hundredth of it to a ten-thousandth: 0 if it approaches a limit, NaN if that could not be found
 * out, with a reason in *err if memory ran out. See compare_settle.c. */
double compare_unsettled(const bri_trace *t, const bri_sim_def *def, double output,
                         const char *column, const bri_watch *watch, bri_error *err);

/* What the reference itself is like: its sign, its end, its range. */
void compare_reference(bri_compare *c);

/* Period of the slowest periodic signal that drives the system at the end [s]; NaN: none. */
double compare_cycle(const bri_sim_def *def);

/* The sentences. 0 if there is no memory. */
int compare_advise(bri_compare *c);

/* One row per law, for what is said or drawn of laws: the one nearest to its own solution, else the
 * first that has numbers. */
int compare_stands_for_law(const bri_compare *c, int row);

/* "1e-04" */
const char *compare_tolerance(double rtol, char text[24]);

/* The pictures of a comparison: over time; error against cost, without panels if there is one
 * tolerance only; both in one. */
typedef struct compare_pictures compare_pictures;
compare_pictures *compare_pictures_make(const bri_compare *c);
const bri_plot *compare_picture_of_time(const compare_pictures *p);
const bri_plot *compare_picture_of_cost(const compare_pictures *p);
const bri_plot *compare_picture_of_all(const compare_pictures *p);
void compare_pictures_free(compare_pictures *p);

/* The name of a column without what follows its last point. */
void compare_owner(const char *name, char *owner, size_t size);

#endif
