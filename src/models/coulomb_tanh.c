/* Smooth Coulomb friction.
 *
 *     F = mu_c N tanh(v/v_d) + kv v
 *     clipped = 1:  F = mu_c N tanh(clip(v/v_d, -1, 1))/tanh(1) + kv v
 *
 * Pennestri (4), Andersson (9) with k_tanh = 1/v_d. The clipped form reaches mu_c N at v_d exactly;
 * it is the reading of Pennestri's code that fits the printed tables.
 */
#include "models.h"

enum { MU_C, V_D, CLIPPED, KV, N_PARAMS };

/* clang-format off */
static const bri_param coulomb_tanh_params[N_PARAMS] = {
    [MU_C]    = ROW_MU_C(0.5),
    [V_D]     = {"v_d", "m/s", 0.05, 1e-9, 1e3, "smoothing velocity", NULL, 0, BRI_ROLE_SMOOTHING},
    [CLIPPED] = {"clipped", "1", 0.0, 0.0, 1.0, "1: tanh clipped and scaled to 1 at v_d", NULL, 1, BRI_ROLE_CHOICE},
    [KV]      = ROW_KV(0.0),
};
/* clang-format on */

static const double tanh_one = 0.76159415595576488812;

static double coulomb_tanh_eval(const bri_model *self, const double *p, const bri_input *u,
                                const double *z, double *dz) {
    double r = u->v / p[V_D];
    double shape = p[CLIPPED] != 0.0 ? tanh(clamp(r, 1.0)) / tanh_one : tanh(r);
    return p[MU_C] * u->n * shape + p[KV] * u->v;
}

static void coulomb_tanh_jac(const bri_model *self, const double *p, const bri_input *u,
                             const double *z, double *J) {
    double r = u->v / p[V_D], t = tanh(r), slope = (1.0 - t * t) / p[V_D];
    if (p[CLIPPED] != 0.0) {
        t = tanh(clamp(r, 1.0)) / tanh_one;
        slope = fabs(r) < 1.0 ? slope / tanh_one : 0.0;
    }
    J[0] = 0.0;
    J[1] = p[MU_C] * u->n * slope + p[KV];
    J[2] = p[MU_C] * t;
}

static int coulomb_tanh_motion(const bri_model *self, const double *p, const bri_input *u,
                               const double *z) {
    return fabs(u->v) < p[V_D] ? 0 : (int)sign(u->v);
}

const bri_model bri_coulomb_tanh = {
    .name = "coulomb_tanh",
    .title = "Smooth Coulomb friction (tanh)",
    .equations = "F = mu_c N tanh(v/v_d) + kv v\n"
                 "clipped = 1: F = mu_c N tanh(clip(v/v_d, -1, 1))/tanh(1) + kv v",
    .limits = "Creeps under any load; no stiction. Stiff for small v_d.",
    .cite = "Pennestri et al. 2016, eq. (4); Andersson et al. 2007, eq. (9)",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = coulomb_tanh_params,
    .n_params = N_PARAMS,
    .eval = coulomb_tanh_eval,
    .jac = coulomb_tanh_jac,
    .motion = coulomb_tanh_motion,
};
