/* bristle.h - friction laws for mechanical systems that stick and slip.
 *
 * Units      SI. A rotary joint puts rad, rad/s and N m in the same places.
 * Sign       F is the resisting force: it has the sign of v in steady sliding. The body feels -F,
 *            its partner +F; v is the velocity of the body relative to its partner.
 * Load       Friction levels are coefficients times the normal load n >= 0. To work with levels in
 *            newtons, put the newtons in the level parameters and pass n = 1.
 * Lift-off   n = 0 is an open contact: F = 0 and the internal states relax.
 * Ownership  The caller owns every array it passes in; bristle keeps no pointer to it.
 * Failure    A call that can fail returns bri_status; evaluation cannot fail.
 * Threads    No call writes anything but what its arguments point to.
 */
#ifndef BRISTLE_H
#define BRISTLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef BRI_API
#if defined(__GNUC__)
#define BRI_API __attribute__((visibility("default")))
#else
#define BRI_API
#endif
#endif

/* ---- version and status ------------------------------------------------------------------ */

/* The version of these headers, one number each. */
#define BRI_VERSION_MAJOR 0
#define BRI_VERSION_MINOR 1
#define BRI_VERSION_PATCH 0

/* The version of the library at run time, "0.1.0". */
BRI_API const char *bri_version(void);

/* How a call ended. */
typedef enum bri_status {
    BRI_OK = 0,      /* done */
    BRI_NOT_FOUND,   /* no law, parameter or option of that name */
    BRI_BAD_VALUE,   /* a value is out of range, inconsistent or not a number */
    BRI_BAD_UNIT,    /* a unit is unknown or of the wrong dimension */
    BRI_BAD_FILE,    /* a file cannot be opened, written or understood */
    BRI_NO_MEMORY,   /* memory could not be had */
    BRI_NO_PROGRESS, /* a solver gave up before the requested time */
    BRI_MISSING,     /* an optional library or program is not there */
    BRI_DOUBTFUL,    /* a run reached its end, but contradicts itself */
    BRI_STATUS_COUNT /* number of them */
} bri_status;

/* What went wrong, for a human. Filled only when a call fails; pass NULL if you do not care. */
typedef struct bri_error {
    bri_status status; /* as the call returned it */
    int line;          /* line of the file concerned, 0 if there is none */
    char text[400];    /* e.g. "lugre: mu_s must be >= mu_c" */
} bri_error;

/* One line of English for a status. Never NULL. */
BRI_API const char *bri_status_text(bri_status status);

/* ---- friction laws ----------------------------------------------------------------------- */

/* No law has more parameters or states than these: arrays of that size hold those of any law. */
enum {
    BRI_MAX_PARAMS = 32, /* parameters p */
    BRI_MAX_STATES = 32, /* states z */
};

/* What a parameter means, whatever a law calls it: values go by role where one law takes the place
 * of another, and what is not given is derived by role. */
typedef enum bri_role {
    BRI_ROLE_NONE = 0,          /* none: no parameter of a law */
    BRI_ROLE_LEVEL,             /* friction in sliding */
    BRI_ROLE_STATIC_LEVEL,      /* friction at break-away */
    BRI_ROLE_SLOW_LEVEL,        /* level of a slow element, subtracted: makes the static peak */
    BRI_ROLE_DISTANCE_RATIO,    /* distance of its fast element over that of the slow one */
    BRI_ROLE_LEVEL_RATIO,       /* C with sliding over static level = sin(C pi/2) */
    BRI_ROLE_VISCOUS,           /* viscous coefficient, force per speed */
    BRI_ROLE_VISCOUS_PER_LOAD,  /* the same per unit of load */
    BRI_ROLE_VISCOUS_EXPONENT,  /* power of the speed in the viscous part */
    BRI_ROLE_STIFFNESS,         /* stiffness before it slides */
    BRI_ROLE_DEFLECTION,        /* length that, with the levels, sets that stiffness */
    BRI_ROLE_ELASTIC_LIMIT,     /* deflection up to which nothing slips */
    BRI_ROLE_DAMPING,           /* damping before it slides */
    BRI_ROLE_STRIBECK_SPEED,    /* speed over which friction falls; per speed: its inverse */
    BRI_ROLE_SLIDING_SPEED,     /* speed from which the sliding level holds */
    BRI_ROLE_STRIBECK_EXPONENT, /* shape of that fall */
    BRI_ROLE_SMOOTHING,         /* speed over which the sign of v is smoothed; or its inverse */
    BRI_ROLE_STICK_BAND,        /* speed below which the contact counts as stuck */
    BRI_ROLE_SIGN_BLEND,        /* tiny speed that makes sgn(v) continuous: numerical */
    BRI_ROLE_BRISTLE_EXPONENT,  /* shape of the pre-sliding curve */
    BRI_ROLE_SHAPE,             /* a number that shapes this law alone */
    BRI_ROLE_DWELL_TIME,        /* time in which static friction grows at rest */
    BRI_ROLE_LAG_TIME,          /* time by which friction lags behind the speed */
    BRI_ROLE_RELAXATION_TIME,   /* time in which a bristle relaxes while it slides */
    BRI_ROLE_NUMBER,            /* how many there are of something */
    BRI_ROLE_SEED,              /* of random numbers */
    BRI_ROLE_CHOICE,            /* which reading of the law */
    BRI_ROLE_NOISE_FORCE,       /* size of a random force */
    BRI_ROLE_NOISE_FREQUENCY,   /* its frequency */
    BRI_ROLE_NOISE_LENGTH,      /* its wavelength on the surface */
    BRI_ROLE_COUNT              /* number of them */
} bri_role;

