/* gears.c - gears, racks and pinions: bodies that move as one with another, at a ratio.
 *
 * A body behind a gear has no unknowns of its own. Its coordinate follows that of the body at the
 * root of its train, x = lever x_root + from; the forces on it act on the root times the lever, and
 * its mass counts there times the square of the lever. */
#include "fail.h"
#include "network.h"
#include <math.h>

enum { MOST_GEARS = 10000 };

static const char *name_of(const bri_system *s, int body) {
    return s->bodies[body].name ? s->bodies[body].name : "body";
}

/* The root of a body, and its own lever; paths are shortened on the way. */
static int find(int *up, double *lever, int i) {
    int root = i;
    double all = 1.0;
    while (up[root] != root) {
        all *= lever[root];
        root = up[root];
    }
    while (up[i] != root && up[i] != i) { /* levers to the root instead of to the next */
        int next = up[i];
        double own = lever[i];
        lever[i] = all;
        all /= own;
        up[i] = root;
        i = next;
    }
    return root;
}

static bri_status add(const bri_system *s, int i, int *up, double *lever, bri_error *err) {
    const bri_coupling *c = &s->couplings[i];
    const char *name = c->name ? c->name : c->kind->name;
    double r = c->kind->ratio(c->p);
    int a = find(up, lever, c->a), b = find(up, lever, c->b);
    double by_a = a == c->a ? 1.0 : lever[c->a], by_b = b == c->b ? 1.0 : lever[c->b];
    int held_a = body_prescribed(&s->bodies[a]), held_b = body_prescribed(&s->bodies[b]);
    if (!(fabs(r) > 0.0 && isfinite(r)))
        return bri_fail(err, BRI_BAD_VALUE, "%s: the ratio must not be zero", name);
    if (a == b)
        return bri_fail(err, BRI_BAD_VALUE, "%s: closes a ring of gears, which cannot turn", name);
    if (held_a && held_b)
        return bri_fail(err, BRI_BAD_VALUE, "%s: the motions of both its ends are prescribed",
                        name);
    if (held_b) {
        up[a] = b;
        lever[a] = by_b / (r * by_a);
    } else {
        up[b] = a;
        lever[b] = r * by_a / by_b;
    }
    return BRI_OK;
}

static bri_status check_contacts(const bri_system *s, const int *up, bri_error *err) {
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        for (int end = 0; end < 2 && c->model->set_valued; end++) {
            int body = end == 0 ? c->a : c->b;
            if (body == BRI_GROUND || up[body] == body) continue;
            return bri_fail(err, BRI_BAD_VALUE,
                            "%s: %s sticks exactly, which a body behind a gear cannot do: %s "
                            "follows %s; put the contact there, or take a smooth or bristle law",
                            c->name ? c->name : "contact", c->model->name, name_of(s, body),
                            name_of(s, up[body]));
        }
    }
    return BRI_OK;
}

bri_status network_find_gears(network *net, const bri_system *s, bri_error *err) {
    bri_status status = BRI_OK;
    int count = 0;
    for (int i = 0; i < s->n_couplings; i++) count += s->couplings[i].kind->ratio != NULL;
    if (count == 0) return BRI_OK;
    if (count > MOST_GEARS) return bri_fail(err, BRI_BAD_VALUE, "more than %d gears", MOST_GEARS);
    net->leads = ARENA_NEW(&net->memory, int, s->n_bodies);
    net->ahead = ARENA_NEW(&net->memory, double, s->n_bodies);
    net->gears = ARENA_NEW(&net->memory, gear, count);
    if (net->memory.failed) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    int *up = net->leads;
    double *lever = net->ahead;
    for (int i = 0; i < s->n_bodies; i++) up[i] = i, lever[i] = 1.0;
    for (int i = 0; status == BRI_OK && i < s->n_couplings; i++)
        if (s->couplings[i].kind->ratio) status = add(s, i, up, lever, err);
    for (int i = 0; status == BRI_OK && i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i], *to = &s->bodies[find(up, lever, i)];
        double v = lever[i] * to->v;
        if (b == to || body_prescribed(to) || b->v == 0.0 || fabs(b->v - v) <= 1e-9 * fabs(v))
            continue;
        status = bri_fail(err, BRI_BAD_VALUE,
                          "%s: v = %g at the start, but it follows %s through gears, and that "
                          "makes v = %g: give the velocity there",
                          name_of(s, i), b->v, name_of(s, up[i]), v);
    }
    return status == BRI_OK ? check_contacts(s, up, err) : status;
}

/* Which gear leads from each coordinate towards its root: from the roots on, gear by gear. */
static void find_ways(network *net, const bri_system *s) {
    int count = 0, found = 1;
    net->way = ARENA_NEW(&net->memory, int, net->n_all);
    net->tree = ARENA_NEW(&net->memory, gear_ends, net->n_gears + 1);
    if (net->memory.failed) return;
    for (int i = 0; i < net->n_all; i++) net->way[i] = -1;
    for (int i = 0; i < s->n_couplings; i++)
        if (s->couplings[i].kind->ratio)
            net->tree[count++] =
                (gear_ends){net->body_x[s->couplings[i].a], net->body_x[s->couplings[i].b]};
    while (found) {
        found = 0;
        for (int i = 0; i < count; i++) {
            gear_ends *e = &net->tree[i];
            int near = net->root[e->near] == e->near || net->way[e->near] >= 0;
            int far = net->root[e->far] == e->far || net->way[e->far] >= 0;
            if (near == far) continue;
            if (far) *e = (gear_ends){e->far, e->near};
            net->way[e->far] = i;
            found = 1;
        }
    }
}

void network_set_gears(network *net, const bri_system *s, double t) {
    if (!net->gears) return;
    net->root = ARENA_NEW(&net->memory, int, net->n_all);
    net->lever = ARENA_NEW(&net->memory, double, net->n_all);
    if (net->memory.failed) return;
    for (int i = 0; i < net->n_all; i++) net->root[i] = i, net->lever[i] = 1.0;
    for (int i = 0; i < s->n_bodies; i++) {
        int to = net->leads[i];
        if (to == i) continue;
        const bri_signal *moved = s->bodies[to].position;
        double x = moved ? bri_signal_value(moved, t) : s->bodies[to].x;
        gear g = {.at = net->body_x[i],
                  .to = net->body_x[to],
                  .by = net->ahead[i],
                  .from = s->bodies[i].x - net->ahead[i] * x,
                  .mass = s->bodies[i].mass};
        net->root[g.at] = g.to;
        net->lever[g.at] = g.by;
        if (g.to < net->n_free && net->mass[g.to] > 0.0) net->mass[g.to] += g.by * g.by * g.mass;
        net->gears[net->n_gears++] = g;
    }
    find_ways(net, s);
}

double network_gear_force(const network *net, const link *l) {
    /* the bodies on the far side of the gear: those whose way to the root leads over it */
    int b_follows = net->tree[l->gear - 1].far == l->at[1];
    double sum = 0.0;
    for (int i = 0; i < net->n_gears; i++) {
        const gear *g = &net->gears[i];
        int at = g->at;
        while (at != net->root[at] && net->way[at] != l->gear - 1)
            at = net->tree[net->way[at]].near;
        if (at == net->root[at]) continue;
        sum += g->by * (g->mass * net->acc[g->at] - net->force[g->at]);
    }
    return sum / (b_follows ? net->lever[l->at[1]] : -net->lever[l->at[1]]);
}
