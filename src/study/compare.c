/* compare.c - laws x solvers x tolerances of one scenario, against a reference: all runs, side by
 * side. */
#define _POSIX_C_SOURCE 200809L
#include "compare_plan.h"

#include "fail.h"
#include "memtext.h"
#include "output/columns.h"
#include "scenario/tell.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- laws ---------------------------------------------------------------------------------- */

/* The law with its parameters in the contact that is told of. */
static void measure_traits(void *context, int i) {
    study *s = context;
    variant *v = &s->variants[i];
    if (!v->s) return;
    const bri_contact *c = &bri_scenario_def(v->s)->system.contacts[s->contact];
    bri_setup setup;
    bri_setup_init(&setup, c->model);
    memcpy(setup.p, c->p, sizeof setup.p);
    setup.load = c->load == BRI_LOAD_CONSTANT ? c->n
                 : c->load == BRI_LOAD_SIGNAL ? bri_signal_value(c->n_of_t, 0.0)
                                              : c->model->load;
    if (!(setup.load > 0.0)) setup.load = c->model->load;
    v->traits = bri_measure_traits(&setup);
}

/* ---- one run ------------------------------------------------------------------------------- */

/* What a run asks and tells while it goes on. */
typedef struct look {
    study *s;
    int run;
    double began;
    int late; /* nonzero: it has taken longer than it may */
} look;

static int stop_run(void *context) {
    look *l = context;
    if (told_to_stop(l->s->watch)) return 1;
    l->late = l->s->def->limit > 0.0 && processor_time() - l->began > l->s->def->limit;
    return l->late;
}

static void tell_share(study *s, int i, double share) {
    const bri_watch *w = s->watch;
    if (!w || !w->progress) return;
    double all = 0.0;
    pthread_mutex_lock(&s->lock);
    s->share[i] = share;
    for (int k = 0; k < s->n_runs; k++) all += s->share[k];
    w->progress(w->context, fmin(all / s->n_runs, 1.0));
    pthread_mutex_unlock(&s->lock);
}

static void tell_progress(void *context, double share) {
    look *l = context;
    long now = (long)(share * 100.0), before = (long)(l->s->share[l->run] * 100.0);
    if (now > before) tell_share(l->s, l->run, share);
}

static void list_parameters(const bri_contact *c, char *text, size_t size) {
    const bri_model *m = c->model;
    size_t used = 0;
    for (int i = 0; i < m->n_params && used < size; i++) {
        const char *unit = strcmp(m->params[i].unit, "1") == 0 ? "" : m->params[i].unit;
        int n = text_format(text + used, size - used, "%s%s %.6g%s%s", i ? ", " : "",
                            m->params[i].name, c->p[i], *unit ? " " : "", unit);
        if (n > 0) used += (size_t)n;
    }
}

/* The lists of what is told of the law's parameters, all contacts one after the other. 0 if there
 * is no memory. */
static int list_told(const bri_scenario *s, int (*list)(FILE *, const told *), char *text,
                     size_t size) {
    int contacts = scenario_told(s, 1) ? 2 : 1, any = 0, complete = 1;
    const told *t;
    memtext whole;
    FILE *out = memtext_open(&whole);
    for (int i = 0; out && (t = scenario_told(s, i)) != NULL; i++) {
        memtext m;
        FILE *to = memtext_open(&m);
        int count = to ? list(to, t) : 0;
        char *one = memtext_close(&m);
        if (!one) {
            complete = 0;
            break;
        }
        if (count > 0 && any++) fputs("; ", out);
        if (count > 0 && contacts > 1) fprintf(out, "%s: ", told_name(t));
        if (count > 0) fputs(one, out);
        free(one);
    }
    char *all = memtext_close(&whole);
    snprintf(text, size, "%s", all ? all : "");
    free(all);
    return complete && all;
}

static int tell_parameters(bri_compare_row *row, const bri_scenario *s) {
    return list_told(s, tell_lost, row->lost, sizeof row->lost) &&
           list_told(s, tell_derived, row->derived, sizeof row->derived) &&
           list_told(s, tell_invented, row->invented, sizeof row->invented);
}

static void explain(bri_compare_row *row, const look *l, const bri_trace *t) {
    row->err = t->err;
    if (l->late)
        bri_fail(&row->err, BRI_NO_PROGRESS,
                 "stopped at t = %.4g s after %.3g s of processor time, which is the limit",
                 t->stats.t, l->s->def->limit);
}

/* The run may be made twice more, with tighter tolerances: as many evaluations of laws as take
 * about half a second. Counted, not timed: what is found must not depend on the machine. */
static int is_bearable(const bri_trace *t, const bri_sim_def *def) {
    const double most = 1e6;
    return (double)t->stats.evals * fmax(1.0, def->system.n_contacts) < most;
}

