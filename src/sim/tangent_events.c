/* tangent_events.c - see tangent.h: derivatives of a run through what happens at the end of a step:
 * events, switches of functions, kinks of signals. */
#include "system/signal.h"
#include "tangent.h"

#include <math.h>
#include <string.h>

const double tangent_offset[VARIANTS] = {-2.0, -1.0, 1.0, 2.0};
const double tangent_weight[VARIANTS] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};

/* No unknown goes further than a share of its size, velocities of what they slide with. */
double tangent_reach(const tangent *T, const double *y, const double *S) {
    static const double SHARE = 1e-4;
    double most = 0.0, *size = T->other;
    network_sizes(T->base, y, size);
    for (int k = 0; k < T->n; k++) {
        double own = fmax(size[k], 1e-6 * T->base->expected[k]);
        if (S[k] != 0.0 && own > 0.0) most = fmax(most, fabs(S[k]) / own);
    }
    return most > 0.0 ? SHARE / most : 0.0;
}

static double velocity_of(const network *net, int at) { return net->vel[at]; }

/* Bodies that stick together have one velocity: by momentum, or that of a prescribed motion. w: on
 * the way through an event, S + f- t*'. */
static void project(tangent *T, variation *v, double t, const double *y) {
    network *base = T->base;
    int n = base->n_free;
    double *w = v->w + n, *momentum = T->room;
    if (!base->any_stuck) return;
    for (int i = 0; i < base->n_all; i++) momentum[i] = 0.0;
    for (int i = 0; i < n; i++) momentum[base->leader[i]] += base->mass[i] * w[i];
    network_place(base, t, y);
    for (int k = 0; k < VARIANTS; k++) network_place(&v->d.net[k], t, y);
    for (int i = 0; i < n; i++) {
        int g = base->leader[i];
        if (base->drifts[g] || (g == i && base->group_mass[i] <= base->mass[i])) continue;
        if (base->group_mass[g] > 0.0)
            w[i] = momentum[g] / base->group_mass[g];
        else if (g < n)
            w[i] = w[g];
        else
            w[i] = stencil_sum(&v->d, base, velocity_of, g) + base->acc[g] * v->late;
    }
}

/* Modes change, and with them the rates, at (t, y): from T->before to f. */
void tangent_change_over(bri_sim *sim, double t, const double *y) {
    tangent *T = sim->tangent;
    tangent_take_modes(sim);
    network_rhs(T->base, t, y, T->f);
    for (int k = 0; k < T->count; k++) {
        variation *v = &T->by[k];
        for (int i = 0; i < T->n; i++) v->w[i] = v->S[i] + T->before[i] * v->late;
        project(T, v, t, y);
        for (int i = 0; i < T->n; i++) v->S[i] = v->w[i] - T->f[i] * v->late;
    }
}

/* A switch of a function in another network, positive until it changes its side. */
static double switch_function(bri_sim *sim, network *net, const toggle *w, double t,
                              const double *y) {
    double g[BRI_FUNCTION_SWITCHES] = {0};
    const formula *f = &net->formulas[w->f - sim->net->formulas];
    network_rhs(net, t, y, sim->tangent->other);
    if (w->lift) return w->lift->lift_side * (f->value - w->lift->n_least);
    formula_switches(f, g);
    return f->side[w->k] * g[w->k];
}

/* An event function of the simulation as it would be with another network. */
static double event_function(bri_sim *sim, network *net, int event, double t, const double *y) {
    network *own = sim->net;
    int one_turn = sim->one_turn;
    const toggle *w = sim_switch_of(sim, event);
    if (w) return switch_function(sim, net, w, t, y);
    sim->net = net;
    sim->one_turn = 0;
    sim_event_functions(sim, t, y, sim->tangent->g);
    sim->net = own;
    sim->one_turn = one_turn;
    return sim->tangent->g[event];
}

/* The change of an event function per second along the run. */
static double rate_of_event(bri_sim *sim, int event) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    static const double offset[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    double sum = 0.0, h = 1e-4 * (s->t - s->t_prev);
    if (!(h > 1e-9 * fabs(s->t))) h = 1e-9 * fmax(fabs(s->t), 1e-3 * sim->span);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < T->n; i++) T->y[i] = s->y[i] + offset[k] * h * T->before[i];
        sum += weight[k] * event_function(sim, T->base, event, s->t + offset[k] * h, T->y);
    }
    return sum / (12.0 * h);
}

/* Its change with the number, at fixed state and along S. */
static double event_by(bri_sim *sim, const variation *v, int event) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    const stencil *d = &v->d;
    double here = event_function(sim, T->base, event, s->t, s->y), sum = 0.0, along = 0.0;
    double step = tangent_reach(T, s->y, v->S);
    for (int k = 0; k < VARIANTS; k++) {
        sum += d->weight[k] * (event_function(sim, &d->net[k], event, s->t, s->y) - here);
        for (int i = 0; step > 0.0 && i < T->n; i++)
            T->y[i] = s->y[i] + tangent_offset[k] * step * v->S[i];
        if (step > 0.0)
            along += tangent_weight[k] * event_function(sim, T->base, event, s->t, T->y);
    }
    return sum / d->step + (step > 0.0 ? along / step : 0.0);
}

enum { MOST_KINKS = 16 }; /* that may fall together */

/* Kinks of variants belong to that of the run if they are nearer than a share of the way to its
 * neighbours. */
