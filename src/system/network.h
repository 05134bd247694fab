/* network.h - a system ready to be evaluated: right-hand side, linearisation, condensation.
 *
 * Unknowns y = (positions q, velocities v, contact states z). Every body has two coordinates, x and
 * z; those that can move are the degrees of freedom 0 ... n_free-1, all others (ground, rails,
 * prescribed motions) follow with indices from n_free on, so that elements need not know which is
 * which. */
#ifndef BRI_NETWORK_H
#define BRI_NETWORK_H

#include "arena.h"
#include "bristle_sim.h"
#include "formula.h"
#include "matrix.h"
#include "models/lugre.h"

/* A coupling between the coordinates (ax, az) and (bx, bz). */
typedef struct link {
    const bri_coupling_kind *kind;
    double p[BRI_COUPLING_PARAMS];
    int at[4];                     /* ax, bx, then az, bz if it lies in the plane */
    int width;                     /* 2 or 4 */
    double by_pos[16], by_vel[16]; /* d(force on at[i])/d(coordinate at[j]), row-major */
    long slot[16];                 /* where they go in the matrix, -1: nowhere */
    int live[16], n_live;          /* those that go somewhere */
    double *slot_by;               /* with gears: [16] times this; NULL: 1 */
    formula *by;                   /* its tension; NULL: that of its kind */
    int gear;                      /* of a gear, which pulls nothing: 1 + its place; else 0 */
    int moved;                     /* nonzero: the motion of an end is prescribed */
    int linear;                    /* nonzero: one axis, tension = rest + by_L L + by_rate L' */
    double rest, by_L, by_rate;
} link;

/* The derivative of a reaction load in one coordinate: minus an entry of a link, since the load
 * balances what pulls the body down. */
typedef struct load_term {
    int at;                /* the coordinate */
    int link, entry;       /* the link and the entry of its by_pos and by_vel */
    double by_pos, by_vel; /* that entry, as last linearised */
    double by;             /* by_vel + by_pos/w, as last factored */
    long slot_a, slot_b;   /* of (contact's a or b, at) in the matrix, -1: nowhere */
    double by_a, by_b;     /* with gears: times these; else 1 */
} load_term;

enum { TOUCH_ZONES = 6 };

/* A coordinate that follows another one, x = by x(to) + from. `to` follows none itself. */
typedef struct gear {
    int at, to;
    double by, from;
    double mass; /* of what follows */
} gear;

typedef struct gear_ends {
    int near, far;
} gear_ends;

/* A row of a link: the force on its coordinate at[row]. */
typedef struct link_row {
    int link, row;
} link_row;

/* A contact between the coordinates a and b. */
typedef struct touch {
    const bri_model *model;
    double p[BRI_MAX_PARAMS];
    int a, b;         /* coordinates */
    int first, count; /* its states in z */
    int n_roots;      /* event functions of the law that can matter */
    int early;        /* nonzero: they are taken before they are met, see bri_model */
    int corner;       /* nonzero: the law has a corner at v = 0, its direction is frozen */
    int cusp;         /* nonzero: and the slope of its force has no bound there */
    bri_mode mode;
    int trembles; /* nonzero: turns too often to be frozen, until it is as fast as v_size */
    /* what only a contact that sticks exactly has, see stick.h */
    int limit;     /* while it sticks: +-1 at its static level in that direction, 0: held */
    int edge;      /* while it sticks: +-1 kept on that edge of its band */
    int left;      /* while it slides: nonzero once it has left the band around zero */
    int lifted;    /* nonzero: there is no load */
    int reading;   /* of Karnopp's law, see karnopp.c; 0 for others */
    double band;   /* its half width */
    int unmoved;   /* nonzero: the motion of both bodies is prescribed */
    double knee;   /* velocity over which the force rises from rest; 0: none */
    double v_size; /* velocity over which the force changes */
    double bend;   /* velocity over which the Stribeck curve falls; INFINITY: there is none */
    double zone[TOUCH_ZONES]; /* speeds within which the law changes its course */
    int n_zones;
    bri_load_kind load;
    double n;       /* constant load */
    double n_least; /* a load that varies is none up to this; -INFINITY for set-valued laws */
    const bri_signal *n_of_t;
    int normal;            /* reaction: vertical coordinate of the body on top */
    int *above, n_above;   /* reaction: contacts that rest on that body, all earlier in the list */
    load_term *terms;      /* reaction: how it depends on the coordinates */
    int n_terms, n_moving; /* the first of them are of free coordinates */
    double n_known;        /* change of the load with the known part of the displacements */
    formula *load_by;      /* load function */
    double lift_side;      /* of a load function: 1 closed, -1 open, 0: as it is */
    vary *varies;          /* what depends on time or motion: parameters, load functions */
    int n_varies;
    link_row *pulls; /* reaction: vertical pulls of couplings that depend on time themselves */
    int n_pulls;
    double *jac; /* d(F, dz)/d(x, v, n, z) */
    double *lu;  /* factors of w I - d(dz)/dz, count x count */
    int *pivot;
    double *row;                   /* F_z (w I - J_zz)^-1 */
    double *gain;                  /* (w I - J_zz)^-1 (J_x, J_v, J_n), three columns */
    double x_gain, v_gain, n_gain; /* of F, with the states eliminated */
    long slot[4];                  /* (a,a) (a,b) (b,a) (b,b) */
    double *slot_by;               /* see link */
    double F, N;                   /* last evaluated */
} touch;

