/* motion.c - the motion of a rig under measured inputs (output error), against the one measured.
 *
 * Measured forces of drives, motions of bodies whose motion is prescribed, and loads take the place
 * of the rig's own signals; bodies that are free start as they were measured and are then left to
 * the simulation. A controller is part of the rig: kp (q_ref - q) - kv q' is a spring to a body
 * that moves as q_ref and a damper to the ground. Derivatives by differences of whole runs. */
#include "identify.h"

#include "fail.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 4000 };

static int prescribed(const id_rig *r, int b) {
    return r->bodies[b].position || r->bodies[b].velocity;
}

/* Whether a target is what the rig answers, not what is done to it. */
static int answers(const id_rig *r, const id_target *t) {
    return (t->what == ID_BODY_X || t->what == ID_BODY_V) && !prescribed(r, t->index);
}

int id_motion_possible(const id_data *d, const id_rig *r) {
    int in = 0, out = 0;
    for (int k = 0; k < d->map.count; k++) {
        const id_target *t = &d->map.target[k];
        out += answers(r, t);
        in += t->what == ID_DRIVE || t->what == ID_CONTACT_F;
    }
    return out > 0 && in == 0;
}

static bri_status add_run(id_force *f, int stretch, int k, bri_error *err) {
    const id_stretch *s = &f->data->stretch[stretch];
    const id_target *t = &f->data->map.target[k];
    id_run *r = &f->run[f->n_runs++];
    *r = (id_run){.stretch = stretch,
                  .file = s->file,
                  .contact = -1,
                  .body = t->index,
                  .of = -1,
                  .sign = 1.0,
                  .count = s->count,
                  .h = s->h,
                  .y = s->value[k],
                  .x = s->value[k],
                  .first = 1};
    r->speed = t->what == ID_BODY_V;
    r->step = 1 + s->count / MOST_ROWS;
    r->rows = (s->count - 1) / r->step;
    r->v = ARENA_NEW(&f->memory, double, (size_t)s->count);
    r->a = ARENA_NEW(&f->memory, double, (size_t)s->count);
    if (!r->v || !r->a) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    if (!r->speed)
        id_slope(r->y, r->count, r->h, r->v);
    else
        memcpy(r->v, r->y, (size_t)r->count * sizeof *r->v);
    f->rows += r->rows;
    return BRI_OK;
}

bri_status id_motion_prepare(id_force *f, const id_data *d, id_rig *rig, bri_error *err) {
    *f = (id_force){.data = d, .rig = rig, .steps = 1, .motion = 1};
    f->run = ARENA_NEW(&f->memory, id_run, (size_t)(d->count * d->map.count));
    if (!f->run) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int k = 0; k < d->map.count; k++)
        if (d->map.target[k].what == ID_CONTACT_F || d->map.target[k].what == ID_CONTACT_V)
            return bri_fail(
                err, BRI_MISSING,
                "%s: under measured inputs only positions and velocities of bodies are compared",
                d->map.target[k].name);
    for (int k = 0; k < d->map.count; k++) {
        int x = d->map.target[k].what == ID_BODY_V
                    ? id_map_find(&d->map, ID_BODY_X, d->map.target[k].index)
                    : -1; /* the position says it all */
        for (int i = 0; answers(rig, &d->map.target[k]) && x < 0 && i < d->count; i++) {
            bri_status status = add_run(f, i, k, err);
            if (status != BRI_OK) return status;
        }
    }
    if (f->n_runs == 0)
        return bri_fail(err, BRI_MISSING,
                        "no motion is measured: map BODY.x or BODY.v of a free body");
    f->cuts = ARENA_NEW(&f->memory, unsigned char, (size_t)f->rows);
    f->time = ARENA_NEW(&f->memory, double, (size_t)f->rows);
    if (!f->cuts || !f->time)
        return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    long row = 0;
    double sum = 0.0, mean = 0.0;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        f->cuts[row] = 1;
        for (long k = 0; k < r->rows; k++, row++) {
            long at = r->first + k * r->step;
            f->time[row] = d->stretch[r->stretch].from + (double)at * r->h;
            sum += r->y[at] * r->y[at];
            mean += r->y[at];
        }
    }
    mean /= (double)f->rows;
    f->size = sqrt(fmax(sum / (double)f->rows - mean * mean, 1e-300));
    return BRI_OK;
}

