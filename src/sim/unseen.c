/* unseen.c - what a step may have passed over unseen.
 *
 * The error estimate of a solver sees the stages of a step, and those see a contact only where they
 * happen to be. While a bristle is saturated its force does not even depend on the velocity: a
 * support that turns twice within the step, a Stribeck peak between two fast ends leave no trace.
 * So the sliding velocity of every contact is followed over the whole step, as a polynomial for
 * what moves freely and by its signal for what is moved, with a bound on how far it can bend
 * between two places: where it comes to rest, or into the range of speeds in which the law changes,
 * the step is made again and ends there. And no step is longer than a share of what a signal's
 * period is. */
#include "unseen.h"
#include "sim.h"
#include "system/signal.h"

#include <math.h>
#include <string.h>

/* ---- how fast signals change --------------------------------------------------------------- */

/* A step is at most this share of 1/w, w the angular frequency of a signal: a third of its period.
 */
static const double PACE = 2.1;

/* For how long the bounds of signals are asked for at once, as a share of the run. */
static const double WINDOW = 1.0 / 64.0;

/* The time over which a signal's slope changes. */
static double pace_of(const bri_signal *s, double from, double to, double most[4]) {
    signal_most(s, from, to, most);
    return most[3] > 0.0 ? PACE * sqrt(most[1] / most[3]) : INFINITY;
}

void sim_look_ahead(bri_sim *sim) {
    network *net = sim->net;
    double most[4], from = sim->s->t, to = fmin(sim->kink, from + WINDOW * sim->span);
    double pace = INFINITY;
    sim->ahead = net->autonomous ? INFINITY : to;
    memset(sim->sway, 0, sizeof *sim->sway * (size_t)net->n_touches);
    for (int i = 0; i < net->n_order; i++) { /* rows and packs have constant loads */
        const touch *c = &net->touches[net->order[i]];
        if (c->load == BRI_LOAD_SIGNAL) pace = fmin(pace, pace_of(c->n_of_t, from, to, most));
    }
    for (int i = 0; i < net->n_pushes; i++)
        pace = fmin(pace, pace_of(&net->pushes[i].force, from, to, most));
    for (int i = 0; i < net->n_formulas; i++)
        for (int k = 0; k < net->formulas[i].f.n_args; k++) {
            const bri_signal *signal = net->formulas[i].args[k].signal;
            if (signal) pace = fmin(pace, pace_of(signal, from, to, most));
        }
    for (int i = 0; i < net->n_driven; i++)
        pace = fmin(pace, pace_of(net->driven[i].signal, from, to, most));
    for (int i = 0; i < net->n_motions; i++) {
        const motion *m = &net->motions[i];
        pace = fmin(pace, pace_of(m->signal, from, to, most));
        double bend = most[m->order == 0 ? 3 : 2]; /* of the velocity */
        for (int k = 0; bend > 0.0 && k < 2 * net->n_touches; k++) {
            int at = k % 2 ? net->touches[k / 2].b : net->touches[k / 2].a;
            if (network_root(net, at) == m->at)
                sim->sway[k / 2] += fabs(network_lever(net, at)) * bend;
        }
    }
    sim->s->longest = sim->pace = pace;
}

double sim_function_pace(bri_sim *sim) {
    double w = network_pace(sim->net, sim->s->t, sim->s->y);
    return w > 0.0 ? PACE / w : INFINITY;
}

/* ---- the course of a sliding velocity ------------------------------------------------------ */

void sim_course_through(const double f[SOLVER_COURSE], double c[SOLVER_COURSE]) {
    c[0] = f[0];
    c[1] = (-25.0 * f[0] + 48.0 * f[1] - 36.0 * f[2] + 16.0 * f[3] - 3.0 * f[4]) / 3.0;
    c[2] = (70.0 * f[0] - 208.0 * f[1] + 228.0 * f[2] - 112.0 * f[3] + 22.0 * f[4]) / 3.0;
    c[3] = (-80.0 * f[0] + 288.0 * f[1] - 384.0 * f[2] + 224.0 * f[3] - 48.0 * f[4]) / 3.0;
    c[4] = (32.0 * f[0] - 128.0 * f[1] + 192.0 * f[2] - 128.0 * f[3] + 32.0 * f[4]) / 3.0;
}

