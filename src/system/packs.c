/* packs.c - contacts of one law, wherever they are, side by side: their velocities and states are
 * gathered by index, the law is the generated code on vectors, and the forces go back to their
 * coordinates. Directions are frozen as those of a contact alone, so that few contacts are as well
 * served as one. For laws with one state under constant loads; long rows of neighbours are left to
 * runs.c. A contact in a pack does not depend on the displacement (no law with kernels does). */
#include "kernels/lanes.h"
#include "path.h"
#include "signal.h"
#include "solvers/stages.h"
#include <math.h>
#include <stdlib.h>

/* Contacts that are worth a pack; rows for which vectors of four are better than longer ones. */
enum { FEWEST = 2, SHORT = 7 };

/* ---- find ------------------------------------------------------------------------------- */

static int fits(const touch *c) {
    return c->count == 1 && c->load == BRI_LOAD_CONSTANT && c->n > BRI_NO_LOAD && c->n_varies == 0;
}

/* The kernels for rows of all that is free, or all contacts. */
static const bri_kernel_table *table_for(const network *net) {
    int n = net->n_free > net->n_touches ? net->n_free : net->n_touches;
    return n <= SHORT ? bri_kernels_short() : bri_kernels(BRI_LEVEL_AUTO);
}

/* Those of the law of a contact, with its parameters; 0: there are none. */
static int find_kernels(const network *net, const touch *c, pack *to) {
    const bri_lane_law *law = bri_lane_law_of(table_for(net), c->model, c->p, &to->exponent);
    if (!law) return 0;
    to->eval = law->pack;
    to->slopes = law->slopes;
    return 1;
}

static int same_kernels(const network *net, const touch *c, const pack *p) {
    pack own;
    return fits(c) && find_kernels(net, c, &own) && own.eval == p->eval &&
           own.slopes == p->slopes && own.exponent == p->exponent;
}

/* Take the memory and fill in what does not change; what a vector has beyond the last contact is a
 * copy of the first, at rest. */
static int fill(network *net, pack *p, const int *members) {
    const touch *first = &net->touches[members[0]];
    size_t width = table_for(net)->width, n = (size_t)p->count;
    size_t params = (size_t)first->model->n_params, room = n;
    if (net->n_free <= PACKS_FEW && net->n_free > p->count) room = (size_t)net->n_free;
    room =
        (room + width - 1) / width * width; /* all that is free has the same, see pack_attempt.c */
    double **arrays[] = {&p->v, &p->z,   &p->way,  &p->F,     &p->dz, &p->n,
                         &p->S, &p->row, &p->gain, &p->total, &p->J};
    size_t rows = sizeof arrays / sizeof *arrays - 1 + BRI_DERIVATIVES + params;
    double *to = ARENA_NEW(&net->memory, double, rows *room);
    p->at = ARENA_NEW(&net->memory, pack_at, n);
    if (!to || !p->at) return 0;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) *arrays[k] = to + k * room;
    p->p = p->J + BRI_DERIVATIVES * room;
    p->room = (int)room;
    p->used = (int)((n + width - 1) / width * width);
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
    if (n < FEWEST || n > PACKS_FEW || !find_kernels(net, &net->touches[0], &p)) return 0;
    for (int i = 0; i < n; i++)
        if (net->touches[i].model != net->touches[0].model ||
            !same_kernels(net, &net->touches[i], &p))
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
        if (taken[i] || !fits(&net->touches[i]) || !find_kernels(net, &net->touches[i], &p))
            continue;
        for (int k = i; k < n; k++)
            if (!taken[k] && net->touches[k].model == net->touches[i].model &&
                same_kernels(net, &net->touches[k], &p))
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
        if (net->packed) net->packed->open[k] = PACKS_ASK;
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

/* Places for all coordinates: those that are free first, behind the room for them those that some
 * bar or contact depends on; the others have none. */
static int find_places(network *net, packed *p) {
    int n = net->n_free;
    p->place = ARENA_NEW(&net->memory, int, net->n_all);
    if (!p->place) return 0;
    for (int i = 0; i < net->n_all; i++) p->place[i] = i < n ? i : -1;
    for (int i = 0; i < net->n_bars; i++) p->place[net->bars[i].a] = p->place[net->bars[i].b] = 0;
    for (int i = 0; i < net->n_touches; i++)
        p->place[net->touches[i].a] = p->place[net->touches[i].b] = 0;
    for (int i = 0; i < net->n_all; i++)
        p->place[i] = i < n ? i : p->place[i] == 0 ? p->free + p->held++ : -1;
    return 1;
}

