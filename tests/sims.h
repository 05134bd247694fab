/* sims.h - rigs for the tests of the solvers: an oscillator with a closed solution and the
 * Rabinowicz rig with any law. */
#ifndef BRI_TEST_SIMS_H
#define BRI_TEST_SIMS_H

#include "bristle_sim.h"
#include "test.h"

/* Everything a definition points to. */
typedef struct setup {
    bri_sim_def def;
    bri_body bodies[3];
    bri_coupling couplings[2];
    bri_contact contacts[2];
    bri_drive drives[2];
    bri_signal signals[4];
} setup;

static inline void point_to(setup *s, int bodies, int couplings, int contacts, int drives) {
    bri_system *y = &s->def.system;
    y->bodies = s->bodies, y->n_bodies = bodies;
    y->couplings = s->couplings, y->n_couplings = couplings;
    y->contacts = s->contacts, y->n_contacts = contacts;
    y->drives = s->drives, y->n_drives = drives;
}

static inline const bri_solver *solver_of(const char *name) {
    const bri_solver *s = bri_solver_find(name);
    if (!s) fail_msg("there is no solver %s", name);
    return s;
}

/* 1 kg, 100 N/m, 2 N s/m, released at 1 m; 2 s. */
static inline void oscillator(setup *s) {
    memset(s, 0, sizeof *s);
    s->def = bri_sim_defaults();
    s->def.t_end = 2.0;
    s->bodies[0] = (bri_body){.name = "mass", .mass = 1.0, .x = 1.0};
    s->couplings[0] = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 0);
    s->couplings[0].p[0] = 100.0;
    s->contacts[0] =
        (bri_contact){.name = "oil", .model = bri_model_find("viscous"), .b = BRI_GROUND, .n = 1.0};
    bri_model_defaults(s->contacts[0].model, s->contacts[0].p);
    s->contacts[0].p[bri_model_param(s->contacts[0].model, "kv")] = 2.0;
    point_to(s, 1, 1, 1, 0);
}

static inline double oscillator_x(double t) {
    double w = sqrt(99.0);
    return exp(-t) * (cos(w * t) + sin(w * t) / w);
}

/* Block of 20 kg on a slab at 0.5 m/s, held by 10 N/m. */
static inline void rabinowicz(setup *s, const char *law, const char *solver, double rtol) {
    memset(s, 0, sizeof *s);
    s->def = bri_sim_defaults();
    s->def.t_end = 50.0;
    s->def.rtol = rtol;
    s->def.solver = solver_of(solver);
    s->signals[0] = bri_signal_constant(0.5);
    s->bodies[0] = (bri_body){.name = "block", .mass = 20.0, .v = 0.5};
    s->bodies[1] = (bri_body){.name = "slab", .velocity = &s->signals[0]};
    s->couplings[0] = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 0);
    s->couplings[0].p[0] = 10.0;
    s->contacts[0] = (bri_contact){.name = "pad", .model = bri_model_find(law), .b = 1, .n = 196.2};
    bri_model_defaults(s->contacts[0].model, s->contacts[0].p);
    static const struct {
        const char *name;
        double value;
    } values[] = {
        {"mu_c", 0.5}, {"mu_s", 0.6}, {"v_s", 0.05}, {"sigma0", 98100.0}, {"sigma1", 780.0}};
    for (int i = 0; i < 5; i++) {
        int at = bri_model_param(s->contacts[0].model, values[i].name);
        if (at >= 0) s->contacts[0].p[at] = values[i].value;
    }
    point_to(s, 2, 1, 1, 0);
}

static inline bri_sim *start(const setup *s) {
    bri_sim *sim;
    bri_error err;
    if (bri_sim_create(&s->def, &sim, &err) != BRI_OK) fail_msg("%s", err.text);
    return sim;
}

static inline void go(bri_sim *sim, double t) {
    bri_error err;
    if (bri_sim_advance(sim, t, &err) != BRI_OK) fail_msg("%s", err.text);
}

#endif
