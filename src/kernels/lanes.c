/* lanes.c - attempts at steps of a Rosenbrock method of several runs at once, see lanes.h. What
 * sim/single_attempt.c, solvers/rosenbrock.c and sim/unseen.c do for one run: what they would look
 * at closer is left to them. Compiled once per instruction set. */
#include "lane_condense.h"
#include "sim/unseen.h"

#include <math.h>

/* ---- the start ------------------------------------------------------------------------------ */

/* The inverse as steps use it, of what is positive. */
INLINE void keep_inverse(bri_lane_pack *k, int i, int bodies, int states, const condensed *m,
                         mask good, vec e) {
    bri_lane_inverse *to = &k->inverse;
    vec share = e * m->product / where(good, m->determinant, splat(1.0)), row[BRI_LANE_BODIES];
    vec force_by[BRI_LANE_ALL_STATES];
    store(to->e + i, e);
    UNROLL for (int c = 0; states > 0 && c < bodies; c++) {
        vec per_S = e / where(good, m->S[c], splat(1.0));
        through by = through_states(k->slope[c][0], i, states, e);
        UNROLL for (int s = 0; s < states; s++) {
            vec gain = splat(0.0);
            force_by[STATE(c, s)] = by.row[s] * per_S;
            UNROLL for (int j = 0; j < states; j++) {
                vec own = states == 1 ? per_S : per_S * by.adj[s][j];
                store(to->per_S[STATE(c, s)][j] + i, own);
                vec D_v = load(k->slope[c][bri_lane_slope(states, 1 + j, 0)] + i);
                gain = states == 1 ? D_v * own : muladd(D_v, own, gain);
            }
            store(to->gain[STATE(c, s)] + i, gain);
        }
    }
    UNROLL for (int r = 0; r < bodies; r++) {
        UNROLL for (int j = 0; j < bodies; j++) row[j] =
            share * (j <= r ? m->inverse[r][j] : m->inverse[j][r]);
        UNROLL for (int j = 0; j < bodies; j++) {
            vec by_x = splat(0.0), by_force = between(k, bodies, j, row);
            UNROLL for (int b = 0; b < bodies; b++) by_x =
                muladd(row[b], load(k->stiffness[b][j] + i), by_x);
            store(to->by_v[r][j] + i, row[j] * load(k->mass[j] + i));
            store(to->by_x[r][j] + i, -e * by_x);
            store(to->by_F[r][j] + i, -by_force);
            UNROLL for (int s = 0; s < states; s++)
                store(to->by_z[r][STATE(j, s)] + i, -by_force * force_by[STATE(j, s)]);
        }
    }
}

/* A step of h or, where a contact would turn early in it, of what is needed to see that, see
 * sim_foreseen_end(); free: rates of the velocities without the forces F. */
INLINE vec foresee(bri_lane_pack *k, int i, int bodies, vec h, const vec *free, const vec *F) {
    vec far = EARLY_TURN * h, none = splat(0.0), soonest = far, rate[BRI_LANE_BODIES];
    vec v[BRI_LANE_BODIES], a[BRI_LANE_BODIES], root_of[BRI_LANE_BODIES];
    mask turns[BRI_LANE_BODIES], some = less(none, none);
    UNROLL for (int b = 0; b < bodies; b++) rate[b] = free[b] + rubbed(k, i, bodies, b, F);
    UNROLL for (int c = 0; c < bodies; c++) {
        vec way = load(k->way[c] + i), b = way * load(k->bow[c] + i);
        vec gain = between(k, bodies, c, rate);
        if (k->timed) gain -= load(k->far_by[c] + i);
        v[c] = way * load(k->v[c] + i);
        a[c] = way * gain;
        root_of[c] = a[c] * a[c] - 2.0 * b * v[c];
        mask late = both(less(none, v[c] + far * (a[c] + 0.5 * far * b)),
                         either(at_most(none, a[c]), less(a[c] + far * b, none)));
        turns[c] = both(both(less(none, v[c]), at_most(none, root_of[c])), none_of(late));
        some = either(some, turns[c]);
    }
    if (!any(some)) return h;
    UNROLL for (int c = 0; c < bodies; c++) {
        vec when = rough_quotient(2.0 * v[c], rough_root(larger(root_of[c], none)) - a[c]);
        mask sooner = both(turns[c], both(less(none, when), less(when, soonest)));
        soonest = where(sooner, when, soonest);
    }
    mask early = both(less(LEAST_TURN * h, soonest), less(soonest, far));
    store(k->wish + i, where(early, larger(load(k->wish + i), h), load(k->wish + i)));
    return where(early, 2.0 * soonest, h);
}

