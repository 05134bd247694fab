/* write.c - a rig as the text of a scenario, every number with 17 digits. */
#include "laws.h"
#include "rig.h"

#include <stdarg.h>

typedef struct text {
    char *at;
    size_t room;
    int length;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *o, const char *format, ...) {
    va_list args;
    va_start(args, format);
    size_t used = (size_t)o->length < o->room ? (size_t)o->length : o->room;
    o->length += vsnprintf(o->at + used, o->room - used, format, args);
    va_end(args);
}

/* Names of bodies, couplings, contacts and drives, in two fashions. */
static const char *const names[2][4] = {{"b", "j", "c", "d"}, {"omega_", "a_link", "zz", "Push_"}};

const char *ref_body_name(const ref_rig *r) { return names[r->names][0]; }

/* Names of the parameters of each wave, in the order of ref_signal. */
static void put_wave(text *o, const ref_signal *s) {
    static const char *const kind[] = {"", "sine", "ramp", "trapezoid", "pulses"};
    static const char *const name[][5] = {{NULL},
                                          {"amplitude", "frequency", "phase", "from", NULL},
                                          {"rate", "from", "until", NULL},
                                          {"value", "from", "until", "rise", "fall"},
                                          {"value", "from", "width", "period", NULL}};
    put(o, "{%s: {", kind[s->wave]);
    for (int i = 0; i < 5 && name[s->wave][i]; i++)
        put(o, "%s%s: %.17g", i ? ", " : "", name[s->wave][i], s->p[i]);
    put(o, "}}");
}

static void put_signal(text *o, const ref_signal *s) {
    if (s->wave == REF_FLAT) {
        put(o, "%.17g", s->mean);
    } else if (s->mean == 0.0) {
        put_wave(o, s);
    } else {
        put(o, "{sum: [%.17g, ", s->mean);
        put_wave(o, s);
        put(o, "]}");
    }
}

static void put_body(text *o, const ref_rig *r, int i) {
    const ref_body *b = &r->body[i];
    put(o, "  %s%d: {", names[r->names][0], i);
    if (r->rotor) put(o, "kind: rotor, ");
    if (b->motion == REF_FREE) {
        put(o, "%s: %.17g, x: %.17g, v: %.17g", r->rotor ? "inertia" : "mass", b->mass, b->x, b->v);
    } else {
        if (b->motion == REF_VELOCITY) put(o, "x: %.17g, ", b->x);
        put(o, "%s: ", b->motion == REF_VELOCITY ? "velocity" : "position");
        put_signal(o, &b->signal);
    }
    put(o, "}\n");
}

static void put_pair(text *o, const ref_rig *r, int a, int b) {
    char name[2][24] = {"ground", "ground"};
    if (a >= 0) snprintf(name[0], 24, "%s%d", names[r->names][0], a);
    if (b >= 0) snprintf(name[1], 24, "%s%d", names[r->names][0], b);
    put(o, "[%s, %s]", name[0], name[1]);
}

static void put_coupling(text *o, const ref_rig *r, int i) {
    static const char *const kind[] = {"spring", "damper", "spring_damper", "rope"};
    const ref_coupling *c = &r->coupling[i];
    put(o, "  - {name: %s%d, %s: ", names[r->names][1], i, kind[c->kind]);
    put_pair(o, r, c->a, c->b);
    if (c->kind != REF_DAMPER) put(o, ", stiffness: %.17g, length: %.17g", c->stiffness, c->length);
    if (c->kind != REF_SPRING) put(o, ", damping: %.17g", c->damping);
    put(o, "}\n");
}

static void put_contact(text *o, const ref_rig *r, int i) {
    const ref_contact *c = &r->contact[i];
    const ref_law *law = &ref_laws[c->law];
    put(o, "  %s%d: {between: ", names[r->names][2], i);
    put_pair(o, r, c->a, c->b);
    put(o, ", model: %s", law->name);
    if (c->loaded) {
        put(o, ", load: ");
        put_signal(o, &c->load);
    }
    for (int j = 0; j < law->n_params; j++)
        put(o, ", %s: %.17g", ref_param_name(law->params[j], c->loaded), c->p[law->params[j]]);
    put(o, "}\n");
}

int ref_rig_write(const ref_rig *r, char *at, size_t room) {
    text out = {at, room, 0}, *o = &out;
    put(o, "title: %s\nbodies:\n", r->title);
    for (int i = 0; i < r->n_bodies; i++) put_body(o, r, i);
    if (r->n_couplings) put(o, "couplings:\n");
    for (int i = 0; i < r->n_couplings; i++) put_coupling(o, r, i);
    if (r->n_contacts) put(o, "contacts:\n");
    for (int i = 0; i < r->n_contacts; i++) put_contact(o, r, i);
    if (r->n_drives) put(o, "drives:\n");
    for (int i = 0; i < r->n_drives; i++) {
        put(o, "  %s%d: {on: %s%d, %s: ", names[r->names][3], i, names[r->names][0],
            r->drive[i].body, r->rotor ? "torque" : "force");
        put_signal(o, &r->drive[i].force);
        put(o, "}\n");
    }
    put(o, "run: {from: %.17g, until: %.17g, output: %.17g}\n", r->start, r->end,
        (r->end - r->start) / REF_ROWS);
    return out.length;
}

double ref_row_time(const ref_rig *r, int row) {
    return row == REF_ROWS ? r->end : r->start + (r->end - r->start) * row / REF_ROWS;
}
