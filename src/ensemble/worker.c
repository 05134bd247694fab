/* worker.c - one thread's scenario and simulation. Points are set by address and reset; the
 * scenario is read again only where a law or solver changes, or where its file has rules that
 * depend on what is varied (a level that follows another, a damping derived from a mass). */
#include "ensemble.h"

#include "../study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 10000000 }; /* of a run, where the scenario has no limit */

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* ---- the worker ----------------------------------------------------------------------------- */

struct worker {
    const bri_sweep *s;
    int variant; /* that is loaded; -1: none */
    bri_scenario *scenario;
    bri_sim *sim;
    bri_sim_def def;
    bri_recorder *recorder; /* of the columns that are measured */
    bri_recorder *all;      /* of every column, if runs are kept */
    gauge *gauge;
    double *x, *loaded; /* values of the axes; of those that were loaded */
    double *data, *row; /* rows of the run, column after column */
    const double **column;
    long room;
    int *place;   /* of each needed column in a row of the recorder */
    double *slid; /* per contact: time of sliding, then its share */
    long *starts, *stops;
    char *slides;
    double *event_force; /* per contact: largest at an event */
    bri_sliding *sliding;
    double slip_speed;
    int as_it_stands; /* nonzero: the axes are not set */
};

worker *worker_new(const bri_sweep *s) {
    worker *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    size_t axes = (size_t)s->design.n_axes + 1;
    *w = (worker){.s = s,
                  .variant = -1,
                  .x = calloc(axes, sizeof *w->x),
                  .loaded = calloc(axes, sizeof *w->x)};
    if (s->meter) {
        size_t columns = (size_t)meter_n_columns(s->meter);
        w->gauge = gauge_new(s->meter);
        w->column = calloc(columns, sizeof *w->column);
        w->place = calloc(columns, sizeof *w->place);
    }
    if (w->x && w->loaded && (!s->meter || (w->gauge && w->column && w->place))) return w;
    worker_free(w);
    return NULL;
}

static void unload(worker *w) {
    bri_recorder_free(w->recorder);
    bri_recorder_free(w->all);
    bri_sim_free(w->sim);
    bri_scenario_free(w->scenario);
    free(w->row);
    free(w->slid);
    free(w->starts);
    free(w->stops);
    free(w->slides);
    free(w->event_force);
    free(w->sliding);
    w->recorder = w->all = NULL;
    w->sim = NULL;
    w->scenario = NULL;
    w->row = w->slid = NULL;
    w->starts = w->stops = NULL;
    w->slides = NULL;
    w->event_force = NULL;
    w->sliding = NULL;
    w->variant = -1;
}

void worker_free(worker *w) {
    if (!w) return;
    unload(w);
    gauge_free(w->gauge);
    free(w->column);
    free(w->place);
    free(w->x);
    free(w->loaded);
    free(w->data);
    free(w);
}

/* The columns that are measured, in the order of the recorder. */
static bri_status choose_columns(worker *w, bri_error *err) {
    const meter *m = w->s->meter;
    line list = {0};
    bri_status status = bri_recorder_create(&w->def, &w->recorder, err);
    for (int i = 0; i < meter_n_columns(m) && status == BRI_OK; i++) {
        const char *name = meter_column(m, i);
        if (bri_recorder_find(w->recorder, name) < 0)
            status = bri_fail(err, BRI_NOT_FOUND, "there is no column %s here", name);
        else if (!line_text(&list, i > 0 ? "," : "") || !line_text(&list, name))
            status = no_memory(err);
    }
    if (status == BRI_OK) status = bri_recorder_select(w->recorder, list.text, err);
    for (int i = 0; i < meter_n_columns(m) && status == BRI_OK; i++)
        w->place[i] = bri_recorder_find(w->recorder, meter_column(m, i));
    free(list.text);
    if (status == BRI_OK && w->s->def.keep) status = bri_recorder_create(&w->def, &w->all, err);
    int most = status ? 0 : bri_recorder_columns(w->all ? w->all : w->recorder);
    if (status == BRI_OK && !(w->row = calloc((size_t)most, sizeof *w->row)))
        status = no_memory(err);
    return status;
}

