/* build.c - from a definition to a network: checks, coordinates, pattern of the matrix, sizes. */
#include "fail.h"
#include "network.h"
#include <math.h>
#include <string.h>

static const char *body_name(const bri_system *s, int i) {
    return i == BRI_GROUND ? "ground" : s->bodies[i].name ? s->bodies[i].name : "body";
}

static const char *name_or(const char *name, const char *other) { return name ? name : other; }

static int prescribed(const bri_body *b) { return b->position || b->velocity; }

/* ---- checks ----------------------------------------------------------------------------- */

static int is_body(const bri_system *s, int i) {
    return i == BRI_GROUND || (i >= 0 && i < s->n_bodies);
}

static int is_rotor(const bri_system *s, int i) {
    return i != BRI_GROUND && s->bodies[i].kind == BRI_ROTOR;
}

/* A signal and all its parts; none is fine. */
static bri_status check_signal(const char *name, const bri_signal *s, bri_error *err) {
    if (!s) return BRI_OK;
    if (!s->kind) return bri_fail(err, BRI_BAD_VALUE, "%s: a signal has no kind", name);
    const char *wrong = s->kind->check ? s->kind->check(s->p) : NULL;
    if (wrong) return bri_fail(err, BRI_BAD_VALUE, "%s: %s: %s", name, s->kind->name, wrong);
    bri_status status = BRI_OK;
    for (int i = 0; status == BRI_OK && s->parts && i < s->count; i++)
        status = check_signal(name, &s->parts[i], err);
    return status;
}

static bri_status check_bodies(const bri_system *s, bri_error *err) {
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        const char *name = body_name(s, i);
        if (!isfinite(b->x) || !isfinite(b->v) || !isfinite(b->z) || !isfinite(b->vz))
            return bri_fail(err, BRI_BAD_VALUE, "%s: the start values must be finite", name);
        if (b->position && b->velocity)
            return bri_fail(err, BRI_BAD_VALUE, "%s: give position or velocity, not both", name);
        if (prescribed(b) && b->kind == BRI_POINT)
            return bri_fail(err, BRI_BAD_VALUE, "%s: a point mass cannot be prescribed", name);
        if (!prescribed(b) && !(b->mass > 0.0 && isfinite(b->mass)))
            return bri_fail(err, BRI_BAD_VALUE, "%s: mass = %g must be > 0", name, b->mass);
        bri_status status = check_signal(name, b->position ? b->position : b->velocity, err);
        if (status != BRI_OK) return status;
    }
    return BRI_OK;
}

static bri_status check_pair(const bri_system *s, const char *name, int a, int b, bri_error *err) {
    if (!is_body(s, a) || !is_body(s, b))
        return bri_fail(err, BRI_BAD_VALUE, "%s: there is no such body", name);
    if (a == b)
        return bri_fail(err, BRI_BAD_VALUE, "%s: joins %s with itself", name, body_name(s, a));
    if (a != BRI_GROUND && b != BRI_GROUND && is_rotor(s, a) != is_rotor(s, b))
        return bri_fail(err, BRI_BAD_VALUE, "%s: joins the rotor and the sliding body of %s and %s",
                        name, body_name(s, a), body_name(s, b));
    return BRI_OK;
}

static bri_status check_contact(const bri_system *s, const bri_contact *c, bri_error *err) {
    const char *name = name_or(c->name, "contact");
    bri_error inner;
    bri_status status = check_pair(s, name, c->a, c->b, err);
    if (status != BRI_OK) return status;
    if (!c->model) return bri_fail(err, BRI_BAD_VALUE, "%s: has no law", name);
    if ((status = bri_model_check(c->model, c->p, &inner)) != BRI_OK)
        return bri_fail(err, status, "%s: %s", name, inner.text);
    for (int end = 0; end < 2; end++) {
        int i = end == 0 ? c->a : c->b;
        if (i != BRI_GROUND && s->bodies[i].kind == BRI_POINT)
            return bri_fail(err, BRI_BAD_VALUE, "%s: a point mass (%s) has no contact plane", name,
                            body_name(s, i));
    }
    if (c->load == BRI_LOAD_CONSTANT && !(c->n >= 0.0 && isfinite(c->n)))
        return bri_fail(err, BRI_BAD_VALUE, "%s: load = %g N must be >= 0", name, c->n);
    if (c->load == BRI_LOAD_SIGNAL && !c->n_of_t)
        return bri_fail(err, BRI_BAD_VALUE, "%s: the load signal is missing", name);
    if (c->load == BRI_LOAD_REACTION && (c->a == BRI_GROUND || is_rotor(s, c->a)))
        return bri_fail(err, BRI_BAD_VALUE,
                        "%s: a reaction load needs a sliding body on top, not %s", name,
                        body_name(s, c->a));
    return check_signal(name, c->load == BRI_LOAD_SIGNAL ? c->n_of_t : NULL, err);
}

