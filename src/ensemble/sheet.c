/* sheet.c - results as a table: one line of CSV per point, written and read back to the bit. */
#define _POSIX_C_SOURCE 200809L
#include "ensemble.h"

#include "../decimal.h"
#include "../output/escape.h"
#include "../output/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

const char *const row_states[] = {"", "ok", "doubtful", "failed"};

/* ---- text that grows ------------------------------------------------------------------------ */

int line_put(line *to, const char *text, size_t size) {
    if (to->used + size + 1 > to->room) {
        size_t room = 2 * (to->used + size + 64);
        char *more = realloc(to->text, room);
        if (!more) {
            to->starved = 1;
            return 0;
        }
        to->text = more;
        to->room = room;
    }
    memcpy(to->text + to->used, text, size);
    to->used += size;
    to->text[to->used] = '\0';
    return 1;
}

int line_text(line *to, const char *text) { return line_put(to, text, strlen(text)); }

static void put_field(void *to, const char *text, size_t size) {
    line *l = to;
    if (l->text && !line_put(l, text, size)) {
        free(l->text);
        *l = (line){0};
    }
}

static int line_field(line *to, const char *text) {
    if (!line_put(to, "", 0)) return 0;
    csv_field(put_field, to, text);
    return to->text != NULL;
}

static int line_number(line *to, double x) {
    char number[NUMBER_ROOM];
    if (isnan(x)) return 1; /* an empty cell */
    return line_put(to, number, (size_t)(number_put(number, x) - number));
}

/* ---- the table ------------------------------------------------------------------------------ */

int sheet_create(sheet *s, int n_columns, long points) {
    size_t cells = (size_t)points * (size_t)n_columns;
    *s = (sheet){.n_columns = n_columns, .points = points};
    s->columns = calloc((size_t)n_columns + 1, sizeof *s->columns);
    s->value = calloc(cells + 1, sizeof *s->value);
    s->state = calloc((size_t)points + 1, 1);
    s->reason = calloc((size_t)points + 1, sizeof *s->reason);
    for (int i = 0; s->columns && i < n_columns; i++) s->columns[i].instant = NAN;
    return s->columns && s->value && s->state && s->reason;
}

void sheet_free(sheet *s) {
    for (int i = 0; s->columns && i < s->n_columns; i++) {
        for (int k = 0; k < s->columns[i].n_words; k++) free(s->columns[i].words[k]);
        free(s->columns[i].words);
        free(s->columns[i].name);
    }
    for (long i = 0; s->reason && i < s->points; i++) free(s->reason[i]);
    free(s->columns);
    free(s->value);
    free(s->state);
    free(s->reason);
    free(s->settings);
    *s = (sheet){0};
}

int sheet_name(sheet *s, int column, const char *name, const char *unit) {
    sheet_column *c = &s->columns[column];
    c->name = malloc(strlen(name) + 1);
    if (!c->name) return 0;
    strcpy(c->name, name);
    snprintf(c->unit, sizeof c->unit, "%.40s", unit);
    return 1;
}

int sheet_put(sheet *s, long point, int state, const char *reason) {
    if (reason && *reason) {
        char *copy = malloc(strlen(reason) + 1);
        if (!copy) return 0;
        free(s->reason[point]);
        s->reason[point] = strcpy(copy, reason);
        for (char *c = copy; *c; c++)
            if (*c == '\n' || *c == '\r') *c = ' '; /* a row is a line */
    }
    if (s->state[point] == ROW_NONE) s->done++;
    s->failed += (state == ROW_FAILED) - (s->state[point] == ROW_FAILED);
    s->doubtful += (state == ROW_DOUBTFUL) - (s->state[point] == ROW_DOUBTFUL);
    s->state[point] = (unsigned char)state;
    return 1;
}

void sheet_forget(sheet *s, long point) {
    s->done -= s->state[point] != ROW_NONE;
    s->failed -= s->state[point] == ROW_FAILED;
    s->doubtful -= s->state[point] == ROW_DOUBTFUL;
    s->state[point] = ROW_NONE;
}

/* ---- lines ---------------------------------------------------------------------------------- */

int sheet_head(const sheet *s, line *to) {
    int good = line_text(to, "point");
    for (int i = 0; i < s->n_columns && good; i++)
        good = line_text(to, ",") && line_field(to, s->columns[i].name);
    return good && line_text(to, ",status,reason\n");
}

int sheet_line(const sheet *s, long point, line *to) {
    char number[32];
    snprintf(number, sizeof number, "%ld", point);
    int good = line_text(to, number);
    const double *row = sheet_row(s, point);
    for (int i = 0; i < s->n_columns && good; i++) {
        const sheet_column *c = &s->columns[i];
        int word = c->words && row[i] >= 0.0 && row[i] < c->n_words;
        good = line_text(to, ",") &&
               (word ? line_field(to, c->words[(int)row[i]]) : line_number(to, row[i]));
    }
    return good && line_text(to, ",") && line_text(to, row_states[s->state[point]]) &&
           line_text(to, ",") && line_field(to, s->reason[point] ? s->reason[point] : "") &&
           line_text(to, "\n");
}

