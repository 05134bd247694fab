/* cmd_models.c - bristle models: the laws, what they say and what they can do. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"--names", NULL, "only the names, one per line"},
    {"--json", NULL, "everything, for programs"},
    {"--markdown", NULL, "everything, as the page docs/models.md"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

const char *const stochastic_text =
    "A random part on top of any law, F = F_smooth + P (Andersson et al. 2007, eq. 21). Write\n"
    "stochastic:LAW wherever a law is named, e.g. stochastic:lugre. P is a sum of cosines with\n"
    "random phases: smooth, the same for the same seed, with standard deviation A and its\n"
    "frequencies in a band around f, or around the sliding speed over lambda. 'bristle models\n"
    "stochastic:LAW' shows the parameters.";

static void help(void) {
    puts("bristle models [LAW...] - the friction laws; with names, all that is known of those\n\n"
         "examples:\n"
         "  bristle models                 the list, with traits measured on the spot\n"
         "  bristle models lugre           equations, parameters, limits, source\n"
         "  bristle models stochastic      the random force that goes on top of any law\n"
         "  bristle models --json | jq '.models[].name'\n\n"
         "options:");
    options_print(options, N_OPTIONS);
}

/* Look the law up and measure it with its default parameters. */
static int learn(law_facts *fact, const char *name, bri_stochastic **random) {
    bri_setup s;
    bri_error err;
    fact->name = name;
    fact->model = law_find(name, random);
    if (!fact->model) return WRONG_USAGE;
    bri_setup_init(&s, fact->model);
    if (bri_setup_finish(&s, 0.0, &err)) {
        complain("%s", err.text);
        return RUN_FAILED;
    }
    fact->traits = bri_measure_traits(&s);
    return DONE;
}

static void show(const args *a, const law_facts *facts, int count) {
    if (args_get(a, "--json")) {
        models_json(facts, count);
    } else if (args_get(a, "--markdown")) {
        models_markdown(facts, count);
    } else if (a->n_words == 0) {
        models_list(facts, count);
    } else {
        for (int i = 0; i < count; i++) {
            if (i) puts("");
            models_teach(&facts[i]);
        }
    }
}

static int print_names(const args *a) {
    if (a->n_words > 0) {
        complain("--names lists all laws: leave the names out");
        return WRONG_USAGE;
    }
    for (int i = 0; i < bri_model_count(); i++) puts(bri_model_at(i)->name);
    return DONE;
}

static int run(const args *a) {
    int formats = !!args_get(a, "--json") + !!args_get(a, "--markdown") + !!args_get(a, "--names");
    if (formats > 1) {
        complain("give one of --names, --json and --markdown");
        return WRONG_USAGE;
    }
    if (args_get(a, "--names")) return print_names(a);
    if (a->n_words == 1 && !formats && strcmp(a->words[0], "stochastic") == 0) {
        printf("stochastic - a random force on top of any law\n\n%s\n", stochastic_text);
        return DONE;
    }
    int count = a->n_words ? a->n_words : bri_model_count(), failed = DONE;
    law_facts *facts = calloc((size_t)count, sizeof *facts);
    bri_stochastic **random = calloc((size_t)count, sizeof *random);
    if (!facts || !random) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        failed = RUN_FAILED;
    }
    for (int i = 0; !failed && i < count; i++)
        failed = learn(&facts[i], a->n_words ? a->words[i] : bri_model_at(i)->name, &random[i]);
    if (!failed) show(a, facts, count);
    for (int i = 0; random && i < count; i++) free(random[i]);
    free(random);
    free(facts);
    return failed;
}

int cmd_models(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
