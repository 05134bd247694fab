/* laws.c - what a program can ask of the laws: which there are, what their parameters mean, and
 * where the work goes that a contact takes up.
 *
 *     cc laws.c $(pkg-config --cflags --libs bristle) -o laws
 */
#include <bristle.h>
#include <stdio.h>

/* Every law with its parameters; those that have a stiffness say which parameter it is. */
static void list(void) {
    printf("bristle %s has %d laws\n", bri_version(), bri_model_count());
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *law = bri_model_at(i);
        double p[BRI_MAX_PARAMS];
        bri_model_defaults(law, p);
        int stiffness = bri_model_role(law, BRI_ROLE_STIFFNESS);
        printf("%-24s %2d parameters, %d states", law->name, law->n_params,
               bri_model_states(law, p));
        if (stiffness >= 0)
            printf(", %s %s = %g %s", bri_role_text(BRI_ROLE_STIFFNESS),
                   law->params[stiffness].name, p[stiffness], law->params[stiffness].unit);
        putchar('\n');
    }
}

/* A contact that is pushed 2 um: where the work has gone. */
static int energies(void) {
    const bri_model *law = bri_model_find("lugre");
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], work = 0.0, heat = 0.0, stored, power, h = 1e-5;
    bri_model_defaults(law, p);
    bri_model_rest(law, p, z);
    bri_input u = {.v = 1e-3, .n = 10.0};
    for (int k = 0; k < 200; k++) {
        work += h * bri_model_step(law, p, &u, h, z) * u.v;
        if (!bri_model_energy(law, p, &u, z, &stored, &power)) return 1;
        heat += h * power;
    }
    printf("motion %d; work %.3g J = stored %.3g J + heat %.3g J\n",
           bri_model_motion(law, p, &u, z), work, stored, heat);
    double off = work - stored - heat;
    return off * off > 1e-4 * work * work;
}

int main(void) {
    const char *typed = "lugree";
    if (!bri_model_find(typed))
        printf("there is no %s; did you mean %s?\n", typed, bri_model_nearest(typed)->name);
    list();
    return energies();
}
