/* pack_ends.c - the ends of steps of few coordinates with one pack of contacts, compiled once per
 * instruction set: the linearisation, what errors are measured by, and whether something grows
 * there, as network.c and condense.c find them element by element; and powers in between. */
#include "pack_parts.h"
#include <math.h>

/* Directions, of those that have none by their velocities; nonzero if there are such. */
INLINE int look_ways(const pack *k) {
    int open = set_ways(k);
    for (int i = 0; open && i < k->count; i++)
        if (k->at[i].touch->mode == BRI_AUTO) k->way[i] = (k->v[i] > 0.0) - (k->v[i] < 0.0);
    return open;
}

/* Forces at p->X and p->V on what is free, and the law with its derivatives. */
INLINE void forces_at(network *net, const packed *p, int room, int row, double t) {
    const pack *k = &net->packs[0];
    const bri_kernel_job job = packs_job(k, k->z);
    vec force[FEW];
    EACH(i, room) force[i / WIDTH] = load(p->weight + i);
    pull_terms(p, room, p->k, p->X, force);
    if (p->damped) pull_terms(p, room, p->c, p->V, force);
    slide(p, room, row, p->V, k->v);
    p->open[0] = look_ways(k); /* for the step that begins here, too */
    k->slopes(&job);
    for (int i = 0; i < k->count; i++) k->at[i].touch->F = k->F[i];
    if (row)
        EACH(i, room) force[i / WIDTH] -= load(k->F + i);
    else
        add_product(room, k->count, p->forces, k->F, force);
    EACH(i, room) store(p->f + i, force[i / WIDTH]);
    drive(net, t, p->f);
}

/* Rates of the forces and of the states by time alone: what moves by itself, and drives. */
INLINE void time_derivative(network *net, const packed *p, int room, int row, double t,
                            double *ft) {
    const pack *k = &net->packs[0];
    int n = net->n_free;
    double *acc = p->x, *f = p->f, dv[PACKS_FEW], total[PACKS_FEW];
    vec force[FEW];
    EACH(i, room) store(acc + i, splat(0.0)), force[i / WIDTH] = splat(0.0);
    for (int i = 0; i < net->n_motions; i++)
        if (p->place[net->motions[i].at] >= 0)
            acc[p->place[net->motions[i].at]] = net->acc[net->motions[i].at];
    for (int j = 0; j < p->n_columns; j++) {
        const double *by_k = p->k + (p->n_shifts + j) * room,
                     *by_c = p->c + (p->n_shifts + j) * room;
        int at = p->column[j];
        if (at < room) continue;
        vec v = splat(p->V[at]), a = splat(acc[at]);
        EACH(i, room) force[i / WIDTH] += load(by_k + i) * v + load(by_c + i) * a;
    }
    slide(p, room, row, acc, dv);
    EACH(i, room) {
        vec change = load(dv + i), by = load(k->J + BRI_F_BY_V * room + i) * change;
        store(total + i, by);
        if (row) force[i / WIDTH] -= by;
        store(dv + i, load(k->J + BRI_Z_BY_V * room + i) * change);
    }
    if (!row) add_product(room, k->count, p->forces, total, force);
    EACH(i, room) store(f + i, force[i / WIDTH]);
    for (int i = 0; i < net->n_pushes; i++) {
        double s[4];
        if (net->pushes[i].at >= n) continue;
        signal_rates(&net->pushes[i].force, network_clock(net, t), s);
        f[net->pushes[i].at] += s[2];
    }
    EACH(i, room) store(f + i, load(f + i) * load(p->per_mass + i));
    for (int i = 0; i < n; i++) ft[i] = 0.0;
    copy(n, f, ft + n);
    copy(k->count, dv, ft + 2 * n);
}

INLINE void linearise(network *net, int room, int row, double t, const double *y, double *dy,
                      double *ft) {
    const packed *p = net->packed;
    const pack *k = &net->packs[0];
    int n = net->n_free;
    network_place(net, t, y);
    copy(n, y, p->X);
    copy(n, y + n, p->V);
    copy(k->count, y + 2 * n, k->z);
    place_held(net, p);
    forces_at(net, p, room, row, t);
    EACH(i, room) store(p->f + i, load(p->f + i) * load(p->per_mass + i));
    copy(n, y + n, dy);
    copy(n, p->f, dy + n);
    copy(k->count, k->dz, dy + 2 * n);
    if (ft) time_derivative(net, p, room, row, t, ft);
}

/* ---- powers --------------------------------------------------------------------------------- */

/* What is done to the system where coordinates are moved: they are held against their weight, the
 * couplings and the contacts at them. */
INLINE double work_of_motions(const network *net, const packed *p, const pack *k) {
    double work = 0.0;
    for (int i = 0; i < net->n_motions; i++) {
        int at = net->motions[i].at, place = p->place[at];
        double force = net->weight[at];
        for (const bar *l = p->bars; place >= 0 && l < p->bars + p->n_bars; l++) {
            if (l->a != place && l->b != place) continue;
            double T =
                l->rest + l->k * (p->X[l->b] - p->X[l->a]) + l->c * (p->V[l->b] - p->V[l->a]);
            force += l->a == place ? T : -T;
        }
        for (int j = 0; place >= 0 && j < k->count; j++)
            force += (double)((p->at[0][j].b == place) - (p->at[0][j].a == place)) * k->F[j];
        work -= force * net->vel[at];
    }
    return work;
}

