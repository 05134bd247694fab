/* rig.h - what the referee simulates: bodies, couplings, drives and contacts on one axis, in plain
 * structs of its own. Nothing here or in the files that include it comes from src/. */
#ifndef REFEREE_RIG_H
#define REFEREE_RIG_H

#include <stddef.h>
#include <stdio.h>

#define REF_PI 3.14159265358979323846

enum {
    REF_BODIES = 6,    /* free and prescribed */
    REF_CONTACTS = 4,  /* with friction */
    REF_COUPLINGS = 6, /* springs, dampers, ropes */
    REF_DRIVES = 4,    /* forces */
    REF_ROWS = 200,    /* output rows after the start */
    REF_GROUND = -1,   /* in place of the index of a body */
};

/* ---- signals -------------------------------------------------------------------------------- */

typedef enum ref_wave { REF_FLAT, REF_SINE, REF_RAMP, REF_TRAPEZOID, REF_PULSES } ref_wave;

/* mean + wave(t). Parameters of the waves:
 *   sine       p0 sin(2 pi p1 (t - p3) + p2) from t = p3 on, 0 before
 *   ramp       p0 (t - p1) from t = p1 until t = p2, held afterwards
 *   trapezoid  up to p0 from t = p1 within p3, back to 0 at t = p2 within p4
 *   pulses     p0 for p2 seconds, every p3 seconds, the first at t = p1 */
typedef struct ref_signal {
    double mean;
    ref_wave wave;
    double p[5];
} ref_signal;

/* Integral from 0, value, first and second derivative at t, on the smooth piece of the wave that
 * holds the time `piece`. */
void ref_signal_eval(const ref_signal *s, double t, double piece, double out[4]);

/* Append the times in (from, until) at which a value or a derivative jumps; returns the new count.
 */
int ref_signal_kinks(const ref_signal *s, double from, double until, double *list, int n, int room);

double ref_signal_period(const ref_signal *s); /* of a sine; INFINITY for the others */
double ref_signal_peak(const ref_signal *s);   /* largest magnitude that it can have */

/* ---- the rig -------------------------------------------------------------------------------- */

typedef enum ref_motion { REF_FREE, REF_POSITION, REF_VELOCITY } ref_motion;

typedef struct ref_body {
    ref_motion motion; /* moved by forces, or position or velocity prescribed */
    double mass;       /* or moment of inertia */
    double x, v;       /* at the start */
    ref_signal signal; /* prescribed position or velocity */
} ref_body;

typedef enum ref_join { REF_SPRING, REF_DAMPER, REF_SPRING_DAMPER, REF_ROPE } ref_join;

typedef struct ref_coupling {
    ref_join kind;
    int a, b;                          /* its length is x_b - x_a */
    double stiffness, damping, length; /* length without force */
} ref_coupling;

typedef struct ref_drive {
    int body;
    ref_signal force;
} ref_drive;

/* Parameters of all laws; a law uses those that its table names. */
typedef enum ref_param {
    REF_FC, /* the three levels: forces, or coefficients where the contact has a load */
    REF_FS,
    REF_F2,
    REF_VS,
    REF_GAMMA,
    REF_KV,
    REF_P,
    REF_K,
    REF_VD,
    REF_C,
    REF_B,
    REF_CC,
    REF_E,
    REF_NU,
    REF_VR,
    REF_SIGMA0,
    REF_SIGMA1,
    REF_SIGMA2,
    REF_I,
    REF_DELTA,
    REF_EPS,
    REF_ETA,
    REF_ZBA,
    REF_VT,
    REF_TAU_DW,
    REF_TAU_DEL,
    REF_TAU_R,
    REF_VE,
    REF_FADE,
    REF_PARAMS
} ref_param;

typedef struct ref_contact {
    int law;              /* index into ref_laws */
    int a, b;             /* a on b; v = v_a - v_b; a feels -F */
    double p[REF_PARAMS]; /* by ref_param */
    int loaded;           /* levels are coefficients times the load; else forces */
    ref_signal load;
} ref_contact;

typedef struct ref_rig {
    char title[96];
    const char *kind;
    int rotor; /* all bodies turn */
    int names; /* nonzero: other names in the scenario */
    int n_bodies, n_couplings, n_contacts, n_drives;
    ref_body body[REF_BODIES];
    ref_coupling coupling[REF_COUPLINGS];
    ref_contact contact[REF_CONTACTS];
    ref_drive drive[REF_DRIVES];
    double start, end; /* [s] */
    double speed;      /* nominal velocity of the bodies [m/s] */
    double length;     /* nominal displacement [m] */
} ref_rig;

const char *ref_body_name(const ref_rig *r);    /* in the scenario, before its number */
double ref_row_time(const ref_rig *r, int row); /* rows 0 ... REF_ROWS */

/* The same rig as a scenario. Returns the number of characters, as snprintf does. */
int ref_rig_write(const ref_rig *r, char *text, size_t room);

/* Rig i of a seed: always the same. */
void ref_rig_draw(ref_rig *r, unsigned long seed, long i);

#endif
