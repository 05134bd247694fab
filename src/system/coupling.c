/* coupling.c - forces between two bodies along the line that joins them. */
#include "kinds.h"
#include <math.h>
#include <string.h>

/* ---- spring, damper and both ------------------------------------------------------------ */

enum { STIFFNESS, LENGTH, DAMPING };

#define ROW_STIFFNESS                                                                              \
    { "stiffness", "N/m", 0.0, 0.0, 1e15, "stiffness", NULL, 0 }
#define ROW_LENGTH                                                                                 \
    { "length", "m", 0.0, -1e9, 1e9, "length at which it carries no force", NULL, 0 }
#define ROW_DAMPING                                                                                \
    { "damping", "N s/m", 0.0, 0.0, 1e12, "damping coefficient", NULL, 0 }

static const bri_param spring_params[] = {ROW_STIFFNESS, ROW_LENGTH};
static const bri_param damper_params[] = {ROW_DAMPING};
static const bri_param both_params[] = {ROW_STIFFNESS, ROW_LENGTH, ROW_DAMPING};

static double spring_tension(const double *p, double L, double rate, double *by_L,
                             double *by_rate) {
    *by_L = p[STIFFNESS];
    *by_rate = 0.0;
    return p[STIFFNESS] * (L - p[LENGTH]);
}

static double spring_energy(const double *p, double L) {
    return 0.5 * p[STIFFNESS] * (L - p[LENGTH]) * (L - p[LENGTH]);
}

static double damper_tension(const double *p, double L, double rate, double *by_L,
                             double *by_rate) {
    *by_L = 0.0;
    *by_rate = p[0];
    return p[0] * rate;
}

static double damper_dissipation(const double *p, double L, double rate) {
    return p[0] * rate * rate;
}

static double both_tension(const double *p, double L, double rate, double *by_L, double *by_rate) {
    double spring = spring_tension(p, L, rate, by_L, by_rate);
    *by_rate = p[DAMPING];
    return spring + p[DAMPING] * rate;
}

static double both_dissipation(const double *p, double L, double rate) {
    return p[DAMPING] * rate * rate;
}

/* ---- rope: pulls only; its damping is limited to the elastic part (Rill section 5.1) ---- */

enum { SLACK, TAUT, LIMITED_OUT, LIMITED_IN }; /* damping = +-elastic where limited */

static int rope_piece(const double *p, double L, double rate) {
    double elastic = p[STIFFNESS] * (L - p[LENGTH]), damping = p[DAMPING] * rate;
    if (elastic <= 0.0) return SLACK;
    return damping >= elastic ? LIMITED_OUT : damping <= -elastic ? LIMITED_IN : TAUT;
}

static double rope_tension(const double *p, double L, double rate, double *by_L, double *by_rate) {
    double elastic = p[STIFFNESS] * (L - p[LENGTH]), damping = p[DAMPING] * rate;
    int piece = rope_piece(p, L, rate);
    *by_L = *by_rate = 0.0;
    if (piece == SLACK || piece == LIMITED_IN) return 0.0;
    *by_L = piece == TAUT ? p[STIFFNESS] : 2.0 * p[STIFFNESS];
    if (piece == LIMITED_OUT) return 2.0 * elastic;
    *by_rate = p[DAMPING];
    return elastic + damping;
}

static double rope_energy(const double *p, double L) {
    return L > p[LENGTH] ? spring_energy(p, L) : 0.0;
}

static double rope_dissipation(const double *p, double L, double rate) {
    double by_L, by_rate, elastic = fmax(p[STIFFNESS] * (L - p[LENGTH]), 0.0);
    return (rope_tension(p, L, rate, &by_L, &by_rate) - elastic) * rate;
}

/* ---- gears: the second body follows the first, or the other way round, see gears.c ------- */

static const bri_param gear_params[] = {
    {"ratio", "1", 1.0, -1e9, 1e9, "turns of the first for one of the second; < 0: it turns back",
     NULL, 0},
};
static const bri_param rack_params[] = {
    {"radius", "m", 1.0, -1e9, 1e9, "way of the mass for one radian; < 0: it goes back", NULL, 0},
};

static const char *check_gear(const double *p) {
    return fabs(p[0]) >= 1e-9 ? NULL : "the ratio of a gear must not be zero";
}

static double gear_ratio(const double *p) { return 1.0 / p[0]; }
static double rack_ratio(const double *p) { return p[0]; }

static double no_tension(const double *p, double L, double rate, double *by_L, double *by_rate) {
    *by_L = *by_rate = 0.0;
    return 0.0;
}

/* ---- the table of kinds ----------------------------------------------------------------- */

#define ROWS(params) (params), (int)(sizeof(params) / sizeof *(params))

const bri_coupling_kind bri_coupling_kinds[] = {
    {"spring", "linear spring", ROWS(spring_params), NULL, spring_tension, spring_energy, NULL, 1,
     NULL, NULL, 0},
    {"damper", "viscous damper", ROWS(damper_params), NULL, damper_tension, NULL,
     damper_dissipation, 1, NULL, NULL, 0},
    {"spring_damper", "spring and damper in parallel", ROWS(both_params), NULL, both_tension,
     spring_energy, both_dissipation, 1, NULL, NULL, 0},
    {"rope", "rope: pulls only, damping limited to the elastic part", ROWS(both_params), NULL,
     rope_tension, rope_energy, rope_dissipation, 0, rope_piece, NULL, 0},
    {"gear", "gear between two rotors, without play: they turn as one", ROWS(gear_params),
     check_gear, no_tension, NULL, NULL, 0, NULL, gear_ratio, 0},
    {"rack", "rack and pinion between a rotor and a mass, without play", ROWS(rack_params),
     check_gear, no_tension, NULL, NULL, 0, NULL, rack_ratio, 1},
};

int bri_coupling_count(void) {
    return (int)(sizeof bri_coupling_kinds / sizeof *bri_coupling_kinds);
}

const bri_coupling_kind *bri_coupling_at(int i) {
    return i >= 0 && i < bri_coupling_count() ? &bri_coupling_kinds[i] : NULL;
}

const bri_coupling_kind *bri_coupling_find(const char *name) {
    for (int i = 0; i < bri_coupling_count(); i++)
        if (strcmp(bri_coupling_kinds[i].name, name) == 0) return &bri_coupling_kinds[i];
    return NULL;
}

bri_coupling bri_coupling_defaults(const bri_coupling_kind *kind, int a, int b) {
    bri_coupling c = {.kind = kind, .a = a, .b = b};
    for (int i = 0; i < kind->n_params; i++) c.p[i] = kind->params[i].def;
    return c;
}
