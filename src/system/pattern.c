/* pattern.c - the pattern of the matrix: which coordinates an element joins, and where its entries
 * go. */
#include "network.h"

/* ---- what is joined --------------------------------------------------------------------- */

static void join(const network *net, pattern *p, int row, int column) {
    row = network_root(net, row);
    column = network_root(net, column);
    if (row >= net->n_free || column >= net->n_free || row == column) return;
    if (p->row) {
        p->row[p->count] = row;
        p->column[p->count] = column;
    }
    p->count++;
}

/* Count the entries, or list them once there is room. */
static void collect(const network *net, pattern *p) {
    p->count = 0;
    if (net->n_free < 2) return; /* there is the diagonal alone */
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        for (int e = 0; e < l->width * l->width && !l->gear; e++)
            join(net, p, l->at[e / l->width], l->at[e % l->width]);
    }
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        join(net, p, c->a, c->b);
        join(net, p, c->b, c->a);
        for (int j = 0; j < c->n_terms; j++) {
            join(net, p, c->a, c->terms[j].at);
            join(net, p, c->b, c->terms[j].at);
        }
        for (int k = 0; k < c->n_varies; k++)
            for (int j = 0; j < c->varies[k].f->n_at; j++) {
                join(net, p, c->a, c->varies[k].f->at[j]);
                join(net, p, c->b, c->varies[k].f->at[j]);
            }
    }
    for (int i = 0; i < net->n_pushes; i++)
        for (int j = 0; net->pushes[i].by && j < net->pushes[i].by->n_at; j++)
            join(net, p, net->pushes[i].at, net->pushes[i].by->at[j]);
}

void network_shape_matrix(network *net) {
    pattern p = {.n = net->n_free};
    collect(net, &p);
    p.row = ARENA_NEW(&net->memory, int, p.count + 1);
    p.column = ARENA_NEW(&net->memory, int, p.count + 1);
    if (p.row && p.column) collect(net, &p);
    /* groups of bodies that stick may join any two coordinates */
    int kind = net->set_valued ? MATRIX_DENSE : flat_suits(net) ? MATRIX_SMALL : -1;
    if (!net->memory.failed) matrix_create(&net->matrix, &p, kind, &net->memory);
}

/* ---- where it goes ---------------------------------------------------------------------- */

/* A member of a group that forces move is found in the row and column of its leader; one that
 * follows a prescribed motion has an equation of its own, in which no element appears. */
static long slot_of(const network *net, int row, int column) {
    row = network_root(net, row);
    column = network_root(net, column);
    if (row >= net->n_free || column >= net->n_free || net->mass[row] <= 0.0) return -1;
    if (net->any_stuck) {
        int row_leader = net->leader[row], column_leader = net->leader[column];
        if (net->group_mass[row_leader] <= 0.0) return -1;
        row = row_leader;
        if (net->group_mass[column_leader] > 0.0) column = column_leader;
    }
    return matrix_slot(&net->matrix, row, column);
}

/* What an entry counts there: both coordinates may be behind gears. */
static double slot_by(const network *net, int row, int column) {
    return network_lever(net, row) * network_lever(net, column);
}

static void place_formula(const network *net, const formula *f, int row, long *slot, double *by,
                          int stride) {
    for (int j = 0; j < f->n_at; j++) {
        slot[j * stride] = slot_of(net, row, f->at[j]);
        by[j * stride] = network_lever(net, row);
    }
}

/* With gears: what the entries of links and contacts count. */
static void place_levers(network *net) {
    for (int i = 0; i < net->n_links; i++) {
        link *l = &net->links[i];
        if (!l->slot_by) l->slot_by = ARENA_NEW(&net->memory, double, 16);
        for (int e = 0; l->slot_by && e < l->width * l->width; e++)
            l->slot_by[e] = slot_by(net, l->at[e / l->width], l->at[e % l->width]);
    }
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        const int at[2] = {c->a, c->b};
        if (!c->slot_by) c->slot_by = ARENA_NEW(&net->memory, double, 4);
        for (int e = 0; c->slot_by && e < 4; e++)
            c->slot_by[e] = slot_by(net, at[e / 2], at[e % 2]);
    }
}

void network_place_slots(network *net) {
    net->unplaced = 0;
    for (int i = 0; i < net->n_links; i++) {
        link *l = &net->links[i];
        l->n_live = 0;
        for (int e = 0; e < l->width * l->width; e++) {
            l->slot[e] = l->gear ? -1 : slot_of(net, l->at[e / l->width], l->at[e % l->width]);
            if (l->slot[e] >= 0) l->live[l->n_live++] = e;
        }
    }
    for (int i = 0; i < net->n_pushes; i++) {
        push *p = &net->pushes[i];
        if (p->by) place_formula(net, p->by, p->at, p->slot, p->slot_by, 1);
    }
    if (net->root) place_levers(net);
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        const int at[2] = {c->a, c->b};
        for (int e = 0; e < 4; e++) c->slot[e] = slot_of(net, at[e / 2], at[e % 2]);
        for (int j = 0; j < c->n_terms; j++) {
            c->terms[j].slot_a = slot_of(net, c->a, c->terms[j].at);
            c->terms[j].slot_b = slot_of(net, c->b, c->terms[j].at);
            c->terms[j].by_a = slot_by(net, c->a, c->terms[j].at);
            c->terms[j].by_b = slot_by(net, c->b, c->terms[j].at);
        }
        for (int k = 0; k < c->n_varies; k++) {
            vary *v = &c->varies[k];
            place_formula(net, v->f, c->a, v->slot, v->slot_by, 2);
            place_formula(net, v->f, c->b, v->slot + 1, v->slot_by + 1, 2);
        }
    }
}
