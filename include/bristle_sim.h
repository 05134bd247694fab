/* bristle_sim.h - mechanical systems with friction: describe one with plain structs, then create,
 * advance, read, free. Conventions as in bristle.h; x is horizontal, z points up.
 *
 * A definition is only read during bri_sim_create, except the laws and the tables of signals, which
 * must outlive the simulation. All memory is taken there; nothing is allocated while advancing. */
#ifndef BRISTLE_SIM_H
#define BRISTLE_SIM_H

#include "bristle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- signals: functions of time ----------------------------------------------------------- */

typedef struct bri_signal bri_signal;
typedef struct bri_signal_kind bri_signal_kind;

enum { BRI_SIGNAL_PARAMS = 8 };

/* A signal: its kind, the parameters of the kind's table, and for `table` the points, for `sum` and
 * `product` the parts. */
struct bri_signal {
    const bri_signal_kind *kind;
    double p[BRI_SIGNAL_PARAMS];
    const double *t, *y; /* table: times, strictly increasing, and values */
    const double *sum;   /* table: integral up to each point; NULL: added up at every call */
    const bri_signal *parts;
    int count; /* of points or parts */
};

/* What a signal consists of: parameters alone, points, parts that have its unit, or a first part
 * that has it and factors. */
typedef enum bri_holds { BRI_ONLY_PARAMS, BRI_POINTS, BRI_PARTS, BRI_FACTORS } bri_holds;

/* A kind of signal, constant data. Units of the table: "=" stands for the unit of the signal. */
struct bri_signal_kind {
    const char *name;
    const char *text;
    const bri_param *params;
    int n_params;
    int closed; /* nonzero: the integral is known in closed form */
    bri_holds holds;

    /* The integral from 0 to t (if closed), the value, and its first two derivatives. At a kink the
     * values of the side after it. */
    void (*eval)(const bri_signal *s, double t, double out[4]);

    /* First time after t at which a value or derivative jumps; INFINITY if there is none. */
    double (*kink)(const bri_signal *s, double t);
};

BRI_API int bri_signal_count(void);
BRI_API const bri_signal_kind *bri_signal_at(int i);
BRI_API const bri_signal_kind *bri_signal_find(const char *name);

/* A signal of that kind with the defaults of its table, and the constant one. */
BRI_API bri_signal bri_signal_defaults(const bri_signal_kind *kind);
BRI_API bri_signal bri_signal_constant(double value);
BRI_API double bri_signal_value(const bri_signal *s, double t);

/* ---- bodies ------------------------------------------------------------------------------- */

enum { BRI_GROUND = -1 }; /* as the index of a body */

typedef enum bri_body_kind {
    BRI_MASS,  /* slides along x: a block, a trolley on a rail at height z */
    BRI_ROTOR, /* turns about one axis: mass is its inertia, x its angle [rad] */
    BRI_POINT, /* a point mass in the plane, x and z free */
} bri_body_kind;

typedef struct bri_body {
    const char *name;
    bri_body_kind kind;
    double mass;                /* [kg], rotors [kg m^2]; not used if the motion is prescribed */
    double x, v, z, vz;         /* state at the start */
    const bri_signal *position; /* prescribed x(t), or NULL */
    const bri_signal *velocity; /* prescribed dx/dt from x at the start, or NULL */
} bri_body;

/* ---- couplings ---------------------------------------------------------------------------- */

enum { BRI_COUPLING_PARAMS = 8 };

typedef struct bri_coupling_kind bri_coupling_kind;

/* A force between two bodies. */
typedef struct bri_coupling {
    const char *name;
    const bri_coupling_kind *kind;
    int a, b; /* indices of bodies, or BRI_GROUND */
    double p[BRI_COUPLING_PARAMS];
} bri_coupling;

/* A kind of coupling, constant data. Along the line of the coupling, with length L (the difference
 * of the positions for one-axis bodies, the distance in the plane otherwise) and its rate L': */
struct bri_coupling_kind {
    const char *name; /* "spring" */
    const char *text;
    const bri_param *params;
    int n_params;
    const char *(*check)(const double *p); /* NULL if p is fine; optional */

