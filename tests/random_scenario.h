/* random_scenario.h - scenario files made at random: every kind of body, coupling, signal, law,
 * load and solver, expressions, arrays, values in several units, mostly of a reasonable size and
 * now and then not. The same seed gives the same text. */
#ifndef BRI_TEST_RANDOM_SCENARIO_H
#define BRI_TEST_RANDOM_SCENARIO_H

#include "bristle_sim.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SCENARIO_BODIES = 5 };

typedef struct author {
    char text[30000];
    size_t used;
    uint64_t state;
    int n_bodies;
    char kind[SCENARIO_BODIES]; /* m: mass, r: rotor, p: point, b: a belt of prescribed motion */
    int size[SCENARIO_BODIES];  /* members of an array; 1: none */
    int rotary;                 /* bodies are rotors; now and then one is not */
    int scale;                  /* how far values stray, in powers of ten */
} author;

static inline double dice(author *a) { /* within (0, 1) */
    a->state += 0x9e3779b97f4a7c15u;
    uint64_t z = a->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}
static inline int dice_to(author *a, int n) { return (int)(dice(a) * n); }

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline void
put(author *a, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    int n = vsnprintf(a->text + a->used, sizeof a->text - a->used, format, rest);
    va_end(rest);
    if (n > 0 && a->used + (size_t)n < sizeof a->text) a->used += (size_t)n;
}

/* About `usual`; one in 300 is odd. */
static inline double value(author *a, double usual) {
    static const double odd[] = {0.0, -1.0, 1e-12, 1e12, 1e-300, 1e300, 1e-5, 1e5, -1e-9};
    if (dice_to(a, 300) == 0) return odd[dice_to(a, (int)(sizeof odd / sizeof *odd))];
    return usual * pow(10.0, a->scale * (dice(a) - 0.5));
}

static inline void put_value(author *a, double usual, const char *unit) {
    static const struct {
        const char *unit, *other;
        double factor; /* one unit is so many of the other */
    } others[] = {
        {"m", "mm", 1e3},      {"m/s", "mm/s", 1e3}, {"kg", "g", 1e3},
        {"N", "kN", 1e-3},     {"s", "ms", 1e3},     {"Hz", "1/min", 60.0},
        {"N/m", "N/mm", 1e-3}, {"m/s", "km/h", 3.6}, {"rad", "degree", 57.29577951308232}};
    double x = value(a, usual);
    int i = dice_to(a, (int)(sizeof others / sizeof *others)), bare = dice_to(a, 6) == 0;
    if (strcmp(others[i].unit, unit) == 0)
        put(a, "%.9g %s", x * others[i].factor, others[i].other);
    else if (bare || strcmp(unit, "1") == 0)
        put(a, "%.9g", x);
    else
        put(a, "%.9g %s", x, unit);
}

/* ---- signals --------------------------------------------------------------------------------- */

static inline void put_signal(author *a, double usual, const char *unit, int depth);

static inline void put_points(author *a, double usual) {
    int n = 2 + dice_to(a, 5);
    put(a, "{t: [");
    for (int i = 0; i < n; i++) put(a, "%s%.3g", i ? ", " : "", 0.2 * i + 0.1 * dice(a));
    put(a, "], y: [");
    for (int i = 0; i < n; i++) put(a, "%s%.4g", i ? ", " : "", value(a, usual));
    put(a, "]}");
}

static inline void put_kind(author *a, const bri_signal_kind *kind, double usual,
                            const char *unit) {
    int given = 0;
    put(a, "{");
    for (int i = 0; i < kind->n_params; i++) {
        const bri_param *p = &kind->params[i];
        if (i > 0 && dice_to(a, 2)) continue;
        put(a, "%s%s: ", given++ ? ", " : "", p->name);
        if (p->whole)
            put(a, "%d", 1 + dice_to(a, 20));
        else if (strcmp(p->unit, "=") == 0)
            put_value(a, usual, unit);
        else if (strcmp(p->unit, "=/s") == 0)
            put(a, "%.5g", value(a, usual));
        else
            put_value(a, p->def > 0.0 && isfinite(p->def) ? p->def : 0.5, p->unit);
    }
    put(a, "}");
}

