/* pack_attempt.c - systems that consist of linear couplings and packs of contacts: all stages of a
 * Rosenbrock method in one piece, compiled once per instruction set. What network.c and condense.c
 * do one after the other is one pass here.
 *
 * Of (w I - J) u = b + f(Y), with b = sum_j C_j U_j/h, the velocities come first: on the right side
 * are m b_v, the forces at Y, and those of what is known of the displacements, x = (b_q + Y_v)/w.
 * Couplings are linear, so that one look at Y_q + x gives both; of a contact it is F + row (b_z +
 * z'). In between rows are filled up to whole vectors, with zeros: to `room` coordinates, which is
 * a constant where they are few. */
#include "kernels/kernels.h"
#include "kernels/vec.h"
#include "solvers/stages.h"
#include "system/network.h"
#include "system/signal.h"
#include <string.h>

#define EACH(i, n) _Pragma("GCC unroll 3") for (int i = 0; i < (n); i += WIDTH)

/* Y = y + sum_j a_j U_j and b = sum_j C_j U_j/h for j < stage. */
INLINE void combine_rows(int stage, int n, const double *a, const double *C, double per_h,
                         const double *y, const double *U, double *Y, double *b) {
    for (int k = 0; k < n; k += WIDTH) {
        vec sum = load(y + k), rest = splat(0.0);
        _Pragma("GCC unroll 8") for (int j = 0; j < stage; j++) {
            vec u = load(U + j * n + k);
            sum += a[j] * u;
            rest += C[j] * u;
        }
        store(Y + k, sum);
        store(b + k, rest * per_h);
    }
}

static void combine_any(int stage, int n, const double *a, const double *C, double per_h,
                        const double *y, const double *U, double *Y, double *b) {
#define CASE(k)                                                                                    \
    case k:                                                                                        \
        combine_rows(k, n, a, C, per_h, y, U, Y, b);                                               \
        break;
    switch (stage) { CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) }
#undef CASE
}

INLINE void copy(int n, const double *from, double *to) {
    int i = 0;
    for (; i + WIDTH <= n; i += WIDTH) store(to + i, load(from + i));
    for (; i < n; i++) to[i] = from[i];
}

/* From the solver's order to that of the plan, and back. */
INLINE void spread(const network *net, int room, const double *y, double *to) {
    int n = net->n_free;
    copy(n, y, to);
    copy(n, y + n, to + room);
    copy(net->n_z, y + 2 * n, to + 2 * room);
}

INLINE void collect(const network *net, int room, const double *from, double *y) {
    int n = net->n_free;
    copy(n, from, y);
    copy(n, from + room, y + n);
    copy(net->n_z, from + 2 * room, y + 2 * n);
}

/* The same of a stage: whole vectors write beyond the end of each part, where the next one follows,
 * or the next stage, or what is not used before the step is made. */
INLINE void keep_stage(const network *net, int room, int states, const double *from, double *U) {
    int n = net->n_free;
    EACH(i, room) store(U + i, load(from + i));
    EACH(i, room) store(U + n + i, load(from + room + i));
    EACH(i, states) store(U + 2 * n + i, load(from + 2 * room + i));
}

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

/* The same where they are columns: how strongly each coordinate draws all that are free. */
INLINE void pull_columns(const packed *p, int room, int n, const double *K, const double *X,
                         double *f) {
    vec own[PACKS_FEW / WIDTH], sum[PACKS_FEW / WIDTH];
    EACH(i, room) own[i / WIDTH] = load(X + i), sum[i / WIDTH] = load(f + i);
    for (int held = 0; held < 2; held++) {
        int first = held ? room : 0, last = held ? room + p->held : n;
        for (int j = first; j < last; j++)
            EACH(i, room) sum[i / WIDTH] += load(K + j * room + i) * (splat(X[j]) - own[i / WIDTH]);
    }
    EACH(i, room) store(f + i, sum[i / WIDTH]);
}

INLINE void pull(const network *net, const packed *p, int room, int later) {
    if (p->k) {
        pull_columns(p, room, net->n_free, p->k, p->X, p->f);
        if (later && p->damped) pull_columns(p, room, net->n_free, p->c, p->V, p->f);
        return;
    }
    for (int i = room; i < room + p->held; i++) p->f[i] = 0.0;
    pull_bars(p, later, p->X, p->V, p->f);
}