static void add_unknown(bri_sim *sim, int unknown, double by, double c[SOLVER_COURSE]) {
    double own[SOLVER_COURSE], f[5];
    int n = sim->net->n_free;
    if (sim->solver->courses) { /* as sim_better_end() has found them */
        const double *from = sim->courses + unknown - n;
        for (int k = 0; k < SOLVER_COURSE; k++) c[k] += by * from[k * n];
        return;
    } else { /* the polynomial through five places */
        const stepper *s = sim->s;
        for (int i = 0; i < 5; i++) {
            double u = 0.25 * i;
            sim->solver->interpolate(sim->s, i < 4 ? s->t_prev + u * (s->t - s->t_prev) : s->t,
                                     sim->y);
            f[i] = sim->y[unknown];
        }
        sim_course_through(f, own);
    }
    for (int k = 0; k < SOLVER_COURSE; k++) c[k] += by * own[k];
}

sim_course sim_course_of(bri_sim *sim, int i, double sign) {
    network *net = sim->net;
    const touch *c = &net->touches[i];
    const stepper *s = sim->s;
    sim_course to = {.net = net, .sign = sign, .t = s->t_prev, .h = s->t - s->t_prev};
    for (int end = 0; end < 2; end++) {
        int own = end == 0 ? c->a : c->b, at = network_root(net, own);
        to.lever[end] = network_lever(net, own);
        if (at < net->n_free)
            add_unknown(sim, net->n_free + at, (end == 0 ? sign : -sign) * to.lever[end], to.c);
        else if (sim->moved_by[at - net->n_free])
            to.moved[end] = sim->moved_by[at - net->n_free];
        else
            to.c[0] += (end == 0 ? sign : -sign) * net->vel[own]; /* constant */
    }
    to.bend = 2.0 * fabs(to.c[2]) + 6.0 * fabs(to.c[3]) + 12.0 * fabs(to.c[4]) +
              sim->sway[i] * to.h * to.h;
    return to;
}

double sim_speed_at(const sim_course *c, double u) {
    double v = solver_course_at(c->c, u), s[4];
    if (!c->moved[0] && !c->moved[1]) return v;
    double t = fmin(c->t + u * c->h, c->net->latest);
    for (int end = 0; end < 2; end++) {
        const motion *m = c->moved[end];
        if (!m) continue;
        signal_rates(m->signal, t, s);
        v += (end == 0 ? c->sign : -c->sign) * c->lever[end] * s[m->order == 0 ? 2 : 1];
    }
    return v;
}

enum { HALVINGS = 8 };

/* The first place found between a and b at which the speed is not above a level, as it is at both
 * ends; INFINITY if there is none: the interval is halved until the bend is too small for one. */
static double first_below(const sim_course *c, double level, double a, double va, double b,
                          double vb, int halvings) {
    double width = b - a;
    if (fmin(va, vb) - 0.125 * c->bend * width * width > level || halvings == 0) return INFINITY;
    double u = 0.5 * (a + b), v = sim_speed_at(c, u);
    double found = v > level ? first_below(c, level, a, va, u, v, halvings - 1) : u;
    return isinf(found) ? first_below(c, level, u, v, b, vb, halvings - 1) : found;
}

/* ---- where a step should have ended -------------------------------------------------------- */

/* The contact is slow at one end of the step and far outside of its curve at the other: the place
 * at which it is on the curve. */
static double onto_curve(const sim_course *c, double bend, int slow_first) {
    double a = 0.0, b = 1.0, u = 0.5;
    for (int i = 0; i < 60; i++) {
        u = 0.5 * (a + b);
        double v = sim_speed_at(c, u);
        if (v >= SLOW_LEAST * bend && v <= SLOW_MOST * bend) break;
        if ((v > SLOW_MOST * bend) != slow_first)
            a = u;
        else
            b = u;
    }
    return u;
}

/* A step that leads from far outside of a range of speeds in which the law changes deep into it, or
 * out of it on the other side, ends within it. Speeds are those in the direction `sign`. */
static double zones_end(bri_sim *sim, int i, double sign, double from, double to, int frozen) {
    const touch *c = &sim->net->touches[i];
    double end = INFINITY;
    for (int k = 0; k < c->n_zones; k++) {
        double far = NEAR_REST * c->zone[k], slow = SLOW_LEAST * c->zone[k];
        int enters = from > far && to < slow, leaves = !frozen && from <= far && to < -far;
        if (!enters && !leaves) continue;
        sim_course over = sim_course_of(sim, i, enters ? sign : -sign);
        end = fmin(end, onto_curve(&over, c->zone[k], leaves));
    }
    return end;
}

/* The first place at which a speed, above a level at both ends, is not so; INFINITY: none. */
static double dip_below(const sim_course *c, double level, double from, double to) {
    double begin = 0.0;
    if (fmin(from, to) - 0.125 * c->bend > level) return INFINITY;
    if (!(from > AT_ONCE * to)) { /* it has just left rest */
        begin = JUST_BEGUN;
        from = sim_speed_at(c, begin);
        if (!(from > level)) return begin;
    }
    return first_below(c, level, begin, from, 1.0, to, HALVINGS);
}

