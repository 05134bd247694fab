/* create.c - a simulation made from its definition: the network, the problem as the solver
 * sees it, and all memory. */
#include "sim.h"
#include "system/signal.h"
#include "tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void ode_rhs(void *self, double t, const double *y, double *dy) {
    network_rhs(self, t, y, dy);
}

static void ode_sizes(void *self, const double *y, double *size) { network_sizes(self, y, size); }

static void ode_linearise(void *self, double t, const double *y, double *dy, double *ft) {
    network_linearise(self, t, y, dy, ft);
}

static int ode_factor(void *self, double w) { return network_factor(self, w); }

static int ode_sound(void *self, const double *y, double w) { return network_sound(self, y, w); }

static void ode_solve(void *self, double *b) { network_solve(self, b); }

/* One body and one contact, while it does not stick exactly. */
static int ode_slides(void *self) { return ((const network *)self)->touches[0].mode != BRI_STUCK; }

static void ode_one_sizes(void *self, const double *y, double *size) {
    (ode_slides(self) ? single_sizes : network_sizes)(self, y, size);
}

static void ode_one_rhs(void *self, double t, const double *y, double *dy) {
    (ode_slides(self) ? single_rhs : network_rhs)(self, t, y, dy);
}

static void ode_one_linearise(void *self, double t, const double *y, double *dy, double *ft) {
    (ode_slides(self) ? single_linearise : network_linearise)(self, t, y, dy, ft);
}

static int ode_one_factor(void *self, double w) {
    return (ode_slides(self) ? single_factor : network_factor)(self, w);
}

static int ode_one_sound(void *self, const double *y, double w) {
    return (ode_slides(self) ? single_sound : network_sound)(self, y, w);
}

static void ode_one_solve(void *self, double *b) {
    (ode_slides(self) ? single_solve : network_solve)(self, b);
}

static void ode_jacobian(void *self, void (*put)(void *, int, int, double), void *to) {
    network_jacobian(self, put, to);
}

static void ode_begin(void *self, const double *y, double tolerance) {
    const network *net = self;
    stepping_begin(net->stepping, y, tolerance * net->speed);
}

static bri_status ode_leap(void *self, double t, double h, long *sweeps, bri_error *err) {
    stepping *s = ((const network *)self)->stepping;
    bri_status status = stepping_step(s, t, h, err);
    *sweeps = s->sweeps;
    return status;
}

static void ode_within(void *self, double u, double *y) {
    stepping_state(((const network *)self)->stepping, u, y);
}

bri_sim_def bri_sim_defaults(void) {
    return (bri_sim_def){.t_end = 1.0, .rtol = 1e-6, .energies = 1, .system = {.gravity = 9.81}};
}

/* A solver that leaps knows signals and springs, no forces that depend on the motion in other ways.
 */
static bri_status check_leaps(const bri_system *s, const bri_solver *solver, bri_error *err) {
    const char *name = NULL, *what = "a function of the motion";
    for (int i = 0; i < s->n_drives; i++)
        if (s->drives[i].by) name = s->drives[i].name ? s->drives[i].name : "drive";
    for (int i = 0; i < s->n_contacts; i++)
        if (s->contacts[i].load == BRI_LOAD_FUNCTION || s->contacts[i].n_varying > 0)
            name = s->contacts[i].name ? s->contacts[i].name : "contact";
    for (int i = 0; i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        if (!c->tension && !(c->kind && c->kind->ratio)) continue;
        name = c->name ? c->name : "coupling";
        if (!c->tension) what = "a gear";
    }
    if (!name) return BRI_OK;
    return bri_fail(err, BRI_BAD_VALUE,
                    "%s: %s, which the solver %s does not take: take rosenbrock, or another one",
                    name, what, solver->name);
}

static bri_status check_def(const bri_sim_def *def, bri_error *err) {
    if (!(def->t_end > def->t_start) || !isfinite(def->t_start) || !isfinite(def->t_end))
        return bri_fail(err, BRI_BAD_VALUE, "the run must end after it starts");
    if (!(def->rtol >= 1e-14 && def->rtol <= 0.1))
        return bri_fail(err, BRI_BAD_VALUE, "rtol = %g is outside 1e-14 ... 0.1", def->rtol);
    if (!(def->atol >= 0.0 && def->atol <= 1.0))
        return bri_fail(err, BRI_BAD_VALUE, "atol = %g is outside 0 ... 1", def->atol);
    if (!(def->max_step >= 0.0) || !(def->step >= 0.0))
        return bri_fail(err, BRI_BAD_VALUE, "a step size must not be negative");
    const bri_system *s = &def->system;
    for (int i = 0; i < s->n_contacts; i++)
        if (s->contacts[i].model && s->contacts[i].model->set_valued && def->solver &&
            !def->solver->sticks)
            return bri_fail(err, BRI_BAD_VALUE,
                            "%s: %s sticks exactly, which the solver %s cannot do: take the solver "
                            "event_driven, "
                            "or a smooth or bristle law (stribeck_tanh, lugre)",
                            s->contacts[i].name ? s->contacts[i].name : "contact",
                            s->contacts[i].model->name,
                            def->solver ? def->solver->name : "rosenbrock");
    if (def->solver && def->solver->leaps) return check_leaps(s, def->solver, err);
    return BRI_OK;
}

