/* draw_kinds.c - the kinds of rigs. Each is made from parts so that something happens: springs
 * reach the static level some times within the run, forces are about that level, supports
 * accelerate about as fast as friction can. */
#include "draw.h"
#include "laws.h"

#include <math.h>

/* ---- parts ---------------------------------------------------------------------------------- */

static int add_body(ref_maker *m, ref_body b) {
    m->r->body[m->r->n_bodies] = b;
    return m->r->n_bodies++;
}

static int add_mass(ref_maker *m, double mass, double x, double v) {
    return add_body(m, (ref_body){.mass = mass, .x = x, .v = v});
}

static int add_support(ref_maker *m, ref_motion motion, ref_signal s) {
    return add_body(m, (ref_body){.motion = motion, .signal = s});
}

static ref_coupling *add_coupling(ref_maker *m, ref_coupling c) {
    m->r->coupling[m->r->n_couplings] = c;
    return &m->r->coupling[m->r->n_couplings++];
}

/* A spring, with a damper beside it now and then. */
static ref_coupling *add_spring(ref_maker *m, int a, int b, double k) {
    ref_coupling c = {.kind = REF_SPRING, .a = a, .b = b, .stiffness = k};
    if (ref_chance(&m->dice, 0.3)) {
        c.kind = REF_SPRING_DAMPER;
        c.damping = 2.0 * sqrt(k * m->use.mass) * ref_spread(&m->dice, 0.01, 0.5);
    }
    return add_coupling(m, c);
}

static void add_contact(ref_maker *m, int a, int b) {
    ref_contact *c = &m->r->contact[m->r->n_contacts++];
    ref_draw_contact(&m->dice, &m->use, c);
    c->a = a, c->b = b;
}

static void add_force(ref_maker *m, int body, ref_signal s) {
    m->r->drive[m->r->n_drives++] = (ref_drive){body, s};
}

static ref_signal flat(double value) { return (ref_signal){.mean = value}; }

static ref_signal sine(double mean, double amplitude, double frequency, double phase, double from) {
    return (ref_signal){mean, REF_SINE, {amplitude, frequency, phase, from}};
}

/* A trapezoid of that height within the run. */
static ref_signal trapezoid(ref_maker *m, double height, double rise) {
    double t = m->r->end, from = t * ref_between(&m->dice, 0.02, 0.2);
    rise = fmin(rise, 0.25 * t);
    double until = from + rise * 2.0 + t * ref_between(&m->dice, 0.05, 0.4);
    return (ref_signal){0.0, REF_TRAPEZOID, {height, from, until, rise, rise}};
}

/* The stiffness of the main spring, and a speed at which it reaches the static level some times. */
static double main_spring(ref_maker *m) {
    double k = m->use.mass * m->omega * m->omega;
    double v = m->use.fs / (k * m->r->end * ref_spread(&m->dice, 0.02, 0.5));
    m->use.speed = fmin(fmax(v, 1e-4), m->top);
    return k;
}

/* A force about the static level; sets the speed that it gives. */
static ref_signal push(ref_maker *m) {
    double a = m->use.fs * ref_spread(&m->dice, 0.4, 4.0);
    double f = ref_spread(&m->dice, 1.0, 30.0) / m->r->end;
    double mean = ref_chance(&m->dice, 0.5) ? 0.0 : m->use.fc * ref_between(&m->dice, 0.0, 1.0);
    double phase = ref_chance(&m->dice, 0.5) ? 0.0 : ref_between(&m->dice, 0.0, 6.28);
    f = fmax(f, a / (m->use.mass * 2.0 * REF_PI * 2.0 * m->top));
    m->use.speed = a / (m->use.mass * 2.0 * REF_PI * f);
    return sine(mean, a, f, phase, 0.0);
}

/* ---- one body ------------------------------------------------------------------------------- */

static void belt(ref_maker *m) {
    double k = main_spring(m), v = m->use.speed;
    int block = add_mass(m, m->use.mass, 0.0, ref_chance(&m->dice, 0.6) ? v : 0.0);
    int on = add_support(m, REF_VELOCITY, flat(v));
    add_spring(m, REF_GROUND, block, k);
    add_contact(m, block, on);
}

