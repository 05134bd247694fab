/* packs.c - contacts of one law, wherever they are, side by side: their velocities and states are
 * gathered by index, the law is the generated code on vectors, and the forces go back to their
 * coordinates. Directions are frozen as those of a contact alone, so that few contacts are as well
 * served as one. For laws with one state under constant loads; long rows of neighbours are left to
 * runs.c. A contact in a pack does not depend on the displacement (no law with kernels does). */
#include "kernels/lanes.h"
#include "path.h"
#include "solvers/stages.h"
#include <math.h>

enum { FEWEST = 2 }; /* contacts that are worth a pack */

/* ---- find ------------------------------------------------------------------------------- */

static int fits(const touch *c) {
    return c->count == 1 && c->load == BRI_LOAD_CONSTANT && c->n > BRI_NO_LOAD && c->n_varies == 0;
}

/* The kernels of the law of a contact, with its parameters; 0: there are none. */
static int find_kernels(const touch *c, pack *to) {
    const bri_lane_law *law = bri_lane_law_of(c->model, c->p, &to->exponent);
    if (!law) return 0;
    to->eval = law->pack;
    to->slopes = law->slopes;
    return 1;
}

static int same_kernels(const touch *c, const pack *p) {
    pack own;
    return fits(c) && find_kernels(c, &own) && own.eval == p->eval && own.slopes == p->slopes &&
           own.exponent == p->exponent;
}

/* Take the memory and fill in what does not change; what a vector has beyond the last contact is a
 * copy of the first, at rest. */
static int fill(network *net, pack *p, const int *members) {
    const touch *first = &net->touches[members[0]];
    size_t width = bri_kernels(BRI_LEVEL_AUTO)->width, n = (size_t)p->count;
    size_t room = (n + width - 1) / width * width, params = (size_t)first->model->n_params;
    double **arrays[] = {&p->v, &p->z,   &p->way,  &p->F,     &p->dz, &p->n,
                         &p->S, &p->row, &p->gain, &p->total, &p->J};
    size_t rows = sizeof arrays / sizeof *arrays - 1 + BRI_DERIVATIVES + params;
    double *to = ARENA_NEW(&net->memory, double, rows *room);
    p->at = ARENA_NEW(&net->memory, pack_at, n);
    if (!to || !p->at) return 0;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) *arrays[k] = to + k * room;
    p->p = p->J + BRI_DERIVATIVES * room;
    p->room = (int)room;
    for (size_t i = 0; i < room; i++) {
        touch *c = &net->touches[members[i < n ? i : 0]];
        for (size_t j = 0; j < params; j++) p->p[j * room + i] = c->p[j];
        p->n[i] = c->N = c->n;
        p->way[i] = 1.0;
        if (i < n) p->at[i] = (pack_at){c->a, c->b, c->first, c};
    }
    return 1;
}

int packs_suit(const network *net) {
    pack p;
    int n = net->n_touches;
    if (!net->wanted->packs || bri_level_best() == BRI_LEVEL_LIBM) return 0;
    if (n < FEWEST || n > PACKS_FEW || !find_kernels(&net->touches[0], &p)) return 0;
    for (int i = 0; i < n; i++)
        if (net->touches[i].model != net->touches[0].model || !same_kernels(&net->touches[i], &p))
            return 0;
    return 1;
}

