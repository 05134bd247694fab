/* interpret.c - a bri_model from the graph of a law: its functions by the scalar machine, in room
 * on the stack. What they compute is what functions.c writes in C, to the bit. */
#include "interpret.h"

#include "../expr/ops.h"
#include "../models/law_code.h"

#include <stdlib.h>

/* Numbers that a program may need at once: those of most laws, and the most there can be. */
enum { ROOM = 160, MOST_ROOM = 6000 };

static const bri_law *law_of(const bri_model *self) { return (const bri_law *)(const void *)self; }

/* ---- running ------------------------------------------------------------------------------- */

/* u and z NULL: what needs parameters only. */
static inline void run_in(const bri_law *l, const expr_program *program, double *room,
                          const double *p, const bri_input *u, const double *z, int own,
                          double *out) {
    double *in = expr_room_inputs(program, room);
    const law *page = l->page;
    if (u) {
        in[LAW_X] = u->x;
        in[LAW_V] = u->v;
        in[LAW_N] = u->n;
        double *direction_in = in + expr_variables(page->g);
        direction_in[0] = own ? fabs(u->v) : speed(u);
        direction_in[1] = own ? sign(u->v) : direction(u);
    }
    for (int i = 0; z && i < page->n_states; i++) in[LAW_STATES + i] = z[i];
    for (int i = 0; i < page->n_params; i++) in[LAW_STATES + page->n_states + i] = p[i];
    expr_run_room(program, room, out);
}

/* Apart, so that small laws do not touch so much of the stack. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
run_large(const bri_law *l, const expr_program *program, const double *p, const bri_input *u,
          const double *z, int own, double *out) {
    double room[MOST_ROOM];
    run_in(l, program, room, p, u, z, own, out);
}

#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
interpret(const bri_law *l, const expr_program *program, const double *p, const bri_input *u,
          const double *z, int own, double *out) {
    double room[ROOM];
    if (expr_program_room(program) <= ROOM)
        run_in(l, program, room, p, u, z, own, out);
    else
        run_large(l, program, p, u, z, own, out);
}

static inline void run(const bri_law *l, law_part part, const double *p, const bri_input *u,
                       const double *z, double *out) {
    int own = l->own_direction || part == PART_MOTION; /* a report says what v does */
    interpret(l, l->parts[part], p, u, z, own, out);
}

/* ---- the functions of a model -------------------------------------------------------------- */

static double eval(const bri_model *self, const double *p, const bri_input *u, const double *z,
                   double *dz) {
    const bri_law *l = law_of(self);
    double out[1 + BRI_MAX_STATES];
    if (l->parts[PART_HOLDS] && slides(u) == 0.0) {
        run(l, PART_HOLDS, p, u, z, out);
        return clamp(u->fa, out[0]);
    }
    run(l, PART_VALUES, p, u, z, out);
    for (int i = 0; i < self->n_states; i++) dz[i] = out[1 + i];
    return out[0];
}

/* The force that holds does not depend on v or x; beyond its level it grows with the level. */
static void slopes(const bri_law *l, law_part part, law_part held, int width, const double *p,
                   const bri_input *u, const double *z, double *to) {
    if (!l->parts[PART_HOLDS] || slides(u) != 0.0) {
        run(l, part, p, u, z, to);
        return;
    }
    double out[1 + BRI_MAX_PARAMS + LAW_STATES];
    run(l, held, p, u, z, out);
    double side = fabs(u->fa) > out[0] ? sign(u->fa) : 0.0;
    for (int i = 0; i < width; i++) to[i] = out[1 + i] == 0.0 ? 0.0 : side * out[1 + i];
}

static void jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                double *J) {
    slopes(law_of(self), PART_JACOBIAN, PART_HELD_SLOPES, LAW_STATES, p, u, z, J);
}

static void params_jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                       double *D) {
    slopes(law_of(self), PART_PARAMS, PART_HELD_PARAMS, self->n_params, p, u, z, D);
}

static const char *check(const bri_model *self, const double *p) {
    const bri_law *l = law_of(self);
    double kept[LAW_RULES];
    run(l, PART_CHECK, p, NULL, NULL, kept);
    for (int i = 0; i < l->page->n_rules; i++)
        if (kept[i] == 0.0) return l->page->rules[i].words;
    return NULL;
}

static double lift(const bri_model *self, const double *p) {
    double out;
    run(law_of(self), PART_LIFT, p, NULL, NULL, &out);
    return out;
}

static double stored(const bri_model *self, const double *p, const bri_input *u, const double *z,
                     double *grad) {
    double out[1 + BRI_MAX_STATES];
    run(law_of(self), PART_STORED, p, u, z, out);
    for (int i = 0; i < self->n_states; i++) grad[i] = out[1 + i];
    return out[0];
}