static bri_status load(worker *w, int which, bri_error *err) {
    bri_messages *messages = calloc(1, sizeof *messages); /* too large for the stack of a thread */
    unload(w);
    if (!messages) return no_memory(err);
    bri_status status = load_variant(w->s, &w->s->variants[which], w->as_it_stands ? NULL : w->x,
                                     -1, &w->scenario, messages);
    if (status != BRI_OK) {
        const char *why = messages->count > 0 ? messages->message[0].text : bri_status_text(status);
        bri_fail(err, status, "%s", why);
    }
    free(messages);
    if (status != BRI_OK) return status;
    w->def = *bri_scenario_def(w->scenario);
    w->def.event_room = meter_wants_slips(w->s->meter) & LOOK_AT_EVENTS ? 0 : -1;
    if (w->def.max_steps == 0) w->def.max_steps = MOST_STEPS;
    status = bri_sim_create(&w->def, &w->sim, err);
    if (status == BRI_OK) status = choose_columns(w, err);
    size_t contacts = (size_t)w->def.system.n_contacts + 1;
    w->slid = calloc(contacts, sizeof *w->slid);
    w->starts = calloc(contacts, sizeof *w->starts);
    w->stops = calloc(contacts, sizeof *w->stops);
    w->slides = calloc(contacts, 1);
    w->event_force = calloc(contacts, sizeof *w->event_force);
    w->sliding = calloc(contacts, sizeof *w->sliding);
    if (status == BRI_OK &&
        !(w->slid && w->starts && w->stops && w->slides && w->event_force && w->sliding))
        status = no_memory(err);
    if (status != BRI_OK) return status;
    w->variant = which;
    memcpy(w->loaded, w->x, (size_t)w->s->design.n_axes * sizeof *w->x);
    return BRI_OK;
}

/* Whether what is loaded serves the point, but for numbers that have an address. */
static int loaded(const worker *w, int which) {
    if (w->variant != which) return 0;
    for (int i = 0; i < w->s->design.n_axes; i++)
        if (w->s->variants[which].by_key[i] && w->x[i] != w->loaded[i]) return 0;
    return 1;
}

/* Every member of an array with its own value. */
static bri_status set_members(worker *w, const variant *v, int i, long sample, bri_error *err) {
    bri_status status = BRI_OK;
    for (int m = 0; m < v->ref[i].count && status == BRI_OK; m++) {
        bri_ref one = v->ref[i];
        one.element += m;
        one.count = 1;
        status = bri_sim_set(w->sim, one, design_member(&w->s->design, i, sample, m), err);
    }
    return status;
}

static bri_status set_point(worker *w, int which, const place_in *at, bri_error *err) {
    const variant *v = &w->s->variants[which];
    const design *d = &w->s->design;
    bri_ref refs[MOST_AXES];
    double values[MOST_AXES];
    int count = 0;
    bri_status status = loaded(w, which) ? BRI_OK : load(w, which, err);
    for (int i = 0; i < d->n_axes && status == BRI_OK; i++) {
        if (v->by_key[i] || d->axes[i].kind == AXIS_EACH) continue;
        refs[count] = v->ref[i];
        values[count++] = w->x[i];
    }
    if (status == BRI_OK && count > 0) status = bri_sim_set_all(w->sim, refs, values, count, err);
    for (int i = 0; i < d->n_axes && status == BRI_OK; i++)
        if (d->axes[i].kind == AXIS_EACH) status = set_members(w, v, i, at->sample, err);
    if (status == BRI_OK) status = bri_sim_reset(w->sim, err);
    if (status != BRI_OK) return status;
    w->slip_speed = w->s->def.slip_speed > 0.0 ? w->s->def.slip_speed : 0.1 * bri_sim_speed(w->sim);
    return BRI_OK;
}

