/* judge.c - how far an estimate can be believed: intervals with the colour of the noise, and a word
 * for each unknown.
 *
 * An unknown that the data do not depend on takes no part in the covariance; one that its bound
 * holds does, since noise has put it there and moves the others with it. Unknowns that the data
 * see only together have no interval, each has the name of a partner. Those that are not determined
 * get an interval by the profile of the error (profile.c). */
#include "identify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *bri_known_name(bri_known k) {
    static const char *const names[] = {"determined", "wide",     "one-sided",
                                        "flat",       "on bound", "coupled"};
    return k >= 0 && k < BRI_KNOWN_COUNT ? names[k] : NULL;
}

typedef struct judge {
    const id_force *f;
    id_force *coarse;
    const id_problem *p;
    const id_solution *s;
    const double *J;
    bri_fit *fit;
    int active[ID_UNKNOWNS], n; /* unknowns that take part */
    int together[ID_UNKNOWNS];  /* nonzero: known only together with others */
    double norm[ID_UNKNOWNS];   /* of their columns */
    id_colour noise, white;
    double C[ID_UNKNOWNS * ID_UNKNOWNS], W[ID_UNKNOWNS * ID_UNKNOWNS]; /* of all unknowns */
} judge;

/* ---- who takes part ------------------------------------------------------------------------- */

static void leave_out(judge *j, int at) {
    for (int i = at; i + 1 < j->n; i++) j->active[i] = j->active[i + 1];
    j->n--;
}

static int at_bound(const judge *j, int k) {
    double u = j->s->u[k], low = j->p->low[k], high = j->p->high[k];
    double near = 1e-7 * (1.0 + fabs(u));
    return u <= low + near ? -1 : u >= high - near ? 1 : 0;
}

static void choose_active(judge *j) {
    double sigma = j->fit->rms;
    for (int k = 0; k < j->p->count; k++) {
        bri_estimate *e = &j->fit->estimate[k];
        double sum = 0.0;
        for (long i = 0; i < j->p->rows; i++)
            sum += j->J[k * j->p->rows + i] * j->J[k * j->p->rows + i];
        j->norm[k] = sqrt(sum);
        const id_unknown *o = &j->f->unknowns->one[k];
        /* a change by a factor e, or by the value or its whole size, that no residual shows */
        double change = o->log ? 1.0 : fmax(fabs(e->value), fabs(o->start));
        e->known = BRI_DETERMINED;
        if (at_bound(j, k)) e->known = BRI_ON_BOUND;
        if (!(j->norm[k] * change > 1e-3 * sigma))
            e->known = BRI_FLAT;
        else
            j->active[j->n++] = k;
    }
}

/* The eigenvector of the smallest eigenvalue of the scaled J'J, as changes of what is sought,
 * [count]; nonzero: no residual shows it. */
static int unseen(const judge *j, double *du) {
    double A[ID_UNKNOWNS * ID_UNKNOWNS], value[ID_UNKNOWNS], V[ID_UNKNOWNS * ID_UNKNOWNS];
    int n = j->n;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            const double *x = j->J + j->active[a] * j->p->rows;
            const double *y = j->J + j->active[b] * j->p->rows;
            double sum = 0.0;
            for (long i = 0; i < j->p->rows; i++) sum += x[i] * y[i];
            A[a * n + b] = sum / (j->norm[j->active[a]] * j->norm[j->active[b]]);
        }
    id_eigen(A, n, value, V);
    memset(du, 0, sizeof(double) * (size_t)j->p->count);
    for (int a = 0; a < n; a++) du[j->active[a]] = V[a * n] / j->norm[j->active[a]];
    return value[0] <= 1e-9;
}

/* Those that take part in such a change, by 1 % of what the one does that changes most: `share` is
 * by how much, relative to their sizes. The first of them: the gain of a sensor, or who changes
 * the residuals most. */
static int find_members(const judge *j, const double *du, double *share) {
    int hub = -1;
    double most = 0.0;
    for (int k = 0; k < j->p->count; k++) {
        const id_unknown *o = &j->f->unknowns->one[k];
        const bri_estimate *e = &j->fit->estimate[k];
        double size = o->log ? 1.0 : fmax(fabs(e->value), fabs(o->start));
        double change = du[k] + (o->above >= 0 ? du[o->above] : 0.0);
        share[k] = size > 0.0 ? change / size : 0.0;
        most = fmax(most, fabs(share[k]));
    }
    for (int k = 0; k < j->p->count; k++) {
        if (!(fabs(share[k]) > 0.01 * most)) share[k] = 0.0;
        if (share[k] == 0.0 || du[k] == 0.0) continue;
        int gain = j->f->unknowns->one[k].kind == ID_GAIN;
        if (hub < 0 || gain ||
            (j->f->unknowns->one[hub].kind != ID_GAIN &&
             fabs(du[k]) * j->norm[k] > fabs(du[hub]) * j->norm[hub]))
            hub = k;
    }
    return hub;
}

