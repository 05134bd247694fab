/* build.c - from a definition to a network: coordinates, elements, pattern of the matrix. */
#include "fail.h"
#include "network.h"
#include "path.h"
#include "signal.h"
#include <math.h>
#include <string.h>

/* ---- coordinates ------------------------------------------------------------------------ */

/* A sum is closed if all its parts are. */
static int closed(const bri_signal *s) {
    for (int i = 0; s->parts && i < s->count; i++)
        if (!closed(&s->parts[i])) return 0;
    return s->kind->closed;
}

/* Moved by forces, or by a velocity whose integral the solver has to find. */
static int can_move(const bri_body *b) {
    return !body_prescribed(b) || (b->velocity && !closed(b->velocity));
}

/* Nonzero if a body has an unknown of its own: it can move, and follows none. */
static int has_unknown(const network *net, const bri_system *s, int i) {
    return can_move(&s->bodies[i]) && (!net->leads || net->leads[i] == i);
}

/* Free coordinates first. The last coordinate of all is the ground's. */
static void number_coordinates(network *net, const bri_system *s) {
    int next = 0;
    for (int i = 0; i < s->n_bodies; i++) {
        if (has_unknown(net, s, i)) net->body_x[i] = next++;
        if (s->bodies[i].kind == BRI_POINT) net->body_z[i] = next++;
    }
    net->n_free = next;
    for (int i = 0; i < s->n_bodies; i++) {
        if (!has_unknown(net, s, i)) net->body_x[i] = next++;
        if (s->bodies[i].kind != BRI_POINT) net->body_z[i] = next++;
    }
    net->n_all = next + 1;
}

static int x_of(const network *net, int body) {
    return body == BRI_GROUND ? net->n_all - 1 : net->body_x[body];
}

static int z_of(const network *net, int body) {
    return body == BRI_GROUND ? net->n_all - 1 : net->body_z[body];
}

static void set_bodies(network *net, const bri_system *s, double t) {
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        int x = net->body_x[i], z = net->body_z[i];
        const bri_signal *signal =
            signal_keep(&net->memory, b->position ? b->position : b->velocity);
        net->pos[x] = b->x;
        net->pos[z] = b->z;
        if (x < net->n_free) net->mass[x] = signal ? 0.0 : b->mass;
        if (z < net->n_free) net->mass[z] = b->mass;
        if (b->kind != BRI_ROTOR) net->weight[z] = -b->mass * s->gravity;
        if (!signal) continue;
        double out[4];
        signal->kind->eval(signal, t, out);
        motion m = {.at = x,
                    .signal = signal,
                    .line = signal_line_of(signal, net->t_start, net->t_end),
                    .order = b->velocity != NULL,
                    .from = b->x - out[0]};
        if (x < net->n_free)
            net->driven[net->n_driven++] = m;
        else
            net->motions[net->n_motions++] = m;
    }
}

/* ---- elements --------------------------------------------------------------------------- */

static int in_plane(const bri_system *s, const bri_coupling *c) {
    for (int end = 0; end < 2; end++) {
        int i = end == 0 ? c->a : c->b;
        if (i != BRI_GROUND && s->bodies[i].kind == BRI_POINT) return 1;
    }
    return strcmp(c->kind->name, "rope") == 0 && !body_is_rotor(s, c->a) && !body_is_rotor(s, c->b);
}

static void set_links(network *net, const bri_system *s) {
    int gears = 0;
    for (int i = 0; i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        link *l = &net->links[net->n_links++];
        l->kind = c->kind;
        if (c->kind->ratio) l->gear = ++gears;
        net->n_pieced += c->kind->piece != NULL && !c->tension;
        memcpy(l->p, c->p, sizeof l->p);
        l->at[0] = x_of(net, c->a);
        l->at[1] = x_of(net, c->b);
        l->at[2] = z_of(net, c->a);
        l->at[3] = z_of(net, c->b);
        l->width = in_plane(s, c) ? 4 : 2;
        l->linear = c->kind->linear && l->width == 2 && !c->tension;
        if (l->gear || c->tension) continue;
        l->rest = c->kind->tension(c->p, 0.0, 0.0, &l->by_L, &l->by_rate);
        if (l->linear) network_linearise_link(net, l);
    }
}

/* Numbers that a contact with k states keeps: jac, lu, row, gain. */
static int touch_room(int k) { return (1 + k) * (3 + k) + k * k + 4 * k; }

