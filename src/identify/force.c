/* force.c - the force that a rig needs for a measured motion (inverse dynamics), against the force
 * that was measured.
 *
 *     sum of measured drives = m a + friction + couplings - other drives + offset
 *
 * or, where the force of a contact is measured, simply that; all over the gain of the sensor. The
 * states of a law are integrated along the measured sliding velocity by the law's own stable step,
 * with velocities at the middle of each step. Derivatives in the parameters of the law: the same
 * run in further lanes, with each parameter a little more and a little less, side by side in one
 * batch.
 *
 * Position, force and residuals pass the same kind of filter (filter.c): what the position loses at
 * high frequencies, the force loses too. */
#include "identify.h"

#include "fail.h"
#include "study/curve.h"

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

/* ---- the law in lanes ----------------------------------------------------------------------- */

/* The forces of `lanes` contacts with parameters p[j * lanes + l] along the motion of a run, to
 * F[l * count + i]. */
typedef struct lanes {
    const bri_model *model;
    int count;
    double *p;
} lanes;

/* Without states all samples of a lane are one batch. */
static void run_static(const id_run *r, const lanes *l, double load, double *F) {
    double p[BRI_MAX_PARAMS];
    for (int k = 0; k < l->count; k++) {
        for (int j = 0; j < l->model->n_params; j++) p[j] = l->p[j * l->count + k];
        bri_batch b = {.model = l->model,
                       .count = (size_t)r->count,
                       .p = p,
                       .v = r->slide,
                       .n = r->load ? r->load : &load,
                       .own_loads = r->load != NULL};
        bri_batch_eval(&b, NULL, F + k * r->count, NULL);
    }
}

/* States at the start: those of sliding on as at the first instant, or of a long rest. */
static void start_states(const id_run *r, const lanes *l, double load, double rest, double *z) {
    bri_setup s = {.model = l->model, .load = r->load ? r->load[0] : load};
    double own[BRI_MAX_STATES], top;
    for (int k = 0; k < l->count; k++) {
        for (int j = 0; j < l->model->n_params; j++) s.p[j] = l->p[j * l->count + k];
        int n = bri_model_states(l->model, s.p);
        if (fabs(r->slide[0]) > rest && s.load > 0.0)
            bri_steady_state(&s, r->slide[0], own, &top);
        else
            bri_model_rest(l->model, s.p, own);
        for (int j = 0; j < n; j++) z[j * l->count + k] = own[j];
    }
}

/* The sliding velocity between the samples i - 1 and i: a parabola through the mean of both
 * curvatures. */
static double between(const id_run *r, long i, double at) {
    const double *v = r->slide;
    double bend = 0.0;
    if (i >= 2 && i + 1 < r->count) bend = 0.5 * (v[i + 1] - v[i] - v[i - 1] + v[i - 2]);
    return v[i - 1] + at * (v[i] - v[i - 1]) - 0.5 * at * (1.0 - at) * bend;
}

static int run_states(const id_run *r, const lanes *l, double load, int steps, double rest,
                      double *F) {
    int L = l->count, n = l->model->n_states;
    double *room = calloc((size_t)(L * (2 * n + 2)), sizeof *room);
    if (!room) return -1;
    double *z = room, *dz = z + L * n, *v = dz + L * n, *now = v + L, N = load;
    bri_batch b = {
        .model = l->model, .count = (size_t)L, .p = l->p, .v = v, .n = &N, .own_params = 1};
    start_states(r, l, load, rest, z);
    for (long i = 0; i < r->count; i++) {
        for (int s = 0; i > 0 && s < steps; s++) {
            double at = (s + 0.5) / steps, mid = between(r, i, at);
            if (r->load) N = r->load[i - 1] + at * (r->load[i] - r->load[i - 1]);
            for (int k = 0; k < L; k++) v[k] = mid;
            bri_batch_step(&b, r->h / steps, z, now);
        }
        if (r->load) N = r->load[i];
        for (int k = 0; k < L; k++) v[k] = r->slide[i];
        bri_batch_eval(&b, z, now, dz);
        for (int k = 0; k < L; k++) F[k * r->count + i] = now[k];
    }
    free(room);
    return 0;
}

