/* motion.c - the motion of a rig under measured inputs (output error), against the one measured.
 *
 * Each stretch of the recordings is run anew (replay.c). What is compared are positions of free
 * bodies, or velocities, or, in a closed loop whose controller is given, the force that it
 * commands. Derivatives by differences of whole runs. */
#include "identify.h"

#include "fail.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 4000 };

int id_answers(const id_rig *r, const id_target *t, const id_controller *loop) {
    if (t->what == ID_DRIVE) return loop && t->index == id_controller_drive(loop);
    return (t->what == ID_BODY_X || t->what == ID_BODY_V) && !r->bodies[t->index].position &&
           !r->bodies[t->index].velocity;
}

int id_motion_possible(const id_data *d, const id_rig *r) {
    int in = 0, out = 0;
    for (int k = 0; k < d->map.count; k++) {
        const id_target *t = &d->map.target[k];
        out += id_answers(r, t, NULL);
        in += t->what == ID_DRIVE || t->what == ID_CONTACT_F;
    }
    return out > 0 && in == 0;
}

static bri_status add_run(id_force *f, int stretch, int k, double filter, bri_error *err) {
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
    r->command = t->what == ID_DRIVE;
    if (r->command) { /* the motion serves the pictures */
        int x;
        r->body = f->rig->drives[t->index].body;
        x = id_map_find(&f->data->map, ID_BODY_X, r->body);
        r->x = s->value[x >= 0 ? x : k];
    }
    r->step = 1 + s->count / MOST_ROWS;
    r->rows = (s->count - 1) / r->step;
    r->v = ARENA_NEW(&f->memory, double, (size_t)s->count);
    r->a = ARENA_NEW(&f->memory, double, (size_t)s->count);
    if (filter > 0.0 && filter * s->h < 0.4) {
        r->share = filter * s->h;
        size_t room = (size_t)(s->count + id_low_pass_room(s->count, r->share));
        r->whole = ARENA_NEW(&f->memory, double, room);
        if (!r->whole) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    }
    if (!r->v || !r->a) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    if (!r->speed)
        id_slope(r->x, r->count, r->h, r->v);
    else
        memcpy(r->v, r->y, (size_t)r->count * sizeof *r->v);
    f->rows += r->rows;
    return BRI_OK;
}

/* Whether target k is compared: the position says more than the velocity, and the command of a
 * controller more than both, which it is made of. */
static int compared(const id_force *f, int k) {
    const id_map *m = &f->data->map;
    const id_target *t = &m->target[k];
    int command = f->loop ? id_map_find(m, ID_DRIVE, id_controller_drive(f->loop)) : -1;
    if (!id_answers(f->rig, t, f->loop)) return 0;
    if (command >= 0) return k == command;
    return t->what != ID_BODY_V || id_map_find(m, ID_BODY_X, t->index) < 0;
}

bri_status id_motion_prepare(id_force *f, const id_data *d, id_rig *rig, const id_controller *loop,
                             double filter, bri_error *err) {
    *f = (id_force){.data = d, .rig = rig, .steps = 1, .motion = 1, .loop = loop};
    f->run = ARENA_NEW(&f->memory, id_run, (size_t)(d->count * d->map.count));
    if (!f->run) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int k = 0; k < d->map.count; k++)
        if (d->map.target[k].what == ID_CONTACT_F || d->map.target[k].what == ID_CONTACT_V)
            return bri_fail(
                err, BRI_MISSING,
                "%s: under measured inputs only positions and velocities of bodies are compared",
                d->map.target[k].name);
    for (int k = 0; k < d->map.count; k++)
        for (int i = 0; compared(f, k) && i < d->count; i++) {
            bri_status status = add_run(f, i, k, filter, err);
            if (status != BRI_OK) return status;
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

/* ---- residuals ------------------------------------------------------------------------------ */

static int all_runs(id_force *f, const double *value, double *r) {
    if (id_forbidden(f, value)) return 1;
    for (int i = 0; i < f->data->count; i++) {
        id_put(f->unknowns, value, f->data->stretch[i].file);
        if (id_replay(f, i, r)) return 1;
    }
    for (long i = 0; i < f->rows; i++)
        if (!isfinite(r[i])) return 1;
    return 0;
}

/* A step in unknown k of what is sought, large against the tolerance of runs, within its range. */
static double step_of(const id_force *f, int k, double u, double value) {
    const id_unknown *o = &f->unknowns->one[k];
    double low[ID_UNKNOWNS], high[ID_UNKNOWNS];
    double size = fmax(fabs(value), 1e-3 * fabs(o->start));
    double h = o->kind == ID_DELAY ? 0.5 * f->run[0].h
               : o->log            ? 1e-3
                                   : 1e-3 * (size > 0.0 ? size : 1.0);
    id_bounds(f->unknowns, low, high);
    return u + h > high[k] ? -h : h;
}

int id_motion_residuals(void *context, const double *u, double *r, double *J) {
    id_force *f = context;
    double value[ID_UNKNOWNS], moved[ID_UNKNOWNS], at[ID_UNKNOWNS];
    id_decode(f->unknowns, u, value);
    if (all_runs(f, value, r)) return 1;
    for (int k = 0; J && k < f->unknowns->count; k++) {
        double h = step_of(f, k, u[k], value[k]), *column = J + k * f->rows;
        memcpy(at, u, (size_t)f->unknowns->count * sizeof *at);
        at[k] += h;
        id_decode(f->unknowns, at, moved);
        if (all_runs(f, moved, column)) return 1;
        for (long i = 0; i < f->rows; i++) column[i] = (column[i] - r[i]) / h;
    }
    id_put(f->unknowns, value, 0);
    return 0;
}
