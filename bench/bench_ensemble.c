/* bench_ensemble.c - what a point of a sweep costs, with its error: the Rabinowicz rig with seven
 * numbers drawn at random, 50 s, beside a loop over CVODE on equations written by hand.
 *
 *   bench_ensemble [POINTS [FEW]]    500 by default, of CVODE the first FEW, all by default:
 * solver, rtol, 95th percentile of the errors of position (by 10 m) and velocity (by 1 m/s) at the
 * end, processor time per point of one thread, the least of three rounds */
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
static const char *const measures[] = {"x=last(block.x)", "v=last(block.v)"};

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct ends {
    long n;
    double *x, *v;           /* of each point at its end */
    double (*numbers)[AXES]; /* of LuGre */
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

/* All points with the library. */
static void ours(const char *law, const char *solver, const char *path, double rtol, ends *e) {
    char text[40];
    const bri_model *model = bri_model_find(law);
    const bri_solver *by = bri_solver_find(solver);
    int seven = strcmp(law, "lugre") == 0;
    snprintf(text, sizeof text, "%g", rtol);
    const bri_override keys[] = {{"run.rtol", text}};
    bri_sweep_def def = {.scenario = "rabinowicz",
                         .overrides = keys,
                         .n_overrides = 1,
                         .laws = &model,
                         .n_laws = 1,
                         .solvers = &by,
                         .n_solvers = 1,
                         .random = seven ? random_numbers : three_numbers,
                         .n_random = seven ? AXES : 3,
                         .samples = e->n,
                         .seed = 3,
                         .measures = measures,
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
/* The equations written by hand for a law; NULL: there are none. */
static const problem *hand_written(const char *law) {
    return strcmp(law, "lugre") == 0            ? &rabinowicz
           : strcmp(law, "dahl") == 0           ? &rabinowicz_dahl
           : strcmp(law, "elasto_plastic") == 0 ? &rabinowicz_elasto_plastic
                                                : NULL;
}

/* The same in a loop over CVODE. */
static void by_hand(const problem *rig, double rtol, const ends *points, ends *e) {
    double out[3 * 64];
    effort done;
    double from = cpu();
    for (long i = 0; i < e->n; i++) {
        const double *p = points->numbers[i];
        rabinowicz_numbers =
            (struct rabinowicz_numbers){p[0], p[1], p[2], 98.1, 19.62, 98100.0, 780.0, 20.0};
        if (rig == &rabinowicz) {
            rabinowicz_numbers.rise = 196.2 * (p[3] - 0.5);
            rabinowicz_numbers.sigma0 = p[4];
            rabinowicz_numbers.sigma1 = p[5];
            rabinowicz_numbers.per_vs = 1.0 / p[6];
        }
        peer_cvode_bdf(rig, rtol, out, &done);
        const double *last = out + 3 * (rig->checks - 1);
        e->x[i] = last[0];
        e->v[i] = last[1];
    }
    e->seconds = fmin(e->seconds, (cpu() - from) / (double)e->n);
}

static void sticking_by_hand(double rtol, const ends *points, ends *e) {
    double from = cpu();
    for (long i = 0; i < e->n; i++) {
        const double *p = points->numbers[i];
        const stick_numbers n = {p[0], p[1], p[2], 98.1, 117.72, 0.5};
        peer_cvode_stick(&n, rabinowicz.t_end, rtol, &e->x[i], &e->v[i]);
    }
    e->seconds = fmin(e->seconds, (cpu() - from) / (double)e->n);
}
#endif

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(const ends *e, const ends *exact) {
    double *error = calloc((size_t)e->n, sizeof *error);
    for (long i = 0; i < e->n; i++)
        error[i] = fmax(0.1 * fabs(e->x[i] - exact->x[i]), fabs(e->v[i] - exact->v[i]));
    qsort(error, (size_t)e->n, sizeof *error, ascending);
    double p = error[(long)(0.95 * (double)(e->n - 1))];
    free(error);
    return p;
}

static void tell(const char *law, const char *solver, const char *path, double rtol, const ends *e,
                 const ends *exact) {
    printf("%s,%s,%s,%g,%.3e,%.2f\n", law, solver, path, rtol, percentile(e, exact),
           1e6 * e->seconds);
    fflush(stdout);
}

static void measure(const char *law, const char *solver, const char *path, double rtol,
                    const ends *exact) {
    ends *e = ends_new(exact->n);
    for (int round = 0; round < ROUNDS; round++) ours(law, solver, path, rtol, e);
    tell(law, solver, e->lanes > 0 ? "lanes" : path, rtol, e, exact);
}

/* CVODE in the library, and on equations written by hand where there are some. */
static void peers(const char *law, double rtol, long n, const ends *exact) {
    int sticks = strcmp(law, "coulomb") == 0;
    ends *e = ends_new(n);
    if (!sticks && bri_solver_find("cvode_bdf")) {
        ours(law, "cvode_bdf", "general", rtol, e);
        tell(law, "cvode_bdf", "general", rtol, e, exact);
    }
#ifdef BENCH_SUNDIALS
    const problem *rig = hand_written(law);
    if (!sticks && !rig) return;
    e = ends_new(n);
    for (int round = 0; round < ROUNDS; round++)
        if (sticks)
            sticking_by_hand(rtol, exact, e);
        else
            by_hand(rig, rtol, exact, e);
    tell(law, "peer_cvode_bdf", "by hand", rtol, e, exact);
#endif
}

int main(int argc, char **argv) {
    static const char *const laws[] = {"lugre", "dahl", "elasto_plastic", "coulomb"};
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 500;
    long few = argc > 2 ? strtol(argv[2], NULL, 10) : n;
    if (n < 20 || few < 20 || few > n) return 2;
    puts("law,solver,path,rtol,error p95,us per point");
    for (int i = 0; i < 4; i++) {
        int sticks = i == 3;
        ends *exact = ends_new(n);
        ours(laws[i], "rosenbrock", "general", sticks ? 1e-13 : 1e-11, exact);
        for (int k = 3; k <= 7; k++) {
            double rtol = pow(10.0, -k);
            measure(laws[i], "rosenbrock", sticks ? "phases" : "lanes", rtol, exact);
            measure(laws[i], "rosenbrock",
                    i == 0   ? "lugre"
                    : sticks ? "general"
                             : "single",
                    rtol, exact);
        }
        for (int k = 4; k <= (sticks ? 11 : 7); k++) peers(laws[i], pow(10.0, -k), few, exact);
    }
    return 0;
}
