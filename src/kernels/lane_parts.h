/* lane_parts.h - what lanes.c and lane_loops.h share: vectors of lanes. All functions are inlined
 * into callers where the number of bodies is a constant; there are as many contacts. */
#ifndef BRI_LANE_PARTS_H
#define BRI_LANE_PARTS_H

#include "lanes.h"
#include "vecmath.h"

#define EACH(i) for (int i = 0; i < BRI_LANES; i += WIDTH)
#define UNROLL  _Pragma("GCC unroll 9")

/* What contact c has of the velocities v of the bodies. */
INLINE vec between(const bri_lane_pack *k, int bodies, int c, const vec *v) {
    if (bodies == 1) return v[0];
    vec sum = splat(k->sides[c][0]) * v[0];
    UNROLL for (int b = 1; b < bodies; b++) sum = muladd(splat(k->sides[c][b]), v[b], sum);
    return sum;
}

/* The time since when what changes with it is given. */
INLINE vec time_since(const bri_lane_pack *k, int i) {
    return k->timed ? load(k->t + i) - load(k->since + i) : splat(0.0);
}

/* The velocity of what contact c slides on, beside those of the bodies, s after that time. */
INLINE vec far_at(const bri_lane_pack *k, int i, int c, vec s) {
    vec far = load(k->far[c] + i);
    return k->timed ? muladd(load(k->far_by[c] + i), s, far) : far;
}

/* A state of a contact, among those of all. */
#define STATE(c, s) ((c)*states + (s))

INLINE void eliminate(const bri_lane_pack *k, int i, int bodies, int states, const vec *b, vec *u) {
    const bri_lane_inverse *n = &k->inverse;
    const vec *b_v = b + bodies, *b_z = b + 2 * bodies;
    vec e = load(n->e + i), *u_v = u + bodies;
    UNROLL for (int r = 0; r < bodies; r++) {
        vec sum = load(n->by_v[r][0] + i) * b_v[0];
        UNROLL for (int j = 1; j < bodies; j++) sum = muladd(load(n->by_v[r][j] + i), b_v[j], sum);
        UNROLL for (int j = 0; j < bodies; j++) {
            UNROLL for (int s = 0; s < states; s++) sum =
                muladd(load(n->by_z[r][STATE(j, s)] + i), b_z[STATE(j, s)], sum);
            sum = muladd(load(n->by_x[r][j] + i), b[j], sum);
        }
        u_v[r] = sum;
        u[r] = (b[r] + sum) * e;
    }
    UNROLL for (int c = 0; c < bodies; c++) UNROLL for (int s = 0; s < states; s++) {
        int z = STATE(c, s);
        vec own = load(n->per_S[z][0] + i) * b_z[STATE(c, 0)];
        if (states == 2) own = muladd(load(n->per_S[z][1] + i), b_z[STATE(c, 1)], own);
        u[2 * bodies + z] = muladd(load(n->gain[z] + i), between(k, bodies, c, u_v), own);
    }
}

/* dv/dt and the others at y and the time s, from the forces and rates of the contacts. */
INLINE void rates(const bri_lane_pack *k, int i, int bodies, int states, vec s, const vec *y,
                  const vec *F, const vec *dz, vec *f) {
    vec against[BRI_LANE_BODIES];
    UNROLL for (int c = 0; c < bodies; c++) against[c] = -F[c];
    UNROLL for (int b = 0; b < bodies; b++) {
        vec force = load(k->force[b] + i);
        if (k->timed) force = muladd(load(k->force_by[b] + i), s, force);
        UNROLL for (int j = 0; j < bodies; j++) force =
            muladd(-load(k->stiffness[b][j] + i), y[j], force);
        if (k->damped)
            UNROLL for (int j = 0; j < bodies; j++) force =
                muladd(-load(k->damping[b][j] + i), y[bodies + j], force);
        UNROLL for (int c = 0; c < bodies; c++) force =
            bodies == 1 ? force + against[c] : muladd(splat(k->sides[c][b]), against[c], force);
        f[b] = y[bodies + b];
        f[bodies + b] = force * load(k->per_mass[b] + i);
    }
    UNROLL for (int z = 0; z < bodies * states; z++) f[2 * bodies + z] = dz[z];
}

/* What rates change by time alone is added to the right-hand side of a stage. */
INLINE void add_drift(const bri_lane_pack *k, int i, int bodies, int states, vec h, int stage,
                      vec *b) {
    if (!k->timed) return;
    vec by = h * k->method->d[stage];
    UNROLL for (int n = 0; n < bodies; n++) b[bodies + n] =
        muladd(by, load(k->drift_v[n] + i), b[bodies + n]);
    UNROLL for (int z = 0; z < bodies * states; z++) b[2 * bodies + z] =
        muladd(by, load(k->drift_z[z] + i), b[2 * bodies + z]);
}

/* A polynomial over the step, by its first coefficient, at a share of it. */
INLINE vec course_at(const double *course, int i, vec u) {
    vec sum = load(course + 4 * BRI_LANES + i);
    UNROLL for (int j = 3; j >= 0; j--) sum = muladd(sum, u, load(course + j * BRI_LANES + i));
    return sum;
}

#endif
