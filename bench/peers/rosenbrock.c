/* rosenbrock.c - our Rosenbrock solver on the Rabinowicz rig written out by hand: right-hand side,
 * Jacobian, elimination, reversals. What the network costs more than this is its overhead. And the
 * same on the general network. */
#include "problem.h"
#include "rigs.h"
#include "solvers/solver.h"
#include "system/network.h"
#include <math.h>
#include <string.h>

static const double mass = 20.0, stiffness = 10.0, slab = 0.5, small = 0.05;

typedef struct hand {
    double sign; /* the frozen direction */
    double w, per_w, per_S, per_M, by[4];
} hand;

static void rhs(void *self, double t, const double *y, double *dy) {
    const hand *r = self;
    double F = rabinowicz_friction(r->sign, y[1] - slab, y[2], &dy[2], NULL);
    dy[0] = y[1];
    dy[1] = -(stiffness * y[0] + F) * (1.0 / mass);
}

static void linearise(void *self, double t, const double *y, double *dy, double *ft) {
    hand *r = self;
    double F = rabinowicz_friction(r->sign, y[1] - slab, y[2], &dy[2], r->by);
    dy[0] = y[1];
    dy[1] = -(stiffness * y[0] + F) * (1.0 / mass);
}

static int factor(void *self, double w) {
    hand *r = self;
    r->w = w;
    r->per_w = 1.0 / w;
    r->per_S = 1.0 / (w - r->by[3]);
    r->per_M = 1.0 / (mass * w + stiffness * r->per_w + r->by[0] + r->by[1] * r->per_S * r->by[2]);
    return 1;
}

static int sound(void *self, const double *y, double w) { return factor(self, w); }

static void solve(void *self, double *b) {
    const hand *r = self;
    b[0] *= r->per_w;
    b[2] *= r->per_S;
    b[1] = (mass * b[1] - stiffness * b[0] - r->by[1] * b[2]) * r->per_M;
    b[0] += b[1] * r->per_w;
    b[2] += r->by[2] * r->per_S * b[1];
}

static void sizes(void *self, const double *y, double *size) {
    size[0] = fabs(y[0]);
    size[1] = fmax(fabs(y[1] - slab), small);
    size[2] = fabs(y[2]);
}

/* The time in the last step at which the sliding velocity is zero, by the Illinois rule. */
static double crossing(stepper *s, double sign, double ga, double gb) {
    double a = s->t_prev, b = s->t, y[3];
    for (int i = 0; i < 60 && b - a > 4e-16 * b; i++) {
        double t = a + (b - a) * (ga / (ga - gb));
        if (!(t > a && t < b)) t = 0.5 * (a + b);
        bri_rosenbrock.interpolate(s, t, y);
        double g = sign * (y[1] - slab);
        if (g > 0.0)
            a = t, ga = g, gb *= 0.5;
        else
            b = t, gb = g, ga *= 0.5;
        if (g == 0.0) break;
    }
    return b;
}

/* A run with the direction frozen in each step, turned by `turn` where it changes. */
static int follow(const problem *p, const ode *o, void (*turn)(void *self, double sign),
                  double rtol, double *out, effort *e) {
    arena memory = {0};
    const solver_options options = {
        .rtol = rtol, .atol = rtol, .span = p->t_end, .memory = &memory};
    double y[3], sign = 1.0;
    stepper *s;
    p->start(y);
    y[1] += slab;
    turn(o->self, sign);
    if (bri_rosenbrock.create(&bri_rosenbrock, o, &options, 0.0, y, &s, NULL) != BRI_OK) {
        arena_free(&memory);
        return 0;
    }
    int ok = 1, undone = 0; /* times in a row */
    for (int k = 1; ok && k <= p->checks; k++) {
        double t = p->t_end * k / p->checks;
        while (ok && s->t < t) {
            double before = sign * (s->y[1] - slab);
            ok = bri_rosenbrock.step(s, p->t_end, NULL) == BRI_OK;
            double after = sign * (s->y[1] - slab);
            if (after > 0.0) undone = 0;
            if (!ok || after > 0.0) continue;
            if (before > 0.0) {
                double at = crossing(s, sign, before, after);
                if (at < s->t) ok = bri_rosenbrock.cut(s, at, NULL) == BRI_OK;
            } else if (after < 0.0) { /* it went the other way from rest */
                bri_rosenbrock.undo(s);
                ok = ++undone < 4;
            }
            sign = -sign;
            turn(o->self, sign);
            bri_rosenbrock.restart(s, NULL);
        }
        bri_rosenbrock.interpolate(s, t, y);
        y[1] -= slab;
        p->out(t, y, out + (k - 1) * p->n_out);
    }
    *e = (effort){s->steps, s->evals};
    arena_free(&memory);
    return ok;
}

static void turn_rig(void *self, double sign) { ((hand *)self)->sign = sign; }

int peer_hand_rosenbrock(const problem *p, double rtol, double *out, effort *e) {
    const double nominal[3] = {slab, small, 1e-3};
    hand r = {.sign = 1.0};
    const ode o = {.self = &r,
                   .n = 3,
                   .nominal = nominal,
                   .autonomous = 1,
                   .sizes = sizes,
                   .rhs = rhs,
                   .linearise = linearise,
                   .factor = factor,
                   .sound = sound,
                   .solve = solve};
    return follow(p, &o, turn_rig, rtol, out, e);
}

/* ---- the same by the general network, without the short ways for one body ------------------- */

static void net_rhs(void *self, double t, const double *y, double *dy) {
    network_rhs(self, t, y, dy);
}
static void net_sizes(void *self, const double *y, double *size) { network_sizes(self, y, size); }
static void net_linearise(void *self, double t, const double *y, double *dy, double *ft) {
    network_linearise(self, t, y, dy, NULL);
}
static int net_factor(void *self, double w) { return network_factor(self, w); }
static int network_is_sound(void *self, const double *y, double w) {
    return network_sound(self, y, w);
}
static void net_solve(void *self, double *b) { network_solve(self, b); }
static void turn_net(void *self, double sign) {
    ((network *)self)->touches[0].mode = sign > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
}

int peer_general_network(const problem *p, double rtol, double *out, effort *e) {
    rig r;
    network *net;
    rig_rabinowicz(&r);
    if (network_create(&r.def.system, 0.0, p->t_end, &net, NULL) != BRI_OK) return 0;
    net->latest = p->t_end;
    const ode o = {.self = net,
                   .n = net->n,
                   .nominal = net->nominal,
                   .autonomous = 1,
                   .sizes = net_sizes,
                   .rhs = net_rhs,
                   .linearise = net_linearise,
                   .factor = net_factor,
                   .sound = network_is_sound,
                   .solve = net_solve};
    int ok = follow(p, &o, turn_net, rtol, out, e);
    network_free(net);
    return ok;
}
