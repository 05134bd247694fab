/* rigs.c - Rabinowicz rig, festoon and Leus rig, parameters of experiments.md sections 1, 2, 5; and
 * rigs as they ship. */
#include "rigs.h"
#include "bristle_scenario.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bri_signal signal_of(const char *kind) { return bri_signal_defaults(bri_signal_find(kind)); }

static bri_coupling spring_between(int a, int b, double stiffness) {
    bri_coupling c = bri_coupling_defaults(bri_coupling_find("spring"), a, b);
    c.p[0] = stiffness;
    return c;
}

static bri_contact contact_between(int a, int b, const char *law) {
    bri_contact c = {.model = bri_model_find(law), .a = a, .b = b};
    if (!c.model) abort();
    bri_model_defaults(c.model, c.p);
    return c;
}

static void set(bri_contact *c, const char *name, double value) {
    int i = bri_model_param(c->model, name);
    if (i < 0) abort();
    c->p[i] = value;
}

static void finish(rig *r, int bodies, int couplings, int contacts, double t_end) {
    r->def.system.bodies = r->bodies;
    r->def.system.couplings = r->couplings;
    r->def.system.contacts = r->contacts;
    r->def.system.n_bodies = bodies;
    r->def.system.n_couplings = couplings;
    r->def.system.n_contacts = contacts;
    r->def.t_end = t_end;
    r->def.energies = 0; /* the peers do not account for energy either */
}

/* The numbers of LuGre, its law's defaults, are this rig's, and so are those of most laws. */
static void rabinowicz_with(rig *r, const char *law) {
    *r = (rig){.def = bri_sim_defaults()};
    r->signals[0] = bri_signal_constant(0.5);
    r->bodies[0] = (bri_body){.name = "block", .mass = 20.0, .v = 0.5};
    r->bodies[1] = (bri_body){.name = "slab", .velocity = &r->signals[0]};
    r->couplings[0] = spring_between(BRI_GROUND, 0, 10.0);
    r->contacts[0] = contact_between(0, 1, law);
    r->contacts[0].n = 196.2;
    finish(r, 2, 1, 1, 50.0);
}

void rig_rabinowicz(rig *r) { rabinowicz_with(r, "lugre"); }
void rig_rabinowicz_dahl(rig *r) { rabinowicz_with(r, "dahl"); }
void rig_rabinowicz_elasto_plastic(rig *r) { rabinowicz_with(r, "elasto_plastic"); }
void rig_rabinowicz_gonthier(rig *r) { rabinowicz_with(r, "gonthier"); }

void rig_rabinowicz_second_order(rig *r) {
    rabinowicz_with(r, "bristle_second_order");
    set(&r->contacts[0], "mu_c", 0.5);
    set(&r->contacts[0], "mu_s", 0.6);
    set(&r->contacts[0], "v_s", 0.05);
    set(&r->contacts[0], "sigma0", 98100.0);
    set(&r->contacts[0], "sigma1", 780.0);
}

void out_rabinowicz(bri_sim *s, double *out) {
    bri_body_now b = bri_sim_body(s, 0);
    out[0] = b.x;
    out[1] = b.v;
    out[2] = bri_sim_contact(s, 0).z[0];
}

void out_two_states(bri_sim *s, double *out) {
    out_rabinowicz(s, out);
    out[3] = bri_sim_contact(s, 0).z[1];
}

/* Depth at which a load hangs in two ropes over a span. */
static double hanging(double half, double k, double l0, double weight) {
    double d = sqrt(l0 * l0 - half * half);
    for (int i = 0; i < 60; i++) {
        double L = hypot(half, d), F = 2.0 * k * (L - l0) * d / L - weight;
        d -= F / (2.0 * k * (1.0 - l0 / L + l0 * d * d / (L * L * L)));
    }
    return d;
}

