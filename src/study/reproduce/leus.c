/* leus.c - Leus et al., stick-slip on a support that vibrates: five readings of four laws, each at
 * four levels of vibration. */
#include "lab.h"

#include <math.h>
#include <stdio.h>

/* A run of 20 s has 15,000 periods of vibration. rtol 1e-7: means and swings below do not change
 * any more with it (Dahl at 1.1 mm/s does up to 1e-6). */
#define LEVEL(v) "support.velocity.sine.amplitude=" v " mm/s; run.rtol=1e-7"
#define FINE     "run.output=0.2 ms; run.until=10 s"
#define PRINT(v) "pad.as_printed=1; " LEVEL(v)

/* Long ones first. */
enum {
    RESET_4,
    LUGRE_4,
    PRINTED_4,
    DAHL_4,
    KARNOPP_4,
    RESET_2,
    LUGRE_2,
    PRINTED_2,
    DAHL_2,
    KARNOPP_2, /* 1.1 mm/s */
    RESET_1,
    LUGRE_1,
    PRINTED_1,
    DAHL_1,
    KARNOPP_1, /* 0.2 mm/s */
    RESET_0,
    LUGRE_0,
    PRINTED_0,
    DAHL_0,
    KARNOPP_0,
    N_RUNS
};

/* clang-format off */
static const lab_run runs[N_RUNS] = {
    [RESET_4]   = {"leus_vibrating", "reset_integrator", LEVEL("4")},
    [LUGRE_4]   = {"leus_vibrating", "lugre",            LEVEL("4")},
    [PRINTED_4] = {"leus_vibrating", "karnopp",          PRINT("4")},
    [DAHL_4]    = {"leus_vibrating", "dahl",             LEVEL("4")},
    [KARNOPP_4] = {"leus_vibrating", "karnopp",          LEVEL("4")},
    [LUGRE_2]   = {"leus_vibrating", "lugre",            LEVEL("1.1")},
    [RESET_2]   = {"leus_vibrating", "reset_integrator", LEVEL("1.1")},
    [PRINTED_2] = {"leus_vibrating", "karnopp",          PRINT("1.1")},
    [DAHL_2]    = {"leus_vibrating", "dahl",             LEVEL("1.1")},
    [KARNOPP_2] = {"leus_vibrating", "karnopp",          LEVEL("1.1")},
    [LUGRE_1]   = {"leus_vibrating", "lugre",            LEVEL("0.2")},
    [RESET_1]   = {"leus_vibrating", "reset_integrator", LEVEL("0.2")},
    [PRINTED_1] = {"leus_vibrating", "karnopp",          PRINT("0.2")},
    [DAHL_1]    = {"leus_vibrating", "dahl",             LEVEL("0.2")},
    [KARNOPP_1] = {"leus_vibrating", "karnopp",          LEVEL("0.2")},
    [LUGRE_0]   = {"leus_still", "lugre",            FINE},
    [RESET_0]   = {"leus_still", "reset_integrator", FINE},
    [PRINTED_0] = {"leus_still", "karnopp",          "pad.as_printed=1; " FINE},
    [DAHL_0]    = {"leus_still", "dahl",             FINE},
    [KARNOPP_0] = {"leus_still", "karnopp",          FINE},
};
/* clang-format on */

/* ---- measures: the drive force, 2 ... 10 s without and 17 ... 20 s with vibration ----------- */

#define STILL     .column = "pull.F", .a = 2.0, .b = 10.0
#define VIBRATING .column = "pull.F", .a = 17.0, .b = 20.0

/* Range under vibration over that before it, on the same run. */
static double rest_of_swing(const lab *l, const lab_quantity *q) {
    lab_quantity before = *q;
    before.a = 2.0, before.b = 10.0;
    return lab_range(l, q) / lab_range(l, &before);
}

/* Mean distance of peaks and valleys. */
static double swing(const lab *l, const lab_quantity *q) { return lab_high(l, q) - lab_low(l, q); }

