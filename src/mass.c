/* mass.c - a mass with its contact, for loops of one's own: backward Euler in the velocity, the
 * step of the law in its states,
 *
 *     m (v1 - v0)/h = f - F(v1, z1),   z1 = z0 stepped by h with v1,   x1 = x0 + h v1.
 *
 * One equation for the change d = v1 - v0. Friction that does not fall with speed makes
 * r(d) = m/h d - f + F(v0 + d) rise by m/h at least, so that its root lies between 0 and
 * -r(0) h/m: both ends are tried, then a parabola or a secant kept within the bracket (the Pegasus
 * method, Dowell and Jarratt 1972) closes in. Set-valued laws stick where the force that stops the
 * mass within the step is one they can give (Kikuuwe et al. 2006): v1 is then zero, to the bit. */
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
    double (*step)(const bri_model *, const double *, const bri_input *, double, double *);
    int states;
    double F, *z, *before;          /* with the change last tried; states with the one before */
    double room[2][BRI_MAX_STATES]; /* of both */
} trial;

/* Most laws have one state: a call of memcpy for it takes a tenth of a step. */
static inline void copy(double *to, const double *from, int count) {
    if (count > 0) to[0] = from[0];
    if (count > 1) memcpy(to + 1, from + 1, ((size_t)count - 1) * sizeof *to);
}

static inline double residual(trial *s, double d) {
    double *z = s->before;
    s->before = s->z;
    s->z = z;
    s->u.v = s->v0 + d;
    copy(z, s->z0, s->states);
    s->F = s->step(s->m, s->p, &s->u, s->h, z);
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
    for (int i = 0; i < s->states; i++) s->z[i] += share * (s->before[i] - s->z[i]);
    return b + share * (a - b);
}

/* Where r vanishes by a parabola d(r) through three points, taken where that is monotonic between a
 * and b (Chandrupatla 1997); else by a secant, in which r of an end that stays is made smaller. */
static double next_change(double a, double ra, double held, double b, double rb, double c,
                          double rc) {
    double along = (b - a) / (c - a), of_r = (rb - ra) / (rc - ra);
    if (along < 1.0 && of_r * of_r < along && (1.0 - of_r) * (1.0 - of_r) < 1.0 - along)
        return b + (a - b) * (rb / (ra - rb)) * (rc / (ra - rc)) +
               (c - b) * (rb / (rc - rb)) * (ra / (rc - ra));
    return b - rb * (b - a) / (rb - held);
}

/* The root between a and b, at which r has different signs; b was tried last, a before it. Most
 * laws bend sharply where the motion turns: v = 0 is tried first if it lies between them. */
static double close_in(trial *s, double a, double ra, double b, double rb) {
    double c = a, rc = ra, held = ra; /* a third one; Pegasus: r at a, made smaller if a stays */
    int apart = 1;                    /* nonzero: a was tried just before b */
    for (int i = 0; i < MOST_TRIES && !is_root(s, rb); i++) {
        int turns = (s->v0 + a) * (s->v0 + b) < 0.0;
        if (apart && !turns && is_near(s, rb)) return on_line(s, a, ra, b, rb);
        double d = turns ? -s->v0 : next_change(a, ra, held, b, rb, c, rc);
        if (!((d - a) * (d - b) < 0.0)) d = 0.5 * (a + b); /* it lies between them */
        if (d == a || d == b) break;                       /* neighbours */
        double r = residual(s, d);
        apart = (r > 0.0) != (rb > 0.0);
        c = apart ? a : b;
        rc = apart ? ra : rb;
        if (apart) {
            a = b;
            ra = held = rb;
        } else {
            held *= rb / (rb + r);
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
    trial s; /* what is written before it is read is not cleared: that costs a fifth of a step */
    s.m = m, s.p = p, s.z0 = z;
    s.v0 = *v, s.f = on->force, s.h = h;
    s.inertia = on->mass / h;
    if (!(on->mass > 0.0 && h > 0.0 && isfinite(s.inertia * s.v0 + s.f))) return NAN;
    s.states = bri_model_states(m, p);
    s.z = s.room[0], s.before = s.room[1];
    s.u.x = *x, s.u.n = on->n, s.u.fa = 0.0, s.u.mode = BRI_AUTO;
    int open = lifted_off(&s.u), holds = m->set_valued && !open;
    s.step = m->step && !m->set_valued && !open ? m->step : bri_model_step;
    double d = holds ? find_set_valued_root(&s) : find_root(&s);
    if (!holds) copy(z, s.z, s.states);
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
