/* table.c - a table of results, kept once and written in every form. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_study.h"

#include "escape.h"
#include "fail.h"
#include "number.h"
#include "report_page.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell {
    double number; /* NaN: none */
    char *text;    /* NULL: the number is shown */
    bri_tone tone;
} cell;

struct bri_table {
    char *title;
    bri_column *columns;
    int n_columns;
    cell *cells; /* row after row */
    int n_cells, room;
    int failed; /* nonzero: there was no memory */
};

/* ---- filling ------------------------------------------------------------------------------- */

bri_table *bri_table_create(const char *title, const bri_column *columns, int n_columns) {
    bri_table *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->n_columns = n_columns;
    t->columns = malloc((size_t)n_columns * sizeof *columns);
    t->title = title ? strdup(title) : NULL;
    if (!t->columns || (title && !t->title)) {
        bri_table_free(t);
        return NULL;
    }
    memcpy(t->columns, columns, (size_t)n_columns * sizeof *columns);
    return t;
}

void bri_table_free(bri_table *t) {
    if (!t) return;
    for (int i = 0; i < t->n_cells; i++) free(t->cells[i].text);
    free(t->cells);
    free(t->columns);
    free(t->title);
    free(t);
}

void bri_table_both(bri_table *t, double value, const char *text, bri_tone tone) {
    if (t->n_cells == t->room) {
        int room = t->room ? 2 * t->room : 64;
        cell *more = realloc(t->cells, (size_t)room * sizeof *more);
        if (!more) {
            t->failed = 1;
            return;
        }
        t->cells = more;
        t->room = room;
    }
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy) t->failed = 1;
    t->cells[t->n_cells++] = (cell){value, copy, tone};
}

void bri_table_number(bri_table *t, double value, bri_tone tone) {
    bri_table_both(t, value, NULL, tone);
}

void bri_table_text(bri_table *t, const char *text, bri_tone tone) {
    bri_table_both(t, NAN, text ? text : "", tone);
}

int bri_table_rows(const bri_table *t) { return t->n_columns ? t->n_cells / t->n_columns : 0; }

/* ---- what a cell says ---------------------------------------------------------------------- */

enum { SHOWN = 400 }; /* most characters of a cell for people */

static const cell *cell_at(const bri_table *t, int row, int column) {
    return &t->cells[row * t->n_columns + column];
}

static const char *shown(const bri_table *t, int row, int column, char *room) {
    const cell *c = cell_at(t, row, column);
    if (c->text) return c->text;
    if (!isfinite(c->number)) return "-";
    int digits = t->columns[column].digits;
    snprintf(room, SHOWN, "%.*g", digits > 0 ? digits : 6, c->number);
    return room;
}

static const char *name_of(const bri_column *c) { return c->name ? c->name : c->key; }

static int has_unit(const bri_column *c) { return c->unit && c->unit[0]; }

/* "xi [%]" */
static const char *head_of(const bri_column *c, char *room) {
    snprintf(room, SHOWN, has_unit(c) ? "%s [%s]" : "%s", name_of(c), c->unit);
    return room;
}

/* The letters of UTF-8 text: bytes that do not go on with one. */
static int width_of(const char *text) {
    int width = 0;
    for (; *text; text++) width += (*text & 0xc0) != 0x80;
    return width;
}

/* ---- text ---------------------------------------------------------------------------------- */

static void put_padded(FILE *out, const char *text, int width, int right, int last) {
    int pad = width - width_of(text);
    if (right) fprintf(out, "%*s", pad > 0 ? pad : 0, "");
    fputs(text, out);
    if (!right && !last) fprintf(out, "%*s", pad > 0 ? pad : 0, "");
    fputs(last ? "" : "  ", out);
}

/* Names above units, numbers to the right. 0: there is no memory. */
static int put_text(const bri_table *t, FILE *out, int colours) {
    static const char *const colour[] = {"", "\033[32m", "\033[33m", "\033[31m", "\033[34m"};
    char room[SHOWN], unit[SHOWN];
    int *width = calloc((size_t)t->n_columns + 1, sizeof *width), units = 0;
    if (!width) return 0;
    for (int k = 0; k < t->n_columns; k++) {
        const bri_column *c = &t->columns[k];
        width[k] = width_of(name_of(c));
        if (has_unit(c) && width_of(c->unit) + 2 > width[k]) width[k] = width_of(c->unit) + 2;
        units = units || has_unit(c);
        for (int i = 0; i < bri_table_rows(t); i++) {
            int w = width_of(shown(t, i, k, room));
            if (w > width[k]) width[k] = w;
        }
    }
    if (t->title) fprintf(out, "%s\n\n", t->title);
    for (int line = 0; line < 1 + units; line++) {
        for (int k = 0; k < t->n_columns; k++) {
            const bri_column *c = &t->columns[k];
            if (has_unit(c))
                snprintf(unit, sizeof unit, "[%s]", c->unit);
            else
                unit[0] = '\0';
            put_padded(out, line ? unit : name_of(c), width[k], c->digits > 0,
                       k == t->n_columns - 1);
        }
        fputc('\n', out);
    }
    for (int i = 0; i < bri_table_rows(t); i++) {
        for (int k = 0; k < t->n_columns; k++) {
            bri_tone tone = colours ? cell_at(t, i, k)->tone : BRI_TONE_PLAIN;
            fputs(colour[tone], out);
            put_padded(out, shown(t, i, k, room), width[k], t->columns[k].digits > 0,
                       k == t->n_columns - 1);
            if (tone) fputs("\033[0m", out);
        }
        fputc('\n', out);
    }
    free(width);
    return 1;
}

