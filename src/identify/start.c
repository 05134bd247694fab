/* start.c - where a search begins: the rig, a straight regression, and at random around it.
 *
 * The regression explains the force by inertia, viscous friction, an offset and one element that is
 * elastic up to a deflection and slides beyond it; the deflection that leaves least is found by
 * trying lengths from a ten-thousandth of the travel to half of it. A second one lets the level of
 * that element fall with speed, as exp(-|v|/v_s), over speeds v_s from the slow to the fast ones. A
 * parameter is guessed by its role, whatever the law calls it. */
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
    g->still = m > 0 && moving == 0;
    if (moving > 0) {
        g->slow = speed[from + moving / 20];
        g->middle = speed[from + moving / 2];
        g->fast = speed[from + (long)(0.95 * (double)(moving - 1))];
        g->travel = high - low;
    }
    free(speed);
}

enum { COLUMNS = 5, LENGTHS = 16, SPEEDS = 8 };

/* The regression with an element that slides beyond `deflection`, 0: at once, and whose level falls
 * over the speed v_s, 0: does not. b receives the solution; the result is the square of what it
 * leaves, negative if there is none. */
static double regress(const id_force *f, double load, double deflection, double v_s, double *b) {
    double A[COLUMNS * COLUMNS] = {0}, rhs[COLUMNS], left = 0.0;
    memset(b, 0, COLUMNS * sizeof *b);
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        double z = 0.0;
        for (long k = 0; k < r->count; k++) {
            double v = r->slide ? r->slide[k] : r->v[k];
            z = deflection > 0.0 ? fmin(fmax(z + r->h * v / deflection, -1.0), 1.0)
                                 : (double)((v > 0.0) - (v < 0.0));
            double dry = r->sign * z * (r->load ? r->load[k] / load : 1.0);
            double c[COLUMNS] = {r->body >= 0 ? r->a[k] : 0.0, r->sign * v, dry, 1.0,
                                 v_s > 0.0 ? dry * exp(-fabs(v) / v_s) : 0.0};
            for (int p = 0; p < COLUMNS; p++) {
                for (int q = 0; q < COLUMNS; q++) A[p * COLUMNS + q] += c[p] * c[q];
                b[p] += c[p] * r->y[k];
            }
            left += r->y[k] * r->y[k];
        }
    }
    memcpy(rhs, b, sizeof rhs);
    for (int p = 0; p < COLUMNS; p++) A[p * (COLUMNS + 1)] += 1e-9 * A[p * (COLUMNS + 1)] + 1e-300;
    if (!id_cholesky(A, COLUMNS)) return -1.0;
    id_cholesky_solve(A, COLUMNS, b);
    for (int p = 0; p < COLUMNS; p++) left -= b[p] * rhs[p];
    return fmax(left, 0.0);
}

id_rough id_rough_of(const id_force *f) {
    id_rough g = {.slow = 1e-3, .middle = 1e-2, .fast = 1e-1, .travel = 1e-2, .load = 1.0};
    double b[COLUMNS], least = INFINITY;
    g.none = f->motion;
    if (f->motion) return g;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        if (r->of >= 0) g.load = r->load ? r->load[r->count / 2] : f->rig->contacts[r->of].n;
    }
    if (!(g.load > 0.0)) g.load = 1.0;
    find_speeds(f, &g);
    g.deflection = 0.002 * g.travel;
    for (int k = 0; k < (f->steady ? 1 : LENGTHS); k++) {
        double length = f->steady ? 0.0 : 0.5 * g.travel * pow(10.0, -3.7 * k / (LENGTHS - 1));
        double left = regress(f, g.load, length, 0.0, b);
        if (!(left >= 0.0 && left < least && b[2] > 0.0)) continue;
        least = left;
        if (length > 0.0) g.deflection = length;
        g.mass = b[0], g.viscous = b[1], g.level = b[2], g.offset = b[3];
    }
    g.level = fmax(g.level, 0.05 * f->size);
    g.peak = 1.2 * g.level, g.v_s = sqrt(g.slow * g.middle);
    return g;
}