static double change_of_mean(const lab *l, const lab_quantity *q) {
    lab_quantity before = *q;
    before.a = 2.0, before.b = 10.0;
    return lab_mean(l, q) - lab_mean(l, &before);
}

/* Mean force at 4 mm/s over that at 1.1 mm/s. */
static double fall(const lab *l, const lab_quantity *q) {
    lab_quantity less = *q;
    less.run = q->run + LUGRE_2 - LUGRE_4;
    return lab_mean(l, q) / lab_mean(l, &less);
}

/* ---- quantities ---------------------------------------------------------------------------- */

#define LEVELS .tolerance = 0.1, .grounds = "levels scatter under vibration: within 0.1 N"
#define SAMPLED                                                                                    \
    .tolerance = 1.2e-3,                                                                           \
    .grounds = "0.1 ms of the drive's 11.7 N/s: samples of other codes are not known"
#define GONE                                                                                       \
    .source = CLAIM, .relation = BELOW, .published = "0.1",                                        \
    .grounds = "stick-slip is gone: less than a tenth of the swing is left"
#define PARTLY_LESS                                                                                \
    .source = CLAIM, .relation = BELOW, .published = "0.9",                                        \
    .grounds = "partial reduction: by more than a tenth"
#define PARTLY_LEFT                                                                                \
    .source = CLAIM, .relation = ABOVE, .published = "0.1",                                        \
    .grounds = "partial reduction: more than a tenth is left"
