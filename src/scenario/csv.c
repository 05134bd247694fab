/* csv.c - columns of a CSV file (RFC 4180): a header row, then numbers. The fields are parted by
 * commas, or, if the header has none, by semicolons or tabs. */
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
        bri_fail(err, errno == ENOMEM ? BRI_NO_MEMORY : BRI_BAD_FILE, "cannot be opened: %s",
                 strerror(errno));
        return NULL;
    }
    int known = fstat(fileno(in), &info) == 0;
    int regular = known && S_ISREG(info.st_mode);
    size_t room = regular ? (size_t)info.st_size + 1 : 65536, used = 0;
    char *text = NULL;
    if (known && S_ISDIR(info.st_mode)) {
        bri_fail(err, BRI_BAD_FILE, "is a directory");
    } else if (regular && (uintmax_t)info.st_size > most) {
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

/* Whether a header field is the column `name`: by itself, or with its unit behind it, "F [N]" or
 * "F(N)", which is copied to unit. */
static int is_column(const char *field, const char *name, char unit[CSV_UNIT]) {
    size_t n = strlen(name), end = strlen(field);
    unit[0] = '\0';
    if (strncmp(field, name, n) != 0) return 0;
    if (!field[n]) return 1;
    while (field[n] == ' ') n++;
    char close = field[n] == '[' ? ']' : field[n] == '(' ? ')' : '\0';
    if (!close || end < n + 3 || field[end - 1] != close || end - n - 2 >= CSV_UNIT) return 0;
    memcpy(unit, field + n + 1, end - n - 2);
    unit[end - n - 2] = '\0';
    return 1;
}

/* Take the present field as wanted column k, unless it is a second one of that name. A column that
 * is called so exactly goes before one with a unit behind its name. */
static bri_status take_column(const scanner *s, const csv_want *want, int k, int column, int *place,
                              bri_error *err) {
    char unit[CSV_UNIT];
    int plain = strcmp(s->field, want->names[k]) == 0, before = place[k] >= 0;
    if (!plain && !(want->unit && is_column(s->field, want->names[k], unit))) return BRI_OK;
    int plain_before = before && !(want->unit && want->unit[k][0]);
    if (before && plain == plain_before)
        return bri_fail(err, BRI_BAD_VALUE, "there are two columns '%.60s'", want->names[k]);
    if (before && !plain) return BRI_OK;
    place[k] = column;
    if (want->unit) snprintf(want->unit[k], CSV_UNIT, "%s", plain ? "" : unit);
    return BRI_OK;
}

/* Where the columns are; the number of all columns, 0 after a failure. */
static int read_header(scanner *s, const csv_want *want, int *place, bri_error *err) {
    choice c = {0};
    char names[159][64], hint[200];
    int count = 0, newlines = 0, named = 0;
    for (int k = 0; k < want->count; k++) place[k] = -1;
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
        for (int k = 0; k < want->count; k++)
            if (take_column(s, want, k, count, place, err) != BRI_OK) return 0;
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
    for (int k = 0; k < want->count; k++)
        if (place[k] < 0) {
            hint[0] = '\0';
            if (c.count > 1) choice_hint(&c, want->names[k], hint, sizeof hint);
            bri_fail(err, BRI_NOT_FOUND, "there is no column '%.60s'%s", want->names[k], hint);
            return 0;
        }
    s->line += newlines;
    return count;
}

/* A cell without a number where holes are allowed: nothing, or a word for it. */
static int is_hole(const char *field) {
    static const char *const words[] = {"", "nan", "na", "n/a", "null", "-"};
    char low[8] = "";
    if (strlen(field) >= sizeof low) return 0;
    for (int i = 0; field[i]; i++)
        low[i] = (char)(field[i] >= 'A' && field[i] <= 'Z' ? field[i] | 0x20 : field[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(low, words[i]) == 0) return 1;
    return 0;
}

/* One row; its numbers go to value. */
static bri_status read_row(scanner *s, int count, const csv_want *want, const int *place,
                           double *value, bri_error *err) {
    int column = 0, newlines = 0;
    do {
        next_field(s, &newlines);
        if (s->wrong) return bri_fail(err, BRI_BAD_FILE, "%s", s->wrong);
        for (int k = 0; k < want->count; k++) {
            if (place[k] != column) continue;
            size_t length = decimal_length(s->field);
            value[k] = length > 0 ? decimal_value(s->field, length) : NAN;
            if (want->holes && is_hole(s->field)) continue;
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

static bri_status read_rows(scanner *s, const csv_want *want, double **values, long *count,
                            bri_error *err) {
    int place[CSV_COLUMNS], width = read_header(s, want, place, err);
    long n = 0;
    if (!width) return err->status;
    while (s->at < s->end) {
        if (blank_line(s)) continue;
        double now[CSV_COLUMNS];
        int line = s->line;
        bri_status status = read_row(s, width, want, place, now, err);
        if (status) return status;
        if (want->timed && isnan(now[0])) continue; /* a row without a time is nowhere */
        if (want->timed && n > 0 && !(now[0] > values[0][n - 1])) {
            s->line = line;
            return bri_fail(err, BRI_BAD_VALUE,
                            "the time %g does not lie after %g: times must increase", now[0],
                            values[0][n - 1]);
        }
        for (int k = 0; k < want->count; k++) values[k][n] = now[k];
        n++;
    }
    *count = n;
    s->line = 0;
    if (n < 1 && want->single) return bri_fail(err, BRI_BAD_VALUE, "it has no rows");
    if (n < 2 && !want->single)
        return bri_fail(err, BRI_BAD_VALUE, "at least two rows make a table, not %ld", n);
    return BRI_OK;
}

static bri_status parse_columns(const char *text, size_t length, const csv_want *want,
                                arena *memory, double **values, long *count, bri_error *err) {
    size_t rows = 1, skip = text_mark(text, length);
    scanner s = {.at = text + skip, .end = text + length, .line = 1};
    s.separator = find_separator(s.at, length - skip);
    for (size_t i = 0; i < length; i++) rows += text[i] == '\n';
    for (int k = 0; k < want->count; k++)
        if ((values[k] = ARENA_NEW(memory, double, rows)) == NULL)
            return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    bri_status status = read_rows(&s, want, values, count, err);
    if (status) err->line = s.line;
    return status;
}

bri_status csv_columns(const char *file, const csv_want *want, arena *memory, double **values,
                       long *count, bri_error *err) {
    struct stat info;
    size_t length;
    if (stat(file, &info) == 0 && !S_ISREG(info.st_mode))
        return bri_fail(err, BRI_BAD_FILE, "is not a regular file");
    char *text = read_file(file, MAX_CSV, &length, err);
    if (!text) return err->status;
    bri_status status = parse_columns(text, length, want, memory, values, count, err);
    free(text);
    return status;
}

bri_status csv_file_columns(const char *file, const csv_want *want, arena *memory, double **values,
                            long *count, bri_error *err) {
    bri_error why = {0};
    bri_status status = csv_columns(file, want, memory, values, count, &why);
    if (status == BRI_OK) return BRI_OK;
    if (why.line > 0)
        bri_fail(err, status, "%.150s:%d: %.250s", file, why.line, why.text);
    else
        bri_fail(err, status, "%.150s: %.280s", file, why.text);
    if (err) err->line = why.line;
    return status;
}

/* ---- two columns, all numbers --------------------------------------------------------------- */

bri_status csv_read(const char *file, const char *const columns[2], arena *memory,
                    double *values[2], int *count, bri_error *err) {
    csv_want want = {columns, 2, 1, 0, NULL};
    long n = 0;
    bri_status status = csv_columns(file, &want, memory, values, &n, err);
    *count = (int)n; /* a file has at most 2^30 bytes */
    return status;
}

bri_status csv_parse(const char *text, size_t length, const char *const columns[2], arena *memory,
                     double *values[2], int *count, bri_error *err) {
    csv_want want = {columns, 2, 1, 0, NULL};
    long n = 0;
    bri_status status = parse_columns(text, length, &want, memory, values, &n, err);
    *count = (int)n;
    return status;
}
