/* csv.c - results as CSV, RFC 4180: a header, one line per row, time first.
 *
 * Lines end in CR LF in RFC 4180, but every reader takes LF and every Unix tool wants it. Numbers
 * are the shortest that read back as the same double. Rows leave the buffer whole. */
#include "bristle_tools.h"
#include "escape.h"
#include "number.h"
#include "writer.h"

void bri_csv_text(FILE *out, const char *text) { csv_text(out, text); }

static void put_to_sink(void *to, const char *text, size_t size) { sink_put(to, text, size); }

static void start(bri_writer *w) {
    for (int i = 0; i < w->n_columns; i++) {
        if (i) sink_text(&w->out, ",");
        csv_field(put_to_sink, &w->out, bri_recorder_name(w->head.recorder, i));
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