static void run_one(void *context, int i) {
    study *s = context;
    const run *r = &s->runs[i];
    bri_compare_row *row = r->row;
    if (!r->law->s) {
        row->err = r->law->err;
        tell_share(s, i, 1.0);
        return;
    }
    bri_sim_def def = *bri_scenario_def(r->law->s);
    const double quick = 0.05; /* [s] */
    look l = {s, i, processor_time(), 0};
    const bri_watch watch = {&l, stop_run, tell_progress};
    bri_trace t;
    def.solver = row->solver;
    if (isfinite(row->rtol)) def.rtol = row->rtol;
    if (r->exact) def.atol = 0.0;
    row->err = (bri_error){0};
    row->traits = r->law->traits;
    list_parameters(&def.system.contacts[s->contact], row->parameters, sizeof row->parameters);
    int told_all = tell_parameters(row, r->law->s);
    if (bri_trace_run(&t, &def, bri_scenario_output(s->base), &watch) != BRI_OK)
        explain(row, &l, &t);
    else
        compare_measure(row, s->c, &t, s->contact, contact_column(&def.system, s->contact));
    row->stats = t.stats;
    row->seconds = t.seconds;
    if (row->err.status == BRI_OK && !r->exact && t.seconds < quick) {
        double alone = bri_time_run(&def);
        if (isfinite(alone)) row->seconds = alone;
    }
    row->unsettled = NAN;
    if (row->err.status == BRI_OK && !r->exact && isfinite(row->rtol) && is_bearable(&t, &def)) {
        const bri_watch quiet = {&l, stop_run, NULL};
        row->unsettled = compare_unsettled(&t, &def, bri_scenario_output(s->base), s->c->column,
                                           &quiet, &row->err);
    }
    if (!told_all) bri_fail(&row->err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    bri_trace_free(&t);
    tell_share(s, i, 1.0);
}

static void compare_one(void *context, int i) {
    study *s = context;
    bri_compare_row *row = &s->c->rows[i];
    const bri_compare_row *own = NULL;
    for (int k = 0; s->own && k < s->n_laws; k++)
        if (strcmp(s->own[k].law, row->law) == 0) own = &s->own[k];
    compare_difference(row, s->c, s->def, own);
}

/* Psi_i = 100 T_i / T_max (Pennestri et al. 2016, eq. 31). */
static void relate_times(bri_compare *c) {
    double most = 0.0;
    for (int i = 0; i < c->n_rows; i++)
        if (c->rows[i].err.status == BRI_OK) most = fmax(most, c->rows[i].seconds);
    for (int i = 0; i < c->n_rows; i++)
        c->rows[i].Psi = c->rows[i].err.status == BRI_OK && most > 0.0
                             ? 100.0 * (c->rows[i].seconds / most)
                             : NAN;
}

/* ---- all of them --------------------------------------------------------------------------- */

static void do_all(study *s) {
    bri_compare *c = s->c;
    bri_watch quiet = {0};
    if (s->watch) quiet = (bri_watch){s->watch->context, s->watch->stop, NULL};
    bri_parallel(s->n_variants, s->def->threads, measure_traits, s, &quiet);
    bri_parallel(s->n_runs, s->def->threads, run_one, s, &quiet);
    compare_reference(c);
    bri_parallel(c->n_rows, s->def->threads, compare_one, s, NULL);
    relate_times(c);
    int lacking = !compare_advise(c) || c->exact.err.status == BRI_NO_MEMORY;
    for (int i = 0; i < c->n_rows; i++) lacking |= c->rows[i].err.status == BRI_NO_MEMORY;
    for (int i = 0; s->own && i < s->n_laws; i++) lacking |= s->own[i].err.status == BRI_NO_MEMORY;
    if (lacking) compare_no_memory(s); /* it says nothing about the laws */
}

static void row_free(bri_compare_row *row) { free(row->y); /* the others lie behind it */ }

static void study_end(study *s) {
    for (int i = 0; i < s->n_variants; i++) bri_scenario_free(s->variants[i].s);
    for (int i = 0; s->own && i < s->n_laws; i++) row_free(&s->own[i]);
    bri_scenario_free(s->base);
    free(s->laws);
    free(s->variants);
    free(s->runs);
    free(s->own);
    free(s->share);
    pthread_mutex_destroy(&s->lock);
}

bri_status bri_compare_run(const bri_compare_def *def, const bri_watch *watch, bri_compare **to,
                           bri_messages *messages) {
    study s = {.def = def, .watch = watch, .messages = messages};
    *to = NULL;
    if (messages) memset(messages, 0, sizeof *messages);
    pthread_mutex_init(&s.lock, NULL);
    s.c = calloc(1, sizeof *s.c);
    if (s.c)
        compare_plan(&s);
    else
        compare_no_memory(&s);
    if (s.status == BRI_OK) do_all(&s);
    study_end(&s);
    if (s.status == BRI_OK)
        *to = s.c;
    else
        bri_compare_free(s.c);
    return s.status;
}

void bri_compare_free(bri_compare *c) {
    if (!c) return;
    for (int i = 0; c->rows && i < c->n_rows; i++) row_free(&c->rows[i]);
    for (int i = 0; i < c->n_advice; i++) free(c->advice[i]);
    row_free(&c->exact);
    bri_measured_free(&c->measured);
    free(c->advice);
    free(c->rows);
    free(c->t);
    free(c);
}

int bri_compare_good(const bri_compare *c) {
    int good = 0;
    for (int i = 0; i < c->n_rows; i++) good += c->rows[i].err.status == BRI_OK;
    return good;
}
