/* referee COUNT SEED - random rigs simulated by the referee and by the library, compared. */
#define _POSIX_C_SOURCE 200809L

#include "compare.h"
#include "draw.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_RUNS = 12, MAX_TEXT = 8192 };

typedef struct trial {
    const char *solver;
    double rtol;
} trial;

typedef struct outcome {
    long number;
    const char *kind, *law;
    ref_count counts;
    ref_status status;
    double agreement, condition, seconds;
    long evals;
    int failed[MAX_RUNS], refused[MAX_RUNS];
    double error[MAX_RUNS], time[MAX_RUNS];
    long steps[MAX_RUNS];
    int doubted[MAX_RUNS];
    bri_findings seen[MAX_RUNS];
    char why[MAX_RUNS][160];
} outcome;

typedef struct plan {
    long count, seed, rig;
    const char *law, *kind, *csv;
    int threads, n_trials, strict, confirm, lanes;
    double max_step;
    trial trials[MAX_RUNS];
    outcome *out;
    long *numbers;
    long next;
    pthread_mutex_t lock;
} plan;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one rig -------------------------------------------------------------------------------- */

static void play(const plan *p, long number, outcome *o) {
    static _Thread_local ref_verdict verdict;
    static _Thread_local ref_run run;
    char text[MAX_TEXT];
    ref_rig r;
    ref_rig_draw(&r, (unsigned long)p->seed, number);
    ref_rig_write(&r, text, sizeof text);
    double t0 = seconds();
    ref_judge(&r, &verdict);
    *o = (outcome){.number = number, .kind = r.kind, .law = ref_laws[r.contact[0].law].name};
    o->counts = ref_counts(&verdict), o->status = verdict.status;
    o->agreement = verdict.agreement, o->condition = verdict.condition;
    o->seconds = seconds() - t0, o->evals = verdict.result.evals;
    if (verdict.status != REF_OK) return;
    for (int i = 0; i < p->n_trials; i++) {
        const trial *t = &p->trials[i];
        t0 = seconds();
        if (p->lanes)
            ref_run_lanes(&r, &verdict, text, t->rtol, &run);
        else
            ref_run_library(&r, text, t->solver, t->rtol, p->max_step, &run);
        o->time[i] = seconds() - t0;
        o->steps[i] = run.steps;
        o->doubted[i] = run.doubted;
        o->seen[i] = run.seen;
        o->failed[i] = run.status != BRI_OK, o->refused[i] = run.refused;
        o->error[i] = o->failed[i] ? INFINITY : ref_error(&r, &verdict, &run.result, NULL);
        snprintf(o->why[i], sizeof o->why[i], "%.150s", o->failed[i] ? run.err.text : "");
    }
}

static void *work(void *arg) {
    plan *p = arg;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        long i = p->next++;
        pthread_mutex_unlock(&p->lock);
        if (i >= p->count) return NULL;
        play(p, p->numbers[i], &p->out[i]);
    }
}

/* One rig in full: its scenario, the referee's word, the error of every column. */
static void show(const plan *p) {
    static ref_verdict v;
    static ref_run run;
    char text[MAX_TEXT];
    double error[2][REF_BODIES];
    ref_rig r;
    ref_rig_draw(&r, (unsigned long)p->seed, p->rig);
    ref_rig_write(&r, text, sizeof text);
    ref_judge(&r, &v);
    printf("%s", text);
    printf("# referee: status %d at %g s, %ld steps, %ld events, %ld evaluations\n", v.status,
           v.result.t, v.result.steps, v.result.events, v.result.evals);
    printf("# two tolerances agree to %.2g, condition %.3g\n", v.agreement, v.condition);
    for (int i = 0; i < r.n_bodies; i++)
        printf("# b%d ends at x = %.15g, v = %.15g, ranges %.4g, %.4g\n", i,
               v.result.x[REF_ROWS][i], v.result.v[REF_ROWS][i], v.range[0][i], v.range[1][i]);
    for (int t = 0; t < p->n_trials; t++) {
        ref_run_library(&r, text, p->trials[t].solver, p->trials[t].rtol, p->max_step, &run);
        double worst = ref_error(&r, &v, &run.result, error);
        printf("# %s %g: error %.3g, %ld steps %s\n", p->trials[t].solver, p->trials[t].rtol, worst,
               run.steps, run.status == BRI_OK ? "" : run.err.text);
        for (int i = 0; i < r.n_bodies; i++)
            if (r.body[i].motion == REF_FREE)
                printf("#   b%d x %.3g v %.3g\n", i, error[0][i], error[1][i]);
    }
}

