/* powers.c - heat and work over a step: integrals of powers along its dense output. */
#include "sim.h"
#include "system/single.h"

#include <math.h>

static const double gauss[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
static const double gauss_weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/* What the bristles store in the state y, under constant loads. */
static double stored_in(const network *net, const double *y) {
    double sum = 0.0, grad[BRI_MAX_STATES];
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        const bri_input u = {.n = c->N, .mode = c->mode};
        if (!c->model->stored) continue;
        sum += c->model->stored(c->model, c->p, &u, y + 2 * net->n_free + c->first, grad);
    }
    return sum;
}

static double stored_at(bri_sim *sim, double t) {
    sim_interpolate(sim, t, sim->y);
    return stored_in(sim->net, sim->y);
}

/* Gauss's three points over a smooth piece. */
static void add_smooth(bri_sim *sim, double a, double b, powers *to) {
    network *net = sim->net;
    int slides = sim->phases && net->touches[0].mode != BRI_STUCK && net->single.alone;
    const bri_pack_ends *few = net->packed && net->packed->few ? net->packed->ends_of : NULL;
    for (int i = 0; i < 3; i++) {
        double t = a + (b - a) * gauss[i], share = (b - a) * gauss_weight[i];
        bri_pack_powers at;
        sim_state_at(sim, t, sim->y);
        if (few)
            few->powers(net, t, sim->y, &at);
        else if (sim->single || slides)
            single_power(net, t, sim->y, &at.heat, &at.work);
        else
            network_power(net, t, sim->y, &at.heat, &at.work);
        if (!few) at.astray = sim_astray(sim);
        to->heat += share * at.heat;
        to->work += share * at.work;
        if (sim->freezes) to->astray += share * at.astray;
    }
    if (few) to->heat -= stored_at(sim, b) - stored_at(sim, a);
}

static unsigned long long pieces_at(bri_sim *sim, double t) {
    sim_state_at(sim, t, sim->y);
    return network_pieces(sim->net, t, sim->y);
}

/* The first change of a coupling from one smooth piece to another between a and b, or b. Powers are
 * continuous there, so that an error of the time matters only by its square. */
static double smooth_until(bri_sim *sim, double a, double b) {
    double from = a, to = b, close = 1e-7 * (b - a);
    unsigned long long before = pieces_at(sim, a + close);
    for (int i = 0; i <= 3; i++, from = to) {
        to = i < 3 ? a + (b - a) * gauss[i] : b - close;
        if (pieces_at(sim, to) == before) continue;
        while (to - from > close) {
            double middle = 0.5 * (from + to);
            if (!(middle > from && middle < to)) break;
            if (pieces_at(sim, middle) == before)
                from = middle;
            else
                to = middle;
        }
        return to;
    }
    return b;
}

/* ---- one body on one contact that sticks exactly: phases.c ----------------------------------- */

/* The integrals from the start of the last step, where it is known in closed form: the body sticks
 * to what moves steadily, or swings along an arc. */
static int sums_to(const bri_sim *sim, double t, sim_sums *to) {
    const network *net = sim->net;
    const touch *c = &net->touches[0];
    double T = t - sim->s->t_prev, v = net->vel[net->single.far];
    if (!sim->phases) return 0;
    if (sim->arc.on) {
        sim_arc_sums(&sim->arc, t, to);
        return 1;
    }
    if (c->mode != BRI_STUCK || c->limit || c->edge || c->lifted) return 0;
    double x = sim->s->y[0] - v * (sim->s->t - sim->s->t_prev); /* no event moves it */
    *to = (sim_sums){T, T * (x + 0.5 * v * T), T * v, T * v * v};
    return 1;
}

/* Forces are linear in time, position and velocity, their powers at most square in the velocity. */
static int add_phase(bri_sim *sim, double b, powers *to) {
    network *net = sim->net;
    const touch *c = &net->touches[0];
    sim_sums sum;
    if (!sums_to(sim, b, &sum)) return 0;
    int far = net->single.far;
    double side = side_of(c), T = sum.time, pull = T * net->weight[0], u = net->vel[far],
           work = 0.0;
    network_move(net, b - 0.5 * T); /* in the middle, for whatever moves steadily */
    for (int i = 0; i < net->n_links; i++) {
        const link *l = &net->links[i];
        int other = l->at[0] == 0 ? l->at[1] : l->at[0];
        double w = net->vel[other], way = l->at[0] == 0 ? 1.0 : -1.0;
        double force = way * l->rest * T + l->by_L * (net->pos[other] * T - sum.x) +
                       l->by_rate * (w * T - sum.v);
        pull += force;
        work += force * w;
        to->heat += l->by_rate * (sum.vv - 2.0 * w * sum.v + w * w * T);
    }
    for (int i = 0; i < net->n_pushes; i++) {
        double force = net->pushes[i].at == 0 ? bri_signal_value(&net->pushes[i].force, b) : 0.0;
        pull += force * T;
        work += force * sum.v;
    }
    double slid = side * (sum.v - u * T), friction = side * pull;
    if (sim->arc.on) {
        friction = sim->arc.level * T + sim->arc.slope * slid;
        to->heat += sim->arc.level * slid + sim->arc.slope * (sum.vv - 2.0 * u * sum.v + u * u * T);
    }
    work -= side * friction * u;
    for (int i = 0; i < net->n_motions; i++)
        work -= net->weight[net->motions[i].at] * net->vel[net->motions[i].at] * T;
    to->work += work;
    return 1;
}

