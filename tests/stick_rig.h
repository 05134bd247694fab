/* stick_rig.h - systems for the tests of exact stick, put together one element at a time. */
#ifndef BRI_TEST_STICK_RIG_H
#define BRI_TEST_STICK_RIG_H

#include "bristle_sim.h"
#include "test.h"

enum { MOST_BODIES = 24, MOST_CONTACTS = 128, MOST_SIGNALS = 32 };

/* Everything a definition points to. It must stay where it is. */
typedef struct stand {
    bri_sim_def def;
    bri_body bodies[MOST_BODIES];
    bri_coupling couplings[64];
    bri_contact contacts[MOST_CONTACTS];
    bri_drive drives[MOST_BODIES];
    bri_signal signals[MOST_SIGNALS];
    int n_signals;
} stand;

static inline void stand_clear(stand *s, double t_end, double rtol) {
    memset(s, 0, sizeof *s);
    s->def = bri_sim_defaults();
    s->def.solver = bri_solver_find("event_driven");
    s->def.t_end = t_end;
    s->def.rtol = rtol;
    s->def.system.bodies = s->bodies;
    s->def.system.couplings = s->couplings;
    s->def.system.contacts = s->contacts;
    s->def.system.drives = s->drives;
}

static inline bri_signal *stand_signal(stand *s, const char *kind) {
    bri_signal *to = &s->signals[s->n_signals++];
    *to = bri_signal_defaults(bri_signal_find(kind));
    return to;
}

/* Set a parameter of a signal by its name. */
static inline void tune(bri_signal *s, const char *name, double value) {
    for (int i = 0; i < s->kind->n_params; i++)
        if (strcmp(s->kind->params[i].name, name) == 0) {
            s->p[i] = value;
            return;
        }
    fail_msg("signal %s has no parameter %s", s->kind->name, name);
}

static inline int add_body(stand *s, double mass, double x, double v) {
    s->bodies[s->def.system.n_bodies] = (bri_body){.name = "body", .mass = mass, .x = x, .v = v};
    return s->def.system.n_bodies++;
}

static inline int add_moved(stand *s, const bri_signal *velocity) {
    s->bodies[s->def.system.n_bodies] = (bri_body){.name = "moved", .velocity = velocity};
    return s->def.system.n_bodies++;
}

static inline bri_coupling *add_spring(stand *s, int a, int b, double k) {
    bri_coupling *c = &s->couplings[s->def.system.n_couplings++];
    *c = bri_coupling_defaults(bri_coupling_find("spring"), a, b);
    c->p[0] = k;
    return c;
}

static inline void law_value(bri_contact *c, const char *name, double value) {
    int at = bri_model_param(c->model, name);
    if (at >= 0) c->p[at] = value;
}

/* Friction with levels in newtons. */
static inline bri_contact *add_contact(stand *s, int a, int b, const char *law, double Fc,
                                       double Fs) {
    bri_contact *c = &s->contacts[s->def.system.n_contacts++];
    *c = (bri_contact){.name = "pad", .model = bri_model_find(law), .a = a, .b = b, .n = 1.0};
    bri_model_defaults(c->model, c->p);
    law_value(c, "mu_c", Fc);
    law_value(c, "mu_s", Fs);
    return c;
}

static inline void add_force(stand *s, int body, bri_signal force) {
    s->drives[s->def.system.n_drives++] = (bri_drive){.name = "push", .body = body, .force = force};
}

static inline bri_sim *stand_start(const stand *s) {
    bri_sim *sim;
    bri_error err;
    if (bri_sim_create(&s->def, &sim, &err) != BRI_OK) fail_msg("%s", err.text);
    return sim;
}

static inline void run_to(bri_sim *sim, double t) {
    bri_error err;
    if (bri_sim_advance(sim, t, &err) != BRI_OK) fail_msg("%s", err.text);
}

/* Time, modes and force of event k. */
static inline bri_event event_at(const bri_sim *sim, int k) {
    int count;
    const bri_event *e = bri_sim_events(sim, &count, NULL);
    if (k >= count) fail_msg("there are only %d events, not %d", count, k + 1);
    return e[k];
}

static inline int event_count(const bri_sim *sim) {
    int count;
    bri_sim_events(sim, &count, NULL);
    return count;
}

static inline void expect_event(const bri_sim *sim, int k, double t, int contact, int from, int to,
                                double within) {
    bri_event e = event_at(sim, k);
    if (!(fabs(e.t - t) <= within) || e.contact != contact || e.from != from || e.to != to)
        fail_msg("event %d: t = %.15g contact %d %d -> %d, expected %.15g contact %d %d -> %d", k,
                 e.t, e.contact, e.from, e.to, t, contact, from, to);
}

#endif
