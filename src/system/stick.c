/* stick.c - set-valued friction between bodies that move along one axis.
 *
 * A contact that sticks makes its two bodies accelerate as one, so contacts that stick form groups
 * (connected sets of coordinates). The forces inside a group follow from the balance of each body,
 *     m_i A = f_i - sum_{c: a = i} F_c + sum_{c: b = i} F_c.
 * Writing F_c = phi_a - phi_b gives a Laplacian system for the potentials phi, which are zero for
 * the leader of each group. This choice is the one of smallest norm where redundant contacts leave
 * a choice; where they do not it is the only one. */
#include "stick.h"
#include <math.h>
#include <string.h>

/* ---- groups ------------------------------------------------------------------------------ */

static int root_of(int *leader, int i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
}

/* Nonzero if no force moves a coordinate: it dictates the motion of its group. */
static int dictates(const network *net, int i) { return i >= net->n_free || net->mass[i] <= 0.0; }

static void join(network *net, int a, int b) {
    int low = root_of(net->leader, a), high = root_of(net->leader, b);
    if (dictates(net, low)) {
        int swap = low;
        low = high;
        high = swap;
    }
    net->leader[low] = high;
}

static int node_of(const network *net, int at) { return at < net->n_free ? net->node[at] : -1; }

/* Cholesky factors in the lower triangle, row-major. */
static void factor_laplacian(double *L, int n) {
    for (int j = 0; j < n; j++) {
        double d = L[j * n + j];
        for (int k = 0; k < j; k++) d -= L[j * n + k] * L[j * n + k];
        d = sqrt(fmax(d, 1e-14));
        L[j * n + j] = d;
        for (int i = j + 1; i < n; i++) {
            double s = L[i * n + j];
            for (int k = 0; k < j; k++) s -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = s / d;
        }
    }
}

/* The Laplacian of the contacts that stick, on the members of groups other than their leaders. */
static void build_laplacian(network *net) {
    int nodes = 0;
    double *L = net->laplacian;
    for (int i = 0; i < net->n_free; i++) net->node[i] = net->leader[i] != i ? nodes++ : -1;
    net->n_nodes = nodes;
    memset(L, 0, sizeof *L * (size_t)nodes * (size_t)nodes);
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (c->mode != BRI_STUCK) continue;
        int a = node_of(net, c->a), b = node_of(net, c->b);
        if (a >= 0) L[a * nodes + a] += 1.0;
        if (b >= 0) L[b * nodes + b] += 1.0;
        if (a >= 0 && b >= 0) {
            L[a * nodes + b] -= 1.0;
            L[b * nodes + a] -= 1.0;
        }
    }
    factor_laplacian(L, nodes);
}

void stick_group(network *net) {
    for (int i = 0; i < net->n_all; i++) net->leader[i] = i;
    net->any_stuck = 0;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (c->mode != BRI_STUCK) continue;
        join(net, c->a, c->b);
        net->any_stuck = 1;
    }
    for (int i = 0; i < net->n_all; i++) {
        net->leader[i] = root_of(net->leader, i);
        net->group_mass[i] = 0.0;
    }
    for (int i = 0; i < net->n_free; i++) {
        int g = net->leader[i];
        if (!dictates(net, g)) net->group_mass[g] += net->mass[i];
    }
    network_place_slots(net);
    if (net->any_stuck) build_laplacian(net);
}

void stick_forces(network *net) {
    int nodes = net->n_nodes;
    double *phi = net->potential;
    const double *L = net->laplacian;
    if (!net->any_stuck) return;
    for (int i = 0; i < net->n_free; i++)
        if (net->node[i] >= 0)
            phi[net->node[i]] = net->force[i] - net->mass[i] * net->acc[net->leader[i]];
    for (int i = 0; i < nodes; i++) {
        for (int k = 0; k < i; k++) phi[i] -= L[i * nodes + k] * phi[k];
        phi[i] /= L[i * nodes + i];
    }
    for (int i = nodes - 1; i >= 0; i--) {
        for (int k = i + 1; k < nodes; k++) phi[i] -= L[k * nodes + i] * phi[k];
        phi[i] /= L[i * nodes + i];
    }
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        if (c->mode != BRI_STUCK) continue;
        int a = node_of(net, c->a), b = node_of(net, c->b);
        c->F = (a >= 0 ? phi[a] : 0.0) - (b >= 0 ? phi[b] : 0.0);
    }
}

/* ---- the decision ------------------------------------------------------------------------ */

/* Static level: the event function of a contact that sticks under no force. */
static double static_level(const touch *c) {
    bri_input u = {.n = c->N, .mode = BRI_STUCK};
    double g;
    if (!(c->N > 0.0)) return 0.0;
    c->model->roots(c->model, c->p, &u, NULL, &g);
    return g;
}

static double inverse_mass(const network *net, int at) {
    return dictates(net, at) ? 0.0 : 1.0 / net->mass[at];
}

