/* lanes.c - see lanes.h. */
#include "lanes.h"
#include "sim.h"
#include "solvers/rosenbrock.h"
#include "system/path.h"
#include "system/single.h"
#include "unseen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the simulations of all lanes have in common. */
typedef struct family {
    const bri_model *model;
    const rodas *method;
    const bri_lane_law *law;
    int cornered;
    double rtol, atol;
} family;

typedef struct seat {
    bri_sim *sim; /* NULL: the lane is free */
    double until; /* where it is to be */
    double side;  /* -1: its body is the second end of the contact, all is mirrored */
    sim_slide *slide;
    int again;   /* times that the step has been made shorter ... */
    double done; /* ... after so many of them */
} seat;

struct sim_lanes {
    bri_lane_pack pack;
    family of;
    seat seats[BRI_LANES];
    int count;                     /* of seats that are taken */
    unsigned inside, out, arrived; /* bits: ahead of the simulation; not so; with its end */
};

void sim_slide_look(sim_slide *s, double h, double v, int first) {
    int was = s->slides;
    s->slides = sim_slides(v, s->speed, was && !first);
    if (first) return;
    s->slid += h * 0.5 * (was + s->slides);
    s->starts += s->slides && !was;
    s->stops += was && !s->slides;
}

sim_lanes *sim_lanes_new(void) {
    sim_lanes *l = aligned_alloc(_Alignof(sim_lanes), sizeof *l);
    if (l) memset(l, 0, sizeof *l);
    return l;
}

void sim_lanes_free(sim_lanes *l) { free(l); }

/* ---- who fits ---------------------------------------------------------------------------------
 */

static int family_of(const bri_sim *sim, family *to) {
    const network *net = sim->net;
    const touch *c = &net->touches[0];
    int exponent;
    if (!network_path_wanted()->lanes || bri_level_best() == BRI_LEVEL_LIBM) return 0;
    if (!bri_kernels(BRI_LEVEL_AUTO)->lanes_attempt) return 0;
    if (!sim->single || !net->single.alone || !sim->one_turn || !sim->looks || net->n != 3)
        return 0;
    if (c->load != BRI_LOAD_CONSTANT || !(c->n > BRI_NO_LOAD) || c->cusp ||
        c->n_zones > BRI_LANE_ZONES)
        return 0;
    if (sim->tangent || net->n_pieced > 0 || !sim->solver->course || sim->cornered > 1) return 0;
    const rosenbrock *r = (const rosenbrock *)sim->s;
    *to = (family){.model = c->model,
                   .method = r->at.method,
                   .cornered = sim->cornered,
                   .rtol = r->at.rtol,
                   .atol = r->at.atol,
                   .law = bri_lane_law_of(c->model, c->p, &exponent)};
    return to->law != NULL;
}

int sim_lanes_fit(const bri_sim *sim) {
    family of;
    return !sim->stale && family_of(sim, &of);
}

int sim_lanes_match(const sim_lanes *l, const bri_sim *sim) {
    family of;
    if (l->count == 0) return 1;
    return family_of(sim, &of) && of.model == l->of.model && of.method == l->of.method &&
           of.law == l->of.law && of.cornered == l->of.cornered && of.rtol == l->of.rtol &&
           of.atol == l->of.atol;
}

/* ---- in and out ------------------------------------------------------------------------------ */

static void get_rig(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    bri_sim *sim = l->seats[i].sim;
    const network *net = sim->net;
    const touch *c = &net->touches[0];
    double side = l->seats[i].side = side_of(c);
    k->mass[i] = net->mass[0];
    k->per_mass[i] = net->per_mass[0];
    k->stiffness[i] = net->single.stiffness;
    k->damping[i] = net->single.damping;
    k->force[i] = side * net->single.force;
    k->far[i] = side * net->vel[net->single.far];
    k->load[i] = c->n;
    k->v_size[i] = c->v_size;
    k->felt[i] = sim->atol * c->v_size;
    k->n_zones = c->n_zones;
    for (int n = 0; n < c->n_zones; n++) k->zone[n][i] = c->zone[n];
    for (int n = 0; n < c->model->n_params; n++) k->p[n][i] = c->p[n];
    k->held[i] = 0.0;
    for (int n = 0; n < net->n_motions; n++)
        k->held[i] += net->weight[net->motions[n].at] * net->vel[net->motions[n].at];
    for (int n = 0; n < 3; n++) {
        k->expected[n][i] = net->expected[n];
        k->origin[n][i] = (n < 2 ? side : 1.0) * net->origin[n];
    }
}

static bri_input input_of(const sim_lanes *l, int i, double v) {
    return (bri_input){.v = v, .n = l->pack.load[i], .mode = l->seats[i].sim->net->touches[0].mode};
}