/* What contact i = 0, 1 ... of coordinate i slides on, if that is so and is always the same. */
static int row_of(const network *net, const packed *p) {
    const pack *only = &net->packs[0];
    if (only->count != net->n_free) return -1;
    for (int i = 0; i < only->count; i++)
        if (only->at[i].a != i || only->at[i].b != only->at[0].b || only->at[i].b < net->n_free)
            return -1;
    return p->place[only->at[0].b];
}

/* Few coordinates and contacts, which have their states in their own order. */
static int are_few(const network *net) {
    const pack *only = &net->packs[0];
    if (net->n_packs > 1 || net->n_free > PACKS_FEW || only->count > PACKS_FEW) return 0;
    for (int i = 0; i < only->count; i++)
        if (only->at[i].z != i) return 0;
    return only->count == net->n_z;
}

/* Bars between what is free as diagonals, or as columns if these are fewer; what is not free draws
 * by columns. */
static void find_terms(const network *net, packed *p) {
    int n = net->n_free, shifts = 0, columns = 0, *drawn = p->term_of;
    char shifted[2 * PACKS_FEW] = {0};
    for (const bar *l = p->bars; l < p->bars + p->n_bars; l++) {
        drawn[l->a] |= l->b < n;
        drawn[l->b] |= l->a < n;
        if (l->a < n && l->b < n)
            shifted[PACKS_FEW + l->b - l->a] = shifted[PACKS_FEW + l->a - l->b] = 1;
    }
    for (int i = 0; i < 2 * PACKS_FEW; i++) shifts += shifted[i];
    for (int i = 0; i < n; i++) columns += drawn[i];
    for (int i = 0; shifts <= columns && i < 2 * PACKS_FEW; i++)
        if (shifted[i]) p->shift[p->n_shifts++] = i - PACKS_FEW;
    for (int i = 0; i < p->free + p->held; i++) {
        if (!drawn[i] || (i < n && p->n_shifts > 0)) continue;
        drawn[i] = p->n_shifts + p->n_columns;
        p->column[p->n_columns++] = i;
    }
}

/* The term by which coordinate `to` draws another. */
static int term_of(const packed *p, int at, int to) {
    for (int k = 0; to < p->free && k < p->n_shifts; k++)
        if (p->shift[k] == to - at) return k;
    return p->term_of[to];
}

/* The terms, and the entries of the matrix; what pulls at rest goes to the weight. */
static void fill_terms(const network *net, packed *p) {
    int n = net->n_free, room = p->free;
    for (const bar *l = p->bars; l < p->bars + p->n_bars; l++)
        for (int end = 0; end < 2; end++) {
            int at = end == 0 ? l->a : l->b, to = end == 0 ? l->b : l->a;
            if (at >= n) continue;
            int term = term_of(p, at, to);
            p->k[term * room + at] += l->k;
            p->c[term * room + at] += l->c;
            p->weight[at] += end == 0 ? l->rest : -l->rest;
            p->by_k[at * room + at] += l->k;
            p->by_c[at * room + at] += l->c;
            if (to >= n) continue;
            p->by_k[to * room + at] -= l->k;
            p->by_c[to * room + at] -= l->c;
            p->band = abs(to - at) > p->band ? abs(to - at) : p->band;
        }
}

/* How contacts hang on coordinates: their velocities, and where their forces go. */
static void fill_ends(const network *net, packed *p) {
    const pack *of = &net->packs[0];
    int n = net->n_free, room = p->free;
    for (int i = 0; i < room + p->held; i++) {
        int any = 0;
        for (int k = 0; k < of->count; k++) {
            int a = p->at[0][k].a, b = p->at[0][k].b;
            p->ends[p->n_ends * room + k] = (a == i) - (b == i);
            if (i < n) p->forces[k * room + i] = (b == i) - (a == i);
            any |= a == i || b == i;
        }
        if (any) p->end[p->n_ends++] = i;
    }
    for (int k = 0; k < of->count; k++) {
        int a = p->at[0][k].a, b = p->at[0][k].b, apart = a < n && b < n ? abs(a - b) : 0;
        p->band = apart > p->band ? apart : p->band;
        p->real[k] = 1.0;
        p->v_size[k] = of->at[k].touch->v_size;
    }
    for (int i = 0; i < n; i++) p->unit[i * room + i] = 1.0;
}

