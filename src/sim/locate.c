/* locate.c - what happens within a step, and when: event functions sampled on the dense output and
 * their zeros located. */
#include "sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

int sim_contact_of(const bri_sim *sim, int event) { return sim->contact[event]; }

int sim_is_direction(const bri_sim *sim, int event) {
    return !sim_switch_of(sim, event) && sim->first[sim_contact_of(sim, event)] == event;
}

static void swap_ends(bri_sim *sim) {
    for (int k = 0; k < sim->net->n; k++) {
        double y = sim->s->y[k];
        sim->s->y[k] = sim->y_end[k];
        sim->y_end[k] = y;
    }
}

void sim_interpolate(bri_sim *sim, double t, double *y) {
    if (sim->arc.on && t > sim->s->t_prev && t < sim->s->t) {
        sim_arc_at(&sim->arc, t, y);
        return;
    }
    int before = sim->jumped && t < sim->s->t;
    if (before) swap_ends(sim);
    sim->solver->interpolate(sim->s, t, y);
    if (before) swap_ends(sim);
}

void sim_state_at(bri_sim *sim, double t, double *y) {
    sim_interpolate(sim, t, y);
    if (!sim->net->set_valued) return;
    network_place(sim->net, t, y);
    network_place_idle(sim->net, t);
    stick_follow(sim->net, y);
}

/* Nonzero: the event is that of a direction, and its course over the step is at hand: nothing else
 * has to be computed. */
static int by_course(bri_sim *sim, int event, sim_course *to) {
    int n = sim->net->n_free;
    if (sim->single || !sim->solver->courses || !sim_is_direction(sim, event)) return 0;
    int i = sim_contact_of(sim, event);
    const touch *c = &sim->net->touches[i];
    if (c->model->set_valued) return 0;
    if (!sim->looks) sim->solver->courses(sim->s, n, n, sim->courses); /* else they are at hand */
    *to = sim_course_of(sim, i, (double)c->mode);
    return 1;
}

double sim_falling_zero(sim_function *f, const void *self, double a, double fa, double b, double fb,
                        double width) {
    int before = 0; /* the end that moved last: -1 or +1 */
    for (int i = 0; i < 60 && b - a > width; i++) {
        double u = a + (b - a) * (fa / (fa - fb));
        u = fmin(fmax(u, a + 0.5 * width), b - 0.5 * width); /* so that the other end follows */
        if (!(u > a && u < b) || i % 8 == 7) u = 0.5 * (a + b);
        if (!(u > a && u < b)) break;
        double y = f(self, u);
        if (y > 0.0) {
            a = u, fa = y;
            if (before < 0) fb *= 0.5;
            before = -1;
        } else {
            b = u, fb = y;
            if (before > 0) fa *= 0.5;
            before = 1;
        }
        if (y == 0.0) break;
    }
    return b;
}

/* An event function over the last step; directions by the course of their velocity. */
typedef struct event_course {
    bri_sim *sim;
    int event, quick;
    sim_course turn;
} event_course;

static double event_at(const void *self, double t) {
    const event_course *at = self;
    bri_sim *sim = at->sim;
    double *room = sim->g_end + sim->n_events;
    if (at->quick) return sim_speed_at(&at->turn, (t - at->turn.t) / at->turn.h);
    sim_state_at(sim, t, sim->y);
    sim_event_functions(sim, t, sim->y, room);
    return room[at->event];
}

/* The time between a and b within the last step at which an event function reaches zero, with the
 * values ga > 0 >= gb there, on the dense output. Directions turn where |v| is small, so that an
 * error of the time matters only by its square. */
static double locate(bri_sim *sim, int event, double a, double b, double ga, double gb) {
    double share = sim->net->set_valued || sim_switch_of(sim, event) ? 0.0 : 1e-10;
    double close = fmax(4e-16 * fmax(fabs(b), 1e-300), share * (b - a));
    event_course over = {.sim = sim, .event = event};
    over.quick = by_course(sim, event, &over.turn);
    return sim_falling_zero(event_at, &over, a, ga, b, gb, close);
}

/* The first event of the last step, or -1, and its time. Only the one that seems to come first is
 * located; then those that have happened by then are looked at, until none comes before. */
static int first_crossing(bri_sim *sim, double *when) {
    int event = -1, seen = 0; /* at the end of the step */
    double *room = sim->g_end + sim->n_events, *end = sim->g_end;
    for (int k = 0; k < sim->n_events; k++) seen += sim->g[k] > 0.0 && end[k] <= 0.0;
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
        if (seen == 1) return event;
        sim->solver->interpolate(sim->s, *when, sim->y);
        sim_event_functions(sim, *when, sim->y, room);
        for (int k = 0; k < sim->n_events; k++)
            if (sim->g_end[k] > 0.0) room[k] = 1.0;
        end = room;
    }
}

/* Where a step is looked at, as shares of it: irregular, so that no oscillation passes unseen. */
static const double places[POINTS + 2] = {0.0, 0.13, 0.3, 0.47, 0.7, 0.89, 1.0};

double sim_time_of(const stepper *s, int point) {
    return point == POINTS + 1 ? s->t : s->t_prev + places[point] * (s->t - s->t_prev);
}