/* ---- one run -------------------------------------------------------------------------------- */

/* A rig with measured inputs in place of its signals. */
typedef struct bench {
    bri_sim_def def;
    bri_body *bodies;
    bri_contact *contacts;
    bri_drive *drives;
    bri_signal signal[ID_TARGETS];
    double *t[ID_TARGETS], *y[ID_TARGETS], *sum[ID_TARGETS];
} bench;

static void bench_free(bench *b) {
    free(b->bodies), free(b->contacts), free(b->drives);
    for (int k = 0; k < ID_TARGETS; k++) free(b->t[k]), free(b->y[k]), free(b->sum[k]);
}

/* Target k along a stretch as a table of straight lines, early by `delay`, times a gain. */
static const bri_signal *table_of(bench *b, const id_stretch *s, int k, double delay, double gain) {
    size_t n = (size_t)s->count;
    double *t = b->t[k] = malloc(n * sizeof *t), *y = b->y[k] = malloc(n * sizeof *y);
    double *sum = b->sum[k] = malloc(n * sizeof *sum);
    if (!t || !y || !sum) return NULL;
    for (long i = 0; i < s->count; i++) {
        t[i] = s->from + (double)i * s->h - delay;
        y[i] = gain * s->value[k][i];
        sum[i] = i ? sum[i - 1] + 0.5 * s->h * (y[i] + y[i - 1]) : 0.0;
    }
    b->signal[k] = bri_signal_defaults(bri_signal_find("table"));
    b->signal[k].t = t, b->signal[k].y = y, b->signal[k].sum = sum;
    b->signal[k].count = (int)s->count;
    return &b->signal[k];
}

static int set_up(bench *b, const id_force *f, const id_stretch *s, const id_extras *e) {
    const id_rig *r = f->rig;
    const bri_system *y = &r->def.system;
    *b = (bench){.def = r->def};
    b->bodies = malloc((size_t)(y->n_bodies + 1) * sizeof *b->bodies);
    b->contacts = malloc((size_t)(y->n_contacts + 1) * sizeof *b->contacts);
    b->drives = malloc((size_t)(y->n_drives + 1) * sizeof *b->drives);
    if (!b->bodies || !b->contacts || !b->drives) return 0;
    memcpy(b->bodies, r->bodies, (size_t)y->n_bodies * sizeof *b->bodies);
    memcpy(b->contacts, r->contacts, (size_t)y->n_contacts * sizeof *b->contacts);
    memcpy(b->drives, r->drives, (size_t)y->n_drives * sizeof *b->drives);
    for (int k = 0; k < f->data->map.count; k++) {
        const id_target *t = &f->data->map.target[k];
        if (t->what == ID_TIME || answers(r, t)) continue;
        const bri_signal *g = table_of(b, s, k, e->delay, t->what == ID_DRIVE ? e->gain : 1.0);
        if (!g) return 0;
        if (t->what == ID_DRIVE) b->drives[t->index].force = *g;
        if (t->what == ID_CONTACT_N)
            b->contacts[t->index].load = BRI_LOAD_SIGNAL, b->contacts[t->index].n_of_t = g;
        if (t->what == ID_BODY_X)
            b->bodies[t->index].position = g, b->bodies[t->index].velocity = NULL;
        if (t->what == ID_BODY_V)
            b->bodies[t->index].velocity = g, b->bodies[t->index].position = NULL;
    }
    b->def.system.bodies = b->bodies, b->def.system.contacts = b->contacts,
    b->def.system.drives = b->drives;
    b->drives[y->n_drives] =
        (bri_drive){.body = f->run[0].body, .force = bri_signal_constant(-e->offset)};
    b->def.system.n_drives = y->n_drives + (e->offset != 0.0);
    b->def.t_start = s->from;
    b->def.t_end = s->from + (double)s->count * s->h;
    b->def.energies = 0, b->def.event_room = -1;
    return 1;
}

