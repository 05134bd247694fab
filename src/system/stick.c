/* stick.c - the decision which contacts stick and which way the others slide, of all at once. */
#include "stick_parts.h"
#include <math.h>
#include <string.h>

/* ---- levels ------------------------------------------------------------------------------ */

/* Static level: the law's own event function of a contact that sticks under next to no force. */
double stick_static_level(const touch *c, double way) {
    bri_input u = {.n = c->N, .fa = way < 0.0 ? -1e-300 : 0.0, .mode = BRI_STUCK};
    double g, z[BRI_MAX_STATES] = {0};
    if (!(c->N > 0.0) || c->lifted) return 0.0;
    c->model->roots(c->model, c->p, &u, z, &g);
    return g;
}

/* Level of sliding that begins. */
double stick_sliding_level(const touch *c, int way) {
    bri_input u = {.n = c->N, .v = way * c->band, .mode = way > 0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG};
    double z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES];
    return c->N > 0.0 ? way * bri_model_eval(c->model, c->p, &u, z, dz) : 0.0;
}

int stick_is_still(const network *net, const touch *c) {
    if (c->unmoved) return 0;
    if (c->mode == BRI_STUCK) return 1;
    double v = fabs(speed_of(net, c)), tiny = 1e-10 * net->speed;
    return v <= fmax(tiny, c->band * (1.0 + 1e-12));
}

/* ---- the decision ------------------------------------------------------------------------ */

/* Projected Gauss-Seidel for the forces of the undecided contacts: each is moved so that its bodies
 * accelerate together, and clipped at its static levels. a: accelerations of all coordinates.
 * Returns the size of accelerations in the problem. */
static double project(const network *net, const int *list, int count, double *F, double *a) {
    const double *level = net->level, *below = net->below;
    double scale = 0.0;
    for (int k = 0; k < count; k++) {
        const touch *c = &net->touches[list[k]];
        double sum = inverse_mass(net, c->a) + inverse_mass(net, c->b);
        scale = fmax(scale, fmax(fabs(a[c->a] - a[c->b]), fmax(level[k], below[k]) * sum));
        F[k] = 0.0;
    }
    for (int sweep = 0; sweep < 20000; sweep++) {
        double change = 0.0;
        for (int j = 0; j < count; j++) {
            int k = sweep % 2 ? count - 1 - j : j;
            const touch *c = &net->touches[list[k]];
            int at_a = end_a(net, c), at_b = end_b(net, c);
            double ia = inverse_mass(net, at_a), ib = inverse_mass(net, at_b), sum = ia + ib;
            if (sum == 0.0) continue;
            double to = F[k] + (a[at_a] - a[at_b]) / sum;
            to = fmin(fmax(to, -below[k]), level[k]);
            double step = to - F[k];
            F[k] = to;
            a[at_a] -= step * ia;
            a[at_b] += step * ib;
            change = fmax(change, fabs(step) * sum);
        }
        if (change <= 1e-14 * scale) break;
    }
    return scale;
}

/* Its force would have to exceed the static level: it slides, in the direction in which it moves if
 * it does so within a band; or, with Karnopp's law as printed, it stays in its band with that
 * force.
 */
static void give_way(const network *net, touch *c, double way) {
    double v = speed_of(net, c);
    if (c->reading == 0 && fabs(v) > 1e-10 * net->speed) way = v;
    if (c->reading == 1 && fabs(v) < c->band * (1.0 - 1e-9))
        c->limit = way > 0.0 ? 1 : -1;
    else
        slide(c, way > 0.0 ? 1 : -1);
}

/* Those contacts of the list whose force is at its limit while their bodies accelerate apart give
 * way; the others stay in the list, whose new length is returned. */
static int release(network *net, int *list, int count, double scale) {
    const double *level = net->level, *F = net->trial, *a = net->loose;
    int left = 0;
    for (int k = 0; k < count; k++) {
        touch *c = &net->touches[list[k]];
        double apart = a[end_a(net, c)] - a[end_b(net, c)];
        int limit = fabs(F[k]) >= (F[k] < 0.0 ? net->below : level)[k] * (1.0 - 1e-12);
        double v = speed_of(net, c), still = 1e-10 * net->speed;
        int together = fabs(apart) <= 1e-11 * scale;
        if (!(level[k] > 0.0) && (c->lifted || !together)) /* nothing holds it */
            slide(c, (fabs(v) > still || apart == 0.0 ? v : apart) < 0.0 ? -1 : 1);
        else if (limit && !together)
            give_way(net, c, F[k]);
        else
            list[left++] = list[k];
    }
    return left;
}

