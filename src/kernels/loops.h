/* loops.h - the loops over contacts, written once for all laws. Everything is inlined into the
 * caller, where law and layout are constants: what all contacts share leaves the loop. */
#ifndef BRI_LOOPS_H
#define BRI_LOOPS_H

#include "kernels.h"
#include "vecmath.h"

/* What is known when the kernel is compiled. */
typedef struct kind {
    int exponent;  /* BRI_EXPONENT_... */
    int shared;    /* parameters are the same for all contacts */
    int own_loads; /* loads are not, and may be zero */
    int frozen;    /* the direction of sliding is given: */
    vec way;       /* -1 or 1 */
} kind;

/* A law: F and the rates; F after a step, z in place; the time constant of relaxation in the air
 * (NULL: the law takes care of n <= 0 itself). */
typedef vec law_eval(const vec *p, vec v, vec n, const vec *z, vec *dz, kind k);
typedef vec law_step(const vec *p, vec v, vec n, double h, vec *z, kind k);
typedef vec law_lift(const vec *p);

#define UNROLLED _Pragma("GCC unroll 32")

INLINE void shared_params(bri_kernel_job job, int n_params, vec *p) {
    UNROLLED for (int j = 0; j < n_params; j++) p[j] = splat(job.p[j]);
}

INLINE void own_params(bri_kernel_job job, size_t i, int n_params, vec *p) {
    UNROLLED for (int j = 0; j < n_params; j++) p[j] = load(job.p + (size_t)j * job.stride + i);
}

INLINE void get_states(bri_kernel_job job, size_t i, int n_states, vec *z) {
    UNROLLED for (int j = 0; j < n_states; j++) z[j] = load(job.z_in + (size_t)j * job.stride + i);
}

INLINE void put_states(bri_kernel_job job, double *to, size_t i, int n_states, const vec *z) {
    UNROLLED for (int j = 0; j < n_states; j++) store(to + (size_t)j * job.stride + i, z[j]);
}

/* The machine finds the streams by itself, but asked ahead it keeps up with a kernel that is about
 * as fast as memory. Asking past the end of an array does no harm. */
INLINE void ask_ahead(bri_kernel_job job, size_t i, int n_states) {
    const size_t ahead = i + 64; /* doubles */
    __builtin_prefetch(job.v + ahead);
    __builtin_prefetch(job.F + ahead, 1);
    UNROLLED for (int j = 0; j < n_states; j++) {
        __builtin_prefetch(job.z_in + (size_t)j * job.stride + ahead);
        __builtin_prefetch(job.dz + (size_t)j * job.stride + ahead, 1);
    }
}

INLINE void eval_loop(bri_kernel_job job, law_eval *law, law_lift *lift, int n_params, int n_states,
                      kind k) {
    vec p[BRI_KERNEL_PARAMS], n = splat(job.n[0]);
    if (k.shared) shared_params(job, n_params, p);
    for (size_t i = 0; i < job.count; i += WIDTH) {
        vec z[BRI_KERNEL_STATES], dz[BRI_KERNEL_STATES];
        if (!k.shared) own_params(job, i, n_params, p);
        if (k.own_loads) n = load(job.n + i);
        get_states(job, i, n_states, z);
        ask_ahead(job, i, n_states);
        vec F = law(p, load(job.v + i), n, z, dz, k);
        mask open = less(n, splat(BRI_NO_LOAD));
        if (k.own_loads && (n_states == 0 || lift) && any(open)) {
            F = where(open, splat(0.0), F);
            vec rate = n_states > 0 ? -1.0 / lift(p) : splat(0.0);
            UNROLLED for (int j = 0; j < n_states; j++) dz[j] = where(open, rate * z[j], dz[j]);
        }
        store(job.F + i, F);
        put_states(job, job.dz, i, n_states, dz);
    }
}

INLINE void step_loop(bri_kernel_job job, law_step *law, law_lift *lift, int n_params, int n_states,
                      kind k) {
    vec p[BRI_KERNEL_PARAMS], n = splat(job.n[0]);
    if (k.shared) shared_params(job, n_params, p);
    for (size_t i = 0; i < job.count; i += WIDTH) {
        vec z[BRI_KERNEL_STATES], old[BRI_KERNEL_STATES];
        if (!k.shared) own_params(job, i, n_params, p);
        if (k.own_loads) n = load(job.n + i);
        get_states(job, i, n_states, z);
        UNROLLED for (int j = 0; j < n_states; j++) old[j] = z[j];
        vec F = law(p, load(job.v + i), n, job.h, z, k);
        mask open = less(n, splat(BRI_NO_LOAD));
        if (k.own_loads && lift && any(open)) {
            F = where(open, splat(0.0), F);
            vec left = exp_minus(job.h / lift(p));
            UNROLLED for (int j = 0; j < n_states; j++) z[j] = where(open, old[j] * left, z[j]);
        }
        store(job.F + i, F);
        put_states(job, job.z, i, n_states, z);
    }
}

