/* lm.c - least squares within bounds: Levenberg-Marquardt with the scaling and the gain ratio of
 * More 1978, unknowns on a bound held while the slope presses against it (projected steps), and a
 * robust loss by weights (Huber 1964). Dense: tall problems with up to 24 unknowns. */
#include "identify.h"

#include <math.h>
#include <string.h>

/* ---- small matrices ------------------------------------------------------------------------- */

int id_cholesky(double *A, int n) {
    for (int j = 0; j < n; j++) {
        double d = A[j * n + j], size = d;
        for (int k = 0; k < j; k++) d -= A[j * n + k] * A[j * n + k];
        if (!(d > 1e-15 * size) || !isfinite(d)) return 0;
        A[j * n + j] = d = sqrt(d);
        for (int i = j + 1; i < n; i++) {
            double s = A[i * n + j];
            for (int k = 0; k < j; k++) s -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = s / d;
        }
    }
    return 1;
}

void id_cholesky_solve(const double *L, int n, double *b) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) b[i] -= L[i * n + k] * b[k];
        b[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) b[i] -= L[k * n + i] * b[k];
        b[i] /= L[i * n + i];
    }
}

/* One rotation of Jacobi's method in the plane p, q. */
static void rotate(double *A, double *V, int n, int p, int q) {
    double apq = A[p * n + q], theta = (A[q * n + q] - A[p * n + p]) / (2.0 * apq);
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(1.0 + theta * theta));
    double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (int k = 0; k < n; k++) {
        double x = A[k * n + p], y = A[k * n + q];
        A[k * n + p] = c * x - s * y;
        A[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = A[p * n + k], y = A[q * n + k];
        A[p * n + k] = c * x - s * y;
        A[q * n + k] = s * x + c * y;
        x = V[k * n + p], y = V[k * n + q];
        V[k * n + p] = c * x - s * y;
        V[k * n + q] = s * x + c * y;
    }
}

void id_eigen(double *A, int n, double *value, double *V) {
    for (int i = 0; i < n * n; i++) V[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0.0, all = 0.0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                all += A[i * n + j] * A[i * n + j];
                if (i != j) off += A[i * n + j] * A[i * n + j];
            }
        if (!(off > 1e-30 * all)) break;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (A[p * n + q] != 0.0) rotate(A, V, n, p, q);
    }
    for (int i = 0; i < n; i++) value[i] = A[i * n + i];
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (value[j] < value[i]) {
                double x = value[i];
                value[i] = value[j], value[j] = x;
                for (int k = 0; k < n; k++)
                    x = V[k * n + i], V[k * n + i] = V[k * n + j], V[k * n + j] = x;
            }
}

/* ---- the loss ------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Standard deviation by the median of |r|, for normal noise. */
static double robust_size(const double *r, long rows, double *room) {
    for (long i = 0; i < rows; i++) room[i] = fabs(r[i]);
    qsort(room, (size_t)rows, sizeof *room, by_size);
    return rows > 0 ? 1.4826 * room[rows / 2] : 0.0;
}

/* Half the sum of the loss; w, if not NULL, receives the square roots of the weights. limit = 0:
 * squares. */
static double loss(const double *r, long rows, double limit, double *w) {
    double sum = 0.0;
    for (long i = 0; i < rows; i++) {
        double size = fabs(r[i]);
        int far = limit > 0.0 && size > limit;
        sum += far ? limit * (size - 0.5 * limit) : 0.5 * size * size;
        if (w) w[i] = far ? sqrt(limit / size) : 1.0;
    }
    return sum;
}

/* ---- the method ----------------------------------------------------------------------------- */

typedef struct state {
    const id_problem *p;
    double *w, *r_new;
    double A[ID_UNKNOWNS * ID_UNKNOWNS], g[ID_UNKNOWNS], scale[ID_UNKNOWNS];
    double limit;
    double damping;
} state;

