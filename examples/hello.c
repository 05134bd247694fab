/* hello.c - pull a contact at 1 mm/s and watch the friction force build up.
 *
 * Build it against an installed bristle:
 *     cc hello.c $(pkg-config --cflags --libs bristle) -o hello
 */
#include <bristle.h>
#include <stdio.h>

int main(void) {
    const bri_model *law = bri_model_find("lugre");
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], h = 1e-3;
    bri_model_defaults(law, p);
    bri_model_rest(law, p, z);

    bri_input u = {.v = 1e-3, .n = law->load};
    puts("t,F");
    for (int k = 1; k <= 20; k++) {
        double F = bri_model_step(law, p, &u, h, z);
        printf("%g,%g\n", k * h, F);
    }
    return 0;
}
