/* row.h - what files of C made from laws declare, in a table of their own. */
#ifndef BRI_LAW_ROW_H
#define BRI_LAW_ROW_H

#include "bristle.h"

typedef struct law_row {
    const bri_model *model;
    /* d(F, dz/dt)/dp, row-major, (1 + states) x parameters. Called with n > 0. */
    void (*slopes)(const bri_model *self, const double *p, const bri_input *u, const double *z,
                   double *D);
} law_row;

#endif