/* Directions during the step; nonzero if some contact has none, and goes by its velocity. */
INLINE int set_ways(const pack *p) {
    int open = 0;
    for (int i = 0; i < p->count; i++) {
        bri_mode mode = p->at[i].touch->mode;
        p->way[i] = (double)mode;
        open |= mode == BRI_AUTO;
    }
    return open;
}

/* The law at the velocities p->v and the states z. */
INLINE void call_law(const pack *p, int open, const double *z) {
    for (int i = 0; open && i < p->count; i++)
        if (p->at[i].touch->mode == BRI_AUTO) p->way[i] = (p->v[i] > 0.0) - (p->v[i] < 0.0);
    const bri_kernel_job job = packs_job(p, z);
    p->eval(&job);
}

/* Forces of the contacts of a pack at the velocities V and states z, with those that are known of
 * the states, of which S (b + z') remains; in the first stage the latter alone. */
INLINE void push_pack(const pack *p, const pack_at *at, int later, int open, const double *V,
                      const double *z, double *b, double *f) {
    for (int i = 0; later && i < p->count; i++) {
        p->v[i] = V[at[i].a] - V[at[i].b];
        p->z[i] = z[at[i].z];
    }
    if (later) call_law(p, open, p->z);
    for (int i = 0; i < p->count; i++) {
        double own = b[at[i].z] + (later ? p->dz[i] : 0.0);
        double total = (later ? p->F[i] : 0.0) + p->row[i] * own;
        b[at[i].z] = own * p->S[i];
        f[at[i].a] -= total;
        f[at[i].b] += total;
    }
}

/* The same where contact i is that of coordinate i with one body that is not free, for all. */
INLINE void push_row(const pack *p, int room, int held, int later, int open, const double *V,
                     const double *z, double *b, double *f) {
    vec vb = splat(V[held]);
    if (later) {
        EACH(i, room) store(p->v + i, load(V + i) - vb);
        call_law(p, open, z);
    }
    EACH(i, room) {
        vec own = load(b + i), force = load(f + i);
        if (later) own += load(p->dz + i), force -= load(p->F + i);
        store(f + i, force - load(p->row + i) * own);
        store(b + i, own * load(p->S + i));
    }
}

/* The velocities from the forces on what is free, in place. */
INLINE void solve_forces(const network *net, int room, double *f) {
    if (net->matrix.kind != MATRIX_SMALL || room > SMALL) {
        matrix_solve(&net->matrix, f);
        return;
    }
    vec sum[SMALL / WIDTH] = {0};
    for (int j = 0; j < net->n_free; j++)
        EACH(i, room) sum[i / WIDTH] += load(net->matrix.value + j * SMALL + i) * f[j];
    EACH(i, room) store(f + i, sum[i / WIDTH]);
}

/* What moves by itself, at time t. */
INLINE void look_around(network *net, const packed *p, int room, double t) {
    if (net->autonomous) return;
    network_move(net, t);
    for (int i = 0; i < net->n_motions; i++) {
        int at = net->motions[i].at;
        p->X[room + at - net->n_free] = net->pos[at];
        p->V[room + at - net->n_free] = net->vel[at];
    }
}

INLINE void drive(network *net, double t, double *f) {
    for (int i = 0; i < net->n_pushes; i++) {
        const push *force = &net->pushes[i];
        if (force->at < net->n_free)
            f[force->at] += bri_signal_value(&force->force, network_clock(net, t));
    }
}

/* A stage from Y and b, the result in b: all forces at what is known, then the velocities, then
 * what follows from them. In the first one forces are part of b. */
