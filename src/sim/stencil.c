/* stencil.c - a system with other values of one of its numbers, side by side: differences of all
 * that depends on it. */
#include "system/signal.h"
#include "tangent.h"

#include <math.h>
#include <string.h>

/* Steps as a share of the number. What depends on time by a frequency or a phase bends over one
 * cycle of many, which takes a smaller one; in what has the unit of the signal, or its rate, it is
 * linear: only rounding counts, and a large one makes little of it. */
static const double STEP = 1e-4, SIGNAL_STEP = 1e-6, LINEAR_STEP = 1e-2;
/* Steps of a number that is zero. */
static const double STEP_OF_ZERO = 1e-3, SIGNAL_STEP_OF_ZERO = 1e-6;

static double step_of(const bri_sim *sim, bri_ref ref, double value) {
    int param;
    const bri_signal *s = sim_number_of_signal(sim, ref, &param);
    int linear = s && s->kind->params[param].unit[0] == '=';
    if (value != 0.0) return fabs(value) * (linear ? LINEAR_STEP : s ? SIGNAL_STEP : STEP);
    return s && !linear ? SIGNAL_STEP_OF_ZERO : STEP_OF_ZERO;
}

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
    int above = sim_number_check(sim, ref, value + 2.0 * d->step, NULL) == BRI_OK;
    int below = sim_number_check(sim, ref, value - 2.0 * d->step, NULL) == BRI_OK;
    int side = 0;
    if (!below && sim_number_check(sim, ref, value + 4.0 * d->step, NULL) == BRI_OK) side = 1;
    if (!above && sim_number_check(sim, ref, value - 4.0 * d->step, NULL) == BRI_OK) side = -1;
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

/* What stencil_rates() works with. */
static bri_status take_arrays(const network *net, arena *memory, stencil *d, bri_error *err) {
    d->param = -1;
    d->pos = ARENA_NEW(memory, double, net->n_all);
    d->vel = ARENA_NEW(memory, double, net->n_all);
    d->acc = ARENA_NEW(memory, double, net->n_all);
    d->force = ARENA_NEW(memory, double, net->n_all);
    d->load = ARENA_NEW(memory, double, net->n_touches);
    d->friction = ARENA_NEW(memory, double, net->n_touches);
    d->tension = ARENA_NEW(memory, double, net->n_links);
    d->rates = ARENA_NEW(memory, double, net->n);
    return memory->failed ? bri_fail(err, BRI_NO_MEMORY, "not enough memory for derivatives")
                          : BRI_OK;
}

bri_status stencil_of_states(const network *base, arena *memory, stencil *d, bri_error *err) {
    *d = (stencil){.step = 1.0};
    return take_arrays(base, memory, d, err);
}

void stencil_along(stencil *d, const double *dy) {
    d->ref = (bri_ref){.section = SECTIONS};
    d->param = -1;
    d->whole = 0;
    d->along = dy;
}

/* In the memory of the first variant. */
static bri_status take_room(const bri_sim *sim, bri_ref ref, stencil *d, bri_error *err) {
    network *net = &d->net[0];
    bri_status status = take_arrays(net, &net->memory, d, err);
    d->ref = ref;
    d->whole =
        ref.section == PARAMETER || (ref.section == COUPLING && net->links[ref.element].gear != 0);
    const touch *c = &net->touches[ref.element], *is = &sim->net->touches[ref.element];
    for (int k = 0; ref.section == CONTACT && k < c->model->n_params; k++)
        if (c->p[k] != is->p[k]) d->param = k;
    return status;
}

