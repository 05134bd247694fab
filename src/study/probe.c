/* probe.c - scales of a law, and a mass that a force moves over the contact. */
#include "probe.h"
#include "curve.h"

#include <math.h>
#include <string.h>

static const double gravity = 9.81; /* [m/s^2] */

/* ---- the steady curve ------------------------------------------------------------------------ */

static void take_curve(probe *p) {
    double z[BRI_MAX_STATES], top;
    for (int i = 0; i < CURVE_POINTS; i++) {
        p->v[i] = pow(10.0, -6.0 + 0.2 * i);
        p->F[i] = bri_steady_state(p->setup, p->v[i], z, &top);
    }
}

/* Where the curve falls with speed by more than 1 %, and the level behind the fall. */
static int find_fall(probe *p) {
    int high = 0, low = 0, at = 0;
    p->fall = 0.0;
    for (int i = 0; i < CURVE_POINTS; i++) {
        if (p->F[i] > p->F[at]) at = i;
        double fall = p->F[at] > 0.0 ? 1.0 - p->F[i] / p->F[at] : 0.0;
        if (fall > p->fall) {
            p->fall = fall;
            high = at;
            low = i;
        }
    }
    if (!(p->fall > 0.01)) return -1;
    p->peak = p->F[high];
    p->slide = p->F[low];
    int middle = high;
    while (p->F[middle] > 0.5 * (p->peak + p->slide)) middle++;
    p->v_fall = sqrt(p->v[middle - 1] * p->v[middle]);
    return low;
}

/* Without a fall the level is where the curve is flattest on a logarithmic scale. */
static int find_plateau(probe *p) {
    int flattest = CURVE_POINTS - 2;
    double least = INFINITY;
    for (int i = 1; i + 1 < CURVE_POINTS; i++) {
        double rise = p->F[i - 1] > 0.0 ? p->F[i + 1] / p->F[i - 1] - 1.0 : INFINITY;
        if (rise <= least + 1e-6) {
            least = fmin(least, rise);
            flattest = i;
        }
    }
    p->slide = p->peak = p->F[flattest];
    return flattest;
}

/* Speed at which the curve has half of its level; 0 if it starts above. */
static double smoothing_speed(const probe *p) {
    int i = 0;
    while (i < CURVE_POINTS && p->F[i] < 0.5 * p->slide) i++;
    return i == 0 || i == CURVE_POINTS ? 0.0 : p->v[i];
}

/* ---- loading by displacement ---------------------------------------------------------------- */

/* Push on at v until the force passes the level, upwards or downwards by the sign of v. The stride
 * grows from a picometre; the last one is cut in half until it fits. Returns the path, or 0 if the
 * level is passed at once, or -1 if it is not reached within 10 m. */
static double push_to(const probe *p, double v, double level, double *z) {
    const bri_setup *s = p->setup;
    bri_input u = {.v = v, .n = s->load};
    double before[BRI_MAX_STATES], dz[BRI_MAX_STATES], path = 0.0, stride = 1e-12;
    double side = v > 0.0 ? 1.0 : -1.0;
    if (side * (bri_model_eval(s->model, s->p, &u, z, dz) - level) >= 0.0) return 0.0;
    for (int i = 0; i < 400 && path < 10.0; i++) {
        memcpy(before, z, sizeof before);
        double F = bri_model_step(s->model, s->p, &u, stride / fabs(v), z);
        if (side * (F - level) < 0.0) {
            path += stride;
            stride *= 1.3;
        } else if (stride > 1e-4 * path) {
            memcpy(z, before, sizeof before);
            stride *= 0.5;
        } else {
            return path + 0.5 * stride;
        }
    }
    return -1.0;
}

/* Load to half the level slowly, stop, unload: what is held and what comes back. */
static void load_and_unload(probe *p, double slow) {
    const bri_setup *s = p->setup;
    double z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES];
    p->length = p->held = p->recovered = 0.0;
    bri_model_rest(s->model, s->p, z);
    double there = push_to(p, slow, 0.5 * p->slide, z);
    if (!(there > 0.0)) return;
    bri_input rest = {.n = s->load};
    bri_model_step(s->model, s->p, &rest, 0.01 * there / slow, z);
    p->held = bri_model_eval(s->model, s->p, &rest, z, dz) / (0.5 * p->slide);
    if (p->held < 0.5) return;
    double back = push_to(p, -slow, 0.0, z);
    p->recovered = fmax(back, 0.0) / there;
    p->length = 2.0 * there;
}

