/* features.c - Table 8 of Pennestri et al. 2016: what the laws can do. */
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

/* How many of them the law has. */
double feature_params(const lab *l, const lab_quantity *q) {
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
double feature_stiction(const lab *l, const lab_quantity *q) {
    bri_setup s;
    if (!setup_of(l, q, &s)) return NAN;
    double z[BRI_MAX_STATES], dz[BRI_MAX_STATES], level = bri_steady_force(&s, 1.0);
    bri_input slides = {.v = 0.02, .n = s.load}, rests = {.n = s.load, .fa = 0.5 * level};
    bri_model_rest(s.model, s.p, z);
    for (int i = 0; i < 1000; i++) bri_model_step(s.model, s.p, &slides, 1e-3, z);
    return bri_model_eval(s.model, s.p, &rests, z, dz) > 0.1 * level;
}

double feature_static(const lab *l, const lab_quantity *q) {
    bri_setup s;
    return setup_of(l, q, &s) ? (double)bri_measure_traits(&s).has[BRI_STICTION] : NAN;
}

double feature_presliding(const lab *l, const lab_quantity *q) {
    bri_setup s;
    return setup_of(l, q, &s) ? (double)bri_measure_traits(&s).has[BRI_PRESLIDING] : NAN;
}
