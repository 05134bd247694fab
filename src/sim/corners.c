/* corners.c - steps along the curves of laws and over their corners.
 *
 * The error estimate of a solver sees a law at its stages alone. Of a curve that changes between
 * them it may see nothing by chance, and over a corner of the force it is right within a factor of
 * some tens only. So what the accelerations along a step add up to is held against its change of
 * velocity, and where a step over a corner does not pass it is made in three: up to the corner, a
 * short one over it, and on. */
#include "sim.h"
#include "unseen.h"

#include <math.h>

/* ---- what a step should give ----------------------------------------------------------------- */

/* Nonzero: the velocities at the end of the step differ from what the accelerations along it give
 * by more than so many tolerances, of its end or of its start. */
static int is_off(bri_sim *sim, double tolerances, int of_start) {
    const network *net = sim->net;
    const stepper *s = sim->s;
    double h = s->t - s->t_prev;
    int n = net->n_free;
    sim_interpolate(sim, s->t_prev, sim->y);
    for (int k = 0; k < n; k++) sim->gain[k] = s->y[n + k] - sim->y[n + k];
    for (int p = 0; p < 4; p++) {
        double t = s->t_prev + gauss_4[p] * h;
        sim_state_at(sim, t, sim->y);
        (sim->single ? single_rhs : network_rhs)(sim->net, t, sim->y, sim->dy);
        for (int k = 0; k < n; k++) sim->gain[k] -= gauss_4_weight[p] * h * sim->dy[n + k];
    }
    if (of_start) {
        sim_state_at(sim, s->t_prev, sim->dy);
        network_place(sim->net, s->t_prev, sim->dy);
        network_sizes(net, sim->dy, sim->y);
    }
    network_place(sim->net, s->t, s->y);
    if (!of_start) network_sizes(net, s->y, sim->y);
    for (int k = 0; k < n; k++)
        if (fabs(sim->gain[k]) >
            tolerances * fmax(sim->rtol * sim->y[n + k], sim->atol * net->nominal[n + k]))
            return 1;
    return 0;
}

/* ---- along curves --------------------------------------------------------------------------- */

sim_curve sim_curve_of(const touch *c) {
    sim_curve to = {.slows = c->count == 0 && c->model->pieces};
    double edge = c->knee, least = c->knee;
    if (!(c->knee > 0.0)) return to;
    for (int k = 0; k < c->n_zones; k++)
        edge = fmax(edge, c->zone[k]), least = fmin(least, c->zone[k]);
    to.near = NEAR_CURVE * edge;
    to.along = ALONG * least;
    return to;
}

/* Nonzero: a contact whose force is a smooth function of its speed runs along a good part of it. */
static int along_curve(const bri_sim *sim) {
    for (int i = 0; i < sim->net->n_touches; i++) {
        const touch *c = &sim->net->touches[i];
        double a = fabs(sim->v_from[i]), b = fabs(sim->v_to[i]);
        if (c->corner || c->model->set_valued || c->unmoved) continue;
        sim_curve of = sim_curve_of(c);
        if (of.slows && fmin(a, b) < SLOWED * fmax(a, b)) return 1;
        if (fmin(a, b) < of.near && fabs(sim->v_from[i] - sim->v_to[i]) > of.along) return 1;
    }
    return 0;
}

/* A step from rest on a cusp is held at rest by the slope there, all its stages and its error too:
 * the slope has no bound, and the motion meets it only at first. */
static const double OFF_CUSP = 2.0, AT_CUSP = 0.1; /* of the speed over which friction falls */

static int near_cusp(const bri_sim *sim) {
    for (int i = 0; i < sim->net->n_touches; i++) {
        const touch *c = &sim->net->touches[i];
        double least = fmin(fabs(sim->v_from[i]), fabs(sim->v_to[i]));
        if (c->cusp && !c->unmoved && least < AT_CUSP * c->bend) return 1;
    }
    return 0;
}

/* The last stages of a step that brings a contact nearly to rest may see a friction that it has
 * there alone, at the peak of its Stribeck curve, as if it lasted; the error of the step need not
 * tell, since it is what two of them differ by. How fast it is before, by the speed over which the
 * curve falls, and how slow it becomes, by the share that stages may miss the course by and that
 * speed. */
static const double OFF_REST = 3.0, BEFORE_REST = 20.0, STAGES_MISS = 0.02, AT_REST = 6.0;

static int comes_to_rest(const bri_sim *sim) {
    for (int i = 0; i < sim->net->n_touches; i++) {
        const touch *c = &sim->net->touches[i];
        if (!c->model->set_valued || c->unmoved || c->mode == BRI_STUCK || isinf(c->bend)) continue;
        double way = (double)c->mode;
        double from = way * sim->v_from[i], to = way * sim->v_to[i];
        if (from > BEFORE_REST * c->bend && to < STAGES_MISS * from + AT_REST * c->bend) return 1;
    }
    return 0;
}

