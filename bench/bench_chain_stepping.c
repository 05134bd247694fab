/* bench_chain_stepping.c - time stepping of chains of blocks (Burridge and Knopoff): springs of
 * 1000 N/m between neighbours and 40 N/m to a plate that moves with 0.05 m/s, friction that weakens
 * with velocity. One row per chain and step size. The error is that of the positions after half a
 * second, the root of the mean square over the blocks as a share of the way of the plate, against a
 * step sixteen times smaller; up to 20 blocks also against the solver event_driven. Memory is what
 * malloc hands out for the simulation.
 *   bench_chain_stepping [LARGEST_N]  > rows.csv */
#include "bristle_sim.h"
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SHORT_STEP = 16 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *why) {
    fprintf(stderr, "bench_chain_stepping: %s\n", why);
    exit(1);
}

typedef struct chain {
    int n;
    bri_body *bodies;
    bri_coupling *couplings;
    bri_contact *contacts;
    bri_signal plate;
    bri_sim_def def;
} chain;

static double noise(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

/* Blocks begin at rest, displaced at random so that many are close to slipping. */
static void build(chain *c, int n) {
    unsigned seed = 1;
    *c = (chain){.n = n, .plate = bri_signal_constant(0.05), .def = bri_sim_defaults()};
    c->bodies = calloc((size_t)n + 1, sizeof *c->bodies);
    c->couplings = calloc(2 * (size_t)n, sizeof *c->couplings);
    c->contacts = calloc((size_t)n, sizeof *c->contacts);
    if (!c->bodies || !c->couplings || !c->contacts) stop("not enough memory");
    const bri_coupling_kind *spring = bri_coupling_find("spring");
    const bri_model *law = bri_model_find("stribeck");
    bri_system *y = &c->def.system;
    for (int i = 0; i < n; i++) {
        c->bodies[i] = (bri_body){.mass = 1.0, .x = -0.2 + 0.01 * noise(&seed)};
        c->contacts[i] = (bri_contact){.model = law, .a = i, .b = BRI_GROUND, .n = 1.0};
        bri_model_defaults(law, c->contacts[i].p);
        double *p = c->contacts[i].p;
        p[bri_model_param(law, "Fc")] = 5.0;
        p[bri_model_param(law, "Fs")] = 10.0;
        p[bri_model_param(law, "v_s")] = 0.1;
        p[bri_model_param(law, "gamma")] = 2.0;
        bri_coupling *to_plate = &c->couplings[y->n_couplings++];
        *to_plate = bri_coupling_defaults(spring, i, n);
        to_plate->p[0] = 40.0;
        if (i == 0) continue;
        bri_coupling *to_last = &c->couplings[y->n_couplings++];
        *to_last = bri_coupling_defaults(spring, i - 1, i);
        to_last->p[0] = 1000.0;
    }
    c->bodies[n] = (bri_body){.velocity = &c->plate};
    y->bodies = c->bodies, y->n_bodies = n + 1;
    y->couplings = c->couplings;
    y->contacts = c->contacts, y->n_contacts = n;
    c->def.energies = 0;
    c->def.t_end = 0.5;
}

static void unbuild(chain *c) {
    free(c->bodies);
    free(c->couplings);
    free(c->contacts);
}

typedef struct result {
    double seconds, bytes;
    long steps, sweeps;
    double *x;
} result;

static size_t in_use(void) {
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

static result run(chain *c, const char *solver, double step) {
    bri_sim *sim;
    bri_error err;
    result r = {.x = calloc((size_t)c->n, sizeof *r.x)};
    c->def.solver = bri_solver_find(solver);
    c->def.step = step;
    size_t before = in_use();
    if (!r.x) stop("not enough memory");
    if (bri_sim_create(&c->def, &sim, &err) != BRI_OK) stop(err.text);
    r.bytes = (double)(in_use() - before);
    double start = now();
    if (bri_sim_advance(sim, c->def.t_end, &err) != BRI_OK) stop(err.text);
    r.seconds = now() - start;
    r.steps = bri_sim_stats(sim).steps;
    r.sweeps = bri_sim_stats(sim).evals;
    for (int i = 0; i < c->n; i++) r.x[i] = bri_sim_body(sim, i).x;
    bri_sim_free(sim);
    return r;
}

static double error_of(const chain *c, const double *x, const double *exact) {
    double sum = 0.0;
    for (int i = 0; i < c->n; i++) sum += (x[i] - exact[i]) * (x[i] - exact[i]);
    return sqrt(sum / c->n) / (0.05 * c->def.t_end);
}

static void measure(int n, double step) {
    chain c;
    build(&c, n);
    int exact = n <= 20;
    result fine = run(&c, "time_stepping", step / SHORT_STEP), best = {0};
    for (int i = 0; i < 5; i++) {
        result r = run(&c, "time_stepping", step);
        if (i == 0 || r.seconds < best.seconds) {
            free(best.x);
            best = r;
        } else {
            free(r.x);
        }
    }
    printf("%d,time_stepping,%g,%.3g,", n, step, error_of(&c, best.x, fine.x));
    if (exact) {
        c.def.rtol = 1e-9;
        result events = run(&c, "event_driven", 0.0);
        printf("%.3g", error_of(&c, best.x, events.x));
        free(events.x);
    }
    double per = (double)best.steps * n;
    printf(",%ld,%.2f,%.2f,%.3f,%.0f\n", best.steps, (double)best.sweeps / (double)best.steps,
           1e9 * best.seconds / per, 1e3 * best.seconds, best.bytes / n);
    fflush(stdout);
    free(best.x);
    free(fine.x);
    unbuild(&c);
}

int main(int argc, char **argv) {
    int most = argc > 1 ? atoi(argv[1]) : 100000;
    puts("n,solver,step,error,error_event_driven,steps,sweeps_per_step,ns_per_step_block,ms,"
         "bytes_per_block");
    for (int n = 10; n <= most; n *= 10) {
        measure(n, 1e-3);
        measure(n, 1e-4);
    }
    return 0;
}
