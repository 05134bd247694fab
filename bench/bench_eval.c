/* bench_eval.c - nanoseconds per contact for every law, as CSV on standard output:
 *
 *     law,variant,level,contacts,ns,error,speedup
 *
 * variants: eval, jac, params, step are the calls for one contact; batch, batch_jac, ... arrays;
 * page arrays of the law run from its text.
 *
 * ns       the least of many repeats; all rows take turns, so that a busy machine slows all of them
 * error    largest error of force, rates or states against long double, relative to the largest
 * term speedup  against the scalar row over libm of the same law and the same run
 *
 *     bench_eval [--list] [--only=LAW] [--quick] [--check]
 *
 * --check prints the targets for lugre and whether they are reached, and fails if one is not. */
#define _POSIX_C_SOURCE 200809L
#include "bristle.h"
#include "bristle_law.h"
#include "kernels/kernels.h"
#include "peers/peers.h"
#include "reference/reference.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FEW = 1000, MANY = 1000000, MAX_ROWS = 1000, CHECKED = 20000 };
static const double step_h = 1e-4; /* [s] */

/* ---- contacts --------------------------------------------------------------------------- */

/* Contacts of one law. Scalar calls keep the states of a contact together, arrays as bri_batch. */
typedef struct contacts {
    const bri_model *m;
    double p[BRI_MAX_PARAMS], *own_p, n, *own_n;
    size_t count;
    int states;
    double *v, *z0, *z, *F, *dz, *J; /* z0 is kept, z is stepped */
    bri_input *u;
} contacts;

static double *doubles(size_t n) {
    double *a = aligned_alloc(64, (n * sizeof *a + 63) / 64 * 64 + 64);
    if (!a) exit(1);
    memset(a, 0, n * sizeof *a);
    return a;
}

/* Number k of a sequence that fills (0, 1) evenly. */
static double spread(size_t k, double root) { return fmod((double)(k + 1) * root, 1.0); }

static contacts *contacts_of(const bri_model *m, double gamma, size_t count) {
    contacts *c = calloc(1, sizeof *c);
    if (!c) exit(1);
    *c = (contacts){.m = m, .n = m->load, .count = count};
    bri_model_defaults(m, c->p);
    if (gamma > 0.0) c->p[bri_model_param(m, "gamma")] = gamma;
    c->states = bri_model_states(m, c->p);
    size_t k = (size_t)c->states;
    c->v = doubles(count);
    c->F = doubles(count);
    c->z0 = doubles(count * k);
    c->z = doubles(count * k);
    c->dz = doubles(count * k);
    c->J = doubles((1 + k) * (3 + k + (size_t)m->n_params) * count);
    c->own_n = doubles(count);
    c->own_p = doubles(count * (size_t)m->n_params);
    c->u = malloc(count * sizeof *c->u);
    if (!c->u) exit(1);
    int place = bri_model_param(m, "v_s");
    double rest[BRI_MAX_STATES], speed = 5.0 * (place >= 0 ? c->p[place] : 0.05);
    bri_model_rest(m, c->p, rest);
    for (size_t i = 0; i < count; i++) {
        c->v[i] = speed * (2.0 * spread(i, 1.41421356) - 1.0);
        c->own_n[i] = c->n;
        c->u[i] = (bri_input){.v = c->v[i], .n = c->n};
        for (int j = 0; j < m->n_params; j++) c->own_p[(size_t)j * count + i] = c->p[j];
        for (size_t j = 0; j < k; j++) {
            double r = spread(i, 1.7320508 + (double)j);
            c->z0[j * count + i] =
                rest[j] + (m->states[j].even ? 0.0 : m->states[j].nominal * (2.0 * r - 1.0));
        }
    }
    return c;
}

/* ---- rows ------------------------------------------------------------------------------- */

typedef struct row row;
struct row {
    const char *law, *variant;
    bri_level level; /* BRI_LEVEL_AUTO: does not apply */
    contacts *c;
    void (*run)(const row *r);
    peer *peer;
    const bri_kernel_table *table;
    enum { NO_ERROR, OF_EVAL, OF_STEP } error_of;
    int scalar; /* states of a contact are together */
    int own;    /* own parameters and loads */
    int base;   /* row to compare with */
    double ns, error;
};