static void pull(ref_maker *m) {
    double k = main_spring(m);
    int block = add_mass(m, m->use.mass, 0.0, 0.0);
    int hand = add_support(m, REF_VELOCITY, flat(m->use.speed));
    add_spring(m, block, hand, k);
    add_contact(m, block, REF_GROUND);
}

static void force(ref_maker *m) {
    double k = main_spring(m), at = 0.0;
    ref_signal s = push(m);
    if (ref_chance(&m->dice, 0.3)) at = m->use.fs / k * ref_between(&m->dice, -3.0, 3.0);
    int block = add_mass(m, m->use.mass, at, 0.0);
    add_force(m, block, s);
    if (at != 0.0 || ref_chance(&m->dice, 0.5)) add_spring(m, REF_GROUND, block, k);
    add_contact(m, block, REF_GROUND);
}

/* A support that swings, from the start on or later; its speed is added to that of the use. */
static int swinging(ref_maker *m, double v) {
    double a = v * ref_spread(&m->dice, 0.3, 10.0), t = m->r->end;
    double f = ref_spread(&m->dice, 5.0, 120.0) / t;
    double from = ref_chance(&m->dice, 0.3) ? 0.3 * t : 0.0;
    double phase = from > 0.0 ? 0.5 * REF_PI : ref_chance(&m->dice, 0.5) ? 0.0 : 1.0;
    m->use.speed = v + a;
    if (ref_chance(&m->dice, 0.7))
        return add_support(m, REF_VELOCITY, sine(0.0, a, f, phase, from));
    return add_support(m, REF_POSITION, sine(0.0, a / (2.0 * REF_PI * f), f, 0.0, 0.0));
}

static void vibrating(ref_maker *m) {
    double k = main_spring(m), v = m->use.speed;
    int block = add_mass(m, m->use.mass, 0.0, 0.0);
    int hand = add_support(m, REF_VELOCITY, flat(v)), table = swinging(m, v);
    add_spring(m, block, hand, k);
    add_contact(m, block, table);
}

/* A support that starts and stops; its speed becomes that of the use. */
static int starting(ref_maker *m) {
    double grip = m->use.fs / m->use.mass, t = m->r->end;
    double v = fmin(grip * t * ref_spread(&m->dice, 0.02, 0.5), 2.5 * m->top);
    double rise = v / grip * ref_spread(&m->dice, 0.2, 5.0);
    m->use.speed = v;
    switch (ref_pick(&m->dice, 3)) {
    case 0:
        return add_support(m, REF_VELOCITY, trapezoid(m, v, rise));
    case 1:
        return add_support(m, REF_VELOCITY,
                           (ref_signal){0.0, REF_RAMP, {v / (0.5 * t), 0.1 * t, 0.6 * t}});
    default:
        return add_support(m, REF_POSITION, sine(0.0, v * t / 20.0, 3.0 / t, 0.0, 0.0));
    }
}

static void moving(ref_maker *m) {
    double k = m->use.mass * m->omega * m->omega;
    int block = add_mass(m, m->use.mass, 0.0, 0.0), table = starting(m);
    if (ref_chance(&m->dice, 0.5))
        add_spring(m, REF_GROUND, block, k);
    else if (ref_chance(&m->dice, 0.4))
        add_coupling(m, (ref_coupling){.kind = REF_DAMPER,
                                       .a = REF_GROUND,
                                       .b = block,
                                       .damping = m->use.mass * m->omega * 0.3});
    add_contact(m, block, table);
}

/* Forces with corners and jumps. */
static void pulses(ref_maker *m) {
    double k = main_spring(m), t = m->r->end, a = m->use.fs * ref_spread(&m->dice, 0.6, 4.0);
    double width = t * ref_spread(&m->dice, 0.003, 0.1), ratio = ref_between(&m->dice, 1.5, 10.0);
    int block = add_mass(m, m->use.mass, 0.0, 0.0);
    ref_signal train = {0.0, REF_PULSES, {a, 0.05 * t, width, width * ratio}};
    ref_signal ramp = {0.0, REF_RAMP, {a / (0.5 * t), 0.1 * t, 0.6 * t}};
    int way = ref_pick(&m->dice, 4);
    add_force(m, block, way < 2 ? train : way == 2 ? trapezoid(m, a, width) : ramp);
    if (way == 0) add_force(m, block, flat(m->use.fc * ref_between(&m->dice, -0.9, 0.9)));
    m->use.speed = a / m->use.mass * (way < 2 ? width : 0.1 * t);
    if (ref_chance(&m->dice, 0.6)) add_spring(m, REF_GROUND, block, k);
    add_contact(m, block, REF_GROUND);
}

