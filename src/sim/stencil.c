/* stencil.c - a system with other values of one of its numbers, side by side: differences of all
 * that depends on it. */
#include "tangent.h"

#include <math.h>
#include <string.h>

/* Steps as a share of the number. What depends on time by a frequency or a phase bends over one
 * cycle of many, which takes a smaller one. */
static const double STEP = 1e-4, SIGNAL_STEP = 1e-6;
/* Steps of a number that is zero. */
static const double STEP_OF_ZERO = 1e-3, SIGNAL_STEP_OF_ZERO = 1e-6;

static void set_offsets(stencil *d, int side) {
    static const double central[VARIANTS][2] = {
        {-2.0, 1.0 / 12.0}, {-1.0, -2.0 / 3.0}, {1.0, 2.0 / 3.0}, {2.0, -1.0 / 12.0}};
    static const double forward[VARIANTS][2] = {
        {1.0, 4.0}, {2.0, -3.0}, {3.0, 4.0 / 3.0}, {4.0, -0.25}};
    d->weight_here = side * -25.0 / 12.0;
    for (int k = 0; k < VARIANTS; k++) {
        d->offset[k] = side == 0 ? central[k][0] : side * forward[k][0];
        d->weight[k] = side == 0 ? central[k][1] : side * forward[k][1];
    }
}

/* To both sides if the number may have such values, else to one. */
static void choose_side(const bri_sim *sim, bri_ref ref, double value, stencil *d) {
    int above = sim_number_allowed(sim, ref, value + 2.0 * d->step);
    int below = sim_number_allowed(sim, ref, value - 2.0 * d->step);
    int side = 0;
    if (!below && sim_number_allowed(sim, ref, value + 4.0 * d->step)) side = 1;
    if (!above && sim_number_allowed(sim, ref, value - 4.0 * d->step)) side = -1;
    set_offsets(d, side);
}

static bri_status build_one(bri_sim *sim, network *net, double *start, double weight,
                            bri_error *err) {
    const bri_sim_def *def = &sim->def;
    bri_status status = network_build(net, &def->system, def->t_start, def->t_end, err);
    if (status == BRI_OK) status = network_allow_stick(net, err);
    if (status != BRI_OK || !start) return status;
    double *y = sim->carried;
    network_start(net, &def->system, def->t_start, y);
    for (int i = 0; i < net->n; i++) start[i] += weight * y[i];
    return BRI_OK;
}

bri_status stencil_build(bri_sim *sim, bri_ref ref, stencil *d, double *start, bri_error *err) {
    bri_number is = bri_sim_number(sim, ref);
    bri_status status = BRI_OK;
    int signal = sim_number_of_signal(sim, ref), rests = sim_rests(sim, ref, 0);
    if (is.whole)
        return bri_fail(err, BRI_BAD_VALUE, "%s is a whole number: there is no derivative by it",
                        is.name);
    for (int m = 1; m < ref.count; m++)
        if (*sim_number(sim, ref, m) != is.value)
            return bri_fail(err, BRI_BAD_VALUE,
                            "%s: the members of the array differ: name one of them", is.name);
    d->step = is.value != 0.0 ? fabs(is.value) * (signal ? SIGNAL_STEP : STEP)
              : signal        ? SIGNAL_STEP_OF_ZERO
                              : STEP_OF_ZERO;
    choose_side(sim, ref, is.value, d);
    if (start) memset(start, 0, sizeof *start * (size_t)sim->net->n);
    for (int k = -1; status == BRI_OK && k < VARIANTS; k++) {
        double offset = k < 0 ? 0.0 : d->offset[k], weight = k < 0 ? d->weight_here : d->weight[k];
        if (k < 0 && !start) continue;
        for (int m = 0; m < ref.count; m++)
            sim_vary_number(sim, ref, m, is.value + offset * d->step);
        status = build_one(sim, &d->net[k < 0 ? 0 : k], start, weight / d->step, err);
    }
    for (int m = 0; m < ref.count; m++) {
        sim_vary_number(sim, ref, m, is.value);
        if (rests) sim_rests(sim, ref, 1);
    }
    return status;
}

/* The weights add up to nothing: sums of changes are exact where there is none. */
double stencil_sum(const stencil *d, network *base, double (*read)(const network *net, int i),
                   int i) {
    double sum = 0.0, here = read(base, i);
    for (int k = 0; k < VARIANTS; k++) sum += d->weight[k] * (read(&d->net[k], i) - here);
    return sum / d->step;
}

/* Close to a kink whose time differs between the variants all are looked at where none has passed
 * it, or all have. */
static double common_time(const stencil *d, const network *base, double t) {
    double from = base->earliest, to = base->latest;
    for (int k = 0; k < VARIANTS; k++) {
        from = fmax(from, d->net[k].earliest);
        to = fmin(to, d->net[k].latest);
    }
    return from > to ? t : fmin(fmax(t, from), to);
}

void stencil_rates(const stencil *d, network *base, double t, const double *y, double *here,
                   double *out, double *room) {
    double at = common_time(d, base, t);
    network_rhs(base, at, y, here);
    for (int k = 0; k < VARIANTS; k++) {
        double weight = d->weight[k] / d->step;
        network_rhs(&d->net[k], at, y, room);
        for (int i = 0; i < base->n; i++) out[i] += weight * (room[i] - here[i]);
    }
}

void network_take_modes(network *net, const modes *from) {
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        c->mode = from[i].mode;
        c->limit = from[i].limit;
        c->edge = from[i].edge;
        c->left = from[i].left;
        c->lifted = from[i].lifted;
    }
    if (net->set_valued) stick_group(net);
}
