/* sim.c - where network and solver meet: kinks, frozen directions, events, energies, reading. */
#include "fail.h"
#include "solvers/solver.h"
#include "system/network.h"
#include "system/stepping.h"
#include "system/stick.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How a contact moves during a step. */
typedef struct modes {
    bri_mode mode;
    int limit, edge, left, lifted;
} modes;

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
    modes *modes;       /* of the contacts during the last step */
    double *offset;     /* of coordinates from the leaders of their groups, during the last step */
    char *at_limit;     /* contacts whose static level has been reached */
    double *sampled;    /* event functions within a step, and what it is judged by */
    double stride;      /* largest step that the forces of stuck contacts allow */
    double window;      /* since when the events of each contact are counted */
    int *counts;        /* the events of each contact since then */
    int restless;       /* a contact with too many, or -1 */
    double span;        /* of the run */
    int freezes;        /* nonzero: directions are frozen, and steps end where they turn */
    int *contact;       /* of each event function */
    const char **names; /* of the contacts */
    double heat, work, heat_prev, work_prev; /* integrals at the ends of the last step */
    double start_energy;
    long events, max_steps;
    long burst; /* events since time last moved on */
    int energies;
    double *y_end;        /* state at the end of the last step before something happened there */
    int jumped;           /* nonzero: something did */
    int continues;        /* nonzero: g_end belongs to the start of the next step */
    int *motions;         /* -1, 0, +1 of each contact at (t, y) */
    int shown;            /* nonzero: the network has been evaluated at (t, y) */
    double *force_before; /* of each contact, before an event */
    int *was;             /* -1, 0, +1 of each contact, as last reported by an event */
    bri_event *log;
    int log_count, log_room;
    long log_dropped;
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

static void ode_single_sizes(void *self, const double *y, double *size) {
    single_sizes(self, y, size);
}

static void ode_single_rhs(void *self, double t, const double *y, double *dy) {
    single_rhs(self, t, y, dy);
}

static void ode_single_linearise(void *self, double t, const double *y, double *dy, double *ft) {
    single_linearise(self, t, y, dy, ft);
}

static int ode_single_factor(void *self, double w) { return single_factor(self, w); }

static void ode_single_solve(void *self, double *b) { single_solve(self, b); }

static void ode_single_stages(void *self, const struct rodas *m, double t, double h,
                              const double *y, const double *f, const double *ft, double *Y,
                              double *U) {
    single_stages(self, m, t, h, y, f, ft, Y, U);
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

/* ---- directions and event functions ----------------------------------------------------- */

static double acceleration(const network *net, const double *dy, int at) {
    return at < net->n_free ? dy[net->n_free + at] : net->acc[at];
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
        if (c->model->set_valued && !c->unmoved) { /* to be decided if it does not move */
            c->mode = stick_is_still(net, c) ? BRI_STUCK : v > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
            c->limit = c->edge = 0;
            c->left = c->mode != BRI_STUCK;
            c->lifted = !(c->N > 0.0);
        }
        if (!c->corner || !sim->freezes) continue;
        if (v == 0.0) v = acceleration(net, sim->dy, c->a) - acceleration(net, sim->dy, c->b);
        c->mode = v > 0.0 ? BRI_SLIDE_POS : v < 0.0 ? BRI_SLIDE_NEG : BRI_AUTO;
    }
    stick_loss loss = {0};
    if (net->set_valued) stick_decide(net, t, y, NULL, &loss);
    sim->heat += loss.heat;
    sim->work += loss.work;
}

/* A solver that leaps imposes the forces of set-valued contacts, and freezes no direction. */
static void hold_all(network *net) {
    for (int i = 0; i < net->n_touches; i++)
        net->touches[i].mode = stepping_holds(net->stepping, i) ? BRI_STUCK : BRI_AUTO;
}

/* Event functions, positive until the event: of a set-valued contact those of stick.c; of others
 * for a frozen direction the speed in it, then those of the law. */
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
        if (c->model->set_valued) {
            stick_events(net, c, to);
            continue;
        }
        to[0] = c->corner && c->mode != BRI_AUTO ? (double)c->mode * u.v : 1.0;
        if (c->model->n_roots > 0)
            c->model->roots(c->model, c->p, &u, y + 2 * net->n_free + c->first, to + 1);
    }
}

