/* runs.c - what of the recordings is compared over measured motion: which equations the map allows,
 * the motion of each along every stretch, and the samples that count.
 *
 * Position, force and residuals pass the same kind of filter (filter.c): what the position loses at
 * high frequencies, the force loses too. */
#include "identify.h"

#include "fail.h"

#include <math.h>
#include <string.h>

/* ---- which equations ------------------------------------------------------------------------ */

static int measured_body(const id_data *d, int b) {
    return b >= 0 &&
           (id_map_find(&d->map, ID_BODY_X, b) >= 0 || id_map_find(&d->map, ID_BODY_V, b) >= 0);
}

static bri_status no_motion(const id_rig *r, int b, bri_error *err) {
    return bri_fail(err, BRI_MISSING, "the motion of %s is not measured: map %s.x to a column",
                    r->bodies[b].name, r->bodies[b].name);
}

/* Position, velocity and acceleration of a body along a stretch; ground stands still. */
static bri_status motion_of(const id_force *f, const id_stretch *s, int b, double share, double *x,
                            double *v, double *a, double *room, bri_error *err) {
    const id_map *map = &f->data->map;
    long n = s->count;
    if (b == BRI_GROUND) return BRI_OK;
    const bri_body *body = &f->rig->bodies[b];
    int at_x = id_map_find(map, ID_BODY_X, b), at_v = id_map_find(map, ID_BODY_V, b);
    if (at_v >= 0) {
        memcpy(v, s->value[at_v], (size_t)n * sizeof *v);
        if (share > 0.0) id_low_pass(v, n, share, room);
    }
    if (at_x >= 0) {
        memcpy(x, s->value[at_x], (size_t)n * sizeof *x);
        if (share > 0.0) id_low_pass(x, n, share, room);
        if (at_v < 0) id_slope(x, n, s->h, v);
    } else if (at_v >= 0) {
        for (long i = 1; i < n; i++) x[i] = x[i - 1] + 0.5 * s->h * (v[i] + v[i - 1]);
    } else if (body->position || body->velocity) {
        for (long i = 0; i < n; i++) {
            double out[4], t = s->from + (double)i * s->h;
            const bri_signal *g = body->position ? body->position : body->velocity;
            g->kind->eval(g, t, out);
            x[i] = body->position ? out[1] : 0.0; /* couplings to such a body are refused */
            v[i] = body->position ? out[2] : out[1];
        }
    } else {
        return no_motion(f->rig, b, err);
    }
    id_slope(v, n, s->h, a);
    return BRI_OK;
}

static double *room_for(id_force *f, long count) {
    return ARENA_NEW(&f->memory, double, (size_t)(count > 0 ? count : 1));
}

static bri_status out_of_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* The normal load along a stretch. NULL in r->load: constant. */
static bri_status load_of(id_force *f, id_run *r, const id_stretch *s, bri_error *err) {
    const bri_contact *c = &f->rig->contacts[r->of];
    int at = id_map_find(&f->data->map, ID_CONTACT_N, r->of);
    if (c->n_varying > 0 || (at < 0 && c->load == BRI_LOAD_FUNCTION))
        return bri_fail(err, BRI_MISSING,
                        "%s of %s depends on the motion by an expression: over measured motion it "
                        "has to be a number; simulate it, --way motion",
                        c->n_varying > 0 ? "a parameter" : "the load", c->name);
    if (at < 0 && c->load == BRI_LOAD_CONSTANT) return BRI_OK;
    if (at < 0 && c->load == BRI_LOAD_REACTION)
        return bri_fail(
            err, BRI_MISSING,
            "the load of %s is a reaction: over measured motion it has to be a number, a "
            "signal or a column, %s.load=...",
            c->name, c->name);
    r->load = room_for(f, s->count);
    if (!r->load) return out_of_memory(err);
    for (long i = 0; i < s->count; i++)
        r->load[i] =
            at >= 0 ? s->value[at][i] : bri_signal_value(c->n_of_t, s->from + (double)i * s->h);
    return BRI_OK;
}

