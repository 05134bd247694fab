/* cmd_sweep.c - bristle sweep: one scenario at many points, a row of measures for each. */
#include "bristle_sweep.h"
#include "cli.h"
#include "sweep_examples.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"--vary", "ADDR=VALUES", "LEAST:MOST:COUNT, log:LEAST:MOST:COUNT or A,B,C; repeatable"},
    {"--random", "ADDR=DIST", "a distribution, such as 'normal(0.3, 0.02)'; repeatable"},
    {"--each", "ADDR=DIST", "the same for an array: every member has its own value; repeatable"},
    {"--correlate", "A,B=R", "correlation of two that have distributions; repeatable"},
    {"--samples", "K", "samples of the distributions, default 100"},
    {"--sampling", "WAY", "random, or halton: evenly spread"},
    {"--seed", "S", "of the samples, default 1"},
    {"--indices", "WAY", "which input matters: sobol or morris, of those with distributions"},
    {"--points", "FILE.csv", "points of one's own: a column for each address, units in brackets"},
    {"--model", "LIST", "laws to put on every contact, one after the other: lugre,dahl"},
    LAWS_OPTION,
    {"--solver", "LIST", "time integrators, one after the other"},
    {"--set", "KEY=VALUE", "change the scenario: pad.sigma0=2e5, block.mass='3 kg'; repeatable"},
    {"--measure", "LIST", "what is measured, see below; repeatable"},
    {"--from", "T", "measure from this time on only"},
    {"--slip-speed", "V", "where the law is smooth: a contact slides from |v| = V on"},
    {"--rtol", "R", "relative tolerance of the integrator"},
    {"--step", "H", "step size of a solver with a fixed one, such as rk4"},
    {"--until", "T", "end of the runs"},
    {"--output", "DT", "time between the rows that are measured"},
    {"-o", "FILE", "write there instead of standard output: FILE.csv or FILE.sqlite"},
    {"--resume", NULL, "go on with what is in FILE, if it has the same settings"},
    {"--overwrite", NULL, "make FILE anew"},
    {"--part", "I/N", "only part I of N, for job arrays; 'bristle merge' puts them together"},
    {"--threads", "K", "points side by side, default one per processor"},
    {"--keep", "DIR", "keep the rows of every run: DIR/point-N.csv"},
    {"--example", NULL, "list ready ones; --example NAME runs one, further options on top"},
    {"--json", NULL, "the indices as JSON"},
    {"--csv", NULL, "the indices as CSV"},
    {"--plot", "FILE", "draw as well: FILE.svg, FILE.png or FILE.pdf"},
    {"--limit", "EXPR", "in a map, draw the line where this is 0: an expression of addresses"},
    {"--report", "DIR", "write a page with pictures, tables and settings: DIR/report.html"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts("bristle sweep NAME|FILE - one scenario at many points: a row of measures for each\n\n"
         "examples:\n"
         "  bristle sweep belt --vary belt.velocity=0.01:1:50 --measure period,swing -o belt.csv\n"
         "  bristle sweep belt --vary belt.velocity=log:0.01:1:50 \\\n"
         "      --vary spring.stiffness='1:100:50 N/m' --measure regime --from '10 s' -o map.csv\n"
         "  bristle sweep brake --random pad.mu_c,pad.mu_s='normal(5 %)' --samples 1000 \\\n"
         "      --measure 'last(disc.x)' -o scatter.csv\n"
         "  bristle sweep belt --model lugre,dahl,stribeck --vary "
         "belt.velocity,block.v=0.05,0.1,0.2 \\\n"
         "      --measure 'top=max(abs(pad.F)),slips'\n"
         "  bristle sweep brake --random disc.v='normal(3 %)' \\\n"
         "      --random pad.mu_c,pad.mu_s='normal(0.4, 0.04)' --measure 'last(disc.x)' \\\n"
         "      --indices sobol --samples 200\n"
         "  bristle sweep --example stick-slip-map --plot map.png -o map.csv\n"
         "  bristle sweep my.yaml --points doe.csv --measure 'max(block.x)' -o out.csv --resume\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    puts(
        "\nAddresses are those of --set: pad.mu_c, block.mass, push.amplitude, run.until; units "
        "as\n"
        "in a file: --vary belt.velocity='10:100:10 mm/s'. Several addresses with a comma between\n"
        "have the same values. Grids make all combinations.\n"
        "Distributions: normal(mean, deviation), lognormal(mean, deviation), uniform(least, "
        "most),\n"
        "triangular(least, likeliest, most); '5 %' is a share of the mean; normal(5 %) is about "
        "the\nvalue of the scenario.\n\n"
        "Measures, of columns X of 'bristle run' or expressions of them (docs/language.md), a "
        "name\n"
        "of one's own before =, such as top=max(abs(pad.v)):");
    for (int i = 0; bri_sweep_help(i); i++) printf("  %s\n", bri_sweep_help(i));
    puts("\nA point that fails is a row with its reason. The bytes do not depend on the number of\n"
         "threads. With -o every result is kept in FILE.sweep as it comes, and FILE appears when "
         "all\n"
         "are there; after an interrupt, a crash or a full disk --resume goes on.\n"
         "Exit code 1 if no point succeeds. How to: docs/howto/sweep.md.");
}

