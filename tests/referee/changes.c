/* changes.c - the changes: what has to be done to a rig, and how its motion is read then. */
#include "changes.h"
#include "laws.h"

#include <math.h>

/* A body that touches nothing. */
static void bystander(const ref_rig *from, ref_rig *to, ref_reading *how) {
    (void)from, (void)how;
    to->body[to->n_bodies++] = (ref_body){.mass = 1.0};
}

static int turned(int body, int n) { return body < 0 ? body : n - 1 - body; }

/* Everything in the opposite order, with other names. */
static void reordered(const ref_rig *from, ref_rig *to, ref_reading *how) {
    int n = from->n_bodies;
    to->names = 1;
    for (int i = 0; i < n; i++) {
        how->body[i] = n - 1 - i;
        to->body[n - 1 - i] = from->body[i];
    }
    for (int i = 0; i < from->n_couplings; i++) {
        ref_coupling *c = &to->coupling[from->n_couplings - 1 - i];
        *c = from->coupling[i];
        c->a = turned(c->a, n), c->b = turned(c->b, n);
    }
    for (int i = 0; i < from->n_contacts; i++) {
        ref_contact *c = &to->contact[from->n_contacts - 1 - i];
        *c = from->contact[i];
        c->a = turned(c->a, n), c->b = turned(c->b, n);
    }
    for (int i = 0; i < from->n_drives; i++) {
        ref_drive *d = &to->drive[from->n_drives - 1 - i];
        *d = from->drive[i];
        d->body = turned(d->body, n);
    }
}

/* Multiply a signal; of every wave the first parameter is what it is measured in. */
static void multiply(ref_signal *s, double by) {
    s->mean *= by;
    s->p[0] *= by;
}

/* x -> -x: couplings change their ends, so that lengths stay what they are. */
static void mirrored(const ref_rig *from, ref_rig *to, ref_reading *how) {
    how->scale = -1.0;
    for (int i = 0; i < to->n_bodies; i++) {
        to->body[i].x *= -1.0, to->body[i].v *= -1.0;
        multiply(&to->body[i].signal, -1.0);
    }
    for (int i = 0; i < to->n_couplings; i++)
        to->coupling[i].a = from->coupling[i].b, to->coupling[i].b = from->coupling[i].a;
    for (int i = 0; i < to->n_drives; i++) multiply(&to->drive[i].force, -1.0);
}

/* The partners of every contact change places. */
static void swapped(const ref_rig *from, ref_rig *to, ref_reading *how) {
    (void)how;
    for (int i = 0; i < to->n_contacts; i++)
        to->contact[i].a = from->contact[i].b, to->contact[i].b = from->contact[i].a;
}

static void delay(ref_signal *s, double by) {
    static const int times[][2] = {{-1, -1}, {3, -1}, {1, 2}, {1, 2}, {1, -1}};
    for (int i = 0; i < 2; i++)
        if (times[s->wave][i] >= 0) s->p[times[s->wave][i]] += by;
}

/* Everything later, the start of the run too. */
static void later(const ref_rig *from, ref_rig *to, ref_reading *how) {
    double by = 0.73 * (from->end - from->start);
    (void)how;
    to->start += by, to->end += by;
    for (int i = 0; i < to->n_bodies; i++) delay(&to->body[i].signal, by);
    for (int i = 0; i < to->n_drives; i++) delay(&to->drive[i].force, by);
    for (int i = 0; i < to->n_contacts; i++) delay(&to->contact[i].load, by);
}

/* A prescribed position, a sine from the start on, as the velocity that it has. */
static void by_velocity(ref_body *b, double start) {
    double out[4], w = 2.0 * REF_PI * b->signal.p[1];
    if (b->motion != REF_POSITION) return;
    ref_signal_eval(&b->signal, start, start, out);
    b->motion = REF_VELOCITY;
    b->x = out[1];
    b->signal.mean = 0.0;
    b->signal.p[0] *= w;
    b->signal.p[2] += 0.5 * REF_PI;
}

