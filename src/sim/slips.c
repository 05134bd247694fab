/* slips.c - slips of many contacts, found from who slides when.
 *
 * A contact that begins to slide opens a slip, or joins those that go on in its neighbourhood; if
 * there are several, they become one (union-find, with the members of a slip in a ring that two
 * slips join by exchanging one pointer). A contact that rests remains a member until all rest. All
 * contacts that slide on one body belong to the same slip, so that a body needs to know only how
 * many there are and the one that came last. */
#include "sim.h"
#include "slide.h"

#include "../arena.h"
#include "../fail.h"

#include <math.h>
#include <stdlib.h>

enum { FEW = 64 }; /* changes in a step, beside some for each contact */

/* What is known of a slip while it goes on; kept with the contact at the root of its tree. */
typedef struct record {
    double start;
    int first, sliding, cut; /* sliding: contacts that do so now */
} record;

/* What is known of a contact. */
typedef struct member {
    double x;              /* when last looked at */
    double distance, peak; /* in the present slip */
    double from;           /* from when on it slides in the present look */
    int slides_then;       /* how often it slides in it */
    int a, b;              /* bodies that may move, or -1 */
    int parent, next;      /* in the tree and the ring of its slip; next -1: in none */
    char slides, exact;    /* exact: its law says itself whether it slides */
} member;

struct bri_slips {
    int n, seen; /* contacts; seen: nonzero once looked at */
    double t, speed;
    member *members;
    record *records;
    int *first, *joined; /* bodies that couplings join to body i: joined[first[i]] ... */
    int *sliding, *last; /* by body: contacts that slide on it, and which began last */
    bri_sliding *now;    /* what a simulation shows */
    double *speeds;      /* the largest since the last look */
    sim_slide *slides;   /* of laws that do not say themselves whether they slide */
    sim_changes changes; /* since the last look */
    bri_slip *ended;
    int n_ended;
    arena memory;
};

/* ---- neighbourhood -------------------------------------------------------------------------- */

static int is_free(const bri_system *s, int body) {
    return body >= 0 && !s->bodies[body].position && !s->bodies[body].velocity;
}

/* Couplings between two bodies that may move, as lists of neighbours: first counted, then put. */
static void join_bodies(bri_slips *slips, const bri_system *s) {
    int *first = slips->first;
    for (int put = 0; put < 2; put++) {
        for (int i = 0; i < s->n_couplings; i++) {
            int a = s->couplings[i].a, b = s->couplings[i].b;
            if (!is_free(s, a) || !is_free(s, b)) continue;
            if (put) slips->joined[first[a]] = b, slips->joined[first[b]] = a;
            first[a]++, first[b]++;
        }
        if (put) {
            for (int i = s->n_bodies; i > 0; i--) first[i] = first[i - 1];
            first[0] = 0;
        } else {
            for (int i = 0, sum = 0; i <= s->n_bodies; i++) {
                int count = first[i];
                first[i] = sum;
                sum += count;
            }
        }
    }
}

bri_status bri_slips_create(const bri_system *s, double speed, bri_slips **out, bri_error *err) {
    *out = NULL;
    if (!(speed > 0.0) || !isfinite(speed))
        return bri_fail(err, BRI_BAD_VALUE, "the speed of a slip must be positive, not %g m/s",
                        speed);
    arena memory = {0};
    bri_slips *slips = ARENA_NEW(&memory, bri_slips, 1);
    if (!slips) return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the slips");
    slips->n = s->n_contacts;
    slips->speed = speed;
    slips->members = ARENA_NEW(&memory, member, s->n_contacts);
    slips->records = ARENA_NEW(&memory, record, s->n_contacts);
    slips->now = ARENA_NEW(&memory, bri_sliding, s->n_contacts);
    slips->speeds = ARENA_NEW(&memory, double, s->n_contacts);
    slips->slides = ARENA_NEW(&memory, sim_slide, s->n_contacts);
    slips->changes.room = 4 * (long)s->n_contacts + FEW;
    slips->changes.list = ARENA_NEW(&memory, sim_change, slips->changes.room);
    slips->ended = ARENA_NEW(&memory, bri_slip, slips->changes.room + 2 * (long)s->n_contacts);
    slips->first = ARENA_NEW(&memory, int, s->n_bodies + 1);
    slips->joined = ARENA_NEW(&memory, int, 2 * (size_t)s->n_couplings);
    slips->sliding = ARENA_NEW(&memory, int, s->n_bodies);
    slips->last = ARENA_NEW(&memory, int, s->n_bodies);
    if (memory.failed) {
        arena_free(&memory);
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the slips");
    }
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        slips->members[i] = (member){.a = is_free(s, c->a) ? c->a : -1,
                                     .b = is_free(s, c->b) ? c->b : -1,
                                     .next = -1,
                                     .exact = c->model && c->model->set_valued};
    }
    join_bodies(slips, s);
    slips->memory = memory;
    *out = slips;
    return BRI_OK;
}

