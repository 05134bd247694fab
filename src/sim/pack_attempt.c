/* pack_attempt.c - systems that consist of linear couplings and packs of contacts: all stages of a
 * Rosenbrock method in one piece, compiled once per instruction set. What network.c and condense.c
 * do one after the other is one pass here.
 *
 * Of (w I - J) u = b + f(Y), with b = sum_j C_j U_j/h, the velocities come first: on the right side
 * are m b_v, the forces at Y, and those of what is known of the displacements, x = (b_q + Y_v)/w.
 * Couplings are linear, so that one look at Y_q + x gives both; of a contact it is F + row (b_z +
 * z'). In between rows are filled up to whole vectors, with zeros. */
#include "kernels/kernels.h"
#include "kernels/vec.h"
#include "solvers/stages.h"
#include "system/network.h"
#include "system/signal.h"
#include <string.h>

#define EACH(i, n) for (int i = 0; i < (n); i += WIDTH)

/* Y = y + sum_j a_j U_j and b = sum_j C_j U_j/h for j < stage. */
INLINE void combine_rows(int stage, int n, const double *a, const double *C, double per_h,
                         const double *y, const double *U, double *Y, double *b) {
    EACH(k, n) {
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

/* From the solver's order to that of the plan, and back: whole vectors write beyond the end of each
 * part, where the next one follows, or the next stage, or what is not used before the step is made.
 */
INLINE void spread(const network *net, const packed *p, const double *y, double *to) {
    int n = net->n_free;
    for (int i = 0; i < n; i++) to[i] = y[i], to[p->free + i] = y[n + i];
    for (int i = 0; i < net->n_z; i++) to[2 * p->free + i] = y[2 * n + i];
}

INLINE void collect(const network *net, const packed *p, const double *from, double *y) {
    int n = net->n_free;
    EACH(i, p->free) store(y + i, load(from + i));
    EACH(i, p->free) store(y + n + i, load(from + p->free + i));
    EACH(i, p->states) store(y + 2 * n + i, load(from + 2 * p->free + i));
}

/* Couplings at the displacements X and velocities V. */
INLINE void pull_bars(const packed *p, int damped, const double *restrict X,
                      const double *restrict V, double *restrict f) {
    const bar *end = p->bars + p->n_bars;
    for (const bar *l = p->bars; l < end; l++) {
        int a = l->a, b = l->b;
        double T = l->rest + l->k * (X[b] - X[a]);
        if (damped) T += l->c * (V[b] - V[a]);
        f[a] += T;
        f[b] -= T;
    }
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

/* Forces of the contacts of a pack at the velocities V and states z; of b remains S (b + z'). */
INLINE void push_pack(const pack *p, const pack_at *at, int open, const double *V, const double *z,
                      double *b, double *f) {
    for (int i = 0; i < p->count; i++) {
        p->v[i] = V[at[i].a] - V[at[i].b];
        p->z[i] = z[at[i].z];
    }
    call_law(p, open, p->z);
    for (int i = 0; i < p->count; i++) {
        double own = b[at[i].z] + p->dz[i], total = p->F[i] + p->row[i] * own;
        b[at[i].z] = own * p->S[i];
        f[at[i].a] -= total;
        f[at[i].b] += total;
    }
}

/* The same where contact i is that of coordinate i with one body that is not free, for all. */
INLINE void push_row(const pack *p, int held, int open, const double *V, const double *z, double *b,
                     double *f) {
    vec vb = splat(V[held]);
    EACH(i, p->room) store(p->v + i, load(V + i) - vb);
    call_law(p, open, z);
    EACH(i, p->room) {
        vec own = load(b + i) + load(p->dz + i);
        store(f + i, load(f + i) - (load(p->F + i) + load(p->row + i) * own));
        store(b + i, own * load(p->S + i));
    }
}

/* What moves by itself, at time t. */
INLINE void look_around(network *net, const packed *p, double t, double *X, double *V) {
    network_move(net, t);
    for (int i = 0; i < p->held; i++) {
        X[p->free + i] = net->pos[net->n_free + i];
        V[p->free + i] = net->vel[net->n_free + i];
    }
}

INLINE void drives(network *net, const packed *p, double t, double *f) {
    EACH(i, p->free) store(f + i, load(f + i) + load(p->weight + i));
    for (int i = 0; i < net->n_pushes; i++) {
        const push *drive = &net->pushes[i];
        if (drive->at < net->n_free)
            f[drive->at] += bri_signal_value(&drive->force, network_clock(net, t));
    }
}

/* Stage i from Y and b: the result in b. */
INLINE void end_stage(network *net, packed *p, double t, const double *Y, double *b) {
    int n = p->free;
    double per_w = net->per_w, *x = p->x, *X = p->X, *V = p->V, *f = p->f;
    look_around(net, p, t, X, V);
    EACH(i, n) {
        vec v = load(Y + n + i), known = (load(b + i) + v) * per_w;
        store(V + i, v);
        store(x + i, known);
        store(X + i, load(Y + i) + known);
        store(f + i, load(p->mass + i) * load(b + n + i));
    }
    for (int i = 0; i < p->held; i++) f[n + i] = 0.0;
    drives(net, p, t, f);
    if (p->damped)
        pull_bars(p, 1, X, V, f);
    else
        pull_bars(p, 0, X, V, f);
    for (int k = 0; k < net->n_packs; k++)
        if (p->row >= 0)
            push_row(&net->packs[k], p->row, p->open[k], V, Y + 2 * n, b + 2 * n, f);
        else
            push_pack(&net->packs[k], p->at[k], p->open[k], V, Y + 2 * n, b + 2 * n, f);
    matrix_solve(&net->matrix, f);
    for (int i = net->n_free; i < n + p->held; i++) f[i] = 0.0;
    EACH(i, n) {
        vec dv = load(f + i);
        store(b + i, load(x + i) + dv * per_w);
        store(b + n + i, dv);
    }
    double *z = b + 2 * n;
    for (int k = 0; k < net->n_packs; k++) {
        const pack *of = &net->packs[k];
        const pack_at *at = p->at[k];
        if (p->row >= 0)
            EACH(i, of->room) store(z + i, load(z + i) + load(of->gain + i) * load(f + i));
        else
            for (int i = 0; i < of->count; i++)
                z[at[i].z] += of->gain[i] * (f[at[i].a] - f[at[i].b]);
    }
}

INLINE double stages(network *net, const rodas *m, rodas_step *s) {
    packed *p = net->packed;
    int rows = 2 * p->free + p->states, n = net->n;
    double *y = p->y, *Y = p->Y, *U = p->U, *ft = net->autonomous ? NULL : p->ft;
    double per_h = 1.0 / s->h;
    for (int k = 0; k < net->n_packs; k++) p->open[k] = set_ways(&net->packs[k]);
    spread(net, p, s->y, y);
    if (ft) spread(net, p, s->ft, ft);
    for (int i = 0; i < n; i++) s->U[i] = s->f[i] + (ft ? s->h * m->d[0] * s->ft[i] : 0.0);
    network_solve(net, s->U);
    spread(net, p, s->U, U);
    for (int i = 1; i < m->stages; i++) {
        double *b = U + i * rows;
        combine_any(i, rows, m->a[i], m->C[i], per_h, y, U, Y, b);
        double by = s->h * m->d[i];
        if (ft && by != 0.0) EACH(k, rows) store(b + k, load(b + k) + by * load(ft + k));
        end_stage(net, p, s->t + m->c[i] * s->h, Y, b);
        collect(net, p, b, s->U + (long)i * n);
    }
    const double *last = s->U + (long)(m->stages - 1) * n;
    for (int i = 0; i < net->n_free; i++) {
        s->end[i] = Y[i] + last[i];
        s->end[net->n_free + i] = Y[p->free + i] + last[net->n_free + i];
    }
    for (int i = 0; i < net->n_z; i++)
        s->end[2 * net->n_free + i] = Y[2 * p->free + i] + last[2 * net->n_free + i];
    return net->sweeps->norm(n, last, s->weight) / n;
}

#define JOIN(a, b)     a##b
#define ATTEMPT(level) JOIN(bri_pack_attempt_, level)

double ATTEMPT(BRI_KERNEL_LEVEL)(network *net, rodas_step *s);

double ATTEMPT(BRI_KERNEL_LEVEL)(network *net, rodas_step *s) {
    return s->method->order == 4 ? stages(net, &rodas4, s) : stages(net, &rodas5p, s);
}