/* The next field of a line, without its quotes; *at moves behind its comma. NULL: not whole. */
static char *next_field(const char **at, const char *end, line *room) {
    const char *s = *at;
    room->used = 0;
    if (s > end || !line_put(room, "", 0)) return NULL;
    if (s < end && *s == '"') {
        for (s++; s < end; s++) {
            if (*s == '"' && !(s + 1 < end && s[1] == '"')) break;
            s += *s == '"';
            if (!line_put(room, s, 1)) return NULL;
        }
        if (s == end) return NULL;
        s++;
    } else {
        size_t n = 0;
        while (s + n < end && s[n] != ',') n++;
        if (!line_put(room, s, n)) return NULL;
        s += n;
    }
    if (s < end && *s != ',') return NULL;
    *at = s + 1;
    return room->text;
}

static int read_cell(const sheet_column *c, const char *text, double *value) {
    size_t length = decimal_length(text);
    *value = NAN;
    if (!*text) return 1;
    for (int k = 0; k < c->n_words; k++)
        if (strcmp(c->words[k], text) == 0) {
            *value = k;
            return 1;
        }
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
        *value = *text == '-' ? -INFINITY : INFINITY;
        return 1;
    }
    *value = length > 0 ? decimal_value(text, length) : NAN;
    return length > 0 && !text[length] && !c->words;
}

bri_status sheet_read(sheet *s, const char *text, size_t length) {
    const char *at = text, *end = text + length, *cell;
    line room = {0};
    long point = -1;
    int good = (cell = next_field(&at, end, &room)) != NULL, state = ROW_NONE;
    if (good) {
        size_t digits = strspn(cell, "0123456789");
        double number = digits > 0 && !cell[digits] ? decimal_value(cell, digits) : -1.0;
        good = number >= 0.0 && number < (double)s->points;
        point = good ? (long)number : -1;
    }
    for (int i = 0; i < s->n_columns && good; i++)
        good = (cell = next_field(&at, end, &room)) != NULL &&
               read_cell(&s->columns[i], cell, &sheet_row(s, point)[i]);
    if (good) good = (cell = next_field(&at, end, &room)) != NULL;
    for (int k = ROW_GOOD; good && k <= ROW_FAILED; k++)
        if (strcmp(cell, row_states[k]) == 0) state = k;
    good =
        good && state != ROW_NONE && (cell = next_field(&at, end, &room)) != NULL && at == end + 1;
    if (good && !sheet_put(s, point, state, cell)) room.starved = 1;
    free(room.text);
    return room.starved ? BRI_NO_MEMORY : good ? BRI_OK : BRI_BAD_FILE;
}

/* ---- files ---------------------------------------------------------------------------------- */

int ends_in(const char *name, const char *end) {
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcasecmp(name + n - m, end) == 0;
}

bri_status sheet_write(const sheet *s, const char *file, bri_error *err) {
    bri_file *out = NULL;
    line text = {0};
    if (file && ends_in(file, ".sqlite")) return sheet_write_sqlite(s, file, err);
    bri_status status = bri_file_open(file, 1, &out, err);
    if (status == BRI_OK && !sheet_head(s, &text))
        status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    if (status == BRI_OK) status = bri_file_put(out, text.text, err);
    for (long i = 0; i < s->points && status == BRI_OK; i++) {
        if (s->state[i] == ROW_NONE) continue;
        text.used = 0;
        if (sheet_line(s, i, &text))
            status = bri_file_put(out, text.text, err);
        else
            status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    }
    bri_status closed = bri_file_close(out, status == BRI_OK, status == BRI_OK ? err : NULL);
    free(text.text);
    return status ? status : closed;
}

bri_status sheet_settings(const char *name, const char *settings, bri_error *err) {
    struct stat info;
    bri_file *out = NULL;
    if (lstat(name, &info) == 0 && !S_ISREG(info.st_mode))
        return bri_fail(err, BRI_BAD_FILE, "%.200s cannot be written: it is no file", name);
    bri_status status = bri_file_open(name, 1, &out, err);
    if (status == BRI_OK) status = bri_file_put(out, settings, err);
    bri_status closed = bri_file_close(out, status == BRI_OK, status == BRI_OK ? err : NULL);
    return status ? status : closed;
}

bri_status sheet_publish(const sheet *s, const char *file, bri_error *err) {
    bri_status status = sheet_write(s, file, err);
    if (status != BRI_OK || !file) return status;
    size_t size = strlen(file) + 8;
    char *name = malloc(size);
    if (!name) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    snprintf(name, size, "%s.sweep", file);
    status = sheet_settings(name, s->settings, err);
    free(name);
    return status;
}
