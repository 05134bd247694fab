/* stepping_build.c - colours, places and coefficients for time stepping. */
#include "models/models.h"
#include "stepping.h"
#include <stdint.h>

enum { UNPLACED = -1 };

/* ---- which coordinates are coupled ------------------------------------------------------- */

static int moves(const network *net, int at) { return at < net->n_free && net->mass[at] > 0.0; }

/* Neighbours of each free coordinate, each once: list[first[i] ... first[i + 1] - 1]. */
typedef struct graph {
    size_t *first, *end;
    int *list;
} graph;

static void meet(const network *net, graph *g, int a, int b, int count_only) {
    if (a == b || !moves(net, a) || !moves(net, b)) return;
    if (count_only) {
        g->first[a + 1]++;
        return;
    }
    for (size_t k = g->first[a]; k < g->end[a]; k++)
        if (g->list[k] == b) return;
    g->list[g->end[a]++] = b;
}

static void meet_all(const network *net, graph *g, int count_only) {
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        for (int e = 0; e < l->width * l->width; e++)
            meet(net, g, l->at[e / l->width], l->at[e % l->width], count_only);
    }
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (c->model->set_valued) continue;
        meet(net, g, c->a, c->b, count_only);
        meet(net, g, c->b, c->a, count_only);
    }
}

static graph build_graph(network *net) {
    arena *memory = &net->memory;
    size_t n = (size_t)net->n_free;
    graph g = {ARENA_NEW(memory, size_t, n + 2), ARENA_NEW(memory, size_t, n + 1), NULL};
    if (memory->failed) return g;
    meet_all(net, &g, 1);
    for (size_t i = 0; i < n; i++) g.first[i + 1] += g.first[i];
    for (size_t i = 0; i < n; i++) g.end[i] = g.first[i];
    g.list = ARENA_NEW(memory, int, g.first[n] + 1);
    if (!memory->failed) meet_all(net, &g, 0);
    return g;
}

/* ---- places ------------------------------------------------------------------------------ */

/* The least colour that no neighbour has, in the order of the coordinates: two colours for chains
 * and sheets. Returns the number of colours. */
static int paint(const network *net, const graph *g, int *colour_of, int *used_by) {
    int n = 0;
    for (int i = 0; i < net->n_free; i++) colour_of[i] = -1;
    for (int i = 0; i < net->n_free; i++) {
        if (!moves(net, i)) continue;
        for (size_t k = g->first[i]; k < g->end[i]; k++)
            if (colour_of[g->list[k]] >= 0) used_by[colour_of[g->list[k]]] = i + 1;
        int c = 0;
        while (c < n && used_by[c] == i + 1) c++;
        if (c == n) n++;
        colour_of[i] = c;
    }
    return n;
}

/* Distances at which the neighbours of a colour lie; n_runs = -1 if they are too many. */
static void find_runs(const stepping *s, const graph *g, const int *colour_of, int which,
                      colour *c) {
    c->n_runs = 0;
    for (int i = 0; i < s->net->n_free && c->n_runs >= 0; i++)
        for (size_t k = g->first[i]; colour_of[i] == which && k < g->end[i]; k++) {
            ptrdiff_t shift = (ptrdiff_t)s->place[g->list[k]] - (ptrdiff_t)s->place[i];
            int run = 0;
            while (run < c->n_runs && c->shift[run] != shift) run++;
            if (run < c->n_runs) continue;
            if (run == BRI_SWEEP_RUNS) {
                c->n_runs = -1;
                break;
            }
            c->shift[c->n_runs++] = shift;
        }
}

/* Runs may look beyond either end of the places, where the coefficients are zero. */
static void make_margins(stepping *s) {
    ptrdiff_t low = 0, high = (ptrdiff_t)s->n_places;
    for (int k = 0; k < s->n_colours; k++) {
        const colour *c = &s->colours[k];
        for (int r = 0; r < c->n_runs; r++) {
            ptrdiff_t from = (ptrdiff_t)c->first + c->shift[r], to = from + (ptrdiff_t)c->count;
            if (from < low) low = from;
            if (to > high) high = to;
        }
    }
    size_t margin = (size_t)-low;
    for (int i = 0; i < s->net->n_all; i++) s->place[i] += margin;
    for (int k = 0; k < s->n_colours; k++) s->colours[k].first += margin;
    s->ground += margin;
    for (int i = 0; i < s->n_movers; i++) s->movers[i].place += margin;
    s->n_places = (size_t)high + margin;
}

