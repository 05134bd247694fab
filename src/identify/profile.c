/* profile.c - the profile of the error: one unknown is held, the others are fitted again.
 *
 * Where motions are simulated a fit takes minutes; there the others follow by chord steps, with the
 * derivatives of the end: three runs for each point.
 *
 * Where a force jumps, as that of the reset integrator, or bends sharply, the instant moves with an
 * unknown, and the derivatives at the few samples there promise more than the data know: an
 * interval by them is given only if the error rises as they say. */
#include "identify.h"

#include <math.h>
#include <string.h>

/* The problem, where its end is, and the derivatives there. */
typedef struct profile {
    id_problem p;
    id_solution s;
    double *r, *J, *end; /* end: a copy of J at the end */
    double limit;
    int k; /* the unknown that is held */
} profile;

static int begin(profile *q, const id_problem *p, const id_solution *s, id_force *coarse) {
    *q = (profile){.p = *p, .s = *s, .k = -1};
    if (coarse) q->p.context = coarse, q->p.rows = coarse->rows;
    size_t rows = (size_t)q->p.rows, n = (size_t)p->count;
    q->r = malloc(rows * sizeof(double));
    q->J = malloc(rows * n * sizeof(double));
    q->end = malloc(rows * n * sizeof(double));
    q->p.most = 20, q->p.enough = 1e-4;
    if (!q->r || !q->J || !q->end || id_least_squares(&q->p, &q->s, q->r, q->J) != 0) return 0;
    memcpy(q->end, q->J, rows * n * sizeof(double));
    q->p.most = 8;
    return 1;
}

static void end(profile *q) { free(q->r), free(q->J), free(q->end); }

static double half_squares(const double *r, long rows) {
    double sum = 0.0;
    for (long i = 0; i < rows; i++) sum += r[i] * r[i];
    return 0.5 * sum;
}

/* A chord step of all but the held one from residuals r, within the bounds. 0: there is none. */
static int chord_step(const profile *q, double *u) {
    int n = q->p.count, m = 0, at[ID_UNKNOWNS];
    double A[ID_UNKNOWNS * ID_UNKNOWNS], g[ID_UNKNOWNS];
    for (int k = 0; k < n; k++)
        if (k != q->k && u[k] > q->p.low[k] && u[k] < q->p.high[k]) at[m++] = k;
    for (int a = 0; a < m; a++) {
        const double *x = q->end + at[a] * q->p.rows;
        g[a] = 0.0;
        for (long i = 0; i < q->p.rows; i++) g[a] -= x[i] * q->r[i];
        for (int b = 0; b < m; b++) {
            const double *y = q->end + at[b] * q->p.rows;
            double sum = 0.0;
            for (long i = 0; i < q->p.rows; i++) sum += x[i] * y[i];
            A[a * m + b] = a == b ? sum * (1.0 + 1e-9) + 1e-300 : sum;
        }
    }
    if (!id_cholesky(A, m)) return 0;
    id_cholesky_solve(A, m, g);
    for (int a = 0; a < m; a++)
        u[at[a]] = fmin(fmax(u[at[a]] + g[a], q->p.low[at[a]]), q->p.high[at[a]]);
    return 1;
}

/* The least error of a few chord steps from where the others were. */
static double chord_at(const profile *q, double *from) {
    double least = INFINITY, u[ID_UNKNOWNS];
    memcpy(u, from, sizeof u);
    for (int i = 0; i < 3; i++) {
        if (q->p.residuals(q->p.context, u, q->r, NULL) != 0) break;
        double cost = half_squares(q->r, q->p.rows);
        if (!(cost < least)) break;
        least = cost;
        memcpy(from, u, sizeof u);
        if (least <= q->limit || !chord_step(q, u)) break;
    }
    return least;
}

/* Error with the unknown held at u, the others fitted again from where they were. */
static double held_at(const profile *q, double u, double *from) {
    double low[ID_UNKNOWNS], high[ID_UNKNOWNS];
    size_t size = sizeof(double) * (size_t)q->p.count;
    id_problem p = q->p;
    id_solution s = q->s;
    from[q->k] = u;
    if (q->p.residuals == id_motion_residuals) return chord_at(q, from);
    memcpy(low, p.low, size);
    memcpy(high, p.high, size);
    low[q->k] = high[q->k] = u;
    p.low = low, p.high = high;
    memcpy(s.u, from, size);
    if (id_least_squares(&p, &s, q->r, q->J) != 0) return INFINITY;
    memcpy(from, s.u, size);
    return s.cost;
}

/* Where the error leaves what is allowed, on one side; the bound if it never does, and *open. */
static double profile_end(const profile *q, int side, double first, int *open) {
    double u0 = q->s.u[q->k], most = side > 0 ? q->p.high[q->k] : q->p.low[q->k];
    double from[ID_UNKNOWNS], in = u0, out = u0, step = first;
    memcpy(from, q->s.u, sizeof from);
    *open = 1;
    for (int i = 0; i < 6 && *open && in != most; i++, step *= 3.0) {
        out = side > 0 ? fmin(u0 + step, most) : fmax(u0 - step, most);
        if (held_at(q, out, from) > q->limit)
            *open = 0;
        else
            in = out;
    }
    if (*open) return most;
    memcpy(from, q->s.u, sizeof from);
    for (int i = 0; i < 5; i++) {
        double mid = 0.5 * (in + out);
        if (held_at(q, mid, from) > q->limit)
            out = mid;
        else
            in = mid;
    }
    return 0.5 * (in + out);
}

