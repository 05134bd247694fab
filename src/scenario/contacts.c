/* contacts.c - the contacts of a scenario file: bodies, law and parameters, load, states. */
#include "scope.h"

#include <math.h>
#include <string.h>

/* What one contact is made of, while it is read. */
typedef struct touch {
    const node *at;
    const bri_model *inner; /* the law as named */
    const bri_model *law;   /* the same, or with a direction or a random force on top */
    bri_setup setup;
    bri_setup own; /* of the law in the file, if another one stands in for it; else no model */
    told *told;
    int turns;
    const expression *load_by; /* or NULL */
    const expression *varies[BRI_MAX_PARAMS];
    const char *varies_key[BRI_MAX_PARAMS];
    int n_varies;
    int ends[2]; /* the bodies of the first member */
} touch;

/* ---- laws and parameters ------------------------------------------------------------------- */

const bri_model *read_law(reader *r, const node *n) {
    if (!want_text(r, n, "the name of a law")) return NULL;
    const bri_model *m = bri_laws_find(r->s->laws, n->text);
    choice c = {0};
    char near[200];
    if (m) return m;
    const char *close = flooded(r) ? NULL : bri_laws_nearest(r->s->laws, n->text);
    for (int i = 0; !close && i < bri_laws_count(r->s->laws); i++)
        choice_add(&c, bri_laws_at(r->s->laws, i)->name);
    if (close) choice_add(&c, close);
    hint(r, &c, n->text, near, sizeof near);
    report(r, n, BRI_NOT_FOUND, "there is no law '%.60s'%s", n->text, near);
    return NULL;
}

/* A law that has a parameter of that name; NULL: none has. */
static const bri_model *law_with_parameter(const reader *r, const char *name) {
    const bri_laws *laws = r->s->laws;
    for (int i = 0; i < bri_laws_count(laws); i++)
        if (bri_model_param(bri_laws_at(laws, i), name) >= 0) return bri_laws_at(laws, i);
    return NULL;
}

/* Nonzero if some law has a state of that name. */
static int some_law_has_state(const reader *r, const char *name) {
    for (int i = 0; i < bri_laws_count(r->s->laws); i++) {
        const bri_model *m = bri_laws_at(r->s->laws, i);
        for (int k = 0; k < m->n_states; k++)
            if (strcmp(m->states[k].name, name) == 0) return 1;
    }
    return 0;
}

/* The value of a parameter of a law, in its own unit; 0 after a report. */
static int parameter_value(reader *r, const bri_model *m, const node *n, int turns, double *value) {
    const bri_param *row = &m->params[bri_model_param(m, n->key)];
    const char *unit = strcmp(n->key, row->name) == 0 ? row->unit : "N";
    char text[64];
    if (turns) unit = units_of_rotation(unit, text, sizeof text);
    return read_number(r, n, row, unit, value);
}

/* A parameter that varies: its value at the start, and its expression is remembered. 0: it does
 * not; -1 after a report. */
static int varying_value(reader *r, touch *t, const bri_model *m, const node *n, double *value) {
    const bri_param *row = &m->params[bri_model_param(m, n->key)];
    const char *unit = strcmp(n->key, row->name) == 0 ? row->unit : "N";
    bri_signal signal;
    const expression *e;
    bri_error err;
    char text[64];
    if (t->turns) unit = units_of_rotation(unit, text, sizeof text);
    if (n->kind != NODE_SCALAR || bri_quantity(n->text, unit, value, &err) == BRI_OK ||
        find_parameter(r->s, n->text) || !is_expression(r, n->text))
        return 0;
    place at = {.site = SITE_CONTACT, .turns = t->turns};
    if (!read_varying(r, n, unit, at, &signal, &e)) return -1;
    if (!e && signal.kind == bri_signal_find("constant")) return 0;
    if (!e) { /* a signal alone */
        report(r, n, BRI_BAD_VALUE, "a signal alone: write 1*%.60s", n->text);
        return -1;
    }
    if (row->role == BRI_ROLE_CHOICE || row->role == BRI_ROLE_NUMBER || row->whole) {
        report(r, n, BRI_BAD_VALUE, "%s cannot change during a run", row->name);
        return -1;
    }
    *value = start_value(r, e, t->ends[0], t->ends[1]);
    if (!(*value >= row->min && *value <= row->max)) {
        report(r, n, BRI_BAD_VALUE, "comes to %g at the start, outside %g ... %g", *value, row->min,
               row->max);
        return -1;
    }
    t->varies[t->n_varies] = e;
    t->varies_key[t->n_varies++] = n->key;
    return 1;
}

