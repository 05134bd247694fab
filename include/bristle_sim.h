/* bristle_sim.h - mechanical systems with friction: describe one with plain structs, then create,
 * advance, read, free. Conventions as in bristle.h; x is horizontal, z points up.
 *
 * A definition is only read during bri_sim_create, except the laws, the kinds of couplings and
 * signals, the points of tables and the data of functions, which must outlive the simulation. All
 * memory is taken there; nothing is allocated while advancing, but for some that CVODE and ARKODE
 * take of their own at their first steps. */
#ifndef BRISTLE_SIM_H
#define BRISTLE_SIM_H

#include "bristle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- signals: functions of time ----------------------------------------------------------- */

typedef struct bri_signal bri_signal;           /* a function of time */
typedef struct bri_signal_kind bri_signal_kind; /* its kind */

/* Room for the parameters of any kind of signal. */
enum {
    BRI_SIGNAL_PARAMS = 8, /* parameters p */
};

/* A signal: its kind, the parameters of the kind's table, and for `table` the points, for `sum` and
 * `product` the parts. */
struct bri_signal {
    const bri_signal_kind *kind; /* "sine" and so on, see bri_signal_find */
    double p[BRI_SIGNAL_PARAMS]; /* in the order of the kind's table */
    const double *t, *y;         /* table: times, strictly increasing, and values */
    const double *sum;       /* table: integral up to each point; NULL: added up at every call */
    const bri_signal *parts; /* sum, product: what is added or multiplied */
    int count;               /* of points or parts */
    const void *data;        /* of a kind of one's own; must outlive the simulation */
};

/* What a signal consists of: parameters alone, points, parts that have its unit, or a first part
 * that has it and factors. */
typedef enum bri_holds {
    BRI_ONLY_PARAMS, /* parameters */
    BRI_POINTS,      /* points t, y */
    BRI_PARTS,       /* parts of the same unit */
    BRI_FACTORS,     /* a first part with the unit, then plain factors */
} bri_holds;

/* A kind of signal, constant data. Units of the table: "=" stands for the unit of the signal. */
struct bri_signal_kind {
    const char *name;        /* "sine" */
    const char *text;        /* one line for listings */
    const bri_param *params; /* table of parameters */
    int n_params;            /* its rows */
    int closed;              /* nonzero: the integral is known in closed form */
    bri_holds holds;         /* what it consists of */

    /* The integral from 0 to t (if closed), the value, and its first two derivatives. At a kink the
     * values of the side after it. */
    void (*eval)(const bri_signal *s, double t, double out[4]);

    /* First time after t at which a value or derivative jumps; INFINITY if there is none. */
    double (*kink)(const bri_signal *s, double t);

    /* As eval, with 0 for the integral, where that saves time; NULL elsewhere. */
    void (*rates)(const bri_signal *s, double t, double out[4]);

    /* NULL if the parameters fit together, else what is wrong; NULL: they always do. */
    const char *(*check)(const double *p);

    /* Bounds of |value| and of the first three derivatives' sizes between two times without a kink
     * between them: how fast the signal can change, so that a solver steps over nothing. NULL: not
     * known, and a solver relies on its error control. */
    void (*most)(const bri_signal *s, double from, double to, double out[4]);
};

BRI_API int bri_signal_count(void);                               /* number of kinds */
BRI_API const bri_signal_kind *bri_signal_at(int i);              /* kind i, from 0 */
BRI_API const bri_signal_kind *bri_signal_find(const char *name); /* by name; NULL: none */

/* A signal of that kind with the defaults of its table. */
BRI_API bri_signal bri_signal_defaults(const bri_signal_kind *kind);

BRI_API bri_signal bri_signal_constant(double value);           /* a signal that is always that */
BRI_API double bri_signal_value(const bri_signal *s, double t); /* its value at time t [s] */

/* ---- bodies ------------------------------------------------------------------------------- */

/* In place of the index of a body. */
enum {
    BRI_GROUND = -1, /* the ground, which does not move */
};

/* How a body moves. */
typedef enum bri_body_kind {
    BRI_MASS,  /* slides along x: a block, a trolley on a rail at height z */
    BRI_ROTOR, /* turns about one axis: mass is its inertia, x its angle [rad] */
    BRI_POINT, /* a point mass in the plane, x and z free */
} bri_body_kind;