/* ---- loads that vary ------------------------------------------------------------------------ */

static void one_body(ref_maker *m) {
    static void (*const make[])(ref_maker *) = {belt, pull, force, vibrating, moving};
    make[ref_pick(&m->dice, 5)](m);
}

/* Give every contact a load that varies by that share of its mean. */
static void vary_loads(ref_maker *m, double share, double most_cycles) {
    double t = m->r->end, f = ref_spread(&m->dice, 1.0, most_cycles) / t;
    for (int i = 0; i < m->r->n_contacts; i++) {
        ref_contact *c = &m->r->contact[i];
        double n = c->load.mean, phase = ref_between(&m->dice, 0.0, 6.28);
        if (ref_chance(&m->dice, 0.7))
            c->load = sine(n, share * n, f, phase, 0.0);
        else
            c->load = trapezoid(m, -share * n, t * ref_between(&m->dice, 0.01, 0.2));
        c->load.mean = n;
        c->p[REF_I] = fmax(c->p[REF_I], 1.0); /* below 1 a falling load would be an event */
    }
}

/* Laws of which the papers do not say what a varying load does to them give way to LuGre. */
static void law_for_loads(ref_maker *m, int in_the_air) {
    int law = m->use.law;
    m->use.loaded = 1;
    if (law == ref_law_find("reset_integrator") ||
        (in_the_air && law == ref_law_find("bristle_second_order")))
        m->use.law = ref_law_find("lugre");
}

static void wavy(ref_maker *m) {
    law_for_loads(m, 0);
    one_body(m);
    vary_loads(m, ref_between(&m->dice, 0.1, 0.95), 40.0);
}

static void lifting(ref_maker *m) {
    law_for_loads(m, 1);
    one_body(m);
    vary_loads(m, ref_between(&m->dice, 1.02, 2.0), 10.0);
}

/* ---- more bodies ---------------------------------------------------------------------------- */

void ref_add_trailer(ref_maker *m) {
    double mass = m->use.mass * ref_spread(&m->dice, 0.2, 5.0), gap = 0.5;
    double w = m->omega * ref_spread(&m->dice, 0.5, 3.0);
    int b = add_mass(m, mass, m->r->body[0].x + gap, m->r->body[0].v);
    m->use.mass = mass;
    add_spring(m, 0, b, mass * w * w)->length = gap;
    if (ref_chance(&m->dice, 0.6)) add_contact(m, b, m->r->contact[0].b);
}

/* Another law for the next contact, now and then. */
static void maybe_other_law(ref_maker *m) {
    if (ref_chance(&m->dice, 0.1)) m->use.law = ref_pick(&m->dice, ref_law_count);
}

/* Blocks in a row on one plane, pulled at the end, pushed, or on a belt and held. */
static void chain(ref_maker *m) {
    int n = 2 + ref_pick(&m->dice, 3), way = ref_pick(&m->dice, 3), plane = REF_GROUND;
    double k = main_spring(m), v = m->use.speed, gap = 0.1;
    for (int i = 0; i < n; i++)
        add_mass(m, m->use.mass * ref_spread(&m->dice, 0.5, 2.0), i * gap, way == 1 ? v : 0.0);
    if (way == 0) {
        int hand = add_support(m, REF_VELOCITY, flat(v));
        m->r->body[hand].x = n * gap;
        add_spring(m, n - 1, hand, k)->length = gap;
    } else if (way == 1) {
        plane = add_support(m, REF_VELOCITY, flat(v));
        add_spring(m, REF_GROUND, 0, k);
    } else {
        add_force(m, n - 1, push(m));
        add_spring(m, REF_GROUND, 0, k);
    }
    for (int i = 0; i + 1 < n; i++)
        add_spring(m, i, i + 1, k * ref_spread(&m->dice, 0.5, 5.0))->length = gap;
    for (int i = 0; i < n; i++) {
        add_contact(m, i, plane);
        maybe_other_law(m);
    }
}

