/* tangent.c - see tangent.h. Between events SDIRK4 of Hairer & Wanner, Solving ODEs II, 2nd ed.,
 * section IV.6, table 6.5: order 4, five stages with the same w = 4/h, L-stable, error estimate of
 * order 3. The equation is linear, so that every stage is one linear system, solved as those of the
 * run are. */
#include "tangent.h"

#include <math.h>
#include <string.h>

enum { STAGES = 5 };
static const double gamma_ = 0.25;
static const double node[STAGES] = {0.25, 0.75, 0.55, 0.5, 1.0};
static const double coefficient[STAGES][STAGES] = {
    {0.0},
    {0.5},
    {17.0 / 50.0, -1.0 / 25.0},
    {371.0 / 1360.0, -137.0 / 2720.0, 15.0 / 544.0},
    {25.0 / 24.0, -49.0 / 48.0, 125.0 / 16.0, -85.0 / 12.0},
};
static const double error_weight[STAGES] = {-3.0 / 16.0, -27.0 / 32.0, 25.0 / 32.0, 0.0, 0.25};

/* Derivatives are held to the tolerance of the run, but not beyond what differences can give. */
static const double TIGHTEST = 1e-9;

static network *net_at(const tangent *T, int i) {
    return i == 0 ? T->base : &T->by[(i - 1) / VARIANTS].d.net[(i - 1) % VARIANTS];
}

static int nets_of(const tangent *T) { return 1 + T->count * VARIANTS; }

static void set_clocks(const tangent *T, const clock_range *clock) {
    for (int i = 0; i < nets_of(T); i++) {
        network *net = net_at(T, i);
        net->earliest = clock[i].earliest;
        net->latest = clock[i].latest;
        net->moved = NAN;
    }
}

static void set_modes(const tangent *T, const modes *to) {
    for (int i = 0; i < nets_of(T); i++) network_take_modes(net_at(T, i), to);
}

void tangent_set(const tangent *T, const modes *to, const clock_range *clock) {
    set_modes(T, to);
    set_clocks(T, clock);
}

/* ---- from event to event ----------------------------------------------------------------------
 */

/* The stage of one variation at (t, y), where base has been linearised and factored. */
static void make_stage(tangent *T, variation *v, int stage, double h, double t, double w) {
    int n = T->n;
    double *X = T->room, *b = v->w;
    for (int k = 0; k < n; k++) {
        double sum = v->S[k];
        for (int j = 0; j < stage; j++) sum += h * coefficient[stage][j] * v->K[j * n + k];
        X[k] = sum;
        b[k] = w * sum;
    }
    stencil_rates(&v->d, T->base, t, T->y, T->f, b, T->other);
    network_solve(T->base, b);
    for (int k = 0; k < n; k++) v->K[stage * n + k] = w * (b[k] - X[k]);
}

static double error_of(const bri_sim *sim, const variation *v, double h) {
    const tangent *T = sim->tangent;
    double worst = 0.0, rtol = fmax(sim->rtol, TIGHTEST);
    double scale = fmax(fabs(v->value), v->d.step);
    for (int k = 0; k < T->n; k++) {
        double error = 0.0, size = fmax(fabs(v->S[k]), fabs(v->w[k]));
        for (int j = 0; j < STAGES; j++) error += h * error_weight[j] * v->K[j * T->n + k];
        size = fmax(size, 1e-3 * sim->net->expected[k] / scale);
        worst = fmax(worst, fabs(error) / (rtol * size));
        if (isnan(error)) return INFINITY;
    }
    return worst;
}

/* All variations from t to t + h within the last step of the run; the result is in w. */
static double attempt(bri_sim *sim, double t, double h) {
    tangent *T = sim->tangent;
    double w = 1.0 / (h * gamma_), worst = 0.0;
    for (int i = 0; i < STAGES; i++) {
        double at = t + node[i] * h;
        sim_state_at(sim, at, T->y);
        network_linearise(T->base, at, T->y, T->f, NULL);
        if (!network_factor(T->base, w)) return INFINITY;
        for (int k = 0; k < T->count; k++) make_stage(T, &T->by[k], i, h, at, w);
    }
    for (int k = 0; k < T->count; k++) worst = fmax(worst, error_of(sim, &T->by[k], h));
    return worst;
}

