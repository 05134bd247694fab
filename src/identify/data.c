/* data.c - recordings: columns of several files in our units, at even instants.
 *
 * Times that jitter are met by straight lines; where rows are missing for more than five steps a
 * new stretch begins. Beyond a million rows a file is thinned by means over neighbours. */
#define _POSIX_C_SOURCE 200809L
#include "identify.h"

#include "fail.h"
#include "scenario/csv.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 1000000, GAP = 5 };

/* ---- one file ------------------------------------------------------------------------------- */

/* Columns as the file has them, then ours. */
typedef struct table {
    const char *names[ID_COLUMNS];
    int count;
    double *value[ID_COLUMNS];
    long rows;
    double *ours[ID_TARGETS];
} table;

static int column_of(table *t, const char *name) {
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->names[i], name) == 0) return i;
    t->names[t->count] = name;
    return t->count++;
}

/* The numbers of a column are multiplied by this: by its unit in the map, else in the header. A
 * written factor may have a unit of its own, N/V: then the numbers stay as they are. */
static bri_status factor_of(const id_target *t, const id_term *m, const char *header,
                            double *factor, bri_error *err) {
    char one[80];
    bri_error why;
    const char *unit = m->unit[0] ? m->unit : header;
    *factor = 1.0;
    if (!unit[0]) return BRI_OK;
    snprintf(one, sizeof one, "1 %.60s", unit);
    if (bri_quantity(one, t->unit, factor, &why) == BRI_OK) return BRI_OK;
    *factor = 1.0;
    if (m->scaled) return BRI_OK;
    return bri_fail(err, BRI_BAD_UNIT,
                    "%s=%s[%s]: %.200s; a factor would convert it, %s=2.5*%s[%s]", t->name, m->name,
                    unit, why.text, t->name, m->name, unit);
}

static bri_status read_table(table *t, const char *file, const id_map *map, arena *memory,
                             bri_error *err) {
    char unit[ID_COLUMNS][CSV_UNIT];
    int timed = map->target[0].what == ID_TIME;
    for (int k = 0; k < map->count; k++)
        for (int j = 0; j < map->target[k].n_terms; j++) column_of(t, map->target[k].term[j].name);
    if (t->count > CSV_COLUMNS)
        return bri_fail(err, BRI_BAD_VALUE, "more than %d columns are mapped", (int)CSV_COLUMNS);
    if (timed && map->target[0].n_terms != 1)
        return bri_fail(err, BRI_BAD_VALUE, "the time is one column, not a sum");
    csv_want want = {t->names, t->count, timed, 1, unit};
    bri_status status = csv_file_columns(file, &want, memory, t->value, &t->rows, err);
    if (status != BRI_OK) return status;
    for (int k = 0; k < map->count; k++) {
        const id_target *g = &map->target[k];
        double *y = ARENA_NEW(memory, double, (size_t)t->rows);
        if (!y) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
        for (long i = 0; i < t->rows; i++) y[i] = g->offset;
        for (int j = 0; j < g->n_terms; j++) {
            int c = column_of(t, g->term[j].name);
            double factor;
            status = factor_of(g, &g->term[j], unit[c], &factor, err);
            if (status != BRI_OK) return status;
            for (long i = 0; i < t->rows; i++) y[i] += g->term[j].factor * factor * t->value[c][i];
        }
        t->ours[k] = y;
    }
    return BRI_OK;
}

/* ---- even instants -------------------------------------------------------------------------- */

/* Rows outside the span that counts leave, and those without a number in some column. */
static void drop_rows(id_data *d, table *t, const double *span) {
    long n = 0;
    for (long i = 0; i < t->rows; i++) {
        int whole = 1;
        if (span && (t->ours[0][i] < span[0] || t->ours[0][i] > span[1])) continue;
        for (int k = 0; k < d->map.count; k++) whole = whole && isfinite(t->ours[k][i]);
        d->rows++;
        d->holes += !whole;
        if (!whole) continue;
        for (int k = 0; k < d->map.count; k++) t->ours[k][n] = t->ours[k][i];
        n++;
    }
    t->rows = n;
}

