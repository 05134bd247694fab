/* steps.h - steps written in C that law files can name. */
#ifndef BRI_STEPS_H
#define BRI_STEPS_H

#include "bristle.h"

#ifndef BRI_STEP
#define BRI_STEP(name) bri_step_##name
#endif
#ifndef BRI_STEP_SLOPE
#define BRI_STEP_SLOPE(name) bri_step_slope_##name
#endif

typedef double bri_law_step_function(const bri_model *self, const double *p, const bri_input *u,
                                     double h, double *z);
typedef double bri_law_slope_function(const bri_model *self, const double *p, const bri_input *u,
                                      double h, double *z, double *by_v);

/* A step knows its parameters by their places: the first ones of the law, in this order. */
typedef struct law_step {
    const char *name;
    const char *params; /* "mu_c sigma0 i kv" */
    int n_states, order;
    bri_law_step_function *step;
    bri_law_slope_function *slope; /* the step with its derivatives in v */
} law_step;

/* Name, parameters, states, order: steps.c holds the functions. */
/* clang-format off */
#define LAW_STEPS(X)                                                                               \
    X(dahl, "mu_c sigma0 i kv", 1, 2)                                                              \
    X(elasto_plastic, "mu_c mu_s v_s gamma sigma0 sigma1 sigma2 z_ba as_printed", 1, 2)            \
    X(bristle_second_order, "mu_c mu_s v_s gamma nu v_r sigma0 sigma1", 2, 1)
/* clang-format on */

#define LAW_STEP_DECLARED(name, params, n_states, order)                                           \
    bri_law_step_function BRI_STEP(name);                                                          \
    bri_law_slope_function BRI_STEP_SLOPE(name);
LAW_STEPS(LAW_STEP_DECLARED)

extern const law_step bri_law_steps[];
extern const int bri_law_step_count;

#endif
