#include <bristle.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    const bri_model *law = bri_model_find("coulomb");
    double p[BRI_MAX_PARAMS];
    bri_model_defaults(law, p);
    bri_input u = {.v = 0.1, .n = 10.0};
    double F = bri_model_eval(law, p, &u, NULL, NULL);
    printf("bristle %s: F = %g N\n", bri_version(), F);
    return F > 0.0 && isfinite(F) ? 0 : 1;
}
