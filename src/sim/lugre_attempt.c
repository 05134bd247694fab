/* lugre_attempt.c - the most frequent simulation: one body, one contact, LuGre under a constant
 * load, sliding in one direction. A whole step of a Rosenbrock method in one piece, from the
 * linearisation to the error, compiled once per instruction set.
 *
 * Each stage waits for the one before it, so the time is that of a chain of operations, not of
 * their number. The chain leads from the velocity over g to the next velocity; everything else is
 * prepared beside it. */
#include "kernels/kernels.h"
#include "single_attempt.h"
#include <math.h>

/* What the surroundings do at each stage, whatever the body does: the force at x = v = 0 and the
 * velocity of the other end of the contact. */
typedef struct surroundings {
    double force[RODAS_STAGES], far[RODAS_STAGES];
} surroundings;

ALWAYS_INLINE void look_around(network *net, const rodas *m, double t, double h, surroundings *to) {
#pragma GCC unroll 8
    for (int n = 1; n < m->stages; n++) {
        int again = n > 1 && m->c[n] == m->c[n - 1];
        to->force[n] = again ? to->force[n - 1] : applied(net, t + m->c[n] * h, 0.0, 0.0);
        to->far[n] = net->vel[net->single.far];
    }
}

/* Position and state go through the same operations, two in one. */
typedef double both __attribute__((vector_size(16)));

/* s + sum_j by[j] u[j] for j < n, the newest last */
ALWAYS_INLINE double add_up(double s, int n, const double *by, const double *u) {
#pragma GCC unroll 8
    for (int j = 0; j < n; j++) s += by[j] * u[j];
    return s;
}

ALWAYS_INLINE both add_both(both s, int n, const double *by, const both *u) {
#pragma GCC unroll 8
    for (int j = 0; j < n; j++) s += by[j] * u[j];
    return s;
}

/* The linearisation at the start of the step; with the slopes kept where others look for them, and
 * for an attempt with another step size. */
ALWAYS_INLINE lugre_slopes start(network *net, int linear, double direction, const double *y,
                                 rodas_step *s) {
    double *jac = net->touches[0].jac, force = applied(net, s->t, y[0], y[1]);
    lugre_slopes l = lugre_linearise(&net->single.lugre, linear, net->single.near, direction,
                                     y[1] - net->vel[net->single.far], y[2]);
    s->f[0] = y[1];
    s->f[1] = (force - l.F) * net->per_mass[0];
    s->f[2] = l.dz;
    jac[1] = l.F_v;
    jac[3] = l.F_z;
    jac[5] = l.dz_v;
    jac[7] = l.dz_z;
    if (!net->autonomous) single_time_derivative(net, s->t, s->ft);
    single_weights(net, 3, s);
    return l;
}

/* (I/e - J) u = b, e = h gamma, is solved once and for all, see invert() of single.h; here no
 * product waits for a quotient. Of b = f + sum_j C_j U_j/h all but the wear of the bristle, which
 * waits for g, is linear and multiplied out:
 *     u_v = by_x b_x + by_v b_v + by_z b_z = known - by_dz wear/g,  by_dz = by_z - by_v sigma1/m
 *     u_x = e (b_x + u_v),  u_z = per_S b_z + gain u_v */