/* The sliding velocity of contact c along a stretch. */
static bri_status slide_of(id_force *f, id_run *r, const id_stretch *s, double share, double *room,
                           bri_error *err) {
    const bri_contact *c = &f->rig->contacts[r->of];
    int at = id_map_find(&f->data->map, ID_CONTACT_V, r->of), body[2] = {c->a, c->b};
    double *tmp = calloc(3 * (size_t)s->count, sizeof *tmp);
    bri_status status = BRI_OK;
    r->slide = room_for(f, s->count);
    if (!tmp || !r->slide) status = out_of_memory(err);
    if (status == BRI_OK && at >= 0) {
        memcpy(r->slide, s->value[at], (size_t)s->count * sizeof *r->slide);
        if (share > 0.0) id_low_pass(r->slide, s->count, share, room);
    }
    for (int k = 0; at < 0 && k < 2 && status == BRI_OK; k++) {
        memset(tmp, 0, 3 * (size_t)s->count * sizeof *tmp);
        status =
            motion_of(f, s, body[k], share, tmp, tmp + s->count, tmp + 2 * s->count, room, err);
        for (long i = 0; status == BRI_OK && i < s->count; i++)
            r->slide[i] += (k ? -1.0 : 1.0) * tmp[s->count + i];
    }
    free(tmp);
    return status;
}

/* The only contact of a body; -1: it has none; -2: several. */
static int contact_of(const id_rig *r, int b) {
    int found = -1;
    for (int i = 0; i < r->def.system.n_contacts; i++)
        if (r->contacts[i].a == b || r->contacts[i].b == b) found = found == -1 ? i : -2;
    return found;
}

static bri_status fill_run(id_force *f, id_run *r, const id_stretch *s, double filter,
                           bri_error *err) {
    double share = filter > 0.0 ? filter * s->h : 0.0, fine = 3.0 * share < 0.4 ? 3.0 * share : 0.4;
    long n = s->count;
    double *room = calloc((size_t)id_low_pass_room(n, share > 0.0 ? fmin(share, fine) : 0.4) + 1,
                          sizeof *room);
    r->x = room_for(f, n), r->v = room_for(f, n), r->a = room_for(f, n), r->y = room_for(f, n);
    bri_status status = room && r->y && r->a && r->v && r->x ? BRI_OK : out_of_memory(err);
    r->count = n, r->h = s->h, r->file = s->file, r->share = share < 0.4 ? share : 0.0;
    if (!(share > 0.0)) fine = 0.0;
    if (status == BRI_OK && r->body >= 0)
        status = motion_of(f, s, r->body, fine, r->x, r->v, r->a, room, err);
    if (status == BRI_OK && r->of >= 0) status = slide_of(f, r, s, fine, room, err);
    if (status == BRI_OK && r->of >= 0) status = load_of(f, r, s, err);
    for (int k = 0; status == BRI_OK && k < f->data->map.count; k++) {
        const id_target *t = &f->data->map.target[k];
        int counts = r->contact >= 0
                         ? t->what == ID_CONTACT_F && t->index == r->contact
                         : t->what == ID_DRIVE && f->rig->drives[t->index].body == r->body;
        for (long i = 0; counts && i < n; i++) r->y[i] += s->value[k][i];
    }
    free(room);
    long edge = share > 0.0 ? (long)ceil(5.0 / share) : 1;
    r->step = share > 0.0 && share < 0.125 ? (long)(0.25 / share) : 1;
    r->first = edge;
    r->rows = n > 2 * edge ? (n - 2 * edge + r->step - 1) / r->step : 0;
    return status;
}

/* ---- the filter ----------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A position: its noise, taken for white, by third differences; the median of the speeds of what
 * moves, and the rms of the accelerations, over 20 samples. */
typedef struct shaking {
    double noise, speed, acceleration;
} shaking;

static int shaking_of(const id_stretch *s, int k, shaking *out) {
    const double *x = s->value[k];
    const long wide = 20;
    double sum = 0.0, most = 0.0, bent = 0.0, long_step = (double)wide * s->h;
    double *v = malloc((size_t)s->count * sizeof *v);
    long n = 0, m = 0;
    if (!v) return 0;
    for (long i = 3; i < s->count; i++) {
        double d = x[i] - 3.0 * x[i - 1] + 3.0 * x[i - 2] - x[i - 3];
        sum += d * d;
    }
    for (long i = wide; i < s->count; i++) {
        v[n++] = fabs(x[i] - x[i - wide]) / long_step;
        most = fmax(most, v[n - 1]);
    }
    for (long i = 2 * wide; i < s->count; i++) {
        double a = (x[i] - 2.0 * x[i - wide] + x[i - 2 * wide]) / (long_step * long_step);
        bent += a * a;
    }
    for (long i = 0; i < n; i++)
        if (v[i] > 1e-3 * most) v[m++] = v[i];
    qsort(v, (size_t)m, sizeof *v, by_size);
    out->noise = sqrt(sum / (20.0 * (double)s->count));
    out->speed = m > 0 ? v[m / 2] : 0.0;
    out->acceleration = sqrt(bent / (double)(s->count - 2 * wide));
    free(v);
    return m > 0;
}

