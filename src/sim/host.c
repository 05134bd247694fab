/* host.c - a simulation within the loop of a host: events as they come, and an end that is put off.
 */
#include "sim.h"

#include <math.h>

bri_status bri_sim_watch(bri_sim *sim, double t, bri_watcher *happened, void *to, bri_error *err) {
    int told, count;
    bri_sim_events(sim, &told, NULL);
    do {
        bri_status status = bri_sim_step(sim, t, err);
        if (status != BRI_OK) return status;
        const bri_event *events = bri_sim_events(sim, &count, NULL);
        for (; told < count; told++) {
            bri_event event = events[told]; /* the list may be forgotten meanwhile */
            if (!happened || happened(to, sim, &event)) return BRI_OK;
            events = bri_sim_events(sim, &count, NULL);
            if (told >= count) told = -1;
        }
    } while (bri_sim_time(sim) < t);
    return BRI_OK;
}

bri_status bri_sim_extend(bri_sim *sim, double t_end, bri_error *err) {
    if (!isfinite(t_end) || !(t_end >= sim->t_end))
        return bri_fail(err, BRI_BAD_VALUE, "t_end = %g s does not lie after %g s, the present end",
                        t_end, sim->t_end);
    sim->t_end = sim->net->t_end = t_end;
    if (sim->stale) return BRI_OK; /* all is looked up anew before the next step */
    sim->kink = network_kink(sim->net, sim->s->t);
    sim->net->latest = nextafter(sim->kink, -INFINITY);
    return BRI_OK;
}