/* ---- the command line ----------------------------------------------------------------------- */

typedef struct request {
    bri_sweep_def def;
    const char **lists; /* values of repeatable options, one list behind the other */
    const bri_model **laws;
    const bri_solver **solvers;
    bri_stochastic **random;
    int n_random;
    changes changes;
} request;

static int out_of_memory(void) {
    complain("%s", bri_status_text(BRI_NO_MEMORY));
    return RUN_FAILED;
}

static int read_laws(request *r, const args *a) {
    word_list words;
    int failed = words_split(&words, args_get(a, "--model"));
    r->laws = calloc((size_t)words.count + 1, sizeof *r->laws);
    r->random = calloc((size_t)words.count + 1, sizeof *r->random);
    if (!failed && (!r->laws || !r->random)) failed = out_of_memory();
    r->def.laws = r->laws;
    for (int i = 0; i < words.count && !failed; i++) {
        const bri_model *m = law_find(a, words.word[i], &r->random[r->n_random++]);
        if (!m) failed = WRONG_USAGE;
        for (int k = 0; k < r->def.n_laws && !failed; k++)
            if (strcmp(r->laws[k]->name, m->name) == 0) {
                complain("--model: %s is named twice", m->name);
                failed = WRONG_USAGE;
            }
        if (!failed) r->laws[r->def.n_laws++] = m;
    }
    words_free(&words);
    return failed;
}

static int read_solvers(request *r, const args *a) {
    word_list words;
    int failed = words_split(&words, args_get(a, "--solver"));
    r->solvers = calloc((size_t)words.count + 1, sizeof *r->solvers);
    if (!failed && !r->solvers) failed = out_of_memory();
    r->def.solvers = r->solvers;
    for (int i = 0; i < words.count && !failed; i++) {
        const bri_solver *s = bri_solver_find(words.word[i]);
        if (!s) failed = no_solver(words.word[i]);
        for (int k = 0; k < r->def.n_solvers && !failed; k++)
            if (r->solvers[k] == s) {
                complain("--solver: %s is named twice", words.word[i]);
                failed = WRONG_USAGE;
            }
        if (!failed) r->solvers[r->def.n_solvers++] = s;
    }
    words_free(&words);
    return failed;
}

static int read_part(request *r, const char *given) {
    char *end;
    if (!given) return DONE;
    long part = strtol(given, &end, 10), parts = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    if (*end || part < 1 || part > parts || parts > 100000000) {
        complain("--part needs I/N with I from 1 to N, such as 2/8, not '%.40s'", given);
        return WRONG_USAGE;
    }
    r->def.part = (int)part;
    r->def.parts = (int)parts;
    return DONE;
}

/* --indices chooses the design, too. */
static int read_indices(request *r, const args *a) {
    const char *given = args_get(a, "--indices");
    if (!given && (args_get(a, "--json") || args_get(a, "--csv"))) {
        complain("%s is for the table of --indices; rows are always CSV",
                 args_get(a, "--json") ? "--json" : "--csv");
        return WRONG_USAGE;
    }
    if (!given) return DONE;
    if (args_get(a, "--sampling")) {
        complain("--indices has a sampling of its own: leave --sampling out");
        return WRONG_USAGE;
    }
    r->def.sampling = BRI_SAMPLE_SOBOL;
    if (strcmp(given, "sobol") == 0) return DONE;
    r->def.sampling = BRI_SAMPLE_MORRIS;
    if (strcmp(given, "morris") == 0) return DONE;
    complain("--indices: '%.40s' is none of sobol, morris", given);
    return WRONG_USAGE;
}

