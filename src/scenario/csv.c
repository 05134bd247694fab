/* csv.c - two columns of a CSV file (RFC 4180): a header row, then numbers. The fields are parted
 * by commas, or, if the header has none, by semicolons or tabs. */
#define _POSIX_C_SOURCE 200809L
#include "reader.h"

#include "decimal.h"
#include "fail.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_CSV = 1 << 30 };

/* ---- files --------------------------------------------------------------------------------- */

char *read_file(const char *file, size_t most, size_t *length, bri_error *err) {
    struct stat info;
    FILE *in = fopen(file, "rb");
    if (!in) {
        bri_fail(err, BRI_BAD_FILE, "cannot be opened: %s", strerror(errno));
        return NULL;
    }
    int known = fstat(fileno(in), &info) == 0;
    int regular = known && S_ISREG(info.st_mode);
    size_t room = regular ? (size_t)info.st_size + 1 : 65536, used = 0;
    char *text = NULL;
    if (known && S_ISDIR(info.st_mode)) {
        bri_fail(err, BRI_BAD_FILE, "is a directory");
    } else if (regular && (size_t)info.st_size > most) {
        bri_fail(err, BRI_BAD_FILE, "has %lld bytes, at most %zu are read", (long long)info.st_size,
                 most);
    } else if ((text = malloc(room)) == NULL) {
        bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    }
    while (text) {
        used += fread(text + used, 1, room - used, in);
        if (used < room) break;
        char *more = used > most ? NULL : realloc(text, 2 * room);
        if (!more) {
            if (used > most)
                bri_fail(err, BRI_BAD_FILE, "has more than %zu bytes, which is the limit", most);
            else
                bri_fail(err, BRI_NO_MEMORY, "not enough memory");
            free(text);
            text = NULL;
        } else {
            text = more;
            room *= 2;
        }
    }
    if (text && ferror(in)) {
        bri_fail(err, BRI_BAD_FILE, "cannot be read");
        free(text);
        text = NULL;
    }
    fclose(in);
    *length = used;
    return text;
}

/* ---- fields -------------------------------------------------------------------------------- */

typedef struct scanner {
    const char *at, *end;
    char separator;
    int line;          /* of the present field */
    int last;          /* nonzero: the present field ends its row */
    char field[256];   /* its text, without quotes and blanks around */
    const char *wrong; /* what is wrong with it, or NULL */
} scanner;

static int at_line_end(const scanner *s) { return s->at >= s->end || *s->at == '\n'; }

/* Read the next field; in quotes a doubled quote stands for one. */
static void next_field(scanner *s, int *newlines) {
    size_t n = 0;
    int quoted = 0, lost = 0;
    s->wrong = NULL;
    while (s->at < s->end && *s->at == ' ') s->at++;
    if (s->at < s->end && *s->at == '"') {
        quoted = 1;
        for (s->at++;; s->at++) {
            if (s->at >= s->end) {
                s->wrong = "a quote is not closed";
                break;
            }
            if (*s->at == '"' && (s->at + 1 >= s->end || s->at[1] != '"')) break;
            if (*s->at == '"') s->at++;
            if (*s->at == '\n') ++*newlines;
            if (n + 1 < sizeof s->field)
                s->field[n++] = *s->at;
            else
                lost = 1;
        }
        if (s->at < s->end) s->at++;
    }
    for (; !at_line_end(s) && *s->at != s->separator; s->at++) {
        if (quoted && *s->at != ' ' && *s->at != '\r') s->wrong = "text follows a closing quote";
        if (quoted) continue;
        if (n + 1 < sizeof s->field)
            s->field[n++] = *s->at;
        else
            lost = 1;
    }
    while (!quoted && n > 0 && (s->field[n - 1] == ' ' || s->field[n - 1] == '\r')) n--;
    s->field[n] = '\0';
    if (lost) s->wrong = "a field has more than 255 letters";
    if (!s->wrong && memchr(s->field, '\0', n)) s->wrong = "a field has a zero byte";
    s->last = at_line_end(s);
    if (s->last && s->at < s->end) ++*newlines;
    if (s->at < s->end) s->at++;
}

static int blank_line(scanner *s) {
    const char *p = s->at;
    while (p < s->end && (*p == ' ' || *p == '\r')) p++;
    if (p < s->end && *p != '\n') return 0;
    s->at = p < s->end ? p + 1 : p;
    s->line++;
    return 1;
}

