/* problem.h - rigs written out by hand, as one would for a general ODE solver, and the drivers that
 * integrate them. They share nothing with the library, so that they can judge it. */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

enum { PROBLEM_STATES = 20, PROBLEM_STOPS = 64 };

typedef struct problem {
    int n;
    double t_end;
    int checks;                   /* outputs at t_end k/checks, k = 1 ... checks */
    int n_out;                    /* values per output */
    double scale[PROBLEM_STATES]; /* errors are measured by these */
    double atol[PROBLEM_STATES];  /* times rtol */
    double stop[PROBLEM_STOPS];   /* times at which the right-hand side has a kink */
    int n_stops;
    void (*start)(double *y);
    void (*rhs)(double t, const double *y, double *dy);
    void (*jac)(double t, const double *y, double *J); /* column-major */
    void (*out)(double t, const double *y, double *out);
} problem;

/* Block on a moving slab, spring to ground, LuGre: performance-notes.md section 2. */
extern const problem rabinowicz;
/* The same with other laws: Pennestri et al. 2016, eqs. (7) to (30), Rill et al. 2023, eqs. (21) to
 * (25). */
extern const problem rabinowicz_dahl, rabinowicz_elasto_plastic, rabinowicz_gonthier,
    rabinowicz_second_order;
/* Festoon cable system with second-order bristles: experiments.md section 2. */
extern const problem festoon;
/* Drive, spring, mass on a vibrating support, LuGre: experiments.md section 5. */
extern const problem leus;
/* Three stacked bodies with LuGre: experiments.md section 4. */
extern const problem three_dof;
/* Robot joint with gear, elastic shaft, PD control and LuGre in the motor's bearing. */
extern const problem joint;

typedef struct effort {
    long steps, evals;
} effort;

/* Integrate and write the outputs one after the other. 0 if the solver gave up. */
int peer_cvode_bdf(const problem *p, double rtol, double *out, effort *e);
int peer_arkode_dopri5(const problem *p, double rtol, double *out, effort *e);
int peer_rk4(const problem *p, double step, double *out, effort *e);
/* Our Rosenbrock method on the hand-written Rabinowicz rig, driven by hand as well. */
int peer_hand_rosenbrock(const problem *p, double rtol, double *out, effort *e);
int peer_general_network(const problem *p, double rtol, double *out, effort *e);

/* The numbers of the Rabinowicz rig; rise: Fs - Fc, per_vs: 1/v_s. */
extern struct rabinowicz_numbers {
    double mass, stiffness, slab, Fc, rise, sigma0, sigma1, per_vs;
} rabinowicz_numbers;

/* The numbers of three stacked bodies: masses from top to bottom, the spring at the top one, levels
 * of sliding and of rest below each. */
extern struct three_dof_numbers { double mass[3], stiffness, Fc[3], Fs[3]; } three_dof_numbers;

/* The Rabinowicz rig with Coulomb friction that sticks exactly, by CVODE with root finding: where
 * it ends. 0 if the solver gave up. */
typedef struct stick_numbers {
    double mass, stiffness, slab, Fc, Fs, start; /* its speed */
} stick_numbers;
int peer_cvode_stick(const stick_numbers *n, double t_end, double rtol, double *x, double *v);

/* LuGre of the Rabinowicz rig, for the last of them. */
double rabinowicz_friction(double sign, double v, double z, double *dz, double by[4]);

#endif