/* Two or three words for a role, "static level", and what it means. Never NULL. */
BRI_API const char *bri_role_name(bri_role role);
BRI_API const char *bri_role_text(bri_role role);

/* One row of a parameter table. The same row drives defaults, range checks, command-line and
 * scenario keys, and the printed documentation. */
typedef struct bri_param {
    const char *name;  /* "mu_c" */
    const char *unit;  /* "m/s"; "1" if dimensionless */
    double def;        /* default, from a published parameter set */
    double min, max;   /* smallest and largest value accepted */
    const char *text;  /* "sliding friction coefficient" */
    const char *force; /* a level: its name when given in newtons, "Fc"; NULL otherwise */
    int whole;         /* nonzero: whole numbers only */
    bri_role role;     /* what it means in a law */
} bri_param;

/* One row of a state table. */
typedef struct bri_state {
    const char *name; /* "z" */
    const char *unit; /* "m" */
    double nominal;   /* order of magnitude: scales absolute tolerances and test samples */
    const char *text; /* "mean bristle deflection" */
    int even;         /* nonzero: keeps its sign when the motion is mirrored */
} bri_state;

/* How the contact moves, as a solver imposes it. BRI_AUTO reads it from v. With BRI_SLIDE_POS or
 * BRI_SLIDE_NEG the direction is frozen: |v| means +v or -v also just past a reversal, so that the
 * law stays smooth within a step. BRI_STUCK holds a set-valued law: it returns what balances fa. */
typedef enum bri_mode {
    BRI_SLIDE_NEG = -1, /* slides backward, v <= 0 */
    BRI_AUTO = 0,       /* whatever v says */
    BRI_SLIDE_POS = 1,  /* slides forward, v >= 0 */
    BRI_STUCK = 2       /* sticks, v = 0 */
} bri_mode;

/* What a contact sees at one instant. */
typedef struct bri_input {
    double x;  /* relative displacement [m] */
    double v;  /* relative velocity [m/s] */
    double n;  /* normal load [N]; n <= 0 is lift-off */
    double fa; /* tangential force that would hold v at zero [N]; read by set-valued laws only */
    bri_mode mode; /* direction that a solver imposes; BRI_AUTO if there is none */
} bri_input;

/* A friction law is constant data: fill one in and pass its address anywhere a bri_model is
 * accepted; it needs no registration. Call its functions through bri_model_eval() and its
 * companions below, which take care of lift-off and of everything that is optional. */
typedef struct bri_model bri_model;
struct bri_model {
    const char *name;      /* "lugre" */
    const char *title;     /* one line for listings */
    const char *equations; /* the law in ASCII, one equation per line */
    const char *limits;    /* what it cannot do, when to take another one */
    const char *cite;      /* where the equations come from */
    const char *defaults;  /* where the default parameters come from */
    double load;           /* normal load of the default parameters [N] */

    const bri_param *params; /* table of parameters; their values are passed as p */
    int n_params;            /* rows of that table */
    const bri_state *states; /* internal states z; NULL if there are none */
    int n_states;            /* rows of that table: the most the law can have */
    int step_order; /* order of step() in h, with v and n sampled at the middle of each step */
    int n_roots;    /* functions whose sign change is an event */
    int set_valued; /* nonzero: sticks exactly, the force at v = 0 is what balances fa */

