/* lane_condense.h - what attempts at steps (lanes.c) and their ends (lanes_accept.c) have in
 * common: the matrix of the velocities, and what became of a step. */
#ifndef BRI_LANE_CONDENSE_H
#define BRI_LANE_CONDENSE_H

#include "lane_parts.h"

/* The error where there is no step. */
static const double never = 1e300;

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

INLINE mask has_turned(const bri_lane_pack *k, int i, int c) {
    return at_most(load(k->way[c] + i) * load(k->v_end[c] + i), splat(0.0));
}

INLINE mask is_made(const bri_lane_pack *k, int i) {
    vec outcome = load(k->outcome + i);
    return either(equal(outcome, splat(BRI_LANE_MADE)), equal(outcome, splat(BRI_LANE_TURNED)));
}

#endif
