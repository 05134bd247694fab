/* draw.h - dice, and the parameters of a contact drawn with them. */
#ifndef REFEREE_DRAW_H
#define REFEREE_DRAW_H

#include "rig.h"

#include <stdint.h>

typedef struct ref_dice {
    uint64_t state;
} ref_dice;

double ref_unit(ref_dice *d);                          /* uniform in [0, 1) */
double ref_between(ref_dice *d, double lo, double hi); /* uniform */
double ref_spread(ref_dice *d, double lo, double hi);  /* uniform in its logarithm */
int ref_pick(ref_dice *d, int n);                      /* 0 ... n - 1 */
int ref_chance(ref_dice *d, double p);                 /* nonzero with that probability */

/* What a contact is drawn for. */
typedef struct ref_use {
    int law;
    double load, mass, speed, time; /* normal load, mass that it brakes, sliding speed, duration */
    double fc, fs;                  /* levels [N] */
    int loaded;                     /* coefficients and a load */
} ref_use;

/* Levels for a load: mu_c 0.05 to 0.8, static level up to twice that. */
void ref_draw_levels(ref_dice *d, ref_use *u);

/* All parameters of the law of c, for levels that have been drawn. */
void ref_draw_contact(ref_dice *d, ref_use *u, ref_contact *c);

#endif
