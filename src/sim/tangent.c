/* tangent.c - see tangent.h. Between events SDIRK4 of Hairer & Wanner, Solving ODEs II, 2nd ed.,
 * section IV.6, table 6.5: order 4, five stages with the same w = 4/h, L-stable, error estimate of
 * order 3. The equation is linear, so that every stage is one linear system, solved as those of the
 * run are. */
#include "tangent.h"

#include <float.h>
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

network *tangent_net(const tangent *T, int i) {
    return i == 0 ? T->base : &T->by[(i - 1) / VARIANTS].d.net[(i - 1) % VARIANTS];
}

void tangent_set_clocks(const tangent *T, const clock_range *clock) {
    for (int i = 0; i < tangent_nets(T); i++) {
        network *net = tangent_net(T, i);
        net->earliest = clock[i].earliest;
        net->latest = clock[i].latest;
        net->moved = NAN;
    }
}

static void set_modes(const tangent *T, const setting *to) {
    for (int i = 0; i < tangent_nets(T); i++)
        network_take_modes(tangent_net(T, i), to->modes, to->sides);
}

void tangent_set(const tangent *T, const setting *to) {
    set_modes(T, to);
    tangent_set_clocks(T, to->clock);
}

void tangent_take_modes(const bri_sim *sim) {
    const setting *to = &sim->tangent->at;
    for (int i = 0; i < sim->net->n_touches; i++) to->modes[i] = sim_mode_of(&sim->net->touches[i]);
    network_get_sides(sim->net, to->sides);
    set_modes(sim->tangent, to);
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
    stencil_rates(&v->d, T->base, t, T->y, T->f, b);
    network_solve(T->base, b);
    for (int k = 0; k < n; k++) v->K[stage * n + k] = w * (b[k] - X[k]);
}

/* The estimate times (I - h gamma J)^-1, where base has been factored last (Hairer & Wanner,
 * section IV.8): what follows other unknowns at once errs with the square of h in the estimate
 * alone. */
