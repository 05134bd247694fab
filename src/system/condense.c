/* condense.c - (w I - J) u = b without ever forming J.
 *
 * Positions obey u_q = (b_q + u_v)/w. The states of a contact see the rest only through its
 * relative displacement, velocity and load: with S = w I - J_zz, u_z = S^-1 (b_z + J_x dx + J_v dv
 * + J_n dn),   F_hat = F_x dx + F_v dv + F_n dn + F_z u_z. What remains are the velocities: (w M -
 * C - K/w + contacts) u_v = right side, a matrix of the size and pattern of the mechanical system.
 */
#include "network.h"
#include <math.h>
#include <string.h>

/* LU factors of a small dense matrix, row-major, with partial pivoting; 0 unless its determinant is
 * positive. */
static int small_factor(double *a, int n, int *pivot) {
    int sign = 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        pivot[k] = best;
        if (a[best * n + k] == 0.0) return 0;
        if ((a[best * n + k] < 0.0) != (best != k)) sign = -sign;
        for (int j = 0; best != k && j < n; j++) {
            double swap = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return sign > 0;
}

static void small_solve(const double *a, int n, const int *pivot, double *b, int stride) {
    for (int k = 0; k < n; k++) {
        double swap = b[k * stride];
        b[k * stride] = b[pivot[k] * stride];
        b[pivot[k] * stride] = swap;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) b[i * stride] -= a[i * n + j] * b[j * stride];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i * stride] -= a[i * n + j] * b[j * stride];
        b[i * stride] /= a[i * n + i];
    }
}

/* The states in place of their right side b, one column of several. */
static void solve_states(const touch *c, double *b, int stride) {
    int k = c->count;
    if (k == 1) {
        b[0] *= c->lu[0];
    } else if (k == 2) { /* lu holds the inverse */
        double b0 = b[0], b1 = b[stride];
        b[0] = c->lu[0] * b0 + c->lu[1] * b1;
        b[stride] = c->lu[2] * b0 + c->lu[3] * b1;
    } else if (k > 2) {
        small_solve(c->lu, k, c->pivot, b, stride);
    }
}

/* The same elimination for what the contact depends on besides its motion. */
static void condense_varies(touch *c, double per_w) {
    for (int i = 0; i < c->n_varies; i++) {
        vary *v = &c->varies[i];
        formula *f = v->f;
        for (int j = 0; j < c->count; j++) v->gain[j] = v->jac[1 + j];
        solve_states(c, v->gain, 1);
        v->F_gain = v->jac[0];
        for (int j = 0; j < c->count; j++) v->F_gain += c->jac[3 + j] * v->gain[j];
        for (int j = 0; j < f->n_at; j++) f->by[j] = f->by_vel[j] + f->by_pos[j] * per_w;
    }
}

/* Eliminate the states of one contact; 0 if they grow faster than e^(w t). */
static int condense_touch(touch *c, double w) {
    int k = c->count, width = 3 + k;
    const double *F = c->jac;
    c->x_gain = F[0];
    c->v_gain = F[1];
    c->n_gain = F[2];
    if (k == 1) { /* by far the most frequent case */
        const double *D = F + width;
        double S = w - D[3];
        if (!(S > 0.0)) return 0;
        S = 1.0 / S;
        c->lu[0] = S;
        for (int j = 0; j < 3; j++) c->gain[j] = D[j] * S;
        c->row[0] = F[3] * S;
    } else if (k == 2) { /* lu holds the inverse */
        const double *D = F + width, *E = D + width;
        double a = w - D[3], d = w - E[4], det = a * d - D[4] * E[3];
        if (!(det > 0.0)) return 0;
        det = 1.0 / det;
        c->lu[0] = d * det;
        c->lu[1] = D[4] * det;
        c->lu[2] = E[3] * det;
        c->lu[3] = a * det;
        for (int j = 0; j < 3; j++) {
            c->gain[j] = c->lu[0] * D[j] + c->lu[1] * E[j];
            c->gain[3 + j] = c->lu[2] * D[j] + c->lu[3] * E[j];
        }
    } else if (k > 2) {
        for (int i = 0; i < k; i++) {
            const double *D = F + (1 + i) * width;
            for (int j = 0; j < k; j++) c->lu[i * k + j] = (i == j ? w : 0.0) - D[3 + j];
            for (int j = 0; j < 3; j++) c->gain[3 * i + j] = D[j];
        }
        if (!small_factor(c->lu, k, c->pivot)) return 0;
        for (int j = 0; j < 3; j++) small_solve(c->lu, k, c->pivot, c->gain + j, 3);
    }
    for (int i = 0; i < k; i++) {
        c->x_gain += F[3 + i] * c->gain[3 * i];
        c->v_gain += F[3 + i] * c->gain[3 * i + 1];
        c->n_gain += F[3 + i] * c->gain[3 * i + 2];
    }
    return 1;
}

