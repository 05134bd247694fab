/* lanes.c - see lanes.h. */
#include "lanes.h"
#include "sim.h"
#include "solvers/rosenbrock.h"
#include "system/path.h"
#include "system/signal.h"
#include "system/single.h"
#include "unseen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the simulations of all lanes have in common. */
typedef struct family {
    int bodies; /* and contacts */
    int ends[BRI_LANE_BODIES][2];
    const bri_model *model;
    const rodas *method;
    const bri_lane_law *law;
    int cornered, timed;
    double rtol, atol;
} family;

typedef struct seat {
    bri_sim *sim;      /* NULL: the lane is free */
    double until;      /* where it is to be */
    double side;       /* -1: its body is the second end of the contact, all is mirrored */
    sim_slide *slides; /* of its contacts, or NULL */
    int again;         /* times that the step has been made shorter ... */
    double done;       /* ... after so many of them */
} seat;

struct sim_lanes {
    bri_lane_pack pack;
    family of;
    seat seats[BRI_LANES];
    int count;                     /* of seats that are taken */
    unsigned inside, out, arrived; /* bits: ahead of the simulation; not so; with its end */
};

sim_lanes *sim_lanes_new(void) {
    sim_lanes *l = aligned_alloc(_Alignof(sim_lanes), sizeof *l);
    if (l) memset(l, 0, sizeof *l);
    return l;
}

void sim_lanes_free(sim_lanes *l) { free(l); }

/* ---- who fits ---------------------------------------------------------------------------------
 */

static int contact_fits(const touch *c) {
    return c->load == BRI_LOAD_CONSTANT && c->n > BRI_NO_LOAD && c->corner && !c->cusp &&
           !c->unmoved && c->n_zones <= BRI_LANE_ZONES;
}

/* Nonzero: a signal is straight between kinks, and these are few: at each one a run goes on alone.
 */
static int is_plain(const bri_signal *s, const network *net) {
    const int most = 32;
    double t = net->t_start;
    if (!signal_is_straight(s)) return 0;
    for (int i = 0; i <= most; i++)
        if (!((t = s->kind->kink(s, t)) < net->t_end)) return 1;
    return 0;
}

/* What drives the rig does so along straight lines. */
static int drives_fit(const network *net) {
    if (net->n_driven > 0 || net->n_formulas > 0) return 0;
    for (int i = 0; i < net->n_motions; i++)
        if (!is_plain(net->motions[i].signal, net)) return 0;
    for (int i = 0; i < net->n_pushes; i++)
        if (net->pushes[i].by || !is_plain(&net->pushes[i].force, net)) return 0;
    return 1;
}

static int is_timed(const network *net) { return !net->autonomous || net->n_pushes > 0; }

/* Nothing happens but that contacts turn. */
static int only_turns(const bri_sim *sim) {
    return sim->freezes && !sim->law_events && sim->n_switches == 0 &&
           sim->n_events == sim->net->n_touches;
}

/* As many contacts as bodies, with one law of one state, and linear couplings. */
static int is_few(const bri_sim *sim) {
    const network *net = sim->net;
    int n = net->n_free;
    if (n < 2 || n > BRI_LANE_BODIES || net->n_touches != n || net->n != 3 * n) return 0;
    if (!net->packed || net->n_packs != 1 || net->packs[0].count != n) return 0;
    if (net->n_link_runs > 0) return 0;
    for (int c = 0; c < n; c++)
        if (net->touches[c].first != c || net->touches[c].n_zones != net->touches[0].n_zones)
            return 0;
    return 1;
}

static int family_of(const bri_sim *sim, family *to) {
    const network *net = sim->net;
    const touch *c = &net->touches[0];
    int exponent, one = sim->single && net->n == 3;
    if (!net->wanted->lanes || bri_level_best() == BRI_LEVEL_LIBM) return 0;
    if (!bri_kernels(BRI_LEVEL_AUTO)->lanes_attempt) return 0;
    if (!sim->looks || (!one && !is_few(sim)) || !only_turns(sim)) return 0;
    if (is_timed(net) && !drives_fit(net)) return 0;
    if (sim->tangent || net->n_pieced > 0 || !sim->solver->course || sim->cornered > 1) return 0;
    const rosenbrock *r = (const rosenbrock *)sim->s;
    *to = (family){.bodies = net->n_free,
                   .model = c->model,
                   .method = r->at.method,
                   .cornered = sim->cornered,
                   .timed = is_timed(net),
                   .rtol = r->at.rtol,
                   .atol = r->at.atol,
                   .law = bri_lane_law_of(bri_kernels(BRI_LEVEL_AUTO), c->model, c->p, &exponent)};
    for (int i = 0; i < net->n_free; i++) {
        if (!contact_fits(c + i)) return 0;
        to->ends[i][0] = c[i].a;
        to->ends[i][1] = c[i].b;
    }
    return to->law != NULL;
}

