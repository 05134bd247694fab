/* sim.h - a simulation: where network and solver meet. */
#ifndef BRI_SIM_H
#define BRI_SIM_H

#include "arc.h"
#include "fail.h"
#include "solvers/solver.h"
#include "system/network.h"
#include "system/stepping.h"
#include "system/stick.h"

struct tangent;

/* How a contact moves during a step. */
typedef struct modes {
    bri_mode mode;
    int limit, edge, left, lifted;
} modes;

/* Where the two sides of a contact are; touches are far apart in memory. */
typedef struct pair {
    int a, b, exact; /* coordinates; exact: the law says itself whether it slides */
} pair;

/* A switch of a function, or the lift-off of a contact under a load function: its side is frozen
 * during a step, which ends where it changes. See switches.c. */
typedef struct toggle {
    formula *f;
    int k;        /* of its switches */
    touch *lift;  /* the contact; NULL: a switch of the function */
    double since; /* from when its changes are counted */
    int changes;  /* since then */
    double rest;  /* until when it is left free: it changes too often */
    double tried; /* start of the step in which both sides were tried */
} toggle;

/* What has been done in the network for the present state; 0: nothing. */
enum { PLACED = 1, EVALUATED };

struct bri_sim {
    /* what a reset keeps; the rest is made anew from it */
    bri_sim_def def; /* the definition, in memory of its own: what addresses read and write */
    double *z_start; /* room for the start values of all contact states */
    arena own;       /* where that is */
    network *net;
    arena memory;       /* of all arrays below, and of the solver */
    const void *family; /* the simulation that it is a copy of, or itself */
    network *variants;  /* of numbers by which derivatives are taken, see tangent.h; or NULL */
    int n_variants;
    network *spare; /* one more set, for bri_sim_rhs_by; or NULL */

    const bri_solver *solver;
    stepper *s;
    struct tangent *tangent; /* derivatives of the run, or NULL */
    int stale;         /* nonzero: the definition has been changed since the network was built */
    int begun;         /* nonzero: a step has been made, or the state been set */
    double t, t_end;   /* present time, within the last step of the solver; end of the run */
    double kink;       /* next time at which the right-hand side jumps */
    double *y, *dy;    /* state at t, and room for rates */
    double *carried;   /* room for what outlives a change of the network, see change.c */
    double *g, *g_end; /* event functions at both ends of a step */
    double *v_from, *v_to; /* sliding velocities at both ends of a step */
    double *passed;        /* [5 per contact] and within it */
    double *root_size;     /* largest size of each event function of a law so far */
    double *sway;    /* of each contact: bound of the second derivative of prescribed velocities */
    double *courses; /* of all free velocities over the step, as of bri_solver */
    double course_t, course_h; /* and where it began, how long it was */
    double *bends;             /* bounds of their second derivatives by the share of the step */
    double *rates, *rates_by;  /* of all coordinates: accelerations where a step begins, and their
                                  rates; NAN: not known */
    double *gain;              /* of each free body: room for its change of velocity */
    double ahead;              /* time up to which these bounds, and the longest step, are known */
    const motion **moved_by; /* of the coordinates that are not free: their motion, if it varies */
    int cornered;            /* nonzero: laws or couplings have corners; 2: and loads vary */
    int curved;              /* nonzero: the force of a contact is a curve over its speed */
    struct sim_pieces {
        double t;
        unsigned long long links, all; /* see sim_corner_end(); all: 0, not asked for */
    } pieces_from, pieces_to;          /* on which everything is at both ends of a step */
    int follows;                   /* nonzero: the step begins where and as the last one ended */
    double corner_at;              /* start of a short step over a corner */
    double smooth_from, smooth_to; /* step in which no link has left its smooth piece; NAN: none */
    double corner_width;           /* half of its length */
    int looks;                     /* nonzero: steps are looked at for what they passed over */
    int *first;                    /* of each contact's event functions */
    int n_events;                  /* event functions in all */
    toggle *switches;              /* of functions; their event functions are the last */
    int n_switches;
    double pace;    /* longest step that sees the signals */
    double early;   /* by how much an event is taken that cannot be met, see bri_model */
    int law_events; /* nonzero: some law has event functions of its own */
    int own_roots;  /* nonzero: and it is not set-valued */
    int single;     /* nonzero: one degree of freedom and one contact, see single.c */
    int one_turn;   /* nonzero: the only one is the direction of a single contact */
    int phases;     /* nonzero: one that sticks exactly, see phases.c */
    int arcs;       /* nonzero: steps in closed form while it slides */
    sim_arc arc;
    modes *modes;       /* of the contacts during the last step */
    modes *kept_modes;  /* room for others */
    double *offset;     /* of coordinates from the leaders of their groups, during the last step */
    char *at_limit;     /* contacts whose static level has been reached */
    double *sampled;    /* event functions within a step, and what it is judged by */
    double stride;      /* largest step that the forces of stuck contacts allow */
    double window;      /* since when the events of each contact are counted */
    int *counts;        /* the events of each contact since then */
    int restless;       /* a contact with too many, or -1 */
    double span;        /* of the run */
    double rtol, atol;  /* tolerances, the second as a share of nominal sizes */
    int freezes;        /* nonzero: directions are frozen, and steps end where they turn */
    int *contact;       /* of each event function */
    const char **names; /* of the contacts */
    double heat, work, heat_prev, work_prev; /* integrals at the ends of the last step */
    double jump_work;                        /* of the last kink, if a leap has ended there */
    double start_energy;
    double turned, heated, regained, astray; /* see watch.c */
    long unseen;                             /* see bri_findings */
    long events, max_steps;
    long burst; /* events since time last moved on */
    int energies;
    double *y_end;        /* state at the end of the last step before something happened there */
    int jumped;           /* nonzero: something did */
    int continues;        /* nonzero: g_end belongs to the start of the next step */
    int undirected;       /* nonzero: some contact that could be frozen does not move yet */
    pair *pairs;          /* of the contacts */
    int *motions;         /* -1, 0, +1 of each contact at (t, y) */
    int shown;            /* PLACED or EVALUATED: the network is at (t, y) */
    double *force_before; /* of each contact, before an event */
    int *was;             /* -1, 0, +1 of each contact, as last reported by an event */
    bri_event *log;
    int log_count, log_room;
    long log_dropped;
};

