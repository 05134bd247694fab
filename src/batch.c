/* batch.c - many contacts at once: choose the instruction set, then run a vector kernel if the law
 * has one for the parameters given, else a plain loop over the calls for one contact. */
#include "bristle.h"
#include "kernels/kernels.h"
#include "models/models.h"
#include "models/page.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- levels ------------------------------------------------------------------------------- */

static const char *const level_names[BRI_LEVEL_COUNT] = {"auto", "libm", "base", "v3", "v4"};

const char *bri_level_name(bri_level level) {
    return (unsigned)level < BRI_LEVEL_COUNT ? level_names[level] : "unknown";
}

int bri_level_usable(bri_level level) {
    switch (level) {
    case BRI_LEVEL_AUTO:
    case BRI_LEVEL_LIBM:
    case BRI_LEVEL_BASE:
        return 1;
#ifdef BRI_HAVE_V3
    case BRI_LEVEL_V3:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#ifdef BRI_HAVE_V4
    case BRI_LEVEL_V4:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    default:
        return 0;
    }
}

static bri_level find_best_level(void) {
    const char *wanted = getenv("BRISTLE_LEVEL");
    bri_level best = BRI_LEVEL_LIBM;
    for (bri_level l = BRI_LEVEL_LIBM; l < BRI_LEVEL_COUNT; l++) {
        if (!bri_level_usable(l)) continue;
        if (wanted && strcmp(wanted, level_names[l]) == 0) return l;
        best = l;
    }
    return best;
}

/* The one thing the library remembers: a constant of the machine and of the environment the process
 * was started in. Threads that come first at the same time all store the same value. */
bri_level bri_level_best(void) {
    static atomic_int cached;
    int level = atomic_load_explicit(&cached, memory_order_relaxed);
    if (level == BRI_LEVEL_AUTO) {
        level = (int)find_best_level();
        atomic_store_explicit(&cached, level, memory_order_relaxed);
    }
    return (bri_level)level;
}

/* ---- the plain loop ----------------------------------------------------------------------- */

/* Contact i as the calls for one contact want it. */
typedef struct contact {
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    const double *params;
    bri_input u;
    int states;
} contact;

/* What all contacts share. */
static void begin(const bri_batch *b, contact *c) {
    c->params = b->own_params ? c->p : b->p;
    c->u = (bri_input){.mode = BRI_AUTO};
    if (b->count == 0) return;
    if (!b->own_loads) c->u.n = b->n[0];
    if (!b->own_params) c->states = bri_model_states(b->model, b->p);
}

static void pick(const bri_batch *b, const double *z, size_t i, contact *c) {
    c->u.v = b->v[i];
    if (b->own_loads) c->u.n = b->n[i];
    if (b->own_params) {
        for (int j = 0; j < b->model->n_params; j++) c->p[j] = b->p[(size_t)j * b->count + i];
        c->states = bri_model_states(b->model, c->p);
    }
    for (int j = 0; j < c->states; j++) c->z[j] = z[(size_t)j * b->count + i];
}

static void put(const bri_batch *b, const contact *c, const double *from, size_t i, double *to) {
    for (int j = 0; j < c->states; j++) to[(size_t)j * b->count + i] = from[j];
}

static void plain_eval(const bri_batch *b, const double *z, double *F, double *dz) {
    contact c;
    double rates[BRI_MAX_STATES];
    begin(b, &c);
    for (size_t i = 0; i < b->count; i++) {
        pick(b, z, i, &c);
        F[i] = bri_model_eval(b->model, c.params, &c.u, c.z, rates);
        put(b, &c, rates, i, dz);
    }
}

/* By a law that knows how to do it for all at once; 0: it does not. */
static int page_eval(const bri_batch *b, const double *z, double *F, double *dz) {
    const bri_page *page = bri_page_of(b->model);
    return page && page->many && page->many(b->model, b, z, F, dz);
}

void bri_page_rest(const bri_model *self, const double *p, double *z) {
    const bri_page *page = (const bri_page *)(const void *)self;
    for (int i = 0; i < self->n_states; i++) z[i] = page->rest[i];
}

static void plain_step(const bri_batch *b, double h, double *z, double *F) {
    contact c;
    begin(b, &c);
    for (size_t i = 0; i < b->count; i++) {
        pick(b, z, i, &c);
        F[i] = bri_model_step(b->model, c.params, &c.u, h, c.z);
        put(b, &c, c.z, i, z);
    }
}