/* A body whose motion is prescribed. */
typedef struct motion {
    int at; /* coordinate */
    const bri_signal *signal;
    signal_line line;
    int order;   /* 0: the signal is the position, 1: the velocity */
    double from; /* position at time 0 that the integral is added to */
    int unseen;  /* a velocity that only contacts see: the position is set when it is shown */
    int idle;    /* and constant: set once */
} motion;

typedef struct push {
    int at;
    bri_signal force;
    formula *by;     /* instead of the signal; NULL: none */
    long *slot;      /* of (at, coordinate of the formula) */
    double *slot_by; /* see link */
} push;

/* A system with one degree of freedom and one contact, see single.c: all couplings together, while
 * nothing else moves, and (w I - J)^-1. */
enum { SINGLE_STATES = 2 }; /* of the contact, at most */

typedef struct single {
    bri_attempt *quick; /* steps of LuGre under a constant load; NULL: another law */
    lugre_fixed lugre;
    decay_place near; /* where its exponential was evaluated last */
    int far;          /* the other end of the contact */
    int alone;        /* nonzero: nothing depends on time, and no force drives it */
    double force, stiffness, damping;
    struct inverse {
        double per_w, by_v, by_x, by_z[SINGLE_STATES];
        double gain_x[SINGLE_STATES], gain_v[SINGLE_STATES];
        double per_S[SINGLE_STATES][SINGLE_STATES];
    } inverse;
} single;

/* Contacts with the same law and constant loads between consecutive coordinates, evaluated
 * together: contact first + i joins a + i step_a and b + i step_b; steps are 0 or 1. See runs.c. */
typedef struct touch_run {
    int count, first, a, b, step_a, step_b;
    int z, states; /* first state, states of one contact: 0 or 1 */
    int alone;     /* nonzero: b is one coordinate, and not free */
    bri_batch batch;
    double *v, *F, *v_size;
    double *J;                      /* derivatives, rows as of kernels.h */
    double *S, *row, *gain, *total; /* 1/(w - D_z), F_z S, D_v S, F_v + F_z gain */
    long slot;                      /* of (a, a) of the first, if the others follow; else -1 */
} touch_run;

/* Contacts of one law with one state each and constant loads, wherever they are, evaluated together
 * with frozen directions; arrays are filled up to whole vectors. See packs.c. */
typedef struct pack_at {
    int a, b, z; /* coordinates, state */
    touch *touch;
} pack_at;

typedef struct pack {
    int count, used, room; /* contacts, those with what fills up their vectors, length of a row */
    pack_at *at;
    bri_kernel *eval, *slopes;
    int exponent;
    double *p, *n, *v, *z, *way, *F, *dz;
    double *J;                      /* derivatives, rows as of kernels.h */
    double *S, *row, *gain, *total; /* as of a touch_run */
} pack;

