/* andersson_laws.c - Andersson et al. 2007, sections 2 to 4: the curves of Figs. 3 and 5,
 * micro-slip and the elastic Coulomb law as loops of force over displacement, the random force. */
#include "andersson.h"

#include <math.h>

/* ---- the Stribeck curves ------------------------------------------------------------------- */

/* F_c 1 N, F_s 1.5 N, v_s 0.01 m/s, kv 0.4 N s/m, i 2: chosen. */
static double family(const char *law, double v) {
    static const char *const values[][2] = {
        {"Fc", "1 N"}, {"Fs", "1.5 N"}, {"v_s", "0.01 m/s"}, {"gamma", "2"}, {"kv", "0.4 N s/m"}};
    bri_setup s;
    bri_setup_init(&s, bri_model_find(law));
    for (int i = 0; i < 5; i++)
        if (bri_setup_set(&s, values[i][0], values[i][1], NULL) != BRI_OK) return NAN;
    return bri_setup_finish(&s, 0.0, NULL) == BRI_OK ? bri_steady_force(&s, v) : NAN;
}

static double stribeck(const lab *l, const lab_quantity *q) { return family("stribeck", q->a); }

/* Golden section between a and b: where sign F is least, for sign +1 or -1. */
static double extreme_speed(const char *law, double sign, double a, double b) {
    const double golden = 0.61803398874989484820;
    for (int i = 0; i < 60; i++) {
        double left = b - golden * (b - a), right = a + golden * (b - a);
        if (sign * family(law, left) < sign * family(law, right))
            b = right;
        else
            a = left;
    }
    return 0.5 * (a + b);
}

static double least_speed(const lab *l, const lab_quantity *q) {
    return extreme_speed("stribeck", 1.0, 0.001, 0.1);
}

static double least_force(const lab *l, const lab_quantity *q) {
    return family("stribeck", least_speed(l, q));
}

static double tanh_peak(const lab *l, const lab_quantity *q) {
    return family("stribeck_tanh", extreme_speed("stribeck_tanh", -1.0, 1e-5, 0.01));
}

/* Standard deviation of the random force over A, in 100 s of sliding at 0.1 m/s. */
static double deviation(const lab *l, const lab_quantity *q) {
    enum { SAMPLES = 40000 };
    const double h = 100.0 / SAMPLES, A = 0.02;
    bri_stochastic noise;
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], sum = 0.0, squares = 0.0;
    if (bri_stochastic_init(&noise, bri_model_find("coulomb_tanh")) != BRI_OK) return NAN;
    bri_model_defaults(&noise.model, p);
    p[bri_model_param(&noise.model, "A")] = A;
    p[bri_model_param(&noise.model, "f")] = 40.0;
    const bri_input u = {.v = 0.5, .n = 1.0};
    bri_model_rest(&noise.model, p, z);
    for (int i = 0; i < SAMPLES; i++) {
        double F = bri_model_step(&noise.model, p, &u, h, z);
        sum += F;
        squares += F * F;
    }
    return sqrt(squares / SAMPLES - sum * sum / SAMPLES / SAMPLES) / A;
}

/* ---- small displacements ------------------------------------------------------------------- */

/* A law with F_c = 1 N that gives by delta = 1e-5 m (Table 1): Dankowicz's, or with exponent 0 of
 * Dahl's the elastic Coulomb law. */
static int small(bri_setup *s, const char *law) {
    bri_setup_init(s, bri_model_find(law));
    if (bri_setup_set(s, "Fc", "1 N", NULL) != BRI_OK) return 0;
    bri_status done = bri_model_param(s->model, "delta") >= 0
                          ? bri_setup_set(s, "delta", "1e-5 m", NULL)
                          : bri_setup_set(s, "sigma0", "1e5 N/m", NULL);
    if (bri_model_param(s->model, "i") >= 0 && done == BRI_OK)
        done = bri_setup_set(s, "i", "0", NULL);
    return done == BRI_OK && bri_setup_finish(s, 0.0, NULL) == BRI_OK;
}

enum { HALF = 4000 };

/* Some way at v = 1 or -1 m/s, in steps of the law, which are exact where the force depends on the
 * way alone; x and F receive the points, unless they are NULL. */
static void walk(const bri_setup *s, double *z, double *at, double v, double h, double *x,
                 double *F) {
    const bri_input u = {.v = v, .n = s->load};
    for (int i = 1; i <= HALF; i++) {
        double force = bri_model_step(s->model, s->p, &u, h, z);
        *at += v * h;
        if (x) x[i] = *at, F[i] = force;
    }
}

