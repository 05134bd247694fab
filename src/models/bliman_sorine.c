/* Bliman and Sorine's second-order model: two Dahl elements in parallel.
 *
 *     dz1/dt = v - |v| z1/(eta eps)     the fast element
 *     dz2/dt = v - |v| z2/eps           the slow one, whose force is subtracted
 *     F      = N (mu_1 z1/(eta eps) - mu_2 z2/eps) + kv v,   mu_1 = mu_c + mu_2
 *
 * In the slid distance s this is dx/ds = A x + B sgn(v), F = C x of [1] with f1 = mu_1 N,
 * f2 = mu_2 N, eps_f = eps. Starting from rest, F = f1 (1 - exp(-s/(eta eps))) - f2 (1 -
 * exp(-s/eps)) passes a static peak before it falls to f1 - f2: with r = mu_2/mu_1 the peak is
 * Fs/Fc = 1 + r/(1-r) (1-eta) (eta r)^(eta/(1-eta)), at s = eps eta/(1-eta) ln(1/(eta r)).
 *
 * [1] Bliman & Sorine, "Easy-to-use realistic dry friction models for automatic control", European
 *     Control Conference 1995. [2] Olsson, Astrom, Canudas de Wit, Gafvert, Lischinsky, "Friction
 *     models and friction compensation", European Journal of Control 4, 1998.
 */
#include "models.h"

enum { MU_C, MU_2, EPS, ETA, KV, N_PARAMS };

/* clang-format off */
static const bri_param bliman_sorine_params[N_PARAMS] = {
    [MU_C] = ROW_MU_C(0.5),
    [MU_2] = {"mu_2", "1", 0.1673, 0.0, 1e6, "coefficient of the slow element, subtracted", "F2", 0, BRI_ROLE_SLOW_LEVEL},
    [EPS]  = {"eps", "m", 0.0130, 1e-12, 1e3, "sliding distance over which the peak decays", NULL, 0, BRI_ROLE_DEFLECTION},
    [ETA]  = {"eta", "1", 0.1, 1e-4, 0.99, "distance of the fast element over that of the slow one", NULL, 0, BRI_ROLE_DISTANCE_RATIO},
    [KV]   = ROW_KV(0.0),
};
/* clang-format on */

static const bri_state bliman_sorine_states[] = {
    {"z1", "m", 1e-3, "deflection of the fast element", 0},
    {"z2", "m", 1e-2, "deflection of the slow element", 0},
};

static double bliman_sorine_force(const double *p, double n, const double *z) {
    return n * ((p[MU_C] + p[MU_2]) * z[0] / (p[ETA] * p[EPS]) - p[MU_2] * z[1] / p[EPS]);
}

static double bliman_sorine_eval(const bri_model *self, const double *p, const bri_input *u,
                                 const double *z, double *dz) {
    dz[0] = u->v - speed(u) * (z[0] / (p[ETA] * p[EPS]));
    dz[1] = u->v - speed(u) * (z[1] / p[EPS]);
    return bliman_sorine_force(p, u->n, z) + p[KV] * u->v;
}

static void bliman_sorine_jac(const bri_model *self, const double *p, const bri_input *u,
                              const double *z, double *J) {
    double d1 = p[ETA] * p[EPS], d2 = p[EPS], a = speed(u), d = direction(u);
    const double rows[3][5] = {
        {0.0, p[KV], bliman_sorine_force(p, 1.0, z), u->n * (p[MU_C] + p[MU_2]) / d1,
         -u->n * p[MU_2] / d2},
        {0.0, 1.0 - d * z[0] / d1, 0.0, -a / d1, 0.0},
        {0.0, 1.0 - d * z[1] / d2, 0.0, 0.0, -a / d2},
    };
    PUT_JACOBIAN(J, rows);
}

static double bliman_sorine_step(const bri_model *self, const double *p, const bri_input *u,
                                 double h, double *z) {
    double d = direction(u), path = h * fabs(u->v);
    z[0] = approach(z[0], d * p[ETA] * p[EPS], path / (p[ETA] * p[EPS]));
    z[1] = approach(z[1], d * p[EPS], path / p[EPS]);
    return bliman_sorine_force(p, u->n, z) + p[KV] * u->v;
}

static double bliman_sorine_lift(const bri_model *self, const double *p) { return 1e-6; }

const bri_model bri_bliman_sorine = {
    .name = "bliman_sorine",
    .title = "Bliman and Sorine, two Dahl elements",
    .equations = "dz1/dt = v - |v| z1/(eta eps)\n"
                 "dz2/dt = v - |v| z2/eps\n"
                 "F = N ((mu_c + mu_2) z1/(eta eps) - mu_2 z2/eps) + kv v",
    .limits = "The peak depends on the slid distance, not on speed: no Stribeck curve in steady "
              "sliding. Badly damped while it sticks; drifts under an oscillating load.",
    .cite = "Bliman & Sorine 1995; Olsson et al. 1998; named in Pennestri et al. 2016, section 2.4",
    .defaults =
        "mu_c, mu_s and stiffness of Pennestri et al. 2016, section 3.1: eta = 0.1 and mu_2 "
        "give Fs/Fc = 1.2",
    .load = 196.2,
    .params = bliman_sorine_params,
    .n_params = N_PARAMS,
    .states = bliman_sorine_states,
    .n_states = 2,
    .step_order = 2,
    .eval = bliman_sorine_eval,
    .jac = bliman_sorine_jac,
    .step = bliman_sorine_step,
    .lift = bliman_sorine_lift,
};
