/* unseen.h - when a step is looked at closer, for one run (unseen.c) and for several at once
 * (kernels/lanes.c). */
#ifndef BRI_UNSEEN_H
#define BRI_UNSEEN_H

/* A step may come to rest from this many of the speeds over which the friction curve falls, else it
 * ends at a speed between the other two. */
static const double NEAR_REST = 2.0, SLOW_LEAST = 0.3, SLOW_MOST = 1.0;

/* Outside of a range of speeds the law still changes: a Stribeck curve has a tail. Its width is
 * looked at, and what comes of it by doubling it so often. */
enum { TAIL_DOUBLINGS = 3 };

/* A step is cut where a contact turns; if that is before this share of it, most of its stages have
 * seen what does not happen, and it is made again; not if it turns at once, as near rest. */
static const double EARLY_TURN = 0.25, LEAST_TURN = 0.02;

/* A share of a step that is none: a turn at its very start; and a speed, beside that at the end of
 * a step, of a contact that has just left rest and is looked at from JUST_BEGUN on. */
static const double AT_ONCE = 1e-3, JUST_BEGUN = 1.0 / 16.0;

#endif