/* ---- tables --------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One row: counted rigs whose law or kind is `name` (NULL: all). */
static void row(const plan *p, int t, const char *name) {
    double *ratio = malloc((size_t)p->count * sizeof *ratio);
    long n = 0, off = 0, gave_up = 0, all = 0;
    for (long i = 0; i < p->count; i++) {
        const outcome *o = &p->out[i];
        if (name && strcmp(o->law, name) && strcmp(o->kind, name)) continue;
        if (o->counts != REF_COUNTED || o->refused[t]) continue;
        all++;
        gave_up += o->failed[t];
        off += !o->failed[t] && o->error[t] > 1e-3;
        if (!o->failed[t]) ratio[n++] = o->error[t] / p->trials[t].rtol;
    }
    if (all) {
        qsort(ratio, (size_t)n, sizeof *ratio, by_size);
        printf("%-22s %6ld %7.2f %8ld", name ? name : "all", all, 100.0 * (double)off / (double)all,
               gave_up);
        static const double share[] = {0.5, 0.9, 0.99, 1.0};
        for (int q = 0; q < 4 && n; q++)
            printf(" %9.2g", ratio[(long)(share[q] * (double)(n - 1) + 0.5)]);
        printf("\n");
    }
    free(ratio);
}

static void table(const plan *p, int t) {
    printf("\n%s, rtol %g: rigs off by more than 0.1 %% of the range, quantiles of error/rtol\n",
           p->trials[t].solver, p->trials[t].rtol);
    printf("%-22s %6s %7s %8s %9s %9s %9s %9s\n", "law or kind", "rigs", "off %", "gave up", "50 %",
           "90 %", "99 %", "100 %");
    row(p, t, NULL);
    for (int i = 0; i < ref_law_count; i++) row(p, t, ref_laws[i].name);
    for (int i = 0; i < ref_kind_count; i++) row(p, t, ref_kinds[i].name);
}

/* The error of the library with rtol 1e-9 and 200,000 steps at least: if that is not small, it may
 * be the referee that is wrong. */
static double confirmed(const plan *p, const outcome *o) {
    static ref_verdict v;
    static ref_run run;
    char text[MAX_TEXT];
    ref_rig r;
    ref_rig_draw(&r, (unsigned long)p->seed, o->number);
    ref_rig_write(&r, text, sizeof text);
    ref_judge(&r, &v);
    ref_run_library(&r, text, "rosenbrock", 1e-9, (r.end - r.start) / 2e5, &run);
    return run.status == BRI_OK ? ref_error(&r, &v, &run.result, NULL) : INFINITY;
}

/* Rigs that are off or gave up; returns how many. */
static long list_bad(const plan *p, int t) {
    long bad = 0;
    for (long i = 0; i < p->count; i++) {
        const outcome *o = &p->out[i];
        if (o->counts != REF_COUNTED || o->refused[t] || (!o->failed[t] && o->error[t] <= 1e-3))
            continue;
        bad++;
        printf("%s %g: rig %ld %s %s error %.3g condition %.2g agreement %.1g %s\n",
               p->trials[t].solver, p->trials[t].rtol, o->number, o->kind, o->law, o->error[t],
               o->condition, o->agreement, o->why[t]);
        if (p->confirm) printf("    with small steps: error %.2g\n", confirmed(p, o));
    }
    return bad;
}

static void write_csv(const plan *p) {
    FILE *f = fopen(p->csv, "w");
    if (!f) {
        fprintf(stderr, "%s: %s\n", p->csv, strerror(errno));
        exit(2);
    }
    fprintf(f, "rig,kind,law,counts,status,agreement,condition,evals,seconds,solver,rtol,gave_up,"
               "error,steps,doubted,residual,regained,astray,unseen,time\n");
    for (long i = 0; i < p->count; i++)
        for (int t = 0; t < p->n_trials; t++) {
            const outcome *o = &p->out[i];
            fprintf(
                f,
                "%ld,%s,%s,%d,%d,%.3g,%.3g,%ld,%.3g,%s,%g,%d,%.6g,%ld,%d,%.3g,%.3g,%.3g,%ld,%.3g\n",
                o->number, o->kind, o->law, o->counts, o->status, o->agreement, o->condition,
                o->evals, o->seconds, p->trials[t].solver, p->trials[t].rtol, o->failed[t],
                o->error[t], o->steps[t], o->doubted[t], o->seen[t].residual, o->seen[t].regained,
                o->seen[t].astray, o->seen[t].unseen, o->time[t]);
        }
    fclose(f);
}

