/* stepping.c - one step: known motions, levels, matrix, sweeps, positions. */
#include "stepping.h"
#include "fail.h"
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 2000 };

/* ---- known motions and levels ------------------------------------------------------------ */

static double until(const network *net, double t) { return t < net->latest ? t : net->latest; }

static void follow(const stepping *s, const mover *m, double t, double *q, double *v) {
    double out[4];
    int order = m->motion->order;
    m->motion->signal->kind->eval(m->motion->signal, until(s->net, t), out);
    *q = order == 0 ? out[1] : m->motion->from + out[0];
    *v = out[1 + (order == 0)];
}

static void fill_partners(const stepping *s, const double *v, double *partner) {
    for (size_t i = 0; i < s->n_places; i++)
        if (s->nodal[i] >= 0) partner[i] = v[s->facing[i]];
}

/* Both ends of the step: positions and velocities of all that follows a signal. */
static void move_known(stepping *s, double t, double h, double theta) {
    int changed = 0, jumped = 0;
    for (int i = 0; i < s->n_movers; i++) {
        mover *m = &s->movers[i];
        double v0 = m->v0, v1 = m->v1;
        follow(s, m, t, &m->q0, &m->v0);
        follow(s, m, t + h, &m->q1, &m->v1);
        if (m->motion->at < s->net->n_free) { /* no integral is known: one is kept here */
            m->q0 = s->q_prev[m->place];
            m->q1 = m->q0 + h * (theta * m->v1 + (1.0 - theta) * m->v0);
        }
        jumped |= m->v0 != v0;
        changed |= m->v1 != v1;
        s->q_prev[m->place] = m->q0;
        s->q[m->place] = m->q1;
        s->v_prev[m->place] = m->v0;
        s->v[m->place] = m->v1;
    }
    if (jumped) fill_partners(s, s->v_prev, s->partner_prev);
    if (changed) fill_partners(s, s->v, s->partner);
}

/* Forces that a contact can bear: against motion forward and backward. It slides with w now, and by
 * the middle of the step w will have changed by `ahead`. */
static void limits_of(const touch *c, double w, double ahead, double *above, double *below) {
    double speed = fmax(fabs(w) + (w > 0.0 ? ahead : -ahead), 0.5 * fabs(w));
    double way = w < 0.0 ? -1.0 : 1.0, z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES];
    bri_input u = {.v = way * speed, .n = c->N, .mode = BRI_STUCK};
    *above = *below = 0.0;
    if (!(c->N > 1e-30)) return;
    c->model->roots(c->model, c->p, &u, z, above);
    u.fa = -1e-300; /* next to nothing, but backward */
    c->model->roots(c->model, c->p, &u, z, below);
    if (w == 0.0) return;
    u.mode = w > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
    *(w > 0.0 ? above : below) = fmax(way * c->model->eval(c->model, c->p, &u, z, dz), 0.0);
}

static void find_loads(stepping *s, double t) {
    network *net = s->net;
    if (!s->linear) return; /* known from stepping_assemble */
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        c->N = c->load == BRI_LOAD_SIGNAL ? bri_signal_value(c->n_of_t, until(net, t)) : c->n;
    }
}

static bri_sweep sweep_of(const stepping *s, const colour *c) {
    bri_sweep w = {.first = c->first,
                   .count = c->count,
                   .n_runs = c->n_runs > 0 ? c->n_runs : 0,
                   .shift = c->shift,
                   .value = s->off + c->values,
                   .scale = s->linear ? s->h * s->h * s->theta * s->theta : 1.0,
                   .h = s->h,
                   .theta = s->theta,
                   .exponent = s->exponent,
                   .lead = s->lead,
                   .v = s->v,
                   .b = s->b,
                   .slip = s->slip,
                   .above = s->above,
                   .below = s->below,
                   .q = s->q,
                   .x = s->x,
                   .v_prev = s->v_prev,
                   .q_prev = s->q_prev,
                   .d = s->d,
                   .per_d = s->per_d,
                   .partner = s->partner,
                   .partner_prev = s->partner_prev,
                   .mass = s->mass,
                   .stiffness = s->stiffness,
                   .force = s->force,
                   .low = s->low,
                   .drop = s->drop,
                   .sharp = s->sharp,
                   .n_outer = s->n_outer};
    for (int k = 0; k < s->n_outer; k++) {
        const mover *m = &s->movers[s->outer_mover[k]];
        double x = m->q0 + s->h * s->theta * (1.0 - s->theta) * m->v0;
        w.outer[k] = s->outer[k];
        w.outer_by[k] = s->h * x + w.scale * m->v1;
    }
    return w;
}

