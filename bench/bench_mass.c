/* bench_mass.c - what the step of a mass with its contact costs, in plain steps of its law, as CSV:
 *
 *     law,force,mass_kg,h_ms,tries,step_ns,own_ns,mass_ns,array_ns,batch_ns,ratio,ratio_own,off,slack
 *
 * force     swing: to and fro beyond break-away; jumps: another one every 20 steps; noise: every
 *           step
 * tries     steps of the law in one step of the mass, with their slope or without
 * step_ns   bri_model_step with the velocities of that motion, known beforehand, so that the
 *           processor computes several at a time
 * own_ns    the same where each velocity needs the force before it, as in a loop of one's own
 * mass_ns   bri_mass_step; ratio: to both
 * array_ns  bri_mass_steps, each of 1,000 masses that are at other places of the same force
 * batch_ns  bri_batch_step with their velocities
 * off       largest distance to the motion by steps of h/8, of the largest |x|: the error of h
 * slack     largest residual of m (v1 - v0)/h = f - F, as a share of the forces
 *
 * Times are the least of many repeats that take turns.
 *
 *     bench_mass [LAW ...] */
#define _POSIX_C_SOURCE 200809L
#include "bristle.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 1000, REPEATS = 60, FINE = 8 };

typedef enum kind { SWING, JUMPS, NOISE, KINDS } kind;
static const char *const kind_names[KINDS] = {"swing", "jumps", "noise"};

typedef struct rig {
    const bri_model *m;
    double p[BRI_MAX_PARAMS], mass, h, n;
    double force[STEPS], v[STEPS], x[STEPS];
} rig;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double halton(int i) {
    double share = 1.0, sum = 0.0;
    for (i++; i > 0; i /= 2) sum += (share /= 2.0) * (i % 2);
    return sum;
}

static double force_at(kind k, int i, double h) {
    if (k == SWING) return 1.3 * sin(4.4 * i * h);
    return 3.0 * halton(k == JUMPS ? i / 20 : i) - 1.5;
}

/* ---- what is timed ------------------------------------------------------------------------- */

static double run_mass(rig *r) {
    double x = 0.0, v = 0.0, z[BRI_MAX_STATES], t = now();
    bri_model_rest(r->m, r->p, z);
    for (int i = 0; i < STEPS; i++) {
        bri_push on = {.mass = r->mass, .force = r->force[i], .n = r->n};
        bri_mass_step(r->m, r->p, &on, r->h, &x, &v, z);
        r->v[i] = v;
        r->x[i] = x;
    }
    return (now() - t) / STEPS;
}

/* own: the velocity waits for the force of the step before, whose share of it is none. */
static double run_plain(const rig *r, int own) {
    double z[BRI_MAX_STATES], F = 0.0, t = now();
    volatile double sink;
    bri_model_rest(r->m, r->p, z);
    for (int i = 0; i < STEPS; i++) {
        bri_input u = {.v = own ? r->v[i] + 1e-30 * F : r->v[i], .n = r->n};
        F = bri_model_step(r->m, r->p, &u, r->h, z);
    }
    t = now() - t;
    sink = F;
    (void)sink;
    return t / STEPS;
}

/* Both array forms, in turns, over a tenth of the steps. */
static void run_arrays(const rig *r, double *masses_ns, double *batch_ns) {
    enum { TURNS = STEPS / 10 };
    static double mass[STEPS], force[STEPS], x[STEPS], v[STEPS], F[STEPS];
    static double z[BRI_MAX_STATES * STEPS], other[BRI_MAX_STATES * STEPS];
    double rest[BRI_MAX_STATES], t, sums[2] = {0.0, 0.0};
    bri_batch b = {.model = r->m, .count = STEPS, .p = r->p, .n = &r->n, .v = v};
    bri_model_rest(r->m, r->p, rest);
    for (int i = 0; i < STEPS; i++) {
        mass[i] = r->mass;
        x[i] = v[i] = 0.0;
        for (int j = 0; j < bri_model_states(r->m, r->p); j++)
            z[j * STEPS + i] = other[j * STEPS + i] = rest[j];
    }
    for (int k = 0; k < TURNS; k++) {
        for (int i = 0; i < STEPS; i++) force[i] = r->force[(i + k) % STEPS];
        t = now();
        bri_mass_steps(&b, mass, force, r->h, x, v, z, F);
        sums[0] += now() - t;
        t = now();
        bri_batch_step(&b, r->h, other, F);
        sums[1] += now() - t;
    }
    *masses_ns = fmin(*masses_ns, sums[0] / TURNS / STEPS);
    *batch_ns = fmin(*batch_ns, sums[1] / TURNS / STEPS);
}

