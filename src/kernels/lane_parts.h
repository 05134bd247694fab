/* lane_parts.h - what lanes.c and lane_loops.h share: vectors of lanes. All functions are inlined
 * into callers where the number of bodies is a constant; there are as many contacts. */
#ifndef BRI_LANE_PARTS_H
#define BRI_LANE_PARTS_H

#include "lanes.h"
#include "vecmath.h"

/* Vectors up to the last lane that somebody is in. */
#define EACH(i) for (int i = 0; i < BRI_LANES && i < k->used; i += WIDTH)
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

/* (I/e - J) u = b with the forces F and rates dz of the contacts, which come last: everything waits
 * for them. */
INLINE void eliminate(const bri_lane_pack *k, int i, int bodies, int states, const vec *b,
                      const vec *F, const vec *dz, vec *u) {
    const bri_lane_inverse *n = &k->inverse;
    const vec *b_v = b + bodies, *b_z = b + 2 * bodies;
    vec e = load(n->e + i), *u_v = u + bodies, own[BRI_LANE_ALL_STATES];
    UNROLL for (int r = 0; r < bodies; r++) {
        vec sum = load(n->by_v[r][0] + i) * b_v[0];
        UNROLL for (int j = 1; j < bodies; j++) sum = muladd(load(n->by_v[r][j] + i), b_v[j], sum);
        UNROLL for (int j = 0; j < bodies; j++) sum = muladd(load(n->by_x[r][j] + i), b[j], sum);
        u_v[r] = sum;
    }
    UNROLL for (int z = 0; z < bodies * states; z++) {
        own[z] = b_z[z] + dz[z];
        UNROLL for (int r = 0; r < bodies; r++) u_v[r] =
            muladd(load(n->by_z[r][z] + i), own[z], u_v[r]);
    }
    UNROLL for (int r = 0; r < bodies; r++) {
        UNROLL for (int c = 0; c < bodies; c++) u_v[r] =
            muladd(load(n->by_F[r][c] + i), F[c], u_v[r]);
        u[r] = muladd(e, u_v[r], b[r] * e);
    }
    UNROLL for (int c = 0; c < bodies; c++) UNROLL for (int s = 0; s < states; s++) {
        int z = STATE(c, s);
        vec of = load(n->per_S[z][0] + i) * own[STATE(c, 0)];
        if (states == 2) of = muladd(load(n->per_S[z][1] + i), own[STATE(c, 1)], of);
        u[2 * bodies + z] = muladd(load(n->gain[z] + i), between(k, bodies, c, u_v), of);
    }
}

/* dx/dt and dv/dt at y and the time s without friction, added to b where there is one. */
INLINE void rates(const bri_lane_pack *k, int i, int bodies, vec s, const vec *y, const vec *b,
                  vec *f) {
    UNROLL for (int n = 0; n < bodies; n++) {
        vec force = load(k->force[n] + i), per_mass = load(k->per_mass[n] + i);
        if (k->timed) force = muladd(load(k->force_by[n] + i), s, force);
        UNROLL for (int j = 0; j < bodies; j++) force =
            muladd(-load(k->stiffness[n][j] + i), y[j], force);
        if (k->damped)
            UNROLL for (int j = 0; j < bodies; j++) force =
                muladd(-load(k->damping[n][j] + i), y[bodies + j], force);
        f[n] = b ? y[bodies + n] + b[n] : y[bodies + n];
        f[bodies + n] = b ? muladd(force, per_mass, b[bodies + n]) : force * per_mass;
    }
}

/* What the forces F of the contacts add to the rate of the velocity of a body. */
INLINE vec rubbed(const bri_lane_pack *k, int i, int bodies, int body, const vec *F) {
    vec sum = splat(0.0);
    UNROLL for (int c = 0; c < bodies; c++) sum =
        bodies == 1 ? -F[c] : muladd(splat(-k->sides[c][body]), F[c], sum);
    return sum * load(k->per_mass[body] + i);
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
