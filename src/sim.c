/* sim.c - where network and solver meet: kinks, frozen directions, events, energies, reading. */
#include "fail.h"
#include "solvers/solver.h"
#include "system/network.h"
#include "system/stick.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bri_sim {
    network *net;
    const bri_solver *solver;
    stepper *s;
    double t, t_end;    /* present time, within the last step of the solver; end of the run */
    double kink;        /* next time at which the right-hand side jumps */
    double *y, *dy;     /* state at t, and room for rates */
    double *g, *g_end;  /* event functions at both ends of a step */
    int *first;         /* of each contact's event functions */
    int n_events;       /* event functions in all */
    int law_events;     /* nonzero: some law has event functions of its own */
    int freezes;        /* nonzero: directions are frozen, and steps end where they turn */
    int *contact;       /* of each event function */
    bri_mode *modes;    /* directions in force during the last step, one per contact */
    char *must_slide;   /* contacts whose static limit has been reached */
    const char **names; /* of the contacts */
    double heat, work, heat_prev, work_prev; /* integrals at the ends of the last step */
    double start_energy;
    long events, max_steps;
    long burst; /* events since time last moved on */
    int energies;
    int *motions; /* -1, 0, +1 of each contact at (t, y) */
    int shown;    /* nonzero: the network has been evaluated at (t, y) */
    arena memory;
};

/* ---- the problem as the solver sees it -------------------------------------------------- */

static void ode_rhs(void *self, double t, const double *y, double *dy) {
    network_rhs(self, t, y, dy);
}

static void ode_sizes(void *self, const double *y, double *size) { network_sizes(self, y, size); }

static void ode_linearise(void *self, double t, const double *y, double *dy, double *ft) {
    network_linearise(self, t, y, dy, ft);
}

static int ode_factor(void *self, double w) { return network_factor(self, w); }

static void ode_solve(void *self, double *b) { network_solve(self, b); }

static void ode_single_rhs(void *self, double t, const double *y, double *dy) {
    single_rhs(self, t, y, dy);
}

static void ode_single_linearise(void *self, double t, const double *y, double *dy, double *ft) {
    single_linearise(self, t, y, dy, ft);
}

static int ode_single_factor(void *self, double w) { return single_factor(self, w); }

static void ode_single_solve(void *self, double *b) { single_solve(self, b); }

static void ode_jacobian(void *self, void (*put)(void *, int, int, double), void *to) {
    network_jacobian(self, put, to);
}

/* ---- directions and event functions ----------------------------------------------------- */

static double acceleration(const network *net, const double *dy, int at) {
    return at < net->n_free ? dy[net->n_free + at] : net->acc[at];
}

/* Nonzero if a set-valued contact moves so slowly that it may stick. */
static int is_still(const network *net, const touch *c) {
    bri_input u = touch_input(net, c);
    double size = 1e-10 * net->speed, g;
    if (c->mode == BRI_STUCK || fabs(u.v) <= size) return 1;
    u.mode = u.v > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
    c->model->roots(c->model, c->p, &u, NULL, &g); /* negative within a band around zero */
    return g < 0.0;
}

/* With more contacts than this the directions of laws with a corner at v = 0 are left free: some
 * contact turns in every step, and ending the step there would cost as many steps as there are
 * contacts. The corners are left to the error control. */
enum { MOST_FROZEN = 64 };

/* Nonzero if anything can happen during a step. */
static int is_watched(const bri_sim *sim) {
    return sim->freezes || sim->law_events || sim->net->set_valued;
}

/* Freeze the direction of every contact whose law has a corner at v = 0: that of v or, where v is
 * zero, the one in which it is about to move. */
static void freeze(bri_sim *sim, double t, double *y) {
    network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++) net->touches[i].mode = BRI_AUTO;
    net->any_stuck = 0;
    if (!is_watched(sim)) return;
    network_rhs(net, t, y, sim->dy);
    network_place(net, t, y);
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        double v = net->vel[c->a] - net->vel[c->b];
        if (c->model->set_valued) /* to be decided if it does not move */
            c->mode = is_still(net, c) ? BRI_STUCK : v > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
        if (!c->corner || !sim->freezes) continue;
        if (v == 0.0) v = acceleration(net, sim->dy, c->a) - acceleration(net, sim->dy, c->b);
        c->mode = v > 0.0 ? BRI_SLIDE_POS : v < 0.0 ? BRI_SLIDE_NEG : BRI_AUTO;
    }
    if (net->set_valued) stick_decide(net, t, y, NULL);
}