int sim_lanes_fit(const bri_sim *sim) {
    family of;
    return !sim->stale && family_of(sim, &of);
}

int sim_lanes_match(const sim_lanes *l, const bri_sim *sim) {
    family of;
    if (l->count == 0) return 1;
    return family_of(sim, &of) && of.bodies == l->of.bodies && of.model == l->of.model &&
           of.method == l->of.method && of.law == l->of.law && of.cornered == l->of.cornered &&
           of.timed == l->of.timed && of.rtol == l->of.rtol && of.atol == l->of.atol &&
           (of.bodies == 1 || memcmp(of.ends, l->of.ends, sizeof of.ends) == 0);
}

/* ---- in and out ------------------------------------------------------------------------------ */

/* What lanes have of an unknown of the simulation: positions and velocities may be mirrored. */
static double side_in(const sim_lanes *l, int i, int unknown) {
    return unknown < 2 * l->of.bodies ? l->seats[i].side : 1.0;
}

/* All couplings of several bodies together. */
static void get_couplings(bri_lane_pack *k, int i, const network *net) {
    int n = net->n_free;
    for (int b = 0; b < n; b++) {
        k->force[b][i] = net->weight[b];
        for (int j = 0; j < n; j++) k->stiffness[b][j][i] = k->damping[b][j][i] = 0.0;
    }
    for (int m = 0; m < 2 * net->n_bars; m++) {
        const bar *l = &net->bars[m / 2];
        int at = m % 2 ? l->b : l->a, to = m % 2 ? l->a : l->b;
        if (at >= n) continue;
        k->stiffness[at][at][i] += l->k;
        k->damping[at][at][i] += l->c;
        k->force[at][i] += m % 2 ? -l->rest : l->rest;
        if (to < n) {
            k->stiffness[at][to][i] -= l->k;
            k->damping[at][to][i] -= l->c;
        } else {
            k->force[at][i] += l->k * net->pos[to];
        }
    }
}

/* The velocity of what a contact slides on, beside those of the bodies. */
static double far_of(const network *net, const touch *c) {
    return (c->b >= net->n_free ? net->vel[c->b] : 0.0) -
           (c->a >= net->n_free ? net->vel[c->a] : 0.0);
}

/* Power that holds what is moved against its weight. */
static double held_by(const network *net) {
    double sum = 0.0;
    for (int n = 0; n < net->n_motions; n++)
        sum += net->weight[net->motions[n].at] * net->vel[net->motions[n].at];
    return sum;
}

/* What a contact needs of itself; its other end stands or moves by itself. */
static void get_contact(sim_lanes *l, int i, int n) {
    bri_lane_pack *k = &l->pack;
    const bri_sim *sim = l->seats[i].sim;
    const network *net = sim->net;
    const touch *c = &net->touches[n];
    double side = l->seats[i].side;
    k->far[n][i] = far_of(net, c);
    for (int b = 0; b < net->n_free; b++) k->sides[n][b] = side * ((c->a == b) - (c->b == b));
    k->load[n][i] = c->n;
    k->v_size[n][i] = c->v_size;
    k->felt[n][i] = sim->atol * c->v_size;
    k->n_zones = c->n_zones;
    for (int m = 0; m < c->n_zones; m++) {
        k->zone[n][m][i] = c->zone[m];
        k->per_zone[n][m][i] = 1.0 / c->zone[m];
    }
    for (int m = 0; m < c->model->n_params; m++) k->p[n][m][i] = c->p[m];
}

