/* run_panes.c - which diagrams of a run tell most, as an engineer would draw them. */
#include "run_panes.h"

#include <stdio.h>
#include <string.h>

const quantity_words *words_of(quantity what, int rotary) {
    static const quantity_words words[N_QUANTITIES][2] = {
        [DISPLACEMENT] = {{"Displacement", "displacement"}, {"Angle", "angle"}},
        [POSITION] = {{"Position", "position"}, {"Angle", "angle"}},
        [HEIGHT] = {{"Height", "height"}, {"Height", "height"}},
        [VELOCITY] = {{"Velocity", "velocity"}, {"Angular velocity", "angular velocity"}},
        [SLIDING] = {{"Sliding velocity", "velocity"},
                     {"Relative angular velocity", "angular velocity"}},
        [FRICTION] = {{"Friction force", "friction force"}, {"Friction torque", "friction torque"}},
        [LOAD] = {{"Normal load", "load"}, {"Normal load times radius", "load"}},
        [COUPLING] = {{"Force of couplings", "force"}, {"Torque of couplings", "torque"}},
        [LAW] = {{"Friction against velocity", "sliding velocity"},
                 {"Friction torque against velocity", "relative angular velocity"}},
        [ENERGY] = {{"Energy", "energy"}, {"Energy", "energy"}},
    };
    return &words[what][rotary != 0];
}

int is_rotary(const bri_run_plot *p, int column) {
    const char *unit = bri_recorder_unit(p->head.recorder, column);
    return strncmp(unit, "rad", 3) == 0 || strcmp(unit, "N m") == 0;
}

/* ---- diagrams -------------------------------------------------------------------------------- */

pane *new_pane(bri_run_plot *p, const char *title, const char *y_name, int plane) {
    if (p->n_panes == MOST_PANES) return NULL;
    pane *to = &p->panes[p->n_panes++];
    *to = (pane){.y_name = y_name, .plane = plane};
    snprintf(to->title, sizeof to->title, "%s", title);
    return to;
}

void add_curve(const bri_run_plot *p, pane *to, int x, int y, const char *label) {
    if (!to) return;
    to->wanted++;
    if (!to->y_unit) to->y_unit = bri_recorder_unit(p->head.recorder, y);
    if (!to->x_unit) to->x_unit = bri_recorder_unit(p->head.recorder, x);
    if (to->count == MOST_CURVES) return;
    curve *c = &to->curves[to->count++];
    *c = (curve){.x = x, .y = y};
    snprintf(c->label, sizeof c->label, "%.60s", label);
    thin_init(&c->points, p->rows, to->plane ? PLANE_GROUPS : GROUPS, to->plane);
}

void end_pane(bri_run_plot *p, pane *to, const char *what) {
    if (!to) return;
    size_t n = strlen(to->title);
    if (to->count < to->wanted)
        snprintf(to->title + n, sizeof to->title - n, ", first %d of %d %s", to->count, to->wanted,
                 what);
    if (to->count == 0 && to == &p->panes[p->n_panes - 1]) p->n_panes--;
}

void free_panes(bri_run_plot *p) {
    for (int i = 0; i < p->n_panes; i++)
        for (int k = 0; k < p->panes[i].count; k++) thin_free(&p->panes[i].curves[k].points);
    p->n_panes = 0;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The name of a column without what follows its last point. */
static void owner_of(const bri_run_plot *p, int column, char *name, size_t size) {
    const char *full = bri_recorder_name(p->head.recorder, column), *dot = strrchr(full, '.');
    snprintf(name, size, "%.*s", dot ? (int)(dot - full) : (int)strlen(full), full);
}

/* ---- what tells most ------------------------------------------------------------------------- */

static int is_free(const bri_body *b) { return !b->position && !b->velocity; }

/* Whether the velocity of a body is drawn already, as that of a contact with the ground. */
static int slides_on_ground(const bri_system *s, int body) {
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        if ((c->a == body && c->b == BRI_GROUND) || (c->b == body && c->a == BRI_GROUND)) return 1;
    }
    return 0;
}

/* A linear coupling of a drawn body with the ground only repeats its motion. */
static int coupling_tells(const bri_coupling *c) {
    return !(c->kind->linear && (c->a == BRI_GROUND || c->b == BRI_GROUND));
}

/* Displacement, height or velocity of the free bodies, or of all if none is; of masses and points,
 * or of rotors. */
