/* shape.c - what a definition consists of, whatever its numbers are, as one number. */
#include "sim.h"

#include <stdint.h>

static uint64_t add_number(uint64_t sum, long x) {
    return ((sum ^ (uint64_t)x) * 0x100000001b3u) ^ (sum >> 29);
}

static uint64_t add_text(uint64_t sum, const char *text) {
    for (; text && *text; text++) sum = add_number(sum, (unsigned char)*text);
    return add_number(sum, 256);
}

static uint64_t add_signal(uint64_t sum, const bri_signal *s) {
    if (!s || !s->kind) return add_number(sum, 0);
    sum = add_number(add_text(sum, s->kind->name), s->count);
    for (int i = 0; s->parts && s->kind->holds != BRI_POINTS && i < s->count; i++)
        sum = add_signal(sum, &s->parts[i]);
    return sum;
}

static uint64_t add_function(uint64_t sum, const bri_function *f) {
    if (!f) return add_number(sum, 0);
    sum = add_number(add_number(sum, 1 + f->n_args), f->n_switches);
    for (int i = 0; i < f->n_args; i++)
        sum = add_signal(add_number(add_number(sum, f->args[i].kind), f->args[i].index),
                         f->args[i].signal);
    return sum;
}

static uint64_t add_contact(uint64_t sum, const bri_contact *c) {
    sum = add_text(add_text(sum, c->name), c->model->name);
    sum = add_number(add_number(add_number(sum, c->a), c->b), c->load);
    sum = add_number(sum, bri_model_states(c->model, c->p));
    sum = add_function(add_signal(sum, c->n_of_t), c->n_by);
    for (int k = 0; k < c->n_varying; k++)
        sum = add_function(add_number(sum, c->varying[k].param), &c->varying[k].by);
    return sum;
}

uint64_t sim_shape(const bri_sim *sim) {
    const bri_system *s = &sim->def.system;
    uint64_t sum = add_text(0xcbf29ce484222325u, sim->solver->name);
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        sum = add_number(add_text(sum, b->name), b->kind);
        sum = add_signal(add_signal(sum, b->position), b->velocity);
    }
    for (int i = 0; i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        sum = add_text(add_text(sum, c->name), c->kind->name);
        sum = add_function(add_number(add_number(sum, c->a), c->b), c->tension);
    }
    for (int i = 0; i < s->n_contacts; i++) sum = add_contact(sum, &s->contacts[i]);
    for (int i = 0; i < s->n_drives; i++) {
        const bri_drive *d = &s->drives[i];
        sum = add_number(add_number(add_text(sum, d->name), d->body), d->vertical);
        sum = add_function(add_signal(sum, &d->force), d->by);
    }
    for (int i = 0; i < s->n_parameters; i++) sum = add_text(sum, s->parameters[i].name);
    return add_number(sum, sim->def.energies);
}