static void set_touches(network *net, const bri_system *s) {
    size_t numbers = 0;
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        touch *to = &net->touches[net->n_touches++];
        to->model = c->model;
        memcpy(to->p, c->p, sizeof to->p);
        to->a = x_of(net, c->a);
        to->b = x_of(net, c->b);
        to->normal = z_of(net, c->a);
        to->load = c->load;
        to->n = c->n;
        to->n_of_t = signal_keep(&net->memory, c->n_of_t);
        to->count = bri_model_states(c->model, c->p);
        to->first = net->n_z;
        int eventful = c->model->eventful ? c->model->eventful(c->model, c->p) : 1;
        to->n_roots = eventful ? c->model->n_roots : 0;
        to->early = eventful == 2;
        net->n_z += to->count;
        numbers += (size_t)touch_room(to->count);
    }
    double *room = ARENA_NEW(&net->memory, double, numbers);
    int *pivots = ARENA_NEW(&net->memory, int, net->n_z);
    for (int i = 0; room && pivots && i < net->n_touches; i++) {
        touch *to = &net->touches[i];
        int k = to->count;
        to->jac = room;
        to->lu = to->jac + (1 + k) * (3 + k);
        to->row = to->lu + k * k;
        to->gain = to->row + k;
        to->pivot = pivots + to->first;
        room += touch_room(k);
    }
}

/* ---- time dependence -------------------------------------------------------------------- */

/* Positions matter only to links and to bodies that stick exactly; a constant velocity that no link
 * sees need not be looked up. */
static void find_idle(network *net, double t) {
    char *seen = ARENA_NEW(&net->memory, char, net->n_all);
    int sticks = 0;
    if (!seen) return;
    for (int i = 0; i < net->n_touches; i++) sticks |= net->touches[i].model->set_valued;
    for (int j = 0; j < net->n_links; j++)
        for (int k = 0; k < net->links[j].width; k++) seen[net->links[j].at[k]] = 1;
    for (int i = 0; i < net->n_formulas; i++)
        for (int k = 0; k < 2 * net->formulas[i].f.n_args; k++) {
            int at = net->formulas[i].args[k / 2].coordinate[k % 2];
            if (at >= 0) seen[at] = seen[network_root(net, at)] = 1;
        }
    net->autonomous = net->n_driven == 0;
    for (int i = 0; i < net->n_motions; i++) {
        motion *m = &net->motions[i];
        double s[4];
        m->signal->kind->eval(m->signal, t, s);
        int constant = signal_is_constant(m->signal);
        m->unseen = m->order == 1 && !seen[m->at] && (constant || !sticks);
        m->idle = m->unseen && constant;
        if (m->idle)
            net->vel[m->at] = s[1];
        else
            net->autonomous = 0;
    }
    for (int i = 0; i < net->n_pushes; i++)
        if (!signal_is_constant(&net->pushes[i].force)) net->autonomous = 0;
    for (int i = 0; i < net->n_formulas; i++)
        for (int k = 0; k < net->formulas[i].f.n_args; k++) {
            const formula_arg *arg = &net->formulas[i].args[k];
            if (arg->kind == BRI_ARG_TIME || arg->signal) net->autonomous = 0;
        }
    for (int i = 0; i < net->n_touches; i++)
        if (net->touches[i].load == BRI_LOAD_SIGNAL) net->autonomous = 0;
}

/* ---- create ----------------------------------------------------------------------------- */

