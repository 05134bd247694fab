/* lanes.c - steps of a Rosenbrock method of several runs at once, see lanes.h. What
 * sim/single_attempt.c, solvers/rosenbrock.c, sim/unseen.c and sim/powers.c do for one run: what
 * they would look at closer is left to them. Compiled once per instruction set. */
#include "lane_parts.h"
#include "sim/unseen.h"

static const double never = 1e300;

/* ---- the start ------------------------------------------------------------------------------ */

/* S = 1 - e D_z and the pivot; both are positive, or the step is too long. */
INLINE mask pivots(const bri_lane_pack *k, int i, bri_lane *slope, vec e, vec *S, vec *pivot) {
    vec F_v = load(slope[BRI_F_BY_V] + i), F_z = load(slope[BRI_F_BY_Z] + i);
    vec D_v = load(slope[BRI_Z_BY_V] + i), D_z = load(slope[BRI_Z_BY_Z] + i);
    *S = 1.0 - e * D_z;
    *pivot = *S * (load(k->mass + i) + e * (F_v + load(k->damping + i)) +
                   e * e * load(k->stiffness + i)) +
             e * e * F_z * D_v;
    return both(less(splat(0.0), *S), less(splat(0.0), *pivot));
}

/* The steps to try, the inverse for each and the first stage; error: never where there is none. */
INLINE void begin_step(bri_lane_pack *k) {
    bri_lane_inverse *to = &k->inverse;
    EACH(i) {
        vec t = load(k->t + i), h = smaller(load(k->h + i), load(k->longest + i));
        vec left = load(k->stop + i) - t, b[3], u[3];
        mask last = at_most(left * (1.0 - 1e-9), h);
        h = where(less(0.5 * left, h), 0.5 * left, h); /* two steps of equal size */
        mask none = either(last, at_most(t + h, t));
        vec e = h * k->method->gamma, S, pivot;
        mask good = pivots(k, i, k->slope, e, &S, &pivot);
        S = where(good, S, splat(1.0));
        pivot = where(good, pivot, splat(1.0));
        vec share = e / pivot, per_S = e / S;
        store(k->taken + i, h);
        store(k->error + i, where(good, splat(0.0), splat(never)));
        store(k->outcome + i, where(none, splat(BRI_LANE_BY_HAND), splat(BRI_LANE_REFUSED)));
        store(to->e + i, e);
        store(to->per_h + i, 1.0 / h);
        store(to->per_S + i, per_S);
        store(to->by_v + i, load(k->mass + i) * S * share);
        store(to->by_x + i, -e * share * S * load(k->stiffness + i));
        store(to->by_z + i, -e * load(k->slope[BRI_F_BY_Z] + i) * share);
        store(to->gain + i, load(k->slope[BRI_Z_BY_V] + i) * per_S);
        rates(k, i, load(k->y[0] + i), load(k->y[1] + i), load(k->F + i), load(k->dz + i), b);
        eliminate(to, i, b, u);
        UNROLL for (int c = 0; c < 3; c++) store(k->U[0][c] + i, u[c]);
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

/* One over the tolerance of unknown c, see single_weights(). */
INLINE vec tolerance(const bri_lane_pack *k, int i, int c) {
    vec y = load(k->y[c] + i), size = magnitude(y), nominal = load(k->nominal[c] + i);
    if (c == 1) {
        vec sliding = larger(magnitude(y - load(k->far + i)), load(k->v_size + i));
        size = smaller(larger(size, nominal), sliding);
    }
    return larger(k->rtol * size, k->atol * nominal);
}

INLINE vec error_of(const bri_lane_pack *k, int i) {
    vec sum = splat(0.0);
    UNROLL for (int c = 0; c < 3; c++) {
        vec x = load(k->U[k->method->stages - 1][c] + i) / tolerance(k, i, c);
        sum = muladd(x, x, sum);
    }
    vec error = load(k->error + i) + sum * (1.0 / 3.0);
    return where(at_most(error, splat(never)), error, splat(never));
}

/* Coefficients of v and z over the step, see rosenbrock_course(). */
INLINE void find_courses(bri_lane_pack *k, int i, const rodas *m) {
    UNROLL for (int c = 1; c < 3; c++) {
        vec D[3] = {splat(0.0), splat(0.0), splat(0.0)}, start = load(k->y[c] + i);
        UNROLL for (int j = 0; j < m->stages; j++) {
            vec u = load(k->U[j][c] + i);
            UNROLL for (int d = 0; d < m->dense; d++) D[d] = muladd(splat(m->H[d][j]), u, D[d]);
        }
        store(k->course[c - 1][0] + i, start);
        store(k->course[c - 1][1] + i, load(k->end[c] + i) - start + D[0]);
        store(k->course[c - 1][2] + i, D[1] - D[0]);
        store(k->course[c - 1][3] + i, D[2] - D[1]);
        store(k->course[c - 1][4] + i, -D[2]);
    }
}

/* ---- what a step may have passed over: contact_end() of unseen.c ----------------------------- */

/* Where nothing has to be looked at closer: the contact slides on in its direction, and does not
 * fall into a range of speeds in which the law changes, nor through it. The speed is followed over
 * quarters of the step, with a bound on how far it can bend within them. */
INLINE mask is_plain(const bri_lane_pack *k, int i) {
    vec way = load(k->way + i), far = load(k->far + i);
    vec from = way * (load(k->y[1] + i) - far), to = way * (load(k->end[1] + i) - far);
    vec bend = 2.0 * magnitude(load(k->course[0][2] + i)) +
               6.0 * magnitude(load(k->course[0][3] + i)) +
               12.0 * magnitude(load(k->course[0][4] + i));
    vec begun = way * (course_at(k, i, 0, JUST_BEGUN) - far);
    mask rested = at_most(from, AT_ONCE * to); /* it has just left rest */
    vec lowest = smaller(where(rested, begun, from), to), least = smaller(from, to);
    UNROLL for (int q = 1; q < 4; q++) lowest =
        smaller(lowest, way * (course_at(k, i, 0, 0.25 * q) - far));
    lowest -= (0.125 / 16.0) * bend;
    mask plain = both(less(splat(0.0), to), less(-load(k->felt + i), lowest));
    plain = both(plain, less(-load(k->felt + i), from));
    for (int n = 0; n < k->n_zones; n++) {
        vec zone = load(k->zone[n] + i);
        plain =
            both(plain, either(at_most(from, NEAR_REST * zone), at_most(SLOW_LEAST * zone, to)));
        UNROLL for (int j = 0; j <= TAIL_DOUBLINGS; j++) {
            vec level = (double)(1 << j) * zone;
            plain = both(plain, either(at_most(least, level), less(level, lowest)));
        }
    }
    return plain;
}

/* The contact turns, from a speed at which the law is seen, neither at once nor so early that most
 * stages have seen what does not happen. */
INLINE mask turns_plainly(const bri_lane_pack *k, int i) {
    vec way = load(k->way + i), far = load(k->far + i);
    vec from = way * (load(k->y[1] + i) - far), to = way * (load(k->end[1] + i) - far);
    vec share = from / (from - to);
    mask plain = either(at_most(splat(EARLY_TURN), share),
                        both(at_most(splat(AT_ONCE), share), at_most(share, splat(LEAST_TURN))));
    plain = both(plain, less(splat(0.0), from));
    for (int n = 0; n < k->n_zones; n++)
        plain = both(plain, at_most(from, NEAR_REST * load(k->zone[n] + i)));
    return plain;
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
    vec h = load(k->taken + i), seen = load(k->error + i),
        error = larger(seen, splat(CONTROL_SMALLEST));
    vec done = load(k->h_done + i), past = load(k->past + i);
    vec shrink = rough_power(smaller(error, splat(1e30)), -0.5 / order);
    vec factor = CONTROL_SAFETY * shrink;
    mask known = both(less(splat(0.0), past), less(splat(0.0), done));
    vec predicted = CONTROL_SAFETY * h / where(known, done, splat(1.0)) * past * shrink * shrink;
    factor = where(both(made, known), smaller(factor, predicted), factor);
    factor = smaller(larger(factor, splat(CONTROL_LEAST)), splat(CONTROL_MOST));
    mask again = both(made, less(load(k->first + i), splat(0.5)));
    factor = where(again, smaller(factor, splat(1.0)), factor);
    factor = where(at_most(splat(never), seen), splat(CONTROL_BROKEN), factor);
    factor = where(both(none_of(made), at_most(seen, splat(1.0))), splat(CONTROL_BAD_END), factor);
    vec cut = load(k->cut + i);
    mask aimed = less(splat(0.0), cut); /* the error is not why */
    factor = where(aimed, cut, factor);
    mask left = equal(load(k->outcome + i), splat(BRI_LANE_BY_HAND));
    store(k->past + i, where(made, larger(1.0 / shrink, splat(floor)), past));
    store(k->h_done + i, where(made, h, done));
    store(k->h + i, where(left, load(k->h + i), h * factor));
    store(k->first + i, where(either(made, aimed), splat(1.0), splat(0.0)));
}

/* The error, what is left to others, and the bits of those that are to be looked at closer. */
INLINE unsigned judge(bri_lane_pack *k, const rodas *m) {
    unsigned look = 0;
    EACH(i) {
        vec S, pivot, way = load(k->way + i), e = load(k->taken + i) * m->gamma;
        vec error = error_of(k, i);
        store(k->error + i, error);
        find_courses(k, i, m);
        mask sound = pivots(k, i, k->slope_end, e, &S, &pivot);
        mask small = at_most(error, splat(1.0));
        mask turned = at_most(way * (load(k->end[1] + i) - load(k->far + i)), splat(0.0));
        /* a turn is for the one who can end the step there, whatever the slopes beyond it say */
        mask closer = both(both(sound, none_of(turned)), none_of(is_plain(k, i)));
        closer = either(closer, both(turned, none_of(turns_plainly(k, i))));
        mask hand = less(splat(0.5), load(k->outcome + i)); /* there is no step to try */
        if (k->cornered) {
            vec before = load(k->pieces + i), after = load(k->pieces_end + i);
            mask corner = both(either(sound, turned), none_of(equal(before, after)));
            hand = either(hand, both(small, corner));
        }
        vec outcome = where(both(small, sound), splat(BRI_LANE_MADE), splat(BRI_LANE_REFUSED));
        outcome = where(both(small, turned), splat(BRI_LANE_TURNED), outcome);
        outcome = where(both(small, closer), splat(BRI_LANE_CLOSER), outcome);
        store(k->outcome + i, where(hand, splat(BRI_LANE_BY_HAND), outcome));
        store(k->cut + i, splat(0.0));
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

/* Position at a share of the step, see dense_at() of rosenbrock.c. */
INLINE vec position_at(const bri_lane_pack *k, int i, vec u) {
    const rodas *m = k->method;
    vec inside = splat(0.0), start = load(k->y[0] + i);
    for (int d = m->dense - 1; d >= 0; d--) {
        vec D = splat(0.0);
        for (int j = 0; j < m->stages; j++) D = muladd(splat(m->H[d][j]), load(k->U[j][0] + i), D);
        inside = muladd(u, inside, D);
    }
    return start + u * (load(k->end[0] + i) - start + (1.0 - u) * inside);
}

/* End the steps within which contacts turn where they do so, with the law on the other side. It
 * must not have damped what it should have followed, see single_sound(). */
INLINE void end_at_turns(bri_lane_pack *k, int i) {
    mask turned = equal(load(k->outcome + i), splat(BRI_LANE_TURNED));
    if (!any(turned)) return;
    vec way = load(k->way + i), h = load(k->taken + i), c[5], S, pivot;
    UNROLL for (int j = 0; j < 5; j++) c[j] =
        way * (load(k->course[0][j] + i) - (j == 0 ? load(k->far + i) : splat(0.0)));
    vec u = turning_point(c, turned), share = splat(1.0);
    mask late = none_of(less(load(k->t + i) + u * h, load(k->until + i)));
    late = either(late, either(less(splat(0.5), load(k->trembles + i)), at_most(u, splat(0.0))));
    store(k->outcome + i, where(both(turned, late), splat(BRI_LANE_BY_HAND), load(k->outcome + i)));
    turned = both(turned, none_of(late));
    store(k->end[0] + i, where(turned, position_at(k, i, u), load(k->end[0] + i)));
    for (int w = 0; w < 2; w++) {
        vec sum = splat(0.0);
        for (int j = 4; j >= 0; j--) sum = muladd(u, sum, load(k->course[w][j] + i));
        store(k->end[1 + w] + i, where(turned, sum, load(k->end[1 + w] + i)));
    }
    for (int j = 0; j < 5; j++, share *= u)
        for (int w = 0; w < 2; w++)
            store(k->course[w][j] + i,
                  where(turned, share, splat(1.0)) * load(k->course[w][j] + i));
    store(k->whole + i, h);
    store(k->taken + i, where(turned, u * h, h));
    store(k->way + i, where(turned, -way, way));
    k->law->end(k, i);
    store(k->way + i, way);
    mask sound = pivots(k, i, k->slope_end, h * k->method->gamma, &S, &pivot);
    store(k->outcome + i,
          where(both(turned, none_of(sound)), splat(BRI_LANE_REFUSED), load(k->outcome + i)));
    store(k->taken + i, where(sound, load(k->taken + i), h));
}

/* ---- on -------------------------------------------------------------------------------------- */

/* Heat, work and what else a run is judged by, see powers.c and watch.c. What the bristles store is
 * not integrated: its change is known. */
INLINE void add_energies(bri_lane_pack *k, int i, mask made) {
    vec h = load(k->taken + i), far = load(k->far + i), damping = load(k->damping + i);
    vec power = load(k->power + i), push = load(k->push + i), wrong = load(k->wrong + i);
    vec drag = splat(0.0); /* v^2 */
    for (int end = 0; end < 2; end++) {
        vec body = load((end ? k->end[1] : k->y[1]) + i), v = body - far;
        vec F = load((end ? k->F_end : k->F) + i), by = F * v;
        mask back = less(load(k->way + i) * v, splat(0.0));
        vec inner = course_at(k, i, 0, lobatto[end]);
        power = muladd(splat(lobatto_weight[0]), by, power);
        push = muladd(splat(lobatto_weight[0]), F, push);
        wrong = muladd(splat(lobatto_weight[0]), where(back, magnitude(by), splat(0.0)), wrong);
        drag += lobatto_weight[0] * body * body + lobatto_weight[1] * inner * inner;
    }
    vec gained = load(k->stored + i) - load(k->stored_end + i) + h * (power + damping * drag);
    vec before = load(k->heat + i), v_end = load(k->end[1] + i), done = load(k->work + i);
    vec heated = load(k->heated + i) + larger(gained, splat(0.0));
    vec total = done - h * (load(k->held + i) + push * far), regained = load(k->regained + i);
    vec most = larger(0.5 * load(k->mass + i) * v_end * v_end, larger(heated, magnitude(total)));
    store(k->heat_before + i, where(made, before, load(k->heat_before + i)));
    store(k->work_before + i, where(made, done, load(k->work_before + i)));
    store(k->heat + i, where(made, before + gained, before));
    store(k->work + i, where(made, total, done));
    store(k->astray + i, load(k->astray + i) + where(made, h * wrong, splat(0.0)));
    store(k->heated + i, where(made, heated, load(k->heated + i)));
    store(k->regained + i, where(made, regained - smaller(gained, splat(0.0)), regained));
    store(k->turned + i, where(made, larger(load(k->turned + i), most), load(k->turned + i)));
    store(k->stored + i, where(made, load(k->stored_end + i), load(k->stored + i)));
}

/* sim_slide_look() of those who have not arrived. */
INLINE void look_who_slides(bri_lane_pack *k, int i, mask made) {
    vec was = load(k->slides + i), v = magnitude(load(k->y[1] + i) - load(k->far + i));
    vec limit = load(k->speed + i) * where(less(splat(0.5), was), splat(0.5), splat(1.0));
    vec now = where(at_most(limit, v), splat(1.0), splat(0.0));
    made = both(made, less(load(k->t + i), load(k->until + i)));
    vec slid = load(k->slid + i) + load(k->taken + i) * 0.5 * (was + now);
    store(k->slides + i, where(made, now, was));
    store(k->slid + i, where(made, slid, load(k->slid + i)));
    store(k->starts + i,
          load(k->starts + i) + where(made, larger(now - was, splat(0.0)), splat(0.0)));
    store(k->stops + i,
          load(k->stops + i) + where(made, larger(was - now, splat(0.0)), splat(0.0)));
}

INLINE void put(double *to, int i, mask made, const double *from) {
    store(to + i, where(made, load(from + i), load(to + i)));
}

INLINE void go_on(bri_lane_pack *k, int i, mask made) {
    vec t = load(k->t + i);
    next_step(k, i, made);
    store(k->t_before + i, where(made, t, load(k->t_before + i)));
    store(k->t + i, where(made, t + load(k->taken + i), t));
    UNROLL for (int c = 0; c < 3; c++) {
        put(k->begin[c], i, made, k->y[c]);
        put(k->y[c], i, made, k->end[c]);
        vec reached = magnitude(load(k->end[c] + i) - load(k->origin[c] + i));
        vec size = load(k->nominal[c] + i);
        reached = larger(smaller(reached, load(k->expected[c] + i)), size);
        store(k->nominal[c] + i, where(made, reached, size));
    }
    put(k->F, i, made, k->F_end);
    put(k->dz, i, made, k->dz_end);
    put(k->pieces, i, made, k->pieces_end);
    UNROLL for (int d = 0; d < BRI_DERIVATIVES; d++) put(k->slope[d], i, made, k->slope_end[d]);
}

#define JOIN(a, b)     a##b
#define ATTEMPT(level) JOIN(bri_lanes_attempt_, level)
#define ACCEPT(level)  JOIN(bri_lanes_accept_, level)

bri_lanes_step ATTEMPT(BRI_KERNEL_LEVEL), ACCEPT(BRI_KERNEL_LEVEL);

unsigned ATTEMPT(BRI_KERNEL_LEVEL)(bri_lane_pack *k) {
    begin_step(k);
    k->law->stages(k);
    return k->method->order == 4 ? judge(k, &rodas4) : judge(k, &rodas5p);
}

unsigned ACCEPT(BRI_KERNEL_LEVEL)(bri_lane_pack *k) {
    unsigned seen_to = 0;
    EACH(i) end_at_turns(k, i);
    k->law->powers(k);
    EACH(i) {
        vec outcome = load(k->outcome + i), none = splat(0.0), one = splat(1.0);
        mask made = is_made(k, i), left = equal(outcome, splat(BRI_LANE_BY_HAND));
        vec tried = load(k->tried + i) + where(left, none, one);
        add_energies(k, i, made);
        go_on(k, i, made);
        look_who_slides(k, i, made);
        store(k->tried + i, tried);
        store(k->done + i, load(k->done + i) + where(made, one, none));
        mask over =
            either(at_most(load(k->until + i), load(k->t + i)), at_most(load(k->most + i), tried));
        seen_to |= which(either(over, less(splat(BRI_LANE_MADE), outcome))) << i;
    }
    return seen_to;
}