int sim_sample(bri_sim *sim, int *torn) {
    network *net = sim->net;
    int n = sim->n_events, width = STICK_SMOOTH * net->n_touches;
    double *smooth = sim->sampled + (POINTS + 2) * n, *size = smooth + (POINTS + 2) * width;
    *torn = -1;
    memcpy(sim->sampled, sim->g, sizeof *sim->g * (size_t)n);
    for (int k = 0; k < width; k++) size[k] = 0.0;
    for (int p = 0; p < POINTS + 2; p++) {
        double t = sim_time_of(sim->s, p);
        sim_state_at(sim, t, sim->y);
        sim_event_functions(sim, t, sim->y, sim->sampled + p * n);
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

/* A contact that has just begun to slide, and whose dense output goes back a little before it goes
 * on: less than the tolerance is no event. */
static int is_ripple(const bri_sim *sim, const touch *c, int event, double g) {
    double end = sim->g_end[event], felt = sim->atol * c->v_size;
    return c->mode != BRI_STUCK && end > 0.0 && g > -felt;
}

int sim_late_event(const bri_sim *sim) {
    const network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++)
        for (int e = 0; net->touches[i].model->set_valued && e < STICK_EVENTS; e++) {
            int k = sim->first[i] + e;
            double slack = stick_slack(net, &net->touches[i], e);
            if (sim->g[k] > 0.0) continue;
            for (int p = 1; p < POINTS + 2; p++) {
                double g = sim->sampled[p * sim->n_events + k];
                if (g > 0.0) break;
                if (e == 1 && is_ripple(sim, &net->touches[i], k, g)) continue;
                if (g < sim->g[k] - slack && g < -slack) return k;
            }
        }
    return -1;
}

double sim_brief(bri_sim *sim, int event) {
    stepper *s = sim->s;
    double *room = sim->g_end + sim->n_events, share = 1e-2;
    for (int i = 0; i < 3; i++, share *= 1e-2) {
        double t = s->t_prev + share * (s->t - s->t_prev);
        if (!(t > s->t_prev)) return INFINITY;
        sim_state_at(sim, t, sim->y);
        sim_event_functions(sim, t, sim->y, room);
        if (room[event] > 0.0) return t;
    }
    return INFINITY;
}

/* Where the parabola through three points has its minimum; the middle one if it has none. */
static double vertex(const double t[3], const double g[3]) {
    double left = (g[1] - g[0]) / (t[1] - t[0]), right = (g[2] - g[1]) / (t[2] - t[1]);
    double bend = (right - left) / (t[2] - t[0]);
    if (!(bend > 0.0)) return t[1];
    return 0.5 * (t[0] + t[1]) - 0.5 * left / bend;
}

double sim_dip(bri_sim *sim, int event, const double at[3], const double g[3], double *low) {
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
        sim_state_at(sim, x, sim->y);
        sim_event_functions(sim, x, sim->y, room);
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

int sim_first_event(bri_sim *sim, double *when) {
    int first = -1, n = sim->n_events;
    *when = INFINITY;
    if (!sim->net->set_valued) return first_crossing(sim, when);
    for (int k = 0; k < n; k++) {
        for (int p = 0; p <= POINTS; p++) {
            double a = sim->sampled[p * n + k], b = sim->sampled[(p + 1) * n + k];
            double from = sim_time_of(sim->s, p), to = sim_time_of(sim->s, p + 1);
            if (from >= *when) break;
            if (!(a > 0.0)) continue;
            int q = p < POINTS ? p : p - 1; /* three places around */
            const double at[3] = {sim_time_of(sim->s, q), sim_time_of(sim->s, q + 1),
                                  sim_time_of(sim->s, q + 2)};
            const double g[3] = {sim->sampled[q * n + k], sim->sampled[(q + 1) * n + k],
                                 sim->sampled[(q + 2) * n + k]};
            if (b > 0.0 && g[0] > 0.0 && g[2] > 0.0) {
                double low, x = sim_dip(sim, k, at, g, &low);
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

/* An event function as near to zero, as a share of the largest it has been, is met where the step
 * is down to rounding: stages beyond it see another law, and the steps would hover before it. */
static const double MET = 1e-9;

int sim_met_event(const bri_sim *sim) {
    const stepper *s = sim->s;
    if (!sim->own_roots || s->t - s->t_prev > 16.0 * DBL_EPSILON * fabs(s->t)) return -1;
    for (int k = 0; k < sim->n_events - sim->n_switches; k++) {
        const touch *c = &sim->net->touches[sim_contact_of(sim, k)];
        if (c->model->set_valued || sim_is_direction(sim, k) || !(sim->g_end[k] > 0.0)) continue;
        if (sim->g_end[k] < MET * sim->root_size[k]) return k;
    }
    return -1;
}

bri_status sim_sharpen(bri_sim *sim, int event, bri_error *err) {
    stepper *s = sim->s;
    const toggle *w = sim_switch_of(sim, event);
    if (w) network_rhs(sim->net, s->t, s->y, sim->dy);
    if (w ? !sim_jumps(w) : !sim->net->touches[sim_contact_of(sim, event)].model->set_valued)
        return BRI_OK;
    for (int i = 0; i < 5; i++) {
        double back = s->t - 1e-3 * (s->t - s->t_prev), *room = sim->g_end + sim->n_events;
        sim_event_functions(sim, s->t, s->y, sim->g_end);
        sim_state_at(sim, back, sim->y);
        sim_event_functions(sim, back, sim->y, room);
        double slope = (sim->g_end[event] - room[event]) / (s->t - back);
        double t = s->t - sim->g_end[event] / slope;
        if (!(slope < 0.0) || !(t > s->t_prev) || !(t < fmin(sim->kink, sim->t_end))) return BRI_OK;
        if (fabs(t - s->t) <= 4e-16 * fabs(t)) return BRI_OK;
        bri_status status = sim->solver->cut(s, t, err);
        if (status != BRI_OK) return status;
    }
    return BRI_OK;
}