bri_status network_build(network *net, const bri_system *s, double t_start, double t_end,
                         bri_error *err) {
    network fresh = {.memory = net->memory,
                     .matrix.klu = net->matrix.klu,
                     .apart = net->apart,
                     .wanted = net->wanted ? net->wanted : network_path_wanted(),
                     .t_start = t_start,
                     .t_end = t_end};
    arena *memory = &net->memory;
    *net = fresh;
    arena_rewind(memory);
    net->body_x = ARENA_NEW(memory, int, s->n_bodies);
    net->body_z = ARENA_NEW(memory, int, s->n_bodies);
    net->links = ARENA_NEW(memory, link, s->n_couplings);
    net->touches = ARENA_NEW(memory, touch, s->n_contacts);
    net->motions = ARENA_NEW(memory, motion, s->n_bodies);
    net->driven = ARENA_NEW(memory, motion, s->n_bodies);
    net->pushes = ARENA_NEW(memory, push, s->n_drives);
    net->order = ARENA_NEW(memory, int, s->n_contacts);
    if (memory->failed) goto no_memory;
    bri_status status = network_find_gears(net, s, err);
    if (status != BRI_OK) return status;
    number_coordinates(net, s);
    net->mass = ARENA_NEW(memory, double, net->n_free);
    net->per_mass = ARENA_NEW(memory, double, net->n_free);
    net->room_x = ARENA_NEW(memory, double, net->n_all);
    net->room_v = ARENA_NEW(memory, double, net->n_all);
    net->room_f = ARENA_NEW(memory, double, net->n_all);
    net->weight = ARENA_NEW(memory, double, net->n_all);
    net->pos = ARENA_NEW(memory, double, net->n_all);
    net->vel = ARENA_NEW(memory, double, net->n_all);
    net->acc = ARENA_NEW(memory, double, net->n_all);
    net->force = ARENA_NEW(memory, double, net->n_all);
    if (memory->failed) goto no_memory;
    set_bodies(net, s, t_start);
    network_set_gears(net, s, t_start);
    if (memory->failed) goto no_memory;
    for (int i = 0; i < net->n_free; i++)
        net->per_mass[i] = net->mass[i] > 0.0 ? 1.0 / net->mass[i] : 0.0;
    set_links(net, s);
    set_touches(net, s);
    for (int i = 0; i < s->n_drives; i++) {
        const bri_drive *d = &s->drives[i];
        int at = d->vertical ? net->body_z[d->body] : net->body_x[d->body];
        const bri_signal *force = signal_keep(memory, &d->force);
        if (force) net->pushes[net->n_pushes++] = (push){.at = at, .force = *force};
    }
    if (memory->failed) goto no_memory;
    if (!network_find_loads(net, s))
        return bri_fail(err, BRI_BAD_VALUE, "contacts with reaction load rest on each other");
    network_find_formulas(net, s);
    if (memory->failed) goto no_memory;
    net->n = 2 * net->n_free + net->n_z;
    runs_find(net);
    packs_find(net);
    network_shape_matrix(net);
    if (memory->failed) goto no_memory;
    network_place_slots(net);
    net->nominal = ARENA_NEW(memory, double, net->n);
    net->expected = ARENA_NEW(memory, double, net->n);
    net->origin = ARENA_NEW(memory, double, net->n);
    net->spare = ARENA_NEW(memory, double, net->n_z + 1);
    double *y = ARENA_NEW(memory, double, 2 * net->n + 1);
    if (memory->failed) goto no_memory;
    net->latest = INFINITY;
    net->earliest = -INFINITY;
    net->moved = NAN;
    find_idle(net, t_start);
    network_start(net, s, t_start, y);
    network_rhs(net, t_start, y, y + net->n);
    network_set_sizes(net, s, t_start, t_end);
    runs_prepare(net);
    packs_lay_out(net);
    flat_find(net);
    if (memory->failed) goto no_memory;
    return BRI_OK;
no_memory:
    return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the system");
}

bri_status network_create(const bri_system *s, double t_start, double t_end, network **out,
                          bri_error *err) {
    *out = NULL;
    bri_status status = network_check(s, err);
    if (status != BRI_OK) return status;
    network *net = calloc(1, sizeof *net);
    if (!net) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    status = network_build(net, s, t_start, t_end, err);
    if (status == BRI_OK)
        *out = net;
    else
        network_free(net);
    return status;
}

void network_free(network *net) {
    if (!net) return;
    matrix_free(&net->matrix);
    arena_free(&net->memory);
    free(net);
}

void network_start(const network *net, const bri_system *s, double t, double *y) {
    memset(y, 0, sizeof *y * (size_t)net->n);
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        int x = net->body_x[i], z = net->body_z[i];
        if (x < net->n_free) y[x] = b->x, y[net->n_free + x] = b->v;
        if (z < net->n_free) y[z] = b->z, y[net->n_free + z] = b->vz;
    }
    for (int i = 0; i < s->n_contacts; i++) {
        const touch *c = &net->touches[i];
        double *z = y + 2 * net->n_free + c->first;
        if (s->contacts[i].z)
            memcpy(z, s->contacts[i].z, sizeof *z * (size_t)c->count);
        else
            bri_model_rest(c->model, c->p, z);
    }
    network_kick(net, t, y);
}

void network_kick(const network *net, double t, double *y) {
    for (int i = 0; i < net->n_driven; i++)
        y[net->n_free + net->driven[i].at] = bri_signal_value(net->driven[i].signal, t);
}

double network_kink(network *net, double t) {
    double next = INFINITY;
    for (int i = 0; i < net->n_motions; i++)
        next = fmin(next, net->motions[i].signal->kind->kink(net->motions[i].signal, t));
    for (int i = 0; i < net->n_driven; i++)
        next = fmin(next, net->driven[i].signal->kind->kink(net->driven[i].signal, t));
    for (int i = 0; i < net->n_pushes; i++)
        next = fmin(next, net->pushes[i].force.kind->kink(&net->pushes[i].force, t));
    for (int i = 0; i < net->n_touches; i++)
        if (net->touches[i].n_of_t)
            next = fmin(next, net->touches[i].n_of_t->kind->kink(net->touches[i].n_of_t, t));
    for (int i = 0; i < net->n_formulas; i++)
        for (int k = 0; k < net->formulas[i].f.n_args; k++) {
            const bri_signal *signal = net->formulas[i].args[k].signal;
            if (signal) next = fmin(next, signal->kind->kink(signal, t));
        }
    net->pace = 0.0;
    for (int i = 0; i < net->n_touches; i++) {
        double pace, lift = touch_next_lift(&net->touches[i], t, fmin(next, net->t_end), &pace);
        if (lift < next) next = lift, net->pace = pace;
    }
    return next;
}