/* ---- what is reported ------------------------------------------------------------------- */

enum { MOST_EVENTS = 2000 }; /* of one contact within a millionth of the run */

/* Count the events of a contact, whether they change its mode or not. */
static void count_event(bri_sim *sim, int contact) {
    if (sim->s->t > sim->window + 1e-6 * sim->span) {
        sim->window = sim->s->t;
        memset(sim->counts, 0, sizeof *sim->counts * (size_t)sim->net->n_touches);
    }
    if (++sim->counts[contact] > MOST_EVENTS) sim->restless = contact;
}

static void report(bri_sim *sim, int contact, int from, int to) {
    sim->events++;
    if (sim->log_count >= sim->log_room) {
        sim->log_dropped++;
        return;
    }
    sim->log[sim->log_count++] = (bri_event){.t = sim->s->t,
                                             .contact = contact,
                                             .from = from,
                                             .to = to,
                                             .F = sim->force_before[contact]};
}

static int direction_of(const touch *c) { return c->mode == BRI_STUCK ? 0 : (int)c->mode; }

/* The forces of all contacts before something happens to them. */
static void keep_forces(bri_sim *sim) {
    for (int i = 0; i < sim->net->n_touches; i++) sim->force_before[i] = sim->net->touches[i].F;
}

/* Report every contact whose mode is not what it was. A contact that is not set-valued may lose its
 * direction where it stands still, and find it again: that is no event. */
static void report_changes(bri_sim *sim) {
    network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        int to = direction_of(c);
        if (to == sim->was[i] || (!c->model->set_valued && to == 0)) continue;
        if (c->model->set_valued || sim->was[i] != 0) report(sim, i, sim->was[i], to);
        sim->was[i] = to;
    }
}

static int contact_of(const bri_sim *sim, int event) { return sim->contact[event]; }

static int is_direction(const bri_sim *sim, int event) {
    return sim->first[contact_of(sim, event)] == event;
}

static void swap_ends(bri_sim *sim) {
    for (int k = 0; k < sim->net->n; k++) {
        double y = sim->s->y[k];
        sim->s->y[k] = sim->y_end[k];
        sim->y_end[k] = y;
    }
}

/* State at a time within the last step, as it was before what happened at its end. */
static void interpolate(bri_sim *sim, double t, double *y) {
    int before = sim->jumped && t < sim->s->t;
    if (before) swap_ends(sim);
    sim->solver->interpolate(sim->s, t, y);
    if (before) swap_ends(sim);
}

/* State at a time within the last step, with bodies that stick exactly where they belong. */
static void state_at(bri_sim *sim, double t, double *y) {
    interpolate(sim, t, y);
    if (!sim->net->set_valued) return;
    network_place(sim->net, t, y);
    network_place_idle(sim->net, t);
    stick_follow(sim->net, y);
}

/* The time between a and b within the last step at which an event function reaches zero, with the
 * values ga > 0 >= gb there: regula falsi with the Illinois rule on the dense output. Directions
 * turn where |v| is small, so that an error of the time matters only by its square. */
static double locate(bri_sim *sim, int event, double a, double b, double ga, double gb) {
    double *room = sim->g_end + sim->n_events, share = sim->net->set_valued ? 0.0 : 1e-10;
    double close = fmax(4e-16 * fmax(fabs(b), 1e-300), share * (b - a));
    int before = 0; /* the end that moved last: -1 or +1 */
    for (int i = 0; i < 60 && b - a > close; i++) {
        double t = a + (b - a) * (ga / (ga - gb));
        t = fmin(fmax(t, a + 0.5 * close), b - 0.5 * close); /* so that the other end follows */
        if (!(t > a && t < b) || i % 8 == 7) t = 0.5 * (a + b);
        state_at(sim, t, sim->y);
        event_functions(sim, t, sim->y, room);
        double g = room[event];
        if (g > 0.0) {
            a = t;
            ga = g;
            if (before < 0) gb *= 0.5;
            before = -1;
        } else {
            b = t;
            gb = g;
            if (before > 0) ga *= 0.5;
            before = 1;
        }
        if (g == 0.0) break;
    }
    return b;
}

