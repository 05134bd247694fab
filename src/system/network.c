/* network.c - right-hand side, powers and energies of a network. */
#include "network.h"
#include "signal.h"
#include "solvers/stages.h"
#include "stick.h"
#include <math.h>
#include <string.h>

/* What every stage of a step goes through is one function, without calls in between. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* fmin and fmax are calls; nothing here is a NaN that matters. */
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double larger(double a, double b) { return a > b ? a : b; }

ALWAYS_INLINE void put_motion(network *net, const motion *m, const double s[4]) {
    net->pos[m->at] = m->order == 0 ? s[1] : m->from + s[0];
    net->vel[m->at] = s[1 + (m->order == 0)];
    net->acc[m->at] = s[2 + (m->order == 0)];
}

/* The same where the position is not needed. */
ALWAYS_INLINE void put_velocity(network *net, const motion *m, const double s[4]) {
    net->vel[m->at] = s[1];
    net->acc[m->at] = s[2];
}

/* What has been changed from outside is looked up again. */
static void forget_lines(network *net) {
    for (clocked *c = net->clocks; c; c = c->next) signal_line_forget(&c->line);
    for (int i = 0; i < net->n_motions; i++) signal_line_forget(&net->motions[i].line);
}

static void move_to(network *net, double t) {
    if (isnan(net->moved)) forget_lines(net);
    net->moved = t;
    if (net->now) *net->now = t;
    for (clocked *c = net->clocks; c; c = c->next) signal_line_at(&c->line, t, 0, c->rate);
    for (int i = 0; i < net->n_motions; i++) {
        motion *m = &net->motions[i];
        double s[4];
        if (m->idle) continue;
        signal_line_at(&m->line, t, !m->unseen, s);
        if (m->unseen)
            put_velocity(net, m, s);
        else
            put_motion(net, m, s);
    }
}

/* Several stages of a step, and the start of the next, are at the same time. */
ALWAYS_INLINE void move(network *net, double t) {
    t = network_clock(net, t);
    if (t != net->moved) move_to(net, t);
}

void network_move(network *net, double t) { move(net, t); }

ALWAYS_INLINE void place(network *net, double t, const double *y) {
    int n = net->n_free;
    if (net->n_touch_runs > 0) {
        memcpy(net->pos, y, sizeof *y * (size_t)n);
        memcpy(net->vel, y + n, sizeof *y * (size_t)n);
    } else {
        double *pos = net->pos, *vel = net->vel;
        for (int i = 0; i < n; i++) {
            pos[i] = y[i];
            vel[i] = y[n + i];
        }
    }
    move(net, t);
    network_follow_gears(net);
}

void network_place(network *net, double t, const double *y) { place(net, t, y); }

void network_place_idle(network *net, double t) {
    for (int i = 0; i < net->n_motions; i++) {
        const motion *m = &net->motions[i];
        double s[4];
        if (!m->unseen) continue;
        m->signal->kind->eval(m->signal, network_clock(net, t), s);
        put_motion(net, m, s);
    }
    net->moved = NAN;
    network_follow_gears(net);
}

void network_bound_speed(const network *net, const touch *c, double v, double *size) {
    for (int end = 0; end < 2; end++) {
        int at = end == 0 ? c->a : c->b, root = network_root(net, at);
        double own = v / fabs(network_lever(net, at));
        if (root < net->n_free) size[root] = smaller(size[root], own);
    }
}

void network_sizes(const network *net, const double *y, double *size) {
    int n = net->n_free;
    if (net->packed && net->packed->few && net->packed->ends_of->sizes(net, y, size)) return;
    if (net->n_touch_runs > 0) {
        net->sweeps->sizes(net->n, n, y, net->nominal, size);
        runs_sizes(net, y, size);
    } else {
        for (int i = 0; i < net->n; i++) size[i] = fabs(y[i]);
        for (int i = n; i < 2 * n; i++) size[i] = larger(size[i], net->nominal[i]);
    }
    for (int i = 0; i < net->n_order; i++) {
        const touch *c = &net->touches[net->order[i]];
        double v = larger(fabs(net->vel[c->a] - net->vel[c->b]), c->v_size);
        if (net->root) {
            network_bound_speed(net, c, v, size + n);
            continue;
        }
        if (c->a < n) size[n + c->a] = smaller(size[n + c->a], v);
        if (c->b < n) size[n + c->b] = smaller(size[n + c->b], v);
    }
    packs_sizes(net, size + n);
}

