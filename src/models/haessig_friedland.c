/* Haessig and Friedland's bristle model: many bristles that bond, stretch and snap.
 *
 *     dz_i/dt = v for each of n bristles; where |z_i| reaches delta the bond snaps and a new one
 *               forms at z_i = width delta U sgn(z_i), U uniform in [-1, 1]
 *     F       = k sum z_i + kv v,   k = 2 mu_c N/(n delta (1 - width^2/3))
 *
 * k makes the mean force in sliding equal to mu_c N: a cycle from b to delta has the mean
 * (delta^2 - b^2)/2 per unit path, E(b) = 0, E(b^2) = width^2 delta^2/3. U comes from the seed and
 * the number of snaps so far, which is a state, so a run can be repeated to the bit. In the air the
 * bristles spring back and the number is kept.
 *
 * Haessig & Friedland, "On the modeling and simulation of friction", ASME J. Dynamic Systems,
 * Measurement and Control 113, 1991; Olsson & Astrom section 2.
 */
#include "../random.h"
#include "models.h"

enum { MU_C, DELTA, N_BRISTLES, WIDTH, SEED, KV, N_PARAMS };
enum { SNAPS = 0, FIRST = 1, MAX_BRISTLES = 30 };

/* clang-format off */
static const bri_param haessig_friedland_params[N_PARAMS] = {
    [MU_C]       = ROW_MU_C(0.5),
    [DELTA]      = {"delta", "m", 2.18e-3, 1e-12, 1e3, "deflection at which a bond snaps", NULL, 0, BRI_ROLE_DEFLECTION},
    [N_BRISTLES] = {"n", "1", 20.0, 1.0, MAX_BRISTLES, "number of bristles", NULL, 1, BRI_ROLE_NUMBER},
    [WIDTH]      = {"width", "1", 0.5, 0.0, 0.999, "spread of new bonds as a share of delta", NULL, 0, BRI_ROLE_SHAPE},
    [SEED]       = {"seed", "1", 1.0, 0.0, 1e15, "seed of the random bonds", NULL, 1, BRI_ROLE_SEED},
    [KV]         = ROW_KV(0.0),
};

#define BRISTLE(i) {"z" #i, "m", 1e-3, "deflection of bristle " #i, 0}
static const bri_state haessig_friedland_states[FIRST + MAX_BRISTLES] = {
    {"snaps", "1", 1.0, "number of bonds that have snapped", 1},
    BRISTLE(1),  BRISTLE(2),  BRISTLE(3),  BRISTLE(4),  BRISTLE(5),  BRISTLE(6),
    BRISTLE(7),  BRISTLE(8),  BRISTLE(9),  BRISTLE(10), BRISTLE(11), BRISTLE(12),
    BRISTLE(13), BRISTLE(14), BRISTLE(15), BRISTLE(16), BRISTLE(17), BRISTLE(18),
    BRISTLE(19), BRISTLE(20), BRISTLE(21), BRISTLE(22), BRISTLE(23), BRISTLE(24),
    BRISTLE(25), BRISTLE(26), BRISTLE(27), BRISTLE(28), BRISTLE(29), BRISTLE(30),
};
/* clang-format on */

static int haessig_friedland_count(const bri_model *self, const double *p) {
    return FIRST + (int)p[N_BRISTLES];
}

/* Pairs of bonds in random places within the width, as far to the left as to the right: no force.
 */
static void haessig_friedland_rest(const bri_model *self, const double *p, double *z) {
    for (int i = 0; i + 1 < (int)p[N_BRISTLES]; i += 2) {
        z[FIRST + i] = p[WIDTH] * p[DELTA] * bri_random(p[SEED], -1.0 - i);
        z[FIRST + i + 1] = -z[FIRST + i];
    }
}

static const double spring_back = 1e-6; /* time constant in the air [s] */

/* Stiffness of one bristle per unit load. */
static double bristle_stiffness(const double *p) {
    return 2.0 * p[MU_C] / (p[N_BRISTLES] * p[DELTA] * (1.0 - p[WIDTH] * p[WIDTH] / 3.0));
}

static double bristle_load(const bri_input *u) { return lifted_off(u) ? 0.0 : u->n; }

static double haessig_friedland_force(const double *p, double load, const double *z) {
    double sum = 0.0;
    for (int i = 0; i < (int)p[N_BRISTLES]; i++) sum += z[FIRST + i];
    return load * bristle_stiffness(p) * sum;
}

static double haessig_friedland_eval(const bri_model *self, const double *p, const bri_input *u,
                                     const double *z, double *dz) {
    dz[SNAPS] = 0.0;
    for (int i = FIRST; i < FIRST + (int)p[N_BRISTLES]; i++)
        dz[i] = lifted_off(u) ? -z[i] / spring_back : u->v;
    return lifted_off(u) ? 0.0 : haessig_friedland_force(p, u->n, z) + p[KV] * u->v;
}