/* The tenth slow cycle from A to -A and back: 2 HALF + 1 points of x and F. */
static void cycle(const bri_setup *s, double A, double *x, double *F) {
    double z[BRI_MAX_STATES], dz[BRI_MAX_STATES], at = 0.0, h = 2.0 * A / HALF;
    const bri_input u = {.v = 1.0, .n = s->load};
    bri_model_rest(s->model, s->p, z);
    walk(s, z, &at, 1.0, 0.5 * h, NULL, NULL);
    for (int k = 0; k < 9; k++) {
        walk(s, z, &at, -1.0, h, NULL, NULL);
        walk(s, z, &at, 1.0, h, NULL, NULL);
    }
    x[0] = at, F[0] = bri_model_eval(s->model, s->p, &u, z, dz);
    walk(s, z, &at, -1.0, h, x, F);
    walk(s, z, &at, 1.0, h, x + HALF, F + HALF);
}

/* Loss in a cycle of amplitude a times delta. */
static double loss(const lab *l, const lab_quantity *q) {
    static const double delta = 1e-5;
    double x[2 * HALF + 1], F[2 * HALF + 1], sum = 0.0;
    bri_setup s;
    if (!small(&s, q->column)) return NAN;
    cycle(&s, q->a * delta, x, F);
    for (int i = 1; i <= 2 * HALF; i++) sum += 0.5 * (F[i] + F[i - 1]) * (x[i] - x[i - 1]);
    return sum;
}

/* Loss over the largest elastic energy, F_c A^2/(2 delta) at small amplitudes. */
static double loss_factor(const lab *l, const lab_quantity *q) {
    return loss(l, q) / (0.5 * 1.0 * q->a * q->a * 1e-5);
}

static double largest_force(const lab *l, const lab_quantity *q) {
    double x[2 * HALF + 1], F[2 * HALF + 1], most = 0.0;
    bri_setup s;
    if (!small(&s, q->column)) return NAN;
    cycle(&s, q->a * 1e-5, x, F);
    for (int i = 0; i <= 2 * HALF; i++) most = fmax(most, F[i]);
    return most;
}

/* delta of Table 1. */
static double micro_slip(const lab *l, const lab_quantity *q) {
    bri_setup s;
    return small(&s, "dankowicz") ? s.p[bri_model_param(s.model, "delta")] : NAN;
}

/* Dankowicz's rate less that of Dahl's law with i = 1, over v: (13) against (18). */
static double dankowicz_less_dahl(const lab *l, const lab_quantity *q) {
    bri_setup a, b;
    double z[BRI_MAX_STATES] = {0.3e-5}, dz[BRI_MAX_STATES], dy[BRI_MAX_STATES];
    if (!small(&a, "dankowicz") || !small(&b, "dahl")) return NAN;
    b.p[bri_model_param(b.model, "i")] = 1.0;
    const bri_input u = {.v = q->a, .n = 1.0};
    bri_model_eval(a.model, a.p, &u, z, dz);
    bri_model_eval(b.model, b.p, &u, z, dy);
    return fabs(dz[0] - dy[0]) / fabs(q->a);
}

/* ---- quantities ---------------------------------------------------------------------------- */

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "Stribeck curves", .name = "F(0.001 m/s)", .unit = "N", .source = INDEPENDENT,
     .published = "1.495425", .measure = stribeck, .a = 0.001},
    {.experiment = "Stribeck curves", .name = "F(0.01 m/s)", .unit = "N", .source = INDEPENDENT,
     .published = "1.187940", .measure = stribeck, .a = 0.01},
    {.experiment = "Stribeck curves", .name = "F(0.1 m/s)", .unit = "N", .source = INDEPENDENT,
     .published = "1.04", .measure = stribeck, .a = 0.1},
    {.experiment = "Stribeck curves", .name = "least force", .unit = "N", .source = INDEPENDENT,
     .published = "1.010949", .measure = least_force},
    {.experiment = "Stribeck curves", .name = "speed of the least force", .unit = "m/s",
     .source = INDEPENDENT, .published = "0.025404", .measure = least_speed},
    {.experiment = "Stribeck curves", .name = "peak of the tanh form", .unit = "N",
     .source = INDEPENDENT, .published = "1.45278", .measure = tanh_peak},
    {.experiment = "stochastic friction", .name = "standard deviation over A", .unit = "",
     .source = CLOSED_FORM, .published = "1", .tolerance = 0.02,
     .grounds = "a sample of 4000 periods", .measure = deviation},

    {.experiment = "micro-slip", .name = "displacement before gross slip ('often 1-10 micrometres'): delta",
     .unit = "mm", .source = PRINTED, .published = "0.01", .tolerance = 1e-12, .grounds = "Table 1",
     .measure = micro_slip},
    {.experiment = "micro-slip", .name = "Dankowicz: loss in a cycle of delta, 4 F_c delta (1 - tanh 1)", .unit = "J",
     .source = CLOSED_FORM, .published = "9.5362e-6", .measure = loss, .column = "dankowicz", .a = 1.0},
    {.experiment = "micro-slip", .name = "Dankowicz: loss factor at delta/100", .unit = "",
     .source = CLAIM, .relation = BELOW, .published = "0.03",
     .grounds = "'behaves as a linear spring': (8/3) A/delta, less than 3 %", .measure = loss_factor,
     .column = "dankowicz", .a = 0.01},
    {.experiment = "micro-slip", .name = "Dankowicz less Dahl with i = 1: rate over v", .unit = "",
     .source = CLAIM, .published = "0", .tolerance = 1e-15, .grounds = "'equal': rounding",
     .measure = dankowicz_less_dahl, .a = 0.02},
    {.experiment = "elastic Coulomb", .name = "loss in a cycle of delta/2", .unit = "J",
     .source = CLOSED_FORM, .published = "0", .tolerance = 1e-15, .grounds = "elastic: rounding",
     .measure = loss, .column = "dahl", .a = 0.5},
    {.experiment = "elastic Coulomb", .name = "loss in a cycle of 5 delta, 4 F_c (A - delta)", .unit = "J",
     .source = CLOSED_FORM, .published = "1.6e-4", .tolerance = 1.6e-8,
     .grounds = "corners between the points of the loop", .measure = loss, .column = "dahl", .a = 5.0},
    {.experiment = "elastic Coulomb", .name = "largest force, F_c", .unit = "N", .source = CLOSED_FORM,
     .published = "1", .tolerance = 1e-12, .grounds = "rounding", .measure = largest_force,
     .column = "dahl", .a = 5.0},
};
/* clang-format on */