static double ahead_of(const stepping *s, size_t i) {
    return s->mass[i] > 0.0 ? s->lead * (s->v_prev[i] - s->v[i]) : 0.0;
}

/* v still holds the velocities before v_prev, or those of a first attempt. */
static void find_levels(stepping *s, double t) {
    if (!s->plain_levels || s->n_loose > 0) find_loads(s, t);
    for (int k = 0; k < s->n_colours; k++) {
        const colour *c = &s->colours[k];
        bri_sweep w = sweep_of(s, c);
        if (s->plain_levels) {
            s->loops->level(&w);
            continue;
        }
        for (size_t i = c->first; i < c->first + c->count; i++) {
            if (s->nodal[i] < 0) continue;
            const touch *pad = &s->net->touches[s->nodal[i]];
            double side = s->side[i], rel = s->v_prev[i] - s->partner_prev[i];
            limits_of(pad, side * rel, side * ahead_of(s, i),
                      &(side > 0.0 ? s->above : s->below)[i],
                      &(side > 0.0 ? s->below : s->above)[i]);
            s->above[i] *= s->h * s->per_d[i];
            s->below[i] *= s->h * s->per_d[i];
        }
    }
    for (int k = 0; k < s->n_loose; k++) {
        loose *c = &s->loose[k];
        limits_of(&s->net->touches[c->contact], s->v_prev[c->a] - s->v_prev[c->b],
                  ahead_of(s, c->a) - ahead_of(s, c->b), &c->above, &c->below);
        c->above *= s->h;
        c->below *= s->h;
    }
}

/* ---- matrix and right-hand side ---------------------------------------------------------- */

/* The largest share of its diagonal that a row has beside it: what a sweep leaves of an error. */
static void find_contraction(stepping *s, double scale) {
    s->contraction = 0.0;
    for (int k = 0; k < s->n_colours; k++) {
        const colour *c = &s->colours[k];
        for (size_t i = c->first; i < c->first + c->count; i++) {
            double sum = 0.0;
            for (int r = 0; r < c->n_runs; r++)
                sum += fabs(s->off[c->values + (size_t)r * c->count + (i - c->first)]);
            for (size_t j = s->row[i]; j < s->row_end[i]; j++) sum += fabs(s->off[c->values + j]);
            s->contraction = fmax(s->contraction, scale * sum * s->per_d[i]);
        }
    }
}

static void prepare_linear(stepping *s, double h, double theta) {
    double scale = h * h * theta * theta, ahead = h * theta * (1.0 - theta);
    if (s->ahead != ahead)
        for (size_t i = 0; i < s->n_places; i++) s->x[i] = s->q_prev[i] + ahead * s->v_prev[i];
    s->ahead = ahead;
    if (s->h == h && s->theta == theta) return;
    s->h = h;
    s->theta = theta;
    for (size_t i = 0; i < s->n_places; i++) {
        s->d[i] = s->mass[i] + scale * s->stiffness[i];
        s->per_d[i] = s->mass[i] > 0.0 ? 1.0 / s->d[i] : 0.0;
    }
    find_contraction(s, scale);
}

static void load_linear(stepping *s, double t) {
    const network *net = s->net;
    for (int k = 0; k < s->n_colours; k++) {
        const colour *c = &s->colours[k];
        bri_sweep w = sweep_of(s, c);
        s->loops->load(&w);
        for (size_t i = c->first; c->n_runs < 0 && i < c->first + c->count; i++)
            s->b[i] += s->h * stepping_neighbours(s, c, i, s->x);
    }
    for (int i = 0; i < net->n_pushes; i++) {
        double f0 = bri_signal_value(&net->pushes[i].force, until(net, t));
        double f1 = bri_signal_value(&net->pushes[i].force, until(net, t + s->h));
        s->b[s->place[net->pushes[i].at]] += s->h * (s->theta * f1 + (1.0 - s->theta) * f0);
    }
}

/* ---- sweeps ------------------------------------------------------------------------------ */

static double clip(double x, double above, double below) {
    return x > above ? above : x < -below ? -below : x;
}