void sim_add_powers(bri_sim *sim, double a, double b, powers *sum) {
    if (a == sim->s->t_prev && add_phase(sim, b, sum)) return;
    int smooth =
        sim->net->n_pieced == 0 || (sim->s->t_prev == sim->smooth_from && b <= sim->smooth_to);
    int most = smooth ? 0 : 32; /* what is at rest on a corner flickers */
    for (int i = 0; i < most; i++) {
        double to = smooth_until(sim, a, b);
        if (!(to < b)) break;
        add_smooth(sim, a, to, sum);
        a = to;
    }
    add_smooth(sim, a, b, sum);
}

/* ---- one body, one LuGre contact, nothing depends on time ------------------------------------ */

/* The same three points, from the velocity and the state alone and without a call of the law:
 *     z' = v - sigma0 |v| z/g,  F = sigma0 z + sigma1 z' + sigma2 v,  heat = F v - sigma0 z z'. */
static void add_quick(bri_sim *sim, powers *to) {
    const network *net = sim->net;
    const single *s = &net->single;
    const lugre_fixed *l = &s->lugre;
    const touch *c = &net->touches[0];
    double y1[SOLVER_COURSE], y2[SOLVER_COURSE], side = side_of(c), weights = 0.0;
    double h = sim->s->t - sim->s->t_prev, far = net->vel[s->far], direction = (double)c->mode;
    int linear = l->gamma == 1.0;
    sim->solver->course(sim->s, 1, y1);
    sim->solver->course(sim->s, 2, y2);
    for (int i = 0; i < net->n_motions; i++)
        weights += net->weight[net->motions[i].at] * net->vel[net->motions[i].at];
    for (int i = 0; i < 3; i++) {
        double body = solver_course_at(y1, gauss[i]), z = solver_course_at(y2, gauss[i]), slope;
        double v = side * (body - far), a = direction * v;
        double g = decay_to(l->level, l->rise, lugre_fall(l, linear, a, &slope));
        double dz = v - l->sigma0 * a * z / g, F = l->sigma0 * z + l->sigma1 * dz + l->viscous * v;
        double share = h * gauss_weight[i];
        to->heat += share * (F * v - l->sigma0 * z * dz + s->damping * body * body);
        to->work -= share * (weights + side * F * far);
        if (a < 0.0) to->astray += share * fabs(F * v);
    }
}

/* ---- one body, one contact, nothing depends on time ------------------------------------------ */

/* The same three points, by the courses of position, velocity and states. */
static void add_one(bri_sim *sim, powers *to) {
    network *net = sim->net;
    const single *s = &net->single;
    const touch *c = &net->touches[0];
    double course[2 + SINGLE_STATES][SOLVER_COURSE], y[2 + SINGLE_STATES], dz[SINGLE_STATES];
    double h = sim->s->t - sim->s->t_prev, side = side_of(c), far = net->vel[s->far], weights = 0.0;
    int n = 2 + c->count;
    for (int k = 0; k < n; k++) sim->solver->course(sim->s, k, course[k]);
    for (int i = 0; i < net->n_motions; i++)
        weights += net->weight[net->motions[i].at] * net->vel[net->motions[i].at];
    for (int i = 0; i < 3; i++) {
        double share = h * gauss_weight[i];
        for (int k = 0; k < n; k++) y[k] = solver_course_at(course[k], gauss[i]);
        net->pos[0] = y[0];
        net->vel[0] = y[1];
        bri_input u = touch_input(net, c);
        double F = bri_model_eval(c->model, c->p, &u, y + 2, dz);
        to->heat += share * (F * u.v + s->damping * y[1] * y[1]);
        to->work -= share * (weights + side * F * far);
        if (sim->freezes && c->corner && (double)c->mode * u.v < 0.0)
            to->astray += share * fabs(F * u.v);
    }
    for (int k = 0; k < n; k++) y[k] = course[k][0];
    to->heat -= stored_in(net, sim->s->y) - stored_in(net, y);
}

/* ---- all ------------------------------------------------------------------------------------ */

void sim_add_energies(bri_sim *sim, int cut) {
    sim->heat_prev = sim->heat;
    sim->work_prev = sim->work;
    if (!sim->energies) return;
    powers sum = {sim->heat, sim->work, sim->astray};
    const touch *c = sim->net->touches;
    int slides = sim->phases && c->mode != BRI_STUCK && !sim->arc.on;
    int by_course =
        !cut && (sim->single || slides) && sim->net->single.alone && sim->solver->course;
    if (by_course && sim->single && single_is_quick(sim->net))
        add_quick(sim, &sum);
    else if (by_course)
        add_one(sim, &sum);
    else
        sim_add_powers(sim, sim->s->t_prev, sim->s->t, &sum);
    sim->heat = sum.heat;
    sim->work = sum.work;
    sim->astray = sum.astray;
    sim_watch(sim, sim->s->y);
}
