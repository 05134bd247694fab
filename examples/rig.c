/* rig.c - a block on a moving slab, held by a spring (Rabinowicz), described by plain structs.
 * Prints time, position and friction force twice a second; the block sticks and slips.
 *
 *     cc rig.c $(pkg-config --cflags --libs bristle) -o rig
 */
#include <bristle_sim.h>
#include <stdio.h>

int main(void) {
    bri_signal speed = bri_signal_constant(0.5); /* m/s */
    bri_body bodies[] = {
        {.name = "block", .mass = 20.0, .v = 0.5},
        {.name = "slab", .velocity = &speed}, /* its motion is prescribed */
    };
    bri_coupling spring = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 0);
    spring.p[0] = 10.0; /* stiffness, N/m */
    bri_contact pad = {.name = "pad", .model = bri_model_find("lugre"), .a = 0, .b = 1, .n = 196.2};
    bri_model_defaults(pad.model, pad.p);

    bri_sim_def def = bri_sim_defaults();
    def.system = (bri_system){.bodies = bodies,
                              .n_bodies = 2,
                              .couplings = &spring,
                              .n_couplings = 1,
                              .contacts = &pad,
                              .n_contacts = 1};
    def.t_end = 50.0;
    def.rtol = 1e-8;

    bri_sim *sim;
    bri_error err;
    if (bri_sim_create(&def, &sim, &err) != BRI_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    puts("t,x,F,motion");
    for (int k = 0; k <= 100; k++) {
        if (bri_sim_advance(sim, 0.5 * k, &err) != BRI_OK) {
            fprintf(stderr, "%s\n", err.text);
            break;
        }
        bri_contact_now now = bri_sim_contact(sim, 0);
        printf("%g,%.9g,%.9g,%d\n", 0.5 * k, bri_sim_body(sim, 0).x, now.F, now.motion);
    }
    bri_energies e = bri_sim_energies(sim);
    fprintf(stderr, "%.6g J dissipated, balance off by %.1e J\n", e.dissipated, e.residual);
    bri_sim_free(sim);
    return 0;
}
