/* arc.c - a body that swings freely under friction that is affine in its velocity: states, means
 * and extremes in closed form. See phases.c. */
#include "arc.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* What all of them are made of, s seconds after the start: e^(-decay s) and, by the half angle so
 * that little is lost where s is small, the swing. */
typedef struct swing {
    double c, n;         /* cos w s, sin w s */
    double fall, fallen; /* e^(-decay s), and 1 less that */
    double away;         /* 1 - e^(-decay s) cos w s */
} swing;

static inline swing swing_at(const sim_arc *arc, double s) {
    double half = 0.5 * arc->w * s, a = cos(half), b = sin(half);
    double fallen = arc->decay > 0.0 ? -expm1(-arc->decay * s) : 0.0, less = 2.0 * b * b;
    double c = 1.0 - less;
    return (swing){c, 2.0 * a * b, 1.0 - fallen, fallen, fallen * c + less};
}

void sim_arc_at(const sim_arc *arc, double t, double y[2]) {
    double s = t - arc->from;
    swing at = swing_at(arc, s);
    y[0] = arc->x + (arc->drift * s + arc->settled * at.away + arc->b * at.fall * at.n);
    y[1] = arc->drift + at.fall * (arc->p * at.c + arc->q * at.n);
}

void sim_arc_sums(const sim_arc *arc, double t, sim_sums *to) {
    double s = t - arc->from, d = arc->decay, w = arc->w, p = arc->p, q = arc->q;
    swing at = swing_at(arc, s);
    double per = 1.0 / (d * d + w * w), sine = at.fall * at.n;
    double of_c = (d * at.away + w * sine) * per; /* of e^(-d s) cos w s, and of the sine */
    double of_n = (w * at.away - d * sine) * per;
    double less = at.fallen * (1.0 + at.fall); /* 1 - e^(-2 d s), and so on with 2 d and 2 w */
    double away2 = less + 2.0 * sine * sine, sine2 = 2.0 * at.fall * at.c * sine;
    double of_1 = d > 0.0 ? 0.5 * less / d : s;
    double of_c2 = 0.5 * (d * away2 + w * sine2) * per, of_n2 = 0.5 * (w * away2 - d * sine2) * per;
    to->time = s;
    to->x = arc->x * s + (0.5 * arc->drift * s * s + arc->settled * (s - of_c) + arc->b * of_n);
    to->v = arc->drift * s + (p * of_c + q * of_n);
    to->vv = arc->drift * (arc->drift * s + 2.0 * (p * of_c + q * of_n)) +
             (0.5 * (p * p + q * q) * of_1 + 0.5 * (p * p - q * q) * of_c2 + p * q * of_n2);
}

double sim_arc_slowest(const sim_arc *arc, double way) {
    double p = way * arc->p, q = way * arc->q, round = 2.0 * PI / arc->w;
    double rate = arc->w * q - arc->decay * p, quarter = -arc->decay * q - arc->w * p;
    double s = (atan2(quarter, rate) - 0.5 * PI) / arc->w;
    return s > 0.0 ? s : s + round;
}

double sim_arc_fastest(const sim_arc *arc, double frame, double from, double to) {
    double most = 0.0, y[2], half = PI / arc->w;
    double first = arc->from + sim_arc_slowest(arc, 1.0), late = ceil((from - first) / half);
    first += half * late; /* the swing decays: only the first of either side can be the largest */
    const double at[4] = {from, to, first, first + half};
    for (int i = 0; i < 4; i++) {
        if (!(at[i] >= from && at[i] <= to)) continue;
        sim_arc_at(arc, at[i], y);
        most = fmax(most, fabs(y[1] - frame));
    }
    return most;
}

double sim_arc_rest(const sim_arc *arc, double way, double frame, double last) {
    double d = arc->decay, w = arc->w, p = way * arc->p, q = way * arc->q;
    double steady = way * (arc->drift - frame), slowest = sim_arc_slowest(arc, way);
    double b = fmin(slowest, last - arc->from), a = fmax(0.0, slowest - PI / w);
    swing at = swing_at(arc, b);
    if (!(steady + at.fall * (p * at.c + q * at.n) <= 0.0)) return INFINITY;
    double share = steady / (hypot(p, q) * exp(-d * slowest)); /* without decay there it is */
    double s = slowest - acos(fmin(fmax(share, -1.0), 1.0)) / w;
    const double width = 2e-16 * fabs(arc->from + b);
    for (int i = 0; i < 60; i++) { /* Newton's steps, or halves where they leave what is known */
        if (!(s > a && s < b)) s = 0.5 * (a + b);
        at = swing_at(arc, s);
        double speed = steady + at.fall * (p * at.c + q * at.n);
        double rate = at.fall * ((w * q - d * p) * at.c - (w * p + d * q) * at.n);
        double by = -speed / rate;
        if (speed > 0.0)
            a = s;
        else
            b = s;
        if (fabs(by) <= width || !(b - a > width)) break;
        s += by;
    }
    return arc->from + s;
}