/* Where the slopes of forces go: to the matrix, and those by positions to the right side as well,
 * if the network is flat. */
typedef struct slopes {
    double *all, *side, per_w;
} slopes;

static inline void add(const slopes *to, long slot, double by_vel, double by_pos) {
    if (slot < 0) return;
    double known = by_pos * to->per_w;
    to->all[slot] -= by_vel + known;
    if (to->side) to->side[slot] += known;
}

/* What a contact takes from w M at its two coordinates, if its gain is negative: a quadratic form
 * gain (v_a - v_b)^2 is at least 2 gain (v_a^2 + v_b^2), or gain v_a^2 where b cannot move. */
static void draw(network *net, int a, int b, double gain, double *left) {
    int n = net->n_free;
    if (net->root) { /* behind gears both count by the squares of their levers */
        int at[2] = {network_root(net, a), network_root(net, b)};
        double by[2] = {network_lever(net, a), network_lever(net, b)};
        for (int end = 0; end < 2; end++)
            if (at[end] < n)
                left[at[end]] += (at[1 - end] < n ? 2.0 : 1.0) * gain * by[end] * by[end];
        return;
    }
    if (a < n) left[a] += b < n ? 2.0 * gain : gain;
    if (b < n) left[b] += a < n ? 2.0 * gain : gain;
}

/* The same of one entry, on row `at`: it takes no more than its size from both coordinates. */
static void draw_entry(const network *net, int at, int column, double size, double *left) {
    int row = network_root(net, at);
    if (row >= net->n_free) return;
    size *= fabs(network_lever(net, at));
    left[row] -= size;
    if (column != row) left[column] -= size;
}

/* What functions of the motion take: forces that push the way a body goes, tensions that fall. */
static void draw_formulas(network *net, double *left) {
    double per_w = net->per_w;
    for (int i = 0; i < net->n_pushes; i++) {
        const formula *f = net->pushes[i].by;
        int at = net->pushes[i].at;
        for (int j = 0; f && j < f->n_at; j++) {
            double by = f->by_vel[j] + f->by_pos[j] * per_w;
            int same = f->at[j] == network_root(net, at);
            if (!same || network_lever(net, at) * by > 0.0)
                draw_entry(net, at, f->at[j], fabs(by), left);
        }
    }
    for (int i = 0; i < net->n_odd_links; i++) {
        const link *l = &net->links[net->odd_links[i]];
        if (!l->by) continue;
        double gain = l->by->by_rate + l->by->by_L * per_w;
        if (l->width == 4) gain -= fabs(l->by->value) * per_w; /* across, over lengths unknown */
        if (gain >= 0.0) continue;
        draw(net, l->at[0], l->at[1], gain, left);
        if (l->width == 4) draw(net, l->at[2], l->at[3], gain, left);
    }
}

/* 1 if w M outweighs all contacts with negative gains, 0 if that cannot be said, -1 if states of a
 * contact grow. */
