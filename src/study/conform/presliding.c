/* presliding.c - a contact that gives like a spring: stiffness, hysteresis and memory. */
#include "conform.h"

#include <math.h>

static const char rigid[] = "rigid", flows[] = "flows";

/* Displacement under a small load, if it stays where it is. */
result stiffness(const bench *b, double unused) {
    const double load = 2e-4 * b->hold;
    (void)unused;
    stand s;
    stand_pushed(&s, b, RISE + 2.0);
    s.def.atol = 1e-8 * b->rtol;
    signal_rise(&s, load);
    if (stand_start(&s)) return said(NAN, word_failed);
    int failed = stand_go(&s, RISE + 1.0);
    double x = bri_sim_body(s.sim, 0).x;
    failed = failed || stand_go(&s, RISE + 2.0);
    double later = bri_sim_body(s.sim, 0).x;
    stand_end(&s);
    if (failed) return said(NAN, word_failed);
    if (fabs(x) < 1e-15) return said(INFINITY, rigid);
    return fabs(later - x) > 0.01 * fabs(x) ? said(NAN, flows) : number(load / x);
}

/* x through the positions given, at constant speed between them. */
static void lead_through(stand *s, const bench *b, const double *x, int count, double speed) {
    stand_led(s, b, 0.0);
    for (int i = 0; i < count; i++) {
        s->y[i] = x[i];
        s->t[i] = i ? s->t[i - 1] + fabs(x[i] - x[i - 1]) / speed : 0.0;
    }
    s->def.t_end = s->t[count - 1];
    signal_points(s, count);
}

/* Loss of the tenth cycle between +A and -A, at one cycle per second. */
result loop_area(const bench *b, double amplitude) {
    enum { POINTS = 22, FIRST = 19 };
    double x[POINTS];
    for (int i = 0; i < POINTS; i++) x[i] = i == 0 ? 0.0 : i % 2 ? amplitude : -amplitude;
    stand s;
    lead_through(&s, b, x, POINTS, 4.0 * amplitude);
    if (stand_start(&s)) return said(NAN, word_failed);
    int failed = stand_go(&s, s.t[FIRST]);
    double before = bri_sim_energies(s.sim).work;
    failed = failed || stand_go(&s, s.t[FIRST + 2]);
    double after = bri_sim_energies(s.sim).work;
    stand_end(&s);
    return failed ? said(NAN, word_failed) : number(after - before);
}

/* Slide 100 um, go back by 18 um, forward by 9 um and back by the same 9 um, at 10 um/s: with
 * non-local memory the second arrival finds the force of the first. */
result inner_loop(const bench *b, double unused) {
    static const double x[] = {0.0, 100e-6, 82e-6, 91e-6, 82e-6, 78e-6};
    enum { POINTS = 6, FIRST = 2, SECOND = 4 };
    double F[POINTS] = {0.0};
    (void)unused;
    result k = stiffness(b, 0.0);
    if (k.word) return said(NAN, k.word);
    stand s;
    lead_through(&s, b, x, POINTS, 1e-5);
    if (stand_start(&s)) return said(NAN, word_failed);
    int failed = 0;
    for (int i = 1; i < POINTS && !failed; i++) { /* just before it turns */
        failed = stand_go(&s, s.t[i] - 1e-9);
        F[i] = bri_sim_contact(s.sim, 0).F;
    }
    stand_end(&s);
    return failed ? said(NAN, word_failed) : number(fabs(F[SECOND] - F[FIRST]) / b->Fc);
}
