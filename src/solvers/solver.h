/* solver.h - what a time integrator knows of its problem, and what it offers. Solvers know vectors,
 * not friction. */
#ifndef BRI_SOLVER_H
#define BRI_SOLVER_H

#include "arena.h"
#include "bristle_sim.h"

struct rodas_step;

enum { SOLVER_COURSE = 5 }; /* coefficients of a polynomial over a step */

/* Its value at the share u of the step. */
static inline double solver_course_at(const double c[SOLVER_COURSE], double u) {
    return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])));
}

/* Its Bernstein form: it lies between the least and the largest of b over the step, and turns no
 * more often than they do. */
static inline void solver_course_bernstein(const double c[SOLVER_COURSE], double b[SOLVER_COURSE]) {
    b[0] = c[0];
    b[1] = c[0] + c[1] / 4.0;
    b[2] = c[0] + c[1] / 2.0 + c[2] / 6.0;
    b[3] = c[0] + 3.0 * c[1] / 4.0 + c[2] / 2.0 + c[3] / 4.0;
    b[4] = c[0] + c[1] + c[2] + c[3] + c[4];
}

/* That of both halves of the step, by de Casteljau. */
static inline void solver_course_halves(const double b[SOLVER_COURSE], double left[SOLVER_COURSE],
                                        double right[SOLVER_COURSE]) {
    for (int k = 0; k < SOLVER_COURSE; k++) right[k] = b[k];
    left[0] = b[0];
    for (int k = 1; k < SOLVER_COURSE; k++) {
        for (int i = 0; i < SOLVER_COURSE - k; i++) right[i] = 0.5 * (right[i] + right[i + 1]);
        left[k] = right[0];
    }
}

/* dy/dt = f(t, y), with its linearisation kept inside the problem. */
typedef struct ode {
    void *self;
    int n;
    const double *nominal; /* sizes of the unknowns, which may grow */
    int autonomous;        /* nonzero: f does not depend on t */
    int swings; /* nonzero: more moves freely than turns, so that much of the motion is smooth */
    void (*rhs)(void *self, double t, const double *y, double *dy);
    /* What an error of each unknown is to be measured by at the state last evaluated. */
    void (*sizes)(void *self, const double *y, double *size);
    /* Linearise at (t, y), give f there, and df/dt if ft is not NULL. */
    void (*linearise)(void *self, double t, const double *y, double *dy, double *ft);
    /* Prepare (w I - J) u = b; 0 if something grows faster than e^(w t). Then solve in place. */
    int (*factor)(void *self, double w);
    void (*solve)(void *self, double *b);
    /* The same question at y, which is that of the last linearisation. */
    int (*sound)(void *self, const double *y, double w);
    /* NULL, or linearise, factor, all stages and the error in one piece, see stages.h; whether it
     * can do so now (NULL: always), and whether it has asked that question at the end of the step
     * itself. */
    double (*attempt)(void *self, struct rodas_step *s);
    int (*attempts)(void *self);
    int (*guarded)(void *self);
    /* Entries of J of the last linearisation. */
    void (*jacobian)(void *self, void (*put)(void *to, int row, int column, double value),
                     void *to);
    /* Steps of finite length, through stick and slip: begin at y, make a step, give the state at
     * the share u of it. NULL where the problem was not prepared for a solver that leaps. */
    void (*begin)(void *self, const double *y, double tolerance);
    bri_status (*leap)(void *self, double t, double h, long *sweeps, bri_error *err);
    void (*within)(void *self, double u, double *y);
} ode;

typedef struct solver_options {
    double rtol, atol; /* atol: a share of the nominal sizes */
    double step;       /* fixed step, or 0 */
    double max_step;   /* or 0 */
    double span;       /* length of the whole run [s], for the first step */
    int smooth;        /* nonzero: nothing grows by itself, as what falls with the speed does */
    int exact_cuts;    /* nonzero: a step that is cut is made again, not taken from between */
    arena *memory;     /* the solver's memory is taken from here */
} solver_options;

/* What every solver's memory begins with. */
typedef struct stepper {
    double t_prev, t; /* the last step led from t_prev to t */
    double *y;        /* state at t */
    double longest;   /* step that may be made now; INFINITY: any */
    double next;      /* length of the next one as it is meant to be; 0: not known */
    int worst;        /* the unknown that limits the step size, -1 if not known */
    double pace;      /* > 0 at a restart: the rates change over this time [s], and quickly */
    double cut_error; /* of the step last cut; above 1 it is not within the tolerance */
    long steps, rejected, evals, jacobians, factorisations;
} stepper;

struct bri_solver {
    const char *name;
    const char *text;
    int fixed_step; /* nonzero: needs a step size */
    int sticks;     /* nonzero: can be used with contacts that stick exactly */
    int leaps;      /* nonzero: stick and slip are found within the step, no event is located */
    int foreign;    /* nonzero: it keeps memory of its own besides that of the options */
    bri_status (*create)(const bri_solver *self, const ode *problem, const solver_options *options,
                         double t, const double *y, stepper **s, bri_error *err);
    /* One step, not beyond t_stop. BRI_NO_PROGRESS if no step can be made. */
    bri_status (*step)(stepper *s, double t_stop, bri_error *err);
    /* State at a time within the last step. */
    void (*interpolate)(stepper *s, double t, double *y);
    /* One unknown over the last step, as a polynomial of the share of the step, before it is cut;
     * NULL: whoever asks interpolates. */
    void (*course)(const stepper *s, int unknown, double c[SOLVER_COURSE]);
    /* The same for `count` unknowns from one on: coefficient k of the i-th in c[k count + i]. */
    void (*courses)(stepper *s, int first, int count, double *c);
    /* Shorten the last step so that it ends at t. */
    bri_status (*cut)(stepper *s, double t, bri_error *err);
    /* Take the last step back. */
    void (*undo)(stepper *s);
    /* The right-hand side or the state s->y has changed by a jump; with s->pace the next step is no
     * longer than that. */
    bri_status (*restart)(stepper *s, bri_error *err);
    void (*free)(stepper *s); /* NULL: all its memory is that of the options */
};

extern const bri_solver bri_rosenbrock, bri_rodas4, bri_rodas5p, bri_event_driven, bri_rk4,
    bri_time_stepping;
#ifdef BRI_HAVE_SUNDIALS
extern const bri_solver bri_cvode_bdf, bri_cvode_adams, bri_erk_dopri5, bri_erk_bs23;
#endif

#endif
