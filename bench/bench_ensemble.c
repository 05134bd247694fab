/* bench_ensemble.c - what a point of a sweep costs, with its error: the Rabinowicz rig, 50 s, and
 * three stacked bodies, 10 s, with numbers drawn at random, beside a loop over CVODE on equations
 * written by hand.
 *
 *   bench_ensemble [POINTS [FEW [RIG]]]    500 by default, of CVODE the first FEW, all by default;
 * one rig by its name, or all: solver, rtol, 95th percentile of the errors at the end (position by
 * 10 m and velocity by 1 m/s; of the stack the positions of two bodies by 1 m), processor time per
 * point of one thread, the least of three rounds */
#define _XOPEN_SOURCE 700
#include "bristle_sweep.h"
#include "peers/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { AXES = 7, ROUNDS = 3 };

static const char *const random_numbers[AXES] = {
    "block.mass=uniform(15, 25)",        "spring.stiffness=uniform(7, 13)",
    "slab.velocity=uniform(0.4, 0.6)",   "pad.mu_s=uniform(0.55, 0.65)",
    "pad.sigma0=uniform(70000, 130000)", "pad.sigma1=uniform(500, 1000)",
    "pad.v_s=uniform(0.03, 0.07)"};
static const char *const three_numbers[] = {"block.mass=uniform(15, 25)",
                                            "spring.stiffness=uniform(7, 13)",
                                            "slab.velocity=uniform(0.4, 0.6)"};
static const char *const stack_numbers[AXES] = {
    "top.mass=uniform(1.5, 2.5)",    "middle.mass=uniform(1.5, 2.5)",
    "bottom.mass=uniform(1.5, 2.5)", "spring.stiffness=uniform(25, 35)",
    "upper.Fc=uniform(9, 10.5)",     "inner.Fc=uniform(3.5, 4.3)",
    "lower.Fc=uniform(10.8, 12.8)"};
static const char *const measures[] = {"x=last(block.x)", "v=last(block.v)"};
static const char *const stack_measures[] = {"x=last(top.x)", "v=last(middle.x)"};

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct ends {
    long n;
    double *x, *v;           /* of each point at its end */
    double (*numbers)[AXES]; /* what has been drawn */
    double seconds;          /* per point */
    long lanes;
} ends;

static ends *ends_new(long n) {
    ends *e = calloc(1, sizeof *e);
    *e = (ends){.n = n,
                .x = calloc((size_t)n, sizeof *e->x),
                .v = calloc((size_t)n, sizeof *e->v),
                .numbers = calloc((size_t)n, sizeof *e->numbers),
                .seconds = INFINITY};
    return e;
}

/* What is varied, measured by x_size, and computed by which path and beside what. */
typedef struct rig {
    const char *name, *law, *scenario;
    const char *const *numbers;
    int n_numbers;
    const char *const *measures;
    double x_size;
    const char *fast, *alone;                                  /* paths */
    double exact;                                              /* rtol */
    void (*by_hand)(double rtol, const ends *points, ends *e); /* or NULL */
    int tightest;                                              /* of the peers, -log10 of rtol */
} rig;