/* F and the rates, and a matrix of derivatives of them: in x, v, n and the states, or in the
 * parameters. */
typedef void law_slopes(const vec *p, vec v, vec n, const vec *z, vec *out, vec *M, kind k);

#define ALL_UNROLLED _Pragma("GCC unroll 1024")

/* In the air, and what is wanted of the matrix; `jacobian` says which one it is. */
INLINE void slope_loop(bri_kernel_job job, law_slopes *law, law_lift *lift, int n_params,
                       int n_states, int jacobian, kind k) {
    vec p[BRI_KERNEL_PARAMS], n = splat(job.n[0]);
    const int width = jacobian ? 3 + n_states : n_params, rows = 1 + n_states;
    if (k.shared) shared_params(job, n_params, p);
    for (size_t i = 0; i < job.count; i += WIDTH) {
        vec out[1 + BRI_KERNEL_STATES], M[BRI_KERNEL_ENTRIES], z[BRI_KERNEL_STATES];
        if (!k.shared) own_params(job, i, n_params, p);
        if (k.own_loads) n = load(job.n + i);
        get_states(job, i, n_states, z);
        law(p, load(job.v + i), n, z, out, M, k);
        mask open = less(n, splat(BRI_NO_LOAD));
        if (k.own_loads && (n_states == 0 || lift) && any(open)) {
            vec rate = n_states > 0 ? -1.0 / lift(p) : splat(0.0);
            ALL_UNROLLED for (int j = 0; j < rows * width; j++) M[j] =
                where(open, splat(0.0), M[j]);
            out[0] = where(open, splat(0.0), out[0]);
            ALL_UNROLLED for (int j = 0; j < n_states; j++) {
                out[1 + j] = where(open, rate * z[j], out[1 + j]);
                if (!jacobian) continue;
                vec *diagonal = &M[(1 + j) * width + 3 + j];
                *diagonal = where(open, rate, *diagonal);
            }
        }
        if (jacobian && n_states == 1 && job.few) { /* of one state: BRI_F_BY_V and so on */
            store(job.M + i, M[1]);
            store(job.M + job.stride + i, M[3]);
            store(job.M + 2 * job.stride + i, M[5]);
            store(job.M + 3 * job.stride + i, M[7]);
            continue;
        }
        if (job.F) store(job.F + i, out[0]);
        if (job.F) put_states(job, job.dz, i, n_states, out + 1);
        ALL_UNROLLED for (int j = 0; j < rows * width; j++)
            store(job.M + (size_t)j * job.stride + i, M[j]);
    }
}

#define KIND(e, s, own)                                                                            \
    (kind) { .exponent = e, .shared = s, .own_loads = own }

/* One function per law and exponent; the layout of parameters and loads becomes a constant. Where
 * contacts have their own parameters, they have their own loads, too: batch.c sees to it. */
#define VALUE_KERNEL(name, loop, law, lift, n_params, n_states, exponent)                          \
    static void name(const bri_kernel_job *job) {                                                  \
        if (job->own_params)                                                                       \
            loop(*job, law, lift, n_params, n_states, KIND(exponent, 0, 1));                       \
        else if (job->own_loads)                                                                   \
            loop(*job, law, lift, n_params, n_states, KIND(exponent, 1, 1));                       \
        else                                                                                       \
            loop(*job, law, lift, n_params, n_states, KIND(exponent, 1, 0));                       \
    }

/* Any reading of the law: seldom, so that loads are looked at while it runs. */
#define CHOICE_KERNEL(name, loop, law, lift, n_params, n_states)                                   \
    static void name(const bri_kernel_job *job) {                                                  \
        if (job->own_params)                                                                       \
            loop(*job, law, lift, n_params, n_states, KIND(BRI_EXPONENT_ANY, 0, 1));               \
        else                                                                                       \
            loop(*job, law, lift, n_params, n_states, KIND(job->exponent, 1, job->own_loads));     \
    }

/* Derivatives are more to compile: exponents and loads are looked at while they run. */
#define SLOPE_KERNEL(name, law, lift, n_params, n_states, jacobian)                                \
    static void name(const bri_kernel_job *job) {                                                  \
        if (job->own_params)                                                                       \
            slope_loop(*job, law, lift, n_params, n_states, jacobian, KIND(job->exponent, 0, 1));  \
        else                                                                                       \
            slope_loop(*job, law, lift, n_params, n_states, jacobian,                              \
                       KIND(job->exponent, 1, job->own_loads));                                    \
    }

#endif
