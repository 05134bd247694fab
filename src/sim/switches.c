/* switches.c - corners and jumps of functions of the motion: frozen during a step, which ends where
 * one changes its side. */
#include "sim.h"

#include <math.h>

/* A switch may change this often in this share of the run; then it is left free for as long. */
static const double WINDOW = 1e-6;
enum { MOST_CHANGES = 50, MOST_JUMPS = 500 };

static int has_lift(const touch *c) { return c->load_by && isfinite(c->n_least); }

int sim_most_switches(const network *net) {
    int count = 0;
    for (int i = 0; i < net->n_formulas; i++) count += net->formulas[i].f.n_switches;
    for (int i = 0; i < net->n_touches; i++) count += net->touches[i].load_by != NULL;
    return count;
}

void sim_list_switches(bri_sim *sim) {
    network *net = sim->net;
    const toggle fresh = {.rest = -INFINITY, .tried = NAN};
    sim->n_switches = 0;
    for (int i = 0; i < net->n_formulas; i++)
        for (int k = 0; k < net->formulas[i].f.n_switches; k++) {
            toggle *w = &sim->switches[sim->n_switches++];
            *w = fresh;
            w->f = &net->formulas[i];
            w->k = k;
        }
    for (int i = 0; i < net->n_touches; i++) {
        if (!has_lift(&net->touches[i])) continue;
        toggle *w = &sim->switches[sim->n_switches++];
        *w = fresh;
        w->f = net->touches[i].load_by;
        w->lift = &net->touches[i];
    }
    for (int k = 0; k < sim->n_switches; k++) sim->contact[sim->n_events++] = -1;
}

toggle *sim_switch_of(const bri_sim *sim, int event) {
    int k = event - (sim->n_events - sim->n_switches);
    return k >= 0 ? &sim->switches[k] : NULL;
}

static double *side_of(const toggle *w) {
    return w->lift ? &w->lift->lift_side : &w->f->side[w->k];
}

/* The switches themselves, whatever their sides, one after the other. */
static void values(const bri_sim *sim, double *value) {
    const formula *last = NULL;
    double g[BRI_FUNCTION_SWITCHES] = {0};
    for (int i = 0; i < sim->n_switches; i++) {
        const toggle *w = &sim->switches[i];
        if (!w->lift && w->f != last) formula_switches(last = w->f, g);
        value[i] = w->lift ? w->f->value - w->lift->n_least : g[w->k];
    }
}

void sim_switch_functions(const bri_sim *sim, double *g) {
    double *own = g + sim->n_events - sim->n_switches;
    if (sim->n_switches == 0) return;
    values(sim, own);
    for (int i = 0; i < sim->n_switches; i++) {
        double side = *side_of(&sim->switches[i]);
        own[i] = side == 0.0 ? 1.0 : side * own[i];
    }
}

int sim_jumps(const toggle *w) {
    double side[BRI_FUNCTION_SWITCHES], value[2];
    if (w->lift) return 0;
    for (int k = 0; k < w->f->f.n_switches; k++) side[k] = w->f->side[k];
    for (int k = 0; k < 2; k++) {
        side[w->k] = k ? 1.0 : -1.0;
        value[k] = w->f->f.eval(w->f->f.data, w->f->in, side, NULL);
    }
    return !(fabs(value[1] - value[0]) <= 1e-6 * (fabs(value[0]) + fabs(value[1])));
}

bri_status sim_switch(bri_sim *sim, toggle *w, bri_error *err) {
    double t = sim->s->t, *side = side_of(w);
    network_rhs(sim->net, t, sim->s->y, sim->dy); /* its arguments */
    *side = -*side;
    if (t - w->since > WINDOW * sim->span) {
        w->since = t;
        w->changes = 0;
    }
    if (++w->changes <= MOST_CHANGES) return BRI_OK;
    if (!sim_jumps(w)) {
        *side = 0.0;
        w->rest = t + WINDOW * sim->span;
        return BRI_OK;
    }
    if (w->changes <= MOST_JUMPS) return BRI_OK;
    return bri_fail(err, BRI_NO_PROGRESS,
                    "%s: an expression that jumps goes back and forth over its jump, more than %d "
                    "times in a millionth of the run at t = %.9g s: make it smooth, tanh(x) for "
                    "sign(x), or let a contact do what it is meant for",
                    w->f->name ? w->f->name : "drive", MOST_JUMPS, t);
}

int sim_settle_switches(bri_sim *sim, int *open) {
    double *g = sim->g_end + sim->n_events;
    int settled = 0, looked = 0;
    for (int i = 0; i < sim->n_switches; i++) {
        const toggle *w = &sim->switches[i];
        if (*side_of(w) != 0.0) continue;
        *open = 1;
        if (sim->s->t < w->rest) continue;
        if (!looked++) {
            network_rhs(sim->net, sim->s->t, sim->s->y, sim->dy);
            values(sim, g);
        }
        *side_of(w) = g[i] > 0.0 ? 1.0 : g[i] < 0.0 ? -1.0 : 0.0;
        settled |= g[i] != 0.0;
    }
    return settled;
}

int sim_wrong_sides(bri_sim *sim) {
    int again = 0, first = sim->n_events - sim->n_switches;
    for (int i = 0; i < sim->n_switches; i++) {
        toggle *w = &sim->switches[i];
        double *side = side_of(w);
        if (*side == 0.0 || sim->g[first + i] > 0.0 || sim->g_end[first + i] >= 0.0) continue;
        int tried = w->tried == sim->s->t_prev; /* both sides lead to the other one */
        *side = tried ? 0.0 : -*side;
        w->tried = sim->s->t_prev;
        w->changes += tried;
        again = 1;
    }
    return again;
}