    /* Number of states in use, where a parameter decides. Optional: all of them. */
    int (*count)(const bri_model *self, const double *p);

    /* Reject combinations the ranges cannot: NULL if p is fine, else the reason. Optional. */
    const char *(*check)(const bri_model *self, const double *p);

    /* States of a contact that has been at rest for long. Optional: zero. */
    void (*rest)(const bri_model *self, const double *p, double *z);

    /* Return F and write dz/dt. Pure, no allocation, no failure. Called with n > 0. */
    double (*eval)(const bri_model *self, const double *p, const bri_input *u, const double *z,
                   double *dz);

    /* Write d(F, dz/dt) / d(x, v, n, z), row-major, (1 + states) x (3 + states). Where a derivative
     * jumps, any value between the two sides. Called with n > 0. Optional: central differences. */
    void (*jac)(const bri_model *self, const double *p, const bri_input *u, const double *z,
                double *J);

    /* Advance z by h > 0 [s] with u held and return F at the end; stable for every h. Called with
     * n > 0. Optional: linearly implicit Euler, order 1. */
    double (*step)(const bri_model *self, const double *p, const bri_input *u, double h, double *z);

    /* The same step, and by_v receives the derivatives in v of F and of the states at its end; a
     * law without states gives its force. A step that is another than this one's wants another
     * slope, or NULL. Optional: bri_mass_step() finds its way without, by more steps. */
    double (*step_slope)(const bri_model *self, const double *p, const bri_input *u, double h,
                         double *z, double *by_v);

    /* Time constant [s] with which the states relax in the air, dz/dt = -z/lift (Rill (6)). NULL:
     * the law has no states, or its functions accept n = 0 themselves. */
    double (*lift)(const bri_model *self, const double *p);

    /* Elastic energy [J] kept in the states, and its gradient in z. Optional: the law has states
     * but no energy is defined for them (laws without states store none). */
    double (*stored)(const bri_model *self, const double *p, const bri_input *u, const double *z,
                     double *grad);

    /* -1, 0 or +1: slides backward, sticks, slides forward. For reports. Optional. */
    int (*motion)(const bri_model *self, const double *p, const bri_input *u, const double *z);

    /* Event functions g[n_roots], positive until the event. jump is called when one has reached
     * zero: it may change z and returns the mode that follows. Calling it twice is harmless. */
    void (*roots)(const bri_model *self, const double *p, const bri_input *u, const double *z,
                  double *g);
    bri_mode (*jump)(const bri_model *self, const double *p, const bri_input *u, double *z);

    /* Whether the event functions can matter with the parameters p: 0: they cannot; 1: they can; 2:
     * they can, and the rates jump there or have an infinite slope, so that a solver takes the
     * event early, by some of its tolerances: g is then relative, 1 far away. Optional: 1. */
    int (*eventful)(const bri_model *self, const double *p);

    /* What is allowed but against the advice of the law's authors: NULL if nothing is. Optional. */
    const char *(*advice)(const bri_model *self, const double *p);

    /* Write d(F, dz/dt) / dp, row-major, (1 + states) x n_params; 0 for parameters that are whole
     * numbers. Where a derivative jumps, any value between the two sides. Called with n > 0.
     * Optional: differences. */
    void (*params_jac)(const bri_model *self, const double *p, const bri_input *u, const double *z,
                       double *D);

    /* Which smooth piece of the law holds, a bit for each choice that its equations make: where one
     * changes, F or a rate may have a corner, and solvers look at the step closely. Called with
     * n > 0. Optional: there is one piece, but for a corner at v = 0 that mode freezes. */
    unsigned (*pieces)(const bri_model *self, const double *p, const bri_input *u, const double *z);

    /* Nonzero: while it slides in one direction under a constant load, F is affine in v and needs
     * nothing else, so that motion between linear couplings has a closed form. */
    int affine;
};

/* The laws that come with the library, in table order. */
BRI_API int bri_model_count(void);                            /* number of laws */
BRI_API const bri_model *bri_model_at(int i);                 /* law i, from 0 */
BRI_API const bri_model *bri_model_find(const char *name);    /* by name; NULL: there is none */
BRI_API const bri_model *bri_model_nearest(const char *name); /* the closest spelling */

