/* rill.c - Rill et al. 2023, "LuGre or not LuGre": pulse load, conveyor belt, festoon. */
#include "lab.h"

#include <math.h>
#include <stdlib.h>

#define PULSE "push.force.pulses.value="

enum {
    PULSE_STATIC,
    PULSE_LUGRE,
    PULSE_IMPLICIT,
    PULSE_SECOND, /* at 2 N */
    MORE_LUGRE,
    MORE_IMPLICIT,
    MORE_SECOND, /* at 4.5 N */
    MOST_LUGRE,
    MOST_SECOND,
    MOST_LUGRE_DAMPED,
    MOST_SECOND_DAMPED, /* at 5.6 N */
    BELT_EXACT,
    BELT_STATIC,
    BELT_LUGRE,
    BELT_SECOND,
    FESTOON_STATIC,
    FESTOON_LUGRE,
    FESTOON_SECOND,
    WEAK_STATIC,
    WEAK_LUGRE,
    WEAK_SECOND, /* friction 10 % less */
    STRONG_STATIC,
    STRONG_LUGRE,
    STRONG_SECOND,   /* 10 % more */
    STRONGEST_LUGRE, /* 25 % more */
    N_RUNS
};

#define FRICTION(s, d)                                                                             \
    "wheel1.mu_s=" s "; wheel1.mu_c=" d "; wheel2.mu_s=" s "; wheel2.mu_c=" d "; run.until=14 s"
#define WEAK      FRICTION("0.072", "0.045")
#define STRONG    FRICTION("0.088", "0.055")
#define STRONGEST FRICTION("0.1", "0.0625")

/* clang-format off */
static const lab_run runs[N_RUNS] = {
    [PULSE_STATIC]       = {"pulse", "regularized", NULL},
    [PULSE_LUGRE]        = {"pulse", "lugre", NULL},
    [PULSE_IMPLICIT]     = {"pulse", "bristle_implicit", NULL},
    [PULSE_SECOND]       = {"pulse", "bristle_second_order", NULL},
    [MORE_LUGRE]         = {"pulse", "lugre", PULSE "4.5 N"},
    [MORE_IMPLICIT]      = {"pulse", "bristle_implicit", PULSE "4.5 N"},
    [MORE_SECOND]        = {"pulse", "bristle_second_order", PULSE "4.5 N"},
    [MOST_LUGRE]         = {"pulse", "lugre", PULSE "5.6 N"},
    [MOST_SECOND]        = {"pulse", "bristle_second_order", PULSE "5.6 N"},
    [MOST_LUGRE_DAMPED]  = {"pulse", "lugre", PULSE "5.6 N; pad.sigma1=790 N s/m"},
    [MOST_SECOND_DAMPED] = {"pulse", "bristle_second_order", PULSE "5.6 N; pad.sigma1=790 N s/m"},
    [BELT_EXACT]         = {"belt", "stribeck", "run.solver=event_driven"},
    [BELT_STATIC]        = {"belt", "regularized", "run.output=0.2 ms"},
    [BELT_LUGRE]         = {"belt", "lugre", "run.output=0.2 ms"},
    [BELT_SECOND]        = {"belt", "bristle_second_order", "run.output=0.2 ms"},
    [FESTOON_STATIC]     = {"festoon", "regularized", NULL},
    [FESTOON_LUGRE]      = {"festoon", "lugre", NULL},
    [FESTOON_SECOND]     = {"festoon", "bristle_second_order", NULL},
    [WEAK_STATIC]        = {"festoon", "regularized", WEAK},
    [WEAK_LUGRE]         = {"festoon", "lugre", WEAK},
    [WEAK_SECOND]        = {"festoon", "bristle_second_order", WEAK},
    [STRONG_STATIC]      = {"festoon", "regularized", STRONG},
    [STRONG_LUGRE]       = {"festoon", "lugre", STRONG},
    [STRONG_SECOND]      = {"festoon", "bristle_second_order", STRONG},
    [STRONGEST_LUGRE]    = {"festoon", "lugre", STRONGEST},
};
/* clang-format on */

/* ---- measures ------------------------------------------------------------------------------ */