/* ---- a run ---------------------------------------------------------------------------------- */

/* Who slides: laws that stick exactly say so, others by their speed, with some reluctance. */
static void look(worker *w, double before, int first) {
    double now = bri_sim_time(w->sim);
    bri_sim_sliding(w->sim, w->sliding);
    for (int i = 0; i < w->def.system.n_contacts; i++) {
        const bri_sliding *c = &w->sliding[i];
        int exact = w->def.system.contacts[i].model->set_valued, was = w->slides[i];
        int slides =
            exact ? c->after != 0 : fabs(c->v) >= (was && !first ? 0.5 : 1.0) * w->slip_speed;
        w->slides[i] = (char)slides;
        if (first) continue;
        w->slid[i] += (now - before) * (exact ? c->before != 0 : 0.5 * (was + slides));
        w->starts[i] += slides && !was;
        w->stops[i] += was && !slides;
    }
}

typedef struct tally {
    int looks;        /* LOOK_AT_... */
    bri_slips *slips; /* or NULL */
    long count;
    double size, peak, time;
} tally;

static void count_slips(tally *t) {
    int n;
    const bri_slip *s = bri_slips_ended(t->slips, &n);
    for (int i = 0; i < n; i++) {
        if (s[i].cut) continue;
        t->count++;
        t->size += s[i].size;
        t->peak += s[i].peak;
        t->time += s[i].end - s[i].start;
    }
}

/* The forces before the events since the last look. */
static void take_events(worker *w, double from) {
    int n;
    const bri_event *e = bri_sim_events(w->sim, &n, NULL);
    for (int i = 0; i < n; i++)
        if (e[i].t >= from)
            w->event_force[e[i].contact] = fmax(w->event_force[e[i].contact], fabs(e[i].F));
    bri_sim_forget_events(w->sim);
}

static bri_status stopped(bri_error *err) { return bri_fail(err, BRI_NO_PROGRESS, "interrupted"); }

/* On to time t, step by step where sliding is looked at. */
static bri_status move(worker *w, double t, tally *slips, const bri_watch *watch, bri_error *err) {
    const int now_and_then = 256;
    bri_status status = BRI_OK;
    if (!(slips->looks & ~LOOK_AT_EVENTS)) return bri_sim_advance(w->sim, t, err);
    for (int k = 1; status == BRI_OK && bri_sim_time(w->sim) < t; k++) {
        double before = bri_sim_time(w->sim);
        if (k % now_and_then == 0 && told_to_stop(watch)) return stopped(err);
        status = bri_sim_step(w->sim, t, err);
        if (status != BRI_OK) break;
        if (slips->looks & LOOK_AT_SLIDING) look(w, before, 0);
        if (!slips->slips) continue;
        bri_slips_look(slips->slips, w->sim);
        count_slips(slips);
    }
    return status;
}

static bri_status make_room(worker *w, long rows, bri_error *err) {
    size_t columns = (size_t)meter_n_columns(w->s->meter);
    if (rows > w->room) {
        double *more = realloc(w->data, columns * (size_t)rows * sizeof *more);
        if (!more) return bri_fail(err, BRI_NO_MEMORY, "no memory for %ld rows", rows);
        w->data = more;
        w->room = rows;
    }
    for (size_t i = 0; i < columns; i++) w->column[i] = w->data + i * (size_t)w->room;
    return BRI_OK;
}

static void keep_row(worker *w, long row) {
    bri_recorder_read(w->recorder, w->sim, w->row);
    for (int i = 0; i < meter_n_columns(w->s->meter); i++)
        w->data[(long)i * w->room + row] = w->row[w->place[i]];
}

