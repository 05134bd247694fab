/* bench_run.c - whole simulations: achieved error beside time, ours and those of others.
 *
 *   bench_run [--repeats N] [--check] [--only SCENARIO] [--reference FILE] [peers.csv ...]
 *
 * Writes CSV scenario,model,solver,rtol,error,steps,evals,us to standard output. Times are
 * processor time, the minimum of N rounds in which all contenders take turns. Rows of the CSV files
 * named, from bench/peers, are added. --check compares with the goals, on standard error; --only
 * leaves all other scenarios out.
 * --reference writes the outputs of the reference solution of the Rabinowicz rig and stops. */
#define _POSIX_C_SOURCE 200809L
#include "peers/problem.h"
#include "rigs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_VALUES = 48 * 20, MOST_ROWS = 400 };

typedef int (*peer_run)(const problem *p, double rtol, double *out, effort *e);

#ifdef BENCH_SUNDIALS
#define CVODE  peer_cvode_bdf
#define DOPRI5 peer_arkode_dopri5
#else
#define CVODE  NULL
#define DOPRI5 NULL
#endif

typedef struct scene {
    const char *name, *model;
    const problem *p;
    void (*make)(rig *r);
    void (*out)(bri_sim *s, double *out);
    double exact;   /* rtol of the reference solution, by our method of order 5 */
    peer_run judge; /* who is to find the same, and at which rtol or step */
    double judged;
    double reference[MOST_VALUES];
} scene;

static scene scenes[] = {
    {"rabinowicz", "lugre", &rabinowicz, rig_rabinowicz, out_rabinowicz, 1e-13, DOPRI5, 1e-13, {0}},
    {"rabinowicz_dahl",
     "dahl",
     &rabinowicz_dahl,
     rig_rabinowicz_dahl,
     out_rabinowicz,
     1e-12,
     CVODE,
     1e-12,
     {0}},
    {"rabinowicz_elasto_plastic",
     "elasto_plastic",
     &rabinowicz_elasto_plastic,
     rig_rabinowicz_elasto_plastic,
     out_rabinowicz,
     1e-12,
     CVODE,
     1e-12,
     {0}},
    {"rabinowicz_gonthier",
     "gonthier",
     &rabinowicz_gonthier,
     rig_rabinowicz_gonthier,
     out_two_states,
     1e-12,
     CVODE,
     1e-12,
     {0}},
    {"rabinowicz_second_order",
     "bristle_second_order",
     &rabinowicz_second_order,
     rig_rabinowicz_second_order,
     out_two_states,
     1e-12,
     CVODE,
     1e-12,
     {0}},
    {"festoon",
     "bristle_second_order",
     &festoon,
     rig_festoon,
     out_festoon,
     1e-12,
     CVODE,
     1e-12,
     {0}},
    {"leus_vibrating", "lugre", &leus, rig_leus, out_leus, 1e-10, peer_rk4, 1e-6, {0}},
    {"three_dof", "lugre", &three_dof, rig_three_dof, out_three_dof, 1e-12, CVODE, 1e-12, {0}},
    {"robot_joint", "lugre", &joint, rig_joint, out_joint, 1e-12, CVODE, 1e-12, {0}},
};
enum { RABINOWICZ, DAHL, SECOND_ORDER = DAHL + 3, FESTOON, LEUS, THREE_DOF, JOINT, SCENES };

static const char *only; /* NULL: all */

static int is_wanted(int i) { return !only || strcmp(only, scenes[i].name) == 0; }

typedef struct row {
    const scene *s;
    const char *scenario, *model, *solver;
    peer_run peer; /* NULL: one of our solvers */
    double rtol, error, us;
    long steps, evals;
    int rounds; /* fewer rounds for what takes long; 0: read from a file */
} row;

static row rows[MOST_ROWS];
static int n_rows;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int our_run(const scene *s, const char *solver, double rtol, double *out, effort *e) {
    rig r;
    bri_sim *sim;
    bri_error err;
    s->make(&r);
    r.def.solver = bri_solver_find(solver);
    r.def.rtol = rtol;
    r.def.step = rtol; /* of the fixed-step solver */
    if (strcmp(solver, "rk4") == 0) r.def.rtol = 1e-6;
    if (bri_sim_create(&r.def, &sim, &err) != BRI_OK) {
        fprintf(stderr, "bench_run: %s: %s\n", s->name, err.text);
        return 0;
    }
    int ok = 1;
    for (int k = 1; ok && k <= s->p->checks; k++) {
        ok = bri_sim_advance(sim, s->p->t_end * k / s->p->checks, &err) == BRI_OK;
        s->out(sim, out + (k - 1) * s->p->n_out);
    }
    if (!ok) fprintf(stderr, "bench_run: %s: %s\n", s->name, err.text);
    bri_stats stats = bri_sim_stats(sim);
    *e = (effort){stats.steps, stats.evals};
    bri_sim_free(sim);
    return ok;
}

