/* andersson.c - Andersson et al. 2007, friction models for sliding dry, boundary and mixed
 * lubricated contacts: the one-mass rig and Dankowicz's law without dimensions; the curves and
 * loops of the laws are in andersson_laws.c. */
#include "andersson.h"

#include <math.h>
#include <stdlib.h>

static const double two_pi = 6.28318530717958647692;

#define COULOMB  "pad.mu_s=0.1; run.solver=event_driven; run.output=0.1 ms; run.until=2 s"
#define STRIBECK "pad.mu_s=0.15; pad.v_s=0.01 m/s; pad.kv=0.4 N s/m" /* chosen */

#define STEP(C, X)                                                                                 \
    { "dankowicz_step", NULL, "pad.Fc=" C " N; wall.position=" X " m; run.until=100 s" }
#define CONSTANT(C, X)                                                                             \
    { "dankowicz_constant", NULL, "pad.Fc=" C " N; wall.position.sine.amplitude=" X " m" }
#define SWEPT(C, X)                                                                                \
    { "dankowicz_swept", NULL, "pad.Fc=" C " N; wall.position.chirp.amplitude=" X " m" }

enum {
    WALL_COULOMB,
    WALL_SAT,
    WALL_TANH,
    WALL_VISCOUS,
    WALL_VISCOUS_1,
    WALL_VISCOUS_5,
    WALL_VISCOUS_20,
    WALL_DANKOWICZ,
    SMALL_COULOMB,
    SMALL_SAT,
    SMALL_DANKOWICZ,
    SMALL_LUGRE,
    ADVICE_TANH,
    ADVICE_DANKOWICZ,
    FAMILY, /* the 24 runs: small and large, for C = 1, 10, 100, 1000; step, constant, swept */
    STEP_SMALL = FAMILY,
    STEP_LARGE = STEP_SMALL + 4,
    CONSTANT_SMALL = STEP_LARGE + 4,
    CONSTANT_LARGE = CONSTANT_SMALL + 4,
    SWEPT_SMALL = CONSTANT_LARGE + 4,
    SWEPT_LARGE = SWEPT_SMALL + 4,
    N_RUNS = SWEPT_LARGE + 4
};

/* clang-format off */
static const lab_run runs[N_RUNS] = {
    [WALL_COULOMB]     = {"wall_step", "coulomb", COULOMB},
    [WALL_SAT]         = {"wall_step", "coulomb_sat", "run.until=60 s"},
    [WALL_TANH]        = {"wall_step", "coulomb_tanh", "run.until=60 s"},
    [WALL_VISCOUS]     = {"wall_step", "viscous", NULL},
    [WALL_VISCOUS_1]   = {"wall_step", "viscous", "pad.kv=1 N s/m"},
    [WALL_VISCOUS_5]   = {"wall_step", "viscous", "pad.kv=5 N s/m"},
    [WALL_VISCOUS_20]  = {"wall_step", "viscous", "pad.kv=20 N s/m"},
    [WALL_DANKOWICZ]   = {"wall_step", "dankowicz", NULL},
    [SMALL_COULOMB]    = {"wall_step_small", "coulomb", COULOMB},
    [SMALL_SAT]        = {"wall_step_small", "coulomb_sat", NULL},
    [SMALL_DANKOWICZ]  = {"wall_step_small", "dankowicz", "run.output=0.1 ms"},
    [SMALL_LUGRE]      = {"wall_step_small", "lugre", NULL},
    [ADVICE_TANH]      = {"wall_step", "stribeck_tanh", STRIBECK "; pad.k=1000 s/m"},
    [ADVICE_DANKOWICZ] = {"wall_step", "stribeck_dankowicz", STRIBECK "; pad.delta=1e-5 m"},
    [STEP_SMALL]     = STEP("1", "0.1"),     STEP("10", "1"),      STEP("100", "10"),      STEP("1000", "100"),
    [STEP_LARGE]     = STEP("1", "5"),       STEP("10", "50"),     STEP("100", "500"),     STEP("1000", "5000"),
    [CONSTANT_SMALL] = CONSTANT("1", "0.1"), CONSTANT("10", "1"),  CONSTANT("100", "10"),  CONSTANT("1000", "100"),
    [CONSTANT_LARGE] = CONSTANT("1", "5"),   CONSTANT("10", "50"), CONSTANT("100", "500"), CONSTANT("1000", "5000"),
    [SWEPT_SMALL]    = SWEPT("1", "0.1"),    SWEPT("10", "1"),     SWEPT("100", "10"),     SWEPT("1000", "100"),
    [SWEPT_LARGE]    = SWEPT("1", "5"),      SWEPT("10", "50"),    SWEPT("100", "500"),    SWEPT("1000", "5000"),
};
/* clang-format on */