/* The rows of a run that is kept: point-N.csv in the folder. */
static bri_status open_kept(worker *w, long point, bri_run_head *head, bri_writer **to,
                            bri_error *err) {
    char name[600];
    *to = NULL;
    if (!w->s->def.keep) return BRI_OK;
    snprintf(name, sizeof name, "%.500s/point-%ld.csv", w->s->def.keep, point);
    *head = (bri_run_head){
        .def = &w->def, .recorder = w->all, .output = bri_scenario_output(w->scenario)};
    return bri_writer_open(head, name, to, err);
}

/* The first row that is measured. */
static long first_row(const bri_rows *times, double from) {
    long first = 0;
    while (first < times->count - 1 && bri_row_time(times, first) < from) first++;
    return first;
}

/* Where a run is looked at: at its rows or, where they are not all needed, in some pieces, so that
 * an interrupt is noticed; those that need its ends begin with the first row that is measured. */
static bri_rows stops_of(const worker *w, int wanted, double from) {
    const long pieces = 20;
    bri_rows times = bri_rows_of(&w->def, bri_scenario_output(w->scenario));
    if (wanted == ALL_ROWS) return times;
    if (wanted == END_ROWS) times.start = bri_row_time(&times, first_row(&times, from));
    times.step = (times.end - times.start) / (double)pieces;
    times.scale = 1.0;
    times.count = times.step > 0.0 ? pieces + 1 : 1;
    return times;
}

/* From the start to the end; the rows since `from` are kept. */
static bri_status go(worker *w, tally *slips, bri_writer *kept, run_facts *facts, long *rows,
                     const bri_watch *watch, bri_error *err) {
    int wanted = meter_wants_rows(w->s->meter);
    double from = fmax(w->s->def.from, w->def.t_start);
    bri_rows times = stops_of(w, kept ? ALL_ROWS : wanted, from);
    long count = times.count, first = first_row(&times, from);
    bri_status status = wanted ? make_room(w, count - first, err) : BRI_OK;
    if (from > w->def.t_start && !kept && status == BRI_OK)
        status = bri_sim_advance(w->sim, from, err);
    facts->from = from;
    facts->end = times.end;
    long events = bri_sim_stats(w->sim).events;
    for (long i = kept ? 0 : first; i < count && status == BRI_OK; i++) {
        if (told_to_stop(watch)) return stopped(err);
        if (i == first) {
            events = bri_sim_stats(w->sim).events;
            if (slips->looks & LOOK_AT_SLIDING) look(w, 0.0, 1);
            if (slips->slips) bri_slips_look(slips->slips, w->sim);
        }
        status = i < first ? bri_sim_advance(w->sim, bri_row_time(&times, i), err)
                           : move(w, bri_row_time(&times, i), slips, watch, err);
        if (slips->looks & LOOK_AT_EVENTS) take_events(w, from);
        if (status == BRI_OK && kept) {
            bri_recorder_read(w->all, w->sim, w->row);
            status = bri_writer_row(kept, w->row, err);
        }
        int end = i == first || i == count - 1;
        if (status == BRI_OK && i >= first && (wanted == ALL_ROWS || (wanted && end)))
            keep_row(w, (*rows)++);
    }
    facts->stats = bri_sim_stats(w->sim);
    facts->events = facts->stats.events - events;
    facts->energies = bri_sim_energies(w->sim);
    return status;
}

static void summarise(worker *w, const tally *t, run_facts *facts) {
    double n = t->count > 0 ? (double)t->count : NAN, span = facts->end - facts->from;
    facts->slips = t->count;
    facts->slip_size = t->size / n;
    facts->slip_peak = t->peak / n;
    facts->slip_time = t->time / n;
    for (int i = 0; i < w->def.system.n_contacts; i++) w->slid[i] = fmin(1.0, w->slid[i] / span);
    facts->sliding = w->slid;
    facts->starts = w->starts;
    facts->stops = w->stops;
    facts->slides = w->slides;
    facts->event_force = w->event_force;
}