const lab_section andersson_laws = LAB_SECTION(quantities);

/* ---- figures ------------------------------------------------------------------------------- */

enum { SPEEDS = 300 };

void andersson_draw_stribeck(lab_figure *f) {
    static const char *const names[] = {"stribeck", "stribeck_tanh"};
    static const char *const labels[] = {"Stribeck", "with tanh"};
    double v[SPEEDS], F[SPEEDS];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < SPEEDS; i++) {
            v[i] = 0.2 * (i + 0.5 - SPEEDS / 2) / SPEEDS;
            F[i] = family(names[k], v[i]);
        }
        lab_line(f, labels[k], v, F, SPEEDS, k ? DASHED : LINE);
    }
}

/* A law with F_c = 1 N over speeds up to `most`; `key` is set to a value, NULL: nothing is. */
static void steady(lab_figure *f, const char *label, const char *law, const char *key,
                   const char *value, double most, lab_style style) {
    double v[SPEEDS], F[SPEEDS];
    bri_setup s;
    bri_setup_init(&s, bri_model_find(law));
    if (bri_model_param(s.model, "Fc") >= 0) bri_setup_set(&s, "Fc", "1 N", NULL);
    if (key && bri_setup_set(&s, key, value, NULL) != BRI_OK) return;
    if (bri_setup_finish(&s, 0.0, NULL) != BRI_OK) return;
    for (int i = 0; i < SPEEDS; i++) {
        v[i] = most * (2.0 * (i + 0.5) / SPEEDS - 1.0);
        F[i] = bri_steady_force(&s, v[i]);
    }
    lab_line(f, label, v, F, SPEEDS, style);
}

void andersson_draw_laws(bri_report *r) {
    double x[2 * HALF + 1], F[2 * HALF + 1];
    bri_setup s;
    lab_figure f;
    lab_figure_begin(&f, "Andersson et al. 2007, Fig. 3 and micro-slip", 2, 2);
    lab_panel(&f, 0, 0, "Fig. 3a", "velocity", "m/s", "friction", "N");
    steady(&f, "Coulomb", "coulomb", "Fs", "1 N", 5e-3, LINE);
    steady(&f, "viscous, kv 200", "viscous", "kv", "200 N s/m", 5e-3, DASHED);
    lab_panel(&f, 1, 0, "Fig. 3b", "velocity", "m/s", "friction", "N");
    steady(&f, "Coulomb and viscous", "coulomb_sat", "k", "1000 s/m", 5e-3, LINE);
    steady(&f, "Coulomb and tanh", "coulomb_tanh", "v_d", "1e-3 m/s", 5e-3, DASHED);
    lab_panel(&f, 0, 1, "cycles of 5 delta", "displacement", "m", "friction", "N");
    if (small(&s, "dankowicz")) {
        cycle(&s, 5e-5, x, F);
        lab_line(&f, "Dankowicz", x, F, 2 * HALF + 1, LINE);
    }
    if (small(&s, "dahl")) {
        cycle(&s, 5e-5, x, F);
        lab_line(&f, "elastic Coulomb", x, F, 2 * HALF + 1, DASHED);
    }
    lab_panel(&f, 1, 1, "cycles of delta/2", "displacement", "m", "friction", "N");
    lab_share_legend(&f);
    if (small(&s, "dankowicz")) {
        cycle(&s, 0.5e-5, x, F);
        lab_line(&f, "Dankowicz", x, F, 2 * HALF + 1, LINE);
    }
    if (small(&s, "dahl")) {
        cycle(&s, 0.5e-5, x, F);
        lab_line(&f, "elastic Coulomb", x, F, 2 * HALF + 1, DASHED);
    }
    lab_figure_end(
        &f, r, "andersson-laws",
        "Fig. 3, and what micro-slip is with Dankowicz's and the elastic Coulomb law; the "
        "model of Sellgren and Olofsson is cited by the paper, not given.");
}
