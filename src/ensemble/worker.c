/* worker.c - one thread's scenario and simulation. Points are set by address and reset; the
 * scenario is read again only where a law or solver changes, or where its file has rules that
 * depend on what is varied (a level that follows another, a damping derived from a mass). */
#include "worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 10000000 }; /* of a run, where the scenario has no limit */

/* ---- the worker ----------------------------------------------------------------------------- */

worker *worker_new(const bri_sweep *s, const worker *kin) {
    worker *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    size_t axes = (size_t)s->design.n_axes + 1;
    *w = (worker){.s = s,
                  .kin = kin,
                  .variant = -1,
                  .x = calloc(axes, sizeof *w->x),
                  .ref = calloc(axes, sizeof *w->ref),
                  .loaded = calloc(axes, sizeof *w->x)};
    if (s->meter) {
        size_t columns = (size_t)meter_n_columns(s->meter);
        w->gauge = gauge_new(s->meter);
        w->column = calloc(columns, sizeof *w->column);
        w->place = calloc(columns, sizeof *w->place);
        w->contact = calloc((size_t)meter_n_contacts(s->meter) + 1, sizeof *w->contact);
    }
    if (w->x && w->ref && w->loaded &&
        (!s->meter || (w->gauge && w->column && w->place && w->contact)))
        return w;
    worker_free(w);
    return NULL;
}

void worker_unload(worker *w) {
    bri_recorder_free(w->recorder);
    bri_recorder_free(w->all);
    bri_sim_free(w->sim);
    if (w->read && --w->read->users == 0) {
        bri_scenario_free(w->read->scenario);
        free(w->read);
    }
    free(w->row);
    free(w->slides);
    free(w->event_force);
    free(w->sliding);
    w->recorder = w->all = NULL;
    w->sim = NULL;
    w->read = NULL;
    w->scenario = NULL;
    w->row = NULL;
    w->slides = NULL;
    w->event_force = NULL;
    w->sliding = NULL;
    w->variant = -1;
}

void worker_free(worker *w) {
    if (!w) return;
    worker_unload(w);
    gauge_free(w->gauge);
    free(w->column);
    free(w->place);
    free(w->contact);
    free(w->x);
    free(w->ref);
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

/* Whether what a worker has loaded serves the point x, but for numbers that have an address. */
static int serves(const worker *w, int which, const double *x) {
    if (w->variant != which) return 0;
    for (int i = 0; i < w->s->design.n_axes; i++)
        if (w->s->variants[which].by_key[i] && x[i] != w->loaded[i]) return 0;
    return 1;
}

/* The scenario of a variant: that of the kin if it is the same, else from its file. */
static bri_status read_scenario(worker *w, int which, bri_error *err) {
    if (w->kin && serves(w->kin, which, w->x)) {
        w->read = w->kin->read;
        w->read->users++;
        w->scenario = w->read->scenario;
        return BRI_OK;
    }
    bri_messages *messages = calloc(1, sizeof *messages); /* too large for the stack of a thread */
    w->read = calloc(1, sizeof *w->read);
    if (w->read) w->read->users = 1;
    bri_status status = BRI_NO_MEMORY;
    if (messages && w->read)
        status = load_variant(w->s, &w->s->variants[which], w->as_it_stands ? NULL : w->x, -1,
                              &w->read->scenario, messages);
    if (status != BRI_OK)
        bri_fail(err, status, "%s",
                 messages && messages->count > 0 ? messages->message[0].text
                                                 : bri_status_text(status));
    else
        w->scenario = w->read->scenario;
    free(messages);
    return status;
}

/* Where the contacts that are measured are here: an array may have another size. */
static bri_status find_contacts(worker *w, bri_error *err) {
    const meter *m = w->s->meter;
    for (int i = 0; i < meter_n_contacts(m); i++) {
        w->contact[i] = meter_contact(m, i, &w->def.system);
        if (w->contact[i] < 0)
            return bri_fail(err, BRI_NOT_FOUND, "there is no contact %s here",
                            meter_contact_name(m, i));
    }
    return BRI_OK;
}

/* The same of the numbers that are varied by their address. */
static bri_status find_numbers(worker *w, int which, bri_error *err) {
    const design *d = &w->s->design;
    bri_status status = BRI_OK;
    for (int i = 0; i < d->n_axes && status == BRI_OK; i++)
        if (!w->s->variants[which].by_key[i])
            status = bri_sim_find(w->sim, d->axes[i].name, &w->ref[i], err);
    return status;
}

bri_status worker_load(worker *w, int which, bri_error *err) {
    worker_unload(w);
    bri_status status = read_scenario(w, which, err);
    if (status != BRI_OK) return status;
    w->def = *bri_scenario_def(w->scenario);
    w->def.event_room = meter_wants_slips(w->s->meter) & LOOK_AT_EVENTS ? 0 : -1;
    if (w->def.max_steps == 0) w->def.max_steps = MOST_STEPS;
    status = bri_sim_create(&w->def, &w->sim, err);
    if (status == BRI_OK) status = choose_columns(w, err);
    if (status == BRI_OK) status = find_contacts(w, err);
    if (status == BRI_OK && !w->as_it_stands) status = find_numbers(w, which, err);
    size_t contacts = (size_t)w->def.system.n_contacts + 1;
    w->slides = calloc(contacts, sizeof *w->slides);
    w->event_force = calloc(contacts, sizeof *w->event_force);
    w->sliding = calloc(contacts, sizeof *w->sliding);
    if (status == BRI_OK && !(w->slides && w->event_force && w->sliding)) status = no_memory(err);
    if (status != BRI_OK) return status;
    w->variant = which;
    memcpy(w->loaded, w->x, (size_t)w->s->design.n_axes * sizeof *w->x);
    return BRI_OK;
}

/* Every member of an array with its own value. */
static bri_status set_members(worker *w, int i, long sample, bri_error *err) {
    bri_status status = BRI_OK;
    for (int m = 0; m < w->ref[i].count && status == BRI_OK; m++) {
        bri_ref one = w->ref[i];
        one.element += m;
        one.count = 1;
        status = bri_sim_set(w->sim, one, design_member(&w->s->design, i, sample, m), err);
    }
    return status;
}

bri_status worker_set(worker *w, int which, const place_in *at, bri_error *err) {
    const variant *v = &w->s->variants[which];
    const design *d = &w->s->design;
    bri_ref refs[MOST_AXES];
    double values[MOST_AXES];
    int count = 0;
    if (v->wrong) return bri_fail(err, BRI_BAD_VALUE, "%.300s", v->wrong);
    bri_status status = serves(w, which, w->x) ? BRI_OK : worker_load(w, which, err);
    for (int i = 0; i < d->n_axes && status == BRI_OK; i++) {
        if (v->by_key[i] || d->axes[i].kind == AXIS_EACH) continue;
        refs[count] = w->ref[i];
        values[count++] = w->x[i];
    }
    if (status == BRI_OK && count > 0) status = bri_sim_set_all(w->sim, refs, values, count, err);
    for (int i = 0; i < d->n_axes && status == BRI_OK; i++)
        if (d->axes[i].kind == AXIS_EACH) status = set_members(w, i, at->sample, err);
    if (status == BRI_OK) status = bri_sim_reset(w->sim, err);
    if (status != BRI_OK) return status;
    w->slip_speed = w->s->def.slip_speed > 0.0 ? w->s->def.slip_speed : 0.1 * bri_sim_speed(w->sim);
    return BRI_OK;
}