#define RIGID    "the closed form is that of rigid Coulomb friction; "
#define MEASURED "the measured curves are not printed, so nothing can be compared with them"
#define RMSE(figure, law, value)                                                                   \
    {                                                                                              \
        .experiment = figure, .name = law ": RMSE against the measurement", .unit = "N",           \
        .source = PRINTED, .published = value, .run = LUGRE_0, .reason = MEASURED                  \
    }

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "motionless support", .name = "Karnopp, true stick: peak", .unit = "N",
     .source = CLOSED_FORM, .published = "11.10", .run = KARNOPP_0, .measure = lab_most, STILL},
    {.experiment = "motionless support", .name = "Karnopp, true stick: valley", .unit = "N",
     .source = CLOSED_FORM, .published = "5.50", .run = KARNOPP_0, .measure = lab_least, STILL},
    {.experiment = "motionless support", .name = "Karnopp, true stick: period", .unit = "s",
     .source = CLOSED_FORM, .published = "0.50279", .tolerance = 1.5e-5,
     .grounds = "samples 0.2 ms apart, over 15 cycles", .run = KARNOPP_0,
     .measure = lab_period, STILL},
    {.experiment = "motionless support", .name = "Karnopp as printed: peak", .unit = "N",
     .source = INDEPENDENT, .published = "11.104", .tolerance = 0.01,
     .grounds = "that code had a fixed step of 5e-7 s", .run = PRINTED_0, .measure = lab_most,
     STILL},
    {.experiment = "motionless support", .name = "Karnopp as printed: valley", .unit = "N",
     .source = INDEPENDENT, .published = "5.496", .tolerance = 0.01,
     .grounds = "that code had a fixed step of 5e-7 s", .run = PRINTED_0, .measure = lab_least,
     STILL},
    {.experiment = "motionless support", .name = "Karnopp as printed: period", .unit = "s",
     .source = INDEPENDENT, .published = "0.508", .tolerance = 0.015,
     .grounds = "mean periods within 3 %", .run = PRINTED_0, .measure = lab_period, STILL},
    {.experiment = "motionless support", .name = "reset integrator: peak", .unit = "N",
     .source = INDEPENDENT, .published = "10.514", SAMPLED, .run = RESET_0, .measure = lab_most, STILL},
    {.experiment = "motionless support", .name = "reset integrator: valley", .unit = "N",
     .source = INDEPENDENT, .published = "5.176", SAMPLED, .run = RESET_0, .measure = lab_least, STILL},
    {.experiment = "motionless support", .name = "reset integrator: period", .unit = "s",
     .source = INDEPENDENT, .published = "0.480", .run = RESET_0, .measure = lab_period, STILL},
    {.experiment = "motionless support", .name = "LuGre: peak", .unit = "N",
     .source = INDEPENDENT, .published = "11.076", SAMPLED, .run = LUGRE_0, .measure = lab_most, STILL},
    {.experiment = "motionless support", .name = "LuGre: valley", .unit = "N",
     .source = INDEPENDENT, .published = "5.525", SAMPLED, .run = LUGRE_0, .measure = lab_least, STILL},
    {.experiment = "motionless support", .name = "LuGre: period", .unit = "s",
     .source = INDEPENDENT, .published = "0.499", .run = LUGRE_0, .measure = lab_period, STILL},
    {.experiment = "motionless support", .name = "Dahl: mean force", .unit = "N",
     .source = PRINTED, .published = "8.3", .run = DAHL_0, .measure = lab_mean, STILL},
    {.experiment = "motionless support", .name = "Dahl: range of the force", .unit = "N",
     .source = CLAIM, .relation = BELOW, .published = "0.28",
     .grounds = "no stick-slip: less than a tenth of F_s - F_c = 2.8 N", .run = DAHL_0,
     .measure = lab_range, STILL},

    {.experiment = "vibration 0.2 mm/s", .name = "Dahl: change of the mean force", .unit = "N",
     .source = CLAIM, .published = "0", LEVELS, .run = DAHL_1, .measure = change_of_mean,
     VIBRATING},
    {.experiment = "vibration 0.2 mm/s", .name = "Karnopp as printed: swing left", .unit = "",
     GONE, .run = PRINTED_1, .measure = rest_of_swing, VIBRATING},
    {.experiment = "vibration 0.2 mm/s", .name = "Karnopp, true stick: swing", .unit = "N",
     .source = INDEPENDENT, .published = "3.10", LEVELS, .run = KARNOPP_1, .measure = swing,
     VIBRATING},
    {.experiment = "vibration 0.2 mm/s", .name = "reset integrator: swing left", .unit = "",
     PARTLY_LESS, .run = RESET_1, .measure = rest_of_swing, VIBRATING},
    {.experiment = "vibration 0.2 mm/s", .name = "reset integrator: swing left", .unit = "",
     PARTLY_LEFT, .run = RESET_1, .measure = rest_of_swing, VIBRATING},
    {.experiment = "vibration 0.2 mm/s", .name = "reset integrator: swing", .unit = "N",
     .source = INDEPENDENT, .published = "1.28", LEVELS, .run = RESET_1, .measure = swing,
     VIBRATING},
    {.experiment = "vibration 0.2 mm/s", .name = "LuGre: swing left", .unit = "", PARTLY_LESS,
     .run = LUGRE_1, .measure = rest_of_swing, VIBRATING},
    {.experiment = "vibration 0.2 mm/s", .name = "LuGre: swing left", .unit = "", PARTLY_LEFT,
     .run = LUGRE_1, .measure = rest_of_swing, VIBRATING},
    {.experiment = "vibration 0.2 mm/s", .name = "LuGre: swing", .unit = "N",
     .source = INDEPENDENT, .published = "2.4", .tolerance = 0.2,
     .grounds = "peak and valley scatter by 0.1 N each", .run = LUGRE_1, .measure = swing,
     VIBRATING},

    {.experiment = "vibration 1.1 mm/s", .name = "Karnopp as printed: swing left", .unit = "",
     GONE, .run = PRINTED_2, .measure = rest_of_swing, VIBRATING},
    {.experiment = "vibration 1.1 mm/s", .name = "Karnopp, true stick: swing left", .unit = "",
     GONE, .run = KARNOPP_2, .measure = rest_of_swing, VIBRATING},
    {.experiment = "vibration 1.1 mm/s", .name = "reset integrator: range of the force",
     .unit = "N", .source = CLAIM, .published = "0", LEVELS, .run = RESET_2,
     .measure = lab_range, VIBRATING, .expected = "0.65", .expected_tolerance = 0.45,
     .reason = "a slow cycle of 0.2 to 1.1 N remains; the law jumps back to stick at every "
               "reversal, and its size depends on the solver"},
    {.experiment = "vibration 1.1 mm/s", .name = "LuGre: swing left", .unit = "", GONE,
     .run = LUGRE_2, .measure = rest_of_swing, VIBRATING},
    {.experiment = "vibration 1.1 mm/s", .name = "Dahl: mean, F_c (2/pi) asin(v_d/v_a)",
     .unit = "N", .source = CLOSED_FORM, .published = "6.029", LEVELS, .run = DAHL_2,
     .measure = lab_mean, VIBRATING, .expected = "5.687", .expected_tolerance = 0.001,
     .reason = RIGID "here the vibration, 0.117 \xc2\xb5" "m, is as small as the pre-sliding F_c/k_t, "
               "0.116 \xc2\xb5" "m"},

    {.experiment = "vibration 1.1 mm/s", .name = "LuGre: mean, F_c (2/pi) asin(v_d/v_a)",
     .unit = "N", .source = CLOSED_FORM, .published = "6.029", LEVELS, .run = LUGRE_2,
     .measure = lab_mean, VIBRATING, .expected = "7.940", .expected_tolerance = 0.005,
     .reason = RIGID "this law rises to F_s at every reversal of so small a vibration"},
    {.experiment = "vibration 1.1 mm/s", .name = "Karnopp as printed: mean, F_c (2/pi) asin(v_d/v_a)",
     .unit = "N", .source = CLOSED_FORM, .published = "6.029", LEVELS, .run = PRINTED_2,
     .measure = lab_mean, VIBRATING, .expected = "8.081", .expected_tolerance = 0.005,
     .reason = RIGID "this law balances the drive within its band"},
    {.experiment = "vibration 1.1 mm/s", .name = "Karnopp, true stick: mean, F_c (2/pi) asin(v_d/v_a)",
     .unit = "N", .source = CLOSED_FORM, .published = "6.029", LEVELS, .run = KARNOPP_2,
     .measure = lab_mean, VIBRATING, .expected = "8.269", .expected_tolerance = 0.005,
     .reason = RIGID "this law sticks with F_s > F_c at every reversal"},
    {.experiment = "vibration 1.1 mm/s", .name = "reset integrator: mean, k_t s0 in place of F_c",
     .unit = "N", .source = CLOSED_FORM, .published = "5.699", LEVELS, .run = RESET_2,
     .measure = lab_mean, VIBRATING, .expected = "7.85", .expected_tolerance = 0.05,
     .reason = RIGID "this law overshoots to (1 + a) k_t s0 after every reversal"},
    {.experiment = "vibration 4 mm/s", .name = "Dahl: mean force", .unit = "N",
     .source = INDEPENDENT, .published = "1.3177", LEVELS, .run = DAHL_4, .measure = lab_mean,
     VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "Karnopp as printed: mean force", .unit = "N",
     .source = INDEPENDENT, .published = "1.573", LEVELS, .run = PRINTED_4, .measure = lab_mean,
     VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "Karnopp, true stick: mean force", .unit = "N",
     .source = INDEPENDENT, .published = "1.575", LEVELS, .run = KARNOPP_4, .measure = lab_mean,
     VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "reset integrator: mean force", .unit = "N",
     .source = INDEPENDENT, .published = "1.396", LEVELS, .run = RESET_4, .measure = lab_mean,
     VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "LuGre: mean force", .unit = "N",
     .source = INDEPENDENT, .published = "1.3234", LEVELS, .run = LUGRE_4, .measure = lab_mean,
     VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "Dahl: mean, F_c (2/pi) asin(v_d/v_a)", .unit = "N",
     .source = CLOSED_FORM, .published = "1.3351", LEVELS, .run = DAHL_4, .measure = lab_mean,
     VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "LuGre: mean, F_c (2/pi) asin(v_d/v_a)",
     .unit = "N", .source = CLOSED_FORM, .published = "1.3351", LEVELS, .run = LUGRE_4,
     .measure = lab_mean, VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "reset integrator: mean, k_t s0 in place of F_c",
     .unit = "N", .source = CLOSED_FORM, .published = "1.2620", LEVELS, .run = RESET_4,
     .measure = lab_mean, VIBRATING, .expected = "1.396", .expected_tolerance = 0.1,
     .reason = RIGID "this law overshoots to (1 + a) k_t s0 after every reversal"},
    {.experiment = "vibration 4 mm/s", .name = "Karnopp, true stick: mean, closed form",
     .unit = "N", .source = CLOSED_FORM, .published = "1.3351", LEVELS, .run = KARNOPP_4,
     .measure = lab_mean, VIBRATING, .expected = "1.575", .expected_tolerance = 0.1,
     .reason = RIGID "this law sticks with F_s > F_c at every reversal"},
    {.experiment = "vibration 4 mm/s", .name = "Karnopp as printed: mean, closed form",
     .unit = "N", .source = CLOSED_FORM, .published = "1.3351", LEVELS, .run = PRINTED_4,
     .measure = lab_mean, VIBRATING, .expected = "1.573", .expected_tolerance = 0.1,
     .reason = RIGID "this law balances the drive within its band"},
    {.experiment = "vibration 4 mm/s", .name = "Dahl: mean over that at 1.1 mm/s", .unit = "",
     .source = CLAIM, .relation = BELOW, .published = "1", .grounds = "further fall of the force",
     .run = DAHL_4, .measure = fall, VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "Karnopp as printed: mean over that at 1.1 mm/s",
     .unit = "", .source = CLAIM, .relation = BELOW, .published = "1",
     .grounds = "further fall of the force", .run = PRINTED_4, .measure = fall, VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "reset integrator: mean over that at 1.1 mm/s",
     .unit = "", .source = CLAIM, .relation = BELOW, .published = "1",
     .grounds = "further fall of the force", .run = RESET_4, .measure = fall, VIBRATING},
    {.experiment = "vibration 4 mm/s", .name = "LuGre: mean over that at 1.1 mm/s", .unit = "",
     .source = CLAIM, .relation = BELOW, .published = "1", .grounds = "further fall of the force",
     .run = LUGRE_4, .measure = fall, VIBRATING},

    RMSE("Table 2, motionless", "Dahl", "1.495"),
    RMSE("Table 2, motionless", "Karnopp", "0.784"),
    RMSE("Table 2, motionless", "reset integrator", "0.884"),
    RMSE("Table 2, motionless", "LuGre", "0.778"),
    RMSE("Table 2, 0.2 mm/s", "Dahl", "1.139"),
    RMSE("Table 2, 0.2 mm/s", "Karnopp", "1.052"),
    RMSE("Table 2, 0.2 mm/s", "reset integrator", "0.405"),
    RMSE("Table 2, 0.2 mm/s", "LuGre", "0.563"),
    RMSE("Table 2, 1.1 mm/s", "Dahl", "0.142"),
    RMSE("Table 2, 1.1 mm/s", "Karnopp", "0.335"),
    RMSE("Table 2, 1.1 mm/s", "reset integrator", "0.135"),
    RMSE("Table 2, 1.1 mm/s", "LuGre", "0.191"),
    RMSE("Table 2, 4 mm/s", "Dahl", "0.650"),
    RMSE("Table 2, 4 mm/s", "Karnopp", "0.532"),
    RMSE("Table 2, 4 mm/s", "reset integrator", "0.471"),
    RMSE("Table 2, 4 mm/s", "LuGre", "0.429"),
};
/* clang-format on */

