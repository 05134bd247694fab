/* check.c - what a definition of a system must not be. */
#include "fail.h"
#include "network.h"
#include <math.h>

/* Beyond these a square or a quotient of two values could leave the range of a double. The tables
 * of laws, couplings and signals have bounds of their own. */
static const double largest = 1e30, smallest = 1e-30;

static int fits(double x) { return fabs(x) <= largest; } /* NaN does not */

static const char *body_name(const bri_system *s, int i) {
    return i == BRI_GROUND ? "ground" : s->bodies[i].name ? s->bodies[i].name : "body";
}

static const char *name_or(const char *name, const char *other) { return name ? name : other; }

static int is_body(const bri_system *s, int i) {
    return i == BRI_GROUND || (i >= 0 && i < s->n_bodies);
}

/* The points of a table: finite, and times that increase. */
static bri_status check_points(const char *name, const bri_signal *s, bri_error *err) {
    if (s->count < 1 || !s->t || !s->y)
        return bri_fail(err, BRI_BAD_VALUE, "%s: a table has no points", name);
    for (int i = 0; i < s->count; i++) {
        if (!isfinite(s->t[i]) || !isfinite(s->y[i]))
            return bri_fail(err, BRI_BAD_VALUE, "%s: point %d of a table is not finite", name, i);
        if (i > 0 && !(s->t[i] > s->t[i - 1]))
            return bri_fail(err, BRI_BAD_VALUE, "%s: the times of a table must increase: %g, %g",
                            name, s->t[i - 1], s->t[i]);
    }
    return BRI_OK;
}

/* Signals of a system, with their parts: each is evaluated at every step. */
enum { MOST_SIGNALS = 10000000 };

/* A signal and all its parts; none is fine. *count is that of those seen so far. */
static bri_status check_signal(const char *name, const bri_signal *s, long *count, bri_error *err) {
    if (!s) return BRI_OK;
    if (++*count > MOST_SIGNALS)
        return bri_fail(err, BRI_BAD_VALUE, "%s: the signals have more than %d parts in all", name,
                        MOST_SIGNALS);
    if (!s->kind) return bri_fail(err, BRI_BAD_VALUE, "%s: a signal has no kind", name);
    for (int i = 0; i < s->kind->n_params; i++) {
        const bri_param *row = &s->kind->params[i];
        if (!(s->p[i] >= row->min && s->p[i] <= row->max))
            return bri_fail(err, BRI_BAD_VALUE, "%s: %s: %s = %g is outside %g ... %g", name,
                            s->kind->name, row->name, s->p[i], row->min, row->max);
    }
    const char *wrong = s->kind->check ? s->kind->check(s->p) : NULL;
    if (wrong) return bri_fail(err, BRI_BAD_VALUE, "%s: %s: %s", name, s->kind->name, wrong);
    bri_status status = s->kind->holds == BRI_POINTS ? check_points(name, s, err) : BRI_OK;
    for (int i = 0; status == BRI_OK && s->parts && i < s->count; i++)
        status = check_signal(name, &s->parts[i], count, err);
    return status;
}

static bri_status check_bodies(const bri_system *s, long *signals, bri_error *err) {
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        const char *name = body_name(s, i);
        if (b->kind != BRI_MASS && b->kind != BRI_ROTOR && b->kind != BRI_POINT)
            return bri_fail(err, BRI_BAD_VALUE, "%s: there is no kind of body %d", name,
                            (int)b->kind);
        if (!fits(b->x) || !fits(b->v) || !fits(b->z) || !fits(b->vz))
            return bri_fail(err, BRI_BAD_VALUE, "%s: the start values must be finite, up to %g",
                            name, largest);
        if (b->position && b->velocity)
            return bri_fail(err, BRI_BAD_VALUE, "%s: give position or velocity, not both", name);
        if (body_prescribed(b) && b->kind == BRI_POINT)
            return bri_fail(err, BRI_BAD_VALUE, "%s: a point mass cannot be prescribed", name);
        if (!body_prescribed(b) && !(b->mass > 0.0))
            return bri_fail(err, BRI_BAD_VALUE, "%s: mass = %g must be > 0", name, b->mass);
        if (!body_prescribed(b) && !(b->mass >= smallest && b->mass <= largest))
            return bri_fail(err, BRI_BAD_VALUE, "%s: mass = %g is outside %g ... %g", name, b->mass,
                            smallest, largest);
        bri_status status =
            check_signal(name, b->position ? b->position : b->velocity, signals, err);
        if (status != BRI_OK) return status;
    }
    return BRI_OK;
}