/* Blocks on top of each other, the lowest on a plane that rests, swings or starts. */
static void stack(ref_maker *m) {
    int n = 2 + ref_pick(&m->dice, 2), way = ref_pick(&m->dice, 4), plane = REF_GROUND;
    double k = main_spring(m), v = m->use.speed, fc = m->use.fc, fs = m->use.fs, n1 = m->use.load;
    for (int i = 0; i < n; i++) add_mass(m, m->use.mass * ref_spread(&m->dice, 0.5, 2.0), 0.0, 0.0);
    if (way == 0) plane = swinging(m, v);
    if (way == 1) plane = starting(m);
    if (way == 2) add_force(m, ref_pick(&m->dice, n), push(m));
    if (way == 3) add_spring(m, n - 1, add_support(m, REF_VELOCITY, flat(v)), k);
    if (way < 3 && ref_chance(&m->dice, 0.7)) add_spring(m, REF_GROUND, 0, k);
    for (int i = 0; i < n; i++) {
        double more = 1.0 + i; /* the lower ones bear those above */
        m->use.fc = fc * more, m->use.fs = fs * more, m->use.load = n1 * more;
        add_contact(m, i, i + 1 < n ? i + 1 : plane);
        maybe_other_law(m);
    }
}

/* Ropes that go slack: drawn by a hand, or caught after a throw. */
static void rope(ref_maker *m) {
    double k = main_spring(m), v = m->use.speed, slack = v * m->r->end * 0.05;
    int caught = ref_chance(&m->dice, 0.4);
    ref_coupling c = {.kind = REF_ROPE, .stiffness = k, .length = slack};
    c.damping = ref_chance(&m->dice, 0.3)
                    ? 0.0
                    : 2.0 * sqrt(k * m->use.mass) * ref_spread(&m->dice, 0.01, 1.0);
    if (caught)
        v = m->use.speed = m->use.fs / m->use.mass * m->r->end * ref_between(&m->dice, 0.1, 0.6);
    int block = add_mass(m, m->use.mass, 0.0, caught ? v : 0.0);
    c.a = caught ? REF_GROUND : block, c.b = block;
    if (!caught) c.b = add_support(m, REF_VELOCITY, flat(v));
    if (caught) c.length = v * m->r->end * ref_between(&m->dice, 0.02, 0.2);
    add_coupling(m, c);
    add_contact(m, block, REF_GROUND);
    if (ref_chance(&m->dice, 0.4)) { /* one more behind it, on a rope too */
        int b = add_mass(m, m->use.mass, 0.0, 0.0);
        add_coupling(m, (ref_coupling){REF_ROPE, b, block, 2.0 * k, c.damping, 0.5 * c.length});
        if (ref_chance(&m->dice, 0.6)) add_contact(m, b, REF_GROUND);
    }
}

/* Any of these with bodies that turn. */
static void rotor(ref_maker *m) {
    static void (*const make[])(ref_maker *) = {belt, pull, force, vibrating, moving, pulses};
    double scale = ref_spread(&m->dice, 1e-3, 0.1);
    m->r->rotor = 1;
    m->use.mass *= scale, m->use.load *= scale, m->use.fc *= scale, m->use.fs *= scale;
    m->top = 20.0;
    make[ref_pick(&m->dice, 6)](m);
}

const ref_kind ref_kinds[] = {
    {"belt", belt, 1},     {"pull", pull, 1},     {"force", force, 1}, {"vibrating", vibrating, 1},
    {"moving", moving, 1}, {"pulses", pulses, 1}, {"wavy", wavy, 0},   {"lifting", lifting, 0},
    {"chain", chain, 0},   {"stack", stack, 0},   {"rope", rope, 0},   {"rotor", rotor, 1},
};
const int ref_kind_count = sizeof ref_kinds / sizeof *ref_kinds;
