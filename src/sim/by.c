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

/* What is read of a network. */
typedef double reading(const network *net, int i);

static double position(const network *net, int at) { return net->pos[at]; }
static double velocity(const network *net, int at) { return net->vel[at]; }
static double friction(const network *net, int i) { return net->touches[i].F; }
static double load(const network *net, int i) { return fmax(net->touches[i].N, 0.0); }
static double tension(const network *net, int i) { return network_link_force((network *)net, i); }

static void show(const bri_sim *sim, network *net, const double *y) {
    network_show(net, sim->t, y, sim->tangent->f);
    stick_forces(net);
}

/* Derivatives by number k at the present time of some readings: with the state held, and along its
 * derivative. */
static void read_by(bri_sim *sim, int k, int count, reading *const *read, const int *which,
                    double *out) {
    tangent *T = sim->tangent;
    const stencil *d = &T->by[k].d;
    look(sim, 0);
    const double *S = states_by(sim, k);
    double *y = T->before; /* free between events */
    sim_state_at(sim, sim->t, y);
    double step = tangent_reach(T, y, S);
    for (int i = 0; i < count; i++) out[i] = 0.0;
    for (int j = 0; step > 0.0 && j < VARIANTS; j++) {
        for (int i = 0; i < T->n; i++) T->y[i] = y[i] + tangent_offset[j] * step * S[i];
        show(sim, T->base, T->y);
        for (int i = 0; i < count; i++)
            out[i] += tangent_weight[j] * read[i](T->base, which[i]) / step;
    }
    show(sim, T->base, y);
    for (int j = 0; j < VARIANTS; j++) show(sim, &d->net[j], y);
    for (int i = 0; i < count; i++) out[i] += stencil_sum(d, T->base, read[i], which[i]);
    look(sim, 1);
    sim->shown = 0;
}

bri_body_now bri_sim_body_by(bri_sim *sim, int i, int k) {
    if (has_derivative(sim, k, NULL) != BRI_OK) return (bri_body_now){NAN, NAN, NAN, NAN};
    reading *const read[4] = {position, velocity, position, velocity};
    int x = sim->net->body_x[i], z = sim->net->body_z[i], which[4] = {x, x, z, z};
    double d[4];
    read_by(sim, k, 4, read, which, d);
    return (bri_body_now){d[0], d[1], d[2], d[3]};
}

bri_contact_by bri_sim_contact_by(bri_sim *sim, int i, int k) {
    if (has_derivative(sim, k, NULL) != BRI_OK) return (bri_contact_by){NAN, NAN, NAN, NAN};
    reading *const read[6] = {position, velocity, position, velocity, friction, load};
    const touch *c = &sim->net->touches[i];
    int which[6] = {c->a, c->a, c->b, c->b, i, i};
    double d[6];
    read_by(sim, k, 6, read, which, d);
    return (bri_contact_by){d[0] - d[2], d[1] - d[3], d[4], d[5]};
}

double bri_sim_coupling_force_by(bri_sim *sim, int i, int k) {
    reading *const read[1] = {tension};
    double d;
    if (has_derivative(sim, k, NULL) != BRI_OK) return NAN;
    read_by(sim, k, 1, read, &i, &d);
    return d;
}

bri_status bri_sim_rhs_by(bri_sim *sim, double t, const double *y, bri_ref ref, double *dy,
                          bri_error *err) {
    bri_status status = sim_renew(sim, err);
    if (status != BRI_OK) return status;
    if (sim->solver->leaps)
        return bri_fail(err, BRI_BAD_VALUE,
                        "with the solver %s there are impulses, not rates: take another solver",
                        sim->solver->name);
    if (!sim->spare) sim->spare = calloc(1 + VARIANTS, sizeof *sim->spare);
    if (!sim->spare) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for derivatives");
    for (int i = 0; i <= VARIANTS; i++) sim->spare[i].apart = 1;
    if (!sim_number(sim, ref, 0))
        return bri_fail(err, BRI_NOT_FOUND, "there is no such number in this simulation");
    stencil d = {.net = sim->spare + 1};
    status = network_build(sim->spare, &sim->def.system, sim->def.t_start, sim->def.t_end, err);
    if (status == BRI_OK) status = network_allow_stick(sim->spare, err);
    if (status == BRI_OK) status = stencil_build(sim, ref, &d, NULL, err);
    if (status != BRI_OK) return status;
    sim_exchange_modes(sim);
    for (int i = 0; i < sim->net->n_touches; i++)
        sim->kept_modes[i] = sim_mode_of(&sim->net->touches[i]);
    sim_exchange_modes(sim);
    for (int k = 0; k <= VARIANTS; k++) network_take_modes(&sim->spare[k], sim->kept_modes, NULL);
    memset(dy, 0, sizeof *dy * (size_t)sim->net->n);
    network_linearise(sim->spare, t, y, sim->dy, NULL);
    stencil_rates(&d, sim->spare, t, y, sim->dy, dy);
    return BRI_OK;
}