/* ---- figures ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int runs[4]; /* at 0, 0.2, 1.1, 4 mm/s */
} laws[] = {
    {"Dahl", {DAHL_0, DAHL_1, DAHL_2, DAHL_4}},
    {"Karnopp as printed", {PRINTED_0, PRINTED_1, PRINTED_2, PRINTED_4}},
    {"Karnopp, true stick", {KARNOPP_0, KARNOPP_1, KARNOPP_2, KARNOPP_4}},
    {"reset integrator", {RESET_0, RESET_1, RESET_2, RESET_4}},
    {"LuGre", {LUGRE_0, LUGRE_1, LUGRE_2, LUGRE_4}},
};
enum { N_LAWS = sizeof laws / sizeof *laws, SPEEDS = 200 };

/* The drive force over time: a row per law, a column per level, as Figs. 6 to 9. */
static void draw_forces(const lab *l, bri_report *r) {
    static const char *const levels[] = {"motionless", "0.2 mm/s", "1.1 mm/s", "4 mm/s"};
    char titles[N_LAWS][4][60];
    lab_figure f;
    lab_figure_begin(&f, "Leus et al.: drive force, vibration from 10 s on", 4, N_LAWS);
    for (int i = 0; i < N_LAWS; i++)
        for (int k = 0; k < 4; k++) {
            snprintf(titles[i][k], sizeof titles[i][k], "%s, %s", laws[i].name, levels[k]);
            lab_panel(&f, k, i, titles[i][k], "time", "s", "force", "N");
            if (i < N_LAWS - 1) lab_share_x(&f);
            lab_share_legend(&f);
            lab_curve(&f, l, laws[i].runs[k], "force", NULL, "pull.F", k ? 7.0 : 2.0,
                      k ? 15.0 : 10.0);
            lab_reach(&f, 10.0, 0.0, 12.0);
        }
    lab_figure_end(&f, r, "leus-forces", "Figs. 6 to 9: drive force of each law at each level.");
}

