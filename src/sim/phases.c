/* phases.c - one body on one contact that sticks exactly, while nothing from outside changes: what
 * happens next is known without looking around.
 *
 * While it sticks it moves with what it sticks to, on a straight line, and the force that holds it
 * grows steadily: when that reaches the static level is a division. While it slides only its
 * sliding velocity can end that, a polynomial over each step, whose first zero is found by halving
 * its Bernstein form: no turn and back is passed over. Where friction is affine in the velocity the
 * body swings freely meanwhile, and a step along the closed form, sim_arc, has no error: it lasts
 * as long as the contact slides. Whatever is not clear is left to the general way. */
#include "sim.h"
#include "solvers/rosenbrock.h"
#include "system/single.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- sticking -------------------------------------------------------------------------------- */

/* How fast the force on the body grows while it moves with what it sticks to [N/s]. */
static double pull_rate(const network *net, double v) {
    double rate = 0.0;
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        int other = l->at[0] == 0 ? l->at[1] : l->at[0];
        rate += l->by_L * (net->vel[other] - v);
    }
    return rate;
}

/* The time that the contact goes on to stick, from the force that holds it now; INFINITY: for ever,
 * NAN: not clear. */
static double time_held(bri_sim *sim) {
    network *net = sim->net;
    const touch *c = &net->touches[0];
    const double *y = sim->s->y;
    double side = side_of(c), v = net->vel[net->single.far];
    double force = side * applied(net, sim->s->t, y[0], v), rate = side * pull_rate(net, v);
    double level = stick_static_level(c, rate), left = level - (rate < 0.0 ? -force : force);
    if (!(fabs(force) < level) || !(left > 0.0)) return NAN;
    return left / fabs(rate);
}

/* A step to the time t without stages, to the state y. */
static void go_along(bri_sim *sim, double t, const double y[2]) {
    rosenbrock *r = (rosenbrock *)sim->s;
    stepper *s = sim->s;
    memcpy(r->at.y, s->y, 2 * sizeof *s->y);
    memset(r->at.U, 0, sizeof *r->at.U * 2 * (size_t)r->at.method->stages);
    r->at.t = s->t_prev = s->t;
    r->at.h = t - s->t;
    r->at.fresh = r->dense_ready = 0;
    r->past = 0.0;
    memcpy(s->y, y, 2 * sizeof *s->y);
    s->t = t;
    s->steps++;
}

static int stick_on(bri_sim *sim, double stop, int *event) {
    stepper *s = sim->s;
    double time = time_held(sim), v = sim->net->vel[sim->net->single.far];
    if (!(s->t + time > s->t)) return 0;
    *event = s->t + time < stop ? sim->first[0] + 1 : -1;
    double t = *event < 0 ? stop : s->t + time;
    go_along(sim, t, (const double[2]){s->y[0] + v * (t - s->t), v}); /* a straight line */
    return 1;
}

/* ---- sliding in closed form ------------------------------------------------------------------ */

int sim_has_arcs(const bri_sim *sim) {
    int chosen = sim->solver == &bri_rosenbrock || sim->solver == &bri_event_driven;
    return sim->phases && chosen && sim->net->touches[0].model->affine;
}

/* The arc that begins at the present state; 0: it does not swing. */
static int arc_from(bri_sim *sim, sim_arc *arc) {
    network *net = sim->net;
    const single *s = &net->single;
    const touch *c = &net->touches[0];
    double t = sim->s->t, x = sim->s->y[0], v = sim->s->y[1], m = net->mass[0], J[3], none;
    const bri_input u = {.v = side_of(c) * (v - net->vel[s->far]), .n = c->n, .mode = c->mode};
    double friction = bri_model_eval(c->model, c->p, &u, &none, &none);
    double force = applied(net, t, x, v) - side_of(c) * friction;
    bri_model_jac(c->model, c->p, &u, &none, J);
    double k = s->stiffness, d = s->damping + J[1], growth = pull_rate(net, 0.0);
    double decay = 0.5 * d / m, square = k / m - decay * decay;
    if (!(k > 0.0 && d >= 0.0 && square > 1e-3 * k / m)) return 0;
    double drift = growth / k, settled = (force + d * (v - drift)) / k;
    double w = sqrt(square), b = (v - drift - decay * settled) / w;
    *arc = (sim_arc){.from = t,
                     .x = x,
                     .drift = drift,
                     .settled = settled,
                     .decay = decay,
                     .w = w,
                     .b = b,
                     .p = v - drift,
                     .q = w * settled - decay * b,
                     .level = friction - J[1] * u.v,
                     .slope = J[1]};
    return 1;
}