INLINE void end_stage(network *net, packed *p, int n, int row, int later, double t, const double *Y,
                      double *b) {
    double per_w = net->per_w, *x = p->x, *X = p->X, *V = p->V, *f = p->f, *z = b + 2 * n;
    if (later) look_around(net, p, n, t);
    EACH(i, n) {
        vec known = load(b + i), force = load(p->mass + i) * load(b + n + i);
        if (later) {
            vec v = load(Y + n + i);
            store(V + i, v);
            known += v;
            force += load(p->weight + i);
        }
        known *= per_w;
        store(x + i, known);
        store(X + i, later ? load(Y + i) + known : known);
        store(f + i, force);
    }
    if (later) drive(net, t, f);
    pull(net, p, n, later);
    for (int k = 0; k < net->n_packs; k++)
        if (row)
            push_row(&net->packs[k], n, p->row, later, p->open[k], V, Y + 2 * n, z, f);
        else
            push_pack(&net->packs[k], p->at[k], later, p->open[k], V, Y + 2 * n, z, f);
    solve_forces(net, n, f);
    for (int i = n; !row && i < n + p->held; i++) f[i] = 0.0;
    EACH(i, n) {
        vec dv = load(f + i) * load(p->live + i);
        store(b + i, load(x + i) + dv * per_w);
        store(b + n + i, dv);
        if (row) store(z + i, load(z + i) + load(net->packs->gain + i) * dv);
    }
    for (int k = 0; !row && k < net->n_packs; k++)
        for (int i = 0; i < net->packs[k].count; i++) {
            const pack_at *at = &p->at[k][i];
            z[at->z] += net->packs[k].gain[i] * (f[at->a] - f[at->b]);
        }
}

INLINE double stages(network *net, const rodas *m, rodas_step *s, int room, int row) {
    packed *p = net->packed;
    int states = row ? room : p->states, rows = 2 * room + states, n = net->n;
    double *y = p->y, *Y = p->Y, *U = p->U, *ft = net->autonomous ? NULL : p->ft;
    double per_h = 1.0 / s->h;
    for (int k = 0; k < net->n_packs; k++) p->open[k] = set_ways(&net->packs[k]);
    spread(net, room, s->y, y);
    spread(net, room, s->f, U);
    if (ft) spread(net, room, s->ft, ft);
    for (int i = 0; i < p->held; i++) p->X[room + i] = 0.0; /* nothing of them is unknown */
    for (int i = 0; i < m->stages; i++) {
        double *b = U + i * rows, by = s->h * m->d[i];
        if (i > 0) combine_any(i, rows, m->a[i], m->C[i], per_h, y, U, Y, b);
        if (ft && by != 0.0)
            for (int k = 0; k < rows; k += WIDTH) store(b + k, load(b + k) + by * load(ft + k));
        if (i > 0) {
            end_stage(net, p, room, row, 1, s->t + m->c[i] * s->h, Y, b);
        } else {
            end_stage(net, p, room, row, 0, s->t, Y, b);
            copy(p->held, net->pos + net->n_free, p->X + room);
            copy(p->held, net->vel + net->n_free, p->V + room);
        }
        keep_stage(net, room, states, b, s->U + (long)i * n);
    }
    const double *last = U + (m->stages - 1) * rows;
    for (int k = 0; k < rows; k += WIDTH) store(Y + k, load(Y + k) + load(last + k));
    collect(net, room, Y, s->end);
    return net->sweeps->norm(n, s->U + (long)(m->stages - 1) * n, s->weight) / n;
}

/* With a constant for the room of few coordinates. */
INLINE double stages_of(network *net, const rodas *m, rodas_step *s) {
    int room = net->packed->free;
    if (net->packed->row < 0) return stages(net, m, s, room, 0);
    return room == WIDTH       ? stages(net, m, s, WIDTH, 1)
           : room == 2 * WIDTH ? stages(net, m, s, 2 * WIDTH, 1)
           : room == 3 * WIDTH ? stages(net, m, s, 3 * WIDTH, 1)
                               : stages(net, m, s, room, 1);
}

#define JOIN(a, b)     a##b
#define ATTEMPT(level) JOIN(bri_pack_attempt_, level)

double ATTEMPT(BRI_KERNEL_LEVEL)(network *net, rodas_step *s);

double ATTEMPT(BRI_KERNEL_LEVEL)(network *net, rodas_step *s) {
    return s->method->order == 4 ? stages_of(net, &rodas4, s) : stages_of(net, &rodas5p, s);
}
