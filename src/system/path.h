/* path.h - the ways a run may be computed: one table, for all who choose, force or name one. */
#ifndef BRI_PATH_H
#define BRI_PATH_H

#include "network.h"

/* What is allowed on it. */
typedef struct network_path {
    const char *name, *text;
    int rows;    /* rows of equal elements, as arrays */
    int single;  /* one coordinate that moves and one contact, without loops */
    int by_hand; /* and the step of LuGre in one piece */
    int lanes;   /* several such runs in one vector, where many are made */
    int packs;   /* contacts of one law as arrays, wherever they are */
    int phases;  /* one coordinate on one contact that sticks exactly: nothing is sampled */
} network_path;

/* The one that the environment asks for, by BRISTLE_PATH; else the first: all that fits. */
const network_path *network_path_wanted(void);

/* The name of the one that a network takes; as_single: as one body with one contact, as_phases: and
 * that sticks exactly. */
const char *network_path_taken(const network *net, int as_single, int as_phases);

#endif
