/* measured.c - measured samples as a reference: read from a CSV file, met in time by a computed
 * column.
 *
 * The computed column is interpolated to the measured instants and not the other way round, so that
 * measured noise is not smoothed and every sample counts once. */
#include "bristle_study.h"

#include "fail.h"
#include "scenario/csv.h"
#include "study/entry.h"

#include <math.h>
#include <string.h>

/* ---- the map of columns -------------------------------------------------------------------- */

/* The entries for the time and for the other column; has[k] tells whether there is one. */
static bri_status read_map(const char *map, entry e[2], int has[2], bri_error *err) {
    has[0] = has[1] = 0;
    for (const char *at = map; at && *at;) {
        entry one;
        bri_status status = entry_next(&at, &one, err);
        if (status != BRI_OK) return status;
        int k = strcmp(one.ours, "t") != 0;
        if (has[k])
            return bri_fail(err, BRI_BAD_VALUE,
                            k ? "one column is compared: '%s' is a second one"
                              : "%s is mapped twice",
                            one.ours);
        e[k] = one;
        has[k] = 1;
    }
    return BRI_OK;
}

bri_status bri_measured_ours(const char *map, char *ours, size_t size, bri_error *err) {
    entry e[2];
    int has[2];
    bri_status status = read_map(map, e, has, err);
    if (status != BRI_OK) return status;
    if (!has[1]) return bri_fail(err, BRI_NOT_FOUND, "'%.60s' names no column but the time", map);
    snprintf(ours, size, "%s", e[1].ours);
    return BRI_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

bri_status bri_measured_read(bri_measured *m, const char *file, const char *map, const char *ours,
                             const char *unit, bri_error *err) {
    entry e[2];
    int has[2];
    arena memory = {0};
    double *room[2], factor[2];
    *m = (bri_measured){0};
    bri_status status = read_map(map, e, has, err);
    if (status != BRI_OK) return status;
    for (int k = 0; k < 2; k++) {
        if (!has[k]) e[k] = (entry){0};
        if (!has[k]) snprintf(e[k].theirs, sizeof e[k].theirs, "%s", k ? ours : "t");
    }
    if (has[1] && strcmp(e[1].ours, ours) != 0)
        return bri_fail(err, BRI_BAD_VALUE, "%s is compared, but the map speaks of %s", ours,
                        e[1].ours);
    status = entry_factor(&e[0], "s", &factor[0], err);
    if (status == BRI_OK) status = entry_factor(&e[1], unit, &factor[1], err);
    const csv_want want = {.names = (const char *const[]){e[0].theirs, e[1].theirs}, 2, .timed = 1};
    if (status == BRI_OK) status = csv_file_columns(file, &want, &memory, room, &m->count, err);
    if (status == BRI_OK) {
        m->t = calloc((size_t)m->count, sizeof *m->t);
        m->y = calloc((size_t)m->count, sizeof *m->y);
        if (!m->t || !m->y)
            status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    }
    for (long i = 0; status == BRI_OK && i < m->count; i++) {
        m->t[i] = factor[0] * room[0][i];
        m->y[i] = factor[1] * room[1][i];
    }
    arena_free(&memory);
    return status;
}

void bri_measured_free(bri_measured *m) {
    free(m->t);
    free(m->y);
    *m = (bri_measured){0};
}

/* ---- meeting in time ----------------------------------------------------------------------- */

/* y(t) at increasing instants: the interval is remembered from one call to the next. */
static double follow(const double *t, const double *y, long count, long *at, double when) {
    if (count < 1 || !(when >= t[0] && when <= t[count - 1])) return NAN;
    while (*at + 2 < count && t[*at + 1] < when) ++*at;
    if (count == 1) return y[0];
    double share = (when - t[*at]) / (t[*at + 1] - t[*at]);
    return y[*at] + share * (y[*at + 1] - y[*at]);
}

bri_difference bri_measured_difference(const bri_measured *m, const double *t, const double *y,
                                       long count, double shift, long *used) {
    bri_difference none = {NAN, NAN, NAN, NAN, NAN, NAN};
    double *pair = calloc(2 * (size_t)m->count + 1, sizeof *pair),
           *ref = pair ? pair + m->count : 0;
    long n = 0, at = 0;
    for (long i = 0; pair && i < m->count; i++) {
        double ours = follow(t, y, count, &at, m->t[i] + shift);
        if (isnan(ours)) continue;
        pair[n] = ours;
        ref[n++] = m->y[i];
    }
    bri_difference d = n > 0 ? bri_measure_difference(pair, ref, n) : none;
    free(pair);
    if (used) *used = n;
    return d;
}

typedef struct search {
    const bri_measured *m;
    const double *t, *y;
    long count;
    long least; /* samples that have to meet y */
} search;

/* Mean square at a shift over every stride-th sample; infinite if too few meet. */
static double mean_square(const search *s, double shift, long stride) {
    double sum = 0.0;
    long n = 0, at = 0;
    for (long i = 0; i < s->m->count; i += stride) {
        double e = follow(s->t, s->y, s->count, &at, s->m->t[i] + shift) - s->m->y[i];
        if (isnan(e)) continue;
        sum += e * e;
        n++;
    }
    return n > 0 && n * stride >= s->least ? sum / (double)n : INFINITY;
}

/* Golden section within a valley; stops where rounding takes over. */
static double bottom(const search *s, double a, double b, double *value) {
    const double golden = 0.6180339887498949;
    double c = b - golden * (b - a), d = a + golden * (b - a);
    double fc = mean_square(s, c, 1), fd = mean_square(s, d, 1);
    for (int i = 0; i < 60; i++) {
        if (fc <= fd) {
            b = d, d = c, fd = fc;
            c = b - golden * (b - a);
            fc = mean_square(s, c, 1);
        } else {
            a = c, c = d, fc = fd;
            d = a + golden * (b - a);
            fd = mean_square(s, d, 1);
        }
    }
    *value = fmin(fc, fd);
    return fc <= fd ? c : d;
}

/* Most samples that lie within a span of time. */
static long most_within(const bri_measured *m, double span) {
    long most = 0;
    for (long i = 0, k = 0; i < m->count; i++) {
        while (m->t[i] - m->t[k] > span) k++;
        if (i - k + 1 > most) most = i - k + 1;
    }
    return most;
}

enum { SHIFTS = 4000, SAMPLES = 2000, VALLEYS = 8 };

/* The lowest valleys found so far, the lowest first. */
typedef struct valleys {
    double depth[VALLEYS], shift[VALLEYS];
    int count;
} valleys;

static void keep(valleys *v, double depth, double shift) {
    int at = v->count;
    if (at < VALLEYS)
        v->count++;
    else if (v->depth[--at] <= depth)
        return;
    for (; at > 0 && v->depth[at - 1] > depth; at--) {
        v->depth[at] = v->depth[at - 1];
        v->shift[at] = v->shift[at - 1];
    }
    v->depth[at] = depth;
    v->shift[at] = shift;
}

/* All shifts on a grid with some of the samples, then the lowest valleys with all of them. */
double bri_measured_shift(const bri_measured *m, const double *t, const double *y, long count) {
    if (m->count < 1 || count < 2) return 0.0;
    search s = {m, t, y, count, most_within(m, t[count - 1] - t[0])};
    s.least = (s.least + 1) / 2;
    double from = t[0] - m->t[m->count - 1], step = (t[count - 1] - m->t[0] - from) / SHIFTS;
    long stride = m->count > SAMPLES ? m->count / SAMPLES : 1;
    double before = INFINITY, here = INFINITY, best = 0.0, least = mean_square(&s, 0.0, 1);
    valleys low = {.count = 0};
    for (int i = 0; i <= SHIFTS + 1; i++) {
        double next = i <= SHIFTS ? mean_square(&s, from + i * step, stride) : INFINITY;
        if (isfinite(here) && here <= before && here < next)
            keep(&low, here, from + (i - 1) * step);
        before = here;
        here = next;
    }
    for (int k = 0; k < low.count; k++) {
        double value, shift = bottom(&s, low.shift[k] - step, low.shift[k] + step, &value);
        if (value < least) {
            least = value;
            best = shift;
        }
    }
    return best;
}
