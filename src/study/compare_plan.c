/* compare_plan.c - what a comparison consists of: the scenario with each law, the column, the
 * reference, the runs. */
#include "compare_plan.h"

#include "fail.h"
#include "output/columns.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- failures ------------------------------------------------------------------------------ */

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
refuse(study *s, bri_status status, const char *format, ...) {
    s->status = status;
    if (!s->messages) return;
    bri_error *e = &s->messages->message[0];
    va_list rest;
    memset(s->messages, 0, sizeof *s->messages);
    s->messages->count = 1;
    e->status = status;
    va_start(rest, format);
    text_vformat(e->text, sizeof e->text, format, rest);
    va_end(rest);
}

void compare_no_memory(study *s) { refuse(s, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY)); }

/* ---- what is compared ---------------------------------------------------------------------- */

/* The scenario itself. A change may be meant for a law that it does not have, but that is compared:
 * then it is read with a law that leaves out what it does not know. */
static void load_base(study *s) {
    const bri_compare_def *d = s->def;
    bri_scenario_options how = {
        .overrides = d->overrides, .n_overrides = d->n_overrides, .laws = d->known};
    bri_messages *second = NULL;
    s->status = bri_scenario_load(d->scenario, &how, &s->base, s->messages);
    if (s->status == BRI_OK || s->status == BRI_NO_MEMORY) return;
    s->foreign = 1;
    how.model = d->n_laws > 0 ? d->laws[0] : bri_model_find("coulomb");
    second = calloc(1, sizeof *second);
    bri_status status =
        second ? bri_scenario_load(d->scenario, &how, &s->base, second) : BRI_NO_MEMORY;
    free(second);
    if (status == BRI_OK) s->status = BRI_OK;
    if (status == BRI_NO_MEMORY) compare_no_memory(s);
}

/* Where a scenario names no rivals: its own law, and the eight of Pennestri et al. 2016. */
static const char *const usual[] = {"coulomb_tanh", "velocity_based", "dahl",           "lugre",
                                    "stick_slip",   "karnopp",        "elasto_plastic", "gonthier"};
enum { N_USUAL = sizeof usual / sizeof *usual };

static void add_law(study *s, const bri_model *m) {
    for (int i = 0; i < s->n_laws; i++)
        if (s->laws[i] == m) return;
    if (m) s->laws[s->n_laws++] = m;
}

static void choose_laws(study *s) {
    const bri_compare_def *d = s->def;
    int rivals = bri_scenario_rivals(s->base);
    int most = d->n_laws + rivals + N_USUAL + 1;
    s->laws = calloc((size_t)most, sizeof *s->laws);
    if (!s->laws) {
        compare_no_memory(s);
        return;
    }
    for (int i = 0; i < d->n_laws; i++) add_law(s, d->laws[i]);
    for (int i = 0; d->n_laws == 0 && i < rivals; i++) add_law(s, bri_scenario_rival(s->base, i));
    if (s->n_laws > 0) return;
    add_law(s, bri_laws_find(bri_scenario_laws(s->base),
                             bri_scenario_def(s->base)->system.contacts[0].model->name));
    for (int i = 0; i < N_USUAL; i++) add_law(s, bri_model_find(usual[i]));
    snprintf(
        s->c->note, sizeof s->c->note,
        "the scenario names no laws to compare: its own and those of Pennestri et al. 2016 are "
        "taken");
}

