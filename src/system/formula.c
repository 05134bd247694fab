/* formula.c - functions of time and motion within a network. */
#include "formula.h"

#include "network.h"
#include "signal.h"
#include <math.h>
#include <string.h>

/* ---- making one ---------------------------------------------------------------------------- */

/* The coordinates of an argument: the first counts, the second is taken away. */
static void find_coordinates(const network *net, const bri_arg *arg, formula_arg *to) {
    const touch *c = NULL;
    to->coordinate[0] = to->coordinate[1] = -1;
    switch (arg->kind) {
    case BRI_ARG_X:
    case BRI_ARG_V:
        to->coordinate[0] = net->body_x[arg->index];
        break;
    case BRI_ARG_Z:
    case BRI_ARG_VZ:
        to->coordinate[0] = net->body_z[arg->index];
        break;
    case BRI_ARG_SLIDING_X:
    case BRI_ARG_SLIDING_V:
        c = &net->touches[arg->index];
        to->coordinate[0] = c->a;
        to->coordinate[1] = c->b;
        break;
    default:
        break;
    }
    to->order = arg->kind == BRI_ARG_V || arg->kind == BRI_ARG_VZ || arg->kind == BRI_ARG_SLIDING_V;
}

/* The place of a free coordinate in the list of the formula, a new one if it is not there. */
static int place_of(formula *f, int at) {
    int i = 0;
    while (i < f->n_at && f->at[i] != at) i++;
    if (i == f->n_at) f->at[f->n_at++] = at;
    return i;
}

/* Where the value of an argument is found. */
static formula_read read_of(const network *net, const formula *f, int i) {
    static const double nothing;
    const formula_arg *arg = &f->args[i];
    const double *from = arg->order ? net->vel : net->pos;
    formula_read to = {.less = &nothing, .to = i};
    if (arg->kind == BRI_ARG_TIME)
        to.at = net->now;
    else if (arg->clock)
        to.at = &arg->clock->rate[arg->kind == BRI_ARG_SIGNAL ? 1 : 2];
    else if (arg->kind == BRI_ARG_LENGTH || arg->kind == BRI_ARG_LENGTH_RATE)
        to.at = arg->kind == BRI_ARG_LENGTH ? &f->L : &f->rate;
    else
        to.at = from + arg->coordinate[0];
    if (arg->coordinate[1] >= 0) to.less = from + arg->coordinate[1];
    return to;
}

/* The free coordinates that an argument depends on, and how. */
static void find_places(const network *net, formula *f, formula_arg *arg) {
    for (int end = 0; end < 2; end++) {
        int at = arg->coordinate[end], root = at >= 0 ? network_root(net, at) : -1;
        arg->place[end] = root >= 0 && root < net->n_free ? place_of(f, root) : -1;
        arg->by[end] = at >= 0 ? (end == 0 ? 1.0 : -1.0) * network_lever(net, at) : 0.0;
    }
}

static const double as_they_are[BRI_FUNCTION_SWITCHES];

/* Of an affine function: its slopes, once for all, and where it starts from. */
static void find_slopes(formula *f) {
    f->start = f->f.eval(f->f.data, f->in, as_they_are, f->slope);
    f->f.affine = isfinite(f->start);
    for (int k = 0; k < f->n_reads; k++) {
        formula_read *r = &f->reads[k];
        r->slope = f->slope[r->to];
        if (!isfinite(r->slope)) f->f.affine = 0;
    }
}

void formula_create(network *net, formula *to, const bri_system *s, const bri_function *f,
                    const char *name) {
    arena *memory = &net->memory;
    size_t n = (size_t)f->n_args, ends = 2 * n + 1;
    *to = (formula){.f = *f, .name = name};
    to->f.args = NULL; /* not needed any more */
    to->args = ARENA_NEW(memory, formula_arg, n);
    to->reads = ARENA_NEW(memory, formula_read, n);
    to->in = ARENA_NEW(memory, double, n + 1);
    to->slope = ARENA_NEW(memory, double, n + 1);
    to->side = ARENA_NEW(memory, double, f->n_switches + 1);
    to->at = ARENA_NEW(memory, int, ends);
    to->by_pos = ARENA_NEW(memory, double, ends);
    to->by_vel = ARENA_NEW(memory, double, ends);
    to->by = ARENA_NEW(memory, double, ends);
    if (memory->failed) return;
    for (int i = 0; i < f->n_args; i++) {
        formula_arg *arg = &to->args[i];
        *arg = (formula_arg){.kind = f->args[i].kind};
        if (f->args[i].signal) {
            clocked *clock = ARENA_NEW(memory, clocked, 1);
            arg->signal = signal_keep(memory, f->args[i].signal);
            if (memory->failed) return;
            clock->line = signal_line_of(arg->signal, net->t_start, net->t_end);
            clock->next = net->clocks;
            arg->clock = net->clocks = clock;
        }
        find_coordinates(net, &f->args[i], arg);
        find_places(net, to, arg);
        if (arg->kind == BRI_ARG_PARAMETER)
            to->in[i] = s->parameters[f->args[i].index].value;
        else
            to->reads[to->n_reads++] = read_of(net, to, i);
    }
    if (to->f.affine) find_slopes(to);
}

/* ---- evaluation ---------------------------------------------------------------------------- */