/* ---- the one-mass rig ---------------------------------------------------------------------- */

/* Time at which the block stops for good: the last event. */
static double stops(const lab *l, const lab_quantity *q) {
    const bri_trace *t = lab_trace(l, q->run);
    return t->err.status == BRI_OK && t->n_events > 0 ? t->events[t->n_events - 1].t : NAN;
}

/* Distance from the wall at time a. */
static double from_wall(const lab *l, const lab_quantity *q) {
    const bri_sim_def *def = lab_def(l, q->run);
    return def ? fabs(lab_at(l, q) - bri_signal_value(def->system.bodies[0].position, 0.0)) : NAN;
}

/* With which the distance from the wall decays between times a and b. */
static double time_constant(const lab *l, const lab_quantity *q) {
    lab_quantity late = *q;
    late.a = q->b;
    return (q->b - q->a) / log(from_wall(l, q) / from_wall(l, &late));
}

/* Distance from the wall at time a over that at 2 s. */
static double rest_of_way(const lab *l, const lab_quantity *q) {
    lab_quantity early = *q;
    early.a = 2.0;
    return from_wall(l, q) / from_wall(l, &early);
}

/* Largest distance from the closed solution of the oscillator, damped up to the aperiodic limit. */
static double off_oscillator(const lab *l, const lab_quantity *q) {
    const bri_trace *trace = lab_trace(l, q->run);
    const bri_sim_def *def = lab_def(l, q->run);
    const double *t = lab_time(l, q->run), *x = lab_column(l, q->run, "block.x");
    if (trace->err.status != BRI_OK || !def || !x) return NAN;
    double step = bri_signal_value(def->system.bodies[0].position, 0.0);
    double m = def->system.bodies[1].mass, k = def->system.couplings[0].p[0], most = 0.0;
    double decay = lab_param(l, q->run, "kv") / (2.0 * m), w2 = k / m - decay * decay;
    double w = sqrt(fabs(w2));
    for (long i = 0; i < trace->n_rows; i++) {
        double swing = w2 > 1e-9 ? cos(w * t[i]) + decay / w * sin(w * t[i]) : 1.0 + decay * t[i];
        most = fmax(most, fabs(x[i] - step * (1.0 - exp(-decay * t[i]) * swing)));
    }
    return most;
}

/* Of q->column beyond the step of the wall, over it. */
static double overshoot(const lab *l, const lab_quantity *q) {
    const bri_sim_def *def = lab_def(l, q->run);
    lab_quantity all = *q;
    all.a = 0.0, all.b = 5.0;
    double step = def ? bri_signal_value(def->system.bodies[0].position, 0.0) : NAN;
    return lab_most(l, &all) / step - 1.0;
}

/* How far it gets from time a to time b. */
static double creep(const lab *l, const lab_quantity *q) {
    lab_quantity late = *q;
    late.a = q->b;
    return fabs(lab_at(l, &late) - lab_at(l, q));
}

static double creep_over_tanh(const lab *l, const lab_quantity *q) {
    lab_quantity other = *q;
    other.run = ADVICE_TANH;
    return creep(l, q) / creep(l, &other);
}

/* ---- Dankowicz's law without dimensions ---------------------------------------------------- */

