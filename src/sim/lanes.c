/* lanes.c - see lanes.h. */
#include "lanes_parts.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sim_lanes *sim_lanes_new(void) {
    sim_lanes *l = aligned_alloc(_Alignof(sim_lanes), sizeof *l);
    if (l) memset(l, 0, sizeof *l);
    return l;
}

void sim_lanes_free(sim_lanes *l) { free(l); }

/* ---- alone ----------------------------------------------------------------------------------- */

/* Steps of the simulation itself until the lane takes it; nonzero: it has arrived or failed. */
static int by_hand(sim_lanes *l, int i, bri_status *status, bri_error *err) {
    lane_seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    *status = BRI_OK;
    for (int first = 1;; first = 0) {
        if (!first && lane_enter(l, i)) return 0;
        double before = sim->t;
        *status = bri_sim_step(sim, at->task.until, err);
        if (*status != BRI_OK) return 1;
        lane_follow_alone(at, before, sim->t);
        lane_look_alone(at, before, sim->t);
        if (!(sim->t < at->task.until)) return 1;
    }
}

/* The lane has passed the time where it is to be. */
static bri_status arrive(sim_lanes *l, int i, bri_error *err) {
    lane_seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    lane_leave(l, i, 1);
    sim->t = sim->s->t_prev;
    bri_status status = bri_sim_advance(sim, at->task.until, err);
    if (status == BRI_OK) lane_follow_alone(at, sim->s->t_prev, sim->t);
    return status;
}

/* A lane is taken, or free again. */
static void count_lanes(sim_lanes *l, int by) {
    int used = BRI_LANES;
    while (used > 0 && !l->seats[used - 1].sim) used--;
    l->pack.used = used;
    l->count += by;
}

void sim_lanes_put(sim_lanes *l, int lane, bri_sim *sim, const sim_lane_task *task) {
    bri_lane_pack *k = &l->pack;
    if (l->count == 0) {
        lane_family_of(sim, &l->of);
        *k = (bri_lane_pack){.bodies = l->of.bodies,
                             .method = l->of.method,
                             .law = l->of.law,
                             .states = l->of.states,
                             .directed = l->of.directed,
                             .cornered = l->of.cornered,
                             .timed = l->of.timed,
                             .rtol = l->of.rtol,
                             .atol = l->of.atol};
        for (int i = 0; i < BRI_LANES; i++) { /* what is computed where nobody is stays finite */
            l->seats[i].sim = sim;
            lane_get_rig(l, i);
            k->stop[i] = -INFINITY;
            k->due[i] = INFINITY;
            for (int c = 0; c < k->bodies; c++) k->way[c][i] = 1.0;
            for (int n = 0; n < lane_unknowns(&l->of); n++) k->nominal[n][i] = 1.0;
            lane_enter_slides(k, i, NULL);
            l->seats[i] = (lane_seat){0};
        }
    }
    l->seats[lane] = (lane_seat){.sim = sim, .task = *task};
    count_lanes(l, 1);
    lane_get_rig(l, lane);
    l->out |= 1u << lane;
    lane_enter(l, lane);
}

static int vacate(sim_lanes *l, int lane) {
    l->seats[lane] = (lane_seat){0};
    count_lanes(l, -1);
    l->out &= ~(1u << lane);
    return lane;
}

/* ---- on -------------------------------------------------------------------------------------- */

/* After an attempt, of a lane that is to be seen to. */
static void see_to(sim_lanes *l, int i) {
    const bri_lane_pack *k = &l->pack;
    int left = k->outcome[i] == BRI_LANE_BY_HAND, turns = k->outcome[i] == BRI_LANE_TURNED;
    if (left) {
        lane_leave(l, i, 0);
        return;
    }
    if ((turns || k->outcome[i] == BRI_LANE_MADE) && k->due[i] <= k->t[i]) lane_look(l, i);
    if (turns) lane_turn(l, i);
    if (!(k->t[i] < l->seats[i].task.until))
        l->arrived |= 1u << i;
    else if (k->tried[i] >= k->most[i])
        lane_leave(l, i, turns || k->outcome[i] == BRI_LANE_MADE);
}

/* The first of some lanes, and the others. */
static int first_of(unsigned *lanes) {
    int i = __builtin_ctz(*lanes);
    *lanes &= *lanes - 1u;
    return i;
}

/* Who may have started or stopped in the steps just made. */
static void follow_changes(sim_lanes *l) {
    for (int c = 0; c < l->pack.bodies; c++)
        for (unsigned changes = l->pack.changes[c]; changes;) lane_follow(l, first_of(&changes), c);
}

int sim_lanes_next(sim_lanes *l, bri_status *status, bri_error *err) {
    const bri_kernel_table *t = bri_kernels(BRI_LEVEL_AUTO);
    bri_lane_pack *k = &l->pack;
    const int a_while = 1000;
    for (int round = 0; round < a_while && l->count > 0; round++) {
        if (l->arrived) {
            int i = first_of(&l->arrived);
            *status = arrive(l, i, err);
            return vacate(l, i);
        }
        for (unsigned out = l->out; out;) {
            int i = first_of(&out);
            if (by_hand(l, i, status, err)) return vacate(l, i);
        }
        unsigned closer = t->lanes_attempt(k) & l->inside;
        while (closer) lane_look_closer(l, first_of(&closer));
        unsigned seen_to = t->lanes_accept(k) & l->inside;
        if (k->asked) follow_changes(l);
        while (seen_to) see_to(l, first_of(&seen_to));
    }
    return -1;
}
