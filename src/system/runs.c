/* runs.c - long rows of equal elements, as chains and sheets consist of: linear couplings between
 * consecutive coordinates, and contacts with one law and constant loads on them. Their forces and
 * derivatives are computed array by array, with the kernels of the laws and of sweeps.c.
 *
 * A contact in a run does not depend on the displacement (no law with kernels does), and its
 * direction is never frozen. */
#include "models/models.h"
#include "path.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHORTEST = 16 }; /* fewer elements are not worth a run */

/* ---- find ------------------------------------------------------------------------------- */

/* Whether b follows a: the next coordinate (1), the same (0), or no run (-1). Prescribed
 * coordinates do not follow each other. */
static int step_of(const network *net, int a, int b) {
    return b == a ? 0 : b == a + 1 && b < net->n_free ? 1 : -1;
}

static int is_free(const network *net, int at, int step) { return step == 0 || at < net->n_free; }

/* The number of linear couplings that form a run, from the first of a list on. */
static int link_run_from(const network *net, const int *list, int n) {
    const link *all = net->links, *l = &all[list[0]];
    if (!l->linear || n < 2) return 1;
    int step_a = step_of(net, l->at[0], all[list[1]].at[0]),
        step_b = step_of(net, l->at[1], all[list[1]].at[1]), k = 1;
    if (step_a < 0 || step_b < 0 || step_a + step_b == 0) return 1;
    for (; k < n && all[list[k]].linear; k++) {
        const link *next = &all[list[k]];
        if (!is_free(net, next->at[0], step_a) || !is_free(net, next->at[1], step_b)) break;
        if (next->at[0] != l->at[0] + k * step_a || next->at[1] != l->at[1] + k * step_b) break;
    }
    return k;
}

static void add_link_run(network *net, const int *list, int count) {
    const link *l = &net->links[list[0]], *second = &net->links[list[1]];
    bri_link_run *r = &net->link_runs[net->n_link_runs++];
    double *room = ARENA_NEW(&net->memory, double, 3 * (size_t)count);
    int uniform = 1;
    if (!room) return;
    *r = (bri_link_run){.count = count,
                        .a = l->at[0],
                        .b = l->at[1],
                        .step_a = second->at[0] - l->at[0],
                        .step_b = second->at[1] - l->at[1],
                        .free_a = l->at[0] < net->n_free || second->at[0] != l->at[0],
                        .free_b = l->at[1] < net->n_free || second->at[1] != l->at[1],
                        .rest = room,
                        .k = room + count,
                        .c = room + 2 * (size_t)count};
    for (int k = 0; k < count; k++) {
        const link *of = &net->links[list[k]];
        r->rest[k] = of->rest;
        r->k[k] = of->by_L;
        r->c[k] = of->by_rate;
        if (of->by_rate != 0.0) r->damped = 1;
        uniform &= of->rest == l->rest && of->by_L == l->by_L && of->by_rate == l->by_rate;
    }
    r->uniform = uniform;
}

/* Couplings of a list that follow each other become runs; the number of the others, which are left
 * in it. */
static int take_link_runs(network *net, int *list, int count) {
    int left = 0;
    for (int i = 0, n; i < count; i += n) {
        n = link_run_from(net, list + i, count - i);
        if (n >= SHORTEST)
            add_link_run(net, list + i, n);
        else
            for (int k = i; k < i + n; k++) list[left++] = list[k];
    }
    return left;
}

/* A coupling, and where it may stand in a run: with those that join coordinates as far apart, or
 * with the same one that is not free, by its first coordinate. */
typedef struct link_place {
    int is_held, group, at, which;
} link_place;

static int in_order(const void *a, const void *b) {
    const link_place *x = a, *y = b;
    const int by[4] = {x->is_held - y->is_held, x->group - y->group, x->at - y->at,
                       x->which - y->which};
    for (int k = 0; k < 4; k++)
        if (by[k] != 0) return by[k];
    return 0;
}

/* The same of those that stand in another order, as where each body comes with all its springs. */
static int take_scattered_runs(network *net, int *list, int count) {
    link_place *places = ARENA_NEW(&net->memory, link_place, count);
    if (!places || count < SHORTEST) return count;
    for (int i = 0; i < count; i++) {
        const int *at = net->links[list[i]].at;
        int held = at[0] >= net->n_free ? 1 : at[1] >= net->n_free ? 2 : 0, free = held == 1;
        places[i] = (link_place){held, held ? at[!free] : at[1] - at[0], at[free], list[i]};
    }
    qsort(places, (size_t)count, sizeof *places, in_order);
    for (int i = 0; i < count; i++) list[i] = places[i].which;
    return take_link_runs(net, list, count);
}

