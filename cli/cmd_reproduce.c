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
enum { N_OPTIONS = sizeof options / sizeof *options };

static const char explanation[] =
    "Verdicts: 'matches', within the tolerance, which is half a unit of the last digit that is\n"
    "printed unless something else is stated; 'explained', not, but another reading of the paper,\n"
    "or a computation by other means, gives the published value; 'undetermined', not, and the\n"
    "paper leaves out what the value depends on; 'differs', none of these. A claim in words is a\n"
    "quantity with a bound. The source says where the published number comes from: printed by the\n"
    "paper, a claim of the paper, a closed form, or computed independently where the paper has no\n"
    "number. Claims on processor time depend on the machine: they are counted apart, and are\n"
    "undetermined within a fifth of their bound.";

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
    printf("\n%s\nExit code 1 if anything differs otherwise than is known.\n", explanation);
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
    bri_table *counts = r ? bri_reproduction_counts(r) : NULL;
    if (counts) bri_report_table(report, "counts", counts);
    bri_table_free(counts);
    bri_report_text(report, explanation);
    if (r) bri_reproduction_report(r, report);
    if (bri_report_close(report, command, &err) == BRI_OK) return DONE;
    complain("%s", err.text);
    return RUN_FAILED;
}

static void summarise(const bri_reproduction *r, double seconds) {
    int surprises = bri_reproduction_surprises(r), all = 0, timed = 0;
    for (int v = 0; v < BRI_VERDICT_COUNT; v++) {
        all += bri_reproduction_count(r, (bri_verdict)v);
        timed += bri_reproduction_timed(r, (bri_verdict)v);
    }
    fprintf(stderr,
            "%d quantities: %d match, %d are explained, %d are not determined by the paper, %d "
            "differ; %.1f s\n",
            all, bri_reproduction_count(r, BRI_MATCHES), bri_reproduction_count(r, BRI_EXPLAINED),
            bri_reproduction_count(r, BRI_UNDETERMINED), bri_reproduction_count(r, BRI_DIFFERS),
            seconds);
    if (timed)
        fprintf(stderr,
                "and %d by processor time, on this machine: %d match, %d are too near to their "
                "bound, %d differ\n",
                timed, bri_reproduction_timed(r, BRI_MATCHES),
                bri_reproduction_timed(r, BRI_UNDETERMINED),
                bri_reproduction_timed(r, BRI_DIFFERS));
    if (surprises) fprintf(stderr, "%d of them differ otherwise than is known\n", surprises);
}

static int reproduce(const args *a, unsigned papers, const changes *c, bri_report *report) {
    bri_reproduction *r;
    bri_error err;
    double before = watch_seconds();
    bri_status status = bri_reproduce(papers, c->list, c->count, study_watch_start(), &r, &err);
    study_watch_end();
    double took = watch_seconds() - before;
    int failed = status ? RUN_FAILED : DONE;
    if (status) complain("%s", err.text);
    if (r && print(r, papers, study_form(a)) != DONE) failed = RUN_FAILED;
    char *line = study_command(a);
    if (close_report(report, r, line) != DONE) failed = RUN_FAILED;
    free(line);
    if (r) summarise(r, took);
    if (r && bri_reproduction_surprises(r) > 0) failed = RUN_FAILED;
    bri_reproduction_free(r);
    return watch_interrupted() ? EXIT_INTERRUPTED : failed;
}

static int run(const args *a) {
    unsigned papers;
    changes c = {0};
    bri_report *report;
    int failed = choose(a, &papers);
    if (!failed) failed = changes_from_args(&c, a, NULL);
    if (!failed) failed = open_report(args_get(a, "--report"), &report);
    if (!failed) failed = reproduce(a, papers, &c, report);
    changes_free(&c);
    return failed;
}

int cmd_reproduce(int argc, char **argv) {
    return command(options, N_OPTIONS, help, run, argc, argv);
}
