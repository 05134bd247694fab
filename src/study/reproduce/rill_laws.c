/* rill_laws.c - Rill et al. 2023, sections 2 to 4.2: the regularised curves (Figs. 2 and 4), the
 * iteration (7) to (10) beside the exact force balance, the rules for parameters. */
#include "rill.h"

#include <math.h>

/* ---- the asymmetric regularisation --------------------------------------------------------- */

/* F_R over the sliding velocity v_S for a bristle that is held with F0: the second-order law at v =
 * 0 and dz/dt = -v_S, with the parameters of run q->run or, a law without them, of the belt. */
static double held_curve(const lab *l, int run, double F0, double sliding) {
    const bri_sim_def *def = lab_def(l, run);
    if (!def) return NAN;
    const bri_contact *c = &def->system.contacts[0];
    double dz[BRI_MAX_STATES], z[] = {F0 / lab_param(l, run, "sigma0"), -sliding};
    const bri_input u = {.n = c->n};
    return bri_model_eval(c->model, c->p, &u, z, dz);
}

/* F_R(0) for F0 = a; F_R(b) for F0 = a. */
static double at_rest(const lab *l, const lab_quantity *q) {
    return held_curve(l, q->run, q->a, q->b);
}

/* Largest distance from the curve without regularisation, mu(|v_S|) N, at speeds from v_r to v_a,
 * over F_s: the shift by v_r at most is all that is left. */
static double static_over_level(const lab *l, const lab_quantity *q) {
    double v_r = lab_param(l, q->run, "v_r"), level = held_curve(l, q->run, 0.0, v_r);
    return level / (lab_param(l, q->run, "mu_s") * lab_def(l, q->run)->system.contacts[0].n);
}

/* ---- the iteration ------------------------------------------------------------------------- */

/* What the balance (5) is solved for. */
typedef struct balance {
    double v, z, N, mu_c, mu_s, v_a, alpha, nu, sigma0, sigma1;
} balance;

static balance balance_of(const lab *l, int run, double v, double z) {
    return (balance){v,
                     z,
                     lab_def(l, run)->system.contacts[0].n,
                     lab_param(l, run, "mu_c"),
                     lab_param(l, run, "mu_s"),
                     lab_param(l, run, "v_s"),
                     lab_param(l, run, "gamma"),
                     lab_param(l, run, "nu"),
                     lab_param(l, run, "sigma0"),
                     lab_param(l, run, "sigma1")};
}

/* (10): one step from dz/dt = rate. */
static double newton(const balance *b, double rate) {
    double s = b->v - rate, a = fabs(s);
    double mu = b->mu_c + (b->mu_s - b->mu_c) * exp(-pow(a / b->v_a, b->alpha)) + b->nu * a;
    return rate + (s * mu * b->N - (b->sigma0 * b->z + b->sigma1 * rate) * a) /
                      (mu * b->N + b->sigma1 * a);
}

/* dz/dt of a law of the run. */
static double rate_of(const lab *l, int run, const balance *b) {
    const bri_contact *c = &lab_def(l, run)->system.contacts[0];
    double dz[BRI_MAX_STATES], z[] = {b->z};
    const bri_input u = {.v = b->v, .n = c->n};
    bri_model_eval(c->model, c->p, &u, z, dz);
    return dz[0];
}

/* Run q->run at v = a, z = b: the first step from rest, (11), over the law (18). */
static double first_step(const lab *l, const lab_quantity *q) {
    if (!lab_def(l, q->run)) return NAN;
    balance b = balance_of(l, q->run, q->a, q->b);
    return newton(&b, 0.0) / rate_of(l, q->run, &b);
}

/* The iteration until it moves by less than 1e-12 of v, less the exact balance, over v. */
static double converged(const lab *l, const lab_quantity *q) {
    if (!lab_def(l, q->run)) return NAN;
    balance b = balance_of(l, q->run, q->a, q->b);
    double rate = 0.0, next = newton(&b, rate);
    for (int k = 0; k < 100000 && fabs(next - rate) > 1e-12 * fabs(b.v); k++) {
        rate = next;
        next = newton(&b, rate);
    }
    return fabs(next - rate_of(l, q->run, &b)) / fabs(b.v);
}

/* Steps until the iteration is within 1e-6 v of the exact balance. */
static double steps(const lab *l, const lab_quantity *q) {
    if (!lab_def(l, q->run)) return NAN;
    balance b = balance_of(l, q->run, q->a, q->b);
    double rate = 0.0, exact = rate_of(l, q->run, &b);
    int k = 0;
    while (k < 1000000 && fabs(rate - exact) > 1e-6 * fabs(b.v)) {
        rate = newton(&b, rate);
        k++;
    }
    return k;
}

