/* cmd_run.c - bristle run: simulate a scenario, write its rows, draw it. */
#include "cli.h"
#include "slip_list.h"
#include "watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option options[] = {
    SCENARIO_OPTIONS,
    {"--compile", NULL, "compile laws that are run from their pages with cc, for speed"},
    {"-o", "FILE", "write there instead of standard output: FILE.csv, FILE.json or FILE.mat"},
    {"--columns", "LIST", "write t and these columns only, such as 'block*.x,energy.*'"},
    {"--every", "K", "write every K-th row only"},
    {"--plot", "FILE", "draw as well: FILE.svg, FILE.png or FILE.pdf"},
    {"--plot-columns", "LIST", "draw these: 'block.x,*.F' over time, 'pad.v:pad.F' F over v"},
    {"--plot-window", "MIN:MAX", "draw this span of time only, such as '20:30 s'"},
    {"--events", "FILE", "list when contacts stick, slip and turn: CSV of t,contact,from,to,F"},
    {"--slips", "FILE", "list the slips, each from rest to rest: when, how many contacts, how far"},
    {"--slip-speed", "V", "where the law is smooth: a contact slides from |v| = V on"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts("bristle run NAME|FILE - simulate a scenario: CSV of motion, friction and energies\n\n"
         "examples:\n"
         "  bristle run rabinowicz > rows.csv         one of the scenarios that come with bristle\n"
         "  bristle run my.yaml --plot my.svg -o my.mat\n"
         "  bristle run belt --plot slip.png --plot-columns 'block.*,pad.v:pad.F' "
         "--plot-window '7:8 s'\n"
         "  bristle run belt --model bristle_second_order --set belt.velocity='50 mm/s'\n"
         "  bristle run three_dof --model coulomb --solver event_driven --events events.csv\n"
         "  bristle run three_dof --model coulomb --solver time_stepping --step '0.1 ms'\n"
         "  bristle run chain --set block.repeat=1000 --columns 'block*.x' --every 10\n"
         "  bristle run chain_weakening --slips slips.csv --columns t\n"
         "  bristle run pulse --solver cvode_bdf --rtol 1e-9 --until '0.2 s'\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    printf("\nSolvers:\n");
    for (int i = 0; i < bri_solver_count(); i++)
        printf("  %-26s %s\n", bri_solver_name(bri_solver_at(i)),
               bri_solver_text(bri_solver_at(i)));
    puts("\nLaws that stick exactly (coulomb, stribeck, benson, karnopp) need event_driven, "
         "rosenbrock,\n"
         "rodas4 or rodas5p: a stuck contact does not creep, and its events are located to "
         "rounding;\n"
         "or time_stepping, for very many contacts.");
    puts(
        "\nColumns: t; NAME.x NAME.v of bodies (in the plane .x .z .vx .vz); NAME.v NAME.F NAME.N\n"
        "NAME.mode (-1, 0, +1) and the states of contacts; NAME.F of couplings; energy.kinetic,\n"
        "potential, stored (in bristles), dissipated, work and residual. SI units.\n"
        "A summary goes to standard error. A run that fails or is interrupted keeps its rows.\n"
        "Exit code 3: the run reached its end, but its energies contradict it; a sentence says "
        "how.");
}

/* ---- the run --------------------------------------------------------------------------------- */

typedef struct job {
    bri_run_head head;
    bri_sim *sim;
    bri_recorder *recorder;
    bri_writer *writer;
    bri_run_plot *plot;
    bri_recorder *drawn; /* all columns, for the plot; the recorder itself if it has them */
    double from, until;  /* span of time that is drawn [s]; NaN: all */
    bri_rows times;
    int every; /* rows from one that is written to the next */
    progress progress;
    double *row;
    long rows;        /* written */
    double piece;     /* simulated time that takes some hundredths of a second */
    double flushed;   /* when rows were last handed to the system */
    double took;      /* all rows [s] */
    bri_file *events; /* or NULL */
    const char *events_name;
    long missed; /* events that found no room */
    slip_list slips;
} job;

enum { EVENT_ROOM = 65536 };

/* Write the events up to the present time, or all there are, and make room for more. */
static bri_status put_events(job *j, bri_error *err) {
    int count;
    long dropped;
    bri_status status = BRI_OK;
    if (!j->events) return BRI_OK;
    const bri_event *e = bri_sim_events(j->sim, &count, &dropped);
    for (int i = 0; i < count && status == BRI_OK; i++) {
        const char *name = j->head.def->system.contacts[e[i].contact].name;
        char line[200];
        snprintf(line, sizeof line, "%.17g,%.100s,%d,%d,%.17g\n", e[i].t, name ? name : "contact",
                 e[i].from, e[i].to, e[i].F);
        status = bri_file_put(j->events, line, err);
    }
    j->missed += dropped;
    bri_sim_forget_events(j->sim);
    return status;
}

static bri_status open_events(job *j, bri_error *err) {
    if (!j->events_name) return BRI_OK;
    bri_status status = bri_file_open(j->events_name, 0, &j->events, err);
    return status ? status : bri_file_put(j->events, "t,contact,from,to,F\n", err);
}

/* Advance to t; if slips are wanted, or a picture, step by step, with a look at the end of each: so
 * neither depends on the times of the rows. */
static bri_status move(job *j, double t, bri_error *err) {
    if (!j->slips.file && !j->plot) return bri_sim_advance(j->sim, t, err);
    bri_status status = BRI_OK;
    while (status == BRI_OK && bri_sim_time(j->sim) < t && !watch_interrupted()) {
        status = bri_sim_step(j->sim, t, err);
        if (status != BRI_OK || bri_sim_time(j->sim) != bri_sim_stats(j->sim).t) continue;
        if (j->plot) bri_run_plot_step(j->plot, j->sim);
        if (j->slips.file) status = slip_list_look(&j->slips, j->sim, err);
    }
    return status;
}

/* Advance to t in pieces, so that an interrupt is noticed and progress is shown; the pieces do not
 * change the result. */
static bri_status advance(job *j, double t, bri_error *err) {
    while (!watch_interrupted()) {
        double from = bri_sim_time(j->sim), to = from + j->piece < t ? from + j->piece : t;
        double before = watch_seconds();
        bri_status status = move(j, to, err);
        bri_status written = put_events(j, err);
        if (status == BRI_OK) status = written;
        double now = watch_seconds(), span = j->times.end - j->times.start;
        if (now - before > 0.05) j->piece *= 0.5;
        if (now - before < 0.01 && j->piece < span) j->piece *= 2.0;
        progress_show(&j->progress, now, (bri_sim_time(j->sim) - j->times.start) / span,
                      bri_sim_time(j->sim), j->times.end);
        if (status != BRI_OK || to >= t) return status;
    }
    return BRI_OK;
}

/* Rows are handed over once a second, or as they come if they come slowly. */
static bri_status put_row(job *j, bri_error *err) {
    bri_recorder_read(j->recorder, j->sim, j->row);
    bri_status status = bri_writer_row(j->writer, j->row, err);
    if (j->plot && j->drawn == j->recorder)
        bri_run_plot_row(j->plot, j->row);
    else if (j->plot)
        bri_run_plot_step(j->plot, j->sim);
    j->rows++;
    double now = watch_seconds();
    if (status == BRI_OK && now - j->flushed > 1.0) {
        status = bri_writer_flush(j->writer, err);
        if (status == BRI_OK && j->events) status = bri_file_flush(j->events, err);
        if (status == BRI_OK) status = slip_list_flush(&j->slips, err);
        j->flushed = now;
    }
    return status;
}

/* All rows. BRI_OK also if interrupted. */
static bri_status simulate(job *j, bri_error *err) {
    bri_status status = BRI_OK;
    for (long i = 0; i < j->times.count && status == BRI_OK; i++) {
        if (i % j->every != 0 && i != j->times.count - 1) continue;
        status = advance(j, bri_row_time(&j->times, i), err);
        if (watch_interrupted()) break;
        if (status == BRI_OK) status = put_row(j, err);
    }
    progress_clear(&j->progress);
    j->took = watch_seconds() - j->progress.started;
    return status;
}

static const char *plural(long n) { return n == 1 ? "" : "s"; }

static void summarise_energy(const bri_run_end *end) {
    const bri_energies *e = &end->energies;
    double turned = end->findings.turned;
    if (!isfinite(turned + e->residual)) {
        fputs("energy: no account, since the solution is not finite\n", stderr);
        return;
    }
    fprintf(stderr, "energy: %.6g J dissipated, %.6g J of work, residual %.2g J", e->dissipated,
            e->work, e->residual);
    if (turned > 0.0) fprintf(stderr, " (%.2g of the energy turned over)", end->findings.residual);
    fputc('\n', stderr);
}

static void summarise(const job *j, const bri_run_end *end) {
    const bri_stats *s = &end->stats;
    const bri_sim_def *def = j->head.def;
    fprintf(stderr, "%s: reached t = %.6g s with %s, ", j->head.title, bri_sim_time(j->sim),
            def->solver ? bri_solver_name(def->solver) : "rosenbrock");
    if (def->solver && bri_solver_fixed_step(def->solver))
        fprintf(stderr, "steps of %g s", def->step);
    else
        fprintf(stderr, "rtol %g", def->rtol);
    fprintf(stderr, ", in %.3g s\n", j->took);
    fprintf(stderr,
            "%ld row%s, %ld step%s, %ld rejected, %ld evaluations, %ld Jacobians, "
            "%ld factorisations, %ld event%s, path %s\n",
            j->rows, plural(j->rows), s->steps, plural(s->steps), s->rejected, s->evals,
            s->jacobians, s->factorisations, s->events, plural(s->events), bri_sim_path(j->sim));
    if (def->energies) summarise_energy(end);
}

static void say_kept(const job *j) {
    if (j->rows == 1) complain("the row at t = %.6g s is kept", j->row[0]);
    if (j->rows > 1) complain("the %ld rows until t = %.6g s are kept", j->rows, j->row[0]);
}

/* Finish the files and say how it went. */
static int conclude(job *j, bri_status status, const bri_error *err, const char *file,
                    const char *plot) {
    int interrupted = watch_interrupted(), write_failed = status == BRI_BAD_FILE;
    const char *why = status ? err->text : interrupted ? "interrupted" : "";
    bri_error doubt = {.text = ""};
    bri_findings findings;
    int doubtful = bri_sim_verdict(j->sim, &findings, &doubt) != BRI_OK;
    const bri_run_end end = {.findings = findings,
                             .doubt = doubtful ? doubt.text : NULL,
                             .stats = bri_sim_stats(j->sim),
                             .energies = bri_sim_energies(j->sim),
                             .status = interrupted && !status ? BRI_NO_PROGRESS : status,
                             .text = why,
                             .path = bri_sim_path(j->sim)};
    bri_error close_err;
    if (file) watch_done(); /* a file takes the time it needs, a pipe may never be read */
    bri_status closed = bri_writer_close(j->writer, write_failed ? NULL : &end, &close_err);
    j->writer = NULL;
    interrupted = watch_interrupted(); /* perhaps while the last rows waited */
    int unread = watch_given_up() && (write_failed || closed);
    bri_error events_err, slips_err;
    bri_status unwritten;
    unwritten = bri_file_close(j->events, 1, &events_err);
    j->events = NULL;
    bri_status slips_failed = slip_list_end(&j->slips, &slips_err);
    int failed = status || closed || unwritten || slips_failed ? RUN_FAILED : DONE;
    if (unwritten && !write_failed) complain("%s", events_err.text);
    if (slips_failed && !write_failed) complain("%s", slips_err.text);
    if (j->missed > 0) complain("%s: %ld events found no room", j->events_name, j->missed);
    if (status && !unread) complain("%s", err->text);
    if (closed && !write_failed && !unread) complain("%s", close_err.text);
    if (interrupted)
        complain("interrupted at t = %.6g s%s", bri_sim_time(j->sim),
                 unread ? "; the last rows were not read and are lost" : "");
    if (failed && !write_failed && !closed) say_kept(j);
    if (j->plot && j->rows > 0 && !interrupted && !write_failed) {
        bri_error plot_err;
        if (bri_run_plot_write(j->plot, plot, &plot_err)) {
            complain("%s", plot_err.text);
            failed = RUN_FAILED;
        }
    }
    if (!write_failed && !closed) summarise(j, &end);
    if (!write_failed && !closed && doubtful) complain("%s", doubt.text);
    if (failed == DONE && doubtful) failed = RUN_DOUBTFUL;
    if (!write_failed && !closed) slip_list_summarise(&j->slips);
    watch_done();
    return watch_interrupted() ? EXIT_INTERRUPTED : failed;
}

static void job_free(job *j) {
    bri_writer_close(j->writer, NULL, NULL);
    bri_run_plot_free(j->plot);
    if (j->drawn != j->recorder) bri_recorder_free(j->drawn);
    bri_recorder_free(j->recorder);
    bri_sim_free(j->sim);
    bri_file_close(j->events, 0, NULL);
    slip_list_free(&j->slips);
    free(j->row);
}

/* Say so before more is written than one may want. */
static void note_size(const job *j) {
    const double bytes_per_number = 16.0, large = 1e8;
    double rows = (double)(j->times.count / j->every + 1),
           columns = bri_recorder_columns(j->recorder);
    double size = rows * columns * bytes_per_number;
    if (size > large)
        fprintf(stderr,
                "bristle: this writes about %.3g GB, %.0f rows of %.0f columns; --columns and "
                "--every make it less\n",
                size * 1e-9, rows, columns);
}

/* What of the run is drawn. A mistake is told with the option that it is in. */
static bri_status choose_view(job *j, const args *a, bri_error *err) {
    const char *columns = args_get(a, "--plot-columns");
    bri_error why;
    bri_status status = bri_run_plot_view(j->plot, NULL, j->from, j->until, &why);
    const char *given = "--plot-window";
    if (status == BRI_OK && columns) {
        status = bri_run_plot_view(j->plot, columns, NAN, NAN, &why);
        given = "--plot-columns";
    }
    if (status == BRI_OK) return BRI_OK;
    *err = (bri_error){.status = status};
    snprintf(err->text, sizeof err->text, "%s: %.200s", given, why.text);
    return status;
}

/* The columns to be written, and all of them if there is a picture. */
static bri_status choose_columns(job *j, const args *a, bri_error *err) {
    const char *columns = args_get(a, "--columns"), *plot = args_get(a, "--plot");
    bri_status status = bri_recorder_create(j->head.def, &j->recorder, err);
    if (status == BRI_OK && columns) status = bri_recorder_select(j->recorder, columns, err);
    if (status != BRI_OK) return status;
    j->head.recorder = j->recorder;
    j->row = calloc((size_t)bri_recorder_columns(j->recorder), sizeof *j->row);
    if (!plot) return BRI_OK;
    bri_run_head all = j->head;
    j->drawn = j->recorder;
    if (columns && (status = bri_recorder_create(j->head.def, &j->drawn, err)) != BRI_OK)
        return status;
    all.recorder = j->drawn;
    status = bri_run_plot_create(&all, j->times.count / j->every + 1, &j->plot, err);
    return status == BRI_OK ? choose_view(j, a, err) : status;
}

static int read_window(job *j, const args *a) {
    static const char *const views[] = {"--plot-columns", "--plot-window"};
    j->from = j->until = NAN;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (args_get(a, views[i]) && !args_get(a, "--plot")) {
            complain("%s belongs to a picture: add --plot FILE.svg", views[i]);
            return WRONG_USAGE;
        }
    return args_range(a, "--plot-window", "s", "'20:30 s'", &j->from, &j->until);
}

static int run_scenario(const args *a, const bri_scenario *s) {
    const char *file = args_get(a, "-o"), *plot = args_get(a, "--plot");
    const char *title = bri_scenario_title(s);
    job j = {.head = {.title = title && *title ? title : a->words[0],
                      .source = a->words[0],
                      .def = bri_scenario_def(s),
                      .output = bri_scenario_output(s)}};
    bri_error err;
    j.every = 1;
    if (args_whole(a, "--every", 1, 1000000000, &j.every) != DONE) return WRONG_USAGE;
    double slip_speed = 0.0;
    if (args_positive(a, "--slip-speed", "m/s", &slip_speed) != DONE) return WRONG_USAGE;
    if (read_window(&j, a) != DONE) return WRONG_USAGE;
    if (slip_speed > 0.0 && !args_get(a, "--slips")) {
        complain("--slip-speed belongs to a list of slips: add --slips FILE.csv");
        return WRONG_USAGE;
    }
    j.times = bri_rows_of(j.head.def, j.head.output);
    j.piece = (j.times.end - j.times.start) / 1000.0;
    j.events_name = args_get(a, "--events");
    bri_sim_def def = *j.head.def;
    if (j.events_name) def.event_room = EVENT_ROOM;
    bri_status status = bri_sim_create(&def, &j.sim, &err);
    if (status == BRI_OK) status = choose_columns(&j, a, &err);
    if (status == BRI_OK && j.row) note_size(&j);
    if (status == BRI_OK && plot) status = bri_file_try(plot, &err); /* now, not after the run */
    if (status == BRI_OK) status = open_events(&j, &err);
    if (status == BRI_OK)
        status = slip_list_open(&j.slips, args_get(a, "--slips"), &j.head.def->system, slip_speed,
                                j.sim, &err);
    if (status == BRI_OK) status = bri_writer_open(&j.head, file, &j.writer, &err);
    int failed;
    if (status || !j.row) {
        complain("%s", status ? err.text : bri_status_text(BRI_NO_MEMORY));
        failed = status ? exit_code(status) : RUN_FAILED;
    } else {
        if (!file) watch_pipe();
        watch_interrupts(file != NULL);
        progress_start(&j.progress, file == NULL);
        j.flushed = j.progress.started;
        status = simulate(&j, &err);
        failed = conclude(&j, status, &err, file, plot);
    }
    job_free(&j);
    return failed;
}

static int run(const args *a) {
    const char *file = args_get(a, "-o");
    scenario given = {0};
    bri_error err;
    int failed = check_plot_name(args_get(a, "--plot"));
    if (!failed && bri_writer_check(file, &err) != BRI_OK) {
        complain("-o: %s", err.text);
        failed = WRONG_USAGE;
    }
    if (!failed) failed = scenario_from_args(&given, a);
    if (!failed) failed = outputs_keep(a, given.s);
    if (!failed) {
        failed = run_scenario(a, given.s);
        if (failed != WRONG_USAGE) fputs(bri_scenario_notes(given.s), stderr);
    }
    scenario_free(&given);
    return failed;
}

int cmd_run(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
