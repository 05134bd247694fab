/* pennestri_tables.c - Tables 4 and 5 of Pennestri et al. 2016, all of their 144 entries: largest
 * and mean difference of each law from the closed solution, with three solvers at three tolerances.
 * Of laws that the text leaves open it is the reading that fits (pennestri_rabinowicz.c); the
 * reference is the late one. */
#include "pennestri.h"

#include <math.h>
#include <stdio.h>

/* The readings, in the order of the laws. */
static const char *const readings[COST_LAWS] = {
    [0] = "pad.clipped=1; ",
    [4] = "pad.as_printed=2; ",
    [6] = "pad.gamma=2; ",
};

static pennestri_notes *notes_of(const lab *l) { return l->notes; }

/* Karnopp's law sticks exactly and has its own solver, whatever the column. */
void table_do(lab *l, int i) {
    int law = i / COST_COLUMNS, column = i % COST_COLUMNS;
    char set[120];
    const bri_model *m = bri_model_find(cost_laws[law]);
    snprintf(set, sizeof set, "%srun.solver=%s; run.rtol=%s", readings[law] ? readings[law] : "",
             m->set_valued ? "event_driven" : cost_solvers[column / 3],
             cost_tolerances[column % 3]);
    const lab_run run = {"rabinowicz", cost_laws[law], set},
                  coulomb = {"rabinowicz", "coulomb", NULL};
    const bri_watch quiet = {.context = l->watch ? l->watch->context : NULL,
                             .stop = l->watch ? l->watch->stop : NULL};
    bri_scenario *s, *exact;
    bri_error err;
    bri_trace t = {0};
    if (lab_load(l, &run, &s, &err) != BRI_OK) return;
    bri_sim_def def = *bri_scenario_def(s);
    def.energies = 0;
    if (bri_trace_run(&t, &def, bri_scenario_output(s), &quiet) == BRI_OK &&
        lab_load(l, &coulomb, &exact, &err) == BRI_OK) {
        notes_of(l)->differences[law][column] =
            pennestri_difference(bri_scenario_def(exact), &t, 1e-3 * LATE_MS);
        notes_of(l)->compared[law][column] = 1;
        bri_scenario_free(exact);
    }
    bri_trace_free(&t);
    bri_scenario_free(s);
}

/* ---- measures: law a, column b ------------------------------------------------------------- */

static bri_difference cell(const lab *l, int law, int column) {
    const pennestri_notes *n = notes_of(l);
    const bri_difference none = {NAN, NAN, NAN, NAN, NAN, NAN};
    return n->compared[law][column] ? n->differences[law][column] : none;
}

static double table_xi(const lab *l, const lab_quantity *q) {
    return cell(l, (int)q->a, (int)q->b).xi;
}

static double table_Gamma(const lab *l, const lab_quantity *q) {
    return cell(l, (int)q->a, (int)q->b).Gamma;
}

/* In which the paper's run of the stick-slip law got lost: ode15s at 1e-4. */
enum { LOST_COLUMN = 6 };

static double stick_slip_mean(const lab *l, int xi) {
    double sum = 0.0;
    int law = cost_law("stick_slip");
    for (int k = 0; k < COST_COLUMNS; k++)
        if (k != LOST_COLUMN) sum += xi ? cell(l, law, k).xi : cell(l, law, k).Gamma;
    return sum / (COST_COLUMNS - 1);
}

double stick_slip_mean_xi(const lab *l, const lab_quantity *q) { return stick_slip_mean(l, 1); }
double stick_slip_mean_Gamma(const lab *l, const lab_quantity *q) { return stick_slip_mean(l, 0); }

/* Standard deviation of its xi over the same columns. */
static double stick_slip_scatter(const lab *l, const lab_quantity *q) {
    double mean = stick_slip_mean(l, 1), sum = 0.0;
    int law = cost_law("stick_slip");
    for (int k = 0; k < COST_COLUMNS; k++)
        if (k != LOST_COLUMN) sum += pow(cell(l, law, k).xi - mean, 2.0);
    return sqrt(sum / (COST_COLUMNS - 2));
}

