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

/* Of a contact: S = |I - e D_z|, its adjugate, the row F_z adj(S), and what of the force comes by
 * way of the states, F_z adj(S) D_v; see invert() of system/single.h. */
typedef struct through {
    vec S, adj[BRI_LANE_STATES][BRI_LANE_STATES], row[BRI_LANE_STATES], by_v;
} through;

INLINE through through_states(const double *slope, int i, int states, vec e) {
#define SLOPE(row, by) load(slope + BRI_LANES * bri_lane_slope(states, row, by) + i)
    through to = {.S = splat(1.0), .by_v = splat(0.0)};
    if (states == 1) {
        to.S = 1.0 - e * SLOPE(1, 1);
        to.adj[0][0] = splat(1.0);
        to.row[0] = SLOPE(0, 1);
        to.by_v = to.row[0] * SLOPE(1, 0);
    }
    if (states == 2) {
        to.adj[0][0] = 1.0 - e * SLOPE(2, 2);
        to.adj[1][1] = 1.0 - e * SLOPE(1, 1);
        to.adj[0][1] = e * SLOPE(1, 2);
        to.adj[1][0] = e * SLOPE(2, 1);
        to.S = to.adj[0][0] * to.adj[1][1] - to.adj[0][1] * to.adj[1][0];
        UNROLL for (int j = 0; j < 2; j++) {
            to.row[j] = SLOPE(0, 1) * to.adj[0][j] + SLOPE(0, 2) * to.adj[1][j];
            to.by_v = muladd(to.row[j], SLOPE(1 + j, 0), to.by_v);
        }
    }
    return to;
#undef SLOPE
}

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
INLINE mask condense(const bri_lane_pack *k, int i, int bodies, int states, int at_end, vec e,
                     condensed *m) {
    const bri_lane(*slope)[BRI_LANE_SLOPES] = at_end ? k->slope_end : k->slope;
    through by[BRI_LANE_BODIES];
    mask good = less(splat(-1.0), splat(0.0));
    UNROLL for (int c = 0; c < bodies; c++) {
        by[c] = through_states(slope[c][0], i, states, e);
        m->S[c] = by[c].S;
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
        vec F_v = load(slope[c][0] + i), gain = e * (F_v * m->S[c] + e * by[c].by_v);
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

/* Whose direction is not that of the velocity any more. */
INLINE mask has_turned(const bri_lane_pack *k, int i, int c) {
    if (!k->directed) return less(splat(0.0), splat(-1.0));
    return at_most(load(k->way[c] + i) * load(k->v_end[c] + i), splat(0.0));
}

INLINE mask is_made(const bri_lane_pack *k, int i) {
    vec outcome = load(k->outcome + i);
    return either(equal(outcome, splat(BRI_LANE_MADE)), equal(outcome, splat(BRI_LANE_TURNED)));
}

#endif