static int same_law(const touch *a, const touch *b) {
    return a->model == b->model && b->load == BRI_LOAD_CONSTANT && b->count == a->count &&
           b->n_varies == 0;
}

static int touch_run_from(const network *net, int i) {
    const touch *c = &net->touches[i];
    if (c->load != BRI_LOAD_CONSTANT || c->n_varies > 0 || c->count > 1 || i + 1 >= net->n_touches)
        return 1;
    int step_a = step_of(net, c[0].a, c[1].a), step_b = step_of(net, c[0].b, c[1].b), k = 1;
    if (step_a < 0 || step_b < 0 || step_a + step_b == 0) return 1;
    while (i + k < net->n_touches && same_law(c, c + k) && is_free(net, c[k].a, step_a) &&
           is_free(net, c[k].b, step_b) && c[k].a == c->a + k * step_a &&
           c[k].b == c->b + k * step_b)
        k++;
    return k;
}

/* Parameters and loads as a batch wants them: shared if they are all the same. */
static int fill_batch(network *net, touch_run *r, const touch *c) {
    int n_params = c->model->n_params, own_params = 0, own_loads = 0;
    size_t count = (size_t)r->count;
    for (int k = 1; k < r->count; k++) {
        own_params |= memcmp(c[k].p, c->p, sizeof *c->p * (size_t)n_params) != 0;
        own_loads |= c[k].n != c->n;
    }
    size_t rows = own_params ? count : 1, loads = own_loads ? count : 1;
    double *p = ARENA_NEW(&net->memory, double, rows *(size_t)n_params + 1);
    double *n = ARENA_NEW(&net->memory, double, loads);
    if (!p || !n) return 0;
    for (size_t k = 0; k < rows; k++)
        for (int j = 0; j < n_params; j++) p[(size_t)j * rows + k] = c[k].p[j];
    for (size_t k = 0; k < loads; k++) n[k] = c[k].n;
    r->batch = (bri_batch){.model = c->model,
                           .count = count,
                           .p = p,
                           .v = r->v,
                           .n = n,
                           .own_params = own_params,
                           .own_loads = own_loads};
    bri_batch inner; /* a law with a direction: each contact watches where its force turns */
    return bri_batch_vectorised(&r->batch) && !bri_batch_inside(&r->batch, &inner);
}

/* 0 if the law has no kernels for these parameters. */
static int add_touch_run(network *net, int i, int count) {
    touch *c = &net->touches[i];
    touch_run r = {.count = count,
                   .first = i,
                   .a = c->a,
                   .b = c->b,
                   .step_a = c[1].a - c[0].a,
                   .step_b = c[1].b - c[0].b,
                   .z = c->first,
                   .states = c->count,
                   .alone = c[0].b >= net->n_free && c[1].b == c[0].b,
                   .slot = -1};
    size_t n = (size_t)count;
    double **arrays[] = {&r.v, &r.F, &r.v_size, &r.S, &r.row, &r.gain, &r.total, &r.J};
    double *room = ARENA_NEW(&net->memory, double, (7 + BRI_DERIVATIVES) * n);
    if (!room) return 0;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) *arrays[k] = room + k * n;
    if (!fill_batch(net, &r, c)) return 0;
    for (int k = 0; k < count; k++) c[k].N = c[k].n;
    net->touch_runs[net->n_touch_runs++] = r;
    return 1;
}

static void add_odd_link(network *net, int i) {
    link *l = &net->links[i];
    if (l->gear) return; /* pulls nothing */
    for (int m = 0; m < net->n_motions; m++)
        for (int k = 0; k < l->width; k++)
            l->moved |= network_root(net, l->at[k]) == net->motions[m].at;
    if (l->linear)
        net->bars[net->n_bars++] = (bar){l->at[0], l->at[1], l->rest, l->by_L, l->by_rate};
    else
        net->odd_links[net->n_odd_links++] = i;
}