static double completed(const lab *l, const lab_quantity *q) {
    int count = 0;
    for (int i = FAMILY; i < N_RUNS; i++) count += lab_trace(l, i)->err.status == BRI_OK;
    return count;
}

/* Omega of the ringing from time a on. */
static double ringing(const lab *l, const lab_quantity *q) { return two_pi / lab_period(l, q); }

/* Over sqrt(k/m) 2/(1/sqrt(1 + C (1 - |Z|)) + 1/sqrt(1 + C (1 + |Z|))), C = F_c/(delta k), with the
 * mean Z = z/delta: half a period each with the bristle's stiffness of loading and of unloading. */
static double ringing_over_formula(const lab *l, const lab_quantity *q) {
    const bri_sim_def *def = lab_def(l, q->run);
    lab_quantity mean = *q;
    mean.column = "pad.z";
    if (!def) return NAN;
    double k = def->system.couplings[0].p[0], m = def->system.bodies[1].mass;
    double delta = lab_param(l, q->run, "delta"), Z = fabs(lab_mean(l, &mean)) / delta;
    double C = lab_param(l, q->run, "mu_c") * def->system.contacts[0].n / (delta * k);
    double formula = 2.0 / (1.0 / sqrt(1.0 + C * (1.0 - Z)) + 1.0 / sqrt(1.0 + C * (1.0 + Z)));
    return ringing(l, q) / (sqrt(k / m) * formula);
}

/* Range of the speed in the last quarter over that in the first. */
static double ringing_left(const lab *l, const lab_quantity *q) {
    lab_quantity late = *q;
    late.a = 30.0, late.b = 40.0;
    return lab_range(l, &late) / lab_range(l, q);
}

/* ---- quantities ---------------------------------------------------------------------------- */

#define TURN(text, value, from, until, extreme)                                                    \
    {                                                                                              \
        .experiment = "wall step 0.1 m", .name = "Coulomb: " text, .unit = "m",                    \
        .source = CLOSED_FORM, .published = value, .run = WALL_COULOMB, .measure = extreme,        \
        .column = "block.x", .a = from, .b = until                                                 \
    }
#define VISCOUS(value, index)                                                                      \
    {                                                                                              \
        .experiment = "Fig. 4",                                                                    \
        .name = "viscous, kv " value ": distance from the closed solution", .unit = "m",           \
        .source = CLOSED_FORM, .published = "0", .tolerance = 1e-7,                                \
        .grounds = "relative tolerance 1e-8 of the integrator, ten times over", .run = index,      \
        .measure = off_oscillator                                                                  \
    }
/* exp(-pi zeta/sqrt(1 - zeta^2)), zeta = kv/(2 sqrt(k m)): the damping varies with kv */
#define OVERSHOOT(value, index, ratio)                                                             \
    {                                                                                              \
        .experiment = "Fig. 4", .name = "viscous, kv " value ": overshoot over the step",          \
        .unit = "", .source = CLOSED_FORM, .published = ratio, .run = index, .measure = overshoot, \
        .column = "block.x"                                                                        \
    }
#define RATCHETS "the mean Z ratchets on, and Omega rises by that much in ten units of time"
#define RINGING(text, index)                                                                       \
    {                                                                                              \
        .experiment = "without dimensions", .name = "ringing over the formula, " text, .unit = "", \
        .source = CLOSED_FORM, .published = "1", .tolerance = 0.01,                                \
        .grounds = "the formula is that of vanishing amplitude", .run = index,                     \
        .measure = ringing_over_formula, .column = "block.v", .a = 90.0, .b = 100.0                \
    }