/* Projected Gauss-Seidel for the forces of the undecided contacts: each is moved so that its bodies
 * accelerate together, and clipped at its static level. a: accelerations of all coordinates. */
static void project(const network *net, const int *list, int count, const double *level, double *F,
                    double *a) {
    double scale = 0.0;
    for (int i = 0; i < net->n_all; i++) scale = fmax(scale, fabs(a[i]));
    for (int k = 0; k < count; k++) F[k] = 0.0;
    for (int sweep = 0; sweep < 20000; sweep++) {
        double change = 0.0;
        for (int k = 0; k < count; k++) {
            const touch *c = &net->touches[list[k]];
            double ia = inverse_mass(net, c->a), ib = inverse_mass(net, c->b), sum = ia + ib;
            if (sum == 0.0) continue;
            double to = F[k] + (a[c->a] - a[c->b]) / sum;
            to = fmin(fmax(to, -level[k]), level[k]);
            double step = to - F[k];
            F[k] = to;
            a[c->a] -= step * ia;
            a[c->b] += step * ib;
            change = fmax(change, fabs(step) * sum);
        }
        if (change <= 1e-14 * scale) return;
    }
}

/* Those contacts of the list whose force is at its limit while their bodies accelerate apart begin
 * to slide; the others stay in the list, whose new length is returned. */
static int release(network *net, int *list, int count, const char *must_slide) {
    const double *level = net->level, *F = net->trial, *a = net->loose;
    double scale = 0.0;
    int left = 0;
    for (int i = 0; i < net->n_all; i++) scale = fmax(scale, fabs(a[i]));
    for (int k = 0; k < count; k++) {
        touch *c = &net->touches[list[k]];
        double apart = a[c->a] - a[c->b];
        int limit = fabs(F[k]) >= level[k] * (1.0 - 1e-12);
        int forced = must_slide && must_slide[list[k]] && fabs(F[k]) >= level[k] * (1.0 - 1e-6);
        if (forced || (limit && fabs(apart) > 1e-12 * scale)) {
            double way = F[k] != 0.0 ? F[k] : apart;
            c->mode = way > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
        } else {
            list[left++] = list[k];
        }
    }
    return left;
}

/* Make the velocities within each group equal, keeping its momentum. */
static void merge_velocities(network *net, double *y) {
    int n = net->n_free;
    double *momentum = net->potential; /* free until the next stick_forces */
    memset(momentum, 0, sizeof *momentum * (size_t)net->n_all);
    for (int i = 0; i < n; i++) momentum[net->leader[i]] += net->mass[i] * y[n + i];
    for (int i = 0; i < n; i++) {
        int g = net->leader[i];
        if (g == i && net->group_mass[i] <= net->mass[i]) continue; /* alone */
        y[n + i] = net->group_mass[g] > 0.0 ? momentum[g] / net->group_mass[g] : net->vel[g];
    }
}

/* A law with a band around zero keeps the velocity with which it enters the band. */
static int has_band(const touch *c) {
    bri_input u = {.v = 1e-12, .n = 1.0, .mode = BRI_SLIDE_POS};
    double g;
    c->model->roots(c->model, c->p, &u, NULL, &g);
    return g < 0.0;
}

void stick_decide(network *net, double t, double *y, const char *must_slide) {
    int *list = net->undecided, count = 0, banded = 0;
    for (int i = 0; i < net->n_touches; i++)
        if (net->touches[i].mode == BRI_STUCK) list[count++] = i;
    for (int before = count + 1; count > 0 && count < before;) {
        /* What the system does with every undecided contact loose. */
        net->any_stuck = 0;
        network_rhs(net, t, y, net->rates);
        memcpy(net->loose, net->acc, sizeof *net->acc * (size_t)net->n_all);
        for (int k = 0; k < count; k++) net->level[k] = static_level(&net->touches[list[k]]);
        project(net, list, count, net->level, net->trial, net->loose);
        before = count;
        count = release(net, list, count, must_slide);
    }
    for (int k = 0; k < count; k++) banded |= has_band(&net->touches[list[k]]);
    network_place(net, t, y);
    network_place_idle(net, t);
    stick_group(net);
    for (int i = 0; i < net->n_free; i++) net->offset[i] = net->pos[i] - net->pos[net->leader[i]];
    if (!banded) merge_velocities(net, y);
    network_rhs(net, t, y, net->rates);
    stick_forces(net);
}

void stick_follow(network *net, double *y) {
    int n = net->n_free;
    if (!net->any_stuck) return;
    for (int i = 0; i < n; i++) {
        int g = net->leader[i];
        if (g == i || net->group_mass[g] > 0.0) continue;
        if (fabs(y[n + i] - net->vel[g]) > 1e-6 * net->nominal[n + i]) continue; /* in a band */
        y[n + i] = net->vel[g];
        y[i] = net->pos[g] + net->offset[i];
    }
}
