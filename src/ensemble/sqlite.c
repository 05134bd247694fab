/* sqlite.c - results as a database: a table of points, one of its columns with their units, one of
 * the settings. Pandas, R and spreadsheets read the first without further words. */
#include "ensemble.h"

#ifdef BRI_HAVE_SQLITE

#include "../output/sink.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* Where SQLite knows of nothing, the memory for what it should be given was not there. */
static bri_status failed(sqlite3 *db, const char *file, bri_error *err) {
    int code = db ? sqlite3_errcode(db) : SQLITE_NOMEM;
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_NOMEM)
        return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    return bri_fail(err, BRI_BAD_FILE, "%.200s: %.200s", file, sqlite3_errmsg(db));
}

/* "name", a quote doubled. */
static int put_name(line *to, const char *name) {
    int good = line_text(to, "\"");
    for (; *name && good; name++)
        good = line_put(to, name, 1) && (*name != '"' || line_text(to, "\""));
    return good && line_text(to, "\"");
}

static int put_table(const sheet *s, line *to) {
    int good = line_text(to, "CREATE TABLE points (point INTEGER PRIMARY KEY");
    for (int i = 0; i < s->n_columns && good; i++)
        good = line_text(to, ", ") && put_name(to, s->columns[i].name) &&
               line_text(to, s->columns[i].words ? " TEXT" : " REAL");
    return good && line_text(to, ", status TEXT, reason TEXT)");
}

static int put_insert(const sheet *s, line *to) {
    int good = line_text(to, "INSERT INTO points VALUES (?");
    for (int i = 0; i < s->n_columns + 2 && good; i++) good = line_text(to, ",?");
    return good && line_text(to, ")");
}

/* One row of a prepared statement with texts. */
static int add_texts(sqlite3 *db, const char *sql, const char *const *text, int count) {
    sqlite3_stmt *statement = NULL;
    int good = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK;
    for (int i = 0; i < count && good; i++)
        good = sqlite3_bind_text(statement, i + 1, text[i], -1, SQLITE_TRANSIENT) == SQLITE_OK;
    if (good) good = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return good;
}

static int add_columns(sqlite3 *db, const sheet *s) {
    static const char *const kinds[] = {"axis", "choice", "measure"};
    int good =
        sqlite3_exec(db, "CREATE TABLE columns (name TEXT PRIMARY KEY, kind TEXT, unit TEXT)", NULL,
                     NULL, NULL) == SQLITE_OK;
    for (int i = 0; i < s->n_columns && good; i++) {
        const char *const row[] = {s->columns[i].name, kinds[s->columns[i].kind],
                                   s->columns[i].unit};
        good = add_texts(db, "INSERT INTO columns VALUES (?,?,?)", row, 3);
    }
    return good;
}

/* "key: value" lines as rows. */
static int add_settings(sqlite3 *db, const sheet *s) {
    int good = sqlite3_exec(db, "CREATE TABLE settings (key TEXT, value TEXT)", NULL, NULL, NULL) ==
               SQLITE_OK;
    for (const char *at = s->settings; *at && good;) {
        size_t length = strcspn(at, "\n"), key = 0;
        line k = {0}, v = {0};
        while (key < length && strncmp(at + key, ": ", 2) != 0) key++;
        good = line_put(&k, at, key) &&
               line_put(&v, at + key + 2, length > key + 2 ? length - key - 2 : 0);
        const char *const row[] = {k.text, v.text};
        good = good && add_texts(db, "INSERT INTO settings VALUES (?,?)", row, 2);
        free(k.text);
        free(v.text);
        at += length + (at[length] == '\n');
    }
    return good;
}

static int add_point(sqlite3_stmt *to, const sheet *s, long point) {
    const double *row = sheet_row(s, point);
    int at = 1, good = sqlite3_bind_int64(to, at++, point) == SQLITE_OK;
    for (int i = 0; i < s->n_columns && good; i++, at++) {
        const sheet_column *c = &s->columns[i];
        if (isnan(row[i]))
            good = sqlite3_bind_null(to, at) == SQLITE_OK;
        else if (c->words && row[i] >= 0.0 && row[i] < c->n_words)
            good = sqlite3_bind_text(to, at, c->words[(int)row[i]], -1, SQLITE_STATIC) == SQLITE_OK;
        else
            good = sqlite3_bind_double(to, at, row[i]) == SQLITE_OK;
    }
    const char *reason = s->reason[point] ? s->reason[point] : "";
    return good &&
           sqlite3_bind_text(to, at++, row_states[s->state[point]], -1, SQLITE_STATIC) ==
               SQLITE_OK &&
           sqlite3_bind_text(to, at, reason, -1, SQLITE_STATIC) == SQLITE_OK &&
           sqlite3_step(to) == SQLITE_DONE && sqlite3_reset(to) == SQLITE_OK;
}

/* All tables, in one transaction, in the order of the points: the same bytes for the same results.
 */