void bri_slips_free(bri_slips *slips) {
    if (!slips) return;
    arena memory = slips->memory; /* it holds the slips themselves */
    arena_free(&memory);
}

/* ---- one contact begins, or rests ----------------------------------------------------------- */

static int root_of(bri_slips *s, int i) {
    member *m = s->members;
    while (m[i].parent != i) {
        m[i].parent = m[m[i].parent].parent; /* half the way for those who come next */
        i = m[i].parent;
    }
    return i;
}

/* The slips of two contacts become one, which began where the earlier did. */
static void unite(bri_slips *s, int i, int j) {
    int into = root_of(s, i), from = root_of(s, j);
    if (into == from) return;
    member *m = s->members;
    record *a = &s->records[into], *b = &s->records[from];
    if (b->start < a->start || (b->start == a->start && b->first < a->first)) {
        a->start = b->start;
        a->first = b->first;
    }
    a->sliding += b->sliding;
    a->cut |= b->cut;
    m[from].parent = into;
    int next = m[into].next;
    m[into].next = m[from].next;
    m[from].next = next;
}

static void begin_on(bri_slips *s, int i, int body) {
    if (body < 0) return;
    if (s->sliding[body]) unite(s, i, s->last[body]);
    for (int k = s->first[body]; k < s->first[body + 1]; k++)
        if (s->sliding[s->joined[k]]) unite(s, i, s->last[s->joined[k]]);
    s->sliding[body]++;
    s->last[body] = i;
}

static void begin(bri_slips *s, int i, double t) {
    member *m = &s->members[i];
    m->slides = 1;
    if (m->next < 0) {
        m->parent = m->next = i;
        m->distance = m->peak = 0.0;
        s->records[i] = (record){t, i, 0, s->seen ? 0 : BRI_CUT_START};
    }
    s->records[root_of(s, i)].sliding++;
    begin_on(s, i, m->a);
    begin_on(s, i, m->b);
}

/* All members rest: add them up and let them go. What did not move was no slip. */
static void end_slip(bri_slips *s, int root, double t) {
    const record *r = &s->records[root];
    bri_slip slip = {.start = r->start, .end = t, .first = r->first, .cut = r->cut};
    int i = root;
    do {
        member *m = &s->members[i];
        slip.contacts += m->distance > 0.0;
        slip.size += m->distance;
        slip.peak = fmax(slip.peak, m->peak);
        i = m->next;
        m->next = -1;
    } while (i != root);
    if (slip.contacts > 0) s->ended[s->n_ended++] = slip;
}

static void rest(bri_slips *s, int i, double t) {
    member *m = &s->members[i];
    int root = root_of(s, i);
    m->slides = 0;
    if (m->a >= 0) s->sliding[m->a]--;
    if (m->b >= 0) s->sliding[m->b]--;
    if (--s->records[root].sliding == 0) end_slip(s, root, t);
}

/* ---- all contacts at one time --------------------------------------------------------------- */

static void add_ways(bri_slips *s, const bri_sliding *now, const double *speeds) {
    for (int i = 0; i < s->n; i++) {
        member *m = &s->members[i];
        if (m->slides) {
            double v = speeds ? speeds[i] : fabs(now[i].v);
            m->distance += fabs(now[i].x - m->x);
            if (v > m->peak) m->peak = v;
        }
        m->x = now[i].x;
    }
}

/* Contacts whose sliding has not been noticed begin at time t, then those that do not slide rest:
 * what rests at the instant at which its neighbour begins has passed the slip on. */
static void change(bri_slips *s, const bri_sliding *now, int after, double t) {
    for (int i = 0; i < s->n; i++)
        if (!s->members[i].slides && (after ? now[i].after : now[i].before)) begin(s, i, t);
    for (int i = 0; i < s->n; i++)
        if (s->members[i].slides && !(after ? now[i].after : now[i].before)) rest(s, i, t);
}

/* Up to time t. What happened since the last time: at its very end, of contacts that say themselves
 * whether they slide; within (look); and at the end of it. */
static void feed(bri_slips *s, double t, const bri_sliding *now, const double *speeds) {
    int late = 0;
    if (!s->seen) { /* there was no step yet */
        add_ways(s, now, NULL);
        change(s, now, 1, t);
    } else {
        for (int i = 0; i < s->n; i++) late |= s->members[i].slides != (now[i].after != 0);
        add_ways(s, now, speeds);
        if (late) change(s, now, 1, t);
    }
    s->seen = 1;
    s->t = t;
}