void packs_find(network *net) {
    int n = net->n_touches, odd = 0;
    if (net->apart || !net->wanted->packs || bri_level_best() == BRI_LEVEL_LIBM) return;
    if (net->root || net->n_touch_runs > 0 || n < FEWEST) return;
    for (int i = 0; i < n; i++)
        if (net->touches[i].model->set_valued) return;
    int *members = ARENA_NEW(&net->memory, int, n);
    char *taken = ARENA_NEW(&net->memory, char, n);
    net->packs = ARENA_NEW(&net->memory, pack, n / FEWEST);
    if (net->memory.failed) return;
    for (int i = 0; i < n; i++) {
        pack p = {0};
        if (taken[i] || !fits(&net->touches[i]) || !find_kernels(&net->touches[i], &p)) continue;
        for (int k = i; k < n; k++)
            if (!taken[k] && net->touches[k].model == net->touches[i].model &&
                same_kernels(&net->touches[k], &p))
                members[p.count++] = k;
        if (p.count < FEWEST) continue;
        if (!fill(net, &p, members)) return;
        for (int k = 0; k < p.count; k++) taken[members[k]] = 1;
        net->packs[net->n_packs++] = p;
    }
    for (int i = 0; i < net->n_order; i++)
        if (!taken[net->order[i]]) net->order[odd++] = net->order[i];
    net->n_order = odd;
}

/* ---- right-hand side and linearisation -------------------------------------------------- */

static void gather(const network *net, pack *p, const double *z) {
    const double *vel = net->vel;
    for (int i = 0; i < p->count; i++) {
        const pack_at *at = &p->at[i];
        double v = vel[at->a] - vel[at->b];
        bri_mode mode = at->touch->mode;
        p->v[i] = v;
        p->z[i] = z[at->z];
        p->way[i] = mode != BRI_AUTO ? (double)mode : (double)((v > 0.0) - (v < 0.0));
    }
}

void packs_forces(network *net, const double *z, double *dz, int slopes) {
    for (int k = 0; k < net->n_packs; k++) {
        pack *p = &net->packs[k];
        gather(net, p, z);
        const bri_kernel_job job = packs_job(p, p->z);
        (slopes ? p->slopes : p->eval)(&job);
        for (int i = 0; i < p->count; i++) {
            const pack_at *at = &p->at[i];
            double F = p->F[i];
            dz[at->z] = p->dz[i];
            at->touch->F = F;
            net->force[at->a] -= F;
            net->force[at->b] += F;
        }
    }
}

void packs_time_derivative(const network *net, double *force, double *ft_z) {
    int n = net->n_free;
    for (int k = 0; k < net->n_packs; k++) {
        const pack *p = &net->packs[k];
        const double *F_v = p->J + BRI_F_BY_V * p->room, *D_v = p->J + BRI_Z_BY_V * p->room;
        for (int i = 0; i < p->count; i++) {
            const pack_at *at = &p->at[i];
            double dv = (at->a >= n ? net->acc[at->a] : 0.0) - (at->b >= n ? net->acc[at->b] : 0.0);
            ft_z[at->z] = D_v[i] * dv;
            force[at->a] -= F_v[i] * dv;
            force[at->b] += F_v[i] * dv;
        }
    }
}

void packs_sizes(const network *net, double *size) {
    int n = net->n_free;
    for (int k = 0; k < net->n_packs; k++)
        for (int i = 0; i < net->packs[k].count; i++) {
            const pack_at *at = &net->packs[k].at[i];
            double v = fabs(net->vel[at->a] - net->vel[at->b]), least = at->touch->v_size;
            if (v < least) v = least;
            if (at->a < n && v < size[at->a]) size[at->a] = v;
            if (at->b < n && v < size[at->b]) size[at->b] = v;
        }
}

/* ---- linear systems --------------------------------------------------------------------- */

static inline void put(double *value, long slot, double x) {
    if (slot >= 0) value[slot] += x;
}

/* Growth is looked for where steps end, see packs_draw; here too, for the first. */
int packs_factor(network *net, double w) {
    double *value = net->matrix.value;
    for (int k = 0; k < net->n_packs; k++) {
        pack *p = &net->packs[k];
        const double *D_z = p->J + BRI_Z_BY_Z * p->room;
        for (int i = 0; i < p->count; i++)
            if (!(w - D_z[i] > 0.0)) return 0;
        net->sweeps->condense(p->room, w, p->J, p->S, p->row, p->gain, p->total);
        for (int i = 0; i < p->count; i++) {
            const long *slot = p->at[i].touch->slot;
            double gain = p->total[i];
            put(value, slot[0], gain);
            put(value, slot[1], -gain);
            put(value, slot[2], -gain);
            put(value, slot[3], gain);
        }
    }
    return 1;
}