/* What its law is asked at the velocities p->v and the states z. */
static inline bri_kernel_job packs_job(const pack *p, const double *z) {
    return (bri_kernel_job){.count = (size_t)p->used,
                            .stride = (size_t)p->room,
                            .p = p->p,
                            .v = p->v,
                            .n = p->n,
                            .z_in = z,
                            .dz = p->dz,
                            .F = p->F,
                            .M = p->J,
                            .way = p->way,
                            .own_params = 1,
                            .own_loads = 1,
                            .exponent = p->exponent};
}

/* A linear coupling that is in no run: what every stage needs of it, side by side. */
typedef struct bar {
    int a, b;
    double rest, k, c; /* tension rest + k (x_b - x_a) + c (v_b - v_a) */
} bar;

/* Coordinates and contacts up to which all pairs cost less than lists of those that are coupled, of
 * which each waits for the one before. */
enum { PACKS_FEW = 24 };

/* The directions of a pack are not those of a step that begins: they are to be set. */
enum { PACKS_ASK = -1 };

/* A network of bars and packs alone, as sim/pack_attempt.c goes through it: coordinates that are
 * free, filled up to whole vectors, then those of the others that something depends on. */
typedef struct packed {
    bri_attempt *attempt;
    const bri_pack_ends *ends_of;
    int free, held, states; /* room for coordinates, how many are not free, room for states */
    int n_bars, damped;
    int steady; /* nonzero: what is moved is so at constant velocities */
    int *place; /* [n_all] of each coordinate; -1: nothing depends on it */
    bar *bars;
    pack_at **at;           /* of each pack */
    int *open;              /* nonzero: some of its contacts have no direction; PACKS_ASK */
    double *mass, *weight;  /* of what is free */
    double *per_mass;       /* and its inverse */
    double *live;           /* 1 for what is free, 0 for what fills up the room */
    double *y, *ft, *Y, *U; /* rows of the solver */
    double *x, *X, *V, *f;  /* all coordinates */
    /* With few coordinates and one pack of few contacts, in rows as long as `free`: */
    int few;
    int row; /* contact i is that of coordinate i with this one, which is not free; -1: they are not
              */
    int n_shifts, n_columns; /* coordinate i is drawn by coordinates i + shift, and by columns */
    int *shift, *column, *term_of;
    double *k, *c; /* stiffness and damping of shifts, then of columns */
    int n_ends;    /* coordinates at which contacts are */
    int *end;
    double *ends;               /* +-1: the velocity of contact i by that of an end */
    double *forces;             /* +-1: what contact k does to coordinate i */
    double *v_size;             /* of contacts */
    double *real;               /* 1 for contacts, 0 for what fills up the room */
    int band;                   /* entries of the matrix are no farther from its diagonal */
    double *by_k, *by_c, *unit; /* its parts, by columns, and those of I */
    double *narrow; /* the same of its diagonal, by_k and by_c, and of what is next to it */
    double *inverse;
} packed;

struct rodas_step;