/* Nonzero if a contact at its limit is the last that keeps its bodies together. */
static int splits(const network *net, const touch *c) {
    int a = net->leader[end_a(net, c)], b = net->leader[end_b(net, c)];
    return a != b && !(dictates(net, a) && dictates(net, b));
}

/* With the contacts of the list held or at their limit: forces of smallest norm within the limits.
 * A contact that cannot bear what it would have to gives way; then the rest of the list has to be
 * decided again, and nonzero is returned. */
static int share_out(network *net, double t, const double *y, const int *list, int count,
                     const char *at_limit) {
    for (int k = 0; k < count; k++) net->touches[list[k]].limit = 0;
    for (int k = 0; k < count; k++) { /* whose load is about to come bears nothing yet */
        touch *c = &net->touches[list[k]];
        if (stick_static_level(c, 0.0) > 0.0) continue;
        c->limit = 1;
        stick_group(net);
        if (splits(net, c)) c->limit = 0; /* unless it is the only one there */
    }
    for (int round = 0; round <= 4 * count; round++) {
        double worst = 1e-11;
        touch *pick = NULL;
        stick_group(net);
        network_rhs(net, t, y, net->rates);
        stick_forces(net);
        for (int k = 0; k < count; k++) {
            touch *c = &net->touches[list[k]];
            double level = stick_static_level(c, c->limit ? c->limit : c->F), over;
            int mark = at_limit ? at_limit[list[k]] : 0;
            if (!(level > 0.0)) {
                if (c->limit) c->limit = drop_over(net, c) < 0.0 ? -1 : 1;
                continue;
            } else if (c->limit == 0) {
                over = fabs(c->F) / level - 1.0;
                if (mark == 1 && over > -1e-6) over += 1.0;
                if (mark == 2) over -= 1e-6;
            } else {
                over = 1.0 - c->limit * drop_over(net, c) / level;
                if (mark) over += mark == 2 ? 1e-6 : -2e-6;
            }
            if (over > worst) worst = over, pick = c;
        }
        if (!pick) return 0;
        if (pick->limit) {
            pick->limit = 0;
            continue;
        }
        double F = pick->F;
        pick->limit = F > 0.0 ? 1 : -1;
        stick_group(net);
        if (!splits(net, pick)) continue;
        pick->limit = 0;
        give_way(net, pick, F);
        return 1;
    }
    return 0;
}

/* Make the velocities within each group equal, keeping its momentum. */
static void merge_velocities(network *net, double *y, stick_loss *loss) {
    int n = net->n_free;
    double *momentum = net->potential; /* free until the next stick_forces */
    memset(momentum, 0, sizeof *momentum * (size_t)net->n_all);
    for (int i = 0; i < n; i++) momentum[net->leader[i]] += net->mass[i] * y[n + i];
    for (int i = 0; i < n; i++) {
        int g = net->leader[i];
        if (net->drifts[g] || (g == i && net->group_mass[i] <= net->mass[i])) continue; /* alone */
        int free = net->group_mass[g] > 0.0;
        double v = free ? momentum[g] / net->group_mass[g] : net->vel[g], from = y[n + i];
        y[n + i] = v;
        if (loss) loss->heat += 0.5 * net->mass[i] * (from - v) * (from - v);
        if (loss && !free) loss->work += net->mass[i] * (v - from) * v;
    }
}

