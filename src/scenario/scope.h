/* scope.h - names that expressions of a scenario know: parameters, signals, bodies, contacts. */
#ifndef BRI_SCOPE_H
#define BRI_SCOPE_H

#include "expression.h"

/* An entry of `parameters`: a number with its unit, or an expression of those above it. */
typedef struct parameter {
    const char *name, *text;
    double value;
    expr_dim dim;
    int derived;       /* nonzero: an expression of others */
    const char *fixed; /* the number that it is part of, so that a run cannot change it; or NULL */
} parameter;

/* An entry of `signals`. */
typedef struct named_signal {
    const char *name;
    bri_signal signal;
    expr_dim dim;
    char unit[EXPR_DIM_ROOM];
} named_signal;

/* Where an expression stands, and so what it may depend on besides parameters. */
typedef enum site {
    SITE_NUMBER,  /* nothing */
    SITE_TIME,    /* t and signals */
    SITE_BODY,    /* the same and all motions; x, v (and z, vz of a point) are those of the body */
    SITE_CONTACT, /* the same; x and v are those of the contact */
    SITE_COUPLING /* t, signals, length L and its rate L' */
} site;

typedef struct place {
    site site;
    int turns, point; /* of the element's own motion */
} place;

/* What stands where a number, a signal or an expression may: exactly one of them. */
typedef struct reading {
    double value;
    const bri_signal *signal;
    const expression *e;
} reading;

/* Read `parameters` and `signals`. */
void read_scope(reader *r, const node *root);

/* A number was made of that parameter at that place. */
void fix_parameter(reader *r, const parameter *which, const node *n);

/* Put the parameters into the definition: what a run may change of them is known at the end. */
void list_parameters(reader *r);

/* Nonzero if a text that is no number is meant as an expression. */
int is_expression(const reader *r, const char *text);

/* Read an expression: a number if nothing in it varies, a signal if it is one. 0 after a report. */
int read_given(reader *r, const node *n, const char *unit, place at, reading *out);

/* A number, a signal, or an expression, then *e is not NULL. 0 after a report. signals.c */
int read_varying(reader *r, const node *n, const char *unit, place at, bri_signal *signal,
                 const expression **e);

const parameter *find_parameter(const bri_scenario *s, const char *name);
const named_signal *find_signal(const bri_scenario *s, const char *name);

/* The value of an expression at the start, of a contact between the bodies a and b. */
double start_value(const reader *r, const expression *e, int a, int b);

#endif