/* The first event of the last step, or -1, and its time. Only the one that seems to come first is
 * located; then those that have happened by then are looked at, until none comes before. */
static int first_crossing(bri_sim *sim, double *when) {
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
        double t = locate(sim, next, sim->s->t_prev, sim->s->t, sim->g[next], sim->g_end[next]);
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

/* What follows an event: a contact sticks or slides, the direction turns, or the law jumps. */
static void happen(bri_sim *sim, int event) {
    network *net = sim->net;
    stepper *s = sim->s;
    int i = contact_of(sim, event);
    touch *c = &net->touches[i];
    network_rhs(net, s->t, s->y, sim->dy);
    stick_forces(net);
    keep_forces(sim);
    count_event(sim, i);
    sim->burst++;
    if (c->model->set_valued) {
        stick_loss loss = {0};
        stick_happen(net, s->t, s->y, i, event - sim->first[i], sim->at_limit, &loss);
        sim->heat += loss.heat;
        sim->work += loss.work;
    } else if (is_direction(sim, event)) {
        c->mode = c->mode == BRI_SLIDE_POS ? BRI_SLIDE_NEG : BRI_SLIDE_POS;
    } else if (c->model->jump) {
        bri_input u = touch_input(net, c);
        double before = stored_energy(net, c, s->y);
        c->model->jump(c->model, c->p, &u, touch_states(net, c, s->y));
        sim->heat += before - stored_energy(net, c, s->y);
        report(sim, i, sim->was[i], sim->was[i]);
    }
    report_changes(sim);
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
        state_at(sim, t, sim->y);
        network_power(sim->net, t, sim->y, &h, &w);
        *heat += (b - a) * weight[i] * h;
        *work += (b - a) * weight[i] * w;
    }
}

static void before_kink(bri_sim *sim) {
    sim->kink = network_kink(sim->net, sim->s->t);
    sim->net->latest = nextafter(sim->kink, -INFINITY);
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
        c->mode = c->mode == sim->modes[i].mode ? (bri_mode) - (int)c->mode : BRI_AUTO;
        again = 1;
    }
    return again;
}

static modes mode_of(const touch *c) {
    return (modes){c->mode, c->limit, c->edge, c->left, c->lifted};
}

/* Contacts that were left free because they did not move get their direction as soon as they do.
 * Nonzero if one does. */
static int settle_directions(bri_sim *sim) {
    network *net = sim->net;
    int settled = 0, placed = 0;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        if (sim->freezes && c->corner && c->mode == BRI_AUTO) {
            if (!placed++) network_place(net, sim->s->t, sim->s->y);
            double v = net->vel[c->a] - net->vel[c->b];
            c->mode = v > 0.0 ? BRI_SLIDE_POS : v < 0.0 ? BRI_SLIDE_NEG : BRI_AUTO;
            settled |= c->mode != BRI_AUTO;
        }
        sim->modes[i] = mode_of(c);
    }
    if (net->set_valued) {
        network_place(net, sim->s->t, sim->s->y);
        stick_note(net);
    }
    return settled;
}

/* Event functions at the start of a step: those at the end of the last, if nothing happened. */
static void start_functions(bri_sim *sim) {
    int settled = is_watched(sim) && settle_directions(sim);
    if (sim->continues && !settled)
        memcpy(sim->g, sim->g_end, sizeof *sim->g * (size_t)sim->n_events);
    else
        event_functions(sim, sim->s->t, sim->s->y, sim->g);
}

/* Where a step is looked at, as shares of it: irregular, so that no oscillation passes unseen. */
enum { POINTS = 5 };
static const double places[POINTS + 2] = {0.0, 0.13, 0.3, 0.47, 0.7, 0.89, 1.0};

static double time_of(const stepper *s, int point) {
    return point == POINTS + 1 ? s->t : s->t_prev + places[point] * (s->t - s->t_prev);
}

/* Event functions at the places of the last step, and whether the forces of contacts that stick are
 * smooth enough over it to trust them in between: they depend on time in a way that the error of
 * the solver does not see. A cubic through four places has to meet the others. */
