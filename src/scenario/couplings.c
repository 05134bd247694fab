/* couplings.c - couplings and drives of a scenario file. */
#include "scope.h"

#include <string.h>

/* ---- couplings ----------------------------------------------------------------------------- */

/* The key that names the kind, with the bodies as its value. */
static const node *coupled_bodies(reader *r, const group *g) {
    const node *found = NULL, *list = NULL;
    for (const node *n = g->at->first; n; n = n->next) {
        if (n->kind == NODE_LIST && !list) list = n;
        if (!bri_coupling_find(n->key)) continue;
        if (found) {
            report(r, n, BRI_BAD_VALUE, "this is a %s already: one coupling, one kind", found->key);
            return NULL;
        }
        found = n;
    }
    if (found) return found;
    choice c = {0};
    char near[200];
    for (int i = 0; i < bri_coupling_count(); i++) choice_add(&c, bri_coupling_at(i)->name);
    hint(r, &c, list ? list->key : "", near, sizeof near);
    report(r, list ? list : g->at, BRI_NOT_FOUND, "there is no such kind of coupling%s", near);
    return NULL;
}

/* A gear joins two rotors, a rack a rotor and a mass. */
static void check_gear(reader *r, const group *g, const pair *p, const bri_coupling_kind *kind) {
    const group *a = p->a.body, *b = p->b.body;
    if (a && b && a->kind == BRI_ROTOR && b->kind == (kind->rack ? BRI_MASS : BRI_ROTOR)) return;
    report(r, node_get(g->at, kind->name), BRI_BAD_VALUE,
           "a %s joins a rotor and a %s, not %s and %s", kind->name, kind->rack ? "mass" : "rotor",
           a ? a->name : "ground", b ? b->name : "ground");
}

/* The tension as an expression. */
static void read_tension(reader *r, group *g, const pair *p, bri_coupling *c) {
    const node *n = node_get(g->at, "tension");
    reading from;
    if (!n) return;
    if (c->kind->ratio) {
        report(r, n, BRI_BAD_VALUE, "a %s has no tension of its own", c->kind->name);
        return;
    }
    for (int i = 0; i < c->kind->n_params; i++)
        if (node_get(g->at, c->kind->params[i].name)) {
            report(r, n, BRI_BAD_VALUE, "give tension or %s, not both", c->kind->params[i].name);
            return;
        }
    if (!want_text(r, n, "an expression of L and L'")) return;
    place at = {.site = SITE_COUPLING, .turns = pair_turns(p)};
    if (!read_given(r, n, at.turns ? "N m" : "N", at, &from)) return;
    g->text = n->text;
    if (!from.e)
        report(r, n, BRI_BAD_VALUE, "does not depend on the length L: a drive does that");
    else
        c->tension = expression_function(r, from.e, 0);
}

static void read_coupling(reader *r, group *g, const pair *p, bri_coupling *c) {
    const bri_coupling_kind *kind = NULL;
    const node *n = g->at->first;
    for (; !kind; n = n->next) kind = bri_coupling_find(n->key);
    *c = bri_coupling_defaults(kind, 0, 0);
    choice known = {0};
    int count, given = 0;
    const bri_param *rows = bri_scenario_keys("couplings", &count);
    choice_add(&known, kind->name);
    choice_rows(&known, rows, count);
    choice_rows(&known, kind->params, kind->n_params);
    check_keys(r, g->at, &known);
    for (int i = 0; i < kind->n_params; i++) {
        const bri_param *row = &kind->params[i];
        char text[64];
        const char *unit = pair_turns(p) && !kind->ratio
                               ? units_of_rotation(row->unit, text, sizeof text)
                               : row->unit;
        given += node_get(g->at, row->name) != NULL;
        read_optional(r, g->at, row, unit, &c->p[i]);
    }
    read_tension(r, g, p, c);
    if (kind->ratio) check_gear(r, g, p, kind);
    if (kind->n_params > 0 && !given && !node_get(g->at, "tension"))
        report(r, g->at, BRI_BAD_VALUE, "%s is missing: a %s without it does nothing",
               kind->params[0].name, kind->name);
    const char *why = kind->check ? kind->check(c->p) : NULL;
    if (why) report(r, g->at, BRI_BAD_VALUE, "%s", why);
}