    /* Tension, pulling the ends together, and its derivatives in L and L'. */
    double (*tension)(const double *p, double L, double rate, double *by_L, double *by_rate);

    double (*energy)(const double *p, double L);                   /* stored [J]; NULL: none */
    double (*dissipation)(const double *p, double L, double rate); /* [W]; NULL: none */
    int linear; /* nonzero: the derivatives of the tension are constant */
};

BRI_API int bri_coupling_count(void);
BRI_API const bri_coupling_kind *bri_coupling_at(int i);
BRI_API const bri_coupling_kind *bri_coupling_find(const char *name);

/* A coupling of that kind between two bodies, with the defaults of its table. */
BRI_API bri_coupling bri_coupling_defaults(const bri_coupling_kind *kind, int a, int b);

/* ---- contacts and drives ------------------------------------------------------------------ */

typedef enum bri_load_kind {
    BRI_LOAD_CONSTANT,
    BRI_LOAD_SIGNAL,
    BRI_LOAD_REACTION, /* from the balance normal to x: weight, couplings, contacts on top */
} bri_load_kind;

/* Friction between body a and body b (a lies on b); v is that of a relative to b. */
typedef struct bri_contact {
    const char *name;
    const bri_model *model;
    double p[BRI_MAX_PARAMS];
    int a, b;
    bri_load_kind load;
    double n;                 /* constant load [N]; 1 for levels in newtons */
    const bri_signal *n_of_t; /* load signal */
    const double *z;          /* states at the start; NULL: at rest for long */
} bri_contact;

/* An applied force along x (a torque on a rotor), or along z for a point mass. */
typedef struct bri_drive {
    const char *name;
    int body;
    int vertical; /* nonzero: along z */
    bri_signal force;
} bri_drive;

typedef struct bri_system {
    const bri_body *bodies;
    const bri_coupling *couplings;
    const bri_contact *contacts;
    const bri_drive *drives;
    int n_bodies, n_couplings, n_contacts, n_drives;
    double gravity; /* [m/s^2], along -z */
} bri_system;

/* ---- simulation --------------------------------------------------------------------------- */

/* A time integrator, constant data. */
typedef struct bri_solver bri_solver;

BRI_API int bri_solver_count(void);
BRI_API const bri_solver *bri_solver_at(int i);
BRI_API const bri_solver *bri_solver_find(const char *name);
/* The Debian package that would bring a solver of that name, which this build was made without;
 * NULL if the solver is there or no build has it. */
BRI_API const char *bri_solver_missing(const char *name);
BRI_API const char *bri_solver_name(const bri_solver *s);
BRI_API const char *bri_solver_text(const bri_solver *s);

typedef struct bri_sim_def {
    bri_system system;
    const bri_solver *solver; /* NULL: rosenbrock */
    double t_start, t_end;    /* [s]; advance may not pass t_end */
    double rtol;              /* relative tolerance */
    double atol;              /* absolute tolerance as a share of the nominal sizes; 0: rtol */
    double step;              /* fixed-step solvers: step size [s] */
    double max_step;          /* largest step [s]; 0: no limit */
    long max_steps;           /* give up after this many in all; 0: no limit */
    int energies;             /* nonzero: integrate dissipation and work as well */
    int event_room;           /* events kept until they are forgotten; 0: 1024, < 0: none */
} bri_sim_def;

/* Counters since creation. */
typedef struct bri_stats {
    long steps, rejected, evals, jacobians, factorisations, events;
    double t; /* time reached by the integrator */
} bri_stats;

/* Energy account [J]. */
typedef struct bri_energies {
    double kinetic, potential, stored; /* stored: in bristles */
    double dissipated, work;           /* since the start; work: of drives and prescribed motions */
    double residual; /* kinetic + potential + stored + dissipated - work, less its start value */
} bri_energies;

typedef struct bri_sim bri_sim;

/* rosenbrock, 0 to 1 s, rtol 1e-6, energies on. */
BRI_API bri_sim_def bri_sim_defaults(void);

/* On failure *sim is NULL and err, if not NULL, says why. */
BRI_API bri_status bri_sim_create(const bri_sim_def *def, bri_sim **sim, bri_error *err);

/* Advance to time t >= the present one. On failure the state of the last good step stays readable,
 * and err names the time, and the contact if one is to blame. */