int packs_draw(const network *net, double w, double *left) {
    int n = net->n_free;
    for (int k = 0; k < net->n_packs; k++) {
        const pack *p = &net->packs[k];
        const double *F_v = p->J + BRI_F_BY_V * p->room, *F_z = p->J + BRI_F_BY_Z * p->room;
        const double *D_v = p->J + BRI_Z_BY_V * p->room, *D_z = p->J + BRI_Z_BY_Z * p->room;
        for (int i = 0; i < p->count; i++) {
            double S = w - D_z[i], gain = F_v[i] * S + F_z[i] * D_v[i]; /* times S */
            if (!(S > 0.0)) return 0;
            if (gain >= 0.0) continue;
            int a = p->at[i].a, b = p->at[i].b;
            gain *= (a < n && b < n ? 2.0 : 1.0) / S;
            if (a < n) left[a] += gain;
            if (b < n) left[b] += gain;
        }
    }
    return 1;
}

void packs_down(const network *net, double *f, double *z) {
    for (int k = 0; k < net->n_packs; k++) {
        const pack *p = &net->packs[k];
        for (int i = 0; i < p->count; i++) {
            const pack_at *at = &p->at[i];
            double known = p->row[i] * z[at->z];
            z[at->z] *= p->S[i];
            f[at->a] -= known;
            f[at->b] += known;
        }
    }
}

void packs_up(const network *net, const double *dv, double *z) {
    for (int k = 0; k < net->n_packs; k++) {
        const pack *p = &net->packs[k];
        for (int i = 0; i < p->count; i++)
            z[p->at[i].z] += p->gain[i] * (dv[p->at[i].a] - dv[p->at[i].b]);
    }
}

/* ---- for those who look at single contacts ---------------------------------------------- */

static void show(const pack *p, int i) {
    double *J = p->at[i].touch->jac;
    for (int k = 0; k < 8; k++) J[k] = 0.0;
    for (int k = 0; k < BRI_DERIVATIVES; k++) J[2 * k + 1] = p->J[k * p->room + i];
}

void packs_show_jacobians(const network *net) {
    for (int k = 0; k < net->n_packs; k++)
        for (int i = 0; i < net->packs[k].count; i++) show(&net->packs[k], i);
}

int packs_slopes_at_turns(network *net, const double *y, int back) {
    int count = 0;
    for (int k = 0; k < net->n_packs; k++)
        for (int i = 0; i < net->packs[k].count; i++) {
            const pack *p = &net->packs[k];
            touch *c = p->at[i].touch;
            if (!(p->way[i] * p->v[i] < 0.0)) continue; /* as touch_has_turned() */
            touch_slopes_at_turn(net, c, y, back);
            for (int j = 0; j < BRI_DERIVATIVES; j++) p->J[j * p->room + i] = c->jac[2 * j + 1];
            count++;
        }
    return count;
}

/* ---- where there is nothing else -------------------------------------------------------- */

static int is_plain(const network *net) {
    if (net->n_packs == 0 || net->n_order + net->n_odd_links > 0) return 0;
    if (net->n_driven > 0 || net->n_formulas > 0) return 0;
    for (int i = 0; i < net->n_free; i++)
        if (!(net->mass[i] > 0.0)) return 0;
    return 1;
}

/* The place of a coordinate; see packed. */
static int place(const network *net, const packed *p, int at) {
    return at < net->n_free ? at : at - net->n_free + p->free;
}

