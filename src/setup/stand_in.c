/* stand_in.c - one law in the place of another: values go from parameter to parameter by role. */
#include "setup.h"

#include "../fail.h"

#include <math.h>
#include <string.h>

/* Parameter i takes a value that parameter j of the other law says. What was not given there is not
 * given here either. */
static void carry(work *w, int i, int j, double value, const char *rule) {
    const bri_setup *o = w->other;
    w->used[j] = 1;
    if (w->settled[i]) return;
    bri_origin origin = o->origin[j] == BRI_GIVEN ? BRI_CARRIED : o->origin[j];
    if (!rule) rule = o->rule[j];
    role_put(w->s, i, value, origin, rule);
    w->s->from[i] =
        origin == BRI_CARRIED ? (o->from[j] ? o->from[j] : o->model->params[j].name) : NULL;
    w->settled[i] = origin != BRI_DEFAULT; /* a default gives way to a rule */
}

/* A law with one level has no stiction; the peak of two elements and the ratio in a sine say a
 * level in their own way. */
static void carry_levels(work *w) {
    static const double half_pi = 1.57079632679489661923;
    const bri_setup *o = w->other;
    int level = role_has(w->s, BRI_ROLE_LEVEL), top = role_has(w->s, BRI_ROLE_STATIC_LEVEL);
    int slow = role_has(w->s, BRI_ROLE_SLOW_LEVEL), shape = role_has(w->s, BRI_ROLE_LEVEL_RATIO);
    int peak = role_has(o, BRI_ROLE_SLOW_LEVEL), ratio = role_has(o, BRI_ROLE_LEVEL_RATIO), c, t;
    int eta = role_has(o, BRI_ROLE_DISTANCE_RATIO);
    double Fc = role_sliding_level(o, &c), Fs = role_static_level(o, &t);
    if (c < 0) return;
    if (level >= 0) carry(w, level, c, Fc, ratio >= 0 ? "the level at high speed" : NULL);
    if (top >= 0) {
        const char *alone = c == t && ratio < 0 ? "no stiction is given" : NULL;
        carry(w, top, t, Fs, peak >= 0 ? "the peak" : alone);
    }
    if (slow >= 0) {
        double share = role_slow_share(Fs / Fc, role_value(w->s, BRI_ROLE_DISTANCE_RATIO, 0.5));
        carry(w, slow, t, w->s->p[level] * share, "makes the peak the static level");
    }
    if (shape >= 0)
        carry(w, shape, c, 2.0 - asin(fmin(Fc / Fs, 1.0)) / half_pi,
              "sliding over static level = sin(C pi/2)");
    int keeps_sliding = level >= 0 || shape >= 0, keeps_static = top >= 0 || slow >= 0;
    w->used[c] = (unsigned char)keeps_sliding;
    w->used[t] =
        (unsigned char)(c == t ? keeps_sliding && (ratio < 0 || keeps_static) : keeps_static);
    if (ratio >= 0) w->used[ratio] = (unsigned char)keeps_sliding;
    if (peak >= 0) w->used[peak] = w->used[eta] = (unsigned char)keeps_static;
}

/* The viscous coefficient `role` of the other law where this law has the one `instead` only, on top
 * of what that one has brought: sigma2 = kv = nu N. */
static void convert_viscous(work *w, bri_role role, bri_role instead) {
    const bri_setup *o = w->other;
    int from = role_has(o, role), i = role_has(w->s, instead);
    if (from < 0 || i < 0 || role_has(w->s, role) >= 0) return;
    double N = w->at->load, value = o->p[from];
    int given = w->s->origin[i] == BRI_GIVEN, over = role == BRI_ROLE_VISCOUS;
    if (value == 0.0 || given) {
        w->used[from] = 1;
    } else if (w->at->varies || !(N > 0.0)) {
        w->why[from] = "the load varies";
    } else {
        double before = w->settled[i] ? w->s->p[i] : 0.0;
        const char *rule = over ? "over the load" : "times the load";
        w->settled[i] = 0;
        carry(w, i, from, before + (over ? value / N : value * N),
              before != 0.0 ? "both viscous coefficients, at this load" : rule);
    }
}

static void carry_viscous(work *w) {
    const bri_role roles[2] = {BRI_ROLE_VISCOUS, BRI_ROLE_VISCOUS_PER_LOAD};
    if (role_value(w->other, BRI_ROLE_VISCOUS_EXPONENT, 1.0) != 1.0 &&
        role_has(w->s, BRI_ROLE_VISCOUS_EXPONENT) < 0)
        return; /* another law of speed */
    for (int k = 0; k < 2; k++) {
        int i = role_has(w->s, roles[k]), j = role_has(w->other, roles[k]);
        if (i >= 0 && j >= 0) carry(w, i, j, w->other->p[j], NULL);
        if (i >= 0 && j >= 0)
            w->settled[i] = 1; /* also if it is a default: it is that of the contact */
    }
    convert_viscous(w, roles[0], roles[1]);
    convert_viscous(w, roles[1], roles[0]);
}