static void profile_one(const profile *q, const id_unknowns *u, bri_fit *fit) {
    bri_estimate *e = &fit->estimate[q->k];
    int open[2], above = u->one[q->k].above;
    double base = above >= 0 ? fit->estimate[above].value : 0.0;
    double first = isfinite(e->error) && e->error > 0.0 ? e->error
                   : e->log                             ? 0.3
                            : 0.1 * fmax(fabs(e->value), fabs(e->start));
    if (e->log) first = fmin(first, 0.7);
    if (!(first > 0.0)) return;
    double a = profile_end(q, -1, first, &open[0]), b = profile_end(q, +1, first, &open[1]);
    /* the end on the coarse samples may be another one where the valley is flat */
    e->low = fmin(e->log ? exp(a) : a + base, e->value);
    e->high = fmax(e->log ? exp(b) : b + base, e->value);
    if (open[0] && open[1])
        e->known = BRI_FLAT;
    else if (open[0] || open[1])
        e->known = BRI_ONE_SIDED;
    else if (e->known == BRI_FLAT || e->known == BRI_ONE_SIDED)
        e->known = BRI_WIDE;
}

/* The error with one unknown at a distance from the end, the others staying: no less than that of
 * the profile. */
static double beside(const id_problem *p, const id_solution *s, double *r, int k, double distance) {
    double u[ID_UNKNOWNS];
    memcpy(u, s->u, sizeof u);
    u[k] = fmin(fmax(u[k] + distance, p->low[k]), p->high[k]);
    if (p->residuals(p->context, u, r, NULL) != 0) return INFINITY;
    return half_squares(r, p->rows);
}

/* Nonzero: at two standard errors to one side or the other the error has not risen by a quarter of
 * what it should. */
static int is_too_narrow(const id_problem *p, const id_solution *s, int k, double colour,
                         double error) {
    double *r = malloc((size_t)p->rows * sizeof *r);
    double limit = s->cost * (1.0 + 0.25 * 3.84 * colour / (double)p->rows);
    int narrow =
        r && (beside(p, s, r, k, -2.0 * error) < limit || beside(p, s, r, k, 2.0 * error) < limit);
    free(r);
    return narrow;
}

static void take_interval_away(bri_fit *fit, bri_estimate *e) {
    e->known = BRI_WIDE;
    e->error = e->low = e->high = e->white_low = e->white_high = NAN;
    id_say(
        &fit->sense,
        "The error does not rise with %s as its derivatives promise, since the force of %s jumps "
        "or bends there: no interval is given.",
        e->name, fit->law);
}

/* The sum of squares may rise by 3.84 variances of white noise, times what the colour does. */
void id_profile_intervals(id_force *coarse, const id_problem *p, const id_solution *s,
                          const double *colour, bri_fit *fit) {
    profile q = {.k = -1};
    for (int k = 0; k < p->count; k++) {
        bri_estimate *e = &fit->estimate[k];
        if (e->known == BRI_COUPLED || e->known == BRI_ON_BOUND) continue;
        if (e->known == BRI_DETERMINED && coarse->motion) continue; /* no jumps in what is seen */
        if (e->known == BRI_DETERMINED) {
            if (is_too_narrow(p, s, k, colour[k], e->error)) take_interval_away(fit, e);
            continue;
        }
        if (q.k < 0 && !begin(&q, p, s, coarse)) break;
        q.limit = q.s.cost * (1.0 + 3.84 * colour[k] / (double)q.p.rows);
        q.k = k;
        profile_one(&q, coarse->unknowns, fit);
    }
    end(&q);
}

void id_profile_curves(const id_problem *p, const id_solution *s, const double *colour, int points,
                       const id_unknowns *u, bri_fit *fit) {
    int m = p->count;
    profile q;
    fit->profile = calloc((size_t)(2 * m * points), sizeof *fit->profile);
    if (!begin(&q, p, s, NULL) || !fit->profile) points = 0;
    fit->n_profile = points;
    for (int k = 0; k < m; k++) {
        const bri_estimate *e = &fit->estimate[k];
        double half = e->error > 0.0 ? 3.0 * e->error
                      : e->log       ? 0.7
                                     : 0.5 * fmax(fabs(e->value), fabs(e->start));
        q.k = k;
        for (int i = 0; i < points; i++) {
            double from[ID_UNKNOWNS], value[ID_UNKNOWNS], *at = &fit->profile[2 * (k * points + i)];
            double x = q.s.u[k] + half * (2.0 * i / (points - 1.0) - 1.0);
            memcpy(from, q.s.u, sizeof from);
            double cost = held_at(&q, fmin(fmax(x, q.p.low[k]), q.p.high[k]), from);
            id_decode(u, from, value);
            at[0] = value[k];
            at[1] = isfinite(cost) ? fmax(cost / q.s.cost - 1.0, 0.0) * (double)q.p.rows / colour[k]
                                   : NAN;
        }
    }
    end(&q);
}