static int outweighs(network *net, double w) {
    double *left = net->room_f;
    for (int i = 0; i < net->n_free; i++) left[i] = net->mass[i] > 0.0 ? w * net->mass[i] : w;
    for (int i = 0; i < net->n_order; i++) {
        touch *c = &net->touches[net->order[i]];
        if (touch_held(c)) continue;
        if (!condense_touch(c, w)) return -1;
        double gain = c->v_gain + c->x_gain * net->per_w;
        if (gain < 0.0) draw(net, c->a, c->b, gain, left);
        for (int j = 0; j < c->n_moving; j++) {
            const load_term *term = &c->terms[j];
            double by = -fabs(c->n_gain * (term->by_vel + term->by_pos * net->per_w));
            draw(net, c->a, term->at, by, left);
            draw(net, c->b, term->at, by, left);
        }
        if (c->n_varies > 0) condense_varies(c, net->per_w);
        for (int k = 0; k < c->n_varies; k++) {
            const vary *v = &c->varies[k];
            for (int j = 0; j < v->f->n_at; j++) {
                double by = fabs(v->F_gain * v->f->by[j]);
                draw_entry(net, c->a, v->f->at[j], by, left);
                draw_entry(net, c->b, v->f->at[j], by, left);
            }
        }
    }
    if (net->n_formulas > 0) draw_formulas(net, left);
    if (!runs_draw(net, w, left) || !packs_draw(net, w, left)) return -1;
    for (int i = 0; i < net->n_free; i++)
        if (!(left[i] > 0.0)) return 0;
    return 1;
}

static int slopes_at_turns(network *net, const double *y, int back) {
    int count = packs_slopes_at_turns(net, y, back);
    for (int i = 0; i < net->n_order; i++) {
        touch *c = &net->touches[net->order[i]];
        if (!touch_has_turned(net, c)) continue;
        touch_slopes_at_turn(net, c, y, back);
        count++;
    }
    return count;
}

int network_sound(network *net, const double *y, double w) {
    net->per_w = 1.0 / w;
    if (net->packed && net->packed->few && net->packed->ends_of->sound(net, w)) return 1;
    int turned = slopes_at_turns(net, y, 0), enough = outweighs(net, w);
    int sound = enough != 0 ? enough > 0 : network_factor(net, w);
    if (turned) slopes_at_turns(net, y, 1);
    return sound;
}

/* What a contact adds whose states have been eliminated. */
static void add_touch(const slopes *to, const touch *c) {
    const double one[4] = {1.0, 1.0, 1.0, 1.0}, *by = c->slot_by ? c->slot_by : one;
    for (int e = 0; e < 4; e++) {
        double sign = e == 0 || e == 3 ? -by[e] : by[e];
        add(to, c->slot[e], sign * c->v_gain, sign * c->x_gain);
    }
    for (int j = 0; j < c->n_moving; j++) {
        const load_term *term = &c->terms[j];
        double pos = c->n_gain * term->by_pos, vel = c->n_gain * term->by_vel;
        add(to, term->slot_a, vel * term->by_a, pos * term->by_a);
        add(to, term->slot_b, -vel * term->by_b, -pos * term->by_b);
    }
    for (int k = 0; k < c->n_varies; k++) {
        const vary *v = &c->varies[k];
        for (int j = 0; j < v->f->n_at; j++) {
            double pos = v->F_gain * v->f->by_pos[j], vel = v->F_gain * v->f->by_vel[j];
            add(to, v->slot[2 * j], -vel * v->slot_by[2 * j], -pos * v->slot_by[2 * j]);
            add(to, v->slot[2 * j + 1], vel * v->slot_by[2 * j + 1], pos * v->slot_by[2 * j + 1]);
        }
    }
}

/* (w I - J_zz)^-1 of a contact, row after row. */
static const double *inverse_of(const touch *c, double room[BRI_MAX_STATES * BRI_MAX_STATES]) {
    int k = c->count;
    if (k <= 2) return c->lu;
    for (int i = 0; i < k * k; i++) room[i] = i % (k + 1) == 0;
    for (int j = 0; j < k; j++) small_solve(c->lu, k, c->pivot, room + j, k);
    return room;
}

