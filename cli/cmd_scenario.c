/* cmd_scenario.c - bristle scenario: the scenarios that ship with bristle, and the schema. */
#include "cli.h"

#include <math.h>
#include <string.h>

static const option options[] = {
    {"--names", NULL, "only the names, one per line"},
    {"--schema", NULL, "the keys of scenario files, as tables for docs/scenario.md"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts("bristle scenario [NAME] - list the scenarios that ship with bristle, or print one\n\n"
         "examples:\n"
         "  bristle scenario\n"
         "  bristle scenario belt > my_rig.yaml    a start for one of your own\n\n"
         "options:");
    options_print(options, N_OPTIONS);
}

/* ---- list and print ------------------------------------------------------------------------ */

/* The title is the line that says so. */
static void print_list(int only_names) {
    for (int i = 0; i < bri_scenario_count(); i++) {
        const char *name = bri_scenario_name(i),
                   *title = strstr(bri_scenario_text(name), "\ntitle: ");
        title = title ? title + strlen("\ntitle: ") : "\n";
        if (only_names)
            puts(name);
        else
            printf("%-18s  %.*s\n", name, (int)strcspn(title, "\n"), title);
    }
}

static int print_one(const char *name) {
    const char *text = bri_scenario_text(name), *names[256];
    int count = bri_scenario_count() < 256 ? bri_scenario_count() : 256;
    if (text) {
        fputs(text, stdout);
        return DONE;
    }
    for (int i = 0; i < count; i++) names[i] = bri_scenario_name(i);
    const char *near = bri_nearest(name, names, count);
    if (near)
        complain("there is no scenario '%.40s'; did you mean '%s'?", name, near);
    else
        complain("there is no scenario '%.40s'; 'bristle scenario' lists them", name);
    return WRONG_USAGE;
}

/* ---- schema -------------------------------------------------------------------------------- */

/* "key | unit | default | range | meaning |". A default that is not a number is none, a limit of
 * 1e30 or more is none, and the smallest number of all stands for "> 0". */
static void print_row(const bri_param *row) {
    const char *unit = strcmp(row->unit, "1") == 0 ? "" : row->unit;
    printf("| `%s` | %s | ", row->name, unit);
    if (*row->unit && isfinite(row->def) && fabs(row->def) < 1e15) printf("%g", row->def);
    printf(" | ");
    if (*row->unit) {
        if (row->min > 0.0 && row->min <= 1e-30 && row->max >= 1e30)
            printf("> 0");
        else if (row->min > -1e30 && row->max < 1e30)
            printf("%g ... %g", row->min, row->max);
        else if (row->min > -1e30)
            printf(">= %g", row->min);
        else if (row->max < 1e30)
            printf("<= %g", row->max);
        if (row->whole) printf(", whole");
    }
    printf(" | %s |\n", row->text);
}

static void print_rows(const bri_param *rows, int count) {
    puts("\n| key | unit | default | range | meaning |\n|---|---|--:|---|---|");
    for (int i = 0; i < count; i++) print_row(&rows[i]);
}

/* Kinds of couplings or signals: a section for each, with its parameters. */
static void print_kind(const char *name, const char *text, const bri_param *rows, int count) {
    printf("\n**`%s`**: %s.\n", name, text);
    if (count == 0) return;
    print_rows(rows, count);
}

static void print_schema(void) {
    static const char *const parts[][2] = {
        {"", "The file"},         {"bodies", "bodies"},          {"couplings", "couplings"},
        {"contacts", "contacts"}, {"drives", "drives"},          {"run", "run"},
        {"compare", "compare"},   {"table", "table (a signal)"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int count;
        const bri_param *rows = bri_scenario_keys(parts[i][0], &count);
        printf("%s### %s\n", i ? "\n" : "", parts[i][1]);
        print_rows(rows, count);
    }
    puts("\n### Kinds of couplings\n\nAt least one of its parameters has to be given.");
    for (int i = 0; i < bri_coupling_count(); i++) {
        const bri_coupling_kind *k = bri_coupling_at(i);
        print_kind(k->name, k->text, k->params, k->n_params);
    }
    puts("\n### Kinds of signals\n\n`=` stands for the unit of the quantity that the signal "
         "gives.");
    for (int i = 0; i < bri_signal_count(); i++) {
        const bri_signal_kind *k = bri_signal_at(i);
        print_kind(k->name, k->text, k->params, k->n_params);
    }
}

static int run(const args *a) {
    int names = args_get(a, "--names") != NULL, schema = args_get(a, "--schema") != NULL;
    if (a->n_words > 1 || (a->n_words == 1 && (names || schema))) {
        complain("name one scenario, or none");
        return WRONG_USAGE;
    }
    if (a->n_words == 1) return print_one(a->words[0]);
    if (schema)
        print_schema();
    else
        print_list(names);
    return DONE;
}

int cmd_scenario(int argc, char **argv) {
    return command(options, N_OPTIONS, help, run, argc, argv);
}
