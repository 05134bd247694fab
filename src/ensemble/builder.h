/* builder.h - a sweep while it is made of its definition: sweep.c, varied.c. */
#ifndef BRI_BUILDER_H
#define BRI_BUILDER_H

#include "ensemble.h"

typedef struct builder {
    bri_sweep *s;
    const bri_sweep_def *def;
    bri_scenario *scenario; /* as it is without axes, NULL: a function */
    bri_sim *sim;
    bri_recorder *recorder;
    bri_messages *messages;
} builder;

/* Axes and points: the design of the sweep. */
bri_status builder_design(builder *b, bri_error *err);

#endif