static int read_sampling(request *r, const char *given) {
    const char *names[BRI_SAMPLING_COUNT];
    for (int i = 0; i <= BRI_SAMPLE_HALTON; i++) {
        names[i] = bri_sampling_name((bri_sampling)i);
        if (!given || strcmp(given, names[i]) != 0) continue;
        r->def.sampling = (bri_sampling)i;
        return DONE;
    }
    if (!given) return DONE;
    complain("--sampling: '%.40s' is none of random, halton", given);
    return WRONG_USAGE;
}

/* Options of samples have some to act on. */
static int check_chance(const bri_sweep_def *d, const args *a) {
    static const char *const names[] = {"--samples", "--sampling", "--seed"};
    if (d->n_random + d->n_each > 0) return DONE;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!args_get(a, names[i]) || args_get(a, "--indices")) continue;
        complain("%s: nothing is drawn at random; --random ADDR=DIST gives a number a distribution",
                 names[i]);
        return WRONG_USAGE;
    }
    return DONE;
}

/* All values of a repeatable option, behind those that are there. */
static const char **gather(request *r, const args *a, const char *name, int *used, int *count) {
    const char **list = r->lists + *used, *value;
    *count = 0;
    for (int at = 0; (value = args_next(a, name, &at)) != NULL; (*used)++) list[(*count)++] = value;
    return list;
}

static int read_request(request *r, const args *a) {
    bri_sweep_def *d = &r->def;
    int used = 0, samples = 0, seed = 1;
    if (one_scenario(a) != DONE) return WRONG_USAGE;
    r->lists = calloc((size_t)a->n_given + 1, sizeof *r->lists);
    if (!r->lists) return out_of_memory();
    d->scenario = a->words[0];
    d->known = a->known->laws;
    d->points = args_get(a, "--points");
    d->keep = args_get(a, "--keep");
    d->limit = args_get(a, "--limit");
    d->vary = gather(r, a, "--vary", &used, &d->n_vary);
    d->random = gather(r, a, "--random", &used, &d->n_random);
    d->each = gather(r, a, "--each", &used, &d->n_each);
    d->correlate = gather(r, a, "--correlate", &used, &d->n_correlate);
    d->measures = gather(r, a, "--measure", &used, &d->n_measures);
    int failed = check_output(args_get(a, "--output"));
    if (!failed) failed = check_plot_name(args_get(a, "--plot"));
    if (!failed) failed = args_whole(a, "--samples", 1, 100000000, &samples);
    if (!failed) failed = args_whole(a, "--seed", 0, 1000000000, &seed);
    if (!failed) failed = args_whole(a, "--threads", 1, 1024, &d->threads);
    if (!failed) failed = args_quantity(a, "--from", "s", &d->from);
    if (!failed) failed = args_positive(a, "--slip-speed", "m/s", &d->slip_speed);
    if (!failed) failed = read_sampling(r, args_get(a, "--sampling"));
    if (!failed) failed = read_indices(r, a);
    if (!failed) failed = read_part(r, args_get(a, "--part"));
    if (!failed) failed = changes_from_args(&r->changes, a, "--solver");
    d->samples = samples;
    d->seed = seed;
    d->overrides = r->changes.list;
    d->n_overrides = r->changes.count;
    if (!failed) failed = read_laws(r, a);
    if (!failed) failed = read_solvers(r, a);
    if (!failed) failed = check_chance(d, a);
    if (!failed && args_get(a, "--resume") && args_get(a, "--overwrite")) {
        complain("--resume and --overwrite contradict each other");
        failed = WRONG_USAGE;
    }
    if (!failed && !args_get(a, "-o") && (args_get(a, "--resume") || args_get(a, "--overwrite"))) {
        complain("%s needs a file: -o FILE.csv",
                 args_get(a, "--resume") ? "--resume" : "--overwrite");
        failed = WRONG_USAGE;
    }
    return failed;
}

static void request_free(request *r) {
    for (int i = 0; i < r->n_random; i++) free(r->random[i]);
    changes_free(&r->changes);
    free(r->lists);
    free(r->laws);
    free(r->solvers);
    free(r->random);
}

/* ---- the run -------------------------------------------------------------------------------- */

sweep_ranks sweep_among = {.run = bri_sweep_run};

typedef struct job {
    bri_sweep *sweep;
    progress progress;
    long before; /* results that were there */
    char reason[200];
} job;

static int stop(void *context) {
    (void)context;
    return watch_interrupted();
}