int network_factor(network *net, double w) {
    if (net->unplaced) network_place_slots(net);
    double per_w = 1.0 / w, room[BRI_MAX_STATES * BRI_MAX_STATES];
    const slopes to = {net->matrix.value, net->flat ? net->flat->side : NULL, per_w};
    net->w = w;
    net->per_w = per_w;
    if (net->by_mass) {
        runs_factor(net, w);
    } else {
        memset(to.all, 0, sizeof *to.all * (size_t)net->matrix.values);
        for (int i = 0; i < net->n_free; i++) {
            double m = net->any_stuck ? net->group_mass[i] : net->mass[i];
            to.all[matrix_slot(&net->matrix, i, i)] = m > 0.0 ? w * m : w;
        }
    }
    if (net->flat) flat_begin(net);
    for (int i = 0; i < (net->by_mass ? net->n_odd_links : net->n_links); i++) { /* not known */
        const link *l = &net->links[net->by_mass ? net->odd_links[i] : i];
        for (int k = 0; k < l->n_live; k++) {
            int e = l->live[k];
            double by = l->slot_by ? l->slot_by[e] : 1.0;
            add(&to, l->slot[e], l->by_vel[e] * by, l->by_pos[e] * by);
        }
    }
    if (!packs_factor(net, w)) return 0;
    for (int i = 0; i < net->n_pushes; i++) {
        const push *p = &net->pushes[i];
        for (int j = 0; p->by && j < p->by->n_at; j++)
            add(&to, p->slot[j], p->by->by_vel[j] * p->slot_by[j],
                p->by->by_pos[j] * p->slot_by[j]);
    }
    for (int i = 0; i < net->n_order; i++) {
        touch *c = &net->touches[net->order[i]];
        if (!condense_touch(c, w)) return 0;
        for (int j = 0; j < c->n_moving; j++)
            c->terms[j].by = c->terms[j].by_vel + c->terms[j].by_pos * per_w;
        if (c->n_varies > 0) condense_varies(c, per_w);
        if (!touch_held(c)) add_touch(&to, c);
        if (net->flat) flat_touch(net, c, inverse_of(c, room));
    }
    if (net->flat) net->flat->per_w = per_w;
    return net->n_free == 0 || matrix_factor(&net->matrix);
}

/* Change of a load with the known part of the displacements, and with the velocities. */
static inline double load_by_x(const touch *c, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < c->n_moving; i++) sum -= c->terms[i].by_pos * x[c->terms[i].at];
    return sum;
}

static inline double load_by_v(const touch *c, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < c->n_moving; i++) sum -= c->terms[i].by * v[c->terms[i].at];
    return sum;
}

/* The force of a contact by what else it depends on, due to the displacements x; and its states,
 * due to the velocities as well. */
static double varies_known(touch *c, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < c->n_varies; i++) {
        vary *v = &c->varies[i];
        v->known = formula_change(v->f, v->f->by_pos, x);
        sum += v->F_gain * v->known;
    }
    return sum;
}

static void varies_states(const touch *c, const double *dv, double *z) {
    for (int i = 0; i < c->n_varies; i++) {
        const vary *v = &c->varies[i];
        double change = v->known + formula_change(v->f, v->f->by, dv);
        for (int j = 0; j < c->count; j++) z[j] += v->gain[j] * change;
    }
}

/* Forces on the ends of a link, by its stiffness, due to the displacements x. */
static inline void stretch_link(const link *l, const double *x, double *f) {
    const int *at = l->at;
    double dx = x[at[1]] - x[at[0]];
    if (l->width == 2) {
        double pull = l->by_pos[1] * dx; /* row of the first end, column of the second */
        f[at[0]] += pull;
        f[at[1]] -= pull;
        return;
    }
    double dz = x[at[3]] - x[at[2]];
    double pull = l->by_pos[1] * dx + l->by_pos[3] * dz;
    double lift = l->by_pos[9] * dx + l->by_pos[11] * dz;
    f[at[0]] += pull;
    f[at[1]] -= pull;
    f[at[2]] += lift;
    f[at[3]] -= lift;
}

/* Nonzero if the velocity of a free coordinate follows from forces, not from a prescribed motion.
 */
static int is_balanced(const network *net, int i) { return net->group_mass[net->leader[i]] > 0.0; }

/* The equations of a group's members add up to one, that of its leader; a member that follows a
 * prescribed motion has an equation of its own. */
static void gather(const network *net, const double *v, double *f) {
    for (int i = 0; i < net->n_free; i++) {
        int g = net->leader[i];
        if (!is_balanced(net, i)) {
            f[i] = v[i];
        } else if (g != i) {
            f[g] += f[i];
            f[i] = 0.0;
        }
    }
}

/* Members of a group share the result of their leader. */
static void scatter(const network *net, double *f) {
    for (int i = 0; i < net->n_free; i++)
        if (is_balanced(net, i)) f[i] = f[net->leader[i]];
}

