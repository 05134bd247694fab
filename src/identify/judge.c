/* judge.c - how far an estimate can be believed: intervals with the colour of the noise, and a word
 * for each unknown.
 *
 * An unknown that the data do not depend on takes no part in the covariance; one that its bound
 * holds does, since noise has put it there and moves the others with it. Of unknowns that the data
 * see only together, all but one are left out as well, each with the name of its partner. Those
 * that are not determined get an interval by the profile of the error: the others are fitted again
 * with this one held. */
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

/* Unknowns that the data see only as a sum: the eigenvector of the smallest eigenvalue of the
 * scaled J'J names them. */
static void part_twins(judge *j) {
    double A[ID_UNKNOWNS * ID_UNKNOWNS], value[ID_UNKNOWNS], V[ID_UNKNOWNS * ID_UNKNOWNS];
    while (j->n > 1) {
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
        if (value[0] > 1e-9) return;
        int first = 0, second = -1;
        for (int a = 1; a < n; a++)
            if (fabs(V[a * n]) > fabs(V[first * n])) first = a;
        for (int a = 0; a < n; a++)
            if (a != first && (second < 0 || fabs(V[a * n]) > fabs(V[second * n]))) second = a;
        bri_estimate *e = &j->fit->estimate[j->active[first]],
                     *o = &j->fit->estimate[j->active[second]];
        e->known = o->known = BRI_COUPLED;
        memcpy(e->with, o->name, sizeof e->with);
        memcpy(o->with, e->name, sizeof o->with);
        e->correlation = o->correlation = V[first * n] * V[second * n] > 0.0 ? -1.0 : 1.0;
        leave_out(j, first);
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

/* The word for an unknown that takes part, by the width of its interval. */
static bri_known word_of(const bri_estimate *e, double half) {
    if (e->log) return half < 0.7 ? BRI_DETERMINED : half < 4.6 ? BRI_WIDE : BRI_FLAT;
    double size = fabs(e->value);
    int zero = e->min < 0.0 && e->start == 0.0; /* as good a value as any, as of an offset */
    if (half < 0.5 * size || (zero && isfinite(half))) return BRI_DETERMINED;
    return half < size ? BRI_WIDE : BRI_ONE_SIDED;
}

static void put_estimates(judge *j) {
    int m = j->p->count;
    double t = id_t_quantile(j->fit->effective - j->n);
    for (int k = 0; k < m; k++) {
        bri_estimate *e = &j->fit->estimate[k];
        double s = sqrt(fmax(j->C[k * m + k], 0.0)), w = sqrt(fmax(j->W[k * m + k], 0.0));
        int part = 0;
        for (int a = 0; a < j->n; a++) part = part || j->active[a] == k;
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
        if (e->known != BRI_ON_BOUND) e->known = word_of(e, t * s);
        if (with >= 0) memcpy(e->with, j->fit->estimate[with].name, sizeof e->with);
        if (e->known != BRI_DETERMINED && e->known != BRI_ON_BOUND && fabs(e->correlation) > 0.97)
            e->known = BRI_COUPLED;
    }
}

/* ---- the profile ---------------------------------------------------------------------------- */

/* The problem on the coarse samples, and where its end is. */
typedef struct profile {
    id_problem p;
    id_solution s;
    double *r, *J, limit;
    int k; /* the unknown that is held */
} profile;

/* Error with the unknown held at u, the others fitted again from where they were. */
static double held_at(const profile *q, double u, double *from) {
    double low[ID_UNKNOWNS], high[ID_UNKNOWNS];
    size_t size = sizeof(double) * (size_t)q->p.count;
    id_problem p = q->p;
    id_solution s = q->s;
    memcpy(low, p.low, size);
    memcpy(high, p.high, size);
    low[q->k] = high[q->k] = u;
    p.low = low, p.high = high;
    memcpy(s.u, from, size);
    s.u[q->k] = u;
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

static void profile_one(judge *j, const profile *q) {
    bri_estimate *e = &j->fit->estimate[q->k];
    int open[2], above = j->f->unknowns->one[q->k].above;
    double base = above >= 0 ? j->fit->estimate[above].value : 0.0;
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

/* Intervals by the profile for what is wide, one-sided or flat. */
static void profile_all(judge *j) {
    size_t rows = (size_t)j->coarse->rows;
    profile q = {.p = *j->p, .s = *j->s, .k = -1};
    q.r = malloc(rows * sizeof(double));
    q.J = malloc(rows * (size_t)j->p->count * sizeof(double));
    q.p.context = j->coarse, q.p.rows = j->coarse->rows, q.p.most = 8, q.p.enough = 1e-4;
    for (int k = 0; q.r && q.J && k < j->p->count; k++) {
        bri_known known = j->fit->estimate[k].known;
        if (known == BRI_DETERMINED || known == BRI_COUPLED || known == BRI_ON_BOUND) continue;
        if (q.k < 0) { /* the end on the coarse samples, once */
            q.p.most = 20;
            if (id_least_squares(&q.p, &q.s, q.r, q.J) != 0) break;
            q.p.most = 8;
        }
        /* the sum of squares may rise by 3.84 variances of white noise, times what the colour does
         * to the variance of this unknown */
        double w = j->W[k * (j->p->count + 1)], c = j->C[k * (j->p->count + 1)];
        q.limit =
            q.s.cost * (1.0 + 3.84 * fmax(w > 0.0 ? c / w : j->noise.gain, 1.0) / (double)rows);
        q.k = k;
        profile_one(j, &q);
    }
    free(q.r);
    free(q.J);
}

/* ---- sense ---------------------------------------------------------------------------------- */

/* What an engineer would not believe. */
static void make_sense(judge *j) {
    const id_unknowns *u = j->f->unknowns;
    bri_fit *fit = j->fit;
    for (int k = 0; k < u->count; k++) {
        const id_unknown *o = &u->one[k];
        const bri_estimate *e = &fit->estimate[k];
        if (o->above >= 0 && j->s->u[k] <= 1e-3 * fabs(e->value))
            id_say(&fit->sense, "%s is not above %s: these data show no stiction.", e->name,
                   fit->estimate[o->above].name);
        else if (o->above >= 0 && isfinite(e->low) && e->low < fit->estimate[o->above].value)
            id_say(&fit->sense, "%s is not surely above %s: stiction may be none.", e->name,
                   fit->estimate[o->above].name);
        if (o->kind == ID_LAW && o->role == BRI_ROLE_LEVEL && e->known != BRI_DETERMINED)
            id_say(&fit->sense,
                   "The sliding level %s is %s: these data do not show sliding friction.", e->name,
                   bri_known_name(e->known));
        if ((o->role == BRI_ROLE_VISCOUS || o->role == BRI_ROLE_VISCOUS_PER_LOAD) &&
            e->known == BRI_ON_BOUND)
            id_say(&fit->sense,
                   "%s ends at 0: it would be negative if it could, which is no damping.", e->name);
        if (o->kind == ID_NUMBER && e->value <= 0.0)
            id_say(&fit->sense, "%s is not positive.", e->name);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

void id_judge(const id_force *f, id_force *coarse, const id_problem *p, const id_solution *s,
              const double *r, const double *J, bri_fit *fit) {
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
    profile_all(&j);
    make_sense(&j);
    if (!fit->sense) fit->sense = calloc(1, 1);
}