/* Unknowns that the data see only together: each is told with the name of a partner, and one is
 * left out, so that the others can be judged. */
static void part_twins(judge *j) {
    double du[ID_UNKNOWNS], share[ID_UNKNOWNS];
    while (j->n > 1 && unseen(j, du)) {
        int hub = find_members(j, du, share), second = -1;
        char list[500] = "";
        if (hub < 0) return; /* no numbers: nothing could be left out, for ever */
        for (int k = 0; k < j->p->count; k++) {
            bri_estimate *e = &j->fit->estimate[k];
            if (k == hub || share[k] == 0.0 || e->known == BRI_FLAT) continue;
            if (second < 0 || fabs(du[k]) * j->norm[k] > fabs(du[second]) * j->norm[second])
                second = k;
            e->known = BRI_COUPLED, j->together[k] = 1;
            memcpy(e->with, j->fit->estimate[hub].name, sizeof e->with);
            e->correlation = share[k] * share[hub] > 0.0 ? 1.0 : -1.0;
            size_t n = strlen(list);
            snprintf(list + n, sizeof list - n, ", %s", e->name);
        }
        if (second >= 0) {
            bri_estimate *e = &j->fit->estimate[hub];
            e->known = BRI_COUPLED, j->together[hub] = 1;
            memcpy(e->with, j->fit->estimate[second].name, sizeof e->with);
            e->correlation = j->fit->estimate[second].correlation;
            id_say(&j->fit->sense,
                   "These are known only together, a change of all of them leaves every residual "
                   "as it is: %s%s. Take one of them from elsewhere, not as unknown.",
                   e->name, list);
        }
        for (int a = 0; a < j->n; a++)
            if (j->active[a] == hub) leave_out(j, a);
    }
}

/* ---- covariance ----------------------------------------------------------------------------- */

/* Of the active unknowns, spread over all; then of the values: a static level is the sum of what is
 * sought for it and its sliding level. */
static int spread_covariance(const judge *j, const id_colour *noise, double *C) {
    int n = j->n, m = j->p->count;
    double *K = malloc((size_t)n * (size_t)j->p->rows * sizeof *K), S[ID_UNKNOWNS * ID_UNKNOWNS];
    if (!K) return 0;
    for (int a = 0; a < n; a++)
        memcpy(K + a * j->p->rows, j->J + j->active[a] * j->p->rows,
               (size_t)j->p->rows * sizeof *K);
    int good = n > 0 && id_covariance(K, j->p->rows, n, j->f->cuts, noise, S);
    free(K);
    memset(C, 0, ID_UNKNOWNS * ID_UNKNOWNS * sizeof *C);
    for (int a = 0; good && a < n; a++)
        for (int b = 0; b < n; b++) C[j->active[a] * m + j->active[b]] = S[a * n + b];
    for (int k = 0; good && k < m; k++) {
        int low = j->f->unknowns->one[k].above;
        if (low < 0) continue;
        for (int l = 0; l < m; l++) C[k * m + l] += C[low * m + l];
        for (int l = 0; l < m; l++) C[l * m + k] += C[l * m + low];
    }
    return good;
}

static void put_interval(const bri_estimate *e, double half, double *low, double *high) {
    *low = fmax(e->log ? e->value * exp(-half) : e->value - half, e->min);
    *high = fmin(e->log ? e->value * exp(half) : e->value + half, e->max);
}

/* What is small for an unknown of which zero is as good a value as any, as of an offset: a tenth of
 * the force, ten samples. */
static double small_of(const judge *j, int k) {
    const id_unknown *o = &j->f->unknowns->one[k];
    int forces = !j->f->motion || j->f->run[0].command;
    if (!(o->low < 0.0) || o->start != 0.0) return 0.0;
    if (o->kind == ID_DELAY) return 10.0 * j->f->run[0].h;
    if (o->kind == ID_OFFSET || o->kind == ID_GRAVITY) return forces ? 0.1 * j->f->size : INFINITY;
    return INFINITY;
}

/* The word for an unknown that takes part, by the width of its interval. */
static bri_known word_of(const bri_estimate *e, double half, double small) {
    if (e->log) return half < 0.7 ? BRI_DETERMINED : half < 4.6 ? BRI_WIDE : BRI_FLAT;
    double size = fmax(fabs(e->value), small);
    if (half < 0.5 * size) return BRI_DETERMINED;
    return half < size || small > 0.0 ? BRI_WIDE : BRI_ONE_SIDED;
}

