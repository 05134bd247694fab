/* rig.h - what the description and the source of a rig's unit must agree upon. */
#ifndef BRI_FMU_RIG_H
#define BRI_FMU_RIG_H

#include "bristle_scenario.h"
#include "inside/rig_unit.h"

#include <stdio.h>

/* The definition that the unit has: solver rosenbrock, no account of energies. Inputs that are a
 * constant force, motion or load have become ramps, "push.force.ramp.before", so that they can have
 * slopes. */
typedef struct rig_plan {
    bri_sim_def def;
    const char *inputs; /* their names, separated by commas; NULL: none */
    bri_body *bodies;
    bri_contact *contacts;
    bri_drive *drives;
    bri_signal *ramps;
    int n_ramps;
} rig_plan;

bri_status rig_plan_make(rig_plan *p, const bri_scenario *s, const char *inputs, bri_error *err);
void rig_plan_free(rig_plan *p);

/* What a number of its simulation is in the unit, and its name there [BRI_ADDRESS + 8]. */
rig_role rig_role_of(const rig_plan *p, const bri_number *n, char *name);

/* The columns of a run that are not states, to be freed; names belong to the recorder. NULL: there
 * is no memory. */
rig_column *rig_columns_of(const bri_sim *sim, const bri_sim_def *def, const bri_recorder *r,
                           int *count);

/* What is collected while the definition is written: each thing once, in the order of its first
 * use. */
enum { RIG_MOST_LAWS = 64 };
typedef struct rig_list {
    const void **at;
    int count, room;
} rig_list;

typedef struct rig_writer {
    FILE *out;
    const rig_plan *plan;
    const bri_sim_def *def;
    rig_list signals;     /* bri_signal; parts of one follow each other */
    rig_list functions;   /* bri_function */
    rig_list expressions; /* expression */
    const bri_model *laws[RIG_MOST_LAWS];
    int n_laws;
    bri_status status;
    bri_error *err;
} rig_writer;

/* Find all that the definition consists of. */
void rig_collect(rig_writer *w);

/* The definition as tables of C: constant data, whose last is rig_system. sizes: of the states. */
void rig_put_definition(rig_writer *w, const double *sizes);

/* The name of a law in C: one that is C itself, or NULL: it is made from its page. */
const char *rig_c_law(const bri_model *m);

/* ---- shared by rig_signals.c and rig_tables.c ------------------------------------------------ */

int rig_find(const rig_list *l, const void *thing); /* its place; -1: it is not there */

/* All signals, expressions and functions. */
void rig_put_signals(rig_writer *w);

/* One of the list, as a value in C. */
void rig_put_signal(rig_writer *w, int i);
void rig_put_function(rig_writer *w, int i);

void rig_put_numbers(FILE *out, const double *x, int count);

/* ", .name = &table[i]"; nothing if i < 0. */
void rig_put_link(FILE *out, const char *name, const char *table, int i);

/* Begin and end of a table; it has one row more than there are: no table is empty. */
void rig_begin(FILE *out, const char *type, const char *name);
void rig_end(FILE *out);

#endif