/* The bars as columns; what pulls at rest goes to the weight. */
static void fill_columns(network *net, packed *p) {
    int all = p->free + p->held;
    if (p->free > PACKS_FEW || p->held > PACKS_FEW) return;
    double *room = ARENA_NEW(&net->memory, double, 2 * all * p->free);
    if (!room) return;
    p->k = room;
    p->c = room + all * p->free;
    for (const bar *l = p->bars; l < p->bars + p->n_bars; l++)
        for (int end = 0; end < 2; end++) {
            int at = end == 0 ? l->a : l->b, to = end == 0 ? l->b : l->a;
            if (at >= net->n_free) continue;
            p->k[to * p->free + at] += l->k;
            p->c[to * p->free + at] += l->c;
            p->weight[at] += end == 0 ? l->rest : -l->rest;
        }
}

/* What contact i = 0, 1 ... of coordinate i slides on, if that is so and is always the same. */
static int row_of(const network *net, const packed *p) {
    const pack *only = &net->packs[0];
    if (net->n_packs > 1 || only->count != net->n_free || net->n_z != net->n_free) return -1;
    for (int i = 0; i < only->count; i++)
        if (only->at[i].a != i || only->at[i].z != i || only->at[i].b != only->at[0].b ||
            only->at[i].b < net->n_free)
            return -1;
    return place(net, p, only->at[0].b);
}

void packs_lay_out(network *net) {
    const bri_kernel_table *t = bri_kernels(BRI_LEVEL_AUTO);
    arena *memory = &net->memory;
    int width = (int)t->width, n = net->n_free;
    if (!t->pack_attempt || !is_plain(net)) return;
    packed *p = ARENA_NEW(memory, packed, 1);
    if (!p) return;
    p->attempt = t->pack_attempt;
    p->free = (n + width - 1) / width * width;
    p->states = (net->n_z + width - 1) / width * width;
    p->held = net->n_all - n;
    int rows = 2 * p->free + p->states, all = p->free + p->held;
    double *room = ARENA_NEW(memory, double, rows *(3 + RODAS_STAGES) + 3 * p->free + 4 * all);
    p->bars = ARENA_NEW(memory, bar, net->n_bars);
    p->open = ARENA_NEW(memory, int, net->n_packs);
    p->at = ARENA_NEW(memory, pack_at *, net->n_packs);
    if (memory->failed) return;
    p->y = room;
    p->ft = p->y + rows;
    p->Y = p->ft + rows;
    p->U = p->Y + rows;
    p->mass = p->U + RODAS_STAGES * rows;
    p->weight = p->mass + p->free;
    p->live = p->weight + p->free;
    double **each[] = {&p->x, &p->X, &p->V, &p->f};
    for (int k = 0; k < 4; k++) *each[k] = p->live + p->free + k * all;
    for (int i = 0; i < n; i++)
        p->mass[i] = net->mass[i], p->weight[i] = net->weight[i], p->live[i] = 1.0;
    for (int i = 0; i < net->n_bars; i++) {
        p->bars[i] = net->bars[i];
        p->bars[i].a = place(net, p, net->bars[i].a);
        p->bars[i].b = place(net, p, net->bars[i].b);
        p->damped |= net->bars[i].c != 0.0;
    }
    p->n_bars = net->n_bars;
    fill_columns(net, p);
    p->row = row_of(net, p);
    for (int k = 0; k < net->n_packs; k++) {
        const pack *of = &net->packs[k];
        pack_at *at = p->at[k] = ARENA_NEW(memory, pack_at, of->count);
        for (int i = 0; at && i < of->count; i++) {
            at[i] = of->at[i];
            at[i].a = place(net, p, at[i].a);
            at[i].b = place(net, p, at[i].b);
        }
    }
    if (!memory->failed) net->packed = p;
}

double packs_attempt(void *self, rodas_step *s) {
    network *net = self;
    if (!s->fresh) {
        network_linearise(net, s->t, s->y, s->f, net->autonomous ? NULL : s->ft);
        network_sizes(net, s->y, s->weight);
        net->sweeps->weigh(net->n, s->rtol, s->atol, net->nominal, s->weight);
    }
    if (!network_factor(net, 1.0 / (s->h * s->method->gamma))) return INFINITY;
    return (net->packed ? net->packed->attempt : tiles_stages)(net, s);
}
