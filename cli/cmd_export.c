/* cmd_export.c - bristle export: a law as one file of another language. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"--to", "LANGUAGE", "c, python, matlab or st (IEC 61131-3)"},
    LAWS_OPTION,
    {"--set", "NAME=VALUE", "a parameter of the law; repeatable"},
    {"--load", "N", "normal load of the test vector, default: that of the law's parameters"},
    {"--output", "FILE", "write there instead of to standard output; also -o"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts("bristle export LAW --to LANGUAGE - a law as one file that needs nothing else\n\n"
         "examples:\n"
         "  bristle export lugre --to c -o lugre.c\n"
         "  bristle export lugre --to python --set sigma0='1e5 N/m' -o lugre.py && python3 "
         "lugre.py\n"
         "  bristle export mine --laws mine.yaml --to matlab -o mine.m\n"
         "  bristle export lugre --to st -o lugre.st\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    puts("\nThe file has a function for force and rates, a step that is stable for every step "
         "size,\n"
         "the parameters by name, and a test vector computed here with a test of it. A file of C "
         "is\n"
         "tested by 'cc -DLAW_TEST LAW.c -lm && ./a.out' with its own name for LAW, one of Python "
         "by\n"
         "running it, one of MATLAB by 'law = LAW(); law.test()'; the file must be called as the\n"
         "function is there. A program LAW_TEST in a file of structured text finds law_worst, the\n"
         "largest distance from its test vector. Laws that have no page of equations (karnopp,\n"
         "bristle_implicit, haessig_friedland, and random forces) cannot be written.");
}

static int find_language(const args *a, bri_language *to) {
    const char *given = args_get(a, "--to"), *names[BRI_LANGUAGE_COUNT];
    for (int i = 0; i < BRI_LANGUAGE_COUNT; i++) {
        names[i] = bri_language_name((bri_language)i);
        *to = (bri_language)i;
        if (given && strcmp(given, names[i]) == 0) return DONE;
    }
    const char *near = given ? bri_nearest(given, names, BRI_LANGUAGE_COUNT) : NULL;
    if (!given)
        complain("say which language: --to c, python, matlab or st");
    else if (near)
        complain("--to: there is no '%.40s'; did you mean '%s'?", given, near);
    else
        complain("--to: there is no '%.40s'; it can be c, python, matlab or st", given);
    return WRONG_USAGE;
}

/* To memory first: a file appears complete or not at all. */
static int export_to(const args *a, const bri_setup *s, bri_language to) {
    char *text = NULL;
    size_t size;
    bri_error err;
    bri_file *file = NULL;
    FILE *out = open_memstream(&text, &size);
    bri_status status = out ? bri_law_export(s, to, out, &err) : BRI_NO_MEMORY;
    if (!out || fclose(out) != 0) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        free(text);
        return RUN_FAILED;
    }
    if (!status) status = bri_file_open(args_get(a, "--output"), 1, &file, &err);
    if (!status) status = bri_file_put(file, text, &err);
    bri_status end = file ? bri_file_close(file, !status, status ? NULL : &err) : BRI_OK;
    if (!status) status = end;
    if (status) complain("%s", err.text);
    free(text);
    return exit_code(status);
}

static int run(const args *a) {
    laws l = {0};
    bri_language to;
    if (a->n_words != 1) {
        complain(a->n_words ? "name one law: '%.60s' is a second one" : "name a law%s",
                 a->n_words ? a->words[1] : "; 'bristle models' lists them");
        return WRONG_USAGE;
    }
    int failed = find_language(a, &to);
    if (!failed) failed = laws_from_args(&l, a);
    if (!failed) failed = export_to(a, &l.list[0].setup, to);
    laws_free(&l);
    return failed;
}

int cmd_export(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
