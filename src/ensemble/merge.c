/* merge.c - parts of a sweep put together, from their settings and rows: as if one run had written
 * them. */
#define _POSIX_C_SOURCE 200809L /* lstat */
#include "ensemble.h"

#include "../decimal.h"
#include "../scenario/csv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* ---- the table that settings describe ------------------------------------------------------- */

/* The value of a line "key: value" at s, its length in *length; NULL: it is another key. */
static const char *value_of(const char *s, const char *key, size_t *length) {
    size_t n = strlen(key);
    if (strncmp(s, key, n) != 0 || strncmp(s + n, ": ", 2) != 0) return NULL;
    *length = strcspn(s + n + 2, "\n");
    return s + n + 2;
}

static const char *next_line(const char *s) {
    s += strcspn(s, "\n");
    return *s ? s + 1 : s;
}

/* "axis, m/s, log, belt.velocity"; 0: not of this form, or no memory. */
static int read_column(sheet *s, int i, const char *text, size_t length) {
    static const char *const kinds[] = {"axis", "choice", "measure"};
    char *copy = malloc(length + 1), *field[3], *rest = copy;
    int good = copy != NULL;
    if (good) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    for (int k = 0; k < 3 && good; k++) {
        char *comma = strstr(rest, ", ");
        good = comma != NULL;
        if (!good) break;
        *comma = '\0';
        field[k] = rest;
        rest = comma + 2;
    }
    if (good) good = sheet_name(s, i, rest, field[1]);
    for (int k = 0; k < 3 && good; k++)
        if (strcmp(field[0], kinds[k]) == 0) s->columns[i].kind = (bri_sweep_kind)k;
    if (good) s->columns[i].random = strcmp(field[2], "random") == 0;
    if (good) s->columns[i].logarithmic = strcmp(field[2], "log") == 0;
    free(copy);
    return good;
}

static int read_words(sheet_column *c, const char *text, size_t length) {
    size_t bars = 1;
    for (size_t i = 0; i < length; i++) bars += text[i] == '|';
    c->words = calloc(bars + 1, sizeof *c->words);
    for (const char *end = text + length; c->words && text <= end;) {
        const char *bar = memchr(text, '|', (size_t)(end - text)), *stop = bar ? bar : end;
        size_t n = (size_t)(stop - text);
        char *word = malloc(n + 1);
        if (!word) return 0;
        memcpy(word, text, n);
        word[n] = '\0';
        c->words[c->n_words++] = word;
        text = stop + 1;
    }
    return c->words != NULL;
}

/* The sheet of some settings, which it keeps. */
static bri_status make_sheet(sheet *s, char *settings, const char *name, bri_error *err) {
    double points = 0.0;
    int columns = 0, at = -1;
    size_t length;
    const char *text;
    for (const char *l = settings; *l; l = next_line(l)) {
        columns += value_of(l, "column", &length) != NULL;
        if ((text = value_of(l, "points", &length)) != NULL)
            points = decimal_value(text, decimal_length(text));
    }
    if (columns < 1 || !(points >= 1.0 && points <= 1e8)) {
        free(settings);
        return bri_fail(err, BRI_BAD_FILE, "%.200s holds no settings of a sweep", name);
    }
    int good = sheet_create(s, columns, (long)points);
    s->settings = settings;
    for (const char *l = settings; *l && good; l = next_line(l)) {
        if ((text = value_of(l, "column", &length)) != NULL)
            good = read_column(s, ++at, text, length);
        if ((text = value_of(l, "words", &length)) != NULL && at >= 0) {
            if (s->columns[at].words)
                return bri_fail(err, BRI_BAD_FILE, "%.200s gives words of a column twice", name);
            good = read_words(&s->columns[at], text, length);
        }
    }
    return good ? BRI_OK : no_memory(err);
}

/* ---- one part ---------------------------------------------------------------------------------
 */

/* The settings of a part, without the line of the part; *rows: what follows them, or NULL. */
static bri_status take_settings(const char *name, char **text, char **rows, bri_error *err) {
    size_t length;
    bri_error why = {0};
    *text = read_file(name, READ_ALL, &length, &why);
    if (!*text) return bri_fail(err, why.status, "%.200s: %.200s", name, why.text);
    (*text)[length] = '\0';
    char *dashes = strstr(*text, "\n---\n");
    *rows = dashes ? dashes + 5 : NULL;
    if (dashes) dashes[1] = '\0';
    char *part = strstr(*text, "\npart: ");
    if (part) part[1] = '\0';
    return BRI_OK;
}

/* A point that another part has as well must be the same there: its line, [length], is that of the
 * sheet. */
static bri_status check_row(const sheet *s, const char *name, const char *text, size_t length,
                            bri_error *err) {
    size_t digits = strspn(text, "0123456789");
    double number = digits > 0 ? decimal_value(text, digits) : -1.0;
    if (!(number >= 0.0 && number < (double)s->points) || s->state[(long)number] == ROW_NONE)
        return BRI_OK;
    line before = {0};
    bri_status status = sheet_line(s, (long)number, &before) ? BRI_OK : no_memory(err);
    if (status == BRI_OK && (before.used != length + 1 || memcmp(before.text, text, length) != 0))
        status = bri_fail(err, BRI_BAD_VALUE, "%.200s contradicts another part about point %ld",
                          name, (long)number);
    free(before.text);
    return status;
}