static bri_status check_system(const bri_system *s, bri_error *err) {
    bri_status status = check_bodies(s, err);
    for (int i = 0; status == BRI_OK && i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        const char *name = name_or(c->name, c->kind ? c->kind->name : "coupling");
        if (!c->kind) return bri_fail(err, BRI_BAD_VALUE, "%s: has no kind", name);
        status = check_pair(s, name, c->a, c->b, err);
        for (int j = 0; status == BRI_OK && j < c->kind->n_params; j++) {
            const bri_param *row = &c->kind->params[j];
            if (!(c->p[j] >= row->min && c->p[j] <= row->max))
                status = bri_fail(err, BRI_BAD_VALUE, "%s: %s = %g %s is outside %g ... %g", name,
                                  row->name, c->p[j], row->unit, row->min, row->max);
        }
    }
    for (int i = 0; status == BRI_OK && i < s->n_contacts; i++)
        status = check_contact(s, &s->contacts[i], err);
    for (int i = 0; status == BRI_OK && i < s->n_drives; i++) {
        const bri_drive *d = &s->drives[i];
        const char *name = name_or(d->name, "drive");
        if (d->body < 0 || d->body >= s->n_bodies || prescribed(&s->bodies[d->body]))
            status = bri_fail(err, BRI_BAD_VALUE, "%s: acts on no body that can move", name);
        else if (d->vertical && s->bodies[d->body].kind != BRI_POINT)
            status = bri_fail(err, BRI_BAD_VALUE, "%s: %s cannot be driven along z", name,
                              body_name(s, d->body));
        else
            status = check_signal(name, &d->force, err);
    }
    return status;
}

/* A sum is closed if all its parts are. */
static int closed(const bri_signal *s) {
    for (int i = 0; s->parts && i < s->count; i++)
        if (!closed(&s->parts[i])) return 0;
    return s->kind->closed;
}

/* ---- coordinates ------------------------------------------------------------------------ */

/* Moved by forces, or by a velocity whose integral the solver has to find. */
static int can_move(const bri_body *b) {
    return !prescribed(b) || (b->velocity && !closed(b->velocity));
}