/* A contact whose force rises up to a speed and no further, and that is slower at both ends: where
 * within the step it is faster, either way. */
static double out_of_knee(bri_sim *sim, int i) {
    double knee = sim->net->touches[i].knee, end = INFINITY;
    for (int way = -1; way <= 1; way += 2) {
        double from = way * sim->v_from[i], to = way * sim->v_to[i];
        if (!(from < knee && to < knee)) continue;
        sim_course over = sim_course_of(sim, i, -way);
        if (fmin(-from, -to) - 0.125 * over.bend > -knee) continue;
        end = fmin(end, first_below(&over, -knee, 0.0, -from, 1.0, -to, HALVINGS));
    }
    return end;
}

/* A contact that has just turned, and is on its way back at the end of the step: a place before
 * that; INFINITY: it has not moved in the direction it turned to. */
static double out_and_back(bri_sim *sim, int i, double sign) {
    double felt = sim->atol * sim->net->touches[i].v_size;
    sim_course over = sim_course_of(sim, i, sign);
    for (double u = 0.5; u > 1e-3; u *= 0.5)
        if (sim_speed_at(&over, u) > felt) return u;
    return INFINITY;
}

/* A bound of how far the speed of a contact bends, sooner found than its course. */
static inline double bend_bound(const bri_sim *sim, int i) {
    const network *net = sim->net;
    const touch *c = &net->touches[i];
    double h = sim->s->t - sim->s->t_prev, sum = sim->sway[i] * h * h;
    if (!sim->solver->courses) return INFINITY;
    for (int end = 0; end < 2; end++) {
        int own = end == 0 ? c->a : c->b, at = network_root(net, own);
        if (at < net->n_free) sum += fabs(network_lever(net, own)) * sim->bends[at];
    }
    return sum;
}

/* Nonzero if one of the speeds that matter lies between low and least. */
static int is_between(const touch *c, const double levels[2], double low, double least) {
    for (int k = 0; k < 2; k++)
        if (least > levels[k] && !(low > levels[k])) return 1;
    for (int k = 0; k < c->n_zones; k++) {
        if (!(least > c->zone[k]) || low > (1 << TAIL_DOUBLINGS) * c->zone[k]) continue;
        for (int j = 0; j <= TAIL_DOUBLINGS; j++) {
            double level = (1 << j) * c->zone[k];
            if (least > level && !(low > level)) return 1;
        }
    }
    return 0;
}

/* Nonzero: a contact with a frozen direction slides on in it and passes no speed at which its law
 * changes, nor one that is felt against it. So do most. */
static int slides_on(const touch *c, double from, double to, double bend, double felt) {
    double least = from < to ? from : to, low = least - 0.125 * bend; /* it comes no lower */
    if (!(least > 0.0 && low > -felt)) return 0;
    for (int k = 0; k < c->n_zones; k++) {
        double level = c->zone[k];
        if (from > NEAR_REST * level && to < SLOW_LEAST * level) return 0;
        if (!(least > level)) continue;
        for (int j = 0; j < TAIL_DOUBLINGS && least > 2.0 * level; j++) level *= 2.0;
        if (!(low > level)) return 0;
    }
    return 1;
}

/* The share of the step at which contact i should have ended it; INFINITY: none. Speeds are those
 * in the direction at the start. */
