/* cmd_reproduce.c - bristle reproduce: the published experiments, done again. */
#include "cli.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"--report", "DIR", "write DIR/report.html: the tables, and the figures drawn again"},
    {"--set", "KEY=VALUE", "change every rig that is run, to see who notices; repeatable"},
    {"--json", NULL, "one object per quantity"},
    {"--markdown", NULL, "tables for a document"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options, MOST_CHANGES = 8, CHANGE = 200 };

static const char explanation[] =
    "Verdicts: 'matches', within the tolerance, which is half a unit of the last digit that is\n"
    "printed unless something else is stated; 'explained', not, but where an independent\n"
    "computation has it, for the reason given; 'differs', neither. A claim in words is a quantity\n"
    "with a bound. The source says where the published number comes from: printed by the paper, a\n"
    "claim of the paper, a closed form, or computed independently where the paper has no number.";

static void help(void) {
    puts(
        "bristle reproduce [PAPER...] - do published experiments again and compare every number\n\n"
        "examples:\n"
        "  bristle reproduce                         all papers, in less than a minute\n"
        "  bristle reproduce rill olsson             two of them\n"
        "  bristle reproduce --report report         with the figures, in report/report.html\n"
        "  bristle reproduce leus --json             for machines\n"
        "  bristle reproduce olsson --set pad.sigma0='2e4 N/m'   what if it were stiffer?\n\n"
        "papers:");
    for (int i = 0; i < bri_paper_count(); i++)
        printf("  %-12s %s\n", bri_paper_key(i), bri_paper_title(i));
    puts("\noptions:");
    options_print(options, N_OPTIONS);
    printf("\n%s\nExit code 1 if anything differs.\n", explanation);
}

/* Bits of the papers that are named; all if none is. */
static int choose(const args *a, unsigned *papers) {
    const char *names[16];
    int count = bri_paper_count();
    for (int i = 0; i < count; i++) names[i] = bri_paper_key(i);
    names[count] = "all";
    *papers = 0;
    for (int w = 0; w < a->n_words; w++) {
        int i = 0;
        while (i <= count && strcmp(a->words[w], names[i]) != 0) i++;
        if (i > count) {
            const char *near = bri_nearest(a->words[w], names, count + 1);
            complain(near ? "there is no paper '%.40s'; did you mean '%s'?"
                          : "there is no paper '%.40s'; try 'bristle reproduce --help'",
                     a->words[w], near);
            return WRONG_USAGE;
        }
        *papers |= i < count ? 1u << i : (1u << count) - 1u;
    }
    if (a->n_words == 0) *papers = (1u << count) - 1u;
    return DONE;
}

/* The changes of --set; text is their room. */
static int changes_of(const args *a, bri_override *to, char (*text)[CHANGE], int *count) {
    const char *given;
    for (int at = 0; (given = args_next(a, "--set", &at));) {
        const char *equals = strchr(given, '=');
        if (!equals || equals == given || strlen(given) >= CHANGE || *count == MOST_CHANGES) {
            complain("--set: '%.60s': KEY=VALUE is wanted, at most %d times", given, MOST_CHANGES);
            return WRONG_USAGE;
        }
        strcpy(text[*count], given);
        char *value = strchr(text[*count], '=');
        *value++ = '\0';
        to[*count] = (bri_override){text[*count], value};
        ++*count;
    }
    return DONE;
}

/* One table per paper for people, one in all for machines. */
static int print(const bri_reproduction *r, unsigned papers, bri_form form) {
    int machines = form == BRI_FORM_JSON, failed = DONE;
    for (int i = machines ? -1 : 0; i < (machines ? 0 : bri_paper_count()) && !failed; i++) {
        if (i >= 0 && !(papers >> i & 1u)) continue;
        bri_table *t = bri_reproduction_table(r, i, machines);
        if (!t) {
            complain("%s", bri_status_text(BRI_NO_MEMORY));
            return RUN_FAILED;
        }
        failed = study_print(t, form);
        if (!machines) putchar('\n');
        bri_table_free(t);
    }
    return failed;
}

/* The report is begun before the work, so that a wrong directory shows at once. */
static int open_report(const char *dir, bri_report **report) {
    bri_error err;
    *report = NULL;
    if (!dir) return DONE;
    bri_status status = bri_report_create(dir, "Published experiments, done again", report, &err);
    if (status) complain("%s", err.text);
    return status ? RUN_FAILED : DONE;
}

static int close_report(bri_report *report, const bri_reproduction *r, const char *command) {
    bri_error err;
    if (!report) return DONE;
    bri_report_text(report, explanation);
    if (r) bri_reproduction_report(r, report);
    if (bri_report_close(report, command, &err) == BRI_OK) return DONE;
    complain("%s", err.text);
    return RUN_FAILED;
}

static void summarise(const bri_reproduction *r, double seconds) {
    fprintf(stderr, "%d quantities: %d match, %d are explained, %d differ; %.1f s\n",
            bri_reproduction_findings(r), bri_reproduction_count(r, BRI_MATCHES),
            bri_reproduction_count(r, BRI_EXPLAINED), bri_reproduction_count(r, BRI_DIFFERS),
            seconds);
}

static int reproduce(const args *a, const char *command) {
    bri_override changes[MOST_CHANGES];
    char text[MOST_CHANGES][CHANGE];
    unsigned papers;
    int n_changes = 0, failed = choose(a, &papers);
    bri_report *report;
    bri_reproduction *r;
    bri_error err;
    if (!failed) failed = changes_of(a, changes, text, &n_changes);
    if (!failed) failed = open_report(args_get(a, "--report"), &report);
    if (failed) return failed;
    double before = watch_seconds();
    bri_status status = bri_reproduce(papers, changes, n_changes, study_watch_start(), &r, &err);
    study_watch_end();
    double took = watch_seconds() - before;
    if (status) complain("%s", err.text);
    if (r) failed = print(r, papers, study_form(a));
    int unwritten = close_report(report, r, command);
    if (r) summarise(r, took);
    if (r && bri_reproduction_count(r, BRI_DIFFERS) > 0) failed = RUN_FAILED;
    bri_reproduction_free(r);
    if (watch_interrupted()) return EXIT_INTERRUPTED;
    return status || unwritten ? RUN_FAILED : failed;
}

int cmd_reproduce(int argc, char **argv) {
    args a;
    char *line = study_command(argc, argv);
    int failed = args_parse(&a, options, N_OPTIONS, argc, argv);
    if (!failed && args_get(&a, "--help"))
        help();
    else if (!failed)
        failed = reproduce(&a, line);
    args_free(&a);
    free(line);
    return failed;
}
