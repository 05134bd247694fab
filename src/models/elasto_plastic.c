/* Elasto-plastic bristle model of Dupont et al.
 *
 *     z_max = N (mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma))/sigma0
 *     dz/dt = v - alpha(z, v) |v| z/z_max
 *     F     = sigma0 z + sigma1 dz/dt + sigma2 v
 *     alpha = 0 where sgn(v) != sgn(z) or |z| < z_ba, 1 where |z| >= z_max, in between
 *             (1 + sin(pi (|z| - (z_max + z_ba)/2)/(z_max - z_ba)))/2
 *
 * Below z_ba the contact is purely elastic: no drift under any load that stays there. Pennestri
 * (13)-(15); the print loses the bars of |z| in the sine, which gives backward motion another blend
 * (as_printed = 1), and writes sgn(dz/dt) for sgn(z).
 *
 * Where z_ba reaches z_max, as in Pennestri's stack of bodies, alpha would jump from 0 to 1, and z
 * would be driven back and forth across the jump without end. So the elastic part ends at 99 % of
 * z_max at the latest: z_ba stands for min(z_ba, 0.99 z_max).
 */
#include "models.h"

enum { MU_C, MU_S, V_S, GAMMA, SIGMA0, SIGMA1, SIGMA2, Z_BA, AS_PRINTED, N_PARAMS };

/* clang-format off */
static const bri_param elasto_plastic_params[N_PARAMS] = {
    [MU_C]   = ROW_MU_C(0.5),
    [MU_S]   = ROW_MU_S(0.6),
    [V_S]    = ROW_V_S(0.05),
    [GAMMA]  = ROW_GAMMA(1.0),
    [SIGMA0] = ROW_SIGMA0(98100.0),
    [SIGMA1] = ROW_SIGMA1(780.0),
    [SIGMA2] = ROW_SIGMA2(0.0),
    [Z_BA]   = {"z_ba", "m", 1e-4, 0.0, 1e3, "deflection up to which the contact is elastic", NULL, 0, BRI_ROLE_ELASTIC_LIMIT},
    [AS_PRINTED] = {"as_printed", "1", 0.0, 0.0, 1.0, "1: z, not |z|, in the sine of alpha", NULL, 1, BRI_ROLE_CHOICE},
};
/* clang-format on */

static const bri_state elasto_plastic_states[] = {{"z", "m", 1e-3, "mean bristle deflection", 0}};

static const double pi = 3.14159265358979323846;

static const char *elasto_plastic_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

static double elasto_plastic_z_max(const double *p, const bri_input *u, double *slope) {
    double mu = stribeck_level(p[MU_C], p[MU_S], p[V_S], p[GAMMA], speed(u), slope);
    if (slope) *slope *= u->n / p[SIGMA0];
    return u->n * mu / p[SIGMA0];
}

/* Deflection at which the elastic part ends. */
static double elastic_limit(double z_ba, double z_max) { return fmin(z_ba, 0.99 * z_max); }

/* alpha for a deflection y = |z| in the direction of motion, with its slopes in y and z_max;
 * `sense` is the sign of z in the sine, +1 unless the law is taken as printed. */
static double plastic_share(double y, double sense, double z_ba, double z_max, double *slope_y,
                            double *slope_max) {
    int limited = z_ba > elastic_limit(z_ba, z_max);
    *slope_y = *slope_max = 0.0;
    z_ba = elastic_limit(z_ba, z_max);
    if (y >= z_max) return 1.0;
    if (y < z_ba) return 0.0;
    double width = z_max - z_ba, signed_y = sense * y;
    double angle = pi * (signed_y - 0.5 * (z_max + z_ba)) / width;
    double slope = 0.5 * cos(angle) * pi / width;
    *slope_y = sense * slope;
    *slope_max = slope * (limited ? -signed_y / z_max : (z_ba - signed_y) / width);
    return 0.5 * (1.0 + sin(angle));
}

/* Sign of z in the sine of alpha while the contact moves in direction d. */
static double sense_of(const double *p, double d) {
    return p[AS_PRINTED] != 0.0 && d < 0.0 ? -1.0 : 1.0;
}

static double elasto_plastic_eval(const bri_model *self, const double *p, const bri_input *u,
                                  const double *z, double *dz) {
    double z_max = elasto_plastic_z_max(p, u, NULL), d = direction(u), alpha = 0.0, sy, sm;
    if (d * z[0] > 0.0) alpha = plastic_share(fabs(z[0]), sense_of(p, d), p[Z_BA], z_max, &sy, &sm);
    dz[0] = u->v - alpha * (speed(u) * (z[0] / z_max));
    return p[SIGMA0] * z[0] + p[SIGMA1] * dz[0] + p[SIGMA2] * u->v;
}