/* Sticking, (10) multiplies what is left by F0/(mu N + sigma1 |v_S|), in the end by F0/F_s: the
 * factor of step 200 over that, at F0 = b F_s, v = a. */
static double contraction(const lab *l, const lab_quantity *q) {
    if (!lab_def(l, q->run)) return NAN;
    balance b = balance_of(l, q->run, q->a, 0.0);
    double level = b.mu_s * b.N, rate = 0.0, before = 0.0;
    b.z = (q->b * level - b.sigma1 * b.v) / b.sigma0;
    for (int k = 0; k < 200; k++) {
        before = b.v - rate;
        rate = newton(&b, rate);
    }
    return (b.v - rate) / before / q->b;
}

/* ---- rules of section 4.2 ------------------------------------------------------------------- */

/* From the force a and deflection b of reference: sigma0 = a/b, m_r = a/g, sigma1 = 2 sqrt(m_r
 * sigma0). */
static double rule_stiffness(const lab *l, const lab_quantity *q) { return q->a / q->b; }
static double rule_mass(const lab *l, const lab_quantity *q) { return q->a / 9.81; }
static double rule_damping(const lab *l, const lab_quantity *q) {
    return 2.0 * sqrt(rule_mass(l, q) * rule_stiffness(l, q));
}

/* With the reference mass as rounded in the print, a, and the stiffness b. */
static double rounded_damping(const lab *l, const lab_quantity *q) {
    return 2.0 * sqrt(q->a * q->b);
}

/* ---- numbers of sections 3 and 4 ------------------------------------------------------------ */

/* Parameter q->column of the run; a parameter times the load; v_r over v_a. */
static double given(const lab *l, const lab_quantity *q) { return lab_param(l, q->run, q->column); }

static double level(const lab *l, const lab_quantity *q) {
    return lab_def(l, q->run) ? given(l, q) * lab_def(l, q->run)->system.contacts[0].n : NAN;
}

static double regularisation(const lab *l, const lab_quantity *q) {
    return lab_param(l, q->run, "v_r") / lab_param(l, q->run, "v_s");
}

/* The pulse in per cent of F_s. */
static double pulse_share(const lab *l, const lab_quantity *q) {
    const bri_sim_def *def = lab_def(l, q->run);
    if (!def || def->system.n_drives == 0) return NAN;
    return 100.0 * bri_signal_value(&def->system.drives[0].force, 0.05) / level(l, q);
}

/* Deflection in the air, after the time sigma1/sigma0, over that at the start. */
static double in_the_air(const lab *l, const lab_quantity *q) {
    enum { STEPS = 20000 };
    if (!lab_def(l, q->run)) return NAN;
    const bri_contact *c = &lab_def(l, q->run)->system.contacts[0];
    const bri_input off = {0};
    double z[BRI_MAX_STATES] = {1e-4},
           tau = lab_param(l, q->run, "sigma1") / lab_param(l, q->run, "sigma0");
    for (int i = 0; i < STEPS; i++) bri_model_step(c->model, c->p, &off, tau / STEPS, z);
    return z[0] / 1e-4;
}

/* ---- quantities ---------------------------------------------------------------------------- */

#define HELD(text, run_, value)                                                                    \
    {                                                                                              \
        .experiment = "Fig. 4", .name = "asymmetric curve at v_S = 0, " text, .unit = "N",         \
        .source = PRINTED, .published = #value, .tolerance = 1e-9,                                 \
        .grounds = "the curve is shifted to meet F_0 exactly", .run = run_, .measure = at_rest,    \
        .a = value, .b = 0.0                                                                       \
    }
#define SLIDES 0.02, 1e-4
#define STICKS 1e-4, 5e-5

