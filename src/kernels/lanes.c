/* lanes.c - attempts at steps of a Rosenbrock method of several runs at once, see lanes.h. What
 * sim/single_attempt.c, solvers/rosenbrock.c and sim/unseen.c do for one run: what they would look
 * at closer is left to them. Compiled once per instruction set. */
#include "lane_condense.h"
#include "sim/unseen.h"

#include <math.h>

/* ---- the start ------------------------------------------------------------------------------ */

/* The inverse as steps use it, of what is positive. */
INLINE void keep_inverse(bri_lane_pack *k, int i, int bodies, const condensed *m, mask good,
                         vec e) {
    bri_lane_inverse *to = &k->inverse;
    vec share = e * m->product / where(good, m->determinant, splat(1.0)), row[BRI_LANE_BODIES];
    store(to->e + i, e);
    UNROLL for (int c = 0; c < bodies; c++) {
        vec per_S = e / where(good, m->S[c], splat(1.0));
        store(to->per_S[c] + i, per_S);
        store(to->gain[c] + i, load(k->slope[c][BRI_Z_BY_V] + i) * per_S);
    }
    UNROLL for (int r = 0; r < bodies; r++) {
        UNROLL for (int j = 0; j < bodies; j++) row[j] =
            share * (j <= r ? m->inverse[r][j] : m->inverse[j][r]);
        UNROLL for (int j = 0; j < bodies; j++) {
            vec by_x = splat(0.0), by_z = between(k, bodies, j, row);
            UNROLL for (int b = 0; b < bodies; b++) by_x =
                muladd(row[b], load(k->stiffness[b][j] + i), by_x);
            store(to->by_v[r][j] + i, row[j] * load(k->mass[j] + i));
            store(to->by_x[r][j] + i, -e * by_x);
            store(to->by_z[r][j] + i,
                  -by_z * load(k->slope[j][BRI_F_BY_Z] + i) * load(to->per_S[j] + i));
        }
    }
}

/* A step of h or, where a contact would turn early in it, of what is needed to see that, see
 * sim_foreseen_end(); rate: of the velocities. */
INLINE vec foresee(bri_lane_pack *k, int i, int bodies, vec h, const vec *rate) {
    vec far = EARLY_TURN * h, none = splat(0.0), soonest = far;
    UNROLL for (int c = 0; c < bodies; c++) {
        vec way = load(k->way[c] + i), v = way * load(k->v[c] + i), b = way * load(k->bow[c] + i);
        vec gain = between(k, bodies, c, rate);
        if (k->timed) gain -= load(k->far_by[c] + i);
        vec a = way * gain, root_of = a * a - 2.0 * b * v;
        mask late = both(less(none, v + far * (a + 0.5 * far * b)),
                         either(at_most(none, a), less(a + far * b, none)));
        mask turns = both(both(less(none, v), at_most(none, root_of)), none_of(late));
        if (!any(turns)) continue;
        vec when = 2.0 * v / (root(larger(root_of, none)) - a);
        turns = both(turns, both(less(none, when), less(when, soonest)));
        soonest = where(turns, when, soonest);
    }
    mask early = both(less(LEAST_TURN * h, soonest), less(soonest, far));
    if (!any(early)) return h;
    store(k->wish + i, where(early, larger(load(k->wish + i), h), load(k->wish + i)));
    return where(early, 2.0 * soonest, h);
}

/* How the rates change by time alone. */
INLINE void find_drift(bri_lane_pack *k, int i, int bodies) {
    if (!k->timed) return;
    UNROLL for (int b = 0; b < bodies; b++) {
        vec force = load(k->force_by[b] + i);
        UNROLL for (int c = 0; c < bodies; c++) {
            vec by = load(k->slope[c][BRI_F_BY_V] + i) * load(k->far_by[c] + i);
            force = muladd(splat(k->sides[c][b]), by, force);
        }
        store(k->drift_v[b] + i, force * load(k->per_mass[b] + i));
        store(k->drift_z[b] + i, -load(k->slope[b][BRI_Z_BY_V] + i) * load(k->far_by[b] + i));
    }
}