static void read_parameter(reader *r, bri_setup *s, const node *n, int turns) {
    bri_error err;
    double value;
    if (!parameter_value(r, s->model, n, turns, &value)) return;
    bri_status status = bri_setup_put(s, n->key, value, &err);
    if (status) report(r, n, status, "%s", err.text);
}

/* The same of the contact itself, where it may vary. */
static void read_own_parameter(reader *r, touch *t, bri_setup *s, const node *n) {
    bri_error err;
    double value;
    int varies = varying_value(r, t, s->model, n, &value);
    if (varies < 0) return;
    if (varies == 0) {
        read_parameter(r, s, n, t->turns);
        return;
    }
    bri_status status = bri_setup_put(s, n->key, value, &err);
    if (status) report(r, n, status, "%s", err.text);
}

/* Nonzero if the role of a parameter is a quantity of the contact, not a number of its law. */
static int is_quantity(bri_role role) {
    return role != BRI_ROLE_SHAPE && role != BRI_ROLE_CHOICE && role != BRI_ROLE_SEED &&
           role != BRI_ROLE_NUMBER;
}

/* Nonzero if a key of the contact is parameter i of a law. */
static int has_key(const touch *t, const bri_model *m, int i) {
    for (const node *n = t->at->first; n; n = n->next)
        if (!row_of("contacts", n->key) && bri_model_param(m, n->key) == i) return 1;
    return 0;
}

/* A parameter of a third law that the law in the file, or the one in its place, has by another
 * name: sigma2 is kv. Nonzero if it is. */
static int read_by_role(reader *r, touch *t, const bri_model *third, const node *n) {
    const bri_param *row = &third->params[bri_model_param(third, n->key)];
    bri_setup *const takers[] = {&t->own, &t->setup};
    if (!is_quantity(row->role) || strcmp(n->key, row->name) != 0) return 0;
    for (int k = 0; k < 2; k++) {
        const bri_model *m = takers[k]->model;
        int i = m ? bri_model_role(m, row->role) : -1;
        double value;
        bri_error err;
        if (i < 0 || strcmp(m->params[i].unit, row->unit) != 0 || has_key(t, m, i)) continue;
        if (!parameter_value(r, third, n, t->turns, &value)) return 1;
        bri_status status = bri_setup_put(takers[k], m->params[i].name, value, &err);
        if (status) report(r, n, status, "%s", err.text);
        return 1;
    }
    return 0;
}

/* A parameter of a third law, which may be meant for another run of a comparison: this one has no
 * use for it. */
static void lose_parameter(reader *r, touch *t, const bri_model *m, const node *n) {
    const bri_param *row = &m->params[bri_model_param(m, n->key)];
    int force = strcmp(n->key, row->name) != 0;
    double value;
    if (t->told->n_lost < BRI_MAX_PARAMS && parameter_value(r, m, n, t->turns, &value))
        t->told->lost[t->told->n_lost++] =
            (bri_lost){n->key, force ? "N" : row->unit, value, row->role, NULL};
}

/* The keys of a contact that are parameters: of the law that the file names. What changes the file,
 * or a file that names no law, may speak of the one in its place. */