/* Matrices of all contacts, or of those that are open, entry by entry: derivatives in the inputs
 * and states, or in the parameters. */
static void plain_matrices(const bri_batch *b, const double *z, int params, int open, double *to) {
    contact c;
    double M[(1 + BRI_MAX_STATES) * (BRI_MAX_PARAMS + BRI_MAX_STATES)];
    begin(b, &c);
    for (size_t i = 0; i < b->count; i++) {
        if (open && b->n[i] >= BRI_NO_LOAD) continue;
        pick(b, z, i, &c);
        (params ? bri_model_params_jac : bri_model_jac)(b->model, c.params, &c.u, c.z, M);
        int n = (1 + c.states) * (params ? b->model->n_params : 3 + c.states);
        for (int j = 0; j < n; j++) to[(size_t)j * b->count + i] = M[j];
    }
}

/* ---- kernels ------------------------------------------------------------------------------ */

static const bri_kernel_table *table_of(bri_level level) {
    if (level == BRI_LEVEL_AUTO || !bri_level_usable(level)) level = bri_level_best();
    switch (level) {
#ifdef BRI_HAVE_V4
    case BRI_LEVEL_V4:
        return &bri_kernels_v4;
#endif
#ifdef BRI_HAVE_V3
    case BRI_LEVEL_V3:
        return &bri_kernels_v3;
#endif
    case BRI_LEVEL_BASE:
        return &bri_kernels_base;
    default:
        return NULL;
    }
}

const bri_kernel_table *bri_kernels(bri_level level) {
    const bri_kernel_table *t = table_of(level);
    return t ? t : &bri_kernels_base;
}

const bri_kernel_table *bri_kernels_short(void) {
    return bri_kernels(bri_level_best() == BRI_LEVEL_V4 ? BRI_LEVEL_V3 : BRI_LEVEL_AUTO);
}

/* Nonzero if all are the same, compared with their neighbours at the speed of memcmp: kernels are
 * as fast as a loop over numbers. */
static int all_alike(const double *x, size_t count) {
    return memcmp(x, x + 1, (count - 1) * sizeof *x) == 0;
}

/* The exponent that all contacts have: 1, 2, or any. */
static int exponent_class(const bri_batch *b, int place) {
    if (place < 0) return BRI_EXPONENT_ANY;
    size_t count = b->own_params ? b->count : 1;
    const double *exponent = b->p + (size_t)place * count;
    if (exponent[0] != 1.0 && exponent[0] != 2.0) return BRI_EXPONENT_ANY;
    if (!all_alike(exponent, count)) return BRI_EXPONENT_ANY;
    return exponent[0] == 1.0 ? BRI_EXPONENT_1 : BRI_EXPONENT_2;
}

/* Nonzero if all contacts have the usual reading of the law. */
static int usual_choices(const bri_batch *b, const bri_kernel_row *row) {
    size_t count = b->own_params ? b->count : 1;
    for (int k = 0; k < row->n_choices; k++) {
        int place = row->choices[k];
        const double *choice = b->p + (size_t)place * count;
        if (choice[0] != b->model->params[place].def || !all_alike(choice, count)) return 0;
    }
    return 1;
}

int bri_kernel_reading(const bri_batch *b, const bri_kernel_row *row, int *exponent) {
    *exponent = exponent_class(b, row->exponent);
    return usual_choices(b, row);
}

const struct bri_lane_law *bri_lane_law_of(const bri_kernel_table *t, const bri_model *model,
                                           const double *p, int *exponent) {
    for (int r = 0; t->lanes && r < t->n_rows; r++) {
        if (t->rows[r].model != model) continue;
        const bri_batch one = {.model = model, .count = 1, .p = p};
        int usual = bri_kernel_reading(&one, &t->rows[r], exponent);
        return t->lanes[r].law[usual ? *exponent : BRI_ANY_CHOICE];
    }
    return NULL;
}

typedef enum purpose { EVAL, STEP, JAC, PARAMS } purpose;

/* The kernel for the batch, or NULL if the plain loop has to do it. An open contact costs nothing
 * to speak of, so kernels expect a shared load to be there. */
