/* timed_run.h - what a signal that is an expression of time is computed by. */
#ifndef BRI_TIMED_RUN_H
#define BRI_TIMED_RUN_H

#include "expression_run.h"

enum { TIMED_ORDERS = 4 };

/* A signal that is used, and the variables of its value and three derivatives. */
typedef struct timed_use {
    const bri_signal *signal;
    int variable[TIMED_ORDERS];
    int third; /* nonzero: the second derivative needs the third one of the signal */
} timed_use;

/* The data of a signal of the kind timed_kind. */
typedef struct timed {
    struct timed *next;  /* of all of a scenario */
    const void *at;      /* the node that it stood in */
    const expression *e; /* its arguments are time, signals and their rates */
    int t;               /* variable of the time; -1: it is no argument */
    timed_use *by;
    int n_by;
    double from, span; /* the time in which kinks are known: all of the run; span 0: not yet */
    double *kinks;
    int n_kinks, room;
} timed;

extern const bri_signal_kind timed_kind;

/* Put all kinks after `from` up to `to` into the room that there is. */
void timed_scan(timed *w, double from, double to);

#endif
