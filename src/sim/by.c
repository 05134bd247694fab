/* by.c - derivatives by numbers as they are read: of states, bodies, contacts, couplings, rates. */
#include "tangent.h"

#include <math.h>
#include <string.h>

/* The derivatives of the states at the present time, and all networks as they are there. */
static const double *states_by(bri_sim *sim, int k) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    if (!(sim->t < s->t)) return T->by[k].S;
    if (T->now == sim->t) return T->by[k].S_now;
    double h = T->h;
    for (int i = 0; i < T->count; i++) { /* over the first part of the step once more */
        variation *v = &T->by[i];
        double *end = v->S;
        memcpy(v->S_now, v->S_prev, sizeof *v->S * (size_t)T->n);
        v->S = v->S_now;
        v->S_now = end;
    }
    tangent_carry_part(sim, s->t_prev, sim->t);
    for (int i = 0; i < T->count; i++) {
        variation *v = &T->by[i];
        double *now = v->S;
        v->S = v->S_now;
        v->S_now = now;
    }
    T->h = h;
    T->now = sim->t;
    return T->by[k].S_now;
}

/* Networks as during the last step while the present time lies in it, and as they are from its end
 * on afterwards. */
static void look(bri_sim *sim, int back) {
    const tangent *T = sim->tangent;
    if (!(sim->t < sim->s->t)) return;
    if (!back) sim_exchange_modes(sim);
    tangent_set(T, back ? &T->at : &T->at_prev);
    if (back) sim_exchange_modes(sim);
}

static bri_status has_derivative(bri_sim *sim, int k, bri_error *err) {
    bri_status status = sim_renew(sim, err);
    if (status != BRI_OK) return status;
    if (!sim->tangent || k < 0 || k >= sim->tangent->count)
        return bri_fail(err, BRI_NOT_FOUND, "derivative %d was not asked for in the definition", k);
    if (sim->tangent->lost < sim->t)
        return bri_fail(err, BRI_NO_PROGRESS,
                        "derivatives of the run are not known beyond t = %.9g s: no step was short "
                        "enough for them",
                        sim->tangent->lost);
    return BRI_OK;
}

bri_status bri_sim_by(bri_sim *sim, int k, double *dy, bri_error *err) {
    bri_status status = has_derivative(sim, k, err);
    if (status != BRI_OK) return status;
    look(sim, 0);
    memcpy(dy, states_by(sim, k), sizeof *dy * (size_t)sim->tangent->n);
    look(sim, 1);
    sim->shown = 0;
    return BRI_OK;
}

/* What is derived. */
typedef enum reading { POSITION, VELOCITY, FRICTION, LOAD, TENSION } reading;

static double read_of(const stencil *d, reading what, int i) {
    const double *const from[] = {d->pos, d->vel, d->friction, d->load, d->tension};
    return from[what][i];
}

/* Derivatives by number k at the present time of some readings: with the state held, and along its
 * derivative. */
static void read_by(bri_sim *sim, int k, int count, const reading *what, const int *which,
                    double *out) {
    tangent *T = sim->tangent;
    stencil d = T->by[k].d;
    look(sim, 0);
    const double *S = states_by(sim, k);
    double *y = T->before; /* free between events */
    sim_state_at(sim, sim->t, y);
    network_linearise(T->base, sim->t, y, T->f, NULL);
    stencil_show(&d, T->base, sim->t, y, T->f);
    for (int i = 0; i < count; i++) out[i] = read_of(&d, what[i], which[i]);
    stencil_along(&d, S);
    network_linearise(T->base, sim->t, y, T->f, NULL);
    stencil_show(&d, T->base, sim->t, y, T->f);
    for (int i = 0; i < count; i++) out[i] += read_of(&d, what[i], which[i]);
    look(sim, 1);
    sim->shown = 0;
}

bri_body_now bri_sim_body_by(bri_sim *sim, int i, int k) {
    if (has_derivative(sim, k, NULL) != BRI_OK) return (bri_body_now){NAN, NAN, NAN, NAN};
    static const reading what[4] = {POSITION, VELOCITY, POSITION, VELOCITY};
    int x = sim->net->body_x[i], z = sim->net->body_z[i], which[4] = {x, x, z, z};
    double d[4];
    read_by(sim, k, 4, what, which, d);
    return (bri_body_now){d[0], d[1], d[2], d[3]};
}

bri_contact_by bri_sim_contact_by(bri_sim *sim, int i, int k) {
    if (has_derivative(sim, k, NULL) != BRI_OK) return (bri_contact_by){NAN, NAN, NAN, NAN};
    static const reading what[6] = {POSITION, VELOCITY, POSITION, VELOCITY, FRICTION, LOAD};
    const touch *c = &sim->net->touches[i];
    int which[6] = {c->a, c->a, c->b, c->b, i, i};
    double d[6];
    read_by(sim, k, 6, what, which, d);
    return (bri_contact_by){d[0] - d[2], d[1] - d[3], d[4], d[5]};
}