/* ---- residuals ------------------------------------------------------------------------------ */

/* All but friction and measured drives: m a + couplings - other drives + offset + gravity. */
static void balance(const id_force *f, const id_run *r, const id_extras *e, double *out) {
    const id_rig *rig = f->rig;
    const bri_system *s = &rig->def.system;
    for (long i = 0; i < r->count; i++) out[i] = e->offset;
    if (r->body < 0) return;
    double m = rig->bodies[r->body].mass;
    for (long i = 0; i < r->count; i++) out[i] += m * r->a[i];
    for (long i = 0; e->gravity != 0.0 && i < r->count; i++)
        out[i] += e->gravity * sin(r->x[i] - e->angle);
    for (int c = 0; c < s->n_couplings; c++) {
        const bri_coupling *k = &rig->couplings[c];
        if (k->a != r->body && k->b != r->body) continue;
        double side = k->a == r->body ? -1.0 : 1.0, by_L, by_rate;
        for (long i = 0; i < r->count; i++)
            out[i] +=
                side * k->kind->tension(k->p, side * r->x[i], side * r->v[i], &by_L, &by_rate);
    }
    for (int d = 0; d < s->n_drives; d++) {
        if (rig->drives[d].body != r->body || id_map_find(&f->data->map, ID_DRIVE, d) >= 0)
            continue;
        for (long i = 0; i < r->count; i++)
            out[i] -= bri_signal_value(&rig->drives[d].force,
                                       f->data->stretch[r->stretch].from + (double)i * r->h);
    }
}

/* The measured force at t + delay. */
static void measured(const id_run *r, const id_extras *e, double *out) {
    double shift = e->delay / r->h, whole = floor(shift), share = shift - whole;
    for (long i = 0; i < r->count; i++) {
        long at = i + (long)whole;
        at = at < 0 ? 0 : at > r->count - 2 ? r->count - 2 : at;
        out[i] = r->y[at] + share * (r->y[at + 1] - r->y[at]);
    }
}

typedef struct work {
    const id_force *f;
    const id_unknowns *u;
    const double *value;
    double step[ID_UNKNOWNS][2]; /* below and above the value */
    double *e, *F, *other, *room, *column;
    int lane_of[ID_UNKNOWNS]; /* first of its two lanes; -1: none */
} work;

/* A step for differences on both sides, within the range. */
static void find_steps(work *w) {
    for (int k = 0; k < w->u->count; k++) {
        const id_unknown *o = &w->u->one[k];
        double v = w->value[k], size = fmax(fabs(v), 1e-6 * fabs(o->start));
        double h = 1e-5 * (size > 0.0 ? size : o->role == BRI_ROLE_VISCOUS ? w->f->size : 1e-3);
        if (o->kind == ID_DELAY) h = 0.25 * w->f->run[0].h;
        w->step[k][0] = fmax(v - h, o->low) - v;
        w->step[k][1] = fmin(v + h, o->high) - v;
        if (w->step[k][0] == w->step[k][1]) w->step[k][1] = h;
    }
}

static void set_lane(const id_unknown *o, lanes *l, int lane, double value) {
    l->p[o->param * l->count + lane] = value;
    if (o->twin >= 0) l->p[o->twin * l->count + lane] = value;
}

/* Friction of the run's contact in all lanes: the first is that of the values themselves. */
static int friction(work *w, const id_run *r, int slopes) {
    const id_force *f = w->f;
    const bri_contact *c = &f->rig->contacts[r->of];
    lanes l = {.model = c->model, .count = 1};
    for (int k = 0; k < w->u->count; k++) {
        const id_unknown *o = &w->u->one[k];
        int mine = slopes && o->kind == ID_LAW && o->contact == r->of;
        w->lane_of[k] = mine ? l.count : -1;
        l.count += 2 * mine;
    }
    if (c->model->n_states > 0 && l.count > 1) l.count = (l.count + 7) / 8 * 8; /* whole vectors */
    l.p = malloc((size_t)(l.count * c->model->n_params) * sizeof *l.p);
    if (!l.p) return -1;
    for (int j = 0; j < c->model->n_params; j++)
        for (int k = 0; k < l.count; k++) l.p[j * l.count + k] = c->p[j];
    for (int k = 0; k < w->u->count; k++)
        for (int s = 0; w->lane_of[k] >= 0 && s < 2; s++)
            set_lane(&w->u->one[k], &l, w->lane_of[k] + s, w->value[k] + w->step[k][s]);
    int failed = 0;
    if (c->model->n_states == 0)
        run_static(r, &l, c->n, w->F);
    else
        failed = run_states(r, &l, c->n, f->steps, f->rest, w->F);
    free(l.p);
    return failed;
}