/* ---- from the definition to the simulation: own.c, create.c, change.c ------------------------ */

/* Keep a copy of a definition that has been checked; 0: there is no memory. */
int sim_own(bri_sim *sim, const bri_sim_def *def);

/* Build network, arrays and solver from the definition that is kept, at its start; in the memory of
 * the time before, if there was one. */
bri_status sim_build(bri_sim *sim, bri_error *err);

/* The parts of it: the network alone, with what solver and exact stick add to it; then what the
 * simulation derives from the network. */
bri_status sim_build_network(bri_sim *sim, bri_error *err);
void sim_lay_out(bri_sim *sim);

/* Decide at the present state how contacts move, and begin again from there: at the start, and
 * where something has been changed from outside. */
void sim_settle(bri_sim *sim);

/* Make the integrator stand at the present time: what it has done beyond it is forgotten. */
void sim_stop_here(bri_sim *sim);

/* Renew what depends on numbers of the definition that have been changed: before anything is
 * computed. Nothing happens if none has. */
bri_status sim_renew(bri_sim *sim, bri_error *err);

/* The present state sim->y is a new one: go on from there, contacts decide anew. */
bri_status sim_go_on(bri_sim *sim, bri_error *err);

/* Before the network is evaluated elsewhere than the run does: with the modes of the present time,
 * and with signals that are looked up beyond the next kink. Returns what the second wants
 * afterwards: what is left in the network, and what the solver has linearised, belongs to the
 * solver's own state again. */
double sim_look_elsewhere(bri_sim *sim);
void sim_look_back(bri_sim *sim, double latest, int linearised);

/* BRI_BAD_VALUE for a solver that knows impulses only. */
bri_status sim_has_rates(const bri_sim *sim, bri_error *err);

