/* replay.c - one stretch of a recording run again: measured forces of drives, motions of bodies
 * whose motion is prescribed, and loads take the place of the rig's own signals; bodies that are
 * free start as they were measured and are then left to the simulation.
 *
 * A controller is part of the rig, kp (q_ref - q) - kv q' a spring to a body that moves as q_ref
 * and a damper to the ground; or it is given as an expression (controller.c) and computed at the
 * instants of the recording, as a computer does. */
#include "identify.h"

#include <math.h>
#include <string.h>

/* Weight of an arm: a torque G sin(L - b) towards the ground. */
static double weight(const double *p, double L, double rate, double *by_L, double *by_rate) {
    (void)rate;
    *by_L = p[0] * cos(L - p[1]);
    *by_rate = 0.0;
    return p[0] * sin(L - p[1]);
}

static double weight_energy(const double *p, double L) { return -p[0] * cos(L - p[1]); }

static const bri_coupling_kind weight_kind = {
    .name = "weight",
    .text = "weight of an arm",
    .params = (const bri_param[]){{"gravity", "N", 0.0, -1e9, 1e9, "", NULL, 0, BRI_ROLE_NONE},
                                  {"angle", "m", 0.0, -7.0, 7.0, "", NULL, 0, BRI_ROLE_NONE}},
    .n_params = 2,
    .tension = weight,
    .energy = weight_energy,
};

/* A rig with measured inputs in place of its signals. */
typedef struct bench {
    bri_sim_def def;
    bri_body *bodies;
    bri_contact *contacts;
    bri_drive *drives;
    bri_coupling *couplings;
    bri_signal signal[ID_TARGETS];
    double *t[ID_TARGETS], *y[ID_TARGETS], *sum[ID_TARGETS];
} bench;

static void bench_free(bench *b) {
    free(b->bodies), free(b->contacts), free(b->drives), free(b->couplings);
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

static void *copy_of(const void *from, int count, size_t size) {
    void *to = malloc((size_t)(count + 1) * size); /* and one more */
    if (to && count > 0) memcpy(to, from, (size_t)count * size);
    return to;
}

/* What acts beside the rig's own forces: an offset, and weight. */
static void add_extras(bench *b, int body, const id_extras *e) {
    bri_system *y = &b->def.system;
    b->drives[y->n_drives] = (bri_drive){.body = body, .force = bri_signal_constant(-e->offset)};
    y->n_drives += e->offset != 0.0;
    b->couplings[y->n_couplings] = (bri_coupling){
        .kind = &weight_kind, .a = BRI_GROUND, .b = body, .p = {e->gravity, e->angle}};
    y->n_couplings += e->gravity != 0.0;
}

static int set_up(bench *b, const id_force *f, const id_stretch *s, const id_extras *e) {
    const id_rig *r = f->rig;
    const bri_system *y = &r->def.system;
    *b = (bench){.def = r->def};
    b->bodies = copy_of(r->bodies, y->n_bodies, sizeof *b->bodies);
    b->contacts = copy_of(r->contacts, y->n_contacts, sizeof *b->contacts);
    b->drives = copy_of(r->drives, y->n_drives, sizeof *b->drives);
    b->couplings = copy_of(r->couplings, y->n_couplings, sizeof *b->couplings);
    if (!b->bodies || !b->contacts || !b->drives || !b->couplings) return 0;
    for (int k = 0; k < f->data->map.count; k++) {
        const id_target *t = &f->data->map.target[k];
        if (t->what == ID_TIME || id_answers(r, t, f->loop)) continue;
        const bri_signal *g =
            table_of(b, s, k, f->loop ? 0.0 : e->delay, t->what == ID_DRIVE ? e->gain : 1.0);
        if (!g) return 0;
        if (t->what == ID_DRIVE) b->drives[t->index].force = *g;
        if (t->what == ID_CONTACT_N)
            b->contacts[t->index].load = BRI_LOAD_SIGNAL, b->contacts[t->index].n_of_t = g;
        if (t->what == ID_BODY_X)
            b->bodies[t->index].position = g, b->bodies[t->index].velocity = NULL;
        if (t->what == ID_BODY_V)
            b->bodies[t->index].velocity = g, b->bodies[t->index].position = NULL;
    }
    if (f->loop) {
        bri_drive *d = &b->drives[id_controller_drive(f->loop)];
        d->force = bri_signal_constant(0.0), d->by = NULL;
    }
    b->def.system.bodies = b->bodies, b->def.system.contacts = b->contacts,
    b->def.system.drives = b->drives, b->def.system.couplings = b->couplings;
    add_extras(b, f->run[0].body, e);
    b->def.t_start = s->from;
    b->def.t_end = s->from + (double)s->count * s->h;
    b->def.energies = 0, b->def.event_room = -1;
    return 1;
}

/* The velocity at the first sample, by a straight line through the first nine; the difference of
 * positions that stands there is that of half a step later. */
static double first_velocity(const id_run *r) {
    long n = r->count < 9 ? r->count : 9;
    double t = 0.0, v = 0.0, tt = 0.0, tv = 0.0;
    for (long k = 0; k < n; k++) {
        double at = k == 0 && !r->speed ? 0.5 : (double)k;
        t += at / (double)n, v += r->v[k] / (double)n;
        tt += at * at / (double)n, tv += at * r->v[k] / (double)n;
    }
    double spread = tt - t * t;
    return spread > 0.0 ? v - t * (tv - t * v) / spread : v;
}

/* Bodies whose motion is measured start as they were measured. */
static void start_bodies(bench *b, const id_force *f, int stretch, const id_extras *e) {
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        if (r->stretch != stretch) continue;
        if (!r->speed) b->bodies[r->body].x = r->x[0] + e->start_x;
        b->bodies[r->body].v = first_velocity(r) + e->start_v;
    }
}