static void get_rig(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    bri_sim *sim = l->seats[i].sim;
    const network *net = sim->net;
    double side = l->seats[i].side = net->n_free == 1 ? side_of(&net->touches[0]) : 1.0;
    if (net->n_free == 1) {
        k->stiffness[0][0][i] = net->single.stiffness;
        k->damping[0][0][i] = net->single.damping;
        k->force[0][i] = side * net->single.force;
    } else {
        get_couplings(k, i, net);
    }
    k->held[i] = held_by(net);
    for (int b = 0; b < net->n_free; b++) {
        k->mass[b][i] = net->mass[b];
        k->per_mass[b][i] = net->per_mass[b];
        for (int j = 0; j < net->n_free; j++) k->damped |= k->damping[b][j][i] != 0.0;
        get_contact(l, i, b);
    }
    for (int n = 0; n < net->n; n++) {
        k->expected[n][i] = net->expected[n];
        k->origin[n][i] = side_in(l, i, n) * net->origin[n];
    }
}

/* ---- what changes with time ------------------------------------------------------------------ */

/* A coupling whose end `to` is moved: T = rest + k (p - x) + c (p' - v) on the body at its other
 * end, with p' constant; p' T of work, c (p' - v)^2 of heat. */
static void get_moved_end(bri_lane_pack *k, int i, const network *net, const link *l, double side) {
    int second = l->at[0] >= net->n_free, at = l->at[second], to = l->at[!second];
    if (at >= net->n_free || to < net->n_free) return;
    double p = net->pos[to], speed = net->vel[to], rest = second ? -l->rest : l->rest;
    k->force[at][i] += side * (rest + l->by_L * p + l->by_rate * speed);
    k->force_by[at][i] += side * l->by_L * speed;
    k->work_at[i] += (rest + l->by_L * p + l->by_rate * speed) * speed;
    k->work_by[i] += l->by_L * speed * speed;
    k->work_x[at][i] += side * l->by_L * speed;
    k->work_v[at][i] -= side * l->by_rate * speed;
    k->heat_at[i] += l->by_rate * speed * speed;
    k->heat_v[at][i] += 2.0 * side * l->by_rate * speed;
}

/* What is between two bodies pulls with its rest length, whatever the time. */
static void get_free_ends(bri_lane_pack *k, int i, const network *net, const link *l) {
    if (l->at[0] >= net->n_free || l->at[1] >= net->n_free) return;
    k->force[l->at[0]][i] += l->rest;
    k->force[l->at[1]][i] -= l->rest;
}

/* Nonzero: all that is moved at the ends of couplings, or has a weight, does so at a constant
 * speed. */
static int is_steady(const network *net) {
    for (int n = 0; n < net->n_motions; n++) {
        int at = net->motions[n].at;
        if (net->acc[at] != 0.0 && (!net->motions[n].unseen || net->weight[at] != 0.0)) return 0;
    }
    return 1;
}

static void get_far_by(bri_lane_pack *k, int i, const network *net, int n) {
    const touch *c = &net->touches[n];
    k->far_by[n][i] = 0.0;
    if (c->a >= net->n_free) k->far_by[n][i] -= net->acc[c->a];
    if (c->b >= net->n_free) k->far_by[n][i] += net->acc[c->b];
    k->far[n][i] = far_of(net, c);
}

/* The drives from where the simulation stands up to the next kink; 0: they are not straight there.
 */
static int get_drives(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    network *net = l->seats[i].sim->net;
    double side = l->seats[i].side, t = l->seats[i].sim->s->t, s[4];
    network_move(net, t);
    if (!is_steady(net)) return 0;
    k->since[i] = t;
    k->work_at[i] = k->work_by[i] = k->heat_at[i] = 0.0;
    for (int b = 0; b < net->n_free; b++) {
        k->force[b][i] = side * net->weight[b];
        k->force_by[b][i] = k->work_x[b][i] = k->heat_v[b][i] = 0.0;
        k->work_v[b][i] = k->work_v_by[b][i] = 0.0;
        get_far_by(k, i, net, b);
    }
    for (int n = 0; n < net->n_links; n++) {
        get_moved_end(k, i, net, &net->links[n], side);
        get_free_ends(k, i, net, &net->links[n]);
    }
    for (int n = 0; n < net->n_pushes; n++) {
        int at = net->pushes[n].at;
        if (at >= net->n_free) continue;
        signal_rates(&net->pushes[n].force, network_clock(net, t), s);
        k->force[at][i] += side * s[1];
        k->force_by[at][i] += side * s[2];
        k->work_v[at][i] += side * s[1];
        k->work_v_by[at][i] += side * s[2];
    }
    k->held[i] = held_by(net);
    return 1;
}

