/* change.c - a simulation changed from outside while it lives: back to the start, or new numbers
 * and states from the present time on. */
#include "sim.h"

#include <math.h>
#include <string.h>

/* Nothing that the integrator has found beyond the present time has happened. */
static void forget_what_lies_ahead(bri_sim *sim) {
    network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        const modes *then = &sim->modes[i];
        c->mode = then->mode;
        c->limit = then->limit;
        c->edge = then->edge;
        c->left = then->left;
        c->lifted = then->lifted;
        if (c->model->set_valued || c->mode != BRI_AUTO) sim->was[i] = sim_direction_of(c);
    }
    if (net->set_valued) {
        memcpy(net->offset, sim->offset, sizeof *net->offset * (size_t)net->n_free);
        stick_group(net);
    }
    while (sim->log_count > 0 && sim->log[sim->log_count - 1].t > sim->t) {
        sim->log_count--;
        sim->events--;
    }
}

void sim_stop_here(bri_sim *sim) {
    stepper *s = sim->s;
    double heat, work;
    sim->continues = 0;
    sim->shown = 0;
    if (s->t > sim->t) {
        if (sim_is_watched(sim)) forget_what_lies_ahead(sim);
        sim->net->as_is = 1;
        sim_account(sim, &heat, &work);
        sim->net->as_is = 0;
        sim_state_at(sim, sim->t, sim->y);
        sim->heat = sim->heat_prev = heat;
        sim->work = sim->work_prev = work;
        s->t = sim->t;
    } else {
        sim_interpolate(sim, sim->t, sim->y);
    }
    s->t_prev = s->t;
    sim->jumped = sim->arc.on = 0;
    sim->jump_work = 0.0;
}

/* Energy of bodies, couplings and bristles at the present state. */
static double energy_of(bri_sim *sim) {
    bri_energies e;
    network_energy(sim->net, sim->t, sim->y, &e);
    return e.kinetic + e.potential + e.stored;
}

/* The present state sim->y has changed, or what acts on it: go on from there, as after a kink. What
 * the energy has changed by is work of whoever changed it. */
static bri_status go_on_from_here(bri_sim *sim, double energy_before, bri_error *err) {
    network *net = sim->net;
    sim->ahead = -INFINITY;
    sim->course_t = NAN;
    network_kick(net, sim->t, sim->y);
    net->moved = NAN;
    sim_settle(sim);
    for (int i = 0; i < net->n_touches; i++) sim->modes[i] = sim_mode_of(&net->touches[i]);
    if (net->set_valued)
        memcpy(sim->offset, net->offset, sizeof *net->offset * (size_t)net->n_free);
    sim->work += energy_of(sim) - energy_before;
    memcpy(sim->s->y, sim->y, sizeof *sim->y * (size_t)net->n);
    if (sim->solver->leaps) stepping_begin(net->stepping, sim->y, 1e-4 * sim->rtol * net->speed);
    sim_keep_forces(sim);
    if (!sim->solver->leaps) sim_report_changes(sim);
    sim->shown = 0;
    return sim->solver->restart(sim->s, err);
}

bri_status sim_go_on(bri_sim *sim, bri_error *err) {
    return go_on_from_here(sim, energy_of(sim), err);
}

/* Sizes that the run has reached stay reached, up to what is expected now. */
static void carry_sizes(bri_sim *sim, const double *reached, const double *origin) {
    network *net = sim->net;
    network_begin_sizes(net, sim->y, sim->atol);
    memcpy(net->origin, origin, sizeof *origin * (size_t)net->n);
    for (int k = 0; k < net->n; k++)
        net->nominal[k] = fmax(net->nominal[k], fmin(reached[k], net->expected[k]));
}

bri_status sim_renew(bri_sim *sim, bri_error *err) {
    network *net = sim->net;
    if (!sim->stale) return BRI_OK;
    if (!sim->begun) {
        double t_end = sim->t_end; /* it may have been put off */
        bri_status built = sim_build(sim, err);
        return built == BRI_OK ? bri_sim_extend(sim, t_end, err) : built;
    }
    sim->stale = 0;
    sim_stop_here(sim);
    double before = energy_of(sim), *keep = sim->carried;
    size_t n = (size_t)net->n, all = (size_t)net->n_all;
    network_place(net, sim->t, sim->y);
    network_place_idle(net, sim->t);
    memcpy(keep, net->nominal, n * sizeof *keep);
    memcpy(keep + n, net->origin, n * sizeof *keep);
    memcpy(keep + 2 * n, net->pos, all * sizeof *keep);
    bri_status status = sim_build_network(sim, err);
    if (status != BRI_OK) return status;
    for (int i = 0; i < net->n_motions; i++) { /* who is moved at a speed stays where it is */
        motion *m = &net->motions[i];
        double s[4];
        if (m->order == 0) continue;
        m->signal->kind->eval(m->signal, sim->t, s);
        m->from = keep[2 * n + (size_t)m->at] - s[0];
    }
    sim_lay_out(sim);
    carry_sizes(sim, keep, keep + n);
    return go_on_from_here(sim, before, err);
}