/* With more contacts than this the directions of laws with a corner at v = 0 are left free: some
 * contact turns in every step, and ending the step there would cost as many steps as there are
 * contacts. The corners are left to the error control. In chains that pays sooner at loose
 * tolerances: 20 LuGre blocks take 145 attempts at 1e-2 in place of 242, and as many at 3e-4. */
enum { MOST_FROZEN = 64, MOST_LOOSE = 15 };
static const double LOOSE = 3e-4;

/* Tolerances by which an event is taken early that solvers cannot meet: within some of them the
 * error control does not see in which way a state approaches its limit, and may hover there. What
 * is stored jumps by as much, which adds up where it happens in every cycle: 30 were off in twice
 * as many random rigs as 3, and 1 in no fewer. */
static const double EARLY = 3.0;

/* Event functions that a law can have, with any parameters. */
static int most_events(const touch *c) {
    return c->model->set_valued ? (int)STICK_EVENTS : 1 + c->model->n_roots;
}

/* Room for the simulation's own arrays. */
static void take_memory(bri_sim *sim) {
    network *net = sim->net;
    arena *memory = &sim->memory;
    int events = sim_most_switches(net), sampled = net->set_valued || events > 0;
    sim->switches = ARENA_NEW(memory, toggle, events);
    for (int i = 0; i < net->n_touches; i++) {
        events += most_events(&net->touches[i]);
        sampled |= net->touches[i].model->n_roots > 0;
    }
    sim->first = ARENA_NEW(memory, int, net->n_touches);
    sim->modes = ARENA_NEW(memory, modes, net->n_touches);
    sim->kept_modes = ARENA_NEW(memory, modes, net->n_touches);
    sim->at_limit = ARENA_NEW(memory, char, net->n_touches);
    sim->counts = ARENA_NEW(memory, int, net->n_touches);
    sim->was = ARENA_NEW(memory, int, net->n_touches);
    sim->force_before = ARENA_NEW(memory, double, net->n_touches);
    sim->log = ARENA_ROOM(memory, bri_event, sim->log_room);
    sim->motions = ARENA_NEW(memory, int, net->n_touches);
    sim->pairs = ARENA_NEW(memory, pair, net->n_touches);
    sim->names = ARENA_NEW(memory, const char *, net->n_touches);
    sim->contact = ARENA_NEW(memory, int, events);
    sim->g = ARENA_NEW(memory, double, 2 * events);
    sim->g_end = ARENA_NEW(memory, double, 2 * events);
    sim->root_size = ARENA_NEW(memory, double, events);
    sim->v_from = ARENA_NEW(memory, double, net->n_touches);
    sim->v_to = ARENA_NEW(memory, double, net->n_touches);
    sim->passed = ARENA_NEW(memory, double, 5 * net->n_touches);
    sim->sway = ARENA_NEW(memory, double, net->n_touches);
    sim->gain = ARENA_NEW(memory, double, net->n_free);
    sim->courses = ARENA_NEW(memory, double, SOLVER_COURSE * net->n_free);
    sim->bends = ARENA_NEW(memory, double, net->n_free);
    sim->rates = ARENA_NEW(memory, double, net->n_all);
    sim->rates_by = ARENA_NEW(memory, double, net->n_all);
    sim->moved_by = ARENA_NEW(memory, const motion *, net->n_all - net->n_free);
    if (sampled) {
        int points = POINTS + 2, smooth = STICK_SMOOTH * net->n_touches;
        sim->sampled = ARENA_NEW(memory, double, points *(events + smooth) + smooth);
    }
    if (net->set_valued) sim->offset = ARENA_NEW(memory, double, net->n_free);
    sim->y = ARENA_NEW(memory, double, net->n);
    sim->y_end = ARENA_NEW(memory, double, net->n);
    sim->dy = ARENA_NEW(memory, double, net->n);
    sim->carried = ARENA_NEW(memory, double, 2 * net->n + net->n_all);
}