static void read_own_parameters(reader *r, touch *t, int named) {
    choice c = {0};
    char near[260];
    int count;
    const bri_param *rows = bri_scenario_keys("contacts", &count);
    const bri_model *written = t->own.model ? t->own.model : t->inner;
    choice_rows(&c, rows, count);
    choice_rows(&c, written->params, written->n_params);
    for (const node *n = t->at->first; n; n = n->next) {
        if (row_of("contacts", n->key)) continue;
        if (t->own.model && bri_model_param(t->own.model, n->key) >= 0) {
            read_own_parameter(r, t, &t->own, n);
            continue;
        }
        int any = !named || n->line == 0;
        if ((any || !t->own.model) && bri_model_param(t->inner, n->key) >= 0) {
            read_own_parameter(r, t, &t->setup, n);
            continue;
        }
        const bri_model *third = law_with_parameter(r, n->key);
        if (third && r->model && any) {
            if (!read_by_role(r, t, third, n)) lose_parameter(r, t, third, n);
            continue;
        }
        hint(r, &c, n->key, near, sizeof near);
        if (third)
            report(r, n, BRI_NOT_FOUND, "%s has no such parameter (another law has: %s)%s",
                   written->name,
                   n->line == 0 ? "compare takes it where that law is compared"
                                : "compare.models takes it",
                   near);
        else
            report(r, n, BRI_NOT_FOUND, "there is no such key%s", near);
    }
}

void read_parameters(reader *r, bri_setup *s, const node *map, int turns) {
    const bri_model *m = s->model;
    choice c = {0};
    choice_rows(&c, m->params, m->n_params);
    check_keys(r, map, &c);
    for (const node *n = map->first; n; n = n->next)
        if (bri_model_param(m, n->key) >= 0) read_parameter(r, s, n, turns);
}

/* Nonzero if an override speaks of what parameter i of the law in its place means. */
static int overridden(const touch *t, int i) {
    const bri_param *row = &t->inner->params[i];
    int own_number = !is_quantity(row->role);
    for (const node *n = t->at->first; n; n = n->next) {
        if (n->line != 0 || row_of("contacts", n->key)) continue;
        int j = t->own.model ? bri_model_param(t->own.model, n->key) : -1;
        if (j >= 0 && !own_number && t->own.model->params[j].role == row->role) return 1;
        if (j < 0 && bri_model_param(t->inner, n->key) == i) return 1;
    }
    return 0;
}

/* "lugre" of "stochastic:lugre", which takes what lugre takes. */
static const char *plain_name(const bri_model *m) {
    const char *colon = strchr(m->name, ':');
    return colon ? colon + 1 : m->name;
}

/* What `compare` says of a law that takes the place of the contact's own; an override has the last
 * word. */
static void read_rival(reader *r, touch *t) {
    for (int i = 0; i < r->s->n_rivals; i++) {
        const rival *other = &r->s->rivals[i];
        if (strcmp(other->model->name, plain_name(t->inner)) != 0 || !other->params) continue;
        for (const node *n = other->params->first; n; n = n->next) {
            int at = bri_model_param(t->inner, n->key);
            if (at >= 0 && !overridden(t, at)) read_parameter(r, &t->setup, n, t->turns);
        }
    }
}

/* ---- a direction and a random force on top -------------------------------------------------- */

/* The setup of a law that wraps the one so far: its parameters, then those of the wrapper. */
static void wrap(touch *t, const bri_model *outer) {
    size_t own = (size_t)t->law->n_params;
    bri_setup s;
    bri_setup_init(&s, outer);
    memcpy(s.p, t->setup.p, sizeof *s.p * own);
    memcpy(s.given, t->setup.given, sizeof *s.given * own);
    memcpy(s.origin, t->setup.origin, sizeof *s.origin * own);
    s.forces = t->setup.forces;
    t->setup = s;
    t->law = outer;
}

static void read_direction(reader *r, touch *t) {
    const node *n = node_get(t->at, "backward");
    if (!n) return;
    bri_directed *w = ARENA_NEW(r->memory, bri_directed, 1);
    if (!w) {
        report_memory(r);
        return;
    }
    if (bri_directed_init(w, t->law)) {
        report(r, n, BRI_BAD_VALUE, "%s has no room for a direction", t->law->name);
        return;
    }
    wrap(t, &w->model);
    read_parameter(r, &t->setup, n, t->turns);
}

