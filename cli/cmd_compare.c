/* cmd_compare.c - bristle compare: laws x solvers x tolerances of one scenario against a reference.
 */
#include "cli.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"--models", "LIST", "laws, such as lugre,dahl, or all; default: those of the scenario"},
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
    {"--limit", "T", "processor time that one run may take, default 60 s; 0: any"},
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

/* ---- lists on the command line --------------------------------------------------------------- */

/* What a command line asks for; the pointers of def lead here. */
typedef struct request {
    bri_compare_def def;
    changes changes;
    const bri_model **laws;
    bri_stochastic **random; /* owners of some of them */
    int n_random;
    const bri_solver **solvers;
    double *rtol;
    bri_stochastic *reference;
} request;

enum { WORD = 100 };

/* The next entry of "a,b,c" at *at, which moves on; 0 at the end. */
static int next_word(const char **at, char word[WORD]) {
    if (!*at) return 0;
    const char *comma = strchr(*at, ',');
    size_t length = comma ? (size_t)(comma - *at) : strlen(*at);
    const char *from = *at + strspn(*at, " ");
    if (from > *at + length) from = *at + length;
    length -= (size_t)(from - *at);
    while (length > 0 && from[length - 1] == ' ') length--;
    snprintf(word, WORD, "%.*s", (int)(length < WORD ? length : WORD - 1), from);
    *at = comma ? comma + 1 : NULL;
    return 1;
}

static int count_words(const char *list) {
    int count = 1;
    for (; *list; list++) count += *list == ',';
    return count;
}

static int out_of_memory(void) {
    complain("%s", bri_status_text(BRI_NO_MEMORY));
    return RUN_FAILED;
}

static int read_laws(request *r, const char *list) {
    if (!list) return DONE;
    int all = strcmp(list, "all") == 0, most = all ? bri_model_count() : count_words(list);
    char word[WORD];
    r->laws = calloc((size_t)most, sizeof *r->laws);
    r->random = calloc((size_t)most, sizeof *r->random);
    if (!r->laws || !r->random) return out_of_memory();
    r->def.laws = r->laws;
    for (int i = 0; all && i < most; i++) r->laws[r->def.n_laws++] = bri_model_at(i);
    for (const char *at = all ? NULL : list; next_word(&at, word);) {
        const bri_model *m = law_find(word, &r->random[r->n_random]);
        r->n_random++;
        if (!m) return WRONG_USAGE;
        for (int i = 0; i < r->def.n_laws; i++)
            if (strcmp(r->laws[i]->name, m->name) == 0) {
                complain("--models: %s is named twice", m->name);
                return WRONG_USAGE;
            }
        r->laws[r->def.n_laws++] = m;
    }
    return DONE;
}

static int no_solver(const char *word) {
    const char *package = bri_solver_missing(word), *names[64];
    int count = 0;
    for (int i = 0; i < bri_solver_count() && count < 64; i++)
        names[count++] = bri_solver_name(bri_solver_at(i));
    const char *near = bri_nearest(word, names, count);
    if (package)
        complain("the solver '%s' was not built: it needs the package %s", word, package);
    else if (near)
        complain("there is no solver '%s'; did you mean '%s'?", word, near);
    else
        complain("there is no solver '%s'; 'bristle run --help' lists them", word);
    return WRONG_USAGE;
}

static int read_solvers(request *r, const char *list) {
    if (!list) return DONE;
    int all = strcmp(list, "all") == 0, most = all ? bri_solver_count() : count_words(list);
    char word[WORD];
    r->solvers = calloc((size_t)most, sizeof *r->solvers);
    if (!r->solvers) return out_of_memory();
    r->def.solvers = r->solvers;
    for (int i = 0; all && i < most; i++) r->solvers[r->def.n_solvers++] = bri_solver_at(i);
    for (const char *at = all ? NULL : list; next_word(&at, word);) {
        const bri_solver *s = bri_solver_find(word);
        if (!s) return no_solver(word);
        for (int i = 0; i < r->def.n_solvers; i++)
            if (r->solvers[i] == s) {
                complain("--solvers: %s is named twice", word);
                return WRONG_USAGE;
            }
        r->solvers[r->def.n_solvers++] = s;
    }
    return DONE;
}