/* From the end of the first cycle to that of the second. */
static double second_cycle(const lab *l, const lab_quantity *q) {
    lab_quantity first = *q, second = *q;
    first.a = 0.2;
    second.a = 0.4;
    return lab_at(l, &second) - lab_at(l, &first);
}

/* mu_s N/(k v_b), from the numbers of the rig. */
static double break_away_formula(const lab *l, const lab_quantity *q) {
    const bri_sim_def *def = lab_def(l, q->run);
    if (!def) return NAN;
    const bri_system *y = &def->system;
    double v_b = bri_signal_value(y->bodies[1].velocity, 0.0);
    return lab_param(l, q->run, "mu_s") * y->contacts[0].n / (y->couplings[0].p[0] * v_b);
}

/* dz/dt of row i: a state of the second-order bristle, for LuGre from its force, 0 without bristle.
 */
static double bristle_rate(const lab *l, int run, long i) {
    const double *w = lab_column(l, run, "pad.w"), *z = lab_column(l, run, "pad.z");
    const double *F = lab_column(l, run, "pad.F"), *v = lab_column(l, run, "pad.v");
    if (w) return w[i];
    if (!z) return 0.0;
    double viscous = lab_param(l, run, "nu") * lab_def(l, run)->system.contacts[0].n;
    return (F[i] - lab_param(l, run, "sigma0") * z[i] - viscous * v[i]) /
           lab_param(l, run, "sigma1");
}

/* Rill (4) at a sliding speed. */
static double prescribed(const lab *l, int run, double speed) {
    double mu_c = lab_param(l, run, "mu_c"), mu_s = lab_param(l, run, "mu_s");
    double decay = exp(-pow(speed / lab_param(l, run, "v_s"), lab_param(l, run, "gamma")));
    return lab_def(l, run)->system.contacts[0].n *
           (mu_c + (mu_s - mu_c) * decay + lab_param(l, run, "nu") * speed);
}

/* Smallest friction over that of slow sliding, mu_c N, while it slides faster than 10 v_a. */
static double least_sliding(const lab *l, const lab_quantity *q) {
    const bri_trace *t = lab_trace(l, q->run);
    const double *F = lab_column(l, q->run, "pad.F"), *v = lab_column(l, q->run, "pad.v");
    if (t->err.status != BRI_OK || !F || !v) return NAN;
    double least = INFINITY, v_a = lab_param(l, q->run, "v_s");
    for (long i = 0; i < t->n_rows; i++)
        if (fabs(v[i] - bristle_rate(l, q->run, i)) > q->a * v_a) least = fmin(least, fabs(F[i]));
    return least / (lab_param(l, q->run, "mu_c") * lab_def(l, q->run)->system.contacts[0].n);
}

/* Largest distance of F from the prescribed curve where it slides faster than v_a/10, over F_s. */
static double off_curve(const lab *l, const lab_quantity *q) {
    const bri_trace *t = lab_trace(l, q->run);
    const double *F = lab_column(l, q->run, "pad.F"), *v = lab_column(l, q->run, "pad.v");
    if (t->err.status != BRI_OK || !F || !v) return NAN;
    double most = 0.0, v_a = lab_param(l, q->run, "v_s");
    double level = lab_param(l, q->run, "mu_s") * lab_def(l, q->run)->system.contacts[0].n;
    for (long i = 0; i < t->n_rows; i++) {
        double speed = fabs(v[i] - bristle_rate(l, q->run, i));
        if (speed > 0.1 * v_a)
            most = fmax(most, fabs(fabs(F[i]) - prescribed(l, q->run, speed)) / level);
    }
    return most;
}

/* Largest size of q->column in a ... b. */
static double size(const lab *l, const lab_quantity *q) {
    return fmax(lab_most(l, q), -lab_least(l, q));
}

static double sag(const lab *l, const lab_quantity *q) { return -lab_at(l, q); }

/* Evaluations of the dearest of the three laws over those of the cheapest. */
static double spread(const lab *l, const lab_quantity *q) {
    double least = INFINITY, most = 0.0;
    for (int i = FESTOON_STATIC; i <= FESTOON_SECOND; i++) {
        const bri_trace *t = lab_trace(l, i);
        if (t->err.status != BRI_OK) return NAN;
        least = fmin(least, (double)t->stats.evals);
        most = fmax(most, (double)t->stats.evals);
    }
    return most / least;
}