/* A body, moved by forces or as prescribed. */
typedef struct bri_body {
    const char *name;           /* for messages and columns; may be NULL */
    bri_body_kind kind;         /* how it moves */
    double mass;                /* [kg], rotors [kg m^2]; not used if the motion is prescribed */
    double x, v, z, vz;         /* positions and velocities at the start */
    const bri_signal *position; /* prescribed x(t), or NULL */
    const bri_signal *velocity; /* prescribed dx/dt from x at the start, or NULL */
} bri_body;

/* ---- functions of the motion --------------------------------------------------------------- */

/* Limits of a function. */
enum {
    BRI_FUNCTION_ARGS = 64,     /* arguments */
    BRI_FUNCTION_SWITCHES = 64, /* switches */
};

/* What an argument of a function is. */
typedef enum bri_arg_kind {
    BRI_ARG_TIME,        /* t [s] */
    BRI_ARG_SIGNAL,      /* a signal at t */
    BRI_ARG_SIGNAL_RATE, /* its first derivative */
    BRI_ARG_X,           /* position of a body, angle of a rotor */
    BRI_ARG_V,           /* its velocity */
    BRI_ARG_Z,           /* height of a body */
    BRI_ARG_VZ,          /* its vertical velocity */
    BRI_ARG_SLIDING_X,   /* relative displacement of a contact */
    BRI_ARG_SLIDING_V,   /* its relative velocity */
    BRI_ARG_LENGTH,      /* length of the coupling whose tension is the function */
    BRI_ARG_LENGTH_RATE, /* its rate of change */
    BRI_ARG_PARAMETER,   /* a parameter of the system; its slope may be left at 0 */
} bri_arg_kind;

/* An argument of a function. */
typedef struct bri_arg {
    bri_arg_kind kind;        /* what it is */
    int index;                /* of the body, contact or parameter */
    const bri_signal *signal; /* of BRI_ARG_SIGNAL and BRI_ARG_SIGNAL_RATE */
} bri_arg;

/* A force, load, tension or parameter as a function of time and motion. Where it has a corner or a
 * jump, a switch tells: a number g of the arguments that changes its sign there. Within a step all
 * sides are given from outside, and the function is smooth also past a switch; the step ends where
 * a switch changes its sign. */
typedef struct bri_function {
    const bri_arg *args; /* [n_args] */
    int n_args;          /* how many */
    const void *data;    /* handed to the functions below; must outlive the simulation */

    /* The value; slope[n_args], if not NULL, receives its derivatives. side[n_switches]: -1 or 1:
     * as if that switch had this sign; 0: as its sign is. */
    double (*eval)(const void *data, const double *arg, const double *side, double *slope);

    int n_switches; /* how many */

    /* The switches g[n_switches]; NULL if there are none. */
    void (*switches)(const void *data, const double *arg, double *g);

    /* How fast something inside turns that a step must not pass over, as the argument of a sine
     * [rad/s]; rate[n_args] are the rates of the arguments, 0 where not known. NULL: nothing does.
     */
    double (*pace)(const void *data, const double *arg, const double *rate);

    /* Nonzero: its derivatives depend on parameters alone, and it has no switches. They are asked
     * for once. */
    int affine;
} bri_function;

/* ---- couplings ---------------------------------------------------------------------------- */

/* Room for the parameters of any kind of coupling. */
enum {
    BRI_COUPLING_PARAMS = 8, /* parameters p */
};

typedef struct bri_coupling_kind bri_coupling_kind; /* spring, damper, rope, ... */

/* A force between two bodies. */
typedef struct bri_coupling {
    const char *name;              /* for messages and columns; may be NULL */
    const bri_coupling_kind *kind; /* see bri_coupling_find */
    int a, b;                      /* indices of bodies, or BRI_GROUND */
    double p[BRI_COUPLING_PARAMS]; /* in the order of the kind's table */
    const bri_function *tension;   /* of length, its rate, t and signals, instead of the kind's own;
                                      NULL: none */
} bri_coupling;

/* A kind of coupling, constant data. Along the line of the coupling, with length L (the difference
 * of the positions for one-axis bodies, the distance in the plane otherwise) and its rate L': */
