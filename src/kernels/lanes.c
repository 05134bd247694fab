/* lanes.c - steps of a Rosenbrock method of several runs at once, see lanes.h. What
 * sim/single_attempt.c, solvers/rosenbrock.c, sim/unseen.c and sim/powers.c do for one run: what
 * they would look at closer is left to them. Compiled once per instruction set. */
#include "lanes.h"
#include "sim/unseen.h"
#include "vecmath.h"

#define EACH(i) for (int i = 0; i < BRI_LANES; i += WIDTH)
#define UNROLL  _Pragma("GCC unroll 8")

static const double never = 1e300;

/* The law at all lanes: F and dz. */
INLINE void call_law(const bri_lane_pack *k, bri_kernel *law, const double *v, const double *z,
                     double *F, double *dz, double *M) {
    const bri_kernel_job job = {.count = BRI_LANES,
                                .stride = BRI_LANES,
                                .p = k->p[0],
                                .v = v,
                                .n = k->load,
                                .z_in = z,
                                .dz = dz,
                                .F = F,
                                .M = M,
                                .way = k->way,
                                .own_params = 1,
                                .own_loads = 1,
                                .exponent = k->exponent};
    law(&job);
}

/* ---- (I/e - J) u = b, see invert() of single.h ------------------------------------------------
 */

typedef struct inverse {
    bri_lane e, by_x, by_v, by_z, per_S, gain, per_h;
} inverse;

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

/* The steps to try, and the inverse for each; error: never where there is none. */
INLINE void begin_step(bri_lane_pack *k, inverse *to) {
    EACH(i) {
        vec t = load(k->t + i), h = smaller(load(k->h + i), load(k->longest + i));
        vec left = load(k->stop + i) - t;
        mask last = at_most(left * (1.0 - 1e-9), h);
        h = where(less(0.5 * left, h), 0.5 * left, h); /* two steps of equal size */
        mask none = either(last, at_most(t + h, t));
        vec e = h * k->method->gamma, S, pivot;
        mask good = pivots(k, i, k->slope, e, &S, &pivot);
        S = where(good, S, splat(1.0));
        pivot = where(good, pivot, splat(1.0));
        vec share = e / pivot, per_S = e / S, m = load(k->mass + i);
        store(k->taken + i, h);
        store(k->error + i, where(good, splat(0.0), splat(never)));
        store(k->outcome + i, where(none, splat(BRI_LANE_BY_HAND), splat(BRI_LANE_REFUSED)));
        store(to->e + i, e);
        store(to->per_h + i, 1.0 / h);
        store(to->per_S + i, per_S);
        store(to->by_v + i, m * S * share);
        store(to->by_x + i, -e * share * S * load(k->stiffness + i));
        store(to->by_z + i, -e * load(k->slope[BRI_F_BY_Z] + i) * share);
        store(to->gain + i, load(k->slope[BRI_Z_BY_V] + i) * per_S);
    }
}

INLINE void eliminate(const inverse *n, int i, const vec *b, vec *u) {
    vec e = load(n->e + i);
    u[1] = load(n->by_x + i) * b[0] + load(n->by_z + i) * b[2] + load(n->by_v + i) * b[1];
    u[0] = (b[0] + u[1]) * e;
    u[2] = load(n->per_S + i) * b[2] + load(n->gain + i) * u[1];
}

/* dv/dt and the others, from the force and rate of the contact. */
INLINE void rates(const bri_lane_pack *k, int i, vec x, vec v, vec F, vec dz, vec *f) {
    vec force = load(k->force + i) - load(k->stiffness + i) * x - load(k->damping + i) * v;
    f[0] = v;
    f[1] = (force - F) * load(k->per_mass + i);
    f[2] = dz;
}

/* ---- all stages --------------------------------------------------------------------------------
 */

INLINE void first_stage(bri_lane_pack *k, const inverse *n) {
    EACH(i) {
        vec b[3], u[3];
        rates(k, i, load(k->y[0] + i), load(k->y[1] + i), load(k->F + i), load(k->dz + i), b);
        eliminate(n, i, b, u);
        UNROLL for (int c = 0; c < 3; c++) store(k->U[0][c] + i, u[c]);
    }
}

INLINE void one_stage(bri_lane_pack *k, const rodas *m, int stage, const inverse *n, bri_lane *Y,
                      bri_lane *b, double *sliding) {
    bri_lane F, dz;
    EACH(i) {
        vec place[3];
        UNROLL for (int c = 0; c < 3; c++) {
            vec sum = load(k->y[c] + i), rest = splat(0.0);
            UNROLL for (int j = 0; j < stage; j++) {
                vec u = load(k->U[j][c] + i);
                sum += m->a[stage][j] * u;
                rest += m->C[stage][j] * u;
            }
            place[c] = sum;
            store(Y[c] + i, sum);
            store(b[c] + i, rest * load(n->per_h + i));
        }
        store(sliding + i, place[1] - load(k->far + i));
    }
    call_law(k, k->eval, sliding, Y[2], F, dz, NULL);
    EACH(i) {
        vec f[3], u[3];
        rates(k, i, load(Y[0] + i), load(Y[1] + i), load(F + i), load(dz + i), f);
        UNROLL for (int c = 0; c < 3; c++) f[c] += load(b[c] + i);
        eliminate(n, i, f, u);
        UNROLL for (int c = 0; c < 3; c++) store(k->U[stage][c] + i, u[c]);
    }
}