/* First time at which q->column has moved by b. */
static double leaves(const lab *l, const lab_quantity *q) {
    const bri_trace *t = lab_trace(l, q->run);
    const double *time = lab_time(l, q->run), *x = lab_column(l, q->run, q->column);
    if (t->err.status != BRI_OK || !x) return NAN;
    for (long i = 1; i < t->n_rows; i++)
        if (fabs(x[i] - x[0]) > q->b) return time[i];
    return NAN;
}

/* How far q->column has moved at time a, either way. */
static double shift(const lab *l, const lab_quantity *q) { return fabs(lab_moved(l, q)); }

/* q->column at 14 s, run q->run less run a. */
static double apart(const lab *l, const lab_quantity *q) {
    lab_quantity mine = *q, other = *q;
    mine.a = other.a = 14.0;
    other.run = (int)q->a;
    return fabs(lab_at(l, &mine) - lab_at(l, &other));
}

/* T1 of q->run over T1 of run a, both at 14 s. */
static double share(const lab *l, const lab_quantity *q) {
    lab_quantity mine = *q, other = *q;
    mine.a = other.a = 14.0;
    other.run = (int)q->a;
    return lab_moved(l, &mine) / lab_moved(l, &other);
}

/* ---- quantities ---------------------------------------------------------------------------- */