/* A law that sticks exactly holds what it has to, up to its limit, in all lanes. What is wanted is
 * what the balance leaves to friction. */
static void hold(work *w, const id_run *r, const double *wanted, unsigned char *held) {
    const bri_contact *c = &w->f->rig->contacts[r->of];
    if (!c->model->set_valued) return;
    for (long i = 0; i < r->count; i++) {
        bri_input u = {
            .v = r->slide[i], .n = r->load ? r->load[i] : c->n, .fa = r->sign * wanted[i]};
        if (fabs(u.v) > w->f->rest && bri_model_motion(c->model, c->p, &u, NULL) != 0) continue;
        u.mode = BRI_STUCK;
        double F = bri_model_eval(c->model, c->p, &u, NULL, NULL);
        held[i] = F == u.fa;
        w->F[i] = F;
        for (int k = 0; k < w->u->count; k++)
            for (int s = 0; w->lane_of[k] >= 0 && s < 2; s++) {
                double p[BRI_MAX_PARAMS];
                memcpy(p, c->p, sizeof p);
                lanes one = {c->model, 1, p};
                set_lane(&w->u->one[k], &one, 0, w->value[k] + w->step[k][s]);
                w->F[(w->lane_of[k] + s) * r->count + i] =
                    bri_model_eval(c->model, p, &u, NULL, NULL);
            }
    }
}

/* Through the filter, and the samples that count; rows that are held out are zero. */
static void put_rows(const work *w, const id_run *r, double *y, long row, double *out) {
    if (r->share > 0.0) id_low_pass(y, r->count, r->share, w->room);
    for (long i = 0; i < r->rows; i++) {
        int used = !w->f->use || w->f->use[row + i];
        out[row + i] = used ? y[r->first + i * r->step] : 0.0;
    }
}

/* The derivative in an unknown that is not one of the law, to w->column. */
static void other_slope(work *w, const id_run *r, int k, const double *model) {
    const id_unknown *o = &w->u->one[k];
    id_extras *e = &w->u->extras[r->file];
    double h = w->step[k][1] - w->step[k][0];
    double *at = o->kind >= ID_OFFSET && o->file < 0
                     ? (double *)((char *)o->at + (size_t)r->file * sizeof(id_extras))
                     : o->at;
    for (long i = 0; o->kind == ID_GAIN && i < r->count; i++) w->column[i] = model[i] / e->gain;
    if (o->kind == ID_GAIN) return;
    for (int s = 1; s >= 0; s--) {
        double *to = s ? w->column : w->other, *y = w->room;
        *at = w->value[k] + w->step[k][s];
        measured(r, e, y);
        balance(w->f, r, e, to);
        for (long i = 0; i < r->count; i++) to[i] = y[i] - to[i] / e->gain;
    }
    *at = w->value[k];
    for (long i = 0; i < r->count; i++) w->column[i] = (w->column[i] - w->other[i]) / h;
}

/* Residuals without derivatives: what is measured less what the rig needs, over the gain. model
 * receives the latter; held[i] != 0: a contact sticks and holds whatever it is. */
static int plain_residuals(work *w, const id_run *r, int slopes, double *model,
                           unsigned char *held) {
    const id_extras *e = &w->u->extras[r->file];
    measured(r, e, w->e);
    balance(w->f, r, e, model);
    if (r->of >= 0) {
        if (friction(w, r, slopes)) return -1;
        for (long i = 0; i < r->count; i++) w->other[i] = e->gain * w->e[i] - model[i];
        hold(w, r, w->other, held);
        for (long i = 0; i < r->count; i++) model[i] += r->sign * w->F[i];
    }
    for (long i = 0; i < r->count; i++) model[i] /= e->gain;
    for (long i = 0; i < r->count; i++) w->e[i] -= model[i];
    return 0;
}

