/* stick.h - contacts that stick exactly: groups of bodies that move as one, the forces that hold
 * them together, and the decision which contacts stick. */
#ifndef BRI_STICK_H
#define BRI_STICK_H

#include "network.h"

/* Form groups from the contacts whose mode is BRI_STUCK. */
void stick_group(network *net);

/* Forces of the contacts that stick, from the balance of each body; those of smallest norm where
 * redundant contacts leave a choice. For the state last evaluated. */
void stick_forces(network *net);

/* Decide together which of the contacts whose velocity is zero stick and which way the others
 * slide, at (t, y): those that may stick have the mode BRI_STUCK before. must_slide, if not NULL,
 * marks contacts whose static limit has just been reached. Velocities of contacts that begin to
 * stick are made equal, momentum being kept. */
void stick_decide(network *net, double t, double *y, const char *must_slide);

/* Put bodies that stick to a prescribed motion exactly on it, at the time last placed. */
void stick_follow(network *net, double *y);

#endif
