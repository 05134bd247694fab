/* law_steps.h - the steps that law files name, on vectors of contacts. */
#ifndef BRI_LAW_STEPS_H
#define BRI_LAW_STEPS_H

#include "law_vectors.h"

#define real         vec
#define truth        mask
#define STEP_INLINE  INLINE
#define STEP_CONTACT kind k;
#define STEP_HERE    k,

/* exp(-(a/v_s)^gamma), a >= 0, and its slope in a. */
INLINE vec law_decay(vec v_s, vec gamma, vec a, vec *slope, kind k) {
    vec r = law_over(a, v_s, k), power = law_gpow(r, gamma, k), e = exp_minus(power);
    if (slope) *slope = law_over(-e * law_gpow_slope(power, r, gamma, 1, k), v_s, k);
    return e;
}

#define STEP(name)                                                                                 \
    INLINE vec law_step_##name(law_eval *eval, const vec *p, vec v, vec n, double h, vec *z, kind k)
#define STEP_V                                 v
#define STEP_N                                 n
#define STEP_SPEED                             law_speed_of(v, k)
#define STEP_DIRECTION                         law_direction_of(v, k)
#define STEP_FORCE                             eval(p, v, n, z, (vec[BRI_KERNEL_STATES]){{0}}, k)
#define STEP_DECAY(v_s, gamma, a, slope)       law_decay(v_s, gamma, a, slope, k)
#define STEP_DECAY_OF(q, v_s, gamma, a, slope) law_decay(v_s, gamma, a, slope, (q)->k)

#include "models/step_bodies.h"

#endif
