/* Gonthier's model: bristle with a dwell-time dependent limit.
 *
 *     s       = exp(-v^2/v_s^2)
 *     dz/dt   = s v + (1 - s) (mu_c N dir(v) - sigma0 z)/sigma1
 *     ds_dw/dt = (s - s_dw)/tau,  tau = tau_dw while rising, sigma1/sigma0 while falling
 *     F_br    = sigma0 z + sigma1 dz/dt
 *     F       = clamp(F_br, +-N (mu_c + (mu_s - mu_c) s_dw)) + sigma2 v
 *     dir(v)  = sgn(v) beyond v_t, inside r (3/2 - r^2/2) with r = v/v_t
 *
 * Pennestri (20)-(30). The printed (26) has one more factor |v|/v_t, r (3 |r| - |r|^3)/2 inside,
 * i.e. zero slope at rest and a kink at v_t: as_printed = 1.
 */
#include "models.h"

enum { MU_C, MU_S, V_S, SIGMA0, SIGMA1, SIGMA2, V_T, TAU_DW, AS_PRINTED, N_PARAMS };

/* clang-format off */
static const bri_param gonthier_params[N_PARAMS] = {
    [MU_C]   = ROW_MU_C(0.5),
    [MU_S]   = ROW_MU_S(0.6),
    [V_S]    = ROW_V_S(0.05),
    [SIGMA0] = ROW_SIGMA0(98100.0),
    [SIGMA1] = ROW_SIGMA1_POSITIVE(780.0),
    [SIGMA2] = ROW_SIGMA2(0.0),
    [V_T]    = {"v_t", "m/s", 5e-4, 1e-12, 1e3, "velocity that smooths the direction", NULL, 0, BRI_ROLE_SMOOTHING},
    [TAU_DW] = {"tau_dw", "s", 0.1, 1e-9, 1e6, "dwell time constant", NULL, 0, BRI_ROLE_DWELL_TIME},
    [AS_PRINTED] = {"as_printed", "1", 0.0, 0.0, 1.0, "1: dir(v) as Pennestri prints it", NULL, 1, BRI_ROLE_CHOICE},
};
/* clang-format on */

static const bri_state gonthier_states[] = {
    {"z", "m", 1e-3, "bristle deflection", 0},
    {"s_dw", "1", 1.0, "dwell-time variable, 1 after a long rest", 1},
};

static const char *gonthier_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

/* Quoted by Pennestri et al. from Gonthier et al. 2004, at the end of section 2.8. */
static const char *gonthier_advice(const bri_model *self, const double *p) {
    return 10.0 * p[V_T] < p[V_S] ? "v_t should be at least v_s/10 (Gonthier et al. 2004)" : NULL;
}

static void gonthier_rest(const bri_model *self, const double *p, double *z) { z[1] = 1.0; }

static double gonthier_dir(const double *p, double v, double *slope) {
    double r = v / p[V_T], a = fabs(r);
    *slope = 0.0;
    if (a >= 1.0) return sign(v);
    if (p[AS_PRINTED] != 0.0) {
        *slope = (3.0 * a - 2.0 * a * a * a) / p[V_T];
        return r * a * (1.5 - 0.5 * a * a);
    }
    *slope = 1.5 * (1.0 - r * r) / p[V_T];
    return r * (1.5 - 0.5 * r * r);
}

static double gonthier_eval(const bri_model *self, const double *p, const bri_input *u,
                            const double *z, double *dz) {
    double slope, s = decay(p[V_S], 2.0, u->v, NULL), dir = gonthier_dir(p, u->v, &slope);
    double s0 = p[SIGMA0], s1 = p[SIGMA1];
    dz[0] = s * u->v + (1.0 - s) * ((p[MU_C] * u->n * dir - s0 * z[0]) / s1);
    dz[1] = (s - z[1]) / (s >= z[1] ? p[TAU_DW] : s1 / s0);
    double limit = u->n * (p[MU_C] + (p[MU_S] - p[MU_C]) * z[1]);
    return clamp(s0 * z[0] + s1 * dz[0], limit) + p[SIGMA2] * u->v;
}

