/* pennestri_laws.c - Figs. 1 to 8 and 21 of Pennestri et al. 2016: the curves of the laws, and the
 * force of the pre-sliding rig. */
#include "pennestri.h"

#include <math.h>

enum { POINTS_OF = 401 };

/* A law with one parameter changed, at the load of its defaults: those of the Rabinowicz rig. */
static int setup_of(bri_setup *s, const char *law, const char *key, const char *value) {
    bri_setup_init(s, bri_model_find(law));
    if (key && bri_setup_set(s, key, value, NULL) != BRI_OK) return 0;
    return bri_setup_finish(s, 0.0, NULL) == BRI_OK;
}

/* Steady friction over velocity. */
static void steady(lab_figure *f, const char *label, const char *law, const char *key,
                   const char *value, double most, lab_style style) {
    double v[POINTS_OF], F[POINTS_OF];
    bri_setup s;
    if (!setup_of(&s, law, key, value)) return;
    for (int i = 0; i < POINTS_OF; i++) {
        v[i] = most * (2.0 * i / (POINTS_OF - 1) - 1.0);
        F[i] = bri_steady_force(&s, v[i]);
    }
    lab_line(f, label, v, F, POINTS_OF, style);
}

/* Fig. 6: what the bristle of Dahl's law gives over the way from rest and back. */
static void bristle(lab_figure *f) {
    double x[POINTS_OF], F[POINTS_OF], z[BRI_MAX_STATES], at = 0.0;
    bri_setup s;
    if (!setup_of(&s, "dahl", NULL, NULL)) return;
    bri_model_rest(s.model, s.p, z);
    for (int i = 0; i < POINTS_OF; i++) {
        const bri_input u = {.v = i < POINTS_OF / 2 ? 0.01 : -0.01, .n = s.load};
        F[i] = bri_model_step(s.model, s.p, &u, 2e-3, z);
        x[i] = at += 2e-3 * u.v;
    }
    lab_line(f, NULL, x, F, POINTS_OF, LINE);
}

/* Fig. 7: alpha over z, from the rate dz/dt = v (1 - alpha z/z_max) at the velocity v. */
static void share(lab_figure *f, const char *label, const char *value, double v, lab_style style) {
    double x[POINTS_OF], alpha[POINTS_OF], dz[BRI_MAX_STATES], z[BRI_MAX_STATES] = {0};
    bri_setup s;
    if (!setup_of(&s, "elasto_plastic", "as_printed", value)) return;
    double z_max = fabs(bri_steady_force(&s, v)) / s.p[bri_model_param(s.model, "sigma0")];
    for (int i = 0; i < POINTS_OF; i++) {
        const bri_input u = {.v = v, .n = s.load};
        x[i] = z[0] = copysign(1.2 * z_max * (i + 1.0) / POINTS_OF, v);
        bri_model_eval(s.model, s.p, &u, z, dz);
        alpha[i] = (1.0 - dz[0] / v) * z_max / fabs(z[0]);
    }
    lab_line(f, label, x, alpha, POINTS_OF, style);
}

/* Fig. 8: the step function, which is the sliding part of the stick-slip law over F_d. */
static void step(lab_figure *f, const char *label, const char *value, lab_style style) {
    double x[POINTS_OF], y[POINTS_OF], dz[BRI_MAX_STATES], z[BRI_MAX_STATES] = {0};
    bri_setup s;
    if (!setup_of(&s, "stick_slip", "as_printed", value)) return;
    double v_t = s.p[bri_model_param(s.model, "v_t")];
    double level = s.load * s.p[bri_model_param(s.model, "mu_c")];
    for (int i = 0; i < POINTS_OF; i++) {
        x[i] = 3.0 * i / (POINTS_OF - 1) - 1.5;
        const bri_input u = {.v = v_t * x[i], .n = s.load};
        y[i] = bri_model_eval(s.model, s.p, &u, z, dz) / level;
    }
    lab_line(f, label, x, y, POINTS_OF, style);
}

static void draw_curves(bri_report *r) {
    lab_figure f;
    lab_figure_begin(&f, "Pennestri et al. 2016, Figs. 1 to 8: the laws", 2, 4);
    lab_panel(&f, 0, 0, "Fig. 1: Coulomb", "velocity", "m/s", "friction", "N");
    steady(&f, NULL, "coulomb", NULL, NULL, 0.1, LINE);
    lab_panel(&f, 1, 0, "Fig. 2: Benson", "velocity", "m/s", "friction", "N");
    steady(&f, NULL, "benson", NULL, NULL, 0.2, LINE);
    lab_panel(&f, 0, 1, "Fig. 3: smooth Coulomb, and other smoothings", "velocity", "m/s",
              "friction", "N");
    steady(&f, "tanh", "coulomb_tanh", NULL, NULL, 0.2, LINE);
    steady(&f, "tanh, clipped", "coulomb_tanh", "clipped", "1", 0.2, DASHED);
    steady(&f, "exponential", "coulomb_tanh", "smoothing", "1", 0.2, LINE);
    steady(&f, "sine", "coulomb_tanh", "smoothing", "2", 0.2, DASHED);
    lab_panel(&f, 1, 1, "Fig. 4: velocity based", "velocity", "m/s", "friction", "N");
    steady(&f, "sine", "velocity_based", NULL, NULL, 0.1, LINE);
    steady(&f, "cubic", "velocity_based", "step", "1", 0.1, DASHED);
    lab_panel(&f, 0, 2, "Fig. 5: Karnopp (outside the band)", "velocity", "m/s", "friction", "N");
    steady(&f, NULL, "karnopp", NULL, NULL, 0.1, LINE);
    lab_panel(&f, 1, 2, "Fig. 6: Dahl's bristle, there and back", "way", "m", "friction", "N");
    bristle(&f);
    lab_panel(&f, 0, 3, "Fig. 7: alpha at 0.1 m/s, both ways", "z", "m", "alpha", "");
    share(&f, "|z|, forward", "0", 0.1, LINE);
    share(&f, "|z|, backward", "0", -0.1, LINE);
    share(&f, "as printed, backward", "1", -0.1, DASHED);
    lab_panel(&f, 1, 3, "Fig. 8: step function", "x", "", "y", "");
    step(&f, "cubic", "0", LINE);
    step(&f, "(19) as printed", "1", DASHED);
    lab_figure_end(&f, r, "pennestri-laws",
                   "Figs. 1 to 8. Fig. 6 of the paper is a sketch; here is what it does.");
}

void pennestri_draw_laws(const lab *l, bri_report *r) {
    const bri_sim_def *def = lab_def(l, P_LUGRE);
    double t[POINTS_OF], F[POINTS_OF];
    lab_figure f;
    draw_curves(r);
    lab_figure_begin(&f, "Pennestri et al. 2016, Fig. 21: force of the pre-sliding rig", 1, 2);
    lab_panel(&f, 0, 0, NULL, "time", "s", "force", "N");
    f.panels[0].rows = 2;
    if (def && def->system.n_drives > 0) {
        for (int i = 0; i < POINTS_OF; i++) {
            t[i] = 4.0 * i / (POINTS_OF - 1);
            F[i] = bri_signal_value(&def->system.drives[0].force, t[i]);
        }
        lab_line(&f, NULL, t, F, POINTS_OF, LINE);
    }
    lab_figure_end(
        &f, r, "pennestri-force",
        "Fig. 21, whose curve is not in the text: a half sine of 2 N, then 0.5 N with an "
        "amplitude of 0.2 N at 2 Hz are chosen.");
}
