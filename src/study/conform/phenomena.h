/* phenomena.h - a phenomenon with the function that measures it. */
#ifndef BRI_PHENOMENA_H
#define BRI_PHENOMENA_H

#include "conform.h"

typedef struct experiment {
    bri_phenomenon is;
    result (*measure)(const bench *b, double with);
    double with; /* a share of the load, a rate, a frequency, ... */
} experiment;

/* NULL if it is not a row of the table. */
const experiment *experiment_of(const bri_phenomenon *what);

#endif
