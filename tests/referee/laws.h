/* laws.h - friction laws, from the papers, on smooth pieces.
 *
 * A law has switches: functions whose signs say which of its smooth pieces holds. The solver keeps
 * these signs while it steps, so that the law is smooth within a step, and ends the step where one
 * changes. Switch 0 is always the sliding velocity: m[0] v stands for |v|. */
#ifndef REFEREE_LAWS_H
#define REFEREE_LAWS_H

#include "rig.h"

enum {
    REF_SWITCHES = 5, /* of a law */
    REF_STATES = 2,   /* of a law */
};

/* What a law sees. N is the load, 1 where levels are forces. */
typedef struct ref_view {
    const double *p; /* parameters */
    double v, N;
    const double *z; /* states */
    const int *m;    /* signs of the switches, -1 or 1 */
} ref_view;

typedef struct ref_law {
    const char *name;
    const char *cite;
    int set_valued; /* exact stick up to level(0) */
    int n_states;
    double (*force)(const ref_view *u, double *dz); /* resisting force; writes the rates */
    void (*switches)(const ref_view *u, double *g); /* g[1] ... g[n_switches - 1] */
    int n_switches;                                 /* with that of v; 0: smooth at v = 0 */
    double (*speed)(const double *p);               /* smallest velocity it knows; 0: none */
    int peak_beyond;                                /* the curve begins to fall at v_r, not at 0 */
    void (*nominal)(const double *p, double N, double *z); /* usual sizes of the states */
    int n_params;
    ref_param params[9];
} ref_law;

extern const ref_law ref_laws[];
extern const int ref_law_count;

int ref_law_find(const char *name);                   /* index, -1 if there is none */
const char *ref_param_name(ref_param id, int loaded); /* its key in a scenario */
/* The velocity over which a contact sees its law change, at the sliding velocity v; `other` where
 * the law has no velocity of its own. */
double ref_law_room(const ref_contact *c, double v, double other);

double ref_law_static_level(const ref_contact *c, double N); /* largest force in stick */
double ref_law_lift(const ref_contact *c);                   /* time constant in the air [s] */

/* Piece of the Stribeck curve, exp(-(u/v_s)^gamma), smooth through u = 0 where gamma allows. */
double ref_decay(double u, double vs, double gamma);

#endif
