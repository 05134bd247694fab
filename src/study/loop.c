/* loop.c - friction under a prescribed sinusoidal velocity, v = mean + speed cos(2 pi f t). */
#include "bristle_tools.h"

#include <math.h>

/* Steps per sample are doubled until the recorded forces change by less than TOLERANCE of their
 * range, or a run would take more than MOST steps. */
#define TOLERANCE 1e-6
enum { FIRST = 4, MOST = 400000 };

typedef struct {
    const bri_setup *setup;
    const bri_motion *motion;
    double z[BRI_MAX_STATES];
} run;

/* The motion at a fraction of the cycle; the phase is kept small so that no digits are lost. */
static bri_input motion_at(const run *r, int cycle, double part) {
    static const double tau = 6.28318530717958647692;
    const bri_motion *m = r->motion;
    double period = 1.0 / m->frequency, amplitude = m->speed / (tau * m->frequency);
    double v = m->mean + m->speed * cos(tau * part);
    if (fabs(v) < 1e-14 * fabs(m->speed)) v = 0.0; /* a reversal is where it should be */
    return (bri_input){.x = m->mean * period * (cycle + part) + amplitude * sin(tau * part),
                       .v = v,
                       .n = r->setup->load};
}

static double force(const run *r, const bri_input *u) {
    double dz[BRI_MAX_STATES];
    return bri_model_eval(r->setup->model, r->setup->p, u, r->z, dz);
}

/* One cycle in `fine` steps per sample. Records and sums up if samples is not NULL; *changed
 * becomes the largest difference from the forces recorded before. Areas by the trapezoidal rule on
 * all steps: in F dv it cancels exactly for a law that depends on v alone. */
static bri_loop cycle(run *r, int number, int fine, bri_sample *samples, double *changed) {
    const bri_motion *m = r->motion;
    int total = m->samples * fine;
    double h = 1.0 / (m->frequency * total), worst = 0.0;
    bri_loop loop = {.F_min = INFINITY, .F_max = -INFINITY};
    bri_input from = motion_at(r, number, 0.0);
    double F_from = samples ? force(r, &from) : 0.0;
    for (int i = 0; i <= total; i++) {
        if (samples && i % fine == 0) {
            bri_sample *at = &samples[i / fine];
            worst = fmax(worst, fabs(at->F - F_from));
            *at = (bri_sample){.t = (number + (double)i / total) / m->frequency,
                               .x = from.x,
                               .v = from.v,
                               .F = F_from};
        }
        if (i == total) break;
        bri_input middle = motion_at(r, number, (i + 0.5) / total);
        bri_model_step(r->setup->model, r->setup->p, &middle, h, r->z);
        if (!samples) continue;
        bri_input to = motion_at(r, number, (double)(i + 1) / total);
        double F_to = force(r, &to);
        loop.F_min = fmin(loop.F_min, fmin(F_from, F_to));
        loop.F_max = fmax(loop.F_max, fmax(F_from, F_to));
        loop.energy += 0.5 * h * (F_from * from.v + F_to * to.v);
        loop.lag += 0.5 * (F_from + F_to) * (to.v - from.v);
        from = to;
        F_from = F_to;
    }
    *changed = worst;
    return loop;
}

bri_loop bri_run_loop(const bri_setup *s, const bri_motion *m, bri_sample *samples) {
    bri_loop loop = {0};
    run r = {.setup = s, .motion = m};
    for (int i = 0; i <= m->samples; i++) samples[i].F = 0.0;
    for (int fine = FIRST;; fine *= 2) {
        double changed;
        bri_model_rest(s->model, s->p, r.z);
        for (int i = 0; i < m->settle; i++) cycle(&r, i, fine, NULL, &changed);
        loop = cycle(&r, m->settle, fine, samples, &changed);
        if (fine > FIRST && changed <= TOLERANCE * (loop.F_max - loop.F_min)) break;
        if ((double)fine * 2.0 * m->samples * (m->settle + 1) > MOST) break;
    }
    return loop;
}