/* Event functions, positive until the event: for a frozen direction the speed in it, then those of
 * the law. */
static void event_functions(bri_sim *sim, double t, const double *y, double *g) {
    network *net = sim->net;
    if (!is_watched(sim)) return;
    if (sim->law_events) network_rhs(net, t, y, sim->dy); /* they may need the load */
    network_place(net, t, y);
    stick_forces(net);
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        bri_input u = touch_input(net, c);
        double *to = g + sim->first[i];
        to[0] = c->corner && c->mode != BRI_AUTO ? (double)c->mode * u.v : 1.0;
        if (c->model->n_roots > 0)
            c->model->roots(c->model, c->p, &u, y + 2 * net->n_free + c->first, to + 1);
    }
}

static int contact_of(const bri_sim *sim, int event) { return sim->contact[event]; }

static int is_direction(const bri_sim *sim, int event) {
    return sim->first[contact_of(sim, event)] == event;
}

/* The time within the last step at which an event function reaches zero: regula falsi with the
 * Illinois rule on the dense output. */
static double locate(bri_sim *sim, int event) {
    stepper *s = sim->s;
    double a = s->t_prev, b = s->t, ga = sim->g[event], gb = sim->g_end[event];
    double *room = sim->g_end + sim->n_events;
    for (int i = 0; i < 60 && b - a > 4e-16 * fmax(fabs(b), 1e-300); i++) {
        double t = a + (b - a) * (ga / (ga - gb));
        if (!(t > a && t < b)) t = 0.5 * (a + b);
        if (i % 8 == 7) t = 0.5 * (a + b);
        sim->solver->interpolate(s, t, sim->y);
        event_functions(sim, t, sim->y, room);
        double g = room[event];
        if (g > 0.0) {
            a = t;
            ga = g;
            gb *= 0.5;
        } else {
            b = t;
            gb = g;
            ga *= 0.5;
        }
        if (g == 0.0) break;
    }
    return b;
}

/* The first event of the last step, or -1, and its time. Only the one that seems to come first is
 * located; then those that have happened by then are looked at, until none comes before. */
static int first_event(bri_sim *sim, double *when) {
    int event = -1;
    double *room = sim->g_end + sim->n_events, *end = sim->g_end;
    for (;;) {
        int next = -1;
        double soonest = INFINITY;
        for (int k = 0; k < sim->n_events; k++) {
            if (k == event || !(sim->g[k] > 0.0 && end[k] <= 0.0)) continue;
            double guess = sim->g[k] / (sim->g[k] - end[k]);
            if (guess < soonest) soonest = guess, next = k;
        }
        if (next < 0) return event;
        double t = locate(sim, next);
        if (event < 0 || t < *when || (t == *when && next < event))
            *when = t, event = next;
        else
            sim->g_end[next] = 1.0; /* not before the one found */
        sim->solver->interpolate(sim->s, *when, sim->y);
        event_functions(sim, *when, sim->y, room);
        for (int k = 0; k < sim->n_events; k++)
            if (sim->g_end[k] > 0.0) room[k] = 1.0;
        end = room;
    }
}

static double stored_energy(const network *net, const touch *c, const double *y) {
    bri_input u = touch_input(net, c);
    double stored = 0.0;
    bri_model_energy(c->model, c->p, &u, y + 2 * net->n_free + c->first, &stored, NULL);
    return stored;
}

