/* cmd_models.c - bristle models: the laws, what they say and what they can do. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    LAWS_OPTION,
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
         "  bristle models mine --laws mine.yaml    a law of one's own\n"
         "  bristle models stochastic      the random force that goes on top of any law\n"
         "  bristle models --json | jq '.models[].name'\n\n"
         "options:");
    options_print(options, N_OPTIONS);
}

/* The value of a key of a page: what stands behind it, or the block of lines below it. */
static const char *page_value(const char *page, const char *key, int *block) {
    const char *at = page ? strstr(page, key) : NULL;
    if (!at) return NULL;
    at += strlen(key);
    *block = strncmp(at, "|\n", 2) == 0;
    return *block ? at + 2 : at;
}

/* The equations as the page of the law has them, with what it holds at rest. */
static int read_equations(law_facts *fact) {
    const char *page = bri_law_page(fact->model->name);
    int block, line;
    const char *at = page_value(page, "\nequations: ", &block);
    const char *holds = page_value(page, "\nholds: ", &line);
    fact->equations = fact->model->equations;
    if (!at) return DONE;
    char *to = fact->own = calloc(1, strlen(page) + 40);
    if (!to) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    for (int more = 1; more; more = block && *at == ' ') {
        at += strspn(at, " ");
        size_t length = strcspn(at, "\n");
        memcpy(to, at, length);
        to += length;
        at += length + (at[length] == '\n');
        *to++ = '\n';
    }
    if (holds)
        sprintf(to - 1, "\n# at rest: what balances, up to %.*s\n", (int)strcspn(holds, "\n"),
                holds);
    fact->equations = fact->own;
    return DONE;
}

/* Look the law up and measure it with its default parameters. */
static int learn(law_facts *fact, const args *a, const char *name, bri_stochastic **random) {
    bri_setup s;
    bri_error err;
    fact->name = name;
    fact->model = law_find(a, name, random);
    if (!fact->model) return WRONG_USAGE;
    if (read_equations(fact) != DONE) return RUN_FAILED;
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
    const bri_laws *known = a->known->laws;
    for (int i = 0; i < bri_laws_count(known); i++) puts(bri_laws_at(known, i)->name);
    for (int i = 0; i < bri_law_page_count(); i++)
        if (!bri_model_find(bri_law_page_name(i))) puts(bri_law_page_name(i));
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
    const bri_laws *known = a->known->laws;
    int count = a->n_words ? a->n_words : bri_laws_count(known), failed = DONE;
    law_facts *facts = calloc((size_t)count, sizeof *facts);
    bri_stochastic **random = calloc((size_t)count, sizeof *random);
    if (!facts || !random) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        failed = RUN_FAILED;
    }
    for (int i = 0; facts && random && !failed && i < count; i++)
        failed =
            learn(&facts[i], a, a->n_words ? a->words[i] : bri_laws_at(known, i)->name, &random[i]);
    if (!failed) show(a, facts, count);
    for (int i = 0; random && i < count; i++) free(random[i]);
    for (int i = 0; facts && i < count; i++) free(facts[i].own);
    free(random);
    free(facts);
    return failed;
}

int cmd_models(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