static int sample(bri_sim *sim, int *torn) {
    network *net = sim->net;
    int n = sim->n_events, width = STICK_SMOOTH * net->n_touches;
    double *smooth = sim->sampled + (POINTS + 2) * n, *size = smooth + (POINTS + 2) * width;
    *torn = -1;
    memcpy(sim->sampled, sim->g, sizeof *sim->g * (size_t)n);
    for (int k = 0; k < width; k++) size[k] = 0.0;
    for (int p = 0; p < POINTS + 2; p++) {
        double t = time_of(sim->s, p);
        state_at(sim, t, sim->y);
        event_functions(sim, t, sim->y, sim->sampled + p * n);
        network_place_idle(net, t);
        if (p > 0 && *torn < 0 && stick_torn(net)) *torn = p;
        for (int i = 0; i < net->n_touches; i++) {
            const touch *c = &net->touches[i];
            double now[STICK_SMOOTH] = {0};
            if (c->model->set_valued)
                stick_smooth(net, c, smooth + p * width + STICK_SMOOTH * i, now);
            for (int k = 0; k < STICK_SMOOTH; k++)
                size[STICK_SMOOTH * i + k] = fmax(size[STICK_SMOOTH * i + k], now[k]);
        }
    }
    memcpy(sim->sampled, sim->g, sizeof *sim->g * (size_t)n);
    static const int node[4] = {0, 2, 4, 6}, test[3] = {1, 3, 5};
    for (int k = 0; k < width; k++)
        for (int j = 0; size[k] > 0.0 && j < 3; j++) {
            double x = places[test[j]], sum = 0.0;
            for (int a = 0; a < 4; a++) {
                double weight = 1.0;
                for (int b = 0; b < 4; b++)
                    if (b != a)
                        weight *= (x - places[node[b]]) / (places[node[a]] - places[node[b]]);
                sum += weight * smooth[node[a] * width + k];
            }
            if (!(fabs(sum - smooth[test[j] * width + k]) <= 0.02 * size[k])) return 0;
        }
    for (int k = STICK_BAND; k < width; k += STICK_SMOOTH) /* no band is passed unseen */
        for (int p = 0; size[k] > 0.0 && p <= POINTS; p++)
            if (fabs(smooth[(p + 1) * width + k] - smooth[p * width + k]) > size[k]) return 0;
    return 1;
}

/* An event function that is not positive at the start of the step and falls below zero within it:
 * the event belongs to the start. -1 if there is none. */
static int late_event(const bri_sim *sim) {
    const network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++)
        for (int e = 0; net->touches[i].model->set_valued && e < STICK_EVENTS; e++) {
            int k = sim->first[i] + e;
            double slack = stick_slack(net, &net->touches[i], e);
            if (sim->g[k] > 0.0) continue;
            for (int p = 1; p < POINTS + 2; p++) {
                double g = sim->sampled[p * sim->n_events + k];
                if (g > 0.0) break;
                if (g < sim->g[k] - slack && g < -slack) return k;
            }
        }
    return -1;
}

/* Nonzero if an event function that seems late is positive shortly after the start of the step: the
 * step is too long to see it. */
static int brief(bri_sim *sim, int event) {
    stepper *s = sim->s;
    double *room = sim->g_end + sim->n_events, share = 1e-2;
    for (int i = 0; i < 3; i++, share *= 1e-2) {
        double t = s->t_prev + share * (s->t - s->t_prev);
        if (!(t > s->t_prev)) return 0;
        state_at(sim, t, sim->y);
        event_functions(sim, t, sim->y, room);
        if (room[event] > 0.0) return 1;
    }
    return 0;
}

/* Where the parabola through three points has its minimum; the middle one if it has none. */
static double vertex(const double t[3], const double g[3]) {
    double left = (g[1] - g[0]) / (t[1] - t[0]), right = (g[2] - g[1]) / (t[2] - t[1]);
    double bend = (right - left) / (t[2] - t[0]);
    if (!(bend > 0.0)) return t[1];
    return 0.5 * (t[0] + t[1]) - 0.5 * left / bend;
}