/* The whole arc up to `stop`, or to where the contact comes to rest. */
static int arc_on(bri_sim *sim, double stop, int *event) {
    stepper *s = sim->s;
    const network *net = sim->net;
    sim_arc arc;
    double y[2], way = (double)net->touches[0].mode * side_of(&net->touches[0]);
    if (!sim->arcs || !arc_from(sim, &arc)) return 0;
    double rate = way * (arc.w * arc.q - arc.decay * arc.p);
    double begins = (double)net->touches[0].mode * sim->v_from[0];
    if (!(begins > 0.0) && !(begins >= 0.0 && rate > 0.0)) return 0;
    double rest = sim_arc_rest(&arc, way, net->vel[net->single.far], stop);
    double end = fmin(rest, stop);
    if (!(end > s->t)) return 0;
    if (rest <= stop) *event = sim->first[0] + 1;
    sim_arc_at(&arc, end, y);
    go_along(sim, end, y);
    arc.on = 1;
    sim->arc = arc;
    return 1;
}

/* ---- sliding --------------------------------------------------------------------------------- */

enum { DEGREE = SOLVER_COURSE - 1, HALVINGS = 16 };

static double course_at(const void *self, double u) { return solver_course_at(self, u); }

/* The first share between two at which a polynomial c, positive at first, is no longer so;
 * INFINITY: none. b: its Bernstein form there, which changes its sign at least as often as it does.
 */
static double first_zero(const double c[SOLVER_COURSE], const double b[SOLVER_COURSE], double from,
                         double to, int halvings) {
    double left[SOLVER_COURSE], right[SOLVER_COURSE];
    int changes = 0, negative = 0;
    for (int k = 1; k <= DEGREE; k++) {
        changes += negative != !(b[k] > 0.0);
        negative = !(b[k] > 0.0);
    }
    if (changes == 0) return INFINITY;
    if (changes == 1 || halvings == 0)
        return negative ? sim_falling_zero(course_at, c, from, solver_course_at(c, from), to,
                                           solver_course_at(c, to), 4.0 * DBL_EPSILON)
                        : INFINITY;
    solver_course_halves(b, left, right);
    double middle = 0.5 * (from + to), zero = first_zero(c, left, from, middle, halvings - 1);
    return isinf(zero) ? first_zero(c, right, middle, to, halvings - 1) : zero;
}

/* Where friction falls steadily from its static level a contact that breaks away begins without
 * acceleration, but for the error of the polynomial: it may dip below zero over this share of the
 * step, by the square of it. */
static const double BRIEF = 1e-3;

/* The share of the last step at which the contact comes to rest; INFINITY: it does not, NAN: it is
 * not clear in which way it begins. */
static double rest_at(const bri_sim *sim, double way) {
    const network *net = sim->net;
    double c[SOLVER_COURSE], b[SOLVER_COURSE], side = way * side_of(&net->touches[0]);
    sim->solver->course(sim->s, 1, c);
    c[0] -= net->vel[net->single.far];
    for (int k = 0; k <= DEGREE; k++) c[k] *= side;
    solver_course_bernstein(c, b);
    int rises = b[2] > 0.0 && b[3] > 0.0 && b[4] > 0.0;
    if (c[0] == 0.0 && rises && fabs(b[1]) <= BRIEF * b[2]) return INFINITY;
    if (!(c[0] > 0.0) && !(c[0] >= 0.0 && c[1] > 0.0)) return NAN;
    return first_zero(c, b, 0.0, 1.0, HALVINGS);
}

/* End the step where the sliding velocity is zero: it is made again up to there as long as that is
 * not near, and then goes on along its tangent. */
