/* stick_events.c - when contacts begin to slide or to stick, and what follows. */
#include "stick_parts.h"
#include <math.h>
#include <string.h>

/* ---- events ------------------------------------------------------------------------------ */

/* Force within the band of Karnopp's law as printed, for a contact that is kept on its edge. */
static double force_inside(const network *net, const touch *c) {
    int support = dictates(net, c->a) ? c->a : c->b, body = dictates(net, c->a) ? c->b : c->a;
    double m = dictates(net, support) && !dictates(net, body) ? net->mass[body] : 0.0;
    double fa = c->F + (support == c->b ? m : -m) * net->acc[support];
    return fmin(fmax(fa, -stick_static_level(c, -1.0)), stick_static_level(c, 1.0));
}

/* Event 0: the load comes or goes, of a contact that slides or is at its limit (one that is held
 * reaches its limit before); or the velocity leaves the band. Event 1: sliding or sticking ends. */
void stick_events(const network *net, const touch *c, double g[STICK_EVENTS]) {
    double v = speed_of(net, c), level = stick_static_level(c, c->limit ? c->limit : c->F);
    g[0] = g[1] = 1.0;
    if (c->unmoved) return;
    if (c->mode != BRI_STUCK) {
        double way = (double)c->mode;
        if (c->load != BRI_LOAD_CONSTANT) g[0] = c->lifted ? -c->N : c->N;
        if (c->lifted) /* free: rounding may turn it again and again, so it turns a little late */
            g[1] = way * v + 2e-10 * net->speed;
        else if (c->left || c->reading == 1)
            g[1] = way * v - c->band;
        else
            g[1] = way * v + (c->reading ? c->band : 0.0);
    } else if (c->edge) {
        g[0] = c->edge * (c->F - force_inside(net, c));
        g[1] = stick_sliding_level(c, c->edge) - c->edge * c->F;
    } else {
        if (c->reading)
            g[0] = c->band - fabs(v);
        else if (c->limit && c->load != BRI_LOAD_CONSTANT)
            g[0] = c->N;
        if (!c->limit)
            g[1] = level - fabs(c->F);
        else if (c->reading == 1)
            g[1] = c->limit * (net->acc[end_a(net, c)] - net->acc[end_b(net, c)]);
        else
            g[1] = c->limit * drop_over(net, c) - level;
    }
}

void stick_smooth(const network *net, const touch *c, double value[STICK_SMOOTH],
                  double size[STICK_SMOOTH]) {
    double level = c->mode == BRI_STUCK ? stick_static_level(c, c->limit) : 0.0;
    for (int k = 0; k < STICK_SMOOTH; k++) value[k] = size[k] = 0.0;
    if (c->unmoved) return;
    if (c->mode != BRI_STUCK) {
        value[1] = speed_of(net, c);
        size[1] = fmax(fabs(value[1]), 1e-9 * net->speed);
        if (c->load == BRI_LOAD_CONSTANT) return;
        value[0] = c->N;
        size[0] = fabs(c->N);
        return;
    }
    value[0] = c->limit ? drop_over(net, c) : c->F;
    size[0] = fmax(level, fabs(value[0]));
    value[1] = c->load == BRI_LOAD_CONSTANT ? level : c->N; /* the level bends at lift-off */
    size[1] = fabs(value[1]);
    if (!c->reading) return;
    value[STICK_BAND] = speed_of(net, c);
    size[STICK_BAND] = c->band;
}

double stick_slack(const network *net, const touch *c, int event) {
    double force = 1e-10 * stick_static_level(c, c->F), v = 1e-12 * net->speed;
    if (c->mode != BRI_STUCK) return event == 1 ? v : 0.0;
    if (c->edge) return force;
    if (event == 0) return fmin(v, 1e-9 * c->band);
    if (c->limit && c->reading == 1)
        return force * (inverse_mass(net, c->a) + inverse_mass(net, c->b));
    return force;
}

/* Karnopp's law as printed, on the edge of its band: into it, out of it, or along it because each
 * side drives it to the other. */
static void decide_edge(network *net, double t, double *y, touch *c, int way, stick_loss *loss) {
    slide(c, way);
    stick_group(net);
    network_rhs(net, t, y, net->rates);
    double outside = way * (net->acc[c->a] - net->acc[c->b]);
    c->mode = BRI_STUCK;
    stick_decide_with(net, t, y, NULL, NULL, loss);
    double inside = way * (net->acc[c->a] - net->acc[c->b]);
    if (inside <= 0.0) return;
    if (outside >= 0.0) {
        slide(c, way);
    } else {
        c->mode = BRI_STUCK;
        c->limit = 0;
        c->edge = way;
    }
    stick_group(net);
    network_rhs(net, t, y, net->rates);
    stick_forces(net);
}

