/* lane_loops.h - the loops of lanes that have a law inside, each contact with its own parameters,
 * load and frozen direction, and one state. Everything is inlined into the caller, where the law is
 * a constant. */
#ifndef BRI_LANE_LOOPS_H
#define BRI_LANE_LOOPS_H

#include "lane_parts.h"
#include "law_vectors.h"

/* Energy stored, or bits of pieces. */
typedef vec lane_value(const vec *p, vec v, vec n, const vec *z, kind k);

__attribute__((unused)) INLINE vec law_none(const vec *p, vec v, vec n, const vec *z, kind k) {
    (void)p, (void)v, (void)n, (void)z, (void)k;
    return splat(0.0);
}

INLINE void lane_params(const bri_lane_pack *k, int i, int n_params, vec *p) {
    UNROLLED for (int j = 0; j < n_params; j++) p[j] = load(k->p[j] + i);
}

/* The place of a stage, and what earlier ones add to its right-hand side; two vectors at a time
 * fill the registers. */
INLINE void place_stage(const bri_lane_pack *k, int stage, int follows, bri_lane *Y, bri_lane *b) {
    const rodas *m = k->method;
    for (int i = 0; i < BRI_LANES; i += 2 * WIDTH) {
        vec sum[2][3], rest[2][3];
        UNROLL for (int c = 0; c < 3; c++) UNROLL for (int n = 0; n < 2; n++) {
            const int at = i + n * WIDTH;
            rest[n][c] = splat(0.0);
            sum[n][c] =
                follows ? load(Y[c] + at) + load(k->U[stage - 1][c] + at) : load(k->y[c] + at);
        }
        for (int j = 0; j < stage; j++) {
            vec a = splat(m->a[stage][j]), C = splat(m->C[stage][j]);
            UNROLL for (int c = 0; c < 3; c++) UNROLL for (int n = 0; n < 2; n++) {
                vec u = load(k->U[j][c] + i + n * WIDTH);
                if (!follows) sum[n][c] = muladd(a, u, sum[n][c]);
                rest[n][c] = muladd(C, u, rest[n][c]);
            }
        }
        UNROLL for (int c = 0; c < 3; c++) UNROLL for (int n = 0; n < 2; n++) {
            const int at = i + n * WIDTH;
            store(Y[c] + at, sum[n][c]);
            store(b[c] + at, rest[n][c] * load(k->inverse.per_h + at));
        }
    }
}

/* At the end of the step. */
INLINE void lane_end(bri_lane_pack *k, int i, law_slopes *slopes, lane_value *stored,
                     lane_value *pieces, int n_params, int exponent) {
    static const int few[BRI_DERIVATIVES] = {1, 3, 5, 7}; /* BRI_F_BY_V and so on */
    vec p[BRI_KERNEL_PARAMS], out[2], M[8], n = load(k->load + i), z = load(k->end[2] + i);
    vec v = load(k->end[1] + i) - load(k->far + i);
    kind how = {.exponent = exponent, .frozen = 1, .way = load(k->way + i)};
    lane_params(k, i, n_params, p);
    slopes(p, v, n, &z, out, M, how);
    store(k->F_end + i, out[0]);
    store(k->dz_end + i, out[1]);
    UNROLL for (int d = 0; d < BRI_DERIVATIVES; d++) store(k->slope_end[d] + i, M[few[d]]);
    store(k->stored_end + i, stored(p, splat(0.0), n, &z, how));
    store(k->pieces_end + i, pieces(p, v, n, &z, how));
}

INLINE void lane_stages(bri_lane_pack *k, law_eval *law, void (*end)(bri_lane_pack *, int),
                        int n_params, int exponent) {
    const int last = k->method->stages - 1;
    bri_lane Y[3], b[3];
    EACH(i) UNROLL for (int c = 0; c < 3; c++) store(Y[c] + i, load(k->y[c] + i));
    for (int stage = 1; stage <= last; stage++) {
        if (stage < k->method->follow)
            place_stage(k, stage, 0, Y, b);
        else
            place_stage(k, stage, 1, Y, b);
        EACH(i) {
            vec p[BRI_KERNEL_PARAMS], f[3], u[3], dz;
            vec x = load(Y[0] + i), v = load(Y[1] + i), z = load(Y[2] + i);
            kind how = {.exponent = exponent, .frozen = 1, .way = load(k->way + i)};
            lane_params(k, i, n_params, p);
            vec F = law(p, v - load(k->far + i), load(k->load + i), &z, &dz, how);
            rates(k, i, x, v, F, dz, f);
            UNROLL for (int c = 0; c < 3; c++) f[c] += load(b[c] + i);
            eliminate(&k->inverse, i, f, u);
            UNROLL for (int c = 0; c < 3; c++) store(k->U[stage][c] + i, u[c]);
        }
    }
    EACH(i) {
        UNROLL for (int c = 0; c < 3; c++)
            store(k->end[c] + i, load(Y[c] + i) + load(k->U[last][c] + i));
        end(k, i);
    }
}

/* Over the inner points of a step. */
INLINE void lane_powers(bri_lane_pack *k, law_eval *law, int n_params, int exponent) {
    EACH(i) {
        vec power = splat(0.0), push = splat(0.0), wrong = splat(0.0), p[BRI_KERNEL_PARAMS];
        kind how = {.exponent = exponent, .frozen = 1, .way = load(k->way + i)};
        lane_params(k, i, n_params, p);
        for (int q = 0; q < 2; q++) {
            vec v = course_at(k, i, 0, lobatto[q]) - load(k->far + i);
            vec z = course_at(k, i, 1, lobatto[q]), dz;
            vec F = law(p, v, load(k->load + i), &z, &dz, how), by = F * v;
            mask back = less(how.way * v, splat(0.0));
            power += by;
            push += F;
            wrong += where(back, magnitude(by), splat(0.0));
        }
        store(k->power + i, lobatto_weight[1] * power);
        store(k->push + i, lobatto_weight[1] * push);
        store(k->wrong + i, lobatto_weight[1] * wrong);
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

#define LANE_LAW(name, law, slopes, stored, pieces, n_params, exponent)                            \
    static void name##_end(bri_lane_pack *k, int i) {                                              \
        lane_end(k, i, slopes, stored, pieces, n_params, exponent);                                \
    }                                                                                              \
    static void name##_stages(bri_lane_pack *k) {                                                  \
        lane_stages(k, law, name##_end, n_params, exponent);                                       \
    }                                                                                              \
    static void name##_powers(bri_lane_pack *k) { lane_powers(k, law, n_params, exponent); }       \
    static void name##_pack(const bri_kernel_job *job) {                                           \
        pack_loop(*job, law, n_params, exponent);                                                  \
    }                                                                                              \
    static void name##_slopes(const bri_kernel_job *job) {                                         \
        pack_slope_loop(*job, slopes, n_params, exponent);                                         \
    }                                                                                              \
    static const bri_lane_law name = {name##_stages, name##_end, name##_powers, name##_pack,       \
                                      name##_slopes};

#endif