double bri_sim_coupling_force_by(bri_sim *sim, int i, int k) {
    static const reading what[1] = {TENSION};
    double d;
    if (has_derivative(sim, k, NULL) != BRI_OK) return NAN;
    read_by(sim, k, 1, what, &i, &d);
    return d;
}

/* ---- at any time and state ------------------------------------------------------------------- */

/* A network of its own, with contacts moving as they do now, linearised at (t, y); the first of
 * sim->spare, whose others are the variants in a number. */
static bri_status build_spare(bri_sim *sim, const bri_ref *ref, stencil *d, bri_error *err) {
    const bri_sim_def *def = &sim->def;
    bri_status status = sim_renew(sim, err);
    if (status == BRI_OK) status = sim_has_rates(sim, err);
    if (status != BRI_OK) return status;
    if (!sim->spare) sim->spare = calloc(1 + VARIANTS, sizeof *sim->spare);
    if (!sim->spare) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for derivatives");
    for (int i = 0; i <= VARIANTS; i++) sim->spare[i].apart = 1;
    if (ref && !sim_number(sim, *ref, 0))
        return bri_fail(err, BRI_NOT_FOUND, "there is no such number in this simulation");
    network *base = sim->spare;
    d->net = sim->spare + 1;
    status = network_build(base, &def->system, def->t_start, def->t_end, err);
    if (status == BRI_OK) status = network_allow_stick(base, err);
    if (status == BRI_OK)
        status = ref ? stencil_build(sim, *ref, d, NULL, err)
                     : stencil_of_states(base, &base->memory, d, err);
    return status;
}

static bri_status linearise_spare(bri_sim *sim, const bri_ref *ref, double t, const double *y,
                                  stencil *d, bri_error *err) {
    bri_status status = build_spare(sim, ref, d, err);
    if (status != BRI_OK) return status;
    network *base = sim->spare;
    int nets = ref ? 1 + VARIANTS : 1;
    sim_exchange_modes(sim);
    for (int i = 0; i < sim->net->n_touches; i++)
        sim->kept_modes[i] = sim_mode_of(&sim->net->touches[i]);
    sim_exchange_modes(sim);
    for (int i = 0; i < base->n_motions; i++) { /* a speed that was another before */
        double shift = sim->net->motions[i].from - base->motions[i].from;
        for (int k = 0; k < nets; k++) sim->spare[k].motions[i].from += shift;
    }
    for (int k = 0; k < nets; k++) network_take_modes(&sim->spare[k], sim->kept_modes, NULL);
    network_linearise(base, t, y, sim->dy, NULL);
    return BRI_OK;
}

bri_status bri_sim_rhs_by(bri_sim *sim, double t, const double *y, bri_ref ref, double *dy,
                          bri_error *err) {
    stencil d = {0};
    bri_status status = linearise_spare(sim, &ref, t, y, &d, err);
    if (status != BRI_OK) return status;
    memset(dy, 0, sizeof *dy * (size_t)sim->net->n);
    stencil_rates(&d, sim->spare, t, y, sim->dy, dy);
    return BRI_OK;
}

static void put_shown(const bri_sim *sim, const stencil *d, bri_shown *to) {
    const network *net = sim->spare;
    const bri_system *s = &sim->def.system;
    for (int i = 0; to->bodies && i < s->n_bodies; i++) {
        int x = net->body_x[i], z = net->body_z[i];
        to->bodies[i] = (bri_body_now){d->pos[x], d->vel[x], d->pos[z], d->vel[z]};
    }
    for (int i = 0; to->contacts && i < net->n_touches; i++) {
        int a = net->touches[i].a, b = net->touches[i].b;
        to->contacts[i] = (bri_contact_by){d->pos[a] - d->pos[b], d->vel[a] - d->vel[b],
                                           d->friction[i], d->load[i]};
    }
    for (int i = 0; to->tensions && i < net->n_links; i++) to->tensions[i] = d->tension[i];
}

bri_status bri_sim_shown_by(bri_sim *sim, double t, const double *y, bri_ref ref, bri_shown *out,
                            bri_error *err) {
    stencil d = {0};
    bri_status status = linearise_spare(sim, &ref, t, y, &d, err);
    if (status != BRI_OK) return status;
    stencil_show(&d, sim->spare, t, y, sim->dy);
    put_shown(sim, &d, out);
    return BRI_OK;
}

bri_status bri_sim_shown_along(bri_sim *sim, double t, const double *y, const double *dy, int count,
                               bri_shown *out, bri_error *err) {
    stencil d = {0};
    bri_status status = linearise_spare(sim, NULL, t, y, &d, err);
    if (status != BRI_OK) return status;
    for (int k = 0; k < count; k++) {
        stencil_along(&d, dy + (size_t)k * (size_t)sim->net->n);
        stencil_show(&d, sim->spare, t, y, sim->dy);
        put_shown(sim, &d, &out[k]);
    }
    return BRI_OK;
}
