/* law_code.h - what the generated C of laws is written with. Names of a law may be any, so that
 * everything the code calls begins with law_, expr_ or bri_, or belongs to the C library. */
#ifndef BRI_LAW_CODE_H
#define BRI_LAW_CODE_H

#include "expr/expr_math.h"
#include "models.h"
#include "steps.h"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wshadow" /* a name of the law may be one of ours */
#endif

static inline double law_sign_of(double x) { return sign(x); }
static inline double law_speed_of(const bri_input *u) { return speed(u); }
static inline double law_direction_of(const bri_input *u) { return direction(u); }
static inline double law_slides(const bri_input *u) { return slides(u); }
static inline int law_open(const bri_input *u) { return lifted_off(u); }
static inline double law_within(double x, double limit) { return clamp(x, limit); }

/* A set-valued law that is not sliding: what follows once its level is reached. */
static inline bri_mode law_let_go(const bri_input *u, double level) {
    if (fabs(u->fa) < level) return BRI_STUCK;
    return u->fa > 0.0 ? BRI_SLIDE_POS : u->fa < 0.0 ? BRI_SLIDE_NEG : BRI_STUCK;
}

/* A state that reaches its bound is located to rounding only: put it there. */
static inline void law_put_on_bound(double *z, double bound) {
    if (fabs(*z) > (1.0 - 1e-6) * bound) *z = sign(*z) * bound;
}

/* Of a bound that is taken early: how far it is in the direction of motion, 1 where it is far; and
 * what is so close is put on it. */
static inline double law_distance(const bri_input *u, double z, double bound) {
    return lifted_off(u) ? 1.0 : 1.0 - z * direction(u) / bound;
}

static inline void law_put_on_near_bound(const bri_input *u, double *z, double bound) {
    if (!lifted_off(u) && fabs(law_distance(u, *z, bound)) < 0.03) *z = direction(u) * bound;
}

#endif