/* J'WJ and J'Wr. */
static void normal_equations(state *s, const double *r, const double *J) {
    int n = s->p->count;
    long rows = s->p->rows;
    for (int k = 0; k < n; k++) {
        const double *a = J + k * rows;
        for (int l = 0; l <= k; l++) {
            const double *b = J + l * rows;
            double sum = 0.0;
            for (long i = 0; i < rows; i++) sum += s->w[i] * s->w[i] * a[i] * b[i];
            s->A[k * n + l] = s->A[l * n + k] = sum;
        }
        double sum = 0.0;
        for (long i = 0; i < rows; i++) sum += s->w[i] * s->w[i] * a[i] * r[i];
        s->g[k] = sum;
        s->scale[k] = fmax(s->scale[k], sqrt(s->A[k * n + k]));
    }
}

/* Nonzero: unknown k stays on its bound, the slope presses against it. */
static int held(const state *s, const double *u, int k) {
    return (u[k] <= s->p->low[k] && s->g[k] > 0.0) || (u[k] >= s->p->high[k] && s->g[k] < 0.0);
}

/* Solve for the free unknowns with the others moved by du. 0: singular. */
static int solve_free(const state *s, const int *of, int m, double *du) {
    int n = s->p->count;
    double L[ID_UNKNOWNS * ID_UNKNOWNS], b[ID_UNKNOWNS];
    for (int i = 0; i < m; i++) {
        b[i] = -s->g[of[i]];
        for (int k = 0; k < n; k++) b[i] -= s->A[of[i] * n + k] * du[k];
        for (int j = 0; j < m; j++) {
            b[i] += s->A[of[i] * n + of[j]] * du[of[j]];
            L[i * m + j] = s->A[of[i] * n + of[j]];
        }
        L[i * m + i] += s->damping * s->scale[of[i]] * s->scale[of[i]];
    }
    if (!id_cholesky(L, m)) return 0;
    id_cholesky_solve(L, m, b);
    for (int i = 0; i < m; i++) du[of[i]] = b[i];
    return 1;
}

/* Of the unknowns at an end of their range after the step, the one that would come back most; -1:
 * none would. */
static int comes_back(const state *s, const double *u, const double *du, const int *loose) {
    int n = s->p->count, found = -1;
    double most = 1e-12;
    for (int k = 0; k < n; k++) {
        if (loose[k] || !(s->scale[k] > 0.0) || s->p->low[k] >= s->p->high[k]) continue;
        double g = s->g[k], size = 0.0;
        for (int l = 0; l < n; l++) g += s->A[k * n + l] * du[l];
        g += s->damping * s->scale[k] * s->scale[k] * du[k];
        if (u[k] + du[k] <= s->p->low[k]) size = -g / s->scale[k];
        if (u[k] + du[k] >= s->p->high[k]) size = fmax(size, g / s->scale[k]);
        if (size > most) most = size, found = k;
    }
    return found;
}

/* The step du within bounds, and the decrease that the linear model promises: by active sets. An
 * unknown that would leave its range goes to the end of it, the others take that into account, and
 * it is let go again where that helps. 0: there is none. */
static int find_step(const state *s, const double *u, double *du, double *promise) {
    int n = s->p->count, loose[ID_UNKNOWNS], of[ID_UNKNOWNS];
    for (int k = 0; k < n; k++) {
        du[k] = 0.0;
        loose[k] = !held(s, u, k) && s->scale[k] > 0.0 && s->p->low[k] < s->p->high[k];
    }
    for (int pass = 0; pass < 4 * n; pass++) {
        int m = 0, out = 0;
        for (int k = 0; k < n; k++)
            if (loose[k]) of[m++] = k;
        if (m > 0 && !solve_free(s, of, m, du)) return 0;
        for (int k = 0; k < n; k++) {
            double to = fmin(fmax(u[k] + du[k], s->p->low[k]), s->p->high[k]);
            if (!loose[k] || to == u[k] + du[k]) continue;
            du[k] = to - u[k];
            loose[k] = 0, out = 1;
        }
        if (out) continue;
        int back = comes_back(s, u, du, loose);
        if (back < 0) break;
        loose[back] = 1;
    }
    double linear = 0.0, square = 0.0;
    for (int k = 0; k < n; k++) {
        linear += s->g[k] * du[k];
        for (int l = 0; l < n; l++) square += du[k] * s->A[k * n + l] * du[l];
    }
    *promise = -linear - 0.5 * square;
    return 1;
}