void read_couplings(reader *r) {
    int total = 0;
    pair *pairs = read_pairs(r, COUPLINGS, coupled_bodies, &total);
    bri_coupling *couplings = ARENA_NEW(r->memory, bri_coupling, total + 1);
    if (!pairs || !couplings) {
        report_memory(r);
        return;
    }
    r->s->def.system.couplings = couplings;
    r->s->def.system.n_couplings = total;
    for (int i = 0; i < r->s->n_groups; i++) {
        group *g = &r->s->groups[i];
        bri_coupling c;
        if (g->section != COUPLINGS || g->count == 0) continue;
        read_coupling(r, g, &pairs[i], &c);
        const char **names = member_names(r, g);
        for (int k = 0; names && k < g->count; k++) {
            c.name = names[k];
            c.a = end_body(&pairs[i].a, k);
            c.b = end_body(&pairs[i].b, k);
            couplings[g->first + k] = c;
        }
    }
}

/* ---- drives -------------------------------------------------------------------------------- */

static int read_body(reader *r, group *g, body_end *e) {
    const node *on = node_get(g->at, "on");
    if (!on) {
        report(r, g->at, BRI_BAD_VALUE, "on is missing: the body that the force acts on");
        return 0;
    }
    if (!read_end(r, on, e)) return 0;
    if (!e->body) {
        report(r, on, BRI_BAD_VALUE, "a force cannot act on ground");
        return 0;
    }
    const bri_body *b = &r->s->def.system.bodies[e->body->first];
    if (b->position || b->velocity) {
        report(r, on, BRI_BAD_VALUE, "the motion of %s is prescribed: a force does nothing to it",
               e->body->name);
        return 0;
    }
    g->array = e->each;
    g->count = end_count(e);
    return 1;
}

static void read_drive(reader *r, group *g, const body_end *e, bri_drive *d,
                       const expression **by) {
    choice c = {0};
    int count, rotor = e->body->kind == BRI_ROTOR;
    const bri_param *rows = bri_scenario_keys("drives", &count);
    const node *force = node_get(g->at, "force"), *torque = node_get(g->at, "torque");
    const node *along = node_get(g->at, "along"), *n = rotor ? torque : force;
    choice_rows(&c, rows, count);
    check_keys(r, g->at, &c);
    if (!n)
        report(r,
               rotor && force     ? force
               : !rotor && torque ? torque
                                  : g->at,
               BRI_BAD_VALUE, "%s is %s: give its %s", e->body->name,
               rotor ? "a rotor" : "no rotor", rotor ? "torque" : "force");
    else if (force && torque)
        report(r, g->at, BRI_BAD_VALUE, "give force or torque, not both");
    else
        read_varying(r, n, rotor ? "N m" : "N",
                     (place){SITE_BODY, rotor, e->body->kind == BRI_POINT}, &d->force, by);
    if (*by) g->text = n->text;
    if (along && want_text(r, along, "x or z")) {
        d->vertical = strcmp(along->text, "z") == 0;
        if (!d->vertical && strcmp(along->text, "x") != 0)
            report(r, along, BRI_BAD_VALUE, "'%.60s' is no direction: x or z", along->text);
        else if (d->vertical && e->body->kind != BRI_POINT)
            report(r, along, BRI_BAD_VALUE, "%s moves along x only", e->body->name);
    }
}

void read_drives(reader *r) {
    body_end *ends = ARENA_NEW(r->memory, body_end, r->s->n_groups + 1);
    long total = 0;
    for (int i = 0; ends && i < r->s->n_groups; i++) {
        group *g = &r->s->groups[i];
        if (g->section != DRIVES) continue;
        if (!read_body(r, g, &ends[i])) g->count = 0;
        if (total + g->count > MAX_ELEMENTS) {
            report(r, g->at, BRI_BAD_VALUE, "more than %d of them in all", MAX_ELEMENTS);
            g->count = 0;
        }
        g->first = (int)total;
        total += g->count;
    }
    bri_drive *drives = ARENA_NEW(r->memory, bri_drive, total + 1);
    if (!ends || !drives) {
        report_memory(r);
        return;
    }
    r->s->def.system.drives = drives;
    r->s->def.system.n_drives = (int)total;
    for (int i = 0; i < r->s->n_groups; i++) {
        group *g = &r->s->groups[i];
        const expression *by = NULL;
        bri_drive d = {.force = bri_signal_constant(0.0)};
        if (g->section != DRIVES || g->count == 0) continue;
        read_drive(r, g, &ends[i], &d, &by);
        const char **names = member_names(r, g);
        for (int k = 0; names && k < g->count; k++) {
            d.name = names[k];
            d.body = end_body(&ends[i], k);
            if (by && !(d.by = expression_function(r, by, d.body))) return;
            drives[g->first + k] = d;
        }
    }
}
