/* scenario_args.c - the scenario a command names, with the changes its options ask for. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Options that stand for keys of the scenario. */
static const struct {
    const char *option, *key;
} run_keys[] = {
    {"--solver", "run.solver"}, {"--rtol", "run.rtol"},     {"--step", "run.step"},
    {"--until", "run.until"},   {"--output", "run.output"},
};
enum { N_RUN_KEYS = sizeof run_keys / sizeof *run_keys };

void changes_free(changes *c) {
    for (int i = 0; c->text && i < c->count; i++) free(c->text[i]);
    free(c->text);
    free(c->list);
}

static int add_change(changes *c, const char *key, size_t length, const char *value) {
    char *text = malloc(length + 1);
    if (!text) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    memcpy(text, key, length);
    text[length] = '\0';
    c->text[c->count] = text;
    c->list[c->count++] = (bri_override){text, value};
    return DONE;
}

int changes_from_args(changes *c, const args *a, const char *but) {
    size_t most = (size_t)a->n_given + 1;
    c->list = calloc(most, sizeof *c->list);
    c->text = calloc(most, sizeof *c->text);
    if (!c->list || !c->text) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    int failed = DONE, at = 0;
    for (const char *given; !failed && (given = args_next(a, "--set", &at)) != NULL;) {
        const char *equals = strchr(given, '=');
        if (!equals || equals == given) {
            complain("--set needs KEY=VALUE, such as pad.sigma0=2e5, not '%.60s'", given);
            return WRONG_USAGE;
        }
        failed = add_change(c, given, (size_t)(equals - given), equals + 1);
    }
    for (int i = 0; !failed && i < N_RUN_KEYS; i++) {
        const char *given = args_get(a, run_keys[i].option);
        if (given && !(but && strcmp(but, run_keys[i].option) == 0))
            failed = add_change(c, run_keys[i].key, strlen(run_keys[i].key), given);
    }
    return failed;
}

/* "--output rows.csv" is a slip that other commands invite. */
int check_output(const char *given) {
    bri_error err;
    double dt;
    if (!given || bri_quantity(given, "s", &dt, &err) == BRI_OK ||
        bri_writer_check(given, NULL) != BRI_OK)
        return DONE;
    complain("--output is the time between rows; name the file with -o %.200s", given);
    return WRONG_USAGE;
}

/* Laws of one's own, of the command line and of the scenario, as machine code. */
static int compile_laws(const args *a, const bri_scenario *s) {
    bri_error err;
    bri_status status = bri_laws_compile(a->known->laws, &err);
    if (status == BRI_OK) status = bri_laws_compile(bri_scenario_laws(s), &err);
    if (status == BRI_OK) return DONE;
    complain("--compile: %s", err.text);
    return RUN_FAILED;
}

static int load(const args *a, const bri_model *model, bri_scenario **s) {
    static bri_messages messages; /* too large for the stack */
    changes c = {0};
    int failed = changes_from_args(&c, a, NULL);
    if (!failed) {
        const bri_scenario_options how = {c.list, c.count, model, a->known->laws};
        bri_status status = bri_scenario_load(a->words[0], &how, s, &messages);
        tell_messages(&messages);
        failed = reading_code(status);
    }
    changes_free(&c);
    if (!failed && args_get(a, "--compile")) failed = compile_laws(a, *s);
    return failed;
}

int one_scenario(const args *a) {
    if (a->n_words == 0) {
        complain("name a scenario or a file; 'bristle scenario' lists those that are built in");
        return WRONG_USAGE;
    }
    if (a->n_words > 1) {
        complain("name one scenario: '%.60s' is a second one", a->words[1]);
        return WRONG_USAGE;
    }
    return DONE;
}

int scenario_from_args(scenario *to, const args *a) {
    const char *law_name = args_get(a, "--model");
    const bri_model *model = NULL;
    *to = (scenario){0};
    int failed = one_scenario(a);
    if (!failed) failed = check_output(args_get(a, "--output"));
    if (!failed && law_name && (model = law_find(a, law_name, &to->random)) == NULL)
        failed = WRONG_USAGE;
    return failed ? failed : load(a, model, &to->s);
}

void scenario_free(scenario *s) {
    bri_scenario_free(s->s);
    free(s->random);
}