/* A line of a part into the sheet. */
static bri_status take_line(sheet *s, const char *name, const char *text, size_t length,
                            bri_error *err) {
    bri_status status = check_row(s, name, text, length, err);
    if (status != BRI_OK) return status;
    status = sheet_read(s, text, length);
    if (status == BRI_NO_MEMORY) no_memory(err);
    if (status == BRI_BAD_FILE)
        bri_fail(err, status, "%.200s has a line that is none of this sweep: %.*s", name,
                 (int)(length < 60 ? length : 60), text);
    return status;
}

static bri_status take_rows(sheet *s, const char *name, const char *rows, bri_error *err) {
    line head = {0};
    bri_status status = sheet_head(s, &head) ? BRI_OK : no_memory(err);
    if (status == BRI_OK && strncmp(rows, head.text, head.used) != 0)
        status =
            bri_fail(err, BRI_BAD_FILE, "%.200s has other columns than its settings say", name);
    for (const char *l = rows + head.used; status == BRI_OK && *l; l = next_line(l)) {
        size_t length = strcspn(l, "\n");
        if (!l[length]) break; /* torn */
        status = take_line(s, name, l, length, err);
    }
    free(head.text);
    return status;
}

/* The same from a database: its rows as lines. */
static bri_status take_database(sheet *s, const char *name, bri_error *err) {
    sheet part = {0};
    line text = {0};
    char *copy = malloc(strlen(s->settings) + 1);
    if (!copy) return no_memory(err);
    bri_status status = make_sheet(&part, strcpy(copy, s->settings), name, err);
    if (status == BRI_OK) status = sheet_read_sqlite(&part, name, err);
    for (long i = 0; status == BRI_OK && i < part.points; i++) {
        if (part.state[i] == ROW_NONE) continue;
        text.used = 0;
        status = sheet_line(&part, i, &text) ? take_line(s, name, text.text, text.used - 1, err)
                                             : no_memory(err);
    }
    free(text.text);
    sheet_free(&part);
    return status;
}

/* The settings and rows of a part into the sheet; the first one makes it. */
static bri_status add_part(sheet *s, const char *file, const char *first, bri_error *err) {
    size_t size = strlen(file) + 8, length;
    char *name = malloc(size), *settings = NULL, *rows = NULL, *result = NULL;
    int database = 0;
    if (!name) return no_memory(err);
    snprintf(name, size, "%s%s", file, ends_in(file, ".sweep") ? "" : ".sweep");
    bri_status status = take_settings(name, &settings, &rows, err);
    if (status == BRI_OK && !rows) {
        bri_error why = {0};
        name[strlen(name) - 6] = '\0';
        database = ends_in(name, ".sqlite");
        if (!database) result = rows = read_file(name, READ_ALL, &length, &why);
        if (rows)
            rows[length] = '\0';
        else if (!database)
            status = bri_fail(err, why.status, "%.200s: %.200s", name, why.text);
    }
    char *copy = status == BRI_OK && !s->settings ? malloc(strlen(settings) + 1) : NULL;
    if (copy)
        status = make_sheet(s, strcpy(copy, settings), name, err);
    else if (status == BRI_OK && !s->settings)
        status = no_memory(err);
    else if (status == BRI_OK && strcmp(s->settings, settings) != 0)
        status =
            bri_fail(err, BRI_BAD_VALUE, "%.150s and %.150s are of different sweeps", first, file);
    if (status == BRI_OK)
        status = database ? take_database(s, name, err) : take_rows(s, file, rows, err);
    free(name);
    free(settings);
    free(result);
    return status;
}

/* The place of the result is not that of another sweep. */
static bri_status check_place(const sheet *s, const char *to, bri_error *err) {
    size_t size = strlen(to) + 8;
    char *name = malloc(size), *settings = NULL, *rows = NULL;
    struct stat info;
    bri_status status = BRI_OK;
    if (!name) return no_memory(err);
    snprintf(name, size, "%s.sweep", to);
    if (lstat(name, &info) == 0 && S_ISREG(info.st_mode)) /* links are for those who write */
        status = take_settings(name, &settings, &rows, err);
    if (settings && strcmp(s->settings, settings) != 0)
        status = bri_fail(err, BRI_BAD_VALUE,
                          "%.100s was made with other settings; take another name", to);
    free(settings);
    free(name);
    return status;
}

bri_status bri_sweep_merge(const char *const *files, int count, const char *to, int unfinished,
                           long *points, bri_error *err) {
    sheet s = {0};
    bri_status status = to ? bri_sweep_check_name(to, err) : BRI_OK;
    if (status == BRI_OK && count < 1)
        status = bri_fail(err, BRI_BAD_VALUE, "there are no parts to put together");
    for (int i = 0; i < count && status == BRI_OK; i++)
        status = add_part(&s, files[i], files[0], err);
    if (status == BRI_OK && s.done < s.points && !unfinished) {
        long first = 0;
        while (s.state[first] != ROW_NONE) first++;
        status = bri_fail(err, BRI_BAD_VALUE,
                          "%ld of %ld points are missing, the first is point %ld; --unfinished "
                          "takes what is there",
                          s.points - s.done, s.points, first);
    }
    *points = s.done;
    if (status == BRI_OK && to) status = check_place(&s, to, err);
    if (status == BRI_OK) status = sheet_publish(&s, to, err);
    sheet_free(&s);
    return status;
}
