/* table.c - columns of numbers, as CSV to standard output or a file, and pictures of them. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Lines end in CR LF in RFC 4180, but every reader takes LF and every Unix tool wants it. */
static void put_csv(FILE *out, const table *t) {
    for (int k = 0; k < t->n_columns; k++) {
        if (k) fputc(',', out);
        bri_csv_text(out, t->heads[k]);
    }
    fputc('\n', out);
    for (int i = 0; i < t->n_rows; i++)
        for (int k = 0; k < t->n_columns; k++)
            fprintf(out, "%.17g%c", table_column(t, k)[i], k + 1 < t->n_columns ? ',' : '\n');
}

static int cannot_write(const char *file) {
    complain("%s cannot be written: %s", file, strerror(errno));
    return RUN_FAILED;
}

/* A regular file appears complete or not at all; a device or a pipe is written as it is. */
int table_write(const table *t, const char *file) {
    if (!file) {
        put_csv(stdout, t);
        return DONE; /* main() looks at the state of standard output */
    }
    struct stat info;
    int direct = stat(file, &info) == 0 && !S_ISREG(info.st_mode);
    char name[4200];
    int n = snprintf(name, sizeof name, direct ? "%s" : "%s.%ld-new", file, (long)getpid());
    if (n < 0 || n >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return cannot_write(file);
    }
    FILE *out = fopen(name, "w");
    if (!out) return cannot_write(file);
    put_csv(out, t);
    int failed = fflush(out) != 0 || ferror(out);
    if (fclose(out) != 0) failed = 1;
    if (!failed && !direct && rename(name, file) != 0) failed = 1;
    if (!failed) return DONE;
    int code = cannot_write(file);
    if (!direct) unlink(name);
    return code;
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