static int finished(void *context, const bri_sweep_point *point) {
    job *j = context;
    if (point->status != BRI_OK && !j->reason[0])
        snprintf(j->reason, sizeof j->reason, "point %ld: %.150s", point->index, point->reason);
    progress_count(&j->progress, watch_seconds(), bri_sweep_done(j->sweep),
                   bri_sweep_mine(j->sweep), j->before);
    return 0;
}

/* What is wrong with a line of the settings is told; the sweep is made. */
static int create(const request *r, const args *a, bri_sweep **sweep) {
    static bri_messages messages; /* too large for the stack */
    const bri_scenario_options how = {r->def.overrides, r->def.n_overrides, NULL, r->def.known};
    int failed = outputs_spare(a, &how);
    if (failed) return failed;
    bri_status status = bri_sweep_create(&r->def, sweep, &messages);
    if (messages.count == 1 && messages.message[0].line == 0)
        complain("%s", messages.message[0].text); /* of the command line, not of a file */
    else
        tell_messages(&messages);
    return reading_code(status);
}

static void summarise(const job *j, double seconds) {
    const bri_sweep *s = j->sweep;
    long done = bri_sweep_done(s), mine = bri_sweep_mine(s), failed = bri_sweep_failed(s),
         now = done - j->before;
    double rate = (double)now / seconds;
    fprintf(stderr, "%ld", done);
    if (done < mine) fprintf(stderr, " of %ld", mine);
    fprintf(stderr, " point%s", mine == 1 ? "" : "s");
    if (now > 0 && now < done) fprintf(stderr, ", %ld of them now", now);
    if (now > 0) fprintf(stderr, " in %.3g s (%.*f per second)", seconds, rate < 10.0, rate);
    if (bri_sweep_lanes(s) > 0) fputs(", in lanes", stderr);
    if (failed > 0) fprintf(stderr, ", %ld failed", failed);
    fputc('\n', stderr);
    if (j->reason[0]) complain("%s", j->reason);
}

/* The table of sensitivity indices, to standard output. */
static int put_indices(bri_sweep *s, const args *a) {
    bri_error err = {0};
    bri_table *t = bri_sweep_index_table(s, &err);
    if (err.status != BRI_OK) complain("%s", err.text);
    int failed = t ? study_print(t, study_form(a)) : RUN_FAILED;
    bri_table_free(t);
    return failed;
}

static int put_report(bri_sweep *s, const args *a) {
    const char *dir = args_get(a, "--report");
    bri_error err;
    if (!dir) return DONE;
    char *line = study_command(a);
    bri_status status = bri_sweep_report(s, dir, line, &err);
    free(line);
    if (status == BRI_OK) return DONE;
    complain("%s", err.text);
    return RUN_FAILED;
}

/* A rank that helps another one: it computes, and writes nothing. */
static int help_out(const request *r, const args *a) {
    const bri_watch watch = {.stop = stop};
    bri_sweep *s = NULL;
    bri_error err;
    int failed = create(r, a, &s);
    if (!failed) watch_interrupts(1);
    if (!failed && sweep_among.run(s, &watch, NULL, NULL, &err) != BRI_OK) failed = RUN_FAILED;
    bri_sweep_free(s);
    return failed;
}

/* The sweep, with the results that are there: all that can be refused is, before it runs. */
static int prepare(const request *r, const args *a, bri_sweep **s) {
    const char *file = args_get(a, "-o");
    bri_sweep_start how = args_get(a, "--resume")      ? BRI_SWEEP_RESUME
                          : args_get(a, "--overwrite") ? BRI_SWEEP_REPLACE
                                                       : BRI_SWEEP_NEW;
    bri_error err = {0};
    int failed = create(r, a, s);
    if (!failed && args_get(a, "--plot") && bri_sweep_drawable(*s, &err) != BRI_OK) {
        complain("--plot: %s", err.text);
        failed = exit_code(err.status);
    }
    if (!failed && file && bri_sweep_keep(*s, file, how, &err) != BRI_OK) {
        complain("%s", err.text);
        failed = exit_code(err.status);
    }
    return failed;
}

