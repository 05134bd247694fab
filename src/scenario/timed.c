/* timed.c - signals made of expressions: f(t, s1(t), s1'(t), ...) with its exact derivatives.
 *
 * The derivative by time is that of the graph, D f = df/dt + sum df/ds s' + df/ds' s'' + ...; what
 * a signal has no rate for any more counts by differences, and only where solvers ask for bounds or
 * for the change of an acceleration. Corners and jumps are those of the switches, see expression.c;
 * over the time of the run all of them are found when the file is read. */
#include "expression.h"
#include "timed_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS = TIMED_ORDERS, MOST_KINKS = 100000 };

const char *timed_text(const bri_signal *s) {
    return s->kind == &timed_kind ? ((const timed *)s->data)->e->text : NULL;
}

int timed_is_rough(const bri_signal *s) {
    for (int i = 0; s->parts && i < s->count; i++)
        if (timed_is_rough(&s->parts[i])) return 1;
    if (s->kind != &timed_kind) return 0;
    const timed *w = s->data;
    for (int i = 0; i < w->e->n_args; i++)
        if (w->e->args[i].kind == BRI_ARG_SIGNAL_RATE) return 1;
    for (int i = 0; i < w->n_by; i++)
        if (timed_is_rough(w->by[i].signal)) return 1;
    return 0;
}

/* The signals that the arguments name, with variables for what is not an argument yet. */
static int gather_signals(timed *w, expr_graph *g) {
    const expression *e = w->e;
    for (int i = 0; i < e->n_args; i++) {
        const bri_arg *a = &e->args[i];
        timed_use *u = w->by;
        if (!a->signal) continue;
        while (u < w->by + w->n_by && u->signal != a->signal) u++;
        if (u == w->by + w->n_by) {
            *u = (timed_use){.signal = a->signal, .variable = {-1, -1, -1, -1}};
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
    timed_use *by = ARENA_NEW(r->memory, timed_use, e->n_args + 1);
    if (!w || !s || !by) {
        report_memory(r);
        return NULL;
    }
    *w = (timed){.next = r->s->timed, .at = n, .e = e, .t = time_variable(e), .by = by};
    if (!gather_signals(w, g) || !make_programs(w, g, root, e)) {
        report(r, n, BRI_BAD_VALUE, "%s",
               expr_failure(g) ? expr_failure(g) : "the expression is too long for a signal");
        return NULL;
    }
    r->s->timed = w;
    *s = (bri_signal){.kind = &timed_kind, .data = w};
    return s;
}

void timed_finish(reader *r) {
    const bri_sim_def *def = &r->s->def;
    double span = def->t_end - def->t_start;
    if (r->status != BRI_OK || !(span > 0.0)) return;
    for (timed *w = r->s->timed; w; w = w->next) {
        if (w->e->n_switches == 0) continue;
        double *all = malloc(sizeof *all * MOST_KINKS);
        w->kinks = all;
        w->room = MOST_KINKS;
        w->from = def->t_start;
        w->span = span;
        if (all) timed_scan(w, w->from, w->from + span);
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