static row rows[MAX_ROWS];
static int n_rows;

static size_t at(const row *r, size_t i, int j) {
    return r->scalar ? i * (size_t)r->c->states + (size_t)j : (size_t)j * r->c->count + i;
}

static bri_batch batch(const row *r) {
    const contacts *c = r->c;
    return (bri_batch){
        c->m,   c->count, r->own ? c->own_p : c->p, c->v, r->own ? c->own_n : &c->n, r->own,
        r->own, r->level};
}

static void run_eval(const row *r) {
    const contacts *c = r->c;
    for (size_t i = 0; i < c->count; i++)
        c->F[i] = bri_model_eval(c->m, c->p, &c->u[i], c->z + i * (size_t)c->states,
                                 c->dz + i * (size_t)c->states);
}

static void run_jac(const row *r) {
    const contacts *c = r->c;
    for (size_t i = 0; i < c->count; i++)
        bri_model_jac(c->m, c->p, &c->u[i], c->z + i * (size_t)c->states, c->J);
}

static void run_params(const row *r) {
    const contacts *c = r->c;
    for (size_t i = 0; i < c->count; i++)
        bri_model_params_jac(c->m, c->p, &c->u[i], c->z + i * (size_t)c->states, c->J);
}

static void run_step(const row *r) {
    const contacts *c = r->c;
    for (size_t i = 0; i < c->count; i++)
        c->F[i] = bri_model_step(c->m, c->p, &c->u[i], step_h, c->z + i * (size_t)c->states);
}

static void run_euler(const row *r) {
    const contacts *c = r->c;
    for (size_t i = 0; i < c->count; i++) {
        double *z = c->z + i * (size_t)c->states, dz[BRI_MAX_STATES];
        c->F[i] = bri_model_eval(c->m, c->p, &c->u[i], z, dz);
        for (int j = 0; j < c->states; j++) z[j] += step_h * dz[j];
    }
}

static void run_batch(const row *r) {
    bri_batch b = batch(r);
    bri_batch_eval(&b, r->c->z, r->c->F, r->c->dz);
}

static void run_batch_jac(const row *r) {
    bri_batch b = batch(r);
    bri_batch_jac(&b, r->c->z, r->c->F, r->c->dz, r->c->J);
}

static void run_batch_params(const row *r) {
    bri_batch b = batch(r);
    bri_batch_params_jac(&b, r->c->z, r->c->F, r->c->dz, r->c->J);
}

static void run_batch_step(const row *r) {
    bri_batch b = batch(r);
    bri_batch_step(&b, step_h, r->c->z, r->c->F);
}

static void run_batch_euler(const row *r) {
    run_batch(r);
    for (size_t i = 0; i < r->c->count; i++) r->c->z[i] += step_h * r->c->dz[i];
}

static void run_peer(const row *r) {
    const double *p = r->c->p;
    peer_params params = {p[0], p[1], p[2], p[3], p[4], p[5], p[6], r->c->n};
    r->peer(&params, r->c->count, r->c->v, r->c->z, r->c->F, r->c->dz);
}

/* A kernel of a table that the library does not contain. */
static void run_table(const row *r) {
    const contacts *c = r->c;
    int exponent = c->p[3] == 2.0 ? BRI_EXPONENT_2 : BRI_EXPONENT_ANY;
    for (int i = 0; i < r->table->n_rows; i++)
        if (r->table->rows[i].model == c->m)
            r->table->rows[i].eval[exponent](&(bri_kernel_job){.count = c->count,
                                                               .stride = c->count,
                                                               .p = c->p,
                                                               .v = c->v,
                                                               .n = &c->n,
                                                               .z_in = c->z,
                                                               .dz = c->dz,
                                                               .F = c->F});
}

static int add(row r) {
    if (n_rows == MAX_ROWS) exit(1);
    r.base = r.base ? r.base - 1 : n_rows;
    r.ns = INFINITY;
    r.error = NAN;
    rows[n_rows++] = r;
    return n_rows; /* as `base` of the rows that follow */
}

