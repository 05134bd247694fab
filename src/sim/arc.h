/* arc.h - a step in closed form: a body swings freely while friction is affine in its velocity,
 *
 *     m x'' + d x' + k x = f + g t,
 *
 * from the state (x, v) at the time `from`. */
#ifndef BRI_ARC_H
#define BRI_ARC_H

/* s seconds after `from`:
 *     x = x_0 + drift s + settled (1 - e^(-decay s) cos w s) + b e^(-decay s) sin w s,
 *     v = drift + e^(-decay s) (p cos w s + q sin w s);
 * the contact's force is level + slope times its sliding velocity. */
typedef struct sim_arc {
    double from, x, drift, settled, decay, w, b, p, q;
    double level, slope;
    int on; /* nonzero: it is the last step */
} sim_arc;

/* Integrals over time of 1, position, velocity and its square. */
typedef struct sim_sums {
    double time, x, v, vv;
} sim_sums;

/* Position and velocity on an arc. */
void sim_arc_at(const sim_arc *arc, double t, double y[2]);

/* The integrals from its start to the time t. */
void sim_arc_sums(const sim_arc *arc, double t, sim_sums *to);

/* Seconds from its start until the velocity, counted in the direction `way`, is smallest. */
double sim_arc_slowest(const sim_arc *arc, double way);

/* The largest speed between two times, as seen from a frame that moves at a velocity. */
double sim_arc_fastest(const sim_arc *arc, double frame, double from, double to);

/* The time up to `last` at which what moves at first in the direction `way`, as seen from the
 * frame, comes to rest; INFINITY: it does not. The speed is smallest the first time: the swing does
 * not grow. */
double sim_arc_rest(const sim_arc *arc, double way, double frame, double last);

#endif