/* Of the simulation itself, at the velocities to which what is moved was moved last. */
static double sliding(const network *net, int contact, const double *y) {
    const touch *c = &net->touches[contact];
    int n = net->n_free;
    return (c->a < n ? y[n + c->a] : net->vel[c->a]) - (c->b < n ? y[n + c->b] : net->vel[c->b]);
}

static bri_input input_of(const touch *c, double v) {
    return (bri_input){.v = v, .n = c->n, .mode = c->mode};
}

static double stored(const touch *c, double z) {
    double grad[1];
    bri_input u = input_of(c, 0.0);
    return c->model->stored ? c->model->stored(c->model, c->p, &u, &z, grad) : 0.0;
}

static double pieces(const touch *c, double v, double z) {
    bri_input u = input_of(c, v);
    return c->model->pieces(c->model, c->p, &u, &z);
}

/* Who slides is followed in the lane; starts and stops are counted here. */
static void enter_slides(bri_lane_pack *k, int i, const sim_slide *s) {
    k->speed[i] = s ? s->speed : INFINITY;
    k->asked |= s != NULL;
    for (int c = 0; c < k->bodies; c++) {
        k->slides[c][i] = s ? s[c].slides : 0.0;
        k->slid[c][i] = s ? s[c].slid : 0.0;
    }
}

static void leave_slides(const bri_lane_pack *k, int i, sim_slide *s) {
    for (int c = 0; c < k->bodies; c++) {
        s[c].slides = k->slides[c][i] > 0.5;
        s[c].slid = k->slid[c][i];
    }
}

/* Over a part of the last step of the simulation. */
static void follow_alone(const seat *at, double from, double to) {
    if (at->slides) sim_slides_follow(at->sim, from, to, at->slides, NULL);
}

/* Over the last step of a lane, in which contact n may start or stop. */
static void follow_in_lane(sim_lanes *l, int i, int n) {
    bri_lane_pack *k = &l->pack;
    sim_slide *s = &l->seats[i].slides[n];
    double c[SOLVER_COURSE];
    for (int j = 0; j < SOLVER_COURSE; j++) c[j] = k->sliding[n][j][i];
    s->slides = k->slides[n][i] > 0.5;
    s->slid = k->slid[n][i];
    sim_slide_over(s, c, k->taken[i]);
    k->slides[n][i] = s->slides;
    k->slid[n][i] = s->slid;
}

/* More turns than this in a millionth of the run: it trembles, and the simulation sees to it. */
enum { FEW_TURNS = 10 };

static double trembles(const bri_sim *sim) {
    int most = 0;
    for (int c = 0; c < sim->net->n_touches; c++)
        if (sim->counts[c] > most) most = sim->counts[c];
    return most > FEW_TURNS;
}

/* The law of a contact where the lane begins. */
static void enter_contact(sim_lanes *l, int i, int n) {
    static const int few[BRI_DERIVATIVES] = {1, 3, 5, 7};
    bri_lane_pack *k = &l->pack;
    const bri_sim *sim = l->seats[i].sim;
    const touch *c = &sim->net->touches[n];
    double z = sim->s->y[2 * l->of.bodies + n], v = sliding(sim->net, n, sim->s->y), dz, J[8];
    bri_input u = input_of(c, v);
    k->way[n][i] = (double)c->mode;
    k->v[n][i] = v;
    k->bow[n][i] = NAN; /* not known yet */
    k->F[n][i] = bri_model_eval(c->model, c->p, &u, &z, &dz);
    k->dz[n][i] = dz;
    bri_model_jac(c->model, c->p, &u, &z, J);
    for (int d = 0; d < BRI_DERIVATIVES; d++) k->slope[n][d][i] = J[few[d]];
    k->stored[i] += stored(c, z);
    k->pieces[n][i] = sim->cornered ? pieces(c, v, z) : 0.0;
}