/* One over the tolerance of unknown c, see single_weights(). */
INLINE vec tolerance(const bri_lane_pack *k, int i, int c) {
    vec y = load(k->y[c] + i), size = magnitude(y), nominal = load(k->nominal[c] + i);
    if (c == 1) {
        vec sliding = larger(magnitude(y - load(k->far + i)), load(k->v_size + i));
        size = smaller(larger(size, nominal), sliding);
    }
    return larger(k->rtol * size, k->atol * nominal);
}

/* The end of the step, its error, and the law there. */
INLINE void end_stages(bri_lane_pack *k, const rodas *m, bri_lane *Y, double *sliding) {
    EACH(i) {
        vec sum = splat(0.0), end[3];
        UNROLL for (int c = 0; c < 3; c++) {
            vec last = load(k->U[m->stages - 1][c] + i), x = last / tolerance(k, i, c);
            end[c] = load(Y[c] + i) + last;
            store(k->end[c] + i, end[c]);
            sum += x * x;
        }
        vec error = load(k->error + i) + sum * (1.0 / 3.0);
        store(k->error + i, where(at_most(error, splat(never)), error, splat(never)));
        store(sliding + i, end[1] - load(k->far + i));
    }
    call_law(k, k->slopes, sliding, k->end[2], k->F_end, k->dz_end, k->slope_end[0]);
}

/* Coefficients of v and z over the step, see rosenbrock_course(). */
INLINE void find_courses(bri_lane_pack *k, const rodas *m) {
    EACH(i) UNROLL for (int c = 1; c < 3; c++) {
        vec D[3] = {splat(0.0), splat(0.0), splat(0.0)}, start = load(k->y[c] + i);
        UNROLL for (int j = 0; j < m->stages; j++) {
            vec u = load(k->U[j][c] + i);
            UNROLL for (int d = 0; d < m->dense; d++) D[d] += m->H[d][j] * u;
        }
        store(k->course[c - 1][0] + i, start);
        store(k->course[c - 1][1] + i, load(k->end[c] + i) - start + D[0]);
        store(k->course[c - 1][2] + i, D[1] - D[0]);
        store(k->course[c - 1][3] + i, D[2] - D[1]);
        store(k->course[c - 1][4] + i, -D[2]);
    }
}