/* clang-format off */
static const lab_quantity quantities[] = {
    TURN("first turn", "0.18038", 0.0, 0.5, lab_most),
    TURN("second turn", "0.03924", 0.4, 0.8, lab_least),
    TURN("third turn", "0.14114", 0.8, 1.1, lab_most),
    TURN("fourth turn", "0.07848", 1.1, 1.4, lab_least),
    TURN("end", "0.1019", 2.0, 0.0, lab_at),
    {.experiment = "wall step 0.1 m", .name = "Coulomb: stops at 5 pi/10", .unit = "s",
     .source = CLOSED_FORM, .published = "1.570796", .run = WALL_COULOMB, .measure = stops},
    {.experiment = "wall step 0.1 m", .name = "sat: time constant of the creep, F_c k_sat/k",
     .unit = "s", .source = CLOSED_FORM, .published = "9.81", .run = WALL_SAT,
     .measure = time_constant, .column = "block.x", .a = 3.0, .b = 20.0},
    {.experiment = "wall step 0.1 m", .name = "sat: distance from the wall, 60 s over 2 s",
     .unit = "", .source = CLAIM, .relation = BELOW, .published = "0.01",
     .grounds = "'tends to drift until the applied forces are zero'", .run = WALL_SAT,
     .measure = rest_of_way, .column = "block.x", .a = 60.0},
    {.experiment = "wall step 0.1 m", .name = "tanh: distance from the wall, 60 s over 2 s",
     .unit = "", .source = CLAIM, .relation = BELOW, .published = "0.01",
     .grounds = "'tends to drift until the applied forces are zero'", .run = WALL_TANH,
     .measure = rest_of_way, .column = "block.x", .a = 60.0},
    {.experiment = "wall step 0.1 m", .name = "viscous: distance from the closed solution",
     .unit = "m", .source = CLOSED_FORM, .published = "0", .tolerance = 1e-7,
     .grounds = "relative tolerance 1e-8 of the integrator, ten times over", .run = WALL_VISCOUS,
     .measure = off_oscillator},
    VISCOUS("1", WALL_VISCOUS_1),
    VISCOUS("5", WALL_VISCOUS_5),
    VISCOUS("20 (aperiodic limit)", WALL_VISCOUS_20),
    OVERSHOOT("1", WALL_VISCOUS_1, "0.8545"),
    OVERSHOOT("2", WALL_VISCOUS, "0.7292"),
    OVERSHOOT("5", WALL_VISCOUS_5, "0.4443"),
    {.experiment = "wall step 5 mm", .name = "Coulomb: largest displacement", .unit = "mm",
     .source = CLOSED_FORM, .published = "0", .tolerance = 1e-12,
     .grounds = "the force is below F_c: it does not move at all", .run = SMALL_COULOMB,
     .measure = lab_most, .column = "block.x", .a = 0.0, .b = 2.0},
    {.experiment = "wall step 5 mm", .name = "sat: displacement after 1 s", .unit = "mm",
     .source = INDEPENDENT, .published = "0.484", .run = SMALL_SAT, .measure = lab_moved,
     .column = "block.x", .a = 1.0},
    {.experiment = "wall step 5 mm", .name = "sat: displacement after 2 s", .unit = "mm",
     .source = CLAIM, .relation = ABOVE, .published = "0",
     .grounds = "'a motion of the body even though the applied force is not large enough'",
     .run = SMALL_SAT, .measure = lab_moved, .column = "block.x", .a = 2.0},
    {.experiment = "wall step 5 mm", .name = "Dankowicz: ringing over the formula", .unit = "",
     .source = CLOSED_FORM, .published = "1", .tolerance = 0.01,
     .grounds = "the formula is that of vanishing amplitude", .run = SMALL_DANKOWICZ,
     .measure = ringing_over_formula, .column = "block.v", .a = 1.5, .b = 2.0},
    {.experiment = "wall step 5 mm", .name = "Dankowicz: displacement after 2 s", .unit = "mm",
     .source = CLAIM, .relation = ABOVE, .published = "0.01",
     .grounds = "it ratchets: by more than the micro-slip length delta", .run = SMALL_DANKOWICZ,
     .measure = lab_moved, .column = "block.x", .a = 2.0},
    {.experiment = "wall step 5 mm", .name = "LuGre: creep from 1 to 2 s", .unit = "mm",
     .source = CLAIM, .relation = BELOW, .published = "1e-6",
     .grounds = "sigma1 keeps it from ringing, and it holds", .run = SMALL_LUGRE,
     .measure = creep, .column = "block.x", .a = 1.0, .b = 2.0},

    {.experiment = "without dimensions", .name = "runs without numerical trouble", .unit = "",
     .source = PRINTED, .published = "24", .run = FAMILY, .measure = completed},
    {.experiment = "without dimensions", .name = "ringing Omega, C = 10, large step, 90 to 100",
     .unit = "", .tolerance = 1e-3, .grounds = RATCHETS,
     .source = INDEPENDENT, .published = "3.2961", .run = STEP_LARGE + 1, .measure = ringing,
     .column = "block.v", .a = 90.0, .b = 100.0},
    {.experiment = "without dimensions", .name = "ringing Omega, C = 100, large step, 90 to 100",
     .unit = "", .tolerance = 1e-2, .grounds = RATCHETS,
     .source = INDEPENDENT, .published = "7.7479", .run = STEP_LARGE + 2, .measure = ringing,
     .column = "block.v", .a = 90.0, .b = 100.0},
    RINGING("C = 1, small step", STEP_SMALL),
    RINGING("C = 10, small step", STEP_SMALL + 1),
    RINGING("C = 100, small step", STEP_SMALL + 2),
    RINGING("C = 1000, small step", STEP_SMALL + 3),
    RINGING("C = 1, large step", STEP_LARGE),
    RINGING("C = 10, large step", STEP_LARGE + 1),
    RINGING("C = 100, large step", STEP_LARGE + 2),
    RINGING("C = 1000, large step", STEP_LARGE + 3),
    {.experiment = "without dimensions", .name = "C = 10, small step: speed range left after 30",
     .unit = "", .source = CLAIM, .relation = ABOVE, .published = "0.1",
     .grounds = "'undamped high-frequent oscillations': more than a tenth is left after 16 cycles", .run = STEP_SMALL + 1,
     .measure = ringing_left, .column = "block.v", .a = 0.0, .b = 10.0},

    {.experiment = "advice", .name = "Stribeck and tanh: creep from 3 to 5 s", .unit = "mm",
     .source = CLAIM, .relation = ABOVE, .published = "0.1",
     .grounds = "for when the final position is unimportant: it moves on", .run = ADVICE_TANH,
     .measure = creep, .column = "block.x", .a = 3.0, .b = 5.0},
    {.experiment = "advice", .name = "Stribeck and Dankowicz: creep over that of tanh", .unit = "",
     .source = CLAIM, .relation = BELOW, .published = "0.1",
     .grounds = "for when the final position matters: less than a tenth",
     .run = ADVICE_DANKOWICZ, .measure = creep_over_tanh, .column = "block.x", .a = 3.0, .b = 5.0},
};
/* clang-format on */