static char find_separator(const char *text, size_t length) {
    const char *eol = memchr(text, '\n', length);
    size_t n = eol ? (size_t)(eol - text) : length;
    return memchr(text, ',', n)    ? ','
           : memchr(text, ';', n)  ? ';'
           : memchr(text, '\t', n) ? '\t'
                                   : ',';
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Whether a text may be the name of a column, "F [N]", and not just any line: messages show those
 * only, since a scenario from a stranger may name any file. */
static int looks_like_a_name(const char *text) {
    static const char *const others = " _-.[]()/%^*+";
    size_t n = 0;
    for (; text[n]; n++) {
        char c = text[n], letter = (char)(c | 0x20);
        if ((letter >= 'a' && letter <= 'z') || (n > 0 && c >= '0' && c <= '9')) continue;
        if ((unsigned char)c >= 0x80 || (n > 0 && strchr(others, c))) continue;
        return 0;
    }
    return n > 0 && n < 40;
}

/* Where the two columns are; the number of all columns, 0 after a failure. */
static int read_header(scanner *s, const char *const columns[2], int place[2], bri_error *err) {
    choice c = {0};
    char names[159][64], hint[200];
    int count = 0, newlines = 0, named = 0;
    place[0] = place[1] = -1;
    if (s->at >= s->end) {
        s->line = 0;
        bri_fail(err, BRI_BAD_FILE, "the file is empty");
        return 0;
    }
    do {
        next_field(s, &newlines);
        if (s->wrong) {
            bri_fail(err, BRI_BAD_FILE, "%s", s->wrong);
            return 0;
        }
        for (int k = 0; k < 2; k++) {
            if (strcmp(s->field, columns[k]) != 0) continue;
            if (place[k] >= 0) {
                bri_fail(err, BRI_BAD_VALUE, "there are two columns '%.60s'", columns[k]);
                return 0;
            }
            place[k] = count;
        }
        named = named || s->field[0];
        if (count < 159 && looks_like_a_name(s->field)) {
            snprintf(names[count], sizeof names[count], "%.63s", s->field);
            choice_add(&c, names[count]);
        }
        count++;
    } while (!s->last);
    if (!named) {
        bri_fail(err, BRI_BAD_FILE, "there is no header: the first line names the columns");
        return 0;
    }
    for (int k = 0; k < 2; k++)
        if (place[k] < 0) {
            hint[0] = '\0';
            if (c.count > 1) choice_hint(&c, columns[k], hint, sizeof hint);
            bri_fail(err, BRI_NOT_FOUND, "there is no column '%.60s'%s", columns[k], hint);
            return 0;
        }
    s->line += newlines;
    return count;
}

/* One row; its numbers go to value. */
static bri_status read_row(scanner *s, int count, const int place[2], double value[2],
                           bri_error *err) {
    int column = 0, newlines = 0;
    do {
        next_field(s, &newlines);
        if (s->wrong) return bri_fail(err, BRI_BAD_FILE, "%s", s->wrong);
        for (int k = 0; k < 2; k++) {
            if (place[k] != column) continue;
            size_t length = decimal_length(s->field);
            value[k] = length > 0 ? decimal_value(s->field, length) : NAN;
            if (s->field[length] || !isfinite(value[k]))
                return bri_fail(err, BRI_BAD_VALUE, "'%.60s' is not a number", s->field);
        }
        column++;
    } while (!s->last);
    if (column != count)
        return bri_fail(err, BRI_BAD_VALUE, "%d fields, the header has %d", column, count);
    s->line += newlines;
    return BRI_OK;
}

static bri_status read_rows(scanner *s, const char *const columns[2], double *values[2], int *count,
                            bri_error *err) {
    int place[2], width = read_header(s, columns, place, err), n = 0;
    if (!width) return err->status;
    while (s->at < s->end) {
        if (blank_line(s)) continue;
        double now[2];
        int line = s->line;
        bri_status status = read_row(s, width, place, now, err);
        if (status) return status;
        if (n > 0 && !(now[0] > values[0][n - 1])) {
            s->line = line;
            return bri_fail(err, BRI_BAD_VALUE,
                            "the time %g does not lie after %g: times must increase", now[0],
                            values[0][n - 1]);
        }
        values[0][n] = now[0];
        values[1][n++] = now[1];
    }
    *count = n;
    s->line = 0;
    if (n < 2) return bri_fail(err, BRI_BAD_VALUE, "at least two rows make a table, not %d", n);
    return BRI_OK;
}

bri_status csv_read(const char *file, const char *const columns[2], arena *memory,
                    double *values[2], int *count, bri_error *err) {
    struct stat info;
    size_t length;
    if (stat(file, &info) == 0 && !S_ISREG(info.st_mode))
        return bri_fail(err, BRI_BAD_FILE, "is not a regular file");
    char *text = read_file(file, MAX_CSV, &length, err);
    if (!text) return err->status;
    bri_status status = csv_parse(text, length, columns, memory, values, count, err);
    free(text);
    return status;
}

bri_status csv_parse(const char *text, size_t length, const char *const columns[2], arena *memory,
                     double *values[2], int *count, bri_error *err) {
    size_t rows = 1, skip = text_mark(text, length);
    scanner s = {.at = text + skip, .end = text + length, .line = 1};
    s.separator = find_separator(s.at, length - skip);
    for (size_t i = 0; i < length; i++) rows += text[i] == '\n';
    values[0] = ARENA_NEW(memory, double, rows);
    values[1] = ARENA_NEW(memory, double, rows);
    bri_status status;
    if (!values[0] || !values[1]) {
        status = bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    } else {
        status = read_rows(&s, columns, values, count, err);
        if (status) err->line = s.line;
    }
    return status;
}
