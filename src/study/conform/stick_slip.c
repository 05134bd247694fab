/* stick_slip.c - a mass pulled over the ground through a spring, the rig of Olsson and Astrom 1993
 * and of Canudas de Wit et al. 1995: 1 kg, 2 N/m, drawn at 0.1 m/s. */
#include "conform.h"

#include <math.h>
#include <stdlib.h>

static const double stiffness_pull = 2.0; /* [N/m] */

static void stand_pulled(stand *s, const bench *b, double speed, double t_end) {
    stand_pushed(s, b, t_end);
    s->signal = bri_signal_constant(speed);
    s->bodies[1] = (bri_body){.name = "hand", .velocity = &s->signal};
    s->spring = bri_coupling_defaults(bri_coupling_find("spring"), 1, 0);
    s->spring.p[0] = stiffness_pull;
    s->def.system.n_bodies = 2;
    s->def.system.couplings = &s->spring;
    s->def.system.n_couplings = 1;
    s->def.system.n_drives = 0;
}

/* The spring force over the cycles after 20 s. It is stick-slip if the mass is slower than a
 * twentieth of the pull for a fifth of the time; a harmonic swing that touches zero is so for a
 * tenth. */
static bri_cycles pulled(const bench *b, double speed, const char **word) {
    enum { ROWS = 10000 };
    const double dt = 0.01, from = 20.0;
    double *t = calloc(2 * ROWS, sizeof *t), *force = t ? t + ROWS : NULL;
    bri_cycles c = {0, NAN, NAN, NAN, NAN};
    stand s;
    int slow = 0, late = 0, row = 0;
    stand_pulled(&s, b, speed, ROWS * dt);
    *word = word_failed;
    if (!t) *b->trouble = BRI_NO_MEMORY;
    if (!t || stand_start(&s)) {
        free(t);
        return c;
    }
    for (; row < ROWS && !stand_go(&s, row * dt); row++) {
        bri_body_now block = bri_sim_body(s.sim, 0), hand = bri_sim_body(s.sim, 1);
        t[row] = row * dt;
        force[row] = stiffness_pull * (hand.x - block.x);
        if (t[row] < from) continue;
        late++;
        slow += fabs(block.v) < 0.05 * speed;
    }
    stand_end(&s);
    if (row == ROWS) {
        c = bri_measure_cycles(t, force, ROWS, from);
        *word = c.count < 2 || slow < 0.2 * late ? "none" : NULL;
    }
    free(t);
    return c;
}

result stick_slip_period(const bench *b, double speed) {
    const char *word;
    bri_cycles c = pulled(b, speed, &word);
    return word ? said(NAN, word) : number(c.period);
}

result stick_slip_swing(const bench *b, double speed) {
    const char *word;
    bri_cycles c = pulled(b, speed, &word);
    return word ? said(NAN, word) : number(c.high - c.low);
}