void runs_find(network *net) {
    arena *memory = &net->memory;
    int wanted = !net->apart && net->wanted->rows;
    int many = wanted && net->n_touches >= SHORTEST && !net->root && !packs_suit(net), odd = 0;
    for (int i = 0; i < net->n_touches; i++)
        if (net->touches[i].model->set_valued) many = 0;
    net->sweeps = (many ? bri_kernels(BRI_LEVEL_AUTO) : bri_kernels_short())->sweeps;
    net->odd_links = ARENA_NEW(memory, int, net->n_links);
    net->bars = ARENA_NEW(memory, bar, net->n_links);
    net->link_runs = ARENA_NEW(memory, bri_link_run, many ? net->n_links / SHORTEST : 0);
    net->touch_runs = ARENA_NEW(memory, touch_run, many ? net->n_touches / SHORTEST : 0);
    char *taken = ARENA_NEW(memory, char, net->n_touches);
    int *list = ARENA_NEW(memory, int, net->n_links), left = net->n_links;
    if (memory->failed) return;
    for (int i = 0, n; i < net->n_touches && many; i += n) {
        n = touch_run_from(net, i);
        if (n >= SHORTEST && add_touch_run(net, i, n)) memset(taken + i, 1, (size_t)n);
    }
    many = net->n_touch_runs > 0;
    for (int i = 0; i < left; i++) list[i] = i;
    if (many) left = take_scattered_runs(net, list, take_link_runs(net, list, left));
    for (int i = 0; i < left; i++) add_odd_link(net, list[i]);
    for (int i = 0; i < net->n_order; i++)
        if (!taken[net->order[i]]) net->order[odd++] = net->order[i];
    net->n_order = odd;
}

/* ---- what does not change --------------------------------------------------------------- */

static inline void put(double *value, long slot, double x) {
    if (slot >= 0) value[slot] += x;
}

void runs_prepare(network *net) {
    arena *memory = &net->memory;
    for (int i = 0; i < net->n_touch_runs; i++) {
        touch_run *r = &net->touch_runs[i];
        touch *c = &net->touches[r->first];
        int follow = c->slot[0] >= 0;
        for (int k = 0; k < r->count; k++) {
            c[k].corner = 0; /* its direction is left free */
            r->v_size[k] = c[k].v_size;
            follow = follow && c[k].slot[0] == c->slot[0] + k && c[k].slot[3] < 0;
        }
        r->slot = follow ? c->slot[0] : -1;
    }
    for (int i = 0; i < net->n_touches; i++)
        if (net->touches[i].model->set_valued) return; /* what sticks together shares its places */
    size_t values = (size_t)net->matrix.values;
    net->by_mass = ARENA_NEW(memory, double, 3 * values + 1);
    if (!net->by_mass) return;
    net->by_vel = net->by_mass + values;
    net->by_pos = net->by_vel + values;
    for (int i = 0; i < net->n_free; i++)
        net->by_mass[matrix_slot(&net->matrix, i, i)] = net->mass[i] > 0.0 ? net->mass[i] : 1.0;
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        for (int e = 0; l->linear && e < l->width * l->width; e++) {
            double by = l->slot_by ? l->slot_by[e] : 1.0;
            put(net->by_vel, l->slot[e], -l->by_vel[e] * by);
            put(net->by_pos, l->slot[e], -l->by_pos[e] * by);
        }
    }
}

/* ---- right-hand side and linearisation -------------------------------------------------- */

/* Where the value of a coordinate is: in the unknowns if it is free, else in the network. */
static const double *value_at(const network *net, const double *free, const double *all, int at) {
    return (at < net->n_free ? free : all) + at;
}

/* A run must not cross from free coordinates to others, see step_of. */
void runs_forces(network *net, const double *y, double *dz) {
    const bri_sweeps *s = net->sweeps;
    const double *x = y, *v = y + net->n_free, *z = v + net->n_free;
    for (int i = 0; i < net->n_link_runs; i++) {
        const bri_link_run *r = &net->link_runs[i];
        s->pull(r, value_at(net, x, net->pos, r->a), value_at(net, x, net->pos, r->b),
                value_at(net, v, net->vel, r->a), value_at(net, v, net->vel, r->b),
                net->force + r->a, net->force + r->b);
    }
    for (int i = 0; i < net->n_touch_runs; i++) {
        touch_run *r = &net->touch_runs[i];
        const double *va = value_at(net, v, net->vel, r->a), *vb = value_at(net, v, net->vel, r->b);
        r->batch.v = r->v;
        if (r->alone && *vb == 0.0)
            r->batch.v = va;
        else
            s->difference(r->count, va, r->step_a, vb, r->step_b, r->v);
        bri_batch_eval(&r->batch, z + r->z, r->F, dz + r->z);
        s->push(r->count, r->F, net->force + r->a, r->step_a, r->alone ? NULL : net->force + r->b,
                r->step_b);
    }
}