static void read_random(reader *r, touch *t) {
    const node *map = node_get(t->at, "stochastic");
    if (!map || !want_map(r, map, "{A: ..., f: ...}")) return;
    bri_stochastic *w = ARENA_NEW(r->memory, bri_stochastic, 1);
    if (!w) {
        report_memory(r);
        return;
    }
    if (bri_stochastic_init(w, t->law)) {
        report(r, map, BRI_BAD_VALUE, "%s has no room for a random force", t->law->name);
        return;
    }
    int own = t->law->n_params;
    wrap(t, &w->model);
    choice c = {0};
    choice_rows(&c, w->model.params + own, w->model.n_params - own);
    check_keys(r, map, &c);
    for (int i = own; i < w->model.n_params; i++) {
        const node *n = node_get(map, w->model.params[i].name);
        if (n) read_parameter(r, &t->setup, n, t->turns);
    }
}

/* ---- load and states ----------------------------------------------------------------------- */

/* Nonzero if the contact has no load: the law in the file decides, if it has levels. */
static int levels_in_newtons(const touch *t) {
    for (int i = 0; t->own.model && i < t->own.model->n_params; i++)
        if (t->own.model->params[i].force) return t->own.forces;
    return t->setup.forces;
}

/* Nonzero if the load is an expression, and no misspelt `reaction`. */
static int is_load_expression(const reader *r, const node *n, const char *unit) {
    static const char *const word[] = {"reaction"};
    bri_error err;
    double unused;
    return bri_quantity(n->text, unit, &unused, &err) != BRI_OK && is_expression(r, n->text) &&
           !bri_nearest(n->text, word, 1);
}

static void read_load(reader *r, touch *t, bri_contact *c) {
    const node *n = node_get(t->at, "load");
    const bri_param *row = row_of("contacts", "load");
    char text[64];
    const char *unit = t->turns ? units_of_rotation(row->unit, text, sizeof text) : row->unit;
    int levels = 0;
    for (int i = 0; i < t->law->n_params; i++) levels += t->law->params[i].force != NULL;
    c->n = 1.0;
    if (levels_in_newtons(t)) {
        if (n)
            report(r, n, BRI_BAD_VALUE, "with friction levels in %s there is no load to give",
                   unit);
    } else if (!n) {
        if (levels)
            report(r, t->at, BRI_BAD_VALUE, "load is missing: %s multiplies its coefficients by it",
                   t->inner->name);
    } else if (n->kind != NODE_SCALAR) {
        bri_signal *s = ARENA_NEW(r->memory, bri_signal, 1);
        if (!s) {
            report_memory(r);
            return;
        }
        read_signal(r, n, unit, s);
        c->load = BRI_LOAD_SIGNAL;
        c->n_of_t = s;
    } else if (strcmp(n->text, "reaction") == 0) {
        c->load = BRI_LOAD_REACTION;
    } else if (is_load_expression(r, n, unit)) {
        bri_signal *s = ARENA_NEW(r->memory, bri_signal, 1);
        place at = {.site = SITE_CONTACT, .turns = t->turns};
        if (!s) {
            report_memory(r);
            return;
        }
        if (!read_varying(r, n, unit, at, s, &t->load_by)) return;
        c->n_of_t = s;
        c->load = t->load_by ? BRI_LOAD_FUNCTION : BRI_LOAD_SIGNAL;
        if (t->load_by || s->kind != bri_signal_find("constant")) return;
        c->load = BRI_LOAD_CONSTANT;
        c->n = s->p[0];
        if (!(c->n >= 0.0)) report(r, n, BRI_BAD_VALUE, "%g %s must be >= 0", c->n, unit);
    } else if (strchr("+-.0123456789", n->text[0])) {
        read_number(r, n, row, unit, &c->n);
    } else {
        report(r, n, BRI_BAD_VALUE, "'%.60s' is no load: a number in %s, a signal, or reaction",
               n->text, unit);
    }
}

