/* lanes_accept.c - what follows an attempt at steps of several runs at once, see lanes.h: those in
 * which a contact turns end there, those that are made are added to the account of energy as
 * sim/powers.c does for one run, and the next step of each is chosen. Compiled once per instruction
 * set. */
#include "lane_condense.h"
#include "sim/unseen.h"

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

/* ---- turns ----------------------------------------------------------------------------------- */

/* A course at a share of the step. */
typedef struct speed_and_slopes {
    vec v, slope, bow; /* bow: half of the second derivative */
} speed_and_slopes;

INLINE speed_and_slopes speed_and_slopes_at(const vec c[5], vec u) {
    speed_and_slopes at = {c[4], splat(0.0), splat(0.0)};
    UNROLL for (int j = 3; j >= 0; j--) {
        at.bow = muladd(at.bow, u, at.slope);
        at.slope = muladd(at.slope, u, at.v);
        at.v = muladd(at.v, u, c[j]);
    }
    return at;
}

/* As turning_point(), by Newton's method within bounds that shrink: always, but slowly. */
static __attribute__((noinline)) vec turning_point_within_bounds(const vec c[5], mask turned) {
    vec a = splat(0.0), b = splat(1.0), u = splat(0.5);
    mask moves = turned;
    for (int n = 0; n < 60 && any(moves); n++) {
        speed_and_slopes at = speed_and_slopes_at(c, u);
        mask before = less(splat(0.0), at.v);
        a = where(before, u, a);
        b = where(before, b, u);
        vec next = u - at.v / at.slope, half = 0.5 * (a + b);
        mask near = at_most(magnitude(next - u), splat(1e-13));
        mask good = both(less(at.slope, splat(0.0)), both(less(a, next), less(next, b)));
        moves = both(moves, none_of(both(near, less(at.slope, splat(0.0)))));
        moves = both(moves, less(splat(1e-12), b - a));
        u = where(moves, where(good, next, half), u);
    }
    return u;
}

/* Where a speed that is positive at the start of the step and not so at its end is zero, as a share
 * of it: Halley's method, whose errors are cubed each time, and where that has not settled Newton's
 * within bounds that shrink. */
INLINE vec turning_point(const vec c[5], mask turned) {
    vec u = rough_quotient(c[0], -(c[1] + c[2] + c[3] + c[4])), move = u; /* of a line */
    mask sound = turned;
    UNROLL for (int n = 0; n < 3; n++) {
        speed_and_slopes at = speed_and_slopes_at(c, u);
        vec over = at.v * at.slope, under = muladd(at.slope, at.slope, -at.v * at.bow);
        move = n < 2 ? rough_quotient(over, under) : over / under;
        sound = both(sound, less(at.slope, splat(0.0)));
        u -= move;
    }
    sound = both(sound, at_most(magnitude(move), splat(1e-5)));
    sound = both(sound, both(less(splat(0.0), u), less(u, splat(1.0))));
    mask open = both(turned, none_of(sound));
    if (__builtin_expect(any(open), 0)) u = where(open, turning_point_within_bounds(c, open), u);
    return u;
}

/* Position of body b at a share of the step, see dense_at() of rosenbrock.c. */
INLINE vec position_at(const bri_lane_pack *k, int i, const rodas *m, int b, vec u) {
    vec inside = splat(0.0), start = load(k->y[b] + i), D[3] = {inside, inside, inside};
    UNROLL for (int j = 0; j < m->stages; j++) {
        vec of = load(k->U[j][b] + i);
        UNROLL for (int d = 0; d < m->dense; d++) D[d] = muladd(splat(m->H[d][j]), of, D[d]);
    }
    UNROLL for (int d = m->dense - 1; d >= 0; d--) inside = muladd(u, inside, D[d]);
    return start + u * (load(k->end[b] + i) - start + (1.0 - u) * inside);
}

/* A course up to a share u of the step, in lanes that turn. */
INLINE void shorten(bri_lane *course, int i, mask turned, vec u) {
    vec share = splat(1.0);
    UNROLL for (int j = 0; j < 5; j++, share *= u)
        store(course[j] + i, where(turned, share, splat(1.0)) * load(course[j] + i));
}

INLINE void put_where(double *to, int i, mask m, vec x) {
    store(to + i, where(m, x, load(to + i)));
}

/* The velocity of body b at a share of the step. */
INLINE vec speed_at(const bri_lane_pack *k, int i, int bodies, int b, vec u) {
    if (bodies > 1) return course_at(k->moving[b][0], i, u);
    vec s = muladd(u, load(k->taken + i), time_since(k, i));
    return course_at(k->sliding[0][0], i, u) + far_at(k, i, 0, s);
}