static double error_of(const scene *s, const double *out) {
    double most = 0.0;
    for (int k = 0; k < s->p->checks; k++)
        for (int i = 0; i < s->p->n_out; i++) {
            int at = k * s->p->n_out + i;
            most = fmax(most, fabs(out[at] - s->reference[at]) / s->p->scale[i]);
        }
    return most;
}

static void run(row *r) {
    static double out[MOST_VALUES];
    effort e = {0};
    double begin = now();
    int ok =
        r->peer ? r->peer(r->s->p, r->rtol, out, &e) : our_run(r->s, r->solver, r->rtol, out, &e);
    double us = now() - begin;
    r->error = ok ? error_of(r->s, out) : INFINITY;
    r->steps = e.steps;
    r->evals = e.evals;
    if (r->us == 0.0 || us < r->us) r->us = us;
}

static void add(int scene_index, const char *solver, peer_run peer, double rtol, int rounds) {
    const scene *s = &scenes[scene_index];
    if (!is_wanted(scene_index) || (!peer && !bri_solver_find(solver))) return;
    if (n_rows < MOST_ROWS)
        rows[n_rows++] = (row){.s = s,
                               .scenario = s->name,
                               .model = s->model,
                               .solver = solver,
                               .peer = peer,
                               .rtol = rtol,
                               .rounds = rounds};
}

static void plan(int repeats) {
    static const char *const stiff[] = {"rosenbrock", "rodas4", "rodas5p"};
    for (int k = 0; k <= 14; k++) {
        double rtol = k % 2 ? 3e-4 * pow(10.0, -k / 2) : 1e-3 * pow(10.0, -k / 2);
        for (int i = 0; i < 3; i++) add(RABINOWICZ, stiff[i], NULL, rtol, repeats);
        add(RABINOWICZ, "hand_rosenbrock", peer_hand_rosenbrock, rtol, repeats);
        add(RABINOWICZ, "general_network", peer_general_network, rtol, repeats);
        add(RABINOWICZ, "peer_cvode_bdf", CVODE, rtol, 1 + repeats / 4);
        add(RABINOWICZ, "peer_arkode_dopri5", DOPRI5, rtol, 1 + repeats / 8);
        if (k % 2) continue;
        add(RABINOWICZ, "cvode_bdf", NULL, rtol, 1 + repeats / 8);
        add(RABINOWICZ, "erk_dopri5", NULL, rtol, 1 + repeats / 16);
        add(RABINOWICZ, "erk_bs23", NULL, rtol, 1 + repeats / 16);
        if (k <= 10) add(RABINOWICZ, "cvode_adams", NULL, rtol, 1 + repeats / 16);
    }
    add(RABINOWICZ, "rk4", NULL, 1e-4, 1 + repeats / 16);
    for (int k = 6; k <= 20; k++)
        for (int i = DAHL; i <= SECOND_ORDER; i++) {
            add(i, "rosenbrock", NULL, pow(10.0, -0.5 * k), repeats);
            add(i, "peer_cvode_bdf", CVODE, pow(10.0, -0.5 * k), 1 + repeats / 4);
        }
    for (int k = 8; k <= 18; k++) {
        double rtol = pow(10.0, -0.5 * k);
        add(FESTOON, "rosenbrock", NULL, rtol, 1 + repeats / 8);
        add(FESTOON, "peer_cvode_bdf", CVODE, rtol, 1 + repeats / 16);
    }
    for (int k = 4; k <= 18; k++) {
        double rtol = pow(10.0, -0.5 * k);
        for (int i = THREE_DOF; i <= JOINT; i++) {
            add(i, "rosenbrock", NULL, rtol, 1 + repeats / 4);
            add(i, "peer_cvode_bdf", CVODE, rtol, 1 + repeats / 8);
        }
    }
    add(FESTOON, "cvode_bdf", NULL, 1e-8, 1);
    add(LEUS, "peer_rk4", peer_rk4, 5e-6, 1 + repeats / 30);
    for (int k = 8; k <= 12; k++)
        add(LEUS, "rosenbrock", NULL, pow(10.0, -0.5 * k), 1 + repeats / 30);
}

/* ---- rows of other programs ------------------------------------------------------------- */