void compare_owner(const char *name, char *owner, size_t size) {
    const char *dot = strrchr(name, '.');
    snprintf(owner, size, "%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
}

static int free_body(const bri_system *y) {
    for (int i = 0; i < y->n_bodies; i++)
        if (!y->bodies[i].position && !y->bodies[i].velocity) return i;
    return -1;
}

/* The contact that a column belongs to or that touches its body, else the first one. */
static int choose_contact(const bri_recorder *r, const bri_system *y, const char *column) {
    char owner[64], name[64];
    compare_owner(column, owner, sizeof owner);
    for (int i = 0; i < y->n_contacts; i++) {
        compare_owner(bri_recorder_name(r, contact_column(y, i)), name, sizeof name);
        if (strcmp(name, owner) == 0) return i;
    }
    for (int b = 0; b < y->n_bodies; b++) {
        compare_owner(bri_recorder_name(r, body_column(y, b)), name, sizeof name);
        for (int i = 0; strcmp(name, owner) == 0 && i < y->n_contacts; i++)
            if (y->contacts[i].a == b || y->contacts[i].b == b) return i;
    }
    return 0;
}

/* The unit of a column in some of the laws' recorders; states differ from law to law. */
static const char *column_unit(study *s, const char *column, char unit[32]) {
    for (int i = 0; i < s->n_variants; i++) {
        bri_recorder *r = NULL;
        if (!s->variants[i].s) continue;
        bri_status status = bri_recorder_create(bri_scenario_def(s->variants[i].s), &r, NULL);
        if (status == BRI_NO_MEMORY) compare_no_memory(s);
        if (status != BRI_OK) continue;
        int at = bri_recorder_find(r, column);
        if (at > 0) snprintf(unit, 32, "%s", bri_recorder_unit(r, at));
        bri_recorder_free(r);
        if (at > 0) return unit;
    }
    return NULL;
}

static void no_such_column(study *s, const bri_recorder *r, const char *column) {
    int count = bri_recorder_columns(r);
    const char **names = calloc((size_t)count, sizeof *names), *near = NULL;
    for (int i = 0; names && i < count; i++) names[i] = bri_recorder_name(r, i);
    if (names) near = bri_nearest(column, names + 1, count - 1);
    refuse(s, BRI_NOT_FOUND, "%.100s: there is no column '%.60s'%s%.60s%s", s->def->scenario,
           column, near ? "; did you mean '" : "; 'bristle run' writes all of them",
           near ? near : "", near ? "'?" : "");
    free(names);
}

static void choose_column(study *s) {
    const bri_system *y = &bri_scenario_def(s->base)->system;
    bri_recorder *r = NULL;
    bri_error err;
    bri_compare *c = s->c;
    int body = free_body(y);
    bri_status status = bri_recorder_create(bri_scenario_def(s->base), &r, &err);
    if (status != BRI_OK) {
        refuse(s, status, "%s", err.text);
        return;
    }
    if (s->def->column) {
        snprintf(c->column, sizeof c->column, "%.63s", s->def->column);
    } else if (s->def->measured && s->def->map &&
               (status = bri_measured_ours(s->def->map, c->column, sizeof c->column, &err)) ==
                   BRI_BAD_VALUE) {
        refuse(s, status, "%s", err.text);
    } else if (!c->column[0]) {
        int at = body >= 0 ? body_column(y, body) : contact_column(y, 0) + 1;
        snprintf(c->column, sizeof c->column, "%.63s", bri_recorder_name(r, at));
    }
    if (s->status == BRI_OK && !column_unit(s, c->column, c->unit) && s->status == BRI_OK)
        no_such_column(s, r, c->column);
    if (s->status == BRI_OK) {
        snprintf(c->rate, sizeof c->rate, "%s/s", c->unit);
        s->contact = choose_contact(r, y, c->column);
        int told = contact_column(y, s->contact);
        compare_owner(bri_recorder_name(r, told), c->contact, sizeof c->contact);
        c->rotary = strcmp(bri_recorder_unit(r, told), "rad/s") == 0;
    }
    bri_recorder_free(r);
}

/* ---- laws on the scenario ------------------------------------------------------------------ */

static variant *variant_of(study *s, const bri_model *law) {
    for (int i = 0; i < s->n_variants; i++)
        if (s->variants[i].law == law) return &s->variants[i];
    return NULL;
}

/* One after the other: the database of units is not made for several readers. */
static void load_variants(study *s) {
    const bri_compare_def *d = s->def;
    bri_messages *messages = calloc(1, sizeof *messages);
    s->variants = calloc((size_t)s->n_laws + 1, sizeof *s->variants);
    if (!messages || !s->variants) {
        free(messages);
        compare_no_memory(s);
        return;
    }
    for (int i = 0; i <= s->n_laws; i++) {
        const bri_model *law = i < s->n_laws ? s->laws[i] : s->reference;
        if (!law || variant_of(s, law)) continue;
        variant *v = &s->variants[s->n_variants++];
        const bri_scenario_options how = {.overrides = d->overrides,
                                          .n_overrides = d->n_overrides,
                                          .model = law,
                                          .laws = d->known};
        v->law = law;
        v->err.status = bri_scenario_load(d->scenario, &how, &v->s, messages);
        if (v->err.status != BRI_OK)
            snprintf(v->err.text, sizeof v->err.text, "%s", messages->message[0].text);
        if (v->err.status == BRI_NO_MEMORY)
            compare_no_memory(s); /* it says nothing about the law */
    }
    free(messages);
}

/* Nonzero: no contact of any law that is compared has a use for the parameter. */
static int is_lost(const study *s, const char *name) {
    int readable = 0;
    for (int i = 0; i < s->n_variants; i++) {
        if (!s->variants[i].s || i >= s->n_laws) continue; /* the reference may be the last one */
        readable = 1;
        int n_contacts = bri_scenario_def(s->variants[i].s)->system.n_contacts, lost = 0, count;
        for (int c = 0; c < n_contacts && !lost; c++) {
            const bri_lost *list = bri_scenario_lost(s->variants[i].s, c, &count);
            for (int k = 0; k < count; k++) lost |= strcmp(list[k].name, name) == 0;
        }
        if (!lost) return 0;
    }
    return readable;
}

/* A change that none of the laws can take is a mistake, as it is for the law of the file alone. */
static void refuse_foreign(study *s) {
    const bri_compare_def *d = s->def;
    for (int i = 0; s->foreign && i < d->n_overrides; i++) {
        const char *dot = strrchr(d->overrides[i].key, '.');
        if (!dot || !is_lost(s, dot + 1)) continue;
        refuse(s, BRI_NOT_FOUND, "%.100s: %.60s: none of the laws compared has such a parameter",
               d->scenario, d->overrides[i].key);
        return;
    }
}

/* ---- the runs ------------------------------------------------------------------------------ */

static void add_run(study *s, bri_compare_row *row, const bri_model *law, const bri_solver *solver,
                    double rtol, int exact) {
    *row = (bri_compare_row){.solver = solver, .rtol = rtol};
    snprintf(row->law, sizeof row->law, "%.63s", law->name);
    bri_fail(&row->err, BRI_NO_PROGRESS, "interrupted"); /* until it is run */
    s->runs[s->n_runs++] = (run){variant_of(s, law), row, exact};
}

static void plan(study *s) {
    const bri_compare_def *d = s->def;
    const bri_sim_def *base = bri_scenario_def(s->base);
    const bri_solver *own_solver = base->solver ? base->solver : bri_solver_find("rosenbrock");
    const bri_solver *exact = bri_solver_find("event_driven");
    const bri_solver *const *solvers = d->n_solvers > 0 ? d->solvers : &own_solver;
    const double *rtol = d->n_rtol > 0 ? d->rtol : &base->rtol;
    int n_solvers = d->n_solvers > 0 ? d->n_solvers : 1, n_rtol = d->n_rtol > 0 ? d->n_rtol : 1;
    int most = s->n_laws * n_solvers * n_rtol, several = n_solvers * n_rtol > 1;
    s->c->rows = calloc((size_t)most, sizeof *s->c->rows);
    s->runs = calloc((size_t)(most + s->n_laws + 1), sizeof *s->runs);
    s->share = calloc((size_t)(most + s->n_laws + 1), sizeof *s->share);
    if (several) s->own = calloc((size_t)s->n_laws, sizeof *s->own);
    if (!s->c->rows || !s->runs || !s->share || (several && !s->own)) {
        compare_no_memory(s);
        return;
    }
    s->tight = 1e-10;
    for (int i = 0; i < n_rtol; i++) s->tight = fmin(s->tight, 0.01 * rtol[i]);
    s->tight = fmax(s->tight, 1e-12);
    if (s->reference) add_run(s, &s->c->exact, s->reference, exact, s->tight, 1);
    for (int i = 0; i < s->n_laws; i++) {
        if (several) add_run(s, &s->own[i], s->laws[i], exact, s->tight, 1);
        for (int k = 0; k < n_solvers; k++)
            for (int j = 0; j < n_rtol; j++) {
                int fixed = bri_solver_fixed_step(solvers[k]);
                if (fixed && j > 0) continue;
                add_run(s, &s->c->rows[s->c->n_rows++], s->laws[i], solvers[k],
                        fixed ? NAN : rtol[j], 0);
            }
    }
}

static void take_times(study *s) {
    bri_rows rows = bri_rows_of(bri_scenario_def(s->base), bri_scenario_output(s->base));
    s->c->n_times = rows.count;
    s->c->t = calloc((size_t)rows.count, sizeof *s->c->t);
    if (!s->c->t) compare_no_memory(s);
    for (long i = 0; s->c->t && i < rows.count; i++) s->c->t[i] = bri_row_time(&rows, i);
}

static void describe_reference(study *s) {
    bri_compare *c = s->c;
    if (s->def->measured) {
        snprintf(c->reference, sizeof c->reference, "%.150s", s->def->measured);
        return;
    }
    text_format(c->reference, sizeof c->reference, "%s, %s, rtol %g", s->reference->name,
                bri_solver_name(c->exact.solver), s->tight);
}

static void read_measured(study *s) {
    bri_error err;
    bri_compare *c = s->c;
    const bri_measured *m = &c->measured;
    if (!s->def->measured) return;
    bri_status status =
        bri_measured_read(&c->measured, s->def->measured, s->def->map, c->column, c->unit, &err);
    if (status != BRI_OK) {
        refuse(s, status, "%s", err.text);
        return;
    }
    double first = m->t[0] + s->def->shift, last = m->t[m->count - 1] + s->def->shift;
    if (!s->def->find_shift && (first > c->t[c->n_times - 1] || last < c->t[0]))
        refuse(s, BRI_BAD_VALUE, "%.100s: its times, %g to %g s%s, do not meet the run, %g to %g s",
               s->def->measured, first, last, s->def->shift != 0.0 ? " with the shift" : "",
               c->t[0], c->t[c->n_times - 1]);
}

void compare_plan(study *s) {
    const char *title;
    load_base(s);
    if (s->status != BRI_OK) return;
    if (bri_scenario_def(s->base)->system.n_contacts == 0) {
        refuse(s, BRI_BAD_VALUE, "%.200s: there is no contact, so that no law makes a difference",
               s->def->scenario);
        return;
    }
    snprintf(s->c->scenario, sizeof s->c->scenario, "%.199s", s->def->scenario);
    title = bri_scenario_title(s->base);
    snprintf(s->c->title, sizeof s->c->title, "%.199s", title && *title ? title : s->def->scenario);
    s->c->cycle = compare_cycle(bri_scenario_def(s->base));
    if (!s->def->measured) {
        s->reference = s->def->reference ? s->def->reference : bri_scenario_reference(s->base);
        if (!s->reference) s->reference = bri_model_find("coulomb");
    }
    choose_laws(s);
    if (s->status == BRI_OK) load_variants(s);
    if (s->status == BRI_OK) refuse_foreign(s);
    if (s->status == BRI_OK) choose_column(s);
    if (s->status == BRI_OK) take_times(s);
    if (s->status == BRI_OK) read_measured(s);
    if (s->status == BRI_OK) plan(s);
    if (s->status == BRI_OK) describe_reference(s);
}