/* relax() of a colour without runs. */
static double relax_rows(stepping *s, const colour *c, double scale) {
    double change = 0.0;
    for (size_t i = c->first; i < c->first + c->count; i++) {
        double free = (s->b[i] + scale * stepping_neighbours(s, c, i, s->v)) * s->per_d[i];
        double rest = free - s->partner[i], slip = clip(rest, s->above[i], s->below[i]);
        double v = s->partner[i] + (rest - slip);
        change = fmax(change, fabs(v - s->v[i]));
        s->v[i] = v;
        s->slip[i] = slip;
    }
    return change;
}

/* Loose contacts, one colour after the other; b carries their impulses. */
static double relax_loose(stepping *s) {
    double change = 0.0;
    for (int round = 0; round < s->n_loose_colours; round++)
        for (int k = s->loose_first[round]; k < s->loose_first[round + 1]; k++) {
            loose *c = &s->loose[k];
            double ia = s->per_d[c->a], ib = s->per_d[c->b], rel = s->v[c->a] - s->v[c->b];
            double p = clip(c->p + rel / (ia + ib), c->above, c->below), step = p - c->p;
            c->p = p;
            s->v[c->a] -= step * ia;
            s->v[c->b] += step * ib;
            s->b[c->a] -= step;
            s->b[c->b] += step;
            change = fmax(change, fabs(step) * (ia + ib));
        }
    return change;
}

/* Warm start: the impulses of the step before, as far as they are allowed now. */
static void warm(stepping *s) {
    for (int k = 0; k < s->n_loose; k++) {
        loose *c = &s->loose[k];
        c->p = clip(c->p * (s->h_last > 0.0 ? s->h / s->h_last : 1.0), c->above, c->below);
        s->b[c->a] -= c->p;
        s->b[c->b] += c->p;
    }
}

/* Changes of velocities that are only rounding: of the velocities themselves, and of the impulses
 * that cancel in them where bodies are about to stop. */
static double rounding(const stepping *s) {
    double most = 0.0;
    for (size_t i = 0; i < s->n_places; i++)
        most = fmax(most, fmax(fabs(s->v[i]), fabs(s->v_prev[i])));
    for (int k = 0; k < s->n_loose; k++) {
        const loose *c = &s->loose[k];
        most = fmax(most, fabs(c->p) * (s->per_d[c->a] + s->per_d[c->b]));
    }
    return 1e-15 * most;
}

/* Sweep until the error left is below the tolerance; 0 if it does not get there. */
static int settle(stepping *s) {
    bri_sweep first = sweep_of(s, &s->colours[0]);
    double before = INFINITY, rates[4] = {1.0, 1.0, 1.0, 1.0};
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double change = 0.0, rate = s->contraction;
        for (int k = 0; k < s->n_colours; k++) {
            const colour *c = &s->colours[k];
            if (c->n_runs < 0) {
                change = fmax(change, relax_rows(s, c, first.scale));
                continue;
            }
            first.first = c->first;
            first.count = c->count;
            first.n_runs = c->n_runs;
            first.shift = c->shift;
            first.value = s->off + c->values;
            change = fmax(change, s->loops->relax(&first));
        }
        s->sweeps++;
        if (s->n_loose > 0) {
            change = fmax(change, relax_loose(s));
            rates[sweep % 4] = change / before; /* no bound is known: the slowest of the last */
            for (int k = 0; k < 4; k++) rate = fmax(rate, rates[k]);
        }
        rate = fmin(rate, 0.9999);
        if (change * rate <= s->tolerance * (1.0 - rate)) return 1;
        if (!(change < INFINITY)) return 1; /* not finite: found by the caller */
        if (sweep % 8 == 7 && change <= rounding(s)) return 1;
        before = change;
    }
    return 0;
}

/* ---- exact stick of loose contacts ------------------------------------------------------- */

static int root_of(int *leader, size_t i) {
    int r = (int)i;
    while (leader[r] != r) r = leader[r] = leader[leader[r]];
    return r;
}

static void join(const stepping *s, size_t a, size_t b) {
    int low = root_of(s->leader, a), high = root_of(s->leader, b);
    if (s->mass[low] <= 0.0) {
        int swap = low;
        low = high;
        high = swap;
    }
    s->leader[low] = high;
}