struct bri_coupling_kind {
    const char *name;                      /* "spring" */
    const char *text;                      /* one line for listings */
    const bri_param *params;               /* table of parameters */
    int n_params;                          /* its rows */
    const char *(*check)(const double *p); /* NULL if p is fine; optional */

    /* Tension, pulling the ends together, and its derivatives in L and L'. */
    double (*tension)(const double *p, double L, double rate, double *by_L, double *by_rate);

    double (*energy)(const double *p, double L);                   /* stored [J]; NULL: none */
    double (*dissipation)(const double *p, double L, double rate); /* [W]; NULL: none */
    int linear; /* nonzero: the derivatives of the tension are constant */

    /* Which of its smooth pieces the tension is on, a number from 0 to 3: the account of energy is
     * integrated from one change to the next. NULL: there is only one. */
    int (*piece)(const double *p, double L, double rate);

    /* A gear: x of the second body over x of the first. The two move as one, with the inertia of
     * both. NULL: no gear. The first is a rotor, the second a rotor, or a mass if `rack`. */
    double (*ratio)(const double *p);
    int rack; /* nonzero: the second body of a gear slides */
};

BRI_API int bri_coupling_count(void);                                 /* number of kinds */
BRI_API const bri_coupling_kind *bri_coupling_at(int i);              /* kind i, from 0 */
BRI_API const bri_coupling_kind *bri_coupling_find(const char *name); /* by name; NULL: none */

/* A coupling of that kind between two bodies, with the defaults of its table. */
BRI_API bri_coupling bri_coupling_defaults(const bri_coupling_kind *kind, int a, int b);

/* ---- contacts and drives ------------------------------------------------------------------ */

/* Where the normal load of a contact comes from. */
typedef enum bri_load_kind {
    BRI_LOAD_CONSTANT, /* n */
    BRI_LOAD_SIGNAL,   /* n_of_t */
    BRI_LOAD_REACTION, /* from the balance normal to x: weight, couplings, contacts on top */
    BRI_LOAD_FUNCTION, /* n_by; no load where it is negative */
} bri_load_kind;

/* A parameter of a law that depends on time or motion; it is kept within its range. */
typedef struct bri_varying {
    int param;       /* its index */
    bri_function by; /* its value */
} bri_varying;

/* Friction between body a and body b (a lies on b); v is that of a relative to b. */
typedef struct bri_contact {
    const char *name;         /* for messages and columns; may be NULL */
    const bri_model *model;   /* the friction law */
    double p[BRI_MAX_PARAMS]; /* its parameters */
    int a, b;                 /* indices of bodies, or BRI_GROUND */
    bri_load_kind load;       /* where the normal load comes from */
    double n;                 /* constant load [N]; 1 for levels in newtons */
    int forces; /* nonzero: levels are in newtons, and have their names: Fc, not mu_c */
    const bri_signal *n_of_t; /* load signal */
    const double *z;          /* states at the start; NULL: at rest for long */
    const bri_function *n_by; /* load function */
    const bri_varying
        *varying;  /* [n_varying] parameters that are not constant; p has a value each */
    int n_varying; /* how many */
} bri_contact;

/* An applied force along x (a torque on a rotor), or along z for a point mass. */
typedef struct bri_drive {
    const char *name;       /* for messages; may be NULL */
    int body;               /* index of the body it acts on */
    int vertical;           /* nonzero: along z */
    bri_signal force;       /* [N], on a rotor [N m] */
    const bri_function *by; /* instead of the signal; NULL: none */
} bri_drive;

/* A number of a system that functions share, by its name. */
typedef struct bri_parameter {
    const char *name;  /* its address */
    const char *unit;  /* "N/m"; "1": none */
    const char *fixed; /* what else was made of it, so that it cannot be set; NULL: nothing */
    double value;      /* in that unit */
} bri_parameter;

/* A mechanical system. */
typedef struct bri_system {
    const bri_body *bodies;                          /* [n_bodies] */
    const bri_coupling *couplings;                   /* [n_couplings] */
    const bri_contact *contacts;                     /* [n_contacts] */
    const bri_drive *drives;                         /* [n_drives] */
    int n_bodies, n_couplings, n_contacts, n_drives; /* how many there are */
    double gravity;                                  /* [m/s^2], along -z */
    const bri_parameter *parameters;                 /* [n_parameters] of its functions */
    int n_parameters;                                /* how many */
} bri_system;