/* Nonzero: every contact has its direction. */
static int is_directed(bri_sim *sim) {
    const network *net = sim->net;
    if (!sim->continues || sim->undirected) sim_start_functions(sim);
    if (sim->undirected) return 0;
    for (int c = 0; c < net->n_touches; c++) {
        bri_mode mode = net->touches[c].mode;
        if (mode != BRI_SLIDE_POS && mode != BRI_SLIDE_NEG) return 0;
    }
    return 1;
}

/* Go on in the lane from where the simulation stands; 0: it wants to do the next step itself. */
static int enter(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    network *net = sim->net;
    rosenbrock *r = (rosenbrock *)sim->s;
    if (!sim->begun || sim->stale || !(sim->s->t < at->until)) return 0;
    if (sim->cornered && sim->s->t == sim->corner_at) return 0;
    if (!(sim->s->t < sim->ahead)) sim_look_ahead(sim);
    if (!is_directed(sim)) return 0;
    if (k->timed && !get_drives(l, i)) return 0;
    if (sim->t < sim->s->t) follow_alone(at, sim->t, sim->s->t);
    for (int n = 0; n < net->n; n++) {
        k->y[n][i] = side_in(l, i, n) * sim->s->y[n];
        k->nominal[n][i] = net->nominal[n];
        k->begin[n][i] = side_in(l, i, n) * r->at.y[n];
    }
    k->stored[i] = 0.0;
    for (int c = 0; c < l->of.bodies; c++) enter_contact(l, i, c);
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
    k->wish[i] = 0.0;
    k->heat[i] = sim->heat;
    k->work[i] = sim->work;
    k->astray[i] = sim->astray;
    k->heated[i] = sim->heated;
    k->regained[i] = sim->regained;
    k->turned[i] = sim->turned;
    k->t_before[i] = sim->s->t_prev;
    k->heat_before[i] = sim->heat_prev;
    k->work_before[i] = sim->work_prev;
    k->until[i] = at->until;
    k->most[i] =
        sim->max_steps > 0 ? (double)(sim->max_steps - sim->s->steps - sim->s->rejected) : INFINITY;
    k->tried[i] = k->done[i] = 0.0;
    k->early[i] = (double)(CONTROL_START - sim->s->steps);
    k->trembles[i] = trembles(sim);
    enter_slides(k, i, at->slides);
    l->inside |= 1u << i;
    l->out &= ~(1u << i);
    return 1;
}

/* The last step of the lane, from `from` to `to`, as that of the simulation's solver. */
static void leave_step(sim_lanes *l, int i, const bri_lane *from, const bri_lane *to, int stages) {
    const bri_lane_pack *k = &l->pack;
    rosenbrock *r = (rosenbrock *)l->seats[i].sim->s;
    int unknowns = 3 * l->of.bodies;
    for (int n = 0; n < unknowns; n++) {
        double by = side_in(l, i, n);
        r->base.y[n] = by * to[n][i];
        r->at.y[n] = by * from[n][i];
        for (int j = 0; j < stages; j++) r->at.U[unknowns * j + n] = by * k->U[j][n][i];
    }
    r->dense_ready = 0;
}

/* The simulation stands where the lane does; `made`: the last attempt was a step, and its stages
 * are those of the simulation's last. */
static void leave(sim_lanes *l, int i, int made) {
    const bri_lane_pack *k = &l->pack;
    seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    network *net = sim->net;
    rosenbrock *r = (rosenbrock *)sim->s;
    long tried = (long)k->tried[i], steps = (long)k->done[i];
    r->base.evals += tried * k->method->stages;
    r->base.factorisations += tried;
    r->base.jacobians += tried;
    r->base.steps += steps;
    r->base.rejected += tried - steps;
    if (at->slides) leave_slides(k, i, at->slides);
    leave_step(l, i, k->begin, k->y, made ? k->method->stages : 0);
    for (int n = 0; n < net->n; n++) net->nominal[n] = k->nominal[n][i];
    r->at.h = made ? k->taken[i] : k->t[i] - k->t_before[i];
    r->at.t = r->base.t_prev = k->t_before[i];
    r->base.t = sim->t = k->t[i];
    r->at.fresh = 0;
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
    if (k->timed) network_move(net, k->t[i]);
    for (int c = 0; c < net->n_touches; c++) {
        sim->v_to[c] = sliding(net, c, r->base.y);
        sim->g_end[sim->first[c]] = (double)net->touches[c].mode * sim->v_to[c];
        sim->modes[c] = sim_mode_of(&net->touches[c]);
    }
    sim->course_t = NAN;
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
        follow_alone(at, before, sim->t);
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
    if (status == BRI_OK) follow_alone(at, sim->s->t_prev, sim->t);
    return status;
}