static void place_known(stepping *s) {
    network *net = s->net;
    s->ground = s->n_places++;
    for (int i = 0; i < net->n_all; i++)
        if (!moves(net, i)) s->place[i] = s->ground;
    for (int i = 0; i < net->n_motions + net->n_driven; i++) {
        const motion *m = i < net->n_motions ? &net->motions[i] : &net->driven[i - net->n_motions];
        s->place[m->at] = s->n_places;
        s->movers[s->n_movers++] = (mover){.motion = m, .place = s->n_places++};
    }
}

/* Neighbours of the colours without runs, row by row. */
static void list_rows(stepping *s, const graph *g, const int *colour_of) {
    network *net = s->net;
    size_t listed = 0;
    s->row = ARENA_NEW(&net->memory, size_t, s->n_places);
    s->row_end = ARENA_NEW(&net->memory, size_t, s->n_places);
    s->column = ARENA_NEW(&net->memory, size_t, g->first[net->n_free] + 1);
    if (net->memory.failed) return;
    for (int i = 0; i < net->n_free; i++) {
        if (colour_of[i] < 0 || s->colours[colour_of[i]].n_runs >= 0) continue;
        s->colours[colour_of[i]].values = s->n_off;
        s->row[s->place[i]] = listed;
        for (size_t j = g->first[i]; j < g->end[i]; j++) s->column[listed++] = s->place[g->list[j]];
        s->row_end[s->place[i]] = listed;
    }
    s->n_off += listed;
}

static void give_places(stepping *s, const graph *g) {
    network *net = s->net;
    arena *memory = &net->memory;
    int *colour_of = ARENA_NEW(memory, int, net->n_free + 1);
    int *used_by = ARENA_NEW(memory, int, net->n_free + 1);
    if (memory->failed) return;
    s->n_colours = paint(net, g, colour_of, used_by);
    s->colours = ARENA_NEW(memory, colour, s->n_colours + 1);
    if (!s->colours) return;
    for (int i = 0; i < net->n_free; i++)
        if (colour_of[i] >= 0) s->colours[colour_of[i]].count++;
    for (int k = 0; k < s->n_colours; k++) {
        s->colours[k].first = s->n_places;
        s->n_places += (s->colours[k].count + BRI_SWEEP_PAD - 1) / BRI_SWEEP_PAD * BRI_SWEEP_PAD;
        s->colours[k].count = 0;
    }
    for (int i = 0; i < net->n_free; i++)
        if (colour_of[i] >= 0) {
            colour *c = &s->colours[colour_of[i]];
            s->place[i] = c->first + c->count++;
        }
    place_known(s);
    for (int k = 0; k < s->n_colours; k++) {
        colour *c = &s->colours[k];
        c->count = (c->count + BRI_SWEEP_PAD - 1) / BRI_SWEEP_PAD * BRI_SWEEP_PAD;
        find_runs(s, g, colour_of, k, c);
        c->values = s->n_off;
        if (c->n_runs >= 0) s->n_off += (size_t)c->n_runs * c->count;
    }
    make_margins(s);
    list_rows(s, g, colour_of);
}

size_t stepping_slot(const stepping *s, size_t row, size_t column) {
    for (int k = 0; k < s->n_colours; k++) {
        const colour *c = &s->colours[k];
        if (row < c->first || row >= c->first + c->count) continue;
        for (int r = 0; r < c->n_runs; r++)
            if ((ptrdiff_t)column == (ptrdiff_t)row + c->shift[r])
                return c->values + (size_t)r * c->count + (row - c->first);
        for (size_t j = s->row[row]; c->n_runs < 0 && j < s->row_end[row]; j++)
            if (s->column[j] == column) return c->values + j;
    }
    return SIZE_MAX;
}

double stepping_neighbours(const stepping *s, const colour *c, size_t at, const double *of) {
    double sum = 0.0;
    for (int r = 0; r < c->n_runs; r++)
        sum += s->off[c->values + (size_t)r * c->count + (at - c->first)] *
               of[(ptrdiff_t)at + c->shift[r]];
    if (c->n_runs < 0)
        for (size_t j = s->row[at]; j < s->row_end[at]; j++)
            sum += s->off[c->values + j] * of[s->column[j]];
    return sum;
}

/* ---- contacts ---------------------------------------------------------------------------- */