/* Slowly means that the damping of the contact carries nothing: the force is held in the stop. */
static void find_spring(probe *p) {
    double slow = 0.01 * (p->v_smooth > 0.0 ? p->v_smooth : p->v_fall > 0.0 ? p->v_fall : 1e-4);
    for (int i = 0; i < 4 && p->states > 0 && p->held < 0.95; i++, slow *= 0.1)
        load_and_unload(p, slow);
}

probe bri_probe(const bri_setup *s) {
    probe p = {.setup = s, .states = bri_model_states(s->model, s->p)};
    double z[BRI_MAX_STATES];
    take_curve(&p);
    int at = find_fall(&p);
    if (at < 0) at = find_plateau(&p);
    bri_steady_state(s, p.v[at], z, &p.top);
    p.v_smooth = smoothing_speed(&p);
    find_spring(&p);
    p.mass = p.slide / gravity;
    if (p.v_fall <= 0.0)
        p.v_fall = p.v_smooth > 0.0 ? p.v_smooth : p.length > 0.0 ? sqrt(gravity * p.length) : 0.01;
    p.time = fmax(p.length / p.v_fall, fmax(sqrt(p.length / gravity), p.v_smooth / gravity));
    if (p.time <= 0.0) p.time = p.v_fall / gravity;
    return p;
}

double bri_slowest(const probe *p, double v, const double *z) {
    const bri_setup *s = p->setup;
    double J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)], dz[BRI_MAX_STATES], slowest = 0.0;
    bri_input u = {.v = v, .n = s->load};
    int k = p->states, width = 3 + k;
    if (k == 0) return 0.0;
    bri_model_eval(s->model, s->p, &u, z, dz);
    bri_model_jac(s->model, s->p, &u, z, J);
    for (int i = 0; i < k; i++) {
        double rate =
            fmax(fabs(J[(1 + i) * width + 3 + i]), fabs(dz[i]) / s->model->states[i].nominal);
        if (rate > 1e-9) slowest = fmax(slowest, 1.0 / rate);
    }
    return slowest;
}

/* ---- loading by a force --------------------------------------------------------------------- */

rig bri_rig_at_rest(const probe *p) {
    rig r = {.law = p};
    bri_model_rest(p->setup->model, p->setup->p, r.z);
    return r;
}

/* m (v - v0)/h + F - f for a step that ends with v; z receives the states then. */
static double imbalance(const rig *r, double f, double h, double v, double *z, double *F) {
    const bri_setup *s = r->law->setup;
    double inertia = r->law->mass / h;
    memcpy(z, r->z, sizeof r->z);
    bri_input u = {.x = r->x + h * v, .v = v, .n = s->load, .fa = f + inertia * r->v};
    *F = bri_model_step(s->model, s->p, &u, h, z);
    return inertia * (v - r->v) + *F - f;
}

/* Backward Euler with the law's own step: a scalar equation in the new velocity. Stick (v = 0) is
 * tried first, then velocities growing from zero, so that the slowest solution is taken; the
 * Illinois form of regula falsi closes the bracket. */
void bri_rig_step(rig *r, double f, double h) {
    double z[BRI_MAX_STATES], F, a = 0.0, A = imbalance(r, f, h, 0.0, z, &F), b, B = A;
    double small = fmax(1e-7 * r->law->v_fall, 0.2 * fabs(r->v));
    b = A > 0.0 ? -small : small;
    if (fabs(A) > 1e-14 * (fabs(f) + r->law->mass / h * fabs(r->v))) {
        for (int i = 0; i < 60; i++) {
            B = imbalance(r, f, h, b, z, &F);
            if ((B > 0.0) != (A > 0.0)) break;
            a = b, A = B;
            b *= 8.0;
        }
        for (int i = 0, side = 0; i < 60 && fabs(b - a) > 1e-10 * fabs(b) && B != 0.0; i++) {
            double c = i < 50 ? b - B * (b - a) / (B - A) : 0.5 * (a + b);
            double C = imbalance(r, f, h, c, z, &F);
            if ((C > 0.0) == (B > 0.0)) {
                b = c, B = C;
                if (side == 1) A *= 0.5;
                side = 1;
            } else {
                a = c, A = C;
                if (side == -1) B *= 0.5;
                side = -1;
            }
            if (fabs(C) <= 1e-12 * r->law->slide) {
                b = c;
                break;
            }
        }
        imbalance(r, f, h, b, z, &F);
    } else {
        b = 0.0;
    }
    r->x += h * b;
    r->v = b;
    r->F = F;
    memcpy(r->z, z, sizeof r->z);
}