/* What follows an event of contact i: the direction turns, or the law jumps. */
static void happen(bri_sim *sim, int event) {
    network *net = sim->net;
    touch *c = &net->touches[contact_of(sim, event)];
    sim->events++;
    sim->burst++;
    if (c->model->set_valued) {
        int must = c->mode == BRI_STUCK;
        for (int i = 0; i < net->n_touches; i++) {
            touch *other = &net->touches[i];
            sim->must_slide[i] = (char)(must && other == c);
            if (other == c || (other->model->set_valued && is_still(net, other)))
                other->mode = BRI_STUCK;
        }
        stick_decide(net, sim->s->t, sim->s->y, sim->must_slide);
    } else if (is_direction(sim, event)) {
        c->mode = c->mode == BRI_SLIDE_POS ? BRI_SLIDE_NEG : BRI_SLIDE_POS;
    } else if (c->model->jump) {
        bri_input u = touch_input(net, c);
        double before = stored_energy(net, c, sim->s->y);
        c->model->jump(c->model, c->p, &u, touch_states(net, c, sim->s->y));
        sim->heat += before - stored_energy(net, c, sim->s->y);
    }
}

/* ---- stepping --------------------------------------------------------------------------- */

static bri_status give_up(const bri_sim *sim, int contact, bri_error *err, const char *why) {
    return bri_fail(err, BRI_NO_PROGRESS, "%s%s%s at t = %.9g s",
                    contact >= 0 ? sim->names[contact] : "", contact >= 0 ? ": " : "", why,
                    sim->s->t);
}

/* Say which unknown stood in the way. */
static bri_status blame(const bri_sim *sim, bri_status status, bri_error *err) {
    const network *net = sim->net;
    int unknown = sim->s->worst - 2 * net->n_free;
    if (status != BRI_NO_PROGRESS || !err) return status;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (unknown < c->first || unknown >= c->first + c->count) continue;
        char text[sizeof err->text];
        memcpy(text, err->text, sizeof text);
        return bri_fail(err, status, "%s: state %s: %.300s", sim->names[i],
                        c->model->states[unknown - c->first].name, text);
    }
    return status;
}

/* Integrals of heat and work from a to b within the last step, by Gauss's three points. */
static void add_powers(bri_sim *sim, double a, double b, double *heat, double *work) {
    static const double place[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    for (int i = 0; i < 3; i++) {
        double t = a + (b - a) * place[i], h, w;
        sim->solver->interpolate(sim->s, t, sim->y);
        network_power(sim->net, t, sim->y, &h, &w);
        *heat += (b - a) * weight[i] * h;
        *work += (b - a) * weight[i] * w;
    }
}

static void before_kink(bri_sim *sim) {
    sim->kink = network_kink(sim->net, sim->s->t);
    sim->net->latest = nextafter(sim->kink, -INFINITY);
}

/* Set-valued contacts that were released at v = 0 and went the other way: they may stick after all.
 * Nonzero if there are any. */
static int turned_back(bri_sim *sim) {
    network *net = sim->net;
    int any = 0;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        int event = sim->first[i] + 1;
        if (!c->model->set_valued || c->mode == BRI_STUCK) continue;
        if (sim->g[event] > 0.0 || sim->g_end[event] >= -1e-12 * net->speed) continue;
        if (sim->g_end[event] > sim->g[event]) continue; /* leaving a band around zero */
        c->mode = BRI_STUCK;
        any = 1;
    }
    return any;
}

/* A direction was frozen at v = 0 and the contact went the other way: turn it, or let it free if
 * that has been tried. Returns nonzero if the step has to be made again. */
static int wrong_way(bri_sim *sim) {
    network *net = sim->net;
    int again = 0;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        int event = sim->first[i];
        if (!c->corner || c->mode == BRI_AUTO || sim->g_end[event] >= 0.0 || sim->g[event] > 0.0)
            continue;
        c->mode = c->mode == sim->modes[i] ? (bri_mode) - (int)c->mode : BRI_AUTO;
        again = 1;
    }
    return again;
}

/* Contacts that were left free because they did not move get their direction as soon as they do. */
static void settle_directions(bri_sim *sim) {
    network *net = sim->net;
    network_place(net, sim->s->t, sim->s->y);
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        double v = net->vel[c->a] - net->vel[c->b];
        if (sim->freezes && c->corner && c->mode == BRI_AUTO && v != 0.0)
            c->mode = v > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
        sim->modes[i] = c->mode;
    }
}

/* The event was located on the dense output; end the step where the function itself is zero. Two
 * corrections with the slope over the step's last part are enough. */
