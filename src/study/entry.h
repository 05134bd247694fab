/* entry.h - the map of columns that commands take: "block.x=position[mm],t=time[ms]". */
#ifndef BRI_ENTRY_H
#define BRI_ENTRY_H

#include "bristle.h"

/* ours=theirs[unit] */
typedef struct entry {
    char ours[64], theirs[64], unit[64]; /* unit "": SI */
} entry;

/* The next entry at *at, which moves on; brackets may hold commas. */
bri_status entry_next(const char **at, entry *e, bri_error *err);

/* What the numbers of the column are multiplied by, to be in that unit. */
bri_status entry_factor(const entry *e, const char *unit, double *factor, bri_error *err);

#endif
