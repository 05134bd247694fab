/* laws.c - the equations, each written from its paper. Static laws first, then those with states.
 * Numbers in brackets are equations of Andersson et al. 2007, Pennestri et al. 2016, Rill et al.
 * 2023, Leus et al., Olsson and Astrom 1993. */
#include "laws.h"

#include <math.h>
#include <string.h>

#define P(name) (u->p[REF_##name])

double ref_decay(double u, double vs, double gamma) {
    double r = u / vs;
    if (gamma == 1.0) return exp(-r);
    if (gamma == 2.0) return exp(-r * r);
    return r > 0.0 ? exp(-pow(r, gamma)) : 1.0;
}

/* |v|, continued smoothly beyond a reversal within a step. */
static double speed(const ref_view *u) { return u->m[0] * u->v; }

/* g(v) = Fc + (Fs - Fc) exp(-(|v|/v_s)^gamma), times the load. */
static double stribeck_level(const ref_view *u) {
    return u->N * (P(FC) + (P(FS) - P(FC)) * ref_decay(speed(u), P(VS), P(GAMMA)));
}

/* ---- static laws ---------------------------------------------------------------------------- */

static double coulomb(const ref_view *u, double *dz) { /* Pennestri (1) */
    (void)dz;
    return u->m[0] * P(FC) * u->N;
}

static double benson(const ref_view *u, double *dz) { /* Pennestri (3) */
    (void)dz;
    return u->m[0] * u->N * (P(FC) + (P(FS) - P(FC)) * exp(-P(C) * speed(u)));
}

static double stribeck(const ref_view *u, double *dz) { /* Andersson (10) */
    (void)dz;
    return u->m[0] * stribeck_level(u) + P(KV) * u->v;
}

static double viscous(const ref_view *u, double *dz) { /* Andersson (5) */
    (void)dz;
    if (P(P) == 1.0) return P(KV) * u->v;
    double a = speed(u);
    return a > 0.0 ? u->m[0] * P(KV) * pow(a, P(P)) : 0.0;
}

static double saturation(const ref_view *u) { /* m[1] > 0: beyond the ramp */
    return u->m[1] > 0 ? u->m[0] : P(K) * u->v;
}

static void ramp_end(const ref_view *u, double *g) { g[1] = fabs(P(K) * u->v) - 1.0; }

static double coulomb_sat(const ref_view *u, double *dz) { /* Andersson (6)-(8) */
    (void)dz;
    return P(FC) * u->N * saturation(u);
}

static double coulomb_tanh(const ref_view *u, double *dz) { /* Pennestri (4) */
    (void)dz;
    return P(FC) * u->N * tanh(u->v / P(VD));
}

static double stribeck_sat(const ref_view *u, double *dz) { /* Andersson (11) */
    (void)dz;
    return stribeck_level(u) * saturation(u) + P(KV) * u->v;
}

static double stribeck_tanh(const ref_view *u, double *dz) { /* Andersson (12) */
    (void)dz;
    return stribeck_level(u) * tanh(P(K) * u->v) + P(KV) * u->v;
}

static double velocity_based(const ref_view *u, double *dz) { /* Pennestri 2.2 */
    (void)dz;
    double s = u->m[0] * u->N, r = (speed(u) - P(VS)) / (P(VD) - P(VS));
    if (u->m[1] < 0) return P(FS) * u->N * sin(0.5 * REF_PI * u->v / P(VS));
    if (u->m[2] > 0) return s * P(FC);
    return s * (P(FS) + (P(FC) - P(FS)) * 0.5 * (1.0 - cos(REF_PI * r)));
}

static void two_speeds(const ref_view *u, double *g) {
    g[1] = fabs(u->v) / P(VS) - 1.0;
    g[2] = fabs(u->v) / P(VD) - 1.0;
}

static double sine_arctan(const ref_view *u, double *dz) { /* Pennestri (5) */
    (void)dz;
    double b = P(B) * u->v, a = atan(b);
    return P(FS) * u->N * sin(P(CC) * a - P(E) * (b - a));
}

static double rill_mu(const ref_view *u, double a) { /* Rill (4) */
    return P(FC) + (P(FS) - P(FC)) * ref_decay(a, P(VS), P(GAMMA)) + P(NU) * a;
}

static double regularized(const ref_view *u, double *dz) { /* Rill (21) */
    (void)dz;
    double a = speed(u), r = a / P(VR);
    if (u->m[1] < 0) return u->m[0] * P(FS) * u->N * r * (2.0 - r);
    return u->m[0] * u->N * rill_mu(u, a - P(VR));
}

