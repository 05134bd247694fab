/* kernels.h - what src/batch.c knows of the vector kernels: one table per instruction set. */
#ifndef BRI_KERNELS_H
#define BRI_KERNELS_H

#include "bristle.h"

enum { BRI_KERNEL_WIDTH = 8, BRI_KERNEL_PARAMS = 9, BRI_KERNEL_STATES = 2 }; /* the most of each */

/* A load below this is none [N]; the same as lifted_off() of models.h says for one contact. */
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
    int F_rows; /* rows of F: 1, or those of the derivatives */
} bri_kernel_job;

typedef void bri_kernel(const bri_kernel_job *job);

/* The exponent of a Stribeck curve (or of Dahl's law) decides how much there is to compute. */
enum { BRI_EXPONENT_ANY, BRI_EXPONENT_1, BRI_EXPONENT_2, BRI_EXPONENTS };

/* Derivatives of F and dz/dt in v and z, for laws with one state or none: row j of J is stride
 * apart. */
enum { BRI_F_BY_V, BRI_F_BY_Z, BRI_Z_BY_V, BRI_Z_BY_Z, BRI_DERIVATIVES };

/* The kernels of one law; NULL where there is none. A law without exponent has exponent = -1 and
 * its kernels in place BRI_EXPONENT_ANY. */
typedef struct bri_kernel_row {
    const bri_model *model;
    int exponent; /* its place in the parameter table */
    int option;   /* place of a parameter that kernels know only as 0; 0: there is none */
    bri_kernel *eval[BRI_EXPONENTS], *step[BRI_EXPONENTS];
    bri_kernel *jac[BRI_EXPONENTS]; /* F receives the derivatives, BRI_DERIVATIVES rows */
} bri_kernel_row;

/* ---- loops of the solver over long arrays: sweeps.c ----------------------------------------- */

/* Linear couplings between consecutive coordinates: coupling i joins a + i step_a and b + i step_b
 * with the tension rest + k (x_b - x_a) + c (v_b - v_a). Steps are 0 or 1, not both 0. */
typedef struct bri_link_run {
    int count, a, b, step_a, step_b;
    int damped;         /* nonzero: some c is not zero */
    int uniform;        /* nonzero: rest, k and c are the same for all */
    int free_a, free_b; /* nonzero: the force on that end is wanted */
    double *rest, *k, *c;
} bri_link_run;

typedef struct bri_sweeps {
    /* Y = y + sum_j a_j U_j, b = sum_j C_j U_j for j < stages <= 7; rows of U are n apart. */
    void (*combine)(int stages, int n, const double *a, const double *C, const double *y,
                    const double *U, double *Y, double *b);
    /* U = U per_h + f + h ft; ft may be NULL. */
    void (*close_stage)(int n, double per_h, double *U, const double *f, double h,
                        const double *ft);
    /* Add the tensions to the forces of both ends; va NULL: k (x_b - x_a) alone. The arrays begin
     * at the first coordinate of either end. */
    void (*pull)(const bri_link_run *r, const double *xa, const double *xb, const double *va,
                 const double *vb, double *fa, double *fb);
    /* The same, undamped or not, for the coordinates lo ... hi - 1 only, where force begins. Ends
     * with step 0 get nothing. */
    void (*pull_part)(const bri_link_run *r, const double *xa, const double *xb, const double *va,
                      const double *vb, double *force, int lo, int hi);
    /* v_i = vel[a + i step_a] - vel[b + i step_b], and a... -= F, b... += F; either may be
     * NULL. */
    void (*difference)(int n, const double *a, int step_a, const double *b, int step_b, double *v);
    void (*push)(int n, const double *F, double *a, int step_a, double *b, int step_b);
    /* y = x s, elementwise; to = a + s b. */
    void (*add_times)(int n, double s, const double *x, double *y); /* y += s x */
    void (*times)(int n, const double *x, const double *s, double *y);
    /* x = q s, f = m v; q = x + s f, v = f. */
    void (*solve_start)(int n, const double *q, double s, const double *m, const double *v,
                        double *x, double *f);
    /* f = m v + s f; q = s (q + f), v = f. */
    void (*load_side)(int n, const double *m, const double *v, double s, double *f);
    void (*spread)(int n, double s, const double *f, double *q, double *v);
    void (*solve_end)(int n, const double *x, double s, const double *f, double *q, double *v);
    void (*add_scaled)(int n, const double *a, double s, const double *b, double *to);
    /* value = w M + C + per_w K */
    void (*blend)(long n, double w, const double *M, const double *C, double per_w, const double *K,
                  double *value);
    /* Eliminate the state of each contact: S = 1/(w - D_z), row = F_z S, gain = D_v S, and the
     * gain of the force F_v + F_z gain. J as kernels write it. */
    void (*condense)(int n, double w, const double *J, double *S, double *row, double *gain,
                     double *force);
    /* known = row z, z = z S; the same with f -= row z; and z += gain d. */
    void (*state_down)(int n, const double *row, const double *S, double *z, double *known);
    void (*state_push)(int n, const double *row, const double *S, double *z, double *f);
    void (*state_up)(int n, const double *gain, const double *d, double *z);
    /* sum (e_i w_i)^2 */
    double (*norm)(int n, const double *e, const double *w);
    /* size = |y|, for the velocities (n_free from n_free on) at least nominal. */
    void (*sizes)(int n, int n_free, const double *y, const double *nominal, double *size);
    /* size = min(size, max(|v - v_b|, least)) */
    void (*slip_sizes)(int n, const double *v, double v_b, const double *least, double *size);
    /* weight = 1/max(rtol weight, atol nominal) */
    void (*weigh)(int n, double rtol, double atol, const double *nominal, double *weight);
    /* A tridiagonal matrix, eliminated from both ends to the middle without row exchanges; below[i]
     * is entry (i, i - 1), above[i] is (i, i + 1). 0 where that would lose too many digits. */
    int (*tri_factor)(int n, double *diagonal, double *below, double *above);
    void (*tri_solve)(int n, const double *diagonal, const double *below, const double *above,
                      double *b);
} bri_sweeps;

struct network;
struct rodas_step;

/* An attempt at a step of one body with one contact, see sim/lugre_attempt.c. */
typedef double bri_attempt(struct network *net, struct rodas_step *s);

typedef struct bri_kernel_table {
    size_t width; /* doubles per vector */
    int n_rows;
    const bri_kernel_row *rows;
    const bri_sweeps *sweeps;
    bri_attempt *lugre_attempt;
} bri_kernel_table;

/* The table of a level; that of the plainest instruction set where the level has none. batch.c */
const bri_kernel_table *bri_kernels(bri_level level);

/* The derivatives of a batch, J[BRI_DERIVATIVES * count]; 0 if there is no kernel for them. */
int bri_batch_slopes(const bri_batch *b, const double *z, double *J);

/* The laws that have kernels; they do not know of it. */
extern const bri_model bri_coulomb_sat, bri_coulomb_tanh, bri_stribeck_sat, bri_stribeck_tanh,
    bri_regularized, bri_dahl, bri_dankowicz, bri_stribeck_dankowicz, bri_lugre, bri_elasto_plastic,
    bri_gonthier, bri_bristle_second_order;

extern const bri_kernel_table bri_kernels_base, bri_kernels_v3, bri_kernels_v4;

#endif
