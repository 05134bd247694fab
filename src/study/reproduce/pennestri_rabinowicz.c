/* pennestri_rabinowicz.c - Pennestri et al. 2016, section 3.1: the exact solution of the rig, the
 * readings that the text leaves open against it, and the energies. The tables solver by solver are
 * in pennestri_tables.c. */
#include "pennestri.h"

#include <math.h>
#include <stdlib.h>

#define LATE (1e-3 * LATE_MS)

/* ---- the Rabinowicz rig: differences from the reference ------------------------------------ */

/* The rig as numbers. */
typedef struct rig {
    double m, k, v, Fc, Fs;
} rig;

static rig rig_of(const bri_sim_def *def) {
    const bri_system *y = &def->system;
    const bri_contact *c = &y->contacts[0];
    return (rig){y->bodies[0].mass, y->couplings[0].p[0],
                 bri_signal_value(y->bodies[1].velocity, 0.0),
                 c->n * c->p[bri_model_param(c->model, "mu_c")],
                 c->n * c->p[bri_model_param(c->model, "mu_s")]};
}

/* Position of the block with Coulomb friction in closed form, at t[0 ... count - 1]; break-away and
 * re-stick are noticed at the next multiple of `grid` only, as the published solution seems to do.
 * grid = 0: at once. */
static void closed_form(const rig *g, double grid, const double *t, double *x, long count) {
    double w = sqrt(g->k / g->m), middle = g->Fc / g->k, from = t[0], x0 = 0.0;
    long i = 0;
    while (i < count) {
        double until = from + (g->Fs / g->k - x0) / g->v; /* stuck: x = x0 + v (t - from) */
        if (grid > 0.0) until = ceil(until / grid - 1e-9) * grid;
        for (; i < count && t[i] <= until; i++) x[i] = x0 + g->v * (t[i] - from);
        x0 += g->v * (until - from);
        from = until;
        /* slips: oscillates about Fc/k until the speed is that of the slab again */
        double a = x0 - middle, b = g->v / w;
        until = from + 2.0 * (3.14159265358979323846 - atan2(a, b)) / w;
        if (grid > 0.0) until = ceil(until / grid - 1e-9) * grid;
        for (; i < count && t[i] <= until; i++) {
            double phase = w * (t[i] - from);
            x[i] = middle + a * cos(phase) + b * sin(phase);
        }
        double phase = w * (until - from);
        x0 = middle + a * cos(phase) + b * sin(phase);
        from = until;
    }
}

bri_difference pennestri_difference(const bri_sim_def *exact, const bri_trace *trace, double grid) {
    const bri_difference none = {NAN, NAN, NAN, NAN, NAN, NAN};
    const double *x = bri_trace_find(trace, "block.x");
    if (trace->err.status != BRI_OK || !x || !exact) return none;
    const rig g = rig_of(exact);
    double *ref = calloc((size_t)trace->n_rows, sizeof *ref);
    if (!ref) return none;
    closed_form(&g, grid, bri_trace_column(trace, 0), ref, trace->n_rows);
    bri_difference d = bri_measure_difference(x, ref, trace->n_rows);
    free(ref);
    return d;
}

/* Run q->run, switches on a grid of a seconds. */
static bri_difference difference(const lab *l, const lab_quantity *q) {
    return pennestri_difference(lab_def(l, R_EXACT), lab_trace(l, q->run), q->a);
}

double pennestri_xi(const lab *l, const lab_quantity *q) { return difference(l, q).xi; }
double pennestri_Gamma(const lab *l, const lab_quantity *q) { return difference(l, q).Gamma; }
static double most(const lab *l, const lab_quantity *q) { return difference(l, q).most; }

/* Until 50 s, over that of exact stick. */
static double dissipated(const lab *l, const lab_quantity *q) {
    lab_quantity mine = *q, exact = *q;
    mine.column = exact.column = "energy.dissipated";
    mine.a = exact.a = 50.0;
    exact.run = R_EXACT;
    return lab_at(l, &mine) / lab_at(l, &exact);
}

