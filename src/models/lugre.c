/* LuGre bristle model.
 *
 *     g(v)  = N (mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma))
 *     dz/dt = v - sigma0 |v| z/g(v)
 *     F     = sigma0 z + sigma1 s(v) dz/dt + (sigma2 + nu N) v
 *     s(v)  = 1, or exp(-(|v|/v_s)^gamma) with fade = 1
 *
 * z is the mean bristle deflection; |z| <= mu_s N/sigma0 is invariant; steady sliding gives
 * F = g(v) sgn(v) + (sigma2 + nu N) v. Pennestri (9)-(11), Andersson (19), Rill (13)-(17),
 * Leus (18)-(22) (fade: (22)). Canudas de Wit, Olsson, Astrom, Lischinsky, "A new model for control
 * of systems with friction", IEEE Trans. Automatic Control 40(3), 1995.
 */
#include "models.h"

enum { MU_C, MU_S, V_S, GAMMA, SIGMA0, SIGMA1, SIGMA2, NU, FADE, N_PARAMS };

/* clang-format off */
static const bri_param lugre_params[N_PARAMS] = {
    [MU_C]   = ROW_MU_C(0.5),
    [MU_S]   = ROW_MU_S(0.6),
    [V_S]    = ROW_V_S(0.05),
    [GAMMA]  = ROW_GAMMA(1.0),
    [SIGMA0] = ROW_SIGMA0(98100.0),
    [SIGMA1] = ROW_SIGMA1(780.0),
    [SIGMA2] = ROW_SIGMA2(0.0),
    [NU]     = ROW_NU(0.0),
    [FADE]   = {"fade", "1", 0.0, 0.0, 1.0, "1: sigma1 fades with the Stribeck curve", NULL, 1, BRI_ROLE_CHOICE},
};
/* clang-format on */

static const bri_state lugre_states[] = {{"z", "m", 1e-3, "mean bristle deflection", 0}};

static const char *lugre_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

/* sigma0/g(v), where 1/ratio is the steady deflection; e = exp(-(|v|/v_s)^gamma). */
static inline double lugre_ratio(const double *p, const bri_input *u, double e) {
    return p[SIGMA0] / (u->n * (p[MU_C] + (p[MU_S] - p[MU_C]) * e));
}

/* Force and rate, from e and the ratio above. */
static inline double lugre_force(const double *p, const bri_input *u, double e, double ratio,
                                 double z, double *dz) {
    *dz = u->v - ratio * (speed(u) * z);
    double damping = p[FADE] != 0.0 ? p[SIGMA1] * e : p[SIGMA1];
    return p[SIGMA0] * z + (p[SIGMA2] + p[NU] * u->n) * u->v + damping * *dz;
}

static double lugre_eval(const bri_model *self, const double *p, const bri_input *u,
                         const double *z, double *dz) {
    double e = decay(p[V_S], p[GAMMA], speed(u), NULL);
    return lugre_force(p, u, e, lugre_ratio(p, u, e), z[0], dz);
}

/* d(dz/dt)/dv jumps at v = 0; there the mean of both sides is returned. */
static void lugre_jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                      double *J) {
    double de, e = decay(p[V_S], p[GAMMA], speed(u), &de), a = speed(u), d = direction(u);
    double mu = p[MU_C] + (p[MU_S] - p[MU_C]) * e, dmu = (p[MU_S] - p[MU_C]) * de;
    double c = p[SIGMA0] / (u->n * mu), r = c * z[0], dz = u->v - a * r;
    double dz_v = 1.0 - d * r * (1.0 - a * dmu / mu), dz_n = a * r / u->n, dz_z = -a * c;
    double damping = p[SIGMA1], fading = 0.0;
    if (p[FADE] != 0.0) {
        fading = p[SIGMA1] * de * d;
        damping *= e;
    }
    const double rows[2][4] = {
        {0.0, damping * dz_v + fading * dz + p[SIGMA2] + p[NU] * u->n,
         damping * dz_n + p[NU] * u->v, p[SIGMA0] + damping * dz_z},
        {0.0, dz_v, dz_n, dz_z},
    };
    PUT_JACOBIAN(J, rows);
}

/* Linear in z while v is held: exact. */
static double lugre_step(const bri_model *self, const double *p, const bri_input *u, double h,
                         double *z) {
    double e = decay(p[V_S], p[GAMMA], speed(u), NULL), ratio = lugre_ratio(p, u, e), dz;
    z[0] = approach(z[0], direction(u) / ratio, h * fabs(u->v) * ratio);
    return lugre_force(p, u, e, ratio, z[0], &dz);
}

static double lugre_lift(const bri_model *self, const double *p) {
    return relaxation(p[SIGMA0], p[SIGMA1]);
}

static double lugre_stored(const bri_model *self, const double *p, const bri_input *u,
                           const double *z, double *grad) {
    return spring_energy(p[SIGMA0], z[0], grad);
}

const bri_model bri_lugre = {
    .name = "lugre",
    .title = "LuGre bristle model",
    .equations = "g(v) = N (mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma))\n"
                 "dz/dt = v - sigma0 |v| z/g(v)\n"
                 "F = sigma0 z + sigma1 dz/dt + (sigma2 + nu N) v\n"
                 "fade = 1: sigma1 exp(-(|v|/v_s)^gamma) in place of sigma1",
    .limits =
        "Creeps under an oscillating load below break-away; break-away falls with the rate of "
        "loading; the force in fast transients leaves the Stribeck curve (Rill et al. 2023). "
        "Stiff once it slides: z relaxes with g/(sigma0 |v|).",
    .cite = "Canudas de Wit et al. 1995; Pennestri et al. 2016, eqs. (9)-(11); Andersson et al. "
            "2007, eq. (19); Leus et al., eqs. (18)-(22)",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = lugre_params,
    .n_params = N_PARAMS,
    .states = lugre_states,
    .n_states = 1,
    .step_order = 2,
    .check = lugre_check,
    .eval = lugre_eval,
    .jac = lugre_jac,
    .step = lugre_step,
    .lift = lugre_lift,
    .stored = lugre_stored,
};