/* Contacts solved with their body: the only set-valued one of it, its partner's motion known. */
static void sort_contacts(stepping *s, int *contacts_of) {
    network *net = s->net;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!c->model->set_valued) continue;
        contacts_of[c->a]++;
        contacts_of[c->b]++;
    }
    for (size_t i = 0; i < s->n_places; i++) {
        s->nodal[i] = UNPLACED;
        s->facing[i] = s->ground;
        s->side[i] = 1.0;
    }
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        int a_moves = moves(net, c->a), body = a_moves ? c->a : c->b;
        s->loose_of[i] = UNPLACED;
        s->at[i] = s->ground;
        if (!c->model->set_valued || (!a_moves && !moves(net, c->b))) continue;
        if (a_moves != moves(net, c->b) && contacts_of[body] == 1) {
            s->at[i] = s->place[body];
            s->nodal[s->at[i]] = i;
            s->facing[s->at[i]] = s->place[a_moves ? c->b : c->a];
            s->side[s->at[i]] = a_moves ? 1.0 : -1.0;
        } else {
            s->loose[s->n_loose] = (loose){.a = s->place[c->a], .b = s->place[c->b], .contact = i};
            s->loose_of[i] = s->n_loose++;
        }
    }
}

/* Colours of loose contacts: each round takes those whose bodies are not yet taken in it. */
static void paint_loose(stepping *s, int *taken) {
    int done = 0, round = 0;
    s->loose_first[0] = 0;
    while (done < s->n_loose) {
        round++;
        int start = done;
        for (int k = start; k < s->n_loose; k++) {
            loose c = s->loose[k];
            int a_moves = s->mass[c.a] > 0.0, b_moves = s->mass[c.b] > 0.0;
            if ((a_moves && taken[c.a] == round) || (b_moves && taken[c.b] == round)) continue;
            taken[c.a] = taken[c.b] = round;
            s->loose[k] = s->loose[done];
            s->loose[done++] = c;
        }
        s->loose_first[round] = done;
    }
    s->n_loose_colours = round;
    for (int k = 0; k < s->n_loose; k++) s->loose_of[s->loose[k].contact] = k;
}

/* Level of a law as low + drop exp(-(sharp |v|)^exponent); 0 if it is of another form. */
static int plain_level(const touch *c, double *low, double *drop, double *sharp, double *exponent) {
    const bri_model *m = c->model;
    const double *p = c->p;
    if (c->load != BRI_LOAD_CONSTANT) return 0;
    double n = c->n > 1e-30 ? c->n : 0.0;
    if (m != &bri_law_coulomb && m != &bri_karnopp && m != &bri_law_stribeck &&
        m != &bri_law_benson)
        return 0;
    *low = p[bri_model_param(m, "mu_c")] * n;
    *drop = p[bri_model_param(m, "mu_s")] * n - *low;
    *sharp = 1e100; /* any velocity is beyond the drop */
    if (m == &bri_law_benson) *sharp = p[bri_model_param(m, "c")], *exponent = 1.0;
    if (m == &bri_law_stribeck) {
        *sharp = 1.0 / p[bri_model_param(m, "v_s")];
        *exponent = p[bri_model_param(m, "gamma")];
    }
    return p[bri_model_param(m, "kv")] == 0.0;
}

static void set_levels(stepping *s) {
    s->plain_levels = 1;
    s->exponent = 0.0;
    for (int i = 0; i < s->net->n_touches; i++) {
        size_t at = s->at[i];
        double exponent = 0.0;
        if (at == s->ground) continue;
        if (!plain_level(&s->net->touches[i], &s->low[at], &s->drop[at], &s->sharp[at], &exponent))
            s->plain_levels = 0;
        if (exponent > 0.0 && s->exponent > 0.0 && exponent != s->exponent) s->plain_levels = 0;
        if (exponent > 0.0) s->exponent = exponent;
    }
    if (!(s->exponent > 0.0)) s->exponent = 1.0;
}

/* ---- springs ----------------------------------------------------------------------------- */

static int outer_of(stepping *s, size_t place) {
    for (int k = 0; k < s->n_outer; k++)
        if (s->movers[s->outer_mover[k]].place == place) return k;
    if (s->n_outer == BRI_SWEEP_OUTER) return -1;
    int i = 0;
    while (s->movers[i].place != place) i++;
    s->outer_mover[s->n_outer] = i;
    s->outer[s->n_outer] = ARENA_NEW(&s->net->memory, double, s->n_places);
    return s->net->memory.failed ? -1 : s->n_outer++;
}

