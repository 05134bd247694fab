/* time_derivative.c - what time alone changes of the right-hand side of a network. */
#include "network.h"
#include "signal.h"
#include <string.h>

/* Change per second of a load through its own signal, or those of contacts that rest on the body.
 */
static double signal_rate(const network *net, const touch *c, double t) {
    double rate = 0.0;
    if (c->load == BRI_LOAD_SIGNAL) {
        double s[4];
        signal_rates(c->n_of_t, t, s);
        rate = s[2];
    } else if (c->load_by) {
        rate = c->load_by->by_t;
    } else if (c->load == BRI_LOAD_REACTION) {
        for (int i = 0; i < c->n_above; i++)
            rate += signal_rate(net, &net->touches[c->above[i]], t);
    }
    return rate;
}

/* Change per second of a load through time alone. */
static double load_rate(const network *net, const touch *c, double t) {
    double rate = signal_rate(net, c, t);
    for (int i = c->n_moving; i < c->n_terms; i++) {
        const load_term *term = &c->terms[i];
        rate -= term->by_pos * net->vel[term->at] + term->by_vel * net->acc[term->at];
    }
    for (int i = 0; i < c->n_pulls; i++) {
        const link *l = &net->links[c->pulls[i].link];
        rate -= (c->pulls[i].row == 2 ? 1.0 : -1.0) * l->by->by_t * network_stretch_of(net, l).ez;
    }
    return rate;
}

/* Change per second of the acceleration of a coordinate that is not free. */
static double jerk(const network *net, int at, double t) {
    for (int i = 0; i < net->n_motions; i++) {
        const motion *m = &net->motions[i];
        double s[4], later[4], h = 1e-6;
        if (m->at != at) continue;
        signal_rates(m->signal, t, s);
        if (m->order == 1) return s[3];
        signal_rates(m->signal, t + h, later);
        return (later[3] - s[3]) / h;
    }
    return 0.0;
}

/* Members of a group share the rate of change of their acceleration. */
static void share_rates(network *net, double t, double *rate) {
    int n = net->n_free;
    double *sum = net->loose;
    memset(sum, 0, sizeof *sum * (size_t)net->n_all);
    for (int i = 0; i < n; i++) sum[net->leader[i]] += net->mass[i] * rate[i];
    for (int i = 0; i < n; i++) {
        int g = net->leader[i];
        if (g >= n)
            rate[i] = jerk(net, g, t);
        else if (net->group_mass[g] > 0.0)
            rate[i] = sum[g] / net->group_mass[g];
        else
            rate[i] = rate[g];
    }
}

void network_time_derivative(network *net, double t, double *ft) {
    int n = net->n_free;
    memset(ft, 0, sizeof *ft * (size_t)net->n);
    double *force = net->force;
    memset(force, 0, sizeof *force * (size_t)net->n_all);
    runs_time_derivative(net, force, ft + 2 * n);
    packs_time_derivative(net, force, ft + 2 * n);
    for (int i = 0; i < net->n_bars; i++) {
        const bar *l = &net->bars[i];
        double rate = 0.0;
        if (network_root(net, l->a) >= n) rate -= l->k * net->vel[l->a] + l->c * net->acc[l->a];
        if (network_root(net, l->b) >= n) rate += l->k * net->vel[l->b] + l->c * net->acc[l->b];
        force[l->a] += rate;
        force[l->b] -= rate;
    }
    for (int i = 0; i < net->n_odd_links; i++) {
        const link *l = &net->links[net->odd_links[i]];
        if (!l->moved) continue;
        for (int r = 0; r < l->width; r++)
            for (int c = 0; c < l->width; c++)
                if (network_root(net, l->at[c]) >= n)
                    force[l->at[r]] += l->by_pos[r * l->width + c] * net->vel[l->at[c]] +
                                       l->by_vel[r * l->width + c] * net->acc[l->at[c]];
    }
    for (int i = 0; i < net->n_odd_links; i++) {
        const link *l = &net->links[net->odd_links[i]];
        if (!l->by) continue;
        network_stretch s = network_stretch_of(net, l);
        const double e[4] = {s.ex, -s.ex, s.ez, -s.ez};
        for (int r = 0; r < l->width; r++) force[l->at[r]] += e[r] * l->by->by_t;
    }
    for (int i = 0; i < net->n_pushes; i++) {
        double s[4];
        const push *p = &net->pushes[i];
        if (!p->by) signal_rates(&p->force, t, s);
        force[p->at] += p->by ? p->by->by_t : s[2];
    }
    for (int i = 0; i < net->n_order; i++) {
        const touch *c = &net->touches[net->order[i]];
        double dx = 0.0, dv = 0.0, dn = load_rate(net, c, t);
        if (touch_held(c)) continue;
        if (network_root(net, c->a) >= n) dx += net->vel[c->a], dv += net->acc[c->a];
        if (network_root(net, c->b) >= n) dx -= net->vel[c->b], dv -= net->acc[c->b];
        int width = 3 + c->count;
        for (int row = 0; row <= c->count; row++) {
            const double *J = c->jac + row * width;
            double rate = J[0] * dx + J[1] * dv + J[2] * dn;
            for (int k = 0; k < c->n_varies; k++)
                if (c->varies[k].which >= 0) rate += c->varies[k].jac[row] * c->varies[k].f->by_t;
            if (row > 0) {
                ft[2 * n + c->first + row - 1] = rate;
            } else {
                force[c->a] -= rate;
                force[c->b] += rate;
            }
        }
    }
    network_fold(net, force);
    for (int i = 0; i < n; i++) ft[n + i] = net->mass[i] > 0.0 ? force[i] / net->mass[i] : 0.0;
    for (int i = 0; i < net->n_driven; i++) {
        double s[4];
        signal_rates(net->driven[i].signal, t, s);
        ft[n + net->driven[i].at] = s[3];
    }
    if (net->any_stuck) share_rates(net, t, ft + n);
}
