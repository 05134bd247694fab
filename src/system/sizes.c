/* sizes.c - nominal sizes of the unknowns, by which errors are measured, and corners of the laws.
 */
#include "network.h"
#include "signal.h"
#include <math.h>
#include <string.h>

/* States of a law after long sliding at that velocity: eight steps, or until one changes nothing.
 */
static void slide_long(const bri_model *m, const double *p, double load, double v, double *z) {
    bri_input u = {.v = v, .n = load > 0.0 ? load : 1.0};
    double before[BRI_MAX_STATES];
    size_t size = sizeof *z * (size_t)bri_model_states(m, p);
    bri_model_rest(m, p, z);
    for (int k = 0; k < 8; k++) {
        memcpy(before, z, size);
        bri_model_step(m, p, &u, 1e3, z);
        if (memcmp(before, z, size) == 0) break;
    }
}

/* Where laws are looked at as long sliding has left them. */
static const double SLIDES = 10.0;

/* The law has a corner at v = 0 if freezing the direction changes it on the other side, with states
 * near rest or as sliding has left them. */
static int has_corner(const bri_model *m, const double *p, double load) {
    double z[BRI_MAX_STATES], auto_dz[BRI_MAX_STATES], locked_dz[BRI_MAX_STATES];
    int k = bri_model_states(m, p);
    if (m->set_valued) return 0;
    for (int trial = 0; trial < 8; trial++) {
        bri_input u = {.v = trial % 2 ? -1e-3 : -1e-6, .n = load > 0.0 ? load : 1.0};
        bri_model_rest(m, p, z);
        if (trial >= 4) slide_long(m, p, load, trial < 6 ? SLIDES : -SLIDES, z);
        for (int i = 0; trial < 4 && i < k; i++)
            z[i] += (trial < 2 ? 0.3 : -0.3) * m->states[i].nominal;
        double F = bri_model_eval(m, p, &u, z, auto_dz);
        u.mode = BRI_SLIDE_POS;
        if (bri_model_eval(m, p, &u, z, locked_dz) != F) return 1;
        if (k > 0 && memcmp(auto_dz, locked_dz, sizeof *z * (size_t)k) != 0) return 1;
    }
    return 0;
}

/* The largest speed that the definition itself mentions, or 1 cm/s. */
static double speed_scale(const bri_system *s, double t_start, double t_end) {
    double most = 0.0;
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        most = fmax(most, hypot(b->v, b->vz));
        const bri_signal *signal = b->position ? b->position : b->velocity;
        int places = signal && signal_is_constant(signal) ? 0 : 50;
        for (int k = 0; signal && k <= places; k++) { /* irregular, not to hit zeros only */
            double out[4], share = k / 50.0 + 0.02 * (0.618034 * k - floor(0.618034 * k));
            signal->kind->eval(signal, t_start + (t_end - t_start) * fmin(share, 1.0), out);
            most = fmax(most, fabs(out[b->position ? 2 : 1]));
        }
    }
    return most > 0.0 ? most : 0.01;
}

/* Sizes of contact states: what they reach in steady sliding, z, else the table's; of one that is a
 * velocity no more than that over which friction falls. */
static void touch_sizes(const touch *c, const double *z, double *nominal) {
    for (int i = 0; i < c->count; i++) {
        double table = c->model->states[i].nominal, reached = fabs(z[i]);
        if (strcmp(c->model->states[i].unit, "m/s") == 0) table = fmin(table, c->bend);
        nominal[i] = reached > 1e-12 * table && reached < 1e3 * table ? reached : table;
    }
}

/* The velocity over which the force rises to its level at rest, that of steady sliding with the
 * states z; 0 if it jumps or has none. */
static double knee_of(const touch *c, const double *z) {
    double rest[BRI_MAX_STATES], dz[BRI_MAX_STATES];
    bri_input u = {.n = c->N > 0.0 ? c->N : 1.0};
    bri_model_rest(c->model, c->p, rest);
    bri_model_jac(c->model, c->p, &u, rest, c->jac);
    double slope = fabs(c->jac[1]);
    u.v = SLIDES;
    double level = fabs(bri_model_eval(c->model, c->p, &u, z, dz));
    return slope > 0.0 ? level / slope : 0.0;
}

/* The velocity over which the force changes: at rest, or along the Stribeck curve, where slips
 * begin; at most that of the system. */
static double steepness(const touch *c, double v) {
    v = fmin(v, c->bend);
    return c->knee > 0.0 ? fmin(fmax(c->knee, 1e-9 * v), v) : v;
}

/* A parameter that is a speed or its inverse. */
static double speed_of(const touch *c, int i) {
    return strcmp(c->model->params[i].unit, "s/m") == 0 ? 1.0 / c->p[i] : c->p[i];
}

/* The speed over which friction falls; INFINITY: it does not. */
static double bend_of(const touch *c) {
    for (int i = 0; i < c->model->n_params; i++)
        if (c->model->params[i].role == BRI_ROLE_STRIBECK_SPEED) return speed_of(c, i);
    return INFINITY;
}

