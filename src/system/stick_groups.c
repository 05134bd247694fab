/* stick_groups.c - bodies that contacts hold together, and the forces that do so.
 *
 * A contact that is held makes its two bodies accelerate as one, so contacts that are held form
 * groups (connected sets of coordinates). The forces inside a group follow from the balance of each
 * body,
 *     m_i A = f_i - sum_{c: a = i} F_c + sum_{c: b = i} F_c.
 * Writing F_c = phi_a - phi_b gives a Laplacian system for the potentials phi, which are zero for
 * the leader of each group. This choice is the one of smallest norm where redundant contacts leave
 * a choice; where they do not it is the only one. A redundant contact that reaches its static level
 * stays there as an applied force (`limit`) while the others hold its bodies; smallest norm within
 * the limits then means |phi_a - phi_b| >= level for it. */
#include "fail.h"
#include "stick_parts.h"
#include <math.h>
#include <string.h>

static int root_of(int *leader, int i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
}

/* Two bodies whose motion is dictated are never joined. */
static void join(network *net, int a, int b) {
    int low = root_of(net->leader, a), high = root_of(net->leader, b);
    if (dictates(net, low)) {
        int swap = low;
        low = high;
        high = swap;
    }
    if (!dictates(net, low)) net->leader[low] = high;
}

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

/* The Laplacian of the contacts that are held, on the members of groups other than their leaders.
 */
static void build_laplacian(network *net) {
    int nodes = 0;
    double *L = net->laplacian;
    for (int i = 0; i < net->n_free; i++) net->node[i] = net->leader[i] != i ? nodes++ : -1;
    net->n_nodes = nodes;
    memset(L, 0, sizeof *L * (size_t)nodes * (size_t)nodes);
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!touch_held(c)) continue;
        int a = node_of(net, end_a(net, c)), b = node_of(net, end_b(net, c));
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
        if (!touch_held(c)) continue;
        join(net, end_a(net, c), end_b(net, c));
        net->any_stuck = 1;
    }
    for (int i = 0; i < net->n_all; i++) {
        net->leader[i] = root_of(net->leader, i);
        net->group_mass[i] = 0.0;
        net->drifts[i] = 0;
    }
    for (int i = 0; i < net->n_free; i++) {
        int g = net->leader[i];
        if (!dictates(net, g)) net->group_mass[g] += net->mass[i];
    }
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (touch_held(c) && c->reading) {
            net->drifts[net->leader[end_a(net, c)]] = 1;
            net->drifts[net->leader[end_b(net, c)]] = 1;
        }
    }
    net->unplaced = 1;
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
        if (touch_held(c)) c->F = drop_over(net, c);
    }
}

/* ---- memory ------------------------------------------------------------------------------ */

/* A parameter of a law that sticks exactly, 0 if it has none of that name. */
static double named_value(const touch *c, const char *name) {
    int at = c->model->set_valued ? bri_model_param(c->model, name) : -1;
    return at >= 0 ? c->p[at] : 0.0;
}

/* What is done with the matrices takes minutes per step before it takes more memory. */
#define MOST_BYTES 1e9

bri_status network_allow_stick(network *net, bri_error *err) {
    arena *memory = &net->memory;
    int any = 0;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        any |= c->model->set_valued;
        c->unmoved =
            dictates(net, network_root(net, c->a)) && dictates(net, network_root(net, c->b));
        c->band = named_value(c, "v_d");
        c->reading = (int)named_value(c, "as_printed");
    }
    if (!any) return BRI_OK;
    /* the matrix, which is dense with room for row exchanges, and the Laplacian of stuck groups */
    double bytes = 4.0 * sizeof(double) * (double)net->n_free * (double)net->n_free;
    if (bytes > MOST_BYTES)
        return bri_fail(err, BRI_BAD_VALUE,
                        "exact stick by events needs about %.3g GB for %d bodies that move, and at "
                        "most %.2g GB are taken: take the solver time_stepping with a step, which "
                        "is made for many contacts, or a smooth or bristle law",
                        1e-9 * bytes, net->n_free, 1e-9 * MOST_BYTES);
    net->set_valued = 1;
    net->leader = ARENA_NEW(memory, int, net->n_all);
    net->group_mass = ARENA_NEW(memory, double, net->n_all);
    net->offset = ARENA_NEW(memory, double, net->n_free);
    net->node = ARENA_NEW(memory, int, net->n_free);
    net->laplacian = ARENA_NEW(memory, double, (size_t)net->n_free *(size_t)net->n_free);
    net->potential = ARENA_NEW(memory, double, net->n_all);
    net->drifts = ARENA_NEW(memory, char, net->n_all);
    net->candidate = ARENA_NEW(memory, char, net->n_touches);
    net->undecided = ARENA_NEW(memory, int, net->n_touches);
    net->level = ARENA_NEW(memory, double, net->n_touches);
    net->below = ARENA_NEW(memory, double, net->n_touches);
    net->trial = ARENA_NEW(memory, double, net->n_touches);
    net->loose = ARENA_NEW(memory, double, net->n_all);
    net->rates = ARENA_NEW(memory, double, net->n);
    network_shape_matrix(net);
    if (memory->failed) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the system");
    net->unplaced = 1;
    return BRI_OK;
}
