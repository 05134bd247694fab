/* lane_loops.h - the loops of lanes that have a law inside, each contact with its own parameters,
 * load and direction, which is frozen or, where the law has none, that of its velocity. Everything
 * is inlined into the caller, where the law is a constant. */
#ifndef BRI_LANE_LOOPS_H
#define BRI_LANE_LOOPS_H

#include "lane_parts.h"
#include "law_vectors.h"
#include "sim/unseen.h"

/* Energy stored, or bits of pieces. */
typedef vec lane_value(const vec *p, vec v, vec n, const vec *z, kind k);

__attribute__((unused)) INLINE vec law_none(const vec *p, vec v, vec n, const vec *z, kind k) {
    (void)p, (void)v, (void)n, (void)z, (void)k;
    return splat(0.0);
}

INLINE void lane_params(const bri_lane_pack *k, int i, int c, int n_params, vec *p) {
    UNROLLED for (int j = 0; j < n_params; j++) p[j] = load(k->p[c][j] + i);
}

INLINE kind lane_kind(const bri_lane_pack *k, int i, int c, vec v, int exponent) {
    vec way = k->directed ? load(k->way[c] + i) : sign(v);
    return (kind){.exponent = exponent, .frozen = 1, .way = way};
}

/* What stage j adds to the place of another and to its right-hand side, of some unknowns from
 * `first` on. */
INLINE void add_stage(const bri_lane_pack *k, int i, int stage, int j, int first, int count, vec *Y,
                      vec *b) {
    vec a = splat(k->method->a[stage][j]), C = splat(k->method->C[stage][j]);
    UNROLL for (int n = first; n < first + count; n++) {
        vec u = load(k->U[j][n] + i);
        Y[n] = muladd(a, u, Y[n]);
        b[n] = muladd(C, u, b[n]);
    }
}

/* The place of a stage, and what earlier ones add to its right-hand side: as many sums at once as
 * there are registers, with a constant for the stage. */
INLINE void place_stage(const bri_lane_pack *k, int i, int bodies, int states, int stage, vec *Y,
                        vec *b) {
    const int unknowns = (2 + states) * bodies, part = bodies == 1 ? unknowns : bodies;
    vec per_h = load(k->inverse.per_h + i);
    UNROLL for (int n = 0; n < unknowns; n++) {
        Y[n] = load(k->y[n] + i);
        b[n] = splat(0.0);
    }
#define CASE(last)                                                                                 \
    case last:                                                                                     \
        UNROLL for (int first = 0; first < unknowns; first += part)                                \
            UNROLL for (int j = 0; j < last; j++) add_stage(k, i, last, j, first, part, Y, b);     \
        break;
    switch (stage) { CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) }
#undef CASE
    UNROLL for (int n = 0; n < unknowns; n++) b[n] *= per_h;
}

/* At the end of the step. */
INLINE void lane_end(bri_lane_pack *k, int i, law_slopes *slopes, lane_value *stored,
                     lane_value *pieces, int n_params, int states, int exponent) {
    const int columns = 3 + states; /* of x, v, load and states */
    vec energy = splat(0.0);
    for (int c = 0; c < k->bodies; c++) {
        vec p[BRI_KERNEL_PARAMS], out[1 + BRI_LANE_STATES], z[BRI_LANE_STATES];
        vec M[(1 + BRI_LANE_STATES) * (3 + BRI_LANE_STATES)];
        vec n = load(k->load[c] + i), v = load(k->v_end[c] + i);
        UNROLL for (int s = 0; s < states; s++) z[s] =
            load(k->end[2 * k->bodies + STATE(c, s)] + i);
        kind how = lane_kind(k, i, c, v, exponent);
        lane_params(k, i, c, n_params, p);
        slopes(p, v, n, z, out, M, how);
        store(k->F_end[c] + i, out[0]);
        UNROLL for (int s = 0; s < states; s++) store(k->dz_end[STATE(c, s)] + i, out[1 + s]);
        UNROLL for (int r = 0; r <= states; r++) UNROLL for (int d = 0; d <= states; d++)
            store(k->slope_end[c][bri_lane_slope(states, r, d)] + i,
                  M[r * columns + (d == 0 ? 1 : 2 + d)]);
        energy += stored(p, splat(0.0), n, z, how);
        store(k->pieces_end[c] + i, pieces(p, v, n, z, how));
    }
    store(k->stored_end + i, energy);
}