typedef network_stretch stretch;

ALWAYS_INLINE stretch stretch_of(const network *net, const link *l) {
    const double *pos = net->pos, *vel = net->vel;
    double dx = pos[l->at[1]] - pos[l->at[0]], wx = vel[l->at[1]] - vel[l->at[0]];
    if (l->width == 2) return (stretch){dx, wx, 1.0, 0.0, wx, 0.0};
    double dz = pos[l->at[3]] - pos[l->at[2]], wz = vel[l->at[3]] - vel[l->at[2]];
    double L = sqrt(dx * dx + dz * dz), per_L = 1.0 / L;
    double ex = L > 0.0 ? dx * per_L : 1.0, ez = L > 0.0 ? dz * per_L : 0.0;
    return (stretch){L, ex * wx + ez * wz, ex, ez, wx, wz};
}

network_stretch network_stretch_of(const network *net, const link *l) { return stretch_of(net, l); }

ALWAYS_INLINE double formula_of(const network *net, formula *f, int slopes) {
    return slopes ? formula_slopes(net, f) : formula_value(net, f);
}

ALWAYS_INLINE double tension_of(const network *net, const link *l, const stretch *s, int slopes) {
    double by_L, by_rate;
    if (!l->by) return l->kind->tension(l->p, s->L, s->rate, &by_L, &by_rate);
    l->by->L = s->L;
    l->by->rate = s->rate;
    return formula_of(net, l->by, slopes);
}

ALWAYS_INLINE void pull(network *net, const link *l, int slopes) {
    stretch s = stretch_of(net, l);
    double T = tension_of(net, l, &s, slopes), *force = net->force;
    force[l->at[0]] += T * s.ex;
    force[l->at[1]] -= T * s.ex;
    if (l->width == 4) {
        force[l->at[2]] += T * s.ez;
        force[l->at[3]] -= T * s.ez;
    }
}

/* The load of a contact, once the forces of links and drives are known. */
static double load_of(network *net, const touch *c, double t, int slopes) {
    if (c->load == BRI_LOAD_CONSTANT) return c->n;
    if (c->load == BRI_LOAD_SIGNAL) return touch_load(c, bri_signal_value(c->n_of_t, t));
    if (c->load == BRI_LOAD_FUNCTION) {
        double n = formula_of(net, c->load_by, slopes), side = net->as_is ? 0.0 : c->lift_side;
        return side == 0.0 ? touch_load(c, n) : side < 0.0 ? 0.0 : larger(n, c->n_least);
    }
    double N = -net->force[c->normal];
    for (int i = 0; i < c->n_above; i++) N += net->touches[c->above[i]].N;
    return touch_load(c, N);
}

/* Rates of the states of a law that sticks exactly, if it has any. */
static void rest_rates(network *net, const touch *c, const double *z, double *dz) {
    bri_input u = touch_input(net, c);
    if (c->count > 0) bri_model_eval(c->model, c->p, &u, z, dz);
}

/* Members of a group share their acceleration, that of the leader; all are kept in net->acc. */
static void share_accelerations(network *net, double *a) {
    int n = net->n_free;
    for (int i = 0; i < n; i++)
        net->acc[i] = net->any_stuck && net->group_mass[i] > 0.0 ? 0.0 : a[i];
    if (!net->any_stuck) return;
    for (int i = 0; i < n; i++) {
        int g = net->leader[i];
        if (net->group_mass[g] > 0.0) net->acc[g] += net->force[i] / net->group_mass[g];
    }
    for (int i = 0; i < n; i++) a[i] = net->acc[i] = net->acc[net->leader[i]];
}

ALWAYS_INLINE double push_of(const network *net, int i, double t, int slopes) {
    const push *p = &net->pushes[i];
    return p->by ? formula_of(net, p->by, slopes) : bri_signal_value(&p->force, t);
}