/* ---- Markdown and HTML --------------------------------------------------------------------- */

static void put_bar_safe(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|') fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

static void put_markdown(const bri_table *t, FILE *out) {
    char room[SHOWN];
    if (t->title) fprintf(out, "**%s**\n\n", t->title);
    for (int k = 0; k < t->n_columns; k++) {
        fputs(k ? " | " : "| ", out);
        put_bar_safe(out, head_of(&t->columns[k], room));
    }
    fputs(" |\n", out);
    for (int k = 0; k < t->n_columns; k++) fputs(t->columns[k].digits > 0 ? "|---:" : "|---", out);
    fputs("|\n", out);
    for (int i = 0; i < bri_table_rows(t); i++) {
        for (int k = 0; k < t->n_columns; k++) {
            fputs(k ? " | " : "| ", out);
            put_bar_safe(out, shown(t, i, k, room));
        }
        fputs(" |\n", out);
    }
}

static void put_html(const bri_table *t, FILE *out) {
    char room[SHOWN];
    fputs("<table>\n", out);
    if (t->title) {
        fputs("<caption>", out);
        html_text(out, t->title);
        fputs("</caption>\n", out);
    }
    fputs("<thead><tr>", out);
    for (int k = 0; k < t->n_columns; k++) {
        const bri_column *c = &t->columns[k];
        fprintf(out, "<th scope=\"col\" class=\"%s\"", c->digits > 0 ? "number" : "text");
        if (c->text) {
            fputs(" title=\"", out);
            html_text(out, c->text);
            fputc('"', out);
        }
        fputc('>', out);
        html_text(out, name_of(c));
        if (has_unit(c)) {
            fputs(" <small>", out);
            html_text(out, c->unit);
            fputs("</small>", out);
        }
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < bri_table_rows(t); i++) {
        fputs("<tr>", out);
        for (int k = 0; k < t->n_columns; k++) {
            const char *text = shown(t, i, k, room);
            const char *kind = t->columns[k].digits > 0 ? "number"
                               : width_of(text) > 40    ? "text long"
                                                        : "text";
            fprintf(out, "<td class=\"%s%s\" data-label=\"", kind,
                    report_class(cell_at(t, i, k)->tone));
            html_text(out, name_of(&t->columns[k]));
            fputs("\">", out);
            html_text(out, text);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
}

/* ---- JSON and CSV: full precision, keys ---------------------------------------------------- */

static void put_number(FILE *out, double x, const char *none) {
    char room[NUMBER_ROOM];
    if (isfinite(x))
        fwrite(room, 1, (size_t)(number_put(room, x) - room), out);
    else
        fputs(none, out);
}

static void put_json(const bri_table *t, FILE *out) {
    fputs("[", out);
    for (int i = 0; i < bri_table_rows(t); i++) {
        fputs(i ? ",\n {" : "\n {", out);
        for (int k = 0; k < t->n_columns; k++) {
            const cell *c = cell_at(t, i, k);
            if (k) fputs(", ", out);
            json_text(out, t->columns[k].key);
            fputs(": ", out);
            if (t->columns[k].digits > 0 || !c->text)
                put_number(out, c->number, "null");
            else
                json_text(out, c->text);
        }
        fputc('}', out);
    }
    fputs("\n]\n", out);
}

static void put_csv(const bri_table *t, FILE *out) {
    for (int k = 0; k < t->n_columns; k++) {
        if (k) fputc(',', out);
        csv_text(out, t->columns[k].key);
    }
    fputc('\n', out);
    for (int i = 0; i < bri_table_rows(t); i++)
        for (int k = 0; k < t->n_columns; k++) {
            const cell *c = cell_at(t, i, k);
            if (t->columns[k].digits > 0 || !c->text)
                put_number(out, c->number, "");
            else
                csv_text(out, c->text);
            fputc(k + 1 < t->n_columns ? ',' : '\n', out);
        }
}

bri_status bri_table_write(const bri_table *t, bri_form form, FILE *out, bri_error *err) {
    if (t->failed) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), host;
    int good = 1;
    if (!plain) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    host = uselocale(plain); /* decimal points, whatever the host has set */
    switch (form) {
    case BRI_FORM_TEXT:
        good = put_text(t, out, 0);
        break;
    case BRI_FORM_COLOUR:
        good = put_text(t, out, 1);
        break;
    case BRI_FORM_MARKDOWN:
        put_markdown(t, out);
        break;
    case BRI_FORM_HTML:
        put_html(t, out);
        break;
    case BRI_FORM_JSON:
        put_json(t, out);
        break;
    case BRI_FORM_CSV:
        put_csv(t, out);
        break;
    }
    uselocale(host);
    freelocale(plain);
    if (!good) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    if (ferror(out)) return bri_fail(err, BRI_BAD_FILE, "the table cannot be written");
    return BRI_OK;
}
