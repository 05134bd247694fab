/* own_law.c - a friction law of your own: a constant record, passed by address, registered nowhere.
 * A Coulomb ramp whose level rises with the sliding speed, used on its own and in an array.
 *
 *     cc own_law.c $(pkg-config --cflags --libs bristle) -lm -o own_law
 */
#include <bristle.h>
#include <math.h>
#include <stdio.h>

enum { MU, V0, RISE, N_PARAMS };

static const bri_param params[N_PARAMS] = {
    [MU] = {"mu_c", "1", 0.4, 0.0, 10.0, "level at low speed", "Fc", 0, BRI_ROLE_LEVEL},
    [V0] = {"v_0", "m/s", 1e-3, 1e-9, 1.0, "width of the ramp through zero", NULL, 0,
            BRI_ROLE_SMOOTHING},
    [RISE] = {"rise", "s/m", 0.5, 0.0, 100.0, "growth of the level with speed", NULL, 0,
              BRI_ROLE_SHAPE},
};

/* F = mu N (1 + rise |v|) tanh(v/v_0). Everything else has a default: the Jacobian is formed by
 * differences, and a law without states needs no step. */
static double eval(const bri_model *self, const double *p, const bri_input *u, const double *z,
                   double *dz) {
    (void)self, (void)z, (void)dz;
    return p[MU] * u->n * (1.0 + p[RISE] * fabs(u->v)) * tanh(u->v / p[V0]);
}

static const bri_model rising = {
    .name = "rising", .load = 10.0, .params = params, .n_params = N_PARAMS, .eval = eval};

int main(void) {
    double p[BRI_MAX_PARAMS], J[3], v[5] = {-0.1, -1e-3, 0.0, 1e-3, 0.1}, F[5], n = 10.0;
    bri_error err;
    bri_model_defaults(&rising, p);
    if (bri_model_check(&rising, p, &err) != BRI_OK) return fprintf(stderr, "%s\n", err.text), 1;

    bri_input u = {.v = 1e-3, .n = n};
    bri_model_jac(&rising, p, &u, NULL, J);
    printf("F(1 mm/s) = %.6f N, slope %.3f N s/m\n", bri_model_eval(&rising, p, &u, NULL, NULL),
           J[1]);

    bri_batch contacts = {.model = &rising, .count = 5, .p = p, .v = v, .n = &n};
    bri_batch_eval(&contacts, NULL, F, NULL);
    for (int i = 0; i < 5; i++) printf("%g,%.6f\n", v[i], F[i]);
    return 0;
}