static bri_kernel *find_kernel(const bri_batch *b, const bri_kernel_table *t, purpose why,
                               int *exponent) {
    if (!t || b->count == 0 || (!b->own_loads && !(b->n[0] >= BRI_NO_LOAD))) return NULL;
    for (int r = 0; r < t->n_rows; r++) {
        const bri_kernel_row *row = &t->rows[r];
        if (row->model != b->model) continue;
        int usual = bri_kernel_reading(b, row, exponent);
        if (why == JAC || why == PARAMS) {
            bri_kernel *const *of = why == JAC ? t->slopes[r].jac : t->slopes[r].params;
            return usual && *exponent == BRI_EXPONENT_1 && of[2] ? of[2] : of[!usual];
        }
        return (why == STEP ? row->step : row->eval)[usual ? *exponent : BRI_ANY_CHOICE];
    }
    return NULL;
}

static void copy_rows(const double *from, size_t from_stride, double *to, size_t to_stride,
                      int n_rows, size_t n) {
    for (int j = 0; j < n_rows; j++)
        memcpy(to + (size_t)j * to_stride, from + (size_t)j * from_stride, n * sizeof *to);
}

/* Contacts with their own parameters and one load: kernels are given a load for each. */
static void run_spread(bri_kernel_job job, bri_kernel *kernel) {
    enum { PART = 32 * BRI_KERNEL_WIDTH };
    double loads[PART];
    size_t left = job.count;
    for (size_t i = 0; i < PART && i < left; i++) loads[i] = job.n[0];
    job.n = loads;
    job.own_loads = 1;
    for (; left > 0; left -= job.count) {
        job.count = left < PART ? left : PART;
        kernel(&job);
        job.p += job.count;
        job.v += job.count;
        if (job.z_in) job.z_in += job.count;
        if (job.F) job.F += job.count;
        if (job.z) job.z += job.count;
        if (job.dz) job.dz += job.count;
        if (job.M) job.M += job.count;
    }
}

static void run_whole(const bri_kernel_job *job, bri_kernel *kernel) {
    if (job->own_params && !job->own_loads)
        run_spread(*job, kernel);
    else
        kernel(job);
}

/* The contacts that do not fill a vector: copied behind each other, the last one repeated, run, and
 * copied back. */
static void run_rest(const bri_kernel_job *all, bri_kernel *kernel, const bri_model *m, int entries,
                     size_t width, size_t first, size_t n) {
    enum { W = BRI_KERNEL_WIDTH, P = BRI_KERNEL_PARAMS, S = BRI_KERNEL_STATES };
    double p[P * W], v[W], load[W], z[S * W], dz[S * W], F[W], M[BRI_KERNEL_ENTRIES * W];
    int states = m->n_states;
    bri_kernel_job job = *all;
    job.count = width;
    copy_rows(all->v + first, 0, v, 0, 1, n);
    if (all->z_in) copy_rows(all->z_in + first, all->stride, z, W, states, n);
    if (all->own_params) copy_rows(all->p + first, all->stride, p, W, m->n_params, n);
    if (all->own_loads) copy_rows(all->n + first, 0, load, 0, 1, n);
    for (size_t i = n; i < width; i++) {
        v[i] = v[n - 1];
        for (int j = 0; j < states; j++) z[j * W + (int)i] = z[j * W + (int)n - 1];
        if (all->own_params)
            for (int j = 0; j < m->n_params; j++) p[j * W + (int)i] = p[j * W + (int)n - 1];
        if (all->own_loads) load[i] = load[n - 1];
    }
    job.stride = W;
    job.v = v;
    job.z_in = job.z = z;
    job.dz = dz;
    if (all->F) job.F = F;
    job.M = M;
    if (all->own_params) job.p = p;
    if (all->own_loads) job.n = load;
    run_whole(&job, kernel);
    if (all->F) copy_rows(F, W, all->F + first, all->stride, 1, n);
    if (all->M) copy_rows(M, W, all->M + first, all->stride, entries, n);
    if (all->dz) copy_rows(dz, W, all->dz + first, all->stride, states, n);
    if (all->z) copy_rows(z, W, all->z + first, all->stride, states, n);
}

static void run(const bri_batch *b, bri_kernel *kernel, int entries, size_t width,
                bri_kernel_job job) {
    size_t rest = b->count % width;
    job.stride = b->count;
    job.count = b->count - rest;
    job.p = b->p;
    job.v = b->v;
    job.n = b->n;
    job.own_params = b->own_params;
    job.own_loads = b->own_loads;
    run_whole(&job, kernel);
    if (rest > 0) run_rest(&job, kernel, b->model, entries, width, job.count, rest);
}