static void parabola_end(const ref_view *u, double *g) { g[1] = fabs(u->v) / P(VR) - 1.0; }

/* ---- laws with states ------------------------------------------------------------------------ */

static double dahl(const ref_view *u, double *dz) { /* Pennestri (7), (8) */
    double q = P(SIGMA0) * u->z[0] * u->m[0] / (P(FC) * u->N);
    if (P(I) == 1.0)
        dz[0] = u->v * (1.0 - q);
    else if (P(I) < 1.0) /* full at a finite deflection, and stays so */
        dz[0] = u->m[1] < 0 ? 0.0 : u->v * pow(fmax(1.0 - q, 0.0), P(I));
    else
        dz[0] = u->v * u->m[1] * pow(fmax(u->m[1] * (1.0 - q), 0.0), P(I));
    return P(SIGMA0) * u->z[0];
}

static void dahl_full(const ref_view *u, double *g) {
    g[1] = P(I) == 1.0 ? NAN : 1.0 - P(SIGMA0) * u->z[0] * u->m[0] / (P(FC) * u->N);
}

static double dankowicz(const ref_view *u, double *dz) { /* Andersson (13) */
    dz[0] = u->v - speed(u) * u->z[0] / P(DELTA);
    return P(FC) * u->N * u->z[0] / P(DELTA);
}

static double stribeck_dankowicz(const ref_view *u, double *dz) { /* Andersson (20) */
    dz[0] = u->v - speed(u) * u->z[0] / P(DELTA);
    return stribeck_level(u) * u->z[0] / P(DELTA) + P(KV) * u->v;
}

static double bliman_sorine(const ref_view *u, double *dz) { /* Bliman and Sorine 1995 */
    double fast = P(ETA) * P(EPS), slow = P(EPS), a = speed(u);
    dz[0] = u->v - a * u->z[0] / fast;
    dz[1] = u->v - a * u->z[1] / slow;
    return u->N * ((P(FC) + P(F2)) * u->z[0] / fast - P(F2) * u->z[1] / slow);
}

static double lugre(const ref_view *u, double *dz) { /* Pennestri (9)-(11); fade: Leus (22) */
    dz[0] = u->v - P(SIGMA0) * speed(u) * u->z[0] / stribeck_level(u);
    double s1 = P(SIGMA1);
    if (P(FADE) != 0.0) s1 *= ref_decay(speed(u), P(VS), P(GAMMA));
    return P(SIGMA0) * u->z[0] + s1 * dz[0] + (P(SIGMA2) + P(NU) * u->N) * u->v;
}

static double lugre_consistent(const ref_view *u, double *dz) { /* Rill (18)-(20) */
    double a = speed(u), level = rill_mu(u, a) * u->N;
    dz[0] = (u->v * level - a * P(SIGMA0) * u->z[0]) / (level + a * P(SIGMA1));
    return P(SIGMA0) * u->z[0] + P(SIGMA1) * dz[0];
}

/* The elastic limit, at most 99 % of z_max (m[3] > 0: that holds). */
static double elastic_limit(const ref_view *u, double z_max) {
    return u->m[3] > 0 ? 0.99 * z_max : P(ZBA);
}

static double elasto_plastic(const ref_view *u, double *dz) { /* Pennestri (13)-(15) */
    double z_max = stribeck_level(u) / P(SIGMA0), z_ba = elastic_limit(u, z_max);
    double a = fabs(u->z[0]), alpha = 0.0;
    if (u->m[0] * u->z[0] > 0.0 && u->m[1] > 0) {
        alpha = 1.0;
        if (u->m[2] < 0)
            alpha = 0.5 + 0.5 * sin(REF_PI * (a - 0.5 * (z_max + z_ba)) / (z_max - z_ba));
    }
    dz[0] = u->v - alpha * speed(u) * u->z[0] / z_max;
    return P(SIGMA0) * u->z[0] + P(SIGMA1) * dz[0] + P(SIGMA2) * u->v;
}

static void elasto_pieces(const ref_view *u, double *g) {
    double z_max = stribeck_level(u) / P(SIGMA0);
    g[1] = fabs(u->z[0]) / elastic_limit(u, z_max) - 1.0;
    g[2] = fabs(u->z[0]) / z_max - 1.0;
    g[3] = P(ZBA) / (0.99 * z_max) - 1.0;
}

/* Leus (12)-(17). m[1] > 0: sticks, |s| < s0; m[1] < 0: slides, s at its limit. */
static double reset_integrator(const ref_view *u, double *dz) {
    dz[0] = u->m[1] > 0 ? u->v : 0.0;
    if (u->m[1] < 0) return copysign(P(FC) * u->N, u->z[0]);
    return P(FS) / P(FC) * P(SIGMA0) * u->z[0] + P(SIGMA1) * u->v;
}

