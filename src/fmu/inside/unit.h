/* unit.h - what the FMI layers know of a model: variables by number, states, events, steps.
 *
 * The files of this folder are not part of the library: bristle fmu puts them, with the law, into
 * one source that becomes the binary of an FMU. Functions that can fail return what went wrong, or
 * NULL. Nothing here is global but constant tables. */
#ifndef BRI_FMU_UNIT_H
#define BRI_FMU_UNIT_H

#include <stddef.h>

typedef enum unit_kind {
    UNIT_NOTHING, /* no variable has that number */
    UNIT_TIME,
    UNIT_INPUT,
    UNIT_OUTPUT,
    UNIT_PARAMETER,
    UNIT_HELD, /* an input that is constant between events, or over a step, but for its slope */
    UNIT_STATE,
    UNIT_RATE,
    UNIT_INDICATOR
} unit_kind;

typedef struct unit unit;

unit *unit_new(void);
void unit_free(unit *u);
void unit_reset(unit *u); /* as new */

/* Before the initialization: where time begins, when it ends if that is known (else infinite), and
 * how exact Co-Simulation is to be; 0: as the unit has it. */
const char *unit_begin(unit *u, double start, double stop, double tolerance);

unit_kind unit_kind_of(unsigned number);
void unit_name(unit *u, unsigned number, char *name, size_t size);

/* A value as it is now. Setting a parameter or a state checks its range. flows: between events, for
 * inputs alone; else contacts decide anew how they move. */
const char *unit_get(unit *u, unsigned number, double *value);
const char *unit_set(unit *u, unsigned number, double value, int flows);

/* The slope of an input over the next step [per s]: it returns to zero after the step. */
const char *unit_slope(unit *u, unsigned number, double slope);

/* Whether the parameters fit each other. */
const char *unit_check(unit *u);

int unit_states(void);
int unit_indicators(void);
void unit_state_get(unit *u, double *z);
const char *unit_state_set(unit *u, const double *z);
void unit_nominals(double *size);
const char *unit_rates(unit *u, double *dz);
const char *unit_indicate(unit *u, double *g);

/* An event at the present inputs and states; *changed: the states are others now, or their rates
 * may have jumped. *next: time of the next one that is known, or infinite. */
const char *unit_event(unit *u, int *changed, double *next);

void unit_time(unit *u, double time);

/* Advance to a time after the present one, with an error of the states of about the tolerance. */
const char *unit_advance(unit *u, double to, double tolerance);

/* The same, but not beyond the first event: 1 if there was one, *reached is its time. */
const char *unit_advance_to_event(unit *u, double to, double tolerance, int *event,
                                  double *reached);

/* d unknown / d known. Outputs, rates; inputs, states, parameters. */
const char *unit_partial(unit *u, unsigned unknown, unsigned known, double *slope);

/* Numbers of the inputs and states that an output or rate depends on; their count. */
int unit_depends(unsigned unknown, unsigned *on);

/* All that changes while it runs, as bytes that another instance understands, too. */
size_t unit_size(unit *u);
void unit_save(unit *u, void *to);
const char *unit_restore(unit *u, const void *from, size_t size);

#endif