void sim_lay_out(bri_sim *sim) {
    network *net = sim->net;
    int corners = 0;
    sim->n_events = sim->law_events = sim->own_roots = 0;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        int events = c->model->set_valued ? (int)STICK_EVENTS : 1 + c->n_roots;
        sim->names[i] = sim->def.system.contacts[i].name;
        sim->pairs[i] = (pair){c->a, c->b, c->model->set_valued && !c->unmoved};
        sim->first[i] = sim->n_events;
        for (int k = 0; k < events; k++) sim->contact[sim->n_events++] = i;
        if (c->n_roots > 0) sim->law_events = 1;
        if (c->n_roots > 0 && !c->model->set_valued) sim->own_roots = 1;
        corners += c->corner;
    }
    sim_list_switches(sim);
    int freely = sim->def.rtol > LOOSE && net->packed && net->packed->row >= 0;
    sim->freezes = corners > 0 && corners <= (freely ? MOST_LOOSE : MOST_FROZEN);
    for (int i = 0; i < net->n_motions; i++)
        if (!signal_is_constant(net->motions[i].signal) || net->motions[i].order == 0)
            sim->moved_by[net->motions[i].at - net->n_free] = &net->motions[i];
    for (int i = net->n_free; i < net->n_all; i++)
        sim->rates[i] = sim->moved_by[i - net->n_free] ? NAN : 0.0;
    sim->looks = !sim->solver->leaps && !sim->solver->fixed_step && net->n_touches <= MOST_FROZEN;
    sim->single = network_is_single(net);
    sim->phases = sim->solver->course && network_is_phased(net);
    sim->arcs = sim_has_arcs(sim);
    sim->one_turn =
        sim->single && net->single.alone && net->touches[0].corner && sim->n_events == 1;
    sim->ahead = -INFINITY;
    sim->course_t = NAN;
    sim_find_corners(sim);
}

/* What happens between two prescribed motions leaves no trace in the unknowns, and so in the errors
 * that the solver sees: heat and work are then added up over steps of at most a thousandth of the
 * run. */
static double longest_step(const bri_sim *sim, double wanted) {
    const network *net = sim->net;
    double most = 1e-3 * sim->span;
    for (int i = 0; i < net->n_touches; i++)
        if (net->touches[i].unmoved && !net->autonomous)
            return wanted > 0.0 ? fmin(wanted, most) : most;
    return wanted;
}

/* Nonzero if friction does not fall with the speed anywhere. */
static int is_smooth(const network *net) {
    for (int i = 0; i < net->n_touches; i++)
        if (!isinf(net->touches[i].bend)) return 0;
    return 1;
}

/* The problem as a solver sees it. */
static ode problem_of(const bri_sim *sim) {
    network *net = sim->net;
    ode problem = {.self = net,
                   .n = net->n,
                   .nominal = net->nominal,
                   .autonomous = net->autonomous,
                   .swings = net->n_free > net->n_touches,
                   .rhs = ode_rhs,
                   .sizes = ode_sizes,
                   .linearise = ode_linearise,
                   .factor = ode_factor,
                   .sound = ode_sound,
                   .solve = ode_solve,
                   .jacobian = ode_jacobian,
                   .begin = ode_begin,
                   .leap = ode_leap,
                   .within = ode_within};
    if (net->packed && !sim->single) problem.attempt = network_attempt;
    if (!sim->single && !sim->phases) return problem;
    problem.sizes = ode_one_sizes;
    problem.rhs = ode_one_rhs;
    problem.linearise = ode_one_linearise;
    problem.factor = ode_one_factor;
    problem.sound = ode_one_sound;
    problem.solve = ode_one_solve;
    problem.attempt = single_attempt;
    problem.attempts = sim->phases ? ode_slides : NULL;
    problem.guarded = single_is_quick;
    return problem;
}

bri_status sim_build_network(bri_sim *sim, bri_error *err) {
    const bri_sim_def *def = &sim->def;
    network *net = sim->net;
    bri_status status = network_build(net, &def->system, def->t_start, def->t_end, err);
    if (status != BRI_OK) return status;
    net->t_end = sim->t_end; /* it may have been put off */
    if (!sim->solver->leaps) return network_allow_stick(net, err);
    net->stepping = stepping_create(net);
    return net->stepping ? BRI_OK
                         : bri_fail(err, BRI_NO_MEMORY, "not enough memory for the simulation");
}