static int motion(const bri_model *self, const double *p, const bri_input *u, const double *z) {
    double out[2];
    run(law_of(self), PART_MOTION, p, u, z, out);
    return out[0] != 0.0 ? 0 : (int)sign(out[1]);
}

/* A set-valued law ends sliding at v = 0 and stick at its level. */
static void held_roots(const bri_model *self, const double *p, const bri_input *u, const double *z,
                       double *g) {
    double level, d = slides(u);
    run(law_of(self), PART_HOLDS, p, u, z, &level);
    g[0] = d != 0.0 ? d * u->v : level - fabs(u->fa);
}

static bri_mode held_jump(const bri_model *self, const double *p, const bri_input *u, double *z) {
    double level;
    run(law_of(self), PART_HOLDS, p, u, z, &level);
    return law_let_go(u, level);
}

static void bound_roots(const bri_model *self, const double *p, const bri_input *u, const double *z,
                        double *g) {
    const bri_law *l = law_of(self);
    run(l, PART_BOUNDS, p, u, z, g);
    for (int i = 0; i < l->n_bounded; i++) {
        int at = l->bounded[i];
        g[i] = l->page->bound_early[at] ? law_distance(u, z[at], g[i]) : g[i] - fabs(z[at]);
    }
}

static bri_mode bound_jump(const bri_model *self, const double *p, const bri_input *u, double *z) {
    const bri_law *l = law_of(self);
    double bound[BRI_MAX_STATES];
    run(l, PART_BOUNDS, p, u, z, bound);
    for (int i = 0; i < l->n_bounded; i++)
        if (l->page->bound_early[l->bounded[i]])
            law_put_on_near_bound(u, &z[l->bounded[i]], bound[i]);
        else
            law_put_on_bound(&z[l->bounded[i]], bound[i]);
    return u->mode;
}

/* Bounds without a condition always matter. */
static int eventful(const bri_model *self, const double *p) {
    const bri_law *l = law_of(self);
    double when[BRI_MAX_STATES];
    int matters = 0, n = 0;
    if (l->parts[PART_EVENTFUL]) run(l, PART_EVENTFUL, p, NULL, NULL, when);
    for (int i = 0; i < l->n_bounded && !matters; i++) {
        int at = l->bounded[i], holds = l->page->bound_when[at] < 0 || when[n++] != 0.0;
        if (holds) matters = l->page->bound_early[at] ? 2 : 1;
    }
    return matters;
}

static const char *advice(const bri_model *self, const double *p) {
    double against;
    run(law_of(self), PART_ADVICE, p, NULL, NULL, &against);
    return against != 0.0 ? law_of(self)->page->advice_words : NULL;
}

static unsigned pieces(const bri_model *self, const double *p, const bri_input *u,
                       const double *z) {
    const bri_law *l = law_of(self);
    double g[LAW_CORNERS];
    unsigned bits = 0;
    run(l, PART_PIECES, p, u, z, g);
    for (int i = 0; i < l->n_corners; i++) bits |= (unsigned)(g[i] > 0.0) << i;
    return bits;
}

/* It ends at its bound. */
static double end_within_bounds(const bri_law *l, const double *p, const bri_input *u, double *z) {
    double bound[BRI_MAX_STATES], dz[BRI_MAX_STATES];
    if (l->n_bounded > 0) run(l, PART_BOUNDS, p, u, z, bound);
    for (int i = 0; i < l->n_bounded; i++)
        if (!l->page->bound_early[l->bounded[i]])
            z[l->bounded[i]] = clamp(z[l->bounded[i]], bound[i]);
    return eval(&l->model, p, u, z, dz);
}

/* With v and N held, dz/dt = r + b (z - z0): exact. Of a cascade, a state sees the mean of those
 * before it. */
static double step(const bri_model *self, const double *p, const bri_input *u, double h,
                   double *z) {
    const bri_law *l = law_of(self);
    int k = self->n_states;
    double out[2 * BRI_MAX_STATES], mean[BRI_MAX_STATES];
    memcpy(mean, z, sizeof *z * (size_t)k);
    for (int i = 0; i < k; i++) {
        if (i == 0 || l->motion == LAW_CASCADE) run(l, PART_STEP, p, u, mean, out);
        if (l->aims[i] != LAW_NO_AIM) {
            double way = l->aims[i] == LAW_BY_PATH ? fabs(u->v) * h : h;
            z[i] = law_approach(z[i], out[i], -way * out[k + i]);
        } else {
            mean[i] += out[i] * h * law_mean_gain(out[k + i] * h);
            z[i] += out[i] * h * law_gain(out[k + i] * h);
        }
    }
    return end_within_bounds(l, p, u, z);
}