/* The derivative in unknown k, to w->column. */
static void column_of(work *w, const id_run *r, int k, const double *model,
                      const unsigned char *held) {
    const id_unknown *o = &w->u->one[k];
    double h = w->step[k][1] - w->step[k][0], gain = w->u->extras[r->file].gain;
    int lane = r->of >= 0 ? w->lane_of[k] : -1;
    if (lane >= 0) {
        const double *a = w->F + lane * r->count, *b = a + r->count;
        for (long i = 0; i < r->count; i++) w->column[i] = -r->sign * (b[i] - a[i]) / (h * gain);
    } else if (o->kind == ID_LAW || (o->file >= 0 && o->file != r->file)) {
        memset(w->column, 0, (size_t)r->count * sizeof *w->column);
    } else {
        other_slope(w, r, k, model);
        for (long i = 0; i < r->count; i++)
            if (held[i]) w->column[i] = 0.0;
    }
}

static int run_residuals(work *w, const id_run *r, long row, double *res, double *J) {
    unsigned char *held = calloc((size_t)r->count, 1);
    double *model = malloc((size_t)r->count * sizeof *model);
    int failed = held && model ? 0 : -1;
    if (!failed) {
        id_put(w->u, w->value, r->file);
        failed = plain_residuals(w, r, J != NULL, model, held);
    }
    if (!failed) put_rows(w, r, w->e, row, res);
    for (int k = 0; !failed && J && k < w->u->count; k++) {
        column_of(w, r, k, model, held);
        put_rows(w, r, w->column, row, J + k * w->f->rows);
    }
    free(held);
    free(model);
    return failed;
}

/* From derivatives in the values to those in what is sought. */
static void chain(const id_unknowns *u, const double *value, double *J, long rows) {
    for (int k = 0; k < u->count; k++)
        if (u->one[k].above >= 0)
            for (long i = 0; i < rows; i++) J[u->one[k].above * rows + i] += J[k * rows + i];
    for (int k = 0; k < u->count; k++)
        if (u->one[k].log)
            for (long i = 0; i < rows; i++) J[k * rows + i] *= value[k];
}

/* Nonzero: a law does not allow its parameters. */
static int forbidden(const id_force *f) {
    for (int i = 0; i < f->rig->def.system.n_contacts; i++)
        if (bri_model_check(f->rig->contacts[i].model, f->rig->contacts[i].p, NULL) != BRI_OK)
            return 1;
    return 0;
}

int id_force_residuals(void *context, const double *u, double *r, double *J) {
    id_force *f = context;
    double value[ID_UNKNOWNS];
    long most = 0, wide = 0;
    for (int i = 0; i < f->n_runs; i++) {
        if (f->run[i].count > most) most = f->run[i].count;
        if (f->run[i].share > 0.0 && id_low_pass_room(f->run[i].count, f->run[i].share) > wide)
            wide = id_low_pass_room(f->run[i].count, f->run[i].share);
    }
    if (wide < most) wide = most;
    id_decode(f->unknowns, u, value);
    id_put(f->unknowns, value, 0);
    if (forbidden(f)) return 1;
    work w = {.f = f, .u = f->unknowns, .value = value};
    size_t n_lanes = J ? 2 * (size_t)f->unknowns->count + 8 : 1;
    double *room = malloc(((size_t)most * (3 + n_lanes) + (size_t)wide) * sizeof *room);
    if (!room) return -1;
    w.e = room, w.other = w.e + most, w.column = w.other + most, w.F = w.column + most;
    w.room = w.F + n_lanes * (size_t)most;
    find_steps(&w);
    int failed = 0;
    long row = 0;
    for (int i = 0; !failed && i < f->n_runs; i++) {
        failed = run_residuals(&w, &f->run[i], row, r, J);
        row += f->run[i].rows;
    }
    free(room);
    if (!failed && J) chain(f->unknowns, value, J, f->rows);
    for (long i = 0; !failed && i < f->rows; i++) failed = !isfinite(r[i]);
    return failed;
}
