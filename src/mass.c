/* mass.c - a mass with its contact, for loops of one's own: backward Euler in the velocity, the
 * step of the law in its states,
 *
 *     m (v1 - v0)/h = f - F(v1, z1),   z1 = z0 stepped by h with v1,   x1 = x0 + h v1.
 *
 * One equation for the change d = v1 - v0, r(d) = m/h d - f + F(v0 + d) = 0, solved by Newton's
 * method from d = 0: the step of a law gives its slope in v along with the force, and where it does
 * not, the last two tries do. Most laws bend sharply where the motion turns: v = 0 is tried before
 * what lies beyond. A bracket is kept, and halved where Newton's method leaves it. Set-valued laws
 * stick where the force that stops the mass within the step is one they can give (Kikuuwe et al.
 * 2006): v1 is then zero, to the bit. */
#include "bristle.h"
#include "models/models.h"

/* The residual, as a share of the forces, at which v1 is good enough, far below the error of h; and
 * that from which one more correction, states and all, leads there without a look at the law. */
static const double enough = 1e-5, near = 1e-3;
enum { MOST_TRIES = 80, NEWTON_TRIES = 16 };

typedef struct trial {
    const bri_model *m;
    const double *p, *z0;
    double v0, inertia, f, h; /* inertia: m/h */
    bri_input u;
    double (*step)(const bri_model *, const double *, const bri_input *, double, double *);
    int states, slopes; /* slopes: the law gives them */
    double d, r, F;     /* the change last tried, its residual and force */
    double z[BRI_MAX_STATES], by_v[1 + BRI_MAX_STATES]; /* its states; derivatives of F and z */
} trial;

/* Most laws have one state: a call of memcpy for it takes a tenth of a step. */
static inline void copy(double *to, const double *from, int count) {
    if (count > 0) to[0] = from[0];
    if (count > 1) memcpy(to + 1, from + 1, ((size_t)count - 1) * sizeof *to);
}

/* Try the change d with the slope of the law; at rest that of the direction `way`. */
static inline void try_with_slope(trial *s, double d, bri_mode way) {
    s->d = d;
    s->u.v = s->v0 + d;
    s->u.mode = s->u.v == 0.0 ? way : BRI_AUTO;
    copy(s->z, s->z0, s->states);
    s->F = s->m->step_slope(s->m, s->p, &s->u, s->h, s->z, s->by_v);
    s->r = s->inertia * d - s->f + s->F;
}

/* Without: what has changed since the last try tells it. */
static inline void try_again(trial *s, double d) {
    double per = 1.0 / (d - s->d), F = s->F, before[BRI_MAX_STATES];
    copy(before, s->z, s->states);
    copy(s->z, s->z0, s->states);
    s->d = d;
    s->u.v = s->v0 + d;
    s->F = s->step(s->m, s->p, &s->u, s->h, s->z);
    s->r = s->inertia * d - s->f + s->F;
    s->by_v[0] = (s->F - F) * per;
    for (int i = 0; i < s->states; i++) s->by_v[1 + i] = (s->z[i] - before[i]) * per;
}

/* At rest, first with the slope of the direction in which a force pushes. */
static void try_at_rest(trial *s, double d, double push) {
    try_with_slope(s, d, push > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG);
    if (s->r * push > 0.0) try_with_slope(s, d, push > 0.0 ? BRI_SLIDE_NEG : BRI_SLIDE_POS);
    s->u.mode = BRI_AUTO;
}

/* From the change last tried to the root, which lies between lo and hi. */
static void find_root(trial *s, double lo, double hi) {
    double reach = 1.0;
    for (int i = 0; i < MOST_TRIES; i++) {
        double d = s->d, r = s->r, v = s->u.v, size = fabs(s->f) + fabs(s->F);
        if (!(fabs(r) > enough * size)) return; /* also what is no number */
        double slope = s->inertia + s->by_v[0];
        int known = slope > 0.25 * s->inertia; /* friction does not fall as fast as inertia holds */
        if (!known) slope = s->inertia / reach;
        double by = -r / slope, next = d + by;
        int turns = v * (v + by) < 0.0;
        if (fabs(r) <= near * size && known && !turns &&
            (s->by_v[0] >= 0.0 || fabs(by) <= 0.02 * fabs(v))) {
            for (int k = 0; k < s->states; k++) s->z[k] += by * s->by_v[1 + k];
            s->d = next;
            return;
        }
        if (r > 0.0)
            hi = d;
        else
            lo = d;
        if (turns) next = -s->v0;
        int inside = next > lo && next < hi;
        if ((!inside || i > NEWTON_TRIES) && isfinite(hi - lo)) next = 0.5 * (lo + hi);
        if (next == lo || next == hi) return; /* neighbours */
        if (!known) reach *= 2.0;
        if (turns && s->slopes)
            try_at_rest(s, next, by);
        else
            try_again(s, next);
    }
}

