/* Karnopp's model: a band of velocities around zero counts as stick.
 *
 *     |v| <= v_d   F = clamp(applied force, -mu_s N, mu_s N)
 *     |v| >  v_d   F = mu_c N sgn(v) + kv v
 *
 * Pennestri (6), Leus (11). The solver computes the applied force and reads as_printed:
 *     0  true stick: within the band the relative velocity becomes zero and stays so, until the
 *        force that holds it exceeds mu_s N
 *     1  the print: within the band velocities are kept and the applied force leaves out the
 *        acceleration of the support; sliding begins where the velocity leaves the band
 *     2  as 1, but sliding begins as soon as the applied force exceeds mu_s N
 */
#include "models.h"

enum { MU_C, MU_S, V_D, AS_PRINTED, KV, N_PARAMS };

/* clang-format off */
static const bri_param karnopp_params[N_PARAMS] = {
    [MU_C]       = ROW_MU_C(0.5),
    [MU_S]       = ROW_MU_S(0.6),
    [V_D]        = {"v_d", "m/s", 0.05, 0.0, 1e3, "half width of the stick band", NULL, 0, BRI_ROLE_STICK_BAND},
    [AS_PRINTED] = {"as_printed", "1", 0.0, 0.0, 2.0,
                    "0: true stick, 1: velocities in the band are kept, 2: released at mu_s N",
                    NULL, 1, BRI_ROLE_CHOICE},
    [KV]         = ROW_KV(0.0),
};
/* clang-format on */

static const char *karnopp_check(const bri_model *self, const double *p) {
    return p[MU_S] < p[MU_C] ? MU_S_BELOW_MU_C : NULL;
}

/* The band turns a slow contact into a stuck one. */
static bri_input karnopp_input(const double *p, const bri_input *u) {
    bri_input in = *u;
    if (u->mode == BRI_AUTO && fabs(u->v) <= p[V_D]) in.mode = BRI_STUCK;
    return in;
}

static double karnopp_eval(const bri_model *self, const double *p, const bri_input *u,
                           const double *z, double *dz) {
    bri_input in = karnopp_input(p, u);
    double dF[2];
    return set_valued_force(&in, p[MU_C], 0.0, p[MU_S], p[KV], dF);
}

static void karnopp_jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                        double *J) {
    bri_input in = karnopp_input(p, u);
    J[0] = 0.0;
    set_valued_force(&in, p[MU_C], 0.0, p[MU_S], p[KV], J + 1);
}

static void karnopp_params_jac(const bri_model *self, const double *p, const bri_input *u,
                               const double *z, double *D) {
    bri_input in = karnopp_input(p, u);
    double d = slides(&in), over = fabs(u->fa) > p[MU_S] * u->n ? sign(u->fa) : 0.0;
    memset(D, 0, sizeof *D * N_PARAMS);
    D[MU_C] = d * u->n;
    D[MU_S] = d != 0.0 ? 0.0 : over * u->n;
    D[KV] = d != 0.0 ? u->v : 0.0;
}

static int karnopp_motion(const bri_model *self, const double *p, const bri_input *u,
                          const double *z) {
    bri_input in = karnopp_input(p, u);
    return (int)slides(&in);
}

static void karnopp_roots(const bri_model *self, const double *p, const bri_input *u,
                          const double *z, double *g) {
    bri_input in = karnopp_input(p, u);
    g[0] = set_valued_root(&in, p[MU_S], p[V_D]);
}

static bri_mode karnopp_jump(const bri_model *self, const double *p, const bri_input *u,
                             double *z) {
    return set_valued_jump(u, p[MU_S]);
}

const bri_model bri_karnopp = {
    .name = "karnopp",
    .title = "Karnopp's stick band",
    .equations = "F = clamp(applied force, -mu_s N, mu_s N)   for |v| <= v_d\n"
                 "F = mu_c N sgn(v) + kv v                    for |v| > v_d",
    .limits = "Needs the resultant of the other forces on the body. No pre-sliding, no Stribeck "
              "curve; the band must stay far below the speeds of interest.",
    .cite = "Karnopp 1985; Pennestri et al. 2016, eq. (6); Leus et al., eq. (11)",
    .defaults = "Pennestri et al. 2016, section 3.1 (Rabinowicz rig)",
    .load = 196.2,
    .params = karnopp_params,
    .n_params = N_PARAMS,
    .n_roots = 1,
    .set_valued = 1,
    .check = karnopp_check,
    .eval = karnopp_eval,
    .jac = karnopp_jac,
    .params_jac = karnopp_params_jac,
    .motion = karnopp_motion,
    .roots = karnopp_roots,
    .jump = karnopp_jump,
};
