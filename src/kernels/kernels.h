/* kernels.h - what src/batch.c knows of the vector kernels: one table per instruction set. */
#ifndef BRI_KERNELS_H
#define BRI_KERNELS_H

#include "bristle.h"

enum { BRI_KERNEL_WIDTH = 8, BRI_KERNEL_PARAMS = 9, BRI_KERNEL_STATES = 2 }; /* the most of each */

/* A load up to this is none [N]; the same as lifted_off() of models.h says for one contact. */
#define BRI_NO_LOAD 1e-30

/* Work for one kernel. count is a multiple of the width; rows of p, z and dz are stride apart. A
 * load that is shared is above BRI_NO_LOAD. */
typedef struct bri_kernel_job {
    size_t count, stride;
    const double *p, *v, *n;
    const double *z_in; /* z itself if the job is a step */
    double *z, *dz, *F; /* z: step only; dz: eval only */
    double h;           /* [s], > 0; step only */
    int own_params, own_loads;
} bri_kernel_job;

typedef void bri_kernel(const bri_kernel_job *job);

/* The exponent of a Stribeck curve (or of Dahl's law) decides how much there is to compute. */
enum { BRI_EXPONENT_ANY, BRI_EXPONENT_1, BRI_EXPONENT_2, BRI_EXPONENTS };

/* The kernels of one law; NULL where there is none. A law without exponent has exponent = -1 and
 * its kernels in place BRI_EXPONENT_ANY. */
typedef struct bri_kernel_row {
    const bri_model *model;
    int exponent; /* its place in the parameter table */
    bri_kernel *eval[BRI_EXPONENTS], *step[BRI_EXPONENTS];
} bri_kernel_row;

typedef struct bri_kernel_table {
    size_t width; /* doubles per vector */
    int n_rows;
    const bri_kernel_row *rows;
} bri_kernel_table;

/* The laws that have kernels; they do not know of it. */
extern const bri_model bri_coulomb_sat, bri_coulomb_tanh, bri_stribeck_sat, bri_stribeck_tanh,
    bri_regularized, bri_dahl, bri_dankowicz, bri_stribeck_dankowicz, bri_lugre, bri_elasto_plastic,
    bri_gonthier, bri_bristle_second_order;

extern const bri_kernel_table bri_kernels_base, bri_kernels_v3, bri_kernels_v4;

#endif