static void put_estimates(judge *j) {
    int m = j->p->count;
    double t = id_t_quantile(j->fit->effective - j->n);
    for (int k = 0; k < m; k++) {
        bri_estimate *e = &j->fit->estimate[k];
        double s = sqrt(fmax(j->C[k * m + k], 0.0)), w = sqrt(fmax(j->W[k * m + k], 0.0));
        int part = 0;
        for (int a = 0; a < j->n; a++) part = part || j->active[a] == k;
        part = part && !j->together[k];
        e->error = part ? s : NAN;
        e->low = e->high = e->white_low = e->white_high = NAN;
        if (!part) continue;
        put_interval(e, t * s, &e->low, &e->high);
        put_interval(e, 1.96 * w, &e->white_low, &e->white_high);
        if (e->known == BRI_COUPLED) continue;
        int with = -1;
        for (int l = 0; l < m; l++) {
            double c = j->C[k * m + l] / (s * sqrt(j->C[l * m + l]));
            j->fit->correlation[k * m + l] = isfinite(c) ? c : 0.0;
            if (l != k && isfinite(c) && fabs(c) > fabs(e->correlation))
                with = l, e->correlation = c;
        }
        if (e->known != BRI_ON_BOUND) e->known = word_of(e, t * s, small_of(j, k));
        if (with >= 0) memcpy(e->with, j->fit->estimate[with].name, sizeof e->with);
        if (e->known != BRI_DETERMINED && e->known != BRI_ON_BOUND && fabs(e->correlation) > 0.97)
            e->known = BRI_COUPLED;
    }
}

/* ---- profiles ------------------------------------------------------------------------------- */

/* What the colour of the noise does to the variance of each unknown; profiles by that. */
static void profile(judge *j, int points) {
    double colour[ID_UNKNOWNS];
    for (int k = 0; k < j->p->count; k++) {
        double w = j->W[k * (j->p->count + 1)], c = j->C[k * (j->p->count + 1)];
        colour[k] = fmax(w > 0.0 ? c / w : j->noise.gain, 1.0);
    }
    id_profile_intervals(j->coarse, j->p, j->s, colour, j->fit);
    if (points > 1) id_profile_curves(j->p, j->s, colour, points, j->f->unknowns, j->fit);
}

/* ---- all ------------------------------------------------------------------------------------ */

void id_judge(const id_force *f, id_force *coarse, const id_problem *p, const id_solution *s,
              const double *r, const double *J, int points, bri_fit *fit) {
    double value[ID_UNKNOWNS], sum = 0.0, next = 0.0;
    judge j = {.f = f, .coarse = coarse, .p = p, .s = s, .J = J, .fit = fit};
    id_decode(f->unknowns, s->u, value);
    fit->n_estimates = p->count;
    for (int k = 0; k < p->count; k++) {
        const id_unknown *o = &f->unknowns->one[k];
        bri_estimate *e = &fit->estimate[k];
        *e = (bri_estimate){
            .value = value[k], .start = o->start, .log = o->log, .min = o->low, .max = o->high};
        snprintf(e->name, sizeof e->name, "%s", o->name);
        snprintf(e->unit, sizeof e->unit, "%s", o->unit);
    }
    for (long i = 0; i < p->rows; i++) {
        sum += r[i] * r[i];
        if (i > 0 && !f->cuts[i]) next += r[i] * r[i - 1];
    }
    fit->colour = sum > 0.0 ? next / sum : 0.0;
    j.noise = id_colour_of(r, f->cuts, p->rows);
    double freedom = (double)p->rows / fmax((double)(p->rows - p->count), 1.0);
    j.noise.sigma *= sqrt(freedom);
    j.white = (id_colour){.sigma = fit->rms * sqrt(freedom), .gain = 1.0};
    fit->order = j.noise.order;
    fit->effective = fmax((double)p->rows / fmax(j.noise.gain, 1.0), p->count + 2.0);
    if (fit->effective > (double)p->rows) fit->effective = (double)p->rows;
    choose_active(&j);
    part_twins(&j);
    int good = spread_covariance(&j, &j.noise, j.C) && spread_covariance(&j, &j.white, j.W);
    if (!good) memset(j.C, 0, sizeof j.C);
    put_estimates(&j);
    profile(&j, points);
    id_sense(f, s, j.together, fit);
    if (!fit->sense) fit->sense = calloc(1, 1);
}
