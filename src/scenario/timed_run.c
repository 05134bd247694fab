/* timed_run.c - a signal that is an expression of time, once it has been compiled: value, exact
 * derivatives and kinks. Nothing of the file that it stood in is known here: FMUs carry it along.
 */
#include "timed_run.h"

#include "../system/signal.h"

#include <math.h>
#include <string.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* the same lines, millions of times */
enum { SAMPLES = 32, MOST_SAMPLES = 256, BOUND_SAMPLES = 5 };
#else
enum { SAMPLES = 2048, MOST_SAMPLES = 1000000, BOUND_SAMPLES = 40 };
#endif

/* ---- evaluation ---------------------------------------------------------------------------- */

static void run(const timed *w, const expr_program *p, double t, double *out) {
    double room[EXPRESSION_ROOM], *in = expr_room_inputs(p, room), s[4], later[4];
    if (w->t >= 0) in[w->t] = t;
    for (int i = 0; i < w->n_by; i++) {
        const timed_use *u = &w->by[i];
        signal_rates(u->signal, t, s);
        for (int k = 0; k < 3; k++) in[u->variable[k]] = s[1 + k];
        if (p != w->e->bends && !u->third) continue;
        signal_rates(u->signal, t - 1e-5, s);
        signal_rates(u->signal, t + 1e-5, later);
        in[u->variable[3]] = (later[3] - s[3]) / 2e-5;
    }
    expr_run_room(p, room, out);
}

static void timed_most(const bri_signal *s, double from, double to, double out[4]) {
    const timed *w = s->data;
    double now[TIMED_ORDERS];
    memset(out, 0, sizeof now);
    if (!(to - from < 1e300)) to = from;
    for (int i = 0; i <= BOUND_SAMPLES; i++) {
        run(w, w->e->bends, from + (to - from) * (i + 0.5) / (BOUND_SAMPLES + 1.0), now);
        for (int k = 0; k < TIMED_ORDERS; k++)
            if (fabs(now[k]) < 1e300) out[k] = fmax(out[k], 1.1 * fabs(now[k]));
    }
}

/* ---- kinks --------------------------------------------------------------------------------- */

static void arguments(const timed *w, double t, double *arg, double *rate) {
    for (int i = 0; i < w->e->n_args; i++) {
        const bri_arg *a = &w->e->args[i];
        double s[4];
        arg[i] = t;
        rate[i] = 1.0;
        if (!a->signal) continue;
        signal_rates(a->signal, t, s);
        arg[i] = s[a->kind == BRI_ARG_SIGNAL ? 1 : 2];
        rate[i] = s[a->kind == BRI_ARG_SIGNAL ? 2 : 3];
    }
}

static void switches_at(const timed *w, double t, double *g) {
    double arg[BRI_FUNCTION_ARGS], rate[BRI_FUNCTION_ARGS];
    arguments(w, t, arg, rate);
    expression_switches(w->e, arg, g);
}

static double switch_at(const timed *w, double t, int k) {
    double g[BRI_FUNCTION_SWITCHES];
    switches_at(w, t, g);
    return g[k];
}

static double pace_at(const timed *w, double t) {
    double arg[BRI_FUNCTION_ARGS], rate[BRI_FUNCTION_ARGS];
    if (w->e->n_paces == 0) return 0.0;
    arguments(w, t, arg, rate);
    double pace = expression_pace(w->e, arg, rate);
    return isfinite(pace) ? pace : 0.0;
}

/* At a corner or jump itself value and slopes are those of the side after it. */
static void timed_rates(const bri_signal *s, double t, double out[4]) {
    const timed *w = s->data;
    double g[BRI_FUNCTION_SWITCHES], after[3];
    int corner = 0;
    out[0] = 0.0;
    run(w, w->e->rates, t, out + 1);
    if (w->e->n_switches == 0) return;
    switches_at(w, t, g);
    for (int k = 0; k < w->e->n_switches; k++) corner |= g[k] == 0.0;
    if (!corner) return;
    double dt = 1e-12 * fmax(fabs(t), w->span);
    run(w, w->e->rates, t + dt, after);
    out[1] = after[0] - after[1] * dt;
    out[2] = after[1];
    out[3] = after[2];
}

static int side_of(double g) { return (g > 0.0) - (g < 0.0); }

/* The first time at which switch k has left the side that it has at a, and does not have at b. */
static double crossing(const timed *w, int k, double a, double b) {
    int side = side_of(switch_at(w, a, k));
    while (nextafter(a, b) < b) {
        double middle = a + 0.5 * (b - a);
        if (!(middle > a && middle < b)) break;
        *(side_of(switch_at(w, middle, k)) == side ? &a : &b) = middle;
    }
    return b;
}