/* ---- simulation --------------------------------------------------------------------------- */

/* A time integrator, constant data. */
typedef struct bri_solver bri_solver;

BRI_API int bri_solver_count(void);                          /* number of solvers in this build */
BRI_API const bri_solver *bri_solver_at(int i);              /* solver i, from 0 */
BRI_API const bri_solver *bri_solver_find(const char *name); /* by name; NULL: none */
BRI_API const char *bri_solver_name(const bri_solver *s);    /* "rosenbrock" */
BRI_API const char *bri_solver_text(const bri_solver *s);    /* what it is, in one line */
BRI_API int bri_solver_fixed_step(const bri_solver *s);      /* nonzero: needs a step size */

/* The Debian package that would bring a solver of that name, which this build was made without;
 * NULL if the solver is there or no build has it. */
BRI_API const char *bri_solver_missing(const char *name);

/* What is simulated, and how. Begin with bri_sim_defaults. */
typedef struct bri_sim_def {
    bri_system system;        /* bodies, couplings, contacts, drives */
    const bri_solver *solver; /* NULL: rosenbrock */
    double t_start, t_end;    /* start and end [s]; advance may not pass t_end */
    double rtol;              /* relative tolerance */
    double atol;              /* absolute tolerance as a share of the nominal sizes; 0: rtol */
    double step;              /* fixed-step solvers: step size [s] */
    double max_step;          /* largest step [s]; 0: no limit */
    long max_steps;           /* give up after this many in all; 0: no limit */
    int energies;             /* nonzero: integrate dissipation and work as well */
    int event_room;           /* events kept until they are forgotten; 0: 1024, < 0: none */
    const char *const *by;    /* addresses of numbers by which the run is to be differentiated */
    int n_by;                 /* how many */
} bri_sim_def;

/* Counters since creation. */
typedef struct bri_stats {
    long steps;          /* accepted steps */
    long rejected;       /* steps tried again with a smaller size */
    long evals;          /* evaluations of the right-hand side */
    long jacobians;      /* Jacobians formed */
    long factorisations; /* matrices factorised */
    long events;         /* events at contacts */
    double t;            /* time reached by the integrator */
} bri_stats;

/* Energy account [J]. */
typedef struct bri_energies {
    double kinetic;    /* of the bodies, but for those of given motion and what is geared to them */
    double potential;  /* of couplings and gravity */
    double stored;     /* in bristles */
    double dissipated; /* turned into heat since the start */
    double work;       /* of drives and prescribed motions since the start */
    double residual;   /* kinetic + potential + stored + dissipated - work, less its start value */
} bri_energies;

typedef struct bri_sim bri_sim; /* a simulation; owns its memory */

/* A definition without a system: rosenbrock, 0 to 1 s, rtol 1e-6, energies on. */
BRI_API bri_sim_def bri_sim_defaults(void);

/* Check a definition and make a simulation of it, at its start. On failure *sim is NULL and err, if
 * not NULL, says why. */
BRI_API bri_status bri_sim_create(const bri_sim_def *def, bri_sim **sim, bri_error *err);

/* Advance to time t >= the present one. On failure the state of the last good step stays readable,
 * and err names the time, and the contact if one is to blame. */
BRI_API bri_status bri_sim_advance(bri_sim *sim, double t, bri_error *err);

/* Advance to the end of the integrator's present step, but not beyond t: for those who want to see
 * every step. Call it until bri_sim_time is t. */
BRI_API bri_status bri_sim_step(bri_sim *sim, double t, bri_error *err);

BRI_API double bri_sim_time(const bri_sim *sim);     /* the present time [s] */
BRI_API bri_stats bri_sim_stats(const bri_sim *sim); /* the counters */
BRI_API void bri_sim_free(bri_sim *sim);             /* free all it owns; NULL is allowed */

/* The path on which the run is computed, see docs/speed.md: "general", "single", "lugre", "packs",
 * "rows", "phases"; with the solver time_stepping its name. Points of a sweep may be computed in
 * lanes, see bri_sweep_lanes. BRISTLE_PATH in the environment asks for one: rigs that it does not
 * fit are computed in general. */
BRI_API const char *bri_sim_path(const bri_sim *sim);

/* Names and descriptions of what BRISTLE_PATH can be, the first for whatever is fastest; NULL:
 * there are no more. */