static bri_status sharpen(bri_sim *sim, int event, bri_error *err) {
    stepper *s = sim->s;
    const touch *c = &sim->net->touches[contact_of(sim, event)];
    for (int i = 0; c->model->set_valued && i < 2; i++) {
        double back = s->t - 1e-3 * (s->t - s->t_prev), *room = sim->g_end + sim->n_events;
        event_functions(sim, s->t, s->y, sim->g_end);
        sim->solver->interpolate(s, back, sim->y);
        event_functions(sim, back, sim->y, room);
        double slope = (sim->g_end[event] - room[event]) / (s->t - back);
        double t = s->t - sim->g_end[event] / slope;
        if (!(slope < 0.0) || !(t > s->t_prev) || !(t < sim->t_end) || t == s->t) return BRI_OK;
        bri_status status = sim->solver->cut(s, t, err);
        if (status != BRI_OK) return status;
    }
    return BRI_OK;
}

/* One step of the solver, ended early where something happens. */
static bri_status one_step(bri_sim *sim, bri_error *err) {
    network *net = sim->net;
    stepper *s = sim->s;
    double stop = fmin(sim->kink, sim->t_end), fired = INFINITY;
    int watched = is_watched(sim);
    if (watched) settle_directions(sim);
    event_functions(sim, s->t, s->y, sim->g);
    for (int attempt = 0;; attempt++) {
        bri_status status = sim->solver->step(s, stop, err);
        if (status != BRI_OK) return blame(sim, status, err);
        if (!watched) break;
        event_functions(sim, s->t, s->y, sim->g_end);
        int turned = turned_back(sim);
        if (attempt >= 4 || !(wrong_way(sim) || turned)) break;
        sim->solver->undo(s);
        if (turned) stick_decide(net, s->t, s->y, NULL);
        event_functions(sim, s->t, s->y, sim->g);
    }
    for (int i = 0; watched && i < net->n_touches; i++) sim->modes[i] = net->touches[i].mode;
    int event = watched ? first_event(sim, &fired) : -1;
    if (event >= 0 && fired < s->t) {
        bri_status status = sim->solver->cut(s, fired, err);
        if (status == BRI_OK) status = sharpen(sim, event, err);
        if (status != BRI_OK) return blame(sim, status, err);
    }
    if (net->set_valued) {
        network_place(net, s->t, s->y);
        network_place_idle(net, s->t);
        stick_follow(net, s->y);
    }
    sim->heat_prev = sim->heat;
    sim->work_prev = sim->work;
    if (sim->energies) add_powers(sim, s->t_prev, s->t, &sim->heat, &sim->work);
    if (s->t > s->t_prev) sim->burst = 0;
    int jumped = 0;
    if (event >= 0) {
        event_functions(sim, s->t, s->y, sim->g_end);
        happen(sim, event);
        jumped = 1;
    }
    if (s->t >= sim->kink) {
        before_kink(sim);
        network_kick(net, s->t, s->y);
        freeze(sim, s->t, s->y);
        jumped = 1;
    }
    if (jumped) {
        bri_status status = sim->solver->restart(s, err);
        if (status != BRI_OK) return status;
    }
    if (sim->burst > 10000)
        return give_up(sim, contact_of(sim, event), err, "too many events without progress");
    if (sim->max_steps > 0 && s->steps + s->rejected >= sim->max_steps && s->t < sim->t_end)
        return give_up(sim, -1, err, "the step limit is reached");
    return BRI_OK;
}

/* ---- life cycle ------------------------------------------------------------------------- */

bri_sim_def bri_sim_defaults(void) {
    return (bri_sim_def){.t_end = 1.0, .rtol = 1e-6, .energies = 1, .system = {.gravity = 9.81}};
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
    return BRI_OK;
}