/* The steps to try, the inverse for each and the first stage; error: never where there is none. */
INLINE void begin_step(bri_lane_pack *k, int bodies) {
    EACH(i) {
        vec t = load(k->t + i), h = smaller(load(k->h + i), load(k->longest + i));
        vec left = load(k->stop + i) - t, y[BRI_LANE_UNKNOWNS], F[BRI_LANE_BODIES];
        vec dz[BRI_LANE_BODIES], b[BRI_LANE_UNKNOWNS], u[BRI_LANE_UNKNOWNS];
        mask last = at_most(left * (1.0 - 1e-9), h);
        UNROLL for (int n = 0; n < 2 * bodies; n++) y[n] = load(k->y[n] + i);
        UNROLL for (int c = 0; c < bodies; c++) {
            F[c] = load(k->F[c] + i);
            dz[c] = load(k->dz[c] + i);
        }
        rates(k, i, bodies, time_since(k, i), y, F, dz, b);
        h = where(less(0.5 * left, h), 0.5 * left, h); /* two steps of equal size */
        if (bodies > 1) h = foresee(k, i, bodies, h, b + bodies);
        mask none = either(last, at_most(t + h, t));
        vec e = h * k->method->gamma;
        condensed m;
        mask good = condense(k, i, bodies, 0, e, &m);
        keep_inverse(k, i, bodies, &m, good, e);
        store(k->taken + i, h);
        store(k->error + i, where(good, splat(0.0), splat(never)));
        store(k->outcome + i, where(none, splat(BRI_LANE_BY_HAND), splat(BRI_LANE_REFUSED)));
        store(k->inverse.per_h + i, 1.0 / h);
        find_drift(k, i, bodies);
        add_drift(k, i, bodies, h, 0, b);
        eliminate(k, i, bodies, b, u);
        UNROLL for (int n = 0; n < 3 * bodies; n++) store(k->U[0][n] + i, u[n]);
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

/* The size of the velocity of body b: its own or, where that is less, of what slides on it. */
INLINE vec speed_size(const bri_lane_pack *k, int i, int bodies, int b) {
    const int n = bodies + b;
    vec size = larger(magnitude(load(k->y[n] + i)), load(k->nominal[n] + i));
    UNROLL for (int c = 0; c < bodies; c++) {
        vec sliding = larger(magnitude(load(k->v[c] + i)), load(k->v_size[c] + i));
        if (bodies == 1 || k->sides[c][b] != 0.0) size = smaller(size, sliding);
    }
    return size;
}

/* The mean square of the errors in terms of the tolerances, see network_sizes(). */
INLINE vec error_of(const bri_lane_pack *k, int i, int bodies) {
    vec sum = splat(0.0);
    UNROLL for (int n = 0; n < 3 * bodies; n++) {
        int velocity = n >= bodies && n < 2 * bodies;
        vec size = velocity ? speed_size(k, i, bodies, n - bodies) : magnitude(load(k->y[n] + i));
        vec x = load(k->U[k->method->stages - 1][n] + i) /
                larger(k->rtol * size, k->atol * load(k->nominal[n] + i));
        sum = muladd(x, x, sum);
    }
    vec error = load(k->error + i) + sum * (1.0 / (3 * bodies));
    return where(at_most(error, splat(never)), error, splat(never));
}

/* Coefficients of an unknown over the step, see rosenbrock_course(). */
INLINE void course_of(const bri_lane_pack *k, int i, const rodas *m, int unknown, vec c[5]) {
    vec D[3] = {splat(0.0), splat(0.0), splat(0.0)};
    UNROLL for (int j = 0; j < m->stages; j++) {
        vec u = load(k->U[j][unknown] + i);
        UNROLL for (int d = 0; d < m->dense; d++) D[d] = muladd(splat(m->H[d][j]), u, D[d]);
    }
    c[0] = load(k->y[unknown] + i);
    c[1] = load(k->end[unknown] + i) - c[0] + D[0];
    c[2] = D[1] - D[0];
    c[3] = D[2] - D[1];
    c[4] = -D[2];
}

INLINE void keep_course(bri_lane *to, int i, const vec c[5]) {
    UNROLL for (int j = 0; j < 5; j++) store(to[j] + i, c[j]);
}

INLINE void find_courses(bri_lane_pack *k, int i, int bodies, const rodas *m) {
    vec c[BRI_LANE_BODIES][5];
    UNROLL for (int b = 0; b < bodies; b++) {
        course_of(k, i, m, 2 * bodies + b, c[b]);
        keep_course(k->state[b], i, c[b]);
    }
    UNROLL for (int b = 0; b < bodies; b++) {
        course_of(k, i, m, bodies + b, c[b]);
        if (bodies > 1) keep_course(k->moving[b], i, c[b]);
    }
    UNROLL for (int n = 0; n < bodies; n++) UNROLL for (int j = 0; j < 5; j++) {
        vec v[BRI_LANE_BODIES];
        UNROLL for (int b = 0; b < bodies; b++) v[b] = c[b][j];
        vec sum = between(k, bodies, n, v);
        if (j == 0) sum -= far_at(k, i, n, time_since(k, i));
        if (j == 1 && k->timed) sum -= load(k->far_by[n] + i) * load(k->taken + i);
        store(k->sliding[n][j] + i, sum);
    }
}

/* ---- what a step may have passed over: contact_end() of unseen.c ----------------------------- */

/* How many of the speeds zone, 2 zone, ... of a tail are below x, as a power of two. */
INLINE vec tail_of(vec x, vec per_zone) {
    const bits exponent = (bits)splat(INFINITY); /* of a number; its sign is not needed */
    vec most = splat((double)(2 << TAIL_DOUBLINGS));
    return (vec)(((bits)smaller(larger(x * per_zone, splat(1.0)), most) - 1) & exponent);
}

/* Where none of the speeds that matter lies between the lowest speed and the least of the ends. */
INLINE mask none_between(const bri_lane_pack *k, int i, int c, vec lowest, vec least) {
    mask plain = less(-load(k->felt[c] + i), lowest);
    for (int n = 0; n < k->n_zones; n++) {
        vec per_zone = load(k->per_zone[c][n] + i);
        plain = both(plain, equal(tail_of(lowest, per_zone), tail_of(least, per_zone)));
    }
    return plain;
}

/* Where nothing has to be looked at closer: the contact slides on in its direction, and does not
 * fall into a range of speeds in which the law changes, nor through it. The speed is followed with
 * a bound on how far it can bend: over the whole step or, where that does not do, over quarters. */
INLINE mask is_plain(const bri_lane_pack *k, int i, int c) {
    vec way = load(k->way[c] + i), from = way * load(k->v[c] + i), to = way * load(k->v_end[c] + i);
    vec bend = 2.0 * magnitude(load(k->sliding[c][2] + i)) +
               6.0 * magnitude(load(k->sliding[c][3] + i)) +
               12.0 * magnitude(load(k->sliding[c][4] + i));
    vec least = smaller(from, to);
    mask plain = both(less(splat(0.0), to), less(-load(k->felt[c] + i), from));
    for (int n = 0; n < k->n_zones; n++) {
        vec zone = load(k->zone[c][n] + i);
        plain =
            both(plain, either(at_most(from, NEAR_REST * zone), at_most(SLOW_LEAST * zone, to)));
    }
    mask high = none_between(k, i, c, least - 0.125 * bend, least);
    if (any(both(plain, none_of(high)))) {
        mask rested = at_most(from, AT_ONCE * to); /* it has just left rest */
        vec begun = way * course_at(k->sliding[c][0], i, splat(JUST_BEGUN));
        vec lowest = smaller(where(rested, begun, from), to);
        UNROLL for (int q = 1; q < 4; q++) lowest =
            smaller(lowest, way * course_at(k->sliding[c][0], i, splat(0.25 * q)));
        high = either(high, none_between(k, i, c, lowest - (0.125 / 16.0) * bend, least));
    }
    return both(plain, high);
}

/* The contact turns, from a speed at which the law is seen and not at once. *end: less where that
 * is so early that most stages have seen what does not happen. */
INLINE mask turns_plainly(const bri_lane_pack *k, int i, int c, vec *end) {
    vec way = load(k->way[c] + i), from = way * load(k->v[c] + i), to = way * load(k->v_end[c] + i);
    vec share = from / (from - to);
    mask plain = both(at_most(splat(AT_ONCE), share), less(splat(0.0), from));
    mask early = both(less(splat(LEAST_TURN), share), less(share, splat(EARLY_TURN)));
    for (int n = 0; n < k->n_zones; n++)
        plain = both(plain, at_most(from, NEAR_REST * load(k->zone[c][n] + i)));
    mask turns = both(both(plain, early), at_most(to, splat(0.0)));
    *end = where(turns, smaller(*end, 2.0 * share), *end);
    return plain;
}

/* Where a step leads over a corner of the law. */
INLINE mask over_corner(const bri_lane_pack *k, int i, int bodies) {
    mask over = less(splat(0.0), splat(-1.0));
    UNROLL for (int c = 0; c < bodies; c++) over =
        either(over, none_of(equal(load(k->pieces[c] + i), load(k->pieces_end[c] + i))));
    return over;
}

/* The error, what is left to others, and the bits of those that are to be looked at closer. */
INLINE unsigned judge(bri_lane_pack *k, int bodies, const rodas *m) {
    unsigned look = 0;
    EACH(i) {
        vec error = error_of(k, i, bodies);
        condensed unused;
        store(k->error + i, error);
        find_courses(k, i, bodies, m);
        mask sound = condense(k, i, bodies, 1, load(k->taken + i) * m->gamma, &unused);
        mask small = at_most(error, splat(1.0)), turned = less(splat(0.0), splat(-1.0));
        mask unclear = turned;
        vec end = splat(1.0); /* of the step, as a share of it */
        UNROLL for (int c = 0; c < bodies; c++) {
            mask turns = has_turned(k, i, c);
            turned = either(turned, turns);
            unclear = either(unclear, both(none_of(turns), none_of(is_plain(k, i, c))));
            if (any(turns))
                unclear = either(unclear, both(turns, none_of(turns_plainly(k, i, c, &end))));
        }
        /* a turn is for the one who can end the step there, whatever the slopes beyond it say */
        mask closer = both(either(sound, turned), unclear);
        mask hand = less(splat(0.5), load(k->outcome + i)); /* there is no step to try */
        if (k->cornered) {
            mask corner = both(either(sound, turned), over_corner(k, i, bodies));
            hand = either(hand, both(small, corner));
        }
        mask early = both(both(small, none_of(unclear)), less(end, splat(1.0)));
        vec outcome = where(both(small, sound), splat(BRI_LANE_MADE), splat(BRI_LANE_REFUSED));
        outcome = where(both(small, turned), splat(BRI_LANE_TURNED), outcome);
        outcome = where(early, splat(BRI_LANE_REFUSED), outcome);
        outcome = where(both(small, closer), splat(BRI_LANE_CLOSER), outcome);
        store(k->outcome + i, where(hand, splat(BRI_LANE_BY_HAND), outcome));
        store(k->cut + i, only_where(early, end));
        look |= which(both(both(small, closer), none_of(hand))) << i;
    }
    return look;
}

/* ---- for any number of bodies ---------------------------------------------------------------- */

INLINE unsigned attempt(bri_lane_pack *k, int bodies) {
    begin_step(k, bodies);
    k->law->stages[bodies - 1](k);
    return k->method->order == 4 ? judge(k, bodies, &rodas4) : judge(k, bodies, &rodas5p);
}

#define JOIN(a, b)     a##b
#define ATTEMPT(level) JOIN(bri_lanes_attempt_, level)

bri_lanes_step ATTEMPT(BRI_KERNEL_LEVEL);

unsigned ATTEMPT(BRI_KERNEL_LEVEL)(bri_lane_pack *k) {
    return k->bodies == 1 ? attempt(k, 1) : k->bodies == 2 ? attempt(k, 2) : attempt(k, 3);
}
