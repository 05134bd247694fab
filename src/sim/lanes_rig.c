/* lanes_rig.c - what a lane has of the rig of its simulation: numbers that stay, and those of
 * drives, which hold up to a kink. */
#include "lanes_parts.h"
#include "sim.h"
#include "system/signal.h"
#include "system/single.h"

/* All couplings of several bodies together. */
static void get_couplings(bri_lane_pack *k, int i, const network *net) {
    int n = net->n_free;
    for (int b = 0; b < n; b++) {
        k->force[b][i] = net->weight[b];
        for (int j = 0; j < n; j++) k->stiffness[b][j][i] = k->damping[b][j][i] = 0.0;
    }
    for (int m = 0; m < 2 * net->n_bars; m++) {
        const bar *l = &net->bars[m / 2];
        int at = m % 2 ? l->b : l->a, to = m % 2 ? l->a : l->b;
        if (at >= n) continue;
        k->stiffness[at][at][i] += l->k;
        k->damping[at][at][i] += l->c;
        k->force[at][i] += m % 2 ? -l->rest : l->rest;
        if (to < n) {
            k->stiffness[at][to][i] -= l->k;
            k->damping[at][to][i] -= l->c;
        } else {
            k->force[at][i] += l->k * net->pos[to];
        }
    }
}

/* The velocity of what a contact slides on, beside those of the bodies. */
static double far_of(const network *net, const touch *c) {
    return (c->b >= net->n_free ? net->vel[c->b] : 0.0) -
           (c->a >= net->n_free ? net->vel[c->a] : 0.0);
}

/* Power that holds what is moved against its weight. */
static double held_by(const network *net) {
    double sum = 0.0;
    for (int n = 0; n < net->n_motions; n++)
        sum += net->weight[net->motions[n].at] * net->vel[net->motions[n].at];
    return sum;
}

/* What a contact needs of itself; its other end stands or moves by itself. */
static void get_contact(sim_lanes *l, int i, int n) {
    bri_lane_pack *k = &l->pack;
    const bri_sim *sim = l->seats[i].sim;
    const network *net = sim->net;
    const touch *c = &net->touches[n];
    double side = l->seats[i].side;
    k->far[n][i] = far_of(net, c);
    for (int b = 0; b < net->n_free; b++) k->sides[n][b] = side * ((c->a == b) - (c->b == b));
    k->load[n][i] = c->n;
    k->v_size[n][i] = c->v_size;
    k->felt[n][i] = sim->atol * c->v_size;
    k->knee[n][i] = c->knee;
    k->fall[n][i] = c->bend;
    if (!c->corner) {
        sim_curve of = sim_curve_of(c);
        k->near[n][i] = of.near;
        k->along[n][i] = of.along;
        k->slows = of.slows;
        k->curved = sim->curved;
    }
    k->n_zones = c->n_zones;
    for (int m = 0; m < c->n_zones; m++) {
        k->zone[n][m][i] = c->zone[m];
        k->per_zone[n][m][i] = 1.0 / c->zone[m];
    }
    for (int m = 0; m < c->model->n_params; m++) k->p[n][m][i] = c->p[m];
}

void lane_get_rig(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    bri_sim *sim = l->seats[i].sim;
    const network *net = sim->net;
    double side = l->seats[i].side = net->n_free == 1 ? side_of(&net->touches[0]) : 1.0;
    if (net->n_free == 1) {
        k->stiffness[0][0][i] = net->single.stiffness;
        k->damping[0][0][i] = net->single.damping;
        k->force[0][i] = side * net->single.force;
    } else {
        get_couplings(k, i, net);
    }
    k->held[i] = held_by(net);
    for (int b = 0; b < net->n_free; b++) {
        k->mass[b][i] = net->mass[b];
        k->per_mass[b][i] = net->per_mass[b];
        for (int j = 0; j < net->n_free; j++) k->damped |= k->damping[b][j][i] != 0.0;
        get_contact(l, i, b);
    }
    for (int n = 0; n < net->n; n++) {
        k->expected[n][i] = net->expected[n];
        k->origin[n][i] = lane_side(l, i, n) * net->origin[n];
    }
}

