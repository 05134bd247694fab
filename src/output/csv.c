/* csv.c - results as CSV, RFC 4180: a header, one line per row, time first.
 *
 * Lines end in CR LF in RFC 4180, but every reader takes LF and every Unix tool wants it. Numbers
 * are the shortest that read back as the same double. Rows leave the buffer whole. */
#include "number.h"
#include "writer.h"

#include <string.h>

/* A field: in quotes if it holds a comma, a quote or a line end. */
static void put_field(sink *out, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        sink_text(out, text);
        return;
    }
    sink_text(out, "\"");
    for (; *text; text++) {
        if (*text == '"') sink_text(out, "\"");
        sink_put(out, text, 1);
    }
    sink_text(out, "\"");
}

static void start(bri_writer *w) {
    for (int i = 0; i < w->n_columns; i++) {
        if (i) sink_text(&w->out, ",");
        put_field(&w->out, bri_recorder_name(w->head.recorder, i));
    }
    sink_text(&w->out, "\n");
}

static void put_row(bri_writer *w, const double *row) {
    char *to = sink_room(&w->out, (size_t)w->n_columns * (NUMBER_ROOM + 1));
    if (!to) return;
    for (int i = 0; i < w->n_columns; i++) {
        to = number_put(to, row[i]);
        *to++ = ',';
    }
    to[-1] = '\n';
    sink_filled(&w->out, to);
}

const writer_kind csv_kind = {.suffix = ".csv", .streams = 1, .start = start, .row = put_row};