/* network_power() and what is done against frozen directions, without what bristles store. */
INLINE void powers_at(network *net, int room, int row, double t, const double *y,
                      bri_pack_powers *to) {
    const packed *p = net->packed;
    const pack *k = &net->packs[0];
    const bri_kernel_job job = packs_job(k, k->z);
    int n = net->n_free;
    vec heat = splat(0.0), astray = splat(0.0);
    if (!net->autonomous) network_move(net, t);
    copy(n, y, p->X);
    copy(n, y + n, p->V);
    copy(k->count, y + 2 * n, k->z);
    place_held(net, p);
    slide(p, room, row, p->V, k->v);
    look_ways(k);
    p->open[0] = PACKS_ASK; /* directions may be those before an event */
    k->eval(&job);
    *to = (bri_pack_powers){.work = work_of_motions(net, p, k)};
    EACH(i, room) {
        vec v = load(k->v + i), power = load(k->F + i) * v;
        power = (vec)((flags)power & (flags)(load(p->real + i) > 0.0));
        heat += power;
        astray += (vec)((flags)most(power, -power) & (flags)(load(k->way + i) * v < 0.0));
    }
    for (int i = 0; i < WIDTH; i++) to->heat += heat[i], to->astray += astray[i];
    for (const bar *l = p->bars; p->damped && l < p->bars + p->n_bars; l++) {
        double rate = p->V[l->b] - p->V[l->a];
        to->heat += l->c * rate * rate;
    }
    for (int i = 0; i < net->n_pushes; i++)
        to->work += bri_signal_value(&net->pushes[i].force, network_clock(net, t)) *
                    p->V[net->pushes[i].at];
}

/* ---- sizes and growth ----------------------------------------------------------------------- */

/* Vectors over n numbers, of which there is at least one whole vector: the last one goes back as
 * far as it must, so that some are done twice. */
#define OVER(i, n)                                                                                 \
    for (int i = 0, i##_last = (n)-WIDTH; i <= i##_last;                                           \
         i = i < i##_last && i + WIDTH > i##_last ? i##_last : i + WIDTH)

/* As network_sizes() for contacts in a row: the velocities are those last placed. */
INLINE void row_sizes(const network *net, const double *y, double *size) {
    const packed *p = net->packed;
    const pack *k = &net->packs[0];
    const double *v = y + net->n_free, *vel = net->vel, *least = net->nominal + net->n_free;
    vec vb = splat(vel[k->at[0].b]);
    OVER(i, net->n) store(size + i, most(load(y + i), -load(y + i)));
    OVER(i, net->n_free) {
        vec slides = load(vel + i) - vb, own = most(load(v + i), -load(v + i));
        slides = most(most(slides, -slides), load(p->v_size + i));
        own = most(own, load(least + i));
        store(size + net->n_free + i, -most(-own, -slides));
    }
}

/* 1 if nothing grows faster than e^(w t), as network_sound() would find; 0 if that is to be asked:
 * some contact has turned, or what they take from w M may be too much. */
INLINE int sound(const network *net, int room, int row, double w) {
    const packed *p = net->packed;
    const pack *k = &net->packs[0];
    const double *J = k->J;
    flags well = splat(0.0) == splat(0.0);
    EACH(i, room) {
        vec S = w - load(J + BRI_Z_BY_Z * room + i);
        vec gain = load(J + BRI_F_BY_V * room + i) * S +
                   load(J + BRI_F_BY_Z * room + i) * load(J + BRI_Z_BY_V * room + i);
        if (row) gain += w * load(p->mass + i) * S; /* all that is left, if it is negative */
        flags turned = load(k->way + i) * load(k->v + i) < 0.0;
        flags fine = (S > 0.0) & (gain > 0.0) & ~turned;
        well &= fine | (load(p->real + i) == 0.0);
    }
    return all(well);
}

/* ---- with constants ------------------------------------------------------------------------- */

#define JOIN(a, b)  a##b
#define NAME(level) JOIN(bri_pack_ends_, level)

/* A function with a constant for the room of few coordinates. */
#define AS(k, function, ...) net->packed->free == k *WIDTH ? function(net, ROOM(k), __VA_ARGS__)
#define OF_ROOM(function, ...)                                                                     \
    AS(1, function, __VA_ARGS__)                                                                   \
        : AS(2, function, __VA_ARGS__)                                                             \
        : AS(3, function, __VA_ARGS__)                                                             \
        : AS(4, function, __VA_ARGS__)                                                             \
        : AS(5, function, __VA_ARGS__) : function(net, net->packed->free, __VA_ARGS__)

static void pack_linearise(network *net, double t, const double *y, double *dy, double *ft) {
    if (net->packed->row >= 0)
        OF_ROOM(linearise, 1, t, y, dy, ft);
    else
        OF_ROOM(linearise, 0, t, y, dy, ft);
}

static int pack_sizes(const network *net, const double *y, double *size) {
    if (net->packed->row < 0 || net->n_free < WIDTH) return 0;
    row_sizes(net, y, size);
    return 1;
}

static void pack_powers(network *net, double t, const double *y, bri_pack_powers *to) {
    if (net->packed->row >= 0)
        OF_ROOM(powers_at, 1, t, y, to);
    else
        OF_ROOM(powers_at, 0, t, y, to);
}

static int pack_sound(const network *net, double w) {
    return net->packed->row >= 0 ? (OF_ROOM(sound, 1, w)) : (OF_ROOM(sound, 0, w));
}

extern const bri_pack_ends NAME(BRI_KERNEL_LEVEL);
const bri_pack_ends NAME(BRI_KERNEL_LEVEL) = {pack_linearise, pack_sizes, pack_sound, pack_powers};