static double bounded_step(const bri_model *self, const double *p, const bri_input *u, double h,
                           double *z) {
    bri_implicit_step(self, p, u, h, z);
    return end_within_bounds(law_of(self), p, u, z);
}

/* ---- making one ---------------------------------------------------------------------------- */

/* The level of a set-valued law, and its slopes in some variables. */
static int held_slopes(law *page, int first, int count, expr_id *roots) {
    if (page->holds < 0) return 0;
    roots[0] = page->holds;
    for (int i = 0; i < count; i++)
        if (!expr_derive(page->g, &page->holds, 1, first + i, &roots[1 + i])) return -1;
    return 1 + count;
}

/* The expressions of a part; their number, 0: the law has none, -1: the graph failed. */
static int roots_of(bri_law *l, law_part part, expr_id *roots) {
    law *page = l->page;
    int k = page->n_states, count = 0;
    switch (part) {
    case PART_VALUES:
        return law_values(page, roots) ? 1 + k : -1;
    case PART_JACOBIAN:
        return law_jacobian(page, roots) ? (1 + k) * (LAW_STATES + k) : -1;
    case PART_CHECK:
        for (int i = 0; i < page->n_rules; i++) roots[count++] = page->rules[i].condition;
        return count;
    case PART_LIFT:
        roots[0] = page->lift;
        return page->lift >= 0;
    case PART_STORED:
        if (page->stored < 0) return 0;
        roots[0] = page->stored;
        for (int i = 0; i < k; i++)
            if (!expr_derive(page->g, &page->stored, 1, LAW_STATES + i, &roots[1 + i])) return -1;
        return 1 + k;
    case PART_MOTION:
        roots[0] = page->sticks;
        roots[1] = page->slip >= 0 ? page->slip : expr_variable_at(page->g, LAW_V);
        return page->sticks >= 0 ? 2 : 0;
    case PART_HOLDS:
        roots[0] = page->holds;
        return page->holds >= 0;
    case PART_HELD_SLOPES:
        return held_slopes(page, LAW_X, LAW_STATES, roots);
    case PART_PARAMS:
        return law_parameter_slopes(page, roots) ? (1 + k) * page->n_params : -1;
    case PART_HELD_PARAMS:
        return held_slopes(page, law_param_variable(page, 0), page->n_params, roots);
    case PART_EVENTFUL:
        for (int i = 0; i < k; i++)
            if (page->bounds[i] >= 0 && page->bound_when[i] >= 0)
                roots[count++] = page->bound_when[i];
        return count;
    case PART_ADVICE:
        roots[0] = page->advice;
        return page->advice >= 0;
    case PART_PIECES:
        return l->n_corners = law_corners(page, roots);
    case PART_STEP:
        l->motion = page->step ? LAW_GENERAL : law_affine(page, roots);
        for (int i = 0; i < k && l->motion == LAW_AFFINE; i++)
            l->aims[i] = law_target(page, i, roots[i], roots[k + i], &roots[i], &roots[k + i]);
        if (l->motion == LAW_FAILED || expr_failure(page->g)) return -1;
        return l->motion == LAW_GENERAL ? 0 : 2 * k;
    default:
        for (int i = 0; i < k; i++)
            if (page->bounds[i] >= 0) {
                l->bounded[l->n_bounded++] = i;
                roots[count++] = page->bounds[i];
            }
        return count;
    }
}

/* Without memory for it arrays are computed contact by contact. */
static void make_shared(bri_law *l, expr_id *roots) {
    const law *page = l->page;
    int n = expr_variables(page->g), count = roots_of(l, PART_VALUES, roots);
    unsigned char *uniform = calloc((size_t)n + 2, 1);
    for (int i = 0; uniform && i < page->n_params; i++)
        uniform[LAW_STATES + page->n_states + i] = 1;
    const expr_compile how = {.uniform = uniform}; /* |v| and sgn(v) are those of v */
    if (uniform && count > 0) l->shared = expr_program_new(page->g, roots, count, &how);
    free(uniform);
}

