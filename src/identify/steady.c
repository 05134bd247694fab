/* steady.c - points of steady sliding (v, F) against the steady curve of a law. */
#include "identify.h"

#include "fail.h"

#include <math.h>
#include <string.h>

bri_status id_steady_prepare(id_force *f, const id_data *d, id_rig *rig, bri_error *err) {
    *f = (id_force){.data = d, .rig = rig, .steps = 1, .steady = 1};
    int at_F = id_map_find(&d->map, ID_CONTACT_F, -1);
    int at_v = at_F >= 0 ? id_map_find(&d->map, ID_CONTACT_V, d->map.target[at_F].index) : -1;
    if (at_v < 0)
        return bri_fail(
            err, BRI_MISSING,
            "points of steady sliding are CONTACT.v and CONTACT.F: map both to columns");
    int c = d->map.target[at_F].index, at_N = id_map_find(&d->map, ID_CONTACT_N, c);
    if (at_N < 0 && rig->contacts[c].load != BRI_LOAD_CONSTANT)
        return bri_fail(err, BRI_MISSING, "the load of %s varies: map %s.load to a column",
                        rig->contacts[c].name, rig->contacts[c].name);
    f->run = ARENA_NEW(&f->memory, id_run, (size_t)d->count);
    double sum = 0.0;
    for (int i = 0; f->run && i < d->count; i++) {
        const id_stretch *s = &d->stretch[i];
        f->run[f->n_runs++] = (id_run){.stretch = i,
                                       .file = s->file,
                                       .contact = c,
                                       .body = -1,
                                       .of = c,
                                       .sign = 1.0,
                                       .count = s->count,
                                       .rows = s->count,
                                       .step = 1,
                                       .h = 1.0,
                                       .y = s->value[at_F],
                                       .slide = s->value[at_v],
                                       .load = at_N >= 0 ? s->value[at_N] : NULL};
        f->rows += s->count;
        for (long k = 0; k < s->count; k++) sum += s->value[at_F][k] * s->value[at_F][k];
    }
    f->cuts = ARENA_NEW(&f->memory, unsigned char, (size_t)f->rows);
    f->time = ARENA_NEW(&f->memory, double, (size_t)f->rows);
    if (!f->run || !f->cuts || !f->time)
        return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    memset(f->cuts, 1, (size_t)f->rows); /* points have no order: their noise is white */
    for (long i = 0; i < f->rows; i++) f->time[i] = (double)i;
    f->size = sqrt(sum / (double)f->rows);
    return BRI_OK;
}

/* What the rig would show at each point; 0 where it is held out. */
static void curve(const id_force *f, const double *value, double *out) {
    long row = 0;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        const bri_contact *c = &f->rig->contacts[r->of];
        bri_setup s = {.model = c->model};
        id_put(f->unknowns, value, r->file);
        memcpy(s.p, c->p, sizeof s.p);
        double offset = f->unknowns->extras[r->file].offset;
        for (long k = 0; k < r->rows; k++, row++) {
            s.load = r->load ? r->load[k] : c->n;
            out[row] = f->use && !f->use[row] ? 0.0 : bri_steady_force(&s, r->slide[k]) + offset;
        }
    }
}

int id_steady_residuals(void *context, const double *u, double *r, double *J) {
    id_force *f = context;
    const id_unknowns *k = f->unknowns;
    double value[ID_UNKNOWNS], *other = malloc((size_t)f->rows * sizeof *other);
    if (!other) return -1;
    id_decode(k, u, value);
    if (id_forbidden(f, value)) {
        free(other);
        return 1;
    }
    curve(f, value, r);
    long row = 0;
    for (int i = 0; i < f->n_runs; i++)
        for (long j = 0; j < f->run[i].rows; j++, row++)
            r[row] = f->use && !f->use[row] ? 0.0 : f->run[i].y[j] - r[row];
    for (int n = 0; J && n < k->count; n++) {
        const id_unknown *o = &k->one[n];
        double *to = J + n * f->rows, here = value[n];
        double h = 1e-6 * fmax(fabs(here), o->kind == ID_OFFSET ? f->size : 1e-6);
        double up = fmin(here + h, o->high), down = fmax(here - h, o->low);
        if (o->kind != ID_LAW && o->kind != ID_LOAD &&
            o->kind != ID_OFFSET) { /* a point knows nothing of it */
            memset(to, 0, (size_t)f->rows * sizeof *to);
            continue;
        }
        value[n] = up;
        curve(f, value, to);
        value[n] = down;
        curve(f, value, other);
        value[n] = here;
        for (long i = 0; i < f->rows; i++) to[i] = -(to[i] - other[i]) / (up - down);
    }
    id_put(k, value, 0);
    for (int n = 0; J && n < k->count; n++)
        for (long i = 0; k->one[n].above >= 0 && i < f->rows; i++)
            J[k->one[n].above * f->rows + i] += J[n * f->rows + i];
    for (int n = 0; J && n < k->count; n++)
        for (long i = 0; k->one[n].log && i < f->rows; i++) J[n * f->rows + i] *= value[n];
    free(other);
    int failed = 0;
    for (long i = 0; i < f->rows; i++) failed = failed || !isfinite(r[i]);
    return failed;
}
