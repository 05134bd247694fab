/* samples.h - parameters, inputs and states for the promises that every law keeps. */
#ifndef BRI_TEST_SAMPLES_H
#define BRI_TEST_SAMPLES_H

#include "test.h"

/* A value of one row: the options 0 to 1 or 2, the exponents that laws treat apart, small multiples
 * of a whole number, else a decade to either side of the default; a few units where that is zero.
 */
static inline double sample_param(const bri_param *row, double r) {
    static const double exponents[] = {0.5, 1.0, 2.0, 3.3};
    double x = row->def * pow(10.0, 2.0 * r - 1.0);
    if (row->whole)
        x = row->max <= 2.0 ? floor((row->max + 1.0) * r)
                            : ceil(row->max < 1e3 ? row->max * r : 9.0 * r);
    else if (strcmp(row->name, "gamma") == 0 || strcmp(row->name, "i") == 0)
        x = exponents[(int)(4.0 * r)];
    else if (row->def == 0.0)
        x = r < 0.3 ? 0.0 : 3.0 * (r - 0.3);
    return fmin(fmax(x, row->min), row->max);
}

/* Lift what a law's own rule wants larger. */
static inline void settle(const bri_model *m, double *p, const char *small, const char *large) {
    int a = bri_model_param(m, small), b = bri_model_param(m, large);
    if (a >= 0 && b >= 0 && !(p[b] > p[a])) p[b] = p[a] * 1.3;
}

/* Parameters number k within the ranges; number 0 are the defaults. 0 where the law refuses the
 * combination. */
static inline int try_params(const bri_model *m, int k, double *p, bri_error *err) {
    bri_model_defaults(m, p);
    for (int j = 0; k > 0 && j < m->n_params; j++) p[j] = sample_param(&m->params[j], spread(k, j));
    settle(m, p, "mu_c", "mu_s");
    if (bri_model_param(m, "v_t") < 0) settle(m, p, "v_s", "v_d");
    return bri_model_check(m, p, err) == BRI_OK;
}

static inline void sample_params(const bri_model *m, int k, double *p) {
    bri_error err;
    hold(m, try_params(m, k, p, &err), "sample %d is refused: %s", k, err.text);
}

/* Parameters at the ends of their ranges; 0 where the law refuses the combination. */
static inline int corner_params(const bri_model *m, int k, double *p) {
    bri_model_defaults(m, p);
    for (int j = 0; j < m->n_params; j++) {
        double r = spread(k, j);
        if (r < 0.33) p[j] = m->params[j].min;
        if (r > 0.67) p[j] = m->params[j].max;
    }
    return bri_model_check(m, p, NULL) == BRI_OK;
}

/* States number k, `size` times the nominal range; what never is negative stays positive, and
 * what counts stays whole. */
static inline void sample_states(const bri_model *m, const double *p, int k, double size,
                                 double *z) {
    for (int j = 0; j < bri_model_states(m, p); j++) {
        double r = spread(k, 39 - j);
        z[j] = m->states[j].nominal * size * (m->states[j].even ? r : 2.0 * r - 1.0);
        if (strcmp(m->states[j].name, "snaps") == 0) z[j] = ceil(10.0 * r);
    }
}

/* The same contact seen in a mirror. */
static inline bri_input mirrored(bri_input u) {
    bri_mode mode = u.mode == BRI_SLIDE_POS   ? BRI_SLIDE_NEG
                    : u.mode == BRI_SLIDE_NEG ? BRI_SLIDE_POS
                                              : u.mode;
    return (bri_input){.x = -u.x, .v = -u.v, .n = u.n, .fa = -u.fa, .mode = mode};
}

static inline void mirror_states(const bri_model *m, int k, const double *z, double *out) {
    for (int j = 0; j < k; j++) out[j] = m->states[j].even ? z[j] : -z[j];
}

/* The value of a parameter by name, or the other value if the law has none of that name. */
static inline double param(const bri_model *m, const double *p, const char *name, double other) {
    int i = bri_model_param(m, name);
    return i < 0 ? other : p[i];
}

#endif