/* Bodies whose contacts have room left below their limits move as one: their velocities agree to
 * the tolerance and are made equal, momentum being kept. */
static void hold_together(stepping *s) {
    if (s->n_loose == 0) return;
    for (size_t i = 0; i < s->n_places; i++) {
        s->leader[i] = (int)i;
        s->sum_mass[i] = s->sum_momentum[i] = 0.0;
    }
    for (int k = 0; k < s->n_loose; k++) {
        loose *c = &s->loose[k];
        int inside = c->p < c->above && c->p > -c->below;
        c->stuck = inside || (c->p != 0.0 && c->p * (s->v[c->a] - s->v[c->b]) <= 0.0);
        if (c->stuck) join(s, c->a, c->b);
    }
    for (size_t i = 0; i < s->n_places; i++)
        if (s->nodal[i] >= 0 && s->v[i] == s->partner[i]) join(s, i, s->facing[i]);
    for (size_t i = 0; i < s->n_places; i++) {
        int g = root_of(s->leader, i);
        s->sum_mass[g] += s->mass[i];
        s->sum_momentum[g] += s->mass[i] * s->v[i];
    }
    for (size_t i = 0; i < s->n_places; i++) {
        int g = root_of(s->leader, i);
        if (s->mass[i] <= 0.0 || (g == (int)i && s->sum_mass[i] <= s->mass[i])) continue;
        s->v[i] = s->mass[g] > 0.0 ? s->sum_momentum[g] / s->sum_mass[g] : s->v[g];
    }
}

/* ---- the step ---------------------------------------------------------------------------- */

static double finish(stepping *s) {
    double heat = 0.0;
    for (int k = 0; k < s->n_colours; k++) {
        bri_sweep w = sweep_of(s, &s->colours[k]);
        heat += s->loops->finish(&w);
    }
    s->ahead = s->h * s->theta * (1.0 - s->theta);
    for (int k = 0; k < s->n_loose; k++) {
        const loose *c = &s->loose[k];
        heat += c->p * (s->theta * (s->v[c->a] - s->v[c->b]) +
                        (1.0 - s->theta) * (s->v_prev[c->a] - s->v_prev[c->b]));
    }
    return heat;
}

static int attempt(stepping *s, double t, double h, double theta, double *heat) {
    move_known(s, t, h, theta);
    if (s->linear)
        prepare_linear(s, h, theta);
    else
        stepping_assemble(s, t, h, theta);
    if (!s->linear) find_contraction(s, 1.0);
    find_levels(s, t);
    if (s->linear)
        load_linear(s, t);
    else
        for (int i = 0; i < s->n_colours; i++)
            memcpy(s->v + s->colours[i].first, s->v_prev + s->colours[i].first,
                   sizeof *s->v * s->colours[i].count);
    warm(s);
    if (!settle(s)) return 0;
    hold_together(s);
    *heat = finish(s);
    return 1;
}

static void exchange(double **a, double **b) {
    double *swap = *a;
    *a = *b;
    *b = swap;
}

bri_status stepping_step(stepping *s, double t, double h, bri_error *err) {
    double heat = 0.0;
    long before = s->sweeps;
    exchange(&s->v, &s->v_prev);
    exchange(&s->q, &s->q_prev);
    exchange(&s->z, &s->z_prev);
    s->lead = s->h_last > 0.0 ? 0.5 * h / s->h_last : 0.0;
    int settled = attempt(s, t, h, 0.5, &heat);
    /* Friction that has given energy, where contacts turn: the implicit scheme only takes it. */
    s->lead = -0.5;
    if (settled && heat < 0.0) settled = attempt(s, t, h, 1.0, &heat);
    if (settled && isfinite(heat)) {
        if (!s->linear) stepping_advance_states(s, t, h, s->theta);
        s->t = t;
        s->h_last = h;
        return BRI_OK;
    }
    exchange(&s->v, &s->v_prev);
    exchange(&s->q, &s->q_prev);
    exchange(&s->z, &s->z_prev);
    s->ahead = NAN;
    if (settled)
        return bri_fail(err, BRI_NO_PROGRESS, "the solution is no longer finite at t = %.9g s", t);
    return bri_fail(err, BRI_NO_PROGRESS,
                    "the velocities did not settle within %ld sweeps at t = %.9g s: take a smaller "
                    "step, or a larger rtol",
                    s->sweeps - before, t);
}