/* clang-format off */
static const lab_quantity quantities[] = {
    HELD("model 1, F_0 = 4.7 N", PULSE_SECOND, 4.7),
    HELD("model 1, F_0 = -3.5 N", PULSE_SECOND, -3.5),
    HELD("model 2, F_0 = 1.2 N", BELT_SECOND, 1.2),
    HELD("model 2, F_0 = -0.9 N", BELT_SECOND, -0.9),
    {.experiment = "Fig. 2", .name = "standard regularisation at v_r over F_s, model 1", .unit = "",
     .source = PRINTED, .published = "1", .tolerance = 1e-12, .grounds = "F_R(v_r) = F_s",
     .run = PULSE_SECOND, .measure = static_over_level},
    {.experiment = "Fig. 2", .name = "standard regularisation at v_r over F_s, model 2", .unit = "",
     .source = PRINTED, .published = "1", .tolerance = 1e-12, .grounds = "F_R(v_r) = F_s",
     .run = BELT_SECOND, .measure = static_over_level},

    {.experiment = "(7) to (10)", .name = "first step over dz/dt of (18), sliding", .unit = "",
     .source = PRINTED, .published = "1", .tolerance = 1e-12, .grounds = "(11) is (18): rounding",
     .run = PULSE_CONSISTENT, .measure = first_step, .a = 0.02, .b = 1e-4},
    {.experiment = "(7) to (10)", .name = "first step over dz/dt of (18), sticking", .unit = "",
     .source = PRINTED, .published = "1", .tolerance = 1e-12, .grounds = "(11) is (18): rounding",
     .run = PULSE_CONSISTENT, .measure = first_step, .a = 1e-4, .b = 5e-5},
    {.experiment = "(7) to (10)", .name = "converged less exact balance, over v, sliding", .unit = "",
     .source = CLOSED_FORM, .relation = BELOW, .published = "1e-9",
     .grounds = "both solve (5), whose solution is unique here: rounding",
     .run = PULSE_IMPLICIT, .measure = converged, .a = 0.02, .b = 1e-4},
    {.experiment = "(7) to (10)", .name = "converged less exact balance, over v, sticking", .unit = "",
     .source = CLOSED_FORM, .relation = BELOW, .published = "1e-9",
     .grounds = "both solve (5), whose solution is unique here: rounding",
     .run = PULSE_IMPLICIT, .measure = converged, .a = 1e-4, .b = 5e-5},
    {.experiment = "(7) to (10)", .name = "factor per step near stick over F_0/F_s, F_0 = 0.9 F_s", .unit = "",
     .source = CLOSED_FORM, .published = "1", .tolerance = 1e-6,
     .grounds = "(10) at v_S -> 0, after 200 steps", .run = PULSE_IMPLICIT, .measure = contraction,
     .a = 1e-4, .b = 0.9},
    {.experiment = "(7) to (10)", .name = "steps to 1e-6 v, sticking at 0.96 F_s", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "100",
     .grounds = "'its convergence is poor' close to sticking: hundreds of steps",
     .run = PULSE_IMPLICIT, .measure = steps, .a = 1e-4, .b = 1.439e-4},

    {.experiment = "(6), lift-off", .name = "LuGre: deflection after sigma1/sigma0, exp(-1)", .unit = "",
     .source = CLOSED_FORM, .published = "0.36788", .run = PULSE_LUGRE, .measure = in_the_air},
    {.experiment = "(6), lift-off", .name = "implicit bristle: deflection after sigma1/sigma0, exp(-1)", .unit = "",
     .source = CLOSED_FORM, .published = "0.36788", .run = PULSE_IMPLICIT, .measure = in_the_air},
    {.experiment = "(24), lift-off", .name = "second order: the same, aperiodic, 3 exp(-2)", .unit = "",
     .source = CLOSED_FORM, .published = "0.4060", .run = PULSE_SECOND, .measure = in_the_air},

    {.experiment = "Fig. 4", .name = "model 2: viscous part nu", .unit = "s/m", .source = PRINTED,
     .published = "0.0102", .run = BELT_SECOND, .measure = given, .column = "nu"},
    {.experiment = "Fig. 4", .name = "model 2: bristle damping, sqrt(sigma0) in listing 1", .unit = "N s/m",
     .source = PRINTED, .published = "316", .run = BELT_SECOND, .measure = given, .column = "sigma1"},
    {.experiment = "section 4.1", .name = "model 1: v_r over v_a", .unit = "", .source = PRINTED,
     .published = "0.1", .tolerance = 1e-12, .grounds = "v_r = v_A/10", .run = PULSE_SECOND,
     .measure = regularisation},
    {.experiment = "section 4.1", .name = "model 2: v_r over v_a", .unit = "", .source = PRINTED,
     .published = "0.1", .tolerance = 1e-12, .grounds = "v_r = v_A/10", .run = BELT_SECOND,
     .measure = regularisation},
    {.experiment = "section 4.3", .name = "model 1: dynamic friction force F_d", .unit = "N", .source = PRINTED,
     .published = "2.943", .run = PULSE_LUGRE, .measure = level, .column = "mu_c"},
    {.experiment = "section 4.3", .name = "model 1: static friction force F_s", .unit = "N", .source = PRINTED,
     .published = "5.886", .run = PULSE_LUGRE, .measure = level, .column = "mu_s"},
    {.experiment = "section 4.3", .name = "5.6 N of the static friction force", .unit = "%", .source = PRINTED,
     .published = "95", .run = MOST_SECOND, .measure = pulse_share, .column = "mu_s"},
    {.experiment = "section 4.4", .name = "model 2: static friction force F_s", .unit = "N", .source = PRINTED,
     .published = "1.47", .run = BELT_SECOND, .measure = level, .column = "mu_s"},

    {.experiment = "section 4.2", .name = "stiffness from 4 N and 0.05 mm", .unit = "N/m",
     .source = PRINTED, .published = "80000", .measure = rule_stiffness, .a = 4.0, .b = 5e-5},
    {.experiment = "section 4.2", .name = "reference mass of 4 N", .unit = "kg",
     .source = PRINTED, .published = "0.41", .measure = rule_mass, .a = 4.0, .b = 5e-5},
    {.experiment = "section 4.2", .name = "damping from 4 N and 0.05 mm", .unit = "N s/m",
     .source = PRINTED, .published = "362", .measure = rule_damping, .a = 4.0, .b = 5e-5,
     .reason = "the paper rounds the reference mass to 0.41 kg first", .expected = "361.2",
     .second = &(const lab_quantity){.measure = rounded_damping, .a = 0.41, .b = 80000.0}},
    {.experiment = "section 5.1", .name = "stiffness from 2 N and 0.05 mm", .unit = "N/m",
     .source = PRINTED, .published = "40000", .measure = rule_stiffness, .a = 2.0, .b = 5e-5},
    {.experiment = "section 5.1", .name = "reference mass of 2 N", .unit = "kg",
     .source = PRINTED, .published = "0.2", .measure = rule_mass, .a = 2.0, .b = 5e-5},
    {.experiment = "section 5.1", .name = "damping from 2 N and 0.05 mm", .unit = "N s/m",
     .source = PRINTED, .published = "1.8e2", .measure = rule_damping, .a = 2.0, .b = 5e-5},
};
/* clang-format on */