/* The same contacts with the law run from its page; NULL: it has none. */
static contacts *on_page(const contacts *c) {
    const char *page = bri_law_page(c->m->name);
    bri_law *l = NULL;
    if (!page || bri_law_parse(page, strlen(page), c->m->name, &l, NULL) != BRI_OK) return NULL;
    contacts *same = malloc(sizeof *same);
    if (!same) exit(1);
    *same = *c;
    same->m = bri_law_model(l);
    return same;
}

/* Every law: the calls for one contact, then arrays at every level. */
static void add_law(const bri_model *m) {
    contacts *c = contacts_of(m, 0.0, FEW);
    int eval =
        add((row){m->name, "eval", BRI_LEVEL_LIBM, c, run_eval, .error_of = OF_EVAL, .scalar = 1});
    add((row){m->name, "jac", BRI_LEVEL_LIBM, c, run_jac, .scalar = 1, .base = eval});
    add((row){m->name, "params", BRI_LEVEL_LIBM, c, run_params, .scalar = 1, .base = eval});
    int step =
        add((row){m->name, "step", BRI_LEVEL_LIBM, c, run_step, .error_of = OF_STEP, .scalar = 1});
    contacts *page = on_page(c);
    if (page)
        add((row){m->name, "page", bri_level_best(), page, run_batch, .error_of = OF_EVAL,
                  .base = eval});
    for (bri_level l = BRI_LEVEL_LIBM; l < BRI_LEVEL_COUNT; l++) {
        if (!bri_level_usable(l)) continue;
        row r = {m->name, "batch", l, c, run_batch, .error_of = OF_EVAL, .base = eval};
        bri_batch b = batch(&r);
        if (l > BRI_LEVEL_LIBM && !bri_batch_vectorised(&b)) continue;
        add(r);
        add((row){m->name, "batch_jac", l, c, run_batch_jac, .base = eval});
        add((row){m->name, "batch_params", l, c, run_batch_params, .base = eval});
        if (m->step)
            add((row){m->name, "batch_step", l, c, run_batch_step, .error_of = OF_STEP,
                      .base = step});
    }
}

/* Kernels for exactly this machine, where they are compiled. */
#ifdef BRI_HAVE_NATIVE
extern const bri_kernel_table bri_kernels_native;
static const bri_kernel_table *const native = &bri_kernels_native;
#else
static const bri_kernel_table *const native = NULL;
#endif

/* LuGre against its peers. */
static void add_lugre(const char *name, double gamma, size_t count) {
    const bri_model *m = bri_model_find("lugre");
    contacts *c = contacts_of(m, gamma, count);
    int two = gamma == 2.0;
    int loop = add((row){name, "loop", BRI_LEVEL_LIBM, c, run_peer, two ? loop_2 : loop_any,
                         .error_of = OF_EVAL});
#ifdef BRI_HAVE_SLEEF
    add((row){name, "sleef", BRI_LEVEL_AUTO, c, run_peer, two ? sleef_2 : sleef_any,
              .error_of = OF_EVAL, .base = loop});
#endif
#ifdef BRI_HAVE_MVEC
    add((row){name, "libmvec", BRI_LEVEL_AUTO, c, run_peer, two ? libmvec_2 : libmvec_any,
              .error_of = OF_EVAL, .base = loop});
#endif
    for (bri_level l = BRI_LEVEL_BASE; l < BRI_LEVEL_COUNT; l++)
        if (bri_level_usable(l)) {
            add((row){name, "batch", l, c, run_batch, .error_of = OF_EVAL, .base = loop});
            add((row){name, "batch_own", l, c, run_batch, .error_of = OF_EVAL, .own = 1,
                      .base = loop});
        }
    if (native)
        add((row){name, "native", BRI_LEVEL_AUTO, c, run_table, .table = native,
                  .error_of = OF_EVAL, .base = loop});
    add((row){name, "stream", BRI_LEVEL_AUTO, c, run_peer, stream, .base = loop});
    if (count != FEW) return; /* the rest does not depend on memory */
    int euler = add((row){name, "euler", BRI_LEVEL_LIBM, c, run_euler, .scalar = 1});
    add((row){name, "step", BRI_LEVEL_LIBM, c, run_step, .error_of = OF_STEP, .scalar = 1,
              .base = euler});
    add((row){name, "batch_euler", bri_level_best(), c, run_batch_euler, .base = euler});
    add((row){name, "batch_step", bri_level_best(), c, run_batch_step, .error_of = OF_STEP,
              .base = euler});
}

