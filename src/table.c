/* table.c - the table of laws. */
#include "bristle.h"
#include "models/models.h"
#include "nearest.h"

static const bri_model *const table[] = {
    &bri_coulomb,
    &bri_viscous,
    &bri_coulomb_sat,
    &bri_coulomb_tanh,
    &bri_benson,
    &bri_stribeck,
    &bri_stribeck_sat,
    &bri_stribeck_tanh,
    &bri_velocity_based,
    &bri_sine_arctan,
    &bri_karnopp,
    &bri_regularized,
    &bri_dahl,
    &bri_dankowicz,
    &bri_stribeck_dankowicz,
    &bri_bliman_sorine,
    &bri_lugre,
    &bri_lugre_consistent,
    &bri_elasto_plastic,
    &bri_stick_slip,
    &bri_gonthier,
    &bri_olsson_astrom,
    &bri_reset_integrator,
    &bri_bristle_implicit,
    &bri_bristle_second_order,
    &bri_haessig_friedland,
};

int bri_model_count(void) { return (int)(sizeof table / sizeof *table); }

const bri_model *bri_model_at(int i) { return i >= 0 && i < bri_model_count() ? table[i] : NULL; }

const bri_model *bri_model_find(const char *name) {
    for (int i = 0; i < bri_model_count(); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

const bri_model *bri_model_nearest(const char *name) {
    const bri_model *best = table[0];
    for (int i = 1; i < bri_model_count(); i++)
        if (bri_spelling_distance(name, table[i]->name) < bri_spelling_distance(name, best->name))
            best = table[i];
    return best;
}
