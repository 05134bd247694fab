/* writer.c - result files: the kind is chosen by the end of the name. */
#define _POSIX_C_SOURCE 200809L
#include "writer.h"

#include "../fail.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const writer_kind *const kinds[] = {&csv_kind, &json_kind, &mat_kind};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* NULL if the name does not tell. */
static const writer_kind *kind_of(const char *file) {
    if (!file) return &csv_kind;
    size_t length = strlen(file);
    for (int i = 0; i < N_KINDS; i++) {
        size_t n = strlen(kinds[i]->suffix);
        if (length > n && strcasecmp(file + length - n, kinds[i]->suffix) == 0) return kinds[i];
    }
    struct stat info;
    int device = stat(file, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    return device ? &csv_kind : NULL;
}

bri_status bri_writer_check(const char *file, bri_error *err) {
    if (kind_of(file)) return BRI_OK;
    return bri_fail(err, BRI_BAD_VALUE,
                    "'%.200s': the name of a result file ends in .csv, .json or .mat", file);
}

/* Free what the writer holds. */
static void discard(bri_writer *w) {
    if (w->open) sink_close(&w->out, 0, NULL);
    free(w->file);
    free(w->rows);
    free(w);
}

bri_status bri_writer_open(const bri_run_head *head, const char *file, bri_writer **out,
                           bri_error *err) {
    *out = NULL;
    bri_status status = bri_writer_check(file, err);
    if (status != BRI_OK) return status;
    bri_writer *w = calloc(1, sizeof *w);
    if (w) w->file = file ? strdup(file) : NULL;
    if (!w || (file && !w->file)) {
        free(w);
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    }
    w->kind = kind_of(file);
    w->head = *head;
    w->n_columns = bri_recorder_columns(head->recorder);
    if (w->kind->streams) {
        status = sink_open(&w->out, file, 0, err);
        w->open = status == BRI_OK;
    } else {
        status = sink_try(file, err); /* to fail now and not after the run */
    }
    if (status == BRI_OK && w->kind->start) {
        w->kind->start(w);
        status = sink_status(&w->out, err);
    }
    if (status != BRI_OK) {
        discard(w);
        return status;
    }
    *out = w;
    return BRI_OK;
}

/* Keep a row until the end. */
static bri_status keep(bri_writer *w, const double *row, bri_error *err) {
    size_t columns = (size_t)w->n_columns;
    if (w->n_rows == w->room) {
        size_t room = w->room ? 2 * w->room : 1024;
        double *more = NULL;
        if (room <= SIZE_MAX / sizeof *more / columns)
            more = realloc(w->rows, room * columns * sizeof *more);
        if (!more)
            return bri_fail(err, BRI_NO_MEMORY, "not enough memory to keep the rows for %s files",
                            w->kind->suffix);
        w->rows = more;
        w->room = room;
    }
    memcpy(w->rows + w->n_rows++ * columns, row, columns * sizeof *row);
    return BRI_OK;
}

bri_status bri_writer_row(bri_writer *w, const double *row, bri_error *err) {
    if (!w->kind->streams) return keep(w, row, err);
    w->kind->row(w, row);
    return w->out.error ? sink_status(&w->out, err) : BRI_OK;
}

bri_status bri_writer_flush(bri_writer *w, bri_error *err) {
    if (!w->open) return BRI_OK;
    sink_flush(&w->out);
    return sink_status(&w->out, err);
}

bri_status bri_writer_close(bri_writer *w, const bri_run_end *end, bri_error *err) {
    bri_status status = BRI_OK;
    if (!w) return BRI_OK;
    if (end && !w->open) {
        status = sink_open(&w->out, w->file, 1, err);
        w->open = status == BRI_OK;
    }
    if (end && w->open && w->kind->finish) status = w->kind->finish(w, end, err);
    if (w->open) {
        /* Rows that the system has got stay, whatever comes after them. */
        int keep = end ? status == BRI_OK : w->kind->streams && w->out.written;
        bri_status closed = sink_close(&w->out, keep, status ? NULL : err);
        if (status == BRI_OK) status = closed;
        w->open = 0;
    }
    discard(w);
    return status;
}