/* ---- measuring -------------------------------------------------------------------------- */

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void restore(const row *r) {
    const contacts *c = r->c;
    for (size_t i = 0; i < c->count; i++)
        for (int j = 0; j < c->states; j++) c->z[at(r, i, j)] = c->z0[(size_t)j * c->count + i];
}

static void measure(row *r) {
    restore(r);
    r->run(r); /* caches and branch predictors */
    double least = r->ns * (double)r->c->count;
    int repeats = isfinite(r->ns) ? (int)fmin(1000.0, 1.0 + 30e3 / least) : 1;
    double start = now_ns();
    for (int i = 0; i < repeats; i++) r->run(r);
    r->ns = fmin(r->ns, (now_ns() - start) / repeats / (double)r->c->count);
}

/* The largest term of F and of the rates: x dy/dx for what y depends on, with the largest term of
 * each state in the place of the state. */
static void sizes_of(const contacts *c, double v, const double *z, const double *term,
                     double *size) {
    int k = c->states, width = 3 + k;
    double J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)];
    bri_model_jac(c->m, c->p, &(bri_input){.v = v, .n = c->n}, z, J);
    for (int y = 0; y <= k; y++) {
        size[y] = fmax(fabs(v * J[y * width + 1]), fabs(c->n * J[y * width + 2]));
        for (int j = 0; j < k; j++) size[y] = fmax(size[y], term[j] * fabs(J[y * width + 3 + j]));
    }
}

static void find_error(row *r) {
    const contacts *c = r->c;
    int step = r->error_of == OF_STEP;
    restore(r);
    r->run(r);
    r->error = 0.0;
    for (size_t i = 0; i < c->count && i < CHECKED; i++) {
        double z0[BRI_MAX_STATES], z[BRI_MAX_STATES], term[BRI_MAX_STATES];
        double size[1 + BRI_MAX_STATES];
        long double want[1 + BRI_MAX_STATES];
        for (int j = 0; j < c->states; j++) z0[j] = c->z0[(size_t)j * c->count + i];
        if (!(step ? reference_step(c->m->name, c->p, c->v[i], c->n, step_h, z0, want)
                   : reference_eval(c->m->name, c->p, c->v[i], c->n, z0, want)))
            exit(1);
        for (int j = 0; j < c->states; j++) {
            z[j] = step ? c->z[at(r, i, j)] : z0[j];
            term[j] = step ? fmax(fabs(z0[j]), fabs(z[j] - z0[j])) : fabs(z0[j]); /* of z0 + dz */
        }
        sizes_of(c, c->v[i], z, term, size);
        for (int y = 0; y <= c->states; y++) {
            double got = y == 0 ? c->F[i] : step ? z[y - 1] : c->dz[at(r, i, y - 1)];
            if (y > 0 && step) size[y] = term[y - 1];
            double off = (double)fabsl(got - want[y]);
            if (off > 0.0) r->error = fmax(r->error, off / fmax(size[y], (double)fabsl(want[y])));
        }
    }
}

/* ---- results ---------------------------------------------------------------------------- */

static void print_rows(void) {
    puts("law,variant,level,contacts,ns,error,speedup");
    for (int i = 0; i < n_rows; i++) {
        const row *r = &rows[i];
        printf("%s,%s,%s,%zu,%.3f,", r->law, r->variant,
               r->level == BRI_LEVEL_AUTO ? "" : bri_level_name(r->level), r->c->count, r->ns);
        if (r->error_of != NO_ERROR) printf("%.2g", r->error);
        printf(",%.2f\n", rows[r->base].ns / r->ns);
    }
}

