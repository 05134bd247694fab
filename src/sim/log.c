/* log.c - the events that happened, kept until they are forgotten. */
#include "sim.h"

#include <string.h>

/* Of one contact within a millionth of the run: more than it can be in earnest, and more turns than
 * are worth to be located, since they are those of rounding or of the solver's error. */
enum { MOST_EVENTS = 2000, MOST_TURNS = 20 };

void sim_count_event(bri_sim *sim, int contact) {
    if (sim->s->t > sim->window + 1e-6 * sim->span) {
        sim->window = sim->s->t;
        memset(sim->counts, 0, sizeof *sim->counts * (size_t)sim->net->n_touches);
    }
    const touch *c = &sim->net->touches[contact];
    if (++sim->counts[contact] > MOST_EVENTS && (c->model->set_valued || c->n_roots > 0))
        sim->restless = contact;
}

int sim_trembles(const bri_sim *sim, int contact) { return sim->counts[contact] > MOST_TURNS; }

void sim_report(bri_sim *sim, int contact, int from, int to) {
    sim->events++;
    if (sim->log_count >= sim->log_room) {
        sim->log_dropped++;
        return;
    }
    sim->log[sim->log_count++] = (bri_event){.t = sim->s->t,
                                             .contact = contact,
                                             .from = from,
                                             .to = to,
                                             .F = sim->force_before[contact]};
}

void sim_keep_forces(bri_sim *sim) {
    for (int i = 0; i < sim->net->n_touches; i++) sim->force_before[i] = sim->net->touches[i].F;
}

void sim_report_changes(bri_sim *sim) {
    network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        int to = sim_direction_of(c);
        if (to == sim->was[i] || (!c->model->set_valued && to == 0)) continue;
        if (c->model->set_valued || sim->was[i] != 0) sim_report(sim, i, sim->was[i], to);
        sim->was[i] = to;
    }
}

/* Events up to the present time: the solver may have made a step beyond it. */
static int events_until_now(const bri_sim *sim) {
    int count = sim->log_count;
    while (count > 0 && sim->log[count - 1].t > sim->t) count--;
    return count;
}

const bri_event *bri_sim_events(const bri_sim *sim, int *count, long *dropped) {
    *count = events_until_now(sim);
    if (dropped) *dropped = sim->log_dropped;
    return sim->log;
}

void bri_sim_forget_events(bri_sim *sim) {
    int count = events_until_now(sim);
    sim->log_count -= count;
    memmove(sim->log, sim->log + count, sizeof *sim->log * (size_t)sim->log_count);
    sim->log_dropped = 0;
}