bri_status bri_sim_reset(bri_sim *sim, bri_error *err) { return sim_build(sim, err); }

/* ---- states, rates, Jacobian ---------------------------------------------------------------- */

int bri_sim_states(const bri_sim *sim) { return sim->net->n; }

void bri_sim_state_get(bri_sim *sim, double *y) {
    if (sim->stale) sim_renew(sim, NULL);
    sim_exchange_modes(sim);
    sim_state_at(sim, sim->t, y);
    sim_exchange_modes(sim);
}

bri_status bri_sim_state_set(bri_sim *sim, const double *y, bri_error *err) {
    bri_status status = sim_renew(sim, err);
    if (status == BRI_OK && sim->tangent)
        status = bri_fail(err, BRI_BAD_VALUE,
                          "derivatives of a run are those of one that goes on undisturbed");
    for (int k = 0; status == BRI_OK && k < sim->net->n; k++)
        if (!(fabs(y[k]) <= 1e30))
            status =
                bri_fail(err, BRI_BAD_VALUE, "state %d = %g must be finite, up to 1e30", k, y[k]);
    if (status != BRI_OK) return status;
    sim_stop_here(sim);
    double before = energy_of(sim);
    memcpy(sim->y, y, sizeof *y * (size_t)sim->net->n);
    sim->begun = 1;
    return go_on_from_here(sim, before, err);
}

double sim_look_elsewhere(bri_sim *sim) {
    double latest = sim->net->latest;
    sim_exchange_modes(sim);
    sim->net->as_is = 1;
    sim->net->latest = INFINITY;
    sim->net->moved = NAN;
    sim->shown = 0;
    return latest;
}

void sim_look_back(bri_sim *sim, double latest, int linearised) {
    network *net = sim->net;
    net->latest = latest;
    net->moved = NAN;
    net->as_is = 0;
    sim_exchange_modes(sim);
    if (linearised)
        network_linearise(net, sim->s->t, sim->s->y, sim->dy, NULL);
    else
        network_rhs(net, sim->s->t, sim->s->y, sim->dy);
}

bri_status sim_has_rates(const bri_sim *sim, bri_error *err) {
    if (!sim->solver->leaps) return BRI_OK;
    return bri_fail(err, BRI_BAD_VALUE,
                    "with the solver %s there are impulses, not rates: take another solver",
                    sim->solver->name);
}

bri_status bri_sim_rhs(bri_sim *sim, double t, const double *y, double *dy, bri_error *err) {
    bri_status status = sim_has_rates(sim, err);
    if (status == BRI_OK) status = sim_renew(sim, err);
    if (status != BRI_OK) return status;
    double latest = sim_look_elsewhere(sim);
    network_rhs(sim->net, t, y, dy);
    sim_look_back(sim, latest, 0);
    return BRI_OK;
}

typedef struct dense {
    double *J;
    int n;
} dense;

static void put_dense(void *to, int row, int column, double value) {
    const dense *d = to;
    d->J[(size_t)row * (size_t)d->n + (size_t)column] += value;
}

bri_status bri_sim_jacobian(bri_sim *sim, double t, const double *y, double *J, bri_error *err) {
    bri_status status = sim_has_rates(sim, err);
    if (status == BRI_OK) status = sim_renew(sim, err);
    if (status != BRI_OK) return status;
    size_t n = (size_t)sim->net->n;
    dense to = {J, sim->net->n};
    memset(J, 0, n * n * sizeof *J);
    double latest = sim_look_elsewhere(sim);
    network_linearise(sim->net, t, y, sim->dy, NULL);
    network_jacobian(sim->net, put_dense, &to);
    sim_look_back(sim, latest, 1);
    return BRI_OK;
}