static int read_tolerances(request *r, const char *list) {
    if (!list) return DONE;
    char word[WORD];
    r->rtol = calloc((size_t)count_words(list), sizeof *r->rtol);
    if (!r->rtol) return out_of_memory();
    r->def.rtol = r->rtol;
    for (const char *at = list; next_word(&at, word);) {
        bri_error err;
        double value = 0.0;
        if (bri_quantity(word, "1", &value, &err) != BRI_OK || !(value > 0.0 && value < 1.0)) {
            complain("--rtol: '%s' is no tolerance: a number between 0 and 1, such as 1e-6", word);
            return WRONG_USAGE;
        }
        for (int i = 0; i < r->def.n_rtol; i++)
            if (r->rtol[i] == value) {
                complain("--rtol: %s is given twice", word);
                return WRONG_USAGE;
            }
        r->rtol[r->def.n_rtol++] = value;
    }
    return DONE;
}

/* ---- the reference --------------------------------------------------------------------------- */

/* Names of laws have no point or slash. */
static int is_file(const char *name) { return strpbrk(name, "./") != NULL; }

static int read_reference(request *r, const args *a) {
    const char *given = args_get(a, "--reference"), *shift = args_get(a, "--shift");
    if (given && is_file(given))
        r->def.measured = given;
    else if (given && (r->def.reference = law_find(given, &r->reference)) == NULL)
        return WRONG_USAGE;
    r->def.map = args_get(a, "--map");
    if ((r->def.map || shift) && !r->def.measured) {
        complain("%s is for measured data: name them with --reference FILE.csv",
                 r->def.map ? "--map" : "--shift");
        return WRONG_USAGE;
    }
    r->def.find_shift = shift && strcmp(shift, "auto") == 0;
    return r->def.find_shift ? DONE : args_quantity(a, "--shift", "s", &r->def.shift);
}

static int read_request(request *r, const args *a) {
    if (a->n_words == 0) {
        complain("name a scenario or a file; 'bristle scenario' lists those that are built in");
        return WRONG_USAGE;
    }
    if (a->n_words > 1) {
        complain("name one scenario: '%.60s' is a second one", a->words[1]);
        return WRONG_USAGE;
    }
    r->def.scenario = a->words[0];
    r->def.column = args_get(a, "--column");
    r->def.limit = 60.0;
    int failed = check_plot_name(args_get(a, "--plot"));
    if (!failed) failed = check_output(args_get(a, "--output"));
    if (!failed) failed = args_quantity(a, "--limit", "s", &r->def.limit);
    if (!failed && r->def.limit < 0.0) {
        complain("--limit = %g s must be >= 0", r->def.limit);
        failed = WRONG_USAGE;
    }
    if (!failed) failed = args_whole(a, "--threads", 1, 1024, &r->def.threads);
    if (!failed) failed = changes_from_args(&r->changes, a, "--rtol");
    r->def.overrides = r->changes.list;
    r->def.n_overrides = r->changes.count;
    if (!failed) failed = read_laws(r, args_get(a, "--models"));
    if (!failed) failed = read_solvers(r, args_get(a, "--solvers"));
    if (!failed) failed = read_tolerances(r, args_get(a, "--rtol"));
    return failed ? failed : read_reference(r, a);
}

static void request_free(request *r) {
    for (int i = 0; i < r->n_random; i++) free(r->random[i]);
    changes_free(&r->changes);
    free(r->laws);
    free(r->random);
    free(r->solvers);
    free(r->rtol);
    free(r->reference);
}

/* ---- what is printed ------------------------------------------------------------------------- */

/* A sentence in lines of at most 100 letters, the later ones indented. */
static void put_wrapped(const char *text) {
    const size_t most = 100;
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > most) {
            fputs("\n ", stdout);
            column = 1;
        }
        if (column > 0) putchar(' ');
        printf("%.*s", (int)length, text);
        column += length + (column > 0);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

