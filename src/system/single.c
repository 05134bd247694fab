/* single.c - the most frequent system: one coordinate that moves, one contact, linear couplings.
 * The same equations as in network.c and condense.c without their loops; half of the time of a run.
 */
#include "network.h"
#include <math.h>

int network_is_single(network *net) {
    if (net->n_free != 1 || net->n_touches != 1 || net->n_driven > 0) return 0;
    for (int i = 0; i < net->n_links; i++)
        if (!net->links[i].linear || (net->links[i].at[0] != 0 && net->links[i].at[1] != 0))
            return 0;
    const touch *c = &net->touches[0];
    single *s = &net->single;
    *s = (single){.force = net->weight[0]};
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        double side = l->at[0] == 0 ? 1.0 : -1.0;
        s->stiffness += l->by_L;
        s->damping += l->by_rate;
        s->force += side * l->rest + l->by_L * net->pos[side > 0.0 ? l->at[1] : l->at[0]];
    }
    return c->count <= 1 && c->load != BRI_LOAD_REACTION && !c->model->set_valued &&
           (c->a == 0 || c->b == 0);
}

/* Sum of all forces but friction. */
static double applied(network *net, double t, double x, double v) {
    net->pos[0] = x;
    net->vel[0] = v;
    const single *s = &net->single;
    if (net->autonomous && net->n_pushes == 0) return s->force - s->stiffness * x - s->damping * v;
    network_move(net, t);
    double force = net->weight[0];
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        int a = l->at[0], b = l->at[1];
        double T = l->rest + l->by_L * (net->pos[b] - net->pos[a]) +
                   l->by_rate * (net->vel[b] - net->vel[a]);
        force += a == 0 ? T : -T;
    }
    if (t > net->latest) t = net->latest;
    for (int i = 0; i < net->n_pushes; i++) force += bri_signal_value(&net->pushes[i].force, t);
    return force;
}

static inline double side_of(const touch *c) { return c->a == 0 ? 1.0 : -1.0; }

void single_rhs(network *net, double t, const double *y, double *dy) {
    touch *c = &net->touches[0];
    double force = applied(net, t, y[0], y[1]);
    c->N = c->n;
    if (c->load == BRI_LOAD_SIGNAL)
        c->N = bri_signal_value(c->n_of_t, t < net->latest ? t : net->latest);
    bri_input u = touch_input(net, c);
    c->F = u.n > 1e-30 ? c->model->eval(c->model, c->p, &u, y + 2, dy + 2)
                       : bri_model_eval(c->model, c->p, &u, y + 2, dy + 2);
    dy[0] = y[1];
    dy[1] = (force - side_of(c) * c->F) * net->per_mass[0];
}

/* df/dt at fixed y: what signals change per second, with the far ends of couplings and contact. */
static void time_derivative(const network *net, double t, double *ft) {
    const touch *c = &net->touches[0];
    double force = 0.0, s[4], dn = 0.0, side = side_of(c);
    int far = c->a == 0 ? c->b : c->a;
    if (t > net->latest) t = net->latest;
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        int end = l->at[0] == 0 ? l->at[1] : l->at[0];
        force += l->by_L * net->vel[end] + l->by_rate * net->acc[end];
    }
    for (int i = 0; i < net->n_pushes; i++) {
        net->pushes[i].force.kind->eval(&net->pushes[i].force, t, s);
        force += s[2];
    }
    if (c->load == BRI_LOAD_SIGNAL) {
        c->n_of_t->kind->eval(c->n_of_t, t, s);
        dn = s[2];
    }
    const double *J = c->jac, dx = -side * net->vel[far], dv = -side * net->acc[far];
    ft[0] = 0.0;
    ft[1] = (force - side * (J[0] * dx + J[1] * dv + J[2] * dn)) * net->per_mass[0];
    if (c->count == 1) ft[2] = J[4] * dx + J[5] * dv + J[6] * dn;
}

void single_linearise(network *net, double t, const double *y, double *dy, double *ft) {
    touch *c = &net->touches[0];
    single_rhs(net, t, y, dy);
    bri_input u = touch_input(net, c);
    bri_model_jac(c->model, c->p, &u, y + 2, c->jac);
    if (ft) time_derivative(net, t, ft);
}

/* u_v = by_v b_v + by_x b_x + by_z b_z, and from it u_x and u_z. */
int single_factor(network *net, double w) {
    const touch *c = &net->touches[0];
    single *s = &net->single;
    const double *F = c->jac, *D = F + 3 + c->count;
    double per_w = 1.0 / w, per_S = 0.0, side = side_of(c);
    double by_x = F[0], by_v = F[1], row = 0.0;
    s->gain_x = s->gain_v = 0.0;
    if (c->count == 1) {
        if (w == D[3]) return 0;
        per_S = 1.0 / (w - D[3]);
        row = F[3] * per_S;
        s->gain_x = side * D[0] * per_S;
        s->gain_v = side * D[1] * per_S;
        by_x += row * D[0];
        by_v += row * D[1];
    }
    by_x += s->stiffness;
    by_v += s->damping;
    double pivot = w * net->mass[0] + by_v + by_x * per_w;
    if (pivot == 0.0) return 0;
    pivot = 1.0 / pivot;
    s->per_w = per_w;
    s->per_S = per_S;
    s->by_v = net->mass[0] * pivot;
    s->by_x = -by_x * per_w * pivot;
    s->by_z = -side * row * pivot;
    return 1;
}

void single_solve(network *net, double *b) {
    const single *s = &net->single;
    double z = net->n > 2 ? b[2] : 0.0, v = s->by_v * b[1] + s->by_x * b[0] + s->by_z * z;
    double x = (b[0] + v) * s->per_w;
    b[0] = x;
    b[1] = v;
    if (net->n > 2) b[2] = s->per_S * z + s->gain_x * x + s->gain_v * v;
}