/* How the rates change by time alone. */
INLINE void find_drift(bri_lane_pack *k, int i, int bodies, int states) {
    if (!k->timed) return;
    UNROLL for (int b = 0; b < bodies; b++) {
        vec force = load(k->force_by[b] + i), by_far = -load(k->far_by[b] + i);
        UNROLL for (int c = 0; c < bodies; c++) {
            vec by = load(k->slope[c][0] + i) * load(k->far_by[c] + i);
            force = muladd(splat(k->sides[c][b]), by, force);
        }
        store(k->drift_v[b] + i, force * load(k->per_mass[b] + i));
        UNROLL for (int s = 0; s < states; s++) {
            vec D_v = load(k->slope[b][bri_lane_slope(states, 1 + s, 0)] + i);
            store(k->drift_z[STATE(b, s)] + i, D_v * by_far);
        }
    }
}

/* A step that begins shortly before a corner leads over it and not further; see try_step() of
 * step.c. */
INLINE vec pass_corner(bri_lane_pack *k, int i, vec h) {
    vec width = load(k->corner_width + i), least = 2.0 * width;
    mask near = at_most(magnitude(load(k->t + i) - load(k->corner + i)), 0.5 * width);
    near = both(near, less(least, h));
    if (!any(near)) return h;
    store(k->wish + i, where(near, larger(load(k->wish + i), h), load(k->wish + i)));
    return where(near, least, h);
}