ALWAYS_INLINE void pull_bars(network *net) {
    const double *pos = net->pos, *vel = net->vel;
    double *force = net->force;
    for (int i = 0; i < net->n_bars; i++) {
        const bar *l = &net->bars[i];
        double T = l->rest + l->k * (pos[l->b] - pos[l->a]) + l->c * (vel[l->b] - vel[l->a]);
        force[l->a] += T;
        force[l->b] -= T;
    }
}

/* Forces on all coordinates, and the rates of the contact states; packs and formulas are linearised
 * with them if that is wanted. */
ALWAYS_INLINE void forces(network *net, double t, const double *y, double *dz, int slopes) {
    if (net->n_order + net->n_odd_links + net->n_bars > 0 || net->n_touch_runs == 0)
        place(net, t, y);
    else
        move(net, t); /* runs find the others in y */
    t = network_clock(net, t);
    if (net->n_touch_runs > 0)
        memcpy(net->force, net->weight, sizeof *net->force * (size_t)net->n_all);
    else
        for (int i = 0, n = net->n_all; i < n; i++) net->force[i] = net->weight[i];
    pull_bars(net);
    for (int i = 0; i < net->n_odd_links; i++) pull(net, &net->links[net->odd_links[i]], slopes);
    for (int i = 0; i < net->n_pushes; i++)
        net->force[net->pushes[i].at] += push_of(net, i, t, slopes);
    const double *z = y + 2 * net->n_free;
    if (net->n_touch_runs > 0) runs_forces(net, y, dz);
    if (net->n_packs > 0) packs_forces(net, z, dz, slopes);
    for (int i = 0; i < net->n_order; i++) {
        touch *c = &net->touches[net->order[i]];
        c->N = load_of(net, c, t, slopes);
        if (c->n_varies > 0) touch_vary(net, c, slopes);
        if (touch_held(c)) { /* its force follows from the balance, see stick_forces */
            rest_rates(net, c, z + c->first, dz + c->first);
            continue;
        }
        bri_input u = touch_input(net, c);
        c->F = u.n > 1e-30 ? c->model->eval(c->model, c->p, &u, z + c->first, dz + c->first)
                           : bri_model_eval(c->model, c->p, &u, z + c->first, dz + c->first);
        net->force[c->a] -= c->F;
        net->force[c->b] += c->F;
    }
    network_fold(net, net->force);
}

ALWAYS_INLINE void rates(network *net, double t, const double *y, double *dy, int slopes) {
    int n = net->n_free;
    forces(net, t, y, dy + 2 * n, slopes);
    if (net->n_touch_runs > 0) {
        memcpy(dy, y + n, sizeof *y * (size_t)n);
        net->sweeps->times(n, net->force, net->per_mass, dy + n);
    } else {
        for (int i = 0; i < n; i++) {
            dy[i] = y[n + i];
            dy[n + i] = net->force[i] * net->per_mass[i];
        }
    }
    for (int i = 0; i < net->n_driven; i++) {
        double s[4];
        signal_rates(net->driven[i].signal, network_clock(net, t), s);
        dy[n + net->driven[i].at] = s[2];
    }
    if (net->set_valued) share_accelerations(net, dy + n);
}

void network_rhs(network *net, double t, const double *y, double *dy) { rates(net, t, y, dy, 0); }

void network_show(network *net, double t, const double *y, double *dy) {
    network_rhs(net, t, y, dy);
    network_place(net, t, y);
    network_place_idle(net, t);
    for (int i = 0; net->root && i < net->n_free; i++) net->acc[i] = dy[net->n_free + i];
    network_follow_gears(net);
    runs_show_forces(net);
}

void network_forces(network *net, double t, const double *y) {
    forces(net, t, y, net->spare, 0);
    if (net->n_touch_runs == 0) return;
    network_place(net, t, y); /* forces() does not where there are runs alone */
    runs_held_forces(net);
    runs_show_forces(net);
}

void network_power(network *net, double t, const double *y, double *heat, double *work) {
    const double *dz = net->spare;
    if (net->any_stuck) {
        network_rhs(net, t, y, net->rates);
        dz = net->rates + 2 * net->n_free;
        stick_forces(net);
        for (int i = 0; i < net->n_touches; i++) {
            const touch *c = &net->touches[i];
            if (!touch_held(c)) continue;
            net->force[c->a] -= c->F;
            net->force[c->b] += c->F;
        }
    } else {
        network_forces(net, t, y);
    }
    network_powers(net, t, y, dz, heat, work);
}

