/* check_law.c - three checks of a law of your own: its Jacobian against differences, what it can
 * do, and a number known by hand. Ends with 1 if one fails. The equations are those of
 * own_bristle.c.
 *
 *     cc check_law.c $(pkg-config --cflags --libs bristle) -lm -o check_law
 */
#include <bristle_tools.h>
#include <math.h>
#include <stdio.h>

static const bri_param params[] = {
    {"mu_c", "1", 0.3, 1e-6, 10.0, "sliding friction coefficient", "Fc", 0, BRI_ROLE_LEVEL},
    {"sigma0", "N/m", 2e5, 1.0, 1e12, "bristle stiffness", NULL, 0, BRI_ROLE_STIFFNESS},
};
static const bri_state states[] = {{"z", "m", 1e-5, "bristle deflection", 0}};

static double eval(const bri_model *self, const double *p, const bri_input *u, const double *z,
                   double *dz) {
    (void)self;
    dz[0] = u->v - fabs(u->v) * z[0] * p[1] / (p[0] * u->n);
    return p[1] * z[0];
}

/* Rows F and dz/dt, columns x, v, n, z. */
static void jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                double *J) {
    (void)self;
    double a = p[1] / (p[0] * u->n), s = copysign(1.0, u->v), speed = fabs(u->v);
    double rows[8] = {0, 0, 0, p[1], 0, 1.0 - s * z[0] * a, speed * z[0] * a / u->n, -speed * a};
    for (int i = 0; i < 8; i++) J[i] = rows[i];
}

int main(void) {
    bri_model law = {.name = "own", .load = 10.0, .params = params, .n_params = 2};
    law.states = states, law.n_states = 1, law.eval = eval, law.jac = jac;
    bri_model plain = law;
    plain.jac = NULL; /* the library then takes differences */
    bri_setup s;
    bri_error err;
    bri_setup_init(&s, &law);
    if (bri_setup_finish(&s, 0.0, &err) != BRI_OK) return fprintf(stderr, "%s\n", err.text), 1;
    double worst = 0.0;
    for (int k = 0; k < 200; k++) {
        double z = 2e-5 * sin(1.0 + k), J[8], D[8];
        bri_input u = {.v = 0.01 * cos(1.7 * k), .n = 1.0 + k};
        bri_model_jac(&law, s.p, &u, &z, J);
        bri_model_jac(&plain, s.p, &u, &z, D);
        for (int j = 0; j < 8; j++) /* as a share of the largest entry of the row */
            worst = fmax(worst, fabs(J[j] - D[j]) / fmax(fabs(J[j | 3]), 1.0));
    }
    printf("Jacobian off by %s\n", worst < 1e-8 ? "less than 1e-8" : "too much");
    bri_traits traits = bri_measure_traits(&s);
    for (int t = 0; t < BRI_TRAIT_COUNT; t++)
        printf("%-12s %s\n", bri_trait_name((bri_trait)t), traits.has[t] ? "yes" : "no");
    double F = bri_steady_force(&s, 0.01);
    printf("sliding: %.4f N, by hand %.4f N\n", F, 0.3 * 10.0);
    return !(worst < 1e-8 && traits.has[BRI_PRESLIDING] && fabs(F - 3.0) < 1e-6);
}