static void feed_early(bri_slips *s, const bri_sliding *now) {
    int early = 0;
    s->n_ended = 0;
    for (int i = 0; i < s->n; i++) early |= s->members[i].slides != (now[i].before != 0);
    if (early && s->seen) change(s, now, 0, s->t);
}

void bri_slips_feed(bri_slips *s, double t, const bri_sliding *now) {
    feed_early(s, now);
    feed(s, t, now, NULL);
}

/* ---- within a step of a simulation ------------------------------------------------------------
 */

/* In time; at one instant those that start come first, as in change(). */
static int by_time(const void *a, const void *b) {
    const sim_change *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    if (x->slides != y->slides) return y->slides - x->slides;
    return (x->of > y->of) - (x->of < y->of);
}

/* Position and velocity of a contact at a time within the last step. */
static bri_sliding sliding_at(bri_sim *sim, int i, double t) {
    const pair *p = &sim->pairs[i];
    const network *net = sim->net;
    sim_place_at(sim, t);
    return (bri_sliding){.x = net->pos[p->a] - net->pos[p->b],
                         .v = net->vel[p->a] - net->vel[p->b]};
}

/* The largest speed of a contact while it slides, until time t: that of the step, unless it slides
 * more than once in it. */
static double fastest(const bri_slips *s, bri_sim *sim, int i, double t) {
    enum { PLACES = 4 };
    const member *m = &s->members[i];
    double most = 0.0;
    if (m->slides_then < 2) return s->speeds[i];
    for (int k = 0; k <= PLACES; k++)
        most = fmax(most, fabs(sliding_at(sim, i, m->from + (t - m->from) * k / PLACES).v));
    return most;
}

/* What has been found since the last look, one after the other. Those that slide at the end are
 * left with their largest speed in s->speeds. */
static void go_through(bri_slips *s, bri_sim *sim, double from, double to) {
    sim_changes *found = &s->changes;
    double now = sim->t;
    for (int i = 0; i < s->n; i++) {
        s->members[i].from = from;
        s->members[i].slides_then = s->members[i].slides;
    }
    for (long k = 0; k < found->count; k++)
        s->members[found->list[k].of - s->slides].slides_then += found->list[k].slides;
    qsort(found->list, (size_t)found->count, sizeof *found->list, by_time);
    sim->t = from; /* the modes are those of the step, not those after it */
    sim_exchange_modes(sim);
    for (long k = 0; k < found->count; k++) {
        int i = (int)(found->list[k].of - s->slides);
        double t = fmin(found->list[k].t, to);
        member *m = &s->members[i];
        bri_sliding at = sliding_at(sim, i, t);
        if (found->list[k].slides) {
            begin(s, i, t);
            m->from = t;
        } else {
            m->distance += fabs(at.x - m->x);
            m->peak = fmax(m->peak, fastest(s, sim, i, t));
            rest(s, i, t);
        }
        m->x = at.x;
    }
    for (int i = 0; i < s->n; i++)
        if (s->members[i].slides) s->speeds[i] = fastest(s, sim, i, to);
    sim_exchange_modes(sim);
    sim->t = now;
    sim_interpolate(sim, now, sim->y);
    sim->shown = 0;
}

void bri_slips_look(bri_slips *s, bri_sim *sim) {
    double to = bri_sim_time(sim);
    bri_sim_fastest(sim, s->speeds);
    bri_sim_sliding(sim, s->now);
    s->changes.count = 0;
    for (int i = 0; i < s->n; i++) {
        const member *m = &s->members[i];
        s->slides[i] = (sim_slide){.speed = s->speed, .slides = m->slides, .changes = &s->changes};
        if (m->exact) continue;
        s->now[i].before = m->slides;
        s->now[i].after = m->slides || fabs(s->now[i].v) >= s->speed;
    }
    feed_early(s, s->now);
    if (s->seen) {
        double from = fmax(s->t, sim->s->t_prev);
        sim_slides_follow(sim, from, to, s->slides, NULL);
        if (s->changes.count > 0) go_through(s, sim, from, to);
        for (int i = 0; i < s->n; i++)
            if (!s->members[i].exact) s->now[i].after = s->slides[i].slides;
    }
    feed(s, to, s->now, s->speeds);
}

void bri_slips_stop(bri_slips *s) {
    s->n_ended = 0;
    for (int i = 0; i < s->n; i++) {
        if (!s->members[i].slides) continue;
        s->records[root_of(s, i)].cut |= BRI_CUT_END;
        rest(s, i, s->t);
    }
}

const bri_slip *bri_slips_ended(const bri_slips *s, int *count) {
    *count = s->n_ended;
    return s->ended;
}
