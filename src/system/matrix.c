/* matrix.c - LU factorisation of a banded matrix with partial pivoting. Row exchanges widen the
 * upper band by the lower one, hence width = 2 lower + upper + 1. */
#include "matrix.h"
#include <math.h>

void matrix_shape(matrix *m, int n, int lower, int upper) {
    m->n = n;
    m->lower = lower;
    m->upper = upper;
    m->width = 2 * lower + upper + 1;
}

const char *matrix_name(const matrix *m) {
    if (m->n <= 1) return "scalar";
    if (m->lower >= m->n - 1 && m->upper >= m->n - 1) return "dense";
    return m->lower == 1 && m->upper == 1 ? "tridiagonal" : "banded";
}

static int smaller(int a, int b) { return a < b ? a : b; }

int matrix_factor(matrix *m) {
    int n = m->n, diagonal = m->lower + m->upper;
    if (n == 1) {
        if (m->value[diagonal] == 0.0) return 0;
        m->value[diagonal] = 1.0 / m->value[diagonal];
        return 1;
    }
    for (int k = 0; k < n; k++) {
        double *column = m->value + (long)k * m->width + diagonal; /* column[i]: row k + i */
        int below = smaller(m->lower, n - 1 - k), best = 0;
        for (int i = 1; i <= below; i++)
            if (fabs(column[i]) > fabs(column[best])) best = i;
        m->pivot[k] = k + best;
        if (column[best] == 0.0) return 0;
        double swap = column[best];
        column[best] = column[0];
        column[0] = 1.0 / swap; /* kept as its reciprocal */
        for (int i = 1; i <= below; i++) column[i] *= column[0];
        int last = smaller(n - 1, k + diagonal);
        for (int j = k + 1; j <= last; j++) { /* eliminate row k from the columns to the right */
            double *other =
                m->value + (long)j * m->width + diagonal - (j - k); /* other[i]: row k+i */
            double factor = other[best];
            other[best] = other[0];
            other[0] = factor;
            if (factor != 0.0)
                for (int i = 1; i <= below; i++) other[i] -= factor * column[i];
        }
    }
    return 1;
}

void matrix_solve(const matrix *m, double *b) {
    int n = m->n, diagonal = m->lower + m->upper;
    if (n == 1) {
        b[0] *= m->value[diagonal];
        return;
    }
    for (int k = 0; k < n; k++) {
        const double *column = m->value + (long)k * m->width + diagonal;
        double x = b[m->pivot[k]];
        b[m->pivot[k]] = b[k];
        b[k] = x;
        int below = smaller(m->lower, n - 1 - k);
        for (int i = 1; i <= below; i++) b[k + i] -= x * column[i];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *column = m->value + (long)k * m->width + diagonal;
        double x = b[k] *= column[0];
        int above = smaller(diagonal, k);
        for (int i = 1; i <= above; i++) b[k - i] -= x * column[-i];
    }
}
