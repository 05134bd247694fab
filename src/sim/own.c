/* own.c - the definition that a simulation keeps: what its addresses read and write, and what a
 * reset begins from. Laws, kinds and the points of tables are not copied. */
#include "sim.h"
#include "system/names.h"

#include <string.h>

static const char *keep_text(arena *memory, const char *text) {
    char *copy = ARENA_NEW(memory, char, strlen(text) + 1);
    if (copy) strcpy(copy, text);
    return copy;
}

static int keep_parts(arena *memory, bri_signal *s) {
    if (!s->parts || s->kind->holds == BRI_POINTS || s->count < 1) return 1;
    bri_signal *parts = ARENA_NEW(memory, bri_signal, s->count);
    if (!parts) return 0;
    memcpy(parts, s->parts, sizeof *parts * (size_t)s->count);
    s->parts = parts;
    for (int i = 0; i < s->count; i++)
        if (!keep_parts(memory, &parts[i])) return 0;
    return 1;
}

static const bri_signal *keep_signal(arena *memory, const bri_signal *s) {
    if (!s) return NULL;
    bri_signal *copy = ARENA_NEW(memory, bri_signal, 1);
    if (!copy) return NULL;
    *copy = *s;
    return keep_parts(memory, copy) ? copy : NULL;
}

/* A function with arguments and signals of its own; its data are not copied. */
static int keep_args(arena *memory, bri_function *f) {
    bri_arg *args = ARENA_NEW(memory, bri_arg, f->n_args);
    if (!args) return 0;
    for (int i = 0; i < f->n_args; i++) {
        args[i] = f->args[i];
        args[i].signal = keep_signal(memory, f->args[i].signal);
    }
    f->args = args;
    return !memory->failed;
}

static const bri_function *keep_function(arena *memory, const bri_function *f) {
    if (!f) return NULL;
    bri_function *copy = ARENA_NEW(memory, bri_function, 1);
    if (!copy) return NULL;
    *copy = *f;
    return keep_args(memory, copy) ? copy : NULL;
}

/* Room for count elements with a copy of those given; also where there are none. */
#define KEEP(memory, type, given, count)                                                           \
    ((type *)keep_array((memory), (given), (size_t)(count), sizeof(type)))

static void *keep_array(arena *memory, const void *given, size_t count, size_t size) {
    void *copy = arena_take(memory, count, size);
    if (copy && count > 0) memcpy(copy, given, count * size);
    return copy;
}

static void own_bodies(bri_sim *sim, bri_body *b, int count, const taken_names *names) {
    arena *memory = &sim->own;
    int number[3] = {0};
    char room[OWN_NAME];
    for (int i = 0; i < count; i++) {
        b[i].name = keep_text(memory, name_or_number(b[i].name, body_kind_name(b[i].kind),
                                                     &number[b[i].kind], names, room));
        b[i].position = keep_signal(memory, b[i].position);
        b[i].velocity = keep_signal(memory, b[i].velocity);
    }
}

static void own_couplings(bri_sim *sim, bri_coupling *c, int count, const taken_names *names) {
    int *number = ARENA_NEW(&sim->own, int, bri_coupling_count() + 1);
    char room[OWN_NAME];
    for (int i = 0; number && i < count; i++) {
        int kind = 0; /* a kind of the user's own counts in the last place */
        while (kind < bri_coupling_count() && bri_coupling_at(kind) != c[i].kind) kind++;
        c[i].name = keep_text(
            &sim->own, name_or_number(c[i].name, c[i].kind->name, &number[kind], names, room));
        c[i].tension = keep_function(&sim->own, c[i].tension);
    }
}

static void own_varying(bri_sim *sim, bri_contact *c) {
    if (c->n_varying == 0) return;
    bri_varying *v = ARENA_NEW(&sim->own, bri_varying, c->n_varying);
    for (int k = 0; v && k < c->n_varying; k++) {
        v[k] = c->varying[k];
        keep_args(&sim->own, &v[k].by);
    }
    c->varying = v;
}

static void own_contacts(bri_sim *sim, bri_contact *c, int count, const taken_names *names) {
    int number = 0, states = 0;
    char room[OWN_NAME];
    for (int i = 0; i < count; i++) states += bri_model_states(c[i].model, c[i].p);
    sim->z_start = ARENA_NEW(&sim->own, double, states);
    double *z = sim->z_start;
    for (int i = 0; z && i < count; i++) {
        int own = bri_model_states(c[i].model, c[i].p);
        c[i].name =
            keep_text(&sim->own, name_or_number(c[i].name, "contact", &number, names, room));
        c[i].n_of_t = c[i].load == BRI_LOAD_SIGNAL ? keep_signal(&sim->own, c[i].n_of_t) : NULL;
        c[i].n_by = c[i].load == BRI_LOAD_FUNCTION ? keep_function(&sim->own, c[i].n_by) : NULL;
        own_varying(sim, &c[i]);
        if (c[i].z && own > 0) memcpy(z, c[i].z, sizeof *z * (size_t)own);
        if (c[i].z) c[i].z = z;
        z += own;
    }
}

static void own_drives(bri_sim *sim, bri_drive *d, int count, const taken_names *names) {
    int number = 0;
    char room[OWN_NAME];
    for (int i = 0; i < count; i++) {
        d[i].name = keep_text(&sim->own, name_or_number(d[i].name, "drive", &number, names, room));
        d[i].by = keep_function(&sim->own, d[i].by);
        if (!keep_parts(&sim->own, &d[i].force)) return;
    }
}

int sim_own(bri_sim *sim, const bri_sim_def *def) {
    arena *memory = &sim->own;
    const bri_system *from = &def->system;
    bri_system *s = &sim->def.system;
    sim->def = *def;
    bri_body *bodies = KEEP(memory, bri_body, from->bodies, from->n_bodies);
    bri_coupling *couplings = KEEP(memory, bri_coupling, from->couplings, from->n_couplings);
    bri_contact *contacts = KEEP(memory, bri_contact, from->contacts, from->n_contacts);
    bri_drive *drives = KEEP(memory, bri_drive, from->drives, from->n_drives);
    bri_parameter *parameters = KEEP(memory, bri_parameter, from->parameters, from->n_parameters);
    taken_names names = names_taken(memory, from);
    if (memory->failed) return 0;
    s->bodies = bodies;
    s->couplings = couplings;
    s->contacts = contacts;
    s->drives = drives;
    s->parameters = parameters;
    for (int i = 0; i < s->n_parameters; i++) {
        parameters[i].name = keep_text(memory, parameters[i].name);
        parameters[i].unit = keep_text(memory, parameters[i].unit);
        if (parameters[i].fixed) parameters[i].fixed = keep_text(memory, parameters[i].fixed);
    }
    own_bodies(sim, bodies, s->n_bodies, &names);
    own_couplings(sim, couplings, s->n_couplings, &names);
    own_contacts(sim, contacts, s->n_contacts, &names);
    own_drives(sim, drives, s->n_drives, &names);
    const char **by = ARENA_NEW(memory, const char *, def->n_by > 0 ? def->n_by : 0);
    for (int k = 0; by && k < def->n_by; k++) by[k] = keep_text(memory, def->by[k]);
    sim->def.by = by;
    return !memory->failed;
}
