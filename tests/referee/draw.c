/* draw.c - rigs of every kind from a seed. */
#include "draw.h"
#include "laws.h"

#include <math.h>
#include <string.h>

typedef struct maker {
    ref_dice dice;
    ref_rig *r;
    ref_use use;
    double omega; /* of the spring that carries the first body [rad/s] */
} maker;

static int add_body(maker *m, ref_body b) {
    m->r->body[m->r->n_bodies] = b;
    return m->r->n_bodies++;
}

static int add_mass(maker *m, double mass, double x, double v) {
    return add_body(m, (ref_body){.mass = mass, .x = x, .v = v});
}

static int add_support(maker *m, ref_motion motion, ref_signal s) {
    return add_body(m, (ref_body){.motion = motion, .signal = s});
}

static void add_coupling(maker *m, ref_coupling c) { m->r->coupling[m->r->n_couplings++] = c; }

/* A spring, with a damper beside it now and then. */
static void add_spring(maker *m, int a, int b, double k, double mass) {
    ref_coupling c = {.kind = REF_SPRING, .a = a, .b = b, .stiffness = k};
    if (ref_chance(&m->dice, 0.3)) {
        c.kind = REF_SPRING_DAMPER;
        c.damping = 2.0 * sqrt(k * mass) * ref_spread(&m->dice, 0.01, 0.5);
    }
    add_coupling(m, c);
}

static void add_contact(maker *m, int a, int b) {
    ref_contact *c = &m->r->contact[m->r->n_contacts++];
    ref_draw_contact(&m->dice, &m->use, c);
    c->a = a, c->b = b;
}

static void add_force(maker *m, int body, ref_signal s) {
    m->r->drive[m->r->n_drives++] = (ref_drive){body, s};
}

static ref_signal flat(double value) { return (ref_signal){.mean = value}; }

static ref_signal sine(double mean, double amplitude, double frequency, double phase, double from) {
    return (ref_signal){mean, REF_SINE, {amplitude, frequency, phase, from}};
}

/* A trapezoid of that height within the run. */
static ref_signal trapezoid(maker *m, double height, double rise) {
    double t = m->r->end, from = t * ref_between(&m->dice, 0.02, 0.2);
    rise = fmin(rise, 0.25 * t);
    double until = from + rise * 2.0 + t * ref_between(&m->dice, 0.05, 0.4);
    return (ref_signal){0.0, REF_TRAPEZOID, {height, from, until, rise, rise}};
}

/* ---- kinds ---------------------------------------------------------------------------------- */

/* A speed at which the spring reaches the static level some times within the run. */
static void speed_for_spring(maker *m, double k) {
    double v = m->use.fs / (k * m->r->end * ref_spread(&m->dice, 0.02, 0.5));
    m->use.speed = fmin(fmax(v, 1e-4), 2.0);
}

static void belt(maker *m) {
    double k = m->use.mass * m->omega * m->omega;
    speed_for_spring(m, k);
    double v = m->use.speed, start = ref_chance(&m->dice, 0.6) ? v : 0.0;
    int block = add_mass(m, m->use.mass, 0.0, start);
    int on = add_support(m, REF_VELOCITY, flat(v));
    add_spring(m, REF_GROUND, block, k, m->use.mass);
    add_contact(m, block, on);
}

static void pull(maker *m) {
    double k = m->use.mass * m->omega * m->omega;
    speed_for_spring(m, k);
    int block = add_mass(m, m->use.mass, 0.0, 0.0);
    int hand = add_support(m, REF_VELOCITY, flat(m->use.speed));
    add_spring(m, block, hand, k, m->use.mass);
    add_contact(m, block, REF_GROUND);
}

/* Push a body with a force about its static level. */
static ref_signal push(maker *m, double *frequency) {
    double a = m->use.fs * ref_spread(&m->dice, 0.4, 4.0);
    *frequency = ref_spread(&m->dice, 1.0, 30.0) / m->r->end;
    m->use.speed = a / (m->use.mass * 2.0 * REF_PI * *frequency);
    double mean = ref_chance(&m->dice, 0.5) ? 0.0 : m->use.fc * ref_between(&m->dice, 0.0, 1.0);
    return sine(mean, a, *frequency, ref_between(&m->dice, 0.0, 6.28), 0.0);
}

