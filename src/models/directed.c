/* Friction that depends on the direction, on top of any law.
 *
 *     F = F_law              where the law's force is positive: it resists sliding forward
 *     F = backward F_law     where it is negative
 *
 * All levels, and with them the stiffness and damping of bristles and the viscous part, are
 * `backward` times as large to that side: the contact lets go at the same deflection either way,
 * and holds from -backward F_s to F_s. The sign of the force decides, not that of v. F passes
 * through zero on its way from one side to the other, so that it jumps with no law, whether its
 * stiffness is given or follows from the load; and a contact that is pushed forward holds up to its
 * forward level also while it trembles at v < 0. Laws without states take the direction that a
 * solver has frozen, so that they stay smooth within a step.
 *
 * The energy in the bristles is that of springs in parallel, 1/2 sum k_i z_i^2: what their common
 * deflection F_0/K holds, F_0 = sum k_i z_i, K = sum k_i, is `backward` times as much where F_0 is
 * negative. So F v = d(stored)/dt + dissipated, with nothing lost or won where the side changes.
 */
#include "models.h"

/* clang-format off */
static const bri_param directed_param =
    {"backward", "1", 1.0, 1e-3, 1e3, "friction against sliding backward (v < 0), as a multiple of that forward",
     NULL, 0, BRI_ROLE_SHAPE};
/* clang-format on */

static const bri_model *inner_of(const bri_model *self) {
    return ((const bri_directed *)(const void *)self)->inner;
}

/* What a force of that sign is multiplied by. */
static double side(double backward, double way) { return way < 0.0 ? backward : 1.0; }

static double share(const bri_model *self, const double *p, double way) {
    return side(p[self->n_params - 1], way);
}

/* The share at a force of the law inside. */
static double share_of(const bri_model *self, const double *p, const bri_input *u, double F) {
    int frozen = u->mode == BRI_SLIDE_POS || u->mode == BRI_SLIDE_NEG;
    return share(self, p, self->n_states == 0 && frozen ? (double)u->mode : F);
}

/* The law inside balances an applied force by so much of its own. */
static bri_input inside(const bri_model *self, const double *p, const bri_input *u) {
    bri_input in = *u;
    in.fa /= share(self, p, u->fa);
    return in;
}

static int directed_count(const bri_model *self, const double *p) {
    return bri_model_states(inner_of(self), p);
}

static const char *directed_check(const bri_model *self, const double *p) {
    return inner_of(self)->check(inner_of(self), p);
}

static void directed_rest(const bri_model *self, const double *p, double *z) {
    inner_of(self)->rest(inner_of(self), p, z);
}

static double directed_eval(const bri_model *self, const double *p, const bri_input *u,
                            const double *z, double *dz) {
    bri_input in = inside(self, p, u);
    double F = bri_model_eval(inner_of(self), p, &in, z, dz);
    return F * share_of(self, p, u, F);
}

static void directed_jac(const bri_model *self, const double *p, const bri_input *u,
                         const double *z, double *J) {
    bri_input in = inside(self, p, u);
    double dz[BRI_MAX_STATES], F = bri_model_eval(inner_of(self), p, &in, z, dz);
    double part = share_of(self, p, u, F);
    bri_model_jac(inner_of(self), p, &in, z, J);
    for (int i = 0; i < 3 + directed_count(self, p); i++) J[i] *= part;
}

/* Along `backward` a force of that side grows as it is; what balances fa stays. */
static void directed_params_jac(const bri_model *self, const double *p, const bri_input *u,
                                const double *z, double *D) {
    const bri_model *m = inner_of(self);
    bri_input in = inside(self, p, u);
    int n = m->n_params, rows = 1 + directed_count(self, p);
    double dz[BRI_MAX_STATES], F = bri_model_eval(m, p, &in, z, dz);
    double inner[(1 + BRI_MAX_STATES) * BRI_MAX_PARAMS], part = share_of(self, p, u, F);
    int balanced = m->set_valued && bri_model_motion(m, p, &in, z) == 0 && F == in.fa;
    int backward = self->n_states == 0 && (u->mode == BRI_SLIDE_POS || u->mode == BRI_SLIDE_NEG)
                       ? u->mode == BRI_SLIDE_NEG
                       : F < 0.0;
    bri_model_params_jac(m, p, &in, z, inner);
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < n; j++) D[r * (n + 1) + j] = inner[r * n + j] * (r == 0 ? part : 1.0);
        D[r * (n + 1) + n] = 0.0;
    }
    if (backward && !balanced) D[n] = F;
}