static bri_status come_to_rest(bri_sim *sim, double share, bri_error *err) {
    network *net = sim->net;
    stepper *s = sim->s;
    const double near = 1e-7, last = fmin(sim->kink, sim->t_end);
    double start = s->t_prev, t = start + share * (s->t - start), rates[3];
    for (int i = 0; i < 6; i++) {
        bri_status status = sim->solver->cut(s, t, err);
        if (status != BRI_OK) return status;
        single_rhs(net, t, s->y, rates);
        double v = s->y[1] - net->vel[net->single.far], by = -v / rates[1];
        if (!(fabs(by) < 0.1 * (t - start)) || t + by > last) return BRI_OK;
        t += by;
        if (!(fabs(by) > near * (t - start))) {
            s->y[0] += by * (s->y[1] + 0.5 * by * rates[1]);
            s->y[1] += by * rates[1];
            s->t = t;
            return BRI_OK;
        }
    }
    return BRI_OK;
}

static int slide_on(bri_sim *sim, double stop, int *event, bri_status *status, bri_error *err) {
    const touch *c = &sim->net->touches[0];
    double way = (double)c->mode;
    sim->v_from[0] = single_sliding(sim->net, sim->s->y);
    if (way * sim->v_from[0] < 0.0) return 0;
    if (arc_on(sim, stop, event)) return 1;
    for (int again = 0;; again++) {
        *status = sim_try_phase(sim, stop, err);
        if (*status != BRI_OK) return 1;
        double share = rest_at(sim, way);
        if (isnan(share)) {
            sim->solver->undo(sim->s);
            return 0;
        }
        if (isinf(share)) return 1;
        if (come_to_rest(sim, share, err) != BRI_OK) {
            sim->solver->undo(sim->s);
            return 0;
        }
        if (!sim_is_rough(sim, again)) break;
        stop = sim->s->t_prev + sim_shorter(sim->s);
        sim->solver->undo(sim->s);
    }
    *event = sim->first[0] + 1;
    return 1;
}

/* ---- between stick and slip ------------------------------------------------------------------ */

/* How near to its static level a force is no longer clearly below or above it, as a share. */
static const double UNCLEAR = 1e-7;

void sim_phase_force(bri_sim *sim) {
    network *net = sim->net;
    touch *c = &net->touches[0];
    const double *y = sim->s->y;
    if (c->mode == BRI_STUCK)
        c->F = side_of(c) * applied(net, sim->s->t, y[0], net->vel[net->single.far]);
    else
        single_rhs(net, sim->s->t, y, sim->dy);
}

int sim_phase_decide(bri_sim *sim, double t, double *y, int broke, stick_loss *loss) {
    network *net = sim->net;
    touch *c = &net->touches[0];
    double v = net->vel[net->single.far];
    if (c->lifted || c->limit || c->edge) return 0;
    if (c->mode == BRI_STUCK && fabs(y[1] - v) > 1e-10 * net->speed) return 0;
    double held = side_of(c) * applied(net, t, y[0], v);
    double way = held > 0.0 ? 1.0 : -1.0, level = stick_static_level(c, held);
    double over = fabs(held) - level, unclear = UNCLEAR * level;
    if (c->mode == BRI_STUCK && !broke && over < -unclear) { /* it moves on with the other */
        double from = y[1], m = net->mass[0];
        loss->heat += 0.5 * m * (from - v) * (from - v);
        loss->work += m * (v - from) * v;
        y[1] = v;
    } else if (c->mode == BRI_STUCK) {
        double slides = stick_sliding_level(c, (int)way);
        if (!(over > (broke ? -unclear : unclear) && fabs(held) - slides >= -unclear)) return 0;
        c->mode = way > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
        c->left = 0;
    }
    network_place(net, t, y);
    network_place_idle(net, t);
    stick_group(net);
    net->offset[0] = net->pos[0] - net->pos[net->leader[0]];
    return 1;
}

int sim_phase_step(bri_sim *sim, double stop, int *event, bri_status *status, bri_error *err) {
    const touch *c = &sim->net->touches[0];
    int sticks = c->mode == BRI_STUCK;
    if (sim->tangent || c->lifted || (sticks && (c->limit || c->edge))) return 0;
    sim->modes[0] = sim_mode_of(c);
    *event = -1;
    *status = BRI_OK;
    return sticks ? stick_on(sim, stop, event) : slide_on(sim, stop, event, status, err);
}
