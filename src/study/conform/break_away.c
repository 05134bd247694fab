/* break_away.c - how a law lets go under a rising force, from rest for long or after a short rest.
 */
#include "conform.h"

#include "../curve.h"

#include <math.h>

/* The load on the mass: none until `start`, then rising steadily. */
typedef struct loading {
    double start, rate; /* [s], [N/s] */
    double speed;       /* with which the mass slides at the beginning, in steady state [m/s] */
} loading;

/* A stretch of the loading and what is looked for in it. */
typedef struct search {
    double from, to, dt;
    double until;   /* end at the first sample with at least this much friction [N] */
    double t, F, x; /* of the largest friction, or of that sample */
    int jump;       /* nonzero: the largest one is that before an event */
    int failed;
} search;

/* Largest friction so far, also just before an event: there the force may jump. */
static void look(search *f, stand *s) {
    int count;
    const bri_event *e = bri_sim_events(s->sim, &count, NULL);
    bri_contact_now now = bri_sim_contact(s->sim, 0);
    for (int i = 0; i < count; i++)
        if (e[i].F > f->F && e[i].t >= f->from) {
            f->F = e[i].F;
            f->t = e[i].t;
            f->x = now.x;
            f->jump = !isfinite(f->until);
        }
    bri_sim_forget_events(s->sim);
    if (now.F > f->F) {
        f->F = now.F;
        f->t = bri_sim_time(s->sim);
        f->x = now.x;
        f->jump = 0;
    }
}

/* Run the loading and search from f->from on, until the body slides. */
static void run_loading(search *f, const bench *b, const loading *l) {
    stand s;
    int points = 0;
    stand_pushed(&s, b, f->to);
    if (l->speed > 0.0) {
        double top;
        bri_steady_state(b->law, l->speed, s.z, &top);
        s.contact.z = s.z;
        s.bodies[0].v = l->speed;
    }
    s.t[points] = 0.0, s.y[points++] = 0.0;
    if (l->start > 0.0) s.t[points] = l->start, s.y[points++] = 0.0;
    s.t[points] = f->to, s.y[points++] = l->rate * (f->to - l->start);
    signal_points(&s, points);
    f->F = 0.0;
    f->t = f->from;
    f->failed = stand_start(&s);
    if (f->failed) return;
    if (f->from > 0.0) f->failed = stand_go(&s, f->from);
    bri_sim_forget_events(s.sim);
    for (long i = 1; !f->failed; i++) {
        double t = fmin(f->from + (double)i * f->dt, f->to);
        f->failed = stand_go(&s, t);
        look(f, &s);
        if (t >= f->to || f->F >= f->until) break;
        if (fabs(bri_sim_contact(s.sim, 0).v) > 10.0 * STANDARD_VS) break;
    }
    stand_end(&s);
}

/* Search coarsely, then twice more around what was found. */
static search largest_friction(const bench *b, const loading *l, double until) {
    enum { COARSE = 1000, FINE = 200 };
    double end = l->start + 3.0 * b->Fs / l->rate;
    search f = {.from = l->start, .to = end, .dt = (end - l->start) / COARSE, .until = until};
    run_loading(&f, b, l);
    for (int i = 0; i < 2 && !f.failed && !f.jump; i++) {
        double dt = f.dt;
        f.from = fmax(l->start, f.t - 2.0 * dt);
        f.to = fmin(f.t + 2.0 * dt, end);
        f.dt = (f.to - f.from) / FINE;
        run_loading(&f, b, l);
    }
    return f;
}

/* Largest friction on the way to sliding, relative to Fs. */
static result let_go(const bench *b, const loading *l) {
    search f = largest_friction(b, l, INFINITY);
    return f.failed ? said(NAN, word_failed) : number(f.F / b->Fs);
}

result break_away(const bench *b, double rate) { return let_go(b, &(loading){.rate = rate}); }

/* Displacement at which friction has reached 95 % of that. */
result break_away_path(const bench *b, double rate) {
    loading l = {.rate = rate};
    search f = largest_friction(b, &l, INFINITY);
    if (!f.failed) f = largest_friction(b, &l, 0.95 * f.F);
    return f.failed ? said(NAN, word_failed) : number(f.x);
}

/* The mass slides at 10 mm/s and is let go: friction stops it within 10 ms, then it rests. */
result after_rest(const bench *b, double rest) {
    const double speed = 10.0 * STANDARD_VS, stop = speed * STANDARD_MASS / STANDARD_FC;
    return let_go(b, &(loading){.start = stop + rest, .rate = 10.0, .speed = speed});
}