const lab_section rill_laws = LAB_SECTION(quantities);

/* ---- figures ------------------------------------------------------------------------------- */

enum { SPEEDS = 401 };

/* F_R over v_S, held with F0. */
static void draw_held(lab_figure *f, const lab *l, const char *label, int run, double F0,
                      lab_style style) {
    double v[SPEEDS], F[SPEEDS], most = lab_param(l, run, "v_s");
    for (int i = 0; i < SPEEDS; i++) {
        v[i] = most * (2.0 * i / (SPEEDS - 1) - 1.0);
        F[i] = held_curve(l, run, F0, v[i]);
    }
    lab_line(f, label, v, F, SPEEDS, style);
}

/* The friction characteristics: mu over |v|, and F_R over v with a jump at 0. */
static void draw_given(lab_figure *f, const lab *l, const char *label, int run, int force) {
    double v[SPEEDS], y[SPEEDS], most = (force ? 1.0 : 3.0) * lab_param(l, run, "v_s");
    double N = lab_def(l, run) ? lab_def(l, run)->system.contacts[0].n : NAN;
    for (int i = 0; i < SPEEDS; i++) {
        v[i] = force ? most * (2.0 * i / (SPEEDS - 1) - 1.0) : most * i / (SPEEDS - 1);
        double mu = rill_prescribed(l, run, fabs(v[i]));
        y[i] = !force ? mu : v[i] == 0.0 ? 0.0 : copysign(mu * N, v[i]);
    }
    lab_line(f, label, v, y, SPEEDS, LINE);
}

void rill_draw_laws(const lab *l, bri_report *r) {
    static const struct {
        const char *title, *plus, *minus;
        int run;
        double held[2];
    } models[] = {{"model 1", "F_0 = 4.7 N", "F_0 = -3.5 N", PULSE_SECOND, {4.7, -3.5}},
                  {"model 2", "F_0 = 1.2 N", "F_0 = -0.9 N", BELT_SECOND, {1.2, -0.9}}};
    lab_figure f;
    lab_figure_begin(&f, "Rill et al., Figs. 2 and 4: regularised curves", 2, 2);
    for (int i = 0; i < 2; i++) {
        lab_panel(&f, 0, i, models[i].title, "|v|", "m/s", "friction coefficient", "");
        draw_given(&f, l, NULL, models[i].run, 0);
        lab_panel(&f, 1, i, models[i].title, "sliding velocity", "m/s", "friction", "N");
        draw_given(&f, l, "given", models[i].run, 1);
        draw_held(&f, l, "standard", models[i].run, 0.0, DASHED);
        draw_held(&f, l, models[i].plus, models[i].run, models[i].held[0], DASHED);
        draw_held(&f, l, models[i].minus, models[i].run, models[i].held[1], DASHED);
    }
    lab_figure_end(&f, r, "rill-curves",
                   "Figs. 2 and 4: the given friction, its standard regularisation, and the "
                   "asymmetric one that meets F_0 at rest.");
}
