/* force.c - the force that a rig needs for a measured motion (inverse dynamics), against the force
 * that was measured.
 *
 *     sum of measured drives = m a + friction + couplings - other drives + offset
 *
 * or, where the force of a contact is measured, simply that; all over the gain of the sensor. The
 * states of a law are integrated along the measured sliding velocity by the law's own stable step,
 * with velocities at the middle of each step. Derivatives in the parameters: those of the law
 * itself where it has no states; else the same run in further lanes, with each parameter a little
 * more, side by side in one batch: the derivative of the steps that are taken. */
#include "identify.h"

#include "kernels/kernels.h"

#include <math.h>
#include <string.h>

/* ---- all but friction ----------------------------------------------------------------------- */

static double time_of(const id_force *f, const id_run *r, long i) {
    return f->data->stretch[r->stretch].from + (double)i * r->h;
}

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
        for (long i = 0; k->tension && i < r->count; i++)
            out[i] += side * id_function_at(rig, k->tension, time_of(f, r, i), side * r->x[i],
                                            side * r->v[i]);
        for (long i = 0; !k->tension && i < r->count; i++)
            out[i] +=
                side * k->kind->tension(k->p, side * r->x[i], side * r->v[i], &by_L, &by_rate);
    }
    for (int d = 0; d < s->n_drives; d++) {
        if (rig->drives[d].body != r->body || id_map_find(&f->data->map, ID_DRIVE, d) >= 0)
            continue;
        const bri_function *by = rig->drives[d].by;
        for (long i = 0; i < r->count; i++)
            out[i] -= by ? id_function_at(rig, by, time_of(f, r, i), r->x[i], r->v[i])
                         : bri_signal_value(&rig->drives[d].force, time_of(f, r, i));
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
    int lane_of[ID_UNKNOWNS]; /* its lane; -1: none */
    int exact;                /* nonzero: its lane holds the slope itself */
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

/* The change of an unknown in its lane: up, if its range allows. */
static double lane_step(const work *w, int k) {
    const double *step = w->step[k];
    return step[1] >= -step[0] ? step[1] : step[0];
}

/* ---- friction ------------------------------------------------------------------------------- */

/* A law without states: all samples are one batch; slopes, one lane for each unknown, are the law's
 * own. */
static int without_states(work *w, const id_run *r, int slopes) {
    enum { PIECE = 1024 };
    const bri_contact *c = &w->f->rig->contacts[r->of];
    double *D = malloc((size_t)(PIECE * c->model->n_params) * sizeof *D);
    if (!D) return -1;
    for (long from = 0; from < r->count; from += PIECE) {
        long n = r->count - from < PIECE ? r->count - from : PIECE;
        bri_batch b = {.model = c->model,
                       .count = (size_t)n,
                       .p = c->p,
                       .v = r->slide + from,
                       .n = r->load ? r->load + from : &c->n,
                       .own_loads = r->load != NULL};
        bri_batch_eval(&b, NULL, w->F + from, NULL);
        if (slopes) bri_batch_params_jac(&b, NULL, NULL, NULL, D);
        for (int k = 0; k < w->u->count; k++) {
            const id_unknown *o = &w->u->one[k];
            if (w->lane_of[k] < 0) continue;
            double *to = w->F + w->lane_of[k] * r->count + from;
            for (long i = 0; i < n; i++)
                to[i] = D[o->param * n + i] + (o->twin >= 0 ? D[o->twin * n + i] : 0.0);
        }
    }
    free(D);
    return 0;
}

static void set_lane(const id_unknown *o, id_lanes *l, int lane, double value) {
    l->p[o->param * l->count + lane] = value;
    if (o->twin >= 0) l->p[o->twin * l->count + lane] = value;
}

/* Friction of the run's contact: the first lane is that of the values themselves. */
static int friction(work *w, const id_run *r, int slopes) {
    const id_force *f = w->f;
    const bri_contact *c = &f->rig->contacts[r->of];
    id_lanes l = {.model = c->model, .count = 1};
    w->exact = c->model->n_states == 0;
    for (int k = 0; k < w->u->count; k++) {
        const id_unknown *o = &w->u->one[k];
        int mine = slopes && o->kind == ID_LAW && o->contact == r->of &&
                   (o->file < 0 || o->file == r->file);
        w->lane_of[k] = mine ? l.count : -1;
        l.count += mine;
    }
    if (w->exact) return without_states(w, r, slopes);
    bri_batch one = {.model = c->model, .count = 1, .p = c->p, .n = &c->n, .own_loads = 1};
    bri_batch_kernels by;
    int width = bri_batch_find(&one, &by) ? (int)by.width : 1;
    l.count = (l.count + width - 1) / width * width; /* whole vectors */
    l.p = malloc((size_t)(l.count * c->model->n_params) * sizeof *l.p);
    if (!l.p) return -1;
    for (int j = 0; j < c->model->n_params; j++)
        for (int k = 0; k < l.count; k++) l.p[j * l.count + k] = c->p[j];
    for (int k = 0; k < w->u->count; k++)
        if (w->lane_of[k] >= 0)
            set_lane(&w->u->one[k], &l, w->lane_of[k], w->value[k] + lane_step(w, k));
    int failed = id_lanes_run(r, &l, c->n, f->steps, f->rest, w->F);
    free(l.p);
    return failed;
}

/* A law that sticks exactly (these have no states) holds what it has to, up to its limit. What is
 * wanted is what the balance leaves to friction. */
static void hold(work *w, const id_run *r, const double *wanted, unsigned char *held) {
    const bri_contact *c = &w->f->rig->contacts[r->of];
    if (!c->model->set_valued || !w->exact) return;
    for (long i = 0; i < r->count; i++) {
        bri_input u = {
            .v = r->slide[i], .n = r->load ? r->load[i] : c->n, .fa = r->sign * wanted[i]};
        double D[BRI_MAX_PARAMS] = {0};
        if (fabs(u.v) > w->f->rest && bri_model_motion(c->model, c->p, &u, NULL) != 0) continue;
        u.mode = BRI_STUCK;
        w->F[i] = bri_model_eval(c->model, c->p, &u, NULL, NULL);
        held[i] = w->F[i] == u.fa;
        if (!held[i]) bri_model_params_jac(c->model, c->p, &u, NULL, D);
        for (int k = 0; k < w->u->count; k++) {
            const id_unknown *o = &w->u->one[k];
            if (w->lane_of[k] >= 0)
                w->F[w->lane_of[k] * r->count + i] =
                    D[o->param] + (o->twin >= 0 ? D[o->twin] : 0.0);
        }
    }
}

/* ---- residuals ------------------------------------------------------------------------------ */

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

/* The derivative in the load of the run's contact, to w->column, by differences. */
static int load_slope(work *w, const id_run *r, int k) {
    size_t n = (size_t)r->count;
    double *room = malloc(n * (3 + BRI_KERNEL_WIDTH) * sizeof *room);
    unsigned char *held = calloc(n, 1);
    int failed = room && held ? 0 : -1;
    work own = *w;
    own.e = room, own.other = room + n, own.F = room + 3 * n;
    for (int s = 0; s < 2 && !failed; s++) {
        *w->u->one[k].at = w->value[k] + w->step[k][s];
        memset(held, 0, n);
        failed = plain_residuals(&own, r, 0, room + 2 * n, held);
        for (size_t i = 0; !failed && i < n; i++)
            w->column[i] = (s ? own.e[i] - w->column[i] : own.e[i]) /
                           (s ? w->step[k][1] - w->step[k][0] : 1.0);
    }
    *w->u->one[k].at = w->value[k];
    free(room), free(held);
    return failed;
}

/* The derivative in unknown k, to w->column. */
static int column_of(work *w, const id_run *r, int k, const double *model,
                     const unsigned char *held) {
    const id_unknown *o = &w->u->one[k];
    double gain = w->u->extras[r->file].gain;
    int lane = r->of >= 0 ? w->lane_of[k] : -1;
    if (lane >= 0 && w->exact) {
        const double *slope = w->F + lane * r->count;
        for (long i = 0; i < r->count; i++) w->column[i] = -r->sign * slope[i] / gain;
    } else if (lane >= 0) {
        const double *a = w->F, *b = w->F + lane * r->count;
        double more = lane_step(w, k) * gain;
        for (long i = 0; i < r->count; i++) w->column[i] = -r->sign * (b[i] - a[i]) / more;
    } else if (o->kind == ID_LOAD && r->of >= 0 && !r->load &&
               o->at == &w->f->rig->contacts[r->of].n && (o->file < 0 || o->file == r->file)) {
        return load_slope(w, r, k);
    } else if (o->kind == ID_LAW || o->kind == ID_LOAD || (o->file >= 0 && o->file != r->file)) {
        memset(w->column, 0, (size_t)r->count * sizeof *w->column);
    } else {
        other_slope(w, r, k, model);
        for (long i = 0; i < r->count; i++)
            if (held[i]) w->column[i] = 0.0;
    }
    return 0;
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
        failed = column_of(w, r, k, model, held);
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

int id_forbidden(const id_force *f, const double *value) {
    for (int r = 0; r < f->n_runs; r++) {
        if (r > 0 && f->run[r].file == f->run[r - 1].file) continue;
        id_put(f->unknowns, value, f->run[r].file);
        for (int i = 0; i < f->rig->def.system.n_contacts; i++)
            if (bri_model_check(f->rig->contacts[i].model, f->rig->contacts[i].p, NULL) != BRI_OK)
                return 1;
    }
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
    if (id_forbidden(f, value)) return 1;
    work w = {.f = f, .u = f->unknowns, .value = value};
    size_t n_lanes = (J ? (size_t)f->unknowns->count : 0) + BRI_KERNEL_WIDTH;
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
