/* system.h - the right-hand side of a rig on its smooth pieces, and what ends a piece. */
#ifndef REFEREE_SYSTEM_H
#define REFEREE_SYSTEM_H

#include "laws.h"
#include "rig.h"

enum {
    REF_UNKNOWNS = 2 * REF_BODIES + REF_STATES * REF_CONTACTS,
    REF_CONTACT_SIGNS = 1 + REF_SWITCHES, /* load, velocity, pieces of the law or hold of stick */
    REF_ROPE_SIGNS = 3,                   /* taut; damping within the elastic part, either way */
    REF_SIGNS = REF_CONTACT_SIGNS * REF_CONTACTS + REF_ROPE_SIGNS * REF_COUPLINGS,
};

typedef enum ref_status {
    REF_OK,
    REF_DEAR,      /* more evaluations than allowed */
    REF_CHATTER,   /* signs change without end at one instant */
    REF_UNDECIDED, /* no choice of stick and slip, or two equally good ones */
    REF_BROKEN,    /* numbers that are not finite */
} ref_status;

/* A contact and a body at the time of the last evaluation. */
typedef struct ref_contact_now {
    double v, a, F;
    double load; /* as its signal says */
    double N;    /* that, but never quite nothing: within a step that ends where it lifts off */
} ref_contact_now;

typedef struct ref_body_now {
    double x, v, a, force;
} ref_body_now;

typedef struct ref_system {
    const ref_rig *r;
    int n;                   /* unknowns: x and v of free bodies, then states of laws */
    int at[REF_BODIES];      /* of x in the unknowns, v behind it; -1: prescribed */
    int state[REF_CONTACTS]; /* of the first state */
    double origin[REF_BODIES];
    double peak[REF_CONTACTS]; /* largest load */
    double bare[REF_CONTACTS]; /* load up to which a contact is in the air */
    double size[REF_UNKNOWNS]; /* nominal */
    double piece;              /* a time within the present smooth piece of all signals */
    int sign[REF_SIGNS];       /* -1, 1; 0: not watched */
    double grain[REF_SIGNS];   /* what a switch function may be beyond zero */
    int stuck[REF_CONTACTS];   /* set-valued law at rest */
    int pinned;                /* contact whose force is given, or -1 */
    double pin;
    int open;                    /* the laws have left the motion open, see modes.c */
    double lifted[REF_CONTACTS]; /* time of lift-off */
    ref_body_now body[REF_BODIES];
    ref_contact_now contact[REF_CONTACTS];
    double length[REF_COUPLINGS], rate[REF_COUPLINGS];
    long evals;
} ref_system;

/* Begin at the start of a rig; y gets the start values. */
void ref_system_begin(ref_system *s, const ref_rig *r, double *y);

/* Rates at t, with the present signs. */
void ref_system_rates(ref_system *s, double t, const double *y, double *dy);

/* Switch functions at the point last evaluated; NAN: not watched. */
void ref_system_switches(const ref_system *s, const double *y, double *g);

int ref_contact_in_air(const ref_system *s, int c);
int ref_sign_of_contact(int c);  /* index of its first sign */
int ref_sign_of_coupling(int j); /* index of its first sign */

/* Choose signs and stick from the state itself: at the start and where signals jump. */
ref_status ref_system_settle(ref_system *s, double t, double *y);

/* Sign k has reached its zero: change it and what follows from it. */
ref_status ref_system_event(ref_system *s, double t, double *y, int k);

/* Make the velocities of stuck contacts exactly zero, keeping momentum. */
void ref_system_project(ref_system *s, double t, double *y);

#endif