/* Forces on coordinates that are not free, for the work of prescribed motions. */
void runs_held_forces(network *net) {
    for (int i = 0; i < net->n_link_runs; i++) {
        const bri_link_run *r = &net->link_runs[i];
        if (r->free_a && r->free_b) continue;
        for (int k = 0; k < r->count; k++) {
            int a = r->a + k * r->step_a, b = r->b + k * r->step_b;
            double T = r->rest[k] + r->k[k] * (net->pos[b] - net->pos[a]) +
                       r->c[k] * (net->vel[b] - net->vel[a]);
            if (!r->free_a) net->force[a] += T;
            if (!r->free_b) net->force[b] -= T;
        }
    }
    for (int i = 0; i < net->n_touch_runs; i++)
        for (int k = 0; net->touch_runs[i].alone && k < net->touch_runs[i].count; k++)
            net->force[net->touch_runs[i].b] += net->touch_runs[i].F[k];
}

/* Derivatives one contact after the other, for laws without a kernel for them. */
static void plain_jacobian(const network *net, touch_run *r, const double *z) {
    const double *v = r->batch.v;
    size_t n = (size_t)r->count;
    for (size_t k = 0; k < n; k++) {
        const touch *c = &net->touches[(size_t)r->first + k];
        const bri_input u = {.v = v[k], .n = c->N};
        double J[8];
        bri_model_jac(c->model, c->p, &u, z + c->first, J);
        r->J[BRI_F_BY_V * n + k] = J[1];
        if (r->states == 0) continue;
        r->J[BRI_F_BY_Z * n + k] = J[3];
        r->J[BRI_Z_BY_V * n + k] = J[5];
        r->J[BRI_Z_BY_Z * n + k] = J[7];
    }
}

void runs_linearise(network *net, const double *z) {
    for (int i = 0; i < net->n_touch_runs; i++) {
        touch_run *r = &net->touch_runs[i];
        if (!bri_batch_slopes(&r->batch, z + r->z, r->J)) plain_jacobian(net, r, z);
    }
}

void runs_time_derivative(network *net, double *force, double *ft_z) {
    const bri_sweeps *s = net->sweeps;
    int n = net->n_free;
    for (int i = 0; i < net->n_link_runs; i++) {
        const bri_link_run *r = &net->link_runs[i];
        int held = !r->free_a ? r->a : r->b; /* the end that is not free, if any */
        double *f = force + (!r->free_a ? r->b : r->a);
        if (r->free_a && r->free_b) continue;
        s->add_times(r->count, net->vel[held], r->k, f);
        if (r->damped) s->add_times(r->count, net->acc[held], r->c, f);
    }
    for (int i = 0; i < net->n_touch_runs; i++) {
        const touch_run *r = &net->touch_runs[i];
        size_t count = (size_t)r->count;
        double dv = (r->a >= n ? net->acc[r->a] : 0.0) - (r->b >= n ? net->acc[r->b] : 0.0);
        if (dv == 0.0) continue;
        memset(r->F, 0, sizeof *r->F * count); /* F is evaluated anew before it is used */
        s->add_times(r->count, dv, r->J + BRI_F_BY_V * count, r->F);
        s->push(r->count, r->F, force + r->a, r->step_a, force + r->b, r->step_b);
        if (r->states) s->add_times(r->count, dv, r->J + BRI_Z_BY_V * count, ft_z + r->z);
    }
}

void runs_sizes(const network *net, const double *y, double *size) {
    int n = net->n_free;
    const double *v = y + n;
    for (int i = 0; i < net->n_touch_runs; i++) {
        const touch_run *r = &net->touch_runs[i];
        const double *va = value_at(net, v, net->vel, r->a), *vb = value_at(net, v, net->vel, r->b);
        if (r->alone) {
            net->sweeps->slip_sizes(r->count, va, *vb, r->v_size, size + n + r->a);
            continue;
        }
        for (int k = 0; k < r->count; k++) {
            int a = r->a + k * r->step_a, b = r->b + k * r->step_b;
            double slip = fabs(va[k * r->step_a] - vb[k * r->step_b]);
            if (slip < r->v_size[k]) slip = r->v_size[k];
            if (a < n && slip < size[n + a]) size[n + a] = slip;
            if (b < n && slip < size[n + b]) size[n + b] = slip;
        }
    }
}