static double stored(const sim_lanes *l, int i, double z) {
    const touch *c = &l->seats[i].sim->net->touches[0];
    double grad[1];
    bri_input u = input_of(l, i, 0.0);
    return c->model->stored ? c->model->stored(c->model, c->p, &u, &z, grad) : 0.0;
}

static double pieces(const sim_lanes *l, int i, double v, double z) {
    const touch *c = &l->seats[i].sim->net->touches[0];
    bri_input u = input_of(l, i, v - l->pack.far[i]);
    return c->model->pieces(c->model, c->p, &u, &z);
}

/* Who slides is looked at in the lane, as sim_slide_look() does. */
static void enter_slide(bri_lane_pack *k, int i, const sim_slide *s) {
    k->speed[i] = s ? s->speed : INFINITY;
    k->slides[i] = s ? s->slides : 0.0;
    k->slid[i] = s ? s->slid : 0.0;
    k->starts[i] = s ? (double)s->starts : 0.0;
    k->stops[i] = s ? (double)s->stops : 0.0;
}

static void leave_slide(const bri_lane_pack *k, int i, sim_slide *s) {
    s->slides = k->slides[i] > 0.5;
    s->slid = k->slid[i];
    s->starts = (long)k->starts[i];
    s->stops = (long)k->stops[i];
}

static void put_slopes(const double J[8], bri_lane *to, int i) {
    static const int few[BRI_DERIVATIVES] = {1, 3, 5, 7};
    for (int d = 0; d < BRI_DERIVATIVES; d++) to[d][i] = J[few[d]];
}

/* More turns than this in a millionth of the run: it trembles, and the simulation sees to it. */
enum { FEW_TURNS = 10 };

/* Go on in the lane from where the simulation stands; 0: it wants to do the next step itself. */
static int enter(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    network *net = sim->net;
    touch *c = &net->touches[0];
    rosenbrock *r = (rosenbrock *)sim->s;
    if (!sim->begun || sim->stale || !(sim->s->t < at->until)) return 0;
    if (sim->cornered && sim->s->t == sim->corner_at) return 0;
    if (!(sim->s->t < sim->ahead)) sim_look_ahead(sim);
    if (!sim->continues || sim->undirected) sim_start_functions(sim);
    if (sim->undirected || (c->mode != BRI_SLIDE_POS && c->mode != BRI_SLIDE_NEG)) return 0;
    double side = at->side, dz, J[8];
    bri_input u = {.v = single_sliding(net, sim->s->y), .n = c->n, .mode = c->mode};
    for (int n = 0; n < 3; n++) {
        k->y[n][i] = (n < 2 ? side : 1.0) * sim->s->y[n];
        k->nominal[n][i] = net->nominal[n];
    }
    if (at->slide && sim->t < sim->s->t) sim_slide_look(at->slide, sim->s->t - sim->t, u.v, 0);
    double z = k->y[2][i];
    k->way[i] = (double)c->mode;
    k->F[i] = bri_model_eval(c->model, c->p, &u, &z, &dz);
    k->dz[i] = dz;
    bri_model_jac(c->model, c->p, &u, &z, J);
    put_slopes(J, k->slope, i);
    r->base.evals++;
    r->base.jacobians++;
    k->t[i] = sim->s->t;
    k->stop[i] = fmin(sim->kink, sim->t_end);
    k->longest[i] =
        fmin(sim->s->longest, r->options.max_step > 0.0 ? r->options.max_step : INFINITY);
    k->h[i] = r->h;
    k->h_done[i] = r->h_done;
    k->past[i] = r->past;
    k->first[i] = 1.0;
    k->heat[i] = sim->heat;
    k->work[i] = sim->work;
    k->astray[i] = sim->astray;
    k->heated[i] = sim->heated;
    k->regained[i] = sim->regained;
    k->turned[i] = sim->turned;
    k->stored[i] = k->stored_end[i] = stored(l, i, z);
    k->t_before[i] = sim->s->t_prev;
    k->heat_before[i] = sim->heat_prev;
    k->work_before[i] = sim->work_prev;
    for (int n = 0; n < 3; n++) k->begin[n][i] = (n < 2 ? side : 1.0) * r->at.y[n];
    if (sim->cornered) k->pieces[i] = pieces(l, i, k->y[1][i], z);
    k->until[i] = at->until;
    k->most[i] =
        sim->max_steps > 0 ? (double)(sim->max_steps - sim->s->steps - sim->s->rejected) : INFINITY;
    k->tried[i] = k->done[i] = 0.0;
    k->trembles[i] = sim->counts[0] > FEW_TURNS;
    enter_slide(k, i, at->slide);
    l->inside |= 1u << i;
    l->out &= ~(1u << i);
    return 1;
}