/* The force of a set-valued law at v = 0, from one side or held. */
static double at_rest(trial *s, bri_mode mode) {
    s->u.v = 0.0;
    s->u.mode = mode;
    return bri_model_eval(s->m, s->p, &s->u, s->z0, NULL);
}

/* It slides on from rest or from v0, but not beyond where it would come to without friction. */
static void find_set_valued_root(trial *s) {
    double need = s->f + s->inertia * s->v0; /* stops it within the step */
    s->u.fa = need;
    /* At rest the static level holds it, in motion the level of sliding stops it. */
    double low = at_rest(s, s->v0 == 0.0 ? BRI_STUCK : BRI_SLIDE_NEG);
    double high = s->v0 == 0.0 ? low : at_rest(s, BRI_SLIDE_POS), rest = -s->v0;
    s->d = rest;
    if (need >= low && need <= high) return;
    double way = need > high ? 1.0 : -1.0, free = s->f / s->inertia;
    s->u.mode = need > high ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
    s->d = NAN; /* nothing was tried */
    try_again(s, way * s->v0 > 0.0 ? 0.0 : rest);
    find_root(s, fmin(rest, free), fmax(rest, free));
}

double bri_mass_step(const bri_model *m, const double *p, const bri_push *on, double h, double *x,
                     double *v, double *z) {
    trial s; /* what is written before it is read is not cleared: that costs a fifth of a step */
    s.m = m, s.p = p, s.z0 = z;
    s.v0 = *v, s.f = on->force, s.h = h;
    s.inertia = on->mass / h;
    if (!(on->mass > 0.0 && h > 0.0 && isfinite(s.inertia * s.v0 + s.f))) return NAN;
    s.states = m->count ? m->count(m, p) : m->n_states;
    s.u.x = *x, s.u.n = on->n, s.u.fa = 0.0, s.u.mode = BRI_AUTO;
    int open = lifted_off(&s.u), holds = m->set_valued && !open;
    s.slopes = m->step_slope && !holds && !open;
    s.step = s.slopes && m->step ? m->step : bri_model_step;
    if (holds) {
        find_set_valued_root(&s);
    } else {
        if (s.slopes && s.v0 != 0.0) {
            try_with_slope(&s, 0.0, BRI_AUTO);
        } else if (s.slopes) {
            try_at_rest(&s, 0.0, s.f);
        } else {
            s.d = NAN, s.F = 0.0;
            copy(s.z, z, s.states);
            try_again(&s, 0.0);
        }
        find_root(&s, -INFINITY, INFINITY);
        copy(z, s.z, s.states);
    }
    *v += s.d;
    *x += h * *v;
    return s.f - s.inertia * s.d;
}

void bri_mass_steps(const bri_batch *b, const double *mass, const double *force, double h,
                    double *x, double *v, double *z, double *F) {
    double p[BRI_MAX_PARAMS], own[BRI_MAX_STATES];
    for (size_t i = 0; i < b->count; i++) {
        for (int j = 0; b->own_params && j < b->model->n_params; j++)
            p[j] = b->p[(size_t)j * b->count + i];
        const double *params = b->own_params ? p : b->p;
        int states = bri_model_states(b->model, params);
        bri_push on = {.mass = mass[i], .force = force[i], .n = b->n[b->own_loads ? i : 0]};
        for (int j = 0; j < states; j++) own[j] = z[(size_t)j * b->count + i];
        double friction = bri_mass_step(b->model, params, &on, h, &x[i], &v[i], own);
        for (int j = 0; j < states; j++) z[(size_t)j * b->count + i] = own[j];
        if (F) F[i] = friction;
    }
}