/* Nonzero: a force on the body is measured, and its inertia counts. */
static int inertia_counts(const id_data *d, const id_rig *r, int body) {
    for (int k = 0; k < d->map.count; k++)
        if (d->map.target[k].what == ID_DRIVE && r->drives[d->map.target[k].index].body == body)
            return 1;
    return 0;
}

/* White noise s of a position, sampled every h, passes a low pass at f and becomes one of the
 * velocity with the variance 2 s^2 h (2 pi)^2 f^3/3, and of the acceleration with
 * 2 s^2 h (2 pi)^4 f^5/5. Each shall be a twentieth of what is usual at most: noise of what forces
 * are computed from makes parameters too small, by its variance. A hundred samples are left in any
 * case: four a period, without five periods at each end. */
double id_filter_for(const id_data *d, const id_rig *r) {
    double filter = INFINITY, rate = INFINITY, seconds = 0.0;
    for (int i = 0; i < d->count; i++) {
        const id_stretch *s = &d->stretch[i];
        rate = fmin(rate, 1.0 / s->h);
        seconds += (double)s->count * s->h;
        for (int k = 0; k < d->map.count; k++) {
            const id_target *t = &d->map.target[k];
            double w2 = 4.0 * 3.14159265358979323846 * 3.14159265358979323846;
            shaking g;
            if (t->what != ID_BODY_X || id_map_find(&d->map, ID_BODY_V, t->index) >= 0 ||
                s->count < 100 || !shaking_of(s, k, &g) || !(g.noise > 0.0))
                continue;
            double per = 0.05 * 0.05 / (2.0 * g.noise * g.noise * s->h);
            double by_v = cbrt(per * g.speed * g.speed * 3.0 / w2);
            double by_a = pow(per * g.acceleration * g.acceleration * 5.0 / (w2 * w2), 0.2);
            if (!inertia_counts(d, r, t->index)) by_a = INFINITY;
            filter = fmin(filter, fmin(by_v, by_a) / 3.0); /* positions pass three times it */
        }
    }
    double least = (100.0 + 40.0 * d->count) / (4.0 * seconds);
    return fmin(fmax(filter, least), 0.05 * rate);
}

/* ---- preparing ------------------------------------------------------------------------------ */

/* The equations that the map allows: contact or body of each; their number, 0 with a reason. */
static int equations(const id_data *d, const id_rig *r, int contact[], int body[], bri_error *err) {
    int n = 0, moved = 0;
    for (int k = 0; k < d->map.count; k++) {
        const id_target *t = &d->map.target[k];
        if (t->what == ID_CONTACT_F) contact[n] = t->index, body[n++] = -1;
        moved = moved || t->what == ID_BODY_X || t->what == ID_BODY_V || t->what == ID_CONTACT_V;
    }
    for (int b = 0; b < r->def.system.n_bodies; b++) {
        int driven = 0;
        for (int k = 0; k < d->map.count; k++)
            driven = driven || (d->map.target[k].what == ID_DRIVE &&
                                r->drives[d->map.target[k].index].body == b);
        if (driven && measured_body(d, b)) contact[n] = -1, body[n++] = b;
    }
    if (n == 0)
        bri_fail(err, BRI_MISSING,
                 moved ? "no force is measured: map DRIVE.force or CONTACT.F to a column"
                       : "no motion is measured: map BODY.x, BODY.v or CONTACT.v to a column");
    return n;
}