/* mixed: one of them may turn while the other slides. */
static bri_status check_pair(const bri_system *s, const char *name, int a, int b, int mixed,
                             bri_error *err) {
    if (!is_body(s, a) || !is_body(s, b))
        return bri_fail(err, BRI_BAD_VALUE, "%s: there is no such body", name);
    if (a == b)
        return bri_fail(err, BRI_BAD_VALUE, "%s: joins %s with itself", name, body_name(s, a));
    if (!mixed && a != BRI_GROUND && b != BRI_GROUND && body_is_rotor(s, a) != body_is_rotor(s, b))
        return bri_fail(err, BRI_BAD_VALUE, "%s: joins the rotor and the sliding body of %s and %s",
                        name, body_name(s, a), body_name(s, b));
    return BRI_OK;
}

/* What a function of an element must not be; none is fine. */
static bri_status check_function(const bri_system *s, const char *name, const bri_function *f,
                                 int tension, long *signals, bri_error *err) {
    const char *wrong = f ? formula_check(s, f, tension) : NULL;
    if (wrong) return bri_fail(err, BRI_BAD_VALUE, "%s: %s", name, wrong);
    bri_status status = BRI_OK;
    for (int i = 0; f && status == BRI_OK && i < f->n_args; i++)
        status = check_signal(name, f->args[i].signal, signals, err);
    return status;
}

static bri_status check_contact(const bri_system *s, const bri_contact *c, long *signals,
                                bri_error *err) {
    const char *name = name_or(c->name, "contact");
    bri_error inner;
    bri_status status = check_pair(s, name, c->a, c->b, 0, err);
    if (status != BRI_OK) return status;
    if (!c->model) return bri_fail(err, BRI_BAD_VALUE, "%s: has no law", name);
    if ((status = bri_model_check(c->model, c->p, &inner)) != BRI_OK)
        return bri_fail(err, status, "%s: %s", name, inner.text);
    for (int end = 0; end < 2; end++) {
        int i = end == 0 ? c->a : c->b;
        if (i != BRI_GROUND && s->bodies[i].kind == BRI_POINT)
            return bri_fail(err, BRI_BAD_VALUE, "%s: a point mass (%s) has no contact plane", name,
                            body_name(s, i));
    }
    if (c->load < BRI_LOAD_CONSTANT || c->load > BRI_LOAD_FUNCTION)
        return bri_fail(err, BRI_BAD_VALUE, "%s: there is no kind of load %d", name, (int)c->load);
    for (int i = 0; c->z && i < bri_model_states(c->model, c->p); i++)
        if (!fits(c->z[i]))
            return bri_fail(err, BRI_BAD_VALUE,
                            "%s: the start value of %s must be finite, up to %g", name,
                            c->model->states[i].name, largest);
    if (c->load == BRI_LOAD_CONSTANT && !(c->n >= 0.0 && fits(c->n)))
        return bri_fail(err, BRI_BAD_VALUE, "%s: load = %g N must be from 0 to %g", name, c->n,
                        largest);
    if (c->load == BRI_LOAD_SIGNAL && !c->n_of_t)
        return bri_fail(err, BRI_BAD_VALUE, "%s: the load signal is missing", name);
    if (c->load == BRI_LOAD_REACTION && (c->a == BRI_GROUND || body_is_rotor(s, c->a)))
        return bri_fail(err, BRI_BAD_VALUE,
                        "%s: a reaction load needs a sliding body on top, not %s", name,
                        body_name(s, c->a));
    if (c->load == BRI_LOAD_FUNCTION && !c->n_by)
        return bri_fail(err, BRI_BAD_VALUE, "%s: the load function is missing", name);
    status = check_signal(name, c->load == BRI_LOAD_SIGNAL ? c->n_of_t : NULL, signals, err);
    if (status == BRI_OK && c->load == BRI_LOAD_FUNCTION)
        status = check_function(s, name, c->n_by, 0, signals, err);
    for (int i = 0; status == BRI_OK && i < c->n_varying; i++) {
        const bri_varying *v = &c->varying[i];
        if (v->param < 0 || v->param >= c->model->n_params)
            return bri_fail(err, BRI_BAD_VALUE, "%s: %s has no parameter %d", name, c->model->name,
                            v->param);
        status = check_function(s, name, &v->by, 0, signals, err);
    }
    return status;
}