/* Free coordinates first. The last coordinate of all is the ground's. */
static void number_coordinates(network *net, const bri_system *s) {
    int next = 0;
    for (int i = 0; i < s->n_bodies; i++) {
        if (can_move(&s->bodies[i])) net->body_x[i] = next++;
        if (s->bodies[i].kind == BRI_POINT) net->body_z[i] = next++;
    }
    net->n_free = next;
    for (int i = 0; i < s->n_bodies; i++) {
        if (!can_move(&s->bodies[i])) net->body_x[i] = next++;
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
        const bri_signal *signal = b->position ? b->position : b->velocity;
        net->pos[x] = b->x;
        net->pos[z] = b->z;
        if (x < net->n_free) net->mass[x] = signal ? 0.0 : b->mass;
        if (z < net->n_free) net->mass[z] = b->mass;
        if (b->kind != BRI_ROTOR) net->weight[z] = -b->mass * s->gravity;
        if (!signal) continue;
        double out[4];
        signal->kind->eval(signal, t, out);
        motion m = {.at = x, .signal = signal, .order = b->velocity != NULL, .from = b->x - out[0]};
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
    return c->kind == bri_coupling_find("rope") && !is_rotor(s, c->a) && !is_rotor(s, c->b);
}

static void set_links(network *net, const bri_system *s) {
    for (int i = 0; i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        link *l = &net->links[net->n_links++];
        l->kind = c->kind;
        memcpy(l->p, c->p, sizeof l->p);
        l->at[0] = x_of(net, c->a);
        l->at[1] = x_of(net, c->b);
        l->at[2] = z_of(net, c->a);
        l->at[3] = z_of(net, c->b);
        l->width = in_plane(s, c) ? 4 : 2;
        l->linear = c->kind->linear && l->width == 2;
        l->rest = c->kind->tension(c->p, 0.0, 0.0, &l->by_L, &l->by_rate);
        if (l->linear) network_linearise_link(net, l);
    }
}

/* The law has a corner at v = 0 if freezing the direction changes it on the other side. */
static int has_corner(const bri_model *m, const double *p, double load) {
    double z[BRI_MAX_STATES], auto_dz[BRI_MAX_STATES], locked_dz[BRI_MAX_STATES];
    int k = bri_model_states(m, p);
    if (m->set_valued) return 0;
    for (int trial = 0; trial < 4; trial++) {
        bri_input u = {.v = trial % 2 ? -1e-3 : -1e-6, .n = load > 0.0 ? load : 1.0};
        bri_model_rest(m, p, z);
        for (int i = 0; i < k; i++) z[i] += (trial < 2 ? 0.3 : -0.3) * m->states[i].nominal;
        double F = bri_model_eval(m, p, &u, z, auto_dz);
        u.mode = BRI_SLIDE_POS;
        if (bri_model_eval(m, p, &u, z, locked_dz) != F) return 1;
        if (k > 0 && memcmp(auto_dz, locked_dz, sizeof *z * (size_t)k) != 0) return 1;
    }
    return 0;
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
        to->n_of_t = c->n_of_t;
        to->count = bri_model_states(c->model, c->p);
        to->first = net->n_z;
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

/* ---- time dependence and sizes ---------------------------------------------------------- */

static int is_constant(const bri_signal *s) { return s->kind == bri_signal_find("constant"); }

/* Positions matter only to links and to bodies that stick exactly; a constant velocity that no link
 * sees need not be looked up. */
static void find_idle(network *net, double t) {
    char *seen = ARENA_NEW(&net->memory, char, net->n_all);
    int sticks = 0;
    if (!seen) return;
    for (int i = 0; i < net->n_touches; i++) sticks |= net->touches[i].model->set_valued;
    for (int j = 0; j < net->n_links; j++)
        for (int k = 0; k < net->links[j].width; k++) seen[net->links[j].at[k]] = 1;
    net->autonomous = net->n_driven == 0;
    for (int i = 0; i < net->n_motions; i++) {
        motion *m = &net->motions[i];
        double s[4];
        m->signal->kind->eval(m->signal, t, s);
        int constant = is_constant(m->signal);
        m->unseen = m->order == 1 && !seen[m->at] && (constant || !sticks);
        m->idle = m->unseen && constant;
        if (m->idle)
            net->vel[m->at] = s[1];
        else
            net->autonomous = 0;
    }
    for (int i = 0; i < net->n_pushes; i++)
        if (!is_constant(&net->pushes[i].force)) net->autonomous = 0;
    for (int i = 0; i < net->n_touches; i++)
        if (net->touches[i].load == BRI_LOAD_SIGNAL) net->autonomous = 0;
}

/* The largest speed that the definition itself mentions, or 1 cm/s. */
static double speed_scale(const bri_system *s, double t_start, double t_end) {
    double most = 0.0;
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        most = fmax(most, hypot(b->v, b->vz));
        const bri_signal *signal = b->position ? b->position : b->velocity;
        int places = signal && is_constant(signal) ? 0 : 50;
        for (int k = 0; signal && k <= places; k++) { /* irregular, not to hit zeros only */
            double out[4], share = k / 50.0 + 0.02 * (0.618034 * k - floor(0.618034 * k));
            signal->kind->eval(signal, t_start + (t_end - t_start) * fmin(share, 1.0), out);
            most = fmax(most, fabs(out[b->position ? 2 : 1]));
        }
    }
    return most > 0.0 ? most : 0.01;
}

/* Sizes of contact states: what they reach in steady sliding under this load, else the table's. */
static void touch_sizes(const touch *c, double load, double *nominal) {
    double z[BRI_MAX_STATES];
    bri_input u = {.v = 10.0, .n = load > 0.0 ? load : 1.0};
    bri_model_rest(c->model, c->p, z);
    for (int k = 0; k < 8; k++) bri_model_step(c->model, c->p, &u, 1e3, z);
    for (int i = 0; i < c->count; i++) {
        double table = c->model->states[i].nominal, reached = fabs(z[i]);
        nominal[i] = reached > 1e-12 * table && reached < 1e3 * table ? reached : table;
    }
}

/* The velocity over which the force changes: at rest by its level, or along the Stribeck curve,
 * where slips begin; at most that of the system. */
static double steepness(const touch *c, double load, double v) {
    double z[BRI_MAX_STATES], dz[BRI_MAX_STATES];
    bri_input u = {.n = load > 0.0 ? load : 1.0};
    bri_model_rest(c->model, c->p, z);
    bri_model_jac(c->model, c->p, &u, z, c->jac);
    double slope = fabs(c->jac[1]);
    u.v = 10.0;
    for (int k = 0; k < 8; k++) bri_model_step(c->model, c->p, &u, 1e3, z);
    double level = fabs(bri_model_eval(c->model, c->p, &u, z, dz));
    int stribeck = bri_model_param(c->model, "v_s");
    if (stribeck >= 0) v = fmin(v, c->p[stribeck]);
    return slope > 0.0 ? fmin(fmax(level / slope, 1e-9 * v), v) : v;
}

/* Nonzero if two contacts have the same law, parameters and load. */
static int alike(const touch *a, const touch *b) {
    return a->model == b->model && a->N == b->N &&
           memcmp(a->p, b->p, sizeof *a->p * (size_t)a->model->n_params) == 0;
}

static void set_sizes(network *net, const bri_system *s, double t_start, double t_end) {
    int n = net->n_free;
    double v = net->speed = speed_scale(s, t_start, t_end);
    for (int i = 0; i < n; i++) net->nominal[i] = net->nominal[n + i] = v;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        const touch *last = i > 0 && alike(c, c - 1) ? c - 1 : NULL;
        double *size = net->nominal + 2 * n + c->first;
        c->v_size = last ? last->v_size : steepness(c, c->N, v);
        c->corner = last ? last->corner : has_corner(c->model, c->p, c->N);
        if (c->a < n) net->nominal[n + c->a] = fmin(net->nominal[n + c->a], c->v_size);
        if (c->b < n) net->nominal[n + c->b] = fmin(net->nominal[n + c->b], c->v_size);
        if (last && c->count > 0)
            memcpy(size, net->nominal + 2 * n + last->first, sizeof *size * (size_t)c->count);
        else
            touch_sizes(c, c->N, size);
    }
}

