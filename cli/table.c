/* table.c - columns of numbers, as CSV to standard output or a file, and pictures of them. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int table_create(table *t, int n_columns, int n_rows) {
    *t = (table){.n_columns = n_columns, .n_rows = n_rows};
    t->heads = calloc((size_t)n_columns, sizeof *t->heads);
    t->data = calloc((size_t)n_columns * (size_t)n_rows, sizeof *t->data);
    if (t->heads && t->data) return DONE;
    complain("%s", bri_status_text(BRI_NO_MEMORY));
    return RUN_FAILED;
}

void table_free(table *t) {
    free(t->heads);
    free(t->data);
}

double *table_column(const table *t, int column) {
    return t->data + (size_t)column * (size_t)t->n_rows;
}

/* A field of RFC 4180: in quotes if it holds a comma, a quote or a line end. */
static bri_status put_field(bri_file *out, const char *text, bri_error *err) {
    char one[3] = "";
    if (!strpbrk(text, ",\"\r\n")) return bri_file_put(out, text, err);
    bri_status status = bri_file_put(out, "\"", err);
    for (; *text && !status; text++) {
        snprintf(one, sizeof one, *text == '"' ? "\"\"" : "%c", *text);
        status = bri_file_put(out, one, err);
    }
    return status ? status : bri_file_put(out, "\"", err);
}

/* Lines end in CR LF in RFC 4180, but every reader takes LF and every Unix tool wants it. */
static bri_status put_csv(bri_file *out, const table *t, bri_error *err) {
    bri_status status = BRI_OK;
    for (int k = 0; k < t->n_columns && !status; k++) {
        status = put_field(out, t->heads[k], err);
        if (!status) status = bri_file_put(out, k + 1 < t->n_columns ? "," : "\n", err);
    }
    for (int i = 0; i < t->n_rows && !status; i++)
        for (int k = 0; k < t->n_columns && !status; k++) {
            char number[40];
            snprintf(number, sizeof number, "%.17g%c", table_column(t, k)[i],
                     k + 1 < t->n_columns ? ',' : '\n');
            status = bri_file_put(out, number, err);
        }
    return status;
}

int table_write(const table *t, const char *file) {
    bri_file *out;
    bri_error err;
    bri_status status = bri_file_open(file, 1, &out, &err);
    if (status == BRI_OK) {
        status = put_csv(out, t, &err);
        bri_status closed = bri_file_close(out, status == BRI_OK, status ? NULL : &err);
        if (!status) status = closed;
    }
    if (status) complain("%s", err.text);
    return status ? RUN_FAILED : DONE;
}

int draw(const bri_plot *plot, const char *file) {
    bri_error err;
    bri_status status = bri_plot_write(plot, file, &err);
    if (status) complain("%s", err.text);
    return status ? RUN_FAILED : DONE;
}

int check_plot_name(const char *file) {
    const char *dot = file ? strrchr(file, '.') : NULL;
    if (!file ||
        (dot && (!strcasecmp(dot, ".svg") || !strcasecmp(dot, ".png") || !strcasecmp(dot, ".pdf"))))
        return DONE;
    complain("--plot: '%s': the name of a picture ends in .svg, .png or .pdf", file);
    return WRONG_USAGE;
}
