/* timed.c - signals made of expressions: f(t, s1(t), s1'(t), ...) with its exact derivatives.
 *
 * The derivative by time is that of the graph, D f = df/dt + sum df/ds s' + df/ds' s'' + ...; what
 * a signal has no rate for any more counts by differences, and only where solvers ask for bounds or
 * for the change of an acceleration. Corners and jumps are those of the switches, see expression.c;
 * over the time of the run all of them are found when the file is read. */
#include "expression.h"

#include "../system/signal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORDERS = 4,
    SAMPLES = 2048,
    MOST_SAMPLES = 1000000,
    MOST_KINKS = 100000,
    BOUND_SAMPLES = 40
};

/* A signal that is used, and the variables of its value and three derivatives. */
typedef struct used {
    const bri_signal *signal;
    int variable[ORDERS];
    int third; /* nonzero: the second derivative needs the third one of the signal */
} used;

typedef struct timed {
    struct timed *next;
    const node *at;
    const expression *e;
    const bri_function *f; /* its switches and pace; arguments are time, signals and rates */
    int t;                 /* variable of the time; -1: it is no argument */
    used *by;
    int n_by;
    double from, span; /* the time in which kinks are known: all of the run; span 0: not yet */
    double *kinks;
    int n_kinks, room;
} timed;

/* ---- evaluation ---------------------------------------------------------------------------- */