INLINE vec course_at(const bri_lane_pack *k, int i, int which, double u) {
    vec sum = load(k->course[which][4] + i);
    UNROLL for (int j = 3; j >= 0; j--) sum = load(k->course[which][j] + i) + u * sum;
    return sum;
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

INLINE void next_step(bri_lane_pack *k, int i, mask made) {
    double order = k->method->order, floor = order == 4.0 ? CONTROL_PAST_4 : CONTROL_PAST_5;
    vec h = load(k->taken + i), seen = load(k->error + i),
        error = larger(seen, splat(CONTROL_SMALLEST));
    vec done = load(k->h_done + i), past = load(k->past + i);
    vec shrink = pow_of(smaller(error, splat(1e30)), splat(-0.5 / order));
    vec factor = CONTROL_SAFETY * shrink;
    mask known = both(less(splat(0.0), past), less(splat(0.0), done));
    vec predicted = CONTROL_SAFETY * h / where(known, done, splat(1.0)) * past * shrink * shrink;
    factor = where(both(made, known), smaller(factor, predicted), factor);
    factor = smaller(larger(factor, splat(CONTROL_LEAST)), splat(CONTROL_MOST));
    mask again = both(made, less(load(k->first + i), splat(0.5)));
    factor = where(again, smaller(factor, splat(1.0)), factor);
    factor = where(at_most(splat(never), seen), splat(CONTROL_BROKEN), factor);
    factor = where(both(none_of(made), at_most(seen, splat(1.0))), splat(CONTROL_BAD_END), factor);
    mask left = equal(load(k->outcome + i), splat(BRI_LANE_BY_HAND));
    store(k->past + i, where(made, larger(1.0 / shrink, splat(floor)), past));
    store(k->h_done + i, where(made, h, done));
    store(k->h + i, where(left, load(k->h + i), h * factor));
    store(k->first + i, where(made, splat(1.0), splat(0.0)));
}

INLINE void judge(bri_lane_pack *k) {
    EACH(i) {
        vec S, pivot, way = load(k->way + i), e = load(k->taken + i) * k->method->gamma;
        mask sound = pivots(k, i, k->slope_end, e, &S, &pivot);
        mask small = at_most(load(k->error + i), splat(1.0));
        mask turned = at_most(way * (load(k->end[1] + i) - load(k->far + i)), splat(0.0));
        /* a turn is for the one who can end the step there, whatever the slopes beyond it say */
        mask closer = both(both(sound, none_of(turned)), none_of(is_plain(k, i)));
        closer = either(closer, both(turned, none_of(turns_plainly(k, i))));
        mask hand = either(both(small, closer), less(splat(0.5), load(k->outcome + i)));
        vec outcome = where(both(small, sound), splat(BRI_LANE_MADE), splat(BRI_LANE_REFUSED));
        outcome = where(both(small, turned), splat(BRI_LANE_TURNED), outcome);
        store(k->outcome + i, where(hand, splat(BRI_LANE_BY_HAND), outcome));
    }
}

INLINE void attempt(bri_lane_pack *k, const rodas *m) {
    inverse n;
    bri_lane Y[3], b[3], sliding;
    begin_step(k, &n);
    first_stage(k, &n);
    UNROLL for (int stage = 1; stage < m->stages; stage++)
        one_stage(k, m, stage, &n, Y, b, sliding);
    end_stages(k, m, Y, sliding);
    find_courses(k, m);
    judge(k);
}

/* ---- on -------------------------------------------------------------------------------------- */

static const double gauss[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
static const double gauss_weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/* Heat, work and what else a run is judged by, see powers.c and watch.c. What the bristles store is
 * not integrated: its change is known. */
INLINE void add_energies(bri_lane_pack *k) {
    bri_lane heat, work, astray, v, z, F, dz;
    EACH(i) {
        store(heat + i, load(k->stored + i) - load(k->stored_end + i));
        store(work + i, -load(k->taken + i) * load(k->held + i));
        store(astray + i, splat(0.0));
    }
    for (int p = 0; p < 3; p++) {
        EACH(i) {
            store(v + i, course_at(k, i, 0, gauss[p]) - load(k->far + i));
            store(z + i, course_at(k, i, 1, gauss[p]));
        }
        call_law(k, k->eval, v, z, F, dz, NULL);
        EACH(i) {
            vec share = load(k->taken + i) * gauss_weight[p], far = load(k->far + i);
            vec slides = load(v + i), force = load(F + i), body = slides + far;
            vec power = force * slides;
            mask back = less(load(k->way + i) * slides, splat(0.0));
            vec wrong = where(back, magnitude(power), splat(0.0));
            store(heat + i, load(heat + i) + share * (power + load(k->damping + i) * body * body));
            store(work + i, load(work + i) - share * force * far);
            store(astray + i, load(astray + i) + share * wrong);
        }
    }
    EACH(i) {
        mask made = is_made(k, i);
        vec gained = load(heat + i), before = load(k->heat + i), v_end = load(k->end[1] + i);
        vec heated = load(k->heated + i) + larger(gained, splat(0.0));
        vec total = load(k->work + i) + load(work + i);
        vec most =
            larger(0.5 * load(k->mass + i) * v_end * v_end, larger(heated, magnitude(total)));
        vec regained = load(k->regained + i);
        store(k->heat_before + i, where(made, before, load(k->heat_before + i)));
        store(k->work_before + i, where(made, load(k->work + i), load(k->work_before + i)));
        store(k->heat + i, where(made, before + gained, before));
        store(k->work + i, where(made, total, load(k->work + i)));
        store(k->astray + i, load(k->astray + i) + where(made, load(astray + i), splat(0.0)));
        store(k->heated + i, where(made, heated, load(k->heated + i)));
        store(k->regained + i, where(made, regained - smaller(gained, splat(0.0)), regained));
        store(k->turned + i, where(made, larger(load(k->turned + i), most), load(k->turned + i)));
        store(k->stored + i, where(made, load(k->stored_end + i), load(k->stored + i)));
    }
}

INLINE void put(double *to, int i, mask made, const double *from) {
    store(to + i, where(made, load(from + i), load(to + i)));
}

INLINE void go_on(bri_lane_pack *k) {
    EACH(i) {
        mask made = is_made(k, i);
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
        UNROLL for (int d = 0; d < BRI_DERIVATIVES; d++) put(k->slope[d], i, made, k->slope_end[d]);
    }
}

#define JOIN(a, b)     a##b
#define ATTEMPT(level) JOIN(bri_lanes_attempt_, level)
#define ACCEPT(level)  JOIN(bri_lanes_accept_, level)

bri_lanes_step ATTEMPT(BRI_KERNEL_LEVEL), ACCEPT(BRI_KERNEL_LEVEL);

void ATTEMPT(BRI_KERNEL_LEVEL)(bri_lane_pack *k) {
    if (k->method->order == 4)
        attempt(k, &rodas4);
    else
        attempt(k, &rodas5p);
}

void ACCEPT(BRI_KERNEL_LEVEL)(bri_lane_pack *k) {
    add_energies(k);
    go_on(k);
}