#define REBUILT   "the figure with the parameters is missing: the festoon is a reconstruction"
#define VISIBLE   "to be seen in the paper's plots: more than 1 mm"
#define INVISIBLE "not to be seen in the paper's plots: less than 0.1 mm"

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "pulse load 2 N", .name = "static: creep speed", .unit = "mm/s",
     .source = PRINTED, .published = "0.1875", .run = PULSE_STATIC, .measure = lab_at,
     .column = "block.v", .a = 0.0995},
    {.experiment = "pulse load 2 N", .name = "static: drift per cycle", .unit = "mm",
     .source = PRINTED, .published = "0.01875", .run = PULSE_STATIC, .measure = lab_moved,
     .column = "block.x", .a = 0.2,
     .reason = "the paper multiplies the rounded creep speed by 0.1 s", .expected = "0.018745"},
    {.experiment = "pulse load 2 N", .name = "LuGre: drift per cycle", .unit = "mm",
     .source = PRINTED, .published = "0.02129", .run = PULSE_LUGRE, .measure = lab_moved,
     .column = "block.x", .a = 0.2},
    {.experiment = "pulse load 2 N", .name = "LuGre: drift of the second cycle", .unit = "mm",
     .source = PRINTED, .published = "0.02129", .run = PULSE_LUGRE, .measure = second_cycle,
     .column = "block.x"},
    {.experiment = "pulse load 2 N", .name = "implicit bristle: drift per cycle", .unit = "mm",
     .source = PRINTED, .published = "0", .tolerance = 5e-6, .grounds = "the drifts have five digits",
     .run = PULSE_IMPLICIT, .measure = lab_moved, .column = "block.x", .a = 0.2},
    {.experiment = "pulse load 2 N", .name = "second order: drift per cycle", .unit = "mm",
     .source = PRINTED, .published = "0", .tolerance = 5e-6, .grounds = "the drifts have five digits",
     .run = PULSE_SECOND, .measure = lab_moved, .column = "block.x", .a = 0.2,
     .reason = "the tip of the bristle slips a little while the force rises; not visible in a plot",
     .expected = "-6.3e-5"},
    {.experiment = "pulse load 2 N", .name = "LuGre: deflection in stick", .unit = "mm",
     .source = PRINTED, .published = "0.0513", .run = PULSE_LUGRE, .measure = lab_at,
     .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 2 N", .name = "implicit bristle: deflection in stick", .unit = "mm",
     .source = PRINTED, .published = "0.0513", .run = PULSE_IMPLICIT, .measure = lab_at,
     .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 2 N", .name = "second order: deflection in stick", .unit = "mm",
     .source = PRINTED, .published = "0.0513", .run = PULSE_SECOND, .measure = lab_at,
     .column = "pad.z", .a = 0.0995},

    {.experiment = "pulse load 4.5 N", .name = "implicit bristle: deflection in stick",
     .unit = "mm", .source = PRINTED, .published = "0.1154", .run = MORE_IMPLICIT,
     .measure = lab_at, .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 4.5 N", .name = "second order: deflection in stick", .unit = "mm",
     .source = PRINTED, .published = "0.1154", .run = MORE_SECOND, .measure = lab_at,
     .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 4.5 N", .name = "LuGre: displacement after two cycles",
     .unit = "mm", .source = PRINTED, .published = "20", .run = MORE_LUGRE, .measure = lab_moved,
     .column = "block.x", .a = 0.4, .reason = "the paper says about 20 mm", .expected = "19.306"},
    {.experiment = "pulse load 4.5 N", .name = "LuGre: displacement after two cycles",
     .unit = "mm", .source = INDEPENDENT, .published = "19.306", .run = MORE_LUGRE,
     .measure = lab_moved, .column = "block.x", .a = 0.4},

    {.experiment = "pulse load 5.6 N", .name = "second order, sigma1 395: deflection, slides",
     .unit = "mm", .source = PRINTED, .published = "0.0755", .run = MOST_SECOND,
     .measure = lab_at, .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 5.6 N", .name = "second order, sigma1 395: displacement",
     .unit = "mm", .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "the mass slides: " VISIBLE, .run = MOST_SECOND, .measure = shift,
     .column = "block.x", .a = 0.4},
    {.experiment = "pulse load 5.6 N", .name = "second order, sigma1 790: deflection, holds",
     .unit = "mm", .source = PRINTED, .published = "0.1436", .run = MOST_SECOND_DAMPED,
     .measure = lab_at, .column = "pad.z", .a = 0.0995,
     .reason = "0.143590 mm is the limit F/sigma0; after 0.1 s a rest of the transient is left",
     .expected = "0.143681", .expected_tolerance = 5e-6},
    {.experiment = "pulse load 5.6 N", .name = "LuGre, sigma1 790: displacement", .unit = "mm",
     .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "it fails to hold: " VISIBLE, .run = MOST_LUGRE_DAMPED, .measure = shift,
     .column = "block.x", .a = 0.4},
    {.experiment = "pulse load 5.6 N", .name = "LuGre, sigma1 790: displacement", .unit = "mm",
     .source = INDEPENDENT, .published = "37.47", .run = MOST_LUGRE_DAMPED,
     .measure = lab_moved, .column = "block.x", .a = 0.4},

    {.experiment = "conveyor belt", .name = "formula mu_s N/(k v_b) for break-away", .unit = "s",
     .source = PRINTED, .published = "7.3575", .run = BELT_LUGRE, .measure = break_away_formula},
    {.experiment = "conveyor belt", .name = "exact stick: break-away", .unit = "s",
     .source = PRINTED, .published = "7.3575", .run = BELT_EXACT, .measure = lab_event},
    {.experiment = "conveyor belt", .name = "static: break-away (10 mm/s)", .unit = "s",
     .source = CLAIM, .published = "7.3575", .tolerance = 0.1,
     .grounds = "'fairly well', in a plot of 20 s: within 0.1 s", .run = BELT_STATIC, .measure = lab_exceeds,
     .column = "pad.v", .a = 1.0, .b = 0.01},
    {.experiment = "conveyor belt", .name = "LuGre: break-away (10 mm/s)", .unit = "s",
     .source = CLAIM, .published = "7.3575", .tolerance = 0.1,
     .grounds = "'fairly well', in a plot of 20 s: within 0.1 s", .run = BELT_LUGRE, .measure = lab_exceeds,
     .column = "pad.v", .a = 1.0, .b = 0.01},
    {.experiment = "conveyor belt", .name = "second order: break-away (10 mm/s)", .unit = "s",
     .source = CLAIM, .published = "7.3575", .tolerance = 0.1,
     .grounds = "'fairly well', in a plot of 20 s: within 0.1 s", .run = BELT_SECOND, .measure = lab_exceeds,
     .column = "pad.v", .a = 1.0, .b = 0.01},
    {.experiment = "conveyor belt", .name = "second order: re-stick (1 mm/s)", .unit = "s",
     .source = PRINTED, .published = "10", .run = BELT_SECOND, .measure = lab_falls_below,
     .column = "pad.v", .a = 8.0, .b = 1e-3},
    {.experiment = "conveyor belt", .name = "LuGre: re-stick (1 mm/s)", .unit = "s",
     .source = PRINTED, .published = "10", .run = BELT_LUGRE, .measure = lab_falls_below,
     .column = "pad.v", .a = 8.0, .b = 1e-3},
    {.experiment = "conveyor belt", .name = "second order: re-stick (1 mm/s)", .unit = "s",
     .source = INDEPENDENT, .published = "10.037", .tolerance = 1e-3,
     .grounds = "samples are 1 ms apart", .run = BELT_SECOND, .measure = lab_falls_below,
     .column = "pad.v", .a = 8.0, .b = 1e-3},
    {.experiment = "conveyor belt", .name = "LuGre: re-stick (1 mm/s)", .unit = "s",
     .source = INDEPENDENT, .published = "9.958", .tolerance = 1e-3,
     .grounds = "samples are 1 ms apart", .run = BELT_LUGRE, .measure = lab_falls_below,
     .column = "pad.v", .a = 8.0, .b = 1e-3},
    {.experiment = "conveyor belt", .name = "LuGre: least sliding friction over mu_d N", .unit = "",
     .source = CLAIM, .relation = BELOW, .published = "1",
     .grounds = "'even produces sliding friction forces significantly smaller'",
     .run = BELT_LUGRE, .measure = least_sliding, .a = 1.0},
    {.experiment = "conveyor belt", .name = "second order: distance from the curve over F_s",
     .unit = "", .source = CLAIM, .relation = BELOW, .published = "0.02",
     .grounds = "'can fully reproduce the friction characteristics': the width of a line in a plot",
     .run = BELT_SECOND, .measure = off_curve},
    {.experiment = "conveyor belt", .name = "LuGre: distance from the curve over F_s", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "0.02",
     .grounds = "'deviates remarkably': more than the width of a line in a plot",
     .run = BELT_LUGRE, .measure = off_curve},
    {.experiment = "conveyor belt", .name = "second order: peak at the second re-stick", .unit = "N",
     .source = PRINTED, .published = "1.47", .run = BELT_SECOND, .measure = size,
     .column = "pad.F", .a = 16.5, .b = 17.5},
    {.experiment = "conveyor belt", .name = "LuGre: peak at the second re-stick", .unit = "N",
     .source = CLAIM, .relation = BELOW, .published = "1.47",
     .grounds = "'cannot make use of the friction force potential', F_s = 1.47 N",
     .run = BELT_LUGRE, .measure = size, .column = "pad.F", .a = 16.5, .b = 17.5},

    {.experiment = "festoon", .name = "spacing at the start", .unit = "m", .source = PRINTED,
     .published = "0.5176", .run = FESTOON_LUGRE, .measure = lab_at, .column = "T1.x", .a = 0.0},
    {.experiment = "festoon", .name = "sag at the start", .unit = "m", .source = PRINTED,
     .published = "0.967", .run = FESTOON_LUGRE, .measure = sag, .column = "C1.z", .a = 0.0},
    {.experiment = "festoon", .name = "normal load at the start", .unit = "N", .source = PRINTED,
     .published = "22", .run = FESTOON_LUGRE, .measure = lab_at, .column = "wheel1.N", .a = 0.0},
    {.experiment = "festoon", .name = "static: creep of T1 until 14 s", .unit = "mm",
     .source = PRINTED, .published = "0.4", .run = FESTOON_STATIC, .measure = lab_moved,
     .column = "T1.x", .a = 14.0},
    {.experiment = "festoon", .name = "second order: T1 until 14 s", .unit = "mm", .source = CLAIM,
     .relation = BELOW, .published = "0.1", .grounds = INVISIBLE, .run = FESTOON_SECOND,
     .measure = shift, .column = "T1.x", .a = 14.0},
    {.experiment = "festoon", .name = "second order: T1 until 14 s", .unit = "mm",
     .source = INDEPENDENT, .published = "0.009", .run = FESTOON_SECOND, .measure = lab_moved,
     .column = "T1.x", .a = 14.0},
    {.experiment = "festoon", .name = "second order: offset of T2 at 14 s", .unit = "mm",
     .source = PRINTED, .published = "17.9", .run = FESTOON_SECOND, .measure = lab_moved,
     .column = "T2.x", .a = 14.0, .reason = REBUILT, .expected = "16.4"},
    {.experiment = "festoon", .name = "static less second order: offset of T2 at 14 s",
     .unit = "mm", .source = CLAIM, .relation = BELOW, .published = "0.5",
     .grounds = "one number is given for both laws", .run = FESTOON_STATIC, .measure = apart,
     .column = "T2.x", .a = FESTOON_SECOND},
    {.experiment = "festoon", .name = "LuGre: T1 breaks away (1 mm)", .unit = "s",
     .source = PRINTED, .published = "10.3", .run = FESTOON_LUGRE, .measure = leaves,
     .column = "T1.x", .b = 1e-3, .reason = REBUILT, .expected = "10.36",
     .expected_tolerance = 0.02},
    {.experiment = "festoon", .name = "LuGre: T1 at 14 s", .unit = "m", .source = PRINTED,
     .published = "0.5384", .run = FESTOON_LUGRE, .measure = lab_at, .column = "T1.x", .a = 14.0,
     .reason = REBUILT, .expected = "0.5386"},
    {.experiment = "festoon", .name = "evaluations, dearest law over cheapest", .unit = "",
     .source = CLAIM, .relation = BELOW, .published = "2",
     .grounds = "'quite similar' run times (1.43 in the paper): within a factor of two",
     .run = FESTOON_STATIC, .measure = spread},
    {.experiment = "festoon, friction -10 %", .name = "static: T1 at 14 s", .unit = "mm",
     .source = CLAIM, .relation = ABOVE, .published = "1", .grounds = VISIBLE,
     .run = WEAK_STATIC, .measure = shift, .column = "T1.x", .a = 14.0},
    {.experiment = "festoon, friction -10 %", .name = "LuGre: T1 at 14 s", .unit = "mm",
     .source = CLAIM, .relation = ABOVE, .published = "1", .grounds = VISIBLE,
     .run = WEAK_LUGRE, .measure = shift, .column = "T1.x", .a = 14.0},
    {.experiment = "festoon, friction -10 %", .name = "second order: T1 at 14 s", .unit = "mm",
     .source = CLAIM, .relation = ABOVE, .published = "1", .grounds = VISIBLE,
     .run = WEAK_SECOND, .measure = shift, .column = "T1.x", .a = 14.0},
    {.experiment = "festoon, friction +10 %", .name = "static: T1 at 14 s", .unit = "mm",
     .source = CLAIM, .relation = BELOW, .published = "1", .grounds = "'stick means stick'",
     .run = STRONG_STATIC, .measure = shift, .column = "T1.x", .a = 14.0},
    {.experiment = "festoon, friction +10 %", .name = "second order: T1 at 14 s", .unit = "mm",
     .source = CLAIM, .relation = BELOW, .published = "0.1", .grounds = INVISIBLE,
     .run = STRONG_SECOND, .measure = shift, .column = "T1.x", .a = 14.0},
    {.experiment = "festoon, friction +10 %", .name = "LuGre: T1 at 14 s over that of the standard",
     .unit = "", .source = CLAIM, .relation = BELOW, .published = "1",
     .grounds = "'just reduces the break-away amplitude'", .run = STRONG_LUGRE, .measure = share,
     .column = "T1.x", .a = FESTOON_LUGRE},
    {.experiment = "festoon, friction +10 %", .name = "LuGre: T1 at 14 s", .unit = "mm",
     .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "'does not eliminate the event': " VISIBLE, .run = STRONG_LUGRE,
     .measure = shift, .column = "T1.x", .a = 14.0, .expected = "0.42",
     .reason = REBUILT ", and LuGre's T1 depends on v_a very much"},
    {.experiment = "festoon, friction +25 %", .name = "LuGre: T1 at 14 s", .unit = "mm",
     .source = CLAIM, .relation = BELOW, .published = "1", .grounds = "'insignificant'",
     .run = STRONGEST_LUGRE, .measure = shift, .column = "T1.x", .a = 14.0},
};
/* clang-format on */

