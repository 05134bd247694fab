/* metamorphic COUNT SEED [FACTOR] - drawn rigs in the library, as they are and changed in ways that
 * leave their motion the same: the answers may differ by FACTOR (10) times the tolerance, times the
 * condition of the rig where that is above 1, measured by the range. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "changes.h"
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_TEXT = 8192, MAX_LEVELS = BRI_LEVEL_COUNT - 1 };

static const double rtol = 1e-6;
static double factor = 10.0;

/* What one change did to one rig. */
typedef struct difference {
    int done, left_out;
    double by;    /* share of the range; INFINITY: gave up */
    double limit; /* allowed */
    char why[120];
} difference;

typedef struct lesson {
    int counted;
    char what[100];
    ref_run levels[MAX_LEVELS]; /* filled in by processes of their own */
} lesson;

static void run_as_is(const ref_rig *r, double max_step, ref_run *out) {
    static char text[MAX_TEXT];
    ref_rig_write(r, text, sizeof text);
    ref_run_library(r, text, "rosenbrock", rtol, max_step, out);
}

/* ---- instruction levels: each in a process of its own, the library reads them once ----------- */

static void run_levels(long count, unsigned long seed, lesson *all) {
    for (int level = 1; level < BRI_LEVEL_COUNT; level++) {
        pid_t child = fork();
        if (child == 0) {
            setenv("BRISTLE_LEVEL", bri_level_name((bri_level)level), 1);
            if (!bri_level_usable((bri_level)level)) _exit(0);
            for (long i = 0; i < count; i++) {
                ref_rig r;
                ref_rig_draw(&r, seed, i);
                run_as_is(&r, 0.0, &all[i].levels[level - 1]);
                all[i].levels[level - 1].steps++; /* nonzero: has been run */
            }
            _exit(0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
            fprintf(stderr, "the process for a level of instructions failed\n");
            exit(2);
        }
    }
}

/* ---- one rig -------------------------------------------------------------------------------- */

/* The motion of the original, read from that of the changed rig. */
static void read_back(const ref_rig *from, const ref_reading *how, const ref_result *to,
                      ref_result *out) {
    for (int row = 0; row <= REF_ROWS; row++)
        for (int i = 0; i < from->n_bodies; i++) {
            double t = ref_row_time(from, row) - from->start;
            out->x[row][i] = how->scale * to->x[row][how->body[i]] - how->drift * t;
            out->v[row][i] = how->scale * to->v[row][how->body[i]] - how->drift;
        }
}

static void note(const ref_rig *r, const ref_verdict *v, const ref_run *run, const ref_result *seen,
                 difference *d) {
    double by = run->status == BRI_OK ? ref_error(r, v, seen, NULL) : INFINITY;
    if (!d->done || by > d->by) {
        d->by = by;
        snprintf(d->why, sizeof d->why, "%.110s", run->status == BRI_OK ? "" : run->err.text);
    }
    d->done = 1;
    d->limit = factor * rtol * fmax(1.0, v->condition);
}

/* The largest step that the library takes on a rig by itself. */
static double largest_step(const ref_rig *r) {
    static char text[MAX_TEXT];
    bri_scenario *scenario;
    bri_messages messages;
    bri_sim *sim;
    double most = 0.0, t = r->start;
    ref_rig_write(r, text, sizeof text);
    if (bri_scenario_parse(text, strlen(text), "rig", NULL, &scenario, &messages) != BRI_OK)
        return 0;
    if (bri_sim_create(bri_scenario_def(scenario), &sim, NULL) == BRI_OK)
        while (bri_sim_step(sim, r->end, NULL) == BRI_OK && bri_sim_time(sim) > t) {
            most = fmax(most, bri_sim_time(sim) - t);
            t = bri_sim_time(sim);
        }
    bri_sim_free(sim);
    bri_scenario_free(scenario);
    return most;
}

/* All changes of a rig whose own answer is in v. */
static void change_all(const ref_rig *r, const ref_verdict *v, const lesson *l, difference *d) {
    static ref_run run;
    static ref_result seen;
    int step = ref_change_count - 2, level = ref_change_count - 1;
    for (int c = 0; c < step; c++) {
        ref_reading how = {.body = {0, 1, 2, 3, 4, 5}, .scale = 1.0};
        ref_rig other = *r;
        if (r->n_bodies == REF_BODIES) continue; /* no room for one more */
        ref_changes[c].make(r, &other, &how);
        run_as_is(&other, 0.0, &run);
        if (ref_changes[c].units && run.status == BRI_BAD_VALUE) {
            d[c].left_out = 1; /* out of the range of its table, before the first step */
            continue;
        }
        read_back(r, &how, &run.result, &seen);
        /* Tolerances are shares of the ways and speeds of bodies, and those are larger in a frame
         * that moves, by its own: a block that creeps along with it is known to rtol of the way of
         * the frame, not of its own. So far, and no further, the answers may differ. */
        ref_verdict in_frame = *v;
        for (int i = 0; i < r->n_bodies; i++) {
            in_frame.range[0][i] += fabs(how.drift) * (r->end - r->start);
            in_frame.range[1][i] += fabs(how.drift);
        }
        note(r, &in_frame, &run, &seen, &d[c]);
    }
    run_as_is(r, 0.5 * largest_step(r), &run);
    note(r, v, &run, &run.result, &d[step]);
    for (int i = 0; i < MAX_LEVELS; i++)
        if (l->levels[i].steps) note(r, v, &l->levels[i], &l->levels[i].result, &d[level]);
}

static void learn(long i, unsigned long seed, lesson *l, difference *d) {
    static ref_verdict v;
    static ref_run run;
    ref_rig r;
    ref_rig_draw(&r, seed, i);
    snprintf(l->what, sizeof l->what, "rig %ld %s %s", i, r.kind, ref_laws[r.contact[0].law].name);
    ref_judge(&r, &v);
    l->counted = ref_counts(&v) == REF_COUNTED;
    if (!l->counted) return;
    run_as_is(&r, 0.0, &run);
    if (run.status != BRI_OK) { /* then the changed ones have to give up as well */
        printf("%s: gave up: %s\n", l->what, run.err.text);
        l->counted = 0;
        return;
    }
    v.result = run.result; /* differences, not errors: ranges are those of the referee */
    change_all(&r, &v, l, d);
}

/* ---- tables --------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One row of the table; returns how many differ by more than allowed. */
static long row(const difference *all, long count, int change) {
    double *ratio = malloc((size_t)count * sizeof *ratio);
    long n = 0, beyond = 0, ten = 0, left_out = 0;
    for (long i = 0; i < count; i++) {
        const difference *d = &all[i * ref_change_count + change];
        left_out += d->left_out;
        if (!d->done) continue;
        ratio[n++] = d->by / rtol;
        beyond += d->by > d->limit;
        ten += d->by > 10.0 * rtol;
    }
    qsort(ratio, (size_t)n, sizeof *ratio, by_size);
    printf("%-28s %6ld %8ld %8ld", ref_changes[change].name, n, ten, beyond);
    static const double share[] = {0.5, 0.9, 0.99, 1.0};
    for (int q = 0; q < 4 && n; q++)
        printf(" %9.2g", ratio[(long)(share[q] * (double)(n - 1) + 0.5)]);
    if (left_out) printf("  (%ld left out: outside of their tables)", left_out);
    printf("\n");
    free(ratio);
    return beyond;
}

int main(int argc, char **argv) {
    long count = argc > 2 ? strtol(argv[1], NULL, 10) : 0, bad = 0, counted = 0;
    if (count <= 0) {
        fprintf(stderr, "usage: metamorphic COUNT SEED [FACTOR]\n");
        return 2;
    }
    if (argc > 3) factor = strtod(argv[3], NULL);
    unsigned long seed = strtoul(argv[2], NULL, 10);
    lesson *all = mmap(NULL, (size_t)count * sizeof *all, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    difference *d = calloc((size_t)(count * ref_change_count), sizeof *d);
    if (all == MAP_FAILED || !d) return 2;
    run_levels(count, seed, all);
    for (long i = 0; i < count; i++) {
        learn(i, seed, &all[i], &d[i * ref_change_count]);
        counted += all[i].counted;
    }
    printf("%ld of %ld rigs of seed %lu, rtol %g, quantiles of difference/rtol\n%-28s %6s %8s %8s "
           "%9s %9s %9s %9s\n",
           counted, count, seed, rtol, "change", "rigs", "> 10rtol", "> limit", "50 %", "90 %",
           "99 %", "100 %");
    for (int c = 0; c < ref_change_count; c++) row(d, count, c);
    for (long i = 0; i < count * ref_change_count; i++)
        if (d[i].done && d[i].by > d[i].limit) {
            bad++;
            printf("%s, %s: differs by %.3g, allowed %.3g %s\n", all[i / ref_change_count].what,
                   ref_changes[i % ref_change_count].name, d[i].by, d[i].limit, d[i].why);
        }
    free(d);
    munmap(all, (size_t)count * sizeof *all);
    return bad > 0;
}
