/* sense.c - what an engineer would not believe of the values that were found: a static level that
 * is none, damping below zero, coefficients beyond all reason, friction that gives work.
 *
 * A law is passive if no motion from rest gets work out of it. Random motions are tried: stretches
 * of constant velocity within the speeds of the recording, over paths of about one length, which is
 * from a millionth of its travel to all of it. */
#include "identify.h"

#include "random.h"

#include <math.h>
#include <string.h>

/* ---- passivity ------------------------------------------------------------------------------ */

enum { MOTIONS = 12, STRETCHES = 12, STEPS = 40 };

typedef struct reach {
    double fast, travel; /* of the recording */
} reach;

static reach reach_of(const id_force *f) {
    reach to = {.fast = id_fastest(f)};
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        const double *v = r->slide ? r->slide : r->v;
        double x = 0.0, low = 0.0, high = 0.0;
        for (long k = 0; v && k < r->count; k++) {
            x += r->h * v[k];
            low = fmin(low, x), high = fmax(high, x);
        }
        to.travel = fmax(to.travel, high - low);
    }
    return to;
}

/* Work since the start, net and gross, and the least that their quotient was. */
typedef struct account {
    double work, gross, least;
} account;

/* One stretch at velocity v over a path, in steps that grow from a millionth of it. */
static void slide_on(const bri_contact *c, double load, double v, double path, double *z,
                     bri_input *u, account *a) {
    double ratio = pow(1e6, 1.0 / STEPS), before = 0.0, dz[BRI_MAX_STATES];
    *u = (bri_input){.x = u->x, .v = v, .n = load};
    double F = bri_model_eval(c->model, c->p, u, z, dz);
    for (int k = 1; k <= STEPS; k++) {
        double at = path * pow(ratio, k - STEPS), dx = at - before;
        double now = bri_model_step(c->model, c->p, u, dx / fabs(v), z);
        double done = 0.5 * (F + now) * copysign(dx, v);
        a->work += done, a->gross += fabs(done);
        if (a->gross > 0.0) a->least = fmin(a->least, a->work / a->gross);
        u->x += copysign(dx, v);
        F = now, before = at;
    }
}

/* The least net work over gross work that random motions from rest need. */
static double least_work(const bri_contact *c, double load, const reach *to) {
    account a = {.least = 1.0};
    double z[BRI_MAX_STATES];
    for (int m = 0; m < MOTIONS; m++) {
        double length = to->travel * pow(10.0, -6.0 * (m + 0.5) / MOTIONS);
        bri_input u = {0};
        bri_model_rest(c->model, c->p, z);
        a.work = a.gross = 0.0;
        for (int k = 0; k < STRETCHES; k++) {
            double v = to->fast * pow(10.0, -3.0 * bri_random(m + 1, 3.0 * k));
            double path = length * pow(10.0, 0.5 - bri_random(m + 1, 3.0 * k + 1.0));
            if (bri_random(m + 1, 3.0 * k + 2.0) < 0.5) v = -v;
            slide_on(c, load, v, path, z, &u, &a);
        }
    }
    return a.least;
}

static void tell_passive(const id_force *f, bri_fit *fit) {
    reach to = reach_of(f);
    for (int i = 0; i < f->rig->def.system.n_contacts; i++) {
        const bri_contact *c = &f->rig->contacts[i];
        double load = c->n > 0.0 ? c->n : 1.0;
        if (!(to.fast > 0.0) || !(to.travel > 0.0)) return;
        double least = least_work(c, load, &to);
        if (least < -1e-3)
            id_say(&fit->sense,
                   "%s with these values is not passive: random motions from rest get work out of "
                   "it, up to %.2g of what they move, at speeds of this recording.",
                   c->name, -least);
    }
}

/* ---- values --------------------------------------------------------------------------------- */

static int is_level(const id_unknown *o) {
    return o->kind == ID_LAW && (o->role == BRI_ROLE_LEVEL || o->role == BRI_ROLE_STATIC_LEVEL);
}

static void tell_value(const id_unknowns *u, int k, double sought, int together, bri_fit *fit) {
    const id_unknown *o = &u->one[k];
    const bri_estimate *e = &fit->estimate[k];
    if (o->above >= 0 && sought <= 1e-3 * fabs(e->value))
        id_say(&fit->sense, "%s is not above %s: these data show no stiction.", e->name,
               fit->estimate[o->above].name);
    else if (o->above >= 0 && isfinite(e->low) && e->low < fit->estimate[o->above].value)
        id_say(&fit->sense, "%s is not surely above %s: stiction may be none.", e->name,
               fit->estimate[o->above].name);
    if (o->kind == ID_LAW && o->role == BRI_ROLE_LEVEL && e->known != BRI_DETERMINED && !together &&
        isfinite(e->low))
        id_say(&fit->sense, "The sliding level %s is %s: these data do not show sliding friction.",
               e->name, bri_known_name(e->known));
    if (is_level(o) && strcmp(o->unit, "N") != 0 && strcmp(o->unit, "N m") != 0 && e->value > 10.0)
        id_say(&fit->sense,
               "%s is %.3g: no dry contact has such a coefficient. The load may be wrong, or the "
               "data do not reach this level.",
               e->name, e->value);
    if ((o->role == BRI_ROLE_VISCOUS || o->role == BRI_ROLE_VISCOUS_PER_LOAD) &&
        e->known == BRI_ON_BOUND)
        id_say(&fit->sense, "%s ends at 0: it would be negative if it could, which is no damping.",
               e->name);
    if ((o->kind == ID_NUMBER || o->kind == ID_LOAD) && o->low >= 0.0 && e->value <= 0.0)
        id_say(&fit->sense, "%s is not positive.", e->name);
}

void id_sense(const id_force *f, const id_solution *s, const int *together, bri_fit *fit) {
    double value[ID_UNKNOWNS];
    for (int k = 0; k < f->unknowns->count; k++)
        tell_value(f->unknowns, k, s->u[k], together[k], fit);
    id_decode(f->unknowns, s->u, value);
    id_put(f->unknowns, value, 0);
    tell_passive(f, fit);
}