/* Seen from a frame that moves the other way: all velocities are larger, what was tied to the
 * ground is tied to a body that moves. */
static void from_a_train(const ref_rig *from, ref_rig *to, ref_reading *how) {
    double v = 0.4 * from->speed;
    int ground = to->n_bodies++;
    to->body[ground] = (ref_body){.motion = REF_VELOCITY};
    how->drift = v;
    for (int i = 0; i < to->n_bodies; i++) {
        ref_body *b = &to->body[i];
        by_velocity(b, from->start);
        b->v += v;
        b->signal.mean += v;
    }
    for (int i = 0; i < to->n_couplings; i++) {
        ref_coupling *c = &to->coupling[i];
        c->a = c->a < 0 ? ground : c->a, c->b = c->b < 0 ? ground : c->b;
    }
    for (int i = 0; i < to->n_contacts; i++) {
        ref_contact *c = &to->contact[i];
        c->a = c->a < 0 ? ground : c->a, c->b = c->b < 0 ? ground : c->b;
    }
}

/* Parameters in units in which masses have M times and lengths L times the number. */
static void rescale(ref_contact *c, double M, double L) {
    static const ref_param speeds[] = {REF_VS, REF_VD, REF_VR, REF_VT, REF_VE};
    static const ref_param lengths[] = {REF_DELTA, REF_EPS, REF_ZBA};
    static const ref_param slopes[] = {REF_K, REF_C, REF_B};
    static const ref_param stiff[] = {REF_SIGMA0, REF_SIGMA1, REF_SIGMA2};
    for (int i = 0; i < 5; i++) c->p[speeds[i]] *= L;
    for (int i = 0; i < 3; i++) {
        c->p[lengths[i]] *= L;
        c->p[slopes[i]] /= L;
        c->p[stiff[i]] *= M;
        if (!c->loaded) c->p[REF_FC + i] *= M * L;
    }
    c->p[REF_KV] *= c->law == ref_law_find("viscous") ? M * pow(L, 1.0 - c->p[REF_P]) : M;
    c->p[REF_NU] *= c->loaded ? 1.0 / L : M;
    multiply(&c->load, M * L);
}

static void in_units(ref_rig *to, ref_reading *how, double M, double L) {
    how->scale = 1.0 / L;
    for (int i = 0; i < to->n_bodies; i++) {
        ref_body *b = &to->body[i];
        b->mass *= M, b->x *= L, b->v *= L;
        multiply(&b->signal, L);
    }
    for (int i = 0; i < to->n_couplings; i++) {
        ref_coupling *c = &to->coupling[i];
        c->stiffness *= M, c->damping *= M, c->length *= L;
    }
    for (int i = 0; i < to->n_drives; i++) multiply(&to->drive[i].force, M * L);
    for (int i = 0; i < to->n_contacts; i++) rescale(&to->contact[i], M, L);
}

static void heavier_shorter(const ref_rig *from, ref_rig *to, ref_reading *how) {
    (void)from;
    in_units(to, how, 100.0, 0.02);
}

static void lighter_longer(const ref_rig *from, ref_rig *to, ref_reading *how) {
    (void)from;
    in_units(to, how, 1e-3, 8.0);
}

static void nothing(const ref_rig *from, ref_rig *to, ref_reading *how) {
    (void)from, (void)to, (void)how;
}

/* The last two are not changes of the rig: `metamorphic` runs it otherwise. */
const ref_change ref_changes[] = {
    {"bystander", bystander, 0},
    {"order and names", reordered, 0},
    {"mirrored", mirrored, 0},
    {"partners swapped", swapped, 0},
    {"later", later, 0},
    {"moving frame", from_a_train, 0},
    {"mass x 100, length / 50", heavier_shorter, 1},
    {"mass / 1000, length x 8", lighter_longer, 1},
    {"largest step halved", nothing, 0},
    {"instruction level", nothing, 0},
};
const int ref_change_count = sizeof ref_changes / sizeof *ref_changes;