static double contact_end(bri_sim *sim, int i) {
    const touch *c = &sim->net->touches[i];
    int frozen = c->corner && c->mode != BRI_AUTO;
    double v = sim->v_from[i];
    double sign = frozen ? (double)c->mode : v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0;
    if (sign == 0.0 || c->unmoved || c->mode == BRI_STUCK) return INFINITY;
    double from = sign * v, to = sign * sim->v_to[i];
    if (frozen && slides_on(c, from, to, bend_bound(sim, i), sim->atol * c->v_size))
        return INFINITY;
    /* below the knee the force is a line, unless a narrower Stribeck curve is part of it */
    int in_knee = !frozen && fmax(fabs(from), fabs(to)) < c->knee;
    double end = zones_end(sim, i, sign, from, to, frozen);
    if (!isinf(end)) return end;
    if (to <= 0.0 && !(in_knee && c->bend >= c->knee)) {
        double share = from / (from - to);
        if (frozen && share < AT_ONCE) return out_and_back(sim, i, sign);
        return frozen && share > LEAST_TURN && share < EARLY_TURN ? 2.0 * share : INFINITY;
    }
    /* a turn and back, less than the tolerance is not felt; and the ranges in which the law
     * changes, if both ends are outside */
    const double levels[2] = {frozen ? -sim->atol * c->v_size : INFINITY,
                              frozen || c->model->set_valued ? INFINITY : c->knee};
    double least = fmin(from, to);
    if (in_knee && !c->model->set_valued) end = out_of_knee(sim, i);
    if (in_knee && !c->model->set_valued && c->bend >= c->knee) return end;
    if (!(from > 0.0) && !frozen) return INFINITY;
    if (!is_between(c, levels, least - 0.125 * bend_bound(sim, i), least)) return end;
    sim_course over = sim_course_of(sim, i, sign);
    double low = least - 0.125 * over.bend; /* it comes no lower */
    for (int k = 0; k < 2; k++)
        if (least > levels[k] && !(low > levels[k]))
            end = fmin(end, dip_below(&over, levels[k], from, to));
    for (int k = 0; k < c->n_zones; k++)
        for (int j = 0; j <= TAIL_DOUBLINGS; j++) {
            double level = (1 << j) * c->zone[k];
            if (least > level && !(low > level)) end = fmin(end, dip_below(&over, level, from, to));
        }
    return end;
}

void sim_slidings(bri_sim *sim, double *v) {
    const network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++)
        v[i] = net->vel[net->touches[i].a] - net->vel[net->touches[i].b];
}

/* The places of the last step and an event function there; felt: less is rounding. */
typedef struct places {
    double t[POINTS + 2], g[POINTS + 2], felt;
} places;

/* The time at which an event function of a law should have been seen; INFINITY: none. Either it is
 * positive at both ends and not in between, or it is zero at the start, where the event before has
 * left it, rises and falls again. */
static double hidden_root(bri_sim *sim, int event, const places *at) {
    const double *g = at->g, *t = at->t, felt = at->felt;
    double low;
    int p = 0;
    while (p <= POINTS && !(g[p] > felt)) p++;
    if (p > POINTS) return g[p] < -felt ? sim_brief(sim, event) : INFINITY;
    for (int q = p + 1; p > 0 && q <= POINTS + 1; q++)
        if (g[q] < -felt) return t[q - 1];
    if (p > 0 || !(g[POINTS + 1] > 0.0)) return INFINITY; /* nothing, or it is seen at the end */
    for (p = 1; p <= POINTS; p++) {
        if (g[p] < -felt) return t[p];
        if (g[p] < 0.0 || g[p - 1] < g[p] || g[p + 1] < g[p]) continue;
        double when = sim_dip(sim, event, t + p - 1, g + p - 1, &low);
        if (!isinf(when) && low < -felt) return when;
    }
    return INFINITY;
}

/* Event functions have no unit in common: they are measured by the largest value of each so far. */
static const double ROOT_FELT = 1e-3;

/* The same from the places sampled. */
static double root_end(bri_sim *sim, int event) {
    places at;
    double *size = &sim->root_size[event];
    for (int p = 0; p < POINTS + 2; p++) {
        at.t[p] = sim_time_of(sim->s, p);
        at.g[p] = sim->sampled[p * sim->n_events + event];
        *size = fmax(*size, fabs(at.g[p]));
    }
    at.felt = ROOT_FELT * sim->atol * *size;
    return hidden_root(sim, event, &at);
}

/* The soonest of all laws with event functions of their own, and of switches of functions. */
static double roots_end(bri_sim *sim) {
    int n = sim->n_events;
    double soonest = INFINITY, *seen = sim->sampled;
    for (int p = 1; p <= POINTS; p++) {
        double t = sim_time_of(sim->s, p);
        sim_state_at(sim, t, sim->y);
        sim_event_functions(sim, t, sim->y, seen + p * n);
    }
    memcpy(seen, sim->g, sizeof *seen * (size_t)n);
    memcpy(seen + (POINTS + 1) * n, sim->g_end, sizeof *seen * (size_t)n);
    for (int i = 0; i < sim->net->n_touches; i++) {
        const touch *c = &sim->net->touches[i];
        for (int k = 1; !c->model->set_valued && k <= c->n_roots; k++)
            soonest = fmin(soonest, root_end(sim, sim->first[i] + k));
    }
    for (int k = n - sim->n_switches; k < n; k++) soonest = fmin(soonest, root_end(sim, k));
    return soonest;
}

static unsigned long long pieces_at(bri_sim *sim, int place) {
    double t = sim_time_of(sim->s, place);
    sim_interpolate(sim, t, sim->y);
    return network_pieces(sim->net, t, sim->y);
}