static bri_status check_rig(const id_rig *r, int body, int *of, double *sign, bri_error *err) {
    *of = contact_of(r, body);
    if (*of == -2)
        return bri_fail(
            err, BRI_MISSING,
            "%s touches several partners: over measured motion their forces cannot be told "
            "apart; map CONTACT.F where it is measured",
            r->bodies[body].name);
    *sign = *of >= 0 && r->contacts[*of].b == body ? -1.0 : 1.0;
    for (int i = 0; i < r->def.system.n_couplings; i++) {
        const bri_coupling *c = &r->couplings[i];
        int other = c->a == body ? c->b : c->b == body ? c->a : BRI_GROUND;
        if (other != BRI_GROUND)
            return bri_fail(
                err, BRI_MISSING,
                "%s is joined to %s by %s: over measured motion only couplings to the ground "
                "are known",
                r->bodies[body].name, r->bodies[other].name, c->name ? c->name : c->kind->name);
    }
    for (int i = 0; i < r->def.system.n_drives; i++) {
        const bri_drive *d = &r->drives[i];
        if (d->body == body && d->by && !id_function_known(d->by, body))
            return bri_fail(err, BRI_MISSING,
                            "the force of %s depends on what is not measured with %s: simulate it, "
                            "--way motion",
                            d->name ? d->name : "a drive", r->bodies[body].name);
    }
    return BRI_OK;
}

static void find_rest(id_force *f) {
    double most = 0.0;
    for (int i = 0; i < f->n_runs; i++)
        for (long k = 0; f->run[i].slide && k < f->run[i].count; k++)
            most = fmax(most, fabs(f->run[i].slide[k]));
    f->rest = 1e-6 * most;
}

int id_force_measured(const id_force *f, double *out) {
    long row = 0;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        long wide = r->share > 0.0 ? id_low_pass_room(r->count, r->share) : 0;
        double *y = malloc((size_t)(r->count + wide + 1) * sizeof *y);
        if (!y) return 0;
        memcpy(y, r->y, (size_t)r->count * sizeof *y);
        if (r->share > 0.0) id_low_pass(y, r->count, r->share, y + r->count);
        for (long k = 0; k < r->rows; k++) out[row++] = y[r->first + k * r->step];
        free(y);
    }
    return 1;
}

static bri_status lay_out_rows(id_force *f, bri_error *err) {
    f->rows = 0;
    for (int i = 0; i < f->n_runs; i++) f->rows += f->run[i].rows;
    if (f->rows < 8)
        return bri_fail(err, BRI_BAD_VALUE,
                        "the recordings are too short for the filter: %ld samples "
                        "are left; see --filter",
                        f->rows);
    f->cuts = ARENA_NEW(&f->memory, unsigned char, (size_t)f->rows);
    f->time = room_for(f, f->rows);
    if (!f->cuts || !f->time) return out_of_memory(err);
    long row = 0;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        if (r->rows > 0) f->cuts[row] = 1;
        for (long k = 0; k < r->rows; k++, row++)
            f->time[row] =
                f->data->stretch[r->stretch].from + (double)(r->first + k * r->step) * r->h;
    }
    double *y = malloc((size_t)f->rows * sizeof *y), sum = 0.0;
    if (!y || !id_force_measured(f, y)) {
        free(y);
        return out_of_memory(err);
    }
    for (long i = 0; i < f->rows; i++) sum += y[i] * y[i];
    free(y);
    f->size = sqrt(sum / (double)f->rows);
    return BRI_OK;
}

bri_status id_force_prepare(id_force *f, const id_data *d, id_rig *rig, double filter,
                            double *chosen, bri_error *err) {
    int contact[ID_TARGETS], body[ID_TARGETS];
    *f = (id_force){.data = d, .rig = rig, .steps = 1};
    int n = equations(d, rig, contact, body, err);
    if (n == 0) return BRI_MISSING;
    if (chosen) *chosen = filter > 0.0 ? filter : 0.0;
    f->run = ARENA_NEW(&f->memory, id_run, (size_t)(n * d->count));
    if (!f->run) return out_of_memory(err);
    for (int e = 0; e < n; e++) {
        int of = contact[e];
        double sign = 1.0;
        bri_status status = body[e] >= 0 ? check_rig(rig, body[e], &of, &sign, err) : BRI_OK;
        for (int i = 0; status == BRI_OK && i < d->count; i++) {
            id_run *r = &f->run[f->n_runs++];
            *r = (id_run){
                .stretch = i, .contact = contact[e], .body = body[e], .of = of, .sign = sign};
            status = fill_run(f, r, &d->stretch[i], filter, err);
        }
        if (status != BRI_OK) return status;
    }
    find_rest(f);
    return lay_out_rows(f, err);
}

void id_force_free(id_force *f) {
    arena_free(&f->memory);
    *f = (id_force){0};
}