/* The state at a share of the step, in lanes that turn; courses as far as there. */
INLINE void end_at(bri_lane_pack *k, int i, const rodas *m, int bodies, int states, mask turned,
                   vec u) {
    UNROLL for (int z = 0; z < bodies * states; z++) {
        put_where(k->end[2 * bodies + z], i, turned, course_at(k->state[z][0], i, u));
        shorten(k->state[z], i, turned, u);
    }
    UNROLL for (int b = 0; b < bodies; b++) {
        vec v = speed_at(k, i, bodies, b, u);
        put_where(k->end[b], i, turned, position_at(k, i, m, b, u));
        put_where(k->end[bodies + b], i, turned, v);
        put_where(k->v_end[b], i, turned, course_at(k->sliding[b][0], i, u));
        shorten(k->sliding[b], i, turned, u);
        if (bodies > 1) shorten(k->moving[b], i, turned, u);
    }
}

/* The share of the step at which the first contact turns, and which one that is. */
INLINE vec first_turn(bri_lane_pack *k, int i, int bodies, mask turned) {
    vec first = splat(2.0), which_one = splat(0.0);
    UNROLL for (int n = 0; n < bodies; n++) {
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
INLINE void end_at_turns(bri_lane_pack *k, int i, const rodas *m, int bodies, int states) {
    mask turned = equal(load(k->outcome + i), splat(BRI_LANE_TURNED));
    if (!any(turned)) return;
    vec h = load(k->taken + i), u = first_turn(k, i, bodies, turned);
    condensed unused;
    mask late = none_of(less(load(k->t + i) + u * h, load(k->until + i)));
    late = either(late, either(less(splat(0.5), load(k->trembles + i)), at_most(u, splat(0.0))));
    put_where(k->outcome, i, both(turned, late), splat(BRI_LANE_BY_HAND));
    turned = both(turned, none_of(late));
    end_at(k, i, m, bodies, states, turned, u);
    store(k->whole + i, h);
    store(k->taken + i, where(turned, u * h, h));
    turn_round(k, i, bodies, turned);
    k->law->end(k, i);
    turn_round(k, i, bodies, turned);
    mask sound = condense(k, i, bodies, states, 1, h * k->method->gamma, &unused);
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
            speed_at(k, i, bodies, b, splat(lobatto[end]));
        sum += lobatto_weight[1] * drag_at(k, i, bodies, v);
    }
    return sum;
}

/* What friction does at the ends of the step is added to what it does within. */
INLINE void add_ends(const bri_lane_pack *k, int i, int bodies, vec *power, vec *push, vec *wrong) {
    vec at_ends = splat(0.0), pushed = splat(0.0), back = splat(0.0);
    vec from = time_since(k, i), to = from + load(k->taken + i);
    UNROLL for (int c = 0; c < bodies; c++) {
        vec way = load(k->way[c] + i), v = load(k->v[c] + i), v_end = load(k->v_end[c] + i);
        vec F = load(k->F[c] + i), F_end = load(k->F_end[c] + i);
        vec first = F * v, last = F_end * v_end;
        at_ends += first + last;
        pushed = muladd(F, far_at(k, i, c, from), muladd(F_end, far_at(k, i, c, to), pushed));
        back += only_where(less(way * v, splat(0.0)), magnitude(first));
        back += only_where(less(way * v_end, splat(0.0)), magnitude(last));
    }
    *power = lobatto_weight[0] * at_ends + lobatto_weight[1] * load(k->power + i);
    *push = lobatto_weight[0] * pushed + lobatto_weight[1] * load(k->push + i);
    *wrong = lobatto_weight[0] * back + lobatto_weight[1] * load(k->wrong + i);
}

/* Work of forces and ends of couplings that are moved, and heat of dampers beyond that of the
 * bodies alone, over the step: powers are straight lines in time, positions and velocities. The
 * mean velocity and its first moment give the mean position. */
INLINE vec work_of(const bri_lane_pack *k, int i, int bodies, vec *heat) {
    vec h = load(k->taken + i), s = time_since(k, i);
    vec work = muladd(load(k->work_by + i), muladd(splat(0.5), h, s), load(k->work_at + i));
    *heat = load(k->heat_at + i);
    UNROLL for (int b = 0; b < bodies; b++) {
        vec mean = splat(0.0), moment = splat(0.0);
        UNROLL for (int j = 0; j < 5; j++) {
            vec c = load((bodies == 1 ? k->sliding[0] : k->moving[b])[j] + i);
            if (bodies == 1 && j == 0) c += far_at(k, i, 0, s);
            if (bodies == 1 && j == 1) c = muladd(load(k->far_by[0] + i), h, c);
            mean = muladd(splat(1.0 / (j + 1)), c, mean);
            moment = muladd(splat(1.0 / (j + 2)), c, moment);
        }
        vec by = load(k->work_v_by[b] + i), x = muladd(h, mean - moment, load(k->y[b] + i));
        work = muladd(muladd(by, s, load(k->work_v[b] + i)), mean, work);
        work = muladd(by * h, moment, work) - load(k->work_x[b] + i) * x;
        *heat -= load(k->heat_v[b] + i) * mean;
    }
    return h * work;
}

/* Heat, work and what else a run is judged by, see powers.c and watch.c. What the bristles store is
 * not integrated: its change is known. */
INLINE void add_energies(bri_lane_pack *k, int i, int bodies, mask made) {
    vec h = load(k->taken + i), power, push, wrong, kinetic = splat(0.0), none = splat(0.0);
    add_ends(k, i, bodies, &power, &push, &wrong);
    if (k->damped) power += drag_of(k, i, bodies);
    vec driven = none, heat = none;
    if (k->timed) driven = work_of(k, i, bodies, &heat);
    power += heat;
    UNROLL for (int b = 0; b < bodies; b++) {
        vec v = load(k->end[bodies + b] + i);
        kinetic += 0.5 * load(k->mass[b] + i) * v * v;
    }
    vec gained = only_where(made, load(k->stored + i) - load(k->stored_end + i) + h * power);
    vec before = load(k->heat + i), done = load(k->work + i);
    vec heated = load(k->heated + i) + larger(gained, none);
    vec total = done - h * (load(k->held + i) + push) + driven;
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

/* What decides whether somebody starts or stops: the largest velocity against the direction of one
 * that slides, and that of one that does not, either way if it has no direction. */
INLINE vec decisive(const bri_lane_pack *k, int i, int c, mask slides) {
    vec way = load(k->way[c] + i), one = splat(1.0);
    if (k->directed) return highest(k, i, c, where(slides, -way, way));
    vec back = highest(k, i, c, -one), forth = highest(k, i, c, one);
    mask ahead = less(splat(0.0), load(k->sliding[c][0] + i));
    return where(slides, where(ahead, back, forth), larger(back, forth));
}

/* Who slides of those who have made a step and not arrived; who may have started or stopped is left
 * to others. */
static __attribute__((noinline)) void follow_slides(bri_lane_pack *k) {
    for (int c = 0; c < k->bodies; c++) {
        unsigned seen = 0;
        EACH(i) {
            vec was = load(k->slides[c] + i), speed = load(k->speed + i);
            mask made = both(is_made(k, i), less(load(k->t + i), load(k->until + i)));
            mask slides = less(splat(0.5), was);
            vec most = decisive(k, i, c, slides);
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

INLINE void go_on(bri_lane_pack *k, int i, int bodies, int states, mask made) {
    vec t = load(k->t + i);
    next_step(k, i, made);
    store(k->t_before + i, t);
    store(k->t + i, t + only_where(made, load(k->taken + i)));
    UNROLL for (int n = 0; n < (2 + states) * bodies; n++) {
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
        put(k->pieces[c], i, made, k->pieces_end[c]);
        UNROLL for (int d = 0; d < (1 + states) * (1 + states); d++)
            put(k->slope[c][d], i, made, k->slope_end[c][d]);
    }
    UNROLL for (int z = 0; z < bodies * states; z++) put(k->dz[z], i, made, k->dz_end[z]);
}

/* ---- for any number of bodies ---------------------------------------------------------------- */

INLINE unsigned accept(bri_lane_pack *k, int bodies, int states) {
    unsigned seen_to = 0;
    if (k->directed && k->method->order == 4) EACH(i) end_at_turns(k, i, &rodas4, bodies, states);
    if (k->directed && k->method->order == 5) EACH(i) end_at_turns(k, i, &rodas5p, bodies, states);
    k->law->powers(k);
    EACH(i) {
        vec outcome = load(k->outcome + i), one = splat(1.0);
        mask made = is_made(k, i), left = equal(outcome, splat(BRI_LANE_BY_HAND));
        vec tried = load(k->tried + i) + zero_where(left, one);
        add_energies(k, i, bodies, made);
        go_on(k, i, bodies, states, made);
        store(k->tried + i, tried);
        store(k->done + i, load(k->done + i) + only_where(made, one));
        vec soonest = smaller(load(k->until + i), load(k->due + i));
        mask over = either(at_most(soonest, load(k->t + i)), at_most(load(k->most + i), tried));
        seen_to |= which(either(over, less(splat(BRI_LANE_MADE), outcome))) << i;
    }
    if (k->asked) follow_slides(k);
    return seen_to;
}

#define JOIN(a, b)    a##b
#define ACCEPT(level) JOIN(bri_lanes_accept_, level)

bri_lanes_step ACCEPT(BRI_KERNEL_LEVEL);

unsigned ACCEPT(BRI_KERNEL_LEVEL)(bri_lane_pack *k) {
    if (k->bodies == 2) return accept(k, 2, 1);
    if (k->bodies == 3) return accept(k, 3, 1);
    return k->states == 1 ? accept(k, 1, 1) : k->states == 2 ? accept(k, 1, 2) : accept(k, 1, 0);
}