/* In room_x, room_v and room_f every coordinate has a place; those that cannot move stay zero in
 * the first two, and are not read in the last. */
void network_solve(network *net, double *b) {
    if (net->flat) {
        net->sweeps->flat_solve(net->flat, b);
        return;
    }
    int n = net->n_free;
    double per_w = net->per_w, *q = b, *v = b + n, *z = b + 2 * n;
    double *x = net->room_x, *f = net->room_f, *dv = net->room_v;
    if (net->n_touch_runs > 0) {
        net->sweeps->solve_start(n, q, per_w, net->mass, v, x, f); /* x: the known part of u_q */
        runs_solve_down(net, x, f, z);
    } else {
        for (int i = 0; i < n; i++) {
            x[i] = q[i] * per_w;
            f[i] = net->mass[i] * v[i];
        }
    }
    if (net->root) {
        network_unfold(net, x);
        for (int i = 0; i < net->n_gears; i++) f[net->gears[i].at] = 0.0;
    }
    for (int i = 0; i < net->n_pushes; i++) {
        const push *p = &net->pushes[i];
        if (p->by) f[p->at] += formula_change(p->by, p->by->by_pos, x);
    }
    for (int i = 0; i < net->n_bars; i++) {
        const bar *l = &net->bars[i];
        double pull = l->k * (x[l->b] - x[l->a]);
        f[l->a] += pull;
        f[l->b] -= pull;
    }
    for (int i = 0; i < net->n_odd_links; i++) stretch_link(&net->links[net->odd_links[i]], x, f);
    packs_down(net, f, z);
    for (int i = 0; i < net->n_order; i++) {
        touch *c = &net->touches[net->order[i]];
        double *bz = z + c->first;
        double known = c->x_gain * (x[c->a] - x[c->b]);
        c->n_known = load_by_x(c, x);
        if (c->n_moving) known += c->n_gain * c->n_known;
        if (c->n_varies > 0) known += varies_known(c, x);
        if (c->count == 1) {
            known += c->row[0] * bz[0];
            bz[0] *= c->lu[0];
        } else if (c->count == 2) {
            double z0 = bz[0], z1 = bz[1];
            bz[0] = c->lu[0] * z0 + c->lu[1] * z1;
            bz[1] = c->lu[2] * z0 + c->lu[3] * z1;
            known += c->jac[3] * bz[0] + c->jac[4] * bz[1];
        } else if (c->count > 2) {
            small_solve(c->lu, c->count, c->pivot, bz, 1);
            for (int j = 0; j < c->count; j++) known += c->jac[3 + j] * bz[j];
        }
        if (touch_held(c)) continue;
        f[c->a] -= known;
        f[c->b] += known;
    }
    network_fold(net, f);
    for (int i = 0; i < net->n_driven; i++) f[net->driven[i].at] = v[net->driven[i].at];
    if (net->any_stuck) gather(net, v, f);
    if (n > 0) matrix_solve(&net->matrix, f);
    if (net->any_stuck) scatter(net, f);
    for (int i = n; i < net->n_all; i++) f[i] = 0.0;
    if (net->n_touch_runs > 0) {
        net->sweeps->solve_end(n, x, per_w, f, q, v);
        runs_solve_up(net, f, z);
        if (net->n_order == 0) return;
        memcpy(x, q, sizeof *q * (size_t)n);
        memcpy(dv, f, sizeof *f * (size_t)n);
    } else {
        for (int i = 0; i < n; i++) {
            v[i] = dv[i] = f[i];
            q[i] = x[i] += f[i] * per_w;
        }
        if (net->root) {
            network_unfold(net, x);
            network_unfold(net, dv);
        }
    }
    packs_up(net, dv, z);
    for (int i = 0; i < net->n_order; i++) {
        const touch *c = &net->touches[net->order[i]];
        double by_x = x[c->a] - x[c->b], by_v = dv[c->a] - dv[c->b];
        double by_n = c->n_known + load_by_v(c, dv);
        for (int j = 0; j < c->count; j++)
            z[c->first + j] +=
                c->gain[3 * j] * by_x + c->gain[3 * j + 1] * by_v + c->gain[3 * j + 2] * by_n;
        if (c->n_varies > 0) varies_states(c, dv, z + c->first);
    }
}

