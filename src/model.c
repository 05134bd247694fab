/* model.c - the calls that work on any law: defaults, checks, lift-off, difference Jacobian, energy
 * and motion. FMUs of laws carry a copy of this file. */
#include "bristle.h"
#include "fail.h"
#include "models/models.h"

int bri_model_param(const bri_model *m, const char *name) {
    for (int i = 0; i < m->n_params; i++)
        if (strcmp(m->params[i].name, name) == 0 ||
            (m->params[i].force && strcmp(m->params[i].force, name) == 0))
            return i;
    return -1;
}

int bri_model_states(const bri_model *m, const double *p) {
    return m->count ? m->count(m, p) : m->n_states;
}

void bri_model_defaults(const bri_model *m, double *p) {
    for (int i = 0; i < m->n_params; i++) p[i] = m->params[i].def;
}

void bri_model_rest(const bri_model *m, const double *p, double *z) {
    for (int i = 0; i < bri_model_states(m, p); i++) z[i] = 0.0;
    if (m->rest) m->rest(m, p, z);
}

bri_status bri_model_check(const bri_model *m, const double *p, bri_error *err) {
    for (int i = 0; i < m->n_params; i++) {
        const bri_param *row = &m->params[i];
        int within = p[i] >= row->min && p[i] <= row->max;
        if (within && !(row->whole && p[i] != floor(p[i]))) continue;
        const char *unit = strcmp(row->unit, "1") == 0 ? "" : row->unit;
        const char *space = *unit ? " " : "";
        if (!within)
            return bri_fail(err, BRI_BAD_VALUE, "%s: %s = %g%s%s is outside %g ... %g%s%s", m->name,
                            row->name, p[i], space, unit, row->min, row->max, space, unit);
        return bri_fail(err, BRI_BAD_VALUE, "%s: %s = %g must be a whole number", m->name,
                        row->name, p[i]);
    }
    const char *reason = m->check ? m->check(m, p) : NULL;
    return reason ? bri_fail(err, BRI_BAD_VALUE, "%s: %s", m->name, reason) : BRI_OK;
}

const char *bri_model_advice(const bri_model *m, const double *p) {
    return m->advice ? m->advice(m, p) : NULL;
}

/* An open contact carries nothing and its states relax (Rill (6)). */
static int lifted(const bri_model *m, const bri_input *u) {
    return lifted_off(u) && (m->n_states == 0 || m->lift);
}

double bri_model_eval(const bri_model *m, const double *p, const bri_input *u, const double *z,
                      double *dz) {
    if (!lifted(m, u)) return m->eval(m, p, u, z, dz);
    if (m->n_states > 0) {
        double rate = -1.0 / m->lift(m, p);
        for (int i = 0; i < bri_model_states(m, p); i++) dz[i] = rate * z[i];
    }
    return 0.0;
}

/* Central difference of (F, dz) along one input or state; steps scale with what is varied. */
static void difference(const bri_model *m, const double *p, bri_input u, double *z, int column,
                       double *J) {
    int k = bri_model_states(m, p), width = 3 + k;
    double *x = column == 0 ? &u.x : column == 1 ? &u.v : column == 2 ? &u.n : &z[column - 3];
    double size = column < 3 ? 1e-6 : m->states[column - 3].nominal;
    double h = 6e-6 * fmax(fabs(*x), size), at = *x;
    double up[1 + BRI_MAX_STATES], down[1 + BRI_MAX_STATES];
    *x = at + h;
    up[0] = bri_model_eval(m, p, &u, z, up + 1);
    *x = at - h;
    down[0] = bri_model_eval(m, p, &u, z, down + 1);
    *x = at;
    for (int i = 0; i <= k; i++) J[i * width + column] = (up[i] - down[i]) / (2.0 * h);
}

void bri_model_jac(const bri_model *m, const double *p, const bri_input *u, const double *z,
                   double *J) {
    int k = bri_model_states(m, p), width = 3 + k;
    if (lifted(m, u)) {
        memset(J, 0, sizeof *J * (size_t)((1 + k) * width));
        for (int i = 0; i < k; i++) J[(1 + i) * width + 3 + i] = -1.0 / m->lift(m, p);
    } else if (m->jac) {
        m->jac(m, p, u, z, J);
    } else {
        double copy[BRI_MAX_STATES];
        if (k > 0) memcpy(copy, z, sizeof *z * (size_t)k);
        for (int column = 0; column < width; column++) difference(m, p, *u, copy, column, J);
    }
}

/* ---- derivatives in the parameters --------------------------------------------------------- */

/* F and the rates with parameter j at x. */
static void with_parameter(const bri_model *m, double *p, const bri_input *u, const double *z,
                           int j, double x, double *out) {
    p[j] = x;
    out[0] = bri_model_eval(m, p, u, z, out + 1);
}

/* Differences over h and h/2, extrapolated. Towards the middle of its range where the parameter is
 * next to an end: the law need not mean anything beyond. */
