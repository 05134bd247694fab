/* cmd_compare.c - bristle compare: laws x solvers x tolerances of one scenario against a reference.
 */
#include "compare_args.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"--models", "LIST", "laws, such as lugre,dahl, or all; default: those of the scenario"},
    LAWS_OPTION,
    {"--solvers", "LIST", "time integrators, or all; default: that of the scenario"},
    {"--rtol", "LIST", "relative tolerances, such as 1e-4,1e-6; default: that of the scenario"},
    {"--reference", "LAW|FILE", "law that is taken for the truth, or measured data: FILE.csv"},
    {"--map", "MAP", "columns of measured data: block.x=position[mm],t=time[ms]"},
    {"--shift", "T", "add this to the times of measured data, or auto: what fits each law best"},
    {"--column", "NAME", "what is compared, default the position of the first free body"},
    {"--set", "KEY=VALUE", "change the scenario: pad.sigma0=2e5, block.mass='3 kg'; repeatable"},
    {"--until", "T", "end of the run"},
    {"--output", "DT", "time between the instants that are compared"},
    {"--step", "H", "step size of a solver with a fixed one, such as rk4"},
    {"--limit", "T", "processor time that one run may take, default 20 s; 0: any"},
    {"--threads", "K", "runs side by side, default one per processor"},
    {"--plot", "FILE", "draw as well: FILE.svg, FILE.png or FILE.pdf"},
    {"--report", "DIR", "write a page with table, advice, pictures and settings: DIR/report.html"},
    {"--json", NULL, "every column of every row, and the advice, as JSON"},
    {"--csv", NULL, "every column of every row as CSV"},
    {"--markdown", NULL, "the table as Markdown"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts(
        "bristle compare NAME|FILE - which law is near the reference, and what does it cost?\n\n"
        "examples:\n"
        "  bristle compare rabinowicz                the laws that the scenario names\n"
        "  bristle compare rabinowicz --models all --plot all.svg\n"
        "  bristle compare my.yaml --models lugre,dahl,karnopp --set pad.sigma0=2e5\n"
        "  bristle compare rabinowicz --solvers erk_dopri5,cvode_bdf --rtol 1e-4,1e-6,1e-8 \\\n"
        "      --report rabinowicz-report\n"
        "  bristle compare leus_still --column pull.F --reference lugre\n"
        "  bristle compare my.yaml --reference measured.csv --map 'block.x=pos[mm],t=time[ms]' \\\n"
        "      --shift auto\n\n"
        "options:");
    options_print(options, N_OPTIONS);
    puts(
        "\nEach law takes the parameters that it knows. A law as the reference is solved with "
        "exact\n"
        "stick at a tight tolerance; without one in the scenario it is coulomb.\n"
        "xi and Gamma are the largest and the mean of |(x - reference)/x|; final is the "
        "difference\n"
        "at the end; drift is per cycle of the excitation, or of the motion; F max is the largest\n"
        "friction force, which is that of break-away if the contact sticks; Psi is the processor\n"
        "time relative to the dearest row. 'own error' is the RMSE to the same law at a tight\n"
        "tolerance. How to read it: docs/comparing.md.\n"
        "A run that fails says why below the table. Exit code 1 if no run succeeds, or the\n"
        "reference does not.");
}

/* ---- what is printed ------------------------------------------------------------------------- */

/* A reason that several rows of a law share is given once. */
static int told_before(const bri_compare *c, int row) {
    for (int i = 0; i < row; i++)
        if (strcmp(c->rows[i].law, c->rows[row].law) == 0 &&
            strcmp(c->rows[i].err.text, c->rows[row].err.text) == 0 && c->rows[i].err.status)
            return 1;
    return 0;
}