bri_status stencil_build(bri_sim *sim, bri_ref ref, stencil *d, double *start, bri_error *err) {
    bri_number is = bri_sim_number(sim, ref);
    bri_status status = BRI_OK;
    int rests = sim_rests(sim, ref, 0);
    if (is.whole)
        return bri_fail(err, BRI_BAD_VALUE, "%s is a whole number: there is no derivative by it",
                        is.name);
    for (int m = 1; m < ref.count; m++)
        if (*sim_number(sim, ref, m) != is.value)
            return bri_fail(err, BRI_BAD_VALUE,
                            "%s: the members of the array differ: name one of them", is.name);
    d->step = step_of(sim, ref, is.value);
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
    return status == BRI_OK ? take_room(sim, ref, d, err) : status;
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

/* ---- df/dp ------------------------------------------------------------------------------------
 */

static double mass_of(const network *net, int i) { return net->mass[i]; }
static double weight_of(const network *net, int i) { return net->weight[i]; }
static double place_of(const network *net, int i) { return net->pos[i]; }
static double velocity_of(const network *net, int i) { return net->vel[i]; }
static double acceleration_of(const network *net, int i) { return net->acc[i]; }
static double constant_load_of(const network *net, int i) { return net->touches[i].n; }

static double push_of(const network *net, int i) {
    return bri_signal_value(&net->pushes[i].force, net->moved);
}

static double load_signal_of(const network *net, int i) {
    return bri_signal_value(net->touches[i].n_of_t, net->moved);
}

static double gear_start_of(const network *net, int i) { return net->gears[i].from; }

static double driven_acceleration_of(const network *net, int i) {
    double s[4];
    signal_rates(net->driven[i].signal, net->moved, s);
    return s[2];
}

/* Nonzero if the number is one of element i of that section. */
static int is_of(const stencil *d, int section, int i) {
    return d->ref.section == section && i >= d->ref.element && i < d->ref.element + d->ref.count;
}

/* Prescribed coordinates and weights, which depend on numbers of bodies and on gravity. */
static void vary_bodies(const stencil *d, network *base) {
    size_t size = sizeof(double) * (size_t)base->n_all;
    memset(d->pos, 0, size);
    memset(d->vel, 0, size);
    memset(d->acc, 0, size);
    memset(d->force, 0, size);
    int numbers = d->ref.section == BODY || d->ref.section == SYSTEM;
    for (int i = 0; d->along && i < base->n_free; i++) {
        d->pos[i] = d->along[i];
        d->vel[i] = d->along[base->n_free + i];
    }
    for (int i = 0; numbers && i < base->n_all; i++)
        d->force[i] = stencil_sum(d, base, weight_of, i);
    for (int i = base->n_free; numbers && i < base->n_all; i++) {
        d->pos[i] = stencil_sum(d, base, place_of, i);
        d->vel[i] = stencil_sum(d, base, velocity_of, i);
        d->acc[i] = stencil_sum(d, base, acceleration_of, i);
    }
    for (int i = 0; (numbers || d->along) && i < base->n_gears; i++) {
        const gear *g = &base->gears[i];
        d->pos[g->at] = g->by * d->pos[g->to];
        if (numbers) d->pos[g->at] += stencil_sum(d, base, gear_start_of, i);
        d->vel[g->at] = g->by * d->vel[g->to];
    }
}

/* The value of a function by coordinates that are not free. */
static double vary_formula(const stencil *d, const formula *f) {
    double sum = 0.0;
    for (int i = 0; i < f->f.n_args; i++)
        for (int end = 0; end < 2; end++) {
            int at = f->args[i].coordinate[end];
            double by = end == 0 ? f->slope[i] : -f->slope[i];
            if (at >= 0 && by != 0.0) sum += by * (f->args[i].order ? d->vel : d->pos)[at];
        }
    return sum;
}

/* Tension of a coupling with its length L and the rate of that. */
static double vary_tension(const stencil *d, const link *l, const network_stretch *s) {
    const double e[2] = {s->ex, s->ez}, w[2] = {s->wx, s->wz};
    double by_L, by_rate, dL = 0.0, drate = 0.0;
    if (l->by)
        by_L = l->by->by_L, by_rate = l->by->by_rate;
    else
        l->kind->tension(l->p, s->L, s->rate, &by_L, &by_rate);
    for (int k = 0; k < l->width / 2; k++) {
        double apart = d->pos[l->at[2 * k + 1]] - d->pos[l->at[2 * k]];
        dL += e[k] * apart;
        drate += e[k] * (d->vel[l->at[2 * k + 1]] - d->vel[l->at[2 * k]]);
        if (l->width == 4 && s->L > 0.0) drate += (w[k] - s->rate * e[k]) / s->L * apart;
    }
    return by_L * dL + by_rate * drate;
}

/* The pull of a coupling by its own number, and by coordinates that are not free. */
static void vary_link(const stencil *d, const network *base, int i) {
    const link *l = &base->links[i];
    int moves = d->ref.section == BODY || d->along;
    d->tension[i] = 0.0;
    if (l->gear) return; /* the bodies are one */
    for (int r = 0; moves && r < l->width; r++)
        for (int c = 0; c < l->width; c++)
            d->force[l->at[r]] += l->by_pos[r * l->width + c] * d->pos[l->at[c]] +
                                  l->by_vel[r * l->width + c] * d->vel[l->at[c]];
    network_stretch s = network_stretch_of(base, l);
    if (moves) d->tension[i] = vary_tension(d, l, &s);
    if (!is_of(d, COUPLING, i)) return;
    double by_L, by_rate, sum = 0.0, here = l->kind->tension(l->p, s.L, s.rate, &by_L, &by_rate);
    for (int k = 0; k < VARIANTS; k++)
        sum += d->weight[k] *
               (l->kind->tension(d->net[k].links[i].p, s.L, s.rate, &by_L, &by_rate) - here);
    const double e[4] = {s.ex, -s.ex, s.ez, -s.ez};
    for (int r = 0; r < l->width; r++) d->force[l->at[r]] += e[r] * sum / d->step;
    d->tension[i] += sum / d->step;
}

/* The load of a contact; those that rest on its body have been looked at. */
static double vary_load(const stencil *d, network *base, int i) {
    const touch *c = &base->touches[i];
    if (c->load == BRI_LOAD_CONSTANT)
        return is_of(d, CONTACT, i) ? stencil_sum(d, base, constant_load_of, i) : 0.0;
    if (!(c->N > c->n_least)) return 0.0;
    if (c->load_by) return vary_formula(d, c->load_by);
    if (c->load == BRI_LOAD_SIGNAL)
        return is_of(d, CONTACT, i) ? stencil_sum(d, base, load_signal_of, i) : 0.0;
    double sum = -d->force[c->normal];
    for (int k = 0; k < c->n_above; k++) sum += d->load[c->above[k]];
    return sum;
}

/* Friction, and the rates of the states. */
static void vary_touch(const stencil *d, network *base, int i, const double *z, double *dz) {
    const touch *c = &base->touches[i];
    double D[(1 + BRI_MAX_STATES) * BRI_MAX_PARAMS];
    double dx = d->pos[c->a] - d->pos[c->b], dv = d->vel[c->a] - d->vel[c->b];
    double dn = d->load[i] = vary_load(d, base, i);
    int width = 3 + c->count, own = d->param >= 0 && is_of(d, CONTACT, i);
    bri_input u = touch_input(base, c);
    if (own) bri_model_params_jac(c->model, c->p, &u, z + c->first, D);
    for (int row = touch_held(c); row <= c->count; row++) {
        const double *J = c->jac + row * width;
        double rate = J[0] * dx + J[1] * dv + J[2] * dn;
        for (int k = 0; d->along && k < c->count; k++)
            rate += J[3 + k] * d->along[2 * base->n_free + c->first + k];
        if (own) rate += D[row * c->model->n_params + d->param];
        for (int k = 0; k < c->n_varies; k++)
            if (c->varies[k].which >= 0)
                rate += c->varies[k].jac[row] * vary_formula(d, c->varies[k].f);
        if (row > 0) {
            dz[c->first + row - 1] += rate;
        } else {
            d->friction[i] = rate;
            d->force[c->a] -= rate;
            d->force[c->b] += rate;
        }
    }
}

/* From forces to accelerations; members of a group share theirs. */
static void vary_accelerations(const stencil *d, network *base, const double *a, double *out) {
    int n = base->n_free, body = d->ref.section == BODY;
    for (int i = 0; body && i < n; i++) d->force[i] -= a[i] * stencil_sum(d, base, mass_of, i);
    for (int i = 0; i < n; i++) d->acc[i] = d->force[i] * base->per_mass[i];
    for (int i = 0; body && i < base->n_driven; i++)
        d->acc[base->driven[i].at] = stencil_sum(d, base, driven_acceleration_of, i);
    if (base->any_stuck) {
        for (int i = 0; i < n; i++)
            if (base->group_mass[i] > 0.0) d->acc[i] = 0.0;
        for (int i = 0; i < n; i++) {
            int g = base->leader[i];
            if (base->group_mass[g] > 0.0) d->acc[g] += d->force[i] / base->group_mass[g];
        }
    }
    for (int i = 0; i < n; i++) out[i] += d->acc[base->any_stuck ? base->leader[i] : i];
}

/* The same as differences of all rates. */
static void subtract_rates(const stencil *d, double t, const double *y, const double *f,
                           double *out) {
    for (int k = 0; k < VARIANTS; k++) {
        network_rhs(&d->net[k], t, y, d->rates);
        for (int i = 0; i < d->net->n; i++) out[i] += d->weight[k] / d->step * (d->rates[i] - f[i]);
    }
}

void stencil_rates(const stencil *d, network *base, double t, const double *y, const double *f,
                   double *out) {
    int n = base->n_free, variants = d->along ? 0 : VARIANTS;
    if (d->whole) {
        subtract_rates(d, t, y, f, out);
        return;
    }
    double at = variants ? common_time(d, base, t) : t;
    network_move(base, at);
    for (int k = 0; k < variants; k++) network_move(&d->net[k], at);
    vary_bodies(d, base);
    for (int i = 0; i < base->n_links; i++) vary_link(d, base, i);
    for (int i = 0; i < base->n_pushes; i++)
        if (base->pushes[i].by)
            d->force[base->pushes[i].at] += vary_formula(d, base->pushes[i].by);
        else if (is_of(d, DRIVE, i))
            d->force[base->pushes[i].at] += stencil_sum(d, base, push_of, i);
    for (int i = 0; i < base->n_order; i++)
        vary_touch(d, base, base->order[i], y + 2 * n, out + 2 * n);
    network_fold(base, d->force);
    vary_accelerations(d, base, f + n, out + n);
}

/* With derivatives in the place of forces and accelerations, what holds a contact and the pull of a
 * gear, both linear in them, are derivatives, too. */
static void show_held(const stencil *d, network *base) {
    double *force = base->force, *acc = base->acc;
    base->force = d->force;
    base->acc = d->acc;
    stick_forces(base);
    for (int i = 0; i < base->n_touches; i++)
        if (touch_held(&base->touches[i])) d->friction[i] = base->touches[i].F;
    for (int i = 0; base->any_stuck && i < base->n_free; i++) d->acc[i] = d->acc[base->leader[i]];
    network_unfold(base, d->acc);
    for (int i = 0; i < base->n_links; i++)
        if (base->links[i].gear) d->tension[i] = network_gear_force(base, &base->links[i]);
    base->force = force;
    base->acc = acc;
}

static double friction_of(const network *net, int i) { return net->touches[i].F; }
static double any_load_of(const network *net, int i) { return fmax(net->touches[i].N, 0.0); }
static double tension_of(const network *net, int i) {
    return network_link_force((network *)net, i);
}

/* The same as differences of what is shown. */
static void subtract_shown(const stencil *d, network *base, double t, const double *y) {
    for (int k = 0; k <= VARIANTS; k++) {
        network *net = k < VARIANTS ? &d->net[k] : base;
        network_show(net, t, y, d->rates);
        stick_forces(net);
    }
    for (int i = 0; i < base->n_all; i++) {
        d->pos[i] = stencil_sum(d, base, place_of, i);
        d->vel[i] = stencil_sum(d, base, velocity_of, i);
    }
    for (int i = 0; i < base->n_touches; i++) {
        d->friction[i] = stencil_sum(d, base, friction_of, i);
        d->load[i] = stencil_sum(d, base, any_load_of, i);
    }
    for (int i = 0; i < base->n_links; i++) d->tension[i] = stencil_sum(d, base, tension_of, i);
}

void stencil_show(const stencil *d, network *base, double t, const double *y, const double *f) {
    if (!d->along && (d->whole || base->n_gears > 0)) {
        subtract_shown(d, base, common_time(d, base, t), y);
        return;
    }
    memset(d->rates, 0, sizeof *d->rates * (size_t)base->n);
    stencil_rates(d, base, t, y, f, d->rates);
    show_held(d, base);
    if (d->ref.section != BODY) return;
    network_place_idle(base, t); /* what nothing else depends on */
    for (int k = 0; k < VARIANTS; k++) network_place_idle(&d->net[k], t);
    for (int i = base->n_free; i < base->n_all; i++) d->pos[i] = stencil_sum(d, base, place_of, i);
}

int network_count_sides(const network *net) {
    int count = net->n_formulas > 0 ? net->n_touches : 0;
    for (int i = 0; i < net->n_formulas; i++) count += net->formulas[i].f.n_switches;
    return count;
}

void network_get_sides(const network *net, double *sides) {
    for (int i = 0; i < net->n_formulas; i++)
        for (int k = 0; k < net->formulas[i].f.n_switches; k++) *sides++ = net->formulas[i].side[k];
    for (int i = 0; net->n_formulas > 0 && i < net->n_touches; i++)
        *sides++ = net->touches[i].lift_side;
}

static void take_sides(network *net, const double *sides) {
    for (int i = 0; i < net->n_formulas; i++)
        for (int k = 0; k < net->formulas[i].f.n_switches; k++) net->formulas[i].side[k] = *sides++;
    for (int i = 0; net->n_formulas > 0 && i < net->n_touches; i++)
        net->touches[i].lift_side = *sides++;
}

void network_take_modes(network *net, const modes *from, const double *sides) {
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        c->mode = from[i].mode;
        c->limit = from[i].limit;
        c->edge = from[i].edge;
        c->left = from[i].left;
        c->lifted = from[i].lifted;
    }
    if (sides) take_sides(net, sides);
    if (net->set_valued) stick_group(net);
}
