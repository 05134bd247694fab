/* laws.c - the friction laws a command names, with their parameters and load. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char random_prefix[] = "stochastic:";

/* ---- laws that the library does not have --------------------------------------------------- */

static bri_messages messages; /* too large for the stack */

void tell_messages(const bri_messages *m) {
    for (int i = 0; i < m->count; i++) fprintf(stderr, "%s\n", m->message[i].text);
    if (m->dropped > 0) complain("and %d more mistakes", m->dropped);
}

int known_laws_read(known_laws *known, const args *a) {
    int at = 0;
    known->laws = bri_laws_new(NULL);
    if (!known->laws) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    for (const char *file; (file = args_next(a, "--laws", &at)) != NULL;) {
        bri_status status = bri_laws_add(known->laws, file, &messages);
        if (!status) continue;
        tell_messages(&messages);
        return reading_code(status);
    }
    return DONE;
}

void known_laws_free(known_laws *known) {
    bri_scenario_free(known->scenario);
    bri_laws_free(known->laws);
}

static int names_scenario(const args *a) {
    return a->n_words == 1 && (strcmp(a->argv[0], "run") == 0 || strcmp(a->argv[0], "check") == 0 ||
                               strcmp(a->argv[0], "compare") == 0);
}

/* A law of the scenario that is named: what is wrong with that one is told when its turn comes. */
static const bri_model *scenario_law(const args *a, const char *name) {
    known_laws *known = a->known;
    if (!known->scenario && names_scenario(a)) {
        const bri_scenario_options how = {.laws = known->laws};
        if (bri_scenario_load(a->words[0], &how, &known->scenario, NULL)) known->scenario = NULL;
    }
    return known->scenario ? bri_laws_find(bri_scenario_laws(known->scenario), name) : NULL;
}

static const bri_model *plain_law(const args *a, const char *name) {
    const bri_model *m = bri_laws_find(a->known->laws, name);
    if (!m) m = scenario_law(a, name);
    if (m) return m;
    const bri_scenario *s = a->known->scenario;
    const char *near = bri_laws_nearest(s ? bri_scenario_laws(s) : a->known->laws, name);
    if (strcmp(name, "stochastic") == 0)
        complain("'stochastic' is a random force on top of a law: write stochastic:lugre");
    else if (near)
        complain("there is no law '%.40s'; did you mean '%s'?", name, near);
    else
        complain("there is no law '%.40s'; see 'bristle models'", name);
    return NULL;
}

const bri_model *law_find(const args *a, const char *name, bri_stochastic **random) {
    size_t prefix = sizeof random_prefix - 1;
    *random = NULL;
    if (strncmp(name, random_prefix, prefix) != 0) return plain_law(a, name);
    const bri_model *inner = plain_law(a, name + prefix);
    if (!inner) return NULL;
    *random = malloc(sizeof **random);
    if (!*random) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return NULL;
    }
    if (bri_stochastic_init(*random, inner)) {
        complain("%s has no room for a random force", inner->name);
        return NULL;
    }
    return &(*random)->model;
}

/* "key = text" of one --set, for the laws it is meant for. */
typedef struct setting {
    char law[64]; /* "" for all laws that have the parameter */
    char key[64];
    const char *text;
} setting;

/* A bare dot in the key separates law and parameter: "lugre.sigma0=2e5". */
static int split_setting(const char *given, setting *s) {
    const char *equals = strchr(given, '=');
    const char *dot = equals ? memchr(given, '.', (size_t)(equals - given)) : NULL;
    const char *key = dot ? dot + 1 : given;
    if (!equals || equals == key || equals - key >= (long)sizeof s->key ||
        (dot && (dot == given || dot - given >= (long)sizeof s->law))) {
        complain("--set needs NAME=VALUE, not '%.60s'", given);
        return WRONG_USAGE;
    }
    snprintf(s->law, sizeof s->law, "%.*s", dot ? (int)(dot - given) : 0, given);
    snprintf(s->key, sizeof s->key, "%.*s", (int)(equals - key), key);
    s->text = equals + 1;
    return DONE;
}

static int not_among_the_laws(const laws *l, const char *name) {
    const char *near = NULL;
    for (int i = 0; i < l->count && !near; i++) near = bri_nearest(name, &l->list[i].name, 1);
    if (near)
        complain("--set: '%s' is not among the laws named; did you mean '%s'?", name, near);
    else
        complain("--set: '%s' is not among the laws named", name);
    return WRONG_USAGE;
}

/* None of several laws knows the key: offer the nearest name that any of them has. */
static int no_law_has(const laws *l, const char *key) {
    int most = 2 * BRI_MAX_PARAMS * l->count, count = 0;
    const char **names = malloc((size_t)most * sizeof *names);
    for (int i = 0; names && i < l->count; i++) {
        const bri_model *m = l->list[i].setup.model;
        for (int k = 0; k < m->n_params; k++) {
            names[count++] = m->params[k].name;
            if (m->params[k].force) names[count++] = m->params[k].force;
        }
    }
    const char *near = names ? bri_nearest(key, names, count) : NULL;
    if (near)
        complain("none of the laws has a parameter '%s'; did you mean '%s'?", key, near);
    else
        complain("none of the laws has a parameter '%s'; see 'bristle models NAME'", key);
    free(names);
    return WRONG_USAGE;
}