void tangent_carry_part(bri_sim *sim, double a, double b) {
    tangent *T = sim->tangent;
    double least = 0.01 * (b - a), h = T->h > 0.0 ? fmin(T->h, b - a) : b - a;
    double before = INFINITY, h_before = h; /* error of the last attempt, if it was refused */
    for (double t = a; t < b;) {
        if (h > (b - t) * (1.0 - 1e-9)) h = b - t;
        double worst = attempt(sim, t, h);
        /* an error that hardly falls with the step is one of rounding */
        int noise = isfinite(before) && worst > before * sqrt(h / h_before);
        if (worst <= 1.0 || h <= least || noise) {
            for (int k = 0; k < T->count; k++)
                memcpy(T->by[k].S, T->by[k].w, sizeof(double) * (size_t)T->n);
            t = h >= b - t ? b : t + h;
            before = INFINITY;
            if (noise) worst = 1e-4; /* shorter steps do not pay */
        } else {
            before = worst;
            h_before = h;
        }
        double factor = worst > 0.0 ? 0.9 * pow(worst, -0.25) : 5.0;
        h = fmax(h * fmin(fmax(factor, 0.1), 5.0), least);
        if (worst <= 1.0) T->h = h;
    }
}

/* ---- through events ----------------------------------------------------------------------------
 */

static double velocity_of(const network *net, int at) { return net->vel[at]; }

/* Bodies that stick together have one velocity: by momentum, or that of a prescribed motion. w: on
 * the way through an event, S + f- t*'. */
static void project(tangent *T, variation *v, double t, const double *y) {
    network *base = T->base;
    int n = base->n_free;
    double *w = v->w + n, *momentum = T->room;
    if (!base->any_stuck) return;
    for (int i = 0; i < base->n_all; i++) momentum[i] = 0.0;
    for (int i = 0; i < n; i++) momentum[base->leader[i]] += base->mass[i] * w[i];
    network_place(base, t, y);
    for (int k = 0; k < VARIANTS; k++) network_place(&v->d.net[k], t, y);
    for (int i = 0; i < n; i++) {
        int g = base->leader[i];
        if (base->drifts[g] || (g == i && base->group_mass[i] <= base->mass[i])) continue;
        if (base->group_mass[g] > 0.0)
            w[i] = momentum[g] / base->group_mass[g];
        else if (g < n)
            w[i] = w[g];
        else
            w[i] = stencil_sum(&v->d, base, velocity_of, g) + base->acc[g] * v->late;
    }
}

/* Modes change, and with them the rates, at (t, y): from T->before to f. */
static void change_over(bri_sim *sim, double t, const double *y) {
    tangent *T = sim->tangent;
    for (int i = 0; i < sim->net->n_touches; i++) T->modes[i] = sim_mode_of(&sim->net->touches[i]);
    set_modes(T, T->modes);
    network_rhs(T->base, t, y, T->f);
    for (int k = 0; k < T->count; k++) {
        variation *v = &T->by[k];
        for (int i = 0; i < T->n; i++) v->w[i] = v->S[i] + T->before[i] * v->late;
        project(T, v, t, y);
        for (int i = 0; i < T->n; i++) v->S[i] = v->w[i] - T->f[i] * v->late;
    }
}

static int modes_differ(const bri_sim *sim) {
    for (int i = 0; i < sim->net->n_touches; i++) {
        modes now = sim_mode_of(&sim->net->touches[i]), *had = &sim->tangent->modes[i];
        if (now.mode != had->mode || now.limit != had->limit || now.edge != had->edge ||
            now.left != had->left || now.lifted != had->lifted)
            return 1;
    }
    return 0;
}

