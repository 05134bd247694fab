/* pennestri_features.c - Table 8 of Pennestri et al. 2016: what the laws can do. */
#include "pennestri.h"

#include <math.h>
#include <string.h>

/* The parameters that Table 2 lists, under our names. */
static const char *const table2[COST_LAWS] = {
    "mu_c v_d",
    "mu_c mu_s v_d v_s",
    "mu_c sigma0 i",
    "mu_c mu_s sigma0 sigma1 sigma2 v_s gamma",
    "mu_c mu_s v_t delta_max",
    "mu_c mu_s v_d",
    "mu_c mu_s sigma0 sigma1 sigma2 v_s gamma z_ba",
    "mu_c mu_s sigma0 sigma1 sigma2 v_s v_t tau_dw",
};

/* States of the law, as Table 2 lists them. */
static double feature_states(const lab *l, const lab_quantity *q) {
    const bri_model *m = bri_model_find(q->column);
    return m ? (double)m->n_states : NAN;
}

/* Steady force at the speed a. */
static double curve_at(const lab *l, const lab_quantity *q) {
    bri_setup s;
    const bri_model *m = bri_model_find(q->column);
    if (!m) return NAN;
    bri_setup_init(&s, m);
    return bri_steady_force(&s, q->a);
}

/* Largest steady force between 0 and a, over F_s. */
static double curve_peak(const lab *l, const lab_quantity *q) {
    enum { SPEEDS = 20000 };
    bri_setup s;
    const bri_model *m = bri_model_find(q->column);
    double most = 0.0;
    if (!m) return NAN;
    bri_setup_init(&s, m);
    for (int i = 1; i <= SPEEDS; i++) most = fmax(most, bri_steady_force(&s, q->a * i / SPEEDS));
    return most / (s.load * s.p[bri_model_param(m, "mu_s")]);
}

/* How many of them the law has. */
static double feature_params(const lab *l, const lab_quantity *q) {
    int law = cost_law(q->column), count = 0;
    const bri_model *m = bri_model_find(q->column);
    char name[32];
    if (law < 0 || !m) return NAN;
    for (const char *s = table2[law]; *s; s += strspn(s, " ")) {
        size_t length = strcspn(s, " ");
        if (length >= sizeof name) return NAN;
        memcpy(name, s, length);
        name[length] = '\0';
        count += bri_model_param(m, name) >= 0;
        s += length;
    }
    return count;
}

/* The law with the parameters of its contact in the rig. */
static int setup_of(const lab *l, const lab_quantity *q, bri_setup *s) {
    const bri_sim_def *def = lab_def(l, q->run);
    if (!def) return 0;
    const bri_contact *c = &def->system.contacts[0];
    bri_setup_init(s, c->model);
    memcpy(s->p, c->p, sizeof s->p);
    s->load = c->n;
    return 1;
}

/* Is there friction at rest? The contact slides slowly for long, then stops; half the sliding force
 * is applied. */
static double feature_stiction(const lab *l, const lab_quantity *q) {
    bri_setup s;
    if (!setup_of(l, q, &s)) return NAN;
    double z[BRI_MAX_STATES], dz[BRI_MAX_STATES], level = bri_steady_force(&s, 1.0);
    bri_input slides = {.v = 0.02, .n = s.load}, rests = {.n = s.load, .fa = 0.5 * level};
    bri_model_rest(s.model, s.p, z);
    for (int i = 0; i < 1000; i++) bri_model_step(s.model, s.p, &slides, 1e-3, z);
    return bri_model_eval(s.model, s.p, &rests, z, dz) > 0.1 * level;
}

static double feature_static(const lab *l, const lab_quantity *q) {
    bri_setup s;
    return setup_of(l, q, &s) ? (double)bri_measure_traits(&s).has[BRI_STICTION] : NAN;
}

static double feature_presliding(const lab *l, const lab_quantity *q) {
    bri_setup s;
    return setup_of(l, q, &s) ? (double)bri_measure_traits(&s).has[BRI_PRESLIDING] : NAN;
}

/* ---- quantities ---------------------------------------------------------------------------- */

#define FEATURE(text, law, index, what, mark, function, ...)                                       \
    {                                                                                              \
        .experiment = "Table 8", .name = text ": " what, .unit = "", .source = PRINTED,            \
        .published = mark, .run = index, .measure = function, .column = law, __VA_ARGS__           \
    }

#define STATES(text, law, mark, ...)                                                               \
    {                                                                                              \
        .experiment = "Table 2", .name = text ": state variables", .unit = "", .source = PRINTED,  \
        .published = mark, .measure = feature_states, .column = law, __VA_ARGS__                   \
    }
