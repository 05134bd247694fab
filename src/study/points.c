/* points.c - measured points in any order, to be drawn over laws. */
#include "bristle_study.h"

#include "fail.h"
#include "nearest.h"
#include "scenario/csv.h"
#include "study/entry.h"

#include <stdlib.h>
#include <string.h>

static bri_status unknown(const entry *e, const char *const *ours, int n, bri_error *err) {
    int best = n - 1; /* of those as near: what stands on the axis */
    for (int k = n - 2; k >= 0; k--)
        if (bri_spelling_distance(e->ours, ours[k]) < bri_spelling_distance(e->ours, ours[best]))
            best = k;
    return bri_fail(err, BRI_NOT_FOUND, "points have no '%s'; did you mean '%s'?", e->ours,
                    ours[best]);
}

/* Which column of the file is each of ours; what the map does not say has our name. */
static bri_status choose(const char *map, const char *const *ours, int n, entry *e,
                         bri_error *err) {
    for (int k = 0; k < n; k++) {
        e[k] = (entry){0};
        snprintf(e[k].theirs, sizeof e[k].theirs, "%s", ours[k]);
    }
    for (const char *at = map; at && *at;) {
        entry one;
        int k = 0;
        bri_status status = entry_next(&at, &one, err);
        if (status != BRI_OK) return status;
        while (k < n && strcmp(one.ours, ours[k]) != 0) k++;
        if (k == n) return unknown(&one, ours, n, err);
        if (e[k].ours[0]) return bri_fail(err, BRI_BAD_VALUE, "%s is mapped twice", one.ours);
        e[k] = one;
    }
    for (int k = 0; k < n; k++) snprintf(e[k].ours, sizeof e[k].ours, "%s", ours[k]);
    return BRI_OK;
}

bri_status bri_points_read(bri_points *p, const char *file, const char *map,
                           const char *const *ours, const char *const *units, int n,
                           bri_error *err) {
    entry e[BRI_POINT_COLUMNS];
    const char *names[BRI_POINT_COLUMNS];
    char header[BRI_POINT_COLUMNS][CSV_UNIT];
    double *room[BRI_POINT_COLUMNS];
    arena memory = {0};
    *p = (bri_points){0};
    if (n < 1 || n > BRI_POINT_COLUMNS)
        return bri_fail(err, BRI_BAD_VALUE, "points have 1 to %d columns", BRI_POINT_COLUMNS);
    bri_status status = choose(map, ours, n, e, err);
    if (status != BRI_OK) return status;
    for (int k = 0; k < n; k++) names[k] = e[k].theirs;
    const csv_want want = {.names = names, .count = n, .unit = header};
    status = csv_file_columns(file, &want, &memory, room, &p->count, err);
    for (int k = 0; status == BRI_OK && k < n; k++) {
        double factor;
        if (!e[k].unit[0]) snprintf(e[k].unit, sizeof e[k].unit, "%s", header[k]);
        status = entry_factor(&e[k], units[k], &factor, err);
        if (status != BRI_OK) break;
        p->value[k] = malloc((size_t)p->count * sizeof **p->value);
        if (!p->value[k]) {
            status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
            break;
        }
        for (long i = 0; i < p->count; i++) p->value[k][i] = factor * room[k][i];
    }
    arena_free(&memory);
    if (status != BRI_OK) bri_points_free(p);
    return status;
}

void bri_points_free(bri_points *p) {
    for (int k = 0; k < BRI_POINT_COLUMNS; k++) free(p->value[k]);
    *p = (bri_points){0};
}