/* Equal for definitions that differ in numbers only: shape.c. */
uint64_t sim_shape(const bri_sim *sim);

/* ---- numbers: address.c ---------------------------------------------------------------------- */

/* What bri_ref.section is. */
enum { SYSTEM, BODY, COUPLING, CONTACT, DRIVE, PARAMETER, SECTIONS };

/* A number of the definition, of one member of an array; NULL: there is none. */
double *sim_number(const bri_sim *sim, bri_ref ref, int member);

/* The signal that it is a parameter of, the first member's, and which; NULL: of none. */
const bri_signal *sim_number_of_signal(const bri_sim *sim, bri_ref ref, int *param);

/* BRI_OK if all members may have that value. */
bri_status sim_number_check(const bri_sim *sim, bri_ref ref, double value, bri_error *err);

/* Write it without a check, and without renewing anything. */
void sim_vary_number(bri_sim *sim, bri_ref ref, int member, double value);

/* Nonzero if it belongs to a contact whose states at the start are those of rest; with `let` they
 * are so from now on. */
int sim_rests(bri_sim *sim, bri_ref ref, int let);

/* ---- directions of contacts: directions.c -------------------------------------------------- */

/* Nonzero if anything can happen during a step. */
int sim_is_watched(const bri_sim *sim);

/* Freeze the direction of every contact whose law has a corner at v = 0: that of v or, where v is
 * zero, the one in which it is about to move. */
void sim_freeze(bri_sim *sim, double t, double *y);

/* A solver that leaps imposes the forces of set-valued contacts, and freezes no direction. */
void sim_hold_all(network *net);

/* Event functions, positive until the event: of a set-valued contact those of stick.c; of others
 * for a frozen direction the speed in it, then those of the law. */
void sim_event_functions(bri_sim *sim, double t, const double *y, double *g);

/* The one there is, if sim->one_turn. */
static inline double sim_one_turn(const bri_sim *sim, const double *y) {
    const touch *c = &sim->net->touches[0];
    return c->mode == BRI_AUTO ? 1.0 : (double)c->mode * single_sliding(sim->net, y);
}

/* -1, 0, +1 */
int sim_direction_of(const touch *c);

/* A direction was frozen at v = 0 and the contact went the other way: turn it, or let it free if
 * that has been tried. Returns nonzero if the step has to be made again. */
int sim_wrong_way(bri_sim *sim);

/* How the contact moves now. */
modes sim_mode_of(const touch *c);

/* Event functions at the start of a step: those at the end of the last, if nothing happened. */
void sim_start_functions(bri_sim *sim);

/* ---- switches of functions: switches.c ------------------------------------------------------ */

/* How many there can be, whatever the numbers; list them, and count their events. */
int sim_most_switches(const network *net);
void sim_list_switches(bri_sim *sim);

/* Their event functions at the state last evaluated, positive until one changes its side. */
void sim_switch_functions(const bri_sim *sim, double *g);

/* The switch that an event function belongs to, NULL if it is of a contact. */
toggle *sim_switch_of(const bri_sim *sim, int event);

/* Nonzero if the function differs between the two sides, at the arguments last evaluated. */
int sim_jumps(const toggle *w);

/* One has changed its side; BRI_NO_PROGRESS if it jumps back and forth. */
bri_status sim_switch(bri_sim *sim, toggle *w, bri_error *err);

/* Give those a side that had none, once they show one; nonzero if one does. *open: some are left
 * without. */
int sim_settle_switches(bri_sim *sim, int *open);

/* Turn those round that were not positive at the start of the step and are not so at its end;
 * nonzero if there are. */
int sim_wrong_sides(bri_sim *sim);

/* The longest step that sees what turns inside functions. */
double sim_function_pace(bri_sim *sim);

/* ---- what happens within a step: locate.c -------------------------------------------------- */

/* The contact that an event function belongs to, and whether it is that of its direction. */
int sim_contact_of(const bri_sim *sim, int event);
int sim_is_direction(const bri_sim *sim, int event);

/* State at a time within the last step, as it was before what happened at its end. */
void sim_interpolate(bri_sim *sim, double t, double *y);