/* Energy of bristles that store some changes with a load that varies, without any motion: the
 * loader's work, or heat if it falls. Powers are counted as heat. */
static double power_by_load(const touch *c, const bri_input *u, const double *z, double t) {
    double s[4], more, less, by = 1e-3 * u->n;
    if (c->load != BRI_LOAD_SIGNAL || !(u->n > c->n_least)) return 0.0;
    bri_input at = *u;
    at.n = u->n + by;
    bri_model_energy(c->model, c->p, &at, z, &more, NULL);
    at.n = u->n - by;
    bri_model_energy(c->model, c->p, &at, z, &less, NULL);
    if (more == less) return 0.0;
    signal_rates(c->n_of_t, t, s);
    return (more - less) / (2.0 * by) * s[2];
}

double network_heat(const network *net, const touch *c, const bri_input *u, const double *z,
                    const double *dz, double t) {
    double grad[BRI_MAX_STATES], power = c->F * u->v;
    if (c->mode == BRI_STUCK || c->count == 0 || !c->model->stored) return power;
    bri_input in = *u;
    if (in.n < BRI_NO_LOAD) in.n = 0.0;
    c->model->stored(c->model, c->p, &in, z, grad);
    for (int i = 0; i < c->count; i++) power -= grad[i] * dz[i];
    return power - power_by_load(c, u, z, network_clock(net, t));
}

void network_powers(const network *net, double t, const double *y, const double *dz, double *heat,
                    double *work) {
    *heat = *work = 0.0;
    t = network_clock(net, t);
    const double *z = y + 2 * net->n_free;
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        if (l->by) *work -= l->by->value * stretch_of(net, l).rate;
        if (l->by || !l->kind->dissipation || (l->linear && l->by_rate == 0.0)) continue;
        stretch s = stretch_of(net, l);
        *heat += l->kind->dissipation(l->p, s.L, s.rate);
    }
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        bri_input u = touch_input(net, c);
        *heat += network_heat(net, c, &u, z + c->first, dz + c->first, t);
    }
    for (int i = 0; i < net->n_pushes; i++) {
        const push *p = &net->pushes[i];
        *work += (p->by ? p->by->value : bri_signal_value(&p->force, t)) * net->vel[p->at];
    }
    /* A prescribed coordinate is held against the forces that act on it. */
    for (int i = 0; i < net->n_motions; i++)
        *work -= net->force[net->motions[i].at] * net->vel[net->motions[i].at];
    for (int i = 0; i < net->n_driven; i++)
        *work -= net->force[net->driven[i].at] * net->vel[net->driven[i].at];
}

unsigned long long network_pieces(network *net, double t, const double *y) {
    unsigned long long all = 0;
    network_place(net, t, y);
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        if (!l->kind->piece || l->by) continue;
        stretch s = stretch_of(net, l);
        unsigned long long piece = (unsigned long long)l->kind->piece(l->p, s.L, s.rate);
        all = all * 0x9E3779B97F4A7C15u + piece + 1; /* mixed: there may be thousands */
    }
    return all;
}

static double strain_energy(const network *net) {
    double sum = 0.0;
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        if (l->kind->energy && !l->by) sum += l->kind->energy(l->p, stretch_of(net, l).L);
    }
    return sum;
}

double network_strain(network *net, double t, const double *y) {
    network_place(net, t, y);
    return strain_energy(net);
}

void network_energy(network *net, double t, const double *y, bri_energies *e) {
    forces(net, t, y, net->spare, 0);
    network_place(net, t, y);
    const double *z = y + 2 * net->n_free;
    e->kinetic = e->potential = e->stored = 0.0;
    for (int i = 0; i < net->n_free; i++) {
        e->kinetic += 0.5 * net->mass[i] * net->vel[i] * net->vel[i];
        e->potential -= net->weight[i] * net->pos[i];
    }
    e->potential += strain_energy(net);
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        bri_input u = touch_input(net, c);
        double stored;
        if (bri_model_energy(c->model, c->p, &u, z + c->first, &stored, NULL)) e->stored += stored;
    }
}