static int fill(sqlite3 *db, const sheet *s) {
    line sql = {0};
    sqlite3_stmt *insert = NULL;
    int good = sqlite3_exec(db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN", NULL,
                            NULL, NULL) == SQLITE_OK;
    good = good && put_table(s, &sql) && sqlite3_exec(db, sql.text, NULL, NULL, NULL) == SQLITE_OK;
    sql.used = 0;
    good = good && put_insert(s, &sql) &&
           sqlite3_prepare_v2(db, sql.text, -1, &insert, NULL) == SQLITE_OK;
    for (long i = 0; i < s->points && good; i++)
        if (s->state[i] != ROW_NONE) good = add_point(insert, s, i);
    sqlite3_finalize(insert);
    free(sql.text);
    return good && add_columns(db, s) && add_settings(db, s) &&
           sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

bri_status sheet_write_sqlite(const sheet *s, const char *file, bri_error *err) {
    sqlite3 *db = NULL;
    sink out;
    bri_status status = sink_open(&out, file, 1, err);
    if (status != BRI_OK) return status;
    if (!out.aside) /* a device or a pipe */
        status = bri_fail(err, BRI_BAD_VALUE, "%.200s: a database needs a file", file);
    else if (sqlite3_open_v2(out.aside, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
             !fill(db, s))
        status = failed(db, file, err);
    if (sqlite3_close(db) != SQLITE_OK && status == BRI_OK) status = failed(db, file, err);
    bri_status closed = sink_close(&out, status == BRI_OK, status == BRI_OK ? err : NULL);
    return status ? status : closed;
}

/* A value of the table as the number that stands for it in the sheet; 0: it is none. */
static int read_value(const sheet_column *c, sqlite3_stmt *from, int at, double *to) {
    int type = sqlite3_column_type(from, at);
    *to = NAN;
    if (type == SQLITE_NULL) return 1;
    if (!c->words) {
        *to = sqlite3_column_double(from, at);
        return type == SQLITE_FLOAT || type == SQLITE_INTEGER;
    }
    const char *text = (const char *)sqlite3_column_text(from, at);
    for (int k = 0; text && k < c->n_words; k++)
        if (strcmp(c->words[k], text) == 0) *to = k;
    return !isnan(*to);
}

/* A row of the table back into the sheet, as the line that it is in CSV. */
static bri_status read_point(sheet *s, sqlite3_stmt *from) {
    sqlite3_int64 point = sqlite3_column_int64(from, 0);
    int n = s->n_columns, row = ROW_FAILED;
    const char *state = (const char *)sqlite3_column_text(from, n + 1),
               *reason = (const char *)sqlite3_column_text(from, n + 2);
    if (point < 0 || point >= s->points || !state || !reason) return BRI_BAD_FILE;
    while (row != ROW_NONE && strcmp(row_states[row], state) != 0) row--;
    for (int i = 0; i < n && row != ROW_NONE; i++)
        if (!read_value(&s->columns[i], from, i + 1, &sheet_row(s, (long)point)[i])) row = ROW_NONE;
    if (row == ROW_NONE) return BRI_BAD_FILE;
    return sheet_put(s, (long)point, row, reason) ? BRI_OK : BRI_NO_MEMORY;
}

/* A file that somebody else made may have anything behind the name of a table: what goes on for
 * longer than reading rows takes is ended, and no text is longer than a reason. */
enum { STEPS = 1000, LONGEST = 1 << 20 };

static int tick(void *rest) { return --*(long *)rest < 0; }

static sqlite3_stmt *rows_of(const char *file, int columns, sqlite3 **db, long *rest) {
    sqlite3_stmt *all = NULL;
    if (sqlite3_open_v2(file, db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) return NULL;
    sqlite3_limit(*db, SQLITE_LIMIT_LENGTH, LONGEST);
    sqlite3_progress_handler(*db, STEPS, tick, rest);
    if (sqlite3_prepare_v2(*db, "SELECT * FROM points", -1, &all, NULL) == SQLITE_OK &&
        sqlite3_column_count(all) == columns)
        return all;
    sqlite3_finalize(all);
    return NULL;
}

bri_status sheet_read_sqlite(sheet *s, const char *file, bri_error *err) {
    sqlite3 *db = NULL;
    long rest = 100 + s->points / STEPS * (s->n_columns + 20);
    sqlite3_stmt *all = rows_of(file, s->n_columns + 3, &db, &rest);
    bri_status status = all ? BRI_OK : BRI_BAD_FILE;
    int step = SQLITE_DONE;
    while (status == BRI_OK && (step = sqlite3_step(all)) == SQLITE_ROW)
        status = read_point(s, all);
    if (!db || sqlite3_errcode(db) == SQLITE_NOMEM) status = BRI_NO_MEMORY;
    if (status == BRI_NO_MEMORY)
        bri_fail(err, status, "%s", bri_status_text(status));
    else if (status != BRI_OK || step != SQLITE_DONE)
        status = bri_fail(
            err, BRI_BAD_VALUE,
            "%.200s has other rows than this sweep writes; take another name, or --overwrite",
            file);
    sqlite3_finalize(all);
    sqlite3_close(db);
    return status;
}

int sqlite_here(void) { return 1; }

#else

int sqlite_here(void) { return 0; }

static bri_status missing(bri_error *err) {
    return bri_fail(
        err, BRI_MISSING,
        "this build has no SQLite: it needs the package libsqlite3-dev; .csv is always there");
}

bri_status sheet_write_sqlite(const sheet *s, const char *file, bri_error *err) {
    (void)s;
    (void)file;
    return missing(err);
}

bri_status sheet_read_sqlite(sheet *s, const char *file, bri_error *err) {
    (void)s;
    (void)file;
    return missing(err);
}

#endif