/* Decide about the contacts of the list, given those that slide. */
static void decide_list(network *net, double t, const double *y, const char *at_limit,
                        const double *acc, int *list, int count) {
    for (int again = 1; again;) {
        for (int before = count + 1; count > 0 && count < before;) {
            /* What the system does with every undecided contact loose. */
            net->any_stuck = 0;
            for (int k = 0; k < count; k++) net->touches[list[k]].limit = 0;
            network_rhs(net, t, y, net->rates);
            memcpy(net->loose, net->acc, sizeof *net->acc * (size_t)net->n_all);
            for (int i = 0; acc && i < net->n_all; i++)
                if (dictates(net, i)) net->loose[i] = acc[i];
            for (int k = 0; k < count; k++) {
                net->level[k] = stick_static_level(&net->touches[list[k]], 1.0);
                net->below[k] = stick_static_level(&net->touches[list[k]], -1.0);
            }
            double scale = project(net, list, count, net->trial, net->loose);
            before = count;
            count = release(net, list, count, scale);
        }
        again = share_out(net, t, y, list, count, at_limit);
        int left = 0;
        for (int k = 0; again && k < count; k++) {
            const touch *c = &net->touches[list[k]];
            if (c->mode == BRI_STUCK && (c->limit == 0 || c->reading != 1)) list[left++] = list[k];
        }
        if (again) count = left;
    }
    stick_group(net);
    network_rhs(net, t, y, net->rates);
}

/* Contacts may give way together although, once the others slide with less than their static level,
 * one of them would go the other way: it sticks after all. Returns how many, now undecided again.
 * The one that has reached its level does so up to the rounding of positions, which stiff springs
 * multiply: it is taken back for more than that only. */
static int take_back(network *net, const char *candidate, const char *at_limit) {
    int count = 0;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        if (!candidate[i] || c->mode == BRI_STUCK || c->lifted || c->reading) continue;
        if (fabs(speed_of(net, c)) > 1e-10 * net->speed) continue;
        double apart = (double)c->mode * (net->acc[c->a] - net->acc[c->b]);
        double sum = inverse_mass(net, c->a) + inverse_mass(net, c->b);
        double felt = at_limit && at_limit[i] ? 1e-6 : 1e-11;
        if (apart >= -felt * stick_static_level(c, c->mode) * sum) continue;
        c->mode = BRI_STUCK;
        count++;
    }
    return count;
}

/* A velocity that becomes zero within a band takes other bodies of the group along: contacts that
 * slide slowly there may have to turn. */
static void turn(network *net) {
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        double v = speed_of(net, c);
        if (!c->model->set_valued || c->unmoved || c->mode == BRI_STUCK || c->reading) continue;
        if ((double)c->mode * v < -1e-10 * net->speed) slide(c, v > 0.0 ? 1 : -1);
    }
}

/* What follows from the modes: groups, their common velocities, and forces. */
static void settle(network *net, double t, double *y, stick_loss *loss) {
    network_place(net, t, y);
    network_place_idle(net, t);
    stick_group(net);
    merge_velocities(net, y, loss);
    network_place(net, t, y);
    network_place_idle(net, t);
    turn(net);
    for (int i = 0; i < net->n_free; i++) net->offset[i] = net->pos[i] - net->pos[net->leader[i]];
    network_rhs(net, t, y, net->rates);
    stick_forces(net);
}

void stick_decide_with(network *net, double t, double *y, const char *at_limit, const double *acc,
                       stick_loss *loss) {
    int *list = net->undecided;
    network_place(net, t, y);
    network_place_idle(net, t);
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        net->candidate[i] = c->mode == BRI_STUCK;
        if (net->candidate[i]) c->limit = c->edge = 0;
    }
    for (int round = 0; round <= net->n_touches; round++) {
        int count = 0;
        for (int i = 0; i < net->n_touches; i++) {
            const touch *c = &net->touches[i];
            if (c->mode == BRI_STUCK && !(c->limit && c->reading == 1)) list[count++] = i;
        }
        decide_list(net, t, y, round == 0 ? at_limit : NULL, acc, list, count);
        if (acc || !take_back(net, net->candidate, at_limit)) break;
    }
    settle(net, t, y, loss);
}

void stick_hold(network *net, double t, double *y, int i, stick_loss *loss) {
    touch *c = &net->touches[i];
    c->mode = BRI_STUCK;
    c->limit = c->edge = 0;
    settle(net, t, y, loss);
}

void stick_decide(network *net, double t, double *y, const char *at_limit, stick_loss *loss) {
    stick_decide_with(net, t, y, at_limit, NULL, loss);
}