void tangent_carry(bri_sim *sim) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    if (modes_differ(
            sim)) { /* what was decided after the event, or as the first thing of the step */
        sim_state_at(sim, s->t_prev, T->y);
        for (int k = 0; T->when != s->t_prev && k < T->count; k++) T->by[k].late = 0.0;
        network_rhs(T->base, s->t_prev, T->y, T->before);
        change_over(sim, s->t_prev, T->y);
    }
    memcpy(T->clock_prev, T->clock, sizeof *T->clock * (size_t)nets_of(T));
    for (int k = 0; k < T->count; k++)
        memcpy(T->by[k].S_prev, T->by[k].S, sizeof(double) * (size_t)T->n);
    if (s->t > s->t_prev) tangent_carry_part(sim, s->t_prev, s->t);
}

/* An event function of the simulation as it would be with another network. */
static double event_function(bri_sim *sim, network *net, int event, double t, const double *y) {
    network *own = sim->net;
    int one_turn = sim->one_turn;
    sim->net = net;
    sim->one_turn = 0;
    sim_event_functions(sim, t, y, sim->tangent->g);
    sim->net = own;
    sim->one_turn = one_turn;
    return sim->tangent->g[event];
}

/* The change of an event function per second along the run. */
static double rate_of_event(bri_sim *sim, int event) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    static const double offset[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    double sum = 0.0, h = 1e-4 * (s->t - s->t_prev);
    if (!(h > 1e-9 * fabs(s->t))) h = 1e-9 * fmax(fabs(s->t), 1e-3 * sim->span);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < T->n; i++) T->y[i] = s->y[i] + offset[k] * h * T->before[i];
        sum += weight[k] * event_function(sim, T->base, event, s->t + offset[k] * h, T->y);
    }
    return sum / (12.0 * h);
}

/* Its change with the number, along S. */
static double event_by(bri_sim *sim, const variation *v, int event) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    const stencil *d = &v->d;
    double sum = 0.0;
    for (int k = -1; k < VARIANTS; k++) {
        double weight = k < 0 ? d->weight_here : d->weight[k];
        double change = k < 0 ? 0.0 : d->offset[k] * d->step;
        if (weight == 0.0) continue;
        for (int i = 0; i < T->n; i++) T->y[i] = s->y[i] + change * v->S[i];
        sum += weight * event_function(sim, k < 0 ? T->base : &d->net[k], event, s->t, T->y);
    }
    return sum / d->step;
}

enum { MOST_KINKS = 16 }; /* that may fall together */

/* Kinks of variants belong to that of the run if they are nearer than a share of the way to its
 * neighbours. */
static double kink_window(const bri_sim *sim, double next) {
    return 0.25 * fmin(sim->s->t - sim->tangent->passed, next - sim->s->t);
}

/* At a kink rates jump at a time that may differ from variant to variant, and from signal to
 * signal: the variant has run for (kink - t) longer with the rates before each of them. */
static void shift_kinks(bri_sim *sim, variation *v, int which, double window) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    network *net = &v->d.net[which];
    double weight = v->d.weight[which] / v->d.step;
    double kink = T->clock[1 + (int)(v - T->by) * VARIANTS + which].kink;
    net->earliest = -INFINITY;
    net->latest = INFINITY;
    double last = s->t;
    for (int i = 0; i < MOST_KINKS && isfinite(kink) && fabs(kink - s->t) <= window; i++) {
        network_rhs(net, nextafter(kink, -INFINITY), s->y, T->f);
        network_rhs(net, kink, s->y, T->other);
        for (int k = 0; k < T->n; k++) v->S[k] += weight * (kink - s->t) * (T->f[k] - T->other[k]);
        last = kink;
        kink = network_kink(net, kink);
    }
    v->late += weight * (last - s->t);
}

void tangent_before(bri_sim *sim, int event) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    network_rhs(T->base, s->t, s->y, T->before);
    T->when = s->t;
    double rate = event >= 0 ? rate_of_event(sim, event) : 0.0;
    double window = event < 0 ? kink_window(sim, network_kink(T->base, s->t)) : 0.0;
    for (int k = 0; k < T->count; k++) {
        variation *v = &T->by[k];
        v->late = rate != 0.0 ? -event_by(sim, v, event) / rate : 0.0;
        for (int j = 0; event < 0 && j < VARIANTS; j++) shift_kinks(sim, v, j, window);
    }
}

