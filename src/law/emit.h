/* emit.h - what the files of the generator share. */
#ifndef BRI_LAW_EMIT_H
#define BRI_LAW_EMIT_H

#include "law.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* The room for what a step adds to the variables of a law: ends and means of the states. */
enum { MOST_STAGES = 2 * BRI_MAX_STATES };

typedef struct emitter {
    law *l;
    char *text;
    size_t used, room;
    int failed;
    int too_long; /* an expression; what fails otherwise, the graph knows why or there is no memory
                   */
    int own_direction; /* abs(v) and sign(v) are those of v, whatever a solver freezes */
    int inputs_first;  /* read all inputs in the beginning, else where they are needed */
    int vector;        /* code for vectors of contacts: types vec and mask, mode BRI_AUTO */
} emitter;

void emit(emitter *e, const char *format, ...);
void emit_string(emitter *e, const char *text);

/* All functions of the law: functions.c; the inside of its exact step, with its slope or without:
 * step.c. 0 after a failure. */
int emit_functions(emitter *e);
int emit_step(emitter *e, int slope);
int emit_has_step_slope(emitter *e); /* nonzero: the law gets a step with its slope */
void emit_failure(const emitter *e, bri_error *err); /* why */

/* States in use of a law, and bounds among them. */
int law_bounds(const law *l);

/* Conditions of a law, and of each node the branches outside of which it is not needed: bit 2 i is
 * condition i, 2 i + 1 its contrary. 0 without memory. */
enum { GUARD_CONDITIONS = 32 };
typedef struct guards {
    expr_id conditions[GUARD_CONDITIONS];
    int count;
    uint64_t *needs;
} guards;
int guards_find(guards *found, const law *l, const expr_id *roots, int count, const expr_id *lower,
                int end);
int guards_is_dear(expr_op op); /* a call of the C library */

/* What each of the nodes before `end` lies between; to be freed. NULL without memory. */
typedef struct range {
    double low, high;
} range;
range *ranges_find(const law *l, int end);

/* Statements that compute roots, each node that is used twice or that has a name once; then
 * root i as text: body.c. */
typedef struct body body;
body *body_new(emitter *e, const expr_id *roots, int count);

/* The same in phases. Variables beyond those of the law, which a step adds, have a name each and
 * the phase before which the caller declares them; nodes belong to the last phase that they need.
 */
typedef struct stage {
    int variable, phase;
} stage;
body *body_open(emitter *e, const expr_id *roots, int count, const stage *stages, int n_stages);
int body_phase(body *b, int phase); /* writes the statements of a phase; 0 after a failure */

const char *body_root(body *b, int i); /* valid until the next call */
int body_is_zero(const body *b, int i);
int body_is_negative(const body *b, int i); /* may be below zero */
void body_free(body *b);

#endif