static void carry_stiffness(work *w) {
    const bri_setup *o = w->other;
    int from, i = role_has(w->s, BRI_ROLE_STIFFNESS), length = role_has(w->s, BRI_ROLE_DEFLECTION);
    double k = role_stiffness(o, w->at->load, &from);
    if (from < 0 || !(k > 0.0)) return;
    int same = o->model->params[from].role == BRI_ROLE_STIFFNESS;
    if (i >= 0) carry(w, i, from, k, same ? NULL : "the same stiffness at rest");
    if (length < 0 || !(w->at->load > 0.0)) return;
    carry(w, length, from, role_length_for(w->s, length, w->at->load, k),
          "the same stiffness at rest");
}

/* The first role that the other law has, as a speed. */
static void carry_speed(work *w, bri_role role, bri_role next) {
    const bri_setup *o = w->other;
    int i = role_has(w->s, role), j = role_has(o, role);
    if (j < 0) j = role_has(o, next);
    if (i < 0 || j < 0) return;
    double v = role_as_speed(&o->model->params[j], o->p[j]);
    const char *rule =
        strcmp(w->s->model->params[i].unit, o->model->params[j].unit) ? "its inverse" : NULL;
    carry(w, i, j, rule ? role_as_speed(&w->s->model->params[i], v) : o->p[j], rule);
}

/* Numbers that mean the same in every law that has them. */
static void carry_alike(work *w) {
    static const bri_role alike[] = {
        BRI_ROLE_VISCOUS_EXPONENT,  BRI_ROLE_ELASTIC_LIMIT, BRI_ROLE_DAMPING,
        BRI_ROLE_STRIBECK_EXPONENT, BRI_ROLE_SIGN_BLEND,    BRI_ROLE_BRISTLE_EXPONENT,
        BRI_ROLE_DWELL_TIME,        BRI_ROLE_LAG_TIME,      BRI_ROLE_RELAXATION_TIME};
    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++) {
        int i = role_has(w->s, alike[k]), j = role_has(w->other, alike[k]);
        if (i >= 0 && j >= 0) carry(w, i, j, w->other->p[j], NULL);
    }
}

/* Levels in the units that the contact has: newtons over the load are coefficients. */
static bri_status agree_on_levels(work *w, bri_error *err) {
    bri_setup *s = w->s;
    const bri_setup *o = w->other;
    int at, forces = s->forces, any = 0;
    for (int i = 0; i < s->model->n_params; i++) any |= s->model->params[i].force && s->given[i];
    if (isnan(role_sliding_level(o, &at))) return BRI_OK; /* a law without levels has no say */
    s->forces = o->forces;
    if (!any || forces == o->forces) return BRI_OK;
    if (o->forces || w->at->varies || !(w->at->load > 0.0))
        return bri_fail(err, BRI_BAD_VALUE, "%s: the contact has %s, so give %s", s->model->name,
                        o->forces ? "levels in newtons" : "a load that varies",
                        o->forces ? "newtons" : "coefficients");
    for (int i = 0; i < s->model->n_params; i++) {
        if (!s->model->params[i].force || !s->given[i]) continue;
        s->p[i] /= w->at->load;
        s->given[i] = 1;
        s->rule[i] = "newtons over the load";
    }
    return BRI_OK;
}

static int list_lost(const work *w, bri_lost *lost) {
    const bri_setup *o = w->other;
    int n = 0;
    for (int j = 0; j < o->model->n_params; j++) {
        const bri_param *row = &o->model->params[j];
        int said = o->origin[j] == BRI_GIVEN || o->origin[j] == BRI_CARRIED;
        if (!said || w->used[j] || role_idle(o, j)) continue;
        int force = row->force && o->forces;
        lost[n++] = (bri_lost){force ? row->force : row->name, force ? "N" : row->unit, o->p[j],
                               row->role, w->why[j]};
    }
    return n;
}

bri_status stand_in(work *w, bri_lost *lost, int *n_lost, bri_error *err) {
    bri_status status = agree_on_levels(w, err);
    *n_lost = 0;
    if (status != BRI_OK) return status;
    carry_levels(w);
    carry_viscous(w);
    carry_speed(w, BRI_ROLE_STRIBECK_SPEED, BRI_ROLE_SLIDING_SPEED);
    carry_speed(w, BRI_ROLE_SLIDING_SPEED, BRI_ROLE_STRIBECK_SPEED);
    carry_speed(w, BRI_ROLE_SMOOTHING, BRI_ROLE_STICK_BAND);
    carry_speed(w, BRI_ROLE_STICK_BAND, BRI_ROLE_SMOOTHING);
    carry_alike(w);
    carry_stiffness(w);
    *n_lost = list_lost(w, lost);
    return BRI_OK;
}
