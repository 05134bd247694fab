/* single.h - one degree of freedom, one contact: what single.c and single_attempt.c share. */
#ifndef BRI_SINGLE_H
#define BRI_SINGLE_H

#include "network.h"
#include <math.h>

static inline double side_of(const touch *c) { return c->a == 0 ? 1.0 : -1.0; }

/* The forces that do not come from the contact where couplings end at bodies that move, and the
 * load, which may be a signal. */
double single_applied(network *net, double t, double x, double v);

/* df/dt at fixed y: what signals change per second, with the far ends of couplings and contact. */
void single_time_derivative(const network *net, double t, double *ft);

/* Sum of all forces but friction. */
static inline double applied(network *net, double t, double x, double v) {
    const single *s = &net->single;
    if (s->alone) return s->force - s->stiffness * x - s->damping * v;
    return single_applied(net, t, x, v);
}

static inline double speed_size(const network *net, double v) {
    double moving = fabs(v), sliding = fabs(v - net->vel[net->single.far]);
    double least = net->touches[0].v_size;
    if (moving < net->nominal[1]) moving = net->nominal[1];
    if (sliding < least) sliding = least;
    return moving < sliding ? moving : sliding;
}

/* Derivatives of F and of the rates D of the states in x, v and the states. */
typedef struct slopes {
    double F_x, F_v, F_z[SINGLE_STATES];
    double D_x[SINGLE_STATES], D_v[SINGLE_STATES], D_z[SINGLE_STATES][SINGLE_STATES];
} slopes;

static inline slopes slopes_of(const touch *c, int count) {
    const double *F = c->jac;
    slopes d = {.F_x = F[0], .F_v = F[1]};
    for (int i = 0; i < count; i++) {
        const double *D = F + (1 + i) * (3 + count);
        d.F_z[i] = F[3 + i];
        d.D_x[i] = D[0];
        d.D_v[i] = D[1];
        for (int j = 0; j < count; j++) d.D_z[i][j] = D[3 + j];
    }
    return d;
}

/* (I/e - J)^-1 with e = h gamma, for states as seen from the body. The equations are multiplied by
 * e, so that no division waits for the step size: with S = I - e D_z, of one or two states, the
 * pivot is |S| (m + e (F_v + c) + e^2 (F_x + k)) + e^2 F_z adj(S) (D_v + e D_x).
 *
 * |S| and the pivot are positive unless something grows faster than 1/e, as a contact does that
 * breaks away. An implicit step over more than the time of growth would damp it: the body would
 * stick for ever, and the error would not show. 0 in that case, and the step has to be shorter. */
static inline int invert(const network *net, int count, slopes d, double e, struct inverse *to) {
    const single *s = &net->single;
    double m = net->mass[0], by_x = d.F_x + s->stiffness, S = 1.0, with_x = 0.0, with_v = 0.0;
    double adj[SINGLE_STATES][SINGLE_STATES] = {{1.0, 0.0}, {0.0, 1.0}}, row[SINGLE_STATES] = {0.0};
    if (count == 1) S = 1.0 - e * d.D_z[0][0];
    if (count == 2) {
        adj[0][0] = 1.0 - e * d.D_z[1][1];
        adj[1][1] = 1.0 - e * d.D_z[0][0];
        adj[0][1] = e * d.D_z[0][1];
        adj[1][0] = e * d.D_z[1][0];
        S = adj[0][0] * adj[1][1] - adj[0][1] * adj[1][0];
    }
    for (int j = 0; j < count; j++) {
        row[j] = d.F_z[0] * adj[0][j];
        if (count == 2) row[j] += d.F_z[1] * adj[1][j];
        with_x += row[j] * d.D_x[j];
        with_v += row[j] * d.D_v[j];
    }
    double pivot =
        S * (m + e * (d.F_v + s->damping) + e * e * by_x) + e * e * (with_v + e * with_x);
    if (!(S > 0.0 && pivot > 0.0)) return 0;
    double share = e / pivot, per_S = e / S;
    *to = (struct inverse){
        .per_w = e, .by_v = m * S * share, .by_x = -e * share * (S * by_x + e * with_x)};
    for (int i = 0; i < count; i++) {
        to->by_z[i] = -e * row[i] * share;
        for (int j = 0; j < count; j++) {
            double by = count == 1 ? per_S : per_S * adj[i][j];
            to->per_S[i][j] = by;
            to->gain_x[i] += by * e * d.D_x[j];
            to->gain_v[i] += by * (d.D_v[j] + e * d.D_x[j]);
        }
    }
    return 1;
}

/* u from b: u_v = by_v b_v + by_x b_x + by_z b_z, and from it u_x and u_z. Here for b + f, with the
 * rates f that a force and the contact give: what does not wait for these is found before. F, the
 * force of the contact, and dz, the rates of its states, are those that the body sees. */
static inline void eliminate_rates(const struct inverse *i, double per_mass, int count, double rate,
                                   double force, double F, const double *dz, double *b) {
    double x = b[0] + rate, known = i->by_x * x + i->by_v * (b[1] + force * per_mass),
           z[SINGLE_STATES];
    double late = -(i->by_v * per_mass) * F;
    for (int k = 0; k < count; k++) {
        known += i->by_z[k] * b[2 + k];
        late += i->by_z[k] * dz[k];
        z[k] = i->gain_x[k] * x;
        for (int j = 0; j < count; j++) z[k] += i->per_S[k][j] * (b[2 + j] + dz[j]);
    }
    double v = known + late;
    b[0] = (x + v) * i->per_w;
    b[1] = v;
    for (int k = 0; k < count; k++) b[2 + k] = z[k] + i->gain_v[k] * v;
}

static inline void eliminate(const struct inverse *i, int count, double *b) {
    const double none[SINGLE_STATES] = {0.0};
    eliminate_rates(i, 0.0, count, 0.0, 0.0, 0.0, none, b);
}

#endif