/* A rope that is slack at both ends of the step but not within it, or the other way round: a time
 * at which it is; INFINITY: none is seen. */
static double pieces_end(bri_sim *sim) {
    unsigned long long first = sim_pieces_from(sim);
    sim->smooth_from = NAN;
    if (sim_pieces_to(sim) != first) return INFINITY;
    for (int p = 1; p <= POINTS; p++)
        if (pieces_at(sim, p) != first) return sim_time_of(sim->s, p);
    sim->smooth_from = sim->s->t_prev;
    sim->smooth_to = sim->s->t;
    return INFINITY;
}

/* ---- all of it ------------------------------------------------------------------------------ */

double sim_better_end(bri_sim *sim) {
    int n = sim->net->n_free;
    if (sim->solver->courses) sim->solver->courses(sim->s, n, n, sim->courses);
    return sim_better_end_along(sim);
}

double sim_better_end_along(bri_sim *sim) {
    const stepper *s = sim->s;
    int n = sim->net->n_free;
    double share = INFINITY;
    if (sim->solver->courses) {
        const double *c = sim->courses;
        sim->course_t = s->t_prev;
        sim->course_h = s->t - s->t_prev;
        for (int k = 0; k < n; k++)
            sim->bends[k] =
                2.0 * fabs(c[2 * n + k]) + 6.0 * fabs(c[3 * n + k]) + 12.0 * fabs(c[4 * n + k]);
    }
    for (int i = 0; i < sim->net->n_touches; i++) {
        double end = contact_end(sim, i);
        if (end < share) share = end;
    }
    double soonest = sim->own_roots || sim->n_switches > 0 ? roots_end(sim) : INFINITY;
    if (sim->net->n_pieced > 0) soonest = fmin(soonest, pieces_end(sim));
    if (!isinf(soonest)) share = fmin(share, (soonest - s->t_prev) / (s->t - s->t_prev));
    if (!(share < 1.0) && sim_is_off_curve(sim)) share = 0.25;
    if (!(share < 1.0)) return INFINITY;
    double end = s->t_prev + share * (s->t - s->t_prev);
    return end < s->t && end > s->t_prev ? end : INFINITY;
}

/* ---- before a step -------------------------------------------------------------------------- */

/* The time until a speed v with the derivatives a and b is zero; INFINITY: it is not. */
static double time_to_rest(double v, double a, double b) {
    double root = a * a - 2.0 * b * v;
    if (!(root >= 0.0)) return INFINITY;
    double s = 2.0 * v / (sqrt(root) - a); /* the first of two */
    return s > 0.0 ? s : INFINITY;
}

double sim_foreseen_end(bri_sim *sim) {
    const network *net = sim->net;
    const stepper *s = sim->s;
    int n = net->n_free;
    double h = s->next, far = EARLY_TURN * h, soonest = INFINITY;
    double *rate = sim->rates, *by = sim->rates_by;
    if (sim->single || net->set_valued || !sim->freezes || s->t_prev != sim->course_t)
        return INFINITY;
    const double *c = sim->courses;
    double per_h = 1.0 / sim->course_h, u = (s->t - sim->course_t) * per_h;
    for (int k = 0; k < n; k++) {
        double c2 = 2.0 * c[2 * n + k], c3 = 3.0 * c[3 * n + k], c4 = 4.0 * c[4 * n + k];
        rate[k] = per_h * (c[n + k] + u * (c2 + u * (c3 + u * c4)));
        by[k] = per_h * per_h * (c2 + u * (2.0 * c3 + u * (3.0 * c4)));
    }
    for (int i = 0; i < net->n_touches; i++) {
        const touch *of = &net->touches[i];
        double sign = (double)of->mode, v = sign * sim->v_from[i];
        if (!of->corner || of->mode == BRI_AUTO || !(v > 0.0)) continue;
        int ahead = network_root(net, of->a), behind = network_root(net, of->b);
        double by_a = sign * network_lever(net, of->a), by_b = sign * network_lever(net, of->b);
        double a = by_a * rate[ahead] - by_b * rate[behind];
        double b = by_a * by[ahead] - by_b * by[behind];
        if (v + far * (a + 0.5 * far * b) > 0.0 && (a >= 0.0 || a + far * b < 0.0))
            continue; /* not so soon */
        double when = time_to_rest(v, a, b);
        if (when < soonest) soonest = when;
    }
    return soonest > LEAST_TURN * h && soonest < far ? s->t + 2.0 * soonest : INFINITY;
}