/* Largest less smallest xi of a law over the three solvers at 1e-6 and 1e-8. */
static double range_of(const lab *l, int law) {
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < COST_COLUMNS; k++) {
        double value = cell(l, law, k).xi;
        if (isnan(value)) return NAN;
        if (k % 3 == 0) continue;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    return most - least;
}

static double range_of_law(const lab *l, const lab_quantity *q) { return range_of(l, (int)q->a); }

/* Laws whose xi changes by less than a over them. */
static double unaffected(const lab *l, const lab_quantity *q) {
    int count = 0;
    for (int law = 0; law < COST_LAWS; law++) count += range_of(l, law) < q->a;
    return count;
}

static double failed(const lab *l, const lab_quantity *q) {
    int count = 0;
    for (int law = 0; law < COST_LAWS; law++)
        for (int k = 0; k < COST_COLUMNS; k++) count += !notes_of(l)->compared[law][k];
    return count;
}

/* ---- quantities ---------------------------------------------------------------------------- */

#define OWN_ERROR                                                                                  \
    "at 1e-4 what is printed is the error of MATLAB's own steps: its absolute tolerance and "      \
    "first "                                                                                       \
    "step are not given"
#define SHORT_OF_BLEND                                                                             \
    "0.014 points short of what would round to the print. The blends are not printed: of 60 "      \
    "pairs "                                                                                       \
    "that were tried one gives it, a cubic up to v_s and a cosine from there"
#define LOST                                                                                       \
    "the run of the paper got lost; ours do not, with any absolute tolerance that was tried"
#define BETWEEN "1.845: the print has 1.9 with two solvers and 1.8 with the third"

/* One cell; loose tolerances are not determined, tight ones may be known to differ. */
#define CELL(table, solver, text, function, law, column, value, ...)                               \
    {                                                                                              \
        .experiment = table ", " solver, .name = text, .unit = "%", .source = PRINTED,             \
        .published = value, .measure = function, .a = law, .b = column, .needs = "cvode_bdf",      \
        __VA_ARGS__                                                                                \
    }
#define LOOSE(...) CELL(__VA_ARGS__, .reason = OWN_ERROR, .undetermined = 1)
#define NINE(table, text, function, law, a, b, c, d, e, f, g, h, i, ...)                           \
    SIX(table, text, function, law, a, b, c, d, e, f, __VA_ARGS__),                                \
        LOOSE(table, "ode15s 1e-4", text, function, law, 6, g),                                    \
        STIFF(table, text, function, law, h, i, __VA_ARGS__)
#define SIX(table, text, function, law, a, b, c, d, e, f, ...)                                     \
    LOOSE(table, "ode45 1e-4", text, function, law, 0, a),                                         \
        CELL(table, "ode45 1e-6", text, function, law, 1, b, __VA_ARGS__),                         \
        CELL(table, "ode45 1e-8", text, function, law, 2, c, __VA_ARGS__),                         \
        LOOSE(table, "ode113 1e-4", text, function, law, 3, d),                                    \
        CELL(table, "ode113 1e-6", text, function, law, 4, e, __VA_ARGS__),                        \
        CELL(table, "ode113 1e-8", text, function, law, 5, f, __VA_ARGS__)
#define STIFF(table, text, function, law, h, i, ...)                                               \
    CELL(table, "ode15s 1e-6", text, function, law, 7, h, __VA_ARGS__),                            \
        CELL(table, "ode15s 1e-8", text, function, law, 8, i, __VA_ARGS__)
#define VELOCITY_XI                                                                                \
    .reason = SHORT_OF_BLEND, .expected = "12.44", .expected_tolerance = 0.02,                     \
    .second = &(const lab_quantity) {                                                              \
        .run = R_VELOCITY_MIXED, .measure = pennestri_xi, .a = 1e-3 * LATE_MS                      \
    }