static double kink_window(const bri_sim *sim, double next) {
    return 0.25 * fmin(sim->s->t - sim->tangent->passed, next - sim->s->t);
}

/* At a kink rates jump at a time that may differ from variant to variant, and from signal to
 * signal: the variant has run for (kink - t) longer with the rates before each of them. */
static void shift_kinks(bri_sim *sim, variation *v, int which, double window) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    network *net = &v->d.net[which];
    double weight = v->d.weight[which] / v->d.step;
    double kink = T->at.clock[1 + (int)(v - T->by) * VARIANTS + which].kink;
    net->earliest = -INFINITY;
    net->latest = INFINITY;
    double last = s->t;
    for (int i = 0; i < MOST_KINKS && isfinite(kink) && fabs(kink - s->t) <= window; i++) {
        network_rhs(net, nextafter(kink, -INFINITY), s->y, T->f);
        network_rhs(net, kink, s->y, T->other);
        for (int k = 0; k < T->n; k++) v->S[k] += weight * (kink - s->t) * (T->f[k] - T->other[k]);
        last = kink;
        kink = network_kink(net, kink);
    }
    v->late += weight * (last - s->t);
}

void tangent_before(bri_sim *sim, int event) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    network_rhs(T->base, s->t, s->y, T->before);
    T->when = s->t;
    double rate = event >= 0 ? rate_of_event(sim, event) : 0.0;
    double window = event < 0 ? kink_window(sim, network_kink(T->base, s->t)) : 0.0;
    for (int k = 0; k < T->count; k++) {
        variation *v = &T->by[k];
        v->late = rate != 0.0 ? -event_by(sim, v, event) / rate : 0.0;
        for (int j = 0; event < 0 && j < VARIANTS; j++) shift_kinks(sim, v, j, window);
    }
}

/* The states of a law after its jump, as they depend on the number. */
static void pass_jump(bri_sim *sim, int contact) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    const touch *own = &sim->net->touches[contact];
    int first = 2 * sim->net->n_free + own->first;
    for (int k = 0; k < T->count; k++) {
        variation *v = &T->by[k];
        double sum[BRI_MAX_STATES] = {0}, z[BRI_MAX_STATES];
        for (int j = -1; j < VARIANTS; j++) {
            network *net = j < 0 ? T->base : &v->d.net[j];
            const touch *c = &net->touches[contact];
            double weight = (j < 0 ? v->d.weight_here : v->d.weight[j]) / v->d.step;
            double change = j < 0 ? 0.0 : v->d.offset[j] * v->d.step;
            if (weight == 0.0) continue;
            for (int i = 0; i < T->n; i++)
                T->y[i] = sim->y_end[i] + change * (v->S[i] + T->before[i] * v->late);
            network_forces(net, s->t, T->y);
            network_place(net, s->t, T->y);
            bri_input u = touch_input(net, c);
            memcpy(z, T->y + first, sizeof *z * (size_t)c->count);
            c->model->jump(c->model, c->p, &u, z);
            for (int i = 0; i < c->count; i++) sum[i] += weight * z[i];
        }
        for (int i = 0; i < own->count; i++)
            v->S[first + i] = sum[i] - T->before[first + i] * v->late;
    }
}

/* The clocks of all networks after a kink of the run. */
static void pass_clocks(bri_sim *sim) {
    tangent *T = sim->tangent;
    double t = sim->s->t, window = kink_window(sim, sim->kink);
    for (int i = 0; i < tangent_nets(T); i++) {
        network *net = tangent_net(T, i);
        clock_range *c = &T->at.clock[i];
        while (isfinite(c->kink) && (c->kink <= t || c->kink - t <= window)) {
            c->earliest = c->kink;
            c->kink = network_kink(net, c->earliest);
        }
        c->latest = nextafter(c->kink, -INFINITY);
    }
    T->passed = t;
    tangent_set_clocks(T, T->at.clock);
}

static double driven_value(const network *net, int i) {
    return bri_signal_value(net->driven[i].signal, network_clock(net, net->moved));
}

/* Velocities that follow a signal have its derivative from a kink on. */
static void kick(tangent *T, variation *v, double t) {
    network *base = T->base;
    for (int k = -1; k < VARIANTS; k++) (k < 0 ? base : &v->d.net[k])->moved = t;
    for (int i = 0; i < base->n_driven; i++)
        v->S[base->n_free + base->driven[i].at] = stencil_sum(&v->d, base, driven_value, i);
    for (int k = -1; k < VARIANTS; k++) (k < 0 ? base : &v->d.net[k])->moved = NAN;
}

void tangent_after(bri_sim *sim, int event) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    int contact = event >= 0 ? sim_contact_of(sim, event) : -1;
    const touch *c = contact >= 0 ? &sim->net->touches[contact] : NULL;
    int jumps = c && !c->model->set_valued && c->model->jump && c->count > 0 &&
                memcmp(s->y, sim->y_end, sizeof *s->y * (size_t)T->n) != 0;
    if (jumps) pass_jump(sim, contact);
    if (event < 0) { /* what remains is the change of modes */
        pass_clocks(sim);
        network_rhs(T->base, s->t, sim->y_end, T->before);
    }
    if (event < 0 && T->base->n_driven > 0)
        for (int k = 0; k < T->count; k++) kick(T, &T->by[k], s->t);
    tangent_change_over(sim, s->t, s->y);
}
