/* olsson_dwell.c - Olsson and Astrom 1993, section 2, on Rabinowicz 1958: the static force grows
 * with the time spent in stiction. Of the laws here Gonthier's has it, with a dwell variable of its
 * own; the report's model has not. */
#include "olsson.h"

#include <math.h>

/* Break-away after a rest of T: the contact slides for long, rests, and is pulled at 5 mm/s; the
 * largest force, over the sliding one. */
static double break_away(const char *law, double T) {
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], most = 0.0;
    const bri_model *m = bri_model_find(law);
    bri_model_defaults(m, p);
    bri_model_rest(m, p, z);
    bri_input slides = {.v = 1.0, .n = m->load}, rests = {.n = m->load},
              pulled = {.v = 5e-3, .n = m->load};
    double level = 0.0;
    for (int i = 0; i < 1000; i++) level = bri_model_step(m, p, &slides, 0.01, z);
    bri_model_step(m, p, &rests, T, z);
    for (int i = 0; i < 2000; i++) most = fmax(most, bri_model_step(m, p, &pulled, 1e-4, z));
    return most / level;
}

static double grows(const lab *l, const lab_quantity *q) {
    return break_away(q->column, q->b) / break_away(q->column, q->a);
}

/* The cut that Gonthier's law has after a rest of a, over the sliding force: 1 + (F_s/F_c - 1) (1 -
 * exp(-T/tau_dw)), from its states. */
static double level_after(const lab *l, const lab_quantity *q) {
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], dz[BRI_MAX_STATES];
    const bri_model *m = bri_model_find("gonthier");
    bri_model_defaults(m, p);
    bri_model_rest(m, p, z);
    bri_input slides = {.v = 1.0, .n = m->load}, rests = {.n = m->load};
    double level = bri_model_step(m, p, &slides, 10.0, z);
    bri_model_step(m, p, &rests, q->a, z);
    z[0] = 1.0; /* stretched beyond any level */
    return bri_model_eval(m, p, &rests, z, dz) / level;
}

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "section 2, dwell time", .name = "Gonthier: level after a rest of 0.01 s over sliding", .unit = "",
     .source = CLOSED_FORM, .published = "1.019033", .measure = level_after, .a = 0.01},
    {.experiment = "section 2, dwell time", .name = "Gonthier: level after a rest of 0.1 s over sliding", .unit = "",
     .source = CLOSED_FORM, .published = "1.126424", .measure = level_after, .a = 0.1},
    {.experiment = "section 2, dwell time", .name = "Gonthier: level after a rest of 1 s over sliding", .unit = "",
     .source = CLOSED_FORM, .published = "1.199991", .measure = level_after, .a = 1.0},
    {.experiment = "section 2, dwell time", .name = "Gonthier: break-away after 1 s over that after 0.1 s", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "'a connection between the magnitude of the static friction and the time spent in stiction'",
     .measure = grows, .column = "gonthier", .a = 0.1, .b = 1.0},
    {.experiment = "section 2, dwell time", .name = "the report's model: break-away after 1 s over that after 0.1 s", .unit = "",
     .source = CLOSED_FORM, .published = "1", .tolerance = 5e-5,
     .grounds = "it has no dwell time: of its slip exp(-0.1 s/tau_del) is left",
     .measure = grows, .column = "olsson_astrom", .a = 0.1, .b = 1.0},
};
/* clang-format on */

const lab_section olsson_dwell = LAB_SECTION(quantities);

void olsson_draw_dwell(bri_report *r) {
    enum { TIMES = 40 };
    double T[TIMES], gonthier[TIMES], olsson[TIMES];
    lab_figure f;
    for (int i = 0; i < TIMES; i++) {
        T[i] = 1.0 * (i + 1) / TIMES;
        gonthier[i] = break_away("gonthier", T[i]);
        olsson[i] = break_away("olsson_astrom", T[i]);
    }
    lab_figure_begin(&f, "Olsson and Astrom 1993, section 2: static force over dwell time", 1, 2);
    lab_panel(&f, 0, 0, NULL, "time at rest", "s", "break-away over sliding", "");
    f.panels[0].rows = 2;
    lab_line(&f, "Gonthier", T, gonthier, TIMES, LINE);
    lab_line(&f, "the report's model", T, olsson, TIMES, DASHED);
    lab_figure_end(&f, r, "olsson-dwell",
                   "Break-away after a rest, which the report cites of Rabinowicz 1958: Gonthier's "
                   "law has it, the report's own model has not.");
}