/* Largest displacement over that of exact stick. */
static double reaches(const lab *l, const lab_quantity *q) {
    lab_quantity mine = *q, exact = *q;
    mine.column = exact.column = "block.x";
    mine.a = exact.a = 0.0, mine.b = exact.b = 50.0;
    exact.run = R_EXACT;
    return lab_most(l, &mine) / lab_most(l, &exact);
}

/* The least of that of the laws with static friction. */
static double all_reach(const lab *l, const lab_quantity *q) {
    static const int laws[] = {R_VELOCITY, R_LUGRE,    R_STICK_SLIP_WHOLE,
                               R_KARNOPP,  R_ELASTO_2, R_GONTHIER};
    lab_quantity one = *q;
    double least = INFINITY;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        one.run = laws[i];
        least = fmin(least, reaches(l, &one));
    }
    return least;
}

/* Range of friction within half a second of the first re-stick, over that of exact stick. */
static double swing(const lab *l, const lab_quantity *q) {
    lab_quantity mine = *q, exact = *q;
    mine.column = exact.column = "pad.F";
    mine.a = exact.a = 28.5, mine.b = exact.b = 29.5;
    exact.run = R_EXACT;
    return lab_range(l, &mine) / lab_range(l, &exact);
}

/* ---- quantities ---------------------------------------------------------------------------- */

#define DISTINCT                                                                                   \
    .source = CLAIM, .relation = BELOW, .published = "0.95",                                       \
    .grounds = "'a distinct behavior', as they have no static friction: by 5 %"
#define EQUIVALENT                                                                                 \
    .source = CLAIM, .published = "1", .tolerance = 0.06,                                          \
    .grounds = "'substantial equivalence of the dissipated energy': nearer than the excepted laws"
#define EXCEPTED                                                                                   \
    .source = CLAIM, .relation = ABOVE, .published = "1.06",                                       \
    .grounds = "'with the exception of smooth Coulomb and Dahl': further off than the others"
#define LATELY       "the published reference notices its switches up to 0.02 s late: see the late one"
#define TANH_READING "the print fits tanh(clip(v/v_d))/tanh(1), not this: see the clipped form"
#define BLEND                                                                                      \
    "the blends of Fig. 4 are not printed: of 60 pairs that were tried one gives the print "       \
    "against the late reference, a cubic up to v_s and a cosine from there"
#define WHOLE                                                                                      \
    "the rate of Delta is not printed; the print fits Delta = the displacement itself, which is "  \
    "no state, as in Table 2: its mean over the solvers"
#define SQUARE                                                                                     \
    "the square of (19) makes beta(0) = -1/2: a slow contact is pushed on. With the cubic step "   \
    "and Delta = the displacement the mean over the solvers is the print"
/* Break-away is set off by rounding: the printed columns scatter from 3.9 to 4.4. */
#define MEAN_XI                                                                                    \
    .second = &(const lab_quantity) { .measure = stick_slip_mean_xi, .tolerance = 0.25 }
#define MEAN_GAMMA                                                                                 \
    .second = &(const lab_quantity) { .measure = stick_slip_mean_Gamma }
#define BAND     "the print fits a band v_s = 0.01 m/s that lets go at F_s: see that reading"
#define EXPONENT "the print fits the exponent 2, though the text says 1"
#define SIGNED                                                                                     \
    "without the bars of |z| backward motion, as on this rig, has another blend: with them the "   \
    "print follows"
