/* sought.c - what the search changes, and the values of the rig that follow from it.
 *
 * What is sought is not always the value itself: of stiffnesses, speeds and times the logarithm, of
 * a static level what it has more than the sliding one, so that bounds are all there is to keep. */
#include "identify.h"

#include <math.h>

void id_decode(const id_unknowns *u, const double *sought, double *value) {
    for (int k = 0; k < u->count; k++) value[k] = u->one[k].log ? exp(sought[k]) : sought[k];
    for (int k = 0; k < u->count; k++)
        if (u->one[k].above >= 0) value[k] = value[u->one[k].above] + sought[k];
}

void id_encode(const id_unknowns *u, const double *value, double *sought) {
    for (int k = 0; k < u->count; k++) {
        const id_unknown *o = &u->one[k];
        sought[k] = o->log          ? log(value[k])
                    : o->above >= 0 ? fmax(value[k] - value[o->above], 0.0)
                                    : value[k];
    }
}

void id_bounds(const id_unknowns *u, double *low, double *high) {
    for (int k = 0; k < u->count; k++) {
        const id_unknown *o = &u->one[k];
        low[k] = o->above >= 0 ? 0.0 : o->log ? log(o->low) : o->low;
        high[k] = o->log ? log(o->high) : o->high;
    }
}

void id_put(const id_unknowns *u, const double *value, int file) {
    for (int k = 0; k < u->count; k++) {
        const id_unknown *o = &u->one[k];
        int shared = o->file < 0, extra = o->kind >= ID_OFFSET;
        if (!shared && o->file != file) continue;
        double *at = o->at;
        if (shared && extra) at = (double *)((char *)at + (size_t)file * sizeof(id_extras));
        *at = value[k];
        if (o->twin >= 0) at[o->twin - o->param] = value[k];
    }
}
