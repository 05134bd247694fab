/* sweep.c - the scatter of a stop, from C: a brake at 1000 samples of its friction and speed. Every
 * finished point is told to a function, which holds it against the closed form.
 *
 *     cc sweep.c $(pkg-config --cflags --libs bristle) -lm -o sweep
 */
#include <bristle_sweep.h>
#include <math.h>
#include <stdio.h>

/* The angle of the stop with load a + b |v|: J/(mu b) (v - a/b log(1 + b v/a)). */
static double closed_form(double mu, double v) {
    const double J = 0.5, a = 10.0, b = 0.3;
    return J / (mu * b) * (v - a / b * log(1.0 + b * v / a));
}

static double sum, worst; /* of all angles; share by which one is off */

/* Columns: pad.mu_c, disc.v, angle. Called from one thread at a time. */
static int finished(void *context, const bri_sweep_point *p) {
    (void)context;
    if (p->status != BRI_OK) return 1; /* stop */
    sum += p->row[2];
    worst = fmax(worst, fabs(p->row[2] / closed_form(p->row[0], p->row[1]) - 1.0));
    return 0; /* go on */
}

int main(void) {
    const char *random[] = {"pad.mu_c,pad.mu_s=normal(0.4, 10 %)", "disc.v=normal(3 %)"};
    const char *measures[] = {"angle=last(disc.x)"};
    const bri_override longer = {"run.until", "20 s"}; /* the weakest stops later than the others */
    const bri_sweep_def def = {.scenario = "brake",
                               .overrides = &longer,
                               .n_overrides = 1,
                               .random = random,
                               .n_random = 2,
                               .samples = 1000,
                               .sampling = BRI_SAMPLE_HALTON,
                               .measures = measures,
                               .n_measures = 1};
    static bri_messages messages; /* large */
    bri_sweep *sweep;
    bri_error err = {0};
    if (bri_sweep_create(&def, &sweep, &messages) != BRI_OK) {
        fprintf(stderr, "%s\n", messages.message[0].text);
        return 1;
    }
    if (bri_sweep_run(sweep, NULL, finished, NULL, &err) != BRI_OK)
        fprintf(stderr, "%s\n", err.text);
    printf("%ld points of %ld: %.1f rad on the mean, off by %.0e at most\n", bri_sweep_done(sweep),
           bri_sweep_points(sweep), sum / (double)bri_sweep_done(sweep), worst);
    bri_sweep_free(sweep);
    return worst > 1e-5;
}
