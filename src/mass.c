/* mass.c - a mass with its contact, for loops of one's own: backward Euler in the velocity, the
 * step of the law in its states,
 *
 *     m (v1 - v0)/h = f - F(v1, z1),   z1 = z0 stepped by h with v1,   x1 = x0 + h v1.
 *
 * One equation for the change d = v1 - v0, r(d) = m/h d - f + F(v0 + d) = 0, solved by Newton's
 * method from d = 0: the step of a law gives its slope in v along with the force, and where it does
 * not, or where that is not worth its while, the last two tries do. Most laws bend sharply where
 * the motion turns: v = 0 is tried before what lies beyond. A bracket is kept, and halved where
 * Newton's method leaves it. Set-valued laws stick where the force that stops the mass within the
 * step is one they can give (Kikuuwe et al. 2006): v1 is then zero, to the bit. */
#include "bristle.h"
#include "kernels/kernels.h"
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

/* Where the root is known to be, and how long steps are where friction falls as fast as inertia
 * holds. */
typedef struct search {
    double lo, hi, reach;
    int tries;
} search;

typedef enum verdict { FOUND, NEARLY, GO_ON } verdict; /* NEARLY: one more correction is enough */

/* What follows from the residual r and the force F of the change d, with the derivative by_v of F:
 * the change that is right, or to be tried next. */
static inline verdict look(search *q, double inertia, double f, double v0, double d, double r,
                           double F, double by_v, double *next) {
    double size = fabs(f) + fabs(F), slope = inertia + by_v, v = v0 + d;
    *next = d;
    if (!(fabs(r) > enough * size) || q->tries++ == MOST_TRIES) return FOUND; /* or no number */
    int known = slope > 0.25 * inertia;
    if (!known) slope = inertia / q->reach;
    double by = -r / slope;
    int turns = v * (v + by) < 0.0;
    *next = d + by;
    if (fabs(r) <= near * size && known && !turns && (by_v >= 0.0 || fabs(by) <= 0.02 * fabs(v)))
        return NEARLY;
    if (r > 0.0)
        q->hi = d;
    else
        q->lo = d;
    if (turns) *next = -v0;
    int inside = *next > q->lo && *next < q->hi;
    if ((!inside || q->tries > NEWTON_TRIES) && isfinite(q->hi - q->lo))
        *next = 0.5 * (q->lo + q->hi);
    if (!known) q->reach *= 2.0;
    return *next == q->lo || *next == q->hi ? FOUND : GO_ON; /* neighbours */
}