static void haessig_friedland_jac(const bri_model *self, const double *p, const bri_input *u,
                                  const double *z, double *J) {
    int k = FIRST + (int)p[N_BRISTLES], width = 3 + k;
    memset(J, 0, sizeof *J * (size_t)((1 + k) * width));
    if (!lifted_off(u)) {
        J[1] = p[KV];
        J[2] = haessig_friedland_force(p, 1.0, z);
    }
    for (int i = FIRST; i < k; i++) {
        J[3 + i] = bristle_load(u) * bristle_stiffness(p);
        J[(1 + i) * width + (lifted_off(u) ? 3 + i : 1)] = lifted_off(u) ? -1.0 / spring_back : 1.0;
    }
}

/* Where the next bond forms, in the direction of the one that snapped. */
static double new_bond(const double *p, double *z) {
    z[SNAPS] += 1.0;
    return p[WIDTH] * p[DELTA] * (2.0 * bri_random(p[SEED], z[SNAPS]) - 1.0);
}

/* Exact for a held v: each bristle stretches, snaps and starts again. After a path of many snaps
 * only the last ones are followed, since earlier ones leave no trace but their number. */
static double haessig_friedland_step(const bri_model *self, const double *p, const bri_input *u,
                                     double h, double *z) {
    double d = direction(u);
    for (int i = FIRST; lifted_off(u) && i < FIRST + (int)p[N_BRISTLES]; i++)
        z[i] *= exp(-h / spring_back);
    if (lifted_off(u)) return 0.0;
    for (int i = FIRST; d != 0.0 && i < FIRST + (int)p[N_BRISTLES]; i++) {
        double y = d * z[i] + h * fabs(u->v);
        if (y > 40.0 * p[DELTA]) y = 20.0 * p[DELTA] + fmod(y, 20.0 * p[DELTA]);
        while (y >= p[DELTA]) y += new_bond(p, z) - p[DELTA];
        z[i] = d * y;
    }
    return haessig_friedland_force(p, u->n, z) + p[KV] * u->v;
}

static double haessig_friedland_stored(const bri_model *self, const double *p, const bri_input *u,
                                       const double *z, double *grad) {
    double k = bristle_load(u) * bristle_stiffness(p), energy = 0.0;
    grad[SNAPS] = 0.0;
    for (int i = FIRST; i < FIRST + (int)p[N_BRISTLES]; i++) {
        grad[i] = k * z[i];
        energy += 0.5 * k * z[i] * z[i];
    }
    return energy;
}

/* Sliding once bonds have snapped and motion goes on. */
static int haessig_friedland_motion(const bri_model *self, const double *p, const bri_input *u,
                                    const double *z) {
    return z[SNAPS] > 0.0 ? (int)sign(u->v) : 0;
}

static void haessig_friedland_roots(const bri_model *self, const double *p, const bri_input *u,
                                    const double *z, double *g) {
    double longest = 0.0;
    for (int i = FIRST; i < FIRST + (int)p[N_BRISTLES]; i++) longest = fmax(longest, fabs(z[i]));
    g[0] = p[DELTA] - longest;
}

static bri_mode haessig_friedland_jump(const bri_model *self, const double *p, const bri_input *u,
                                       double *z) {
    for (int i = FIRST; i < FIRST + (int)p[N_BRISTLES]; i++)
        if (fabs(z[i]) >= p[DELTA] * (1.0 - 1e-12)) z[i] = sign(z[i]) * new_bond(p, z);
    return u->mode;
}

const bri_model bri_haessig_friedland = {
    .name = "haessig_friedland",
    .title = "Random bristles of Haessig and Friedland",
    .equations = "dz_i/dt = v for n bristles; a bond snaps at |z_i| = delta and forms again at\n"
                 "          width delta U sgn(z_i), U uniform in [-1, 1]\n"
                 "F = k sum z_i + kv v,  k = 2 mu_c N/(n delta (1 - width^2/3))",
    .limits = "Random by nature (seeded, repeatable) and dear: every snap is an event. No Stribeck "
              "curve, no damping while it sticks.",
    .cite = "Haessig & Friedland 1991; Olsson & Astrom 1993, section 2",
    .defaults = "mu_c and stiffness of Pennestri et al. 2016, section 3.1; 20 bristles",
    .load = 196.2,
    .params = haessig_friedland_params,
    .n_params = N_PARAMS,
    .states = haessig_friedland_states,
    .n_states = FIRST + MAX_BRISTLES,
    .step_order = 2,
    .n_roots = 1,
    .count = haessig_friedland_count,
    .rest = haessig_friedland_rest,
    .eval = haessig_friedland_eval,
    .jac = haessig_friedland_jac,
    .step = haessig_friedland_step,
    .stored = haessig_friedland_stored,
    .motion = haessig_friedland_motion,
    .roots = haessig_friedland_roots,
    .jump = haessig_friedland_jump,
};