void rig_festoon(rig *r) {
    static const double tow[3][5] = {{0.5 / 2.3, 3.0, 6.2, 0.9, 0.9},
                                     {-0.5 / 3.0, 7.7, 12.0, 1.3, 1.3},
                                     {0.8, 14.0, 19.0, 1.0, 0.2}};
    const double spacing = 0.51763809020504148;
    double depth = hanging(0.5 * spacing, 1e4, 1.0, 1.75 * 9.81);
    *r = (rig){.def = bri_sim_defaults()};
    for (int i = 0; i < 3; i++) {
        r->signals[1 + i] = signal_of("trapezoid");
        memcpy(r->signals[1 + i].p, tow[i], sizeof tow[i]);
    }
    r->signals[0] = signal_of("sum");
    r->signals[0].parts = r->signals + 1;
    r->signals[0].count = 3;
    for (int i = 0; i < 2; i++)
        r->bodies[i] = (bri_body){.name = "trolley", .mass = 0.5, .x = (i + 1) * spacing};
    for (int i = 0; i < 3; i++)
        r->bodies[2 + i] = (bri_body){.name = "cable",
                                      .kind = BRI_POINT,
                                      .mass = 1.75,
                                      .x = (i + 0.5) * spacing,
                                      .z = -depth};
    r->bodies[5] = (bri_body){.name = "tow", .velocity = &r->signals[0], .x = 3.0 * spacing};
    static const int top[6] = {BRI_GROUND, 0, 0, 1, 1, 5};
    for (int i = 0; i < 6; i++) {
        bri_coupling c = bri_coupling_defaults(bri_coupling_find("rope"), top[i], 2 + i / 2);
        c.p[0] = 1e4;
        c.p[1] = 1.0;
        c.p[2] = 15.0;
        r->couplings[i] = c;
    }
    for (int i = 0; i < 2; i++) {
        bri_contact c = contact_between(i, BRI_GROUND, "bristle_second_order");
        c.load = BRI_LOAD_REACTION;
        set(&c, "mu_s", 0.08);
        set(&c, "mu_c", 0.05);
        set(&c, "sigma0", 4e4);
        set(&c, "sigma1", 180.0);
        set(&c, "v_s", 7e-3);
        set(&c, "gamma", 2.0);
        set(&c, "nu", 0.0);
        set(&c, "v_r", 0.14e-3);
        r->contacts[i] = c;
    }
    finish(r, 6, 6, 2, 24.0);
}

void out_festoon(bri_sim *s, double *out) {
    int n = 0;
    for (int i = 0; i < 2; i++) {
        bri_body_now b = bri_sim_body(s, i);
        out[i] = b.x;
        out[8 + i] = b.v;
    }
    for (int i = 2; i < 5; i++) {
        bri_body_now b = bri_sim_body(s, i);
        n = 2 * i - 2;
        out[n] = b.x;
        out[n + 1] = b.z;
        out[8 + n] = b.v;
        out[9 + n] = b.vz;
    }
}

void rig_leus(rig *r) {
    *r = (rig){.def = bri_sim_defaults()};
    r->signals[0] = bri_signal_constant(1e-3);
    r->signals[1] = signal_of("sine");
    const double vibration[5] = {1.1e-3, 1500.0, 0.5 * 3.14159265358979323846, 0.0, 10.0};
    memcpy(r->signals[1].p, vibration, sizeof vibration);
    r->bodies[0] = (bri_body){.name = "mass", .mass = 0.665};
    r->bodies[1] = (bri_body){.name = "drive", .velocity = &r->signals[0]};
    r->bodies[2] = (bri_body){.name = "support", .velocity = &r->signals[1]};
    r->couplings[0] = spring_between(0, 1, 11700.0);
    r->contacts[0] = contact_between(0, 2, "lugre");
    r->contacts[0].n = 1.0;
    set(&r->contacts[0], "Fc", 8.3);
    set(&r->contacts[0], "Fs", 11.1);
    set(&r->contacts[0], "v_s", 3.5e-4);
    set(&r->contacts[0], "gamma", 2.0);
    set(&r->contacts[0], "sigma0", 71.318e6);
    set(&r->contacts[0], "sigma1", 13770.0);
    set(&r->contacts[0], "fade", 1.0);
    finish(r, 3, 1, 1, 20.0);
}

void out_leus(bri_sim *s, double *out) {
    bri_body_now b = bri_sim_body(s, 0);
    out[0] = bri_sim_coupling_force(s, 0);
    out[1] = b.v;
    out[2] = bri_sim_contact(s, 0).z[0];
}

/* A scenario, read once: it is part of the program from then on. */
static void rig_shipped(rig *r, bri_scenario **kept, const char *name) {
    if (!*kept && bri_scenario_load(name, NULL, kept, NULL) != BRI_OK) abort();
    r->def = *bri_scenario_def(*kept);
    r->def.energies = 0;
}

/* Places, velocities and bristles of the first bodies and contacts. */
static void out_states(bri_sim *s, int bodies, int contacts, double *out) {
    for (int i = 0; i < bodies; i++) {
        bri_body_now b = bri_sim_body(s, i);
        out[i] = b.x;
        out[bodies + i] = b.v;
    }
    for (int i = 0; i < contacts; i++) out[2 * bodies + i] = bri_sim_contact(s, i).z[0];
}

void rig_three_dof(rig *r) {
    static bri_scenario *kept;
    rig_shipped(r, &kept, "three_dof");
}

void out_three_dof(bri_sim *s, double *out) { out_states(s, 3, 3, out); }

void rig_joint(rig *r) {
    static bri_scenario *kept;
    rig_shipped(r, &kept, "robot_joint");
}

void out_joint(bri_sim *s, double *out) { out_states(s, 2, 1, out); }
