/* matrix.c - which kind of matrix a pattern is given, and LU factorisation of a banded matrix. */
#include "matrix.h"

/* A band of this width costs as much as KLU does on the patterns of chains and sheets. */
enum { WIDEST_BAND = 24, SMALLEST_SPARSE = 64 };

const char *matrix_name(const matrix *m) {
    static const char *const names[] = {
        [MATRIX_SCALAR] = "scalar", [MATRIX_TRIDIAGONAL] = "tridiagonal",
        [MATRIX_SMALL] = "dense",   [MATRIX_BANDED] = "banded",
        [MATRIX_DENSE] = "dense",   [MATRIX_SPARSE] = "klu"};
    return names[m->n <= 1 ? MATRIX_SCALAR : m->kind];
}

static matrix_kind choose(const matrix *m, const pattern *p) {
    int band = m->lower + m->upper;
    if (m->n <= 1) return MATRIX_SCALAR;
    if (m->n > 2 && m->lower <= 1 && m->upper <= 1) return MATRIX_TRIDIAGONAL;
    if (m->n <= SMALL) return MATRIX_SMALL;
    if (sparse_usable() && m->n >= SMALLEST_SPARSE && band > WIDEST_BAND &&
        p->count < (long)m->n * (m->n / 8))
        return MATRIX_SPARSE;
    return band >= m->n ? MATRIX_DENSE : MATRIX_BANDED;
}

void matrix_create(matrix *m, const pattern *p, int kind, arena *memory) {
    *m = (matrix){.n = p->n, .klu = m->klu};
    for (long k = 0; k < p->count; k++) {
        int below = p->row[k] - p->column[k];
        if (below > m->lower) m->lower = below;
        if (-below > m->upper) m->upper = -below;
    }
    m->kind = kind >= 0 ? (matrix_kind)kind : choose(m, p);
    if (m->n <= SMALL && m->kind == MATRIX_DENSE) m->kind = MATRIX_SMALL;
    if (m->n <= 1 && kind != MATRIX_SMALL) m->kind = MATRIX_SCALAR; /* flat.c wants its columns */
    if (m->kind == MATRIX_DENSE) m->lower = m->upper = m->n > 0 ? m->n - 1 : 0;
    m->width = m->lower + m->upper + 1;
    m->values = (long)m->n * m->width;
    if (m->kind == MATRIX_TRIDIAGONAL) m->values = 3L * m->n;
    if (m->kind == MATRIX_SMALL) m->values = (long)m->n * SMALL;
    if (m->kind != MATRIX_SPARSE)
        sparse_free(m);
    else if (!sparse_create(m, p, memory))
        memory->failed = 1;
    m->sweeps =
        (m->kind == MATRIX_SMALL ? bri_kernels_short() : bri_kernels(BRI_LEVEL_AUTO))->sweeps;
    m->value = ARENA_NEW(memory, double, m->values + 1);
}

void matrix_free(matrix *m) { sparse_free(m); }

long matrix_slot(const matrix *m, int row, int column) {
    if (m->kind == MATRIX_TRIDIAGONAL)
        return row == column ? row : row > column ? (long)m->n + row : 2L * m->n + row;
    if (m->kind == MATRIX_SMALL) return (long)column * SMALL + row;
    if (m->kind != MATRIX_SPARSE) return matrix_band(m, row, column);
    int low = m->start[column], high = m->start[column + 1];
    while (low < high) {
        int middle = (low + high) / 2;
        if (m->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int smaller(int a, int b) { return a < b ? a : b; }

static int band_factor(matrix *m) {
    int n = m->n, diagonal = m->upper;
    for (int k = 0; k < n; k++) {
        double *column = m->value + (long)k * m->width + diagonal; /* column[i]: row k + i */
        int below = smaller(m->lower, n - 1 - k), last = smaller(n - 1, k + m->upper);
        if (!(column[0] > 0.0)) return 0;
        column[0] = 1.0 / column[0]; /* kept as its reciprocal */
        for (int i = 1; i <= below; i++) column[i] *= column[0];
        for (int j = k + 1; j <= last; j++) { /* eliminate row k from the columns to the right */
            double *other = m->value + (long)j * m->width + diagonal - (j - k); /* row k + i */
            double factor = other[0];
            if (factor != 0.0)
                for (int i = 1; i <= below; i++) other[i] -= factor * column[i];
        }
    }
    return 1;
}

static void band_solve(const matrix *m, double *b) {
    int n = m->n, diagonal = m->upper;
    for (int k = 0; k < n; k++) {
        const double *column = m->value + (long)k * m->width + diagonal;
        int below = smaller(m->lower, n - 1 - k);
        for (int i = 1; i <= below; i++) b[k + i] -= b[k] * column[i];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *column = m->value + (long)k * m->width + diagonal;
        double x = b[k] *= column[0];
        int above = smaller(m->upper, k);
        for (int i = 1; i <= above; i++) b[k - i] -= x * column[-i];
    }
}

int matrix_factor(matrix *m) {
    switch (m->kind) {
    case MATRIX_SCALAR:
        if (!(m->value[0] > 0.0)) return 0;
        m->value[0] = 1.0 / m->value[0];
        return 1;
    case MATRIX_TRIDIAGONAL:
        return m->sweeps->tri_factor(m->n, m->value, m->value + m->n, m->value + 2L * m->n);
    case MATRIX_SMALL:
        return m->sweeps->invert(m->n, m->value);
    case MATRIX_SPARSE:
        return sparse_factor(m);
    default:
        return band_factor(m);
    }
}

void matrix_solve(const matrix *m, double *b) {
    switch (m->kind) {
    case MATRIX_SCALAR:
        b[0] *= m->value[0];
        break;
    case MATRIX_TRIDIAGONAL:
        m->sweeps->tri_solve(m->n, m->value, m->value + m->n, m->value + 2L * m->n, b);
        break;
    case MATRIX_SMALL:
        m->sweeps->multiply(m->n, m->value, b);
        break;
    case MATRIX_SPARSE:
        sparse_solve(m, b);
        break;
    default:
        band_solve(m, b);
    }
}