static void force(maker *m) {
    double frequency, k = m->use.mass * m->omega * m->omega;
    int block = add_mass(m, m->use.mass, 0.0, 0.0);
    ref_signal s = push(m, &frequency);
    if (ref_chance(&m->dice, 0.5)) s.p[2] = 0.0;
    add_force(m, block, s);
    if (ref_chance(&m->dice, 0.6)) add_spring(m, REF_GROUND, block, k, m->use.mass);
    add_contact(m, block, REF_GROUND);
}

static void vibrating(maker *m) {
    double k = m->use.mass * m->omega * m->omega;
    speed_for_spring(m, k);
    double v = m->use.speed, a = v * ref_spread(&m->dice, 0.3, 10.0);
    double f = ref_spread(&m->dice, 5.0, 120.0) / m->r->end;
    double from = ref_chance(&m->dice, 0.3) ? 0.3 * m->r->end : 0.0;
    double phase = from > 0.0 ? 0.5 * REF_PI : ref_chance(&m->dice, 0.5) ? 0.0 : 1.0;
    int block = add_mass(m, m->use.mass, 0.0, 0.0);
    int hand = add_support(m, REF_VELOCITY, flat(v)), table;
    if (ref_chance(&m->dice, 0.7))
        table = add_support(m, REF_VELOCITY, sine(0.0, a, f, phase, from));
    else
        table = add_support(m, REF_POSITION, sine(0.0, a / (2.0 * REF_PI * f), f, 0.0, 0.0));
    add_spring(m, block, hand, k, m->use.mass);
    m->use.speed = v + a;
    add_contact(m, block, table);
}

static void moving(maker *m) {
    double grip = m->use.fs / m->use.mass, t = m->r->end;
    double v = fmin(grip * t * ref_spread(&m->dice, 0.02, 0.5), 5.0);
    double rise = v / grip * ref_spread(&m->dice, 0.2, 5.0);
    int block = add_mass(m, m->use.mass, 0.0, 0.0), table, way = ref_pick(&m->dice, 3);
    if (way == 0)
        table = add_support(m, REF_VELOCITY, trapezoid(m, v, rise));
    else if (way == 1)
        table = add_support(m, REF_VELOCITY,
                            (ref_signal){0.0, REF_RAMP, {v / (0.5 * t), 0.1 * t, 0.6 * t}});
    else
        table = add_support(m, REF_POSITION, sine(0.0, v * t / 20.0, 3.0 / t, 0.0, 0.0));
    m->use.speed = v;
    if (ref_chance(&m->dice, 0.5))
        add_spring(m, REF_GROUND, block, m->use.mass * m->omega * m->omega, m->use.mass);
    add_contact(m, block, table);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*make)(maker *m);
} kinds[] = {
    {"belt", belt}, {"pull", pull}, {"force", force}, {"vibrating", vibrating}, {"moving", moving},
};

/* A second body on a spring at the first one. */
static void trailer(maker *m) {
    double mass = m->use.mass * ref_spread(&m->dice, 0.2, 5.0);
    double w = m->omega * ref_spread(&m->dice, 0.5, 3.0);
    int b = add_mass(m, mass, 0.0, m->r->body[0].v);
    add_spring(m, 0, b, mass * w * w, mass);
    if (ref_chance(&m->dice, 0.6)) add_contact(m, b, m->r->contact[0].b);
}

void ref_rig_draw(ref_rig *r, unsigned long seed, long i) {
    maker m = {.dice = {seed * 0x9e3779b97f4a7c15u + (uint64_t)i * 0xd1342543de82ef95u}, .r = r};
    memset(r, 0, sizeof *r);
    ref_unit(&m.dice), ref_unit(&m.dice);
    int kind = ref_pick(&m.dice, sizeof kinds / sizeof *kinds);
    m.use.law = ref_pick(&m.dice, ref_law_count);
    r->kind = kinds[kind].name;
    r->end = ref_spread(&m.dice, 0.3, 10.0);
    m.use.time = r->end;
    m.use.mass = ref_spread(&m.dice, 0.1, 100.0);
    m.use.load = ref_spread(&m.dice, 1.0, 1000.0);
    m.use.loaded = ref_chance(&m.dice, 0.5);
    m.omega = ref_spread(&m.dice, 5.0, 60.0) / r->end;
    ref_draw_levels(&m.dice, &m.use);
    kinds[kind].make(&m);
    if (ref_chance(&m.dice, 0.25)) trailer(&m);
    r->speed = m.use.speed;
    r->length = m.use.speed * r->end / 10.0;
    snprintf(r->title, sizeof r->title, "referee rig %ld of seed %lu, %s, %s", i, seed, r->kind,
             ref_laws[m.use.law].name);
}
