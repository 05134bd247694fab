/* cost.c - what a law costs: time per evaluation, and the fastest rate a solver has to follow. */
#include "conform.h"

#include "study/study.h"

#include <math.h>
#include <string.h>

/* ---- the fastest rate ------------------------------------------------------------------------ */

enum { SIZE = 2 + BRI_MAX_STATES };

/* d(x', v', z')/d(x, v, z) of the standard mass on the contact; returns the size. */
static int mass_matrix(const bench *b, double v, const double *z, double *A) {
    double J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)];
    const bri_setup *s = b->law;
    bri_input u = {.v = v, .n = s->load};
    int k = bri_model_states(s->model, s->p), n = 2 + k, width = 3 + k;
    bri_model_jac(s->model, s->p, &u, z, J);
    memset(A, 0, sizeof *A * SIZE * SIZE);
    A[1] = 1.0; /* x' = v */
    for (int i = 0; i <= k; i++) {
        double factor = i ? 1.0 : -1.0 / STANDARD_MASS;
        double *row = A + (1 + i) * n;
        row[0] = factor * J[i * width];
        row[1] = factor * J[i * width + 1];
        for (int j = 0; j < k; j++) row[2 + j] = factor * J[i * width + 3 + j];
    }
    return n;
}

/* |A^m|^(1/m) tends to the largest |eigenvalue| (Gelfand): square and scale 40 times. */
static double spectral_radius(double *A, int n) {
    double B[SIZE * SIZE], log_scale = 0.0, power = 1.0;
    for (int step = 0; step <= 40; step++) {
        double most = 0.0;
        for (int i = 0; i < n * n; i++) most = fmax(most, fabs(A[i]));
        if (!(most > 0.0)) return 0.0;
        for (int i = 0; i < n * n; i++) A[i] /= most;
        log_scale += log(most) / power;
        if (step == 40) break;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0.0;
                for (int k = 0; k < n; k++) sum += A[i * n + k] * A[k * n + j];
                B[i * n + j] = sum;
            }
        memcpy(A, B, sizeof *A * (size_t)(n * n));
        power *= 2.0;
    }
    return exp(log_scale);
}

/* At rest, or in steady sliding at the speed given. */
result fastest_rate(const bench *b, double speed) {
    double A[SIZE * SIZE], z[BRI_MAX_STATES] = {0};
    const bri_setup *s = b->law;
    bri_model_rest(s->model, s->p, z);
    bri_input u = {.v = speed, .n = s->load};
    for (int i = 0; speed > 0.0 && i < 100; i++)
        bri_model_step(s->model, s->p, &u, 0.01 * 1e-2 / speed, z); /* over 10 mm */
    return number(spectral_radius(A, mass_matrix(b, speed, z, A)));
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Least time of 20 rounds of 2000 evaluations at speeds from v_s/100 to 1000 v_s [ns]. */
result time_per_eval(const bench *b, double unused) {
    enum { ROUNDS = 20, TIMES = 2000, SPEEDS = 100 };
    const bri_setup *s = b->law;
    double z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES], v[SPEEDS], least = INFINITY;
    volatile double sum = 0.0; /* so that the calls are made */
    (void)unused;
    bri_model_rest(s->model, s->p, z);
    for (int i = 0; i < SPEEDS; i++)
        v[i] = (i % 2 ? -1.0 : 1.0) * STANDARD_VS * pow(10.0, -2.0 + 5.0 * i / SPEEDS);
    for (int round = 0; round < ROUNDS; round++) {
        double before = processor_time();
        for (int i = 0; i < TIMES; i++) {
            bri_input u = {.v = v[i % SPEEDS], .n = s->load};
            sum += bri_model_eval(s->model, s->p, &u, z, dz);
        }
        least = fmin(least, processor_time() - before);
    }
    (void)sum;
    return number(1e9 * least / TIMES);
}

result time_over_coulomb(const bench *b, double unused) {
    bri_setup s;
    if (bri_conform_setup(&s, bri_model_find("coulomb"), NULL, NULL)) return said(NAN, word_failed);
    bench plain = bench_of(&s, b->rtol, b->trouble);
    return number(time_per_eval(b, unused).value / time_per_eval(&plain, unused).value);
}
