/* lanes_seat.c - a simulation and its lane: one takes over from the other where a run is, and the
 * simulation counts, turns and looks closer for the lane. */
#include "lanes_parts.h"
#include "sim.h"
#include "solvers/rosenbrock.h"
#include "unseen.h"

#include <math.h>
#include <string.h>

/* ---- who slides ------------------------------------------------------------------------------ */

void lane_enter_slides(bri_lane_pack *k, int i, const sim_slide *s) {
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

void lane_follow_alone(const lane_seat *at, double from, double to) {
    if (at->task.slides) sim_slides_follow(at->sim, from, to, at->task.slides, NULL);
}

void lane_follow(sim_lanes *l, int i, int n) {
    bri_lane_pack *k = &l->pack;
    sim_slide *s = &l->seats[i].task.slides[n];
    double c[SOLVER_COURSE];
    for (int j = 0; j < SOLVER_COURSE; j++) c[j] = k->sliding[n][j][i];
    s->slides = k->slides[n][i] > 0.5;
    s->slid = k->slid[n][i];
    sim_slide_over(s, c, k->taken[i]);
    k->slides[n][i] = s->slides;
    k->slid[n][i] = s->slid;
}

/* ---- in and out ------------------------------------------------------------------------------ */

/* Of the simulation itself, at the velocities to which what is moved was moved last. */
static double sliding(const network *net, int contact, const double *y) {
    const touch *c = &net->touches[contact];
    int n = net->n_free;
    return (c->a < n ? y[n + c->a] : net->vel[c->a]) - (c->b < n ? y[n + c->b] : net->vel[c->b]);
}

static bri_input input_of(const touch *c, double v) {
    return (bri_input){.v = v, .n = c->n, .mode = c->mode};
}

static double stored(const touch *c, const double *z) {
    double grad[BRI_LANE_STATES];
    bri_input u = input_of(c, 0.0);
    return c->model->stored ? c->model->stored(c->model, c->p, &u, z, grad) : 0.0;
}

static double pieces(const touch *c, double v, const double *z) {
    bri_input u = input_of(c, v);
    return c->model->pieces(c->model, c->p, &u, z);
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
    const int states = l->of.states, columns = 3 + states; /* of x, v, load and states */
    bri_lane_pack *k = &l->pack;
    const bri_sim *sim = l->seats[i].sim;
    const touch *c = &sim->net->touches[n];
    const double *z = sim->s->y + 2 * l->of.bodies + c->first;
    double v = sliding(sim->net, n, sim->s->y), dz[BRI_LANE_STATES];
    double J[(1 + BRI_LANE_STATES) * (3 + BRI_LANE_STATES)];
    bri_input u = input_of(c, v);
    k->way[n][i] = l->of.directed ? (double)c->mode : 0.0;
    k->v[n][i] = v;
    k->bow[n][i] = NAN; /* not known yet */
    k->F[n][i] = bri_model_eval(c->model, c->p, &u, z, dz);
    for (int s = 0; s < states; s++) k->dz[c->first + s][i] = dz[s];
    bri_model_jac(c->model, c->p, &u, z, J);
    for (int row = 0; row <= states; row++)
        for (int by = 0; by <= states; by++)
            k->slope[n][bri_lane_slope(states, row, by)][i] =
                J[row * columns + (by == 0 ? 1 : 2 + by)];
    k->stored[i] += stored(c, z);
    k->pieces[n][i] = sim->cornered ? pieces(c, v, z) : 0.0;
}

/* Nonzero: every contact that has one has its direction. */
static int is_directed(bri_sim *sim) {
    const network *net = sim->net;
    if (!sim->freezes) return 1;
    if (!sim->continues || sim->undirected) sim_start_functions(sim);
    if (sim->undirected) return 0;
    for (int c = 0; c < net->n_touches; c++) {
        bri_mode mode = net->touches[c].mode;
        if (mode != BRI_SLIDE_POS && mode != BRI_SLIDE_NEG) return 0;
    }
    return 1;
}

int lane_enter(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    lane_seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    network *net = sim->net;
    rosenbrock *r = (rosenbrock *)sim->s;
    if (!sim->begun || sim->stale || !(sim->s->t < at->task.until)) return 0;
    if (!(sim->s->t < sim->ahead)) sim_look_ahead(sim);
    if (!is_directed(sim)) return 0;
    if (k->timed && !lane_get_drives(l, i)) return 0;
    if (sim->t < sim->s->t) {
        lane_follow_alone(at, sim->t, sim->s->t);
        lane_look_alone(at, sim->t, sim->s->t);
    }
    k->due[i] = at->task.due;
    for (int n = 0; n < net->n; n++) {
        k->y[n][i] = lane_side(l, i, n) * sim->s->y[n];
        k->nominal[n][i] = net->nominal[n];
        k->begin[n][i] = lane_side(l, i, n) * r->at.y[n];
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
    k->corner[i] = sim->corner_at;
    k->corner_width[i] = sim->corner_width;
    k->heat[i] = sim->heat;
    k->work[i] = sim->work;
    k->astray[i] = sim->astray;
    k->heated[i] = sim->heated;
    k->regained[i] = sim->regained;
    k->turned[i] = sim->turned;
    k->t_before[i] = sim->s->t_prev;
    k->heat_before[i] = sim->heat_prev;
    k->work_before[i] = sim->work_prev;
    k->until[i] = at->task.until;
    k->most[i] =
        sim->max_steps > 0 ? (double)(sim->max_steps - sim->s->steps - sim->s->rejected) : INFINITY;
    k->tried[i] = k->done[i] = 0.0;
    k->early[i] = (double)(CONTROL_START - sim->s->steps);
    k->trembles[i] = trembles(sim);
    lane_enter_slides(k, i, at->task.slides);
    l->inside |= 1u << i;
    l->out &= ~(1u << i);
    return 1;
}

/* The last step of the lane, from `from` to `to`, as that of the simulation's solver. */
static void leave_step(sim_lanes *l, int i, const bri_lane *from, const bri_lane *to, int stages) {
    const bri_lane_pack *k = &l->pack;
    rosenbrock *r = (rosenbrock *)l->seats[i].sim->s;
    int unknowns = lane_unknowns(&l->of);
    for (int n = 0; n < unknowns; n++) {
        double by = lane_side(l, i, n);
        r->base.y[n] = by * to[n][i];
        r->at.y[n] = by * from[n][i];
        for (int j = 0; j < stages; j++) r->at.U[unknowns * j + n] = by * k->U[j][n][i];
    }
    r->dense_ready = 0;
}

/* The simulation stands at the end of the last step of the lane; `made`: of which it has the
 * stages. */
static void stand(sim_lanes *l, int i, int made) {
    const bri_lane_pack *k = &l->pack;
    bri_sim *sim = l->seats[i].sim;
    network *net = sim->net;
    rosenbrock *r = (rosenbrock *)sim->s;
    leave_step(l, i, k->begin, k->y, made ? k->method->stages : 0);
    for (int n = 0; n < net->n; n++) net->nominal[n] = k->nominal[n][i];
    r->at.h = made ? k->taken[i] : k->t[i] - k->t_before[i];
    r->at.t = r->base.t_prev = k->t_before[i];
    r->base.t = sim->t = k->t[i];
    r->at.fresh = 0;
    sim->heat = k->heat[i];
    sim->work = k->work[i];
    sim->heat_prev = k->heat_before[i];
    sim->work_prev = k->work_before[i];
    if (k->timed) network_move(net, k->t[i]);
    for (int c = 0; c < net->n_touches; c++) {
        sim->v_to[c] = sliding(net, c, r->base.y);
        if (l->of.directed) sim->g_end[sim->first[c]] = (double)net->touches[c].mode * sim->v_to[c];
        sim->modes[c] = sim_mode_of(&net->touches[c]);
    }
    sim->course_t = NAN;
    sim->jumped = sim->shown = 0;
}

void lane_leave(sim_lanes *l, int i, int made) {
    const bri_lane_pack *k = &l->pack;
    lane_seat *at = &l->seats[i];
    bri_sim *sim = at->sim;
    rosenbrock *r = (rosenbrock *)sim->s;
    long tried = (long)k->tried[i], steps = (long)k->done[i];
    r->base.evals += tried * k->method->stages;
    r->base.factorisations += tried;
    r->base.jacobians += tried;
    r->base.steps += steps;
    r->base.rejected += tried - steps;
    if (at->task.slides) leave_slides(k, i, at->task.slides);
    stand(l, i, made);
    r->h = k->h[i];
    r->h_done = k->h_done[i];
    r->past = k->past[i];
    sim->astray = k->astray[i];
    sim->heated = k->heated[i];
    sim->regained = k->regained[i];
    sim->turned = k->turned[i];
    sim->continues = 1;
    l->inside &= ~(1u << i);
    l->out |= 1u << i;
    l->pack.stop[i] = -INFINITY; /* nobody is in it */
}

/* ---- looked at on the way -------------------------------------------------------------------- */

void lane_look_alone(lane_seat *at, double from, double to) {
    if (!(at->task.due <= to)) return;
    at->sim->t = from;
    at->task.due = at->task.look(at->task.self, to);
    bri_sim_advance(at->sim, to, NULL); /* it is within its last step */
}

/* The dense output of a step that has been ended early is that of the whole, whose end is its last
 * stage; see rosenbrock_cut(). */
static void keep_whole(sim_lanes *l, int i) {
    const bri_lane_pack *k = &l->pack;
    const rodas *m = k->method;
    bri_sim *sim = l->seats[i].sim;
    rosenbrock *r = (rosenbrock *)sim->s;
    int unknowns = lane_unknowns(&l->of), last = m->stages - 1;
    double end[BRI_LANE_UNKNOWNS];
    memcpy(end, r->base.y, sizeof *end * (size_t)unknowns);
    for (int n = 0; n < unknowns; n++) {
        double sum = r->at.U[unknowns * last + n];
        for (int j = 0; j < last; j++) sum += m->a[last][j] * r->at.U[unknowns * j + n];
        r->base.y[n] = r->at.y[n] + sum;
    }
    r->at.h = k->whole[i];
    r->base.t = r->at.t + r->at.h;
    sim->solver->interpolate(sim->s, r->at.t + 0.5 * r->at.h, r->at.Y);
    r->base.t = k->t[i];
    memcpy(r->base.y, end, sizeof *end * (size_t)unknowns);
}

void lane_look(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    lane_seat *at = &l->seats[i];
    stand(l, i, 1);
    if (k->outcome[i] == BRI_LANE_TURNED) keep_whole(l, i);
    lane_look_alone(at, k->t_before[i], fmin(k->t[i], at->task.until));
    k->due[i] = at->task.due;
}

/* ---- turns ----------------------------------------------------------------------------------- */

void lane_turn(sim_lanes *l, int i) {
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
    if (!sim->cornered) return;
    double z[BRI_LANE_STATES];
    for (int s = 0; s < l->of.states; s++) z[s] = k->y[2 * k->bodies + c->first + s][i];
    k->pieces[n][i] = pieces(c, k->v[n][i], z);
}

/* ---- closer ---------------------------------------------------------------------------------- */

/* Times that a step is made shorter in the lane, see MOST_AIMED of step.c. */
enum { MOST_SHORTER = 8 };

/* Where the step should have ended because of a corner of the law: steps begin near where they
 * should, not there to the last bit. */
static double corner_end(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    bri_sim *sim = l->seats[i].sim;
    if (fabs(k->t[i] - k->corner[i]) <= 0.5 * k->corner_width[i]) sim->corner_at = k->t[i];
    double end = sim_corner_end(sim);
    if (sim->corner_at > k->t[i])
        k->corner[i] = sim->corner_at; /* else it is this step that leads over */
    k->corner_width[i] = sim->corner_width;
    return end;
}

void lane_leave_attempt(sim_lanes *l, int i) {
    const bri_lane_pack *k = &l->pack;
    leave_step(l, i, k->y, k->end, k->method->stages);
}

/* The courses of the velocities over the step, as the simulation's solver would find them. */
static void leave_courses(sim_lanes *l, int i) {
    const bri_lane_pack *k = &l->pack;
    const int n = l->of.bodies;
    double *to = l->seats[i].sim->courses, side = l->seats[i].side;
    for (int j = 0; j < SOLVER_COURSE; j++)
        for (int b = 0; b < n; b++)
            to[j * n + b] = n == 1 ? k->sliding[0][j][i] : k->moving[b][j][i];
    if (n > 1) return;
    double s = k->timed ? k->t[i] - k->since[i] : 0.0, by = k->timed ? k->far_by[0][i] : 0.0;
    to[0] += k->far[0][i] + by * s;
    to[1] += by * k->taken[i];
    for (int j = 0; j < SOLVER_COURSE; j++) to[j] *= side;
}

double lane_better_end(sim_lanes *l, int i) {
    const bri_lane_pack *k = &l->pack;
    bri_sim *sim = l->seats[i].sim;
    rosenbrock *r = (rosenbrock *)sim->s;
    const int whole = sim->cornered || sim->curved; /* they look at more than velocities */
    if (whole) {
        lane_leave_attempt(l, i);
        for (int n = 0; n < sim->net->n; n++) sim->net->nominal[n] = k->nominal[n][i];
    } else {
        leave_courses(l, i);
    }
    r->at.h = k->taken[i];
    r->at.t = r->base.t_prev = k->t[i];
    r->base.t = k->t[i] + k->taken[i];
    sim->jumped = sim->follows = 0; /* before this step or after it */
    if (k->timed) network_move(sim->net, r->base.t);
    for (int c = 0; c < k->bodies; c++) {
        sim->v_from[c] = k->v[c][i];
        sim->v_to[c] = k->v_end[c][i];
    }
    double end = whole ? sim_better_end(sim) : sim_better_end_along(sim);
    if (isinf(end) && sim->cornered) end = corner_end(l, i);
    return isinf(end) ? INFINITY : (end - k->t[i]) / k->taken[i];
}

void lane_look_closer(sim_lanes *l, int i) {
    bri_lane_pack *k = &l->pack;
    lane_seat *at = &l->seats[i];
    int turned = 0, at_once = 0;
    if (at->done != k->done[i]) at->again = 0;
    at->done = k->done[i];
    k->outcome[i] = BRI_LANE_BY_HAND;
    for (int c = 0; l->of.directed && c < k->bodies; c++) {
        double from = k->way[c][i] * k->v[c][i], to = k->way[c][i] * k->v_end[c][i];
        turned |= to <= 0.0;
        at_once |= to <= 0.0 && !(from >= AT_ONCE * (from - to));
    }
    double share = lane_better_end(l, i);
    if (isinf(share) && !at_once) {
        k->outcome[i] = turned ? BRI_LANE_TURNED : BRI_LANE_MADE;
    } else if (share > 0.0 && share < 1.0 && at->again++ < MOST_SHORTER) {
        k->outcome[i] = BRI_LANE_REFUSED;
        k->cut[i] = share;
    }
}