/* ---- figures ------------------------------------------------------------------------------- */

static void draw_rig(const lab *l, bri_report *r) {
    lab_figure f;
    lab_figure_begin(&f, "Andersson et al. 2007: the one-mass rig", 2, 3);
    lab_panel(&f, 0, 0, "Fig. 4: step of 0.1 m", "time", "s", "position", "m");
    lab_curve(&f, l, WALL_VISCOUS_1, "viscous, kv 1", NULL, "block.x", 0.0, 4.0);
    lab_curve(&f, l, WALL_VISCOUS, "viscous, kv 2", NULL, "block.x", 0.0, 4.0);
    lab_curve(&f, l, WALL_VISCOUS_5, "viscous, kv 5", NULL, "block.x", 0.0, 4.0);
    lab_curve(&f, l, WALL_SAT, "sat", NULL, "block.x", 0.0, 4.0);
    lab_curve(&f, l, WALL_DANKOWICZ, "Dankowicz", NULL, "block.x", 0.0, 4.0);
    lab_curve(&f, l, WALL_COULOMB, "Coulomb", NULL, "block.x", 0.0, 4.0);
    lab_panel(&f, 1, 0, "step of 5 mm, below F_c/k", "time", "s", "position", "m");
    lab_curve(&f, l, SMALL_SAT, "sat", NULL, "block.x", 0.0, 2.0);
    lab_curve(&f, l, SMALL_DANKOWICZ, "Dankowicz", NULL, "block.x", 0.0, 2.0);
    lab_curve(&f, l, SMALL_LUGRE, "LuGre", NULL, "block.x", 0.0, 2.0);
    lab_curve(&f, l, SMALL_COULOMB, "Coulomb", NULL, "block.x", 0.0, 2.0);
    lab_panel(&f, 0, 1, "drift until the forces are zero", "time", "s", "from the wall", "m");
    lab_shifted(&f, l, WALL_SAT, "sat", "block.x", 2.0, 60.0, 0.1);
    lab_shifted(&f, l, WALL_TANH, "tanh", "block.x", 2.0, 60.0, 0.1);
    lab_panel(&f, 1, 1, "Fig. 5: Stribeck curves", "velocity", "m/s", "friction", "N");
    andersson_draw_stribeck(&f);
    lab_panel(&f, 0, 2, "Fig. 6: C = 10, large step, ringing", "T", "", "X", "");
    lab_curve(&f, l, STEP_LARGE + 1, NULL, NULL, "block.x", 8.0, 60.0);
    lab_panel(&f, 1, 2, "the advice: final position", "time", "s", "position", "m");
    lab_curve(&f, l, ADVICE_TANH, "with tanh", NULL, "block.x", 1.2, 5.0);
    lab_curve(&f, l, ADVICE_DANKOWICZ, "with Dankowicz", NULL, "block.x", 1.2, 5.0);
    lab_figure_end(&f, r, "andersson-rig", "Step responses and curves of the one-mass rig.");
}

