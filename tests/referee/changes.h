/* changes.h - changes of a rig after which its motion is the same, seen the right way. */
#ifndef REFEREE_CHANGES_H
#define REFEREE_CHANGES_H

#include "rig.h"

/* How the motion of the original is read from that of the changed rig:
 *   x(t) = scale x'(t) - drift (t - start), and so v. */
typedef struct ref_reading {
    int body[REF_BODIES]; /* index in the changed rig */
    double scale, drift;
} ref_reading;

typedef struct ref_change {
    const char *name;
    void (*make)(const ref_rig *from, ref_rig *to, ref_reading *how);
    int units; /* nonzero: other units, in which a parameter may leave the range of its table */
} ref_change;

extern const ref_change ref_changes[];
extern const int ref_change_count;

#endif