static double error_of(const bri_sim *sim, const variation *v, double h, double w) {
    const tangent *T = sim->tangent;
    double worst = 0.0, rtol = fmax(sim->rtol, TIGHTEST), *error = T->room;
    double scale = fmax(fabs(v->value), v->d.step);
    for (int k = 0; k < T->n; k++) {
        error[k] = 0.0;
        for (int j = 0; j < STAGES; j++) error[k] += h * error_weight[j] * v->K[j * T->n + k];
        error[k] *= w;
    }
    network_solve(T->base, error);
    for (int k = 0; k < T->n; k++) {
        double size = fmax(fabs(v->S[k]), fabs(v->w[k]));
        size = fmax(size, 1e-3 * fmax(sim->net->expected[k], fabs(sim->s->y[k])) / scale);
        worst = fmax(worst, fabs(error[k]) / (rtol * size));
        if (isnan(error[k])) return INFINITY;
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
    for (int k = 0; k < T->count; k++) worst = fmax(worst, error_of(sim, &T->by[k], h, w));
    return worst;
}

/* An error beyond the tolerance that hardly falls with the step is one of rounding; as much of it
 * may be accepted, in tolerances. */
static const double MOST_ROUNDING = 100.0;

void tangent_carry_part(bri_sim *sim, double a, double b) {
    tangent *T = sim->tangent;
    double h = T->h > 0.0 ? fmin(T->h, b - a) : b - a;
    double before = INFINITY, h_before = h; /* error of the last attempt, if it was refused */
    for (double t = a; t < b && !(T->lost < a);) {
        if (h > (b - t) * (1.0 - 1e-6)) h = b - t;
        double worst = attempt(sim, t, h), least = 64.0 * DBL_EPSILON * fabs(t);
        int rounding = worst <= MOST_ROUNDING && worst > before * sqrt(h / h_before);
        int stands = h <= fmax(least, DBL_MIN);
        if (worst <= 1.0 || rounding || stands) {
            if (worst > MOST_ROUNDING) { /* nothing is known from here on */
                T->lost = t;
                return;
            }
            for (int k = 0; k < T->count; k++)
                memcpy(T->by[k].S, T->by[k].w, sizeof(double) * (size_t)T->n);
            t = h >= b - t ? b : t + h;
            before = INFINITY;
            if (rounding) worst = 1e-4; /* shorter steps do not pay */
        } else {
            before = worst;
            h_before = h;
        }
        double factor = worst > 0.0 ? 0.9 * pow(worst, -0.25) : 5.0;
        h *= fmin(fmax(factor, 0.1), 5.0);
        if (worst <= 1.0) T->h = h;
    }
}

static int modes_differ(const bri_sim *sim) {
    const tangent *T = sim->tangent;
    for (int i = 0; i < sim->net->n_touches; i++) {
        modes now = sim_mode_of(&sim->net->touches[i]), *had = &T->at.modes[i];
        if (now.mode != had->mode || now.limit != had->limit || now.edge != had->edge ||
            now.left != had->left || now.lifted != had->lifted)
            return 1;
    }
    if (T->n_sides == 0) return 0;
    network_get_sides(sim->net, T->at_prev.sides); /* free at the start of a step */
    return memcmp(T->at_prev.sides, T->at.sides, sizeof(double) * (size_t)T->n_sides) != 0;
}

/* What the last step was made with. */
static void keep_setting(const bri_sim *sim) {
    const tangent *T = sim->tangent;
    memcpy(T->at_prev.modes, T->at.modes, sizeof(modes) * (size_t)sim->net->n_touches);
    memcpy(T->at_prev.sides, T->at.sides, sizeof(double) * (size_t)T->n_sides);
    memcpy(T->at_prev.clock, T->at.clock, sizeof(clock_range) * (size_t)tangent_nets(T));
}

void tangent_carry(bri_sim *sim) {
    tangent *T = sim->tangent;
    const stepper *s = sim->s;
    if (modes_differ(
            sim)) { /* what was decided after the event, or as the first thing of the step */
        sim_state_at(sim, s->t_prev, T->y);
        for (int k = 0; T->when != s->t_prev && k < T->count; k++) T->by[k].late = 0.0;
        network_rhs(T->base, s->t_prev, T->y, T->before);
        tangent_change_over(sim, s->t_prev, T->y);
    }
    T->now = NAN;
    keep_setting(sim);
    for (int k = 0; k < T->count; k++)
        memcpy(T->by[k].S_prev, T->by[k].S, sizeof(double) * (size_t)T->n);
    if (s->t > s->t_prev) tangent_carry_part(sim, s->t_prev, s->t);
}

/* ---- beginning ----------------------------------------------------------------------------------
 */

bri_status tangent_rebuild(bri_sim *sim, bri_error *err) {
    tangent *T = sim->tangent;
    const bri_sim_def *def = &sim->def;
    T->now = NAN;
    bri_status status = network_build(T->base, &def->system, def->t_start, def->t_end, err);
    if (status == BRI_OK) status = network_allow_stick(T->base, err);
    for (int k = 0; status == BRI_OK && k < T->count; k++)
        status = stencil_build(sim, T->by[k].ref, &T->by[k].d, NULL, err);
    if (status != BRI_OK) return status;
    set_modes(T, &T->at);
    tangent_set_clocks(T, T->at.clock);
    return BRI_OK;
}

static void take_memory(bri_sim *sim, tangent *T) {
    arena *memory = &sim->memory;
    size_t n = (size_t)sim->net->n, nets = (size_t)T->count * VARIANTS + 1;
    T->by = ARENA_NEW(memory, variation, T->count);
    for (int k = 0; k < 2; k++)
        *(k ? &T->at_prev : &T->at) =
            (setting){ARENA_NEW(memory, modes, sim->net->n_touches),
                      ARENA_NEW(memory, double, T->n_sides), ARENA_NEW(memory, clock_range, nets)};
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
    tangent *T = ARENA_NEW(&sim->memory, tangent, 1);
    if (!sim->variants) {
        sim->n_variants = def->n_by * VARIANTS + 1;
        sim->variants = calloc((size_t)sim->n_variants, sizeof *sim->variants);
    }
    if (!T || !sim->variants) goto no_memory;
    for (int i = 0; i < sim->n_variants; i++) sim->variants[i].apart = 1;
    T->count = def->n_by;
    T->n = sim->net->n;
    T->n_sides = network_count_sides(sim->net);
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
    T->when = T->passed = -INFINITY;
    T->lost = INFINITY;
    T->now = NAN;
    if ((status = network_build(T->base, &def->system, def->t_start, def->t_end, err)) == BRI_OK)
        status = network_allow_stick(T->base, err);
    if (status != BRI_OK) return status;
    for (int i = 0; i < tangent_nets(T); i++) {
        double t = def->t_start, kink = network_kink(tangent_net(T, i), t), start = -INFINITY;
        while (i > 0 && isfinite(kink) && kink - t <= 0.25 * (sim->kink - t)) { /* of the start */
            start = kink;
            kink = network_kink(tangent_net(T, i), kink);
        }
        T->at.clock[i] = (clock_range){start, nextafter(kink, -INFINITY), kink};
    }
    tangent_set_clocks(T, T->at.clock);
    tangent_change_over(sim, sim->t, sim->y); /* bodies that stick from the start */
    return BRI_OK;
no_memory:
    return bri_fail(err, BRI_NO_MEMORY, "not enough memory for derivatives");
}