/* ---- figures ------------------------------------------------------------------------------- */

/* Fig. 5: LuGre against each of the others, 2 N; Figs. 6 and 7: more load. */
static void draw_pulses(const lab *l, bri_report *r) {
    static const struct {
        const char *label, *title;
        int run;
    } others[] = {{"static", "2 N: LuGre and static", PULSE_STATIC},
                  {"implicit", "2 N: LuGre and implicit bristle", PULSE_IMPLICIT},
                  {"second order", "2 N: LuGre and second order", PULSE_SECOND}};
    static const struct {
        const char *column, *name, *unit;
    } rows[] = {{"block.x", "displacement", "m"},
                {"block.v", "velocity", "m/s"},
                {"pad.F", "friction", "N"},
                {"pad.z", "bristle", "m"}};
    static const struct {
        const char *title;
        int lugre, second;
    } loads[] = {{"4.5 N", MORE_LUGRE, MORE_SECOND},
                 {"5.6 N, sigma1 395 N s/m", MOST_LUGRE, MOST_SECOND},
                 {"5.6 N, sigma1 790 N s/m", MOST_LUGRE_DAMPED, MOST_SECOND_DAMPED}};
    lab_figure f;
    lab_figure_begin(&f, "Rill et al., Fig. 5: pulse load of 2 N", 3, 4);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            lab_panel(&f, k, i, i ? NULL : others[k].title, "time", "s", rows[i].name,
                      rows[i].unit);
            if (i < 3) lab_share_x(&f);
            if (i) lab_share_legend(&f);
            lab_curve(&f, l, PULSE_LUGRE, "LuGre", NULL, rows[i].column, 0.0, 1.0);
            lab_curve(&f, l, others[k].run, others[k].label, NULL, rows[i].column, 0.0, 1.0);
        }
    lab_figure_end(&f, r, "rill-pulse", "Fig. 5: pulses of 2 N, below the sliding level.");
    lab_figure_begin(&f, "Rill et al., Figs. 6 and 7: pulse loads above the sliding level", 3, 3);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            int row = i ? i + 1 : 0; /* displacement, friction, bristle */
            lab_panel(&f, k, i, i ? NULL : loads[k].title, "time", "s", rows[row].name,
                      rows[row].unit);
            if (i < 2) lab_share_x(&f);
            if (i) lab_share_legend(&f);
            lab_curve(&f, l, loads[k].lugre, "LuGre", NULL, rows[row].column, 0.0, 1.0);
            lab_curve(&f, l, loads[k].second, "second order", NULL, rows[row].column, 0.0, 1.0);
        }
    lab_figure_end(&f, r, "rill-pulse-more", "Figs. 6 and 7: LuGre slips where the bristle holds.");
}

