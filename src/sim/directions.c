/* directions.c - in which direction contacts slide, frozen during a step, and the functions that
 * tell when one turns. */
#include "sim.h"

#include <math.h>
#include <string.h>

int sim_is_watched(const bri_sim *sim) {
    return sim->freezes || sim->law_events || sim->net->set_valued || sim->n_switches > 0;
}

void sim_freeze(bri_sim *sim, double t, double *y) {
    network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++) net->touches[i].mode = BRI_AUTO;
    net->any_stuck = 0;
    if (!sim_is_watched(sim)) return;
    network_rhs(net, t, y, sim->dy);
    network_place(net, t, y);
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        double v = net->vel[c->a] - net->vel[c->b];
        if (c->model->set_valued && !c->unmoved) { /* to be decided if it does not move */
            c->mode = stick_is_still(net, c) ? BRI_STUCK : v > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
            c->limit = c->edge = 0;
            c->left = c->mode != BRI_STUCK;
            c->lifted = !(c->N > 0.0);
        }
        if (!c->corner || !sim->freezes) continue;
        if (v == 0.0)
            v = network_acceleration(net, sim->dy, c->a) - network_acceleration(net, sim->dy, c->b);
        c->mode = v > 0.0 ? BRI_SLIDE_POS : v < 0.0 ? BRI_SLIDE_NEG : BRI_AUTO;
    }
    stick_loss loss = {0};
    if (net->set_valued && !(sim->phases && sim_phase_decide(sim, t, y, 0, &loss)))
        stick_decide(net, t, y, NULL, &loss);
    sim->heat += loss.heat;
    sim->work += loss.work;
}

void sim_hold_all(network *net) {
    for (int i = 0; i < net->n_touches; i++)
        net->touches[i].mode = stepping_holds(net->stepping, i) ? BRI_STUCK : BRI_AUTO;
}

/* Positive while a contact keeps its direction. */
static inline double turn_of(const network *net, const touch *c) {
    double v = net->vel[c->a] - net->vel[c->b];
    return c->corner && c->mode != BRI_AUTO ? (double)c->mode * v : 1.0;
}

void sim_event_functions(bri_sim *sim, double t, const double *y, double *g) {
    network *net = sim->net;
    if (sim->one_turn) {
        g[0] = sim_one_turn(sim, y);
        return;
    }
    if (!sim_is_watched(sim)) return;
    if (!sim->law_events && !net->set_valued && sim->n_switches == 0) {
        network_place(net, t, y);
        for (int i = 0; i < net->n_touches; i++) g[i] = turn_of(net, &net->touches[i]);
        return;
    }
    if (sim->law_events || sim->n_switches > 0)
        network_rhs(net, t, y, sim->dy); /* they may need the load */
    network_place(net, t, y);
    stick_forces(net);
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        double *to = g + sim->first[i];
        if (c->model->set_valued) {
            stick_events(net, c, to);
            continue;
        }
        to[0] = turn_of(net, c);
        if (c->n_roots == 0) continue;
        bri_input u = touch_input(net, c);
        c->model->roots(c->model, c->p, &u, y + 2 * net->n_free + c->first, to + 1);
        for (int k = 1; c->early && k <= c->n_roots; k++) to[k] -= sim->early;
    }
    sim_switch_functions(sim, g);
}

int sim_direction_of(const touch *c) { return c->mode == BRI_STUCK ? 0 : (int)c->mode; }

int sim_wrong_way(bri_sim *sim) {
    network *net = sim->net;
    int again = sim_wrong_sides(sim);
    for (int i = 0; sim->freezes && i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        int event = sim->first[i];
        if (!c->corner || c->mode == BRI_AUTO || sim->g_end[event] >= 0.0 || sim->g[event] > 0.0)
            continue;
        c->mode = c->mode == sim->modes[i].mode ? (bri_mode) - (int)c->mode : BRI_AUTO;
        again = 1;
    }
    return again;
}

modes sim_mode_of(const touch *c) {
    return (modes){c->mode, c->limit, c->edge, c->left, c->lifted};
}

/* Contacts that were left free because they did not move get their direction as soon as they do.
 * Nonzero if one does. */
static int settle_directions(bri_sim *sim) {
    network *net = sim->net;
    int settled = 0, placed = 0;
    sim->undirected = 0;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        if (sim->freezes && c->corner && c->mode == BRI_AUTO) {
            if (!placed++) network_place(net, sim->s->t, sim->s->y);
            double v = net->vel[c->a] - net->vel[c->b];
            c->trembles &= fabs(v) < c->v_size;
            if (!c->trembles)
                c->mode = v > 0.0 ? BRI_SLIDE_POS : v < 0.0 ? BRI_SLIDE_NEG : BRI_AUTO;
            settled |= c->mode != BRI_AUTO;
            sim->undirected |= c->mode == BRI_AUTO;
        }
        sim->modes[i] = sim_mode_of(c);
    }
    settled |= sim_settle_switches(sim, &sim->undirected);
    if (net->set_valued) {
        network_place(net, sim->s->t, sim->s->y);
        stick_note(net);
    }
    return settled;
}

void sim_start_functions(bri_sim *sim) {
    int same = sim->continues && !sim->undirected; /* as during the last step, and so is g */
    int settled = !same && sim_is_watched(sim) && settle_directions(sim);
    if (settled) sim->solver->restart(sim->s, NULL); /* the right-hand side has changed */
    if (!sim->continues || settled) sim_event_functions(sim, sim->s->t, sim->s->y, sim->g);
}
