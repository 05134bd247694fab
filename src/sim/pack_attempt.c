/* pack_attempt.c - systems that consist of linear couplings and packs of contacts: all stages of a
 * Rosenbrock method in one piece, compiled once per instruction set. What network.c and condense.c
 * do one after the other is one pass here.
 *
 * Of (w I - J) u = b + f(Y), with b = sum_j C_j U_j/h, the velocities come first: on the right side
 * are m b_v, the forces at Y, and those of what is known of the displacements, x = (b_q + Y_v)/w.
 * Couplings are linear, so that one look at Y_q + x gives both; of a contact it is F + row (b_z +
 * z'). In between rows are filled up to whole vectors, with zeros: to `room` coordinates, which is
 * a constant where they are few. There the matrix of the velocities is inverted, too: a product
 * with the inverse has no chain of operations that wait for each other. */
#include "pack_invert.h"
#include "solvers/stages.h"
#include <math.h>

enum { PART = 6 }; /* vectors that are combined at once: as many sums as there are registers */

/* Y = y + sum_j a_j U_j and b = sum_j C_j U_j/h + by ft for j < stage, of n of the unknowns;
 * without ft if by is zero. */
INLINE void combine_part(int stage, int n, int rows, const double *a, const double *C, double per_h,
                         const double *y, double by, const double *ft, const double *U, double *Y,
                         double *b) {
    vec sum[PART], rest[PART];
    EACH(i, n) sum[i / WIDTH] = load(y + i), rest[i / WIDTH] = splat(0.0);
    for (int j = 0; j < stage; j++) {
        vec by_sum = splat(a[j]), by_rest = splat(C[j]);
        EACH(i, n) {
            vec u = load(U + j * rows + i);
            sum[i / WIDTH] += by_sum * u;
            rest[i / WIDTH] += by_rest * u;
        }
    }
    EACH(i, n) store(Y + i, sum[i / WIDTH]);
    if (by != 0.0)
        EACH(i, n) store(b + i, rest[i / WIDTH] * per_h + by * load(ft + i));
    else
        EACH(i, n) store(b + i, rest[i / WIDTH] * per_h);
}

/* From the solver's order to that of the plan, and back. Few coordinates go by whole vectors: what
 * they read beyond a part is left out, what they write there is the beginning of the next part, or
 * stage, or room that nobody uses. */
INLINE void spread(const network *net, int room, const double *y, double *to) {
    int n = net->n_free;
    copy(n, y, to);
    copy(n, y + n, to + room);
    copy(net->n_z, y + 2 * n, to + 2 * room);
}

INLINE void spread_few(const network *net, const packed *p, int room, const double *y, double *to) {
    EACH(i, room) {
        flags moves = load(p->live + i) > 0.0, touches = load(p->real + i) > 0.0;
        const double *at = y + i;
        store(to + i, (vec)((flags)load(at) & moves));
        store(to + room + i, (vec)((flags)load(at + net->n_free) & moves));
        store(to + 2 * room + i, (vec)((flags)load(at + 2 * net->n_free) & touches));
    }
}

INLINE void collect(const network *net, int room, int states, const double *from, double *y) {
    int n = net->n_free;
    EACH(i, room) store(y + i, load(from + i));
    EACH(i, room) store(y + n + i, load(from + room + i));
    EACH(i, states) store(y + 2 * n + i, load(from + 2 * room + i));
}

/* The law at the velocities p->v and the states of the job. */
INLINE void call_law(const pack *p, int open, const bri_kernel_job *job) {
    for (int i = 0; open && i < p->count; i++)
        if (p->at[i].touch->mode == BRI_AUTO) p->way[i] = (p->v[i] > 0.0) - (p->v[i] < 0.0);
    p->eval(job);
}

/* What moves by itself, at time t. */
INLINE void look_around(network *net, const packed *p, double t) {
    if (net->autonomous) return;
    if (!p->steady) network_move(net, t);
    t = network_clock(net, t);
    for (int i = 0; i < net->n_motions; i++) {
        const motion *m = &net->motions[i];
        int to = p->place[m->at];
        if (to < 0) continue;
        p->X[to] = p->steady ? m->from + p->V[to] * t : net->pos[m->at];
        if (!p->steady) p->V[to] = net->vel[m->at];
    }
}

/* One vector of coordinates: the known part of their displacements from Y and b, the places X = Y_q
 * plus that and velocities V at which couplings are looked at, and forces that need no look. In the
 * first stage all forces at Y are part of b already. */