/* Bodies whose motion is measured start as they were measured. */
static void start_bodies(bench *b, const id_force *f, int stretch) {
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        if (r->stretch != stretch) continue;
        long n = r->count < 9 ? r->count : 9;
        double v = 0.0;
        for (long k = 0; k < n; k++) v += r->v[k] / (double)n;
        if (!r->speed) b->bodies[r->body].x = r->y[0];
        b->bodies[r->body].v = v;
    }
}

/* Simulate a stretch and write the residuals of its runs. Nonzero: it fails. */
static int simulate(const id_force *f, int stretch, double *res) {
    const id_stretch *s = &f->data->stretch[stretch];
    bench b;
    bri_sim *sim = NULL;
    bri_error err;
    int failed = !set_up(&b, f, s, &f->unknowns->extras[s->file]);
    if (!failed) start_bodies(&b, f, stretch);
    if (!failed) failed = bri_sim_create(&b.def, &sim, &err) != BRI_OK;
    long step = f->run[0].step;
    for (int i = 0; i < f->n_runs; i++)
        if (f->run[i].stretch == stretch) step = f->run[i].step;
    for (long k = 0, at = 1; !failed && at < s->count; k++, at += step) {
        failed = bri_sim_advance(sim, s->from + (double)at * s->h, &err) != BRI_OK;
        long row = 0;
        for (int i = 0; !failed && i < f->n_runs; i++) {
            const id_run *r = &f->run[i];
            if (r->stretch == stretch && k < r->rows) {
                bri_body_now now = bri_sim_body(sim, r->body);
                int held = f->use && !f->use[row + k];
                res[row + k] = held ? 0.0 : r->y[at] - (r->speed ? now.v : now.x);
            }
            row += r->rows;
        }
    }
    bri_sim_free(sim);
    bench_free(&b);
    return failed;
}

static int all_runs(id_force *f, const double *value, double *r) {
    for (int i = 0; i < f->rig->def.system.n_contacts; i++) {
        id_put(f->unknowns, value, 0);
        if (bri_model_check(f->rig->contacts[i].model, f->rig->contacts[i].p, NULL) != BRI_OK)
            return 1;
    }
    for (int i = 0; i < f->data->count; i++) {
        id_put(f->unknowns, value, f->data->stretch[i].file);
        if (simulate(f, i, r)) return 1;
    }
    for (long i = 0; i < f->rows; i++)
        if (!isfinite(r[i])) return 1;
    return 0;
}

int id_motion_residuals(void *context, const double *u, double *r, double *J) {
    id_force *f = context;
    double value[ID_UNKNOWNS], moved[ID_UNKNOWNS], at[ID_UNKNOWNS];
    id_decode(f->unknowns, u, value);
    if (all_runs(f, value, r)) return 1;
    for (int k = 0; J && k < f->unknowns->count; k++) {
        const id_unknown *o = &f->unknowns->one[k];
        double size = fmax(fabs(value[k]), 1e-3 * fabs(o->start));
        double h = o->kind == ID_DELAY ? 0.5 * f->run[0].h
                   : o->log            ? 1e-3
                                       : 1e-3 * (size > 0.0 ? size : 1.0);
        memcpy(at, u, (size_t)f->unknowns->count * sizeof *at);
        at[k] += h;
        id_decode(f->unknowns, at, moved);
        double *column = J + k * f->rows;
        if (all_runs(f, moved, column)) return 1;
        for (long i = 0; i < f->rows; i++) column[i] = (column[i] - r[i]) / h;
    }
    id_put(f->unknowns, value, 0);
    return 0;
}