/* The simulation stands where the lane does; `made`: the last attempt was a step, and its stages
 * are those of the simulation's last. */
static void leave(sim_lanes *l, int i, int made) {
    const bri_lane_pack *k = &l->pack;
    seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    network *net = sim->net;
    rosenbrock *r = (rosenbrock *)sim->s;
    double side = at->side;
    long tried = (long)k->tried[i], steps = (long)k->done[i];
    r->base.evals += tried * k->method->stages;
    r->base.factorisations += tried;
    r->base.jacobians += tried;
    r->base.steps += steps;
    r->base.rejected += tried - steps;
    if (at->slide) leave_slide(k, i, at->slide);
    for (int n = 0; n < 3; n++) {
        double by = n < 2 ? side : 1.0;
        r->base.y[n] = by * k->y[n][i];
        r->at.y[n] = by * k->begin[n][i];
        net->nominal[n] = k->nominal[n][i];
        for (int j = 0; made && j < k->method->stages; j++) r->at.U[3 * j + n] = by * k->U[j][n][i];
    }
    r->at.h = made ? k->taken[i] : k->t[i] - k->t_before[i];
    r->at.t = r->base.t_prev = k->t_before[i];
    r->base.t = sim->t = k->t[i];
    r->at.fresh = r->dense_ready = 0;
    r->h = k->h[i];
    r->h_done = k->h_done[i];
    r->past = k->past[i];
    sim->heat = k->heat[i];
    sim->work = k->work[i];
    sim->heat_prev = k->heat_before[i];
    sim->work_prev = k->work_before[i];
    sim->astray = k->astray[i];
    sim->heated = k->heated[i];
    sim->regained = k->regained[i];
    sim->turned = k->turned[i];
    sim->g_end[0] = sim_one_turn(sim, r->base.y);
    sim->v_to[0] = single_sliding(net, r->base.y);
    sim->modes[0] = sim_mode_of(&net->touches[0]);
    sim->continues = 1;
    sim->jumped = sim->shown = 0;
    l->inside &= ~(1u << i);
    l->out |= 1u << i;
    l->pack.stop[i] = -INFINITY; /* nobody is in it */
}

/* ---- alone ----------------------------------------------------------------------------------- */

/* Steps of the simulation itself until the lane takes it; nonzero: it has arrived or failed. */
static int by_hand(sim_lanes *l, int i, bri_status *status, bri_error *err) {
    seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    *status = BRI_OK;
    for (int first = 1;; first = 0) {
        if (!first && enter(l, i)) return 0;
        double before = sim->t;
        *status = bri_sim_step(sim, at->until, err);
        if (*status != BRI_OK) return 1;
        if (at->slide)
            sim_slide_look(at->slide, sim->t - before, single_sliding(sim->net, sim->y), 0);
        if (!(sim->t < at->until)) return 1;
    }
}

/* The lane has passed the time where it is to be. */
static bri_status arrive(sim_lanes *l, int i, bri_error *err) {
    seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    leave(l, i, 1);
    sim->t = sim->s->t_prev;
    bri_status status = bri_sim_advance(sim, at->until, err);
    if (at->slide && status == BRI_OK)
        sim_slide_look(at->slide, sim->t - sim->s->t_prev, single_sliding(sim->net, sim->y), 0);
    return status;
}

void sim_lanes_put(sim_lanes *l, int lane, bri_sim *sim, double t, sim_slide *slide) {
    bri_lane_pack *k = &l->pack;
    if (l->count++ == 0) {
        family_of(sim, &l->of);
        *k = (bri_lane_pack){.method = l->of.method,
                             .law = l->of.law,
                             .cornered = l->of.cornered,
                             .rtol = l->of.rtol,
                             .atol = l->of.atol};
        for (int i = 0; i < BRI_LANES; i++) { /* what is computed where nobody is stays finite */
            l->seats[i].sim = sim;
            get_rig(l, i);
            k->way[i] = 1.0;
            k->stop[i] = -INFINITY;
            for (int n = 0; n < 3; n++) k->nominal[n][i] = 1.0;
            enter_slide(k, i, NULL);
            l->seats[i] = (seat){0};
        }
    }
    l->seats[lane] = (seat){.sim = sim, .until = t, .slide = slide};
    get_rig(l, lane);
    l->out |= 1u << lane;
    enter(l, lane);
}