/* States at the start; those that are not given are at rest. */
static void read_states(reader *r, touch *t, bri_contact *c) {
    const node *map = node_get(t->at, "start");
    const bri_model *m = t->law;
    if (!map || !want_map(r, map, "{state: value, ...}")) return;
    double *z = ARENA_NEW(r->memory, double, BRI_MAX_STATES);
    if (!z) {
        report_memory(r);
        return;
    }
    choice names = {0};
    int in_use = bri_model_states(m, t->setup.p);
    bri_model_rest(m, t->setup.p, z);
    for (int i = 0; i < in_use; i++) choice_add(&names, m->states[i].name);
    for (const node *n = map->first; n; n = n->next) {
        char near[260], text[64];
        int i = 0;
        while (i < in_use && strcmp(m->states[i].name, n->key) != 0) i++;
        if (i < in_use) {
            const bri_param any = {.min = -1e30, .max = 1e30};
            const char *unit = m->states[i].unit;
            if (t->turns) unit = units_of_rotation(unit, text, sizeof text);
            read_number(r, n, &any, unit, &z[i]);
        } else if (!r->model || !some_law_has_state(r, n->key)) {
            hint(r, &names, n->key, near, sizeof near);
            report(r, n, BRI_NOT_FOUND, "%s has no such state%s", m->name, near);
        }
    }
    c->z = z;
}

/* ---- ends ---------------------------------------------------------------------------------- */

static const node *touching_bodies(reader *r, const group *g) {
    const node *n = node_get(g->at, "between");
    if (!n) report(r, g->at, BRI_BAD_VALUE, "between is missing: the two bodies, [a, b]");
    return n;
}

static void check_ends(reader *r, const group *g, const pair *p, const bri_contact *c) {
    const node *n = node_get(g->at, "between");
    for (int k = 0; k < 2; k++) {
        const body_end *e = k == 0 ? &p->a : &p->b;
        if (e->body && e->body->kind == BRI_POINT)
            report(r, n, BRI_BAD_VALUE, "%s is a point, which has no plane to slide on",
                   e->body->name);
    }
    if (c->load == BRI_LOAD_REACTION && (!p->a.body || p->a.body->kind == BRI_ROTOR))
        report(r, n, BRI_BAD_VALUE, "a reaction load needs a sliding body on top, not %s",
               p->a.body ? "a rotor" : "ground");
}

/* ---- what is not given --------------------------------------------------------------------- */

/* 1/mass of a body; 0 if its motion is given. */
static double lightness(const reader *r, const body_end *e) {
    int i = end_body(e, 0);
    if (i == BRI_GROUND) return 0.0;
    const bri_body *b = &r->s->def.system.bodies[i];
    return b->position || b->velocity || !(b->mass > 0.0) ? 0.0 : 1.0 / b->mass;
}

/* The load as far as it is known before anything moves: of a signal its start, of a reaction the
 * weight of the body on top. */
static bri_place place_of(const reader *r, const touch *t, const pair *p, const bri_contact *c) {
    double a = lightness(r, &p->a), light = a + lightness(r, &p->b);
    bri_place at = {.load = c->n,
                    .varies = c->load != BRI_LOAD_CONSTANT,
                    .mass = light > 0.0 ? 1.0 / light : 0.0,
                    .turns = t->turns};
    if (c->load == BRI_LOAD_FUNCTION)
        at.load = fmax(start_value(r, t->load_by, t->ends[0], t->ends[1]), 0.0);
    if (c->load == BRI_LOAD_SIGNAL) at.load = bri_signal_value(c->n_of_t, 0.0);
    if (c->load == BRI_LOAD_REACTION) at.load = a > 0.0 ? r->s->def.system.gravity / a : 0.0;
    return at;
}