/* ---- the same Jacobian for solvers that want it entry by entry -------------------------- */

/* Where entries go. */
typedef struct entries {
    const network *net;
    void (*put)(void *to, int row, int column, double value);
    void *to;
} entries;

/* The derivative of the force on a coordinate: to its acceleration, or that of what it follows, or
 * of all that stick to it; nothing where the motion is prescribed. */
static void put_force(const entries *e, int on, int column, double value) {
    const network *net = e->net;
    int n = net->n_free, at = network_root(net, on);
    if (at >= n) return;
    value *= network_lever(net, on);
    if (!net->any_stuck) {
        if (net->mass[at] > 0.0) e->put(e->to, n + at, column, value / net->mass[at]);
        return;
    }
    int g = net->leader[at];
    if (!(net->group_mass[g] > 0.0)) return;
    for (int i = 0; i < n; i++)
        if (net->leader[i] == g) e->put(e->to, n + i, column, value / net->group_mass[g]);
}

/* A row of a contact's derivatives: of its force, or of the rate of state row - 1. */
static void put_row(const entries *e, const touch *c, int row, int column, double value) {
    if (row > 0) {
        e->put(e->to, 2 * e->net->n_free + c->first + row - 1, column, value);
        return;
    }
    put_force(e, c->a, column, -value);
    put_force(e, c->b, column, value);
}

/* The same in position and velocity of a coordinate. */
static void put_motion(const entries *e, const touch *c, int row, int at, double by_pos,
                       double by_vel) {
    int n = e->net->n_free, root = network_root(e->net, at);
    double lever = network_lever(e->net, at);
    if (root >= n) return;
    put_row(e, c, row, root, lever * by_pos);
    put_row(e, c, row, n + root, lever * by_vel);
}

static void put_contact(const entries *e, const touch *c) {
    const network *net = e->net;
    int n = net->n_free, width = 3 + c->count;
    for (int row = touch_held(c) ? 1 : 0; row <= c->count; row++) {
        const double *J = c->jac + row * width;
        put_motion(e, c, row, c->a, J[0], J[1]);
        put_motion(e, c, row, c->b, -J[0], -J[1]);
        for (int j = 0; j < c->n_terms; j++) {
            const load_term *term = &c->terms[j];
            const link *l = &net->links[term->link];
            put_motion(e, c, row, term->at, -J[2] * l->by_pos[term->entry],
                       -J[2] * l->by_vel[term->entry]);
        }
        for (int k = 0; k < c->n_varies; k++) {
            const vary *v = &c->varies[k];
            for (int j = 0; j < v->f->n_at; j++)
                put_motion(e, c, row, v->f->at[j], v->jac[row] * v->f->by_pos[j],
                           v->jac[row] * v->f->by_vel[j]);
        }
        for (int j = 0; j < c->count; j++) put_row(e, c, row, 2 * n + c->first + j, J[3 + j]);
    }
}

void network_jacobian(const network *net, void (*put)(void *to, int row, int column, double value),
                      void *to) {
    int n = net->n_free;
    const entries e = {net, put, to};
    runs_show_jacobians(net);
    packs_show_jacobians(net);
    for (int i = 0; i < n; i++) put(to, i, n + i, 1.0);
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        for (int k = 0; k < l->width * l->width && !l->gear; k++) {
            int r = l->at[k / l->width], c = network_root(net, l->at[k % l->width]);
            double lever = network_lever(net, l->at[k % l->width]);
            if (c >= n) continue;
            put_force(&e, r, c, lever * l->by_pos[k]);
            put_force(&e, r, n + c, lever * l->by_vel[k]);
        }
    }
    for (int i = 0; i < net->n_pushes; i++) {
        const formula *f = net->pushes[i].by;
        for (int j = 0; f && j < f->n_at; j++) {
            put_force(&e, net->pushes[i].at, f->at[j], f->by_pos[j]);
            put_force(&e, net->pushes[i].at, n + f->at[j], f->by_vel[j]);
        }
    }
    for (int i = 0; i < net->n_touches; i++) put_contact(&e, &net->touches[i]);
}
