/* pennestri_runs.c - Figs. 10 to 13, 15 to 19 and 22 to 25 of Pennestri et al. 2016: the runs. */
#include "pennestri.h"

/* ---- figures ------------------------------------------------------------------------------- */

enum { N_CURVES = 9 };
typedef struct curve {
    const char *label;
    int run;
} curve;

/* A panel with one line per law; the first panel names them, for all. */
static void laws_panel(lab_figure *f, const lab *l, const curve *curves, int count, int column,
                       int row, const char *y, const char *name, const char *unit) {
    lab_panel(f, column, row, NULL, "time", "s", name, unit);
    if (f->plot.n_panels > 1) lab_share_legend(f);
    for (int i = 0; i < count; i++)
        lab_curve(f, l, curves[i].run, curves[i].label, NULL, y, 0.0, 50.0);
}

static void energy_panel(lab_figure *f, const lab *l, const curve *curves, int count, int column,
                         int row) {
    lab_panel(f, column, row, NULL, "time", "s", "kinetic and potential energy", "J");
    lab_share_legend(f);
    for (int i = 0; i < count; i++)
        lab_sum(f, l, curves[i].run, curves[i].label, "energy.kinetic", "energy.potential");
}

static void draw_rabinowicz(const lab *l, bri_report *r) {
    static const curve curves[N_CURVES] = {{"exact", R_EXACT},
                                           {"smooth Coulomb", R_CLIPPED},
                                           {"velocity based", R_VELOCITY},
                                           {"Dahl", R_DAHL},
                                           {"LuGre", R_LUGRE},
                                           {"stick-slip", R_STICK_SLIP_WHOLE},
                                           {"Karnopp", R_KARNOPP},
                                           {"elasto-plastic", R_ELASTO_2},
                                           {"Gonthier", R_GONTHIER}};
    lab_figure f;
    lab_figure_begin(&f, "Pennestri et al. 2016, Figs. 10 to 13: Rabinowicz rig", 2, 4);
    laws_panel(&f, l, curves, N_CURVES, 0, 0, "block.x", "displacement", "m");
    laws_panel(&f, l, curves, N_CURVES, 1, 0, "pad.v", "relative velocity", "m/s");
    laws_panel(&f, l, curves, N_CURVES, 0, 2, "pad.F", "friction force", "N");
    energy_panel(&f, l, curves, N_CURVES, 1, 2);
    for (int i = 0; i < 4; i++) f.panels[i].rows = 2;
    lab_figure_end(&f, r, "pennestri-rabinowicz",
                   "Figs. 10 to 13; smooth Coulomb clipped, elasto-plastic with exponent 2, "
                   "stick-slip with Delta = the displacement, as the tables have it.");
}

static void draw_stack(const lab *l, bri_report *r) {
    static const curve curves[N_CURVES] = {
        {"exact", T_EXACT},     {"smooth Coulomb", T_TANH},   {"velocity based", T_VELOCITY},
        {"Dahl", T_DAHL},       {"LuGre", T_LUGRE},           {"stick-slip", T_STICK_SLIP_WHOLE},
        {"Karnopp", T_KARNOPP}, {"elasto-plastic", T_ELASTO}, {"Gonthier", T_GONTHIER}};
    lab_figure f;
    lab_figure_begin(&f, "Pennestri et al. 2016, Figs. 15 to 19: three stacked bodies", 2, 6);
    laws_panel(&f, l, curves, N_CURVES, 0, 0, "top.x", "displacement of body 1", "m");
    laws_panel(&f, l, curves, N_CURVES, 1, 0, "upper.F", "friction F1", "N");
    laws_panel(&f, l, curves, N_CURVES, 0, 2, "inner.F", "friction F2", "N");
    laws_panel(&f, l, curves, N_CURVES, 1, 2, "lower.F", "friction F3", "N");
    energy_panel(&f, l, curves, N_CURVES, 0, 4);
    for (int i = 0; i < 5; i++) f.panels[i].rows = 2;
    lab_figure_end(&f, r, "pennestri-stack",
                   "Figs. 15 to 19, with Karnopp's law, which the paper could not run.");
}

static void draw_presliding(const lab *l, bri_report *r) {
    static const curve curves[] = {{"smooth Coulomb", P_TANH},
                                   {"velocity based", P_VELOCITY},
                                   {"Dahl", P_DAHL},
                                   {"LuGre", P_LUGRE},
                                   {"stick-slip", P_STICK_SLIP_WHOLE},
                                   {"Karnopp", P_KARNOPP},
                                   {"elasto-plastic", P_ELASTO},
                                   {"Gonthier", P_GONTHIER}};
    enum { COUNT = sizeof curves / sizeof *curves };
    lab_figure f;
    lab_figure_begin(&f, "Pennestri et al. 2016, Figs. 22 to 25: pre-sliding", 2, 4);
    laws_panel(&f, l, curves, COUNT, 0, 0, "block.x", "displacement", "m");
    laws_panel(&f, l, curves, COUNT, 1, 0, "block.v", "velocity", "m/s");
    laws_panel(&f, l, curves, COUNT, 0, 2, "pad.F", "friction force", "N");
    energy_panel(&f, l, curves, COUNT, 1, 2);
    for (int i = 0; i < 4; i++) f.panels[i].rows = 2;
    lab_figure_end(&f, r, "pennestri-presliding",
                   "Figs. 22 to 25; the force of Fig. 21 is chosen.");
}

void pennestri_draw_runs(const lab *l, bri_report *r) {
    draw_rabinowicz(l, r);
    draw_stack(l, r);
    draw_presliding(l, r);
}