static void summary(const plan *p) {
    static const char *const name[] = {"counted", "chaotic (condition > 1000)",
                                       "left open by the laws", "on which the referee is not sure",
                                       "too dear for it"};
    long by[REF_COUNTS] = {0};
    double time = 0.0, worst = 0.0;
    for (long i = 0; i < p->count; i++) {
        by[p->out[i].counts]++;
        time += p->out[i].seconds;
        worst = fmax(worst, p->out[i].seconds);
    }
    printf("%ld rigs of seed %ld:", p->count, p->seed);
    for (int i = 0; i < REF_COUNTS; i++) printf(" %ld %s,", by[i], name[i]);
    printf(" %.1f s in the referee, %.1f s at most\n", time, worst);
    for (long i = 0; i < p->count; i++) {
        const outcome *o = &p->out[i];
        if (o->counts == REF_UNSURE)
            printf("not sure: rig %ld %s %s status %d agreement %.2g\n", o->number, o->kind, o->law,
                   o->status, o->agreement);
    }
}

/* ---- arguments ------------------------------------------------------------------------------ */

static void usage(void) {
    fprintf(stderr, "usage: referee COUNT SEED [--rtol LIST] [--solver LIST] [--law L] [--kind K]\n"
                    "       [--rig N] [--max-step H] [--threads T] [--csv FILE] [--confirm] "
                    "[--lanes] [--strict]\n");
    exit(2);
}

static void cross(plan *p, char *solvers, char *rtols) {
    for (char *at, *s = strtok_r(solvers, ",", &at); s; s = strtok_r(NULL, ",", &at)) {
        char copy[128], *in;
        snprintf(copy, sizeof copy, "%s", rtols);
        for (char *r = strtok_r(copy, ",", &in); r; r = strtok_r(NULL, ",", &in))
            if (p->n_trials < MAX_RUNS) p->trials[p->n_trials++] = (trial){s, strtod(r, NULL)};
    }
}

static plan arguments(int argc, char **argv, char *solvers, char *rtols) {
    plan p = {.threads = 1, .rig = -1};
    if (argc < 3) usage();
    p.count = strtol(argv[1], NULL, 10), p.seed = strtol(argv[2], NULL, 10);
    for (int i = 3; i < argc; i++) {
        const char *key = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        int *flag = !strcmp(key, "--strict")    ? &p.strict
                    : !strcmp(key, "--confirm") ? &p.confirm
                    : !strcmp(key, "--lanes")   ? &p.lanes
                                                : NULL;
        if (flag) {
            *flag = 1;
            continue;
        }
        if (!value) usage();
        i++;
        if (!strcmp(key, "--rtol"))
            snprintf(rtols, 128, "%s", value);
        else if (!strcmp(key, "--solver"))
            snprintf(solvers, 128, "%s", value);
        else if (!strcmp(key, "--law"))
            p.law = value;
        else if (!strcmp(key, "--kind"))
            p.kind = value;
        else if (!strcmp(key, "--rig"))
            p.rig = strtol(value, NULL, 10);
        else if (!strcmp(key, "--max-step"))
            p.max_step = strtod(value, NULL);
        else if (!strcmp(key, "--threads"))
            p.threads = (int)strtol(value, NULL, 10);
        else if (!strcmp(key, "--csv"))
            p.csv = value;
        else
            usage();
    }
    cross(&p, solvers, rtols);
    return p;
}

/* The first COUNT rigs that have the law and the kind asked for. */
static void choose(plan *p) {
    p->numbers = malloc((size_t)p->count * sizeof *p->numbers);
    p->out = calloc((size_t)p->count, sizeof *p->out);
    long n = 0;
    for (long i = 0; n < p->count && i < 1000 * p->count + 10000; i++) {
        ref_rig r;
        ref_rig_draw(&r, (unsigned long)p->seed, i);
        if (p->law && strcmp(p->law, ref_laws[r.contact[0].law].name)) continue;
        if (p->kind && strcmp(p->kind, r.kind)) continue;
        if (p->lanes && !ref_is_plain(&r)) continue;
        p->numbers[n++] = i;
    }
    p->count = n;
}

int main(int argc, char **argv) {
    static char solvers[128] = "rosenbrock", rtols[128] = "1e-6";
    plan p = arguments(argc, argv, solvers, rtols);
    pthread_t thread[64];
    long bad = 0;
    if (p.rig >= 0) {
        show(&p);
        return 0;
    }
    choose(&p);
    pthread_mutex_init(&p.lock, NULL);
    if (p.threads > 64) p.threads = 64;
    for (int i = 0; i < p.threads; i++) pthread_create(&thread[i], NULL, work, &p);
    for (int i = 0; i < p.threads; i++) pthread_join(thread[i], NULL);
    summary(&p);
    if (p.lanes) printf("as points of sweeps, of laws that lanes of vectors take\n");
    for (int t = 0; t < p.n_trials; t++) table(&p, t);
    printf("\n");
    for (int t = 0; t < p.n_trials; t++) bad += list_bad(&p, t);
    if (p.csv) write_csv(&p);
    free(p.numbers);
    free(p.out);
    return p.strict && bad;
}