/* An event function that is positive at three places, but may dip below zero between them: the time
 * at which it does so, INFINITY if it does not; its value there in *low. */
static double dip(bri_sim *sim, int event, const double at[3], const double g[3], double *low) {
    double t[3], v[3], *room = sim->g_end + sim->n_events;
    memcpy(t, at, sizeof t);
    memcpy(v, g, sizeof v);
    *low = INFINITY;
    for (int i = 0; i < 8; i++) {
        double x = vertex(t, v);
        if (!(x > t[0] && x < t[2]) || x == t[1]) break;
        double a = (v[2] - v[1]) / (t[2] - t[1]), b = (v[1] - v[0]) / (t[1] - t[0]);
        double lowest = v[1] + (x - t[1]) * (b + (a - b) / (t[2] - t[0]) * (x - t[0]));
        if (lowest > 0.3 * fmin(v[0], fmin(v[1], v[2]))) break;
        state_at(sim, x, sim->y);
        event_functions(sim, x, sim->y, room);
        *low = room[event];
        if (*low <= 0.0) return x;
        int side = x < t[1];
        if (*low <= v[1]) { /* a new middle */
            if (side)
                t[2] = t[1], v[2] = v[1];
            else
                t[0] = t[1], v[0] = v[1];
            t[1] = x, v[1] = *low;
        } else if (side) {
            t[0] = x, v[0] = *low;
        } else {
            t[2] = x, v[2] = *low;
        }
    }
    return INFINITY;
}

/* The first event of the step: its number or -1, and its time. */
static int first_event(bri_sim *sim, double *when) {
    int first = -1, n = sim->n_events;
    *when = INFINITY;
    if (!sim->net->set_valued) return first_crossing(sim, when);
    for (int k = 0; k < n; k++) {
        for (int p = 0; p <= POINTS; p++) {
            double a = sim->sampled[p * n + k], b = sim->sampled[(p + 1) * n + k];
            double from = time_of(sim->s, p), to = time_of(sim->s, p + 1);
            if (from >= *when) break;
            if (!(a > 0.0)) continue;
            int q = p < POINTS ? p : p - 1; /* three places around */
            const double at[3] = {time_of(sim->s, q), time_of(sim->s, q + 1),
                                  time_of(sim->s, q + 2)};
            const double g[3] = {sim->sampled[q * n + k], sim->sampled[(q + 1) * n + k],
                                 sim->sampled[(q + 2) * n + k]};
            if (b > 0.0 && g[0] > 0.0 && g[2] > 0.0) {
                double low, x = dip(sim, k, at, g, &low);
                if (!(x < *when)) continue;
                if (x < from) from = at[0], a = g[0];
                to = x, b = low;
            }
            if (b > 0.0) continue;
            double t = locate(sim, k, from, to, a, b);
            if (t < *when) *when = t, first = k;
            break;
        }
    }
    return first;
}

/* The event was located on the dense output; end the step where the function itself is zero, by
 * corrections with the slope over the step's last part. */
static bri_status sharpen(bri_sim *sim, int event, bri_error *err) {
    stepper *s = sim->s;
    const touch *c = &sim->net->touches[contact_of(sim, event)];
    for (int i = 0; c->model->set_valued && i < 5; i++) {
        double back = s->t - 1e-3 * (s->t - s->t_prev), *room = sim->g_end + sim->n_events;
        event_functions(sim, s->t, s->y, sim->g_end);
        state_at(sim, back, sim->y);
        event_functions(sim, back, sim->y, room);
        double slope = (sim->g_end[event] - room[event]) / (s->t - back);
        double t = s->t - sim->g_end[event] / slope;
        if (!(slope < 0.0) || !(t > s->t_prev) || !(t < fmin(sim->kink, sim->t_end))) return BRI_OK;
        if (fabs(t - s->t) <= 4e-16 * fabs(t)) return BRI_OK;
        bri_status status = sim->solver->cut(s, t, err);
        if (status != BRI_OK) return status;
    }
    return BRI_OK;
}

