/* cli.h - what the subcommands of bristle share. */
#ifndef BRI_CLI_H
#define BRI_CLI_H

#include "bristle_law.h"
#include "bristle_scenario.h"
#include "bristle_study.h"
#include "bristle_sweep.h"
#include "bristle_tools.h"

#include <stddef.h>
#include <stdio.h>

enum { DONE = 0, RUN_FAILED = 1, WRONG_USAGE = 2, RUN_DOUBTFUL = 3 };

/* ---- messages -------------------------------------------------------------------------------- */

#if defined(__GNUC__)
#define LIKE_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define LIKE_PRINTF(a, b)
#endif

/* Write "bristle: ..." to standard error. */
void complain(const char *format, ...) LIKE_PRINTF(1, 2);

/* What the status of a failed call means for the exit code: a wrong name or value is the user's. */
int exit_code(bri_status status);

/* The same where files or definitions are read: they are wrong unless the machine lacks something.
 */
int reading_code(bri_status status);

/* ---- options: args.c ------------------------------------------------------------------------- */

/* One row of a command's table of options; value is NULL for a switch. */
typedef struct option {
    const char *name;  /* "--load" */
    const char *value; /* "N" */
    const char *text;  /* one line of help */
} option;

/* The laws that a command line can name, beside those of the library. */
typedef struct known_laws {
    bri_laws *laws;         /* of --laws, and pages that come with bristle */
    bri_scenario *scenario; /* the one that is named, once a name was found nowhere else */
} known_laws;

/* A command line taken apart. The strings are those of argv. */
typedef struct args {
    const option *options;
    int n_options;
    const char **words; /* what is not an option, in order */
    int n_words;
    const char **values; /* option k of argument i: values[i] with which[i] == k */
    int *which;
    int n_given;
    known_laws *known;
    int argc; /* the whole of it, from the name of the command on */
    char **argv;
} args;

/* The options every command has; they open the command's own table. */
#define HELP_OPTION                                                                                \
    { "--help", NULL, "this text" }

/* For commands that name laws. */
#define LAWS_OPTION                                                                                \
    { "--laws", "FILE", "know the law of this file as well, or those of a folder; repeatable" }

/* DONE or WRONG_USAGE, after a message. Free with args_free in both cases. */
int args_parse(args *a, const option *options, int n_options, int argc, char **argv);
void args_free(args *a);

/* Value of an option ("" for a switch), NULL if it was not given. */
const char *args_get(const args *a, const char *name);

/* Values of an option that may be repeated: start with *at = 0, ends with NULL. */
const char *args_next(const args *a, const char *name, int *at);

/* Value of an option as a quantity, as one > 0, or as a whole number in a range. All leave *value
 * alone if the option was not given. DONE, or an exit code after a message. */
int args_quantity(const args *a, const char *name, const char *unit, double *value);
int args_positive(const args *a, const char *name, const char *unit, double *value);
int args_whole(const args *a, const char *name, int min, int max, int *value);

/* Value of an option as MIN:MAX with MIN < MAX; a unit behind MAX holds for both unless MIN has its
 * own. */
int args_range(const args *a, const char *name, const char *unit, const char *example, double *min,
               double *max);

/* Print the table of options, aligned. */
void options_print(const option *options, int n_options);

/* Words of text from the current column on, broken into lines of at most TEXT_WIDTH letters that
 * start after an indent. */
enum { TEXT_WIDTH = 100 };
void put_words(int column, int indent, const char *text);

/* The entries of "a, b,c", without blanks around them. Free in any case. */
typedef struct word_list {
    char *text;
    const char **word;
    int count;
} word_list;
int words_split(word_list *l, const char *text);
void words_free(word_list *l);

/* There is no such solver, but perhaps one that is near. WRONG_USAGE. */
int no_solver(const char *word);

/* A whole command: its options taken apart, then its help or its work. The exit code. */
int command(const option *options, int n_options, void (*help)(void), int (*run)(const args *a),
            int argc, char **argv);

/* ---- laws named on the command line: laws.c -------------------------------------------------- */

typedef struct law {
    const char *name; /* as the user wrote it */
    bri_setup setup;
    bri_stochastic *random; /* owner of the model, for "stochastic:NAME" */
    bri_directed *directed; /* owner of the model, with --backward */
} law;

typedef struct laws {
    law *list;
    int count;
    const law *loaded; /* the one whose default load all share; NULL: the load is given */
    int rescaled;      /* nonzero: another one has another */
} laws;

/* A law by its name, "lugre" or "stochastic:lugre": of the library, of --laws, or of the scenario
 * that is named. *random receives what must be freed, or NULL. NULL after a message. */
const bri_model *law_find(const args *a, const char *name, bri_stochastic **random);

/* Read the files of --laws. DONE, or an exit code after messages. Free in any case. */
int known_laws_read(known_laws *known, const args *a);
void known_laws_free(known_laws *known);

/* Tell all that is wrong with a file. */
void tell_messages(const bri_messages *messages);

/* The laws that args names, with its --set, --load and --backward. Free with laws_free in any case.
 */
int laws_from_args(laws *l, const args *a);
void laws_free(laws *l);

/* Tell on standard error if laws do not carry the load they have by default. */
void laws_note_loads(const laws *l);

/* Speeds and lengths that the tables of the laws suggest for a picture [m/s], [m]. */
double laws_speed(const laws *l);
double laws_length(const laws *l);

/* ---- measured points over laws: points.c -------------------------------------------------------
 */

