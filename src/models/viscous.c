/* Viscous friction.
 *
 *     F = kv |v|^p sgn(v)
 *
 * Andersson (5) with p = 1; Olsson & Astrom section 2 report p = 1/2. Independent of the load while
 * the contact is closed. For p < 1 the slope at v = 0 is infinite; the Jacobian gives the one at
 * |v| = 1e-9 m/s there.
 */
#include "models.h"

enum { KV, P, N_PARAMS };

/* clang-format off */
static const bri_param viscous_params[N_PARAMS] = {
    [KV] = {"kv", "N s/m", 0.4, 0.0,  1e9, "viscous coefficient (force at 1 m/s)", NULL, 0, BRI_ROLE_VISCOUS},
    [P]  = {"p",  "1",     1.0, 0.1, 10.0, "exponent of the speed", NULL, 0, BRI_ROLE_VISCOUS_EXPONENT},
};
/* clang-format on */

static double viscous_eval(const bri_model *self, const double *p, const bri_input *u,
                           const double *z, double *dz) {
    return p[P] == 1.0 ? p[KV] * u->v : p[KV] * pow(fabs(u->v), p[P]) * sign(u->v);
}

static void viscous_jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                        double *J) {
    double a = fmax(fabs(u->v), p[P] < 1.0 ? 1e-9 : 0.0);
    J[0] = J[2] = 0.0;
    J[1] = p[P] == 1.0 ? p[KV] : p[KV] * p[P] * pow(a, p[P] - 1.0);
}

const bri_model bri_viscous = {
    .name = "viscous",
    .title = "Viscous friction",
    .equations = "F = kv |v|^p sgn(v)",
    .limits = "No dry friction: a body under load never comes to rest.",
    .cite = "Andersson et al. 2007, eq. (5); Olsson & Astrom 1993, section 2",
    .defaults = "Canudas de Wit et al. 1995, table I (sigma2 = 0.4 N s/m)",
    .load = 1.0,
    .params = viscous_params,
    .n_params = N_PARAMS,
    .eval = viscous_eval,
    .jac = viscous_jac,
};