static void run(const timed *w, const expr_program *p, double t, double *out) {
    double room[EXPRESSION_ROOM], *in = expr_room_inputs(p, room), s[4], later[4];
    if (w->t >= 0) in[w->t] = t;
    for (int i = 0; i < w->n_by; i++) {
        const used *u = &w->by[i];
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
    double now[ORDERS];
    memset(out, 0, sizeof now);
    if (!(to - from < 1e300)) to = from;
    for (int i = 0; i <= BOUND_SAMPLES; i++) {
        run(w, w->e->bends, from + (to - from) * (i + 0.5) / (BOUND_SAMPLES + 1.0), now);
        for (int k = 0; k < ORDERS; k++)
            if (fabs(now[k]) < 1e300) out[k] = fmax(out[k], 1.1 * fabs(now[k]));
    }
}

/* ---- kinks --------------------------------------------------------------------------------- */

static void arguments(const timed *w, double t, double *arg, double *rate) {
    for (int i = 0; i < w->f->n_args; i++) {
        const bri_arg *a = &w->f->args[i];
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
    w->f->switches(w->f->data, arg, g);
}

static double switch_at(const timed *w, double t, int k) {
    double g[BRI_FUNCTION_SWITCHES];
    switches_at(w, t, g);
    return g[k];
}

static double pace_at(const timed *w, double t) {
    double arg[BRI_FUNCTION_ARGS], rate[BRI_FUNCTION_ARGS];
    if (!w->f->pace) return 0.0;
    arguments(w, t, arg, rate);
    double pace = w->f->pace(w->f->data, arg, rate);
    return isfinite(pace) ? pace : 0.0;
}

/* At a corner or jump itself value and slopes are those of the side after it. */
static void timed_rates(const bri_signal *s, double t, double out[4]) {
    const timed *w = s->data;
    double g[BRI_FUNCTION_SWITCHES], after[3];
    int corner = 0;
    out[0] = 0.0;
    run(w, w->e->rates, t, out + 1);
    if (w->f->n_switches == 0) return;
    switches_at(w, t, g);
    for (int k = 0; k < w->f->n_switches; k++) corner |= g[k] == 0.0;
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
static void scan(timed *w, double from, double to) {
    double g[3][BRI_FUNCTION_SWITCHES], at[3] = {from, from, from};
    double widest = w->span / SAMPLES, least = w->span / MOST_SAMPLES;
    int n = w->f->n_switches, samples = 0;
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
    if (w->f->n_switches == 0) return INFINITY;
    if (t < w->from + w->span) {
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
        scan(&ahead, start, end);
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

/* ---- making one ---------------------------------------------------------------------------- */

static const bri_signal_kind kind = {.name = "expression",
                                     .text = "an expression of time and signals",
                                     .holds = BRI_ONLY_PARAMS,
                                     .eval = timed_rates,
                                     .kink = timed_kink,
                                     .rates = timed_rates,
                                     .most = timed_most};

const char *timed_text(const bri_signal *s) {
    return s->kind == &kind ? ((const timed *)s->data)->e->text : NULL;
}

int timed_is_rough(const bri_signal *s) {
    for (int i = 0; s->parts && i < s->count; i++)
        if (timed_is_rough(&s->parts[i])) return 1;
    if (s->kind != &kind) return 0;
    const timed *w = s->data;
    for (int i = 0; i < w->f->n_args; i++)
        if (w->f->args[i].kind == BRI_ARG_SIGNAL_RATE) return 1;
    for (int i = 0; i < w->n_by; i++)
        if (timed_is_rough(w->by[i].signal)) return 1;
    return 0;
}

/* The signals that the arguments name, with variables for what is not an argument yet. */
static int gather_signals(timed *w, expr_graph *g) {
    const expression *e = w->e;
    for (int i = 0; i < e->n_args; i++) {
        const bri_arg *a = &e->args[i];
        used *u = w->by;
        if (!a->signal) continue;
        while (u < w->by + w->n_by && u->signal != a->signal) u++;
        if (u == w->by + w->n_by) {
            *u = (used){.signal = a->signal, .variable = {-1, -1, -1, -1}};
            w->n_by++;
        }
        u->variable[a->kind == BRI_ARG_SIGNAL ? 0 : 1] = e->arg[i];
    }
    for (int i = 0; i < w->n_by * ORDERS; i++) {
        int *variable = &w->by[i / ORDERS].variable[i % ORDERS];
        char name[40];
        if (*variable >= 0) continue;
        snprintf(name, sizeof name, "_bend%d_%d", i / ORDERS, i % ORDERS);
        expr_id id = expr_variable(g, name, (expr_dim){0});
        if (id < 0) return 0;
        *variable = expr_at(g, id)->index;
    }
    return 1;
}

/* One more derivative by time; units play no part any more. */
static expr_id derive_once(timed *w, expr_graph *g, expr_id root) {
    expr_id sum = expr_number(g, 0.0, (expr_dim){.any = 1}), slope;
    if (w->t >= 0 && !expr_derive(g, &root, 1, w->t, &sum)) return EXPR_NONE;
    for (int i = 0; i < w->n_by; i++)
        for (int k = 0; k + 1 < ORDERS; k++) {
            expr_id rate = expr_variable_at(g, w->by[i].variable[k + 1]);
            if (!expr_derive(g, &root, 1, w->by[i].variable[k], &slope)) return EXPR_NONE;
            sum = expr_make(g, EXPR_ADD, sum, expr_make(g, EXPR_MUL, slope, rate, EXPR_NONE),
                            EXPR_NONE);
        }
    return sum >= 0 && expr_simplify(g, &sum, 1, &sum) ? sum : EXPR_NONE;
}

static int make_programs(timed *w, expr_graph *g, expr_id root, expression *e) {
    expr_id roots[ORDERS] = {root};
    for (int k = 1; k < ORDERS; k++)
        if ((roots[k] = derive_once(w, g, roots[k - 1])) < 0) return 0;
    for (int i = 0; i < w->n_by; i++)
        w->by[i].third = expr_depends(g, roots[2], w->by[i].variable[3]);
    e->rates = expr_program_new(g, roots, 3, &(expr_compile){0});
    e->bends = expr_program_new(g, roots, ORDERS, &(expr_compile){0});
    return e->rates && e->bends && expr_program_room(e->rates) <= EXPRESSION_ROOM &&
           expr_program_room(e->bends) <= EXPRESSION_ROOM;
}

/* The variable of time; -1: it is no argument. */
static int time_variable(const expression *e) {
    for (int i = 0; i < e->n_args; i++)
        if (e->args[i].kind == BRI_ARG_TIME) return e->arg[i];
    return -1;
}

const bri_signal *timed_signal(reader *r, const node *n, expr_graph *g, expr_id root,
                               expression *e) {
    timed *w = ARENA_NEW(r->memory, timed, 1);
    bri_signal *s = ARENA_NEW(r->memory, bri_signal, 1);
    used *by = ARENA_NEW(r->memory, used, e->n_args + 1);
    const bri_function *f = expression_function(r, e, 0);
    if (!w || !s || !by || !f) {
        report_memory(r);
        return NULL;
    }
    *w = (timed){.next = r->s->timed, .at = n, .e = e, .f = f, .t = time_variable(e), .by = by};
    if (!gather_signals(w, g) || !make_programs(w, g, root, e)) {
        report(r, n, BRI_BAD_VALUE, "%s",
               expr_failure(g) ? expr_failure(g) : "the expression is too long for a signal");
        return NULL;
    }
    r->s->timed = w;
    *s = (bri_signal){.kind = &kind, .data = w};
    return s;
}

void timed_finish(reader *r) {
    const bri_sim_def *def = &r->s->def;
    double span = def->t_end - def->t_start;
    if (r->status != BRI_OK || !(span > 0.0)) return;
    for (timed *w = r->s->timed; w; w = w->next) {
        if (w->f->n_switches == 0) continue;
        double *all = malloc(sizeof *all * MOST_KINKS);
        w->kinks = all;
        w->room = MOST_KINKS;
        w->from = def->t_start;
        w->span = span;
        if (all) scan(w, w->from, w->from + span);
        w->kinks = ARENA_NEW(r->memory, double, w->n_kinks + 1);
        if (all && w->kinks) memcpy(w->kinks, all, sizeof *all * (size_t)w->n_kinks);
        free(all);
        if (!all || !w->kinks) {
            w->n_kinks = 0;
            report_memory(r);
        } else if (w->n_kinks == MOST_KINKS) {
            report(r, w->at, BRI_BAD_VALUE, "it changes over more than %d times until %g s",
                   MOST_KINKS - 1, def->t_end);
        }
    }
}
