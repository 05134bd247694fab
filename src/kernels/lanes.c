/* lanes.c - steps of a Rosenbrock method of several runs at once, see lanes.h. What
 * sim/single_attempt.c, solvers/rosenbrock.c, sim/unseen.c and sim/powers.c do for one run: what
 * they would look at closer is left to them. Compiled once per instruction set. */
#include "lane_parts.h"
#include "sim/unseen.h"

#include <math.h>

static const double never = 1e300;

/* ---- the start ------------------------------------------------------------------------------ */

/* The matrix of the velocities with the states eliminated, see condense.c, times e and times the
 * product of all S = 1 - e D_z: no division is needed to see whether it is positive. */
typedef struct condensed {
    vec S[BRI_LANE_BODIES], product;
    vec A[BRI_LANE_BODIES][BRI_LANE_BODIES];       /* the lower triangle */
    vec inverse[BRI_LANE_BODIES][BRI_LANE_BODIES]; /* times the determinant, the same */
    vec determinant;
} condensed;

/* What all contacts but one have in common. */
INLINE vec others(const condensed *m, int bodies, int c) {
    vec product = splat(1.0);
    UNROLL for (int j = 0; j < bodies; j++) if (j != c) product *= m->S[j];
    return product;
}

/* Cofactors; where the matrix is positive. */
INLINE mask invert(condensed *m, int bodies) {
    vec(*A)[BRI_LANE_BODIES] = m->A, (*to)[BRI_LANE_BODIES] = m->inverse, none = splat(0.0);
    if (bodies == 1) {
        to[0][0] = splat(1.0);
        m->determinant = A[0][0];
        return less(none, A[0][0]);
    }
    vec minor = A[0][0] * A[1][1] - A[1][0] * A[1][0];
    mask good = both(less(none, A[0][0]), less(none, minor));
    if (bodies == 2) {
        to[0][0] = A[1][1];
        to[1][0] = -A[1][0];
        to[1][1] = A[0][0];
        m->determinant = minor;
        return good;
    }
    to[0][0] = A[1][1] * A[2][2] - A[2][1] * A[2][1];
    to[1][0] = A[2][0] * A[2][1] - A[1][0] * A[2][2];
    to[2][0] = A[1][0] * A[2][1] - A[2][0] * A[1][1];
    to[1][1] = A[0][0] * A[2][2] - A[2][0] * A[2][0];
    to[2][1] = A[1][0] * A[2][0] - A[0][0] * A[2][1];
    to[2][2] = minor;
    m->determinant = A[0][0] * to[0][0] + A[1][0] * to[1][0] + A[2][0] * to[2][0];
    return both(good, less(none, m->determinant));
}

/* Where the states and the velocities do not grow faster than 1/e, or the step is too long. */
INLINE mask condense(const bri_lane_pack *k, int i, int bodies, int at_end, vec e, condensed *m) {
    const bri_lane(*slope)[BRI_DERIVATIVES] = at_end ? k->slope_end : k->slope;
    mask good = less(splat(-1.0), splat(0.0));
    UNROLL for (int c = 0; c < bodies; c++) {
        m->S[c] = 1.0 - e * load(slope[c][BRI_Z_BY_Z] + i);
        good = both(good, less(splat(0.0), m->S[c]));
    }
    m->product = others(m, bodies, -1);
    UNROLL for (int r = 0; r < bodies; r++) UNROLL for (int j = 0; j <= r; j++) {
        vec sum = e * e * load(k->stiffness[r][j] + i);
        if (k->damped) sum += e * load(k->damping[r][j] + i);
        if (r == j) sum += load(k->mass[r] + i);
        m->A[r][j] = sum * m->product;
    }
    UNROLL for (int c = 0; c < bodies; c++) {
        vec F_v = load(slope[c][BRI_F_BY_V] + i), F_z = load(slope[c][BRI_F_BY_Z] + i);
        vec gain = e * (F_v * m->S[c] + e * F_z * load(slope[c][BRI_Z_BY_V] + i));
        if (bodies == 1) {
            m->A[0][0] += gain;
            continue;
        }
        gain *= others(m, bodies, c);
        UNROLL for (int r = 0; r < bodies; r++) UNROLL for (int j = 0; j <= r; j++) m->A[r][j] =
            muladd(splat(k->sides[c][r] * k->sides[c][j]), gain, m->A[r][j]);
    }
    return both(invert(m, bodies), good);
}

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
        vec a = way * between(k, bodies, c, rate), root_of = a * a - 2.0 * b * v;
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
        rates(k, i, bodies, y, F, dz, b);
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
        vec v[BRI_LANE_BODIES], far = load(k->far[n] + i);
        UNROLL for (int b = 0; b < bodies; b++) v[b] = c[b][j];
        vec sum = between(k, bodies, n, v);
        store(k->sliding[n][j] + i, j == 0 ? sum - far : sum);
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

