/* path.c - see path.h. */
#include "path.h"

#include <stdlib.h>
#include <string.h>

static const network_path paths[] = {
    {"auto", "whatever fits and is fastest", 1, 1, 1, 1, 1, 1},
    {"general", "element by element: every rig", 0, 0, 0, 0, 0, 0},
    {"single", "one coordinate that moves, one contact with at most two states", 0, 1, 0, 0, 0, 0},
    {"lugre", "the same with LuGre under a constant load: a step in one piece", 0, 1, 1, 0, 0, 0},
    {"lanes", "points of a sweep with few bodies and as many contacts, several in one vector", 0, 1,
     1, 1, 1, 0},
    {"phases", "one coordinate that moves, one contact that sticks exactly, steady drives", 0, 0, 0,
     0, 0, 1},
    {"packs", "two and more contacts with one law of one state and constant loads, as arrays", 0, 0,
     0, 0, 1, 0},
    {"rows", "16 and more equal contacts with constant loads in a row, as arrays", 1, 0, 0, 0, 0,
     0},
};

enum { PATHS = (int)(sizeof paths / sizeof *paths) };

const char *bri_path_name(int i) { return i >= 0 && i < PATHS ? paths[i].name : NULL; }

const char *bri_path_text(int i) { return i >= 0 && i < PATHS ? paths[i].text : NULL; }

const network_path *network_path_wanted(void) {
    const char *wanted = getenv("BRISTLE_PATH");
    for (int i = 1; wanted && i < PATHS; i++)
        if (strcmp(paths[i].name, wanted) == 0) return &paths[i];
    return &paths[0];
}

const char *network_path_taken(const network *net, int as_single, int as_phases) {
    const network_path is = {.rows = net->n_touch_runs > 0,
                             .single = as_single,
                             .by_hand = as_single && net->single.quick,
                             .packs = net->n_packs > 0,
                             .phases = as_phases};
    for (int i = 1; i < PATHS; i++)
        if (paths[i].rows == is.rows && paths[i].single == is.single &&
            paths[i].by_hand == is.by_hand && paths[i].packs == is.packs &&
            paths[i].phases == is.phases)
            return paths[i].name;
    return paths[1].name;
}