static bri_status find_parameters(reader *r, touch *t, const pair *p, const bri_contact *c,
                                  bri_error *err) {
    bri_place at = place_of(r, t, p, c);
    told *to = t->told;
    bri_status status;
    bri_lost lost[BRI_MAX_PARAMS];
    int n_lost = 0;
    if (t->own.model) { /* what it would ask for may be of no use to the law in its place */
        to->instead_of = t->own.model;
        bri_setup_complete(&t->own, NULL, &at, NULL, NULL, NULL);
    }
    status = bri_setup_complete(&t->setup, t->own.model ? &t->own : NULL, &at, lost, &n_lost, err);
    for (int i = 0; i < n_lost && to->n_lost < BRI_MAX_PARAMS; i++)
        to->lost[to->n_lost++] = lost[i];
    if (status == BRI_OK) status = bri_setup_finish(&t->setup, t->setup.forces ? 0.0 : 1.0, err);
    t->setup.load = at.load;
    to->setup = t->setup;
    to->turns = t->turns;
    return status;
}

/* ---- contacts ------------------------------------------------------------------------------ */

/* What varies, for the contact of that index. */
static void set_functions(reader *r, const touch *t, int index, bri_contact *c) {
    if (t->load_by) c->n_by = expression_function(r, t->load_by, index);
    if (t->n_varies == 0) return;
    bri_varying *v = ARENA_NEW(r->memory, bri_varying, t->n_varies);
    if (!v) {
        report_memory(r);
        return;
    }
    c->varying = v;
    c->n_varying = 0;
    for (int i = 0; i < t->n_varies; i++) {
        int param = bri_model_param(c->model, t->varies_key[i]);
        const bri_function *f = expression_function(r, t->varies[i], index);
        if (f && param >= 0) v[c->n_varying++] = (bri_varying){param, *f};
    }
}

static void read_contact(reader *r, group *g, const pair *p, bri_contact *c, touch *to) {
    const node *n = node_get(g->at, "model");
    const bri_model *named = n ? read_law(r, n) : NULL;
    touch t = {.at = g->at, .turns = pair_turns(p), .inner = r->model ? r->model : named};
    t.ends[0] = end_body(&p->a, 0);
    t.ends[1] = end_body(&p->b, 0);
    int before = r->reported;
    bri_error err;
    if (!t.inner) {
        if (!n) report(r, g->at, BRI_BAD_VALUE, "model is missing: the friction law");
        return;
    }
    g->told = t.told = ARENA_NEW(r->memory, told, 1);
    if (!t.told) {
        report_memory(r);
        return;
    }
    t.told->name = g->name;
    t.law = t.inner;
    bri_setup_init(&t.setup, t.inner);
    if (named && strcmp(named->name, plain_name(t.inner)) != 0) bri_setup_init(&t.own, named);
    read_own_parameters(r, &t, named != NULL);
    if (r->model) read_rival(r, &t);
    read_direction(r, &t);
    read_random(r, &t);
    read_load(r, &t, c);
    check_ends(r, g, p, c);
    bri_status status = find_parameters(r, &t, p, c, &err);
    if (status && r->reported == before) report(r, g->at, status, "%s", err.text);
    c->model = t.law;
    memcpy(c->p, t.setup.p, sizeof c->p);
    c->forces = levels_in_newtons(&t);
    if (!status) read_states(r, &t, c);
    if (t.load_by) g->text = node_get(g->at, "load")->text;
    *to = t;
}

void read_contacts(reader *r) {
    int total = 0;
    pair *pairs = read_pairs(r, CONTACTS, touching_bodies, &total);
    bri_contact *contacts = ARENA_NEW(r->memory, bri_contact, total + 1);
    if (!pairs || !contacts) {
        report_memory(r);
        return;
    }
    r->s->def.system.contacts = contacts;
    r->s->def.system.n_contacts = total;
    for (int i = 0; i < r->s->n_groups; i++) {
        group *g = &r->s->groups[i];
        bri_contact c = {0};
        touch t = {0};
        if (g->section != CONTACTS) continue;
        read_contact(r, g, &pairs[i], &c, &t);
        const char **names = member_names(r, g);
        for (int k = 0; names && k < g->count; k++) {
            c.name = names[k];
            c.a = end_body(&pairs[i].a, k);
            c.b = end_body(&pairs[i].b, k);
            if (c.model) set_functions(r, &t, g->first + k, &c);
            contacts[g->first + k] = c;
        }
    }
}