#define VELOCITY_GAMMA                                                                             \
    .reason = SHORT_OF_BLEND, .expected = "2.64", .expected_tolerance = 0.015,                     \
    .second = &(const lab_quantity) {                                                              \
        .run = R_VELOCITY_MIXED, .measure = pennestri_Gamma, .a = 1e-3 * LATE_MS                   \
    }
#define ELASTO_GAMMA .reason = BETWEEN, .expected = "1.845", .expected_tolerance = 0.005
/* The stick-slip law has no limit that finer steps tend to. */
#define SCATTER                                                                                    \
    "no column of this law is determined: its break-away is set off by rounding, in MATLAB's "     \
    "steps as in ours. The means and the scatter are compared"
#define SCATTER_XI                                                                                 \
    .scatters = 1, .reason = SCATTER, .undetermined = 1, .expected = "4.1",                        \
    .expected_tolerance = 0.5
#define SCATTER_GAMMA                                                                              \
    .scatters = 1, .reason = SCATTER, .undetermined = 1, .expected = "0.8",                        \
    .expected_tolerance = 0.1
#define SCATTERED(table, text, function, a, b, c, d, e, f, g, h, i, ...)                           \
    CELL(table, "ode45 1e-4", text, function, 4, 0, a, __VA_ARGS__),                               \
        CELL(table, "ode45 1e-6", text, function, 4, 1, b, __VA_ARGS__),                           \
        CELL(table, "ode45 1e-8", text, function, 4, 2, c, __VA_ARGS__),                           \
        CELL(table, "ode113 1e-4", text, function, 4, 3, d, __VA_ARGS__),                          \
        CELL(table, "ode113 1e-6", text, function, 4, 4, e, __VA_ARGS__),                          \
        CELL(table, "ode113 1e-8", text, function, 4, 5, f, __VA_ARGS__),                          \
        CELL(table, "ode15s 1e-4", text, function, 4, 6, g, .reason = LOST, .undetermined = 1),    \
        STIFF(table, text, function, 4, h, i, __VA_ARGS__)
#define UNAFFECTED(text, law, value)                                                               \
    {                                                                                              \
        .experiment = "Table 4", .name = text ": range of xi at 1e-6 and 1e-8", .unit = "%",       \
        .source = PRINTED, .published = value, .tolerance = 0.1,                                   \
        .grounds = "the difference of two numbers with one decimal", .measure = range_of_law,      \
        .a = law, .needs = "cvode_bdf"                                                             \
    }

