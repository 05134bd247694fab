/* stick.c - set-valued friction between bodies that move along one axis.
 *
 * A contact that is held makes its two bodies accelerate as one, so contacts that are held form
 * groups (connected sets of coordinates). The forces inside a group follow from the balance of each
 * body,
 *     m_i A = f_i - sum_{c: a = i} F_c + sum_{c: b = i} F_c.
 * Writing F_c = phi_a - phi_b gives a Laplacian system for the potentials phi, which are zero for
 * the leader of each group. This choice is the one of smallest norm where redundant contacts leave
 * a choice; where they do not it is the only one. A redundant contact that reaches its static level
 * stays there as an applied force (`limit`) while the others hold its bodies; smallest norm within
 * the limits then means |phi_a - phi_b| >= level for it. */
#include "stick.h"
#include <math.h>
#include <string.h>

/* ---- groups ------------------------------------------------------------------------------ */

static int root_of(int *leader, int i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
}

/* Nonzero if no force moves a coordinate: it dictates the motion of its group. */
static int dictates(const network *net, int i) { return i >= net->n_free || net->mass[i] <= 0.0; }

/* Two bodies whose motion is dictated are never joined. */
static void join(network *net, int a, int b) {
    int low = root_of(net->leader, a), high = root_of(net->leader, b);
    if (dictates(net, low)) {
        int swap = low;
        low = high;
        high = swap;
    }
    if (!dictates(net, low)) net->leader[low] = high;
}

/* The coordinates that a contact ties together. Karnopp's law as printed leaves out the
 * acceleration of a support: the body is tied to something that does not accelerate, the ground. */
static int end_of(const network *net, const touch *c, int end, int other) {
    return c->reading && !c->edge && dictates(net, end) && !dictates(net, other) ? net->n_all - 1
                                                                                 : end;
}

static int end_a(const network *net, const touch *c) { return end_of(net, c, c->a, c->b); }
static int end_b(const network *net, const touch *c) { return end_of(net, c, c->b, c->a); }

static int node_of(const network *net, int at) { return at < net->n_free ? net->node[at] : -1; }

/* Cholesky factors in the lower triangle, row-major. */
static void factor_laplacian(double *L, int n) {
    for (int j = 0; j < n; j++) {
        double d = L[j * n + j];
        for (int k = 0; k < j; k++) d -= L[j * n + k] * L[j * n + k];
        d = sqrt(fmax(d, 1e-14));
        L[j * n + j] = d;
        for (int i = j + 1; i < n; i++) {
            double s = L[i * n + j];
            for (int k = 0; k < j; k++) s -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = s / d;
        }
    }
}

/* The Laplacian of the contacts that are held, on the members of groups other than their leaders.
 */
static void build_laplacian(network *net) {
    int nodes = 0;
    double *L = net->laplacian;
    for (int i = 0; i < net->n_free; i++) net->node[i] = net->leader[i] != i ? nodes++ : -1;
    net->n_nodes = nodes;
    memset(L, 0, sizeof *L * (size_t)nodes * (size_t)nodes);
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!touch_held(c)) continue;
        int a = node_of(net, end_a(net, c)), b = node_of(net, end_b(net, c));
        if (a >= 0) L[a * nodes + a] += 1.0;
        if (b >= 0) L[b * nodes + b] += 1.0;
        if (a >= 0 && b >= 0) {
            L[a * nodes + b] -= 1.0;
            L[b * nodes + a] -= 1.0;
        }
    }
    factor_laplacian(L, nodes);
}

void stick_group(network *net) {
    for (int i = 0; i < net->n_all; i++) net->leader[i] = i;
    net->any_stuck = 0;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!touch_held(c)) continue;
        join(net, end_a(net, c), end_b(net, c));
        net->any_stuck = 1;
    }
    for (int i = 0; i < net->n_all; i++) {
        net->leader[i] = root_of(net->leader, i);
        net->group_mass[i] = 0.0;
        net->drifts[i] = 0;
    }
    for (int i = 0; i < net->n_free; i++) {
        int g = net->leader[i];
        if (!dictates(net, g)) net->group_mass[g] += net->mass[i];
    }
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (touch_held(c) && c->reading) {
            net->drifts[net->leader[end_a(net, c)]] = 1;
            net->drifts[net->leader[end_b(net, c)]] = 1;
        }
    }
    network_place_slots(net);
    if (net->any_stuck) build_laplacian(net);
}

/* phi_a - phi_b over a contact. */
static double drop_over(const network *net, const touch *c) {
    int a = node_of(net, end_a(net, c)), b = node_of(net, end_b(net, c));
    return (a >= 0 ? net->potential[a] : 0.0) - (b >= 0 ? net->potential[b] : 0.0);
}

void stick_forces(network *net) {
    int nodes = net->n_nodes;
    double *phi = net->potential;
    const double *L = net->laplacian;
    if (!net->any_stuck) return;
    for (int i = 0; i < net->n_free; i++)
        if (net->node[i] >= 0)
            phi[net->node[i]] = net->force[i] - net->mass[i] * net->acc[net->leader[i]];
    for (int i = 0; i < nodes; i++) {
        for (int k = 0; k < i; k++) phi[i] -= L[i * nodes + k] * phi[k];
        phi[i] /= L[i * nodes + i];
    }
    for (int i = nodes - 1; i >= 0; i--) {
        for (int k = i + 1; k < nodes; k++) phi[i] -= L[k * nodes + i] * phi[k];
        phi[i] /= L[i * nodes + i];
    }
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        if (touch_held(c)) c->F = drop_over(net, c);
    }
}