/* What the laws have no use for, and what they were not given. */
static void put_parameters(const bri_compare *c) {
    int any = 0;
    for (int i = 0; i < c->n_rows; i++) {
        char line[2200];
        if (!bri_compare_parameters(c, i, line, sizeof line)) continue;
        if (!any++) puts("\nParameters:");
        put_words(0, 2, line);
    }
}

static void put_sentences(const bri_compare *c) {
    int failed = 0;
    if (!c->relative && c->range > 0.0)
        printf("\nThe reference passes zero: xi and Gamma are relative to its range, %.4g %s.\n",
               c->range, c->unit);
    put_parameters(c);
    for (int i = 0; i < c->n_rows; i++) {
        const bri_compare_row *r = &c->rows[i];
        char line[700];
        if (r->err.status == BRI_OK || told_before(c, i)) continue;
        if (!failed++) puts("\nWithout numbers:");
        snprintf(line, sizeof line, "%s: %s", r->law, r->err.text);
        put_words(0, 2, line);
    }
    if (c->n_advice > 0) putchar('\n');
    for (int i = 0; i < c->n_advice; i++) put_words(0, 2, c->advice[i]);
}

static int put_table(const bri_compare *c, bri_form form) {
    bri_table *t = bri_compare_table(c, form == BRI_FORM_CSV);
    if (!t) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    int failed = study_print(t, form);
    if (!failed && form != BRI_FORM_CSV) put_sentences(c);
    bri_table_free(t);
    return failed;
}

static int put_result(const bri_compare *c, const args *a) {
    bri_form form = study_form(a);
    bri_error err;
    if (form != BRI_FORM_JSON) return put_table(c, form);
    if (bri_compare_json(c, stdout, &err) != BRI_NO_MEMORY) return DONE; /* main() tells the rest */
    complain("%s", err.text);
    return RUN_FAILED;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int put_files(const bri_compare *c, const compare_request *r, const args *a,
                     const char *command) {
    const char *plot = args_get(a, "--plot"), *report = args_get(a, "--report");
    int failed = DONE;
    bri_error err;
    if (plot && bri_compare_plot(c, plot, &err) != BRI_OK) {
        complain("%s", err.text);
        failed = RUN_FAILED;
    }
    if (report && bri_compare_report(c, &r->def, report, command, &err) != BRI_OK) {
        complain("%s", err.text);
        failed = RUN_FAILED;
    }
    return failed;
}

static int conclude(const bri_compare *c, const compare_request *r, const args *a,
                    const char *command) {
    int failed = put_result(c, a), good = bri_compare_good(c);
    if (c->note[0]) fprintf(stderr, "note: %s\n", c->note);
    if (c->exact.err.status != BRI_OK) {
        complain("the reference %s: %s", c->reference, c->exact.err.text);
        failed = failed ? failed : RUN_FAILED;
    }
    if (good == 0) {
        complain("no run succeeded");
        return RUN_FAILED;
    }
    int files = put_files(c, r, a, command);
    return failed ? failed : files;
}

static int run(const args *a) {
    static bri_messages messages; /* too large for the stack */
    compare_request r = {0};
    bri_compare *c = NULL;
    int failed = compare_request_read(&r, a);
    const bri_scenario_options how = {r.def.overrides, r.def.n_overrides, NULL, r.def.known};
    if (!failed) failed = outputs_spare(a, &how);
    if (!failed) {
        bri_status status = bri_compare_run(&r.def, study_watch_start(), &c, &messages);
        study_watch_end();
        if (status) tell_messages(&messages);
        failed = reading_code(status);
    }
    if (!failed) {
        char *line = study_command(a);
        failed = conclude(c, &r, a, line);
        if (watch_interrupted()) {
            complain("interrupted: the rows that are complete are shown");
            failed = EXIT_INTERRUPTED;
        }
        free(line);
    }
    bri_compare_free(c);
    compare_request_free(&r);
    return failed;
}

int cmd_compare(int argc, char **argv) {
    return command(options, N_OPTIONS, help, run, argc, argv);
}
