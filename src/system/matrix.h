/* matrix.h - the linear systems of the mechanical unknowns: values in slots, factored in place. */
#ifndef BRI_MATRIX_H
#define BRI_MATRIX_H

#include "arena.h"
#include "kernels/kernels.h"

typedef enum matrix_kind {
    MATRIX_SCALAR,
    MATRIX_TRIDIAGONAL,
    MATRIX_SMALL, /* dense, of at most SMALL rows */
    MATRIX_BANDED,
    MATRIX_DENSE,
    MATRIX_SPARSE, /* KLU */
} matrix_kind;

enum { SMALL = BRI_FLAT_ROWS };

typedef struct matrix {
    matrix_kind kind;
    int n;            /* unknowns */
    int lower, upper; /* bandwidths; a dense matrix has n - 1 of both */
    int width;        /* banded: slots per column, lower + upper + 1 */
    long values;      /* slots in all */
    double *value;    /* banded, dense: column after column, small: of SMALL rows each; tridiagonal:
                         diagonal, below, above */
    int *start, *row; /* sparse: the entries of column j are start[j] ... start[j + 1] - 1 */
    void *klu;
    const bri_sweeps *sweeps;
} matrix;

/* Banded: where entry (row, column) is kept. */
static inline long matrix_band(const matrix *m, int row, int column) {
    return (long)column * m->width + (row - column + m->upper);
}

/* Where entry (row, column) is kept; it must be part of the pattern. */
long matrix_slot(const matrix *m, int row, int column);

/* The entries that may differ from zero, besides the diagonal. */
typedef struct pattern {
    int n;
    long count;
    int *row, *column;
} pattern;

/* Choose the kind that suits the pattern and take the memory; a kind other than -1 is obeyed. m is
 * zeroed, or was made before: if the pattern is the same, what KLU knows of it is kept. Failure
 * shows in the arena. */
void matrix_create(matrix *m, const pattern *p, int kind, arena *memory);
void matrix_free(matrix *m); /* what is not in the arena */

/* LU factors or the inverse, without row exchanges; 0 unless all pivots are positive. The matrices
 * of mechanical systems, w M + C + K/w, have such pivots unless something grows faster than e^(w
 * t): a step over more than the time of growth must not be made, see network_factor. */
int matrix_factor(matrix *m);

/* Solve in place. */
void matrix_solve(const matrix *m, double *b);

/* "scalar", "tridiagonal", "banded", "dense" or "klu". */
const char *matrix_name(const matrix *m);

/* sparse.c: the same for MATRIX_SPARSE; without KLU creation returns 0. */
int sparse_usable(void);
int sparse_create(matrix *m, const pattern *p, arena *memory);
void sparse_free(matrix *m);
int sparse_factor(matrix *m);
void sparse_solve(const matrix *m, double *b);

#endif