/* The states of a law after its jump, as they depend on the number. */
static void pass_jump(bri_sim *sim, int contact) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    const touch *own = &sim->net->touches[contact];
    int first = 2 * sim->net->n_free + own->first;
    for (int k = 0; k < T->count; k++) {
        variation *v = &T->by[k];
        double sum[BRI_MAX_STATES] = {0}, z[BRI_MAX_STATES];
        for (int j = -1; j < VARIANTS; j++) {
            network *net = j < 0 ? T->base : &v->d.net[j];
            const touch *c = &net->touches[contact];
            double weight = (j < 0 ? v->d.weight_here : v->d.weight[j]) / v->d.step;
            double change = j < 0 ? 0.0 : v->d.offset[j] * v->d.step;
            if (weight == 0.0) continue;
            for (int i = 0; i < T->n; i++)
                T->y[i] = sim->y_end[i] + change * (v->S[i] + T->before[i] * v->late);
            network_forces(net, s->t, T->y);
            network_place(net, s->t, T->y);
            bri_input u = touch_input(net, c);
            memcpy(z, T->y + first, sizeof *z * (size_t)c->count);
            c->model->jump(c->model, c->p, &u, z);
            for (int i = 0; i < c->count; i++) sum[i] += weight * z[i];
        }
        for (int i = 0; i < own->count; i++)
            v->S[first + i] = sum[i] - T->before[first + i] * v->late;
    }
}

/* The clocks of all networks after a kink of the run. */
static void pass_clocks(bri_sim *sim) {
    tangent *T = sim->tangent;
    double t = sim->s->t, window = kink_window(sim, sim->kink);
    for (int i = 0; i < nets_of(T); i++) {
        network *net = net_at(T, i);
        clock_range *c = &T->clock[i];
        while (isfinite(c->kink) && (c->kink <= t || c->kink - t <= window)) {
            c->earliest = c->kink;
            c->kink = network_kink(net, c->earliest);
        }
        c->latest = nextafter(c->kink, -INFINITY);
    }
    T->passed = t;
    set_clocks(T, T->clock);
}

static double driven_value(const network *net, int i) {
    return bri_signal_value(net->driven[i].signal, network_clock(net, net->moved));
}

/* Velocities that follow a signal have its derivative from a kink on. */
static void kick(tangent *T, variation *v, double t) {
    network *base = T->base;
    for (int k = -1; k < VARIANTS; k++) (k < 0 ? base : &v->d.net[k])->moved = t;
    for (int i = 0; i < base->n_driven; i++)
        v->S[base->n_free + base->driven[i].at] = stencil_sum(&v->d, base, driven_value, i);
    for (int k = -1; k < VARIANTS; k++) (k < 0 ? base : &v->d.net[k])->moved = NAN;
}

void tangent_after(bri_sim *sim, int event) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    int contact = event >= 0 ? sim_contact_of(sim, event) : -1;
    const touch *c = contact >= 0 ? &sim->net->touches[contact] : NULL;
    int jumps = c && !c->model->set_valued && c->model->jump && c->count > 0 &&
                memcmp(s->y, sim->y_end, sizeof *s->y * (size_t)T->n) != 0;
    if (jumps) pass_jump(sim, contact);
    if (event < 0) { /* what remains is the change of modes */
        pass_clocks(sim);
        network_rhs(T->base, s->t, sim->y_end, T->before);
    }
    if (event < 0 && T->base->n_driven > 0)
        for (int k = 0; k < T->count; k++) kick(T, &T->by[k], s->t);
    change_over(sim, s->t, s->y);
}

/* ---- beginning ----------------------------------------------------------------------------------
 */

bri_status tangent_rebuild(bri_sim *sim, bri_error *err) {
    tangent *T = sim->tangent;
    const bri_sim_def *def = &sim->def;
    bri_status status = network_build(T->base, &def->system, def->t_start, def->t_end, err);
    if (status == BRI_OK) status = network_allow_stick(T->base, err);
    for (int k = 0; status == BRI_OK && k < T->count; k++)
        status = stencil_build(sim, T->by[k].ref, &T->by[k].d, NULL, err);
    if (status != BRI_OK) return status;
    set_modes(T, T->modes);
    set_clocks(T, T->clock);
    return BRI_OK;
}