static int vacate(sim_lanes *l, int lane) {
    l->seats[lane] = (seat){0};
    l->count--;
    l->out &= ~(1u << lane);
    return lane;
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* The step has been made: on in the other direction, as sim_happen() and a solver that begins again
 * would. */
static void turn(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    bri_sim *sim = l->seats[i].sim;
    touch *c = &sim->net->touches[0];
    sim->s->t = k->t[i];
    sim_count_event(sim, 0);
    sim->force_before[0] = k->F[i];
    c->mode = (bri_mode) - (int)c->mode;
    sim_report_changes(sim);
    k->way[i] = -k->way[i];
    k->h[i] *= k->whole[i] / k->taken[i];
    k->h_done[i] = k->whole[i];
    k->past[i] = 0.0;
    k->trembles[i] = sim->counts[0] > FEW_TURNS;
    if (sim->cornered) k->pieces[i] = pieces(l, i, k->y[1][i], k->y[2][i]);
}

/* ---- closer ---------------------------------------------------------------------------------- */

/* Times that a step is made shorter in the lane, see MOST_AIMED of step.c. */
enum { MOST_SHORTER = 8 };

/* The share of the step at which it should have ended, as the simulation sees it; INFINITY: none.
 */
static double better_end(sim_lanes *l, int i) {
    const bri_lane_pack *k = &l->pack;
    bri_sim *sim = l->seats[i].sim;
    rosenbrock *r = (rosenbrock *)sim->s;
    double side = l->seats[i].side;
    for (int n = 0; n < 3; n++) {
        double by = n < 2 ? side : 1.0;
        r->at.y[n] = by * k->y[n][i];
        r->base.y[n] = by * k->end[n][i];
        for (int j = 0; j < k->method->stages; j++) r->at.U[3 * j + n] = by * k->U[j][n][i];
    }
    r->at.h = k->taken[i];
    r->at.t = r->base.t_prev = k->t[i];
    r->base.t = k->t[i] + k->taken[i];
    r->dense_ready = 0;
    sim->v_from[0] = single_sliding(sim->net, r->at.y);
    sim->v_to[0] = single_sliding(sim->net, r->base.y);
    double end = sim_better_end(sim);
    return isinf(end) ? INFINITY : (end - k->t[i]) / k->taken[i];
}

/* A step that may have passed over something: it is as good as it seems, or is made again up to
 * there, or the simulation sees to it. */
static void look_closer(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    seat *at = &l->seats[i];
    double from = k->way[i] * (k->y[1][i] - k->far[i]), to = k->way[i] * (k->end[1][i] - k->far[i]);
    if (at->done != k->done[i]) at->again = 0;
    at->done = k->done[i];
    k->outcome[i] = BRI_LANE_BY_HAND;
    if (to <= 0.0 && !(from >= AT_ONCE * (from - to))) return;
    double share = better_end(l, i);
    if (isinf(share)) {
        k->outcome[i] = to <= 0.0 ? BRI_LANE_TURNED : BRI_LANE_MADE;
    } else if (share > 0.0 && at->again++ < MOST_SHORTER) {
        k->outcome[i] = BRI_LANE_REFUSED;
        k->cut[i] = share;
    }
}

/* ---- on -------------------------------------------------------------------------------------- */

/* After an attempt, of a lane that is to be seen to. */
static void see_to(sim_lanes *l, int i) {
    const bri_lane_pack *k = &l->pack;
    int left = k->outcome[i] == BRI_LANE_BY_HAND, turns = k->outcome[i] == BRI_LANE_TURNED;
    if (left) {
        leave(l, i, 0);
        return;
    }
    if (turns) turn(l, i);
    if (!(k->t[i] < l->seats[i].until))
        l->arrived |= 1u << i;
    else if (k->tried[i] >= k->most[i])
        leave(l, i, turns || k->outcome[i] == BRI_LANE_MADE);
}

/* The first of some lanes, and the others. */
static int first_of(unsigned *lanes) {
    int i = 0;
    while (!(*lanes >> i & 1u)) i++;
    *lanes &= ~(1u << i);
    return i;
}

int sim_lanes_next(sim_lanes *l, bri_status *status, bri_error *err) {
    const bri_kernel_table *t = bri_kernels(BRI_LEVEL_AUTO);
    bri_lane_pack *k = &l->pack;
    const int a_while = 1000;
    for (int round = 0; round < a_while && l->count > 0; round++) {
        if (l->arrived) {
            int i = first_of(&l->arrived);
            *status = arrive(l, i, err);
            return vacate(l, i);
        }
        for (unsigned out = l->out; out;) {
            int i = first_of(&out);
            if (by_hand(l, i, status, err)) return vacate(l, i);
        }
        unsigned closer = t->lanes_attempt(k) & l->inside;
        while (closer) look_closer(l, first_of(&closer));
        unsigned seen_to = t->lanes_accept(k) & l->inside;
        while (seen_to) see_to(l, first_of(&seen_to));
    }
    return -1;
}
