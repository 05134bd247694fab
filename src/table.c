/* table.c - the laws by place and by name. Their table is generated: laws/order. */
#include "bristle.h"
#include "models/models.h"
#include "nearest.h"

int bri_model_count(void) { return bri_law_table_count; }

const bri_model *bri_model_at(int i) {
    return i >= 0 && i < bri_model_count() ? bri_law_table[i] : NULL;
}

const bri_model *bri_model_find(const char *name) {
    for (int i = 0; i < bri_model_count(); i++)
        if (strcmp(bri_law_table[i]->name, name) == 0) return bri_law_table[i];
    return NULL;
}

const bri_model *bri_model_nearest(const char *name) {
    const bri_model *best = bri_law_table[0];
    for (int i = 1; i < bri_model_count(); i++)
        if (bri_spelling_distance(name, bri_law_table[i]->name) <
            bri_spelling_distance(name, best->name))
            best = bri_law_table[i];
    return best;
}
