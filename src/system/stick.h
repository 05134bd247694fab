/* stick.h - contacts that stick exactly: groups of bodies that move as one, the forces that hold
 * them together, and the decision which contacts stick.
 *
 * A set-valued contact slides (mode BRI_SLIDE_POS or _NEG) or sticks (BRI_STUCK). While it sticks
 * it is held: it ties its bodies together and its force balances them; or it is at its limit: the
 * force is the static level while other contacts keep the bodies together. */
#ifndef BRI_STICK_H
#define BRI_STICK_H

#include "network.h"

enum { STICK_EVENTS = 2, STICK_SMOOTH = 3, STICK_BAND = 2 };

/* Energy that a change of modes turns into heat, and the work that it takes [J]. */
typedef struct stick_loss {
    double heat, work;
} stick_loss;

/* Form groups from the contacts that are held. */
void stick_group(network *net);

/* Forces of the contacts that are held, from the balance of each body; those of smallest norm where
 * redundant contacts leave a choice. For the state last evaluated. */
void stick_forces(network *net);

/* Static level of a contact against motion that way; 0 counts as forward. */
double stick_static_level(const touch *c, double way);

/* Level of sliding that begins that way. */
double stick_sliding_level(const touch *c, int way);

/* Nonzero if a set-valued contact moves so slowly, at the state last placed, that it may stick. */
int stick_is_still(const network *net, const touch *c);

/* Decide together which of the contacts that may stick do, and which way the others slide, at
 * (t, y): those that may stick have the mode BRI_STUCK before. at_limit, if not NULL, marks
 * contacts whose static level has just been reached. Velocities of contacts that begin to stick are
 * made equal, momentum being kept. */
void stick_decide(network *net, double t, double *y, const char *at_limit, stick_loss *loss);

/* Contact i, which is still, sticks whatever is decided, its force beyond the level or not. */
void stick_hold(network *net, double t, double *y, int i, stick_loss *loss);

/* Event functions of a set-valued contact, positive until the event, at the state last evaluated;
 * and values that do not bend at an event, with their sizes, by which a step is judged. Number
 * STICK_BAND is the velocity within a band, its size the width. */
void stick_events(const network *net, const touch *c, double g[STICK_EVENTS]);
void stick_smooth(const network *net, const touch *c, double value[STICK_SMOOTH],
                  double size[STICK_SMOOTH]);

/* How far below zero an event function may be by rounding. */
double stick_slack(const network *net, const touch *c, int event);

/* Event function number `event` of contact i has reached zero at (t, y). */
void stick_happen(network *net, double t, double *y, int i, int event, char *at_limit,
                  stick_loss *loss);

/* Two prescribed motions that drift apart while contacts hold the bodies between them: decide which
 * contacts give way, from the accelerations at the time `later`. Returns nonzero if there are. */
int stick_torn(const network *net);
void stick_tear(network *net, double t, double later, double *y, stick_loss *loss);

/* Contacts that slide and have left the band around zero are marked so. */
void stick_note(network *net);

/* Put bodies that stick exactly where they belong: on a prescribed motion, or on the leader of
 * their group; at the time last placed. */
void stick_follow(network *net, double *y);

#endif