static void reset_pieces(const ref_view *u, double *g) {
    double s0 = P(FC) * u->N / P(SIGMA0);
    g[1] = u->m[1] < 0 ? copysign(1.0, -u->z[0]) * u->v : 1.0 - fabs(u->z[0]) / s0;
}

/* Clip to +-limit, on the piece that two signs name: above > 0 beyond limit, below < 0 under it. */
static double clipped(double f, double limit, int above, int below) {
    return above > 0 ? limit : below < 0 ? -limit : f;
}

static double gonthier_bristle(const ref_view *u, double *dz) { /* Pennestri (20)-(25) */
    double s = exp(-u->v * u->v / (P(VS) * P(VS))), r = u->v / P(VT);
    double dir = u->m[1] > 0 ? u->m[0] : 0.5 * r * (3.0 - r * r);
    dz[0] = s * u->v + (1.0 - s) * (P(FC) * u->N * dir - P(SIGMA0) * u->z[0]) / P(SIGMA1);
    return P(SIGMA0) * u->z[0] + P(SIGMA1) * dz[0];
}

static double gonthier(const ref_view *u, double *dz) { /* Pennestri (20)-(30) */
    double s = exp(-u->v * u->v / (P(VS) * P(VS)));
    double f = gonthier_bristle(u, dz);
    dz[1] = (s - u->z[1]) / (u->m[2] > 0 ? P(TAU_DW) : P(SIGMA1) / P(SIGMA0));
    double limit = u->N * (P(FC) + (P(FS) - P(FC)) * u->z[1]);
    return clipped(f, limit, u->m[3], u->m[4]) + P(SIGMA2) * u->v;
}

static void gonthier_pieces(const ref_view *u, double *g) {
    double dz[REF_STATES], f = gonthier_bristle(u, dz);
    double limit = u->N * (P(FC) + (P(FS) - P(FC)) * u->z[1]);
    g[1] = fabs(u->v) / P(VT) - 1.0;
    g[2] = exp(-u->v * u->v / (P(VS) * P(VS))) - u->z[1];
    g[3] = f / limit - 1.0;
    g[4] = f / limit + 1.0;
}

static double olsson_astrom(const ref_view *u, double *dz) { /* Olsson (1)-(5) */
    double s = u->z[0], xi = u->z[1], r = u->v / P(VS);
    double dir = u->m[1] > 0 ? u->m[0] : u->v / P(VE);
    double stick = clipped(P(SIGMA0) * xi + P(SIGMA1) * u->v, P(FS) * u->N, u->m[2], u->m[3]);
    dz[0] = (-s + 1.0 - exp(-r * r)) / P(TAU_DEL);
    dz[1] = (1.0 - s) * u->v - s * xi / P(TAU_R);
    return (1.0 - s) * stick + s * (P(FC) * u->N * dir + P(KV) * u->v);
}

static void olsson_pieces(const ref_view *u, double *g) {
    double f = (P(SIGMA0) * u->z[1] + P(SIGMA1) * u->v) / (P(FS) * u->N);
    g[1] = fabs(u->v) / P(VE) - 1.0;
    g[2] = f - 1.0;
    g[3] = f + 1.0;
}

/* Rill (22)-(25): the curve of `regularized` at (v - w) + dv; m[1], m[2]: sign of that velocity and
 * beyond its parabola; m[3], m[4]: sign of F0 and |F0| beyond the static level. */
static double shifted_speed(const ref_view *u) {
    double f0 = P(SIGMA0) * u->z[0] + P(SIGMA1) * u->v;
    double left = u->m[4] > 0 ? 0.0 : fmax(0.0, 1.0 - u->m[3] * f0 / (P(FS) * u->N));
    return u->v - u->z[1] + u->m[3] * P(VR) * (1.0 - sqrt(left));
}

static double bristle_second_order(const ref_view *u, double *dz) {
    double a = u->m[1] * shifted_speed(u), r = a / P(VR);
    double mass = P(SIGMA1) * P(SIGMA1) / (4.0 * P(SIGMA0));
    double level = u->m[2] < 0 ? P(FS) * r * (2.0 - r) : rill_mu(u, a - P(VR));
    double f = u->m[1] * u->N * level;
    dz[0] = u->z[1];
    dz[1] = (f - P(SIGMA0) * u->z[0] - P(SIGMA1) * u->z[1]) / mass;
    return f;
}