INLINE vec start_stage(const packed *p, int room, int i, int later, double per_w, const double *Y,
                       const double *b, vec *force) {
    vec known = load(b + i);
    *force = load(p->mass + i) * load(b + room + i);
    if (later) {
        vec v = load(Y + room + i);
        store(p->V + i, v);
        known += v;
        *force += load(p->weight + i);
    }
    known *= per_w;
    store(p->X + i, later ? load(Y + i) + known : known);
    return known;
}

/* ---- few coordinates ------------------------------------------------------------------------ */

/* A stage from Y and b, the result in b: all forces at what is known, then the velocities, then
 * what follows from them. Of the states S (b + z') remains where the forces are known. */
INLINE void end_few(network *net, const packed *p, const pack *k, int room, int row, int later,
                    double t, const bri_kernel_job *job, const double *Y, double *b) {
    double per_w = net->per_w, *z = b + 2 * room, total[PACKS_FEW];
    vec known[FEW], force[FEW], own[FEW], dv[FEW];
    EACH(i, room) known[i / WIDTH] = start_stage(p, room, i, later, per_w, Y, b, &force[i / WIDTH]);
    pull_terms(p, room, p->k, p->X, force);
    if (later && p->damped) pull_terms(p, room, p->c, p->V, force);
    if (later) {
        slide(p, room, row, p->V, k->v);
        call_law(k, p->open[0], job);
    }
    EACH(i, room) {
        vec rate = load(z + i), f = splat(0.0);
        if (later) rate += load(k->dz + i), f = load(k->F + i);
        f += load(k->row + i) * rate;
        own[i / WIDTH] = rate * load(k->S + i);
        if (row)
            force[i / WIDTH] -= f;
        else
            store(total + i, f);
    }
    if (!row) add_product(room, k->count, p->forces, total, force);
    EACH(i, room) store(p->f + i, force[i / WIDTH]), dv[i / WIDTH] = splat(0.0);
    if (later) drive(net, t, p->f);
    add_product(room, net->n_free, p->inverse, p->f, dv);
    EACH(i, room) store(p->f + i, dv[i / WIDTH]);
    if (!row) slide(p, room, 0, p->f, k->v);
    EACH(i, room) {
        vec slid = row ? dv[i / WIDTH] : load(k->v + i);
        store(b + i, known[i / WIDTH] + dv[i / WIDTH] * per_w);
        store(b + room + i, dv[i / WIDTH]);
        store(z + i, own[i / WIDTH] + load(k->gain + i) * slid);
    }
}

/* ---- any number of them --------------------------------------------------------------------- */

/* Couplings at the displacements X, and if the stage is not the first at the velocities V. */
INLINE void pull_bars(const packed *p, int later, const double *restrict X,
                      const double *restrict V, double *restrict f) {
    const bar *end = p->bars + p->n_bars;
    for (const bar *l = p->bars; l < end; l++) {
        int a = l->a, b = l->b;
        double T = l->k * (X[b] - X[a]);
        if (later) T += l->rest;
        if (later && p->damped) T += l->c * (V[b] - V[a]);
        f[a] += T;
        f[b] -= T;
    }
}

/* As push_few(), one by one. */
INLINE void push_pack(const pack *p, const pack_at *at, int later, int open, const double *V,
                      const double *z, double *b, double *f) {
    for (int i = 0; later && i < p->count; i++) {
        p->v[i] = V[at[i].a] - V[at[i].b];
        p->z[i] = z[at[i].z];
    }
    const bri_kernel_job job = packs_job(p, p->z);
    if (later) call_law(p, open, &job);
    for (int i = 0; i < p->count; i++) {
        double own = b[at[i].z] + (later ? p->dz[i] : 0.0);
        double total = (later ? p->F[i] : 0.0) + p->row[i] * own;
        b[at[i].z] = own * p->S[i];
        f[at[i].a] -= total;
        f[at[i].b] += total;
    }
}

