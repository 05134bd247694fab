/* outside.c - a simulation whose time a host makes: event functions at any state, and what follows
 * an event that the host has come to. */
#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- event functions in places of their own ---------------------------------------------------
 */

/* Whatever the parameters are: how many a contact can have, and how many there are of switches. */
static int places_of(const touch *c) {
    return c->model->set_valued ? (int)STICK_EVENTS : 1 + c->model->n_roots;
}

int bri_sim_indicators(const bri_sim *sim) {
    const network *net = sim->net;
    int count = sim_most_switches(net);
    for (int i = 0; i < net->n_touches; i++) count += places_of(&net->touches[i]);
    return count;
}

void bri_sim_indicator_name(const bri_sim *sim, int k, char *text) {
    static const char *const stick[STICK_EVENTS] = {"load", "motion"};
    const network *net = sim->net;
    int left = k;
    for (int i = 0; i < net->n_touches; left -= places_of(&net->touches[i]), i++) {
        const touch *c = &net->touches[i];
        const char *name = sim->names[i] ? sim->names[i] : "contact";
        if (left >= places_of(c)) continue;
        if (c->model->set_valued)
            snprintf(text, BRI_ADDRESS, "%.100s.event_%s", name, stick[left]);
        else if (!c->model->set_valued && left == 0)
            snprintf(text, BRI_ADDRESS, "%.100s.event_reversal", name);
        else
            snprintf(text, BRI_ADDRESS, "%.100s.event_%d", name, left);
        return;
    }
    snprintf(text, BRI_ADDRESS, "switch_%d", left + 1);
}

/* From the order of the engine to fixed places; what is not there now is 1. */
static void put_in_places(const bri_sim *sim, const double *g, double *to) {
    const network *net = sim->net;
    int at = 0, own = sim->n_events - sim->n_switches;
    for (int i = 0; i < net->n_touches; i++) {
        int end = i + 1 < net->n_touches ? sim->first[i + 1] : own;
        for (int k = 0; k < places_of(&net->touches[i]); k++, at++)
            to[at] = sim->first[i] + k < end ? g[sim->first[i] + k] : 1.0;
    }
    for (int k = 0; k < sim_most_switches(net); k++, at++)
        to[at] = k < sim->n_switches ? g[own + k] : 1.0;
}

/* One that is zero, as where the force that holds is all that a contact can hold, is not due yet: a
 * host that looks for changes of sign would miss the rest. Nor does a bristle at rest turn with the
 * rounding of its velocity. */
static void lift_by_slack(const bri_sim *sim, double *g) {
    const network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!c->model->set_valued && c->mode != BRI_AUTO) g[sim->first[i]] += 1e-12 * net->speed;
        for (int k = 0; c->model->set_valued && k < (int)STICK_EVENTS; k++)
            g[sim->first[i] + k] += stick_slack(net, c, k);
    }
}

static void functions_at(bri_sim *sim, double t, const double *y, double *g) {
    for (int k = 0; k < sim->n_events; k++) g[k] = 1.0;
    sim_event_functions(sim, t, y, g);
}

bri_status bri_sim_indicate(bri_sim *sim, double t, const double *y, double *g, bri_error *err) {
    bri_status status = sim_has_rates(sim, err);
    if (status == BRI_OK) status = sim_renew(sim, err);
    if (status != BRI_OK) return status;
    double latest = sim_look_elsewhere(sim);
    sim->net->as_is = 0; /* on the sides that hold */
    functions_at(sim, t, y, sim->g_end);
    for (int k = 0; k < sim->n_events;
         k++) /* one that begins at zero is due only when it is back */
        if (sim->g_end[k] > 0.0) sim->g[k] = sim->g_end[k];
    lift_by_slack(sim, sim->g_end);
    put_in_places(sim, sim->g_end, g);
    sim_look_back(sim, latest, 0);
    return BRI_OK;
}

double bri_sim_next_kink(bri_sim *sim) {
    if (sim_renew(sim, NULL) != BRI_OK) return INFINITY;
    return sim->kink;
}

/* ---- where the host is --------------------------------------------------------------------------
 */

static bri_status is_place(const bri_sim *sim, double t, const double *y, bri_error *err) {
    if (sim->tangent)
        return bri_fail(err, BRI_BAD_VALUE,
                        "derivatives of a run are those of one that goes on undisturbed");
    if (!isfinite(t)) return bri_fail(err, BRI_BAD_VALUE, "t = %g s is no time", t);
    for (int k = 0; k < sim->net->n; k++)
        if (!(fabs(y[k]) <= 1e30))
            return bri_fail(err, BRI_BAD_VALUE, "state %d = %g must be finite, up to 1e30", k,
                            y[k]);
    return BRI_OK;
}

static void stand_at(bri_sim *sim, double t, const double *y) {
    stepper *s = sim->s;
    size_t size = sizeof *y * (size_t)sim->net->n;
    sim_stop_here(sim);
    sim->t = s->t = s->t_prev = t;
    sim->t_end = sim->net->t_end = fmax(sim->t_end, t);
    memcpy(sim->y, y, size);
    memcpy(s->y, y, size);
    sim->begun = 1;
    sim->net->moved = NAN;
    sim->ahead = -INFINITY;
    sim->course_t = NAN;
}

