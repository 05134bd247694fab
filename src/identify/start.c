/* start.c - where a search begins: the rig, a straight regression, and at random around it.
 *
 * A parameter is guessed by its role, whatever the law calls it. */
#include "identify.h"

#include "random.h"

#include <math.h>
#include <string.h>

/* ---- the regression ------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Speeds of all samples that move, and the range of the position. */
static void find_speeds(const id_force *f, id_rough *g) {
    long n = 0, m = 0;
    double most = 0.0, low = INFINITY, high = -INFINITY, at = 0.0;
    for (int i = 0; i < f->n_runs; i++) n += f->run[i].count;
    double *speed = malloc((size_t)(n > 0 ? n : 1) * sizeof *speed);
    if (!speed) return;
    for (int i = 0; i < f->n_runs; i++)
        for (long k = 0; f->run[i].slide && k < f->run[i].count; k++) {
            speed[m++] = fabs(f->run[i].slide[k]);
            most = fmax(most, speed[m - 1]);
            at = k == 0 ? 0.0 : at + f->run[i].h * f->run[i].slide[k];
            low = fmin(low, at), high = fmax(high, at);
        }
    qsort(speed, (size_t)m, sizeof *speed, by_size);
    long from = 0;
    while (from < m && speed[from] <= 1e-3 * most) from++;
    long moving = m - from;
    if (moving > 0) {
        g->slow = speed[from + moving / 20];
        g->middle = speed[from + moving / 2];
        g->fast = speed[from + (long)(0.95 * (double)(moving - 1))];
        g->travel = high - low;
    }
    free(speed);
}

id_rough id_rough_of(const id_force *f) {
    id_rough g = {
        .slow = 1e-3, .middle = 1e-2, .fast = 1e-1, .travel = 1e-2, .load = 1.0, .left = 1.0};
    double A[16] = {0}, b[4] = {0}, yy = 0.0;
    g.none = f->motion;
    if (f->motion) return g;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        for (long k = 0; k < r->count; k++) {
            double v = r->slide ? r->slide[k] : r->v[k];
            double c[4] = {r->body >= 0 ? r->a[k] : 0.0, r->sign * v,
                           r->sign * (double)((v > 0.0) - (v < 0.0)), 1.0};
            for (int p = 0; p < 4; p++) {
                for (int q = 0; q < 4; q++) A[p * 4 + q] += c[p] * c[q];
                b[p] += c[p] * r->y[k];
            }
            yy += r->y[k] * r->y[k];
        }
        if (r->of >= 0) g.load = r->load ? r->load[r->count / 2] : f->rig->contacts[r->of].n;
    }
    double left = yy, rhs[4];
    memcpy(rhs, b, sizeof rhs);
    for (int p = 0; p < 4; p++) A[p * 5] += 1e-9 * A[p * 5] + 1e-300;
    if (id_cholesky(A, 4)) {
        id_cholesky_solve(A, 4, b);
        for (int p = 0; p < 4; p++) left -= b[p] * rhs[p];
        g.mass = b[0], g.viscous = b[1], g.level = b[2], g.offset = b[3];
        g.left = yy > 0.0 ? sqrt(fmax(left, 0.0) / yy) : 1.0;
    }
    find_speeds(f, &g);
    g.level = fmax(fabs(g.level), 0.05 * f->size);
    if (!(g.load > 0.0)) g.load = 1.0;
    return g;
}

/* ---- by role -------------------------------------------------------------------------------- */

/* The guess for a parameter; NaN: none. */
static double guess(const id_unknown *o, const id_rough *g) {
    double deflection = g->travel * (g->left > 0.3 ? 0.2 : 0.002), level = g->level / g->load;
    int inverse = strncmp(o->unit, "s/", 2) == 0;
    switch (o->role) {
    case BRI_ROLE_LEVEL:
        return level;
    case BRI_ROLE_STATIC_LEVEL:
        return 1.2 * level;
    case BRI_ROLE_VISCOUS:
        return fmax(g->viscous, 0.02 * g->level / g->fast);
    case BRI_ROLE_VISCOUS_PER_LOAD:
        return fmax(g->viscous, 0.02 * g->level / g->fast) / g->load;
    case BRI_ROLE_STIFFNESS:
        return g->level / deflection;
    case BRI_ROLE_DEFLECTION:
        return deflection;
    case BRI_ROLE_ELASTIC_LIMIT:
        return 0.5 * deflection;
    case BRI_ROLE_DAMPING:
        return 0.05 * g->level / g->middle;
    case BRI_ROLE_STRIBECK_SPEED:
        return inverse ? 1.0 / sqrt(g->slow * g->middle) : sqrt(g->slow * g->middle);
    case BRI_ROLE_SLIDING_SPEED:
        return g->middle;
    case BRI_ROLE_SMOOTHING:
        return inverse ? 5.0 / g->slow : 0.2 * g->slow;
    case BRI_ROLE_DWELL_TIME:
    case BRI_ROLE_LAG_TIME:
    case BRI_ROLE_RELAXATION_TIME:
        return deflection / g->middle;
    default:
        return NAN;
    }
}

static double guess_other(const id_unknown *o, const id_rough *g) {
    size_t n = strlen(o->name);
    if (o->kind == ID_OFFSET) return g->offset;
    if (o->kind == ID_NUMBER && ((n > 5 && strcmp(o->name + n - 5, ".mass") == 0) ||
                                 (n > 8 && strcmp(o->name + n - 8, ".inertia") == 0)))
        return fmax(g->mass, 1e-9);
    return NAN;
}

void id_start(const id_unknowns *u, const id_rough *g, int which, double seed, double *value) {
    for (int k = 0; k < u->count; k++) {
        const id_unknown *o = &u->one[k];
        double wild = which > 1 ? 2.0 * bri_random(seed, 1000.0 * which + k) - 1.0 : 0.0;
        double x = which == 0 || g->none ? NAN
                   : o->kind == ID_LAW   ? guess(o, g)
                                         : guess_other(o, g);
        if (isnan(x)) x = o->start;
        if (o->log)
            x *= exp(wild * 4.6); /* two decades either way */
        else if (o->kind == ID_LAW)
            x *= exp(wild *
                     (o->role == BRI_ROLE_LEVEL || o->role == BRI_ROLE_STATIC_LEVEL ? 0.4 : 1.5));
        value[k] = fmin(fmax(x, o->low), o->high);
    }
    for (int k = 0; k < u->count; k++)
        if (u->one[k].above >= 0) value[k] = fmax(value[k], value[u->one[k].above] * 1.05);
}