INLINE void lane_stages(bri_lane_pack *k, int bodies, law_eval *law,
                        void (*end)(bri_lane_pack *, int), int n_params, int states, int exponent) {
    const int last = k->method->stages - 1, unknowns = (2 + states) * bodies;
    if (last == 0) /* nothing moves */
        EACH(i) UNROLL for (int n = 0; n < unknowns; n++) store(k->end[n] + i, load(k->y[n] + i));
    for (int stage = 1; stage <= last; stage++) EACH(i) {
            vec Y[BRI_LANE_UNKNOWNS], b[BRI_LANE_UNKNOWNS], f[BRI_LANE_UNKNOWNS];
            vec u[BRI_LANE_UNKNOWNS], F[BRI_LANE_BODIES], dz[BRI_LANE_ALL_STATES];
            vec h = load(k->taken + i), s = muladd(h, splat(k->method->c[stage]), time_since(k, i));
            place_stage(k, i, bodies, states, stage, Y, b);
            rates(k, i, bodies, s, Y, b, f);
            UNROLL for (int z = 2 * bodies; z < unknowns; z++) f[z] = b[z];
            add_drift(k, i, bodies, states, h, stage, f);
            UNROLL for (int c = 0; c < bodies; c++) {
                vec p[BRI_KERNEL_PARAMS];
                vec v = between(k, bodies, c, Y + bodies) - far_at(k, i, c, s);
                lane_params(k, i, c, n_params, p);
                F[c] = law(p, v, load(k->load[c] + i), Y + 2 * bodies + STATE(c, 0),
                           dz + STATE(c, 0), lane_kind(k, i, c, v, exponent));
            }
            eliminate(k, i, bodies, states, f, F, dz, u);
            UNROLL for (int n = 0; n < unknowns; n++) store(k->U[stage][n] + i, u[n]);
            if (stage == last)
                UNROLL for (int n = 0; n < unknowns; n++) store(k->end[n] + i, Y[n] + u[n]);
        }
    EACH(i) {
        vec v[BRI_LANE_BODIES], s = time_since(k, i) + load(k->taken + i);
        UNROLL for (int b = 0; b < bodies; b++) v[b] = load(k->end[bodies + b] + i);
        UNROLL for (int c = 0; c < bodies; c++)
            store(k->v_end[c] + i, between(k, bodies, c, v) - far_at(k, i, c, s));
        end(k, i);
    }
}

/* The law at a share of the step, by the courses of what it looks at. */
INLINE vec lane_law_at(const bri_lane_pack *k, int i, int c, law_eval *law, const vec *p, vec u,
                       int states, int exponent, vec *v) {
    vec z[BRI_LANE_STATES], dz[BRI_LANE_STATES];
    UNROLL for (int s = 0; s < states; s++) z[s] = course_at(k->state[STATE(c, s)][0], i, u);
    *v = course_at(k->sliding[c][0], i, u);
    return law(p, *v, load(k->load[c] + i), z, dz, lane_kind(k, i, c, *v, exponent));
}

/* Over the two inner points of a step, which do not wait for each other. */
INLINE void lane_powers(bri_lane_pack *k, law_eval *law, int n_params, int states, int exponent) {
    for (int c = 0; c < k->bodies; c++) EACH(i) {
            vec p[BRI_KERNEL_PARAMS], since = time_since(k, i), way = load(k->way[c] + i);
            vec power = splat(0.0), push = power, wrong = power;
            lane_params(k, i, c, n_params, p);
            UNROLL for (int at = 0; at < 2; at++) {
                vec u = splat(lobatto[at]), v;
                vec F = lane_law_at(k, i, c, law, p, u, states, exponent, &v);
                vec by = F * v, far = far_at(k, i, c, muladd(u, load(k->taken + i), since));
                power += by;
                push = muladd(F, far, push);
                wrong += only_where(less(way * v, splat(0.0)), magnitude(by));
            }
            store(k->power + i, c == 0 ? power : load(k->power + i) + power);
            store(k->push + i, c == 0 ? push : load(k->push + i) + push);
            store(k->wrong + i, c == 0 ? wrong : load(k->wrong + i) + wrong);
        }
}