void sim_lanes_put(sim_lanes *l, int lane, bri_sim *sim, double t, sim_slide *slides) {
    bri_lane_pack *k = &l->pack;
    if (l->count++ == 0) {
        family_of(sim, &l->of);
        *k = (bri_lane_pack){.bodies = l->of.bodies,
                             .method = l->of.method,
                             .law = l->of.law,
                             .cornered = l->of.cornered,
                             .timed = l->of.timed,
                             .rtol = l->of.rtol,
                             .atol = l->of.atol};
        for (int i = 0; i < BRI_LANES; i++) { /* what is computed where nobody is stays finite */
            l->seats[i].sim = sim;
            get_rig(l, i);
            k->stop[i] = -INFINITY;
            for (int c = 0; c < k->bodies; c++) k->way[c][i] = 1.0;
            for (int n = 0; n < 3 * k->bodies; n++) k->nominal[n][i] = 1.0;
            enter_slides(k, i, NULL);
            l->seats[i] = (seat){0};
        }
    }
    l->seats[lane] = (seat){.sim = sim, .until = t, .slides = slides};
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
    int n = (int)k->turns[i];
    touch *c = &sim->net->touches[n];
    sim->s->t = k->t[i];
    sim_count_event(sim, n);
    sim->force_before[n] = k->F[n][i];
    c->mode = (bri_mode) - (int)c->mode;
    sim_report_changes(sim);
    k->way[n][i] = -k->way[n][i];
    k->past[i] = 0.0;
    k->trembles[i] = trembles(sim);
    if (sim->cornered) k->pieces[n][i] = pieces(c, k->v[n][i], k->y[2 * k->bodies + n][i]);
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
    leave_step(l, i, k->y, k->end, k->method->stages);
    r->at.h = k->taken[i];
    r->at.t = r->base.t_prev = k->t[i];
    r->base.t = k->t[i] + k->taken[i];
    if (k->timed) network_move(sim->net, r->at.t);
    for (int c = 0; c < k->bodies; c++) sim->v_from[c] = sliding(sim->net, c, r->at.y);
    if (k->timed) network_move(sim->net, r->base.t);
    for (int c = 0; c < k->bodies; c++) sim->v_to[c] = sliding(sim->net, c, r->base.y);
    double end = sim_better_end(sim);
    return isinf(end) ? INFINITY : (end - k->t[i]) / k->taken[i];
}

/* A step that may have passed over something: it is as good as it seems, or is made again up to
 * there, or the simulation sees to it. */
static void look_closer(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    seat *at = &l->seats[i];
    int turned = 0, at_once = 0;
    if (at->done != k->done[i]) at->again = 0;
    at->done = k->done[i];
    k->outcome[i] = BRI_LANE_BY_HAND;
    for (int c = 0; c < k->bodies; c++) {
        double from = k->way[c][i] * k->v[c][i], to = k->way[c][i] * k->v_end[c][i];
        turned |= to <= 0.0;
        at_once |= to <= 0.0 && !(from >= AT_ONCE * (from - to));
    }
    double share = better_end(l, i);
    if (isinf(share) && !at_once) {
        k->outcome[i] = turned ? BRI_LANE_TURNED : BRI_LANE_MADE;
    } else if (share > 0.0 && share < 1.0 && at->again++ < MOST_SHORTER) {
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
    int i = __builtin_ctz(*lanes);
    *lanes &= *lanes - 1u;
    return i;
}

/* Who may have started or stopped in the steps just made. */
static void follow_changes(sim_lanes *l) {
    for (int c = 0; c < l->pack.bodies; c++)
        for (unsigned changes = l->pack.changes[c]; changes;)
            follow_in_lane(l, first_of(&changes), c);
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
        if (k->asked) follow_changes(l);
        while (seen_to) see_to(l, first_of(&seen_to));
    }
    return -1;
}