id_rough id_rough_falling(const id_force *f, const id_rough *plain) {
    id_rough g = *plain;
    double b[COLUMNS], least = INFINITY;
    if (f->motion) return g;
    for (int k = 0; k < SPEEDS; k++) {
        double v_s = 0.3 * g.slow * pow(6.0 * g.fast / g.slow, (double)k / (SPEEDS - 1));
        double left = regress(f, g.load, f->steady ? 0.0 : g.deflection, v_s, b);
        if (!(left >= 0.0 && left < least && b[4] > 0.0 && b[2] + b[4] > 0.0)) continue;
        least = left;
        g.mass = b[0], g.viscous = b[1], g.level = b[2], g.offset = b[3];
        g.peak = b[2] + b[4], g.v_s = v_s;
    }
    g.level = fmax(g.level, 0.05 * f->size);
    return g;
}

/* ---- by role -------------------------------------------------------------------------------- */

/* The guess for a parameter; NaN: none. */
static double guess(const id_unknown *o, const id_rough *g) {
    double deflection = g->deflection, level = g->level / g->load;
    int inverse = strncmp(o->unit, "s/", 2) == 0;
    switch (o->role) {
    case BRI_ROLE_LEVEL:
        return level;
    case BRI_ROLE_STATIC_LEVEL:
        return g->peak / g->load;
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
        return inverse ? 1.0 / g->v_s : g->v_s;
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

/* The size of a random change, in natural logarithms, of a start: levels are known well, lengths
 * and stiffnesses change together, since level = stiffness x deflection. */
static double change(const id_unknown *o, double own, double length) {
    switch (o->role) {
    case BRI_ROLE_LEVEL:
    case BRI_ROLE_STATIC_LEVEL:
        return 0.4 * own;
    case BRI_ROLE_STIFFNESS:
        return -2.3 * length + 0.2 * own;
    case BRI_ROLE_DEFLECTION:
    case BRI_ROLE_ELASTIC_LIMIT:
        return 2.3 * length + 0.5 * own;
    default:
        return o->log ? 4.6 * own : o->kind == ID_LAW ? 1.5 * own : 0.0;
    }
}

/* Number `which` of points that fill the cube -1 .. 1 of n unknowns evenly, however many there are:
 * multiples of powers of 1/phi, phi^(n + 1) = phi + 1, from a random place (Roberts 2018). */
static double even(double seed, int which, int k, int n) {
    double phi = 2.0, whole;
    for (int i = 0; i < 40; i++) phi = pow(1.0 + phi, 1.0 / (n + 1));
    return 2.0 * modf(bri_random(seed, 500.0 + k) + which * pow(phi, -k - 1.0), &whole) - 1.0;
}

void id_start(const id_unknowns *u, const id_rough *g, int which, double seed, double *value) {
    double length = which > 2 ? 2.0 * bri_random(seed, 1000.0 * which + ID_UNKNOWNS) - 1.0 : 0.0;
    for (int k = 0; k < u->count; k++) {
        const id_unknown *o = &u->one[k];
        double own = which > 2 ? 2.0 * bri_random(seed, 1000.0 * which + k) - 1.0 : 0.0;
        double x = which == 0 || g->none ? NAN
                   : o->kind == ID_LAW   ? guess(o, g)
                                         : guess_other(o, g);
        /* a number that nothing is known of but what the rig says may be off by three decades;
         * where motions are simulated, which may take long with absurd numbers, by one */
        int blind = isnan(x) && o->kind == ID_NUMBER && which > 2 && which % 2;
        double decades = g->none ? 1.0 : 3.0;
        if (isnan(x)) x = o->start;
        x *= exp(blind ? decades * log(10.0) * even(seed, which / 2, k, u->count)
                       : change(o, own, length));
        value[k] = fmin(fmax(x, o->low), o->high);
    }
    for (int k = 0; k < u->count; k++)
        if (u->one[k].above >= 0) value[k] = fmax(value[k], value[u->one[k].above] * 1.05);
}