/* Couplings are springs along one axis, whose ends move or follow one of a few known motions. */
static int only_springs(const stepping *s) {
    const network *net = s->net;
    if (net->n_driven > 0) return 0;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!c->model->set_valued || c->count > 0 || c->load == BRI_LOAD_REACTION) return 0;
    }
    for (int i = 0; i < net->n_links; i++)
        if (!net->links[i].linear || net->links[i].by_rate != 0.0) return 0;
    return 1;
}

/* The end `row` of a spring, pulled towards the other one. Returns 0 if there is no room. */
static int add_spring(stepping *s, const link *l, int end) {
    size_t row = s->place[l->at[end]], other = s->place[l->at[1 - end]];
    if (s->mass[row] <= 0.0) return 1;
    s->stiffness[row] += l->by_L;
    s->force[row] += end == 0 ? l->rest : -l->rest;
    if (s->mass[other] > 0.0) {
        s->off[stepping_slot(s, row, other)] += l->by_L;
    } else if (other == s->ground) { /* a fixed coordinate need not be at zero */
        s->force[row] += l->by_L * s->net->pos[l->at[1 - end]];
    } else {
        int k = outer_of(s, other);
        if (k < 0) return 0;
        s->outer[k][row] += l->by_L;
    }
    return 1;
}

static int add_springs(stepping *s) {
    const network *net = s->net;
    for (int i = 0; i < net->n_free; i++) s->force[s->place[i]] += net->weight[i];
    for (int i = 0; i < net->n_links; i++)
        if (!add_spring(s, &net->links[i], 0) || !add_spring(s, &net->links[i], 1)) return 0;
    return 1;
}

/* ---- create ------------------------------------------------------------------------------ */

static void take_arrays(stepping *s) {
    arena *memory = &s->net->memory;
    double **arrays[] = {&s->v,     &s->v_prev,    &s->q,     &s->q_prev,  &s->x,
                         &s->b,     &s->slip,      &s->above, &s->below,   &s->d,
                         &s->per_d, &s->mass,      &s->force, &s->partner, &s->partner_prev,
                         &s->low,   &s->stiffness, &s->drop,  &s->sharp,   &s->side};
    size_t n = sizeof arrays / sizeof *arrays;
    /* Not a whole number of pages apart, so that they do not compete for the same cache lines. */
    size_t stride = (s->n_places + 511) / 512 * 512 + 24;
    double *room = ARENA_NEW(memory, double, n *stride);
    for (size_t i = 0; room && i < n; i++) *arrays[i] = room + i * stride;
    s->nodal = ARENA_NEW(memory, int, s->n_places);
    s->facing = ARENA_NEW(memory, size_t, s->n_places);
    s->off = ARENA_NEW(memory, double, s->n_off + 1);
}

stepping *stepping_create(network *net) {
    arena *memory = &net->memory;
    stepping *s = ARENA_NEW(memory, stepping, 1);
    if (!s) return NULL;
    s->net = net;
    s->loops = bri_sweep_kernels();
    s->place = ARENA_NEW(memory, size_t, net->n_all);
    s->movers = ARENA_NEW(memory, mover, net->n_motions + net->n_driven + 1);
    s->loose = ARENA_NEW(memory, loose, net->n_touches + 1);
    s->loose_first = ARENA_NEW(memory, int, net->n_touches + 2);
    s->loose_of = ARENA_NEW(memory, int, net->n_touches + 1);
    s->at = ARENA_NEW(memory, size_t, net->n_touches + 1);
    graph g = build_graph(net);
    if (memory->failed) return NULL;
    give_places(s, &g);
    if (memory->failed) return NULL;
    take_arrays(s);
    int *count = ARENA_NEW(memory, int, net->n_all), *taken = ARENA_NEW(memory, int, s->n_places);
    s->y = ARENA_NEW(memory, double, net->n + 1);
    s->z = ARENA_NEW(memory, double, net->n_z + 1);
    s->z_prev = ARENA_NEW(memory, double, net->n_z + 1);
    s->trial = ARENA_NEW(memory, double, BRI_MAX_STATES);
    if (memory->failed) return NULL;
    for (int i = 0; i < net->n_free; i++)
        if (moves(net, i)) s->mass[s->place[i]] = net->mass[i];
    sort_contacts(s, count);
    paint_loose(s, taken);
    if (s->n_loose > 0) {
        s->leader = ARENA_NEW(memory, int, s->n_places);
        s->sum_mass = ARENA_NEW(memory, double, s->n_places);
        s->sum_momentum = ARENA_NEW(memory, double, s->n_places);
    }
    set_levels(s);
    s->linear = only_springs(s) && add_springs(s);
    return memory->failed ? NULL : s;
}