static void elasto_plastic_jac(const bri_model *self, const double *p, const bri_input *u,
                               const double *z, double *J) {
    double dm, z_max = elasto_plastic_z_max(p, u, &dm), d = direction(u), a = speed(u);
    double alpha = 0.0, sy = 0.0, sm = 0.0, r = z[0] / z_max;
    if (d * z[0] > 0.0) alpha = plastic_share(fabs(z[0]), sense_of(p, d), p[Z_BA], z_max, &sy, &sm);
    double by_max = -a * r * (sm - alpha / z_max); /* d(dz/dt)/d(z_max) */
    double dz_v = 1.0 - d * alpha * r + by_max * dm * d;
    double dz_n = by_max * z_max / u->n;
    double dz_z = -a * (alpha / z_max + sy * sign(z[0]) * r);
    const double rows[2][4] = {
        {0.0, p[SIGMA1] * dz_v + p[SIGMA2], p[SIGMA1] * dz_n, p[SIGMA0] + p[SIGMA1] * dz_z},
        {0.0, dz_v, dz_n, dz_z},
    };
    PUT_JACOBIAN(J, rows);
}

/* Solve y = y0 + k (1 - alpha(y) y/z_max) for y in [y0, z_max]: the left side minus the right rises
 * where it matters, and bisection guards Newton's method. */
static double plastic_stage(double y0, double k, double sense, double z_ba, double z_max) {
    double low = y0, high = z_max, y = y0;
    for (int i = 0; i < 60 && high - low > 1e-16 * z_max; i++) {
        double sy, sm, alpha = plastic_share(y, sense, z_ba, z_max, &sy, &sm);
        double residual = y - y0 - k * (1.0 - alpha * y / z_max);
        double slope = 1.0 + k * (alpha + sy * y) / z_max;
        if (residual == 0.0) break;
        if (residual > 0.0)
            high = y;
        else
            low = y;
        double next = y - residual / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == y) break;
        y = next;
    }
    return y;
}

/* With v held the deflection y in the direction of motion first grows elastically (exact), then
 * passes the blend (two-stage diagonally implicit Runge-Kutta, L-stable, order 2, kept inside
 * [y, z_max]); above z_max it relaxes exponentially (exact). */
static double elasto_plastic_step(const bri_model *self, const double *p, const bri_input *u,
                                  double h, double *z) {
    double z_max = elasto_plastic_z_max(p, u, NULL), d = direction(u), path = h * fabs(u->v), dz;
    if (d != 0.0) {
        double y = d * z[0], elastic = elastic_limit(p[Z_BA], z_max);
        if (y < elastic) {
            double part = fmin(path, elastic - y);
            y += part;
            path -= part;
        }
        if (y >= z_max) {
            y = approach(y, z_max, path / z_max);
        } else if (path > 0.0) {
            const double c = 1.0 - 0.70710678118654752440; /* 1 - 1/sqrt(2) */
            double first = plastic_stage(y, c * path, sense_of(p, d), p[Z_BA], z_max);
            double rate = (first - y) / c; /* path times the rate of the first stage */
            double start = fmin(y + (1.0 - c) * rate, z_max);
            y = plastic_stage(start, c * path, sense_of(p, d), p[Z_BA], z_max);
        }
        z[0] = d * y;
    }
    return elasto_plastic_eval(self, p, u, z, &dz);
}

static double elasto_plastic_lift(const bri_model *self, const double *p) {
    return relaxation(p[SIGMA0], p[SIGMA1]);
}

static double elasto_plastic_stored(const bri_model *self, const double *p, const bri_input *u,
                                    const double *z, double *grad) {
    return spring_energy(p[SIGMA0], z[0], grad);
}

const bri_model bri_elasto_plastic = {
    .name = "elasto_plastic",
    .title = "Elasto-plastic bristle model (Dupont)",
    .equations =
        "z_max = N (mu_c + (mu_s - mu_c) exp(-(|v|/v_s)^gamma))/sigma0\n"
        "dz/dt = v - alpha(z, v) |v| z/z_max\n"
        "F = sigma0 z + sigma1 dz/dt + sigma2 v\n"
        "alpha = 0 where sgn(v) != sgn(z) or |z| < z_ba, 1 where |z| >= z_max, in between\n"
        "        (1 + sin(pi (|z| - (z_max + z_ba)/2)/(z_max - z_ba)))/2; as_printed = 1: z for "
        "|z|",
    .limits =
        "Needs z_ba < mu_c N/sigma0 to keep its smooth transition: above 99 % of z_max z_ba is "
        "taken as that. Break-away depends on the rate of loading, as with lugre.",
    .cite = "Dupont et al. 2002; Pennestri et al. 2016, eqs. (13)-(15) corrected",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = elasto_plastic_params,
    .n_params = N_PARAMS,
    .states = elasto_plastic_states,
    .n_states = 1,
    .step_order = 2,
    .check = elasto_plastic_check,
    .eval = elasto_plastic_eval,
    .jac = elasto_plastic_jac,
    .step = elasto_plastic_step,
    .lift = elasto_plastic_lift,
    .stored = elasto_plastic_stored,
};