/* All points with the library. */
static void ours(const rig *r, const char *solver, const char *path, double rtol, ends *e) {
    char text[40];
    const bri_model *model = bri_model_find(r->law);
    const bri_solver *by = bri_solver_find(solver);
    snprintf(text, sizeof text, "%g", rtol);
    const bri_override keys[] = {{"run.rtol", text}};
    bri_sweep_def def = {.scenario = r->scenario,
                         .overrides = keys,
                         .n_overrides = 1,
                         .laws = &model,
                         .n_laws = 1,
                         .solvers = &by,
                         .n_solvers = 1,
                         .random = r->numbers,
                         .n_random = r->n_numbers,
                         .samples = e->n,
                         .seed = 3,
                         .measures = r->measures,
                         .n_measures = 2,
                         .threads = 1};
    bri_sweep *s;
    bri_error err;
    static bri_messages messages;
    setenv("BRISTLE_PATH", path, 1);
    if (bri_sweep_create(&def, &s, &messages) != BRI_OK) {
        fprintf(stderr, "bench_ensemble: %s\n", messages.message[0].text);
        exit(1);
    }
    double from = cpu();
    if (bri_sweep_run(s, NULL, NULL, NULL, &err) != BRI_OK) exit(1);
    e->seconds = fmin(e->seconds, (cpu() - from) / (double)e->n);
    e->lanes = bri_sweep_lanes(s);
    for (long i = 0; i < e->n; i++) {
        bri_sweep_point p;
        bri_sweep_result(s, i, &p);
        for (int k = 0; k < def.n_random; k++) e->numbers[i][k] = p.row[k];
        e->x[i] = p.row[def.n_random];
        e->v[i] = p.row[def.n_random + 1];
    }
    bri_sweep_free(s);
}

#ifdef BENCH_SUNDIALS
/* The same in a loop over CVODE: one body, with LuGre or another law. */
static void body_by_hand(const problem *of, double rtol, const ends *points, ends *e) {
    double out[4 * 64];
    effort done;
    for (long i = 0; i < e->n; i++) {
        const double *p = points->numbers[i];
        rabinowicz_numbers =
            (struct rabinowicz_numbers){p[0], p[1], p[2], 98.1, 19.62, 98100.0, 780.0, 20.0};
        if (of == &rabinowicz) {
            rabinowicz_numbers.rise = 196.2 * (p[3] - 0.5);
            rabinowicz_numbers.sigma0 = p[4];
            rabinowicz_numbers.sigma1 = p[5];
            rabinowicz_numbers.per_vs = 1.0 / p[6];
        }
        peer_cvode_bdf(of, rtol, out, &done);
        const double *last = out + of->n_out * (of->checks - 1);
        e->x[i] = last[0];
        e->v[i] = last[1];
    }
}

static void lugre_by_hand(double rtol, const ends *points, ends *e) {
    body_by_hand(&rabinowicz, rtol, points, e);
}

static void dahl_by_hand(double rtol, const ends *points, ends *e) {
    body_by_hand(&rabinowicz_dahl, rtol, points, e);
}

static void elasto_plastic_by_hand(double rtol, const ends *points, ends *e) {
    body_by_hand(&rabinowicz_elasto_plastic, rtol, points, e);
}

static void gonthier_by_hand(double rtol, const ends *points, ends *e) {
    body_by_hand(&rabinowicz_gonthier, rtol, points, e);
}

static void second_order_by_hand(double rtol, const ends *points, ends *e) {
    body_by_hand(&rabinowicz_second_order, rtol, points, e);
}

static void stack_by_hand(double rtol, const ends *points, ends *e) {
    double out[9 * 64];
    effort done;
    for (long i = 0; i < e->n; i++) {
        const double *p = points->numbers[i];
        three_dof_numbers = (struct three_dof_numbers){
            {p[0], p[1], p[2]}, p[3], {p[4], p[5], p[6]}, {14.71, 5.88, 17.66}};
        peer_cvode_bdf(&three_dof, rtol, out, &done);
        const double *last = out + 9 * (three_dof.checks - 1);
        e->x[i] = last[0];
        e->v[i] = last[1];
    }
}

static void sticking_by_hand(double rtol, const ends *points, ends *e) {
    for (long i = 0; i < e->n; i++) {
        const double *p = points->numbers[i];
        const stick_numbers n = {p[0], p[1], p[2], 98.1, 117.72, 0.5};
        peer_cvode_stick(&n, rabinowicz.t_end, rtol, &e->x[i], &e->v[i]);
    }
}
#else
#define lugre_by_hand          NULL
#define dahl_by_hand           NULL
#define elasto_plastic_by_hand NULL
#define gonthier_by_hand       NULL
#define second_order_by_hand   NULL
#define stack_by_hand          NULL
#define sticking_by_hand       NULL
#endif

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(const rig *r, const ends *e, const ends *exact) {
    double *error = calloc((size_t)e->n, sizeof *error);
    for (long i = 0; i < e->n; i++)
        error[i] = fmax(fabs(e->x[i] - exact->x[i]) / r->x_size, fabs(e->v[i] - exact->v[i]));
    qsort(error, (size_t)e->n, sizeof *error, ascending);
    double p = error[(long)(0.95 * (double)(e->n - 1))];
    free(error);
    return p;
}