#define NO_STATE                                                                                   \
    .expected = "1", .reason = "(17) needs Delta: the displacement of the rig in the paper, a "    \
                               "state here, as laws do not see displacements"

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "(5), sine of arctan", .name = "largest force over F_s", .unit = "", .source = CLOSED_FORM,
     .published = "1", .tolerance = 1e-6, .grounds = "a sine; velocities in 20,000 steps",
     .measure = curve_peak, .column = "sine_arctan", .a = 0.1},
    {.experiment = "(12), quasi-static LuGre", .name = "force at 0.02 m/s, 98.1 + 19.62 exp(-0.4)", .unit = "N",
     .source = CLOSED_FORM, .published = "111.2517", .measure = curve_at, .column = "lugre", .a = 0.02},
    {.experiment = "(3), Benson", .name = "force at 0.02 m/s, 98.1 + 19.62 exp(-c 0.02)", .unit = "N",
     .source = CLOSED_FORM, .published = "111.2517", .measure = curve_at, .column = "benson", .a = 0.02},
    STATES("smooth Coulomb", "coulomb_tanh", "0", ),
    STATES("velocity based", "velocity_based", "0", ),
    STATES("Karnopp", "karnopp", "0", ),
    STATES("stick-slip", "stick_slip", "0", NO_STATE),
    STATES("Dahl", "dahl", "1", ),
    STATES("LuGre", "lugre", "1", ),
    STATES("elasto-plastic", "elasto_plastic", "1", ),
    STATES("Gonthier", "gonthier", "2", ),
    FEATURE("smooth Coulomb", "coulomb_tanh", R_TANH, "parameters of Table 2", "2", feature_params, ),
    FEATURE("smooth Coulomb", "coulomb_tanh", R_TANH, "stiction", "0", feature_stiction, ),
    FEATURE("smooth Coulomb", "coulomb_tanh", R_TANH, "static force", "0", feature_static, ),
    FEATURE("smooth Coulomb", "coulomb_tanh", R_TANH, "pre-sliding", "0", feature_presliding, ),
    FEATURE("velocity based", "velocity_based", R_VELOCITY, "parameters of Table 2", "4", feature_params, ),
    FEATURE("velocity based", "velocity_based", R_VELOCITY, "stiction", "0", feature_stiction, ),
    FEATURE("velocity based", "velocity_based", R_VELOCITY, "static force", "0", feature_static,
            .expected = "1", .reason = "its curve has a peak F_s that a slow load must exceed; it only "
                                       "creeps before, so that the table counts no stiction"),
    FEATURE("velocity based", "velocity_based", R_VELOCITY, "pre-sliding", "0", feature_presliding, ),
    FEATURE("Karnopp", "karnopp", R_KARNOPP, "parameters of Table 2", "3", feature_params, ),
    FEATURE("Karnopp", "karnopp", R_KARNOPP, "stiction", "1", feature_stiction, ),
    FEATURE("Karnopp", "karnopp", R_KARNOPP, "static force", "1", feature_static, ),
    FEATURE("Karnopp", "karnopp", R_KARNOPP, "pre-sliding", "0", feature_presliding, ),
    FEATURE("Dahl", "dahl", R_DAHL, "parameters of Table 2", "3", feature_params, ),
    FEATURE("Dahl", "dahl", R_DAHL, "stiction", "1", feature_stiction, ),
    FEATURE("Dahl", "dahl", R_DAHL, "static force", "0", feature_static, ),
    FEATURE("Dahl", "dahl", R_DAHL, "pre-sliding", "1", feature_presliding, ),
    FEATURE("LuGre", "lugre", R_LUGRE, "parameters of Table 2", "7", feature_params, ),
    FEATURE("LuGre", "lugre", R_LUGRE, "stiction", "1", feature_stiction, ),
    FEATURE("LuGre", "lugre", R_LUGRE, "static force", "1", feature_static, ),
    FEATURE("LuGre", "lugre", R_LUGRE, "pre-sliding", "1", feature_presliding, ),
    FEATURE("stick-slip", "stick_slip", R_STICK_SLIP, "parameters of Table 2", "4", feature_params, ),
    FEATURE("stick-slip", "stick_slip", R_STICK_SLIP, "stiction", "1", feature_stiction, ),
    FEATURE("stick-slip", "stick_slip", R_STICK_SLIP, "static force", "1", feature_static, ),
    FEATURE("stick-slip", "stick_slip", R_STICK_SLIP, "pre-sliding", "0", feature_presliding,
            .expected = "1", .reason = "its state Delta is a spring below break-away, eq. (17), which "
                                       "the table does not count"),
    FEATURE("elasto-plastic", "elasto_plastic", R_ELASTO_1, "parameters of Table 2", "8", feature_params, ),
    FEATURE("elasto-plastic", "elasto_plastic", R_ELASTO_1, "stiction", "1", feature_stiction, ),
    FEATURE("elasto-plastic", "elasto_plastic", R_ELASTO_1, "static force", "1", feature_static, ),
    FEATURE("elasto-plastic", "elasto_plastic", R_ELASTO_1, "pre-sliding", "1", feature_presliding, ),
    FEATURE("Gonthier", "gonthier", R_GONTHIER, "parameters of Table 2", "8", feature_params, ),
    FEATURE("Gonthier", "gonthier", R_GONTHIER, "stiction", "1", feature_stiction, ),
    FEATURE("Gonthier", "gonthier", R_GONTHIER, "static force", "1", feature_static, ),
    FEATURE("Gonthier", "gonthier", R_GONTHIER, "pre-sliding", "1", feature_presliding, ),
};
/* clang-format on */

const lab_section pennestri_features = LAB_SECTION(quantities);