void stick_happen(network *net, double t, double *y, int i, int event, char *at_limit,
                  stick_loss *loss) {
    touch *c = &net->touches[i];
    int sliding = c->mode != BRI_STUCK;
    double v = speed_of(net, c);
    memset(at_limit, 0, (size_t)net->n_touches);
    if (sliding && event == 0) {
        c->lifted = !c->lifted;
        if (c->lifted) return;
        if (!stick_is_still(net, c)) {
            slide(c, v > 0.0 ? 1 : -1);
            return;
        }
    }
    if (!sliding && event == 0 && !c->reading) { /* one at its limit loses its load */
        c->lifted = 1;
        slide(c, c->limit);
    } else if (c->reading && (sliding ? event == 1 : event == 0 || c->edge)) {
        if (c->edge && event == 1)
            slide(c, c->edge);
        else {
            decide_edge(net, t, y, c, c->edge ? c->edge : v > 0.0 ? 1 : -1, loss);
            return;
        }
    } else if (!sliding && !c->limit) {
        /* others that reach their limit at the same instant give way with it */
        for (int k = 0; k < net->n_touches; k++) {
            touch *other = &net->touches[k];
            if (!other->model->set_valued || !touch_held(other) || other->edge) continue;
            double level = stick_static_level(other, other->F);
            at_limit[k] = (char)(k == i || fabs(other->F) >= level * (1.0 - 1e-10));
            if (at_limit[k] && level <= 1e-12 * fmax(fabs(other->n), 1e-9) &&
                other->load != BRI_LOAD_CONSTANT)
                other->lifted = 1;
        }
    } else {
        if (!sliding && c->reading == 0) at_limit[i] = 2;
        c->mode = BRI_STUCK;
    }
    for (int k = 0; k < net->n_touches; k++) {
        touch *other = &net->touches[k];
        if (other != c && other->model->set_valued && !other->edge && other->reading != 1 &&
            stick_is_still(net, other) && (other->mode == BRI_STUCK || other->left))
            other->mode = BRI_STUCK;
    }
    stick_decide_with(net, t, y, at_limit, NULL, loss);
}

/* ---- prescribed motions that drift apart ------------------------------------------------- */

int stick_torn(const network *net) {
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (c->mode == BRI_STUCK && !c->reading &&
            fabs(net->vel[net->leader[c->a]] - net->vel[net->leader[c->b]]) > 1e-12 * net->speed)
            return 1;
    }
    return 0;
}

void stick_tear(network *net, double t, double later, double *y, stick_loss *loss) {
    double *acc = net->room_f, most = 0.0;
    network_place(net, later, y);
    memcpy(acc, net->acc, sizeof *acc * (size_t)net->n_all);
    for (int i = 0; i < net->n_all; i++)
        if (dictates(net, i)) most = fmax(most, fabs(acc[i]));
    /* so large that the forces reach their limits soon, so small that masses do not matter */
    double wanted = 0.0;
    network_place(net, t, y);
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!touch_held(c)) continue;
        double sum = inverse_mass(net, c->a) + inverse_mass(net, c->b);
        wanted = fmax(wanted, 1e-3 * stick_static_level(c, 0.0) * sum);
    }
    for (int i = 0; most > 0.0 && i < net->n_all; i++) acc[i] *= fmax(wanted / most, 1.0);
    stick_decide_with(net, t, y, NULL, acc, loss);
}

/* ---- between events ---------------------------------------------------------------------- */

void stick_note(network *net) {
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        if (!c->model->set_valued || c->mode == BRI_STUCK) continue;
        if ((double)c->mode * speed_of(net, c) > 1.01 * c->band) c->left = 1;
    }
}

void stick_follow(network *net, double *y) {
    int n = net->n_free;
    if (!net->any_stuck) return;
    for (int i = 0; i < n; i++) {
        int g = net->leader[i];
        if (g == i || net->drifts[g]) continue;
        y[n + i] = net->vel[i] = net->vel[g];
        y[i] = net->pos[i] = net->pos[g] + net->offset[i];
    }
}
