/* kernels.h - what src/batch.c knows of the vector kernels: one table per instruction set. */
#ifndef BRI_KERNELS_H
#define BRI_KERNELS_H

#include "bristle.h"

/* The most of each; a law with more states has no kernels. Entries: of a matrix of derivatives. */
enum {
    BRI_KERNEL_WIDTH = 8,
    BRI_KERNEL_PARAMS = BRI_MAX_PARAMS,
    BRI_KERNEL_STATES = 4,
    BRI_KERNEL_ENTRIES = (1 + BRI_KERNEL_STATES) * BRI_MAX_PARAMS
};

/* A load below this is none [N]; the same as lifted_off() of models.h says for one contact. */
#define BRI_NO_LOAD 1e-30

/* Work for one kernel. count is a multiple of the width; rows of p, z and dz are stride apart. A
 * load that is shared is above BRI_NO_LOAD. */
typedef struct bri_kernel_job {
    size_t count, stride;
    const double *p, *v, *n;
    const double *z_in; /* z itself if the job is a step */
    double *z, *dz,
        *F;    /* z: step only; dz: not of a step; F, dz: NULL, not wanted, of derivatives */
    double *M; /* derivatives, entry by entry */
    double h;  /* [s], > 0; step only */
    const double *way; /* directions of sliding that are frozen, -1, 0 or 1; of packs only */
    int own_params, own_loads;
    int exponent; /* BRI_EXPONENT_..., of derivatives */
    int few;      /* only the derivatives of bri_batch_slopes() */
} bri_kernel_job;

typedef void bri_kernel(const bri_kernel_job *job);

/* The exponent of a Stribeck curve (or of Dahl's law) decides how much there is to compute. */
enum { BRI_EXPONENT_ANY, BRI_EXPONENT_1, BRI_EXPONENT_2, BRI_EXPONENTS };

/* Kernels of the first kinds are made for the usual choices among the readings of a law; others,
 * for any choice, come last. */
enum { BRI_ANY_CHOICE = BRI_EXPONENTS, BRI_VARIANTS };

/* Derivatives of F and dz/dt in v and z, for laws with one state or none: row j of J is stride
 * apart. */
enum { BRI_F_BY_V, BRI_F_BY_Z, BRI_Z_BY_V, BRI_Z_BY_Z, BRI_DERIVATIVES };

/* The kernels of one law; NULL where there is none. A law without exponent has exponent = -1 and
 * its kernels in place BRI_EXPONENT_ANY. */
typedef struct bri_kernel_row {
    const bri_model *model;
    int exponent;   /* its place in the parameter table */
    int n_choices;  /* parameters that choose a reading; the usual one is the default */
    int choices[4]; /* their places */
    bri_kernel *eval[BRI_VARIANTS], *step[BRI_VARIANTS];
} bri_kernel_row;

/* Derivatives of the same law: of the usual reading, of any, of the usual one with an exponent of 1
 * where that spares a power. */
typedef struct bri_slope_row {
    bri_kernel *jac[3], *params[3];
} bri_slope_row;

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

/* The solution of a small linear system by products, see system/flat.c. Columns end with zeros that
 * fill them up to whole vectors. */
typedef struct bri_flat {
    int n, m;        /* velocities, states */
    int over, under; /* both filled up */
    double per_w;
    double *inverse; /* [n] columns of BRI_FLAT_ROWS: the velocities by their right sides */
    double *side;    /* [2 n + m] columns of BRI_FLAT_ROWS: the right sides by b_q, b_v and b_z */
    double *direct;  /* [n + m] columns of `under`: the states by b_q and b_z */
    double *by_v;    /* [n] columns of `under`: and by the velocities */
} bri_flat;

enum { BRI_FLAT_ROWS = 8 };