/* Over Gauss's four points, of one vector of lanes. */
INLINE void lane_mean(bri_lane_pack *k, int i, law_eval *law, int n_params, int states,
                      int exponent) {
    for (int c = 0; c < k->bodies; c++) {
        vec p[BRI_KERNEL_PARAMS], sum = splat(0.0), v;
        lane_params(k, i, c, n_params, p);
        UNROLL for (int at = 0; at < 4; at++) {
            vec F = lane_law_at(k, i, c, law, p, splat(gauss_4[at]), states, exponent, &v);
            sum = muladd(splat(gauss_4_weight[at]), F, sum);
        }
        store(k->mean[c] + i, sum);
    }
}

/* ---- contacts of one run, see system/packs.c: the same law, F and rates, or these and the
 * derivatives by v and z */

INLINE void pack_loop(bri_kernel_job job, law_eval *law, int n_params, int exponent) {
    for (size_t i = 0; i < job.count; i += WIDTH) {
        vec p[BRI_KERNEL_PARAMS], z = load(job.z_in + i), dz;
        kind k = {.exponent = exponent, .frozen = 1, .way = load(job.way + i)};
        own_params(job, i, n_params, p);
        store(job.F + i, law(p, load(job.v + i), load(job.n + i), &z, &dz, k));
        store(job.dz + i, dz);
    }
}

INLINE void pack_slope_loop(bri_kernel_job job, law_slopes *law, int n_params, int exponent) {
    static const int few[BRI_DERIVATIVES] = {1, 3, 5, 7}; /* BRI_F_BY_V and so on */
    for (size_t i = 0; i < job.count; i += WIDTH) {
        vec p[BRI_KERNEL_PARAMS], out[2], M[8], z = load(job.z_in + i);
        kind k = {.exponent = exponent, .frozen = 1, .way = load(job.way + i)};
        own_params(job, i, n_params, p);
        law(p, load(job.v + i), load(job.n + i), &z, out, M, k);
        store(job.F + i, out[0]);
        store(job.dz + i, out[1]);
        UNROLLED for (int j = 0; j < BRI_DERIVATIVES; j++)
            store(job.M + (size_t)j * job.stride + i, M[few[j]]);
    }
}

#define LANE_PARTS(name, law, slopes, stored, pieces, n_params, n_states, exponent)                \
    static void name##_end(bri_lane_pack *k, int i) {                                              \
        lane_end(k, i, slopes, stored, pieces, n_params, n_states, exponent);                      \
    }                                                                                              \
    static void name##_stages_1(bri_lane_pack *k) {                                                \
        lane_stages(k, 1, law, name##_end, n_params, n_states, exponent);                          \
    }                                                                                              \
    static void name##_powers(bri_lane_pack *k) {                                                  \
        lane_powers(k, law, n_params, n_states, exponent);                                         \
    }                                                                                              \
    static void name##_mean(bri_lane_pack *k, int i) {                                             \
        lane_mean(k, i, law, n_params, n_states, exponent);                                        \
    }

/* With no state or two, for one body. */
#define LANE_LAW_ALONE(name, law, slopes, stored, pieces, n_params, n_states, exponent)            \
    LANE_PARTS(name, law, slopes, stored, pieces, n_params, n_states, exponent)                    \
    static const bri_lane_law name = {{name##_stages_1}, name##_end, name##_powers, name##_mean};

#define LANE_LAW(name, law, slopes, stored, pieces, n_params, n_states, exponent)                  \
    LANE_PARTS(name, law, slopes, stored, pieces, n_params, n_states, exponent)                    \
    static void name##_stages_2(bri_lane_pack *k) {                                                \
        lane_stages(k, 2, law, name##_end, n_params, n_states, exponent);                          \
    }                                                                                              \
    static void name##_stages_3(bri_lane_pack *k) {                                                \
        lane_stages(k, 3, law, name##_end, n_params, n_states, exponent);                          \
    }                                                                                              \
    static void name##_pack(const bri_kernel_job *job) {                                           \
        pack_loop(*job, law, n_params, exponent);                                                  \
    }                                                                                              \
    static void name##_slopes(const bri_kernel_job *job) {                                         \
        pack_slope_loop(*job, slopes, n_params, exponent);                                         \
    }                                                                                              \
    static const bri_lane_law name = {{name##_stages_1, name##_stages_2, name##_stages_3},         \
                                      name##_end,                                                  \
                                      name##_powers,                                               \
                                      name##_mean,                                                 \
                                      name##_pack,                                                 \
                                      name##_slopes};

#endif
