/* setup.h - what the files of this directory share: parameters of a contact by role, and the work
 * of completing them. */
#ifndef BRI_SETUP_H
#define BRI_SETUP_H

#include "bristle_tools.h"

/* ---- what a setup says: by_role.c ---------------------------------------------------------- */

/* The place of the parameter of that role, -1: none; whether it is more than a default; its value,
 * `none` if there is none. */
int role_has(const bri_setup *s, bri_role role);
int role_known(const bri_setup *s, bri_role role);
double role_value(const bri_setup *s, bri_role role, double none);

/* A speed, or one over it where the unit says so: the same formula both ways. */
double role_as_speed(const bri_param *row, double value);

/* The sliding and the static level, in the units of the setup; a law with one of them has both
 * alike. NaN: a law without levels. `at`: the parameter that says it, or -1. */
double role_sliding_level(const bri_setup *s, int *at);
double role_static_level(const bri_setup *s, int *at);

/* mu_2/mu_c of two elements that make that static over sliding level. */
double role_slow_share(double ratio, double eta);

/* The stiffness before sliding, and what says it; NaN: rigid or creeping. */
double role_stiffness(const bri_setup *s, double load, int *at);

/* The length, parameter i, that gives the contact this stiffness at rest. */
double role_length_for(const bri_setup *s, int i, double load, double wanted);

/* Nonzero if a parameter does nothing as it is: it is no loss, and no invention. */
int role_idle(const bri_setup *s, int i);

void role_put(bri_setup *s, int i, double value, bri_origin origin, const char *rule);

/* ---- the work ------------------------------------------------------------------------------ */

typedef struct work {
    bri_setup *s;
    const bri_setup *other; /* NULL: it stands in for none */
    const bri_place *at;
    unsigned char settled[BRI_MAX_PARAMS]; /* of s: given, or carried */
    unsigned char used[BRI_MAX_PARAMS];    /* of other: arrives in some form */
    const char *why[BRI_MAX_PARAMS];       /* of other: why not, if there is a reason */
} work;

/* Carry over what the other law says, and list what is lost: stand_in.c. */
bri_status stand_in(work *w, bri_lost *lost, int *n_lost, bri_error *err);

/* Of a level that is given the other one is the same: no stiction. Without any, both keep their
 * defaults. */
void setup_settle_levels(bri_setup *s);

#endif