/* ---- linear systems --------------------------------------------------------------------- */

void runs_factor(network *net, double w) {
    const bri_sweeps *s = net->sweeps;
    double *value = net->matrix.value;
    s->blend(net->matrix.values, w, net->by_mass, net->by_vel, 1.0 / w, net->by_pos, value);
    for (int i = 0; i < net->n_touch_runs; i++) {
        touch_run *r = &net->touch_runs[i];
        const double *total = r->total;
        if (r->states)
            s->condense(r->count, w, r->J, r->S, r->row, r->gain, r->total);
        else
            total = r->J + (size_t)BRI_F_BY_V * (size_t)r->count;
        if (r->slot >= 0) {
            s->add_times(r->count, 1.0, total, value + r->slot);
            continue;
        }
        for (int k = 0; k < r->count; k++) {
            const long *slot = net->touches[r->first + k].slot;
            put(value, slot[0], total[k]);
            put(value, slot[1], -total[k]);
            put(value, slot[2], -total[k]);
            put(value, slot[3], total[k]);
        }
    }
}

int runs_draw(const network *net, double w, double *left) {
    int n = net->n_free;
    for (int i = 0; i < net->n_touch_runs; i++) {
        const touch_run *r = &net->touch_runs[i];
        size_t count = (size_t)r->count;
        const double *F_v = r->J + BRI_F_BY_V * count, *F_z = r->J + BRI_F_BY_Z * count;
        const double *D_v = r->J + BRI_Z_BY_V * count, *D_z = r->J + BRI_Z_BY_Z * count;
        for (int k = 0; k < r->count; k++) {
            int a = r->a + k * r->step_a, b = r->b + k * r->step_b, both = a < n && b < n;
            if (r->states && !(w - D_z[k] > 0.0)) return 0;
            double gain = r->states ? F_v[k] + F_z[k] * D_v[k] / (w - D_z[k]) : F_v[k];
            if (gain >= 0.0) continue;
            if (a < n) left[a] += both ? 2.0 * gain : gain;
            if (b < n) left[b] += both ? 2.0 * gain : gain;
        }
    }
    return 1;
}

void runs_solve_down(network *net, const double *x, double *f, double *z) {
    const bri_sweeps *s = net->sweeps;
    for (int i = 0; i < net->n_link_runs; i++) {
        const bri_link_run *r = &net->link_runs[i];
        s->pull(r, x + r->a, x + r->b, NULL, NULL, f + r->a, f + r->b);
    }
    for (int i = 0; i < net->n_touch_runs; i++) {
        touch_run *r = &net->touch_runs[i];
        if (!r->states) continue;
        if (r->alone) {
            s->state_push(r->count, r->row, r->S, z + r->z, f + r->a);
            continue;
        }
        s->state_down(r->count, r->row, r->S, z + r->z, r->v);
        s->push(r->count, r->v, f + r->a, r->step_a, f + r->b, r->step_b);
    }
}

void runs_solve_up(network *net, const double *dv, double *z) {
    const bri_sweeps *s = net->sweeps;
    for (int i = 0; i < net->n_touch_runs; i++) {
        touch_run *r = &net->touch_runs[i];
        if (!r->states) continue;
        if (!r->alone) s->difference(r->count, dv + r->a, r->step_a, dv + r->b, r->step_b, r->v);
        s->state_up(r->count, r->gain, r->alone ? dv + r->a : r->v, z + r->z);
    }
}

/* ---- for those who look at single contacts ---------------------------------------------- */

void runs_show_forces(network *net) {
    for (int i = 0; i < net->n_touch_runs; i++)
        for (int k = 0; k < net->touch_runs[i].count; k++)
            net->touches[net->touch_runs[i].first + k].F = net->touch_runs[i].F[k];
}

void runs_show_jacobians(const network *net) {
    for (int i = 0; i < net->n_touch_runs; i++) {
        const touch_run *r = &net->touch_runs[i];
        size_t n = (size_t)r->count;
        for (size_t k = 0; k < n; k++) {
            double *J = net->touches[(size_t)r->first + k].jac;
            memset(J, 0, sizeof *J * (r->states ? 8 : 3));
            J[1] = r->J[BRI_F_BY_V * n + k];
            if (!r->states) continue;
            J[3] = r->J[BRI_F_BY_Z * n + k];
            J[5] = r->J[BRI_Z_BY_V * n + k];
            J[7] = r->J[BRI_Z_BY_Z * n + k];
        }
    }
}