typedef struct bri_sweeps {
    /* The inverse in place of a matrix of n columns of BRI_FLAT_ROWS, by Gauss and Jordan without
     * row exchanges, 0 unless all pivots are positive; its product with b, in place; and the
     * solution in place of b = (b_q, b_v, b_z). */
    int (*invert)(int n, double *value);
    void (*multiply)(int n, const double *value, double *b);
    void (*flat_solve)(const bri_flat *f, double *b);
    /* Y = y + sum_j a_j U_j, b = sum_j C_j U_j for j < stages <= 7; rows of U are `stride` apart.
     */
    void (*combine)(int stages, int n, const double *a, const double *C, const double *y,
                    const double *U, size_t stride, double *Y, double *b);
    /* The dense output of n unknowns, see solvers/rodas.h: D_r = sum_j H_rj U_j of Rodas4, 2 rows,
     * or Rodas5P, 3 rows; those of H are RODAS_STAGES apart, those of U `stride`, those of D n.
     * Then the state at the share u, with the change over the step in one more row of D. */
    void (*dense)(int rows, int n, const double *H, const double *U, size_t stride, double *D);
    void (*between)(int rows, int n, double u, const double *y, const double *D, double *to);
    /* U = U per_h + f + h ft; ft may be NULL. */
    void (*close_stage)(int n, double per_h, double *U, const double *f, double h,
                        const double *ft);
    /* Add the tensions to the forces of both ends; va NULL: k (x_b - x_a) alone. The arrays begin
     * at the first coordinate of either end. */
    void (*pull)(const bri_link_run *r, const double *xa, const double *xb, const double *va,
                 const double *vb, double *fa, double *fb);
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

/* An attempt at a step of one body with one contact, see sim/lugre_attempt.c, or of many in packs,
 * see sim/pack_attempt.c. */
typedef double bri_attempt(struct network *net, struct rodas_step *s);

/* The ends of such steps, of few coordinates, see sim/pack_ends.c: network_linearise(); and
 * network_sizes() and network_sound(), 0 if they are to be asked. In between powers: heat but for
 * what bristles store, work, and power computed for the wrong direction [W]. */
typedef struct bri_pack_powers {
    double heat, work, astray;
} bri_pack_powers;

typedef struct bri_pack_ends {
    void (*linearise)(struct network *net, double t, const double *y, double *dy, double *ft);
    int (*sizes)(const struct network *net, const double *y, double *size);
    int (*sound)(const struct network *net, double w);
    void (*powers)(struct network *net, double t, const double *y, bri_pack_powers *to);
} bri_pack_ends;

/* Steps of several runs at once, see lanes.h: a bit for each lane that is to be seen to. */
struct bri_lane_pack;
struct bri_lane_law;
typedef unsigned bri_lanes_step(struct bri_lane_pack *k);
typedef struct bri_lane_row {
    const struct bri_lane_law *law[BRI_VARIANTS]; /* NULL: none */
} bri_lane_row;

/* Laws that are run from their pages: expr/blocks.h. */
struct expr_frame;
typedef void bri_blocks(const struct expr_frame *f, int count);

typedef struct bri_kernel_table {
    size_t width; /* doubles per vector */
    int n_rows;
    const bri_kernel_row *rows;
    const bri_slope_row *slopes; /* of the same laws */
    const bri_lane_row *lanes;
    const bri_sweeps *sweeps;
    bri_attempt *lugre_attempt;
    bri_lanes_step *lanes_attempt, *lanes_accept;
    bri_blocks *blocks;
    bri_attempt *pack_attempt; /* NULL: there is none */
    const bri_pack_ends *pack_ends;
} bri_kernel_table;

/* How the contacts of a batch read the law of a row: nonzero if in its usual way, and the exponent
 * that all have, BRI_EXPONENT_... batch.c */
int bri_kernel_reading(const bri_batch *b, const bri_kernel_row *row, int *exponent);

struct bri_kernel_table;

/* The generated code on vectors of a law with these parameters, and their exponent; NULL: there is
 * none. batch.c */
const struct bri_lane_law *bri_lane_law_of(const struct bri_kernel_table *t, const bri_model *model,
                                           const double *p, int *exponent);

/* Kernels of a batch, found once for many calls. */
typedef struct bri_batch_kernels {
    bri_kernel *step, *eval;
    size_t width; /* contacts that a vector holds */
    int directed; /* nonzero: the law has a direction */
} bri_batch_kernels;

/* Find them; 0: the law is stepped or evaluated by a plain loop. Then bri_batch_step() and
 * bri_batch_eval() without the search, for batches that fill whole vectors and whose contacts have
 * parameters and loads of their own, the same parameters as they were found for. batch.c */
int bri_batch_find(const bri_batch *b, bri_batch_kernels *found);
void bri_batch_step_by(const bri_batch_kernels *by, const bri_batch *b, double h, double *z,
                       double *F);
void bri_batch_eval_by(const bri_batch_kernels *by, const bri_batch *b, const double *z, double *F,
                       double *dz);

/* The table of a level; that of the plainest instruction set where the level has none. batch.c */
const bri_kernel_table *bri_kernels(bri_level level);

/* The table for what is short: where vectors of eight are the widest each operation takes longer,
 * which few numbers do not make up for. That of vectors of four, then. batch.c */
const bri_kernel_table *bri_kernels_short(void);

/* The derivatives of a batch that a solver needs, J[BRI_DERIVATIVES * count]; 0 if there is no
 * kernel for them. */
int bri_batch_slopes(const bri_batch *b, const double *z, double *J);

extern const bri_kernel_table bri_kernels_base, bri_kernels_v3, bri_kernels_v4;

#endif