/* State at a time within the last step, with bodies that stick exactly where they belong. */
void sim_state_at(bri_sim *sim, double t, double *y);

/* The same, with all coordinates of the network placed there. */
void sim_place_at(bri_sim *sim, double t);

/* Where a step is looked at: at POINTS places within it, and at its ends. */
enum { POINTS = 5 };
double sim_time_of(const stepper *s, int point);

/* Event functions at the places of the last step, and whether the forces of contacts that stick are
 * smooth enough over it to trust them in between: they depend on time in a way that the error of
 * the solver does not see. A cubic through four places has to meet the others. */
int sim_sample(bri_sim *sim, int *torn);

/* An event function that is not positive at the start of the step and falls below zero within it:
 * the event belongs to the start. -1 if there is none. */
int sim_late_event(const bri_sim *sim);

/* The zero of a function that falls from fa > 0 at a to fb <= 0 at b, on the far side of it and
 * within a width: regula falsi with the Illinois rule. locate.c */
typedef double sim_function(const void *self, double u);
double sim_falling_zero(sim_function *f, const void *self, double a, double fa, double b, double fb,
                        double width);

/* A time shortly after the start of the step at which an event function is positive that is not so
 * at the places looked at: the step is too long to see it. INFINITY if none is found. */
double sim_brief(bri_sim *sim, int event);

/* An event function that is positive at three places, but may dip below zero between them: the time
 * at which it does so, INFINITY if it does not; its value there in *low. */
double sim_dip(bri_sim *sim, int event, const double at[3], const double g[3], double *low);

/* The first event of the step: its number or -1, and its time. */
int sim_first_event(bri_sim *sim, double *when);

/* After a step that is as short as rounding allows: an event of a law that is as near; else -1. */
int sim_met_event(const bri_sim *sim);

/* The event was located on the dense output; end the step where the function itself is zero, by
 * corrections with the slope over the step's last part. */
bri_status sim_sharpen(bri_sim *sim, int event, bri_error *err);

/* ---- what a step may have passed over: unseen.c --------------------------------------------- */

/* Bounds of the signals for the next while, and the longest step that sees them. */
void sim_look_ahead(bri_sim *sim);

/* Sliding velocity of a contact in the direction `sign` over the share u of the last step, before
 * it is cut. With a solver that gives courses, after it has given those of all velocities. */
typedef struct sim_course {
    const network *net;
    double c[SOLVER_COURSE], sign, t, h;
    double bend; /* bound of the second derivative by u */
    const motion *moved[2];
    double lever[2]; /* of the contact's ends, behind gears */
} sim_course;

/* The polynomial over a step through values at its quarters. */
void sim_course_through(const double f[SOLVER_COURSE], double c[SOLVER_COURSE]);

sim_course sim_course_of(bri_sim *sim, int contact, double sign);
double sim_speed_at(const sim_course *c, double u);

/* Sliding velocities of all contacts at the state last placed. */
void sim_slidings(bri_sim *sim, double *v);

/* Where a step should have ended so as to see what happens in it, INFINITY if it may stay: a
 * contact that comes to rest must do so from speeds at which its Stribeck curve is seen; one that
 * turns twice, or falls into that range and leaves it, must be seen there. _along: by courses of
 * the velocities that have been found. */
double sim_better_end(bri_sim *sim);
double sim_better_end_along(bri_sim *sim);

/* Where the next step should end so that it does not have to be made again, as the last one lets
 * one expect: a contact turns early in it. INFINITY: as it is. */
double sim_foreseen_end(bri_sim *sim);

/* ---- along curves and over corners of laws: corners.c ---------------------------------------- */

/* Steps along the curve of a contact without direction: slower than `near`, by a change of more
 * than `along`; slows: nonzero if so is every step in which the speed halves. */
typedef struct sim_curve {
    double near, along;
    int slows;
} sim_curve;

sim_curve sim_curve_of(const touch *c);

/* Nonzero: the step runs along the curve of a law and misses it; never unless sim->curved. */
int sim_is_off_curve(bri_sim *sim);