/* A step that ends before `stop`, made again until every contact has the mode that it shows. */
static bri_status make_step(bri_sim *sim, double stop, bri_error *err) {
    network *net = sim->net;
    stepper *s = sim->s;
    int most = 8 + 4 * net->n_touches;
    for (int attempt = 0;;) {
        double end = net->set_valued ? fmin(stop, s->t + sim->stride) : stop;
        if (!(end > s->t)) end = nextafter(s->t, INFINITY);
        bri_status status = sim->solver->step(s, end, err);
        if (status != BRI_OK) return blame(sim, status, err);
        event_functions(sim, s->t, s->y, sim->g_end);
        int late = -1, torn = -1;
        double taken = s->t - s->t_prev, later = 0.0;
        if (net->set_valued) {
            if (!sample(sim, &torn) && taken > 1e-15 * sim->span) {
                sim->solver->undo(s);
                sim->stride = 0.35 * taken;
                continue;
            }
            late = late_event(sim);
            if (late >= 0 && brief(sim, late)) {
                sim->solver->undo(s);
                sim->stride = 0.05 * taken;
                continue;
            }
            later = torn > 0 ? time_of(s, torn) : 0.0;
        }
        if (sim->stride <= taken * 1.01) sim->stride = 2.0 * taken;
        int wrong = attempt < 4 && wrong_way(sim);
        if (late < 0 && torn < 0 && !wrong) return BRI_OK;
        if (++attempt > most && late < 0) return BRI_OK;
        if (attempt > most) {
            sim->solver->undo(s);
            return give_up(sim, contact_of(sim, late), err,
                           "cannot be decided whether it sticks or slides");
        }
        sim->solver->undo(s);
        if (late >= 0) {
            network_place(net, s->t, s->y);
            happen(sim, late);
        } else if (torn > 0) {
            stick_loss loss = {0};
            keep_forces(sim);
            stick_tear(net, s->t, later, s->y, &loss);
            report_changes(sim);
        }
        for (int i = 0; i < net->n_touches; i++) sim->modes[i] = mode_of(&net->touches[i]);
        network_place(net, s->t, s->y);
        event_functions(sim, s->t, s->y, sim->g);
    }
}

/* One step of the solver, ended early where something happens. */
static bri_status one_step(bri_sim *sim, bri_error *err) {
    network *net = sim->net;
    stepper *s = sim->s;
    double when;
    int watched = is_watched(sim);
    sim->jumped = 0;
    start_functions(sim);
    sim->continues = 0;
    bri_status status = make_step(sim, fmin(sim->kink, sim->t_end), err);
    if (status != BRI_OK) return status;
    for (int i = 0; watched && i < net->n_touches; i++) sim->modes[i] = mode_of(&net->touches[i]);
    int event = watched ? first_event(sim, &when) : -1;
    if (event >= 0 && when < s->t) {
        status = sim->solver->cut(s, when, err);
        if (status == BRI_OK) status = sharpen(sim, event, err);
        if (status != BRI_OK) return blame(sim, status, err);
    }
    if (net->set_valued) {
        network_place(net, s->t, s->y);
        network_place_idle(net, s->t);
        stick_follow(net, s->y);
        memcpy(sim->offset, net->offset, sizeof *sim->offset * (size_t)net->n_free);
    }
    sim->heat_prev = sim->heat;
    sim->work_prev = sim->work;
    if (sim->energies) add_powers(sim, s->t_prev, s->t, &sim->heat, &sim->work);
    if (s->t > s->t_prev) sim->burst = 0;
    sim->jumped = event >= 0 || s->t >= sim->kink;
    if (sim->jumped) memcpy(sim->y_end, s->y, sizeof *s->y * (size_t)net->n);
    if (event >= 0) happen(sim, event);
    if (s->t >= sim->kink) {
        event_functions(sim, s->t, s->y, sim->g_end);
        keep_forces(sim);
        before_kink(sim);
        network_kick(net, s->t, s->y);
        freeze(sim, s->t, s->y);
        report_changes(sim);
    }
    sim->continues = !sim->jumped && !net->set_valued;
    if (sim->jumped && (status = sim->solver->restart(s, err)) != BRI_OK) return status;
    if (sim->restless >= 0)
        return give_up(sim, sim->restless, err,
                       "stick and slip are decided more than 2000 times in a millionth of the run");
    if (sim->burst > 10000)
        return give_up(sim, contact_of(sim, event), err, "too many events without progress");
    if (sim->max_steps > 0 && s->steps + s->rejected >= sim->max_steps && s->t < sim->t_end)
        return give_up(sim, -1, err, "the step limit is reached");
    return BRI_OK;
}