/* ---- tries and errors ---------------------------------------------------------------------- */

static long tries;
static const bri_model *inside;

static double counted_step(const bri_model *m, const double *p, const bri_input *u, double h,
                           double *z) {
    (void)m;
    tries++;
    return bri_model_step(inside, p, u, h, z);
}

static double counted_slope(const bri_model *m, const double *p, const bri_input *u, double h,
                            double *z, double *by_v) {
    (void)m;
    tries++;
    return inside->step_slope(inside, p, u, h, z, by_v);
}

static double count_tries(const rig *r) {
    static rig copy;
    bri_model m = *r->m;
    inside = r->m;
    m.step = counted_step;
    if (m.step_slope) m.step_slope = counted_slope;
    copy = *r;
    copy.m = &m;
    tries = 0;
    run_mass(&copy);
    return (double)tries / STEPS;
}

static double find_slack(const rig *r) {
    double z[BRI_MAX_STATES], before[BRI_MAX_STATES], x = 0.0, v = 0.0, most = 0.0;
    bri_model_rest(r->m, r->p, z);
    for (int i = 0; i < STEPS && !r->m->set_valued; i++) {
        bri_push on = {.mass = r->mass, .force = r->force[i], .n = r->n};
        double start = v;
        memcpy(before, z, sizeof z);
        bri_mass_step(r->m, r->p, &on, r->h, &x, &v, z);
        bri_input u = {.x = x, .v = v, .n = r->n};
        double F = bri_model_step(r->m, r->p, &u, r->h, before);
        most = fmax(most, fabs(r->mass / r->h * (v - start) - on.force + F) /
                              (fabs(F) + fabs(on.force) + 1e-9 * r->n));
    }
    return most;
}

static double find_error(const rig *r) {
    double z[BRI_MAX_STATES], x = 0.0, v = 0.0, most = 0.0, size = 0.0;
    bri_model_rest(r->m, r->p, z);
    for (int i = 0; i < STEPS; i++) {
        bri_push on = {.mass = r->mass, .force = r->force[i], .n = r->n};
        for (int k = 0; k < FINE; k++) bri_mass_step(r->m, r->p, &on, r->h / FINE, &x, &v, z);
        most = fmax(most, fabs(x - r->x[i]));
        size = fmax(size, fabs(x));
    }
    return most / size;
}

static void measure(const bri_model *m, kind k, double mass, double h) {
    static rig r;
    r = (rig){.m = m, .mass = mass, .h = h, .n = m->load};
    bri_model_defaults(m, r.p);
    for (int i = 0; i < STEPS; i++) r.force[i] = 0.6 * r.n * force_at(k, i, h);
    double step = INFINITY, own = INFINITY, whole = INFINITY, masses = INFINITY, batch = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        whole = fmin(whole, run_mass(&r));
        step = fmin(step, run_plain(&r, 0));
        own = fmin(own, run_plain(&r, 1));
        if (i % 20 == 0) run_arrays(&r, &masses, &batch);
    }
    printf("%s,%s,%g,%g,%.2f,%.1f,%.1f,%.1f,%.1f,%.2f,%.2f,%.2f,%.1e,%.1e\n", m->name,
           kind_names[k], mass, 1e3 * h, count_tries(&r), step, own, whole, masses, batch,
           whole / step, whole / own, find_error(&r), find_slack(&r));
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const char *const usual[] = {"lugre",         "dahl",    "elasto_plastic",
                                        "bliman_sorine", "coulomb", "stribeck"};
    int count = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof *usual);
    printf(
        "law,force,mass_kg,h_ms,tries,step_ns,own_ns,mass_ns,array_ns,batch_ns,ratio,ratio_own,off,"
        "slack\n");
    for (int i = 0; i < count; i++) {
        const bri_model *m = bri_model_find(argc > 1 ? argv[1 + i] : usual[i]);
        if (!m) return fprintf(stderr, "bench_mass: no law %s\n", argv[1 + i]), 2;
        for (kind k = 0; k < KINDS; k++)
            for (double h = 1e-4; h < 2e-2; h *= 10.0)
                for (double mass = 0.01; mass < 200.0; mass *= 10.0) measure(m, k, mass, h);
    }
    return 0;
}