static inline void put_signal(author *a, double usual, const char *unit, int depth) {
    const bri_signal_kind *kind = bri_signal_at(dice_to(a, bri_signal_count()));
    if (dice_to(a, 3) == 0 || (depth > 1 && kind->holds >= BRI_PARTS)) {
        put_value(a, usual, unit);
        return;
    }
    put(a, "{%s: ", kind->name);
    if (kind->holds == BRI_POINTS) {
        put_points(a, usual);
    } else if (kind->holds == BRI_ONLY_PARAMS) {
        put_kind(a, kind, usual, unit);
    } else {
        int n = 1 + dice_to(a, 3);
        put(a, "[");
        for (int i = 0; i < n; i++) {
            if (i) put(a, ", ");
            if (kind->holds == BRI_FACTORS && i > 0)
                put_signal(a, 1.0, "1", depth + 1);
            else
                put_signal(a, usual, unit, depth + 1);
        }
        put(a, "]");
    }
    put(a, "}");
}

/* An expression of the element's own motion, of time, the parameter p0 and the signal s0, with
 * corners and jumps; force: "N" or "N m". */
static inline void put_expression(author *a, double usual, const char *force, int turning) {
    const char *x = turning ? "x" : "x/(1 m)", *v = turning ? "v/(1 rad/s)" : "v/(1 m/s)";
    double one = value(a, usual), two = value(a, usual), rate = value(a, 5.0);
    switch (dice_to(a, 7)) {
    case 0:
        put(a, "\"%.5g %s*sin(%.4g*%s)\"", one, force, rate, x);
        break;
    case 1:
        put(a, "\"%.5g %s - %.5g %s*%s\"", one, force, two, force, v);
        break;
    case 2:
        put(a, "\"clamp(%.5g %s*(s0 - p0*%s + s0'*(1 s) - %s), %.5g %s)\"", one, force, x, v, two,
            force);
        break;
    case 3:
        put(a, "\"if(t > %.4g s, %.5g %s, -%.5g %s*sign(%s))\"", dice(a), one, force, two, force,
            x);
        break;
    case 4:
        put(a, "\"max(0 %s, %.5g %s*(1 - %.4g*%s))\"", force, one, force, rate, x);
        break;
    case 5:
        put(a, "\"%.5g %s*min(abs(%s), 2)*tanh(%.4g*%s)\"", one, force, v, rate, x);
        break;
    default:
        put(a, "\"%.5g %s*(1.5 + cos(%.4g 1/s*t))*p0\"", one, force, rate);
    }
}

/* An expression of time, for a motion that is prescribed. */
static inline void put_timed(author *a, double usual, const char *unit) {
    double one = value(a, usual), two = value(a, 0.5), rate = value(a, 5.0);
    switch (dice_to(a, 4)) {
    case 0:
        put(a, "\"%.5g %s*(1 + %.4g*sin(%.4g 1/s*t))\"", one, unit, two, rate);
        break;
    case 1:
        put(a, "\"%.5g %s*min(t/(%.4g s), 1)*p0\"", one, unit, two);
        break;
    case 2:
        put(a, "\"%.5g %s*abs(sin(%.4g 1/s*t))\"", one, unit, rate);
        break;
    default:
        put(a, "\"%.5g %s*(s0 + (t/(1 s))^2)\"", one, unit);
    }
}

/* ---- elements -------------------------------------------------------------------------------- */

static inline const char *turns(char kind, const char *straight, const char *turning) {
    return kind == 'r' ? turning : straight;
}

static inline void put_body(author *a, int i) {
    static const char kinds[] = "mmmmmmpb";
    char kind = kinds[dice_to(a, i > 0 ? 8 : 6)];
    if (kind != 'b' && a->rotary != (dice_to(a, 50) == 0)) kind = 'r';
    a->kind[i] = kind;
    a->size[i] = 1;
    put(a, "  b%d: {", i);
    if (kind == 'b') {
        int velocity = dice_to(a, 3);
        if (a->rotary) put(a, "kind: rotor, ");
        put(a, "%s: ", velocity ? "velocity" : "position");
        const char *unit = a->rotary ? (velocity ? "rad/s" : "rad") : velocity ? "m/s" : "m";
        if (dice_to(a, 5))
            put_signal(a, 0.1, unit, 0);
        else
            put_timed(a, 0.1, unit);
    } else {
        put(a, kind == 'r' ? "inertia: " : kind == 'p' ? "kind: point, mass: " : "mass: ");
        put_value(a, 1.0, kind == 'r' ? "kg m2" : "kg");
        if (dice_to(a, 20) == 0) {
            a->size[i] = 2 + dice_to(a, dice_to(a, 10) ? 4 : 20);
            put(a, ", repeat: %d, spacing: %.3g", a->size[i], 0.1 * dice(a));
        }
    }
    if (kind != 'b' && dice_to(a, 2)) {
        put(a, ", x: ");
        put_value(a, 0.1, turns(kind, "m", "rad"));
    }
    if (kind != 'b' && dice_to(a, 2)) {
        put(a, ", v: ");
        put_value(a, 0.3, turns(kind, "m/s", "rad/s"));
    }
    if (kind == 'p') put(a, ", z: %.3g", -dice(a));
    put(a, "}\n");
}