static bri_status run_point(worker *w, long point, double *y, const bri_watch *watch,
                            bri_error *err) {
    run_facts facts = {0};
    tally slips = {0};
    bri_writer *kept = NULL;
    bri_run_head head;
    long rows = 0;
    size_t contacts = (size_t)w->def.system.n_contacts;
    memset(w->slid, 0, contacts * sizeof *w->slid);
    memset(w->starts, 0, contacts * sizeof *w->starts);
    memset(w->stops, 0, contacts * sizeof *w->stops);
    memset(w->slides, 0, contacts);
    memset(w->event_force, 0, contacts * sizeof *w->event_force);
    bri_status status = open_kept(w, point, &head, &kept, err);
    slips.looks = meter_wants_slips(w->s->meter);
    if (status == BRI_OK && slips.looks & LOOK_AT_SLIPS)
        status = bri_slips_create(&w->def.system, w->slip_speed, &slips.slips, err);
    if (status == BRI_OK) status = go(w, &slips, kept, &facts, &rows, watch, err);
    if (status == BRI_OK) {
        summarise(w, &slips, &facts);
        status = gauge_read(w->gauge, w->column, rows, &facts, w->x, y, err);
    }
    bri_run_end end = {.stats = facts.stats,
                       .energies = facts.energies,
                       .status = status,
                       .text = status ? err->text : ""};
    if (status == BRI_OK) status = bri_sim_verdict(w->sim, &end.findings, err);
    bri_error close_err;
    bri_status closed = bri_writer_close(kept, &end, &close_err);
    if (closed != BRI_OK && status != BRI_NO_PROGRESS)
        status = bri_fail(err, closed, "%s", close_err.text);
    bri_slips_free(slips.slips);
    return status;
}

bri_status worker_reference(bri_sweep *s, const bri_watch *watch, bri_error *err) {
    worker *w = worker_new(s);
    run_facts facts = {0};
    tally none = {0};
    bri_error why = {0};
    long rows = 0;
    if (!w) return no_memory(err);
    w->as_it_stands = 1;
    for (int i = 0; i < s->design.n_axes; i++) w->x[i] = s->design.axes[i].nominal;
    bri_status status = load(w, 0, &why);
    if (status == BRI_OK) status = go(w, &none, NULL, &facts, &rows, watch, &why);
    if (status != BRI_OK)
        bri_fail(err, status, "the scenario as it stands, which points are compared with: %.300s",
                 why.text);
    if (status == BRI_OK)
        status = meter_hold(s->meter, w->column, rows, w->x, s->design.n_axes, err);
    worker_free(w);
    return status;
}

bri_status worker_point(worker *w, long point, double *row, const bri_watch *watch,
                        bri_error *err) {
    const design *d = &w->s->design;
    place_in at = design_place(d, point);
    int n_measures = w->s->meter ? meter_count(w->s->meter) : w->s->def.n_measures, column = 0;
    design_values(d, &at, w->x);
    for (int i = 0; i < d->n_axes; i++)
        if (d->axes[i].kind != AXIS_EACH) row[column++] = w->x[i];
    if (d->n_laws > 1) row[column++] = at.law;
    if (d->n_solvers > 1) row[column++] = at.solver;
    for (int i = 0; i < n_measures; i++) row[column + i] = NAN;
    if (w->s->def.function) {
        char text[400] = "";
        if (w->s->def.function(w->s->def.context, w->x, row + column, text, sizeof text) == 0)
            return BRI_OK;
        for (int i = 0; i < n_measures; i++) row[column + i] = NAN;
        return bri_fail(err, BRI_BAD_VALUE, "%s", text[0] ? text : "the function failed");
    }
    bri_status status = set_point(w, at.law * d->n_solvers + at.solver, &at, err);
    if (status == BRI_OK) status = run_point(w, point, row + column, watch, err);
    if (status != BRI_OK && status != BRI_DOUBTFUL) {
        for (int i = 0; i < n_measures; i++) row[column + i] = NAN;
        unload(w); /* the next point owes nothing to this one */
    }
    return status;
}