INLINE mask has_turned(const bri_lane_pack *k, int i, int c) {
    return at_most(load(k->way[c] + i) * load(k->v_end[c] + i), splat(0.0));
}

INLINE mask is_made(const bri_lane_pack *k, int i) {
    vec outcome = load(k->outcome + i);
    return either(equal(outcome, splat(BRI_LANE_MADE)), equal(outcome, splat(BRI_LANE_TURNED)));
}

/* ---- the next step: next_factor() of rosenbrock.c -------------------------------------------- */

/* x^g within 1e-5 for x between 1e-20 and 1e30: a step need not be known better. */
INLINE vec rough_power(vec x, double g) {
    static const double log2_of[] = {1.442700440013496,   -0.7211957523938721,
                                     0.47992557347074644, -0.3669257709573897,
                                     0.316898187156837,   -0.20228926373030143};
    static const double two_to[] = {1.0, 0.693121045203427, 0.24022349038020335,
                                    0.055921975842256264, 0.009666368515387469};
    const bits half = (bits)splat(0.70710678118654752), bias = (bits)splat(1.0);
    bits raw = (bits)x, exponent = (raw - half + bias) >> 52;
    vec whole = (vec)(exponent | (bits)splat(4503599627370496.0)) - (4503599627370496.0 + 1023.0);
    vec m = (vec)(raw - (exponent << 52) + bias) - 1.0, sum = splat(log2_of[5]);
    UNROLL for (int j = 4; j >= 0; j--) sum = muladd(sum, m, splat(log2_of[j]));
    vec y = muladd(sum, m, whole) * g, rounded = y + round_magic, f = y - (rounded - round_magic);
    sum = splat(two_to[4]);
    UNROLL for (int j = 3; j >= 0; j--) sum = muladd(sum, f, splat(two_to[j]));
    return sum * (vec)(((bits)rounded + 1023) << 52);
}