/* Another end for body i: the ground, or one that mostly fits. */
static inline void put_end(author *a, int i, int may_be_point) {
    int k = dice_to(a, a->n_bodies + 1) - 1;
    if (k >= 0 && a->kind[k] == 'p' && !may_be_point && dice_to(a, 30)) k = -1;
    if (k < 0 || (k == i && a->size[i] == 1))
        put(a, "ground");
    else if (k == i)
        put(a, "b%d.next", i);
    else
        put(a, "b%d%s", k, a->size[k] > 1 && dice_to(a, 2) ? ".first" : "");
}

static inline void put_coupling(author *a, int number) {
    const bri_coupling_kind *kind = bri_coupling_at(dice_to(a, bri_coupling_count()));
    static const double usual[] = {1000.0, 0.1, 5.0};
    int i = dice_to(a, a->n_bodies), turning = a->kind[i] == 'r';
    while (kind->ratio && !turning && dice_to(a, 40)) /* most gears join rotors */
        kind = bri_coupling_at(dice_to(a, bri_coupling_count()));
    put(a, "  c%d: {%s: [b%d, ", number, kind->name, i);
    put_end(a, i, 1);
    put(a, "]");
    if (!kind->ratio && dice_to(a, 12) == 0) {
        put(a, ", tension: \"%.5g %s*L + %.4g %s*abs(L')*L'*(1 s)\"}\n", value(a, 1000.0),
            turning ? "N m" : "N/m", value(a, 1.0), turning ? "N m s" : "N s/m^2");
        return;
    }
    for (int k = 0; k < kind->n_params; k++) {
        const char *name = kind->params[k].name;
        double size = strcmp(name, "stiffness") == 0 ? usual[0]
                      : strcmp(name, "length") == 0  ? usual[1]
                                                     : usual[2];
        if (k > 0 && dice_to(a, 3) == 0) continue;
        put(a, ", %s: ", name);
        put_value(a, size, turning ? "1" : kind->params[k].unit);
    }
    put(a, "}\n");
}

static inline void put_contact(author *a, int number) {
    const bri_model *m = bri_model_at(dice_to(a, bri_model_count()));
    int i = dice_to(a, a->n_bodies), forces = dice_to(a, 4) == 0;
    for (int k = 0; k < 20 && a->kind[i] == 'p'; k++) i = dice_to(a, a->n_bodies);
    double level = forces ? value(a, 5.0) : value(a, 0.3);
    put(a, "  k%d: {between: [b%d, ", number, i);
    put_end(a, i, 0);
    put(a, "], model: %s", m->name);
    if (!forces) {
        put(a, ", load: ");
        if (dice_to(a, 8) == 0)
            put_expression(a, 10.0, turns(a->kind[i], "N", "N m"), a->kind[i] == 'r');
        else if (dice_to(a, 6) == 0)
            put(a, "reaction");
        else if (dice_to(a, 3) == 0)
            put_signal(a, 10.0, turns(a->kind[i], "N", "N m"), 0);
        else
            put_value(a, 10.0, turns(a->kind[i], "N", "N m"));
    }
    for (int k = 0; k < m->n_params; k++) {
        const bri_param *p = &m->params[k];
        if (p->force) { /* levels rise in the order of the table */
            if (!forces && dice_to(a, 25) == 0)
                put(a, ", %s: %.6g*(1 + 0.1*tanh(%s))", p->name, level,
                    a->kind[i] == 'r' ? "x" : "x/(1 m)");
            else
                put(a, ", %s: %.6g", forces ? p->force : p->name, level);
            level *= 1.0 + dice(a);
        } else if (p->whole) {
            if (dice_to(a, 8) == 0) put(a, ", %s: %d", p->name, dice_to(a, 3));
        } else if (dice_to(a, 3)) {
            put(a, ", %s: ", p->name);
            double near = fmin(fmax(p->def * pow(10.0, 0.3 * (dice(a) - 0.5)), p->min), p->max);
            if (strcmp(p->unit, "1") == 0 && dice_to(a, 30))
                put(a, "%.6g", near);
            else
                put_value(a, p->def, a->kind[i] == 'r' ? "1" : p->unit);
        }
    }
    if (dice_to(a, 15) == 0) put(a, ", stochastic: {A: 0.05, f: 20 Hz}");
    put(a, "}\n");
}

