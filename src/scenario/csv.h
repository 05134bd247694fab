/* csv.h - files as text, and columns of numbers from CSV files. */
#ifndef BRI_CSV_H
#define BRI_CSV_H

#include "bristle.h"

#include "arena.h"

#include <stdint.h>

/* Most columns that are read at once, and room for a unit. */
enum { CSV_COLUMNS = 32, CSV_UNIT = 32 };

/* Columns that are wanted, by their names in the header. */
typedef struct csv_want {
    const char *const *names;
    int count;
    int timed;              /* nonzero: the first is a time, which must increase */
    int holes;              /* nonzero: a cell may be empty or say nan: it is NAN */
    char (*unit)[CSV_UNIT]; /* out, for each: the unit that stands behind its name in the header,
                             * "F [N]", "" if none does; NULL: no unit may stand there */
    int single;             /* nonzero: one row will do */
} csv_want;

/* Read them; on failure err->line is a line of the file. */
bri_status csv_columns(const char *file, const csv_want *want, arena *memory, double **values,
                       long *count, bri_error *err);

/* The same; the text of err begins with the file and, where there is one, the line. */
bri_status csv_file_columns(const char *file, const csv_want *want, arena *memory, double **values,
                            long *count, bri_error *err);

/* Two columns of a CSV file by the names in its header; on failure err->line is a line of it. */
bri_status csv_read(const char *file, const char *const columns[2], arena *memory,
                    double *values[2], int *count, bri_error *err);

/* The same from text in memory. */
bri_status csv_parse(const char *text, size_t length, const char *const columns[2], arena *memory,
                     double *values[2], int *count, bri_error *err);

/* The text of a file, with room for an end behind it, and its length; NULL with the reason in err.
 * Larger than `most` is refused before it is read; READ_ALL: memory is the limit. */
#define READ_ALL (SIZE_MAX / 4)
char *read_file(const char *file, size_t most, size_t *length, bri_error *err);

#endif