/* The place between a and b at which |g| is least, for one that has a least there. */
static double closest(const timed *w, int k, double a, double b) {
    const double golden = 0.6180339887498949;
    for (int i = 0; i < 60; i++) {
        double c = b - golden * (b - a), d = a + golden * (b - a);
        if (fabs(switch_at(w, c, k)) < fabs(switch_at(w, d, k)))
            b = d;
        else
            a = c;
    }
    return 0.5 * (a + b);
}

static void add_kink(timed *w, double t) {
    int i = w->n_kinks;
    if (i >= w->room) return;
    while (i > 0 && w->kinks[i - 1] > t) i--;
    double gap = 8.0 * 2.3e-16 * fabs(t);
    if ((i > 0 && t - w->kinks[i - 1] <= gap) || (i < w->n_kinks && w->kinks[i] - t <= gap)) return;
    memmove(w->kinks + i + 1, w->kinks + i, sizeof *w->kinks * (size_t)(w->n_kinks - i));
    w->kinks[i] = t;
    w->n_kinks++;
}

/* All kinks after `from` up to `to`; of a kink that only touches, both sides of it. Samples are
 * close enough for what turns inside. */
void timed_scan(timed *w, double from, double to) {
    double g[3][BRI_FUNCTION_SWITCHES], at[3] = {from, from, from};
    double widest = w->span / SAMPLES, least = w->span / MOST_SAMPLES;
    int n = w->e->n_switches, samples = 0;
    switches_at(w, from, g[2]);
    while (at[2] < to && w->n_kinks < w->room) {
        double pace = pace_at(w, at[2]), h = pace > 0.0 ? fmin(widest, 0.3 / pace) : widest;
        memmove(g, g + 1, 2 * sizeof *g);
        memmove(at, at + 1, 2 * sizeof *at);
        at[2] = fmin(at[1] + fmax(h, least), to);
        if (!(at[2] > at[1])) break;
        switches_at(w, at[2], g[2]);
        samples++;
        for (int k = 0; k < n; k++) {
            int side = side_of(g[1][k]);
            if (side != side_of(g[2][k])) {
                if (at[1] == from && side == 0) continue; /* it begins there */
                add_kink(w, crossing(w, k, at[1], at[2]));
            } else if (samples > 1 && side_of(g[0][k]) == side && fabs(g[1][k]) < fabs(g[0][k]) &&
                       fabs(g[1][k]) <= fabs(g[2][k])) {
                double lowest = closest(w, k, at[0], at[2]);
                if (side_of(switch_at(w, lowest, k)) == side) continue;
                add_kink(w, crossing(w, k, at[0], lowest));
                if (side_of(switch_at(w, at[2], k)) != side_of(switch_at(w, lowest, k)))
                    add_kink(w, crossing(w, k, lowest, at[2]));
            }
        }
    }
}

static double own_kink(const timed *w, double t) {
    int low = 0, high = w->n_kinks;
    if (w->e->n_switches == 0) return INFINITY;
    if (t >= w->from && t < w->from + w->span) {
        while (low < high) {
            int middle = (low + high) / 2;
            if (w->kinks[middle] <= t)
                low = middle + 1;
            else
                high = middle;
        }
        return low < w->n_kinks ? w->kinks[low] : w->from + w->span;
    }
    double found[8]; /* past the end that the file gave: as far ahead as the run was long */
    timed ahead = *w;
    ahead.kinks = found;
    ahead.n_kinks = 0;
    ahead.room = (int)(sizeof found / sizeof *found);
    double end = t;
    for (int i = 0; i < 256 && ahead.n_kinks == 0; i++) {
        double start = end;
        end = t + w->span * (i + 1) / 256.0;
        timed_scan(&ahead, start, end);
        while (ahead.n_kinks > 0 && !(found[0] > t))
            memmove(found, found + 1, sizeof *found * (size_t)--ahead.n_kinks);
    }
    return ahead.n_kinks > 0 ? found[0] : end;
}

static double timed_kink(const bri_signal *s, double t) {
    const timed *w = s->data;
    double next = w->span > 0.0 ? own_kink(w, t) : INFINITY;
    for (int i = 0; i < w->n_by; i++)
        next = fmin(next, w->by[i].signal->kind->kink(w->by[i].signal, t));
    return next;
}

const bri_signal_kind timed_kind = {.name = "expression",
                                    .text = "an expression of time and signals",
                                    .holds = BRI_ONLY_PARAMS,
                                    .eval = timed_rates,
                                    .kink = timed_kink,
                                    .rates = timed_rates,
                                    .most = timed_most};
