/* slips.c - slips of many contacts, found from who slides when.
 *
 * A contact that begins to slide opens a slip, or joins those that go on in its neighbourhood; if
 * there are several, they become one (union-find, with the members of a slip in a ring that two
 * slips join by exchanging one pointer). A contact that rests remains a member until all rest. All
 * contacts that slide on one body belong to the same slip, so that a body needs to know only how
 * many there are and the one that came last. */
#include "arena.h"
#include "bristle_sim.h"
#include "fail.h"
#include <math.h>

/* What is known of a slip while it goes on; kept with the contact at the root of its tree. */
typedef struct record {
    double start;
    int first, sliding, cut; /* sliding: contacts that do so now */
} record;

/* What is known of a contact. */
typedef struct member {
    double x;              /* when last looked at */
    double distance, peak; /* in the present slip */
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
    slips->ended = ARENA_NEW(&memory, bri_slip, s->n_contacts);
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

static void feed(bri_slips *s, double t, const bri_sliding *now, const double *speeds) {
    int early = 0, late = 0;
    s->n_ended = 0;
    for (int i = 0; i < s->n; i++) {
        early |= s->members[i].slides != (now[i].before != 0);
        late |= (now[i].before != 0) != (now[i].after != 0);
    }
    if (!s->seen) { /* there was no step yet */
        add_ways(s, now, NULL);
        change(s, now, 1, t);
    } else {
        if (early) change(s, now, 0, s->t);
        add_ways(s, now, speeds);
        if (late) change(s, now, 1, t);
    }
    s->seen = 1;
    s->t = t;
}

void bri_slips_feed(bri_slips *s, double t, const bri_sliding *now) { feed(s, t, now, NULL); }

void bri_slips_look(bri_slips *s, bri_sim *sim) {
    bri_sim_fastest(sim, s->speeds);
    bri_sim_sliding(sim, s->now);
    for (int i = 0; i < s->n; i++) {
        const member *m = &s->members[i];
        if (m->exact) continue;
        s->now[i].before = m->slides;
        s->now[i].after = fabs(s->now[i].v) >= (m->slides ? 0.5 : 1.0) * s->speed;
    }
    feed(s, bri_sim_time(sim), s->now, s->speeds);
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