static double ns_of(const char *law, const char *variant, bri_level level, size_t count) {
    for (int i = 0; i < n_rows; i++)
        if (strcmp(rows[i].law, law) == 0 && strcmp(rows[i].variant, variant) == 0 &&
            rows[i].level == level && rows[i].c->count == count)
            return rows[i].ns;
    return NAN;
}

static int target(const char *what, double value, double limit, int at_least) {
    int reached = at_least ? value >= limit : value <= limit;
    fprintf(stderr, "%-62s %6.2f, target %s %.2f: %s\n", what, value, at_least ? ">=" : "<=", limit,
            isnan(value) ? "not measured"
            : reached    ? "reached"
                         : "MISSED");
    return reached || isnan(value);
}

static int check_targets(void) {
    bri_level best = bri_level_best(), libm = BRI_LEVEL_LIBM, none = BRI_LEVEL_AUTO;
    const char *two = "lugre_gamma_2", *any = "lugre_gamma_any";
    double batch_few = ns_of(two, "batch", best, FEW), batch_many = ns_of(two, "batch", best, MANY);
    int good = 1;
    good &= target("gamma = 2, 1000 contacts: times the libm loop",
                   ns_of(two, "loop", libm, FEW) / batch_few, 5.5, 1);
    good &= target("any gamma, 1000 contacts: times the libm loop",
                   ns_of(any, "loop", libm, FEW) / ns_of(any, "batch", best, FEW), 4.5, 1);
    good &= target("gamma = 2, 1000000 contacts: share of the bandwidth limit",
                   ns_of(two, "stream", none, MANY) / batch_many, 0.75, 1);
    good &= target("gamma = 2: generic build over -march=native",
                   batch_few / ns_of(two, "native", none, FEW), 1.05, 0);
    good &= target("any gamma: generic build over -march=native",
                   ns_of(any, "batch", best, FEW) / ns_of(any, "native", none, FEW), 1.05, 0);
    good &= target("one contact: step over explicit Euler",
                   ns_of(two, "step", libm, FEW) / ns_of(two, "euler", libm, FEW), 2.0, 0);
    good &=
        target("arrays: step over explicit Euler",
               ns_of(two, "batch_step", best, FEW) / ns_of(two, "batch_euler", best, FEW), 2.0, 0);
    return good;
}

int main(int argc, char **argv) {
    int list = 0, quick = 0, check = 0;
    const char *only = NULL;
#if !defined(NDEBUG) || !defined(__OPTIMIZE__)
    fputs("bench_eval: build it with CMAKE_BUILD_TYPE=Release; other figures mislead\n", stderr);
    return 2;
#endif
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            list = 1;
        else if (strcmp(argv[i], "--quick") == 0)
            quick = 1;
        else if (strcmp(argv[i], "--check") == 0)
            check = 1;
        else if (strncmp(argv[i], "--only=", 7) == 0)
            only = argv[i] + 7;
        else
            return fprintf(stderr, "usage: bench_eval [--list] [--only=LAW] [--quick] [--check]\n"),
                   2;
    }
    for (int i = 0; i < bri_model_count(); i++)
        if (!check && (!only || strcmp(only, bri_model_at(i)->name) == 0)) add_law(bri_model_at(i));
    for (int i = 0; i < 4; i++) {
        const char *name = i % 2 ? "lugre_gamma_any" : "lugre_gamma_2";
        if (quick && i > 1 && !check) break;
        if (check || !only || strcmp(only, name) == 0)
            add_lugre(name, i % 2 ? 1.37 : 2.0, i < 2 ? FEW : MANY);
    }
    if (list) {
        for (int i = 0; i < n_rows; i++)
            printf("%s,%s,%s,%zu\n", rows[i].law, rows[i].variant, bri_level_name(rows[i].level),
                   rows[i].c->count);
        return 0;
    }
    for (int round = 0; round < (quick ? 20 : 600); round++)
        for (int i = 0; i < n_rows; i++)
            if (rows[i].c->count == FEW || round % 10 == 0) measure(&rows[i]);
    for (int i = 0; i < n_rows; i++)
        if (rows[i].error_of != NO_ERROR) find_error(&rows[i]);
    print_rows();
    return only || check_targets() ? 0 : 1;
}