/* From the change last tried to the root, which lies between lo and hi. */
static void find_root(trial *s, double lo, double hi) {
    search q = {lo, hi, 1.0, 0};
    double next;
    verdict is;
    while ((is = look(&q, s->inertia, s->f, s->v0, s->d, s->r, s->F, s->by_v[0], &next)) == GO_ON)
        if (s->slopes && s->v0 + next == 0.0)
            try_at_rest(s, next, next - s->d);
        else if (s->slopes && q.tries >= 2)
            try_with_slope(s, next, BRI_AUTO);
        else
            try_again(s, next);
    if (is == FOUND) return;
    for (int k = 0; k < s->states; k++) s->z[k] += (next - s->d) * s->by_v[1 + k];
    s->d = next;
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

/* ---- arrays ------------------------------------------------------------------------------------
 */

/* Masses that are tried together by the vector code of their law; those that take more rounds are
 * stepped one by one. */
enum { LANES = 128, ROUNDS = 5 };

typedef struct lanes {
    const bri_batch *all;
    size_t from; /* of the first lane among all */
    int count, states;
    double inertia[LANES], d[LANES], d0[LANES], F0[LANES]; /* this change; the one before, its F */
    double z0[BRI_KERNEL_STATES * LANES];                  /* its states, LANES apart */
    search place[LANES];
    int active[LANES], n_active;
    /* what the law is given, and gives: lanes that are active, one after the other */
    double v[LANES], n[LANES], F[LANES], z[BRI_KERNEL_STATES * LANES], p[BRI_MAX_PARAMS * LANES];
} lanes;

static void step_active(lanes *l, double h, const double *v, const double *z) {
    const bri_batch *all = l->all;
    size_t m = (size_t)l->n_active;
    for (size_t k = 0; k < m; k++) {
        size_t lane = (size_t)l->active[k], i = l->from + lane;
        l->v[k] = v[i] + l->d[lane];
        if (all->own_loads) l->n[k] = all->n[i];
        for (size_t j = 0; j < (size_t)l->states; j++) l->z[j * m + k] = z[j * all->count + i];
        for (size_t j = 0; all->own_params && j < (size_t)all->model->n_params; j++)
            l->p[j * m + k] = all->p[j * all->count + i];
    }
    bri_batch b = *all;
    b.count = m;
    b.v = l->v;
    if (all->own_loads) b.n = l->n;
    if (all->own_params) b.p = l->p;
    bri_batch_step(&b, h, l->z, l->F);
}

/* Nonzero: lane number k of those that are active has come to its root, d and z. */
static int settle_lane(lanes *l, int k, double f, double v0) {
    int lane = l->active[k], m = l->n_active;
    double d = l->d[lane], F = l->F[k], by = d - l->d0[lane], next;
    double by_v = (F - l->F0[lane]) / by, r = l->inertia[lane] * d - f + F;
    verdict is = look(&l->place[lane], l->inertia[lane], f, v0, d, r, F, by_v, &next);
    double share = is == NEARLY ? (next - d) / by : 0.0;
    for (int j = 0; j < l->states; j++) {
        double *z = &l->z[j * m + k], *before = &l->z0[j * LANES + lane], now = *z;
        if (is == NEARLY) *z += share * (now - *before);
        *before = now;
    }
    l->d0[lane] = d;
    l->F0[lane] = F;
    l->d[lane] = next;
    return is != GO_ON;
}

static void step_lanes(lanes *l, const double *mass, const double *force, double h, double *x,
                       double *v, double *z, double *F) {
    l->n_active = 0;
    for (int lane = 0; lane < l->count; lane++) {
        size_t i = l->from + (size_t)lane;
        double inertia = mass[i] / h;
        l->inertia[lane] = inertia;
        l->d[lane] = 0.0;
        l->d0[lane] = NAN; /* nothing was tried */
        l->place[lane] = (search){-INFINITY, INFINITY, 1.0, 0};
        if (mass[i] > 0.0 && isfinite(inertia * v[i] + force[i]))
            l->active[l->n_active++] = lane;
        else if (F)
            F[i] = NAN;
    }
    for (int round = 0; round < ROUNDS && l->n_active > 0; round++) {
        int left = 0, m = l->n_active;
        step_active(l, h, v, z);
        for (int k = 0; k < m; k++) {
            int lane = l->active[k];
            size_t i = l->from + (size_t)lane;
            if (!settle_lane(l, k, force[i], v[i])) {
                l->active[left++] = lane;
                continue;
            }
            for (int j = 0; j < l->states; j++) z[(size_t)j * l->all->count + i] = l->z[j * m + k];
            v[i] += l->d[lane];
            x[i] += h * v[i];
            if (F) F[i] = force[i] - l->inertia[lane] * l->d[lane];
        }
        l->n_active = left;
    }
}

/* Number i of a batch alone. */
static void step_one(const bri_batch *b, size_t i, const double *mass, const double *force,
                     double h, double *x, double *v, double *z, double *F) {
    double p[BRI_MAX_PARAMS], own[BRI_MAX_STATES];
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

static void step_in_lanes(const bri_batch *b, const double *mass, const double *force, double h,
                          double *x, double *v, double *z, double *F) {
    lanes l;
    l.all = b;
    l.states = b->model->n_states;
    for (l.from = 0; l.from < b->count; l.from += LANES) {
        l.count = b->count - l.from < LANES ? (int)(b->count - l.from) : LANES;
        step_lanes(&l, mass, force, h, x, v, z, F);
        for (int k = 0; k < l.n_active; k++)
            step_one(b, l.from + (size_t)l.active[k], mass, force, h, x, v, z, F);
    }
}

void bri_mass_steps(const bri_batch *b, const double *mass, const double *force, double h,
                    double *x, double *v, double *z, double *F) {
    const bri_model *m = b->model;
    if (h > 0.0 && !m->set_valued && !m->count && m->n_states <= BRI_KERNEL_STATES &&
        b->count >= BRI_KERNEL_WIDTH && bri_batch_vectorised(b)) {
        step_in_lanes(b, mass, force, h, x, v, z, F);
        return;
    }
    for (size_t i = 0; i < b->count; i++) step_one(b, i, mass, force, h, x, v, z, F);
}
