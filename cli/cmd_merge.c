/* cmd_merge.c - bristle merge: the parts of a sweep as one file. */
#include "bristle_sweep.h"
#include "cli.h"

static const option options[] = {
    {"-o", "FILE", "write there instead of standard output: FILE.csv or FILE.sqlite"},
    {"--unfinished", NULL, "take what is there although points are missing"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts("bristle merge FILE... - the parts of a sweep as one file\n\n"
         "examples:\n"
         "  bristle sweep belt --vary belt.velocity=0.01:1:1000 --measure period --part 1/4 -o "
         "a1.csv\n"
         "  bristle merge a1.csv a2.csv a3.csv a4.csv -o a.csv\n"
         "  bristle merge a.csv.sweep --unfinished -o so-far.csv\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    puts("\nThe parts must have the same settings, which are beside them in FILE.sweep; of a part "
         "that\n"
         "is not finished that file has the rows, too. The result has the bytes of a sweep that "
         "was not\n"
         "parted.");
}

static int run(const args *a) {
    bri_error err = {0};
    long points = 0;
    if (a->n_words == 0) {
        complain("name the parts: bristle merge a1.csv a2.csv -o a.csv");
        return WRONG_USAGE;
    }
    bri_status status = bri_sweep_merge(a->words, a->n_words, args_get(a, "-o"),
                                        args_get(a, "--unfinished") != NULL, &points, &err);
    if (status == BRI_OK) {
        fprintf(stderr, "%ld point%s\n", points, points == 1 ? "" : "s");
        return DONE;
    }
    complain("%s", err.text);
    return exit_code(status);
}

int cmd_merge(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
