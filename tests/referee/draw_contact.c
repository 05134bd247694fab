/* draw_contact.c - dice, and parameters of a contact over the ranges of engineering, as stiff as an
 * explicit method can bear. */
#include "draw.h"
#include "laws.h"

#include <math.h>

double ref_unit(ref_dice *d) { /* splitmix64 */
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double ref_between(ref_dice *d, double lo, double hi) { return lo + (hi - lo) * ref_unit(d); }

double ref_spread(ref_dice *d, double lo, double hi) { return lo * pow(hi / lo, ref_unit(d)); }

int ref_pick(ref_dice *d, int n) { return (int)(n * ref_unit(d)); }

int ref_chance(ref_dice *d, double p) { return ref_unit(d) < p; }

void ref_draw_levels(ref_dice *d, ref_use *u) {
    u->fc = u->load * ref_spread(d, 0.05, 0.8);
    u->fs = u->fc * (ref_chance(d, 0.15) ? 1.0 : ref_between(d, 1.0, 2.0));
}

/* Bristles: relaxing at `rate` in sliding, damping from hardly any to more than critical. */
static void bristles(ref_dice *d, const ref_use *u, double rate, double *p) {
    double way = fmin(1e-3 * u->speed * u->time, 0.05); /* far below the way that is slid */
    p[REF_SIGMA0] = fmax(rate * u->fc / u->speed, u->fc / way);
    p[REF_SIGMA1] = 2.0 * sqrt(p[REF_SIGMA0] * u->mass) * ref_spread(d, 1e-3, 1.5);
    p[REF_SIGMA2] = ref_chance(d, 0.5) ? 0.0 : u->fc / u->speed * ref_spread(d, 1e-3, 0.3);
    p[REF_ZBA] = u->fc / p[REF_SIGMA0] * ref_between(d, 0.2, 0.9);
    p[REF_DELTA] = u->fc / p[REF_SIGMA0];
    p[REF_ETA] = ref_between(d, 0.05, 0.5);
    p[REF_EPS] = p[REF_DELTA] / p[REF_ETA];
    p[REF_TAU_DW] = u->time * ref_spread(d, 1e-3, 0.3);
    p[REF_TAU_DEL] = u->time * ref_spread(d, 1e-3, 0.03);
    p[REF_TAU_R] = u->time * ref_spread(d, 1e-3, 0.03);
}

/* Widths of smoothing: not so small that the slope is beyond `rate`, nor as wide as the motion. */
static void widths(ref_dice *d, const ref_use *u, double rate, double *p) {
    double least = u->fs / (u->mass * rate), w = fmax(u->speed * ref_spread(d, 1e-3, 0.1), least);
    w = fmin(w, 0.3 * u->speed);
    p[REF_K] = 1.0 / w;
    p[REF_VR] = p[REF_VT] = p[REF_VE] = p[REF_VD] = w;
    p[REF_B] = ref_between(d, 0.2, 1.0) / w;
    p[REF_CC] = ref_between(d, 1.0, 1.7);
    p[REF_E] = 0.0;
}

/* Shape of the Stribeck curve and of the other curves. */
static void shapes(ref_dice *d, const ref_use *u, double *p) {
    static const double gamma[] = {0.5, 1.0, 1.0, 1.0, 1.5, 2.0, 2.0, 2.0, 2.0};
    static const double dahl[] = {1.0, 1.0, 1.0, 1.5, 2.0, 0.5, 0.0, 1.0};
    p[REF_VS] = ref_chance(d, 0.5) ? u->speed * ref_spread(d, 1e-3, 1.0) : ref_spread(d, 1e-4, 0.1);
    p[REF_VS] = fmin(fmax(p[REF_VS], 1e-4), 0.1);
    p[REF_C] = 1.0 / p[REF_VS];
    p[REF_GAMMA] = gamma[ref_pick(d, 9)];
    p[REF_P] = ref_chance(d, 0.5) ? 1.0 : ref_between(d, 1.0, 2.0);
    p[REF_I] = dahl[ref_pick(d, 8)];
    p[REF_FADE] = ref_chance(d, 0.2);
    p[REF_NU] = ref_chance(d, 0.6) ? 0.0 : ref_spread(d, 1e-3, 0.3) / u->speed;
    p[REF_NU] *= u->loaded ? 0.1 : u->fc;
}

void ref_draw_contact(ref_dice *d, const ref_use *u, ref_contact *c) {
    double *p = c->p, unit = u->loaded ? 1.0 / u->load : 1.0, rate = ref_spread(d, 200, 2e4);
    if (ref_chance(d, 0.15)) rate = ref_spread(d, 2e4, 1.5e5);
    rate /= u->time;
    c->law = u->law;
    c->loaded = u->loaded;
    c->load = (ref_signal){.mean = u->load};
    shapes(d, u, p);
    bristles(d, u, rate, p);
    widths(d, u, rate, p);
    p[REF_KV] = p[REF_SIGMA2];
    if (ref_chance(d, 0.15)) p[REF_SIGMA1] = 0.0;
    double damped = 0.1 * sqrt(p[REF_SIGMA0] * u->mass), slope = ref_spread(d, 0.1, 2.0);
    int law = u->law;
    if (law == ref_law_find("gonthier") || law == ref_law_find("bristle_second_order"))
        p[REF_SIGMA1] = fmax(p[REF_SIGMA1], damped); /* 1/sigma1 is a rate of theirs */
    if (law == ref_law_find("viscous")) p[REF_KV] = u->fc / u->speed * slope;
    if (law == ref_law_find("karnopp")) p[REF_VD] = 0.0;
    if (law == ref_law_find("velocity_based")) {
        p[REF_VS] = p[REF_VD];
        p[REF_VD] *= 1.5 + slope;
    }
    p[REF_FC] = u->fc * unit;
    p[REF_FS] = u->fs * unit;
    p[REF_F2] = (u->fs - u->fc) * unit * ref_between(d, 0.5, 1.5);
}
