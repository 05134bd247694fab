/* reference.c - calls the laws that were compiled with wide.h, and is compiled with it itself. */
#include "models/models.h"

int reference_eval(const char *name, const narrow *p, narrow v, narrow n, const narrow *z,
                   double *out);
int reference_step(const char *name, const narrow *p, narrow v, narrow n, narrow h, const narrow *z,
                   double *out);

/* The law, with its parameters and states made wide. */
static const bri_model *widen(const char *name, const narrow *p, const narrow *z, double *wide_p,
                              double *wide_z, int *states) {
    for (int i = 0; i < bri_law_table_count; i++) {
        const bri_model *m = bri_law_table[i];
        if (strcmp(m->name, name) != 0) continue;
        for (int j = 0; j < m->n_params; j++) wide_p[j] = p[j];
        *states = m->count ? m->count(m, wide_p) : m->n_states;
        for (int j = 0; j < *states; j++) wide_z[j] = z[j];
        return m;
    }
    return NULL;
}

int reference_eval(const char *name, const narrow *p, narrow v, narrow n, const narrow *z,
                   double *out) {
    double wide_p[BRI_MAX_PARAMS], wide_z[BRI_MAX_STATES];
    int states;
    const bri_model *m = widen(name, p, z, wide_p, wide_z, &states);
    if (m) out[0] = m->eval(m, wide_p, &(bri_input){.v = v, .n = n}, wide_z, out + 1);
    return m != NULL;
}

int reference_step(const char *name, const narrow *p, narrow v, narrow n, narrow h, const narrow *z,
                   double *out) {
    double wide_p[BRI_MAX_PARAMS];
    int states;
    const bri_model *m = widen(name, p, z, wide_p, out + 1, &states);
    bri_input u = {.v = v, .n = n};
    if (m)
        out[0] = m->step ? m->step(m, wide_p, &u, h, out + 1) : m->eval(m, wide_p, &u, NULL, NULL);
    return m != NULL;
}
