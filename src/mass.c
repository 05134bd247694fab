/* mass.c - a mass with its contact, for loops of one's own: backward Euler in the velocity, the
 * step of the law in its states,
 *
 *     m (v1 - v0)/h = f - F(v1, z1),   z1 = z0 stepped by h with v1,   x1 = x0 + h v1.
 *
 * One equation for the change d = v1 - v0. Friction that does not fall with speed makes
 * r(d) = m/h d - f + F(v0 + d) rise by m/h at least, so that its root lies between 0 and
 * -r(0) h/m: both ends are tried, then a secant kept within the bracket (the Pegasus method, Dowell
 * and Jarratt 1972) closes in. Set-valued laws stick where the force that stops the mass within the
 * step is one they can give (Kikuuwe et al. 2006): v1 is then zero, to the bit. */
#include "bristle.h"
#include "models/models.h"

/* The residual, as a share of the forces, at which v1 is good enough, far below the error of h; and
 * that from which a straight line to the other end of the bracket leads there. */
static const double enough = 1e-5, near = 1e-3;
enum { MOST_TRIES = 60 };

typedef struct trial {
    const bri_model *m;
    const double *p, *z0;
    double v0, inertia, f, h; /* inertia: m/h */
    bri_input u;
    int states, plain;               /* plain: the law's own step is all there is to do */
    double F, z[BRI_MAX_STATES];     /* with the change last tried */
    double z_before[BRI_MAX_STATES]; /* with the one before */
} trial;

static double residual(trial *s, double d) {
    s->u.v = s->v0 + d;
    for (int i = 0; i < s->states; i++) {
        s->z_before[i] = s->z[i];
        s->z[i] = s->z0[i];
    }
    s->F = s->plain ? s->m->step(s->m, s->p, &s->u, s->h, s->z)
                    : bri_model_step(s->m, s->p, &s->u, s->h, s->z);
    return s->inertia * d - s->f + s->F;
}

/* A residual that is no number ends the search, too. */
static int is_root(const trial *s, double r) {
    return !(fabs(r) > enough * (fabs(s->f) + fabs(s->F)));
}

static int is_near(const trial *s, double r) { return fabs(r) <= near * (fabs(s->f) + fabs(s->F)); }

/* Between b, tried last, and a, tried before it: the states are between those of both. */
static double on_line(trial *s, double a, double ra, double b, double rb) {
    double share = rb / (rb - ra);
    for (int i = 0; i < s->states; i++) s->z[i] += share * (s->z_before[i] - s->z[i]);
    return b + share * (a - b);
}

/* The root between a and b, at which r has different signs; b was tried last, a before it. */
static double close_in(trial *s, double a, double ra, double b, double rb) {
    int apart = 1; /* nonzero: a was tried just before b */
    for (int i = 0; i < MOST_TRIES && !is_root(s, rb); i++) {
        if (apart && is_near(s, rb)) return on_line(s, a, ra, b, rb);
        double d = b - rb * (b - a) / (rb - ra);
        if (!((d - a) * (d - b) < 0.0)) d = 0.5 * (a + b); /* it lies between them */
        if (d == a || d == b) break;                       /* neighbours */
        double r = residual(s, d);
        apart = (r > 0.0) != (rb > 0.0);
        if (apart) {
            a = b;
            ra = rb;
        } else {
            ra *= rb / (rb + r);
        }
        b = d;
        rb = r;
    }
    return b;
}

/* The bracket goes on as long as friction falls faster than the inertia holds. */
static double find_root(trial *s) {
    double a = 0.0, ra = residual(s, a), reach = 1.0;
    if (is_root(s, ra)) return a;
    for (int i = 0;; i++) {
        double b = a - reach * ra / s->inertia, rb = residual(s, b);
        if (is_root(s, rb) || i == MOST_TRIES) return b;
        if ((ra > 0.0) != (rb > 0.0)) return close_in(s, a, ra, b, rb);
        a = b;
        ra = rb;
        reach *= 2.0;
    }
}

/* The force of a set-valued law at v = 0, from one side or held. */
static double at_rest(trial *s, bri_mode mode) {
    s->u.v = 0.0;
    s->u.mode = mode;
    return bri_model_eval(s->m, s->p, &s->u, s->z0, NULL);
}

static double find_set_valued_root(trial *s) {
    double need = s->f + s->inertia * s->v0; /* stops it within the step */
    s->u.fa = need;
    /* At rest the static level holds it, in motion the level of sliding stops it. */
    double low = at_rest(s, s->v0 == 0.0 ? BRI_STUCK : BRI_SLIDE_NEG);
    double high = s->v0 == 0.0 ? low : at_rest(s, BRI_SLIDE_POS);
    if (need >= low && need <= high) return -s->v0;
    s->u.mode = need > high ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
    double a = -s->v0, ra = residual(s, a);            /* rest */
    double b = s->f / s->inertia, rb = residual(s, b); /* no friction */
    if ((ra > 0.0) == (rb > 0.0)) return is_root(s, rb) ? b : a;
    return close_in(s, a, ra, b, rb);
}

double bri_mass_step(const bri_model *m, const double *p, const bri_push *on, double h, double *x,
                     double *v, double *z) {
    trial
        s; /* its states are written before they are read: to clear them costs a fifth of a step */
    s.m = m, s.p = p, s.z0 = z;
    s.v0 = *v, s.f = on->force, s.h = h;
    s.inertia = on->mass / h;
    s.states = bri_model_states(m, p);
    s.u = (bri_input){.x = *x, .n = on->n, .mode = BRI_AUTO};
    s.plain = m->step && !m->set_valued && h > 0.0 && !lifted_off(&s.u);
    if (!(s.inertia > 0.0) || !isfinite(s.inertia * *v) || !isfinite(s.f)) return NAN;
    int holds = m->set_valued && !lifted_off(&s.u);
    double d = holds ? find_set_valued_root(&s) : find_root(&s);
    for (int i = 0; !holds && i < s.states; i++) z[i] = s.z[i];
    *v += d;
    *x += h * *v;
    return s.f - s.inertia * d;
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