/* Room for the simulation's own arrays. */
static void take_memory(bri_sim *sim, const bri_system *system) {
    network *net = sim->net;
    arena *memory = &sim->memory;
    int corners = 0;
    sim->first = ARENA_NEW(memory, int, net->n_touches);
    sim->modes = ARENA_NEW(memory, bri_mode, net->n_touches);
    sim->must_slide = ARENA_NEW(memory, char, net->n_touches);
    sim->motions = ARENA_NEW(memory, int, net->n_touches);
    sim->names = ARENA_NEW(memory, const char *, net->n_touches);
    size_t letters = 0;
    for (int i = 0; i < net->n_touches; i++)
        letters += 1 + strlen(system->contacts[i].name ? system->contacts[i].name : "contact");
    char *text = ARENA_NEW(memory, char, letters);
    for (int i = 0; !memory->failed && i < net->n_touches; i++) {
        const char *name = system->contacts[i].name;
        sim->names[i] = text;
        if (text) strcpy(text, name ? name : "contact");
        if (text) text += strlen(text) + 1;
        sim->first[i] = sim->n_events;
        sim->n_events += 1 + net->touches[i].model->n_roots;
        if (net->touches[i].model->n_roots > 0) sim->law_events = 1;
        corners += net->touches[i].corner;
    }
    sim->freezes = corners > 0 && corners <= MOST_FROZEN;
    sim->contact = ARENA_NEW(memory, int, sim->n_events);
    for (int i = 0; !memory->failed && i < net->n_touches; i++)
        for (int k = 0; k <= net->touches[i].model->n_roots; k++)
            sim->contact[sim->first[i] + k] = i;
    sim->g = ARENA_NEW(memory, double, sim->n_events);
    sim->g_end = ARENA_NEW(memory, double, 2 * sim->n_events);
    sim->y = ARENA_NEW(memory, double, net->n);
    sim->dy = ARENA_NEW(memory, double, net->n);
}

bri_status bri_sim_create(const bri_sim_def *def, bri_sim **out, bri_error *err) {
    *out = NULL;
    bri_status status = check_def(def, err);
    if (status != BRI_OK) return status;
    bri_sim *sim = calloc(1, sizeof *sim);
    if (!sim) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    sim->solver = def->solver ? def->solver : &bri_rosenbrock;
    sim->t = def->t_start;
    sim->t_end = def->t_end;
    sim->max_steps = def->max_steps;
    sim->energies = def->energies;
    if ((status = network_create(&def->system, def->t_start, def->t_end, &sim->net, err)) != BRI_OK)
        goto failed;
    network *net = sim->net;
    take_memory(sim, &def->system);
    if (sim->memory.failed) {
        status = bri_fail(err, BRI_NO_MEMORY, "not enough memory for the simulation");
        goto failed;
    }
    network_start(net, &def->system, def->t_start, sim->y);
    sim->kink = network_kink(net, def->t_start);
    net->latest = nextafter(sim->kink, -INFINITY);
    ode problem = {.self = net,
                   .n = net->n,
                   .nominal = net->nominal,
                   .autonomous = net->autonomous,
                   .rhs = ode_rhs,
                   .sizes = ode_sizes,
                   .linearise = ode_linearise,
                   .factor = ode_factor,
                   .solve = ode_solve,
                   .jacobian = ode_jacobian};
    if (network_is_single(net)) {
        problem.rhs = ode_single_rhs;
        problem.linearise = ode_single_linearise;
        problem.factor = ode_single_factor;
        problem.solve = ode_single_solve;
    }
    const solver_options options = {.rtol = def->rtol,
                                    .atol = def->atol > 0.0 ? def->atol : def->rtol,
                                    .step = def->step,
                                    .max_step = def->max_step,
                                    .span = def->t_end - def->t_start};
    freeze(sim, def->t_start, sim->y);
    if ((status = sim->solver->create(sim->solver, &problem, &options, def->t_start, sim->y,
                                      &sim->s, err)) != BRI_OK)
        goto failed;
    for (int i = 0; i < net->n_touches; i++) sim->modes[i] = net->touches[i].mode;
    bri_energies e;
    network_energy(net, sim->t, sim->y, &e);
    sim->start_energy = e.kinetic + e.potential + e.stored;
    *out = sim;
    return BRI_OK;
failed:
    bri_sim_free(sim);
    return status;
}

void bri_sim_free(bri_sim *sim) {
    if (!sim) return;
    if (sim->s) sim->solver->free(sim->s);
    network_free(sim->net);
    arena_free(&sim->memory);
    free(sim);
}