ALWAYS_INLINE double attempt(network *net, const rodas *m, int linear, rodas_step *s) {
    const lugre_fixed *l = &net->single.lugre;
    const touch *c = &net->touches[0];
    double side = side_of(c), direction = side * (double)c->mode, mass = net->mass[0];
    double k = net->single.stiffness, damping = net->single.damping, h = s->h, e = h * m->gamma;
    const double y[3] = {s->y[0], s->y[1], side * s->y[2]};
    lugre_slopes d = {.F_v = c->jac[1], .F_z = c->jac[3], .dz_v = c->jac[5], .dz_z = c->jac[7]};
    if (!s->fresh) d = start(net, linear, direction, y, s);
    double S = 1.0 - e * d.dz_z, ee = e * e;
    double pivot = S * ((mass + ee * k) + e * (d.F_v + damping)) + ee * d.F_z * d.dz_v;
    if (!(S > 0.0 && pivot > 0.0)) return INFINITY; /* see invert() */

    int timed = !net->autonomous;
    double ft_v = timed ? h * s->ft[1] : 0.0, ft_z = timed ? h * side * s->ft[2] : 0.0;
    double b_x = s->f[0], b_v = s->f[1] + m->d[0] * ft_v, b_z = s->f[2] + m->d[0] * ft_z;
    double uv[RODAS_STAGES], Yv = 0.0, t = 0.0, g = 0.0;
    both ub[RODAS_STAGES], Y = {0.0, 0.0};
    double per_S = e / S, gain = d.dz_v * per_S, share = e / pivot;
    uv[0] = e * (S * (mass * b_v - e * k * b_x) - e * d.F_z * b_z) / pivot;
    ub[0] = (both){e * (b_x + uv[0]), per_S * b_z + gain * uv[0]};

    double per_h = 1.0 / h, by_v = mass * S * share, by_x = -e * k * S * share;
    double by_z = -e * d.F_z * share, by_force = S * share, by_dz = by_z - by_force * l->sigma1;
    double by_slip = by_dz - by_force * l->viscous, by_Cv = by_v * per_h;
    double by_Yv = by_x - by_force * damping;
    const both by_C = {by_x * per_h, by_z * per_h}, by_Y = {by_force * k, by_force * l->sigma0};
    const both u_by_C = {m->gamma, per_S * per_h}, u_by_V = {e, per_S}, u_by_uv = {e, gain};
    const both by_wear = {by_dz, per_S}, from = {y[0], y[2]};
    double wear_by = direction * l->sigma0, fall = direction * l->fall, slope;
    surroundings around;
    look_around(net, m, s->t, h, &around);
#pragma GCC unroll 8
    for (int n = 1; n < m->stages; n++) {
        const double *a = m->a[n], *C = m->C[n];
        Yv = add_up(y[1], n, a, uv);
        double dv = Yv - around.far[n], Cv = add_up(C[0] * uv[0], n - 1, C + 1, uv + 1);
        Y = add_both(from, n, a, ub);
        both Cb = add_both(C[0] * ub[0], n - 1, C + 1, ub + 1), part = by_C * Cb - by_Y * Y;
        both b_known = u_by_C * Cb + u_by_V * (both){Yv, dv};
        double known = (by_force * around.force[n] + by_Yv * Yv) + (by_Cv * Cv + by_slip * dv) +
                       (part[0] + part[1]);
        if (timed && m->d[n] != 0.0) {
            known += m->d[n] * (by_v * ft_v + by_z * ft_z);
            b_known += (both){0.0, m->d[n] * per_S * ft_z};
        }
        both worn = by_wear * (wear_by * (dv * Y[1]));
        if (linear)
            t = dv * fall > -DECAY_UNITS ? dv * fall : -DECAY_UNITS;
        else
            t = lugre_fall(l, 0, direction * dv, &slope);
        g = decay_to(l->level, l->rise, t);
        worn /= g;
        uv[n] = known - worn[0];
        ub[n] = (b_known - (both){0.0, worn[1]}) + u_by_uv * uv[n];
    }
    net->single.near = (decay_place){t, g - l->level};

    /* The pivot at the end of the step, times g, with the slopes there but for the fall of g, which
     * the error sees: else a long step leads past break-away without a trace. A contact that has
     * turned is asked in the direction in which it is loaded, see touch_slopes_at_turn(). */
    double z_end = Y[1] + ub[m->stages - 1][1], by_slope = e * l->sigma1 + ee * l->sigma0;
    double rest = (mass + ee * k) + e * (damping + l->viscous) + by_slope;
    double v_end = Yv + uv[m->stages - 1] - around.far[m->stages - 1], pull = wear_by * z_end;
    if (direction * v_end < 0.0) pull = fabs(pull);
    if (!(rest * g > by_slope * pull)) return INFINITY;

    double place[3] = {Y[0], Yv, Y[1]}, u[3 * RODAS_STAGES];
#pragma GCC unroll 8
    for (int n = 0; n < m->stages; n++) {
        u[3 * n] = ub[n][0];
        u[3 * n + 1] = uv[n];
        u[3 * n + 2] = ub[n][1];
    }
    return single_result(m, 3, side, place, u, s);
}

#define JOIN(a, b)     a##b
#define ATTEMPT(level) JOIN(bri_lugre_attempt_, level)

double ATTEMPT(BRI_KERNEL_LEVEL)(network *net, rodas_step *s);

double ATTEMPT(BRI_KERNEL_LEVEL)(network *net, rodas_step *s) {
    int linear = net->single.lugre.gamma == 1.0;
    if (s->method->order == 4)
        return linear ? attempt(net, &rodas4, 1, s) : attempt(net, &rodas4, 0, s);
    return linear ? attempt(net, &rodas5p, 1, s) : attempt(net, &rodas5p, 0, s);
}