/* ---- the controller at its instants ---------------------------------------------------------- */

enum { MOST_DELAY = 1000 }; /* samples */

typedef struct hand {
    const id_controller *c;
    bri_ref force;
    double *x, *v, *room;    /* positions and velocities of all bodies */
    double *y;               /* the state, to go on from with another force; NULL: by a new build */
    double past[MOST_DELAY]; /* commands, in a ring */
    double gain;
} hand;

static int hand_begin(hand *h, const id_force *f, bri_sim *sim, const id_extras *e) {
    char address[100];
    bri_error err;
    size_t n = (size_t)f->rig->def.system.n_bodies;
    *h = (hand){.c = f->loop, .gain = e->gain};
    snprintf(address, sizeof address, "%.60s.force",
             f->rig->drives[id_controller_drive(f->loop)].name);
    size_t states = (size_t)bri_sim_states(sim), room = id_controller_room(f->loop);
    h->x = calloc(2 * n + room + states, sizeof *h->x);
    if (!h->x || bri_sim_find(sim, address, &h->force, &err) != BRI_OK) return 0;
    h->v = h->x + n, h->room = h->v + n;
    if (bri_sim_apply(sim, h->force, 0.0, &err) == BRI_OK) h->y = h->room + room;
    return 1;
}

/* From now on the force is u. Solvers that leap know that only as a change of the rig, which is
 * built anew. Nonzero: it fails. */
static int act_with(hand *h, bri_sim *sim, double t, double u) {
    bri_error err;
    if (!h->y) return bri_sim_set(sim, h->force, h->gain * u, &err) != BRI_OK;
    bri_sim_state_get(sim, h->y);
    return bri_sim_apply(sim, h->force, h->gain * u, &err) != BRI_OK ||
           bri_sim_place(sim, t, h->y, &err) != BRI_OK;
}

/* The command at sample k, from where the bodies are and were one sample before. */
static double command(hand *h, const id_force *f, bri_sim *sim, const id_stretch *s, long k) {
    for (int i = 0; i < f->rig->def.system.n_bodies; i++) {
        bri_body_now now = bri_sim_body(sim, i);
        h->v[i] = k > 0 ? (now.x - h->x[i]) / s->h : now.v;
        h->x[i] = now.x;
    }
    double u = id_controller_force(h->c, h->x, h->v, s->from + (double)k * s->h, h->room);
    return h->past[k % MOST_DELAY] = u;
}

