/* csv.h - files as text, and columns of numbers from CSV files. */
#ifndef BRI_CSV_H
#define BRI_CSV_H

#include "bristle.h"

#include "arena.h"

/* Two columns of a CSV file by the names in its header; on failure err->line is a line of it. */
bri_status csv_read(const char *file, const char *const columns[2], arena *memory,
                    double *values[2], int *count, bri_error *err);

/* The same from text in memory. */
bri_status csv_parse(const char *text, size_t length, const char *const columns[2], arena *memory,
                     double *values[2], int *count, bri_error *err);

/* The text of a file, and its length; NULL with the reason in err. Larger than `most` is refused
 * before it is read. */
char *read_file(const char *file, size_t most, size_t *length, bri_error *err);

#endif