static int apply_setting(laws *l, const setting *s) {
    int meant = 0, known = 0;
    bri_error err;
    for (int i = 0; i < l->count; i++) {
        law *one = &l->list[i];
        if (s->law[0] && strcmp(s->law, one->name) != 0) continue;
        meant++;
        int alone = s->law[0] || l->count == 1;
        if (!alone && bri_model_param(one->setup.model, s->key) < 0) continue;
        bri_status status = bri_setup_set(&one->setup, s->key, s->text, &err);
        if (status) {
            complain("%s", err.text);
            return exit_code(status);
        }
        known++;
    }
    if (!meant) return not_among_the_laws(l, s->law);
    return known ? DONE : no_law_has(l, s->key);
}

/* --backward: another friction backward than forward. */
static int direct(law *one, const char *text) {
    bri_error err;
    one->directed = malloc(sizeof *one->directed);
    if (!one->directed) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    if (bri_directed_init(one->directed, one->setup.model)) {
        complain("%s has no room for a direction", one->name);
        return WRONG_USAGE;
    }
    bri_setup_init(&one->setup, &one->directed->model);
    bri_status status = bri_setup_set(&one->setup, "backward", text, &err);
    if (status) complain("%s", err.text);
    return exit_code(status);
}

static int name_laws(laws *l, const args *a) {
    for (int i = 0; i < a->n_words; i++) {
        for (int k = 0; k < i; k++)
            if (strcmp(a->words[i], a->words[k]) == 0) {
                complain("%s is named twice", a->words[i]);
                return WRONG_USAGE;
            }
        law *one = &l->list[l->count++];
        one->name = a->words[i];
        const bri_model *m = law_find(a, one->name, &one->random);
        if (!m) return WRONG_USAGE;
        bri_setup_init(&one->setup, m);
        int failed = args_get(a, "--backward") ? direct(one, args_get(a, "--backward")) : DONE;
        if (failed) return failed;
    }
    return DONE;
}

/* Laws whose levels are coefficients share one load, that of the first of them: curves of 118 N and
 * of 1.5 N say nothing beside each other. 0 if there is no such law. */
static double common_load(laws *l) {
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < l->count; i++) {
        const bri_setup *s = &l->list[i].setup;
        if (s->forces) continue;
        if (!l->loaded) l->loaded = &l->list[i];
        least = fmin(least, s->model->load);
        most = fmax(most, s->model->load);
    }
    l->rescaled = least < most;
    return l->loaded ? l->loaded->setup.model->load : 0.0;
}

/* Stiffness, damping and viscous friction that are published for another load, and that nobody set,
 * go with it: a spring for 1 N holds no 200 N, and its law would show another curve. */
static int scale_defaults(bri_setup *s, double load) {
    const bri_model *m = s->model;
    bri_error err;
    for (int i = 0; i < m->n_params; i++) {
        if (m->params[i].unit[0] != 'N' || s->origin[i] != BRI_DEFAULT) continue;
        bri_status status = bri_setup_put(s, m->params[i].name, s->p[i] * (load / m->load), &err);
        if (status) complain("%s", err.text);
        if (status) return exit_code(status);
    }
    return DONE;
}

int laws_from_args(laws *l, const args *a) {
    *l = (laws){0};
    if (a->n_words == 0) {
        complain("name at least one law; 'bristle models' lists them");
        return WRONG_USAGE;
    }
    l->list = calloc((size_t)a->n_words, sizeof *l->list);
    if (!l->list) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    int failed = name_laws(l, a), at = 0;
    setting s;
    for (const char *text; !failed && (text = args_next(a, "--set", &at)) != NULL;) {
        failed = split_setting(text, &s);
        if (!failed) failed = apply_setting(l, &s);
    }
    double load = 0.0;
    if (!failed) failed = args_positive(a, "--load", "N", &load);
    if (!failed && !args_get(a, "--load")) load = common_load(l);
    for (int i = 0; !failed && l->rescaled && i < l->count; i++)
        if (!l->list[i].setup.forces) failed = scale_defaults(&l->list[i].setup, load);
    bri_error err;
    for (int i = 0; !failed && i < l->count; i++) {
        bri_setup *one = &l->list[i].setup;
        bri_status status =
            bri_setup_finish(one, args_get(a, "--load") || !one->forces ? load : 0.0, &err);
        if (status) complain("%s", err.text);
        failed = exit_code(status);
    }
    return failed;
}

void laws_note_loads(const laws *l) {
    if (l->rescaled)
        fprintf(stderr,
                "note: the laws have different loads by default; all are at %g N, that of %s, "
                "with their stiffness and damping in proportion; --load sets another\n",
                l->loaded->setup.load, l->loaded->name);
}

void laws_free(laws *l) {
    for (int i = 0; l->list && i < l->count; i++) {
        free(l->list[i].random);
        free(l->list[i].directed);
    }
    free(l->list);
}

double laws_speed(const laws *l) {
    double most = 0.0;
    for (int i = 0; i < l->count; i++) {
        const bri_setup *s = &l->list[i].setup;
        for (int k = 0; k < s->model->n_params; k++) {
            const char *unit = s->model->params[k].unit;
            double p = s->p[k];
            if (strcmp(unit, "m/s") == 0) most = fmax(most, p);
            if (strcmp(unit, "s/m") == 0 && p > 0.0) most = fmax(most, 1.0 / p);
        }
    }
    return most > 0.0 ? most : 0.02;
}

double laws_length(const laws *l) {
    double most = 0.0;
    for (int i = 0; i < l->count; i++) {
        const bri_model *m = l->list[i].setup.model;
        for (int k = 0; k < m->n_states; k++)
            if (strcmp(m->states[k].unit, "m") == 0) most = fmax(most, m->states[k].nominal);
    }
    return most > 0.0 ? most : 1e-4;
}