typedef struct network {
    int n_free, n_all, n_z, n; /* degrees of freedom, coordinates, contact states, unknowns */
    int n_links, n_touches, n_motions, n_pushes, n_driven;
    int autonomous; /* nonzero: the right-hand side does not depend on time */
    link *links;
    touch *touches;
    motion *motions;
    push *pushes;
    gear *gears;
    int n_gears;
    int *leads;      /* [bodies] the body that each follows, itself if none; NULL: no gears */
    double *ahead;   /* [bodies] and its velocity over that one's */
    gear_ends *tree; /* the ends of each gear, that towards the root first */
    int *way;        /* [n_all] the gear that leads towards the root; -1: none */
    int *root;       /* [n_all] the coordinate that each follows, itself if none; NULL: no gears */
    double *lever;   /* [n_all] and its velocity over that one's */
    formula *formulas; /* of all elements */
    int n_formulas;
    clocked *clocks; /* the signals that they depend on */
    double *now;     /* the time to which it was moved last, for them */
    int as_is;       /* nonzero: switches are not frozen, as when results are read */
    motion *driven;  /* free coordinates that follow a velocity signal without closed integral */
    /* What comes in long rows, see runs.c; the other couplings and contacts are in the lists. */
    bri_link_run *link_runs;
    touch_run *touch_runs;
    int n_link_runs, n_touch_runs;
    int apart; /* nonzero: they are not looked for, every element is in the lists */
    const struct network_path *wanted; /* what may be looked for, see path.h */
    int *odd_links, n_odd_links;
    pack *packs; /* of contacts that are in no run, see packs.c */
    int n_packs;
    packed *packed; /* NULL: there is more than those */
    bri_flat *flat; /* NULL, or how small linear systems are solved, see flat.c */
    bar *bars;      /* linear couplings in no run; the others are odd */
    int n_bars;
    int n_pieced;                      /* links whose tension is smooth in pieces only */
    double *by_mass, *by_vel, *by_pos; /* parts of the matrix that do not change, or NULL */
    const bri_sweeps *sweeps;
    double *per_mass;                 /* [n_free] its inverse; 0: driven */
    double *room_x, *room_v, *room_f; /* [n_all] for the solution of linear systems */
    double *mass;                     /* [n_free]; 0: driven */
    double *weight;                   /* [n_all] gravity */
    double *pos, *vel, *acc, *force;  /* [n_all] */
    double *spare;                    /* [n_z] */
    int *body_x, *body_z; /* coordinates of each body; both n_all - 1 are the ground's */
    double *nominal;      /* [n] sizes of the unknowns, as far as they have been reached */
    double *expected;     /* [n] the same as the definition lets one expect them */
    double *origin;       /* [n] where they started */
    matrix matrix;
    double per_w; /* 1/w */
    single single;
    double w;              /* 1/(h gamma) of the last factorisation */
    double speed;          /* the largest speed that the definition mentions */
    double moved;          /* time to which prescribed coordinates were moved last; NAN: none */
    double t_start, t_end; /* of the run */
    double pace;     /* time over which rates change after the next kink; 0: nothing special */
    double latest;   /* signals are not looked up beyond this time: the side before a kink */
    double earliest; /* nor before this one, the side after the last */
    /* contacts that stick exactly, see stick.h */
    int set_valued;     /* nonzero: some law is set-valued; what follows exists only then */
    int any_stuck;      /* nonzero: some contact sticks now */
    int unplaced;       /* nonzero: groups have changed since entries were placed in the matrix */
    int *leader;        /* [n_all] the coordinate with which it moves; itself if alone */
    double *group_mass; /* [n_all] of the group that a coordinate leads */
    double *offset;     /* [n_free] position relative to a leader that is not free */
    int *node, n_nodes; /* [n_free] place among the unknown potentials, -1: none */
    double *laplacian, *potential; /* [n_free^2], [n_all] */
    char *drifts;                  /* [n_all] the group it leads keeps its velocities */
    char *candidate;               /* [contacts] may stick */
    int *undecided;                /* [contacts] */
    double *level, *below, *trial; /* [contacts] static levels forward, backward; forces */
    double *loose, *rates;         /* [n_all], [n] */
    int *order, n_order;       /* contacts in no run, in the order in which their loads are found */
    struct stepping *stepping; /* NULL, or what the solver time_stepping works with */
    arena memory;
} network;

/* The coordinate that one follows through gears, and its velocity over that one's. */
static inline int network_root(const network *net, int at) {
    return net->root ? net->root[at] : at;
}
static inline double network_lever(const network *net, int at) {
    return net->root ? net->lever[at] : 1.0;
}

/* Acceleration of a coordinate at the rates dy. */
static inline double network_acceleration(const network *net, const double *dy, int at) {
    int root = network_root(net, at);
    return root < net->n_free ? network_lever(net, at) * dy[net->n_free + root] : net->acc[at];
}

/* Put every element's entries where they belong in the matrix, for the present groups; when they
 * change it is enough to say so by `unplaced`, until the next matrix is factored. */
void network_place_slots(network *net);

/* Nonzero if the motion of a body is prescribed. */
static inline int body_prescribed(const bri_body *b) { return b->position || b->velocity; }

