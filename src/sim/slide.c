/* slide.c - see slide.h. */
#include "slide.h"
#include "sim.h"

#include <math.h>
#include <string.h>

/* ---- one velocity ---------------------------------------------------------------------------- */

enum { N = SOLVER_COURSE, LAST = N - 1 };

/* Nonzero: a velocity of the Bernstein form b may change what the contact does: it lies between the
 * least of b and the largest. */
static int may_change(const sim_slide *s, const double b[N]) {
    double least = b[0], most = b[0], half = 0.5 * s->speed;
    for (int k = 1; k < N; k++) {
        if (b[k] < least) least = b[k];
        if (b[k] > most) most = b[k];
    }
    return s->slides ? least < half && most > -half : least <= -s->speed || most >= s->speed;
}

/* Nonzero: it does not turn, as b does not. */
static int is_monotone(const double b[N]) {
    int rises = 0, falls = 0;
    for (int k = 1; k < N; k++) {
        rises |= b[k] > b[k - 1];
        falls |= b[k] < b[k - 1];
    }
    return !(rises && falls);
}

/* The share between `from` and 1 at which a polynomial, on both sides of a level there, has it:
 * Newton's method within bounds that shrink. */
static double share_at(const double c[N], double level, double from) {
    const double near = 1e-7; /* the next step would be its square */
    double a = from, b = 1.0, va = solver_course_at(c, a) - level;
    double vb = solver_course_at(c, b) - level, u = a + (b - a) * (va / (va - vb));
    for (int k = 0; k < 60; k++) {
        if (!(u > a && u < b)) u = 0.5 * (a + b);
        double slope = c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + u * (4.0 * c[4])));
        double v = solver_course_at(c, u) - level, next = u - v / slope;
        if ((v > 0.0) == (va > 0.0))
            a = u;
        else
            b = u;
        if (fabs(next - u) < near && next >= from && next <= 1.0) return next;
        if (!(b - a > 1e-15)) break;
        u = next;
    }
    return 0.5 * (a + b);
}

/* The next speed at which it starts or stops, from v on to `end` without a turn; v: at once, NAN:
 * none. */
static double next_change(const sim_slide *s, double v, double end) {
    double half = 0.5 * s->speed;
    if (s->slides) {
        if (fabs(v) < half) return v;
        int stops = half > 0.0 && (v > 0.0 ? end < half : end > -half);
        return stops ? copysign(half, v) : NAN;
    }
    if (fabs(v) >= s->speed) return v;
    return fabs(end) >= s->speed ? copysign(s->speed, end) : NAN;
}

static void tell(sim_slide *s, double t) {
    sim_changes *to = s->changes;
    if (to && to->count < to->room) to->list[to->count++] = (sim_change){s, t, s->slides};
}

static void start(sim_slide *s, double t) {
    s->slides = 1;
    s->starts++;
    s->since = s->slid;
    tell(s, t);
}

static void stop(sim_slide *s, double t) {
    s->slides = 0;
    s->stops++;
    s->longest = fmax(s->longest, s->slid - s->since);
    tell(s, t);
}

/* Over a step of h in which the velocity rises or falls all the time. */
static void pass(sim_slide *s, const double b[N], double h) {
    const double c[N] = {b[0], 4.0 * (b[1] - b[0]), 6.0 * (b[0] - 2.0 * b[1] + b[2]),
                         4.0 * (b[3] - b[0] + 3.0 * (b[1] - b[2])),
                         b[0] + b[4] - 4.0 * (b[1] + b[3]) + 6.0 * b[2]};
    double at = 0.0, v = b[0], level;
    while (!isnan(level = next_change(s, v, b[LAST]))) {
        double u = level == v ? at : share_at(c, level, at);
        if (s->slides) s->slid += (u - at) * h;
        (s->slides ? stop : start)(s, s->t + u * h);
        at = u;
        v = level;
    }
    if (s->slides) s->slid += (1.0 - at) * h;
    s->t += h;
}

/* Of the Bernstein form: halved until nothing can happen in a part, or nothing turns there. */
static void follow(sim_slide *s, const double b[N], double h, int halvings) {
    double left[N], right[N];
    if (!may_change(s, b)) {
        if (s->slides) s->slid += h;
        s->t += h;
    } else if (halvings == 0 || is_monotone(b)) {
        pass(s, b, h);
    } else {
        solver_course_halves(b, left, right);
        follow(s, left, 0.5 * h, halvings - 1);
        follow(s, right, 0.5 * h, halvings - 1);
    }
}

void sim_slide_over(sim_slide *s, const double c[5], double h) {
    const int enough = 40; /* halvings: less of a step is rounding */
    double b[N];
    solver_course_bernstein(c, b);
    follow(s, b, h, enough);
}

/* ---- all contacts ---------------------------------------------------------------------------- */

/* A signal is no polynomial: its velocity is followed over so many parts of the longest step that
 * sim_look_ahead() allows, a third of its period. */
enum { PARTS = 4 };

static int parts_of(const bri_sim *sim, double h) {
    double parts = ceil(PARTS * h / sim->pace);
    return !(parts > 1.0) ? 1 : parts < PARTS ? (int)parts : PARTS;
}

