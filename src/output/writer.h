/* writer.h - kinds of result files, one file each, one row of the table in writer.c each. */
#ifndef BRI_WRITER_H
#define BRI_WRITER_H

#include "bristle_scenario.h"
#include "sink.h"

/* A kind of result file, constant data. */
typedef struct writer_kind {
    const char *suffix; /* ".csv" */
    int streams;        /* nonzero: rows are written as they come, else kept until the end */

    /* Before the first row. Optional. */
    void (*start)(bri_writer *w);

    /* One row, if rows stream. */
    void (*row)(bri_writer *w, const double *row);

    /* After the last one, with all rows in w->rows unless they stream. Optional. */
    bri_status (*finish)(bri_writer *w, const bri_run_end *end, bri_error *err);
} writer_kind;

extern const writer_kind csv_kind, json_kind, mat_kind;

struct bri_writer {
    const writer_kind *kind;
    bri_run_head head;
    char *file; /* NULL: standard output */
    sink out;
    int open; /* nonzero: out is open */
    int n_columns;
    double *rows; /* row after row, if they do not stream */
    size_t n_rows, room;
};

#endif