BRI_API const char *bri_path_name(int i);
BRI_API const char *bri_path_text(int i);

/* The largest speed that the definition mentions, of prescribed motions and at the start [m/s]; or
 * 0.01. */
BRI_API double bri_sim_speed(const bri_sim *sim);

/* What a body does at the present time. */
typedef struct bri_body_now {
    double x, v, z, vz; /* positions and velocities [m], [m/s]; z and vz of points */
} bri_body_now;

/* What a contact does at the present time. */
typedef struct bri_contact_now {
    double x, v;     /* relative displacement [m] and velocity [m/s] */
    double F;        /* friction force [N]; body a feels -F */
    double N;        /* normal load [N] */
    int motion;      /* -1, 0, +1: slides backward, sticks, slides forward */
    const double *z; /* internal states, valid until the next call */
    int n_states;    /* how many of them */
} bri_contact_now;

BRI_API bri_body_now bri_sim_body(bri_sim *sim, int i);       /* body i, now */
BRI_API bri_contact_now bri_sim_contact(bri_sim *sim, int i); /* contact i, now */
BRI_API double bri_sim_coupling_force(bri_sim *sim, int i);   /* tension of coupling i [N], now */
BRI_API bri_energies bri_sim_energies(bri_sim *sim);          /* energy account, now */

/* What a run has noticed of itself, if energies are on. */
typedef struct bri_findings {
    double turned;   /* energy turned over: the most kinetic energy, heat or work so far [J] */
    double residual; /* of the energy balance, now, as a share of it; NAN: energies are off */
    double regained; /* share of the heat of friction and dampers that came back as motion */
    double astray;   /* power of contacts that slid against the direction in which they were
                      * computed, over time, as a share of that energy */
    long unseen;     /* steps that may have passed over something although they were made again */
} bri_findings;

/* Whether the run so far can be trusted, by its own account: BRI_DOUBTFUL, and err says why, if its
 * energies miss each other by more than 0.1 % of the energy turned over (100 rtol at loose
 * tolerances, but no more than 1 %; with a fixed step 1 %), if friction has driven the bodies by
 * more than bristles can give back, or if contacts have turned without being seen. */
BRI_API bri_status bri_sim_verdict(bri_sim *sim, bri_findings *seen, bri_error *err);

/* What happened at a contact: it began to stick or to slide, turned round, or its law changed its
 * states by a jump (then from = to). Contacts whose law sticks exactly report every change; for
 * others a direction is one that the law distinguishes. */
typedef struct bri_event {
    double t;     /* when [s] */
    int contact;  /* its index */
    int from, to; /* modes before and after, -1, 0, +1: slides backward, sticks, slides forward */
    double F;     /* friction force just before [N] */
} bri_event;

/* The events up to the present time since creation, or since they were last forgotten, in the order
 * of time. Room for def.event_room of them is taken at creation; those that find no place are only
 * counted, in *dropped if it is not NULL. The pointer is valid until the next call that advances or
 * forgets. */
BRI_API const bri_event *bri_sim_events(const bri_sim *sim, int *count, long *dropped);

/* Empty the list: room for new ones. */
BRI_API void bri_sim_forget_events(bri_sim *sim);

/* How a contact slides at the present time. */
typedef struct bri_sliding {
    double x, v;       /* of the first body relative to the second [m], [m/s] */
    int before, after; /* -1, 0, +1: in the step that leads to the present time, and from it on */
} bri_sliding;

/* All contacts at once, without their forces: much cheaper than bri_sim_contact. Directions of laws
 * that stick exactly are exact, those of others are the signs of v. */
BRI_API void bri_sim_sliding(bri_sim *sim, bri_sliding *contacts);

/* The largest sliding speed [m/s] of each contact within the last step, up to the present time: it
 * may lie between its ends. */
BRI_API void bri_sim_fastest(bri_sim *sim, double *speeds);

/* How the linear systems are solved ("scalar", "dense", "banded", ...). */
BRI_API const char *bri_sim_linear_solver(const bri_sim *sim);

/* ---- a living simulation: addresses -------------------------------------------------------- */

/* Room for texts. */
enum {
    BRI_ADDRESS = 160, /* an address */
    BRI_UNIT = 48,     /* a unit */
};