/* ---- what changes with time ------------------------------------------------------------------ */

/* A coupling whose end `to` is moved: T = rest + k (p - x) + c (p' - v) on the body at its other
 * end, with p' constant; p' T of work, c (p' - v)^2 of heat. */
static void get_moved_end(bri_lane_pack *k, int i, const network *net, const link *l, double side) {
    int second = l->at[0] >= net->n_free, at = l->at[second], to = l->at[!second];
    if (at >= net->n_free || to < net->n_free) return;
    double p = net->pos[to], speed = net->vel[to], rest = second ? -l->rest : l->rest;
    k->force[at][i] += side * (rest + l->by_L * p + l->by_rate * speed);
    k->force_by[at][i] += side * l->by_L * speed;
    k->work_at[i] += (rest + l->by_L * p + l->by_rate * speed) * speed;
    k->work_by[i] += l->by_L * speed * speed;
    k->work_x[at][i] += side * l->by_L * speed;
    k->work_v[at][i] -= side * l->by_rate * speed;
    k->heat_at[i] += l->by_rate * speed * speed;
    k->heat_v[at][i] += 2.0 * side * l->by_rate * speed;
}

/* What is between two bodies pulls with its rest length, whatever the time. */
static void get_free_ends(bri_lane_pack *k, int i, const network *net, const link *l) {
    if (l->at[0] >= net->n_free || l->at[1] >= net->n_free) return;
    k->force[l->at[0]][i] += l->rest;
    k->force[l->at[1]][i] -= l->rest;
}

/* Nonzero: all that is moved at the ends of couplings, or has a weight, does so at a constant
 * speed. */
static int is_steady(const network *net) {
    for (int n = 0; n < net->n_motions; n++) {
        int at = net->motions[n].at;
        if (net->acc[at] != 0.0 && (!net->motions[n].unseen || net->weight[at] != 0.0)) return 0;
    }
    return 1;
}

static void get_far_by(bri_lane_pack *k, int i, const network *net, int n) {
    const touch *c = &net->touches[n];
    k->far_by[n][i] = 0.0;
    if (c->a >= net->n_free) k->far_by[n][i] -= net->acc[c->a];
    if (c->b >= net->n_free) k->far_by[n][i] += net->acc[c->b];
    k->far[n][i] = far_of(net, c);
}

int lane_get_drives(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    network *net = l->seats[i].sim->net;
    double side = l->seats[i].side, t = l->seats[i].sim->s->t, s[4];
    network_move(net, t);
    if (!is_steady(net)) return 0;
    k->since[i] = t;
    k->work_at[i] = k->work_by[i] = k->heat_at[i] = 0.0;
    for (int b = 0; b < net->n_free; b++) {
        k->force[b][i] = side * net->weight[b];
        k->force_by[b][i] = k->work_x[b][i] = k->heat_v[b][i] = 0.0;
        k->work_v[b][i] = k->work_v_by[b][i] = 0.0;
        get_far_by(k, i, net, b);
    }
    for (int n = 0; n < net->n_links; n++) {
        get_moved_end(k, i, net, &net->links[n], side);
        get_free_ends(k, i, net, &net->links[n]);
    }
    for (int n = 0; n < net->n_pushes; n++) {
        int at = net->pushes[n].at;
        if (at >= net->n_free) continue;
        signal_rates(&net->pushes[n].force, network_clock(net, t), s);
        k->force[at][i] += side * s[1];
        k->force_by[at][i] += side * s[2];
        k->work_v[at][i] += side * s[1];
        k->work_v_by[at][i] += side * s[2];
    }
    k->held[i] = held_by(net);
    return 1;
}
