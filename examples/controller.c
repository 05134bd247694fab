/* controller.c - a sampled controller around a simulation: a mass with friction is brought to 0.1 m
 * by a PID that looks at it every millisecond and holds its force until the next look. The engine
 * makes its own steps in between and never uses a force beyond the time it was given for.
 *
 *     cc controller.c $(pkg-config --cflags --libs bristle) -o controller
 */
#include <bristle_sim.h>
#include <math.h>
#include <stdio.h>

/* Told of every change between stick and slip. */
static int tell(void *to, bri_sim *sim, const bri_event *e) {
    (void)sim;
    fprintf(to, "t = %.6f s: %d to %d\n", e->t, e->from, e->to);
    return 0; /* go on */
}

int main(void) {
    bri_body mass = {.name = "mass", .mass = 1.0};
    bri_drive push = {.name = "push", .body = 0, .force = bri_signal_constant(0.0)};
    bri_contact pad = {
        .name = "pad", .model = bri_model_find("lugre"), .a = 0, .b = BRI_GROUND, .n = 10.0};
    bri_model_defaults(pad.model, pad.p);
    pad.p[bri_model_param(pad.model, "sigma0")] = 1e5;
    pad.p[bri_model_param(pad.model, "sigma1")] = 300.0;

    bri_sim_def def = bri_sim_defaults();
    def.system = (bri_system){.bodies = &mass,
                              .n_bodies = 1,
                              .contacts = &pad,
                              .n_contacts = 1,
                              .drives = &push,
                              .n_drives = 1};
    def.rtol = 1e-9; /* t_end is 1 s: the end is put off below */

    bri_sim *sim;
    bri_ref force;
    bri_error err;
    bri_status status = bri_sim_create(&def, &sim, &err);
    if (status == BRI_OK) status = bri_sim_find(sim, "push.force", &force, &err);
    double sum = 0.0;
    for (int k = 0; k < 2000 && status == BRI_OK; k++) {
        bri_body_now now = bri_sim_body(sim, 0);
        double e = 0.1 - now.x;
        sum += e * 1e-3;
        if (k == 1000) status = bri_sim_extend(sim, 2.0, &err); /* it goes on */
        if (status == BRI_OK)
            status =
                bri_sim_set(sim, force, fmin(200.0 * e + 100.0 * sum - 10.0 * now.v, 20.0), &err);
        if (status == BRI_OK) status = bri_sim_watch(sim, 1e-3 * (k + 1), tell, stderr, &err);
    }
    if (status != BRI_OK)
        fprintf(stderr, "%s\n", err.text);
    else
        printf("x = %.9f m\n", bri_sim_body(sim, 0).x);
    bri_sim_free(sim);
    return status != BRI_OK;
}
