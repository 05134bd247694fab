/* flat.c - (w I - J) u = b of a small network by products with small matrices.
 *
 * A step solves with the same matrix six to eight times. What condense.c eliminates element by
 * element is put together once: A u_v = P b_q + M b_v + Q b_z, u_z = S b_z + D b_q + E u_v. With
 * the inverse of A nothing is left but products, which have no order of elements to wait for. */
#include "network.h"
#include <string.h>

/* States of all contacts up to which that is less than their elimination one by one. */
enum { MOST_STATES = 16 };

static int filled(int n, int width) { return (n + width - 1) / width * width; }

/* Contacts that stick exactly tie coordinates together, rows and packs have their own ways. */
int flat_suits(const network *net) {
    return net->n_free > 0 && net->n_free <= SMALL && net->n_z <= MOST_STATES && !net->set_valued &&
           net->n_touch_runs == 0 && net->n_packs == 0;
}

void flat_find(network *net) {
    net->flat = NULL;
    if (!net->by_mass || !flat_suits(net)) return;
    arena *memory = &net->memory;
    int n = net->n_free, m = net->n_z, width = (int)bri_kernels_short()->width;
    bri_flat *f = ARENA_NEW(memory, bri_flat, 1);
    if (!f) return;
    *f = (bri_flat){.n = n, .m = m, .over = filled(n, width), .under = filled(m, width)};
    f->side = ARENA_NEW(memory, double, (2 * n + m) * SMALL);
    f->direct = ARENA_NEW(memory, double, (n + m) * f->under + 1);
    f->by_v = ARENA_NEW(memory, double, n * f->under + 1);
    f->inverse = net->matrix.value;
    if (memory->failed) return;
    for (int i = 0; i < n; i++)
        f->side[(n + i) * SMALL + i] = net->mass[i] > 0.0 ? net->mass[i] : 1.0;
    net->flat = f;
}

/* The states of a contact by a coordinate: each its gain, times what depends on the position with
 * the known part of the displacement, and on the velocity, that through the position included. */
static inline void depend(const network *net, const touch *c, int at, const double *gain,
                          int stride, double known, double by_v) {
    const bri_flat *f = net->flat;
    int root = network_root(net, at);
    if (root >= f->n) return;
    double lever = network_lever(net, at), *direct = f->direct + root * f->under + c->first;
    double *all = f->by_v + root * f->under + c->first;
    for (int j = 0; j < c->count; j++) {
        direct[j] += lever * known * gain[j * stride];
        all[j] += lever * by_v * gain[j * stride];
    }
}

/* A column of b_z: the states themselves, and what the force then is on both ends. */
static void depend_on_state(const network *net, const touch *c, const double *inverse, int j) {
    const bri_flat *f = net->flat;
    int k = c->count, state = c->first + j;
    double *own = f->direct + (f->n + state) * f->under + c->first, force = 0.0;
    double *side = f->side + (2 * f->n + state) * SMALL;
    for (int i = 0; i < k; i++) {
        own[i] = inverse[i * k + j];
        force += c->jac[3 + i] * own[i];
    }
    for (int end = 0; end < 2; end++) {
        int at = end == 0 ? c->a : c->b, root = network_root(net, at);
        if (root < f->n && net->mass[root] > 0.0)
            side[root] += (end == 0 ? -force : force) * network_lever(net, at);
    }
}

void flat_touch(const network *net, const touch *c, const double *inverse) {
    double per_w = net->per_w;
    if (c->count == 0) return;
    for (int end = 0; end < 2; end++) {
        int at = end == 0 ? c->a : c->b;
        double sign = end == 0 ? 1.0 : -1.0;
        depend(net, c, at, c->gain, 3, sign * per_w, sign * per_w);
        depend(net, c, at, c->gain + 1, 3, 0.0, sign);
    }
    for (int i = 0; i < c->n_moving; i++) {
        const load_term *term = &c->terms[i];
        depend(net, c, term->at, c->gain + 2, 3, -term->by_pos * per_w, -term->by);
    }
    for (int i = 0; i < c->n_varies; i++) {
        const vary *v = &c->varies[i];
        for (int j = 0; j < v->f->n_at; j++)
            depend(net, c, v->f->at[j], v->gain, 1, v->f->by_pos[j] * per_w, v->f->by[j]);
    }
    for (int j = 0; j < c->count; j++) depend_on_state(net, c, inverse, j);
}

void flat_begin(const network *net) {
    const bri_flat *f = net->flat;
    int n = f->n, m = f->m;
    for (int i = 0; i < n * SMALL; i++) f->side[i] = -net->by_pos[i] * net->per_w;
    memset(f->side + 2 * n * SMALL, 0, sizeof *f->side * (size_t)(m * SMALL));
    memset(f->direct, 0, sizeof *f->direct * (size_t)((n + m) * f->under));
    memset(f->by_v, 0, sizeof *f->by_v * (size_t)(n * f->under));
}