static void tell(const rig *r, const char *solver, const char *path, double rtol, const ends *e,
                 const ends *exact) {
    printf("%s,%s,%s,%g,%.3e,%.2f\n", r->name, solver, path, rtol, percentile(r, e, exact),
           1e6 * e->seconds);
    fflush(stdout);
}

static void measure(const rig *r, const char *path, double rtol, const ends *exact) {
    ends *e = ends_new(exact->n);
    for (int round = 0; round < ROUNDS; round++) ours(r, "rosenbrock", path, rtol, e);
    tell(r, "rosenbrock", e->lanes > 0 ? "lanes" : path, rtol, e, exact);
}

/* CVODE in the library, and on equations written by hand where there are some. */
static void peers(const rig *r, double rtol, long n, const ends *exact) {
    ends *e = ends_new(n);
    if (strcmp(r->law, "coulomb") != 0 && bri_solver_find("cvode_bdf")) {
        ours(r, "cvode_bdf", "general", rtol, e);
        tell(r, "cvode_bdf", "general", rtol, e, exact);
    }
    if (!r->by_hand) return;
    e = ends_new(n);
    for (int round = 0; round < ROUNDS; round++) {
        double from = cpu();
        r->by_hand(rtol, exact, e);
        e->seconds = fmin(e->seconds, (cpu() - from) / (double)e->n);
    }
    tell(r, "peer_cvode_bdf", "by hand", rtol, e, exact);
}

int main(int argc, char **argv) {
    static const rig rigs[] = {
        {"lugre", "lugre", "rabinowicz", random_numbers, AXES, measures, 10.0, "lanes", "lugre",
         1e-11, lugre_by_hand, 7},
        {"dahl", "dahl", "rabinowicz", three_numbers, 3, measures, 10.0, "lanes", "single", 1e-11,
         dahl_by_hand, 7},
        {"elasto_plastic", "elasto_plastic", "rabinowicz", three_numbers, 3, measures, 10.0,
         "lanes", "single", 1e-11, elasto_plastic_by_hand, 7},
        {"gonthier", "gonthier", "rabinowicz", three_numbers, 3, measures, 10.0, "lanes", "single",
         1e-11, gonthier_by_hand, 7},
        {"bristle_second_order", "bristle_second_order", "rabinowicz", three_numbers, 3, measures,
         10.0, "lanes", "single", 1e-11, second_order_by_hand, 7},
        {"coulomb", "coulomb", "rabinowicz", three_numbers, 3, measures, 10.0, "phases", "general",
         1e-13, sticking_by_hand, 11},
        {"stack", "lugre", "three_dof", stack_numbers, AXES, stack_measures, 1.0, "lanes", "packs",
         1e-11, stack_by_hand, 8}};
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 500;
    long few = argc > 2 ? strtol(argv[2], NULL, 10) : n;
    if (n < 20 || few < 20 || few > n) return 2;
    puts("rig,solver,path,rtol,error p95,us per point");
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        const rig *r = &rigs[i];
        if (argc > 3 && strcmp(argv[3], r->name) != 0) continue;
        ends *exact = ends_new(n);
        ours(r, "rosenbrock", "general", r->exact, exact);
        for (int k = 3; k <= 7; k++) {
            measure(r, r->fast, pow(10.0, -k), exact);
            measure(r, r->alone, pow(10.0, -k), exact);
        }
        for (int k = 4; k <= r->tightest; k++) peers(r, pow(10.0, -k), few, exact);
    }
    return 0;
}