static int read_rows(const char *path) {
    char line[400], scenario[40], model[40], solver[40];
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "bench_run: %s cannot be opened\n", path);
        return 0;
    }
    while (fgets(line, sizeof line, file) && n_rows < MOST_ROWS) {
        row r = {.rounds = 0};
        if (sscanf(line, "%39[^,],%39[^,],%39[^,],%lf,%lf,%ld,%ld,%lf", scenario, model, solver,
                   &r.rtol, &r.error, &r.steps, &r.evals, &r.us) != 8)
            continue;
        r.scenario = strdup(scenario);
        r.model = strdup(model);
        r.solver = strdup(solver);
        rows[n_rows++] = r;
    }
    fclose(file);
    return 1;
}

/* ---- goals ------------------------------------------------------------------------------ */

/* The time in which a solver reaches an error: log-log between its best points. */
static double time_for(const char *scenario, const char *solver, double error) {
    const row *best[MOST_ROWS];
    int n = 0;
    for (int i = 0; i < n_rows; i++) {
        const row *r = &rows[i];
        if (strcmp(r->scenario, scenario) != 0 || strcmp(r->solver, solver) != 0) continue;
        if (!(r->error > 0.0 && r->us > 0.0) || isinf(r->error)) continue;
        int beaten = 0;
        for (int j = 0; j < n_rows && !beaten; j++)
            beaten = j != i && strcmp(rows[j].scenario, scenario) == 0 &&
                     strcmp(rows[j].solver, solver) == 0 && rows[j].us <= r->us &&
                     rows[j].error < r->error;
        if (!beaten) best[n++] = r;
    }
    const row *above = NULL, *below = NULL; /* the nearest on both sides */
    for (int i = 0; i < n; i++) {
        if (best[i]->error >= error && (!above || best[i]->error < above->error)) above = best[i];
        if (best[i]->error <= error && (!below || best[i]->error > below->error)) below = best[i];
    }
    if (!below) return NAN;
    if (!above || above == below) return below->us;
    double part = log(error / above->error) / log(below->error / above->error);
    return above->us * pow(below->us / above->us, part);
}

static int goals, reached;

static void goal(const char *what, double got, double want, int at_most) {
    int ok = at_most ? got <= want : got >= want;
    goals++;
    reached += ok;
    fprintf(stderr, "%-68s %9.3g  goal %s %-6g %s\n", what, got, at_most ? "<=" : ">=", want,
            isnan(got) ? "not measured"
            : ok       ? "reached"
                       : "MISSED");
}

static double best_of_ours(double error) {
    static const char *const ours[] = {"rosenbrock", "rodas4", "rodas5p"};
    double best = NAN;
    for (int i = 0; i < 3; i++) best = fmin(best, time_for("rabinowicz", ours[i], error));
    return best;
}

static const row *find_row(const char *scenario, const char *solver, double rtol) {
    for (int i = 0; i < n_rows; i++)
        if (strcmp(rows[i].scenario, scenario) == 0 && strcmp(rows[i].solver, solver) == 0 &&
            fabs(rows[i].rtol / rtol - 1.0) < 1e-6)
            return &rows[i];
    return NULL;
}

/* Time per evaluation over that of the right-hand side written by hand, mean of all tolerances. */
static double over_hand(const char *solver) {
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < n_rows; i++) {
        const row *mine = &rows[i];
        if (strcmp(mine->scenario, "rabinowicz") != 0 || strcmp(mine->solver, solver) != 0)
            continue;
        const row *other = find_row("rabinowicz", "hand_rosenbrock", mine->rtol);
        if (!other) continue;
        sum += log(mine->us / (double)mine->evals) - log(other->us / (double)other->evals);
        count++;
    }
    return exp(sum / count);
}

/* CVODE over ours at equal errors of 10^-k/2, k from first to last. */
static void check_cvode(int i, int first, int last, int by, double want) {
    char text[100];
    for (int k = first; k <= last; k += by) {
        double error = pow(10.0, -0.5 * k);
        snprintf(text, sizeof text, "%s, error %.1e: hand-written CVODE / rosenbrock",
                 scenes[i].name, error);
        double other = time_for(scenes[i].name, "peer_cvode_bdf", error);
        goal(text, other / time_for(scenes[i].name, "rosenbrock", error), want, 0);
        if (i == RABINOWICZ)
            fprintf(stderr, "%68s %9.3g  (best of rosenbrock, rodas4, rodas5p)\n", "",
                    other / best_of_ours(error));
    }
}