static inline int body_is_rotor(const bri_system *s, int i) {
    return i != BRI_GROUND && s->bodies[i].kind == BRI_ROTOR;
}

/* Parts of building a network: whether the definition makes sense, sizes of the unknowns and
 * corners of the laws. Loads: 0 if contacts rest on each other. */
bri_status network_check(const bri_system *s, bri_error *err);
void network_set_sizes(network *net, const bri_system *s, double t_start, double t_end);
/* Errors are measured by what the unknowns have reached, up to what was expected of them: a rig
 * that only ever moves within its bristles is computed as well as one that slides. */
void network_begin_sizes(network *net, const double *y, double atol);
void network_reach(network *net, const double *y);
int network_find_loads(network *net, const bri_system *s);
/* Gears: coordinates that follow others; functions of elements. BRI_OK, or why not. */
bri_status network_find_gears(network *net, const bri_system *s, bri_error *err);
void network_set_gears(network *net, const bri_system *s, double t);
/* Put what follows where it belongs; add forces on it to those on what it follows; spread what
 * those do. */
static inline void network_follow_gears(network *net) {
    for (int i = 0; i < net->n_gears; i++) {
        const gear *g = &net->gears[i];
        net->pos[g->at] = g->by * net->pos[g->to] + g->from;
        net->vel[g->at] = g->by * net->vel[g->to];
        net->acc[g->at] = g->by * net->acc[g->to];
    }
}

static inline void network_fold(const network *net, double *force) {
    for (int i = 0; i < net->n_gears; i++)
        force[net->gears[i].to] += net->gears[i].by * force[net->gears[i].at];
}

static inline void network_unfold(const network *net, double *x) {
    for (int i = 0; i < net->n_gears; i++)
        x[net->gears[i].at] = net->gears[i].by * x[net->gears[i].to];
}

/* Force that a gear puts on its second body, at the state last shown. */
double network_gear_force(const network *net, const link *l);
/* Keep the sizes of velocities below that of a contact. */
void network_bound_speed(const network *net, const touch *c, double v, double *size);
void network_find_formulas(network *net, const bri_system *s);
/* Parameters that vary, at the coordinates as placed; with the derivatives of their formulas. */
void touch_vary(network *net, touch *c, int slopes);
/* Derivatives of what formulas change, whose own are known, at the state last evaluated. */
void network_linearise_formulas(network *net, const double *y);
/* Freeze the switches of all formulas on their present sides, at (t, y). */
void network_set_sides(network *net, double t, const double *y);
/* How fast something inside the formulas turns [rad/s], at (t, y). */
double network_pace(network *net, double t, const double *y);
void network_shape_matrix(network *net);

/* Long rows of equal elements: find them, then what they add to each step of the computation.
 * Nothing happens in a system that has none. */
void runs_find(network *net);
void runs_prepare(network *net);
void runs_forces(network *net, const double *y, double *dz);
void runs_held_forces(network *net);
void runs_linearise(network *net, const double *z);
void runs_time_derivative(network *net, double *force, double *ft_z);
void runs_sizes(const network *net, const double *y, double *size);
void runs_factor(network *net, double w);
/* Add what contacts with negative gains take from w M; 0 if a state grows faster than e^(w t). */
int runs_draw(const network *net, double w, double *left);
void runs_solve_down(network *net, const double *x, double *f, double *z);
void runs_solve_up(network *net, const double *dv, double *z);
/* The same for packs. Factor and draw: 0 if a state grows faster than e^(w t). */
void packs_find(network *net);
/* Nonzero if all contacts make one pack that is sooner evaluated than a row. */
int packs_suit(const network *net);
void packs_forces(network *net, const double *z, double *dz, int slopes);
void packs_time_derivative(const network *net, double *force, double *ft_z);
void packs_sizes(const network *net, double *size);
int packs_factor(network *net, double w);
int packs_draw(const network *net, double w, double *left);
void packs_down(const network *net, double *f, double *z);
void packs_up(const network *net, const double *dv, double *z);
void packs_show_jacobians(const network *net);
/* flat.c: whether a network is small and plain enough, and the memory; then, with the matrix at
 * hand that network_factor() puts together: what does not change, what a contact adds whose states
 * have been eliminated, by the inverse of w I - J_zz. */
