/* rig_plan.c - what of a rig is written: its definition with inputs that can have slopes. */
#include "fmu.h"

#include "../fail.h"
#include "rig.h"

#include <stdlib.h>
#include <string.h>

/* ---- names of inputs ------------------------------------------------------------------------- */

/* The name at the place in the list, and the place of the next; 0: there are no more. */
static int next_name(const char **at, char name[BRI_ADDRESS]) {
    if (!*at || !**at) return 0;
    size_t length = strcspn(*at, ",");
    snprintf(name, BRI_ADDRESS, "%.*s", (int)length, *at);
    *at += length + ((*at)[length] == ',');
    return 1;
}

static int is_named(const char *names, const char *wanted) {
    char name[BRI_ADDRESS];
    while (next_name(&names, name))
        if (strcmp(name, wanted) == 0) return 1;
    return 0;
}

/* Every name of the list is that of a number that can change while it runs. */
static bri_status check_inputs(const bri_sim *sim, const char *names, bri_error *err) {
    char name[BRI_ADDRESS];
    while (next_name(&names, name)) {
        bri_ref ref;
        bri_status status = bri_sim_find(sim, name, &ref, err);
        if (status) return status;
        bri_number n = bri_sim_number(sim, ref);
        if (strcmp(n.name, name) != 0)
            return bri_fail(err, BRI_NOT_FOUND, "as an input '%s' has its whole name, '%s'", name,
                            n.name);
        if (n.start)
            return bri_fail(err, BRI_BAD_VALUE, "%s is a start value: it cannot be an input", name);
    }
    return BRI_OK;
}

/* ---- inputs as ramps ------------------------------------------------------------------------- */

/* Nonzero if the address is that of this number of the element. */
static int is_of(const char *address, const char *element, const char *word) {
    size_t n = element ? strlen(element) : 0;
    return n > 0 && strncmp(address, element, n) == 0 && address[n] == '.' &&
           strcmp(address + n + 1, word) == 0;
}

static bri_signal ramp_from(double value) {
    bri_signal s = {.kind = bri_signal_find("ramp")};
    for (int i = 0; i < s.kind->n_params; i++) {
        const char *name = s.kind->params[i].name;
        s.p[i] = strcmp(name, "before") == 0 ? value
                 : strcmp(name, "rate") == 0 ? 0.0
                                             : s.kind->params[i].def;
    }
    return s;
}

static const bri_signal *add_ramp(rig_plan *p, double value) {
    p->ramps[p->n_ramps] = ramp_from(value);
    return &p->ramps[p->n_ramps++];
}

static int is_constant(const bri_signal *s) { return s && s->kind == bri_signal_find("constant"); }

/* A constant force, motion or load of that address becomes a ramp; of other numbers nothing. */
static void give_slope(rig_plan *p, const char *address) {
    const bri_system *s = &p->def.system;
    for (int i = 0; i < s->n_drives; i++) {
        bri_drive *d = &p->drives[i];
        if (!d->by && is_constant(&d->force) &&
            (is_of(address, d->name, "force") || is_of(address, d->name, "torque")))
            d->force = ramp_from(d->force.p[0]);
    }
    for (int i = 0; i < s->n_bodies; i++) {
        bri_body *b = &p->bodies[i];
        if (is_constant(b->velocity) && is_of(address, b->name, "velocity"))
            b->velocity = add_ramp(p, b->velocity->p[0]);
        if (is_constant(b->position) && is_of(address, b->name, "position"))
            b->position = add_ramp(p, b->position->p[0]);
    }
    for (int i = 0; i < s->n_contacts; i++) {
        bri_contact *c = &p->contacts[i];
        if (c->load == BRI_LOAD_CONSTANT && !c->forces && is_of(address, c->name, "load")) {
            c->load = BRI_LOAD_SIGNAL;
            c->n_of_t = add_ramp(p, c->n);
        }
    }
}

static void *copy_of(const void *from, int count, size_t size) {
    void *to = calloc((size_t)count + 1, size);
    if (to && count > 0) memcpy(to, from, (size_t)count * size);
    return to;
}

static bri_status give_slopes(rig_plan *p, bri_error *err) {
    bri_system *s = &p->def.system;
    const char *names = p->inputs;
    char name[BRI_ADDRESS];
    p->bodies = copy_of(s->bodies, s->n_bodies, sizeof *p->bodies);
    p->contacts = copy_of(s->contacts, s->n_contacts, sizeof *p->contacts);
    p->drives = copy_of(s->drives, s->n_drives, sizeof *p->drives);
    p->ramps = calloc((size_t)(2 * s->n_bodies + s->n_contacts) + 1, sizeof *p->ramps);
    if (!p->bodies || !p->contacts || !p->drives || !p->ramps)
        return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    while (next_name(&names, name)) give_slope(p, name);
    s->bodies = p->bodies;
    s->contacts = p->contacts;
    s->drives = p->drives;
    return BRI_OK;
}

/* ---- the plan -------------------------------------------------------------------------------- */

bri_status rig_plan_make(rig_plan *p, const bri_scenario *s, const char *inputs, bri_error *err) {
    bri_sim *sim;
    memset(p, 0, sizeof *p);
    p->inputs = inputs;
    p->def = *bri_scenario_def(s);
    p->def.solver = NULL;
    p->def.step = 0.0;
    p->def.energies = 0;
    p->def.event_room = -1;
    p->def.n_by = 0;
    bri_status status = bri_sim_create(&p->def, &sim, err);
    if (status) return status;
    status = check_inputs(sim, inputs, err);
    bri_sim_free(sim);
    return status ? status : give_slopes(p, err);
}

void rig_plan_free(rig_plan *p) {
    free(p->bodies);
    free(p->contacts);
    free(p->drives);
    free(p->ramps);
}

/* A force or a load, not a motion: its rate of change matters to nothing. */
static int flows(const rig_plan *p, const char *address) {
    const bri_system *s = &p->def.system;
    for (int i = 0; i < s->n_bodies; i++)
        if (is_of(address, s->bodies[i].name, "velocity") ||
            is_of(address, s->bodies[i].name, "position"))
            return 0;
    return 1;
}

rig_role rig_role_of(const rig_plan *p, const bri_number *n, char *name) {
    static const struct {
        const char *after;
        rig_role role;
    } parts[] = {{".ramp.before", RIG_INPUT},
                 {".ramp.rate", RIG_SLOPE},
                 {".ramp.from", RIG_SINCE},
                 {".ramp.until", RIG_LEFT_OUT}};
    size_t length = strlen(n->name);
    snprintf(name, BRI_ADDRESS + 8, "%s", n->name);
    if (n->start) return RIG_LEFT_OUT;
    if (is_named(p->inputs, name)) return RIG_INPUT;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t tail = strlen(parts[i].after);
        if (length <= tail || strcmp(name + length - tail, parts[i].after) != 0) continue;
        name[length - tail] = '\0';
        if (is_named(p->inputs, name)) {
            rig_role role = parts[i].role;
            if (role == RIG_INPUT && flows(p, name)) role = RIG_FLOW;
            if (role == RIG_SLOPE) strcat(name, "_slope");
            return role;
        }
        name[length - tail] = '.';
    }
    return RIG_PARAMETER;
}