bri_status bri_sim_place(bri_sim *sim, double t, const double *y, bri_error *err) {
    bri_status status = sim_renew(sim, err);
    if (status == BRI_OK) status = is_place(sim, t, y, err);
    if (status != BRI_OK) return status;
    stand_at(sim, t, y);
    return sim_go_on(sim, err);
}

/* A drive's force or a contact's load as the network looks it up, if the number is its value and
 * not a time or a rate. */
static double *applied(bri_sim *sim, bri_ref ref, int member) {
    int param = 0, i = ref.element + member;
    bri_ref one = {.section = ref.section, .element = i, .item = ref.item, .count = 1};
    const bri_system *s = &sim->def.system;
    const bri_signal *signal = sim_number_of_signal(sim, one, &param);
    network *net = sim->net;
    if (!signal || strcmp(signal->kind->params[param].unit, "=") != 0) return NULL;
    if (ref.section == DRIVE && signal == &s->drives[i].force)
        return &net->pushes[i].force.p[param];
    if (ref.section == CONTACT && signal == s->contacts[i].n_of_t)
        return &((bri_signal *)net->touches[i].n_of_t)->p[param]; /* the network's or our own */
    return NULL;
}

bri_status bri_sim_apply(bri_sim *sim, bri_ref ref, double value, bri_error *err) {
    bri_status status = sim_has_rates(sim, err);
    if (status == BRI_OK) status = sim_renew(sim, err);
    if (status == BRI_OK && sim->tangent)
        status = bri_fail(err, BRI_BAD_VALUE,
                          "derivatives of a run are those of one that goes on undisturbed");
    if (status == BRI_OK) status = sim_number_check(sim, ref, value, err);
    if (status != BRI_OK) return status;
    for (int m = 0; m < ref.count; m++)
        if (!applied(sim, ref, m))
            return bri_fail(err, BRI_BAD_VALUE,
                            "%s is no force or load that can change between events",
                            bri_sim_number(sim, ref).name);
    for (int m = 0; m < ref.count; m++) {
        sim_vary_number(sim, ref, m, value);
        *applied(sim, ref, m) = value;
    }
    sim->net->moved = NAN;
    sim->shown = 0;
    return BRI_OK;
}

/* An event that is due: its function has passed zero, or has come down to it. */
static int due(const bri_sim *sim, const double *before, const double *now) {
    int event = -1;
    double lowest = 0.0;
    for (int k = 0; k < sim->n_events; k++) {
        if (now[k] > 0.0 || (now[k] == 0.0 && !(before[k] > 0.0))) continue;
        if (event < 0 || now[k] < lowest) event = k, lowest = now[k];
    }
    return event;
}

/* What is due happens, one after the other; more than so many at one instant are left. */
static bri_status let_happen(bri_sim *sim, bri_error *err) {
    network *net = sim->net;
    stepper *s = sim->s;
    int most = 4 + 4 * net->n_touches + 2 * sim->n_switches;
    for (int i = 0; i < most; i++) {
        functions_at(sim, s->t, s->y, sim->g_end);
        int event = due(sim, sim->g, sim->g_end);
        if (event < 0) break;
        bri_status status = sim_happen(sim, event, err);
        if (status != BRI_OK) return status;
        memcpy(sim->g, sim->g_end, sizeof *sim->g * (size_t)sim->n_events);
        sim->g[event] = 0.0; /* once */
    }
    if (net->set_valued) {
        network_place(net, s->t, s->y);
        network_place_idle(net, s->t);
        stick_follow(net, s->y);
    }
    return BRI_OK;
}

bri_status bri_sim_meet(bri_sim *sim, double t, double *y, bri_error *err) {
    bri_status status = sim_has_rates(sim, err);
    if (status == BRI_OK) status = sim_renew(sim, err);
    if (status == BRI_OK) status = is_place(sim, t, y, err);
    if (status != BRI_OK) return status;
    network *net = sim->net;
    size_t size = sizeof *y * (size_t)net->n;
    int anew = !sim->begun || t < sim->t || t >= sim->kink;
    stand_at(sim, t, y);
    status = let_happen(sim, err);
    if (status == BRI_OK && anew) {
        memcpy(sim->y, sim->s->y, size);
        status = sim_go_on(sim, err);
    }
    if (status != BRI_OK) return status;
    for (int i = 0; i < net->n_touches; i++) sim->modes[i] = sim_mode_of(&net->touches[i]);
    if (net->set_valued)
        memcpy(sim->offset, net->offset, sizeof *net->offset * (size_t)net->n_free);
    memcpy(sim->y, sim->s->y, size);
    memcpy(y, sim->s->y, size);
    sim->shown = sim->continues = 0;
    functions_at(sim, t, y, sim->g);
    return sim->solver->restart(sim->s, err);
}