/* Index of a parameter by its name, or by the name of its level in newtons; -1 if unknown. */
BRI_API int bri_model_param(const bri_model *m, const char *name);

/* Index of the first parameter of that role; -1 if the law has none. */
BRI_API int bri_model_role(const bri_model *m, bri_role role);

/* Number of states in use with the parameters p. */
BRI_API int bri_model_states(const bri_model *m, const double *p);

/* Fill p[m->n_params] with the defaults of the table. */
BRI_API void bri_model_defaults(const bri_model *m, double *p);

/* Fill z with the states of a contact that has been at rest for long. */
BRI_API void bri_model_rest(const bri_model *m, const double *p, double *z);

/* Check p against the ranges of the table and the law's own rule. err may be NULL. */
BRI_API bri_status bri_model_check(const bri_model *m, const double *p, bri_error *err);

/* What is allowed in p but against the advice of the law's authors; NULL if nothing is. */
BRI_API const char *bri_model_advice(const bri_model *m, const double *p);

/* Return the friction force [N]; write dz/dt to dz, which may be NULL if there are no states. */
BRI_API double bri_model_eval(const bri_model *m, const double *p, const bri_input *u,
                              const double *z, double *dz);

/* Write d(F, dz/dt) / d(x, v, n, z), row-major, (1 + k) x (3 + k) for k states in use. */
BRI_API void bri_model_jac(const bri_model *m, const double *p, const bri_input *u, const double *z,
                           double *J);

/* Write d(F, dz/dt) / dp, row-major, (1 + k) x n_params for k states in use: exact where the law
 * has equations, else by differences that are good to about nine digits. A parameter that is a
 * whole number has the derivative 0. */
BRI_API void bri_model_params_jac(const bri_model *m, const double *p, const bri_input *u,
                                  const double *z, double *D);

/* Advance z by h with u held; return F at the end [N]. Stable for every h >= 0. Give u the values
 * at the middle of the step for the order that m->step_order states. */
BRI_API double bri_model_step(const bri_model *m, const double *p, const bri_input *u, double h,
                              double *z);

/* A mass on a contact, for one step of a loop of one's own. */
typedef struct bri_push {
    double mass;  /* [kg], > 0; inertia of a rotor [kg m^2] */
    double force; /* all other forces along the contact [N], held over the step */
    double n;     /* normal load [N] */
} bri_push;

/* Advance a mass together with its contact by h > 0 [s]: mass dv/dt = force - F. Implicit in
 * velocity and states: stable for every mass and step, first order in h; set-valued laws stick
 * exactly, with v = 0. x and v are those of the mass relative to what it slides on, z the states of
 * the law. Returns the mean friction force of the step [N]; NAN, and nothing is changed, if mass or
 * h are not positive or a value is not finite. */
BRI_API double bri_mass_step(const bri_model *m, const double *p, const bri_push *on, double h,
                             double *x, double *v, double *z);

/* Energy kept in the contact [J] and power turned into heat [W]: F v = d(stored)/dt + dissipated.
 * Either pointer may be NULL. Returns 0, and writes nothing, if the law does not define them. */
BRI_API int bri_model_energy(const bri_model *m, const double *p, const bri_input *u,
                             const double *z, double *stored, double *dissipated);

/* -1, 0 or +1: the contact slides backward, sticks, slides forward. */
BRI_API int bri_model_motion(const bri_model *m, const double *p, const bri_input *u,
                             const double *z);

/* ---- a random force on top of any law ---------------------------------------------------- */

/* Friction with a random part, F = F_smooth + P (Andersson et al. 2007, eq. 21): pass &w.model
 * where a bri_model is wanted. Its parameters are those of the inner law, then A, f, lambda,
 * band, literal and noise_seed; its first state is the phase of the noise, the others are those of
 * the inner law. w must outlive its use and stay where it is. */
typedef struct bri_stochastic {
    bri_model model;                  /* the law with noise: pass its address */
    const bri_model *inner;           /* the law without */
    char name[64];                    /* "stochastic:lugre" */
    bri_param params[BRI_MAX_PARAMS]; /* table of the inner law, then that of the noise */
    bri_state states[BRI_MAX_STATES]; /* the phase, then those of the inner law */
} bri_stochastic;

/* Put noise on a law. BRI_BAD_VALUE if the inner law leaves no room for the parameters or the
 * state. */
