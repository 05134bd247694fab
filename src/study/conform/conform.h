/* conform.h - the standard experiments: what they share. */
#ifndef BRI_CONFORM_H
#define BRI_CONFORM_H

#include "bristle_study.h"

/* ---- the standard parameters: standard.c ----------------------------------------------------- */

/* Levels, Stribeck speed and exponent, stiffness and mass of the LuGre paper, Canudas de Wit et al.
 * 1995, table I, without its viscous part. */
#define STANDARD_FC     1.0  /* [N] */
#define STANDARD_FS     1.5  /* [N] */
#define STANDARD_VS     1e-3 /* [m/s] */
#define STANDARD_SIGMA0 1e5  /* [N/m] */
#define STANDARD_MASS   1.0  /* [kg] */

/* One law on the bench. */
typedef struct bench {
    const bri_setup *law;
    double Fc, Fs; /* its levels, or the standard ones where it has none [N] */
    double hold;   /* what it promises to hold: its Fs, or its Fc if it knows no Fs [N] */
    double rtol;
    bri_status *trouble; /* gets BRI_NO_MEMORY: then nothing was found out about the law */
} bench;

bench bench_of(const bri_setup *law, double rtol, bri_status *trouble);

/* The steady curve that the standard parameters prescribe [N]. */
double prescribed_force(double v);

/* ---- results --------------------------------------------------------------------------------- */

/* A number, a word, or a number with a word that is shown in its place. */
typedef struct result {
    double value;
    const char *word;
} result;

static inline result number(double value) { return (result){value, NULL}; }
static inline result said(double value, const char *word) { return (result){value, word}; }

extern const char word_failed[]; /* the simulation gave up */
extern const char word_memory[]; /* there was no memory for it */

/* ---- rigs: rig.c ----------------------------------------------------------------------------- */

enum { MOST_POINTS = 64 };
#define RISE 3.0 /* time in which a load comes on [s] */

/* Everything that a definition points to; it must stay where it is. */
typedef struct stand {
    bri_sim_def def;
    bri_body bodies[2];
    bri_coupling spring;
    bri_contact contact;
    bri_drive drive;
    bri_signal signal, parts[3];
    double t[MOST_POINTS], y[MOST_POINTS]; /* points of a table */
    double z[BRI_MAX_STATES];              /* states at the start */
    bri_sim *sim;
    bri_status *trouble; /* that of the bench */
} stand;

/* A mass at rest on the ground, pushed by s->signal, which the caller fills in before it starts. */
void stand_pushed(stand *s, const bench *b, double t_end);

/* A body that moves over the ground with the velocity s->signal, or to the positions of it. */
void stand_moved(stand *s, const bench *b, double t_end);
void stand_led(stand *s, const bench *b, double t_end);

/* s->signal as straight lines through s->t, s->y; as a force that rises smoothly within RISE and
 * then stays, or swings between it and two amplitudes less. */
void signal_points(stand *s, int count);
void signal_rise(stand *s, double force);
void signal_swing(stand *s, double force, double amplitude, double frequency);

/* Create the simulation, advance it, free it: nonzero after a failure. */
int stand_start(stand *s);
int stand_go(stand *s, double t);
void stand_end(stand *s);

/* ---- experiments: one function per row of the table in conform.c ---------------------------- */

result creep(const bench *b, double share);              /* hold.c */
result drift(const bench *b, double unused);             /* hold.c */
result break_away(const bench *b, double rate);          /* break_away.c */
result break_away_path(const bench *b, double rate);     /* break_away.c */
result after_rest(const bench *b, double rest);          /* break_away.c */
result curve_deviation(const bench *b, double unused);   /* sliding.c */
result lag_area(const bench *b, double frequency);       /* sliding.c */
result stiffness(const bench *b, double unused);         /* presliding.c */
result loop_area(const bench *b, double amplitude);      /* presliding.c */
result inner_loop(const bench *b, double unused);        /* presliding.c */
result least_work(const bench *b, double unused);        /* passivity.c */
result least_dissipation(const bench *b, double unused); /* passivity.c */
result stick_slip_period(const bench *b, double speed);  /* stick_slip.c */
result stick_slip_swing(const bench *b, double speed);   /* stick_slip.c */
result fastest_rate(const bench *b, double speed);       /* cost.c */
result time_per_eval(const bench *b, double unused);     /* cost.c */
result time_over_coulomb(const bench *b, double unused); /* cost.c */

#endif
