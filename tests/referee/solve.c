/* solve.c - from the start of a rig to its end.
 *
 * Signs of switch functions are kept within a step, so that what is integrated is smooth. A step is
 * looked at in between: the functions on a cubic through its ends (with the signals exact) say
 * whether one of them may have passed zero; if so the step is made again to eight places within it,
 * and the first zero is found by making it again and again, each time exactly to the place. */
#include "solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 3, PLACES = 8, KINKS = 600 };

typedef struct run {
    ref_system s;
    ref_result *out;
    double t, h, tol;
    double y[REF_UNKNOWNS], rate[REF_UNKNOWNS];
    double longest; /* step: a share of the shortest period */
    long max_evals;
    int idle; /* events since the last step that moved */
} run;

/* ---- switch functions within a step --------------------------------------------------------- */

/* Values times signs at a place of the step, made anew to there: negative is beyond zero. */
static void look_at(run *r, double theta, double h, double *g) {
    double y[REF_UNKNOWNS], dy[REF_UNKNOWNS], error;
    ref_step(&r->s, r->t, r->y, r->rate, theta * h, y, r->tol, &error);
    ref_system_rates(&r->s, r->t + theta * h, y, dy);
    ref_system_switches(&r->s, y, g);
    for (int i = 0; i < REF_SIGNS; i++) g[i] *= r->s.sign[i];
}

/* Whether some function passes zero in the step, or comes so near that it might between the
 * places looked at: within a quarter of its variation over the step. */
static int suspicious(run *r, double h, const double *y, const double *rate) {
    double least[REF_SIGNS], most[REF_SIGNS], g[REF_SIGNS], at[REF_UNKNOWNS], dy[REF_UNKNOWNS];
    for (int i = 0; i < REF_SIGNS; i++) least[i] = INFINITY, most[i] = -INFINITY;
    for (int p = 0; p <= LOOKS + 1; p++) {
        double u = (double)p / (LOOKS + 1), w = 1.0 - u;
        for (int j = 0; j < r->s.n; j++)
            at[j] = w * w * (1.0 + 2.0 * u) * r->y[j] + u * u * (1.0 + 2.0 * w) * y[j] +
                    h * u * w * (w * r->rate[j] - u * rate[j]);
        ref_system_rates(&r->s, r->t + u * h, at, dy);
        ref_system_switches(&r->s, at, g);
        for (int i = 0; i < REF_SIGNS; i++) {
            g[i] *= r->s.sign[i];
            least[i] = fmin(least[i], g[i]), most[i] = fmax(most[i], g[i]);
        }
    }
    for (int i = 0; i < REF_SIGNS; i++)
        if (least[i] < -r->s.grain[i] ||
            (least[i] < 0.25 * (most[i] - least[i]) && most[i] > r->s.grain[i]))
            return 1;
    return 0;
}

/* Zero of function i between two places with values of different sign (Illinois). */
static double zero_of(run *r, double h, int i, double lo, double g_lo, double hi, double g_hi) {
    if (g_lo <= 0.0) return lo;
    double g[REF_SIGNS];
    for (int k = 0, side = 0; k < 80; k++) {
        double at = (lo * g_hi - hi * g_lo) / (g_hi - g_lo);
        if (!(at > lo && at < hi) || k % 8 == 7) at = 0.5 * (lo + hi);
        if ((hi - lo) * h <= 4e-16 * fabs(r->t) || hi - lo < 1e-15) break;
        look_at(r, at, h, g);
        if (fabs(g[i]) <= 1e-3 * r->s.grain[i]) return at;
        if (g[i] < 0.0) {
            hi = at, g_hi = g[i];
            if (side == 1) g_lo *= 0.5;
            side = 1;
        } else {
            lo = at, g_lo = g[i];
            if (side == -1) g_hi *= 0.5;
            side = -1;
        }
    }
    return hi;
}

/* A function that is positive at three places, lowest in the middle one, may still dip below zero:
 * returns a place where it does, or -1. */
static double dip_of(run *r, double h, int i, double lo, double hi) {
    double g[2][REF_SIGNS];
    for (int k = 0; k < 12; k++) {
        double a = lo + 0.382 * (hi - lo), b = lo + 0.618 * (hi - lo);
        look_at(r, a, h, g[0]);
        look_at(r, b, h, g[1]);
        if (g[0][i] < -r->s.grain[i]) return a;
        if (g[1][i] < -r->s.grain[i]) return b;
        if (g[0][i] < g[1][i])
            hi = b;
        else
            lo = a;
    }
    return -1.0;
}