void bri_batch_eval(const bri_batch *b, const double *z, double *F, double *dz) {
    bri_batch inner;
    if (bri_batch_inside(b, &inner)) {
        bri_batch_eval(&inner, z, F, dz);
        bri_batch_direct(b, F);
        return;
    }
    const bri_kernel_table *t = table_of(b->level);
    bri_kernel_job job = {.z_in = z, .F = F, .dz = dz};
    bri_kernel *kernel = find_kernel(b, t, EVAL, &job.exponent);
    if (kernel)
        run(b, kernel, 0, t->width, job);
    else if (!page_eval(b, z, F, dz))
        plain_eval(b, z, F, dz);
}

void bri_batch_step(const bri_batch *b, double h, double *z, double *F) {
    bri_batch inner;
    if (b->model->n_states == 0 && !b->model->step) { /* nothing moves on: the force of now */
        bri_batch_eval(b, z, F, NULL);
        return;
    }
    if (bri_batch_inside(b, &inner)) {
        bri_batch_step(&inner, h, z, F);
        bri_batch_direct(b, F);
        return;
    }
    const bri_kernel_table *t = table_of(b->level);
    bri_kernel_job job = {.z_in = z, .z = z, .F = F, .h = h};
    bri_kernel *kernel = h > 0.0 ? find_kernel(b, t, STEP, &job.exponent) : NULL;
    if (kernel)
        run(b, kernel, 0, t->width, job);
    else
        plain_step(b, h, z, F);
}

int bri_batch_find(const bri_batch *b, bri_batch_kernels *found) {
    const bri_kernel_table *t = table_of(b->level);
    bri_batch inner = *b;
    int exponent;
    *found = (bri_batch_kernels){.width = t ? t->width : 1};
    found->directed = bri_batch_inside(b, &inner);
    found->step = find_kernel(&inner, t, STEP, &exponent);
    found->eval = find_kernel(&inner, t, EVAL, &exponent);
    return found->step && found->eval;
}

static bri_kernel_job whole_job(const bri_batch *b) {
    return (bri_kernel_job){.count = b->count,
                            .stride = b->count,
                            .p = b->p,
                            .v = b->v,
                            .n = b->n,
                            .own_params = 1,
                            .own_loads = 1};
}

void bri_batch_step_by(const bri_batch_kernels *by, const bri_batch *b, double h, double *z,
                       double *F) {
    bri_kernel_job job = whole_job(b);
    job.z_in = job.z = z, job.F = F, job.h = h;
    by->step(&job);
    if (by->directed) bri_batch_direct(b, F);
}

void bri_batch_eval_by(const bri_batch_kernels *by, const bri_batch *b, const double *z, double *F,
                       double *dz) {
    bri_kernel_job job = whole_job(b);
    job.z_in = z, job.F = F, job.dz = dz;
    by->eval(&job);
    if (by->directed) bri_batch_direct(b, F);
}

/* Nonzero if a kernel has written the derivatives. */
static int slopes(const bri_batch *b, purpose why, const double *z, bri_kernel_job job) {
    const bri_kernel_table *t = table_of(b->level);
    bri_kernel *kernel = find_kernel(b, t, why, &job.exponent);
    int k = b->model->n_states;
    int entries = job.few ? BRI_DERIVATIVES : (1 + k) * (why == JAC ? 3 + k : b->model->n_params);
    job.z_in = z;
    if (kernel) run(b, kernel, entries, t->width, job);
    return kernel != NULL;
}

int bri_batch_slopes(const bri_batch *b, const double *z, double *J) {
    return b->model->n_states == 1 && slopes(b, JAC, z, (bri_kernel_job){.M = J, .few = 1});
}

void bri_batch_jac(const bri_batch *b, const double *z, double *F, double *dz, double *J) {
    if (slopes(b, JAC, z, (bri_kernel_job){.F = F, .dz = dz, .M = J})) return;
    if (F) bri_batch_eval(b, z, F, dz);
    plain_matrices(b, z, 0, 0, J);
}

void bri_batch_params_jac(const bri_batch *b, const double *z, double *F, double *dz, double *D) {
    if (slopes(b, PARAMS, z, (bri_kernel_job){.F = F, .dz = dz, .M = D})) {
        if (b->own_loads) plain_matrices(b, z, 1, 1, D);
        return;
    }
    if (F) bri_batch_eval(b, z, F, dz);
    plain_matrices(b, z, 1, 0, D);
}

int bri_batch_vectorised(const bri_batch *b) {
    int exponent;
    bri_batch inner;
    if (bri_batch_inside(b, &inner)) return bri_batch_vectorised(&inner);
    return find_kernel(b, table_of(b->level), EVAL, &exponent) != NULL;
}