static void parameter_difference(const bri_model *m, double *p, const bri_input *u, const double *z,
                                 int j, double *D) {
    const bri_param *row = &m->params[j];
    int k = bri_model_states(m, p), stride = m->n_params;
    double at = p[j], size = fmax(fabs(at), fabs(row->def)), f[4][1 + BRI_MAX_STATES];
    double h = 2e-4 * (size > 0.0 ? size : 1.0);
    for (int i = 0; i <= k; i++) D[i * stride + j] = 0.0;
    if (row->whole) return;
    if (at - h >= row->min && at + h <= row->max) {
        static const double places[4] = {-1.0, 1.0, -0.5, 0.5};
        for (int i = 0; i < 4; i++) with_parameter(m, p, u, z, j, at + places[i] * h, f[i]);
        for (int i = 0; i <= k; i++)
            D[i * stride + j] =
                (8.0 * (f[3][i] - f[2][i]) - (f[1][i] - f[0][i])) / (6.0 * h); /* order 4 */
    } else {
        h = copysign(fmin(h, (row->max - row->min) / 4.0), at - h < row->min ? 1.0 : -1.0);
        for (int i = 0; i < 4; i++) with_parameter(m, p, u, z, j, at + i * h / 3.0, f[i]);
        for (int i = 0; i <= k; i++) /* order 3 */
            D[i * stride + j] =
                (-11.0 * f[0][i] + 18.0 * f[1][i] - 9.0 * f[2][i] + 2.0 * f[3][i]) / (2.0 * h);
    }
    p[j] = at;
}

void bri_params_by_differences(const bri_model *m, const double *p, const bri_input *u,
                               const double *z, int first, double *D) {
    double copy[BRI_MAX_PARAMS];
    memcpy(copy, p, sizeof *p * (size_t)m->n_params);
    for (int j = first; j < m->n_params; j++) parameter_difference(m, copy, u, z, j, D);
}

void bri_model_params_jac(const bri_model *m, const double *p, const bri_input *u, const double *z,
                          double *D) {
    if (m->params_jac && !lifted(m, u))
        m->params_jac(m, p, u, z, D);
    else
        bri_params_by_differences(m, p, u, z, 0, D);
}

/* ---- steps --------------------------------------------------------------------------------- */

/* Gauss-Jordan elimination with pivoting on n rows of n + 1, the right-hand side last, which
 * becomes the solution. Returns 0 if there is none. */
static int solve(double A[][BRI_MAX_STATES + 1], int n) {
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(A[r][c]) > fabs(A[best][c])) best = r;
        if (A[best][c] == 0.0) return 0;
        for (int j = 0; j <= n; j++) {
            double swapped = A[best][j];
            A[best][j] = A[c][j];
            A[c][j] = swapped;
        }
        for (int j = n; j >= c; j--) A[c][j] /= A[c][c];
        for (int r = 0; r < n; r++)
            for (int j = n; r != c && j >= c; j--) A[r][j] -= A[r][c] * A[c][j];
    }
    return 1;
}

/* For a law that brings no step: (1 - h J) dz = h rates, linearly implicit Euler, order 1. */
double bri_implicit_step(const bri_model *m, const double *p, const bri_input *u, double h,
                         double *z) {
    int k = bri_model_states(m, p), width = 3 + k;
    double J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)], dz[BRI_MAX_STATES];
    double A[BRI_MAX_STATES][BRI_MAX_STATES + 1];
    bri_model_eval(m, p, u, z, dz);
    bri_model_jac(m, p, u, z, J);
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) A[i][j] = (i == j) - h * J[(1 + i) * width + 3 + j];
        A[i][k] = h * dz[i];
    }
    if (solve(A, k))
        for (int i = 0; i < k; i++) z[i] += A[i][k];
    return bri_model_eval(m, p, u, z, dz);
}

double bri_model_step(const bri_model *m, const double *p, const bri_input *u, double h,
                      double *z) {
    bri_input in;
    double dz[BRI_MAX_STATES];
    /* Past a reversal a frozen direction would drive z away from its limit, the faster the longer
     * the step: the step of a law with states goes where v goes. (Copied only when needed: reading
     * back a struct whose members were just written costs as much as the law.) */
    if (!m->set_valued && u->mode != BRI_AUTO) {
        in = *u;
        in.mode = BRI_AUTO;
        u = &in;
    }
    if (lifted(m, u)) {
        for (int i = 0; i < bri_model_states(m, p); i++) z[i] *= exp(-h / m->lift(m, p));
        return 0.0;
    }
    if (m->step && h > 0.0) return m->step(m, p, u, h, z);
    if (m->n_states > 0 && h > 0.0) return bri_implicit_step(m, p, u, h, z);
    return m->eval(m, p, u, z, dz);
}

int bri_model_energy(const bri_model *m, const double *p, const bri_input *u, const double *z,
                     double *stored, double *dissipated) {
    double dz[BRI_MAX_STATES], grad[BRI_MAX_STATES], energy = 0.0;
    if (m->n_states > 0 && !m->stored) return 0;
    int k = bri_model_states(m, p);
    bri_input in = *u;
    if (lifted_off(u)) in.n = 0.0;
    double power = bri_model_eval(m, p, &in, z, dz) * in.v;
    if (k > 0) energy = m->stored(m, p, &in, z, grad);
    for (int i = 0; i < k; i++) power -= grad[i] * dz[i];
    if (stored) *stored = energy;
    if (dissipated) *dissipated = power;
    return 1;
}

int bri_model_motion(const bri_model *m, const double *p, const bri_input *u, const double *z) {
    if (m->motion) return m->motion(m, p, u, z);
    if (m->set_valued) return (int)slides(u);
    if (bri_model_states(m, p) == 0) return (int)sign(u->v);
    /* A bristle sticks while it takes up more than half of the motion. */
    double dz[BRI_MAX_STATES];
    bri_model_eval(m, p, u, z, dz);
    double slip = (u->v - dz[0]) * sign(u->v);
    return slip > 0.5 * fabs(u->v) ? (int)sign(u->v) : 0;
}