static bri_status check_kind(const bri_system *s, const bri_coupling *c, const char *name,
                             bri_error *err) {
    const char *wrong = c->kind->check ? c->kind->check(c->p) : NULL;
    if (wrong) return bri_fail(err, BRI_BAD_VALUE, "%s: %s", name, wrong);
    if (!c->kind->ratio) return BRI_OK;
    if (c->tension) return bri_fail(err, BRI_BAD_VALUE, "%s: a gear has no tension", name);
    int slides = c->b != BRI_GROUND && s->bodies[c->b].kind == BRI_MASS;
    if (!body_is_rotor(s, c->a) || !(c->kind->rack ? slides : body_is_rotor(s, c->b)))
        return bri_fail(err, BRI_BAD_VALUE, "%s: a %s joins a rotor and a %s, not %s and %s", name,
                        c->kind->name, c->kind->rack ? "mass" : "rotor", body_name(s, c->a),
                        body_name(s, c->b));
    return BRI_OK;
}

bri_status network_check(const bri_system *s, bri_error *err) {
    if (!fits(s->gravity))
        return bri_fail(err, BRI_BAD_VALUE, "gravity = %g m/s2 must be finite, up to %g",
                        s->gravity, largest);
    long signals = 0;
    bri_status status = check_bodies(s, &signals, err);
    for (int i = 0; status == BRI_OK && i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        const char *name = name_or(c->name, c->kind ? c->kind->name : "coupling");
        if (!c->kind) return bri_fail(err, BRI_BAD_VALUE, "%s: has no kind", name);
        status = check_pair(s, name, c->a, c->b, c->kind->rack, err);
        if (status == BRI_OK) status = check_kind(s, c, name, err);
        if (status == BRI_OK) status = check_function(s, name, c->tension, 1, &signals, err);
        for (int j = 0; status == BRI_OK && j < c->kind->n_params; j++) {
            const bri_param *row = &c->kind->params[j];
            if (!(c->p[j] >= row->min && c->p[j] <= row->max))
                status = bri_fail(err, BRI_BAD_VALUE, "%s: %s = %g %s is outside %g ... %g", name,
                                  row->name, c->p[j], row->unit, row->min, row->max);
        }
    }
    for (int i = 0; status == BRI_OK && i < s->n_contacts; i++)
        status = check_contact(s, &s->contacts[i], &signals, err);
    for (int i = 0; status == BRI_OK && i < s->n_drives; i++) {
        const bri_drive *d = &s->drives[i];
        const char *name = name_or(d->name, "drive");
        if (d->body < 0 || d->body >= s->n_bodies || body_prescribed(&s->bodies[d->body]))
            status = bri_fail(err, BRI_BAD_VALUE, "%s: acts on no body that can move", name);
        else if (d->vertical && s->bodies[d->body].kind != BRI_POINT)
            status = bri_fail(err, BRI_BAD_VALUE, "%s: %s cannot be driven along z", name,
                              body_name(s, d->body));
        else if ((status = check_signal(name, &d->force, &signals, err)) == BRI_OK)
            status = check_function(s, name, d->by, 0, &signals, err);
    }
    return status;
}