/* One number of a simulation, or the same one of all members of an array: found once by its
 * address, read and written afterwards. It holds for every simulation of the same system. Begin
 * with {0} to go through all of them. */
typedef struct bri_ref {
    int section, element, item; /* which: of no meaning outside */
    int count;                  /* members of the array; 1: a single number */
} bri_ref;

/* Find a number by the name that it has in a scenario file and for --set: "pad.sigma0", "pad.Fc",
 * "pad.load", "pad.start.z", "block.mass", "block.x", "pull.stiffness", "belt.velocity",
 * "push.force.sine.amplitude", "gravity"; a parameter of the file by its name alone. A parameter of
 * a signal may be called by its last word if that says it, "push.amplitude"; parts of a sum have
 * numbers, "push.force.sum.1.sine.amplitude"; the name of an array stands for all its members.
 * BRI_NOT_FOUND, and err names the nearest. */
BRI_API bri_status bri_sim_find(const bri_sim *sim, const char *address, bri_ref *ref,
                                bri_error *err);

/* Go through all numbers: the next one after *ref, which begins as {0}; 0: there are no more. */
BRI_API int bri_sim_ref_next(const bri_sim *sim, bri_ref *ref);
BRI_API long bri_sim_ref_count(const bri_sim *sim); /* how many there are */

/* What is known of a number. */
typedef struct bri_number {
    char name[BRI_ADDRESS]; /* its address */
    char unit[BRI_UNIT];    /* "N/m"; "1": none */
    double value;           /* now; of an array that of the first member */
    double min, max;        /* its range */
    int whole;              /* nonzero: a whole number */
    int start;              /* nonzero: a start value, which a reset goes back to */
    const char *text;       /* what it is, in one line */
} bri_number;

BRI_API bri_number bri_sim_number(const bri_sim *sim, bri_ref ref); /* value NAN: no such number */
BRI_API double bri_sim_get(const bri_sim *sim, bri_ref ref);        /* the value alone */

/* Give a number another value, with the checks of a file. It takes effect from the present time on,
 * as if everything had jumped there: contacts decide anew whether they stick, bodies stay where
 * they are, and what the energy changes by counts as work. Start values take effect with the next
 * reset, or at once as long as the run has not begun. On failure nothing is changed. Nothing is
 * allocated. */
BRI_API bri_status bri_sim_set(bri_sim *sim, bri_ref ref, double value, bri_error *err);

/* Several at once, for those that must fit together, such as both levels of a law. */
BRI_API bri_status bri_sim_set_all(bri_sim *sim, const bri_ref *refs, const double *values,
                                   int count, bri_error *err);

/* Back to the start, with the numbers as they are now: the same bits as a simulation created anew
 * from such a definition. Nothing is allocated, except by solvers of SUNDIALS. */
BRI_API bri_status bri_sim_reset(bri_sim *sim, bri_error *err);

/* ---- a living simulation: within a loop of a host -------------------------------------------- */

/* Called for every event at a contact; the simulation is at its time: read it, or set numbers from
 * there on. Nonzero: stop here. */
typedef int bri_watcher(void *to, bri_sim *sim, const bri_event *event);

/* Advance to time t, and stop at every event on the way for `happened` (NULL: stop at the first).
 * bri_sim_time tells how far it came. Events that are kept for bri_sim_events stay there, those
 * that find no room are not told here either: forget them now and then. */
BRI_API bri_status bri_sim_watch(bri_sim *sim, double t, bri_watcher *happened, void *to,
                                 bri_error *err);

/* Let the run end later than it was to: for runs whose end is not known. t_end of the definition
 * stays the time over which the run is planned, and what a reset goes back to. */
BRI_API bri_status bri_sim_extend(bri_sim *sim, double t_end, bri_error *err);

/* ---- a living simulation: copies --------------------------------------------------------------
 */

/* Another simulation in the same condition, in the middle of its run or not: it goes on to the same
 * bits. Free it with bri_sim_free. BRI_BAD_VALUE for solvers of SUNDIALS once the run has begun. */
BRI_API bri_status bri_sim_copy(bri_sim *sim, bri_sim **copy, bri_error *err);

/* Bytes that bri_sim_save would write now, with the numbers that are set: ask before each save. 0:
 * a simulation with a solver of SUNDIALS cannot be saved. */