static double directed_step(const bri_model *self, const double *p, const bri_input *u, double h,
                            double *z) {
    bri_input in = inside(self, p, u);
    double F = bri_model_step(inner_of(self), p, &in, h, z);
    return F * share_of(self, p, u, F);
}

static double directed_stored(const bri_model *self, const double *p, const bri_input *u,
                              const double *z, double *grad) {
    const bri_model *m = inner_of(self);
    int count = directed_count(self, p);
    double ones[BRI_MAX_STATES], k[BRI_MAX_STATES], F = 0.0, K = 0.0;
    for (int i = 0; i < count; i++) ones[i] = 1.0;
    m->stored(m, p, u, ones, k);
    double energy = m->stored(m, p, u, z, grad);
    for (int i = 0; i < count; i++) {
        if (strcmp(m->states[i].unit, "m") != 0) continue;
        F += grad[i];
        K += k[i];
    }
    double more = K > 0.0 ? (share(self, p, F) - 1.0) * F / K : 0.0;
    for (int i = 0; i < count; i++)
        if (strcmp(m->states[i].unit, "m") == 0) grad[i] += more * k[i];
    return energy + 0.5 * more * F;
}

static int directed_motion(const bri_model *self, const double *p, const bri_input *u,
                           const double *z) {
    bri_input in = inside(self, p, u);
    return bri_model_motion(inner_of(self), p, &in, z);
}

/* Of a contact that sticks exactly the force that is left, which is of the side of fa. */
static void directed_roots(const bri_model *self, const double *p, const bri_input *u,
                           const double *z, double *g) {
    const bri_model *m = inner_of(self);
    bri_input in = inside(self, p, u);
    m->roots(m, p, &in, z, g);
    if (m->set_valued && bri_model_motion(m, p, &in, z) == 0) g[0] *= share(self, p, u->fa);
}

static bri_mode directed_jump(const bri_model *self, const double *p, const bri_input *u,
                              double *z) {
    bri_input in = inside(self, p, u);
    return inner_of(self)->jump(inner_of(self), p, &in, z);
}

static int directed_eventful(const bri_model *self, const double *p) {
    return inner_of(self)->eventful(inner_of(self), p);
}

static const char *directed_advice(const bri_model *self, const double *p) {
    return inner_of(self)->advice(inner_of(self), p);
}

int bri_batch_inside(const bri_batch *b, bri_batch *inner) {
    if (b->model->eval != directed_eval) return 0;
    *inner = *b; /* its parameters are the first ones */
    inner->model = inner_of(b->model);
    return 1;
}

void bri_batch_direct(const bri_batch *b, double *F) {
    const double *backward =
        b->p + (size_t)(b->model->n_params - 1) * (b->own_params ? b->count : 1);
    for (size_t i = 0; i < b->count; i++) F[i] *= side(backward[b->own_params ? i : 0], F[i]);
}

/* One more corner: where the force changes its side. */
static unsigned directed_pieces(const bri_model *self, const double *p, const bri_input *u,
                                const double *z) {
    const bri_model *m = inner_of(self);
    bri_input in = inside(self, p, u);
    double dz[BRI_MAX_STATES];
    unsigned bits = m->pieces ? m->pieces(m, p, &in, z) : 0;
    return bits ^ (unsigned)(bri_model_eval(m, p, &in, z, dz) < 0.0) << 31;
}

bri_status bri_directed_init(bri_directed *w, const bri_model *inner) {
    int n = inner->n_params;
    if (n + 1 > BRI_MAX_PARAMS) return BRI_BAD_VALUE;
    memset(w, 0, sizeof *w);
    w->inner = inner;
    if (n > 0) memcpy(w->params, inner->params, sizeof *inner->params * (size_t)n);
    w->params[n] = directed_param;
    w->model = *inner;
    w->model.params = w->params;
    w->model.n_params = n + 1;
    w->model.eval = directed_eval;
    w->model.jac = directed_jac;
    w->model.params_jac = directed_params_jac;
    w->model.step = directed_step;
    w->model.step_slope = NULL; /* that of the inner law */
    w->model.lift = NULL;       /* bri_model_eval() and the others look after it inside */
    w->model.motion = directed_motion;
    if (inner->count) w->model.count = directed_count;
    if (inner->check) w->model.check = directed_check;
    if (inner->rest) w->model.rest = directed_rest;
    if (inner->stored) w->model.stored = directed_stored;
    if (inner->roots) w->model.roots = directed_roots;
    if (inner->jump) w->model.jump = directed_jump;
    if (inner->eventful) w->model.eventful = directed_eventful;
    if (inner->advice) w->model.advice = directed_advice;
    w->model.pieces = directed_pieces;
    return BRI_OK;
}