/* Friction against the sliding velocity v - dz/dt, where that is between -most and most; a gap
 * where it has been beyond. */
static void against_sliding(lab_figure *f, const lab *l, int run, const char *label, double most) {
    const bri_trace *t = lab_trace(l, run);
    const double *v = lab_column(l, run, "pad.v"), *F = lab_column(l, run, "pad.F");
    double *x = v && F ? calloc((size_t)t->n_rows * 2 + 2, sizeof *x) : NULL;
    if (!x) return;
    double *y = x + t->n_rows + 1;
    long count = 0;
    for (long i = 0; i < t->n_rows; i++) {
        double sliding = v[i] - bristle_rate(l, run, i);
        int inside = fabs(sliding) < most;
        if (!inside && (count == 0 || isnan(y[count - 1]))) continue;
        if (inside && count > 0 && fabs(sliding - x[count - 1]) < 2e-3 * most &&
            fabs(F[i] - y[count - 1]) < 3e-3)
            continue;
        x[count] = sliding;
        y[count++] = inside ? F[i] : NAN;
    }
    lab_line(f, label, x, y, count, LINE);
    free(x);
}

/* Fig. 8. */
static void draw_belt(const lab *l, bri_report *r) {
    static const struct {
        const char *label;
        int run;
    } laws[] = {{"LuGre", BELT_LUGRE}, {"static", BELT_STATIC}, {"second order", BELT_SECOND}};
    static const struct {
        const char *title, *column, *name, *unit;
        double from, until;
    } panels[] = {{NULL, "block.x", "displacement", "m", 0.0, 20.0},
                  {NULL, "block.v", "velocity", "m/s", 0.0, 20.0},
                  {NULL, "pad.F", "friction", "N", 0.0, 20.0},
                  {"break-away", "pad.F", "friction", "N", 7.0, 8.0},
                  {"second re-stick", "pad.F", "friction", "N", 16.5, 17.5}};
    lab_figure f;
    lab_figure_begin(&f, "Rill et al., Fig. 8: stick-slip on a belt", 2, 3);
    for (int i = 0; i < 5; i++) {
        lab_panel(&f, i / 3, i % 3 + (i > 2), panels[i].title, "time", "s", panels[i].name,
                  panels[i].unit);
        if (i < 2) lab_share_x(&f);
        if (i > 0) lab_share_legend(&f);
        for (int k = 0; k < 3; k++)
            lab_curve(&f, l, laws[k].run, laws[k].label, NULL, panels[i].column, panels[i].from,
                      panels[i].until);
    }
    lab_panel(&f, 1, 0, "friction against sliding velocity", "sliding velocity", "m/s", "friction",
              "N");
    lab_share_legend(&f);
    for (int k = 0; k < 3; k++) against_sliding(&f, l, laws[k].run, laws[k].label, 5e-3);
    lab_figure_end(&f, r, "rill-belt",
                   "Fig. 8: time histories, and the friction that was computed.");
}