void formula_gather(formula *f) {
    double *in = f->in;
    for (const formula_read *r = f->reads, *end = r + f->n_reads; r < end; r++)
        in[r->to] = *r->at - *r->less;
}

/* Past a switch the frozen side may leave the range of a root or logarithm: as it is, then. */
static inline void evaluate(const network *net, formula *f, double *slope) {
    const double *side = net->as_is ? as_they_are : f->side;
    formula_gather(f);
    f->value = f->f.eval(f->f.data, f->in, side, slope);
    if (!isfinite(f->value)) f->value = f->f.eval(f->f.data, f->in, as_they_are, slope);
}

/* The value of an affine function, whose arguments need not be gathered. */
static inline double sum_up(formula *f) {
    double sum = f->start;
    for (const formula_read *r = f->reads, *end = r + f->n_reads; r < end; r++)
        sum += r->slope * (*r->at - *r->less);
    return f->value = sum;
}

double formula_value(const network *net, formula *f) {
    if (f->f.affine) return sum_up(f);
    evaluate(net, f, NULL);
    return f->value;
}

/* Change per second of an argument through time alone; for order 0 and 1 of coordinates that are
 * not free. */
static double arg_rate(const network *net, const formula_arg *arg) {
    double sum = 0.0;
    if (arg->kind == BRI_ARG_TIME) return 1.0;
    if (arg->clock) return arg->clock->rate[arg->kind == BRI_ARG_SIGNAL ? 2 : 3];
    for (int end = 0; end < 2; end++)
        if (arg->coordinate[end] >= 0 && arg->place[end] < 0) {
            int root = network_root(net, arg->coordinate[end]);
            sum += arg->by[end] * (arg->order ? net->acc : net->vel)[root];
        }
    return sum;
}

double formula_slopes(const network *net, formula *f) {
    if (f->f.affine)
        sum_up(f);
    else
        evaluate(net, f, f->slope);
    f->by_t = f->by_L = f->by_rate = 0.0;
    for (int i = 0; i < f->n_at; i++) f->by_pos[i] = f->by_vel[i] = 0.0;
    for (int k = 0; k < f->n_reads; k++) {
        int i = f->reads[k].to;
        const formula_arg *arg = &f->args[i];
        double slope = f->slope[i];
        if (arg->kind == BRI_ARG_LENGTH) f->by_L += slope;
        if (arg->kind == BRI_ARG_LENGTH_RATE) f->by_rate += slope;
        if (slope == 0.0) continue;
        f->by_t += slope * arg_rate(net, arg);
        for (int end = 0; end < 2; end++)
            if (arg->place[end] >= 0)
                (arg->order ? f->by_vel : f->by_pos)[arg->place[end]] += slope * arg->by[end];
    }
    return f->value;
}

void formula_switches(const formula *f, double *g) {
    if (f->f.n_switches > 0) f->f.switches(f->f.data, f->in, g);
}

double formula_pace(const network *net, const formula *f) {
    double rate[BRI_FUNCTION_ARGS];
    if (!f->f.pace) return 0.0;
    for (int i = 0; i < f->f.n_args; i++) {
        const formula_arg *arg = &f->args[i];
        rate[i] = arg_rate(net, arg);
        for (int end = 0; end < 2; end++)
            if (arg->place[end] >= 0 && !arg->order)
                rate[i] += arg->by[end] * net->vel[f->at[arg->place[end]]];
    }
    double pace = f->f.pace(f->f.data, f->in, rate);
    return isfinite(pace) ? pace : 0.0;
}

/* ---- what a definition must not be --------------------------------------------------------- */

const char *formula_check(const bri_system *s, const bri_function *f, int tension) {
    if (!f->eval) return "a function has no eval";
    if (f->n_args < 0 || f->n_args > BRI_FUNCTION_ARGS || (f->n_args > 0 && !f->args))
        return "a function has no arguments, or too many";
    if (f->n_switches < 0 || f->n_switches > BRI_FUNCTION_SWITCHES ||
        (f->n_switches > 0 && !f->switches))
        return "a function has no switches, or too many";
    for (int i = 0; i < f->n_args; i++) {
        const bri_arg *arg = &f->args[i];
        int signal = arg->kind == BRI_ARG_SIGNAL || arg->kind == BRI_ARG_SIGNAL_RATE;
        int length = arg->kind == BRI_ARG_LENGTH || arg->kind == BRI_ARG_LENGTH_RATE;
        int sliding = arg->kind == BRI_ARG_SLIDING_X || arg->kind == BRI_ARG_SLIDING_V;
        int parameter = arg->kind == BRI_ARG_PARAMETER;
        int count = sliding ? s->n_contacts : parameter ? s->n_parameters : s->n_bodies;
        if (arg->kind < BRI_ARG_TIME || arg->kind > BRI_ARG_PARAMETER)
            return "an argument of a function has no such kind";
        if (signal != (arg->signal != NULL)) return "an argument of a function has no signal";
        if (signal || arg->kind == BRI_ARG_TIME) continue;
        if (!parameter && length != tension)
            return tension ? "a tension depends on length, its rate, time and signals alone"
                           : "only the tension of a coupling depends on its length";
        if (!length && (arg->index < 0 || arg->index >= count))
            return "an argument of a function names no body, contact or parameter";
    }
    return NULL;
}