INLINE void end_many(network *net, packed *p, int later, double t, const double *Y, double *b) {
    int n = p->free;
    double per_w = net->per_w, *f = p->f, *z = b + 2 * n;
    EACH(i, n) {
        vec force;
        store(p->x + i, start_stage(p, n, i, later, per_w, Y, b, &force));
        store(f + i, force);
    }
    for (int i = n; i < n + p->held; i++) f[i] = 0.0;
    if (later) drive(net, t, f);
    pull_bars(p, later, p->X, p->V, f);
    for (int k = 0; k < net->n_packs; k++)
        push_pack(&net->packs[k], p->at[k], later, p->open[k], p->V, Y + 2 * n, z, f);
    matrix_solve(&net->matrix, f);
    for (int i = n; i < n + p->held; i++) f[i] = 0.0;
    EACH(i, n) {
        vec dv = load(f + i) * load(p->live + i);
        store(b + i, load(p->x + i) + dv * per_w);
        store(b + n + i, dv);
    }
    for (int k = 0; k < net->n_packs; k++)
        for (int i = 0; i < net->packs[k].count; i++) {
            const pack_at *at = &p->at[k][i];
            z[at->z] += net->packs[k].gain[i] * (f[at->a] - f[at->b]);
        }
}

/* ---- all stages ----------------------------------------------------------------------------- */

/* few: 2 with contact i at coordinate i, 1 anywhere, 0 with lists. */
INLINE double stages(network *net, const rodas *m, rodas_step *s, int room, int few) {
    packed own = *net->packed, *p = &own; /* so that no row that is written may be a part of it */
    const pack only = net->packs[0];
    int states = few ? room : p->states, rows = 2 * room + states, n = net->n;
    double *y = p->y, *Y = p->Y, *U = p->U, *ft = p->ft;
    double w = 1.0 / (s->h * m->gamma), per_h = 1.0 / s->h;
    const bri_kernel_job job = packs_job(&only, Y + 2 * room);
    if (!(few ? factor_few(net, p, &only, room, few == 2, w) : network_factor(net, w)))
        return INFINITY;
    if (few) {
        if (p->open[0] == PACKS_ASK) p->open[0] = set_ways(&only);
        spread_few(net, p, room, s->y, y);
        spread_few(net, p, room, s->f, U);
        if (!net->autonomous) spread_few(net, p, room, s->ft, ft);
    } else {
        for (int k = 0; k < net->n_packs; k++) p->open[k] = set_ways(&net->packs[k]);
        spread(net, room, s->y, y);
        spread(net, room, s->f, U);
        if (!net->autonomous) spread(net, room, s->ft, ft);
    }
    for (int i = 0; i < p->held; i++) p->X[room + i] = 0.0; /* nothing of them is unknown */
    for (int i = 0; i < m->stages; i++) {
        double *b = U + i * rows, by = net->autonomous ? 0.0 : s->h * m->d[i],
               t = s->t + m->c[i] * s->h;
        int part = !few ? WIDTH : rows <= PART * WIDTH ? rows : room;
        for (int k = 0; i > 0 && k < rows; k += part)
            combine_part(i, part, rows, m->a[i], m->C[i], per_h, y + k, by, ft + k, U + k, Y + k,
                         b + k);
        for (int k = 0; i == 0 && by != 0.0 && k < rows; k += WIDTH)
            store(b + k, load(b + k) + by * load(ft + k));
        if (i > 0) look_around(net, p, t);
        if (few)
            end_few(net, p, &only, room, few == 2, i > 0, t, &job, Y, b);
        else
            end_many(net, p, i > 0, t, Y, b);
        if (i == 0) place_held(net, p);
        collect(net, room, states, b, s->U + (long)i * n);
    }
    const double *last = U + (m->stages - 1) * rows;
    for (int k = 0; k < rows; k += WIDTH) store(Y + k, load(Y + k) + load(last + k));
    collect(net, room, states, Y, s->end);
    return net->sweeps->norm(n, s->U + (long)(m->stages - 1) * n, s->weight) / n;
}

/* With a constant for the room of few coordinates. */
INLINE double stages_of(network *net, const rodas *m, rodas_step *s, int few) {
#define CASE(k)                                                                                    \
    case k *WIDTH:                                                                                 \
        return stages(net, m, s, ROOM(k), few);
    switch (net->packed->free) { CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) }
#undef CASE
    return 6 * WIDTH < PACKS_FEW ? stages(net, m, s, net->packed->free, few) : INFINITY;
}

#define JOIN(a, b)     a##b
#define ATTEMPT(level) JOIN(bri_pack_attempt_, level)

double ATTEMPT(BRI_KERNEL_LEVEL)(network *net, rodas_step *s);

double ATTEMPT(BRI_KERNEL_LEVEL)(network *net, rodas_step *s) {
    const packed *p = net->packed;
    if (!p->few) return stages(net, s->method, s, p->free, 0);
    return p->row >= 0 ? stages_of(net, s->method, s, 2) : stages_of(net, s->method, s, 1);
}
