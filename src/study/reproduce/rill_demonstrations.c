/* rill_demonstrations.c - Rill et al. 2023, section 4: pulse load and conveyor belt. */
#include "rill.h"

#include <math.h>
#include <stdlib.h>

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

/* Smallest friction over that of slow sliding, mu_c N, while it slides faster than 10 v_a. */
static double least_sliding(const lab *l, const lab_quantity *q) {
    const bri_trace *t = lab_trace(l, q->run);
    const double *F = lab_column(l, q->run, "pad.F"), *v = lab_column(l, q->run, "pad.v");
    if (t->err.status != BRI_OK || !F || !v) return NAN;
    double least = INFINITY, v_a = lab_param(l, q->run, "v_s");
    for (long i = 0; i < t->n_rows; i++)
        if (fabs(v[i] - rill_bristle_rate(l, q->run, "pad", i)) > q->a * v_a)
            least = fmin(least, fabs(F[i]));
    return least / (lab_param(l, q->run, "mu_c") * lab_def(l, q->run)->system.contacts[0].n);
}

/* Largest distance of F from the prescribed curve where it slides faster than v_a/10, over F_s. */
static double off_curve(const lab *l, const lab_quantity *q) {
    const bri_trace *t = lab_trace(l, q->run);
    const double *F = lab_column(l, q->run, "pad.F"), *v = lab_column(l, q->run, "pad.v");
    if (t->err.status != BRI_OK || !F || !v) return NAN;
    double most = 0.0, v_a = lab_param(l, q->run, "v_s");
    double N = lab_def(l, q->run)->system.contacts[0].n, level = lab_param(l, q->run, "mu_s") * N;
    for (long i = 0; i < t->n_rows; i++) {
        double speed = fabs(v[i] - rill_bristle_rate(l, q->run, "pad", i));
        if (speed > 0.1 * v_a)
            most = fmax(most, fabs(fabs(F[i]) - N * rill_prescribed(l, q->run, speed)) / level);
    }
    return most;
}

/* Largest size of q->column in a ... b. */
static double size(const lab *l, const lab_quantity *q) {
    return fmax(lab_most(l, q), -lab_least(l, q));
}

/* Largest size of q->column while the first pulse lasts, over a. */
static double overshoot(const lab *l, const lab_quantity *q) {
    lab_quantity pulse = *q;
    pulse.a = 0.0, pulse.b = 0.1;
    return size(l, &pulse) / q->a;
}

/* Peak speed as the first load is applied over that as it is released. */
static double on_over_off(const lab *l, const lab_quantity *q) {
    lab_quantity on = *q, off = *q;
    on.column = off.column = "block.v";
    on.a = 0.0, on.b = 0.0999;
    off.a = 0.1, off.b = 0.1999;
    return size(l, &on) / size(l, &off);
}

/* Time of break-away after that of run a. */
static double later(const lab *l, const lab_quantity *q) {
    lab_quantity mine = *q, other = *q;
    mine.column = other.column = "pad.v";
    mine.a = other.a = 1.0, mine.b = other.b = 0.01;
    other.run = (int)q->a;
    return lab_exceeds(l, &mine) - lab_exceeds(l, &other);
}

/* Moved until time a, over run b. */
static double over_lugre(const lab *l, const lab_quantity *q) {
    lab_quantity other = *q;
    other.run = (int)q->b;
    return lab_moved(l, q) / lab_moved(l, &other);
}

/* 0.1875 mm/s, as printed, for 0.1 s. */
static double rounded_creep(const lab *l, const lab_quantity *q) {
    (void)l, (void)q;
    return 0.1875e-3 * 0.1;
}

/* F/sigma0 under the pulse of the run: the deflection that stick tends to. */
static double limit_of_stick(const lab *l, const lab_quantity *q) {
    const bri_sim_def *def = lab_def(l, q->run);
    if (!def || def->system.n_drives == 0) return NAN;
    return bri_signal_value(&def->system.drives[0].force, 0.05) / lab_param(l, q->run, "sigma0");
}

/* ---- quantities ---------------------------------------------------------------------------- */

#define OVERSHOOT(text, index)                                                                     \
    {                                                                                              \
        .experiment = "Fig. 5, pulse load 2 N", .name = text ": largest friction over the load",   \
        .unit = "", .source = CLAIM, .relation = ABOVE, .published = "1.01",                       \
        .grounds = "'exhibit overshoots in the time histories': by the width of a line",           \
        .run = index, .measure = overshoot, .column = "pad.F", .a = 2.0                            \
    }