static void lay_out_few(network *net, packed *p) {
    int n = net->n_free, room = p->free, all = room + p->held, terms = 2 * PACKS_FEW + p->held;
    double *to = ARENA_NEW(&net->memory, double, (2 * terms + all + 5 * PACKS_FEW + 6) * room);
    int *list = ARENA_NEW(&net->memory, int, 2 * PACKS_FEW + 3 * all);
    if (!to || !list) return;
    double **parts[] = {&p->by_k, &p->by_c, &p->inverse, &p->unit, &p->forces};
    for (int i = 0; i < 5; i++) *parts[i] = to + i * PACKS_FEW * room;
    p->real = to + 5 * PACKS_FEW * room;
    p->v_size = p->real + room;
    p->narrow = p->v_size + room;
    p->ends = p->narrow + 4 * room;
    p->k = p->ends + all * room;
    p->c = p->k + terms * room;
    p->shift = list;
    p->column = list + 2 * PACKS_FEW;
    p->term_of = p->column + all;
    p->end = p->term_of + all;
    find_terms(net, p);
    fill_terms(net, p);
    fill_ends(net, p);
    p->row = row_of(net, p);
    for (int i = 0; i < n; i++) {
        double *narrow = p->narrow + i;
        narrow[0] = p->by_k[i * room + i];
        narrow[room] = p->by_c[i * room + i];
        narrow[2 * room] = i + 1 < n ? p->by_k[i * room + i + 1] : 0.0;
        narrow[3 * room] = i + 1 < n ? p->by_c[i * room + i + 1] : 0.0;
    }
    p->few = 1;
}

void packs_lay_out(network *net) {
    const bri_kernel_table *t = table_for(net);
    arena *memory = &net->memory;
    int width = (int)t->width, n = net->n_free;
    if (!t->pack_attempt || !is_plain(net)) return;
    packed *p = ARENA_NEW(memory, packed, 1);
    if (!p) return;
    int few = are_few(net), most = n > net->n_z ? n : net->n_z;
    p->attempt = t->pack_attempt;
    p->ends_of = t->pack_ends;
    p->free = ((few ? most : n) + width - 1) / width * width;
    p->states = ((few ? most : net->n_z) + width - 1) / width * width;
    p->row = -1;
    if (!find_places(net, p)) return;
    /* what lies around a row of coordinates is read where diagonals lead beyond its ends */
    int rows = 2 * p->free + p->states, all = 2 * p->free + p->held + p->free;
    double *room = ARENA_NEW(memory, double, rows *(3 + RODAS_STAGES) + 4 * p->free + 4 * all);
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
    p->per_mass = p->weight + p->free;
    p->live = p->per_mass + p->free;
    double **each[] = {&p->x, &p->X, &p->V, &p->f};
    for (int k = 0; k < 4; k++) *each[k] = p->live + p->free + k * all + p->free;
    for (int i = 0; i < n; i++) {
        p->mass[i] = net->mass[i], p->per_mass[i] = net->per_mass[i];
        p->weight[i] = net->weight[i], p->live[i] = 1.0;
    }
    for (int i = 0; i < net->n_bars; i++) {
        p->bars[i] = net->bars[i];
        p->bars[i].a = p->place[net->bars[i].a];
        p->bars[i].b = p->place[net->bars[i].b];
        p->damped |= net->bars[i].c != 0.0;
    }
    p->n_bars = net->n_bars;
    for (int k = 0; k < net->n_packs; k++) {
        const pack *of = &net->packs[k];
        pack_at *at = p->at[k] = ARENA_NEW(memory, pack_at, of->count);
        for (int i = 0; at && i < of->count; i++) {
            at[i] = of->at[i];
            at[i].a = p->place[at[i].a];
            at[i].b = p->place[at[i].b];
        }
    }
    p->steady = 1;
    for (int i = 0; i < net->n_motions; i++)
        p->steady &= net->motions[i].order == 1 && signal_is_constant(net->motions[i].signal);
    if (few && !memory->failed) lay_out_few(net, p);
    if (!memory->failed) net->packed = p;
}