static void check_rabinowicz(void) {
    char text[100];
    check_cvode(RABINOWICZ, 6, 12, 1, 30.0);
    for (int k = 3; k <= 5; k++) {
        double error = pow(10.0, -k), mine = time_for("rabinowicz", "rosenbrock", error);
        snprintf(text, sizeof text, "rabinowicz, error %.1e: SciPy LSODA / rosenbrock", error);
        goal(text, time_for("rabinowicz", "scipy_lsoda", error) / mine, 250.0, 0);
    }
    double error = 5e-4; /* ode15s of Octave gets no further */
    goal("rabinowicz, error 5e-4: Octave ode15s / rosenbrock",
         time_for("rabinowicz", "octave_ode15s", error) /
             time_for("rabinowicz", "rosenbrock", error),
         2000.0, 0);
    goal("network / hand-written right-hand side, time per evaluation", over_hand("rosenbrock"),
         1.3, 1);
    fprintf(stderr, "%68s %9.3g  (the general network, for more bodies)\n", "",
            over_hand("general_network"));
}

static void check_leus(void) {
    const row *other = find_row("leus_vibrating", "peer_rk4", 5e-6);
    for (int i = 0; other && i < n_rows; i++) /* the loosest tolerance with a smaller error */
        if (strcmp(rows[i].scenario, "leus_vibrating") == 0 && !rows[i].peer &&
            rows[i].error < other->error) {
            goal("leus_vibrating: hand-written rk4 / rosenbrock", other->us / rows[i].us, 1.0, 0);
            break;
        }
}

static void check(void) {
    if (is_wanted(RABINOWICZ)) check_rabinowicz();
    for (int i = DAHL; i <= SECOND_ORDER; i++)
        if (is_wanted(i)) check_cvode(i, 6, 12, 1, 25.0);
    const row *other = find_row("festoon", "peer_cvode_bdf", 1e-8);
    if (other) {
        double mine = time_for("festoon", "rosenbrock", other->error);
        goal("festoon: hand-written CVODE at rtol 1e-8 / rosenbrock, equal error", other->us / mine,
             15.0, 0);
    }
    for (int i = THREE_DOF; i <= JOINT; i++)
        if (is_wanted(i)) check_cvode(i, 6, 12, 2, 12.0);
    check_leus();
    fprintf(stderr, "%d of %d goals reached\n", reached, goals);
}

/* ---- main ------------------------------------------------------------------------------- */

static int write_reference(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    const scene *s = &scenes[RABINOWICZ];
    for (int k = 0; k < s->p->checks; k++)
        fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", s->p->t_end * (k + 1) / s->p->checks,
                s->reference[3 * k], s->reference[3 * k + 1], s->reference[3 * k + 2]);
    return fclose(file) != 0;
}

static void find_references(void) {
    static double second[MOST_VALUES];
    effort e;
    fprintf(stderr, "reference solutions against an independent one:");
    for (int i = 0; i < SCENES; i++) {
        scene *s = &scenes[i];
        if (!is_wanted(i)) continue;
        our_run(s, "rodas5p", s->exact, s->reference, &e);
        if (s->judge && s->judge(s->p, s->judged, second, &e))
            fprintf(stderr, " %s %.1e", s->name, error_of(s, second));
    }
    fprintf(stderr, "\n");
}

int main(int argc, char **argv) {
    int repeats = 200, checking = 0;
    const char *reference = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--repeats") == 0 && i + 1 < argc)
            repeats = atoi(argv[++i]);
        else if (strcmp(argv[i], "--reference") == 0 && i + 1 < argc)
            reference = argv[++i];
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "--check") == 0)
            checking = 1;
        else if (argv[i][0] == '-' || !read_rows(argv[i])) {
            fprintf(stderr, "usage: bench_run [--repeats N] [--check] [--only SCENARIO] "
                            "[--reference FILE] [CSV...]\n");
            return 2;
        }
    }
    find_references();
    if (reference) return write_reference(reference);
    plan(repeats > 0 ? repeats : 1);
    for (int round = 0; round < repeats; round++)
        for (int i = 0; i < n_rows; i++)
            if (round < rows[i].rounds) run(&rows[i]);
    printf("scenario,model,solver,rtol,error,steps,evals,us\n");
    for (int i = 0; i < n_rows; i++)
        printf("%s,%s,%s,%g,%.3e,%ld,%ld,%.2f\n", rows[i].scenario, rows[i].model, rows[i].solver,
               rows[i].rtol, rows[i].error, rows[i].steps, rows[i].evals, rows[i].us);
    if (checking) check();
    return 0;
}