#define POINTS_OPTIONS                                                                             \
    {"--points", "FILE", "measured points to be drawn over the laws: a CSV file"}, {               \
        "--map", "MAP", "its columns, if they have other names: 'v=speed[mm/s],F=force[N]'"        \
    }

/* Forces, then velocities; or, with_x, forces, displacements, and velocities where the file has
 * some. None without --points. DONE, or an exit code after a message. Free with bri_points_free. */
int points_from_args(const args *a, int with_x, bri_points *p);

/* Forces over column x, for a picture; no points if there is no such column. */
bri_series points_series(const bri_points *p, int x);

/* The largest speed, and a table of how far the points are from each law, for a curve. */
double points_fastest(const bri_points *p);
void points_tell(const bri_points *p, const laws *l);

/* ---- scenarios named on the command line: scenario_args.c ------------------------------------ */

/* The options that change a scenario, for the table of a command. */
#define SCENARIO_OPTIONS                                                                           \
    {"--model", "LAW", "put this friction law on every contact, with the parameters it knows"},    \
        LAWS_OPTION,                                                                               \
        {"--set", "KEY=VALUE",                                                                     \
         "change the scenario: pad.sigma0=2e5, block.mass='3 kg'; repeatable"},                    \
        {"--solver", "NAME", "time integrator, default rosenbrock"},                               \
        {"--rtol", "R", "relative tolerance of the integrator"},                                   \
        {"--step", "H", "step size of a solver with a fixed one, such as rk4"},                    \
        {"--until", "T", "end of the run"}, {                                                      \
        "--output", "DT", "time between rows"                                                      \
    }

/* Refuse none and more than one. */
int one_scenario(const args *a);

/* The only word of args as a scenario, changed by its --model, --set, --until, ... Free with
 * scenario_free in any case. */
typedef struct scenario {
    bri_scenario *s;
    bri_stochastic *random; /* owner of the law of --model */
} scenario;

int scenario_from_args(scenario *to, const args *a);
void scenario_free(scenario *s);

/* The changes that --set, --until, --output, ... ask for; text owns the keys. */
typedef struct changes {
    bri_override *list;
    char **text;
    int count;
} changes;

/* All but the option `but` (NULL: all). Free with changes_free in any case. */
int changes_from_args(changes *c, const args *a, const char *but);
void changes_free(changes *c);

/* Refuse a file as the value of --output. */
int check_output(const char *given);

/* ---- columns of numbers: table.c ------------------------------------------------------------- */

/* n_columns columns of n_rows numbers, column after column. */
typedef struct table {
    const char **heads;
    double *data;
    int n_columns, n_rows;
} table;

int table_create(table *t, int n_columns, int n_rows);
void table_free(table *t);
double *table_column(const table *t, int column);

/* CSV (RFC 4180) to the file, or to standard output if file is NULL. */
int table_write(const table *t, const char *file);

/* Draw, with a message if that fails. */
int draw(const bri_plot *plot, const char *file);

/* Refuse a picture whose suffix is none of svg, png, pdf before anything is computed. */
int check_plot_name(const char *file);

/* ---- files that are written: outputs.c ------------------------------------------------------- */

/* Refuse outputs that are the same file, that are named elsewhere in the command line as well, or
 * that cannot be opened. Nothing has been touched then. Every command is checked so before it
 * begins. */
int outputs_check(const args *a);

/* Refuse outputs that the scenario was read from, with its tables and laws. */
int outputs_keep(const args *a, const bri_scenario *read);

/* The same for the scenario that is named, read so; what is wrong with it is told elsewhere. */
int outputs_spare(const args *a, const bri_scenario_options *how);

/* Whether a folder is there or could be made, NULL: none is needed; leaves no trace. */
int outputs_folder(const char *name);

/* ---- studies: study.c ------------------------------------------------------------------------ */

/* JSON, CSV, Markdown or HTML if --json, --csv, --markdown or --html is given; else text, in
 * colours on a terminal unless NO_COLOR is set. */
bri_form study_form(const args *a);

/* The table to standard output. DONE, or an exit code after a message. */
int study_print(const bri_table *t, bri_form form);

/* From now on an interrupt stops the study, and after a second a terminal shows its progress. */
const bri_watch *study_watch_start(void);
void study_watch_end(void);

/* The command line as it can be typed again. To be freed; NULL if there is no memory. */
char *study_command(const args *a);

/* ---- printing of laws: models_*.c ------------------------------------------------------------ */

/* Everything that is said about one law. */
typedef struct law_facts {
    const bri_model *model;
    const char *name;
    const char *equations; /* of its page, else as the law says them */
    char *own;             /* owner of the equations, or NULL */
    bri_traits traits;
} law_facts;

void models_list(const law_facts *facts, int count);
void models_teach(const law_facts *facts);
void models_json(const law_facts *facts, int count);
void models_markdown(const law_facts *facts, int count);

/* What the stochastic wrapper is, for those who ask. */
extern const char *const stochastic_text;

/* ---- the commands ---------------------------------------------------------------------------- */

int cmd_models(int argc, char **argv);
int cmd_curve(int argc, char **argv);
int cmd_loop(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_law(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_fmu(int argc, char **argv);
int cmd_conform(int argc, char **argv);
int cmd_scenario(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_identify(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_sweep(int argc, char **argv);

/* How the points of a sweep are run: here, or shared with other processes, see mpi.c. */
typedef struct sweep_ranks {
    bri_status (*run)(bri_sweep *s, const bri_watch *watch, bri_sweep_finished finished,
                      void *context, bri_error *err);
    int helps; /* nonzero: another one has the results, and writes them */
} sweep_ranks;
extern sweep_ranks sweep_among;

#endif
