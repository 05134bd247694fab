/* bodies.c - the bodies of a scenario file. */
#include "expression.h"

#include "../random.h"
#include "../system/names.h"
#include "../system/numbers.h"

#include <string.h>

static bri_body_kind read_kind(reader *r, const node *at) {
    const node *n = node_get(at, "kind");
    if (!n) return node_get(at, "inertia") ? BRI_ROTOR : BRI_MASS;
    if (!want_text(r, n, "mass, rotor or point")) return BRI_MASS;
    choice c = {0};
    char near[100];
    for (int k = BRI_MASS; k <= BRI_POINT; k++) {
        if (strcmp(n->text, body_kind_name((bri_body_kind)k)) == 0) return (bri_body_kind)k;
        choice_add(&c, body_kind_name((bri_body_kind)k));
    }
    hint(r, &c, n->text, near, sizeof near);
    report(r, n, BRI_NOT_FOUND, "there is no kind of body '%.60s'%s", n->text, near);
    return BRI_MASS;
}

static const bri_signal *read_motion(reader *r, const node *at, const char *key, const char *unit,
                                     bri_body_kind kind) {
    const node *n = node_get(at, key);
    char text[64];
    if (!n) return NULL;
    if (kind == BRI_POINT)
        report(r, n, BRI_BAD_VALUE, "the motion of a point cannot be prescribed");
    bri_signal *s = ARENA_NEW(r->memory, bri_signal, 1);
    if (!s) {
        report_memory(r);
        return NULL;
    }
    if (read_signal(r, n, kind == BRI_ROTOR ? units_of_rotation(unit, text, sizeof text) : unit,
                    s) &&
        strcmp(key, "position") == 0 && timed_is_rough(s))
        report(r, n, BRI_BAD_VALUE,
               "a position that holds the rate of a signal has no known acceleration: give "
               "velocity, or write the signal as an expression of t");
    return s;
}

static void read_numbers(reader *r, const node *at, bri_body *b) {
    for (int i = 0; i < BODY_NUMBERS; i++) {
        const bri_param *row = &body_numbers[i].row;
        const node *n = node_get(at, row->name);
        char text[64];
        if (!n) continue;
        if (!(body_numbers[i].kinds & 1 << b->kind)) {
            report(r, n, BRI_BAD_VALUE, "a body of kind %s has no %s", body_kind_name(b->kind),
                   row->name);
            continue;
        }
        const char *unit = row->unit;
        if (b->kind == BRI_ROTOR) unit = units_of_rotation(unit, text, sizeof text);
        read_number(r, n, row, unit, body_number_of(b, i));
    }
}

/* What a prescribed motion leaves open, and what a free body needs. */
static void check_motion(reader *r, const node *at, const bri_body *b) {
    const node *x = node_get(at, "x"), *v = node_get(at, "v");
    const char *mass = b->kind == BRI_ROTOR ? "inertia" : "mass";
    if (b->position && b->velocity)
        report(r, at, BRI_BAD_VALUE, "give position or velocity, not both");
    if (b->position && x) report(r, x, BRI_BAD_VALUE, "follows from position: leave it out");
    if ((b->position || b->velocity) && v)
        report(r, v, BRI_BAD_VALUE, "follows from %s: leave it out",
               b->position ? "position" : "velocity");
    if (!b->position && !b->velocity && !node_get(at, mass))
        report(r, at, BRI_BAD_VALUE, "%s is missing: a body that is free to move needs one", mass);
}

static void read_body(reader *r, const group *g, bri_body *b) {
    choice c = {0};
    int count;
    const bri_param *rows = bri_scenario_keys("bodies", &count);
    choice_rows(&c, rows, count);
    check_keys(r, g->at, &c);
    b->name = g->name;
    b->kind = g->kind;
    read_numbers(r, g->at, b);
    b->position = read_motion(r, g->at, "position", "m", g->kind);
    b->velocity = read_motion(r, g->at, "velocity", "m/s", g->kind);
    check_motion(r, g->at, b);
}

/* A length that only arrays have. */
static double read_length(reader *r, const group *g, const char *key) {
    const bri_param *row = row_of("bodies", key);
    const node *n = node_get(g->at, key);
    char text[64];
    double value = 0.0;
    if (n && !g->array)
        report(r, n, BRI_BAD_VALUE, "belongs to an array: repeat is missing");
    else if (n)
        read_number(r, n, row,
                    g->kind == BRI_ROTOR ? units_of_rotation(row->unit, text, sizeof text)
                                         : row->unit,
                    &value);
    return value;
}

/* The first member stands for all; they differ in name and place. */
static void read_group(reader *r, group *g, bri_body *bodies) {
    bri_body b = {0};
    read_body(r, g, &b);
    double spacing = read_length(r, g, "spacing"), scatter = read_length(r, g, "scatter");
    const char **names = member_names(r, g);
    for (int i = 0; names && i < g->count; i++) {
        double chance = bri_random(1.0, i);
        bodies[g->first + i] = b;
        bodies[g->first + i].name = names[i];
        bodies[g->first + i].x = b.x + i % g->row * spacing + scatter * (2.0 * chance - 1.0);
    }
}

/* `repeat: N`, or `repeat: [N, M]` for M rows of N. */
static void read_repeat(reader *r, group *g) {
    const node *n = node_get(g->at, "repeat");
    const bri_param *row = row_of("bodies", "repeat");
    double count = 1.0, rows = 1.0;
    g->array = n != NULL;
    if (n && n->kind == NODE_LIST) {
        if (n->count != 2)
            report(r, n, BRI_BAD_VALUE, "a grid has two numbers, [columns, rows], not %d",
                   n->count);
        else if (read_number(r, n->first, row, "1", &count))
            read_number(r, n->last, row, "1", &rows);
    } else {
        read_optional(r, g->at, row, "1", &count);
    }
    if (count * rows > MAX_ELEMENTS) {
        report(r, n, BRI_BAD_VALUE, "more than %d bodies in all", MAX_ELEMENTS);
        count = rows = 1.0;
    }
    g->row = (int)count;
    g->count = (int)(count * rows);
}

void read_bodies(reader *r) {
    bri_system *system = &r->s->def.system;
    long total = 0;
    for (int i = 0; i < r->s->n_groups; i++) {
        group *g = &r->s->groups[i];
        if (g->section != BODIES) continue;
        g->kind = read_kind(r, g->at);
        read_repeat(r, g);
        g->first = (int)total;
        total += g->count;
        if (total > MAX_ELEMENTS) {
            report(r, g->at, BRI_BAD_VALUE, "more than %d bodies in all", MAX_ELEMENTS);
            total -= g->count - 1;
            g->count = g->row = 1;
        }
    }
    bri_body *bodies = ARENA_NEW(r->memory, bri_body, total + 1);
    if (!bodies) {
        report_memory(r);
        return;
    }
    system->bodies = bodies;
    system->n_bodies = (int)total;
    for (int i = 0; i < r->s->n_groups; i++)
        if (r->s->groups[i].section == BODIES) read_group(r, &r->s->groups[i], bodies);
}
