/* draw.h - dice, the parameters of a contact, and the parts that rigs are made of. */
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
void ref_draw_contact(ref_dice *d, const ref_use *u, ref_contact *c);

/* A rig in the making. */
typedef struct ref_maker {
    ref_dice dice;
    ref_rig *r;
    ref_use use;
    double omega; /* of the spring that carries the first body [rad/s] */
    double top;   /* largest speed */
} ref_maker;

/* Kinds of rigs. */
typedef struct ref_kind {
    const char *name;
    void (*make)(ref_maker *m);
    int trailer; /* now and then with a second body on a spring */
} ref_kind;

extern const ref_kind ref_kinds[];
extern const int ref_kind_count;

/* A second body on a spring at the first one. */
void ref_add_trailer(ref_maker *m);

#endif