static int sweep(const request *r, const args *a) {
    const char *file = args_get(a, "-o");
    job j = {0};
    bri_error err = {0};
    int failed = prepare(r, a, &j.sweep);
    if (!failed) {
        const bri_watch watch = {.stop = stop};
        j.before = bri_sweep_done(j.sweep);
        watch_interrupts(file != NULL);
        progress_start(&j.progress, 0);
        bri_status status = sweep_among.run(j.sweep, &watch, finished, &j, &err);
        double seconds = watch_seconds() - j.progress.started;
        progress_clear(&j.progress);
        watch_done();
        long done = bri_sweep_done(j.sweep), all = bri_sweep_mine(j.sweep);
        if (status != BRI_OK && !watch_interrupted()) complain("%s", err.text);
        /* a part has no sample with all its points: its rows are what is wanted of it */
        const char *indices = all < bri_sweep_points(j.sweep) ? NULL : args_get(a, "--indices");
        if (status == BRI_OK ? file || !indices : !file) {
            bri_status written = bri_sweep_write(j.sweep, file, &err);
            if (written != BRI_OK) complain("%s", err.text);
            if (written != BRI_OK) failed = RUN_FAILED;
        }
        if (status == BRI_OK && indices && !failed) failed = put_indices(j.sweep, a);
        const char *plot = args_get(a, "--plot");
        if (status == BRI_OK && plot && bri_sweep_plot(j.sweep, plot, &err) != BRI_OK) {
            complain("%s", err.text);
            failed = RUN_FAILED;
        }
        if (status == BRI_OK && put_report(j.sweep, a) != DONE) failed = RUN_FAILED;
        if (status != BRI_OK) failed = watch_interrupted() ? EXIT_INTERRUPTED : RUN_FAILED;
        if (status != BRI_OK && file)
            complain("%s%ld of %ld points are kept in %.200s.sweep; --resume goes on",
                     watch_interrupted() ? "interrupted: " : "", done, all, file);
        else if (status != BRI_OK)
            complain("interrupted: %ld of %ld points are complete", done, all);
        summarise(&j, seconds);
        if (!failed && done > 0 && bri_sweep_failed(j.sweep) == done) {
            complain("no point succeeded");
            failed = RUN_FAILED;
        }
    }
    bri_sweep_free(j.sweep);
    return failed;
}

static int run(const args *a) {
    request r = {0};
    bri_error err;
    const char *file = args_get(a, "-o");
    int failed = DONE;
    if (file && bri_sweep_check_name(file, &err) != BRI_OK) {
        complain("-o: %s", err.text);
        failed = exit_code(err.status);
    }
    if (!failed) failed = outputs_folder(args_get(a, "--report"));
    if (!failed && !sweep_among.helps) failed = outputs_folder(args_get(a, "--keep"));
    if (!failed) failed = read_request(&r, a);
    if (!failed) failed = sweep_among.helps ? help_out(&r, a) : sweep(&r, a);
    request_free(&r);
    return failed;
}

/* ---- examples ----------------------------------------------------------------------------------
 */

static int list_examples(void) {
    for (int i = 0; sweep_example_name(i); i++)
        printf("%-16s %s\n", sweep_example_name(i), sweep_example_text(i));
    return DONE;
}

static int no_example(const char *name) {
    const char *names[16], *near;
    int count = 0;
    for (; count < 16 && sweep_example_name(count); count++)
        names[count] = sweep_example_name(count);
    near = bri_nearest(name, names, count);
    complain("there is no example '%.40s'%s%s%s", name, near ? "; did you mean '" : "",
             near ? near : "", near ? "'?" : "");
    return WRONG_USAGE;
}

static int takes_value(const char *name) {
    for (int i = 0; i < N_OPTIONS; i++)
        if (strcmp(options[i].name, name) == 0) return options[i].value != NULL;
    return 0;
}

/* The arguments of the example, but for options that are given behind it, then those. */
static int run_example(int argc, char **argv, int at) {
    const char *const *own = at + 1 < argc ? sweep_example_args(argv[at + 1]) : NULL;
    int count = 0, n = 0;
    if (!own) return no_example(argv[at + 1]);
    while (own[count]) count++;
    const char **all = calloc((size_t)(argc + count) + 1, sizeof *all);
    if (!all) return out_of_memory();
    all[n++] = argv[0];
    for (int i = 0; i < count; i++) {
        int given = 0, value = takes_value(own[i]);
        for (int k = 1; k < argc; k++)
            given |= value && strcmp(argv[k], own[i]) == 0 && strcmp(own[i], "--set") != 0;
        if (!given) all[n++] = own[i];
        if (!given && value) all[n++] = own[i + 1];
        i += value;
    }
    for (int k = 1; k < argc; k++)
        if (k != at && k != at + 1) all[n++] = argv[k];
    int code = command(options, N_OPTIONS, help, run, n, (char **)all);
    free(all);
    return code;
}

int cmd_sweep(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--example") == 0)
            return i + 1 < argc ? run_example(argc, argv, i) : list_examples();
    return command(options, N_OPTIONS, help, run, argc, argv);
}