static void add_bodies(bri_run_plot *p, quantity what, int rotary) {
    const bri_system *s = &p->head.def->system;
    int any_free = 0, away = 0, column = 1;
    for (int i = 0; i < s->n_bodies; i++) any_free |= is_free(&s->bodies[i]);
    for (int i = 0; i < s->n_bodies; i++)
        away |= (is_free(&s->bodies[i]) || !any_free) && s->bodies[i].x != 0.0;
    const quantity_words *w = words_of(what == DISPLACEMENT && away ? POSITION : what, rotary);
    pane *to = new_pane(p, w->title, w->name, 0);
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        int planar = b->kind == BRI_POINT, at = column;
        char name[64];
        column += body_columns(b);
        if ((b->kind == BRI_ROTOR) != rotary || (any_free && !is_free(b))) continue;
        if (what == HEIGHT && !planar) continue;
        if (what == VELOCITY && slides_on_ground(s, i)) continue;
        owner_of(p, at, name, sizeof name);
        add_curve(p, to, 0, at + (what == VELOCITY ? (planar ? 2 : 1) : what == HEIGHT), name);
    }
    end_pane(p, to, "bodies");
}

/* Of the contacts of masses, or of rotors: sliding velocity, friction or load over time, or
 * friction over velocity. */
static void add_contacts(bri_run_plot *p, quantity what, int rotary) {
    static const int offset[N_QUANTITIES] = {[SLIDING] = 0, [FRICTION] = 1, [LOAD] = 2, [LAW] = 1};
    const bri_system *s = &p->head.def->system;
    const quantity_words *w = words_of(what, rotary);
    int column = body_column(s, s->n_bodies), laws = 0, varies = 0;
    for (int i = 0; i < s->n_contacts; i++) {
        varies |= s->contacts[i].load != BRI_LOAD_CONSTANT;
        laws |= s->contacts[i].model != s->contacts[0].model;
    }
    if (what == LOAD && !varies) return;
    pane *to = new_pane(p, w->title, what == LAW ? words_of(FRICTION, rotary)->name : w->name,
                        what == LAW);
    if (to && what == LAW) to->x_name = w->name;
    if (to && what == LAW && !laws && s->n_contacts > 0)
        snprintf(to->title, sizeof to->title, "%s, %.40s", w->title, s->contacts[0].model->name);
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        char name[64], label[128];
        int at = column;
        column += contact_columns(c);
        if (is_rotary(p, at) != rotary) continue;
        owner_of(p, at, name, sizeof name);
        snprintf(label, sizeof label, "%.36s (%.24s)", name, c->model->name);
        add_curve(p, to, what == LAW ? at : 0, at + offset[what],
                  what == LAW && laws ? label : name);
    }
    end_pane(p, to, "contacts");
}

/* The couplings that tell more than the motion, unless they are too many to be told apart. */
static void add_couplings(bri_run_plot *p, int rotary) {
    const bri_system *s = &p->head.def->system;
    const quantity_words *w = words_of(COUPLING, rotary);
    int first = contact_column(s, s->n_contacts), count = 0;
    for (int i = 0; i < s->n_couplings; i++) count += coupling_tells(&s->couplings[i]);
    if (count > MOST_CURVES) return;
    pane *to = new_pane(p, w->title, w->name, 0);
    for (int i = 0; i < s->n_couplings; i++) {
        char name[64];
        if (!coupling_tells(&s->couplings[i]) || is_rotary(p, first + i) != rotary) continue;
        owner_of(p, first + i, name, sizeof name);
        add_curve(p, to, 0, first + i, name);
    }
    end_pane(p, to, "couplings");
}

static void add_energies(bri_run_plot *p) {
    /* What often lies on something else comes later. */
    static const char *const names[] = {"energy.work", "energy.dissipated", "energy.potential",
                                        "energy.kinetic", "energy.stored"};
    const quantity_words *w = words_of(ENERGY, 0);
    pane *energy = new_pane(p, w->title, w->name, 0);
    if (!energy) return;
    energy->energy = 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int column = bri_recorder_find(p->head.recorder, names[i]);
        if (column >= 0) add_curve(p, energy, 0, column, strchr(names[i], '.') + 1);
    }
    p->residual = bri_recorder_find(p->head.recorder, "energy.residual");
}

void choose_panes(bri_run_plot *p) {
    for (int rotary = 0; rotary < 2; rotary++) {
        add_bodies(p, DISPLACEMENT, rotary);
        add_bodies(p, HEIGHT, rotary);
        add_bodies(p, VELOCITY, rotary);
        add_contacts(p, SLIDING, rotary);
        add_contacts(p, FRICTION, rotary);
        add_contacts(p, LOAD, rotary);
        add_couplings(p, rotary);
        add_contacts(p, LAW, rotary);
    }
    add_energies(p);
}