static inline void put_run(author *a) {
    double until = pow(10.0, dice(a) * 1.5 - 1.0);
    put(a, "run: {until: %.4g s, output: %.4g s, max_steps: 1000", until, until / 50.0);
    const bri_solver *s = bri_solver_at(dice_to(a, bri_solver_count()));
    if (dice_to(a, 2)) {
        put(a, ", solver: %s", bri_solver_name(s));
        if (bri_solver_fixed_step(s))
            put(a, ", step: %.4g s", until * pow(10.0, -1.0 - 2.5 * dice(a)));
    }
    if (dice_to(a, 2)) put(a, ", rtol: %.3g", pow(10.0, -1.0 - 9.0 * dice(a)));
    put(a, "}\n");
}

/* One wound in the text: a piece left out, doubled, or other letters. */
static inline void damage(author *a) {
    static const char letters[] = "{}[]:,-'\"#&*!|> \n\tx0.e";
    size_t at = (size_t)(dice(a) * (double)a->used), n = 1 + (size_t)dice_to(a, 12);
    if (at + n > a->used) return;
    if (dice_to(a, 3) == 0) {
        memmove(a->text + at, a->text + at + n, a->used - at - n);
        a->used -= n;
    } else {
        for (size_t i = 0; i < n && dice_to(a, 2); i++)
            a->text[at + i] = letters[dice_to(a, (int)sizeof letters - 1)];
    }
    a->text[a->used] = '\0';
}

/* The scenario of that seed; one in ten is damaged. */
static inline void scenario_write(author *a, uint64_t seed) {
    static const char *const parts[] = {"couplings", "contacts", "drives"};
    memset(a, 0, sizeof *a);
    a->state = seed * 0xd1342543de82ef95u + 1;
    a->n_bodies = 1 + dice_to(a, SCENARIO_BODIES);
    a->scale = 1 + dice_to(a, 3);
    a->rotary = dice_to(a, 8) == 0;
    put(a, "title: Scenario %llu\nparameters: {p0: %.4g}\nsignals: {s0: ", (unsigned long long)seed,
        value(a, 2.0));
    put_signal(a, 0.5, "1", 0);
    put(a, "}\nbodies:\n");
    for (int i = 0; i < a->n_bodies; i++) put_body(a, i);
    for (int part = 0; part < 3; part++) {
        int n = part == 2 ? dice_to(a, 2) : dice_to(a, 5);
        if (part == 1 && n == 0) n = 1;
        if (n > 0) put(a, "%s:\n", parts[part]);
        for (int i = 0; i < n; i++) {
            if (part == 0) put_coupling(a, i);
            if (part == 1) put_contact(a, i);
            if (part == 2) {
                int b = dice_to(a, a->n_bodies);
                if (a->kind[b] == 'b') b = 0; /* the first is never prescribed */
                put(a, "  d%d: {on: b%d, %s: ", i, b, turns(a->kind[b], "force", "torque"));
                if (dice_to(a, 3) == 0)
                    put_expression(a, 3.0, turns(a->kind[b], "N", "N m"), a->kind[b] == 'r');
                else
                    put_signal(a, 3.0, turns(a->kind[b], "N", "N m"), 0);
                put(a, "}\n");
            }
        }
    }
    if (dice_to(a, 8) == 0) put(a, "gravity: %.4g\n", value(a, 9.81));
    put_run(a);
    if (dice_to(a, 10) == 0) damage(a);
}

#endif