static void gonthier_jac(const bri_model *self, const double *p, const bri_input *u,
                         const double *z, double *J) {
    double ds, s = decay(p[V_S], 2.0, u->v, &ds), ddir, dir = gonthier_dir(p, u->v, &ddir);
    double s0 = p[SIGMA0], s1 = p[SIGMA1], slide = (p[MU_C] * u->n * dir - s0 * z[0]) / s1;
    double dz = s * u->v + (1.0 - s) * slide;
    double dz_v = s + ds * (u->v - slide) + (1.0 - s) * p[MU_C] * u->n * ddir / s1;
    double dz_n = (1.0 - s) * p[MU_C] * dir / s1, dz_z = -(1.0 - s) * s0 / s1;
    double rate = s >= z[1] ? 1.0 / p[TAU_DW] : s0 / s1;
    double mu = p[MU_C] + (p[MU_S] - p[MU_C]) * z[1], bristle = s0 * z[0] + s1 * dz;
    int clipped = fabs(bristle) > mu * u->n;
    double d = sign(bristle);
    const double rows[3][5] = {
        {0.0, (clipped ? 0.0 : s1 * dz_v) + p[SIGMA2], clipped ? d * mu : s1 * dz_n,
         clipped ? 0.0 : s0 + s1 * dz_z, clipped ? d * u->n * (p[MU_S] - p[MU_C]) : 0.0},
        {0.0, dz_v, dz_n, dz_z, 0.0},
        {0.0, ds * rate, 0.0, 0.0, -rate},
    };
    PUT_JACOBIAN(J, rows);
}

/* With v held both equations are linear: exact. */
static double gonthier_step(const bri_model *self, const double *p, const bri_input *u, double h,
                            double *z) {
    double slope, dz[2], s = decay(p[V_S], 2.0, u->v, NULL), s0 = p[SIGMA0], s1 = p[SIGMA1];
    double dir = gonthier_dir(p, u->v, &slope), slip = 1.0 - s;
    double rate_h = slip * s0 / s1 * h;
    double push = s * u->v + slip * p[MU_C] * u->n * dir / s1; /* dz/dt at z = 0 */
    double gain = rate_h > 0.0 ? -expm1(-rate_h) / rate_h : 1.0;
    z[0] = z[0] * exp(-rate_h) + h * push * gain;
    z[1] = approach(z[1], s, h / (s >= z[1] ? p[TAU_DW] : s1 / s0));
    return gonthier_eval(self, p, u, z, dz);
}

static double gonthier_lift(const bri_model *self, const double *p) {
    return relaxation(p[SIGMA0], p[SIGMA1]);
}

static double gonthier_stored(const bri_model *self, const double *p, const bri_input *u,
                              const double *z, double *grad) {
    grad[1] = 0.0;
    return spring_energy(p[SIGMA0], z[0], grad);
}

const bri_model bri_gonthier = {
    .name = "gonthier",
    .title = "Gonthier's bristle with dwell time",
    .equations = "s = exp(-v^2/v_s^2)\n"
                 "dz/dt = s v + (1 - s) (mu_c N dir(v) - sigma0 z)/sigma1\n"
                 "ds_dw/dt = (s - s_dw)/tau,  tau = tau_dw rising, sigma1/sigma0 falling\n"
                 "F = clamp(sigma0 z + sigma1 dz/dt, +-N (mu_c + (mu_s - mu_c) s_dw)) + sigma2 v\n"
                 "dir(v) = sgn(v) beyond v_t, inside r (3 - r^2)/2 with r = v/v_t\n"
                 "as_printed = 1: inside r (3 |r| - |r|^3)/2",
    .limits = "v_t should be at least v_s/10. Drifts slightly under an oscillating load; the "
              "bristle goes on stretching in slow "
              "stick (v << v_s) although the force is clipped.",
    .cite = "Gonthier et al. 2004; Pennestri et al. 2016, eqs. (20)-(30), (26) corrected",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = gonthier_params,
    .n_params = N_PARAMS,
    .states = gonthier_states,
    .n_states = 2,
    .step_order = 2,
    .check = gonthier_check,
    .rest = gonthier_rest,
    .eval = gonthier_eval,
    .jac = gonthier_jac,
    .step = gonthier_step,
    .lift = gonthier_lift,
    .stored = gonthier_stored,
    .advice = gonthier_advice,
};
