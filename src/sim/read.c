/* read.c - what a simulation tells at its present time. */
#include "sim.h"
#include "system/path.h"

#include <math.h>

static int same_modes(const modes *a, const modes *b) {
    return a->mode == b->mode && a->limit == b->limit && a->edge == b->edge && a->left == b->left &&
           a->lifted == b->lifted;
}

void sim_exchange_modes(bri_sim *sim) {
    network *net = sim->net;
    int changed = 0;
    if (!sim_is_watched(sim) || !(sim->t < sim->s->t)) return;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        modes now = sim_mode_of(c), then = sim->modes[i];
        changed |= !same_modes(&now, &then);
        c->mode = then.mode;
        c->limit = then.limit;
        c->edge = then.edge;
        c->left = then.left;
        c->lifted = then.lifted;
        sim->modes[i] = now;
    }
    if (!net->set_valued) return;
    if (changed) stick_group(net);
    double *offset = net->offset;
    net->offset = sim->offset;
    sim->offset = offset;
}

/* How a contact moves: a set-valued one by its mode, others as their law sees it. */
static int motion_of(const bri_sim *sim, int i) {
    const network *net = sim->net;
    const touch *c = &net->touches[i];
    bri_input u = touch_input(net, c);
    if (c->model->set_valued && net->stepping) return stepping_motion(net->stepping, i);
    if (c->model->set_valued && !c->unmoved) return sim_direction_of(c);
    u.mode = BRI_AUTO;
    return bri_model_motion(c->model, c->p, &u, sim->y + 2 * net->n_free + c->first);
}

/* Put all coordinates where they are at the present time. */
static void place(bri_sim *sim) {
    network *net = sim->net;
    if (sim->stale) sim_renew(sim, NULL);
    if (sim->shown) return;
    sim_exchange_modes(sim);
    if (net->set_valued) sim_state_at(sim, sim->t, sim->y); /* else it is there */
    network_place(net, sim->t, sim->y);
    network_place_idle(net, sim->t);
    sim_exchange_modes(sim);
    sim->shown = PLACED;
}

/* Evaluate the network at the present time. */
static void show(bri_sim *sim) {
    if (sim->stale) sim_renew(sim, NULL);
    if (sim->shown == EVALUATED) return;
    sim->net->as_is = 1;
    sim_exchange_modes(sim);
    if (sim->net->set_valued) sim_state_at(sim, sim->t, sim->y); /* else it is there */
    network_show(sim->net, sim->t, sim->y, sim->dy);
    if (sim->solver->leaps)
        stepping_forces(sim->net->stepping);
    else
        stick_forces(sim->net);
    for (int i = 0; i < sim->net->n_touches; i++) sim->motions[i] = motion_of(sim, i);
    sim_exchange_modes(sim);
    sim->net->as_is = 0;
    sim->shown = EVALUATED;
}

double bri_sim_time(const bri_sim *sim) { return sim->t; }

double bri_sim_speed(const bri_sim *sim) { return sim->net->speed; }

bri_stats bri_sim_stats(const bri_sim *sim) {
    const stepper *s = sim->s;
    return (bri_stats){.steps = s->steps,
                       .rejected = s->rejected,
                       .evals = s->evals,
                       .jacobians = s->jacobians,
                       .factorisations = s->factorisations,
                       .events = sim->events,
                       .t = s->t};
}

bri_body_now bri_sim_body(bri_sim *sim, int i) {
    place(sim);
    const network *net = sim->net;
    int x = net->body_x[i], z = net->body_z[i];
    return (bri_body_now){net->pos[x], net->vel[x], net->pos[z], net->vel[z]};
}

bri_contact_now bri_sim_contact(bri_sim *sim, int i) {
    show(sim);
    const network *net = sim->net;
    const touch *c = &net->touches[i];
    bri_input u = touch_input(net, c);
    const double *z = sim->y + 2 * net->n_free + c->first;
    return (bri_contact_now){.x = u.x,
                             .v = u.v,
                             .F = c->F,
                             .N = fmax(c->N, 0.0),
                             .motion = sim->motions[i],
                             .z = z,
                             .n_states = c->count};
}

void sim_place_at(bri_sim *sim, double t) {
    sim_state_at(sim, t, sim->y);
    network_place(sim->net, t, sim->y);
    network_place_idle(sim->net, t);
}

void bri_sim_sliding(bri_sim *sim, bri_sliding *to) {
    network *net = sim->net;
    if (sim->stale) sim_renew(sim, NULL);
    int within = sim->t < sim->s->t; /* the last step goes on */
    sim_exchange_modes(sim);
    sim_place_at(sim, sim->t);
    for (int i = 0; i < net->n_touches; i++) {
        const pair *p = &sim->pairs[i];
        double v = net->vel[p->a] - net->vel[p->b];
        bri_sliding *now = &to[i];
        now->x = net->pos[p->a] - net->pos[p->b];
        now->v = v;
        now->before = now->after = v > 0.0 ? 1 : v < 0.0 ? -1 : 0;
        if (p->exact && net->stepping) {
            now->before = stepping_moved(net->stepping, p->a, p->b);
            if (within) now->after = now->before;
        } else if (p->exact) {
            bri_mode before = sim->modes[i].mode;
            now->after = sim_direction_of(&net->touches[i]);
            now->before = within ? now->after : before == BRI_STUCK ? 0 : (int)before;
        }
    }
    sim_exchange_modes(sim);
    sim->shown = 0;
}