static void second_order_pieces(const ref_view *u, double *g) {
    double f0 = P(SIGMA0) * u->z[0] + P(SIGMA1) * u->v, s = shifted_speed(u);
    g[1] = s / P(VR);
    g[2] = fabs(s) / P(VR) - 1.0;
    g[3] = f0 / (P(FS) * u->N);
    g[4] = fabs(f0) / (P(FS) * u->N) - 1.0;
}

/* ---- scales --------------------------------------------------------------------------------- */

/* The Stribeck velocity; where gamma is no whole number the curve is singular at its begin, and
 * steps have to grow with v from next to nothing. */
static double by_vs(const double *p) {
    return p[REF_VS] * (p[REF_GAMMA] == floor(p[REF_GAMMA]) ? 1.0 : 1e-4);
}
static double by_peak(const double *p) { return p[REF_VS]; }
static double by_ve(const double *p) { return fmin(p[REF_VE], p[REF_VS]); }
static double by_k(const double *p) { return 1.0 / p[REF_K]; }
static double by_k_vs(const double *p) { return fmin(1.0 / p[REF_K], by_vs(p)); }
static double by_vd(const double *p) { return p[REF_VD]; }
static double by_c(const double *p) { return 1.0 / p[REF_C]; }
static double by_b(const double *p) { return 1.0 / p[REF_B]; }
static double by_vr(const double *p) { return p[REF_VR]; }
static double by_vt(const double *p) { return fmin(p[REF_VT], p[REF_VS]); }
static double by_none(const double *p) {
    (void)p;
    return 0.0;
}

static void bristle_size(const double *p, double N, double *z) {
    z[0] = p[REF_FC] * N / p[REF_SIGMA0];
}
static void micro_size(const double *p, double N, double *z) {
    (void)N;
    z[0] = p[REF_DELTA];
}
static void bliman_size(const double *p, double N, double *z) {
    (void)N;
    z[0] = p[REF_ETA] * p[REF_EPS];
    z[1] = p[REF_EPS];
}
static void gonthier_size(const double *p, double N, double *z) {
    bristle_size(p, N, z);
    z[1] = 1.0;
}
static void olsson_size(const double *p, double N, double *z) {
    z[0] = 1.0;
    z[1] = p[REF_FS] * N / p[REF_SIGMA0];
}
static void second_size(const double *p, double N, double *z) {
    bristle_size(p, N, z);
    z[1] = p[REF_VR];
}

/* ---- the table ------------------------------------------------------------------------------ */