/* The steps to try, the inverse for each and the first stage; error: never where there is none. */
INLINE void begin_step(bri_lane_pack *k, int bodies, int states) {
    const int unknowns = (2 + states) * bodies;
    EACH(i) {
        vec t = load(k->t + i), h = smaller(load(k->h + i), load(k->longest + i));
        vec left = load(k->stop + i) - t, y[BRI_LANE_UNKNOWNS], F[BRI_LANE_BODIES];
        vec dz[BRI_LANE_ALL_STATES], b[BRI_LANE_UNKNOWNS] = {0}, u[BRI_LANE_UNKNOWNS];
        mask last = at_most(left * (1.0 - 1e-9), h);
        UNROLL for (int n = 0; n < 2 * bodies; n++) y[n] = load(k->y[n] + i);
        UNROLL for (int c = 0; c < bodies; c++) F[c] = load(k->F[c] + i);
        UNROLL for (int z = 0; z < bodies * states; z++) dz[z] = load(k->dz[z] + i);
        rates(k, i, bodies, time_since(k, i), y, NULL, b);
        h = where(less(0.5 * left, h), 0.5 * left, h); /* two steps of equal size */
        if (k->cornered) h = pass_corner(k, i, h);
        if (bodies > 1) h = foresee(k, i, bodies, h, b + bodies, F);
        mask none = either(last, at_most(t + h, t));
        vec e = h * k->method->gamma;
        condensed m;
        mask good = condense(k, i, bodies, states, 0, e, &m);
        keep_inverse(k, i, bodies, states, &m, good, e);
        store(k->taken + i, h);
        store(k->error + i, where(good, splat(0.0), splat(never)));
        store(k->outcome + i, where(none, splat(BRI_LANE_BY_HAND), splat(BRI_LANE_REFUSED)));
        store(k->inverse.per_h + i, 1.0 / h);
        find_drift(k, i, bodies, states);
        add_drift(k, i, bodies, states, h, 0, b);
        eliminate(k, i, bodies, states, b, F, dz, u);
        UNROLL for (int n = 0; n < unknowns; n++) store(k->U[0][n] + i, u[n]);
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

/* The size of the velocity of body b, at either end of the step: its own or, where that is less, of
 * what slides on it. */
INLINE vec speed_size(const bri_lane_pack *k, int i, int bodies, int b, int at_end) {
    const int n = bodies + b;
    const bri_lane *y = at_end ? k->end : k->y, *v = at_end ? k->v_end : k->v;
    vec size = larger(magnitude(load(y[n] + i)), load(k->nominal[n] + i));
    UNROLL for (int c = 0; c < bodies; c++) {
        vec sliding = larger(magnitude(load(v[c] + i)), load(k->v_size[c] + i));
        if (bodies == 1 || k->sides[c][b] != 0.0) size = smaller(size, sliding);
    }
    return size;
}

/* The mean square of the errors in terms of the tolerances, see network_sizes(). */
INLINE vec error_of(const bri_lane_pack *k, int i, int bodies, int states) {
    const int unknowns = (2 + states) * bodies;
    vec sum = splat(0.0);
    UNROLL for (int n = 0; n < unknowns; n++) {
        int velocity = n >= bodies && n < 2 * bodies;
        vec size =
            velocity ? speed_size(k, i, bodies, n - bodies, 0) : magnitude(load(k->y[n] + i));
        vec x = load(k->U[k->method->stages - 1][n] + i) /
                larger(k->rtol * size, k->atol * load(k->nominal[n] + i));
        sum = muladd(x, x, sum);
    }
    vec error = load(k->error + i) + sum * (1.0 / unknowns);
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

INLINE void find_courses(bri_lane_pack *k, int i, int bodies, int states, const rodas *m) {
    vec c[BRI_LANE_BODIES][5];
    UNROLL for (int z = 0; z < bodies * states; z++) {
        course_of(k, i, m, 2 * bodies + z, c[0]);
        keep_course(k->state[z], i, c[0]);
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

/* Where none of the speeds that matter lies between the lowest speed and the least of the ends:
 * one that is felt against the direction or, where there is none, the knee; and the tails. */
INLINE mask none_between(const bri_lane_pack *k, int i, int c, vec lowest, vec least) {
    vec knee = load(k->knee[c] + i);
    mask plain = k->directed ? less(-load(k->felt[c] + i), lowest)
                             : either(at_most(least, knee), less(knee, lowest));
    for (int n = 0; n < k->n_zones; n++) {
        vec per_zone = load(k->per_zone[c][n] + i);
        plain = both(plain, equal(tail_of(lowest, per_zone), tail_of(least, per_zone)));
    }
    return plain;
}

/* A bound on how far the speed of a contact bends over the step. */
INLINE vec bend_of(const bri_lane_pack *k, int i, int c) {
    return 2.0 * magnitude(load(k->sliding[c][2] + i)) +
           6.0 * magnitude(load(k->sliding[c][3] + i)) +
           12.0 * magnitude(load(k->sliding[c][4] + i));
}

/* Where a step does not lead from far outside of a range of speeds deep into it. */
INLINE mask enters_none(const bri_lane_pack *k, int i, int c, vec from, vec to) {
    mask plain = less(splat(-1.0), splat(0.0));
    for (int n = 0; n < k->n_zones; n++) {
        vec zone = load(k->zone[c][n] + i);
        plain =
            both(plain, either(at_most(from, NEAR_REST * zone), at_most(SLOW_LEAST * zone, to)));
    }
    return plain;
}

/* The lowest of a speed and that of a contact at every second of so many parts of the step. */
INLINE vec lowest_at(const bri_lane_pack *k, int i, int c, vec way, int parts, vec lowest) {
    UNROLL for (int part = 1; part < parts; part += 2) lowest =
        smaller(lowest, way * course_at(k->sliding[c][0], i, splat((double)part / parts)));
    return lowest;
}

/* Where it comes no lower than that: the speed is followed in quarters of the step, or in eighths
 * where those asked for need it, with a bound on how far it can bend in each. */
INLINE mask stays_high(const bri_lane_pack *k, int i, int c, vec way, vec from, vec to,
                       mask asked) {
    mask rested = at_most(from, AT_ONCE * to); /* it has just left rest */
    vec begun = way * course_at(k->sliding[c][0], i, splat(JUST_BEGUN)), least = smaller(from, to);
    vec lowest = smaller(where(rested, begun, from), to), bend = bend_of(k, i, c);
    lowest = lowest_at(k, i, c, way, 4, lowest_at(k, i, c, way, 2, lowest));
    mask high = none_between(k, i, c, lowest - (0.125 / 16.0) * bend, least);
    if (!any(both(asked, none_of(high)))) return high;
    lowest = lowest_at(k, i, c, way, 8, lowest);
    return none_between(k, i, c, lowest - (0.125 / 64.0) * bend, least);
}

/* Where nothing has to be looked at closer: the contact slides on in its direction, and does not
 * fall into a range of speeds in which the law changes, nor through it. */
INLINE mask is_plain(const bri_lane_pack *k, int i, int c) {
    vec way = load(k->way[c] + i), from = way * load(k->v[c] + i), to = way * load(k->v_end[c] + i);
    mask plain = both(less(splat(0.0), to), less(-load(k->felt[c] + i), from));
    plain = both(plain, enters_none(k, i, c, from, to));
    return both(plain, stays_high(k, i, c, way, from, to, plain));
}

/* The same of a contact without direction. Below the knee its force is a line, unless a narrower
 * curve is part of it; it may turn, but not lead out of a range of speeds on the other side. */
INLINE mask is_plain_free(const bri_lane_pack *k, int i, int c) {
    vec way = sign(load(k->v[c] + i)), knee = load(k->knee[c] + i), none = splat(0.0);
    vec from = way * load(k->v[c] + i), to = way * load(k->v_end[c] + i);
    vec fastest = larger(from, magnitude(to));
    mask plain = enters_none(k, i, c, from, to);
    for (int n = 0; n < k->n_zones; n++) {
        vec far = NEAR_REST * load(k->zone[c][n] + i);
        plain = both(plain, either(less(far, from), at_most(-far, to)));
    }
    mask inside = less(fastest, knee), line = both(inside, at_most(knee, load(k->fall[c] + i)));
    mask stays = less(fastest + 0.125 * bend_of(k, i, c), knee);
    plain = both(plain, either(none_of(inside), stays));
    mask done = either(line, at_most(to, none)); /* nothing else matters */
    mask asked = both(plain, none_of(done));
    if (any(asked)) plain = both(plain, either(done, stays_high(k, i, c, way, from, to, asked)));
    return either(plain, equal(from, none));
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

/* Where a contact without direction runs along a good part of its curve: along_curve() of
 * corners.c. */
INLINE mask along_curve(const bri_lane_pack *k, int i, int bodies) {
    mask along = less(splat(0.0), splat(-1.0));
    if (!k->curved) return along;
    UNROLL for (int c = 0; c < bodies; c++) {
        vec v = load(k->v[c] + i), to = load(k->v_end[c] + i), a = magnitude(v), b = magnitude(to);
        vec slower = smaller(a, b);
        mask good = less(load(k->along[c] + i), magnitude(v - to));
        along = either(along, both(less(slower, load(k->near[c] + i)), good));
        if (k->slows) along = either(along, less(slower, SLOWED * larger(a, b)));
    }
    return along;
}

/* How many tolerances the change of velocity of a body misses what the accelerations along the step
 * add up to: is_off() of corners.c. All forces but friction are straight in time and motion. */
INLINE vec missed_by(const bri_lane_pack *k, int i, int bodies, const rodas *m) {
    vec h = load(k->taken + i), s = muladd(splat(0.5), h, time_since(k, i)), worst = splat(0.0);
    vec y[BRI_LANE_UNKNOWNS], f[BRI_LANE_UNKNOWNS], F[BRI_LANE_BODIES], c[5];
    UNROLL for (int n = 0; n < 2 * bodies; n++) {
        course_of(k, i, m, n, c);
        y[n] = c[0] + 0.5 * c[1] + (1.0 / 3.0) * c[2] + 0.25 * c[3] + 0.2 * c[4];
    }
    UNROLL for (int n = 0; n < bodies; n++) F[n] = load(k->mean[n] + i);
    rates(k, i, bodies, s, y, NULL, f);
    UNROLL for (int n = bodies; n < 2 * bodies; n++) {
        vec rate = f[n] + rubbed(k, i, bodies, n - bodies, F);
        vec gain = load(k->end[n] + i) - load(k->y[n] + i) - h * rate;
        vec size = larger(k->rtol * speed_size(k, i, bodies, n - bodies, 1),
                          k->atol * load(k->nominal[n] + i));
        worst = larger(worst, magnitude(gain) / size);
    }
    return worst;
}

/* Steps along a curve or over a corner that are not what they should be, as bits. */
INLINE unsigned look_along(bri_lane_pack *k, int bodies, const rodas *m) {
    unsigned look = 0, asked = 0;
    EACH(i) {
        mask along = either(along_curve(k, i, bodies), over_corner(k, i, bodies));
        mask would = either(equal(load(k->outcome + i), splat(BRI_LANE_MADE)),
                            equal(load(k->outcome + i), splat(BRI_LANE_TURNED)));
        asked |= which(both(along, would)) << i;
    }
    EACH(i) {
        if (!(asked >> i & ((1u << WIDTH) - 1u))) continue;
        k->law->mean(k, i);
        vec missed = missed_by(k, i, bodies, m);
        mask off = both(along_curve(k, i, bodies), less(splat(OFF_CURVE), missed));
        off = either(off, both(over_corner(k, i, bodies), less(splat(OFF_CORNER), missed)));
        look |= (asked >> i & which(off)) << i;
    }
    return look;
}

/* The error, what is left to others, and the bits of those that are to be looked at closer. */
INLINE unsigned judge(bri_lane_pack *k, int bodies, int states, const rodas *m) {
    unsigned look = 0;
    EACH(i) {
        vec error = error_of(k, i, bodies, states);
        condensed unused;
        store(k->error + i, error);
        find_courses(k, i, bodies, states, m);
        mask sound = condense(k, i, bodies, states, 1, load(k->taken + i) * m->gamma, &unused);
        mask small = at_most(error, splat(1.0)), turned = less(splat(0.0), splat(-1.0));
        mask unclear = turned;
        vec end = splat(1.0); /* of the step, as a share of it */
        UNROLL for (int c = 0; c < bodies; c++) {
            if (!k->directed) {
                unclear = either(unclear, none_of(is_plain_free(k, i, c)));
                continue;
            }
            mask turns = has_turned(k, i, c);
            turned = either(turned, turns);
            unclear = either(unclear, both(none_of(turns), none_of(is_plain(k, i, c))));
            if (any(turns))
                unclear = either(unclear, both(turns, none_of(turns_plainly(k, i, c, &end))));
        }
        /* a turn is for the one who can end the step there, whatever the slopes beyond it say */
        mask closer = both(either(sound, turned), unclear);
        mask hand = less(splat(0.5), load(k->outcome + i)); /* there is no step to try */
        mask early = both(both(small, none_of(unclear)), less(end, splat(1.0)));
        vec outcome = where(both(small, sound), splat(BRI_LANE_MADE), splat(BRI_LANE_REFUSED));
        outcome = where(both(small, turned), splat(BRI_LANE_TURNED), outcome);
        outcome = where(early, splat(BRI_LANE_REFUSED), outcome);
        outcome = where(both(small, closer), splat(BRI_LANE_CLOSER), outcome);
        store(k->outcome + i, where(hand, splat(BRI_LANE_BY_HAND), outcome));
        store(k->cut + i, only_where(early, end));
        look |= which(both(both(small, closer), none_of(hand))) << i;
    }
    if (k->cornered || k->curved) look |= look_along(k, bodies, m);
    return look;
}

/* ---- for any number of bodies ---------------------------------------------------------------- */

INLINE unsigned attempt(bri_lane_pack *k, int bodies, int states) {
    begin_step(k, bodies, states);
    k->law->stages[bodies - 1](k);
    return k->method->order == 4 ? judge(k, bodies, states, &rodas4)
                                 : judge(k, bodies, states, &rodas5p);
}

#define JOIN(a, b)     a##b
#define ATTEMPT(level) JOIN(bri_lanes_attempt_, level)

bri_lanes_step ATTEMPT(BRI_KERNEL_LEVEL);

unsigned ATTEMPT(BRI_KERNEL_LEVEL)(bri_lane_pack *k) {
    if (k->bodies == 2) return attempt(k, 2, 1);
    if (k->bodies == 3) return attempt(k, 3, 1);
    return k->states == 1 ? attempt(k, 1, 1) : k->states == 2 ? attempt(k, 1, 2) : attempt(k, 1, 0);
}