/* The largest value between the ends of the polynomial through five at 0 ... 4. */
static double highest(const double f[5]) {
    enum { PARTS = 16 };
    double d[5] = {f[0], f[1], f[2], f[3], f[4]}, at[PARTS + 1];
    int near = 0, best = 0;
    for (int i = 1; i < 5; i++)
        if (f[i] > f[near]) near = i;
    for (int k = 1; k < 5; k++) /* differences, divided by the factorials */
        for (int i = 4; i >= k; i--) d[i] = (d[i] - d[i - 1]) / k;
    double rises = d[1] - d[2] + 2.0 * d[3] - 6.0 * d[4];
    double goes_on = d[1] + 7.0 * d[2] + 26.0 * d[3] + 50.0 * d[4];
    if ((near == 0 && rises <= 0.0) || (near == 4 && goes_on >= 0.0)) return f[near];
    double from = fmax(near - 1, 0), part = (fmin(near + 1, 4) - from) / PARTS;
    for (int j = 0; j <= PARTS; j++) {
        double u = from + part * j;
        at[j] = d[0] + u * (d[1] + (u - 1.0) * (d[2] + (u - 2.0) * (d[3] + (u - 3.0) * d[4])));
        if (at[j] > at[best]) best = j;
    }
    if (best == 0 || best == PARTS) return fmax(f[near], at[best]);
    double slope = at[best + 1] - at[best - 1];
    double bend = 2.0 * at[best] - at[best - 1] - at[best + 1];
    return at[best] + (bend > 0.0 ? slope * slope / (8.0 * bend) : 0.0);
}

void bri_sim_fastest(bri_sim *sim, double *to) {
    network *net = sim->net;
    int n = net->n_touches, places = sim->solver->leaps ? 1 : 5;
    if (sim->stale) sim_renew(sim, NULL);
    double from = fmin(sim->s->t_prev, sim->t), *v = sim->passed;
    if (sim->arc.on) {
        to[0] = sim_arc_fastest(&sim->arc, net->vel[net->single.far], from, sim->t);
        return;
    }
    sim_exchange_modes(sim);
    for (int p = places - 1; p >= 0; p--) {
        double t = p == 4 || places == 1 ? sim->t : from + 0.25 * p * (sim->t - from);
        sim_place_at(sim, t);
        for (int i = 0; i < n; i++)
            v[places * i + p] = net->vel[sim->pairs[i].a] - net->vel[sim->pairs[i].b];
    }
    for (int i = 0; i < n; i++) {
        double *f = v + places * i, most = 0.0;
        for (int p = 0; p < places; p++) most = fmax(most, fabs(f[p]));
        for (int way = -1; places == 5 && most > 0.0 && way <= 1; way += 2) {
            const double ahead[5] = {way * f[0], way * f[1], way * f[2], way * f[3], way * f[4]};
            most = fmax(most, highest(ahead));
        }
        to[i] = most;
    }
    sim_interpolate(sim, sim->t, sim->y);
    sim_exchange_modes(sim);
    sim->shown = 0;
}

double bri_sim_coupling_force(bri_sim *sim, int i) {
    show(sim);
    return network_link_force(sim->net, i);
}

void sim_account(bri_sim *sim, double *heat, double *work) {
    *heat = sim->heat;
    *work = sim->work;
    if (!sim->energies || !(sim->t < sim->s->t)) return;
    *heat = sim->heat_prev;
    *work = sim->work_prev;
    if (sim->solver->leaps) { /* the same power all through the step */
        double share = (sim->t - sim->s->t_prev) / (sim->s->t - sim->s->t_prev);
        *heat += share * (sim->heat - sim->heat_prev);
        *work += share * (sim->work - sim->jump_work - sim->work_prev);
    } else {
        powers sum = {*heat, *work, 0.0};
        sim_add_powers(sim, sim->s->t_prev, sim->t, &sum);
        *heat = sum.heat;
        *work = sum.work;
    }
}

bri_energies bri_sim_energies(bri_sim *sim) {
    bri_energies e = {0};
    if (sim->stale) sim_renew(sim, NULL);
    sim->net->as_is = 1;
    sim_exchange_modes(sim);
    sim_account(sim, &e.dissipated, &e.work);
    sim_state_at(sim, sim->t, sim->y);
    network_energy(sim->net, sim->t, sim->y, &e);
    sim_exchange_modes(sim);
    sim->net->as_is = 0;
    sim->shown = 0;
    e.residual = e.kinetic + e.potential + e.stored + e.dissipated - e.work - sim->start_energy;
    return e;
}

const char *bri_sim_linear_solver(const bri_sim *sim) { return matrix_name(&sim->net->matrix); }

const char *bri_sim_path(const bri_sim *sim) {
    return sim->solver->leaps ? sim->solver->name
                              : network_path_taken(sim->net, sim->single, sim->phases);
}