int flat_suits(const network *net);
void flat_find(network *net);
void flat_begin(const network *net);
void flat_touch(const network *net, const touch *c, const double *inverse);
/* Lay out a network that has nothing else; after loads and couplings are known. */
void packs_lay_out(network *net);
/* touch_slopes_at_turn() of all that have turned; how many. */
int packs_slopes_at_turns(network *net, const double *y, int back);
/* Copy results to where those of single contacts are. */
void runs_show_forces(network *net);
void runs_show_jacobians(const network *net);

/* Build from a definition that has been checked, in the memory of the one before: net is zeroed, or
 * was built of a definition that differs in its numbers only. */
bri_status network_build(network *net, const bri_system *s, double t_start, double t_end,
                         bri_error *err);
/* Check a definition and build. */
bri_status network_create(const bri_system *s, double t_start, double t_end, network **net,
                          bri_error *err);
void network_free(network *net);

/* Take the memory for contacts that stick by modes, see stick.h: it grows with the square of the
 * number of bodies. Solvers that need it call this before the first evaluation. */
bri_status network_allow_stick(network *net, bri_error *err);

/* The time at which signals are looked up. */
static inline double network_clock(const network *net, double t) {
    return t > net->latest ? net->latest : t < net->earliest ? net->earliest : t;
}

/* Start values, and the velocities of driven coordinates after a kink. */
void network_start(const network *net, const bri_system *s, double t, double *y);
void network_kick(const network *net, double t, double *y);
double network_kink(network *net, double t);

/* Positions and velocities of all coordinates at (t, y); `idle` also those nothing depends on. */
void network_place(network *net, double t, const double *y);
void network_place_idle(network *net, double t);
void network_move(network *net, double t); /* the prescribed ones only */

/* What errors of the unknowns are measured by at the state last placed: velocities by the sliding
 * speeds of the contacts, which do not depend on the frame of reference. */
void network_sizes(const network *net, const double *y, double *size);

/* dy/dt. With rows of equal elements, coordinates and forces are not left in the network: who reads
 * them there calls network_forces or network_show. */
void network_rhs(network *net, double t, const double *y, double *dy);

/* The same, and every element is left with its force. */
void network_show(network *net, double t, const double *y, double *dy);

/* Place all coordinates and find the forces on each of them, also on those that are not free, and
 * the force and load of every contact; those that stick exactly are left out. */
void network_forces(network *net, double t, const double *y);

/* Linearise at (t, y) and give dy/dt there; ft receives df/dt at fixed y, if it is not NULL. */
void network_linearise(network *net, double t, const double *y, double *dy, double *ft);
/* df/dt at fixed y, after that: what the prescribed coordinates, drives and loads change per
 * second. t: as network_clock() has it. */
void network_time_derivative(network *net, double t, double *ft);
/* An attempt at a step, its error as in solvers/stages.h; only with net->packed. */
double network_attempt(void *net, struct rodas_step *s);

/* Prepare (w I - J) u = b and solve it in place. Factor returns 0 if something grows faster than
 * e^(w t), as a contact does that breaks away: an implicit step over more than the time of growth
 * would damp it, the body would stick for ever, and the error would not show. */
int network_factor(network *net, double w);
/* Nonzero if nothing grows faster than e^(w t) at the last linearisation. */
int network_sound(network *net, const double *y, double w);
void network_solve(network *net, double *b);

/* These functions for one degree of freedom and one contact, if the system is of that
 * kind.
 */
int network_is_single(network *net);
/* Nonzero if that contact sticks exactly and nothing it is made of changes with time: net->single
 * holds while it slides. */
int network_is_phased(network *net);
void single_sizes(const network *net, const double *y, double *size);
void single_rhs(network *net, double t, const double *y, double *dy);
void single_linearise(network *net, double t, const double *y, double *dy, double *ft);
int single_factor(network *net, double w);
int single_sound(network *net, const double *y, double w);
void single_solve(network *net, double *b);
/* network_power() */
void single_power(network *net, double t, const double *y, double *heat, double *work);
/* Sliding velocity of the contact, if nothing depends on time. */
static inline double single_sliding(const network *net, const double *y) {
    double v = y[1] - net->vel[net->single.far];
    return net->touches[0].a == 0 ? v : -v;
}