#define PRINTED_DIR "the factor |v|/v_t too much changes nothing here; see the late reference"

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "Rabinowicz, exact stick", .name = "first break-away", .unit = "s",
     .source = CLOSED_FORM, .published = "23.544", .run = R_EXACT, .measure = lab_event, .a = 0},
    {.experiment = "Rabinowicz, exact stick", .name = "first re-stick", .unit = "s",
     .source = CLOSED_FORM, .published = "28.96527", .run = R_EXACT, .measure = lab_event, .a = 1},
    {.experiment = "Rabinowicz, exact stick", .name = "second break-away", .unit = "s",
     .source = CLOSED_FORM, .published = "36.81327", .run = R_EXACT, .measure = lab_event, .a = 2},
    {.experiment = "Rabinowicz, exact stick", .name = "second re-stick", .unit = "s",
     .source = CLOSED_FORM, .published = "42.23453", .run = R_EXACT, .measure = lab_event, .a = 3},
    {.experiment = "Rabinowicz, exact stick", .name = "dissipated in a slip", .unit = "J",
     .source = CLOSED_FORM, .published = "650.86", .run = R_EXACT, .measure = lab_moved,
     .column = "energy.dissipated", .a = 30.0},
    {.experiment = "Rabinowicz, exact stick", .name = "distance from the closed solution",
     .unit = "m", .source = CLOSED_FORM, .published = "0", .tolerance = 1e-6,
     .grounds = "relative tolerance 1e-8 of the integrator over 12 m, ten times over",
     .run = R_EXACT, .measure = most},

    {.experiment = "Fig. 10", .name = "smooth Coulomb: largest displacement over that of exact stick", .unit = "",
     DISTINCT, .run = R_CLIPPED, .measure = reaches},
    {.experiment = "Fig. 10", .name = "Dahl: largest displacement over that of exact stick", .unit = "",
     DISTINCT, .run = R_DAHL, .measure = reaches},
    {.experiment = "Fig. 10", .name = "laws with static friction: the same, the least of the six", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "0.95",
     .grounds = "only laws without static friction 'have a distinct behavior'", .measure = all_reach},
    {.experiment = "Fig. 12", .name = "LuGre: swing of friction at the first re-stick, over that of exact stick", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "1.5",
     .grounds = "'sharp oscillations': half as much again as the step to stick", .run = R_LUGRE,
     .measure = swing},
    {.experiment = "Table 4, exact reference", .name = "smooth Coulomb (4): xi", .unit = "%", .source = PRINTED,
     .published = "27.3", .run = R_TANH, .measure = pennestri_xi, .a = 0.0,
     .reason = TANH_READING, .expected = "26.9",
     .second = &(const lab_quantity){.run = R_CLIPPED, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "smooth Coulomb (4): Gamma", .unit = "%", .source = PRINTED,
     .published = "7.9", .run = R_TANH, .measure = pennestri_Gamma, .a = 0.0,
     .reason = TANH_READING, .expected = "8.30",
     .second = &(const lab_quantity){.run = R_CLIPPED, .measure = pennestri_Gamma, .a = LATE}},
    {.experiment = "Table 4, exact reference", .name = "smooth Coulomb, clipped: xi", .unit = "%", .source = PRINTED,
     .published = "27.3", .run = R_CLIPPED, .measure = pennestri_xi, .a = 0.0},
    {.experiment = "Table 5, exact reference", .name = "smooth Coulomb, clipped: Gamma", .unit = "%", .source = PRINTED,
     .published = "7.9", .run = R_CLIPPED, .measure = pennestri_Gamma, .a = 0.0},
    {.experiment = "Table 4, exact reference", .name = "smooth Coulomb, exponential: xi", .unit = "%", .source = PRINTED,
     .published = "27.3", .run = R_EXPONENTIAL, .measure = pennestri_xi, .a = 0.0,
     .reason = TANH_READING, .expected = "25.156",
     .second = &(const lab_quantity){.run = R_CLIPPED, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "smooth Coulomb, exponential: Gamma", .unit = "%", .source = PRINTED,
     .published = "7.9", .run = R_EXPONENTIAL, .measure = pennestri_Gamma, .a = 0.0,
     .reason = TANH_READING, .expected = "8.6455",
     .second = &(const lab_quantity){.run = R_CLIPPED, .measure = pennestri_Gamma, .a = LATE}},
    {.experiment = "Table 4, exact reference", .name = "smooth Coulomb, sine: xi", .unit = "%", .source = PRINTED,
     .published = "27.3", .run = R_SINE, .measure = pennestri_xi, .a = 0.0,
     .reason = TANH_READING, .expected = "26.761",
     .second = &(const lab_quantity){.run = R_CLIPPED, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "smooth Coulomb, sine: Gamma", .unit = "%", .source = PRINTED,
     .published = "7.9", .run = R_SINE, .measure = pennestri_Gamma, .a = 0.0,
     .reason = TANH_READING, .expected = "7.744",
     .second = &(const lab_quantity){.run = R_CLIPPED, .measure = pennestri_Gamma, .a = LATE}},
    {.experiment = "Table 4, exact reference", .name = "velocity based, sine: xi", .unit = "%", .source = PRINTED,
     .published = "12.5", .run = R_VELOCITY, .measure = pennestri_xi, .a = 0.0,
     .reason = BLEND, .expected = "12.63",
     .second = &(const lab_quantity){.run = R_VELOCITY_MIXED, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "velocity based, sine: Gamma", .unit = "%", .source = PRINTED,
     .published = "2.7", .run = R_VELOCITY, .measure = pennestri_Gamma, .a = 0.0},
    {.experiment = "Table 4, exact reference", .name = "velocity based, cubic: xi", .unit = "%", .source = PRINTED,
     .published = "12.5", .run = R_VELOCITY_CUBIC, .measure = pennestri_xi, .a = 0.0},
    {.experiment = "Table 5, exact reference", .name = "velocity based, cubic: Gamma", .unit = "%", .source = PRINTED,
     .published = "2.7", .run = R_VELOCITY_CUBIC, .measure = pennestri_Gamma, .a = 0.0},
    {.experiment = "Table 4, exact reference", .name = "Dahl: xi", .unit = "%", .source = PRINTED,
     .published = "23.6", .run = R_DAHL, .measure = pennestri_xi, .a = 0.0},
    {.experiment = "Table 5, exact reference", .name = "Dahl: Gamma", .unit = "%", .source = PRINTED,
     .published = "6.9", .run = R_DAHL, .measure = pennestri_Gamma, .a = 0.0},
    {.experiment = "Table 4, exact reference", .name = "LuGre: xi", .unit = "%", .source = PRINTED,
     .published = "4.0", .run = R_LUGRE, .measure = pennestri_xi, .a = 0.0,
     .reason = LATELY, .expected = "3.71",
     .second = &(const lab_quantity){.run = R_LUGRE, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "LuGre: Gamma", .unit = "%", .source = PRINTED,
     .published = "0.8", .run = R_LUGRE, .measure = pennestri_Gamma, .a = 0.0,
     .reason = LATELY, .expected = "0.72",
     .second = &(const lab_quantity){.run = R_LUGRE, .measure = pennestri_Gamma, .a = LATE}},
    {.experiment = "Table 4, exact reference", .name = "stick-slip: xi", .unit = "%", .source = PRINTED,
     .published = "4.0", .run = R_STICK_SLIP, .measure = pennestri_xi, .a = 0.0,
     .reason = WHOLE, .expected = "4.5", .expected_tolerance = 0.5, MEAN_XI},
    {.experiment = "Table 5, exact reference", .name = "stick-slip: Gamma", .unit = "%", .source = PRINTED,
     .published = "0.8", .run = R_STICK_SLIP, .measure = pennestri_Gamma, .a = 0.0,
     .reason = WHOLE, .expected = "0.93", .expected_tolerance = 0.1, MEAN_GAMMA},
    {.experiment = "Table 4, exact reference", .name = "stick-slip, Delta relaxes in 10 ms: xi", .unit = "%", .source = PRINTED,
     .published = "4.0", .run = R_STICK_SLIP_RELAXED, .measure = pennestri_xi, .a = 0.0,
     .reason = WHOLE, .expected = "4.5", .expected_tolerance = 0.5, MEAN_XI},
    {.experiment = "Table 5, exact reference", .name = "stick-slip, Delta relaxes in 10 ms: Gamma", .unit = "%", .source = PRINTED,
     .published = "0.8", .run = R_STICK_SLIP_RELAXED, .measure = pennestri_Gamma, .a = 0.0,
     .reason = WHOLE, .expected = "0.93", .expected_tolerance = 0.1, MEAN_GAMMA},
    {.experiment = "Table 4, exact reference", .name = "stick-slip, (19) as printed: xi", .unit = "%", .source = PRINTED,
     .published = "4.0", .run = R_STICK_SLIP_PRINTED, .measure = pennestri_xi, .a = 0.0,
     .reason = SQUARE, .expected = "20.04", .expected_tolerance = 0.05, MEAN_XI},
    {.experiment = "Table 5, exact reference", .name = "stick-slip, (19) as printed: Gamma", .unit = "%", .source = PRINTED,
     .published = "0.8", .run = R_STICK_SLIP_PRINTED, .measure = pennestri_Gamma, .a = 0.0,
     .reason = SQUARE, .expected = "4.28", .expected_tolerance = 0.02, MEAN_GAMMA},
    {.experiment = "Table 4, exact reference", .name = "Karnopp (6), band v_d: xi", .unit = "%", .source = PRINTED,
     .published = "2.1", .run = R_KARNOPP_BAND, .measure = pennestri_xi, .a = 0.0,
     .reason = BAND, .expected = "23.98",
     .second = &(const lab_quantity){.run = R_KARNOPP, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "Karnopp (6), band v_d: Gamma", .unit = "%", .source = PRINTED,
     .published = "0.3", .run = R_KARNOPP_BAND, .measure = pennestri_Gamma, .a = 0.0,
     .reason = BAND, .expected = "4.86",
     .second = &(const lab_quantity){.run = R_KARNOPP, .measure = pennestri_Gamma, .a = LATE}},
    {.experiment = "Table 4, exact reference", .name = "Karnopp, band v_s: xi", .unit = "%", .source = PRINTED,
     .published = "2.1", .run = R_KARNOPP, .measure = pennestri_xi, .a = 0.0,
     .reason = LATELY, .expected = "2.31",
     .second = &(const lab_quantity){.run = R_KARNOPP, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "Karnopp, band v_s: Gamma", .unit = "%", .source = PRINTED,
     .published = "0.3", .run = R_KARNOPP, .measure = pennestri_Gamma, .a = 0.0,
     .reason = LATELY, .expected = "0.37",
     .second = &(const lab_quantity){.run = R_KARNOPP, .measure = pennestri_Gamma, .a = LATE}},
    {.experiment = "Table 4, exact reference", .name = "elasto-plastic, exponent 1: xi", .unit = "%", .source = PRINTED,
     .published = "9.5", .run = R_ELASTO_1, .measure = pennestri_xi, .a = 0.0,
     .reason = EXPONENT, .expected = "3.42",
     .second = &(const lab_quantity){.run = R_ELASTO_2, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "elasto-plastic, exponent 1: Gamma", .unit = "%", .source = PRINTED,
     .published = "1.9", .run = R_ELASTO_1, .measure = pennestri_Gamma, .a = 0.0,
     .reason = EXPONENT, .expected = "0.66",
     .second = &(const lab_quantity){.run = R_ELASTO_2, .measure = pennestri_Gamma, .a = 0.0}},
    {.experiment = "Table 4, exact reference", .name = "elasto-plastic, exponent 2: xi", .unit = "%", .source = PRINTED,
     .published = "9.5", .run = R_ELASTO_2, .measure = pennestri_xi, .a = 0.0,
     .reason = LATELY, .expected = "9.69",
     .second = &(const lab_quantity){.run = R_ELASTO_2, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "elasto-plastic, exponent 2: Gamma", .unit = "%", .source = PRINTED,
     .published = "1.9", .run = R_ELASTO_2, .measure = pennestri_Gamma, .a = 0.0},
    {.experiment = "Table 4, exact reference", .name = "elasto-plastic, exponent 2, (15) as printed: xi", .unit = "%", .source = PRINTED,
     .published = "9.5", .run = R_ELASTO_PRINTED, .measure = pennestri_xi, .a = 0.0,
     .reason = SIGNED, .expected = "15.72", .expected_tolerance = 0.02,
     .second = &(const lab_quantity){.run = R_ELASTO_2, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "elasto-plastic, exponent 2, (15) as printed: Gamma", .unit = "%", .source = PRINTED,
     .published = "1.9", .run = R_ELASTO_PRINTED, .measure = pennestri_Gamma, .a = 0.0,
     .reason = SIGNED, .expected = "3.15",
     .second = &(const lab_quantity){.run = R_ELASTO_2, .measure = pennestri_Gamma, .a = 0.0}},
    {.experiment = "Table 4, exact reference", .name = "Gonthier: xi", .unit = "%", .source = PRINTED,
     .published = "14.0", .run = R_GONTHIER, .measure = pennestri_xi, .a = 0.0,
     .reason = LATELY, .expected = "14.23",
     .second = &(const lab_quantity){.run = R_GONTHIER, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "Gonthier: Gamma", .unit = "%", .source = PRINTED,
     .published = "2.8", .run = R_GONTHIER, .measure = pennestri_Gamma, .a = 0.0},
    {.experiment = "Table 4, exact reference", .name = "Gonthier, (26) as printed: xi", .unit = "%", .source = PRINTED,
     .published = "14.0", .run = R_GONTHIER_PRINTED, .measure = pennestri_xi, .a = 0.0,
     .reason = PRINTED_DIR, .expected = "14.231",
     .second = &(const lab_quantity){.run = R_GONTHIER, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, exact reference", .name = "Gonthier, (26) as printed: Gamma", .unit = "%", .source = PRINTED,
     .published = "2.8", .run = R_GONTHIER_PRINTED, .measure = pennestri_Gamma, .a = 0.0},
    {.experiment = "Table 4, late reference", .name = "smooth Coulomb (4): xi", .unit = "%", .source = PRINTED,
     .published = "27.3", .run = R_TANH, .measure = pennestri_xi, .a = LATE,
     .reason = TANH_READING, .expected = "26.9",
     .second = &(const lab_quantity){.run = R_CLIPPED, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, late reference", .name = "smooth Coulomb (4): Gamma", .unit = "%", .source = PRINTED,
     .published = "7.9", .run = R_TANH, .measure = pennestri_Gamma, .a = LATE,
     .reason = TANH_READING, .expected = "8.30",
     .second = &(const lab_quantity){.run = R_CLIPPED, .measure = pennestri_Gamma, .a = LATE}},
    {.experiment = "Table 4, late reference", .name = "velocity based, cubic: xi", .unit = "%", .source = PRINTED,
     .published = "12.5", .run = R_VELOCITY_CUBIC, .measure = pennestri_xi, .a = LATE,
     .reason = BLEND, .expected = "12.34",
     .second = &(const lab_quantity){.run = R_VELOCITY_MIXED, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, late reference", .name = "velocity based, cubic: Gamma", .unit = "%", .source = PRINTED,
     .published = "2.7", .run = R_VELOCITY_CUBIC, .measure = pennestri_Gamma, .a = LATE,
     .reason = BLEND, .expected = "2.63",
     .second = &(const lab_quantity){.run = R_VELOCITY_MIXED, .measure = pennestri_Gamma, .a = LATE}},
    {.experiment = "Table 4, late reference", .name = "velocity based, cubic and cosine: xi", .unit = "%", .source = PRINTED,
     .published = "12.5", .run = R_VELOCITY_MIXED, .measure = pennestri_xi, .a = LATE},
    {.experiment = "Table 5, late reference", .name = "velocity based, cubic and cosine: Gamma", .unit = "%", .source = PRINTED,
     .published = "2.7", .run = R_VELOCITY_MIXED, .measure = pennestri_Gamma, .a = LATE},
    {.experiment = "Table 4, late reference", .name = "Karnopp (6), band v_d: xi", .unit = "%", .source = PRINTED,
     .published = "2.1", .run = R_KARNOPP_BAND, .measure = pennestri_xi, .a = LATE,
     .reason = BAND, .expected = "23.85",
     .second = &(const lab_quantity){.run = R_KARNOPP, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, late reference", .name = "Karnopp (6), band v_d: Gamma", .unit = "%", .source = PRINTED,
     .published = "0.3", .run = R_KARNOPP_BAND, .measure = pennestri_Gamma, .a = LATE,
     .reason = BAND, .expected = "4.83",
     .second = &(const lab_quantity){.run = R_KARNOPP, .measure = pennestri_Gamma, .a = LATE}},
    {.experiment = "Table 4, late reference", .name = "elasto-plastic, exponent 1: xi", .unit = "%", .source = PRINTED,
     .published = "9.5", .run = R_ELASTO_1, .measure = pennestri_xi, .a = LATE,
     .reason = EXPONENT, .expected = "3.67",
     .second = &(const lab_quantity){.run = R_ELASTO_2, .measure = pennestri_xi, .a = LATE}},
    {.experiment = "Table 5, late reference", .name = "elasto-plastic, exponent 1: Gamma", .unit = "%", .source = PRINTED,
     .published = "1.9", .run = R_ELASTO_1, .measure = pennestri_Gamma, .a = LATE,
     .reason = EXPONENT, .expected = "0.71",
     .second = &(const lab_quantity){.run = R_ELASTO_2, .measure = pennestri_Gamma, .a = 0.0}},

    {.experiment = "Fig. 13, energy", .name = "smooth Coulomb: dissipated over that of exact stick",
     .unit = "", EXCEPTED, .run = R_CLIPPED, .measure = dissipated},
    {.experiment = "Fig. 13, energy", .name = "Dahl: dissipated over that of exact stick",
     .unit = "", EXCEPTED, .run = R_DAHL, .measure = dissipated},
    {.experiment = "Fig. 13, energy", .name = "velocity based: dissipated over that of exact stick",
     .unit = "", EQUIVALENT, .run = R_VELOCITY, .measure = dissipated},
    {.experiment = "Fig. 13, energy", .name = "LuGre: dissipated over that of exact stick",
     .unit = "", EQUIVALENT, .run = R_LUGRE, .measure = dissipated},
    {.experiment = "Fig. 13, energy", .name = "stick-slip: dissipated over that of exact stick",
     .unit = "", EQUIVALENT, .run = R_STICK_SLIP_WHOLE, .measure = dissipated},
    {.experiment = "Fig. 13, energy", .name = "Karnopp, band v_s: dissipated over that of exact stick",
     .unit = "", EQUIVALENT, .run = R_KARNOPP, .measure = dissipated},
    {.experiment = "Fig. 13, energy", .name = "elasto-plastic, exponent 2: dissipated over that of exact stick",
     .unit = "", EQUIVALENT, .run = R_ELASTO_2, .measure = dissipated},
    {.experiment = "Fig. 13, energy", .name = "Gonthier: dissipated over that of exact stick",
     .unit = "", EQUIVALENT, .run = R_GONTHIER, .measure = dissipated},

};
/* clang-format on */

const lab_section pennestri_rabinowicz = LAB_SECTION(quantities);