/* Figs. 10, 14 and 15. */
static void draw_festoon(const lab *l, bri_report *r) {
    static const struct {
        const char *label;
        int run, weak, strong;
    } laws[] = {{"LuGre", FESTOON_LUGRE, WEAK_LUGRE, STRONG_LUGRE},
                {"static", FESTOON_STATIC, WEAK_STATIC, STRONG_STATIC},
                {"second order", FESTOON_SECOND, WEAK_SECOND, STRONG_SECOND}};
    static const struct {
        const char *title, *column, *name, *unit;
        double until;
    } panels[] = {{"trolley 1", "T1.x", "position", "m", 24.0},
                  {"trolley 2", "T2.x", "position", "m", 24.0},
                  {"towing trolley", "TT.x", "position", "m", 24.0},
                  {NULL, "wheel1.N", "normal load", "N", 24.0},
                  {NULL, "wheel2.N", "normal load", "N", 24.0},
                  {NULL, "TT.v", "velocity", "m/s", 24.0},
                  {"trolley 1, to and fro", "T1.x", "displacement", "m", 14.0},
                  {"trolley 2, to and fro", "T2.x", "displacement", "m", 14.0}};
    lab_figure f;
    lab_figure_begin(&f, "Rill et al., Figs. 10, 14, 15: festoon (reconstruction)", 3, 4);
    for (int i = 0; i < 8; i++) {
        lab_panel(&f, i % 3, i / 3, panels[i].title, "time", "s", panels[i].name, panels[i].unit);
        if (i != 5) lab_share_x(&f);
        if (i > 0) lab_share_legend(&f);
        for (int k = 0; k < (i % 3 == 2 ? 1 : 3); k++) {
            const double *y = lab_column(l, laws[k].run, panels[i].column);
            lab_shifted(&f, l, laws[k].run, i % 3 == 2 ? "prescribed" : laws[k].label,
                        panels[i].column, 0.0, panels[i].until, y && i > 5 ? y[0] : 0.0);
        }
    }
    for (int k = 0; k < 3; k++) {
        lab_panel(&f, k, 3, laws[k].label, "time", "s", "trolley 1", "m");
        lab_curve(&f, l, laws[k].weak, "friction -10 %", NULL, "T1.x", 0.0, 14.0);
        lab_curve(&f, l, laws[k].run, "standard", NULL, "T1.x", 0.0, 14.0);
        lab_curve(&f, l, laws[k].strong, "+10 %", NULL, "T1.x", 0.0, 14.0);
    }
    lab_figure_end(&f, r, "rill-festoon",
                   "Figs. 10, 14 and 15: trolleys, normal loads, and the influence of friction.");
}

static void draw(const lab *l, bri_report *r) {
    draw_pulses(l, r);
    draw_belt(l, r);
    draw_festoon(l, r);
}

static const lab_section all = LAB_SECTION(quantities);
static const lab_section *const sections[] = {&all};

const lab_paper lab_rill = {
    .key = "rill",
    .title = "Rill et al. 2023, LuGre or not LuGre",
    .runs = runs,
    .n_runs = N_RUNS,
    .sections = sections,
    .n_sections = sizeof sections / sizeof *sections,
    .draw = draw,
};