/* What is wrong; NULL: nothing is. */
static const char *make_parts(bri_law *l) {
    static const char none[] = "not enough memory";
    const expr_compile how = {.frozen = LAW_V + 1};
    expr_graph *g = l->page->g;
    size_t most = (size_t)(1 + BRI_MAX_STATES) * (LAW_STATES + BRI_MAX_STATES);
    expr_id *roots = malloc(sizeof *roots * most);
    const char *wrong = roots ? NULL : none;
    for (int i = 0; i < PART_COUNT && !wrong; i++) {
        int count = roots_of(l, (law_part)i, roots);
        if (count > 0) l->parts[i] = expr_program_new(g, roots, count, &how);
        if (count < 0 || (count > 0 && !l->parts[i]))
            wrong = expr_failure(g) ? expr_failure(g) : none;
        else if (count > 0 && expr_program_room(l->parts[i]) > MOST_ROOM)
            wrong = "the law is too long: its derivatives need too many numbers at once";
    }
    if (!wrong) make_shared(l, roots);
    free(roots);
    return wrong;
}

static void fill_model(bri_law *l, int affine) {
    const law *page = l->page;
    int bounded = 0, vary = 0;
    for (int i = 0; i < page->n_states; i++) {
        if (page->bounds[i] < 0) continue;
        bounded |= !page->bound_early[i];
        vary |= page->bound_early[i] || page->bound_when[i] >= 0;
    }
    l->own_direction = law_own_direction(page);
    l->model = (bri_model){
        .name = page->name,
        .title = page->title,
        .equations = page->equations,
        .limits = page->limits,
        .cite = page->cite,
        .defaults = page->defaults,
        .load = page->load,
        .params = page->params,
        .n_params = page->n_params,
        .states = page->n_states > 0 ? page->states : NULL,
        .n_states = page->n_states,
        .step_order = page->step            ? page->step->order
                      : l->parts[PART_STEP] ? 2
                                            : page->n_states > 0,
        .n_roots = page->holds >= 0 ? 1 : l->n_bounded,
        .set_valued = page->holds >= 0,
        .affine = affine,
        .check = l->parts[PART_CHECK] ? check : NULL,
        .rest = bri_page_rest, /* also what such a law is known by */
        .eval = eval,
        .jac = jac,
        .params_jac = l->parts[PART_PARAMS] ? params_jac : NULL,
        .step = page->step            ? page->step->step
                : l->parts[PART_STEP] ? step
                : bounded             ? bounded_step
                                      : NULL,
        .step_slope = page->step ? page->step->slope : NULL,
        .lift = l->parts[PART_LIFT] ? lift : NULL,
        .stored = l->parts[PART_STORED] ? stored : NULL,
        .motion = l->parts[PART_MOTION] ? motion : NULL,
        .eventful = vary ? eventful : NULL,
        .advice = l->parts[PART_ADVICE] ? advice : NULL,
        .pieces = l->parts[PART_PIECES] ? pieces : NULL,
    };
    l->as_page.rest = page->rest;
    l->as_page.many = law_many;
    if (page->holds >= 0) {
        l->model.roots = held_roots;
        l->model.jump = held_jump;
    } else if (l->n_bounded > 0) {
        l->model.roots = bound_roots;
        l->model.jump = bound_jump;
    }
}

bri_law *law_interpret(law *page, node_report *report, void *to) {
    bri_law *l = calloc(1, sizeof *l);
    if (!l) {
        report(to, 0, BRI_NO_MEMORY, "not enough memory");
        law_free(page);
        return NULL;
    }
    l->page = page;
    const char *wrong = make_parts(l);
    int affine = wrong ? 0 : law_is_affine(page);
    if (affine < 0) wrong = "not enough memory";
    if (!wrong) {
        fill_model(l, affine);
        return l;
    }
    report(to, 0, strcmp(wrong, "not enough memory") == 0 ? BRI_NO_MEMORY : BRI_BAD_VALUE, wrong);
    bri_law_free(l);
    return NULL;
}

void bri_law_free(bri_law *l) {
    if (!l) return;
    law_unload(l);
    for (int i = 0; i < PART_COUNT; i++) expr_program_free(l->parts[i]);
    expr_program_free(l->shared);
    law_free(l->page);
    free(l);
}

void law_take_functions(bri_law *l, const bri_model *made) {
    l->model.check = made->check;
    l->model.eval = made->eval;
    l->model.jac = made->jac;
    l->model.params_jac = made->params_jac;
    l->model.step = made->step;
    l->model.lift = made->lift;
    l->model.stored = made->stored;
    l->model.motion = made->motion;
    l->model.roots = made->roots;
    l->model.jump = made->jump;
    l->model.eventful = made->eventful;
    l->model.advice = made->advice;
    l->model.pieces = made->pieces;
    l->as_page.many = NULL; /* one by one it is as fast */
}

const bri_law *law_of_model(const bri_model *m) { return bri_page_of(m) ? law_of(m) : NULL; }

const bri_model *bri_law_model(const bri_law *l) { return &l->model; }