static int is_exact(const bri_sim *sim, int i) { return sim->net->touches[i].model->set_valued; }

static int any_exact(const bri_sim *sim) {
    for (int i = 0; i < sim->net->n_touches; i++)
        if (is_exact(sim, i)) return 1;
    return 0;
}

static int all_exact(const bri_sim *sim) {
    for (int i = 0; i < sim->net->n_touches; i++)
        if (!is_exact(sim, i)) return 0;
    return 1;
}

/* Those of the laws that stick exactly: they change where steps end. */
static void ask(bri_sim *sim, double h, sim_slide *slides, bri_sliding *room) {
    bri_sim_sliding(sim, room);
    for (int i = 0; i < sim->net->n_touches; i++) {
        sim_slide *s = &slides[i];
        if (!is_exact(sim, i)) continue;
        s->slid += h * (room[i].before != 0);
        if (s->slides && !room[i].after)
            stop(s, sim->t);
        else if (!s->slides && room[i].after)
            start(s, sim->t);
    }
}

/* Nonzero: nothing changes from u to w, however far the velocity bends. */
static int keeps(const sim_slide *s, const sim_course *over, double u, double w) {
    double from = sim_speed_at(over, u), to = sim_speed_at(over, w), off = 0.125 * over->bend;
    const double b[N] = {fmin(from, to) - off, from, to, from, fmax(from, to) + off};
    return !may_change(s, b);
}

/* Along the courses of the last step, which are at hand: from u to w of it, before it was cut. */
static void by_courses(bri_sim *sim, double u, double w, sim_slide *slides) {
    double f[N], c[N], h = sim->course_h;
    for (int i = 0; i < sim->net->n_touches; i++) {
        sim_course over = sim_course_of(sim, i, 1.0);
        int moved = over.moved[0] || over.moved[1];
        over.h = h;
        if (!moved && u == 0.0 && w == 1.0) {
            sim_slide_over(&slides[i], over.c, h);
            continue;
        }
        if (moved && keeps(&slides[i], &over, u, w)) {
            if (slides[i].slides) slides[i].slid += (w - u) * h;
            continue;
        }
        int parts = moved ? parts_of(sim, (w - u) * h) : 1;
        double part = (w - u) / parts;
        for (int p = 0; p < parts; p++) {
            for (int k = 0; k < N; k++) f[k] = sim_speed_at(&over, u + part * (p + 0.25 * k));
            sim_course_through(f, c);
            sim_slide_over(&slides[i], c, part * h);
        }
    }
}

/* Velocities of all contacts at five places of a part of the last step, one contact after the
 * other. What happens at the end of the step comes after it. */
static void sample(bri_sim *sim, double from, double to) {
    const network *net = sim->net;
    double last = sim->jumped && !(to < sim->s->t) ? nextafter(to, from) : to;
    for (int p = 0; p < N; p++) {
        sim_place_at(sim, p == LAST ? last : from + 0.25 * p * (to - from));
        for (int i = 0; i < net->n_touches; i++)
            sim->passed[N * i + p] = net->vel[sim->pairs[i].a] - net->vel[sim->pairs[i].b];
    }
}

/* Through places, with whatever solver. */
static void by_places(bri_sim *sim, double from, double to, sim_slide *slides) {
    double c[N], now = sim->t;
    int n = sim->net->n_touches, parts = parts_of(sim, to - from);
    double part = (to - from) / parts;
    sim->t = from; /* the modes are those of the step, not those after it */
    sim_exchange_modes(sim);
    for (int k = 0; k < parts; k++) {
        sample(sim, from + k * part, k + 1 < parts ? from + (k + 1) * part : to);
        for (int i = 0; i < n; i++) {
            if (is_exact(sim, i)) continue;
            sim_course_through(sim->passed + N * i, c);
            sim_slide_over(&slides[i], c, part);
        }
    }
    sim_exchange_modes(sim);
    sim->t = now;
    sim_interpolate(sim, now, sim->y);
    sim->shown = 0;
}

void sim_slides_begin(bri_sim *sim, sim_slide *slides, bri_sliding *room) {
    bri_sim_sliding(sim, room);
    for (int i = 0; i < sim->net->n_touches; i++) {
        sim_slide *s = &slides[i];
        s->slides = is_exact(sim, i) ? room[i].after != 0 : fabs(room[i].v) >= s->speed;
        s->slid = s->since = s->longest = 0.0;
        s->starts = s->stops = 0;
    }
}

void sim_slides_follow(bri_sim *sim, double from, double to, sim_slide *slides, bri_sliding *room) {
    const stepper *s = sim->s;
    if (room && any_exact(sim)) ask(sim, to - from, slides, room);
    if (!(to > from) || all_exact(sim)) return;
    for (int i = 0; i < sim->net->n_touches; i++) slides[i].t = from;
    if (sim->solver->courses && !sim->net->set_valued && s->t_prev == sim->course_t) {
        double u = (from - s->t_prev) / sim->course_h, w = (to - s->t_prev) / sim->course_h;
        by_courses(sim, u, w, slides);
    } else {
        by_places(sim, from, to, slides);
    }
}
