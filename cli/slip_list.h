/* slip_list.h - the list of slips that bristle run --slips writes. */
#ifndef BRI_SLIP_LIST_H
#define BRI_SLIP_LIST_H

#include "bristle_sim.h"
#include "bristle_tools.h"

typedef struct slip_list {
    bri_file *file; /* NULL: nobody wants the list */
    const char *name;
    const bri_system *system;
    bri_slips *slips;
    double speed;   /* from which contacts slide whose law does not stick exactly [m/s] */
    int thresholds; /* nonzero: there are such contacts */
    double *sizes;  /* of the slips that were not cut off [m] */
    long count, room, cut;
    bri_slip largest;
} slip_list;

/* Open the file and look at the start of the run. speed 0: a tenth of the largest speed that the
 * definition mentions. Nothing happens without a name. */
bri_status slip_list_open(slip_list *l, const char *name, const bri_system *system, double speed,
                          bri_sim *sim, bri_error *err);

/* Look at the present time and write what has ended. */
bri_status slip_list_look(slip_list *l, bri_sim *sim, bri_error *err);

/* Hand what is written to the system. */
bri_status slip_list_flush(slip_list *l, bri_error *err);

/* Write what still goes on, as cut off. */
bri_status slip_list_end(slip_list *l, bri_error *err);

/* One line on standard error. */
void slip_list_summarise(slip_list *l);
void slip_list_free(slip_list *l); /* a list that has not ended leaves no trace */

#endif