/* Nonzero for a contact that may ever be one of these. */
static int has_curve(const touch *c) {
    if (c->unmoved) return 0;
    return c->cusp || c->model->set_valued ||
           (!c->corner && (c->knee > 0.0 || (c->count == 0 && c->model->pieces)));
}

int sim_is_off_curve(bri_sim *sim) {
    if (!sim->curved) return 0;
    if (near_cusp(sim)) return is_off(sim, OFF_CUSP, 0);
    if (comes_to_rest(sim)) return is_off(sim, OFF_REST, 1);
    return along_curve(sim) && is_off(sim, OFF_CURVE, 0);
}

/* ---- over corners --------------------------------------------------------------------------- */

/* Steps below this share of the run are left alone: a law may go along its corner. */
static const double LEAST_STEP = 1e-8;

/* The corner is found this many times more closely. */
enum { HALVINGS = 9 };

/* Where a law has event functions of its own they are its corners. */
static int has_corners(const touch *c) {
    return c->model->pieces && !c->unmoved && c->n_roots == 0;
}

/* The smooth pieces of all laws and couplings at a time within the step, mixed; *links: those of
 * the couplings alone. */
static unsigned long long pieces_at(bri_sim *sim, double t, unsigned long long *links) {
    network *net = sim->net;
    const double *y = sim->s->y;
    if (t < sim->s->t || net->set_valued) sim_state_at(sim, t, sim->y), y = sim->y;
    if (sim->cornered > 1) network_rhs(net, t, y, sim->dy); /* loads vary */
    if (net->n_pieced == 0) network_place(net, t, y);
    unsigned long long all = *links = net->n_pieced > 0 ? network_pieces(net, t, y) : 0;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!has_corners(c) || !(c->N > c->n_least)) continue;
        bri_input u = touch_input(net, c);
        unsigned bits = c->model->pieces(c->model, c->p, &u, y + 2 * net->n_free + c->first);
        all = all * 0x9E3779B97F4A7C15u + bits + 1;
    }
    return all;
}

static unsigned long long links_at(bri_sim *sim, double t) {
    sim_state_at(sim, t, sim->y);
    return network_pieces(sim->net, t, sim->y);
}

/* What is known of the start of the step: what was found where the last one ended. */
static struct sim_pieces *start_of(bri_sim *sim) {
    struct sim_pieces *from = &sim->pieces_from;
    double t = sim->s->t_prev;
    if (sim->follows && from->t == t && from->links) return from;
    if (sim->follows && sim->pieces_to.t == t)
        *from = sim->pieces_to;
    else
        *from = (struct sim_pieces){.t = t};
    return from;
}

unsigned long long sim_pieces_from(bri_sim *sim) {
    struct sim_pieces *from = start_of(sim);
    if (!from->links) from->links = links_at(sim, from->t);
    return from->links;
}

unsigned long long sim_pieces_to(bri_sim *sim) {
    sim->pieces_to = (struct sim_pieces){.t = sim->s->t, .links = links_at(sim, sim->s->t)};
    return sim->pieces_to.links;
}

void sim_find_corners(bri_sim *sim) {
    const network *net = sim->net;
    sim->cornered = sim->solver->course && net->n_pieced > 0;
    sim->curved = 0;
    for (int i = 0; i < net->n_touches; i++) sim->curved |= has_curve(&net->touches[i]);
    for (int i = 0; sim->solver->course && i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (!has_corners(c)) continue;
        int varies = c->load != BRI_LOAD_CONSTANT || sim->cornered > 1;
        sim->cornered = varies ? 2 : 1;
    }
    sim->corner_at = sim->smooth_from = NAN;
}

double sim_corner_end(bri_sim *sim) {
    const stepper *s = sim->s;
    double h = s->t - s->t_prev;
    int near = s->t_prev == sim->corner_at;
    if (h < LEAST_STEP * sim->span) return INFINITY;
    struct sim_pieces *from = start_of(sim), *to = &sim->pieces_to;
    if (!from->all) from->all = pieces_at(sim, s->t_prev, &from->links);
    to->t = s->t;
    to->all = pieces_at(sim, s->t, &to->links);
    unsigned long long before = from->all, links;
    if (to->all == before) return INFINITY;
    if (near && h <= 4.0 * sim->corner_width) return INFINITY; /* the short one over it */
    if (!is_off(sim, OFF_CORNER, 0)) return INFINITY;
    double a = 0.0, b = 1.0;
    for (int i = 0; i < HALVINGS; i++) {
        double u = 0.5 * (a + b);
        if (pieces_at(sim, s->t_prev + u * h, &links) == before)
            a = u;
        else
            b = u;
    }
    network_place(sim->net, s->t, s->y);
    sim->corner_width = CORNER_WIDTH * h;
    int ahead = a > 2.0 * CORNER_WIDTH;
    sim->corner_at = ahead ? s->t_prev + (a - CORNER_WIDTH) * h : s->t_prev;
    return ahead ? sim->corner_at : s->t_prev + (b + CORNER_WIDTH) * h;
}