/* The 24 runs, a row per motion of the wall, positions over C so that they share an axis. */
static void draw_family(const lab *l, bri_report *r) {
    static const char *const titles[3][2] = {{"step, small", "step, large"},
                                             {"constant frequency, small", "constant, large"},
                                             {"swept frequency, small", "swept, large"}};
    static const char *const labels[] = {"C = 1", "C = 10", "C = 100", "C = 1000"};
    static const double C[] = {1.0, 10.0, 100.0, 1000.0};
    lab_figure f;
    lab_figure_begin(&f, "Andersson et al. 2007: 24 runs without dimensions", 2, 3);
    for (int motion = 0; motion < 3; motion++)
        for (int large = 0; large < 2; large++) {
            lab_panel(&f, large, motion, titles[motion][large], "T", "", "X/C", "");
            if (motion < 2) lab_share_x(&f);
            for (int k = 0; k < 4; k++) {
                int run = FAMILY + 8 * motion + 4 * large + k;
                const double *t = lab_time(l, run), *x = lab_column(l, run, "block.x");
                long count = lab_trace(l, run)->n_rows, end = 0;
                double *y = x ? calloc((size_t)count + 1, sizeof *y) : NULL;
                while (y && end < count && t[end] <= (motion == 2 ? 200.0 : 40.0)) {
                    y[end] = x[end] / C[k];
                    end++;
                }
                if (y) lab_line(&f, labels[k], t, y, end, LINE);
                free(y);
            }
        }
    lab_figure_end(&f, r, "andersson-family",
                   "Step, constant and swept frequency of the wall; amplitudes 0.1 C and 5 C.");
}

static void draw(const lab *l, bri_report *r) {
    andersson_draw_laws(r);
    draw_rig(l, r);
    draw_family(l, r);
}

static const lab_section all = LAB_SECTION(quantities);
static const lab_section *const sections[] = {&all, &andersson_laws};

const lab_paper lab_andersson = {
    .key = "andersson",
    .title = "Andersson et al. 2007, friction models for sliding contacts",
    .runs = runs,
    .n_runs = N_RUNS,
    .sections = sections,
    .n_sections = sizeof sections / sizeof *sections,
    .draw = draw,
};