/* One step of a solver that leaps: nothing happens between its ends. */
static bri_status one_leap(bri_sim *sim, bri_error *err) {
    stepper *s = sim->s;
    bri_status status = sim->solver->step(s, fmin(sim->kink, sim->t_end), err);
    if (status != BRI_OK) return status;
    sim->heat_prev = sim->heat;
    sim->work_prev = sim->work;
    if (sim->energies) {
        double heat, work;
        stepping_energy(sim->net->stepping, &heat, &work);
        sim->heat += heat;
        sim->work += work;
    }
    if (s->t >= sim->kink) before_kink(sim);
    if (sim->max_steps > 0 && s->steps >= sim->max_steps && s->t < sim->t_end)
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
    sim->modes = ARENA_NEW(memory, modes, net->n_touches);
    sim->at_limit = ARENA_NEW(memory, char, net->n_touches);
    sim->counts = ARENA_NEW(memory, int, net->n_touches);
    sim->was = ARENA_NEW(memory, int, net->n_touches);
    sim->force_before = ARENA_NEW(memory, double, net->n_touches);
    sim->log = ARENA_NEW(memory, bri_event, sim->log_room);
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
        sim->n_events += net->touches[i].model->set_valued ? (int)STICK_EVENTS
                                                           : 1 + net->touches[i].model->n_roots;
        if (net->touches[i].model->n_roots > 0) sim->law_events = 1;
        corners += net->touches[i].corner;
    }
    sim->freezes = corners > 0 && corners <= MOST_FROZEN;
    sim->contact = ARENA_NEW(memory, int, sim->n_events);
    for (int i = 0; !memory->failed && i < net->n_touches; i++) {
        int end = i + 1 < net->n_touches ? sim->first[i + 1] : sim->n_events;
        for (int k = sim->first[i]; k < end; k++) sim->contact[k] = i;
    }
    sim->g = ARENA_NEW(memory, double, sim->n_events);
    sim->g_end = ARENA_NEW(memory, double, 2 * sim->n_events);
    if (net->set_valued) {
        int points = POINTS + 2, smooth = STICK_SMOOTH * net->n_touches;
        sim->sampled = ARENA_NEW(memory, double, points *(sim->n_events + smooth) + smooth);
        sim->offset = ARENA_NEW(memory, double, net->n_free);
    }
    sim->y = ARENA_NEW(memory, double, net->n);
    sim->y_end = ARENA_NEW(memory, double, net->n);
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
    sim->span = def->t_end - def->t_start;
    sim->window = def->t_start;
    sim->stride = INFINITY;
    sim->restless = -1;
    sim->log_room = def->event_room > 0 ? def->event_room : def->event_room < 0 ? 0 : 1024;
    if ((status = network_create(&def->system, def->t_start, def->t_end, &sim->net, err)) != BRI_OK)
        goto failed;
    network *net = sim->net;
    if (sim->solver->leaps) {
        net->stepping = stepping_create(net);
        if (!net->stepping) sim->memory.failed = 1;
    } else if ((status = network_allow_stick(net, err)) != BRI_OK) {
        goto failed;
    }
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
                   .jacobian = ode_jacobian,
                   .begin = ode_begin,
                   .leap = ode_leap,
                   .within = ode_within};
    if (network_is_single(net)) {
        problem.sizes = ode_single_sizes;
        problem.rhs = ode_single_rhs;
        problem.linearise = ode_single_linearise;
        problem.factor = ode_single_factor;
        problem.solve = ode_single_solve;
        if (net->n == 3) problem.stages = ode_single_stages;
    }
    const solver_options options = {.rtol = def->rtol,
                                    .atol = def->atol > 0.0 ? def->atol : def->rtol,
                                    .step = def->step,
                                    .max_step = def->max_step,
                                    .span = def->t_end - def->t_start};
    if (sim->solver->leaps)
        hold_all(net);
    else
        freeze(sim, def->t_start, sim->y);
    if ((status = sim->solver->create(sim->solver, &problem, &options, def->t_start, sim->y,
                                      &sim->s, err)) != BRI_OK)
        goto failed;
    for (int i = 0; i < net->n_touches; i++) {
        sim->modes[i] = mode_of(&net->touches[i]);
        sim->was[i] = direction_of(&net->touches[i]);
    }
    sim->heat = sim->work = 0.0; /* the account begins with what the start has become */
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
    while (status == BRI_OK && s->t < t)
        status = sim->solver->leaps ? one_leap(sim, err) : one_step(sim, err);
    sim->t = status == BRI_OK ? t : s->t;
    interpolate(sim, sim->t, sim->y);
    return status;
}

