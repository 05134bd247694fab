/* lane_parts.h - what lanes.c and lane_loops.h share: vectors of lanes, as sim/single.h has them
 * for one run. */
#ifndef BRI_LANE_PARTS_H
#define BRI_LANE_PARTS_H

#include "lanes.h"
#include "vecmath.h"

#define EACH(i) for (int i = 0; i < BRI_LANES; i += WIDTH)
#define UNROLL  _Pragma("GCC unroll 8")

INLINE void eliminate(const bri_lane_inverse *n, int i, const vec *b, vec *u) {
    vec e = load(n->e + i);
    u[1] =
        muladd(load(n->by_x + i), b[0], muladd(load(n->by_z + i), b[2], load(n->by_v + i) * b[1]));
    u[0] = (b[0] + u[1]) * e;
    u[2] = muladd(load(n->gain + i), u[1], load(n->per_S + i) * b[2]);
}

/* dv/dt and the others, from the force and rate of the contact. */
INLINE void rates(const bri_lane_pack *k, int i, vec x, vec v, vec F, vec dz, vec *f) {
    vec force = muladd(-load(k->stiffness + i), x, load(k->force + i)) - load(k->damping + i) * v;
    f[0] = v;
    f[1] = (force - F) * load(k->per_mass + i);
    f[2] = dz;
}

INLINE vec course_at(const bri_lane_pack *k, int i, int which, double u) {
    vec sum = load(k->course[which][4] + i);
    UNROLL for (int j = 3; j >= 0; j--) sum = muladd(sum, splat(u), load(k->course[which][j] + i));
    return sum;
}

#endif