/* clang-format off */
#define CURVE REF_FC, REF_FS, REF_VS, REF_GAMMA
const ref_law ref_laws[] = {
    {"coulomb", "Pennestri (1)", 1, 0, coulomb, NULL, 1, by_none, 0, NULL, 2, {REF_FC, REF_FS}},
    {"benson", "Pennestri (3)", 1, 0, benson, NULL, 1, by_c, 0, NULL, 3, {REF_FC, REF_FS, REF_C}},
    {"stribeck", "Andersson (10)", 1, 0, stribeck, NULL, 1, by_vs, 0, NULL, 5, {CURVE, REF_KV}},
    {"karnopp", "Pennestri (6)", 1, 0, coulomb, NULL, 1, by_none, 0, NULL, 3, {REF_FC, REF_FS, REF_VD}},
    {"viscous", "Andersson (5)", 0, 0, viscous, NULL, 1, by_none, 0, NULL, 2, {REF_KV, REF_P}},
    {"coulomb_sat", "Andersson (6)", 0, 0, coulomb_sat, ramp_end, 2, by_k, 0, NULL, 2, {REF_FC, REF_K}},
    {"coulomb_tanh", "Pennestri (4)", 0, 0, coulomb_tanh, NULL, 0, by_vd, 0, NULL, 2, {REF_FC, REF_VD}},
    {"stribeck_sat", "Andersson (11)", 0, 0, stribeck_sat, ramp_end, 2, by_k_vs, 0, NULL, 6, {CURVE, REF_K, REF_KV}},
    {"stribeck_tanh", "Andersson (12)", 0, 0, stribeck_tanh, NULL, 1, by_k_vs, 0, NULL, 6, {CURVE, REF_K, REF_KV}},
    {"velocity_based", "Pennestri 2.2", 0, 0, velocity_based, two_speeds, 3, by_peak, 0, NULL, 4, {REF_FC, REF_FS, REF_VS, REF_VD}},
    {"sine_arctan", "Pennestri (5)", 0, 0, sine_arctan, NULL, 0, by_b, 0, NULL, 4, {REF_FS, REF_B, REF_CC, REF_E}},
    {"regularized", "Rill (21)", 0, 0, regularized, parabola_end, 2, by_vr, 1, NULL, 6, {CURVE, REF_NU, REF_VR}},
    {"dahl", "Pennestri (7)", 0, 1, dahl, dahl_full, 2, by_none, 0, bristle_size, 3, {REF_FC, REF_SIGMA0, REF_I}},
    {"dankowicz", "Andersson (13)", 0, 1, dankowicz, NULL, 1, by_none, 0, micro_size, 2, {REF_FC, REF_DELTA}},
    {"stribeck_dankowicz", "Andersson (20)", 0, 1, stribeck_dankowicz, NULL, 1, by_vs, 0, micro_size, 6, {CURVE, REF_DELTA, REF_KV}},
    {"bliman_sorine", "Olsson et al. 1998", 0, 2, bliman_sorine, NULL, 1, by_none, 0, bliman_size, 4, {REF_FC, REF_F2, REF_EPS, REF_ETA}},
    {"lugre", "Pennestri (9)", 0, 1, lugre, NULL, 1, by_vs, 0, bristle_size, 9, {CURVE, REF_SIGMA0, REF_SIGMA1, REF_SIGMA2, REF_NU, REF_FADE}},
    {"lugre_consistent", "Rill (18)", 0, 1, lugre_consistent, NULL, 1, by_vs, 0, bristle_size, 7, {CURVE, REF_NU, REF_SIGMA0, REF_SIGMA1}},
    {"elasto_plastic", "Pennestri (13)", 0, 1, elasto_plastic, elasto_pieces, 4, by_vs, 0, bristle_size, 8, {CURVE, REF_SIGMA0, REF_SIGMA1, REF_SIGMA2, REF_ZBA}},
    {"reset_integrator", "Leus (12)", 0, 1, reset_integrator, reset_pieces, 2, by_none, 0, bristle_size, 4, {REF_FC, REF_FS, REF_SIGMA0, REF_SIGMA1}},
    {"gonthier", "Pennestri (20)", 0, 2, gonthier, gonthier_pieces, 5, by_vt, 0, gonthier_size, 8, {REF_FC, REF_FS, REF_VS, REF_SIGMA0, REF_SIGMA1, REF_SIGMA2, REF_VT, REF_TAU_DW}},
    {"olsson_astrom", "Olsson (1)", 0, 2, olsson_astrom, olsson_pieces, 4, by_ve, 0, olsson_size, 9, {REF_FC, REF_FS, REF_VS, REF_SIGMA0, REF_SIGMA1, REF_KV, REF_TAU_DEL, REF_TAU_R, REF_VE}},
    {"bristle_second_order", "Rill (22)", 0, 2, bristle_second_order, second_order_pieces, 5, by_vr, 1, second_size, 8, {CURVE, REF_NU, REF_VR, REF_SIGMA0, REF_SIGMA1}},
};
/* clang-format on */
const int ref_law_count = sizeof ref_laws / sizeof *ref_laws;

int ref_law_find(const char *name) {
    for (int i = 0; i < ref_law_count; i++)
        if (!strcmp(ref_laws[i].name, name)) return i;
    return -1;
}

const char *ref_param_name(ref_param id, int loaded) {
    static const char *const names[REF_PARAMS] = {
        "Fc",  "Fs",  "F2",   "v_s", "gamma",  "kv",      "p",      "k",      "v_d", "c",
        "B",   "C",   "E",    "nu",  "v_r",    "sigma0",  "sigma1", "sigma2", "i",   "delta",
        "eps", "eta", "z_ba", "v_t", "tau_dw", "tau_del", "tau_r",  "v_e",    "fade"};
    static const char *const levels[] = {"mu_c", "mu_s", "mu_2"};
    return loaded && id <= REF_F2 ? levels[id] : names[id];
}

double ref_law_room(const ref_contact *c, double v, double other) {
    const ref_law *law = &ref_laws[c->law];
    double own = law->speed(c->p), room = fabs(v) + (own > 0.0 ? own : other);
    if (law->peak_beyond) room = fmin(room, fabs(fabs(v) - c->p[REF_VR]) + by_vs(c->p));
    return room;
}

double ref_law_static_level(const ref_contact *c, double N) { return c->p[REF_FS] * N; }

/* A bristle in the air: Rill (6); without damping within a microsecond. */
double ref_law_lift(const ref_contact *c) {
    const ref_law *law = &ref_laws[c->law];
    for (int i = 0; i < law->n_params; i++)
        if (law->params[i] == REF_SIGMA1 && c->p[REF_SIGMA1] > 0.0)
            return c->p[REF_SIGMA1] / c->p[REF_SIGMA0];
    return 1e-6;
}
