/* by_role.c - what the parameters of a law say, asked for by role. */
#include "setup.h"

#include <math.h>
#include <string.h>

/* The place of a parameter with a value of its own in a setup, -1: none of that role. */
int role_has(const bri_setup *s, bri_role role) { return bri_model_role(s->model, role); }

int role_known(const bri_setup *s, bri_role role) {
    int i = role_has(s, role);
    return i >= 0 && s->origin[i] != BRI_DEFAULT;
}

double role_value(const bri_setup *s, bri_role role, double none) {
    int i = role_has(s, role);
    return i >= 0 ? s->p[i] : none;
}

/* A speed, or one over it where the unit says so: the same formula both ways. */
double role_as_speed(const bri_param *row, double value) {
    return strcmp(row->unit, "s/m") == 0 ? 1.0 / value : value;
}

/* Static over sliding level of two elements (bliman_sorine.c), r the share of the slow one. */
static double peak_ratio(double r, double eta) {
    if (!(r > 0.0)) return 1.0;
    return 1.0 + r / (1.0 - r) * (1.0 - eta) * pow(eta * r, eta / (1.0 - eta));
}

/* mu_2/mu_c for a given static over sliding level, by bisection: the ratio rises with r. */
double role_slow_share(double ratio, double eta) {
    double low = 0.0, high = 1.0 - 1e-12;
    for (int i = 0; i < 200; i++) {
        double r = 0.5 * (low + high);
        *(peak_ratio(r, eta) < ratio ? &low : &high) = r;
    }
    return ratio > 1.0 ? low / (1.0 - low) : 0.0;
}

static const double half_pi = 1.57079632679489661923;

/* The sliding and the static level, in the units of the setup; a law with one of them has both
 * alike. NaN: a law without levels. `at`: the parameter that says it. */
double role_sliding_level(const bri_setup *s, int *at) {
    *at = role_has(s, BRI_ROLE_LEVEL);
    if (*at >= 0) return s->p[*at];
    *at = role_has(s, BRI_ROLE_STATIC_LEVEL);
    int ratio = role_has(s, BRI_ROLE_LEVEL_RATIO);
    if (*at < 0) return NAN;
    return s->p[*at] * (ratio >= 0 ? sin(s->p[ratio] * half_pi) : 1.0);
}

double role_static_level(const bri_setup *s, int *at) {
    *at = role_has(s, BRI_ROLE_STATIC_LEVEL);
    if (*at >= 0) return s->p[*at];
    *at = role_has(s, BRI_ROLE_LEVEL);
    int slow = role_has(s, BRI_ROLE_SLOW_LEVEL);
    if (*at < 0 || slow < 0) return *at < 0 ? NAN : s->p[*at];
    double r = s->p[slow] / (s->p[*at] + s->p[slow]);
    return s->p[*at] * peak_ratio(r, role_value(s, BRI_ROLE_DISTANCE_RATIO, 0.5));
}

static int no_stiction(const bri_setup *s) {
    int at;
    double Fs = role_static_level(s, &at);
    return !(Fs > role_sliding_level(s, &at));
}

/* dF/dx of a contact at rest, from the Jacobian: sum dF/dz d(dz/dt)/dv. */
static double rest_stiffness(const bri_setup *s, double load) {
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], sum = 0.0;
    double J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)];
    int k, width, noise = role_has(s, BRI_ROLE_NOISE_FORCE);
    memcpy(p, s->p, sizeof p);
    if (noise >= 0) p[noise] = 0.0; /* a random force is no spring */
    k = bri_model_states(s->model, p);
    width = 3 + k;
    bri_model_rest(s->model, p, z);
    bri_model_jac(s->model, p, &(bri_input){.n = load}, z, J);
    for (int j = 0; j < k; j++) sum += J[3 + j] * J[(1 + j) * width + 1];
    return sum;
}

/* The stiffness before sliding, and what says it; NaN: rigid or creeping. */
double role_stiffness(const bri_setup *s, double load, int *at) {
    *at = role_has(s, BRI_ROLE_STIFFNESS);
    if (*at >= 0) return s->p[*at];
    *at = role_has(s, BRI_ROLE_DEFLECTION);
    return *at >= 0 && load > 0.0 ? rest_stiffness(s, load) : NAN;
}

/* The length that gives the contact this stiffness: the one goes with the inverse of the other. */
double role_length_for(const bri_setup *s, int i, double load, double wanted) {
    return s->p[i] * (rest_stiffness(s, load) / wanted);
}

/* Nonzero if the Stribeck curve decides more than the level: where a contact lags or dwells it
 * tells sticking from sliding, and a reading of a law may let the damping fade with it. */
static int curve_does_more(const bri_setup *s) {
    int more = role_has(s, BRI_ROLE_DWELL_TIME) >= 0 || role_has(s, BRI_ROLE_LAG_TIME) >= 0;
    for (int i = 0; i < s->model->n_params; i++)
        more |= s->model->params[i].role == BRI_ROLE_CHOICE && s->p[i] != 0.0;
    return more;
}

/* Nonzero if a parameter does nothing as it is: it is no loss, and no invention. */
int role_idle(const bri_setup *s, int i) {
    switch (s->model->params[i].role) {
    case BRI_ROLE_VISCOUS:
    case BRI_ROLE_VISCOUS_PER_LOAD:
    case BRI_ROLE_SLOW_LEVEL:
        return s->p[i] == 0.0;
    case BRI_ROLE_STATIC_LEVEL:
        return role_has(s, BRI_ROLE_LEVEL) >= 0 && no_stiction(s);
    case BRI_ROLE_STRIBECK_SPEED:
    case BRI_ROLE_STRIBECK_EXPONENT:
        return no_stiction(s) && !curve_does_more(s);
    case BRI_ROLE_CHOICE:
        return s->p[i] == s->model->params[i].def;
    default:
        return 0;
    }
}

void role_put(bri_setup *s, int i, double value, bri_origin origin, const char *rule) {
    s->p[i] = value;
    s->origin[i] = origin;
    s->from[i] = NULL;
    s->rule[i] = rule;
}
