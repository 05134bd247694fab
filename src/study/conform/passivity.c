/* passivity.c - a contact may give back what it has stored, and no more.
 *
 * A law is passive if F v = dS/dt + P with a stored energy S >= 0 and a dissipated power P >= 0.
 * Two numbers from random motions: the smallest net work that a motion from rest puts in, which
 * needs no S, and the largest amount by which the energy dissipated so far falls, with the S that
 * the law defines. */
#include "conform.h"

#include "../../random.h"

#include <math.h>

enum { MOTIONS = 40, STRETCHES = 20 };

/* Stretches of constant velocity: 0.1 to 100 v_s either way, over 1 to 100 um, each reached by a
 * ramp of a tenth of its time. Returns the number of points. */
static int random_motion(stand *s, int seed) {
    double t = 0.0;
    int at = 0;
    s->t[at] = 0.0;
    s->y[at++] = 0.0;
    for (int i = 0; i < STRETCHES; i++) {
        double v = STANDARD_VS * pow(10.0, -1.0 + 3.0 * bri_random(seed, 3.0 * i));
        double path = pow(10.0, -6.0 + 2.0 * bri_random(seed, 3.0 * i + 1.0)), time = path / v;
        if (bri_random(seed, 3.0 * i + 2.0) < 0.5) v = -v;
        double before = s->y[at - 1], ramp = 0.1 * time;
        if (before * v < 0.0) { /* a point where it turns: the force may jump there */
            s->t[at] = t + ramp * before / (before - v);
            s->y[at++] = 0.0;
        }
        s->t[at] = t + ramp;
        s->y[at++] = v;
        s->t[at] = t = t + time;
        s->y[at++] = v;
    }
    signal_points(s, at);
    s->def.t_end = t;
    return at;
}

/* What a motion says: net work over gross work at the ends of its stretches, the largest fall of
 * the dissipated energy over the gross work of all. */
typedef struct account {
    double net, fall;
    int failed;
} account;

/* Work and heat until t. Without states every step of a solver is long, so that F v is summed up
 * here, at the middle of dt; all of it is heat then. */
static bri_energies energies_after(stand *s, double t, double dt, double work, int *failed) {
    int states = bri_model_states(s->contact.model, s->contact.p);
    *failed = stand_go(s, states ? t : t - 0.5 * dt);
    if (states) return bri_sim_energies(s->sim);
    bri_contact_now now = bri_sim_contact(s->sim, 0);
    work += now.F * now.v * dt;
    return (bri_energies){.work = work, .dissipated = work};
}

static account run_motion(const bench *b, int seed) {
    enum { SAMPLES = 20 };
    account a = {.net = INFINITY};
    double gross = 0.0, work = 0.0, most = 0.0, heat = 0.0, fall = 0.0;
    stand s;
    stand_moved(&s, b, 1.0);
    int points = random_motion(&s, seed);
    if (stand_start(&s)) return (account){.failed = 1};
    for (int i = 1; i < points && !a.failed; i++) {
        for (int k = 1; k <= SAMPLES && !a.failed; k++) {
            double dt = (s.t[i] - s.t[i - 1]) / SAMPLES;
            bri_energies e = energies_after(&s, s.t[i - 1] + dt * k, dt, work, &a.failed);
            gross += fabs(e.work - work);
            work = e.work;
            heat = e.dissipated;
            most = fmax(most, heat);
            fall = fmax(fall, most - heat);
        }
        a.net = fmin(a.net, gross > 0.0 ? work / gross : 1.0);
    }
    stand_end(&s);
    a.fall = gross > 0.0 ? fall / gross : 0.0;
    return a;
}

static account worst(const bench *b) {
    account w = {.net = INFINITY};
    for (int i = 0; i < MOTIONS && !w.failed; i++) {
        account a = run_motion(b, i + 1);
        w.net = fmin(w.net, a.net);
        w.fall = fmax(w.fall, a.fall);
        w.failed = a.failed;
    }
    return w;
}

result least_work(const bench *b, double unused) {
    (void)unused;
    account w = worst(b);
    return w.failed ? said(NAN, word_failed) : number(w.net);
}

result least_dissipation(const bench *b, double unused) {
    (void)unused;
    bri_input u = {.v = STANDARD_VS, .n = b->law->load};
    double z[BRI_MAX_STATES] = {0}, stored;
    bri_model_rest(b->law->model, b->law->p, z);
    if (!bri_model_energy(b->law->model, b->law->p, &u, z, &stored, NULL))
        return said(NAN, "undefined");
    account w = worst(b);
    return w.failed ? said(NAN, word_failed) : number(-w.fall);
}
