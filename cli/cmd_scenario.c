/* cmd_scenario.c - bristle scenario: the scenarios that ship with bristle, and the schema. */
#include "cli.h"

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

static void print_rows(const bri_param *rows, int count) {
    puts("\n| key | unit | meaning |\n|---|---|---|");
    for (int i = 0; i < count; i++) {
        const char *unit = strcmp(rows[i].unit, "1") == 0 ? "" : rows[i].unit;
        printf("| `%s` | %s | %s |\n", rows[i].name, unit, rows[i].text);
    }
}

/* Kinds of couplings or signals: one line for each, with its parameters. */
static void print_kind(const char *name, const char *text, const bri_param *rows, int count) {
    printf("| `%s` | %s |", name, text);
    for (int i = 0; i < count; i++) {
        const char *unit = strcmp(rows[i].unit, "1") == 0 ? "" : rows[i].unit;
        printf("%s `%s`%s%s%s", i ? "," : "", rows[i].name, *unit ? " [" : "", unit,
               *unit ? "]" : "");
    }
    puts(" |");
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
    puts("\n### Kinds of couplings\n\n| kind | what | parameters |\n|---|---|---|");
    for (int i = 0; i < bri_coupling_count(); i++) {
        const bri_coupling_kind *k = bri_coupling_at(i);
        print_kind(k->name, k->text, k->params, k->n_params);
    }
    puts("\n### Kinds of signals\n\n`=` stands for the unit of the quantity that the signal "
         "gives.\n\n"
         "| kind | what | parameters |\n|---|---|---|");
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
