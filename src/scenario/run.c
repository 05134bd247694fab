/* run.c - `run` and `compare` of a scenario file. */
#include "reader.h"

#include <stdio.h>
#include <string.h>

/* ---- run ----------------------------------------------------------------------------------- */

static const bri_solver *read_solver(reader *r, const node *n) {
    if (!want_text(r, n, "the name of a solver")) return NULL;
    const bri_solver *s = bri_solver_find(n->text);
    choice c = {0};
    char near[200];
    if (s) return s;
    const char *package = bri_solver_missing(n->text);
    if (package) {
        report(r, n, BRI_MISSING, "the solver '%s' was not built: it needs the package %s", n->text,
               package);
        return NULL;
    }
    for (int i = 0; i < bri_solver_count(); i++) choice_add(&c, bri_solver_name(bri_solver_at(i)));
    hint(r, &c, n->text, near, sizeof near);
    report(r, n, BRI_NOT_FOUND, "there is no solver '%.60s'%s", n->text, near);
    return NULL;
}

static void check_times(reader *r, const node *run) {
    const bri_sim_def *def = &r->s->def;
    const node *until = node_get(run, "until"), *output = node_get(run, "output");
    double span = def->t_end - def->t_start;
    if (!until)
        report(r, run, BRI_BAD_VALUE, "until is missing: the time at which the run ends");
    else if (!(span > 0.0))
        report(r, until, BRI_BAD_VALUE, "%g s is not after the start at %g s", def->t_end,
               def->t_start);
    else if (output && span / r->s->output > 1e8)
        report(r, output, BRI_BAD_VALUE, "%g s makes more than 1e8 samples until %g s",
               r->s->output, def->t_end);
    else if (output && r->s->output > span)
        report(r, output, BRI_BAD_VALUE, "%g s is longer than the run", r->s->output);
}

void read_run(reader *r, const node *root) {
    const node *run = node_get(root, "run");
    bri_sim_def *def = &r->s->def;
    double steps = 0.0;
    const struct {
        const char *key;
        double *value;
    } numbers[] = {
        {"from", &def->t_start},      {"until", &def->t_end}, {"output", &r->s->output},
        {"rtol", &def->rtol},         {"atol", &def->atol},   {"step", &def->step},
        {"max_step", &def->max_step}, {"max_steps", &steps},
    };
    if (!run) {
        report(r, NULL, BRI_BAD_VALUE, "run is missing: {until: 10 s} at least");
        return;
    }
    if (!want_map(r, run, "{until: ..., ...}")) return;
    choice c = {0};
    int count, times = 1;
    const bri_param *rows = bri_scenario_keys("run", &count);
    choice_rows(&c, rows, count);
    check_keys(r, run, &c);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const bri_param *row = row_of("run", numbers[i].key);
        int good = read_optional(r, run, row, row->unit, numbers[i].value);
        if (i < 3) times = times && good;
    }
    def->max_steps = (long)steps;
    const node *solver = node_get(run, "solver");
    if (solver) def->solver = read_solver(r, solver);
    if (times) check_times(r, run);
    if (!node_get(run, "output")) r->s->output = (def->t_end - def->t_start) / 1000.0;
}

/* ---- compare ------------------------------------------------------------------------------- */

static int any_rotor(const reader *r) {
    for (int i = 0; i < r->s->n_groups; i++)
        if (r->s->groups[i].section == BODIES && r->s->groups[i].kind == BRI_ROTOR) return 1;
    return 0;
}

static void add_rival(reader *r, const node *at, const bri_model *m, const node *params) {
    bri_setup s;
    for (int i = 0; i < r->s->n_rivals; i++)
        if (r->s->rivals[i].model == m) {
            report(r, at, BRI_BAD_VALUE, "%s is named twice", m->name);
            return;
        }
    if (params && params->kind == NODE_SCALAR && !params->text[0]) params = NULL;
    if (params && !want_map(r, params, "{parameter: value, ...}")) return;
    bri_setup_init(&s, m);
    if (params) read_parameters(r, &s, params, any_rotor(r));
    r->s->rivals[r->s->n_rivals++] = (rival){m, params};
}

/* A law by the key of a map. */
static const bri_model *law_of_key(reader *r, const node *n) {
    node word = *n;
    word.kind = NODE_SCALAR;
    word.text = n->key;
    return n->key[0] ? read_law(r, &word) : NULL;
}

static void read_models(reader *r, const node *models) {
    if (models->kind == NODE_SCALAR) {
        want_list(r, models, "of laws, or a map law: {parameters}");
        return;
    }
    r->s->rivals = ARENA_NEW(r->memory, rival, models->count + 1);
    if (!r->s->rivals) {
        report_memory(r);
        return;
    }
    for (const node *n = models->first; n; n = n->next) {
        const bri_model *m = models->kind == NODE_LIST ? read_law(r, n) : law_of_key(r, n);
        if (m) add_rival(r, n, m, models->kind == NODE_LIST ? NULL : n);
    }
}

void read_compare(reader *r, const node *root) {
    const node *compare = node_get(root, "compare"), *n;
    if (!compare || !want_map(r, compare, "{models: [...], reference: ...}")) return;
    choice c = {0};
    int count;
    const bri_param *rows = bri_scenario_keys("compare", &count);
    choice_rows(&c, rows, count);
    check_keys(r, compare, &c);
    if ((n = node_get(compare, "models")) != NULL)
        read_models(r, n);
    else
        report(r, compare, BRI_BAD_VALUE, "models is missing: the laws to compare");
    if ((n = node_get(compare, "reference")) != NULL) r->s->reference = read_law(r, n);
}