/* Try steps from u with rising damping until one helps. 1: u, r and the cost are new ones. */
static int improve(state *s, id_solution *sol, double *r, int *small) {
    const id_problem *p = s->p;
    double du[ID_UNKNOWNS], u[ID_UNKNOWNS], promise = 0.0;
    for (int attempt = 0; attempt < 40; attempt++) {
        int found = find_step(s, sol->u, du, &promise);
        double size = 0.0;
        for (int k = 0; k < p->count; k++) {
            u[k] = fmin(fmax(sol->u[k] + du[k], p->low[k]), p->high[k]);
            size = fmax(size, fabs(du[k]) / (1e-3 + fabs(sol->u[k])));
        }
        *small = found && promise >= 0.0 &&
                 (size < 1e-9 || promise <= fmax(0.1 * p->enough, 1e-11) * sol->cost);
        if (*small && attempt > 0) return 0;
        double cost = INFINITY;
        if (found && promise > 0.0 && p->residuals(p->context, u, s->r_new, NULL) == 0)
            cost = loss(s->r_new, p->rows, s->limit, NULL);
        double ratio = isfinite(cost) && promise > 0.0 ? (sol->cost - cost) / promise : -1.0;
        if (ratio > 1e-4) {
            memcpy(sol->u, u, (size_t)p->count * sizeof *u);
            memcpy(r, s->r_new, (size_t)p->rows * sizeof *r);
            sol->cost = cost;
            s->damping *= ratio > 0.75 ? 0.1 : ratio > 0.25 ? 1.0 : 4.0;
            s->damping = fmax(s->damping, 1e-14);
            return 1;
        }
        if (*small) return 0;
        s->damping = fmax(s->damping, 1e-6) * (attempt < 4 ? 4.0 : 16.0);
    }
    return 0;
}

static int solve(state *s, id_solution *sol, double *r, double *J) {
    const id_problem *p = s->p;
    int slow = 0;
    if (p->residuals(p->context, sol->u, r, J) != 0) return -1;
    for (sol->iterations = 0; sol->iterations < p->most; sol->iterations++) {
        if (p->huber > 0.0) s->limit = p->huber * robust_size(r, p->rows, s->r_new);
        sol->cost = loss(r, p->rows, s->limit, s->w);
        if (!isfinite(sol->cost)) return -1;
        normal_equations(s, r, J);
        double before = sol->cost;
        int small = 0, better = improve(s, sol, r, &small);
        if (!better) {
            sol->converged = 1;
            return 0;
        }
        if (p->residuals(p->context, sol->u, r, J) != 0) return -1;
        slow = sol->cost > (1.0 - p->enough) * before ? slow + 1 : 0;
        sol->converged = small || slow >= 2;
        if (sol->converged) return 0;
        if (p->watch && p->watch->stop && p->watch->stop(p->watch->context)) return 0;
    }
    return 0;
}

int id_least_squares(const id_problem *p, id_solution *sol, double *r, double *J) {
    if (p->rows < 1 || p->count < 1 || p->count > ID_UNKNOWNS) return -1;
    double *room = calloc(2 * (size_t)p->rows, sizeof *room);
    if (!room) return -1;
    state s = {.p = p, .w = room, .r_new = room + p->rows, .damping = 1e-3};
    for (int k = 0; k < p->count; k++) sol->u[k] = fmin(fmax(sol->u[k], p->low[k]), p->high[k]);
    sol->converged = 0;
    int failed = solve(&s, sol, r, J);
    free(room);
    return failed;
}
