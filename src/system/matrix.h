/* matrix.h - the linear systems of the mechanical unknowns: values in slots, factored in place. */
#ifndef BRI_MATRIX_H
#define BRI_MATRIX_H

typedef struct matrix {
    int n;            /* unknowns */
    int lower, upper; /* bandwidths; a dense matrix has n - 1 of both */
    int width;        /* slots per column: 2 lower + upper + 1, room for row exchanges */
    double *value;    /* [n * width], column after column */
    int *pivot;       /* [n] */
} matrix;

/* Number of doubles and ints that a matrix needs. */
static inline long matrix_values(const matrix *m) { return (long)m->n * m->width; }

/* Where entry (row, column) is kept; it must lie within the bands. */
static inline long matrix_slot(const matrix *m, int row, int column) {
    return (long)column * m->width + (row - column + m->lower + m->upper);
}

/* Shape from the bandwidths of the pattern. */
void matrix_shape(matrix *m, int n, int lower, int upper);

/* LU factors with partial pivoting; 0 if the matrix is singular. */
int matrix_factor(matrix *m);

/* Solve in place. */
void matrix_solve(const matrix *m, double *b);

/* "scalar", "tridiagonal", "banded" or "dense". */
const char *matrix_name(const matrix *m);

#endif