/* Means over so many neighbours that at most MOST_ROWS are left. */
static void thin(id_data *d, table *t) {
    long by = (t->rows + MOST_ROWS - 1) / MOST_ROWS;
    if (by < 2) return;
    long n = t->rows / by;
    for (int k = 0; k < d->map.count; k++)
        for (long i = 0; i < n; i++) {
            double sum = 0.0;
            for (long j = 0; j < by; j++) sum += t->ours[k][i * by + j];
            t->ours[k][i] = sum / (double)by;
        }
    t->rows = n;
    if (by > d->thinned) d->thinned = by;
}

/* The step of a signal that takes only multiples of it; 0: it does not. */
static double quantum(const double *y, long n) {
    double q = INFINITY;
    long whole = 0, all = 0;
    for (long i = 1; i < n; i++) {
        double d = fabs(y[i] - y[i - 1]);
        if (d > 0.0 && d < q) q = d;
    }
    if (!isfinite(q)) return 0.0;
    for (long i = 1; i < n; i++) {
        double d = fabs(y[i] - y[i - 1]) / q;
        if (d > 1000.0) continue;
        whole += fabs(d - floor(d + 0.5)) < 0.02;
        all++;
    }
    return all > n / 4 && (double)whole > 0.98 * (double)all ? q : 0.0;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_step(const double *t, long rows, arena *memory) {
    double *h = ARENA_NEW(memory, double, (size_t)rows);
    if (!h) return NAN;
    for (long i = 0; i + 1 < rows; i++) h[i] = t[i + 1] - t[i];
    qsort(h, (size_t)(rows - 1), sizeof *h, by_size);
    return h[(rows - 1) / 2];
}

static id_stretch *new_stretch(id_data *d, int file) {
    if (d->count == d->room) {
        int room = d->room ? 2 * d->room : 8;
        id_stretch *more = realloc(d->stretch, (size_t)room * sizeof *more);
        if (!more) return NULL;
        d->stretch = more;
        d->room = room;
    }
    d->stretch[d->count] = (id_stretch){.file = file};
    return &d->stretch[d->count++];
}

/* Rows from .. to - 1 at even instants. */
static bri_status add_even(id_data *d, const table *t, int file, long from, long to, double h) {
    const double *time = t->ours[0];
    long count = (long)floor((time[to - 1] - time[from]) / h + 1e-6) + 1;
    id_stretch *s = new_stretch(d, file);
    if (!s) return BRI_NO_MEMORY;
    *s = (id_stretch){.file = file, .count = count, .from = time[from], .h = h};
    for (int k = 1; k < d->map.count; k++) {
        double *y = s->value[k] = ARENA_NEW(&d->memory, double, (size_t)count);
        if (!y) return BRI_NO_MEMORY;
        const double *x = t->ours[k];
        long at = from;
        for (long i = 0; i < count; i++) {
            double when = s->from + (double)i * h;
            while (at + 2 < to && time[at + 1] <= when) at++;
            double share = (when - time[at]) / (time[at + 1] - time[at]);
            share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
            if (share < 1e-3) share = 0.0; /* the same instant but for the digits of the clock */
            if (share > 1.0 - 1e-3) share = 1.0;
            y[i] = x[at] + share * (x[at + 1] - x[at]);
        }
    }
    return BRI_OK;
}

static bri_status split(id_data *d, const table *t, int file, arena *memory) {
    const double *time = t->ours[0];
    double h = median_step(time, t->rows, memory);
    if (isnan(h)) return BRI_NO_MEMORY;
    for (long from = 0, i = 1; i <= t->rows; i++) {
        double step = i < t->rows ? time[i] - time[i - 1] : INFINITY;
        double before = i > 1 ? time[i - 1] - time[i - 2] : 0.0;
        double after = i + 1 < t->rows ? time[i + 1] - time[i] : 0.0;
        if (step <= GAP * h) /* rows that are left out are no jitter */
            d->jitter = fmax(d->jitter, fabs(step / h - fmax(floor(step / h + 0.5), 1.0)));
        /* a recorder that changed its rate has neighbours with the same long step */
        if (step <= GAP * h || step <= 2.0 * fmax(before, after)) continue;
        d->gaps += i < t->rows;
        if (i - from >= 8 && add_even(d, t, file, from, i, h) != BRI_OK) return BRI_NO_MEMORY;
        from = i;
    }
    return BRI_OK;
}

/* Points without a time, as they stand. */
static bri_status add_points(id_data *d, const table *t, int file) {
    id_stretch *s = new_stretch(d, file);
    if (!s) return BRI_NO_MEMORY;
    s->count = t->rows;
    for (int k = 0; k < d->map.count; k++) {
        s->value[k] = ARENA_NEW(&d->memory, double, (size_t)t->rows);
        if (!s->value[k]) return BRI_NO_MEMORY;
        memcpy(s->value[k], t->ours[k], (size_t)t->rows * sizeof(double));
    }
    return BRI_OK;
}

static bri_status read_one(id_data *d, const char *file, int index, const double *span,
                           bri_error *err) {
    arena memory = {0};
    table t = {0};
    bri_status status = read_table(&t, file, &d->map, &memory, err);
    if (status == BRI_OK) {
        int timed = d->map.target[0].what == ID_TIME, before = d->count;
        double first = t.rows > 0 ? t.ours[0][0] : 0.0,
               last = t.rows > 0 ? t.ours[0][t.rows - 1] : 0.0;
        drop_rows(d, &t, span);
        if (t.rows < 3 && span) {
            status =
                bri_fail(err, BRI_BAD_VALUE,
                         "%.200s: only %ld rows between %g and %g s have all numbers; its times go "
                         "from %g to %g s",
                         file, t.rows, span[0], span[1], first, last);
        } else if (t.rows < 3) {
            status = bri_fail(err, BRI_BAD_VALUE, "%.200s: only %ld rows have all numbers", file,
                              t.rows);
        } else {
            for (int k = 1; timed && index == 0 && k < d->map.count; k++)
                d->step[k] = quantum(t.ours[k], t.rows);
            if (timed) thin(d, &t);
            status = timed ? split(d, &t, index, &memory) : add_points(d, &t, index);
            if (status != BRI_OK) bri_fail(err, status, "%s", bri_status_text(status));
            if (status == BRI_OK && d->count == before)
                status = bri_fail(err, BRI_BAD_VALUE, "%.200s: no stretch of 8 rows without a gap",
                                  file);
        }
    }
    arena_free(&memory);
    return status;
}

bri_status id_data_read(id_data *d, const char *const *files, int n_files, const double *span,
                        bri_error *err) {
    if (span && d->map.target[0].what != ID_TIME)
        return bri_fail(err, BRI_BAD_VALUE,
                        "points without a time have no span: map t to a column");
    for (int i = 0; i < n_files; i++) {
        bri_status status = read_one(d, files[i], i, span, err);
        if (status != BRI_OK) return status;
    }
    return BRI_OK;
}

int id_data_thin(const id_data *d, long by, id_data *thin) {
    *thin = (id_data){.map = d->map};
    for (int i = 0; i < d->count; i++) {
        const id_stretch *s = &d->stretch[i];
        id_stretch *t = new_stretch(thin, s->file);
        if (!t) return 0;
        *t = (id_stretch){s->file,
                          s->count / by,
                          s->from + 0.5 * (double)(by - 1) * s->h,
                          (double)by * s->h,
                          {0}};
        for (int k = 0; k < d->map.count; k++) {
            if (!s->value[k]) continue;
            t->value[k] = ARENA_NEW(&thin->memory, double, (size_t)t->count + 1);
            if (!t->value[k]) return 0;
            for (long n = 0; n < t->count; n++) {
                double sum = 0.0;
                for (long j = 0; j < by; j++) sum += s->value[k][n * by + j];
                t->value[k][n] = sum / (double)by;
            }
        }
    }
    return 1;
}

void id_data_free(id_data *d) {
    free(d->stretch);
    arena_free(&d->memory);
    *d = (id_data){0};
}
