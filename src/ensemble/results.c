/* results.c - what a sweep has found, and its files. */
#define _POSIX_C_SOURCE 200809L
#include "ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

long bri_sweep_points(const bri_sweep *s) { return s->design.points; }

long bri_sweep_mine(const bri_sweep *s) {
    long points = s->design.points;
    return s->parts < 2 ? points : (points - s->part + s->parts) / s->parts;
}

long bri_sweep_done(const bri_sweep *s) { return s->sheet.done; }
long bri_sweep_failed(const bri_sweep *s) { return s->sheet.failed; }
int bri_sweep_columns(const bri_sweep *s) { return s->sheet.n_columns; }
const char *bri_sweep_settings(const bri_sweep *s) { return s->sheet.settings; }

bri_sweep_column bri_sweep_column_at(const bri_sweep *s, int i) {
    const sheet_column *c = &s->sheet.columns[i];
    return (bri_sweep_column){.name = c->name,
                              .unit = c->unit,
                              .kind = c->kind,
                              .words = (const char *const *)c->words,
                              .n_words = c->n_words,
                              .random = c->random,
                              .logarithmic = c->logarithmic};
}

int bri_sweep_result(bri_sweep *s, long i, bri_sweep_point *point) {
    static const bri_status status[] = {BRI_OK, BRI_OK, BRI_DOUBTFUL, BRI_NO_PROGRESS};
    const design *d = &s->design;
    *point = (bri_sweep_point){.index = i, .row = s->row, .reason = ""};
    if (i < 0 || i >= d->points) return 0;
    if (s->sheet.state[i] != ROW_NONE) {
        memcpy(s->row, sheet_row(&s->sheet, i), (size_t)s->sheet.n_columns * sizeof *s->row);
        point->status = status[s->sheet.state[i]];
        if (s->sheet.reason[i]) point->reason = s->sheet.reason[i];
        return 1;
    }
    double x[MOST_AXES];
    place_in at = design_place(d, i);
    int column = 0;
    design_values(d, &at, x);
    for (int k = 0; k < d->n_axes; k++)
        if (axis_shown(&d->axes[k])) s->row[column++] = x[k];
    if (d->n_laws > 1) s->row[column++] = at.law;
    if (d->n_solvers > 1) s->row[column++] = at.solver;
    while (column < s->sheet.n_columns) s->row[column++] = NAN;
    return 0;
}

/* ---- files ---------------------------------------------------------------------------------- */

bri_status bri_sweep_check_name(const char *file, bri_error *err) {
    if (ends_in(file, ".csv")) return BRI_OK;
    if (!ends_in(file, ".sqlite"))
        return bri_fail(err, BRI_BAD_VALUE,
                        "'%.200s': the name of a result ends in .csv or .sqlite", file);
    if (sqlite_here()) return BRI_OK;
    return bri_fail(err, BRI_MISSING,
                    "'%.200s': this build has no SQLite: it needs the package libsqlite3-dev",
                    file);
}

/* Where the rows of every run are wanted, points that were there without them are run again. */
static void forget_without_runs(bri_sweep *s) {
    struct stat info;
    char name[KEPT_NAME];
    for (long i = 0; s->def.keep && i < s->design.points; i++) {
        if (s->sheet.state[i] == ROW_NONE || s->sheet.state[i] == ROW_FAILED) continue;
        kept_name(name, s->def.keep, i);
        if (stat(name, &info) != 0) sheet_forget(&s->sheet, i);
    }
}

/* A database takes capitals for small letters in names, and has no room for more columns. */
static bri_status check_database(const sheet *s, bri_error *err) {
    const int most = 1990;
    if (s->n_columns > most)
        return bri_fail(err, BRI_BAD_VALUE,
                        "%d columns are too many for a database, at most %d: take FILE.csv",
                        s->n_columns, most);
    for (int i = 0; i < s->n_columns; i++) {
        const char *name = s->columns[i].name, *other = NULL;
        for (int k = 0; k < i && !other; k++)
            if (strcasecmp(name, s->columns[k].name) == 0) other = s->columns[k].name;
        if (strcasecmp(name, "point") == 0) other = "point";
        if (strcasecmp(name, "status") == 0) other = "status";
        if (strcasecmp(name, "reason") == 0) other = "reason";
        if (other)
            return bri_fail(err, BRI_BAD_VALUE,
                            "a database cannot tell the columns '%.80s' and '%.80s' apart; "
                            "NAME=... names a measure",
                            other, name);
    }
    return BRI_OK;
}

/* Rows that were there are of the points that this sweep has; the last digit may be that of another
 * machine. */
static bri_status check_points(const bri_sweep *s, const char *file, bri_error *err) {
    const design *d = &s->design;
    for (long i = 0; i < d->points; i++) {
        double x[MOST_AXES];
        int column = 0;
        if (s->sheet.state[i] == ROW_NONE) continue;
        const double *row = sheet_row(&s->sheet, i);
        place_in at = design_place(d, i);
        design_values(d, &at, x);
        int same = 1;
        for (int k = 0; k < d->n_axes; k++)
            if (axis_shown(&d->axes[k])) same &= fabs(row[column++] - x[k]) <= 1e-12 * fabs(x[k]);
        if (d->n_laws > 1) same &= row[column++] == at.law;
        if (d->n_solvers > 1) same &= row[column] == at.solver;
        if (!same)
            return bri_fail(err, BRI_BAD_VALUE,
                            "%.200s has a row of point %ld that is none of this sweep; take "
                            "another name, or --overwrite",
                            file, i);
    }
    return BRI_OK;
}

bri_status bri_sweep_keep(bri_sweep *s, const char *file, bri_sweep_start how, bri_error *err) {
    char part[80] = "";
    bri_status status = bri_sweep_check_name(file, err);
    if (status == BRI_OK && ends_in(file, ".sqlite")) status = check_database(&s->sheet, err);
    if (status != BRI_OK) return status;
    if (s->parts > 1) snprintf(part, sizeof part, "part: %d/%d\n", s->part, s->parts);
    journal_close(s->journal, 0, NULL);
    s->journal = NULL;
    status = journal_open(&s->journal, &s->sheet, part, file, how, err);
    if (status == BRI_OK) status = check_points(s, file, err);
    if (status == BRI_OK) forget_without_runs(s);
    return status;
}

bri_status bri_sweep_write(bri_sweep *s, const char *file, bri_error *err) {
    bri_status status = sheet_write(&s->sheet, file, err);
    if (status == BRI_OK && file && s->sheet.done == bri_sweep_mine(s)) {
        status = journal_close(s->journal, 1, err);
        s->journal = NULL;
    }
    return status;
}