/* A parameter of a law that sticks exactly, 0 if it has none of that name. */
static double named_value(const touch *c, const char *name) {
    int at = c->model->set_valued ? bri_model_param(c->model, name) : -1;
    return at >= 0 ? c->p[at] : 0.0;
}

static int dictated(const network *net, int at) {
    return at >= net->n_free || net->mass[at] <= 0.0;
}

/* What is done with the matrices takes minutes per step before it takes more memory. */
#define MOST_BYTES 1e9

bri_status network_allow_stick(network *net, bri_error *err) {
    arena *memory = &net->memory;
    int any = 0;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        any |= c->model->set_valued;
        c->unmoved = dictated(net, c->a) && dictated(net, c->b);
        c->band = named_value(c, "v_d");
        c->reading = (int)named_value(c, "as_printed");
    }
    if (!any) return BRI_OK;
    /* the matrix, which is dense with room for row exchanges, and the Laplacian of stuck groups */
    double bytes = 4.0 * sizeof(double) * (double)net->n_free * (double)net->n_free;
    if (bytes > MOST_BYTES)
        return bri_fail(err, BRI_BAD_VALUE,
                        "exact stick by events needs about %.3g GB for %d bodies that move, and at "
                        "most %.2g GB are taken: take the solver time_stepping with a step, which "
                        "is made for many contacts, or a smooth or bristle law",
                        1e-9 * bytes, net->n_free, 1e-9 * MOST_BYTES);
    net->set_valued = 1;
    net->leader = ARENA_NEW(memory, int, net->n_all);
    net->group_mass = ARENA_NEW(memory, double, net->n_all);
    net->offset = ARENA_NEW(memory, double, net->n_free);
    net->node = ARENA_NEW(memory, int, net->n_free);
    net->laplacian = ARENA_NEW(memory, double, (size_t)net->n_free *(size_t)net->n_free);
    net->potential = ARENA_NEW(memory, double, net->n_all);
    net->drifts = ARENA_NEW(memory, char, net->n_all);
    net->candidate = ARENA_NEW(memory, char, net->n_touches);
    net->undecided = ARENA_NEW(memory, int, net->n_touches);
    net->level = ARENA_NEW(memory, double, net->n_touches);
    net->trial = ARENA_NEW(memory, double, net->n_touches);
    net->loose = ARENA_NEW(memory, double, net->n_all);
    net->rates = ARENA_NEW(memory, double, net->n);
    network_shape_matrix(net);
    if (memory->failed) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the system");
    network_place_slots(net);
    return BRI_OK;
}

