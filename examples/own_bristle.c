/* own_bristle.c - a law of your own with a state, in a simulation: a block slides to rest.
 *
 *     dz/dt = v - |v| z/d,  F = sigma0 z,  d = mu_c N/sigma0                           (Dahl 1968)
 *
 *     cc own_bristle.c $(pkg-config --cflags --libs bristle) -lm -o own_bristle
 */
#include <bristle_sim.h>
#include <math.h>
#include <stdio.h>

enum { MU, SIGMA0, N_PARAMS };

static const bri_param params[N_PARAMS] = {
    [MU] = {"mu_c", "1", 0.3, 1e-6, 10.0, "sliding friction coefficient", "Fc", 0, BRI_ROLE_LEVEL},
    [SIGMA0] = {"sigma0", "N/m", 2e5, 1.0, 1e12, "bristle stiffness", NULL, 0, BRI_ROLE_STIFFNESS},
};
static const bri_state states[] = {{"z", "m", 1e-5, "bristle deflection", 0}};

static double eval(const bri_model *self, const double *p, const bri_input *u, const double *z,
                   double *dz) {
    (void)self;
    double speed = fabs(u->v); /* a solver may freeze the direction of motion: */
    if (u->mode == BRI_SLIDE_POS || u->mode == BRI_SLIDE_NEG) speed = (double)u->mode * u->v;
    dz[0] = u->v - speed * z[0] * p[SIGMA0] / (p[MU] * u->n);
    return p[SIGMA0] * z[0];
}

static double lift(const bri_model *self, const double *p) { /* off the ground z goes in 1 ms */
    (void)self, (void)p;
    return 1e-3;
}

static const bri_model law = {.name = "own",
                              .load = 10.0,
                              .params = params,
                              .n_params = N_PARAMS,
                              .states = states,
                              .n_states = 1,
                              .eval = eval,
                              .lift = lift};

int main(void) {
    bri_body block = {.name = "block", .mass = 1.0, .v = 1.0};
    bri_contact pad = {.name = "pad", .model = &law, .a = 0, .b = BRI_GROUND, .n = 9.81};
    bri_sim_def def = bri_sim_defaults();
    bri_sim *sim;
    bri_error err;
    bri_model_defaults(&law, pad.p);
    def.system = (bri_system){.bodies = &block, .n_bodies = 1, .contacts = &pad, .n_contacts = 1};
    if (bri_sim_create(&def, &sim, &err) != BRI_OK || bri_sim_advance(sim, 0.3, &err) != BRI_OK)
        return fprintf(stderr, "%s\n", err.text), 1;
    double v = bri_sim_body(sim, 0).v, by_hand = 1.0 - 0.3 * 9.81 * 0.3;
    printf("after 0.3 s: %.4f m/s, by hand %.4f m/s\n", v, by_hand);
    bri_sim_free(sim);
    return fabs(v - by_hand) > 1e-3;
}