static void take_memory(bri_sim *sim, tangent *T) {
    arena *memory = &sim->memory;
    size_t n = (size_t)sim->net->n, nets = (size_t)T->count * VARIANTS + 1;
    T->by = ARENA_NEW(memory, variation, T->count);
    T->modes = ARENA_NEW(memory, modes, sim->net->n_touches);
    T->seen = ARENA_NEW(memory, modes, sim->net->n_touches);
    T->clock = ARENA_NEW(memory, clock_range, nets);
    T->clock_prev = ARENA_NEW(memory, clock_range, nets);
    T->y = ARENA_NEW(memory, double, n);
    T->f = ARENA_NEW(memory, double, n);
    T->before = ARENA_NEW(memory, double, n);
    T->room = ARENA_NEW(memory, double, n + (size_t)sim->net->n_all);
    T->other = ARENA_NEW(memory, double, n);
    T->g = ARENA_NEW(memory, double, 2 * sim->n_events + 2);
    for (int k = 0; T->by && k < T->count; k++) {
        variation *v = &T->by[k];
        v->S = ARENA_NEW(memory, double, n);
        v->S_prev = ARENA_NEW(memory, double, n);
        v->S_now = ARENA_NEW(memory, double, n);
        v->w = ARENA_NEW(memory, double, n);
        v->K = ARENA_NEW(memory, double, STAGES *n);
    }
}

bri_status tangent_create(bri_sim *sim, bri_error *err) {
    const bri_sim_def *def = &sim->def;
    bri_status status = BRI_OK;
    if (def->n_by <= 0) return BRI_OK;
    if (sim->solver->leaps)
        return bri_fail(err, BRI_BAD_VALUE,
                        "the solver %s gives no derivatives of a run: take rosenbrock",
                        sim->solver->name);
    if (sim->net->n_formulas > 0 || sim->net->n_gears > 0)
        return bri_fail(err, BRI_BAD_VALUE,
                        "derivatives of a run are not known where functions of the motion or gears "
                        "are part of the system");
    tangent *T = ARENA_NEW(&sim->memory, tangent, 1);
    if (!sim->variants) {
        sim->n_variants = def->n_by * VARIANTS + 1;
        sim->variants = calloc((size_t)sim->n_variants, sizeof *sim->variants);
    }
    if (!T || !sim->variants) goto no_memory;
    T->count = def->n_by;
    T->n = sim->net->n;
    T->base = sim->variants;
    take_memory(sim, T);
    if (sim->memory.failed) goto no_memory;
    sim->tangent = T;
    for (int k = 0; status == BRI_OK && k < T->count; k++) {
        variation *v = &T->by[k];
        v->d.net = sim->variants + 1 + k * VARIANTS;
        status = bri_sim_find(sim, def->by[k], &v->ref, err);
        if (status == BRI_OK) v->value = *sim_number(sim, v->ref, 0);
        if (status == BRI_OK) status = stencil_build(sim, v->ref, &v->d, v->S, err);
    }
    if (status != BRI_OK) return status;
    for (int i = 0; i < sim->net->n_touches; i++) T->modes[i] = sim_mode_of(&sim->net->touches[i]);
    T->when = T->passed = -INFINITY;
    if ((status = network_build(T->base, &def->system, def->t_start, def->t_end, err)) == BRI_OK)
        status = network_allow_stick(T->base, err);
    if (status != BRI_OK) return status;
    for (int i = 0; i < nets_of(T); i++) {
        double t = def->t_start, kink = network_kink(net_at(T, i), t), start = -INFINITY;
        while (i > 0 && isfinite(kink) && kink - t <= 0.25 * (sim->kink - t)) { /* of the start */
            start = kink;
            kink = network_kink(net_at(T, i), kink);
        }
        T->clock[i] = (clock_range){start, nextafter(kink, -INFINITY), kink};
    }
    set_clocks(T, T->clock);
    change_over(sim, sim->t, sim->y); /* bodies that stick from the start */
    return BRI_OK;
no_memory:
    return bri_fail(err, BRI_NO_MEMORY, "not enough memory for derivatives");
}