double network_link_force(network *net, int i) {
    const link *l = &net->links[i];
    if (l->gear) return network_gear_force(net, l);
    if (l->by) return l->by->value;
    stretch s = stretch_of(net, l);
    double by_L, by_rate;
    return l->kind->tension(l->p, s.L, s.rate, &by_L, &by_rate);
}

/* ---- linearisation ---------------------------------------------------------------------- */

/* d(force on at[i])/d(at[j]) of a link. A pull T e on the first end, -T e on the second; with
 * d = difference of the ends, d(T e_i)/dd_j = (T_L e_i + T_r (w_i - r e_i)/L ...) written out.
 * half: coordinates of an end, a constant at each call so that the loops unroll. */
static inline __attribute__((always_inline)) void linearise_ends(const network *net, link *l,
                                                                 int half) {
    stretch s = stretch_of(net, l);
    double by_L, by_rate, T;
    if (l->by)
        T = l->by->value, by_L = l->by->by_L, by_rate = l->by->by_rate;
    else
        T = l->kind->tension(l->p, s.L, s.rate, &by_L, &by_rate);
    const double e[2] = {s.ex, s.ez}, w[2] = {s.wx, s.wz};
    double per_L = half == 2 && s.L > 0.0 ? 1.0 / s.L : 0.0;
#pragma GCC unroll 2
    for (int i = 0; i < half; i++)
#pragma GCC unroll 2
        for (int j = 0; j < half; j++) {
            double pos =
                by_L * e[i] * e[j] +
                (by_rate * e[i] * (w[j] - s.rate * e[j]) + T * ((i == j) - e[i] * e[j])) * per_L;
            double vel = by_rate * e[i] * e[j];
            /* rows and columns: 2 i is the first end, 2 i + 1 the second */
#pragma GCC unroll 4
            for (int side = 0; side < 4; side++) {
                int entry = (2 * i + side / 2) * 2 * half + 2 * j + side % 2;
                int minus = side == 0 || side == 3;
                l->by_pos[entry] = minus ? -pos : pos;
                l->by_vel[entry] = minus ? -vel : vel;
            }
        }
}

void network_linearise_link(const network *net, link *l) {
    if (l->width == 4)
        linearise_ends(net, l, 2);
    else
        linearise_ends(net, l, 1);
}

/* What a load depends on, side by side. */
static void keep_terms(const network *net, touch *c) {
    for (int i = 0; i < c->n_terms; i++) {
        load_term *term = &c->terms[i];
        term->by_pos = net->links[term->link].by_pos[term->entry];
        term->by_vel = net->links[term->link].by_vel[term->entry];
    }
}

void network_linearise(network *net, double t, const double *y, double *dy, double *ft) {
    const double *z = y + 2 * net->n_free;
    if (net->packed && net->packed->few) {
        net->packed->ends_of->linearise(net, t, y, dy, ft);
        return;
    }
    rates(net, t, y, dy, 1);
    for (int i = 0; i < net->n_odd_links; i++) {
        link *l = &net->links[net->odd_links[i]];
        network_linearise_link(net, l);
    }
    for (int i = 0; i < net->n_order; i++) keep_terms(net, &net->touches[net->order[i]]);
    runs_linearise(net, z);
    for (int i = 0; i < net->n_order; i++) {
        touch *c = &net->touches[net->order[i]];
        bri_input u = touch_input(net, c);
        bri_model_jac(c->model, c->p, &u, z + c->first, c->jac);
    }
    if (net->n_formulas > 0) network_linearise_formulas(net, y);
    if (ft) network_time_derivative(net, network_clock(net, t), ft);
}

double network_attempt(void *self, rodas_step *s) {
    network *net = self;
    if (!s->fresh) {
        network_linearise(net, s->t, s->y, s->f, net->autonomous ? NULL : s->ft);
        network_sizes(net, s->y, s->weight);
        net->sweeps->weigh(net->n, s->rtol, s->atol, net->nominal, s->weight);
    }
    return net->packed->attempt(net, s);
}