/* A reason that several rows of a law share is given once. */
static int told_before(const bri_compare *c, int row) {
    for (int i = 0; i < row; i++)
        if (strcmp(c->rows[i].law, c->rows[row].law) == 0 &&
            strcmp(c->rows[i].err.text, c->rows[row].err.text) == 0 && c->rows[i].err.status)
            return 1;
    return 0;
}

static void put_words(const bri_compare *c) {
    int failed = 0;
    for (int i = 0; i < c->n_rows; i++) {
        const bri_compare_row *r = &c->rows[i];
        char line[700];
        if (r->err.status == BRI_OK || told_before(c, i)) continue;
        if (!failed++) puts("\nWithout numbers:");
        snprintf(line, sizeof line, "%s: %s", r->law, r->err.text);
        put_wrapped(line);
    }
    if (c->n_advice > 0) putchar('\n');
    for (int i = 0; i < c->n_advice; i++) put_wrapped(c->advice[i]);
}

static void put_string(const char *text) {
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static int put_json(const bri_compare *c, const bri_table *t, const char *source) {
    const char *const pairs[][2] = {{"scenario", source},    {"title", c->title},
                                    {"column", c->column},     {"unit", c->unit},
                                    {"contact", c->contact},   {"reference", c->reference},
                                    {"version", bri_version()}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        fputs(i ? ",\n" : "{", stdout);
        put_string(pairs[i][0]);
        fputs(": ", stdout);
        put_string(pairs[i][1]);
    }
    fputs(",\n\"rows\": ", stdout);
    int failed = study_print(t, BRI_FORM_JSON);
    fputs(",\n\"advice\": [", stdout);
    for (int i = 0; i < c->n_advice; i++) {
        fputs(i ? ",\n " : "\n ", stdout);
        put_string(c->advice[i]);
    }
    fputs("\n]}\n", stdout);
    return failed;
}

static int put_result(const bri_compare *c, const args *a) {
    bri_form form = study_form(a);
    int machine = form == BRI_FORM_JSON || form == BRI_FORM_CSV, failed;
    bri_table *t = bri_compare_table(c, machine);
    if (!t) return out_of_memory();
    failed = form == BRI_FORM_JSON ? put_json(c, t, a->words[0]) : study_print(t, form);
    if (!failed && !machine) put_words(c);
    bri_table_free(t);
    return failed;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int put_files(const bri_compare *c, const request *r, const args *a, const char *command) {
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

static int conclude(const bri_compare *c, const request *r, const args *a, const char *command) {
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

static int compare(const args *a, int argc, char **argv) {
    static bri_messages messages; /* too large for the stack */
    request r = {0};
    bri_compare *c = NULL;
    int failed = read_request(&r, a);
    if (!failed) {
        bri_status status = bri_compare_run(&r.def, study_watch_start(), &c, &messages);
        study_watch_end();
        for (int i = 0; status && i < messages.count; i++)
            fprintf(stderr, "%s\n", messages.message[i].text);
        if (messages.dropped > 0) complain("and %d more mistakes", messages.dropped);
        if (status) failed = status == BRI_NO_MEMORY ? RUN_FAILED : WRONG_USAGE;
    }
    if (!failed) {
        char *command = study_command(argc, argv);
        failed = conclude(c, &r, a, command);
        if (watch_interrupted()) {
            complain("interrupted: the rows that are complete are shown");
            failed = EXIT_INTERRUPTED;
        }
        free(command);
    }
    bri_compare_free(c);
    request_free(&r);
    return failed;
}

int cmd_compare(int argc, char **argv) {
    args a;
    int failed = args_parse(&a, options, N_OPTIONS, argc, argv);
    if (!failed && args_get(&a, "--help"))
        help();
    else if (!failed)
        failed = compare(&a, argc, argv);
    args_free(&a);
    return failed;
}