/* ---- levels and masses ------------------------------------------------------------------- */

/* Static level: the law's own event function of a contact that sticks under no force. */
static double static_level(const touch *c) {
    bri_input u = {.n = c->N, .mode = BRI_STUCK};
    double g, z[BRI_MAX_STATES] = {0};
    if (!(c->N > 0.0) || c->lifted) return 0.0;
    c->model->roots(c->model, c->p, &u, z, &g);
    return g;
}

/* Level of sliding that begins. */
static double sliding_level(const touch *c) {
    bri_input u = {.n = c->N, .v = c->band, .mode = BRI_SLIDE_POS};
    double z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES];
    return c->N > 0.0 ? bri_model_eval(c->model, c->p, &u, z, dz) : 0.0;
}

static double inverse_mass(const network *net, int at) {
    return dictates(net, at) ? 0.0 : 1.0 / net->mass[at];
}

static double speed_of(const network *net, const touch *c) {
    return net->vel[c->a] - net->vel[c->b];
}

int stick_is_still(const network *net, const touch *c) {
    if (c->unmoved) return 0;
    if (c->mode == BRI_STUCK) return 1;
    double v = fabs(speed_of(net, c)), tiny = 1e-10 * net->speed;
    return v <= fmax(tiny, c->band * (1.0 + 1e-12));
}

/* ---- the decision ------------------------------------------------------------------------ */

/* Projected Gauss-Seidel for the forces of the undecided contacts: each is moved so that its bodies
 * accelerate together, and clipped at its static level. a: accelerations of all coordinates.
 * Returns the size of accelerations in the problem. */
static double project(const network *net, const int *list, int count, const double *level,
                      double *F, double *a) {
    double scale = 0.0;
    for (int k = 0; k < count; k++) {
        const touch *c = &net->touches[list[k]];
        double sum = inverse_mass(net, c->a) + inverse_mass(net, c->b);
        scale = fmax(scale, fmax(fabs(a[c->a] - a[c->b]), level[k] * sum));
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
            to = fmin(fmax(to, -level[k]), level[k]);
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

/* A contact begins to slide. */
static void slide(touch *c, int way) {
    c->mode = way > 0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
    c->limit = c->edge = c->left = 0;
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
        int limit = fabs(F[k]) >= level[k] * (1.0 - 1e-12);
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
        if (static_level(c) > 0.0) continue;
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
            double level = static_level(c), over;
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
            for (int k = 0; k < count; k++) net->level[k] = static_level(&net->touches[list[k]]);
            double scale = project(net, list, count, net->level, net->trial, net->loose);
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
 */
static int take_back(network *net, const char *candidate) {
    int count = 0;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        if (!candidate[i] || c->mode == BRI_STUCK || c->lifted || c->reading) continue;
        if (fabs(speed_of(net, c)) > 1e-10 * net->speed) continue;
        double apart = (double)c->mode * (net->acc[c->a] - net->acc[c->b]);
        double sum = inverse_mass(net, c->a) + inverse_mass(net, c->b);
        if (apart >= -1e-11 * static_level(c) * sum) continue;
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

static void decide(network *net, double t, double *y, const char *at_limit, const double *acc,
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
        if (acc || !take_back(net, net->candidate)) break;
    }
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

void stick_decide(network *net, double t, double *y, const char *at_limit, stick_loss *loss) {
    decide(net, t, y, at_limit, NULL, loss);
}

/* ---- events ------------------------------------------------------------------------------ */

/* Force within the band of Karnopp's law as printed, for a contact that is kept on its edge. */
static double force_inside(const network *net, const touch *c) {
    int support = dictates(net, c->a) ? c->a : c->b, body = dictates(net, c->a) ? c->b : c->a;
    double level = static_level(c);
    double m = dictates(net, support) && !dictates(net, body) ? net->mass[body] : 0.0;
    double fa = c->F + (support == c->b ? m : -m) * net->acc[support];
    return fmin(fmax(fa, -level), level);
}

/* Event 0: the load comes or goes, of a contact that slides or is at its limit (one that is held
 * reaches its limit before); or the velocity leaves the band. Event 1: sliding or sticking ends. */
void stick_events(const network *net, const touch *c, double g[STICK_EVENTS]) {
    double v = speed_of(net, c), level = static_level(c);
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
        g[1] = sliding_level(c) - c->edge * c->F;
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
    double level = c->mode == BRI_STUCK ? static_level(c) : 0.0;
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
    double force = 1e-10 * static_level(c), v = 1e-12 * net->speed;
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
    decide(net, t, y, NULL, NULL, loss);
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
            double level = static_level(other);
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
    decide(net, t, y, at_limit, NULL, loss);
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
        wanted = fmax(wanted, 1e-3 * static_level(c) * sum);
    }
    for (int i = 0; most > 0.0 && i < net->n_all; i++) acc[i] *= fmax(wanted / most, 1.0);
    decide(net, t, y, NULL, acc, loss);
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