BRI_API bri_status bri_stochastic_init(bri_stochastic *w, const bri_model *inner);

/* ---- friction that depends on the direction ---------------------------------------------- */

/* A law whose friction against sliding backward (v < 0) is `backward` times that forward: pass
 * &w.model where a bri_model is wanted. F = F_law where that is positive, backward F_law where it
 * is negative: levels, stiffness and damping alike; see docs/theory/direction.md. Its parameters
 * are those of the inner law, then backward (1: no difference); its states and its name are those
 * of the inner law. w must outlive its use and stay where it is; contacts of one law can share it.
 */
typedef struct bri_directed {
    bri_model model;                  /* the law with a direction: pass its address */
    const bri_model *inner;           /* the law without */
    bri_param params[BRI_MAX_PARAMS]; /* table of the inner law, then backward */
} bri_directed;

/* Give a law a direction. BRI_BAD_VALUE if the inner law leaves no room for the parameter. */
BRI_API bri_status bri_directed_init(bri_directed *w, const bri_model *inner);

/* ---- many contacts at once --------------------------------------------------------------- */

/* Instruction sets the array kernels are compiled for. BRI_LEVEL_LIBM is the plain loop over
 * bri_model_eval, the reference. BRI_LEVEL_AUTO takes the best one this machine has, or the one
 * named by the environment variable BRISTLE_LEVEL (libm, base, v3, v4). */
typedef enum bri_level {
    BRI_LEVEL_AUTO = 0, /* the best this machine has */
    BRI_LEVEL_LIBM,     /* plain loop, any machine */
    BRI_LEVEL_BASE,     /* 128-bit vectors, any machine */
    BRI_LEVEL_V3,       /* x86-64-v3: AVX2 and FMA */
    BRI_LEVEL_V4,       /* x86-64-v4: AVX-512 */
    BRI_LEVEL_COUNT     /* number of them */
} bri_level;

/* A set of contacts that share a law. Arrays are one value after the other: state j of contact i is
 * z[j * count + i], and so are the rates. */
typedef struct bri_batch {
    const bri_model *model; /* the law they share */
    size_t count;           /* contacts */
    const double *p;        /* parameters: p[j] for all contacts, or p[j * count + i] */
    const double *v;        /* relative velocities [count] */
    const double *n;        /* normal loads: n[0] for all contacts, or n[count] */
    int own_params;         /* nonzero: every contact has its own parameters */
    int own_loads;          /* nonzero: every contact has its own load */
    bri_level level;        /* instruction set; 0: the best */
} bri_batch;

/* Forces F[count] and rates dz[states * count] for the states z. dz may be NULL without states. */
BRI_API void bri_batch_eval(const bri_batch *b, const double *z, double *F, double *dz);

/* Advance z by h in place and write the forces at the end: bri_model_step for every contact. */
BRI_API void bri_batch_step(const bri_batch *b, double h, double *z, double *F);

/* Derivatives of F and of the rates in x, v, n and z: entry c of row r of the Jacobian of contact
 * i, as bri_model_jac writes it, is J[(r * (3 + states) + c) * count + i]. F and dz receive what
 * bri_batch_eval gives; both may be NULL. */
BRI_API void bri_batch_jac(const bri_batch *b, const double *z, double *F, double *dz, double *J);

/* The same in the parameters: D[(r * n_params + c) * count + i] as bri_model_params_jac. */
BRI_API void bri_batch_params_jac(const bri_batch *b, const double *z, double *F, double *dz,
                                  double *D);

/* Advance masses, each on a contact of its own, by h in place: bri_mass_step for every one of them,
 * many at a time where the law has vector kernels, to the same share of the forces. b->v is not
 * read; mass, force, x, v and F are arrays of b->count, F may be NULL. */
BRI_API void bri_mass_steps(const bri_batch *b, const double *mass, const double *force, double h,
                            double *x, double *v, double *z, double *F);

BRI_API bri_level bri_level_best(void);              /* what BRI_LEVEL_AUTO stands for here */
BRI_API int bri_level_usable(bri_level level);       /* nonzero: this machine can use it */
BRI_API const char *bri_level_name(bri_level level); /* "libm", "base", "v3", "v4" */

/* Nonzero if the law has vector kernels for these parameters at its level, else a plain loop runs.
 */
BRI_API int bri_batch_vectorised(const bri_batch *b);

#ifdef __cplusplus
}
#endif
#endif
