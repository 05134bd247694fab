/* sliding.c - the steady curve, and what remains of it while the speed varies. */
#include "conform.h"

#include <math.h>

/* Largest relative distance from the prescribed curve at 31 speeds from v_s/5 to 200 v_s. */
result curve_deviation(const bench *b, double unused) {
    double most = 0.0;
    (void)unused;
    for (int i = 0; i <= 30; i++) {
        double v = 0.2 * STANDARD_VS * pow(10.0, 0.1 * i), want = prescribed_force(v);
        most = fmax(most, fabs(bri_steady_force(b->law, v) / want - 1.0));
    }
    return number(most);
}

/* Area of F over v while v = v_s (2 + 1.5 cos). */
result lag_area(const bench *b, double frequency) {
    enum { COARSE = 128, FINE = 256 };
    bri_sample samples[FINE + 1];
    bri_motion m = {.mean = 2.0 * STANDARD_VS,
                    .speed = 1.5 * STANDARD_VS,
                    .frequency = frequency,
                    .samples = b->rtol < 5e-9 ? FINE : COARSE,
                    .settle = 3};
    return number(bri_run_loop(b->law, &m, samples).lag);
}
