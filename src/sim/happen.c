/* happen.c - what follows an event: contacts stick or slide, directions turn, laws jump, functions
 * change over. */
#include "sim.h"

static double stored_energy(const network *net, const touch *c, const double *y) {
    bri_input u = touch_input(net, c);
    double stored = 0.0;
    bri_model_energy(c->model, c->p, &u, y + 2 * net->n_free + c->first, &stored, NULL);
    return stored;
}

/* What the law does at its event i; the load and the velocity are those of s->y. */
static void make_jump(bri_sim *sim, int i) {
    const network *net = sim->net;
    const touch *c = &net->touches[i];
    double *y = sim->s->y, before = stored_energy(net, c, y);
    bri_input u = touch_input(net, c);
    c->model->jump(c->model, c->p, &u, touch_states(net, c, y));
    sim->heat += before - stored_energy(net, c, y);
}

/* Nonzero: contact i, whose direction has just changed, is already as near to an event as it is
 * taken early. It would never be met: its function is negative from the start. */
static int is_near(const bri_sim *sim, int i) {
    const network *net = sim->net;
    const touch *c = &net->touches[i];
    double *g = sim->g_end + sim->n_events;
    if (!c->early) return 0;
    bri_input u = touch_input(net, c);
    c->model->roots(c->model, c->p, &u, touch_states(net, c, sim->s->y), g);
    for (int k = 0; k < c->n_roots; k++)
        if (g[k] <= sim->early) return 1;
    return 0;
}

/* A function changes over: what sticks exactly is decided anew, as where a signal jumps. */
static bri_status happen_switch(bri_sim *sim, toggle *w, bri_error *err) {
    stepper *s = sim->s;
    bri_status status = sim_switch(sim, w, err);
    if (status != BRI_OK || !sim->net->set_valued) return status;
    sim_keep_forces(sim);
    sim_freeze(sim, s->t, s->y);
    sim_report_changes(sim);
    return BRI_OK;
}

/* A contact that sticks exactly begins to slide or to stick. */
static void change_over(bri_sim *sim, int i, int event) {
    network *net = sim->net;
    touch *c = &net->touches[i];
    stick_loss loss = {0};
    bri_mode was = c->mode;
    int decided = 0;
    if (sim->phases && event == 1) {
        c->mode = BRI_STUCK;
        decided = sim_phase_decide(sim, sim->s->t, sim->s->y, was == BRI_STUCK, &loss);
        if (!decided) c->mode = was;
    }
    if (!decided) stick_happen(net, sim->s->t, sim->s->y, i, event, sim->at_limit, &loss);
    sim->heat += loss.heat;
    sim->work += loss.work;
}

int sim_hold_back(bri_sim *sim, int event) {
    int i = sim_contact_of(sim, event);
    const touch *c = &sim->net->touches[i];
    stick_loss loss = {0};
    if (!c->model->set_valued || c->mode == BRI_STUCK || c->lifted || c->reading) return 0;
    if (event - sim->first[i] != 1 || !stick_is_still(sim->net, c)) return 0;
    sim_keep_forces(sim);
    sim_count_event(sim, i);
    stick_hold(sim->net, sim->s->t, sim->s->y, i, &loss);
    sim->heat += loss.heat;
    sim->work += loss.work;
    sim_report_changes(sim);
    return 1;
}

bri_status sim_happen(bri_sim *sim, int event, bri_error *err) {
    network *net = sim->net;
    stepper *s = sim->s;
    toggle *w = sim_switch_of(sim, event);
    if (w) return happen_switch(sim, w, err);
    int i = sim_contact_of(sim, event);
    touch *c = &net->touches[i];
    if (sim->phases && !c->limit && !c->edge && !c->lifted) {
        sim_phase_force(sim);
    } else {
        network_rhs(net, s->t, s->y, sim->dy);
        stick_forces(net);
    }
    sim_keep_forces(sim);
    sim_count_event(sim, i);
    sim->burst++;
    if (c->model->set_valued) {
        change_over(sim, i, event - sim->first[i]);
    } else if (sim_is_direction(sim, event)) {
        c->trembles = sim_trembles(sim, i);
        c->mode = c->trembles ? BRI_AUTO : c->mode == BRI_SLIDE_POS ? BRI_SLIDE_NEG : BRI_SLIDE_POS;
        if (is_near(sim, i)) make_jump(sim, i);
    } else if (c->model->jump) {
        make_jump(sim, i);
        sim_report(sim, i, sim->was[i], sim->was[i]);
    }
    sim_report_changes(sim);
    return BRI_OK;
}
