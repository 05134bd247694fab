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

/* What the accelerations along a step add up to, at Gauss's four points, is held against its change
 * of velocity: so many tolerances apart are too many along a curve, where the dense output is worse
 * than the step itself, and over a corner. A corner is passed in a step this much shorter, on
 * either side, than the one that found it. */
static const double gauss_4[4] = {0.069431844202973712, 0.33000947820757187, 0.66999052179242813,
                                  0.93056815579702629};
static const double gauss_4_weight[4] = {0.17392742256872692, 0.32607257743127307,
                                         0.32607257743127307, 0.17392742256872692};
static const double OFF_CURVE = 20.0, OFF_CORNER = 0.1, CORNER_WIDTH = 0.02;

/* The curve of a contact is passed where it comes near these speeds, or changes its own by more
 * than this share: powers of the speed are the steeper the nearer it comes to rest. */
static const double NEAR_CURVE = 2.0, ALONG = 0.3, SLOWED = 0.5;

#endif