/* An attempt at a step of a Rosenbrock method for a law with at most two states, see
 * single_attempt.c: its error as in stages.h. */
double single_attempt(void *net, struct rodas_step *s);
/* Nonzero if the next attempt is that of lugre_attempt.c. */
int single_is_quick(void *net);

/* Hand every nonzero of the last linearisation, J[row][column] += value, to a function. */
void network_jacobian(const network *net, void (*put)(void *to, int row, int column, double value),
                      void *to);

/* Evaluate at (t, y): heat produced and work done on the system per second. */
void network_power(network *net, double t, const double *y, double *heat, double *work);
/* The same for forces and rates of the contact states that are known already. */
void network_powers(const network *net, double t, const double *y, const double *dz, double *heat,
                    double *work);
/* Power that a contact turns into heat, with its force and the rates of its states at hand. */
double network_heat(const network *net, const touch *c, const bri_input *u, const double *z,
                    const double *dz, double t);
/* On which of their smooth pieces the forces of all links are at (t, y): two such numbers are equal
 * if no link has changed over. Only to be called if net->n_pieced > 0. */
unsigned long long network_pieces(network *net, double t, const double *y);
/* Energy of the couplings at (t, y). */
double network_strain(network *net, double t, const double *y);
void network_energy(network *net, double t, const double *y, bri_energies *e);

/* Derivatives of the forces of a link; once for all if it is linear. */
void network_linearise_link(const network *net, link *l);

/* Length of a link, its rate and direction, as placed. */
typedef struct network_stretch {
    double L, rate, ex, ez, wx, wz; /* w: relative velocity of the ends */
} network_stretch;
network_stretch network_stretch_of(const network *net, const link *l);

/* Tension of a link at the last evaluated state. */
double network_link_force(network *net, int i);

/* A load that varies. Where it begins, the rate sigma0 |v|/g of a bristle is infinite and falls
 * like one over time: no step is short enough. With a least load it has an end. */
static inline double touch_load(const touch *c, double n) { return n > c->n_least ? n : 0.0; }

/* The first time after `from` and before `to` at which the load signal of a contact opens or closes
 * it, INFINITY if there is none; see lifts.c. There is no kink of the signal in between. *pace:
 * where it closes, the time in which the load doubles, else 0. */
double touch_next_lift(const touch *c, double from, double to, double *pace);

/* Relative motion of a contact at the last evaluated state. */
static inline bri_input touch_input(const network *net, const touch *c) {
    return (bri_input){.x = net->pos[c->a] - net->pos[c->b],
                       .v = net->vel[c->a] - net->vel[c->b],
                       .n = c->N,
                       .fa = c->mode != BRI_STUCK ? 0.0
                             : c->limit           ? 1e300 * c->limit
                                                  : c->F,
                       .mode = c->mode};
}

/* A frozen contact that has turned within the step, which will end where it does. */
static inline int touch_has_turned(const network *net, const touch *c) {
    return c->corner && c->mode != BRI_AUTO &&
           (double)c->mode * (net->vel[c->a] - net->vel[c->b]) < 0.0;
}

/* The slopes of a contact that has turned, at rest and in the direction in which it is loaded:
 * there it would break away, and its own direction, wrong by then, says nothing. With `back` as
 * they were. The force and the load are those at y. */
static inline void touch_slopes_at_turn(const network *net, touch *c, const double *y, int back) {
    bri_input u = touch_input(net, c);
    if (!back) {
        u.v = 0.0;
        u.mode = c->F > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
    }
    bri_model_jac(c->model, c->p, &u, y + 2 * net->n_free + c->first, c->jac);
}

/* Nonzero if the force of a contact follows from the balance of its bodies, which it ties together.
 */
static inline int touch_held(const touch *c) { return c->mode == BRI_STUCK && c->limit == 0; }

static inline double *touch_states(const network *net, const touch *c, double *y) {
    return y + 2 * net->n_free + c->first;
}

#endif