/* Events up to the present time: the solver may have made a step beyond it. */
static int events_until_now(const bri_sim *sim) {
    int count = sim->log_count;
    while (count > 0 && sim->log[count - 1].t > sim->t) count--;
    return count;
}

const bri_event *bri_sim_events(const bri_sim *sim, int *count, long *dropped) {
    *count = events_until_now(sim);
    if (dropped) *dropped = sim->log_dropped;
    return sim->log;
}

void bri_sim_forget_events(bri_sim *sim) {
    int count = events_until_now(sim);
    sim->log_count -= count;
    memmove(sim->log, sim->log + count, sizeof *sim->log * (size_t)sim->log_count);
    sim->log_dropped = 0;
}

/* ---- reading ---------------------------------------------------------------------------- */

static int same_modes(const modes *a, const modes *b) {
    return a->mode == b->mode && a->limit == b->limit && a->edge == b->edge && a->left == b->left &&
           a->lifted == b->lifted;
}

/* Exchange the present modes and those of the last step, if the present time lies in it. */
static void exchange_modes(bri_sim *sim) {
    network *net = sim->net;
    int changed = 0;
    if (!is_watched(sim) || !(sim->t < sim->s->t)) return;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        modes now = mode_of(c), then = sim->modes[i];
        changed |= !same_modes(&now, &then);
        c->mode = then.mode;
        c->limit = then.limit;
        c->edge = then.edge;
        c->left = then.left;
        c->lifted = then.lifted;
        sim->modes[i] = now;
    }
    if (!net->set_valued) return;
    if (changed) stick_group(net);
    double *offset = net->offset;
    net->offset = sim->offset;
    sim->offset = offset;
}

/* How a contact moves: a set-valued one by its mode, others as their law sees it. */
static int motion_of(const bri_sim *sim, int i) {
    const network *net = sim->net;
    const touch *c = &net->touches[i];
    bri_input u = touch_input(net, c);
    if (c->model->set_valued && net->stepping) return stepping_motion(net->stepping, i);
    if (c->model->set_valued && !c->unmoved) return direction_of(c);
    u.mode = BRI_AUTO;
    return bri_model_motion(c->model, c->p, &u, sim->y + 2 * net->n_free + c->first);
}

/* Evaluate the network at the present time. */
static void show(bri_sim *sim) {
    if (sim->shown) return;
    exchange_modes(sim);
    state_at(sim, sim->t, sim->y);
    network_show(sim->net, sim->t, sim->y, sim->dy);
    if (sim->solver->leaps)
        stepping_forces(sim->net->stepping);
    else
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
        if (sim->solver->leaps) { /* the same power all through the step */
            double share = (sim->t - sim->s->t_prev) / (sim->s->t - sim->s->t_prev);
            e.dissipated += share * (sim->heat - sim->heat_prev);
            e.work += share * (sim->work - sim->work_prev);
        } else {
            add_powers(sim, sim->s->t_prev, sim->t, &e.dissipated, &e.work);
        }
    }
    state_at(sim, sim->t, sim->y);
    network_energy(sim->net, sim->t, sim->y, &e);
    exchange_modes(sim);
    sim->shown = 0;
    e.residual = e.kinetic + e.potential + e.stored + e.dissipated - e.work - sim->start_energy;
    return e;
}

const char *bri_sim_linear_solver(const bri_sim *sim) { return matrix_name(&sim->net->matrix); }