BRI_API size_t bri_sim_size(bri_sim *sim);

/* Write all of a simulation, also what is set, to that memory: it may be moved, and holds in this
 * process, as long as the simulation or one of its copies lives. */
BRI_API void bri_sim_save(bri_sim *sim, void *to);

/* Go back to what was saved from this simulation, one it is a copy of, or one of its copies: it
 * goes on to the same bits. BRI_BAD_VALUE, and nothing changed, if it was another one, if its bytes
 * have been changed since, or were written by another build of the library. */
BRI_API bri_status bri_sim_restore(bri_sim *sim, const void *from, bri_error *err);

/* Go on from what another simulation of the same definition has saved, also one of another process
 * that runs the same binary: size bytes, aligned as those of malloc. Laws, kinds, tables and data
 * of functions of the definition must be constant data of the program. BRI_BAD_VALUE, and nothing
 * changed, if the bytes have been changed or are of another definition or build. */
BRI_API bri_status bri_sim_revive(bri_sim *sim, const void *from, size_t size, bri_error *err);

/* ---- a living simulation: states and rates ----------------------------------------------------
 */

/* Number of states y: positions, velocities, then the states of the contacts. */
BRI_API int bri_sim_states(const bri_sim *sim);

/* Name of state k, "block.x", "block.v", "pad.z", in text of BRI_ADDRESS letters. */
BRI_API void bri_sim_state_name(const bri_sim *sim, int k, char *text);

BRI_API void bri_sim_state_get(bri_sim *sim, double *y); /* the states now, y[bri_sim_states] */

/* Go on from other states, at the present time; as for bri_sim_set. */
BRI_API bri_status bri_sim_state_set(bri_sim *sim, const double *y, bri_error *err);

/* Rates dy/dt at any t and y, with the numbers as they are now and every contact moving as it does
 * at the present time: a direction or exact stick that the law distinguishes stays. The run goes on
 * undisturbed, to the bit unless SUNDIALS makes it. BRI_BAD_VALUE for the solver time_stepping,
 * which knows impulses only. */
BRI_API bri_status bri_sim_rhs(bri_sim *sim, double t, const double *y, double *dy, bri_error *err);

/* Their derivatives in y: J[row * states + column]. */
BRI_API bri_status bri_sim_jacobian(bri_sim *sim, double t, const double *y, double *J,
                                    bri_error *err);

/* ---- a living simulation: time made by a host --------------------------------------------------
 */

/* Event functions for a host that integrates the rates itself: positive until a contact turns,
 * sticks or lets go, a law changes its states by a jump, or a function of the motion changes over.
 * Their number does not depend on parameters; those that cannot matter are 1. */
BRI_API int bri_sim_indicators(const bri_sim *sim);

/* Name of function k, "pad.event_reversal", in text of BRI_ADDRESS letters. */
BRI_API void bri_sim_indicator_name(const bri_sim *sim, int k, char *text);

/* Their values g[bri_sim_indicators] at any t and y, with every contact moving as it does at the
 * present time; as for bri_sim_rhs. */
BRI_API bri_status bri_sim_indicate(bri_sim *sim, double t, const double *y, double *g,
                                    bri_error *err);

/* The next time after the present one at which a signal has a kink or jumps; INFINITY: none. There
 * signals have the values of the side after it: ask for rates just before. */
BRI_API double bri_sim_next_kink(bri_sim *sim);

/* The host has come to t and y, where functions have passed zero or a signal has a kink: what is
 * due happens, contacts move another way from now on, and y may change, as where one sticks. */
BRI_API bri_status bri_sim_meet(bri_sim *sim, double t, double *y, bri_error *err);

/* A force that changes while the host integrates, "push.force", or a load that is a signal,
 * "pad.load.ramp.before": rates and event functions follow at once, contacts move as they do until
 * the host meets an event. A jump is one: bri_sim_set. BRI_BAD_VALUE for any other number. */
BRI_API bri_status bri_sim_apply(bri_sim *sim, bri_ref ref, double value, bri_error *err);

/* Go on from other states at another time; contacts decide anew how they move. */
BRI_API bri_status bri_sim_place(bri_sim *sim, double t, const double *y, bri_error *err);

