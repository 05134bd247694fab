/* rill.h - what the files on Rill et al. 2023 share. */
#ifndef BRI_RILL_H
#define BRI_RILL_H

#include "lab.h"

enum {
    PULSE_STATIC,
    PULSE_LUGRE,
    PULSE_IMPLICIT,
    PULSE_SECOND, /* at 2 N */
    MORE_LUGRE,
    MORE_IMPLICIT,
    MORE_SECOND, /* at 4.5 N */
    MOST_LUGRE,
    MOST_SECOND,
    MOST_LUGRE_DAMPED,
    MOST_SECOND_DAMPED, /* at 5.6 N */
    PULSE_FADE,         /* type 5 of listing 5, at 2 and 4.5 N */
    MORE_FADE,
    PULSE_CONSISTENT, /* (18)-(20) */
    MORE_CONSISTENT,
    BELT_CONSISTENT,
    BELT_EXACT,
    BELT_STATIC,
    BELT_LUGRE,
    BELT_SECOND,
    FESTOON_STATIC,
    FESTOON_LUGRE,
    FESTOON_SECOND,
    WEAK_STATIC,
    WEAK_LUGRE,
    WEAK_SECOND, /* friction 10 % less */
    STRONG_STATIC,
    STRONG_LUGRE,
    STRONG_SECOND,   /* 10 % more */
    STRONGEST_LUGRE, /* 25 % more */
    RILL_RUNS
};

/* dz/dt of row i of a contact: a state of the second-order bristle, for LuGre from its force, 0
 * without bristle. */
double rill_bristle_rate(const lab *l, int run, const char *contact, long i);
/* A column of a contact, "wheel1.F". */
const double *rill_contact(const lab *l, int run, const char *contact, const char *what);
/* mu of (4) at a sliding speed, with the parameters of the run. */
double rill_prescribed(const lab *l, int run, double speed);
/* How far q->column has moved at time a, either way. */
double rill_shift(const lab *l, const lab_quantity *q);

#define VISIBLE   "to be seen in the paper's plots: more than 1 mm"
#define INVISIBLE "not to be seen in the paper's plots: less than 0.1 mm"

/* The sections, and the figures. */
extern const lab_section rill_laws, rill_demonstrations, rill_festoon;
void rill_draw_laws(const lab *l, bri_report *r);
void rill_draw_demonstrations(const lab *l, bri_report *r);
void rill_draw_festoon(const lab *l, bri_report *r);

#endif