#define ALIKE                                                                                      \
    .source = CLAIM, .published = "1", .tolerance = 0.01,                                          \
    .grounds = "the difference is LuGre's own: the width of a line"

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "pulse load 2 N", .name = "static: creep speed", .unit = "mm/s",
     .source = PRINTED, .published = "0.1875", .run = PULSE_STATIC, .measure = lab_at,
     .column = "block.v", .a = 0.0995},
    {.experiment = "pulse load 2 N", .name = "static: drift per cycle", .unit = "mm",
     .source = PRINTED, .published = "0.01875", .run = PULSE_STATIC, .measure = lab_moved,
     .column = "block.x", .a = 0.2,
     .reason = "the paper multiplies the rounded creep speed, 0.1875 mm/s, by 0.1 s",
     .expected = "0.018745", .second = &(const lab_quantity){.measure = rounded_creep}},
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
     .reason = "the tip of the bristle slips a little while the force rises: small, not 'no drift at "
               "all'", .expected = "-6.3e-5"},
    {.experiment = "pulse load 2 N", .name = "LuGre: deflection in stick", .unit = "mm",
     .source = PRINTED, .published = "0.0513", .run = PULSE_LUGRE, .measure = lab_at,
     .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 2 N", .name = "implicit bristle: deflection in stick", .unit = "mm",
     .source = PRINTED, .published = "0.0513", .run = PULSE_IMPLICIT, .measure = lab_at,
     .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 2 N", .name = "second order: deflection in stick", .unit = "mm",
     .source = PRINTED, .published = "0.0513", .run = PULSE_SECOND, .measure = lab_at,
     .column = "pad.z", .a = 0.0995},
    OVERSHOOT("LuGre", PULSE_LUGRE),
    OVERSHOOT("implicit bristle", PULSE_IMPLICIT),
    OVERSHOOT("second order", PULSE_SECOND),
    {.experiment = "Fig. 5, pulse load 2 N", .name = "LuGre: peak speed, load applied over load released", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "1.05",
     .grounds = "'reacts with different sensitivities', marked in the figure: by 5 %",
     .run = PULSE_LUGRE, .measure = on_over_off},
    {.experiment = "Fig. 5, pulse load 2 N", .name = "implicit bristle: peak speed, load applied over load released", .unit = "",
     ALIKE, .run = PULSE_IMPLICIT, .measure = on_over_off},
    {.experiment = "Fig. 5, pulse load 2 N", .name = "second order: peak speed, load applied over load released", .unit = "",
     ALIKE, .run = PULSE_SECOND, .measure = on_over_off},

    {.experiment = "pulse load 4.5 N", .name = "implicit bristle: deflection in stick",
     .unit = "mm", .source = PRINTED, .published = "0.1154", .run = MORE_IMPLICIT,
     .measure = lab_at, .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 4.5 N", .name = "second order: deflection in stick", .unit = "mm",
     .source = PRINTED, .published = "0.1154", .run = MORE_SECOND, .measure = lab_at,
     .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 4.5 N", .name = "LuGre: displacement after two cycles",
     .unit = "mm", .source = PRINTED, .published = "2e1", .tolerance = 5.0,
     .grounds = "'about 20 mm': one digit", .run = MORE_LUGRE, .measure = lab_moved,
     .column = "block.x", .a = 0.4},
    {.experiment = "pulse load 4.5 N", .name = "LuGre: displacement after two cycles",
     .unit = "mm", .source = INDEPENDENT, .published = "19.306", .run = MORE_LUGRE,
     .measure = lab_moved, .column = "block.x", .a = 0.4},

    {.experiment = "pulse load 5.6 N", .name = "second order, sigma1 395: deflection, slides",
     .unit = "mm", .source = PRINTED, .published = "0.0755", .run = MOST_SECOND,
     .measure = lab_at, .column = "pad.z", .a = 0.0995},
    {.experiment = "pulse load 5.6 N", .name = "second order, sigma1 395: displacement",
     .unit = "mm", .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "the mass slides: " VISIBLE, .run = MOST_SECOND, .measure = rill_shift,
     .column = "block.x", .a = 0.4},
    {.experiment = "pulse load 5.6 N", .name = "second order, sigma1 790: deflection, holds",
     .unit = "mm", .source = PRINTED, .published = "0.1436", .run = MOST_SECOND_DAMPED,
     .measure = lab_at, .column = "pad.z", .a = 0.0995,
     .reason = "0.143590 mm is the limit F/sigma0; after 0.1 s a rest of the transient is left",
     .expected = "0.143681", .expected_tolerance = 5e-6,
     .second = &(const lab_quantity){.run = MOST_SECOND_DAMPED, .measure = limit_of_stick}},
    {.experiment = "pulse load 5.6 N", .name = "second order, sigma1 395: largest friction over F_s", .unit = "",
     .source = CLAIM, .published = "1", .tolerance = 0.005,
     .grounds = "'equals the static friction force and causes the mass to slide': the width of a line",
     .run = MOST_SECOND, .measure = overshoot, .column = "pad.F", .a = 5.886},
    {.experiment = "pulse load 5.6 N", .name = "second order, sigma1 790: largest friction over F_s", .unit = "",
     .source = CLAIM, .relation = BELOW, .published = "0.995",
     .grounds = "'reduces the dynamic overshoot': by the width of a line at least",
     .run = MOST_SECOND_DAMPED, .measure = overshoot, .column = "pad.F", .a = 5.886},
    {.experiment = "pulse load 5.6 N", .name = "LuGre, sigma1 790: displacement", .unit = "mm",
     .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "it fails to hold: " VISIBLE, .run = MOST_LUGRE_DAMPED, .measure = rill_shift,
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
    {.experiment = "conveyor belt", .name = "LuGre: break-away, too early", .unit = "s",
     .source = CLAIM, .relation = BELOW, .published = "7.3575", .grounds = "'a too-early break-away'",
     .run = BELT_LUGRE, .measure = lab_exceeds, .column = "pad.v", .a = 1.0, .b = 0.01},
    {.experiment = "conveyor belt", .name = "second order: break-away, slightly delayed", .unit = "s",
     .source = CLAIM, .relation = ABOVE, .published = "7.3575", .grounds = "'slightly delayed'",
     .run = BELT_SECOND, .measure = lab_exceeds, .column = "pad.v", .a = 1.0, .b = 0.01},
    {.experiment = "conveyor belt", .name = "static: break-away after that of the second order", .unit = "s",
     .source = CLAIM, .relation = ABOVE, .published = "0", .grounds = "'delays this transition even more'",
     .run = BELT_STATIC, .measure = later, .a = BELT_SECOND},
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
     .source = CLAIM, .relation = BELOW, .published = "0.9",
     .grounds = "'sliding friction forces significantly smaller than the dynamic friction force': by "
                "a tenth, where v_S > v_a/10",
     .run = BELT_LUGRE, .measure = least_sliding, .a = 0.1},
    {.experiment = "conveyor belt", .name = "second order: least sliding friction over mu_d N", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "0.99",
     .grounds = "follows the curve, which is nowhere below mu_d N: 1 % for the width of a line",
     .run = BELT_SECOND, .measure = least_sliding, .a = 0.1},
    {.experiment = "conveyor belt", .name = "second order: distance from the curve over F_s",
     .unit = "", .source = CLAIM, .relation = BELOW, .published = "0.02",
     .grounds = "'can fully reproduce the friction characteristics': the width of a line in a plot",
     .run = BELT_SECOND, .measure = off_curve},
    {.experiment = "conveyor belt", .name = "LuGre: distance from the curve over F_s", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "0.1",
     .grounds = "'deviates remarkably': by a tenth of F_s",
     .run = BELT_LUGRE, .measure = off_curve},
    {.experiment = "conveyor belt", .name = "second order: peak at the second re-stick", .unit = "N",
     .source = PRINTED, .published = "1.47", .run = BELT_SECOND, .measure = size,
     .column = "pad.F", .a = 16.5, .b = 17.5},
    {.experiment = "conveyor belt", .name = "LuGre: peak at the second re-stick", .unit = "N",
     .source = CLAIM, .relation = BELOW, .published = "1.32",
     .grounds = "'far too low peak', against F_s = 1.47 N: by a tenth at least",
     .run = BELT_LUGRE, .measure = size, .column = "pad.F", .a = 16.5, .b = 17.5},

    {.experiment = "listing 5, type 5", .name = "drift per cycle at 2 N", .unit = "mm", .source = INDEPENDENT,
     .published = "0.027372", .run = PULSE_FADE, .measure = lab_moved, .column = "block.x", .a = 0.2},
    {.experiment = "listing 5, type 5", .name = "displacement after two cycles at 4.5 N", .unit = "mm",
     .source = INDEPENDENT, .published = "26.176", .run = MORE_FADE, .measure = lab_moved,
     .column = "block.x", .a = 0.4},
    {.experiment = "(18) to (20)", .name = "drift per cycle at 2 N", .unit = "mm", .source = INDEPENDENT,
     .published = "0.036393", .run = PULSE_CONSISTENT, .measure = lab_moved, .column = "block.x", .a = 0.2},
    {.experiment = "(18) to (20)", .name = "displacement after two cycles at 4.5 N", .unit = "mm",
     .source = INDEPENDENT, .published = "26.164", .run = MORE_CONSISTENT, .measure = lab_moved,
     .column = "block.x", .a = 0.4},
    {.experiment = "(18) to (20)", .name = "drift per cycle at 2 N over that of LuGre", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "0.5",
     .grounds = "'does not eliminate any of the reported drawbacks': half of it at least",
     .run = PULSE_CONSISTENT, .measure = over_lugre, .column = "block.x", .a = 0.2, .b = PULSE_LUGRE},
    {.experiment = "(18) to (20)", .name = "displacement at 4.5 N over that of LuGre", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "0.5",
     .grounds = "'does not eliminate any of the reported drawbacks': half of it at least",
     .run = MORE_CONSISTENT, .measure = over_lugre, .column = "block.x", .a = 0.4, .b = MORE_LUGRE},
    {.experiment = "(18) to (20)", .name = "belt: peak at the second re-stick", .unit = "N",
     .source = CLAIM, .relation = BELOW, .published = "1.32",
     .grounds = "no drawback is eliminated: F_s = 1.47 N is missed by a tenth at least",
     .run = BELT_CONSISTENT, .measure = size, .column = "pad.F", .a = 16.5, .b = 17.5},
};
/* clang-format on */

const lab_section rill_demonstrations = LAB_SECTION(quantities);

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
        double sliding = v[i] - rill_bristle_rate(l, run, "pad", i);
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

void rill_draw_demonstrations(const lab *l, bri_report *r) {
    draw_pulses(l, r);
    draw_belt(l, r);
}