/* Derivatives of the rates by a number, at any t and y; as for bri_sim_rhs. */
BRI_API bri_status bri_sim_rhs_by(bri_sim *sim, double t, const double *y, bri_ref ref, double *dy,
                                  bri_error *err);

/* ---- derivatives of a whole run ------------------------------------------------------------- */

/* Derivatives of the states at the present time by number k of def.by, dy[bri_sim_states]: of where
 * the run is at this time, through all its events, as long as these keep their order. They are
 * carried along with the steps of the run, which stay the same to the bit, and held to its
 * tolerance. Numbers cannot be set then but before the run begins. BRI_NO_PROGRESS: they are not
 * known so late, no step was short enough for them. */
BRI_API bri_status bri_sim_by(bri_sim *sim, int k, double *dy, bri_error *err);

/* What is differentiated of a contact. */
typedef struct bri_contact_by {
    double x, v; /* relative displacement [m] and velocity [m/s], per unit of the number */
    double F;    /* friction force [N], per unit of the number */
    double N;    /* normal load [N], per unit of the number */
} bri_contact_by;

/* The same of positions and velocities of body i, of contact i, and of the tension of coupling i;
 * NAN if there is no such number, or they are not known. */
BRI_API bri_body_now bri_sim_body_by(bri_sim *sim, int i, int k);
BRI_API bri_contact_by bri_sim_contact_by(bri_sim *sim, int i, int k);
BRI_API double bri_sim_coupling_force_by(bri_sim *sim, int i, int k);

/* Derivatives of what is shown, at any t and y, with every contact moving as it does at the present
 * time: where to put them; NULL: not wanted. */
typedef struct bri_shown {
    bri_body_now *bodies;     /* [bodies] */
    bri_contact_by *contacts; /* [contacts] */
    double *tensions;         /* [couplings] */
} bri_shown;

/* By a number; as for bri_sim_rhs. */
BRI_API bri_status bri_sim_shown_by(bri_sim *sim, double t, const double *y, bri_ref ref,
                                    bri_shown *out, bri_error *err);

/* Along directions of the states: out[k] along dy[k * bri_sim_states ...]. */
BRI_API bri_status bri_sim_shown_along(bri_sim *sim, double t, const double *y, const double *dy,
                                       int count, bri_shown *out, bri_error *err);

/* ---- slips: what a spring-block model calls earthquakes ------------------------------------- */

/* What is not known of a slip. */
enum {
    BRI_CUT_START = 1, /* its start: it went on when first looked at */
    BRI_CUT_END = 2,   /* its end: it still went on when last looked at */
};

/* Contacts that slide together, from rest to rest: a set connected in time and neighbourhood. Two
 * contacts are neighbours if they are on the same body or on two that a coupling joins; the ground
 * and bodies whose motion is prescribed do not join anything. */
typedef struct bri_slip {
    double start, end; /* [s] */
    double size;       /* distances slid, added up over the contacts [m] */
    double peak;       /* largest sliding speed [m/s] */
    int contacts;      /* that slid */
    int first;         /* the contact that began, the first in the list if several did */
    int cut;           /* what is not known: 0, BRI_CUT_START, BRI_CUT_END or both */
} bri_slip;

/* A finder of slips. */
typedef struct bri_slips bri_slips;

/* A finder for a system. Laws that stick exactly say whether they slide; contacts with other laws
 * slide from |v| >= speed [m/s] until |v| < speed/2. Memory is linear in the size of the system. */
BRI_API bri_status bri_slips_create(const bri_system *system, double speed, bri_slips **slips,
                                    bri_error *err);
BRI_API void bri_slips_free(bri_slips *slips); /* NULL is allowed */

/* Look at a simulation of the system at its present time: after every bri_sim_step, within which
 * slips may begin and end. */
BRI_API void bri_slips_look(bri_slips *slips, bri_sim *sim);

/* The same for motions from elsewhere: a contact slides if before or after is not 0. */
BRI_API void bri_slips_feed(bri_slips *slips, double t, const bri_sliding *contacts);

/* End the slips that still go on at the time last looked at, with BRI_CUT_END. */
BRI_API void bri_slips_stop(bri_slips *slips);

/* The slips that ended with the last look, feed or stop; valid until the next. */
BRI_API const bri_slip *bri_slips_ended(const bri_slips *slips, int *count);

#ifdef __cplusplus
}
#endif
#endif