/* clang-format off */
static const lab_quantity quantities[] = {
    NINE("Table 4", "smooth Coulomb: xi", table_xi, 0, "27.3", "27.3", "27.3", "27.3", "27.3", "27.3", "27.3", "27.3", "27.3", ),
    NINE("Table 4", "velocity based: xi", table_xi, 1, "12.5", "12.5", "12.5", "12.5", "12.5", "12.5", "12.4", "12.5", "12.5", VELOCITY_XI),
    NINE("Table 4", "Dahl: xi", table_xi, 2, "23.6", "23.6", "23.6", "23.6", "23.6", "23.6", "23.6", "23.6", "23.6", ),
    NINE("Table 4", "LuGre: xi", table_xi, 3, "3.8", "4.0", "4.0", "3.8", "4.0", "4.0", "4.6", "4.0", "4.0", ),
    SCATTERED("Table 4", "stick-slip: xi", table_xi, "4.4", "3.9", "4.0", "4.3", "4.0", "4.2", "1824", "3.9", "4.0", SCATTER_XI),
    {.experiment = "Table 4", .name = "stick-slip: mean xi of the eight columns not lost", .unit = "%",
     .source = PRINTED, .published = "4.09", .tolerance = 0.17,
     .grounds = "twice the error of a mean of eight that scatter by 0.17, theirs and ours",
     .measure = stick_slip_mean_xi, .needs = "cvode_bdf", .scatters = 1},
    {.experiment = "Table 4", .name = "stick-slip: standard deviation of xi over these columns", .unit = "%",
     .source = PRINTED, .published = "0.18", .tolerance = 0.1,
     .grounds = "twice the error of the deviation of eight, theirs and ours: 0.18/sqrt(2*7) each",
     .measure = stick_slip_scatter, .needs = "cvode_bdf", .scatters = 1},
    NINE("Table 4", "Karnopp: xi", table_xi, 5, "1.9", "2.1", "2.1", "2.1", "2.1", "2.1", "2.0", "2.1", "2.1", ),
    NINE("Table 4", "elasto-plastic: xi", table_xi, 6, "9.4", "9.5", "9.5", "9.4", "9.5", "9.5", "9.0", "9.5", "9.5", ),
    NINE("Table 4", "Gonthier: xi", table_xi, 7, "14.0", "14.0", "14.0", "14.0", "14.0", "14.0", "14.0", "14.0", "14.0", ),
    NINE("Table 5", "smooth Coulomb: Gamma", table_Gamma, 0, "7.9", "7.9", "7.9", "7.9", "7.9", "7.9", "7.9", "7.9", "7.9", ),
    NINE("Table 5", "velocity based: Gamma", table_Gamma, 1, "2.7", "2.7", "2.7", "2.7", "2.7", "2.7", "2.6", "2.7", "2.7", VELOCITY_GAMMA),
    NINE("Table 5", "Dahl: Gamma", table_Gamma, 2, "6.9", "6.9", "6.9", "6.9", "6.9", "6.9", "6.9", "6.9", "6.9", ),
    NINE("Table 5", "LuGre: Gamma", table_Gamma, 3, "0.7", "0.8", "0.8", "0.7", "0.8", "0.8", "0.9", "0.8", "0.8", ),
    SCATTERED("Table 5", "stick-slip: Gamma", table_Gamma, "0.8", "0.8", "0.8", "0.8", "0.8", "0.8", "99.0", "0.8", "0.8", SCATTER_GAMMA),
    {.experiment = "Table 5", .name = "stick-slip: mean Gamma of the eight columns not lost", .unit = "%",
     .source = PRINTED, .published = "0.80", .tolerance = 0.04,
     .grounds = "a fifth of what xi is allowed, as Gamma is of xi",
     .measure = stick_slip_mean_Gamma, .needs = "cvode_bdf", .scatters = 1},
    NINE("Table 5", "Karnopp: Gamma", table_Gamma, 5, "0.3", "0.3", "0.3", "0.3", "0.3", "0.3", "0.3", "0.3", "0.3", ),
    NINE("Table 5", "elasto-plastic: Gamma", table_Gamma, 6, "1.8", "1.9", "1.9", "1.8", "1.9", "1.9", "1.8", "1.8", "1.8", ELASTO_GAMMA),
    NINE("Table 5", "Gonthier: Gamma", table_Gamma, 7, "2.8", "2.8", "2.8", "2.8", "2.8", "2.8", "2.8", "2.8", "2.8", ),
    {.experiment = "Tables 4 and 5", .name = "runs that fail, of 72", .unit = "", .source = PRINTED,
     .published = "0", .measure = failed, .needs = "cvode_bdf"},
    UNAFFECTED("smooth Coulomb", 0, "0.0"),
    UNAFFECTED("velocity based", 1, "0.0"),
    UNAFFECTED("Dahl", 2, "0.0"),
    UNAFFECTED("Gonthier", 7, "0.0"),
    {.experiment = "Table 4", .name = "laws whose xi changes by less than 0.1 at 1e-6 and 1e-8", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "6",
     .grounds = "'most of the models are not affected': all but the stick-slip law in print",
     .measure = unaffected, .a = 0.1, .needs = "cvode_bdf"},
};
/* clang-format on */

const lab_section pennestri_tables = LAB_SECTION(quantities);