BRI_API bri_status bri_sim_advance(bri_sim *sim, double t, bri_error *err);

/* Advance to the end of the integrator's present step, but not beyond t: for those who want to see
 * every step. Call it until bri_sim_time is t. */
BRI_API bri_status bri_sim_step(bri_sim *sim, double t, bri_error *err);

BRI_API double bri_sim_time(const bri_sim *sim);
/* The largest speed that the definition mentions, of prescribed motions and at the start [m/s]; or
 * 0.01. */
BRI_API double bri_sim_speed(const bri_sim *sim);
BRI_API bri_stats bri_sim_stats(const bri_sim *sim);
BRI_API void bri_sim_free(bri_sim *sim); /* NULL is allowed */

/* What a body, contact or coupling does at the present time. */
typedef struct bri_body_now {
    double x, v, z, vz;
} bri_body_now;

typedef struct bri_contact_now {
    double x, v, F, N;
    int motion;      /* -1, 0, +1 */
    const double *z; /* internal states, valid until the next call */
    int n_states;
} bri_contact_now;

BRI_API bri_body_now bri_sim_body(bri_sim *sim, int i);
BRI_API bri_contact_now bri_sim_contact(bri_sim *sim, int i);
BRI_API double bri_sim_coupling_force(bri_sim *sim, int i); /* tension [N] */
BRI_API bri_energies bri_sim_energies(bri_sim *sim);

/* What happened at a contact: it began to stick or to slide, turned round, or its law changed its
 * states by a jump (then from = to). Contacts whose law sticks exactly report every change; for
 * others a direction is one that the law distinguishes. */
typedef struct bri_event {
    double t;
    int contact;
    int from, to; /* -1, 0, +1: slides backward, sticks, slides forward */
    double F;     /* friction force just before [N] */
} bri_event;

/* The events up to the present time since creation, or since they were last forgotten, in the order
 * of time. Room for def.event_room of them is taken at creation; those that find no place are only
 * counted, in *dropped if it is not NULL. The pointer is valid until the next call that advances or
 * forgets. */
BRI_API const bri_event *bri_sim_events(const bri_sim *sim, int *count, long *dropped);
BRI_API void bri_sim_forget_events(bri_sim *sim);

/* How a contact slides at the present time. */
typedef struct bri_sliding {
    double x, v;       /* of the first body relative to the second [m], [m/s] */
    int before, after; /* -1, 0, +1: in the step that leads to the present time, and from it on */
} bri_sliding;

/* All contacts at once, without their forces: much cheaper than bri_sim_contact. Directions of laws
 * that stick exactly are exact, those of others are the signs of v. */
BRI_API void bri_sim_sliding(bri_sim *sim, bri_sliding *contacts);

/* How the linear systems are solved ("scalar", "dense", "banded", ...). */
BRI_API const char *bri_sim_linear_solver(const bri_sim *sim);

/* ---- slips: what a spring-block model calls earthquakes ------------------------------------- */

enum { BRI_CUT_START = 1, BRI_CUT_END = 2 };

/* Contacts that slide together, from rest to rest: a set connected in time and neighbourhood. Two
 * contacts are neighbours if they are on the same body or on two that a coupling joins; the ground
 * and bodies whose motion is prescribed do not join anything. */
typedef struct bri_slip {
    double start, end; /* [s] */
    double size;       /* distances slid, added up over the contacts [m] */
    double peak;       /* largest sliding speed at the times looked at [m/s] */
    int contacts;      /* that slid */
    int first;         /* the contact that began, the first in the list if several did */
    int cut; /* BRI_CUT_START: slid when first looked at; BRI_CUT_END: when last looked at */
} bri_slip;

typedef struct bri_slips bri_slips;

/* A finder of slips. Laws that stick exactly say whether they slide; contacts with other laws slide
 * from |v| >= speed [m/s] until |v| < speed/2. Memory is linear in the size of the system. */
BRI_API bri_status bri_slips_create(const bri_system *system, double speed, bri_slips **slips,
                                    bri_error *err);
BRI_API void bri_slips_free(bri_slips *slips); /* NULL is allowed */

/* Look at a simulation of the system at its present time: after every bri_sim_step. */
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