/* ---- create ----------------------------------------------------------------------------- */

bri_status network_create(const bri_system *s, double t_start, double t_end, network **out,
                          bri_error *err) {
    *out = NULL;
    bri_status status = check_system(s, err);
    if (status != BRI_OK) return status;
    network *net = calloc(1, sizeof *net);
    if (!net) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    arena *memory = &net->memory;
    net->body_x = ARENA_NEW(memory, int, s->n_bodies);
    net->body_z = ARENA_NEW(memory, int, s->n_bodies);
    net->links = ARENA_NEW(memory, link, s->n_couplings);
    net->touches = ARENA_NEW(memory, touch, s->n_contacts);
    net->motions = ARENA_NEW(memory, motion, s->n_bodies);
    net->driven = ARENA_NEW(memory, motion, s->n_bodies);
    net->pushes = ARENA_NEW(memory, push, s->n_drives);
    net->order = ARENA_NEW(memory, int, s->n_contacts);
    if (memory->failed) goto no_memory;
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
    for (int i = 0; i < net->n_free; i++)
        net->per_mass[i] = net->mass[i] > 0.0 ? 1.0 / net->mass[i] : 0.0;
    set_links(net, s);
    set_touches(net, s);
    for (int i = 0; i < s->n_drives; i++) {
        const bri_drive *d = &s->drives[i];
        int at = d->vertical ? net->body_z[d->body] : net->body_x[d->body];
        net->pushes[net->n_pushes++] = (push){.at = at, .force = d->force};
    }
    if (memory->failed) goto no_memory;
    if (!network_find_loads(net, s)) {
        network_free(net);
        return bri_fail(err, BRI_BAD_VALUE, "contacts with reaction load rest on each other");
    }
    if (memory->failed) goto no_memory;
    net->n = 2 * net->n_free + net->n_z;
    runs_find(net);
    network_shape_matrix(net);
    if (memory->failed) goto no_memory;
    network_place_slots(net);
    net->nominal = ARENA_NEW(memory, double, net->n);
    net->spare = ARENA_NEW(memory, double, net->n_z + 1);
    double *y = ARENA_NEW(memory, double, 2 * net->n + 1);
    if (memory->failed) goto no_memory;
    net->latest = INFINITY;
    net->moved = NAN;
    find_idle(net, t_start);
    network_start(net, s, t_start, y);
    network_rhs(net, t_start, y, y + net->n);
    set_sizes(net, s, t_start, t_end);
    runs_prepare(net);
    if (memory->failed) goto no_memory;
    *out = net;
    return BRI_OK;
no_memory:
    network_free(net);
    return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the system");
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

double network_kink(const network *net, double t) {
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
    return next;
}
