/* point.c - a point of a sweep is run and measured: alone, or in a lane beside others. */
#include "worker.h"

#include "sim/advance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* On to time t, some steps at a time, so that an interrupt is noticed. */
static bri_status advance(worker *w, double t, const bri_watch *watch, bri_error *err) {
    const long some = 64;
    for (;;) {
        bri_status status = sim_advance_some(w->sim, t, some, err);
        if (status != BRI_OK || !(bri_sim_time(w->sim) < t)) return status;
        if (told_to_stop(watch)) return stopped(err);
    }
}

/* The same, step by step where sliding is looked at. */
static bri_status move(worker *w, double t, tally *slips, const bri_watch *watch, bri_error *err) {
    const int now_and_then = 256;
    bri_status status = BRI_OK;
    if (!(slips->looks & ~LOOK_AT_EVENTS)) return advance(w, t, watch, err);
    for (int k = 1; status == BRI_OK && bri_sim_time(w->sim) < t; k++) {
        double before = bri_sim_time(w->sim);
        if (k % now_and_then == 0 && told_to_stop(watch)) return stopped(err);
        status = bri_sim_step(w->sim, t, err);
        if (status != BRI_OK) break;
        if (slips->looks & LOOK_AT_SLIDING)
            sim_slides_follow(w->sim, before, bri_sim_time(w->sim), w->slides, w->sliding);
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
    char name[KEPT_NAME];
    *to = NULL;
    if (!w->s->def.keep) return BRI_OK;
    kept_name(name, w->s->def.keep, point);
    *head = (bri_run_head){
        .def = &w->def, .recorder = w->all, .output = bri_scenario_output(w->scenario)};
    return bri_writer_open(head, name, to, err);
}

/* The first row that is measured. */
static long first_row(const bri_rows *times, double from) {
    long first = 0, last = times->count - 1;
    while (first < last) {
        long middle = first + (last - first) / 2;
        if (bri_row_time(times, middle) < from)
            first = middle + 1;
        else
            last = middle;
    }
    return last > 0 ? last : 0;
}

/* Where a run is looked at: at its rows or, where they are not all needed, at its ends; those that
 * need them begin with the first row that is measured. */
static bri_rows stops_of(const worker *w, int wanted, double from) {
    bri_rows times = bri_rows_of(&w->def, bri_scenario_output(w->scenario));
    if (wanted == ALL_ROWS) return times;
    if (wanted == END_ROWS) times.start = bri_row_time(&times, first_row(&times, from));
    times.step = times.end - times.start;
    times.scale = 1.0;
    times.count = times.step > 0.0 ? 2 : 1;
    return times;
}

static bri_status run_begin(worker *w, run *r, bri_error *err) {
    double from = fmax(w->s->def.from, w->def.t_start);
    if (!(from < w->def.t_end))
        return bri_fail(err, BRI_BAD_VALUE, "measuring begins at %g s, but the run ends at %g s",
                        from, w->def.t_end);
    r->wanted = meter_wants_rows(w->s->meter);
    r->times = stops_of(w, r->kept ? ALL_ROWS : r->wanted, from);
    r->count = r->times.count;
    r->first = first_row(&r->times, from);
    r->i = r->kept ? 0 : r->first;
    r->lead = from > w->def.t_start;
    r->facts.from = from;
    r->facts.end = r->times.end;
    return r->wanted ? make_room(w, r->count - r->first, err) : BRI_OK;
}

/* Up to where it goes next; 0: it is at its end. */
static int run_next(worker *w, run *r, double *t) {
    if (r->i >= r->count) return 0;
    *t = r->i < r->first ? bri_row_time(&r->times, r->i) : r->facts.from;
    if (r->i < r->first || r->lead) return 1;
    if (r->i == r->first) {
        r->events = bri_sim_stats(w->sim).events;
        if (r->slips.looks & LOOK_AT_SLIDING) sim_slides_begin(w->sim, w->slides, w->sliding);
        if (r->slips.slips) bri_slips_look(r->slips.slips, w->sim);
    }
    *t = bri_row_time(&r->times, r->i);
    return 1;
}

/* It is there. */
static bri_status run_arrived(worker *w, run *r, bri_error *err) {
    bri_status status = BRI_OK;
    if (r->lead && r->i >= r->first) {
        r->lead = 0;
        return BRI_OK;
    }
    long i = r->i++;
    if (r->slips.looks & LOOK_AT_EVENTS) take_events(w, r->facts.from);
    if (r->kept) {
        bri_recorder_read(w->all, w->sim, w->row);
        status = bri_writer_row(r->kept, w->row, err);
    }
    int end = i == r->first || i == r->count - 1;
    if (status == BRI_OK && i >= r->first && (r->wanted == ALL_ROWS || (r->wanted && end)))
        keep_row(w, r->rows++);
    return status;
}

static void run_ended(worker *w, run *r) {
    r->facts.stats = bri_sim_stats(w->sim);
    r->facts.events = r->facts.stats.events - r->events;
    if (r->kept || meter_wants_energies(w->s->meter)) r->facts.energies = bri_sim_energies(w->sim);
}

/* From the start to the end. */
static bri_status go(worker *w, run *r, const bri_watch *watch, bri_error *err) {
    double t;
    bri_status status = run_begin(w, r, err);
    while (status == BRI_OK && run_next(w, r, &t)) {
        if (told_to_stop(watch)) return stopped(err);
        status = r->lead || r->i < r->first ? advance(w, t, watch, err)
                                            : move(w, t, &r->slips, watch, err);
        if (status == BRI_OK) status = run_arrived(w, r, err);
    }
    run_ended(w, r);
    return status;
}

static void summarise(worker *w, const tally *t, run_facts *facts) {
    double n = t->count > 0 ? (double)t->count : NAN;
    facts->slips = t->count;
    facts->slip_size = t->size / n;
    facts->slip_peak = t->peak / n;
    facts->slip_time = t->time / n;
    facts->contact = w->contact;
    facts->slides = w->slides;
    facts->event_force = w->event_force;
}

/* Before a run: nothing has been counted. */
static bri_status open_run(worker *w, run *r, long point, bri_error *err) {
    size_t contacts = (size_t)w->def.system.n_contacts;
    *r = (run){.point = point, .slips.looks = meter_wants_slips(w->s->meter)};
    for (size_t i = 0; i < contacts; i++) w->slides[i] = (sim_slide){.speed = w->slip_speed};
    memset(w->event_force, 0, contacts * sizeof *w->event_force);
    bri_status status = open_kept(w, point, &r->head, &r->kept, err);
    if (status == BRI_OK && r->slips.looks & LOOK_AT_SLIPS)
        status = bri_slips_create(&w->def.system, w->slip_speed, &r->slips.slips, err);
    return status;
}

/* After it, however it ended: what is measured. */
static bri_status close_run(worker *w, run *r, bri_status status, double *y, bri_error *err) {
    if (status == BRI_OK) {
        summarise(w, &r->slips, &r->facts);
        status = gauge_read(w->gauge, w->column, r->rows, &r->facts, w->x, y, err);
    }
    bri_run_end end = {.stats = r->facts.stats,
                       .energies = r->facts.energies,
                       .status = status,
                       .text = status ? err->text : ""};
    if (status == BRI_OK) status = bri_sim_verdict(w->sim, &end.findings, err);
    bri_error close_err;
    bri_status closed = bri_writer_close(r->kept, &end, &close_err);
    if (closed != BRI_OK && status != BRI_NO_PROGRESS)
        status = bri_fail(err, closed, "%s", close_err.text);
    bri_slips_free(r->slips.slips);
    r->slips.slips = NULL;
    r->kept = NULL;
    return status;
}

bri_status worker_reference(bri_sweep *s, const bri_watch *watch, bri_error *err) {
    worker *w = worker_new(s, NULL);
    run r = {0};
    bri_error why = {0};
    if (!w) return no_memory(err);
    w->as_it_stands = 1;
    for (int i = 0; i < s->design.n_axes; i++) w->x[i] = s->design.axes[i].nominal;
    bri_status status = worker_load(w, 0, &why);
    if (status == BRI_OK) status = go(w, &r, watch, &why);
    if (status != BRI_OK)
        bri_fail(err, status, "the scenario as it stands, which points are compared with: %.300s",
                 why.text);
    if (status == BRI_OK)
        status = meter_hold(s->meter, w->column, r.rows, w->x, s->design.n_axes, err);
    worker_free(w);
    return status;
}

/* The places of the measures, and that they are not there yet. */
static double *measures_of(worker *w, double *row) {
    const design *d = &w->s->design;
    int n_measures = w->s->meter ? meter_count(w->s->meter) : w->s->def.n_measures, column = 0;
    for (int i = 0; i < d->n_axes; i++) column += axis_shown(&d->axes[i]);
    column += (d->n_laws > 1) + (d->n_solvers > 1);
    for (int i = 0; i < n_measures; i++) row[column + i] = NAN;
    return row + column;
}

static bri_status call_function(worker *w, double *y, bri_error *err) {
    char text[400] = "";
    if (w->s->def.function(w->s->def.context, w->x, y, text, sizeof text) == 0) return BRI_OK;
    return bri_fail(err, BRI_BAD_VALUE, "%s", text[0] ? text : "the function failed");
}

bri_status worker_begin(worker *w, long point, double *row, bri_error *err) {
    const design *d = &w->s->design;
    place_in at = design_place(d, point);
    int column = 0;
    design_values(d, &at, w->x);
    w->result = row;
    w->run = (run){0};
    for (int i = 0; i < d->n_axes; i++)
        if (axis_shown(&d->axes[i])) row[column++] = w->x[i];
    if (d->n_laws > 1) row[column++] = at.law;
    if (d->n_solvers > 1) row[column++] = at.solver;
    measures_of(w, row);
    if (w->s->def.function) return BRI_OK;
    bri_status status = worker_set(w, at.law * d->n_solvers + at.solver, &at, err);
    if (status == BRI_OK) status = open_run(w, &w->run, point, err);
    if (status == BRI_OK) w->run.in_lane = sim_lanes_fit(w->sim);
    return status;
}

bri_status worker_end(worker *w, bri_status status, bri_error *err) {
    if (!w->s->def.function) status = close_run(w, &w->run, status, measures_of(w, w->result), err);
    if (status == BRI_OK || status == BRI_DOUBTFUL) return status;
    measures_of(w, w->result);
    worker_unload(w); /* the next point owes nothing to this one */
    return status;
}

bri_status worker_go(worker *w, const bri_watch *watch, bri_error *err) {
    return w->s->def.function ? call_function(w, measures_of(w, w->result), err)
                              : go(w, &w->run, watch, err);
}

bri_sim *worker_lane(worker *w) { return w->run.in_lane ? w->sim : NULL; }

/* Rows before the one that a lane leads to, or slips, up to a time within its last step. */
static double look(void *self, double to) {
    worker *w = self;
    run *r = &w->run;
    for (; r->i < r->goal && bri_row_time(&r->times, r->i) <= to && r->status == BRI_OK;) {
        bri_sim_advance(w->sim, bri_row_time(&r->times, r->i), NULL);
        r->status = run_arrived(w, r, &r->err);
    }
    if (r->slips.slips && !r->lead) {
        bri_sim_advance(w->sim, to, NULL);
        bri_slips_look(r->slips.slips, w->sim);
        count_slips(&r->slips);
        return -INFINITY;
    }
    return r->i < r->goal && r->status == BRI_OK ? bri_row_time(&r->times, r->i) : INFINITY;
}

/* On in a lane, over as many rows as there are before measuring begins, or after its first one, at
 * once; 0: the run is over. */
static int on(worker *w, sim_lanes *lanes, int lane) {
    run *r = &w->run;
    sim_lane_task task = {.look = look, .self = w, .due = INFINITY};
    if (!run_next(w, r, &task.until)) return 0;
    double next = task.until;
    r->goal = r->i;
    if (r->i < r->first && next > bri_sim_time(w->sim)) {
        r->goal = r->first;
        task.due = next;
        task.until = r->facts.from;
    } else if (r->i > r->first) {
        r->goal = r->count - 1;
        if (r->i < r->goal) task.due = next;
        task.until = bri_row_time(&r->times, r->goal);
    }
    int measured = r->i >= r->first && !r->lead;
    if (measured && r->slips.looks & LOOK_AT_SLIDING) task.slides = w->slides;
    if (measured && r->slips.slips) task.due = -INFINITY;
    sim_lanes_put(lanes, lane, w->sim, &task);
    return 1;
}

int worker_enter(worker *w, sim_lanes *lanes, int lane, bri_status *status, bri_error *err) {
    *status = run_begin(w, &w->run, err);
    return *status == BRI_OK && on(w, lanes, lane);
}

int worker_arrived(worker *w, sim_lanes *lanes, int lane, bri_status *status, bri_error *err) {
    run *r = &w->run;
    if (*status == BRI_OK && r->status != BRI_OK)
        *status = bri_fail(err, r->status, "%s", r->err.text);
    if (*status == BRI_OK) *status = run_arrived(w, r, err);
    if (*status == BRI_OK && on(w, lanes, lane)) return 1;
    run_ended(w, r);
    return 0;
}
