/* own_bristle.c - a law of your own with a state, and how to check it: its Jacobian against
 * differences, what it can do, and a run against a closed form. Ends with 1 if a check fails.
 *
 *     dz/dt = v - |v| z/d,  F = sigma0 z + sigma1 dz/dt,  d = mu_c N/sigma0      (Dahl, damped)
 *
 *     cc own_bristle.c $(pkg-config --cflags --libs bristle) -lm -o own_bristle
 */
#include <bristle_sim.h>
#include <bristle_tools.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MU, SIGMA0, SIGMA1, N_PARAMS };

static const bri_param params[N_PARAMS] = {
    [MU] = {"mu_c", "1", 0.3, 1e-6, 10.0, "sliding friction coefficient", "Fc", 0},
    [SIGMA0] = {"sigma0", "N/m", 1e5, 1.0, 1e12, "bristle stiffness", NULL, 0},
    [SIGMA1] = {"sigma1", "N s/m", 300.0, 1e-6, 1e9, "bristle damping", NULL, 0},
};
static const bri_state states[] = {{"z", "m", 1e-5, "bristle deflection", 0}};

/* The direction of motion. A solver may freeze it: then |v| goes on smoothly below zero. */
static double direction(const bri_input *u) {
    if (u->mode == BRI_SLIDE_POS || u->mode == BRI_SLIDE_NEG) return u->mode;
    return (u->v > 0.0) - (u->v < 0.0);
}

static double eval(const bri_model *self, const double *p, const bri_input *u, const double *z,
                   double *dz) {
    (void)self;
    double d = p[MU] * u->n / p[SIGMA0];
    dz[0] = u->v - direction(u) * u->v * z[0] / d;
    return p[SIGMA0] * z[0] + p[SIGMA1] * dz[0];
}

/* Rows F and dz/dt, columns x, v, n, z. */
static void jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                double *J) {
    (void)self;
    double d = p[MU] * u->n / p[SIGMA0], a = direction(u) * u->v;
    double by_v = 1.0 - direction(u) * z[0] / d, by_n = a * z[0] / (d * u->n), by_z = -a / d;
    double rows[2][4] = {
        {0.0, p[SIGMA1] * by_v, p[SIGMA1] * by_n, p[SIGMA0] + p[SIGMA1] * by_z},
        {0.0, by_v, by_n, by_z},
    };
    memcpy(J, rows, sizeof rows);
}

/* Linear in z while v is held: the exponential is exact, and stable for every h. */
static double step(const bri_model *self, const double *p, const bri_input *u, double h,
                   double *z) {
    double d = p[MU] * u->n / p[SIGMA0], end = direction(u) * d, dz;
    z[0] = end + (z[0] - end) * exp(-fabs(u->v) * h / d);
    return eval(self, p, u, z, &dz);
}

static double lift(const bri_model *self, const double *p) {
    (void)self;
    return p[SIGMA1] / p[SIGMA0];
}

static double stored(const bri_model *self, const double *p, const bri_input *u, const double *z,
                     double *grad) {
    (void)self, (void)u;
    grad[0] = p[SIGMA0] * z[0];
    return 0.5 * p[SIGMA0] * z[0] * z[0];
}

static const bri_model damped_dahl = {.name = "damped_dahl",
                                      .title = "Dahl with damping",
                                      .load = 10.0,
                                      .params = params,
                                      .n_params = N_PARAMS,
                                      .states = states,
                                      .n_states = 1,
                                      .step_order = 2,
                                      .eval = eval,
                                      .jac = jac,
                                      .step = step,
                                      .lift = lift,
                                      .stored = stored};

/* Largest difference between jac and central differences of eval, as a share of its row. */
static double jacobian_error(const double *p) {
    bri_model plain = damped_dahl;
    plain.jac = NULL; /* the library then takes differences */
    double worst = 0.0;
    for (int k = 0; k < 200; k++) {
        double z = 2.9e-5 * sin(1.0 + k), J[8], D[8];
        bri_input u = {.v = 0.01 * cos(1.7 * k), .n = 1.0 + k};
        bri_model_jac(&damped_dahl, p, &u, &z, J);
        bri_model_jac(&plain, p, &u, &z, D);
        for (int row = 0; row < 2; row++)
            for (int j = 4 * row; j < 4 * row + 4; j++)
                worst = fmax(worst, fabs(J[j] - D[j]) / fmax(fabs(J[4 * row + 3]), 1.0));
    }
    return worst;
}

int main(void) {
    bri_setup s;
    bri_error err;
    bri_setup_init(&s, &damped_dahl);
    if (bri_setup_set(&s, "sigma0", "0.2 N/um", &err) != BRI_OK ||
        bri_setup_finish(&s, 0.0, &err) != BRI_OK)
        return fprintf(stderr, "%s\n", err.text), 1;
    double off = jacobian_error(s.p);
    printf("Jacobian off by %s\n", off < 1e-8 ? "less than 1e-8" : "too much");

    bri_traits traits = bri_measure_traits(&s);
    for (int t = 0; t < BRI_TRAIT_COUNT; t++)
        printf("%-12s %s\n", bri_trait_name((bri_trait)t), traits.has[t] ? "yes" : "no");

    /* A block of 1 kg that slides at 1 m/s, the bristle bent: it stops after v^2/(2 mu_c g). */
    bri_body block = {.name = "block", .mass = 1.0, .v = 1.0};
    double bent = s.p[MU] * 9.81 / s.p[SIGMA0], stop = 1.0 / (2.0 * s.p[MU] * 9.81);
    bri_contact pad = {
        .name = "pad", .model = &damped_dahl, .a = 0, .b = BRI_GROUND, .n = 9.81, .z = &bent};
    memcpy(pad.p, s.p, sizeof pad.p);
    bri_sim_def def = bri_sim_defaults();
    def.system = (bri_system){.bodies = &block, .n_bodies = 1, .contacts = &pad, .n_contacts = 1};
    bri_sim *sim;
    if (bri_sim_create(&def, &sim, &err) != BRI_OK || bri_sim_advance(sim, 1.0, &err) != BRI_OK)
        return fprintf(stderr, "%s\n", err.text), 1;
    double x = bri_sim_body(sim, 0).x;
    printf("stops at %.4f m, by hand %.4f m\n", x, stop);
    bri_sim_free(sim);
    return !(off < 1e-8 && fabs(x - stop) < 1e-4 && traits.has[BRI_PRESLIDING]);
}
