/* cmd_law.c - bristle law: is a law of one's own sound, and what can it do? */
#include "cli.h"
#include "watch.h"

#include <math.h>
#include <string.h>

static const option options[] = {
    {"--quick", NULL, "leave out the experiments of 'bristle conform'"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts("bristle law check FILE... - read law files and try whether the laws are sound\n\n"
         "examples:\n"
         "  bristle law check mine.yaml\n"
         "  bristle law check laws/*.yaml --quick\n"
         "  bristle law check lugre             a page that comes with bristle\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    puts("\nWhat is tried, each at 2000 samples from all over the ranges of the tables:");
    for (int i = 0; i < bri_trial_count(); i++) {
        bri_trial t = bri_trial_at(i);
        put_words(printf("  %-12s ", t.name), 15, t.text);
    }
    puts(
        "\nThen what 'bristle conform' finds, which is for information. Units are checked while "
        "the\n"
        "file is read. Exit code 0: all laws are sound; 1: some trial failed; 2: a file cannot be\n"
        "read, every mistake is told with its line. How to write one: docs/howto/own-law.md.");
}

static int no_memory(void) {
    complain("%s", bri_status_text(BRI_NO_MEMORY));
    return RUN_FAILED;
}

/* One line: name, verdict, what was found. Nonzero: not enough memory, *bad counts what fails. */
static int tell_trial(const bri_model *m, int i, int *bad) {
    bri_trial t = bri_try_law(m, i);
    if (t.passed == -2) return no_memory();
    if (t.passed < 0) {
        printf("  %-12s -     nothing of the kind\n", t.name);
    } else if (t.passed) {
        printf("  %-12s ok    %s\n", t.name, t.text);
    } else {
        int column = printf("  %-12s FAILS ", t.name);
        put_words(column, column, t.found);
    }
    *bad += t.passed == 0;
    return 0;
}

/* Nonzero: it is not known, for want of memory. */
static int tell_finding(const bri_setup *s, const bri_phenomenon *what) {
    static const char *const words[] = {"", "good", "fair", "bad", "open"};
    bri_finding f = bri_conform_one(s, what, 0.0);
    char value[40] = "";
    double scale = what->scale > 0.0 ? what->scale : 1.0;
    const char *unit = what->shown ? what->shown : what->unit;
    if (!isnan(f.value))
        snprintf(value, sizeof value, "%.*g%s%s", f.digits > 0 ? f.digits : 1, f.value * scale,
                 strcmp(unit, "1") == 0 ? "" : " ", strcmp(unit, "1") == 0 ? "" : unit);
    if (f.word && strcmp(f.word, "no memory") == 0) return no_memory();
    printf("    %-22s %-5s %s\n", what->name, words[f.tone], f.word ? f.word : value);
    return 0;
}

static int tell_conformance(const bri_model *m) {
    bri_setup s;
    bri_error err;
    bri_status status = bri_conform_setup(&s, m, NULL, &err);
    if (status == BRI_NO_MEMORY) return no_memory();
    printf("what bristle conform finds\n");
    if (status) {
        printf("  nothing: %s\n", err.text);
        return 0;
    }
    const char *group = "";
    for (int i = 0; i < bri_phenomenon_count() && !watch_interrupted(); i++) {
        const bri_phenomenon *p = bri_phenomenon_at(i);
        if (p->machine) continue;
        if (strcmp(p->group, group) != 0) printf("  %s\n", p->group);
        group = p->group;
        if (tell_finding(&s, p)) return RUN_FAILED;
    }
    return watch_interrupted() ? EXIT_INTERRUPTED : DONE;
}

/* A file, or the name of a page that comes with bristle. */
static bri_status read_law(const char *name, bri_law **l, bri_messages *messages) {
    FILE *in = fopen(name, "rb");
    const char *page = in ? NULL : bri_law_page(name);
    if (in) fclose(in);
    return page ? bri_law_parse(page, strlen(page), name, l, messages)
                : bri_law_load(name, l, messages);
}

static int check_law(const args *a, const char *file) {
    static bri_messages messages; /* too large for the stack */
    bri_law *l;
    bri_status status = read_law(file, &l, &messages);
    if (status) {
        tell_messages(&messages);
        return reading_code(status);
    }
    const bri_model *m = bri_law_model(l);
    int bad = 0, code = DONE;
    printf("%s - %s\n  %-12s ok    all equations add up; %d parameter%s, %d state%s%s\n", m->name,
           m->title, "units", m->n_params, m->n_params == 1 ? "" : "s", m->n_states,
           m->n_states == 1 ? "" : "s", m->set_valued ? ", sticks exactly" : "");
    if (bri_model_find(m->name))
        printf("  %-12s -     there is a law %s already: --laws and laws: want another one\n",
               "name", m->name);
    for (int i = 0; i < bri_trial_count() && code == DONE; i++) code = tell_trial(m, i, &bad);
    if (!args_get(a, "--quick") && code == DONE) {
        watch_interrupts(0);
        code = tell_conformance(m);
        watch_done();
    }
    if (code != DONE)
        ; /* nothing is known about the law */
    else if (bad)
        printf("verdict: %s is not sound, %d of %d trials fail\n", m->name, bad, bri_trial_count());
    else
        printf("verdict: %s is sound\n", m->name);
    bri_law_free(l);
    return code != DONE ? code : bad ? RUN_FAILED : DONE;
}

static int run(const args *a) {
    if (a->n_words == 0 || strcmp(a->words[0], "check") != 0) {
        complain("say what is to be done: 'bristle law check FILE'%s",
                 a->n_words == 1 ? "; or 'bristle models NAME' for what a law says" : "");
        return WRONG_USAGE;
    }
    if (a->n_words == 1) {
        complain("name a law file: 'bristle law check FILE'");
        return WRONG_USAGE;
    }
    int worst = DONE;
    for (int i = 1; i < a->n_words; i++) {
        if (i > 1) puts("");
        int code = check_law(a, a->words[i]);
        if (code == EXIT_INTERRUPTED) return code;
        if (code > worst) worst = code;
    }
    return worst;
}

int cmd_law(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