/* Mean force against the amplitude of vibration, with F_c (2/pi) asin(v_d/v_a) of rigid Coulomb
 * friction, which is F_c below v_d. */
static void draw_means(const lab *l, bri_report *r) {
    static const double amplitude[] = {0.0, 2e-4, 1.1e-3, 4e-3};
    const double v_d = 1e-3, F_c = 8.3;
    double v[SPEEDS], F[SPEEDS], means[N_LAWS][4];
    lab_figure f;
    lab_figure_begin(&f, "Leus et al.: the mean force falls", 1, 2);
    lab_panel(&f, 0, 0, NULL, "amplitude of the vibration velocity", "m/s", "mean drive force",
              "N");
    f.panels[0].rows = 2;
    for (int i = 0; i < SPEEDS; i++) {
        v[i] = 5e-3 * i / (SPEEDS - 1);
        F[i] = v[i] <= v_d ? F_c : F_c * 0.63661977236758134308 * asin(v_d / v[i]);
    }
    lab_line(&f, "closed form", v, F, SPEEDS, LINE);
    for (int i = 0; i < N_LAWS; i++) {
        for (int k = 0; k < 4; k++) {
            const lab_quantity q = {.run = laws[i].runs[k],
                                    .column = "pull.F",
                                    .a = k ? 17.0 : 2.0,
                                    .b = k ? 20.0 : 10.0};
            means[i][k] = lab_mean(l, &q);
        }
        lab_line(&f, laws[i].name, amplitude, means[i], 4, POINTS);
    }
    lab_figure_end(&f, r, "leus-means",
                   "Mean drive force, 2 to 10 s without and 17 to 20 s with vibration.");
}

static void draw(const lab *l, bri_report *r) {
    draw_forces(l, r);
    draw_means(l, r);
}

static const lab_section all = LAB_SECTION(quantities);
static const lab_section *const sections[] = {&all};

const lab_paper lab_leus = {
    .key = "leus",
    .title = "Leus et al., stick-slip on a vibrating support",
    .runs = runs,
    .n_runs = N_RUNS,
    .no_energies = 1,
    .sections = sections,
    .n_sections = sizeof sections / sizeof *sections,
    .draw = draw,
};