/* Which laws and couplings have corners; after the network has been laid out. */
void sim_find_corners(bri_sim *sim);

/* The smooth pieces of all couplings at the ends of the last step, mixed: at its start they are
 * those at the end of the one before, if nothing happened in between. */
unsigned long long sim_pieces_from(bri_sim *sim);
unsigned long long sim_pieces_to(bri_sim *sim);

/* Where a step that passes over a corner should have ended, INFINITY if it may stay. */
double sim_corner_end(bri_sim *sim);

/* ---- events that happened: log.c ----------------------------------------------------------- */

/* Count the events of a contact, whether they change its mode or not. */
void sim_count_event(bri_sim *sim, int contact);

/* Nonzero if a contact has turned so often within a millionth of the run that its direction means
 * nothing: it is then left free until it moves in earnest. */
int sim_trembles(const bri_sim *sim, int contact);

/* Keep an event of a contact, if there is room. */
void sim_report(bri_sim *sim, int contact, int from, int to);

/* The forces of all contacts before something happens to them. */
void sim_keep_forces(bri_sim *sim);

/* Report every contact whose mode is not what it was. A contact that is not set-valued may lose its
 * direction where it stands still, and find it again: that is no event. */
void sim_report_changes(bri_sim *sim);

/* Exchange the present modes and those of the last step, if the present time lies in it: around
 * whatever is read there. */
void sim_exchange_modes(bri_sim *sim);

/* Heat and work up to the present time. */
void sim_account(bri_sim *sim, double *heat, double *work);

/* After a step whose heat and work have been added: keep what bri_sim_verdict() judges by.
 * y: a state of the step. */
void sim_watch(bri_sim *sim, const double *y);

/* Power of contacts that slide against the direction in which they are frozen, at the state last
 * evaluated. */
double sim_astray(const bri_sim *sim);

/* ---- one body on one contact that sticks exactly: phases.c ---------------------------------- */

/* A step to `stop` at most, up to where the contact breaks away or comes to rest: *event is that,
 * or -1. 0: nothing has been done, since something is not clear. */
int sim_phase_step(bri_sim *sim, double stop, int *event, bri_status *status, bri_error *err);

/* The force of the contact at the end of the last step. */
void sim_phase_force(bri_sim *sim);

/* Whether the contact, whose mode is BRI_STUCK where it does not move, sticks, and which way it
 * slides if not; broke: it has just reached its static level. As stick_decide(); 0: nothing has
 * been done, since it is not clear. */
int sim_phase_decide(bri_sim *sim, double t, double *y, int broke, stick_loss *loss);

/* Nonzero: while the contact slides there are steps in closed form. */
int sim_has_arcs(const bri_sim *sim);

/* ---- stepping: step.c ---------------------------------------------------------------------- */

/* A step of the solver to `end` at most, made again until nothing is passed over, with the sliding
 * velocity of the only contact at its end; for phases.c. */
bri_status sim_try_phase(bri_sim *sim, double end, bri_error *err);

/* Nonzero: the step that has just been cut, for the time `again`, should be made shorter; and how
 * long it is then. */
int sim_is_rough(const bri_sim *sim, int again);
static inline double sim_shorter(const stepper *s) { return 0.5 * (s->t - s->t_prev); }

/* What follows an event: a contact sticks or slides, the direction turns, the law jumps, or a
 * function changes over. */
bri_status sim_happen(bri_sim *sim, int event, bri_error *err);

/* A contact that is decided to slide where it cannot: its force is beyond the level by so little,
 * or for so short a time, that it does not get away. Nonzero: it sticks, until a step sees it
 * slide.
 */
int sim_hold_back(bri_sim *sim, int event);

/* Integrals over time. */
typedef struct powers {
    double heat, work, astray;
} powers;

/* Add those from a to b within the last step: Gauss's three points from one corner of the
 * couplings' forces to the next. powers.c */
void sim_add_powers(bri_sim *sim, double a, double b, powers *sum);

/* Heat and work of the last step, and what the run is judged by; cut: it was ended early, where its
 * dense output was read. powers.c */
void sim_add_energies(bri_sim *sim, int cut);

#endif