void sim_settle(bri_sim *sim) {
    network *net = sim->net;
    sim->kink = network_kink(net, sim->t);
    net->latest = nextafter(sim->kink, -INFINITY);
    network_place(net, sim->t, sim->y);
    network_place_idle(net, sim->t);
    network_set_sides(net, sim->t, sim->y);
    if (sim->solver->leaps)
        sim_hold_all(net);
    else
        sim_freeze(sim, sim->t, sim->y);
}

/* What is known before anything is built. */
static void set_out(bri_sim *sim) {
    const bri_sim_def *def = &sim->def;
    sim->solver = def->solver ? def->solver : &bri_rosenbrock;
    sim->t = def->t_start;
    sim->t_end = def->t_end;
    sim->max_steps = def->max_steps;
    sim->energies = def->energies;
    sim->span = def->t_end - def->t_start;
    sim->rtol = def->rtol;
    sim->atol = def->atol > 0.0 ? def->atol : def->rtol;
    sim->early = fmin(EARLY * def->rtol, 0.01);
    sim->window = def->t_start;
    sim->stride = INFINITY;
    sim->restless = -1;
    sim->log_room = def->event_room > 0 ? def->event_room : def->event_room < 0 ? 0 : 1024;
}

bri_status sim_build(bri_sim *sim, bri_error *err) {
    bri_sim fresh = {.def = sim->def,
                     .z_start = sim->z_start,
                     .own = sim->own,
                     .net = sim->net,
                     .memory = sim->memory,
                     .family = sim->family,
                     .variants = sim->variants,
                     .n_variants = sim->n_variants,
                     .spare = sim->spare};
    const bri_sim_def *def = &sim->def;
    if (sim->s && sim->solver->free) sim->solver->free(sim->s);
    arena_rewind(&fresh.memory);
    *sim = fresh;
    set_out(sim);
    bri_status status = sim_build_network(sim, err);
    if (status != BRI_OK) return status;
    network *net = sim->net;
    take_memory(sim);
    if (sim->memory.failed)
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the simulation");
    sim_lay_out(sim);
    network_start(net, &def->system, def->t_start, sim->y);
    sim_settle(sim);
    network_begin_sizes(net, sim->y, sim->atol);
    const ode problem = problem_of(sim);
    const solver_options options = {.rtol = def->rtol,
                                    .atol = sim->atol,
                                    .step = def->step,
                                    .max_step = longest_step(sim, def->max_step),
                                    .span = def->t_end - def->t_start,
                                    .smooth = is_smooth(net),
                                    .exact_cuts = net->set_valued,
                                    .memory = &sim->memory};
    status =
        sim->solver->create(sim->solver, &problem, &options, def->t_start, sim->y, &sim->s, err);
    if (status != BRI_OK) return status;
    for (int i = 0; i < net->n_touches; i++) {
        sim->modes[i] = sim_mode_of(&net->touches[i]);
        sim->was[i] = sim_direction_of(&net->touches[i]);
    }
    sim->heat = sim->work = 0.0; /* the account begins with what the start has become */
    bri_energies e;
    network_energy(net, sim->t, sim->y, &e);
    sim->start_energy = e.kinetic + e.potential + e.stored;
    return tangent_create(sim, err);
}

bri_status bri_sim_create(const bri_sim_def *def, bri_sim **out, bri_error *err) {
    *out = NULL;
    bri_status status = check_def(def, err);
    if (status == BRI_OK) status = network_check(&def->system, err);
    if (status != BRI_OK) return status;
    bri_sim *sim = calloc(1, sizeof *sim);
    if (sim) sim->family = sim;
    if (sim) sim->net = calloc(1, sizeof *sim->net);
    if (!sim || !sim->net || !sim_own(sim, def))
        status = bri_fail(err, BRI_NO_MEMORY, "not enough memory for the simulation");
    else
        status = sim_build(sim, err);
    if (status == BRI_OK)
        *out = sim;
    else
        bri_sim_free(sim);
    return status;
}

static void free_networks(network *list, int count) {
    for (int i = 0; list && i < count; i++) {
        matrix_free(&list[i].matrix);
        arena_free(&list[i].memory);
    }
    free(list);
}

void bri_sim_free(bri_sim *sim) {
    if (!sim) return;
    if (sim->s && sim->solver->free) sim->solver->free(sim->s);
    network_free(sim->net);
    free_networks(sim->variants, sim->n_variants);
    free_networks(sim->spare, 1 + VARIANTS);
    arena_free(&sim->memory);
    arena_free(&sim->own);
    free(sim);
}
