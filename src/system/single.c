/* single.c - the most frequent system: one coordinate that moves, one contact, linear couplings.
 * The same equations as in network.c and condense.c without their loops; half of the time of a run.
 */
#include "single.h"
#include "path.h"
#include "signal.h"
#include <math.h>

/* One coordinate that moves, one contact that it has with something that does not, linear couplings
 * at it: net->single is made. */
static int is_one(network *net) {
    if (net->n_free != 1 || net->n_touches != 1 || net->n_driven > 0) return 0;
    if (net->n_formulas > 0 || net->root) return 0;
    for (int i = 0; i < net->n_links; i++)
        if (!net->links[i].linear || (net->links[i].at[0] != 0 && net->links[i].at[1] != 0))
            return 0;
    touch *c = &net->touches[0];
    if (c->load == BRI_LOAD_REACTION || (c->a != 0 && c->b != 0)) return 0;
    single *s = &net->single;
    *s = (single){.force = net->weight[0],
                  .far = c->a == 0 ? c->b : c->a,
                  .near = {.t = NAN},
                  .alone = net->autonomous && net->n_pushes == 0};
    c->N = c->n;
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        double side = l->at[0] == 0 ? 1.0 : -1.0;
        s->stiffness += l->by_L;
        s->damping += l->by_rate;
        s->force += side * l->rest + l->by_L * net->pos[side > 0.0 ? l->at[1] : l->at[0]];
    }
    return 1;
}

int network_is_single(network *net) {
    const network_path *wanted = net->wanted;
    const touch *c = net->touches;
    single *s = &net->single;
    if (!wanted->single || !is_one(net)) return 0;
    if (c->model == &bri_law_lugre && c->load == BRI_LOAD_CONSTANT && wanted->by_hand &&
        bri_level_best() != BRI_LEVEL_LIBM && lugre_fix(c->p, c->n, &s->lugre))
        s->quick = bri_kernels_short()->lugre_attempt;
    return c->count <= SINGLE_STATES && !c->model->set_valued;
}

/* Nonzero: velocities that are prescribed and forces that drive do not change. */
static int is_steady(const network *net) {
    for (int i = 0; i < net->n_motions; i++)
        if (net->motions[i].order != 1 || !signal_is_constant(net->motions[i].signal)) return 0;
    for (int i = 0; i < net->n_pushes; i++)
        if (net->pushes[i].by || !signal_is_constant(&net->pushes[i].force)) return 0;
    return 1;
}

int network_is_phased(network *net) {
    const touch *c = net->touches;
    return net->set_valued && net->wanted->phases && is_one(net) && is_steady(net) &&
           c->count == 0 && c->load == BRI_LOAD_CONSTANT && c->n > 0.0 && !c->unmoved &&
           !c->reading && c->band == 0.0;
}

double single_applied(network *net, double t, double x, double v) {
    touch *c = &net->touches[0];
    net->pos[0] = x;
    net->vel[0] = v;
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
    if (c->load == BRI_LOAD_SIGNAL) c->N = touch_load(c, bri_signal_value(c->n_of_t, t));
    return force;
}

void single_rhs(network *net, double t, const double *y, double *dy) {
    touch *c = &net->touches[0];
    double force = applied(net, t, y[0], y[1]);
    net->pos[0] = y[0];
    net->vel[0] = y[1];
    bri_input u = touch_input(net, c);
    c->F = u.n > 1e-30 ? c->model->eval(c->model, c->p, &u, y + 2, dy + 2)
                       : bri_model_eval(c->model, c->p, &u, y + 2, dy + 2);
    dy[0] = y[1];
    dy[1] = (force - side_of(c) * c->F) * net->per_mass[0];
}

void single_power(network *net, double t, const double *y, double *heat, double *work) {
    touch *c = &net->touches[0];
    const single *s = &net->single;
    double dy[2 + SINGLE_STATES], v = y[1];
    single_rhs(net, t, y, dy);
    bri_input u = touch_input(net, c);
    *heat = network_heat(net, c, &u, y + 2, dy + 2, t);
    *work = -side_of(c) * c->F * net->vel[s->far];
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        int end = l->at[0] == 0 ? l->at[1] : l->at[0];
        double side = l->at[0] == 0 ? 1.0 : -1.0, rate = net->vel[end] - v;
        double pull = side * l->rest + l->by_L * (net->pos[end] - y[0]) + l->by_rate * rate;
        *heat += l->by_rate * rate * rate;
        *work += pull * net->vel[end];
    }
    t = network_clock(net, t);
    for (int i = 0; i < net->n_pushes; i++) *work += bri_signal_value(&net->pushes[i].force, t) * v;
    /* bodies that are moved are held against their weight, too */
    for (int i = 0; i < net->n_motions; i++)
        *work -= net->weight[net->motions[i].at] * net->vel[net->motions[i].at];
}

void single_sizes(const network *net, const double *y, double *size) {
    size[0] = fabs(y[0]);
    size[1] = speed_size(net, y[1]);
    for (int k = 2; k < net->n; k++) size[k] = fabs(y[k]);
}

void single_time_derivative(const network *net, double t, double *ft) {
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
        signal_rates(&net->pushes[i].force, t, s);
        force += s[2];
    }
    if (c->load == BRI_LOAD_SIGNAL) {
        signal_rates(c->n_of_t, t, s);
        dn = s[2];
    }
    const double *J = c->jac, dx = -side * net->vel[far], dv = -side * net->acc[far];
    ft[0] = 0.0;
    ft[1] = (force - side * (J[0] * dx + J[1] * dv + J[2] * dn)) * net->per_mass[0];
    for (int i = 0; i < c->count; i++) {
        J += 3 + c->count;
        ft[2 + i] = J[0] * dx + J[1] * dv + J[2] * dn;
    }
}

void single_linearise(network *net, double t, const double *y, double *dy, double *ft) {
    touch *c = &net->touches[0];
    single_rhs(net, t, y, dy);
    bri_input u = touch_input(net, c);
    bri_model_jac(c->model, c->p, &u, y + 2, c->jac);
    if (ft) single_time_derivative(net, t, ft);
}

/* The elimination of one or two states is a copy each, without loops; who asks only whether there
 * is one leaves out the rest. */
static inline __attribute__((always_inline)) int invert_any(const network *net, double e,
                                                            struct inverse *to) {
    const touch *c = &net->touches[0];
    if (c->count == 2) return invert(net, 2, slopes_of(c, 2), e, to);
    if (c->count == 1) return invert(net, 1, slopes_of(c, 1), e, to);
    return invert(net, 0, slopes_of(c, 0), e, to);
}

int single_factor(network *net, double w) { return invert_any(net, 1.0 / w, &net->single.inverse); }

int single_sound(network *net, const double *y, double w) {
    touch *c = &net->touches[0];
    int turned = touch_has_turned(net, c);
    struct inverse unused;
    if (turned) touch_slopes_at_turn(net, c, y, 0);
    int sound = invert_any(net, 1.0 / w, &unused);
    if (turned) touch_slopes_at_turn(net, c, y, 1);
    return sound;
}

void single_solve(network *net, double *b) {
    int count = net->touches[0].count;
    double side = side_of(&net->touches[0]);
    for (int k = 0; k < count; k++) b[2 + k] *= side;
    eliminate(&net->single.inverse, count, b);
    for (int k = 0; k < count; k++) b[2 + k] *= side;
}
