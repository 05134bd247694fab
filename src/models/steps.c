/* steps.c - the steps that law files name, for one contact. The equations are those of the files;
 * test_step holds each step to the rates of its law. */
#include "steps.h"
#include "models.h"
#include "step_words.h"

#include "step_bodies.h"

/* ---- their slopes -----------------------------------------------------------------------------
 */

/* While the level does not change with v the state is a function of the path |v| h: its derivative
 * in v is h times that of the rate, at the end. */
STEP_SLOPE(dahl) {
    enum { MU_C, SIGMA0, EXPONENT, KV };
    double F = BRI_STEP(dahl)(self, p, u, h, z);
    double left = 1.0 - direction(u) * z[0] * p[SIGMA0] / (p[MU_C] * u->n);
    double power = p[EXPONENT] == 1.0 ? left : sign(left) * pow(fabs(left), p[EXPONENT]);
    by_v[1] = h * power;
    by_v[0] = p[KV] + p[SIGMA0] * by_v[1];
    return F;
}

/* The same, though the level changes: good enough to find a root by. */
STEP_SLOPE(elasto_plastic) {
    double F = BRI_STEP(elasto_plastic)(self, p, u, h, z), J[2 * 4];
    self->jac(self, p, u, z, J);
    by_v[1] = h * J[4 + 1];
    by_v[0] = J[1] + J[3] * by_v[1];
    return F;
}

/* Of the equation for w that the step has solved: v enters it with its shift. */
STEP_SLOPE(bristle_second_order) {
    const double s0 = p[SO_SIGMA0], s1 = p[SO_SIGMA1], mass = 0.25 * s1 * s1 / s0;
    const double stiff = mass + h * (s1 + h * s0), F0 = s0 * z[0] + s1 * u->v;
    double F = BRI_STEP(bristle_second_order)(self, p, u, h, z), by, level = p[SO_MU_S] * u->n;
    double root = sqrt(fmax(1.0 - fabs(F0) / level, 0.0));
    double shift = sign(F0) * p[SO_V_R] * (1.0 - root);
    double shifted = root > 0.0 ? 1.0 + p[SO_V_R] * s1 / (2.0 * level * root) : 1.0;
    second_order q = {p, stiff, 0.0, u->n, 0.0, 1.0 / p[SO_V_R], h};
    second_order_mu(&q, u->v + shift - z[1], &by);
    by *= u->n;
    by_v[2] = shifted * h * by / (stiff + h * by);
    by_v[1] = h * by_v[2];
    by_v[0] = by * (shifted - by_v[2]);
    return F;
}

/* ---- their table ----------------------------------------------------------------------------- */

#define LAW_STEP_ROW(name, params, n_states, order)                                                \
    {#name, params, n_states, order, BRI_STEP(name), BRI_STEP_SLOPE(name)},
const law_step bri_law_steps[] = {LAW_STEPS(LAW_STEP_ROW)};
const int bri_law_step_count = (int)(sizeof bri_law_steps / sizeof *bri_law_steps);