/* On to sample k + 1: the command of `delay` ago acts. Nonzero: it fails. */
static int act(hand *h, bri_sim *sim, const id_stretch *s, long k, double delay) {
    bri_error err;
    double shift = fmin(fmax(delay / s->h, 0.0), MOST_DELAY - 2.0), whole = floor(shift);
    double part = shift - whole, t = s->from + (double)k * s->h;
    long now = k - (long)whole, before = now > 0 ? now - 1 : 0;
    if (part > 1e-9 && (act_with(h, sim, t, h->past[before % MOST_DELAY]) ||
                        bri_sim_advance(sim, t + part * s->h, &err) != BRI_OK))
        return 1;
    if (part > 1e-9) t += part * s->h;
    return act_with(h, sim, t, h->past[(now > 0 ? now : 0) % MOST_DELAY]) ||
           bri_sim_advance(sim, s->from + (double)(k + 1) * s->h, &err) != BRI_OK;
}

/* ---- one run -------------------------------------------------------------------------------- */

static int filtered(const id_run *r) { return r->whole && r->share > 0.0; }

/* The rows of sample `at`; where they are filtered, the sample itself. */
static void put_rows(const id_force *f, int stretch, long at, bri_sim *sim, double u, double *res) {
    long row = 0;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        long k = (at - r->first) / r->step;
        int mine = (at - r->first) % r->step == 0 && k < r->rows;
        if (r->stretch == stretch && (mine || filtered(r))) {
            bri_body_now now = bri_sim_body(sim, r->body);
            double off = r->y[at] - (r->command ? u : r->speed ? now.v : now.x);
            if (filtered(r))
                r->whole[at] = off;
            else
                res[row + k] = f->use && !f->use[row + k] ? 0.0 : off;
        }
        row += r->rows;
    }
}

/* The rows of runs that are filtered, once all of their samples are known. */
static void put_filtered(const id_force *f, int stretch, double *res) {
    long row = 0;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        if (r->stretch == stretch && filtered(r)) {
            r->whole[0] = r->whole[1];
            id_low_pass(r->whole, r->count, r->share, r->whole + r->count);
            for (long k = 0; k < r->rows; k++)
                res[row + k] = f->use && !f->use[row + k] ? 0.0 : r->whole[r->first + k * r->step];
        }
        row += r->rows;
    }
}

static int run_open(const id_force *f, int stretch, bri_sim *sim, double *res) {
    const id_stretch *s = &f->data->stretch[stretch];
    bri_error err;
    long step = 1;
    for (int i = 0; i < f->n_runs; i++)
        if (f->run[i].stretch == stretch) step = filtered(&f->run[i]) ? 1 : f->run[i].step;
    for (long at = 1; at < s->count; at += step) {
        if (bri_sim_advance(sim, s->from + (double)at * s->h, &err) != BRI_OK) return 1;
        put_rows(f, stretch, at, sim, 0.0, res);
    }
    return 0;
}

static int run_closed(const id_force *f, int stretch, const id_extras *e, bri_sim *sim,
                      double *res) {
    const id_stretch *s = &f->data->stretch[stretch];
    hand h;
    int failed = !hand_begin(&h, f, sim, e);
    for (long at = 0; !failed && at < s->count; at++) {
        double u = command(&h, f, sim, s, at);
        if (at > 0) put_rows(f, stretch, at, sim, u, res);
        failed = !isfinite(u) || (at + 1 < s->count && act(&h, sim, s, at, e->delay));
    }
    free(h.x);
    return failed;
}

int id_replay(const id_force *f, int stretch, double *res) {
    const id_stretch *s = &f->data->stretch[stretch];
    const id_extras *e = &f->unknowns->extras[s->file];
    bench b;
    bri_sim *sim = NULL;
    bri_error err;
    int failed = !set_up(&b, f, s, e);
    if (!failed) start_bodies(&b, f, stretch, e);
    if (!failed) failed = bri_sim_create(&b.def, &sim, &err) != BRI_OK;
    if (!failed)
        failed = f->loop ? run_closed(f, stretch, e, sim, res) : run_open(f, stretch, sim, res);
    if (!failed) put_filtered(f, stretch, res);
    bri_sim_free(sim);
    bench_free(&b);
    return failed;
}