/* The first zero of any function in the step: its index and place, or -1. */
static int first_zero(run *r, double h, double *place) {
    double g[PLACES + 1][REF_SIGNS], at[PLACES + 1], end[REF_SIGNS];
    int found = -1;
    *place = 1.0;
    for (int p = 0; p <= PLACES; p++) {
        at[p] = (double)p / PLACES;
        look_at(r, at[p], h, g[p]);
        for (int i = 0; i < REF_SIGNS; i++) {
            double grain = r->s.grain[i], hi = -1.0;
            if (isnan(g[p][i]) || p == 0) continue;
            if (g[p][i] < -grain) {
                hi = at[p];
            } else if (p > 1 && g[p - 1][i] > 0.0 && g[p - 1][i] <= fmin(g[p - 2][i], g[p][i]) &&
                       g[p - 1][i] < 0.1 * (fmax(g[p - 2][i], g[p][i]) - g[p - 1][i])) {
                hi = dip_of(r, h, i, at[p - 2], at[p]);
            }
            if (hi < 0.0) continue;
            int from = hi > at[p - 1] ? p - 1 : p - 2;
            if (from < 0) from = 0;
            look_at(r, hi, h, end);
            double zero = zero_of(r, h, i, at[from], g[from][i], hi, end[i]);
            if (found < 0 || zero < *place) found = i, *place = zero;
        }
        if (found >= 0) return found;
    }
    return -1;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* The largest step that sees everything: a share of the shortest period, and of the time in which a
 * sliding velocity changes by its own size or by the smallest velocity that its law knows. */
static double step_bound(const run *r) {
    double h = r->longest;
    for (int c = 0; c < r->s.r->n_contacts; c++) {
        const ref_contact *k = &r->s.r->contact[c];
        const ref_contact_now *now = &r->s.contact[c];
        if (r->s.stuck[c] || ref_contact_in_air(&r->s, c)) continue;
        double room = 0.3 * ref_law_room(k, now->v, 0.02 * r->s.r->speed);
        if (fabs(now->a) * h > room) h = room / fabs(now->a);
    }
    return h;
}

/* Whether sliding velocities changed by more than was expected when the step was chosen. */
static int too_far(const run *r, const double *before) {
    for (int c = 0; c < r->s.r->n_contacts; c++) {
        const ref_contact *k = &r->s.r->contact[c];
        if (r->s.stuck[c] || ref_contact_in_air(&r->s, c)) continue;
        double room = ref_law_room(k, before[c], 0.02 * r->s.r->speed);
        if (fabs(r->s.contact[c].v - before[c]) > 0.6 * room) return 1;
    }
    return 0;
}

/* Go to time t with values y: project, take the rates. */
static void arrive(run *r, double t, const double *y) {
    memcpy(r->y, y, sizeof r->y);
    r->t = t;
    ref_system_project(&r->s, t, r->y);
    ref_system_rates(&r->s, t, r->y, r->rate);
}

static ref_status happen(run *r, double h, int which, double place) {
    double y[REF_UNKNOWNS], error;
    if (place > 0.0) {
        ref_step(&r->s, r->t, r->y, r->rate, place * h, y, r->tol, &error);
        arrive(r, r->t + place * h, y);
        if (place > 1e-6) r->idle = 0;
    }
    if (++r->idle > 100) return REF_CHATTER;
    r->out->events++;
    ref_status status = ref_system_event(&r->s, r->t, r->y, which);
    ref_system_rates(&r->s, r->t, r->y, r->rate);
    return status;
}

/* One step towards `until`, or less. */
static ref_status advance(run *r, double until) {
    double y[REF_UNKNOWNS], rate[REF_UNKNOWNS], before[REF_CONTACTS], error, place;
    for (int c = 0; c < r->s.r->n_contacts; c++) before[c] = r->s.contact[c].v;
    double bound = step_bound(r), h = fmin(r->h, bound);
    int last = r->t + h * (1.0 + 1e-9) >= until;
    if (last) h = until - r->t;
    ref_step(&r->s, r->t, r->y, r->rate, h, y, r->tol, &error);
    if (!isfinite(error)) error = 1e9;
    if (error > 1.0) {
        r->h = h * fmax(0.2, 0.9 * pow(error, -0.125));
        ref_system_rates(&r->s, r->t, r->y, r->rate);
        return r->h < 1e-15 * (fabs(r->t) + r->s.r->end - r->s.r->start) ? REF_BROKEN : REF_OK;
    }
    ref_system_rates(&r->s, r->t + h, y, rate);
    if (too_far(r, before) && h > 1e-12 * (r->s.r->end - r->s.r->start)) {
        r->h = 0.5 * h;
        ref_system_rates(&r->s, r->t, r->y, r->rate);
        return REF_OK;
    }
    double grow = fmin(6.0, 0.9 * pow(fmax(error, 1e-12), -0.125));
    if (suspicious(r, h, y, rate)) {
        int which = first_zero(r, h, &place);
        if (which >= 0) {
            r->h = 0.3 * h;
            return happen(r, h, which, place);
        }
    }
    r->h = last ? fmax(r->h, h * grow) : h * grow; /* a step cut short says nothing of the next */
    r->idle = 0;
    r->out->steps++;
    arrive(r, last ? until : r->t + h, y);
    return REF_OK;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times at which a signal has a kink, sorted. */
static int all_kinks(const ref_rig *r, double *list) {
    int n = 0;
    for (int i = 0; i < r->n_bodies; i++)
        if (r->body[i].motion != REF_FREE)
            n = ref_signal_kinks(&r->body[i].signal, r->start, r->end, list, n, KINKS);
    for (int i = 0; i < r->n_drives; i++)
        n = ref_signal_kinks(&r->drive[i].force, r->start, r->end, list, n, KINKS);
    for (int i = 0; i < r->n_contacts; i++)
        if (r->contact[i].loaded)
            n = ref_signal_kinks(&r->contact[i].load, r->start, r->end, list, n, KINKS);
    list[n++] = r->end;
    qsort(list, (size_t)n, sizeof *list, by_size);
    return n;
}

static double shortest_period(const ref_rig *r) {
    double period = r->end - r->start;
    for (int i = 0; i < r->n_bodies; i++)
        if (r->body[i].motion != REF_FREE)
            period = fmin(period, ref_signal_period(&r->body[i].signal));
    for (int i = 0; i < r->n_drives; i++)
        period = fmin(period, ref_signal_period(&r->drive[i].force));
    for (int i = 0; i < r->n_contacts; i++)
        if (r->contact[i].loaded) period = fmin(period, ref_signal_period(&r->contact[i].load));
    return period;
}

static void record(run *r, int row) {
    for (int i = 0; i < r->s.r->n_bodies; i++) {
        r->out->x[row][i] = r->s.body[i].x;
        r->out->v[row][i] = r->s.body[i].v;
    }
}

/* Velocities changed by about `by` of themselves, differently at every row. */
static ref_status disturb(run *r, int row, double by) {
    double y[REF_UNKNOWNS];
    memcpy(y, r->y, sizeof y);
    for (int i = 0; i < r->s.r->n_bodies; i++)
        if (r->s.at[i] >= 0) y[r->s.at[i] + 1] *= 1.0 + by * cos(2.4 * row + i);
    arrive(r, r->t, y);
    ref_status status = ref_system_settle(&r->s, r->t, r->y);
    ref_system_rates(&r->s, r->t, r->y, r->rate);
    return status;
}

void ref_solve(const ref_rig *rig, double tol, double noise, long max_evals, ref_result *out) {
    run r = {.out = out, .t = rig->start, .tol = tol, .max_evals = max_evals};
    double kinks[KINKS + 1];
    int n = all_kinks(rig, kinks), row = 1;
    memset(out, 0, sizeof *out);
    r.longest = fmin(shortest_period(rig) / 12.0, (rig->end - rig->start) / REF_ROWS);
    r.h = 1e-3 * r.longest;
    ref_system_begin(&r.s, rig, r.y);
    for (int k = 0; k < n && out->status == REF_OK; k++) {
        if (kinks[k] <= r.t) continue;
        r.s.piece = 0.5 * (r.t + kinks[k]);
        out->status = ref_system_settle(&r.s, r.t, r.y);
        ref_system_rates(&r.s, r.t, r.y, r.rate);
        if (r.t == rig->start) record(&r, 0);
        while (out->status == REF_OK && r.t < kinks[k]) {
            double until = fmin(kinks[k], ref_row_time(rig, row));
            out->status = advance(&r, until);
            if (r.s.evals > max_evals) out->status = REF_DEAR;
            if (r.t != ref_row_time(rig, row) || row > REF_ROWS) continue;
            record(&r, row++);
            if (noise > 0.0 && r.t < kinks[k] && out->status == REF_OK)
                out->status = disturb(&r, row, noise);
        }
    }
    out->evals = r.s.evals;
    out->t = r.t;
    out->open = r.s.open;
}