/* Nonzero if a force that long sliding has left, with the states z, falls with a slope without
 * bound after the contact turns, as |v|^gamma does with gamma < 1: nearer to rest the slope is the
 * steeper, though little is lost there. */
static int has_cusp(const touch *c, const double *z) {
    double dz[BRI_MAX_STATES], lost[2];
    bri_input u = {.n = c->N > 0.0 ? c->N : 1.0, .mode = BRI_SLIDE_NEG};
    if (!c->corner || isinf(c->bend)) return 0;
    double F = bri_model_eval(c->model, c->p, &u, z, dz);
    for (int i = 0; i < 2; i++) {
        u.v = -c->bend * (i == 0 ? 1e-10 : 1e-5);
        lost[i] = fabs(F - bri_model_eval(c->model, c->p, &u, z, dz));
    }
    return lost[0] > 2e-5 * lost[1] && lost[1] < 0.5 * fabs(F);
}

/* The speeds within which the curve of a law has its corners, bends and falls: those that its
 * parameters name, and their sum, for the fall of one may begin where the rise of another ends. */
static void find_zones(touch *c) {
    double sum = 0.0;
    c->n_zones = 0;
    for (int i = 0; i < c->model->n_params && c->n_zones < TOUCH_ZONES - 1; i++) {
        bri_role role = c->model->params[i].role;
        if (role != BRI_ROLE_STRIBECK_SPEED && role != BRI_ROLE_SLIDING_SPEED &&
            role != BRI_ROLE_SMOOTHING && role != BRI_ROLE_SIGN_BLEND)
            continue;
        sum += c->zone[c->n_zones++] = speed_of(c, i);
    }
    if (c->n_zones > 1) c->zone[c->n_zones++] = sum;
}

/* Nonzero if two contacts have the same law, parameters and load. */
static int alike(const touch *a, const touch *b) {
    return a->model == b->model && a->N == b->N &&
           memcmp(a->p, b->p, sizeof *a->p * (size_t)a->model->n_params) == 0;
}

/* The largest load in sight: of the signal at some places, or the weight of the body on top. */
static double load_scale(const network *net, const touch *c, double t_start, double t_end) {
    double most = 0.0;
    if (c->load == BRI_LOAD_REACTION) return fabs(net->weight[c->normal]);
    if (c->load_by) return c->load_by->value > 0.0 ? c->load_by->value : 1.0;
    for (int k = 0; c->load == BRI_LOAD_SIGNAL && k <= 50; k++)
        most = fmax(most, bri_signal_value(c->n_of_t, t_start + (t_end - t_start) * k / 50.3));
    return most;
}

void network_set_sizes(network *net, const bri_system *s, double t_start, double t_end) {
    int n = net->n_free;
    double v = net->speed = speed_scale(s, t_start, t_end);
    for (int i = 0; i < n; i++) net->nominal[i] = net->nominal[n + i] = v;
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        const touch *last = i > 0 && alike(c, c - 1) ? c - 1 : NULL;
        double *size = net->nominal + 2 * n + c->first, slid[BRI_MAX_STATES];
        if (!last) slide_long(c->model, c->p, c->N, SLIDES, slid);
        c->bend = last ? last->bend : bend_of(c);
        find_zones(c);
        c->knee = last ? last->knee : knee_of(c, slid);
        c->v_size = last ? last->v_size : steepness(c, v);
        c->n_least = c->model->set_valued ? -INFINITY : 1e-7 * load_scale(net, c, t_start, t_end);
        c->corner = last ? last->corner : has_corner(c->model, c->p, c->N);
        c->cusp = last ? last->cusp : has_cusp(c, slid);
        network_bound_speed(net, c, c->v_size, net->nominal + n);
        if (last)
            memcpy(size, net->nominal + 2 * n + last->first, sizeof *size * (size_t)c->count);
        else
            touch_sizes(c, slid, size);
    }
}

/* The smallest size, as a share of the one expected; at tight tolerances so much that the tolerance
 * stays above rounding. */
static const double LEAST_REACH = 1e-5, LEAST_TOLERANCE = 1e-11;

void network_begin_sizes(network *net, const double *y, double atol) {
    int n = net->n_free;
    double least = fmin(fmax(LEAST_REACH, LEAST_TOLERANCE / atol), 1.0);
    for (int k = 0; k < net->n; k++) {
        net->expected[k] = net->nominal[k];
        net->nominal[k] *= least;
        net->origin[k] = k < n ? y[k] : 0.0; /* positions count from where they start */
    }
    network_reach(net, y);
}

void network_reach(network *net, const double *restrict y) {
    double *restrict size = net->nominal;
    const double *restrict origin = net->origin, *restrict expected = net->expected;
    for (int k = 0; k < net->n; k++) {
        double reached = fabs(y[k] - origin[k]);
        reached = reached < expected[k] ? reached : expected[k];
        size[k] = reached > size[k] ? reached : size[k];
    }
}