INLINE void next_step(bri_lane_pack *k, int i, mask made) {
    double order = k->method->order, floor = order == 4.0 ? CONTROL_PAST_4 : CONTROL_PAST_5;
    mask turned = equal(load(k->outcome + i), splat(BRI_LANE_TURNED));
    vec h = where(turned, load(k->whole + i), load(k->taken + i)), seen = load(k->error + i);
    vec error = larger(seen, splat(CONTROL_SMALLEST));
    vec done = load(k->h_done + i), past = load(k->past + i);
    vec shrink = rough_power(smaller(error, splat(1e30)), -0.5 / order), cut = load(k->cut + i);
    vec factor = CONTROL_SAFETY * shrink, none = splat(0.0);
    mask aimed = less(none, cut), fine = either(made, aimed); /* the error is not why */
    mask known = both(less(none, past), less(none, done));
    vec predicted = CONTROL_SAFETY * h / where(known, done, splat(1.0)) * past * shrink * shrink;
    factor = where(both(fine, known), smaller(factor, predicted), factor);
    mask begins = less(load(k->done + i), load(k->early + i));
    vec most = where(begins, splat(CONTROL_MOST_AT_START), splat(CONTROL_MOST));
    factor = smaller(larger(factor, splat(CONTROL_LEAST)), most);
    mask again = both(fine, less(load(k->first + i), splat(0.5)));
    factor = where(again, smaller(factor, splat(1.0)), factor);
    factor = where(at_most(splat(never), seen), splat(CONTROL_BROKEN), factor);
    factor = where(both(none_of(fine), at_most(seen, splat(1.0))), splat(CONTROL_BAD_END), factor);
    vec next = h * factor, wish = only_where(fine, larger(next, load(k->wish + i)));
    mask left = equal(load(k->outcome + i), splat(BRI_LANE_BY_HAND));
    next = where(made, wish, next);
    next = where(aimed, h * cut, next);
    store(k->wish + i, only_where(aimed, wish));
    store(k->past + i, where(made, larger(1.0 / shrink, splat(floor)), past));
    store(k->h_done + i, where(made, h, done));
    store(k->h + i, where(left, load(k->h + i), next));
    store(k->first + i, only_where(fine, splat(1.0)));
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

/* ---- turns ----------------------------------------------------------------------------------- */

/* Where a speed that is positive at the start of the step and not so at its end is zero, as a share
 * of it. Newton's method within bounds that shrink, of each lane until it moves no more. */
INLINE vec turning_point(const vec c[5], mask turned) {
    vec a = splat(0.0), b = splat(1.0), u = c[0] / -(c[1] + c[2] + c[3] + c[4]); /* of a line */
    mask moves = turned;
    u = where(both(less(a, u), less(u, b)), u, splat(0.5));
    for (int n = 0; n < 60 && any(moves); n++) {
        vec v = c[4], slope = splat(0.0);
        UNROLL for (int j = 3; j >= 0; j--) {
            slope = muladd(slope, u, v);
            v = muladd(v, u, c[j]);
        }
        mask before = less(splat(0.0), v);
        a = where(before, u, a);
        b = where(before, b, u);
        vec next = u - v / slope, half = 0.5 * (a + b);
        mask near = at_most(magnitude(next - u), splat(1e-13));
        mask good = both(less(slope, splat(0.0)), both(less(a, next), less(next, b)));
        moves = both(moves, none_of(both(near, less(slope, splat(0.0)))));
        moves = both(moves, less(splat(1e-12), b - a));
        u = where(moves, where(good, next, half), u);
    }
    return u;
}

/* Position of body b at a share of the step, see dense_at() of rosenbrock.c. */
INLINE vec position_at(const bri_lane_pack *k, int i, int b, vec u) {
    const rodas *m = k->method;
    vec inside = splat(0.0), start = load(k->y[b] + i);
    for (int d = m->dense - 1; d >= 0; d--) {
        vec D = splat(0.0);
        for (int j = 0; j < m->stages; j++) D = muladd(splat(m->H[d][j]), load(k->U[j][b] + i), D);
        inside = muladd(u, inside, D);
    }
    return start + u * (load(k->end[b] + i) - start + (1.0 - u) * inside);
}

/* A course up to a share u of the step, in lanes that turn. */
INLINE void shorten(bri_lane *course, int i, mask turned, vec u) {
    vec share = splat(1.0);
    for (int j = 0; j < 5; j++, share *= u)
        store(course[j] + i, where(turned, share, splat(1.0)) * load(course[j] + i));
}

INLINE void put_where(double *to, int i, mask m, vec x) {
    store(to + i, where(m, x, load(to + i)));
}

/* The state at a share of the step, in lanes that turn; courses as far as there. */
INLINE void end_at(bri_lane_pack *k, int i, int bodies, mask turned, vec u) {
    for (int b = 0; b < bodies; b++) {
        vec v = bodies == 1 ? course_at(k->sliding[0][0], i, u) + load(k->far[0] + i)
                            : course_at(k->moving[b][0], i, u);
        put_where(k->end[b], i, turned, position_at(k, i, b, u));
        put_where(k->end[bodies + b], i, turned, v);
        put_where(k->end[2 * bodies + b], i, turned, course_at(k->state[b][0], i, u));
        put_where(k->v_end[b], i, turned, course_at(k->sliding[b][0], i, u));
        shorten(k->sliding[b], i, turned, u);
        shorten(k->state[b], i, turned, u);
        if (bodies > 1) shorten(k->moving[b], i, turned, u);
    }
}

/* The share of the step at which the first contact turns, and which one that is. */
INLINE vec first_turn(bri_lane_pack *k, int i, int bodies, mask turned) {
    vec first = splat(2.0), which_one = splat(0.0);
    for (int n = 0; n < bodies; n++) {
        vec way = load(k->way[n] + i), c[5];
        mask turns = both(turned, has_turned(k, i, n));
        if (!any(turns)) continue;
        UNROLL for (int j = 0; j < 5; j++) c[j] = way * load(k->sliding[n][j] + i);
        vec u = turning_point(c, turns);
        mask sooner = both(turns, less(u, first));
        first = where(sooner, u, first);
        which_one = where(sooner, splat((double)n), which_one);
    }
    store(k->turns + i, which_one);
    return where(turned, first, splat(1.0));
}

/* The contacts that turn, the other way round. */
INLINE void turn_round(bri_lane_pack *k, int i, int bodies, mask turned) {
    vec one = load(k->turns + i);
    for (int c = 0; c < bodies; c++) {
        vec way = load(k->way[c] + i);
        store(k->way[c] + i, where(both(turned, equal(one, splat((double)c))), -way, way));
    }
}

/* End the steps within which contacts turn where the first of each does so, with the law on the
 * other side. It must not have damped what it should have followed, see network_sound(). */
INLINE void end_at_turns(bri_lane_pack *k, int i, int bodies) {
    mask turned = equal(load(k->outcome + i), splat(BRI_LANE_TURNED));
    if (!any(turned)) return;
    vec h = load(k->taken + i), u = first_turn(k, i, bodies, turned);
    condensed unused;
    mask late = none_of(less(load(k->t + i) + u * h, load(k->until + i)));
    late = either(late, either(less(splat(0.5), load(k->trembles + i)), at_most(u, splat(0.0))));
    put_where(k->outcome, i, both(turned, late), splat(BRI_LANE_BY_HAND));
    turned = both(turned, none_of(late));
    end_at(k, i, bodies, turned, u);
    store(k->whole + i, h);
    store(k->taken + i, where(turned, u * h, h));
    turn_round(k, i, bodies, turned);
    k->law->end(k, i);
    turn_round(k, i, bodies, turned);
    mask sound = condense(k, i, bodies, 1, h * k->method->gamma, &unused);
    put_where(k->outcome, i, both(turned, none_of(sound)), splat(BRI_LANE_REFUSED));
    store(k->taken + i, where(sound, load(k->taken + i), h));
}

/* ---- on -------------------------------------------------------------------------------------- */

/* Power of dampers with the velocities v. */
INLINE vec drag_at(const bri_lane_pack *k, int i, int bodies, const vec *v) {
    vec sum = splat(0.0);
    UNROLL for (int b = 0; b < bodies; b++) UNROLL for (int j = 0; j < bodies; j++) sum =
        muladd(load(k->damping[b][j] + i) * v[b], v[j], sum);
    return sum;
}

/* Mean power of dampers over the step. */
INLINE vec drag_of(const bri_lane_pack *k, int i, int bodies) {
    vec sum = splat(0.0), v[BRI_LANE_BODIES];
    for (int end = 0; end < 2; end++) {
        UNROLL for (int b = 0; b < bodies; b++) v[b] =
            load((end ? k->end[bodies + b] : k->y[bodies + b]) + i);
        sum += lobatto_weight[0] * drag_at(k, i, bodies, v);
        UNROLL for (int b = 0; b < bodies; b++) v[b] =
            bodies == 1 ? course_at(k->sliding[0][0], i, splat(lobatto[end])) + load(k->far[0] + i)
                        : course_at(k->moving[b][0], i, splat(lobatto[end]));
        sum += lobatto_weight[1] * drag_at(k, i, bodies, v);
    }
    return sum;
}

/* What friction does at the ends of the step is added to what it does within. */
INLINE void add_ends(const bri_lane_pack *k, int i, int bodies, vec *power, vec *push, vec *wrong) {
    vec at_ends = splat(0.0), pushed = splat(0.0), back = splat(0.0);
    UNROLL for (int c = 0; c < bodies; c++) {
        vec way = load(k->way[c] + i), v = load(k->v[c] + i), v_end = load(k->v_end[c] + i);
        vec F = load(k->F[c] + i), F_end = load(k->F_end[c] + i);
        vec first = F * v, last = F_end * v_end;
        at_ends += first + last;
        pushed = muladd(F + F_end, load(k->far[c] + i), pushed);
        back += only_where(less(way * v, splat(0.0)), magnitude(first));
        back += only_where(less(way * v_end, splat(0.0)), magnitude(last));
    }
    *power = lobatto_weight[0] * at_ends + lobatto_weight[1] * load(k->power + i);
    *push = lobatto_weight[0] * pushed + lobatto_weight[1] * load(k->push + i);
    *wrong = lobatto_weight[0] * back + lobatto_weight[1] * load(k->wrong + i);
}

/* Heat, work and what else a run is judged by, see powers.c and watch.c. What the bristles store is
 * not integrated: its change is known. */
INLINE void add_energies(bri_lane_pack *k, int i, int bodies, mask made) {
    vec h = load(k->taken + i), power, push, wrong, kinetic = splat(0.0), none = splat(0.0);
    add_ends(k, i, bodies, &power, &push, &wrong);
    if (k->damped) power += drag_of(k, i, bodies);
    UNROLL for (int b = 0; b < bodies; b++) {
        vec v = load(k->end[bodies + b] + i);
        kinetic += 0.5 * load(k->mass[b] + i) * v * v;
    }
    vec gained = only_where(made, load(k->stored + i) - load(k->stored_end + i) + h * power);
    vec before = load(k->heat + i), done = load(k->work + i);
    vec heated = load(k->heated + i) + larger(gained, none);
    vec total = done - h * (load(k->held + i) + push);
    vec most = larger(load(k->turned + i), larger(kinetic, larger(heated, magnitude(total))));
    store(k->heat_before + i, before);
    store(k->work_before + i, done);
    store(k->heat + i, before + gained);
    store(k->heated + i, heated);
    store(k->regained + i, load(k->regained + i) - smaller(gained, none));
    store(k->work + i, where(made, total, done));
    store(k->astray + i, load(k->astray + i) + only_where(made, h * wrong));
    put_where(k->turned, i, made, most);
    put_where(k->stored, i, made, load(k->stored_end + i));
}

/* The largest of a velocity in the direction `way`, or what is not below it: its Bernstein form,
 * see sim_slide_over(). */
INLINE vec highest(const bri_lane_pack *k, int i, int c, vec way) {
    const bri_lane *of = k->sliding[c];
    vec c0 = load(of[0] + i), c1 = load(of[1] + i), c2 = load(of[2] + i), c3 = load(of[3] + i);
    vec b1 = muladd(splat(0.25), c1, c0), b2 = muladd(splat(1.0 / 6.0), c2, c0 + 0.5 * c1);
    vec b3 = muladd(splat(0.5), c2, muladd(splat(0.75), c1, muladd(splat(0.25), c3, c0)));
    vec ends = larger(way * c0, way * load(k->v[c] + i));
    return larger(larger(way * b1, way * b2), larger(way * b3, ends));
}

/* Who slides of those who have made a step and not arrived; who may have started or stopped is left
 * to others. Velocities keep their direction over a step. */
static __attribute__((noinline)) void follow_slides(bri_lane_pack *k) {
    for (int c = 0; c < k->bodies; c++) {
        unsigned seen = 0;
        EACH(i) {
            vec was = load(k->slides[c] + i), way = load(k->way[c] + i), speed = load(k->speed + i);
            mask made = both(is_made(k, i), less(load(k->t + i), load(k->until + i)));
            mask slides = less(splat(0.5), was);
            vec most = highest(k, i, c, where(slides, -way, way));
            mask changes = both(made, at_most(where(slides, -0.5 * speed, speed), most));
            mask plain = both(made, none_of(changes));
            vec more = only_where(plain, load(k->taken + i) * was);
            store(k->slid[c] + i, load(k->slid[c] + i) + more);
            seen |= which(changes) << i;
        }
        k->changes[c] = seen;
    }
}

INLINE void put(double *to, int i, mask made, const double *from) {
    put_where(to, i, made, load(from + i));
}

/* How the acceleration of a contact changes where the step ends. */
INLINE void bow_at_end(bri_lane_pack *k, int i, int c, mask made) {
    vec h = load(k->taken + i);
    vec bow = 2.0 * load(k->sliding[c][2] + i) + 6.0 * load(k->sliding[c][3] + i) +
              12.0 * load(k->sliding[c][4] + i);
    put_where(k->bow[c], i, made, bow / (h * h));
}

INLINE void go_on(bri_lane_pack *k, int i, int bodies, mask made) {
    vec t = load(k->t + i);
    next_step(k, i, made);
    store(k->t_before + i, t);
    store(k->t + i, t + only_where(made, load(k->taken + i)));
    UNROLL for (int n = 0; n < 3 * bodies; n++) {
        store(k->begin[n] + i, load(k->y[n] + i));
        put(k->y[n], i, made, k->end[n]);
        vec reached = magnitude(load(k->end[n] + i) - load(k->origin[n] + i));
        reached = larger(smaller(reached, load(k->expected[n] + i)), load(k->nominal[n] + i));
        put_where(k->nominal[n], i, made, reached);
    }
    UNROLL for (int c = 0; c < bodies; c++) {
        if (bodies > 1) bow_at_end(k, i, c, made);
        put(k->v[c], i, made, k->v_end[c]);
        put(k->F[c], i, made, k->F_end[c]);
        put(k->dz[c], i, made, k->dz_end[c]);
        put(k->pieces[c], i, made, k->pieces_end[c]);
        UNROLL for (int d = 0; d < BRI_DERIVATIVES; d++)
            put(k->slope[c][d], i, made, k->slope_end[c][d]);
    }
}

/* ---- both, for any number of bodies ---------------------------------------------------------- */

INLINE unsigned attempt(bri_lane_pack *k, int bodies) {
    begin_step(k, bodies);
    k->law->stages[bodies - 1](k);
    return k->method->order == 4 ? judge(k, bodies, &rodas4) : judge(k, bodies, &rodas5p);
}

INLINE unsigned accept(bri_lane_pack *k, int bodies) {
    unsigned seen_to = 0;
    EACH(i) end_at_turns(k, i, bodies);
    k->law->powers(k);
    EACH(i) {
        vec outcome = load(k->outcome + i), one = splat(1.0);
        mask made = is_made(k, i), left = equal(outcome, splat(BRI_LANE_BY_HAND));
        vec tried = load(k->tried + i) + zero_where(left, one);
        add_energies(k, i, bodies, made);
        go_on(k, i, bodies, made);
        store(k->tried + i, tried);
        store(k->done + i, load(k->done + i) + only_where(made, one));
        mask over =
            either(at_most(load(k->until + i), load(k->t + i)), at_most(load(k->most + i), tried));
        seen_to |= which(either(over, less(splat(BRI_LANE_MADE), outcome))) << i;
    }
    if (k->asked) follow_slides(k);
    return seen_to;
}

#define JOIN(a, b)     a##b
#define ATTEMPT(level) JOIN(bri_lanes_attempt_, level)
#define ACCEPT(level)  JOIN(bri_lanes_accept_, level)

bri_lanes_step ATTEMPT(BRI_KERNEL_LEVEL), ACCEPT(BRI_KERNEL_LEVEL);

unsigned ATTEMPT(BRI_KERNEL_LEVEL)(bri_lane_pack *k) {
    return k->bodies == 1 ? attempt(k, 1) : k->bodies == 2 ? attempt(k, 2) : attempt(k, 3);
}

unsigned ACCEPT(BRI_KERNEL_LEVEL)(bri_lane_pack *k) {
    return k->bodies == 1 ? accept(k, 1) : k->bodies == 2 ? accept(k, 2) : accept(k, 3);
}
