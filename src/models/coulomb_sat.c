/* Coulomb friction with a linear ramp through zero.
 *
 *     F = mu_c N sat(k v) + kv v,   sat clips to [-1, 1]
 *
 * Andersson (6)-(8). Creeps under load: v = F/(mu_c N k + kv).
 */
#include "models.h"

enum { MU_C, K, KV, N_PARAMS };

/* clang-format off */
static const bri_param coulomb_sat_params[N_PARAMS] = {
    [MU_C] = ROW_MU_C(0.1),
    [K]    = {"k", "s/m", 1000.0, 1e-3, 1e9, "slope of the ramp (k_sat)", NULL, 0, BRI_ROLE_SMOOTHING},
    [KV]   = ROW_KV(0.0),
};
/* clang-format on */

static double coulomb_sat_eval(const bri_model *self, const double *p, const bri_input *u,
                               const double *z, double *dz) {
    return p[MU_C] * u->n * clamp(p[K] * u->v, 1.0) + p[KV] * u->v;
}

static void coulomb_sat_jac(const bri_model *self, const double *p, const bri_input *u,
                            const double *z, double *J) {
    double r = p[K] * u->v;
    J[0] = 0.0;
    J[1] = (fabs(r) < 1.0 ? p[MU_C] * u->n * p[K] : 0.0) + p[KV];
    J[2] = p[MU_C] * clamp(r, 1.0);
}

static int coulomb_sat_motion(const bri_model *self, const double *p, const bri_input *u,
                              const double *z) {
    return fabs(p[K] * u->v) < 1.0 ? 0 : (int)sign(u->v);
}

const bri_model bri_coulomb_sat = {
    .name = "coulomb_sat",
    .title = "Coulomb friction with a linear ramp",
    .equations = "F = mu_c N sat(k v) + kv v",
    .limits = "Creeps under any load; no stiction. Stiff for large k.",
    .cite = "Andersson et al. 2007, eqs. (6)-(8)",
    .defaults = "Andersson et al. 2007, table 1",
    .load = 9.81,
    .params = coulomb_sat_params,
    .n_params = N_PARAMS,
    .eval = coulomb_sat_eval,
    .jac = coulomb_sat_jac,
    .motion = coulomb_sat_motion,
};