bri_status bri_sim_advance(bri_sim *sim, double t, bri_error *err) {
    stepper *s = sim->s;
    bri_status status = BRI_OK;
    if (!(t >= sim->t) || t > sim->t_end)
        return bri_fail(err, BRI_BAD_VALUE,
                        "t = %g s lies outside the rest of the run, %g ... %g s", t, sim->t,
                        sim->t_end);
    sim->shown = 0;
    while (status == BRI_OK && s->t < t) status = one_step(sim, err);
    sim->t = status == BRI_OK ? t : s->t;
    sim->solver->interpolate(s, sim->t, sim->y);
    return status;
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Exchange the present directions and those of the last step, if the present time lies in it. */
static void exchange_modes(bri_sim *sim) {
    int changed = 0, within = is_watched(sim) && sim->t < sim->s->t;
    for (int i = 0; within && i < sim->net->n_touches; i++) {
        bri_mode now = sim->net->touches[i].mode;
        changed |= now != sim->modes[i];
        sim->net->touches[i].mode = sim->modes[i];
        sim->modes[i] = now;
    }
    if (changed && sim->net->set_valued) stick_group(sim->net);
}

/* How a contact moves: a set-valued one by its mode, others as their law sees it. */
static int motion_of(const bri_sim *sim, int i) {
    const network *net = sim->net;
    const touch *c = &net->touches[i];
    bri_input u = touch_input(net, c);
    if (c->model->set_valued) return c->mode == BRI_STUCK ? 0 : (int)c->mode;
    u.mode = BRI_AUTO;
    return bri_model_motion(c->model, c->p, &u, sim->y + 2 * net->n_free + c->first);
}

/* Evaluate the network at the present time. */
static void show(bri_sim *sim) {
    if (sim->shown) return;
    exchange_modes(sim);
    network_show(sim->net, sim->t, sim->y, sim->dy);
    stick_forces(sim->net);
    for (int i = 0; i < sim->net->n_touches; i++) sim->motions[i] = motion_of(sim, i);
    exchange_modes(sim);
    sim->shown = 1;
}

double bri_sim_time(const bri_sim *sim) { return sim->t; }

bri_stats bri_sim_stats(const bri_sim *sim) {
    const stepper *s = sim->s;
    return (bri_stats){.steps = s->steps,
                       .rejected = s->rejected,
                       .evals = s->evals,
                       .jacobians = s->jacobians,
                       .factorisations = s->factorisations,
                       .events = sim->events,
                       .t = s->t};
}

bri_body_now bri_sim_body(bri_sim *sim, int i) {
    show(sim);
    const network *net = sim->net;
    int x = net->body_x[i], z = net->body_z[i];
    return (bri_body_now){net->pos[x], net->vel[x], net->pos[z], net->vel[z]};
}

bri_contact_now bri_sim_contact(bri_sim *sim, int i) {
    show(sim);
    const network *net = sim->net;
    const touch *c = &net->touches[i];
    bri_input u = touch_input(net, c);
    const double *z = sim->y + 2 * net->n_free + c->first;
    return (bri_contact_now){.x = u.x,
                             .v = u.v,
                             .F = c->F,
                             .N = fmax(c->N, 0.0),
                             .motion = sim->motions[i],
                             .z = z,
                             .n_states = c->count};
}

double bri_sim_coupling_force(bri_sim *sim, int i) {
    show(sim);
    return network_link_force(sim->net, i);
}

bri_energies bri_sim_energies(bri_sim *sim) {
    bri_energies e = {.dissipated = sim->heat, .work = sim->work};
    exchange_modes(sim);
    if (sim->energies && sim->t < sim->s->t) {
        e.dissipated = sim->heat_prev;
        e.work = sim->work_prev;
        add_powers(sim, sim->s->t_prev, sim->t, &e.dissipated, &e.work);
        sim->solver->interpolate(sim->s, sim->t, sim->y); /* add_powers used the room */
    }
    network_energy(sim->net, sim->t, sim->y, &e);
    exchange_modes(sim);
    sim->shown = 0;
    e.residual = e.kinetic + e.potential + e.stored + e.dissipated - e.work - sim->start_energy;
    return e;
}

const char *bri_sim_linear_solver(const bri_sim *sim) { return matrix_name(&sim->net->matrix); }
